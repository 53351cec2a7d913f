"""Why an episode is excluded from averages."""

from __future__ import annotations

from engine.core.events import Ending
from engine.storage.episode_result import EpisodeResult

EXCLUSION_REASONS = ("faults", "open", "unscored", "abandoned", "mixed", "both_seats", "practice", "informed")
"""Why an episode is excluded from every average."""


def exclusion_reason(result: EpisodeResult, include_informed_players: bool = False) -> str | None:
    """Return the first reason why an episode is excluded from averages, None if it counts.

    With `include_informed_players`, episodes of people who chose their experiment or instance count as well.
    """
    if result.practice:
        return "practice"
    if result.is_stalled:
        return "faults"
    if result.ending is None:
        return "open"
    if result.is_unscored:
        return "unscored"
    if result.ending == Ending.ABANDONED:
        return "abandoned"
    if result.mixed:
        return "mixed"
    if result.both_seats:
        return "both_seats"
    return "informed" if result.informed and not include_informed_players else None
