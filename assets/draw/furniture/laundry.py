"""Laundries: washing machines, dryers, ironing boards, lines and racks of clothes, baskets and washing powder."""

from __future__ import annotations

import math
from collections.abc import Sequence

from draw import materials as m
from draw.stage import (
    Thing,
    at,
    basin,
    box,
    cushion,
    cylinder,
    lathe,
    prism,
    ring,
    sphere,
    surface,
    thing,
    tilted,
    tube,
)

MACHINE = 0.86
"""Height of a washing machine: put things on it there."""


def washing_machine(
    colour: str = "white",
    *,
    clothes: Sequence[str] = ("red", "blue", "yellow"),
    open_: bool = False,
    name: str = "washing machine",
    coins: bool = False,
) -> Thing:
    """A front loader, its back at y = 0, with clothes of these colours behind its round window; `open_`: door ajar."""
    words = ("grey", "metal") if colour == "steel" else (colour,)
    with thing(name, *words, *(["open"] if open_ else [])) as made:
        skin = m.metal("steel", 0.35) if colour == "steel" else m.paint(colour, 0.18)
        trim = m.metal("chrome")
        width, front = 0.62, -0.62
        box(0, -0.31, 0.015, width, 0.62, MACHINE - 0.015, skin, bevel=0.016)
        box(0, front - 0.004, MACHINE - 0.13, width - 0.03, 0.012, 0.1, m.paint("dark grey", 0.25), bevel=0.004)
        box(-0.2, front - 0.012, MACHINE - 0.12, 0.16, 0.01, 0.08, skin, bevel=0.003)
        cylinder(0.02, front - 0.025, MACHINE - 0.08, 0.036, 0.036, trim, axis="y")
        box(0.19, front - 0.012, MACHINE - 0.105, 0.11, 0.006, 0.05, m.glow((0.3, 0.8, 0.9), 1.0), bevel=0.002)
        if coins:
            box(0.19, front - 0.03, MACHINE - 0.12, 0.14, 0.06, 0.09, m.metal("steel"), bevel=0.008)
        z = 0.4
        cylinder(0, front + 0.004, z, 0.235, 0.03, m.paint("light grey", 0.3), axis="y", sides=64)
        cylinder(0, front - 0.002, z, 0.2, 0.03, m.paint("dark grey", 0.4), axis="y", sides=64)
        for i, tint in enumerate(clothes):
            a = 3.6 + i * 5.0 / max(1, len(clothes))
            x, dz = 0.09 * math.cos(a), -0.03 + 0.08 * math.sin(a)
            sphere(x, front - 0.012, z + dz, 0.085, m.fabric(tint), scale=(1.25, 0.25, 0.85))
        if open_:
            with at(-0.22, front - 0.02, z, -100), at(0.22, 0, 0):
                _porthole(trim)
            for i, tint in enumerate(clothes):
                with at(0.03 * i - 0.03, front - 0.03 - 0.02 * i, z - 0.2 - 0.05 * i):
                    cushion(0, 0, 0, 0.22 - 0.03 * i, 0.06, 0.2 + 0.05 * i, m.fabric(tint), turn=8 * i, soft=0.45)
        else:
            with at(0, front - 0.02, z):
                _porthole(trim)
    return made


def _porthole(trim: object) -> None:
    """The round door of a machine about the origin, facing -y."""
    ring(0, -0.01, 0, 0.21, 0.028, trim, axis="y")
    ring(0, -0.02, 0, 0.18, 0.012, m.paint("dark grey", 0.3), axis="y")
    cylinder(0, -0.012, 0, 0.18, 0.008, m.glass((0.85, 0.92, 0.95)), axis="y", sides=64)
    box(0.215, -0.03, -0.05, 0.03, 0.03, 0.1, trim, bevel=0.01)


def garment(kind: str, colour: str) -> Thing:
    """A shirt, pair of trousers, towel, dress or sock that hangs from the origin in the plane of x and z."""
    name = {"shirt": "shirt", "trousers": "pair of trousers", "towel": "towel", "dress": "dress", "sock": "sock"}[kind]
    with thing(name, colour) as made:
        garment_shape(kind, colour)
    return made


def garment_shape(kind: str, colour: str) -> None:
    """A garment that belongs to what it is built in (a drying rack, a line)."""
    cloth = m.fabric(colour)
    outlines = {
        "shirt": _mirrored([(0.1, 0), (0.22, -0.05), (0.36, -0.2), (0.27, -0.28), (0.2, -0.2), (0.21, -0.62)]),
        "trousers": [(-0.2, 0), (0.2, 0), (0.23, -0.85), (0.06, -0.85), (0, -0.3), (-0.06, -0.85), (-0.23, -0.85)],
        "dress": _mirrored([(0.07, -0.09), (0.13, 0), (0.17, -0.3), (0.34, -0.8)]),
        "sock": [(-0.045, 0), (0.045, 0), (0.045, -0.24), (0.1, -0.3), (0.07, -0.35), (-0.045, -0.3)],
    }
    if kind == "towel":
        cushion(0, 0, -0.62, 0.46, 0.03, 0.63, m.fabric(colour, 60), soft=0.4)
        box(0, -0.017, -0.54, 0.455, 0.004, 0.04, m.fabric("white"), bevel=0)
    else:
        prism(outlines[kind], 0.03, cloth, y=-0.015, plane="xz", bevel=0.012)
        if kind == "shirt":
            for z in (-0.12, -0.25, -0.38, -0.51):
                sphere(0, -0.018, z, 0.01, m.paint("white", 0.3))


def _mirrored(right: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the whole outline whose right half, from the top down, is given."""
    return [*right, *[(-x, z) for x, z in reversed(right)]]


def clothes_line(width: float, clothes: Sequence[tuple[str, str]]) -> Thing:
    """A line along x at the origin's height, about its middle, with (kind, colour) of clothes pegged to it."""
    with thing("clothes line") as made:
        points = [(width * (i / 12 - 0.5), 0.0, -0.06 * (1 - (i / 6 - 1) ** 2)) for i in range(13)]
        tube(points, 0.006, m.paint("white", 0.6))
        each = width * 0.94 / len(clothes)
        for i, (kind, colour) in enumerate(clothes):
            x = (i - (len(clothes) - 1) / 2) * each
            z = -0.06 * (1 - (2 * x / width) ** 2)
            with at(x, 0.04 * (i % 2), z):  # neighbours may overlap
                garment(kind, colour)
                for dx in (-0.08, 0.08) if kind != "sock" else (0.0,):
                    box(dx, -0.02, -0.035, 0.016, 0.022, 0.07, m.wood("pine"), bevel=0.003)
    return made


def drying_rack(clothes: Sequence[tuple[str, str]], *, width: float = 1.0) -> Thing:
    """A folding rack about the origin, its rods along y, clothes hanging over them one behind the other along x."""
    with thing("drying rack", "white", "metal") as made:
        rod = m.paint("white", 0.3)
        for dy in (-0.28, 0.28):
            tube([(-width / 2, dy, 0), (0.1, dy, 0.92)], 0.012, rod)
            tube([(width / 2, dy, 0), (-0.1, dy, 0.92)], 0.012, rod)
            tube([(-width / 2 - 0.1, dy, 0.92), (width / 2 + 0.1, dy, 0.92)], 0.012, rod)
        steps = 7
        for i in range(steps):
            x = (i / (steps - 1) - 0.5) * (width + 0.2)
            tube([(x, -0.28, 0.92), (x, 0.28, 0.92)], 0.007, rod)
        for i, (kind, colour) in enumerate(clothes):
            with at((i - (len(clothes) - 1) / 2) * (width + 0.1) / max(1, len(clothes) - 1), 0, 0.93, 90):
                garment(kind, colour)
    return made


def ironing_board(colour: str = "light blue", *, shirt: str | None = "white") -> Thing:
    """An ironing board along x about the origin, its nose to the left, an iron on it (and a shirt)."""
    with thing("ironing board", colour) as made:
        cover = m.fabric(colour)
        edge = [(-0.6, 0.08), (-0.45, 0.16), (-0.25, 0.19), (0.62, 0.19)]
        outline = [(-0.66, 0.0), *[(x, -y) for x, y in edge], *reversed(edge)]
        prism(outline, 0.035, cover, z=0.88, bevel=0.012)
        leg = m.metal("steel")
        for dy in (-0.14, 0.14):
            tube([(-0.45, dy * 1.3, 0), (0.35, dy * 0.5, 0.88)], 0.014, leg)
            tube([(0.45, dy * 1.3, 0), (-0.35, dy * 0.5, 0.88)], 0.014, leg)
        for dx in (-0.45, 0.45):
            tube([(dx, -0.22, 0.012), (dx, 0.22, 0.012)], 0.014, leg)
        if shirt:
            with thing("shirt", shirt), at(-0.35, 0, 0.935, 90, 0.8), tilted(about="X", by=-90):
                garment_shape("shirt", shirt)
        with thing("iron", "red"):
            box(0.42, 0.04, 0.918, 0.24, 0.11, 0.014, m.metal("chrome"), bevel=0.006)
            with at(0.42, 0.04, 0.932):
                prism(
                    [(-0.12, 0.0), (0.11, 0.0), (0.11, 0.06), (0.0, 0.06)],
                    0.09,
                    m.paint("red", 0.2),
                    y=-0.045,
                    plane="xz",
                    bevel=0.012,
                )
            tube(
                [(0.36, 0.04, 0.98), (0.37, 0.04, 1.04), (0.5, 0.04, 1.05), (0.51, 0.04, 0.97)],
                0.014,
                m.paint("dark grey", 0.4),
            )
    return made


def laundry_basket(
    colour: str = "white", clothes: Sequence[str] = ("red", "blue", "white"), *, style: str = "low"
) -> Thing:
    """A basket heaped with clothes of these colours. Styles: "low" (plastic, with holes), "wicker" (tall, round)."""
    words = ("brown", "wicker") if style == "wicker" else (colour, "plastic")
    with thing("laundry basket", *words) as made:
        if style == "wicker":
            weave = m.mottled((0.34, 0.18, 0.07), (0.52, 0.32, 0.15), 0.02, 0.9, 0.8)
            lathe(0, 0, 0, [(0, 0), (0.2, 0), (0.25, 0.5), (0.235, 0.5), (0.2, 0.1)], weave)
            for z, r in ((0.02, 0.205), (0.25, 0.23), (0.5, 0.25)):
                ring(0, 0, z, r, 0.016, weave)
            top, r = 0.5, 0.2
        else:
            skin = m.paint(colour, 0.3)
            basin(0, 0, 0, 0.58, 0.4, 0.3, skin, wall=0.015, floor=0.02, bevel=0.03)
            box(0, -0.206, 0.27, 0.62, 0.03, 0.03, skin, bevel=0.012)
            box(0, 0.206, 0.27, 0.62, 0.03, 0.03, skin, bevel=0.012)
            for dx in (-0.295, 0.295):
                box(dx, 0, 0.27, 0.03, 0.44, 0.03, skin, bevel=0.012)
            for i in range(8):
                for z in (0.08, 0.16):
                    box((i - 3.5) * 0.066, -0.2, z, 0.036, 0.008, 0.05, m.paint("grey", 0.6), bevel=0.003)
            top, r = 0.27, 0.2
        for i, tint in enumerate(clothes):
            a = i * 2.4
            with at(0.11 * math.cos(a), 0.07 * math.sin(a), top - 0.06, 47 * i):
                _heap(tint, r * (0.95 - 0.04 * i), 0.16 + 0.035 * i, i)
    return made


def _heap(colour: str, radius: float, height: float, seed: int) -> None:
    """A crumpled heap of cloth."""
    rows = []
    for level in range(7):
        f = level / 6
        row = []
        for i in range(37):
            a = 2 * math.pi * i / 36
            wave = 1 + 0.14 * math.sin(3 * a + seed * 2 + 2 * f) + 0.08 * math.sin(7 * a + 3 * seed - 4 * f)
            r = radius * math.cos(f * math.pi / 2) ** 0.7 * wave
            row.append(
                (
                    r * math.cos(a),
                    0.75 * r * math.sin(a),
                    height * math.sin(f * math.pi / 2) * (1 + 0.06 * math.sin(5 * a)),
                )
            )
        rows.append(row)
    surface(rows, m.fabric(colour))


def detergent(*colours: str) -> None:
    """Bottles of washing liquid side by side along x, each a thing; the caps are white."""
    for i, colour in enumerate(colours):
        x = (i - (len(colours) - 1) / 2) * 0.2
        with thing("detergent bottle", colour):
            skin = m.paint(colour, 0.2)
            box(x, 0, 0, 0.14, 0.085, 0.19, skin, bevel=0.03)
            box(x - 0.035, 0, 0.16, 0.06, 0.06, 0.09, skin, bevel=0.02)
            cylinder(x - 0.035, 0, 0.24, 0.027, 0.05, m.paint("white", 0.3), bevel=0.004)
            tube([(x - 0.01, 0, 0.235), (x + 0.05, 0, 0.22), (x + 0.055, 0, 0.17)], 0.012, skin)
            box(x, -0.044, 0.05, 0.09, 0.003, 0.08, m.paint("white" if colour != "white" else "blue", 0.5), bevel=0)


def washing_powder(colour: str = "blue") -> Thing:
    """A carton of washing powder."""
    with thing("box of washing powder", colour) as made:
        box(0, 0, 0, 0.22, 0.12, 0.3, m.paint(colour, 0.5), bevel=0.004)
        cylinder(0, -0.061, 0.16, 0.075, 0.004, m.paint("white", 0.5), axis="y")
        cylinder(0, -0.064, 0.16, 0.045, 0.004, m.paint("orange" if colour != "orange" else "blue", 0.5), axis="y")
    return made


def folded_clothes(*colours: str) -> Thing:
    """A pile of folded clothes."""
    with thing("pile of clothes", *colours) as made:
        for i, colour in enumerate(colours):
            cushion(0.008 * (i % 2), 0, i * 0.052, 0.34, 0.26, 0.055, m.fabric(colour), soft=0.35, turn=3 * (i % 3 - 1))
    return made


def utility_sink() -> Thing:
    """A deep white sink on legs with a tap, its back at y = 0."""
    with thing("sink", "white") as made:
        basin(0, -0.28, 0.5, 0.65, 0.52, 0.36, m.paint("white", 0.1), wall=0.04, floor=0.06, bevel=0.03)
        for dx in (-0.26, 0.26):
            for y in (-0.08, -0.48):
                box(dx, y, 0, 0.04, 0.04, 0.52, m.metal("steel"))
        tube([(0, -0.02, 1.05), (0, -0.14, 1.08), (0, -0.2, 1.05), (0, -0.2, 1.0)], 0.014, m.metal("chrome"))
        cylinder(0, -0.02, 1.05, 0.03, 0.04, m.metal("chrome"), axis="y")
        tube([(0, -0.28, 0.5), (0, -0.28, 0.3), (0, 0, 0.3)], 0.022, m.paint("white", 0.3))
    return made


def cart(clothes: Sequence[str] = ("white", "light blue")) -> Thing:
    """A wire laundry cart on wheels with a rail above it, full of clothes."""
    with thing("laundry cart", "metal") as made:
        wire = m.metal("chrome")
        for z, s in ((0.32, 0.85), (0.5, 0.93), (0.68, 1.0)):
            tube(
                [(dx * 0.38 * s, dy * 0.27 * s, z) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))],
                0.01,
                wire,
                closed=True,
            )
        for i in range(9):
            f = i / 8 * 2 - 1
            for dy in (-1, 1):
                tube([(f * 0.32, dy * 0.23, 0.32), (f * 0.38, dy * 0.27, 0.68)], 0.004, wire)
        for i in range(6):
            f = i / 5 * 2 - 1
            for dx in (-1, 1):
                tube([(dx * 0.32, f * 0.23, 0.32), (dx * 0.38, f * 0.27, 0.68)], 0.004, wire)
        box(0, 0, 0.31, 0.64, 0.46, 0.01, m.paint("light grey", 0.5), bevel=0)
        for dx in (-1, 1):
            for dy in (-1, 1):
                tube([(dx * 0.3, dy * 0.2, 0.1), (dx * 0.32, dy * 0.23, 0.32)], 0.012, wire)
                cylinder(dx * 0.3, dy * 0.2, 0.05, 0.05, 0.03, m.paint("dark grey", 0.5), axis="x")
        tube([(-0.38, 0, 0.68), (-0.38, 0, 1.65), (0.38, 0, 1.65), (0.38, 0, 0.68)], 0.014, wire)
        for i, tint in enumerate(clothes):
            with at(-0.14 + 0.28 * i / max(1, len(clothes) - 1), 0.02 * i, 0.45, 60 * i):
                _heap(tint, 0.24, 0.36, i)
    return made
