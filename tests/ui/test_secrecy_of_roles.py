"""What is secret in SpyFall and TofuKingdom stays at the server: a browser receives the same, byte for byte.

The same seat is played in Chromium in worlds that differ only in what it must not know: the other word and who the spy
is, or who has which role. What the others say is fixed. Two worlds have one seed, or seeds that seat all alike.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.core.events import Json, Kind
from engine.core.player import Player, Reply
from engine.core.views import SeatView
from engine.play.episode import Episode, NullSink
from engine.play.plans import build_item_start
from engine.play.registry import Registry, SelectedInstance
from engine.storage.ids import make_id
from engine.storage.store import Store
from games.spyfall.rules import SEAT_NAMES as VILLAGE
from games.tofukingdom.instances import PRINCE_SEAT, ROLES
from games.tofukingdom.instances import SEAT_NAMES as COURT
from tests.ui.received import assert_equal, plain
from tests.ui.recording_proxy import RecordingProxy

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
OWN_WORD, OTHER_WORD, THIRD_WORD = "iphone", "zebrafinch", "quagga"
SAID = "Many people know it."


class Monotone(Player):
    """Says the same to everything, and takes the first of any options."""

    async def reply(self, view: SeatView) -> Reply:
        """Fill the form in with the same text."""
        return Reply(view.ask.format.compose_reply(values(view.ask.format.describe_form())))


def values(form: Json) -> dict[str, str]:
    """Return what a form is filled in with."""
    return {field["name"]: field["options"][0]["value"] if field.get("options") else SAID for field in form["fields"]}


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Any:
    """A server shared by the tests of this file."""
    return module_server()


def world(game: str, variant: str, instance: Json, seed: str) -> tuple[SelectedInstance, str]:
    """Return an instance of our own with the seed that it is played with."""
    return SelectedInstance(game, variant, "canary", 0, instance), seed


async def play_through(item: SelectedInstance, seed: str) -> Episode:
    """Let monotone players play an instance to the end."""
    game = REGISTRY.game(item.game)
    addresses = dict.fromkeys(game.seats, "random")
    players: Mapping[str, Player] = {
        seat: REGISTRY.player("scripted", game.name, seat, lambda _: ()) if seat == PRINCE_SEAT else Monotone()
        for seat in game.seats
    }
    start = build_item_start(game, item, addresses, seed=seed)
    episode = await Episode.begin_episode(make_id(), game, start, dict(players), NullSink())
    await episode.play()
    assert episode.outcome
    return episode


def run_through(item: SelectedInstance, seed: str) -> Episode:
    """Play an instance to the end in a thread of its own: while Playwright runs, this one has an event loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(play_through(item, seed))).result()


def record(house: Any, item: SelectedInstance, seed: str) -> str:
    """Store an episode of a world whose replies can be sent again; return its id."""
    episode = run_through(item, seed)
    with Store(house.db) as store:
        start = build_item_start(REGISTRY.game(item.game), item, dict(episode.log[0].data["seats"]), seed=seed)
        return store.import_episode(start, episode.log, key=None, origin="run", episode=episode.id)[0]


def wait_for_ask(house: Any, episode: str, seat: str, number: int) -> int:
    """Wait until a seat has been asked so many times; return the id of the last of these asks."""
    with Store(house.db) as store:
        while True:
            events = store.events(episode)
            asks = [event.data["ask"] for event in events if event.kind is Kind.ASK and event.seat == seat]
            if len(asks) >= number:
                return int(asks[number - 1])


def play(
    new_page: Callable, house: Any, game: str, seat: str, recorded: str, replies: list[dict[str, str]]
) -> tuple[list[str], str]:
    """Play a seat for some replies, looking behind the curtain; return all that came, and the page's last text."""
    with RecordingProxy(house.port) as proxy:
        page: Page = new_page()
        others = dict.fromkeys(REGISTRY.game(game).seats, f"recorded/{recorded}")
        body = {"game": game, "seats": {**others, seat: "person"}, "pace": 0}
        answer = page.request.post(f"{proxy.url}/api/tables", data=body)
        table = answer.json()
        assert answer.ok, table
        ask = wait_for_ask(house, table["episode"], seat, 1)
        page.goto(proxy.url + table["go"])
        expect(page.locator("form.ask:visible")).to_be_visible()
        address, pid = page.url, page.url.rpartition("=")[2]
        for number, reply in enumerate(replies, 1):
            page.goto("about:blank")
            move = {"seat": pid, "ask": ask, "values": reply, "move": f"move-{number:04}"}
            sent = page.request.post(f"{proxy.url}/api/move", data=move)
            assert sent.ok, sent.text()
            ask = wait_for_ask(house, table["episode"], seat, number + 1)
            page.goto(address)
            expect(page.locator("form.ask:visible")).to_be_visible()
        for path in (
            *(f"/api/{name}?episode={table['episode']}" for name in ("record", "debrief", "access")),
            *(f"/api/{name}?seat={pid}" for name in ("debrief", "download")),
            f"/api/episode?id={table['episode']}",
            f"/watch?episode={table['episode']}",
            table["spectators"],
        ):
            page.evaluate("path => fetch(path).then(answer => answer.text())", path)
        text = page.locator("body").inner_text()
        page.context.close()
    return plain(proxy.answers(), proxy.url, proxy.url.rpartition("/")[2], pid, table["episode"], recorded), text


def merge_sockets(received: list[str]) -> list[str]:
    """Put together all values that a part of the seat's page took on, whichever connection brought them.

    Which states in between a page is sent is a matter of milliseconds. Whose turn it was is public in these games.
    """
    merged: dict[str, set[str]] = {}
    others = []
    for text in received:
        if match := re.match(r"(/ws/seat[^\n]*) (\w+)\n(.*)", text, re.DOTALL):
            merged.setdefault(match[2], set()).update(map(json.dumps, json.loads(match[3])))
        else:
            others.append(text)
    assert {"lines", "ask", "pinned", "company", "others"} <= merged.keys()
    return others + [f"{part} {sorted(merged[part])}" for part in sorted(merged.keys() - {"asked", "turn"})]


# ---------------------------------------------------------------------- SpyFall
def pair(spy: str, common: str) -> Json:
    """Return an instance with two words."""
    return {"spy": {"word": spy, "forms": [spy]}, "common": {"word": common, "forms": [common]}}


def deal(instance: Json, seed: str) -> tuple[str, tuple[str, ...]]:
    """Return the spy and the order of speakers that a seed draws."""
    [note] = [
        event.data
        for event in run_through(*world("spyfall", "words", instance, seed)).log
        if event.kind is Kind.NOTE and event.data.get("note") == "deal"
    ]
    return note["spy"], tuple(note["order"])


def seeds() -> tuple[str, str]:
    """Return two seeds with one order of speakers: in the second the last speaker is the spy, in the first another."""
    villagers: dict[tuple[str, ...], str] = {}
    spies: dict[tuple[str, ...], str] = {}
    for number in range(20_000):
        spy, order = deal(pair(OTHER_WORD, OWN_WORD), f"seed-{number}")
        (spies if spy == order[-1] else villagers)[order] = f"seed-{number}"
        if order in spies and order in villagers:
            return villagers[order], spies[order]
    raise AssertionError("no two seeds fit together")


def test_a_villager_and_the_spy_receive_the_same(house, new_page):
    new_page.allow("status of 4")
    villager, spy = seeds()
    _, order = deal(pair(OTHER_WORD, OWN_WORD), villager)
    assert set(order) == set(VILLAGE)
    worlds = [
        world("spyfall", "words", pair(OTHER_WORD, OWN_WORD), villager),
        world("spyfall", "words", pair(THIRD_WORD, OWN_WORD), villager),
        world("spyfall", "words", pair(OWN_WORD, OTHER_WORD), spy),
    ]
    received = []
    for recorded in [record(house, item, seed) for item, seed in worlds]:
        replies = [{"speak": "It is small."}]  # then it sees the votes of all others
        everything, text = play(new_page, house, "spyfall", order[-1], recorded, replies)
        assert OWN_WORD in text and SAID in text and "votes for" in text
        assert not [part for part in everything for word in (OTHER_WORD, THIRD_WORD) if word in part]
        received.append(merge_sockets(everything))
    assert_equal(received[0], received[1])
    assert_equal(received[0], received[2])


# ---------------------------------------------------------------------- TofuKingdom
def test_the_prince_receives_the_same_whoever_is_the_princess(house, new_page):
    new_page.allow("status of 4")
    received = []
    worlds = [dict(zip(COURT, ROLES[shift:] + ROLES[:shift], strict=True)) for shift in (0, 3)]
    recordings = [record(house, *world("tofukingdom", "roles", {"roles": roles}, "one-seed")) for roles in worlds]
    for roles, recorded in zip(worlds, recordings, strict=True):
        replies = [{"question": "Who is the Princess?"}] * len(COURT)
        everything, text = play(new_page, house, "tofukingdom", PRINCE_SEAT, recorded, replies)
        assert text.count(SAID) == 2 * len(COURT)  # in the conversation, and beside each name to choose
        said = [part for part in everything if part.startswith(("/ws/", "/api/", "/p/", "/watch", "/table"))]
        assert not [part for part in said for name, role in roles.items() if f"{name} the {role}" in part]
        received.append(merge_sockets(everything))
    assert_equal(*received)
