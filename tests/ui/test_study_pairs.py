"""Tests of pairs in studies from outside: asked whether they are ready, killed servers, partners who leave."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.events import Kind
from engine.storage.store import Store
from engine.storage.study_records import StudyRecords
from tests.conftest import Server
from tests.ui.model_server import ModelServer
from tests.ui.participants import Participant, add, participant_maker, status
from tests.ui.test_models import ROSTER

Json = dict[str, Any]
ONE_GAME = (("count = 4", "count = 1"), ('block = "person_or_machine"', 'block = "used_ai"'))
NO_SURVEY = (('[[surveys]]\nwhen = "after_game"\ntitle = "Your partner"\nblock = "person_or_machine"\n', ""),)
QUICK = (("[waiting]\n", "[waiting]\nready_seconds = 5\n"),)
PROGRAM_GOES_ON = (("[waiting]\n", '[waiting]\npartner_left = "program"\n'),)


@pytest.fixture(scope="module")
def house(module_server: Callable) -> Server:
    return module_server()


@pytest.fixture
def people() -> Iterator[Callable[[Server], Participant]]:
    with participant_maker() as make:
        yield make


def go_to(person: Participant, *kinds: str) -> Json:
    """Take part until a step of one of these kinds; return its page. What is asked on the way is answered."""
    page = person.page()
    while page["step"]["kind"] not in kinds:
        assert not page["is_over"], page
        if page["step"]["kind"] in ("waiting", "ready"):
            time.sleep(0.3)
            page = person.page()
        else:
            page = person.go_on(page)
    return page


def asked_pair(house: Server, people: Callable, name: str) -> list[Participant]:
    """Return two participants who have been asked whether they are ready."""
    pair = [people(house), people(house)]
    for person in pair:
        person.arrive(name)
        go_to(person, "waiting", "ready")
    for person in pair:
        go_to(person, "ready")
    return pair


def playing_pair(house: Server, people: Callable, name: str) -> list[Participant]:
    """Return two participants whose game has begun."""
    pair = asked_pair(house, people, name)
    for person in pair:
        person.send(person.page(), {})
    for person in pair:
        go_to(person, "game")
    return pair


def games_of(house: Server, person: Participant) -> list[Any]:
    with Store(house.db) as store:
        return StudyRecords(store, store).list_games(person.id)


def events_of(house: Server, person: Participant) -> list[Any]:
    """Return the events of a participant's first game."""
    [game, *_] = games_of(house, person)
    with Store(house.db) as store:
        return list(store.events(game.episode))


def seat_of(page: Json) -> str:
    return str(page["step"]["url"]).removeprefix("/table?seat=")


# ---------------------------------------------------------------------- ready?
def test_a_game_begins_when_both_are_ready(house, people, tmp_path):
    name = add(house, tmp_path, "reference-pairs")
    first, second = asked_pair(house, people, name)
    counts = status(house, name)
    assert (counts["arrived"], counts["waiting"], counts["playing"]) == (2, 2, 0)
    page = first.page()
    assert (page["step"]["pressed"], page["step"]["seconds"] <= 30) == (False, True)
    assert first.send(page, {})["step"]["pressed"] is True
    assert second.page()["step"]["kind"] == "ready" and not games_of(house, first), "one alone begins nothing"
    assert second.send(second.page(), {})["step"]["kind"] == "game"
    assert first.page()["step"]["kind"] == "game"
    assert [game.episode for game in games_of(house, first)] == [game.episode for game in games_of(house, second)]


def test_who_does_not_press_waits_no_more_and_the_other_keeps_the_place(house, people, tmp_path):
    name = add(house, tmp_path, "reference-pairs", *QUICK)
    first, second = asked_pair(house, people, name)
    second.send(second.page(), {})
    assert go_to(first, "missed")["step"]["kind"] == "missed"
    assert go_to(second, "waiting")["step"]["kind"] == "waiting"
    third = people(house)
    third.arrive(name)
    go_to(third, "ready", "waiting")
    assert go_to(second, "ready") and go_to(third, "ready"), "the one who was there is first in the queue"
    assert first.page()["step"]["kind"] == "missed", "and nobody waits who has not said so"
    assert first.send(first.page(), {})["step"]["kind"] == "waiting"


def test_two_who_press_at_once_open_one_game(house, people, tmp_path):
    pair = asked_pair(house, people, add(house, tmp_path, "reference-pairs"))
    pages = [person.page() for person in pair]
    threads = [
        threading.Thread(target=person.send, args=(page, {}))
        for person, page in zip(pair, pages, strict=True)
        for _ in range(2)  # and both of them twice
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    episodes = {game.episode for person in pair for game in games_of(house, person)}
    assert len(episodes) == 1 and all(len(games_of(house, person)) == 1 for person in pair)


def test_a_killed_server_forgets_nobody_in_the_queue(server, people, tmp_path):
    house = server()
    name = add(house, tmp_path, "reference-pairs")
    first, second = people(house), people(house)
    for person in (first, second):
        person.arrive(name)
    go_to(first, "waiting")
    house.restart()
    assert first.page()["step"]["kind"] == "waiting"
    go_to(second, "ready")
    house.restart()
    left = [person.page()["step"] for person in (first, second)]
    assert [step["kind"] for step in left] == ["ready"] * 2
    house.kill()
    time.sleep(3)
    house.start()
    assert first.page()["step"]["seconds"] >= left[0]["seconds"] - 2, "time without a server counts for nobody"
    first.send(first.page(), {})
    house.restart()
    assert first.page()["step"]["pressed"] is True
    assert second.send(second.page(), {})["step"]["kind"] == "game"
    house.restart()
    assert [go_to(person, "game")["step"]["number"] for person in (first, second)] == [1, 1]
    assert len({game.episode for person in (first, second) for game in games_of(house, person)}) == 1


# ---------------------------------------------------------------------- partners who leave
@pytest.mark.parametrize("way", ["leave", "withdraw", "stay away"])
def test_a_program_goes_on_for_a_partner_who_leaves(house, people, tmp_path, way):
    hold = (("seed = 9", f"seed = 9\nhold_minutes = {0.2 if way == 'stay away' else 10}"),)
    name = add(house, tmp_path, "reference-pairs", *ONE_GAME, *PROGRAM_GOES_ON, *hold)
    leaving, staying = playing_pair(house, people, name)
    if way == "leave":
        assert leaving.post("/api/leave", seat=seat_of(leaving.page())).status_code == 200
        assert leaving.page()["step"]["ending"] == "left"
    elif way == "withdraw":
        leaving.post("/api/participation/withdraw", id=leaving.id, delete=False)
        assert leaving.page()["step"]["state"] == "withdrawn"
    else:
        wait_until_taken(house, staying, while_doing=staying.page)
        assert status(house, name)["left"] == 1
        assert leaving.page()["step"]["ending"] == "left", "coming back leads on, not to the same game"
    assert staying.finish()["step"]["state"] == "completed"
    assert [game.state for game in games_of(house, staying)] == ["taken over"]
    [change] = [event for event in events_of(house, staying) if event.kind is Kind.SEAT]
    assert change.data["reason"] == "left"
    assert not sum(cell["done"] + cell["in_play"] for cell in status(house, name)["cells"])


def test_the_game_ends_with_a_partner_who_leaves(house, people, tmp_path):
    changes = (
        *NO_SURVEY,
        ("seconds = 120", "seconds = 5"),
        ('program = "scripted"\n', ""),
        ("PARTNERLEFT3", "PAID"),
    )
    name = add(house, tmp_path, "reference-pairs", *changes)
    leaving, staying = playing_pair(house, people, name)
    leaving.post("/api/leave", seat=seat_of(leaving.page()))
    page = go_to(staying, "result")
    assert (page["step"]["ending"], page["step"]["counts"]) == ("partner left", False)
    leaving.post("/api/participation/withdraw", id=leaving.id, delete=False)
    page = staying.send(page, {})
    assert page["step"]["kind"] == "waiting", "there is a next game, with another partner"
    while not page["is_over"]:
        time.sleep(0.5)
        page = staying.page()
    assert page["step"] == {"id": "end", "kind": "end", "state": "partner_left", "code": "PAID"}


# ---------------------------------------------------------------------- time for a reply
def test_who_does_not_reply_in_time_loses_the_game_and_the_partner_goes_on(house, people, tmp_path):
    limit = ("count = 4", 'count = 1\nturn_seconds = 5\nturn_rule = "program"')
    name = add(house, tmp_path, "reference-pairs", limit, *NO_SURVEY)
    pair = playing_pair(house, people, name)
    with pair[0].seat(seat_of(pair[0].page())) as seat:
        seat.until(lambda state: state["turn"])
        silent, staying = pair if seat.state["ask"] else pair[::-1]
    wait_until_taken(house, silent)
    assert go_to(silent, "result")["step"]["ending"] == "no reply in time"
    assert staying.finish()["step"]["state"] == "completed"
    assert [game.state for game in games_of(house, staying)] == ["taken over"]
    assert silent.finish()["step"]["state"] == "completed"


def wait_until_taken(house: Server, person: Participant, while_doing: Callable[[], object] = bool) -> None:
    """Wait until a program has a seat of a participant's game."""
    until = time.monotonic() + 60
    while not any(event.kind is Kind.SEAT for event in events_of(house, person)):
        while_doing()
        assert time.monotonic() < until
        time.sleep(0.2)


@pytest.mark.parametrize("trouble", ["silent", "failing"])
def test_a_silent_model_is_asked_again_once_and_then_the_game_ends(server, people, tmp_path, monkeypatch, trouble):
    with ModelServer() as machine:
        roster = tmp_path / "players.toml"
        roster.write_text(ROSTER.format(url=machine.url))
        monkeypatch.setenv("LUDENS_PLAYERS", str(roster))  # for the command that adds the study, too
        house = server()
        changes = (
            ("count = 10", f"count = 3\nmodel_timeout = {1 if trouble == 'silent' else 60}"),
            ("matchit/picture", "matchit/text"),
            ('B = "scripted"', 'B = "friend"'),
            ("[ends]\n", "[ends]\ntechnical_fault = 'SORRY'\n"),
        )
        name = add(house, tmp_path, "matchit-model", *changes)
        machine.latency, machine.status = (60.0, 200) if trouble == "silent" else (0.0, 500)
        person = people(house)
        person.arrive(name)
        page = person.finish({"see_partner": "No", "both_decide": "When both decide correctly"})
    assert page["step"] == {"id": "end", "kind": "end", "state": "technical_fault", "code": "SORRY"}
    assert [game.state for game in games_of(house, person)] == ["technical fault"] * 2
    events = events_of(house, person)
    assert [event.kind for event in events].count(Kind.FAULT) == 2, "asked again once"
    if trouble == "failing":  # a second can be over before a busy server has imported the vendor's package
        assert len(machine.requests) == 4


# ---------------------------------------------------------------------- in a browser
def consent(page: Any) -> None:
    """Go from the consent to the queue."""
    page.get_by_role("checkbox", name="I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="The rules").wait_for()
    page.get_by_role("button", name="Continue").click()


@pytest.mark.parametrize("rule", ["program", "end"])
def test_two_people_are_paired_and_one_leaves(house, new_page, tmp_path, rule):
    from axe_playwright_python.sync_playwright import Axe

    changes = (("count = 4", "count = 1"), *NO_SURVEY)
    name = add(house, tmp_path, "reference-pairs", *changes, *(PROGRAM_GOES_ON if rule == "program" else ()))
    pages = [new_page(viewport={"width": 1280, "height": 800}), new_page(viewport={"width": 390, "height": 844})]
    for page in pages:
        page.goto(f"{house.url}/study/{name}")
        consent(page)
    for page in pages:
        page.get_by_role("heading", name="Your partner is here. Ready?").wait_for()
        assert not Axe().run(page).response["violations"]
    button = pages[0].get_by_role("button", name="I am ready")
    for _ in range(10):
        pages[0].keyboard.press("Tab")
        if button.evaluate("node => node === document.activeElement"):
            break
    pages[0].wait_for_timeout(2500)  # the page asks the server meanwhile: the focus must stay
    expect(button).to_be_focused()
    pages[0].keyboard.press("Enter")
    pages[0].get_by_role("heading", name="Waiting for your partner").wait_for()
    pages[1].get_by_role("button", name="I am ready").click()
    for page in pages:
        page.get_by_role("link", name="Play game 1").click()
        page.get_by_role("button", name="Leave the game").wait_for()
    leaving, staying = pages
    new_page.allow("/api/access")  # the page asks why its seat is another player's
    leaving.get_by_role("button", name="Leave the game").click()
    leaving.get_by_role("dialog").get_by_role("button", name="Leave the game").click()
    leaving.get_by_role("link", name="Continue with the study").click()
    leaving.get_by_text("You left this game.").wait_for()
    if rule == "program":
        play_reference(staying)
        staying.get_by_role("link", name="Continue with the study").click()
        staying.get_by_text("This game is over.").wait_for()
    else:
        staying.get_by_text("Your partner has left, so the game is over.").wait_for()
        staying.get_by_role("link", name="Continue with the study").click()
        staying.get_by_text("Your partner left, so the game ended.").wait_for()
    assert not Axe().run(staying).response["violations"]
    staying.get_by_role("button", name="Continue").click()
    staying.get_by_role("heading", name="About this study").wait_for()


def play_reference(page: Any) -> None:
    """Play the reference game at either seat until it is over."""
    box = page.locator("form :is(textarea, input[type=text]):visible")
    choice = page.locator("form input[type=radio]:visible")
    ended = page.get_by_role("link", name="Continue with the study")
    for _ in range(10):
        (box.first.or_(choice.first).or_(ended)).first.wait_for()
        if ended.is_visible():
            return
        if box.count():
            box.first.fill("the one with a red object in the middle")
            page.keyboard.press("Enter")
        elif choice.count():
            choice.first.check()
            page.get_by_role("button", name="Choose this").click()
        page.wait_for_timeout(500)
