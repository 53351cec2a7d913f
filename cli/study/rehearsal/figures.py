"""What is measured in a rehearsal: durations of pages and moves, and everything that went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Figures:
    """Durations in seconds by "page" and "move", and errors with how often they occurred.

    A request that was sent again because the server was killed counts once, with its last attempt; those sent while it
    was down are not measured.
    """

    seconds_by_measure: dict[str, list[float]] = field(default_factory=lambda: {"page": [], "move": []})
    error_counts: Counter[str] = field(default_factory=Counter)

    def get_quantile_ms(self, measure_name: str, quantile: float) -> float | None:
        """Return a quantile of durations in milliseconds, None without any."""
        durations = sorted(self.seconds_by_measure[measure_name])
        return (
            round(1000 * durations[min(len(durations) - 1, int(quantile * len(durations)))], 1) if durations else None
        )
