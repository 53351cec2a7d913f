"""Who goes first when the server is asked too much: the moves and sockets of players, before what newcomers look at.

Lobbies, results, pictures and spectators' pages of browsers that play nothing pass gates: few are computed at a time,
some wait, the rest is told to come again (503, Retry-After). While the event loop lags or connections run out, sockets
of newcomers, their results and their new tables are refused at once. Players and the owner pass no gate.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.metrics import Metrics
from ui.server.notices import notice
from ui.server.traffic import Traffic

OVERLOADED_SECONDS = 1.0
"""Seconds of (smoothed) lag from which newcomers are refused at once."""
BUSY_WORDS = "The server is very busy at the moment"
BUSY_REASON = "People who play go first. Please try again in a moment."

LOOKING_PATHS = (
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
COMPUTING_PATHS = ("/api/profile", "/api/results", "/api/episode", "/api/record", "/api/download", "/api/debrief")
NEW_TABLE = "/api/tables"


class Gate:
    """Lets `at_once` requests through at a time and lets `waiting` more wait for `patience` seconds."""

    def __init__(self, at_once: int, waiting: int, patience: float) -> None:
        self._free, self._places = asyncio.Semaphore(at_once), waiting
        self._patience = patience

    @property
    def is_busy(self) -> bool:
        """Whether the next one has to wait."""
        return self._free.locked()

    async def enter(self) -> bool:
        """Wait for a turn; return False where too many wait or it took too long."""
        if not self.is_busy:
            await self._free.acquire()
            return True
        if not self._places:
            return False
        self._places -= 1
        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError:
            return False
        finally:
            self._places += 1
        return True

    def leave(self) -> None:
        """Give the turn to the next."""
        self._free.release()


class Backpressure:
    """Holds back what newcomers ask while others play (pure ASGI). `is_owner` tells the owner's browsers."""

    def __init__(
        self,
        app: ASGIApp,
        traffic: Traffic,
        metrics: Metrics,
        *,
        is_owner: Callable[[str | None], bool],
        is_crowded: Callable[[], bool] = lambda: False,
    ) -> None:
        self._app, self._traffic, self._metrics = app, traffic, metrics
        self._is_owner, self._is_crowded = is_owner, is_crowded
        self._looking = Gate(at_once=8, waiting=4000, patience=20)
        self._computing = Gate(at_once=4, waiting=100, patience=20)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, perhaps after a while, or refuse it."""
        kind = _kind(scope)
        browser = scope.get("state", {}).get("browser")
        if kind is None or self._traffic.is_player(browser):
            await self._app(scope, receive, send)
            return
        is_costly = scope["type"] == "websocket" or kind in ("results", "table")
        is_overloaded = is_costly and (self._traffic.lag > OVERLOADED_SECONDS or self._is_crowded())
        gate = self._computing if kind == "results" else self._looking
        if (is_overloaded or gate.is_busy) and self._is_owner(browser):
            await self._app(scope, receive, send)
            return
        if is_overloaded:
            await self._refuse_newcomer(scope, send, kind)
            return
        if kind == "table":
            await self._app(scope, receive, send)
            return
        if not await gate.enter():
            await self._refuse_newcomer(scope, send, kind)
            return
        with contextlib.ExitStack() as turn:
            turn.callback(gate.leave)

            async def send_and_leave(message: Message) -> None:
                """End the turn when the answer is computed: who reads it slowly takes nobody's turn."""
                turn.close()
                await send(message)

            await self._app(scope, receive, send_and_leave)

    async def _refuse_newcomer(self, scope: Scope, send: Send, kind: str) -> None:
        self._metrics.note_shed(kind)
        answer = notice(
            scope, 503, BUSY_WORDS, BUSY_REASON, retry_after=3 + secrets.randbelow(8)
        )  # not all at once again
        if scope["type"] == "http":
            await answer(scope, _no_more, send)
        elif "websocket.http.response" in scope.get("extensions", {}):
            start = {"type": "websocket.http.response.start", "status": 503, "headers": answer.raw_headers}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": bytes(answer.body)})
        else:
            await send({"type": "websocket.close", "code": 1013})


def _kind(scope: Scope) -> str | None:
    """Return what a newcomer's request is held back as: "looking", "results", "table"; None if it is never."""
    if scope["type"] not in ("http", "websocket"):
        return None
    path = scope["path"]
    if path == NEW_TABLE and scope.get("method") == "POST":
        return "table"
    if scope.get("method") == "POST":
        return None
    if path.startswith(COMPUTING_PATHS):
        return "results"
    return "looking" if path in LOOKING_PATHS or path.startswith("/p/") else None


async def _no_more() -> Message:
    return {"type": "http.disconnect"}
