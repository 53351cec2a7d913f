"""What is drawn of a MatchIt instance, and where its two sides differ.

`picture` draws a side on demand; `differences` says for a debriefing what differs, in words and as marks: cells
[row, column] on text grids (from 0), pixel boxes [x, y, width, height] on pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.core.content import Picture
from engine.core.events import Json
from games.common import grids, pentomino, pictures
from games.matchit import photo_differences
from games.matchit.instances import BoardPair, GridPair, ImportedPair, Instance, PhotoPair


def picture(instance: Instance, side: str) -> Picture:
    """Return the picture of seat A or B. Grids are played as text, their drawing is for people's eyes only."""
    if isinstance(instance, PhotoPair):
        return pictures.LIBRARY.picture(instance.id(side))
    if isinstance(instance, ImportedPair) and instance.thing == "picture":
        return pictures.LIBRARY.picture(instance.a if side == "A" else instance.b)
    if isinstance(instance, GridPair):
        margin, cell = 20, 88
        size = 2 * margin + grids.SIZE * cell
        return _drawn(grids.draw(instance.grid(side), cell, margin), size, description(instance, side))
    if not isinstance(instance, BoardPair):
        raise KeyError(f"an imported grid is shown as text, there is no picture of it for seat {side}")
    return _drawn(pentomino.draw(instance.board(side)), pentomino.PIXELS, description(instance, side))


def _drawn(data: bytes, size: int, what: Json) -> Picture:
    return Picture(data, "image/png", size, size, what)


def description(instance: Instance, side: str) -> Json:
    """What is on the picture of seat A or B, without drawing it."""
    if (text := instance.text(side)) is not None:
        return {"kind": "grid", "grid": text}
    if isinstance(instance, PhotoPair | ImportedPair):
        return picture(instance, side).description
    assert isinstance(instance, BoardPair), "what an imported picture shows is not known"
    return pentomino.describe(instance.board(side))


@dataclass(frozen=True)
class Differences:
    """Where the two sides differ; all empty when they are the same. Marks and boxes are per side."""

    words: list[str] = field(default_factory=list)
    marks: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: {"A": [], "B": []})
    boxes: dict[str, list[tuple[int, int, int, int]]] = field(default_factory=lambda: {"A": [], "B": []})


SHOWN_CELLS = 6
"""Of grids that differ in more cells than this, only the first are put in words; all are marked."""


def differences(instance: Instance) -> Differences:
    """Say and mark what differs between A's side and B's."""
    if isinstance(instance, GridPair):
        return _of_grids(instance)
    if isinstance(instance, PhotoPair):
        a, b = (pictures.LIBRARY.description(instance.id(side)) for side in "AB")
        words, boxes = photo_differences.differences(a, b, instance.relation == "similar")
        return Differences(words=words, boxes=boxes)
    found = Differences()
    if not isinstance(instance, BoardPair):
        return found
    for difference in pentomino.describe_differences(instance.a, instance.b):
        found.words.append(difference.words)
        if difference.a:
            found.boxes["A"].append(difference.a)
        if difference.b:
            found.boxes["B"].append(difference.b)
    return found


def _of_grids(instance: GridPair) -> Differences:
    a, b = instance.grid("A"), instance.grid("B")
    cells = grids.differing_cells(a, b)
    words = []
    transform = grids.transform_between(a, b)
    if cells and transform:
        words.append(f"B's grid is A's, {transform}: {len(cells)} cells differ")
    elif len(cells) > SHOWN_CELLS:
        words.append(f"{len(cells)} of {len(grids.CELLS)} cells differ")
    for row, column in cells if len(cells) <= SHOWN_CELLS else []:
        mine, other = ("filled", "empty") if a[row, column] else ("empty", "filled")
        words.append(f"row {row + 1}, column {column + 1}: {mine} for A, {other} for B")
    return Differences(words=words, marks={"A": list(cells), "B": list(cells)})
