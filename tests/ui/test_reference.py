"""The reference game in the browser: pictures to click, the target marked at the speaker's, and what stays secret."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.play.registry import Registry
from engine.storage.store import Store
from tests.ui.guests import Guest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def twins(variant, experiment):
    """Two instances that differ in nothing but which of the three is the target."""
    data = Registry(ROOT).experiments("reference", variant)[experiment][0]
    one, other = data["distractors"]
    order = [{0: 1, 1: 0}.get(number, number) for number in data["listener"]]
    return [data, {**data, "target": one, "distractors": [data["target"], other], "listener": order}]


@pytest.fixture(scope="module")
def house(module_server, tmp_path_factory):
    """A server whose reference game has twins only, in an experiment whose name must not be told."""
    folder = tmp_path_factory.mktemp("instances") / "reference"
    folder.mkdir()
    for variant, experiment in (("text", "random"), ("picture", "everyday")):
        file = {"game": "reference", "variant": variant, "version": 1, "seed": 0}
        (folder / f"{variant}.json").write_text(
            json.dumps(file | {"experiments": {"zebra": twins(variant, experiment)}})
        )
    return module_server(None, None, "--instances", str(folder.parent))


def table(variant, index, **seats):
    """Say what opens a table with an instance."""
    return {"game": "reference", "variant": variant, "experiment": "zebra", "instance": index, "seats": seats}


def test_three_pictures_are_clicked_by_mouse_keys_and_touch(house, new_page):
    for number, options in enumerate(({}, {}, PHONE)):
        page = new_page(**options)
        with Guest(house.url) as host:
            made = host.post("/api/tables", **table("picture", 0, listener="invite", speaker="scripted")).json()
        page.goto(house.url + made["invitations"]["listener"])
        tiles = page.locator(".tile")
        expect(tiles.locator("img")).to_have_count(3)
        expect(page.locator(".pins")).to_be_hidden()
        send = page.get_by_role("button", name="Choose this picture")
        send.click()
        expect(page.get_by_text("Choose one of them first.")).to_be_visible()
        if number == 0:
            tiles.nth(1).locator("img").click()
            page.get_by_role("button", name="Enlarge: The third picture").click()
            page.get_by_role("button", name="Close", exact=True).click()
        elif number == 1:
            page.keyboard.press("3")
            page.keyboard.press("ArrowLeft")
        else:
            tiles.nth(1).locator("img").tap()
            expect(page.locator(".large img")).to_be_visible()
            expect(send).to_be_in_viewport(ratio=1)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(page.get_by_role("radio", name="The second picture")).to_be_checked()
        expect(page.get_by_text("Choose one of them first.")).to_be_hidden()
        page.reload()
        expect(page.get_by_role("radio", name="The second picture")).to_be_checked()
        send.click()
        expect(page.get_by_role("heading", name=re.compile("^You (won|lost): you picked"))).to_be_visible()
        marked = page.locator(".debrief .exhibit.marked figcaption")
        expect(marked.filter(has_text="the target")).to_have_count(1)
        expect(marked.filter(has_text="chosen")).to_have_text(re.compile("^Second: "))
        with Store(house.db) as store:
            replies = [e.data["text"] for e in store.events(made["episode"]) if e.kind == "reply"]
        assert replies[-1] == "Answer: second"


def test_the_speaker_sees_the_target_marked_and_describes_it_in_a_line(house, new_page):
    host, page = new_page(house.url), new_page()
    body = table("text", 0, speaker="invite", listener="scripted")
    made = host.request.post(f"{house.url}/api/tables", data=body).json()
    page.goto(house.url + made["invitations"]["speaker"])
    marked = page.locator(".pins .exhibit.marked")
    expect(marked).to_have_count(1)
    expect(marked.locator("figcaption")).to_have_text("First grid, the target")
    expect(page.locator(".pins table.grid")).to_have_count(3)
    box = page.get_by_role("textbox", name="How is the target different from the other two grids?")
    box.fill("the one with a filled corner")
    box.press("Enter")
    expect(page.get_by_role("heading", name="The score")).to_be_visible()


@pytest.mark.parametrize("variant", ["text", "picture"])
def test_a_listener_is_sent_the_same_whichever_is_the_target(house, variant):
    received = []
    for index in (0, 1):
        with Guest(house.url) as host, Guest(house.url) as speaker, Guest(house.url) as listener:
            made = host.post("/api/tables", **table(variant, index, speaker="invite", listener="invite")).json()
            says, hears = (
                guest.take(made["invitations"][name]) for guest, name in ((speaker, "speaker"), (listener, "listener"))
            )
            with listener.seat(hears) as view, speaker.seat(says) as own:
                own.reply("one of them")
                view.wait_for_ask()
                shown = [pin["picture"] for pin in view.state["pinned"] if "picture" in pin]
                pictures = [listener.http.get(path) for path in shown]
                state = {key: value for key, value in view.state.items() if key not in ("v", "from", "others")}
                said = json.dumps(state).replace(hears, "SEAT")
                refused = [
                    listener.http.get(f"/api/{what}?seat={hears}").status_code for what in ("debrief", "download")
                ]
                own_pins = json.dumps(own.state["pinned"])
            assert '"marked"' in own_pins and '"marked"' not in said and 'the target"' not in said
            assert "zebra" not in said and min(refused) >= 400
            headers = [
                sorted((k, v) for k, v in one.headers.items() if k not in ("date", "x-request-id")) for one in pictures
            ]
            said = re.sub(r"\b1[789]\d{11}\b", "TIME", re.sub(r"/p/[\w-]+", "/p/", said))
            received.append((said, [one.content for one in pictures], headers))
    assert received[0] == received[1]
    assert len(received[0][1]) == (3 if variant == "picture" else 0)
