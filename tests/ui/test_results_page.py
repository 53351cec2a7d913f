"""The Results page: the same numbers as the command, each with its episodes, and nothing that a browser may not see."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from engine.core.condition import Condition
from engine.core.start import EpisodeStart
from engine.results.ability import AbilityRating, AbilityTable
from engine.results.clemscore import Clemscore, ClemscoreRow
from engine.results.exclusion import EXCLUSION_REASONS
from engine.results.leaderboard import PublishedGroup
from engine.results.rating import PlayerRating, RatingTable, SideRecord, SideStrength
from engine.results.statistics import Estimate
from engine.results.table import ResultRow
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.people import seated
from tests.ui.guests import Guest
from ui.routes.result_panels import PageAddress, draw_texts, render_episode_list
from ui.routes.result_tables import LabelledRow, ResultsPage, draw_view, render_table_part
from ui.routes.results import label_conditions

pytestmark = pytest.mark.browser

SIDES = ("--seat", "side:spy=random", "--seat", "side:villagers=scripted")
WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """Games of two, of one and of sides, some aborted; one experiment by people too, in ways that count and do not."""
    made = tmp_path_factory.mktemp("results")
    there = {"folder": made}
    words = ("--db", "log.db", "--yes", "--jobs", "1")
    some = ("matchit/text/same", "matchit/text/different/0", "mapworld/ee-text/small")
    ludens("run", *some, "--cross", "scripted", "random", *words, **there)
    ludens("run", "spyfall/words/given", *SIDES, "--limit", "3", *words, **there)
    with Store(made / "log.db") as store:
        rows = [
            row
            for row in store.episodes(game="matchit", experiment="same")
            if row.seats == {"A": "random", "B": "scripted"}
        ]
        for at, row in enumerate(rows[:4], 1000):
            seated(store, row.id, at)
        seated(store, rows[4].id, 2000, informed=True)
        seated(store, rows[5].id, 2001, watched=True)
    return made / "log.db"


@pytest.fixture(scope="module")
def house(module_server: Callable, log):
    """A server on that log."""
    return module_server(log)


@pytest.fixture(scope="module")
def owner(house) -> Iterator[Guest]:
    """Whoever started the server."""
    with Guest(house.url) as guest, Store(house.db) as store:
        assert guest.http.get(SeatLinks(store, store).make_admin_path()).status_code == 303
        yield guest


@pytest.fixture
def stranger(house) -> Iterator[Guest]:
    """Somebody who has never played here."""
    with Guest(house.url) as guest:
        guest.http.get("/results")
        yield guest


def get_json(guest: Guest, path: str, **query: Any) -> Any:
    """What the server answers."""
    answer = guest.http.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def rows_of(found: Any) -> list[dict[str, Any]]:
    """The rows of the page's compact table."""
    columns, codes = found["columns"], found["codes"]
    return [
        {name: codes[name][value] if name in codes else value for name, value in zip(columns, line, strict=True)}
        for line in found["values"]
    ]


def list_episodes(guest: Guest, path: str = "results/episodes", **query: Any) -> list[dict[str, Any]]:
    """All episodes behind a number, page by page, each once."""
    made: list[dict[str, Any]] = []
    while True:
        page = get_json(guest, path, start=len(made), **query)
        made += page["episodes"]
        if len(made) >= page["total"]:
            break
    assert len({one["episode"] for one in made}) == len(made) == page["total"]
    return made


# ---------------------------------------------------------------------- every number leads to its episodes
@pytest.mark.parametrize("per", ["experiment", "variant"])
def test_a_row_leads_to_exactly_the_episodes_it_counts(owner, per):
    found = get_json(owner, "results", per=per)
    rows = rows_of(found)
    assert {row["game"] for row in rows} == {"matchit", "mapworld", "spyfall"} and any(row["informed"] for row in rows)
    for row in rows:
        here = {"row": row.get("of") or [row["id"]]}
        counted, played = list_episodes(owner, **here), list_episodes(owner, which="played", **here)
        assert get_json(owner, "results/episodes", start=3, **here)["episodes"] == counted[3:]
        assert len(counted) == row["n"] and row["played"] == pytest.approx(100 * len(played) / row["n"], abs=0.001)
        assert {one["episode"] for one in [*played, *list_episodes(owner, which="aborted", **here)]} == {
            one["episode"] for one in counted
        }
        scores = [one["sides"][row["side"]] if row["side"] else one["main"] for one in played]
        if scores:
            assert row["quality"] == pytest.approx(sum(scores) / len(scores), abs=0.001)
            assert row["score_all"] == pytest.approx(sum(scores) / row["n"], abs=0.001)
        for reason in found["aside"]:
            assert len(list_episodes(owner, which=reason, **here)) == row[reason]
        assert all(row["experiment"] in (None, one["experiment"]) for one in counted)
    (row,) = [row for row in rows_of(get_json(owner, "results", informed=True)) if row["people"]]
    assert row["n"] == 6 == len(list_episodes(owner, row=row["id"], informed=True))
    assert owner.http.get(f"/e/{counted[0]['episode']}").headers["location"].endswith(counted[0]["episode"])


def test_clemscores_and_ratings_lead_to_their_episodes(owner):
    found = get_json(owner, "results")
    for one in found["clemscores"]:
        here = {"clemscore": one["players"], "modality": one["modality"], "reprompt": one["reprompt"]}
        assert len(list_episodes(owner, **here)) == sum(one["games"].values())
        for game, n in one["games"].items():
            assert len(list_episodes(owner, task=game, **here)) == n
    (table,) = found["ratings"]
    assert get_json(owner, "results", player="openai/nobody")["ratings"] == []
    assert len(list_episodes(owner, rating=table["id"])) == table["n"]
    for row in table["players"]:
        here = {"rating": table["id"], "player": row["player"]}
        assert len(list_episodes(owner, **here)) == row["n"]
        assert len(list_episodes(owner, which="won", **here)) == row["wins"]
        for side, won in row["won"].items():
            assert len(list_episodes(owner, side=side, **here)) == won["n"]
            assert len(list_episodes(owner, side=side, which="won", **here)) == won["wins"]


def test_a_comparison_leads_to_its_pairs_and_to_what_it_leaves_out(owner, log):
    two = {"first": "person", "second": "random"}
    made = get_json(owner, "results/compare", **two)
    told = ludens("compare", "person", "random", "--db", log, "--format", "json", folder=log.parent).json()
    assert made["left_out"] == told["left_out"] and made["rows"][-1]["quality"]["n"] == 4
    for row in made["rows"]:
        place = {"place": "/".join((row["game"], row["variant"], row["experiment"]))} if row["game"] else {}
        for measure in ("quality", "score_all"):
            for which, name in (("pairs", "n"), ("better", "better"), ("equal", "equal"), ("worse", "worse")):
                page = get_json(owner, "results/pairs", measure=measure, which=which, **two, **place)
                assert page["total"] == len(page["pairs"]) == row[measure][name]
                for first, second in page["pairs"]:
                    assert {one["instance"] for one in first} == {one["instance"] for one in second}
                    assert all("person" in one["seats"].values() for one in first)
    for of, reasons in made["left_out"].items():
        for reason, n in reasons.items():
            assert len(list_episodes(owner, "results/pairs", which=reason, of=of, **two)) == n


def test_ratings_of_cooperative_games_lead_to_their_episodes(owner):
    tables = get_json(owner, "results")["abilities"]
    assert {table["game"] for table in tables} == {"matchit", "mapworld"}
    assert get_json(owner, "results", player="openai/nobody")["abilities"] == []
    for table in tables:
        here = {"rating": table["id"]}
        assert len(list_episodes(owner, **here)) == table["n"]
        for reason, n in table["left_out"].items():
            assert len(list_episodes(owner, which=reason, **here)) == n
        for row in table["players"]:
            where = {"player": row["player"], "role": row["role"], "study": row["study"]}
            assert len(list_episodes(owner, **here, **where)) == row["n"]
        for team in table["teams"]:
            seats = team["seats"]
            text = (
                f"all={next(iter(seats.values()))}"
                if len(set(seats.values())) == 1
                else " ".join(f"{seat}={player}" for seat, player in seats.items())
            )
            assert len(list_episodes(owner, **here, player=text)) == team["n"]


# ---------------------------------------------------------------------- the same as the command
@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, []),
        ({"game": "matchit", "variant": "text", "published": True}, ["matchit/text", "--published"]),
        ({"kind": "people", "informed": True, "player": ["scripted"]}, "--people --informed --player scripted".split()),
    ],
)
def test_downloads_are_what_the_command_prints(owner, log, query, words):
    told = ludens("results", *words, "--db", log, "--format", "json", folder=log.parent).json()
    assert get_json(owner, "results/table.json", **query) == told
    page = get_json(owner, "results", **query)
    assert [row["id"] for row in rows_of(page)] == [row["id"] for row in told["rows"]]
    lines = list(csv.DictReader(io.StringIO(owner.http.get("/api/results/table.csv", params=query).text)))
    assert [line["n"] for line in lines if line.get("published", "0") == "0"] == [str(row["n"]) for row in told["rows"]]


def test_downloaded_ratings_are_what_the_command_prints(owner, log):
    board = ludens("ratings", "matchit/text", "--db", log, "--format", "json", folder=log.parent).json()
    query = {"game": "matchit", "variant": "text"}
    assert get_json(owner, "results/ratings.json", **query) == board and board["cooperative"]
    printed = ludens("ratings", "--db", log, "--format", "csv", folder=log.parent).out
    assert owner.http.get("/api/results/ratings.csv").text.splitlines() == printed.splitlines()


def test_what_cannot_be_shown_is_refused_in_words(stranger):
    for path, status, words in (
        ("results?variant=text", 422, "with its game"),
        ("results?kind=robots", 422, "programs"),
        ("results/episodes", 422, "name a row"),
        ("results/episodes?row=0&which=nice", 422, "there are: counted"),
        ("results/compare?first=scripted&second=openai/x", 422, "players there are: random, scripted"),
        ("results/compare?first=scripted&second=scripted", 422, "two different"),
        ("plot/pie.svg", 404, "there are: difficulty"),
        ("plot/distance.svg?save=1", 404, "number of moves away"),
        ("plot/distance.csv", 404, "number of moves away"),
    ):
        answer = stranger.http.get(f"/api/{path}")
        assert answer.status_code == status and words in answer.text, (path, answer.text)
    assert get_json(stranger, "results", game="chess")["values"] == []
    assert stranger.http.get("/api/plot/leaderboard.svg?dark=1").text.count("<svg") == 1
    assert stranger.http.get("/api/plot/leaderboard.csv?player=random").text.splitlines()[1]


def test_rows_say_how_they_were_played_only_where_others_differ():
    def condition(settings: dict[str, Any], variant: str = "text", **more: Any) -> Condition:
        return Condition("matchit", variant, "same", {"A": "x"}, settings, **({"prompts": "native 1"} | more))

    others = condition({"questions": 5, "hints": True}, reprompt=1, prompts="native 2")
    assert label_conditions([condition({"questions": 3}), others, condition({"questions": 9}, "x")]) == [
        "questions 3, reminders 0",
        "questions 5, reminders 1, prompts native 2, hints true",
        "",
    ]
    assert label_conditions([condition({}), condition({}, study="first@aaa")]) == ["", "study first@aaa"]
    assert label_conditions([condition({"questions": 3})]) == [""]


# ---------------------------------------------------------------------- what one may not see
def test_what_people_have_not_published_is_in_no_number(owner, stranger):
    def people_rows(guest: Guest, **query: Any) -> list[dict[str, Any]]:
        return [row for row in rows_of(get_json(guest, "results", **query)) if row["people"]]

    assert people_rows(stranger) == [] and get_json(stranger, "results")["hidden"]["private"] == 6
    assert "person" not in get_json(stranger, "results")["there"]["players"]
    assert "person" not in stranger.http.get("/api/results/table.csv").text
    assert "person" not in stranger.http.get("/api/plot/leaderboard.csv").text
    (row,) = people_rows(owner)
    assert get_json(owner, "results")["hidden"]["private"] == 0 and row["n"] == 5
    assert get_json(stranger, "results/episodes", row=row["id"])["total"] == 0
    episode = list_episodes(owner, row=row["id"])[0]["episode"]
    assert owner.post("/api/publish", episode=episode, published=True).status_code == 200
    assert people_rows(stranger)[0]["n"] == 1 and get_json(stranger, "results")["hidden"]["private"] == 5
    assert [one["episode"] for one in list_episodes(stranger, row=row["id"])] == [episode]
    assert owner.post("/api/publish", episode=episode, published=False).status_code == 200
    assert people_rows(stranger) == []


def test_a_game_that_people_play_is_counted_nowhere(house, owner, stranger):
    """Where it is counted would tell its experiment, which may be the answer; so nobody is told, the owner neither."""
    before = {guest: get_json(guest, "results") for guest in (owner, stranger)}
    table = stranger.open({"A": "person", "B": "random"})  # no row of the fixture has these players
    pid = stranger.take(table["go"])
    for guest, earlier in before.items():
        now = get_json(guest, "results")
        assert now["hidden"]["playing"] == earlier["hidden"]["playing"] + 1
        assert now["values"] == earlier["values"] and now["there"] == earlier["there"]
        assert get_json(guest, "results", game="mapworld")["hidden"] == now["hidden"]  # whatever is filtered
    assert table["episode"] not in json.dumps([get_json(owner, "results"), rows_of(get_json(owner, "results"))])
    with Store(house.db) as store:  # nor does a guessed row tell whether it is the right one
        guessed = Condition.from_start(EpisodeStart.model_validate(store.episode(table["episode"]).start)).id
    assert [get_json(guest, "results/episodes", row=guessed)["conditions"] for guest in before] == [[], []]
    stranger.post("/api/leave", seat=pid)
    (row,) = [row for row in rows_of(get_json(stranger, "results")) if row["people"]]
    assert (row["n"], row["abandoned"]) == (0, 1)


# ---------------------------------------------------------------------- panels
NAME = "openai/<script>alert(1)</script>"
ROW = {"episode": NAME, "game": "matchit", "instance": NAME, "seats": {"A": NAME}, "sides": None, "aside": None}
ROW |= {"ending": None, "main": None, "created": 0, "time": 0, "cause": NAME, "variant": NAME, "experiment": NAME}
HIT = ROW | {"kind": "reply", "seat": NAME, "player": NAME, "turn": 1, "snippet": [{"text": NAME, "match": True}]}


def named_page(view: str) -> ResultsPage:
    """A page of which every name is that of somebody who means ill."""
    condition, estimate = Condition("matchit", NAME, NAME, {"A": NAME, "B": "x"}, {NAME: NAME}), Estimate(5, 4, 6)
    excluded = dict.fromkeys(EXCLUSION_REASONS, 1)
    row = ResultRow(condition, NAME, 1, estimate, estimate, estimate, excluded, {NAME: 1.0}, 1)
    table: Any = {"id": "t", "game": "matchit", "variant": NAME, "settings": {NAME: NAME}, "reprompt": 0}
    table |= {"game_version": 1, "prompts": NAME, "n": 1, "connected": False, "left_out": {NAME: 1}}
    rating = AbilityRating(NAME, NAME, NAME, "", 1, 0, 2, 9, 1, True, True)
    sides = RatingTable(
        **table,
        players=[PlayerRating(NAME, 1, 0, 2, 9, 1, {NAME: SideRecord(1, 1, 1, 1, 1)})],
        sides=[SideStrength(NAME, 1, 0, 2)],
    )
    names = [("view", view), ("game", "matchit"), ("first", NAME), ("second", "x"), ("player", NAME), ("sort", NAME)]
    return ResultsPage(
        PageAddress([*names, ("experiment", NAME), ("measure", NAME)]),
        [LabelledRow(row, NAME)],
        [ClemscoreRow(NAME, "text", 1, Clemscore(1, 1, 1, [NAME]), {NAME: 1}, [NAME])],
        [AbilityTable(**table, instances=1, roles=[NAME], players=[rating], teams=[])],
        [sides],
        [PublishedGroup("matchit", NAME, NAME, NAME, NAME, NAME, NAME, {NAME: 1.0, "quality": 1.0})],
        {"games": [{"name": NAME, "title": NAME, "variants": []}], "players": {NAME: "model"}},
        {"private": 1, "playing": 1},
    )


def test_seats_of_the_same_player_take_one_line():
    page = named_page("")
    [row] = page.rows
    seats = {"Tom": "scripted", "Nancy": "person", "Jack": "scripted"}
    condition = replace(row.result.condition, seats=seats)
    html = draw_view(replace(page, rows=[LabelledRow(replace(row.result, condition=condition), NAME)]), dict)
    assert '<span class="seat">Tom, Jack</span>' in html and '<span class="seat">Nancy</span>' in html


def test_names_are_text_in_every_panel():
    address = PageAddress([("first", NAME), ("second", NAME), ("of", "first"), ("which", "pairs"), ("words", NAME)])
    listing = {"start": 0, "total": 1, "which": "pairs"}
    compared = {"rows": [], "left_out": {part: {NAME: 1} for part in ("first", "second")}}
    compared |= {part: {"player": NAME, "seated": [NAME]} for part in ("first", "second")}
    panels = [
        render_episode_list(listing | {"pairs": [[[ROW], [ROW]]]}, address),
        render_episode_list(
            listing | {"which": "counted", "episodes": [ROW], "player": NAME, "side": None}, PageAddress([])
        ),
        draw_texts({"read": 1, "start": 0, "texts": 1, "episodes": 1, "counted": True, "hits": [HIT]}, address),
        *(draw_view(named_page(view), lambda: compared) for view in ("", "heatmap", "compare", "plots")),
        *(render_table_part(named_page(""), part, 0) for part in ("rows", "further", "rating:t", "clemscores:other")),
    ]
    for html in panels:
        assert "<script" not in html
    for html in (*panels[:5], panels[7]):
        assert html.count("&lt;script&gt;") >= 4, html


def test_an_imported_episode_of_an_impossible_time_is_listed():
    listing = {"start": 0, "total": 1, "which": "counted", "player": "x", "side": None}
    html = render_episode_list(listing | {"episodes": [ROW | {"created": 10**17}]}, PageAddress([]))
    assert 'datetime="9999-12-31T' in html


def test_a_long_table_goes_on_where_it_ends():
    page = named_page("")
    rows = [replace(page.rows[0], difference=f"row {number}") for number in range(300)]
    page = replace(page, rows=rows, published=[], address=PageAddress([("sort", "n")]))
    html, shown = draw_view(page, dict), list[str]()
    for start in (120, 240, None):
        shown += re.findall(r"row \d+", html)
        following = re.findall(r'data-more="/api/results\?sort=n&amp;part=rows&amp;start=(\d+)"', html)
        assert following == ([] if start is None else [str(start)])
        html = render_table_part(page, "rows", start) if start else ""
    assert shown == [f"row {number}" for number in range(300)]


# ---------------------------------------------------------------------- at a screen
def test_one_filters_and_follows_a_number_to_an_episode_and_back(house, new_page):
    page = new_page(f"{house.url}/results", **WIDE)
    page.get_by_label("Game", exact=True).select_option("mapworld")
    expect(page.locator("table.leaderboard tbody")).to_have_count(1)
    page.get_by_label("Published results").check()
    expect(page.locator("table.leaderboard tr.published").first).to_contain_text("†")
    assert page.url.endswith("/results?game=mapworld&published=1")
    page.reload()
    expect(page.locator("table.leaderboard tr.published").first).to_be_visible()
    expect(page.get_by_label("Game", exact=True)).to_have_value("mapworld")
    line = page.locator("table.leaderboard tr", has_text="scripted").first
    line.get_by_role("link", name="episodes counted").click()
    expect(page.get_by_role("heading", name="10 episodes, counted")).to_be_visible()
    first = page.locator("ol.episodes a").first
    name = first.inner_text()
    first.click()
    page.wait_for_url("**/episode?id=*")
    expect(page.get_by_text(name).first).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="← Results").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("mapworld")


def test_a_plot_without_values_is_a_sentence(house, stranger, new_page):
    answer = stranger.http.get("/api/plot/distance.svg")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    page = new_page(f"{house.url}/results?view=plots", **PHONE)  # and the page reports no error
    frame = page.get_by_role("region", name="The effect of distance")
    frame.scroll_into_view_if_needed()
    expect(frame).to_contain_text("No episode whose goal is a known number of moves away")
    expect(frame.locator("code")).to_contain_text("ludens run")
    expect(page.get_by_role("img", name="How hard the experiments are")).to_be_visible()


def test_a_reader_with_a_keyboard_sorts_and_filters_and_stays_where_they_are(house, new_page):
    page = new_page(f"{house.url}/results", **WIDE)
    page.get_by_role("link", name="Quality", exact=True).first.press("Enter")
    head = page.get_by_role("columnheader", name="Quality", exact=True).last
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(head.get_by_role("link")).to_be_focused()
    head.get_by_role("link").press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    page.get_by_label("Programs").press("Space")
    expect(page.get_by_role("link", name="Show everything")).to_be_visible()
    expect(page.get_by_label("Programs")).to_be_focused()
    page.get_by_label("Player", exact=True).select_option("random")
    page.get_by_role("link", name="Without random").press("Enter")
    expect(page.get_by_role("link", name="Without random")).to_be_hidden()
    assert page.url.endswith("/results?sort=quality&kind=programs")


@pytest.mark.parametrize("device", [WIDE, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("query", "numbers", "texts"),
    [
        ("", ["n", "% played", "Quality", "Score, all"], ["Players"]),
        ("?game=spyfall", ["Rating", "n", "Won", "As spy"], []),
        ("?view=compare&first=random&second=scripted", ["Pairs", "First", "p", "Better / equal / worse"], ["Score"]),
    ],
)
def test_numbers_and_their_heads_are_aligned_at_the_right(house, new_page, device, query, numbers, texts):
    page = new_page(f"{house.url}/results{query}", **device)
    expect(page.locator(".shown:not([aria-busy]) table").first).to_be_visible()
    sides = "cells => [...new Set(cells.map(cell => getComputedStyle(cell).textAlign))]"
    for names, side in ((numbers, "right"), (texts, "left")):
        for name in names:
            assert page.locator(f"td[data-label='{name}']").evaluate_all(sides) == [side], name
            if device is WIDE:  # on phones, each number has its name above it
                assert page.get_by_role("columnheader", name=name, exact=True).evaluate_all(sides) == [side], name


@pytest.mark.slow
def test_every_view_is_good_on_a_phone_and_for_readers_with_other_means(house, new_page):
    from axe_playwright_python.sync_playwright import Axe

    for device, views in (
        (PHONE, ("?published=1", "?view=heatmap", "?view=compare&first=random&second=scripted", "?clemscore=scripted")),
        (WIDE, ("?published=1&game=spyfall", "?game=matchit", "?view=heatmap")),
    ):
        page = new_page(**device)
        for view in views:
            page.goto(f"{house.url}/results{view}")
            expect(page.locator(".shown:not([aria-busy]) :is(table, ol.episodes)").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
            widths = page.locator("table.heatmap tr:not(.of-games)").evaluate_all(
                "rows => rows.map(row => [...row.cells].filter(cell => cell.checkVisibility()).length)"
            )
            assert len(set(widths)) <= 1, "numbers do not stand below their experiments"
            cut = page.locator(".of-games th").evaluate_all(
                "heads => heads.filter(head => head.scrollWidth > head.clientWidth).map(head => head.textContent)"
            )
            assert not cut, f"names of games are cut: {cut}"
            bad = [
                each["id"]
                for each in Axe().run(page).response["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            assert not bad, (view, bad)


def test_numbers_of_people_have_no_interval_and_say_how_many_people_there_are(house, new_page):
    page = new_page(house.url, **WIDE)
    with Store(house.db) as store:
        page.goto(house.url + SeatLinks(store, store).make_admin_path())
    page.goto(f"{house.url}/results")
    line = page.locator("table.leaderboard tr.people").first
    expect(line).to_be_visible()
    expect(line.locator(".bounds")).to_have_count(0)
    page.goto(f"{house.url}/results?view=compare&first=person&second=random")
    pair = page.locator("table.compared tbody tr").first
    expect(pair.get_by_text("unknown people, 4 games")).to_be_visible()
    expect(pair.locator(".bounds")).to_have_count(0)
    page.goto(f"{house.url}/results?view=heatmap")
    expect(page.get_by_role("link", name=", n = 5")).to_have_count(1)
