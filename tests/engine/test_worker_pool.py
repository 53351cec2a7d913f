"""A run shared among processes: the same episodes as alone, whichever of them dies."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.play.executors import pool
from engine.play.executors.executor import Tally
from engine.play.executors.local import LocalExecutor
from engine.play.executors.pool import WorkerPool
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.storage.episode_row import Status
from engine.storage.store import Store

pytestmark = pytest.mark.processes

REGISTRY = Registry(Path(__file__).resolve().parents[2])
PLAN = Plan.from_selections(REGISTRY, ["matchit/text"], [{"all": "random"}], repeat=6)


def played(store: Store) -> dict[str, list]:
    """All episodes by plan key, without times and what is known about replies; each is over and whole."""
    found = {}
    for row in store.episodes():
        log = store.events(row.id)
        assert row.status is Status.OVER and row.plan_key
        assert [event.n for event in log] == list(range(len(log)))
        found[row.plan_key] = [
            (e.kind, e.seat, {name: value for name, value in e.data.items() if name != "meta"}) for e in log
        ]
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, list]:
    with Store(tmp_path_factory.mktemp("alone") / "log.db") as store:
        asyncio.run(LocalExecutor(PLAN, store).play_plan())
        return played(store)


def shared(store: Store, monkeypatch, then: Callable[[WorkerPool], None] = lambda _: None) -> tuple[Tally, WorkerPool]:
    """Let a helper finish something, do `then`, and play the rest together with it."""

    async def go() -> Tally:
        monkeypatch.setattr(pool, "START_DELAY_SECONDS", 0.0)
        await working._start_workers()
        helper = working._workers[0]
        while not helper.tally.played_count:
            assert not helper.ended_event.is_set()
            await asyncio.sleep(0.001)
        monkeypatch.setattr(pool, "START_DELAY_SECONDS", 1e6)
        then(working)
        return await asyncio.wait_for(working.play_plan(), 200)

    working = WorkerPool(PLAN, store, process_count=2)
    return asyncio.run(go()), working


def test_two_processes_give_what_one_gives(tmp_path, monkeypatch, alone):
    with Store(tmp_path / "log.db") as store:
        tally, working = shared(store, monkeypatch)
        by_helper = working._workers[0].tally.played_count
        assert 0 < by_helper < len(PLAN)
        assert (tally.played_count, tally.previously_finished_count, tally.is_complete) == (len(PLAN), 0, True)
        assert tally.call_count == len(PLAN) * 16
        assert played(store) == alone
        assert working._workers[0].process.exitcode == 0
        assert all(row.scores for row in store.episodes())


def test_what_a_killed_helper_left_is_played_by_the_first_process(tmp_path, monkeypatch, alone):
    def kill(working: WorkerPool) -> None:
        os.kill(working._workers[0].process.pid or 0, signal.SIGKILL)

    with Store(tmp_path / "log.db") as store:
        tally, _ = shared(store, monkeypatch, kill)
        assert tally.is_complete
        assert tally.previously_finished_count + tally.played_count + tally.finished_elsewhere_count == len(PLAN)
        assert played(store) == alone


def test_stopping_stops_the_helpers_too(tmp_path, monkeypatch, alone):
    def stop(working: WorkerPool) -> None:
        asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)

    with Store(tmp_path / "log.db") as store:
        with pytest.raises(asyncio.CancelledError):
            shared(store, monkeypatch, stop)
        assert len(store.list_running_processes()) == 1, "the helper still holds leases"
        assert asyncio.run(LocalExecutor(PLAN, store).play_plan()).is_complete
        assert played(store) == alone


def test_a_plan_of_one_calls_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "START_DELAY_SECONDS", 0.0)
    with Store(tmp_path / "log.db") as store:
        working = WorkerPool(
            Plan.from_selections(REGISTRY, ["matchit/text/same/0"], [{"all": "random"}]), store, process_count=8
        )
        assert asyncio.run(working.play_plan()).is_complete
        assert working._workers == []


def test_ctrl_c_while_a_helper_starts_is_heard_afterwards():
    started = False
    with pytest.raises(KeyboardInterrupt):
        with pool.defer_sigint():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            started = True
    assert started
