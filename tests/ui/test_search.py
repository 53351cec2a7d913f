"""The search of the Results page: what a visitor may read and nothing of the rest; and the box on a screen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.storage.seat_links import SeatLinks, hash_cookie
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.ui.guests import Guest
from ui.routes.result_panels import PageAddress, draw_texts

pytestmark = pytest.mark.browser

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
TWO_PEOPLE = {"A": "person", "B": "invite"}


@pytest.fixture(scope="module")
def house(module_server: Callable, tmp_path_factory) -> Any:
    """A server on a log of games between programs."""
    folder: Path = tmp_path_factory.mktemp("search")
    words = ("--db", "log.db", "--yes", "--jobs", "1", "--limit", "3")
    ludens("run", "matchit/text/same", "mapworld/ee-text/small", "--seat", "all=scripted", *words, folder=folder)
    return module_server(folder / "log.db")


@pytest.fixture
def person(house) -> Iterator[Callable[[], Guest]]:
    """Return a function that gives each person their own browser."""
    guests: list[Guest] = []

    def make() -> Guest:
        guests.append(Guest(house.url))
        guests[-1].http.get("/results")
        return guests[-1]

    yield make
    for guest in guests:
        guest.http.close()


@pytest.fixture
def owner(house, person) -> Guest:
    guest: Guest = person()
    with Store(house.db) as store:
        assert guest.http.get(SeatLinks(store, store).make_admin_path()).status_code == 303
    return guest


def search(guest: Guest, words: str, **query: Any) -> dict[str, Any]:
    """Return what the server answers, once its index is up to date."""
    while True:
        answer = guest.http.get("/api/results/search", params={"words": words, **query})
        assert answer.status_code == 200, answer.text
        page: dict[str, Any] = answer.json()
        if page["read"] == 1:
            return page


def counts(guest: Guest, words: str, **query: Any) -> tuple[int, int]:
    page = search(guest, words, **query)
    assert len(page["hits"]) == page["texts"]
    return page["texts"], page["episodes"]


def play_and_leave(one: Guest, two: Guest, words: str) -> tuple[str, str, str]:
    """Let two people take seats, one reply and leave; return the episode and both seats."""
    table = one.open(TWO_PEOPLE, variant="text")
    a, b = one.take(table["go"]), two.take(table["invitations"]["B"])
    assert one.move(a, 1, {"text": words}).status_code == 200
    assert one.post("/api/leave", seat=a).status_code == 200
    return table["episode"], a, b


# ---------------------------------------------------------------------- what one may read
def test_a_game_of_people_is_searched_by_its_players_and_the_owner_until_it_is_published(person, owner):
    one, two, stranger = person(), person(), person()
    before = search(stranger, "cassowary ring")
    episode, a, b = play_and_leave(one, two, "a cassowary with a ring")
    assert search(stranger, "cassowary ring") == before == search(stranger, "cassowary") | {"read": 1}
    assert [counts(guest, "cassowary") for guest in (one, two, owner)] == [(1, 1)] * 3
    [hit] = search(two, "cassowary")["hits"]
    assert [hit[name] for name in ("episode", "seat", "player", "turn", "kind")] == [episode, "A", "person", 1, "reply"]
    for guest, seat in ((one, a), (two, b)):
        assert counts(stranger, "cassowary") == (0, 0)
        assert guest.post("/api/publish", seat=seat, published=True).status_code == 200
    assert counts(stranger, "cassowary") == (1, 1)
    assert one.post("/api/publish", seat=a, published=False).status_code == 200
    assert counts(stranger, "cassowary") == counts(stranger, "cassowary", prompts=True) == (0, 0)


def test_a_running_game_is_searched_by_nobody(person, owner):
    one, two, stranger, spectator = person(), person(), person(), person()
    table = one.open(TWO_PEOPLE, variant="text")
    a, b = one.take(table["go"]), two.take(table["invitations"]["B"])
    assert one.move(a, 1, {"text": "a hoatzin in the mangroves"}).status_code == 200
    watch = one.http.get("/api/invitations", params={"seat": a})
    assert watch.status_code == 200, watch.text
    assert spectator.http.get(watch.json()["spectators"]).status_code == 303
    for guest in (one, two, stranger, spectator, owner):
        assert counts(guest, "hoatzin") == counts(guest, "hoatzin", prompts=True) == (0, 0)
    assert one.post("/api/leave", seat=a).status_code == 200
    assert [counts(guest, "hoatzin") for guest in (one, two, stranger, spectator, owner)] == [
        *((1, 1), (1, 1), (0, 0), (1, 1), (1, 1))
    ]
    assert b


def test_whoever_plays_a_game_finds_no_other_episode_of_it(person, owner):
    for guest in (person(), owner):
        everything = search(guest, "the", prompts=True)["texts"]
        maps = search(guest, "the", prompts=True, game="mapworld")["texts"]
        assert 0 < maps < everything
        table = guest.open({"A": "person", "B": "scripted"}, variant="text")
        seat = guest.take(table["go"])
        assert search(guest, "the", prompts=True)["texts"] == maps
        assert counts(guest, "the", prompts=True, game="matchit") == (0, 0)
        guest.post("/api/leave", seat=seat)
        assert search(guest, "the", prompts=True)["texts"] > everything  # with the game just left


def test_hidden_games_change_neither_counts_nor_order_nor_pages(person):
    stranger = person()
    before = [search(stranger, "go", start=start) for start in (0, 5)]
    play_and_leave(person(), person(), "go go go go north and go")
    assert [search(stranger, "go", start=start) for start in (0, 5)] == before and before[0]["texts"] > 5
    first, later = ({(hit["episode"], hit["n"]) for hit in page["hits"]} for page in before)
    assert later < first and len(first - later) == 5


def test_filters_of_the_page_narrow_the_search(person):
    guest = person()
    assert counts(guest, "go north", game="matchit") == (0, 0) < counts(guest, "go north", game="mapworld")
    assert counts(guest, "go north", kind="models") == counts(guest, "go north", player="random") == (0, 0)
    assert counts(guest, "go north", kind="programs", player="scripted") == counts(guest, "go north")


def test_what_a_search_lists_counts_as_read(house, person):
    guest, other = person(), person()
    [*hits] = search(guest, "north")["hits"]
    listed = {hit["episode"] for hit in hits}
    assert listed and counts(other, "no such words") == (0, 0)
    with Store(house.db) as store:
        links = SeatLinks(store, store)
        [browser, newcomer] = (hash_cookie(next(iter(each.http.cookies.values()))) for each in (guest, other))
        watched = {row.id for row in store.episodes() if links.has_watched(browser, row.id)}
        assert watched == listed and not any(links.has_watched(newcomer, row.id) for row in store.episodes())


def test_removed_games_leave_the_index(house, person):
    one, two = person(), person()
    play_and_leave(one, two, "zebrafinch over the weir")
    assert counts(one, "zebrafinch") == (1, 1)
    index = house.db.with_name("log.search.db")
    assert b"zebrafinch" in b"".join(path.read_bytes() for path in index.parent.glob(f"{index.name}*"))
    assert one.post("/api/forget", games=1).json() == {"ok": True, "games": 1}
    assert counts(two, "zebrafinch") == (0, 0)
    stored = b"".join(path.read_bytes() for path in index.parent.glob(f"{index.name}*"))
    assert b"zebrafinch" not in stored and b"GO: north" in stored


def test_what_cannot_be_searched_for_is_refused_in_words(person):
    guest = person()
    for query, words in (
        ("words=", "at least one letter"),
        ("words=%22%20*", "at least one letter"),
        ("", "words"),
        (f"words={'x+' * 101}", "at most 200 characters"),
        (f"words={'x' * 20_000}", "these are 20,000"),
        ("words=x&start=-1", "start"),
        ("words=x&start=1001", "start"),
        ("words=x&variant=text", "with its game"),
    ):
        answer = guest.http.get(f"/api/results/search?{query}")
        assert answer.status_code == 422 and words in answer.text, (query, answer.text)
    for words in ("NOT (", 'go" OR', "%00go", "%ff%ed%a0%80 go", "go*", "text:go ^"):
        assert guest.http.get(f"/api/results/search?words={words}").status_code == 200


# ---------------------------------------------------------------------- at a screen
def test_one_searches_reads_on_and_comes_back(house, new_page):
    page = new_page(f"{house.url}/results?game=mapworld", **WIDE)
    box = page.get_by_role("searchbox", name="Search what players wrote")
    box.fill('"go north"')
    box.press("Enter")
    expect(page.get_by_role("heading", name="episodes")).to_be_visible()
    assert "game=mapworld" in page.url and "words=" in page.url
    expect(page.locator("ol.hits mark").first).to_have_text("GO: north")
    expect(page.get_by_text("Only in: mapworld")).to_be_visible()
    expect(page.locator("ol.hits").first).to_contain_text("walker (scripted) · turn")
    expect(page.get_by_label("Game", exact=True)).to_be_hidden()
    link = page.locator("ol.hits a").first
    name = link.inner_text()
    link.click()
    page.wait_for_url("**/episode?id=*")
    expect(page.get_by_text(name).first).to_be_visible()
    page.go_back()
    expect(box).to_have_value('"go north"')
    page.get_by_label("Also what the game master told the players").check()
    expect(page.get_by_text("Game master to walker").first).to_be_visible()
    box.fill("room")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("Game master to walker").first).to_be_visible()
    page.get_by_role("link", name="Search everywhere").click()
    expect(page.get_by_text("Only in:")).to_be_hidden()
    box.fill("")
    box.press("Enter")
    expect(page.get_by_label("Game", exact=True)).to_be_visible()


def test_a_search_says_what_it_did_not_find_and_what_went_wrong(house, new_page):
    page = new_page(f"{house.url}/results?words=quetzal+nest", **WIDE)
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    expect(page.get_by_text("No text has all these words")).to_be_visible()
    page.get_by_role("link", name="← Results").click()
    expect(page.get_by_label("Game", exact=True)).to_be_visible()
    new_page.allow("status of 422")
    page.goto(f"{house.url}/results?words={'x' * 300}")
    expect(page.get_by_role("alert")).to_contain_text("at most 200 characters")


def test_the_page_waits_while_the_index_is_built(house, new_page):
    page = new_page(f"{house.url}/results", **WIDE)
    answers = [0.41, 0.83]

    def answer(route: Any) -> None:
        if answers:
            route.fulfill(body=draw_texts({"read": answers.pop(0)}, PageAddress([])), content_type="text/html")
        else:
            route.continue_()

    page.route("**/api/results/search*", answer)
    page.get_by_role("searchbox").fill("north")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("ol.hits mark").first).to_have_text("north")
    assert answers == []


def test_words_of_players_are_text_on_the_page(house, new_page, person):
    one, two = person(), person()
    episode, a, b = play_and_leave(one, two, "a kookaburra <img src=x onerror=alert(1)> \u202e end")
    for guest, seat in ((one, a), (two, b)):
        guest.post("/api/publish", seat=seat, published=True)
    page = new_page(f"{house.url}/results?words=kookaburra", **WIDE)
    expect(page.locator("ol.hits")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator("ol.hits img").count() == 0
    expect(page.locator("ol.hits a")).to_have_attribute("href", f"/e/{episode}")


def test_the_list_is_good_on_a_phone_and_for_readers_with_other_means(house, new_page):
    from axe_playwright_python.sync_playwright import Axe

    for device in (PHONE, WIDE, {**WIDE, "color_scheme": "dark"}):
        page = new_page(**device)
        page.goto(f"{house.url}/results?words=room&prompts=1")
        expect(page.locator("ol.hits > li").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        serious = [
            each["id"] for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")
        ]
        assert not serious, Axe().run(page).generate_report()
