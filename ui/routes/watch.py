"""The spectator page's routes: an episode with both sides, live or finished."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket
from starlette.responses import Response

from ui.live.feeds import Listener
from ui.live.refusal import Refusal
from ui.live.server import LiveServer
from ui.routes.dependencies import AsciiJson, Browser, ServerDependency, watchable_table
from ui.routes.sockets import refuse_socket, serve_socket

router = APIRouter(default_response_class=AsciiJson)


@router.get("/api/record")
async def send_record(episode: str, server: ServerDependency, browser: Browser) -> Response:
    """Return an episode as spectators see it, whole."""
    table = await watchable_table(server, browser, episode)
    await server.seating.record_spectator(table, browser)
    return Response(await table.pages.make_snapshot(), media_type="application/json")


@router.websocket("/ws/watch")
async def serve_watch_socket(socket: WebSocket, episode: str = "") -> None:
    """Send a spectator's page what happens."""
    server: LiveServer = socket.app.state.server
    browser = socket.state.browser
    try:
        table = await watchable_table(server, browser, episode)
        await server.seating.record_spectator(table, browser)
    except Refusal as refusal:
        return await refuse_socket(socket, refusal)
    await socket.accept()
    listener = Listener()
    try:
        open_table = server.links.read_opened_table(episode)
        await table.pages.attach_spectator(listener, is_host=open_table is not None and open_table.browser == browser)
        await serve_socket(socket, listener)
    finally:
        table.pages.detach_spectator(listener)
