"""What hangs and stands in galleries: paintings in many manners, sculptures on plinths, rope barriers, benches."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.stage import (
    Point,
    Thing,
    at,
    box,
    cushion,
    cylinder,
    lathe,
    part,
    polygons,
    prism,
    sphere,
    state,
    thing,
    tube,
)

STYLES = ("fields", "circles", "stripes", "grid", "splash", "landscape", "seascape", "portrait", "still life", "sunset")
"""Manners of painting."""
SHOWN = {
    "circles": "circles",
    "landscape": "a landscape with hills, trees and a path",
    "seascape": "2 sailing boats on the sea",
    "portrait": "a portrait of a person",
    "still life": "flowers in a blue vase and fruit",
    "sunset": "2 sailing boats on the sea and a sunset",
}
"""What a viewer says of paintings in some of the manners."""


def painting(
    width: float,
    height: float,
    style: str,
    rng: Random,
    *,
    frame: str | None = None,
    colours: Sequence[str] = ("red", "blue", "yellow", "white"),
) -> Thing:
    """A painting on the wall at y = 0, the middle of its lower edge on the origin; `frame` is "gold", a wood, or none.

    Abstract manners use `colours`: the ground comes first.
    """
    many = {"grid": ["white", *colours], "stripes": ["striped", *colours]}
    is_scene = style in ("landscape", "seascape", "portrait", "still life", "sunset")
    words = [style] if is_scene else ["abstract", *many.get(style, colours[:1])]
    with thing("painting", *words, "large" if max(width, height) > 1.3 else "framed" if frame else "small") as made:
        deep = 0.04
        if frame:
            skin = m.metal("gold", 0.35) if frame == "gold" else m.wood(frame, 0.3)
            edge = 0.11 if frame == "gold" else 0.04
            for dx in (-1, 1):
                box(dx * (width + edge) / 2, -0.04, -edge, edge, 0.08, height + 2 * edge, skin, bevel=0.02)
            for z in (-edge, height):
                box(0, -0.04, z, width, 0.08, edge, skin, bevel=0.02)
            part("frame", *made.meshes)
        if style in SHOWN:
            state(f"showing {SHOWN[style]}")
        box(0, -deep / 2, 0, width, deep, height, m.paint("white", 0.8), bevel=0.004)
        with at(0, -deep - 0.001, 0):
            _paint(width, height, style, rng, list(colours))
    return made


def _patch(x: float, z: float, width: float, height: float, colour: Any, layer: int) -> None:
    """A flat patch of paint: the middle of its lower edge, its size, and how many lie under it."""
    box(
        x,
        -0.001 * layer,
        z,
        width,
        0.001,
        height,
        m.paint(colour, 0.8) if isinstance(colour, (str, tuple)) else colour,
        bevel=0,
    )


def _blob(
    x: float, z: float, rx: float, rz: float, colour: Any, layer: int, *, width: float = 9.0, height: float = 9.0
) -> None:
    """An oval patch of paint, cut off at the canvas's edges."""
    outline = []
    for i in range(32):
        a = 2 * math.pi * i / 32
        outline.append(
            (max(-width / 2, min(width / 2, x + rx * math.cos(a))), max(0.0, min(height, z + rz * math.sin(a))))
        )
    prism(outline, 0.001, m.paint(colour, 0.8), y=-0.001 * layer, plane="xz")


def _paint(w: float, h: float, style: str, rng: Random, colours: list[str]) -> None:
    """Paint a canvas whose lower edge's middle is on the origin."""
    ground, rest = colours[0], colours[1:] or ["white"]
    if style == "fields":
        _patch(0, 0, w, h, ground, 0)
        gap = 0.07 * min(w, h)
        z = gap
        for share, colour in zip((0.5, 0.3, 0.2), rest * 3, strict=False):
            tall = (h - 4 * gap) * share
            _patch(0, z, w - 2 * gap, tall, m.mottled(colour, tuple(0.8 * c for c in m.rgb(colour)), 0.15), 1)
            z += tall + gap
    elif style == "circles":
        _patch(0, 0, w, h, ground, 0)
        for i in range(9):
            r = rng.uniform(0.06, 0.2) * min(w, h)
            x, z = rng.uniform(-w / 2 + r, w / 2 - r), rng.uniform(r, h - r)
            _blob(x, z, r, r, rest[i % len(rest)], 2 * i + 1)
            if i % 2:
                _blob(x, z, r * 0.55, r * 0.55, ground, 2 * i + 2)
    elif style == "stripes":
        _patch(0, 0, w, h, ground, 0)
        x, i = -w / 2, 0
        while x < w / 2 - 0.02:
            wide = min(rng.uniform(0.05, 0.16) * w, w / 2 - x)
            _patch(x + wide / 2, 0, wide, h, colours[i % len(colours)], 1)
            x, i = x + wide, i + 1
    elif style == "grid":
        _patch(0, 0, w, h, "white", 0)
        xs, zs = (-0.5, -0.22, 0.18, 0.34, 0.5), (0.0, 0.25, 0.6, 0.85, 1.0)
        for i, (column, row) in enumerate(((0, 2), (2, 0), (1, 1), (3, 3), (0, 0))):
            a, b, c, d = xs[column] * w, xs[column + 1] * w, zs[row] * h, zs[row + 1] * h
            _patch((a + b) / 2, c, b - a, d - c, colours[i % len(colours)], 1)
        for x in xs[1:-1]:
            _patch(x * w, 0, 0.025 * w, h, "black", 2)
        for z in zs[1:-1]:
            _patch(0, z * h - 0.0125 * h, w, 0.025 * h, "black", 2)
    elif style == "splash":
        _patch(0, 0, w, h, ground, 0)
        for i in range(46):
            x, z = rng.uniform(-0.42, 0.42) * w, rng.uniform(0.08, 0.92) * h
            r = rng.uniform(0.008, 0.05) * min(w, h)
            _blob(x, z, r * rng.uniform(0.7, 1.5), r, rest[i % len(rest)], 1 + i % 8)
        for i in range(14):
            points: list[Point] = []
            x, z, a = rng.uniform(-0.3, 0.3) * w, rng.uniform(0.2, 0.8) * h, rng.uniform(0, 6.3)
            for _ in range(9):
                points.append((x, -0.008, z))
                a += rng.uniform(-0.8, 0.8)
                x = max(-0.46 * w, min(0.46 * w, x + 0.09 * w * math.cos(a)))
                z = max(0.04 * h, min(0.96 * h, z + 0.09 * h * math.sin(a)))
            tube(points, 0.006 * min(w, h), m.paint(rest[i % len(rest)], 0.6))
    elif style in ("landscape", "sunset", "seascape"):
        high, low = {
            "landscape": ((0.3, 0.5, 0.8), (0.75, 0.82, 0.85)),
            "sunset": ((0.3, 0.12, 0.3), (0.95, 0.45, 0.12)),
            "seascape": ((0.25, 0.42, 0.6), (0.7, 0.75, 0.74)),
        }[style]
        for i in range(10):
            t = i / 9
            _patch(
                0,
                h * (0.4 + 0.06 * i),
                w,
                0.061 * h,
                tuple(a + (b - a) * (1 - t) for a, b in zip(high, low, strict=True)),
                0,
            )
        if style == "landscape":
            _ridge(w, h, 0.62, 0.14, (0.22, 0.3, 0.36), rng, 1)
            _ridge(w, h, 0.5, 0.08, (0.12, 0.26, 0.12), rng, 2)
            _patch(0, 0, w, 0.42 * h, m.mottled((0.3, 0.36, 0.08), (0.5, 0.48, 0.14), 0.12), 2)
            prism(
                [
                    (-0.05 * w, 0),
                    (0.22 * w, 0),
                    (0.1 * w, 0.25 * h),
                    (0.14 * w, 0.41 * h),
                    (0.11 * w, 0.41 * h),
                    (0.04 * w, 0.25 * h),
                ],
                0.001,
                m.paint((0.65, 0.55, 0.35), 0.8),
                y=-0.003,
                plane="xz",
            )
            for x, z, r in ((-0.32, 0.48, 0.11), (-0.2, 0.45, 0.07), (0.36, 0.5, 0.1)):
                _patch(x * w, (z - 0.14) * h, 0.02 * w, 0.12 * h, "dark brown", 4)
                _blob(x * w, z * h, r * w, r * 1.1 * h, (0.04, 0.16, 0.04), 5, width=w, height=h)
                _blob((x - 0.02) * w, (z + 0.03) * h, r * 0.6 * w, r * 0.6 * h, (0.12, 0.3, 0.07), 6, width=w, height=h)
        else:
            sea = (
                ((0.45, 0.16, 0.1), (0.2, 0.07, 0.12)) if style == "sunset" else ((0.06, 0.25, 0.32), (0.14, 0.4, 0.42))
            )
            _patch(0, 0, w, 0.42 * h, m.mottled(*sea, 0.08), 1)
            if style == "sunset":
                _blob(0.1 * w, 0.44 * h, 0.09 * w, 0.09 * w, (1.0, 0.75, 0.2), 1)
                _patch(0, 0, w, 0.42 * h, m.mottled(*sea, 0.08), 3)
                for i in range(5):
                    _patch(0.1 * w, (0.36 - 0.07 * i) * h, (0.14 - 0.02 * i) * w, 0.014 * h, (1.0, 0.7, 0.25), 4)
            for x, size in ((-0.22, 0.3), (0.28, 0.16)):
                z = 0.36 * h
                prism(
                    [
                        (x * w - 0.3 * size * w, z),
                        (x * w + 0.3 * size * w, z),
                        (x * w + 0.2 * size * w, z - 0.12 * size * h),
                        (x * w - 0.2 * size * w, z - 0.12 * size * h),
                    ],
                    0.001,
                    m.paint("dark brown", 0.8),
                    y=-0.005,
                    plane="xz",
                )
                prism(
                    [(x * w, z + 0.03 * h), (x * w, z + size * h), (x * w + 0.26 * size * w, z + 0.03 * h)],
                    0.001,
                    m.paint("beige" if style == "sunset" else "white", 0.8),
                    y=-0.005,
                    plane="xz",
                )
                prism(
                    [
                        (x * w - 0.02 * w, z + 0.03 * h),
                        (x * w - 0.02 * w, z + 0.85 * size * h),
                        (x * w - 0.24 * size * w, z + 0.03 * h),
                    ],
                    0.001,
                    m.paint("beige", 0.8),
                    y=-0.005,
                    plane="xz",
                )
    elif style == "portrait":
        _patch(0, 0, w, h, m.mottled(ground, tuple(0.6 * c for c in m.rgb(ground)), 0.3), 0)
        dress, hair = rest[0], rest[-1] if len(rest) > 1 else "dark brown"
        skin = (0.72, 0.45, 0.31)
        _blob(0, 0.1 * h, 0.36 * w, 0.34 * h, dress, 1, width=w, height=h)
        _blob(0, 0.62 * h, 0.2 * w, 0.2 * h, hair, 2)
        _patch(0, 0.38 * h, 0.12 * w, 0.16 * h, skin, 3)
        _blob(0, 0.43 * h, 0.13 * w, 0.06 * h, skin, 3)
        _blob(0, 0.6 * h, 0.135 * w, 0.155 * h, skin, 4)
        _blob(0, 0.71 * h, 0.15 * w, 0.06 * h, hair, 5)
        for dx in (-0.05, 0.05):
            _blob(dx * w, 0.62 * h, 0.024 * w, 0.011 * h, "white", 6)
            _blob(dx * w, 0.62 * h, 0.011 * w, 0.011 * h, "dark brown", 7)
            _patch(dx * w, 0.645 * h, 0.05 * w, 0.007 * h, hair, 6)
        _patch(0, 0.565 * h, 0.014 * w, 0.05 * h, (0.6, 0.34, 0.22), 6)
        _blob(0, 0.525 * h, 0.034 * w, 0.011 * h, (0.6, 0.14, 0.12), 6)
        _patch(0, 0.43 * h, 0.2 * w, 0.01 * h, "white", 8)
    else:  # still life
        _patch(0, 0.4 * h, w, 0.6 * h, m.mottled((0.12, 0.08, 0.05), (0.24, 0.16, 0.1), 0.3), 0)
        _patch(0, 0, w, 0.4 * h, (0.5, 0.42, 0.32), 0)
        prism(
            [
                (-0.2 * w, 0.25 * h),
                (-0.08 * w, 0.25 * h),
                (-0.05 * w, 0.42 * h),
                (-0.1 * w, 0.56 * h),
                (-0.1 * w, 0.62 * h),
                (-0.18 * w, 0.62 * h),
                (-0.18 * w, 0.56 * h),
                (-0.23 * w, 0.42 * h),
            ],
            0.001,
            m.paint("blue", 0.7),
            y=-0.002,
            plane="xz",
        )
        for i in range(7):
            a = 0.5 + i * 0.36
            x, z = -0.14 * w + 0.2 * w * math.cos(a), (0.66 + 0.15 * math.sin(a)) * h
            tube([(-0.14 * w, -0.004, 0.62 * h), (x, -0.004, z)], 0.004, m.leaf())
            _blob(x, z, 0.06 * w, 0.06 * w, ("red", "yellow", "pink", "white")[i % 4], 4 + i % 3)
            _blob(x, z, 0.02 * w, 0.02 * w, "orange", 8)
        for x, z, r, colour in (
            (0.1, 0.3, 0.07, "red"),
            (0.22, 0.28, 0.075, "orange"),
            (0.32, 0.31, 0.065, "light green"),
            (0.2, 0.38, 0.065, "yellow"),
        ):
            _blob(x * w, z * h, r * w, r * w, colour, 3)
            _blob((x - 0.02) * w, (z + 0.02) * h, 0.018 * w, 0.018 * w, "white", 4)


def _ridge(w: float, h: float, level: float, rough: float, colour: Any, rng: Random, layer: int) -> None:
    """A row of hills across a canvas."""
    n = 16
    top = [
        ((0.5 - i / n) * w, h * (level + rough * (math.sin(0.9 * i + level * 20) * 0.5 + rng.uniform(-0.2, 0.2))))
        for i in range(n + 1)
    ]
    prism([(-w / 2, 0.3 * h), (w / 2, 0.3 * h), *top], 0.001, m.paint(colour, 0.8), y=-0.001 * layer, plane="xz")


def label(x: float = 0.0) -> None:
    """A small card beside a painting, at y = 0 and x, its lower edge on the origin; scenery of the wall."""
    box(x, -0.006, 0, 0.16, 0.008, 0.11, m.paint("white", 0.6), bevel=0.002)
    for i in range(3):
        box(
            x - 0.02 * (i > 0),
            -0.011,
            0.075 - 0.024 * i,
            0.12 - 0.03 * (i > 0),
            0.001,
            0.007,
            m.paint("dark grey"),
            bevel=0,
        )


def plinth(height: float = 1.0, width: float = 0.45, colour: str = "white") -> Thing:
    """A plinth, its middle on the origin; sculptures stand on it at z = height."""
    with thing("plinth", colour) as made:
        skin = m.mottled((0.5, 0.47, 0.43), (0.7, 0.67, 0.62), 0.2, 0.5) if colour == "beige" else m.paint(colour, 0.6)
        box(0, 0, 0, width, width, height, skin, bevel=0.006)
        if colour == "beige":
            for z in (0.0, height - 0.07):
                box(0, 0, z, width + 0.08, width + 0.08, 0.07, skin, bevel=0.02)
    return made


def stone(kind: str = "marble") -> Any:
    """What sculptures are made of: marble, bronze, gold, or a colour (glossy)."""
    if kind == "marble":
        return m.mottled((0.62, 0.61, 0.59), (0.86, 0.85, 0.83), 0.25, 0.3)
    if kind == "bronze":
        return m.metal((0.2, 0.11, 0.05), 0.35)
    if kind == "gold":
        return m.metal("gold", 0.2)
    return m.paint(kind, 0.1)


def sculpture(kind: str, of: str = "marble", *, scale: float = 1.0) -> Thing:
    """A sculpture: "bust", "figure", "vase", "knot", "spiral", "spheres", "blocks", "dog" (of balloons)."""
    with (
        thing(
            "statue" if kind in ("bust", "figure") else "sculpture", of, *(["of a head"] if kind == "bust" else [])
        ) as made,
        at(0, 0, 0, scale=scale),
    ):
        s = stone(of)
        if kind == "bust":
            lathe(0, 0, 0, [(0.13, 0), (0.13, 0.03), (0.07, 0.06), (0.06, 0.12), (0.09, 0.15)], s)
            sphere(0, 0, 0.26, 0.2, s, scale=(1.12, 0.66, 0.7))
            cylinder(0, 0.01, 0.34, 0.07, 0.16, s, top=0.06)
            sphere(0, 0, 0.58, 0.115, s, scale=(0.86, 1.0, 1.22))
            sphere(0, 0.03, 0.63, 0.125, s, scale=(0.92, 1.0, 0.95))
            for i in range(16):
                a = 0.3 + i * 0.17
                sphere(0.11 * math.cos(a) * 1.0, 0.02 - 0.07 * math.sin(a) * 0.4, 0.62 + 0.1 * math.sin(a), 0.034, s)
            prism(
                [(-0.018, 0.53), (0.018, 0.53), (0.009, 0.61), (-0.009, 0.61)],
                0.05,
                s,
                y=-0.145,
                plane="xz",
                bevel=0.008,
            )
            sphere(0, -0.09, 0.475, 0.035, s)
            box(0, -0.105, 0.51, 0.05, 0.02, 0.012, s, bevel=0.005)
            for dx in (-0.042, 0.042):
                box(dx, -0.1, 0.612, 0.055, 0.03, 0.014, s, bevel=0.006)
        elif kind == "figure":
            lathe(0, 0, 0, [(0.24, 0), (0.22, 0.08), (0.0, 0.1)], s)
            for dx, lean in ((-0.08, 0.0), (0.09, -0.06)):
                tube([(dx, lean, 0.08), (dx * 1.1, lean * 0.4 - 0.02, 0.5), (dx * 0.8, 0, 0.9)], 0.065, s)
                sphere(dx, lean - 0.03, 0.1, 0.06, s, scale=(0.8, 1.7, 0.6))
            lathe(
                0,
                0,
                0.5,
                [(0.2, -0.12), (0.17, 0.1), (0.16, 0.36), (0.12, 0.52), (0.15, 0.74), (0.17, 0.86), (0.07, 0.96)],
                s,
            )
            tube([(0.17, 0, 1.36), (0.3, -0.05, 1.12), (0.16, -0.16, 0.98)], 0.045, s)
            tube([(-0.17, 0, 1.36), (-0.34, -0.02, 1.56), (-0.3, -0.08, 1.86)], 0.043, s)
            sphere(-0.3, -0.09, 1.9, 0.05, s)
            cylinder(0, 0, 1.42, 0.05, 0.14, s)
            sphere(0, -0.01, 1.64, 0.105, s, scale=(0.85, 1, 1.2))
            sphere(0, 0.05, 1.68, 0.1, s)
            for i in range(7):
                tube(
                    [
                        (0.16 - 0.05 * i, -0.12 - 0.03 * math.sin(i), 0.98 - 0.03 * i),
                        (0.2 - 0.06 * i, -0.14, 0.4),
                        (0.19 - 0.055 * i, -0.15, 0.12),
                    ],
                    0.03,
                    s,
                )
        elif kind == "vase":
            lathe(
                0,
                0,
                0,
                [
                    (0, 0),
                    (0.1, 0),
                    (0.08, 0.03),
                    (0.16, 0.2),
                    (0.2, 0.38),
                    (0.15, 0.54),
                    (0.07, 0.62),
                    (0.07, 0.7),
                    (0.12, 0.74),
                    (0.1, 0.74),
                ],
                s,
            )
            for side in (-1, 1):
                tube(
                    [(side * 0.07, 0, 0.68), (side * 0.2, 0, 0.68), (side * 0.22, 0, 0.55), (side * 0.17, 0, 0.46)],
                    0.016,
                    s,
                )
        elif kind == "knot":
            points = []
            for i in range(90):
                t = 2 * math.pi * i / 90
                r = 0.2 + 0.085 * math.cos(3 * t)
                points.append((r * math.cos(2 * t), 0.085 * math.sin(3 * t), 0.37 + r * math.sin(2 * t)))
            tube(points, 0.055, s, closed=True)
            cylinder(0, 0, 0, 0.12, 0.03, m.paint("black", 0.3))
            cylinder(0, 0, 0, 0.02, 0.14, m.metal("steel"))
        elif kind == "spiral":
            for i in range(26):
                t = i / 25
                box(0, 0, 0.036 * i, 0.42 * (1 - 0.55 * t), 0.1, 0.034, s, turn=9 * i, bevel=0.008)
        elif kind == "spheres":
            z = 0.0
            for r, colour in ((0.2, of), (0.15, "chrome"), (0.11, of), (0.075, "chrome")):
                sphere(0, 0, z + r, r, m.metal("chrome") if colour == "chrome" else s)
                z += 1.93 * r
        elif kind == "blocks":
            for x, z, w, h, turn in (
                (0, 0, 0.38, 0.26, 12),
                (0.05, 0.26, 0.28, 0.34, -20),
                (-0.06, 0.6, 0.34, 0.14, 30),
                (0.03, 0.74, 0.15, 0.3, 5),
            ):
                box(x, 0, z, w, w, h, s, turn=turn, bevel=0.01)
        else:  # a dog of balloons
            tube([(-0.22, 0, 0.34), (0.2, 0, 0.34)], 0.09, s)
            for x in (-0.2, 0.2):
                for y in (-0.09, 0.09):
                    sphere(x, y, 0.16, 0.075, s, scale=(0.9, 0.9, 2.0))
            sphere(0.2, 0, 0.34, 0.1, s)
            sphere(-0.2, 0, 0.34, 0.1, s)
            sphere(0.27, 0, 0.52, 0.075, s, scale=(0.9, 0.9, 1.6))
            sphere(0.4, 0, 0.62, 0.08, s, scale=(1.7, 0.9, 0.9))
            for y in (-0.07, 0.07):
                sphere(0.27, y, 0.72, 0.055, s, scale=(0.8, 0.8, 1.9))
            sphere(-0.32, 0, 0.5, 0.055, s, scale=(0.8, 0.8, 2.2))
            sphere(0.54, 0, 0.62, 0.025, s)
    return made


def mobile(drop: float = 0.8, colours: Sequence[str] = ("red", "blue", "yellow", "black")) -> Thing:
    """A hanging mobile of coloured plates, its wire at the origin."""
    with thing("mobile", "colourful") as made:
        wire = m.paint("black", 0.4)

        def arm(x: float, y: float, z: float, long: float, turn: float, depth: int) -> None:
            a = math.radians(turn)
            dx, dy = long * math.cos(a), long * math.sin(a)
            tube([(x - dx, y - dy, z - 0.04), (x, y, z), (x + dx, y + dy, z - 0.04)], 0.006, wire)
            tube([(x + dx, y + dy, z - 0.04), (x + dx, y + dy, z - 0.24)], 0.003, wire)
            tube([(x - dx, y - dy, z - 0.04), (x - dx, y - dy, z - 0.16)], 0.003, wire)
            colour = colours[depth % len(colours)]
            sphere(x - dx, y - dy, z - 0.26, 0.14, m.paint(colour, 0.4), scale=(1.2, 0.06, 0.75))
            if depth < 4:
                arm(x + dx, y + dy, z - 0.24, long * 0.72, turn + 65, depth + 1)
            else:
                sphere(x + dx, y + dy, z - 0.34, 0.12, m.paint(colours[0], 0.4), scale=(1, 0.06, 1))

        tube([(0, 0, 0), (0, 0, -drop)], 0.004, wire)
        arm(0, 0, -drop, 0.75, 10, 0)
    return made


def rope_barrier(points: Sequence[tuple[float, float]], colour: str = "dark red", *, metal: str = "brass") -> Thing:
    """Posts at points on the floor with a thick rope hanging between them."""
    with thing("rope barrier", colour) as made:
        skin = m.metal(metal, 0.15)
        for x, y in points:
            lathe(
                x,
                y,
                0,
                [
                    (0.16, 0),
                    (0.15, 0.02),
                    (0.05, 0.04),
                    (0.022, 0.06),
                    (0.022, 0.88),
                    (0.035, 0.89),
                    (0.04, 0.93),
                    (0.02, 0.97),
                    (0, 0.98),
                ],
                skin,
            )
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            rope = [
                (ax + (bx - ax) * i / 14, ay + (by - ay) * i / 14, 0.86 - 0.22 * 4 * i / 14 * (1 - i / 14))
                for i in range(15)
            ]
            tube(rope, 0.021, m.fabric(colour))
    return made


def gallery_bench(width: float = 1.6, colour: str = "black", *, kind: str | None = None) -> Thing:
    """A bench without a back for visitors: upholstered blocks, or a slab of wood; its middle on the origin."""
    with thing("bench", colour if not kind else "brown", *(["wooden"] if kind else ["leather"])) as made:
        if kind:
            box(0, 0, 0.36, width, 0.42, 0.07, m.wood(kind), bevel=0.012)
            for dx in (-1, 1):
                box(dx * (width / 2 - 0.12), 0, 0, 0.07, 0.4, 0.37, m.wood(kind, along="z"), bevel=0.01)
        else:
            for dx in (-1, 1):
                for dy in (-0.18, 0.18):
                    box(dx * (width / 2 - 0.08), dy, 0, 0.03, 0.03, 0.3, m.metal("chrome"))
            box(0, 0, 0.29, width, 0.5, 0.03, m.metal("chrome"))
            count = max(2, round(width / 0.55))
            for i in range(count):
                cushion(
                    -width / 2 + (i + 0.5) * width / count,
                    0,
                    0.31,
                    width / count - 0.006,
                    0.52,
                    0.13,
                    m.paint(colour, 0.4),
                    soft=0.3,
                )
    return made


def lit_from(x: float, y: float, z: float, target: Point, power: float, colour: Point) -> None:
    """A narrow light onto a work of art."""
    from draw.stage import panel_light

    panel_light(x, y, z, power, size=0.25, colour=colour, toward=target)


def arch(width: float, height: float, depth: float, wall_height: float, wall_width: float, material: Any) -> None:
    """A wall along x with a round-headed opening in its middle, its foot's middle on the origin; scenery."""
    rise = width / 2
    outline = [(-wall_width / 2, 0), (-width / 2, 0), (-width / 2, height - rise)]
    outline += [
        (-rise * math.cos(math.pi * i / 14), height - rise + rise * math.sin(math.pi * i / 14)) for i in range(1, 14)
    ]
    outline += [
        (width / 2, height - rise),
        (width / 2, 0),
        (wall_width / 2, 0),
        (wall_width / 2, wall_height),
        (-wall_width / 2, wall_height),
    ]
    prism(outline, depth, material, plane="xz")


def folded_plates(of: str = "red", size: float = 1.0) -> Thing:
    """A tall abstract sculpture of bent steel plates standing on the floor."""
    with thing("sculpture", of, "large") as made:
        s = stone(of)
        for points in (
            [(-0.6, 0.2, 0), (0.3, -0.3, 0), (0.1, 0.0, 2.1)],
            [(0.3, -0.3, 0), (0.7, 0.5, 0), (0.1, 0.0, 2.1)],
            [(-0.2, 0.0, 0.9), (0.9, 0.1, 1.5), (-0.5, -0.1, 2.5)],
            [(-0.9, 0.3, 1.7), (0.4, 0.1, 1.2), (-0.1, -0.3, 2.0)],
        ):
            scaled = [(a * size, b * size, c * size) for a, b, c in points]
            back = [(a, b + 0.03, c) for a, b, c in scaled]
            polygons([*scaled, *back], [(0, 1, 2), (5, 4, 3), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)], s)
    return made
