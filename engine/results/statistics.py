"""Means and shares with confidence intervals: Wilson for shares, bootstrap over instances for means of scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.core.events import Json

if TYPE_CHECKING:
    import numpy as np


Z95 = 1.959963984540054

RESAMPLES = 2000
"""Bootstrap resamples. The ends of a 95 % interval then vary by about one percent of its width."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or share, 0 to 100 unless stated, with its 95 % interval; all None without data."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    def as_json(self, name: str) -> Json:
        """Return {name, name_low, name_high}."""
        return {name: self.value, f"{name}_low": self.low, f"{name}_high": self.high}


def share_estimate(hits: int, n: int) -> Estimate:
    """Return the share of hits among n in % with its Wilson interval."""
    if not n:
        return Estimate()
    low, high = wilson(hits / n, n)
    return Estimate(100 * hits / n, 100 * low, 100 * high)


def score_estimate(by_instance: Mapping[str, Sequence[float]], *, seed: int = 0) -> Estimate:
    """Return the mean of scores 0 to 100, grouped by instance, with its bootstrap interval."""
    if not by_instance:
        return Estimate()
    low, high = bootstrap(by_instance.values(), seed=seed)
    value = mean([score for scores in by_instance.values() for score in scores])
    return Estimate(value, min(low, value), max(high, value))


def mean_estimate(estimates: Iterable[Estimate]) -> Estimate:
    """Return the mean of independent estimates, with its interval made from theirs (Zou and Donner 2008)."""
    complete = [
        (estimate.value, estimate.low, estimate.high)
        for estimate in estimates
        if estimate.value is not None and estimate.low is not None and estimate.high is not None
    ]
    if not complete:
        return Estimate()
    n = len(complete)
    average = math.fsum(value for value, _, _ in complete) / n
    below = math.hypot(*(value - low for value, low, _ in complete)) / n
    above = math.hypot(*(high - value for value, _, high in complete)) / n
    return Estimate(average, average - below, average + above)


def difference_estimate(first: Estimate, second: Estimate) -> Estimate:
    """Return first minus second, independent of each other, with its interval made from theirs (Newcombe 1998)."""
    if first.value is None or first.low is None or first.high is None:
        return Estimate()
    if second.value is None or second.low is None or second.high is None:
        return Estimate()
    difference = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    return Estimate(difference, difference - below, difference + above)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (0 to 1) among n, as shares. Raises ValueError for n = 0."""
    if n <= 0:
        raise ValueError("a share of nothing has no interval")
    middle = share + Z95**2 / (2 * n)
    spread = Z95 * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    low, high = (middle - spread) / (1 + Z95**2 / n), (middle + spread) / (1 + Z95**2 / n)
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def bootstrap(by_instance: Iterable[Sequence[float]], *, seed: int = 0) -> tuple[float, float]:
    """Return a 95 % percentile interval of the mean of scores 0 to 100, resampling instances with all their episodes.

    If every instance has the same mean, resampling sees no spread, and ten out of ten would seem certain. The interval
    is then the Wilson interval of the mean as a share among the instances: scores from 0 to 100 vary at most as much as
    a share does. The interval does not depend on the order of the scores. Raises ValueError without a score.
    """
    import numpy as np  # late: `ludens --help` needs no numbers

    pairs = sorted((math.fsum(scores), len(scores)) for scores in by_instance if scores)
    k = len(pairs)
    if len({total / count for total, count in pairs}) < 2:
        low, high = wilson(mean([total / count for total, count in pairs]) / 100, k)
        return 100 * low, 100 * high
    sums, counts = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    if k <= MAX_TABLE:
        sample = _resample_table(k, seed)
        means = sums[sample].sum(axis=1) / counts[sample].sum(axis=1)
    else:  # instances with equal sum and count are exchangeable: draw how often each kind is sampled
        kinds, sizes = np.unique(np.stack([sums, counts], axis=1), axis=0, return_counts=True)
        frequencies = np.random.default_rng(seed).multinomial(k, sizes / k, size=RESAMPLES)
        means = frequencies @ kinds[:, 0] / (frequencies @ kinds[:, 1])
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


MAX_TABLE = 100
"""Up to this number of instances, rows with equally many share one table of draws, which is most of the work."""


@cache
def _resample_table(k: int, seed: int) -> np.ndarray:
    import numpy as np

    return np.random.default_rng(seed).integers(0, k, size=(RESAMPLES, k))


def mean(values: Sequence[float]) -> float:
    """Return the mean. Raises ValueError without a value."""
    if not values:
        raise ValueError("nothing has no mean")
    return math.fsum(values) / len(values)
