"""Compares the history with the log: every accepted move once, nothing else changed, every log equal to its replay."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.conftest import LUDENS
from tests.torture.history import History


def list_violations(history: History, db: Path, last_pid: int) -> list[str]:
    """Return each promise that was broken, as a line; `last_pid` is the process of the last server."""
    with closing(sqlite3.connect(db)) as conn:
        return [
            *_of_moves(history, conn),
            *_of_changes(history, conn),
            *_of_statuses(history, conn, last_pid),
            *_of_file(db),
        ]


def _of_moves(history: History, conn: sqlite3.Connection) -> list[str]:
    rows = conn.execute("SELECT id, data FROM event JOIN episode ON row = episode WHERE kind = 'reply'").fetchall()
    stored = [(episode, json.loads(data)) for episode, data in rows]
    stored_moves = {data["meta"]["move"]: (episode, data["text"]) for episode, data in stored if "move" in data["meta"]}
    times = Counter(data["meta"]["move"] for _, data in stored if "move" in data["meta"])
    broken = [f"move {move} is in the log {count} times" for move, count in times.items() if count != 1]
    for move, sent in history.moves.items():
        if sent.status == 200 and not times[move]:
            broken.append(f"move {move} of {sent.episode} was accepted and is lost")
        elif sent.status is not None and sent.status != 200 and times[move]:
            broken.append(f"move {move} of {sent.episode} was refused with {sent.status} and is in the log")
        elif times[move]:
            episode, text = stored_moves[move]
            if episode != sent.episode or not any(value in text for value in sent.values.values()):
                broken.append(f"move {move} of {sent.episode} is stored as {text!r} in {episode}")
    return broken + [f"move {move} was never sent" for move in times.keys() - history.moves.keys()]


def _of_changes(history: History, conn: sqlite3.Connection) -> list[str]:
    broken = []
    for change in history.changes:
        kind = "outcome" if change.what == "leave" else "seat"
        count = conn.execute(
            "SELECT COUNT(*) FROM event JOIN episode ON row = episode WHERE id = ? AND kind = ?", (change.episode, kind)
        ).fetchone()[0]
        if change.is_granted and not count:
            broken.append(f"{change.what} of {change.episode} was granted and is lost")
    return broken


def _of_statuses(history: History, conn: sqlite3.Connection, last_pid: int) -> list[str]:
    rows = conn.execute(
        "SELECT id, status, EXISTS (SELECT 1 FROM event WHERE episode = row AND kind = 'outcome') FROM episode"
    )
    broken = []
    for episode, status, has_outcome in rows:
        if status != ("over" if has_outcome else "open"):
            broken.append(f"episode {episode} is {status}, its log {'is' if has_outcome else 'is not'} over")
        if episode in history.finished and not has_outcome:
            broken.append(f"episode {episode} was said to be over and is not")
    if conn.execute("SELECT 1 FROM owner WHERE pid = ?", (last_pid,)).fetchone():
        broken.append("the last server has ended in peace and has not given back its leases")
    return broken


def _of_file(db: Path) -> list[str]:
    check = subprocess.run([LUDENS, "db", "check", "--replay", "--db", db], capture_output=True, text=True)
    return [] if check.returncode == 0 else check.stderr.splitlines()
