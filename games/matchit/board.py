"""The pictures of a MatchIt instance, and the differences between its two sides.

`make_picture` draws a side on demand. `find_side_differences` describes the differences for a debriefing, in words and
as marks: cells [row, column] on text grids (from 0), pixel boxes [x, y, width, height] on pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.content import Picture
from engine.core.events import Json
from games.common import grids, pentomino, pictures
from games.common.grids import Cell
from games.common.pictures import Box
from games.matchit.instances import BoardPair, GridPair, ImportedPair, Instance, PhotoPair


def make_picture(instance: Instance, seat: str) -> Picture:
    """Return the picture of seat A or B. Grids are played as text; their drawing is only for people.

    Raises KeyError for an imported grid, which has no picture.
    """
    if picture_ids := _list_library_ids(instance):
        return pictures.LIBRARY.picture(picture_ids["AB".index(seat)])
    if isinstance(instance, GridPair):
        margin, cell = 20, 88
        size = 2 * margin + grids.GRID_SIZE * cell
        return _make_png_picture(
            grids.render_png(instance.grid(seat), cell, margin), size, describe_side(instance, seat)
        )
    if not isinstance(instance, BoardPair):
        raise KeyError(f"an imported grid is shown as text, there is no picture of it for seat {seat}")
    return _make_png_picture(
        pentomino.render_png(instance.board(seat)), pentomino.BOARD_PIXELS, describe_side(instance, seat)
    )


def _list_library_ids(instance: Instance) -> tuple[str, ...]:
    """Return the ids of both sides if they are pictures of the library."""
    if isinstance(instance, PhotoPair) or (isinstance(instance, ImportedPair) and instance.noun == "picture"):
        return instance.a, instance.b
    return ()


def find_missing_picture(instance: Instance) -> str | None:
    """Return which picture of an instance is missing and how to restore it, None if all are here."""
    for id in dict.fromkeys(_list_library_ids(instance)):
        try:
            pictures.LIBRARY.verify_picture(id)
        except pictures.UnknownPicture as error:
            return str(error)
    return None


def _make_png_picture(picture_bytes: bytes, picture_size: int, picture_description: Json) -> Picture:
    return Picture(picture_bytes, "image/png", picture_size, picture_size, picture_description)


def describe_side(instance: Instance, seat: str) -> Json:
    """Return what is on the picture of seat A or B, without drawing it."""
    if (grid_text := instance.text(seat)) is not None:
        return {"kind": "grid", "grid": grid_text}
    if isinstance(instance, PhotoPair | ImportedPair):
        return make_picture(instance, seat).description
    assert isinstance(instance, BoardPair), "a grid has a text"
    return pentomino.describe_board(instance.board(seat))


@dataclass(frozen=True)
class SideDifferences:
    """The differences between the two sides, all empty if they are the same. Marks and boxes are by side."""

    sentences: list[str] = field(default_factory=list)
    marked_cells: dict[str, list[Cell]] = field(default_factory=lambda: {"A": [], "B": []})
    boxes: dict[str, list[Box]] = field(default_factory=lambda: {"A": [], "B": []})


MAX_LISTED_CELLS = 6
"""If grids differ in more cells than this, the cells are marked but not listed in words."""


def find_side_differences(instance: Instance) -> SideDifferences:
    """Return the differences between A's side and B's, in words and as marks."""
    if isinstance(instance, GridPair):
        return _find_grid_differences(instance)
    if isinstance(instance, PhotoPair):
        description_a, description_b = (pictures.LIBRARY.description(instance.id(seat)) for seat in "AB")
        from games.matchit import photo_differences  # and with it what reads descriptions: pictures do without

        words, boxes = photo_differences.find_differences(description_a, description_b, instance.relation == "similar")
        return SideDifferences(sentences=words, boxes=boxes)
    if not isinstance(instance, BoardPair):
        return SideDifferences()
    differences = pentomino.describe_differences(instance.a, instance.b)
    return SideDifferences(
        sentences=[difference.words for difference in differences],
        boxes={
            "A": [difference.a for difference in differences if difference.a],
            "B": [difference.b for difference in differences if difference.b],
        },
    )


def _find_grid_differences(instance: GridPair) -> SideDifferences:
    grid_a, grid_b = instance.grid("A"), instance.grid("B")
    differing_cells = grids.find_differing_cells(grid_a, grid_b)
    sentences = []
    transform = grids.find_transform(grid_a, grid_b)
    if differing_cells and transform:
        sentences.append(f"B's grid is A's, {transform}: {len(differing_cells)} cells differ")
    elif len(differing_cells) > MAX_LISTED_CELLS:
        sentences.append(f"{len(differing_cells)} of {len(grids.GRID_CELLS)} cells differ")
    for row, column in differing_cells if len(differing_cells) <= MAX_LISTED_CELLS else []:
        cell_state_a, cell_state_b = ("filled", "empty") if grid_a[row, column] else ("empty", "filled")
        sentences.append(f"row {row + 1}, column {column + 1}: {cell_state_a} for A, {cell_state_b} for B")
    return SideDifferences(sentences=sentences, marked_cells={"A": list(differing_cells), "B": list(differing_cells)})
