"""Setting tables up: for others to play at, with an instance of one's own choice, with settings in plain words."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.storage.episode_row import EpisodeRow
from engine.storage.store import Store
from tests.ui.lobby import START, open_options

pytestmark = pytest.mark.browser

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def house(module_server: Callable):
    """A server shared by the tests of this file."""
    return module_server()


def card(page: Page) -> Locator:
    """The dialog of the lobby in which a table of MatchIt is set up, with text grids unless the test says otherwise."""
    return open_options(page)


def seats(page: Page, a: str, b: str) -> None:
    """Say in the lobby who sits where."""
    card(page).get_by_label("Seat A").select_option(a)
    card(page).get_by_label("Seat B").select_option(b)


def start(page: Page) -> None:
    """Open the table that is set up."""
    card(page).get_by_role("button", name=START).click()


def episode_of(page: Page) -> str:
    """The episode whose watch page this is."""
    page.wait_for_url("**/watch?episode=*")
    return parse_qs(urlsplit(page.url).query)["episode"][0]


def newest(house) -> EpisodeRow:
    """The newest episode in the house's database."""
    with Store(house.db) as store:
        return store.episodes(max_episodes=1)[0]


def options(page: Page, label: str) -> list[str]:
    """What a list offers."""
    return card(page).get_by_label(label, exact=True).locator("option").all_inner_texts()


def no_sideways(page: Page) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def in_sight(page: Page, title: str) -> str:
    """Check that an invitation shows its link and its drawn QR code; return the link."""
    box = page.locator("details.invitation", has_text=title)
    link = box.get_by_role("textbox", name="Link")
    expect(link).to_be_visible()
    code = box.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    code.evaluate("image => image.decode()")
    return link.input_value()


# ---------------------------------------------------------------------- tables for others
@pytest.mark.parametrize(
    "device", [pytest.param(WIDE, id="desktop"), pytest.param(PHONE, id="phone", marks=pytest.mark.slow)]
)
def test_whoever_opens_a_table_for_others_has_its_links_at_hand(house, new_page, player_at, device):
    page = new_page(house.url, **device)
    seats(page, "invite", "invite")
    expect(page.get_by_text("You get a link for each invited seat")).to_be_visible()
    start(page)
    episode = episode_of(page)
    titles = ("Invite somebody to seat A", "Invite somebody to seat B", "Let somebody watch")
    links = [in_sight(page, title) for title in titles]
    assert [urlsplit(link).path[:3] for link in links] == ["/s/", "/s/", "/w/"] and len(set(links)) == 3
    assert page.evaluate("scrollY") == 0 and no_sideways(page)
    page.reload()
    assert [in_sight(page, title) for title in titles] == links

    stranger = new_page(house.url)
    new_page.allow("status of 403")  # asked for on purpose
    refused = stranger.evaluate(f"fetch('/api/invitations?episode={episode}').then((answer) => answer.status)")
    assert refused == 403
    expect(stranger.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
    expect(stranger.get_by_role("heading", name="My games")).to_have_count(0)

    page.goto(house.url)
    mine = page.locator(".mine li").first
    expect(mine.get_by_text("nobody at A yet")).to_be_visible()
    one, two = new_page(links[0]), new_page(links[1])
    player_at(one).reply("A ring of cells")
    expect(mine.get_by_text("nobody at")).to_have_count(0)  # live
    mine.get_by_role("link", name="Watch and invite").click()
    assert episode_of(page) == episode
    expect(page.get_by_text("A ring of cells").first).to_be_visible()  # both have come: the game is what matters now
    expect(page.get_by_role("textbox", name="Link")).to_have_count(0)
    page.get_by_text("Your table: links and seats").click()
    page.get_by_text(titles[2]).click()
    assert in_sight(page, titles[2]) == links[2]

    page.get_by_role("button", name="End this game").click()
    page.get_by_role("button", name="End the game").click()
    for view in (page, one, two):
        expect(view.get_by_role("heading", name="The game was left before its end.")).to_be_visible()
    page.goto(house.url)
    expect(page.locator(".mine").get_by_role("link", name="Watch and invite")).to_have_count(0)
    page.locator(f".mine a[href^='/watch?episode={episode}']").click()  # what one opened one may look back at
    expect(page.get_by_role("slider", name="Step")).to_be_visible()


def test_somebody_invited_plays_a_program_and_another_takes_over(house, new_page, player_at):
    page = new_page(house.url)
    seats(page, "scripted", "invite")
    start(page)
    link = in_sight(page, "Invite somebody to seat B")
    expect(page.get_by_text("Invite somebody to seat A")).to_have_count(0)
    guest = new_page(link)
    player_at(guest).reply("A small cross")
    expect(page.get_by_text("A small cross").first).to_be_visible()
    new_page.allow("status of 403")  # the guest loses the seat
    page.get_by_text("Your table: links and seats").click()
    page.get_by_text("Seat somebody else at B").click()
    page.get_by_label("Who goes on at seat B?").select_option("scripted")
    page.get_by_role("button", name="Seat", exact=True).click()
    expect(page.get_by_role("heading", name="The score")).to_be_visible()
    expect(guest.get_by_role("heading", name="Somebody else plays on at your seat")).to_be_visible()


def test_who_watches_is_told_nothing_of_links(house, new_page):
    page = new_page(house.url)
    seats(page, "invite", "scripted")
    start(page)
    watcher = new_page(in_sight(page, "Let somebody watch"))
    expect(watcher.get_by_text("Game master to A").first).to_be_visible()
    expect(watcher.locator(".host")).to_have_count(0)
    assert "/s/" not in watcher.content()


# ---------------------------------------------------------------------- which instance
def test_the_instance_of_a_game_between_programs_is_chosen_in_the_open(house, new_page):
    page = new_page(house.url)
    seats(page, "scripted", "random")
    assert options(page, "Experiment")[0] == "any" and len(options(page, "Experiment")) == 5
    expect(card(page).get_by_label("Instance")).to_be_disabled()
    card(page).get_by_label("Experiment").select_option("similar grids, two cells changed")
    assert options(page, "Instance") == ["any", *map(str, range(10))]
    card(page).get_by_label("Instance").select_option("7")
    start(page)
    assert episode_of(page) == newest(house).id
    assert newest(house).start["instance_id"] == "matchit/text/similar-edit-2/7"

    page.goto(house.url)
    card(page).get_by_role("radio", name="Pictures").check()
    seats(page, "scripted", "scripted")
    card(page).get_by_label("Experiment").select_option(index=1)
    start(page)
    episode_of(page)
    assert re.match("matchit/picture/[a-z]+-same/", newest(house).start["instance_id"])


def test_who_chooses_and_plays_is_told_what_that_means(house, new_page, player_at):
    page = new_page(house.url)
    fold = card(page).get_by_text("Choose the instance (the game is then not counted)")
    expect(fold).to_be_visible()
    expect(card(page).get_by_label("Experiment")).to_be_hidden()
    start(page)
    player_at(page).wait_for_ask()
    assert not newest(house).start["people"]["A"]["informed"]
    expect(page.get_by_text("Not counted: you know what kind of game this is")).to_have_count(0)
    page.request.post(f"{house.url}/api/leave", data={"seat": page.url.rpartition("=")[2]})  # else it looks things up

    page.goto(house.url)
    card(page)
    fold.click()
    expect(
        card(page).get_by_text("you know which kind of instance this is, and the game is not counted")
    ).to_be_visible()
    card(page).get_by_label("Experiment").select_option("same")
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: frames.append(str(text))))
    start(page)
    player_at(page).wait_for_ask()
    start_data = newest(house).start
    assert start_data["people"]["A"]["informed"] and start_data["experiment"] == "same"
    expect(page.get_by_text("Not counted: you know what kind of game this is")).to_be_visible()
    told = "".join(frame for frame in frames if '"pinned"' in frame) + page.content()
    assert '"ask"' in told  # the right frames were heard
    for word in ("experiment", "instance_id", "equal grids", "similar-edit"):
        assert word not in told.lower()


def test_a_choice_does_not_move_along_to_another_company(house, new_page, player_at):
    page = new_page(house.url)
    seats(page, "scripted", "scripted")
    card(page).get_by_label("Experiment").select_option(index=2)
    seats(page, "person", "scripted")
    expect(card(page).get_by_label("Experiment")).to_be_hidden()
    expect(card(page).get_by_text("the instance you chose is not kept")).to_be_visible()
    start(page)
    player_at(page).wait_for_ask()
    assert not newest(house).start["people"]["A"]["informed"]


def test_those_invited_to_a_chosen_instance_are_not_informed(house, new_page):
    page = new_page(house.url)
    seats(page, "invite", "invite")
    card(page).get_by_text("Choose the instance", exact=True).click()
    expect(card(page).get_by_text("are not told what you choose here")).to_be_visible()
    card(page).get_by_label("Experiment").select_option(index=1)
    card(page).get_by_label("Instance").select_option("0")
    start(page)
    episode_of(page)
    begun = newest(house).start
    assert begun["instance_id"].endswith("/0")
    assert [begun["people"][seat]["informed"] for seat in "AB"] == [False, False]


# ---------------------------------------------------------------------- settings
def test_settings_are_in_plain_words_and_only_changed_ones_are_sent(house, new_page, player_at):
    page = new_page(house.url)
    card(page).get_by_text("Settings", exact=True).click()
    lists = card(page).locator("details.settings[open] .field")
    assert lists.locator("label").all_inner_texts() == [
        "Questions per player",
        "Players know the number of questions",
        "Players can decide early",
        "Prompt includes an example game",
    ]
    assert options(page, "Questions per player") == ["1", "3", "5"]
    assert options(page, "Players can decide early") == ["no", "yes"]
    card(page).get_by_label("Questions per player").select_option("5")
    card(page).get_by_label("Players can decide early").select_option("yes")
    with page.expect_request("**/api/tables") as sent:
        start(page)
    assert sent.value.post_data_json["settings"] == {"questions": 5, "early_decision": True}
    player_at(page).wait_for_ask()
    expect(page.get_by_text("You may ask 5 more questions")).to_be_visible()


# ---------------------------------------------------------------------- small windows
@pytest.mark.parametrize("variant", ["Text grids", "Pictures"])
@pytest.mark.parametrize("size", [(390, 500), (844, 390)], ids=["keyboard", "turned"])
def test_one_reads_the_question_while_answering_on_a_low_screen(house, new_page, player_at, size, variant):
    page = new_page(house.url, viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True)
    card(page).get_by_role("radio", name=variant).check()
    start(page)
    me = player_at(page)
    me.reply("Something with corners")
    assert me.wait_for_ask() == "answer your partner's question"
    box = me.form.get_by_role("textbox", name="Your answer")  # a name although no label is to be seen
    for what in (page.locator(".bubble.partner .said").last, box, me.form.locator("button.send")):
        expect(what).to_be_in_viewport(ratio=1)
    expect(page.locator(".pins :is(img, table)")).to_be_in_viewport(ratio=0.9)
    below = page.locator(".pinbox").bounding_box() if size[0] < 800 else None
    question = page.locator(".bubble.partner .said").last.bounding_box()
    dock = page.locator(".dock").bounding_box()
    assert not below or below["y"] + below["height"] <= question["y"]  # nothing covers it
    assert question["y"] + question["height"] <= dock["y"] and no_sideways(page)


def test_a_choice_is_shown_in_the_words_of_its_button(house, new_page, player_at):
    page = new_page(house.url)
    card(page).get_by_role("radio", name="Pictures").check()
    start(page)
    me = player_at(page)
    me.finish()
    expect(page.locator(".bubble.you .said").last).to_have_text("The same picture")
    expect(page.locator(".decisions li", has_text="You").locator(".text")).to_have_text("same pictures")


# ---------------------------------------------------------------------- for everybody
@pytest.mark.slow
def test_no_serious_fault_for_readers_with_other_means(house, new_page):
    from axe_playwright_python.sync_playwright import Axe

    for scheme in ("light", "dark"):
        page = new_page(house.url, color_scheme=scheme, **(WIDE if scheme == "light" else PHONE))
        card(page).get_by_text("Choose the instance").first.click()
        card(page).get_by_text("Settings", exact=True).click()
        for step in ("lobby", "host"):
            if step == "host":
                seats(page, "invite", "scripted")
                start(page)
                in_sight(page, "Invite somebody to seat A")
            found = Axe().run(page).response["violations"]
            bad = [each["id"] for each in found if each["impact"] in ("serious", "critical")]
            assert not bad, (scheme, step, bad)
            assert urljoin(page.url, "/").startswith(house.url) and no_sideways(page)
