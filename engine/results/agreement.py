"""Krippendorff's alpha: how far several people agree who judge or play the same things, of whom some may be missing.

The PyPI package `krippendorff` computes the same from a matrix of observers; scores and surveys come as lists per unit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Literal

MIN_DISAGREEMENT = 1e-9


def krippendorff_alpha(
    value_lists: Iterable[Sequence[Any]], metric: Literal["nominal", "interval"] = "interval"
) -> float | None:
    """Return 1 - observed / expected disagreement (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability").

    Each of `value_lists` holds the values that observers gave a unit, without missing ones; those with fewer than two
    values do not count. Values disagree by 1 if they differ (`nominal`: any hashable values), or by their squared
    difference (`interval`: numbers). 1 is perfect agreement, 0 what chance gives. None if all values are equal.
    """
    measure: Callable[[Sequence[Any]], float] = (
        _count_unequal_pairs if metric == "nominal" else _sum_squared_differences
    )
    pairable_lists = [list(values) for values in value_lists if len(values) > 1]
    value_count = sum(map(len, pairable_lists))
    if value_count < 2:
        return None
    expected_disagreement = measure([value for values in pairable_lists for value in values]) / (value_count - 1)
    if expected_disagreement < MIN_DISAGREEMENT:
        return None
    return 1 - math.fsum(measure(values) / (len(values) - 1) for values in pairable_lists) / expected_disagreement


def _sum_squared_differences(numbers: Sequence[float]) -> float:
    """Return the summed squared differences of all ordered pairs: 2n times the sum of squares about the mean."""
    mean_number = math.fsum(numbers) / len(numbers)
    return 2 * len(numbers) * math.fsum((value - mean_number) ** 2 for value in numbers)


def _count_unequal_pairs(observed_values: Sequence[Hashable]) -> float:
    """Return the number of ordered pairs of different values."""
    return float(len(observed_values) ** 2 - sum(value_count**2 for value_count in Counter(observed_values).values()))
