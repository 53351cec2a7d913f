"""The pages that are open at one table: who listens, and when they are sent what has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.events import Json
from engine.storage.ids import now_ms
from ui.live.boards import Boards
from ui.live.context import ServerContext
from ui.live.feeds import FORBIDDEN_CLOSE_CODE, Coalescer, Feed, Listener
from ui.live.messages import describe_ask, describe_for_spectators, describe_seat

if TYPE_CHECKING:
    from ui.live.table import LiveTable


class TablePages:
    """The feeds of a table: one for each seat's pages, one for all spectators."""

    def __init__(self, table: LiveTable, context: ServerContext) -> None:
        self._table, self._context = table, context
        self._seats = {seat: Feed() for seat in table.row.seats}
        self._spectators = Feed()
        self._boards = Boards(table.game, table.record)
        self._seat_update = Coalescer(self._update_seats, context.run_in_background)
        self._spectator_update = Coalescer(self._update_spectators, context.run_in_background)

    # ------------------------------------------------------------------ who listens
    @property
    def has_listeners(self) -> bool:
        """Whether any page of this table is open."""
        return bool(self._spectators.listeners) or any(feed.listeners for feed in self._seats.values())

    @property
    def has_spectators(self) -> bool:
        """Whether anybody watches."""
        return bool(self._spectators.listeners)

    def has_viewer(self, seat: str) -> bool:
        """Return whether somebody looks at a page of a seat."""
        return any(listener.is_viewed for listener in self._seats[seat].listeners)

    def has_page(self, seat: str) -> bool:
        """Return whether a page of a seat is open."""
        return bool(self._seats[seat].listeners)

    def is_open_in_several_browsers(self, seat: str) -> bool:
        """Return whether more than one browser has a page of this seat open."""
        return len({listener.browser for listener in self._seats[seat].listeners}) > 1

    def is_open_elsewhere(self, seat: str, browser: str) -> bool:
        """Return whether another browser has a page of this seat open."""
        return any(listener.browser != browser for listener in self._seats[seat].listeners)

    async def attach_seat(self, seat: str, listener: Listener) -> None:
        """Send a page of a seat the whole state now, and changes from now on."""
        await self._draw_pictures()
        feed = self._seats[seat]
        self._publish_seat(seat)
        reply_request_json = describe_ask(self._table, seat)
        if reply_request_json:
            reply_request_json["draft"] = self._context.links.read_draft(
                self._table.seat_links[seat].seat_id, reply_request_json["id"]
            )
        listener.enqueue(feed.make_full_message({"ask": reply_request_json, "now": now_ms()}))
        listener.is_viewed = True
        feed.listeners.add(listener)
        self._table.update_presence(seat)
        if self.is_open_in_several_browsers(seat):
            self.update_pages()

    async def attach_spectator(self, listener: Listener, *, is_host: bool = False) -> None:
        """Send a spectator the whole state now, and changes from now on; `is_host` marks the table's opener."""
        await self.make_snapshot()
        listener.enqueue(self._spectators.make_full_message({"now": now_ms()} | ({"host": True} if is_host else {})))
        self._spectators.listeners.add(listener)

    def detach_seat(self, seat: str, listener: Listener) -> None:
        """Send nothing more to a page of a seat."""
        was_open_elsewhere = self.is_open_in_several_browsers(seat)
        self._seats[seat].listeners.discard(listener)
        self._table.update_presence(seat)
        if was_open_elsewhere and not self._table.is_closed:
            self.update_pages()

    def detach_spectator(self, listener: Listener) -> None:
        """Send nothing more to a spectator."""
        self._spectators.listeners.discard(listener)
        self._table.record_last_use()

    def disconnect_seat(self, seat: str) -> None:
        """Close the pages of a seat that changes hands."""
        self._seats[seat].close(FORBIDDEN_CLOSE_CODE)

    def disconnect_spectators(self) -> None:
        """Close the pages of spectators: from now on they need the spectator link."""
        self._spectators.close(FORBIDDEN_CLOSE_CODE)

    def close(self, close_code: int) -> None:
        """Close all pages with a code that says why."""
        for feed in (*self._seats.values(), self._spectators):
            feed.close(close_code)

    # ------------------------------------------------------------------ what they are sent
    def update_pages(self) -> None:
        """Send all pages what has changed, soon."""
        self._seat_update()
        self.update_spectators()

    def update_spectators(self) -> None:
        """Send spectators what has changed, soon. One who comes later gets the whole."""
        if self.has_spectators:
            self._spectator_update()

    async def make_snapshot(self) -> str:
        """Return the whole message of spectators."""
        self._table.record_last_use()
        await self._render_boards()
        if not self._spectators.listeners:  # otherwise they get it first: a newcomer must not get it twice
            self._spectators.publish(*self._make_spectator_message())
        return self._spectators.make_full_message()

    async def _update_seats(self) -> None:
        await self._draw_pictures()
        for seat, feed in self._seats.items():
            if feed.listeners:
                self._publish_seat(seat)

    async def _update_spectators(self) -> None:
        if self._spectators.listeners:
            await self._render_boards()
            await self._spectators.publish_to_many(*self._make_spectator_message())

    def _publish_seat(self, seat: str) -> None:
        seat_lines = self._table.record.conversations[seat].lines
        self._seats[seat].publish(describe_seat(self._table, seat), seat_lines)

    def _make_spectator_message(self) -> tuple[Json, list[Json]]:
        spectator_lines = self._boards.list_linked_lines(
            lambda panel: self._table.pictures.link_picture(panel, "watch")
        )
        return describe_for_spectators(self._table), spectator_lines

    # ------------------------------------------------------------------ drawing
    def _list_undrawn_pictures(self) -> set[str]:
        pinned_exhibits = [
            pinned_exhibit
            for conversation in self._table.record.conversations.values()
            for pinned_exhibit in conversation.pinned_exhibits
        ]
        return self._table.pictures.find_undrawn_assets([*pinned_exhibits, *self._boards.list_panels()])

    async def _draw_pictures(self) -> None:
        """Draw all pictures that the next messages link to."""
        while undrawn_assets := self._list_undrawn_pictures():
            for asset in undrawn_assets:
                await self._table.pictures.draw_asset(asset)

    async def _render_boards(self) -> None:
        """Render boards and pictures until they have caught up with what happened meanwhile."""
        while self._boards.has_unrendered_lines or self._list_undrawn_pictures():
            self._boards.render_boards()
            await self._draw_pictures()
