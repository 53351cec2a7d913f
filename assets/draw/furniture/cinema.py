"""What makes a cinema: rows of folding seats, the film on the screen, popcorn, lights along the aisle."""

from __future__ import annotations

import math
from random import Random

from draw import materials as m
from draw.stage import (
    Thing,
    at,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    lettering,
    prism,
    ring,
    scenery,
    sheet,
    sphere,
    state,
    thing,
    tilted,
    tube,
)

PITCH = 0.58
"""Width of a seat in a row."""


def _seat(colour: str, *, folded: bool = True) -> None:
    """One folding seat facing -y, without its arms, its middle on the origin."""
    cloth, shell = m.fabric(colour), m.fabric(tuple(0.55 * c for c in m.rgb(colour)))
    with tilted(0, 0.12, 0.36, by=-9):
        cushion(0, 0, 0, 0.48, 0.1, 0.68, cloth, soft=0.4)
        box(0, 0.06, 0.05, 0.44, 0.02, 0.56, shell, bevel=0.009)
    if folded:
        cushion(0, -0.0, 0.34, 0.46, 0.11, 0.42, cloth, tilt=-12, soft=0.4)
    else:
        cushion(0, -0.14, 0.36, 0.47, 0.46, 0.13, cloth, soft=0.4)


def seat_row(count: int, colour: str, *, down: tuple[int, ...] = ()) -> Thing:
    """A row of folding seats facing -y, its middle on the origin; the seats numbered in `down` are folded down."""
    with thing("row of seats", colour) as made:
        dark = m.paint((0.03, 0.03, 0.035), 0.4)
        for i in range(count + 1):
            x = (i - count / 2) * PITCH
            box(x, -0.02, 0, 0.05, 0.34, 0.56, dark)
            box(x, -0.08, 0.56, 0.09, 0.42, 0.05, dark, bevel=0.015)
            cylinder(x, -0.22, 0.607, 0.036, 0.004, m.metal("steel"), sides=20)
        for i in range(count):
            with at((i + 0.5 - count / 2) * PITCH):
                _seat(colour, folded=i not in down)
    return made


def lounge_seat(colour: str) -> Thing:
    """A wide padded cinema armchair facing -y, its middle on the origin; its arms are 0.62 high."""
    with thing("cinema seat", colour) as made:
        cloth = m.fabric(colour)
        cushion(0, -0.12, 0.12, 0.62, 0.72, 0.34, cloth, soft=0.3)
        with tilted(0, 0.26, 0.3, by=-10):
            cushion(0, 0, 0, 0.66, 0.2, 0.78, cloth, soft=0.42)
            cushion(0, -0.1, 0.5, 0.5, 0.12, 0.22, cloth, soft=0.45)
        for x in (-0.41, 0.41):
            cushion(x, -0.08, 0, 0.2, 0.86, 0.62, cloth, soft=0.3)
            cylinder(x, -0.36, 0.6, 0.05, 0.025, m.metal("steel"))
    return made


def popcorn(rng: Random, size: float = 1.0) -> Thing:
    """A striped bucket of popcorn, standing at the origin."""
    with thing("popcorn", "red and white") as made:
        state("striped")
        low, high, tall = 0.07 * size, 0.105 * size, 0.2 * size
        cylinder(0, 0, 0, low, tall, m.paint("white", 0.6), top=high)
        for i in range(9):
            angles = [math.radians(40 * i), math.radians(40 * i + 20)]
            corners = [
                (low + 0.001, angles[0], 0),
                (low + 0.001, angles[1], 0),
                (high + 0.001, angles[1], tall),
                (high + 0.001, angles[0], tall),
            ]
            a, b, c, d = ((r * math.cos(t), r * math.sin(t), z) for r, t, z in corners)
            for k in range(5):
                u, v = k / 5 + 0.1, k / 5 + 0.1
                tube(
                    [
                        tuple(p + (q - p) * u for p, q in zip(a, b, strict=True)),
                        tuple(p + (q - p) * v for p, q in zip(d, c, strict=True)),
                    ],
                    0.0046 * size,
                    m.paint("red", 0.6),
                )
        for _ in range(42):
            a, r = rng.uniform(0, 6.3), high * math.sqrt(rng.random())
            z = tall + 0.06 * size * (1 - r / high) * rng.random()
            hue = (0.9, 0.8, 0.45) if rng.random() < 0.35 else (0.92, 0.88, 0.72)
            sphere(r * math.cos(a), r * math.sin(a), z, 0.021 * size, m.paint(hue, 0.9), scale=(1, 0.85, 0.8))
    return made


def drink(colour: str = "blue") -> Thing:
    """A paper cup with a lid and a straw, standing at the origin."""
    with thing("paper cup", colour) as made:
        cylinder(0, 0, 0, 0.032, 0.15, m.paint(colour, 0.5), top=0.045)
        cylinder(0, 0, 0.15, 0.047, 0.012, m.paint("white", 0.4))
        tube([(0, 0, 0.15), (0.005, 0, 0.24), (0.05, 0, 0.27)], 0.005, m.paint("red"))
    return made


def film_screen(width: float, film: str, rng: Random, *, shine: float = 1.0) -> Thing:
    """A cinema's screen with a film on it (see `_Film`), its foot at z = 0."""
    height = width / 2.2
    with thing("screen", "big", "lit") as made:
        state(FILMS[film])
        box(0, 0.03, -0.12, width + 0.24, 0.06, height + 0.24, m.paint("black", 0.9), bevel=0)
        with at(0, -0.01):
            _Film(width, height, shine, rng).show(film)
    return made


FILMS = {
    "sunset": "showing a sailing boat with a white sail on the sea, mountains and a sunset",
    "space": "showing a white and red rocket, an orange planet with a ring, a moon and stars",
    "countdown": "showing a countdown with the number 3",
    "western": "showing a desert with 2 cactuses, rocks, a road and the sun",
    "fish": "showing 3 fish and seaweed under water",
    "city": "showing a city at night with a moon",
}
"""What a viewer says of the films."""


class _Film:
    """Pictures of flat shining shapes, each a little before the last: sunset, space, countdown, western, fish, city."""

    def __init__(self, width: float, height: float, shine: float, rng: Random) -> None:
        self.width, self.height, self.shine, self.rng, self.layer = width, height, shine, rng, 0.0

    def _ink(self, colour: str | m.RGB, shine: float | None = None) -> object:
        self.layer -= 0.004
        return m.glow(m.rgb(colour), (shine or 1.0) * self.shine)

    def _band(self, low: float, high: float, colour: str | m.RGB, shine: float | None = None) -> None:
        ink = self._ink(colour, shine)
        box(0, self.layer, low * self.height, self.width, 0.003, (high - low) * self.height, ink, bevel=0)

    def _shape(self, points: list[tuple[float, float]], colour: str | m.RGB, shine: float | None = None) -> None:
        ink = self._ink(colour, shine)
        prism([(x * self.width, z * self.height) for x, z in points], 0.003, ink, y=self.layer, plane="xz")

    def _disc(
        self, x: float, z: float, radius: float, colour: str | m.RGB, shine: float | None = None, flat: float = 1.0
    ) -> None:
        turn = [2 * math.pi * i / 40 for i in range(40)]
        r, wide = radius, radius * self.height / self.width
        self._shape([(x + wide * math.cos(a), z + r * flat * math.sin(a)) for a in turn], colour, shine)

    def show(self, film: str) -> None:
        """Draw one of the films."""
        getattr(self, f"_{film}")()

    def _sunset(self) -> None:
        for low, high, hue in (
            (0.36, 0.55, (1.0, 0.5, 0.08)),
            (0.55, 0.75, (0.95, 0.32, 0.1)),
            (0.75, 1.0, (0.5, 0.16, 0.3)),
        ):
            self._band(low, high, hue)
        self._disc(0.12, 0.44, 0.2, (1.0, 0.85, 0.3), 1.6)
        self._shape(
            [(-0.5, 0.36), (-0.5, 0.6), (-0.38, 0.78), (-0.25, 0.52), (-0.14, 0.64), (0.02, 0.36)], (0.16, 0.05, 0.16)
        )
        self._shape([(0.2, 0.36), (0.34, 0.56), (0.42, 0.5), (0.5, 0.62), (0.5, 0.36)], (0.22, 0.06, 0.14))
        self._band(0.0, 0.36, (0.05, 0.09, 0.28))
        for i in range(7):
            wide = 0.03 + 0.014 * i
            z = 0.33 - 0.045 * i
            self._shape(
                [(0.12 - wide, z), (0.12 + wide, z), (0.12 + wide, z - 0.018), (0.12 - wide, z - 0.018)],
                (1.0, 0.6, 0.2),
            )
        self._shape([(-0.3, 0.2), (-0.26, 0.14), (-0.12, 0.14), (-0.07, 0.2)], (0.05, 0.02, 0.03))
        self._shape([(-0.19, 0.21), (-0.19, 0.5), (-0.08, 0.22)], (0.9, 0.86, 0.8))

    def _space(self) -> None:
        self._band(0, 1, (0.008, 0.012, 0.05))
        for _ in range(70):
            self._disc(
                self.rng.uniform(-0.49, 0.49),
                self.rng.uniform(0.02, 0.98),
                self.rng.uniform(0.003, 0.009),
                "white",
                1.4,
            )
        self._disc(0.2, 0.55, 0.3, (0.85, 0.36, 0.08))
        self._disc(0.17, 0.61, 0.22, (0.95, 0.52, 0.16))
        self._shape([(0.0, 0.43), (0.41, 0.66), (0.425, 0.63), (0.01, 0.39)], (0.85, 0.75, 0.6))
        self._disc(-0.4, 0.82, 0.08, (0.5, 0.55, 0.62))
        self._shape([(-0.34, 0.2), (-0.16, 0.5), (-0.09, 0.64), (-0.11, 0.49), (-0.28, 0.15)], "white")
        self._shape([(-0.16, 0.5), (-0.09, 0.64), (-0.11, 0.49)], (0.8, 0.05, 0.04))
        self._shape([(-0.33, 0.21), (-0.37, 0.27), (-0.27, 0.32)], (0.8, 0.05, 0.04))
        self._shape([(-0.29, 0.15), (-0.25, 0.1), (-0.23, 0.22)], (0.8, 0.05, 0.04))
        self._shape([(-0.34, 0.2), (-0.45, 0.02), (-0.28, 0.15)], (1.0, 0.6, 0.1), 1.8)

    def _countdown(self) -> None:
        self._band(0, 1, (0.62, 0.6, 0.54))
        self._shape([(0, 0.5), (0, 1.0), (0.5, 1.0), (0.5, 0.5)], (0.42, 0.4, 0.36))
        for r in (0.42, 0.34):
            ink = self._ink((0.04, 0.04, 0.04), 0.2)
            ring(0, self.layer, 0.5 * self.height, r * self.height, 0.012 * self.height, ink, axis="y")
        for points in (
            [(-0.5, 0.494), (0.5, 0.494), (0.5, 0.506), (-0.5, 0.506)],
            [(-0.003, 0), (0.003, 0), (0.003, 1), (-0.003, 1)],
        ):
            self._shape(points, (0.04, 0.04, 0.04), 0.2)
        ink = self._ink((0.02, 0.02, 0.02), 0.1)
        with at(0, self.layer):
            lettering(-0.01 * self.width, 0, 0.3 * self.height, "3", 0.56 * self.height, ink)

    def _western(self) -> None:
        self._band(0.4, 1, (0.25, 0.62, 0.85))
        self._disc(-0.32, 0.82, 0.09, (1.0, 0.95, 0.6), 1.6)
        self._shape([(0.05, 0.4), (0.1, 0.72), (0.13, 0.74), (0.3, 0.74), (0.33, 0.7), (0.4, 0.4)], (0.7, 0.22, 0.08))
        self._shape([(-0.42, 0.4), (-0.38, 0.6), (-0.26, 0.6), (-0.22, 0.4)], (0.62, 0.2, 0.09))
        self._band(0.0, 0.42, (0.85, 0.5, 0.2))
        self._shape([(-0.1, 0.0), (0.22, 0.0), (0.09, 0.42), (0.075, 0.42)], (0.95, 0.72, 0.42))
        for x, s in ((-0.3, 1.0), (0.36, 0.7)):
            hue = (0.05, 0.26, 0.07)
            self._shape(
                [
                    (x - 0.02 * s, 0.12),
                    (x + 0.02 * s, 0.12),
                    (x + 0.02 * s, 0.12 + 0.5 * s),
                    (x, 0.12 + 0.54 * s),
                    (x - 0.02 * s, 0.12 + 0.5 * s),
                ],
                hue,
            )
            for side in (-1, 1):
                self._shape(
                    [
                        (x, 0.12 + 0.2 * s),
                        (x + side * 0.07 * s, 0.12 + 0.2 * s),
                        (x + side * 0.07 * s, 0.12 + 0.42 * s),
                        (x + side * 0.045 * s, 0.12 + 0.42 * s),
                        (x + side * 0.045 * s, 0.12 + 0.27 * s),
                        (x, 0.12 + 0.27 * s),
                    ][::side],
                    hue,
                )

    def _fish(self) -> None:
        for i in range(5):
            self._band(i / 5, (i + 1) / 5, (0.01, 0.1 + 0.09 * i, 0.3 + 0.11 * i))
        self._shape([(-0.5, 0), (-0.5, 0.14), (-0.2, 0.08), (0.1, 0.15), (0.5, 0.06), (0.5, 0)], (0.75, 0.6, 0.3))
        for x, tall in ((-0.42, 0.5), (-0.36, 0.36), (0.4, 0.46), (0.34, 0.3), (0.45, 0.3)):
            points = [
                (x + 0.012 * math.sin(9 * t) - 0.01 * (1 - t), 0.05 + tall * t) for t in (i / 8 for i in range(9))
            ]
            self._shape(points + [(a + 0.02 * (1.05 - b / tall), b) for a, b in reversed(points)], (0.04, 0.42, 0.1))
        for x, z, s, hue in (
            (0.02, 0.55, 0.24, (1.0, 0.36, 0.02)),
            (-0.28, 0.72, 0.11, (0.9, 0.75, 0.05)),
            (0.3, 0.74, 0.1, (0.75, 0.08, 0.3)),
        ):
            w = s * self.height / self.width
            self._shape([(x + w * 0.9, z), (x + w * 1.7, z + s * 0.55), (x + w * 1.7, z - s * 0.55)], hue)
            self._disc(x, z, s, hue, flat=0.66)
            if s > 0.2:
                for dx in (-0.3, 0.45):
                    self._shape(
                        [
                            (x + w * (dx - 0.1), z - s * 0.56),
                            (x + w * (dx + 0.1), z - s * 0.56),
                            (x + w * (dx + 0.1), z + s * 0.56),
                            (x + w * (dx - 0.1), z + s * 0.56),
                        ],
                        "white",
                    )
            self._disc(x - w * 0.6, z + s * 0.18, s * 0.13, "white")
            self._disc(x - w * 0.63, z + s * 0.18, s * 0.07, (0.0, 0.0, 0.0), 0.05)
        for _ in range(12):
            self._disc(
                self.rng.uniform(-0.3, 0.1),
                self.rng.uniform(0.3, 0.95),
                self.rng.uniform(0.008, 0.02),
                (0.6, 0.85, 1.0),
            )

    def _city(self) -> None:
        self._band(0, 1, (0.03, 0.06, 0.25))
        self._band(0, 0.3, (0.14, 0.1, 0.36))
        self._disc(0.3, 0.75, 0.15, (0.95, 0.92, 0.75), 1.5)
        x = -0.5
        while x < 0.48:
            wide, tall = self.rng.uniform(0.06, 0.11), self.rng.uniform(0.2, 0.55)
            wide = min(wide, 0.5 - x)
            self._shape([(x, 0), (x + wide, 0), (x + wide, tall), (x, tall)], (0.01, 0.012, 0.04))
            for i in range(3):
                for j in range(int(tall / 0.08)):
                    if self.rng.random() < 0.6:
                        a, b = x + wide * (0.15 + 0.28 * i), 0.03 + 0.08 * j
                        self._shape(
                            [(a, b), (a + wide * 0.15, b), (a + wide * 0.15, b + 0.035), (a, b + 0.035)],
                            (1.0, 0.75, 0.25),
                        )
            x += wide
        ink = self._ink("white", 1.3)
        with at(0, self.layer):
            lettering(-0.05 * self.width, 0, 0.66 * self.height, "THE END", 0.2 * self.height, ink)


def stage_curtains(width: float, height: float, colour: str = "dark red", *, share: float = 0.16) -> None:
    """Heavy curtains at both sides of a screen of a width, hanging from y = 0, with a short one over it."""
    cloth = m.fabric(colour)
    side = width * share
    for end in (-1, 1):
        with thing("curtain", colour):
            sheet(end * (width / 2 + side * 0.4), -0.16, 0, side, height, cloth, folds=7, swing=0.09)
    with thing("curtain", colour, "short"):
        sheet(0, -0.24, height - 0.55, width + 1.7 * side, 0.6, cloth, folds=26, swing=0.06)


def side_lamp(colour: m.RGB = (1.0, 0.6, 0.25), power: float = 14.0) -> Thing:
    """A lamp that shines up and down a wall at y = 0, its middle at the origin."""
    with thing("wall lamp", "lit") as made:
        lathe(0, -0.06, -0.16, [(0.03, 0), (0.09, 0.16), (0.03, 0.32)], m.metal("brass"), sides=24)
        cylinder(0, -0.06, 0.15, 0.035, 0.02, m.glow(colour, 6.0))
        cylinder(0, -0.06, -0.17, 0.035, 0.02, m.glow(colour, 6.0))
        for z in (0.3, -0.3):
            bulb(0, -0.16, z, power, colour=colour, radius=0.06)
    return made


def step_light(colour: m.RGB = (1.0, 0.7, 0.35)) -> None:
    """A small strip of light at the edge of a step, along x, its middle at the origin (scenery)."""
    with scenery():
        box(0, 0, 0, 0.34, 0.03, 0.03, m.glow(colour, 6.0), bevel=0)
