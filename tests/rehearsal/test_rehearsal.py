"""Rehearsals of studies: nobody is lost, nothing is asked twice and cells are exact, also when the server is killed."""

import json
import random
import tomllib
from pathlib import Path

import pytest

from cli.study.rehearsal.form_filling import fill_form
from cli.study.rehearsal.study_copy import format_toml
from tests.cli.terminal import ludens
from tests.golden import surface_loaders

FOLDER = Path(__file__).parent
EXAMPLES = FOLDER.parents[1] / "docs" / "studies"
STATES = {"waiting", "declined", "screened_out", "turned_away", "playing", "completed", "withdrawn", "left"}


def simulate(folder, study, *words, code=0):
    return ludens("study", "simulate", study, "--seed", 0, *words, folder=folder, code=code)


@pytest.mark.slow
def test_participants_of_a_server_that_is_killed_finish_and_cells_are_exact(tmp_path):
    words = ("--participants", 12, "--kills", 1, "--db", "log.db", "--format", "json")
    report = simulate(tmp_path, FOLDER / "alone.toml", *words).json()
    assert (report["participants"], report["errors"], report["kills"]) == (12, 0, 1), report["messages"]
    assert report["cells_exact"] and report["page_p95_ms"] > 0 and report["move_p95_ms"] > 0
    states = report["states"]
    assert set(states) == STATES and sum(states.values()) == 12
    assert [states[name] for name in ("declined", "screened_out", "left", "withdrawn", "playing")] == [1, 1, 1, 2, 0]
    status = ludens("study", "status", "rehearsal-alone", "--db", "log.db", "--format", "json", folder=tmp_path).json()
    assert {name: status[name] for name in states} == states
    again = simulate(tmp_path, FOLDER / "alone.toml", "--db", "log.db", code=2)
    assert "has participants of rehearsal-alone" in again.err


@pytest.mark.slow
def test_pairs_play_with_each_other_until_the_study_is_full(tmp_path):
    text = (FOLDER / "pairs.toml").read_text(encoding="utf-8")
    text = text.replace("reference/text", "reference/text/rows").replace("people = 2", "people = 1")
    file = tmp_path / "pairs.toml"
    file.write_text(text.replace("count = 4", "count = 2").replace("seconds = 20", "seconds = 5"), encoding="utf-8")
    report = simulate(tmp_path, file, "--participants", 9, "--arrivals", 5, "--format", "json").json()
    assert (report["errors"], report["cells_exact"]) == (0, True), report["messages"]
    assert report["games_done"] > 0


@pytest.mark.slow
def test_a_model_is_replaced_and_never_called(tmp_path):
    text = (EXAMPLES / "matchit-model.toml").read_text(encoding="utf-8")
    file = tmp_path / "study.toml"
    text = text.replace('B = "scripted"', 'B = "openai/gpt-5"').replace("matchit/picture", "matchit/text")
    file.write_text(text.replace('disclosure = ""', 'disclosure = "OpenAI"'), encoding="utf-8")
    done = simulate(tmp_path, file, "--participants", 2)
    assert "scripted plays in place of openai/gpt-5, which is not called" in done.err
    assert "cells exact:  yes" in done.out and "errors:       0" in done.out


def test_a_rehearsal_refuses_a_log_with_games(tmp_path):
    ludens("run", "matchit/text/same", "--limit", 1, "--seat", "all=random", "--db", "log.db", "--yes", folder=tmp_path)
    assert "has games" in simulate(tmp_path, FOLDER / "alone.toml", "--db", "log.db", code=2).err
    assert "no pace 'slow'" in simulate(tmp_path, FOLDER / "alone.toml", "--pace", "slow", code=2).err


FORMATS = sorted((FOLDER.parent / "golden" / "surface" / "reply_formats").glob("*.json"))


@pytest.mark.parametrize("file", FORMATS, ids=lambda file: file.stem)
def test_forms_of_all_games_are_filled_in_as_they_ask(file):
    rng = random.Random(1)
    for described in json.loads(file.read_text(encoding="utf-8")):
        reply_format = surface_loaders.rebuild_format(described["declaration"])
        for _ in range(20):
            reply_format.parse(reply_format.compose_reply(fill_form(described["form"], rng)))


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_a_study_file_is_written_as_it_was_read(file):
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    assert tomllib.loads(format_toml(data)) == data
    odd = {"text": 'quote " and \\ and \n and \x7f and é', "list": [1, 2.5, True], "table": {"a b": []}}
    assert tomllib.loads(format_toml(odd)) == odd
