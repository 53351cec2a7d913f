"""What people read when the server cannot do what they asked: a page in a browser, JSON everywhere else."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from ui.routes.dependencies import AsciiJson
from ui.server.error_page import render_error_page

RETRY_AFTER_SECONDS = 5
"""Seconds after which a browser may try again where nothing else is known."""


def prefers_page(scope: Scope) -> bool:
    """Return whether a person looks at the answer: the request of a browser for a page."""
    return not scope["path"].startswith("/api/") and "text/html" in Headers(scope=scope).get("accept", "")


def make_notice_response(
    scope: Scope, status: int, error: str, reason: str | None = None, *, retry_after: int | None = None
) -> Response:
    """Return an error as a page, which loads itself again after `retry_after` seconds, or as JSON."""
    headers = {"retry-after": str(retry_after)} if retry_after else {}
    if not prefers_page(scope):
        notice_json = {"ok": False, "error": error} | ({"why": reason} if reason else {})
        return AsciiJson(notice_json, status, headers=headers)
    return HTMLResponse(render_error_page(status, error, reason, retry_after), status, headers=headers)
