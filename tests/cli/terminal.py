"""The command line as somebody at a terminal has it: its own process, any folder, exit code, both outputs."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LUDENS = Path(sys.executable).parent / "ludens"
MOVEMENT = re.compile(r"\x1b\[[0-9;?]*(?:[A-Za-z]|$)|\x1b$")
LIMIT = 300  # seconds until a command is given up; they take one or two


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    said: str

    def json(self) -> Any:
        """What it printed, read as JSON."""
        return json.loads(self.out)


def ludens(*words: object, folder: Path, code: int = 0, **environment: str) -> Done:
    """Run a command in a folder and insist on its exit code."""
    done = subprocess.run(
        [LUDENS, *map(str, words)],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == code, f"{words} exited {done.returncode}:\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def started(*words: object, folder: Path) -> "subprocess.Popen[str]":
    """Start a command and leave it running."""
    return subprocess.Popen(
        [LUDENS, *map(str, words)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


class Screen:
    """A command started in a terminal of 80 columns, standard error being what is seen there."""

    def __init__(self, *words: object, folder: Path, **environment: str) -> None:
        seen, end = pty.openpty()
        termios.tcsetwinsize(end, (24, 80))
        self.process = subprocess.Popen(
            [LUDENS, *map(str, words)],
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=end,
        )
        os.close(end)
        self._seen, self._raw, self._at = seen, b"", 0

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._seen)

    def until(self, pattern: str) -> str:
        """Return what matches first in what is shown from now on, colours and movements left out."""
        while True:
            text = MOVEMENT.sub("", self._raw.decode(errors="ignore"))
            if found := re.search(pattern, text[self._at :]):
                self._at += found.end()
                return found[0]
            assert self._more(), f"it ended without {pattern!r}: {text}"

    def ended(self) -> int:
        """Wait until the command has ended and return its exit code."""
        while self._more():
            pass
        return self.process.wait(LIMIT)

    def _more(self) -> bool:
        try:
            self._raw += (chunk := os.read(self._seen, 65536))
        except OSError:  # how Linux says that nobody has the terminal open any more
            return False
        return bool(chunk)


def ended(process: "subprocess.Popen[str]") -> Done:
    """Wait until a command has ended."""
    out, said = process.communicate(timeout=LIMIT)
    return Done(process.returncode, out, said)


def query(db: Path, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Look into a log from outside; nothing while it is not there yet."""
    if not db.exists():
        return []
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True, timeout=30)) as connection:
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise


def events_in(db: Path) -> int:
    """How many events a log holds."""
    found = query(db, "SELECT MAX(seq) FROM event")
    return int(found[0][0] or 0) if found else 0


def wait_for_events(db: Path, number: int, process: "subprocess.Popen[str]") -> None:
    """Wait until a log holds so many events; fails when the process ends before that."""
    until = time.monotonic() + LIMIT
    while events_in(db) < number:
        assert process.poll() is None, f"it ended at {events_in(db)} of {number} events: {ended(process)}"
        assert time.monotonic() < until, f"{events_in(db)} of {number} events after {LIMIT} s"
        time.sleep(0.005)


def episodes_in(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All episodes by plan key: what happened, without ids, times and what is known about replies.

    Asserts that every episode is over, that its log is whole, and that no plan key comes twice.
    """
    found: dict[str, list[tuple[Any, ...]]] = {}
    for row, key, status in query(db, "SELECT row, plan_key, status FROM episode"):
        log = query(db, "SELECT n, kind, seat, data FROM event WHERE episode = ? ORDER BY n", [row])
        assert status == "over"
        assert [n for n, *_ in log] == list(range(len(log)))
        assert [kind for _, kind, *_ in log].count("outcome") == 1
        assert key not in found
        found[key] = [(kind, seat, _without_meta(json.loads(data))) for _, kind, seat, data in log]
    return found


def _without_meta(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "meta"}
