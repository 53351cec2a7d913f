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
    """Whether a person in it had seen the instance before."""
    unscored: bool = False
    """Whether it is over but its game cannot score it."""
    numbers: str = "{}"
    """Its scores that are single values, as JSON."""
    episode: str = ""
    created: int = 0
    """When it began, in UTC milliseconds."""

    @classmethod
    def of(cls, row: EpisodeRow, scores: Json | None, *, unscored: bool = False) -> EpisodeResult:
        """Return the result of an episode from its index row and its scores, if it has any."""
        scores = scores or {}
        people_marks: list[Json] = list((row.start.get("people") or {}).values())
        single_scores = {
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
            any(marks.get("practice") for marks in people_marks),
            any(marks.get("informed") for marks in people_marks),
            any(marks.get("seen_before") for marks in people_marks),
            unscored,
            to_json(single_scores),
            row.id,
            row.created,
        )

    @property
    def single_scores(self) -> Json:
        """Its scores that are single values."""
        scores: Json = json.loads(self.numbers)
        return scores

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
