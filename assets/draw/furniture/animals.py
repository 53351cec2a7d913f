"""Animals, each grown together from balls along its limbs: cats, a dog, birds and fish.

All stand or lie on the frame's origin and look towards -y unless said otherwise.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from draw import materials as m
from draw.stage import Point, Thing, at, cylinder, part, polygons, sphere, state, thing, tilted, tube

Limb = Sequence[tuple[float, float, float, float]]
"""Points along a limb, each with its radius."""

RINGS, SIDES = 6, 10


def _flesh(limbs: Sequence[Limb], material: Any, *, fine: float = 0.009) -> Any:
    """Grow limbs together to one smooth body."""
    points: list[Point] = []
    faces: list[list[int]] = []
    for limb in limbs:
        for x, y, z, radius in _along(limb):
            _ball(points, faces, x, y, z, radius)
    made = polygons(points, faces, material, smooth=True)
    skin = made.modifiers.new("skin", "REMESH")
    skin.mode, skin.voxel_size, skin.use_smooth_shade = "VOXEL", fine, True
    soft = made.modifiers.new("soft", "SMOOTH")
    soft.factor, soft.iterations = 0.5, 8
    return made


def _along(limb: Limb) -> list[tuple[float, float, float, float]]:
    """Return balls so close to each other along a limb that they make one body."""
    found = [limb[0]]
    for one, two in itertools.pairwise(limb):
        steps = max(1, math.ceil(math.dist(one[:3], two[:3]) / (0.45 * min(one[3], two[3]))))
        for i in range(1, steps + 1):
            x, y, z, radius = (a + (b - a) * i / steps for a, b in zip(one, two, strict=True))
            found.append((x, y, z, radius))
    return found


def _ball(points: list[Point], faces: list[list[int]], x: float, y: float, z: float, radius: float) -> None:
    first = len(points)
    points.append((x, y, z + radius))
    for i in range(1, RINGS):
        up, out = radius * math.cos(math.pi * i / RINGS), radius * math.sin(math.pi * i / RINGS)
        for j in range(SIDES):
            angle = 2 * math.pi * j / SIDES
            points.append((x + out * math.cos(angle), y + out * math.sin(angle), z + up))
    points.append((x, y, z - radius))
    ring = [[first + 1 + i * SIDES + j for j in range(SIDES)] for i in range(RINGS - 1)]
    for j in range(SIDES):
        k = (j + 1) % SIDES
        faces.append([first, ring[0][j], ring[0][k]])
        faces.extend([ring[i][j], ring[i + 1][j], ring[i + 1][k], ring[i][k]] for i in range(RINGS - 2))
        faces.append([ring[-1][k], ring[-1][j], len(points) - 1])


def _both(limb: Limb) -> list[Limb]:
    """Return a limb and its mirror image on the other side."""
    return [limb, [(-x, y, z, radius) for x, y, z, radius in limb]]


def fur(colour: str) -> Any:
    """Fur of a colour, slightly uneven."""
    r, g, b = m.rgb(colour)
    return m.mottled((0.7 * r, 0.66 * g, 0.62 * b), (min(1, 1.2 * r), min(1, 1.2 * g), min(1, 1.2 * b)), 0.03, 0.95)


def _cat_head(coat: Any, eyes: str) -> None:
    """Build a cat's head about the origin, looking towards -y."""
    _flesh(
        [
            [(0, 0, 0, 0.076)],
            *_both([(0.042, -0.033, -0.018, 0.042)]),
            [(0, -0.03, -0.02, 0.05), (0, -0.062, -0.026, 0.03)],
        ],
        coat,
        fine=0.006,
    )
    for side in (-1, 1):
        with tilted(side * 0.042, 0.005, 0.05, about="Y", by=side * 16):
            cylinder(0, 0, -0.01, 0.036, 0.064, coat, top=0.003, sides=20)
            with at(0, -0.012, 0):
                cylinder(0, -0.008, -0.008, 0.025, 0.047, m.paint("pink", 0.8), top=0.003, sides=20)
        part("eye", sphere(side * 0.031, -0.064, 0.014, 0.016, m.paint(eyes, 0.15)))
        sphere(side * 0.0315, -0.0735, 0.014, 0.008, m.paint("black", 0.1), scale=(0.6, 1, 1.5))
        for rise in (-0.008, 0.004):
            tip = (side * 0.11, -0.085, -0.03 + 2.5 * rise)
            tube([(side * 0.02, -0.088, -0.03 + rise), tip], 0.0009, m.paint("white"))
    sphere(0, -0.092, -0.018, 0.0095, m.paint("pink", 0.4), scale=(1.2, 0.8, 0.8))


def sitting_cat(colour: str = "orange", *, chest: str | None = "white", eyes: str = "light green") -> Thing:
    """A cat that sits upright, 0.48 m high."""
    coat = fur(colour)
    with thing("cat", colour, *([chest] if chest else [])) as made:
        state("sitting")
        _flesh(
            [
                [(0, 0.06, 0.11, 0.112), (0, -0.02, 0.2, 0.092), (0, -0.06, 0.27, 0.074), (0, -0.07, 0.34, 0.056)],
                *_both([(0.082, 0.01, 0.085, 0.075), (0.092, -0.07, 0.035, 0.036), (0.092, -0.12, 0.026, 0.03)]),
                *_both([(0.042, -0.08, 0.23, 0.045), (0.042, -0.11, 0.1, 0.029), (0.042, -0.115, 0.03, 0.029)]),
                *_both([(0.042, -0.115, 0.028, 0.03), (0.042, -0.15, 0.024, 0.028)]),
                [
                    (0.0, 0.14, 0.05, 0.03),
                    (0.1, 0.15, 0.034, 0.028),
                    (0.175, 0.06, 0.03, 0.027),
                    (0.18, -0.06, 0.028, 0.025),
                    (0.13, -0.14, 0.026, 0.02),
                ],
            ],
            coat,
        )
        if chest:
            _flesh([[(0, -0.092, 0.3, 0.048), (0, -0.105, 0.23, 0.052), (0, -0.1, 0.17, 0.035)]], fur(chest))
            for side in (-1, 1):
                sphere(side * 0.042, -0.158, 0.024, 0.029, fur(chest), scale=(1, 1, 0.85))
        with at(0, -0.085, 0.405):
            _cat_head(coat, eyes)
    return made


def lying_cat(colour: str = "grey", *, chest: str | None = None, eyes: str = "yellow") -> Thing:
    """A cat that lies along x, its head on the left turned to the viewer at -y, 0.55 m long."""
    coat = fur(colour)
    with thing("cat", colour, *([chest] if chest else [])) as made:
        state("lying")
        _flesh(
            [
                [(0.15, 0.02, 0.105, 0.1), (0.02, 0.02, 0.105, 0.098), (-0.12, 0.01, 0.11, 0.085)],
                [(-0.12, 0.01, 0.12, 0.08), (-0.19, -0.01, 0.17, 0.055)],
                [(0.15, -0.05, 0.08, 0.078), (0.07, -0.1, 0.034, 0.036), (0.0, -0.115, 0.028, 0.03)],
                [(-0.12, -0.05, 0.07, 0.045), (-0.2, -0.08, 0.03, 0.03), (-0.29, -0.09, 0.026, 0.027)],
                [(-0.14, 0.03, 0.06, 0.045), (-0.24, 0.0, 0.03, 0.03), (-0.31, -0.01, 0.026, 0.027)],
                [
                    (0.23, 0.03, 0.07, 0.034),
                    (0.32, -0.02, 0.036, 0.03),
                    (0.31, -0.14, 0.03, 0.027),
                    (0.18, -0.19, 0.028, 0.025),
                    (0.06, -0.19, 0.026, 0.02),
                ],
            ],
            coat,
        )
        if chest:
            for x, y in ((-0.295, -0.092), (-0.312, -0.012)):
                sphere(x, y, 0.027, 0.029, fur(chest), scale=(1.2, 1, 0.85))
            _flesh([[(-0.19, -0.035, 0.13, 0.045), (-0.17, -0.04, 0.09, 0.04)]], fur(chest))
        with at(-0.215, -0.035, 0.205, -28):
            _cat_head(coat, eyes)
    return made


def dog(colour: str = "light brown", *, ears: str = "brown", collar: str = "red", scale: float = 1.0) -> Thing:
    """A dog with hanging ears that sits upright, 0.62 m high."""
    coat, dark = fur(colour), fur(ears)
    with thing("dog", colour) as made, at(scale=scale):
        state("sitting")
        _flesh(
            [
                [(0, 0.1, 0.14, 0.13), (0, 0, 0.26, 0.115), (0, -0.06, 0.36, 0.09), (0, -0.07, 0.46, 0.066)],
                *_both([(0.1, 0.05, 0.1, 0.09), (0.12, -0.06, 0.045, 0.045), (0.125, -0.13, 0.036, 0.04)]),
                *_both([(0.065, -0.09, 0.3, 0.058), (0.062, -0.12, 0.14, 0.04), (0.062, -0.125, 0.04, 0.038)]),
                *_both([(0.062, -0.13, 0.036, 0.04), (0.062, -0.18, 0.032, 0.038)]),
                [(0, 0.2, 0.06, 0.035), (0.12, 0.27, 0.045, 0.03), (0.26, 0.24, 0.05, 0.022)],
            ],
            coat,
        )
        with at(0, -0.085, 0.545):
            _flesh(
                [
                    [(0, 0, 0, 0.094)],
                    *_both([(0.03, -0.03, -0.02, 0.06)]),
                    [(0, -0.06, -0.03, 0.058), (0, -0.15, -0.042, 0.044)],
                ],
                coat,
                fine=0.007,
            )
            for side in (-1, 1):
                _flesh(
                    [
                        [
                            (side * 0.08, 0.0, 0.05, 0.03),
                            (side * 0.115, -0.01, -0.02, 0.034),
                            (side * 0.11, -0.02, -0.1, 0.03),
                        ]
                    ],
                    dark,
                )
                sphere(side * 0.04, -0.083, 0.024, 0.0145, m.paint("dark brown", 0.1))
                sphere(side * 0.042, -0.095, 0.029, 0.004, m.paint("white", 0.1))
            sphere(0, -0.192, -0.026, 0.023, m.paint("black", 0.25), scale=(1.2, 0.8, 0.85))
        with tilted(0, -0.075, 0.445, about="X", by=20):
            part("collar", cylinder(0, 0, -0.012, 0.077, 0.024, m.paint(collar, 0.4), sides=40))
    return made


def bird(colour: str = "yellow", *, beak: str = "orange", scale: float = 1.0) -> Thing:
    """A small bird that stands in profile, its beak to the right, 0.17 m high."""
    coat = m.paint(colour, 0.8)
    dark = m.paint(tuple(0.5 * part for part in m.rgb(colour)), 0.8)
    with thing("bird", colour) as made, at(scale=scale):
        _flesh(
            [
                [(-0.03, 0, 0.085, 0.042), (0.02, 0, 0.1, 0.044), (0.045, 0, 0.145, 0.033)],
                [(-0.04, 0, 0.08, 0.03), (-0.09, 0, 0.06, 0.014), (-0.135, 0, 0.045, 0.011)],
            ],
            coat,
            fine=0.005,
        )
        for side in (-1, 1):
            with tilted(-0.025, side * 0.038, 0.09, about="Y", by=22):
                sphere(0, 0, 0, 0.05, dark, scale=(1.15, 0.22, 0.55))
            sphere(0.058, side * 0.026, 0.155, 0.0065, m.paint("black", 0.1))
            tube([(0, side * 0.016, 0.06), (0.006, side * 0.016, 0.004)], 0.0035, m.paint(beak))
            tube([(-0.012, side * 0.016, 0.004), (0.03, side * 0.016, 0.004)], 0.0035, m.paint(beak))
        with tilted(0.073, 0, 0.143, about="Y", by=95):
            cylinder(0, 0, 0, 0.013, 0.035, m.paint(beak, 0.4), top=0.001, sides=16)
    return made


def fish(colour: str = "orange", *, scale: float = 1.0) -> Thing:
    """A fish that swims to the left (-x), its middle on the origin, 0.12 m long."""
    coat = m.paint(colour, 0.35)
    with thing("fish", colour) as made, at(scale=scale):
        sphere(0, 0, 0, 0.04, coat, scale=(1.15, 0.45, 0.8))
        for rise in (-1, 1):
            polygons([(0.03, 0, 0), (0.085, 0.004, rise * 0.04), (0.07, -0.004, 0)], [[0, 1, 2]], coat)
        polygons([(-0.02, 0, 0.028), (0.03, 0, 0.05), (0.03, 0, 0.018)], [[0, 1, 2]], coat)
        for side in (-1, 1):
            sphere(-0.032, side * 0.012, 0.008, 0.0055, m.paint("white", 0.2))
            sphere(-0.034, side * 0.016, 0.008, 0.0035, m.paint("black", 0.1))
    return made
