"""The tables in memory: loaded from the log when somebody needs them, resumed, and dropped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from weakref import WeakValueDictionary

from engine.core.events import Event, Kind
from engine.core.game import Game
from engine.core.master import RulesChanged
from engine.core.start import EpisodeStart
from engine.play.episode import Episode
from engine.storage.database import StoreError
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.seat_links import SeatLink
from engine.storage.store import LostLease
from ui.live.context import ServerContext
from ui.live.dealing import EpisodePreparer
from ui.live.feeds import GONE_CLOSE_CODE, RESTART_CLOSE_CODE
from ui.live.refusal import Refusal, make_storage_refusal
from ui.live.table import LiveTable

logger = logging.getLogger("ludens.live")


class Tables:
    """The live tables by episode id. An episode is loaded at most once at a time."""

    def __init__(self, context: ServerContext, episode_preparer: EpisodePreparer) -> None:
        self._context, self._episode_preparer = context, episode_preparer
        self.table_by_episode: dict[str, LiveTable] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closing_tasks: dict[str, asyncio.Task[None]] = {}
        """Dropped tables that are being closed: until then their lease is theirs."""

    async def get_table(self, episode: str) -> LiveTable | None:
        """Return the table of an episode, from memory or from the log; None where there is no such episode."""
        async with self._get_lock(episode):
            table = self.table_by_episode.get(episode)
            if table is None:
                if closing_task := self._closing_tasks.pop(episode, None):
                    await asyncio.wait([closing_task])
                table = await self._load_table(episode)
                if table is not None:
                    self.table_by_episode[episode] = table
        if table is not None:
            table.record_last_use()
        return table

    async def get_table_by_seat(self, link: SeatLink) -> LiveTable:
        """Return the table of a seat; raise `Refusal` where its episode was removed."""
        table = await self.get_table(link.episode)
        if table is None:
            raise Refusal(404, "this game is not in the database any more")
        return table

    def drop_table(self, table: LiveTable) -> None:
        """Drop a table whose memory cannot be trusted; the next request for it loads it from the log."""
        if self.table_by_episode.get(table.id) is table:
            del self.table_by_episode[table.id]
            self._closing_tasks[table.id] = self._context.run_in_background(table.close(RESTART_CLOSE_CODE))

    async def assign_program_to_seat(
        self, table: LiveTable, seat: str, address: str, reason: str, *, may_proceed: Callable[[], bool] | None = None
    ) -> None:
        """Let a program take the seat of a player who is gone. Raises what `LiveTable.hand_over_seat` does."""
        assert table.game is not None
        links = self._context.links
        await table.hand_over_seat(
            seat,
            address,
            self._episode_preparer.make_player(table.game, seat, address),
            lambda: links.replace_seat(table.id, seat, is_for_person=False),
            reason=reason,
            may_proceed=may_proceed,
        )

    async def close_idle_tables(self) -> None:
        """Close the tables that nobody needs."""
        for table in list(self.table_by_episode.values()):
            async with self._get_lock(table.id):
                if self.table_by_episode.get(table.id) is table and table.is_idle():
                    await self._close_table(table, RESTART_CLOSE_CODE)

    async def close_removed_tables(self, episodes: Iterable[str]) -> None:
        """Close the tables of episodes that leave the log."""
        for episode in episodes:
            async with self._get_lock(episode):
                if table := self.table_by_episode.get(episode):
                    await self._close_table(table, GONE_CLOSE_CODE)

    async def close_all_tables(self) -> None:
        """Close all tables: the server stops."""
        for table in list(self.table_by_episode.values()):
            await table.close(RESTART_CLOSE_CODE)

    async def _close_table(self, table: LiveTable, close_code: int) -> None:
        del self.table_by_episode[table.id]
        table.pictures.forget_addresses()
        await table.close(close_code)

    def _get_lock(self, episode: str) -> asyncio.Lock:
        """Return the lock under which an episode is loaded or closed; it exists as long as somebody holds it."""
        episode_lock = self._locks.get(episode)
        if episode_lock is None:
            episode_lock = self._locks[episode] = asyncio.Lock()
        return episode_lock

    # ------------------------------------------------------------------ loading
    async def _load_table(self, episode: str) -> LiveTable | None:
        context = self._context
        try:
            episode_row = context.reader.episode(episode)
        except StoreError:
            return None
        if episode_row.id != episode:  # it was found by the beginning of its id
            return None
        table = LiveTable(context, episode_row, self._find_game(episode_row), self.drop_table)
        if episode_row.status is Status.OVER:
            table.append_events(context.reader.events(episode))
        elif episode_row.origin != "table" or not await context.write(context.writer.acquire_lease, episode):
            table.is_foreign = True
            if episode_row.origin == "table":
                table.blocked_reason = "Another Ludens server has this game open."
            table.append_events(context.reader.events(episode))
        else:
            await self._resume_game(table)
        return table

    def _find_game(self, episode_row: EpisodeRow) -> Game | None:
        try:
            return self._context.registry.game(episode_row.game)
        except LookupError:
            return None

    async def _resume_game(self, table: LiveTable) -> None:
        """Continue an episode that this process may write; where that is impossible, leave it readable and say why."""
        context = self._context
        events = context.reader.events(table.id)
        try:
            table.adopt_episode(await self._continue_episode(table, events))
        except LostLease as error:
            raise make_storage_refusal(error) from error
        except RulesChanged as error:
            logger.warning("episode %s: %s", table.id, error)
            table.blocked_reason = "This game was begun under other rules. It can be read, but not continued."
        except (LookupError, ValueError, StoreError, Refusal) as error:
            logger.warning("episode %s: %s", table.id, error)
            table.blocked_reason = f"This game cannot go on: {error}"
        if table.blocked_reason:
            table.append_events(events)
            await context.write(context.writer.mark_stalled, table.id, table.blocked_reason)
            await context.write(context.writer.release_lease, table.id)
        table.start_playing()

    async def _continue_episode(self, table: LiveTable, events: Sequence[Event]) -> Episode:
        """Return the episode of a table, with its players, where the log left it."""
        if table.game is None:
            raise LookupError(f"the game {table.row.game} is not here any more")
        player_by_seat = {str(event.seat): event.data["player"] for event in events if event.kind is Kind.SEAT}
        opened_table = self._context.links.read_opened_table(table.id)
        players = {
            seat: self._episode_preparer.make_returning_player(table.game, seat, address, opened_table)
            for seat, address in (table.row.seats | player_by_seat).items()
        }
        if events:
            return Episode.resume(table.id, table.game, list(events), players, self._context.group_commit)
        # the server died between opening the table and its first event
        episode_start = EpisodeStart.model_validate(table.row.start)
        return await Episode.begin_episode(table.id, table.game, episode_start, players, self._context.group_commit)
