"""Commands that people could give for a drawing, in many phrasings: the follower of the image game draws just that."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.common.grids import EMPTY_MARK, GRID_CELLS, GRID_SIZE, Cell
from games.imagegame import grid
from games.imagegame.follower import GridDrawer

TABLES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("drawing_sentences.toml").read_text("utf-8"))
ORDINALS = "first second third fourth fifth".split()
SHORT_ORDINALS = "1st 2nd 3rd 4th 5th".split()
NUMBERS = "zero one two three four five".split()
LETTERS = "WQZTKBCDEFGHJLMNPRSVY"
NAMES = {
    "row": (
        ("the top row", "the uppermost row"),
        ("the second row from the top",),
        ("the middle row", "the central row"),
        ("the second row from the bottom", "the second to last row"),
        ("the bottom row", "the last row", "the lowest row"),
    ),
    "column": (
        ("the left column", "the leftmost column", "the far left column"),
        ("the second column from the left",),
        ("the middle column", "the centre column"),
        ("the second column from the right",),
        ("the right column", "the last column", "the rightmost column"),
    ),
}
Terms = Mapping[Cell, str]


class Scene:
    """Lines, places and letters by chance, and the words for them."""

    def __init__(self, rng: Random) -> None:
        self.axis = rng.choice(["row", "row", "column"])
        self.lines = rng.sample(range(GRID_SIZE), 3)
        self.letter, self.other_letter = rng.sample(LETTERS, 2)
        self.place, self.places = rng.randrange(GRID_SIZE), sorted(rng.sample(range(GRID_SIZE), rng.choice([2, 2, 3])))
        self.many, self.start = rng.randrange(2, GRID_SIZE), rng.randrange(3)
        self.end = rng.randrange(self.start + 1, GRID_SIZE)
        self.names = [rng.choice((*self._plain_names(number), *NAMES[self.axis][number])) for number in self.lines]

    def _plain_names(self, at: int) -> tuple[str, ...]:
        axis, words = self.axis, (ORDINALS[at], SHORT_ORDINALS[at])
        return f"{axis} {at + 1}", f"{axis} {NUMBERS[at + 1]}", *(f"the {word} {axis}" for word in words)

    def words(self) -> dict[str, Any]:
        """Return the words that a phrasing may use."""
        is_row, width, terms = self.axis == "row", self.end - self.start + 1, [self.letter, "empty"]
        spelt = [terms[at not in self.places] for at in range(GRID_SIZE)]
        return {
            "L": self.letter, "M": self.other_letter, "LL": self.letter * GRID_SIZE,
            "L5": " ".join(self.letter * GRID_SIZE),
            "line": self.names[0], "line2": self.names[1], "line3": self.names[2], "axis": self.axis,
            "other": "column" if is_row else "row", "across": "across" if is_row else "down",
            "straight": "horizontal" if is_row else "vertical",
            "r": self.lines[0] + 1, "r2": self.lines[1] + 1, "ordn": ORDINALS[self.lines[0]],
            "c": self.place + 1, "ordc": ORDINALS[self.place], "nlist": NUMBERS[len(self.places)],
            "cells": join([str(at + 1) for at in self.places]), "ords": join([ORDINALS[at] for at in self.places]),
            "ods": join([SHORT_ORDINALS[at] for at in self.places]), "spelt": ", ".join(spelt),
            "spelt2": " ".join(spelt).replace("empty", "_"), "spelt3": ", ".join(spelt).replace("empty", "blank"),
            "lo": self.start + 1, "hi": self.end + 1, "olo": ORDINALS[self.start], "ohi": ORDINALS[self.end],
            "many": NUMBERS[width], "dmany": width, "first": NUMBERS[self.many],
        }  # fmt: skip

    def line(self, places: Any = range(GRID_SIZE), letter: str = "", line: int = 0) -> dict[Cell, str]:
        """Return a letter in some places of a line."""
        at = self.lines[line]
        return {(at, place) if self.axis == "row" else (place, at): letter or self.letter for place in places}


def join(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


BY_LINE: dict[str, Callable[[Scene], Terms]] = {
    "line": lambda scene: scene.line(),
    "all_but_one": lambda scene: scene.line([at for at in range(GRID_SIZE) if at != scene.place]),
    "some_places": lambda scene: scene.line(scene.places),
    "span": lambda scene: scene.line(range(scene.start, scene.end + 1)),
    "first_cells": lambda scene: scene.line(range(scene.many)),
    "last_cells": lambda scene: scene.line(range(GRID_SIZE - scene.many, GRID_SIZE)),
    "line_and_rest": lambda scene: dict.fromkeys(GRID_CELLS, scene.other_letter) | scene.line(),
    "two_lines_alike": lambda scene: scene.line(scene.places) | scene.line(scene.places, line=1),
    "two_lines": lambda scene: scene.line() | scene.line(letter=scene.other_letter, line=1),
    "other_line": lambda scene: scene.line(line=1),
    "one_cell_differs": lambda scene: scene.line() | scene.line([scene.place], scene.other_letter),
    "alternating": lambda scene: scene.line([0, 2, 4]) | scene.line([1, 3], scene.other_letter),
    "odd_places": lambda scene: scene.line([0, 2, 4]),
    "cell": lambda scene: {(scene.lines[0], scene.lines[1]): scene.letter},
}


def drawing(messages: str) -> str:
    """Return what is drawn after some messages, row by row."""
    grid_drawer = GridDrawer.start_empty()
    for message in messages.split("|"):
        grid_drawer.apply_command(message)
    return as_rows(grid_drawer.drawing)


def as_rows(terms: Terms) -> str:
    letters = {cell: terms.get(cell, EMPTY_MARK) for cell in GRID_CELLS}
    return grid.format_grid(letters).replace(" ", "").replace(EMPTY_MARK, ".").replace("\n", " ")


@pytest.mark.parametrize("kind", BY_LINE)
def test_phrasings_about_lines_are_drawn(kind: str) -> None:
    for phrasing in TABLES["by_line"][kind].splitlines():
        for seed in range(4):
            scene = Scene(Random(f"{phrasing}{seed}"))
            messages = phrasing.format(**scene.words())
            assert drawing(messages) == as_rows(BY_LINE[kind](scene)), messages


@pytest.mark.parametrize("drawn", TABLES["drawn"])
def test_phrasings_of_a_drawing_are_drawn(drawn: str) -> None:
    for phrasing in TABLES["drawn"][drawn].splitlines():
        assert drawing(phrasing.format(L="L", M="M")) == drawn, phrasing


@pytest.mark.parametrize("messages", TABLES["natural"])
def test_natural_commands_are_drawn(messages: str) -> None:
    assert drawing(messages) == TABLES["natural"][messages].replace("/", " ")
