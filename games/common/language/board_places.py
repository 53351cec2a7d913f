"""How far a piece is from the places that people name on a pentomino board, and from standing so to another piece.

A place is a third of the board ("top", "middle"), or a part and its sides: "left-half", "top-left-corner", "top-edge"
for what touches an edge, "top-rim" for what is at or near it, "any-edge". Distances are in cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from games.common.language.terms import OPPOSITE_SIDES
from games.common.pentomino import BOARD_SIZE, Piece

CLEAR, VAGUE_MISFIT, NEAR = 3.0, 0.9, 0.75
"""Misfits: a clear contradiction, what people mix up, and below what a piece fits."""
PLACE_SLACK = 1.5
"""Cells by which a piece may be off the third of the board that is named, unless it is named exactly."""
CORNER_SLACK = 2
"""Cells between a corner and what is "in" it, though it is off that third."""
SLIGHT_MISFIT = 0.01
"""Of a piece within the slack for each cell, so that one in the third comes first."""
MANNERS = ("straight", "wholly")
"""How strictly a relation is meant, the strictest first."""
ANY_PLACES: dict[str, Sequence[tuple[str, ...]]] = {
    "any-corner": list(product(("top", "bottom"), ("left", "right"))),
    "any-edge": [(side,) for side in OPPOSITE_SIDES],
}


def split_place(place: str) -> tuple[tuple[str, ...], str]:
    """Return the sides of a place, and the part that it is: "half", "edge", "rim", "corner", "end", or "" for a third.

    At an end is what reaches farthest there.
    """
    *sides, part = place.split("-")
    return (tuple(sides), part) if sides else ((part,), "")


def measure_place_misfit(
    piece: Piece, places: Iterable[str], is_strict: bool = False, is_denied: bool = False
) -> float:
    """Return how far a piece is from all places that are named, beyond what people take for the same.

    What is at an edge or in a corner is in that third; where nothing is there, nothing covers a cell of it. In a corner
    is also what is off the third, but near the corner.
    """
    covered_parts = ("edge", "rim", "corner") if is_denied else ("edge",)
    places_by_sides = {place: split_place(place) for place in places}
    gaps = [measure_gap(piece, place) for place, (_, part) in places_by_sides.items() if part in covered_parts]
    gap = (min if is_denied else max)(gaps, default=0)
    edge_misfit = 0.0 if not gap else VAGUE_MISFIT if gap == 1 and not (is_strict or is_denied) else CLEAR
    parts_by_side = {
        side: part for sides, part in places_by_sides.values() if part not in (*covered_parts, "end") for side in sides
    }
    distance = _measure_distance(piece, parts_by_side, is_strict, is_denied)
    is_off_corner = any(
        part == "corner" and measure_gap(piece, place) > CORNER_SLACK for place, (_, part) in places_by_sides.items()
    )
    place_slack, least_misfit = (0.25, VAGUE_MISFIT) if is_strict or is_off_corner else (PLACE_SLACK, 0.6)
    is_near = distance <= place_slack
    side_misfit = max(0.0, distance) * SLIGHT_MISFIT if is_near else min(CLEAR, distance - place_slack + least_misfit)
    return max(edge_misfit, side_misfit)


def measure_gap(piece: Piece, place: str) -> int:
    """Return the distance between a piece and the cells at an edge or in a corner."""
    steps = [
        {"top": row, "bottom": BOARD_SIZE - 1 - row, "left": column, "right": BOARD_SIZE - 1 - column}
        for row, column in piece.cells
    ]
    sides_of_cells = ANY_PLACES.get(place, [split_place(place)[0]])
    return min(max(step.get(side, 0) for side in sides) for step in steps for sides in sides_of_cells)


def _measure_distance(piece: Piece, parts_by_side: dict[str, str], is_strict: bool, is_denied: bool) -> float:
    """Return how far the middle of a piece is from the farthest of some thirds and halves of the board.

    Of opposite sides, as in "at the top left and bottom left", neither counts; what is denied is denied of both.
    """
    row, column = piece.box_centre
    col_gap, row_gap = abs(column - BOARD_SIZE / 2) - BOARD_SIZE / 6, abs(row - BOARD_SIZE / 2) - BOARD_SIZE / 6
    limits = {side: BOARD_SIZE / 2 if part == "half" else BOARD_SIZE / 3 for side, part in parts_by_side.items()}
    steps = {"top": row, "bottom": BOARD_SIZE - row, "left": column, "right": BOARD_SIZE - column}
    distances = {side: step - limits[side] for side, step in steps.items() if side in parts_by_side}
    if "middle" in parts_by_side:
        both_gap = max(col_gap, row_gap) if is_strict else min(col_gap, row_gap)
        is_high, is_wide = ({"top", "bottom"} & {*distances}), ({"left", "right"} & {*distances})
        distances["middle"] = col_gap if is_high else row_gap if is_wide else both_gap
    opposites = [side for side in distances if OPPOSITE_SIDES.get(side) in distances]
    counted = [distance for side, distance in distances.items() if side not in opposites]
    counted += [min(distances[side] for side in opposites)] if is_denied and opposites else []
    return max(counted, default=0.0)


# ---------------------------------------------------------------------- relations
DIRECTIONS = ("above", "below", "left of", "right of")


def measure_relation_misfit(piece: Piece, relation: str, other_piece: Piece) -> float:
    """Return how far a piece is from standing so to another, 0 where it does.

    What is "wholly below" begins where the other ends, and what is "straight below" is not beside it either.
    """
    strictness, direction = split_relation(relation)
    rows, columns = (
        here - other_middle for here, other_middle in zip(piece.box_centre, other_piece.box_centre, strict=True)
    )
    if direction == "near":
        return VAGUE_MISFIT * (max(abs(rows), abs(columns)) > 6)
    distance = dict(zip(DIRECTIONS, (-rows, rows, -columns, columns), strict=True))[direction]
    misfit = 0.0 if distance > 0.4 else CLEAR if distance < -1.5 else VAGUE_MISFIT
    if not strictness or misfit:
        return misfit
    row_gap = max(piece.row, other_piece.row) - min(piece.row + piece.height, other_piece.row + other_piece.height)
    first_column_end = min(piece.column + piece.width, other_piece.column + other_piece.width)
    column_gap = max(piece.column, other_piece.column) - first_column_end  # negative where they overlap
    gap, side_gap = (row_gap, column_gap) if direction in ("above", "below") else (column_gap, row_gap)
    is_true = gap >= 0 if strictness == "wholly" else gap >= -1 and side_gap < 0
    return 0.0 if is_true else CLEAR


def split_relation(relation: str) -> tuple[str, str]:
    """Return the manner of a relation and its direction: "straight" and "left of"."""
    strictness, _, direction = relation.partition(" ")
    return (strictness, direction) if strictness in MANNERS else ("", relation)
