"""Grids of five by five filled and empty cells: parsing, formatting, rotating, editing, comparing, drawing.

A grid as text is five lines of five cells separated by spaces, `X` for filled and `▢` for empty. The pattern families
(diagonals, letters, shapes, rows, columns, random) are our own; each generates distinct grids from a random.Random.
Rows and columns count from 0 in code and from 1 in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations
from random import Random

from games.common.png import encode_png

GRID_SIZE = 5
FILLED_MARK = "X"
EMPTY_MARK = "▢"

Cell = tuple[int, int]
"""(row, column), both from 0."""

CORNER_BY_NAME: dict[str, Cell] = {
    "top left": (0, 0),
    "top right": (0, GRID_SIZE - 1),
    "bottom left": (GRID_SIZE - 1, 0),
    "bottom right": (GRID_SIZE - 1, GRID_SIZE - 1),
}
CENTRE_CELL: Cell = (GRID_SIZE // 2, GRID_SIZE // 2)
GRID_CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(GRID_SIZE) for column in range(GRID_SIZE))
MAIN_DIAGONAL: tuple[Cell, ...] = tuple((i, i) for i in range(GRID_SIZE))
ANTI_DIAGONAL: tuple[Cell, ...] = tuple((i, GRID_SIZE - 1 - i) for i in range(GRID_SIZE))


def bits_of(cells: Iterable[Cell]) -> int:
    """Return a number with one bit set for each cell, from the lowest bit row by row."""
    return sum(1 << (GRID_SIZE * row + column) for row, column in set(cells))


@dataclass(frozen=True, order=True)
class Grid:
    """A grid of GRID_SIZE x GRID_SIZE cells, each filled (True) or empty."""

    rows: tuple[tuple[bool, ...], ...]

    def __post_init__(self) -> None:
        if len(self.rows) != GRID_SIZE or any(len(row) != GRID_SIZE for row in self.rows):
            raise ValueError(f"a grid has {GRID_SIZE} rows of {GRID_SIZE} cells, not {[len(row) for row in self.rows]}")

    def __getitem__(self, cell: Cell) -> bool:
        return self.rows[cell[0]][cell[1]]

    def __str__(self) -> str:
        return format_grid(self)

    @cached_property
    def bits(self) -> int:
        """The filled cells as a number (`bits_of`), for fast comparisons."""
        return bits_of(self.filled_cells)

    @property
    def filled_cells(self) -> tuple[Cell, ...]:
        """The filled cells, row by row."""
        return tuple(cell for cell in GRID_CELLS if self[cell])

    @property
    def count(self) -> int:
        """The number of filled cells."""
        return sum(map(sum, self.rows))

    def column(self, column: int) -> tuple[bool, ...]:
        """Return the cells of a column, from top to bottom."""
        return tuple(row[column] for row in self.rows)


def grid_of(cells: Iterable[Cell]) -> Grid:
    """Return the grid in which exactly these cells are filled."""
    filled_cells = set(cells)
    return Grid(tuple(tuple((row, column) in filled_cells for column in range(GRID_SIZE)) for row in range(GRID_SIZE)))


def parse_grid(text: str) -> Grid:
    """Return the grid of a text. Raises ValueError with the offending line."""
    lines = [line.split() for line in text.strip().splitlines()]
    if len(lines) != GRID_SIZE:
        raise ValueError(f"a grid has {GRID_SIZE} lines, this one {len(lines)}")
    for line_number, line in enumerate(lines, 1):
        if len(line) != GRID_SIZE:
            raise ValueError(f"line {line_number} has {len(line)} cells, not {GRID_SIZE}: {' '.join(line)!r}")
        for cell in line:
            if cell not in (FILLED_MARK, EMPTY_MARK):
                raise ValueError(
                    f"line {line_number} has a cell {cell!r}: only {FILLED_MARK!r} and {EMPTY_MARK!r} are cells"
                )
    return Grid(tuple(tuple(cell == FILLED_MARK for cell in line) for line in lines))


def format_grid(grid: Grid) -> str:
    """Return a grid as text: cells separated by spaces, rows by newlines, no newline at the end."""
    return "\n".join(" ".join(FILLED_MARK if cell else EMPTY_MARK for cell in cells) for cells in grid.rows)


# Rotating and mirroring


def mirror_left_right(grid: Grid) -> Grid:
    """Return a grid with left and right swapped."""
    return Grid(tuple(row[::-1] for row in grid.rows))


def mirror_top_bottom(grid: Grid) -> Grid:
    """Return a grid with top and bottom swapped."""
    return Grid(grid.rows[::-1])


def turn_90(grid: Grid) -> Grid:
    """Return a grid rotated clockwise by a quarter turn."""
    return Grid(tuple(zip(*grid.rows[::-1], strict=True)))


def turn_180(grid: Grid) -> Grid:
    """Return a grid rotated by a half turn."""
    return turn_90(turn_90(grid))


def turn_270(grid: Grid) -> Grid:
    """Return a grid rotated counter-clockwise by a quarter turn."""
    return turn_90(turn_180(grid))


GRID_TRANSFORMS: dict[str, Callable[[Grid], Grid]] = {
    "mirrored left to right": mirror_left_right,
    "mirrored top to bottom": mirror_top_bottom,
    "turned by 90° clockwise": turn_90,
    "turned by 180°": turn_180,
    "turned by 90° counter-clockwise": turn_270,
}


def find_transform(grid_a: Grid, grid_b: Grid) -> str | None:
    """Return the name of the first transformation that turns a into b, None if there is none."""
    return next((name for name, transform in GRID_TRANSFORMS.items() if transform(grid_a) == grid_b), None)


# Editing and comparing


def flip_random_cells(grid: Grid, cell_count: int, rng: Random) -> Grid:
    """Return a grid with exactly k random cells flipped."""
    return flip_cells(grid, rng.sample(GRID_CELLS, cell_count))


def flip_cells(grid: Grid, cells: Iterable[Cell]) -> Grid:
    """Return a grid with these cells flipped."""
    return grid_of(set(grid.filled_cells) ^ set(cells))


def find_differing_cells(grid_a: Grid, grid_b: Grid) -> list[Cell]:
    """Return the cells in which two grids differ, row by row."""
    return [cell for cell in GRID_CELLS if grid_a[cell] != grid_b[cell]]


def hamming_distance(grid_a: Grid, grid_b: Grid) -> int:
    """Return the Hamming distance: the number of cells in which two grids differ."""
    return (grid_a.bits ^ grid_b.bits).bit_count()


# Describing


@dataclass(frozen=True)
class GridFacts:
    """The properties of a grid that a description can use. Rows, columns and cells count from 0."""

    count: int
    row_counts: tuple[int, ...]
    column_counts: tuple[int, ...]
    full_rows: tuple[int, ...]
    full_columns: tuple[int, ...]
    empty_rows: tuple[int, ...]
    empty_columns: tuple[int, ...]
    main_diagonal: bool
    anti_diagonal: bool
    corners: tuple[str, ...]
    centre: bool
    components: int
    symmetries: tuple[str, ...]


def collect_facts(grid: Grid) -> GridFacts:
    """Return the properties of a grid."""
    row_counts = tuple(sum(row) for row in grid.rows)
    columns = tuple(sum(grid.column(i)) for i in range(GRID_SIZE))
    return GridFacts(
        count=grid.count,
        row_counts=row_counts,
        column_counts=columns,
        full_rows=tuple(i for i in range(GRID_SIZE) if row_counts[i] == GRID_SIZE),
        full_columns=tuple(i for i in range(GRID_SIZE) if columns[i] == GRID_SIZE),
        empty_rows=tuple(i for i in range(GRID_SIZE) if row_counts[i] == 0),
        empty_columns=tuple(i for i in range(GRID_SIZE) if columns[i] == 0),
        main_diagonal=all(grid[cell] for cell in MAIN_DIAGONAL),
        anti_diagonal=all(grid[cell] for cell in ANTI_DIAGONAL),
        corners=tuple(corner for corner, cell in CORNER_BY_NAME.items() if grid[cell]),
        centre=grid[CENTRE_CELL],
        components=count_components(grid),
        symmetries=symmetries(grid),
    )


def count_components(grid: Grid) -> int:
    """Return the number of connected components of the filled cells. Cells are connected at their sides."""
    unvisited_cells = set(grid.filled_cells)
    component_count = 0
    while unvisited_cells:
        component_count += 1
        edge = [min(unvisited_cells)]
        unvisited_cells.remove(edge[0])
        while edge:
            row, column = edge.pop()
            for neighbour in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if neighbour in unvisited_cells:
                    unvisited_cells.remove(neighbour)
                    edge.append(neighbour)
    return component_count


def symmetries(grid: Grid) -> tuple[str, ...]:
    """Return the names of the GRID_TRANSFORMS that leave a grid unchanged."""
    return tuple(symmetry for symmetry, transform in GRID_TRANSFORMS.items() if transform(grid) == grid)


# Pattern families


@dataclass(frozen=True)
class Pattern:
    """A grid of a pattern family and its name in words."""

    pattern_family: str
    name: str
    grid: Grid


LETTER_SKETCHES: dict[str, str] = {
    "A": ".XXX. X...X XXXXX X...X X...X",
    "B": "XXXX. X...X XXXX. X...X XXXX.",
    "C": ".XXXX X.... X.... X.... .XXXX",
    "D": "XXXX. X...X X...X X...X XXXX.",
    "E": "XXXXX X.... XXXX. X.... XXXXX",
    "F": "XXXXX X.... XXXX. X.... X....",
    "G": ".XXXX X.... X..XX X...X .XXXX",
    "H": "X...X X...X XXXXX X...X X...X",
    "I": ".XXX. ..X.. ..X.. ..X.. .XXX.",
    "J": "..XXX ...X. ...X. X..X. .XX..",
    "K": "X..X. X.X.. XX... X.X.. X..X.",
    "L": "X.... X.... X.... X.... XXXXX",
    "M": "X...X XX.XX X.X.X X...X X...X",
    "N": "X...X XX..X X.X.X X..XX X...X",
    "O": ".XXX. X...X X...X X...X .XXX.",
    "P": "XXXX. X...X XXXX. X.... X....",
    "Q": ".XXX. X...X X.X.X X..X. .XX.X",
    "R": "XXXX. X...X XXXX. X..X. X...X",
    "S": ".XXXX X.... .XXX. ....X XXXX.",
    "T": "XXXXX ..X.. ..X.. ..X.. ..X..",
    "U": "X...X X...X X...X X...X .XXX.",
    "V": "X...X X...X X...X .X.X. ..X..",
    "W": "X...X X...X X.X.X XX.XX X...X",
    "X": "X...X .X.X. ..X.. .X.X. X...X",
    "Y": "X...X .X.X. ..X.. ..X.. ..X..",
    "Z": "XXXXX ...X. ..X.. .X... XXXXX",
}


def _sketch_grid(text: str) -> Grid:
    return Grid(tuple(tuple(cell == "X" for cell in line) for line in text.split()))


def _generate_letter_grids() -> Iterator[tuple[str, Grid]]:
    for letter, text in LETTER_SKETCHES.items():
        yield f"the letter {letter}", _sketch_grid(text)


def _generate_diagonal_grids() -> Iterator[tuple[str, Grid]]:
    """Yield grids of one to three diagonal lines of at least three cells."""
    lines = [[(i, i + offset) for i in range(GRID_SIZE) if 0 <= i + offset < GRID_SIZE] for offset in range(-2, 3)]
    lines += [
        [(i, GRID_SIZE - 1 - i + offset) for i in range(GRID_SIZE) if 0 <= GRID_SIZE - 1 - i + offset < GRID_SIZE]
        for offset in range(-2, 3)
    ]
    for line_count, pattern_name in ((1, "a diagonal line"), (2, "two diagonal lines"), (3, "three diagonal lines")):
        for selected_lines in combinations(lines, line_count):
            yield pattern_name, grid_of(cell for line in selected_lines for cell in line)


def _list_block_cells(top_row: int, left_column: int, height: int, width: int) -> set[Cell]:
    return {
        (row, column) for row in range(top_row, top_row + height) for column in range(left_column, left_column + width)
    }


def _generate_block_positions(height: int, width: int) -> Iterator[Cell]:
    """Yield the top left cells at which a block of this size fits."""
    for top_row in range(GRID_SIZE - height + 1):
        for left_column in range(GRID_SIZE - width + 1):
            yield top_row, left_column


def _choose_block_name(height: int, width: int) -> str:
    return "square" if height == width else "rectangle"


def _generate_shape_grids() -> Iterator[tuple[str, Grid]]:
    """Yield blocks, frames, plus signs, diamonds, triangles, corners, arrows, checkerboards and an hourglass."""
    yield from _generate_block_shapes()
    yield from _generate_centred_shapes()
    yield from _generate_oriented_shapes()
    hourglass = _sketch_grid("XXXXX .XXX. ..X.. .XXX. XXXXX")
    yield "an hourglass", hourglass
    yield "a bow tie", turn_90(hourglass)
    yield "a checkerboard", grid_of(cell for cell in GRID_CELLS if sum(cell) % 2 == 0)
    yield "a checkerboard", grid_of(cell for cell in GRID_CELLS if sum(cell) % 2 == 1)


def _generate_block_shapes() -> Iterator[tuple[str, Grid]]:
    for height in range(2, 5):
        for width in range(2, 5):
            for top_row, left_column in _generate_block_positions(height, width):
                yield (
                    f"a solid {_choose_block_name(height, width)}",
                    grid_of(_list_block_cells(top_row, left_column, height, width)),
                )
    for height in range(3, 6):
        for width in range(3, 6):
            for top_row, left_column in _generate_block_positions(height, width):
                frame_cells = _list_block_cells(top_row, left_column, height, width) - _list_block_cells(
                    top_row + 1, left_column + 1, height - 2, width - 2
                )
                yield f"a hollow {_choose_block_name(height, width)}", grid_of(frame_cells)


def _generate_centred_shapes() -> Iterator[tuple[str, Grid]]:
    for radius in (1, 2):
        offsets = [(row, column) for row in range(-radius, radius + 1) for column in range(-radius, radius + 1)]
        cells_by_name = {
            "a plus sign": [(row, column) for row, column in offsets if row == 0 or column == 0],
            "a hollow diamond": [(row, column) for row, column in offsets if abs(row) + abs(column) == radius],
            "a solid diamond": [(row, column) for row, column in offsets if abs(row) + abs(column) <= radius],
        }
        for name, cells in cells_by_name.items():
            for top_row, left_column in _generate_block_positions(2 * radius + 1, 2 * radius + 1):
                yield name, grid_of((top_row + radius + row, left_column + radius + column) for row, column in cells)


def _generate_oriented_shapes() -> Iterator[tuple[str, Grid]]:
    """Yield shapes in all four orientations, at all positions."""
    for size in (3, 4, 5):
        triangle = grid_of((row, column) for row in range(size) for column in range(row + 1))
        angle = grid_of(
            (row, column) for row in range(size) for column in range(size) if column == 0 or row == size - 1
        )
        yield from _rotate_and_shift("a solid triangle", triangle)
        yield from _rotate_and_shift("an angle of two lines", angle)
    yield from _rotate_and_shift("a pyramid", _sketch_grid("..X.. .XXX. XXXXX ..... ....."))
    yield from _rotate_and_shift("an arrow", _sketch_grid("..X.. .XXX. X.X.X ..X.. ..X.."))
    yield from _rotate_and_shift("a chevron", _sketch_grid("..X.. .X.X. X...X ..... ....."))


def _rotate_and_shift(pattern_name: str, grid: Grid) -> Iterator[tuple[str, Grid]]:
    for turned_grid in (grid, turn_90(grid), turn_180(grid), turn_270(grid)):
        top_row, left_column = (
            min(row for row, _ in turned_grid.filled_cells),
            min(column for _, column in turned_grid.filled_cells),
        )
        cells = [(row - top_row, column - left_column) for row, column in turned_grid.filled_cells]
        height, width = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
        for row_shift, column_shift in _generate_block_positions(height, width):
            yield pattern_name, grid_of((row + row_shift, column + column_shift) for row, column in cells)


def _generate_full_lines(pattern_name: str, cell: Callable[[int, int], Cell]) -> Iterator[tuple[str, Grid]]:
    for line_count in range(1, GRID_SIZE):
        for selected_lines in combinations(range(GRID_SIZE), line_count):
            yield f"full {pattern_name}", grid_of(cell(line, i) for line in selected_lines for i in range(GRID_SIZE))


_GENERATOR_BY_FAMILY: dict[str, Callable[[], Iterator[tuple[str, Grid]]]] = {
    "diagonals": _generate_diagonal_grids,
    "letters": _generate_letter_grids,
    "shapes": _generate_shape_grids,
    "rows": lambda: _generate_full_lines("rows", lambda line, i: (line, i)),
    "columns": lambda: _generate_full_lines("columns", lambda line, i: (i, line)),
}
PATTERN_FAMILIES: tuple[str, ...] = (*_GENERATOR_BY_FAMILY, "random")


@cache
def patterns(pattern_family: str) -> tuple[Pattern, ...]:
    """Return all patterns of a family except `random`, in a fixed order, no grid twice.

    They include patterns that are recognised in older instances, but not used for new ones: see `is_recognisable`.
    """
    pattern_by_grid: dict[Grid, Pattern] = {}
    for pattern_name, grid in _GENERATOR_BY_FAMILY[pattern_family]():
        pattern_by_grid.setdefault(grid, Pattern(pattern_family, pattern_name, grid))
    return tuple(pattern_by_grid.values())


def is_recognisable(pattern: Pattern) -> bool:
    """Return whether people recognise a pattern at a glance and name it after its family.

    Three diagonal lines look like cells at random, and so do two that run side by side or cross between cells. Some
    look like a letter or a shape: the two longest are an X.
    """
    if pattern.pattern_family != "diagonals":
        return True
    are_cells_separate = count_components(pattern.grid) == pattern.grid.count
    has_other_family = list_families(pattern.grid) != ("diagonals",)
    return are_cells_separate and not has_other_family and pattern.name != "three diagonal lines"


def generate_recognisable_grids(pattern_family: str, rng: Random) -> Iterator[Grid]:
    """Yield the clear grids of a family in random order, none twice."""
    yield from (
        grid
        for grid in generate_grids(pattern_family, rng)
        if pattern_family == "random" or pattern_family in list_recognisable_families(grid)
    )


def generate_grids(pattern_family: str, rng: Random) -> Iterator[Grid]:
    """Yield the grids of a family in random order, none twice. `random` never ends: 8 to 14 cells are filled.

    Not all of them are clear (`is_recognisable`): those who make instances skip or replace the others.
    """
    if pattern_family != "random":
        grids = [pattern.grid for pattern in patterns(pattern_family)]
        rng.shuffle(grids)
        yield from grids
        return
    earlier_grids: set[Grid] = set()
    while True:
        grid = grid_of(rng.sample(GRID_CELLS, rng.randint(8, 14)))
        if grid not in earlier_grids:
            earlier_grids.add(grid)
            yield grid


@lru_cache(maxsize=1)
def _index_patterns_by_grid() -> dict[Grid, Pattern]:
    """Return all patterns by grid. Letters come first, so that an X is a letter and not two diagonals."""
    pattern_by_grid: dict[Grid, Pattern] = {}
    for pattern_family in ("letters", "shapes", "diagonals", "rows", "columns"):
        for pattern in patterns(pattern_family):
            pattern_by_grid.setdefault(pattern.grid, pattern)
    return pattern_by_grid


@lru_cache(maxsize=4096)  # every instance is checked when it is read, and a run reads it for every episode
def list_families(grid: Grid) -> tuple[str, ...]:
    """Return the names of all families except `random` that contain this grid."""
    return tuple(
        pattern_family
        for pattern_family in _GENERATOR_BY_FAMILY
        if any(pattern.grid == grid for pattern in patterns(pattern_family))
    )


def list_recognisable_families(grid: Grid) -> tuple[str, ...]:
    """Return the names of all families except `random` that contain this grid as a clear pattern."""
    return tuple(
        pattern_family
        for pattern_family in list_families(grid)
        if any(pattern.grid == grid and is_recognisable(pattern) for pattern in patterns(pattern_family))
    )


def find_pattern_name(grid: Grid) -> str | None:
    """Return the name of a grid ("the letter P", "a hollow square"), None if it is not a pattern."""
    pattern = _index_patterns_by_grid().get(grid)
    return pattern.name if pattern else None


def find_nearest_pattern_name(grid: Grid, max_distance: int = 2) -> str | None:
    """Return the name of the nearest letter or shape that differs in 1 to `max_distance` cells, or None."""
    candidates = [
        (hamming_distance(grid, pattern.grid), i, pattern.name)
        for i, pattern in enumerate(_index_patterns_by_grid().values())
        if pattern.pattern_family in ("letters", "shapes")
    ]
    distance, _, pattern_name = min(candidates)
    return pattern_name if 0 < distance <= max_distance else None


# Drawing

PAPER_COLOUR, INK_COLOUR, LINE_COLOUR = "#f7f6f3", "#2b2f36", "#c9c6bf"


def render_png(grid: Grid, cell: int = 88, margin: int = 20) -> bytes:
    """Return a grid as a PNG picture: dark filled cells on light paper, thin lines between cells. Sizes in pixels."""
    from PIL import Image, ImageDraw  # late: most commands draw nothing

    side = GRID_SIZE * cell + 2 * margin
    image = Image.new("RGB", (side, side), PAPER_COLOUR)
    pen = ImageDraw.Draw(image)
    for row, column in grid.filled_cells:
        x, y = margin + column * cell, margin + row * cell
        pen.rectangle((x, y, x + cell, y + cell), fill=INK_COLOUR)
    for i in range(GRID_SIZE + 1):
        line_position = margin + i * cell
        pen.line((margin, line_position, side - margin, line_position), fill=LINE_COLOUR, width=2)
        pen.line((line_position, margin, line_position, side - margin), fill=LINE_COLOUR, width=2)
    return encode_png(image)
