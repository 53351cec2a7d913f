"""Bench: results of a log with 100,000 episodes: the command, the page's tables, a filter, and the memory of both.

A few thousand episodes are played, then copied row by row under the names of further players: a log as long as that of
a big benchmark, without the hours. Copies have no events, which results never read. `--db FILE` keeps it for the next
time, `--episodes N` makes a smaller one.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from engine.core.condition import Condition
from engine.storage.store import Store
from tests.bench._figures import figure, heading

LUDENS = Path(sys.executable).parent / "ludens"
GAMES = ("matchit", "mapworld", "reference", "imagegame", "askguess", "spyfall", "tofukingdom")


def fill(path: Path, wanted: int) -> None:
    """Play some episodes with free players, and copy them until there are enough."""
    for player in ("random", "scripted"):
        words = [*GAMES, "--seat", f"all={player}", "--limit", "10", "--repeat", "4", "--db", str(path)]
        done = subprocess.run([LUDENS, "run", *words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the episodes to copy could not be played:\n{done.stderr}")
    with Store(path) as store:
        played, last = store.sqlite_db.execute("SELECT COUNT(*), MAX(row) FROM episode").fetchone()
        for copy in range(1, -(-wanted // played)):
            some = min(played, wanted - copy * played)
            _copy(store, copy, last, some)


def _copy(store: Store, copy: int, last: int, some: int) -> None:
    """Copy the first `some` episodes, their scores and lines, played by others."""
    db = store.sqlite_db
    name = f"openai/model-{copy:02}"
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TEMP TABLE moved (was TEXT PRIMARY KEY, becomes TEXT)")
    own = "SELECT id, what FROM condition WHERE id IN (SELECT condition FROM result WHERE episode <= ?)"
    for was, what in db.execute(own, (last,)).fetchall():
        given = json.loads(what)
        given["seats"] = {seat: f"{name}-{player}" for seat, player in given["seats"].items()}
        condition = Condition(**given)
        db.execute("INSERT INTO moved VALUES (?, ?)", (was, condition.id))
        db.execute("INSERT OR IGNORE INTO condition VALUES (?, ?)", (condition.id, json.dumps(condition.as_json())))
    renamed = ", ".join(
        f"replace(replace({text}, '\"random\"', '\"{name}-random\"'), '\"scripted\"', '\"{name}-scripted\"')"
        for text in ("seats", "start")
    )
    same = "game, variant, experiment, instance_id, instance_hash"
    more = "settings, reprompt, people, mixed, status, cause, outcome, created, updated, scores, scores_version"
    db.execute(
        f"INSERT INTO episode (row, id, origin, {same}, seats, start, {more})"
        f" SELECT row + ?, substr(id, 1, 11) || lower(hex(randomblob(10))), origin, {same}, {renamed}, {more}"
        " FROM episode WHERE row IN (SELECT row FROM episode WHERE row <= ? ORDER BY row LIMIT ?)",
        (copy * last, last, some),
    )
    db.execute(
        "INSERT INTO result (episode, id, condition, instance, ending, main, sides, numbers, marks, created, version)"
        " SELECT result.episode + ?1, episode.id, becomes, instance, ending, main, sides, numbers, marks,"
        " result.created, version FROM result JOIN moved ON was = condition"
        " JOIN episode ON episode.row = result.episode + ?1 WHERE result.episode <= ?2",
        (copy * last, last),
    )
    db.execute("DROP TABLE moved")
    db.execute("COMMIT")


# ---------------------------------------------------------------------- the command
def command(path: Path, *words: str) -> tuple[float, float]:
    """Return the seconds that a command takes and the most memory it held, in MB."""
    started = time.perf_counter()
    process = subprocess.Popen([LUDENS, *words, "--db", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"ludens {' '.join(words)}: exit code {process.returncode}")
    return time.perf_counter() - started, used.ru_maxrss / 1000


# ---------------------------------------------------------------------- the page
def page(path: Path) -> None:
    """Print how long the page's tables take, first, again and filtered, and the server's memory."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", "--port", str(port), "--db", str(path)]
    server = subprocess.Popen([LUDENS, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout
        server.stdout.readline()
        at = f"http://127.0.0.1:{port}"
        _got(f"{at}/healthz")
        before = _memory(server.pid)
        figure("the page itself (HTML)", _got(f"{at}/results")[0], "s")
        taken, size = _got(f"{at}/api/results")
        figure("its tables, first time after the start", taken, "s", most=3)
        figure("  how much that is", size / 1e6, "MB")
        figure("its tables, again", _got(f"{at}/api/results")[0], "s", most=1)
        figure("filtered: one game", _got(f"{at}/api/results?game=matchit")[0], "s", most=1)
        figure("filtered: one player", _got(f"{at}/api/results?player=openai/model-07-random")[0], "s", most=1)
        figure("server's memory before", before, "MB")
        figure("server's memory after", _memory(server.pid), "MB")
    finally:
        server.terminate()
        server.wait()


def _got(address: str) -> tuple[float, int]:
    started = time.perf_counter()
    for _ in range(100):
        try:
            request = urllib.request.Request(address, headers={"Accept": "text/html", "Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request, timeout=120) as answer:
                return time.perf_counter() - started, len(answer.read())
        except OSError:
            if "healthz" not in address:
                raise
            time.sleep(0.2)
    sys.exit(f"{address} does not answer")


def _memory(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, help="a log to make here, or to use again")
    parser.add_argument("--episodes", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = asked.db or Path(folder) / "many.db"
        if not path.exists():
            fill(path, asked.episodes)
        with Store(path) as store:
            (n,) = store.sqlite_db.execute("SELECT COUNT(*) FROM episode").fetchone()
        heading(f"results of {n:,} episodes ({path.stat().st_size / 1e6:,.0f} MB)")
        taken, memory = command(path, "results", "--format", "json")
        figure("ludens results", taken, "s", most=3)
        figure("  its memory", memory, "MB")
        figure(
            "ludens results matchit/text", command(path, "results", "matchit/text", "--format", "json")[0], "s", most=3
        )
        page(path)


if __name__ == "__main__":
    main()
