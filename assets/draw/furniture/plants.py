"""What grows in greenhouses, gardens and on balconies, what it grows in, the tools for it, and glasshouses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    Point,
    Thing,
    at,
    box,
    cylinder,
    lathe,
    part,
    polygons,
    ring,
    scenery,
    sphere,
    state,
    thing,
    tilted,
    tube,
)


class Foliage:
    """Leaves gathered into a single mesh."""

    def __init__(self) -> None:
        """Start without leaves."""
        self.points: list[Point] = []
        self.faces: list[tuple[int, ...]] = []

    def blade(
        self,
        foot: Point,
        turn: float,
        rise: float,
        length: float,
        width: float,
        *,
        droop: float = 60.0,
        widest: float = 0.8,
        steps: int = 4,
    ) -> None:
        """Add a leaf that leaves its foot at an angle above the ground and bends down by `droop` degrees.

        `widest` below 1 puts its broadest place nearer to the foot, above 1 nearer to the tip.
        """
        a = math.radians(turn)
        x, y, z = foot
        for i in range(steps + 1):
            t = i / steps
            half = width / 2 * math.sin(math.pi * min(1.0, 0.06 + 0.94 * t**widest))
            dx, dy = -math.sin(a) * half, math.cos(a) * half
            self.points += [(x + dx, y + dy, z + 0.3 * half), (x, y, z), (x - dx, y - dy, z + 0.3 * half)]
            if i:
                n = len(self.points)
                self.faces += [(n - 6, n - 5, n - 2, n - 3), (n - 5, n - 4, n - 1, n - 2)]
            e = math.radians(rise - droop * t)
            x += length / steps * math.cos(e) * math.cos(a)
            y += length / steps * math.cos(e) * math.sin(a)
            z += length / steps * math.sin(e)

    def build(self, material: Any) -> None:
        """Put the leaves on the stage."""
        if self.faces:
            polygons(self.points, self.faces, material, smooth=True)


def bush(
    rng: Random,
    height: float,
    spread: float,
    count: int,
    *,
    length: float = 0.12,
    width: float = 0.06,
    shades: Sequence[float] = (0.8, 1.3, 1.9),
    droop: float = 70.0,
    low: float = 0.1,
) -> None:
    """Leaves all over a shape of a height and a radius, standing on the origin; parts of whatever is being built."""
    for shade in shades:
        leaves = Foliage()
        for _ in range(max(1, count // len(shades))):
            up = rng.uniform(low, 1.0)
            reach = spread * math.sin(math.pi * (0.25 + 0.65 * up)) * rng.uniform(0.25, 1.0)
            turn = rng.uniform(0, 360)
            a = math.radians(turn)
            foot = (reach * math.cos(a), reach * math.sin(a), up * height - 0.3 * length)
            size = rng.uniform(0.7, 1.2)
            leaves.blade(
                foot, turn + rng.uniform(-40, 40), rng.uniform(0, 65), length * size, width * size, droop=droop
            )
        leaves.build(m.leaf(shade))


def blossoms(rng: Random, colour: str, count: int, height: float, spread: float, *, radius: float = 0.03) -> None:
    """Flower heads over the upper half of a bush of a height and a radius."""
    petals, hearts = Foliage(), m.paint("yellow" if colour != "yellow" else "brown", 0.6)
    for _ in range(count):
        turn, out = rng.uniform(0, 2 * math.pi), spread * rng.uniform(0.1, 1.0)
        x, y = out * math.cos(turn), out * math.sin(turn)
        z = height * rng.uniform(0.8, 1.08) * (1 - 0.25 * (out / spread) ** 2)
        for i in range(6):
            petals.blade((x, y, z), 60 * i + 20 * turn, 35, radius * 1.5, radius * 1.1, droop=50, steps=3)
        sphere(x, y, z + radius * 0.2, radius * 0.32, hearts)
    petals.build(m.paint(colour, 0.6))


def clay_pot(radius: float, height: float, colour: str | m.RGB = (0.42, 0.15, 0.07), *, saucer: bool = False) -> None:
    """A flower pot with soil in it; parts of whatever is being built. Plants stand in it at z = 0.88 height."""
    clay = m.mottled(m.rgb(colour), tuple(0.8 * c for c in m.rgb(colour)), 0.06, 0.8)
    r, h = radius, height
    outline = [(0, 0.004), (r * 0.7, 0.004), (r * 0.92, h * 0.78), (r, h * 0.78), (r, h), (r * 0.9, h)]
    part("pot", lathe(0, 0, 0, outline, clay), words=(colour if isinstance(colour, str) else "terracotta",))
    lathe(0, 0, 0, [(r * 0.9, h), (r * 0.86, h * 0.85)], clay)
    cylinder(0, 0, h * 0.8, r * 0.88, h * 0.08, soil())
    if saucer:
        lathe(0, 0, 0, [(0, 0.002), (r * 0.95, 0.002), (r * 1.1, 0.03), (r * 1.06, 0.03), (r * 0.9, 0.01)], clay)


def soil() -> Any:
    """Dark, crumbly earth."""
    return m.mottled((0.03, 0.016, 0.008), (0.09, 0.05, 0.028), 0.03, 1.0, 0.8)


def potted(
    rng: Random,
    height: float = 0.4,
    *,
    flower: str | None = None,
    pot: str | m.RGB = (0.42, 0.15, 0.07),
    radius: float | None = None,
    broad: bool = False,
) -> Thing:
    """A plant in a pot, its middle on the origin: leafy, or in flower; `broad` leaves are big and few."""
    r = radius or 0.06 + 0.2 * height
    with thing("flower", flower, "potted") if flower else thing("plant", "green", "potted") as made:
        clay_pot(r, r * 1.7, pot)
        with at(0, 0, r * 1.45):
            if broad:
                bush(rng, height * 0.8, r * 1.1, 26, length=0.5 * height, width=0.24 * height, droop=80)
            else:
                bush(rng, height - 0.05, r * 1.5, 110, length=0.1 + 0.12 * height, width=0.05 + 0.04 * height)
            if flower:
                blossoms(rng, flower, 16, height, r * 1.7, radius=0.03 + 0.02 * height)
    return made


def herb(rng: Random, height: float = 0.22, *, radius: float = 0.07, pot: str | m.RGB = (0.42, 0.15, 0.07)) -> None:
    """A small pot with a seedling or herb; part of whatever holds it."""
    clay_pot(radius, radius * 1.7, pot)
    with at(0, 0, radius * 1.4):
        bush(rng, height, radius * 1.2, 36, length=0.09, width=0.045, shades=(0.9, 1.9))


def tomato_plant(rng: Random, height: float = 1.6, *, pot: bool = False, fruit: str = "red") -> Thing:
    """A tomato plant on its stake, full of fruit."""
    with thing("tomato plant", "green", f"with {fruit} tomatoes") as made:
        foot = 0.0
        if pot:
            clay_pot(0.17, 0.28)
            foot = 0.22
        cylinder(0.03, 0.03, foot, 0.012, height + 0.15, m.wood("birch", along="z"))
        tube([(0, 0, foot), (0.03, 0.0, foot + height * 0.5), (0.0, 0.02, foot + height)], 0.012, m.leaf(1.4))
        with at(0, 0, foot):
            bush(rng, height, 0.27, 170, length=0.2, width=0.085, droop=95, shades=(0.8, 1.2, 1.7))
            for _ in range(7):
                z, turn = rng.uniform(0.2, 0.85) * height, rng.uniform(0, 360)
                with at(0, 0, 0, turn):
                    for i in range(3):
                        ripe = m.paint(fruit if rng.random() < 0.85 else "orange", 0.2)
                        sphere(0.24 + 0.03 * (i % 2), 0.05 * i - 0.05, z - 0.05 * (i % 2), 0.042, ripe)
    return made


def citrus_tree(
    rng: Random, height: float = 1.5, fruit: str = "orange", *, pot: str | m.RGB = (0.42, 0.15, 0.07)
) -> Thing:
    """A small round tree with fruit in a big pot."""
    with thing("tree", "green", f"with {'oranges' if fruit == 'orange' else 'lemons'}") as made:
        clay_pot(0.24, 0.4, pot)
        cylinder(0, 0, 0.3, 0.03, height * 0.5, m.wood("oak", along="z"))
        r = 0.32 * height
        with at(0, 0, height - r):
            for _ in range(3):
                bush(rng, r * 1.9, r * 1.05, 110, length=0.14, width=0.07, low=-0.05)
        for _ in range(16):
            turn, up = rng.uniform(0, 360), rng.uniform(-0.5, 0.7)
            with at(0, 0, height, turn):
                sphere(r * math.sqrt(1 - up * up) * 0.98, 0, r * up, 0.045, m.paint(fruit, 0.45))
    return made


def palm(rng: Random, height: float = 2.6, fronds: int = 13, *, pot: bool = True, reach: float = 1.3) -> Thing:
    """A palm with feathered fronds."""
    with thing("palm", "green", "large") as made:
        foot = 0.0
        if pot:
            clay_pot(0.3, 0.5)
            foot = 0.42
        bark = m.mottled((0.16, 0.09, 0.05), (0.3, 0.2, 0.12), 0.05, 0.95, 0.6)
        crown = height * 0.62
        z, r = foot, 0.1
        while z < crown:
            lathe(0, 0, z, [(r, 0), (r * 1.18, 0.07), (r * 0.95, 0.09)], bark, sides=18)
            z, r = z + 0.08, max(0.06, r * 0.985)
        for i in range(fronds):
            turn, rise = 360 * i / fronds + rng.uniform(-12, 12), rng.uniform(20, 80)
            leaves = Foliage()
            spine, x, z = [], 0.0, crown
            steps = 16
            for k in range(steps + 1):
                t = k / steps
                spine.append((x, 0.0, z))
                if k > 2:
                    size = 0.5 * reach * math.sin(math.pi * (0.12 + 0.8 * t)) ** 0.7
                    for side in (-1, 1):
                        leaves.blade((x, 0, z), side * (62 - 30 * t), 12, size, 0.045, droop=50, steps=3)
                e = math.radians(rise - 105 * t)
                x, z = x + reach / steps * math.cos(e), z + reach / steps * math.sin(e)
            with at(0, 0, 0, turn):
                tube(spine, 0.012, m.leaf(1.6))
                leaves.build(m.leaf(rng.choice((0.9, 1.3, 1.7))))
    return made


def banana(rng: Random, height: float = 2.2, leaves: int = 9, *, pot: bool = False) -> Thing:
    """A banana plant: a thick green stem with huge leaves."""
    with thing("banana plant", "green", "large") as made:
        foot = 0.0
        if pot:
            clay_pot(0.28, 0.45, "dark grey")
            foot = 0.38
        cylinder(0, 0, foot, 0.1, height * 0.55, m.mottled((0.12, 0.22, 0.06), (0.25, 0.3, 0.1), 0.1), top=0.06)
        for i in range(leaves):
            big = Foliage()
            rise = 82 - 45 * i / leaves
            long = height * rng.uniform(0.5, 0.66)
            foot_z = foot + height * 0.55 - 0.01 * i
            turn = i * 137.5 + rng.uniform(-15, 15)
            with at(0, 0, 0, turn):
                big.blade((0.02, 0, foot_z), 0, rise, long, 0.42, droop=85, widest=0.9, steps=9)
                big.build(m.leaf(rng.choice((1.1, 1.5, 2.0))))
    return made


def fern(rng: Random, size: float = 0.5, *, pot: str | m.RGB | None = (0.42, 0.15, 0.07)) -> Thing:
    """A fern; in a pot, or growing from the ground."""
    with thing("fern", "green") as made:
        foot = 0.0
        if pot is not None:
            clay_pot(0.1 + 0.12 * size, 0.18 + 0.2 * size, pot)
            foot = 0.15 + 0.17 * size
        for shade in (0.9, 1.5):
            leaves = Foliage()
            for _ in range(16):
                leaves.blade(
                    (0, 0, foot), rng.uniform(0, 360), rng.uniform(45, 88), size * rng.uniform(0.7, 1.1), 0.12 * size,
                    droop=110, widest=0.7, steps=7,
                )  # fmt: skip
            leaves.build(m.leaf(shade))
    return made


def _ribbed(x: float, y: float, z: float, profile: Sequence[tuple[float, float]], ribs: int, rng: Random) -> None:
    """Turn a profile of (radius, height) into a ribbed body with spines along the ribs."""
    sides = ribs * 6
    points: list[Point] = []
    faces: list[tuple[int, ...]] = []
    spines = Foliage()
    for row, (radius, height) in enumerate(profile):
        for i in range(sides):
            a = 2 * math.pi * i / sides
            r = max(radius, 1e-3) * (0.9 + 0.1 * math.cos(ribs * a))
            points.append((x + r * math.cos(a), y + r * math.sin(a), z + height))
            if i % 6 == 0 and radius > 0.02:
                for _ in range(2):
                    turn = math.degrees(a) + rng.uniform(-60, 60)
                    spines.blade(points[-1], turn, rng.uniform(-20, 50), 0.035, 0.004, droop=0, steps=1, widest=2)
            if row:
                b = row * sides
                j = (i + 1) % sides
                faces.append((b - sides + i, b - sides + j, b + j, b + i))
    polygons(points, faces, m.mottled((0.05, 0.17, 0.05), (0.1, 0.27, 0.09), 0.12, 0.6), smooth=True)
    if spines.faces:
        flat = [(n, n + 1, n + 2) for n in range(0, len(spines.points) - 2, 6)]
        polygons(spines.points, flat, m.paint((0.75, 0.65, 0.4), 0.6))


def _column(height: float, radius: float, rows: int = 14) -> list[tuple[float, float]]:
    """Return the profile of a column with a round head."""
    body = [(radius * (0.9 + 0.1 * math.sin(3 * i / rows)), (height - radius) * i / rows) for i in range(rows + 1)]
    head = [
        (radius * math.cos(a / 10 * math.pi), height - radius + radius * math.sin(a / 10 * math.pi))
        for a in (1, 2, 3, 4, 5)
    ]
    return body + head


def cactus(
    rng: Random, kind: str = "column", height: float = 0.6, *, pot: str | m.RGB | None = None, flower: str | None = None
) -> Thing:
    """A cactus. Kinds: "column", "saguaro" (with arms), "barrel" (round), "pear" (flat pads)."""
    words = {"column": ("tall",), "saguaro": ("large",), "barrel": ("round",), "pear": ()}[kind]
    with thing("cactus", "green", *words) as made:
        foot = 0.0
        if pot is not None:
            r = {"barrel": 0.6 * height, "pear": 0.28 * height}.get(kind, 0.09 + 0.05 * height)
            clay_pot(r, r * 1.6, pot)
            foot = r * 1.38
        if kind == "barrel":
            r = height / 2
            profile = [
                (r * math.sin(math.pi * (0.12 + 0.86 * i / 14)), r - r * math.cos(math.pi * (0.12 + 0.88 * i / 14)))
                for i in range(15)
            ]
            _ribbed(0, 0, foot - 0.06 * r, profile, 18, rng)
        elif kind == "pear":
            green = m.mottled((0.07, 0.22, 0.07), (0.13, 0.3, 0.1), 0.1, 0.6)
            pads = [
                (0.0, 0.22, 0.0, 0.2),
                (-0.15, 0.52, 25.0, 0.16),
                (0.16, 0.5, -30.0, 0.15),
                (-0.02, 0.62, 0.0, 0.15),
                (-0.26, 0.78, 35.0, 0.12),
                (0.3, 0.72, -25.0, 0.12),
                (0.06, 0.9, -10.0, 0.11),
            ]
            for x, z, lean, r in pads:
                with tilted(x * height, rng.uniform(-0.05, 0.05) * height, foot + z * height, about="Y", by=-lean):
                    sphere(0, 0, 0, r * height, green, scale=(0.85, 0.22, 1.15))
                    if flower and z > 0.6:
                        sphere(0, 0, r * height * 1.2, 0.045 * height, m.paint(flower, 0.5), scale=(1, 1, 1.3))
        else:
            r = 0.07 + 0.05 * height if kind == "saguaro" else 0.05 + 0.04 * height
            _ribbed(0, 0, foot, _column(height, r), 12, rng)
            if kind == "saguaro":
                for side, z, long in ((-1, 0.42, 0.4), (1, 0.52, 0.3)):
                    out, skin = side * r * 2.7, m.mottled((0.05, 0.17, 0.05), (0.1, 0.27, 0.09), 0.12, 0.6)
                    low = foot + z * height
                    tube(
                        [(0, 0, low - 0.08), (out * 0.65, 0, low - 0.06), (out * 0.95, 0, low), (out, 0, low + 0.08)],
                        r * 0.58,
                        skin,
                    )
                    _ribbed(out, 0, low + 0.02, _column(long * height, r * 0.66), 10, rng)
        if flower and kind != "pear":
            with at(0, 0, foot + height):
                blossoms(rng, flower, 3, 0.0, 0.03, radius=0.035)
    return made


def agave(rng: Random, size: float = 0.5) -> Thing:
    """A rosette of thick pointed leaves on the ground."""
    with thing("agave", "green") as made:
        leaves = Foliage()
        for i in range(34):
            rise = 12 + 68 * i / 34
            leaves.blade(
                (0, 0, 0.03), i * 137.5, rise, size * rng.uniform(0.85, 1.0), 0.2 * size, droop=-18, widest=0.6
            )
        leaves.build(m.paint((0.16, 0.3, 0.2), 0.5))
    return made


def lettuce(rng: Random, radius: float = 0.14, *, red: bool = False) -> None:
    """A head of lettuce; part of the bed it grows in."""
    leaves, inner = Foliage(), Foliage()
    for i in range(16):
        target = inner if i > 9 else leaves
        rise = 25 + 55 * i / 16
        target.blade((0, 0, 0), i * 137.5, rise, radius * rng.uniform(0.9, 1.2), radius * 0.95, droop=25, widest=1.3)
    leaves.build(m.paint((0.22, 0.04, 0.06), 0.6) if red else m.paint((0.18, 0.4, 0.06), 0.6))
    inner.build(m.paint((0.3, 0.06, 0.09), 0.6) if red else m.paint((0.34, 0.55, 0.12), 0.6))


def cabbage(rng: Random, radius: float = 0.15) -> None:
    """A cabbage; part of the bed it grows in."""
    leaves = Foliage()
    for i in range(12):
        leaves.blade((0, 0, 0), i * 137.5, 15 + 40 * i / 12, radius * 1.5, radius * 1.2, droop=-50, widest=1.2)
    leaves.build(m.paint((0.12, 0.32, 0.2), 0.6))
    sphere(0, 0, radius * 0.6, radius * 0.6, m.paint((0.3, 0.52, 0.3), 0.6))


def crop(rng: Random, kind: str) -> None:
    """One plant of a bed: lettuce, red lettuce, cabbage, carrot, bean, strawberry, or a colour for flowers."""
    if kind in ("lettuce", "red lettuce"):
        lettuce(rng, rng.uniform(0.12, 0.15), red=kind != "lettuce")
    elif kind == "cabbage":
        cabbage(rng, rng.uniform(0.13, 0.16))
    elif kind == "carrot":
        bush(rng, 0.28, 0.09, 45, length=0.16, width=0.018, shades=(1.2, 1.9), droop=40)
    elif kind == "bean":
        bush(rng, 0.5, 0.15, 50, length=0.13, width=0.08)
    elif kind == "strawberry":
        bush(rng, 0.2, 0.16, 40, length=0.1, width=0.075)
        for _ in range(4):
            a = rng.uniform(0, 6.3)
            sphere(
                0.16 * math.cos(a),
                0.16 * math.sin(a),
                rng.uniform(0.02, 0.09),
                0.026,
                m.paint("red", 0.3),
                scale=(1, 1, 1.3),
            )
    else:
        bush(rng, 0.26, 0.13, 45, length=0.1, width=0.04)
        blossoms(rng, kind, 9, 0.28, 0.14, radius=0.035)


def bed(
    width: float,
    depth: float,
    rng: Random,
    crops: Sequence[str],
    *,
    height: float = 0.3,
    kind: str = "oak",
    wall: Any = None,
    gap: float = 0.3,
) -> Thing:
    """A raised bed, its middle on the origin, planted in rows along y; `crops` are the rows from left to right."""
    name = "flower bed" if all(one in m.COLOURS for one in crops) else "vegetable bed"
    with thing(name, *((WOOD_WORDS[kind], "wooden") if wall is None else ())) as made:
        w = wall or m.wood(kind, 0.7)
        side = wall or m.wood(kind, 0.7, along="y")
        rows = max(1, round(height / 0.16))
        for i in range(rows):
            z, h = i * height / rows, height / rows - 0.006
            for end in (-1, 1):
                box(end * (width / 2 - 0.02), 0, z, 0.04, depth, h, side)
                box(0, end * (depth / 2 - 0.02), z, width - 0.08, 0.04, h, w)
        if wall is None:
            for dx in (-1, 1):
                for dy in (-1, 1):
                    box(dx * (width / 2 - 0.06), dy * (depth / 2 - 0.06), 0, 0.07, 0.07, height + 0.02, w)
        box(0, 0, 0.02, width - 0.06, depth - 0.06, height - 0.06, soil(), bevel=0)
        count = max(1, round((depth - 0.2) / gap))
        for i, kind_of in enumerate(crops):
            x = (i + 0.5) / len(crops) * (width - 0.1) - (width - 0.1) / 2
            for k in range(count):
                y = (k + 0.5) / count * (depth - 0.12) - (depth - 0.12) / 2
                with at(
                    x + rng.uniform(-0.02, 0.02), y + rng.uniform(-0.03, 0.03), height - 0.045, rng.uniform(0, 360)
                ):
                    crop(rng, kind_of)
    return made


def staging(width: float, depth: float = 0.6, height: float = 0.78, kind: str = "pine", *, shelf: bool = True) -> Thing:
    """A slatted potting table, its middle on the origin, long along x."""
    with thing("table", WOOD_WORDS[kind], "wooden", "long") as made:
        w, upright = m.wood(kind, 0.6), m.wood(kind, 0.6, along="z")
        slats = round(depth / 0.09)
        for level in (height - 0.025, 0.2) if shelf else (height - 0.025,):
            for i in range(slats):
                box(0, -depth / 2 + (i + 0.5) * depth / slats, level, width, depth / slats - 0.018, 0.025, w)
            for dx in (-1, 1):
                box(dx * (width / 2 - 0.05), 0, level - 0.05, 0.05, depth - 0.03, 0.05, w)
        legs = max(2, round(width / 1.3) + 1)
        for i in range(legs):
            x = -width / 2 + 0.05 + i * (width - 0.1) / (legs - 1)
            for dy in (-1, 1):
                box(x, dy * (depth / 2 - 0.04), 0, 0.05, 0.05, height - 0.02, upright)
    return made


def seed_tray(rng: Random, width: float = 0.5, depth: float = 0.32, colour: str = "black") -> Thing:
    """A shallow tray of seedlings, its middle on the origin."""
    with thing("seed tray", colour) as made:
        box(0, 0, 0, width, depth, 0.05, m.paint(colour, 0.5))
        box(0, 0, 0.045, width - 0.03, depth - 0.03, 0.008, soil(), bevel=0)
        leaves = Foliage()
        for i in range(8):
            for k in range(5):
                x, y = (i + 0.5) / 8 * width - width / 2, (k + 0.5) / 5 * depth - depth / 2
                for n in range(3):
                    leaves.blade((x, y, 0.05), 120 * n + 40 * i, 70, rng.uniform(0.06, 0.09), 0.026, droop=60)
        leaves.build(m.leaf(2.2))
    return made


def watering_can(colour: str = "green", size: float = 1.0) -> Thing:
    """A watering can on the ground, its spout to the right."""
    with thing(
        "watering can", "grey" if colour == "steel" else colour, *(["metal"] if colour == "steel" else [])
    ) as made:
        skin = m.metal("steel", 0.4) if colour == "steel" else m.paint(colour, 0.3)
        with at(0, 0, 0, scale=size):
            cylinder(0, 0, 0, 0.13, 0.26, skin, top=0.115, bevel=0.008)
            ring(0, 0, 0.26, 0.113, 0.007, skin)
            ring(0, 0, 0.02, 0.13, 0.006, skin)
            tube([(0.11, 0, 0.07), (0.24, 0, 0.18), (0.37, 0, 0.34)], 0.02, skin)
            tube([(0.1, 0, 0.22), (0.27, 0, 0.225)], 0.007, skin)
            with tilted(0.365, 0, 0.335, about="Y", by=48):
                lathe(0, 0, 0, [(0.02, 0), (0.06, 0.06), (0.058, 0.075), (0, 0.08)], skin)
            arc = [
                (-0.115 - 0.12 * math.sin(a), 0, 0.16 + 0.12 * math.cos(a))
                for a in [i * math.pi / 10 for i in range(11)]
            ]
            tube([(-0.1, 0, 0.28), *arc, (-0.12, 0, 0.04)], 0.011, skin)
            arc = [(0.1 * math.cos(a), 0, 0.26 + 0.11 * math.sin(a)) for a in [i * math.pi / 10 for i in range(11)]]
            tube(arc, 0.011, skin)
    return made


def wheelbarrow(colour: str = "green", rng: Random | None = None) -> Thing:
    """A wheelbarrow facing -y (its wheel in front); filled with soil if given a generator."""
    with thing("wheelbarrow", colour) as made:
        skin, steel, rubber = m.paint(colour, 0.35), m.metal("iron"), m.paint("dark grey", 0.8)
        lower = [(-0.2, -0.38), (0.2, -0.38), (0.22, 0.24), (-0.22, 0.24)]
        upper = [(-0.33, -0.55), (0.33, -0.55), (0.33, 0.38), (-0.33, 0.38)]
        points = [(*p, 0.34) for p in lower] + [(*p, 0.62) for p in upper]
        polygons(points, [(0, 1, 2, 3), *[(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]], skin)
        tube([(*p, 0.62) for p in upper], 0.014, skin, closed=True)
        ring(0, -0.68, 0.19, 0.16, 0.035, rubber, axis="x")
        cylinder(0, -0.68, 0.19, 0.13, 0.03, m.metal("steel"), axis="x")
        for dx in (-1, 1):
            tube(
                [(dx * 0.05, -0.7, 0.19), (dx * 0.2, -0.3, 0.33), (dx * 0.27, 0.4, 0.44), (dx * 0.29, 0.95, 0.58)],
                0.016,
                steel,
            )
            tube([(dx * 0.29, 0.8, 0.55), (dx * 0.295, 0.97, 0.585)], 0.022, rubber)
            tube([(dx * 0.25, 0.2, 0.4), (dx * 0.27, 0.3, 0.012), (dx * 0.25, 0.42, 0.43)], 0.014, steel)
        if rng is not None:
            state("full of soil")
            sphere(0, -0.08, 0.5, 0.3, soil(), scale=(0.98, 1.35, 0.6))
    return made


def spade(kind: str = "spade", colour: str = "steel") -> Thing:
    """A spade, rake or fork, upright, its blade down; lean it with `tilted`."""
    with thing(kind) as made:
        w, steel = m.wood("oak", along="z"), m.metal("steel", 0.35)
        cylinder(0, 0, 0.25, 0.016, 0.85, w)
        if kind == "spade":
            cylinder(0, 0, 1.09, 0.015, 0.12, w, axis="x")
            box(0, 0, 0, 0.18, 0.015, 0.3, steel, bevel=0.006)
        else:
            box(0, 0, 0.22, 0.36, 0.03, 0.025, steel)
            for i in range(9):
                box(-0.17 + i * 0.0425, 0, 0.13, 0.01, 0.012, 0.1, steel)
    return made


def hanging_basket(rng: Random, drop: float, flower: str | None = None, *, size: float = 0.2) -> Thing:
    """A basket hanging on chains from the origin, leaves and flowers over its rim."""
    with thing("hanging basket", *([f"with {flower} flowers"] if flower else ["green"])) as made:
        wicker = m.mottled((0.2, 0.11, 0.05), (0.32, 0.2, 0.1), 0.02, 0.9, 0.6)
        lathe(0, 0, -drop, [(0, 0), (size * 0.6, 0.03), (size, size * 0.8), (size * 0.9, size * 0.8)], wicker)
        for i in range(3):
            a = math.radians(120 * i + 20)
            tube(
                [(size * math.cos(a), size * math.sin(a), -drop + size * 0.8), (0, 0, -drop + 3.2 * size), (0, 0, 0)],
                0.006,
                m.metal("iron"),
            )
        with at(0, 0, -drop + size * 0.6):
            bush(rng, size * 1.1, size * 1.2, 120, length=0.13, width=0.06)
            trailing = Foliage()
            for _ in range(36):
                a = rng.uniform(0, 2 * math.pi)
                turn = math.degrees(a) + rng.uniform(-20, 20)
                foot = (size * 0.95 * math.cos(a), size * 0.95 * math.sin(a), 0.06)
                trailing.blade(foot, turn, 30, rng.uniform(0.2, 0.42), 0.04, droop=130, steps=6)
            trailing.build(m.leaf(1.5))
            if flower:
                blossoms(rng, flower, 22, size * 1.1, size * 1.25, radius=0.045)
    return made


def broadleaf(rng: Random, height: float = 5.0, *, shades: Sequence[float] = (0.7, 1.1, 1.6)) -> None:
    """A tree for the distance: a trunk and a ragged crown of leaves; scenery, or part of a thing."""
    cylinder(0, 0, 0, 0.035 * height, height * 0.55, m.wood("walnut", along="z"), top=0.022 * height)
    dark = m.mottled((0.012, 0.06, 0.01), (0.04, 0.13, 0.03), 0.2, 0.95, 1.0)
    clumps = []
    for i in range(8):
        a, out, up = 2.4 * i, height * 0.17 * (i / 8) ** 0.5, height * (0.36 + 0.5 * rng.random())
        clumps.append((out * math.cos(a), out * math.sin(a), up, height * rng.uniform(0.12, 0.18)))
        sphere(*clumps[-1], dark, scale=(1, 1, 0.85))
    for shade in shades:
        leaves = Foliage()
        for x, y, z, r in clumps:
            for _ in range(26):
                turn, up = rng.uniform(0, 360), rng.uniform(-0.7, 1.0)
                a, flat = math.radians(turn), math.sqrt(1 - up * up) * r
                foot = (x + flat * math.cos(a), y + flat * math.sin(a), z + 0.85 * r * up)
                size = 0.06 * height * rng.uniform(0.7, 1.3)
                leaves.blade(
                    foot, turn + rng.uniform(-50, 50), rng.uniform(-20, 60), size, 0.7 * size, droop=70, steps=2
                )
        leaves.build(m.leaf(shade))


def conifer(height: float = 5.0, *, shade: float = 1.0) -> None:
    """A fir for the distance: scenery, or part of a thing."""
    green = m.mottled((0.01 * shade, 0.06 * shade, 0.02), (0.04 * shade, 0.14 * shade, 0.05), 0.15, 0.95, 1.0)
    cylinder(0, 0, 0, 0.03 * height, height * 0.2, m.wood("walnut", along="z"))
    for i in range(5):
        z = height * (0.12 + 0.17 * i)
        lathe(0, 0, z, [(height * (0.2 - 0.033 * i), 0), (0.0, height * 0.32)], green, sides=24)


# Glasshouses


def section(kind: str, width: float, eaves: float, ridge: float) -> list[tuple[float, float]]:
    """Return a glasshouse's cross-section from left to right: "gable", "arch" or "lean" (high at left)."""
    if kind == "gable":
        return [(0, eaves), (width / 2, ridge), (width, eaves)]
    if kind == "lean":
        return [(0, ridge), (width, eaves)]
    steps = 10
    return [
        (width / 2 - width / 2 * math.cos(math.pi * i / steps), eaves + (ridge - eaves) * math.sin(math.pi * i / steps))
        for i in range(steps + 1)
    ]


def glasshouse(
    width: float,
    depth: float,
    eaves: float,
    ridge: float,
    *,
    kind: str = "gable",
    colour: str = "white",
    spacing: float = 0.7,
    base: float = 0.0,
    base_of: Any = None,
    bar: float = 0.035,
    floor_of: Any = None,
    door: bool = True,
    walls: str = "left right back",
    front: float = 0.0,
) -> None:
    """A house of glass over x from 0 to width, y from `front` to depth, ridge along y; the viewer's end is open.

    `base` is the height of a low solid wall under the glass; its roof is a thing, walls and floor are scenery.
    """
    skin = m.paint(colour, 0.4)
    outline = section(kind, width, eaves, ridge)
    long = depth - front
    ribs = max(2, round(long / spacing))
    ys = [front + i * long / ribs for i in range(ribs + 1)]
    with thing("glass roof", colour):
        for y in ys:
            tube([(x, y, z) for x, z in outline], bar, skin)
        for i, (x, z) in enumerate(outline):
            if kind != "arch" or i % 2 == 0 or i in (0, len(outline) - 1):
                tube([(x, front, z), (x, depth, z)], bar * 1.3, skin)
        for (xa, za), (xb, zb) in itertools.pairwise(outline):
            for t in (1 / 3, 2 / 3) if kind != "arch" else ():
                x, z = xa + (xb - xa) * t, za + (zb - za) * t
                tube([(x, front, z), (x, depth, z)], bar * 0.6, skin)
            polygons(
                [(xa, front, za + 0.02), (xb, front, zb + 0.02), (xb, depth, zb + 0.02), (xa, depth, za + 0.02)],
                [(0, 1, 2, 3)],
                m.glass(),
            )
    with scenery():
        for side, x, high in (("left", 0.0, outline[0][1]), ("right", width, outline[-1][1])):
            if side in walls.split():
                for y in ys:
                    tube([(x, y, base), (x, y, high)], bar, skin)
                for z in (base + 0.02, base + (high - base) * 0.5):
                    tube([(x, front, z), (x, depth, z)], bar * 0.8, skin)
                polygons(
                    [(x, front, base), (x, depth, base), (x, depth, high), (x, front, high)], [(0, 1, 2, 3)], m.glass()
                )
                if base:
                    box(x, (front + depth) / 2, 0, 0.14, long, base, base_of or m.bricks(plane="yz"), bevel=0.005)
        if "back" in walls.split():
            _gable(outline, width, depth, eaves, base, base_of, skin, bar, door)
        box(
            width / 2,
            (front + depth) / 2,
            -0.1,
            width + 0.2,
            long + 0.2,
            0.1,
            floor_of or m.tiles("grey", size=0.5, rough=0.8),
            bevel=0,
        )
    if door and "back" in walls.split():
        with thing("door", colour, "glass"):
            for dx in (-0.42, 0.42):
                box(width / 2 + dx, depth - 0.03, 0, 0.06, 0.06, 2.05, skin)
            for z in (0.0, 0.95, 2.0):
                box(width / 2, depth - 0.03, z, 0.84, 0.05, 0.07 if z else 0.3, skin)
            box(width / 2 + 0.34, depth - 0.08, 1.02, 0.03, 0.06, 0.14, m.metal("steel"))


def _gable(
    outline: Sequence[tuple[float, float]],
    width: float,
    depth: float,
    eaves: float,
    base: float,
    base_of: Any,
    skin: Any,
    bar: float,
    door: bool,
) -> None:
    """Close a glasshouse's far end: bars, glass, and the low wall."""
    polygons(
        [(0, depth, base), (width, depth, base), *[(x, depth, z) for x, z in reversed(outline)]],
        [range(len(outline) + 2)],
        m.glass(),
    )
    count = max(4, 2 * round(width / 1.4))
    for i in range(count + 1):
        x = i * width / count
        tube([(x, depth, 0), (x, depth, _height(outline, x))], bar * 0.8, skin)
    tube([(0, depth, eaves), (width, depth, eaves)], bar, skin)
    tube([(0, depth, base + 0.02), (width, depth, base + 0.02)], bar * 0.8, skin)
    if base:
        parts = ((0, width / 2 - 0.45), (width / 2 + 0.45, width)) if door else ((0, width),)
        for a, b in parts:
            box((a + b) / 2, depth, 0, b - a, 0.14, base, base_of or m.bricks(), bevel=0.005)


def _height(outline: Sequence[tuple[float, float]], x: float) -> float:
    """Return how high a cross-section is at x."""
    for (xa, za), (xb, zb) in itertools.pairwise(outline):
        if xa <= x <= xb:
            return za + (zb - za) * (x - xa) / (xb - xa)
    return outline[-1][1]


def ground(y: float = 0.0, *, of: Any = None, z: float = -0.12) -> None:
    """Ground out to the horizon, seen through glass; scenery."""
    with scenery():
        box(0, y, z - 0.1, 160, 160, 0.1, of or m.grass(), bevel=0)


def trees(rng: Random, places: Sequence[tuple[float, float, float]], *, z: float = -0.12) -> None:
    """Trees outside at (x, y, height); scenery."""
    with scenery():
        for x, y, height in places:
            with at(x, y, z, rng.uniform(0, 360)):
                broadleaf(rng, height)
