"""Pentomino boards: coloured pieces of five cells on a board, described, compared and drawn.

A piece is one of the twelve shapes F I L N P T U V W X Y Z with a colour, an orientation and a position. Pieces never
touch, not even at a corner, so that they can be counted. `describe` returns what a player without vision reads instead
of the picture. Rows and columns count from 0 in code; pixel boxes are [x, y, width, height].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from PIL import Image, ImageDraw
from pydantic import BaseModel, field_validator, model_validator

from games.common.png import encode_png

SIZE = 12

Cell = tuple[int, int]
Box = tuple[int, int, int, int]
Shape = Literal["F", "I", "L", "N", "P", "T", "U", "V", "W", "X", "Y", "Z"]
Colour = Literal["red", "yellow", "green", "blue", "purple", "pink", "black"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
COLOURS: tuple[Colour, ...] = get_args(Colour)

PLACES: tuple[tuple[str, str, str], ...] = (
    ("top left", "top centre", "top right"),
    ("centre left", "centre", "centre right"),
    ("bottom left", "bottom centre", "bottom right"),
)
"""The nine places of a board in words, by thirds."""

_SKETCHES: dict[Shape, str] = {
    "F": ".XX XX. .X.",
    "I": "X X X X X",
    "L": "X. X. X. XX",
    "N": ".X .X XX X.",
    "P": "XX XX X.",
    "T": "XXX .X. .X.",
    "U": "X.X XXX",
    "V": "X.. X.. XXX",
    "W": "X.. XX. .XX",
    "X": ".X. XXX .X.",
    "Y": ".X XX .X .X",
    "Z": "XX. .X. .XX",
}


def _at_origin(cells: list[Cell]) -> tuple[Cell, ...]:
    top, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - top, c - left) for r, c in cells))


@cache
def cells_of(shape: Shape, turn: int, mirrored: bool) -> tuple[Cell, ...]:
    """Return the cells of a shape at the origin: mirrored left to right, then rotated clockwise by `turn` degrees."""
    lines = _SKETCHES[shape].split()
    cells = [(r, c) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark == "X"]
    if mirrored:
        cells = [(r, -c) for r, c in cells]
    for _ in range(turn // 90):
        cells = [(c, -r) for r, c in cells]
    return _at_origin(cells)


@cache
def box_of(shape: Shape, turn: int, mirrored: bool) -> tuple[int, int]:
    """Return the height and width of a shape in cells. Cached: a scripted partner considers thousands of pieces."""
    cells = cells_of(shape, turn, mirrored)
    return max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1


@cache
def orientations(shape: Shape) -> tuple[tuple[int, bool], ...]:
    """Return the orientations (turn, mirrored) of a shape that look different, the least turned unmirrored ones."""
    by_cells: dict[tuple[Cell, ...], tuple[int, bool]] = {}
    for mirrored in (False, True):
        for turn in (0, 90, 180, 270):
            by_cells.setdefault(cells_of(shape, turn, mirrored), (turn, mirrored))
    return tuple(by_cells.values())


class Piece(BaseModel, frozen=True, extra="forbid"):
    """A piece. `row` and `column` are the top left cell of its box, from 0."""

    shape: Shape
    colour: Colour
    turn: Literal[0, 90, 180, 270] = 0
    mirrored: bool = False
    row: int
    column: int

    @model_validator(mode="after")
    def _check_orientation(self) -> Piece:
        if (self.turn, self.mirrored) not in orientations(self.shape):
            raise ValueError(
                f"turn {self.turn}, mirrored {self.mirrored} of {self.shape} looks like another orientation; "
                f"use one of {list(orientations(self.shape))}"
            )
        return self

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the piece covers, row by row."""
        return tuple((self.row + r, self.column + c) for r, c in cells_of(self.shape, self.turn, self.mirrored))

    @property
    def height(self) -> int:
        """The height of its box in cells."""
        return box_of(self.shape, self.turn, self.mirrored)[0]

    @property
    def width(self) -> int:
        """The width of its box in cells."""
        return box_of(self.shape, self.turn, self.mirrored)[1]

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box in cells: (down from the top edge, right from the left edge)."""
        return _middle_of(self.shape, self.turn, self.mirrored, self.row, self.column)

    @property
    def thirds(self) -> tuple[int, int]:
        """The thirds of the board that its middle lies in, from the top and from the left: (0..2, 0..2)."""
        return _thirds_of(self.middle)

    @property
    def place(self) -> str:
        """Its place in words: one of PLACES."""
        down, right = self.thirds
        return PLACES[down][right]

    @property
    def name(self) -> str:
        """Its colour and shape, such as "blue T"."""
        return f"{self.colour} {self.shape}"


@cache
def _middle_of(shape: Shape, turn: int, mirrored: bool, row: int, column: int) -> tuple[float, float]:
    height, width = box_of(shape, turn, mirrored)
    return row + height / 2, column + width / 2


@cache
def _thirds_of(middle: tuple[float, float]) -> tuple[int, int]:
    down, right = middle
    return min(2, int(down * 3 // SIZE)), min(2, int(right * 3 // SIZE))


class Board(BaseModel, frozen=True, extra="forbid"):
    """A board of SIZE x SIZE cells with pieces that do not touch and that all differ in colour or shape."""

    pieces: tuple[Piece, ...]

    @field_validator("pieces")
    @classmethod
    def _sort(cls, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(sorted(pieces, key=lambda piece: piece.cells))

    @model_validator(mode="after")
    def _check_pieces(self) -> Board:
        owner: dict[Cell, Piece] = {}
        for piece in self.pieces:
            for row, column in piece.cells:
                if not (0 <= row < SIZE and 0 <= column < SIZE):
                    raise ValueError(f"the {piece.name} leaves the board at row {row}, column {column}")
                for cell in _neighbourhood(row, column):
                    if cell in owner and owner[cell] is not piece:
                        raise ValueError(
                            f"the {piece.name} touches the {owner[cell].name} at row {row}, column {column}"
                        )
                owner[row, column] = piece
        names = [piece.name for piece in self.pieces]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two pieces are a {name}")
        return self


def _neighbourhood(row: int, column: int) -> Iterator[Cell]:
    """Return a cell and the eight around it."""
    return ((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1))


# Orientation in words


def orientation(shape: Shape, turn: int, mirrored: bool) -> str:
    """Return an orientation in words that fit no other orientation of the shape; empty for X, which has only one."""
    cells = cells_of(shape, turn, mirrored)
    height, width = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
    stance = "upright" if height > width else "lying"
    if shape == "X":
        return ""
    if shape == "I":
        return stance
    if shape == "T":
        return f"with its stem pointing {_side(_end_of_stem(cells), height, width)}"
    if shape == "U":
        return f"open {_opening(cells)}"
    if shape == "V":
        return f"with its corner at the {_corner(_hub(cells), height, width)}"
    if shape == "W":
        hollow = next(c for c in ((0, 0), (0, 2), (2, 0), (2, 2)) if _count_neighbours(c, cells) == 0)
        return f"with its steps open to the {_corner(hollow, 3, 3)}"
    if shape == "Z":
        middle = "upright" if {(0, 1), (2, 1)} <= set(cells) else "level"
        ends = "top left and bottom right" if (0, 0) in cells else "top right and bottom left"
        return f"with its middle bar {middle} and its ends at the {ends}"
    if shape == "F":
        arm = next(c for c in ((0, 1), (1, 0), (1, 2), (2, 1)) if c in cells and not _is_bar_end(c, cells))
        side = "left" if arm == (1, 0) else "right" if arm == (1, 2) else "up" if arm == (0, 1) else "down"
        hook = next(c for c in ((0, 0), (0, 2), (2, 0), (2, 2)) if c in cells)
        return f"with its arm pointing {side} and its hook at the {_corner(hook, 3, 3)}"
    if shape == "L":
        return f"{stance} with its foot at the {_corner(_foot(cells, height, width), height, width)}"
    if shape == "Y":
        return f"{stance} with its bump at the {_corner(_foot(cells, height, width), height, width)}"
    if shape == "P":
        tail = next(c for c in cells if _count_neighbours(c, cells) == 1)
        return f"{stance} with its tail at the {_corner(tail, height, width)}"
    return f"{stance} with its longer part at the {_corner(_end_of_long_part(cells, height, width), height, width)}"


def _count_neighbours(cell: Cell, cells: tuple[Cell, ...]) -> int:
    row, column = cell
    return sum((row + r, column + c) in cells for r, c in ((-1, 0), (1, 0), (0, -1), (0, 1)))


def _corner(cell: Cell, height: int, width: int) -> str:
    return f"{'top' if 2 * cell[0] + 1 < height else 'bottom'} {'left' if 2 * cell[1] + 1 < width else 'right'}"


def _side(cell: Cell, height: int, width: int) -> str:
    if cell[1] == 1:
        return "up" if cell[0] == 0 else "down"
    return "left" if cell[1] == 0 else "right"


def _end_of_stem(cells: tuple[Cell, ...]) -> Cell:
    """Return the end of a T's stem: the middle of the side of its box whose corners are empty."""
    ends = {(0, 1): ((0, 0), (0, 2)), (2, 1): ((2, 0), (2, 2)), (1, 0): ((0, 0), (2, 0)), (1, 2): ((0, 2), (2, 2))}
    return next(end for end, corners in ends.items() if end in cells and not any(c in cells for c in corners))


def _opening(cells: tuple[Cell, ...]) -> str:
    height = max(r for r, _ in cells) + 1
    if height == 2:
        return "upwards" if (0, 1) not in cells else "downwards"
    return "to the left" if (1, 0) not in cells else "to the right"


def _hub(cells: tuple[Cell, ...]) -> Cell:
    """Return the corner of a V: the corner of its box with two neighbours."""
    return next(c for c in cells if c[0] != 1 and c[1] != 1 and _count_neighbours(c, cells) == 2)


def _is_bar_end(cell: Cell, cells: tuple[Cell, ...]) -> bool:
    """Return whether an arm of an F is an end of its bar of three: then the opposite cell is filled as well."""
    return (2 - cell[0], 2 - cell[1]) in cells


def _foot(cells: tuple[Cell, ...], height: int, width: int) -> Cell:
    """Return the cell next to the bar of four."""
    across = 1 if height > width else 0
    return next(cell for cell in cells if sum(other[across] == cell[across] for other in cells) == 1)


def _end_of_long_part(cells: tuple[Cell, ...], height: int, width: int) -> Cell:
    """Return the far end of the three-cell part of an N."""
    if height > width:
        column = 0 if sum(1 for c in cells if c[1] == 0) == 3 else 1
        rows = [r for r, c in cells if c == column]
        return (0 if 0 in rows else 3, column)
    row = 0 if sum(1 for c in cells if c[0] == 0) == 3 else 1
    columns = [c for r, c in cells if r == row]
    return (row, 0 if 0 in columns else 3)


# Making boards


def reorient(piece: Piece, turn: int, mirrored: bool) -> Piece:
    """Return a piece in another orientation, with its box at the same top left cell."""
    return piece.model_copy(update={"turn": turn, "mirrored": mirrored})


def _has_room(piece: Piece, others: list[Piece]) -> bool:
    taken = {near for other in others for cell in other.cells for near in _neighbourhood(*cell)}
    return all(0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in taken for r, c in piece.cells)


def make_board(rng: Random) -> Board:
    """Return a board of 5 to 7 pieces in different PLACES. Each colour and each shape occurs at most twice."""
    while True:
        count = rng.randint(5, 7)
        pieces: list[Piece] = []
        for _ in range(400):
            if len(pieces) == count:
                return Board(pieces=tuple(pieces))
            shape, colour = rng.choice(SHAPES), rng.choice(COLOURS)
            turn, mirrored = rng.choice(orientations(shape))
            piece = _place_randomly(shape, colour, turn, mirrored, rng)
            if _may_join(piece, pieces):
                pieces.append(piece)


def _place_randomly(shape: Shape, colour: Colour, turn: int, mirrored: bool, rng: Random) -> Piece:
    cells = cells_of(shape, turn, mirrored)
    row = rng.randint(0, SIZE - 1 - max(r for r, _ in cells))
    column = rng.randint(0, SIZE - 1 - max(c for _, c in cells))
    return Piece.model_validate(
        {"shape": shape, "colour": colour, "turn": turn, "mirrored": mirrored, "row": row, "column": column}
    )


def _may_join(piece: Piece, others: list[Piece]) -> bool:
    """Return whether a piece has room, a place of its own, and a colour and shape that are not used too often."""
    return (
        _has_clear_place(piece)
        and _has_room(piece, others)
        and all(other.thirds != piece.thirds for other in others)
        and sum(1 for other in others if other.colour == piece.colour) < 2
        and sum(1 for other in others if other.shape == piece.shape) < 2
        and all(other.name != piece.name for other in others)
    )


def _has_clear_place(piece: Piece) -> bool:
    """Return whether the middle of a piece is not close to a line between thirds of the board."""
    return all(min(abs(at - SIZE / 3), abs(at - 2 * SIZE / 3)) > 0.25 for at in piece.middle)


CHANGES: tuple[str, ...] = ("colour", "place", "orientation", "shape")


def change_attributes(board: Board, kinds: tuple[str, ...], rng: Random) -> Board:
    """Return a board on which one attribute of a different piece is changed for each of `kinds` (see CHANGES).

    A changed place is another third of the board, at least 3 cells away. The other attributes stay the same, except
    that a new shape has an orientation of its own. Raises ValueError if there is no room.
    """
    for _ in range(1000):
        pieces = list(board.pieces)
        indices = rng.sample(range(len(pieces)), len(kinds))
        for index, kind in zip(indices, kinds, strict=True):
            others = [piece for i, piece in enumerate(pieces) if i != index]
            options = [piece for piece in list_variants(pieces[index], kind) if _may_join(piece, others)]
            if not options:
                break
            pieces[index] = rng.choice(options)
        else:
            changed = Board(pieces=tuple(pieces))
            if sorted(kind for pair in pair_pieces(board, changed) for kind in pair.attributes) == sorted(kinds):
                return changed
    raise ValueError(f"no room on this board for the changes {kinds}")


def list_variants(piece: Piece, kind: str) -> list[Piece]:
    """Return all pieces that differ from this one in one attribute only (see CHANGES), ignoring other pieces."""
    if kind == "colour":
        return [piece.model_copy(update={"colour": colour}) for colour in COLOURS if colour != piece.colour]
    if kind == "place":
        moved = [
            piece.model_copy(update={"row": row, "column": column})
            for row in range(SIZE - piece.height + 1)
            for column in range(SIZE - piece.width + 1)
        ]
        return [other for other in moved if _is_elsewhere(piece, other)]
    shapes = [piece.shape] if kind == "orientation" else [shape for shape in SHAPES if shape != piece.shape]
    variants = []
    middle = piece.middle
    for shape in shapes:
        for turn, mirrored in orientations(shape):
            if kind == "orientation" and (turn, mirrored) == (piece.turn, piece.mirrored):
                continue
            height, width = box_of(shape, turn, mirrored)
            for row in range(piece.row - 2, piece.row + 3):
                for column in range(piece.column - 2, piece.column + 3):
                    if max(abs(row + height / 2 - middle[0]), abs(column + width / 2 - middle[1])) > 0.5:
                        continue
                    other = piece.model_copy(
                        update={"shape": shape, "turn": turn, "mirrored": mirrored, "row": row, "column": column}
                    )
                    if other.thirds == piece.thirds:
                        variants.append(other)
    return variants


def _is_elsewhere(a: Piece, b: Piece) -> bool:
    return any(
        third != other and abs(at - to) >= 3
        for third, other, at, to in zip(a.thirds, b.thirds, a.middle, b.middle, strict=True)
    )


# Comparing boards


def differing_attributes(a: Piece, b: Piece) -> tuple[str, ...]:
    """Return the CHANGES in which two pieces differ. Orientation counts only between pieces of the same shape."""
    attributes = []
    if a.colour != b.colour:
        attributes.append("colour")
    if a.place != b.place:
        attributes.append("place")
    if a.shape != b.shape:
        attributes.append("shape")
    elif (a.turn, a.mirrored) != (b.turn, b.mirrored):
        attributes.append("orientation")
    return tuple(attributes)


class PiecePair(NamedTuple):
    """A piece of one board, the corresponding piece of the other, and the attributes in which they differ."""

    a: Piece | None
    b: Piece | None
    attributes: tuple[str, ...]


def pair_pieces(a: Board, b: Board) -> list[PiecePair]:
    """Return the pairing of the pieces of two boards with the fewest differences. A piece without partner costs four.

    Two pieces with neither colour nor shape in common are never paired.
    """
    return [
        PiecePair(x, y, differing_attributes(x, y) if x and y else ("missing",) * 4)
        for x, y in _cheapest_pairing(a.pieces, b.pieces)
    ]


_Links = tuple[tuple[Piece | None, Piece | None], ...]


def _cheapest_pairing(left: tuple[Piece, ...], right: tuple[Piece, ...]) -> _Links:
    """Find the cheapest pairing by dynamic programming over the pieces of `right` that are still free."""

    @cache
    def pair_from(i: int, free: tuple[int, ...]) -> tuple[float, _Links]:
        """Return the cost and the links of the best pairing of left[i:] with the free pieces."""
        if i == len(left):
            return 4.0 * len(free), tuple((None, right[j]) for j in free)
        cost, links = pair_from(i + 1, free)
        best = (cost + 4, ((left[i], None), *links))
        for j in free:
            if left[i].colour == right[j].colour or left[i].shape == right[j].shape:
                cost, links = pair_from(i + 1, tuple(k for k in free if k != j))
                cost += len(differing_attributes(left[i], right[j])) + _cell_distance(left[i], right[j]) / 100
                if cost < best[0]:
                    best = (cost, ((left[i], right[j]), *links))
        return best

    return pair_from(0, tuple(range(len(right))))[1]


def _cell_distance(a: Piece, b: Piece) -> float:
    return max(abs(x - y) for x, y in zip(a.middle, b.middle, strict=True))


def distance(a: Board, b: Board) -> int:
    """Return how many attributes differ under the best pairing. A piece without partner counts four."""
    return sum(len(pair.attributes) for pair in pair_pieces(a, b))


class BoardDifference(NamedTuple):
    """A difference between boards A and B: in words, and the pixel box of the piece on each, None if it is missing."""

    words: str
    a: Box | None
    b: Box | None


def describe_differences(a: Board, b: Board) -> list[BoardDifference]:
    """Return the differences between two boards, for a debriefing; empty if they are equal."""
    differences = []
    for pair in pair_pieces(a, b):
        if pair.a and pair.b:
            if pair.attributes or pair.a != pair.b:
                words = _describe_difference(pair.a, pair.b, pair.attributes or ("place",))
                differences.append(BoardDifference(words, pixel_box(pair.a), pixel_box(pair.b)))
        elif pair.a:
            differences.append(BoardDifference(f"{_name_and_place(pair.a)}: only for A", pixel_box(pair.a), None))
        elif pair.b:
            differences.append(BoardDifference(f"{_name_and_place(pair.b)}: only for B", None, pixel_box(pair.b)))
    return differences


def _name_and_place(piece: Piece) -> str:
    return f"the {piece.name} ({piece.place})"


def _describe_difference(a: Piece, b: Piece, attributes: tuple[str, ...]) -> str:
    if "shape" in attributes and "colour" not in attributes:
        subject = f"the {a.colour} piece"
    elif "colour" in attributes and "shape" not in attributes:
        subject = f"the {a.shape}"
    else:
        subject = f"the {a.name}"
    place = f" ({a.place})" if "place" not in attributes else ""
    changes = []
    for attribute in attributes:
        x, y = _describe_attribute(a, attribute), _describe_attribute(b, attribute)
        if attribute == "place" and x == y:
            x, y = (f"row {p.row + 1}, column {p.column + 1}" for p in (a, b))
        changes.append(f"{x} for A, {y} for B")
    return f"{subject}{place}: {'; '.join(changes)}"


def _describe_attribute(piece: Piece, attribute: str) -> str:
    return {
        "colour": piece.colour,
        "place": piece.place,
        "shape": f"{piece.shape}",
        "orientation": orientation(piece.shape, piece.turn, piece.mirrored),
    }[attribute]


# Describing and drawing

CELL, MARGIN = 38, 12
PIXELS = SIZE * CELL + 2 * MARGIN

PAPER, FIELD, LINE, OUTLINE = "#f4f2ee", "#fdfcfa", "#e6e2da", "#26282c"
INKS: dict[Colour, str] = {
    "red": "#cf2e26",
    "yellow": "#f5cb1e",
    "green": "#14a974",
    "blue": "#3b8ff2",
    "purple": "#5f2a91",
    "pink": "#fbb1d0",
    "black": "#34363a",
}


def pixel_box(piece: Piece) -> Box:
    """Return the box of a piece on the picture that `draw` returns: [x, y, width, height] in pixels."""
    return (
        MARGIN + piece.column * CELL,
        MARGIN + piece.row * CELL,
        piece.width * CELL,
        piece.height * CELL,
    )


def board_of(description: Mapping[str, Any]) -> Board:
    """Return the board of a description that `describe` returned."""
    names = ("shape", "colour", "turn", "mirrored", "row", "column")
    return Board.model_validate({"pieces": [{name: piece[name] for name in names} for piece in description["pieces"]]})


def describe(board: Board) -> dict[str, Any]:
    """Return what is on the board, as JSON data that a player without vision reads instead of the picture."""
    pieces = [
        {
            "shape": piece.shape,
            "colour": piece.colour,
            "orientation": orientation(piece.shape, piece.turn, piece.mirrored),
            "turn": piece.turn,
            "mirrored": piece.mirrored,
            "place": piece.place,
            "middle": list(piece.middle),
            "row": piece.row,
            "column": piece.column,
            "cells": [list(cell) for cell in piece.cells],
            "box": list(pixel_box(piece)),
        }
        for piece in board.pieces
    ]
    return {"kind": "pentomino", "rows": SIZE, "columns": SIZE, "pieces": pieces, "relations": relations(board)}


def relations(board: Board) -> list[tuple[int, str, int]]:
    """Return (i, relation, j) for all pieces i that are entirely left of, right of, above or below a piece j."""
    triples = []
    for i, a in enumerate(board.pieces):
        for j, b in enumerate(board.pieces):
            if a.column + a.width <= b.column:
                triples += [(i, "left of", j), (j, "right of", i)]
            if a.row + a.height <= b.row:
                triples += [(i, "above", j), (j, "below", i)]
    return sorted(triples)


def draw(board: Board) -> bytes:
    """Return a board as a PNG picture of PIXELS x PIXELS: a faint grid, flat colours, dark outlines of pieces."""
    image = Image.new("RGB", (PIXELS, PIXELS), PAPER)
    pen = ImageDraw.Draw(image)
    end = PIXELS - MARGIN
    pen.rectangle((MARGIN, MARGIN, end, end), fill=FIELD)
    for i in range(SIZE + 1):
        at = MARGIN + i * CELL
        pen.line((MARGIN, at, end, at), fill=LINE)
        pen.line((at, MARGIN, at, end), fill=LINE)
    for piece in board.pieces:
        _draw_piece(pen, piece)
    return encode_png(image)


def _draw_piece(pen: ImageDraw.ImageDraw, piece: Piece) -> None:
    cells = set(piece.cells)
    ink = INKS[piece.colour]
    seam = _mix(ink, "#ffffff" if piece.colour in ("black", "purple") else "#000000", 0.16)
    for row, column in piece.cells:
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        pen.rectangle((x, y, x + CELL, y + CELL), fill=ink)
    for row, column in piece.cells:
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        if (row, column + 1) in cells:
            pen.line((x + CELL, y, x + CELL, y + CELL), fill=seam)
        if (row + 1, column) in cells:
            pen.line((x, y + CELL, x + CELL, y + CELL), fill=seam)
    for row, column in piece.cells:
        x, y = MARGIN + column * CELL, MARGIN + row * CELL
        sides = (
            ((row - 1, column), (x - 1, y - 1, x + CELL + 1, y + 1)),
            ((row + 1, column), (x - 1, y + CELL - 1, x + CELL + 1, y + CELL + 1)),
            ((row, column - 1), (x - 1, y - 1, x + 1, y + CELL + 1)),
            ((row, column + 1), (x + CELL - 1, y - 1, x + CELL + 1, y + CELL + 1)),
        )
        for beyond, edge in sides:
            if beyond not in cells:
                pen.rectangle(edge, fill=OUTLINE)


def _mix(ink: str, other: str, share: float) -> tuple[int, int, int]:
    a, b = (tuple(int(code[i : i + 2], 16) for i in (1, 3, 5)) for code in (ink, other))
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue
