"""Import of damaged folders of clembench: what cannot be read is named in a sentence, the rest is imported, exit 1.

Every folder is made here: one good episode, and one that is damaged in one way.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.formats.clembench import files
from tests.cli.terminal import CommandResult, ludens, query

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = json.loads((ROOT / "tests" / "golden" / "clembench" / "referencegame.json").read_text(encoding="utf-8"))
ENTRY = ENTRIES["experiments"][0]["game_instances"][0]


def action(sender: str, recipient: str, kind: str, content: object, time: str = "2024-06-01T12:00:00") -> dict:
    return {"from": sender, "to": recipient, "timestamp": time, "action": {"type": kind, "content": content}}


def write_episode(folder: Path, expression: str = "Expression: the upper row is full") -> Path:
    """Write an episode of the reference game as clembench writes it."""
    folder.mkdir(parents=True)
    turn = [
        action("GM", "Player 1", "send message", ENTRY["player_1_prompt_header"]),
        action("Player 1", "GM", "get message", expression),
        action("GM", "Player 2", "send message", f"Which one?\n{expression}"),
        action("Player 2", "GM", "get message", "Answer: first"),
    ]
    players = {"GM": "Game master", "Player 1": "Speaker, some-model", "Player 2": "Listener, some-model"}
    write(folder / "interactions.json", {"players": players, "turns": [turn]})
    write(folder / "instance.json", ENTRY)
    write(folder / "scores.json", {"turn scores": {}, "episode scores": {"Main Score": 100, "Success": 1}})
    return folder


def write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def change(path: Path, alter: Callable[[dict], object]) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    alter(content)
    write(path, content)


@pytest.fixture
def runs(tmp_path) -> Path:
    """Return a folder with two good episodes."""
    write_episode(tmp_path / "runs" / "m--m" / "referencegame" / "0_rows" / "episode_0")
    write_episode(tmp_path / "runs" / "m--m" / "referencegame" / "0_rows" / "episode_1", "Expression: the upper one")
    return tmp_path / "runs"


def damaged(runs: Path) -> Path:
    return runs / "m--m" / "referencegame" / "0_rows" / "episode_1"


def import_and_count(runs: Path, episodes: int = 1) -> CommandResult:
    """Import a folder in which something is left out, and check how many episodes are in the log."""
    result = ludens("import", "clembench", "runs", "--db", "log.db", "--to", "i", folder=runs.parent, code=1)
    assert query(runs.parent / "log.db", "SELECT count(*) FROM episode") == [(episodes,)]
    assert "everything else is imported" in result.err and "Error" not in result.err
    return result


def test_undamaged_folders_are_imported(runs):
    ludens("import", "clembench", "runs", "--db", "log.db", "--to", "i", folder=runs.parent)
    assert query(runs.parent / "log.db", "SELECT count(*) FROM episode") == [(2,)]


# ---------------------------------------------------------------------- folders and links
def test_a_folder_without_read_permission_is_named(runs, monkeypatch):
    locked, scan = str(runs / "locked"), os.scandir
    (runs / "locked").mkdir()

    def refuse(path):
        if str(path) == locked:
            raise PermissionError(13, "Permission denied", locked)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)  # root may read everything, so no mode refuses it
    importable = files.find_files(runs)
    assert len(importable.episodes) == 2
    [error] = importable.unreadable
    assert str(error) == (
        f"{locked}: the folder cannot be read (Permission denied): allow reading it, and import it again"
    )


def test_a_link_to_a_folder_elsewhere_is_named(runs):
    shutil.move(damaged(runs), runs.parent / "elsewhere")
    damaged(runs).symlink_to(runs.parent / "elsewhere", target_is_directory=True)
    message = import_and_count(runs).err
    assert "episode_1: a link to the folder" in message and "elsewhere" in message and "import that folder" in message


def test_a_link_to_a_folder_that_is_imported_anyway_loses_nothing(runs):
    (runs / "again").symlink_to(damaged(runs), target_is_directory=True)
    ludens("import", "clembench", "runs", "--db", "log.db", "--to", "i", folder=runs.parent)


def test_a_dangling_link_is_named(runs):
    (damaged(runs) / "interactions.json").unlink()
    (damaged(runs) / "interactions.json").symlink_to("gone.json")
    message = import_and_count(runs).err
    assert "interactions.json: a link to gone.json, which does not exist: correct or delete the link" in message


@pytest.mark.parametrize("name", ["interactions.json", "instance.json", "scores.json"])
def test_a_pipe_is_named_and_not_waited_for(runs, name):
    (damaged(runs) / name).unlink()
    os.mkfifo(damaged(runs) / name)
    assert f"episode_1/{name}: not a regular file" in import_and_count(runs).err


def test_a_pipe_as_the_file_to_import_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    message = ludens("import", "clembench", "pipe.json", "--db", "log.db", folder=tmp_path, code=1).err
    assert "pipe.json: neither a regular file nor a folder" in message


# ---------------------------------------------------------------------- INDEX.jsonl
@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "it is not a JSON object"),
        ("7", "it is not a JSON object"),
        ("{}", 'the key "dir" is missing'),
        ('{"dir": "x", "source_path": 7}', "source_path is 7, where a text was expected"),
        ('{"dir": ["x"]}', "dir is ['x'], where a text was expected"),
    ],
)
def test_a_damaged_line_of_the_index_is_named_and_the_others_count(runs, line, fault):
    good_line = {"dir": "m--m/referencegame/0_rows/episode_0", "source_path": "n-t0.5--n-t0.5/g/3_named/episode_7"}
    (runs / "INDEX.jsonl").write_text(f"{line}\n{json.dumps(good_line)}\n")
    assert f"INDEX.jsonl: line 1: {fault}: the line is not used; correct it" in import_and_count(runs, 2).err
    experiments = query(runs.parent / "log.db", "SELECT DISTINCT experiment FROM episode ORDER BY 1")
    assert experiments == [("clembench-named",), ("clembench-rows",)]


def test_an_index_that_is_no_file_is_named(runs):
    os.mkfifo(runs / "INDEX.jsonl")
    assert "INDEX.jsonl: not a regular file" in import_and_count(runs, 2).err
