"""What an episode begins with: the data of its start event."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from engine.core.events import Json, digest
from engine.core.game import Game


class Start(BaseModel):
    """Everything an episode begins with; the data of its `start` event."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ludens: str
    game: str
    game_version: int
    variant: str
    experiment: str
    instance: Json
    instance_id: str
    """`GAME/VARIANT/EXPERIMENT/INDEX` of a shipped instance, or a free name."""
    instance_hash: str
    prompts: str
    prompts_version: int
    settings: Json
    reprompt: int = 0
    seed: str
    seats: dict[str, str]
    """Seat to player address."""
    run_seed: int = 0
    repetition: int = 0
    people: dict[str, Json] = {}
    """For seats held by people: `informed` (chose experiment or instance), `seen_before`, `practice`."""


def build_start(
    game: Game,
    *,
    ludens: str,
    variant: str,
    experiment: str,
    instance: Json,
    instance_id: str,
    seats: dict[str, str],
    settings: Json | None = None,
    reprompt: int = 0,
    run_seed: int = 0,
    repetition: int = 0,
    seed: str | None = None,
    people: dict[str, Json] | None = None,
) -> Start:
    """Return the start of an episode with its settings completed and its seed derived.

    The seed is the SHA-256 of (run seed, game, variant, experiment, instance hash, seating, repetition) unless given.
    Raises ValueError for a seat that is missing or unknown, pydantic's ValidationError for bad settings.
    """
    if set(seats) != set(game.seats):
        raise ValueError(f"{game.name} has the seats {', '.join(game.seats)}; given: {', '.join(seats) or 'none'}")
    instance_hash = digest(instance)
    seating = {seat: seats[seat] for seat in game.seats}
    prompts, prompts_version = game.prompt_set(instance)
    derived = digest([run_seed, game.name, variant, experiment, instance_hash, seating, repetition])
    return Start(
        ludens=ludens,
        game=game.name,
        game_version=game.version,
        variant=variant,
        experiment=experiment,
        instance=instance,
        instance_id=instance_id,
        instance_hash=instance_hash,
        prompts=prompts,
        prompts_version=prompts_version,
        settings=game.settings.model_validate(game.settings_of(instance) | (settings or {})).model_dump(mode="json"),
        reprompt=reprompt,
        seed=seed or derived,
        seats=seating,
        run_seed=run_seed,
        repetition=repetition,
        people=people or {},
    )
