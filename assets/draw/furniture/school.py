"""What stands in schools: pupils' desks and chairs, boards with lessons, maps, globes, lockers, bags."""

from __future__ import annotations

import math
from random import Random

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, cushion, cylinder, lettering, prism, ring, sphere, thing, tilted, tube

CONTINENTS: dict[str, list[tuple[int, int]]] = {
    "yellow": [
        *((-168, 66), (-156, 71), (-128, 70), (-95, 72), (-82, 68), (-94, 60), (-82, 52), (-78, 62), (-64, 59)),
        *((-56, 52), (-66, 44), (-75, 38), (-81, 30), (-80, 25), (-90, 30), (-97, 26), (-97, 20), (-88, 21)),
        *((-83, 10), (-79, 8), (-92, 15), (-105, 20), (-115, 31), (-124, 40), (-124, 48), (-135, 58), (-152, 59)),
        *((-165, 54), (-160, 60)),
    ],
    "light green": [
        *((-79, 8), (-72, 12), (-60, 9), (-50, 0), (-35, -6), (-39, -16), (-48, -27), (-58, -37), (-65, -42)),
        *((-68, -54), (-74, -50), (-72, -30), (-70, -18), (-81, -5)),
    ],
    "orange": [
        *((-17, 15), (-6, 35), (10, 37), (20, 32), (32, 31), (43, 11), (51, 11), (40, -5), (40, -16), (33, -27)),
        *((27, -34), (18, -34), (12, -17), (9, 4), (-8, 5)),
    ],
    "green": [
        *((-9, 37), (-9, 43), (-1, 46), (8, 54), (10, 58), (5, 60), (14, 67), (28, 71), (42, 67), (60, 69), (75, 73)),
        *((105, 77), (130, 72), (160, 70), (180, 67), (170, 60), (160, 52), (156, 58), (140, 54), (130, 43)),
        *((127, 36), (121, 38), (122, 30), (110, 21), (106, 10), (100, 14), (104, 2), (98, 9), (92, 21), (80, 14)),
        *((77, 8), (72, 20), (60, 25), (50, 29), (58, 22), (45, 13), (36, 28), (36, 36), (27, 37), (20, 38), (14, 38)),
        *((8, 44), (0, 39)),
    ],
    "red": [
        *((114, -22), (130, -12), (136, -12), (142, -11), (146, -19), (153, -27), (150, -37), (140, -38)),
        *((131, -32), (115, -34)),
    ],
    "white": [(-55, 82), (-20, 82), (-22, 70), (-42, 60), (-52, 66), (-68, 77)],
    "light grey": [(-175, -74), (-60, -68), (0, -71), (90, -67), (175, -72), (175, -80), (-175, -80)],
}
"""Rough outlines of the continents in degrees east and north, by the colour a school map gives them."""


def pupil_desk(width: float = 0.7, depth: float = 0.5, top: str = "birch", frame: str = "light grey") -> Thing:
    """A desk on tube legs, its middle on the origin, its pupil at -y; its top is at z = 0.72."""
    with thing("desk", WOOD_WORDS[top]) as made:
        tube_of = m.paint(frame, 0.3)
        box(0, 0, 0.692, width, depth, 0.028, m.wood(top), bevel=0.01)
        box(0, 0.02, 0.575, width - 0.14, depth - 0.12, 0.012, tube_of)
        for dx in (-1, 1):
            x = dx * (width / 2 - 0.05)
            for y in (-depth / 2 + 0.06, depth / 2 - 0.06):
                cylinder(x, y, 0, 0.016, 0.695, tube_of, sides=16)
            box(x, 0, 0.645, 0.025, depth - 0.1, 0.04, tube_of)
            box(x, 0, 0.12, 0.025, depth - 0.1, 0.025, tube_of)
        box(0, depth / 2 - 0.06, 0.645, width - 0.1, 0.02, 0.04, tube_of)
    return made


def pupil_chair(colour: str = "blue", frame: str = "light grey") -> Thing:
    """A chair with a seat and back of plastic or plywood on a tube frame, facing -y, its middle on the origin."""
    with thing("chair", WOOD_WORDS.get(colour, colour)) as made:
        seat = m.wood(colour) if colour in m.WOODS and colour != "white" else m.paint(colour, 0.35)
        steel = m.paint(frame, 0.3)
        for dx in (-0.17, 0.17):
            tube([(dx, 0.2, 0), (dx, 0.16, 0.41), (dx, -0.16, 0.41), (dx, -0.2, 0)], 0.012, steel)
            tube([(dx, 0.14, 0.41), (dx, 0.19, 0.48), (dx, 0.225, 0.8)], 0.012, steel)
        cushion(0, -0.01, 0.42, 0.4, 0.38, 0.028, seat, soft=0.42)
        cushion(0, 0.2, 0.6, 0.4, 0.026, 0.21, seat, tilt=-7, soft=0.45)
    return made


def old_school_bench(width: float = 1.15, kind: str = "walnut") -> Thing:
    """A desk of old schools: a sloping lid with inkwells, and a bench joined to it at -y."""
    with thing("school desk", WOOD_WORDS[kind], "wooden", "old") as made:
        w = m.wood(kind)
        iron = m.paint("black", 0.4)
        with tilted(0, 0.02, 0.7, by=10):
            box(0, 0, 0, width, 0.44, 0.03, w, bevel=0.01)
        box(0, 0.245, 0.735, width, 0.1, 0.03, w)
        box(0, 0.28, 0.52, width - 0.06, 0.02, 0.22, w)
        for x in (-width / 4, width / 4):
            cylinder(x, 0.25, 0.755, 0.025, 0.02, m.paint("white", 0.2), sides=20)
        for dx in (-1, 1):
            x = dx * (width / 2 - 0.06)
            tube([(x, 0.24, 0.7), (x, 0.1, 0.4), (x, 0.24, 0.03)], 0.018, iron)
            tube([(x, -0.16, 0.66), (x, 0.1, 0.4)], 0.018, iron)
            box(x, -0.17, 0, 0.05, 0.95, 0.04, w)
            tube([(x, -0.42, 0.4), (x, -0.5, 0.03)], 0.018, iron)
            tube([(x, -0.62, 0.88), (x, -0.5, 0.4), (x, -0.6, 0.03)], 0.018, iron)
        box(0, -0.45, 0.4, width, 0.28, 0.03, w, bevel=0.01)
        box(0, -0.6, 0.6, width, 0.025, 0.1, w)
        box(0, -0.625, 0.75, width, 0.025, 0.1, w)
    return made


def teacher_desk(width: float = 1.5, kind: str = "oak") -> Thing:
    """A big desk with a front panel towards -y and drawers; its middle on the origin, its top at z = 0.76."""
    with thing("teacher's desk", WOOD_WORDS[kind], "wooden") as made:
        w, side = m.wood(kind), m.wood(kind, along="z")
        box(0, 0, 0.72, width, 0.72, 0.04, w, bevel=0.01)
        box(0, -0.28, 0.16, width - 0.12, 0.02, 0.56, w)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.05), 0, 0, 0.035, 0.64, 0.72, side)
        for i in range(3):
            box(width / 2 - 0.28, 0.02, 0.15 + i * 0.19, 0.4, 0.56, 0.175, w)
            box(width / 2 - 0.28, 0.31, 0.23 + i * 0.19, 0.14, 0.02, 0.02, m.metal("steel"))
    return made


# Boards


def lesson(kind: str, width: float, height: float, colour: str = "white", second: str | None = None) -> None:
    """What is written on a board: "sums", "geometry", "letters", "graph", "words"; the board's foot at z = 0."""
    chalk, other = m.paint(colour, 0.9), m.paint(second or colour, 0.9)

    def say(x: float, z: float, words: str, size: float, material: object = chalk) -> None:
        with at(0, -0.045, 0):
            lettering(x * width, 0.008, z * height, words, size * height, material)

    def line(*points: tuple[float, float], material: object = chalk) -> None:
        tube([(x * width, -0.045, z * height) for x, z in points], 0.008, material)

    if kind == "sums":
        for row, (left, right) in enumerate(
            (("3 + 4 = 7", "5 x 2 = 10"), ("8 - 2 = 6", "9 : 3 = 3"), ("6 + 6 = 12", "7 x 8 ="))
        ):
            say(-0.26, 0.7 - 0.29 * row, left, 0.24)
            say(0.24, 0.7 - 0.29 * row, right, 0.24, other)
    elif kind == "geometry":
        line((-0.42, 0.15), (-0.08, 0.15), (-0.08, 0.8), (-0.42, 0.15))
        line((-0.12, 0.15), (-0.12, 0.24), (-0.08, 0.24), material=other)
        say(-0.25, 0.03, "b", 0.13)
        say(-0.05, 0.42, "a", 0.13)
        say(-0.28, 0.55, "c", 0.13)
        say(0.2, 0.66, "a² + b² = c²", 0.22, other)
        ring(0.14 * width, -0.045, 0.34 * height, 0.22 * height, 0.008, chalk, axis="y")
        line((0.14, 0.34), (0.14 + 0.22 * height / width, 0.34), material=other)
        say(0.34, 0.3, "A = r² x 3,14", 0.13)
    elif kind == "letters":
        say(-0.02, 0.62, "Aa  Bb  Cc  Dd", 0.28, other)
        for z in (0.58, 0.2):
            line((-0.44, z), (0.44, z))
        say(0, 0.24, "Ee  Ff  Gg  Hh", 0.28)
    elif kind == "graph":
        line((-0.38, 0.9), (-0.38, 0.15), (0.1, 0.15))
        curve = [(-0.38 + 0.44 * i / 24, 0.5 + 0.3 * math.sin(i / 24 * 7)) for i in range(25)]
        line(*curve, material=other)
        say(-0.42, 0.84, "y", 0.12)
        say(0.12, 0.08, "x", 0.12)
        say(0.3, 0.62, "y = sin x", 0.2, other)
        say(0.3, 0.3, "x = 2,5", 0.2)
    else:
        say(-0.02, 0.64, "Good morning!", 0.26, other)
        say(-0.1, 0.36, "1. Read page 24", 0.16)
        say(-0.1, 0.13, "2. Write a story", 0.16)


def blackboard(
    width: float = 3.0,
    height: float = 1.2,
    text: str | None = "sums",
    *,
    colour: str = "dark green",
    frame: str = "oak",
    wings: bool = False,
    second: str | None = "yellow",
) -> Thing:
    """A board to write on with chalk, hanging at y = 0 with its foot at the origin; `wings` are two more leaves."""
    with thing("blackboard", colour, "with writing" if text else "empty") as made:
        dark = m.rgb(colour)
        slate = m.mottled(tuple(0.85 * c for c in dark), tuple(1.35 * c + 0.008 for c in dark), 0.6, 0.7)
        w = m.wood(frame)

        def leaf(width: float) -> None:
            box(0, -0.018, 0, width, 0.028, height, slate, bevel=0)
            for z in (-0.03, height):
                box(0, -0.022, z, width + 0.08, 0.044, 0.04, w)
            for x in (-width / 2 - 0.02, width / 2 + 0.02):
                box(x, -0.022, 0, 0.04, 0.044, height, w)

        leaf(width)
        if wings:
            for side in (-1, 1):
                with at(side * (width / 2 + 0.05), -0.02, 0, side * -32):
                    with at(side * width / 4, 0, 0):
                        leaf(width / 2 - 0.06)
        box(0, -0.09, -0.06, width, 0.13, 0.025, w)
        for i, hue in enumerate(("white", "white", "yellow", "pink", "light blue")):
            cylinder(-width / 2 + 0.25 + 0.14 * i, -0.09, -0.027, 0.009, 0.09, m.paint(hue, 0.9), axis="x", sides=12)
        box(width / 2 - 0.4, -0.09, -0.035, 0.17, 0.08, 0.05, m.paint("yellow", 0.9), bevel=0.015)
        if text:
            lesson(text, width, height, "white", second)
    return made


def whiteboard(width: float = 2.4, height: float = 1.2, text: str | None = "graph") -> Thing:
    """A board to write on with pens, hanging at y = 0 with its foot at the origin."""
    with thing("whiteboard", "white", *(["with writing"] if text else [])) as made:
        box(0, -0.018, 0, width, 0.028, height, m.paint((0.8, 0.81, 0.82), 0.15), bevel=0)
        rim = m.metal("steel", 0.4)
        for z in (-0.025, height):
            box(0, -0.02, z, width + 0.05, 0.04, 0.025, rim)
        for x in (-width / 2, width / 2):
            box(x, -0.02, 0, 0.025, 0.04, height, rim)
        box(0, -0.07, -0.035, width * 0.5, 0.1, 0.015, rim)
        for i, hue in enumerate(("red", "blue", "green", "black")):
            cylinder(-0.3 + 0.17 * i, -0.08, -0.008, 0.012, 0.13, m.paint(hue, 0.4), axis="x", sides=12)
        if text:
            lesson(text, width, height, "blue", "red")
    return made


def easel_board(width: float = 1.4, height: float = 1.0, text: str = "letters") -> Thing:
    """A blackboard on a wooden easel standing on the floor, its middle on the origin, facing -y."""
    with thing("blackboard", "black", "with writing") as made:
        w = m.wood("oak", along="z")
        with tilted(0, 0, 0, by=-6):
            for x in (-width / 2 + 0.12, width / 2 - 0.12):
                box(x, 0.02, 0, 0.06, 0.05, 0.95 + height, w)
            box(0, -0.03, 0.78, width, 0.08, 0.04, m.wood("oak"))
            with at(0, -0.01, 0.85):
                box(0, -0.018, 0, width, 0.028, height, m.mottled((0.02, 0.022, 0.022), (0.05, 0.055, 0.055), 0.5, 0.7))
                for z in (-0.03, height):
                    box(0, -0.022, z, width + 0.08, 0.044, 0.04, m.wood("oak"))
                for x in (-width / 2 - 0.02, width / 2 + 0.02):
                    box(x, -0.022, 0, 0.04, 0.044, height, w)
                lesson(text, width, height, "white")
        tube([(0, 0.75, 0), (0, 0.2, 1.6)], 0.025, w)
    return made


# Teaching aids


def globe(radius: float = 0.17) -> Thing:
    """A globe on a foot, its middle on the origin; stands on whatever the frame is on."""
    with thing("globe", "blue", "round") as made:
        z = radius + 0.16
        sphere(0, 0, z, radius, m.patches((0.03, 0.2, 0.6), (0.16, 0.42, 0.08), radius * 1.2, 0.53, 0.25))
        brass = m.metal("brass")
        bow = [math.radians(a) for a in range(-115, 76, 10)]
        r = radius + 0.02
        tube([(r * math.cos(a), 0, z + r * math.sin(a)) for a in bow], 0.009, brass)
        cylinder(0, 0, 0.02, 0.014, 0.13, brass, sides=16)
        cylinder(0, 0, 0, radius * 0.75, 0.025, m.wood("walnut"), bevel=0.008)
    return made


def wall_map(width: float = 1.7) -> Thing:
    """A map of the world on a roller, hanging at y = 0 with its lower edge at the origin (0.56 times as high)."""
    height = width * 0.56
    with thing("map", "colourful") as made:
        box(0, -0.01, 0, width, 0.008, height, m.paint("light blue", 0.7), bevel=0)
        for z in (0, height):
            cylinder(0, -0.015, z, 0.02, width + 0.1, m.wood("walnut"), axis="x", sides=16)
        wide, high = width * 0.94 / 360, height * 0.88 / 170
        for colour, outline in CONTINENTS.items():
            points = [(lon * wide, height / 2 + (lat - 2) * high) for lon, lat in outline]
            prism(points, 0.004, m.paint(colour, 0.8), y=-0.019, plane="xz")
    return made


def abc_strip(width: float = 3.0, letters: str = "ABCDEFGHIJKLM") -> Thing:
    """A strip of letter cards along the wall, hanging at y = 0."""
    with thing("alphabet", "colourful") as made:
        step = width / len(letters)
        for i, letter in enumerate(letters):
            x = -width / 2 + (i + 0.5) * step
            hue = ("red", "yellow", "light blue", "light green", "orange", "pink")[i % 6]
            box(x, -0.006, 0, step * 0.9, 0.008, step * 1.05, m.paint(hue, 0.8), bevel=0)
            lettering(x, -0.012, step * 0.22, letter, step * 0.85, m.paint("white" if i % 6 in (0,) else "black", 0.8))
    return made


def pinboard(width: float, height: float, rng: Random, *, colour: str = "light brown") -> Thing:
    """A cork board full of children's drawings and notes, hanging at y = 0 with its foot at the origin."""
    with thing("pinboard", colour, "with drawings") as made:
        box(
            0,
            -0.01,
            0,
            width,
            0.02,
            height,
            m.mottled(m.rgb(colour), tuple(1.4 * c for c in m.rgb(colour)), 0.02),
            bevel=0,
        )
        bar = m.wood("oak")
        for z in (-0.02, height):
            box(0, -0.015, z, width + 0.06, 0.03, 0.03, bar)
        for x in (-width / 2 - 0.015, width / 2 + 0.015):
            box(x, -0.015, 0, 0.03, 0.03, height, bar)
        across, up = max(2, round(width / 0.42)), max(1, round(height / 0.4))
        for i in range(across):
            for j in range(up):
                x = -width / 2 + (i + 0.5) * width / across + rng.uniform(-0.03, 0.03)
                z = (j + 0.5) * height / up + rng.uniform(-0.02, 0.02)
                with tilted(x, -0.022, z, about="Y", by=rng.uniform(-6, 6)):
                    _drawing(rng, 0.8 * width / across, 0.8 * height / up)
    return made


def _drawing(rng: Random, width: float, height: float) -> None:
    """A sheet of paper with a house, a sun, a flower or a boat in few shapes."""
    width, height = min(width, 0.36), min(height, 0.3)
    paper = rng.choice(("white", "white", "light blue", "beige"))
    box(0, 0, -height / 2, width, 0.004, height, m.paint(paper, 0.9), bevel=0)
    hues = rng.sample(["red", "blue", "green", "orange", "purple", "yellow"], 3)
    one, two, three = (m.paint(hue, 0.9) for hue in hues)
    u = height / 2
    kind = rng.randrange(3)
    box(0, -0.004, -u * 0.9, width * 0.9, 0.004, u * 0.3, m.paint("blue" if kind == 2 else "green", 0.9), bevel=0)
    cylinder(
        width * 0.3,
        -0.005,
        u * 0.5,
        u * 0.28,
        0.004,
        m.paint("yellow" if paper != "beige" else "orange", 0.9),
        axis="y",
    )
    if kind == 0:
        box(-0.1 * width, -0.006, -u * 0.6, u * 0.8, 0.004, u * 0.7, one, bevel=0)
        prism(
            [(-0.1 * width - u * 0.5, u * 0.1), (-0.1 * width + u * 0.5, u * 0.1), (-0.1 * width, u * 0.6)],
            0.004,
            two,
            y=-0.009,
            plane="xz",
        )
        box(-0.1 * width, -0.009, -u * 0.6, u * 0.22, 0.004, u * 0.4, three, bevel=0)
    elif kind == 1:
        for dx in (-0.28, 0.02):
            box(dx * width, -0.006, -u * 0.6, u * 0.06, 0.004, u * 0.7, m.paint("green", 0.9), bevel=0)
            cylinder(dx * width, -0.008, u * 0.2, u * 0.26, 0.004, one if dx < 0 else two, axis="y")
            cylinder(dx * width, -0.011, u * 0.2, u * 0.1, 0.004, m.paint("yellow", 0.9), axis="y")
    else:
        x = -0.12 * width
        prism(
            [(x - u * 0.6, -u * 0.3), (x - u * 0.4, -u * 0.65), (x + u * 0.4, -u * 0.65), (x + u * 0.6, -u * 0.3)],
            0.004,
            one,
            y=-0.009,
            plane="xz",
        )
        prism([(x, -u * 0.22), (x + u * 0.5, -u * 0.22), (x, u * 0.65)], 0.004, two, y=-0.009, plane="xz")


def school_bag(colour: str = "red") -> Thing:
    """A satchel standing on the floor or hanging, its back at y = 0, its flap towards -y."""
    with thing("school bag", colour) as made:
        cloth = m.fabric(colour)
        cushion(0, -0.1, 0, 0.32, 0.18, 0.36, cloth, soft=0.25)
        cushion(0, -0.205, 0.05, 0.24, 0.06, 0.16, cloth, soft=0.3)
        cushion(
            0, -0.115, 0.24, 0.335, 0.2, 0.14, m.fabric("dark blue" if colour != "dark blue" else "orange"), soft=0.3
        )
        tube(
            [(-0.05, -0.04, 0.37), (-0.05, -0.04, 0.41), (0.05, -0.04, 0.41), (0.05, -0.04, 0.37)],
            0.01,
            m.paint("black"),
        )
    return made


def exercise_books(rng: Random, *, pencil: bool = True) -> None:
    """An open exercise book with a pencil or a small stack of books: clutter of a desk, at the origin."""
    if rng.random() < 0.55:
        for dx in (-0.082, 0.082):
            box(dx, 0, 0, 0.16, 0.22, 0.008, m.paint("white", 0.8), bevel=0.003)
            for row in range(4):
                box(dx, 0.06 - 0.035 * row, 0.008, 0.12, 0.005, 0.001, m.paint("light blue"), bevel=0)
        if pencil:
            tube([(0.2, -0.08, 0.008), (0.26, 0.07, 0.008)], 0.006, m.paint(rng.choice(("yellow", "red", "green"))))
    else:
        for i in range(rng.randrange(2, 4)):
            hue = rng.choice(("red", "blue", "green", "yellow", "orange", "cyan"))
            with at(0, 0, 0.03 * i, rng.uniform(-14, 14)):
                box(0, 0, 0, 0.19, 0.25, 0.026, m.paint(hue, 0.6), bevel=0.004)
                box(0.004, 0, 0.004, 0.186, 0.252, 0.018, m.paint("white", 0.8), bevel=0)


def apple(colour: str = "red") -> Thing:
    """An apple, lying at the origin."""
    with thing("apple", colour) as made:
        sphere(0, 0, 0.036, 0.04, m.paint(colour, 0.25), scale=(1, 1, 0.92))
        tube([(0, 0, 0.065), (0.008, 0, 0.09)], 0.003, m.paint("brown"))
    return made


def book_stack(rng: Random, count: int = 4) -> Thing:
    """A stack of thick books, lying at the origin."""
    with thing("stack of books", "colourful") as made:
        z = 0.0
        for _ in range(count):
            thick = rng.uniform(0.03, 0.05)
            hue = rng.choice(("red", "blue", "green", "yellow", "orange", "brown"))
            with at(0, 0, z, rng.uniform(-10, 10)):
                box(0, 0, 0, 0.24, 0.18, thick, m.paint(hue, 0.6), bevel=0.004)
                box(0.004, -0.003, 0.005, 0.236, 0.18, thick - 0.01, m.paint("white", 0.8), bevel=0)
            z += thick
    return made


def lockers(count: int, colour: str = "blue", *, width: float = 0.38, height: float = 1.8) -> Thing:
    """A row of school lockers along the wall, its back at y = 0, its middle at x = 0."""
    with thing("lockers", colour, "metal") as made:
        body, door = m.paint(colour, 0.35), m.paint(colour, 0.3)
        box(0, -0.2, 0, count * width, 0.4, 0.08, m.paint("dark grey"))
        box(0, -0.2, 0.08, count * width, 0.4, height - 0.08, body)
        dark = m.paint(tuple(0.25 * c for c in m.rgb(colour)), 0.6)
        for i in range(count):
            x = (i + 0.5 - count / 2) * width
            box(x, -0.406, 0.1, width - 0.02, 0.022, height - 0.13, door, bevel=0.006)
            for k in range(4):
                box(x, -0.418, height - 0.2 - 0.045 * k, width * 0.5, 0.004, 0.014, dark, bevel=0)
                box(x, -0.418, 0.28 + 0.045 * k, width * 0.5, 0.004, 0.014, dark, bevel=0)
            box(x + width * 0.33, -0.425, 0.98, 0.03, 0.02, 0.1, m.metal("steel"))
            box(x, -0.42, height - 0.33, 0.09, 0.006, 0.05, m.paint("white"), bevel=0)
    return made


def waste_bin(colour: str = "grey") -> Thing:
    """A waste paper basket with crumpled paper, its middle on the origin."""
    with thing("bin", colour) as made:
        cylinder(0, 0, 0, 0.12, 0.32, m.paint(colour, 0.5), top=0.16)
        cylinder(0, 0, 0.3, 0.145, 0.022, m.paint("black"), sides=24)
        for x, y in ((-0.05, 0.02), (0.05, -0.03), (0.02, 0.07)):
            sphere(x, y, 0.33, 0.05, m.paint("white", 0.9), scale=(1, 0.9, 0.8))
    return made
