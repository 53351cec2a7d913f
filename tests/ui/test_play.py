"""A person at a real browser: from the lobby's one click to the score, in any company, through reloads and crashes."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from engine.core.events import Kind
from engine.storage.store import Store
from tests.ui.guests import Guest
from tests.ui.lobby import START, open_options, start_text_grids

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ENDED = re.compile("^You (won|lost): ")


@pytest.fixture(scope="module")
def house(module_server: Callable):
    """A server shared by the tests of this file."""
    return module_server()


def seat_of(page: Page) -> str:
    """The public id of the seat whose page this is."""
    page.wait_for_url("**/table?seat=*")
    return parse_qs(urlsplit(page.url).query)["seat"][0]


def links(page: Page) -> dict:
    """The links that whoever opened the table may hand out."""
    seat = seat_of(page)
    found: dict = page.request.get(urljoin(page.url, f"/api/invitations?seat={seat}")).json()
    return found


def set_up(page: Page, url: str, a: str, b: str, variant: str = "Text grids") -> None:
    """Set a table up in the lobby, seat by seat, and go there."""
    page.goto(url)
    card = open_options(page, variant=variant)
    card.get_by_label("Seat A").select_option(a)
    card.get_by_label("Seat B").select_option(b)
    card.get_by_role("button", name=START).click()


def no_sideways(page: Page) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


# ---------------------------------------------------------------------- playing
def test_one_click_to_play_and_on_to_the_score(house, new_page, player_at):
    page = new_page(house.url)
    page.get_by_role("button", name="Play MatchIt", exact=True).click()
    titles = player_at(page).finish()
    assert titles[0] == "describe your picture" and titles[-1] == "decide" and len(titles) == 8
    expect(page.get_by_role("heading", name=ENDED)).to_be_visible()
    expect(page.get_by_role("heading", name="Who decided what")).to_be_visible()
    expect(page.get_by_role("heading", name="Compared with published models")).to_be_visible()
    expect(page.locator(".debrief .panels img")).to_have_count(2)
    first = seat_of(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this game").click()
    assert download.value.suggested_filename.endswith(".jsonl")
    page.get_by_role("button", name="Swap seats").click()
    page.wait_for_url(lambda url: f"seat={first}" not in url and "/table" in url)
    expect(page.get_by_text("Seat B", exact=True)).to_be_visible()
    assert player_at(page).wait_for_ask() == "describe your picture"


@pytest.mark.parametrize(("a", "b"), [("scripted", "person"), ("person", "random")])
def test_either_seat_opposite_either_program(house, new_page, player_at, a, b):
    page = new_page()
    set_up(page, house.url, a, b, variant="Pictures")
    player_at(page).wait_for_ask()
    picture = page.locator(".pins img")
    expect(picture).to_have_attribute("alt", "Your picture")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") in (480, 640)
    player_at(page).finish("I see a red T and a blue L.")
    expect(page.locator(".debrief .panels img")).to_have_count(2)


def test_two_people_and_a_spectator(house, new_page, player_at):
    one, two, third = new_page(), new_page(), new_page()
    set_up(one, house.url, "person", "invite")
    player_at(one).wait_for_ask()
    invited = links(one)
    two.goto(house.url + invited["invitations"]["B"])
    expect(two.locator(".turn")).to_have_text("Your turn: describe your grid")  # at the same time as the other
    third.goto(house.url + invited["spectators"])
    third.wait_for_url("**/watch?episode=*")
    assert not any(secret in page.url for page in (one, two, third) for secret in ("/s/", "/w/"))
    people = [player_at(one), player_at(two)]
    player_at(one).reply("A ring of cells")
    expect(third.get_by_text("A ring of cells").first).to_be_visible()
    expect(two.get_by_text("A ring of cells")).to_have_count(0)
    player_at(two).reply("A small cross")
    expect(two.get_by_text("A ring of cells")).to_be_visible()
    turn = 0
    while not people[turn].over.is_visible():
        me = people[turn]
        expect(me.form.or_(me.over).or_(me.page.locator(".turn", has_text="Waiting")).first).to_be_visible()
        if me.form.is_visible():
            me.reply("Is it so?")
        else:
            turn = 1 - turn
    for page in (one, two, third):
        expect(page.get_by_role("heading", name="The score")).to_be_visible()
        expect(page.locator(".debrief table.grid")).to_have_count(2)


def test_watching_two_programs_live_and_step_by_step(house, new_page):
    page, guest = new_page(house.url), new_page(house.url)
    page.get_by_role("button", name="Watch two programs").click()
    page.wait_for_url("**/watch?episode=*")
    guest.get_by_role("link", name="Watch", exact=True).first.click()  # the lobby lists it, live
    for view in (page, guest):
        expect(view.get_by_role("region", name="Seat A")).to_be_visible()
        expect(view.locator("table.grid").first).to_be_visible()
    expect(page.get_by_role("heading", name="The score")).to_be_visible(timeout=90_000)
    slider = page.get_by_role("slider", name="Step")
    lines = int(slider.get_attribute("max"))
    assert lines > 30
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".count")).to_have_text(f"0 / {lines}")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".count")).to_have_text(f"1 / {lines}")
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".count")).to_have_text(f"{lines} / {lines}")


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("game", "seats"),
    [("matchit", {"A": "person", "B": "scripted"}), ("reference", {"speaker": "person", "listener": "scripted"})],
)
def test_who_watches_the_end_is_led_to_how_it_ended(house, new_page, screen, game, seats):
    """Who has gone back in the conversation stays there. The board of the reference game covers no headline."""
    with Guest(house.url) as guest:
        table = guest.open(seats, game=game, variant="text")
        pid = guest.take(table["go"])
        follower, reader = (new_page(house.url + table["spectators"], **screen) for _ in range(2))
        for page in (follower, reader):
            expect(page.locator(".bubble").first).to_be_visible()
        reader.get_by_role("button", name="To the start").click()
        with guest.seat(pid) as seat:
            seat.finish("Three rows are full.")
        headline = follower.locator("#debriefing")
        expect(follower.get_by_role("heading", name="The score")).to_be_visible()
        expect(headline).to_be_in_viewport(ratio=1)
        assert headline.evaluate("""node => {
            const {left, top} = node.getBoundingClientRect();
            return node.contains(document.elementFromPoint(left + 1, top + 1));
        }"""), "nothing covers it"
        expect(reader.get_by_role("link", name="Debriefing ↓")).to_be_visible()
        expect(reader.locator(".count")).to_have_text(re.compile("^0 / "))
        assert reader.evaluate("scrollY") == 0


def test_whoever_waits_is_told_what_comes_and_who_else_is_at_the_seat(house, new_page):
    one, two, third = new_page(), new_page(), new_page()
    one.goto(house.url)
    body = {"game": "imagegame", "variant": "grid", "seats": {"giver": "person", "follower": "invite"}}
    one.goto(house.url + one.request.post(f"{house.url}/api/tables", data=body).json()["go"])
    link = links(one)["invitations"]["follower"]
    expect(one.get_by_text("The first browser that opens this link plays this seat.")).to_be_visible()
    two.goto(house.url + link)
    expect(two.get_by_text("The game has begun, and it is not your turn yet.")).to_be_visible()
    expect(one.get_by_text("it is not your turn yet")).to_have_count(0)
    also = "This seat is open in another browser too"
    beside = new_page(two.url, beside=two)  # a second tab is no other browser
    expect(beside.locator(".turn")).to_have_text("Waiting for your partner")
    expect(two.get_by_text(also)).to_have_count(0)
    third.goto(house.url + link)
    two.get_by_role("button", name="Let it in").click()
    for page in (two, third):
        expect(page.get_by_text(also)).to_be_visible()
    third.close()
    expect(two.get_by_text(also)).to_have_count(0)


def test_a_double_click_on_send_decides_nothing(house, new_page, player_at):
    page = new_page(house.url)
    start_text_grids(page)
    me = player_at(page)
    while me.wait_for_ask() != "decide":
        me.reply()
    box = page.locator(".replybox")
    expect(box).not_to_contain_class("fresh")
    box.evaluate("box => box.classList.add('fresh')")  # as in its first moment, which lasts until the test ends it
    spot = page.locator(".choice").last.bounding_box()
    page.mouse.click(spot["x"] + 20, spot["y"] + 20)
    assert me.wait_for_ask() == "decide"
    box.evaluate("box => box.classList.remove('fresh')")
    me.finish()


def test_without_a_debriefing_one_still_sees_how_it_ended(house, new_page, player_at):
    new_page.allow("status of 500")
    page = new_page(house.url)
    page.route("**/api/debrief?*", lambda route: route.fulfill(status=500, body="no"))
    start_text_grids(page)
    me = player_at(page)
    for _ in range(8):
        me.reply()
    expect(page.get_by_role("heading", name=re.compile(r"^You (won|lost)\.$"))).to_be_visible()
    expect(page.get_by_text("The debriefing could not be made.")).to_be_visible()
    page.unroute("**/api/debrief?*")
    page.get_by_role("button", name="Try to make it again").click()
    expect(page.get_by_role("heading", name=ENDED)).to_be_visible()
    plain = {"headline": "The game is over: lose.", "outcome": {"kind": "lose"}, "again": {"download": "/api/download"}}
    page.route("**/api/debrief?*", lambda route: route.fulfill(json=plain))  # as when the game's own function fails
    page.reload()
    expect(page.get_by_role("heading", name="You lost.")).to_be_visible()
    expect(page.get_by_text("The debriefing could not be made.")).to_be_visible()
    page.unroute("**/api/debrief?*")
    page.route("**/api/debrief?*", lambda route: route.abort())
    new_page.allow("ERR_FAILED")
    page.reload()
    page.get_by_role("link", name="Watch it step by step").click()
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    page.go_back()
    before = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != before)
    assert me.wait_for_ask() == "describe your grid"


# ---------------------------------------------------------------------- nothing is lost
def test_a_reload_and_another_browser_lead_back_to_the_same_point(house, new_page, player_at):
    page = new_page()
    set_up(page, house.url, "person", "invite")
    me = player_at(page)
    me.reply("A ring of cells")
    link = links(page)["invitations"]["B"]
    two = new_page(house.url + link)
    you = player_at(two)
    you.wait_for_ask()
    you.form.get_by_role("textbox").fill("A half-written desc")
    page.reload()
    expect(page.get_by_text("A ring of cells")).to_be_visible()
    two.reload()
    expect(you.form.get_by_role("textbox")).to_have_value("A half-written desc")
    elsewhere = new_page(house.url + link)
    two.get_by_role("button", name="Let it in").click()
    expect(player_at(elsewhere).form.get_by_role("textbox")).to_have_value("A half-written desc")
    player_at(elsewhere).reply("A whole description")
    expect(two.get_by_text("A whole description").first).to_be_visible()


def test_a_killed_server_comes_back_to_the_same_point(server, new_page, player_at):
    house = server()
    new_page.allow("502|ERR_|WebSocket|Failed to load|status of 5")
    one, two, third = new_page(), new_page(), new_page()
    set_up(one, house.url, "person", "invite")
    me = player_at(one)
    me.reply("A ring of cells")
    invited = links(one)
    two.goto(house.url + invited["invitations"]["B"])
    third.goto(house.url + invited["spectators"])
    expect(third.get_by_text("A ring of cells").first).to_be_visible()
    you = player_at(two)
    you.wait_for_ask()
    box = you.form.get_by_role("textbox")
    box.fill("Written before the crash, ")
    two.wait_for_function("!Object.values(localStorage).some((value) => value.includes('\"sent\":false'))")
    house.kill()
    expect(two.get_by_text("Reconnecting").first).to_be_visible()
    box.press_sequentially("and after it")
    house.start()
    expect(two.get_by_text("Reconnecting")).to_have_count(0)
    two.reload()
    expect(box).to_have_value("Written before the crash, and after it")
    you.form.locator("button.send").click()
    expect(third.get_by_text("and after it").first).to_be_visible()  # without a reload
    you.reply("Is it round?")
    expect(one.get_by_text("Is it round?")).to_be_visible()  # nor here
    assert me.wait_for_ask() == "answer your partner's question"
    with Store(house.db) as store:
        [row] = store.episodes()
        said = [e.data["text"] for e in store.events(row.id) if e.kind is Kind.REPLY]
    assert said == [
        "DESCRIPTION: A ring of cells",
        "DESCRIPTION: Written before the crash, and after it",
        "QUESTION: Is it round?",
    ]


def test_a_reply_sent_to_a_dead_server_arrives_once(server, new_page, player_at):
    house = server()
    new_page.allow("ERR_|WebSocket|Failed to load|status of 5")
    page = new_page()
    set_up(page, house.url, "person", "scripted")
    me = player_at(page)
    me.wait_for_ask()
    me.form.get_by_role("textbox").fill("Sent into the void")
    house.kill()
    me.form.locator("button.send").click()
    expect(page.get_by_text("No connection at the moment")).to_be_visible()
    house.start()
    expect(me.turn).to_have_text("Your turn: answer your partner's question")
    expect(page.get_by_text("Sent into the void")).to_have_count(1)


# ---------------------------------------------------------------------- odd texts
ODD = [
    "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script><b>bold</b>",
    "{{title}} ${document.title='broken'} &lt;i&gt; &amp;",
    "שלום \u202eabc\u202c مرحبا 👩‍👩‍👧🇦🇹",
    "bell \x07 escape \x1b[31m nul \x00 end",
]


def test_odd_texts_are_shown_as_text(house, new_page, player_at):
    page = new_page()
    set_up(page, house.url, "person", "invite")
    two = new_page(house.url + links(page)["invitations"]["B"])
    third = new_page(house.url + links(page)["spectators"])
    me, you = player_at(page), player_at(two)
    me.reply(ODD[0])
    you.reply(ODD[1])
    you.reply(ODD[2])
    me.reply(ODD[3])
    shown = ODD[3].replace("\x07", "␇").replace("\x1b", "␛").replace("\x00", "␀")
    for view, texts in ((page, ODD[:3]), (two, ODD[:3]), (third, ODD[:3])):
        for text in texts:
            expect(view.get_by_text(text, exact=True).first).to_be_visible()
        assert view.locator(".said b, .said i, .said script, .said img").count() == 0
        assert "broken" not in view.title()
    expect(third.get_by_text(shown, exact=True)).to_be_visible()
    assert no_sideways(page) and no_sideways(third)


def test_very_long_texts_pass_and_longer_ones_stay_in_the_box(house, new_page, player_at):
    page = new_page()
    set_up(page, house.url, "person", "scripted")
    me = player_at(page)
    me.wait_for_ask()
    box = me.form.get_by_role("textbox")
    box.fill("a word " + "x" * 199_994)
    me.form.locator("button.send").click()
    expect(page.get_by_role("alert").filter(has_text="200,001 characters")).to_be_visible()
    assert len(box.input_value()) == 200_001
    me.reply("a word " + "x" * 99_993)
    expect(page.get_by_role("button", name=re.compile("Show all"))).to_be_visible()
    assert no_sideways(page)
    page.get_by_role("button", name=re.compile("Show all")).click()
    assert page.locator(".bubble.you .said").first.inner_text() == "a word " + "x" * 99_993
    with Store(house.db) as store:
        newest = store.episodes(max_episodes=1)[0]
        [reply] = [e for e in store.events(newest.id) if e.kind is Kind.REPLY and e.seat == "A"]
    assert reply.data["text"] == "DESCRIPTION: a word " + "x" * 99_993


# ---------------------------------------------------------------------- for everybody
def test_with_the_keyboard_alone(house, new_page, player_at):
    page = new_page(house.url)
    start = page.get_by_role("button", name="Play MatchIt", exact=True)
    expect(start).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if start.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    me = player_at(page)
    while me.wait_for_ask():
        if me.form.get_by_role("textbox").count():
            expect(me.form.get_by_role("textbox")).to_be_focused()  # it comes to where one types
            form = me.form.element_handle()
            page.keyboard.type("Is there a line?")
            page.keyboard.press("Control+Enter")
            form.wait_for_element_state("hidden")
        else:
            expect(me.form.locator("fieldset")).to_be_focused()  # the group: a key held down decides nothing
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
            expect(me.over).to_be_visible()
    expect(page.get_by_role("heading", name=ENDED)).to_be_focused()
    again = page.get_by_role("button", name="Play again")
    for _ in range(20):
        page.keyboard.press("Tab")
        if again.evaluate("button => button === document.activeElement"):
            break
    before = page.url
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert player_at(page).wait_for_ask() == "describe your picture"


@pytest.mark.parametrize("variant", ["Text grids", "Pictures"])
def test_on_a_phone(house, new_page, player_at, variant):
    page = new_page(**PHONE)
    page.goto(house.url)
    expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
    assert no_sideways(page)
    set_up(page, house.url, "person", "scripted", variant)
    me = player_at(page)
    while me.wait_for_ask():
        assert no_sideways(page)
        me.reply("Is there a line?")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert no_sideways(page)
    page.get_by_role("link", name="Watch it step by step").click()
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    assert no_sideways(page)


@pytest.mark.slow
def test_no_serious_fault_for_readers_with_other_means(house, new_page, player_at):
    from axe_playwright_python.sync_playwright import Axe

    def faults(page: Page) -> list[str]:
        found = Axe().run(page).response["violations"]
        return [
            f"{each['id']}: {node['html'][:200]}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]

    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        page.goto(house.url)
        expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
        assert not faults(page)
        set_up(page, house.url, "person", "scripted")
        me = player_at(page)
        me.wait_for_ask()
        assert not faults(page)
        me.reply("A ring")
        me.wait_for_ask()
        assert not faults(page)
        me.finish()
        assert not faults(page)
        page.get_by_role("link", name="Watch it step by step").click()
        expect(page.get_by_role("slider", name="Step")).to_be_visible()
        assert not faults(page)
