"""What is noted of every request: an id, how moves ended, which sockets are open, and what had to be refused."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.logs import request_id
from ui.server.metrics import Metrics
from ui.server.traffic import ServerLoadMonitor

logger = logging.getLogger("ludens.requests")

REQUEST_ID_HEADER = "x-request-id"
MOVE_URL_PATH = "/api/move"
KIND_BY_SOCKET = {"/ws/seat": "seat", "/ws/watch": "watch", "/ws/lobby": "lobby"}


class RequestNotes:
    """Gives every request an id, which answers and log lines carry, and counts requests (pure ASGI)."""

    def __init__(self, app: ASGIApp, load_monitor: ServerLoadMonitor, metrics: Metrics) -> None:
        self._app, self._load_monitor, self._metrics = app, load_monitor, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, noting its end."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        http_request_id = _find_request_id(scope)
        context_token = request_id.set(http_request_id)
        close_socket: Callable[[], None] | None = None

        async def send_with_id(message: Message) -> None:
            nonlocal close_socket
            if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = http_request_id
            if message["type"] == "websocket.accept" and scope["path"] in KIND_BY_SOCKET:
                close_socket = self._load_monitor.open_socket(KIND_BY_SOCKET[scope["path"]], _get_browser(scope))
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                self._note_answer(scope, message["status"])
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            if close_socket:
                close_socket()
            request_id.reset(context_token)

    def _note_answer(self, scope: Scope, status: int) -> None:
        self._metrics.count_answer(status)
        if scope["path"] == MOVE_URL_PATH:
            self._metrics.record_move(status)
            if status == 200:
                self._load_monitor.record_move(_get_browser(scope))
        if status >= 500 or status == 429:
            route_path = getattr(scope.get("route"), "path", "-")  # the path itself may hold a token
            logger.warning("answered %d", status, extra={"fields": {"route": route_path}})


def _find_request_id(scope: Scope) -> str:
    """Return the id that a trusted proxy gave a request, or a new one."""
    given_id = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
    is_from_proxy = scope.get("state", {}).get("is_trusted", False)
    is_valid = given_id.isascii() and given_id.replace("-", "").replace("_", "").isalnum() and 8 <= len(given_id) <= 64
    return given_id if is_from_proxy and is_valid else secrets.token_hex(8)


def _get_browser(scope: Scope) -> str | None:
    browser: str | None = scope.get("state", {}).get("browser")
    return browser
