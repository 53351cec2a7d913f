"""The scores every game has, computed from the events of one episode.

An episode has a `main_score` when it was played to its end. Nothing here reads a file, a clock or a rulebook;
a game's own numbers come from `Game.score`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pydantic import TypeAdapter

from engine.core.events import Ending, Event, Json, Kind
from engine.core.log import Log

if TYPE_CHECKING:
    from engine.core.game import Game


SCORES_VERSION = 1
"""Raised when a common score changes its meaning; stored scores of another version are computed again."""

EPISODE_ENDINGS = frozenset({Ending.SUCCESS, Ending.LOSE, Ending.DECIDED, Ending.ABORTED})


@dataclass(frozen=True)
class GameScores:
    """A game's own scores of one episode. A game derives a dataclass: its fields are stored in order, by their names.

    `main_score` is 0 to 100, None when the episode was not played to its end and in adversarial games.
    """

    main_score: float | None

    def as_json(self) -> Json:
        """Return the scores as they are stored."""
        return {score_name: _dataclasses_as_json(score_value) for score_name, score_value in vars(self).items()}

    @classmethod
    def from_json(cls, scores: Json) -> Self:
        """Return the game's own part of an episode's scores."""
        return TypeAdapter(cls).validate_python(scores)


def _dataclasses_as_json(score_value: Any) -> Any:
    """Return dataclasses, also in lists and dictionaries, as dictionaries; `asdict` takes ten times as long."""
    if isinstance(score_value, list):
        return [_dataclasses_as_json(inner_value) for inner_value in score_value]
    if isinstance(score_value, dict):
        return {score_key: _dataclasses_as_json(inner_value) for score_key, inner_value in score_value.items()}
    return dict(vars(score_value)) if hasattr(score_value, "__dataclass_fields__") else score_value


def mean(sample_numbers: Sequence[float]) -> float | None:
    """Return the arithmetic mean, None of no values."""
    return sum(sample_numbers) / len(sample_numbers) if sample_numbers else None


def compute_common_scores(log: Sequence[Event], *, is_adversarial: bool = False) -> Json:
    """Return the scores every game has, from events alone.

    `played`, `success`, `lose` are 1 or 0, and None without an outcome or when abandoned; `success` and `lose` are None
    in adversarial games, which have `side_scores` {side: 100 or 0} instead. `requests` are the replies received,
    also those after a reminder, without late (discarded) ones; each was either parsed or a violation, or was still held
    when a game with hidden partners was abandoned.
    """
    event_counts = Counter([event.kind for event in log])
    late_count = ["discarded" in event.data for event in log if event.kind is Kind.REPLY].count(True)
    outcome = Log.from_events(log).outcome
    outcome_kind = outcome.kind if outcome else None
    is_counted = outcome_kind in EPISODE_ENDINGS
    is_adversarial = is_adversarial or outcome_kind is Ending.DECIDED
    requests, parsed_count = event_counts[Kind.REPLY] - late_count, event_counts[Kind.PARSED]
    scores: Json = {
        "played": int(outcome_kind is not Ending.ABORTED) if is_counted else None,
        "success": int(outcome_kind is Ending.SUCCESS) if is_counted and not is_adversarial else None,
        "lose": int(outcome_kind is Ending.LOSE) if is_counted and not is_adversarial else None,
        "requests": requests,
        "parsed_requests": parsed_count,
        "violated_requests": event_counts[Kind.VIOLATION],
        "request_success_ratio": parsed_count / requests if requests else None,
        "main_score": None,
    }
    if is_adversarial:
        sides = [side for side, _ in outcome.sides] if outcome else []
        scores["side_scores"] = {side: 100 if outcome and side == outcome.winner else 0 for side in sides} or None
    return scores


def score_episode(log: Log, game: Game) -> Json:
    """Return the common scores of an episode, with the game's own if it has an outcome.

    Raises ValueError for a `main_score` outside 0..100, or for one in an aborted or adversarial episode.
    """
    scores = compute_common_scores(log, is_adversarial=game.adversarial)
    if log.outcome is None:
        return scores
    has_main_score = log.outcome.kind in (Ending.SUCCESS, Ending.LOSE) and not game.adversarial
    game_scores = game.score(log)
    main_value = game_scores.get("main_score")
    if main_value is not None and not (
        isinstance(main_value, int | float) and math.isfinite(main_value) and 0 <= main_value <= 100
    ):
        raise ValueError(f"a main_score is from 0 to 100, not {main_value!r}")
    if main_value is not None and not has_main_score:
        raise ValueError(f"an aborted or adversarial episode has no main_score, this one {main_value!r}")
    if main_value is None and has_main_score:
        raise ValueError("a played episode has a main_score, this one none")
    return {**scores, **game_scores}


def make_scores_version(game_version: str) -> str:
    """Return the version to store scores under, given the version of the game's scores ("FAMILY-1")."""
    return f"{SCORES_VERSION}/{game_version}"


Summary = Callable[[Sequence[Json | None]], Json | None]
"""Turns the scores of many episodes (None for one stalled by a fault) into numbers by name."""
