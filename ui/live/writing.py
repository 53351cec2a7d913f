"""Who is writing at a table now, as drafts show it: for the page of the other seat of a pair. Nothing is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

TYPING_TIMEOUT_SECONDS = 4.0
"""How long somebody counts as writing after a change of their draft."""


class Writers:
    """The seats of one table at which somebody is writing. `notify_pages` is called when somebody begins or stops."""

    def __init__(self, notify_pages: Callable[[], None]) -> None:
        self._notify = notify_pages
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def __contains__(self, seat: str) -> bool:
        return seat in self._timers

    def record_typing(self, seat: str) -> None:
        """Note that a draft has changed."""
        typing_timer = self._timers.pop(seat, None)
        self._timers[seat] = asyncio.get_running_loop().call_later(TYPING_TIMEOUT_SECONDS, self.stop_typing, seat)
        if typing_timer:
            typing_timer.cancel()
        else:
            self._notify()

    def stop_typing(self, seat: str) -> None:
        """Note that nothing is being written at a seat."""
        if typing_timer := self._timers.pop(seat, None):
            typing_timer.cancel()
            self._notify()

    def stop_timers(self) -> None:
        """Forget everybody."""
        for typing_timer in self._timers.values():
            typing_timer.cancel()
        self._timers.clear()
