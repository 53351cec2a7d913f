"""Replies kept for development (`--cache`), by the digest of everything that is sent: one SQLite file.

Off unless asked for, and a reply that comes from here says so: a cached reply is no new sample of a model. The file
is opened for each look-up, so any number of processes may share it.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from engine.core.events import to_json
from engine.core.player import Reply

BUSY_SECONDS = 10.0


class Cache:
    """The replies kept in a file; it is made when the first one is kept. Call from a thread: both methods wait."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def find(self, key: str) -> Reply | None:
        """Return the reply kept under a digest, marked `cached` and free of cost; None without one."""
        if not self.path.exists():
            return None
        with closing(self._open()) as file:
            row = file.execute("SELECT text, meta FROM reply WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        text, meta = json.loads(row[0]), json.loads(row[1])
        free = {"cost": 0.0} if "cost" in meta else {}
        return Reply(text, {**meta, **free, "cached": True})

    def keep(self, key: str, reply: Reply) -> None:
        """Keep a reply, without what belongs to its own asking (seconds, attempts)."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        meta = {name: value for name, value in reply.meta.items() if name not in ("seconds", "attempts")}
        with closing(self._open()) as file, file:
            file.execute("INSERT OR IGNORE INTO reply VALUES (?, ?, ?)", (key, to_json(reply.text), to_json(meta)))

    def _open(self) -> sqlite3.Connection:
        file = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("CREATE TABLE IF NOT EXISTS reply (key TEXT PRIMARY KEY, text TEXT NOT NULL, meta TEXT NOT NULL)")
        return file
