"""One connection to an SQLite file that many processes share: opening, migrating, transactions, copying, cleaning.

The file uses the write-ahead log: readers and one writer at a time, which waits up to `busy_seconds()` for another one.
What a committed transaction wrote survives kill -9.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Self

from engine.storage.migrations import Migrations

BUSY_SECONDS = "LUDENS_BUSY_SECONDS"
"""The environment variable that says how long to wait for another process that writes; 10 seconds without it."""

SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.0002, 0.05
"""The pause between two attempts while another connection is in the way; it doubles each time."""

DatabaseUnavailable = sqlite3.OperationalError
"""What SQLite raises where the file cannot be used now: locked, disk full, read-only. Nothing was written."""


class StoreError(Exception):
    """The database cannot do what was asked; the message names the next step."""


class NewerDatabase(StoreError):
    """A newer Ludens wrote the file."""


class Database:
    """One connection to an SQLite file, which is created if missing. Use it from one thread at a time.

    Raises `StoreError` for a path that cannot be opened.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.sqlite_db = sqlite3.connect(
                self.path, timeout=busy_seconds(), isolation_level=None, check_same_thread=False
            )
            _execute_when_free(self.sqlite_db, "PRAGMA journal_mode=WAL")  # a new file may be busy
            self.sqlite_db.execute("PRAGMA synchronous=NORMAL")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the database {self.path}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self.sqlite_db.close()

    def migrate(self, migrations: Migrations) -> None:
        """Apply a set of numbered migrations. Raises `NewerDatabase` for a file with one that this Ludens lacks."""
        unknown_migrations = [
            n for n in migrations.list_applied_migrations(self.sqlite_db) if n not in migrations.steps
        ]
        if unknown_migrations:
            raise NewerDatabase(
                f"{self.path} was written by a newer Ludens (it has {', '.join(unknown_migrations)}): update Ludens, "
                "or choose another file with --db"
            )
        if migrations.list_pending_migrations(self.sqlite_db):
            with self.transaction():  # `apply` checks again: another process may have been faster
                migrations.apply_pending_migrations(self.sqlite_db)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit everything written inside together, or nothing if it raises. Inner transactions join the outer one."""
        if self.sqlite_db.in_transaction:
            yield
            return
        self._begin_writing()
        try:
            self._on_transaction_begin()
            yield
            self.sqlite_db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _begin_writing(self) -> None:
        """Begin a transaction as soon as no other connection writes.

        SQLite's own wait grows from 1 ms to 100 ms between two attempts; two processes of a run are writing again by
        then. Raises `DatabaseUnavailable` after `busy_seconds()`.
        """
        self.sqlite_db.execute("PRAGMA busy_timeout = 0")
        try:
            _execute_when_free(self.sqlite_db, "BEGIN IMMEDIATE")
        finally:
            self.sqlite_db.execute(f"PRAGMA busy_timeout = {int(busy_seconds() * 1000)}")

    def _roll_back(self) -> None:
        if self.sqlite_db.in_transaction:  # on a full disk SQLite may have rolled back by itself
            self.sqlite_db.execute("ROLLBACK")

    def _on_transaction_begin(self) -> None:
        """Do what must happen first in every transaction."""

    def has_table(self, table_name: str) -> bool:
        """Return whether the file has a table of this name."""
        return (
            self.sqlite_db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table_name,)).fetchone() is not None
        )

    def read_data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        return int(self.sqlite_db.execute("PRAGMA data_version").fetchone()[0])

    def find_integrity_faults(self) -> list[str]:
        """Return what SQLite's integrity check reports; empty for an intact file."""
        check_messages = [str(check_message) for (check_message,) in self.sqlite_db.execute("PRAGMA integrity_check")]
        return [check_message for check_message in check_messages if check_message != "ok"]

    def copy_to(self, path: Path) -> None:
        """Copy the file, which may be in use, to another path."""
        with closing(sqlite3.connect(path)) as database_copy:
            self.sqlite_db.backup(database_copy)

    def sync_rarely(self) -> None:
        """Move the write-ahead log into the file every 16 MB instead of every 4, for whoever writes all the time.

        Each move waits for the disk. A kill costs nothing; a power cut costs what the system has not written yet.
        """
        self.sqlite_db.execute("PRAGMA wal_autocheckpoint = 4000")

    def enable_secure_delete(self) -> None:
        """Overwrite with zeros whatever this connection deletes from now on."""
        self.sqlite_db.execute("PRAGMA secure_delete = ON")

    def empty_write_ahead_log(self) -> bool:
        """Move the write-ahead log into the file; return whether it is empty now.

        A reader or a full disk can prevent that.
        """
        try:
            is_busy, _, _ = self.sqlite_db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except DatabaseUnavailable:
            return False
        return not is_busy

    def merge_into_one_file(self) -> None:
        """Move everything into the one file, without a write-ahead log; the next connection uses one again."""
        self.sqlite_db.execute("PRAGMA journal_mode=DELETE")

    def rewrite(self) -> bool:
        """Write the whole file anew, without remains of deleted rows; return whether the write-ahead log is empty."""
        self.sqlite_db.execute("VACUUM")
        return self.empty_write_ahead_log()


def busy_seconds() -> float:
    """Return how long a connection waits for another one that writes, in seconds."""
    return float(os.environ.get(BUSY_SECONDS) or 10)


def _execute_when_free(db: sqlite3.Connection, statement: str) -> None:
    """Execute a statement for which SQLite does not wait as soon as no other connection is in the way.

    Raises `DatabaseUnavailable` after `busy_seconds()`.
    """
    deadline, pause_seconds = time.monotonic() + busy_seconds(), SHORTEST_PAUSE_SECONDS
    while True:
        try:
            db.execute(statement)
            return
        except DatabaseUnavailable as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(pause_seconds)
        pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)
