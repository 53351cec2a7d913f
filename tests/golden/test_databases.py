"""Databases of before: what earlier code stored is read, migrated, continued, scored and served as it was then.

`databases/*.sql` are files of `ludens run` and `ludens serve` as SQL; what was printed, answered and played with them
stands beside them. They are only rewritten when a version changes, by `python -m tests.golden.write_databases`. Every
test works on a copy of its own. What is compared is said in each test; events are always compared word for word, as the
text that is stored.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.golden import database_files as files
from tests.golden.database_files import command, dump, load, query, read, read_json, results, rounded, stored

OLDER = sorted(path.stem for path in (files.GOLDEN / "older").glob("log*.sql"))
FACTS = read_json("served.json")


def check_unchanged(db: Path, name: str) -> None:
    """Assert that a database still holds what its golden file says, to the last row."""
    assert dump(db).splitlines() == read(name).splitlines()


def check_only_scores_added(db: Path, name: str) -> None:
    """Assert that a database holds what its golden file says, and beside it scores that had not been computed yet."""
    before, after = set(read(name).splitlines()), set(dump(db).splitlines())
    changed = {line.split(" VALUES ")[0] for line in before - after}
    assert changed <= {"INSERT INTO episode", "INSERT INTO sqlite_sequence"}
    added = {line.split(" VALUES ")[0] for line in after - before}
    assert added <= changed | {"INSERT INTO result", "INSERT INTO condition"}


def check_preserved(before: dict[str, list[tuple]], db: Path) -> None:
    """Assert that all events of before are there, word for word, with their times, at the beginning of their logs."""
    after = files.logs(db)
    for episode, events in before.items():
        assert after[episode][: len(events)] == events


# ---------------------------------------------------------------------- runs.sql: finished, and one run interrupted
def test_loading_a_golden_database_and_dumping_it_gives_the_same_text(tmp_path):
    for name in ("runs.sql", "open.sql", "served.sql"):
        check_unchanged(load(name, tmp_path / f"{name}.db"), name)


def test_finished_episodes_are_read_without_changing_a_row(tmp_path):
    """Compare the check with replay, a transcript and every row; then results, results of models, scores, endings."""
    db = load("runs.sql", tmp_path / "runs.db")
    assert "episodes, each log unbroken" in command(db, "db", "check", "--replay").err
    [(episode,)] = query(db, "SELECT id FROM episode WHERE instance_id = 'tofukingdom/roles/roles/0'")
    assert command(db, "transcript", episode).out == read("runs.transcript.md")
    check_unchanged(db, "runs.sql")
    assert results(db) == rounded(read("runs.results.json"))
    assert results(db, "--models") == rounded(read("runs.models.json"))
    assert files.endings(db) == read_json("runs.endings.json")
    check_only_scores_added(db, "runs.sql")


def test_scores_of_before_come_out_again(tmp_path):
    """Compare scores, their versions and result rows: scored again, and scored anew where none are left.

    Some episodes were over when their run was killed and not scored yet.
    """
    db = load("runs.sql", tmp_path / "runs.db")
    unscored = query(db, "SELECT id FROM episode WHERE status = 'over' AND scores IS NULL")
    assert f", {len(unscored)} with another result than before" in command(db, "score").err
    check_only_scores_added(db, "runs.sql")
    assert files.endings(db) == read_json("runs.endings.json")
    before = {name: stored(db, name) for name in files.STORED}
    files.execute(db, "DELETE FROM result", "UPDATE episode SET scores = NULL, scores_version = NULL")
    assert ", 0 with another result" not in command(db, "score").err
    assert {name: stored(db, name) for name in files.STORED} == before


def test_an_interrupted_run_goes_on_and_plays_only_what_is_missing(tmp_path):
    """Compare all rows of before, the events that are added, the planned rows, and the results of the whole."""
    db = load("runs.sql", tmp_path / "runs.db")
    before, lengths = files.logs(db), files.lengths_of(db)
    finished = set(query(db, "SELECT * FROM episode WHERE status = 'over'"))
    assert stored(db, "planned")
    files.run_plan(db, "interrupted.toml")
    check_preserved(before, db)
    assert finished <= set(query(db, "SELECT * FROM episode"))
    assert stored(db, "planned") == []
    assert files.as_lines(files.by_plan_key(db, files.tails(db, lengths))) == read("runs.continued.jsonl")
    assert results(db) == rounded(read("runs.continued.results.json"))
    assert "Nothing to do" in files.run_plan(db, "interrupted.toml").err


# ---------------------------------------------------------------------- open.sql: killed in the middle, stalled
def test_open_episodes_are_read_without_changing_a_row(tmp_path):
    """Compare results, the check (with replay it names the one episode of other rules), and afterwards every row."""
    db = load("open.sql", tmp_path / "open.db")
    assert results(db) == rounded(read("open.results.json"))
    check = files.neutral(command(db, "db", "check", "--replay", code=1).err, db)
    assert check == read("open.check.txt")
    check_unchanged(db, "open.sql")


def test_open_and_stalled_episodes_go_on_as_if_nothing_had_happened(tmp_path):
    """Compare the events of before, those that follow, endings with scores, and results.

    The golden events were checked against an undisturbed run when they were written. The episode of other rules stays
    as it is, with its cause.
    """
    db = load("open.sql", tmp_path / "open.db")
    before, lengths = files.logs(db), files.lengths_of(db)
    url = files.finish_runs(db)
    check_preserved(before, db)
    assert files.as_lines(files.tails(db, lengths, url)) == read("open.continued.jsonl")
    assert files.endings(db) == read_json("open.continued.endings.json")
    assert results(db) == rounded(read("open.continued.results.json"))
    assert query(db, "SELECT COUNT(*) FROM lease") == [(0,)]


# ---------------------------------------------------------------------- served.sql: people at pages
def test_games_of_people_are_read_without_changing_a_row(tmp_path):
    """Compare the list of people, a transcript, the check with replay and every row; then results and endings."""
    db = load("served.sql", tmp_path / "served.db")
    assert command(db, "db", "forget").out == read("served.forget.txt")
    assert command(db, "transcript", FACTS["episodes"]["finished"]).out == read("served.transcript.md")
    assert "is whole" in command(db, "db", "check", "--replay").err
    check_unchanged(db, "served.sql")
    assert results(db) == rounded(read("served.results.json"))
    assert results(db, "--people", "--informed") == rounded(read("served.people.json"))
    assert files.endings(db) == read_json("served.endings.json")
    check_only_scores_added(db, "served.sql")


def test_a_server_knows_its_people_and_their_open_games_go_on(tmp_path, server: Callable, monkeypatch):
    """Compare what each person may see, the links, debriefings, drafts, downloads, and how three open games end.

    Everybody comes with the cookie of before. Events of before are compared word for word, those that follow without
    times and presence. The limit after which open games are abandoned is lifted: the golden games grow older.
    """
    monkeypatch.setenv("LUDENS_ABANDON_DAYS", "36500")
    db = load("served.sql", tmp_path / "served.db")
    before, lengths = files.logs(db), files.lengths_of(db)
    house = server(db)
    assert FACTS["admin"] in house.output()
    assert files.answers(house.url, FACTS) == read_json("served.answers.json")
    with files.visit(house.url, FACTS["cookies"]["alice"]) as alice:
        episode = FACTS["episodes"]["finished"]
        download = alice.http.get(f"/api/download?seat={FACTS['seats']['finished']['alice']}").text
        assert download.splitlines() == [files.as_download(episode, *event) for event in before[episode]]
    for name in files.CONTINUED:
        files.finish(house.url, db, FACTS, name)
    check_preserved(before, db)
    assert files.as_lines(files.tails(db, lengths)) == read("served.continued.jsonl")
    house.stop()
    assert "is whole" in command(db, "db", "check", "--replay").err
    assert results(db) == rounded(read("served.continued.results.json"))
    assert files.endings(db) == read_json("served.continued.endings.json")
    assert ", 0 with another result than before" in command(db, "score").err


# ---------------------------------------------------------------------- older tables
@pytest.mark.parametrize("name", OLDER)
def test_a_database_of_older_tables_is_migrated_and_keeps_its_episodes(name, tmp_path):
    """Compare all rows of before, the schema that comes out with its migrations, results, people, and scores."""
    db = load(f"older/{name}.sql", tmp_path / "older.db")
    tables = ("episode", "event", "secret") + (("browser", "seat", "holder", "opened") if "web0" not in name else ())
    before = {table: query(db, f"SELECT * FROM {table}") for table in tables}
    people = command(db, "db", "forget")
    expected = {"web0": "forget-log", "web3": "forget-web3"}.get(name.partition("-")[2], "forget")
    assert (people.out or people.err) == read(f"older/{expected}.txt")
    knows_browsers = "web0" not in name  # without tables of a server, it is unknown who the people are
    assert results(db) == rounded(read(f"older/results{'' if knows_browsers else '-web0'}.json"))
    assert files.schema(db) == read("older/schema.sql")
    for table, rows in before.items():
        width = len(rows[0]) if rows else 0  # a migration may add columns
        assert set(rows) <= {row[:width] for row in query(db, f"SELECT * FROM {table}")}
    assert query(db, "SELECT COUNT(*) FROM episode") == [(len(before["episode"]),)]
    assert ", 0 with another result than before" in command(db, "score").err


def test_a_run_makes_the_tables_of_a_log_and_no_more(tmp_path):
    """Compare the schema of a new file."""
    db = tmp_path / "new.db"
    files.run_plan(db, "changed.toml")
    assert files.schema(db) == read("older/schema-log.sql")


def test_a_database_with_an_unknown_migration_is_refused_and_left_alone(tmp_path):
    """Compare what commands and the server say of it, for the tables of the log and those of the server."""
    assert files.refusals(load("served.sql", tmp_path / "served.db")) == read("older/refused.txt")
