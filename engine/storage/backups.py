"""Copies of a log in use: written whole or not at all, rotated; and putting one back in the place of the log."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from engine.storage.database import StoreError

BACKUP_PREFIX, BACKUP_SUFFIX = "ludens-", ".db"
PARTIAL_FILE_SUFFIX = ".partial"
WAL_FILE_SUFFIXES = ("-wal", "-shm")


def write_backup(database_path: Path, folder: Path, kept_backup_count: int) -> Path:
    """Copy a log into a folder as `ludens-TIME.db`, delete all but the newest `keep` copies, and return the path.

    Other processes go on writing meanwhile; the copy has everything committed before it began. Raises `StoreError` or
    `OSError` where no whole copy can be written; then the earlier copies stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for stale_file in folder.glob(f"{BACKUP_PREFIX}*{PARTIAL_FILE_SUFFIX}"):  # of a process that was killed
        stale_file.unlink()
    backup_name = f"{BACKUP_PREFIX}{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}{BACKUP_SUFFIX}"
    path, partial_path = folder / backup_name, folder / f"{backup_name}{PARTIAL_FILE_SUFFIX}"
    try:
        copy_log(database_path, partial_path)
        os.replace(partial_path, path)
    except (sqlite3.Error, StoreError, OSError):
        with suppress(OSError):
            partial_path.unlink(missing_ok=True)
        raise
    _sync_folder(folder)
    for old_backup in list_backups(folder)[:-kept_backup_count]:
        old_backup.unlink()
    return path


def list_backups(folder: Path) -> list[Path]:
    """Return the copies in a folder, oldest first."""
    return sorted(folder.glob(f"{BACKUP_PREFIX}*{BACKUP_SUFFIX}"))


def copy_log(database_path: Path, path: Path) -> None:
    """Copy a log, which may be in use, into one new file that only this user can read, and make it durable.

    Raises `StoreError` if the copy is not intact, `FileExistsError` if there is such a file.
    """
    if not database_path.is_file():
        raise StoreError(f"{database_path} does not exist")
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it holds the secrets of all links
    with closing(
        sqlite3.connect(f"file:{quote(str(database_path.absolute()))}?mode=ro", uri=True, timeout=10)
    ) as source_db:
        with closing(sqlite3.connect(path)) as copied_db:
            source_db.backup(copied_db)
            copied_db.execute("PRAGMA journal_mode=DELETE")  # one file, which a file server or a tape can take as it is
            integrity_faults = [str(fault) for (fault,) in copied_db.execute("PRAGMA quick_check")]
    if integrity_faults != ["ok"]:
        raise StoreError(f"{database_path} cannot be copied whole: {integrity_faults[0]}. `ludens db check` checks it")
    with path.open("rb") as database_file:
        os.fsync(database_file.fileno())


def replace_database(new_path: Path, database_path: Path) -> Path | None:
    """Put a file in the place of a log that nobody uses; return where the old one is now, None if there was none."""
    old_path = None
    if database_path.exists():
        old_path = database_path.with_name(f"{database_path.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        # before the file itself: a log without them could miss its last transactions
        for suffix in WAL_FILE_SUFFIXES:
            with suppress(FileNotFoundError):
                os.replace(f"{database_path}{suffix}", f"{old_path}{suffix}")
        os.replace(database_path, old_path)
    os.replace(new_path, database_path)
    _sync_folder(database_path.parent)
    return old_path


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    with suppress(OSError):  # not every system opens folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
