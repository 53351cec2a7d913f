"""Cafés and bars: counters, coffee machines, cake cases, menus, taps, walls of bottles, stools, small tables, neon."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.furniture.tableware import bottles, cake_shape, croissants, plate_shape
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
    thing,
    tilted,
    tube,
)

CAFE, BAR = 1.0, 1.12
"""Heights of a café's and a bar's counter: put things on them there."""


def _front(kind: str) -> tuple[Any, tuple[str, ...]]:
    if kind in m.WOODS and kind not in ("white", "grey"):
        return m.wood(kind, along="z"), (WOOD_WORDS[kind], "wooden")
    return m.paint(kind, 0.4), (kind,)


def counter(
    width: float,
    kind: str = "oak",
    *,
    top: str = "walnut",
    height: float = CAFE,
    depth: float = 0.65,
    style: str = "panels",
    rail: bool = False,
    name: str = "counter",
    words: tuple[str, ...] = (),
) -> Thing:
    """A counter about x = 0, its guests towards -y. Styles: "panels", "slats", "plain", "tiles"; `rail` for feet.

    `words` say how its front looks where that is not how it is painted.
    """
    front, front_words = _front(kind)
    with thing(name, *(words or front_words), WOOD_WORDS.get(top, top)) as made:
        box(0, -depth / 2, 0.08, width, depth - 0.1, height - 0.13, front, bevel=0.006)
        box(0, -depth / 2 + 0.03, 0, width - 0.06, depth - 0.16, 0.1, m.paint("dark grey"))
        y = -depth + 0.05
        if style == "panels":
            count = max(2, round(width / 0.6))
            for i in range(count):
                x = -width / 2 + (i + 0.5) * width / count
                for dx in (-1, 1):
                    box(
                        x + dx * (width / count / 2 - 0.05),
                        y - 0.012,
                        0.12,
                        0.06,
                        0.024,
                        height - 0.2,
                        front,
                        bevel=0.005,
                    )
                for z in (0.12, height - 0.16):
                    box(x, y - 0.011, z, width / count - 0.16, 0.022, 0.07, front, bevel=0.005)
        elif style == "slats":
            for i in range(round(width / 0.07)):
                box(-width / 2 + 0.035 + i * 0.07, y - 0.014, 0.1, 0.04, 0.028, height - 0.16, front, bevel=0.004)
        elif style == "tiles":
            box(0, y - 0.006, 0.1, width, 0.014, height - 0.16, m.tiles(kind, "white", 0.1, plane="xz"), bevel=0)
        surface = m.wood(top) if top in m.WOODS else m.mottled(top, top, 0.05, 0.15)
        box(0, -depth / 2 - 0.03, height - 0.05, width + 0.06, depth + 0.12, 0.05, surface, bevel=0.012)
        if rail:
            brass = m.metal("brass")
            tube([(-width / 2 + 0.05, y - 0.14, 0.2), (width / 2 - 0.05, y - 0.14, 0.2)], 0.02, brass)
            for i in range(round(width / 1.0) + 1):
                x = -width / 2 + 0.1 + i * (width - 0.2) / max(1, round(width / 1.0))
                tube([(x, y, 0.2), (x, y - 0.14, 0.2)], 0.014, brass)
    return made


def espresso_machine(colour: str = "steel", *, groups: int = 2) -> Thing:
    """A large espresso machine, its working side towards -y, with cups on its top."""
    with thing("coffee machine", "grey" if colour == "steel" else colour, "metal") as made:
        skin = (
            m.metal("steel", 0.2)
            if colour == "steel"
            else m.metal(colour, 0.25)
            if colour == "copper"
            else m.paint(colour, 0.12)
        )
        shine, dark = m.metal("chrome"), m.paint("dark grey", 0.3)
        w = 0.3 + 0.22 * groups
        for dx in (-1, 1):
            for y in (-0.1, -0.42):
                cylinder(dx * (w / 2 - 0.06), y, 0, 0.025, 0.06, shine)
            box(dx * (w / 2 - 0.01), -0.26, 0.05, 0.03, 0.52, 0.44, skin, bevel=0.012)
        box(0, -0.27, 0.05, w - 0.03, 0.5, 0.08, shine, bevel=0.01)
        box(0, -0.12, 0.12, w - 0.03, 0.2, 0.36, skin, bevel=0.01)
        box(0, -0.25, 0.34, w, 0.48, 0.16, skin, bevel=0.03)
        box(0, -0.492, 0.37, w - 0.12, 0.008, 0.09, dark, bevel=0.003)
        for i in range(3):
            cylinder(-0.1 + 0.1 * i, -0.5, 0.415, 0.022, 0.012, m.glow((1, 0.6, 0.3), 1.0), axis="y")
        for i in range(groups):
            x = (i - (groups - 1) / 2) * 0.24
            cylinder(x, -0.36, 0.27, 0.045, 0.08, shine)
            cylinder(x, -0.36, 0.235, 0.04, 0.04, shine)
            tube([(x, -0.38, 0.25), (x, -0.58, 0.235)], 0.015, m.paint("black", 0.3))
            with at(x, -0.36, 0.13):
                lathe(
                    0,
                    0,
                    0,
                    [(0, 0), (0.03, 0), (0.042, 0.06), (0.037, 0.06), (0, 0.01)],
                    m.paint("white", 0.12),
                    sides=24,
                )
        for dx in (-1, 1):
            tube(
                [
                    (dx * (w / 2 - 0.06), -0.5, 0.36),
                    (dx * (w / 2 - 0.04), -0.56, 0.3),
                    (dx * (w / 2 - 0.05), -0.56, 0.15),
                ],
                0.008,
                shine,
            )
        for i in range(2 * groups + 1):
            for j in range(2):
                x = (i - groups) * 0.1
                with at(x, -0.16 - 0.14 * j, 0.5):
                    lathe(
                        0,
                        0,
                        0,
                        [(0, 0), (0.028, 0), (0.042, 0.06), (0.037, 0.06), (0, 0.01)],
                        m.paint("white", 0.12),
                        sides=20,
                    )
    return made


def coffee_grinder(colour: str = "black") -> Thing:
    """A coffee grinder with a funnel of beans."""
    with thing("coffee grinder", colour) as made:
        box(0, -0.14, 0, 0.16, 0.26, 0.05, m.paint(colour, 0.2), bevel=0.012)
        box(0, -0.08, 0.04, 0.15, 0.14, 0.3, m.paint(colour, 0.2), bevel=0.03)
        lathe(0, -0.1, 0.34, [(0.03, 0), (0.085, 0.1), (0.085, 0.16)], m.paint((0.06, 0.03, 0.015), 0.6))
        lathe(0, -0.1, 0.5, [(0.086, 0), (0.09, 0.02), (0, 0.03)], m.metal("steel"))
    return made


CAKES = (("pink", "beige"), ("brown", "dark brown"), ("white", "light brown"), ("yellow", "beige"), ("red", "beige"))


def cake_case(width: float = 1.4, rng: Random | None = None, *, colour: str = "white", height: float = 1.3) -> Thing:
    """A glass case with cakes and croissants on three levels, standing on the floor, its glass towards -y."""
    rng = rng or Random(0)
    with thing("cake display", "glass") as made:
        body, _ = _front(colour)
        depth, low = 0.62, 0.5
        box(0, -depth / 2, 0, width, depth, low, body, bevel=0.01)
        box(0, -0.015, low, width, 0.03, height - low, body)
        box(0, -depth / 2 + 0.06, height - 0.05, width, depth - 0.12, 0.05, m.metal("steel", 0.3), bevel=0.008)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.008), -depth / 2, low, 0.012, depth - 0.04, height - low - 0.04, m.glass(), bevel=0)
            box(dx * (width / 2 - 0.01), -depth + 0.06, low, 0.025, 0.025, height - low - 0.03, m.metal("steel"))
        box(0, -depth + 0.05, low, width, 0.006, height - low - 0.03, m.glass((0.95, 0.98, 0.98)), bevel=0)
        levels = 2 if height < 1.2 else 3
        step = (height - low - 0.08) / levels
        for level in range(levels):
            z = low + level * step + 0.012
            if level:
                box(
                    0,
                    -depth / 2 + 0.04,
                    z - 0.012,
                    width - 0.04,
                    depth - 0.2,
                    0.012,
                    m.metal("steel", 0.3),
                    bevel=0.002,
                )
            x = -width / 2 + 0.18
            while x < width / 2 - 0.12:
                with at(x, -depth / 2 + 0.02, z, rng.uniform(0, 360) if level else 0):
                    if (level + round(x * 10)) % 3 == 1:
                        with at(0, 0, 0, 0, 0.9):
                            plate_shape("white", 0.15)
                            croissants(2)
                    else:
                        icing, sponge = rng.choice(CAKES)
                        with at(0, 0, -0.05 if level else 0.0, 0, 0.9):
                            cake_shape(icing, sponge, radius=0.125, cut=rng.random() < 0.4)
                x += 0.33
        box(0, -depth + 0.12, height - 0.075, width - 0.1, 0.03, 0.02, m.glow((1, 0.92, 0.78), 4.0), bevel=0)
        bulb(0, -depth / 2 - 0.08, height - 0.12, 2.5 * width)
    return made


def menu_board(width: float = 1.1, height: float = 0.75, *lines: str) -> Thing:
    """A blackboard with chalk lines on the wall at y = 0, the middle of its lower edge at the origin."""
    with thing("menu board", "black") as made:
        box(0, -0.02, 0, width, 0.035, height, m.wood("oak"), bevel=0.006)
        box(0, -0.034, 0.03, width - 0.06, 0.014, height - 0.06, m.paint((0.03, 0.04, 0.035), 0.9), bevel=0)
        chalk = m.paint("white", 0.9)
        rows = max(1, len(lines))
        each = (height - 0.12) / rows
        for i, line in enumerate(lines):
            size = min(each * 0.8, (width - 0.14) / (0.72 * len(line)))
            lettering(0, -0.045, height - 0.06 - (i + 0.8) * each, line, size, chalk)
    return made


def stand_board(*lines: str) -> Thing:
    """A folding blackboard on the floor, its writing towards -y."""
    with thing("menu board", "black") as made:
        for turn in (-12, 12):
            with tilted(0, turn * 0.014, 0, about="X", by=turn):
                box(0, 0, 0, 0.6, 0.03, 1.0, m.wood("oak"), bevel=0.008)
                if turn < 0:
                    box(0, -0.012, 0.12, 0.5, 0.012, 0.8, m.paint((0.03, 0.04, 0.035), 0.9), bevel=0)
                    for i, line in enumerate(lines):
                        lettering(0, -0.02, 0.74 - i * 0.2, line, min(0.15, 0.6 / len(line)), m.paint("white", 0.9))
    return made


def cafe_table(top: str = "white", *, radius: float = 0.33, height: float = 0.74, square: bool = False) -> Thing:
    """A small table on one iron foot, its middle on the origin; wood by kind or a colour."""
    front, words = _front(top)
    with thing("table", *words, *([] if square else ["round"])) as made:
        if square:
            box(0, 0, height - 0.03, 2 * radius, 2 * radius, 0.03, m.wood(top) if top in m.WOODS else front, bevel=0.01)
        else:
            cylinder(0, 0, height - 0.03, radius, 0.03, m.wood(top) if top in m.WOODS else front, bevel=0.01, sides=56)
        iron = m.metal("iron", 0.4)
        cylinder(0, 0, 0.02, 0.028, height - 0.05, iron)
        lathe(0, 0, 0, [(0, 0), (0.2, 0), (0.19, 0.015), (0.05, 0.035), (0.03, 0.07)], iron)
    return made


def bistro_chair(colour: str = "brown", *, seat: str = "beige") -> Thing:
    """A bentwood chair with a round seat, facing -y, its middle on the origin; wood by kind or a colour."""
    wood, words = _front(colour)
    with thing("chair", *words, seat) as made:
        cylinder(0, 0, 0.43, 0.2, 0.035, wood, bevel=0.01)
        part("seat", cylinder(0, 0, 0.455, 0.17, 0.016, m.fabric(seat, 40), bevel=0.005))
        for a in (50, 130, 230, 310):
            c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
            tube([(0.23 * c, 0.23 * s, 0), (0.17 * c, 0.17 * s, 0.44)], 0.014, wood)
        ring(0, 0, 0.22, 0.18, 0.009, wood)
        for r, low in ((0.19, 0.46), (0.11, 0.47)):
            arch = [
                (r * math.cos(a), 0.17 + 0.05, 0.66 + 1.05 * r * math.sin(a))
                for a in (i * math.pi / 10 for i in range(11))
            ]
            tube([(r * 0.9, 0.16, low), *arch, (-r * 0.9, 0.16, low)], 0.012, wood)
    return made


def bar_stool(colour: str = "red", *, height: float = 0.78, style: str = "chrome") -> Thing:
    """A bar stool, its middle on the origin. Styles: "chrome" (one foot), "wood" (four legs), "back" (a low back)."""
    words = (colour,) if style != "wood" else (WOOD_WORDS.get(colour, colour), "wooden")
    with thing("bar stool", *words) as made:
        if style == "wood":
            w = m.wood(colour)
            for a in (45, 135, 225, 315):
                c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
                tube([(0.24 * c, 0.24 * s, 0), (0.14 * c, 0.14 * s, height - 0.03)], 0.018, w)
            ring(0, 0, 0.3, 0.195, 0.012, w)
            cylinder(0, 0, height - 0.045, 0.185, 0.045, w, bevel=0.016)
        else:
            shine = m.metal("chrome" if style == "chrome" else "brass")
            lathe(0, 0, 0, [(0, 0), (0.22, 0), (0.21, 0.015), (0.05, 0.04), (0.028, 0.08)], shine)
            part("leg", cylinder(0, 0, 0.05, 0.027, height - 0.12, shine))
            ring(0, 0, 0.28, 0.17, 0.012, shine)
            tube([(-0.17, 0, 0.28), (0.17, 0, 0.28)], 0.01, shine)
            leather = m.paint(colour, 0.32)
            cylinder(0, 0, height - 0.08, 0.19, 0.025, shine)
            outline = [(0.19, 0), (0.2, 0.03), (0.185, 0.07), (0.1, 0.082), (0, 0.085)]
            part("seat", lathe(0, 0, height - 0.06, outline, leather))
            if style == "back":
                arc = [
                    (0.19 * math.cos(a), 0.19 * math.sin(a), height + 0.2)
                    for a in (i * math.pi / 12 for i in range(13))
                ]
                tube(arc, 0.05, leather)
                for a in (0.5, 1.57, 2.64):
                    c, d = math.cos(a), math.sin(a)
                    tube([(0.17 * c, 0.17 * d, height - 0.06), (0.19 * c, 0.19 * d, height + 0.2)], 0.012, shine)
    return made


def bottle_wall(
    width: float,
    rng: Random,
    *,
    rows: int = 3,
    kind: str = "walnut",
    z: float = 1.15,
    light: Any = (1.0, 0.7, 0.35),
    step: float = 0.42,
) -> Thing:
    """Shelves full of bottles against y = 0 over a low cabinet, lit from behind by a colour of light; the top of the
    cabinet is at 0.92."""
    front, words = _front(kind)
    with thing("cabinet", *words):
        box(0, -0.24, 0, width, 0.48, 0.88, front, bevel=0.006)
        count = max(2, round(width / 0.6))
        for i in range(count):
            x = -width / 2 + (i + 0.5) * width / count
            box(x, -0.485, 0.08, width / count - 0.03, 0.02, 0.74, front, bevel=0.005)
            sphere(x + 0.2, -0.505, 0.66, 0.014, m.metal("brass"))
        box(
            0,
            -0.25,
            0.88,
            width + 0.04,
            0.54,
            0.04,
            m.wood("walnut") if kind not in m.WOODS else m.wood(kind),
            bevel=0.008,
        )
    with thing("shelf of bottles") as made:
        high = rows * step
        if light:
            box(0, -0.012, z, width - 0.04, 0.016, high, m.glow(light, 0.35), bevel=0)
        for dx in (-1, 0, 1):
            box(dx * (width / 2 - 0.02), -0.11, z - 0.23, 0.04, 0.22, high + 0.27, front)
        for row in range(rows + 1):
            board = box(0, -0.11, z + row * step - 0.03, width, 0.22, 0.03, front, bevel=0.004)
            if row < rows:
                part("shelf", board)
                with at(-width / 2 + 0.05, -0.03, z + row * step):
                    bottles(width / 2 - 0.08, rng, height=min(0.32, step - 0.08), gap=0.105)
                with at(0.04, -0.03, z + row * step):
                    bottles(width / 2 - 0.08, rng, height=min(0.32, step - 0.08), gap=0.105)
    return made


def beer_taps(*colours: str, kind: str = "brass") -> Thing:
    """A beer tap column with a handle of each colour, reaching towards +y (the barkeeper's side)."""
    with thing("beer tap", "metal") as made:
        shine = m.metal(kind, 0.15)
        width = 0.16 * len(colours)
        for dx in (-1, 1):
            cylinder(dx * (width / 2 - 0.05), 0, 0, 0.035, 0.34, shine)
            lathe(dx * (width / 2 - 0.05), 0, 0, [(0.07, 0), (0.065, 0.02), (0.036, 0.04)], shine)
        cylinder(0, 0, 0.36, 0.055, width + 0.06, shine, axis="x", bevel=0.012)
        for i, colour in enumerate(colours):
            x = (i - (len(colours) - 1) / 2) * 0.16
            tube([(x, 0, 0.36), (x, 0.12, 0.36), (x, 0.13, 0.28)], 0.016, m.metal("chrome"))
            with tilted(x, 0.02, 0.4, about="X", by=8):
                lathe(0, 0, 0, [(0.01, 0), (0.014, 0.03), (0.03, 0.14), (0.032, 0.2), (0, 0.215)], m.paint(colour, 0.2))
            cylinder(x, -0.058, 0.36, 0.04, 0.012, m.paint(colour, 0.3), axis="y")
    return made


def neon(
    words: str, colour: tuple[float, float, float] = (1.0, 0.1, 0.35), *, size: float = 0.5, power: float = 18
) -> Thing:
    """A neon sign on the wall at y = 0, its lower middle at the origin."""
    with thing("neon sign", "lit") as made:
        lettering(0, -0.06, 0, words, size, m.glow(colour, 3.5))
        width = 0.74 * size * len(words)
        ring_points = [(-1, -0.28), (1, -0.28), (1, 1.0), (-1, 1.0)]
        tube(
            [(x * (width / 2 + 0.12), -0.05, z * size) for x, z in ring_points], 0.014, m.glow(colour, 3.0), closed=True
        )
        bulb(0, -0.35, size * 0.4, power, colour=colour, radius=0.3)
    return made


def cocktail(colour: str = "pink", *, style: str = "martini") -> Thing:
    """A cocktail with a slice of fruit. Styles: "martini" (on a stem), "tall" (with a straw and a paper umbrella)."""
    with thing("cocktail", colour) as made:
        clear = m.glass((0.9, 0.94, 0.95))
        if style == "martini":
            cylinder(0, 0, 0, 0.038, 0.004, clear, sides=28)
            cylinder(0, 0, 0.003, 0.005, 0.09, clear, sides=12)
            lathe(0, 0, 0.09, [(0.004, 0), (0.065, 0.075)], clear)
            lathe(0, 0, 0.094, [(0.003, 0), (0.052, 0.058), (0, 0.059)], m.paint(colour, 0.08))
            cylinder(0.055, 0, 0.165, 0.024, 0.005, m.paint("yellow", 0.4), axis="y")
        else:
            lathe(0, 0, 0, [(0, 0), (0.032, 0), (0.04, 0.19), (0.037, 0.19), (0.03, 0.01)], clear)
            cylinder(0, 0, 0.01, 0.029, 0.15, m.paint(colour, 0.1), top=0.036)
            tube([(0, 0, 0.02), (0.05, 0, 0.26)], 0.005, m.paint("red", 0.4))
            cylinder(-0.045, 0, 0.19, 0.03, 0.006, m.paint("orange", 0.4), axis="y")
            lathe(0.0, 0.02, 0.225, [(0.06, 0), (0.03, 0.024), (0, 0.034)], m.paint("cyan", 0.7), sides=12)
    return made


def glass_rack(width: float, *, stem: bool = True) -> Thing:
    """A rack of brass above a counter with glasses hanging upside down; the origin is the middle of the rack."""
    with thing("glass rack", "golden") as made:
        brass = m.metal("brass")
        for dy in (-0.15, 0.15):
            tube([(-width / 2, dy, 0), (width / 2, dy, 0)], 0.012, brass)
        clear = m.glass((0.85, 0.9, 0.92))
        for i in range(round(width / 0.13)):
            x = -width / 2 + 0.08 + i * 0.13
            tube([(x, -0.15, 0), (x, 0.15, 0)], 0.006, brass)
            for y in (-0.07, 0.07):
                cylinder(x, y, -0.006, 0.034, 0.004, clear, sides=20)
                cylinder(x, y, -0.09, 0.004, 0.085, clear, sides=10)
                lathe(x, y, -0.2, [(0.034, 0), (0.042, 0.06), (0.004, 0.11)], clear, sides=24)
    return made


def barrel(kind: str = "oak", *, height: float = 0.9) -> Thing:
    """A standing barrel, its middle on the origin; its top is at z = height."""
    with thing("barrel", WOOD_WORDS[kind], "wooden") as made:
        h = height
        w = m.wood(kind, along="z")
        lathe(0, 0, 0, [(0, 0), (0.25, 0), (0.31, 0.3 * h), (0.325, 0.5 * h), (0.31, 0.7 * h), (0.25, h), (0, h)], w)
        for z, r in ((0.06, 0.264), (0.26, 0.305), (0.74, 0.305), (0.94, 0.264)):
            lathe(0, 0, z * h - 0.025, [(r, 0), (r + 0.004, 0), (r + 0.004, 0.05), (r, 0.05)], m.metal("iron", 0.4))
    return made


def dartboard() -> Thing:
    """A dartboard on the wall at y = 0, its middle on the origin, with darts in it."""
    with thing("dartboard", "round") as made:
        cylinder(0, -0.02, 0, 0.3, 0.04, m.paint("black", 0.6), axis="y", sides=64)
        for i in range(20):
            a0, a1 = 2 * math.pi * (i - 0.5) / 20, 2 * math.pi * (i + 0.5) / 20
            for r0, r1, pair in (
                (0.04, 0.14, ("black", "beige")),
                (0.14, 0.155, ("red", "green")),
                (0.155, 0.225, ("black", "beige")),
                (0.225, 0.245, ("red", "green")),
            ):
                outline = [(r0 * math.cos(a0), r0 * math.sin(a0)), (r1 * math.cos(a0), r1 * math.sin(a0))]
                outline += [(r1 * math.cos(a1), r1 * math.sin(a1)), (r0 * math.cos(a1), r0 * math.sin(a1))]
                prism(outline, 0.006, m.paint(pair[i % 2], 0.7), y=-0.046, plane="xz")
        cylinder(0, -0.045, 0, 0.04, 0.012, m.paint("green", 0.7), axis="y")
        cylinder(0, -0.048, 0, 0.018, 0.012, m.paint("red", 0.7), axis="y")
        for x, z, tint in ((0.03, 0.05, "yellow"), (-0.08, 0.02, "blue")):
            tube([(x, -0.05, z), (x, -0.14, z + 0.01)], 0.006, m.metal("steel"))
            box(x, -0.15, z - 0.02, 0.004, 0.05, 0.05, m.paint(tint, 0.5), bevel=0)
    return made


def cash_register(colour: str = "dark grey") -> Thing:
    """A till with a screen towards -y."""
    with thing("cash register", colour) as made:
        box(0, -0.2, 0, 0.4, 0.38, 0.1, m.paint(colour, 0.3), bevel=0.01)
        with tilted(0, -0.18, 0.1, about="X", by=-18):
            box(0, 0, 0.02, 0.34, 0.03, 0.26, m.paint(colour, 0.3), bevel=0.01)
    return made


def booth(width: float = 1.3, colour: str = "dark red", kind: str = "walnut") -> Thing:
    """An upholstered bench with a high back along the wall at y = 0."""
    with thing("bench", colour, "leather") as made:
        leather = m.paint(colour, 0.35)
        box(0, -0.25, 0, width, 0.5, 0.3, m.wood(kind), bevel=0.006)
        count = max(1, round(width / 0.6))
        for i in range(count):
            x = -width / 2 + (i + 0.5) * width / count
            cushion(x, -0.29, 0.28, width / count - 0.006, 0.5, 0.18, leather, soft=0.35)
            with tilted(x, -0.1, 0.44, about="X", by=-6):
                cushion(0, 0, 0, width / count - 0.006, 0.14, 0.56, leather, soft=0.4)
        box(0, -0.03, 0.3, width, 0.06, 0.82, m.wood(kind), bevel=0.008)
    return made


def awning(width: float, colours: tuple[str, str] = ("red", "white"), *, reach: float = 1.3) -> Thing:
    """A striped awning that leans out from the wall at y = 0 towards -y, its wall edge at the origin's height."""
    with thing("awning", *colours, "striped") as made:
        stripes = round(width / 0.25)
        fall = 0.45
        for i in range(stripes):
            x = -width / 2 + (i + 0.5) * width / stripes
            cloth = m.paint(colours[i % 2], 0.8)
            half = width / stripes / 2
            prism(
                [(-0.0, 0.0), (-reach, -fall), (-reach, -fall - 0.02), (0, -0.02)],
                2 * half,
                cloth,
                x=x - half,
                plane="yz",
            )
            prism(
                [(-half, 0), (half, 0), (half, -0.14), (0, -0.19), (-half, -0.14)],
                0.012,
                cloth,
                x=x,
                y=-reach,
                z=-fall,
                plane="xz",
            )
    return made
