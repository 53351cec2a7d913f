"""A server whose log is locked for a while: it says so and changes nothing; later it does what it is asked, once."""

import contextlib
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from engine.storage.store import Store
from tests.conftest import LUDENS
from tests.ui.guests import WAIT, Guest, Json, fill


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Iterator:
    """A server that waits a tenth of a second for the log; at the end the log is whole and equals its replay."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LUDENS_BUSY_SECONDS", "0.1")
        house = module_server()
    yield house
    check = subprocess.run([LUDENS, "db", "check", "--replay", "--db", house.db], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr


@pytest.fixture
def guest(house) -> Iterator[Guest]:
    with Guest(house.url) as guest:
        yield guest


@contextmanager
def locked(house) -> Iterator[None]:
    """Lock the log as another process would."""
    with closing(sqlite3.connect(house.db, isolation_level=None, timeout=30)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        yield
        conn.execute("ROLLBACK")


def check_refused(answer) -> None:
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["retry-after"]) > 0


def kinds(house, episode: str) -> list[str]:
    with Store(house.db) as store:
        return [str(event.kind) for event in store.events(episode)]


def sit_down(house, guest) -> tuple[Json, str]:
    """Open a table, take the seat, and wait until the program has described, which it does at the same time.

    Nothing is stored then until the guest replies.
    """
    table = guest.open()
    pid = guest.take(table["go"])
    until = time.monotonic() + WAIT
    while "reply" not in kinds(house, table["episode"]):
        assert time.monotonic() < until
        time.sleep(0.02)
    return table, pid


def test_leaving_is_refused_and_then_ends_the_game_once(house, guest):
    table, pid = sit_down(house, guest)
    with locked(house):
        check_refused(guest.post("/api/leave", seat=pid))
        check_refused(guest.post("/api/leave", seat=pid))
    assert "outcome" not in kinds(house, table["episode"])
    with guest.seat(pid) as page:
        assert page.state["outcome"] is None
        page.reply()  # the game goes on
    for _ in range(2):  # the answer may be lost; asking again does no harm
        assert guest.post("/api/leave", seat=pid).status_code == 200
    assert kinds(house, table["episode"]).count("outcome") == 1


def test_a_seat_changes_hands_only_when_that_is_stored(house, guest):
    table, pid = sit_down(house, guest)
    with guest.seat(pid) as page:
        page.wait_for_ask()
        with locked(house):
            check_refused(guest.post("/api/seat", seat=pid, which="B", player="random"))
            check_refused(guest.post("/api/seat", seat=pid, which="A", player="invite"))
        page.reply()
        assert guest.post("/api/seat", seat=pid, which="B", player="random").status_code == 200
        assert page.finish()["kind"]
    with Store(house.db) as store:
        seats = [(e.seat, e.data["player"]) for e in store.events(table["episode"]) if e.kind == "seat"]
    assert seats == [("B", "random")]


def test_the_old_holder_keeps_the_seat_until_another_person_has_its_link(house, guest):
    table, pid = sit_down(house, guest)
    with locked(house):
        check_refused(guest.post("/api/seat", episode=table["episode"], which="A", player="invite"))
    with guest.seat(pid) as page:
        page.reply()
    answer = guest.post("/api/seat", episode=table["episode"], which="A", player="invite")
    assert answer.status_code == 200
    assert guest.http.get("/api/access", params={"seat": pid}).status_code == 403
    with Guest(house.url) as friend:
        friend.http.get("/")
        with friend.seat(friend.take(answer.json()["invitation"])) as page:
            assert page.finish()["kind"]
    assert kinds(house, table["episode"]).count("seat") == 1


def test_the_same_move_counts_once_after_it_was_refused(house, guest):
    (table, pid), move = sit_down(house, guest), uuid.uuid4().hex
    with guest.seat(pid) as page:
        ask = page.wait_for_ask()
    values = fill(ask["form"], "Is it round?")
    with locked(house):
        check_refused(guest.move(pid, ask["id"], values, move))
        check_refused(guest.move(pid, ask["id"], values, move))
    for _ in range(2):
        assert guest.move(pid, ask["id"], values, move).status_code == 200
    with Store(house.db) as store:
        moves = [e.data["meta"].get("move") for e in store.events(table["episode"]) if e.kind == "reply"]
    assert moves.count(move) == 1
    with guest.seat(pid) as page:
        assert page.finish()["kind"]


def test_whatever_writes_is_refused_and_done_later(house, guest):
    table = guest.open({"A": "invite", "B": "invite"})
    with locked(house):
        check_refused(guest.http.post("/api/tables", json={"game": "matchit", "seats": {"A": "person", "B": "random"}}))
        for path in (table["invitations"]["A"], table["spectators"]):
            with Guest(house.url) as friend:
                friend.http.get("/")
                check_refused(friend.http.get(path))
        check_refused(guest.http.get("/api/record", params={"episode": table["episode"]}))
        check_refused(guest.post("/api/end", episode=table["episode"]))
    assert "watched" not in kinds(house, table["episode"])
    assert guest.http.get("/api/record", params={"episode": table["episode"]}).status_code == 200
    assert kinds(house, table["episode"]).count("watched") == 1
    assert guest.post("/api/end", episode=table["episode"]).status_code == 200
    with Store(house.db) as store:
        assert store.episodes()[-1].id == table["episode"]  # no table was half opened
    pid = guest.sit()
    assert guest.post("/api/leave", seat=pid).status_code == 200
    with locked(house):
        check_refused(guest.post("/api/publish", seat=pid, published=True))
        check_refused(guest.post("/api/forget", games=1))
        assert guest.http.get("/api/publish", params={"seat": pid}).json()["published"] is False
    assert guest.post("/api/publish", seat=pid, published=True).json()["published"] is True
    assert guest.post("/api/forget", games=1).json() == {"ok": True, "games": 1}


def test_who_came_while_the_log_was_locked_is_recorded_later(house, guest):
    table = guest.open({"A": "person", "B": "invite"})
    pid = guest.take(table["go"])
    with Guest(house.url) as friend, guest.seat(pid) as page:
        friend.http.get("/")
        other = friend.take(table["invitations"]["B"])
        page.wait_for_ask()
        guest.post("/api/draft", seat=pid, ask=1, values={"text": "a"})  # by now it is stored that one is there
        stored = kinds(house, table["episode"])
        with contextlib.ExitStack() as stack:
            with locked(house):
                stack.enter_context(friend.seat(other))
                check_refused(guest.post("/api/draft", seat=pid, ask=1, values={"text": "b"}))
            assert kinds(house, table["episode"]) == stored
            assert not any(seat["here"] for seat in page.state["others"] if seat["seat"] == "B")
            page.until(lambda state: any(seat["here"] for seat in state["others"] if seat["seat"] == "B"))
        assert kinds(house, table["episode"]) == [*stored, "present"]
