"""Replies that would keep a server busy for ever, from outside: it answers meanwhile, ends when asked, starts again."""

import time
from pathlib import Path

import httpx
import pytest

from engine.core.events import Kind
from engine.storage.store import Store
from tests.conftest import Server
from tests.traps import TRAPS
from tests.ui.guests import Guest

STUCK = Path(__file__).parents[1] / "engine" / "stuck"


def workers_of(server: Server) -> list[int]:
    """The worker processes that a server has started."""
    assert server.process
    children = Path(f"/proc/{server.process.pid}/task").glob("*/children")
    return [int(pid) for path in children for pid in path.read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_well(server: Server) -> bool:
    return httpx.get(f"{server.url}/healthz", timeout=30).status_code == 200


@pytest.mark.parametrize("trap", ["forty commas", "clauses", "letters", "combining"])
def test_a_reply_that_stopped_the_server_is_answered(server, trap):
    house = server()
    with Guest(house.url) as guest:
        pid = guest.sit({"speaker": "person", "listener": "scripted"}, game="reference", variant="text")
        with guest.seat(pid) as seat:
            ask = seat.wait_for_ask()
            answer = guest.move(pid, ask["id"], {"text": TRAPS[trap]})
            assert answer.status_code == 200 and is_well(house)
            assert seat.until(lambda state: state["outcome"])
        house.restart()
        with guest.seat(pid) as seat:
            assert seat.state["outcome"] and is_well(house)
    house.stop()


def test_commands_that_stopped_the_server_are_drawn(server):
    house = server()
    with Guest(house.url) as guest:
        pid = guest.sit({"giver": "person", "follower": "scripted"}, game="imagegame")
        with guest.seat(pid) as seat:
            for trap in ("990 blanks", "blanks", "990 blanks", "cells"):
                ask = seat.wait_for_ask()
                assert guest.move(pid, ask["id"], {"command": TRAPS[trap]}).status_code == 200
                assert is_well(house)
                seat.wait_for_ask(ask["id"])


# ---------------------------------------------------------------------- a scripted player that hangs for ever
@pytest.fixture
def stuck(server, tmp_path, monkeypatch):
    """A server with one more game, whose scripted player hangs when it is told to."""
    monkeypatch.setenv("LUDENS_SCRIPTED_SECONDS", "0.5")
    monkeypatch.setenv("LUDENS_GAMES", str(STUCK))
    house = Server(tmp_path)
    yield house.start()
    house.stop()


def test_a_player_that_hangs_falls_back_and_hurts_nobody(stuck):
    seats = {"talker": "person", "listener": "scripted"}
    with Guest(stuck.url) as attacker, Guest(stuck.url) as neighbour:
        table = attacker.open(seats, game="stuck")
        pid, other = attacker.take(table["go"]), neighbour.sit(seats, game="stuck")
        with attacker.seat(pid) as seat, neighbour.seat(other) as beside:
            first = seat.wait_for_ask()
            assert attacker.move(pid, first["id"], {"text": "hang"}).status_code == 200
            assert is_well(stuck)
            beside.reply("hello")
            assert beside.wait_for_ask(first["id"])
            assert seat.wait_for_ask(first["id"])  # the fallback came
            assert attacker.move(pid, seat.state["ask"]["id"], {"text": "no fallback, hang"}).status_code == 200
            state = seat.until(lambda state: "took too long" in str(state))
            assert not state["outcome"]
            assert is_well(stuck)
        with Store(stuck.db) as store:
            events = store.events(table["episode"])
        replies = [event.data for event in events if event.kind is Kind.REPLY and event.seat == "listener"]
        assert [reply["text"] for reply in replies] == ["fallback"] and replies[0]["meta"]["timed_out"] is True
        fault = next(event for event in events if event.kind is Kind.FAULT)
        assert fault.data["code"] == "timed_out"


def hang(server: Server, guest: Guest) -> tuple[str, list[int]]:
    """Let a scripted player hang; return the seat and the worker that it keeps busy."""
    pid = guest.sit({"talker": "person", "listener": "scripted"}, game="stuck")
    with guest.seat(pid) as seat:
        ask = seat.wait_for_ask()
        assert guest.move(pid, ask["id"], {"text": "hang, no fallback"}).status_code == 200
        while not workers_of(server):
            assert is_well(server)
            time.sleep(0.05)  # leave the processor to the worker
    return pid, workers_of(server)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", "stop"])
def test_a_server_ends_and_starts_again_while_a_player_hangs(stuck, monkeypatch, how):
    stuck.stop()
    monkeypatch.setenv("LUDENS_SCRIPTED_SECONDS", "2")
    stuck.start()
    with Guest(stuck.url) as guest:
        pid, workers = hang(stuck, guest)
        getattr(stuck, how)()
        stuck.start()  # its port is free: no worker holds the socket
        while any(map(is_running, workers)):  # ended by their own limits at the latest
            time.sleep(0.05)
        with guest.seat(pid) as seat:  # asked again, the player hangs again
            assert seat.state["lines"] and is_well(stuck)
            assert seat.until(lambda state: "took too long" in str(state))
            assert is_well(stuck)
