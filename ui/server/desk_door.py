"""The door of the desk: everything at and below /desk is for the owner of the server, every route of Gradio included.

The page with its tables and buttons is a Gradio app of its own (`ui/desk`). It is built when the owner first opens it:
a server whose owner never does pays nothing for it.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.live.server import LiveServer
from ui.server.notices import make_notice_response

DESK_PATH = "/desk"
DESK_EXPORT_ROUTES = (f"{DESK_PATH}/export/",)
"""Below the desk, but routes of ours."""


class StudyDeskAccess:
    """Lets the owner's browsers in to the desk and refuses all others (pure ASGI)."""

    def __init__(self, app: ASGIApp, server: LiveServer) -> None:
        self._app, self._server = app, server
        self._study_admin_app: FastAPI | None = None
        self._build_lock = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, to the desk where it is for the desk."""
        path: str = scope.get("path", "")
        if scope["type"] not in ("http", "websocket") or not (path == DESK_PATH or path.startswith(f"{DESK_PATH}/")):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403})
        elif not self._server.links.is_admin(scope["state"]["browser"]):
            hint_text = "If that is you, open the admin link first: it is printed when the server starts."
            await make_notice_response(scope, 403, "The desk is for the owner of this server.", hint_text)(
                scope, receive, send
            )
        elif path == DESK_PATH:
            await RedirectResponse(f"{DESK_PATH}/", 307)(scope, receive, send)
        elif path.startswith(DESK_EXPORT_ROUTES):
            await self._app(scope, receive, send)
        else:
            study_admin_app = await self._get_desk_app()
            await study_admin_app(scope, receive, send)

    async def _get_desk_app(self) -> FastAPI:
        """Return the desk's app, which is built once."""
        async with self._build_lock:
            if self._study_admin_app is None:
                from ui.desk.page import mount_desk

                study_admin_app, gradio_app = await asyncio.to_thread(mount_desk, self._server.study_manager, DESK_PATH)
                page_blocks: Any = gradio_app.get_blocks()
                page_blocks.run_startup_events()  # as the lifespan of a Gradio app does
                await page_blocks.run_extra_startup_events()
                self._study_admin_app = study_admin_app
        return self._study_admin_app
