"""The lobby's routes: what there is to play, what is going on, and opening a table."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request, WebSocket
from pydantic import Field

from engine.core.events import Json, to_json
from ui.live.dealing import TableRequest
from ui.live.feeds import Listener
from ui.live.lobby import Lobby
from ui.live.refusal import Refusal
from ui.live.server import LiveServer
from ui.routes.dependencies import (
    AsciiJson,
    Browser,
    ClientAddress,
    KnownBrowser,
    PageRequest,
    PostedBody,
    ServerDependency,
    check_replayable,
)
from ui.routes.sockets import refuse_socket, serve_socket

router = APIRouter(default_response_class=AsciiJson)


class NewTable(PageRequest):
    """A table as the lobby asks for it."""

    game: str
    variant: str | None = None
    seats: dict[str, str] = Field(max_length=50)
    experiment: str | None = None
    instance: Annotated[int, Field(ge=0)] | None = None
    settings: Json | None = None
    practice: bool = False
    pace: Annotated[float, Field(ge=0, le=10)] | None = None
    listed: bool = False
    turn_seconds: Annotated[float, Field(ge=5, le=86_400)] | None = None
    turn_rule: Literal["program", "abandon"] = "abandon"
    turn_program: str = "scripted"


class SeatChoice(PageRequest):
    """A free seat that the lobby offers."""

    seat: str


@router.get("/api/lobby")
async def send_lobby_state(request: Request, browser: Browser) -> Json:
    """Return what there is to play and what is going on."""
    lobby: Lobby = request.app.state.lobby
    return await lobby.read_full_state(browser)


@router.post("/api/tables")
async def open_new_table(
    table: Annotated[NewTable, Body(alias="wanted")],
    server: ServerDependency,
    browser: KnownBrowser,
    address: ClientAddress,
) -> Json:
    """Open a table."""
    table.seats = {seat: player.strip() for seat, player in table.seats.items()}
    for player in table.seats.values():
        await check_replayable(server, browser, player)
    return await server.seating.open_table(TableRequest(**dict(table)), browser, address)


@router.post("/api/join")
async def take_free_seat(seat_choice: PostedBody[SeatChoice], server: ServerDependency, browser: KnownBrowser) -> Json:
    """Take a free seat that the lobby offers; return where it is."""
    return {"go": await server.seating.join_listed_table(seat_choice.seat, browser)}


@router.websocket("/ws/queue")
async def serve_queue_socket(socket: WebSocket, game: str = "", variant: str | None = None) -> None:
    """Let a page wait for a partner, and tell it where its table is; a page that closes waits no more."""
    server: LiveServer = socket.app.state.server
    browser: str | None = socket.state.browser
    if browser is None:
        return await refuse_socket(socket)
    await socket.accept()
    listener = Listener(browser)
    try:
        server.queue.join(listener, browser, getattr(socket.state, "address", None), game, variant)
    except Refusal as refusal:
        listener.enqueue(to_json({"state": "refused", "error": refusal.error}))
    try:
        await serve_socket(socket, listener)
    finally:
        server.queue.remove_listener(listener)


@router.websocket("/ws/lobby")
async def serve_lobby_socket(socket: WebSocket) -> None:
    """Send a lobby its lists when they change."""
    lobby: Lobby = socket.app.state.lobby
    await socket.accept()
    listener = Listener()
    try:
        await lobby.attach_listener(listener, socket.state.browser)
        await serve_socket(socket, listener)
    finally:
        lobby.detach_listener(listener)
