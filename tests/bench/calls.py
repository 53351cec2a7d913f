"""Bench: player calls a second through `ludens run`, random self-play, every update durable before it counts.

Timed in the command itself, from the first claim to the last commit, scores included. The rival figure (2,660 calls/s,
written only at the end) is from design §8.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from tests.bench._figures import figure, heading, median

ROOT = Path(__file__).resolve().parents[2]

LEAST, AIM, RIVAL = 10_000, 26_600, 2_660


def calls_a_second(folder: Path, repeat: int, jobs: int) -> float:
    """Play matchit/text `repeat` times with random players and return player calls a second."""
    calls, seconds, _ = play(folder, repeat, jobs)
    return calls / seconds


def play(folder: Path, repeat: int, jobs: int) -> tuple[int, float, float]:
    """Play matchit/text `repeat` times; return the calls, the seconds, and this process's seconds of processor time."""
    from cli.run import reduce_garbage_collection
    from engine.play.executors.pool import WorkerPool
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

    plan = Plan.from_selections(Registry(ROOT), ["matchit/text"], [{"all": "random"}], repeat=repeat)
    with Store(folder / f"{jobs}-{time.monotonic_ns()}.db", purpose="run") as store:
        reduce_garbage_collection()
        started, used = time.perf_counter(), time.process_time()
        tally = asyncio.run(WorkerPool(plan, store, process_count=jobs).play_plan())
        seconds, processor_seconds = time.perf_counter() - started, time.process_time() - used
        assert tally.is_complete
        assert tally.call_count == 16 * len(plan)
        stored = store.sqlite_db.execute("SELECT COUNT(*) FROM event WHERE kind = 'reply'").fetchone()[0]
        assert stored == tally.call_count
    return tally.call_count, seconds, processor_seconds


def main() -> None:
    """Print the figures."""
    heading("engine, random self-play, durably logged")
    with tempfile.TemporaryDirectory() as folder:
        calls_a_second(Path(folder), 5, 1)
        for jobs, repeat in ((1, 100), (2, 300)):
            best = median([calls_a_second(Path(folder), repeat, jobs) for _ in range(3)])
            what = "one process" if jobs == 1 else f"{jobs} processes, their start included"
            figure(f"player calls/s, {what} (median of 3)", best, "calls/s", least=LEAST)
            figure("  against the aim", best, "calls/s", least=AIM)
            figure("  against the rival", best, "calls/s", least=RIVAL)


if __name__ == "__main__":
    main()
