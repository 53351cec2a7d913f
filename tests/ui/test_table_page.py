"""The table's page as a newcomer meets it: pictures, what is in sight, keys, a friend, and the end of a game."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.play.registry import Registry
from tests.ui.guests import Guest

pytestmark = pytest.mark.browser

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PHONE_ON_ITS_SIDE = {"width": 844, "height": 390}
REGISTRY = Registry(Path(__file__).parents[2])
IN_SIGHT = """node => {
    const {left, top, right, bottom} = node.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, Math.min(bottom, (top + bottom) / 2));
    const isInside = left >= -1 && right <= innerWidth + 1 && top >= -1 && bottom <= innerHeight + 1;
    return isInside && (node.contains(at) || at?.contains(node) === true);
}"""


@pytest.fixture(scope="module")
def house(module_server):
    """A server that the tests of this file share."""
    return module_server()


def sit(page: Page, url: str, game: str, variant: str, seats: dict[str, str], **rest: Any) -> dict[str, Any]:
    """Open a table from the page's own browser and go to its seat; return what the server says of the table."""
    page.goto(url)
    answer = page.request.post(f"{url}/api/tables", data={"game": game, "variant": variant, "seats": seats, **rest})
    opened: dict[str, Any] = answer.json()
    assert answer.ok, opened
    page.goto(url + opened["go"])
    expect(page.locator("form.ask:visible")).to_be_visible()
    return opened


def is_in_sight(node: Locator) -> bool:
    """Whether an element lies wholly in the window, and nothing covers its middle."""
    return bool(node.evaluate(IN_SIGHT))


def share_of_form(page: Page) -> float:
    """Return how much of the width of the reply form its first text field has."""
    script = """form => form.querySelector('textarea, input[type=text]').offsetWidth / form.offsetWidth"""
    return float(page.locator("form.ask:visible").evaluate(script))


def describe_room(page: Page) -> None:
    """Describe the room where that is asked, and add it to the map where it is new."""
    if (box := page.locator("form.ask textarea")).count():
        box.fill("A room with a chair.")
    add = page.get_by_role("button", name="Add the room you are in")
    if add.count() and add.is_enabled():
        page.locator(".mapedit input").fill("hall")
        add.click()


def walk(page: Page) -> None:
    """Describe the room, and go through the first door."""
    form = page.locator("form.ask").element_handle()
    describe_room(page)
    page.locator("button.way:not(.closed)").first.click()
    page.wait_for_function("form => !form.isConnected && document.querySelector('form.ask')", arg=form)


def stop(page: Page) -> None:
    """Press Done and mean it."""
    page.locator("button.done").click()
    page.get_by_role("button", name="Yes, done").click()
    expect(page.get_by_role("heading", name="The score")).to_be_visible()


# ---------------------------------------------------------------------- rules
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_rules_that_are_opened_in_a_game_stay_in_place_and_nothing_covers_them(new_page, house, size):
    page = new_page(viewport=size)
    sit(page, house.url, "matchit", "text", {"A": "person", "B": "scripted"})
    page.locator("form.ask textarea").fill("Three rows are full.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".bubble.partner").last).to_be_visible()
    expect(page.locator("form.ask textarea")).to_be_enabled()
    title = page.locator(".rules > summary")
    expect(page.locator(".rules")).not_to_have_attribute("open", "")
    title.evaluate("title => scrollTo(0, title.getBoundingClientRect().top + scrollY - innerHeight / 3)")
    before = title.bounding_box()["y"]
    title.click()
    expect(page.get_by_role("list", name="The rules in short")).to_be_visible()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert title.bounding_box()["y"] == pytest.approx(before, abs=2)
    rules = page.locator(".rules .diagram, .rules .briefing li, .rules .all-rules > summary")
    title.evaluate("title => scrollTo(0, title.getBoundingClientRect().top + scrollY)")
    assert all(is_in_sight(rules.nth(index)) for index in range(rules.count())), "all of them at once"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on its side"])
def test_on_a_phone_the_rules_are_one_tap_from_the_form_and_so_is_the_way_back(new_page, house, size, scheme):
    page = new_page(viewport=size, has_touch=True, is_mobile=True, color_scheme=scheme)
    sit(page, house.url, "matchit", "text", {"A": "person", "B": "scripted"})
    form, button = page.locator("form.ask textarea"), page.get_by_role("button", name="Rules", exact=True)
    form.fill("Three rows")
    assert is_in_sight(button)
    before = page.evaluate("scrollY")
    button.tap()
    dialog = page.get_by_role("dialog", name="The rules")
    back = dialog.get_by_role("button", name="Back to the game")
    expect(dialog.get_by_role("list", name="The rules in short")).to_be_visible()
    dialog.get_by_text("All the rules").tap()
    assert is_in_sight(back), "also below long rules"
    back.tap()
    expect(dialog).to_have_count(0)
    expect(form).to_have_value("Three rows")
    assert page.evaluate("scrollY") == before and is_in_sight(button)


# ---------------------------------------------------------------------- pictures
@pytest.mark.parametrize(("width", "height", "least"), [(1024, 768, 540), (1280, 800, 800), (1920, 1080, 1200)])
def test_a_picture_takes_the_room_there_is_in_its_own_shape(new_page, house, width, height, least):
    page = new_page(viewport={"width": width, "height": height})
    sit(page, house.url, "mapworld", "ee-picture", {"walker": "person"})
    image = page.locator(".pinbox img")
    expect(image).to_be_visible()
    box = image.bounding_box()
    assert box["width"] >= least and box["width"] == pytest.approx(4 / 3 * box["height"], abs=2)
    assert is_in_sight(page.locator(".pinbox button.picture"))
    assert is_in_sight(page.locator("button.done"))


def test_a_picture_is_zoomed_and_moved_in_a_dialog(new_page, house):
    page = new_page(viewport=DESKTOP)
    sit(page, house.url, "mapworld", "ee-picture", {"walker": "person"})
    page.locator(".pinbox button.picture").click()
    view = page.locator("dialog.lightbox .view")
    expect(view).to_be_focused()
    width = "view => view.firstElementChild.getBoundingClientRect().width"
    page.keyboard.press("0")
    whole = view.evaluate(width)
    page.keyboard.press("+")
    page.keyboard.press("+")
    assert view.evaluate(width) == pytest.approx(2 * whole, rel=0.01)
    expect(page.get_by_text("200 %")).to_be_visible()
    before = view.evaluate("view => view.scrollLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.lightbox .view').scrollLeft > before", arg=before)
    page.mouse.move(640, 400)
    page.mouse.down()
    page.mouse.move(740, 460)
    page.mouse.up()
    assert view.evaluate("view => view.scrollTop") < 1000  # dragged, and still zoomed: a drag is no click
    expect(page.get_by_text("200 %")).to_be_visible()
    page.mouse.click(640, 400)
    expect(page.get_by_text("100 %")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


# ---------------------------------------------------------------------- walking
@pytest.mark.parametrize("size", [DESKTOP, PHONE, PHONE_ON_ITS_SIDE], ids=["desktop", "phone", "phone on its side"])
def test_explore_and_draw_needs_no_scrolling(new_page, house, size):
    page = new_page(viewport=size)
    sit(page, house.url, "mapworld", "ee-gr-picture", {"walker": "person"})
    for moves in range(3):
        expect(page.get_by_text(f"{moves} moves so far" if moves != 1 else "1 move so far")).to_be_visible()
        page.wait_for_function("document.querySelector('.pinbox img').complete")
        parts = [".pinbox button.picture", "form.ask textarea", ".mapedit input", ".mapedit .add", ".compass"]
        parts += [".mapboard"] * (moves > 0)
        assert [part for part in parts if not is_in_sight(page.locator(part))] == []
        focused = page.locator(":focus")
        assert not focused.count() or is_in_sight(focused)
        describe_room(page)
        assert is_in_sight(page.locator(".compass"))  # below the tools of the room that was just added
        assert share_of_form(page) >= 0.6
        walk(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_map_editor_says_what_its_buttons_do(new_page, house):
    page = new_page()
    sit(page, house.url, "mapworld", "ee-gr-text", {"walker": "person"})
    walk(page)
    page.get_by_role("button", name="Add the room you are in").click()
    doors = page.locator(".mapboard .door")
    expect(doors).to_have_count(1)
    page.get_by_role("button", name="Remove the door to").click()
    expect(doors).to_have_count(0)
    page.get_by_role("button", name="Add a door to").click()
    expect(doors).to_have_count(1)


def test_the_room_to_find_stays_in_sight_to_the_end(new_page, house):
    page = new_page(viewport=PHONE)
    sit(page, house.url, "mapworld", "g2x-text", {"walker": "person"})
    goal = page.locator(".goal strong")
    words = goal.inner_text()
    assert words.startswith("Find a")
    for _ in range(4):
        walk(page)
        assert is_in_sight(goal)
    folded = page.locator(".folded summary")
    expect(folded.filter(has_text="3. Go")).to_have_count(1)  # past moves take a line each
    assert max(box["height"] for box in map(Locator.bounding_box, folded.all())) < 40
    page.locator("button.done").click()
    expect(page.get_by_role("dialog")).to_contain_text(words)
    page.get_by_role("button", name="Yes, done").click()
    room = words.removeprefix("Find an ").removeprefix("Find a ")
    expect(page.locator("#debriefing")).to_contain_text(room)


# ---------------------------------------------------------------------- words and keys
def test_the_key_that_sends_is_that_of_the_field_in_sight_and_not_of_the_folded_notes(new_page, house):
    page = new_page()
    others = dict.fromkeys(("Nancy", "Tom", "Cindy", "Jack", "Edward"), "scripted")
    sit(page, house.url, "spyfall", "words", {**others, "Rose": "person"})
    box = page.get_by_label("Your description")
    expect(box).to_be_visible()
    expect(page.get_by_text("Enter sends", exact=True)).to_be_visible()
    box.fill("People have known it for a long time")
    box.press("Enter")
    expect(page.locator(".bubble.you").filter(has_text="for a long time")).to_be_visible()


def test_enter_sends_short_replies_and_never_while_a_word_is_composed(new_page, house):
    page = new_page()
    sit(page, house.url, "matchit", "text", {"A": "scripted", "B": "person"})
    box = page.locator("form.ask textarea")
    expect(page.get_by_text("Ctrl + Enter sends")).to_be_visible()  # a description has several lines
    box.fill("word " * 80)
    expect(page.locator(".counter")).to_have_text("80 words: a sentence or two is enough")
    box.fill("A ring of crosses")
    expect(page.locator(".counter")).to_have_text("4 words")
    box.press("Enter")
    assert box.input_value() == "A ring of crosses\n"
    box.press("Control+Enter")
    expect(page.get_by_text("Your turn: ask your partner a question")).to_be_visible()
    expect(page.get_by_text("Enter sends", exact=True)).to_be_visible()
    box.fill("Is there")
    box.press("Shift+Enter")
    assert box.input_value() == "Is there\n"
    box.type("a line?")
    compose = "box => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, isComposing: true}))"
    box.evaluate(compose)
    expect(box).to_have_value("Is there\na line?")
    expect(box).to_be_editable()
    box.press("Enter")
    expect(page.locator(".bubble.you").filter(has_text="a line?")).to_be_visible()
    expect(page.locator(".bubble.you .who").last).to_have_text("You")


def test_enter_breaks_the_line_on_a_touch_keyboard(new_page, house):
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    sit(page, house.url, "matchit", "text", {"A": "scripted", "B": "person"})
    page.locator("form.ask textarea").fill("A ring")
    page.locator("button.send").tap()
    expect(page.get_by_text("Your turn: ask your partner a question")).to_be_visible()
    box = page.locator("form.ask textarea")
    box.fill("Is there")
    box.press("Enter")
    assert box.input_value() == "Is there\n"


@pytest.mark.parametrize("size", [(844, 390), (390, 460), (667, 375)])
def test_the_box_keeps_most_of_the_width_on_low_windows(new_page, house, size):
    page = new_page(viewport={"width": size[0], "height": size[1]})
    sit(page, house.url, "matchit", "text", {"A": "person", "B": "scripted"})
    assert share_of_form(page) >= 0.6
    assert is_in_sight(page.locator("form.ask textarea")) and is_in_sight(page.locator("button.send"))


@pytest.mark.parametrize(
    ("game", "variant", "seats"),
    [
        ("matchit", "picture", {"A": "person", "B": "scripted"}),
        ("imagegame", "grid", {"giver": "person", "follower": "scripted"}),
        ("askguess", "described", {"questioner": "person", "answerer": "scripted"}),
        ("reference", "picture", {"speaker": "person", "listener": "scripted"}),
    ],
)
def test_a_phone_on_its_side_leaves_the_box_most_of_the_width(new_page, house, game, variant, seats):
    page = new_page(viewport=PHONE_ON_ITS_SIDE)
    sit(page, house.url, game, variant, seats)
    assert share_of_form(page) >= 0.6
    assert is_in_sight(page.locator("form.ask :is(textarea, input[type=text])").first)
    assert is_in_sight(page.locator("button.send:visible"))


@pytest.mark.parametrize("size", [(844, 390), (390, 460)])
def test_a_walk_fits_low_windows(new_page, house, size):
    page = new_page(viewport={"width": size[0], "height": size[1]})
    sit(page, house.url, "mapworld", "ee-picture", {"walker": "person"})
    page.wait_for_function("document.querySelector('.pinbox img').complete")
    parts = ["form.ask textarea", "button.way.north", "button.way.west", "button.way.east", "button.done"]
    assert [part for part in parts if not is_in_sight(page.locator(part))] == []
    assert share_of_form(page) >= 0.6


def test_drawing_fits_a_phone_on_its_side(new_page, house):
    page = new_page(viewport=PHONE_ON_ITS_SIDE)
    sit(page, house.url, "imagegame", "grid", {"giver": "scripted", "follower": "person"})
    parts = [".brush", "table.paintable tr:last-child td:last-child", "button.send:visible"]
    assert [part for part in parts if not is_in_sight(page.locator(part).first)] == []


def test_three_grids_are_in_sight_on_a_phone(new_page, house):
    page = new_page(viewport=PHONE)
    sit(page, house.url, "reference", "text", {"speaker": "person", "listener": "scripted"})
    assert all(is_in_sight(grid) for grid in page.locator(".pinbox table.grid").all())


# ---------------------------------------------------------------------- a friend
def play_matchit(*pages: Page) -> None:
    """Let two people play a game of MatchIt to its end, whoever is asked."""
    over = [page.get_by_role("heading", name="The score") for page in pages]
    while not over[0].is_visible():
        for page in pages:
            form = page.locator("form.ask:visible")
            if not form.count():
                continue
            handle = form.element_handle()
            if form.get_by_role("textbox").count():
                form.get_by_role("textbox").fill("Is there a line?")
                form.locator("button.send").click()
            else:
                form.get_by_role("button").first.click()
            handle.wait_for_element_state("hidden")
        pages[0].wait_for_timeout(100)
    for each in over:
        expect(each).to_be_visible()


def test_a_friend_who_waits_sees_the_rules_and_that_the_other_writes(new_page, house):
    host, friend = new_page(viewport=DESKTOP), new_page(viewport=PHONE)
    opened = sit(host, house.url, "imagegame", "grid", {"giver": "person", "follower": "invite"})
    friend.goto(house.url + opened["invitations"]["follower"])
    expect(friend.get_by_text("it is not your turn yet")).to_be_visible()
    expect(friend.get_by_role("list", name="The rules in short")).to_be_visible()
    host.locator("form.ask").get_by_role("textbox").press_sequentially("Put an A")
    expect(friend.get_by_text("Your partner is writing")).to_be_visible()
    host.locator("button.send").click()
    expect(friend.get_by_text("Your turn:")).to_be_visible()


def test_a_friend_describes_at_the_same_time_and_goes_along_to_a_rematch(new_page, house):
    host, friend = new_page(viewport=DESKTOP), new_page(viewport=PHONE)
    opened = sit(host, house.url, "matchit", "text", {"A": "person", "B": "invite"}, settings={"questions": 1})
    friend.goto(house.url + opened["invitations"]["B"])
    for page in (host, friend):
        expect(page.get_by_text("Your turn: describe your grid")).to_be_visible()
    play_matchit(host, friend)
    tables = [host.url, friend.url]
    host.get_by_role("button", name="Rematch, seats swapped").click()
    expect(host.get_by_text("Waiting for your partner to answer")).to_be_visible()
    expect(friend.get_by_text("Your partner asks for a rematch with the seats swapped.")).to_be_visible()
    friend.get_by_role("button", name="Play the rematch").click()
    host.wait_for_url(lambda url: url != tables[0])
    friend.wait_for_url(lambda url: url != tables[1])
    expect(host.get_by_text("Seat B", exact=True)).to_be_visible()
    expect(friend.get_by_text("Seat A", exact=True)).to_be_visible()
    play_matchit(host, friend)
    for page in (host, friend):
        expect(page.get_by_text("2 games in a row:")).to_be_visible()
    host.goto(tables[0])
    expect(host.get_by_text("The rematch has begun.")).to_be_visible()  # and nobody is sent away from an old page


def test_a_rematch_can_be_declined_and_needs_a_seat(new_page, house):
    with Guest(house.url) as host, Guest(house.url) as friend, Guest(house.url) as stranger:
        table = host.open({"A": "person", "B": "invite"})
        own, other = host.take(table["go"]), friend.take(table["invitations"]["B"])
        assert host.post("/api/rematch", seat=own, answer="ask").status_code == 409  # not over
        host.post("/api/leave", seat=own)
        assert stranger.post("/api/rematch", seat=own, answer="ask").status_code == 403
        assert friend.post("/api/rematch", seat=other, answer="yes").status_code == 409  # nobody has asked
        assert host.post("/api/rematch", seat=own, answer="ask").status_code == 200
        with friend.seat(other) as page:
            state = page.until(lambda state: state.get("rematch"))
            assert state["rematch"]["asked_by"] == "A" and "go" not in state["rematch"]
        assert friend.post("/api/rematch", seat=other, answer="no").status_code == 200
        with host.seat(own) as page:
            assert page.until(lambda state: state.get("rematch"))["rematch"]["declined_by"] == "B"
        assert host.post("/api/rematch", seat=own, answer="ask").status_code == 200
        assert friend.post("/api/rematch", seat=other, answer="yes").status_code == 200
        with host.seat(own) as host_page, friend.seat(other) as friend_page:
            paths = [
                page.until(lambda state: state.get("rematch"))["rematch"]["go"] for page in (host_page, friend_page)
            ]
            assert paths[1] not in str(host_page.state) and paths[0] not in str(friend_page.state)
        assert [host.follow(paths[0])[1], friend.follow(paths[1])[1]] == ["seated", "seated"]


# ---------------------------------------------------------------------- the end
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_how_it_ended_and_what_to_play_next_are_in_sight(new_page, house, size):
    page = new_page(viewport=size)
    sit(page, house.url, "mapworld", "ee-text", {"walker": "person"})
    stop(page)
    headline = page.locator("#debriefing")
    expect(headline).to_contain_text("You lost: you visited 1 of")
    again, other = page.get_by_role("button", name="Play again"), page.get_by_role("button", name="Next game: ")
    expect(again).to_be_visible()
    page.wait_for_function("document.activeElement?.id === 'debriefing'")
    assert all(map(is_in_sight, (headline, again, other)))
    details = page.locator("details").filter(has_text="Instance: mapworld/ee-text")
    expect(details.locator("p")).to_be_hidden()  # ids are for those who look for them
    before = page.url
    other.click()
    page.wait_for_url(lambda url: url != before)
    expect(page.locator("form.ask, .dock").first).to_be_visible()


def test_the_next_game_is_one_that_was_not_played_yet(house):
    with Guest(house.url) as guest:

        def next_game(game, seats):
            seat = guest.take(guest.post("/api/tables", game=game, seats=seats).json()["go"])
            assert guest.post("/api/leave", seat=seat).status_code == 200
            return guest.http.get("/api/debrief", params={"seat": seat}).json()["again"]["other"]

        other = next_game("mapworld", {"walker": "person"})
        next_game(other["body"]["game"], other["body"]["seats"])
        assert next_game("mapworld", {"walker": "person"})["title"] not in (other["title"], "Map World")


def test_a_map_is_legible_when_all_is_over(new_page, house):
    page = new_page(viewport=DESKTOP)
    sit(page, house.url, "mapworld", "ee-text", {"walker": "person"}, experiment="large", instance=0)
    walk(page)
    stop(page)
    graph = page.locator("svg.graph").first
    smallest = """svg => Math.min(...[...svg.querySelectorAll('.room text')].map(
        text => parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a))"""
    assert graph.evaluate(smallest) >= 11
    opaque = """svg => [...svg.querySelectorAll('.room')].every(
        room => getComputedStyle(room).opacity === '1' && getComputedStyle(room.firstChild).fillOpacity === '1'
            && !getComputedStyle(room.firstChild).fill.includes('rgba'))"""
    assert graph.evaluate(opaque), "no door shows through a room"
    key = page.locator(".graph-key").first
    for words in ("visited", "never seen", "the number of a move"):
        expect(key.get_by_text(words, exact=words == "visited")).to_be_visible()


def test_others_on_the_very_same_instance_are_compared_in_numbers(new_page, house):
    chosen = {"game": "mapworld", "variant": "ee-text", "experiment": "small", "instance": 0}
    with Guest(house.url) as guest:
        for _ in range(2):
            episode = guest.open({"walker": "scripted"}, pace=0, **chosen)["episode"]
            with guest.watch(episode) as live:
                live.until(lambda state: state["outcome"])
    page = new_page(viewport=DESKTOP)
    sit(page, house.url, "mapworld", "ee-text", {"walker": "person"}, experiment="small", instance=0)
    stop(page)
    figures = page.locator(".same-instance")
    expect(figures).to_contain_text("Scripted players")
    expect(figures).to_contain_text("2 of 2 won")
    expect(figures.get_by_role("link")).to_have_count(2)
    with Guest(house.url) as other:  # what the person played is private: it is in no number that another gets
        episode = other.open({"walker": "scripted"}, pace=0, **chosen)["episode"]
        with other.watch(episode) as live:
            live.until(lambda state: state["outcome"])
        rows = other.http.get(f"/api/debrief?episode={episode}").json()["same_instance"]["rows"]
        assert [(row["title"], row["games"]) for row in rows] == [("Scripted players", 2)]


def test_the_partner_says_why_it_decided_and_publishing_shows_what_others_read(new_page, house, player_at):
    page = new_page(viewport=DESKTOP)
    sit(page, house.url, "matchit", "text", {"A": "person", "B": "scripted"}, settings={"questions": 1})
    player_at(page).finish("A grid with words that I remember")
    expect(page.get_by_role("heading", name="Why your partner decided as it did")).to_be_visible()
    page.get_by_role("button", name="Publish this game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("A grid with words that I remember")
    dialog.get_by_role("button", name="Keep it private").click()
    expect(page.get_by_role("button", name="Publish this game")).to_be_enabled()
    page.get_by_role("button", name="Publish this game").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish it").click()
    expect(page.get_by_role("button", name="Take it back")).to_be_visible()


@pytest.mark.parametrize(
    ("game", "seats"),
    [("matchit", {"A": "person", "B": "scripted"}), ("reference", {"speaker": "person", "listener": "scripted"})],
)
def test_a_long_word_is_broken_wherever_it_is_shown(new_page, house, player_at, game, seats):
    page = new_page(viewport=PHONE)
    table = sit(page, house.url, game, "text", seats)
    player_at(page).finish(f"the letter K is in the {'Donaudampfschiff' * 6} corner")
    if game == "matchit":
        expect(page.locator(".reasons")).to_contain_text("Donaudampf")
    for address in (page.url, f"{house.url}/e/{table['episode']}", f"{house.url}/watch?episode={table['episode']}"):
        page.goto(address)
        expect(page.get_by_role("heading", name="The score")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


# ---------------------------------------------------------------------- watching
def test_what_people_play_now_is_dealt_to_no_programs(house):
    chosen = {"game": "mapworld", "variant": "ee-text", "experiment": "small"}
    with Guest(house.url) as player, Guest(house.url) as watcher:
        player.sit({"walker": "person"}, **chosen, instance=1)
        number = len(REGISTRY.select_instances("mapworld/ee-text/small"))
        dealt = set()
        for _ in range(number):  # what a browser has watched is dealt last: so many deals would reach every instance
            episode = watcher.open({"walker": "scripted"}, pace=0, **chosen)["episode"]
            dealt.add(watcher.http.get(f"/api/episode?id={episode}").json()["instance"])
        assert dealt and "mapworld/ee-text/small/1" not in dealt
