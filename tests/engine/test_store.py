"""Test the store: any text, many processes, leases, kill -9, files of other versions."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.core.events import Event, Kind, Outcome
from engine.core.log import Log
from engine.storage.database import NewerDatabase, StoreError
from engine.storage.episode_row import Status
from engine.storage.ids import make_id, now_ms
from engine.storage.leases import OWNER_STALE_MS
from engine.storage.migrations import Migrations
from engine.storage.schema import LOG_MIGRATIONS, WEB_MIGRATIONS
from engine.storage.store import EpisodeUpdate, LostLease, Store
from tests.engine.notes import START, claim_episode, note
from tests.engine.small_games import Council, begin, log_of
from tests.golden.database_files import load

ROOT = Path(__file__).resolve().parents[2]

# any code points, but no surrogate pairs: JSON reads both halves back as one character
ANY = st.text(st.characters(exclude_categories=())).filter(lambda s: not re.search("[\ud800-\udbff][\udc00-\udfff]", s))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "ludens.db"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(ANY, children, max_size=4),
    max_leaves=12,
)


@given(st.lists(JSON_VALUES, max_size=4))
def test_event_data_comes_back_as_it_was(values):
    with Store(":memory:") as store:
        episode = claim_episode(store)
        data = [{"value": value} for value in values]
        events = [Event(Kind.NOTE, None, value, n, 1) for n, value in enumerate(data)]
        store.append([EpisodeUpdate(episode, events)] if events else [])
        assert [event.data for event in store.events(episode)] == data


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Path("x"), START])
def test_event_data_that_is_not_json_is_refused(path, value):
    with Store(path) as store:
        episode = claim_episode(store)
        with pytest.raises((ValueError, TypeError)):
            store.append([EpisodeUpdate(episode, [Event(Kind.NOTE, None, {"value": value, "none": None}, 0, 1)])])
        assert store.events(episode) == []


def run_child(code: str, *args: object, **options) -> subprocess.Popen:
    """Run code in another process, with `Store`, `EpisodeUpdate`, `note` and the arguments as `args` defined."""
    opening = (
        "import sys, os, json\n"
        "from pathlib import Path\n"
        "from engine.storage.store import *\n"
        "from tests.engine.notes import note, claim_episode, START\n"
        "args = sys.argv[1:]\n"
    )
    command = [sys.executable, "-c", opening + code, *map(str, args)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def output_of(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


# ------------------------------------------------------------------ stored data comes back unchanged
@given(ANY, ANY)
@example("\0", "\0a\0")
@example("\ud800", "\udfff\ud800")
@example("\u202e<b>&'\";--", "🙂")
def test_any_code_point_survives(tmp_path_factory, text, key):
    with Store(tmp_path_factory.getbasetemp() / "points.db") as store:
        episode = claim_episode(store)
        event = note(0, text=text, **{f"k{key}": [text, {"deep": key}]})
        store.append([EpisodeUpdate(episode, [event])])
        assert store.events(episode) == [event]


def test_a_cause_may_be_any_text(path):
    with Store(path) as store:
        episode = claim_episode(store)
        cause = "\ud800 \0 said the server \u202e"
        store.append(
            [EpisodeUpdate(episode, [Event(Kind.FAULT, "A", {"ask": 1, "cause": cause}, 0, 1)], Status.STALLED, cause)]
        )
        row = store.episode(episode)
        assert row.status is Status.STALLED
        assert "said the server" in str(row.cause)
        assert store.events(episode)[0].data["cause"] == cause
        store.mark_stalled(episode, cause)


def test_a_reply_of_100_000_characters_is_stored_unchanged(path):
    text = "🙂\0\ud800" * 33_334
    with Store(path) as store:
        episode = claim_episode(store)
        store.append([EpisodeUpdate(episode, [Event(Kind.REPLY, "A", {"text": text}, 0, 1)])])
    with Store(path) as store:
        assert store.events(episode)[0].data["text"] == text


def test_data_that_json_cannot_hold_is_refused_with_the_whole_batch(path):
    with Store(path) as store:
        first, second = claim_episode(store), claim_episode(store)
        for bad in (float("nan"), {1, 2}, b"x"):
            with pytest.raises((ValueError, TypeError)):
                store.append([EpisodeUpdate(first, [note(0)]), EpisodeUpdate(second, [note(0, bad=bad)])])
            assert store.events(first) == store.events(second) == []
        store.append([EpisodeUpdate(first, [note(0)])])


def test_the_index_follows_the_events(path):
    with Store(path) as store:
        episode = claim_episode(store)
        assert store.episode(episode).status is Status.OPEN
        store.append([EpisodeUpdate(episode, [note(0), Event(Kind.SEAT, "A", {"player": "other"}, 1, 5)])])
        assert store.episode(episode).mixed
        outcome = Outcome("lose").as_json()
        store.append([EpisodeUpdate(episode, [Event(Kind.OUTCOME, None, outcome, 2, 9)])])
        row = store.episode(episode)
        assert (row.status, row.outcome, row.updated) == (Status.OVER, outcome, 9)
        assert row.start == START.model_dump(mode="json")
        assert [r.id for r in store.episodes(game="guess", status=Status.OVER)] == [episode]
        assert store.episodes(game="council") == []
        store.set_scores([(episode, "1", {"main": 0})])
        assert store.episode(episode[:12]).scores == {"main": 0}
        for unknown in ("", "nothing", "%", "_"):
            with pytest.raises(StoreError):
                store.episode(unknown)


def test_a_result_of_a_log_in_memory_ends_with_its_outcome_though_a_late_reply_follows(path):
    master, log = begin(Council())
    log = log_of(master.reply(1, "nobody"), log)  # no vote: it ends the game while three others still think
    log = log_of(master.reply(2, "VOTE: ada"), log)
    assert log[-1].kind is Kind.REPLY and log[-1].data["discarded"]
    with Store(path) as store:
        episode = claim_episode(store)
        store.append([EpisodeUpdate(episode, log)])
        assert store.episode(episode).status is Status.OVER
        for logs in ({episode: Log(log)}, None):
            store.sqlite_db.execute("DELETE FROM result")
            store.set_scores([(episode, "1", {"main_score": 0})], logs)
            assert store.sqlite_db.execute("SELECT ending FROM result").fetchall() == [("aborted",)]


def test_ids_sort_by_time_and_cannot_be_guessed():
    ids = [make_id(at) for at in (1, 255, 256, 1_700_000_000_000, now_ms(), now_ms() + 1)]
    assert ids == sorted(ids)
    assert len({make_id(5) for _ in range(1000)}) == 1000


# ------------------------------------------------------------------ leases
def test_a_second_writer_of_an_episode_fails_and_writes_nothing(path):
    with Store(path) as one, Store(path) as other:
        episode, free = claim_episode(one), claim_episode(other)
        one.append([EpisodeUpdate(episode, [note(0, by="one")])])
        with pytest.raises(LostLease, match=episode):
            other.append([EpisodeUpdate(free, [note(0)]), EpisodeUpdate(episode, [note(0, by="other"), note(1)])])
        assert [event.data["by"] for event in one.events(episode)] == ["one"]
        assert one.events(free) == []


def test_events_of_an_episode_removed_in_play_never_land_in_another_episode(path):
    with Store(path) as server, Store(path) as remover:
        gone = claim_episode(server)
        server.append([EpisodeUpdate(gone, [note(0)])])
        remover.delete_episodes([gone])
        later = claim_episode(remover)  # it gets the row number of the removed episode
        with pytest.raises(LostLease, match=gone):
            server.append([EpisodeUpdate(gone, [note(1)])])
        with pytest.raises(StoreError, match=gone):
            server.events(gone)
        server.set_scores([(gone, "1", {"main_score": 0})])
        assert remover.episode(later).scores is None
        assert remover.events(later) == []
        server.append([EpisodeUpdate(later, [note(0)])])
        assert len(remover.events(later)) == 1


def test_a_living_process_keeps_its_lease(path):
    holder = run_child(
        "store = Store(args[0])\nprint(claim_episode(store, 'key'), flush=True)\nsys.stdin.read()",
        path,
        stdin=subprocess.PIPE,
    )
    episode = holder.stdout.readline().strip()
    with Store(path) as store:
        assert store.claim_episodes([(START, "key")], origin="test")[0].state == "busy"
        assert not store.acquire_lease(episode)
        holder.send_signal(signal.SIGKILL)
        holder.wait(60)
        assert store.acquire_lease(episode)  # the owner is gone, whatever its last heartbeat
        assert store.claim_episodes([(START, "key")], origin="test")[0].state == "resume"
    holder.communicate()


def test_a_lease_ends_with_the_episode_and_when_it_is_released(path):
    with Store(path) as store, Store(path) as other:
        episode = claim_episode(store, "key")
        assert not other.acquire_lease(episode)
        store.release_lease(episode)
        assert other.acquire_lease(episode)
        assert not store.acquire_lease(episode)
        other.append([EpisodeUpdate(episode, [Event(Kind.OUTCOME, None, Outcome("lose").as_json(), 0, 1)])])
        assert store.claim_episodes([(START, "key")], origin="test")[0].state == "over"
    with Store(path) as store:
        second = claim_episode(store)
    with Store(path) as store:
        assert store.acquire_lease(second)


def test_a_process_on_another_host_is_alive_while_its_heartbeat_is_recent(path):
    with Store(path) as store, Store(path) as other:
        episode = claim_episode(store)
        store.sqlite_db.execute("UPDATE owner SET host = 'elsewhere', pid = 1")
        assert not other.acquire_lease(episode)
        store.sqlite_db.execute("UPDATE owner SET beat = ?", (now_ms() - OWNER_STALE_MS - 1000,))
        assert other.acquire_lease(episode)


@pytest.mark.processes
def test_many_processes_create_one_episode_per_plan_key(path):
    code = (
        "store = Store(args[0])\n"
        "claims = store.claim_episodes([(START, f'key {n}') for n in range(50)], origin='test')\n"
        "print(json.dumps([c.state for c in claims]), flush=True)\n"
        "sys.stdin.read()"
    )
    children = [run_child(code, path, stdin=subprocess.PIPE) for _ in range(4)]
    states = [json.loads(process.stdout.readline()) for process in children]
    for process in children:
        output_of(process)
    assert [sorted(each) for each in zip(*states, strict=True)] == [["busy", "busy", "busy", "new"]] * 50
    with Store(path) as store:
        assert len(store.episodes()) == 50


# ------------------------------------------------------------------ many processes, one file
@pytest.mark.slow
@pytest.mark.processes
def test_many_processes_can_open_a_new_file_at_once(path):
    code = "print('ready', flush=True)\nsys.stdin.readline()\nwith Store(args[0]) as s: print(len(s.episodes()))"
    children = [run_child(code, path, stdin=subprocess.PIPE) for _ in range(6)]
    for process in children:
        assert process.stdout.readline() == "ready\n"
    for process in children:  # all have imported: now they open the file within a millisecond of each other
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [output_of(process).strip() for process in children] == ["0"] * 6
    with Store(path) as store:
        assert LOG_MIGRATIONS.list_applied_migrations(store.sqlite_db) == list(LOG_MIGRATIONS.steps)


@pytest.mark.processes
@pytest.mark.parametrize("name", ["log1-web0", "log1-web2", "log2-web3"])
def test_many_processes_can_open_an_old_file_at_once(tmp_path, name):
    """All of them succeed, each migration is made once, and settings of the connection stay as they are."""
    path = load(f"older/{name}.sql", tmp_path / "old.db")
    code = (
        "from engine.storage.seat_links import SeatLinks\n"
        "print('ready', flush=True)\nsys.stdin.readline()\n"
        "with Store(args[0]) as store:\n"
        "    SeatLinks(store, store)\n"
        "    print(store.sqlite_db.execute('PRAGMA recursive_triggers').fetchone()[0])"
    )
    children = [run_child(code, path, stdin=subprocess.PIPE) for _ in range(4)]
    for process in children:
        assert process.stdout.readline() == "ready\n"
    for process in children:
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [output_of(process).strip() for process in children] == ["0"] * 4
    with Store(path) as store:
        recorded = store.sqlite_db.execute(
            "SELECT migration_set, name FROM _sqlite_migrations ORDER BY rowid"
        ).fetchall()
    for migrations in (LOG_MIGRATIONS, WEB_MIGRATIONS):
        assert [name for group, name in recorded if group == migrations.name] == list(migrations.steps)


@pytest.mark.processes
def test_concurrent_appends_of_many_processes_lose_nothing(path):
    code = (
        "with Store(args[0]) as store:\n"
        "    episodes = [claim_episode(store) for _ in range(4)]\n"
        "    for n in range(100):\n"
        "        store.append([EpisodeUpdate(e, [note(2 * n, by=args[1]), note(2 * n + 1)]) for e in episodes])\n"
    )
    with Store(path) as reader:
        before = reader.read_data_version()
        children = [run_child(code, path, name) for name in range(3)]
        followed: dict[str, list[Event]] = {}
        running = True
        while running:
            running = any(process.poll() is None for process in children)
            for row in reader.episodes():
                events = followed.setdefault(row.id, [])
                events += reader.events(row.id, after_number=len(events) - 1)
        for process in children:
            output_of(process)
        assert reader.read_data_version() != before
        assert len(followed) == 3 * 4
        for episode, events in followed.items():
            assert [event.n for event in events] == list(range(200))
            assert reader.events(episode) == events


@pytest.mark.parametrize("acknowledged", [1, 7, 40, 101, 160])
def test_acknowledged_events_survive_kill_9(path, acknowledged):
    code = (
        "store = Store(args[0])\n"
        "episode = claim_episode(store)\n"
        "print(episode, flush=True)\n"
        "for n in range(0, 10**9, 3):\n"
        "    store.append([EpisodeUpdate(episode, [note(n + k, text='x' * 500) for k in range(3)])])\n"
        "    print(n + 2, flush=True)\n"
    )
    process = run_child(code, path)
    episode = process.stdout.readline().strip()
    last = 0
    for _ in range(acknowledged):
        last = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Store(path) as store:
        events = store.events(episode)
        assert [event.n for event in events] == list(range(len(events)))
        assert len(events) >= last + 1
        assert len(events) % 3 == 0  # an update is stored completely or not at all
        assert not store.find_integrity_faults()
        assert store.acquire_lease(episode)
        store.append([EpisodeUpdate(episode, [note(len(events))])])


# ------------------------------------------------------------------ files of other versions, and unusable paths
def test_migrations_are_recorded_and_a_newer_file_is_refused(path):
    with Store(path) as store:
        episode = claim_episode(store)
        assert "m001_events" in LOG_MIGRATIONS.list_applied_migrations(store.sqlite_db)
        store.sqlite_db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('ludens.log', 'm999_later', 'now')"
        )
    with pytest.raises(NewerDatabase) as caught:
        Store(path)
    for word in (str(path), "m999_later", "update Ludens", "--db"):
        assert word in str(caught.value)
    with sqlite3.connect(path) as conn:  # refused and left unchanged
        assert conn.execute("SELECT id FROM episode").fetchall() == [(episode,)]
    conn.close()


def test_an_older_file_is_migrated(path):
    """A file keeps its content when a later Ludens adds a migration; then the present Ludens refuses it."""
    with Store(path) as store:
        episode = claim_episode(store)
        store.append([EpisodeUpdate(episode, [note(0)])])
    later = Migrations("ludens.log")
    later.steps |= LOG_MIGRATIONS.steps

    @later.step
    def m999_later(conn) -> None:
        conn.execute("ALTER TABLE episode ADD COLUMN later TEXT")

    with Store(path) as store:
        store.migrate(later)
        store.migrate(later)
        assert store.events(episode) == [note(0)]
        assert store.sqlite_db.execute("SELECT later FROM episode").fetchall() == [(None,)]
    with pytest.raises(NewerDatabase, match="m999_later"):
        Store(path)


@pytest.mark.parametrize("problem", ["a folder", "no database", "no right to write"])
def test_a_path_that_cannot_be_opened_is_named(tmp_path, problem):
    path = tmp_path / "there"
    if problem == "a folder":
        path.mkdir()
    elif problem == "no database":
        path.write_text("This is a shopping list, and long enough to be looked at. " * 40)
    else:
        path = Path("/proc/ludens.db")
    with pytest.raises(StoreError, match=re.escape(str(path))):
        Store(path)


def test_secrets_are_created_once(path):
    with Store(path) as one, Store(path) as other:
        assert one.read_secret("cookie") == other.read_secret("cookie") != one.read_secret("links")
        assert len(one.read_secret("cookie")) == 64


# ------------------------------------------------------------------ nothing depends on the order of sets
@pytest.mark.processes
def test_a_log_does_not_depend_on_the_hash_seed():
    code = (
        "from tests.engine.test_master import GAMES, play_out\n"
        "from tests.engine.small_games import Council\n"
        "from engine.core.events import to_json\n"
        "for game, instance, answer in GAMES:\n"
        "    print(to_json([[e.kind, e.seat, e.data] for e in play_out(game, answer, instance=instance)]))\n"
        "for seed in range(20):\n"
        "    tied = lambda s, a, f: 'VOTE: ' + f['inner']['options'][a % 2]\n"
        "    print(to_json([[e.kind, e.seat, e.data] for e in play_out(Council(), tied, run_seed=seed)]))\n"
    )
    outs = {
        output_of(run_child(code, env={**os.environ, "PYTHONHASHSEED": seed})) for seed in ("0", "1", "4711", "random")
    }
    assert len(outs) == 1
    assert len(next(iter(outs)).splitlines()) == 24
    assert Council.seats
