"""A store that fails in the middle of a game: memory is what the log says, and the game goes on to its end."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.core.events import Event, Kind, Outcome
from engine.core.player import ExternalPlayer, Player, PlayerFault, Reply
from engine.play.episode import Episode, GroupCommit
from engine.storage.database import BUSY_SECONDS
from engine.storage.episode_row import Status
from engine.storage.store import EpisodeUpdate, LostLease, Store
from tests.engine.small_games import Guess, of_kind, start

INSTANCE = {"word": "tree"}


class Person(ExternalPlayer):
    """A player whose replies are submitted."""


class Program(Player):
    """A player that guesses right as soon as it may; `error` is raised in its place."""

    def __init__(self, error: Exception | None = None):
        self.may_answer, self.error = asyncio.Event(), error

    async def reply(self, view):
        await self.may_answer.wait()
        if self.error:
            raise self.error
        return Reply("GUESS: tree")


class FullDisk:
    """A connection whose transactions cannot be committed while `is_full`."""

    def __init__(self, conn: sqlite3.Connection):
        self._conn, self.is_full = conn, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conn, name)

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if self.is_full and sql == "COMMIT":
            raise sqlite3.OperationalError("database or disk is full")
        return self._conn.execute(sql, *parameters)


class House:
    """A store with an episode in play that can be made to fail and to work again."""

    def __init__(self, path: Path, how: str):
        self.how, self.path = how, path
        self.store = Store(path)
        self.disk = FullDisk(self.store.sqlite_db)
        self.store.sqlite_db = self.disk  # type: ignore[assignment]
        self.sink = GroupCommit(self.store, use_thread=True)
        [claim] = self.store.claim_episodes([(start(Guess(), INSTANCE), None)], origin="table")
        self.id = claim.episode
        self.other = sqlite3.connect(path, isolation_level=None)

    def fail(self) -> None:
        if self.how == "locked":
            self.other.execute("BEGIN IMMEDIATE")
        elif self.how == "full":
            self.disk.is_full = True
        else:  # another process writes to the episode
            with Store(self.path) as other:
                n = len(other.events(self.id))
                other.append([EpisodeUpdate(self.id, [Event(Kind.PRESENT, "A", {}, n, 1)])])

    def recover(self) -> None:
        if self.how == "locked":
            self.other.execute("ROLLBACK")
        self.disk.is_full = False

    async def begin(self, player: Player) -> Episode:
        return await Episode.begin_episode(self.id, Guess(), start(Guess(), INSTANCE), {"A": player}, self.sink)

    def logged(self) -> list[Event]:
        with Store(self.path) as reader:
            return reader.events(self.id)

    def usable(self, episode: Episode, player: Player) -> Episode:
        """Return the episode if it may continue in memory, else the one that the log gives."""
        if not episode.storage_failure:
            return episode
        return Episode.resume(self.id, Guess(), self.logged(), {"A": player}, self.sink)


@pytest.fixture(params=["locked", "full", "lost lease"])
def house(request, tmp_path, monkeypatch):
    monkeypatch.setenv(BUSY_SECONDS, "0.05")
    house = House(tmp_path / "log.db", request.param)
    with closing(house.store), closing(house.other):
        yield house


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, 60))


async def fails(house: House, change: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    """Make a change while the store fails; the store works again afterwards."""
    house.fail()
    with pytest.raises(LostLease if house.how == "lost lease" else sqlite3.OperationalError):
        await change()
    house.recover()


def check_memory_is_the_log(house: House, episode: Episode) -> None:
    """Hold that an episode that may continue in memory is what the log says."""
    assert not house.store.sqlite_db.in_transaction
    logged = house.logged()
    resumed = Episode.resume(house.id, Guess(), logged, dict(episode.players), house.sink)
    assert episode.log == logged
    assert (episode.outcome, list(episode.master.open)) == (resumed.outcome, list(resumed.master.open))
    assert episode.views == resumed.views
    seated = [event.data["player"] for event in of_kind(logged, "seat")]
    assert isinstance(episode.players["A"], Program if seated == ["program"] else Person)


CHANGES: dict[str, Callable[[Episode], Coroutine[Any, Any, Any]]] = {
    "submit": lambda episode: episode.submit("A", 1, "GUESS: oak", {"move": "m1"}),
    "submit the last": lambda episode: episode.submit("A", 1, "GUESS: tree"),
    "hand over": lambda episode: episode.hand_over_seat("A", "program", Program()),
    "presence": lambda episode: episode.record_presence(Kind.PRESENT, "A"),
}


@pytest.mark.parametrize("name", [*CHANGES, "end"])
def test_what_cannot_be_stored_has_not_happened_and_can_be_repeated_once(house, name):
    change = CHANGES.get(name, lambda episode: episode.end(Outcome("abandoned", "left", "A")))

    async def main():
        person = Person()
        episode = await house.begin(person)
        shown = []
        episode.listeners.append(lambda _, events: shown.extend(events))
        playing = asyncio.create_task(episode.play())
        before = house.logged()
        await fails(house, lambda: change(episode))
        assert shown == []
        assert [e for e in house.logged() if e.kind is not Kind.PRESENT] == before
        if episode.storage_failure:
            with pytest.raises(type(episode.storage_failure)):
                await playing
            with pytest.raises(type(episode.storage_failure)):  # nothing more is done here
                await episode.record_presence(Kind.PRESENT, "A")
        playing.cancel()
        usable = house.usable(episode, person)
        check_memory_is_the_log(house, usable)
        playing = asyncio.create_task(usable.play())
        await change(usable)
        check_memory_is_the_log(house, usable)
        kinds = {"hand over": "seat", "presence": "present", "end": "outcome"}
        expected = 2 if (name, house.how) == ("presence", "lost lease") else 1
        assert len(of_kind(house.logged(), kinds.get(name, "reply"))) == expected
        if name == "submit":
            await usable.submit("A", 2, "GUESS: tree")
        elif name == "hand over":
            usable.players["A"].may_answer.set()
        elif name == "presence":
            await usable.submit("A", 1, "GUESS: tree")
        outcome = await playing
        assert outcome.kind == ("abandoned" if name == "end" else "success")
        assert house.store.episode(house.id).status is Status.OVER
        await house.sink.close()

    run(main())


@pytest.mark.parametrize("fault", [None, PlayerFault("busy"), ZeroDivisionError("oops")], ids=str)
def test_a_programs_reply_or_fault_that_cannot_be_stored_is_asked_for_again(house, fault):
    async def main():
        program = Program(fault)
        episode = await house.begin(program)
        before = house.logged()
        house.fail()
        program.may_answer.set()
        with pytest.raises(LostLease if house.how == "lost lease" else sqlite3.OperationalError):
            await episode.play()
        house.recover()
        assert episode.fault_causes == {}
        assert [e for e in house.logged() if e.kind is not Kind.PRESENT] == before
        program.error = None
        usable = house.usable(episode, program)
        assert usable.log == house.logged()
        assert (await usable.play()).kind == "success"
        assert house.store.episode(house.id).status is Status.OVER
        await house.sink.close()

    run(main())


def test_a_failed_hand_over_leaves_the_present_player_thinking(house):
    async def main():
        program = Program()
        episode = await house.begin(program)
        playing = asyncio.create_task(episode.play())
        await asyncio.wait([playing], timeout=0.01)
        await fails(house, lambda: episode.hand_over_seat("A", "other", Person()))
        program.may_answer.set()
        if episode.storage_failure:
            with pytest.raises(LostLease):
                await playing
        else:
            assert (await playing).kind == "success"
            assert "attempts" not in of_kind(house.logged(), "reply")[0].data["meta"]  # it was asked once
        await house.sink.close()

    run(main())


def test_what_is_written_with_an_event_is_written_with_it_or_not_at_all(house):
    async def main():
        person, other = Person(), Person()
        episode = await house.begin(person)

        def write_too() -> None:
            house.store.sqlite_db.execute("INSERT INTO secret (name, value) VALUES ('x', 'y')")

        def written() -> int:
            return house.other.execute("SELECT COUNT(*) FROM secret").fetchone()[0]

        await fails(house, lambda: episode.hand_over_seat("A", "person", other, write_too))
        assert written() == 0
        usable = house.usable(episode, person)
        await usable.hand_over_seat("A", "person", other, write_too)
        assert (written(), len(of_kind(house.logged(), "seat"))) == (1, 1)
        await house.sink.close()

    run(main())


def test_one_episodes_own_trouble_in_a_transaction_is_not_that_of_the_others(tmp_path):
    async def main():
        with Store(tmp_path / "log.db") as store:
            sink = GroupCommit(store, use_thread=True)
            ids = [c.episode for c in store.claim_episodes([(start(Guess(), INSTANCE), None)] * 2, origin="test")]
            episodes = [
                await Episode.begin_episode(id, Guess(), start(Guess(), INSTANCE), {"A": Person()}, sink) for id in ids
            ]

            def bug() -> None:
                raise ZeroDivisionError

            results = await asyncio.gather(
                episodes[0].hand_over_seat("A", "person", Person(), bug),
                episodes[1].submit("A", 1, "GUESS: oak"),
                return_exceptions=True,
            )
            assert [type(result) for result in results] == [ZeroDivisionError, type(None)]
            assert store.events(ids[0]) == episodes[0].log
            assert store.events(ids[1]) == episodes[1].log
            assert len(of_kind(episodes[1].log, "reply")) == 1
            await sink.close()

    run(main())
