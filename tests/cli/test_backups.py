"""Copies of the log while a server runs, and putting one back."""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from engine.storage.backups import list_backups, write_backup
from engine.storage.database import StoreError
from engine.storage.store import Store
from tests.serving import run_command
from tests.ui.guests import Guest


def ludens(*arguments) -> subprocess.CompletedProcess:
    return run_command(*arguments)


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    """A log with a few episodes."""
    db = tmp_path_factory.mktemp("log") / "ludens.db"
    seats = ["--seat", "A=scripted", "--seat", "B=random"]
    done = ludens("run", "matchit/text/same", *seats, "--limit", "2", "--db", db, "--yes")
    assert done.returncode == 0, done.stderr
    return db


@pytest.fixture
def db(log, tmp_path) -> Path:
    return Path(shutil.copy(log, tmp_path / "ludens.db"))


def episodes(db: Path) -> int:
    with Store(db) as store:
        return len(store.episodes())


def test_a_server_copies_its_log_while_people_play(server, tmp_path):
    folder = tmp_path / "copies"
    house = server(None, None, "--backup-every", "1s", "--backup-to", str(folder), "--backup-keep", "2")
    with Guest(house.url) as guest, guest.seat(guest.sit()) as seat:
        asked = seat.reply("a ring")
        assert asked
        written: set[Path] = set()
        while len(written) < 4 or not any(map(has_reply, list_backups(folder))):
            written |= set(list_backups(folder))
        assert len(list_backups(folder)) <= 3  # a third one for a moment
    newest = list_backups(folder)[-1]
    assert newest.stat().st_mode & 0o077 == 0
    house.kill()
    restored = ludens("db", "restore", str(newest), "--db", str(tmp_path / "new" / "ludens.db"))
    assert restored.returncode == 0, restored.stderr
    assert ludens("db", "check", "--replay", "--db", str(tmp_path / "new" / "ludens.db")).returncode == 0


def has_reply(copy: Path) -> bool:
    try:
        with sqlite3.connect(copy) as conn:
            return conn.execute("SELECT COUNT(*) FROM event WHERE kind = 'reply'").fetchone()[0] > 0
    except sqlite3.Error:
        return False  # it was rotated away


def test_a_copy_is_whole_or_not_there(db, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "ludens-2020.db.partial").write_text("left by a crash")
    paths = [write_backup(db, folder, kept_backup_count=2) for _ in range(3)]
    assert list_backups(folder) == paths[1:] and sorted(os.listdir(folder)) == [path.name for path in paths[1:]]
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"this is no database " * 1000)
    with pytest.raises((sqlite3.Error, StoreError)):
        write_backup(damaged, folder, kept_backup_count=1)
    assert list_backups(folder) == paths[1:], "a failure removes no earlier copy"


def test_restoring_keeps_the_old_log(db, tmp_path):
    copy = write_backup(db, tmp_path / "copies", kept_backup_count=1)
    fresh = tmp_path / "fresh.db"
    with Store(fresh):
        pass
    done = ludens("db", "restore", str(copy), "--db", str(fresh))
    assert done.returncode == 0 and "kept as" in done.stderr, done.stderr
    assert episodes(fresh) == episodes(db) == 2
    [kept] = tmp_path.glob("fresh.db.before-*")
    assert episodes(kept) == 0 and copy.exists()
    assert not list(tmp_path.glob("*.restoring*"))


@pytest.mark.parametrize("damage", ["no database", "bytes", "event", "newer", "missing"])
def test_a_backup_that_is_not_whole_replaces_nothing(db, tmp_path, damage):
    copy = write_backup(db, tmp_path / "copies", kept_backup_count=1)
    if damage == "no database":
        copy.write_bytes(b"this is no database " * 1000)
    elif damage == "bytes":
        content = bytearray(copy.read_bytes())
        content[len(content) // 2 : len(content) // 2 + 9000] = b"\xff" * 9000
        copy.write_bytes(content)
    elif damage == "missing":
        copy.unlink()
    else:
        with sqlite3.connect(copy) as conn:
            if damage == "event":
                conn.execute("DELETE FROM event WHERE n = 3")
            else:
                conn.execute("INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('log', 'm999_future')")
                conn.execute(
                    "UPDATE _sqlite_migrations SET migration_set = (SELECT migration_set FROM"
                    " _sqlite_migrations ORDER BY rowid LIMIT 1) WHERE name = 'm999_future'"
                )
    before = db.read_bytes()
    done = ludens("db", "restore", str(copy), "--db", str(db))
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr, done.stderr
    assert db.read_bytes() == before and not list(tmp_path.glob("*.before-*")) + list(tmp_path.glob("*.restoring*"))


def test_nothing_is_restored_under_a_running_server(server, db, tmp_path):
    copy = write_backup(db, tmp_path / "copies", kept_backup_count=1)
    house = server()
    refused = ludens("db", "restore", str(copy), "--db", str(house.db))
    assert refused.returncode == 1 and "in use (serve" in refused.stderr, refused.stderr
    house.stop()
    assert ludens("db", "restore", str(copy), "--db", str(house.db)).returncode == 0
    assert episodes(house.db) == 2
    house.start()


def test_a_log_that_cannot_be_read_is_replaced_and_kept(db, tmp_path):
    copy = write_backup(db, tmp_path / "copies", kept_backup_count=1)
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database " * 1000)
    done = ludens("db", "restore", str(copy), "--db", str(broken))
    assert done.returncode == 0, done.stderr
    assert episodes(broken) == 2 and next(tmp_path.glob("broken.db.before-*")).read_bytes().startswith(b"this is")


@pytest.mark.parametrize(
    "options",
    [("--backup-every", "15m"), ("--backup-to", "copies"), ("--backup-every", "soon", "--backup-to", "copies")],
)
def test_backups_that_cannot_be_are_said_at_the_start(tmp_path, options):
    done = run_command("serve", "--db", tmp_path / "x.db", *options, folder=tmp_path)
    assert done.returncode in (1, 2) and "backup" in done.stderr and "Traceback" not in done.stderr
