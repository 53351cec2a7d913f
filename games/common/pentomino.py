"""Pentomino boards: coloured pieces of five cells on a board, described, compared and drawn.

A piece is one of the twelve shapes F I L N P T U V W X Y Z with a colour, an orientation and a position. Pieces never
touch, not even at a corner, so that they can be counted. `describe` returns what a player without vision reads instead
of the picture. Rows and columns count from 0 in code; pixel boxes are [x, y, width, height].
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pydantic import BaseModel, field_validator, model_validator

from games.common.png import encode_png

if TYPE_CHECKING:
    from PIL import ImageDraw

BOARD_SIZE = 12

Cell = tuple[int, int]
Box = tuple[int, int, int, int]
Shape = Literal["F", "I", "L", "N", "P", "T", "U", "V", "W", "X", "Y", "Z"]
Colour = Literal["red", "yellow", "green", "blue", "purple", "pink", "black"]
PIECE_SHAPES: tuple[Shape, ...] = get_args(Shape)
COLOURS: tuple[Colour, ...] = get_args(Colour)

BOARD_PLACES: tuple[tuple[str, str, str], ...] = (
    ("top left", "top centre", "top right"),
    ("centre left", "centre", "centre right"),
    ("bottom left", "bottom centre", "bottom right"),
)
"""The nine places of a board in words, by thirds."""

_SHAPE_SKETCHES: dict[Shape, str] = {
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


def _shift_to_origin(cells: list[Cell]) -> tuple[Cell, ...]:
    top_row, left_column = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top_row, column - left_column) for row, column in cells))


@cache
def cells_of(shape: Shape, turn: int, is_mirrored: bool) -> tuple[Cell, ...]:
    """Return the cells of a shape at the origin: mirrored left to right, then rotated clockwise by `turn` degrees."""
    lines = _SHAPE_SKETCHES[shape].split()
    cells = [
        (row, column) for row, line in enumerate(lines) for column, cell_mark in enumerate(line) if cell_mark == "X"
    ]
    if is_mirrored:
        cells = [(row, -column) for row, column in cells]
    for _ in range(turn // 90):
        cells = [(column, -row) for row, column in cells]
    return _shift_to_origin(cells)


@cache
def box_of(shape: Shape, turn: int, is_mirrored: bool) -> tuple[int, int]:
    """Return the height and width of a shape in cells. Cached: a scripted partner considers thousands of pieces."""
    cells = cells_of(shape, turn, is_mirrored)
    return max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1


@cache
def list_orientations(shape: Shape) -> tuple[tuple[int, bool], ...]:
    """Return the orientations (turn, mirrored) of a shape that look different, the least turned unmirrored ones."""
    orientation_by_cells: dict[tuple[Cell, ...], tuple[int, bool]] = {}
    for is_mirrored in (False, True):
        for turn in (0, 90, 180, 270):
            orientation_by_cells.setdefault(cells_of(shape, turn, is_mirrored), (turn, is_mirrored))
    return tuple(orientation_by_cells.values())


class Piece(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A piece. `row` and `column` are the top left cell of its box, from 0."""

    shape: Shape
    colour: Colour
    turn: Literal[0, 90, 180, 270] = 0
    mirrored: bool = False
    row: int
    column: int

    @model_validator(mode="after")
    def _check_orientation(self) -> Piece:
        if (self.turn, self.mirrored) not in list_orientations(self.shape):
            raise ValueError(
                f"turn {self.turn}, mirrored {self.mirrored} of {self.shape} looks like another orientation; "
                f"use one of {list(list_orientations(self.shape))}"
            )
        return self

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the piece covers, row by row."""
        return tuple(
            (self.row + row_step, self.column + column_step)
            for row_step, column_step in cells_of(self.shape, self.turn, self.mirrored)
        )

    @property
    def height(self) -> int:
        """The height of its box in cells."""
        return box_of(self.shape, self.turn, self.mirrored)[0]

    @property
    def width(self) -> int:
        """The width of its box in cells."""
        return box_of(self.shape, self.turn, self.mirrored)[1]

    @property
    def box_centre(self) -> tuple[float, float]:
        """The middle of its box in cells: (down from the top edge, right from the left edge)."""
        return _find_middle(self.shape, self.turn, self.mirrored, self.row, self.column)

    @property
    def board_thirds(self) -> tuple[int, int]:
        """The thirds of the board that its middle lies in, from the top and from the left: (0..2, 0..2)."""
        return _find_board_thirds(self.box_centre)

    @property
    def place(self) -> str:
        """Its place in words: one of BOARD_PLACES."""
        vertical_third_index, horizontal_third_index = self.board_thirds
        return BOARD_PLACES[vertical_third_index][horizontal_third_index]

    @property
    def name(self) -> str:
        """Its colour and shape, such as "blue T"."""
        return f"{self.colour} {self.shape}"


@cache
def _find_middle(shape: Shape, turn: int, is_mirrored: bool, row: int, column: int) -> tuple[float, float]:
    height, width = box_of(shape, turn, is_mirrored)
    return row + height / 2, column + width / 2


@cache
def _find_board_thirds(box_centre: tuple[float, float]) -> tuple[int, int]:
    middle_row, middle_column = box_centre
    return min(2, int(middle_row * 3 // BOARD_SIZE)), min(2, int(middle_column * 3 // BOARD_SIZE))


class Board(BaseModel, frozen=True, extra="forbid", defer_build=True):
    """A board of BOARD_SIZE x BOARD_SIZE cells with pieces that do not touch and that all differ in colour or shape."""

    pieces: tuple[Piece, ...]

    @field_validator("pieces")
    @classmethod
    def _sort_pieces(cls, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(sorted(pieces, key=lambda piece: piece.cells))

    @model_validator(mode="after")
    def _check_pieces(self) -> Board:
        piece_by_cell: dict[Cell, Piece] = {}
        for piece in self.pieces:
            for row, column in piece.cells:
                if not (0 <= row < BOARD_SIZE and 0 <= column < BOARD_SIZE):
                    raise ValueError(f"the {piece.name} leaves the board at row {row}, column {column}")
                for cell in _list_neighbouring_cells(row, column):
                    if cell in piece_by_cell and piece_by_cell[cell] is not piece:
                        raise ValueError(
                            f"the {piece.name} touches the {piece_by_cell[cell].name} at row {row}, column {column}"
                        )
                piece_by_cell[row, column] = piece
        names = [piece.name for piece in self.pieces]
        for piece_name in names:
            if names.count(piece_name) > 1:
                raise ValueError(f"two pieces are a {piece_name}")
        return self


def _list_neighbouring_cells(row: int, column: int) -> Iterator[Cell]:
    """Return a cell and the eight around it."""
    return ((row + row_step, column + column_step) for row_step in (-1, 0, 1) for column_step in (-1, 0, 1))


# Orientation in words

_ORIENTATION_PHRASES: dict[Shape, str] = {
    "F": "with its arm pointing {left} and its hook at the {top right}",
    "I": "{upright}",
    "L": "{upright} with its foot at the {bottom right}",
    "N": "{upright} with its longer part at the {top right}",
    "P": "{upright} with its tail at the {bottom left}",
    "T": "with its stem pointing {down}",
    "U": "open {upwards}",
    "V": "with its corner at the {bottom left}",
    "W": "with its steps open to the {top right}",
    "X": "",
    "Y": "{upright} with its bump at the {top left}",
    "Z": "with its middle {bar upright} and its ends at the {top left and bottom right}",
}
"""How the shapes lie as they are sketched; the words in braces change as a shape is turned and mirrored."""
_DIRECTION_WORD_CYCLES = (
    ("up", "right", "down", "left"),
    ("upwards", "to the right", "downwards", "to the left"),
    ("upright", "lying"),
    ("bar upright", "bar level"),
)
_CORNER_CYCLES = (
    ("top left", "top right", "bottom right", "bottom left"),
    ("top left and bottom right", "top right and bottom left"),
)
"""Words in the order in which a quarter turn clockwise leads from one to the next."""


def describe_orientation(shape: Shape, turn: int, is_mirrored: bool) -> str:
    """Return an orientation in words that fit no other orientation of the shape; empty for X, which has only one."""
    direction, quarter_turns = -1 if is_mirrored else 1, turn // 90
    cycles = [(cycle, quarter_turns) for cycle in _DIRECTION_WORD_CYCLES]
    cycles += [(cycle, quarter_turns + is_mirrored) for cycle in _CORNER_CYCLES]
    rotated_direction_words = {
        word: cycle[(direction * position + shift) % len(cycle)]
        for cycle, shift in cycles
        for position, word in enumerate(cycle)
    }
    return _ORIENTATION_PHRASES[shape].format_map(rotated_direction_words)


# Making boards


def _has_room(piece: Piece, other_pieces: list[Piece]) -> bool:
    taken_cells = {
        neighbouring_cell
        for other_piece in other_pieces
        for cell in other_piece.cells
        for neighbouring_cell in _list_neighbouring_cells(*cell)
    }
    return all(
        0 <= cell_row < BOARD_SIZE and 0 <= cell_column < BOARD_SIZE and (cell_row, cell_column) not in taken_cells
        for cell_row, cell_column in piece.cells
    )


def make_board(rng: Random) -> Board:
    """Return a board of 5 to 7 pieces in different BOARD_PLACES. Each colour and each shape occurs at most twice."""
    while True:
        piece_count = rng.randint(5, 7)
        pieces: list[Piece] = []
        for _ in range(400):
            if len(pieces) == piece_count:
                return Board(pieces=tuple(pieces))
            shape, colour = rng.choice(PIECE_SHAPES), rng.choice(COLOURS)
            turn, is_mirrored = rng.choice(list_orientations(shape))
            piece = _place_randomly(shape, colour, turn, is_mirrored, rng)
            if _may_join(piece, pieces):
                pieces.append(piece)


def _place_randomly(shape: Shape, colour: Colour, turn: int, is_mirrored: bool, rng: Random) -> Piece:
    height, width = box_of(shape, turn, is_mirrored)
    row, column = rng.randint(0, BOARD_SIZE - height), rng.randint(0, BOARD_SIZE - width)
    return Piece.model_validate(
        {"shape": shape, "colour": colour, "turn": turn, "mirrored": is_mirrored, "row": row, "column": column}
    )


def _may_join(piece: Piece, other_pieces: list[Piece]) -> bool:
    """Return whether a piece has room, a place of its own, and a colour and shape that are not used too often."""
    return (
        _is_away_from_third_lines(piece)
        and all(other_piece.board_thirds != piece.board_thirds for other_piece in other_pieces)
        and sum(1 for other_piece in other_pieces if other_piece.colour == piece.colour) < 2
        and sum(1 for other_piece in other_pieces if other_piece.shape == piece.shape) < 2
        and all(other_piece.name != piece.name for other_piece in other_pieces)
        and _has_room(piece, other_pieces)  # last: it takes the longest
    )


def _is_away_from_third_lines(piece: Piece) -> bool:
    """Return whether the middle of a piece is not close to a line between thirds of the board."""
    return all(
        min(abs(coordinate - BOARD_SIZE / 3), abs(coordinate - 2 * BOARD_SIZE / 3)) > 0.25
        for coordinate in piece.box_centre
    )


CHANGE_KINDS: tuple[str, ...] = ("colour", "place", "orientation", "shape")


def change_attributes(board: Board, kinds: tuple[str, ...], rng: Random) -> Board:
    """Return a board on which one attribute of a different piece is changed for each of `kinds` (see CHANGE_KINDS).

    A changed place is another third of the board, at least 3 cells away. The other attributes stay the same, except
    that a new shape has an orientation of its own. Raises ValueError if there is no room.
    """
    for _ in range(1000):
        pieces = list(board.pieces)
        indices = rng.sample(range(len(pieces)), len(kinds))
        for index, kind in zip(indices, kinds, strict=True):
            other_pieces = [piece for i, piece in enumerate(pieces) if i != index]
            candidates = [piece for piece in list_variants(pieces[index], kind) if _may_join(piece, other_pieces)]
            if not candidates:
                break
            pieces[index] = rng.choice(candidates)
        else:
            changed_board = Board(pieces=tuple(pieces))
            if sorted(kind for pair in pair_pieces(board, changed_board) for kind in pair.attributes) == sorted(kinds):
                return changed_board
    raise ValueError(f"no room on this board for the changes {kinds}")


def list_variants(piece: Piece, kind: str) -> list[Piece]:
    """Return all pieces that differ from this one in one attribute only (see CHANGE_KINDS), ignoring other pieces."""
    if kind == "colour":
        return [piece.model_copy(update={"colour": colour}) for colour in COLOURS if colour != piece.colour]
    if kind == "place":
        moved_pieces = [
            piece.model_copy(update={"row": row, "column": column})
            for row in range(BOARD_SIZE - piece.height + 1)
            for column in range(BOARD_SIZE - piece.width + 1)
        ]
        return [moved_piece for moved_piece in moved_pieces if _is_in_distant_board_third(piece, moved_piece)]
    shapes = [piece.shape] if kind == "orientation" else [shape for shape in PIECE_SHAPES if shape != piece.shape]
    variants = []
    box_centre = piece.box_centre
    for shape in shapes:
        for turn, is_mirrored in list_orientations(shape):
            if kind == "orientation" and (turn, is_mirrored) == (piece.turn, piece.mirrored):
                continue
            height, width = box_of(shape, turn, is_mirrored)
            for row in range(piece.row - 2, piece.row + 3):
                for column in range(piece.column - 2, piece.column + 3):
                    if max(abs(row + height / 2 - box_centre[0]), abs(column + width / 2 - box_centre[1])) > 0.5:
                        continue
                    moved_piece = piece.model_copy(
                        update={"shape": shape, "turn": turn, "mirrored": is_mirrored, "row": row, "column": column}
                    )
                    if moved_piece.board_thirds == piece.board_thirds:
                        variants.append(moved_piece)
    return variants


def _is_in_distant_board_third(first_piece: Piece, second_piece: Piece) -> bool:
    return any(
        first_board_third != second_board_third and abs(first_centre - second_centre) >= 3
        for first_board_third, second_board_third, first_centre, second_centre in zip(
            first_piece.board_thirds,
            second_piece.board_thirds,
            first_piece.box_centre,
            second_piece.box_centre,
            strict=True,
        )
    )


# Comparing boards


def list_differing_attributes(first_piece: Piece, second_piece: Piece) -> tuple[str, ...]:
    """Return the CHANGE_KINDS in which two pieces differ. Orientation counts only between pieces of the same shape."""
    attributes = []
    if first_piece.colour != second_piece.colour:
        attributes.append("colour")
    if first_piece.place != second_piece.place:
        attributes.append("place")
    if first_piece.shape != second_piece.shape:
        attributes.append("shape")
    elif (first_piece.turn, first_piece.mirrored) != (second_piece.turn, second_piece.mirrored):
        attributes.append("orientation")
    return tuple(attributes)


class PiecePair(NamedTuple):
    """A piece of one board, the corresponding piece of the other, and the attributes in which they differ."""

    a: Piece | None
    b: Piece | None
    attributes: tuple[str, ...]


def pair_pieces(first_board: Board, second_board: Board) -> list[PiecePair]:
    """Return the pairing of the pieces of two boards with the fewest differences. A piece without partner costs four.

    Two pieces with neither colour nor shape in common are never paired.
    """
    return [
        PiecePair(x, y, list_differing_attributes(x, y) if x and y else ("missing",) * 4)
        for x, y in _find_cheapest_pairing(first_board.pieces, second_board.pieces)
    ]


_Links = tuple[tuple[Piece | None, Piece | None], ...]


def _find_cheapest_pairing(first_pieces: tuple[Piece, ...], second_pieces: tuple[Piece, ...]) -> _Links:
    """Find the cheapest pairing by dynamic programming over the pieces of `second_pieces` that are still free."""

    @cache
    def pair_remaining_pieces(i: int, free_indices: tuple[int, ...]) -> tuple[float, _Links]:
        """Return the cost and the links of the best pairing of left[i:] with the free pieces."""
        if i == len(first_pieces):
            return 4.0 * len(free_indices), tuple((None, second_pieces[j]) for j in free_indices)
        pairing_cost, pairing = pair_remaining_pieces(i + 1, free_indices)
        best_pairing = (pairing_cost + 4, ((first_pieces[i], None), *pairing))
        for j in free_indices:
            if first_pieces[i].colour == second_pieces[j].colour or first_pieces[i].shape == second_pieces[j].shape:
                pairing_cost, pairing = pair_remaining_pieces(
                    i + 1, tuple(free_index for free_index in free_indices if free_index != j)
                )
                pairing_cost += (
                    len(list_differing_attributes(first_pieces[i], second_pieces[j]))
                    + _cell_distance(first_pieces[i], second_pieces[j]) / 100
                )
                if pairing_cost < best_pairing[0]:
                    best_pairing = (pairing_cost, ((first_pieces[i], second_pieces[j]), *pairing))
        return best_pairing

    return pair_remaining_pieces(0, tuple(range(len(second_pieces))))[1]


def _cell_distance(first_piece: Piece, second_piece: Piece) -> float:
    return max(abs(x - y) for x, y in zip(first_piece.box_centre, second_piece.box_centre, strict=True))


def distance(first_board: Board, second_board: Board) -> int:
    """Return how many attributes differ under the best pairing. A piece without partner counts four."""
    return sum(len(pair.attributes) for pair in pair_pieces(first_board, second_board))


class BoardDifference(NamedTuple):
    """A difference between boards A and B: in words, and the pixel box of the piece on each, None if it is missing."""

    words: str
    a: Box | None
    b: Box | None


def describe_differences(first_board: Board, second_board: Board) -> list[BoardDifference]:
    """Return the differences between two boards, for a debriefing; empty if they are equal."""
    differences = []
    for pair in pair_pieces(first_board, second_board):
        if pair.a and pair.b:
            if pair.attributes or pair.a != pair.b:
                words = _describe_difference(pair.a, pair.b, pair.attributes or ("place",))
                differences.append(BoardDifference(words, compute_pixel_box(pair.a), compute_pixel_box(pair.b)))
        elif pair.a:
            differences.append(
                BoardDifference(f"{_describe_piece(pair.a)}: only for A", compute_pixel_box(pair.a), None)
            )
        elif pair.b:
            differences.append(
                BoardDifference(f"{_describe_piece(pair.b)}: only for B", None, compute_pixel_box(pair.b))
            )
    return differences


def _describe_piece(piece: Piece) -> str:
    return f"the {piece.name} ({piece.place})"


def _describe_difference(first_piece: Piece, second_piece: Piece, attributes: tuple[str, ...]) -> str:
    if "shape" in attributes and "colour" not in attributes:
        piece_phrase = f"the {first_piece.colour} piece"
    elif "colour" in attributes and "shape" not in attributes:
        piece_phrase = f"the {first_piece.shape}"
    else:
        piece_phrase = f"the {first_piece.name}"
    place_suffix = f" ({first_piece.place})" if "place" not in attributes else ""
    change_phrases = []
    for attribute in attributes:
        x, y = _describe_attribute(first_piece, attribute), _describe_attribute(second_piece, attribute)
        if attribute == "place" and x == y:
            x, y = (f"row {piece.row + 1}, column {piece.column + 1}" for piece in (first_piece, second_piece))
        change_phrases.append(f"{x} for A, {y} for B")
    return f"{piece_phrase}{place_suffix}: {'; '.join(change_phrases)}"


def _describe_attribute(piece: Piece, attribute: str) -> str:
    return {
        "colour": piece.colour,
        "place": piece.place,
        "shape": f"{piece.shape}",
        "orientation": describe_orientation(piece.shape, piece.turn, piece.mirrored),
    }[attribute]


# Describing and drawing

CELL_PIXELS, MARGIN_PIXELS = 38, 12
BOARD_PIXELS = BOARD_SIZE * CELL_PIXELS + 2 * MARGIN_PIXELS

PAPER_COLOUR, FIELD_COLOUR, LINE_COLOUR, OUTLINE_COLOUR = "#f4f2ee", "#fdfcfa", "#e6e2da", "#26282c"
INK_BY_COLOUR: dict[Colour, str] = {
    "red": "#cf2e26",
    "yellow": "#f5cb1e",
    "green": "#14a974",
    "blue": "#3b8ff2",
    "purple": "#5f2a91",
    "pink": "#fbb1d0",
    "black": "#34363a",
}


def compute_pixel_box(piece: Piece) -> Box:
    """Return the box of a piece on the picture that `draw` returns: [x, y, width, height] in pixels."""
    return (
        MARGIN_PIXELS + piece.column * CELL_PIXELS,
        MARGIN_PIXELS + piece.row * CELL_PIXELS,
        piece.width * CELL_PIXELS,
        piece.height * CELL_PIXELS,
    )


def board_of(description: Mapping[str, Any]) -> Board:
    """Return the board of a description that `describe` returned."""
    names = ("shape", "colour", "turn", "mirrored", "row", "column")
    return Board.model_validate({"pieces": [{key: piece[key] for key in names} for piece in description["pieces"]]})


def describe_board(board: Board) -> dict[str, Any]:
    """Return what is on the board, as JSON data that a player without vision reads instead of the picture."""
    pieces = [
        {
            "shape": piece.shape,
            "colour": piece.colour,
            "orientation": describe_orientation(piece.shape, piece.turn, piece.mirrored),
            "turn": piece.turn,
            "mirrored": piece.mirrored,
            "place": piece.place,
            "middle": list(piece.box_centre),
            "row": piece.row,
            "column": piece.column,
            "cells": [list(cell) for cell in piece.cells],
            "box": list(compute_pixel_box(piece)),
        }
        for piece in board.pieces
    ]
    return {
        "kind": "pentomino",
        "rows": BOARD_SIZE,
        "columns": BOARD_SIZE,
        "pieces": pieces,
        "relations": relations(board),
    }


def relations(board: Board) -> list[tuple[int, str, int]]:
    """Return (i, relation, j) for all pieces i that are entirely left of, right of, above or below a piece j."""
    relation_triples = []
    for i, first_piece in enumerate(board.pieces):
        for j, second_piece in enumerate(board.pieces):
            if first_piece.column + first_piece.width <= second_piece.column:
                relation_triples += [(i, "left of", j), (j, "right of", i)]
            if first_piece.row + first_piece.height <= second_piece.row:
                relation_triples += [(i, "above", j), (j, "below", i)]
    return sorted(relation_triples)


def render_png(board: Board) -> bytes:
    """Return a board as a PNG picture of BOARD_PIXELS x BOARD_PIXELS: a faint grid, flat colours, dark outlines."""
    from PIL import Image, ImageDraw  # late: most commands draw nothing

    image = Image.new("RGB", (BOARD_PIXELS, BOARD_PIXELS), PAPER_COLOUR)
    pen = ImageDraw.Draw(image)
    end_pixel = BOARD_PIXELS - MARGIN_PIXELS
    pen.rectangle((MARGIN_PIXELS, MARGIN_PIXELS, end_pixel, end_pixel), fill=FIELD_COLOUR)
    for i in range(BOARD_SIZE + 1):
        line_position = MARGIN_PIXELS + i * CELL_PIXELS
        pen.line((MARGIN_PIXELS, line_position, end_pixel, line_position), fill=LINE_COLOUR)
        pen.line((line_position, MARGIN_PIXELS, line_position, end_pixel), fill=LINE_COLOUR)
    for piece in board.pieces:
        _draw_piece(pen, piece)
    return encode_png(image)


def _draw_piece(pen: ImageDraw.ImageDraw, piece: Piece) -> None:
    cells = set(piece.cells)
    ink = INK_BY_COLOUR[piece.colour]
    inner_line_colour = _mix_colours(ink, "#ffffff" if piece.colour in ("black", "purple") else "#000000", 0.16)
    for row, column in piece.cells:
        x, y = MARGIN_PIXELS + column * CELL_PIXELS, MARGIN_PIXELS + row * CELL_PIXELS
        pen.rectangle((x, y, x + CELL_PIXELS, y + CELL_PIXELS), fill=ink)
    for row, column in piece.cells:
        x, y = MARGIN_PIXELS + column * CELL_PIXELS, MARGIN_PIXELS + row * CELL_PIXELS
        if (row, column + 1) in cells:
            pen.line((x + CELL_PIXELS, y, x + CELL_PIXELS, y + CELL_PIXELS), fill=inner_line_colour)
        if (row + 1, column) in cells:
            pen.line((x, y + CELL_PIXELS, x + CELL_PIXELS, y + CELL_PIXELS), fill=inner_line_colour)
    for row, column in piece.cells:
        x, y = MARGIN_PIXELS + column * CELL_PIXELS, MARGIN_PIXELS + row * CELL_PIXELS
        sides = (
            ((row - 1, column), (x - 1, y - 1, x + CELL_PIXELS + 1, y + 1)),
            ((row + 1, column), (x - 1, y + CELL_PIXELS - 1, x + CELL_PIXELS + 1, y + CELL_PIXELS + 1)),
            ((row, column - 1), (x - 1, y - 1, x + 1, y + CELL_PIXELS + 1)),
            ((row, column + 1), (x + CELL_PIXELS - 1, y - 1, x + CELL_PIXELS + 1, y + CELL_PIXELS + 1)),
        )
        for outside_cell, edge in sides:
            if outside_cell not in cells:
                pen.rectangle(edge, fill=OUTLINE_COLOUR)


def _mix_colours(first_colour: str, second_colour: str, second_share: float) -> tuple[int, int, int]:
    first_channels, second_channels = (
        tuple(int(colour_code[i : i + 2], 16) for i in (1, 3, 5)) for colour_code in (first_colour, second_colour)
    )
    red, green, blue = (round(x + (y - x) * second_share) for x, y in zip(first_channels, second_channels, strict=True))
    return red, green, blue
