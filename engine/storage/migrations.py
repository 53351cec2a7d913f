"""Numbered changes of the database's tables, recorded in it by name, so that every file says which of them it has.

The record is the table `_sqlite_migrations`, laid out as sqlite-utils does, whose `sqlite-utils migrate --list` reads
it. The library itself is not used: it imports pandas, which doubled the time of every command that opens a log.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from sqlite3 import Connection

Step = Callable[[Connection], None]
"""One change; its function's name, such as `m001_events`, is what the file remembers."""

RECORD = (
    "CREATE TABLE IF NOT EXISTS _sqlite_migrations"
    " (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)",
    "CREATE UNIQUE INDEX IF NOT EXISTS idx__sqlite_migrations_migration_set_name"
    " ON _sqlite_migrations (migration_set, name)",
)


class Migrations:
    """A set of changes under one name, in the order in which they were declared."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.steps: dict[str, Step] = {}

    def step(self, change: Step) -> Step:
        """Declare a change; to be used as a decorator."""
        self.steps[change.__name__] = change
        return change

    def applied(self, conn: Connection) -> list[str]:
        """Return the names of the changes that a file has, oldest first."""
        if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone():
            return []
        applied_rows = conn.execute(
            "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid", (self.name,)
        )
        return [str(name) for (name,) in applied_rows]

    def pending(self, conn: Connection) -> list[str]:
        """Return the names of the changes that a file lacks, in order."""
        applied_names = set(self.applied(conn))
        return [name for name in self.steps if name not in applied_names]

    def apply(self, conn: Connection) -> None:
        """Make the changes that a file lacks and record them; the caller holds the transaction."""
        for statement in RECORD:
            conn.execute(statement)
        for name in self.pending(conn):
            self.steps[name](conn)
            conn.execute(
                "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, ?, ?)",
                (self.name, name, str(datetime.now(UTC))),
            )
