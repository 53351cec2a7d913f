"""What stands on balconies and terraces, and what one sees from them: cities, the sea, gardens, mountains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture import plants
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    Point,
    Thing,
    at,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    part,
    polygons,
    prism,
    scenery,
    sheet,
    sphere,
    state,
    surface,
    thing,
    tilted,
    tube,
)


def railing(width: float, style: str = "bars", colour: str = "black", *, height: float = 1.0) -> Thing:
    """A railing along x, its middle on the origin. Styles: "bars", "glass", "wooden", "crossed" (wooden), "stone"."""
    word = {"bars": "metal", "glass": "glass", "wooden": "wooden", "crossed": "wooden", "stone": "stone"}[style]
    named = WOOD_WORDS[colour] if word == "wooden" else colour
    with thing("railing", *(() if style == "glass" else (named,)), word) as made:
        half = width / 2
        if style in ("bars", "glass"):
            skin = m.metal("steel", 0.3) if style == "glass" else m.paint(colour, 0.35)
            tube([(-half, 0, height), (half, 0, height)], 0.024, skin)
            tube([(-half, 0, 0.1), (half, 0, 0.1)], 0.014, skin)
            posts = max(2, round(width / 1.2) + 1)
            for i in range(posts):
                box(-half + i * width / (posts - 1), 0, 0, 0.04, 0.04, height, skin)
            if style == "bars":
                for i in range(round(width / 0.11)):
                    cylinder(-half + 0.055 + i * 0.11, 0, 0.1, 0.008, height - 0.1, skin, sides=10)
            else:
                box(0, 0, 0.12, width, 0.012, height - 0.18, m.glass((0.85, 0.95, 0.94)), bevel=0)
        elif style == "stone":
            stone = m.mottled((0.55, 0.5, 0.42), (0.72, 0.67, 0.58), 0.12, 0.85, 0.2)
            box(0, 0, 0, width, 0.26, 0.14, stone, bevel=0.02)
            box(0, 0, height - 0.12, width, 0.3, 0.12, stone, bevel=0.03)
            count = round(width / 0.26)
            profile = [
                (0.085, 0),
                (0.085, 0.05),
                (0.05, 0.09),
                (0.1, 0.3),
                (0.07, 0.5),
                (0.045, 0.62),
                (0.085, 0.7),
                (0.085, 0.75),
            ]
            for i in range(count):
                lathe(
                    -half + (i + 0.5) * width / count,
                    0,
                    0.13,
                    [(r, z / 0.75 * (height - 0.25)) for r, z in profile],
                    stone,
                    sides=18,
                )
        else:
            w, upright = m.wood(colour, 0.6), m.wood(colour, 0.6, along="z")
            box(0, 0, height - 0.05, width, 0.13, 0.05, w, bevel=0.012)
            box(0, 0, 0.1, width, 0.06, 0.08, w)
            posts = max(2, round(width / 1.3) + 1)
            for i in range(posts):
                box(-half + i * width / (posts - 1), 0, 0, 0.09, 0.09, height - 0.04, upright)
            if style == "wooden":
                for i in range(round(width / 0.13)):
                    box(-half + 0.065 + i * 0.13, 0, 0.12, 0.07, 0.025, height - 0.16, upright)
            else:
                for i in range(posts - 1):
                    a, b = -half + i * width / (posts - 1) + 0.04, -half + (i + 1) * width / (posts - 1) - 0.04
                    for c, d in ((a, b), (b, a)):
                        tube([(c, 0, 0.17), (d, 0, height - 0.09)], 0.024, w)
    return made


def flower_box(width: float, rng: Random, colours: Sequence[str], box_colour: str | m.RGB = "brown") -> Thing:
    """A long box of flowers, its middle on the origin; hang it on a railing or stand it on the floor."""
    with thing("flower box", f"with {' and '.join(dict.fromkeys(colours))} flowers") as made:
        skin = m.paint(box_colour, 0.6)
        prism(
            [(-0.08, 0), (0.08, 0), (0.105, 0.18), (-0.105, 0.18)], width, skin, x=-width / 2, plane="yz", bevel=0.008
        )
        box(0, 0, 0.165, width - 0.03, 0.18, 0.02, plants.soil(), bevel=0)
        count = max(2, round(width / 0.22))
        for i in range(count):
            with at(-width / 2 + (i + 0.5) * width / count, 0, 0.16):
                plants.bush(rng, 0.24, 0.16, 54, length=0.11, width=0.06)
                plants.blossoms(rng, colours[i % len(colours)], 11, 0.27, 0.17, radius=0.04)
                trail = plants.Foliage()
                for _ in range(8):
                    trail.blade(
                        (rng.uniform(-0.1, 0.1), -0.08, 0.03),
                        rng.uniform(-120, -60),
                        30,
                        0.24,
                        0.05,
                        droop=130,
                        steps=5,
                    )
                trail.build(m.leaf(1.5))
    return made


def bistro_table(colour: str = "white", *, radius: float = 0.32, height: float = 0.72) -> Thing:
    """A small round metal table, its middle on the origin."""
    with thing("table", colour, "round", "metal") as made:
        skin = m.paint(colour, 0.3)
        cylinder(0, 0, height - 0.025, radius, 0.025, skin, bevel=0.006)
        cylinder(0, 0, 0.05, 0.02, height - 0.07, skin)
        for i in range(3):
            with at(0, 0, 0, 120 * i + 30):
                tube([(0.0, 0, 0.22), (0.14, 0, 0.12), (0.24, 0, 0.012)], 0.012, skin)
    return made


def folding_chair(colour: str = "white", *, slats: str | None = None) -> Thing:
    """A folding garden chair facing -y, its middle on the origin; `slats` is a kind of wood for seat and back."""
    words = (WOOD_WORDS[slats], "wooden") if slats else (colour, "metal")
    with thing("chair", *words, "folding") as made:
        skin = m.paint(colour, 0.3)
        flat = m.wood(slats, 0.5) if slats else skin
        for dx in (-0.2, 0.2):
            tube([(dx, -0.22, 0.012), (dx, 0.06, 0.44), (dx, 0.25, 0.86)], 0.012, skin)
            tube([(dx * 0.92, 0.24, 0.012), (dx * 0.92, -0.18, 0.44)], 0.012, skin)
        for i in range(6):
            box(0, -0.19 + i * 0.07, 0.44, 0.42, 0.055, 0.016, flat)
        for i, z in enumerate((0.58, 0.68, 0.78)):
            with tilted(0, 0.125 + i * 0.045, z, about="X", by=-22):
                box(0, 0, 0, 0.42, 0.014, 0.06, flat)
        tube([(-0.2, 0.2, 0.06), (0.2, 0.2, 0.06)], 0.009, skin)
    return made


def lounger(colour: str = "white", second: str = "light blue", kind: str = "pine") -> Thing:
    """A sun lounger with a striped cushion, its head at y = 0, its foot towards -y."""
    with thing("sun lounger", second, "striped") as made:
        w = m.wood(kind, 0.5, along="y")
        cloth = m.striped(colour, second, 0.09)
        for dx in (-0.31, 0.31):
            box(dx, -1.0, 0.26, 0.05, 1.95, 0.06, w)
            for y in (-0.2, -1.8):
                box(dx, y, 0, 0.05, 0.06, 0.28, w)
        for i in range(9):
            box(0, -1.9 + i * 0.15, 0.3, 0.6, 0.08, 0.02, w)
        box(0, -1.3, 0.32, 0.58, 1.3, 0.07, cloth, bevel=0.03)
        with tilted(0, -0.66, 0.33, about="X", by=-38):
            box(0, 0.38, 0.0, 0.58, 0.8, 0.07, cloth, bevel=0.03)
            box(0, 0.38, -0.04, 0.6, 0.8, 0.03, w)
        tube([(0, -0.08, 0.28), (0, -0.15, 0.62)], 0.015, m.metal("steel"))
    return made


def deck_chair(colour: str = "white", second: str = "red", kind: str = "oak") -> Thing:
    """A deck chair with striped cloth, facing -y, its middle on the origin."""
    with thing("deck chair", second, "striped") as made:
        w = m.wood(kind, 0.5)
        for dx in (-0.29, 0.29):
            tube([(dx, -0.5, 0.03), (dx, 0.45, 0.95)], 0.02, w)
            tube([(dx * 0.88, 0.5, 0.03), (dx * 0.88, -0.5, 0.42)], 0.02, w)
        for y, z in ((0.45, 0.95), (-0.5, 0.42), (0.5, 0.05), (-0.5, 0.05)):
            tube([(-0.29, y, z), (0.29, y, z)], 0.018, w)
        rows = []
        for i in range(13):
            t = i / 12
            y, z = 0.45 - 0.95 * t, 0.95 - 0.53 * t - 0.34 * math.sin(math.pi * t) * (0.7 + 0.6 * t)
            rows.append([(-0.25, y, z), (0.25, y, z)])
        part("cloth", surface(rows, m.striped(colour, second, 0.06), thickness=0.006))
    return made


def parasol(colour: str = "white", *, height: float = 2.4, radius: float = 1.3, second: str | None = None) -> Thing:
    """A parasol on its foot."""
    with thing("parasol", colour, *([second, "striped"] if second else [])) as made:
        state("open")
        cylinder(0, 0, 0, 0.26, 0.07, m.concrete(), bevel=0.02)
        cylinder(0, 0, 0, 0.022, height, m.wood("birch", along="z"))
        ribs = 8
        cloths = [m.fabric(colour), m.fabric(second or colour)]
        rim = [
            (radius * math.cos(2 * math.pi * i / ribs), radius * math.sin(2 * math.pi * i / ribs), height - 0.42)
            for i in range(ribs)
        ]
        for i in range(ribs):
            a, b = rim[i], rim[(i + 1) % ribs]
            low = [(x, y, z - 0.14) for x, y, z in (a, b)]
            polygons([(0, 0, height), a, b, *low], [(0, 1, 2), (1, 3, 4, 2)], cloths[i % 2])
            tube([(0, 0, height - 0.01), (a[0], a[1], a[2] - 0.01)], 0.008, m.wood("birch"))
    return made


def lantern(*, lit: bool = True, size: float = 1.0, colour: str = "black") -> Thing:
    """A lantern with a candle, standing."""
    with thing("lantern", colour, *(["lit"] if lit else [])) as made, at(0, 0, 0, scale=size):
        skin = m.paint(colour, 0.4)
        box(0, 0, 0, 0.18, 0.18, 0.03, skin)
        box(0, 0, 0.3, 0.18, 0.18, 0.02, skin)
        for dx in (-0.08, 0.08):
            for dy in (-0.08, 0.08):
                box(dx, dy, 0.02, 0.014, 0.014, 0.29, skin)
        lathe(0, 0, 0.32, [(0.12, 0), (0.04, 0.08), (0.0, 0.085)], skin, sides=4)
        tube([(-0.04, 0, 0.39), (-0.03, 0, 0.44), (0.03, 0, 0.44), (0.04, 0, 0.39)], 0.005, skin)
        cylinder(0, 0, 0.03, 0.04, 0.12, m.glow((1.0, 0.7, 0.4), 0.7) if lit else m.paint("white"))
        if lit:
            sphere(0, 0, 0.175, 0.014, m.glow((1.0, 0.6, 0.2), 14.0), scale=(1, 1, 1.9))
            bulb(0, 0, 0.22, 3.0, radius=0.03)
    return made


def light_string(start: Point, end: Point, *, sag: float = 0.3, count: int = 9, power: float = 2.5) -> Thing:
    """A string of lit bulbs between two points."""
    with thing("string of lights", "lit") as made:
        points = []
        for i in range(41):
            t = i / 40
            points.append(
                (
                    *(a + (b - a) * t for a, b in zip(start[:2], end[:2], strict=True)),
                    start[2] + (end[2] - start[2]) * t - sag * 4 * t * (1 - t),
                )
            )
        tube(points, 0.006, m.paint("black"))
        for i in range(count):
            x, y, z = points[round((i + 0.5) / count * 40)]
            cylinder(x, y, z - 0.04, 0.012, 0.04, m.paint("black"))
            sphere(x, y, z - 0.065, 0.032, m.glow((1.0, 0.72, 0.36), 5.0), scale=(1, 1, 1.2))
            bulb(x, y, z - 0.07, power, radius=0.04)
    return made


def drying_rack(rng: Random, colours: Sequence[str]) -> Thing:
    """A clothes horse with washing on it, its middle on the origin, long along x."""
    with thing("drying rack", "white", "with laundry") as made:
        skin = m.paint("white", 0.3)
        for dx in (-0.5, 0.5):
            tube([(dx, -0.28, 0.012), (dx, 0.28, 0.9)], 0.01, skin)
            tube([(dx, 0.28, 0.012), (dx, -0.28, 0.9)], 0.01, skin)
        for dy in (-0.28, -0.14, 0.0, 0.14, 0.28):
            tube([(-0.52, dy, 0.9), (0.52, dy, 0.9)], 0.006, skin)
        tube([(-0.52, -0.28, 0.9), (-0.52, 0.28, 0.9)], 0.01, skin)
        tube([(0.52, -0.28, 0.9), (0.52, 0.28, 0.9)], 0.01, skin)
        for i, colour in enumerate(colours):
            y, x = -0.28 + 0.14 * (i % 5), -0.28 + 0.5 * (i % 2) + rng.uniform(-0.05, 0.05)
            sheet(
                x, y, 0.9 - rng.uniform(0.4, 0.6), rng.uniform(0.32, 0.42), 0.5, m.fabric(colour), folds=3, swing=0.015
            )
    return made


def rattan_seat(width: float, colour: str, cushions: Sequence[str] = (), *, wicker: str = "brown") -> Thing:
    """A rattan armchair or sofa with seat cushions of a colour, its back at y = 0, facing -y."""
    with thing("sofa" if width > 1.1 else "armchair", "rattan", f"{colour} seat") as made:
        weave = m.mottled(tuple(0.6 * c for c in m.rgb(wicker)), tuple(1.3 * c for c in m.rgb(wicker)), 0.02, 0.9, 0.8)
        box(0, -0.38, 0.06, width, 0.76, 0.24, weave, bevel=0.03)
        box(0, -0.06, 0.06, width, 0.12, 0.68, weave, bevel=0.05)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.06), -0.38, 0.06, 0.12, 0.76, 0.54, weave, bevel=0.05)
        seats = max(1, round((width - 0.24) / 0.62))
        one = (width - 0.24) / seats
        for i in range(seats):
            x = -width / 2 + 0.12 + (i + 0.5) * one
            cushion(x, -0.44, 0.3, one - 0.01, 0.62, 0.13, m.fabric(colour), soft=0.4)
            with tilted(x, -0.14, 0.42, about="X", by=-10):
                cushion(0, -0.07, 0, one - 0.01, 0.14, 0.4, m.fabric(colour), soft=0.42)
        for i, hue in enumerate(cushions):
            x = (i - (len(cushions) - 1) / 2) * (width - 0.6) / max(1, len(cushions) - 1)
            with thing("cushion", hue), tilted(x, -0.34, 0.43, about="X", by=-20):
                cushion(0, 0, 0, 0.4, 0.14, 0.38, m.fabric(hue), soft=0.48)
    return made


def balcony_door(colour: str = "white", *, width: float = 1.7, height: float = 2.2, inside: Any = None) -> Thing:
    """A double glass door in a wall at y = 0 (its face towards -y), curtains behind the panes."""
    with thing("balcony door", colour, "glass") as made:
        skin = m.paint(colour, 0.35)
        box(0, 0.1, 0, width, 0.02, height, inside or m.paint((0.1, 0.09, 0.085), 0.7), bevel=0)
        for x in (-width / 2, 0, width / 2):
            box(x, -0.01, 0, 0.09, 0.09, height, skin)
        for z in (0.0, height - 0.07):
            box(0, -0.01, z, width, 0.09, 0.09, skin)
        for dx in (-1, 1):
            box(dx * width / 4, 0, 0.08, width / 2, 0.008, height - 0.1, m.glass(), bevel=0)
            sheet(dx * (width / 2 - 0.2), 0.06, 0.1, 0.3, height - 0.16, m.fabric("white"), folds=4, swing=0.02)
        box(0.07, -0.07, 1.0, 0.02, 0.03, 0.16, m.metal("steel"))
    return made


# What one sees from up there


def city(
    rng: Random, *, down: float = 22.0, night: bool = False, near: float = 26.0, tall: float = 1.0, spread: float = 90.0
) -> Thing:
    """A city seen from a height above its streets: rows of houses, towers behind them."""
    with thing("city", *(["lit"] if night else [])) as made:
        day = [
            ((0.62, 0.56, 0.48), (0.06, 0.09, 0.13)),
            ((0.5, 0.24, 0.16), (0.1, 0.13, 0.17)),
            ((0.45, 0.47, 0.5), (0.1, 0.2, 0.32)),
            ((0.72, 0.68, 0.62), (0.08, 0.1, 0.13)),
            ((0.3, 0.36, 0.42), (0.18, 0.3, 0.42)),
            ((0.66, 0.5, 0.34), (0.07, 0.09, 0.12)),
        ]
        dark = [
            ((0.012, 0.014, 0.025), (1.0, 0.62, 0.25), (0.02, 0.025, 0.05)),
            ((0.02, 0.018, 0.025), (0.9, 0.75, 0.5), (0.012, 0.014, 0.03)),
            ((0.01, 0.012, 0.02), (0.55, 0.7, 1.0), (0.015, 0.02, 0.04)),
        ]
        box(
            0,
            100,
            -down - 0.5,
            500,
            240,
            0.5,
            m.paint((0.02, 0.02, 0.03), 0.9) if night else m.mottled((0.16, 0.2, 0.14), (0.3, 0.3, 0.29), 8.0, 0.9),
            bevel=0,
        )
        for row, (y, low, high, wide) in enumerate(
            ((near, 0.3, 0.8, 10), (near * 1.7, 0.6, 1.25, 13), (near * 2.7, 0.7, 1.8, 16), (near * 4, 0.8, 2.1, 20))
        ):
            x = -spread * (0.5 + 0.3 * row)
            while x < spread * (0.5 + 0.3 * row):
                width = wide * rng.uniform(0.6, 1.15)
                high_now = down * rng.uniform(low, high) * (tall if row > 1 else 1.0)
                if night:
                    wall, lit, unlit = rng.choice(dark)
                    skin = m.facade(wall, lit, unlit, width=rng.choice((1.8, 2.4)), glow=0.9)
                else:
                    wall, pane = rng.choice(day)
                    skin = m.facade(wall, pane, width=rng.choice((1.7, 2.2, 2.8)))
                depth = wide * 0.8
                box(x + width / 2, y + rng.uniform(0, 0.2) * near, -down, width, depth, high_now, skin, bevel=0)
                if not night:
                    roof = m.paint(rng.choice(((0.3, 0.3, 0.3), (0.36, 0.13, 0.08), (0.2, 0.2, 0.22))), 0.9)
                    box(x + width / 2, y + 0.1 * near, -down + high_now, width * 1.01, depth * 1.3, 0.4, roof, bevel=0)
                    if rng.random() < 0.5:
                        box(x + width * 0.3, y, -down + high_now, width * 0.2, 2.5, 2.0, m.paint("grey", 0.9), bevel=0)
                x += width + rng.uniform(0.5, 3.0)
        if not night:
            for _ in range(10):
                with at(rng.uniform(-25, 25), near * rng.uniform(0.45, 0.75), -down):
                    plants.broadleaf(rng, 9)
    return made


def sea(
    rng: Random, *, down: float = 14.0, boats: int = 4, island: bool = True, tint: Point = (0.02, 0.17, 0.3)
) -> Thing:
    """The sea to the horizon, with sailing boats and perhaps an island."""
    with thing("sea", "blue") as made:
        box(0, 620, -down - 1, 4000, 1200, 1, m.water(tint), bevel=0)
    for i in range(boats):
        with (
            at(-26 + 62 * (i + rng.uniform(0.2, 0.8)) / boats, rng.uniform(38, 85), -down, rng.uniform(-30, 30)),
            thing("sailing boat", "white"),
        ):
            prism(
                [(-2.4, 0.9), (2.6, 0.9), (1.9, -0.1), (-1.9, -0.1)],
                1.4,
                m.paint("white", 0.3),
                y=-0.7,
                plane="xz",
                bevel=0.1,
            )
            cylinder(0.2, 0, 0.8, 0.06, 6.4, m.wood("oak", along="z"))
            polygons([(0.3, 0, 1.6), (0.3, 0, 7.0), (2.6, 0.4, 1.7)], [(0, 1, 2)], m.fabric("white"))
            polygons([(0.05, 0, 1.4), (0.05, 0, 6.4), (-2.2, -0.4, 1.4)], [(0, 1, 2)], m.fabric("white"))
    if island:
        with thing("island"):
            land = m.mottled((0.1, 0.16, 0.08), (0.32, 0.28, 0.2), 6.0, 0.95, 0.4)
            for x, y, r, high in ((60, 210, 42, 0.3), (95, 230, 50, 0.42), (-120, 300, 60, 0.25)):
                sphere(x, y, -down - 1, r, land, scale=(1.4, 0.6, high))
    return made


def mountains(rng: Random, y: float = 160.0, high: float = 70.0, *, down: float = 12.0, snow: float = 0.42) -> Thing:
    """A mountain range with snow on its peaks, forest and meadow before it."""
    with thing("mountain", "snowy") as made:
        columns, rows = 64, 16
        for layer, (far, size) in enumerate(((y, 0.75), (y * 1.5, 1.35))):
            points: list[Point] = []
            peaks = [(rng.uniform(-1, 1), rng.uniform(0.5, 1.0), rng.uniform(0.1, 0.2)) for _ in range(9)]
            for row in range(rows):
                v = row / (rows - 1)
                for column in range(columns):
                    u = 2 * column / (columns - 1) - 1
                    top = max(h * max(0.0, 1 - abs(u - p) / (w * 1.9)) for p, h, w in peaks)
                    rugged = rng.uniform(-0.05, 0.05) + 0.05 * math.sin(31 * u + 5 * v) * v
                    z = high * size * (v**1.25 * (0.25 + 0.75 * top) + rugged * v)
                    points.append((u * y * 2.1 + rng.uniform(-1, 1), far - 70 + 70 * v, z - down))
            bare, white = [], []
            for row in range(rows - 1):
                for column in range(columns - 1):
                    n = row * columns + column
                    face = (n, n + 1, n + columns + 1, n + columns)
                    middle = sum(points[i][2] for i in face) / 4 + down
                    (white if middle > snow * high * rng.uniform(0.82, 1.1) * (0.8 + 0.3 * layer) else bare).append(
                        face
                    )
            rock = m.mottled((0.1, 0.11, 0.1), (0.24, 0.23, 0.23), 6.0, 0.95, 0.6)
            for faces, skin in ((bare, rock), (white, m.paint((0.86, 0.88, 0.93), 0.8))):
                if faces:
                    polygons(points, faces, skin)
    with scenery():
        box(0, y / 2, -down - 1, 900, y * 2, 1, m.mottled((0.06, 0.17, 0.03), (0.14, 0.3, 0.06), 5.0, 0.95), bevel=0)
        for _ in range(90):
            far = rng.uniform(0.2, 0.6) * y
            with at(rng.uniform(-0.9, 0.9) * far, far, -down):
                plants.conifer(rng.uniform(6, 10), shade=rng.uniform(0.7, 1.3))
    return made


def garden(rng: Random, *, down: float = 3.0, size: float = 26.0) -> Thing:
    """A garden seen from above: lawn, path, flower beds, a pond, hedge and trees."""
    with thing("garden", "green") as made:
        box(0, size / 2 + 20, -down - 0.2, 160, size + 80, 0.2, m.grass(), bevel=0)
        path = [(-3.0 + 1.6 * math.sin(i / 3), 1.5 + i * 1.5) for i in range(14)]
        surface(
            [[(x - 0.7, y, -down + 0.03), (x + 0.7, y, -down + 0.03)] for x, y in path],
            m.mottled((0.5, 0.42, 0.3), (0.66, 0.57, 0.43), 0.1, 0.9),
        )
        box(
            0,
            size + 1,
            -down,
            70,
            1.6,
            2.2,
            m.mottled((0.025, 0.1, 0.02), (0.07, 0.2, 0.04), 0.3, 0.95, 0.8),
            bevel=0.2,
        )
        with at(3.6, 11, -down):
            lathe(
                0,
                0,
                0,
                [(2.3, 0), (2.4, 0.16), (2.05, 0.16), (2.0, 0.02)],
                m.mottled((0.3, 0.3, 0.29), (0.5, 0.48, 0.45), 0.2),
            )
            cylinder(0, 0, 0, 2.05, 0.08, m.water((0.05, 0.2, 0.26)))
        for i, (x, y) in enumerate(((-6.5, 7), (0.6, 7), (7.0, 7.5), (-7.0, 14), (0.2, 17), (7.5, 16))):
            with at(x, y, -down):
                lathe(0, 0, 0, [(1.25, 0), (1.2, 0.18), (0, 0.2)], plants.soil())
                plants.bush(rng, 0.7, 1.2, 130, length=0.3, width=0.12)
                plants.blossoms(
                    rng, ("pink", "red", "yellow", "white", "purple", "orange")[i], 40, 0.75, 1.2, radius=0.11
                )
    with scenery():
        for x, y, height in (
            (-9, 19, 7),
            (-4, 23, 6),
            (3, 22.5, 7),
            (9, 20, 6.5),
            (13, 15, 7),
            (-13, 13, 7.5),
            (16, 24, 9),
            (-17, 25, 9),
            (0, 32, 9),
            (-8, 33, 10),
            (9, 34, 10),
            (19, 33, 11),
            (-20, 34, 11),
        ):
            with at(x, y, -down):
                plants.broadleaf(rng, height)
    return made
