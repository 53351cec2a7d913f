"""What stands in living rooms beside seats: low tables, fireplaces, sideboards, record players, magazines."""

from __future__ import annotations

import math
from random import Random

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, bulb, cylinder, lathe, part, sphere, thing, tilted, tube


def coffee_table(
    kind: str = "oak", *, width: float = 1.1, depth: float = 0.6, height: float = 0.42, style: str = "board"
) -> Thing:
    """A low table, its middle on the origin. Styles: "board" (with a shelf below), "round" (three legs), "glass"."""
    words = {"round": (WOOD_WORDS[kind], "round", "wooden"), "glass": ("glass",), "board": (WOOD_WORDS[kind], "wooden")}
    with thing("coffee table", *words[style]) as made:
        w = m.wood(kind)
        if style == "round":
            cylinder(0, 0, height - 0.035, width / 2, 0.035, w, bevel=0.012, sides=64)
            for i in range(3):
                a = math.radians(90 + 120 * i)
                x, y = math.cos(a) * width, math.sin(a) * width
                tube([(0.4 * x, 0.4 * y, 0), (0.28 * x, 0.28 * y, height - 0.03)], 0.02, w)
        elif style == "glass":
            box(0, 0, height - 0.02, width, depth, 0.02, m.glass((0.8, 0.93, 0.9)), bevel=0.004)
            bar = m.metal("chrome")
            for dx in (-1, 1):
                x, y = dx * (width / 2 - 0.08), depth / 2 - 0.06
                tube([(x, -y, height - 0.03), (x, -y, 0.015), (x, y, 0.015), (x, y, height - 0.03)], 0.014, bar)
            for y in (-depth / 2 + 0.06, depth / 2 - 0.06):
                tube([(-width / 2 + 0.08, y, height - 0.032), (width / 2 - 0.08, y, height - 0.032)], 0.012, bar)
        else:
            for z, less in ((height - 0.045, 0.0), (0.13, 0.1)):
                box(0, 0, z, width - less, depth - less, 0.04, w, bevel=0.01)
            for dx in (-1, 1):
                for dy in (-1, 1):
                    box(dx * (width / 2 - 0.05), dy * (depth / 2 - 0.05), 0, 0.06, 0.06, height - 0.04, w)
    return made


def side_table(kind: str = "oak", *, height: float = 0.55, radius: float = 0.22) -> Thing:
    """A small round table on one foot, its middle on the origin."""
    with thing("side table", WOOD_WORDS[kind], "round", "wooden") as made:
        w = m.wood(kind)
        profile = [
            (0, 0),
            (radius * 0.75, 0),
            (radius * 0.7, 0.02),
            (0.03, 0.05),
            (0.025, height - 0.05),
            (0.06, height - 0.025),
        ]
        lathe(0, 0, 0, profile, w)
        cylinder(0, 0, height - 0.028, radius, 0.028, w, bevel=0.008)
    return made


def sideboard(kind: str = "walnut", *, width: float = 1.7, height: float = 0.78) -> Thing:
    """A sideboard with doors and drawers on splayed legs; its top is at z = height."""
    with thing("sideboard", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, -0.22, 0.2, width, 0.42, height - 0.2, w, bevel=0.012)
        for dx in (-1, 1):
            for y in (-0.07, -0.37):
                tube([(dx * (width / 2 - 0.12), y, 0), (dx * (width / 2 - 0.2), y, 0.22)], 0.018, w)
            box(dx * width / 3, -0.435, 0.23, width / 3 - 0.03, 0.016, height - 0.27, w, bevel=0.006)
            part("knob", sphere(dx * (width / 6 + 0.06), -0.45, height * 0.6, 0.014, m.metal("brass")))
        tall = (height - 0.27) / 3
        for i in range(3):
            part("drawer", box(0, -0.435, 0.23 + i * tall, width / 3 - 0.03, 0.016, tall - 0.015, w, bevel=0.006))
            part("knob", sphere(0, -0.45, 0.23 + (i + 0.45) * tall, 0.014, m.metal("brass")))
    return made


def fireplace(colour: str = "white", *, width: float = 1.5, brick: bool = False, height: float = 1.15) -> Thing:
    """A burning fireplace with a mantel against the wall; the mantel is at z = height + 0.06."""
    with thing("fireplace", "burning", "brick" if brick else colour) as made:
        stone = m.bricks((0.36, 0.14, 0.08)) if brick else m.paint(colour, 0.5)
        soot = m.mottled((0.03, 0.025, 0.02), (0.07, 0.055, 0.045), 0.1, 0.9)
        hole = width * 0.5
        side = (width - hole) / 2
        for dx in (-1, 1):
            box(dx * (hole + side) / 2, -0.2, 0, side, 0.4, height, stone, bevel=0.01)
            if not brick:
                box(dx * (hole + side) / 2, -0.41, 0.1, side - 0.12, 0.03, height - 0.28, stone, bevel=0.01)
        box(0, -0.2, 0.78, hole, 0.4, height - 0.78, stone, bevel=0.01)
        box(0, -0.03, 0, hole, 0.06, 0.8, soot, bevel=0)
        box(0, -0.24, height, width + 0.2, 0.52, 0.06, m.wood("walnut") if brick else stone, bevel=0.015)
        box(0, -0.35, 0, width + 0.25, 0.75, 0.045, m.paint("dark grey", 0.6), bevel=0.01)
        for x, y, turn in ((-0.05, -0.26, 8), (0.06, -0.16, -10), (0.0, -0.21, 25)):
            with at(x, y, 0.1 + 0.07 * (turn == 25), turn):
                cylinder(0, 0, 0, 0.045, 0.46, m.wood("ebony"), axis="x", bevel=0.006)
        for i in range(9):
            x, tall = -0.16 + 0.04 * i, 0.16 + 0.13 * ((i * 5) % 4) / 3
            glow = m.glow((1.0, 0.32 + 0.08 * (i % 3), 0.05), 5.0)
            lathe(
                x, -0.2 + 0.04 * (i % 2), 0.13, [(0.01, 0), (0.035, tall * 0.25), (0.018, tall * 0.65), (0, tall)], glow
            )
        bulb(0, -0.36, 0.4, 22, colour=(1.0, 0.55, 0.2), radius=0.1)
    return made


def record_player(colour: str = "orange") -> Thing:
    """A record player with a record on it, its arm on the right."""
    with thing("record player", colour) as made:
        box(0, 0, 0, 0.44, 0.35, 0.11, m.paint(colour, 0.35), bevel=0.012)
        cylinder(-0.05, 0, 0.11, 0.155, 0.012, m.paint("black", 0.25), bevel=0.002)
        cylinder(-0.05, 0, 0.122, 0.05, 0.002, m.paint("red", 0.5))
        tube(
            [(0.16, 0.12, 0.12), (0.16, 0.12, 0.15), (0.14, -0.05, 0.15), (0.06, -0.09, 0.132)],
            0.006,
            m.metal("chrome"),
        )
        for x in (0.13, 0.18):
            cylinder(x, -0.14, 0.11, 0.014, 0.015, m.metal("chrome"))
    return made


def magazines(rng: Random, count: int = 3) -> Thing:
    """A few magazines lying on each other about the origin."""
    with thing("magazines") as made:
        for i in range(count):
            a, b = rng.choice([("red", "white"), ("cyan", "yellow"), ("blue", "orange"), ("pink", "green")])
            with at(rng.uniform(-0.05, 0.05), rng.uniform(-0.03, 0.03), 0.008 * i, rng.uniform(-30, 30)):
                box(0, 0, 0, 0.21, 0.28, 0.007, m.paint(a, 0.3), bevel=0.001)
                box(0, -0.03, 0.007, 0.16, 0.14, 0.0006, m.paint(b, 0.3), bevel=0)
                box(0, 0.1, 0.007, 0.18, 0.035, 0.0006, m.paint("white", 0.3), bevel=0)
    return made


def fruit_bowl(colour: str = "white") -> Thing:
    """A bowl of apples and oranges."""
    with thing("bowl of fruit", colour) as made:
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.06, 0), (0.13, 0.06), (0.15, 0.09), (0.142, 0.09), (0.12, 0.06), (0, 0.03)],
            m.paint(colour, 0.2),
        )
        for i, hue in enumerate(("red", "orange", "green", "yellow", "red")):
            a = math.radians(72 * i)
            sphere(0.065 * math.cos(a), 0.065 * math.sin(a), 0.085, 0.042, m.paint(hue, 0.35))
        sphere(0, 0, 0.135, 0.042, m.paint("orange", 0.4))
    return made


def candle(height: float = 0.12) -> Thing:
    """A burning candle on a small plate."""
    with thing("candle", "burning") as made:
        lathe(0, 0, 0, [(0, 0), (0.05, 0), (0.06, 0.012), (0, 0.012)], m.metal("brass"))
        cylinder(0, 0, 0.012, 0.028, height, m.paint("beige", 0.6), bevel=0.005)
        lathe(
            0, 0, height + 0.014, [(0.002, 0), (0.009, 0.012), (0.004, 0.028), (0, 0.038)], m.glow((1.0, 0.6, 0.15), 12)
        )
        bulb(0, 0, height + 0.06, 1.2, radius=0.02)
    return made


def log_basket() -> Thing:
    """A basket of firewood, its middle on the origin."""
    with thing("basket of firewood", "brown") as made:
        lathe(
            0, 0, 0, [(0, 0), (0.2, 0), (0.25, 0.3), (0.24, 0.31), (0.19, 0.03), (0, 0.03)], m.fabric("light brown", 30)
        )
        for i, (x, y, lean) in enumerate(
            ((-0.08, 0.05, 8), (0.06, 0.06, -9), (0.0, -0.07, 4), (0.12, -0.04, -14), (-0.12, -0.05, 13))
        ):
            with tilted(x, y, 0.05, about="Y", by=lean):
                cylinder(0, 0, 0, 0.045, 0.42 + 0.03 * (i % 3), m.wood("walnut", along="z"), bevel=0.004)
                cylinder(0, 0, 0.42 + 0.03 * (i % 3), 0.038, 0.002, m.paint("beige"))
    return made
