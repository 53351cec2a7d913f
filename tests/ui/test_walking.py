"""Map World in the browser: a walk by mouse, by keys and on a phone, a map drawn by hand, and what must not arrive."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.storage.store import Store
from tests.ui.guests import Guest
from tests.ui.recording_proxy import RecordingProxy

pytestmark = pytest.mark.browser

KEYS = {"north": "ArrowUp", "south": "ArrowDown", "east": "ArrowRight", "west": "ArrowLeft"}


@pytest.fixture(scope="module")
def house(module_server):
    """A server that the tests of this file share."""
    return module_server()


def events(db: Path, episode: str) -> list[Any]:
    """Return the log of an episode."""
    with Store(db) as store:
        return list(store.events(episode))


def open_and_sit(page: Page, url: str, variant: str) -> str:
    """Open a table of Map World from the page's own browser and go to its seat; return the episode."""
    body = {"game": "mapworld", "variant": variant, "seats": {"walker": "person"}}
    made = page.request.post(f"{url}/api/tables", data=body).json()
    page.goto(url + made["go"])
    expect(page.locator(".compass")).to_be_visible()
    episode: str = made["episode"]
    return episode


def ways(page: Page):
    """The directions that have a door."""
    return page.locator("button.way:not(.closed)")


def go(page: Page, press) -> None:
    """Do something that sends the form, and wait for the next."""
    form = page.locator("form.ask").element_handle()
    press()
    page.wait_for_function("form => !form.isConnected && document.querySelector('form.ask, .debrief')", arg=form)


def finish(page: Page) -> None:
    """Press Done and mean it."""
    page.locator("button.done").click()
    page.get_by_role("button", name="Yes, done").click()
    expect(page.get_by_role("heading", name="The score")).to_be_visible()


def test_a_walk_by_mouse_ends_with_the_map_and_every_move_judged(new_page, house):
    page = new_page(house.url)
    open_and_sit(page, house.url, "ee-text")
    expect(page.get_by_text("Your turn: choose a direction")).to_be_visible()
    for _ in range(2):
        go(page, ways(page).first.click)
        expect(ways(page).first).to_be_enabled()
    page.locator("button.done").click()
    expect(page.get_by_role("dialog")).to_contain_text("Stop exploring?")
    page.get_by_role("button", name="Keep going").click()
    expect(page.locator("button.done")).to_be_enabled()
    finish(page)
    debrief = page.locator(".debrief")
    expect(debrief.locator("svg.graph")).to_have_count(2)
    expect(debrief.locator(".steps li")).to_have_count(2)
    expect(debrief).to_contain_text("harmonic mean")
    expect(debrief.locator("svg.growth")).to_be_visible()


def closed_ways(page: Page):
    """The directions that have no door."""
    return page.locator("button.way.closed")


def test_a_direction_without_a_door_can_be_chosen_by_mouse_and_by_key(new_page, house):
    page = new_page(house.url)
    episode = open_and_sit(page, house.url, "ee-text")
    assert ways(page).count() + closed_ways(page).count() == 4
    direction = str(closed_ways(page).first.get_attribute("data-choice"))
    button = page.get_by_role("button", name=f"Go {direction}: no door")
    border = "button => getComputedStyle(button).borderTopStyle"
    assert (button.evaluate(border), ways(page).first.evaluate(border)) == ("dashed", "solid")
    go(page, button.click)
    expect(page.get_by_text(f"There is no door to the {direction}.")).to_be_visible()
    expect(button).to_be_enabled()
    page.locator("fieldset:has(.compass)").focus()
    go(page, lambda: page.keyboard.press(KEYS[direction]))
    replies = [event.data["text"] for event in events(house.db, episode) if event.kind == "reply"]
    assert replies == [f"GO: {direction}"] * 2
    finish(page)
    expect(page.locator(".debrief .steps li").filter(has_text="there was no door")).to_have_count(2)


def test_a_walk_by_keys_describes_pictures_and_names_no_room(new_page, house):
    with RecordingProxy(house.port) as proxy:
        page = new_page(proxy.url)
        episode = open_and_sit(page, proxy.url, "ee-picture")
        image = page.locator(".pins img")
        expect(image).to_be_visible()
        key = KEYS[str(ways(page).first.get_attribute("data-choice"))]
        page.locator("fieldset:has(.compass)").focus()
        page.keyboard.press(key)
        expect(page.get_by_text("Nothing is written yet")).to_be_visible()
        page.locator("form.ask textarea").fill("A place that I describe.")
        page.locator("fieldset:has(.compass)").focus()
        before = str(image.get_attribute("src"))
        go(page, lambda: page.keyboard.press(key))
        expect(image).not_to_have_attribute("src", before)
        box = page.locator("form.ask textarea")
        expect(box).to_have_value("")
        sent = page.locator(".bubble.you").count()
        box.press("ArrowLeft")  # in the text, not on the map
        assert page.locator(".bubble.you").count() == sent == 2
        page.context.close()
        received = proxy.answers()
    start = events(house.db, episode)[0].data
    rooms = start["instance"]["rooms"]
    secrets = [room["picture"] for room in rooms] + [f'"{room["name"]}"' for room in rooms]
    secrets += [f'"{start["experiment"]}"', start["instance_id"]]
    for answer in received:
        if not answer.path.startswith(("/web/", "/assets/", "/static/", "/api/lobby", "/ws/lobby")):
            text = answer.body.decode("utf-8", "replace")
            assert not [secret for secret in secrets if secret in text], answer.path


def test_a_map_is_drawn_by_hand_and_arrives_as_a_model_would_send_it(new_page, house):
    page = new_page(house.url)
    episode = open_and_sit(page, house.url, "ee-gr-text")
    name = page.locator(".mapedit input")
    first = name.input_value()
    assert first, "the room's name was told, so it is suggested"
    add = page.get_by_role("button", name="Add the room you are in")
    add.click()
    expect(page.locator(".mapboard .room")).to_have_count(1)
    went = ways(page).first.get_attribute("data-choice")
    go(page, ways(page).first.click)
    expect(page.locator(".mapboard .room")).to_have_count(1)
    add.click()
    expect(page.locator(".mapboard .room")).to_have_count(2)
    expect(page.locator(".mapboard .door")).to_have_count(1)
    name.fill("my room")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".mapboard .room.chosen text")).to_have_text("my room")
    page.get_by_text("What will be sent").click()
    expect(page.locator(".composed code")).to_contain_text("my room")
    page.reload()
    expect(page.locator(".mapboard .room")).to_have_count(2)
    finish(page)
    replies = [event.data["text"] for event in events(house.db, episode) if event.kind == "reply"]
    sent = json.loads(replies[-1])
    assert sent["action"] == "DONE" and sent["graph"]["nodes"] == [first, "my room"]
    assert sent["graph"]["edges"][went] == [[first, "my room"]]
    assert json.loads(replies[0])["action"] == f"GO: {went}"


SWIPE = """([dx, dy]) => {
    const target = document.querySelector('.compass');
    const {x, y, width, height} = target.getBoundingClientRect();
    const at = (dx, dy) =>
        new Touch({identifier: 1, target, clientX: x + width / 2 + dx, clientY: y + height / 2 + dy});
    const send = (kind, touches, changed) =>
        target.dispatchEvent(new TouchEvent(kind, {touches, changedTouches: changed, bubbles: true, cancelable: true}));
    send('touchstart', [at(0, 0)], [at(0, 0)]);
    send('touchend', [], [at(dx, dy)]);
}"""


def test_a_walk_on_a_phone_by_swiping(new_page, house):
    page = new_page(house.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_and_sit(page, house.url, "g2x-text")
    way = str(ways(page).first.get_attribute("data-choice"))
    far = {"north": (0, -60), "south": (0, 60), "east": (60, 0), "west": (-60, 0)}[way]
    go(page, lambda: page.evaluate(SWIPE, far))
    expect(page.locator(".bubble.you")).to_have_text(f"YouGo {way}.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_whoever_knows_the_map_is_watched_with_the_board_as_it_goes(house):
    with Guest(house.url) as guest:
        chosen = {"game": "mapworld", "variant": "ee-picture", "pace": 0}
        episode = guest.open({"walker": "optimal"}, **chosen)["episode"]
        with guest.watch(episode) as live:
            lines = live.until(lambda state: state["outcome"])["lines"]
        boards = [line["board"] for line in lines if line.get("board")]
        assert len(boards) > 3
        assert [panel for panel in boards[0] if panel.get("picture", "").startswith("/p/")]
        states = [[node["state"] for node in board[0]["graph"]["nodes"]] for board in boards]
        assert "visited" not in states[0] and states[0].count("here") == 1  # in a star, all rooms are seen at once
        assert set(states[-1]) == {"here", "visited"}
