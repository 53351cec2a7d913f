"""The routes of a table's page: moves, drafts, leaving, the host's tools, and what there is when the game is over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from pydantic import Field
from starlette.responses import Response

from engine.core.client_report import read_report, remove_report
from engine.core.events import Json, to_json
from engine.formats.jsonl import format_event
from engine.storage.seat_links import SeatLink
from ui.live.debriefing import debrief_table
from ui.live.feeds import Listener
from ui.live.joining import JoinState
from ui.live.moves import MoveAnswer, check_values
from ui.live.offers import INVITE_PROVIDER, PERSON_PROVIDER
from ui.live.refusal import Refusal
from ui.live.rematch import RematchAnswer, answer_rematch
from ui.live.same_instance import compare_same_instance
from ui.live.server import LiveServer
from ui.live.table import LiveTable
from ui.routes.dependencies import (
    AsciiJson,
    Browser,
    ClientAddress,
    KnownBrowser,
    PageRequest,
    PostedBody,
    ServerDependency,
    TableReference,
    check_replayable,
    enter_own_seat,
    require_finished_table,
    require_opened_table,
    require_own_seat,
    watchable_table,
)
from ui.routes.sockets import refuse_socket, serve_socket

router = APIRouter(default_response_class=AsciiJson)


# ---------------------------------------------------------------------- what pages send
class Move(PageRequest):
    """One reply. `values` are checked by hand: any text is taken word for word.

    `client` is what the browser reports (`engine.core.client_report`). No report, whatever it is, loses the reply.
    """

    seat: str
    ask: int
    move: Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    values: Any
    client: Any = None


class Draft(PageRequest):
    """A half-written reply."""

    seat: str
    ask: int
    values: Any


class LeaveRequest(PageRequest):
    """Somebody leaves a seat: the game ends, or a program takes it over."""

    seat: str
    player: Literal["scripted", "random"] | None = None


class JoinAnswer(PageRequest):
    """Let a browser that asks in to a seat, or refuse it."""

    seat: str
    request: str
    admit: bool


class RematchReply(PageRequest):
    """What a seat of a finished game says about another game in the same company."""

    seat: str
    answer: RematchAnswer


class NewPlayer(TableReference):
    """Another player for a seat of one's own table; without `which` for the one whose player cannot answer."""

    which: str | None = None
    player: str


# ---------------------------------------------------------------------- playing
@router.websocket("/ws/seat")
async def serve_seat_socket(socket: WebSocket, seat: str = "") -> None:
    """Send the page of a seat what happens; receive drafts, and whether somebody looks at the page."""
    server: LiveServer = socket.app.state.server
    try:
        link = require_own_seat(server, socket.state.browser, seat)
        table = await server.tables.get_table_by_seat(link)
    except Refusal as refusal:
        return await refuse_socket(socket, refusal)
    await socket.accept()
    arrival = server.seating.record_arrival(link, socket.state.browser)
    server.context.run_in_background(arrival)  # not awaited: a page opens while the log is locked
    listener = Listener(socket.state.browser)

    async def receive(message: Json) -> None:
        if "here" in message:
            listener.is_viewed = message["here"] is True
            table.update_presence(link.seat)
        if isinstance(request_number := message.get("still_here"), int):
            table.extend_turn(link.seat, request_number)
        if draft := message.get("draft"):
            await _save_draft(server, link, draft["ask"], draft["values"])

    try:
        await table.pages.attach_seat(link.seat, listener)
        await serve_socket(socket, listener, receive)
    finally:
        table.pages.detach_seat(link.seat, listener)


@router.post("/api/move")
async def receive_move(move: PostedBody[Move], server: ServerDependency, browser: KnownBrowser) -> Response:
    """Take a reply, word for word; the same move id gets the same answer, even after the seat was given away."""
    move_answer = await _repeat_answer(server, browser, move)
    if move_answer is None:
        link = await enter_own_seat(server, browser, move.seat)
        table = await server.tables.get_table_by_seat(link)
        move_answer = await table.submit_move(link.seat, move.ask, move.move, move.values, read_report(move.client))
    return AsciiJson(move_answer.body, move_answer.status)


async def _repeat_answer(server: LiveServer, browser: str, move: Move) -> MoveAnswer | None:
    """Return the answer to a move that came while this browser still had the seat; None if it has it or none came."""
    episode = server.links.find_earlier_episode(browser, move.seat)
    table = await server.tables.get_table(episode) if episode else None
    return await table.repeat_answer(move.move) if table else None


@router.post("/api/draft")
async def save_draft(draft: PostedBody[Draft], server: ServerDependency, browser: KnownBrowser) -> Json:
    """Keep what is half-written."""
    await _save_draft(server, await enter_own_seat(server, browser, draft.seat), draft.ask, draft.values)
    return {"ok": True}


async def _save_draft(server: LiveServer, link: SeatLink, request_number: int, raw_values: object) -> None:
    table = await server.tables.get_table_by_seat(link)
    open_ask = table.record.conversations[link.seat].open_ask
    if open_ask and open_ask.id == request_number:
        table.show_writing(link.seat)
        table.drafting_seats.add(link.seat)
        await server.context.write(
            server.links.save_draft, link.seat_id, request_number, to_json(check_values(raw_values))
        )


@router.post("/api/leave")
async def leave_seat(leave_request: PostedBody[LeaveRequest], server: ServerDependency, browser: KnownBrowser) -> Json:
    """Leave a game, which ends it unless a program is named to play on."""
    link = await enter_own_seat(server, browser, leave_request.seat)
    table = await server.tables.get_table_by_seat(link)
    if table.study and await server.studies.leave_game(table.id, link.seat):
        return {"ok": True}
    if leave_request.player:
        await server.seating.hand_over_seat(table, link.seat, leave_request.player, browser)
    else:
        await table.end_game("left", link.seat)
    return {"ok": True}


@router.websocket("/ws/join")
async def serve_join_socket(socket: WebSocket, seat: str = "") -> None:
    """Tell a browser that has opened a seat's link how it stands with the seat, until it is let in or refused."""
    server: LiveServer = socket.app.state.server
    browser, link = socket.state.browser, server.links.seat(seat)
    if link is None or not (server.links.holds_seat(browser, seat) or server.links.has_requested(browser, seat)):
        return await refuse_socket(socket)
    await socket.accept()
    listener = Listener(browser)

    async def request_seat(accepts_both_seats: bool = False) -> None:
        try:
            await server.seating.ask_to_join(link, listener, accepts_both_seats=accepts_both_seats)
        except Refusal as refusal:
            listener.enqueue(to_json({"state": JoinState.REFUSED, "error": refusal.error}))

    async def receive(message: Json) -> None:
        if message.get("both") is True:
            await request_seat(accepts_both_seats=True)

    try:
        await request_seat()
        await serve_socket(socket, listener, receive)
    finally:
        await server.seating.cancel_join_request(link, listener)


@router.post("/api/admit")
async def answer_join_request(
    join_answer: PostedBody[JoinAnswer], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Let a browser that asks in to a seat that this one plays, or as an admin to any seat, or refuse it."""
    is_admin, seat = server.links.is_admin(browser), join_answer.seat
    link = server.links.seat(seat) if is_admin else require_own_seat(server, browser, seat)
    if link is None:
        raise Refusal(404, "there is no such seat")
    await server.seating.answer_request(link, join_answer.request, is_admitted=join_answer.admit)
    return {"ok": True}


@router.get("/api/access")
async def check_access(
    server: ServerDependency, browser: Browser, seat: str | None = None, episode: str | None = None
) -> Json:
    """Return whether this browser may open a seat's or a table's page; refuse with the reason."""
    if seat is not None:
        require_own_seat(server, browser, seat)
    else:
        await watchable_table(server, browser, episode or "")
    return {"ok": True}


# ---------------------------------------------------------------------- what the host can do
@router.get("/api/invitations")
async def send_invitations(
    server: ServerDependency, browser: KnownBrowser, seat: str | None = None, episode: str | None = None
) -> Json:
    """Return the links of a table, and the models to seat there, to the browser that opened it; to others their own."""
    own_seat_path = None
    if seat is not None:
        episode, own_seat_path = require_own_seat(server, browser, seat).episode, server.links.make_seat_path(seat)
        open_table = server.links.read_opened_table(episode)
        if open_table is None or open_table.browser != browser:
            return {"own": own_seat_path, "invitations": {}, "spectators": None}
    table = await require_opened_table(server, browser, None, episode)
    other_links = [link for link in table.seat_links.values() if link.seat_id != seat]
    return {
        "own": own_seat_path,
        "invitations": {link.seat: server.links.make_seat_path(link.seat_id) for link in other_links},
        "spectators": server.links.make_spectator_path(table.id) if table.has_people else None,
        "models": server.offers.list_models_for(table.game.variant(table.row.variant), browser) if table.game else [],
        "addresses": server.offers.may_use_paid_players(browser),
    }


@router.post("/api/end")
async def end_table(
    table_reference: PostedBody[TableReference], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """End a game at a table that this browser opened."""
    table = await require_opened_table(server, browser, table_reference.seat, table_reference.episode)
    await table.end_game("ended by whoever opened the table")
    return {"ok": True}


@router.post("/api/retry")
async def retry_players(
    table_reference: PostedBody[TableReference], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Ask the players again that could not answer."""
    table = await require_opened_table(server, browser, table_reference.seat, table_reference.episode)
    await server.seating.retry_players(table, browser)
    return {"ok": True}


@router.post("/api/seat")
async def replace_player(new_player: PostedBody[NewPlayer], server: ServerDependency, browser: KnownBrowser) -> Json:
    """Seat another player at a table that this browser opened."""
    table = await require_opened_table(server, browser, new_player.seat, new_player.episode)
    address = new_player.player.strip()
    await check_replayable(server, browser, address)
    return {"ok": True, "invitation": await server.seating.hand_over_seat(table, new_player.which, address, browser)}


# ---------------------------------------------------------------------- when it is over
@router.post("/api/rematch")
async def answer_for_rematch(
    rematch_reply: PostedBody[RematchReply], server: ServerDependency, browser: KnownBrowser, address: ClientAddress
) -> Json:
    """Ask the others of a finished game for another one, or answer them."""
    link = require_own_seat(server, browser, rematch_reply.seat)
    table = await server.tables.get_table_by_seat(link)
    await answer_rematch(server.seating, table, link.seat, browser, rematch_reply.answer, address)
    return {"ok": True}


@router.get("/api/debrief")
async def debrief(
    server: ServerDependency, browser: Browser, seat: str | None = None, episode: str | None = None
) -> Json:
    """Return both sides, the decisions and the score of a finished game."""
    table = await require_finished_table(server, browser, seat, episode)
    viewer_seat = require_own_seat(server, browser, seat).seat if seat is not None else None
    debriefing = await debrief_table(server.context, table)
    headlines = debriefing.pop("headlines", {})
    if viewer_seat in headlines:
        debriefing["headline_you"] = headlines[viewer_seat]
    if instance_comparison := compare_same_instance(server, browser, table):
        debriefing["same_instance"] = instance_comparison
    for decision in debriefing.get("decisions", ()):
        decision["who"] = _name_player(table, decision["seat"], viewer_seat)
    query_text = f"seat={seat}" if seat is not None else f"episode={table.id}"
    debriefing["again"] = _describe_next_games(server, table, viewer_seat, browser) | {
        "download": f"/api/download?{query_text}",
        "watch": f"/watch?episode={table.id}&step=0",
        "page": f"/e/{table.id}",
        "episode": table.id,
    }
    return debriefing


def _name_player(table: LiveTable, seat: str, viewer_seat: str | None) -> str:
    """Return what a page calls the player of a seat: "you", "partner", "person", or an address."""
    if seat == viewer_seat:
        return "you"
    player_address = table.player(seat)
    if player_address == PERSON_PROVIDER:
        return "partner" if viewer_seat else "person"
    return player_address


def _describe_next_games(server: LiveServer, table: LiveTable, viewer_seat: str | None, browser: str | None) -> Json:
    """Return what to post for another game, and for one with seats exchanged."""
    start = table.start
    player_by_seat = {
        seat: INVITE_PROVIDER if viewer_seat and player == PERSON_PROVIDER else player
        for seat, player in start["seats"].items()
    }
    if viewer_seat:
        player_by_seat[viewer_seat] = PERSON_PROVIDER
    if any(player.startswith("recorded/") for player in player_by_seat.values()) or not table.game:
        return {}
    try:
        for player in player_by_seat.values():
            if player not in (PERSON_PROVIDER, INVITE_PROVIDER):
                server.offers.check_player_allowed(table.game, player, browser)
    except Refusal:  # it was a guest in a game with a model that it may not seat itself
        return {}
    seats = list(table.row.seats)
    rotated_players = dict(zip(seats, [player_by_seat[seat] for seat in seats[1:] + seats[:1]], strict=True))
    table_json = {"game": start["game"], "variant": start["variant"], "settings": start["settings"]}
    same_table, swapped_table = {**table_json, "seats": player_by_seat}, {**table_json, "seats": rotated_players}
    other_game = _describe_other_game(server, table, browser) if viewer_seat else {}
    return {"next": same_table} | ({"swap": swapped_table} if rotated_players != player_by_seat else {}) | other_game


def _describe_other_game(server: LiveServer, table: LiveTable, browser: str | None) -> Json:
    """Return what to post for the next game of the list, in its first variant, at its first seat, with programs.

    Games that the browser has not played yet come first.
    """
    games = list(server.registry.games.values())
    game_index = next((seat_index for seat_index, game in enumerate(games) if game.name == table.row.game), 0)
    played_games = server.listings.list_browser_games(browser) if browser else set()
    for game in sorted(games[game_index + 1 :] + games[:game_index], key=lambda game: game.name in played_games):
        if "scripted" in game.scripted_players():
            seats = {seat: "scripted" if seat_index else PERSON_PROVIDER for seat_index, seat in enumerate(game.seats)}
            table_json = {"game": game.name, "variant": game.variants[0].name, "seats": seats}
            return {"other": {"title": game.title, "body": table_json}}
    return {}


@router.get("/api/download")
async def download(
    server: ServerDependency, browser: Browser, seat: str | None = None, episode: str | None = None
) -> Response:
    """Return the events of a finished game as JSON lines; what browsers reported is for the owner alone."""
    table = await require_finished_table(server, browser, seat, episode)
    shown_events = table.record.log if server.links.is_admin(browser) else map(remove_report, table.record.log)
    events_text = "".join(format_event(table.id, event) for event in shown_events)
    file_name = f"ludens-{table.row.game}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{file_name}"'}
    return Response(events_text, media_type="application/x-ndjson", headers=headers)
