"""The server's own doors: links, moves, lists, pictures, sockets. What pages say and hear is in `tables` and `listing`.

Every handler and socket asks who the browser is (a cookie, never anything a page says) and whether it may: a seat is
its holder's, a spectator view is open to those `Tables.may_watch` lets in. A GET consumes nothing.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.core.events import Json, to_json
from engine.core.player import UnknownPlayer
from engine.formats.jsonl import line_of
from engine.storage.database import StoreError
from engine.storage.seat_links import SeatLink, browser_id, new_cookie
from ui.live.dealing import Wanted, recorded_in
from ui.live.feeds import RESTART, Listener
from ui.live.lobby import Lobby
from ui.live.offers import INVITE, PERSON, Refused
from ui.live.tables import Table, Tables, checked_values

log = logging.getLogger("ludens.routes")

COOKIE = "browser"
COOKIE_AGE = 400 * 86_400
DOCUMENTS = ("/", "/table", "/watch", "/episode", "/results", "/api/tables")
"""Where a browser without a cookie is given one."""
LINKS = ("/s/", "/w/", "/a/", "/e/")
"""Links to seats, for spectators, for the admin and to episodes: a browser is given a cookie there too."""


class Ascii(Response):
    """JSON in ASCII: any code point survives."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the JSON."""
        return to_json(content).encode("ascii")


class Visitors:
    """Know every browser by its cookie, and give one to those who have none (pure ASGI, within the guard)."""

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        self._app, self._secure = app, secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the browser in the scope's state."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        cookie = _cookie(Headers(scope=scope))
        known = browser_id(cookie)
        path = scope["path"]
        place = path in DOCUMENTS or path.startswith(LINKS)
        gives = scope["type"] == "http" and known is None and place
        if gives:
            cookie = new_cookie()
        scope.setdefault("state", {})["browser"] = browser_id(cookie)

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                secure = "; Secure" if self._secure else ""
                value = f"{COOKIE}={cookie}; Path=/; Max-Age={COOKIE_AGE}; HttpOnly; SameSite=Lax{secure}"
                MutableHeaders(scope=message).append("set-cookie", value)
            await send(message)

        await self._app(scope, receive, with_cookie if gives else send)


def _cookie(headers: Headers) -> str | None:
    """Return the browser cookie. Other sites on this host may have set others: the first of ours that fits counts."""
    for header in headers.getlist("cookie"):
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            if name == COOKIE and browser_id(value):
                return value
    return None


# ---------------------------------------------------------------------- what pages say
class Said(BaseModel):
    """What a page sends; unknown names are refused."""

    model_config = ConfigDict(extra="forbid")


class NewTable(Said):
    """A table as the lobby asks for it."""

    game: str
    variant: str | None = None
    seats: dict[str, str] = Field(max_length=50)
    experiment: str | None = None
    instance: Annotated[int, Field(ge=0)] | None = None
    settings: Json | None = None
    practice: bool = False
    pace: Annotated[float, Field(ge=0, le=10)] | None = None


class Move(Said):
    """One reply. `values` are checked by hand: any text is taken word for word."""

    seat: str
    ask: int
    move: Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    values: Any


class Draft(Said):
    """A half-written reply."""

    seat: str
    ask: int
    values: Any


class AtSeat(Said):
    """Something about a seat that the browser holds."""

    seat: str


class Leaving(AtSeat):
    """Somebody leaves: the game ends, or a program plays on at the seat."""

    player: Literal["scripted", "random"] | None = None


class AtTable(Said):
    """Something about a table: by a seat the browser holds, or by its episode."""

    seat: str | None = None
    episode: str | None = None


class NewPlayer(AtTable):
    """Another player for a seat of one's own table; without `which` for the one whose player cannot answer."""

    which: str | None = None
    player: str


# ---------------------------------------------------------------------- who asks
def _tables(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


def _browser(request: Request) -> str | None:
    found: str | None = request.state.browser
    return found


def _known(request: Request) -> str:
    browser = _browser(request)
    if browser is None:
        raise Refused(403, "this browser has no cookie: open the lobby first")
    return browser


TablesIn = Annotated[Tables, Depends(_tables)]
Browser = Annotated[str | None, Depends(_browser)]
Known = Annotated[str, Depends(_known)]


def own_seat(tables: Tables, browser: str | None, pid: str) -> SeatLink:
    """Return a seat that the browser holds; raises `Refused` alike for one it does not and one there is not."""
    seat = tables.links.seat(pid)
    if seat is None or not tables.links.holds(browser, pid):
        raise Refused(403, "not your seat")
    return seat


async def watchable(tables: Tables, browser: str | None, episode: str) -> Table:
    """Return a table that the browser may see both sides of."""
    try:
        why = tables.may_watch(browser, episode)
    except StoreError:
        raise Refused(404, "there is no such game") from None
    if why:
        raise Refused(403, why)
    table = await tables.get(episode)
    if table is None:
        raise Refused(404, "there is no such game")
    return table


async def finished(tables: Tables, browser: str | None, seat: str | None, episode: str | None) -> Table:
    """Return a table whose game is over and that the browser sat at or may watch."""
    if seat is not None:
        table = await tables.seat_table(own_seat(tables, browser, seat))
    elif episode is not None:
        table = await watchable(tables, browser, episode)
    else:
        raise Refused(422, "name a seat or an episode")
    if not table.over:
        raise Refused(409, "the game is not over")
    return table


async def may_replay(tables: Tables, browser: str | None, address: str) -> None:
    """Raise `Refused` where a player would say again what this browser may not see."""
    try:
        episode = recorded_in(address)
    except UnknownPlayer as error:
        raise Refused(422, str(error)) from None
    if episode is not None:
        await watchable(tables, browser, episode)


async def owned(tables: Tables, browser: str, seat: str | None, episode: str | None) -> Table:
    """Return a table that the browser opened."""
    if seat is not None:
        episode = own_seat(tables, browser, seat).episode
    opened = tables.links.opened_table(episode or "")
    if opened is None or opened.browser != browser:
        raise Refused(403, "only whoever opened the table can do that")
    table = await tables.get(opened.episode)
    if table is None:
        raise Refused(404, "there is no such game")
    return table


# ---------------------------------------------------------------------- links
router = APIRouter(default_response_class=Ascii)


@router.get("/s/{token}")
async def take_seat(token: str, tables: TablesIn, browser: Known) -> Response:
    """Let this browser hold the seat that a link leads to, and go there."""
    seat = tables.links.seat_by_token(token)
    if seat is None:
        return PlainTextResponse("This link leads to no seat. It may have been replaced by a newer one.\n", 404)
    try:
        await tables.took(seat, browser)
    except Refused as refused:
        return PlainTextResponse(f"{refused.error}\n", refused.status)
    return RedirectResponse(f"/table?seat={seat.seat_id}", 303)


@router.get("/w/{token}")
async def take_watch(token: str, tables: TablesIn, browser: Known) -> Response:
    """Let this browser watch the table that a spectator link leads to, and go there."""
    episode = tables.links.episode_by_token(token)
    if episode is None:
        return PlainTextResponse("This link leads to no game.\n", 404)
    if not tables.links.may_spectate(browser, episode):
        await tables.write(tables.links.allow_spectating, browser, episode)
    if why := tables.may_watch(browser, episode):
        return PlainTextResponse(f"{why}\n", 403)
    return RedirectResponse(f"/watch?episode={episode}", 303)


@router.get("/a/{token}")
async def become_admin(token: str, tables: TablesIn, browser: Known) -> Response:
    """Let this browser be the owner's: see and publish all games that are over, seat any player. Go to the lobby."""
    if not tables.links.is_admin_token(token):
        return PlainTextResponse("This is not the admin link of this server; it is printed at its start.\n", 404)
    if not tables.links.is_admin(browser):
        await tables.write(tables.links.make_admin, browser)
    return RedirectResponse("/", 303)


@router.get("/api/invitations")
async def invitations(tables: TablesIn, browser: Known, seat: str | None = None, episode: str | None = None) -> Json:
    """Return the links of a table, and who else may be seated, to whoever opened it; none to others at the seat."""
    if seat is not None:
        episode = own_seat(tables, browser, seat).episode
        opened = tables.links.opened_table(episode)
        if opened is None or opened.browser != browser:
            return {"invitations": {}, "spectators": None}
    table = await owned(tables, browser, None, episode)
    paths = {link.seat: tables.links.seat_path(link.seat_id) for link in table.links.values() if link.seat_id != seat}
    return {
        "invitations": paths,
        "spectators": tables.links.watch_path(table.id) if table.people else None,
        "models": tables.offers.at(table.game.variant(table.row.variant), browser) if table.game else [],
        "addresses": tables.offers.may_pay(browser),
    }


@router.get("/api/qr")
async def qr(text: str, request: Request) -> Response:
    """Return the QR code of a seat or spectator link as SVG."""
    if not text.startswith(("/s/", "/w/")) or len(text) > 100:
        raise Refused(422, "only links to seats and for spectators have a code")
    import segno  # a quarter of a second, needed by few

    base = request.app.state.public_url or str(request.base_url)
    out = io.BytesIO()
    segno.make(base.rstrip("/") + text, error="m").save(out, kind="svg", scale=4, border=3, light="#fff")
    return Response(out.getvalue(), media_type="image/svg+xml")


@router.get("/p/{name}")
async def picture(name: str, tables: TablesIn, browser: Browser) -> Response:
    """Return a picture to those it is shown to: a seat's browsers, or spectators."""
    found = tables.pictures.get(name)
    if found is None:
        raise Refused(404, "there is no such picture")
    episode, audience, asset = found
    table = await tables.get(episode)
    if table is None:
        raise Refused(404, "there is no such picture")
    place, _, seat = audience.partition("/")
    link = table.links.get(seat)
    if place == "watch":
        may = tables.may_watch(browser, episode) is None
    else:
        may = link is not None and tables.links.holds(browser, link.seat_id)
    if not may:
        raise Refused(403, "not yours to see")
    drawn = await table.picture(asset)
    return Response(drawn.data, media_type=drawn.media_type)


# ---------------------------------------------------------------------- tables and moves
@router.get("/api/lobby")
async def lobby(request: Request, browser: Browser) -> Json:
    """Return what there is to play and what is going on."""
    found: Lobby = request.app.state.lobby
    return found.whole(browser)


@router.post("/api/tables")
async def new_table(wanted: NewTable, tables: TablesIn, browser: Known) -> Json:
    """Open a table."""
    wanted.seats = {seat: who.strip() for seat, who in wanted.seats.items()}
    for who in wanted.seats.values():
        await may_replay(tables, browser, who)
    return await tables.create(Wanted(**dict(wanted)), browser)


@router.post("/api/move")
async def move(said: Move, tables: TablesIn, browser: Known) -> Response:
    """Take a reply, word for word; the same move id gets the same answer."""
    seat = own_seat(tables, browser, said.seat)
    table = await tables.seat_table(seat)
    answer = await table.submit(seat.seat, said.ask, said.move, said.values)
    return Ascii(answer.body, answer.status)


@router.post("/api/draft")
async def draft(said: Draft, tables: TablesIn, browser: Known) -> Json:
    """Keep what is half-written."""
    await _keep(tables, own_seat(tables, browser, said.seat), said.ask, said.values)
    return {"ok": True}


async def _keep(tables: Tables, seat: SeatLink, ask: int, values: object) -> None:
    table = await tables.seat_table(seat)
    asked = table.views[seat.seat].ask
    if asked and asked.id == ask:
        await tables.write(tables.links.save_draft, seat.seat_id, ask, to_json(checked_values(values)))


@router.post("/api/leave")
async def leave(said: Leaving, tables: TablesIn, browser: Known) -> Json:
    """Leave a game, which ends it unless a program is named to play on."""
    seat = own_seat(tables, browser, said.seat)
    table = await tables.seat_table(seat)
    if said.player:
        await tables.hand_over(table, seat.seat, said.player, browser)
    else:
        await table.end("left", seat.seat)
    return {"ok": True}


@router.post("/api/end")
async def end_table(said: AtTable, tables: TablesIn, browser: Known) -> Json:
    """End a game at a table that this browser opened."""
    table = await owned(tables, browser, said.seat, said.episode)
    await table.end("ended by whoever opened the table")
    return {"ok": True}


@router.post("/api/retry")
async def retry(said: AtTable, tables: TablesIn, browser: Known) -> Json:
    """Ask again a player who could not answer."""
    table = await owned(tables, browser, said.seat, said.episode)
    await tables.retry(table, browser)
    return {"ok": True}


@router.post("/api/seat")
async def seat_another(said: NewPlayer, tables: TablesIn, browser: Known) -> Json:
    """Seat another player at a table that this browser opened."""
    table = await owned(tables, browser, said.seat, said.episode)
    player = said.player.strip()
    await may_replay(tables, browser, player)
    return {"ok": True, "invitation": await tables.hand_over(table, said.which, player, browser)}


# ---------------------------------------------------------------------- watching and looking back
@router.get("/api/access")
async def access(tables: TablesIn, browser: Browser, seat: str | None = None, episode: str | None = None) -> Json:
    """Say whether this browser may open a seat's or a table's page, and why not."""
    if seat is not None:
        own_seat(tables, browser, seat)
    else:
        await watchable(tables, browser, episode or "")
    return {"ok": True}


@router.get("/api/record")
async def record(episode: str, tables: TablesIn, browser: Browser) -> Response:
    """Return an episode as spectators see it, whole."""
    table = await watchable(tables, browser, episode)
    await tables.watches(table, browser)
    return Response(await table.record(), media_type="application/json")


@router.get("/api/debrief")
async def debrief(tables: TablesIn, browser: Browser, seat: str | None = None, episode: str | None = None) -> Json:
    """Return both sides, the decisions and the score of a finished game."""
    table = await finished(tables, browser, seat, episode)
    mine = own_seat(tables, browser, seat).seat if seat is not None else None
    made = await tables.debrief(table)
    for decision in made.get("decisions", ()):
        player = table.player(decision["seat"])
        people = "partner" if mine else "person"
        decision["who"] = "you" if decision["seat"] == mine else people if player == "person" else player
    which = f"seat={seat}" if seat is not None else f"episode={table.id}"
    made["again"] = _again(tables, table, mine, browser) | {
        "download": f"/api/download?{which}",
        "watch": f"/watch?episode={table.id}&step=0",
        "page": f"/e/{table.id}",
    }
    return made


def _again(tables: Tables, table: Table, mine: str | None, browser: str | None) -> Json:
    """Return what to post for another game, and for one with seats exchanged."""
    start = table.start
    names = list(table.seats)
    sat = {seat: INVITE if mine and player == PERSON else player for seat, player in start["seats"].items()}
    if mine:
        sat[mine] = PERSON
    if any(player.startswith("recorded/") for player in sat.values()) or not table.game:
        return {}
    try:
        for player in sat.values():
            if player not in (PERSON, INVITE):
                tables.offers.allow(table.game, player, browser)
    except Refused:  # whoever was invited to play a model they may not seat themselves
        return {}
    turned = dict(zip(names, [sat[seat] for seat in names[1:] + names[:1]], strict=True))
    body = {"game": start["game"], "variant": start["variant"], "settings": start["settings"]}
    next_, swap = {**body, "seats": sat}, {**body, "seats": turned}
    return {"next": next_} | ({"swap": swap} if turned != sat else {})


@router.get("/api/download")
async def download(tables: TablesIn, browser: Browser, seat: str | None = None, episode: str | None = None) -> Response:
    """Return the whole record of a finished game as JSON lines: an event a line."""
    table = await finished(tables, browser, seat, episode)
    lines = "".join(line_of(table.id, event) for event in table.log)
    name = f"ludens-{table.row.game}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(lines, media_type="application/x-ndjson", headers=headers)


@router.get("/healthz")
async def healthz() -> Json:
    """Say that the server answers."""
    return {"ok": True}


# ---------------------------------------------------------------------- sockets
async def _serve(socket: WebSocket, listener: Listener, heard: Callable[[Json], Awaitable[None]] | None) -> None:
    """Send what the listener gets and hear what the page says, until either end is done."""

    async def send() -> None:
        while (text := await listener.next()) is not None:
            await socket.send_text(text)

    async def hear() -> None:
        while True:
            said = await socket.receive_text()
            if heard:
                try:
                    await heard(json.loads(said))
                except (ValueError, TypeError, KeyError, AttributeError, Refused) as error:
                    log.debug("a page said something odd: %s", type(error).__name__)

    listener.pump = asyncio.create_task(send())
    hearing = asyncio.create_task(hear())
    try:
        await asyncio.wait([listener.pump, hearing], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (listener.pump, hearing):
            task.cancel()
        await asyncio.gather(listener.pump, hearing, return_exceptions=True)
    if listener.close_code:
        try:
            await socket.close(listener.close_code)
        except (RuntimeError, WebSocketDisconnect):
            log.debug("a socket was gone before it was closed")


async def _refuse(socket: WebSocket) -> None:
    await socket.close(1008)  # before it was accepted: the server answers 403


@router.websocket("/ws/seat")
async def seat_socket(socket: WebSocket, seat: str = "") -> None:
    """Feed the page of one seat; hear drafts and whether somebody looks."""
    tables: Tables = socket.app.state.tables
    try:
        link = own_seat(tables, socket.state.browser, seat)
        table = await tables.seat_table(link)
    except Refused:
        return await _refuse(socket)
    await socket.accept()
    listener = Listener(socket.state.browser)

    async def heard(said: Json) -> None:
        if "here" in said:
            listener.here = said["here"] is True
            table.look(link.seat)
        if draft := said.get("draft"):
            await _keep(tables, link, draft["ask"], draft["values"])

    try:
        await table.attach(link.seat, listener)
        await _serve(socket, listener, heard)
    finally:
        table.detach(listener, link.seat)


@router.websocket("/ws/watch")
async def watch_socket(socket: WebSocket, episode: str = "") -> None:
    """Feed a spectator's page."""
    tables: Tables = socket.app.state.tables
    browser = socket.state.browser
    try:
        table = await watchable(tables, browser, episode)
        await tables.watches(table, browser)
    except Refused:
        return await _refuse(socket)
    await socket.accept()
    listener = Listener()
    try:
        opened = tables.links.opened_table(episode)
        await table.attach_watcher(listener, host=opened is not None and opened.browser == browser)
        await _serve(socket, listener, None)
    finally:
        table.detach(listener, None)


@router.websocket("/ws/lobby")
async def lobby_socket(socket: WebSocket) -> None:
    """Feed a lobby."""
    lobby: Lobby = socket.app.state.lobby
    await socket.accept()
    listener = Listener()
    try:
        lobby.attach(listener, socket.state.browser)
        await _serve(socket, listener, None)
    finally:
        lobby.detach(listener)


# ---------------------------------------------------------------------- all together
def install(app: FastAPI, tables: Tables, public_url: str | None) -> None:
    """Add the routes to an app and give them what they work with."""
    app.state.tables, app.state.lobby, app.state.public_url = tables, Lobby(tables), public_url
    app.include_router(router)
    from ui.routes import episode as episodes  # they are built on what stands above
    from ui.routes import own, results

    app.state.results = results.Reading(tables)
    app.include_router(episodes.router)
    app.include_router(own.router)
    app.include_router(results.router)

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return Ascii(error.as_json(), error.status)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:])
        return Ascii({"ok": False, "error": f"{place}: {first['msg']}" if place else str(first["msg"])}, 422)


async def begin(app: FastAPI) -> None:
    """Start what runs beside the routes; call it in the event loop that serves."""
    tables: Tables = app.state.tables
    lobby: Lobby = app.state.lobby
    await tables.begin()
    tables.noticed.append(lobby.notice)
    tables.background(lobby.tell())
    tables.background(app.state.results.warm(tables.registry))


async def end(app: FastAPI) -> None:
    """Stop it; what was taken in is stored."""
    tables: Tables = app.state.tables
    app.state.results.close()
    for listener in list(app.state.lobby._listening):
        listener.end(RESTART)
    await tables.end()
