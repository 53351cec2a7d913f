"""Tests of the turn clock from outside: who does not reply in time loses the seat or the game."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.events import Kind
from engine.core.master import GameMaster
from engine.play.registry import Registry
from engine.storage.store import Store
from tests.conftest import ROOT, Server
from tests.ui.guests import Guest, LivePage

PROGRAM = {"turn_seconds": 5, "turn_rule": "program"}
ABANDON = {"turn_seconds": 5, "turn_rule": "abandon"}


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Server:
    return module_server()


def limit_of(seat: LivePage) -> dict[str, Any]:
    """Return how long the person at a seat has, once the page knows."""
    limit: dict[str, Any] = seat.until(lambda state: (state["turn"] or {}).get("limit"))["turn"]["limit"]
    return limit


def wait_for_end(house: Server, episode: str) -> list[Any]:
    """Wait until an episode is over in the log; return its events."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with Store(house.db) as store:
            if store.episode(episode).outcome:
                return list(store.events(episode))
        time.sleep(0.2)
    raise TimeoutError("the game is not over")


def replay(events: list[Any]) -> GameMaster:
    """Play a log again by the rules, without a clock."""
    registry = Registry(ROOT)
    return GameMaster.resume(registry.game(events[0].data["game"]), events)


def test_a_program_takes_the_seat_of_a_person_who_does_not_reply(house):
    with Guest(house.url) as guest:
        table = guest.open(**PROGRAM)
        pid = guest.take(table["go"])
        with guest.seat(pid) as seat:
            limit = limit_of(seat)
            assert (limit["seconds"], limit["rule"], limit["extended"]) == (5, "program", False)
            with pytest.raises(Exception, match="4403"):
                seat.until(lambda _: False)
        assert guest.http.get("/api/access", params={"seat": pid}).status_code == 403
        events = wait_for_end(house, table["episode"])
    [change] = [event for event in events if event.kind is Kind.SEAT]
    assert change.seat == "A" and change.data["reason"] == "no reply in time"
    assert "scripted" in change.data["player"]
    assert replay(events).outcome.kind != "abandoned"


def test_the_game_ends_where_that_was_agreed(house):
    with Guest(house.url) as guest:
        table = guest.open(**ABANDON)
        with guest.seat(guest.take(table["go"])) as seat:
            outcome = seat.until(lambda state: state["outcome"])["outcome"]
        events = wait_for_end(house, table["episode"])
    assert (outcome["kind"], outcome["reason"], outcome["seat"]) == ("abandoned", "no reply in time", "A")
    assert replay(events).outcome.as_json() == events[-1].data


def test_the_time_counts_while_no_page_is_open_but_not_before_the_first(house):
    with Guest(house.url) as guest:
        table = guest.open({"A": "person", "B": "invite"}, **ABANDON)
        pid = guest.take(table["go"])
        with guest.seat(pid) as seat:
            seat.wait_for_ask()
        events = wait_for_end(house, table["episode"])
    silent = events[-1].data["seat"]
    assert silent == "A", "B has never come, and is not timed"


def test_nobody_else_learns_how_long_a_person_has(house):
    with Guest(house.url) as guest, Guest(house.url) as partner, Guest(house.url) as spectator:
        table = guest.open({"A": "person", "B": "invite"}, turn_seconds=600)
        other = partner.take(table["invitations"]["B"])
        spectator.http.get(table["spectators"])
        with (
            guest.seat(guest.take(table["go"])) as seat,
            partner.seat(other) as opposite,
            spectator.watch(table["episode"]) as crowd,
        ):
            seats = [seat, opposite]
            for page in seats:
                page.until(lambda state: state["turn"])
            asked = [page for page in seats if page.state["ask"]]
            waiting = [page for page in seats if not page.state["ask"]]
            assert asked and all(limit_of(page)["seconds"] == 600 for page in asked)
            assert not any("limit" in page.state["turn"] for page in waiting)
            for page in [*waiting, crowd]:
                assert '"until"' not in json.dumps(page.messages)


def test_who_says_to_be_still_there_gets_the_time_once_more(house):
    with Guest(house.url) as guest:
        table = guest.open(**ABANDON | {"turn_seconds": 30})
        with guest.seat(guest.take(table["go"])) as seat:
            ask = seat.wait_for_ask()
            before = limit_of(seat)["until"]
            seat.socket.send(json.dumps({"still_here": ask["id"] + 1}))  # another ask: nothing happens
            seat.socket.send(json.dumps({"still_here": ask["id"]}))
            limit = seat.until(lambda state: state["turn"]["limit"]["extended"])["turn"]["limit"]
            assert limit["until"] >= before
            seat.socket.send(json.dumps({"still_here": ask["id"]}))
            seat.reply()
            seat.wait_for_ask(ask["id"])
            limits = [m["turn"]["limit"] for m in seat.messages if "limit" in (m.get("turn") or {})]
            assert not limits[-1]["extended"], "the next reply has its own time"
            assert len({x["until"] for x in limits if x["extended"]}) == 1, "once for each reply"


def test_time_in_which_the_server_is_down_counts_for_nobody(server):
    house = server()
    with Guest(house.url) as guest:
        table = guest.open(**ABANDON | {"turn_seconds": 12})
        pid = guest.take(table["go"])
        with guest.seat(pid) as seat:
            seat.wait_for_ask()
            before = limit_of(seat)["until"]
        house.kill()
        time.sleep(max(0.0, before / 1000 - time.time()) + 3)  # until after the end, had the clock run on
        house.start()
        with guest.seat(pid) as seat:
            limit = limit_of(seat)
            assert limit["until"] > before and seat.state["outcome"] is None
        house.restart()  # nobody opens the page any more: the clock runs all the same
        events = wait_for_end(house, table["episode"])
    assert events[-1].data["reason"] == "no reply in time"


def test_a_limit_that_cannot_be_kept_is_refused(house):
    with Guest(house.url) as guest:
        for body in (
            {"turn_seconds": 1},
            {"turn_seconds": 60, "turn_rule": "shout"},
            {"turn_seconds": 60, "turn_rule": "program", "turn_program": "nobody-of-this-name"},
            {"turn_seconds": 60, "turn_rule": "program", "turn_program": "person"},
        ):
            seats = {"A": "person", "B": "scripted"}
            answer = guest.post("/api/tables", game="matchit", seats=seats, **body)
            assert answer.status_code == 422, (body, answer.text)


# ---------------------------------------------------------------------- in a browser
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_page_asks_whether_somebody_is_still_there(house, new_page, width, height):
    from axe_playwright_python.sync_playwright import Axe

    page = new_page(viewport={"width": width, "height": height})
    page.goto(house.url)
    body = {"game": "matchit", "seats": {"A": "person", "B": "scripted"}, "turn_seconds": 34, "turn_rule": "program"}
    page.goto(
        house.url + page.request.post(f"{house.url}/api/tables", data=body, headers={"origin": house.url}).json()["go"]
    )
    page.get_by_role("button", name="Leave the game").wait_for()
    button = page.get_by_role("button", name="I am still here")
    expect(button).to_be_hidden()  # it would hurry people
    button.wait_for()
    spoken = page.get_by_role("status").filter(
        has_text="Are you still there? 30 s left to reply. After that, a program"
    )
    expect(spoken).to_have_attribute("aria-live", "assertive")
    assert not Axe().run(page).response["violations"]
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('form') !== null"), "the focus is where one replies"
    if width < 800:
        return  # waiting another half minute for the end of the time shows nothing new on a phone
    new_page.allow("/api/access")  # the page asks why its seat is another player's
    page.get_by_role("heading", name="Your time was over").wait_for(timeout=60_000)
    page.get_by_text("No reply came in time, so a program plays on for you.").wait_for()
