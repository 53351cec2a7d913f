"""The rules page: briefing, questions with feedback, example game, practice game, also by keyboard and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from engine.storage.store import Store

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAMES = ("askguess", "imagegame", "mapworld", "matchit", "reference", "spyfall", "tofukingdom")


@pytest.fixture(scope="module")
def house(module_server):
    """One server for the tests of this file."""
    return module_server()


def has_no_overflow(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def serious_faults(page: Page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    violations = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_with_diagram_lines_questions_and_an_example(house, new_page, game):
    page = new_page(f"{house.url}/rules?game={game}", **PHONE)
    expect(page.get_by_role("heading", name="the rules in 20 seconds")).to_be_visible()
    expect(page.locator(".diagram svg[role=img]")).to_have_attribute("aria-label", re.compile(r"\w+ \w+"))
    expect(page.get_by_role("list", name="The rules in short").get_by_role("listitem")).to_have_count(3)
    assert 3 <= page.locator(".questions li").count() <= 5
    assert has_no_overflow(page)
    page.get_by_role("link", name="Step through an example").click()
    expect(page.get_by_text("example game", exact=True)).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    back = page.get_by_role("link", name="Back to the rules and questions")
    expect(back).to_be_visible()
    assert has_no_overflow(page)
    back.click()
    expect(page.get_by_role("heading", name="the rules in 20 seconds")).to_be_visible()


def test_questions_are_answered_by_keyboard_and_feedback_is_announced(house, new_page):
    page = new_page(f"{house.url}/rules?game=matchit")
    first = page.locator(".questions li").first
    first.get_by_role("button", name="After both descriptions").focus()
    page.keyboard.press("Enter")
    expect(first.get_by_role("status")).to_have_text("Not this one. Try again.")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(first.get_by_role("status")).to_have_text(re.compile("^Right. You find out only by talking"))
    expect(page.get_by_text("1 of 4 answered")).to_be_visible()
    page.keyboard.press("Enter")  # the answered question stays as it is
    expect(page.get_by_text("1 of 4 answered")).to_be_visible()


def test_the_page_does_not_hold_the_right_answers(house, new_page):
    page = new_page(f"{house.url}/rules?game=matchit")
    told = page.evaluate("fetch('/api/rules?game=matchit').then((answer) => answer.json())")
    assert all(set(question) == {"question", "choices"} for question in told["questions"])


def test_variant_and_seat_change_the_lines_and_the_address(house, new_page):
    page = new_page(f"{house.url}/rules?game=reference")
    lines = page.get_by_role("list", name="The rules in short")
    expect(lines).to_contain_text("three grids")
    page.get_by_label("Variant").select_option("picture")
    expect(lines).to_contain_text("three pictures")
    page.get_by_label("You play").focus()
    page.get_by_label("You play").select_option("listener")
    expect(lines).to_contain_text("You cannot ask back")
    expect(page).to_have_url(re.compile(r"/rules\?game=reference&variant=picture&seat=listener$"))
    expect(page.get_by_label("You play")).to_be_focused()
    page.reload()
    expect(lines).to_contain_text("You cannot ask back")


def test_a_practice_game_is_dealt_from_the_practice_instances(house, new_page):
    page = new_page(f"{house.url}/rules?game=matchit&seat=B")
    page.get_by_role("button", name="Start a practice game").click()
    expect(page.get_by_text("Practice, not counted")).to_be_visible()
    with Store(house.db) as store:
        starts = [row.start for row in store.episodes() if row.start["game"] == "matchit"]
    assert [start["experiment"] for start in starts] == ["practice"]
    assert starts[0]["people"]["B"] == {"informed": False, "seen_before": False, "practice": True}


def test_the_table_shows_the_briefing_and_the_roles_while_playing(house, new_page):
    page = new_page(f"{house.url}/rules?game=tofukingdom&seat=prince")
    page.get_by_role("button", name="Start a practice game").click()
    side = page.locator(".table-page")
    expect(side.locator(".diagram svg")).to_be_visible()
    expect(side.get_by_role("list", name="The rules in short")).to_contain_text("You win if you are right")
    page.get_by_label("Who is the Princess?").check()
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(side.locator("details.rules > ol, details.rules .diagram").first).to_be_hidden()  # folded after a reply
    row = side.get_by_role("row", name=re.compile("^Guard"))
    expect(row).to_contain_text("the Prince names the Queen")
    expect(row).to_be_visible()


def test_what_does_not_exist_is_said(house, new_page):
    page = new_page(f"{house.url}/rules")
    expect(page.get_by_text("No game is named in this address.")).to_be_visible()
    new_page.allow("status of 404")
    for query in ("game=chess", "game=matchit&variant=photo", "game=matchit&seat=C"):
        page.goto(f"{house.url}/rules?{query}")
        expect(page.get_by_role("heading", name="These rules cannot be shown")).to_be_visible()
    page.goto(f"{house.url}/watch?example=chess")
    expect(page.get_by_text("no game 'chess'")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_for_readers_with_other_means(house, new_page, scheme):
    page = new_page(f"{house.url}/rules?game=tofukingdom", color_scheme=scheme)
    expect(page.locator(".diagram svg")).to_be_visible()
    page.get_by_role("button", name="Lie", exact=True).click()
    page.get_by_role("button", name="Nobody", exact=True).click()
    expect(page.locator(".feedback.right")).to_be_visible()
    expect(page.locator(".feedback.wrong")).to_be_visible()
    page.get_by_text("All the rules").click()
    assert serious_faults(page) == []
    page.goto(f"{house.url}/watch?example=matchit")
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("link", name="Back to the rules and questions")).to_be_visible()
    assert serious_faults(page) == []
