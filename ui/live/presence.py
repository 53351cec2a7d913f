"""Who is at their seat: noticed from open pages, recorded as events, then shown to the others at the table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from engine.core.events import Event, Kind

HIDDEN_GRACE_SECONDS = 15.0
"""Seconds after which somebody counts as away whose page is open, but hidden: reading elsewhere is not leaving."""
CLOSED_GRACE_SECONDS = 4.0
"""The same where no page is open any more: a reload, or a connection that is lost for a moment, is not leaving."""
RECORDING_RETRY_SECONDS = 5.0
"""Seconds until it is tried again to record who is there."""


class Presence:
    """The presence of the people at one table.

    `has_viewer` says whether somebody looks at a page of a seat now, `has_page` whether one is open. `record_presence`
    stores that they came or left, `start_task` runs it in the background.
    """

    def __init__(
        self,
        has_viewer: Callable[[str], bool],
        has_page: Callable[[str], bool],
        record_presence: Callable[[Kind, str], Awaitable[None]],
        start_task: Callable[[Awaitable[object]], object],
    ) -> None:
        self._has_viewer, self._has_page, self._record_presence, self._start_task = (
            has_viewer,
            has_page,
            record_presence,
            start_task,
        )
        self._is_present_by_seat: dict[str, bool] = {}
        self._leave_timers: dict[str, asyncio.TimerHandle] = {}
        self._recording_seats: set[str] = set()
        """The seats whose arrival or leaving is being recorded."""
        self._is_closed = False

    def apply_event(self, event: Event) -> None:
        """Take in an event of presence, or a change of hands: nobody has opened the new player's page."""
        if event.seat is None:
            return
        if event.kind is Kind.SEAT:
            self._is_present_by_seat.pop(event.seat, None)
        elif event.kind in (Kind.PRESENT, Kind.AWAY):
            self._is_present_by_seat[event.seat] = event.kind is Kind.PRESENT

    def is_present(self, seat: str) -> bool:
        """Return whether somebody is at a seat, or left it a moment ago."""
        return self._is_present_by_seat.get(seat, False)

    def update_seat(self, seat: str) -> None:
        """Check again whether somebody is at a seat."""
        if self._is_closed or seat in self._recording_seats:
            return
        if self._has_viewer(seat):
            if leave_timer := self._leave_timers.pop(seat, None):
                leave_timer.cancel()
            if not self.is_present(seat):
                self._start_recording(Kind.PRESENT, seat)
        elif self.is_present(seat):
            self._schedule_leaving(seat, HIDDEN_GRACE_SECONDS if self._has_page(seat) else CLOSED_GRACE_SECONDS)

    def close(self) -> None:
        """Stop waiting for anybody to leave."""
        self._is_closed = True
        for leave_timer in self._leave_timers.values():
            leave_timer.cancel()

    def _schedule_leaving(self, seat: str, grace_seconds: float) -> None:
        """Let a seat be left by its person after some time, unless it is sooner anyway."""
        event_loop = asyncio.get_running_loop()
        leave_timer = self._leave_timers.get(seat)
        if leave_timer and leave_timer.when() <= event_loop.time() + grace_seconds:
            return
        if leave_timer:
            leave_timer.cancel()
        self._leave_timers[seat] = event_loop.call_later(grace_seconds, self._record_leaving, seat)

    def _record_leaving(self, seat: str) -> None:
        del self._leave_timers[seat]
        if self.is_present(seat) and seat not in self._recording_seats and not self._has_viewer(seat):
            self._start_recording(Kind.AWAY, seat)

    def _start_recording(self, event_kind: Kind, seat: str) -> None:
        self._recording_seats.add(seat)
        self._start_task(self._record_change(event_kind, seat))

    async def _record_change(self, event_kind: Kind, seat: str) -> None:
        try:
            await self._record_presence(event_kind, seat)
            self._is_present_by_seat[seat] = event_kind is Kind.PRESENT
        except Exception:
            asyncio.get_running_loop().call_later(RECORDING_RETRY_SECONDS, self.update_seat, seat)
            raise
        finally:
            self._recording_seats.discard(seat)
        self.update_seat(seat)  # they may have come or left meanwhile
