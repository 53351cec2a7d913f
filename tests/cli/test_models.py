"""Runs with models at the command line: confirmation, budgets, stalled episodes that resume, cached replies."""

import csv
import io
import json
import re
import sqlite3
import threading
from contextlib import closing

import pytest

from cli.progress import format_duration
from tests.cli.terminal import Screen, ludens, query
from tests.players.fake_server import FakeServer, completion, unsupported

RUN = ("run", "mapworld/ee-text/small", "--seat", "all=fixed", "--concurrency", 1)
TOKENS = 1100
"""The usage that each response of the fake server states."""


@pytest.fixture
def fake_server():
    """A server that answers "hello", which aborts every game at once."""
    with FakeServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path, fake_server):
    """A folder with a players.toml that names the server: `fixed` costs 10 cents per reply, `dear` has no price."""
    tables = (
        f'[servers.here]\napi = "openai"\nbase_url = "{fake_server.url}/v1"\nattempts = 1\n'
        '[players.fixed]\nmodel = "here/m"\nprice = [100, 0]\nsummary = "says hello"\n'
        '[players.blind]\nmodel = "here/b"\npictures = 0\nprice = [0, 0]\n'
        '[players.cheap]\nmodel = "here/c"\nprice = [0.001, 0]\n'
        '[players.dear]\nmodel = "anthropic/d"\n'
    )
    (tmp_path / "mine.toml").write_text(tables, encoding="utf-8")
    return tmp_path


def run_command(folder, *words, code=0, **environment):
    """Run a command with that players.toml."""
    variables = {"LUDENS_PLAYERS": str(folder / "mine.toml"), "ANTHROPIC_API_KEY": "sk-planted", **environment}
    return ludens(*words, folder=folder, code=code, **variables)


def test_players_are_listed_with_what_they_can_and_lack(folder):
    listed = run_command(folder, "players", "matchit", ANTHROPIC_API_KEY="").out.splitlines()
    lines = {line.split()[0]: place for place, line in enumerate(listed) if not line.startswith(" ")}
    assert "says hello" in listed[lines["fixed"]] and "$100 and $0 per million tokens" in listed[lines["fixed"]]
    assert "cannot see" in listed[lines["blind"]]
    assert "set ANTHROPIC_API_KEY" in listed[lines["dear"] + 1]
    assert "here/MODEL" in lines


def test_a_model_is_tried(folder, fake_server):
    said = run_command(folder, "players", "test", "fixed").out
    assert said.count("hello") == 2 and "1,000 tokens in" in said and "$0.100000" in said
    assert [len(request.body["messages"][0]["content"]) > 1 for request in fake_server.requests] == [True, True]
    assert run_command(folder, "players", "test", "blind").out.count("hello") == 1
    fake_server.respond(503)
    assert "fixed did not answer" in run_command(folder, "players", "test", "fixed", code=1).err


def test_money_is_asked_about(folder, fake_server):
    db = folder / "log.db"
    asked = run_command(folder, *RUN, "--max-cost", 0.005, "--db", db, code=2).err
    assert "10 episodes are planned, at most $0.005. Add --yes" in asked
    cheap = run_command(folder, *RUN[:2], "--seat", "all=cheap", "--dry-run", "--db", db)
    assert "tokens, < $0.01." in cheap.err and " < 0.01 " in cheap.out
    refused = run_command(
        folder, "run", "matchit/text", "--seat", "all=dear", "--max-cost", 1, "--yes", "--db", db, code=2
    ).err
    assert "price of anthropic/d is not known" in refused
    assert "set --concurrency" in run_command(folder, *RUN, "--yes", "--jobs", 2, "--db", db, code=2).err
    assert "cannot see" in run_command(folder, "run", "matchit/picture", "--seat", "all=blind", "--db", db, code=2).err
    assert not fake_server.requests and not db.exists()


@pytest.mark.parametrize("preview", ["--dry-run", "--status"])
def test_a_preview_needs_no_key(folder, fake_server, preview):
    words = ("run", "mapworld/ee-text/small", "--seat", "all=dear", "--db", folder / "log.db")
    missing = "anthropic/d cannot play here yet: anthropic needs a key: set ANTHROPIC_API_KEY"
    shown = run_command(folder, *words, preview, ANTHROPIC_API_KEY="")
    assert "10 episodes are planned" in shown.err and missing in shown.err
    assert missing not in run_command(folder, *words, preview).err
    assert "set ANTHROPIC_API_KEY" in run_command(folder, *words, "--yes", code=2, ANTHROPIC_API_KEY="").err
    assert not fake_server.requests


@pytest.mark.parametrize("budget", [("--max-total-tokens", 2 * TOKENS), ("--max-cost", 0.15)], ids=["tokens", "cost"])
def test_a_budget_stops_between_calls_and_the_same_command_goes_on(folder, fake_server, budget):
    db = folder / "log.db"
    stopped = run_command(folder, *RUN, "--yes", "--db", db, *budget, code=1).err
    assert len(fake_server.requests) == 2 and "Stopped, because" in stopped and "2,200 tokens" in stopped
    assert query(db, "SELECT COUNT(*) FROM event WHERE kind = 'fault'") == [(0,)]
    assert "$0.8000" in run_command(folder, *RUN, "--yes", "--db", db).err
    assert len(fake_server.requests) == 10 and query(db, "SELECT DISTINCT status FROM episode") == [("over",)]


def test_a_terminal_shows_how_far_a_run_is_and_how_long_it_still_takes(folder, fake_server):
    third = threading.Event()
    fake_server.respond(200).respond(200).respond(200, third)
    there = {"folder": folder, "LUDENS_PLAYERS": str(folder / "mine.toml")}
    with Screen(*RUN, "--yes", "--db", folder / "log.db", **there) as screen:
        screen.until(r"\b2/10\b")
        shown = screen.until(r".*left\b")
        assert re.match(r"2 aborted · 0 stalled · [\d.]+ calls/s · 2,200 tokens · \$0\.2000 · \d+ (s|min) left", shown)
        third.set()
        screen.until(r"\b10/10\b")
        screen.until("10 of 10 episodes over")
        assert screen.wait() == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (59, "59 s"), (61, "2 min"), (3600, "1 h 0 min"), (11100, "3 h 5 min"), (187200, "2 d 4 h")],
)
def test_durations_are_said_in_two_units_at_most(seconds, words):
    assert format_duration(seconds) == words


def test_who_fails_stalls_an_episode_that_goes_on_another_time(folder, fake_server):
    db = folder / "log.db"
    fake_server.respond(500).respond(500)
    stalled = run_command(folder, *RUN, "--limit", 2, "--yes", "--db", db, code=1).err
    assert "2 stalled; the same command tries them again" in stalled and "here/m gave no answer" in stalled
    run_command(folder, *RUN, "--limit", 2, "--yes", "--db", db)
    assert query(db, "SELECT status, COUNT(*) FROM episode GROUP BY status") == [("over", 2)]
    [(meta,)] = query(db, "SELECT data FROM event WHERE kind = 'reply' LIMIT 1")
    assert json.loads(meta)["meta"]["attempts"] == 2


def test_kept_replies_are_used_where_asked_for(folder, fake_server):
    db = folder / "log.db"
    run_command(folder, *RUN, "--yes", "--cache", "--db", db)
    asked = len(fake_server.requests)
    again = run_command(folder, *RUN, "--yes", "--cache", "--seed", 1, "--db", db).err
    assert asked == len(fake_server.requests) and "tokens" not in again
    run_command(folder, *RUN, "--yes", "--seed", 2, "--db", db)
    assert len(fake_server.requests) == 2 * asked


def read_csv(text):
    """Return the rows of a CSV text as dictionaries."""
    return list(csv.DictReader(io.StringIO(text)))


def test_a_run_and_its_results_say_what_was_really_sent(folder, fake_server):
    db, address = folder / "log.db", "here/m?max_tokens=40&temperature=0"
    fake_server.respond(400, unsupported("temperature"))
    run = (
        "run",
        "mapworld/ee-text/small",
        "--seat",
        f"all={address}",
        "--limit",
        2,
        "--concurrency",
        1,
        "--yes",
        "--db",
        db,
    )
    summary = run_command(folder, *run).err
    assert f"{address}: 2 replies; sent max_tokens=40, without temperature." in summary
    assert summary.count("WARNING") == 1
    assert f"WARNING: {address}: temperature was NOT sent for any of its replies" in summary
    table = run_command(folder, "results", "--db", db)
    assert "max_tokens=40, without temperature" in table.out and f"all={address}" in table.out
    assert table.err.count("WARNING") == 1 and "temperature was NOT sent" in table.err
    [row] = read_csv(run_command(folder, "results", "--db", db, "--format", "csv").out)
    assert row["seats"] == f"all={address}"
    assert json.loads(row["sent"]) == {address: [{"max_tokens": 40}]}
    assert json.loads(row["dropped"]) == {address: {"temperature": 2}}
    run_command(folder, "export", "--format", "csv", folder / "tables", "--db", db)
    replies = read_csv((folder / "tables" / "replies.csv").read_text(encoding="utf-8"))
    assert [reply["player"] for reply in replies] == [address] * 2
    assert [(reply["sent"], reply["dropped"]) for reply in replies] == [('{"max_tokens":40}', '["temperature"]')] * 2


def test_results_of_a_log_that_has_no_stored_usage_say_what_was_sent_as_well(folder, fake_server):
    db = folder / "log.db"
    fake_server.respond(400, unsupported("temperature"))
    run = ("run", "mapworld/ee-text/small", "--seat", "all=here/o?temperature=0", "--limit", 1, "--yes", "--db", db)
    run_command(folder, *run)
    with closing(sqlite3.connect(db)) as log, log:  # as an earlier Ludens stored it
        log.execute("UPDATE result SET numbers = json_remove(numbers, '$.usage')")
    assert "without temperature" in run_command(folder, "results", "--db", db).out


def test_tables_without_models_at_servers_have_no_columns_for_them(folder):
    db = folder / "log.db"
    run_command(folder, "run", "mapworld/ee-text/small", "--seat", "all=scripted", "--limit", 1, "--db", db)
    [row] = read_csv(run_command(folder, "results", "--db", db, "--format", "csv").out)
    assert not row.keys() & {"sent", "dropped", "finish"}
    run_command(folder, "export", "--format", "csv", folder / "tables", "--db", db)
    header = (folder / "tables" / "replies.csv").read_text(encoding="utf-8").partition("\n")[0]
    assert not set(header.split(",")) & {"sent", "dropped", "waited", "waits"}


def test_one_condition_holds_for_all_models_of_a_run(folder, fake_server):
    db = folder / "log.db"
    run = ("run", "matchit/text/same", "--seat", "A=fixed", "--seat", "B=scripted", "--limit", 1, "--yes", "--db", db)
    run_command(folder, *run, "--temperature", 0, "--max-tokens", 300)
    [(seats,)] = query(db, "SELECT seats FROM episode")
    assert json.loads(seats) == {"A": "here/m?max_tokens=300&temperature=0", "B": "scripted"}
    assert {name: fake_server.requests[0].body[name] for name in ("temperature", "max_tokens")} == {
        "temperature": 0,
        "max_tokens": 300,
    }
    assert "Nothing to do" in run_command(folder, *run, "--preset", "clembench").err
    (folder / "plan.toml").write_text(
        'preset = "clembench"\n[[part]]\nselect = ["matchit/text/same/0"]\nseats = { A = "fixed", B = "scripted" }\n'
    )
    plan = ("run", "--plan", folder / "plan.toml", "--yes", "--db", db)
    assert "Nothing to do" in run_command(folder, *plan).err
    run_command(folder, *plan, "--temperature", 0.5)
    assert fake_server.requests[-1].body["temperature"] == 0.5


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--seat", "all=here/m?temperature=1", "--temperature", 0), "temperature=1 contradicts temperature=0"),
        (("--seat", "all=fixed", "--preset", "clem"), "no preset 'clem'"),
        (("--seat", "all=fixed", "--max-tokens", 1000000), "use --max-total-tokens"),
    ],
)
def test_a_condition_that_cannot_hold_is_refused(words, reason, folder, fake_server):
    assert reason in run_command(folder, *RUN[:2], *words, "--yes", "--db", folder / "log.db", code=2).err
    assert not fake_server.requests


def test_a_run_says_how_long_models_waited_and_why(folder, fake_server):
    db = folder / "log.db"
    tables = (folder / "mine.toml").read_text().replace("attempts = 1", "attempts = 3")
    (folder / "mine.toml").write_text(tables)
    fake_server.respond(500).respond(429, {}, retry_after="1").respond(200)
    run = ("run", "mapworld/ee-text/small/0", "--seat", "all=here/w", "--yes", "--db", db)
    summary = run_command(folder, *run).err
    assert re.search(r"here/w: 1 replies; .*waited [12]\.\d s \(rate_limited 1 time, 1\.\d s; server_error", summary)
    run_command(folder, "export", "--format", "csv", folder / "tables", "--db", db)
    [reply] = read_csv((folder / "tables" / "replies.csv").read_text(encoding="utf-8"))
    waits = json.loads(reply["waits"])
    assert waits.keys() == {"server_error", "rate_limited"} and waits["rate_limited"][0] == 1
    assert waits["rate_limited"][1] >= 1 and float(reply["waited"]) >= 1 and reply["attempts"] == "3"


def test_an_episode_that_takes_too_long_stalls_and_goes_on_another_time(folder, fake_server):
    db, never = folder / "log.db", threading.Event()
    fake_server.respond(200, never)
    run = (*RUN[:2], "--seat", "all=here/t", "--limit", 1, "--yes", "--db", db)
    stalled = run_command(folder, *run, "--time-limit", 1, code=1).err
    never.set()
    assert "1 stalled" in stalled and "it was not over after 1 s (--time-limit)" in stalled
    assert query(db, "SELECT status FROM episode") == [("stalled",)]
    assert "1 of 1 episodes over" in run_command(folder, *run).err


def test_what_each_player_cost_is_shown(folder, fake_server):
    db = folder / "log.db"
    paid = completion("hello")
    paid["usage"] |= {"prompt_tokens_details": {"cached_tokens": 400}}
    fake_server.respond(200, paid).respond(200)
    run_command(folder, *RUN[:2], "--seat", "all=fixed", "--limit", 2, "--concurrency", 1, "--yes", "--db", db)
    table = run_command(folder, "results", "--cost", "--db", db).out
    assert "here/m" in table and "0.2000" in table and "Together $0.2000" in table
    [row] = read_csv(run_command(folder, "results", "--cost", "--format", "csv", "--db", db).out)
    figures = [row[name] for name in ("episodes", "replies", "tokens_in", "tokens_cached", "tokens_out", "cost")]
    assert figures == ["2", "2", "2000", "400", "200", "0.2"]
