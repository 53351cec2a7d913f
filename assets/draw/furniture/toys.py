"""Toys and what else tells a child's room: teddies, blocks, trains, a doll's house, mobiles, a changing table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

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
    lettering,
    part,
    prism,
    ring,
    sphere,
    state,
    surface,
    thing,
    tilted,
    tube,
)

BRIGHT = ("red", "yellow", "blue", "green", "orange", "cyan", "pink")


def teddy(colour: str = "light brown", scale: float = 1.0, *, bow: str | None = "red") -> Thing:
    """A sitting teddy bear looking towards -y, 0.42 m tall."""
    with thing("teddy bear", colour) as made, at(scale=scale):
        state("sitting")
        fur, light = m.fabric(colour, 60), m.fabric("beige", 60)
        sphere(0, 0, 0.13, 0.12, fur, scale=(1, 0.9, 1.12))
        sphere(0, -0.075, 0.12, 0.075, light, scale=(0.9, 0.6, 1.1))
        sphere(0, -0.01, 0.31, 0.1, fur, scale=(1.05, 0.95, 0.95))
        sphere(0, -0.095, 0.285, 0.045, light, scale=(1.1, 0.8, 0.85))
        sphere(0, -0.132, 0.298, 0.014, m.paint("black", 0.3))
        for dx in (-1, 1):
            sphere(dx * 0.08, 0, 0.385, 0.038, fur, scale=(1, 0.6, 1))
            sphere(dx * 0.08, -0.018, 0.385, 0.022, light, scale=(1, 0.6, 1))
            sphere(dx * 0.038, -0.096, 0.33, 0.012, m.paint("black", 0.1))
            sphere(dx * 0.125, -0.05, 0.16, 0.045, fur, scale=(0.8, 1.1, 1.7))
            sphere(dx * 0.085, -0.14, 0.05, 0.05, fur, scale=(1, 1.9, 1))
            sphere(dx * 0.095, -0.225, 0.06, 0.045, light, scale=(0.95, 0.5, 1.15))
        if bow:
            loops = [sphere(0, -0.11, 0.227, 0.018, m.fabric(bow))]
            for dx in (-1, 1):
                with tilted(dx * 0.035, -0.1, 0.225, about="Y", by=dx * 20):
                    loops.append(box(0, 0, -0.02, 0.06, 0.02, 0.045, m.fabric(bow), bevel=0.01))
            part("bow", *loops)
    return made


def blocks(rng: Random, count: int = 7, *, size: float = 0.1) -> None:
    """A tower of toy blocks with others lying beside it, each a thing; the tower stands on the origin."""
    for i in range(count):
        colour = BRIGHT[i % len(BRIGHT)]
        if i < 3:
            x, y, z = rng.uniform(-0.01, 0.01), rng.uniform(-0.01, 0.01), i * size
        else:
            a, reach = math.radians(360 / max(1, count - 3) * i + rng.uniform(-15, 15)), rng.uniform(0.2, 0.32)
            x, y, z = reach * math.cos(a), reach * math.sin(a), 0.0
        with at(x, y, z, rng.uniform(-40, 40)), thing("toy block", colour):
            box(0, 0, 0, size * 0.98, size * 0.98, size * 0.98, m.paint(colour, 0.35), bevel=0.008)
            box(0, -size * 0.492, size * 0.2, size * 0.6, 0.002, size * 0.6, m.paint("white", 0.5), bevel=0)
            letter, ink = "ABCDEFG"[i % 7], m.paint(colour, 0.4)
            lettering(0, -size * 0.495, size * 0.28, letter, size * 0.55, ink, is_readable=False)


def ball(radius: float = 0.14, colours: tuple[str, str] = ("red", "white")) -> Thing:
    """A ball in two colours, on the floor."""
    with thing("ball", *colours) as made:
        sphere(0, 0, radius, radius, m.striped(colours[0], colours[1], radius * 0.55, "x"))
    return made


def toy_train(colours: Sequence[str] = ("red", "blue", "yellow"), *, turn: float = 0.0) -> Thing:
    """A wooden train heading to the left: an engine and its waggons."""
    with thing("toy train", *colours) as made, at(turn=turn):
        for i, colour in enumerate(colours):
            x, body = (i - 1) * 0.27, m.paint(colour, 0.35)
            box(x, 0, 0.04, 0.22, 0.1, 0.035, m.wood("pine"))
            for dx in (-0.07, 0.07):
                for y in (-0.055, 0.055):
                    cylinder(x + dx, y, 0.035, 0.035, 0.018, m.paint("black", 0.4), axis="y", bevel=0.003)
            if i == 0:
                boiler = cylinder(x - 0.035, 0, 0.125, 0.048, 0.14, body, axis="x", bevel=0.008)
                part("engine", boiler, box(x + 0.07, 0, 0.075, 0.075, 0.1, 0.13, body, bevel=0.006))
                box(x + 0.07, 0, 0.205, 0.1, 0.12, 0.015, m.paint("yellow", 0.35), bevel=0.004)
                cylinder(x - 0.07, 0, 0.165, 0.015, 0.06, m.paint("black", 0.4), top=0.026)
            else:
                part("waggon", box(x, 0, 0.075, 0.2, 0.1, 0.07, body, bevel=0.006))
                for dx, load in ((-0.05, "green"), (0.04, "orange")):
                    sphere(x + dx, 0, 0.155, 0.036, m.paint(load, 0.35))
    return made


def toy_car(colour: str = "blue") -> Thing:
    """A toy car heading to the left."""
    with thing("toy car", colour) as made:
        outline = [
            (-0.16, 0.03),
            (0.16, 0.03),
            (0.16, 0.09),
            (0.09, 0.1),
            (0.06, 0.16),
            (-0.05, 0.16),
            (-0.09, 0.1),
            (-0.16, 0.085),
        ]
        prism(outline, 0.15, m.paint(colour, 0.25), y=-0.075, plane="xz", bevel=0.012)
        prism(
            [(-0.07, 0.105), (0.04, 0.105), (0.045, 0.148), (-0.045, 0.148)],
            0.153,
            m.paint("light blue", 0.1),
            y=-0.0765,
            plane="xz",
        )
        for x in (-0.1, 0.1):
            for y in (-0.075, 0.075):
                cylinder(x, y, 0.038, 0.038, 0.025, m.paint("black", 0.6), axis="y", bevel=0.006)
                cylinder(x, y * 1.13, 0.038, 0.018, 0.012, m.paint("white", 0.3), axis="y")
    return made


def stacking_rings() -> Thing:
    """Coloured rings stacked on a stick, the largest below."""
    with thing("stacking rings") as made:
        cylinder(0, 0, 0, 0.1, 0.02, m.wood("pine"), bevel=0.006)
        cylinder(0, 0, 0, 0.012, 0.28, m.wood("pine"))
        for i, colour in enumerate(("red", "orange", "yellow", "green", "blue")):
            ring(0, 0, 0.045 + 0.046 * i, 0.072 - 0.009 * i, 0.024, m.paint(colour, 0.3))
        sphere(0, 0, 0.29, 0.03, m.paint("purple", 0.3))
    return made


def rocking_horse(colour: str = "light brown", mane: str = "dark brown") -> Thing:
    """A rocking horse looking to the left, its middle on the origin."""
    with thing("rocking horse", colour, "wooden") as made:
        body, hair = m.paint(colour, 0.45), m.fabric(mane, 50)
        for y in (-0.16, 0.16):
            points = [
                (0.52 * math.sin(a), y, 0.03 + 0.75 * (1 - math.cos(a))) for a in [(i - 8) * 0.095 for i in range(17)]
            ]
            tube(points, 0.022, m.wood("cherry"))
            for dx in (-0.22, 0.22):
                tube([(dx * 1.25, y, 0.07), (dx * 0.8, y * 0.55, 0.42)], 0.028, body)
        for dx in (-0.28, 0.28):
            box(dx, 0, 0.04, 0.05, 0.34, 0.025, m.wood("cherry"))
        sphere(0, 0, 0.5, 0.16, body, scale=(1.75, 0.85, 0.9))
        with tilted(-0.27, 0, 0.56, about="Y", by=-28):
            sphere(0, 0, 0.12, 0.1, body, scale=(0.85, 0.7, 2.0))
        with tilted(-0.4, 0, 0.79, about="Y", by=32):
            sphere(-0.05, 0, 0, 0.075, body, scale=(1.9, 0.8, 0.9))
        for y in (-0.04, 0.04):
            sphere(-0.33, y, 0.88, 0.022, body, scale=(0.7, 0.6, 2.0))
            sphere(-0.42, y * 1.45, 0.81, 0.013, m.paint("black", 0.2))
        for i in range(7):
            sphere(-0.3 + 0.035 * i, 0, 0.86 - 0.045 * i, 0.042, hair, scale=(1, 0.6, 1.2))
        tube([(0.26, 0, 0.55), (0.36, 0, 0.52), (0.4, 0, 0.36)], 0.03, hair)
        part("saddle", cushion(0.02, 0, 0.61, 0.26, 0.24, 0.07, m.fabric("red")))
        tube([(-0.36, -0.16, 0.74), (-0.36, 0.16, 0.74)], 0.014, m.wood("cherry"))
    return made


def mobile(
    drop: float, shapes: str = "stars", colours: Sequence[str] = ("yellow", "light blue", "pink", "green", "orange")
) -> Thing:
    """A mobile hanging from above: the string's upper end at z = drop, the lowest toys at z = 0; "stars", "balls"."""
    with thing("mobile", *colours) as made:
        string = m.paint("grey")
        cylinder(0, 0, 0.34, 0.005, drop - 0.34, string)
        ring(0, 0, 0.34, 0.22, 0.011, m.wood("pine"))
        for turn in (0, 60, 120):
            with at(0, 0, 0.34, turn):
                tube([(-0.22, 0, 0), (0.22, 0, 0)], 0.005, string)
        for i in range(6):
            a, low, colour = math.radians(60 * i), 0.05 + 0.1 * (i % 2), m.paint(colours[i % len(colours)], 0.5)
            x, y = 0.22 * math.cos(a), 0.22 * math.sin(a)
            cylinder(x, y, low, 0.003, 0.34 - low, string)
            if shapes == "stars":
                with at(x, y, low, 20):
                    prism(star(0.075), 0.025, colour, y=-0.012, plane="xz", bevel=0.005)
            else:
                sphere(x, y, low, 0.055, colour)
    return made


def star(radius: float, points: int = 5, inner: float = 0.48) -> list[tuple[float, float]]:
    """Return the outline of a star that stands on two of its points."""
    angles = [math.pi / 2 + math.pi * i / points for i in range(2 * points)]
    return [
        (math.cos(a) * radius * (1 if i % 2 == 0 else inner), math.sin(a) * radius * (1 if i % 2 == 0 else inner))
        for i, a in enumerate(angles)
    ]


def wall_stars(
    width: float, height: float, rng: Random, colour: str = "yellow", *, count: int = 14, glow: bool = False
) -> None:
    """Stars stuck on the wall at y = 0, over a width about x = 0 and a height above the origin; scenery."""
    material = m.glow(colour, 1.3) if glow else m.paint(colour, 0.7)
    rows = max(1, round(math.sqrt(count * height / width)))
    columns = math.ceil(count / rows)
    for row in range(rows):
        for i in range(columns):
            x = ((i + 0.5 + rng.uniform(-0.3, 0.3)) / columns - 0.5) * width
            z = (row + 0.5 + rng.uniform(-0.3, 0.3)) / rows * height
            prism(star(rng.uniform(0.05, 0.085)), 0.012, material, x=x, y=-0.012, z=z, plane="xz")


def letters(words: str, size: float = 0.24) -> Thing:
    """Large coloured letters on the wall at y = 0, their foot at the origin."""
    with thing("letters", "colourful") as made:
        for i, letter in enumerate(words):
            colour = BRIGHT[i % len(BRIGHT)]
            lettering(
                (i - (len(words) - 1) / 2) * size * 0.95, -0.012, 0.02 * (i % 2), letter, size, m.paint(colour, 0.5)
            )
    return made


def bunting(width: float, colours: Sequence[str] = BRIGHT, *, sag: float = 0.2) -> Thing:
    """A string of pennants at y = 0, its ends at z = 0."""
    with thing("bunting", "colourful") as made:
        count = round(width / 0.24)
        line = [(t * width / 2, -0.03, -sag * (1 - t * t)) for t in [i / 10 - 1 for i in range(21)]]
        tube(line, 0.005, m.paint("white"))
        for i in range(count):
            t = (i + 0.5) / count * 2 - 1
            with tilted(
                t * width / 2, -0.03, -sag * (1 - t * t), about="Y", by=-math.degrees(math.atan(4 * sag * t / width))
            ):
                cloth = m.fabric(colours[i % len(colours)])
                part("flag", prism([(-0.09, 0), (0.09, 0), (0, -0.2)], 0.006, cloth, plane="xz"))
    return made


def balloon(colour: str = "red", *, string: float = 1.1) -> Thing:
    """A floating balloon on a string that ends at the origin."""
    with thing("balloon", colour) as made:
        lathe(
            0,
            0,
            string,
            [
                (0.008, 0),
                (0.012, 0.012),
                (0.06, 0.06),
                (0.115, 0.15),
                (0.125, 0.22),
                (0.1, 0.3),
                (0.05, 0.34),
                (0, 0.35),
            ],
            m.paint(colour, 0.15),
        )
        tube([(0, 0, 0), (0.02, 0, string * 0.4), (-0.01, 0, string * 0.7), (0, 0, string)], 0.004, m.paint("white"))
    return made


def changing_table(kind: str = "white", pad: str = "light green") -> Thing:
    """A baby's changing table: a chest with a padded top and a rim, nappies and bottles on its side."""
    with thing("changing table", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, -0.25, 0.06, 0.95, 0.48, 0.8, w, bevel=0.012)
        for row in range(3):
            part("drawer", box(0, -0.495, 0.1 + row * 0.25, 0.89, 0.02, 0.235, w, bevel=0.006))
            for dx in (-0.25, 0.25):
                sphere(dx, -0.52, 0.21 + row * 0.25, 0.02, m.paint(pad, 0.4))
        for dx in (-0.465, 0.465):
            box(dx, -0.27, 0.86, 0.025, 0.52, 0.11, m.wood(kind, along="y"))
        box(0, -0.02, 0.86, 0.95, 0.025, 0.14, w)
        part("mat", cushion(-0.08, -0.27, 0.86, 0.68, 0.47, 0.07, m.fabric(pad)))
        for dx in (-0.36, 0.2):
            cushion(dx, -0.27, 0.88, 0.1, 0.46, 0.09, m.fabric(pad), soft=0.48)
        for i, colour in enumerate(("yellow", "pink", "white")):
            cylinder(0.38, -0.12 - 0.11 * i, 0.86, 0.035, 0.13, m.paint(colour, 0.3), bevel=0.008)
            cylinder(0.38, -0.12 - 0.11 * i, 0.99, 0.014, 0.045, m.paint("white", 0.3), bevel=0.004)
    return made


def toy_shelf(rng: Random, kind: str = "white", *, columns: int = 3, rows: int = 3) -> Thing:
    """A shelf of cubes with coloured boxes, soft toys, blocks and picture books."""
    cell = 0.36
    width, height = columns * cell + 0.03, rows * cell + 0.03
    with thing("toy shelf", WOOD_WORDS[kind]) as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        box(0, -0.01, 0, width, 0.02, height, w)
        for i in range(columns + 1):
            box((i / columns - 0.5) * (width - 0.03), -0.19, 0, 0.025, 0.38, height, up)
        for i in range(rows + 1):
            box(0, -0.19, i * cell, width, 0.38, 0.025, w)
        for row in range(rows):
            for i in range(columns):
                colour = rng.choice(BRIGHT)
                with at((i - (columns - 1) / 2) * cell, -0.2, row * cell + 0.025):
                    kind_of = (row * columns + i + rng.randrange(2)) % 4
                    if kind_of in (0, 2):
                        with thing("box", colour):
                            box(0, -0.01, 0.003, cell - 0.06, 0.33, cell - 0.09, m.fabric(colour), bevel=0.02)
                            cylinder(0, -0.178, cell * 0.52, 0.03, 0.01, m.metal("brass"), axis="y")
                    elif kind_of == 1:
                        with thing("books", "colourful"):
                            for k in range(6):
                                tall = rng.uniform(0.2, 0.29)
                                back = m.paint(rng.choice(BRIGHT), 0.5)
                                box(-0.12 + k * 0.045, 0.02, 0, 0.036, 0.22, tall, back, bevel=0.004)
                    else:
                        for k, (x, z) in enumerate(((-0.08, 0), (0.05, 0), (-0.015, 0.11))):
                            hue = BRIGHT[(k + i) % 7]
                            with thing("toy block", hue):
                                box(x, -0.06, z, 0.11, 0.11, 0.11, m.paint(hue, 0.35), bevel=0.008, turn=10 * k)
    return made


def toy_box(colour: str = "blue", rng: Random | None = None) -> Thing:
    """An open chest overflowing with toys, its middle on the origin."""
    rng = rng or Random(1)
    with thing("toy box", colour, "open") as made:
        body = m.paint(colour, 0.45)
        for y in (-0.2, 0.2):
            box(0, y, 0, 0.8, 0.03, 0.4, body, bevel=0.008)
        for x in (-0.385, 0.385):
            box(x, 0, 0, 0.03, 0.4, 0.4, body, bevel=0.008)
        box(0, 0, 0, 0.76, 0.38, 0.26, body)
        with tilted(0, 0.21, 0.4, about="X", by=-12):
            box(0, 0, 0, 0.8, 0.03, 0.4, body, bevel=0.008)
        part("star", prism(star(0.12), 0.01, m.paint("yellow", 0.5), y=-0.224, z=0.2, plane="xz"))
        for i in range(14):
            x, y = -0.32 + 0.64 * (i % 7) / 6, -0.09 + 0.17 * (i // 7)
            hue = m.paint(BRIGHT[(i * 3) % 7], 0.35)
            if i % 3 == 0:
                box(x, y, 0.3, 0.12, 0.12, 0.12, hue, bevel=0.01, turn=rng.uniform(0, 80))
            else:
                sphere(x, y, 0.36 + 0.03 * (i % 2), rng.uniform(0.06, 0.085), hue)
    return made


def dolls_house(wall: str = "pink", roof: str = "red") -> Thing:
    """An open doll's house with furnished rooms, its back at y = 0."""
    with thing("doll's house", wall) as made:
        w, inside = m.paint(wall, 0.5), m.paint("white", 0.7)
        box(0, -0.01, 0, 0.8, 0.02, 0.84, inside)
        for z in (0, 0.42):
            box(0, -0.16, z, 0.84, 0.32, 0.025, m.wood("pine"))
        box(0, -0.16, 0.84, 0.86, 0.34, 0.02, w)
        for dx in (-0.41, 0, 0.41):
            box(dx, -0.16, 0, 0.02, 0.32, 0.85, w)
        prism([(-0.4, 0.86), (0.4, 0.86), (0, 1.16)], 0.02, w, y=-0.03, plane="xz")
        slopes = []
        for dx in (-1, 1):
            with tilted(dx * 0.235, -0.165, 0.99, about="Y", by=dx * 36):
                slopes.append(box(0, 0, 0, 0.62, 0.38, 0.025, m.paint(roof, 0.5)))
        part("roof", *slopes)
        box(0.22, -0.12, 0.9, 0.08, 0.08, 0.3, m.bricks())
        for x, z, colour in (
            (-0.2, 0.025, "blue"),
            (0.2, 0.025, "green"),
            (-0.2, 0.445, "red"),
            (0.2, 0.445, "yellow"),
        ):
            paint = m.paint(colour, 0.5)
            box(x - 0.04, -0.12, z, 0.2, 0.14, 0.07, paint, bevel=0.01)
            box(x - 0.04, -0.06, z, 0.2, 0.03, 0.15, paint, bevel=0.01)
            cylinder(x + 0.12, -0.12, z, 0.045, 0.1, m.wood("oak"))
            box(x, -0.022, z + 0.22, 0.12, 0.004, 0.1, m.paint("light blue", 0.3), bevel=0)
    return made


def teepee(colour: str = "white", trim: str = "orange") -> Thing:
    """A child's tent with an open front, its middle on the origin."""
    with thing("play tent", colour) as made:
        cloth, high, half = m.fabric(colour), 1.5, 0.6
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        top = 0.09
        for x, y in corners:
            tube([(x, y, 0), (-x * 0.12, -y * 0.12, high * 1.12)], 0.016, m.wood("pine", along="z"))
        for i in (1, 2, 3):
            (ax, ay), (bx, by) = corners[i], corners[(i + 1) % 4]
            _side((ax, ay, 0.01), (bx, by, 0.01), (bx * top, by * top, high), (ax * top, ay * top, high), cloth)
        for dx in (-1, 1):
            _side(
                (dx * half, -half, 0.01),
                (dx * half * 0.72, -half - 0.01, 0.01),
                (0, -half * top, high * 0.96),
                (dx * half * top, -half * top, high),
                cloth,
            )
            _side(
                (dx * half * 0.74, -half - 0.012, 0.01),
                (dx * half * 0.62, -half - 0.014, 0.01),
                (0, -half * top - 0.014, high * 0.93),
                (0, -half * top - 0.012, high * 0.97),
                m.fabric(trim),
            )
        cushion(0, 0.05, 0.0, 0.9, 0.9, 0.1, m.fabric(trim))
    return made


def _side(
    a: tuple[float, float, float],
    b: tuple[float, float, float],
    c: tuple[float, float, float],
    d: tuple[float, float, float],
    cloth: object,
) -> None:
    """Stretch a piece of cloth between four points."""
    surface([[a, b], [d, c]], cloth, thickness=0.01)


def moon_lamp() -> Thing:
    """A crescent lamp shining on the wall at y = 0, its middle on the origin."""
    with thing("lamp", "moon-shaped", "lit") as made:
        arcs = [(math.radians(62 + 11.8 * i), math.radians(86 + 9.4 * i)) for i in range(21)]
        outer = [(0.24 * math.cos(a), -0.05, 0.24 * math.sin(a)) for a, _ in arcs]
        inner = [(0.1 + 0.2 * math.cos(b), -0.05, 0.2 * math.sin(b)) for _, b in arcs]
        surface([outer, inner], m.glow((1.0, 0.72, 0.22), 1.6), thickness=0.03)
        bulb(-0.1, -0.4, 0, 7)
    return made


def small_table(kind: str = "birch") -> Thing:
    """A round play table for children, 0.48 m high, its middle on the origin."""
    with thing("play table", WOOD_WORDS[kind], "round", "small") as made:
        cylinder(0, 0, 0.445, 0.4, 0.035, m.wood(kind), bevel=0.01, sides=64)
        for i, colour in enumerate(("red", "yellow", "blue", "green")):
            a = math.radians(45 + 90 * i)
            cylinder(0.28 * math.cos(a), 0.28 * math.sin(a), 0, 0.025, 0.45, m.paint(colour, 0.4))
    return made


def small_chair(colour: str = "red") -> Thing:
    """A child's chair facing -y, its seat 0.28 m high, its middle on the origin."""
    with thing("chair", colour, "small") as made:
        paint = m.paint(colour, 0.4)
        for dx in (-0.13, 0.13):
            box(dx, -0.12, 0, 0.03, 0.03, 0.27, paint)
            box(dx, 0.13, 0, 0.03, 0.03, 0.56, paint)
        box(0, 0, 0.26, 0.32, 0.31, 0.025, paint, bevel=0.01)
        box(0, 0.132, 0.4, 0.26, 0.02, 0.15, paint, bevel=0.008)
        for dx in (-0.13, 0.13):
            sphere(dx, 0.13, 0.57, 0.024, m.paint("yellow", 0.4))
    return made


def pram(colour: str = "blue") -> Thing:
    """A pram heading to the left, its middle on the origin."""
    with thing("pram", colour) as made:
        cloth, chrome = m.fabric(colour), m.metal("chrome")
        for dx in (-0.3, 0.3):
            for y in (-0.24, 0.24):
                ring(dx, y, 0.16, 0.145, 0.016, m.paint("black", 0.6), axis="y")
                cylinder(dx, y, 0.16, 0.025, 0.04, chrome, axis="y")
                for k in range(6):
                    a = math.radians(60 * k)
                    tube([(dx, y, 0.16), (dx + 0.14 * math.cos(a), y, 0.16 + 0.14 * math.sin(a))], 0.004, chrome)
            tube([(dx, -0.24, 0.16), (dx, 0.24, 0.16)], 0.012, chrome)
        for y in (-0.2, 0.2):
            tube([(-0.3, y, 0.16), (0.3, y, 0.5)], 0.011, chrome)
            tube([(0.3, y, 0.16), (-0.3, y, 0.5)], 0.011, chrome)
        outline = [(-0.45, 0.78), (-0.42, 0.58), (-0.3, 0.5), (0.32, 0.5), (0.43, 0.58), (0.46, 0.76)]
        prism(outline, 0.44, cloth, y=-0.22, plane="xz", bevel=0.03)
        cushion(0.12, 0, 0.74, 0.66, 0.42, 0.09, m.fabric("white"))
        hood = [(-0.46, 0.76), (-0.05, 0.76)] + [
            (-0.05 - 0.42 * math.sin(a), 0.76 + 0.42 * math.cos(a))
            for a in [math.radians(10 + 16 * i) for i in range(6)]
        ]
        prism(hood, 0.46, cloth, y=-0.23, plane="xz", bevel=0.03)
        tube([(0.4, -0.2, 0.56), (0.66, -0.2, 0.98), (0.66, 0.2, 0.98), (0.4, 0.2, 0.56)], 0.013, chrome)
    return made
