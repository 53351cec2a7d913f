"""`ludens search`: texts with their episodes, in three formats, without control characters, and clear refusals."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.events import Kind
from engine.core.start import EpisodeStart
from engine.storage.ids import make_id
from engine.storage.store import Store
from tests.cli.terminal import ludens

TRAP = "=cmd \x1b]0;owned\x07 cassowary \u202egnp \ud800 end"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a log of MatchIt and Ask-Guess, in which one reply has traps."""
    folder = tmp_path_factory.mktemp("search")
    words = ("--seat", "all=scripted", "--limit", 3, "--db", "log.db", "--yes")
    ludens("run", "matchit/text/same", "askguess/described", *words, folder=folder)
    with Store(folder / "log.db") as store:
        row = store.episodes(game="matchit")[0]
        begin, *log = store.events(row.id)
        at = next(number for number, event in enumerate(log) if event.kind is Kind.REPLY)
        log[at] = replace(log[at], data={**log[at].data, "text": TRAP})
        store.import_episode(
            EpisodeStart.model_validate(begin.data), [begin, *log], key=None, origin="table", episode=make_id()
        )
    return folder


def search(folder: Path, *words: object, code: int = 0):
    return ludens("search", *words, "--db", "log.db", folder=folder, code=code)


def test_a_text_is_listed_with_its_episode_and_the_way_on(folder):
    hit = search(folder, "cassowary", "--format", "json").json()["hits"][0]
    done = search(folder, "cassowary")
    assert done.out.startswith(f"{hit['episode']}  matchit/text/same/")
    assert f"  {hit['seat']} (scripted)  turn {hit['turn']}\n" in done.out and "«cassowary»" in done.out
    assert "1 text in 1 episode." in done.err and "ludens replay EPISODE" in done.err
    assert "cassowary" in ludens("replay", hit["episode"], "--db", "log.db", folder=folder).out
    assert [part["text"] for part in hit["snippet"] if part["match"]] == ["cassowary"]
    assert not any(sign in done.out for sign in "\x1b\x07\u202e\ud800")


def test_a_selection_narrows_the_search_and_a_limit_the_list(folder):
    def texts(*words: object) -> int:
        return search(folder, *words, "--format", "json").json()["texts"]

    everything = texts("the", "--prompts")
    parts = [texts("the", part, "--prompts") for part in ("matchit", "askguess/described")]
    assert min(parts) > 0 and sum(parts) == everything > texts("the")
    assert texts("the", "matchit", "askguess", "--prompts") == everything
    limited = search(folder, "the", "--prompts", "--limit", 2)
    assert len(limited.out.splitlines()) == 4 and "newest 2" in limited.err
    assert "no variant 'pictures'" in search(folder, "the", "matchit/pictures", code=2).err
    assert "no game 'chess'" in search(folder, "the", "chess", code=2).err


def test_a_spreadsheet_gets_no_formula(folder):
    def rows(*options: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(search(folder, "cassowary", "--format", "csv", *options).out)))

    [row], [raw] = rows(), rows("--raw-cells")
    assert row["snippet"].startswith("'=cmd") and raw["snippet"].startswith("=cmd")
    assert row["seats"] == "A=scripted B=scripted" and row["game"] == "matchit"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (['"', "--format", "text"], 2, "at least one letter or digit"),
        (["x " * 101], 2, "at most 200 characters"),
        (["x", "--format", "html"], 2, "there are: text, csv, json"),
        (["x", "--limit", "0"], 2, "greater than or equal to 1"),
        (["nowhere AND ("], 0, "No text has all these words"),
    ],
)
def test_what_cannot_be_searched_for_is_said(folder, words, code, message):
    assert message in search(folder, *words, code=code).err


def test_a_missing_log_and_a_foreign_index_are_named(folder, tmp_path):
    assert "no database" in ludens("search", "x", "--db", tmp_path / "none.db", folder=folder, code=1).err
    assert not list(tmp_path.iterdir())
    with Store(tmp_path / "a.db"), Store(tmp_path / "a.search.db"):
        pass
    done = ludens("search", "x", "--db", tmp_path / "a.db", folder=folder, code=1)
    assert "a.search.db should be the search index of" in done.err and "move it away" in done.err
    with Store(tmp_path / "a.search.db") as other:
        assert other.episodes() == []


def test_restoring_a_backup_discards_the_index(folder, tmp_path):
    ludens("db", "backup", tmp_path / "copy.db", "--db", "log.db", folder=folder)
    with Store(tmp_path / "new.db"):
        pass
    assert "No text" in ludens("search", "cassowary", "--db", tmp_path / "new.db", folder=folder).err
    ludens("db", "restore", tmp_path / "copy.db", "--db", tmp_path / "new.db", folder=folder)
    assert not list(tmp_path.glob("new.search.db*"))
    assert "1 text" in ludens("search", "cassowary", "--db", tmp_path / "new.db", folder=folder).err
