"""What all routes share: who asks, the server, the JSON they answer with, and which table a browser may use how."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import Body, Depends, Request
from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from engine.core.events import to_json
from engine.core.player import UnknownPlayer
from engine.storage.database import StoreError
from engine.storage.seat_links import SeatLink
from ui.live.dealing import find_recorded_episode
from ui.live.refusal import Refusal
from ui.live.results import ResultsReader
from ui.live.server import LiveServer
from ui.live.table import LiveTable

ModelT = TypeVar("ModelT", bound=BaseModel)
PostedBody = Annotated[ModelT, Body(alias="said")]
"""The JSON body of a request. FastAPI knows the body by the alias, which stands in no message."""


class AsciiJson(Response):
    """JSON in ASCII: any code point survives."""

    media_type = "application/json"

    def render(self, json_content: Any) -> bytes:
        """Return the JSON."""
        return to_json(json_content).encode("ascii")


# ---------------------------------------------------------------------- bodies that several routes take
FREE_TEXT_FIELDS = frozenset({"values", "client"})
"""What a request may fill with anything: the words of a person, and what the browser reports."""
NOT_UNICODE = "not_unicode"
"""The type of the error for a lone surrogate, which is answered with 400."""


class PageRequest(BaseModel):
    """What a page sends; unknown names are refused, and lone surrogates except in `FREE_TEXT_FIELDS` values."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _check_unicode(cls, request_body: Any) -> Any:
        if isinstance(request_body, dict) and _has_lone_surrogate(
            {field_name: request_body[field_name] for field_name in request_body if field_name not in FREE_TEXT_FIELDS}
        ):
            raise PydanticCustomError(NOT_UNICODE, "a name in this request is not valid Unicode text")
        return request_body


class TableReference(PageRequest):
    """A table, named by a seat that the browser holds or by its episode."""

    seat: str | None = None
    episode: str | None = None


def _has_lone_surrogate(json_content: Any) -> bool:
    """Return whether JSON holds half of a character anywhere, which neither SQLite nor a path can hold."""
    unchecked_nodes = [json_content]
    while unchecked_nodes:  # not recursive: a request may be nested as deep as the parser allows
        json_node = unchecked_nodes.pop()
        if (
            isinstance(json_node, str)
            and not json_node.isascii()
            and any("\ud800" <= character <= "\udfff" for character in json_node)
        ):
            return True
        if isinstance(json_node, dict):
            unchecked_nodes += [*json_node, *json_node.values()]
        elif isinstance(json_node, list):
            unchecked_nodes += json_node
    return False


# ---------------------------------------------------------------------- who asks
# async: FastAPI calls other functions in a thread, which takes longer than all the rest of a request
async def _get_server(request: Request) -> LiveServer:
    server: LiveServer = request.app.state.server
    return server


async def _get_reader(request: Request) -> ResultsReader:
    reader: ResultsReader = request.app.state.results
    return reader


async def _get_browser(request: Request) -> str | None:
    browser: str | None = request.state.browser
    return browser


async def _require_browser(request: Request) -> str:
    browser = await _get_browser(request)
    if browser is None:
        raise Refusal(403, "this browser has no cookie: open the lobby first")
    return browser


async def _get_client_address(request: Request) -> str | None:
    address: str | None = getattr(request.state, "address", None)
    return address


ServerDependency = Annotated[LiveServer, Depends(_get_server)]
ResultsReaderDependency = Annotated[ResultsReader, Depends(_get_reader)]
Browser = Annotated[str | None, Depends(_get_browser)]
"""The browser that asks, None for one without a cookie."""
KnownBrowser = Annotated[str, Depends(_require_browser)]
ClientAddress = Annotated[str | None, Depends(_get_client_address)]
"""The address that asks, as limits count it; None if it is not known. It is neither stored nor logged."""


# ---------------------------------------------------------------------- what a browser may use
def require_own_seat(server: LiveServer, browser: str | None, seat_id: str) -> SeatLink:
    """Return a seat that the browser holds; raise the same `Refusal` for the seat of another and for no seat."""
    link = server.links.seat(seat_id)
    if link is None or not server.links.holds_seat(browser, seat_id):
        raise Refusal(403, "not your seat")
    return link


async def enter_own_seat(server: LiveServer, browser: str | None, seat_id: str) -> SeatLink:
    """Return a seat that the browser holds, as `require_own_seat`, and note that it has come there."""
    link = require_own_seat(server, browser, seat_id)
    await server.seating.record_arrival(link, str(browser))
    return link


async def watchable_table(
    server: LiveServer, browser: str | None, episode: str, *, shows_game: bool = True
) -> LiveTable:
    """Return a table that the browser may see both sides of, now or, without `shows_game`, at all. Raises `Refusal`."""
    if refusal := server.studies.find_reading_refusal_reason(browser, episode):
        raise Refusal(403, refusal)
    try:
        find_reason = server.visibility.find_reading_refusal_reason if shows_game else server.visibility.find_refusal
        reason = find_reason(browser, episode)
    except StoreError:
        raise Refusal(404, "there is no such game") from None
    if reason:
        raise Refusal(403, reason)
    return await _require_table(server, episode)


async def require_finished_table(
    server: LiveServer, browser: str | None, seat: str | None, episode: str | None, *, shows_game: bool = True
) -> LiveTable:
    """Return a table whose game is over and that the browser played at or may watch. Raises `Refusal`.

    `shows_game` says whether the browser gets to see what was played.
    """
    if seat is not None:
        table = await server.tables.get_table_by_seat(require_own_seat(server, browser, seat))
        if refusal := server.studies.find_reading_refusal_reason(browser, table.id):
            raise Refusal(403, refusal)
    elif episode is not None:
        table = await watchable_table(server, browser, episode, shows_game=shows_game)
    else:
        raise Refusal(422, "name a seat or an episode")
    if not table.is_over:
        raise Refusal(409, "the game is not over")
    if shows_game:
        await server.seating.record_seen_instance(table, browser)
    return table


async def require_opened_table(server: LiveServer, browser: str, seat: str | None, episode: str | None) -> LiveTable:
    """Return a table that the browser opened. Raises `Refusal`."""
    if seat is not None:
        episode = require_own_seat(server, browser, seat).episode
    open_table = server.links.read_opened_table(episode or "")
    if open_table is None or open_table.browser != browser:
        raise Refusal(403, "only the person who opened the table can do that")
    return await _require_table(server, open_table.episode)


async def check_replayable(server: LiveServer, browser: str | None, player_address: str) -> None:
    """Raise `Refusal` where a player would repeat what this browser may not see."""
    try:
        episode = find_recorded_episode(player_address)
    except UnknownPlayer as error:
        raise Refusal(422, str(error)) from None
    if episode is not None:
        await watchable_table(server, browser, episode)


async def _require_table(server: LiveServer, episode: str) -> LiveTable:
    table = await server.tables.get_table(episode)
    if table is None:
        raise Refusal(404, "there is no such game")
    return table
