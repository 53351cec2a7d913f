"""Claims about a grid of filled and empty cells: counts of cells, and tests of lines and shapes.

A grid is described completely by its text, so a claim that is understood holds or does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, product
from typing import Any

from games.common import grids
from games.common.grids import CENTRE_CELL, GRID_CELLS, GRID_SIZE, Cell, Grid
from games.common.language.regions import ALL_CELLS, BORDER_CELLS, block_cells
from games.common.language.terms import SIDE_AXES, Cells

SLACK, FAR_DISTANCE = 3, 9
"""A grid looks like a pattern that differs in so many cells at most, and clearly not like one from so many on."""
LINE = 3
"""So many filled cells next to each other look like a line."""
Test = tuple[object, ...]


@dataclass(frozen=True)
class CellCount:
    """How many of some cells are filled: from `low` to `high`."""

    cells: Cells
    low: int
    high: int

    @cached_property
    def cell_bits(self) -> int:
        """The cells as a number, for fast comparisons."""
        return grids.bits_of(self.cells)

    def share(self, grid: Grid) -> float:
        """Return how nearly so many are filled: 1 where it is so."""
        filled_count = (grid.bits & self.cell_bits).bit_count()
        return 1 - max(self.low - filled_count, filled_count - self.high, 0) / max(1, len(self.cells))

    def is_excluded(self, cell_states: Mapping[Cell, bool]) -> bool:
        """Return whether so many cannot be filled where some cells are known."""
        known_states = [cell_states[cell] for cell in self.cells if cell in cell_states]
        return sum(known_states) > self.high or len(self.cells) - known_states.count(False) < self.low


@dataclass(frozen=True)
class GridClaim:
    """One thing that a text says of a grid: all counts of one of its readings are so, or a test is passed.

    `is_sure`: a grid of which it does not hold is another grid; else it may have been meant or read otherwise.
    `is_understood`: every word of its clause was; else it is no evidence.
    """

    readings: tuple[tuple[CellCount, ...], ...] = ()
    test: Test = ()
    is_negated: bool = False
    is_sure: bool = True
    is_understood: bool = True
    text: str = ""

    @property
    def is_shape(self) -> bool:
        """Whether it says that the grid looks like a shape or letter, or ("variant") nearly so."""
        return self.test[:1] in (("shape",), ("variant",))

    def is_true_of(self, grid: Grid) -> bool:
        """Return whether it is so of a grid."""
        if self.test:
            test_kind, *arguments = self.test
            return bool(TESTS_BY_KIND[str(test_kind)](grid, *arguments)) != self.is_negated
        return any(all(count.share(grid) == 1 for count in reading) for reading in self.readings) != self.is_negated

    def fit(self, grid: Grid) -> float:
        """Return how nearly it is so of a grid, from 0 to 1: half for what is partly so."""
        if self.is_shape and not self.is_negated:
            distance = shape_distance(grid, self.test[1:])
            return 0.0 if "variant" in self.test[:1] and not distance else max(0.0, 1 - distance / 12)
        if self.test[:1] == ("extreme",):
            return _measure_extreme(grid, *self.test[1:])
        if self.is_true_of(grid):
            return 1.0
        shares = [sum(count.share(grid) for count in reading) / len(reading) for reading in self.readings if reading]
        return max(shares, default=0.0) / 2

    def contradicts(self, claim: GridClaim) -> bool:
        """Return whether no grid is as both say, as far as the cells and counts of the two show."""
        known_cells, other_cells = self.list_known_cells(), claim.list_known_cells()
        if self.is_shape and not self.is_negated:
            plain_names = [str(pattern_name).removeprefix("turned ") for pattern_name in self.test[1:]]
            patterns = [pattern for name in plain_names for pattern in _find_patterns(f"turned {name}")]
            return all(sum(pattern[cell] != other_cells[cell] for cell in other_cells) > SLACK for pattern in patterns)
        return len(claim.readings) == 1 and any(count.is_excluded(known_cells) for count in claim.readings[0])

    def list_known_cells(self) -> dict[Cell, bool]:
        """Return the cells that it says are filled or empty."""
        counts = self.readings[0] if len(self.readings) == 1 and not self.is_negated else ()
        whole_counts = [count for count in counts if count.low == count.high and count.low in (0, len(count.cells))]
        return {cell: count.low > 0 for count in whole_counts for cell in count.cells}


def state_claim(cells: Cells, is_filled: bool, is_sure: bool = True) -> GridClaim:
    """Return the claim that all cells are filled or empty, cell by cell."""
    counts = tuple(CellCount(frozenset({cell}), int(is_filled), int(is_filled)) for cell in sorted(cells))
    return GridClaim((counts,), is_sure=is_sure)


def count_claim(cells: Cells, minimum: int, maximum: int) -> GridClaim:
    """Return the claim that so many of some cells are filled."""
    return GridClaim(((CellCount(cells, minimum, maximum),),))


# ---------------------------------------------------------------------- tests
def find_lines(grid: Grid, axis: str, state: str) -> list[int]:
    """Return the rows or columns that are full, empty, have something ("some"), a "line" or so many cells ("3")."""
    lines = [get_line(grid, axis, number) for number in range(GRID_SIZE)]
    if state == "line":
        places = range(GRID_SIZE - LINE + 1)
        return [number for number, line in enumerate(lines) if any(all(line[place : place + LINE]) for place in places)]
    fill_counts = {"full": {GRID_SIZE}, "empty": {0}, "some": set(range(1, GRID_SIZE + 1))}.get(state) or {int(state)}
    return [number for number, line in enumerate(lines) if sum(line) in fill_counts]


def get_line(grid: Grid, axis: str, number: int) -> tuple[bool, ...]:
    """Return the cells of a row or column."""
    return grid.rows[number] if axis == "row" else grid.column(number)


def shape_distance(grid: Grid, pattern_names: Iterable[object]) -> int:
    """Return in how many cells a grid differs from the nearest of some patterns; `FAR` if it is one of them turned."""
    bits = [placed_bits for pattern_name in pattern_names for placed_bits in _place_patterns(str(pattern_name))]
    distance = min(
        ((grid.bits ^ pattern_bits).bit_count() + cost for pattern_bits, cost in bits), default=len(GRID_CELLS)
    )
    is_turned = distance > 0 and any(grid in _find_patterns(f"turned {pattern_name}") for pattern_name in pattern_names)
    return FAR_DISTANCE if is_turned else distance


@cache
def _place_patterns(pattern_name: str) -> tuple[tuple[int, int], ...]:
    """Return the patterns of a name as bits, also moved by one cell, and what that costs: one more than is cut off."""
    moves = product(_find_patterns(pattern_name), (-1, 0, 1), (-1, 0, 1))
    placed = [({(row + y, column + x) for row, column in pattern.filled_cells}, y or x) for pattern, y, x in moves]
    return tuple((grids.bits_of(cells & ALL_CELLS), len(cells - ALL_CELLS) + bool(move)) for cells, move in placed)


@cache
def _find_patterns(pattern_name: str) -> tuple[Grid, ...]:
    """Return the patterns of a name; after "turned " all their rotations and mirror images."""
    plain_name = pattern_name.removeprefix("turned ")
    family_names = ("letters", "shapes", "diagonals")
    patterns = [p.grid for family_name in family_names for p in grids.patterns(family_name) if p.name == plain_name]
    if plain_name != pattern_name:
        patterns = [turn_grid(pattern) for pattern in patterns for turn_grid in grids.GRID_TRANSFORMS.values()]
        patterns += [grids.turn_90(grids.mirror_left_right(pattern)) for pattern in patterns]
    return tuple(dict.fromkeys(patterns))


def _has_block(grid: Grid, height: int, width: int, is_hollow: bool, is_upright: bool) -> bool:
    """Return whether a rectangle of a size is filled somewhere, or only its border; it may lie if nothing is said."""
    block_sizes = {(height, width)} if is_upright else {(height, width), (width, height)}
    block_places = ((top, left, *pair) for pair in block_sizes for top in range(GRID_SIZE) for left in range(GRID_SIZE))
    return any(_is_block(grid, place, is_hollow) for place in block_places)


def _is_block(grid: Grid, block_place: tuple[int, int, int, int], is_hollow: bool) -> bool:
    top, left, height, width = block_place
    cells, hole = block_cells(*block_place), block_cells(*block_place, margin=1) if is_hollow else frozenset()
    neighbour_blocks = [block_cells(top + offset, left, 1, width) for offset in (-1, height)]
    neighbour_blocks += [block_cells(top, left + offset, height, 1) for offset in (-1, width)]
    is_larger = any(strip and all(grid[cell] for cell in strip) for strip in neighbour_blocks)
    return len(cells) == height * width and not is_larger and all(grid[cell] != (cell in hole) for cell in cells)


def _has_stance(grid: Grid, is_tall: bool) -> bool:
    """Return whether the filled cells take up more rows than columns, or fewer."""
    height, width = (len({cell[axis_index] for cell in grid.filled_cells}) for axis_index in (0, 1))
    return height != width and (height > width) == is_tall


def _measure_extreme(grid: Grid, sense: Any, cells: Any) -> float:
    """Return, from -1 to 1, how much a grid has of what one with the most, least, thickest or thinnest has."""
    squares = [block_cells(row, column, 2, 2) for row, column in product(range(GRID_SIZE - 1), repeat=2)]
    parts = squares if sense in ("thickest", "thinnest") else [frozenset({cell}) for cell in cells]
    share = sum(part.issubset(grid.filled_cells) for part in parts) / len(GRID_CELLS)
    return share if sense in ("most", "thickest") else -share


def _has_gap(grid: Grid, height: int, width: int, is_upright: bool) -> bool:
    """Return whether a rectangle of a size is empty somewhere; it may lie if nothing is said."""
    gap_sizes = {(height, width)} if is_upright else {(height, width), (width, height)}
    gaps = [(pair, block_cells(*cell, *pair)) for pair in gap_sizes for cell in GRID_CELLS]
    return any(len(cells) == pair[0] * pair[1] and not any(grid[cell] for cell in cells) for pair, cells in gaps)


def leans_to(cells: Iterable[Cell], side: str) -> bool:
    """Return whether most of some cells are on a side."""
    axis_index = side in ("left", "right")
    offsets = [cell[axis_index] - CENTRE_CELL[axis_index] for cell in cells]
    return sum(offsets) * (-1 if side in ("left", "top") else 1) > 0


def _slopes(grid: Grid, step: int) -> bool:
    """Return whether at least as many filled cells go on diagonally down to the right (1), or left (-1), as not."""
    filled_cells = set(grid.filled_cells)
    pair_counts = [
        sum((row + 1, column + side) in filled_cells for row, column in filled_cells) for side in (step, -step)
    ]
    return pair_counts[0] >= pair_counts[1]


def _list_spans(grid: Grid, side: str) -> list[tuple[int, int]]:
    """Return, for each line with filled cells from a side on, how many these are and how wide they spread."""
    lines = [get_line(grid, SIDE_AXES[side], number) for number in range(GRID_SIZE)]
    filled_places = [[place for place, is_filled in enumerate(line) if is_filled] for line in lines if any(line)]
    spans = [(len(places), places[-1] - places[0] + 1) for places in filled_places]
    return spans if side in ("top", "left") else spans[::-1]


def _points_to(grid: Grid, side: str) -> bool:
    """Return whether what is filled becomes wider, line by line, from a side on."""
    widths = [width for _, width in _list_spans(grid, side)]
    tip_widths = widths[: widths.index(max(widths)) + 1] if widths else []
    return len(tip_widths) > 1 and all(width < next_width for width, next_width in pairwise(tip_widths))


def _has_hole(grid: Grid) -> bool:
    """Return whether empty cells are enclosed by filled ones: not joined to the border by other empty cells."""
    outside_cells = {cell for cell in BORDER_CELLS if not grid[cell]}
    edge_cells = list(outside_cells)
    while edge_cells:
        row, column = edge_cells.pop()
        neighbour_cells = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & ALL_CELLS
        edge_cells += [cell for cell in neighbour_cells - outside_cells if not grid[cell]]
        outside_cells.update(edge_cells)
    return len(outside_cells) < len(GRID_CELLS) - grid.count


def _compares_lines(grid: Grid, axis: str, number: int, other_axis: str, other_number: int, order: int) -> bool:
    """Return whether a line has more filled cells than another (1), fewer (-1) or as many (0)."""
    filled_count, other_count = sum(get_line(grid, axis, number)), sum(get_line(grid, other_axis, other_number))
    return (filled_count > other_count) - (filled_count < other_count) == order


TESTS_BY_KIND: dict[str, Any] = {
    "shape": lambda grid, *names: shape_distance(grid, names) <= SLACK,
    "variant": lambda grid, *names: 0 < shape_distance(grid, names) <= SLACK,
    "extreme": lambda *_: False,  # of one of several grids, which one alone cannot show
    "strokes": lambda grid, number: sum(len(find_lines(grid, axis, "line")) for axis in ("row", "column")) == number,
    "lines": lambda grid, axis, state, low, high: low <= len(find_lines(grid, axis, state)) <= high,
    "alike": lambda grid, axis, *numbers: len({get_line(grid, axis, number) for number in numbers}) == 1,
    "compared": _compares_lines,
    "block": _has_block,
    "gap": _has_gap,
    "stands": _has_stance,
    "spans": lambda grid, axis, number: len(find_lines(grid, axis, "empty")) == GRID_SIZE - number,
    "leans": lambda grid, side: leans_to(grid.filled_cells, side),
    "points": _points_to,
    "opens": lambda grid, side: any(count < width for count, width in _list_spans(grid, side)[:1]),
    "slopes": _slopes,
    "symmetric": lambda grid, side: any(side in name for name in grids.symmetries(grid)),
    "connected": lambda grid: grids.count_components(grid) == 1,
    "hole": _has_hole,
}
