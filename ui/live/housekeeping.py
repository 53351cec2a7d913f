"""What a server does to its tables without being asked: follow other processes, close what is idle, end what is left.

Also the removal of a person's games, which other processes follow in the same way.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.ids import now_ms
from engine.storage.removal import Removal, find_removable_episodes, remove_games
from engine.storage.search_index import remove_deleted
from ui.live.context import ServerContext
from ui.live.refusal import Refusal
from ui.live.tables import Tables

logger = logging.getLogger("ludens.live")

LOG_POLL_SECONDS = 0.3
"""Seconds between looks for what other processes wrote."""
LOADING_POLL_SECONDS = 1.0
"""Seconds between looks at models that are being loaded."""
HEARTBEAT_INTERVAL_SECONDS = 10.0
IDLE_TABLES_CHECK_SECONDS = 60.0
ABANDONED_GAMES_INTERVAL_SECONDS = 600.0
DAY_MS = 86_400_000


class Housekeeping:
    """The background work of one server. Games that nobody has answered in for `abandon_days` are ended."""

    def __init__(self, context: ServerContext, tables: Tables, *, abandon_days: float) -> None:
        self._context, self._tables = context, tables
        self._abandon_ms = int(abandon_days * DAY_MS)
        self._known_version = -1
        self._known_removals = context.reader.count_removals()
        self.change_listeners: list[Callable[[], None]] = []
        """Called when any process has written: lists may have changed."""

    def start_tasks(self) -> None:
        """Start the background work, and continue the games between programs that were open when a server ended."""
        for pause_seconds, action in (
            (LOG_POLL_SECONDS, self._follow_log),
            (LOADING_POLL_SECONDS, self._update_loading),
            (HEARTBEAT_INTERVAL_SECONDS, self._record_heartbeats),
            (IDLE_TABLES_CHECK_SECONDS, self._tables.close_idle_tables),
            (ABANDONED_GAMES_INTERVAL_SECONDS, self._end_abandoned_games),
        ):
            self._context.run_every(pause_seconds, action)
        self._context.run_in_background(self._resume_programs())

    async def remove_browser_games(self, browser: str) -> Removal:
        """Remove all games in which a browser held a seat from the log, for good; return what was removed."""
        return await self._remove_games(find_removable_episodes(self._context.reader, [browser]))

    async def remove_episodes(self, episodes: Sequence[str]) -> Removal:
        """Remove whole games from the log, for good; return what was removed."""
        return await self._remove_games(find_removable_episodes(self._context.reader, [], episodes))

    async def _remove_games(self, game_removal: Removal) -> Removal:
        context = self._context
        if not await context.write(remove_games, context.writer, context.links, game_removal):
            logger.warning("another process is reading the log: what was removed leaves the write-ahead log later")
        await self._tables.close_removed_tables(game_removal.episodes)
        await self._drop_removed_tables()
        self._call_change_listeners()
        await self._clean_search_index()
        return game_removal

    async def _clean_search_index(self) -> None:
        log_path = self._context.reader.path
        try:
            is_cleaned = await self._context.run_in_thread(remove_deleted, log_path)
        except StoreError as error:
            logger.warning("what was removed is still in the search index, but no search shows it: %s", error)
        else:
            if not is_cleaned:
                logger.warning("another process is reading the search index: what was removed leaves it later")

    async def _resume_programs(self) -> None:
        for episode_row in self._context.reader.episodes(status=Status.OPEN, people=False):
            if episode_row.origin == "table" and not self._context.links.has_people(episode_row.id):
                await self._tables.get_table(episode_row.id)

    async def _follow_log(self) -> None:
        """Take in what other processes wrote."""
        data_version = self._context.reader.read_data_version()
        if data_version == self._known_version:
            return
        self._known_version = data_version
        await self._drop_removed_tables()
        for table in [
            table for table in self._tables.table_by_episode.values() if table.is_foreign and not table.is_over
        ]:
            if events := self._context.reader.events(table.id, after_number=len(table.record.log) - 1):
                table.append_events(events)
        self._call_change_listeners()

    def _call_change_listeners(self) -> None:
        for listener in self.change_listeners:
            listener()

    async def _drop_removed_tables(self) -> None:
        """Close the tables whose episodes were removed from the log."""
        if (removals := self._context.reader.count_removals()) == self._known_removals:
            return
        self._known_removals = removals
        reader = self._context.reader
        await self._tables.close_removed_tables(
            [episode for episode in self._tables.table_by_episode if reader.status(episode) is None]
        )

    async def _update_loading(self) -> None:
        for table in list(self._tables.table_by_episode.values()):
            table.update_loaded_share()

    async def _record_heartbeats(self) -> None:
        """Say that this process is alive, and take over tables whose server is gone."""
        context = self._context
        await context.write(context.writer.record_heartbeat)
        for table in [
            table for table in self._tables.table_by_episode.values() if table.is_foreign and not table.is_over
        ]:
            if table.blocked_reason:
                has_lease = await context.write(context.writer.acquire_lease, table.id)
                if has_lease:
                    self._tables.drop_table(table)  # the next load plays it here

    async def _end_abandoned_games(self) -> None:
        """End the games that nobody has answered in for too long."""
        for episode in self._context.reader.list_abandoned_tables(now_ms() - self._abandon_ms):
            try:
                table = await self._tables.get_table(episode)
                if table and table.episode and not table.is_over:
                    await table.end_game("nobody answered")
            except Refusal as refusal:
                logger.warning("episode %s stays open: %s", episode, refusal)
