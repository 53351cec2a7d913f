"""`ludens results`, with filters and published rows, and `ludens compare`, on a log of programs, people and sides."""

import csv
import io
import json
from pathlib import Path

import pytest

from engine.storage.seat_links import SeatLinks, count_repeat_exposures
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.people import seated

SAME = "matchit/text/same"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder whose log has ten instances played by `random`, six also by a person, three of these excluded."""
    user_folder = tmp_path_factory.mktemp("user")
    options = {"folder": user_folder}
    ludens("run", SAME, "--seat", "A=random", "--seat", "B=scripted", "--db", "log.db", "--yes", **options)
    sides = ("--seat", "side:spy=random", "--seat", "side:villagers=scripted")
    ludens("run", "spyfall/words/given", *sides, "--db", "log.db", "--yes", **options)
    with Store(user_folder / "log.db") as store:
        rows = store.episodes(game="matchit")
        played = [seated(store, row.id, at) for at, row in enumerate(rows[:3], 1000)]
        seated(store, rows[3].id, 2000, watched=True)
        seated(store, rows[4].id, 2001, informed=True)
        seated(store, rows[5].id, 2002, seen_before=True)
        repeated = seated(store, rows[0].id, 3000)  # the same browser, the same instance
        links = SeatLinks(store, store)
        for episode in (played[0], repeated):
            hash_ = rows[0].instance_hash
            links.open_table(episode, "browser", ["A"], "A", 0.0, hash_)
        store.sqlite_db.execute("UPDATE holder SET since = (SELECT created FROM episode JOIN seat ON seat.episode = id"
                           " WHERE seat.pid = holder.pid)")  # fmt: skip
    return user_folder


def read_json(folder, *words):
    return ludens(*words, "--db", "log.db", "--format", "json", folder=folder).json()


def test_a_person_and_a_program_are_paired_on_first_exposures(folder):
    comparison = read_json(folder, "compare", "person", "random")
    (row,) = [row for row in comparison["rows"] if row["game"] == "matchit"]
    assert (row["experiment"], row["quality"]["n"], row["score_all"]["n"]) == ("same", 3, 3)
    assert (row["quality"]["difference"], row["quality"]["p"]) == (0, None)
    assert (row["quality"]["people"], row["quality"]["games"], row["quality"]["low"]) == (1, 3, None)
    assert {name: n for name, n in comparison["left_out"]["first"].items() if n} == {
        "watched": 1,
        "informed": 1,
        "repeated": 2,
    }
    assert comparison["left_out"]["second"]["unpaired"] == 7 and comparison["left_out"]["second"]["sides"] == 11
    assert comparison["first"] == {"player": "person", "seated": ["person"]}
    table = ludens("compare", "person", "random", SAME, "--db", "log.db", folder=folder)
    assert "+0.00" in table.out and "left out of first: 1 informed, 1 watched, 2 repeated" in table.out
    assert "exact" in table.err and "people and between instances" in table.err
    programs = read_json(folder, "compare", "random", "scripted", "spyfall")
    assert all("people" not in row["quality"] for row in programs["rows"])


def test_rows_with_people_say_how_many_people_and_have_no_interval_for_one_person(folder):
    (row,) = read_json(folder, "results", "--people")["rows"]
    assert (row["n"], row["participants"]) == (6, 1) and row["quality"] is not None
    assert (row["quality_low"], row["quality_high"], row["played_low"]) == (None, None, None)
    programs = [row for row in read_json(folder, "results")["rows"] if not row["people"]]
    assert programs and not any("participants" in row for row in programs)
    assert all(row["quality_low"] is not None for row in programs if row["quality"] is not None)
    lines = list(csv.DictReader(io.StringIO(ludens("results", "--format", "csv", "--db", "log.db", folder=folder).out)))
    assert sorted(line["participants"] for line in lines) == ["", "", "", "1"]
    table = ludens("results", SAME, "--db", "log.db", folder=folder)
    assert "people" in table.out and "needs 8 of each" in table.err


def test_the_table_of_a_comparison_has_only_experiments_with_pairs(tmp_path):
    options = {"folder": tmp_path}
    for player, experiments in (("random", ["small"]), ("scripted", ["small", "medium"])):
        selections = [f"mapworld/ee-text/{experiment}" for experiment in experiments]
        ludens("run", *selections, "--seat", f"walker={player}", "--limit", 1, "--db", "log.db", **options)
    rows = read_json(tmp_path, "compare", "random", "scripted")["rows"]
    assert [row["experiment"] for row in rows] == ["medium", "small", None]
    table = ludens("compare", "random", "scripted", "--db", "log.db", **options).out
    assert "small" in table and "medium" not in table and "1 unpaired" in table


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("person", "openai/gpt-5"), "no episode with 'openai/gpt-5'; the players there are: person, random, scripted"),
        (("random", "random"), "name two different players"),
    ],
)
def test_the_message_names_players_that_cannot_be_compared(folder, players, message):
    assert message in ludens("compare", *players, "--db", "log.db", folder=folder, code=2).err


def test_filters_select_players_and_kinds_of_players(folder):
    all_results = read_json(folder, "results")
    assert {row["game"] for row in all_results["rows"]} == {"matchit", "spyfall"}
    people = read_json(folder, "results", "--people")["rows"]
    assert [row["seats"] for row in people] == [{"A": "person", "B": "scripted"}]
    assert read_json(folder, "results", "--player", "person")["rows"] == people
    assert read_json(folder, "results", "--models")["rows"] == []
    assert read_json(folder, "results", "--models", "--people")["rows"] == people
    filtered, unfiltered = (
        read_json(folder, "results", *words)["ratings"][0] for words in (["--player", "random"], [])
    )
    assert filtered["players"] == [row for row in unfiltered["players"] if row["player"] == "random"]
    for command in ("results", "ratings", "plot heatmap --out x.svg"):
        unknown = ludens(*command.split(), "--player", "skripted", "--db", "log.db", folder=folder, code=2)
        assert "no episode with 'skripted'; the players there are: person, random, scripted" in unknown.err
    empty = ludens("results", "matchit", "--player", "scripted", "--models", "--db", "log.db", folder=folder)
    assert "No episode with such a player" in empty.err


def test_published_rows_are_listed_and_enter_no_average(folder):
    ours = read_json(folder, "results", "matchit/text")
    assert "published" not in ours
    both = read_json(folder, "results", "matchit/text", "--published")
    assert {name: both[name] for name in ours} == ours
    assert all(row["published"] and row["citation"] and row["variant"] == "text" for row in both["published"])
    assert len(both["published"]) == 4 * 16
    published = read_json(folder, "results", "matchit", "--published")["published"]
    assert {row["table"] for row in published} == {1, 6, 7}
    sides = read_json(folder, "results", "spyfall", "--published")["published"]
    assert {row["table"] for row in sides} == {3} and sides[0]["seats"] == {"side:villagers": "TD003"}
    text = ludens("results", SAME, "--published", "--format", "csv", "--db", "log.db", folder=folder).out
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["published"] for line in lines] == ["0", "0"] + ["1"] * 16
    claude = next(line for line in lines if line["seats"] == "Claude-3.5")
    assert (claude["quality"], claude["n"]) == ("100.0", "") and claude["source"].endswith("Table 7")
    page = ludens("results", SAME, "--published", "--format", "html", "--db", "log.db", folder=folder).out
    assert page.count('<tr class="published">') == 16 and "† Claude-3.5" in page
    table = ludens("results", SAME, "--published", "--db", "log.db", folder=folder).out
    assert "† Claude-3.5" in table and "published, Table 7" in table


def test_games_of_sides_have_ratings_and_records_per_side(folder):
    (table,) = read_json(folder, "results", "spyfall")["ratings"]
    assert (table["n"], table["connected"], table["left_out"]) == (11, True, {})
    wins = {row["player"]: row["won"] for row in table["players"]}
    assert wins["random"]["spy"]["wins"] + wins["scripted"]["villagers"]["wins"] == 11
    for row in table["players"]:
        assert row["low"] < row["rating"] < row["high"]
    printed = ludens("results", "spyfall", "--db", "log.db", folder=folder).out
    assert "as villagers" in printed and f"{wins['random']['spy']['wins']}/11" in printed
    assert json.dumps(table["settings"]["tie"])[1:-1] in printed


def test_watching_an_instance_before_joining_by_link_counts_as_having_seen_it(tmp_path):
    ludens("run", f"{SAME}/0", "--seat", "all=random", "--db", "log.db", folder=tmp_path)
    with Store(tmp_path / "log.db") as store:
        (row,) = store.episodes()
        first, second, third = (seated(store, row.id, at) for at in (1000, 2000, 3000))
        fresh = seated(store, row.id, 4000, seen_before=False)
        links = SeatLinks(store, store)
        for browser, episode in (("a", second), ("b", third), ("a", fresh)):
            pids = links.open_table(episode, "host", ["A"], None, 0.0, row.instance_hash)
            links.hold_seat(browser, pids["A"], row.instance_hash)
        links.mark_watched("a", first, row.instance_hash)
        links.mark_watched("b", fresh, row.instance_hash)  # after the game, such as its replay
        store.sqlite_db.execute(
            "UPDATE holder SET since = 7"
        )  # the order of games does not matter, only what was watched
        assert count_repeat_exposures(store) == {second}
