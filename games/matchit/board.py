"""What is drawn of a MatchIt instance, and where its two sides differ.

`picture` draws a side on demand; `differences` says for a debriefing what differs, in words and as marks: cells
[row, column] on text grids (from 0), pixel boxes [x, y, width, height] on pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.common import grids, pentomino
from games.matchit.instances import BoardPair, GridPair, Instance


class Drawn(NamedTuple):
    """A picture as PNG without metadata, its size in pixels, and what is on it as data."""

    data: bytes
    width: int
    height: int
    description: dict[str, Any]


def picture(instance: Instance, side: str) -> Drawn:
    """Draw the picture of seat A or B. Grids are played as text, their drawing is for people's eyes only."""
    if isinstance(instance, GridPair):
        margin, cell = 20, 88
        size = 2 * margin + grids.SIZE * cell
        text = instance.a if side == "A" else instance.b
        return Drawn(grids.draw(instance.grid(side), cell, margin), size, size, {"kind": "grid", "grid": text})
    if not isinstance(instance, BoardPair):
        raise KeyError(f"the picture of seat {side} is not here: an imported set brings only its address")
    board = instance.board(side)
    return Drawn(pentomino.draw(board), pentomino.PIXELS, pentomino.PIXELS, pentomino.describe(board))


def description(instance: Instance, side: str) -> dict[str, Any]:
    """What is on the picture of seat A or B, without drawing it."""
    if (text := instance.text(side)) is not None:
        return {"kind": "grid", "grid": text}
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
    found = Differences()
    if not isinstance(instance, BoardPair):
        return found
    for difference in pentomino.differences(instance.a, instance.b):
        found.words.append(difference.words)
        if difference.a:
            found.boxes["A"].append(difference.a)
        if difference.b:
            found.boxes["B"].append(difference.b)
    return found


def _of_grids(instance: GridPair) -> Differences:
    a, b = instance.grid("A"), instance.grid("B")
    cells = grids.differing(a, b)
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
