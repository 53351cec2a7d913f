"""A room's shell: floor, ceiling, three walls with windows and doors, and frames along the walls to put furniture in.

The viewer stands at the open front (y = 0) and looks towards the back wall (y = depth); x runs from 0 to width.
Furniture is built with its back to y = 0 and its face towards -y, so `with room.back(1.5):` stands it against the back
wall at x = 1.5, `room.left(2.0)` and `room.right(2.0)` against the side walls, `room.floor(x, y, turn)` anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from draw import materials as m
from draw.stage import Point, at, box, panel_light, scenery, sheet, sky, state, sun, thing

THICK = 0.12


@dataclass
class _Opening:
    side: str
    along: float
    z: float
    width: float
    height: float


@dataclass
class Room:
    """A room of width, depth and height in metres; walls stand when the `with` block ends."""

    width: float = 4.4
    depth: float = 4.0
    height: float = 2.6
    walls: Any = None
    floor_of: Any = None
    ceiling: Any = None
    sides: str = "left back right"
    skirting: bool = True
    pit: tuple[float, float, float, float] | None = None
    """A hole in the floor (a swimming pool): its least x and y, width and depth."""
    openings: list[_Opening] = field(default_factory=list)

    def __enter__(self) -> Room:
        self.walls = self.walls or m.paint("white", 0.9)
        self.floor_of = self.floor_of or m.planks("oak")
        return self

    def __exit__(self, *problem: object) -> None:
        if problem[0] is None:
            with scenery():
                self._shell()

    # ------------------------------------------------------------------ places
    @contextmanager
    def back(self, x: float, z: float = 0.0, gap: float = 0.02) -> Iterator[None]:
        """Against the back wall, x from the left corner, z above the floor."""
        with at(x, self.depth - gap, z):
            yield

    @contextmanager
    def left(self, y: float, z: float = 0.0, gap: float = 0.02) -> Iterator[None]:
        """Against the left wall, y from the front; the face looks right."""
        with at(gap, y, z, 90):
            yield

    @contextmanager
    def right(self, y: float, z: float = 0.0, gap: float = 0.02) -> Iterator[None]:
        """Against the right wall, y from the front; the face looks left."""
        with at(self.width - gap, y, z, -90):
            yield

    @contextmanager
    def floor(self, x: float, y: float, turn: float = 0.0) -> Iterator[None]:
        """On the floor; `turn` 0 faces the viewer, 90 faces right, -90 left, 180 away."""
        with at(x, y, 0.0, turn):
            yield

    def _wall(self, side: str) -> Any:
        """Return the frame of a wall: x along it, y outwards, seen from inside with x to the right."""
        if side == "back":
            return at(0, self.depth, 0)
        if side == "left":
            return at(0, 0, 0, 90)  # x runs along +y, y points to -x: outwards
        return at(self.width, self.depth, 0, -90)  # x runs along -y, y points to +x: outwards

    def _length(self, side: str) -> float:
        return self.width if side == "back" else self.depth

    # ------------------------------------------------------------------ openings
    def opening(self, side: str, along: float, z: float, width: float, height: float) -> None:
        """Leave a hole in a wall: `along` is x (back) or y (left, right) of its middle, z of its lower edge."""
        self.openings.append(_Opening(side, along, z, width, height))

    def window(
        self,
        side: str = "back",
        along: float = 1.0,
        z: float = 0.9,
        width: float = 1.2,
        height: float = 1.2,
        *,
        panes: tuple[int, int] = (2, 2),
        frame: str = "white",
        curtain: Any = None,
        curtain_words: tuple[str, ...] = (),
        described: bool = True,
    ) -> None:
        """A window with a frame; `curtain` is the material of two curtains beside it, `curtain_words` what they are."""
        self.opening(side, along, z, width, height)
        x = self._length(side) - along if side == "right" else along
        with self._wall(side):
            if described:
                with thing("window"):
                    state("closed")
                    self._frame(x, z, width, height, panes, frame)
            else:
                with scenery():
                    self._frame(x, z, width, height, panes, frame)
            if curtain is not None:
                for end in (-1, 1):
                    with thing("curtain", *curtain_words):
                        state("open")
                        sheet(
                            x + end * (width / 2 + 0.12),
                            -0.08,
                            max(z - 0.3, 0.05),
                            0.34,
                            height + 0.45,
                            curtain,
                            folds=4,
                        )
                with scenery():
                    box(x, -0.08, z + height + 0.14, width + 0.8, 0.03, 0.03, m.metal("iron"))

    def _frame(self, x: float, z: float, width: float, height: float, panes: tuple[int, int], frame: str) -> None:
        bar = m.paint(frame, 0.35)
        across, up = panes
        for i in range(across + 1):
            thick = 0.06 if i in (0, across) else 0.035
            box(x - width / 2 + i * width / across, THICK / 2, z, thick, 0.07, height, bar)
        for i in range(up + 1):
            thick = 0.06 if i in (0, up) else 0.035
            box(x, THICK / 2, z - thick / 2 + i * height / up, width, 0.07, thick, bar)
        box(x, THICK / 2, z, width, 0.004, height, m.glass(), bevel=0)
        box(x, -0.02, z - 0.06, width + 0.16, 0.16, 0.035, bar)

    def doorway(
        self, side: str, along: float, *, width: float = 0.9, height: float = 2.05, frame: str = "white"
    ) -> None:
        """An opening without a leaf, framed; what lies behind is up to the scene."""
        self.opening(side, along, 0, width, height)
        x = self._length(side) - along if side == "right" else along
        with self._wall(side), scenery():
            bar = m.paint(frame, 0.4)
            for end in (-1, 1):
                box(x + end * (width / 2 + 0.03), 0.0, 0, 0.09, 0.18, height + 0.05, bar)
            box(x, 0.0, height, width + 0.15, 0.18, 0.09, bar)

    def door(
        self, side: str, along: float, colour: str = "white", *, width: float = 0.86, height: float = 2.02
    ) -> None:
        """A closed door in its frame."""
        x = self._length(side) - along if side == "right" else along
        with self._wall(side), thing("door", colour):
            state("closed")
            leaf, bar = m.paint(colour, 0.4), m.paint("white", 0.4)
            for end in (-1, 1):
                box(x + end * (width / 2 + 0.04), -0.02, 0, 0.08, 0.06, height + 0.08, bar)
            box(x, -0.02, height, width + 0.16, 0.06, 0.08, bar)
            box(x, -0.015, 0.01, width, 0.04, height, leaf)
            for z, h in ((0.2, 0.7), (1.1, 0.72)):
                for dx in (-0.2, 0.2):
                    box(x + dx, -0.037, z, 0.28, 0.012, h, leaf, bevel=0.006)
            box(x + width / 2 - 0.08, -0.07, 1.0, 0.13, 0.025, 0.025, m.metal("steel"))

    # ------------------------------------------------------------------ shell
    def _shell(self) -> None:
        w, d, h = self.width, self.depth, self.height
        for x, y, wide, deep in self._floors():
            box(x + wide / 2, y + deep / 2, -0.1, wide, deep, 0.1, self.floor_of, bevel=0)
        box(w / 2, d / 2, h, w + 2 * THICK, d + 2 * THICK, 0.1, self.ceiling or m.paint("white", 0.9), bevel=0)
        for side in self.sides.split():
            length = self._length(side)
            with self._wall(side):
                holes = sorted(
                    ((length - o.along if side == "right" else o.along), o.z, o.width, o.height)
                    for o in self.openings
                    if o.side == side
                )
                left = 0.0
                for x, z, width, height in holes:
                    self._panel(left, x - width / 2, 0, h)
                    self._panel(x - width / 2, x + width / 2, 0, z)
                    self._panel(x - width / 2, x + width / 2, z + height, h)
                    left = x + width / 2
                self._panel(left, length, 0, h)
                if self.skirting:
                    start = 0.0
                    for x, z, width, _ in [*holes, (length, 0, 0, 0)]:
                        if z < 0.1:
                            if x - width / 2 - start > 0.02:
                                box(
                                    (start + x - width / 2) / 2,
                                    -0.008,
                                    0,
                                    x - width / 2 - start,
                                    0.016,
                                    0.09,
                                    m.paint("white", 0.4),
                                )
                            start = x + width / 2

    def _floors(self) -> list[tuple[float, float, float, float]]:
        """Return the floor's pieces: all of it, or what lies round the pit."""
        w, d = self.width + THICK, self.depth + THICK
        if self.pit is None:
            return [(-THICK, -THICK, w + THICK, d + THICK)]
        x, y, wide, deep = self.pit
        return [
            (-THICK, -THICK, x + THICK, d + THICK),
            (x + wide, -THICK, w - x - wide, d + THICK),
            (x, -THICK, wide, y + THICK),
            (x, y + deep, wide, d - y - deep),
        ]

    def _panel(self, x0: float, x1: float, z0: float, z1: float) -> None:
        if x1 - x0 > 0.005 and z1 - z0 > 0.005:
            box((x0 + x1) / 2, THICK / 2, z0, x1 - x0, THICK, z1 - z0, self.walls, bevel=0)


def daylight(
    room: Room, *, strength: float = 3.0, from_: Point = (2, 6, 5), fill: float = 60.0, world: float = 0.6
) -> None:
    """Sun from outside (a direction that enters by the window), sky, and soft light from the ceiling in watts."""
    sky(world)
    if strength:
        sun(strength, from_=from_)
    panel_light(room.width / 2, room.depth * 0.45, room.height - 0.03, fill, size=min(room.width, room.depth) * 0.5)


def outdoors(y: float = 20.0, *, ground: Any = None, hedge: bool = True, z: float = -0.4) -> None:
    """What a window shows: ground up to the horizon and a hedge at a distance."""
    with scenery():
        box(0, y + 30, z - 0.1, 120, 100, 0.1, ground or m.grass(), bevel=0)
        if hedge:
            green = m.mottled((0.03, 0.13, 0.02), (0.08, 0.24, 0.05), 0.3, 0.95, 0.4)
            box(0, y, z, 90, 1.2, 1.5, green, bevel=0)["surface"] = "hedge"
