"""The grid of the image game: five rows of five cells, each empty or one capital letter. Cells count from 0.

As text a grid is five lines of five cells with blanks between. This module knows no player and no reply format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from games.common.grids import EMPTY_MARK, GRID_CELLS, GRID_SIZE, Cell, Grid, grid_of

BLANK_GRID = "\n".join([" ".join([EMPTY_MARK] * GRID_SIZE)] * GRID_SIZE)
"""The grid that the follower starts with."""
ROW_PATTERN = rf"[A-Z{EMPTY_MARK}](?:[ \t]+[A-Z{EMPTY_MARK}]){{{GRID_SIZE - 1}}}"
_GRID_PATTERN = re.compile(rf"{ROW_PATTERN}(?:[ \t]*\r?\n{ROW_PATTERN}){{{GRID_SIZE - 1}}}")

LetterGrid = dict[Cell, str]
"""The letters of a grid by cell, row by row; EMPTY_MARK where there is none."""


def parse_grid(grid_text: str) -> LetterGrid:
    """Read a grid; blanks at line ends and blank lines around it do not matter. Raises ValueError for anything else."""
    if not _GRID_PATTERN.fullmatch(grid_text.strip()):
        raise ValueError(
            f"a grid is {GRID_SIZE} lines of {GRID_SIZE} cells with blanks between, capital letters or {EMPTY_MARK}"
        )
    return dict(zip(GRID_CELLS, grid_text.split(), strict=True))


def format_grid(letter_grid: Mapping[Cell, str]) -> str:
    """Return a grid as text, without a line break at its end."""
    return "\n".join(" ".join(letter_grid[row, column] for column in range(GRID_SIZE)) for row in range(GRID_SIZE))


def paint_cells(cells: Iterable[Cell], letter: str) -> LetterGrid:
    """Return the grid in which exactly these cells hold the letter."""
    painted_cells = set(cells)
    return {cell: letter if cell in painted_cells else EMPTY_MARK for cell in GRID_CELLS}


def list_filled_cells(letter_grid: Mapping[Cell, str]) -> tuple[Cell, ...]:
    """Return the cells with a letter, row by row."""
    return tuple(cell for cell in GRID_CELLS if letter_grid[cell] != EMPTY_MARK)


def find_changed_cells(earlier_drawing: Mapping[Cell, str], later_drawing: Mapping[Cell, str]) -> tuple[Cell, ...]:
    """Return the cells in which two grids differ, row by row."""
    return tuple(cell for cell in GRID_CELLS if earlier_drawing[cell] != later_drawing[cell])


def make_filled_pattern(letter_grid: Mapping[Cell, str]) -> Grid:
    """Return which cells are filled, whatever the letters."""
    return grid_of(list_filled_cells(letter_grid))
