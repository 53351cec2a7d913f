"""One stored episode as results count it: a row of the `result` table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.condition import Condition
from engine.core.events import Json, to_json

if TYPE_CHECKING:
    from engine.storage.episode_row import EpisodeRow


@dataclass(slots=True)
class EpisodeResult:
    """One stored episode as results count it. `ending` is None while it is open or stalled."""

    condition: Condition
    instance: str
    """The hash of the instance, over which scores are resampled."""
    ending: str | None = None
    main: float | None = None
    sides: Mapping[str, float] | None = None
    stalled: bool = False
    mixed: bool = False
    practice: bool = False
    informed: bool = False
    seen_before: bool = False
    """Whether its start says that a person in it had seen the instance."""
    unscored: bool = False
    """Whether it is over and its game cannot score it."""
    numbers: str = "{}"
    """Its scores as far as they are single values, as JSON."""
    episode: str = ""
    created: int = 0
    """When it began, in UTC milliseconds."""

    @classmethod
    def of(cls, row: EpisodeRow, scores: Json | None, *, unscored: bool = False) -> EpisodeResult:
        """Return what results count of an index row and its scores (None where it has none)."""
        scores = scores or {}
        notes: list[Json] = list((row.start.get("people") or {}).values())
        single = {
            name: value for name, value in scores.items() if value is None or isinstance(value, str | int | float)
        }
        return cls(
            Condition.of(row.start, scores.get("side_seats")),
            row.instance_hash,
            row.outcome["kind"] if row.outcome else None,
            scores.get("main_score"),
            scores.get("side_scores"),
            row.status == "stalled",
            row.mixed,
            any(note.get("practice") for note in notes),
            any(note.get("informed") for note in notes),
            any(note.get("seen_before") for note in notes),
            unscored,
            to_json(single),
            row.id,
            row.created,
        )

    @property
    def own(self) -> Json:
        """Its scores as far as they are single values."""
        found: Json = json.loads(self.numbers)
        return found

    @property
    def game(self) -> str:
        """The game's name."""
        return self.condition.game

    @property
    def variant(self) -> str:
        """The variant's name."""
        return self.condition.variant

    @property
    def experiment(self) -> str:
        """The experiment's name."""
        return self.condition.experiment

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sits where, or plays which side."""
        return self.condition.seats

    @property
    def settings(self) -> Json:
        """The game's settings."""
        return self.condition.settings

    @property
    def reprompt(self) -> int:
        """Reminders allowed at an ask."""
        return self.condition.reprompt

    @property
    def people(self) -> bool:
        """Whether a person began in one of the seats."""
        return self.condition.people
