"""The cookie by which a browser is known."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.storage.seat_links import hash_cookie, make_cookie

COOKIE_NAME = "browser"
MAX_AGE_SECONDS = 400 * 86_400
COOKIE_PAGES = ("/", "/table", "/watch", "/episode", "/rules", "/profile", "/results", "/participate", "/api/tables")
"""Where a browser without a cookie is given one."""
COOKIE_LINKS = ("/s/", "/w/", "/a/", "/e/", "/study/")
"""Links to seats, for spectators, for the admin, to episodes and to studies: a browser is given a cookie there, too."""


class CookieMiddleware:
    """Notes who asks in the scope's state, and gives a cookie to browsers that have none (pure ASGI)."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self._app, self._is_secure = app, is_secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the browser as `state["browser"]` and hand the request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        cookie = _read_cookie(Headers(scope=scope))
        needs_cookie = cookie is None and scope["type"] == "http" and _gives_cookie(scope["path"])
        if needs_cookie:
            cookie = make_cookie()
        scope.setdefault("state", {})["browser"] = hash_cookie(cookie)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure_flag = "; Secure" if self._is_secure else ""
                cookie_header = (
                    f"{COOKIE_NAME}={cookie}; Path=/; Max-Age={MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax{secure_flag}"
                )
                MutableHeaders(scope=message).append("set-cookie", cookie_header)
            await send(message)

        await self._app(scope, receive, send_with_cookie if needs_cookie else send)


def _gives_cookie(url_path: str) -> bool:
    return url_path in COOKIE_PAGES or url_path.startswith(COOKIE_LINKS)


def _read_cookie(headers: Headers) -> str | None:
    """Return the first well-formed cookie of ours: other sites on this host may have set others of its name."""
    for cookie_header in headers.getlist("cookie"):
        for cookie_pair in cookie_header.split(";"):
            cookie_name, _, cookie_value = cookie_pair.strip().partition("=")
            if cookie_name == COOKIE_NAME and hash_cookie(cookie_value):
                return cookie_value
    return None
