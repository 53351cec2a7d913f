"""Who goes first when the server is asked too much: the moves and sockets of players, before what newcomers look at.

Lobbies, results, pictures and spectators' pages of browsers that play nothing pass limiters: few are computed at a
time, some wait, the rest is told to come again (503, Retry-After). While the event loop lags or connections run out,
sockets of newcomers, their results and their new tables are refused at once. Players and the owner pass none.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.metrics import Metrics
from ui.server.notices import make_notice_response
from ui.server.traffic import ServerLoadMonitor

OVERLOAD_LAG_SECONDS = 1.0
"""Seconds of (smoothed) lag from which newcomers are refused at once."""
BUSY_TITLE = "The server is very busy at the moment"
BUSY_REASON = "People who play go first. Please try again in a moment."

VISITOR_PATHS = (
    "/",
    "/watch",
    "/results",
    "/episode",
    "/rules",
    "/profile",
    "/api/lobby",
    "/api/me",
    "/ws/lobby",
    "/ws/watch",
)
RESULT_PATHS = ("/api/profile", "/api/results", "/api/episode", "/api/record", "/api/download", "/api/debrief")
NEW_TABLE_PATH = "/api/tables"


class RequestLimiter:
    """Lets `max_running_requests` through at a time; `max_waiting_requests` more wait for `max_wait_seconds`."""

    def __init__(self, max_running_requests: int, max_waiting_requests: int, max_wait_seconds: float) -> None:
        self._semaphore, self._queue_places = asyncio.Semaphore(max_running_requests), max_waiting_requests
        self._max_wait_seconds = max_wait_seconds

    @property
    def is_busy(self) -> bool:
        """Whether the next one has to wait."""
        return self._semaphore.locked()

    async def acquire_slot(self) -> bool:
        """Wait for a turn; return False where too many wait or it took too long."""
        if not self.is_busy:
            await self._semaphore.acquire()
            return True
        if not self._queue_places:
            return False
        self._queue_places -= 1
        try:
            async with asyncio.timeout(self._max_wait_seconds):
                await self._semaphore.acquire()
        except TimeoutError:
            return False
        finally:
            self._queue_places += 1
        return True

    def release_slot(self) -> None:
        """Give the turn to the next."""
        self._semaphore.release()


class Backpressure:
    """Holds back what newcomers ask while others play (pure ASGI). `is_owner` tells the owner's browsers."""

    def __init__(
        self,
        app: ASGIApp,
        load_monitor: ServerLoadMonitor,
        metrics: Metrics,
        *,
        is_owner: Callable[[str | None], bool],
        is_crowded: Callable[[], bool] = lambda: False,
    ) -> None:
        self._app, self._load_monitor, self._metrics = app, load_monitor, metrics
        self._is_owner, self._is_crowded = is_owner, is_crowded
        self._visitor_limiter = RequestLimiter(max_running_requests=8, max_waiting_requests=4000, max_wait_seconds=20)
        self._results_limiter = RequestLimiter(max_running_requests=4, max_waiting_requests=100, max_wait_seconds=20)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, perhaps after a while, or refuse it."""
        request_kind = _classify_request(scope)
        browser = scope.get("state", {}).get("browser")
        if request_kind is None or self._load_monitor.is_player(browser):
            await self._app(scope, receive, send)
            return
        is_costly = scope["type"] == "websocket" or request_kind in ("results", "table")
        is_overloaded = is_costly and (
            self._load_monitor.event_loop_lag_seconds > OVERLOAD_LAG_SECONDS or self._is_crowded()
        )
        request_limiter = self._results_limiter if request_kind == "results" else self._visitor_limiter
        if (is_overloaded or request_limiter.is_busy) and self._is_owner(browser):
            await self._app(scope, receive, send)
            return
        if is_overloaded:
            await self._refuse_newcomer(scope, send, request_kind)
            return
        if request_kind == "table":
            await self._app(scope, receive, send)
            return
        if not await request_limiter.acquire_slot():
            await self._refuse_newcomer(scope, send, request_kind)
            return
        with contextlib.ExitStack() as held_slot:
            held_slot.callback(request_limiter.release_slot)

            async def send_and_release_slot(message: Message) -> None:
                """End the turn when the answer is computed: who reads it slowly takes nobody's turn."""
                held_slot.close()
                await send(message)

            await self._app(scope, receive, send_and_release_slot)

    async def _refuse_newcomer(self, scope: Scope, send: Send, request_kind: str) -> None:
        self._metrics.count_shed_request(request_kind)
        busy_response = make_notice_response(
            scope, 503, BUSY_TITLE, BUSY_REASON, retry_after=3 + secrets.randbelow(8)
        )  # not all at once again
        if scope["type"] == "http":
            await busy_response(scope, _receive_disconnect, send)
        elif "websocket.http.response" in scope.get("extensions", {}):
            start = {"type": "websocket.http.response.start", "status": 503, "headers": busy_response.raw_headers}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": bytes(busy_response.body)})
        else:
            await send({"type": "websocket.close", "code": 1013})


def _classify_request(scope: Scope) -> str | None:
    """Return what a newcomer's request is held back as: "looking", "results", "table"; None if it is never."""
    if scope["type"] not in ("http", "websocket"):
        return None
    url_path = scope["path"]
    if url_path == NEW_TABLE_PATH and scope.get("method") == "POST":
        return "table"
    if scope.get("method") == "POST":
        return None
    if url_path.startswith(RESULT_PATHS):
        return "results"
    return "looking" if url_path in VISITOR_PATHS or url_path.startswith("/p/") else None


async def _receive_disconnect() -> Message:
    return {"type": "http.disconnect"}
