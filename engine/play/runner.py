"""Play one episode: `play` for a notebook, `play_or_resume` for an executor that has claimed an episode of a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from engine.core.events import Event, Json, Kind, Outcome
from engine.core.game import Game
from engine.core.log import Log
from engine.core.master import RulesChanged
from engine.core.player import EpisodeLoader, Player, refuse_episode_loading
from engine.core.start import EpisodeStart
from engine.play.episode import Episode, EventSink, Listener, NullSink
from engine.play.plan_checks import check_seats, check_settings, list_messages
from engine.play.plans import build_item_start
from engine.play.project import build_project_registry
from engine.play.registry import Registry, SelectedInstance, UnknownSelection
from engine.play.seating import assign_players, derive_side_seed
from engine.storage.ids import make_id


@dataclass(frozen=True, slots=True)
class PlayResult:
    """How far an episode was played: to its outcome, to a fault, or, without either, until the budget was spent."""

    outcome: Outcome | None = None
    cause: str | None = None
    """Why it is stalled."""
    is_logged: bool = True
    """Whether the cause is in its log."""
    log: Log | None = None
    """The log of an episode that has been scored."""
    scores: tuple[str, Json] | None = None
    """The version to store scores under, and the scores of a finished episode."""
    unscored_reason: str | None = None
    """Why its game failed to score it."""


async def play_or_resume(
    episode_id: str,
    episode_start: EpisodeStart,
    logged_events: list[Event],
    registry: Registry,
    sink: EventSink,
    *,
    load_episode: EpisodeLoader,
    is_stopped: Callable[[], bool],
    on_update: Listener | None = None,
) -> PlayResult:
    """Play a claimed episode from the end of its log, or from its start, and score it if it is over.

    `on_update` is called for each stored update except the first of a new episode. Raises what `sink` raises.
    """
    try:
        episode = await _seat_players(episode_id, episode_start, logged_events, registry, sink, load_episode)
    except (RulesChanged, ValidationError, KeyError) as error:
        # Named and left as it is: a log that the present rules would not have written is never continued.
        return PlayResult(cause=_describe_failure(error), is_logged=False)
    if on_update:
        episode.listeners.append(on_update)
    outcome = await episode.play(is_stopped)
    if outcome is None:
        return PlayResult(cause=episode.stall_cause)
    try:
        whole_log = Log(episode.log)
        whole_log.start, whole_log.outcome = episode.master.start, outcome  # not to be made again from the events
        return PlayResult(outcome, log=whole_log, scores=registry.compute_scores(whole_log))
    except Exception as error:  # a game's bug must not end the run: the log holds all, scores can be made later
        return PlayResult(outcome, unscored_reason=f"{episode_start.game}: {type(error).__name__}: {error}")


async def _seat_players(
    episode_id: str,
    episode_start: EpisodeStart,
    log: list[Event],
    registry: Registry,
    sink: EventSink,
    load_episode: EpisodeLoader,
) -> Episode:
    """Return an episode with its players, new or resumed from its log."""
    game = registry.game(episode_start.game)
    seats = dict(episode_start.seats)
    seats |= {event.seat: event.data["player"] for event in log if event.kind is Kind.SEAT and event.seat}
    players = {seat: registry.player(address, game.name, seat, load_episode) for seat, address in seats.items()}
    if log:
        return Episode.resume(episode_id, game, log, players, sink)
    return await Episode.begin_episode(episode_id, game, episode_start, players, sink)


def _describe_failure(error: Exception) -> str:
    if isinstance(error, RulesChanged):
        return f"the rules have changed since this was played: {error}"
    if isinstance(error, ValidationError):
        return f"the instance cannot be used: {'; '.join(list_messages(error))}"
    return f"{type(error).__name__}: {error}"


# ---------------------------------------------------------------------- one episode
async def play(
    game: Game | str,
    instance: SelectedInstance | Json | str,
    seats: Mapping[str, Player | str],
    *,
    registry: Registry | None = None,
    settings: Json | None = None,
    reprompt: int = 0,
    seed: int = 0,
    on_update: Callable[[Episode, Sequence[Event]], None] | None = None,
    sink: EventSink | None = None,
) -> Episode:
    """Play one episode and return it, for notebooks and scripts: `.outcome`, `.log`, `.stall_cause`.

    `game` is a name or a `Game`. `instance` is a selection below it ("text/same/0"), a `SelectedInstance`, or an
    instance's own data (the variant is then the game's first). `seats` gives each seat a player object or an address
    ("scripted"), with "all" for the seats not named. Nothing is written unless a `sink` is given.

        from engine import play
        episode = await play("matchit", "text/same/0", {"A": "scripted", "B": "random"})
        print(episode.outcome, len(episode.log))

    Raises `UnknownSelection`, `UnknownPlayer` or `BadPlan` before anything is played. An episode that a player's fault
    has stalled comes back without an outcome.
    """
    registry = registry or build_project_registry()
    game = registry.game(game) if isinstance(game, str) else game
    instance = _resolve_instance(registry, game, instance)
    for seat, player in seats.items():
        if not isinstance(player, str | Player):
            raise TypeError(
                f"seat {seat}: {player!r} is neither an address nor a Player; derive its class from engine.Player"
            )
    seat_addresses = {
        seat: registry.pin_address(player) if isinstance(player, str) else f"custom/{type(player).__name__}"
        for seat, player in seats.items()
    }
    check_seats({game.name: game}, seat_addresses)
    check_settings(game, settings)
    side_seed = derive_side_seed(game, instance, seat_addresses, seed)
    players: dict[str, Player] = {}
    for seat, player in assign_players(game, instance.instance, seats, side_seed).items():
        players[seat] = (
            registry.player(player, game.name, seat, refuse_episode_loading) if isinstance(player, str) else player
        )
    episode_start = build_item_start(
        game,
        instance,
        assign_players(game, instance.instance, seat_addresses, side_seed),
        settings=settings,
        reprompt=reprompt,
        run_seed=seed,
        seed=side_seed,
    )
    episode = await Episode.begin_episode(make_id(), game, episode_start, players, sink or NullSink())
    if on_update:
        episode.listeners.append(on_update)
    await episode.play()
    return episode


def _resolve_instance(registry: Registry, game: Game, instance: SelectedInstance | Json | str) -> SelectedInstance:
    """Return the instance that `play` was given. Raises `UnknownSelection` for a text that names none or several."""
    if isinstance(instance, SelectedInstance):
        return instance
    if not isinstance(instance, str):
        return SelectedInstance(game.name, game.variants[0].name, "custom", 0, instance)
    instance_path = instance.strip("/").removeprefix(f"{game.name}/")
    selected_instances = registry.select_instances(f"{game.name}/{instance_path}")
    if len(selected_instances) != 1:
        raise UnknownSelection(
            f"{instance!r} names {len(selected_instances)} instances; one is e.g. {selected_instances[0].instance_id!r}"
        )
    return selected_instances[0]
