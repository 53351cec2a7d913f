"""What a scripted player sees in a text grid: rows, columns, corners, letters and shapes.

Expressions are read by `games/common/language/grid_reading.py`; a grid fits as far as the claims are so of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, SIZE, parse_grid
from games.common.language.grid_answers import DIAGONALS, ORDINALS
from games.common.language.grid_claims import get_line
from games.common.language.grid_reading import read_grid_text
from games.reference.talkers.facts import Fact, Sight

SURE, UNSURE, OVERLAP = 1.0, 0.5, 0.5
"""The weights of claims, and of how far the cells that are said to be filled are all filled cells."""


class GridSight(Sight):
    """One grid."""

    noun = "grid"

    def __init__(self, text: str) -> None:
        self.grid = parse_grid(text)

    def facts(self) -> Iterator[Fact]:
        """Yield what it looks like, whole and empty lines, diagonals, corners, how many are filled, lines, cells."""
        if name := grids.pattern_name(self.grid):
            yield Fact(("name", name), name)
        for filled, state in ((True, "full"), (False, "empty")):
            for axis in ("row", "column"):
                for number in range(SIZE):
                    if set(get_line(self.grid, axis, number)) == {filled}:
                        yield Fact((axis, number, filled), f"the {ORDINALS[number]} {axis} {state}")
        for name, cells in DIAGONALS.items():
            if all(self.grid[cell] for cell in cells):
                yield Fact(("cells", cells, True), f"{name} filled")
        for name, cell in (*CORNER_BY_NAME.items(), ("centre", CENTRE)):
            where = f"the {name} corner" if cell != CENTRE else "the cell in the centre"
            yield Fact(("cells", (cell,), self.grid[cell]), f"{where} {_state(self.grid[cell])}")
        yield Fact(("count", self.grid.count), f"{self.grid.count} filled cells", laborious=True)
        for row, column in CELLS:
            words = f"row {row + 1}, column {column + 1} {_state(self.grid[row, column])}"
            yield Fact(("cells", ((row, column),), self.grid[row, column]), words, laborious=True)

    def chance(self, fact: Fact) -> float:
        """Return whether a fact is so of this grid, as 0 or 1."""
        kind, *rest = fact.key
        if kind == "name":
            name = grids.pattern_name(self.grid) or ""
            return str(rest[0]) in (name, name.replace("square", "rectangle"))  # a square is a rectangle, too
        if kind == "count":
            return self.grid.count == int(rest[0])
        if kind == "cells":
            return all(self.grid[cell] == rest[1] for cell in rest[0])
        return set(get_line(self.grid, kind, rest[0])) == {rest[1]}

    def fit(self, expression: str) -> float:
        """Return how far the claims of an expression are so of this grid: not at all if a sure one is not."""
        claims = read_grid_text(expression).claims
        if not all(claim.holds(self.grid) for claim in claims if claim.is_sure):
            return 0.0
        cells_mentioned = {cell for claim in claims for cell, filled in claim.list_known_cells().items() if filled}
        filled_cells = set(self.grid.filled)
        overlap = len(cells_mentioned & filled_cells) / len(cells_mentioned | filled_cells) if cells_mentioned else 0.0
        return OVERLAP * overlap + sum((SURE if claim.is_sure else UNSURE) * claim.fit(self.grid) for claim in claims)


def _state(filled: bool) -> str:
    return "filled" if filled else "empty"
