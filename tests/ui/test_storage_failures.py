"""A full disk and a locked database: the server says 503 and when to try again, loses nothing, and goes on after."""

import contextlib
import resource
import sqlite3
import threading
import uuid
from collections.abc import Iterator

import pytest
from websockets.exceptions import InvalidStatus

from engine.core.events import Kind
from engine.storage.store import Store
from tests.ui.guests import Guest


@contextlib.contextmanager
def full_disk(house) -> Iterator[None]:
    """Let the server write to no file."""
    limits = resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.prlimit(house.process.pid, resource.RLIMIT_FSIZE, limits)


@pytest.fixture(scope="module")
def house(module_server):
    return module_server()


def test_a_full_disk_is_a_503_on_every_route(house):
    with Guest(house.url) as guest, Guest(house.url) as other, Guest(house.url) as third:
        table = guest.open({"A": "person", "B": "invite"})
        pid = guest.take(table["go"])
        over = guest.sit()
        guest.post("/api/leave", seat=over)
        watched = guest.open({"A": "scripted", "B": "random"}, pace=0)["episode"]
        other.http.get("/"), third.http.get("/")
        admin = house.output().split("/a/")[1].split()[0]
        with guest.seat(pid) as seat:
            ask = seat.state["ask"]["id"]
            move = str(uuid.uuid4())
            with full_disk(house):
                answers = {
                    "table": other.post("/api/tables", game="matchit", seats={"A": "person", "B": "scripted"}),
                    "move": guest.move(pid, ask, {"text": "a ring"}, move),
                    "draft": guest.post("/api/draft", seat=pid, ask=ask, values={"text": "a"}),
                    "leave": guest.post("/api/leave", seat=pid),
                    "seat": guest.post("/api/seat", seat=pid, which="B", player="scripted"),
                    "publish": guest.post("/api/publish", seat=over, published=True),
                    "forget": guest.post("/api/forget", games=guest.http.get("/api/me").json()["games"]),
                    "episode": other.http.get(f"/api/episode?id={watched}"),
                }
                links = {
                    "seat link": other.http.get(table["invitations"]["B"], headers={"accept": "text/html"}),
                    "spectator link": third.http.get(table["spectators"], headers={"accept": "text/html"}),
                    "admin link": other.http.get(f"/a/{admin}", headers={"accept": "text/html,*/*"}),
                }
                with pytest.raises(InvalidStatus) as refused:
                    third.socket(f"/ws/watch?episode={watched}").close()
        for name, answer in answers.items():
            assert answer.status_code == 503, (name, answer.text)
            assert int(answer.headers["retry-after"]) > 0 and answer.json()["error"], name
        for name, answer in links.items():
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0, (name, answer.text)
            assert answer.headers["content-type"].startswith("text/html") and "try again" in answer.text, name
        assert refused.value.response.status_code == 503
        with guest.seat(pid) as seat:
            assert guest.move(pid, seat.state["ask"]["id"], {"text": "a ring"}, move).status_code == 200
    with Store(house.db) as store:
        replies = [event for event in store.events(table["episode"]) if event.kind is Kind.REPLY]
    assert [event.data["text"] for event in replies] == ["DESCRIPTION: a ring"]


def test_a_table_is_opened_whole_or_not_at_all(house):
    """A failure between the episode and its seats must leave no game that nobody can enter."""
    with Guest(house.url) as guest, Store(house.db) as store:
        guest.http.get("/")
        before = len(store.episodes())
        with full_disk(house):
            guest.post("/api/tables", game="matchit", seats={"A": "person", "B": "scripted"})
        assert len(store.episodes()) == before
        assert guest.sit()


def test_a_locked_database_is_a_503(house):
    with Guest(house.url) as guest:
        guest.http.get("/")
        lock = sqlite3.connect(house.db, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        release = threading.Timer(25, lock.interrupt)
        release.start()
        try:
            answer = guest.post("/api/tables", game="matchit", seats={"A": "person", "B": "scripted"})
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0, answer.text
            assert "Traceback" not in answer.text and guest.http.get("/api/lobby").status_code == 200
        finally:
            release.cancel()
            lock.execute("ROLLBACK")
            lock.close()
        assert guest.sit()
