"""Ids and names from imported files have a pattern and a length; anything else is an error that says so."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import ludens


@pytest.fixture(scope="module")
def exported(tmp_path_factory) -> Path:
    """An export of ours in clembench's layout."""
    folder = tmp_path_factory.mktemp("exported")
    ludens("run", "matchit/text", "--seat", "all=random", "--limit", 1, "--db", "log.db", folder=folder)
    ludens("export", "runs", "--format", "clembench", "--db", "log.db", folder=folder)
    return folder / "runs"


BAD = {
    "an escape sequence as episode id": lambda own: own.update(episode="e\x1b[2J"),
    "a long episode id": lambda own: own.update(episode="e" * 65),
    "a path as episode id": lambda own: own.update(episode="../../etc"),
    "an odd plan key": lambda own: own.update(plan_key="a\nb"),
    "an odd origin": lambda own: own.update(origin="<b>"),
    "an experiment with a direction mark": lambda own: own["start"].update(experiment="e\u202ex"),
    "a long experiment": lambda own: own["start"].update(experiment="e" * 121),
    "an experiment with a slash": lambda own: own["start"].update(experiment="a/b"),
    "an instance id of another experiment": lambda own: own["start"].update(instance_id="matchit/text/other/0"),
    "an instance id with a control character": lambda own: own["start"].update(
        instance_id=own["start"]["instance_id"] + "\x07"
    ),
    "a player with a control character": lambda own: own["start"]["seats"].update(A="clembench/\x9bx"),
    "a long player": lambda own: own["start"]["seats"].update(A="x" * 201),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_name_is_not_imported_and_the_message_says_why(exported, tmp_path, name):
    source = min(exported.rglob("instance.json"))
    target = tmp_path / "bad" / "episode_0"
    target.mkdir(parents=True)
    for file in source.parent.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    instance = json.loads((target / "instance.json").read_text())
    BAD[name](instance["ludens"])
    (target / "instance.json").write_text(json.dumps(instance))
    result = ludens("import", "clembench", "bad", "--db", "new.db", folder=tmp_path, code=1)
    assert "cannot be imported" in result.err
    assert "must" in result.err or "allowed" in result.err


def test_a_good_one_is_imported(exported, tmp_path):
    result = ludens("import", "clembench", exported, "--db", "new.db", folder=tmp_path)
    assert "4 of them new" in result.err


def test_an_instance_file_with_a_bad_experiment_name_is_refused(tmp_path):
    (tmp_path / "instances.json").write_text(
        json.dumps({"experiments": [{"name": "\x1b[2J", "game_instances": [{"game_id": 0}]}]})
    )
    result = ludens("import", "clembench", "instances.json", "--db", "new.db", "--to", "i", folder=tmp_path, code=1)
    assert "cannot be imported" in result.err
    assert "\x1b" not in result.err
