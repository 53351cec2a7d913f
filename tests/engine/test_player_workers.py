"""Scripted players in worker processes: the same replies as in this process, and none that can take for ever."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.core.events import Kind
from engine.core.player import FaultCode, PlayerFault, refuse_episode_loading
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.player_workers import MAX_TIMEOUTS, PlayerWorkers, WorkerPlayer
from engine.play.registry import Registry

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
STUCK = Path(__file__).parent / "stuck"


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def play(selection: str, workers: PlayerWorkers | None) -> list:
    """Play an instance with scripted players and return its events, seat by seat.

    Times and what is known of replies are left out. The order across seats is, too: two workers that are asked at the
    same time reply in any order.
    """

    async def go() -> list:
        item = REGISTRY.select_instances(selection)[0]
        game = REGISTRY.game(item.game)
        seats = dict.fromkeys(game.seats, "scripted")
        players = {seat: REGISTRY.player("scripted", game.name, seat, refuse_episode_loading) for seat in seats}
        if workers:
            name, scripted = REGISTRY.find_scripted_player("scripted", game.name)
            players = {seat: WorkerPlayer(name, scripted, player, workers) for seat, player in players.items()}
        start = build_item_start(game, item, seats, run_seed=1)
        episode = await Episode.begin_episode("e", game, start, players, NullSink())
        await episode.play()
        if workers:
            assert len(workers.process_ids) == (2 if game.simultaneous_moves else 1)  # who thinks at the same time
            await workers.close()
            assert not workers.process_ids
        data = [{name: value for name, value in event.data.items() if name != "meta"} for event in episode.log]
        events = [(event.kind, event.seat, values) for event, values in zip(episode.log, data, strict=True)]
        return sorted(events, key=lambda event: event[1] or "")

    return asyncio.run(go())


@pytest.mark.parametrize("selection", ["reference/text", "matchit/picture", "mapworld", "tofukingdom"])
def test_a_worker_gives_the_replies_that_the_player_gives_here(selection):
    assert play(selection, PlayerWorkers(ROOT)) == play(selection, None)


async def with_stuck_players(check, **options):
    """Call `check(workers, episode)` with an episode of a game whose scripted players do as their partner says."""
    registry = Registry(ROOT, game_folders=[STUCK])
    game = registry.game("stuck")
    workers = PlayerWorkers(ROOT, [STUCK], seconds=0.3, **options)
    name, scripted = registry.find_scripted_player("scripted", "stuck")
    players = {
        "talker": registry.player("person", "stuck", "talker", refuse_episode_loading),
        "listener": WorkerPlayer(name, scripted, scripted.make_player("listener"), workers),
    }
    start = build_item_start(game, registry.select_instances("stuck")[0], {"talker": "person", "listener": "scripted"})
    episode = await Episode.begin_episode("e", game, start, players, NullSink())
    try:
        await check(workers, episode)
    finally:
        await workers.close()


async def _answer(episode: Episode, text: str) -> None:
    """Let the talker say something and the listener answer it, if it can."""
    ask = next(number for number, ask in episode.master.open.items() if ask.request.seat == "talker")
    await episode.submit("talker", ask, text)
    await episode.play(is_stopped=lambda: is_asked(episode, "talker"))


def is_asked(episode: Episode, seat: str) -> bool:
    return any(ask.request.seat == seat for ask in episode.master.open.values())


async def check_fallbacks(workers: PlayerWorkers, episode: Episode) -> None:
    await _answer(episode, "hello")
    first = set(workers.process_ids)
    for _ in range(MAX_TIMEOUTS):
        await _answer(episode, "hang")
    replies = [event for event in episode.log if event.kind is Kind.REPLY and event.seat == "listener"]
    assert [reply.data["text"] for reply in replies] == ["I heard hello", *["fallback"] * MAX_TIMEOUTS]
    assert "timed_out" not in replies[0].data["meta"]
    assert all(reply.data["meta"]["timed_out"] is True for reply in replies[1:])
    assert not first & set(workers.process_ids)  # replaced
    ended = set(workers.process_ids)
    await _answer(episode, "hello")  # its conversation is too much for it: no worker is asked any more
    assert episode.log[-3].data["meta"]["timed_out"] is True
    assert set(workers.process_ids) == ended


async def check_faults(workers: PlayerWorkers, episode: Episode) -> None:
    await _answer(episode, "no fallback, hang")
    fault = episode.log[-1]
    assert fault.kind is Kind.FAULT and fault.data["code"] == FaultCode.TIMED_OUT
    assert "0.3 s" in fault.data["cause"] and episode.stall_cause
    await episode.hand_over_seat("listener", "person", episode.players["talker"])  # a person goes on
    ask = next(iter(episode.master.open))
    await episode.submit("listener", ask, "a person's answer")
    assert not episode.stall_cause


async def check_errors(workers: PlayerWorkers, episode: Episode) -> None:
    await _answer(episode, "raise")
    assert episode.log[-1].data["cause"] == "ZeroDivisionError: on request"
    survivors = workers.process_ids
    await episode.retry()
    await episode.play()
    assert workers.process_ids == survivors  # an error costs no process
    os.kill(survivors[0], signal.SIGKILL)  # as when memory is short
    while workers._idle_workers[0].returncode is None:
        await asyncio.sleep(0.01)
    await episode.retry()
    await episode.play()
    assert episode.log[-1].data["cause"] == "ZeroDivisionError: on request"  # from a new process


async def check_neighbours(workers: PlayerWorkers, episode: Episode) -> None:
    ask = next(iter(episode.master.open))
    await episode.submit("talker", ask, "hang")
    slow = asyncio.create_task(episode.play(is_stopped=lambda: is_asked(episode, "talker")))
    ticks = 0
    while not slow.done():  # the event loop goes on meanwhile
        await asyncio.sleep(0.01)
        ticks += 1
    assert ticks > 5


@pytest.mark.parametrize("check", [check_fallbacks, check_faults, check_errors, check_neighbours])
def test_a_player_that_takes_too_long_is_stopped(check):
    asyncio.run(with_stuck_players(check))


PARENT = """
import asyncio, sys
sys.path.insert(0, {root!r})
from tests.engine.test_player_workers import *

async def main():
    async def check(workers, episode):
        ask = next(iter(episode.master.open))
        await episode.submit("talker", ask, {text!r})
        playing = asyncio.create_task(episode.play(is_stopped=lambda: is_asked(episode, "talker")))
        while not workers.process_ids:
            await asyncio.sleep(0.01)
        if {text!r} == "hello":
            await playing
        print(*workers.process_ids, flush=True)
        await asyncio.sleep(600)
    await with_stuck_players(check)
asyncio.run(main())
"""


@pytest.mark.parametrize("text", ["hello", "hang"])
def test_workers_end_when_the_server_is_killed(text):
    code = PARENT.format(root=str(ROOT), text=text)
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert pids
    parent.kill()
    parent.wait()
    with parent.stdout as end:  # a worker would hold it open
        end.read()
    while any(map(is_running, pids)):  # the test's own limit ends this
        os.sched_yield()


def test_a_worker_gets_nothing_but_what_the_seat_sees():
    from engine.core.views import Conversation
    from engine.play.player_workers import Request

    item = REGISTRY.select_instances("reference/text")[0]
    game = REGISTRY.game("reference")
    start = build_item_start(game, item, dict.fromkeys(game.seats, "scripted"))
    from engine.core.master import GameMaster

    _, events = GameMaster.begin_episode(game, start)
    view = Conversation("speaker")
    for event in events:
        if event.seat in (None, "speaker"):
            view.apply(event)
    request = Request.from_view("scripted", view.view(lambda asset: pytest.fail(asset)))
    assert request.instance is None and request.messages == tuple(view.messages)


def test_the_pool_takes_no_request_after_its_end():
    async def go() -> None:
        workers = PlayerWorkers(ROOT)
        await workers.close()
        with pytest.raises(PlayerFault):
            await workers._take_worker()

    asyncio.run(go())
