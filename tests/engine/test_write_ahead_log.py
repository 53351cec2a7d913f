"""What a damaged write-ahead log has lost is noticed; what crashes leave there normally is told apart from it."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from engine.core.events import Event, Kind
from engine.storage.store import EpisodeUpdate, Store
from engine.storage.write_ahead_log import FRAME_HEADER_SIZE, HEADER_SIZE, list_lost_episodes, read_write_ahead_log
from tests.engine.small_games import Guess, start
from tests.serving import run_command

FRAME = FRAME_HEADER_SIZE + 4096


@pytest.fixture
def crashed(tmp_path: Path) -> tuple[Path, list[str]]:
    """A database as a killed process leaves it: twenty episodes, all of them in the write-ahead log. With their ids."""
    ids = []
    with Store(tmp_path / "log.db") as store:
        store.empty_write_ahead_log()
        for number in range(20):
            [claim] = store.claim_episodes([(start(Guess(), {"word": "tree"}, run_seed=number), None)], origin="test")
            ids.append(claim.episode)
            begun = start(Guess(), {"word": "tree"}, run_seed=number).model_dump(mode="json")
            store.append([EpisodeUpdate(claim.episode, [Event(Kind.START, None, begun, 0, 1)])])
        for end in ("", "-wal"):
            shutil.copyfile(tmp_path / f"log.db{end}", tmp_path / f"crashed.db{end}")
    return tmp_path / "crashed.db", ids


def wal(db: Path) -> Path:
    return db.with_name(db.name + "-wal")


def frame_count(db: Path) -> int:
    return (wal(db).stat().st_size - HEADER_SIZE) // FRAME


def flip(db: Path, at: int) -> None:
    data = bytearray(wal(db).read_bytes())
    data[at] ^= 0xFF
    wal(db).write_bytes(data)


def stored(db: Path) -> set[str]:
    with closing(sqlite3.connect(db)) as conn:
        return {episode for (episode,) in conn.execute("SELECT id FROM episode JOIN event ON event.episode = row")}


def check(db: Path) -> tuple[int, str]:
    result = run_command("db", "check", "--db", db)
    return result.returncode, result.stderr


def test_a_log_left_by_a_crash_is_whole(crashed):
    db, ids = crashed
    log = read_write_ahead_log(db)
    assert (log.valid_frames, log.unfinished_frames, log.lost_frames) == (frame_count(db), 0, 0)
    code, words = check(db)
    assert code == 0
    assert "is whole: 20 episodes" in words
    assert stored(db) == set(ids)


def test_a_log_that_was_taken_over_is_whole(crashed):
    db, _ = crashed
    with Store(db) as store:
        assert store.empty_write_ahead_log()
    assert read_write_ahead_log(db).lost_frames == 0
    assert check(db)[0] == 0


def test_frames_of_an_earlier_log_at_the_end_are_normal(crashed):
    """After a checkpoint the log is written from its start with new salts; what was there before stays behind it."""
    db, ids = crashed
    with Store(db) as store:
        store.sqlite_db.execute("PRAGMA wal_checkpoint(RESTART)")
        store.append([EpisodeUpdate(ids[0], [Event(Kind.NOTE, None, {"note": "x"}, 1, 1)])])
        log = read_write_ahead_log(db)
        assert 0 < log.valid_frames < frame_count(db)
        assert (log.unfinished_frames, log.lost_frames) == (0, 0)


@pytest.mark.parametrize("where", ["header", "salt", "checksum", "page"])
def test_stored_transactions_behind_a_damaged_place_are_lost(crashed, where):
    db, ids = crashed
    place = {"header": 16, "salt": HEADER_SIZE + 5 * FRAME + 9, "checksum": HEADER_SIZE + 5 * FRAME + 17}
    flip(db, place.get(where, HEADER_SIZE + 5 * FRAME + 2000))
    log, frames = read_write_ahead_log(db), frame_count(db)
    assert log.lost_frames == frames - log.valid_frames > 0
    named = list_lost_episodes(db)
    code, words = check(db)
    assert code == 1
    assert f"{log.lost_frames} of {frames} frames" in words
    gone = set(ids) - stored(db)
    assert gone
    assert gone <= set(named)
    assert all(episode in words for episode in gone)
    assert db.with_name(f"{db.name}-wal.damaged").exists()  # the check itself has taken the log over


@pytest.mark.parametrize("kept", [10, FRAME_HEADER_SIZE + 100, FRAME - 1])
def test_a_last_frame_that_is_torn_is_told_apart(crashed, kept):
    db, ids = crashed
    wal(db).write_bytes(wal(db).read_bytes()[: -FRAME + kept] + bytes(FRAME - kept))
    log = read_write_ahead_log(db)
    assert log.lost_frames == 0
    code, words = check(db)
    assert code == 0
    assert stored(db) >= set(ids[:-1])
    assert ("was not finished" in words) == bool(log.unfinished_frames)


def test_a_transaction_without_its_end_is_no_loss(crashed):
    """As kill -9 in the middle of writing leaves it."""
    db, _ = crashed
    data = wal(db).read_bytes()
    frames = [data[HEADER_SIZE + n * FRAME :][:FRAME] for n in range(frame_count(db))]
    last = max(n for n, frame in enumerate(frames[:-1]) if frame[4:8] != bytes(4))  # the last but one commit
    if last == len(frames) - 2:
        pytest.skip("the last transaction has one frame")
    wal(db).write_bytes(data[: HEADER_SIZE + (len(frames) - 1) * FRAME])
    log = read_write_ahead_log(db)
    assert (log.valid_frames, log.lost_frames) == (last + 1, 0)
    assert log.unfinished_frames == len(frames) - 2 - last
    code, words = check(db)
    assert code == 0
    assert "was not finished" in words
