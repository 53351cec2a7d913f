"""Numbered changes of the database's tables, recorded in it by name, so that every file says which of them it has.

sqlite-utils applies and records them, in the table `_sqlite_migrations`, whose `sqlite-utils migrate --list` reads it.
Which changes a file lacks is asked here with one SELECT, so that opening a file that lacks none does not import it.
"""

from __future__ import annotations

from collections.abc import Callable
from sqlite3 import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

Step = Callable[[Connection], None]
"""One change; its function's name, such as `m001_events`, is what the file remembers."""

MIGRATION_RECORD_STATEMENTS = (  # as every file has it; sqlite-utils would lay out the same columns in other words
    "CREATE TABLE IF NOT EXISTS _sqlite_migrations"
    " (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT)",
    "CREATE UNIQUE INDEX IF NOT EXISTS idx__sqlite_migrations_migration_set_name"
    " ON _sqlite_migrations (migration_set, name)",
)


class Migrations:
    """A set of changes under one name, in the order in which they were declared."""

    def __init__(self, set_name: str) -> None:
        self.name = set_name
        self.steps: dict[str, Step] = {}

    def step(self, migration: Step) -> Step:
        """Declare a change; to be used as a decorator."""
        self.steps[migration.__name__] = migration
        return migration

    def list_applied_migrations(self, db: Connection) -> list[str]:
        """Return the names of the changes that a file has, oldest first."""
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone():
            return []
        applied_rows = db.execute(
            "SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid", (self.name,)
        )
        return [str(migration_name) for (migration_name,) in applied_rows]

    def list_pending_migrations(self, db: Connection) -> list[str]:
        """Return the names of the changes that a file lacks, in order."""
        applied_names = set(self.list_applied_migrations(db))
        return [migration_name for migration_name in self.steps if migration_name not in applied_names]

    def apply_pending_migrations(self, db: Connection) -> None:
        """Make the changes that a file lacks and record them.

        The caller holds the transaction: sqlite-utils alone begins one that only reads at first, and of several
        processes that open an old file all but one would fail.
        """
        from engine.storage.sqlite_library import sqlite_utils, wrap_connection

        for statement in MIGRATION_RECORD_STATEMENTS:
            db.execute(statement)
        migrations = sqlite_utils.Migrations(self.name)
        for migration_name, migration in self.steps.items():
            migrations(name=migration_name)(_adapt_to_sqlite_utils(migration))
        migrations.apply(wrap_connection(db))


def _adapt_to_sqlite_utils(migration: Step) -> Callable[[Database], None]:
    """Return a change as sqlite-utils calls it."""

    def apply_migration(database: Database) -> None:
        migration(database.conn)

    return apply_migration
