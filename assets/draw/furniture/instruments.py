"""Musical instruments, their stands and what plays along: pianos, drums, guitars, cellos, harps, amplifiers."""

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
    cushion,
    cylinder,
    lathe,
    lettering,
    prism,
    ring,
    sphere,
    thing,
    tilted,
    tube,
)


def piano_keys(width: float, z: float, y: float, *, depth: float = 0.14) -> None:
    """A keyboard along x from -width/2, its keys' front ends at y - depth."""
    count = round(width / 0.0236)
    box(0, y - depth / 2, z, width, depth, 0.015, m.paint("white", 0.2), bevel=0)
    dark = m.paint("black", 0.25)
    for i in range(1, count):
        x = -width / 2 + i * width / count
        box(x, y - depth / 2, z + 0.013, 0.0025, depth, 0.003, m.paint("grey"), bevel=0)
        if i % 7 not in (0, 3):
            box(x, y - depth * 0.32, z + 0.014, 0.013, depth * 0.64, 0.012, dark, bevel=0.002)


def grand_piano(colour: str = "black", *, length: float = 1.9, open_: bool = True) -> Thing:
    """A grand piano: its keyboard towards -y at y = 0, its tail towards +y, its middle at x = 0."""
    with thing("grand piano", colour) as made:
        skin = m.wood("walnut", 0.15) if colour == "brown" else m.paint(colour, 0.08)
        # the straight side is on the left, the bent one on the right
        outline = [
            (-0.74, 0.22),
            (0.74, 0.22),
            (0.74, 0.7),
            (0.66, 0.95),
            (0.48, 1.1),
            (0.3, 1.25),
            (0.18, 1.45),
            (0.08, length - 0.16),
            (-0.06, length - 0.03),
            (-0.28, length),
            (-0.52, length - 0.03),
            (-0.68, length - 0.14),
            (-0.74, length - 0.3),
        ]
        prism(outline, 0.03, skin, z=0.66)
        for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
            if ay == by == 0.22:
                continue
            long = math.hypot(bx - ax, by - ay)
            box(
                (ax + bx) / 2,
                (ay + by) / 2,
                0.66,
                long + 0.02,
                0.035,
                0.31,
                skin,
                bevel=0.004,
                turn=math.degrees(math.atan2(by - ay, bx - ax)),
            )
        inner = [(a * 0.94, 0.24 + (b - 0.22) * 0.95) for a, b in outline]
        prism(inner, 0.02, m.metal("gold", 0.35), z=0.84)
        for i in range(26):
            x = -0.62 + i * 0.046
            end = length - 0.2 - 0.85 * max(0.0, (x + 0.3) / 1.0)
            tube([(x, 0.4, 0.872), (x * 0.9, max(0.6, end), 0.872)], 0.002, m.metal("steel"))
        for i in range(4):
            box(-0.45 + 0.3 * i, 0.75 - 0.03 * i, 0.865, 0.035, 0.8 - 0.15 * i, 0.025, m.metal("gold", 0.35))
        box(0, 0.1, 0.62, 1.48, 0.3, 0.06, skin, bevel=0.006)
        for dx in (-0.7, 0.7):
            box(dx, 0.1, 0.66, 0.08, 0.3, 0.16, skin, bevel=0.02)
        box(0, 0.27, 0.68, 1.48, 0.06, 0.29, skin, bevel=0.006)
        piano_keys(1.3, 0.69, 0.2)
        with tilted(0, 0.34, 0.97, about="X", by=-14):
            box(0, 0, 0, 0.74, 0.015, 0.24, skin, bevel=0.01)
        box(-0.1, 0.31, 0.985, 0.22, 0.006, 0.2, m.paint("white", 0.7), bevel=0)
        box(0.13, 0.31, 0.985, 0.22, 0.006, 0.2, m.paint("white", 0.7), bevel=0)
        for x, y in ((-0.62, 0.3), (0.62, 0.3), (-0.3, length - 0.25)):
            cylinder(x, y, 0.05, 0.038, 0.63, skin, top=0.06)
            cylinder(x, y, 0.03, 0.03, 0.03, m.metal("brass"), axis="x")
        box(0, 0.42, 0.1, 0.2, 0.05, 0.58, skin)
        for dx in (-0.06, 0, 0.06):
            box(dx, 0.37, 0.06, 0.02, 0.12, 0.012, m.metal("brass"))
        if open_:
            with tilted(-0.74, 0.0, 0.975, about="Y", by=-36):
                lid = [(a + 0.74, b + (0.2 if b < 0.3 else 0)) for a, b in outline]
                prism(lid, 0.022, skin)
            tube([(0.5, 0.75, 0.9), (0.28, 0.75, 1.7)], 0.012, skin)
        else:
            prism([(a, b) for a, b in outline], 0.022, skin, z=0.972)
    return made


def piano_stool(colour: str = "black") -> Thing:
    """An upholstered piano bench, its middle on the origin."""
    with thing("piano stool", colour) as made:
        skin = m.paint("black", 0.15) if colour != "brown" else m.wood("walnut")
        for dx in (-0.28, 0.28):
            for dy in (-0.13, 0.13):
                box(dx, dy, 0, 0.045, 0.045, 0.42, skin)
        box(0, 0, 0.36, 0.62, 0.34, 0.07, skin)
        cushion(0, 0, 0.42, 0.62, 0.34, 0.08, m.paint(colour if colour != "brown" else "dark red", 0.4))
    return made


def upright_piano(kind: str = "walnut") -> Thing:
    """An upright piano, its back at y = 0, its keys towards -y."""
    with thing("piano", WOOD_WORDS[kind], "upright") as made:
        w = m.wood(kind, 0.25)
        box(0, -0.16, 0.02, 1.48, 0.32, 1.22, w, bevel=0.012)
        box(0, -0.17, 1.23, 1.54, 0.37, 0.03, w, bevel=0.01)
        box(0, -0.44, 0.6, 1.48, 0.28, 0.08, w, bevel=0.01)
        for dx in (-0.7, 0.7):
            box(dx, -0.44, 0.66, 0.07, 0.28, 0.1, w, bevel=0.02)
            box(dx, -0.53, 0, 0.07, 0.08, 0.6, w, bevel=0.015)
            box(dx, -0.45, 0, 0.08, 0.26, 0.06, w)
        for x, width in ((-0.36, 0.66), (0.36, 0.66)):
            box(x, -0.33, 0.86, width, 0.015, 0.3, w, bevel=0.006)
        box(0, -0.33, 0.12, 1.3, 0.015, 0.4, w, bevel=0.006)
        piano_keys(1.3, 0.68, -0.39, depth=0.15)
        box(0, -0.365, 0.78, 1.34, 0.03, 0.05, w)
        for dx in (-0.11, 0.12):
            with tilted(dx, -0.36, 0.83, about="X", by=-10):
                box(0, 0, 0, 0.21, 0.006, 0.28, m.paint("white", 0.7), bevel=0)
                for i in range(6):
                    box(0, -0.005, 0.04 + 0.035 * i, 0.17, 0.003, 0.004, m.paint("dark grey"), bevel=0)
        for dx in (-0.06, 0.06):
            box(dx, -0.4, 0.06, 0.03, 0.14, 0.014, m.metal("brass"))
    return made


def _drum(radius: float, height: float, colour: str, *, axis: str = "z") -> None:
    """A drum with skins and hoops, its underside (axis z) or middle (axis y) on the origin."""
    skin, shell, steel = m.paint((0.8, 0.78, 0.72), 0.5), m.paint(colour, 0.12), m.metal("chrome")
    if axis == "z":
        cylinder(0, 0, 0.01, radius, height - 0.02, shell)
        cylinder(0, 0, height - 0.012, radius * 0.97, 0.012, skin)
        for z in (0.012, height - 0.008):
            ring(0, 0, z, radius * 1.01, 0.01, steel)
        for i in range(6):
            a = math.radians(60 * i)
            tube(
                [
                    (radius * 1.03 * math.cos(a), radius * 1.03 * math.sin(a), 0.01),
                    (radius * 1.03 * math.cos(a), radius * 1.03 * math.sin(a), height - 0.01),
                ],
                0.006,
                steel,
            )
    else:
        cylinder(0, 0, 0, radius, height, shell, axis="y")
        cylinder(0, 0, 0, radius * 0.96, height + 0.012, skin, axis="y")
        for y in (-height / 2, height / 2):
            ring(0, y, 0, radius * 1.01, 0.014, m.paint("black", 0.3), axis="y")
        for i in range(8):
            a = math.radians(45 * i + 20)
            x, z = radius * 1.03 * math.cos(a), radius * 1.03 * math.sin(a)
            tube([(x, -height / 2, z), (x, height / 2, z)], 0.007, steel)


def _cymbal(x: float, y: float, z: float, radius: float, *, tilt: float = 0.0, pair: bool = False) -> None:
    """A cymbal on a tripod stand."""
    steel, brass = m.metal("chrome"), m.metal("brass", 0.2)
    tube([(x, y, 0.25), (x, y, z + 0.04)], 0.011, steel)
    for i in range(3):
        a = math.radians(120 * i + 15)
        tube([(x, y, 0.32), (x + 0.24 * math.cos(a), y + 0.24 * math.sin(a), 0.012)], 0.01, steel)
    with tilted(x, y, z, about="X", by=tilt):
        profile = [(radius, 0), (radius * 0.4, 0.018), (radius * 0.24, 0.024), (radius * 0.12, 0.05), (0, 0.055)]
        lathe(0, 0, 0, profile, brass)
        if pair:
            lathe(0, 0, -0.02, [(radius, 0), (radius * 0.3, -0.02), (0, -0.04)], brass)


def drum_kit(colour: str = "red") -> Thing:
    """A drum kit seen from its front (the bass drum towards -y), its middle on the origin."""
    with thing("drum kit", colour) as made:
        steel = m.metal("chrome")
        with at(0, -0.15, 0.29):
            _drum(0.28, 0.4, colour, axis="y")
        for dx in (-0.3, 0.3):
            tube([(dx * 0.8, -0.22, 0.2), (dx * 1.3, -0.3, 0.012)], 0.011, steel)
        for dx in (-0.21, 0.21):
            tube([(0, -0.1, 0.56), (dx * 0.6, -0.08, 0.76)], 0.014, steel)
            with tilted(dx, -0.12, 0.66, about="X", by=18):
                _drum(0.155 + 0.01 * (dx > 0), 0.2, colour)
        with at(-0.62, 0.25, 0.26):
            _drum(0.2, 0.36, colour)
        for i in range(3):
            a = math.radians(120 * i)
            tube(
                [
                    (-0.62 + 0.2 * math.cos(a), 0.25 + 0.2 * math.sin(a), 0.4),
                    (-0.62 + 0.22 * math.cos(a), 0.25 + 0.22 * math.sin(a), 0.012),
                ],
                0.01,
                steel,
            )
            tube([(0.55, 0.35, 0.3), (0.55 + 0.2 * math.cos(a), 0.35 + 0.2 * math.sin(a), 0.012)], 0.01, steel)
        tube([(0.55, 0.35, 0.25), (0.55, 0.35, 0.55)], 0.014, steel)
        with at(0.55, 0.35, 0.54):
            _drum(0.18, 0.14, "light grey")
        _cymbal(0.8, 0.05, 0.86, 0.18, pair=True)
        _cymbal(0.55, -0.25, 1.18, 0.22, tilt=14)
        _cymbal(-0.62, -0.2, 1.12, 0.26, tilt=14)
        cylinder(0, 0.7, 0.46, 0.17, 0.09, m.paint("black", 0.5), bevel=0.03)
        tube([(0, 0.7, 0.1), (0, 0.7, 0.47)], 0.018, steel)
        for i in range(3):
            a = math.radians(120 * i + 40)
            tube([(0, 0.7, 0.25), (0.25 * math.cos(a), 0.7 + 0.25 * math.sin(a), 0.012)], 0.011, steel)
    return made


def _curve(half: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Mirror a right half-outline (from the bottom up) and smooth it."""
    fine: list[tuple[float, float]] = []
    for i in range(len(half) - 1):
        p0, p1, p2, p3 = (half[max(0, min(len(half) - 1, k))] for k in (i - 1, i, i + 1, i + 2))
        for s in range(5):
            t = s / 5
            fine.append(
                tuple(
                    0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
                    for a, b, c, d in zip(p0, p1, p2, p3, strict=True)
                )
            )  # type: ignore[arg-type]
    fine.append(half[-1])
    return fine + [(-a, b) for a, b in reversed(fine) if a > 0.002]


FIDDLE = [
    (0.0, 0.0),
    (0.33, 0.03),
    (0.5, 0.2),
    (0.43, 0.42),
    (0.3, 0.5),
    (0.3, 0.62),
    (0.4, 0.7),
    (0.36, 0.9),
    (0.12, 0.99),
    (0.0, 1.0),
]
GUITAR = [
    (0.0, 0.0),
    (0.3, 0.02),
    (0.41, 0.2),
    (0.36, 0.42),
    (0.27, 0.56),
    (0.3, 0.72),
    (0.3, 0.87),
    (0.14, 0.99),
    (0.0, 1.0),
]


def _fiddle(size: float, kind: Any, depth: float) -> None:
    """A violin's body and neck facing -y, its lower end on the origin; `size` is the body's length."""
    wood, dark = kind, m.paint("black", 0.3)
    outline = [(a * size * 1.15, b * size) for a, b in _curve(FIDDLE)]
    prism(outline, depth, wood, y=-depth / 2, plane="xz", bevel=0.012 * size / 0.35)
    front = -depth / 2
    box(0, front - 0.02 * size, size * 0.62, 0.055 * size, 0.02 * size, size * 0.85, dark, bevel=0.003)
    box(0, front + 0.02 * size, size * 0.97, 0.06 * size, 0.06 * size, size * 0.5, wood)
    box(0, front - 0.02 * size, size * 0.08, 0.1 * size, 0.02 * size, size * 0.25, dark, bevel=0.003)
    box(0, front - 0.03 * size, size * 0.42, 0.2 * size, 0.012 * size, size * 0.08, m.wood("birch"), bevel=0.002)
    sphere(0, front + 0.02 * size, size * 1.55, 0.055 * size, wood, scale=(0.9, 1.2, 1.2))
    for i in range(4):
        x = (i - 1.5) * 0.02 * size
        tube(
            [
                (x, front - 0.035 * size, size * 0.3),
                (x, front - 0.042 * size, size * 0.48),
                (x * 0.6, front - 0.035 * size, size * 1.47),
            ],
            0.003 * size + 0.0004,
            m.metal("steel"),
        )
    for side in (-1, 1):
        tube(
            [
                (side * 0.15 * size, front - 0.006, 0.36 * size),
                (side * 0.11 * size, front - 0.006, 0.45 * size),
                (side * 0.14 * size, front - 0.006, 0.54 * size),
            ],
            0.008 * size,
            dark,
        )
        tube(
            [
                (side * 0.03 * size, front + 0.03 * size, 1.48 * size),
                (side * 0.13 * size, front + 0.03 * size, 1.49 * size),
            ],
            0.014 * size,
            dark,
        )
        tube(
            [
                (side * 0.03 * size, front + 0.03 * size, 1.42 * size),
                (side * 0.13 * size, front + 0.03 * size, 1.42 * size),
            ],
            0.014 * size,
            dark,
        )


def cello(*, bass: bool = False, lean: float = 14.0) -> Thing:
    """A cello (or double bass) on its spike, leaning back on a stand, facing -y."""
    size = 1.1 if bass else 0.76
    with thing("double bass" if bass else "cello", "brown", "wooden") as made:
        w = m.wood("walnut" if bass else "cherry", 0.2, along="z")
        with tilted(0, 0, 0.02, about="X", by=-lean):
            tube([(0, 0, 0), (0, 0, 0.16)], 0.008, m.metal("steel"))
            with at(0, 0, 0.14):
                _fiddle(size, w, 0.17 * size)
        steel = m.paint("black", 0.4)
        back = 0.14 * size + 0.5 * size * math.sin(math.radians(lean))
        tube([(-0.2, back + 0.16, 0.012), (0, back, 0.42 * size + 0.2), (0.2, back + 0.16, 0.012)], 0.011, steel)
    return made


def violin() -> Thing:
    """A violin lying on its back along x, on whatever the frame is on."""
    with (
        thing("violin", "brown", "wooden") as made,
        tilted(0, 0, 0.03, about="Z", by=-90),
        tilted(0, 0, 0, about="X", by=-90),
    ):
        _fiddle(0.355, m.wood("cherry", 0.2, along="z"), 0.045)
    return made


def guitar(colour: str = "light brown", *, electric: bool = False, hung: bool = False, lean: float = 14.0) -> Thing:
    """A guitar facing -y: on its stand, or hanging on a wall at y = 0 (its lower end on the origin)."""
    words = (colour, "electric") if electric else (colour, "acoustic")
    with (
        thing("guitar", *words) as made,
        tilted(0, -0.09 if hung else 0, 0 if hung else 0.07, about="X", by=0 if hung else -lean),
    ):
        neck, dark, steel = m.wood("birch", along="z"), m.wood("ebony", along="z"), m.metal("chrome")
        if electric:
            half = [
                (0.0, 0.0),
                (0.16, 0.02),
                (0.19, 0.14),
                (0.14, 0.24),
                (0.15, 0.34),
                (0.19, 0.43),
                (0.16, 0.45),
                (0.08, 0.36),
                (0.0, 0.36),
            ]
            prism(_curve(half), 0.045, m.paint(colour, 0.1), y=-0.022, plane="xz", bevel=0.008)
            prism(
                [(0.02, 0.06), (0.13, 0.08), (0.1, 0.3), (-0.05, 0.32), (-0.08, 0.18)],
                0.004,
                m.paint("white" if colour != "white" else "red", 0.2),
                y=-0.027,
                plane="xz",
            )
            for z in (0.12, 0.2, 0.28):
                box(0, -0.03, z, 0.08, 0.012, 0.02, m.paint("black", 0.3))
            top, face = 0.36, -0.026
        else:
            wood = m.wood(
                {"light brown": "pine", "brown": "oak", "dark brown": "walnut"}.get(colour, "cherry"), 0.2, along="z"
            )
            outline = [(a * 0.5, b * 0.5) for a, b in _curve(GUITAR)]
            prism(outline, 0.1, wood, y=-0.05, plane="xz", bevel=0.008)
            cylinder(0, -0.05, 0.33, 0.05, 0.006, m.paint("black", 0.6), axis="y")
            ring(0, -0.052, 0.33, 0.056, 0.005, m.wood("walnut"), axis="y")
            box(0, -0.056, 0.13, 0.17, 0.012, 0.025, dark)
            top, face = 0.5, -0.05
        box(0, face + 0.012, top - 0.06, 0.055, 0.025, 0.52, neck, bevel=0.006)
        box(0, face - 0.004, top - 0.1, 0.052, 0.01, 0.56, dark, bevel=0.002)
        box(0, face + 0.012, top + 0.46, 0.085, 0.02, 0.18, neck if electric else dark, bevel=0.008)
        for i in range(3):
            for side in (-1, 1):
                sphere(side * 0.055, face + 0.012, top + 0.5 + 0.045 * i, 0.011, steel)
        for i in range(6):
            x = (i - 2.5) * 0.0075
            tube([(x, face - 0.014, 0.14), (x, face - 0.013, top + 0.47)], 0.0013, steel)
    if not hung:
        _guitar_stand(0.05, lean)
    return made


def _guitar_stand(radius: float, lean: float) -> None:
    """The three-legged stand of a guitar; part of what is being built."""
    steel = m.paint("black", 0.4)
    back = 0.05 + 0.55 * math.sin(math.radians(lean))
    tube([(0, back, 0.55), (0, back * 0.7 + 0.05, 0.3), (0, 0.3, 0.012)], 0.01, steel)
    for dx in (-1, 1):
        tube([(0, back * 0.7 + 0.05, 0.3), (dx * 0.2, -0.12, 0.012)], 0.01, steel)
        tube([(dx * 0.1, 0.1, 0.11), (dx * 0.1, -radius - 0.03, 0.06), (dx * 0.1, -radius - 0.035, 0.12)], 0.009, steel)


def music_stand(*, height: float = 1.15, kind: str | None = None, sheets: bool = True) -> Thing:
    """A music stand with sheet music, the reader at -y."""
    with thing("music stand", *(("wooden",) if kind else ("black",))) as made:
        skin = m.wood(kind, along="z") if kind else m.paint("black", 0.35)
        cylinder(0, 0, 0.2, 0.013, height - 0.3, skin)
        for i in range(3):
            a = math.radians(120 * i + 30)
            tube([(0, 0, 0.24), (0.26 * math.cos(a), 0.26 * math.sin(a), 0.012)], 0.01, skin)
        with tilted(0, -0.02, height - 0.16, about="X", by=-22):
            box(0, 0, 0, 0.5, 0.012, 0.33, skin)
            box(0, -0.03, 0, 0.5, 0.06, 0.012, skin)
            if sheets:
                for dx in (-0.115, 0.115):
                    box(dx, -0.012, 0.014, 0.22, 0.004, 0.3, m.paint("white", 0.7), bevel=0)
                    for i in range(6):
                        for line in range(3):
                            box(
                                dx,
                                -0.015,
                                0.04 + 0.043 * i + 0.007 * line,
                                0.19,
                                0.002,
                                0.0018,
                                m.paint("black"),
                                bevel=0,
                            )
                        for k in range(5):
                            sphere(
                                dx - 0.08 + 0.037 * k,
                                -0.016,
                                0.044 + 0.043 * i + 0.006 * ((i * 3 + k * 2) % 3),
                                0.0055,
                                m.paint("black"),
                            )
    return made


def microphone(*, height: float = 1.5) -> Thing:
    """A microphone on a stand, facing -y."""
    with thing("microphone", "black") as made:
        steel = m.metal("iron")
        cylinder(0, 0, 0, 0.15, 0.02, steel)
        cylinder(0, 0, 0, 0.012, height - 0.08, steel)
        with tilted(0, 0, height - 0.1, about="X", by=-40):
            cylinder(0, 0, -0.02, 0.015, 0.14, m.paint("black", 0.4), top=0.022)
            sphere(0, 0, 0.15, 0.034, m.metal("steel", 0.4))
    return made


def amplifier(width: float = 0.6, height: float = 0.55, colour: str = "black", *, words: str = "") -> Thing:
    """A guitar amplifier, its back at y = 0."""
    with thing("amplifier", colour) as made:
        box(0, -0.14, 0.02, width, 0.28, height, m.paint(colour, 0.6), bevel=0.015)
        box(
            0,
            -0.283,
            0.06,
            width - 0.07,
            0.008,
            height - 0.2,
            m.fabric("dark grey" if colour != "dark grey" else "black"),
            bevel=0,
        )
        box(0, -0.285, height - 0.1, width - 0.07, 0.01, 0.07, m.metal("steel"), bevel=0)
        for i in range(7):
            cylinder(
                -width / 2 + 0.09 + i * (width - 0.18) / 6,
                -0.295,
                height - 0.065,
                0.014,
                0.02,
                m.paint("black", 0.3),
                axis="y",
            )
        for dx in (-width / 4, width / 4) if width > 0.55 else (0,):
            ring(
                dx,
                -0.289,
                0.06 + (height - 0.2) / 2,
                min(width / 5, height / 3.4),
                0.006,
                m.paint("grey", 0.4),
                axis="y",
            )
        tube(
            [
                (-0.1, -0.14, height + 0.02),
                (-0.08, -0.14, height + 0.06),
                (0.08, -0.14, height + 0.06),
                (0.1, -0.14, height + 0.02),
            ],
            0.012,
            m.paint("black", 0.5),
        )
        if words:
            lettering(0, -0.29, height - 0.17, words, 0.07, m.paint("white"))
    return made


def harp(kind: Any = None) -> Thing:
    """A tall concert harp, its middle on the origin, seen broadside."""
    with thing("harp", "golden") as made:
        gold = kind or m.metal("gold", 0.22)
        cylinder(-0.38, 0, 0.06, 0.035, 1.62, gold)
        sphere(-0.38, 0, 1.72, 0.06, gold, scale=(1, 1, 1.3))
        prism(
            [(0.32, 0.12), (0.42, 0.12), (0.3, 1.42), (0.2, 1.4)],
            0.2,
            m.wood("pine", 0.3, along="z"),
            y=-0.1,
            plane="xz",
            bevel=0.02,
        )
        neck = [(-0.38, 0, 1.68), (-0.25, 0, 1.78), (-0.1, 0, 1.7), (0.0, 0, 1.5), (0.12, 0, 1.42), (0.25, 0, 1.42)]
        tube(neck, 0.045, gold)
        box(-0.02, 0, 0, 0.95, 0.34, 0.07, gold, bevel=0.02)
        box(-0.02, 0, 0.06, 0.8, 0.22, 0.08, gold, bevel=0.02)
        for i in range(26):
            t = i / 25
            x = 0.2 - 0.5 * t
            k = min(4, int(t * 5))
            (xa, _, za), (xb, _, zb) = neck[5 - k], neck[4 - k]
            s = (x - xa) / (xb - xa) if abs(xb - xa) > 1e-6 else 0
            high = za + (zb - za) * max(-0.2, min(1.2, s))
            low = 1.3 - 1.12 * t
            tube(
                [(x, 0, high), (0.34 - 0.02 * t - 0.085 * (1 - t), 0, low)],
                0.0022,
                m.paint("red" if i % 7 == 0 else "white", 0.4),
            )
    return made


def keyboard(colour: str = "black", *, width: float = 1.2) -> Thing:
    """An electronic keyboard on a crossed stand, played from -y, its middle on the origin."""
    with thing("keyboard", colour) as made:
        skin = m.paint(colour, 0.35)
        for y in (-0.12, 0.12):
            tube([(-0.4, y, 0.015), (0.4, y, 0.75)], 0.015, m.paint("black", 0.4))
            tube([(0.4, y, 0.015), (-0.4, y, 0.75)], 0.015, m.paint("black", 0.4))
        box(0, 0, 0.76, width, 0.34, 0.09, skin, bevel=0.012)
        piano_keys(width - 0.14, 0.845, -0.02, depth=0.14)
        box(0, 0.07, 0.85, 0.2, 0.07, 0.006, m.glow((0.3, 0.6, 1.0), 0.8), bevel=0)
        for i in range(8):
            box(
                -width / 2 + 0.1 + 0.04 * i,
                0.08,
                0.848,
                0.022,
                0.03,
                0.008,
                m.paint(("red", "white", "green")[i % 3], 0.4),
            )
    return made


def xylophone(scale: float = 1.0) -> Thing:
    """A xylophone with coloured bars on a stand, played from -y."""
    with thing("xylophone", "colourful") as made, at(0, 0, 0, scale=scale):
        w = m.wood("oak")
        colours = ("red", "orange", "yellow", "light green", "green", "cyan", "blue", "purple", "pink", "red")
        for i in range(10):
            long = 0.4 - 0.02 * i
            box(-0.42 + 0.09 * i, 0, 0.72, 0.075, long, 0.022, m.paint(colours[i], 0.3), bevel=0.006)
            cylinder(-0.42 + 0.09 * i, 0, 0.45, 0.025, 0.25, m.metal("brass"))
        for side in (-1, 1):
            box(0, side * 0.12, 0.68, 0.95, 0.03, 0.035, w)
            for dx in (-0.45, 0.45):
                box(dx, side * 0.14, 0, 0.04, 0.04, 0.7, w)
        for dx, turn in ((-0.1, 0.12), (0.15, -0.1)):
            tube([(dx, -0.25, 0.76), (dx + turn, 0.1, 0.765)], 0.006, m.wood("birch"))
            sphere(dx + turn, 0.1, 0.775, 0.022, m.paint("red", 0.5))
    return made


def trumpet() -> Thing:
    """A trumpet standing on its bell."""
    with thing("trumpet", "golden") as made:
        brass = m.metal("brass", 0.12)
        lathe(0, 0, 0, [(0.062, 0), (0.04, 0.025), (0.02, 0.08), (0.008, 0.2), (0.007, 0.42)], brass)
        tube(
            [(0.0, 0, 0.42), (0.03, 0, 0.46), (0.07, 0, 0.42), (0.07, 0, 0.14), (0.04, 0, 0.1), (0.02, 0, 0.14)],
            0.007,
            brass,
        )
        for i in range(3):
            cylinder(0.035, 0, 0.2 + 0.035 * i, 0.013, 0.09, brass, axis="y")
        tube([(0.07, 0, 0.3), (0.07, 0, 0.52)], 0.006, brass)
        lathe(0.07, 0, 0.52, [(0.006, 0), (0.014, 0.03), (0.012, 0.03)], brass)
    return made


def conga(colour: str = "orange") -> Thing:
    """A conga drum."""
    with thing("drum", colour) as made:
        lathe(0, 0, 0, [(0.11, 0), (0.13, 0.15), (0.18, 0.45), (0.165, 0.7), (0.15, 0.74)], m.paint(colour, 0.25))
        cylinder(0, 0, 0.73, 0.15, 0.015, m.paint((0.75, 0.68, 0.55), 0.6))
        for z in (0.2, 0.68):
            ring(0, 0, z, 0.142 if z < 0.5 else 0.17, 0.008, m.metal("steel"))
    return made


def foam_panels(width: float, height: float, rng: Random, colours: Sequence[str] = ("dark grey", "dark red")) -> Thing:
    """A chequered field of sound-absorbing wedges on the wall at y = 0, its lower left corner at the origin."""
    with thing("acoustic panel", *dict.fromkeys(colours)) as made:
        size = 0.4
        for i in range(round(width / size)):
            for k in range(round(height / size)):
                foam = m.paint(colours[(i + k) % len(colours)], 0.95)
                for n in range(4):
                    points: list[tuple[float, float]] = [(0, 0), (-0.07, size / 8), (0, size / 4)]
                    if (i + k) % 2:
                        prism(points, size - 0.01, foam, x=i * size, z=k * size + n * size / 4, plane="yz")
                    else:
                        prism(
                            [(b, a) for a, b in points],
                            size - 0.01,
                            foam,
                            x=i * size + n * size / 4,
                            z=k * size,
                            plane="xy",
                        )
    return made


def record_wall(rng: Random, count: int, *, gap: float = 0.42) -> None:
    """Gold records in frames in a row on the wall at y = 0, the middle of the row on the origin."""
    for i in range(count):
        with thing("gold record", "framed"):
            x = (i - (count - 1) / 2) * gap
            box(x, -0.012, 0, 0.36, 0.024, 0.36, m.paint("black", 0.4))
            cylinder(x, -0.026, 0.18, 0.14, 0.006, m.metal("gold", 0.2), axis="y")
            cylinder(x, -0.03, 0.18, 0.045, 0.006, m.paint(("red", "blue", "white")[i % 3]), axis="y")


def staves(width: float, height: float) -> None:
    """Chalked staves with notes on a board at y = 0, lower left corner on the origin; part of what holds them."""
    chalk = m.paint("white", 0.9)
    for k in range(2):
        foot = height * (0.2 + 0.42 * k)
        for i in range(5):
            box(width / 2, -0.004, foot + 0.05 * i, width * 0.9, 0.004, 0.006, chalk, bevel=0)
        for i in range(7):
            x, z = width * (0.18 + 0.1 * i), foot + 0.025 * ((i * 3 + k * 5) % 8)
            sphere(x, -0.008, z, 0.026, chalk, scale=(1.25, 0.3, 0.9))
            box(x + 0.028, -0.006, z, 0.007, 0.004, 0.17, chalk, bevel=0)
        tube(
            [
                (width * 0.09, -0.006, foot - 0.05),
                (width * 0.095, -0.006, foot + 0.26),
                (width * 0.075, -0.006, foot + 0.2),
                (width * 0.06, -0.006, foot + 0.08),
                (width * 0.11, -0.006, foot + 0.06),
            ],
            0.006,
            chalk,
        )
