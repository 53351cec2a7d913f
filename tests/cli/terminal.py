"""Runs the command line as people do: in its own process, in any folder, with exit code and both outputs."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import termios
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.serving import LIMIT, LUDENS, run_command

MOVEMENT = re.compile(r"\x1b\[[0-9;?]*(?:[A-Za-z]|$)|\x1b$")


@dataclass(frozen=True)
class CommandResult:
    """The exit code and the outputs of a command."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return its standard output, parsed as JSON."""
        return json.loads(self.out)


def ludens(*words: object, folder: Path, code: int = 0, **environment: str) -> CommandResult:
    """Run a command in a folder and check its exit code."""
    done = run_command(*words, folder=folder, environment={**os.environ, **environment})
    assert done.returncode == code, f"{words} exited {done.returncode}:\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return CommandResult(done.returncode, done.stdout, done.stderr)


def start_command(*words: object, folder: Path) -> "subprocess.Popen[str]":
    """Start a command and return while it runs."""
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
    """A command in a terminal of 80 columns, in which its standard error appears."""

    def __init__(self, *words: object, folder: Path, **environment: str) -> None:
        screen, terminal = pty.openpty()
        termios.tcsetwinsize(terminal, (24, 80))
        self.process = subprocess.Popen(
            [LUDENS, *map(str, words)],
            cwd=folder,
            env={**os.environ, "TERM": "xterm-256color", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=terminal,
        )
        os.close(terminal)
        self._screen, self._raw, self._position = screen, b"", 0

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._screen)

    def until(self, pattern: str) -> str:
        """Wait for a pattern in the output from here on, without colours and movements, and return the match."""
        while True:
            text = MOVEMENT.sub("", self._raw.decode(errors="ignore"))
            if match := re.search(pattern, text[self._position :]):
                self._position += match.end()
                return match[0]
            assert self._read(), f"it ended without {pattern!r}: {text}"

    def wait(self) -> int:
        """Wait until the command has ended and return its exit code."""
        while self._read():
            pass
        return self.process.wait(LIMIT)

    def _read(self) -> bool:
        try:
            self._raw += (chunk := os.read(self._screen, 65536))
        except OSError:  # on Linux: the terminal is no longer open anywhere
            return False
        return bool(chunk)


def wait_until_ended(process: "subprocess.Popen[str]") -> CommandResult:
    """Wait until a command has ended."""
    out, err = process.communicate(timeout=LIMIT)
    return CommandResult(process.returncode, out, err)


def query(db: Path, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a log; none while the log does not exist."""
    if not db.exists():
        return []
    with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True, timeout=30)) as connection:
        try:
            return connection.execute(sql, values).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise


def count_events(db: Path) -> int:
    """Return how many events a log holds."""
    rows = query(db, "SELECT MAX(seq) FROM event")
    return int(rows[0][0] or 0) if rows else 0


def wait_for_events(db: Path, number: int, process: "subprocess.Popen[str]") -> None:
    """Wait until a log holds this number of events; fail if the process ends before that."""
    deadline = time.monotonic() + LIMIT
    while count_events(db) < number:
        assert process.poll() is None, f"it ended at {count_events(db)} of {number} events: {wait_until_ended(process)}"
        assert time.monotonic() < deadline, f"{count_events(db)} of {number} events after {LIMIT} s"
        time.sleep(0.005)


def read_episodes(db: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all episodes by plan key: kind, seat and data of each event, without the metadata of replies.

    Asserts that every episode is over, that its log is complete, and that no plan key occurs twice.
    """
    episodes: dict[str, list[tuple[Any, ...]]] = {}
    for row, key, status in query(db, "SELECT row, plan_key, status FROM episode"):
        log = query(db, "SELECT n, kind, seat, data FROM event WHERE episode = ? ORDER BY n", [row])
        assert status == "over"
        assert [n for n, *_ in log] == list(range(len(log)))
        assert [kind for _, kind, *_ in log].count("outcome") == 1
        assert key not in episodes
        episodes[key] = [(kind, seat, _without_meta(json.loads(data))) for _, kind, seat, data in log]
    return episodes


def _without_meta(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "meta"}
