"""What stands in offices: swivel chairs, conference tables, screens, flip charts, laptops, strip lights."""

from __future__ import annotations

import math
from random import Random

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    NEUTRAL,
    Point,
    Thing,
    at,
    box,
    cushion,
    cylinder,
    lathe,
    lettering,
    panel_light,
    prism,
    scenery,
    state,
    thing,
    tilted,
    tube,
)


def strip_light(
    height: float,
    length: float = 1.2,
    *,
    power: float = 25.0,
    colour: Point = NEUTRAL,
    along: str = "y",
    drop: float = 0.0,
) -> Thing:
    """A long lamp at the ceiling, or hanging `drop` below it, its middle over the origin."""
    with thing("ceiling lamp", "white", "long") as made:
        state("lit")
        z = height - drop
        size = (0.16, length) if along == "y" else (length, 0.16)
        box(0, 0, z - 0.06, *size, 0.058, m.paint("white", 0.4))
        box(0, 0, z - 0.068, size[0] - 0.03, size[1] - 0.03, 0.012, m.glow(colour, 5.0), bevel=0)
        if drop:
            for end in (-0.35, 0.35):
                where = (0, end * length) if along == "y" else (end * length, 0)
                box(*where, z, 0.008, 0.008, drop, m.metal("steel"), bevel=0)
        panel_light(0, 0, z - 0.09, power, size=0.6, colour=colour)
    return made


def conference_table(length: float, width: float = 1.3, kind: str = "walnut", *, shape: str = "boat") -> Thing:
    """A long table along y, its middle on the origin, its top at z = 0.75: "boat", "oval", "plain" or "round"."""
    words = {"oval": ("oval",), "round": ("round",)}.get(shape, ("long",))
    with thing("conference table", WOOD_WORDS[kind], *words) as made:
        w = m.wood(kind, along="y")
        turn = [2 * math.pi * i / 64 for i in range(64)]
        if shape == "plain":
            outline = [
                (-width / 2, -length / 2),
                (width / 2, -length / 2),
                (width / 2, length / 2),
                (-width / 2, length / 2),
            ]
        elif shape == "boat":
            side = [-1 + i / 8 for i in range(17)]
            right = [(width / 2 * (1 - 0.22 * s * s), length / 2 * s) for s in side]
            outline = right + [(-x, y) for x, y in reversed(right)]
        else:
            power = 1.0 if shape == "round" else 0.72
            outline = [
                (
                    math.copysign(abs(math.cos(a)) ** power, math.cos(a)) * width / 2,
                    math.copysign(abs(math.sin(a)) ** power, math.sin(a)) * length / 2,
                )
                for a in turn
            ]
        prism(outline, 0.04, w, z=0.71, bevel=0.008)
        if shape == "round":
            cylinder(0, 0, 0, 0.36, 0.03, m.metal("steel"), bevel=0.01)
            cylinder(0, 0, 0.03, 0.06, 0.69, m.metal("steel"))
        else:
            for dy in (-1, 1):
                if shape == "plain":
                    for dx in (-1, 1):
                        tube(
                            [
                                (dx * (width / 2 - 0.1), dy * (length / 2 - 0.5), 0),
                                (dx * (width / 2 - 0.35), dy * (length / 2 - 0.5), 0.7),
                            ],
                            0.03,
                            w,
                        )
                else:
                    box(0, dy * length * 0.3, 0, width * 0.42, 0.09, 0.71, w)
                    box(0, dy * length * 0.3, 0, width * 0.55, 0.3, 0.03, w)
            box(0, 0, 0.42, 0.05, length * 0.6, 0.16, w)
        box(0, 0, 0.751, 0.14, 0.4, 0.003, m.paint("dark grey"), bevel=0)
    return made


def sled_chair(colour: str = "blue") -> Thing:
    """A conference chair on a bent steel tube, facing -y, its middle on the origin."""
    with thing("chair", colour) as made:
        steel, cloth = m.metal("chrome"), m.fabric(colour)
        for dx in (-0.25, 0.25):
            tube(
                [(dx, 0.22, 0.012), (dx, -0.24, 0.012), (dx, -0.22, 0.42), (dx, -0.2, 0.66), (dx, 0.2, 0.66)],
                0.012,
                steel,
            )
            tube([(dx, -0.2, 0.43), (dx, 0.18, 0.43), (dx, 0.25, 0.88)], 0.012, steel)
            box(dx, 0, 0.66, 0.045, 0.3, 0.025, m.paint("black", 0.4), bevel=0.01)
        tube([(-0.25, 0.22, 0.012), (0.25, 0.22, 0.012)], 0.012, steel)
        cushion(0, -0.01, 0.43, 0.48, 0.46, 0.07, cloth)
        cushion(0, 0.215, 0.52, 0.46, 0.05, 0.4, cloth, tilt=-9)
    return made


def leather_chair(colour: str = "dark brown") -> Thing:
    """A high-backed swivel chair of leather, facing -y, its middle on the origin."""
    with thing("office chair", colour, "leather") as made:
        hide, steel = m.paint(colour, 0.35), m.metal("steel")
        for i in range(5):
            with at(0, 0, 0, 72 * i + 20):
                tube([(0, 0, 0.12), (0.32, 0, 0.06)], 0.022, steel)
                cylinder(0.32, 0, 0.03, 0.03, 0.045, m.paint("black"), axis="y")
        cylinder(0, 0, 0.1, 0.03, 0.32, steel)
        cushion(0, -0.02, 0.4, 0.54, 0.52, 0.13, hide, soft=0.4)
        for k in range(3):
            cushion(0, 0.24 + 0.025 * k, 0.5 + 0.23 * k, 0.52 - 0.02 * k, 0.12, 0.25, hide, tilt=-7, soft=0.42)
        for dx in (-0.29, 0.29):
            tube([(dx, 0.18, 0.45), (dx, 0.2, 0.62), (dx, -0.18, 0.64), (dx, -0.16, 0.45)], 0.018, steel)
            cushion(dx, 0, 0.63, 0.08, 0.34, 0.05, hide)
    return made


# Screens and charts


def chart(kind: str, width: float, height: float, title: str, *, shine: float = 0.0) -> None:
    """A slide with a title and "bars", a "pie" or a "line" with notes; foot at z = 0, drawn just before y = 0."""

    def ink(colour: str) -> object:
        return m.glow(colour, shine) if shine else m.paint(colour, 0.8)

    state(f"showing a {'bar' if kind == 'bars' else kind} chart")
    lettering(0, 0, height * 0.83, title, height * 0.13, ink("dark blue"))
    box(0, -0.006, height * 0.79, width * 0.86, 0.004, height * 0.012, ink("orange"), bevel=0)
    if kind == "bars":
        box(0, -0.006, height * 0.12, width * 0.8, 0.004, height * 0.01, ink("grey"), bevel=0)
        for i, tall in enumerate((0.22, 0.36, 0.3, 0.46, 0.58)):
            hue = ("blue", "cyan", "blue", "cyan", "orange")[i]
            box(width * (-0.32 + 0.16 * i), -0.006, height * 0.13, width * 0.1, 0.004, height * tall, ink(hue), bevel=0)
        return
    middle = -width * 0.2
    if kind == "pie":
        start = 0.0
        for share, hue in ((0.38, "blue"), (0.27, "orange"), (0.2, "green"), (0.15, "red")):
            arc = [2 * math.pi * (start + share * i / 12) for i in range(13)]
            points = [(0.0, 0.0)] + [(math.sin(a) * height * 0.29, math.cos(a) * height * 0.29) for a in arc]
            prism(points, 0.004, ink(hue), x=middle, y=-0.008, z=height * 0.43, plane="xz")
            start += share
    else:
        for end in ((-0.42, 0.7), (0.02, 0.14)):
            tube(
                [(width * -0.42, -0.008, height * 0.14), (width * end[0], -0.008, height * end[1])], 0.008, ink("grey")
            )
        line = [(-0.42, 0.2), (-0.32, 0.3), (-0.22, 0.26), (-0.12, 0.46), (-0.02, 0.66)]
        tube([(width * x, -0.01, height * z) for x, z in line], 0.014, ink("red"))
    for i in range(4):
        box(
            width * 0.12,
            -0.006,
            height * (0.62 - 0.13 * i),
            height * 0.04,
            0.004,
            height * 0.04,
            ink("orange"),
            bevel=0,
        )
        long = width * (0.24, 0.2, 0.27, 0.16)[i]
        box(
            width * 0.16 + long / 2,
            -0.006,
            height * (0.625 - 0.13 * i),
            long,
            0.004,
            height * 0.03,
            ink("grey"),
            bevel=0,
        )


def screen(width: float, kind: str = "bars", title: str = "SALES 2025", *, framed: bool = False) -> Thing:
    """A lit screen with a slide, hanging at y = 0, its foot at the origin: a projection, or `framed` as a monitor."""
    height = width * 0.58
    with thing("screen", "white", "lit") as made:
        if framed:
            box(0, -0.025, -0.03, width + 0.06, 0.05, height + 0.06, m.paint("black", 0.3))
        else:
            cylinder(0, -0.04, height + 0.04, 0.045, width + 0.16, m.paint("white", 0.4), axis="x")
            box(0, -0.025, -0.03, width + 0.08, 0.02, 0.03, m.paint("black"))
            box(0, -0.03, 0, width + 0.08, 0.004, height + 0.04, m.paint("dark grey"), bevel=0)
        box(0, -0.053 if framed else -0.036, 0, width, 0.004, height, m.glow((0.86, 0.9, 0.95), 0.85), bevel=0)
        with at(0, -0.058 if framed else -0.042):
            chart(kind, width, height, title, shine=0.45)
    return made


def flipchart(kind: str = "pie", title: str = "PLAN") -> Thing:
    """A flip chart: a pad of paper with a drawing on a three-legged stand, facing -y, its middle on the origin."""
    with thing("flip chart", "white", "with writing") as made:
        steel = m.metal("steel")
        for dx in (-0.3, 0.3):
            tube([(dx * 1.25, -0.14, 0), (dx, 0.04, 1.85)], 0.016, steel)
        tube([(0, 0.6, 0), (0, 0.06, 1.8)], 0.016, steel)
        with tilted(0, -0.06, 0.85, by=-5.5):
            box(0, 0.0, 0, 0.7, 0.02, 1.05, m.paint("light grey", 0.4))
            box(0, -0.014, 0.02, 0.66, 0.006, 0.98, m.paint("white", 0.8), bevel=0)
            box(0, -0.02, 0.97, 0.7, 0.03, 0.07, m.paint("dark grey"))
            box(0, -0.04, -0.02, 0.66, 0.07, 0.02, m.paint("light grey"))
            for i, hue in enumerate(("red", "blue", "green")):
                cylinder(-0.2 + 0.15 * i, -0.045, 0.012, 0.011, 0.12, m.paint(hue), axis="x", sides=12)
            with at(0, -0.018, 0.02):
                chart(kind, 0.66, 0.9, title)
    return made


def projector() -> Thing:
    """A projector hanging from the ceiling at the origin (0.35 down), shining towards +y."""
    with thing("projector", "white") as made:
        cylinder(0, 0, -0.28, 0.02, 0.28, m.paint("white"))
        box(0, 0, -0.4, 0.36, 0.3, 0.12, m.paint("white", 0.3), bevel=0.02)
        cylinder(0.08, 0.16, -0.34, 0.04, 0.04, m.paint("black", 0.1), axis="y")
    return made


def conference_phone() -> Thing:
    """A three-armed telephone for conferences, lying at the origin."""
    with thing("conference phone", "black") as made:
        plastic = m.paint("black", 0.3)
        for i in range(3):
            with at(0, 0, 0, 120 * i):
                box(0.09, 0, 0, 0.16, 0.07, 0.035, plastic, bevel=0.015)
        cylinder(0, 0, 0, 0.085, 0.05, plastic, bevel=0.012)
        cylinder(0, 0, 0.05, 0.045, 0.004, m.paint("light grey"))
    return made


def notepad(colour: str = "yellow") -> None:
    """A writing pad with a pen: clutter of a meeting, at the origin."""
    with scenery():
        box(0, 0, 0, 0.18, 0.25, 0.012, m.paint("white", 0.8), bevel=0.002)
        box(0, 0.115, 0.004, 0.184, 0.03, 0.014, m.paint(colour, 0.6), bevel=0)
        tube([(0.12, -0.08, 0.008), (0.14, 0.06, 0.008)], 0.006, m.paint("blue"))


def carafe() -> Thing:
    """A glass bottle of water with a blue cap."""
    with thing("bottle", "blue") as made:
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.042, 0.002), (0.044, 0.17), (0.016, 0.24), (0.016, 0.28)],
            m.paint((0.25, 0.5, 0.66), 0.08),
            sides=24,
        )
        cylinder(0, 0, 0.275, 0.019, 0.03, m.paint("blue"), sides=20)
    return made


def sticky_notes(width: float, height: float, rng: Random) -> Thing:
    """A wall full of coloured notes at y = 0, foot at the origin."""
    with thing("sticky notes", "colourful") as made:
        across, up = round(width / 0.17), round(height / 0.17)
        for i in range(across):
            for j in range(up):
                if rng.random() < 0.72:
                    hue = rng.choice(("yellow", "pink", "light green", "orange", "light blue"))
                    with tilted(
                        (i + 0.5) * width / across - width / 2,
                        -0.004,
                        (j + 0.5) * height / up,
                        about="Y",
                        by=rng.uniform(-8, 8),
                    ):
                        box(0, 0, -0.06, 0.125, 0.004, 0.125, m.paint(hue, 0.8), bevel=0)
                        for k in range(2):
                            box(0, -0.003, 0.02 - 0.035 * k, 0.08, 0.003, 0.008, m.paint("dark blue"), bevel=0)
    return made


def glass_wall(width: float, height: float, panes: int = 3) -> Thing:
    """A glass partition in a thin dark frame at y = 0, its middle at x = 0."""
    with thing("glass wall", "clear") as made:
        bar = m.paint("dark grey", 0.4)
        for i in range(panes + 1):
            box(-width / 2 + i * width / panes, 0, 0, 0.05, 0.06, height, bar, bevel=0.004)
        for z in (0, 0.98, height - 0.05):
            box(0, 0, z, width, 0.05, 0.05 if z != 0.98 else 0.03, bar, bevel=0.004)
        box(0, 0, 0, width, 0.01, height, m.glass((0.93, 0.97, 0.97)), bevel=0)
    return made


def skyline(rng: Random, *, y: float = 30.0, lit: bool = False, deep: float = -22.0) -> None:
    """Towers of a city behind a high window, in the direction of +y; `lit` shows their windows at night."""
    with scenery():
        for row in range(2):
            x = -60.0
            while x < 60:
                wide, high = rng.uniform(5, 10), rng.uniform(14, 32) + 8 * row
                hue = rng.choice(((0.3, 0.34, 0.4), (0.45, 0.42, 0.38), (0.24, 0.3, 0.36), (0.5, 0.36, 0.3)))
                if lit:
                    face = m.paint((0.012, 0.016, 0.03), 0.6)
                else:
                    face = m.tiles(tuple(0.45 * c for c in hue), hue, 1.5, 0.3, "xz")
                where = y + 16 * row + rng.uniform(0, 5)
                box(x, where, deep, wide, 5, high, face, bevel=0)
                if lit:
                    for i in range(int(wide / 1.4)):
                        for j in range(8):
                            if rng.random() < 0.42:
                                z = deep + high - 1.6 - 1.7 * j
                                box(
                                    x - wide / 2 + 1.0 + 1.4 * i,
                                    where - 2.52,
                                    z,
                                    0.75,
                                    0.03,
                                    0.9,
                                    m.glow((1.0, 0.75, 0.4), 1.6),
                                    bevel=0,
                                )
                x += wide + rng.uniform(0.5, 4)
        box(0, y + 30, deep - 0.2, 300, 200, 0.2, m.paint((0.2, 0.24, 0.22)), bevel=0)
