"""A browser's own ratings: of its own games alone, from ten first exposures, and nobody else's."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.storage.participants import compute_participant_key
from engine.storage.seat_links import SeatLinks, hash_cookie
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.people import seated
from tests.ui.guests import Guest

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def house(module_server: Callable, tmp_path_factory) -> Any:
    """A server on a log of two programs in all pairings."""
    folder = tmp_path_factory.mktemp("own")
    words = ("--limit", "6", "--db", "log.db", "--yes")
    ludens("run", "matchit/text", "--cross", "scripted", "random", *words, folder=folder)
    return module_server(Path(folder) / "log.db")


@pytest.fixture
def guest(house) -> Iterator[Guest]:
    with Guest(house.url) as guest:
        guest.http.get("/")
        yield guest


def browser_of(guest: Guest) -> str:
    (browser,) = filter(None, map(hash_cookie, guest.http.cookies.values()))
    return browser


def let_play(house: Any, guest: Guest, games: int, at: int, **note: Any) -> None:
    """Give a browser games at A, as if it had played them."""
    with Store(house.db) as store:
        links = SeatLinks(store, store)
        rows = [row for row in store.episodes(game="matchit") if row.seats == {"A": "scripted", "B": "random"}]
        for number, row in enumerate(rows[:games], at):
            links.open_table(
                seated(store, row.id, number, **note), browser_of(guest), ["A"], "A", 0.0, row.instance_hash
            )


def own_ratings(guest: Guest) -> list[dict[str, Any]]:
    answer = guest.http.get("/api/me/ratings")
    assert answer.status_code == 200, answer.text
    return answer.json()["ratings"]


def test_a_browser_gets_its_own_ratings_and_nobody_elses(house, guest):
    assert own_ratings(guest) == []
    let_play(house, guest, 9, 1000)
    assert own_ratings(guest) == []  # nine first exposures
    let_play(house, guest, 9, 2000, seen_before=True)
    assert own_ratings(guest) == []
    with Guest(house.url) as other:
        other.http.get("/")
        let_play(house, other, 12, 3000)
        (row,) = own_ratings(other)
        assert {name: row[name] for name in ("game", "variant", "role", "n")} == {
            "game": "matchit", "variant": "text", "role": "A", "n": 12}  # fmt: skip
        assert row["connected"] and not row["prior_only"] and row["low"] < row["rating"] < row["high"]
        assert own_ratings(guest) == []
        with Store(house.db) as store:
            key = compute_participant_key(store, browser_of(other))
        assert key
        for browser in (guest, other):  # the page's table has people as a whole, without keys
            assert key not in browser.http.get("/api/results").text
            assert key not in browser.http.get("/api/results/ratings.json").text
        assert key not in str(row)


def test_games_of_a_study_have_no_rating_before_the_study_tells(house, guest):
    let_play(house, guest, 12, 5000, study="first@1")
    assert own_ratings(guest) == []


def test_without_a_cookie_there_are_no_ratings(house):
    with Guest(house.url) as nobody:
        assert own_ratings(nobody) == []


def test_the_results_page_shows_people_as_a_whole_and_the_own_rating(house, new_page):
    page = new_page(f"{house.url}/", viewport={"width": 1280, "height": 800})
    with Guest(house.url) as same:
        for cookie in page.context.cookies():
            same.http.cookies.set(cookie["name"], cookie["value"])
        let_play(house, same, 12, 7000)
    page.goto(f"{house.url}/results")
    page.get_by_text("Ratings: MatchIt, Text grids").click()  # folded, as no game is chosen
    table = page.get_by_role("region", name="Ratings, matchit/text")
    own = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="You"))
    expect(own).to_contain_text("12")
    expect(table.get_by_role("rowheader", name="As A")).to_be_visible()
    expect(table.get_by_role("heading")).to_have_count(0)  # the fold says what it is
    page.goto(f"{house.url}/results?game=matchit")
    expect(table.get_by_role("heading", name="Ratings: MatchIt, Text grids")).to_be_visible()
    team = table.get_by_role("row").filter(has_text="scripted").nth(0)
    n = team.get_by_role("cell").last.inner_text()
    team.get_by_role("link", name=n, exact=True).click()
    expect(page.get_by_role("heading", name=f"{n} episodes, counted")).to_be_visible()
