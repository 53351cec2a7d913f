"""Who is at their seat: noticed from open pages, recorded as events, shown to the others at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from engine.core.events import Event, Kind

GRACE = 15.0
"""Seconds after which somebody without an open page counts as away: a reload or a lost connection is not leaving."""


class Presence:
    """The presence of the people at one table.

    `has_viewer` says whether somebody looks at a page of a seat now; `record` is called when they came or left.
    """

    def __init__(self, has_viewer: Callable[[str], bool], record: Callable[[Kind, str], None]) -> None:
        self._has_viewer, self._record = has_viewer, record
        self._present: dict[str, bool] = {}
        self._leaving: dict[str, asyncio.TimerHandle] = {}

    def apply(self, event: Event) -> None:
        """Take in an event of presence."""
        if event.seat is not None:
            self._present[event.seat] = event.kind is Kind.PRESENT

    def is_present(self, seat: str) -> bool:
        """Return whether somebody is at a seat, or left it a moment ago."""
        return self._present.get(seat, False)

    def update(self, seat: str) -> None:
        """Check again whether somebody is at a seat."""
        if self._has_viewer(seat):
            if timer := self._leaving.pop(seat, None):
                timer.cancel()
            if not self.is_present(seat):
                self._note(Kind.PRESENT, seat)
        elif self.is_present(seat) and seat not in self._leaving:
            self._leaving[seat] = asyncio.get_running_loop().call_later(GRACE, self._leave, seat)

    def forget(self, seat: str) -> None:
        """Forget who is at a seat: it changes hands."""
        self._present.pop(seat, None)

    def close(self) -> None:
        """Stop waiting for anybody to leave."""
        for timer in self._leaving.values():
            timer.cancel()

    def _leave(self, seat: str) -> None:
        del self._leaving[seat]
        if self.is_present(seat) and not self._has_viewer(seat):
            self._note(Kind.AWAY, seat)

    def _note(self, kind: Kind, seat: str) -> None:
        self._present[seat] = kind is Kind.PRESENT
        self._record(kind, seat)
