"""Where shapes of a grid point, open and slope to, and true descriptions that were read wrongly."""

from __future__ import annotations

from random import Random

import pytest

from games.common.grids import parse_grid
from games.common.language.grid_claims import GridClaim
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
    assert GridClaim(test=passed).is_true_of(grid)
    assert not GridClaim(test=failed).is_true_of(grid)


@pytest.mark.parametrize(
    ("expression", "target", "other"),
    [
        ("stairs going down to the right", STEPS, "....X ...XX ..XXX .XXXX XXXXX"),
        ("a triangle pointing right", TIP, "....X ...XX ..XXX ...XX ....X"),
        ("open at the top", CUP, ".XXX. X...X X...X X...X X...X"),
        ("the X", "X...X .X.X. ..X.. .X.X. X...X", "X.... .X... ..X.. ...X. ....X"),
        ("only the bottom two", "..... ..... ..... XXXXX XXXXX", "XXXXX XXXXX ..... XXXXX XXXXX"),
        ("vertical stripes", "X.X.X X.X.X X.X.X X.X.X X.X.X", "..X.X ..X.X ..X.X ..X.X ..X.X"),
        (
            "two columns on the left, one on the far right",
            "XX..X XX..X XX..X XX..X XX..X",
            "XX... XX... XX... XX... XX...",
        ),
        (
            "two Xs at the end of both the first and last row",
            "X..XX X.... ..X.X .XX.X X..XX",
            "..XXX X.... ..X.X X.... ....X",
        ),
        (
            "second row starts with two Xs and so does the third",
            "..... XX... XX... .X.X. .X.XX",
            "...X. XX..X X.X.. XXX.. .XXXX",
        ),
        ("only one column, the second", ".X... .X... .X... .X... .X...", ".XX.. .XX.. .XX.. .XX.. .XX.."),
        ("square ring in top left", "XXX.. X.X.. XXX.. ..... .....", "..... ..... ..XXX ..X.X ..XXX"),
        ("the 3 by 3 ring against the right edge", "..... ..XXX ..X.X ..XXX .....", "..... .XXX. .X.X. .XXX. ....."),
        ("hollow rectangle, four wide", ".XXXX .X..X .XXXX ..... .....", "..XXX ..X.X ..XXX ..... ....."),
    ],
)
def test_a_listener_understands_directions_and_places(expression: str, target: str, other: str) -> None:
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
        ("Everything to the right of column 3 is blank.", "X.X.. .XX.. XXX.. ..X.. .XX.."),
        ("Everything above row 3 is empty.", "..... ..... .XX.. ..X.. ...X."),
        ("No X at the top of column 3.", "XX..X .X... ..X.. ...X. ....X"),
        ("Three filled corners.", "X...X ..X.. ..X.. ..X.. X...."),
        ("An O, four empty corners.", ".XXX. X...X X...X X...X .XXX."),
        ("The right column has four Xs, only the third is missing.", "X...X X...X X.X.. XX.XX X...X"),
        ("A thick vertical bar, two columns wide, from row 2 to the bottom.", "..... ..XX. ..XX. ..XX. ..XX."),
        ("Staircase going down to the right.", "X.... .X... ..X.. ...X. ....X"),
        ("Solid 2 by 4 block in the top right corner.", "...XX ...XX ...XX ...XX ....."),
        ("Two full columns on the right except the bottom row is empty.", "...XX ...XX ...XX ...XX ....."),
        ("All empty apart from a plus in the middle.", "..... ..X.. .XXX. ..X.. ....."),
        ("Every row has an X except the first.", "..... .X... X.X.. .X... ..X.."),
        ("Only one X per row, except the top one which is blank.", "..... X.... .X... ..X.. ...X."),
        ("The left column is only filled at the top and at the bottom.", "XXXX. ..X.X ..X.X ..X.X XXXX."),
        ("Rows 2, 3 and 4 only have an X at each end.", ".XXX. X...X X...X X...X .XXX."),
        (
            "Everything is on the right of the grid, the first two columns have nothing.",
            "....X ...X. ..X.X ...XX ....X",
        ),
    ],
)
def test_a_true_description_is_not_read_as_another_grid(text: str, sketch: str) -> None:
    talker = make_talker(write_grid(sketch), Random(1))
    assert talker.decide([Utterance("partner", "description", text)]) == "same"


@pytest.mark.parametrize(
    ("question", "sketch", "false_opening"),
    [
        ("Does row two have just the one X?", "..XXX ...X. ...X. X..X. .XX..", "No"),
        ("Does the diagonal touch a corner?", ".X... ..X.. ...X. ....X .....", "Yes"),
    ],
)
def test_a_question_is_not_answered_falsely(question: str, sketch: str, false_opening: str) -> None:
    assert not make_talker(write_grid(sketch), Random(1)).answer(question).startswith(false_opening)
