"""Test that `ludens run`, when killed, stopped or run twice, plays each planned episode once and as if undisturbed."""

import os
import random
import signal
import time
from pathlib import Path

import httpx
import pytest

from tests.cli.terminal import ludens, query, read_episodes, start_command, wait_for_events, wait_until_ended

PLAN = ("run", "matchit/text", "--seat", "A=random", "--seat", "B=random", "--repeat", "10", "--db", "log.db", "--yes")
EPISODES = 400
BOTH = """
[[part]]
select = ["matchit/text"]
limit = 5
repeat = 2
seats = { all = "scripted" }
[[part]]
select = ["mapworld/ee-gr-text", "mapworld/g2x-text"]
repeat = 6
seats = { all = "scripted" }
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> dict[str, list]:
    """Return the results of the plan when nothing disturbs it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ludens(*PLAN, folder=folder)
    found = read_episodes(folder / "log.db")
    assert len(found) == EPISODES
    return found


@pytest.mark.slow
def test_a_run_killed_at_five_moments_gives_the_results_of_an_undisturbed_run(tmp_path):
    plan = tmp_path / "both.toml"
    plan.write_text(BOTH)
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    calm.mkdir(), killed.mkdir()
    command = ("run", "--plan", plan, "--seed", 7, "--db", "log.db")
    ludens(*command, folder=calm)
    wanted = read_episodes(calm / "log.db")
    assert len(wanted) == EPISODES
    sixth, chance = sum(map(len, wanted.values())) // 6, random.Random(2)
    for moment in (chance.randrange(part * sixth, (part + 1) * sixth) for part in range(5)):
        process = start_command(*command, folder=killed)
        wait_for_events(killed / "log.db", moment, process)
        os.killpg(process.pid, signal.SIGKILL)
        assert wait_until_ended(process).code == -signal.SIGKILL
    assert f"{EPISODES} of {EPISODES} episodes over" in ludens(*command, folder=killed).err
    assert read_episodes(killed / "log.db") == wanted
    assert _results(killed) == _results(calm)
    assert "Nothing to do" in ludens(*command, folder=killed).err
    assert f"is whole: {EPISODES} episodes" in ludens("db", "check", "--db", "log.db", folder=killed).err


def _results(folder: Path) -> tuple[list, list]:
    """Return the output of `ludens results` for a log, and the scores of each planned episode."""
    rows = ludens("results", "--db", "log.db", "--format", "json", folder=folder).json()["rows"]
    return rows, query(folder / "log.db", "SELECT plan_key, scores FROM episode ORDER BY plan_key")


@pytest.mark.parametrize("how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_stopped_run_says_so_and_the_same_command_continues_it(tmp_path, undisturbed, how):
    longer = (*PLAN, "--repeat", 30)  # not over before the signal is there
    process = start_command(*longer, folder=tmp_path)
    wait_for_events(tmp_path / "log.db", 2000, process)
    process.send_signal(how)
    done = wait_until_ended(process)
    assert done.code == 130
    assert "Stopped: " in done.err and "Run the same command again to continue." in done.err
    assert "Traceback" not in done.err
    ludens(*longer, folder=tmp_path)
    found = read_episodes(tmp_path / "log.db")
    assert len(found) == 3 * EPISODES and undisturbed.items() <= found.items()


def test_two_runs_at_once_share_the_plan(tmp_path, undisturbed):
    processes = [start_command(*PLAN, folder=tmp_path) for _ in range(2)]
    for done in map(wait_until_ended, processes):
        assert done.code == 0, done.err
        assert "rror" not in done.err and "Traceback" not in done.err
        assert f"{EPISODES} of {EPISODES} episodes over" in done.err or "Nothing to do" in done.err
    assert read_episodes(tmp_path / "log.db") == undisturbed


def test_a_run_takes_over_the_episodes_of_a_killed_run(tmp_path, undisturbed):
    first = start_command(*PLAN, folder=tmp_path)
    wait_for_events(tmp_path / "log.db", 1000, first)
    second = start_command(*PLAN, folder=tmp_path)
    wait_for_events(tmp_path / "log.db", 5000, first)
    os.killpg(first.pid, signal.SIGKILL)
    wait_until_ended(first)
    assert wait_until_ended(second).code == 0
    assert read_episodes(tmp_path / "log.db") == undisturbed


def test_results_can_be_read_during_a_run(tmp_path: Path):
    process = start_command(*PLAN, folder=tmp_path)
    wait_for_events(tmp_path / "log.db", 1000, process)
    rows = ludens("results", "--db", "log.db", "--format", "json", folder=tmp_path).json()["rows"]
    assert all(row["n"] + row["open"] <= EPISODES for row in rows)
    ludens("db", "backup", "copy.db", "--db", "log.db", folder=tmp_path)
    assert wait_until_ended(process).code == 0


@pytest.mark.slow
def test_a_worker_stops_when_its_main_process_was_killed(tmp_path, undisturbed):
    db = tmp_path / "log.db"
    first = start_command(*PLAN, "--repeat", 300, "--jobs", 2, folder=tmp_path)
    pids: set[int] = set()
    while len(pids) < 2:
        assert first.poll() is None, wait_until_ended(first)
        pids = {pid for (pid,) in query(db, "SELECT pid FROM owner")}
        time.sleep(0.001)
    first.kill()
    (helper,) = pids - {first.pid}
    until = time.monotonic() + 120
    while _runs(helper):
        assert time.monotonic() < until, "the helper plays on"
        time.sleep(0.01)
    first.communicate()
    ludens(*PLAN, folder=tmp_path)
    ludens("db", "check", "--db", "log.db", folder=tmp_path)
    (over,) = query(db, "SELECT COUNT(*) FROM episode WHERE status = 'over'")[0]
    assert EPISODES <= over < 12000


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_two_runs_and_a_server_share_a_file(tmp_path, server, undisturbed):
    running = server(tmp_path / "log.db")
    processes = [start_command(*PLAN, folder=tmp_path) for _ in range(2)]
    wait_for_events(tmp_path / "log.db", 3000, processes[0])
    assert httpx.get(f"{running.url}/healthz", timeout=60).status_code == 200
    for done in map(wait_until_ended, processes):
        assert done.code == 0, done.err
        assert "rror" not in done.err
    assert read_episodes(tmp_path / "log.db") == undisturbed
    lobby = httpx.get(f"{running.url}/api/lobby", timeout=60).json()
    assert len(lobby["finished"]) == 20
    assert "rror" not in running.output() and "Traceback" not in running.output()
