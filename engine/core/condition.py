"""What the episodes of one result row have in common: what was played, by whom and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from engine.core.events import Json, canonical_json, digest
from engine.core.start import STUDY_KEY, EpisodeStart


@dataclass(frozen=True, eq=False)
class Condition:
    """What the episodes of one row have in common: what was played, by whom and how.

    `seats` says who sits where, or who plays which side (`assign_sides`); `prompts` is the name and version of the
    prompt set. `study` is NAME@VERSION of the study that the people in it took part in, empty without one:
    instructions, practice and pay are part of how an episode was played.
    """

    game: str
    variant: str
    experiment: str
    seats: Mapping[str, str]
    settings: Json
    reprompt: int = 0
    game_version: int = 0
    prompts: str = ""
    study: str = ""
    rules_for_models: Json = field(default_factory=dict)
    """What happens without a usable reply, as far as it is not the default (`EpisodeStart.rules_for_models`)."""
    key: str = field(init=False, repr=False)
    """The whole condition as one text. Equal conditions have equal keys; rows are sorted by key."""
    id: str = field(init=False)
    """12 hexadecimal digits of the key's digest, which name a row in addresses."""

    def __post_init__(self) -> None:
        identity_parts: list[object] = [
            self.game,
            self.variant,
            self.experiment,
            sorted(self.seats.items()),
            self.settings,
        ]
        identity_parts += [self.reprompt, self.game_version, self.prompts, *([self.study] if self.study else [])]
        identity_parts += [self.rules_for_models] if self.rules_for_models else []
        object.__setattr__(self, "key", canonical_json(identity_parts))
        object.__setattr__(self, "id", _shorten_digest(self.key))

    @classmethod
    def from_start(cls, start_data: EpisodeStart, sides: Mapping[str, Sequence[str]] | None = None) -> Condition:
        """Return the condition of an episode from its start and, if known, the seats of each side."""
        return cls(
            start_data.game,
            start_data.variant,
            start_data.experiment,
            assign_sides(start_data.seats, sides or {}),
            start_data.settings,
            start_data.reprompt,
            start_data.game_version,
            f"{start_data.prompts} {start_data.prompts_version}",
            " ".join(sorted({str(person[STUDY_KEY]) for person in start_data.people.values() if STUDY_KEY in person})),
            start_data.rules_for_models,
        )

    def as_json(self) -> Json:
        """Return the fields as JSON; `Condition(**fields)` is the inverse."""
        field_names = ("game", "variant", "experiment", "seats", "settings", "reprompt", "game_version", "prompts")
        optional_names = [field_name for field_name in ("study", "rules_for_models") if getattr(self, field_name)]
        return {field_name: getattr(self, field_name) for field_name in (*field_names, *optional_names)}

    @property
    def people(self) -> bool:
        """Whether a person began in one of the seats."""
        return self.person_seats > 0

    @cached_property
    def person_seats(self) -> int:
        """The number of seats, or sides, in which a person began."""
        return sum(map(is_person, self.seats.values()))


@lru_cache(maxsize=1024)  # many episodes have one condition
def _shorten_digest(condition_key: str) -> str:
    return digest(condition_key)[:12]


def is_person(player: str) -> bool:
    """Return whether an address is that of a person."""
    return player.partition("?")[0].partition("/")[0] == "person"


def assign_sides(seats: Mapping[str, str], sides: Mapping[str, Sequence[str]]) -> Mapping[str, str]:
    """Return who plays which side if each side has one player: {"side:spy": P, "side:villagers": Q}.

    `sides` are the seats of each side, as `side_seats` in a game's scores. The seats of a side differ from episode to
    episode; who plays it does not. Returns `seats` if a side has several players.
    """
    players = {
        side_name: {seats[seat] for seat in seats_of_side}
        for side_name, seats_of_side in sides.items()
        if set(seats_of_side) <= set(seats)
    }
    if (
        len(set(seats.values())) < 2
        or not players
        or any(len(players_of_side) != 1 for players_of_side in players.values())
    ):
        return seats
    return {side_name: players_of_side.pop() for side_name, players_of_side in players.items()}
