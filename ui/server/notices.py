"""What people read when the server cannot do what they asked: a page in a browser, JSON everywhere else."""

from __future__ import annotations

from html import escape

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from ui.routes.dependencies import AsciiJson

RETRY_AFTER = 5
"""Seconds after which a browser may try again where nothing else is known."""
STYLE = (
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;"
    "color:#24201c;background:#fbf8f2}h1{font-size:1.5rem}a{color:#1d523c}"
    "@media(prefers-color-scheme:dark){body{color:#f4efe5;background:#191613}a{color:#89bd9f}}"
)


def prefers_page(scope: Scope) -> bool:
    """Return whether a person looks at the answer: the request of a browser for a page."""
    return not scope["path"].startswith("/api/") and "text/html" in Headers(scope=scope).get("accept", "")


def notice(
    scope: Scope, status: int, error: str, why: str | None = None, *, retry_after: int | None = None
) -> Response:
    """Return an error as a page, which loads itself again after `retry_after` seconds, or as JSON."""
    headers = {"retry-after": str(retry_after)} if retry_after else {}
    if not prefers_page(scope):
        body = {"ok": False, "error": error} | ({"why": why} if why else {})
        return AsciiJson(body, status, headers=headers)
    reload = f'<meta http-equiv="refresh" content="{retry_after}">' if retry_after else ""
    again = f"<p>This page will try again in {retry_after} seconds.</p>" if retry_after else ""
    page = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ludens</title>{reload}'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body><main>'
        f"<h1>{escape(error)}</h1>{f'<p>{escape(why)}</p>' if why else ''}{again}"
        f'<p><a href="/">To the lobby</a></p></main></body></html>\n'
    )
    return HTMLResponse(page, status, headers=headers)
