"""What links lead to: seats, spectators' views, the admin's rights, episodes, pictures, and the QR codes of links."""

from __future__ import annotations

import io
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from ui.live.joining import JoinState
from ui.live.refusal import Refusal
from ui.routes.dependencies import AsciiJson, Browser, KnownBrowser, ServerDependency

router = APIRouter(default_response_class=AsciiJson)


@router.get("/s/{token}")
async def take_seat(token: str, server: ServerDependency, browser: KnownBrowser) -> Response:
    """Let this browser hold the seat that a link leads to, or ask for it, and go there."""
    link = server.links.find_seat(token)
    if link is None:
        raise Refusal(404, "This link leads to no seat", "It may have been replaced by a newer one. Ask who sent it.")
    join_state = await server.seating.claim_seat(link, browser)
    if join_state in (JoinState.WAITING, JoinState.BOTH_SEATS):
        await server.context.write(server.links.add_request, browser, link.seat_id)
    query_suffix = "" if join_state is JoinState.SEATED else f"&join={join_state}"
    return RedirectResponse(f"/table?seat={link.seat_id}{query_suffix}", 303)


@router.get("/w/{token}")
async def open_watch_link(token: str, server: ServerDependency, browser: KnownBrowser) -> Response:
    """Let this browser watch the table that a spectator link leads to, and go there."""
    episode = server.links.find_episode(token)
    if episode is None:
        raise Refusal(404, "This link leads to no game", "The game may have been removed by the people who played it.")
    if not server.links.may_spectate(browser, episode):
        await server.context.write(server.links.allow_spectator, browser, episode)
    if reason := server.visibility.find_reading_refusal_reason(browser, episode):
        raise Refusal(403, "You cannot watch this game", reason)
    return RedirectResponse(f"/watch?episode={episode}", 303)


@router.get("/a/{token}")
async def become_admin(token: str, server: ServerDependency, browser: KnownBrowser) -> Response:
    """Make this browser an admin's: it may see and publish all finished games and seat any player. Go to the lobby."""
    if not server.links.is_admin_token(token):
        raise Refusal(404, "This is not the admin link of this server", "It is printed when the server starts.")
    if not server.links.is_admin(browser):
        await server.context.write(server.links.make_admin, browser)
    return RedirectResponse("/", 303)


@router.get("/e/{episode}")
async def go_to_episode(episode: str) -> Response:
    """Go to an episode's page, which says what there is to see."""
    return RedirectResponse(f"/episode?id={quote(episode, safe='')}", 303)


@router.get("/p/{name}")
async def send_picture(name: str, server: ServerDependency, browser: Browser) -> Response:
    """Return a picture to its audience: the browsers of a seat, or spectators."""
    picture_address = server.context.pictures.get(name)
    table = await server.tables.get_table(picture_address.episode) if picture_address else None
    if picture_address is None or table is None:
        raise Refusal(404, "there is no such picture")
    audience_kind, _, seat = picture_address.audience.partition("/")
    link = table.seat_links.get(seat)
    if audience_kind == "watch":
        is_allowed = server.visibility.find_reading_refusal_reason(browser, picture_address.episode) is None
    else:
        is_allowed = link is not None and server.links.holds_seat(browser, link.seat_id)
    if not is_allowed:
        raise Refusal(403, "not yours to see")
    drawn_picture = await table.pictures.draw_asset(picture_address.asset)
    return Response(drawn_picture.data, media_type=drawn_picture.media_type)


@router.get("/api/qr")
async def send_qr_code(text: str, request: Request) -> Response:
    """Return the QR code of a seat or spectator link as SVG."""
    if not text.startswith(("/s/", "/w/")) or len(text) > 100:
        raise Refusal(422, "only links to seats and for spectators have a code")
    import segno  # takes a quarter of a second to load, and few need it

    base_url = request.app.state.public_url or str(request.base_url)
    svg_buffer = io.BytesIO()
    segno.make(base_url.rstrip("/") + text, error="m").save(svg_buffer, kind="svg", scale=4, border=3, light="#fff")
    return Response(svg_buffer.getvalue(), media_type="image/svg+xml")
