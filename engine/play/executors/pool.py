"""Shares a run among processes, for players that need nothing but processors: self-play of free players.

The first process plays and hands out places of the plan; helpers, called in after a second where enough is left, ask
for some, play them into the same file and tell how far they are. Whatever a helper was given and did not finish is
played by the first process, so helpers may die at any time; when the first process dies they stop.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from engine.play.plans import Plan, PlannedEpisode
from engine.play.runner import CONCURRENCY, Budget, Run, Tally
from engine.storage.store import Store

CALL_AFTER = 1.0
"""Seconds until helpers are called in: one takes about a second to start."""
TELL_EVERY = 0.25
STOP_WITHIN = 10.0
NICENESS = 5
"""Helpers step back behind a server on the same machine, at which people play."""


@dataclass
class _Worker:
    """One helper as the first process knows it."""

    process: SpawnProcess
    wire: Connection
    tally: Tally
    places: list[int] = field(default_factory=list)
    """What it was given since it last reported everything before as done."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    finished: bool = False


class WorkerPool:
    """Plays a plan with up to `jobs` processes. `tally` is what all have done; cancelling `go` stops all, safely."""

    def __init__(
        self, plan: Plan, store: Store, *, jobs: int, concurrency: int = CONCURRENCY, budget: Budget | None = None
    ) -> None:
        self._plan, self._store, self._jobs = plan, store, max(1, min(jobs, len(plan)))
        self._budget = budget
        if self._jobs > 1:  # few at a time, so that something is left to hand out
            concurrency = max(1, min(concurrency, len(plan) // (8 * self._jobs)))
        self._concurrency = concurrency
        self._places: Sequence[int] = range(len(plan))
        self._runs = [self._another()]
        self._helpers: list[_Worker] = []

    @property
    def tally(self) -> Tally:
        """How far all are together."""
        others = [run.tally for run in self._runs[1:]] + [helper.tally for helper in self._helpers]
        return sum(others, self._runs[0].tally)

    @property
    def spent(self) -> str | None:
        """Which limit of the budget is reached, None while there is none."""
        return self._runs[0].spent

    def _another(self) -> Run:
        return Run(self._plan, self._store, concurrency=self._concurrency, budget=self._budget, source=self._next)

    async def go(self) -> Tally:
        """Play what the plan still lacks and return the tally."""
        calling = asyncio.create_task(self._call())
        try:
            await self._runs[0].go()
            calling.cancel()
            for helper in self._helpers:
                await helper.gone.wait()
            self._places = [place for helper in self._helpers for place in helper.places]
            if self._places:
                self._runs.append(self._another())
                await self._runs[-1].go()
        finally:
            calling.cancel()
            await self._dismiss()
        return self.tally

    def _next(self, number: int) -> list[PlannedEpisode]:
        return [self._plan.at(place) for place in self._take(number)]

    def _take(self, number: int) -> Sequence[int]:
        """Give the next places of the plan to whoever asks."""
        taken, self._places = self._places[:number], self._places[number:]
        return taken

    # ------------------------------------------------------------------ helpers
    async def _call(self) -> None:
        await asyncio.sleep(CALL_AFTER)
        spawn = multiprocessing.get_context("spawn")
        for _ in range(self._jobs - 1):
            if len(self._places) < 2 * self._concurrency:
                return
            ours, theirs = spawn.Pipe()
            process = spawn.Process(
                target=_help, args=(self._plan, self._store.path, self._concurrency, theirs), daemon=True
            )
            resource_tracker.ensure_running()  # its own start would let Ctrl-C through again
            with defer_sigint():
                process.start()
            theirs.close()
            helper = _Worker(process, ours, Tally())
            self._helpers.append(helper)
            asyncio.get_running_loop().add_reader(ours.fileno(), self._hear, helper)

    def _hear(self, helper: _Worker) -> None:
        """Take in what a helper says: how far it is, and whether it wants more."""
        try:
            while helper.wire.poll():
                wish, helper.tally = helper.wire.recv()
                if wish:
                    places = list(self._take(wish))
                    helper.places += places
                    helper.wire.send(places)
                elif wish is None:
                    helper.finished = True
        except (EOFError, OSError):
            if helper.finished:
                helper.places.clear()
            else:  # what it did is found again among what it was given
                helper.tally = Tally(calls=helper.tally.calls)
            asyncio.get_running_loop().remove_reader(helper.wire.fileno())
            helper.wire.close()
            helper.gone.set()

    async def _dismiss(self) -> None:
        for helper in self._helpers:
            if not helper.wire.closed:  # it notices that nobody listens any more, and stops
                asyncio.get_running_loop().remove_reader(helper.wire.fileno())
                helper.wire.close()
        for helper in self._helpers:
            await asyncio.get_running_loop().run_in_executor(None, helper.process.join, STOP_WITHIN)
            if helper.process.is_alive():
                helper.process.kill()
                helper.process.join()


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Let processes that are started here never hear Ctrl-C, and this one, which stops them, hear it afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------------- in the helper's process
def _help(plan: Plan, path: Path, concurrency: int, wire: Connection) -> None:
    """Play what is given over the wire until there is no more, or nobody listens."""
    os.nice(NICENESS)
    try:
        asyncio.run(_helping(plan, path, concurrency, wire))
    except asyncio.CancelledError:
        pass


async def _helping(plan: Plan, path: Path, concurrency: int, wire: Connection) -> None:
    def more(number: int) -> list[PlannedEpisode]:
        try:
            wire.send((number, run.tally))
            return [plan.at(place) for place in wire.recv()]
        except (EOFError, OSError):  # nobody listens: the first process was stopped or has died
            return []

    async def tell() -> None:
        while True:
            await asyncio.sleep(TELL_EVERY)
            try:
                wire.send((0, run.tally))
            except OSError:
                playing.cancel()
                return

    with Store(path, what="run") as store:
        run = Run(plan, store, concurrency=concurrency, source=more)
        playing = asyncio.create_task(run.go())
        telling = asyncio.create_task(tell())
        try:
            await playing
            wire.send((None, run.tally))
        except OSError:  # nobody listens any more
            pass
        finally:
            telling.cancel()


def free_processors() -> int:
    """Return how many processes can really work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
