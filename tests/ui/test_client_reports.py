"""What a browser reports with a reply: what was typed and pasted, on which screen; and that no report loses a reply."""

import json
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from engine.core.client_report import CLIENT_REPORT_FIELDS
from engine.core.log import Log
from engine.play.plans import build_item_start
from engine.play.registry import Registry
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.conftest import ROOT
from tests.ui.guests import Guest, fill

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 3}
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


@pytest.fixture(scope="module")
def house(module_server):
    """A server shared by the tests of this file."""
    return module_server()


def sit(page: Page, url: str, variant: str = "text") -> str:
    """Open a table of MatchIt from the page's browser and go to seat A; return the episode."""
    body = {"game": "matchit", "variant": variant, "seats": {"A": "person", "B": "scripted"}}
    table = page.request.post(f"{url}/api/tables", data=body).json()
    page.goto(url + table["go"])
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    episode: str = table["episode"]
    return episode


def reported(house: Any, episode: str) -> list[dict[str, Any]]:
    """Return the reports stored with the replies of seat A, {} for a reply without one."""
    with Store(house.db) as store:
        return [reply.meta.get("client", {}) for reply in Log(store.events(episode)).replies("A")]


def paste(page: Page, text: str) -> None:
    """Paste a text where the focus is."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")


def look_away(page: Page, *, hidden: bool) -> None:
    """Make the page believe that it is hidden, or that another window has the focus, until `look_back`."""
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
            document.hasFocus = () => false;
            document.dispatchEvent(new Event('visibilitychange'));
            dispatchEvent(new Event('blur'));
        }""",
        hidden,
    )


def look_back(page: Page) -> None:
    """End `look_away`."""
    page.evaluate(
        """() => {
            delete document.hidden;
            delete document.hasFocus;
            document.dispatchEvent(new Event('visibilitychange'));
            dispatchEvent(new Event('focus'));
        }"""
    )


# ---------------------------------------------------------------------- what a page reports
@pytest.mark.browser
def test_what_is_typed_changed_and_pasted_is_counted(house, new_page, player_at):
    page = new_page(house.url, viewport={"width": 1280, "height": 500}, **CLIPBOARD)
    episode = sit(page, house.url)
    me = player_at(page)
    box = me.form.get_by_role("textbox")
    box.click()
    page.keyboard.type("a ringx", delay=5)
    page.keyboard.press("Backspace")
    page.keyboard.press("Shift+Home")
    page.keyboard.type("b")  # replaces it all
    paste(page, " wide 👩")
    expect(box).to_have_value("b wide 👩")
    me.form.locator("button.send").click()
    expect(page.get_by_text("b wide 👩")).to_be_visible()
    me.reply("Is it round?")  # set by the test without a key
    first, second = reported(house, episode)
    assert first.keys() <= CLIENT_REPORT_FIELDS.keys()
    assert first["keystrokes"] == 7 + 1 + 1 + 1 + 1  # letters, Backspace, Home, b, V
    assert (first["edits"], first["pastes"], first["pasted_characters"], first["pasting"]) == (2, 1, 7, "allowed")
    assert 0 <= first["first_key_ms"] < 3_600_000
    assert (first["hidden_seconds"], first["unfocused_seconds"]) == (0, 0)
    assert (first["viewport_width"], first["viewport_height"]) == (1280, 500)
    assert (first["pixel_ratio"], first["zoom"], first["pointer"]) == (1, 1, "fine")
    assert "pictures" not in first
    assert (second["keystrokes"], second["edits"], second["pastes"]) == (0, 0, 0) and "first_key_ms" not in second


@pytest.mark.browser
def test_time_away_is_counted_and_a_reload_goes_on_counting(house, new_page, player_at):
    page = new_page(house.url)
    episode = sit(page, house.url)
    me = player_at(page)
    me.form.get_by_role("textbox").press_sequentially("a ring")
    for hidden in (True, False):
        look_away(page, hidden=hidden)
        page.wait_for_function("start => Date.now() - start > 50", arg=page.evaluate("Date.now()"))
        look_back(page)
    page.reload()
    expect(me.form.get_by_role("textbox")).to_have_value("a ring")
    me.form.get_by_role("textbox").press("End")
    me.form.get_by_role("textbox").press("s")
    me.form.locator("button.send").click()
    expect(page.get_by_text("a rings")).to_be_visible()
    [report] = reported(house, episode)
    assert report["keystrokes"] == 8
    assert 0.05 <= report["hidden_seconds"] < 600 and 0.05 <= report["unfocused_seconds"] < 600


@pytest.mark.browser
def test_screen_pointer_and_pictures_are_those_that_were_seen(house, new_page, player_at):
    page = new_page(house.url, **PHONE)
    episode = sit(page, house.url, "picture")
    drawn = page.locator(".pinbox img").bounding_box()
    me = player_at(page)
    me.reply("a ring")
    me.wait_for_ask()
    page.locator(".pinbox > summary").click()  # folds it away
    expect(page.locator(".pinbox img")).to_be_hidden()
    me.reply("Is it round?")
    first, second = reported(house, episode)[:2]
    assert (first["pointer"], first["pixel_ratio"]) == ("coarse", 3)
    [[width, height]] = first["pictures"]
    assert drawn and (width, height) == pytest.approx((drawn["width"], drawn["height"]), abs=0.1) and width > 100
    assert second["pictures"] == [[0, 0]]


@pytest.mark.browser
def test_a_move_that_is_sent_again_has_the_same_report(house, new_page, player_at):
    new_page.allow("Failed to load|status of 5")
    page = new_page(house.url)
    episode = sit(page, house.url)
    sent: list[str] = []

    def lose_the_first(route: Any) -> None:
        sent.append(route.request.post_data)
        if len(sent) == 1:
            route.fulfill(status=503, json={})
        else:
            route.continue_()

    page.route("**/api/move", lose_the_first)
    player_at(page).reply("a ring")
    expect(page.get_by_text("a ring")).to_be_visible()
    assert len(sent) == 2 and sent[0] == sent[1] and "client" in json.loads(sent[0])
    assert len(reported(house, episode)) == 1


@pytest.mark.browser
def test_where_pasting_is_blocked_nothing_is_pasted_and_the_attempt_is_reported(house, new_page, player_at):
    episode, path = table_without_pasting(house)
    page = new_page(house.url, **CLIPBOARD)
    page.goto(house.url + path)
    me = player_at(page)
    me.wait_for_ask()
    box = me.form.get_by_role("textbox")
    box.press_sequentially("typed")
    paste(page, "twelve signs")
    expect(page.get_by_text("Pasting is switched off in this game.")).to_be_visible()
    expect(box).to_have_value("typed")
    box.press_sequentially("!")
    expect(page.get_by_text("Pasting is switched off in this game.")).to_have_count(0)
    expect(box).to_have_value("typed!")
    me.form.locator("button.send").click()
    expect(page.locator(".bubble.you")).to_contain_text("typed!")
    [report] = reported(house, episode)
    assert (report["pasting"], report["pastes"], report["pasted_characters"]) == ("blocked", 1, 12)
    assert report["edits"] == 0


def table_without_pasting(house: Any) -> tuple[str, str]:
    """Write a table whose person at seat A may not paste, as a study does; return the episode and the seat's link."""
    registry = Registry(ROOT)
    game, item = registry.game("matchit"), registry.select_instances("matchit/text")[0]
    people = {"A": {"pastes": "blocked"}}
    start = build_item_start(game, item, {"A": "person", "B": "scripted"}, people=people)
    with Store(house.db) as store:
        links = SeatLinks(store, store)
        [claim] = store.claim_episodes([(start, None)], origin="table")
        seat_ids = links.open_table(claim.episode, "nobody", ["A"], None, 0.0, start.instance_hash)
        store.release_lease(claim.episode)
        return claim.episode, links.make_seat_path(seat_ids["A"])


def test_pages_hear_whether_pasting_is_allowed(house):
    with Guest(house.url) as guest, guest.seat(guest.sit()) as page:
        assert page.state.get("pastes", "allowed") == "allowed"
        _, path = table_without_pasting(house)
        with guest.seat(guest.take(path)) as other:
            assert other.state["pastes"] == "blocked"


# ---------------------------------------------------------------------- whatever is sent as a report
numbers = st.integers(-(10**400), 10**400) | st.floats()
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.text(st.characters(categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
reports = json_values | st.dictionaries(
    st.sampled_from([*CLIENT_REPORT_FIELDS]) | st.text(), json_values | numbers, max_size=10
)


def stored_meta(house: Any, guest: Guest, report: Any) -> dict[str, Any]:
    """Send the first reply of a new game with a report, twice; return the meta that was stored with it."""
    table = guest.open(pace=0)
    with guest.seat(guest.take(table["go"])) as page:
        ask, move = page.wait_for_ask(), str(uuid.uuid4())
        for _ in range(2):
            answer = guest.move(page.name, ask["id"], fill(ask["form"], "a ring"), move, client=report)
            assert answer.status_code == 200, answer.text
    with Store(house.db) as store:
        [reply] = Log(store.events(table["episode"])).replies("A")
    return reply.meta


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reports)
def test_no_report_loses_a_reply_or_is_stored_with_anything_unknown(house, report):
    with Guest(house.url) as guest:
        reply_meta = stored_meta(house, guest, report)
    stored = reply_meta.get("client", {})
    assert reply_meta.keys() <= {"seconds", "move", "client"} and stored.keys() <= CLIENT_REPORT_FIELDS.keys()
    assert len(json.dumps(stored, allow_nan=False)) < 2000
    assert "Traceback" not in house.output()


@pytest.mark.parametrize(
    "report", [[[]] * 10_000, {"keystrokes": 5, "text": "x" * 500_000}, "x" * 10**6, {"client": {}}]
)
def test_a_huge_report_loses_no_reply(house, report):
    with Guest(house.url) as guest:
        assert stored_meta(house, guest, report).get("client") in (None, {"keystrokes": 5})
