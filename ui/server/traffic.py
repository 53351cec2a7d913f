"""Who is connected and how busy the server is: open sockets, browsers at seats, lag of the event loop."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

LAG_INTERVAL_SECONDS = 0.1
"""Seconds between two measurements of the lag."""
RECENT_MOVE_SECONDS = 600.0
"""Seconds after a move in which a browser counts as a player without an open seat."""
MAX_REMEMBERED_BROWSERS = 100_000


class ServerLoadMonitor:
    """What the middlewares learn of requests and sockets, and the event loop's lag (seconds, smoothed)."""

    def __init__(self, read_clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = read_clock
        self.open_socket_counts: Counter[str] = Counter()
        """Open sockets by kind: "seat", "watch", "lobby"."""
        self._seated_sockets: Counter[str] = Counter()
        self._last_move_at: dict[str, float] = {}
        self.event_loop_lag_seconds = 0.0
        self.event_loop_lag_callbacks: list[Callable[[float], None]] = []
        """Called with every measured lag."""

    @property
    def seated_browser_count(self) -> int:
        """How many browsers have a seat's page open."""
        return len(self._seated_sockets)

    def is_player(self, browser: str | None) -> bool:
        """Return whether a browser has a seat's page open or has moved a few minutes ago."""
        if browser is None:
            return False
        moved_at = self._last_move_at.get(browser)
        return browser in self._seated_sockets or (
            moved_at is not None and self._clock() - moved_at < RECENT_MOVE_SECONDS
        )

    def open_socket(self, socket_kind: str, browser: str | None) -> Callable[[], None]:
        """Count an accepted socket; call the result when it is closed."""
        self.open_socket_counts[socket_kind] += 1
        seated_browser = browser if socket_kind == "seat" else None
        if seated_browser:
            self._seated_sockets[seated_browser] += 1

        def close_socket() -> None:
            self.open_socket_counts[socket_kind] -= 1
            if seated_browser:
                self._seated_sockets[seated_browser] -= 1
                if not self._seated_sockets[seated_browser]:
                    del self._seated_sockets[seated_browser]

        return close_socket

    def record_move(self, browser: str | None) -> None:
        """Remember that a browser has moved."""
        if browser:
            self._last_move_at.pop(browser, None)
            self._last_move_at[browser] = self._clock()
            while len(self._last_move_at) > MAX_REMEMBERED_BROWSERS:
                del self._last_move_at[next(iter(self._last_move_at))]

    async def measure_lag(self) -> None:
        """Measure how late the event loop runs what is due, without end; run it in the background."""
        event_loop = asyncio.get_running_loop()
        while True:
            due_at = event_loop.time() + LAG_INTERVAL_SECONDS
            await asyncio.sleep(LAG_INTERVAL_SECONDS)
            self.record_lag(max(0.0, event_loop.time() - due_at))

    def record_lag(self, lag_seconds: float) -> None:
        """Take in one measured lag."""
        self.event_loop_lag_seconds += 0.3 * (lag_seconds - self.event_loop_lag_seconds)
        for listener in self.event_loop_lag_callbacks:
            listener(lag_seconds)
