"""Replies kept during development (`--cache`) in an SQLite file of their own, by the digest of everything sent.

The cache is off by default, and its replies are marked: a cached reply is no new sample of a model. Each look-up opens
the file anew, so any number of processes may share it.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from engine.core.events import to_json
from engine.core.player import Reply

BUSY_TIMEOUT_SECONDS = 10.0
UNCACHED_META_KEYS = ("seconds", "attempts", "waits")
"""Keys of a reply's `meta` that describe one request only."""


class ReplyCache:
    """The replies in one file, which the first one creates. Both methods block: call them from a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def find_reply(self, request_key: str) -> Reply | None:
        """Return the reply with this digest, marked `cached` and at no cost; None if there is none."""
        if not self.path.exists():
            return None
        with closing(self._open_database()) as db:
            reply_row = db.execute("SELECT text, meta FROM reply WHERE key = ?", (request_key,)).fetchone()
        if reply_row is None:
            return None
        reply_text, stored_meta = map(json.loads, reply_row)
        if "cost" in stored_meta:
            stored_meta["cost"] = 0.0
        return Reply(reply_text, {**stored_meta, "cached": True})

    def add_reply(self, request_key: str, reply: Reply) -> None:
        """Keep a reply under a digest, unless there is one already."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        stored_meta = {name: meta_value for name, meta_value in reply.meta.items() if name not in UNCACHED_META_KEYS}
        with closing(self._open_database()) as db, db:
            db.execute(
                "INSERT OR IGNORE INTO reply VALUES (?, ?, ?)", (request_key, to_json(reply.text), to_json(stored_meta))
            )

    def _open_database(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_SECONDS)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE IF NOT EXISTS reply (key TEXT PRIMARY KEY, text TEXT NOT NULL, meta TEXT NOT NULL)")
        return db
