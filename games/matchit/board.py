"""The pictures of a MatchIt instance, and the differences between its two sides.

`picture` draws a side on demand. `side_differences` describes the differences for a debriefing, in words and as marks:
cells [row, column] on text grids (from 0), pixel boxes [x, y, width, height] on pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.content import Picture
from engine.core.events import Json
from games.common import grids, pentomino, pictures
from games.common.grids import Cell
from games.common.pictures import Box
from games.matchit.instances import BoardPair, GridPair, ImportedPair, Instance, PhotoPair


def picture(instance: Instance, side: str) -> Picture:
    """Return the picture of seat A or B. Grids are played as text; their drawing is only for people.

    Raises KeyError for an imported grid, which has no picture.
    """
    if ids := _library_ids(instance):
        return pictures.LIBRARY.picture(ids["AB".index(side)])
    if isinstance(instance, GridPair):
        margin, cell = 20, 88
        size = 2 * margin + grids.SIZE * cell
        return _png_picture(grids.draw(instance.grid(side), cell, margin), size, description(instance, side))
    if not isinstance(instance, BoardPair):
        raise KeyError(f"an imported grid is shown as text, there is no picture of it for seat {side}")
    return _png_picture(pentomino.draw(instance.board(side)), pentomino.BOARD_PIXELS, description(instance, side))


def _library_ids(instance: Instance) -> tuple[str, ...]:
    """Return the ids of both sides if they are pictures of the library."""
    if isinstance(instance, PhotoPair) or (isinstance(instance, ImportedPair) and instance.noun == "picture"):
        return instance.a, instance.b
    return ()


def missing_picture(instance: Instance) -> str | None:
    """Return which picture of an instance is missing and how to restore it, None if all are here."""
    for id in dict.fromkeys(_library_ids(instance)):
        try:
            pictures.LIBRARY.verify_picture(id)
        except pictures.UnknownPicture as error:
            return str(error)
    return None


def _png_picture(picture_bytes: bytes, size: int, description: Json) -> Picture:
    return Picture(picture_bytes, "image/png", size, size, description)


def description(instance: Instance, side: str) -> Json:
    """Return what is on the picture of seat A or B, without drawing it."""
    if (text := instance.text(side)) is not None:
        return {"kind": "grid", "grid": text}
    if isinstance(instance, PhotoPair | ImportedPair):
        return picture(instance, side).description
    assert isinstance(instance, BoardPair), "a grid has a text"
    return pentomino.describe(instance.board(side))


@dataclass(frozen=True)
class SideDifferences:
    """The differences between the two sides, all empty if they are the same. Marks and boxes are by side."""

    words: list[str] = field(default_factory=list)
    marks: dict[str, list[Cell]] = field(default_factory=lambda: {"A": [], "B": []})
    boxes: dict[str, list[Box]] = field(default_factory=lambda: {"A": [], "B": []})


MAX_LISTED_CELLS = 6
"""If grids differ in more cells than this, the cells are marked but not listed in words."""


def side_differences(instance: Instance) -> SideDifferences:
    """Return the differences between A's side and B's, in words and as marks."""
    if isinstance(instance, GridPair):
        return _grid_differences(instance)
    if isinstance(instance, PhotoPair):
        description_a, description_b = (pictures.LIBRARY.description(instance.id(side)) for side in "AB")
        from games.matchit import photo_differences  # and with it what reads descriptions: pictures do without

        words, boxes = photo_differences.differences(description_a, description_b, instance.relation == "similar")
        return SideDifferences(words=words, boxes=boxes)
    if not isinstance(instance, BoardPair):
        return SideDifferences()
    differences = pentomino.describe_differences(instance.a, instance.b)
    return SideDifferences(
        words=[difference.words for difference in differences],
        boxes={
            "A": [difference.a for difference in differences if difference.a],
            "B": [difference.b for difference in differences if difference.b],
        },
    )


def _grid_differences(instance: GridPair) -> SideDifferences:
    grid_a, grid_b = instance.grid("A"), instance.grid("B")
    cells = grids.differing_cells(grid_a, grid_b)
    words = []
    transform = grids.transform_between(grid_a, grid_b)
    if cells and transform:
        words.append(f"B's grid is A's, {transform}: {len(cells)} cells differ")
    elif len(cells) > MAX_LISTED_CELLS:
        words.append(f"{len(cells)} of {len(grids.CELLS)} cells differ")
    for row, column in cells if len(cells) <= MAX_LISTED_CELLS else []:
        cell_state_a, cell_state_b = ("filled", "empty") if grid_a[row, column] else ("empty", "filled")
        words.append(f"row {row + 1}, column {column + 1}: {cell_state_a} for A, {cell_state_b} for B")
    return SideDifferences(words=words, marks={"A": list(cells), "B": list(cells)})
