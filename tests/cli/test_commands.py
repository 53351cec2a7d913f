"""Every command from outside: what it prints where, its exit code, and words that name the value and the next step."""

import csv
import io
import json
import os
import re
import socket
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest

from engine.core.events import Event, Kind
from engine.core.start import EpisodeStart
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.results.planned import record_plan
from engine.storage.store import EpisodeUpdate, Store
from tests.cli.terminal import CommandResult, ludens, query

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (
    "serve",
    "games",
    "players",
    "assets",
    "instances",
    "run",
    "score",
    "results",
    "compare",
    "replay",
    "transcript",
    "export",
    "import",
    "db",
    "study",
    "doctor",
)
ROW = "game variant experiment seats side n played quality quality_low quality_high score_all faults abandoned settings"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder of the user's, not the project's, with a log of 40 episodes."""
    made = tmp_path_factory.mktemp("user")
    ludens("run", "matchit/text", "--seat", "A=random", "--seat", "B=random", "--db", "log.db", "--yes", folder=made)
    return made


def last(db: Path, column: str = "id") -> str:
    return str(query(db, f"SELECT {column} FROM episode ORDER BY row DESC LIMIT 1")[0][0])


# ------------------------------------------------------------------ help and version
def test_help_names_every_command_and_needs_nothing(tmp_path):
    said = ludens("--help", folder=tmp_path).out
    assert all(re.search(rf"^  {name} ", said, re.MULTILINE) for name in COMMANDS)
    assert "..." not in said.partition("Commands:")[2], "a summary is cut off"
    assert ludens("--version", folder=tmp_path).out.strip() == f"ludens {version('ludens')}"
    for name in COMMANDS:
        ludens(name, "--help", folder=tmp_path)
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------ games, players, instances, doctor
def test_games_lists_selections_that_can_be_run(tmp_path):
    table = ludens("games", folder=tmp_path).out
    found = ludens("games", "--format", "json", folder=tmp_path).json()
    matchit = next(game for game in found if game["game"] == "matchit")
    assert matchit["seats"] == ["A", "B"]
    assert matchit["settings"]["questions"] == 3
    experiments = {e["selection"]: e["instances"] for variant in matchit["variants"] for e in variant["experiments"]}
    for name in ("same", "similar-transformed", "similar-edit-2", "different"):
        assert experiments[f"matchit/text/{name}"] == 10
    for name in ("same", "similar", "different"):
        assert experiments[f"matchit/picture/pentomino-{name}"] == 10
    assert all(selection in table for selection in experiments)


def test_players_lists_who_can_play(tmp_path):
    for words in (["players"], ["players", "matchit"]):
        said = ludens(*words, folder=tmp_path).out
        assert {line.split()[0] for line in said.splitlines()} >= {"person", "random", "recorded", "scripted"}
    assert "no game 'machit'" in ludens("players", "machit", folder=tmp_path, code=2).err


@pytest.mark.slow
def test_instances_are_made_again_byte_for_byte(tmp_path):
    ludens("instances", "make", "--to", tmp_path / "made", folder=tmp_path)
    files = (ROOT / "instances").rglob("*.json")
    shipped = sorted(path for path in files if path.name != "practice.json")  # written by hand
    assert shipped
    for path in shipped:
        assert (tmp_path / "made" / path.relative_to(ROOT / "instances")).read_bytes() == path.read_bytes()
    again = ludens("instances", "make", "matchit/text", "--to", "made", folder=tmp_path).err
    assert "text.json: unchanged" in again and "picture.json" not in again
    ludens("instances", "make", "matchit/text", "--to", "other", "--seed", 1, folder=tmp_path)
    other = tmp_path / "other" / "matchit" / "text.json"
    assert other.read_bytes() != (ROOT / "instances" / "matchit" / "text.json").read_bytes()
    ludens("instances", "check", other, folder=tmp_path)


def test_what_is_wrong_in_an_instance_file_is_named_by_file_instance_and_field(tmp_path):
    assert ": no faults" in ludens("instances", "check", folder=tmp_path).err
    data = json.loads((ROOT / "instances" / "matchit" / "text.json").read_text(encoding="utf-8"))
    text = data["experiments"]
    text["same"][3]["b"] = "X"
    text["similar-edit-2"][5].pop("a")
    text["different"][1]["colour"] = "red"
    text["different"][2] = text["same"][4]
    text["nix"] = []
    (tmp_path / "bad.json").write_text(json.dumps(data), encoding="utf-8")
    said = ludens("instances", "check", "bad.json", folder=tmp_path, code=1).err
    for words in (
        "bad.json: matchit/text/same/3: field b: ",
        "bad.json: matchit/text/similar-edit-2/5: field a: Field required",
        "bad.json: matchit/text/different/1: field colour: ",
        "bad.json: matchit/text/different/2: field relation: ",
        "bad.json: matchit/text/nix: no such experiment",
        "5 faults",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "cannot be read"),
        ("[]", "expected an object"),
        ('{"game": "machit", "variant": "text", "experiments": {}}', "field game: no game 'machit'"),
        ('{"game": "matchit", "variant": "txt", "experiments": {}}', "field variant: matchit has no variant 'txt'"),
        ('{"game": "matchit", "variant": "text"}', "field experiments: missing"),
        ('{"game": "matchit", "variant": "text", "experiments": {"same": 3}}', "matchit/text/same: expected a list"),
        ('{"game": "matchit", "variant": "text", "experiments": {"same": [3]}}', "matchit/text/same/0: "),
    ],
)
def test_a_file_that_is_none_of_instances_is_named(tmp_path, content, words):
    (tmp_path / "odd.json").write_text(content, encoding="utf-8")
    said = ludens("instances", "check", "odd.json", folder=tmp_path, code=1).err
    assert "odd.json: " in said and words in said


def test_doctor_finds_all_well_here_and_says_what_is_missing(tmp_path, free_port):
    said = ludens("doctor", "--db", "new.db", "--port", free_port, folder=tmp_path).out
    for what in ("python", "packages", "database", "instances", "players", "chromium", "port"):
        assert re.search(rf"^\w+ +{what} ", said, re.MULTILINE), what
    assert not (tmp_path / "new.db").exists()
    for extra in ("openai", "anthropic", "local"):
        line = next(line for line in said.splitlines() if f"[{extra}]" in line)
        assert line.startswith("ok") or f"-e '.[{extra}]'" in line


def test_doctor_names_a_database_that_is_none(tmp_path):
    (tmp_path / "bad.db").write_text("this is no database, and it never was one\n" * 9)
    done = ludens("doctor", "--db", "bad.db", folder=tmp_path, code=1)
    assert re.search(r"^FAULT database .*bad\.db", done.out, re.MULTILINE)
    assert "1 fault;" in done.err


# ------------------------------------------------------------------ run
def test_a_run_says_how_it_went_and_the_same_again_is_nothing_to_do(tmp_path):
    words = ("run", "matchit/text/same", "--seat", "all=random", "--db", "log.db", "--yes")
    first = ludens(*words, folder=tmp_path)
    assert first.out == ""
    assert "10 of 10 episodes over: 10 played now" in first.err
    assert "ludens results --db" in first.err
    again = ludens(*words, folder=tmp_path)
    assert "Nothing to do: all 10 planned episodes are over" in again.err
    more = ludens(*words, "--repeat", 2, folder=tmp_path)
    assert "20 of 20 episodes over (10 before): 10 played now" in more.err
    assert query(tmp_path / "log.db", "SELECT COUNT(*) FROM episode") == [(20,)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("run matchit/text", "matchit has the seats A, B; nobody sits at A, B: add --seat A=PLAYER --seat B=PLAYER"),
        ("run matchit/text --seat A=scripted", "nobody sits at B"),
        (
            "run matchit/text --seat A=scriptd --seat B=random",
            "no player 'scriptd' for matchit (did you mean 'scripted'?)",
        ),
        ("run matchit/txt --seat all=random", "no variant 'txt' (did you mean 'text'?)"),
        ("run machit --seat all=random", "no game 'machit' (did you mean 'matchit'?)"),
        ("run matchit/text/sme --seat all=random", "no experiment 'sme' (did you mean 'same'?)"),
        ("run matchit/text --seat all=random --set question=5", "no setting 'question' (did you mean 'questions'?)"),
        ("run matchit/text --seat all=random --set questions=4", "questions: Input should be 1, 3 or 5 (got 4)"),
        ("run matchit/text --seat all=random --set questions", "--set 'questions' is not NAME=VALUE"),
        ("run matchit/text --seat all=random --seat C=random", "no seat 'C'; there are: A, B"),
        ("run matchit/text --seat A=random --seat A=scripted", "--seat A is given twice"),
        ("run matchit/text --seat all=person", "people play in the browser"),
        ("run matchit/text --seat all=random --limit 0", "limit is at least 1, not 0"),
        ("run matchit/text --seat all=random --concurrency 0", "concurrency = 0"),
        ("run matchit/text --seat all=random --jobs 0", "--jobs must be at least 1, not 0"),
        ("run --cross scripted random matchit/text", "--cross takes all words after it (scripted random matchit/text)"),
        ("run matchit/text --cross", "--cross needs the players"),
        ("players test scripted", "scripted is not a model"),
        ("run matchit/text --seat C=random", "no seat 'C'; there are: A, B"),
        ("run matchit/text --seat al=random", "no seat 'al' (did you mean 'all'?); there are: A, B, and all"),
        ("games contract", "Missing argument 'name'. The game; `ludens games` lists all games"),
        ("plot", "Missing argument 'name'. difficulty, modality, distance, heatmap or leaderboard"),
        ("db backup nix/x.db", "does not exist: create it"),
        ("run", "such as `ludens run matchit/text --seat all=scripted`"),
        ("resluts", "(did you mean 'results'?)"),
        ("results --format xml", "no format 'xml'; there are: table, csv, json, html"),
        ("serve --port 99999", "port = 99999"),
        ("fly", "No such command 'fly'"),
    ],
)
def test_wrong_usage_exits_2_and_names_the_value(tmp_path, words, expected):
    done = ludens(*words.split(), folder=tmp_path, code=2)
    assert expected in done.err
    assert done.out == ""
    assert not list(tmp_path.iterdir()), "wrong usage leaves a file behind"


def test_what_was_planned_and_not_begun_is_said_and_can_be_forgotten(tmp_path):
    with Store(tmp_path / "log.db") as store:
        record_plan(store, Plan.from_selections(Registry(ROOT), ["matchit/text/same"], [{"all": "random"}]))
    assert "10 missing" in ludens("results", "--db", "log.db", folder=tmp_path).out
    assert "did you mean 'matchit'" in ludens("db", "unplan", "mtchit", "--db", "log.db", folder=tmp_path, code=2).err
    assert "10 planned episodes forgotten" in ludens("db", "unplan", "matchit", "--db", "log.db", folder=tmp_path).err
    assert "No episodes yet" in ludens("results", "--db", "log.db", folder=tmp_path).err


def test_what_does_not_work_exits_1_and_names_it(tmp_path):
    for words in ("results", "replay x", "score", "db check", "run matchit --seat all=recorded/x"):
        assert "no database" in ludens(*words.split(), "--db", "nix.db", folder=tmp_path, code=1).err
    (tmp_path / "file").write_text("")
    said = ludens("run", "matchit", "--seat", "all=random", "--db", "file/log.db", folder=tmp_path, code=1).err
    assert "file/log.db" in said
    (tmp_path / "log.db").write_text("nothing that SQLite knows" * 100)
    assert "log.db" in ludens("results", "--db", "log.db", folder=tmp_path, code=1).err


def test_a_taken_port_is_named_with_the_way_to_another(tmp_path):
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        said = ludens("serve", "--port", port, "--db", "log.db", folder=tmp_path, code=1).err
    assert re.search(r"LUDENS_PORT=\d+ make play, or \.venv/bin/ludens serve --port \d+", said)
    assert f"port {port}" in said and "running Ludens" not in said


def test_a_place_for_no_log_is_named(tmp_path):
    run = ("run", "matchit/text/same", "--limit", 1, "--seat", "all=random", "--db")
    assert "is a folder: name a file in it" in ludens(*run, tmp_path, folder=tmp_path, code=1).err
    assert "/proc/x.db cannot be written" in ludens(*run, "/proc/x.db", folder=tmp_path, code=1).err
    assert "FAULT database" in ludens("doctor", "--db", "/proc/x.db", folder=tmp_path, code=1).out
    said = ludens("instances", "check", ROOT / "README.md", folder=tmp_path, code=1).err
    assert "it is not JSON" in said and "1 fault in 1 file" in said


def test_a_stalled_episode_exits_1_is_counted_and_named(tmp_path):
    run = ("run", "matchit/text/same", "--limit", 1, "--db", "log.db", "--seat")
    ludens(*run, "all=random", folder=tmp_path)
    episode = last(tmp_path / "log.db")
    with Store(tmp_path / "log.db") as store:  # an episode that ended early has no reply for a later ask
        log = [event for event in store.events(episode) if event.n < 12]
        start = store.episode(episode).start
    with Store(tmp_path / "cut.db") as store:
        claim = store.claim_episodes([(EpisodeStart.model_validate(start), None)], origin="table")[0]
        store.append([EpisodeUpdate(claim.episode, [*log, Event(Kind.OUTCOME, None, _left(), len(log), 1)])])
    words = ("run", "matchit/text", "--seat", f"A=recorded/{claim.episode}", "--seat", "B=random", "--db", "cut.db")
    for _ in range(2):
        done = ludens(*words, folder=tmp_path, code=1)
        assert "1 stalled; the same command tries them again" in done.err
        assert "has no reply" in done.err
    rows = ludens("results", "--db", "cut.db", "--format", "json", folder=tmp_path).json()["rows"]
    assert [(row["n"], row["faults"], row["abandoned"]) for row in rows] == [(0, 0, 1), (0, 1, 0)]
    shown = ludens("replay", last(tmp_path / "cut.db"), "--db", "cut.db", folder=tmp_path)
    assert "(stalled: " in shown.err


def _left() -> dict[str, object]:
    return {"kind": "abandoned", "reason": "left", "seat": "A", "winner": None, "sides": None}


def test_a_recorded_seat_plays_the_same_again(tmp_path):
    ludens("run", "matchit/text/same/4", "--seat", "all=random", "--seed", 3, "--db", "log.db", folder=tmp_path)
    episode = last(tmp_path / "log.db")
    recorded = f"A=recorded/{episode[-10:]}"
    again = ("run", "matchit/text", "--seat", recorded, "--seat", "B=random", "--jobs", 2, "--db", "log.db")
    ludens(*again, folder=tmp_path)
    first, second = (
        [json.loads(data) | {"meta": None} for (data,) in query(tmp_path / "log.db", SAID, [row])] for row in (1, 2)
    )
    assert second[0].pop("seats") == {"A": f"recorded/{episode}", "B": "random"}
    assert first[0].pop("seats") == {"A": "random", "B": "random"}
    assert first == second
    scores = query(tmp_path / "log.db", "SELECT scores FROM episode")
    assert scores[0] == scores[1]


SAID = "SELECT data FROM event WHERE episode = ? ORDER BY n"


def test_reprompts_and_settings_are_played_and_shown_apart(tmp_path):
    words = ("run", "matchit/text/same", "--limit", 1, "--seat", "all=random", "--db", "log.db")
    ludens(*words, folder=tmp_path)
    ludens(*words, "--reprompt", 2, "--set", "questions=1", "--set", "tell_limit=true", folder=tmp_path)
    rows = ludens("results", "--db", "log.db", "--format", "json", folder=tmp_path).json()["rows"]
    assert [(row["reprompt"], row["settings"]["questions"], row["settings"]["tell_limit"]) for row in rows] == [
        (2, 1, True),
        (0, 3, False),
    ] or [row["reprompt"] for row in rows] == [0, 2]
    assert "questions=1" in ludens("results", "--db", "log.db", folder=tmp_path).out


# ------------------------------------------------------------------ results, score
def test_result_rows_have_the_names_that_scripts_rely_on(folder):
    made = ludens("results", "--db", "log.db", "--format", "json", folder=folder).json()
    assert len(made["rows"]) == 4
    for row in made["rows"]:
        assert set(row) >= set(ROW.split())
        assert (row["game"], row["variant"], row["side"], row["n"]) == ("matchit", "text", None, 10)
        assert row["seats"] == {"A": "random", "B": "random"}
        assert row["settings"] == {"questions": 3, "tell_limit": False, "early_decision": False}
        assert row["played"] == 100 and row["score_all"] == row["quality"]
        assert 0 <= row["quality_low"] <= row["quality"] <= row["quality_high"] <= 100
        assert (row["faults"], row["abandoned"]) == (0, 0)
    assert {row["experiment"] for row in made["rows"]} == {"same", "similar-transformed", "similar-edit-2", "different"}
    score = made["clemscores"][0]
    assert score["clemscore"] == pytest.approx(sum(row["quality"] for row in made["rows"]) / 4)


def test_results_come_as_table_csv_and_page_with_the_same_numbers(folder):
    rows = ludens("results", "--db", "log.db", "--format", "json", folder=folder).json()["rows"]
    text = ludens("results", "--db", "log.db", "--format", "csv", folder=folder).out
    assert [float(row["quality"]) for row in csv.DictReader(io.StringIO(text))] == [row["quality"] for row in rows]
    none = ludens("results", "--db", "log.db", "--format", "csv", "--people", folder=folder).out
    assert none.splitlines() == text.splitlines()[:1]  # the same columns, however many rows
    table = ludens("results", "--db", "log.db", folder=folder)
    page = ludens("results", "--db", "log.db", "--format", "html", folder=folder).out
    assert page.startswith("<!doctype html>")
    for row in rows:
        for shown in (table.out, page):
            assert row["experiment"] in shown and f"{row['quality']:.2f}" in shown
    assert "clemscore" in table.out and "clemscore" in page
    only = ludens("results", "matchit/text/same", "--db", "log.db", "--format", "json", folder=folder).json()
    assert [row["experiment"] for row in only["rows"]] == ["same"]
    assert "did you mean" in ludens("results", "matchit/text/sme", "--db", "log.db", folder=folder, code=2).err


def test_scores_are_computed_where_they_are_missing_and_again_on_demand(tmp_path):
    ludens("run", "matchit/text/same", "--seat", "all=random", "--db", "log.db", folder=tmp_path)
    db = tmp_path / "log.db"
    before = ludens("results", "--db", "log.db", "--format", "json", folder=tmp_path).out
    with Store(db) as store:
        store.sqlite_db.execute("UPDATE episode SET scores = NULL, scores_version = NULL WHERE row < 4")
        store.sqlite_db.execute("DELETE FROM result WHERE episode < 4")
        store.sqlite_db.execute(
            "UPDATE episode SET scores = '{\"main_score\": 7}', scores_version = 'old' WHERE row = 5"
        )
        store.sqlite_db.execute("UPDATE result SET main = 7, version = 'old' WHERE episode = 5")
    assert ludens("results", "--db", "log.db", "--format", "json", folder=tmp_path).out == before
    with Store(db) as store:
        store.sqlite_db.execute("UPDATE episode SET scores = '{\"main_score\": 7}' WHERE row = 6")
    assert "10 episodes scored, 1 with another result" in ludens("score", "--db", "log.db", folder=tmp_path).err
    assert ludens("results", "--db", "log.db", "--format", "json", folder=tmp_path).out == before


# ------------------------------------------------------------------ replay, transcript
def shown(folder: Path, *words: object) -> CommandResult:
    return ludens(*words, "--db", "log.db", folder=folder)


def test_replay_shows_the_dialogue_of_both_seats(folder):
    listed = shown(folder, "replay").out.splitlines()
    assert len(listed) == 20
    episode = last(folder / "log.db")
    said = shown(folder, "replay", episode[-6:], "--plain").out
    assert "A (random) Description: " in said and "B (random) Answer: " in said
    assert "GM to A: Your grid" in said and "▢" in said
    assert "Outcome: " in said and "\x1b" not in said
    assert "no episode 'nix'" in ludens("replay", "nix", "--db", "log.db", folder=folder, code=1).err


def test_a_walk_becomes_an_animated_picture_and_other_games_say_that_they_have_none(folder, tmp_path):
    ludens("run", "mapworld/ee-text/small/0", "--seat", "walker=scripted", "--db", "log.db", folder=tmp_path)
    walk = last(tmp_path / "log.db")
    shown(tmp_path, "replay", walk, "--gif", "walk.gif")
    assert (tmp_path / "walk.gif").read_bytes().startswith(b"GIF89a")
    nowhere = ludens("replay", walk, "--gif", "no/walk.gif", "--db", "log.db", folder=tmp_path, code=1)
    assert "no/walk.gif: cannot be written" in nowhere.err
    other = last(folder / "log.db")
    none = ludens("replay", other, "--gif", "x.gif", "--db", "log.db", folder=folder, code=2)
    assert "matchit has no animated pictures" in none.err


def test_a_transcript_is_markdown_or_text(folder):
    episode = last(folder / "log.db")
    text = shown(folder, "transcript", episode, "--format", "text").out
    assert text == shown(folder, "replay", episode, "--plain").out
    markdown = shown(folder, "transcript", episode).out
    assert markdown.startswith(f"# Episode {episode}") and markdown.count("```") % 2 == 0


def test_nothing_said_in_a_game_can_drive_a_terminal_or_end_a_block(tmp_path):
    ludens("run", "matchit/text/same/0", "--seat", "all=random", "--db", "log.db", folder=tmp_path)
    episode = last(tmp_path / "log.db")
    nasty = "DESCRIPTION: \x1b[2J\x1b]0;title\x07 ``` ~~~ \u202etxet \ud800 [b]bold[/b] :smile: <b>\x00"
    with Store(tmp_path / "log.db") as store:
        row, data = store.sqlite_db.execute("SELECT seq, data FROM event WHERE kind = 'reply' LIMIT 1").fetchone()
        store.sqlite_db.execute(
            "UPDATE event SET data = ? WHERE seq = ?", (json.dumps({**json.loads(data), "text": nasty}), row)
        )
    for words in (["replay", episode], ["transcript", episode], ["transcript", episode, "--format", "text"]):
        said = shown(tmp_path, *words).out
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said)
        assert "<U+001B>[2J" in said and "<U+D800>" in said and "[b]bold[/b] :smile:" in said
    assert "````text\n" in shown(tmp_path, "transcript", episode).out


# ------------------------------------------------------------------ db
def test_a_log_is_checked_and_copied(folder, tmp_path):
    assert "is whole: 40 episodes" in shown(folder, "db", "check").err
    assert "the present rules give the same" in shown(folder, "db", "check", "--replay").err
    shown(folder, "db", "backup", tmp_path / "copy.db")
    assert "is whole: 40 episodes" in ludens("db", "check", "--db", "copy.db", folder=tmp_path).err
    again = ludens("db", "backup", tmp_path / "copy.db", "--db", "log.db", folder=folder, code=2)
    assert "already exists" in again.err
    with Store(tmp_path / "copy.db") as store:
        first, second = store.episodes()[:2]
        store.sqlite_db.execute("DELETE FROM event WHERE n = 5 AND episode = 1")
        store.sqlite_db.execute('UPDATE episode SET outcome = \'{"kind": "aborted"}\' WHERE row = 2')
    said = ludens("db", "check", "--db", "copy.db", folder=tmp_path, code=1).err
    assert f"episode {first.id}: events are missing" in said
    assert f"episode {second.id}: ended " in said
    assert "2 faults" in said


# ------------------------------------------------------------------ settings
def test_the_command_line_goes_over_the_environment(tmp_path):
    ludens("run", "matchit/text/same/0", "--seat", "all=random", folder=tmp_path, LUDENS_DB="env.db")
    words = ("run", "matchit/text/same/0", "--seat", "all=random", "--db", "line.db")
    ludens(*words, folder=tmp_path, LUDENS_DB="env2.db")
    assert {path.name for path in tmp_path.glob("*.db")} == {"env.db", "line.db"}


def test_a_setting_that_cannot_be_is_named_with_where_it_stands(tmp_path):
    said = ludens("doctor", folder=tmp_path, code=2, LUDENS_PORT="many").err
    assert "the environment: port = 'many'" in said
    said = ludens("doctor", "--db", "x.db", folder=tmp_path, LUDENS_PRT="1").err
    assert "unknown setting LUDENS_PRT (did you mean 'port'?)" in said


def test_settings_come_from_a_file_too(tmp_path, monkeypatch):
    from cli.output import UsageError
    from cli.settings import load_settings

    (tmp_path / "ludens.toml").write_text('port = 7000\nhost = "0.0.0.0"\ndb = "here.db"\n')
    monkeypatch.setenv("LUDENS_PORT", "7001")
    found = load_settings(tmp_path, host="::1", open=None)
    assert (found.port, found.host, found.db, found.open) == (7001, "::1", tmp_path / "here.db", False)
    (tmp_path / "ludens.toml").write_text("prot = 7000\n")
    with pytest.raises(UsageError, match=r"ludens.toml: unknown setting 'prot' .did you mean 'port'"):
        load_settings(tmp_path)
    (tmp_path / "ludens.toml").write_text("port = \n")
    with pytest.raises(UsageError, match="cannot be read"):
        load_settings(tmp_path)


def test_the_nearest_settings_file_from_the_working_folder_upward_is_read(tmp_path, monkeypatch):
    from cli.settings import load_settings
    from engine.play.project import build_project_registry, find_file

    (inner := tmp_path / "study" / "pilot" / "data").mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert find_file() == ROOT / "ludens.toml", "the one of the project is the last that is tried"
    (tmp_path / "ludens.toml").write_text("port = 7001\nabandon_days = 3\n")
    (tmp_path / "study" / "ludens.toml").write_text('port = 7002\ninstances = "instances"\n')
    settings = load_settings()
    assert (settings.port, settings.abandon_days) == (7002, 7), "one file is read, not a mixture"
    assert settings.instances == build_project_registry().instances == tmp_path / "study" / "instances"
    (tmp_path / "study" / "ludens.toml").unlink()
    said = ludens("doctor", "--db", "new.db", folder=inner).out
    assert re.search(rf"^ok +settings +{re.escape(str(tmp_path / 'ludens.toml'))}$", said, re.MULTILINE)


def test_a_settings_file_of_another_user_is_not_read(tmp_path, monkeypatch):
    from cli.output import UsageError
    from cli.settings import load_settings

    (tmp_path / "ludens.toml").write_text('games = ["planted"]\n')
    if os.getuid() == 0:
        os.chown(tmp_path / "ludens.toml", 12_345, 12_345)
    else:
        monkeypatch.setattr(os, "getuid", lambda: 12_345)
    with pytest.raises(UsageError, match=r"ludens\.toml belongs to another user"):
        load_settings(tmp_path)
