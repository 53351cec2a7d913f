"""Krippendorff's alpha: how far several people agree who judge or play the same things, of whom some may be missing.

The PyPI package `krippendorff` computes the same from a matrix of observers; scores and surveys come as lists per unit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal

NO_DISAGREEMENT = 1e-9


def krippendorff_alpha(
    units: Iterable[Sequence[Any]], metric: Literal["nominal", "interval"] = "interval"
) -> float | None:
    """Return 1 - observed / expected disagreement (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability").

    Each of `units` holds the values that its observers gave it, missing ones left out; units with fewer than two values
    do not count. Values disagree by 1 if they differ (`nominal`: any hashable values), or by their squared difference
    (`interval`: numbers). 1 is perfect agreement, 0 what chance gives. None if no value differs from another.
    """
    disagreement: Callable[[Sequence[Any]], float] = _unequal_pairs if metric == "nominal" else _squared_pairs
    pairable = [list(values) for values in units if len(values) > 1]
    n = sum(map(len, pairable))
    if n < 2:
        return None
    expected = disagreement([value for values in pairable for value in values]) / (n - 1)
    if expected < NO_DISAGREEMENT:
        return None
    return 1 - math.fsum(disagreement(values) / (len(values) - 1) for values in pairable) / expected


def _squared_pairs(values: Sequence[float]) -> float:
    """Return the summed squared differences of all ordered pairs: 2n times the sum of squares about the mean."""
    average = math.fsum(values) / len(values)
    return 2 * len(values) * math.fsum((value - average) ** 2 for value in values)


def _unequal_pairs(values: Sequence[Hashable]) -> float:
    """Return the number of ordered pairs of different values."""
    return float(len(values) ** 2 - sum(count**2 for count in Counter(values).values()))
