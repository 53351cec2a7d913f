"""Opening tables and changing who sits at them, as far as a browser may."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.events import Json, Kind, to_json
from engine.storage.seat_links import SeatLink
from ui.live.context import ServerContext
from ui.live.dealing import AbsentPlayer, EpisodePreparer, TableRequest, read_instance
from ui.live.facts import log_fact
from ui.live.feeds import Listener
from ui.live.joining import JoinState, join_message
from ui.live.offers import INVITE_PROVIDER, PERSON_PROVIDER, PlayerOffers
from ui.live.quotas import Quotas
from ui.live.refusal import Refusal
from ui.live.table import LiveTable
from ui.live.tables import Tables

WATCHABLE_PACE_SECONDS = 0.8
"""Seconds before a program's move at a table opened to be watched, or with more than two seats: people can follow."""


class Seating:
    """Does what browsers ask for about tables and seats, after checking that they may."""

    def __init__(
        self,
        context: ServerContext,
        tables: Tables,
        offers: PlayerOffers,
        episode_preparer: EpisodePreparer,
        quotas: Quotas,
    ) -> None:
        self._context, self._tables, self._offers, self._episode_preparer = context, tables, offers, episode_preparer
        self._quotas = quotas
        self._listed_tables = context.listed_tables.list_open_tables()
        """The tables whose free seats the lobby offers to everybody, each with the browser that opened it."""
        self.change_listeners: list[Callable[[], None]] = []
        """Called when browsers begin or cease to wait for a seat: the owner's lobby lists them."""

    async def open_table(self, table_request: TableRequest, browser: str, address: str | None = None) -> Json:
        """Open a table; return {"episode", "go", "invitations", "spectators"}. Raises `Refusal`.

        `address` is that of the browser as limits count it.
        """
        context = self._context
        people, own_seat = table_request.people, table_request.own_seat
        with self._quotas.reserve_table(
            self._quotas.identify_applicant(browser, address), len(people)
        ) as record_opened_table:
            start_data = self._episode_preparer.build_start_event(table_request, browser)
            pace = table_request.pace
            if pace is None:
                pace = 0.0 if people and len(table_request.seats) <= 2 else WATCHABLE_PACE_SECONDS
            is_chosen = table_request.chooses_instance

            def store_table() -> tuple[str, dict[str, str]]:
                with context.writer.transaction():  # both or neither: nobody could enter a game without seats
                    [claim] = context.writer.claim_episodes([(start_data, None)], origin="table")
                    if table_request.turn_seconds is not None:
                        context.turn_clocks.add_clock(claim.episode)
                    table_facts = (claim.episode, browser, people, own_seat, pace, start_data.instance_hash, is_chosen)
                    seat_ids = context.links.open_table(*table_facts)
                    if table_request.listed:
                        context.listed_tables.add_table(claim.episode)
                    return claim.episode, seat_ids

            episode, seat_ids = await context.write(store_table)
            record_opened_table(episode)
            if table_request.listed:
                self._listed_tables[episode] = browser
            await self._tables.get_table(episode)
        log_fact("table opened", episode=episode, game=start_data.game, variant=start_data.variant, people=len(people))
        invitations = {
            seat: context.links.make_seat_path(seat_id) for seat, seat_id in seat_ids.items() if seat != own_seat
        }
        return {
            "episode": episode,
            "go": context.links.make_seat_path(seat_ids[own_seat]) if own_seat else f"/watch?episode={episode}",
            "invitations": invitations,
            "spectators": context.links.make_spectator_path(episode) if people else None,
        }

    # ------------------------------------------------------------------ taking seats
    async def claim_seat(
        self, link: SeatLink, browser: str, *, accepts_both_seats: bool = False, is_admitted: bool = False
    ) -> JoinState:
        """Let a browser hold a seat whose link it has opened, if it may; return how it stands with the seat now.

        The first browser that comes holds the seat. Another one does only when it is admitted: by a browser of the
        seat, by the owner of the server, or by whatever else proves who asks. A browser that plays at the table already
        has to accept that it sees both sides, which is recorded. Raises `Refusal` where it has watched the game.
        """
        context, links = self._context, self._context.links
        if links.holds_seat(browser, link.seat_id):
            return JoinState.SEATED
        table = await self._tables.get_table_by_seat(link)
        if table.is_over:
            return JoinState.OVER
        if links.has_watched(browser, link.episode):
            raise Refusal(403, "This browser has watched this game and seen both sides: it cannot take a seat there.")
        is_at_table = links.sits_at_table(browser, link.episode)
        if is_at_table and not accepts_both_seats:
            return JoinState.BOTH_SEATS
        if not is_admitted and (links.is_seat_taken(link.seat_id) or table.pages.is_open_elsewhere(link.seat, browser)):
            return JoinState.WAITING
        hold_seat = partial(self._hold_seat, link, browser, table.row.instance_hash, is_admitted)
        if is_at_table:
            is_seated = await table.record_seat_event_once(Kind.BOTH_SEATS, link.seat, hold_seat)
        elif links.count_exposures(browser).get(table.row.instance_hash) and table.episode:
            is_seated = await table.record_seat_event_once(Kind.SEEN_BEFORE, link.seat, hold_seat)
        else:
            is_seated = await context.write(hold_seat)
        return JoinState.SEATED if is_seated else JoinState.WAITING

    def list_free_seats(self) -> list[tuple[str, LiveTable, SeatLink]]:
        """Return the free seats that are offered to everybody: (the browser that offers it, table, seat)."""
        table_by_episode = {episode: self._tables.table_by_episode.get(episode) for episode in self._listed_tables}
        self._listed_tables = {
            episode: host_browser
            for episode, host_browser in self._listed_tables.items()
            if (table := table_by_episode[episode]) is None or not table.is_over
        }
        return [
            (host_browser, table, link)
            for episode, host_browser in self._listed_tables.items()
            if (table := table_by_episode[episode]) is not None
            for link in table.list_free_seats()
        ]

    async def join_listed_table(self, seat_id: str, browser: str) -> str:
        """Let a browser hold a free seat that the lobby offers; return the address of its page. Raises `Refusal`."""
        link = self._context.links.seat(seat_id)
        if link is None or link not in [free_link for _, _, free_link in self.list_free_seats()]:
            raise Refusal(409, "This seat is not free any more.", "Somebody else was faster, or the table was closed.")
        join_state = await self.claim_seat(link, browser)
        if join_state is JoinState.BOTH_SEATS:
            raise Refusal(409, "You play at this table already.", "Open it under “My games”.")
        if join_state is not JoinState.SEATED:
            raise Refusal(409, "This seat is not free any more.", "Somebody else was faster.")
        return f"/table?seat={link.seat_id}"

    def _hold_seat(self, link: SeatLink, browser: str, instance_hash: str, is_admitted: bool) -> bool:
        """Write that a browser holds a seat; return False if another one came first. For the thread that writes."""
        if not is_admitted:
            return self._context.links.claim_seat(browser, link.seat_id, instance_hash)
        self._context.links.hold_seat(browser, link.seat_id, instance_hash)
        return True

    async def record_arrival(self, link: SeatLink, browser: str) -> None:
        """Store that a browser has come to its seat, which from now on is its own."""
        if not self._context.links.has_arrived(browser, link.seat_id):
            await self._context.write(self._context.links.mark_arrived, browser, link.seat_id)

    async def ask_to_join(self, link: SeatLink, listener: Listener, *, accepts_both_seats: bool = False) -> None:
        """Claim a seat for the browser of a waiting page, tell the page, and let it wait where another one plays."""
        browser = listener.browser
        assert browser is not None
        table = await self._tables.get_table_by_seat(link)
        join_state = await self.claim_seat(link, browser, accepts_both_seats=accepts_both_seats)
        if join_state is JoinState.WAITING and not table.join_requests.may_ask(link.seat, browser):
            join_state = JoinState.REFUSED
        listener.enqueue(to_json(join_message(join_state, self._context.links.list_held_seats(browser, link.episode))))
        if join_state is JoinState.WAITING:
            table.join_requests.add_request(link.seat, listener, accepts_both_seats=accepts_both_seats)
            self._notify_pages(table)

    async def cancel_join_request(self, link: SeatLink, listener: Listener) -> None:
        """Forget a waiting page that is closed."""
        if table := self._tables.table_by_episode.get(link.episode):
            table.join_requests.remove_listener(link.seat, listener)
            self._notify_pages(table)

    async def answer_request(self, link: SeatLink, request_id: str, *, is_admitted: bool) -> None:
        """Let a waiting browser in to a seat, or refuse it. The caller checks who may. Raises `Refusal`."""
        table = await self._tables.get_table_by_seat(link)
        join_request = table.join_requests.get_request(link.seat, request_id)
        if join_request is None:
            raise Refusal(409, "that browser does not wait any more")
        join_state = JoinState.REFUSED
        if is_admitted:
            join_state = await self.claim_seat(
                link, join_request.browser, accepts_both_seats=join_request.accepts_both_seats, is_admitted=True
            )
        if table.join_requests.get_request(link.seat, request_id):
            table.join_requests.answer_request(link.seat, request_id, join_state)
        self._notify_pages(table)

    def _notify_pages(self, table: LiveTable) -> None:
        if not table.is_closed:
            table.pages.update_pages()
        for listener in self.change_listeners:
            listener()

    # ------------------------------------------------------------------ what browsers have seen
    async def record_spectator(self, table: LiveTable, browser: str | None) -> None:
        """Store that a browser sees both sides of a game, before it does. Raises `Refusal` where that is impossible."""
        links = self._context.links
        async with table.watching_lock:  # a page asks twice at once, and is recorded once
            if browser and not links.has_watched(browser, table.id):
                mark_watched = partial(links.mark_watched, browser, table.id, table.row.instance_hash)
                if table.has_people:
                    await table.record_watching(mark_watched)
                else:
                    await self._context.write(mark_watched)
        await self.record_seen_instance(table, browser)

    async def record_seen_instance(self, table: LiveTable, browser: str | None) -> None:
        """Store with each game that a browser plays of the same instance that it now sees the other side of it."""
        for link in self._context.links.list_unfinished_seats(browser, table.row.instance_hash):
            if link.episode != table.id:
                played_table = await self._tables.get_table_by_seat(link)
                if played_table.episode and not played_table.is_over:  # else another process plays it, or nobody can
                    await played_table.record_seat_event_once(Kind.SEEN_BEFORE, link.seat)

    # ------------------------------------------------------------------ players

    async def retry_players(self, table: LiveTable, browser: str) -> None:
        """Ask the players again that could not answer, where this browser may seat them."""
        if table.episode is None and table.blocked_reason and not table.is_foreign and not table.is_over:
            self._tables.drop_table(table)  # what was missing may be there now: the next load tries again
            return
        opened_table = self._context.links.read_opened_table(table.id)
        for seat in table.list_silent_seats():
            assert table.episode and table.game
            player_address = table.player(seat)
            self._offers.check_player_allowed(table.game, player_address, browser)
            if isinstance(table.episode.players[seat], AbsentPlayer):
                table.episode.players[seat] = self._episode_preparer.make_returning_player(
                    table.game, seat, player_address, opened_table
                )
        await table.retry_players()

    async def hand_over_seat(self, table: LiveTable, seat: str | None, address: str, browser: str) -> str | None:
        """Seat another player, without a `seat` at the first one whose player cannot answer.

        Returns the link for another person, None for a program. Raises `Refusal`.
        """
        seat = seat or next(iter(table.list_silent_seats()), None)
        if seat is None:
            raise Refusal(409, "no player has to be replaced: all that are asked may still answer")
        if seat not in table.row.seats or table.game is None:
            raise Refusal(422, f"no seat {seat!r}; there are {', '.join(table.row.seats)}")
        is_person = address in (PERSON_PROVIDER, INVITE_PROVIDER)
        if is_person and table.player(seat) != PERSON_PROVIDER:
            self._quotas.check_player()
        variant = table.game.variant(table.row.variant)
        address = PERSON_PROVIDER if is_person else self._offers.resolve_player(table.game, variant, address, browser)
        if reason := self._context.registry.find_unreadable_reason(address, read_instance(table.start)):
            raise Refusal(422, reason)
        links, seat_ids = self._context.links, list[str | None]()
        player = self._episode_preparer.make_player(table.game, seat, address)
        await table.hand_over_seat(
            seat, address, player, lambda: seat_ids.append(links.replace_seat(table.id, seat, is_person))
        )
        return links.make_seat_path(seat_ids[-1]) if seat_ids[-1] else None
