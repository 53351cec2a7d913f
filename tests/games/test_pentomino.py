"""Pentomino boards: twelve shapes, pieces that do not touch, orientations in words, differences, drawing."""

from io import BytesIO
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pydantic import ValidationError

from games.common import pentomino
from games.common.pentomino import BOARD_SIZE, CHANGE_KINDS, COLOURS, PIECE_SHAPES, Board, Piece, Shape

boards = st.integers(0, 10_000).map(lambda seed: pentomino.make_board(Random(seed)))


def piece(name: str, row: int, column: int, turn: int = 0, mirrored: bool = False) -> Piece:
    colour, shape = name.split()
    return Piece.model_validate(
        {"shape": shape, "colour": colour, "turn": turn, "mirrored": mirrored, "row": row, "column": column}
    )


def test_there_are_twelve_different_shapes_of_five_cells_and_63_orientations() -> None:
    looks = {
        shape: {pentomino.cells_of(shape, turn, mirrored) for turn, mirrored in pentomino.list_orientations(shape)}
        for shape in PIECE_SHAPES
    }
    assert len(PIECE_SHAPES) == 12
    assert all(len(cells) == 5 for found in looks.values() for cells in found)
    assert all(not a & b for a, b in combinations(looks.values(), 2))
    assert sum(len(found) for found in looks.values()) == 63


@pytest.mark.parametrize("shape", PIECE_SHAPES)
def test_every_orientation_has_its_own_words(shape: Shape) -> None:
    said = [pentomino.describe_orientation(shape, *how) for how in pentomino.list_orientations(shape)]
    assert len(set(said)) == len(said)


def test_words_for_orientations() -> None:
    assert pentomino.describe_orientation("T", 0, False) == "with its stem pointing down"
    assert pentomino.describe_orientation("T", 90, False) == "with its stem pointing left"
    assert pentomino.describe_orientation("U", 0, False) == "open upwards"
    assert pentomino.describe_orientation("L", 0, False) == "upright with its foot at the bottom right"
    assert pentomino.describe_orientation("L", 0, True) == "upright with its foot at the bottom left"
    assert pentomino.describe_orientation("V", 0, False) == "with its corner at the bottom left"
    assert pentomino.describe_orientation("I", 90, False) == "lying"
    assert pentomino.describe_orientation("X", 0, False) == ""
    assert pentomino.describe_orientation("F", 90, True) == "with its arm pointing down and its hook at the top right"
    assert pentomino.describe_orientation("N", 90, False) == "lying with its longer part at the bottom right"
    assert pentomino.describe_orientation("W", 180, False) == "with its steps open to the bottom left"
    ends = "its ends at the top right and bottom left"
    assert pentomino.describe_orientation("Z", 0, True) == f"with its middle bar upright and {ends}"
    assert pentomino.describe_orientation("Z", 90, False) == f"with its middle bar level and {ends}"


def test_an_orientation_has_one_representation() -> None:
    with pytest.raises(ValidationError, match="looks like another orientation"):
        piece("red X", 0, 0, turn=90)


def test_places_in_words() -> None:
    assert piece("red X", 0, 0).place == "top left"
    assert piece("red X", 4, 5).place == "centre"
    assert piece("red X", 9, 0).place == "bottom left"
    assert piece("red I", 3, 11).place == "centre right"


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ((piece("red X", 0, 0), piece("blue X", 1, 3)), "touches"),
        ((piece("red X", 0, 0), piece("blue T", 3, 2)), "touches"),  # at a corner only
        ((piece("red X", 0, 10),), "leaves the board"),
        ((piece("red X", 0, 0), piece("red X", 6, 6)), "two pieces are a red X"),
    ],
)
def test_an_invalid_board_is_refused(pieces: tuple[Piece, ...], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Board(pieces=pieces)


@settings(max_examples=25)
@given(boards)
def test_a_generated_board_can_be_counted(board: Board) -> None:
    assert 5 <= len(board.pieces) <= 7
    owner = {cell: p.name for p in board.pieces for cell in p.cells}
    assert len(owner) == 5 * len(board.pieces)
    for (r, c), name in owner.items():
        near = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        assert {owner[cell] for cell in near if cell in owner} == {name}
    assert len({p.place for p in board.pieces}) == len(board.pieces)
    assert all(sum(p.colour == colour for p in board.pieces) <= 2 for colour in COLOURS)


@settings(max_examples=25)
@given(boards)
def test_a_board_survives_description_and_json(board: Board) -> None:
    assert pentomino.board_of(pentomino.describe_board(board)) == board
    assert Board.model_validate_json(board.model_dump_json()) == board
    assert pentomino.distance(board, board) == 0
    assert pentomino.describe_differences(board, board) == []


@pytest.mark.slow
@settings(max_examples=25)
@given(boards, st.sampled_from(CHANGE_KINDS), st.integers())
def test_one_change_is_one_difference(board: Board, kind: str, seed: int) -> None:
    try:
        other = pentomino.change_attributes(board, (kind,), Random(seed))
    except ValueError:
        assert kind in ("orientation", "place", "shape")  # no room, or nothing but an X to turn
        return
    assert pentomino.distance(board, other) == 1
    (difference,) = pentomino.describe_differences(board, other)
    assert " for A, " in difference.words
    assert difference.a and difference.b


def test_differences_in_words() -> None:
    a = Board(pieces=(piece("blue T", 0, 0), piece("red X", 8, 8)))
    moved = Board(pieces=(piece("blue T", 5, 5), piece("red X", 8, 8)))
    turned = Board(pieces=(piece("blue T", 0, 0, turn=90), piece("red X", 8, 8)))
    recoloured = Board(pieces=(piece("green T", 0, 0), piece("red X", 8, 8)))
    gone = Board(pieces=(piece("red X", 8, 8),))
    assert [d.words for d in pentomino.describe_differences(a, moved)] == ["the blue T: top left for A, centre for B"]
    assert [d.words for d in pentomino.describe_differences(a, recoloured)] == [
        "the T (top left): blue for A, green for B"
    ]
    assert [d.words for d in pentomino.describe_differences(a, turned)] == [
        "the blue T (top left): with its stem pointing down for A, with its stem pointing left for B"
    ]
    (only,) = pentomino.describe_differences(a, gone)
    assert only == ("the blue T (top left): only for A", pentomino.compute_pixel_box(a.pieces[0]), None)


@settings(max_examples=25)
@given(boards, boards)
def test_distance_is_symmetric(a: Board, b: Board) -> None:
    assert pentomino.distance(a, b) == pentomino.distance(b, a)
    assert (pentomino.distance(a, b) == 0) or a != b


def test_relations_between_pieces() -> None:
    board = Board(pieces=(piece("blue T", 0, 0), piece("red X", 0, 8), piece("pink I", 7, 0)))
    names = [p.name for p in board.pieces]
    found = {(names[i], relation, names[j]) for i, relation, j in pentomino.relations(board)}
    assert ("blue T", "left of", "red X") in found
    assert ("red X", "above", "pink I") in found
    assert ("pink I", "below", "blue T") in found
    assert ("blue T", "left of", "pink I") not in found


@settings(max_examples=25)
@given(boards)
def test_pieces_are_drawn_in_their_boxes(board: Board) -> None:
    data = pentomino.render_png(board)
    assert data == pentomino.render_png(board)
    image = Image.open(BytesIO(data)).convert("RGB")
    assert image.size == (pentomino.BOARD_PIXELS, pentomino.BOARD_PIXELS)
    assert not Image.open(BytesIO(data)).info
    for p in board.pieces:
        ink = tuple(int(pentomino.INK_BY_COLOUR[p.colour][i : i + 2], 16) for i in (1, 3, 5))
        x, y, width, height = pentomino.compute_pixel_box(p)
        for row, column in p.cells:
            centre = (x + (column - p.column) * 38 + 19, y + (row - p.row) * 38 + 19)
            assert image.getpixel(centre) == ink
        assert (width, height) == (p.width * 38, p.height * 38)
        assert x >= 0 and x + width <= pentomino.BOARD_PIXELS and BOARD_SIZE * 38 <= pentomino.BOARD_PIXELS
