"""The grid of the image game: five rows of five cells, each empty or one capital letter. Cells count from 0.

As text a grid is five lines of five cells with blanks between. Knows no player and no reply format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from games.common.grids import CELLS, EMPTY, SIZE, Cell
from games.common.grids import Grid as Filled
from games.common.grids import grid_of as filled_grid

BLANK = "\n".join([" ".join([EMPTY] * SIZE)] * SIZE)
"""The grid that the follower starts with."""
ROW = rf"[A-Z{EMPTY}](?:[ \t]+[A-Z{EMPTY}]){{{SIZE - 1}}}"
_WHOLE = re.compile(rf"{ROW}(?:[ \t]*\r?\n{ROW}){{{SIZE - 1}}}")

Grid = dict[Cell, str]
"""The letters of a grid by cell, row by row; EMPTY where there is none."""


def read(text: str) -> Grid:
    """Read a grid; blanks at line ends and blank lines around it do not matter. Raises ValueError for anything else."""
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError(f"a grid is {SIZE} lines of {SIZE} cells with blanks between, capital letters or {EMPTY}")
    return dict(zip(CELLS, text.split(), strict=True))


def write(grid: Mapping[Cell, str]) -> str:
    """Write a grid as text, without a line break at its end."""
    return "\n".join(" ".join(grid[row, column] for column in range(SIZE)) for row in range(SIZE))


def painted(cells: Iterable[Cell], letter: str) -> Grid:
    """Return the grid in which exactly these cells hold the letter."""
    inside = set(cells)
    return {cell: letter if cell in inside else EMPTY for cell in CELLS}


def filled(grid: Mapping[Cell, str]) -> tuple[Cell, ...]:
    """Return the cells with a letter, row by row."""
    return tuple(cell for cell in CELLS if grid[cell] != EMPTY)


def changed(before: Mapping[Cell, str], after: Mapping[Cell, str]) -> tuple[Cell, ...]:
    """Return the cells in which two grids differ, row by row."""
    return tuple(cell for cell in CELLS if before[cell] != after[cell])


def pattern(grid: Mapping[Cell, str]) -> Filled:
    """Return which cells are filled, whatever the letters."""
    return filled_grid(filled(grid))
