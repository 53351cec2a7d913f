"""The lobby's routes: what there is to play, what is going on, and opening a table."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request, WebSocket
from pydantic import Field

from engine.core.events import Json
from ui.live.dealing import TableRequest
from ui.live.feeds import Listener
from ui.live.lobby import Lobby
from ui.routes.dependencies import (
    AsciiJson,
    Browser,
    ClientAddress,
    KnownBrowser,
    PageRequest,
    ServerIn,
    check_replayable,
)
from ui.routes.sockets import serve_socket

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
    turn_seconds: Annotated[float, Field(ge=5, le=86_400)] | None = None
    turn_rule: Literal["program", "abandon"] = "abandon"
    turn_program: str = "scripted"


@router.get("/api/lobby")
async def lobby(request: Request, browser: Browser) -> Json:
    """Return what there is to play and what is going on."""
    lobby: Lobby = request.app.state.lobby
    return await lobby.whole(browser)


@router.post("/api/tables")
async def new_table(
    table: Annotated[NewTable, Body(alias="wanted")], server: ServerIn, browser: KnownBrowser, address: ClientAddress
) -> Json:
    """Open a table."""
    table.seats = {seat: player.strip() for seat, player in table.seats.items()}
    for player in table.seats.values():
        await check_replayable(server, browser, player)
    return await server.seating.open_table(TableRequest(**dict(table)), browser, address)


@router.websocket("/ws/lobby")
async def lobby_socket(socket: WebSocket) -> None:
    """Send a lobby its lists when they change."""
    lobby: Lobby = socket.app.state.lobby
    await socket.accept()
    listener = Listener()
    try:
        await lobby.attach(listener, socket.state.browser)
        await serve_socket(socket, listener)
    finally:
        lobby.detach(listener)
