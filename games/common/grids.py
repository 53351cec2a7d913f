"""Small grids of filled and empty cells: reading, writing, turning, changing, comparing, drawing.

A grid as text is five lines of five cells separated by blanks, `X` filled and `▢` empty. Pattern families (diagonals,
letters, shapes, rows, columns, random) are our own; each hands out distinct grids from a random.Random that is passed
in. Rows and columns count from 0 in code and from 1 in words. No game and no player is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations
from random import Random

from PIL import Image, ImageDraw

from games.common.png import png

SIZE = 5
FILLED = "X"
EMPTY = "▢"

Cell = tuple[int, int]
"""(row, column), both from 0."""

CORNERS: dict[str, Cell] = {
    "top left": (0, 0),
    "top right": (0, SIZE - 1),
    "bottom left": (SIZE - 1, 0),
    "bottom right": (SIZE - 1, SIZE - 1),
}
CENTRE: Cell = (SIZE // 2, SIZE // 2)
CELLS: tuple[Cell, ...] = tuple((row, column) for row in range(SIZE) for column in range(SIZE))
MAIN_DIAGONAL: tuple[Cell, ...] = tuple((i, i) for i in range(SIZE))
ANTI_DIAGONAL: tuple[Cell, ...] = tuple((i, SIZE - 1 - i) for i in range(SIZE))


def bits_of(cells: Iterable[Cell]) -> int:
    """Return a number with a bit for each cell, row by row from the lowest."""
    return sum(1 << (SIZE * row + column) for row, column in set(cells))


@dataclass(frozen=True, order=True)
class Grid:
    """A grid of SIZE x SIZE cells, each filled (True) or empty."""

    rows: tuple[tuple[bool, ...], ...]

    def __post_init__(self) -> None:
        if len(self.rows) != SIZE or any(len(row) != SIZE for row in self.rows):
            raise ValueError(f"a grid has {SIZE} rows of {SIZE} cells, not {[len(row) for row in self.rows]}")

    def __getitem__(self, cell: Cell) -> bool:
        return self.rows[cell[0]][cell[1]]

    def __str__(self) -> str:
        return format_grid(self)

    @cached_property
    def bits(self) -> int:
        """The filled cells as a number (`bits_of`), for counting many."""
        return bits_of(self.filled)

    @property
    def filled(self) -> tuple[Cell, ...]:
        """All filled cells, row by row."""
        return tuple(cell for cell in CELLS if self[cell])

    @property
    def count(self) -> int:
        """How many cells are filled."""
        return sum(map(sum, self.rows))

    def column(self, column: int) -> tuple[bool, ...]:
        """The cells of a column, from top to bottom."""
        return tuple(row[column] for row in self.rows)


def grid_of(cells: list[Cell] | tuple[Cell, ...] | set[Cell] | frozenset[Cell]) -> Grid:
    """Make the grid in which exactly these cells are filled."""
    inside = set(cells)
    return Grid(tuple(tuple((row, column) in inside for column in range(SIZE)) for row in range(SIZE)))


def parse_grid(text: str) -> Grid:
    """Read a grid from its text. Raises ValueError that names the line and what stands there."""
    lines = [line.split() for line in text.strip().splitlines()]
    if len(lines) != SIZE:
        raise ValueError(f"a grid has {SIZE} lines, this one {len(lines)}")
    for number, line in enumerate(lines, 1):
        if len(line) != SIZE:
            raise ValueError(f"line {number} has {len(line)} cells, not {SIZE}: {' '.join(line)!r}")
        for cell in line:
            if cell not in (FILLED, EMPTY):
                raise ValueError(f"line {number} has a cell {cell!r}: only {FILLED!r} and {EMPTY!r} are cells")
    return Grid(tuple(tuple(cell == FILLED for cell in line) for line in lines))


def format_grid(grid: Grid) -> str:
    """Write a grid as text: cells joined by blanks, rows by newlines, no newline at the end."""
    return "\n".join(" ".join(FILLED if cell else EMPTY for cell in row) for row in grid.rows)


# Turning and mirroring


def mirror_left_right(grid: Grid) -> Grid:
    """Swap left and right."""
    return Grid(tuple(row[::-1] for row in grid.rows))


def mirror_top_bottom(grid: Grid) -> Grid:
    """Swap top and bottom."""
    return Grid(grid.rows[::-1])


def turn_90(grid: Grid) -> Grid:
    """Turn clockwise by a quarter."""
    return Grid(tuple(zip(*grid.rows[::-1], strict=True)))


def turn_180(grid: Grid) -> Grid:
    """Turn by a half."""
    return turn_90(turn_90(grid))


def turn_270(grid: Grid) -> Grid:
    """Turn counter-clockwise by a quarter."""
    return turn_90(turn_180(grid))


TRANSFORMS: dict[str, Callable[[Grid], Grid]] = {
    "mirrored left to right": mirror_left_right,
    "mirrored top to bottom": mirror_top_bottom,
    "turned by 90° clockwise": turn_90,
    "turned by 180°": turn_180,
    "turned by 90° counter-clockwise": turn_270,
}


def transform_between(a: Grid, b: Grid) -> str | None:
    """Name the first transformation that makes b out of a, None when none does."""
    return next((name for name, change in TRANSFORMS.items() if change(a) == b), None)


# Changing and comparing


def flip_random_cells(grid: Grid, k: int, rng: Random) -> Grid:
    """Invert exactly k different cells, chosen at random."""
    return flip_cells(grid, rng.sample(CELLS, k))


def flip_cells(grid: Grid, cells: list[Cell] | tuple[Cell, ...]) -> Grid:
    """Invert the cells named."""
    return grid_of(set(grid.filled) ^ set(cells))


def differing_cells(a: Grid, b: Grid) -> list[Cell]:
    """The cells in which two grids differ, row by row."""
    return [cell for cell in CELLS if a[cell] != b[cell]]


def hamming(a: Grid, b: Grid) -> int:
    """In how many cells two grids differ."""
    return (a.bits ^ b.bits).bit_count()


# What can be said about a grid


@dataclass(frozen=True)
class GridFacts:
    """What a description of a grid can use. Rows, columns and cells count from 0."""

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
    """Collect what can be said about a grid."""
    rows = tuple(sum(row) for row in grid.rows)
    columns = tuple(sum(grid.column(i)) for i in range(SIZE))
    return GridFacts(
        count=grid.count,
        row_counts=rows,
        column_counts=columns,
        full_rows=tuple(i for i in range(SIZE) if rows[i] == SIZE),
        full_columns=tuple(i for i in range(SIZE) if columns[i] == SIZE),
        empty_rows=tuple(i for i in range(SIZE) if rows[i] == 0),
        empty_columns=tuple(i for i in range(SIZE) if columns[i] == 0),
        main_diagonal=all(grid[cell] for cell in MAIN_DIAGONAL),
        anti_diagonal=all(grid[cell] for cell in ANTI_DIAGONAL),
        corners=tuple(name for name, cell in CORNERS.items() if grid[cell]),
        centre=grid[CENTRE],
        components=count_components(grid),
        symmetries=symmetries(grid),
    )


def count_components(grid: Grid) -> int:
    """Into how many connected pieces the filled cells fall; cells that meet at a side are connected."""
    left = set(grid.filled)
    found = 0
    while left:
        found += 1
        edge = [min(left)]
        left.remove(edge[0])
        while edge:
            row, column = edge.pop()
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if near in left:
                    left.remove(near)
                    edge.append(near)
    return found


def symmetries(grid: Grid) -> tuple[str, ...]:
    """Under which of TRANSFORMS a grid stays the same, by name."""
    return tuple(name for name, change in TRANSFORMS.items() if change(grid) == grid)


# Pattern families


@dataclass(frozen=True)
class Pattern:
    """A grid of a pattern family and what a person would call it."""

    family: str
    name: str
    grid: Grid


LETTERS: dict[str, str] = {
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


def _sketch(text: str) -> Grid:
    return Grid(tuple(tuple(cell == "X" for cell in line) for line in text.split()))


def _letters() -> Iterator[tuple[str, Grid]]:
    for letter, text in LETTERS.items():
        yield f"the letter {letter}", _sketch(text)


def _diagonals() -> Iterator[tuple[str, Grid]]:
    """One to three diagonal lines of at least three cells."""
    lines = [[(i, i + k) for i in range(SIZE) if 0 <= i + k < SIZE] for k in range(-2, 3)]
    lines += [[(i, SIZE - 1 - i + k) for i in range(SIZE) if 0 <= SIZE - 1 - i + k < SIZE] for k in range(-2, 3)]
    for n, name in ((1, "a diagonal line"), (2, "two diagonal lines"), (3, "three diagonal lines")):
        for chosen in combinations(lines, n):
            yield name, grid_of([cell for line in chosen for cell in line])


def _block(top: int, left: int, height: int, width: int) -> set[Cell]:
    return {(row, column) for row in range(top, top + height) for column in range(left, left + width)}


def _places(height: int, width: int) -> Iterator[Cell]:
    for top in range(SIZE - height + 1):
        for left in range(SIZE - width + 1):
            yield top, left


def _kind(height: int, width: int) -> str:
    return "square" if height == width else "rectangle"


def _shapes() -> Iterator[tuple[str, Grid]]:
    """Blocks, frames, plus signs, diamonds, triangles, corners, arrows, checkerboards and an hourglass."""
    for height in range(2, 5):
        for width in range(2, 5):
            for top, left in _places(height, width):
                yield f"a solid {_kind(height, width)}", grid_of(_block(top, left, height, width))
    for height in range(3, 6):
        for width in range(3, 6):
            for top, left in _places(height, width):
                frame = _block(top, left, height, width) - _block(top + 1, left + 1, height - 2, width - 2)
                yield f"a hollow {_kind(height, width)}", grid_of(frame)
    for reach in (1, 2):
        ball = [(r, c) for r in range(-reach, reach + 1) for c in range(-reach, reach + 1)]
        figures = {
            "a plus sign": [(r, c) for r, c in ball if r == 0 or c == 0],
            "a hollow diamond": [(r, c) for r, c in ball if abs(r) + abs(c) == reach],
            "a solid diamond": [(r, c) for r, c in ball if abs(r) + abs(c) <= reach],
        }
        for name, cells in figures.items():
            for top, left in _places(2 * reach + 1, 2 * reach + 1):
                yield name, grid_of([(top + reach + r, left + reach + c) for r, c in cells])
    for size in (3, 4, 5):
        steps = grid_of([(r, c) for r in range(size) for c in range(r + 1)])
        corner = grid_of([(r, c) for r in range(size) for c in range(size) if c == 0 or r == size - 1])
        for name, start in (("a solid triangle", steps), ("an angle of two lines", corner)):
            for turned in _turned(start):
                yield from ((name, moved) for moved in _moved(turned))
    pyramid = _sketch("..X.. .XXX. XXXXX ..... .....")
    arrow = _sketch("..X.. .XXX. X.X.X ..X.. ..X..")
    chevron = _sketch("..X.. .X.X. X...X ..... .....")
    hourglass = _sketch("XXXXX .XXX. ..X.. .XXX. XXXXX")
    for name, start in (("a pyramid", pyramid), ("an arrow", arrow), ("a chevron", chevron)):
        for turned in _turned(start):
            yield from ((name, moved) for moved in _moved(turned))
    yield "an hourglass", hourglass
    yield "a bow tie", turn_90(hourglass)
    yield "a checkerboard", grid_of([cell for cell in CELLS if sum(cell) % 2 == 0])
    yield "a checkerboard", grid_of([cell for cell in CELLS if sum(cell) % 2 == 1])


def _turned(grid: Grid) -> list[Grid]:
    return [grid, turn_90(grid), turn_180(grid), turn_270(grid)]


def _moved(grid: Grid) -> Iterator[Grid]:
    """The pattern at every place of the grid where it fits."""
    top, left = min(r for r, _ in grid.filled), min(c for _, c in grid.filled)
    cells = [(r - top, c - left) for r, c in grid.filled]
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    for down, right in _places(height, width):
        yield grid_of([(r + down, c + right) for r, c in cells])


def _lines(name: str, cell: Callable[[int, int], Cell]) -> Iterator[tuple[str, Grid]]:
    for n in range(1, SIZE):
        for chosen in combinations(range(SIZE), n):
            yield f"full {name}", grid_of([cell(line, i) for line in chosen for i in range(SIZE)])


_MAKERS: dict[str, Callable[[], Iterator[tuple[str, Grid]]]] = {
    "diagonals": _diagonals,
    "letters": _letters,
    "shapes": _shapes,
    "rows": lambda: _lines("rows", lambda line, i: (line, i)),
    "columns": lambda: _lines("columns", lambda line, i: (i, line)),
}
FAMILIES: tuple[str, ...] = (*_MAKERS, "random")


@cache
def patterns(family: str) -> tuple[Pattern, ...]:
    """All patterns of a family except `random`, in a fixed order, no grid twice."""
    found: dict[Grid, Pattern] = {}
    for name, grid in _MAKERS[family]():
        found.setdefault(grid, Pattern(family, name, grid))
    return tuple(found.values())


def generate_grids(family: str, rng: Random) -> Iterator[Grid]:
    """Hand out the grids of a family in random order, none twice; `random` has 8 to 14 filled cells and no end soon."""
    if family != "random":
        grids = [pattern.grid for pattern in patterns(family)]
        rng.shuffle(grids)
        yield from grids
        return
    seen: set[Grid] = set()
    while True:
        grid = grid_of(rng.sample(CELLS, rng.randint(8, 14)))
        if grid not in seen:
            seen.add(grid)
            yield grid


@lru_cache(maxsize=1)
def _named() -> dict[Grid, Pattern]:
    """Every pattern by its grid; letters first, so that an X is a letter before it is two diagonals."""
    found: dict[Grid, Pattern] = {}
    for family in ("letters", "shapes", "diagonals", "rows", "columns"):
        for pattern in patterns(family):
            found.setdefault(pattern.grid, pattern)
    return found


@lru_cache(maxsize=4096)  # every instance is checked as it is read: a run reads each as often as it plays it
def families_of(grid: Grid) -> tuple[str, ...]:
    """Name every family but `random` that has this very grid."""
    return tuple(family for family in _MAKERS if any(pattern.grid == grid for pattern in patterns(family)))


def pattern_name(grid: Grid) -> str | None:
    """What a person would call this very grid (`the letter P`, `a hollow square`), None for no known pattern."""
    pattern = _named().get(grid)
    return pattern.name if pattern else None


def nearest_pattern_name(grid: Grid, within: int = 2) -> str | None:
    """The nearest letter or shape that differs in 1 to `within` cells, None when nothing is that near."""
    near = [
        (hamming(grid, p.grid), i, p.name) for i, p in enumerate(_named().values()) if p.family in ("letters", "shapes")
    ]
    distance, _, name = min(near)
    return name if 0 < distance <= within else None


# Drawing

PAPER, INK, LINE = "#f7f6f3", "#2b2f36", "#c9c6bf"


def draw(grid: Grid, cell: int = 88, margin: int = 20) -> bytes:
    """Draw a grid as a PNG picture: dark filled cells on light paper, thin lines between cells."""
    side = SIZE * cell + 2 * margin
    image = Image.new("RGB", (side, side), PAPER)
    pen = ImageDraw.Draw(image)
    for row, column in grid.filled:
        x, y = margin + column * cell, margin + row * cell
        pen.rectangle((x, y, x + cell, y + cell), fill=INK)
    for i in range(SIZE + 1):
        at = margin + i * cell
        pen.line((margin, at, side - margin, at), fill=LINE, width=2)
        pen.line((at, margin, at, side - margin), fill=LINE, width=2)
    return png(image)
