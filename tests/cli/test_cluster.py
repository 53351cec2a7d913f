"""A run on a Ray cluster: the same as on one machine, whatever is killed. Most of it is in `make test-extras`."""

import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import (
    LIMIT,
    LUDENS,
    CommandResult,
    ludens,
    query,
    read_episodes,
    start_command,
    wait_for_events,
    wait_until_ended,
)
from tests.players.fake_server import FakeServer

INSTALLED = importlib.util.find_spec("ray") is not None
installed = pytest.mark.skipif(not INSTALLED, reason="Ray is not installed: make test-extras")
PLAN = ("run", "matchit/text", "--seat", "all=random", "--repeat", "10", "--db", "log.db")
EPISODES = 400


class Machines:
    """Two nodes of a cluster on this machine, a processor each: the first is never killed, the second may be."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        self.second = self._cluster.add_node(num_cpus=1)
        self.there = ("--engine", "ray", "--ray-address", self._cluster.address)

    def kill_second(self) -> None:
        """End the second node as a power cut would."""
        self._cluster.remove_node(self.second, allow_graceful=False)

    def shut_down(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Machines]:
    folder = tempfile.mkdtemp(prefix="ludens-test-", dir="/tmp")  # sockets are in it, whose names must be short
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_TMPDIR", folder)
        environment.setenv("RAY_AUTH_MODE", "token")
        environment.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        machines = Machines()
        yield machines
        machines.shut_down()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    """The log of the same plan, played on one machine."""
    folder = tmp_path_factory.mktemp("undisturbed")
    ludens(*PLAN, folder=folder)
    return folder / "log.db"


def scores_in(db: Path) -> dict[str, str]:
    return dict(query(db, "SELECT plan_key, scores FROM episode"))


def until(holds, process: "subprocess.Popen[bytes]", said: Path) -> None:
    """Wait for something to hold while a command runs."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert process.poll() is None, f"it ended with {process.returncode}:\n{said.read_text()}"
        assert time.monotonic() < end, f"not within {LIMIT} s:\n{said.read_text()}"
        time.sleep(0.01)


@installed
def test_two_machines_share_a_plan_with_a_run_elsewhere(cluster, tmp_path, undisturbed):
    processes = [
        start_command(*PLAN, *cluster.there, folder=tmp_path),
        start_command(*PLAN, "--jobs", 1, folder=tmp_path),
    ]
    for done in map(wait_until_ended, processes):
        assert done.code == 0 and "Traceback" not in done.err, done.err
    assert read_episodes(tmp_path / "log.db") == read_episodes(undisturbed)


@installed
def test_a_recorded_game_is_played_again_where_there_is_no_log(cluster, tmp_path, undisturbed):
    [(episode,)] = query(undisturbed, "SELECT id FROM episode WHERE experiment = 'same' LIMIT 1")
    shutil.copy(undisturbed, tmp_path / "log.db")
    ludens(
        *("run", "matchit/text", "--seat", f"all=recorded/{episode}", "--db", "log.db", *cluster.there), folder=tmp_path
    )
    said = (
        "SELECT seat, data ->> '$.text' FROM event JOIN episode ON row = episode WHERE kind = 'reply' AND {} ORDER BY n"
    )
    again = query(tmp_path / "log.db", said.format("seats LIKE '%recorded%'"))
    assert again and again == query(undisturbed, said.format("id = ?"), [episode])


@installed
def test_budgets_and_faults_are_those_of_any_run(cluster, tmp_path):
    """The machines know no players.toml: what it says comes from where the run was started."""
    run = ("run", "reference/text/rows", "--limit", 10, "--seat", "all=told", "--concurrency", 1, "--yes")
    run = (*run, "--db", "log.db")
    with FakeServer() as fake_server:
        (tmp_path / "mine.toml").write_text(
            f'[servers.here]\napi = "openai"\nbase_url = "{fake_server.url}/v1"\nattempts = 1\n'
            '[players.told]\nmodel = "here/m"\nprice = [100, 0]\n',
            encoding="utf-8",
        )
        words = (*run, "--players", "mine.toml", *cluster.there)
        stopped = ludens(*words, "--max-total-tokens", 2200, folder=tmp_path, code=1).err
        assert len(fake_server.requests) == 2 and "Stopped, because 2,200 of 2,200 tokens are used" in stopped
        fake_server.respond(500)
        stalled = ludens(*words, folder=tmp_path, code=1).err
        assert "1 stalled" in stalled and "here/m gave no answer" in stalled and "$0.7000" in stalled
        assert len(fake_server.requests) == 10
        ludens(*words, folder=tmp_path)
        assert len(fake_server.requests) == 11
    assert query(tmp_path / "log.db", "SELECT status, COUNT(*) FROM episode GROUP BY status") == [("over", 10)]


@installed
def test_a_machine_with_other_code_is_left_out(cluster, tmp_path):
    words = [*PLAN, *cluster.there]
    code = (
        "import sys, engine.play.executors.ray; from cli.main import main;"
        "engine.play.executors.ray.compute_code_digest = lambda registry: 'newer';"
        f"sys.argv = ['ludens', *{words!r}]; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "no machine of the cluster can play" in done.stderr and "same commit" in done.stderr
    assert query(tmp_path / "log.db", "SELECT COUNT(*) FROM event") == [(0,)]


@installed
def test_killed_and_stopped_and_with_a_machine_killed_nothing_is_lost_or_doubled(cluster, tmp_path, undisturbed):
    """The last test of this cluster: its second node is gone afterwards."""
    db, said = tmp_path / "log.db", tmp_path / "said.txt"
    first = start_command(*PLAN, *cluster.there, folder=tmp_path)
    wait_for_events(db, 3000, first)
    os.killpg(first.pid, signal.SIGKILL)
    assert wait_until_ended(first).code == -signal.SIGKILL

    second = start_command(*PLAN, *cluster.there, folder=tmp_path)
    wait_for_events(db, 6000, second)
    second.send_signal(signal.SIGINT)
    stopped: CommandResult = wait_until_ended(second)
    assert (
        stopped.code == 130
        and "Run the same command again to continue." in stopped.err
        and "Traceback" not in stopped.err
    )

    with said.open("w") as out:
        third = subprocess.Popen([LUDENS, *PLAN, *cluster.there], cwd=tmp_path, stderr=out, stdin=subprocess.DEVNULL)
    until(lambda: said.read_text().count(" plays.") == 2, third, said)
    cluster.kill_second()
    assert third.wait(LIMIT) == 0, said.read_text()
    assert "is gone" in said.read_text() and "Traceback" not in said.read_text()
    assert f"{EPISODES} of {EPISODES} episodes over" in said.read_text()
    assert read_episodes(db) == read_episodes(undisturbed)
    ludens("results", "--db", db, folder=tmp_path)  # makes good the last scores of the killed run
    assert scores_in(db) == scores_in(undisturbed) and None not in scores_in(db).values()


@installed
def test_without_an_address_a_ray_is_started_and_cleared_away(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    words = ("run", "matchit/text/same", "--seat", "all=scripted", "--engine", "ray", "--db", "log.db")
    said = ludens(*words, folder=tmp_path, HOME=str(home)).err
    assert "10 of 10 episodes over" in said and " plays." in said
    assert not list(home.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {"home", "log.db"}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--ray-address", "auto"), 2, "needs --engine ray"),
        (("--engine", "ray", "--jobs", "2"), 2, "one machine"),
        pytest.param(("--engine", "ray", "--ray-address", "127.0.0.1:9"), 1, "no Ray cluster", marks=installed),
        pytest.param(("--engine", "ray", "--ray-address", "ray://a:1"), 1, "on a machine of", marks=installed),
    ],
)
def test_what_cannot_be_is_said(tmp_path, words, code, said):
    assert said in ludens(*PLAN, *words, folder=tmp_path, code=code).err
    assert not list(tmp_path.iterdir())


def test_without_ray_it_says_how_to_get_it(tmp_path):
    """Nothing of Ray is looked for before it is asked for."""
    code = "import sys; sys.modules['ray'] = None; from cli.main import main; main()"
    words = [sys.executable, "-c", code, *PLAN, "--engine", "ray"]
    asked = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
    assert asked.returncode == 1 and "'.[cluster]'" in asked.stderr
    assert not list(tmp_path.iterdir())
