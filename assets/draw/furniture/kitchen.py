"""Kitchens: units with doors and drawers, worktops, stoves, fridges, sinks, hoods, pots and what stands about."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.furniture.tableware import fruit_shape, plate_shape
from draw.stage import Thing, at, box, cushion, cylinder, lathe, part, ring, scenery, sphere, thing, tilted, tube

DEPTH = 0.6
TOP = 0.9
"""Height of a worktop."""


def front_of(kind: str) -> Any:
    """Return what cabinet fronts are made of: a kind of wood, or paint of a colour."""
    return m.wood(kind, along="z") if kind in m.WOODS and kind not in ("white", "grey") else m.paint(kind, 0.35)


def words_of(kind: str) -> tuple[str, ...]:
    """Return what a viewer says of such fronts."""
    return (WOOD_WORDS[kind], "wooden") if kind in WOOD_WORDS and kind not in ("white", "grey") else (kind,)


def _handle(style: str, x: float, z: float, y: float, *, upright: bool) -> None:
    if style == "knob":
        sphere(x, y - 0.018, z, 0.016, m.metal("brass"))
    elif style == "bar":
        length = 0.09
        points = (
            [(x, y, z - length), (x, y - 0.03, z - length), (x, y - 0.03, z + length), (x, y, z + length)]
            if upright
            else [(x - length, y, z), (x - length, y - 0.03, z), (x + length, y - 0.03, z), (x + length, y, z)]
        )
        tube(points, 0.006, m.metal("steel"))


def _leaf(x: float, z: float, width: float, height: float, y: float, kind: str, style: str) -> Any:
    """A cabinet door or drawer front; "knob" kitchens have framed fronts."""
    front = front_of(kind)
    leaf = box(x, y - 0.01, z, width, 0.02, height, front, bevel=0.004)
    if style == "knob":
        rail = 0.055
        for dx in (-1, 1):
            box(x + dx * (width / 2 - rail / 2), y - 0.024, z, rail, 0.012, height, front, bevel=0.004)
        for dz in (0, height - rail):
            box(x, y - 0.024, z + dz, width - 2 * rail, 0.012, rail, front, bevel=0.004)
    return leaf


def units(
    widths: Sequence[tuple[str, float]],
    kind: str = "white",
    *,
    style: str = "bar",
    worktop: str = "dark grey",
    back: float = 0.0,
) -> Thing:
    """A row of floor units from x = 0 to the right; returns the worktop. Put things on it at z = TOP.

    Units are (what, width): "doors", "drawers", "open" (a shelf), "washer" (a dishwasher), "none" (only the worktop).
    """
    total = sum(width for _, width in widths)
    with thing("cabinet", *words_of(kind)):
        x = 0.0
        for what, width in widths:
            if what != "none":
                _unit(what, x, width, kind, style)
            x += width
        with thing("counter", *_stone_words(worktop)) as made:
            box(
                total / 2, -DEPTH / 2 - 0.01, TOP - 0.04, total + 0.02, DEPTH + 0.03, 0.04, _stone(worktop), bevel=0.005
            )
            if back:
                box(total / 2, -0.01, TOP, total, 0.02, back, _stone(worktop), bevel=0.003)
    return made


def _stone(worktop: str) -> Any:
    if worktop in m.WOODS:
        return m.wood(worktop)
    colour = m.rgb(worktop)
    return m.mottled(tuple(0.75 * c for c in colour), tuple(min(1.0, 1.15 * c) for c in colour), 0.03, 0.25)


def _stone_words(worktop: str) -> tuple[str, ...]:
    return (WOOD_WORDS[worktop], "wooden") if worktop in m.WOODS else (worktop,)


def _unit(what: str, x: float, width: float, kind: str, style: str) -> None:
    body = front_of(kind)
    y, low, high = -DEPTH + 0.02, 0.1, TOP - 0.05
    box(x + width / 2, -DEPTH / 2 + 0.03, 0, width, DEPTH - 0.08, low, m.paint("dark grey", 0.5), bevel=0)
    if what == "open":
        for dx in (0.012, width - 0.012):
            box(x + dx, -DEPTH / 2, low, 0.024, DEPTH - 0.02, high - low, body)
        for z in (low, low + 0.37):
            box(x + width / 2, -DEPTH / 2, z, width, DEPTH - 0.02, 0.024, body)
        box(x + width / 2, -0.02, low, width, 0.02, high - low, body)
        for z, pots in ((low + 0.024, 2), (low + 0.394, 2)):
            for i in range(pots):
                lathe(
                    x + width * (i + 0.5) / pots,
                    -0.35,
                    z,
                    [(0, 0), (0.09, 0.0), (0.11, 0.14), (0.1, 0.14), (0, 0.02)],
                    m.metal("copper") if i else m.paint("white", 0.2),
                )
        return
    box(x + width / 2, -DEPTH / 2 + 0.01, low, width - 0.002, DEPTH - 0.06, high - low, body, bevel=0.003)
    if what == "washer":
        with scenery(), thing("dishwasher", "grey", "metal"):
            box(x + width / 2, y - 0.012, low, width - 0.02, 0.024, high - low, m.metal("steel", 0.35), bevel=0.006)
            box(x + width / 2, y - 0.026, high - 0.1, width - 0.02, 0.006, 0.09, m.paint("dark grey", 0.3), bevel=0.002)
            _handle("bar", x + width / 2, high - 0.15, y - 0.024, upright=False)
    elif what == "drawers":
        for i, (z, h) in enumerate(((low, 0.3), (low + 0.305, 0.25), (low + 0.56, 0.19))):
            part("drawer", _leaf(x + width / 2, z, width - 0.012, h - 0.006, y, kind, style))
            _handle(style, x + width / 2, z + h * (0.5 if i else 0.7), y - 0.024, upright=False)
    else:
        count = 2 if width > 0.65 else 1
        each = width / count
        for i in range(count):
            middle = x + (i + 0.5) * each
            _leaf(middle, low, each - 0.012, high - low - 0.006, y, kind, style)
            side = 1 if (i == 0 and count == 2) else -1
            _handle(style, middle + side * (each / 2 - 0.06), high - 0.16, y - 0.02, upright=True)


def wall_units(
    widths: Sequence[float], kind: str = "white", *, style: str = "bar", height: float = 0.7, glazed: Sequence[int] = ()
) -> Thing:
    """A row of wall cupboards from x = 0 to the right, their lower edge at the origin; `glazed`: doors of glass."""
    depth = 0.34
    with thing("wall cabinet", *words_of(kind)) as made:
        body = front_of(kind)
        x = 0.0
        for i, width in enumerate(widths):
            if i in glazed:
                _glazed(x, width, depth, height, kind)
            else:
                box(x + width / 2, -depth / 2, 0, width - 0.002, depth - 0.02, height, body, bevel=0.003)
                _leaf(x + width / 2, 0, width - 0.01, height, -depth + 0.01, kind, style)
                side = -1 if i % 2 else 1
                _handle(style, x + width / 2 + side * (width / 2 - 0.05), 0.12, -depth - 0.01, upright=True)
            x += width
    return made


def _glazed(x: float, width: float, depth: float, height: float, kind: str) -> None:
    body = front_of(kind)
    box(x + width / 2, -0.01, 0, width, 0.02, height, body)
    for dx in (0.01, width - 0.01):
        box(x + dx, -depth / 2, 0, 0.02, depth, height, body)
    for z in (0, height / 2 - 0.01, height - 0.02):
        box(x + width / 2, -depth / 2, z, width, depth - 0.02, 0.02, body)
    for z in (0.02, height / 2 + 0.01):
        for i in range(3):
            with at(x + width * (i + 0.5) / 3, -0.17, z):
                lathe(
                    0,
                    0,
                    0,
                    [(0, 0), (0.04, 0.0), (0.055, 0.1), (0.05, 0.1), (0, 0.02)],
                    m.paint("white", 0.15),
                    sides=20,
                )
    for dx in (0.03, width - 0.03):
        box(x + dx, -depth, 0, 0.05, 0.02, height, body)
    for z in (0, height - 0.05):
        box(x + width / 2, -depth, z, width, 0.02, 0.05, body)
    box(x + width / 2, -depth, 0, width - 0.08, 0.004, height, m.glass(), bevel=0)


def shelf(
    width: float = 1.2, kind: str = "oak", *, depth: float = 0.24, things: str = "dishes", rng: Random | None = None
) -> Thing:
    """A board on brackets at the origin's height with dishes or jars on it ("dishes", "jars", "none")."""
    rng = rng or Random(0)
    with thing("shelf", WOOD_WORDS[kind], "wooden") as made:
        box(0, -depth / 2, -0.03, width, depth, 0.03, m.wood(kind))
        for dx in (-1, 1):
            x = dx * (width / 2 - 0.12)
            tube([(x, -0.01, -0.16), (x, -0.01, -0.035), (x, -depth + 0.03, -0.035)], 0.008, m.metal("iron"))
        x = -width / 2 + 0.1
        while things != "none" and x < width / 2 - 0.06:
            x += _shelved(x, -depth / 2, things, rng)
    return made


FILLS = (
    ("brown", (0.4, 0.2, 0.08)),
    ("light brown", (0.6, 0.45, 0.2)),
    ("red", (0.5, 0.1, 0.05)),
    ("green", (0.1, 0.2, 0.05)),
    ("beige", (0.7, 0.65, 0.5)),
)
"""What is in jars on shelves: what a viewer calls its colour, and the colour."""


def _shelved(x: float, y: float, things: str, rng: Random) -> float:
    """Stand one more thing on a shelf and return how far it goes."""
    colour = rng.choice(["white", "light blue", "beige", "red", "yellow", "cyan"])
    if things == "jars":
        h = rng.uniform(0.13, 0.2)
        word, fill = rng.choice(FILLS)
        with thing("jar", word):
            cylinder(x, y, 0, 0.05, h, m.paint(fill, 0.25))
            cylinder(x, y, h, 0.047, 0.025, m.wood("pine"))
        return 0.13
    if rng.random() < 0.5:
        with thing("stack of plates", colour):
            for i in range(rng.randint(3, 5)):
                with at(x + 0.02, y, i * 0.02):
                    lathe(0, 0, 0, [(0, 0), (0.05, 0), (0.1, 0.03), (0.095, 0.034), (0, 0.012)], m.paint(colour, 0.15))
        return 0.24
    with thing("mug", colour):
        lathe(x, y, 0, [(0, 0), (0.04, 0), (0.042, 0.1), (0.037, 0.1), (0, 0.02)], m.paint(colour, 0.15))
        ring(x + 0.05, y, 0.05, 0.024, 0.006, m.paint(colour, 0.15), axis="y")
    return 0.14


def stove(colour: str = "steel", *, gas: bool = True, width: float = 0.6) -> Thing:
    """A free-standing cooker: oven with a window, knobs, and four rings on top at z = TOP."""
    words = ("grey", "metal") if colour == "steel" else (colour,)
    with thing("stove", *words) as made:
        skin = m.metal("steel", 0.32) if colour == "steel" else m.paint(colour, 0.2)
        dark = m.paint("black", 0.12)
        w = width
        box(0, -DEPTH / 2, 0.06, w - 0.01, DEPTH, TOP - 0.06, skin, bevel=0.012)
        box(0, -DEPTH / 2 + 0.02, 0, w - 0.06, DEPTH - 0.1, 0.06, m.paint("dark grey"))
        box(0, -DEPTH - 0.01, 0.22, w - 0.05, 0.03, 0.48, skin, bevel=0.012)
        box(0, -DEPTH - 0.025, 0.28, w - 0.2, 0.006, 0.3, dark, bevel=0.002)
        tube(
            [(x * (w / 2 - 0.08), -DEPTH - y, 0.655) for x, y in ((-1, 0.02), (-1, 0.06), (1, 0.06), (1, 0.02))],
            0.01,
            m.metal("chrome"),
        )
        box(0, -DEPTH - 0.012, 0.73, w - 0.05, 0.03, 0.13, dark if colour == "steel" else skin, bevel=0.006)
        for i in range(5):
            x = (i - 2) * (w - 0.18) / 4
            cylinder(x, -DEPTH - 0.04, 0.795, 0.024, 0.034, m.metal("chrome") if colour == "steel" else dark, axis="y")
        box(0, -0.02, TOP, w - 0.02, 0.03, 0.06, skin)
        hob(gas=gas, width=w - 0.06)
    return made


def hob(*, gas: bool = True, width: float = 0.56) -> None:
    """Four rings at z = TOP, about y = -DEPTH / 2; part of what it is built in."""
    dark = m.paint("black", 0.15)
    box(0, -DEPTH / 2 - 0.01, TOP, width, 0.5, 0.008, dark, bevel=0.004)
    for dx in (-width / 4, width / 4):
        for dy in (-0.12, 0.12):
            y = -DEPTH / 2 - 0.01 + dy
            if gas:
                cylinder(dx, y, TOP + 0.008, 0.04, 0.014, m.metal("iron"))
                for turn in (0, 90):
                    box(dx, y, TOP + 0.026, 0.2, 0.012, 0.012, m.metal("iron"), turn=turn)
                ring(dx, y, TOP + 0.03, 0.09, 0.006, m.metal("iron"))
            else:
                ring(dx, y, TOP + 0.009, 0.085, 0.003, m.paint("red", 0.4))


def oven_tower(kind: str = "white", *, width: float = 0.62) -> Thing:
    """A tall unit with an oven at eye height and a microwave above it."""
    y = -DEPTH - 0.01
    with thing("cabinet", *words_of(kind), "tall") as made:
        box(0, -DEPTH / 2, 0, width, DEPTH, 2.15, front_of(kind), bevel=0.004)
        for z, h in ((0.12, 0.5), (1.72, 0.4)):
            _leaf(0, z, width - 0.02, h, -DEPTH, kind, "none")
    for name, z, h in (("oven", 0.68, 0.58), ("microwave", 1.3, 0.38)):
        with thing(name, "black", "built-in"):
            box(0, y, z, width - 0.03, 0.02, h, m.metal("steel", 0.3), bevel=0.006)
            box(0, y - 0.012, z + 0.04, width - 0.09, 0.006, h * 0.62, m.paint("black", 0.08), bevel=0.003)
            tube([(-0.22, y - 0.045, z + h * 0.78), (0.22, y - 0.045, z + h * 0.78)], 0.009, m.metal("chrome"))
            for dx in (-0.2, 0.2):
                cylinder(dx, y - 0.025, z + h * 0.9, 0.018, 0.03, m.metal("chrome"), axis="y")
    return made


def fridge(colour: str = "white", *, height: float = 1.8, width: float = 0.66, magnets: bool = False) -> Thing:
    """A fridge with a freezer; "steel" or a colour; `magnets` and notes on its door."""
    words = ("grey", "metal") if colour == "steel" else (colour,)
    with thing("fridge", *words) as made:
        skin = m.metal("steel", 0.35) if colour == "steel" else m.paint(colour, 0.22)
        d, cut = 0.64, 0.62 * height
        box(0, -d / 2, 0.03, width, d, height - 0.03, skin, bevel=0.02)
        box(0, -d / 2, 0, width - 0.06, d - 0.1, 0.04, m.paint("dark grey"))
        for z, h in ((0.05, cut - 0.06), (cut, height - cut - 0.01)):
            box(0, -d - 0.03, z, width, 0.06, h, skin, bevel=0.022)
            low = z + (h - 0.42 if z < 0.1 else 0.06)
            tube(
                [(-width / 2 + 0.07, -d - y, low + up) for y, up in ((0.05, 0), (0.1, 0), (0.1, 0.34), (0.05, 0.34))],
                0.011,
                m.metal("chrome"),
            )
        if magnets:
            for x, z, w, h, colour_of in (
                (0.05, 1.32, 0.14, 0.18, "yellow"),
                (0.2, 1.5, 0.1, 0.13, "pink"),
                (0.08, 0.86, 0.2, 0.15, "light blue"),
            ):
                box(x, -d - 0.063, z, w, 0.004, h, m.paint(colour_of, 0.8), bevel=0)
                cylinder(x, -d - 0.068, z + h - 0.02, 0.015, 0.01, m.paint("red", 0.3), axis="y")
    return made


def sink(*, bowls: int = 1, tap: str = "chrome", rack: bool = False) -> Thing:
    """A sink let into a worktop, its middle at the origin, with a curved tap; `rack`: a drying rack with plates."""
    with thing("sink", "metal") as made:
        steel = m.metal("steel", 0.2)
        w = 0.46 * bowls
        box(0, -0.3, TOP, w + 0.06, 0.46, 0.006, steel, bevel=0.003)
        for i in range(bowls):
            x = (i - (bowls - 1) / 2) * 0.46
            box(x, -0.32, TOP + 0.005, 0.4, 0.34, 0.003, m.metal("iron", 0.4), bevel=0.002)
            for dx in (-1, 1):
                box(x + dx * 0.2, -0.32, TOP, 0.012, 0.36, 0.016, steel, bevel=0.005)
            for dy in (-1, 1):
                box(x, -0.32 + dy * 0.175, TOP, 0.41, 0.012, 0.016, steel, bevel=0.005)
    tap_over(0, -0.1, TOP, tap)
    if rack:
        with at(w / 2 + 0.28, -0.3, TOP):
            dish_rack()
    return made


def tap_over(x: float, y: float, z: float, kind: str = "chrome", *, height: float = 0.3) -> Thing:
    """A curved tap that reaches towards -y."""
    with thing("tap", "metal") as made:
        shine = m.metal(kind)
        r = 0.085
        cylinder(x, y, z, 0.024, 0.04, shine)
        arc = [
            (x, y - r + r * math.cos(a), z + height - r + r * math.sin(a))
            for a in (i * math.pi / 10 for i in range(11))
        ]
        tube([(x, y, z), *arc, (x, y - 2 * r, z + height - r - 0.06)], 0.013, shine)
        tube([(x + 0.02, y, z + 0.06), (x + 0.09, y, z + 0.09)], 0.008, shine)
    return made


def dish_rack() -> Thing:
    """A drying rack of wire with plates standing in it."""
    with thing("dish rack") as made:
        wire = m.metal("chrome")
        for z in (0.02, 0.11):
            tube([(-0.2, -0.14, z), (0.2, -0.14, z), (0.2, 0.14, z), (-0.2, 0.14, z)], 0.005, wire, closed=True)
        for x in (-0.2, 0.2):
            for y in (-0.14, 0.14):
                tube([(x, y, 0), (x, y, 0.11)], 0.005, wire)
        for i in range(6):
            with tilted(-0.15 + i * 0.055, 0, 0.14, about="Y", by=80):
                plate_shape(("white", "light blue", "white", "yellow", "white", "red")[i], 0.12)
    return made


def hood(style: str = "chimney", *, width: float = 0.6, room_height: float = 2.6, z: float = 1.55) -> Thing:
    """An extractor hood over a stove, its back at y = 0 (the frame stands on the floor)."""
    with thing("hood", "grey", "metal") as made:
        steel = m.metal("steel", 0.3)
        box(0, -0.25, z, width, 0.5, 0.06, steel)
        if style == "chimney":
            for i in range(4):
                w = width - (width - 0.3) * (i + 0.5) / 4
                box(0, -0.24 + 0.02 * i, z + 0.06 + i * 0.05, w, 0.48 - 0.06 * i, 0.05, steel, bevel=0.004)
            box(0, -0.15, z + 0.26, 0.28, 0.26, room_height - z - 0.26, steel)
        else:
            box(0, -0.17, z + 0.06, width, 0.34, 0.14, steel)
    return made


def pot(colour: str = "red", *, radius: float = 0.12, height: float = 0.14, lid: bool = True) -> Thing:
    """A cooking pot with two handles and a lid."""
    with thing(
        "pot", colour if colour not in ("steel", "copper") else {"steel": "grey", "copper": "brown"}[colour]
    ) as made:
        skin = m.metal(colour) if colour in ("steel", "copper") else m.paint(colour, 0.15)
        r, h = radius, height
        lathe(0, 0, 0, [(0, 0), (0.94 * r, 0), (r, 0.02), (r, h), (0.95 * r, h), (0.95 * r, 0.03), (0, 0.02)], skin)
        for dx in (-1, 1):
            ring(dx * (r + 0.012), 0, 0.75 * h, 0.028, 0.007, skin)
        if lid:
            lathe(0, 0, h, [(1.03 * r, 0), (r, 0.012), (0.3 * r, 0.035), (0, 0.038)], skin)
            sphere(0, 0, h + 0.052, 0.018, m.paint("black", 0.3))
    return made


def pan(*, radius: float = 0.13) -> Thing:
    """A frying pan; its handle towards -y."""
    with thing("frying pan", "black") as made:
        dark = m.paint("dark grey", 0.3)
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.8 * radius, 0), (radius, 0.045), (0.95 * radius, 0.045), (0.75 * radius, 0.008), (0, 0.008)],
            dark,
        )
        tube([(0, -radius, 0.035), (0, -radius - 0.2, 0.06)], 0.012, m.paint("black", 0.4))
    return made


def kettle(colour: str = "steel") -> Thing:
    """A kettle with a handle over its top; its spout to the right."""
    with thing("kettle", "grey" if colour == "steel" else colour) as made:
        skin = m.metal("steel", 0.12) if colour == "steel" else m.paint(colour, 0.12)
        lathe(0, 0, 0, [(0, 0), (0.095, 0), (0.1, 0.02), (0.085, 0.12), (0.045, 0.165), (0.02, 0.17), (0, 0.18)], skin)
        sphere(0, 0, 0.185, 0.013, m.paint("black", 0.3))
        tube([(0.08, 0, 0.09), (0.13, 0, 0.13), (0.145, 0, 0.16)], 0.016, skin)
        tube([(-0.07, 0, 0.14), (-0.07, 0, 0.24), (0.055, 0, 0.26), (0.06, 0, 0.15)], 0.009, m.paint("black", 0.3))
    return made


def toaster(colour: str = "red") -> Thing:
    """A toaster with two slices of bread in it."""
    with thing("toaster", colour) as made:
        box(0, 0, 0.01, 0.3, 0.18, 0.19, m.paint(colour, 0.15), bevel=0.045)
        for dy in (-0.035, 0.035):
            box(0, dy, 0.17, 0.2, 0.026, 0.032, m.paint("dark grey", 0.4), bevel=0.003)
            box(0, dy, 0.18, 0.13, 0.014, 0.06, m.paint("light brown", 0.9), bevel=0.01)
        box(0.155, 0, 0.12, 0.03, 0.05, 0.02, m.paint("black", 0.3))
    return made


def mixer(colour: str = "light blue") -> Thing:
    """A stand mixer with a steel bowl; its face to the left."""
    with thing("mixer", colour) as made:
        skin = m.paint(colour, 0.12)
        box(0, 0, 0, 0.34, 0.2, 0.035, skin, bevel=0.016)
        box(0.11, 0, 0.03, 0.1, 0.12, 0.24, skin, bevel=0.03)
        with tilted(-0.02, 0, 0.31, about="Y", by=3):
            box(0, 0, -0.055, 0.36, 0.13, 0.12, skin, bevel=0.05)
        lathe(
            -0.07,
            0,
            0.035,
            [(0, 0), (0.06, 0.0), (0.1, 0.09), (0.105, 0.15), (0.098, 0.15), (0, 0.02)],
            m.metal("chrome"),
        )
        cylinder(-0.07, 0, 0.14, 0.012, 0.12, m.metal("steel"))
    return made


def knife_block() -> Thing:
    """A block of wood with knives in it."""
    with thing("knife block", "brown", "wooden") as made, tilted(0, 0, 0.01, about="X", by=-14):
        box(0, 0, 0, 0.1, 0.12, 0.2, m.wood("oak", along="z"))
        for i in range(5):
            box(
                -0.032 + 0.032 * (i % 3),
                -0.03 + 0.05 * (i // 3),
                0.2,
                0.016,
                0.024,
                0.09,
                m.paint("black", 0.3),
                bevel=0.004,
            )
    return made


def cutting_board(food: str | None = "tomatoes") -> Thing:
    """A board, lying, with sliced food on it ("tomatoes", "bread") or without."""
    words = ["with red tomatoes"] if food == "tomatoes" else []
    with thing("cutting board", "light brown", "wooden", *words) as made:
        box(0, 0, 0, 0.42, 0.28, 0.022, m.wood("birch"), bevel=0.008)
        if food == "tomatoes":
            for i in range(5):
                sphere(
                    -0.12 + (i % 3) * 0.075,
                    -0.05 + (i // 3) * 0.08,
                    0.052,
                    0.034,
                    m.paint("red", 0.15),
                    scale=(1, 1, 0.85),
                )
        elif food == "bread":
            crust = m.mottled((0.4, 0.19, 0.06), (0.62, 0.38, 0.16), 0.05, 0.8, 0.3)
            with thing("bread", "light brown"):
                cushion(-0.05, 0.02, 0.02, 0.26, 0.12, 0.11, crust, soft=0.4)
            for i in range(2):
                with thing("slice of bread", "beige"):
                    cushion(0.13 + 0.03 * i, 0.02, 0.022, 0.018, 0.11, 0.1, m.paint((0.75, 0.6, 0.4), 0.9), tilt=0)
        with thing("knife", "black"):
            box(0.12, -0.1, 0.022, 0.16, 0.025, 0.004, m.metal("steel"), bevel=0.001)
            box(0.24, -0.1, 0.022, 0.1, 0.024, 0.016, m.paint("black", 0.4))
    return made


def crate(fruit: str = "apple") -> Thing:
    """A wooden crate of fruit or vegetables."""
    with thing("crate", "light brown", "wooden", f"with {fruit}s") as made:
        slat = m.wood("pine")
        for y in (-0.15, 0.15):
            for z in (0.02, 0.12):
                box(0, y, z, 0.5, 0.014, 0.08, slat)
        for x in (-0.24, 0.24):
            for z in (0.02, 0.12):
                box(x, 0, z, 0.014, 0.3, 0.08, slat)
        box(0, 0, 0, 0.5, 0.3, 0.02, slat)
        for i in range(24):
            with at(-0.19 + (i % 6) * 0.076, -0.11 + (i // 6) * 0.074, 0.14 + 0.012 * ((i * 7) % 3), 40 * i):
                fruit_shape(fruit)
    return made


def utensils() -> Thing:
    """A pot with wooden spoons and spatulas standing in it."""
    with thing("pot of spoons", "white", "with wooden spoons") as made:
        lathe(0, 0, 0, [(0, 0), (0.05, 0), (0.06, 0.14), (0.054, 0.14), (0, 0.02)], m.paint("white", 0.2))
        for i, (dx, dy) in enumerate(((0.05, 0.02), (-0.04, 0.03), (0.0, -0.04), (-0.02, 0.0))):
            tip = (dx * 1.6, dy * 1.6, 0.3 + 0.02 * i)
            tube([(dx * 0.3, dy * 0.3, 0.02), tip], 0.006, m.wood("pine"))
            sphere(*tip, 0.026, m.wood("pine" if i % 2 else "oak"), scale=(0.9, 0.4, 1.4))
    return made


def hanging_rail(width: float = 0.9) -> Thing:
    """A rail on the wall with pans and ladles hanging from it, at the origin's height."""
    with thing("rail with pans", "metal") as made:
        tube([(-width / 2, -0.05, 0), (width / 2, -0.05, 0)], 0.008, m.metal("steel"))
        for dx in (-1, 1):
            tube([(dx * width / 2, 0, 0), (dx * width / 2, -0.05, 0)], 0.008, m.metal("steel"))
        steps = max(3, round(width / 0.22))
        for i in range(steps):
            x = -width / 2 + width * (i + 0.5) / steps
            tube([(x, -0.05, 0.01), (x, -0.055, -0.17)], 0.006, m.metal("iron"))
            if i % 3 == 2:
                sphere(x, -0.06, -0.21, 0.04, m.metal("steel"), scale=(1, 0.5, 1))
            else:
                cylinder(
                    x, -0.055, -0.26, 0.1 if i % 2 else 0.085, 0.04, m.metal("copper" if i % 2 else "iron"), axis="y"
                )
    return made


@contextmanager
def island(
    width: float = 1.8, kind: str = "white", *, worktop: str = "oak", depth: float = 0.8, style: str = "bar"
) -> Iterator[Thing]:
    """A kitchen island about the origin, its fronts towards -y; what is built inside stands on it at z = TOP."""
    with thing("kitchen island", *words_of(kind)) as made:
        count = max(2, round(width / 0.6))
        each = (width - 0.1) / count
        body = front_of(kind)
        box(0, 0.02, 0.1, width - 0.1, depth - 0.16, TOP - 0.15, body, bevel=0.004)
        box(0, 0.02, 0, width - 0.16, depth - 0.24, 0.1, m.paint("dark grey"))
        y = 0.02 - (depth - 0.16) / 2
        for i in range(count):
            x = -width / 2 + 0.05 + (i + 0.5) * each
            _leaf(x, 0.1, each - 0.012, TOP - 0.16, y, kind, style)
            _handle(style, x, TOP - 0.12, y - 0.022, upright=False)
        box(0, 0, TOP - 0.05, width, depth, 0.05, _stone(worktop), bevel=0.008)
        yield made


def splash(width: float, height: float, colour: str, size: float = 0.12) -> None:
    """Wall tiles above a worktop, from x = 0 to the right, at the origin's height; scenery."""
    with scenery():
        box(width / 2, -0.006, 0, width, 0.012, height, m.tiles(colour, "light grey", size, plane="xz"), bevel=0)
