"""The tables whose free seats are offered to everybody, in the database: an offer outlasts a restart of the server."""

from __future__ import annotations

import sqlite3

from engine.storage.migrations import Migrations
from engine.storage.store import Store

LIST_MIGRATIONS = Migrations("ludens.listed")


@LIST_MIGRATIONS.step
def m001_listed_tables(db: sqlite3.Connection) -> None:
    """Create the list of tables whose free seats are offered."""
    db.execute("CREATE TABLE listed_table (episode TEXT PRIMARY KEY) WITHOUT ROWID")


class ListedTables:
    """What is stored of offers. Reads through one connection, writes through another, as `SeatLinks` does."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(LIST_MIGRATIONS)
        self._reader, self._writer = reader.sqlite_db, writer.sqlite_db
        self._transaction = writer.transaction

    def add_table(self, episode: str) -> None:
        """Store that the free seats of a table are offered."""
        with self._transaction():
            self._writer.execute("INSERT INTO listed_table (episode) VALUES (?)", (episode,))

    def list_open_tables(self) -> dict[str, str]:
        """Return the unfinished episodes whose seats are offered, each with the browser that opened its table."""
        table_rows = self._reader.execute(
            "SELECT opened.episode, opened.browser FROM listed_table JOIN opened USING (episode)"
            " JOIN episode ON episode.id = opened.episode WHERE status != 'over'"
        )
        return dict(table_rows.fetchall())
