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
from engine.formats.writer import format_iso_time
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
    assert len(importable.episode_folders) == 2
    [error] = importable.unreadable_files
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


def test_a_pipe_is_named_and_not_waited_for(runs):
    names = ("interactions.json", "instance.json", "scores.json")
    for name in names:
        episode = write_episode(runs / "pipes" / name / "episode_0")
        (episode / name).unlink()
        os.mkfifo(episode / name)
    message = import_and_count(runs, 2).err
    assert all(f"{name}/episode_0/{name}: not a regular file" in message for name in names)


def test_a_pipe_as_the_file_to_import_is_named(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    message = ludens("import", "clembench", "pipe.json", "--db", "log.db", folder=tmp_path, code=1).err
    assert "pipe.json: neither a regular file nor a folder" in message


# ---------------------------------------------------------------------- INDEX.jsonl
INDEX_LINES = {
    "{": "it is not a JSON object",
    "7": "it is not a JSON object",
    "{}": 'the key "dir" is missing',
    '{"dir": "x", "source_path": 7}': "source_path is 7, where a text was expected",
    '{"dir": ["x"]}': "dir is ['x'], where a text was expected",
}


def test_a_damaged_line_of_the_index_is_named_and_the_others_count(runs):
    good_line = {"dir": "m--m/referencegame/0_rows/episode_0", "source_path": "n-t0.5--n-t0.5/g/3_named/episode_7"}
    (runs / "INDEX.jsonl").write_text("\n".join([*INDEX_LINES, json.dumps(good_line)]))
    message = import_and_count(runs, 2).err
    for number, fault in enumerate(INDEX_LINES.values(), 1):
        assert f"INDEX.jsonl: line {number}: {fault}: the line is not used; correct it" in message
    experiments = query(runs.parent / "log.db", "SELECT DISTINCT experiment FROM episode ORDER BY 1")
    assert experiments == [("clembench-named",), ("clembench-rows",)]


def test_an_index_that_is_no_file_is_named(runs):
    os.mkfifo(runs / "INDEX.jsonl")
    assert "INDEX.jsonl: not a regular file" in import_and_count(runs, 2).err


# ---------------------------------------------------------------------- records and scores
def reply(content: object) -> Callable[[dict], object]:
    return lambda data: data["turns"][0][3]["action"].update(content=content)


def time(timestamp: object) -> Callable[[dict], object]:
    return lambda data: data["turns"][0][1].update(timestamp=timestamp)


def score(**scores: object) -> Callable[[dict], object]:
    return lambda data: data.update({"episode scores": {"Main Score": 100} | scores})


RECORD, SCORES, INSTANCE = "interactions.json", "scores.json", "instance.json"
REPLY = "turn 1, action 4: the reply of Player 2 has the content"
DAMAGED: dict[str, tuple[str, Callable[[dict], object], str]] = {
    "null as reply": (RECORD, reply(None), f"{REPLY} null, where a text was expected: correct it"),
    "a number as reply": (RECORD, reply(7), f"{REPLY} 7, where a text was expected: correct it"),
    "a truth value as reply": (RECORD, reply(True), f"{REPLY} true, where"),
    "a list as reply": (RECORD, reply(["a"]), f'{REPLY} ["a"], where'),
    "no time": (RECORD, time("yesterday"), "turn 1, action 2: the timestamp is 'yesterday'"),
    "a time after 9999": (RECORD, time("9999-12-31T23:59:59-05:00"), "the timestamp is '9999-12-31T23:59:59-05:00'"),
    "a number as time": (RECORD, time(7), "the timestamp is 7, where a time as in"),
    "a number as turn": (RECORD, lambda data: data["turns"].append(7), "turn 2: a list of actions was expected"),
    "a text as action": (
        RECORD,
        lambda data: data["turns"][0].append("x"),
        "turn 1, action 5: an object with from, to",
    ),
    "no sender": (RECORD, lambda data: data["turns"][0][2].pop("from"), "turn 1, action 3: the key 'from' is missing"),
    "a number as sender": (RECORD, lambda data: data["turns"][0][2].update({"from": 7}), "turn 1, action 3: from is 7"),
    "a list of players": (RECORD, lambda data: data.update(players=[1]), "a value has another type"),
    "no turns": (RECORD, lambda data: data.pop("turns"), "the key 'turns' is missing"),
    "no last reply": (
        RECORD,
        lambda data: data["turns"][0].pop(),
        "end before the game does: fetch the complete record",
    ),
    "one player": (RECORD, lambda data: data["players"].pop("Player 2"), "needs 2 players that are models or people"),
    "no target": (INSTANCE, lambda data: data.pop("target_grid_name"), "the key 'target_grid_name' is missing"),
    "a number as grid": (INSTANCE, lambda data: data.update(player_2_first_grid=7), "a value has another type or form"),
    "a number as pattern": (
        INSTANCE,
        lambda data: data.update(player_1_response_pattern=7),
        "cannot be played: a value has another type",
    ),
    "another game": (INSTANCE, lambda data: [data.pop(key) for key in list(data)], "an instance of none of our games"),
    "a huge score": (SCORES, score(**{"Main Score": 10**400}), 'the score "Main Score" is a number of 401 digits'),
    "a text as score": (SCORES, score(**{"Main Score": "abc"}), "the score \"Main Score\" is 'abc', where a number"),
    "an infinite score": (SCORES, score(**{"Main Score": float("inf")}), 'the score "Main Score" is inf'),
    "a text as another score": (SCORES, score(Success="abc"), "the score \"Success\" is 'abc'"),
    "a list as score": (SCORES, score(Success=[1]), 'the score "Success" is [1]'),
    "a list of scores": (SCORES, lambda data: data.update({"episode scores": [1]}), '"episode scores" is [1], where'),
    "a list of turns": (
        SCORES,
        lambda data: data.update({"turn scores": [1]}),
        '"turn scores" is [1], where an object',
    ),
    "a number as turn's scores": (
        SCORES,
        lambda data: data["turn scores"].update({"0": 7}),
        "the score of turn 0 is 7",
    ),
}
"""What is wrong: the file, how it is altered, and a part of the message."""
IMPORTED = {
    "NaN as main score": (SCORES, score(**{"Main Score": float("nan")})),
    "null as main score": (SCORES, score(**{"Main Score": None})),
    "null as turn scores": (SCORES, lambda data: data.update({"turn scores": None})),
    "the last microsecond": (RECORD, time("9999-12-31T23:59:59.999999")),
}
"""What is unusual and can be read."""


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> Path:
    """Return a folder with the report of one import of all these episodes, and the log."""
    folder = tmp_path_factory.mktemp("many")
    for name, (file, alter, *_) in (DAMAGED | IMPORTED).items():
        episode = write_episode(folder / "runs" / name / "episode_0", f"Expression: {name}")
        change(episode / file, alter)
    words = ("import", "clembench", "runs", "--db", "log.db", "--to", "i", "--format", "json")
    report = ludens(*words, folder=folder, code=1)
    assert f"{len(DAMAGED)} could not be read; everything else is imported" in report.err
    (folder / "report.json").write_text(report.out)
    return folder


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_named_with_the_place(many, name):
    file, _, words = DAMAGED[name]
    unreadable = json.loads((many / "report.json").read_text())["unreadable"]
    [why] = [entry["why"] for entry in unreadable if f"/{name}/" in entry["source"]]
    assert words in why and (file in why or name == "another game")
    assert "Error" not in why and "NoneType" not in why


def test_null_nan_and_the_last_microsecond_are_imported(many):
    episodes = json.loads((many / "report.json").read_text())["episodes"]
    scores = {episode["source"].partition("/")[0]: episode["published_main_score"] for episode in episodes}
    expected = dict.fromkeys(IMPORTED, 100) | {"NaN as main score": None, "null as main score": None}
    assert scores == expected


@pytest.mark.parametrize("format", ["csv", "psych-ds", "clembench"])
def test_the_last_microsecond_of_the_last_year_can_be_exported(many, format):
    ludens("export", format, "--format", format, "--db", "log.db", folder=many)
    assert query(many / "log.db", "SELECT max(time) FROM event") == [(253402300799999,)]


def test_a_time_after_the_year_9999_in_a_log_is_exported_as_the_last_one():
    assert format_iso_time(253402300800000).startswith("9999-12-31T23:59:59.99")


# ---------------------------------------------------------------------- instance files
def test_an_unknown_entry_of_an_instance_file_is_named_and_the_others_are_imported(tmp_path):
    damaged_entry = {**ENTRY, "target_grid_name": "nowhere"}
    instances = [{**ENTRY, "game_id": 0}, {"game_id": 1, "word": "x"}, 7, {**damaged_entry, "game_id": 3}]
    experiments = [{"name": "rows", "game_instances": instances}, {"name": "a\tb", "game_instances": [ENTRY]}, 7]
    write(tmp_path / "instances.json", {"experiments": [*experiments, {"name": "cols", "game_instances": [ENTRY]}]})
    words = ("import", "clembench", "instances.json", "--to", "own", "--format", "json")
    result = ludens(*words, folder=tmp_path, code=1)
    [report] = result.json()["instances"]
    assert report["experiments"] == {"clembench-rows": 1, "clembench-cols": 1}
    reasons = "\n".join(entry["why"] for entry in result.json()["unreadable"])
    assert "instances.json: rows, entry 2 (game_id 1): an instance of none of our games" in reasons
    assert "instances.json: rows, entry 3: an object was expected" in reasons
    assert "instances.json: experiment 2: the experiment's name 'a\\tb' cannot be imported" in reasons
    assert "instances.json: experiment 3: an object with game_instances was expected" in reasons
    assert len(result.json()["unreadable"]) == 5 and "Error" not in result.err


def test_an_instance_file_of_another_game_is_one_message(tmp_path):
    entries = [{"game_id": number, "word": "x"} for number in range(5)]
    write(tmp_path / "instances.json", {"experiments": [{"name": "words", "game_instances": entries}]})
    result = ludens("import", "clembench", "instances.json", "--to", "own", folder=tmp_path, code=1)
    assert result.err.count("an instance of none of our games") == 1
