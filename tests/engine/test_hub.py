"""Parquet files for the hub: what pyarrow writes and `datasets` reads back, with pictures and participant keys."""

import io
import json
import os
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from engine.formats.export import export_episodes
from engine.formats.hub import MEANING_BY_COLUMN, REPLY_COLUMN_TYPES
from engine.formats.writer import ExportOptions
from engine.play.plans import read_ludens_version
from engine.play.registry import Registry
from engine.storage.seat_links import SeatLinks
from engine.storage.store import Store
from tests.cli.terminal import LUDENS, ludens
from tests.people import seated

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
NEEDS_HUB = "needs the extra test-hub (make test-extras): pyarrow and datasets"


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    """Return a log with pictures, sides, a refused reply, an odd character, and two games of one person."""
    folder = tmp_path_factory.mktemp("log")
    games = ("reference/picture/rooms", "spyfall/words/given", "mapworld/g2x-picture/on")
    ludens("run", *games, "--seat", "all=scripted", "--limit", "1", "--db", "log.db", folder=folder)
    (folder / "odd.txt").write_text("Expression: an odd one\nnonsense\n")
    words = ("reference/text/rows", "--seat", "speaker=scripted", "--seat", "listener=lines/odd.txt", "--reprompt", "1")
    ludens("run", *words, "--limit", "1", "--db", "log.db", folder=folder)
    ludens("run", "matchit/text/same", "--seat", "all=scripted", "--limit", "2", "--db", "log.db", folder=folder)
    with Store(folder / "log.db") as store:
        rows = store.episodes(game="matchit")
        links = SeatLinks(store, store)
        for at, row in enumerate(rows, 1000):
            links.open_table(seated(store, row.id, at), "browser", ["A"], "A", 0.0, row.instance_hash)
        since = "(SELECT created FROM episode JOIN seat ON seat.episode = id WHERE seat.pid = holder.pid)"
        store.sqlite_db.execute(f"UPDATE holder SET since = {since}")
    return folder / "log.db"


@pytest.fixture(scope="module")
def folder(db, tmp_path_factory) -> Path:
    pytest.importorskip("pyarrow", reason=NEEDS_HUB)
    folder = tmp_path_factory.mktemp("export") / "hf"
    folder.mkdir()
    with Store(db) as store:
        options = ExportOptions(people=True)
        metadata = export_episodes(store, REGISTRY, folder, "hf", options, read_ludens_version())
    assert metadata["left_out"] == {} and metadata["written"]["episodes"] == metadata["episodes"] == 8
    return folder


def test_datasets_loads_replies_and_episodes_from_the_folder(folder, db, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets", reason=NEEDS_HUB)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    replies = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path))
    episodes = datasets.load_dataset(str(folder), "episodes", split="train", cache_dir=str(tmp_path))
    assert replies.column_names == list(REPLY_COLUMN_TYPES)
    with Store(db) as store:
        rows = list(store.iterate_episodes())
        reply_count = sum(event.kind == "reply" for row in rows for event in store.events(row.id))
    assert (len(episodes), len(replies)) == (len(rows), reply_count)
    shown = [row for row in replies if row["game"] == "reference" and row["variant"] == "picture"]
    assert [len(row["pictures"]) for row in shown] == [3, 3] and shown[0]["pictures"][0].size[0] > 100
    assert shown[0]["main_score"] == shown[1]["main_score"] is not None
    assert {row["side_score"] for row in replies if row["game"] == "spyfall"} == {0, 100}


def test_the_files_have_the_replies_as_they_were_and_who_wrote_them(folder):
    parquet = pytest.importorskip("pyarrow.parquet", reason=NEEDS_HUB)
    rows = parquet.read_table(folder / "data/replies.parquet").to_pylist()
    refused = [row for row in rows if not row["accepted"]]
    assert refused and all(row["fault"] and row["word_count"] is None for row in refused)
    people = [row for row in rows if row["player"] == "person"]
    [key] = {row["participant"] for row in people}
    assert key.startswith("p") and len({row["episode"] for row in people}) == 2
    assert {row["participant"] for row in rows if row["player"] != "person"} == {None}
    walk = next(row for row in rows if row["game"] == "mapworld")
    assert Image.open(io.BytesIO(walk["pictures"][0]["bytes"])).size and "Find a" in walk["said"]
    episodes = parquet.read_table(folder / "data/episodes.parquet").to_pylist()
    assert {episode["episode"] for episode in episodes} == {row["episode"] for row in rows}
    assert all(json.loads(episode["scores"])["requests"] for episode in episodes)
    card = (folder / "README.md").read_text()
    assert all(f"| `{name}` | {MEANING_BY_COLUMN[name]} |" in card for name in REPLY_COLUMN_TYPES)


def test_without_pyarrow_the_command_says_what_to_install(db, tmp_path):
    (tmp_path / "pyarrow.py").write_text("raise ImportError")
    done = subprocess.run(
        [LUDENS, "export", "out", "--format", "hf", "--db", db], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "ludens: --format hf needs pyarrow: pip install 'ludens[hub]'\n")
    assert not (tmp_path / "out").exists()
