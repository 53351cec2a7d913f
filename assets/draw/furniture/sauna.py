"""Saunas: tiers of benches, stoves with stones, bucket and ladle, headrests, towels, lamps behind slats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.plants import Foliage
from draw.stage import (
    WARM,
    Thing,
    at,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    prism,
    ring,
    sheet,
    sphere,
    thing,
    tilted,
    tube,
)


def tiers(
    width: float,
    levels: int = 2,
    kind: str = "pine",
    *,
    step: float = 0.45,
    depth: float = 0.58,
    glow: bool = False,
    ends: bool = True,
) -> Thing:
    """Benches of slats in tiers, their back at y = 0, the lowest in front; `glow` lights them from below."""
    with thing(
        "bench",
        {"pine": "light brown", "birch": "beige", "walnut": "dark brown", "oak": "brown", "cherry": "brown"}[kind],
        "wooden",
        f"in {levels} tiers",
    ) as made:
        w, upright, side = m.wood(kind, 0.55), m.wood(kind, 0.55, along="z"), m.wood(kind, 0.55, along="y")
        for level in range(levels):
            z, front = step * (levels - level), -depth * (level + 1)
            slats = 5
            for i in range(slats):
                box(0, front + depth * (i + 0.5) / slats, z - 0.035, width, depth / slats - 0.02, 0.035, w, bevel=0.008)
            box(0, front + 0.012, z - 0.1, width, 0.03, 0.075, w, bevel=0.006)
            boards = max(2, int((z - 0.12) / 0.12)) if level == levels - 1 else 3
            for i in range(boards):
                box(0, front + 0.06, z - 0.2 - 0.115 * i, width - 0.04, 0.02, 0.085, w)
            for i in range(max(2, round(width / 1.1) + 1)):
                x = -width / 2 + 0.04 + i * (width - 0.08) / max(1, round(width / 1.1))
                box(x, front + 0.1, 0, 0.06, 0.06, z - 0.035, upright)
                if ends:
                    box(x, front + depth / 2, z - 0.09, 0.05, depth - 0.06, 0.055, side)
            if glow:
                box(0, front + 0.04, z - 0.115, width - 0.06, 0.015, 0.014, m.glow((1.0, 0.55, 0.22), 9.0), bevel=0)
    return made


def stones(rng: Random, width: float, depth: float, *, heap: float = 0.1, size: float = 0.075) -> None:
    """A heap of rounded grey stones on the origin; part of the stove they lie on."""
    skins = [
        m.mottled((0.1 * s, 0.1 * s, 0.105 * s), (0.3 * s, 0.29 * s, 0.28 * s), 0.03, 0.9, 0.5) for s in (0.8, 1.1, 1.5)
    ]
    across, along = max(2, int(width / (1.5 * size))), max(2, int(depth / (1.5 * size)))
    for i in range(across):
        for k in range(along):
            u, v = (i + 0.5) / across * 2 - 1, (k + 0.5) / along * 2 - 1
            z = heap * max(0.0, 1 - 0.5 * (u * u + v * v)) + rng.uniform(-0.01, 0.015)
            x, y = u * (width / 2 - size * 0.5), v * (depth / 2 - size * 0.5)
            with at(x, y, z, rng.uniform(0, 180)):
                sphere(0, 0, 0, size * rng.uniform(0.75, 1.1), rng.choice(skins), scale=(1.15, 0.85, 0.72))


def stove(
    rng: Random,
    *,
    width: float = 0.62,
    height: float = 0.72,
    colour: str = "dark grey",
    wood_fired: bool = False,
    room_height: float = 2.3,
    fence: str | None = "pine",
) -> Thing:
    """A sauna stove heaped with stones, its middle on the origin, its front towards -y.

    `wood_fired` gives it a fire door and a chimney; `fence` is the wood of a low rail around it.
    """
    with thing("sauna stove", "black" if "grey" in colour else colour, "with grey stones") as made:
        skin, steel = m.metal("iron", 0.45) if colour == "black" else m.paint(colour, 0.35), m.metal("steel", 0.3)
        w = width
        for dx in (-1, 1):
            for dy in (-1, 1):
                box(dx * (w / 2 - 0.05), dy * (w / 2 - 0.05), 0, 0.04, 0.04, 0.1, skin)
        box(0, 0, 0.09, w, w * 0.9, height - 0.18, skin, bevel=0.015)
        for i in range(5):
            box(
                0, -w * 0.45 - 0.004, 0.16 + 0.05 * i, w * 0.7, 0.01, 0.012, m.paint("black", 0.6)
            ) if not wood_fired else None
        for z in (height - 0.1, height - 0.02):
            tube(
                [(-w / 2, -w * 0.45, z), (w / 2, -w * 0.45, z), (w / 2, w * 0.45, z), (-w / 2, w * 0.45, z)],
                0.012,
                steel,
                closed=True,
            )
        for i in range(9):
            x = -w / 2 + i * w / 8
            for y in (-w * 0.45, w * 0.45):
                tube([(x, y, height - 0.1), (x, y, height)], 0.007, steel)
        with at(0, 0, height - 0.06):
            stones(rng, w * 0.98, w * 0.86, heap=0.1)
        if wood_fired:
            box(0, -w * 0.45 - 0.012, 0.2, w * 0.56, 0.03, 0.27, m.paint("black", 0.5), bevel=0.01)
            box(0, -w * 0.45 - 0.03, 0.24, w * 0.44, 0.006, 0.19, m.glow((1.0, 0.36, 0.06), 4.0), bevel=0)
            for i in range(4):
                lathe(
                    -0.09 + 0.06 * i,
                    -w * 0.45 - 0.034,
                    0.245,
                    [(0.025, 0), (0.018, 0.06), (0.0, 0.12 + 0.03 * (i % 2))],
                    m.glow((1.0, 0.62, 0.12), 7.0),
                    sides=10,
                )
            tube([(w * 0.2, -w * 0.45 - 0.05, 0.3), (w * 0.2, -w * 0.45 - 0.05, 0.38)], 0.01, steel)
            bulb(0, -w * 0.45 - 0.2, 0.35, 4, colour=(1.0, 0.45, 0.15))
            cylinder(0, w * 0.22, height - 0.05, 0.075, room_height - height + 0.05, m.metal("iron", 0.5))
            ring(0, w * 0.22, room_height - 0.02, 0.1, 0.02, steel)
    if fence:
        _fence(w + 0.26, fence)
    return made


def _fence(size: float, kind: str) -> None:
    """A low wooden rail around a stove."""
    with thing("rail", "wooden"):
        w, upright = m.wood(kind), m.wood(kind, along="z")
        half = size / 2
        for dx in (-1, 1):
            for dy in (-1, 1):
                box(dx * half, dy * half, 0, 0.05, 0.05, 0.62, upright)
        for z in (0.3, 0.56):
            box(0, -half, z, size + 0.05, 0.035, 0.06, w)
            for dx in (-1, 1):
                box(dx * half, 0, z, 0.035, size, 0.06, m.wood(kind, along="y"))


def stone_pillar(rng: Random, *, height: float = 1.2, radius: float = 0.24) -> Thing:
    """A modern stove: a cage of steel rods full of stones, its middle on the origin."""
    with thing("sauna stove", "grey", "with stones") as made:
        black = m.metal("iron", 0.4)
        cylinder(0, 0, 0, radius * 1.06, 0.1, black)
        cylinder(0, 0, 0.1, radius * 0.72, height - 0.15, m.mottled((0.05, 0.05, 0.05), (0.12, 0.12, 0.12), 0.05, 0.9))
        skins = [
            m.mottled((0.1 * s, 0.1 * s, 0.105 * s), (0.3 * s, 0.29 * s, 0.28 * s), 0.03, 0.9, 0.5)
            for s in (0.8, 1.1, 1.5)
        ]
        rows = round(height / 0.1)
        for row in range(rows):
            for i in range(13):
                a = 2 * math.pi * (i + 0.5 * (row % 2)) / 13
                z = 0.15 + row * (height - 0.18) / rows
                sphere(
                    radius * 0.82 * math.cos(a),
                    radius * 0.82 * math.sin(a),
                    z,
                    rng.uniform(0.05, 0.066),
                    rng.choice(skins),
                    scale=(1, 1, 0.85),
                )
        with at(0, 0, height - 0.06):
            stones(rng, radius * 1.5, radius * 1.5, heap=0.08)
        for i in range(18):
            a = 2 * math.pi * i / 18
            tube(
                [
                    (radius * 1.04 * math.cos(a), radius * 1.04 * math.sin(a), 0.05),
                    (radius * 1.04 * math.cos(a), radius * 1.04 * math.sin(a), height),
                ],
                0.006,
                black,
            )
        for z in (0.4, 0.8, height):
            ring(0, 0, z, radius * 1.04, 0.009, black)
    return made


def bucket(kind: str = "pine") -> Thing:
    """A wooden bucket with water, hoops and a handle, a ladle leaning in it; its middle on the origin."""
    with thing("bucket", "light brown" if kind in ("pine", "birch") else "dark brown", "wooden") as made:
        w = m.wood(kind, 0.5, along="z")
        lathe(0, 0, 0, [(0.0, 0.01), (0.115, 0.01), (0.115, 0), (0.14, 0.25), (0.125, 0.25), (0.118, 0.12)], w)
        cylinder(0, 0, 0.17, 0.12, 0.01, m.water((0.2, 0.3, 0.3)))
        for z, r in ((0.05, 0.121), (0.19, 0.134)):
            ring(0, 0, z, r, 0.006, m.metal("brass"))
        for dx in (-0.132, 0.132):
            box(dx, 0, 0.2, 0.02, 0.06, 0.12, w)
        tube([(-0.132, 0, 0.3), (-0.1, 0, 0.4), (0, 0, 0.44), (0.1, 0, 0.4), (0.132, 0, 0.3)], 0.008, m.wood(kind))
        with thing("ladle", "wooden"):
            tube([(0.02, -0.02, 0.17), (-0.22, -0.1, 0.47)], 0.011, w)
            sphere(0.03, -0.015, 0.15, 0.05, m.metal("copper"), scale=(1, 1, 0.7))
    return made


def ladle(kind: str = "pine") -> Thing:
    """A ladle lying along x on whatever the frame is on."""
    with thing("ladle", "wooden") as made:
        lathe(0, 0, 0, [(0.0, 0.0), (0.045, 0.005), (0.06, 0.055), (0.052, 0.055), (0.035, 0.012)], m.wood(kind))
        tube([(0.05, 0, 0.045), (0.42, 0, 0.03)], 0.012, m.wood(kind))
    return made


def towel(colour: str = "white", *, hanging: bool = False, rolled: bool = False) -> Thing:
    """A towel: lying over a bench (its front edge at y = 0), rolled, or hanging on the wall at y = 0."""
    with thing("towel", colour, *(["rolled"] if rolled else [])) as made:
        cloth = m.fabric(colour)
        if rolled:
            cylinder(0, 0, 0.075, 0.075, 0.36, cloth, axis="x", bevel=0.02)
            for r in (0.03, 0.052):
                ring(0.181, 0, 0.075, r, 0.004, cloth, axis="x")
        elif hanging:
            sheet(0, -0.06, -0.75, 0.36, 0.75, cloth, folds=3, swing=0.02)
            box(0, -0.04, -0.02, 0.05, 0.08, 0.03, m.wood("oak"))
        else:
            cushion(0, 0.26, 0, 0.46, 0.56, 0.022, cloth, soft=0.4)
            cushion(0, -0.014, -0.22, 0.46, 0.022, 0.242, cloth, soft=0.4)
            for z in (-0.17, -0.19):
                box(0, -0.027, z, 0.46, 0.003, 0.008, m.paint("grey"), bevel=0)
    return made


def headrest(kind: str = "pine") -> Thing:
    """A slatted wedge to lay one's head on, sloping towards -x."""
    with thing("headrest", "wooden") as made:
        w = m.wood(kind, along="y")
        for i in range(6):
            t = i / 5
            box(-0.18 + 0.36 * t, 0, 0.02 + 0.14 * math.sin(math.pi * 0.5 * t), 0.05, 0.4, 0.02, w)
        for dy in (-0.16, 0.16):
            prism(
                [(-0.2, 0), (0.2, 0), (0.2, 0.155), (0.0, 0.11), (-0.2, 0.015)],
                0.025,
                m.wood(kind),
                y=dy - 0.012,
                plane="xz",
            )
    return made


def backrest(width: float, kind: str = "pine") -> Thing:
    """Slats along the wall at y = 0, to lean on."""
    with thing("backrest", "wooden") as made:
        for i in range(3):
            box(0, -0.05, 0.16 * i, width, 0.025, 0.09, m.wood(kind), bevel=0.008)
        for k in range(max(2, round(width / 0.8))):
            x = -width / 2 + 0.2 + k * (width - 0.4) / max(1, round(width / 0.8) - 1)
            box(x, -0.02, -0.02, 0.05, 0.04, 0.45, m.wood(kind, along="z"))
    return made


def slat_lamp(kind: str = "pine", *, power: float = 14.0) -> Thing:
    """A lamp behind a screen of slats on the wall at y = 0."""
    with thing("lamp", "wooden", "lit") as made:
        for i in range(7):
            with tilted(-0.15 + 0.05 * i, -0.1, 0, about="X", by=0):
                box(0, -0.03 * math.cos((i - 3) * 0.45), 0, 0.03, 0.014, 0.34, m.wood(kind, along="z"))
        for z in (-0.01, 0.33):
            box(0, -0.07, z, 0.36, 0.14, 0.02, m.wood(kind))
        sphere(0, -0.05, 0.17, 0.06, m.glow((1.0, 0.68, 0.35), 6.0), scale=(1, 0.7, 1.6))
        bulb(0, -0.28, 0.17, power, colour=WARM, radius=0.1)
    return made


def thermometer() -> Thing:
    """A round thermometer in a wooden frame on the wall at y = 0."""
    with thing("thermometer", "round") as made:
        cylinder(0, -0.015, 0, 0.11, 0.03, m.wood("oak"), axis="y", bevel=0.006)
        cylinder(0, -0.03, 0, 0.085, 0.008, m.paint("white", 0.5), axis="y")
        for i in range(9):
            a = math.radians(-120 + 30 * i)
            box(0.07 * math.sin(a), -0.036, 0.07 * math.cos(a) - 0.006, 0.006, 0.002, 0.012, m.paint("black"), bevel=0)
        tube([(0, -0.038, 0), (0.045, -0.038, 0.04)], 0.004, m.paint("red"))
    return made


def hourglass() -> Thing:
    """A sand timer on the wall at y = 0."""
    with thing("hourglass", "wooden") as made:
        box(0, -0.015, 0, 0.12, 0.03, 0.36, m.wood("oak", along="z"))
        for z in (0.03, 0.31):
            box(0, -0.06, z, 0.1, 0.08, 0.02, m.wood("oak"))
        lathe(
            0,
            -0.06,
            0.05,
            [(0.03, 0), (0.032, 0.08), (0.005, 0.13), (0.032, 0.18), (0.03, 0.26)],
            m.glass((0.9, 0.95, 1.0)),
        )
        lathe(0, -0.06, 0.052, [(0.0, 0), (0.028, 0.0), (0.024, 0.05), (0.0, 0.075)], m.paint("red", 0.8))
    return made


def whisk(rng: Random) -> Thing:
    """A bundle of birch twigs with leaves, lying along x."""
    with thing("birch whisk", "green") as made:
        leaves = Foliage()
        for _ in range(110):
            x = rng.uniform(0.08, 0.5)
            r = 0.12 * math.sin(math.pi * min(1.0, x / 0.55))
            a = rng.uniform(0, math.pi)
            leaves.blade(
                (x, r * math.cos(a), 0.02 + 0.8 * r * math.sin(a)),
                rng.uniform(-60, 60),
                rng.uniform(-10, 40),
                0.09,
                0.055,
            )
        leaves.build(m.leaf(1.4))
        for i in range(7):
            tube([(-0.25, 0.006 * (i - 3), 0.025), (0.2, 0.03 * (i - 3), 0.05)], 0.008, m.wood("oak"))
        for x in (-0.2, -0.05):
            cylinder(x, 0, 0.028, 0.03, 0.03, m.wood("pine"), axis="x")
    return made


def hooks(colours: Sequence[str]) -> None:
    """Hooks with towels in a row on the wall at y = 0, the middle of the row on the origin."""
    for i, colour in enumerate(colours):
        with at((i - (len(colours) - 1) / 2) * 0.45, 0, 0):
            towel(colour, hanging=True)


def felt_hat(colour: Any = "light grey") -> Thing:
    """A felt hat, lying."""
    with thing("felt hat", colour if isinstance(colour, str) else "grey") as made:
        lathe(
            0, 0, 0, [(0.17, 0.0), (0.13, 0.015), (0.12, 0.06), (0.09, 0.14), (0.02, 0.19), (0, 0.19)], m.fabric(colour)
        )
    return made


def firewood(rng: Random, columns: int = 5, rows: int = 4, *, length: float = 0.34) -> Thing:
    """Stacked logs, their ends towards -y, the back at y = 0."""
    with thing("firewood", "light brown") as made:
        for row in range(rows):
            for i in range(columns - row % 2):
                r = rng.uniform(0.045, 0.055)
                x, z = (i - (columns - 1 - row % 2) / 2) * 0.105, 0.052 + row * 0.092
                cylinder(x, -length / 2, z, r, length, m.wood("walnut", 0.8, along="y"), axis="y")
                cylinder(x, -length / 2, z, r * 0.86, length + 0.006, m.wood("pine", 0.8, along="y"), axis="y")
    return made
