"""Painting a grid and answering with set phrases, in the browser: by mouse, keys and touch; and what stays secret."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.play.registry import Registry
from tests.ui.guests import Guest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def house(module_server):
    return module_server()


def seat(house, new_page, game, variant, person, index=0, **options):
    """Sit down at one seat of a table, a scripted player at the other."""
    seats = {"imagegame": ("giver", "follower"), "askguess": ("questioner", "answerer")}[game]
    with Guest(house.url) as host:
        chosen = {"game": game, "variant": variant, "instance": index}
        chosen["experiment"] = {"imagegame": "random", "askguess": "cifar"}[game]
        made = host.post("/api/tables", **chosen, seats=dict.fromkeys(seats, "scripted") | {person: "invite"}).json()
    return new_page(house.url + made["invitations"][person], **options)


def cell(page, row, column):
    """The cell in a row and column, counted from 1."""
    return page.get_by_role("button", name=f"row {row}, column {column}:")


def drawn(page):
    """What is painted: a letter or a point for each cell, row by row."""
    return page.locator("[data-cell]").evaluate_all("all => all.map((one) => one.textContent || '.').join('')")


def drag(page, start, end):
    """Draw the pressed mouse from cell to cell."""
    boxes = [cell(page, *where).bounding_box() for where in (start, end)]
    (x1, y1), (x2, y2) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move(x2, y2, steps=20)
    page.mouse.up()


def test_a_grid_is_painted_by_mouse_and_keys(house, new_page):
    page = seat(house, new_page, "imagegame", "grid", "follower")
    expect(page.get_by_role("button", name="Erase")).to_be_visible()
    letter = page.locator(".brush[aria-pressed=true]").inner_text()  # the one the command names
    drag(page, (1, 1), (1, 4))
    assert drawn(page) == 4 * letter + 21 * "."
    drag(page, (1, 4), (1, 3))  # over what is there already: taken away
    page.get_by_role("button", name="Paint column 5").click()
    assert drawn(page) == f"{letter}{letter}..{letter}" + 4 * f"....{letter}"
    page.get_by_role("button", name="Undo").click()
    assert drawn(page) == 2 * letter + 23 * "."
    cell(page, 3, 3).focus()
    for key in ("q", "ArrowRight", "Enter", "ArrowDown", "Enter", "Delete"):
        page.keyboard.press(key)
    assert drawn(page) == 2 * letter + 10 * "." + "QQ" + 11 * "."
    page.wait_for_function("Object.values(localStorage).some((value) => value.includes('Q Q'))")
    page.reload()
    expect(cell(page, 3, 4)).to_have_text("Q")  # a half-painted grid is kept
    page.keyboard.press("Control+Enter")
    sent = page.locator(".bubble.you .said").first
    expect(sent).to_have_text(
        f"{letter} {letter} ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢\n▢ ▢ Q Q ▢\n▢ ▢ ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢", use_inner_text=True
    )
    expect(cell(page, 3, 4)).to_have_text("Q")  # the next drawing begins where the last ended
    expect(page.get_by_role("button", name="As it was")).to_be_disabled()


def test_a_grid_is_painted_by_touch(house, new_page):
    page = seat(house, new_page, "imagegame", "grid", "follower", **PHONE)
    cell(page, 2, 2).tap()
    page.get_by_label("Another letter").select_option("Z")
    cell(page, 5, 5).tap()
    page.get_by_role("button", name="Erase").tap()
    cell(page, 2, 2).tap()
    assert drawn(page) == 24 * "." + "Z"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_done_asks_back_and_ends_the_game(house, new_page, player_at):
    page = seat(house, new_page, "imagegame", "grid", "giver")
    me = player_at(page)
    me.reply("fill the whole grid with Q")
    page.get_by_label("Your command").fill("not yet sent")
    page.get_by_role("button", name="Done", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("is not sent")
    dialog.get_by_role("button", name="Not yet").click()
    expect(page.get_by_label("Your command")).to_have_value("not yet sent")
    page.get_by_role("button", name="Done", exact=True).click()
    dialog.get_by_role("button", name="Yes: Done").click()
    expect(me.over).to_be_visible()
    expect(page.locator(".bubble.you").last).to_contain_text("Done.")


def test_a_phrase_is_sent_alone_or_in_front_of_other_words(house, new_page, player_at):
    page = seat(house, new_page, "askguess", "undescribed", "answerer")
    me = player_at(page)
    me.wait_for_ask()
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".bubble.you .said")).to_have_text(["No."])
    me.wait_for_ask()
    page.get_by_label("Your answer").fill("It depends.")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator(".bubble.you .said")).to_have_text(["No.", "Yes. It depends."])
    me.wait_for_ask()
    page.get_by_role("button", name="Correct, that is the word").click()
    expect(me.over).to_be_visible()
    expect(page.get_by_role("table")).to_contain_text("Yes. It depends.")


def test_yes_no_and_gameover_are_buttons(house, new_page, player_at):
    page = seat(house, new_page, "askguess", "yes-no", "answerer")
    me = player_at(page)
    me.reply(choice=1)
    me.reply(choice=0)
    expect(page.locator(".bubble.you .said")).to_have_text(["No", "Yes"])
    me.reply(choice=2)
    expect(me.over).to_be_visible()


def test_neither_target_nor_word_reaches_the_other_seat(house):
    """Nothing that a seat's browser gets before the end tells what the other holds."""
    secrets = [("imagegame", "grid", "compact", "follower"), ("askguess", "yes-no", "cifar", "questioner")]
    for game, variant, experiment, person in secrets:
        instance = Registry(ROOT).experiments(game, variant)[experiment][1]
        other = next(seat for seat in Registry(ROOT).game(game).seats if seat != person)
        with Guest(house.url) as host, Guest(house.url) as me:
            chosen = {"game": game, "variant": variant, "experiment": experiment, "instance": 1}
            made = host.post(
                "/api/tables", **chosen, seats={person: "invite", other: "scripted"}
            ).json()  # random may say DONE at once
            pid = me.take(made["invitations"][person])
            with me.seat(pid) as live:
                live.wait_for_ask()
                received = [json.dumps(message, ensure_ascii=False) for message in live.messages]
            paths = [f"/table?seat={pid}", f"/api/debrief?seat={pid}", f"/api/record?episode={made['episode']}"]
            received += [me.http.get(path).text for path in paths]
            received += [me.http.get(f"/api/debrief?episode={made['episode']}").text]
        secret = json.dumps(instance.get("target") or instance["word"], ensure_ascii=False)[1:-1]
        assert len(received[0]) > 100 and not [text for text in received if secret in text]
