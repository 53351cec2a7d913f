"""What stands in churches: pews, altars, crosses, coloured windows, candles, organs, columns, vaults."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    Thing,
    at,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    part,
    prism,
    ring,
    scenery,
    sphere,
    thing,
    tilted,
    tube,
)

Outline = list[tuple[float, float]]


def pew(width: float = 2.2, kind: str = "walnut", *, cushions: str | None = None) -> Thing:
    """A church bench with carved ends, facing -y, its middle on the origin."""
    with thing("pew", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        box(0, -0.05, 0.42, width, 0.38, 0.035, w, bevel=0.01)
        with tilted(0, 0.16, 0.42, by=-8):
            box(0, 0, 0, width, 0.03, 0.48, w)
            box(0, -0.01, 0.47, width, 0.07, 0.035, w, bevel=0.01)
            box(0, 0.025, 0.08, width - 0.3, 0.012, 0.3, m.wood(kind), bevel=0.01)
        box(0, 0.34, 0.62, width, 0.16, 0.025, w)
        box(0, 0.4, 0.14, width - 0.1, 0.16, 0.03, w)
        for end in (-1, 1):
            outline = [
                (-0.26, 0),
                (0.36, 0),
                (0.34, 0.5),
                (0.3, 0.86),
                (0.24, 0.98),
                (0.16, 0.98),
                (0.1, 0.88),
                (0.06, 0.66),
                (-0.2, 0.56),
                (-0.27, 0.46),
            ]
            prism(outline, 0.05, up, x=end * width / 2 - 0.025, plane="yz", bevel=0.006)
        if cushions:
            part("cushion", cushion(0, -0.05, 0.45, width - 0.12, 0.36, 0.05, m.fabric(cushions)))
    return made


def cross(height: float = 1.2, colour: str = "golden", *, foot: bool = False) -> Thing:
    """An upright cross about x = 0 in the plane y = 0, its lower end at the origin; with a foot to stand on."""
    stuff: Any = {"golden": m.metal("gold", 0.3), "silver": m.metal("steel")}.get(colour) or m.wood("walnut", along="z")
    with thing("cross", colour) as made:
        thick = height * 0.075
        low = 0.0
        if foot:
            lathe(
                0,
                0,
                0,
                [(0, 0), (height * 0.16, 0), (height * 0.15, 0.03), (height * 0.05, 0.08), (height * 0.04, 0.12)],
                stuff,
            )
            low = 0.1
        box(0, 0, low, thick, thick * 0.7, height - low, stuff, bevel=0.006)
        box(0, 0, height * 0.66, height * 0.56, thick * 0.7, thick, stuff, bevel=0.006)
    return made


def _flame(z: float, *, power: float = 0.0, size: float = 1.0) -> None:
    sphere(0, 0, z + 0.03 * size, 0.014 * size, m.glow((1.0, 0.66, 0.22), 9.0), scale=(1, 1, 2.1))
    if power:
        bulb(0, 0, z + 0.06, power, colour=(1.0, 0.72, 0.4), radius=0.05)


def candlestick(height: float = 0.5, *, wax: float = 0.3, metal: str = "gold", power: float = 3.0) -> Thing:
    """A lit candle on a stick of metal, standing at the origin; `height` without the candle."""
    with thing("candle", "white", "lit") as made:
        r = 0.05 + 0.06 * height
        lathe(
            0,
            0,
            0,
            [
                (0, 0),
                (r, 0),
                (r * 0.9, 0.02),
                (0.02, 0.06),
                (0.03, height * 0.4),
                (0.016, height * 0.5),
                (0.02, height * 0.9),
                (0.06, height),
            ],
            m.metal(metal),
            sides=24,
        )
        cylinder(0, 0, height, 0.028, wax, m.paint((0.85, 0.8, 0.68), 0.5), sides=24)
        _flame(height + wax, power=power, size=1.4)
    return made


def altar(
    width: float = 2.0,
    kind: str = "stone",
    *,
    cloth: str | None = "white",
    candles: int = 2,
    power: float = 3.0,
    metal: str = "gold",
) -> Thing:
    """An altar with a cloth, candles and a standing cross, its middle on the origin, its face towards -y; 1.0 high."""
    words = ("white",) if kind == "stone" else (WOOD_WORDS[kind], *([cloth, f"with a {cloth} cloth"] if cloth else []))
    with thing("altar", *words) as made:
        body = m.mottled((0.5, 0.48, 0.44), (0.66, 0.64, 0.6), 0.3, 0.6) if kind == "stone" else m.wood(kind, along="z")
        box(0, 0, 0, width, 0.8, 0.08, body, bevel=0.015)
        box(0, 0, 0.08, width - 0.16, 0.66, 0.82, body, bevel=0.015)
        box(0, 0, 0.9, width, 0.8, 0.09, body, bevel=0.015)
        for i in range(3):
            box((i - 1) * width * 0.3, -0.336, 0.2, width * 0.22, 0.014, 0.58, body, bevel=0.01)
        if cloth:
            white = m.fabric(cloth)
            part(
                "cloth",
                box(0, 0, 0.99, width + 0.02, 0.82, 0.012, white, bevel=0.004),
                box(0, -0.413, 0.62, width * 0.46, 0.01, 0.38, white, bevel=0.002),
            )
            box(0, -0.42, 0.68, 0.05, 0.006, 0.26, m.metal("gold"), bevel=0)
            box(0, -0.42, 0.83, 0.17, 0.006, 0.05, m.metal("gold"), bevel=0)
            box(0, -0.416, 0.625, width * 0.46, 0.008, 0.025, m.metal("gold"), bevel=0)
            for end in (-1, 1):
                box(end * (width / 2 + 0.012), 0, 0.55, 0.01, 0.82, 0.45, white, bevel=0)
        for i in range(candles):
            side = -1 if i % 2 == 0 else 1
            with at(side * (width * 0.4 - 0.22 * (i // 2)), 0.1, 1.0):
                candlestick(0.34, wax=0.26, power=power, metal=metal)
    return made


def votive_stand(rng: Random, rows: int = 3, *, power: float = 5.0) -> Thing:
    """A stepped iron stand full of small candles in red glasses, facing -y, its middle on the origin."""
    with thing("candle stand", "black", "lit") as made:
        iron = m.metal("iron")
        for end in (-0.5, 0.5):
            tube([(end, -0.25, 0), (end, -0.25, 0.72), (end, 0.25, 1.0), (end, 0.25, 0)], 0.018, iron)
        for row in range(rows):
            y, z = -0.2 + 0.2 * row, 0.74 + 0.11 * row
            box(0, y, z, 1.06, 0.17, 0.02, iron)
            for i in range(8):
                if rng.random() < 0.85:
                    with at(-0.46 + 0.131 * i, y, z + 0.02):
                        cylinder(0, 0, 0, 0.034, 0.075, m.glow((0.75, 0.06, 0.02), 0.6), top=0.042, sides=20)
                        _flame(0.06)
        for x in (-0.3, 0.3):
            bulb(x, -0.1, 1.25, power, colour=(1.0, 0.65, 0.3), radius=0.2)
    return made


# Windows


def _half_width(width: float, spring: float, steep: float, z: float) -> float:
    """Half the width of a pointed arch at a height."""
    if z <= spring:
        return width / 2
    up = (z - spring) / steep
    return max(0.0, math.sqrt(max(width * width - up * up, 0.0)) - width / 2)


def arch_outline(width: float, spring: float, *, steep: float = 1.0, steps: int = 12) -> Outline:
    """A pointed arch from the right springer over the tip to the left one; `steep` 1 is equilateral."""
    top = spring + 0.866 * width * steep
    right = [
        (_half_width(width, spring, steep, z), z)
        for z in (spring + (top - spring) * i / steps for i in range(steps + 1))
    ]
    return right + [(-x, z) for x, z in reversed(right[:-1])]


def pointed_window(
    width: float,
    height: float,
    rng: Random,
    colours: Sequence[str] = ("blue", "red", "yellow", "green", "purple"),
    *,
    shine: float = 1.3,
    words: tuple[str, ...] = ("colourful", "pointed"),
    motif: bool = True,
    stone: Any = None,
) -> Thing:
    """A pointed church window of coloured glass at y = 0, its foot at the origin, in a frame of stone."""
    spring = height - 0.866 * width
    with thing("church window", *words) as made:
        frame = stone or m.paint((0.62, 0.57, 0.5), 0.8)
        outline = arch_outline(width, spring)
        prism([(width / 2, 0), *outline, (-width / 2, 0)], 0.01, m.paint("black"), y=-0.02, plane="xz")
        columns = 4
        rows = max(5, round(height / (width / columns) * 0.8))
        for j in range(rows):
            low, high = j * height / rows + 0.012, (j + 1) * height / rows - 0.012
            for i in range(columns):
                left, right = -1 + 2 * i / columns + 0.03, -1 + 2 * (i + 1) / columns - 0.03
                a, b = _half_width(width, spring, 1.0, low), _half_width(width, spring, 1.0, high)
                if a * (right - left) < 0.02:
                    continue
                edge = i in (0, columns - 1)
                hue = colours[(j % 2) if edge else (i + j * 2 + rng.randrange(2)) % len(colours)]
                tint = tuple(min(1.0, c * 1.15 + 0.02) for c in m.rgb(hue))
                prism(
                    [(left * a, low), (right * a, low), (right * b, high), (left * b, high)],
                    0.006,
                    m.glow(tint, shine),
                    y=-0.03,
                    plane="xz",
                )
        if motif:
            z = spring * 0.62
            turn = [2 * math.pi * i / 28 for i in range(28)]
            for radius, hue, y in ((0.36, "black", -0.033), (0.33, colours[0], -0.036), (0.24, colours[2], -0.039)):
                ink = m.paint("black") if hue == "black" else m.glow(hue, shine)
                prism(
                    [(radius * width * math.cos(a), z + radius * width * math.sin(a)) for a in turn],
                    0.004,
                    ink,
                    y=y,
                    plane="xz",
                )
            box(0, -0.043, z - 0.19 * width, 0.07 * width, 0.004, 0.38 * width, m.glow("red", shine), bevel=0)
            box(0, -0.043, z + 0.02 * width, 0.26 * width, 0.004, 0.07 * width, m.glow("red", shine), bevel=0)
        tube([(width / 2, -0.04, 0), *((x, -0.04, z) for x, z in outline), (-width / 2, -0.04, 0)], 0.07, frame)
        box(0, -0.08, -0.1, width + 0.3, 0.22, 0.12, frame, bevel=0.02)
        box(0, -0.05, 0, 0.035, 0.04, spring if not motif else spring * 0.62 - 0.36 * width, frame, bevel=0)
    return made


def rose_window(
    radius: float, rng: Random, colours: Sequence[str] = ("blue", "red", "yellow", "purple"), *, shine: float = 1.3
) -> Thing:
    """A round window of coloured glass like a flower at y = 0, its middle at the origin."""
    with thing("church window", "colourful", "round") as made:
        stone = m.paint((0.62, 0.57, 0.5), 0.8)
        cylinder(0, -0.015, 0, radius, 0.02, m.paint("black"), axis="y")
        cylinder(0, -0.035, 0, radius * 0.2, 0.01, m.glow(colours[2], shine), axis="y")
        for level, (low, high, count) in enumerate(((0.24, 0.52, 8), (0.56, 0.78, 16), (0.81, 0.96, 16))):
            for i in range(count):
                first, last = 2 * math.pi * (i + 0.06) / count, 2 * math.pi * (i + 0.94) / count
                arc = [first + (last - first) * k / 4 for k in range(5)]
                points = [(high * radius * math.cos(a), high * radius * math.sin(a)) for a in arc]
                points += [(low * radius * math.cos(a), low * radius * math.sin(a)) for a in reversed(arc)]
                hue = colours[(i + level) % len(colours)]
                prism(points, 0.006, m.glow(hue, shine * rng.uniform(0.8, 1.2)), y=-0.034, plane="xz")
        for i in range(8):
            a = 2 * math.pi * i / 8
            tube(
                [
                    (0.2 * radius * math.cos(a), -0.05, 0.2 * radius * math.sin(a)),
                    (radius * math.cos(a), -0.05, radius * math.sin(a)),
                ],
                0.03,
                stone,
            )
        ring(0, -0.05, 0, radius, 0.09, stone, axis="y")
        ring(0, -0.05, 0, radius * 0.22, 0.035, stone, axis="y")
    return made


# Building


def arcade(
    x: float, bays: int, bay: float, spring: float, top: float, stone: Any, *, start: float = 0.0, thick: float = 0.42
) -> None:
    """Columns along y with pointed arches from one to the next and the wall above them."""
    bottom: Outline = []
    for i in reversed(range(bays)):
        middle = start + (i + 0.5) * bay
        bottom += [(middle + y, z) for y, z in arch_outline(bay - 0.5, spring, steep=0.85)]
    with scenery():
        prism([(start, top), (start + bays * bay, top), *bottom], thick, stone, x=x - thick / 2, plane="yz")
    for i in range(bays + 1):
        with thing("column", "stone"):
            y = start + i * bay
            box(x, y, 0, 0.62, 0.62, 0.25, stone, bevel=0.03)
            cylinder(x, y, 0.25, 0.22, spring - 0.5, stone, sides=28)
            lathe(x, y, spring - 0.3, [(0.22, 0), (0.27, 0.03), (0.23, 0.08), (0.34, 0.3)], stone, sides=28)
            box(x, y, spring - 0.02, 0.66, 0.62, 0.1, stone, bevel=0.02)


def vault(
    middle: float,
    width: float,
    spring: float,
    length: float,
    material: Any,
    rib: Any,
    *,
    steep: float = 0.62,
    ribs: int = 5,
) -> None:
    """A pointed vault along y over a nave, with ribs across it (scenery)."""
    with scenery():
        inner = arch_outline(width, spring, steep=steep)
        outer = [(x * 1.06, z + 0.25) for x, z in inner]
        prism([*outer, *reversed(inner)], length, material, x=middle, plane="xz")
        for i in range(ribs + 1):
            y = 0.05 + i * (length - 0.1) / ribs
            tube([(middle + 0.985 * x, y, z - 0.03) for x, z in inner], 0.12, rib)
        tube(
            [(middle, 0, max(z for _, z in inner) - 0.04), (middle, length, max(z for _, z in inner) - 0.04)], 0.09, rib
        )


def organ(width: float = 3.6, height: float = 3.6, kind: str = "walnut", *, pipes: str = "gold") -> Thing:
    """A pipe organ: three towers of pipes in a wooden case, keyboards below, its back at y = 0."""
    with thing("organ", WOOD_WORDS[kind], "with pipes") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        shine = m.metal(pipes, 0.18)
        base = height * 0.34
        box(0, -0.45, 0, width, 0.9, base, up, bevel=0.015)
        box(0, -0.1, base, width * 0.96, 0.2, height * 0.5, up)
        for i in range(5):
            box((i - 2) * width * 0.19, -0.905, base * 0.2, width * 0.16, 0.02, base * 0.62, up, bevel=0.012)
        towers = ((-0.38, 0.2, 0.9), (0.0, 0.28, 1.0), (0.38, 0.2, 0.9), (-0.19, 0.16, 0.7), (0.19, 0.16, 0.7))
        for middle, share, tall in towers:
            box(middle * width, -0.5, base, share * width, 0.76, 0.1, w, bevel=0.015)
            top = height * tall
            count = 7 if share > 0.17 else 6
            for i in range(count):
                s = (i - (count - 1) / 2) / ((count - 1) / 2)
                x = middle * width + s * share * width * 0.42
                y = -0.55 - (0.22 * (1 - s * s) if share > 0.17 else 0.0)
                rise = (top - base - 0.3) * (
                    1 - 0.22 * abs(s) if share > 0.17 else 0.72 + 0.24 * s * (-1 if middle < 0 else 1)
                )
                r = share * width * 0.4 / count
                cylinder(x, y, base + 0.1, r * 0.35, 0.22, shine, top=r, sides=20)
                part("pipe", cylinder(x, y, base + 0.32, r, rise - 0.22, shine, sides=20))
                box(x, y - r, base + 0.42, r * 0.9, 0.02, r * 0.7, m.paint("black"), bevel=0)
            box(middle * width, -0.52, top - 0.02, share * width, 0.8, 0.14, w, bevel=0.03)
            for end in (-1, 1):
                box(middle * width + end * share * width / 2, -0.5, base, 0.07, 0.5, top - base, up, bevel=0.01)
            if share > 0.17:
                sphere(middle * width, -0.52, top + 0.2, 0.1, m.metal("gold"))
        box(0, -1.08, 0.0, 1.3, 0.36, 0.72, up, bevel=0.01)
        for row in range(2):
            box(0, -1.16 + 0.14 * row, 0.74 + 0.07 * row, 1.1, 0.14, 0.03, m.paint("white", 0.3), bevel=0.004)
            for i in range(24):
                box(
                    -0.53 + 0.046 * i,
                    -1.13 + 0.14 * row,
                    0.765 + 0.07 * row,
                    0.014,
                    0.08,
                    0.012,
                    m.paint("black"),
                    bevel=0,
                )
    return made


def pulpit(kind: str = "oak") -> Thing:
    """An eight-sided pulpit on a column with a few steps at its right, facing -y, its middle on the origin."""
    with thing("pulpit", WOOD_WORDS[kind], "wooden") as made:
        up = m.wood(kind, along="z")
        cylinder(0, 0, 0, 0.4, 0.12, up, sides=8)
        cylinder(0, 0, 0.12, 0.14, 0.7, up, sides=8)
        cylinder(0, 0, 0.8, 0.2, 0.3, up, sides=8, top=0.62)
        cylinder(0, 0, 1.1, 0.62, 0.95, up, sides=8)
        cylinder(0, 0, 2.05, 0.68, 0.07, up, sides=8)
        for i in range(8):
            with at(0, 0, 0, 45 * i + 22.5):
                box(0.58, 0, 1.25, 0.03, 0.3, 0.62, m.wood("walnut", along="z"), bevel=0.01)
        for i in range(5):
            box(0.75 + 0.22 * (4 - i), 0.1, 0, 0.24, 0.6, 0.21 * (i + 1), up)
        with tilted(0, -0.5, 2.12, by=25):
            box(0, 0, 0, 0.5, 0.36, 0.03, up)
            box(0, 0, 0.03, 0.4, 0.28, 0.03, m.paint("white", 0.8))
    return made


def lectern(kind: str = "walnut") -> Thing:
    """A reading stand with an open book, facing -y, its middle on the origin."""
    with thing("lectern", WOOD_WORDS[kind], "wooden") as made:
        box(0, 0, 0, 0.44, 0.4, 0.05, m.wood(kind))
        box(0, 0, 0.05, 0.12, 0.12, 0.98, m.wood(kind, along="z"))
        with tilted(0, 0, 1.08, by=-24):
            box(0, 0, 0, 0.52, 0.4, 0.03, m.wood(kind))
            for x in (-0.12, 0.12):
                box(x, 0, 0.03, 0.235, 0.31, 0.025, m.paint("white", 0.8))
    return made


def flowers(rng: Random, colour: str = "white", *, height: float = 0.9) -> Thing:
    """A big bouquet on a stand, at the origin."""
    with thing("flowers", colour) as made:
        cylinder(0, 0, 0, 0.14, height * 0.5, m.paint((0.6, 0.55, 0.48), 0.7), top=0.1)
        lathe(0, 0, height * 0.5, [(0, 0), (0.07, 0), (0.13, 0.1), (0.09, 0.2), (0.12, 0.24)], m.metal("gold"))
        for _ in range(26):
            a, r, z = rng.uniform(0, 6.3), 0.26 * math.sqrt(rng.random()), height * 0.5 + rng.uniform(0.3, 0.62)
            x, y = r * math.cos(a), r * math.sin(a)
            tube([(0, 0, height * 0.5 + 0.2), (x, y, z)], 0.004, m.leaf())
            if rng.random() < 0.65:
                sphere(x, y, z, 0.05, m.paint(colour, 0.7), scale=(1, 1, 0.75))
            else:
                sphere(x, y, z - 0.06, 0.07, m.leaf(rng.uniform(0.8, 1.5)), scale=(1, 0.5, 0.35))
    return made


def font() -> Thing:
    """A baptismal font of stone with water, its middle on the origin."""
    with thing("font", "grey", "stone") as made:
        stone = m.mottled((0.42, 0.4, 0.37), (0.56, 0.54, 0.5), 0.2, 0.7)
        lathe(
            0,
            0,
            0,
            [
                (0, 0),
                (0.32, 0),
                (0.32, 0.08),
                (0.16, 0.14),
                (0.14, 0.5),
                (0.4, 0.72),
                (0.42, 0.95),
                (0.35, 0.95),
                (0.3, 0.84),
                (0, 0.8),
            ],
            stone,
            sides=8,
        )
        cylinder(0, 0, 0.86, 0.33, 0.01, m.water())
    return made


def ring_chandelier(height: float, drop: float, *, radius: float = 0.6, count: int = 10, power: float = 20.0) -> Thing:
    """An iron ring with lit candles, hanging from the ceiling over the origin."""
    with thing("chandelier", "black", "lit") as made:
        iron = m.metal("iron")
        z = height - drop
        ring(0, 0, z, radius, 0.03, iron)
        for i in range(3):
            a = 2 * math.pi * i / 3
            tube([(radius * math.cos(a), radius * math.sin(a), z), (0, 0, z + radius)], 0.01, iron)
        tube([(0, 0, z + radius), (0, 0, height)], 0.012, iron)
        for i in range(count):
            with at(radius * math.cos(2 * math.pi * i / count), radius * math.sin(2 * math.pi * i / count), z):
                cylinder(0, 0, 0.02, 0.045, 0.02, iron, sides=16)
                cylinder(0, 0, 0.03, 0.024, 0.16, m.paint((0.85, 0.8, 0.68)), sides=16)
                _flame(0.19, size=1.5)
        bulb(0, 0, z + 0.3, power, colour=(1.0, 0.75, 0.45), radius=0.4)
    return made
