"""The turn clocks of open tables in the database: how long each reply may still take.

Stored is what is left and not when it ends, so that time in which no server runs counts for nobody.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

from engine.core.events import to_json
from engine.storage.migrations import Migrations
from engine.storage.store import Store

CLOCK_MIGRATIONS = Migrations("ludens.clocks")

RemainingMsByTurn = Mapping[str, int]
"""Milliseconds left, by the turn they are for."""


@CLOCK_MIGRATIONS.step
def m001_turn_clocks(db: sqlite3.Connection) -> None:
    """Create the clocks of tables: JSON of the milliseconds left, by turn."""
    db.execute("CREATE TABLE turn_clock (episode TEXT PRIMARY KEY, remaining TEXT NOT NULL) WITHOUT ROWID")


class TurnClocks:
    """What is stored of turn clocks. Reads through one connection, writes through another, as `SeatLinks` does."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(CLOCK_MIGRATIONS)
        self._reader, self._writer = reader.sqlite_db, writer.sqlite_db
        self._transaction = writer.transaction

    def add_clock(self, episode: str) -> None:
        """Store that replies at a table are timed."""
        with self._transaction():
            self._writer.execute("INSERT INTO turn_clock (episode, remaining) VALUES (?, '{}')", (episode,))

    def read_remaining_ms(self, episode: str) -> RemainingMsByTurn:
        """Return what was left of a table's turns when that was stored last."""
        clock_row = self._reader.execute("SELECT remaining FROM turn_clock WHERE episode = ?", (episode,)).fetchone()
        return json.loads(clock_row[0]) if clock_row else {}

    def store_remaining_ms(self, remaining_by_episode: Mapping[str, RemainingMsByTurn]) -> None:
        """Store what is left of the turns of tables, by episode."""
        with self._transaction():
            self._writer.executemany(
                "UPDATE turn_clock SET remaining = ? WHERE episode = ?",
                [(to_json(remaining_turns), episode) for episode, remaining_turns in remaining_by_episode.items()],
            )

    def open_episodes(self) -> list[str]:
        """Return the unfinished episodes whose replies are timed."""
        episode_rows = self._reader.execute(
            "SELECT turn_clock.episode FROM turn_clock JOIN episode ON id = turn_clock.episode WHERE status != 'over'"
        )
        return [episode for (episode,) in episode_rows]

    def remove_finished(self) -> None:
        """Delete the clocks of games that are over or were removed."""
        with self._transaction():
            self._writer.execute(
                "DELETE FROM turn_clock WHERE NOT EXISTS"
                " (SELECT 1 FROM episode WHERE id = turn_clock.episode AND status != 'over')"
            )
