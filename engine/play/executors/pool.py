"""Share a run among worker processes, for players that need nothing but processors: self-play of free players.

The first process plays and hands out positions of the plan. Workers start after a second if enough is left. They ask
for positions, play them into the same file and report their progress. The first process plays what a worker did not
finish, so workers may die at any time; when the first process dies, they stop.
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

from engine.play.executors.executor import DEFAULT_CONCURRENCY, Budget, Tally
from engine.play.executors.local import LocalExecutor
from engine.play.plans import Plan, PlannedEpisode
from engine.storage.store import Store

START_DELAY_SECONDS = 1.0
"""Seconds until workers are started: a start takes about a second."""
REPORT_INTERVAL_SECONDS = 0.25
STOP_TIMEOUT_SECONDS = 10.0
WORKER_NICENESS = 5
"""Workers yield to a server on the same machine, because people play there."""


@dataclass
class _Worker:
    """One worker as the first process sees it."""

    process: SpawnProcess
    connection: Connection
    tally: Tally
    positions: list[int] = field(default_factory=list)
    """Positions of the plan that it got and has not reported as done."""
    ended_event: asyncio.Event = field(default_factory=asyncio.Event)
    has_finished: bool = False


class WorkerPool:
    """Plays a plan with up to `jobs` processes. `tally` adds them all up; cancelling `play_plan` stops them safely."""

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        process_count: int,
        concurrency: int = DEFAULT_CONCURRENCY,
        budget: Budget | None = None,
    ) -> None:
        self._plan, self._store, self._job_count = plan, store, max(1, min(process_count, len(plan)))
        self._budget = budget
        if self._job_count > 1:  # few at a time, so that something is left to hand out
            concurrency = max(1, min(concurrency, len(plan) // (8 * self._job_count)))
        self._concurrency = concurrency
        self._positions: Sequence[int] = range(len(plan))
        self._executors = [self._make_executor()]
        self._workers: list[_Worker] = []

    @property
    def tally(self) -> Tally:
        """The progress of all processes together."""
        tallies = [executor.tally for executor in self._executors[1:]] + [worker.tally for worker in self._workers]
        return sum(tallies, self._executors[0].tally)

    @property
    def limit_reached(self) -> str | None:
        """Which limit of the budget is reached, None while there is none."""
        return self._executors[0].limit_reached

    def _make_executor(self) -> LocalExecutor:
        return LocalExecutor(
            self._plan,
            self._store,
            concurrency=self._concurrency,
            budget=self._budget,
            episode_source=self._take_planned_episodes,
        )

    async def play_plan(self) -> Tally:
        """Play what the plan still lacks and return the tally."""
        start_task = asyncio.create_task(self._start_workers())
        try:
            await self._executors[0].play_plan()
            start_task.cancel()
            for worker in self._workers:
                await worker.ended_event.wait()
            self._positions = [position for worker in self._workers for position in worker.positions]
            if self._positions:
                self._executors.append(self._make_executor())
                await self._executors[-1].play_plan()
        finally:
            start_task.cancel()
            await self._stop_workers()
        return self.tally

    def _take_planned_episodes(self, episode_count: int) -> list[PlannedEpisode]:
        return [self._plan.plan_episode(position) for position in self._take_plan_positions(episode_count)]

    def _take_plan_positions(self, position_count: int) -> Sequence[int]:
        """Return the next positions of the plan."""
        taken_positions, self._positions = self._positions[:position_count], self._positions[position_count:]
        return taken_positions

    # ------------------------------------------------------------------ workers
    async def _start_workers(self) -> None:
        await asyncio.sleep(START_DELAY_SECONDS)
        spawn_context = multiprocessing.get_context("spawn")
        for _ in range(self._job_count - 1):
            if len(self._positions) < 2 * self._concurrency:
                return
            parent_connection, child_connection = spawn_context.Pipe()
            worker_process = spawn_context.Process(
                target=_run_worker,
                args=(self._plan, self._store.path, self._concurrency, child_connection),
                daemon=True,
            )
            resource_tracker.ensure_running()  # its own start would let Ctrl-C through again
            with defer_sigint():
                worker_process.start()
            child_connection.close()
            worker = _Worker(worker_process, parent_connection, Tally())
            self._workers.append(worker)
            asyncio.get_running_loop().add_reader(parent_connection.fileno(), self._receive_report, worker)

    def _receive_report(self, worker: _Worker) -> None:
        """Receive the progress of a worker and its request for more positions."""
        try:
            while worker.connection.poll():
                requested_position_count, worker.tally = worker.connection.recv()
                if requested_position_count:
                    new_positions = list(self._take_plan_positions(requested_position_count))
                    worker.positions += new_positions
                    worker.connection.send(new_positions)
                elif requested_position_count is None:
                    worker.has_finished = True
        except (EOFError, OSError):
            if worker.has_finished:
                worker.positions.clear()
            else:  # its episodes are played again from its positions
                worker.tally = Tally(call_count=worker.tally.call_count)
            asyncio.get_running_loop().remove_reader(worker.connection.fileno())
            worker.connection.close()
            worker.ended_event.set()

    async def _stop_workers(self) -> None:
        for worker in self._workers:
            if not worker.connection.closed:  # it notices the closed connection and stops
                asyncio.get_running_loop().remove_reader(worker.connection.fileno())
                worker.connection.close()
        for worker in self._workers:
            await asyncio.get_running_loop().run_in_executor(None, worker.process.join, STOP_TIMEOUT_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Block SIGINT while child processes start, so that they ignore Ctrl-C; this process handles it afterwards."""
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


# ---------------------------------------------------------------------- in the worker process
def _run_worker(plan: Plan, database_path: Path, concurrency: int, connection: Connection) -> None:
    """Play the positions that arrive until none are left or the connection is closed."""
    os.nice(WORKER_NICENESS)
    try:
        asyncio.run(_play_positions(plan, database_path, concurrency, connection))
    except asyncio.CancelledError:
        pass


async def _play_positions(plan: Plan, database_path: Path, concurrency: int, connection: Connection) -> None:
    def request_episodes(episode_count: int) -> list[PlannedEpisode]:
        try:
            connection.send((episode_count, local_executor.tally))
            return [plan.plan_episode(position) for position in connection.recv()]
        except (EOFError, OSError):  # the first process was stopped or has died
            return []

    async def report_regularly() -> None:
        while True:
            await asyncio.sleep(REPORT_INTERVAL_SECONDS)
            try:
                connection.send((0, local_executor.tally))
            except OSError:
                play_task.cancel()
                return

    with Store(database_path, purpose="run") as store:
        local_executor = LocalExecutor(plan, store, concurrency=concurrency, episode_source=request_episodes)
        play_task = asyncio.create_task(local_executor.play_plan())
        report_task = asyncio.create_task(report_regularly())
        try:
            await play_task
            connection.send((None, local_executor.tally))
        except OSError:  # the first process has closed the connection
            pass
        finally:
            report_task.cancel()


def count_processors() -> int:
    """Return how many processes can really work at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
