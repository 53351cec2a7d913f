"""The whole web app as one ASGI app: our routes, the Gradio shell, the cookie, and the guard in front."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.live.briefings import BriefingReader
from ui.live.facts import log_fact
from ui.live.lobby import Lobby
from ui.live.refusal import Refusal
from ui.live.results import ResultsReader
from ui.live.search import TextSearch
from ui.live.server import LiveServer
from ui.routes import desk, episode, links, lobby, operation, own, results, rules, studies, table, watch
from ui.routes.dependencies import NOT_UNICODE, AsciiJson
from ui.server import widgets
from ui.server.assets import AssetCache, build_own_files
from ui.server.backpressure import Backpressure
from ui.server.backups import Backups
from ui.server.connections import Connections
from ui.server.cookies import CookieMiddleware
from ui.server.desk_door import StudyDeskAccess
from ui.server.failures import handle_failures
from ui.server.forwarded import ForwardedHeaders
from ui.server.guard import RequestGuard, list_allowed_hosts, list_allowed_origins
from ui.server.logs import write_counts
from ui.server.metrics import Metrics
from ui.server.notices import make_notice_response
from ui.server.requests import RequestNotes
from ui.server.serving import ServerSettings, is_private
from ui.server.study_mode import StudyMode
from ui.server.traffic import ServerLoadMonitor

ROUTE_MODULES = (links, lobby, table, watch, episode, own, results, rules, operation, studies, desk)


@dataclass(frozen=True)
class WebApp:
    """The whole app: an ASGI app to serve, or to mount at the root of another one that runs its `lifespan`."""

    guarded_app: ASGIApp
    pages: FastAPI
    """What is behind the guard."""
    server: LiveServer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or run for a server's lifespan. Raises RuntimeError where nothing runs the lifespan."""
        if scope["type"] != "lifespan" and not self.server.context.is_started:
            raise RuntimeError("Ludens is not running: the app that mounts it has to run its `lifespan`")
        await self.guarded_app(scope, receive, send)

    @contextlib.asynccontextmanager
    async def lifespan(self, outer_app: object = None) -> AsyncIterator[None]:
        """Run the games while the app that mounts this one runs: `FastAPI(lifespan=ludens.lifespan)`."""
        async with self.pages.router.lifespan_context(self.pages):
            yield

    @property
    def admin_path(self) -> str:
        """The path that makes a browser the owner's; keep it to yourself."""
        return self.server.links.make_admin_path()


def create_app(settings: ServerSettings, server: LiveServer, connections: Connections | None = None) -> WebApp:
    """Return the whole app around a server that has not been started, and that has these connections."""
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1"}
    from ui.server import shell  # imports Gradio, which takes a second and reads these variables

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=_run_server)
    app.state.server, app.state.public_url = server, settings.public_url
    app.state.load_monitor = load_monitor = ServerLoadMonitor()
    app.state.metrics = server.context.observer = metrics = Metrics(server, load_monitor)
    app.state.is_local_only = is_private(settings) and not (settings.public_url or settings.trusted_proxy)
    app.state.backups = Backups.from_settings(settings, metrics.record_backup)
    app.state.lobby = Lobby(server)
    app.state.briefings = BriefingReader(server.registry)
    app.state.results = ResultsReader(server.reader.path, server.registry)
    app.state.search = TextSearch(server.reader.path)
    _add_routes(app)
    app.router.routes += widgets.make_routes(server.registry.folders)
    app.mount("/web", StaticFiles(directory=shell.STATIC_FOLDER))
    app = shell.mount_pages(app)
    is_owner, is_crowded = server.links.is_admin, lambda: connections is not None and connections.is_crowded
    backpressure = Backpressure(app, load_monitor, metrics, is_owner=is_owner, is_crowded=is_crowded)
    game_folders = server.registry.folders
    static_files = build_own_files(
        shell.STATIC_FOLDER,
        game_folders,
        shell.PAGE_BY_PATH.values(),
        widgets.combine_manifests(widgets.find_web_folders(game_folders)),
    )
    asset_cache = AssetCache(backpressure, static_files, shell.PAGE_BY_PATH)
    study_desk_access = StudyDeskAccess(asset_cache, server)
    study_mode = StudyMode(study_desk_access, server.studies)
    cookie_middleware = CookieMiddleware(study_mode, is_secure=(settings.public_url or "").startswith("https:"))
    host_names = list_allowed_hosts(settings.host, settings.public_url)
    request_guard = RequestGuard(
        cookie_middleware, host_names=host_names, origins=list_allowed_origins(settings.public_url)
    )
    request_notes = RequestNotes(request_guard, load_monitor, metrics)
    forwarded_headers = ForwardedHeaders(
        request_notes, proxy_networks=settings.trusted_proxy, public_url=settings.public_url
    )
    return WebApp(forwarded_headers, app, server)


@contextlib.asynccontextmanager
async def _run_server(app: FastAPI) -> AsyncIterator[None]:
    """Run the live server while the app runs; what was accepted is stored at the end."""
    server: LiveServer = app.state.server
    await server.start()
    server.housekeeping.change_listeners.append(app.state.lobby.notice_change)
    server.seating.change_listeners.append(app.state.lobby.notice_change)
    server.queue.change_listeners.append(app.state.lobby.notice_change)
    server.context.run_in_background(app.state.lobby.send_changes())
    server.context.run_in_background(app.state.load_monitor.measure_lag())
    if backups := app.state.backups:
        server.context.run_every(backups.interval_seconds, backups.write_copy)
    server.context.run_every(10.0, _write_log_counts)
    server.context.run_in_background(results.preload_results(app.state.results, server.registry))
    yield
    app.state.results.close()
    app.state.search.close()
    app.state.lobby.close()
    await server.close()
    log_fact("server stopped")
    write_counts(is_final=True)


async def _write_log_counts() -> None:
    write_counts()


def _add_routes(app: FastAPI) -> None:
    handle_failures(app)
    for routes in ROUTE_MODULES:  # as they are: `include_router` builds each again, a tenth of a second in all
        app.router.routes += routes.router.routes

    @app.exception_handler(Refusal)
    async def answer_refusal(request: Request, refusal: Refusal) -> Response:
        return make_notice_response(
            request.scope, refusal.status, refusal.error, refusal.explanation, retry_after=refusal.seconds_to_wait
        )

    @app.exception_handler(RequestValidationError)
    async def answer_invalid_request(_: Request, error: RequestValidationError) -> Response:
        first_error = error.errors()[0]
        if first_error["type"] == NOT_UNICODE:
            return AsciiJson({"ok": False, "error": first_error["msg"]}, 400)
        field_path = ".".join(str(field_name) for field_name in first_error["loc"][1:])
        error_text = f"{field_path}: {first_error['msg']}" if field_path else str(first_error["msg"])
        return AsciiJson({"ok": False, "error": error_text}, 422)
