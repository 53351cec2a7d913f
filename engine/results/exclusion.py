"""Why an episode is excluded from averages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.events import Ending
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    pass


EXCLUSION_REASONS = ("faults", "open", "unscored", "abandoned", "mixed", "practice", "informed")
"""Why an episode is in no average."""


def exclusion_reason(result: EpisodeResult, informed: bool = False) -> str | None:
    """Return why an episode is in no average, the reason that comes first; None where it counts."""
    if result.practice:
        return "practice"
    if result.stalled:
        return "faults"
    if result.ending is None:
        return "open"
    if result.unscored:
        return "unscored"
    if result.ending == Ending.ABANDONED:
        return "abandoned"
    if result.mixed:
        return "mixed"
    return "informed" if result.informed and not informed else None
