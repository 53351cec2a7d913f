"""Opening tables and changing who sits at them, as far as a browser may."""

from __future__ import annotations

from engine.core.events import Json
from engine.storage.episode_row import Status
from engine.storage.seat_links import SeatLink
from ui.live.context import ServerContext
from ui.live.dealing import AbsentPlayer, Dealer, TableRequest, item_of
from ui.live.offers import INVITE, PERSON, Offers
from ui.live.refusal import Refusal
from ui.live.table import LiveTable
from ui.live.tables import Tables

WATCHABLE_PACE = 0.8
"""Seconds before a program's move at a table opened to be watched, or with more than two seats: people can follow."""


class Seating:
    """Does what browsers ask for about tables and seats, after checking that they may."""

    def __init__(self, context: ServerContext, tables: Tables, offers: Offers, dealer: Dealer) -> None:
        self._context, self._tables, self._offers, self._dealer = context, tables, offers, dealer

    async def open_table(self, request: TableRequest, browser: str) -> Json:
        """Open a table; return {"episode", "go", "invitations", "spectators"}. Raises `Refusal`."""
        context, live = self._context, self._tables.live
        programs_playing = sum(not (table.has_people or table.is_over or table.is_foreign) for table in live.values())
        self._dealer.check_limits(browser, bool(request.people), len(live), programs_playing)
        start = self._dealer.start(request, browser)
        people, own_seat = request.people, request.own_seat
        pace = request.pace
        if pace is None:
            pace = 0.0 if people and len(request.seats) <= 2 else WATCHABLE_PACE
        [claim] = await context.write(lambda: context.writer.claim([(start, None)], origin="table"))
        pids = await context.write(
            context.links.open_table, claim.episode, browser, people, own_seat, pace, start.instance_hash
        )
        await self._tables.get(claim.episode)
        invitations = {seat: context.links.seat_path(pid) for seat, pid in pids.items() if seat != own_seat}
        return {
            "episode": claim.episode,
            "go": context.links.seat_path(pids[own_seat]) if own_seat else f"/watch?episode={claim.episode}",
            "invitations": invitations,
            "spectators": context.links.watch_path(claim.episode) if people else None,
        }

    async def take_seat(self, link: SeatLink, browser: str) -> None:
        """Let a browser hold a seat, unless it has seen both sides. Raises `Refusal`."""
        context = self._context
        row = context.reader.episode(link.episode)
        if row.status is not Status.OVER and context.links.has_watched(browser, link.episode):
            raise Refusal(403, "This browser has watched this game and seen both sides: it cannot take a seat there.")
        if not context.links.holds(browser, link.seat_id):
            await context.write(context.links.hold, browser, link.seat_id, row.instance_hash)

    async def note_watching(self, table: LiveTable, browser: str | None) -> None:
        """Store that a browser sees both sides of a game."""
        links = self._context.links
        if browser and not links.has_watched(browser, table.id):
            is_first_time = await self._context.write(links.mark_watched, browser, table.id, table.row.instance_hash)
            if is_first_time and not table.is_over:
                table.record_watching()

    async def retry(self, table: LiveTable, browser: str) -> None:
        """Ask the players again that could not answer, where this browser may seat them."""
        if table.episode is None and table.blocked and not table.is_foreign and not table.is_over:
            self._tables.drop(table)  # what was missing may be there now: the next load tries again
            return
        opened = self._context.links.opened_table(table.id)
        for seat in table.silent_seats():
            assert table.episode and table.game
            address = table.player(seat)
            self._offers.check_allowed(table.game, address, browser)
            if isinstance(table.episode.players[seat], AbsentPlayer):
                table.episode.players[seat] = self._dealer.returning_player(table.game, seat, address, opened)
        await table.retry()

    async def hand_over(self, table: LiveTable, seat: str | None, address: str, browser: str) -> str | None:
        """Seat another player, without a `seat` at the first one whose player cannot answer.

        Returns the link for another person, None for a program. Raises `Refusal`.
        """
        seat = seat or next(iter(table.silent_seats()), None)
        if seat is None:
            raise Refusal(409, "no player has to be replaced: all that are asked may still answer")
        if seat not in table.row.seats or table.game is None:
            raise Refusal(422, f"no seat {seat!r}; there are {', '.join(table.row.seats)}")
        is_person = address in (PERSON, INVITE)
        variant = table.game.variant(table.row.variant)
        address = PERSON if is_person else self._offers.resolve(table.game, variant, address, browser)
        if reason := self._context.registry.unreadable_prompts_reason(address, item_of(table.start)):
            raise Refusal(422, reason)
        await table.hand_over(seat, address, self._dealer.player(table.game, seat, address))
        links = self._context.links
        pid = await self._context.write(links.replace_seat, table.id, seat, is_person)
        table.seat_links, table.has_people = links.seats(table.id), table.has_people or is_person
        return links.seat_path(pid) if pid else None
