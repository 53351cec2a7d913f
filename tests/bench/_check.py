"""Compare ratios that do not depend on the machine with stored ones: `make bench-check`, which fails if one is worse.

    .venv/bin/python -m tests.bench._check [--write] [NAME …]

Each ratio is between two things measured in turns in the same run, in processor time where that is possible, so that a
slow or busy machine changes both. `ratios.json` has what is stored: the ratio, the tolerance as a part of it, whether
more or less is better, and a command that shows the figures behind it. `--write` stores what was measured: after an
improvement, or a change that is worth its price. Shares of bare sockets are measured only on an idle machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path

from tests.bench import calls, remote
from tests.bench._figures import heading, median
from tests.bench.start import ENVIRONMENT, LUDENS

STORED = Path(__file__).with_name("ratios.json")
COMMITS = 3000
ROUNDS = 10
"""Requests of each of the 100 episodes at a model server."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A stored ratio."""

    name: str
    ratio: float
    tolerance: float
    better: str
    """"more" or "less"."""
    command: str

    def complaint(self, measured: float) -> str | None:
        """Return what has become worse, None if the measured ratio is within the tolerance."""
        sign = -1 if self.better == "more" else 1
        limit = self.ratio * (1 + sign * self.tolerance)
        if sign * measured <= sign * limit:
            return None
        bound = "at least" if self.better == "more" else "at most"
        return f"{self.name}: {measured:.3g}, {bound} {limit:.3g} ({self.ratio:.3g} stored); look at `{self.command}`"


# ---------------------------------------------------------------------- what is measured
def run_by_bare_loop() -> float:
    """Return the processor time of a call of random self-play by that of a bare loop that writes and commits JSON."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calls.play(folder, 5, 1)
        return median([_call_seconds(folder) / _bare_seconds(folder) for _ in range(7)])


def _call_seconds(folder: Path) -> float:
    number, _, seconds = calls.play(folder, 30, 1)
    return seconds / number


def _bare_seconds(folder: Path) -> float:
    """Return the processor time in which an event is made, written as JSON, inserted and committed.

    The log's own settings of SQLite hold. A commit alone is no measure that all machines share: on one of them a call
    of the same code took 6 times as long as a commit, on another 13 times. Half of this loop is Python, half SQLite.
    """
    with closing(sqlite3.connect(folder / f"bare-{time.monotonic_ns()}.db", isolation_level=None)) as database:
        database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE event (data TEXT)")
        used = time.process_time()
        for number in range(COMMITS):
            event_json = _write_event(number)
            database.execute("BEGIN IMMEDIATE")
            database.execute("INSERT INTO event VALUES (?)", (event_json,))
            database.execute("COMMIT")
        return (time.process_time() - used) / COMMITS


def _write_event(number: int) -> str:
    words = " ".join(f"word{index}" for index in range(number, number + 20))
    event = {"kind": "reply", "turn": number, "seat": "AB"[number % 2], "text": words}
    return json.dumps({key: value for key, value in event.items() if value is not None})


@dataclass(frozen=True, slots=True)
class RemotePair:
    """A run at a model server of 200 ms, and bare sockets at the same one."""

    calls_a_second: float
    call_ms: float
    bare_calls_a_second: float
    bare_call_ms: float


@cache
def _remote_pairs(api: str) -> list[RemotePair]:
    from tests.katan import Katan

    remote.ROUNDS = ROUNDS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Katan(folder, "--latency-ms", str(round(remote.LATENCY * 1000)), "--log-level", "ERROR") as katan:
            remote.through_a_run(folder, katan.url, api)
            return [_remote_pair(folder, katan.url, katan.port, api) for _ in range(5)]


def _remote_pair(folder: Path, url: str, port: int, api: str) -> RemotePair:
    run = remote.through_a_run(folder, url, api)
    used = time.process_time()
    bare_calls_a_second = asyncio.run(remote.barely(port))
    return RemotePair(*run, bare_calls_a_second, (time.process_time() - used) * 1000 / (remote.AT_ONCE * ROUNDS))


def remote_processor(api: str) -> float:
    """Return the processor time of a call at a server, rules and log included, by that of one over a bare socket."""
    return median([pair.call_ms / pair.bare_call_ms for pair in _remote_pairs(api)])


def remote_share(api: str) -> float:
    """Return the calls a second of a run as a share of what bare sockets reach."""
    return median([pair.calls_a_second / pair.bare_calls_a_second for pair in _remote_pairs(api)])


def games_by_help() -> float:
    """Return the processor time of `ludens games` by that of `ludens --help`."""
    for word in ("games", "--help"):  # writes bytecode that is missing
        _processor_time(word)
    return median([_processor_time("games") / _processor_time("--help") for _ in range(9)])


def _processor_time(*words: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([LUDENS, *words], check=True, capture_output=True, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


MEASURES: dict[str, Callable[[], float]] = {
    "run-by-bare-loop": run_by_bare_loop,
    "openai-processor": partial(remote_processor, "openai"),
    "openai-share": partial(remote_share, "openai"),
    "anthropic-processor": partial(remote_processor, "anthropic"),
    "anthropic-share": partial(remote_share, "anthropic"),
    "games-by-help": games_by_help,
}
ONLY_IDLE = {"openai-share", "anthropic-share"}
"""Ratios of elapsed time: where others use the processors, run and server lack what bare sockets do not need."""


# ---------------------------------------------------------------------- the comparison
def read_ratios() -> dict[str, Ratio]:
    """Return the stored ratios by name."""
    return {entry["name"]: Ratio(**entry) for entry in json.loads(STORED.read_text(encoding="utf-8"))}


def write_ratios(ratios: Sequence[Ratio]) -> None:
    """Store ratios."""
    STORED.write_text(json.dumps([asdict(ratio) for ratio in ratios], indent=2) + "\n", encoding="utf-8")


def check(stored: dict[str, Ratio], measured: dict[str, float]) -> list[str]:
    """Return a line for each ratio that is worse than stored."""
    complaints = (stored[name].complaint(value) for name, value in measured.items())
    return [complaint for complaint in complaints if complaint]


def main(arguments: Sequence[str]) -> int:
    """Measure, print and compare, or with --write store; return the exit code."""
    is_busy = os.getloadavg()[0] > (os.cpu_count() or 1) / 2
    usual_names = [name for name in MEASURES if not (is_busy and name in ONLY_IDLE)]
    names = [name for name in arguments if name != "--write"] or usual_names
    if unknown := sorted(set(names) - MEASURES.keys()):
        print(f"no such ratio: {', '.join(unknown)}; there are {', '.join(MEASURES)}", file=sys.stderr)
        return 2
    stored, measured = read_ratios(), {}
    heading("ratios against stored ones")
    if skipped := sorted(MEASURES.keys() - names):
        print(f"not measured: {', '.join(skipped)}" + (", because this machine is busy" if is_busy else ""))
    for name in names:
        measured[name] = MEASURES[name]()
        print(f"{name:24} {measured[name]:8.3f}   stored {stored[name].ratio:8.3f}", flush=True)
    if "--write" in arguments:
        values = {name: round(value, 3) for name, value in measured.items()}
        write_ratios([replace(ratio, ratio=values.get(name, ratio.ratio)) for name, ratio in stored.items()])
        return 0
    complaints = check(stored, measured)
    print("\n".join(f"WORSE {complaint}" for complaint in complaints) or "nothing is worse")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
