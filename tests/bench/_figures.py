"""How a bench prints: what was measured, the figure, its budget, and their ratio (1 or more keeps the budget)."""

from __future__ import annotations

import os
from collections.abc import Sequence


def figure(what: str, value: float, unit: str, *, least: float | None = None, most: float | None = None) -> None:
    """Print one measured figure with its budget: at `least` so much, or at `most`. No budget, no ratio."""
    shown = f"{what:58} {_number(value):>9} {unit:8}"
    if least is not None:
        shown += f" budget ≥ {_number(least):>7}   ratio {value / least:6.2f}"
    elif most is not None:
        shown += f" budget ≤ {_number(most):>7}   ratio {most / value:6.2f}"
    print(shown.rstrip(), flush=True)


def heading(title: str) -> None:
    """Print what follows, and how busy the machine is: figures of a busy machine say little."""
    busy = os.getloadavg()[0]
    print(f"{title} ({os.cpu_count()} cores, load {busy:.1f})", flush=True)


def median(values: Sequence[float]) -> float:
    """Return the middle value."""
    return sorted(values)[len(values) // 2]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
