"""What true descriptions say in lists and by names of their own, and how the partner for pictures weighs that."""

from __future__ import annotations

import pytest

from tests.games.made_pictures import scene, thing
from tests.games.test_photo_partner import LIVING, SOLIDS, decided

DESK = scene(
    "room",
    "study",
    [
        thing("desk 1", "desk", ["brown", "wooden"], [20, 180, 400, 160]),
        thing("pot of pens 1", "pot of pens", ["blue"], [60, 140, 20, 40]),
        thing("loudspeaker 1", "loudspeaker", ["black"], [100, 130, 30, 50]),
        thing("loudspeaker 2", "loudspeaker", ["black"], [300, 130, 30, 50]),
        thing("amplifier 1", "amplifier", ["grey"], [200, 140, 60, 30]),
        thing("pegboard 1", "pegboard", ["white"], [150, 20, 200, 90]),
        thing("hammer 1", "hammer", ["red"], [180, 40, 20, 40]),
        thing("screen 1", "screen", ["white"], [380, 40, 80, 60]),
        thing("sofa 1", "sofa", ["blue"], [420, 250, 60, 60]),
        thing("sofa 2", "sofa", ["blue"], [0, 300, 60, 60]),
        thing("cushion 1", "cushion", ["red"], [420, 260, 20, 20]),
        thing("cushion 2", "cushion", ["red"], [450, 260, 20, 20]),
        thing("cushion 3", "cushion", ["red"], [10, 310, 20, 20]),
    ],
    [["cushion 1", "on", "sofa 1"], ["cushion 2", "on", "sofa 1"], ["cushion 3", "on", "sofa 2"]],
)
"""A desk with pens and speakers, tools on a white pegboard, a screen, and two sofas with three cushions in all."""

OF_LIVING = """
same = A blue sofa stands behind a table, on the right is a floor lamp, and a TV and a red book.
different = A blue sofa stands behind a table, on the right is a black armchair and a floor lamp.
same = The table is set with a green vase and a red book.
same = A living room hall with a sofa, a table in front of it and a corner that splits.
same = A red sign NO SMOKING CAKES, a blue sofa and a cat.
same = A sofa with three cushions in red, yellow and red.
same = A living room with a table with a white cloth and a blue sofa.
"""
OF_SOLIDS = """
same = Two balls, a blue one and a purple one, both small.
different = Two balls, a blue one and a purple one, both large.
same = A green cylinder and a red cube, both large.
same = On the left a mirror-like red cube.
different = On the left a mirror-like green cube.
same = A red cube, behind is a blue ball and a green cylinder, and at the right is a purple ball.
different = Two spheres, purple and red, and a cube.
same = Two small spheres in purple and blue.
different = Two small spheres in purple and green.
"""
OF_DESK = """
same = A wooden desk with a blue cup with pens on it.
same = A desk with two speakers.
same = Tools hang on a white board.
same = On the screen there is a white cat and a red car.
different = On the desk there is a white cat.
same = A sofa with two red cushions.
different = A sofa with four red cushions and a cat.
"""
LINES = [
    (line, description)
    for lines, description in ((OF_LIVING, LIVING), (OF_SOLIDS, SOLIDS), (OF_DESK, DESK))
    for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("line", "description"), LINES, ids=[line for line, _ in LINES])
def test_lists_and_names_are_taken_as_they_are_meant(line: str, description: dict[str, object]) -> None:
    wanted, _, text = line.partition(" = ")
    assert decided(text, description) == wanted


LONG = (
    "A {colour} sofa with a cat and three cushions. On a table there are a green vase and a red book. "
    "A floor lamp and a TV are on the right, with a bookmark, some magazines, a spoon and a napkin beside it."
)


@pytest.mark.parametrize(("colour", "wanted"), [("blue", "same"), ("red", "different")])
def test_what_a_description_may_leave_out_decides_nothing_where_most_fits(colour: str, wanted: str) -> None:
    assert decided(LONG.format(colour=colour)) == wanted
