"""How a study deals its games: orders of experiments, and what a study file may ask for."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.registry import Registry
from engine.studies.cells import build_cells, list_single_game_experiments, make_latin_square
from engine.studies.study_file import BadStudy, parse_study
from tests.conftest import ROOT


@given(st.integers(1, 12))
def test_every_condition_is_at_every_place_and_follows_every_other_equally_often(count):
    rows = make_latin_square(count)
    assert len(rows) == (count if count % 2 == 0 else 2 * count)
    assert all(sorted(row) == list(range(count)) for row in rows)
    places = Counter(place for row in rows for place in enumerate(row))
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(places) == count**2 and len(set(places.values())) == 1
    assert len(follows) == count * (count - 1) and len(set(follows.values())) <= 1


@pytest.mark.parametrize(
    ("example", "changes", "message"),
    [
        ("matchit-model", [("count = 10", 'count = 10\norder = "latin_square"')], "the experiment often is the answer"),
        ("matchit-model", [("count = 10", 'count = 10\norder = "blocks"')], "the experiment often is the answer"),
        ("mapworld-alone", [("count = 5", 'count = 4\norder = "latin_square"')], "needs a multiple of"),
        ("mapworld-alone", [("count = 5", "count = 5\npractice = 9")], "games.practice"),
        (
            "reference-pairs",
            [
                ("count = 4", 'count = 4\norder = "latin_square"'),
                ("[[games.deals]]", '[[games.deals]]\nselection = "reference/picture/objects"\n'
                 'seats = { speaker = "participant", listener = "participant" }\n\n[[games.deals]]'),
            ],
            "cannot be a Latin square",
        ),
        (
            "reference-pairs",
            [
                ("count = 4", 'count = 4\norder = "latin_square"'),
                ("[[games.deals]]", '[[games.deals]]\nselection = "reference/picture/rooms-static"\n'
                 'seats = { speaker = "scripted", listener = "participant" }\n\n[[games.deals]]'),
                ('speaker = "participant"', 'speaker = "scripted"'),
            ],
            "one game of each experiment, 2 in all",
        ),
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_dealt_is_refused(example, changes, message):
    text = Path(ROOT / "docs" / "studies" / f"{example}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(BadStudy, match=message):
        build_cells(parse_study(text, "study.toml"), Registry(ROOT))


def test_experiments_whose_instances_all_have_the_same_target_are_named():
    text = Path(ROOT / "docs" / "studies" / "reference-pairs.toml").read_text(encoding="utf-8")
    study = parse_study(text.replace("reference/picture/everyday", "reference/picture"), "study.toml")
    single_game_experiments = list_single_game_experiments(build_cells(study, Registry(ROOT)))
    assert single_game_experiments == [f"reference/picture/{name}-static" for name in ("rooms", "everyday", "objects")]


def test_the_target_of_an_imported_reference_game_is_met_once_and_its_distractors_may_return():
    game = Registry(ROOT).game("reference")
    triple = {"kind": "imported", "thing": "grid", "target": "X", "distractors": ["Y", "Z"], "listener": [0, 1, 2]}
    exchanged = triple | {"target": "Y", "distractors": ["X", "Z"]}
    reordered = triple | {"distractors": ["Z", "Y"]}
    assert set(game.stimuli(triple)) == set(game.stimuli(reordered)) != set(game.stimuli(exchanged))
    assert not set(game.stimuli(triple)) & set(game.stimuli(exchanged))
