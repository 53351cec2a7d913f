"""One cell of a table: a mean over counted episodes with its interval, the numbers it rests on, and what is averaged.

Without people, shares have Wilson intervals and means bootstrap intervals over instances; with people, all are means
over instances of means over people with two-way intervals (`engine.results.two_way`), as in `ludens results`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.events import Ending, Json
from engine.results.participation import count_participants, make_score_clusters
from engine.results.statistics import Estimate, average, bootstrap_interval, estimate_score, estimate_share
from engine.storage.episode_result import EpisodeResult

UNREACHABLE_SCORE = 1e6
"""More than any score without a highest value: moves, characters, rounds."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What a column averages: the number of one episode, None where it does not count.

    `scale` is how a number is printed: 0.01 for shares that the paper prints from 0 to 1. Numbers are 0 to 100, or
    without a highest value if `highest_value` is None.
    """

    name: str
    read_episode_value: Callable[[EpisodeResult], float | None]
    highest_value: float | None = 100.0
    is_share: bool = False
    scale: float = 1.0
    includes_stalled_episodes: bool = False
    """Whether stalled episodes count too."""


@dataclass(frozen=True, slots=True)
class PaperCell:
    """One number of a table. `people` is None without people."""

    estimate: Estimate
    n: int
    instances: int
    people: int | None = None

    def as_json(self) -> Json:
        """Return the cell as JSON."""
        cell_json = {"value": self.estimate.value, "low": self.estimate.low, "high": self.estimate.high, "n": self.n}
        return cell_json | ({} if self.people is None else {"people": self.people})


def make_cell(results: Sequence[EpisodeResult], measure: Measure) -> PaperCell:
    """Return the mean of a measure over counted episodes that the same players played."""
    return make_value_cell(
        [(result, value) for result in results if (value := measure.read_episode_value(result)) is not None], measure
    )


def make_value_cell(measured_values: Sequence[tuple[EpisodeResult, float]], measure: Measure) -> PaperCell:
    """Return the mean of numbers that were measured, such as several of one episode."""
    has_people = any(game.condition.people for game, _ in measured_values)
    estimate = (_estimate_mean_of_people if has_people else _estimate_mean_of_programs)(measured_values, measure)
    if measure.scale != 1.0:
        estimate = Estimate(*(None if bound is None else bound * measure.scale for bound in _list_bounds(estimate)))
    people = count_participants(game for game, _ in measured_values) if has_people else None
    return PaperCell(estimate, len(measured_values), len({game.instance_hash for game, _ in measured_values}), people)


def _list_bounds(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return estimate.value, estimate.low, estimate.high


def _estimate_mean_of_programs(measured_values: Sequence[tuple[EpisodeResult, float]], measure: Measure) -> Estimate:
    if measure.is_share:
        return estimate_share(sum(value > 0 for _, value in measured_values), len(measured_values))
    values_by_instance: dict[str, list[float]] = {}
    for result, value in measured_values:
        values_by_instance.setdefault(result.instance_hash, []).append(value)
    if measure.highest_value is not None or not values_by_instance:
        return estimate_score(values_by_instance)
    mean_value = average([value for _, value in measured_values])
    if len({average(values) for values in values_by_instance.values()}) < 2:
        return Estimate(mean_value)  # equal numbers without a highest value say nothing about their spread
    return Estimate(mean_value, *bootstrap_interval(values_by_instance.values()))


def _estimate_mean_of_people(measured_values: Sequence[tuple[EpisodeResult, float]], measure: Measure) -> Estimate:
    clusters = make_score_clusters(measured_values)
    if measure.highest_value is not None:
        return clusters.mean().estimate
    if len({value for _, value in measured_values}) < 2:
        return Estimate(clusters.mean(0.0, UNREACHABLE_SCORE).estimate.value)
    return clusters.mean(0.0, UNREACHABLE_SCORE).estimate


def pool_cells(cells: Iterable[PaperCell], estimate: Estimate) -> PaperCell:
    """Return a cell with an estimate made of several cells."""
    cells = list(cells)
    people = [cell.people for cell in cells if cell.people is not None]
    return PaperCell(
        estimate, sum(cell.n for cell in cells), sum(cell.instances for cell in cells), max(people, default=None)
    )


# ---------------------------------------------------------------------- measures
def read_score(result: EpisodeResult, score_name: str) -> Any:
    """Return a game's own score that is a single value, None if it has none."""
    return result.scores.get(score_name)


def _is_aborted(result: EpisodeResult) -> bool:
    return result.ending == Ending.ABORTED


def _read_score_or_zero(result: EpisodeResult) -> float | None:
    return 0.0 if result.main_score is None and _is_aborted(result) else result.main_score


PLAYED_SHARE_MEASURE = Measure("played", lambda result: 100.0 * (not _is_aborted(result)), is_share=True)
QUALITY_MEASURE = Measure("quality", lambda result: result.main_score)
SCORE_ALL_MEASURE = Measure("score_all", _read_score_or_zero)
CLEMSCORE_MEASURE = Measure("clemscore", lambda _: None)
"""Computed over games from PLAYED_SHARE_MEASURE and QUALITY_MEASURE."""


def make_score_measure(
    score_name: str, *, highest_value: float | None = 100.0, aborted_as_zero: bool = False
) -> Measure:
    """Return the measure of a game's own score, a single number."""

    def measure_episode(result: EpisodeResult) -> float | None:
        if aborted_as_zero and _is_aborted(result):
            return 0.0
        score_value = read_score(result, score_name)
        return None if score_value is None else float(score_value)

    return Measure(score_name, measure_episode, highest_value)


def make_share_measure(score_name: str, expected_value: object) -> Measure:
    """Return the share of episodes, stalled ones included, in which a game's own score has a value."""
    return Measure(
        str(expected_value),
        lambda result: 100.0 * (not result.is_stalled and read_score(result, score_name) == expected_value),
        is_share=True,
        includes_stalled_episodes=True,
    )


def make_stalled_measure(measure_name: str) -> Measure:
    """Return the share of episodes that a fault stalled, under the name that a paper gives them."""
    return Measure(
        measure_name, lambda result: 100.0 * result.is_stalled, is_share=True, includes_stalled_episodes=True
    )


def format_decimals(number: float | None, decimals: int) -> str:
    """Return a number as papers print it, "–" for none."""
    return "–" if number is None or math.isnan(number) else f"{number:.{decimals}f}"
