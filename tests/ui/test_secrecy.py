"""What is secret stays at the server: a browser receives the same, byte for byte, whatever the other side is.

The same seat is played twice in Chromium against instances that differ only in the other side, the partner's replies
fixed. Everything the browser received is kept (documents, scripts, answers, socket frames, images, headers) and
compared; only ids and times may differ.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from pydantic import ValidationError

from engine.play.registry import Registry
from games.common import pictures
from games.matchit import instances
from tests.ui.guests import Guest, fill
from tests.ui.received import assert_equal, plain
from tests.ui.recording_proxy import RecordingProxy

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
CANARY = "zebra-canary-different"
"""The experiment's name, which is the answer."""
DRAFT = "zebrafinch"


KINDS = {"text": "different", "picture": "pentomino-different"}
if "photos-different" in Registry(ROOT).experiments("matchit", "picture"):
    KINDS["photos"] = "photos-different"
"""What is played, by the experiment that it is taken from."""


def variant_of(kind: str) -> str:
    """The variant that a kind of material belongs to."""
    return "text" if kind == "text" else "picture"


def pairs(kind: str) -> list[dict[str, Any]]:
    """Two instances with the same side A and different sides B."""
    shipped = [item.instance for item in Registry(ROOT).select_instances(f"matchit/{variant_of(kind)}/{KINDS[kind]}")]
    first = shipped[0]
    for other in shipped[1:]:
        mixed = {**first, "b": other["b"]}
        try:
            instances.load(mixed)
        except ValidationError:
            continue
        return [first, mixed]
    raise AssertionError("no two instances fit together")


@pytest.fixture(scope="module")
def house(module_server: Callable, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server with instances of our own: an experiment whose name gives it all away, two instances each variant."""
    folder = tmp_path_factory.mktemp("instances") / "matchit"
    folder.mkdir()
    for variant in ("text", "picture"):
        kinds = [kind for kind in KINDS if variant_of(kind) == variant]
        made = {CANARY: [pair for kind in kinds for pair in pairs(kind)]}
        file = {"game": "matchit", "variant": variant, "version": 1, "seed": 0, "experiments": made}
        (folder / f"{variant}.json").write_text(json.dumps(file))
    return module_server(None, None, "--instances", str(folder.parent))


def first(kind: str) -> int:
    """The number of the first instance of a kind of material in its file."""
    return 2 * [other for other in KINDS if variant_of(other) == variant_of(kind)].index(kind)


def record(url: str, kind: str) -> str:
    """Let two programs play, so that their replies can be sent again; return the episode."""
    with Guest(url) as guest:
        chosen = {"variant": variant_of(kind), "experiment": CANARY, "instance": first(kind)}
        episode: str = guest.open({"A": "scripted", "B": "scripted"}, **chosen, pace=0)["episode"]
        with guest.watch(episode) as view:
            view.until(lambda state: state["outcome"])
    return episode


def play(new_page: Callable, player_at: Callable, house: Any, kind: str, index: int, partner: str) -> list[str]:
    """Play seat A up to the decision, looking behind the curtain where one can; return all that came."""
    with RecordingProxy(house.port) as proxy:
        page = new_page(proxy.url)
        expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()  # the lists have come
        page.goto("about:blank")
        body = {"game": "matchit", "variant": variant_of(kind), "seats": {"A": "person", "B": partner}}
        body |= {"experiment": CANARY, "instance": first(kind) + index}
        table = page.request.post(f"{proxy.url}/api/tables", data=body).json()
        page.goto(proxy.url + table["go"])
        me = player_at(page)
        number = 0
        while me.wait_for_ask() != "decide":
            number += 1
            me.reply(f"Reply number {number}")
            if number == 3:
                me.wait_for_ask()  # else it is a matter of milliseconds what the page heard before
                page.reload()
        seat = page.url.rpartition("=")[2]
        for path in (
            f"/api/record?episode={table['episode']}",
            f"/api/debrief?seat={seat}",
            f"/api/debrief?episode={table['episode']}",
            f"/api/download?seat={seat}",
            f"/api/access?episode={table['episode']}",
            f"/watch?episode={table['episode']}",
            "/api/lobby",
            table["spectators"],
        ):
            page.evaluate("path => fetch(path).then(answer => answer.text())", path)
        page.context.close()
    return plain(proxy.answers(), proxy.url, proxy.url.rpartition("/")[2], seat, table["episode"])


PAGE_WORDS = {"picture", "table", "seat", "window"}
"""Things that the pages speak of by themselves; their scripts speak of the browser's window."""


def names(made: list[dict[str, Any]]) -> set[str]:
    """The categories and things that the descriptions of some photos name."""
    seen = [pictures.LIBRARY.description(pair[side]) for pair in made for side in ("a", "b")]
    categories = {description.category for description in seen if description.category}
    return categories | {thing.name for description in seen for thing in description.objects}


@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_receives_the_same_whatever_the_other_side_is(house, new_page, player_at, kind):
    new_page.allow("status of 4")
    partner = f"recorded/{record(house.url, kind)}"
    one = play(new_page, player_at, house, kind, 0, partner)
    two = play(new_page, player_at, house, kind, 1, partner)
    assert sum(text.startswith("/ws/seat?seat=<id 2> ask\n") for text in one) == 2  # before and after the reload
    [_, lines] = [text for text in one if text.startswith("/ws/seat?seat=<id 2> lines\n")]
    assert all(f"Reply number {n}" in lines for n in range(1, 8))
    assert any(text.startswith("/table?seat=<id 2>\nGET\n200") for text in one)
    assert any(text.startswith("/p/<picture>\nGET\n200") for text in one) == (kind != "text")
    assert_equal(one, two)
    # nothing of what makes the difference is in it: the answer's name, the instance, who and what the other side is
    said = [text for text in one if text.startswith(("/api/", "/ws/", "/s/", "/w/", "/table", "/watch"))]
    # but for the lobby's list of all experiments there are, the same for everybody at any time
    said = [re.sub(r'"experiments":\[[^]]*\]', "", text) if text.startswith("/api/lobby") else text for text in said]
    for word in ("zebra", "instance_hash", "instance_id", '"experiment', "recorded/", "different/"):
        assert not [text for text in said if word in text], word
    for pair in pairs(kind):
        theirs = json.dumps(pair["b"])[1:-1]
        assert not [text for text in said if theirs in text]
    if kind == "photos":
        elsewhere = ("/ws/seat?seat=<id 2> lines\n", "/api/lobby\n")  # what was said; the rules of all other games
        unsaid = "\n".join(text for text in said if not text.startswith(elsewhere)).casefold()
        assert not {name for name in names(pairs(kind)) if re.search(rf"\b{name}\b", unsaid)} - PAGE_WORDS


# ---------------------------------------------------------------------- looking up, waiting, both seats
def serve_one(module_server: Callable, folder: Path, kind: str, index: int) -> Any:
    """Start a server that has one instance alone, so that everybody is dealt it."""
    (folder / "matchit").mkdir(parents=True)
    for variant in ("text", "picture"):
        pair = pairs(kind)[index] if variant == variant_of(kind) else pairs({"text": "picture"}.get(kind, "text"))[0]
        file = {"game": "matchit", "variant": variant, "version": 1, "seed": 0, "experiments": {CANARY: [pair]}}
        (folder / "matchit" / f"{variant}.json").write_text(json.dumps(file))
    return module_server(None, None, "--instances", str(folder))


def watch_programs(url: str, kind: str, chosen: dict[str, Any]) -> tuple[str, list[str]]:
    """Let programs play the instance; return the episode and the addresses of its pictures for spectators."""
    with Guest(url) as guest:
        seats = {"A": "random", "B": "random"}
        episode: str = guest.open(seats, variant=variant_of(kind), pace=0, **chosen)["episode"]
        with guest.watch(episode) as view:
            pinned = view.until(lambda state: state["outcome"])["pinned"]
        shown = [pin["picture"] for pins in pinned.values() for pin in pins if "picture" in pin]
        assert all(guest.http.get(path).status_code == 200 for path in shown)
    return episode, shown


def fetch_status(page: Any, path: str) -> int:
    """Fetch an address in a page, body included; return the status."""
    status: int = page.evaluate("path => fetch(path).then((got) => got.text().then(() => got.status))", path)
    return status


def look_around(new_page: Callable, player_at: Callable, house: Any, kind: str) -> list[str]:
    """Play seat A blind, look the instance up, open the link of B with this browser and another; return what came."""
    found = [watch_programs(house.url, kind, chosen) for chosen in ({"experiment": CANARY, "instance": 0}, {})]
    with RecordingProxy(house.port) as proxy, Guest(house.url) as friend:
        page, stranger = new_page(), new_page()
        body = {"game": "matchit", "variant": variant_of(kind), "seats": {"A": "person", "B": "invite"}}
        table = page.request.post(f"{proxy.url}/api/tables", data=body).json()
        b = friend.take(table["invitations"]["B"])
        with friend.seat(b) as theirs:
            page.goto(proxy.url + table["go"])
            player_at(page).reply("A description")
            theirs.wait_for_ask()
            a = page.url.rpartition("=")[2]
            for episode, shown in found:
                for path in (
                    *(f"/api/{name}?episode={episode}" for name in ("access", "record", "debrief", "download")),
                    *(f"/api/episode?id={episode}", f"/api/episode/events?id={episode}"),
                    *(f"/api/episode/file?id={episode}&format=html", *shown),
                ):
                    assert fetch_status(page, path) == 403, path
            pictures_of_b = [pin["picture"] for pin in theirs.state["pinned"] if "picture" in pin]
            assert bool(pictures_of_b) == (kind != "text")
            page.goto(proxy.url + table["invitations"]["B"])
            expect(page.get_by_role("heading", name="You already play seat A")).to_be_visible()
            stranger.goto(proxy.url + table["invitations"]["B"])
            expect(stranger.get_by_role("heading", name="Somebody already plays this seat")).to_be_visible()
            for browser in (page, stranger):
                for path in (*pictures_of_b, f"/api/access?seat={b}", f"/api/debrief?seat={b}"):
                    assert fetch_status(browser, path) == 403, path
        page.context.close()
        stranger.context.close()
    episodes = [episode for episode, _ in found]
    return plain(proxy.answers(), proxy.url, proxy.url.rpartition("/")[2], a, b, table["episode"], *episodes)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "photos"])
def test_looking_up_waiting_and_a_second_seat_receive_the_same(module_server, tmp_path, new_page, player_at, kind):
    new_page.allow("status of 4")
    received = []
    for index in (0, 1):
        house = serve_one(module_server, tmp_path / str(index), kind, index)
        everything = look_around(new_page, player_at, house, kind)
        received.append([text for text in everything if not text.startswith("/table?")])  # Gradio names each process
        house.stop()
    assert any(text.startswith("/ws/join?seat=<id 3> state") for text in received[0])
    assert_equal(*received)
    assert any(text.startswith("/p/<picture>\nGET\n403") for text in received[0]) == (kind != "text")


def test_what_a_partner_has_not_sent_never_arrives(house, new_page, player_at):
    with RecordingProxy(house.port) as proxy:
        page, other = new_page(proxy.url), new_page()
        body = {"game": "matchit", "variant": "text", "seats": {"A": "person", "B": "invite"}}
        table = page.request.post(f"{proxy.url}/api/tables", data=body).json()
        page.goto(proxy.url + table["go"])
        other.goto(house.url + table["invitations"]["B"])
        me, you = player_at(page), player_at(other)
        me.reply("A ring")
        you.wait_for_ask()
        you.form.get_by_role("textbox").fill(f"{DRAFT} half-written")
        other.wait_for_function("!Object.values(localStorage).some((value) => value.includes('\"sent\":false'))")
        page.reload()
        expect(page.get_by_text("A ring")).to_be_visible()
        page.context.close()
    everything = b"\n".join(answer.body for answer in proxy.answers())
    assert b"A ring" in everything and DRAFT.encode() not in everything
    with Guest(house.url) as third:
        third.http.get(table["spectators"])
        with third.watch(table["episode"]) as view:
            pinned = view.state["pinned"]
            assert view.state["open"] and DRAFT not in json.dumps(view.messages)  # nor does a spectator see it
    assert json.dumps(pinned["A"][0]["grid"]).encode() in everything
    assert json.dumps(pinned["B"][0]["grid"]).encode() not in everything


def test_what_a_browser_reports_reaches_the_owner_alone(house):
    report = {"first_key_ms": 8_642_013, "pointer": "coarse", "pictures": [[1234.5, 987.5]]}
    canaries = ("8642013", "first_key", "coarse", "1234.5", '"client"')
    with ExitStack() as stack:
        host, partner, watcher, owner = (stack.enter_context(Guest(house.url)) for _ in range(4))
        table = host.open({"A": "person", "B": "invite"}, variant="text", pace=0)
        watcher.http.get(table["spectators"])
        a, b = host.take(table["go"]), partner.take(table["invitations"]["B"])
        pages = [stack.enter_context(page) for page in (host.seat(a), partner.seat(b))]
        view = stack.enter_context(watcher.watch(table["episode"]))
        asks = {page.name: 0 for page in pages}
        while not all(page.state["outcome"] for page in pages):
            for page in pages:
                ask = page.state["ask"]
                if ask and ask["id"] > asks[page.name]:
                    asks[page.name] = ask["id"]
                    values = fill(ask["form"], "Is it round?")
                    assert page.guest.move(page.name, ask["id"], values, client=report).status_code == 200
                elif not page.state["outcome"]:
                    with suppress(TimeoutError):
                        page.receive(0.05)
        view.until(lambda state: state["outcome"])
        received = [json.dumps(page.messages) for page in (*pages, view)]
        episode = table["episode"]
        paths = [
            f"/api/download?episode={episode}",
            f"/api/record?episode={episode}",
            f"/api/debrief?episode={episode}",
            f"/api/episode?id={episode}",
            *(f"/api/episode/events?id={episode}&start={start}" for start in (0, 100)),
            *(f"/api/episode/file?id={episode}&format={format}" for format in ("jsonl", "html", "markdown")),
        ]
        own_paths = [(host, f"/api/download?seat={a}"), (partner, f"/api/download?seat={b}")]
        everybody = [(guest, path) for guest in (host, partner, watcher) for path in paths]
        for guest, path in (*own_paths, *everybody):
            answer = guest.http.get(path)
            assert answer.status_code == 200, (path, answer.text)
            received.append(answer.text)
        assert not [text[:200] for text in received for canary in canaries if canary in text]
        owner.http.get("/a/" + house.output().split("/a/")[1].split()[0])
        for path in (paths[0], paths[4], paths[6]):
            assert "8642013" in owner.http.get(path).text, path


def test_two_tabs_of_one_browser_stay_two_seats(house, new_page, player_at):
    with RecordingProxy(house.port) as proxy:
        one = new_page(house.url)
        body = {"game": "matchit", "seats": {"A": "person", "B": "invite"}}
        table = one.request.post(f"{house.url}/api/tables", data=body).json()
        one.goto(house.url + table["go"])
        # the same cookie: browsers do not tell the ports of a host apart
        two = new_page(proxy.url + table["invitations"]["B"], beside=one)
        two.get_by_role("button", name="Play both seats").click()
        a, b = player_at(one), player_at(two)
        a.wait_for_ask()
        a.form.get_by_role("textbox").fill("draft of A")
        one.wait_for_function("!Object.values(localStorage).some((value) => value.includes('\"sent\":false'))")
        a.reply("said by A")
        b.wait_for_ask()
        b.form.get_by_role("textbox").fill("draft of B")
        one.reload()
        expect(one.get_by_text("said by A")).to_be_visible()
        assert not a.form.is_visible()
        expect(b.form.get_by_role("textbox")).to_have_value("draft of B")
        b.reply("said by B")
        everything = b"\n".join(answer.body for answer in proxy.answers())
        assert b"draft of A" not in everything
        assert everything.index(b"said by B") < everything.index(b"said by A")  # relayed after B's own description
        b.reply("asked by B")
        assert a.wait_for_ask() == "answer your partner's question"
        expect(one.get_by_text("said by B")).to_be_visible()
