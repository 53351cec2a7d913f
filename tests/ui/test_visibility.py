"""Test who sees games with people: players and the administrator until published; and that removal is complete."""

import os
import re
import select
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed

from engine.storage.episode_row import Status
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from engine.storage.visibility import Visibility
from tests.cli.terminal import ludens
from tests.ui.guests import WAIT, Guest

WORDS = "zebrafinch over the weir"
HALF = "half a quagga"
ALONE = {"game": "matchit", "variant": "text", "seats": {"A": "person", "B": "scripted"}}
READ = ("access", "record", "debrief", "download")


class Opened:
    """A browser that writes down the address it is told to open."""

    def __init__(self, folder: Path) -> None:
        pipe, script = folder / "opened", folder / "browser"
        os.mkfifo(pipe)
        self._pipe = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        script.write_text(f'#!/bin/sh\nprintf %s "$1" > {pipe}\n')
        script.chmod(0o755)
        self.command = f"{script} %s"

    def address(self) -> str:
        """Wait until it is told."""
        assert select.select([self._pipe], [], [], WAIT)[0], "nothing was opened"
        return os.read(self._pipe, 1000).decode()


@pytest.fixture(scope="module")
def house(module_server: Callable, tmp_path_factory) -> Any:
    """Start a server for the tests of this file, as `make play` does."""
    browser = Opened(tmp_path_factory.mktemp("browser"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BROWSER", browser.command)
        server = module_server(None, None, "--open")
    server.opened = browser.address()
    return server


@pytest.fixture
def person(house) -> Iterator[Callable[[], Guest]]:
    """Return a function that gives each person their own browser."""
    made: list[Guest] = []

    def make() -> Guest:
        made.append(Guest(house.url))
        made[-1].http.get("/")
        return made[-1]

    yield make
    for guest in made:
        guest.http.close()


@pytest.fixture
def owner(house, person) -> Guest:
    """Return the person who started the server, whose printed link was opened, on loopback too."""
    guest = person()
    assert guest.http.get("/api/me").json()["owner"] is False
    [printed] = re.findall(r"http://\S+/a/\S+", house.output())
    assert house.opened == printed
    assert guest.http.get(house.opened).headers["location"] == "/"
    assert guest.http.get("/api/me").json()["owner"] is True
    return guest


def play_and_leave(one: Guest, two: Guest, words: str = WORDS) -> tuple[str, str, str]:
    """Let two people take seats, one reply and both leave; return the episode and both seats."""
    table = one.open({"A": "person", "B": "invite"})
    a, b = one.take(table["go"]), two.take(table["invitations"]["B"])
    assert one.move(a, 1, {"text": words}).status_code == 200
    one.post("/api/leave", seat=a)
    return table["episode"], a, b


def statuses(guest: Guest, episode: str) -> set[int]:
    """Return the status of every address that shows an episode."""
    return {guest.http.get(f"/api/{name}?episode={episode}").status_code for name in READ}


def publish(guest: Guest, published: bool = True, **which: str) -> dict[str, Any]:
    answer = guest.post("/api/publish", published=published, **which)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


# ---------------------------------------------------------------------- who sees what
def test_only_players_and_the_administrator_see_a_finished_game_until_all_players_publish_it(person, owner):
    one, two, stranger = person(), person(), person()
    episode, a, b = play_and_leave(one, two)
    assert statuses(stranger, episode) == {403}
    assert "Until they publish it" in stranger.http.get(f"/api/access?episode={episode}").json()["error"]
    assert [statuses(guest, episode) for guest in (one, two, owner)] == [{200}] * 3
    assert episode not in stranger.http.get("/api/lobby").text
    assert stranger.post("/api/publish", episode=episode, published=True).status_code == 403
    assert stranger.post("/api/publish", seat=a, published=True).status_code == 403

    assert publish(one, seat=a)["missing"] == 1 and statuses(stranger, episode) == {403}
    assert publish(two, seat=b) == {
        "people": True,
        "published": True,
        "owner": False,
        "say": True,
        "given": True,
        "seats": 2,
        "missing": 0,
    }
    assert statuses(stranger, episode) == {200} and WORDS in stranger.http.get(f"/api/record?episode={episode}").text
    assert not publish(one, False, seat=a)["published"] and statuses(stranger, episode) == {403}

    assert publish(owner, episode=episode)["published"] and statuses(stranger, episode) == {200}
    assert publish(two, False, seat=b)["published"], "the owner published for all"
    assert not publish(owner, False, episode=episode)["published"] and statuses(stranger, episode) == {403}


def test_a_game_in_play_is_secret_even_to_the_administrator(person, owner):
    one, two = person(), person()
    table = one.open({"A": "person", "B": "invite"})
    one.take(table["go"])
    two.take(table["invitations"]["B"])
    for guest in (one, two, owner):
        assert statuses(guest, table["episode"]) == {403}
        assert guest.post("/api/publish", episode=table["episode"], published=True).status_code == 403
    mine = owner.open({"A": "person", "B": "invite"})
    owner.take(mine["go"])
    assert statuses(owner, mine["episode"]) == {403}
    watched = owner.open({"A": "scripted", "B": "scripted"})["episode"]
    assert person().http.get(f"/api/access?episode={watched}").status_code == 200
    assert one.http.get(f"/api/access?episode={watched}").status_code == 403, "it plays the same game"


def test_a_person_who_handed_a_seat_over_sees_the_end_and_may_publish(person):
    one, two, stranger = person(), person(), person()
    table = one.open({"A": "person", "B": "invite"})
    a, b = one.take(table["go"]), two.take(table["invitations"]["B"])
    assert two.post("/api/leave", seat=b, player="scripted").status_code == 200
    assert statuses(two, table["episode"]) == {403}
    one.post("/api/leave", seat=a)
    assert statuses(two, table["episode"]) == {200}
    assert publish(one, seat=a) | {"missing": 1, "published": False} == publish(one, seat=a)
    assert publish(two, episode=table["episode"])["published"] and statuses(stranger, table["episode"]) == {200}


def test_a_replay_of_people_is_visible_to_those_who_may_see_the_original(person, owner):
    one, two, stranger = person(), person(), person()
    episode, a, b = play_and_leave(one, two)
    back = one.open({"A": f"recorded/{episode}", "B": "scripted"}, variant="text")["episode"]
    with one.watch(back) as view:
        view.until(lambda state: any(WORDS in str(line["text"]) for line in state["lines"]))
    one.post("/api/end", episode=back)
    listed = [guest.http.get("/api/lobby").text for guest in (one, stranger)]
    assert [back in text for text in listed] == [True, False]
    assert [guest.http.get(f"/api/access?episode={back}").status_code for guest in (one, two, owner)] == [200] * 3
    assert statuses(stranger, back) == {403}
    publish(one, seat=a)
    publish(two, seat=b)
    assert stranger.http.get(f"/api/record?episode={back}").status_code == 200


def test_hidden_episodes_are_exactly_those_refused_one_by_one(house, person, owner):
    guests = [person(), person(), owner]
    episode, *_ = play_and_leave(guests[0], guests[1])
    guests[1].open({"A": f"recorded/{episode}", "B": "scripted"})
    publish(owner, episode=play_and_leave(guests[1], guests[0])[0])
    owner.open({"A": "person", "B": "invite"})
    with Store(house.db) as store:
        visibility = Visibility(store, SeatLinks(store, store))
        browsers = [None] + [browser for (browser,) in store.sqlite_db.execute("SELECT id FROM browser")]
        rows = store.episodes()
        assert any(row.people and row.status is not Status.OVER for row in rows) and len(browsers) > 3
        for browser in browsers:
            refused = {row.id for row in rows if visibility.find_refusal(browser, row.id)}
            assert visibility.list_hidden_episodes(browser) == refused
            assert refused or browser is not None


# ---------------------------------------------------------------------- removing
def clean_of(house: Any, *words: str) -> bool:
    """Return whether no file of the database holds any of these words."""
    files = [house.db, *house.db.parent.glob(f"{house.db.name}-*")]
    return not [word for word in words for file in files if word.encode() in file.read_bytes()]


def test_removing_all_my_games_deletes_them_from_pages_and_file(house, person, owner):
    one, two = person(), person()
    words = "a kingfisher, then nothing"
    episode, *_ = play_and_leave(one, two, words)
    other, *_ = play_and_leave(two, owner, WORDS + " again")
    table = one.open({"A": "person", "B": "scripted"})
    pid = one.take(table["go"])
    one.post("/api/draft", seat=pid, ask=1, values={"text": HALF})
    me = one.http.get("/api/me").json()
    assert (me["games"], me["shared"], me["running"], me["owner"]) == (2, 1, 1, False)
    assert re.fullmatch(r"[0-9a-f]{8}", me["code"]) and not clean_of(house, words)
    assert one.post("/api/forget", games=7).status_code == 409

    with one.seat(pid) as seat:
        assert one.post("/api/forget", games=2).json() == {"ok": True, "games": 2}
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                seat.receive()
        assert closed.value.rcvd and closed.value.rcvd.code == 4410
    assert clean_of(house, words, HALF)
    for guest in (one, two, owner):
        assert statuses(guest, episode) == {404}
    assert one.move(pid, 1, {"text": "still here"}).status_code == 403
    assert one.http.get("/api/me").json()["games"] == 0 and one.http.get("/api/lobby").json()["mine"] == []
    assert statuses(two, other) == {200}, "games of others stay"
    with one.seat(one.sit()) as seat:
        seat.reply("and on it goes")


def test_a_running_server_drops_games_that_the_command_line_removes(house, person):
    one, two = person(), person()
    words = "an ibis and a plover"
    episode, *_ = play_and_leave(one, two, words)
    table = one.open({"A": "person", "B": "invite"})
    a, b = one.take(table["go"]), two.take(table["invitations"]["B"])
    one.http.get("/api/record?episode=" + episode)
    code = one.http.get("/api/me").json()["code"]
    with two.seat(b) as seat, two.watch(episode):
        done = ludens("db", "forget", code, "--yes", "--db", house.db, folder=house.folder)
        assert "2 games" in done.err and "with other people" in done.err and "serve" in done.err
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                seat.receive()
        assert closed.value.rcvd and closed.value.rcvd.code == 4410
    assert clean_of(house, words)
    assert statuses(one, episode) == {404}
    assert one.move(a, 1, {"text": "late"}).status_code == 403
    assert "Traceback" not in house.output()


@pytest.mark.browser
def test_the_page_can_publish_unpublish_and_remove(house, new_page, person):
    page, stranger = new_page(house.url), person()
    table = page.request.post(f"{house.url}/api/tables", data=ALONE).json()
    page.goto(house.url + table["go"])
    pid = page.url.partition("seat=")[2]
    page.request.post(f"{house.url}/api/leave", data={"seat": pid})
    control = page.locator(".publishing")
    expect(control).to_contain_text("whoever runs this server")
    control.get_by_role("button", name="Publish this game").click()
    question = page.get_by_role("dialog", name="Publish this game?")
    expect(question).to_contain_text("downloaded by everybody who opens this server, word for word")
    question.get_by_role("button", name="Keep it private").click()
    expect(control.get_by_text("Published. Everybody")).to_have_count(0)
    control.get_by_role("button", name="Publish this game").click()
    question.get_by_role("button", name="Publish it").click()
    expect(control).to_contain_text("Published. Everybody who opens this server can see it.")
    assert statuses(stranger, table["episode"]) == {200}
    control.get_by_role("button", name="Take it back").click()
    expect(control.get_by_role("button", name="Publish this game")).to_be_visible()
    assert statuses(stranger, table["episode"]) == {403}

    going_on = page.request.post(f"{house.url}/api/tables", data=ALONE).json()
    beside = new_page(house.url + going_on["go"], beside=page)
    expect(beside.locator("form.ask")).to_be_visible()
    page.goto(house.url)
    page.get_by_text("Your games on this server").click()
    code = page.context.request.get(f"{house.url}/api/me").json()["code"]
    expect(page.locator(".own")).to_contain_text(f"Your code on this server: {code}")
    page.get_by_role("button", name="Remove all my games").click()
    expect(page.get_by_role("dialog")).to_contain_text("2 games will be removed from this server for good")
    page.get_by_role("button", name="Remove them").click()
    expect(page.get_by_text("2 games removed.")).to_be_visible()
    expect(beside.get_by_role("heading", name="This game is gone")).to_be_visible()
