"""Desks and what is on them and around: computers, screens, keyboards, telephones, globes, televisions, hi-fi."""

from __future__ import annotations

import math
from random import Random

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, bulb, cylinder, lathe, part, ring, sphere, state, thing, tilted, tube


def desk(width: float = 1.5, depth: float = 0.7, kind: str = "oak", *, style: str = "drawers") -> Thing:
    """A desk, its middle on the origin, the sitter's side towards -y; its top is at z = 0.75.

    Styles: "drawers" (a pedestal on the right), "legs" (thin metal legs), "pedestals" (an old one with two),
    "secretary" (drawers and pigeonholes on top), "corner" (with a wing to the right, along the right side towards -y).
    """
    with thing("desk", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        box(0, 0, 0.715, width, depth, 0.035, w, bevel=0.01)
        if style == "pedestals":
            box(0, 0, 0.64, width - 0.06, depth - 0.06, 0.08, w)
            box(0, depth / 2 - 0.05, 0.2, width - 0.1, 0.02, 0.5, w)
            for dx in (-1, 1):
                _pedestal(dx * (width / 2 - 0.24), depth, w)
            box(0, 0.02, 0.751, width - 0.3, depth - 0.2, 0.003, m.paint("dark green", 0.5), bevel=0)
        else:
            if style in ("drawers", "secretary"):
                _pedestal(width / 2 - 0.24, depth, w)
                box(-width / 2 + 0.03, 0, 0, 0.04, depth - 0.06, 0.72, up)
                box(0, depth / 2 - 0.06, 0.3, width - 0.1, 0.02, 0.42, w)
            else:
                for dx in (-1, 1):
                    for dy in (-1, 1):
                        foot = (dx * (width / 2 - 0.04), dy * (depth / 2 - 0.05), 0)
                        tube(
                            [foot, (dx * (width / 2 - 0.1), dy * (depth / 2 - 0.1), 0.72)], 0.016, m.paint("black", 0.4)
                        )
            if style == "corner":
                box(width / 2 - 0.28, -0.95, 0.715, 0.56, 1.25, 0.035, w, bevel=0.01)
                for y in (-0.55, -1.5):
                    box(width / 2 - 0.05, y, 0, 0.04, 0.06, 0.72, up)
                box(width / 2 - 0.5, -1.52, 0, 0.06, 0.04, 0.72, up)
        if style == "secretary":
            for dx in (-1, 1):
                box(dx * (width / 2 - 0.02), depth / 2 - 0.13, 0.75, 0.03, 0.26, 0.5, up)
            for z in (0.98, 1.24):
                box(0, depth / 2 - 0.13, z, width, 0.26, 0.025, w)
            box(0, depth / 2 - 0.01, 0.75, width, 0.02, 0.5, w)
            for i in range(1, 5):
                box((i / 5 - 0.5) * width, depth / 2 - 0.13, 0.98, 0.018, 0.25, 0.27, up)
    return made


def _pedestal(x: float, depth: float, w: object) -> None:
    box(x, 0, 0.04, 0.42, depth - 0.06, 0.68, w)
    for z, tall in ((0.08, 0.28), (0.38, 0.14), (0.54, 0.14)):
        part("drawer", box(x, -depth / 2 + 0.022, z, 0.38, 0.02, tall, w, bevel=0.006))
        tube(
            [(x - 0.05, -depth / 2 - 0.008, z + tall / 2), (x + 0.05, -depth / 2 - 0.008, z + tall / 2)],
            0.007,
            m.metal("brass"),
        )


SCREENS = {
    "text": ((0.75, 0.8, 0.85), "dark grey"),
    "chart": ((0.03, 0.06, 0.12), "cyan"),
    "photo": ((0.1, 0.35, 0.6), "yellow"),
}

SHOWN = {"text": "showing text", "chart": "showing a bar chart", "photo": "showing a landscape with the sun"}
"""What a viewer says of the screens."""


def _picture_on(width: float, height: float, y: float, shows: str) -> None:
    """Say what a screen shows, and put it just before it: x in the middle, z at the lower edge of the frame."""
    ground, ink = SCREENS[shows]
    state(SHOWN[shows], seen=(box(0, y, 0, width, 0.002, height, m.glow(ground, 0.9), bevel=0),))
    y -= 0.003
    if shows == "text":
        for i in range(9):
            long = width * (0.35 + 0.4 * ((i * 7) % 5) / 5)
            box(
                -width * 0.42 + long / 2,
                y,
                height * (0.86 - 0.09 * i),
                long,
                0.002,
                height * 0.035,
                m.paint(ink),
                bevel=0,
            )
        box(0, y, height * 0.94, width, 0.002, height * 0.06, m.glow((0.1, 0.3, 0.7), 0.8), bevel=0)
    elif shows == "chart":
        for i, tall in enumerate((0.3, 0.5, 0.38, 0.66, 0.55, 0.8)):
            box(
                width * (-0.35 + 0.14 * i),
                y,
                height * 0.1,
                width * 0.08,
                0.002,
                height * tall,
                m.glow(ink, 0.8),
                bevel=0,
            )
    else:
        box(0, y, 0, width, 0.002, height * 0.35, m.glow((0.1, 0.32, 0.08), 0.7), bevel=0)
        cylinder(width * 0.25, y, height * 0.72, height * 0.12, 0.002, m.glow((1.0, 0.8, 0.3), 1.2), axis="y")


def monitor(width: float = 0.56, *, shows: str = "text") -> Thing:
    """A computer's screen on its foot; `shows` is "text", "chart", "photo"."""
    with thing("monitor", "black") as made:
        case, height = m.paint("black", 0.35), width * 0.58
        box(0, 0.02, 0, 0.22, 0.17, 0.015, case, bevel=0.006)
        box(0, 0.05, 0, 0.05, 0.025, 0.25, case)
        box(0, 0.02, 0.13, width, 0.035, height, case, bevel=0.008)
        with at(0, 0, 0.145):
            _picture_on(width - 0.03, height - 0.03, 0.0015, shows)
    return made


def keyboard(colour: str = "dark grey") -> Thing:
    """A keyboard with its mouse to the right."""
    with thing("keyboard", colour) as made:
        box(0, 0, 0, 0.43, 0.14, 0.014, m.paint(colour, 0.5), bevel=0.005)
        for row in range(5):
            for i in range(14):
                box(
                    -0.19 + i * 0.0292,
                    0.05 - row * 0.025,
                    0.013,
                    0.024,
                    0.019,
                    0.007,
                    m.paint("light grey", 0.5),
                    bevel=0.002,
                )
        with thing("mouse", colour):
            sphere(0.31, 0, 0.004, 0.05, m.paint(colour, 0.4), scale=(0.62, 1.0, 0.6))
    return made


def laptop(*, shows: str = "text") -> Thing:
    """An open laptop, its sitter towards -y."""
    with thing("laptop", "grey") as made:
        state("open")
        case = m.metal("steel", 0.4)
        box(0, 0, 0, 0.34, 0.24, 0.016, case, bevel=0.006)
        box(0, 0.03, 0.0155, 0.29, 0.11, 0.002, m.paint("black", 0.5), bevel=0)
        with tilted(0, 0.12, 0.012, about="X", by=-18):
            box(0, 0, 0, 0.34, 0.01, 0.23, case, bevel=0.004)
            with at(0, 0, 0.012):
                _picture_on(0.32, 0.205, -0.0065, shows)
    return made


def computer_case(colour: str = "black") -> Thing:
    """A computer's upright case."""
    with thing("computer", colour) as made:
        box(0, 0, 0, 0.2, 0.44, 0.44, m.paint(colour, 0.35), bevel=0.01)
        for z in (0.34, 0.38):
            box(0, -0.221, z, 0.15, 0.005, 0.03, m.paint("dark grey", 0.3), bevel=0.002)
        cylinder(0.06, -0.223, 0.28, 0.01, 0.006, m.glow((0.1, 0.5, 1.0), 4), axis="y")
    return made


def printer(colour: str = "white") -> Thing:
    """A printer with paper in its tray."""
    with thing("printer", colour) as made:
        box(0, 0, 0, 0.44, 0.36, 0.2, m.paint(colour, 0.35), bevel=0.02)
        box(0, -0.19, 0.05, 0.3, 0.02, 0.05, m.paint("dark grey"), bevel=0.004)
        box(0, -0.24, 0.05, 0.24, 0.16, 0.01, m.paint("white", 0.8), bevel=0.001)
        with tilted(0, 0.13, 0.18, about="X", by=-20):
            box(0, 0, 0, 0.22, 0.008, 0.22, m.paint("white", 0.8), bevel=0.001)
        box(0.14, -0.1, 0.2, 0.1, 0.06, 0.004, m.paint("blue", 0.3), bevel=0.001)
    return made


def desk_lamp(colour: str = "red", *, lit: bool = True) -> Thing:
    """A jointed lamp bending to the left over a desk; its foot on the origin."""
    with thing("desk lamp", colour, *(["lit"] if lit else [])) as made:
        bar = m.paint(colour, 0.3)
        cylinder(0, 0, 0, 0.085, 0.022, bar, bevel=0.006)
        tube([(0, 0, 0.02), (0.1, 0.02, 0.26), (-0.12, 0, 0.48)], 0.009, bar)
        sphere(0.1, 0.02, 0.26, 0.017, m.metal("steel"))
        with tilted(-0.12, 0, 0.48, about="Y", by=22):
            outline = [(0.085, 0), (0.08, 0.03), (0.03, 0.1), (0.025, 0.15), (0, 0.155)]
            part("lampshade", lathe(0, 0, -0.13, outline, bar))
            sphere(0, 0, -0.1, 0.035, m.glow((1.0, 0.88, 0.65), 8.0) if lit else m.paint("white"))
            if lit:
                bulb(0, 0, -0.16, 7, radius=0.04)
    return made


def bankers_lamp() -> Thing:
    """A brass lamp with a long green glass shade."""
    with thing("desk lamp", "green", "lit") as made:
        brass = m.metal("brass")
        cylinder(0, 0, 0, 0.09, 0.02, brass, bevel=0.006)
        cylinder(0, 0.02, 0, 0.01, 0.36, brass)
        tube([(0, 0.02, 0.35), (0, -0.03, 0.38)], 0.008, brass)
        slats = []
        for i in range(6):
            a = math.radians(30 * i - 75)
            with tilted(0, -0.03 + 0.075 * math.sin(a), 0.3 + 0.075 * math.cos(a), about="X", by=-math.degrees(a)):
                slats.append(box(0, 0, -0.004, 0.27, 0.046, 0.008, m.glow((0.02, 0.3, 0.08), 0.9), bevel=0.002))
        part("lampshade", *slats, words=("green",))
        bulb(0, -0.03, 0.26, 5, radius=0.05)
    return made


def globe(radius: float = 0.16) -> Thing:
    """A terrestrial globe on its stand."""
    with thing("globe", "blue") as made:
        brass = m.metal("brass")
        lathe(0, 0, 0, [(0, 0), (0.11, 0), (0.1, 0.02), (0.02, 0.035), (0.015, 0.1)], m.wood("walnut"))
        ring(0, 0, radius + 0.1, radius + 0.012, 0.006, brass, axis="y")
        sphere(0, 0, radius + 0.1, radius, m.mottled((0.03, 0.2, 0.55), (0.35, 0.42, 0.12), 0.14, 0.35))
    return made


def telephone(colour: str = "black") -> Thing:
    """A desk telephone with its receiver."""
    with thing("telephone", colour) as made:
        plastic = m.paint(colour, 0.3)
        with tilted(about="X", by=8):
            box(0, 0, 0.01, 0.19, 0.2, 0.05, plastic, bevel=0.015)
            box(0.04, -0.01, 0.06, 0.09, 0.1, 0.006, m.paint("light grey"), bevel=0.002)
            for dy in (-0.07, 0.08):
                box(-0.055, dy, 0.06, 0.055, 0.055, 0.035, plastic, bevel=0.015)
            box(-0.055, 0, 0.075, 0.04, 0.16, 0.025, plastic, bevel=0.01)
    return made


def mug(colour: str = "white") -> Thing:
    """A mug with its handle on the right."""
    with thing("mug", colour) as made:
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.038, 0), (0.042, 0.01), (0.042, 0.095), (0.037, 0.095), (0.036, 0.08), (0, 0.08)],
            m.paint(colour, 0.2),
        )
        ring(0.045, 0, 0.05, 0.026, 0.006, m.paint(colour, 0.2), axis="y")
    return made


def papers(rng: Random, count: int = 5) -> Thing:
    """A few written sheets of paper lying about the origin."""
    with thing("papers", "white") as made:
        for i in range(count):
            with at(rng.uniform(-0.06, 0.06), rng.uniform(-0.05, 0.05), 0.0015 * i, rng.uniform(-20, 20)):
                box(0, 0, 0, 0.21, 0.297, 0.0012, m.paint("white", 0.8), bevel=0)
                if i == count - 1:
                    for line in range(10):
                        box(-0.01, 0.11 - 0.022 * line, 0.0012, 0.15, 0.006, 0.0005, m.paint("grey"), bevel=0)
    return made


def open_book(colour: str = "red") -> Thing:
    """An open book lying, its reader towards -y."""
    with thing("book", "open", "white") as made:
        for dx in (-1, 1):
            with tilted(dx * 0.002, 0, 0.012, about="Y", by=-dx * -5):
                box(dx * 0.085, 0, -0.012, 0.175, 0.245, 0.005, m.paint(colour), bevel=0.001)
                box(dx * 0.08, 0, -0.007, 0.16, 0.23, 0.016, m.paint("white", 0.9), bevel=0.004)
                for line in range(9):
                    box(dx * 0.08, 0.085 - line * 0.021, 0.0093, 0.12, 0.007, 0.0006, m.paint("grey"), bevel=0)
    return made


def pen_pot(colour: str = "blue") -> Thing:
    """A pot of pens and pencils."""
    with thing("pot of pens", colour) as made:
        lathe(0, 0, 0, [(0, 0), (0.04, 0), (0.04, 0.1), (0.036, 0.1), (0.036, 0.02), (0, 0.02)], m.paint(colour, 0.4))
        for i, ink in enumerate(("yellow", "red", "blue", "green", "black", "orange")):
            a = i * 60
            with tilted(0.014 * math.cos(a), 0.014 * math.sin(a), 0.02, about="XYX"[i % 3], by=8 * (-1) ** i):
                cylinder(0, 0, 0, 0.004, 0.15 + 0.008 * (i % 3), m.paint(ink, 0.4), sides=8)
    return made


def paper_bin(colour: str = "grey") -> Thing:
    """A waste-paper basket with crumpled paper in it."""
    with thing("waste bin", colour) as made:
        lathe(0, 0, 0, [(0, 0), (0.11, 0), (0.145, 0.3), (0.138, 0.3), (0.106, 0.02), (0, 0.02)], m.paint(colour, 0.5))
        for x, y, z in ((0.03, 0.03, 0.26), (-0.05, 0.0, 0.25), (0.02, -0.06, 0.27)):
            sphere(x, y, z, 0.055, m.paint("white", 0.9), scale=(1, 0.9, 0.8))
    return made


def pinboard(width: float, height: float, rng: Random) -> Thing:
    """A cork board with notes, hanging at y = 0; z of its lower edge at the origin."""
    with thing("pinboard", "brown") as made:
        box(0, -0.01, 0, width, 0.02, height, m.mottled((0.36, 0.2, 0.09), (0.5, 0.32, 0.16), 0.02))
        for z in (0, height - 0.02):
            box(0, -0.015, z, width, 0.03, 0.02, m.wood("pine"))
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.01), -0.015, 0, 0.02, 0.03, height, m.wood("pine", along="z"))
        columns, rows = max(2, round(width / 0.24)), max(2, round(height / 0.24))
        for i in range(columns):
            for j in range(rows):
                if rng.random() < 0.8:
                    x = (i + 0.5 + rng.uniform(-0.12, 0.12)) / columns * width - width / 2
                    z = (j + 0.5 + rng.uniform(-0.12, 0.12)) / rows * height
                    colour = rng.choice(["yellow", "white", "white", "pink", "light blue", "light green"])
                    with tilted(x, -0.023, z, about="Y", by=rng.uniform(-8, 8)):
                        box(0, 0, -0.07, rng.choice([0.12, 0.15]), 0.002, 0.14, m.paint(colour, 0.8), bevel=0)
                        sphere(0, -0.005, 0.055, 0.01, m.paint("red", 0.3))
    return made


def television(width: float = 1.2, *, shows: str | None = None, on_wall: bool = False) -> Thing:
    """A flat television on feet (or hanging, z of its lower edge at the origin); `shows` as a monitor, None: off."""
    with thing("television", "black", *(["on"] if shows else [])) as made:
        case, height = m.paint("black", 0.2), width * 0.57
        z = 0.0 if on_wall else 0.07
        box(0, -0.03, z, width, 0.05, height, case, bevel=0.008)
        if not on_wall:
            for dx in (-1, 1):
                box(dx * width * 0.32, -0.03, 0, 0.03, 0.22, 0.02, case)
                box(dx * width * 0.32, -0.03, 0, 0.03, 0.03, 0.1, case)
        if shows:
            with at(0, 0, z + 0.015):
                _picture_on(width - 0.03, height - 0.03, -0.057, shows)
        else:
            box(0, -0.056, z + 0.015, width - 0.03, 0.002, height - 0.03, m.paint((0.01, 0.011, 0.014), 0.05), bevel=0)
    return made


def television_bench(width: float = 1.6, kind: str = "oak") -> Thing:
    """A low cabinet to put a television on; its top is at z = 0.46."""
    with thing("television stand", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        for z in (0.12, 0.43):
            box(0, -0.22, z, width, 0.42, 0.03, w, bevel=0.008)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.015), -0.22, 0.12, 0.03, 0.42, 0.33, m.wood(kind, along="z"))
            box(dx * width / 3, -0.42, 0.15, width / 3 - 0.04, 0.02, 0.28, w, bevel=0.006)
            sphere(dx * (width / 6 + 0.05), -0.437, 0.3, 0.013, m.metal("brass"))
            for y in (-0.06, -0.38):
                cylinder(dx * (width / 2 - 0.1), y, 0, 0.013, 0.13, w, top=0.022)
        box(0, -0.02, 0.12, width, 0.02, 0.33, w)
        box(0, -0.25, 0.15, 0.4, 0.26, 0.06, m.paint("black", 0.3))
        box(0.13, -0.381, 0.175, 0.06, 0.004, 0.012, m.glow((0.2, 0.9, 0.4), 2), bevel=0)
    return made


def loudspeaker(kind: str = "walnut", height: float = 0.9) -> Thing:
    """A loudspeaker standing on the floor."""
    with thing("loudspeaker", WOOD_WORDS[kind]) as made:
        box(0, -0.15, 0, 0.24, 0.3, height, m.wood(kind, along="z"), bevel=0.01)
        box(0, -0.302, 0.03, 0.21, 0.006, height - 0.06, m.paint("dark grey", 0.7), bevel=0)
        for z, r in ((height * 0.3, 0.085), (height * 0.58, 0.085), (height * 0.8, 0.045)):
            cylinder(0, -0.31, z, r, 0.015, m.paint("black", 0.4), axis="y", bevel=0.004)
            sphere(0, -0.312, z, r * 0.4, m.paint("grey", 0.3), scale=(1, 0.35, 1))
    return made
