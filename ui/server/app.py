"""The whole web app as one ASGI app: our routes, the Gradio shell, the cookie, and the guard in front."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from engine.core.events import Json
from ui.live.lobby import Lobby
from ui.live.refusal import Refusal
from ui.live.results import ResultsReader
from ui.live.server import LiveServer
from ui.routes import episode, links, lobby, own, results, table, watch
from ui.routes.dependencies import AsciiJson
from ui.server import widgets
from ui.server.cookies import CookieMiddleware
from ui.server.guard import Guard, allowed_hosts, allowed_origins
from ui.server.serving import ServerSettings

GAMES = Path(__file__).resolve().parents[2] / "games"
ROUTERS = (links.router, lobby.router, table.router, watch.router, episode.router, own.router, results.router)


def create_app(settings: ServerSettings, server: LiveServer) -> ASGIApp:
    """Return the whole app around a server that has not been started."""
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1"}
    from ui.server import shell  # imports Gradio, which takes a second and reads these variables

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_run_server)
    app.state.server, app.state.public_url = server, settings.public_url
    app.state.lobby = Lobby(server)
    app.state.results = ResultsReader(server.reader.path, server.registry)
    _add_routes(app)
    app.router.routes += widgets.routes(GAMES)
    app.mount("/web", StaticFiles(directory=shell.WEB))
    app = shell.mount_pages(app)
    with_cookie = CookieMiddleware(app, secure=(settings.public_url or "").startswith("https:"))
    hosts = allowed_hosts(settings.host, settings.public_url)
    return Guard(with_cookie, hosts=hosts, origins=allowed_origins(settings.public_url))


@contextlib.asynccontextmanager
async def _run_server(app: FastAPI) -> AsyncIterator[None]:
    """Run the live server while the app runs; what was accepted is stored at the end."""
    server: LiveServer = app.state.server
    await server.start()
    server.housekeeping.change_listeners.append(app.state.lobby.notice_change)
    server.context.run_in_background(app.state.lobby.send_changes())
    server.context.run_in_background(results.warm_up(app.state.results, server.registry))
    yield
    app.state.results.close()
    app.state.lobby.close()
    await server.close()


def _add_routes(app: FastAPI) -> None:
    for router in ROUTERS:
        app.include_router(router)

    @app.get("/healthz", response_class=AsciiJson)
    async def healthz() -> Json:
        """Say that the server answers."""
        return {"ok": True}

    @app.exception_handler(Refusal)
    async def answer_refusal(_: Request, refusal: Refusal) -> Response:
        return AsciiJson(refusal.as_json(), refusal.status)

    @app.exception_handler(RequestValidationError)
    async def answer_invalid(_: Request, error: RequestValidationError) -> Response:
        complaint = error.errors()[0]
        field = ".".join(str(part) for part in complaint["loc"][1:])
        words = f"{field}: {complaint['msg']}" if field else str(complaint["msg"])
        return AsciiJson({"ok": False, "error": words}, 422)
