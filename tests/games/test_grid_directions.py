"""Where shapes of a grid point, open and slope to, and true descriptions that were read wrongly."""

from __future__ import annotations

from random import Random

import pytest

from games.common.grids import parse_grid
from games.common.language.grid_claims import passes_test
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Utterance
from games.reference.talkers.sight import find_best_sight, make_sight
from tests.games.made_pictures import write_grid

STEPS, TIP, CUP = "X.... XX... XXX.. XXXX. XXXXX", "X.... XX... XXX.. XX... X....", "X...X X...X X...X X...X .XXX."


@pytest.mark.parametrize(
    ("sketch", "passed", "failed"),
    [
        (STEPS, ("slopes", 1), ("slopes", -1)),
        (TIP, ("points", "right"), ("points", "left")),
        (CUP, ("opens", "top"), ("opens", "bottom")),
        ("..X.. ...X. X...X .X... ..X..", ("slopes", 1), ("slopes", -1)),
    ],
)
def test_shapes_have_directions(sketch: str, passed: tuple[object, ...], failed: tuple[object, ...]) -> None:
    grid = parse_grid(write_grid(sketch))
    assert passes_test(passed, grid)
    assert not passes_test(failed, grid)


@pytest.mark.parametrize(
    ("expression", "target", "other"),
    [
        ("stairs going down to the right", STEPS, "....X ...XX ..XXX .XXXX XXXXX"),
        ("a triangle pointing right", TIP, "....X ...XX ..XXX ...XX ....X"),
        ("open at the top", CUP, ".XXX. X...X X...X X...X X...X"),
    ],
)
def test_a_listener_understands_directions(expression: str, target: str, other: str) -> None:
    sights = [make_sight(write_grid(sketch)) for sketch in (other, target)]
    assert {find_best_sight(expression, sights, Random(seed)) for seed in range(4)} == {1}


@pytest.mark.parametrize(
    ("text", "sketch"),
    [
        ("Top row empty, both outside columns empty.", "..... .XXX. .X.X. .X.X. .XXX."),
        ("The first three columns are blank. Right two columns, first four rows.", "...XX ...XX ...XX ...XX ....."),
        (
            "The top row has 3 X's: first, fourth and fifth. In row 2 only the first is filled.",
            "X..XX X.... X...X ..... .....",
        ),
        ("Everything from column four on is empty.", "..... .X... XXX.. .X... ....."),
        ("square outline, the inside is empty; the top row is empty", "..... XXXX. X..X. X..X. XXXX."),
        ("diagonal falling to the right, the top row is the empty one", "..... X.... .X... ..X.. ...X."),
    ],
)
def test_a_true_description_is_not_read_as_another_grid(text: str, sketch: str) -> None:
    talker = make_talker(write_grid(sketch), Random(1))
    assert talker.decide([Utterance("partner", "description", text)]) == "same"
