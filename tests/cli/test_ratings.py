"""`ludens ratings`: players and teams of each game, as a table, JSON and CSV; people only as a whole unless asked."""

import csv
import io
from pathlib import Path

import pytest

from engine.storage.participants import read_participant_keys
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.cli.terminal import ludens
from tests.people import seated

WORDS = ("--db", "log.db", "--yes")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A log with all pairings of two programs, games of sides, and one person in twelve of these games."""
    made = tmp_path_factory.mktemp("ratings")
    ludens("run", "matchit/text", "--cross", "scripted", "random", "--limit", "4", *WORDS, folder=made)
    ludens("run", "spyfall/words", "--cross", "scripted", "random", "--limit", "3", *WORDS, folder=made)
    with Store(made / "log.db") as store:
        links = SeatLinks(store, store)
        rows = [row for row in store.episodes(game="matchit") if row.seats == {"A": "random", "B": "scripted"}]
        for at, row in enumerate(rows[:12], 1000):
            links.open_table(seated(store, row.id, at), "browser", ["A"], "A", 0.0, row.instance_hash)
    return made


def ratings(folder: Path, *words: str):
    return ludens("ratings", *words, "--db", "log.db", "--format", "json", folder=folder).json()


def test_teams_and_roles_are_rated_per_game(folder):
    board = ratings(folder)
    assert [table["game"] for table in board["cooperative"]] == ["matchit"]
    assert [table["game"] for table in board["adversarial"]] == ["spyfall"]
    (table,) = board["cooperative"]
    assert table["roles"] == ["A", "B"] and table["connected"] and table["instances"] >= 12
    best = {role: next(row["player"] for row in table["players"] if row["role"] == role) for role in "AB"}
    assert best == {"A": "scripted", "B": "scripted"}
    seatings = [tuple(team["seats"].values()) for team in table["teams"]]
    assert seatings[0] == ("scripted", "scripted") and ("person", "scripted") in seatings
    for row in (*table["players"], *table["teams"]):
        assert row["low"] < row["rating"] < row["high"] and row["n"] >= 10 and row["group"] == 1
    text = ludens("ratings", "--db", "log.db", folder=folder).out
    assert "A=person B=scripted" in text and "first exposures on" in text and "Sides, in points" in text


def test_single_people_are_rated_by_their_key_on_request(folder):
    with Store(folder / "log.db") as store:
        (key,) = set(read_participant_keys(store).values())
    (table,) = ratings(folder, "matchit")["cooperative"]
    assert key not in str(table) and all(row["person"] == "" for row in table["players"])
    (table,) = ratings(folder, "matchit", "--each-person")["cooperative"]
    (row,) = [row for row in table["players"] if row["person"]]
    assert (row["person"], row["player"], row["role"], row["n"]) == (key, "person", "A", 12)


def test_filters_select_rows_and_rate_by_all_games(folder):
    (everybody,) = ratings(folder, "matchit/text")["cooperative"]
    (people,) = ratings(folder, "matchit/text", "--people")["cooperative"]
    assert [row["player"] for row in people["players"]] == ["person"]
    assert people["players"][0] in everybody["players"]
    assert {tuple(team["seats"].values()) for team in people["teams"]} == {("person", "scripted")}
    (without,) = ratings(folder, "matchit", "--study", "other")["cooperative"]
    assert all(row["player"] != "person" for row in without["players"])


def test_csv_has_a_row_per_rating(folder):
    board = ratings(folder)
    out = ludens("ratings", "--db", "log.db", "--format", "csv", folder=folder).out
    rows = list(csv.DictReader(io.StringIO(out)))
    counts = {kind: sum(row["kind"] == kind for row in rows) for kind in ("player", "team")}
    (table,) = board["cooperative"]
    assert counts["team"] == len(table["teams"])
    assert counts["player"] == len(table["players"]) + sum(len(sides["players"]) for sides in board["adversarial"])
    team = next(row for row in rows if row["kind"] == "team")
    assert (team["seats"], float(team["rating"])) == ("all=scripted", table["teams"][0]["rating"])


def test_too_few_games_and_wrong_words_are_told(folder, tmp_path):
    ludens("run", "matchit/text", "--seat", "all=scripted", "--limit", "1", "--db", "few.db", "--yes", folder=tmp_path)
    few = ludens("ratings", "--db", "few.db", folder=tmp_path)
    assert "nobody selected has 10 first exposures" in few.out + few.err
    assert "no format 'html'" in ludens("ratings", "--db", "log.db", "--format", "html", folder=folder, code=2).err
    assert "matchit" in ludens("ratings", "matchitt", "--db", "log.db", folder=folder, code=2).err


def test_one_team_alone_has_a_score_and_no_rating(tmp_path):
    ludens("run", "reference/text", "--seat", "all=scripted", "--limit", "12", *WORDS, folder=tmp_path)
    (table,) = ratings(tmp_path)["cooperative"]
    (team,) = table["teams"]
    assert team["rating"] is None and 50 < team["score"] <= 100
    assert "–" in ludens("ratings", "--db", "log.db", folder=tmp_path).out
