"""Means and shares with confidence intervals: Wilson for shares, bootstrap over instances for means of scores.

Where people are involved, `engine.results.two_way` is used instead: games of one person depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.core.events import Json

if TYPE_CHECKING:
    import numpy as np


NORMAL_QUANTILE_975 = 1.959963984540054

RESAMPLE_COUNT = 2000
"""Bootstrap resamples. The ends of a 95 % interval then vary by about one percent of its width."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or share, 0 to 100 unless stated, with its 95 % interval.

    All None without data; the interval alone is None for too few people or instances (`two_way.MIN_CLUSTERS`).
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None

    def as_json(self, estimate_name: str) -> Json:
        """Return {name, name_low, name_high}."""
        return {estimate_name: self.value, f"{estimate_name}_low": self.low, f"{estimate_name}_high": self.high}


def estimate_share(hit_count: int, n: int) -> Estimate:
    """Return the share of hits among n in % with its Wilson interval."""
    if not n:
        return Estimate()
    lower_bound, upper_bound = compute_wilson_interval(hit_count / n, n)
    return Estimate(100 * hit_count / n, 100 * lower_bound, 100 * upper_bound)


def estimate_score(scores_by_instance: Mapping[str, Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the mean of scores 0 to 100, grouped by instance, with its bootstrap interval."""
    if not scores_by_instance:
        return Estimate()
    lower_bound, upper_bound = bootstrap_interval(scores_by_instance.values(), seed=seed)
    mean_score = average([score for scores in scores_by_instance.values() for score in scores])
    return Estimate(mean_score, min(lower_bound, mean_score), max(upper_bound, mean_score))


def average_estimates(estimates: Iterable[Estimate]) -> Estimate:
    """Return the mean of independent estimates, with its interval made from theirs (Zou and Donner 2008).

    Estimates without a value do not count. If one with a value has no interval, the mean has none.
    """
    estimates_with_value = [estimate for estimate in estimates if estimate.value is not None]
    if not estimates_with_value:
        return Estimate()
    n = len(estimates_with_value)
    mean_value = math.fsum(estimate.value or 0.0 for estimate in estimates_with_value) / n
    margins = [margin for margin in map(_measure_error_margins, estimates_with_value) if margin]
    if len(margins) < n:
        return Estimate(mean_value)
    margin_below = math.hypot(*(lower_margin for lower_margin, _ in margins)) / n
    margin_above = math.hypot(*(upper_margin for _, upper_margin in margins)) / n
    return Estimate(mean_value, mean_value - margin_below, mean_value + margin_above)


def estimate_difference(first_estimate: Estimate, second_estimate: Estimate) -> Estimate:
    """Return first minus second, independent of each other, with its interval made from theirs (Newcombe 1998).

    None without both values; without both intervals, the difference has none.
    """
    if first_estimate.value is None or second_estimate.value is None:
        return Estimate()
    difference = first_estimate.value - second_estimate.value
    first_margins, second_margins = _measure_error_margins(first_estimate), _measure_error_margins(second_estimate)
    if first_margins is None or second_margins is None:
        return Estimate(difference)
    margin_below = math.hypot(first_margins[0], second_margins[1])
    margin_above = math.hypot(first_margins[1], second_margins[0])
    return Estimate(difference, difference - margin_below, difference + margin_above)


def _measure_error_margins(estimate: Estimate) -> tuple[float, float] | None:
    """Return how far an interval reaches below and above its value, None without an interval."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    return estimate.value - estimate.low, estimate.high - estimate.value


def compute_wilson_interval(observed_fraction: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (0 to 1) among n, as shares. Raises ValueError for n = 0."""
    if n <= 0:
        raise ValueError("a share of nothing has no interval")
    midpoint = observed_fraction + NORMAL_QUANTILE_975**2 / (2 * n)
    half_width = NORMAL_QUANTILE_975 * math.sqrt(
        observed_fraction * (1 - observed_fraction) / n + NORMAL_QUANTILE_975**2 / (4 * n * n)
    )
    lower_bound, upper_bound = (
        (midpoint - half_width) / (1 + NORMAL_QUANTILE_975**2 / n),
        (midpoint + half_width) / (1 + NORMAL_QUANTILE_975**2 / n),
    )
    return max(0.0, min(lower_bound, observed_fraction)), min(1.0, max(upper_bound, observed_fraction))


def bootstrap_interval(
    score_lists: Iterable[Sequence[float]],
    *,
    resample_count: int = RESAMPLE_COUNT,
    is_pooled: bool = True,
    seed: int = 0,
) -> tuple[float, float]:
    """Return a 95 % percentile interval of the mean of scores 0 to 100, resampling instances with all their episodes.

    With `pooled`, many instances are drawn by how often each kind of them occurs, which is faster and as exact.

    If every instance has the same mean, resampling sees no spread, and ten out of ten would seem certain. The interval
    is then the Wilson interval of the mean as a share among the instances: scores from 0 to 100 vary at most as much as
    a share does. The interval does not depend on the order of the scores. Raises ValueError without a score.
    """
    import numpy as np  # late: `ludens --help` needs no numbers

    instance_sums = sorted((math.fsum(scores), len(scores)) for scores in score_lists if scores)
    group_count = len(instance_sums)
    if len({score_sum / episode_count for score_sum, episode_count in instance_sums}) < 2:
        lower_bound, upper_bound = compute_wilson_interval(
            average([s / n for s, n in instance_sums]) / 100, group_count
        )
        return 100 * lower_bound, 100 * upper_bound
    score_sums, counts = (np.array([pair[0] for pair in instance_sums]), np.array([pair[1] for pair in instance_sums]))
    if is_pooled and group_count > MAX_TABLE_INSTANCES:  # instances with equal sum and count are exchangeable
        instance_kinds, kind_sizes = np.unique(np.stack([score_sums, counts], axis=1), axis=0, return_counts=True)
        frequencies = np.random.default_rng(seed).multinomial(
            group_count, kind_sizes / group_count, size=resample_count
        )
        resample_means = frequencies @ instance_kinds[:, 0] / (frequencies @ instance_kinds[:, 1])
    elif group_count <= MAX_TABLE_INSTANCES:
        frequencies = _resample_table(group_count, resample_count, seed)
        resample_means = frequencies @ score_sums / (frequencies @ counts)
    else:
        batches = _resample_batches(group_count, resample_count, seed)
        resample_means = np.concatenate(
            [score_sums[batch].sum(axis=1) / counts[batch].sum(axis=1) for batch in batches]
        )
    resample_means.sort()
    return _find_percentile(resample_means, 2.5), _find_percentile(resample_means, 97.5)


def _find_percentile(sorted_values: np.ndarray, percent: float) -> float:
    """Return what `np.percentile` does, to the last digit, in a tenth of the time: rows have thousands of intervals."""
    position = percent / 100 * (len(sorted_values) - 1)
    lower_index = int(position)
    lower_value, upper_value = sorted_values[lower_index : lower_index + 2].tolist()
    upper_weight, gap = position - lower_index, upper_value - lower_value
    return float(upper_value - gap * (1 - upper_weight) if upper_weight >= 0.5 else lower_value + gap * upper_weight)


MAX_TABLE_INSTANCES = 100
"""Up to this number of instances, rows with equally many share one table of draws, which is most of the work."""


RESAMPLES_PER_BATCH = 500
"""More instances than that are resampled so many times at once, to spare memory."""


def _resample_batches(instance_count: int, resample_count: int, seed: int) -> Iterable[np.ndarray]:
    """Return the numbers of the instances in each resample: arrays of resamples by instances."""
    import numpy as np

    random_generator = np.random.default_rng(seed)
    batch_sizes = (
        min(RESAMPLES_PER_BATCH, resample_count - start) for start in range(0, resample_count, RESAMPLES_PER_BATCH)
    )
    return (random_generator.integers(0, instance_count, size=(size, instance_count)) for size in batch_sizes)


@cache
def _resample_table(group_count: int, resample_count: int, seed: int) -> np.ndarray:
    """Return how often each resample has each instance: an array of resamples by instances."""
    import numpy as np

    sampled_numbers = np.random.default_rng(seed).integers(0, group_count, size=(resample_count, group_count))
    offsets = np.arange(resample_count)[:, None] * group_count
    return (
        np.bincount((offsets + sampled_numbers).ravel(), minlength=resample_count * group_count)
        .reshape(sampled_numbers.shape)
        .astype(float)
    )


def average(numbers: Sequence[float]) -> float:
    """Return the mean. Raises ValueError without a value."""
    if not numbers:
        raise ValueError("nothing has no mean")
    return math.fsum(numbers) / len(numbers)
