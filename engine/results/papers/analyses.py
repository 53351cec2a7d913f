"""Analyses that the papers describe in prose: causes of errors, and what the order of pictures does to expressions.

How a single text is worded (length, negation, overlap, novelty) is in `engine.core.language`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from engine.core.events import Ending, Outcome
from engine.core.language import word_overlap
from engine.results.papers.cells import read_score
from engine.storage.episode_result import EpisodeResult

ErrorKind = Literal["invalid response", "turn limit", "early stop", "wrong result"]
EXPRESSION_SCORE = "expression"
"""The score that holds the accepted expression of a reference game."""
TURN_LIMIT = "turn limit"
"""The reason of an episode that was aborted after too many turns."""
ORDER_SETTING = "target_at"
"""The setting that puts the target at another place of the speaker's list."""


def find_error_kind(outcome: Outcome | None, *, has_stopped: bool = False) -> ErrorKind | None:
    """Return why an episode failed; None if it did not, was left, or is open. `has_stopped`: its player said so.

    "invalid response": aborted for the form of a reply. "turn limit": aborted after too many turns, in Map World
    because the walker loops. "early stop": the player stopped before the goal was reached. "wrong result": any other
    loss. (Multimodal-games paper, D.2.4 and Figure 16: loops, early stops, invalid responses.)
    """
    if outcome and outcome.kind is Ending.ABORTED:
        return "turn limit" if outcome.reason == TURN_LIMIT else "invalid response"
    if outcome and outcome.kind is Ending.LOSE:
        return "early stop" if has_stopped else "wrong result"
    return None


@dataclass(frozen=True, slots=True)
class ExpressionPair:
    """Two expressions of the same player for the same target. `result` is the first of their episodes."""

    first_result: EpisodeResult
    has_changed: bool
    overlap: float
    """The Jaccard index of their content words, 0 to 1."""


def pair_by_order(
    results: Sequence[EpisodeResult], find_target_place: Callable[[EpisodeResult], str], *, has_same_place: bool = False
) -> list[ExpressionPair]:
    """Return the pairs of expressions for the same instance with the target at another place of the speaker's list.

    With `has_same_place`, those with the target at one place: how much an expression changes when nothing else does.
    A referring expression should not change with mere order (multimodal-games paper, B.4). `results` are those of the
    same players.
    """
    results_by_instance: dict[tuple[str, str, str], list[EpisodeResult]] = {}
    for result in results:  # a grid and its picture are the same instance
        results_by_instance.setdefault((result.variant, result.experiment, result.instance_hash), []).append(result)
    return [
        pair
        for instance_results in results_by_instance.values()
        for first_result, second_result in combinations(instance_results, 2)
        if (find_target_place(first_result) == find_target_place(second_result)) == has_same_place
        and (pair := _compare_expressions(first_result, second_result)) is not None
    ]


def pair_distractors(
    results: Sequence[EpisodeResult], find_target_place: Callable[[EpisodeResult], str]
) -> list[ExpressionPair]:
    """Return the pairs of expressions for the same target at the same place among other distractors (B.4).

    `results` are those of the same players in experiments with one target throughout.
    """
    results_by_target: dict[tuple[str, str], list[EpisodeResult]] = {}
    for result in results:
        results_by_target.setdefault((result.experiment, find_target_place(result)), []).append(result)
    return [
        pair
        for target_results in results_by_target.values()
        for first_result, second_result in combinations(target_results, 2)
        if first_result.instance_hash != second_result.instance_hash
        and (pair := _compare_expressions(first_result, second_result)) is not None
    ]


def _compare_expressions(first_result: EpisodeResult, second_result: EpisodeResult) -> ExpressionPair | None:
    expressions = [read_score(result, EXPRESSION_SCORE) for result in (first_result, second_result)]
    if not all(expressions):
        return None
    first_text, second_text = (" ".join(str(expression).casefold().split()) for expression in expressions)
    overlap = word_overlap(first_text, second_text)
    has_equal_texts = first_text == second_text
    return ExpressionPair(first_result, not has_equal_texts, 1.0 if has_equal_texts else overlap or 0.0)


def average_over_seats(scores_by_seat: Mapping[str, Mapping[str, float | None]], score_name: str) -> float | None:
    """Return the mean of a score over the seats that have it."""
    seat_scores = [
        seat_score for scores in scores_by_seat.values() if (seat_score := scores.get(score_name)) is not None
    ]
    return sum(seat_scores) / len(seat_scores) if seat_scores else None
