"""The lobby as a visitor meets it: the gallery, free seats, the queue, own games, pages for what is not there.

Heights, layout shift, requests and bytes are those that the lobby is meant to keep to.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import httpx
import pytest
from playwright.sync_api import Page, expect

from engine.core.start import EpisodeStart
from engine.storage.store import Store
from tests.golden.episodes import read_log
from tests.ui.guests import Guest
from tests.ui.lobby import open_options

pytestmark = pytest.mark.browser

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
GAMES = ("MatchIt", "Ask-Guess", "Image game", "Map World", "Reference game", "SpyFall", "TofuKingdom")
SHIFTS = """
window.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""


@pytest.fixture(scope="module")
def house(module_server: Callable):
    """A server shared by the tests of this file."""
    return module_server()


def open_lobby(new_page: Callable, url: str, guest: Guest | None = None, **options) -> Page:
    """Open the lobby, as the browser of a guest if one is given; wait until it is drawn."""
    page = new_page(**options)
    page.add_init_script(SHIFTS)
    if guest:
        page.context.add_cookies([{"name": "browser", "value": guest.http.cookies["browser"], "url": url}])
    page.goto(url)
    expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
    return page


def page_height(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollHeight"))


def scrollers(page: Page) -> list[str]:
    """Return the elements that scroll by themselves."""
    script = """[...document.querySelectorAll('.ludens *')].filter((node) => node.scrollHeight > node.clientHeight + 1
        && ['auto', 'scroll'].includes(getComputedStyle(node).overflowY)).map((node) => node.className)"""
    found: list[str] = page.evaluate(script)
    return found


@pytest.fixture
def guest(house) -> Iterator[Guest]:
    """A browser with a cookie."""
    with Guest(house.url) as guest:
        guest.http.get("/")
        yield guest


# ---------------------------------------------------------------------- the gallery
def test_all_games_and_open_seats_are_in_sight_on_a_small_desktop(house, new_page):
    page = open_lobby(new_page, house.url, **WIDE)
    for game in GAMES:
        tile = page.get_by_role("region", name=game, exact=True)
        expect(tile.get_by_role("button", name=f"Play {game}", exact=True)).to_be_in_viewport(ratio=1)
        picture = tile.locator("img")
        expect(picture).to_be_in_viewport(ratio=0.9)
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
        assert "min" in tile.locator(".facts").inner_text()
    expect(page.get_by_role("heading", name="Open seats")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("number", [0, 30])
@pytest.mark.parametrize(("device", "limit"), [(WIDE, 1600), (PHONE, 2500)], ids=["desktop", "phone"])
def test_the_lobby_is_short_with_none_and_with_many_own_games(house, new_page, guest, device, limit, number):
    for _ in range(number):
        guest.sit()
    page = open_lobby(new_page, house.url, guest, **device)
    if number:
        expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
        expect(page.locator("h2:text('Your turn') + ul li").first).to_contain_text(re.compile(r"\w · just now|\w · \d"))
        expect(page.locator(".mine li").first.get_by_text("your turn")).to_be_visible()
    assert page_height(page) <= limit
    assert not scrollers(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last = page.get_by_text("Your games on this server").evaluate(
        "node => node.getBoundingClientRect().bottom + scrollY"
    )
    assert page.evaluate("scrollY") == 0 and page_height(page) - last <= 200  # no empty space at the end
    if device is WIDE:
        for game in GAMES:
            play = page.get_by_role("button", name=f"Play {game}", exact=True)
            expect(play).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("device", [WIDE, PHONE], ids=["desktop", "phone"])
def test_nothing_moves_while_the_lobby_arrives(house, new_page, device):
    shifts = []
    for _ in range(5):
        page = open_lobby(new_page, house.url, **device)
        page.wait_for_load_state("networkidle")
        shifts.append(page.evaluate("layoutShift"))
        page.context.close()
    assert max(shifts) <= 0.1, shifts


def test_nothing_moves_on_a_server_with_ten_thousand_games(server, new_page, tmp_path):
    db = tmp_path / "large.db"
    log = read_log("matchit", "text-scripted").events
    with Store(db, purpose="test") as store:
        start = EpisodeStart.model_validate(log[0].data)
        store.import_episode(start, log, key=None, origin="run")
    with closing(sqlite3.connect(db)) as connection:  # rows without their events: lists read only rows
        names = [
            row[1]
            for row in connection.execute("PRAGMA table_info(episode)")
            if row[1] not in ("row", "id", "plan_key")
        ]
        columns = ", ".join(names)
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
            f" INSERT INTO episode (id, {columns}) SELECT printf('%032d', i), {columns} FROM episode, n LIMIT 10000"
        )
        connection.commit()
    house = server(db)
    shifts = []
    for _ in range(3):
        page = open_lobby(new_page, house.url, **WIDE)
        expect(page.get_by_role("link", name="Replay").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        shifts.append(page.evaluate("layoutShift"))
        assert page_height(page) <= 1600
        page.context.close()
    assert max(shifts) <= 0.1, shifts


def test_a_first_visit_loads_little(house, new_page):
    page = new_page(**WIDE)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    answers: dict[str, dict] = {}
    session.on("Network.responseReceived", lambda event: answers.__setitem__(event["requestId"], event))
    sizes: dict[str, float] = {}
    session.on(
        "Network.loadingFinished", lambda event: sizes.__setitem__(event["requestId"], event["encodedDataLength"])
    )
    page.goto(house.url)
    expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    files = {key: answer["response"]["url"] for key, answer in answers.items() if answer["type"] != "Image"}
    assert sum(sizes.get(key, 0) for key in files) <= 75_000
    assert len(files) <= 8, files.values()
    assert len([url for url in files.values() if "/web/" in url]) <= 3, files  # a script, a style sheet, an icon
    pictures = [sizes.get(key, 0) for key, answer in answers.items() if answer["type"] == "Image"]
    assert sum(pictures) <= 150_000


def test_one_click_leads_to_the_first_move_with_pictures_where_there_are_any(house, new_page, player_at):
    page = open_lobby(new_page, house.url)
    page.get_by_role("button", name="Play Map World", exact=True).click()
    player_at(page).wait_for_ask()
    expect(page.get_by_text("in pictures").first).to_be_visible()
    page.goto(house.url)
    page.get_by_role("button", name="Play Reference game", exact=True).click()
    player_at(page).wait_for_ask()
    expect(page.get_by_text("Listener", exact=True).first).to_be_visible()


def test_visitors_read_nothing_about_setting_up_models(house, new_page):
    page = open_lobby(new_page, house.url)
    for game in ("MatchIt", "SpyFall"):
        open_options(page, game)
        page.keyboard.press("Escape")
    open_options(page)
    text = page.locator("body").inner_text()
    assert "Practice round" in text
    for words in ("cannot play here", "ludens ", "players install", "not installed"):
        assert words not in text, words


def test_options_work_with_the_keyboard_alone(house, new_page, player_at):
    page = open_lobby(new_page, house.url)
    options = page.get_by_role("button", name="Options for Reference game")
    options.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Reference game")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(options).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_label("Speaker", exact=True).select_option("person")
    start = dialog.get_by_role("button", name="Start game")
    for _ in range(30):
        if start.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    page.keyboard.press("Enter")
    player_at(page).wait_for_ask()


def test_time_for_a_reply_is_offered(house, new_page):
    page = open_lobby(new_page, house.url)
    dialog = open_options(page)
    dialog.get_by_text("Time for a reply").click()
    dialog.get_by_label("Each reply has to come within").select_option("3 minutes")
    dialog.get_by_label("If somebody is silent").select_option("The game ends")
    with page.expect_request("**/api/tables") as sent:
        dialog.get_by_role("button", name="Start game").click()
    assert sent.value.post_data_json["turn_seconds"] == 180
    assert sent.value.post_data_json["turn_rule"] == "abandon"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault_for_readers_with_other_means(house, new_page, guest, scheme):
    from axe_playwright_python.sync_playwright import Axe

    def faults() -> list[str]:
        violations = Axe().run(page).response["violations"]
        return [fault["id"] for fault in violations if fault["impact"] in ("serious", "critical")]

    guest.sit()
    page = open_lobby(new_page, house.url, guest, color_scheme=scheme, **(WIDE if scheme == "light" else PHONE))
    assert not faults()
    open_options(page)
    assert not faults()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Play MatchIt with a person").click()
    expect(page.get_by_text("You are listed under")).to_be_visible()
    assert not faults()
    page.goto(f"{house.url}/profile")
    expect(page.get_by_role("heading", name="In progress")).to_be_visible()
    assert not faults()
    new_page.allow("status of 404")
    page.goto(f"{house.url}/nowhere")
    assert not faults()


def test_a_game_that_is_resigned_joins_the_history_at_once(house, new_page, guest):
    guest.sit()
    page = open_lobby(new_page, house.url, guest)
    page.goto(f"{house.url}/profile")
    expect(page.get_by_text("No game is over yet.")).to_be_visible()
    page.get_by_role("button", name="Resign this game of").click()
    page.get_by_role("button", name="Resign", exact=True).last.click()
    expect(page.get_by_role("heading", name="In progress")).to_be_hidden()
    expect(page.locator("section[aria-labelledby=history] li")).to_have_count(1)
    expect(page.get_by_role("columnheader", name="Played")).to_be_visible()


def test_the_menu_of_a_table_closes_with_escape_and_with_a_click_beside_it(house, new_page, guest):
    page = open_lobby(new_page, house.url, guest)
    page.goto(f"{house.url}/table?seat={guest.sit()}")
    menu = page.locator(".table-menu > .menu")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.locator("h1").first.click()):
        page.get_by_text("More", exact=True).click()
        expect(menu).to_be_visible()
        close()
        expect(menu).to_be_hidden()


# ---------------------------------------------------------------------- playing with somebody
def test_two_who_look_for_a_partner_are_seated_together(house, new_page, player_at):
    one, two = open_lobby(new_page, house.url), open_lobby(new_page, house.url)
    one.get_by_role("button", name="Play MatchIt with a person").click()
    expect(one.get_by_text("You are listed under “Open seats”")).to_be_visible()
    two.get_by_role("button", name="Join a game of MatchIt").click()  # the lobby lists who waits, live
    for page in (one, two):
        page.wait_for_url("**/table?seat=*")
    for page in (one, two):
        expect(page.get_by_text("Your partner is here")).to_be_visible()
    with Store(house.db) as store:
        [episode] = store.episodes(max_episodes=1)
    assert set(episode.seats.values()) == {"person"}
    assert episode.variant == "picture"
    assert {person["turn_limit"]["rule"] for person in episode.start["people"].values()} == {"program"}


def test_who_closes_the_dialog_or_the_page_waits_no_more(house, new_page):
    one, two, watcher = (open_lobby(new_page, house.url) for _ in range(3))
    for page, game in ((one, "SpyFall"), (two, "Ask-Guess")):
        page.get_by_role("button", name=f"Play {game} with a person").click()
        expect(watcher.get_by_role("button", name=f"Join a game of {game}")).to_be_visible()
    one.get_by_role("button", name="Cancel").click()
    expect(watcher.get_by_role("button", name="Join a game of SpyFall")).to_have_count(0)
    two.close()
    expect(watcher.get_by_role("button", name="Join a game of Ask-Guess")).to_have_count(0)
    expect(watcher.get_by_text("Nobody is waiting right now.")).to_be_visible()


def test_alone_one_gets_a_program(guest):
    with guest.socket("/ws/queue?game=reference&variant=text") as socket:
        assert json.loads(socket.recv(30)) == {"state": "waiting", "seconds": 20.0}
        message = json.loads(socket.recv(120))
    assert (message["state"], message["partner"]) == ("seated", "program")
    with guest.seat(guest.take(message["go"])) as page:
        page.finish("the one on the left")


def test_seats_offered_to_everybody_stay_offered_after_a_restart(server):
    house = server()
    with Guest(house.url) as host, Guest(house.url) as other:
        table = host.open({"A": "person", "B": "invite"}, listed=True)
        unlisted = host.open({"A": "person", "B": "invite"})
        seats = [host.take(opened["go"]) for opened in (table, unlisted)]
        house.restart()
        other.http.get("/")
        with host.seat(seats[0]), host.seat(seats[1]):  # who offers a seat is back at the table
            [offer] = other.http.get("/api/lobby").json()["free"]
            assert host.http.get("/api/lobby").json()["free"] == []
            joined = other.post("/api/join", seat=offer["id"])
        assert joined.status_code == 200, joined.text
        with other.seat(joined.json()["go"].partition("=")[2]) as seat:
            assert seat.state["seat"] == "B"


def test_a_browser_is_not_paired_with_itself(house, guest):
    with Guest(house.url) as other:
        other.http.get("/")
        address = "/ws/queue?game=tofukingdom"
        with guest.socket(address) as first, guest.socket(address) as second:
            assert json.loads(first.recv(30))["state"] == json.loads(second.recv(30))["state"] == "waiting"
            with other.socket(address) as third:
                assert json.loads(third.recv(30))["partner"] == json.loads(first.recv(30))["partner"] == "person"
        with guest.socket("/ws/queue?game=nothing") as refused:
            assert json.loads(refused.recv(30))["state"] == "refused"
        with guest.socket("/ws/queue?game=mapworld") as refused:
            assert json.loads(refused.recv(30))["error"] == "Map World is played alone"


def test_a_table_is_offered_to_everybody_while_its_host_is_there(house, new_page):
    host, guest, late = (open_lobby(new_page, house.url) for _ in range(3))
    dialog = open_options(host)
    dialog.get_by_label("Seat B").select_option("invite")
    dialog.get_by_role("radio", name="Everybody here, too").check()
    dialog.get_by_role("button", name="Start game").click()
    host.wait_for_url("**/table?seat=*")
    guest.get_by_role("button", name="Join a game of MatchIt").click()
    guest.wait_for_url("**/table?seat=*")
    expect(host.get_by_text("Your partner is here")).to_be_visible()
    expect(late.get_by_role("button", name="Join a game of MatchIt")).to_have_count(0)


def test_seats_that_are_not_offered_cannot_be_joined(house, guest):
    with Guest(house.url) as host:
        table = host.open({"A": "person", "B": "invite"})
        seat = host.take(table["go"])
        with host.seat(seat):
            with Store(house.db) as store:
                query = "SELECT pid FROM seat WHERE episode = ? AND seat = 'B'"
                [(other,)] = store.sqlite_db.execute(query, (table["episode"],)).fetchall()
            assert guest.post("/api/join", seat=other).status_code == 409
            assert guest.http.get("/api/lobby").json()["free"] == []


# ---------------------------------------------------------------------- own games
def test_own_games_are_resigned_deleted_and_told_in_a_players_words(house, new_page, guest):
    with guest.seat(guest.sit()) as page:
        page.finish()
    guest.sit()
    lobby = open_lobby(new_page, house.url, guest)
    rows = lobby.locator(".mine li")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text(r"You ")
    rows.first.get_by_role("button", name="Resign").click()
    lobby.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(rows.filter(has_text="Not finished")).to_have_count(1)
    expect(lobby.get_by_role("link", name="Continue")).to_have_count(0)
    rows.first.get_by_role("button", name="Delete").click()
    expect(lobby.get_by_role("dialog")).to_contain_text("removed from this server for good")
    lobby.get_by_role("button", name="Delete it").click()
    expect(rows).to_have_count(1)

    lobby.get_by_role("link", name="All my games and results").click()
    expect(lobby.get_by_role("heading", name="My games")).to_be_visible()
    row = lobby.get_by_role("row", name="MatchIt")
    assert row.locator("td").first.inner_text() == "1"
    lobby.get_by_role("button", name="Delete").click()
    lobby.get_by_role("button", name="Delete it").click()
    expect(lobby.get_by_role("button", name="Delete")).to_have_count(0)
    assert guest.http.get("/api/profile").json() == {"games": [], "history": []}


def test_only_players_remove_a_game_and_only_when_it_is_over(house, guest):
    with Guest(house.url) as host:
        stranger = guest
        table = host.open({"A": "person", "B": "scripted"})
        seat = host.take(table["go"])
        assert stranger.post("/api/remove", episode=table["episode"]).status_code == 403
        assert host.post("/api/remove", episode=table["episode"]).status_code == 409
        host.post("/api/leave", seat=seat)
        history = host.http.get("/api/profile").json()["history"]
        assert [(game["episode"], game["result"], game["seat"]) for game in history] == [
            (table["episode"], "abandoned", "A")
        ]
        assert stranger.http.get("/api/profile").json()["history"] == []
        assert host.post("/api/remove", episode=table["episode"]).status_code == 200
        assert host.http.get("/api/profile").json()["history"] == []


def test_a_game_left_to_a_program_can_be_deleted(house, new_page, guest):
    table = guest.open({"A": "person", "B": "scripted"})
    seat = guest.take(table["go"])
    assert guest.post("/api/leave", seat=seat, player="scripted").status_code == 200
    lobby = open_lobby(new_page, house.url, guest)
    row = lobby.locator(".mine li").filter(has_text="You left")  # the programs play on, then it is in the list
    row.get_by_role("button", name="Delete").click()
    assert guest.http.get("/api/profile").json()["games"] == []  # what the program reached is not the person's
    lobby.get_by_role("button", name="Delete it").click()
    expect(lobby.locator(".mine li")).to_have_count(0)
    assert guest.http.get("/api/profile").json()["history"] == []


# ---------------------------------------------------------------------- what is not there
@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "This page does not exist"),
        ("/s/nothing", 404, "This link leads to no seat"),
        ("/w/nothing", 404, "This link leads to no game"),
        ("/a/nothing", 404, "This is not the admin link"),
    ],
)
def test_a_page_that_is_not_there_says_so_and_leads_on(house, new_page, path, status, words):
    new_page.allow(f"status of {status}")
    page = new_page(house.url)
    page.goto(house.url + path)
    expect(page.get_by_role("heading", level=1)).to_contain_text(words)
    page.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("button", name="Play MatchIt", exact=True)).to_be_visible()
    plain = httpx.get(house.url + path, cookies={"browser": "b" * 43})
    assert plain.status_code == status
    assert "<html" not in plain.text


def test_a_host_who_opens_the_link_for_spectators_is_told_why_not(house, new_page):
    new_page.allow("status of 403")
    with Guest(house.url) as host:
        table = host.open({"A": "person", "B": "scripted"})
        page = open_lobby(new_page, house.url, host)
        page.goto(house.url + table["spectators"])
        expect(page.get_by_role("heading", name="You cannot watch this game")).to_be_visible()
        expect(page.get_by_text("you may watch it when the game is over")).to_be_visible()
