"""Bathrooms: bathtubs, showers, toilets, washbasins, mirrors, towels and what lies about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from draw import materials as m
from draw.furniture.basic import put
from draw.furniture.kitchen import front_of, words_of
from draw.stage import (
    Thing,
    at,
    basin,
    box,
    cushion,
    cylinder,
    lathe,
    part,
    ring,
    scenery,
    sheet,
    sphere,
    state,
    surface,
    thing,
    tube,
)


def _china(colour: str = "white") -> Any:
    return m.paint(colour, 0.08)


def oval(rings: Sequence[tuple[float, float, float, float]], material: Any, *, sides: int = 40) -> Any:
    """A smooth body through oval rings of (half width, half depth, height, shift along y): tubs, bowls, basins."""
    rows = []
    for across, along, z, shift in rings:
        angles = [2 * math.pi * i / sides for i in range(sides + 1)]
        rows.append([(across * math.cos(a), shift + along * math.sin(a), z) for a in angles])
    return surface(rows, material)


def mixer_tap(
    x: float, y: float, z: float, *, kind: str = "chrome", reach: float = 0.13, height: float = 0.12
) -> Thing:
    """A short tap with one lever, reaching towards -y."""
    with thing("tap", "metal") as made:
        shine = m.metal(kind)
        cylinder(x, y, z, 0.022, height, shine, bevel=0.004)
        tube(
            [(x, y, z + height * 0.75), (x, y - reach, z + height * 0.7), (x, y - reach, z + height * 0.5)],
            0.013,
            shine,
        )
        tube([(x, y, z + height), (x, y - 0.06, z + height + 0.035)], 0.008, shine)
    return made


def bathtub(
    width: float = 1.7, depth: float = 0.75, *, colour: str = "white", water: bool = False, foam: bool = False
) -> Thing:
    """A built-in tub along the wall at y = 0, its taps at the left end."""
    with thing("bathtub", colour) as made:
        basin(0, -depth / 2, 0, width, depth, 0.56, _china(colour), wall=0.07, floor=0.14, bevel=0.05)
        if water or foam:
            state("full of water")
            box(0, -depth / 2, 0.4, width - 0.2, depth - 0.2, 0.03, m.water((0.25, 0.6, 0.66)), bevel=0)
        if foam:
            for i in range(22):
                x, y = (i % 8 - 3.5) * 0.17, -depth / 2 + (i // 8 - 1) * 0.15
                sphere(
                    x + 0.03 * (i % 3),
                    y,
                    0.43,
                    0.07 + 0.025 * (i % 4),
                    m.paint((0.8, 0.84, 0.86), 0.7),
                    scale=(1, 1, 0.6),
                )
        shine = m.metal("chrome")
        cylinder(-width / 2 + 0.3, -0.03, 0.72, 0.03, 0.24, shine, axis="x")
        for dx in (-0.1, 0.1):
            cylinder(-width / 2 + 0.3 + dx, -0.03, 0.72, 0.035, 0.04, shine, axis="x")
        tube(
            [(-width / 2 + 0.3, -0.03, 0.71), (-width / 2 + 0.3, -0.16, 0.7), (-width / 2 + 0.3, -0.16, 0.66)],
            0.016,
            shine,
        )
    return made


def free_bathtub(colour: str = "white", *, feet: bool = False, width: float = 1.65, inside: str = "white") -> Thing:
    """An oval tub that stands free, about the origin, its long side along x; `feet`: on claw feet."""
    with thing("bathtub", colour, "oval") as made:
        w, d = width / 2, 0.39
        low = 0.14 if feet else 0.0
        outer = [(w * 0.66, d * 0.66, low, 0), (w * 0.8, d * 0.82, low + 0.06, 0), (w * 0.9, d * 0.92, low + 0.28, 0)]
        oval([(0.01, 0.01, low, 0), *outer, (w, d, 0.6, 0), (w * 1.02, d * 1.04, 0.615, 0)], _china(colour))
        oval(
            [
                (w * 1.02, d * 1.04, 0.615, 0),
                (w * 0.96, d * 0.92, 0.61, 0),
                (w * 0.84, d * 0.8, 0.36, 0),
                (w * 0.7, d * 0.6, low + 0.12, 0),
                (0.01, 0.01, low + 0.11, 0),
            ],
            _china(inside),
        )
        if feet:
            for dx in (-1, 1):
                for dy in (-1, 1):
                    brass = m.metal("brass")
                    bend = [(dx * w * 0.6, dy * d * 0.6, 0.2), (dx * w * 0.7, dy * d * 0.78, 0.12)]
                    ball = sphere(dx * w * 0.72, dy * d * 0.82, 0.05, 0.05, brass, scale=(1, 1, 1.0))
                    part("foot", tube(bend, 0.03, brass), ball)
    return made


def floor_tap(kind: str = "chrome") -> Thing:
    """A tall tap for a free tub, standing on the floor and reaching towards -y."""
    with thing("tap", "metal") as made:
        shine = m.metal(kind)
        for dx in (-0.06, 0.06):
            cylinder(dx, 0, 0, 0.016, 0.86, shine)
        cylinder(0, 0, 0.84, 0.022, 0.22, shine, axis="x")
        tube([(0, 0, 0.85), (0, 0, 1.0), (0, -0.07, 1.06), (0, -0.16, 1.04), (0, -0.2, 0.98)], 0.015, shine)
        for dx in (-0.13, 0.13):
            ring(dx, 0, 0.84, 0.03, 0.007, shine, axis="x")
    return made


def toilet(colour: str = "white", *, seat: str | None = None, style: str = "tank", lid: str = "closed") -> Thing:
    """A toilet, its back at y = 0. Styles: "tank" (cistern behind), "wall" (flush plate), "high" (cistern high up)."""
    with thing("toilet", colour) as made:
        china = _china(colour)
        ground, y = (0.1, -0.42) if style == "wall" else (0.0, -0.42)
        rings = [
            (0.11, 0.2, ground, 0.04),
            (0.1, 0.19, ground + 0.12, 0.05),
            (0.15, 0.22, 0.26, 0.02),
            (0.19, 0.265, 0.4, 0),
        ]
        oval(
            [
                (0.01, 0.01, ground, y),
                *[(a, b, z, y + s) for a, b, z, s in rings],
                (0.15, 0.22, 0.405, y),
                (0.1, 0.14, 0.3, y),
            ],
            china,
        )
        box(
            0,
            -0.12,
            0.05 if style != "wall" else 0.15,
            0.24,
            0.24,
            0.35 if style != "wall" else 0.25,
            china,
            bevel=0.04,
        )
        cover = m.wood(seat) if seat in m.WOODS else m.paint(seat or colour, 0.15)
        seat_words = words_of(seat or colour)
        if lid == "closed":
            rings = [(0.19, 0.265, 0.41, y), (0.195, 0.27, 0.425, y), (0.185, 0.26, 0.44, y), (0.01, 0.01, 0.445, y)]
            part("lid", oval(rings, cover), words=("closed", *seat_words))
        else:
            oval(
                [(0.19, 0.265, 0.405, y), (0.195, 0.27, 0.42, y), (0.12, 0.17, 0.425, y), (0.11, 0.16, 0.405, y)], cover
            )
            part("lid", box(0, -0.185, 0.43, 0.36, 0.03, 0.4, cover, bevel=0.012), words=("open", *seat_words))
        if style == "tank":
            box(0, -0.1, 0.39, 0.4, 0.19, 0.38, china, bevel=0.035)
            box(0, -0.1, 0.76, 0.42, 0.21, 0.035, china, bevel=0.012)
            cylinder(0, -0.1, 0.79, 0.025, 0.01, m.metal("chrome"))
        elif style == "wall":
            box(0, -0.006, 0.95, 0.24, 0.012, 0.16, m.metal("chrome"), bevel=0.003)
            for dx in (-0.055, 0.055):
                box(dx, -0.014, 0.97, 0.1, 0.008, 0.12, m.metal("steel"), bevel=0.004)
        else:
            box(0, -0.1, 1.75, 0.46, 0.2, 0.32, china, bevel=0.03)
            tube([(0, -0.06, 0.4), (0, -0.06, 1.76)], 0.022, m.metal("brass"))
            tube([(0.2, -0.12, 1.76), (0.2, -0.12, 1.2)], 0.004, m.metal("brass"))
            sphere(0.2, -0.12, 1.17, 0.03, m.wood("oak"))
    return made


def washbasin(
    style: str = "cabinet", kind: str = "white", *, width: float = 0.8, bowls: int = 1, metal: str = "chrome"
) -> Thing:
    """A washbasin with taps, its back at y = 0, its top at z = 0.85.

    Styles: "cabinet" (let into a cabinet of a kind), "pedestal" (on a foot), "bowl" (bowls on a board of a kind).
    Each bowl is a washbasin; the cabinet belongs to the first.
    """
    words = ["white", *([] if style == "pedestal" else [word for word in words_of(kind) if word != "white"])]
    wide = min(0.3, width / bowls / 2 - 0.08) if style == "cabinet" else None
    with thing("washbasin", *words) as made:
        china = _china()
        if style == "pedestal":
            rings = [(0.08, 0.09, 0, 0.06), (0.06, 0.07, 0.3, 0.07), (0.08, 0.09, 0.64, 0.05)]
            oval([(0.01, 0.01, 0, -0.26), *[(a, b, z, s - 0.26) for a, b, z, s in rings]], china)
            bowl = [(0.09, 0.1, 0.62, 0.04), (0.22, 0.18, 0.72, 0), (0.29, 0.235, 0.84, 0), (0.29, 0.235, 0.855, 0)]
            inner = [(0.25, 0.18, 0.85, -0.02), (0.18, 0.13, 0.76, -0.02), (0.01, 0.01, 0.73, -0.02)]
            oval([(a, b, z, s - 0.26) for a, b, z, s in [*bowl, *inner]], china)
            mixer_tap(0, -0.07, 0.85, kind=metal)
        else:
            depth, top = 0.5, 0.85 if style == "cabinet" else 0.76
            low = 0.3
            fronts = [
                box(0, -depth / 2, low, width - 0.02, depth - 0.03, top - low - 0.05, front_of(kind), bevel=0.005)
            ]
            count = max(1, round(width / 0.45))
            each = (width - 0.04) / count
            for i in range(count):
                x = -width / 2 + 0.02 + (i + 0.5) * each
                y, tall = -depth + 0.005, top - low - 0.1
                fronts.append(box(x, y, low + 0.02, each - 0.012, 0.02, tall, front_of(kind), bevel=0.004))
                tube(
                    [(x - 0.06, -depth - 0.03, top - 0.13), (x + 0.06, -depth - 0.03, top - 0.13)],
                    0.006,
                    m.metal(metal),
                )
                for dx in (-0.05, 0.05):
                    tube([(x + dx, -depth, top - 0.13), (x + dx, -depth - 0.03, top - 0.13)], 0.005, m.metal(metal))
            part("cabinet", *fronts)
            box(
                0,
                -depth / 2,
                top - 0.05,
                width,
                depth,
                0.05,
                china if style == "cabinet" else m.wood("oak"),
                bevel=0.012,
            )
    for i in range(0 if style == "pedestal" else bowls):
        x = (i - (bowls - 1) / 2) * width / bowls
        with put(made, 0, 0, 0) if i == 0 else thing("washbasin", *words):
            _bowl(x, top, wide)
            mixer_tap(x, -0.06, top, kind=metal, height=0.12 if style == "cabinet" else 0.26)
    return made


def _bowl(x: float, top: float, wide: float | None) -> None:
    """A basin let into a top at a height, half as wide as given, or a round bowl that stands on it."""
    china = _china()
    if wide is None:
        outline = [(0, 0), (0.1, 0), (0.19, 0.1), (0.2, 0.13), (0.185, 0.13), (0.1, 0.02), (0, 0.015)]
        lathe(x, -0.27, top, outline, china)
        return
    rim = [(wide, 0.17, top, -0.28), (wide, 0.17, top + 0.02, -0.28), (wide - 0.02, 0.15, top + 0.02, -0.28)]
    with at(x, 0, 0):
        oval(rim, china)
        oval([(wide - 0.02, 0.15, top + 0.02, -0.28), (wide - 0.05, 0.12, top + 0.004, -0.28)], china)
        oval([(wide - 0.05, 0.12, top + 0.004, -0.28), (0.01, 0.01, top + 0.003, -0.28)], m.paint("light grey", 0.1))


def wall_mirror(
    width: float = 0.7, height: float = 0.9, *, frame: str | None = None, lit: bool = False, round_: bool = False
) -> Thing:
    """A mirror on the wall at y = 0, the middle of its lower edge at the origin (`round_`: `width` across)."""
    with thing("mirror", *(["round"] if round_ else []), *(["lit"] if lit else [])) as made:
        edge = m.wood(frame) if frame in m.WOODS else m.metal(frame or "chrome")
        if round_:
            r = width / 2
            cylinder(0, -0.012, r, r, 0.02, edge, axis="y", sides=64)
            cylinder(0, -0.015, r, r - 0.025, 0.024, m.mirror(), axis="y", sides=64)
            if lit:
                ring(0, -0.006, r, r + 0.015, 0.014, m.glow((1, 0.93, 0.8), 6), axis="y")
        else:
            box(0, -0.012, 0, width, 0.02, height, edge, bevel=0.003)
            box(0, -0.016, 0.025, width - 0.05, 0.022, height - 0.05, m.mirror(), bevel=0)
            if lit:
                box(0, -0.05, height + 0.03, width * 0.8, 0.06, 0.05, m.glow((1, 0.95, 0.86), 5))
    return made


def towel_rail(*colours: str, width: float | None = None) -> None:
    """A rail on the wall at the origin's height with towels of these colours hanging over it."""
    width = width or 0.42 * len(colours)
    with thing("towel rail", "metal"):
        shine = m.metal("chrome")
        tube([(-width / 2, -0.07, 0), (width / 2, -0.07, 0)], 0.009, shine)
        for dx in (-1, 1):
            tube([(dx * width / 2, 0, 0), (dx * width / 2, -0.07, 0)], 0.009, shine)
    for i, colour in enumerate(colours):
        x = (i - (len(colours) - 1) / 2) * width / len(colours)
        with thing("towel", colour):
            cushion(
                x, -0.07, -0.55, min(0.34, width / len(colours) - 0.06), 0.045, 0.57, m.fabric(colour, 60), soft=0.4
            )
            box(
                x, -0.095, -0.46, min(0.34, width / len(colours) - 0.06) - 0.01, 0.005, 0.03, m.fabric("white"), bevel=0
            )


def towel_radiator(*colours: str, height: float = 1.3, z: float = 0.5) -> Thing:
    """A heated rail of many bars on the wall, with towels over some of them."""
    with thing("towel radiator", "white", "metal") as made:
        white = m.paint("white", 0.2)
        for dx in (-0.26, 0.26):
            cylinder(dx, -0.07, z, 0.018, height, white)
        for i in range(round(height / 0.075)):
            cylinder(0, -0.07, z + 0.04 + i * 0.075, 0.011, 0.52, white, axis="x")
        for i, colour in enumerate(colours):
            with thing("towel", colour):
                high = z + height * (0.98 - 0.52 * i)
                cushion(0, -0.095, high - 0.5, 0.44, 0.05, 0.52, m.fabric(colour, 60), soft=0.4)
    return made


def stacked_towels(*colours: str) -> None:
    """Folded towels in a pile, each a thing."""
    for i, colour in enumerate(colours):
        with thing("towel", colour, "folded"):
            cushion(0, 0, i * 0.065, 0.36, 0.25, 0.068, m.fabric(colour, 60), soft=0.4)


def toilet_roll() -> Thing:
    """A roll of paper on a holder at the wall, at the origin's height."""
    with thing("toilet paper", "white") as made:
        cylinder(0, -0.08, 0, 0.055, 0.1, m.paint("white", 0.95), axis="x")
        box(0, -0.134, -0.12, 0.098, 0.003, 0.12, m.paint("white", 0.95), bevel=0)
        tube([(0.07, 0, 0.05), (0.07, -0.08, 0.05), (0.07, -0.08, 0), (-0.06, -0.08, 0)], 0.006, m.metal("chrome"))
    return made


def toilet_brush(colour: str = "white") -> Thing:
    """A toilet brush in its holder."""
    with thing("toilet brush", colour) as made:
        cylinder(0, 0, 0, 0.05, 0.14, m.paint(colour, 0.2), bevel=0.01)
        cylinder(0, 0, 0.1, 0.009, 0.3, m.paint(colour, 0.2))
    return made


def shower_set(kind: str = "chrome", *, height: float = 2.05) -> Thing:
    """A rail with a large shower head on the wall at y = 0 (the frame stands on the floor), and a tap."""
    with thing("shower head", "metal") as made:
        shine = m.metal(kind)
        tube([(0, -0.05, 0.95), (0, -0.05, height), (0, -0.1, height + 0.05), (0, -0.36, height + 0.05)], 0.013, shine)
        cylinder(0, -0.36, height + 0.005, 0.125, 0.02, shine)
        cylinder(0, -0.36, height + 0.02, 0.03, 0.04, shine)
        cylinder(0, -0.05, 0.98, 0.028, 0.26, shine, axis="x")
        tube([(0.05, -0.06, 1.0), (0.16, -0.1, 0.7), (0.13, -0.1, 0.95), (0.06, -0.08, 1.5)], 0.008, shine)
        cylinder(0.06, -0.1, 1.47, 0.035, 0.07, shine, top=0.05)
    return made


def shower(
    width: float = 1.0, depth: float = 1.0, *, height: float = 2.0, sides: str = "left front", kind: str = "chrome"
) -> Thing:
    """A shower in a corner of glass panes, its back at y = 0; `sides` says where the panes are."""
    with thing("shower", "glass") as made:
        box(0, -depth / 2, 0, width, depth, 0.07, m.paint("white", 0.15), bevel=0.02)
        box(0, -depth / 2, 0.062, width - 0.12, depth - 0.12, 0.012, m.paint("light grey", 0.3), bevel=0.003)
        cylinder(0, -depth / 2, 0.072, 0.05, 0.006, m.metal("chrome"))
        pane, bar = m.glass((0.86, 0.95, 0.95)), m.metal(kind)
        for side in sides.split():
            if side == "front":
                box(0, -depth + 0.02, 0.07, width, 0.008, height - 0.07, pane, bevel=0)
                for z in (0.07, height - 0.02):
                    box(0, -depth + 0.02, z, width, 0.03, 0.03, bar, bevel=0.004)
                for x in (-width / 2 + 0.015, width / 2 - 0.015, 0.1):
                    box(x, -depth + 0.02, 0.07, 0.022, 0.028, height - 0.07, bar, bevel=0.004)
                tube([(0.15, -depth - 0.03, 0.9), (0.15, -depth - 0.03, 1.25)], 0.01, bar)
            else:
                x = (-1 if side == "left" else 1) * (width / 2 - 0.015)
                box(x, -depth / 2, 0.07, 0.008, depth, height - 0.07, pane, bevel=0)
                for z in (0.07, height - 0.02):
                    box(x, -depth / 2, z, 0.03, depth, 0.03, bar, bevel=0.004)
                for y in (-0.015, -depth + 0.015):
                    box(x, y, 0.07, 0.022, 0.022, height - 0.07, bar, bevel=0.004)
        shower_set(kind)
    return made


def shower_curtain(
    width: float, colour: str | Any, *words: str, height: float = 1.85, z: float = 0.2, rail: float = 1.7
) -> Thing:
    """A curtain drawn partly along a rail of a length; its middle at the origin, hanging along x."""
    with thing("shower curtain", *(words or (str(colour),))) as made:
        cloth = m.fabric(colour) if isinstance(colour, str) else colour
        sheet(0, 0, z, width, height, cloth, folds=max(4, round(width / 0.13)), swing=0.03)
        with scenery():
            tube([(-rail / 2, 0, z + height + 0.02), (rail / 2, 0, z + height + 0.02)], 0.012, m.metal("chrome"))
        for i in range(7):
            ring((i / 6 - 0.5) * width * 0.96, 0, z + height + 0.015, 0.02, 0.004, m.metal("chrome"), axis="x")
    return made


def bath_mat(colour: str = "blue", width: float = 0.9, depth: float = 0.55) -> Thing:
    """A shaggy mat, its middle on the origin."""
    with thing("bath mat", colour) as made:
        cushion(0, 0, 0, width, depth, 0.03, m.carpet(colour), soft=0.4)
    return made


def soap_and_brushes(colour: str = "cyan") -> None:
    """A soap dispenser and a beaker with toothbrushes, side by side."""
    with thing("soap dispenser", colour):
        cylinder(-0.07, 0, 0, 0.034, 0.12, m.paint(colour, 0.2), bevel=0.01)
        tube([(-0.07, 0, 0.12), (-0.07, 0, 0.16), (-0.07, -0.05, 0.16)], 0.006, m.metal("chrome"))
    with thing("cup", "white", "with 2 toothbrushes"):
        lathe(0.06, 0, 0, [(0, 0), (0.032, 0), (0.037, 0.1), (0.032, 0.1), (0, 0.01)], m.paint("white", 0.15))
        for dx, tint in ((-0.03, "red"), (0.03, "blue")):
            tube([(0.06, 0, 0.02), (0.06 + dx, 0.01, 0.19)], 0.005, m.paint(tint, 0.3))
            box(0.06 + dx, -0.004, 0.17, 0.01, 0.02, 0.03, m.paint("white", 0.6), bevel=0.002)


def rubber_duck(colour: str = "yellow") -> Thing:
    """A rubber duck facing left."""
    with thing("rubber duck", colour) as made:
        skin = m.paint(colour, 0.3)
        sphere(0, 0, 0.05, 0.065, skin, scale=(1.2, 0.9, 0.75))
        sphere(-0.045, 0, 0.12, 0.042, skin)
        sphere(0.075, 0, 0.08, 0.025, skin, scale=(1, 0.8, 0.8))
        sphere(-0.09, 0, 0.112, 0.02, m.paint("orange", 0.3), scale=(1, 0.9, 0.45))
        for dy in (-0.026, 0.026):
            sphere(-0.072, dy, 0.132, 0.007, m.paint("black", 0.2))
    return made


def shampoo(*colours: str) -> None:
    """Shampoo bottles side by side along x."""
    for i, colour in enumerate(colours):
        with thing("shampoo bottle", colour):
            x = (i - (len(colours) - 1) / 2) * 0.08
            box(x, 0, 0, 0.06, 0.036, 0.15 + 0.02 * (i % 2), m.paint(colour, 0.25), bevel=0.014)
            cylinder(x, 0, 0.14 + 0.02 * (i % 2), 0.015, 0.035, m.paint("white", 0.3))


def bathroom_scales(colour: str = "white") -> Thing:
    """Scales on the floor."""
    with thing("scales", colour) as made:
        box(0, 0, 0.01, 0.3, 0.3, 0.03, m.paint(colour, 0.2), bevel=0.012)
        cylinder(0, 0.09, 0.038, 0.05, 0.004, m.paint("dark grey", 0.3))
    return made


def dado(
    room_width: float, height: float, colour: str, *, size: float = 0.15, joint: str = "light grey", plane: str = "xz"
) -> None:
    """Tiles up a wall from x = 0 to the right (frame against the wall), with a border on top; scenery."""
    with scenery():
        box(room_width / 2, 0.012, 0, room_width, 0.012, height, m.tiles(colour, joint, size, plane=plane), bevel=0)
        box(room_width / 2, 0.006, height, room_width, 0.025, 0.03, m.paint(colour, 0.2), bevel=0.004)
