"""Pentomino boards: coloured pieces of five cells on a board, what can be said about them, and how they are drawn.

A piece is one of the twelve shapes F I L N P T U V W X Y Z in a colour, turned and perhaps mirrored, at a place.
Pieces never touch, not even at a corner, so that they stay countable. `describe` is what a player that cannot see reads
instead of the picture. Rows and columns count from 0 in code; pixel boxes are [x, y, width, height].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from PIL import Image, ImageDraw
from pydantic import BaseModel, field_validator, model_validator

from games.common.png import png

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
"""The nine places in words, by thirds of the board."""

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
    """The cells of a shape, box at (0, 0): mirrored left to right first, then turned clockwise by `turn` degrees."""
    lines = _SKETCHES[shape].split()
    cells = [(r, c) for r, line in enumerate(lines) for c, mark in enumerate(line) if mark == "X"]
    if mirrored:
        cells = [(r, -c) for r, c in cells]
    for _ in range(turn // 90):
        cells = [(c, -r) for r, c in cells]
    return _at_origin(cells)


@cache
def box_of(shape: Shape, turn: int, mirrored: bool) -> tuple[int, int]:
    """The rows and columns of a shape's box. Kept, as a scripted partner imagines thousands of pieces at every ask."""
    cells = cells_of(shape, turn, mirrored)
    return max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1


@cache
def orientations(shape: Shape) -> tuple[tuple[int, bool], ...]:
    """The (turn, mirrored) of a shape that look different; of two that look alike the unmirrored, less turned one."""
    seen: list[tuple[Cell, ...]] = []
    found: list[tuple[int, bool]] = []
    for mirrored in (False, True):
        for turn in (0, 90, 180, 270):
            cells = cells_of(shape, turn, mirrored)
            if cells not in seen:
                seen.append(cells)
                found.append((turn, mirrored))
    return tuple(found)


class Piece(BaseModel, frozen=True, extra="forbid"):
    """One piece; `row` and `column` are the top left of its box, from 0."""

    shape: Shape
    colour: Colour
    turn: Literal[0, 90, 180, 270] = 0
    mirrored: bool = False
    row: int
    column: int

    @model_validator(mode="after")
    def _one_name_per_look(self) -> Piece:
        if (self.turn, self.mirrored) not in orientations(self.shape):
            raise ValueError(
                f"turn {self.turn}, mirrored {self.mirrored} of {self.shape} looks like another orientation; "
                f"use one of {list(orientations(self.shape))}"
            )
        return self

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it covers on the board, row by row."""
        return tuple((self.row + r, self.column + c) for r, c in cells_of(self.shape, self.turn, self.mirrored))

    @property
    def height(self) -> int:
        """Rows of its box."""
        return box_of(self.shape, self.turn, self.mirrored)[0]

    @property
    def width(self) -> int:
        """Columns of its box."""
        return box_of(self.shape, self.turn, self.mirrored)[1]

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box in cells: (down from the top edge, right from the left edge)."""
        return _middle_of(self.shape, self.turn, self.mirrored, self.row, self.column)

    @property
    def thirds(self) -> tuple[int, int]:
        """In which third of the board its middle lies, from the top and from the left: (0..2, 0..2)."""
        return _thirds_of(self.middle)

    @property
    def place(self) -> str:
        """Its place in words, one of PLACES."""
        down, right = self.thirds
        return PLACES[down][right]

    @property
    def name(self) -> str:
        """Colour and shape, as in `blue T`."""
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
    """A board of SIZE x SIZE cells with pieces that do not touch; no two have both colour and shape in common."""

    pieces: tuple[Piece, ...]

    @field_validator("pieces")
    @classmethod
    def _in_order(cls, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(sorted(pieces, key=lambda piece: piece.cells))

    @model_validator(mode="after")
    def _fits(self) -> Board:
        owner: dict[Cell, Piece] = {}
        for piece in self.pieces:
            for row, column in piece.cells:
                if not (0 <= row < SIZE and 0 <= column < SIZE):
                    raise ValueError(f"the {piece.name} leaves the board at row {row}, column {column}")
                for near in _around(row, column):
                    if near in owner and owner[near] is not piece:
                        raise ValueError(
                            f"the {piece.name} touches the {owner[near].name} at row {row}, column {column}"
                        )
                owner[row, column] = piece
        names = [piece.name for piece in self.pieces]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two pieces are a {name}")
        return self


def _around(row: int, column: int) -> Iterator[Cell]:
    return ((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1))


# Orientation in words


def orientation(shape: Shape, turn: int, mirrored: bool) -> str:
    """Say how a shape lies, in words that fit no other orientation of that shape (empty for X, which has only one)."""
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
        hollow = next(c for c in ((0, 0), (0, 2), (2, 0), (2, 2)) if all(n not in cells for n in _beside(c)))
        return f"with its steps open to the {_corner(hollow, 3, 3)}"
    if shape == "Z":
        middle = "upright" if {(0, 1), (2, 1)} <= set(cells) else "level"
        ends = "top left and bottom right" if (0, 0) in cells else "top right and bottom left"
        return f"with its middle bar {middle} and its ends at the {ends}"
    if shape == "F":
        arm = next(c for c in ((0, 1), (1, 0), (1, 2), (2, 1)) if c in cells and not _next_to_hook(c, cells))
        side = "left" if arm == (1, 0) else "right" if arm == (1, 2) else "up" if arm == (0, 1) else "down"
        hook = next(c for c in ((0, 0), (0, 2), (2, 0), (2, 2)) if c in cells)
        return f"with its arm pointing {side} and its hook at the {_corner(hook, 3, 3)}"
    if shape == "L":
        return f"{stance} with its foot at the {_corner(_foot(cells, height, width), height, width)}"
    if shape == "Y":
        return f"{stance} with its bump at the {_corner(_foot(cells, height, width), height, width)}"
    if shape == "P":
        tail = next(c for c in cells if len([n for n in _beside(c) if n in cells]) == 1)
        return f"{stance} with its tail at the {_corner(tail, height, width)}"
    long = _long_part(cells, height, width)
    return f"{stance} with its longer part at the {_corner(long, height, width)}"


def _beside(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def _corner(cell: Cell, height: int, width: int) -> str:
    return f"{'top' if 2 * cell[0] + 1 < height else 'bottom'} {'left' if 2 * cell[1] + 1 < width else 'right'}"


def _side(cell: Cell, height: int, width: int) -> str:
    if cell[1] == 1:
        return "up" if cell[0] == 0 else "down"
    return "left" if cell[1] == 0 else "right"


def _end_of_stem(cells: tuple[Cell, ...]) -> Cell:
    """The end of a T's stem: a middle of a side of its box whose neighbouring corners are empty."""
    around = {(0, 1): ((0, 0), (0, 2)), (2, 1): ((2, 0), (2, 2)), (1, 0): ((0, 0), (2, 0)), (1, 2): ((0, 2), (2, 2))}
    return next(end for end, corners in around.items() if end in cells and not any(c in cells for c in corners))


def _opening(cells: tuple[Cell, ...]) -> str:
    height = max(r for r, _ in cells) + 1
    if height == 2:
        return "upwards" if (0, 1) not in cells else "downwards"
    return "to the left" if (1, 0) not in cells else "to the right"


def _hub(cells: tuple[Cell, ...]) -> Cell:
    """The corner of a V: the box corner with two neighbours."""
    return next(c for c in cells if c[0] != 1 and c[1] != 1 and len([n for n in _beside(c) if n in cells]) == 2)


def _next_to_hook(cell: Cell, cells: tuple[Cell, ...]) -> bool:
    """Whether an arm of an F belongs to its bar of three, whose other end stands opposite."""
    return (2 - cell[0], 2 - cell[1]) in cells


def _foot(cells: tuple[Cell, ...], height: int, width: int) -> Cell:
    """The one cell beside the bar of four."""
    if height > width:
        return next(c for c in cells if sum(1 for o in cells if o[1] == c[1]) == 1)
    return next(c for c in cells if sum(1 for o in cells if o[0] == c[0]) == 1)


def _long_part(cells: tuple[Cell, ...], height: int, width: int) -> Cell:
    """The far end of the three-cell part of an N."""
    if height > width:
        column = 0 if sum(1 for c in cells if c[1] == 0) == 3 else 1
        rows = [r for r, c in cells if c == column]
        return (0 if 0 in rows else 3, column)
    row = 0 if sum(1 for c in cells if c[0] == 0) == 3 else 1
    columns = [c for r, c in cells if r == row]
    return (row, 0 if 0 in columns else 3)


# Making boards


def reorient(piece: Piece, turn: int, mirrored: bool) -> Piece:
    """The piece in another orientation, its box at the same top left."""
    return piece.model_copy(update={"turn": turn, "mirrored": mirrored})


def _free(piece: Piece, others: list[Piece]) -> bool:
    taken = {near for other in others for cell in other.cells for near in _around(*cell)}
    return all(0 <= r < SIZE and 0 <= c < SIZE and (r, c) not in taken for r, c in piece.cells)


def make_board(rng: Random) -> Board:
    """A board of 5 to 7 pieces, each in another of the nine PLACES; a colour or a shape comes twice at most."""
    while True:
        wanted = rng.randint(5, 7)
        pieces: list[Piece] = []
        for _ in range(400):
            if len(pieces) == wanted:
                return Board(pieces=tuple(pieces))
            shape, colour = rng.choice(SHAPES), rng.choice(COLOURS)
            turn, mirrored = rng.choice(orientations(shape))
            piece = _anywhere(shape, colour, turn, mirrored, rng)
            if _allowed(piece, pieces):
                pieces.append(piece)


def _anywhere(shape: Shape, colour: Colour, turn: int, mirrored: bool, rng: Random) -> Piece:
    cells = cells_of(shape, turn, mirrored)
    row = rng.randint(0, SIZE - 1 - max(r for r, _ in cells))
    column = rng.randint(0, SIZE - 1 - max(c for _, c in cells))
    return Piece.model_validate(
        {"shape": shape, "colour": colour, "turn": turn, "mirrored": mirrored, "row": row, "column": column}
    )


def _allowed(piece: Piece, others: list[Piece]) -> bool:
    """Whether a piece may join: room, a place in words of its own, colour and shape not used too often."""
    return (
        _clear(piece)
        and _free(piece, others)
        and all(other.thirds != piece.thirds for other in others)
        and sum(1 for other in others if other.colour == piece.colour) < 2
        and sum(1 for other in others if other.shape == piece.shape) < 2
        and all(other.name != piece.name for other in others)
    )


def _clear(piece: Piece) -> bool:
    """Whether the middle of a piece keeps off the lines between the thirds of the board."""
    return all(min(abs(at - SIZE / 3), abs(at - 2 * SIZE / 3)) > 0.25 for at in piece.middle)


CHANGES: tuple[str, ...] = ("colour", "place", "orientation", "shape")


def change_attributes(board: Board, kinds: tuple[str, ...], rng: Random) -> Board:
    """Change one attribute of as many different pieces as kinds are named (see CHANGES).

    A changed place is another third of the board, at least 3 cells away; the other attributes stay as they were, except
    that a new shape takes an orientation of its own and keeps the place in words.
    """
    for _ in range(1000):
        pieces = list(board.pieces)
        chosen = rng.sample(range(len(pieces)), len(kinds))
        for index, kind in zip(chosen, kinds, strict=True):
            others = [piece for i, piece in enumerate(pieces) if i != index]
            options = [piece for piece in list_variants(pieces[index], kind) if _allowed(piece, others)]
            if not options:
                break
            pieces[index] = rng.choice(options)
        else:
            made = Board(pieces=tuple(pieces))
            if sorted(kind for _, _, what in pair_pieces(board, made) for kind in what) == sorted(kinds):
                return made
    raise ValueError(f"no room on this board for the changes {kinds}")


def list_variants(piece: Piece, kind: str) -> list[Piece]:
    """Every piece that differs from this one in one attribute only (see CHANGES), wherever other pieces may be."""
    if kind == "colour":
        return [piece.model_copy(update={"colour": colour}) for colour in COLOURS if colour != piece.colour]
    if kind == "place":
        moved = [
            piece.model_copy(update={"row": row, "column": column})
            for row in range(SIZE - piece.height + 1)
            for column in range(SIZE - piece.width + 1)
        ]
        return [other for other in moved if _elsewhere(piece, other)]
    shapes = [piece.shape] if kind == "orientation" else [shape for shape in SHAPES if shape != piece.shape]
    found = []
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
                        found.append(other)
    return found


def _elsewhere(a: Piece, b: Piece) -> bool:
    return any(
        third != other and abs(at - to) >= 3
        for third, other, at, to in zip(a.thirds, b.thirds, a.middle, b.middle, strict=True)
    )


# Comparing boards


def differing_attributes(a: Piece, b: Piece) -> tuple[str, ...]:
    """In which of CHANGES two pieces differ; orientation counts only between pieces of one shape."""
    found = []
    if a.colour != b.colour:
        found.append("colour")
    if a.place != b.place:
        found.append("place")
    if a.shape != b.shape:
        found.append("shape")
    elif (a.turn, a.mirrored) != (b.turn, b.mirrored):
        found.append("orientation")
    return tuple(found)


class PiecePair(NamedTuple):
    """A piece of one board, the piece of the other that it corresponds to, and what differs between them."""

    a: Piece | None
    b: Piece | None
    what: tuple[str, ...]


def pair_pieces(a: Board, b: Board) -> list[PiecePair]:
    """Pair the pieces of two boards so that as little as possible differs; a piece without partner costs four.

    Two pieces with neither colour nor shape in common are never paired.
    """
    best = _pairing(a.pieces, b.pieces, {})[1]
    return [PiecePair(x, y, differing_attributes(x, y) if x and y else ("missing",) * 4) for x, y in best]


_Links = tuple[tuple[Piece | None, Piece | None], ...]


def _pairing(
    left: tuple[Piece, ...], right: tuple[Piece, ...], known: dict[tuple[int, tuple[int, ...]], tuple[float, _Links]]
) -> tuple[float, _Links]:
    """The cheapest pairing, by dynamic programming over the pieces of `right` that are still free."""

    def go(i: int, free: tuple[int, ...]) -> tuple[float, _Links]:
        if i == len(left):
            return 4.0 * len(free), tuple((None, right[j]) for j in free)
        if (i, free) not in known:
            cost, links = go(i + 1, free)
            best = (cost + 4, ((left[i], None), *links))
            for j in free:
                if left[i].colour == right[j].colour or left[i].shape == right[j].shape:
                    cost, links = go(i + 1, tuple(k for k in free if k != j))
                    cost += len(differing_attributes(left[i], right[j])) + _apart(left[i], right[j]) / 100
                    if cost < best[0]:
                        best = (cost, ((left[i], right[j]), *links))
            known[i, free] = best
        return known[i, free]

    return go(0, tuple(range(len(right))))


def _apart(a: Piece, b: Piece) -> float:
    return max(abs(x - y) for x, y in zip(a.middle, b.middle, strict=True))


def distance(a: Board, b: Board) -> int:
    """How many attributes differ under the best pairing; a piece without partner counts four."""
    return sum(len(pair.what) for pair in pair_pieces(a, b))


class BoardDifference(NamedTuple):
    """One thing that differs between boards A and B: words, and the box of the piece on each (None: not there)."""

    words: str
    a: Box | None
    b: Box | None


def describe_differences(a: Board, b: Board) -> list[BoardDifference]:
    """Say what differs between two boards, for a debriefing; empty when they are equal."""
    found = []
    for pair in pair_pieces(a, b):
        if pair.a and pair.b:
            if pair.what or pair.a != pair.b:
                words = _difference(pair.a, pair.b, pair.what or ("place",))
                found.append(BoardDifference(words, pixel_box(pair.a), pixel_box(pair.b)))
        elif pair.a:
            found.append(BoardDifference(f"{_placed(pair.a)}: only for A", pixel_box(pair.a), None))
        elif pair.b:
            found.append(BoardDifference(f"{_placed(pair.b)}: only for B", None, pixel_box(pair.b)))
    return found


def _placed(piece: Piece) -> str:
    return f"the {piece.name} ({piece.place})"


def _difference(a: Piece, b: Piece, what: tuple[str, ...]) -> str:
    if "shape" in what and "colour" not in what:
        subject = f"the {a.colour} piece"
    elif "colour" in what and "shape" not in what:
        subject = f"the {a.shape}"
    else:
        subject = f"the {a.name}"
    where = f" ({a.place})" if "place" not in what else ""
    said = []
    for kind in what:
        x, y = _attribute(a, kind), _attribute(b, kind)
        if kind == "place" and x == y:
            x, y = (f"row {p.row + 1}, column {p.column + 1}" for p in (a, b))
        said.append(f"{x} for A, {y} for B")
    return f"{subject}{where}: {'; '.join(said)}"


def _attribute(piece: Piece, kind: str) -> str:
    return {
        "colour": piece.colour,
        "place": piece.place,
        "shape": f"{piece.shape}",
        "orientation": orientation(piece.shape, piece.turn, piece.mirrored),
    }[kind]


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
    """The box of a piece on the picture that `draw` makes: [x, y, width, height] in pixels."""
    return (
        MARGIN + piece.column * CELL,
        MARGIN + piece.row * CELL,
        piece.width * CELL,
        piece.height * CELL,
    )


def board_of(description: Mapping[str, Any]) -> Board:
    """The board that `describe` described."""
    names = ("shape", "colour", "turn", "mirrored", "row", "column")
    return Board.model_validate({"pieces": [{name: piece[name] for name in names} for piece in description["pieces"]]})


def describe(board: Board) -> dict[str, Any]:
    """What is on the board, as data: what a player that cannot see reads instead of the picture."""
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
    """(i, relation, j): piece i is wholly left of, right of, above or below piece j; numbers as in `describe`."""
    found = []
    for i, a in enumerate(board.pieces):
        for j, b in enumerate(board.pieces):
            if a.column + a.width <= b.column:
                found += [(i, "left of", j), (j, "right of", i)]
            if a.row + a.height <= b.row:
                found += [(i, "above", j), (j, "below", i)]
    return sorted(found)


def draw(board: Board) -> bytes:
    """Draw a board as a PNG picture of PIXELS x PIXELS: a faint cell grid, flat colours, one dark outline a piece."""
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
    return png(image)


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
