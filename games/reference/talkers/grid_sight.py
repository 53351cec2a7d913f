"""What a scripted player sees in a text grid: rows, columns, corners, letters and shapes.

Expressions are read by `games/common/language/grid_reading.py`; a grid fits as far as the claims are so of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.common import grids
from games.common.grids import CENTRE_CELL, CORNER_BY_NAME, GRID_CELLS, GRID_SIZE, parse_grid
from games.common.language.grid_answers import DIAGONALS, ORDINALS
from games.common.language.grid_claims import get_line
from games.common.language.grid_reading import read_grid_text
from games.reference.talkers.facts import Fact, Sight

SURE_WEIGHT, UNSURE_WEIGHT, OVERLAP_WEIGHT = 1.0, 0.5, 0.5
"""The weights of claims, and of how far the cells that are said to be filled are all filled cells."""


class GridSight(Sight):
    """One grid."""

    noun = "grid"

    def __init__(self, grid_text: str) -> None:
        self.grid = parse_grid(grid_text)

    def list_facts(self) -> Iterator[Fact]:
        """Yield what it looks like, whole and empty lines, diagonals, corners, how many are filled, lines, cells."""
        if place_name := grids.find_pattern_name(self.grid):
            yield Fact(("name", place_name), place_name)
        for is_filled, state_word in ((True, "full"), (False, "empty")):
            for axis in ("row", "column"):
                for line_number in range(GRID_SIZE):
                    if set(get_line(self.grid, axis, line_number)) == {is_filled}:
                        yield Fact((axis, line_number, is_filled), f"the {ORDINALS[line_number]} {axis} {state_word}")
        for place_name, cells in DIAGONALS.items():
            if all(self.grid[cell] for cell in cells):
                yield Fact(("cells", cells, True), f"{place_name} filled")
        for place_name, cell in (*CORNER_BY_NAME.items(), ("centre", CENTRE_CELL)):
            place_phrase = f"the {place_name} corner" if cell != CENTRE_CELL else "the cell in the centre"
            yield Fact(("cells", (cell,), self.grid[cell]), f"{place_phrase} {_describe_state(self.grid[cell])}")
        yield Fact(("count", self.grid.count), f"{self.grid.count} filled cells", is_laborious=True)
        for row, column in GRID_CELLS:
            cell_phrase = f"row {row + 1}, column {column + 1} {_describe_state(self.grid[row, column])}"
            yield Fact(("cells", ((row, column),), self.grid[row, column]), cell_phrase, is_laborious=True)

    def estimate_chance(self, fact: Fact) -> float:
        """Return whether a fact is so of this grid, as 0 or 1."""
        fact_kind, *fact_details = fact.fact_key
        if fact_kind == "name":
            name = grids.find_pattern_name(self.grid) or ""
            return str(fact_details[0]) in (name, name.replace("square", "rectangle"))  # a square is a rectangle, too
        if fact_kind == "count":
            return self.grid.count == int(fact_details[0])
        if fact_kind == "cells":
            return all(self.grid[cell] == fact_details[1] for cell in fact_details[0])
        return set(get_line(self.grid, fact_kind, fact_details[0])) == {fact_details[1]}

    def rate_fit(self, expression: str) -> float:
        """Return how far the claims of an expression are so of this grid: not at all if a sure one is not."""
        claims = read_grid_text(expression).claims
        if not all(claim.is_true_of(self.grid) for claim in claims if claim.is_sure):
            return 0.0
        mentioned_cells = {cell for claim in claims for cell, filled in claim.list_known_cells().items() if filled}
        filled_cells = set(self.grid.filled_cells)
        overlap = len(mentioned_cells & filled_cells) / len(mentioned_cells | filled_cells) if mentioned_cells else 0.0
        return OVERLAP_WEIGHT * overlap + sum(
            (SURE_WEIGHT if claim.is_sure else UNSURE_WEIGHT) * claim.fit(self.grid) for claim in claims
        )


def _describe_state(is_filled: bool) -> str:
    return "filled" if is_filled else "empty"
