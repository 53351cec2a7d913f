"""What a browser may decide about its own games: publish them or take that back, and remove them all.

Also its code, by which whoever runs the server can do the same (`ludens db forget CODE`).
"""

from __future__ import annotations

from fastapi import APIRouter

from engine.core.events import Json
from engine.storage.removal import person_code, removal_of
from ui.live.offers import Refused
from ui.routes.table import Ascii, AtTable, Browser, Known, Said, TablesIn, finished

router = APIRouter(default_response_class=Ascii)


class Publishing(AtTable):
    """Publish a finished game, or take that back."""

    published: bool


class Removing(Said):
    """Remove all games of this browser; `games` is how many the person was told that there are."""

    games: int


@router.get("/api/publish")
async def standing(tables: TablesIn, browser: Browser, seat: str | None = None, episode: str | None = None) -> Json:
    """Return whether a finished game is published, and whether this browser has a say in that."""
    table = await finished(tables, browser, seat, episode)
    return tables.visibility.publication(browser, table.id).as_json()


@router.post("/api/publish")
async def publish(said: Publishing, tables: TablesIn, browser: Known) -> Json:
    """Publish a finished game for the seats this browser held, as the owner for all, or take that back."""
    table = await finished(tables, browser, said.seat, said.episode)
    if not tables.visibility.publication(browser, table.id).may_publish:
        raise Refused(403, "a game is published by those who played it, or by whoever runs this server")
    await tables.write(tables.links.publish, browser, table.id, said.published)
    return tables.visibility.publication(browser, table.id).as_json()


@router.get("/api/me")
async def me(tables: TablesIn, browser: Known) -> Json:
    """Return this browser's code, whether it is the owner's, and what "remove all my games" would remove."""
    going = removal_of(tables.reader, [browser])
    return {
        "code": person_code(browser),
        "owner": tables.links.is_admin(browser),
        "games": len(going.episodes),
        "shared": going.shared,
        "running": going.running,
    }


@router.post("/api/forget")
async def forget(said: Removing, tables: TablesIn, browser: Known) -> Json:
    """Remove all games in which this browser held a seat, for good."""
    if said.games != (games := len(removal_of(tables.reader, [browser]).episodes)):
        raise Refused(409, f"by now it would be {games} games: look again, then remove them")
    return {"ok": True, "games": len((await tables.remove(browser)).episodes)}
