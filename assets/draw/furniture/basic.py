"""What stands in many rooms: tables, chairs, shelves with books, lamps, plants, pictures on the wall, rugs."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from draw import materials as m
from draw.stage import Thing, at, box, bulb, cushion, cylinder, lathe, part, sheet, sphere, state, thing, tube

WOOD_WORDS = {
    "white": "white",
    "grey": "grey",
    "walnut": "dark brown",
    "ebony": "black",
    "cherry": "brown",
    "oak": "brown",
    "pine": "light brown",
    "birch": "beige",
}
"""The colour a viewer would name a kind of wood by."""
LIT_CLOTH = {"beige": ("white",), "yellow": ("beige",), "orange": ("white", "pink")}
LIT_PAINT = {
    "yellow": ("yellow", "beige"),
    "orange": ("orange", "pink"),
    "pink": ("pink", "white"),
    "red": ("red", "pink"),
    "dark red": ("red", "pink"),
    "dark green": ("green",),
    "dark grey": ("grey",),
    "black": ("black", "grey"),
}
"""The colours of a shade of cloth or painted metal with a lamp in it: it looks paler than it is."""


def table(
    width: float = 1.2, depth: float = 0.7, height: float = 0.74, kind: str = "oak", name: str = "table", *more: str
) -> Thing:
    """A four-legged table, its middle on the frame's origin. Put things on it at z = height."""
    with thing(name, WOOD_WORDS[kind], "wooden", *more) as made:
        top = m.wood(kind)
        box(0, 0, height - 0.04, width, depth, 0.04, top, bevel=0.01)
        box(0, 0, height - 0.11, width - 0.14, depth - 0.14, 0.07, top)
        for dx in (-1, 1):
            for dy in (-1, 1):
                box(dx * (width / 2 - 0.05), dy * (depth / 2 - 0.05), 0, 0.06, 0.06, height - 0.04, top)
    return made


def chair(kind: str = "oak", seat: str | None = None) -> Thing:
    """A wooden chair facing -y, its middle on the origin; `seat` is the colour of a seat cushion."""
    with thing("chair", WOOD_WORDS[kind], *([seat] if seat else []), "wooden") as made:
        w = m.wood(kind)
        for dx in (-0.19, 0.19):
            box(dx, -0.18, 0, 0.04, 0.04, 0.44, w)
            box(dx, 0.19, 0, 0.04, 0.04, 0.92, w)
        box(0, 0, 0.43, 0.44, 0.44, 0.035, w, bevel=0.012)
        for z in (0.6, 0.72, 0.84):
            box(0, 0.195, z, 0.36, 0.022, 0.06, w)
        if seat:
            part("seat", cushion(0, -0.01, 0.455, 0.41, 0.4, 0.06, m.fabric(seat)))
    return made


def rug(width: float, depth: float, colour: str, *, border: str | None = None, round_: bool = False) -> Thing:
    """A rug, its middle on the origin."""
    with thing("rug", colour, *(["round"] if round_ else [])) as made:
        if round_:
            cylinder(0, 0, 0, width / 2, 0.015, m.carpet(colour))
        else:
            if border:
                part("border", box(0, 0, 0, width, depth, 0.012, m.carpet(border)))
            box(0, 0, 0.002, width - (0.2 if border else 0), depth - (0.2 if border else 0), 0.014, m.carpet(colour))
    return made


def books(width: float, rng: Random, *, height: float = 0.26, depth: float = 0.18, lean: bool = True) -> None:
    """A row of books of a width from x = 0 to the right, backs towards -y; scenery of whatever holds them."""
    x = 0.0
    while x < width - 0.03:
        thick = rng.uniform(0.02, 0.05)
        tall = height * rng.uniform(0.72, 1.0)
        colour = (rng.uniform(0.02, 0.55), rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.4))
        box(
            x + thick / 2,
            -depth / 2,
            0,
            thick * 0.94,
            depth * rng.uniform(0.85, 1),
            tall,
            m.paint(colour, 0.6),
            bevel=0.003,
        )
        x += thick
        if lean and rng.random() < 0.06:
            x += 0.05


def bookcase(
    width: float, height: float, rng: Random, kind: str = "oak", *, depth: float = 0.3, fill: float = 0.92
) -> Thing:
    """A bookcase full of books, its back against y = 0, its middle at x = 0."""
    with thing("bookcase", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind, along="z")
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.015), -depth / 2, 0, 0.03, depth, height, w)
        box(0, -0.01, 0, width, 0.02, height, w)
        rows = max(2, round(height / 0.36))
        for i in range(rows + 1):
            z = i * (height - 0.03) / rows
            board = box(0, -depth / 2, z, width - 0.04, depth, 0.025, w)
            if i < rows:
                part("shelf", board)
                with at(-width / 2 + 0.04, -0.03, z + 0.025):
                    books(
                        (width - 0.08) * rng.uniform(fill - 0.15, fill),
                        rng,
                        height=(height / rows) * 0.82,
                        depth=depth * 0.75,
                    )
    return made


def plant(rng: Random, *, height: float = 1.0, pot: str = "brown") -> Thing:
    """A leafy pot plant, its middle on the origin."""
    with thing("plant", "green") as made:
        r = 0.12 + 0.06 * height
        outline = [
            (0, 0),
            (r * 0.7, 0),
            (r, 0.28 * height),
            (r * 1.06, 0.3 * height),
            (r * 0.9, 0.3 * height),
            (0, 0.27 * height),
        ]
        part("pot", lathe(0, 0, 0, outline, m.paint(pot, 0.7)))
        for _ in range(int(16 + 14 * height)):
            turn, rise = rng.uniform(0, 360), rng.uniform(0.25, 1.0)
            reach = rng.uniform(0.08, 0.34) * height
            with at(0, 0, 0.26 * height, turn):
                tip = 0.72 * height * rise
                tube([(0.02, 0, 0), (reach * 0.5, 0, tip * 0.7), (reach, 0, tip * 0.95)], 0.005, m.leaf(0.8))
                sphere(
                    reach,
                    0,
                    tip * 0.9,
                    0.1 * height,
                    m.leaf(rng.uniform(0.7, 1.6)),
                    scale=(1.0, 0.55, 0.16 + 0.5 * rise * rng.random()),
                )
    return made


def picture_frame(width: float, height: float, rng: Random, *, frame: str = "ebony") -> Thing:
    """A framed picture hanging on the wall at y = 0; z of its lower edge at the origin."""
    a, b = rng.sample([c for c in m.COLOURS if c not in ("white", "black", "light grey")], 2)
    with thing("picture", "framed") as made:
        box(0, -0.015, 0, width, 0.03, height, m.wood(frame))
        box(0, -0.032, 0.04, width - 0.08, 0.006, height - 0.08, m.paint("white", 0.6), bevel=0)
        box(0, -0.036, 0.1, width - 0.2, 0.006, height - 0.2, m.mottled(a, b, 0.18), bevel=0)
    return made


def table_lamp(shade: str = "beige", *, lit: bool = True, foot: str = "brass", height: float = 0.46) -> Thing:
    """A lamp with a cloth shade; stands on whatever the frame is on."""
    with thing("lamp", *([*LIT_CLOTH.get(shade, (shade,)), "lit"] if lit else [shade])) as made:
        metal = m.metal(foot)
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.08, 0), (0.075, 0.02), (0.02, 0.04), (0.03, 0.12), (0.012, 0.2), (0.012, height * 0.6)],
            metal,
        )
        material = m.glow(tuple(0.3 + 0.7 * c for c in m.rgb(shade)), 1.6) if lit else m.fabric(shade)
        cloth = lathe(0, 0, height * 0.52, [(0.15, 0), (0.09, height * 0.46)], material)
        part("lampshade", cloth, words=LIT_CLOTH.get(shade, (shade,)) if lit else ())
        if lit:
            bulb(0, 0, height * 0.75, 6, radius=0.05)
    return made


def floor_lamp(shade: str = "beige", *, lit: bool = True, height: float = 1.6) -> Thing:
    """A standing lamp."""
    with thing("floor lamp", *([*LIT_CLOTH.get(shade, (shade,)), "lit"] if lit else [shade])) as made:
        metal = m.metal("iron")
        cylinder(0, 0, 0, 0.15, 0.025, metal)
        cylinder(0, 0, 0, 0.014, height - 0.15, metal)
        material = m.glow(tuple(0.3 + 0.7 * c for c in m.rgb(shade)), 1.6) if lit else m.fabric(shade)
        cloth = lathe(0, 0, height - 0.32, [(0.22, 0), (0.15, 0.3)], material)
        part("lampshade", cloth, words=LIT_CLOTH.get(shade, (shade,)) if lit else ())
        if lit:
            bulb(0, 0, height - 0.16, 18)
    return made


def ceiling_lamp(
    room_height: float, drop: float = 0.5, *, colour: str = "white", radius: float = 0.2, lit: bool = True
) -> Thing:
    """A pendant lamp, its cable from the ceiling above the origin."""
    with thing("ceiling lamp", *(LIT_PAINT.get(colour, (colour,)) if lit else (colour,))) as made:
        z = room_height - drop
        cylinder(0, 0, z, 0.008, drop, m.paint("black"))
        lathe(0, 0, z - 0.12, [(radius, 0), (radius * 0.8, 0.08), (0.03, 0.16)], m.paint(colour, 0.4))
        sphere(0, 0, z - 0.08, 0.06, m.glow(strength=8.0) if lit else m.paint("white"))
        if lit:
            state("lit")
            bulb(0, 0, z - 0.14, 25)
    return made


def clock(radius: float = 0.16, colour: str = "white") -> Thing:
    """A round wall clock at y = 0, its middle on the origin."""
    with thing("clock", colour, "round") as made:
        cylinder(0, -0.02, 0, radius, 0.04, m.paint("black", 0.4), axis="y")
        cylinder(0, -0.03, 0, radius * 0.9, 0.04, m.paint(colour, 0.5), axis="y")
        for turn, length in ((-60, 0.55), (30, 0.75)):
            a = math.radians(turn)
            tube(
                [(0, -0.055, 0), (radius * length * math.sin(a), -0.055, radius * length * math.cos(a))],
                0.006,
                m.paint("black"),
            )
    return made


def vase(
    colour: str = "blue", flowers: str | None = "red", rng: Random | None = None, *, height: float = 0.24
) -> Thing:
    """A vase, with flowers of a colour or without."""
    with thing("vase", colour, *([f"with {flowers} flowers"] if flowers else [])) as made:
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.045, 0), (0.07, 0.4 * height), (0.03, 0.8 * height), (0.04, height)],
            m.paint(colour, 0.15),
        )
        rng = rng or Random(0)
        for _ in range(7 if flowers else 0):
            x, y, z = rng.uniform(-0.09, 0.09), rng.uniform(-0.09, 0.09), height * rng.uniform(1.4, 1.9)
            tube([(0, 0, height * 0.8), (x * 0.5, y * 0.5, height * 1.2), (x, y, z)], 0.004, m.leaf())
            sphere(x, y, z, 0.035, m.paint(flowers, 0.6), scale=(1, 1, 0.7))
    return made


def curtain(width: float, height: float, colour: str) -> Thing:
    """A single hanging curtain at y = 0, its middle at x = 0, its lower edge at the origin."""
    with thing("curtain", colour) as made:
        sheet(0, -0.06, 0, width, height, m.fabric(colour), folds=max(3, round(width / 0.12)))
    return made


def put(on: Thing, x: float, y: float, z: float, turn: float = 0.0) -> Any:
    """Build on a thing: what is named inside lies on it."""
    return _On(on, x, y, z, turn)


class _On:
    def __init__(self, on: Thing, x: float, y: float, z: float, turn: float) -> None:
        self.on, self.frame = on, at(x, y, z, turn)

    def __enter__(self) -> None:
        from draw.stage import STAGE

        self.frame.__enter__()
        STAGE.open.append(self.on)

    def __exit__(self, *problem: Any) -> None:
        from draw.stage import STAGE

        STAGE.open.pop()
        self.frame.__exit__(*problem)
