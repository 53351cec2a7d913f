"""One stored episode as results count it: a row of the `result` table."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.condition import Condition
from engine.core.events import Json, Kind, to_json
from engine.core.log import Log
from engine.core.start import EpisodeStart
from engine.core.usage import PlayerUsage, UsageByPlayer, usage_by_player
from engine.storage.episode_row import EpisodeRow, Status

USAGE_SCORE = "usage"
"""Key among the stored scores of an episode with models; no score of a game has this name."""
USAGE_MARK = f'"{USAGE_SCORE}":'
MARK_EVENT_KINDS = frozenset((Kind.SEEN_BEFORE, Kind.BOTH_SEATS))
"""The kinds of events that add a mark to those of the start."""


@dataclass(slots=True)
class EpisodeResult:
    """One stored episode as results count it. `ending` is None while it is open or stalled."""

    condition: Condition
    instance_hash: str
    """Scores are resampled over instances."""
    ending: str | None = None
    main_score: float | None = None
    side_scores: Mapping[str, float] | None = None
    is_stalled: bool = False
    mixed: bool = False
    practice: bool = False
    informed: bool = False
    seen_before: bool = False
    """Whether a person in it had seen the instance before."""
    both_seats: bool = False
    """Whether one browser held two seats and saw both sides."""
    is_unscored: bool = False
    """Whether it is over and its game cannot score it."""
    scores_json: str = "{}"
    """Its scores that are single values, and the usage of its models, as JSON."""
    episode: str = ""
    created: int = 0
    """When it began, in UTC milliseconds."""
    participants: tuple[str, ...] = ()
    """The different people in it by their keys, as far as they are known (`engine.storage.participants`)."""
    participant_by_seat: Mapping[str, str] = field(default_factory=dict)
    """The key of the person at each seat, as far as they are known."""
    older_usage: UsageByPlayer | None = None
    """The usage of its models, read from its events where none was stored."""

    @classmethod
    def from_row(
        cls,
        episode_row: EpisodeRow,
        scores: Json | None,
        *,
        event_flags: Collection[str] = (),
        is_unscored: bool = False,
        usages: UsageByPlayer | None = None,
    ) -> EpisodeResult:
        """Return what results count of an index row and its scores (None if it has none).

        `event_flags` are flags that events add to those of its start (`Store.read_event_flags`), `usage` is what
        its models were sent and took.
        """
        start = EpisodeStart.model_construct(**episode_row.start)  # checked when it was written; any log can be counted
        return cls._make_result(
            start,
            scores or {},
            event_flags,
            usages,
            ending=episode_row.outcome["kind"] if episode_row.outcome else None,
            is_stalled=episode_row.status is Status.STALLED,
            mixed=episode_row.mixed,
            is_unscored=is_unscored,
            episode=episode_row.id,
            created=episode_row.created,
        )

    @classmethod
    def from_log(
        cls, episode: str, created_at: int, has_changed_players: bool, log: Log, scores: Json
    ) -> EpisodeResult:
        """Return what results count of a finished episode whose log is in memory, as `from_row` of an index row."""
        outcome_kind = str(log.outcome.kind) if log.outcome else None
        event_flags = {str(event.kind) for event in log if event.kind in MARK_EVENT_KINDS}
        player_usage = usage_by_player(log.start.seats, log)
        return cls._make_result(
            log.start,
            scores,
            event_flags,
            player_usage,
            ending=outcome_kind,
            mixed=bool(has_changed_players),
            episode=episode,
            created=created_at,
        )

    @classmethod
    def _make_result(
        cls,
        start: EpisodeStart,
        scores: Json,
        event_flags: Collection[str],
        usage: UsageByPlayer | None,
        **other_fields: Any,
    ) -> EpisodeResult:
        set_flags = {
            flag_name for person_flags in start.people.values() for flag_name, is_set in person_flags.items() if is_set
        }
        set_flags.update(event_flags)
        scalar_scores: Json = {
            score_name: score
            for score_name, score in scores.items()
            if score is None or isinstance(score, str | int | float)
        }
        if usage:
            scalar_scores[USAGE_SCORE] = {player: usage.as_json() for player, usage in usage.items()}
        return cls(
            Condition.from_start(start, scores.get("side_seats")),
            start.instance_hash,
            main_score=scores.get("main_score"),
            side_scores=scores.get("side_scores"),
            practice="practice" in set_flags,
            informed="informed" in set_flags,
            seen_before="seen_before" in set_flags,
            both_seats="both_seats" in set_flags,
            scores_json=to_json(scalar_scores),
            **other_fields,
        )

    @property
    def scores(self) -> Json:
        """Its scores that are single values."""
        scores: Json = json.loads(self.scores_json)
        scores.pop(USAGE_SCORE, None)
        return scores

    @property
    def has_stored_usage(self) -> bool:
        """Whether `usage` was stored with its scores: logs of earlier versions have none."""
        return USAGE_MARK in self.scores_json

    @property
    def usage(self) -> UsageByPlayer:
        """What its models were sent and took, by address; nothing for episodes without models."""
        if self.older_usage is not None:
            return self.older_usage
        if not self.has_stored_usage:  # most episodes of most logs: their JSON need not be read
            return {}
        usages = json.loads(self.scores_json).get(USAGE_SCORE, {})
        return {player: PlayerUsage.from_json(usage_json) for player, usage_json in usages.items()}

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
    def study(self) -> str:
        """The study that the people in it took part in, empty without one."""
        return self.condition.study


RESULT_MARKS = ("mixed", "practice", "informed", "seen_before", "both_seats")
"""What `result.marks` says of an episode, a bit each, the first the lowest."""
