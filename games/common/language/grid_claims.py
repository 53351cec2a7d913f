"""Claims about a grid of filled and empty cells: counts of cells, and tests of lines and shapes.

A grid is described completely by its text, so a claim that is understood holds or does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from games.common import grids
from games.common.grids import CELLS, CENTRE, SIZE, Cell, Grid
from games.common.language.regions import ALL, BORDER, block
from games.common.language.signs import Cells

NEAR, FAR = 3, 9
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
    def bits(self) -> int:
        """The cells as a number, for fast comparisons."""
        return grids.bits_of(self.cells)

    def share(self, grid: Grid) -> float:
        """Return how nearly so many are filled: 1 where it is so."""
        number = (grid.bits & self.bits).bit_count()
        return 1 - max(self.low - number, number - self.high, 0) / max(1, len(self.cells))

    def is_excluded(self, states: Mapping[Cell, bool]) -> bool:
        """Return whether so many cannot be filled where some cells are known."""
        here = [states[cell] for cell in self.cells if cell in states]
        return sum(here) > self.high or len(self.cells) - here.count(False) < self.low


@dataclass(frozen=True)
class GridClaim:
    """One thing that a text says of a grid: all counts of one of its readings are so, or a test is passed.

    `is_sure`: a grid of which it does not hold is another grid; else it may have been meant or read otherwise.
    `is_understood`: every word of its clause was; else it is no evidence.
    """

    readings: tuple[tuple[CellCount, ...], ...] = ()
    test: Test = ()
    negated: bool = False
    is_sure: bool = True
    is_understood: bool = True
    text: str = ""

    def holds(self, grid: Grid) -> bool:
        """Return whether it is so of a grid."""
        if self.test:
            return passes(self.test, grid) != self.negated
        return any(all(count.share(grid) == 1 for count in reading) for reading in self.readings) != self.negated

    def fit(self, grid: Grid) -> float:
        """Return how nearly it is so of a grid, from 0 to 1: half for what is partly so."""
        if self.test[:1] == ("shape",) and not self.negated:
            return max(0.0, 1 - shape_distance(grid, self.test[1:]) / 12)
        if self.holds(grid):
            return 1.0
        shares = [sum(count.share(grid) for count in reading) / len(reading) for reading in self.readings if reading]
        return max(shares, default=0.0) / 2

    def disagrees(self, other: GridClaim) -> bool:
        """Return whether it contradicts another claim, or that one it."""
        return self.contradicts(other) or other.contradicts(self)

    def contradicts(self, other: GridClaim) -> bool:
        """Return whether no grid is as both say, as far as the cells and counts of the two show."""
        states, states_there = self.known_cells(), other.known_cells()
        if self.test[:1] == ("shape",) and not self.negated:
            patterns = [pattern for name in self.test[1:] for pattern in _patterns_named(f"turned {name}")]
            return all(sum(pattern[cell] != states_there[cell] for cell in states_there) > NEAR for pattern in patterns)
        return len(other.readings) == 1 and any(count.is_excluded(states) for count in other.readings[0])

    def known_cells(self) -> dict[Cell, bool]:
        """Return the cells that it says are filled or empty."""
        counts = self.readings[0] if len(self.readings) == 1 and not self.negated else ()
        whole = [count for count in counts if count.low == count.high and count.low in (0, len(count.cells))]
        return {cell: count.low > 0 for count in whole for cell in count.cells}


def state_claim(cells: Cells, filled: bool, is_sure: bool = True) -> GridClaim:
    """Return the claim that all cells are filled or empty, cell by cell."""
    counts = tuple(CellCount(frozenset({cell}), int(filled), int(filled)) for cell in sorted(cells))
    return GridClaim((counts,), is_sure=is_sure)


def count_claim(cells: Cells, low: int, high: int) -> GridClaim:
    """Return the claim that so many of some cells are filled."""
    return GridClaim(((CellCount(cells, low, high),),))


# ---------------------------------------------------------------------- tests
def passes(test: Test, grid: Grid) -> bool:
    """Return whether a grid passes a test: a kind and what it is about."""
    kind, *rest = test
    return bool(TESTS[str(kind)](grid, *rest))


def lines_such(grid: Grid, axis: str, state: str) -> list[int]:
    """Return the rows or columns that are full, empty, have something ("some"), a "line" or so many cells ("3")."""
    lines = [line_of(grid, axis, number) for number in range(SIZE)]
    if state == "line":
        starts = range(SIZE - LINE + 1)
        return [n for n, line in enumerate(lines) if any(all(line[start : start + LINE]) for start in starts)]
    sums = {"full": {SIZE}, "empty": {0}, "some": set(range(1, SIZE + 1))}.get(state) or {int(state)}
    return [number for number, line in enumerate(lines) if sum(line) in sums]


def line_of(grid: Grid, axis: str, number: int) -> tuple[bool, ...]:
    """Return the cells of a row or column."""
    return grid.rows[number] if axis == "row" else grid.column(number)


def shape_distance(grid: Grid, names: Iterable[object]) -> int:
    """Return in how many cells a grid differs from the nearest of some patterns; `FAR` if it is one of them turned."""
    patterns = [pattern for name in names for pattern in _patterns_named(str(name))]
    distance = min(((grid.bits ^ pattern.bits).bit_count() for pattern in patterns), default=len(CELLS))
    is_turned = distance > 0 and any(grid in _patterns_named(f"turned {name}") for name in names)
    return FAR if is_turned else distance


@cache
def _patterns_named(name: str) -> tuple[Grid, ...]:
    """Return the patterns of a name; after "turned " all their rotations and mirror images."""
    plain = name.removeprefix("turned ")
    families = ("letters", "shapes", "diagonals")
    patterns = [p.grid for family in families for p in grids.patterns(family) if p.name == plain]
    if plain != name:
        patterns = [turn(pattern) for pattern in patterns for turn in grids.TRANSFORMS.values()]
        patterns += [grids.turn_90(grids.mirror_left_right(pattern)) for pattern in patterns]
    return tuple(dict.fromkeys(patterns))


def _has_block(grid: Grid, height: int, width: int, is_hollow: bool, is_upright: bool) -> bool:
    """Return whether a rectangle of a size is filled somewhere, or only its border; it may lie if nothing is said."""
    sizes = {(height, width)} if is_upright else {(height, width), (width, height)}
    places = ((top, left, *size) for size in sizes for top in range(SIZE) for left in range(SIZE))
    return any(_is_block(grid, place, is_hollow) for place in places)


def _is_block(grid: Grid, place: tuple[int, int, int, int], is_hollow: bool) -> bool:
    top, left, height, width = place
    cells, inside = block(*place), block(*place, margin=1) if is_hollow else frozenset()
    near = [block(top + step, left, 1, width) for step in (-1, height)]
    near += [block(top, left + step, height, 1) for step in (-1, width)]
    is_larger = any(part and all(grid[cell] for cell in part) for part in near)
    return len(cells) == height * width and not is_larger and all(grid[cell] != (cell in inside) for cell in cells)


def _stands(grid: Grid, is_tall: bool) -> bool:
    """Return whether the filled cells take up more rows than columns, or fewer."""
    height, width = (len({cell[at] for cell in grid.filled}) for at in (0, 1))
    return height != width and (height > width) == is_tall


def _leans(grid: Grid, side: str) -> bool:
    """Return whether most of what is filled is on a side."""
    at = side in ("left", "right")
    numbers = [cell[at] - CENTRE[at] for cell in grid.filled]
    return sum(numbers) * (-1 if side in ("left", "top") else 1) > 0


def _has_hole(grid: Grid) -> bool:
    """Return whether empty cells are enclosed by filled ones: not joined to the border by other empty cells."""
    outside = {cell for cell in BORDER if not grid[cell]}
    edge = list(outside)
    while edge:
        row, column = edge.pop()
        near = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)} & ALL
        edge += [cell for cell in near - outside if not grid[cell]]
        outside.update(edge)
    return len(outside) < len(CELLS) - grid.count


def _compares(grid: Grid, axis: str, number: int, other_axis: str, other: int, way: int) -> bool:
    """Return whether a line has more filled cells than another (1), fewer (-1) or as many (0)."""
    many, others = sum(line_of(grid, axis, number)), sum(line_of(grid, other_axis, other))
    return (many > others) - (many < others) == way


def _is_symmetric(grid: Grid, side: str) -> bool:
    return any(side in name for name in grids.symmetries(grid))


TESTS: dict[str, Any] = {
    "shape": lambda grid, *names: shape_distance(grid, names) <= NEAR,
    "lines": lambda grid, axis, state, low, high: low <= len(lines_such(grid, axis, state)) <= high,
    "alike": lambda grid, axis, *numbers: len({line_of(grid, axis, number) for number in numbers}) == 1,
    "compared": _compares,
    "block": _has_block,
    "stands": _stands,
    "leans": _leans,
    "symmetric": _is_symmetric,
    "connected": lambda grid: grids.count_components(grid) == 1,
    "hole": _has_hole,
}
