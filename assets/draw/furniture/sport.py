"""Sport: machines and weights of a gym, and what stands about a swimming pool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import bpy  # noqa: F401  before bmesh, which it brings

import bmesh  # isort: skip

from draw import materials as m
from draw.stage import (
    STAGE,
    Thing,
    _mesh,
    at,
    box,
    cushion,
    cylinder,
    lettering,
    prism,
    ring,
    sphere,
    state,
    thing,
    tilted,
    tube,
)

WEIGHTS = {"red": 0.22, "blue": 0.2, "yellow": 0.185, "green": 0.165, "black": 0.225, "dark grey": 0.21}


# Gym


def treadmill(colour: str = "red", *, screen: str = "light blue") -> Thing:
    """A treadmill, its console towards +y: a runner on it looks away from the viewer. Its middle on the origin."""
    with thing("treadmill", "black") as made:
        black, steel, trim = m.paint("dark grey", 0.4), m.metal("steel", 0.3), m.paint(colour, 0.35)
        box(0, 0, 0.08, 0.82, 1.75, 0.1, black, bevel=0.03)
        box(0, -0.06, 0.18, 0.52, 1.55, 0.012, m.paint((0.02, 0.02, 0.022), 0.8))
        for end in (-1, 1):
            box(end * 0.345, -0.06, 0.18, 0.14, 1.55, 0.025, m.paint("light grey", 0.4), bevel=0.008)
            box(end * 0.345, -0.06, 0.206, 0.03, 1.5, 0.004, trim, bevel=0)
            tube([(end * 0.4, 0.72, 0.15), (end * 0.4, 0.62, 1.15)], 0.035, steel)
            tube(
                [(end * 0.4, 0.66, 1.02), (end * 0.4, 0.3, 1.0), (end * 0.4, 0.02, 0.98)], 0.025, m.paint("black", 0.6)
            )
        cushion(0, 0.68, 0.1, 0.8, 0.42, 0.2, black, soft=0.3)
        box(0, 0.68, 0.29, 0.3, 0.2, 0.012, trim)
        tube([(-0.4, 0.63, 1.12), (0.4, 0.63, 1.12)], 0.03, steel)
        with tilted(0, 0.62, 1.1, by=-22):
            box(0, 0, 0, 0.78, 0.07, 0.36, black, bevel=0.025)
            box(0, -0.038, 0.09, 0.42, 0.008, 0.23, m.glow(screen, 0.9), bevel=0)
            for dx in (-0.3, 0.3):
                box(dx, -0.038, 0.1, 0.1, 0.008, 0.2, m.paint("black", 0.3), bevel=0)
            cylinder(0, -0.04, 0.045, 0.022, 0.012, m.paint("red", 0.3), axis="y")
    return made


def exercise_bike(colour: str = "red") -> Thing:
    """An exercise bike in profile along x, its flywheel to the right, its middle on the origin."""
    with thing("exercise bike", colour) as made:
        frame, steel, black = m.paint(colour, 0.3), m.metal("steel", 0.3), m.paint("black", 0.5)
        for x in (-0.48, 0.5):
            box(x, 0, 0, 0.08, 0.5, 0.06, black, bevel=0.02)
        tube([(-0.48, 0, 0.06), (0.0, 0, 0.26), (0.5, 0, 0.06)], 0.035, frame)
        tube([(-0.02, 0, 0.26), (-0.22, 0, 0.72)], 0.035, frame)
        tube([(-0.2, 0, 0.66), (-0.25, 0, 0.93)], 0.022, steel)
        tube([(0.05, 0, 0.3), (0.36, 0, 0.74)], 0.035, frame)
        tube([(0.5, 0, 0.1), (0.36, 0, 0.74), (0.33, 0, 1.0)], 0.03, frame)
        cylinder(0.42, 0, 0.34, 0.25, 0.035, m.metal("iron", 0.3), axis="y", bevel=0.008)
        ring(0.42, 0, 0.34, 0.235, 0.022, m.metal("chrome"), axis="y")
        cylinder(0.42, 0, 0.34, 0.06, 0.06, frame, axis="y")
        sphere(-0.3, 0, 0.96, 0.13, black, scale=(1.0, 0.85, 0.36))
        sphere(-0.15, 0, 0.965, 0.09, black, scale=(1.3, 0.45, 0.36))
        tube([(0.2, -0.2, 1.08), (0.42, -0.22, 1.06), (0.36, -0.1, 1.03), (0.33, 0, 1.0)], 0.018, black)
        tube([(0.2, 0.2, 1.08), (0.42, 0.22, 1.06), (0.36, 0.1, 1.03), (0.33, 0, 1.0)], 0.018, black)
        with tilted(0.38, 0, 1.05, about="Y", by=-60):
            box(0, 0, 0, 0.15, 0.2, 0.025, black)
            box(0, 0, 0.026, 0.11, 0.16, 0.004, m.glow("light blue", 0.8), bevel=0)
        cylinder(-0.03, 0, 0.3, 0.11, 0.05, black, axis="y", bevel=0.01)
        for side in (-1, 1):
            x, z = -0.03 + 0.12 * side, 0.3 - 0.12 * side
            tube([(-0.03, side * 0.05, 0.3), (-0.03, side * 0.08, 0.3), (x, side * 0.08, z)], 0.014, steel)
            box(x, side * 0.14, z - 0.015, 0.1, 0.1, 0.03, black)
    return made


def cross_trainer(colour: str = "blue") -> Thing:
    """A cross-trainer in profile along x, its flywheel to the right, its middle on the origin."""
    with thing("cross-trainer", colour) as made:
        shell, steel, black = m.paint(colour, 0.3), m.metal("steel", 0.3), m.paint("black", 0.5)
        for x in (-0.8, 0.75):
            box(x, 0, 0, 0.09, 0.6, 0.07, black, bevel=0.02)
        box(0, 0, 0.03, 1.6, 0.09, 0.07, shell, bevel=0.02)
        cylinder(0.5, 0, 0.38, 0.34, 0.18, shell, axis="y", bevel=0.04)
        cylinder(0.5, 0, 0.38, 0.2, 0.2, black, axis="y", bevel=0.02)
        tube([(0.42, 0, 0.5), (0.3, 0, 1.5)], 0.04, shell)
        with tilted(0.28, 0, 1.45, about="Y", by=-20):
            box(0, 0, 0, 0.06, 0.34, 0.26, black, bevel=0.02)
            box(-0.032, 0, 0.06, 0.008, 0.24, 0.15, m.glow("light blue", 0.9), bevel=0)
        for side in (-1, 1):
            dz = 0.12 * side
            tube([(0.5 + 0.1 * side, side * 0.16, 0.4 - dz), (-0.75, side * 0.2, 0.3 + dz * 0.3)], 0.025, steel)
            box(-0.3, side * 0.2, 0.34, 0.4, 0.16, 0.04, black, bevel=0.015)
            low, high = (0.32, side * 0.26, 0.3), (0.2 - 0.12 * side, side * 0.28, 1.45)
            tube([low, (0.3, side * 0.27, 0.9), high], 0.022, steel)
            tube([(0.24 - 0.08 * side, side * 0.28, 1.25), high, (high[0] - 0.08, high[1], 1.5)], 0.028, black)
    return made


def rower(colour: str = "black") -> Thing:
    """A rowing machine in profile along x, its fan to the right, its middle on the origin."""
    with thing("rowing machine", colour) as made:
        shell, steel, black = m.paint(colour, 0.35), m.metal("steel", 0.3), m.paint("black", 0.6)
        box(-0.2, 0, 0.36, 1.9, 0.07, 0.06, steel, bevel=0.01)
        tube([(-1.05, -0.18, 0), (-1.05, 0, 0.36), (-1.05, 0.18, 0)], 0.025, black)
        tube([(0.9, -0.3, 0.02), (0.9, 0.3, 0.02)], 0.03, black)
        tube([(0.9, 0, 0.02), (0.8, 0, 0.36)], 0.03, black)
        cylinder(0.95, 0, 0.38, 0.27, 0.2, shell, axis="y", bevel=0.04)
        for r in (0.1, 0.16, 0.22):
            ring(0.95, -0.1, 0.38, r, 0.008, steel, axis="y")
        cushion(-0.4, 0, 0.43, 0.26, 0.34, 0.08, black)
        for side in (-1, 1):
            with tilted(0.45, side * 0.14, 0.36, about="Y", by=-40):
                box(0, 0, 0, 0.03, 0.12, 0.3, black)
        tube([(0.72, -0.22, 0.55), (0.72, 0.22, 0.55)], 0.018, black)
        tube([(0.72, 0, 0.55), (0.85, 0, 0.5)], 0.005, steel)
        tube([(0.85, 0, 0.6), (0.75, 0, 0.98)], 0.018, black)
        box(0.73, 0, 0.95, 0.03, 0.2, 0.16, black)
    return made


def _plate(x: float, radius: float, colour: str, thick: float = 0.035) -> None:
    paint = m.paint(colour, 0.45)
    cylinder(x, 0, 0, radius, thick, paint, axis="x", bevel=0.008)
    cylinder(
        x,
        0,
        0,
        radius * 0.62,
        thick + 0.008,
        m.paint("dark grey" if colour != "dark grey" else "black", 0.5),
        axis="x",
        bevel=0.004,
    )
    cylinder(x, 0, 0, 0.045, thick + 0.014, m.metal("steel"), axis="x")


def _bar(plates: Sequence[str], length: float = 2.1) -> None:
    """A bar along x through the origin with plates of colours, the innermost first; part of whatever is being built."""
    steel = m.metal("chrome")
    tube([(-length / 2, 0, 0), (length / 2, 0, 0)], 0.014, steel)
    for end in (-1, 1):
        cylinder(end * (length / 2 - 0.19), 0, 0, 0.025, 0.38, steel, axis="x")
        x = length / 2 - 0.36
        cylinder(end * (x - 0.02), 0, 0, 0.04, 0.02, steel, axis="x")
        for colour in plates:
            _plate(end * (x + 0.02), WEIGHTS[colour], colour)
            x += 0.042
        cylinder(end * (x + 0.02), 0, 0, 0.034, 0.03, m.metal("iron"), axis="x")


def barbell(plates: Sequence[str] = ("red", "yellow")) -> Thing:
    """A barbell lying on the floor along x, its middle above the origin."""
    with thing("barbell", *plates) as made, at(0, 0, max(WEIGHTS[c] for c in plates)):
        _bar(plates)
    return made


def bench_press(colour: str = "red", plates: Sequence[str] = ("black", "red")) -> Thing:
    """A padded bench under a barbell in its uprights, its back at +y, its middle on the origin."""
    with thing("weight bench", colour) as made:
        steel, pad = m.paint("dark grey", 0.35), m.paint(colour, 0.55)
        cushion(0, -0.2, 0.4, 0.32, 1.25, 0.09, pad, soft=0.35)
        tube([(0, -0.7, 0.36), (0, 0.45, 0.36)], 0.035, steel)
        tube([(0, -0.7, 0.36), (0, -0.7, 0.03)], 0.035, steel)
        tube([(-0.28, -0.7, 0.03), (0.28, -0.7, 0.03)], 0.035, steel)
        tube([(-0.6, 0.45, 0.03), (0.6, 0.45, 0.03)], 0.035, steel)
        tube([(-0.5, 0.45, 0.36), (0.5, 0.45, 0.36)], 0.035, steel)
        for end in (-1, 1):
            box(end * 0.5, 0.45, 0, 0.07, 0.07, 1.12, steel)
            tube([(end * 0.5, 0.4, 1.03), (end * 0.5, 0.32, 1.03), (end * 0.5, 0.3, 1.09)], 0.02, m.metal("chrome"))
        with thing("barbell", *plates), at(0, 0.35, 1.075):
            _bar(plates)
    return made


def power_rack(
    colour: str = "red", plates: Sequence[str] = ("black", "black", "yellow"), *, height: float = 2.2
) -> Thing:
    """A cage of four posts with a barbell across its front, its middle on the origin, open towards -y."""
    with thing("power rack", colour) as made:
        paint = m.paint(colour, 0.35)
        for dx in (-0.6, 0.6):
            for y in (-0.55, 0.55):
                box(dx, y, 0, 0.08, 0.08, height, paint)
                for i in range(10):
                    cylinder(dx, y - 0.041, 0.5 + 0.13 * i, 0.014, 0.004, m.paint("black", 0.6), axis="y", sides=12)
            for z in (0.0, height - 0.08):
                box(dx, 0, z, 0.08, 1.1, 0.08, paint)
            tube([(dx, -0.55, 0.75), (dx, 0.55, 0.75)], 0.025, m.metal("steel"))
            box(dx, -0.66, 1.28, 0.06, 0.14, 0.05, m.paint("black", 0.5))
            box(dx, -0.72, 1.3, 0.06, 0.03, 0.09, m.paint("black", 0.5))
        for y in (-0.55, 0.55):
            tube([(-0.6, y, height - 0.04), (0.6, y, height - 0.04)], 0.022, m.metal("chrome"))
        box(0, 0.55, 0, 1.2, 0.08, 0.08, paint)
        with thing("barbell", *plates), at(0, -0.665, 1.345):
            _bar(plates)
    return made


def _dumbbell(size: float, colour: str) -> None:
    """A dumbbell along y, resting at the origin; part of whatever is being built."""
    cylinder(0, 0, size, 0.016, 0.2, m.metal("chrome"), axis="y")
    for end in (-1, 1):
        cylinder(
            0,
            end * 0.11,
            size,
            size,
            0.08,
            m.paint(colour, 0.5),
            axis="y",
            sides=6 if colour != "black" else 24,
            bevel=0.006,
        )
        cylinder(0, end * 0.152, size, size * 0.55, 0.006, m.metal("steel"), axis="y")


def dumbbell(colour: str = "black", size: float = 0.07, turn: float = 0.0) -> Thing:
    """A dumbbell on the floor."""
    with thing("dumbbell", colour) as made, at(turn=turn):
        _dumbbell(size, colour)
    return made


def dumbbell_rack(
    width: float = 2.0, colours: Sequence[str] = ("black",), *, levels: int = 3, frame: str = "dark grey"
) -> Thing:
    """Dumbbells on sloping shelves, small ones above, its back at y = 0."""
    with thing("dumbbell rack", *colours) as made:
        steel = m.paint(frame, 0.4)
        for dx in (-1, 1):
            prism(
                [(-0.05, 0), (-0.6, 0), (-0.6, 0.08), (-0.16, 0.35 * levels), (-0.05, 0.35 * levels)],
                0.05,
                steel,
                x=dx * (width / 2 - 0.03) - 0.025,
                plane="yz",
            )
        for level in range(levels):
            z, y = 0.2 + 0.33 * level, -0.42 + 0.12 * level
            with tilted(0, y, z, by=14):
                for dy in (-0.1, 0.1):
                    box(0, dy, 0, width - 0.04, 0.06, 0.03, m.metal("steel", 0.35))
                size = 0.095 - 0.018 * level
                count = int((width - 0.12) / (2 * size + 0.03))
                for i in range(count):
                    with at(-width / 2 + 0.06 + (width - 0.12) * (i + 0.5) / count, 0, 0.03):
                        _dumbbell(size, colours[(i * len(colours)) // count if len(colours) > 1 else 0])
    return made


def plate_tree(plates: Sequence[str] = ("red", "blue", "yellow", "black")) -> Thing:
    """Weight plates on a stand facing -y, its middle on the origin."""
    with thing("weight stand", *plates[:2]) as made:
        steel = m.metal("iron", 0.4)
        for y in (-0.25, 0.25):
            tube([(-0.35, y, 0.03), (0.35, y, 0.03)], 0.03, steel)
        tube([(0, -0.25, 0.03), (0, 0.25, 0.03)], 0.03, steel)
        box(0, 0, 0.03, 0.08, 0.08, 1.2, steel)
        spots = ((-0.26, 0.34), (0.26, 0.34), (-0.24, 0.84), (0.24, 0.84), (0, 1.15))
        for (x, z), colour in zip(spots, [*plates, *plates], strict=False):
            tube([(0, 0, z), (x, 0, z), (x, -0.22, z)], 0.022, steel)
            with at(x, 0, z, 90):
                for i in range(3):
                    _plate(-0.06 - 0.042 * i, WEIGHTS[colour] * (1.0 if z < 1 else 0.6), colour)
    return made


def kettlebell(colour: str = "blue", size: float = 0.11) -> Thing:
    """A kettlebell on the floor."""
    with thing("kettlebell", colour) as made:
        paint = m.paint(colour, 0.4)
        sphere(0, 0, size * 0.93, size, paint)
        cylinder(0, 0, 0, size * 0.7, size * 0.3, paint)
        arc = [
            (size * 0.75 * math.cos(a), 0, size * 1.75 + size * 0.75 * math.sin(a))
            for a in [math.pi * i / 12 for i in range(13)]
        ]
        tube([(size * 0.6, 0, size * 1.5), *arc, (-size * 0.6, 0, size * 1.5)], size * 0.16, m.metal("iron", 0.4))
    return made


def exercise_ball(colour: str = "blue", radius: float = 0.33) -> Thing:
    """A large rubber ball with grooves."""
    with thing("exercise ball", colour) as made:
        sphere(0, 0, radius, radius, m.paint(colour, 0.35))
        for i in range(-4, 5):
            z = radius * 0.2 * i
            ring(0, 0, radius + z, math.sqrt(radius**2 - z**2), 0.004, m.paint(colour, 0.3))
    return made


def yoga_mat(colour: str = "purple", *, rolled: bool = False, length: float = 1.8) -> Thing:
    """A mat on the floor along y, or rolled up along x."""
    with thing("mat", colour, *(["rolled"] if rolled else [])) as made:
        rubber = m.paint(colour, 0.8)
        if rolled:
            cylinder(0, 0, 0.065, 0.065, 0.6, rubber, axis="x")
            for end in (-1, 1):
                for i in (1, 2, 3):
                    ring(end * 0.3, 0, 0.065, 0.016 * i, 0.003, m.paint("dark grey"), axis="x")
        else:
            box(0, 0, 0, 0.62, length, 0.012, rubber, bevel=0.004)
    return made


def wall_mirror(width: float, height: float, panes: int = 2) -> Thing:
    """A mirror on the wall at y = 0, in panes, its lower edge at the origin."""
    with thing("mirror", "large") as made:
        for i in range(panes):
            box(
                -width / 2 + width * (i + 0.5) / panes,
                -0.01,
                0,
                width / panes - 0.006,
                0.016,
                height,
                m.mirror(),
                bevel=0.002,
            )
        for z in (-0.02, height):
            box(0, -0.012, z, width + 0.04, 0.028, 0.02, m.metal("steel"))
    return made


def punching_bag(colour: str = "red", ceiling: float = 2.8, *, drop: float = 0.75, length: float = 1.15) -> Thing:
    """A punching bag hanging from the ceiling above the origin."""
    with thing("punching bag", colour) as made:
        top = ceiling - drop
        cylinder(0, 0, top - length, 0.18, length, m.paint(colour, 0.45), bevel=0.03)
        for z in (top - length + 0.12, top - 0.14):
            cylinder(0, 0, z, 0.183, 0.05, m.paint("black", 0.5))
        for i in range(4):
            a = math.pi / 2 * i + 0.4
            tube([(0.17 * math.cos(a), 0.17 * math.sin(a), top), (0, 0, top + 0.3)], 0.006, m.metal("chrome"))
        tube([(0, 0, top + 0.3), (0, 0, ceiling)], 0.01, m.metal("chrome"))
    return made


def cable_machine(colour: str = "grey", *, width: float = 1.3) -> Thing:
    """A weight machine: a frame with a stack of weights, a bar on a cable and a seat; its back at y = 0."""
    with thing("weight machine", colour) as made:
        frame, steel, pad = m.paint(colour, 0.3), m.metal("chrome"), m.paint("black", 0.6)
        for dx in (-1, 1):
            box(dx * width / 4, -0.15, 0, 0.08, 0.1, 2.1, frame)
        box(0, -0.4, 2.1, width / 2 + 0.1, 0.6, 0.09, frame)
        box(0, -0.6, 0, 0.1, 1.2, 0.07, frame)
        for i in range(12):
            box(0, -0.15, 0.12 + 0.062 * i, width / 2 - 0.1, 0.12, 0.055, m.paint((0.05, 0.05, 0.055), 0.5))
            box(0.06, -0.212, 0.14 + 0.062 * i, 0.04, 0.004, 0.02, m.paint("white"), bevel=0)
        for dx in (-0.12, 0.12):
            tube([(dx, -0.15, 0.1), (dx, -0.15, 2.1)], 0.012, steel)
        tube([(0, -0.65, 2.1), (0, -0.65, 1.8)], 0.006, m.paint("black"))
        tube([(-0.5, -0.65, 1.68), (-0.3, -0.65, 1.8), (0.3, -0.65, 1.8), (0.5, -0.65, 1.68)], 0.017, steel)
        for end in (-1, 1):
            tube([(end * 0.5, -0.65, 1.68), (end * 0.38, -0.65, 1.75)], 0.022, pad)
        cushion(0, -0.85, 0.45, 0.42, 0.36, 0.09, m.paint(colour if colour != "grey" else "red", 0.5))
        box(0, -0.85, 0.05, 0.08, 0.08, 0.42, frame)
        for dx in (-0.14, 0.14):
            cylinder(dx, -0.62, 0.66, 0.075, 0.2, pad, axis="x", bevel=0.02)
        tube([(0, -0.62, 0.07), (0, -0.62, 0.66)], 0.025, frame)
    return made


def wall_bars(width: float = 0.9, height: float = 2.4) -> Thing:
    """Gymnastic wall bars at y = 0."""
    with thing("wall bars", "light brown", "wooden") as made:
        for dx in (-1, 1):
            box(dx * width / 2, -0.08, 0, 0.035, 0.14, height, m.wood("pine", along="z"))
        for i in range(int(height / 0.15)):
            cylinder(0, -0.11, 0.12 + 0.15 * i, 0.018, width, m.wood("oak"), axis="x")
    return made


# Swimming pools


def pool(
    x: float,
    y: float,
    width: float,
    length: float,
    *,
    floor: float = 0.0,
    lanes: int = 0,
    tint: tuple[float, float, float] | None = None,
    deep: float = 1.3,
    level: float = 0.1,
    edge: str = "white",
    ropes: tuple[str, str] = ("red", "white"),
) -> Thing:
    """Water in a basin of tiles whose corner (least x and y) is given, lanes along y; the floor needs a hole for it."""
    with thing("swimming pool", "blue") as made:
        tiles = m.tiles((0.3, 0.68, 0.8), (0.5, 0.8, 0.88), 0.3, 0.15)
        side = m.tiles((0.3, 0.68, 0.8), (0.5, 0.8, 0.88), 0.3, 0.15, plane="yz")
        back = m.tiles((0.3, 0.68, 0.8), (0.5, 0.8, 0.88), 0.3, 0.15, plane="xz")
        mx, my = x + width / 2, y + length / 2
        box(mx, my, floor - deep - 0.1, width, length, 0.1, tiles, bevel=0)
        for end in (-1, 1):
            box(mx + end * (width / 2 + 0.042), my, floor - deep, 0.1, length + 0.2, deep - 0.005, side, bevel=0)
            box(mx, my + end * (length / 2 + 0.042), floor - deep, width + 0.2, 0.1, deep - 0.005, back, bevel=0)
        for i in range(lanes):
            box(
                x + width * (i + 0.5) / lanes,
                my,
                floor - deep,
                0.22,
                length - 2,
                0.004,
                m.paint("dark blue", 0.4),
                bevel=0,
            )
        box(mx, my, floor - level - 0.002, width, length, 0.002, m.pool_water(*([tint] if tint else [])), bevel=0)
        rim = m.paint(edge, 0.5)
        for end in (-1, 1):
            box(mx + end * (width / 2 + 0.1), my, floor - 0.04, 0.24, length - 0.04, 0.055, rim, bevel=0.015)
            box(mx, my + end * (length / 2 + 0.1), floor - 0.04, width + 0.44, 0.24, 0.055, rim, bevel=0.015)
    for i in range(1, lanes):
        with thing("lane rope", *ropes):
            lx = x + width * i / lanes
            count = int(length / 0.3)
            for j in range(count):
                colour = ropes[0] if (j // 3) % 2 == 0 else ropes[1]
                cylinder(
                    lx,
                    y + 0.15 + 0.3 * j,
                    floor - level + 0.015,
                    0.06,
                    0.26,
                    m.paint(colour, 0.4),
                    axis="y",
                    sides=14,
                    bevel=0.015,
                )
    return made


def pool_ladder(width: float = 0.5) -> Thing:
    """A steel ladder into the water: the pool lies towards -y of the origin, its edge at y = 0."""
    with thing("pool ladder", "metal") as made:
        steel = m.metal("chrome")
        for dx in (-1, 1):
            arc = [
                (dx * width / 2, 0.45 - 0.27 * (1 - math.cos(a)), 0.62 + 0.24 * math.sin(a))
                for a in [math.pi * i / 10 for i in range(11)]
            ]
            tube(
                [(dx * width / 2, 0.45, 0), *arc, (dx * width / 2, -0.1, 0.4), (dx * width / 2, -0.1, -1.1)],
                0.024,
                steel,
            )
        for z in (0.0, -0.28, -0.56, -0.84):
            box(0, -0.1, z - 0.06, width, 0.09, 0.03, steel)
    return made


def starting_block(number: int, colour: str = "blue") -> Thing:
    """A starting block with its number, the pool towards +y of the origin: its back, with the number, faces -y."""
    with thing("starting block", "white", colour) as made:
        paint = m.paint(colour, 0.4)
        box(0, -0.28, 0, 0.42, 0.4, 0.62, m.paint("white", 0.4), bevel=0.02)
        with tilted(0, -0.28, 0.62, by=-9):
            box(0, 0, 0, 0.52, 0.58, 0.05, paint, bevel=0.015)
            box(0, 0, 0.05, 0.46, 0.5, 0.006, m.paint("dark grey", 0.9), bevel=0)
        box(0, -0.49, 0.18, 0.34, 0.02, 0.36, paint, bevel=0.006)
        lettering(0, -0.505, 0.24, str(number), 0.32, m.paint("white", 0.4))
        tube([(-0.16, 0.0, 0.6), (-0.16, 0.06, 0.48), (0.16, 0.06, 0.48), (0.16, 0.0, 0.6)], 0.014, m.metal("chrome"))
        box(0, -0.6, 0, 0.4, 0.22, 0.2, m.paint("white", 0.4), bevel=0.015)
    return made


def lounger(colour: str = "white", pad: str | None = "light blue", *, back: float = 40.0) -> Thing:
    """A sun lounger along y, its feet towards -y, its middle on the origin."""
    with thing("lounger", pad or colour) as made:
        frame = m.paint(colour, 0.35) if colour in m.COLOURS else m.wood(colour)
        for dx in (-0.3, 0.3):
            box(dx, 0, 0.26, 0.05, 1.9, 0.06, frame)
            for y in (-0.8, 0.35):
                box(dx, y, 0, 0.05, 0.06, 0.3, frame)
        for i in range(10):
            box(0, -0.9 + 0.13 * i, 0.3, 0.6, 0.09, 0.02, frame)
        if pad:
            cushion(0, -0.32, 0.32, 0.58, 1.24, 0.08, m.fabric(pad))
        with tilted(0, 0.32, 0.3, by=back):
            box(0, 0.34, 0, 0.6, 0.66, 0.025, frame)
            if pad:
                cushion(0, 0.34, 0.025, 0.58, 0.68, 0.08, m.fabric(pad))
                cushion(0, 0.52, 0.1, 0.42, 0.2, 0.08, m.fabric("white"))
    return made


def parasol(colour: str = "red", second: str = "white", *, height: float = 2.4, radius: float = 1.3) -> Thing:
    """An open parasol in two colours, its foot on the origin."""
    with thing("parasol", colour, second) as made:
        state("open")
        cylinder(0, 0, 0, 0.26, 0.08, m.concrete(), bevel=0.02)
        cylinder(0, 0, 0, 0.022, height + 0.06, m.wood("oak", along="z"))
        for i in range(8):
            a, b = math.pi / 4 * i, math.pi / 4 * (i + 1)
            bm = bmesh.new()
            points = [
                (0, 0, height),
                (radius * math.cos(a), radius * math.sin(a), height - 0.5),
                (radius * math.cos(b), radius * math.sin(b), height - 0.5),
            ]
            drop = [(px * 1.0, py * 1.0, pz - 0.14) for px, py, pz in points[1:]]
            verts = [bm.verts.new(p) for p in [*points, *drop]]
            bm.faces.new(verts[:3])
            bm.faces.new((verts[1], verts[3], verts[4], verts[2]))
            _mesh(bm, m.fabric(colour if i % 2 == 0 else second), STAGE.frames[-1].Identity(4))
            tube(
                [(0, 0, height - 0.02), (radius * math.cos(a), radius * math.sin(a), height - 0.51)],
                0.01,
                m.metal("steel"),
            )
        sphere(0, 0, height + 0.07, 0.04, m.wood("oak"))
    return made


def lifebuoy(colour: str = "red") -> Thing:
    """A lifebuoy hanging on the wall at y = 0, its middle on the origin."""
    with thing("lifebuoy", colour, "white") as made:
        for i in range(8):
            arc = [math.pi / 4 * (i + t / 6) for t in range(7)]
            tube(
                [(0.28 * math.cos(a), -0.09, 0.28 * math.sin(a)) for a in arc],
                0.085,
                m.paint(colour if i % 2 == 0 else "white", 0.45),
            )
    return made


def diving_board(height: float = 1.0) -> Thing:
    """A springboard reaching out towards -y from its stand at the origin."""
    with thing("diving board", "light blue") as made:
        steel = m.metal("chrome")
        box(0, -0.6, height, 0.5, 3.4, 0.06, m.paint("light blue", 0.5), bevel=0.02)
        for y in (-0.2, 0.9):
            for dx in (-0.2, 0.2):
                tube([(dx, y, 0), (dx, y, height)], 0.035, steel)
        for dx in (-0.32, 0.32):
            tube([(dx, 1.0, 0), (dx, 1.0, height + 0.8), (dx, -0.4, height + 0.8), (dx, -0.4, height)], 0.022, steel)
        for i in range(1, 4):
            box(0, 1.05, height * i / 4, 0.6, 0.14, 0.03, steel)
    return made


def kickboard(colour: str = "red") -> Thing:
    """A swimmer's kickboard lying flat, its middle on the origin."""
    with thing("kickboard", colour) as made:
        outline = [(-0.14, -0.2), (0.14, -0.2), (0.14, 0.08), (0.1, 0.17), (0, 0.21), (-0.1, 0.17), (-0.14, 0.08)]
        prism(outline, 0.04, m.paint(colour, 0.6), bevel=0.012)
    return made


def swim_ring(colour: str = "pink", second: str = "white") -> Thing:
    """An inflated ring lying on the water or floor."""
    with thing("swim ring", colour, second) as made:
        for i in range(8):
            arc = [math.pi / 4 * (i + t / 6) for t in range(7)]
            tube(
                [(0.36 * math.cos(a), 0.36 * math.sin(a), 0.08) for a in arc],
                0.13,
                m.paint(colour if i % 2 == 0 else second, 0.25),
            )
    return made


def beach_ball(radius: float = 0.2) -> Thing:
    """A ball in bright gores."""
    with thing("ball", "colourful") as made:
        for i, colour in enumerate(("red", "white", "blue", "white", "yellow", "white")):
            profile = [
                (radius * math.sin(math.pi * t / 12), radius - radius * math.cos(math.pi * t / 12)) for t in range(13)
            ]
            _gore(profile, i, 6, colour)
    return made


def _gore(profile: Sequence[tuple[float, float]], index: int, count: int, colour: str) -> None:
    bm = bmesh.new()
    rows = []
    for step in range(7):
        a = 2 * math.pi * (index + step / 6) / count
        rows.append([bm.verts.new((max(r, 1e-4) * math.cos(a), max(r, 1e-4) * math.sin(a), z)) for r, z in profile])
    for one, two in pairwise(rows):
        for j in range(len(profile) - 1):
            bm.faces.new((one[j], two[j], two[j + 1], one[j + 1]))
    _mesh(bm, m.paint(colour, 0.3), STAGE.frames[-1].Identity(4), smooth=True)
