"""Tables of many seats: two people in two browsers among four programs, one of whom leaves; eight seats on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.ui.guests import Guest
from tests.ui.lobby import open_options

pytestmark = pytest.mark.browser

SPYFALL = ("Nancy", "Tom", "Cindy", "Jack", "Rose", "Edward")
TOFU = ("prince", "Ada", "Boris", "Cleo", "Dora", "Emil", "Flora", "Gustav")
PHONE = {"width": 390, "height": 800}


@pytest.fixture(scope="module")
def house(module_server: Callable) -> str:
    """A server for all tests of this file."""
    url: str = module_server().url
    return url


def table(guest: Guest, people: dict[str, str], **rest: object) -> dict:
    """Open a table of SpyFall with people at some seats and programs at the others."""
    seats = {name: people.get(name, "scripted") for name in SPYFALL}
    answer = guest.post("/api/tables", game="spyfall", seats=seats, pace=0, **rest)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def speak(page: Page) -> None:
    """Describe or vote, whichever is asked."""
    form = page.locator("form.ask:visible")
    shown = form.element_handle()
    form.get_by_role("textbox").first.fill("Many people know it.")
    if form.get_by_role("radio").count():
        form.get_by_role("radio").first.check()
    form.locator("button.send").click()
    shown.wait_for_element_state("hidden")


def strip(page: Page, name: str):
    """Return the place of somebody in the strip of those at the table."""
    return page.get_by_role("list", name="At the table").get_by_role("listitem").filter(has_text=name)


@pytest.mark.slow
def test_one_of_two_people_leaves_and_the_other_finishes_with_a_program(house: str, new_page: Callable) -> None:
    nancy, tom = new_page(house), new_page()
    body = {
        "game": "spyfall",
        "pace": 0,
        "seats": {**dict.fromkeys(SPYFALL, "scripted"), "Nancy": "person", "Tom": "invite"},
    }
    made = nancy.request.post(f"{house}/api/tables", data=body).json()
    nancy.goto(house + made["go"])
    tom.goto(house + made["invitations"]["Tom"])
    for page, name in ((nancy, "Nancy"), (tom, "Tom")):
        expect(page.get_by_role("list", name="At the table").get_by_role("listitem")).to_have_count(6)
        expect(strip(page, name)).to_contain_text("you")
        expect(page.get_by_text("only you see it").first).to_be_attached()
    form = "form.ask:visible"
    expect(nancy.locator(".turn")).to_have_text(re.compile("Your turn|Tom"))
    page, other, name = (tom, nancy, "Tom") if "Tom" in nancy.locator(".turn").inner_text() else (nancy, tom, "Nancy")
    expect(other.locator(".turn")).to_contain_text(name)  # whom all wait for
    speak(page)

    tom.get_by_role("button", name="Leave the game").click()
    tom.get_by_role("button", name="Let a program play on").click()
    expect(tom.get_by_role("heading", name="You have left")).to_be_visible()
    expect(nancy.get_by_text("A program plays on for Tom")).to_be_visible()
    over = nancy.get_by_role("heading", name="The score")
    while True:
        expect(nancy.locator(form).or_(over).first).to_be_visible()
        if over.is_visible():
            break
        speak(nancy)
    expect(nancy.get_by_role("heading", name=re.compile("^You (won|lost): .*spy"))).to_be_visible()
    expect(nancy.locator("svg.arrows").first).to_be_visible()


def test_leaving_may_also_end_the_game_for_all(house: str) -> None:
    with Guest(house) as nancy, Guest(house) as tom:
        made = table(nancy, {"Nancy": "person", "Tom": "invite"})
        mine, theirs = nancy.take(made["go"]), tom.take(made["invitations"]["Tom"])
        with nancy.seat(mine) as at:
            assert tom.post("/api/leave", seat=theirs, player="openai/any").status_code == 422
            assert tom.post("/api/leave", seat=theirs).status_code == 200
            outcome = at.until(lambda state: state["outcome"])["outcome"]
        assert (outcome["kind"], outcome["seat"]) == ("abandoned", "Tom")
        shown = nancy.http.get("/api/debrief", params={"seat": mine}).json()
        assert shown["headline"] == "Tom left, and so the game ended."


def test_a_seat_hears_its_own_word_and_nothing_of_the_others(house: str) -> None:
    """Words, the spy's seat and thoughts: whatever a page is sent, page state and lines included."""
    with Guest(house) as guest:
        for _ in range(3):
            made = table(guest, {"Rose": "person"}, experiment="given", instance=9, settings={"spy_wins_at": 3})
            with guest.seat(guest.take(made["go"])) as rose:
                while not rose.until(lambda state: state["ask"] or state["outcome"])["outcome"]:
                    sent = str(rose.messages)
                    assert ("motorcycle" in sent) != ("electromobile" in sent)
                    assert not re.search(r"fit my word|Something true|stay vague", sent)  # what programs think
                    rose.reply("Many people know it.")


def go_to_princes_seat(page: Page, house: str) -> None:
    """Open a table of TofuKingdom with programs at the other seats."""
    body = {"game": "tofukingdom", "pace": 0, "seats": {**dict.fromkeys(TOFU, "scripted"), "prince": "person"}}
    page.goto(house + page.request.post(f"{house}/api/tables", data=body).json()["go"])


def test_eight_seats_on_a_phone(house: str, new_page: Callable) -> None:
    page = new_page(house, viewport=PHONE)
    go_to_princes_seat(page, house)
    places = page.get_by_role("list", name="At the table").get_by_role("listitem")
    expect(places).to_have_count(8)
    for place in places.all():
        box = place.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    over = page.get_by_role("heading", name="The score")
    form = page.locator("form.ask:visible")
    for number in range(9):
        expect(form).to_be_visible()
        if number == 0:
            expect(form.locator("button.send")).to_be_in_viewport()  # with the rules still open above it
        shown = form.element_handle()
        questions = form.get_by_role("group", name="Your question")
        if questions.count():
            if number % 2:
                questions.get_by_role("combobox").select_option("Dora")
            else:
                questions.get_by_role("radio").first.check()
        whom = form.get_by_role("group", name=re.compile(r"Who do you ask\?|Who is the Princess\?"))
        if whom.count():
            whom.get_by_text("Dora", exact=True).click()
        form.locator("button.send").click()
        shown.wait_for_element_state("hidden")
    expect(over).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator(".bubble.you").filter(has_text="Who do you ask? Dora")).to_contain_text("What is")
    page.get_by_role("link", name="Watch it step by step").click()
    places = page.locator(".seatstrip .seatbox")
    expect(places).to_have_count(8)
    cards = [place.bounding_box() for place in places.all()]
    for number, card in enumerate(cards):
        assert card and card["x"] >= 0 and card["x"] + card["width"] <= PHONE["width"]
        for other in cards[:number]:
            assert other
            is_apart = card["x"] >= other["x"] + other["width"] or card["y"] >= other["y"] + other["height"]
            assert is_apart, "cards of two seats overlap"
    count = page.locator(".transport .count")
    expect(count).to_have_text(re.compile(r"^0 / \d\d$"))  # of what is shown, without the game master's words
    page.get_by_label("Game master’s words").check()
    expect(count).to_have_text(re.compile(r"^0 / \d\d\d$"))


@pytest.mark.parametrize("height", [PHONE["height"], 1320])
def test_rules_that_come_late_leave_the_form_in_sight(house: str, new_page: Callable, height: int) -> None:
    page = new_page(house, viewport={**PHONE, "height": height})
    late: list[Route] = []
    page.route("**/api/rules?*", lambda route: late.append(route))
    go_to_princes_seat(page, house)
    send = page.locator("form.ask:visible button.send")
    expect(send).to_be_in_viewport(ratio=0.9)
    diagram = page.locator(".rules .diagram")
    expect(diagram).not_to_be_attached()
    [request] = late
    request.continue_()
    expect(diagram).to_be_visible()
    expect(send).to_be_in_viewport(ratio=0.9)


def test_a_vote_shows_what_the_candidates_have_said(house: str, new_page: Callable) -> None:
    page = new_page(house, viewport=PHONE)
    seats = {**dict.fromkeys(SPYFALL, "scripted"), "Nancy": "person"}
    made = page.request.post(f"{house}/api/tables", data={"game": "spyfall", "pace": 0, "seats": seats}).json()
    page.goto(house + made["go"])
    speak(page)
    options = page.get_by_role("group", name="Who is the spy?").locator("label")
    expect(options).to_have_count(5)
    said = {
        bubble.locator(".who").inner_text(): bubble.locator(".said").inner_text()
        for bubble in page.locator(".bubble.partner").all()
    }
    for option in options.all():
        name = option.locator("span").first.inner_text()
        expect(option).to_contain_text(said[name])
    reason = page.get_by_label("Why? Everyone will read this")
    assert not reason.get_attribute("placeholder")  # the label above says it
    reason.fill("It could be anything.")
    first_name = options.first.locator("span").first.inner_text()
    options.first.click()
    page.locator("form.ask button.send").click()
    own_vote = page.locator(".bubble.you").filter(has_text="It could be anything.")
    expect(own_vote).to_contain_text(f"Who is the spy? {first_name}")


def test_the_lobby_seats_many_in_one_go(house: str, new_page: Callable) -> None:
    page = new_page(house, viewport=PHONE)
    card = open_options(page, "TofuKingdom")
    expect(card.get_by_label("My seat")).to_be_visible()
    expect(card.get_by_label("Flora", exact=True)).to_be_hidden()
    card.get_by_label("My seat").select_option("Flora")
    card.get_by_text("Set each seat").click()
    expect(card.get_by_label("Flora", exact=True)).to_have_value("person")
    expect(card.get_by_label("Prince", exact=True)).to_have_value("scripted")
    card.get_by_role("button", name="Start game").click()
    place = strip(page, "Flora")
    expect(place).to_contain_text("you")
    expect(page.get_by_text(re.compile("^Flora, the "))).to_be_visible()
