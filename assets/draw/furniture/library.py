"""What stands in public libraries: rows of bookcases, reading tables, ladders, trolleys, the lending counter."""

from __future__ import annotations

from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS, put
from draw.furniture.desks import bankers_lamp, open_book
from draw.stage import NEUTRAL, Point, Thing, at, box, cylinder, lettering, panel_light, polygons, thing, tilted, tube

BINDINGS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "old": ((0.2, 0.06, 0.03), (0.12, 0.05, 0.02), (0.28, 0.13, 0.05), (0.16, 0.02, 0.02), (0.05, 0.09, 0.05),
            (0.06, 0.07, 0.14), (0.38, 0.26, 0.12), (0.09, 0.04, 0.03)),
    "new": ((0.5, 0.05, 0.04), (0.06, 0.16, 0.45), (0.7, 0.5, 0.1), (0.1, 0.32, 0.14), (0.75, 0.73, 0.68),
            (0.65, 0.25, 0.05), (0.3, 0.12, 0.35), (0.08, 0.4, 0.42), (0.05, 0.05, 0.06), (0.6, 0.28, 0.34)),
}  # fmt: skip
"""Colours of book spines by how old a library is."""


class _Books:
    """Gathers the books of a bookcase by colour, so that each colour becomes one mesh."""

    def __init__(self, bindings: str, rng: Random) -> None:
        self.colours, self.rng = BINDINGS[bindings], rng
        self.points: list[list[Point]] = [[] for _ in self.colours]
        self.faces: list[list[list[int]]] = [[] for _ in self.colours]

    def row(self, left: float, right: float, front: float, z: float, height: float, depth: float, side: int) -> None:
        """Stand books from left to right on a board, their spines at y = front; `side` -1 faces -y, 1 faces +y."""
        rng, x = self.rng, left
        while x < right - 0.05:
            run = rng.choice([1, 1, 1, 2, 4])  # sets of a work are bound alike
            colour, thick, tall = (
                rng.randrange(len(self.colours)),
                rng.uniform(0.025, 0.055),
                height * rng.uniform(0.72, 0.98),
            )
            for _ in range(run):
                if x + thick > right:
                    return
                inset = rng.uniform(0, 0.02)
                self._box(
                    colour, x, x + thick * 0.94, front - side * (depth + inset), front - side * inset, z, z + tall
                )
                x += thick
            if rng.random() < 0.06:
                x += rng.uniform(0.04, 0.12)

    def _box(self, colour: int, x0: float, x1: float, y0: float, y1: float, z0: float, z1: float) -> None:
        start = len(self.points[colour])
        self.points[colour] += [(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)]
        corners = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
        self.faces[colour] += [[start + i for i in face] for face in corners]

    def build(self) -> None:
        """Make the meshes."""
        for colour, points, faces in zip(self.colours, self.points, self.faces, strict=True):
            if points:
                polygons(points, faces, m.paint(colour, 0.55))


def book_stack(
    width: float,
    height: float,
    rng: Random,
    *,
    look: str = "oak",
    bindings: str = "new",
    both: bool = False,
    label: str | None = None,
    depth: float = 0.3,
) -> Thing:
    """A library's bookcase with its back at y = 0, or (`both`) a free-standing one of double depth, its middle there.

    `look` is a kind of wood or a colour of steel; `label` is written on a plate at its right end (seen from the right).
    """
    wooden = look in WOOD_WORDS
    words = (WOOD_WORDS[look], "wooden") if wooden else (look, "metal")
    with thing("bookcase", *words) as made:
        board = m.wood(look) if wooden else m.paint(look, 0.35)
        up = m.wood(look, along="z") if wooden else board
        low, high = (-depth, depth) if both else (-depth, 0.0)
        middle, deep = (low + high) / 2, high - low
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.015), middle, 0, 0.03, deep, height, up)
        box(0, 0 if both else -0.01, 0, width - 0.04, 0.02, height, up, bevel=0)
        rows = max(2, round(height / 0.36))
        bays = max(1, round(width / 1.0))
        gathered = _Books(bindings, rng)
        for i in range(rows + 1):
            z = 0.06 + i * (height - 0.09) / rows
            box(0, middle, z, width - 0.04, deep - 0.01, 0.025, board)
            if i < rows:
                for bay in range(bays):
                    left = -width / 2 + 0.05 + bay * (width - 0.06) / bays
                    right = left + (width - 0.06) / bays - 0.06
                    tall = ((height - 0.09) / rows - 0.03) * 0.92
                    for side in (-1, 1) if both else (-1,):
                        end = right - (right - left) * rng.uniform(0, 0.16)
                        gathered.row(left, end, side * (depth - 0.03), z + 0.025, tall, depth * 0.68, side)
        for bay in range(1, bays):
            box(-width / 2 + 0.03 + bay * (width - 0.06) / bays, middle, 0, 0.025, deep - 0.004, height, up)
        box(0, middle, 0, width, deep - 0.06, 0.06, up)
        if wooden:
            box(0, middle, height - 0.01, width + 0.06, deep + 0.05, 0.06, board, bevel=0.015)
        gathered.build()
        if label:
            with at(width / 2 + 0.006, middle, 0, 90):
                box(0, 0, height - 0.5, deep * 0.72, 0.012, 0.24, m.paint("white", 0.5), bevel=0.003)
                lettering(0, -0.012, height - 0.44, label, 0.15, m.paint("dark blue"))
    return made


def reading_table(
    length: float = 2.2, kind: str = "walnut", *, lamps: int = 2, books: int = 2, depth: float = 0.95
) -> Thing:
    """A long reading table along x with green lamps down its middle and open books; its top is at z = 0.76."""
    with thing("reading table", WOOD_WORDS[kind], "wooden", "long") as made:
        w = m.wood(kind)
        box(0, 0, 0.71, length, depth, 0.05, w, bevel=0.015)
        box(0, 0, 0.6, length - 0.2, depth - 0.2, 0.11, w)
        for dx in (-1, 1):
            for dy in (-1, 1):
                x, y = dx * (length / 2 - 0.12), dy * (depth / 2 - 0.12)
                box(x, y, 0.55, 0.11, 0.11, 0.17, w)
                cylinder(x, y, 0, 0.035, 0.56, m.wood(kind, along="z"), top=0.048, bevel=0.01)
    for i in range(lamps):
        x = (i - (lamps - 1) / 2) * length / max(1, lamps)
        with put(made, x, 0, 0.76):
            bankers_lamp()
    for i in range(books):
        x, far = (i - (books - 1) / 2) * length / max(1, books) + 0.12, 1 if i % 2 else -1
        with put(made, x, far * depth * 0.27, 0.762, 180 if far > 0 else 8):
            open_book(("red", "blue", "green", "brown")[i % 4])
    return made


def ladder(height: float = 2.5, kind: str = "oak") -> Thing:
    """A library ladder leaning against shelves at y = 0, hooked to a rail."""
    with thing("ladder", WOOD_WORDS[kind], "wooden") as made, tilted(0, -0.75, 0, about="X", by=-14):
        up = m.wood(kind, along="z")
        for dx in (-0.22, 0.22):
            box(dx, 0, 0.04, 0.045, 0.07, height, up, bevel=0.01)
            cylinder(dx, 0, 0.04, 0.04, 0.03, m.paint("black", 0.6), axis="x", bevel=0.006)
            tube([(dx, 0.02, height), (dx, 0.09, height + 0.04), (dx, 0.11, height - 0.02)], 0.012, m.metal("brass"))
        for i in range(1, int(height / 0.27)):
            box(0, 0, i * 0.27, 0.42, 0.085, 0.028, m.wood(kind), bevel=0.006)
    return made


def trolley(rng: Random, colour: str = "red") -> Thing:
    """A book trolley with two sloping shelves full of books, its middle on the origin."""
    with thing("book trolley", colour) as made:
        bar, gathered = m.paint(colour, 0.35), _Books("new", rng)
        for dx in (-0.42, 0.42):
            box(dx, 0, 0.12, 0.025, 0.4, 0.9, bar)
            for y in (-0.15, 0.15):
                cylinder(dx, y, 0.05, 0.05, 0.03, m.paint("black", 0.6), axis="x", bevel=0.006)
                tube([(dx, y, 0.06), (dx, y, 0.14)], 0.012, m.metal("steel"))
        for z in (0.2, 0.62):
            box(0, 0, z, 0.82, 0.38, 0.02, bar)
            box(0, 0.0, z, 0.82, 0.02, 0.22, bar)
            gathered.row(-0.39, 0.36, -0.17, z + 0.02, 0.28, 0.15, -1)
            gathered.row(-0.39, 0.36, 0.17, z + 0.02, 0.28, 0.15, 1)
        gathered.build()
    return made


def lending_counter(
    width: float = 2.4, kind: str = "birch", front: str = "blue", words: str | None = "INFORMATION"
) -> Thing:
    """A counter facing -y with letters on its front; its top is at z = 1.05."""
    with thing("counter", WOOD_WORDS[kind], front, "long") as made:
        box(0, -0.32, 0.08, width, 0.62, 0.94, m.paint(front, 0.45), bevel=0.012)
        box(0, -0.3, 0, width - 0.1, 0.54, 0.1, m.paint("dark grey"))
        box(0, -0.34, 1.02, width + 0.08, 0.74, 0.035, m.wood(kind), bevel=0.01)
        if words:
            lettering(0, -0.64, 0.5, words, 0.24, m.paint("white", 0.4))
    return made


def card_catalogue(kind: str = "oak", *, columns: int = 6, rows: int = 8) -> Thing:
    """A cabinet of many small drawers with brass pulls; its top is at z = 0.55 + 0.14 rows."""
    width = columns * 0.18 + 0.06
    with thing("card catalogue", WOOD_WORDS[kind], "wooden") as made:
        w, brass = m.wood(kind), m.metal("brass")
        for dx in (-1, 1):
            for y in (-0.05, -0.37):
                box(dx * (width / 2 - 0.04), y, 0, 0.06, 0.06, 0.46, m.wood(kind, along="z"))
        box(0, -0.21, 0.44, width, 0.42, rows * 0.14 + 0.08, w, bevel=0.01)
        box(0, -0.22, 0.52 + rows * 0.14, width + 0.05, 0.47, 0.03, w, bevel=0.01)
        for row in range(rows):
            for i in range(columns):
                x, z = (i - (columns - 1) / 2) * 0.18, 0.48 + row * 0.14
                box(x, -0.425, z, 0.165, 0.015, 0.125, w, bevel=0.004)
                box(x, -0.434, z + 0.065, 0.075, 0.004, 0.035, m.paint("white", 0.7), bevel=0)
                cylinder(x, -0.44, z + 0.035, 0.011, 0.02, brass, axis="y", sides=16)
    return made


def hanging_sign(words: str, drop: float, colour: str = "dark blue", *, width: float = 1.1) -> Thing:
    """A sign facing -y hanging from the ceiling: `drop` is how far its lower edge hangs below (the origin)."""
    with thing("sign", colour) as made:
        box(0, 0, -drop, width, 0.03, 0.26, m.paint(colour, 0.4))
        lettering(0, -0.025, -drop + 0.06, words, 0.17, m.paint("white", 0.5))
        for dx in (-0.4, 0.4):
            tube([(dx * width, 0, -drop + 0.25), (dx * width, 0, 0)], 0.004, m.metal("steel"))
    return made


def step_stool(colour: str = "red") -> Thing:
    """A round step stool on rollers, as one finds between library shelves."""
    with thing("step stool", colour, "round") as made:
        paint = m.paint(colour, 0.35)
        cylinder(0, 0, 0.02, 0.22, 0.2, paint, top=0.18, bevel=0.012)
        cylinder(0, 0, 0.22, 0.15, 0.2, paint, top=0.14, bevel=0.012)
        cylinder(0, 0, 0.42, 0.145, 0.008, m.paint("black", 0.9))
    return made


def gallery(
    width: float, z: float, rng: Random, kind: str = "walnut", *, depth: float = 0.85, shelf: float = 1.9
) -> None:
    """A gallery along the wall at y = 0, z above the floor: its boards, a railing, and bookcases on it."""
    w: Any = m.wood(kind)
    box(0, -depth / 2, z - 0.14, width, depth, 0.14, w, bevel=0.01)
    with at(0, 0, z):
        count = max(1, round(width / 1.6))
        for i in range(count):
            with at((i - (count - 1) / 2) * width / count):
                book_stack(width / count - 0.06, shelf, rng, look=kind, bindings="old", depth=0.28)
        with thing("railing", "black", "metal"):
            bar = m.paint("black", 0.4)
            for high in (0.12, 0.92):
                tube([(-width / 2, -depth + 0.04, high), (width / 2, -depth + 0.04, high)], 0.018, bar)
            for i in range(round(width / 0.16) + 1):
                x = -width / 2 + i * width / round(width / 0.16)
                tube([(x, -depth + 0.04, 0), (x, -depth + 0.04, 0.92)], 0.008, bar)


def library_light(x: float, y: float, z: float, power: float = 45.0) -> None:
    """A square lamp set into the ceiling at x, y."""
    with thing("ceiling lamp", "white", "square"):
        box(x, y, z - 0.02, 0.6, 0.6, 0.02, m.glow((1.0, 0.97, 0.9), 4.0), bevel=0)
    panel_light(x, y, z - 0.05, power, size=0.6, colour=NEUTRAL)
