"""The lists of the lobby on a large log: indexed queries, read once for all who see the same, in a thread."""

import asyncio
import json
import re
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.core.events import to_json
from engine.core.start import EpisodeStart
from engine.play.registry import Registry
from engine.storage import listings
from engine.storage.listings import Listings
from engine.storage.schema import WEB_MIGRATIONS
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.golden.episodes import read_log
from ui.live.feeds import Listener
from ui.live.lobby import Lobby
from ui.live.lobby_lists import MAX_LISTED_GAMES, ListReader, LobbyLists
from ui.live.profile import describe_played_game

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
FINISHED = read_log("matchit", "text-scripted").events


def add_finished(store: Store, origin: str = "run", ended: int | None = None, **players: str) -> str:
    """Store a finished game; return its id."""
    start = EpisodeStart.model_validate(FINISHED[0].data)
    seats = {**start.seats, **players}
    episode, _ = store.import_episode(start.model_copy(update={"seats": seats}), FINISHED, key=None, origin=origin)
    if ended is not None:
        store.sqlite_db.execute("UPDATE episode SET updated = ? WHERE id = ?", (ended, episode))
    return episode


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "log.db", purpose="serve") as store:
        store.migrate(WEB_MIGRATIONS)
        yield store


@pytest.fixture
def lobby(store):
    offers = SimpleNamespace(list_models=lambda _: [], may_use_paid_players=lambda _: False, may_choose=lambda _: True)
    tables, queue = SimpleNamespace(table_by_episode={}), SimpleNamespace(list_players=list)
    links = SimpleNamespace(is_admin=lambda _: False)
    seating = SimpleNamespace(list_free_seats=list)
    parts = {"offers": offers, "tables": tables, "queue": queue, "links": links, "seating": seating}
    lobby = Lobby(SimpleNamespace(reader=store, registry=REGISTRY, **parts))
    yield lobby
    lobby.close()


def next_message(listener: Listener):
    return json.loads(listener._message_queue.get_nowait())


def is_waiting(listener: Listener) -> bool:
    return not listener._message_queue.empty()


@pytest.mark.parametrize(
    ("query", "values"),
    [
        (listings.OPEN_SEATS_QUERY, ("b", 20)),
        (listings.OPEN_TABLES_QUERY, ("b", 20)),
        (listings.PROGRAM_LEASES_QUERY, (20,)),
        (listings.FINISHED_GAMES_OF_BROWSER_QUERY, ("b", 20)),
        (listings.FINISHED_GAMES_OF_PROGRAMS_QUERY, (20,)),
        (listings.KNOWN_BROWSERS_QUERY, ("[]",)),
    ],
)
@pytest.mark.parametrize("is_analysed", [False, True])
def test_no_list_reads_or_sorts_all_episodes(store, query, values, is_analysed):
    for number in range(60):
        add_finished(store, ended=number)
    if is_analysed:
        store.sqlite_db.execute("ANALYZE")
    plan = [step[3] for step in store.sqlite_db.execute(f"EXPLAIN QUERY PLAN {query}", values)]
    allowed = "SCAN episode USING INDEX episode_finished_of_programs"  # in its order, up to the limit
    assert not [step for step in plan if re.match(r"SCAN episode\b", step) and step != allowed], plan
    if query is listings.FINISHED_GAMES_OF_PROGRAMS_QUERY:
        assert allowed in plan
        assert not [step for step in plan if "ORDER BY" in step], plan


def test_finished_games_are_listed_by_their_end(store):
    late = add_finished(store, ended=9_000)
    add_finished(store, origin="import", ended=8_000)
    add_finished(store, A="person", ended=7_000)
    early = add_finished(store, ended=1_000)
    middle = add_finished(store, origin="table", ended=5_000)
    lists = Listings(store)
    assert [episode.id for episode in lists.list_program_games(20)] == [late, middle, early]
    assert [episode.id for episode in lists.list_program_games(2)] == [late, middle]


def test_a_thousand_lobbies_cost_the_queries_of_one(store, lobby):
    for number in range(30):
        add_finished(store, ended=number)

    async def count_queries(lobbies: int) -> int:
        listeners = [Listener() for _ in range(lobbies)]
        for number, listener in enumerate(listeners):
            await lobby.attach_listener(listener, f"newcomer {number}")
            assert len(next_message(listener)["finished"]) == MAX_LISTED_GAMES
        newest = add_finished(store, ended=1_000 + lobbies)
        queries: list[str] = []
        lobby._list_reader._store.sqlite_db.set_trace_callback(queries.append)
        await lobby._send_lists()
        lobby._list_reader._store.sqlite_db.set_trace_callback(None)
        messages = {listener._message_queue.get_nowait() for listener in listeners}
        assert len(messages) == 1
        message = json.loads(messages.pop())
        assert set(message) == {"finished"}  # the other lists are as they were
        assert message["finished"][0]["episode"] == newest
        for listener in listeners:
            lobby.detach_listener(listener)
        reading = [query for query in queries if "FROM episode" in query or "JOIN episode" in query]
        assert len(reading) == len(set(reading)), reading
        return len(reading)

    assert asyncio.run(count_queries(1)) == asyncio.run(count_queries(1000)) > 0


def test_a_browser_sees_its_own_games_and_others_do_not(store, lobby):
    links = SeatLinks(store, store)
    others = [add_finished(store, ended=10 + number) for number in range(MAX_LISTED_GAMES)]
    played = add_finished(store, A="person", ended=5)
    seat_ids = links.open_table(played, "player", ["A"], "A", 0, "hash")
    watched = add_finished(store, A="person", ended=4)
    links.open_table(watched, "opener", ["A"], None, 0, "hash")

    async def finished_of(browser: str | None) -> list[str]:
        return [game["episode"] for game in (await lobby.read_full_state(browser))["finished"]]

    assert asyncio.run(finished_of("player")) == [*others[:0:-1], played]
    assert asyncio.run(finished_of("opener")) == [*others[:0:-1], watched]
    for browser in (None, "newcomer"):
        assert asyncio.run(finished_of(browser)) == others[::-1]
    links.replace_seat(played, "A", is_for_person=False)  # somebody who gave up the seat still finds the game
    assert seat_ids
    assert played in asyncio.run(finished_of("player"))


def test_a_game_that_repeats_hidden_ones_is_listed_for_those_who_may_see_it(store, lobby):
    links = SeatLinks(store, store)
    hidden = add_finished(store, A="person", ended=1)
    links.open_table(hidden, "player", ["A"], "A", 0, "hash")
    replay = add_finished(store, A=f"recorded/{hidden}", ended=2)

    async def finished_of(browser: str) -> list[str]:
        return [game["episode"] for game in (await lobby.read_full_state(browser))["finished"]]

    assert asyncio.run(finished_of("player")) == [replay, hidden]
    assert asyncio.run(finished_of("newcomer")) == []
    links.publish_episode("player", hidden, is_published=True)
    assert asyncio.run(finished_of("newcomer")) == [replay]


def test_a_change_while_a_lobby_opens_reaches_it(store, lobby):
    add_finished(store, ended=1)
    newest = ""

    async def open_while_others_are_sent_changes() -> list[str]:
        nonlocal newest
        first, second = Listener(), Listener()
        await lobby.attach_listener(first, "first")
        next_message(first)
        read, is_first_time = lobby._list_reader.read_lists, True

        async def read_then_change(browsers):
            nonlocal newest, is_first_time
            lists = await read(browsers)
            if is_first_time:
                is_first_time = False
                newest = add_finished(store, ended=100)
                await lobby._send_lists()
            return lists

        lobby._list_reader.read_lists = read_then_change
        await lobby.attach_listener(second, "second")
        assert next_message(first)["finished"][0]["episode"] == newest
        assert next_message(second)["finished"]
        sending = asyncio.create_task(lobby.send_changes())
        while not is_waiting(second):
            await asyncio.sleep(0)
        sending.cancel()
        return [game["episode"] for game in next_message(second)["finished"]]

    episodes = asyncio.run(asyncio.wait_for(open_while_others_are_sent_changes(), 60))
    assert episodes[0] == newest


def test_lists_are_read_in_a_thread_of_their_own(store):
    reader = ListReader(store.path, REGISTRY)
    threads = set()
    read = reader._read_lobby_lists
    reader._read_lobby_lists = lambda browsers: threads.add(threading.current_thread()) or read(browsers)
    for _ in range(3):
        lists = asyncio.run(reader.read_lists(["browser", None, "browser"]))
    reader.close()
    assert lists["browser"] is lists[None]
    assert len(threads) == 1
    assert threading.main_thread() not in threads


def test_a_message_has_the_lists_that_differ(store):
    reader = ListReader(store.path, REGISTRY)
    lists = asyncio.run(reader.read_lists([None]))[None]
    reader.close()
    assert json.loads(lists.make_message()) == {name: [] for name in LobbyLists._fields}
    assert lists._replace(mine=to_json([1])).make_message(lists) == '{"mine":[1]}'
    assert lists.make_message(lists) == "{}"


def test_a_browser_without_a_seat_is_not_its_own_partner():
    """It gave its seat to a program, or only opened the table: one person there may be itself."""
    for people, partners in ((1, None), (2, "people")):
        seats = {"A": "person", "B": "person" if people == 2 else "scripted"}
        episode = SimpleNamespace(
            id="e", game="matchit", variant="text", seats=seats, outcome=None, scores=None, updated=0
        )
        assert describe_played_game(episode, None, False, REGISTRY)["with"] == partners
        assert describe_played_game(episode, "A", False, REGISTRY)["with"] == ("people" if people == 2 else "program")
