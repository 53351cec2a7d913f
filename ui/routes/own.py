"""What a browser may decide about its own games: publish them, take that back, and remove them all.

Also its code, with which the owner of the server can remove them as well (`ludens db forget CODE`).
"""

from __future__ import annotations

from fastapi import APIRouter

from engine.core.events import Json
from engine.storage.episode_row import Status
from engine.storage.removal import find_removable_episodes, person_code
from engine.storage.seat_links import OWNER_KEY
from ui.live.profile import describe_profile
from ui.live.refusal import Refusal
from ui.routes.dependencies import (
    AsciiJson,
    Browser,
    KnownBrowser,
    PageRequest,
    PostedBody,
    ResultsReaderDependency,
    ServerDependency,
    TableReference,
    require_finished_table,
)

router = APIRouter(default_response_class=AsciiJson)


class PublishRequest(TableReference):
    """Publish a finished game, or take that back."""

    published: bool


class RemoveGameRequest(PageRequest):
    """Remove one finished game."""

    episode: str


class RemoveAllGamesRequest(PageRequest):
    """Remove all games of this browser; `games` is how many the page said there are."""

    games: int


@router.get("/api/publish")
async def send_publication(
    server: ServerDependency, browser: Browser, seat: str | None = None, episode: str | None = None
) -> Json:
    """Return whether a finished game is published, and whether this browser may decide about that."""
    table = await require_finished_table(server, browser, seat, episode, shows_game=False)
    return server.visibility.read_publication(browser, table.id).as_json()


@router.post("/api/publish")
async def publish_game(
    publish_request: PostedBody[PublishRequest], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Publish a finished game for the seats this browser held, as an admin for all, or take that back."""
    table = await require_finished_table(
        server, browser, publish_request.seat, publish_request.episode, shows_game=False
    )
    if not server.visibility.read_publication(browser, table.id).may_publish:
        raise Refusal(403, "a game is published by the people who played it, or by the owner of this server")
    await server.context.write(server.links.publish_episode, browser, table.id, publish_request.published)
    return server.visibility.read_publication(browser, table.id).as_json()


@router.get("/api/me")
async def describe_browser(server: ServerDependency, browser: KnownBrowser) -> Json:
    """Return this browser's code, whether it is an admin's, and what "remove all my games" would remove."""
    game_removal = find_removable_episodes(server.reader, [browser])
    return {
        "code": person_code(browser),
        "owner": server.links.is_admin(browser),
        "games": len(game_removal.episodes),
        "shared": game_removal.shared_count,
        "running": game_removal.running_count,
    }


@router.get("/api/me/ratings")
async def send_own_ratings(reader: ResultsReaderDependency, browser: Browser) -> Json:
    """Return this browser's own ratings: rows as `ResultsReader.read_ratings` has them."""
    return {"ratings": await reader.read_ratings(browser)}


@router.get("/api/profile")
async def send_own_profile(server: ServerDependency, browser: KnownBrowser) -> Json:
    """Return the games of this browser: counts and ratings per game, and its history."""
    return describe_profile(browser, server.listings, server.links, server.registry)


@router.post("/api/remove")
async def remove_game(
    removal_request: PostedBody[RemoveGameRequest], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Remove a finished game in which this browser held a seat, with everything that others said in it, for good."""
    if not server.links.has_played(browser, removal_request.episode):
        raise Refusal(403, "only the people who played a game can remove it")
    open_table = server.links.read_opened_table(removal_request.episode)
    if open_table and open_table.browser == OWNER_KEY:
        raise Refusal(403, "this game belongs to a study", "Withdraw from the study, or write to the researcher.")
    if server.reader.status(removal_request.episode) is not Status.OVER:
        raise Refusal(409, "the game is not over", "Resign first, then remove it.")
    await server.housekeeping.remove_episodes([removal_request.episode])
    return {"ok": True}


@router.post("/api/forget")
async def remove_all_games(
    removal_request: PostedBody[RemoveAllGamesRequest], server: ServerDependency, browser: KnownBrowser
) -> Json:
    """Remove all games in which this browser held a seat, for good."""
    game_count = len(find_removable_episodes(server.reader, [browser]).episodes)
    if removal_request.games != game_count:
        raise Refusal(409, f"by now there are {game_count} games: look again, then remove them")
    return {"ok": True, "games": len((await server.housekeeping.remove_browser_games(browser)).episodes)}
