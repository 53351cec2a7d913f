"""The instances of MatchIt: the shipped files are reproduced, and every relation is checked."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from games.common import grids, pentomino
from games.matchit import board, instances
from games.matchit.instances import EXPERIMENTS, BoardPair, GridPair, Instance, PhotoPair

ROOT = Path(__file__).resolve().parents[2]
FILES = {variant: ROOT / "instances" / "matchit" / f"{variant}.json" for variant in EXPERIMENTS}


def shipped() -> list[tuple[str, str, int, Instance]]:
    """Return every shipped instance with its variant, experiment and number."""
    found = []
    for variant, path in FILES.items():
        for experiment, entries in json.loads(path.read_text(encoding="utf-8"))["experiments"].items():
            found += [(variant, experiment, i, instances.load(entry)) for i, entry in enumerate(entries)]
    return found


@pytest.mark.parametrize("variant", EXPERIMENTS)
@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_shipped_file_is_reproduced_byte_for_byte(variant: str, hash_seed: str) -> None:
    code = "import sys; from games.matchit.instances import make_file; "
    code += f"sys.stdout.buffer.write(make_file({variant!r}).encode())"
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment, cwd="/")
    assert made.stdout == FILES[variant].read_bytes()


def test_the_shipped_experiments_are_complete_and_valid() -> None:
    found = shipped()
    assert len(found) == 10 * len({experiment for _, experiment, _, _ in found})
    assert {experiment for _, experiment, _, _ in found} <= {name for each in EXPERIMENTS.values() for name in each}
    for _, experiment, _, instance in found:
        assert instances.check(experiment, instance) is None
        assert instance.expected_decision == ("same" if experiment.endswith("same") else "different")


@pytest.mark.parametrize("variant", EXPERIMENTS)
def test_no_side_is_used_twice_within_a_variant(variant: str) -> None:
    sides: list[str] = []
    for name, _, _, instance in shipped():
        if name == variant:
            both = {instance.model_dump_json(include={"a"})[5:], instance.model_dump_json(include={"b"})[5:]}
            sides += sorted(both)
    assert len(sides) == len(set(sides))


@pytest.mark.slow
def test_another_seed_gives_other_valid_instances() -> None:
    for variant in EXPERIMENTS:
        assert instances.make_file(variant, 1) != instances.make_file(variant, 0)
    for experiment in EXPERIMENTS["text"]:
        assert len(instances.make_experiment("text", experiment, 3)) == 10


def test_boards_on_which_a_change_has_no_room_are_replaced(monkeypatch) -> None:
    """A seed such as 9303 draws a board so full that no piece of it can be moved."""
    monkeypatch.setattr(instances.photo_pairs, "list_drawn_pictures", lambda kind: [])
    monkeypatch.setattr(pentomino, "change_attributes", fail_every_third_time(pentomino.change_attributes))
    for instance in instances.make_experiment("picture", "pentomino-similar", 0):
        assert isinstance(instance, BoardPair)
        assert pentomino.distance(instance.a, instance.b) in (1, 2)


def fail_every_third_time(change_attributes: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that raises ValueError every third time, as where a board has no room for a change."""
    calls = count()

    def change_or_fail(*arguments: Any) -> Any:
        if next(calls) % 3 == 0:
            raise ValueError("no room on this board for the changes")
        return change_attributes(*arguments)

    return change_or_fail


def test_both_seats_have_the_pattern_equally_often() -> None:
    """In a similar pair one side is a pattern and the other is made from it. Check who has which over many seeds."""
    first = 0
    total = 0
    for seed in range(12):
        for pair in instances.make_experiment("text", "similar-edit-2", seed):
            assert isinstance(pair, GridPair)
            known = [bool(grids.list_families(pair.grid(side))) for side in "AB"]
            if sum(known) == 1:
                total += 1
                first += known[0]
    assert 0.35 < first / total < 0.65


LETTER_P = "X X X X ▢\nX ▢ ▢ ▢ X\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢"
LETTER_I = "▢ X X X ▢\n▢ ▢ X ▢ ▢\n▢ ▢ X ▢ ▢\n▢ ▢ X ▢ ▢\n▢ X X X ▢"


def grid_pair(relation: str, a: str, b: str) -> dict[str, Any]:
    return {"kind": "grid", "relation": relation, "a": a, "b": b}


@pytest.mark.parametrize(
    ("data", "field", "why"),
    [
        (grid_pair("same", LETTER_P, LETTER_I), "b", "same grids are equal"),
        (grid_pair("transformed", LETTER_P, LETTER_P), "b", "differs from the original"),
        (grid_pair("transformed", LETTER_P, LETTER_I), "b", "not field a mirrored or turned"),
        (grid_pair("edited", LETTER_P, LETTER_P), "b", "exactly 2 cells, this one in 0"),
        (grid_pair("different", LETTER_P, LETTER_P), "b", "at least 8 cells, these in 0"),
        (grid_pair("same", "X", LETTER_P), "a", "5 lines"),
        (grid_pair("same", LETTER_P, LETTER_P.replace(" ", "  ")), "b", "one blank"),
        (grid_pair("alike", LETTER_P, LETTER_P), "relation", "Input should be"),
        ({"kind": "grid", "relation": "same", "a": LETTER_P}, "b", "required"),
        ({"kind": "photo"}, "a", "required"),
        ({"kind": "film"}, "kind", "film"),
    ],
)
def test_a_wrong_relation_is_reported_with_its_field(data: dict[str, Any], field: str, why: str) -> None:
    with pytest.raises(ValidationError) as error:
        instances.load(data)
    assert why in str(error.value)
    assert field in str(error.value)


def test_a_grid_outside_the_families_is_refused() -> None:
    mess = grids.format_grid(next(grids.generate_grids("random", Random(1))))
    with pytest.raises(ValidationError, match="no pattern of diagonals, letters, shapes"):
        instances.load(grid_pair("same", mess, mess))


def test_invalid_boards_are_reported() -> None:
    a, b = (pentomino.make_board(Random(seed)) for seed in (1, 2))
    with pytest.raises(ValidationError, match="same boards are equal"):
        BoardPair(relation="same", a=a, b=b)
    with pytest.raises(ValidationError, match="similar boards"):
        BoardPair(relation="similar", a=a, b=a)
    with pytest.raises(ValidationError, match="at least 12 attributes"):
        BoardPair(relation="different", a=a, b=a)
    with pytest.raises(ValidationError, match="5 to 7 pieces"):
        few = pentomino.Board(pieces=a.pieces[:3])
        BoardPair(relation="same", a=few, b=few)


def test_an_instance_in_the_wrong_experiment_is_reported() -> None:
    pair = instances.load(grid_pair("same", LETTER_P, LETTER_P))
    assert instances.check("same", pair) is None
    assert "field relation" in str(instances.check("different", pair))
    assert "field kind" in str(instances.check("pentomino-same", pair))
    assert "no experiment" in str(instances.check("nonsense", pair))


def test_similar_boards_differ_in_all_kinds_of_attributes() -> None:
    words = [
        difference
        for _, experiment, _, instance in shipped()
        if experiment == "pentomino-similar"
        for difference in board.find_side_differences(instance).sentences
    ]
    assert 10 <= len(words) <= 20
    assert any("pointing" in said or " its " in said for said in words)
    assert any(any(f"{colour} for A" in said for colour in pentomino.COLOURS) for said in words)


def test_differences_are_marked_and_described() -> None:
    other = grids.format_grid(grids.flip_cells(grids.parse_grid(LETTER_P), [(1, 2), (4, 4)]))
    found = board.find_side_differences(instances.load(grid_pair("edited", LETTER_P, other)))
    assert found.sentences == [
        "row 2, column 3: empty for A, filled for B",
        "row 5, column 5: empty for A, filled for B",
    ]
    assert found.marked_cells == {"A": [(1, 2), (4, 4)], "B": [(1, 2), (4, 4)]}
    assert board.find_side_differences(instances.load(grid_pair("same", LETTER_P, LETTER_P))) == board.SideDifferences()


def test_pictures_and_descriptions_of_the_two_sides() -> None:
    for _, experiment, _, instance in shipped():
        a, b = board.make_picture(instance, "A"), board.make_picture(instance, "B")
        if isinstance(instance, PhotoPair):
            assert a.width > a.height >= 360
        else:
            assert (a.width, a.height) == (480, 480)
        assert a.description == board.describe_side(instance, "A")
        assert (a.data == b.data) == experiment.endswith("same")
        found = board.find_side_differences(instance)
        assert bool(found.sentences) == (not experiment.endswith("same"))
