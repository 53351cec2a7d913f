"""`ludens db restore`: put a backup in the place of the log, after checking it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, UsageError, print_message

MAX_PRINTED_FAULTS = 20
"""Faults of a backup that are listed."""


def restore_log(
    file: Annotated[Path, typer.Argument(help="The backup: a file of `serve --backup-to` or `db backup`.")],
    db: DbOption = None,
) -> None:
    """Replace the log by a backup.

    The backup is copied, brought to the present version and checked first; it stays as it is, and so does the old log,
    beside the new one. Stop the server before.
    """
    import sqlite3

    from cli.settings import load_settings
    from engine.storage.backups import copy_log, replace_database
    from engine.storage.database import StoreError
    from engine.storage.search_index import discard_index

    settings = load_settings(db=db)
    if not file.is_file():
        raise UsageError(f"{file} does not exist")
    if settings.db.exists() and file.samefile(settings.db):
        raise UsageError(f"{file} is the log itself")
    settings.db.parent.mkdir(parents=True, exist_ok=True)
    new_log_path = settings.db.with_name(f"{settings.db.name}.restoring")
    new_log_path.unlink(missing_ok=True)
    try:
        try:
            copy_log(file, new_log_path)
            episode_count = _check_copy(new_log_path)
        except (sqlite3.Error, StoreError) as error:
            raise CommandFailed(f"{file} cannot be restored, and the log is as it was: {error}") from error
        _check_log_unused(settings.db)
        old_log_path = replace_database(new_log_path, settings.db)
        discard_index(settings.db)  # the next search builds that of the new log
    finally:
        for file_suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{new_log_path}{file_suffix}").unlink(missing_ok=True)
    old_log_note = f"; the old log is kept as {old_log_path}" if old_log_path else ""
    print_message(f"{settings.db} is now {file} with {episode_count} episodes{old_log_note}")


def _check_copy(copy_path: Path) -> int:
    """Bring a copy to the present version and check it as `db check` does; return how many episodes it has."""
    from cli.db.check import find_episode_faults
    from engine.storage.seat_links import SeatLinks
    from engine.storage.store import Store

    with Store(copy_path, purpose="restore") as store:
        SeatLinks(store, store)  # migrates the tables of seats, too
        faults = [f"the file: {fault}" for fault in store.find_integrity_faults()]
        log_rows = store.episodes() if not faults else []
        for log_row in log_rows:
            faults += [f"episode {log_row.id}: {fault}" for fault in find_episode_faults(store, log_row, None)]
        for fault in faults[:MAX_PRINTED_FAULTS]:
            print_message(fault)
        if faults:
            raise CommandFailed(f"the backup has {len(faults)} faults, and the log is as it was")
        store.release_everything()  # a process of today may have the number of one of then
        store.merge_into_one_file()
    return len(log_rows)


def _check_log_unused(db_path: Path) -> None:
    """Raise `CommandFailed` while a process has the log open for writing. A log that cannot be read is in no use."""
    import sqlite3

    from engine.storage.database import StoreError
    from engine.storage.store import Store

    if not db_path.exists():
        return
    try:
        with Store(db_path, purpose="restore") as store:
            log_owners = sorted({f"{owner.purpose}, process {owner.pid}" for owner in store.list_running_processes()})
            if not log_owners:
                store.empty_write_ahead_log()
    except (sqlite3.Error, StoreError) as error:
        print_message(f"the present log cannot be read ({error}); it is kept")
        return
    if log_owners:
        raise CommandFailed(f"{db_path} is in use ({'; '.join(log_owners)}): stop that first. Nothing was changed")
