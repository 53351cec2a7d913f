"""Copies of the log at fixed times while the server runs, written by a thread with a connection of its own."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.storage.backups import write_backup
from engine.storage.database import StoreError
from ui.live.facts import log_fact
from ui.server.serving import CannotServe, ServerSettings

logger = logging.getLogger("ludens.backups")


@dataclass(frozen=True, slots=True)
class Backups:
    """Where the copies go, every how many seconds, and how many stay; `report_result` gets the result."""

    db: Path
    interval_seconds: float
    folder: Path
    max_backups: int
    report_result: Callable[[bool], None]

    @classmethod
    def from_settings(cls, settings: ServerSettings, report_result: Callable[[bool], None]) -> Backups | None:
        """Return the copies that settings ask for, None if they ask for none."""
        if settings.backup_every is None or settings.backup_to is None:
            return None
        return cls(settings.db, settings.backup_every, settings.backup_to, settings.backup_keep, report_result)

    async def write_copy(self) -> None:
        """Write a copy; what goes wrong is logged, and the next time it is tried again."""
        start_time = time.monotonic()
        try:
            copy_path = await asyncio.to_thread(write_backup, self.db, self.folder, self.max_backups)
        except (OSError, sqlite3.Error, StoreError) as error:
            self.report_result(False)
            logger.error("no backup was written to %s: %s", self.folder, error)
            return
        self.report_result(True)
        log_fact("backup written", bytes=copy_path.stat().st_size, seconds=round(time.monotonic() - start_time, 3))


def check_backups(settings: ServerSettings) -> None:
    """Raise `CannotServe` where backups are asked for that cannot be written."""
    if (settings.backup_every is None) != (settings.backup_to is None):
        raise CannotServe("--backup-every and --backup-to belong together: name both, or none")
    if settings.backup_to is None:
        return
    try:
        settings.backup_to.mkdir(parents=True, exist_ok=True)
        probe_file = settings.backup_to / f".ludens-{time.time_ns()}"
        probe_file.touch()
        probe_file.unlink()
    except OSError as error:
        raise CannotServe(f"backups cannot be written to {settings.backup_to}: {error}") from error
