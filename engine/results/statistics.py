"""Confidence intervals: Wilson intervals of shares, bootstrap intervals of means over instances."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


Z95 = 1.959963984540054

RESAMPLES = 2000
"""Bootstrap resamples: the ends of a 95 % interval then wander by about one point in a hundred of its width."""


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share (0..1) among n, as shares. Raises ValueError for n = 0."""
    if n <= 0:
        raise ValueError("a share of nothing has no interval")
    middle = share + Z95**2 / (2 * n)
    spread = Z95 * math.sqrt(share * (1 - share) / n + Z95**2 / (4 * n * n))
    low, high = (middle - spread) / (1 + Z95**2 / n), (middle + spread) / (1 + Z95**2 / n)
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def bootstrap(by_instance: Iterable[Sequence[float]], *, seed: int = 0) -> tuple[float, float]:
    """Return a 95 % percentile interval of the mean of scores 0..100, resampling instances with all their episodes.

    Where every instance has the same mean, resampling sees no spread (ten out of ten would be certain); the Wilson
    interval of the mean as a share among the instances stands in: no score from 0 to 100 spreads more than a share.
    The same scores in any order give the same interval. Raises ValueError without a score.
    """
    import numpy as np  # late: `ludens --help` needs no numbers

    pairs = sorted((math.fsum(scores), len(scores)) for scores in by_instance if scores)
    k = len(pairs)
    if len({total / count for total, count in pairs}) < 2:
        low, high = wilson(mean([total / count for total, count in pairs]) / 100, k)
        return 100 * low, 100 * high
    sums, counts = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    if k <= DRAWN_ONE_BY_ONE:
        drawn = _resample_table(k, seed)
        means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    else:  # instances with equal sum and number are exchangeable: draw how often each such kind comes
        kinds, times = np.unique(np.stack([sums, counts], axis=1), axis=0, return_counts=True)
        often = np.random.default_rng(seed).multinomial(k, times / k, size=RESAMPLES)
        means = often @ kinds[:, 0] / (often @ kinds[:, 1])
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


DRAWN_ONE_BY_ONE = 100
"""Up to so many instances a table of draws is made once for all rows with as many: it is most of the work."""


@cache
def _resample_table(k: int, seed: int) -> np.ndarray:
    import numpy as np

    return np.random.default_rng(seed).integers(0, k, size=(RESAMPLES, k))


def mean(values: Sequence[float]) -> float:
    if not values:
        raise ValueError("nothing has no mean")
    return math.fsum(values) / len(values)
