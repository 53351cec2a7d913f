"""What is kept and what it is kept in: shelves, cardboard boxes, crates, suitcases, barrels, wine racks and bottles."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, cylinder, lathe, prism, ring, sphere, thing, tilted, tube

CARDBOARD = (0.42, 0.26, 0.125)


def cardboard_box(
    width: float = 0.5, depth: float = 0.38, height: float = 0.35, *, open_: bool = False, label: str | None = None
) -> Thing:
    """A cardboard box, its middle on the origin, its long side facing -y; open ones show their flaps."""
    card, dark = m.mottled((0.38, 0.23, 0.105), (0.47, 0.3, 0.15), 0.2, 0.9), m.paint((0.24, 0.14, 0.06), 0.9)
    tape = m.paint((0.6, 0.45, 0.26), 0.3)
    with thing("cardboard box", "brown", *(["open"] if open_ else [])) as made:
        box(0, 0, 0, width, depth, height, card, bevel=0.006)
        if open_:
            box(0, 0, height - 0.002, width - 0.02, depth - 0.02, 0.004, dark, bevel=0)
            for end in (-1, 1):
                with tilted(0, end * depth / 2, height, by=end * -50):
                    box(0, 0, 0, width, 0.006, depth * 0.45, card, bevel=0)
                with tilted(end * width / 2, 0, height, about="Y", by=end * 60):
                    box(0, 0, 0, 0.006, depth, depth * 0.4, card, bevel=0)
        else:
            box(0, 0, height, width, 0.05, 0.002, tape, bevel=0)
            for end in (-1, 1):
                box(end * (width / 2 + 0.001), 0, height - 0.08, 0.002, 0.05, 0.08, tape, bevel=0)
            box(0, 0, height + 0.0005, width, 0.004, 0.002, dark, bevel=0)
        if label:
            box(
                width * 0.12,
                -depth / 2 - 0.001,
                height * 0.35,
                width * 0.36,
                0.003,
                height * 0.3,
                m.paint("white", 0.7),
                bevel=0,
            )
            box(
                width * 0.12,
                -depth / 2 - 0.003,
                height * 0.52,
                width * 0.28,
                0.003,
                height * 0.06,
                m.paint(label, 0.7),
                bevel=0,
            )
        box(-width * 0.25, -depth / 2 - 0.001, height * 0.6, 0.09, 0.003, 0.03, dark, bevel=0.0)
    return made


def plastic_crate(
    colour: str = "blue", width: float = 0.55, depth: float = 0.38, height: float = 0.3, *, lid: str | None = None
) -> Thing:
    """A plastic crate with ribs, and a lid of a colour or open."""
    with thing("plastic crate", colour) as made:
        paint = m.paint(colour, 0.3)
        for end in (-1, 1):
            box(0, end * (depth / 2 - 0.012), 0, width, 0.024, height, paint, bevel=0.006)
            box(end * (width / 2 - 0.012), 0, 0, 0.024, depth, height, paint, bevel=0.006)
        box(0, 0, 0, width, depth, 0.03, paint)
        for z in (0.03, height * 0.45, height - 0.03):
            box(0, 0, z, width + 0.024, depth + 0.024, 0.022, paint, bevel=0.006)
        for i in range(5):
            box(-width / 2 + width * (i + 0.5) / 5, -depth / 2 - 0.004, 0.03, 0.016, 0.016, height - 0.05, paint)
        box(
            0,
            -depth / 2 - 0.008,
            height * 0.68,
            width * 0.26,
            0.014,
            0.05,
            m.paint((0.02, 0.02, 0.02), 0.5),
            bevel=0.006,
        )
        if lid:
            box(0, 0, height - 0.008, width + 0.05, depth + 0.05, 0.035, m.paint(lid, 0.3), bevel=0.012)
        else:
            box(0, 0, height - 0.06, width - 0.05, depth - 0.05, 0.03, m.fabric("grey"), bevel=0.01)
    return made


def wooden_crate(kind: str = "pine", width: float = 0.5, depth: float = 0.36, height: float = 0.3) -> Thing:
    """A crate of slats, open at the top."""
    with thing("wooden crate", WOOD_WORDS[kind], "wooden") as made:
        w, post = m.wood(kind), m.wood(kind, along="z")
        slats = max(2, round(height / 0.11))
        tall = height / slats
        for i in range(slats):
            for end in (-1, 1):
                box(0, end * depth / 2, i * tall, width, 0.018, tall - 0.02, w, bevel=0.004)
                box(end * width / 2, 0, i * tall, 0.018, depth, tall - 0.02, m.wood(kind, along="y"), bevel=0.004)
        for dx in (-1, 1):
            for dy in (-1, 1):
                box(dx * (width / 2 - 0.025), dy * (depth / 2 - 0.022), 0, 0.035, 0.035, height, post)
        box(0, 0, 0.01, width - 0.02, depth - 0.02, 0.018, w)
    return made


def suitcase(
    colour: str = "brown", width: float = 0.65, height: float = 0.45, depth: float = 0.2, *, old: bool = True
) -> Thing:
    """A suitcase standing on its hinges, handle up: an old leather one with corners and straps, or one with wheels."""
    with thing("suitcase", colour) as made:
        if old:
            skin, trim = m.paint(colour, 0.45), m.paint((0.1, 0.05, 0.02), 0.5)
            box(0, 0, 0, width, depth, height, skin, bevel=0.02)
            box(0, 0, 0.003, width + 0.006, 0.012, height + 0.004, m.metal("brass"), bevel=0.004)
            for dx in (-1, 1):
                for z in (-0.003, height - 0.067):
                    box(dx * (width / 2 - 0.035), 0, z, 0.08, depth + 0.01, 0.07, trim, bevel=0.012)
                box(dx * width * 0.27, 0, -0.002, 0.035, depth + 0.012, height + 0.006, trim, bevel=0.005)
                box(dx * width * 0.16, 0, height, 0.05, 0.05, 0.014, m.metal("brass"))
            tube(
                [(-0.08, 0, height), (-0.07, 0, height + 0.045), (0.07, 0, height + 0.045), (0.08, 0, height)],
                0.013,
                trim,
            )
        else:
            shell = m.paint(colour, 0.25)
            box(0, 0, 0.05, width, depth, height, shell, bevel=0.045)
            for i in range(6):
                box(
                    -width * 0.36 + width * 0.72 * i / 5, 0, 0.1, 0.025, depth + 0.014, height - 0.1, shell, bevel=0.006
                )
            for dx in (-1, 1):
                for dy in (-1, 1):
                    cylinder(dx * width * 0.38, dy * depth * 0.3, 0.028, 0.028, 0.03, m.paint("black", 0.5), axis="x")
                tube([(dx * 0.1, depth * 0.3, height), (dx * 0.1, depth * 0.3, height + 0.3)], 0.009, m.metal("steel"))
            tube([(-0.1, depth * 0.3, height + 0.3), (0.1, depth * 0.3, height + 0.3)], 0.016, m.paint("black", 0.4))
            tube(
                [
                    (-0.09, 0, height + 0.04),
                    (-0.08, 0, height + 0.08),
                    (0.08, 0, height + 0.08),
                    (0.09, 0, height + 0.04),
                ],
                0.012,
                m.paint("black", 0.4),
            )
    return made


def shelf_frame(
    width: float = 1.6, depth: float = 0.5, height: float = 2.0, levels: int = 4, look: str = "steel"
) -> tuple[Thing, list[float]]:
    """An open shelf, its back at y = 0, and its boards' heights; `look`: "steel", a kind of wood or a colour."""
    wooden = look in WOOD_WORDS
    words = (WOOD_WORDS[look], "wooden") if wooden else ("grey", "metal") if look == "steel" else (look, "metal")
    post = m.wood(look, along="z") if wooden else m.metal("steel", 0.4) if look == "steel" else m.paint(look, 0.35)
    board = m.wood(look) if wooden else m.metal("light grey", 0.45) if look == "steel" else m.wood("birch")
    tops = []
    with thing("shelf", *words) as made:
        for dx in (-1, 1):
            for y in (-0.02, -depth + 0.02):
                box(dx * (width / 2 - 0.02), y, 0, 0.04, 0.04, height, post, bevel=0.004)
        for i in range(levels):
            z = 0.1 + i * (height - 0.16) / (levels - 1 if levels > 1 else 1)
            box(0, -depth / 2, z, width - 0.01, depth, 0.022, board, bevel=0.004)
            box(0, -depth + 0.004, z - 0.035, width - 0.06, 0.012, 0.05, post, bevel=0.003)
            tops.append(z + 0.022)
        if not wooden:
            for dx in (-1, 1):
                tube(
                    [(dx * (width / 2 - 0.02), -0.02, 0.15), (dx * (width / 2 - 0.02), -depth + 0.02, height - 0.15)],
                    0.007,
                    post,
                )
    return made, tops


def stocked_shelf(
    rng: Random,
    width: float = 1.6,
    depth: float = 0.5,
    height: float = 2.0,
    levels: int = 4,
    look: str = "steel",
    *,
    stock: str = "card card card crate case",
    colours: tuple[str, ...] = ("blue", "red", "green", "yellow"),
    top: bool = True,
) -> Thing:
    """A shelf full of what `stock` names: card(board boxes), crate, wood(en crates), case (suitcases), cans, jars …"""
    made, tops = shelf_frame(width, depth, height, levels, look)
    kinds = stock.split()
    from draw.furniture.basic import put

    for level, z in enumerate(tops):
        last = level == len(tops) - 1
        if last and not top:
            continue
        room = (tops[1] - tops[0] - 0.06) if not last else 0.42
        x = -width / 2 + 0.06
        while True:
            kind = rng.choice(kinds)
            wide = {
                "card": rng.uniform(0.34, 0.52),
                "crate": 0.5,
                "wood": 0.46,
                "case": rng.uniform(0.52, 0.62),
                "cans": 0.42,
                "jars": 0.5,
                "files": 0.4,
            }[kind]
            if x + wide > width / 2 - 0.03:
                break
            with put(made, x + wide / 2, -depth / 2 - 0.01, z):
                stored(rng, kind, wide - 0.03, depth - 0.08, room, colours)
            x += wide + rng.uniform(0.0, 0.04)
    return made


def stored(rng: Random, kind: str, width: float, depth: float, room: float, colours: tuple[str, ...]) -> None:
    """Something put away, not higher than `room`."""
    if kind == "card":
        tall = min(room, rng.uniform(0.22, 0.4))
        cardboard_box(width, depth, tall, label=rng.choice([None, "red", "blue", "black"]))
        if room - tall > 0.2 and rng.random() < 0.5:
            with at(rng.uniform(-0.02, 0.02), 0, tall + 0.002):
                cardboard_box(width * 0.85, depth * 0.9, min(0.2, room - tall - 0.01))
    elif kind == "crate":
        plastic_crate(
            rng.choice(colours), width - 0.02, depth, min(room, 0.28), lid=rng.choice([None, "white", "grey"])
        )
    elif kind == "wood":
        wooden_crate(rng.choice(["pine", "oak"]), width, depth, min(room, 0.28))
    elif kind == "case":
        suitcase(
            rng.choice(["brown", "dark red", "dark green", "dark blue"]), width, min(room - 0.06, 0.4), min(0.22, depth)
        )
    elif kind == "cans":
        from draw.furniture.tools import paint_can

        for dx in (-0.1, 0.1):
            with at(dx, rng.uniform(-0.05, 0.05)):
                paint_can(rng.choice(["white", "red", "blue", "green", "yellow"]))
    elif kind == "jars":
        for i in range(4):
            with thing("jar", "glass"), at(-width / 2 + width * (i + 0.5) / 4):
                cylinder(
                    0,
                    0,
                    0,
                    0.048,
                    0.14,
                    m.paint(
                        rng.choice([(0.5, 0.03, 0.02), (0.6, 0.25, 0.02), (0.2, 0.3, 0.05), (0.25, 0.02, 0.1)]), 0.08
                    ),
                    bevel=0.008,
                )
                cylinder(0, 0, 0.142, 0.044, 0.022, m.metal("brass"))
    else:
        colour = rng.choice(colours)
        for i in range(4):
            with thing("binder", colour):
                box(
                    -width / 2 + width * (i + 0.5) / 4,
                    0,
                    0,
                    width / 4 - 0.01,
                    min(depth, 0.28),
                    min(room, 0.32),
                    m.paint(colour, 0.5),
                    bevel=0.004,
                )
                box(
                    -width / 2 + width * (i + 0.5) / 4,
                    -min(depth, 0.28) / 2 - 0.001,
                    0.14,
                    width / 4 - 0.04,
                    0.003,
                    0.1,
                    m.paint("white", 0.7),
                    bevel=0,
                )


def stack(rng: Random, count: int = 3, *, width: float = 0.55, depth: float = 0.42, open_top: bool = False) -> None:
    """Cardboard boxes on top of each other, their middle on the origin, the largest below."""
    z = 0.0
    for i in range(count):
        tall = rng.uniform(0.28, 0.42)
        shrink = 1 - 0.1 * i
        with at(rng.uniform(-0.03, 0.03), rng.uniform(-0.02, 0.02), z, rng.uniform(-7, 7)):
            cardboard_box(
                width * shrink,
                depth * shrink,
                tall,
                open_=open_top and i == count - 1,
                label=rng.choice([None, "red", "blue"]),
            )
        z += tall + 0.003


# Wine


def _staves(kind: str, length: float, belly: float) -> None:
    """A barrel along z, its middle on the origin; part of whatever is being built."""
    half = length / 2
    profile = [(belly * (0.80 + 0.20 * math.cos(math.pi / 2 * t / 8 * 1.0)), half * t / 8) for t in range(-8, 9)]
    w = m.wood(kind, along="z")
    lathe(
        0,
        0,
        0,
        [
            (0, -half + 0.03),
            (profile[0][0] - 0.03, -half + 0.03),
            (profile[0][0] - 0.025, -half),
            *profile,
            (profile[-1][0] - 0.025, half),
            (profile[-1][0] - 0.03, half - 0.03),
            (0, half - 0.03),
        ],
        w,
    )
    iron = m.metal("iron", 0.45)
    for t in (0.93, 0.68, 0.3):
        for end in (-1, 1):
            low, high = t * half - 0.022, t * half + 0.022
            r0, r1 = (belly * (0.80 + 0.20 * math.cos(math.pi / 2 * z / half)) + 0.005 for z in (low, high))
            lathe(0, 0, 0, [(r0, end * low), (r1, end * high)], iron)
    for end in (-1, 1):
        for i in range(-3, 4):
            x = i * belly * 0.22
            reach = math.sqrt(max(0.01, (belly * 0.78) ** 2 - x * x))
            box(
                x,
                0,
                end * (half - 0.03) - 0.003,
                0.006,
                2 * reach - 0.06,
                0.006,
                m.paint((0.06, 0.03, 0.015), 0.9),
                bevel=0,
            )


def barrel(
    kind: str = "oak", *, length: float = 0.95, belly: float = 0.36, lying: bool = False, tap: bool = False
) -> Thing:
    """A wooden barrel upright on the origin, or lying with its head towards -y; `tap` gives the head a tap."""
    with thing("barrel", WOOD_WORDS[kind], "wooden") as made:
        if lying:
            with tilted(0, 0, belly, by=90):
                _staves(kind, length, belly)
            if tap:
                with at(0, -length / 2, belly * 0.55):
                    wine_tap()
        else:
            with at(0, 0, length / 2):
                _staves(kind, length, belly)
    return made


def wine_tap() -> None:
    """A brass tap on something at y = 0; part of it."""
    brass = m.metal("brass")
    tube([(0, 0.04, 0), (0, -0.09, 0), (0, -0.11, -0.05)], 0.014, brass)
    tube([(0, -0.06, 0), (0, -0.06, 0.05)], 0.01, brass)
    tube([(-0.035, -0.06, 0.05), (0.035, -0.06, 0.05)], 0.011, brass)


def cradle(width: float, kind: str = "walnut", *, depth: float = 0.8) -> None:
    """Two beams that lying barrels rest on, along x; scenery or part of the barrel. Barrels lie on z = 0.14."""
    w = m.wood(kind)
    for y in (-depth / 2 + 0.1, depth / 2 - 0.1):
        box(0, y, 0, width, 0.12, 0.14, w, bevel=0.01)


def bottle(glass: Any, *, cap: Any = None, label: bool = True) -> None:
    """A wine bottle upright on the origin; part of whatever is being built."""
    lathe(
        0,
        0,
        0,
        [(0, 0), (0.036, 0), (0.038, 0.01), (0.038, 0.18), (0.03, 0.21), (0.015, 0.235), (0.0135, 0.3), (0, 0.3)],
        glass,
        sides=14,
    )
    if cap is not None:
        cylinder(0, 0, 0.25, 0.0155, 0.053, cap, sides=12)
    if label:
        cylinder(0, 0, 0.06, 0.0388, 0.08, m.paint((0.7, 0.62, 0.45), 0.7), sides=14)


WINES = ((0.01, 0.035, 0.012), (0.03, 0.008, 0.01), (0.015, 0.05, 0.02), (0.22, 0.17, 0.03), (0.02, 0.02, 0.015))
CAPS = ("dark red", "black", "gold", "dark green")


def wine_bottle(rng: Random, name: str = "wine bottle") -> Thing:
    """A single wine bottle on a table."""
    with thing(name, "green") as made:
        bottle(m.paint((0.012, 0.06, 0.02), 0.08), cap=m.paint(rng.choice(["dark red", "black"]), 0.3))
    return made


def _lying(rng: Random, x: float, z: float, depth: float) -> None:
    """A bottle lying in a rack, its neck towards -y."""
    with tilted(x, -0.05 - max(0, depth - 0.3) * 0.2, z, by=90):
        cap = rng.choice(CAPS)
        bottle(
            m.paint(rng.choice(WINES), 0.1), cap=m.metal("gold") if cap == "gold" else m.paint(cap, 0.3), label=False
        )


def wine_rack(
    rng: Random,
    width: float = 1.2,
    height: float = 1.9,
    kind: str = "walnut",
    *,
    pitch: float = 0.115,
    fill: float = 0.85,
    depth: float = 0.32,
) -> Thing:
    """A rack of square holes in which bottles lie, necks towards -y; its back at y = 0."""
    with thing("wine rack", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        columns, rows = int((width - 0.04) / pitch), int((height - 0.12) / pitch)
        wide, z0 = columns * pitch, 0.08
        for i in range(columns + 1):
            box(-wide / 2 + i * pitch, -depth / 2, 0, 0.018, depth, z0 + rows * pitch + 0.02, up, bevel=0.003)
        for j in range(rows + 1):
            box(0, -depth / 2, z0 + j * pitch, wide, depth, 0.018, w, bevel=0.003)
        box(0, -0.01, 0, wide, 0.015, z0 + rows * pitch, m.paint((0.03, 0.02, 0.015), 0.9), bevel=0)
        for i in range(columns):
            for j in range(rows):
                if rng.random() < fill:
                    _lying(rng, -wide / 2 + (i + 0.5) * pitch, z0 + j * pitch + 0.018 + 0.04, depth)
    return made


def diamond_rack(
    rng: Random, cells: int = 3, rows: int = 3, kind: str = "oak", *, cell: float = 0.52, depth: float = 0.34
) -> Thing:
    """A rack of crossed boards whose diamonds hold heaps of bottles; its back at y = 0."""
    width, height = cells * cell, rows * cell
    with thing("wine rack", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        for dx in (-1, 1):
            box(dx * width / 2, -depth / 2, 0, 0.04, depth, height + 0.04, up)
        for z in (0, height):
            box(0, -depth / 2, z, width, depth, 0.04, w)
        box(0, -0.01, 0, width, 0.015, height, m.paint((0.05, 0.03, 0.02), 0.9), bevel=0)
        for i in range(cells):
            for j in range(rows):
                with at(-width / 2 + (i + 0.5) * cell, 0, (j + 0.5) * cell + 0.02):
                    for turn in (45, -45):
                        with tilted(about="Y", by=turn):
                            box(0, -depth / 2, -0.009, cell * math.sqrt(2), depth, 0.018, w, bevel=0.003)
        r = 0.042
        for i in range(cells):
            for j in range(rows):
                with at(-width / 2 + (i + 0.5) * cell, 0, (j + 0.5) * cell + 0.02):
                    for k in range(1, 4):  # the upper diamond quarter rests in the V of the crossing boards
                        for n in range(k):
                            _lying(rng, (n - (k - 1) / 2) * 2 * r * 1.02, 0.05 + (k - 1) * 1.75 * r + 0.03, depth)
    return made


def lantern(lit: bool = True) -> Thing:
    """An iron lantern with a candle, upright on the origin."""
    from draw.stage import bulb

    with thing("lantern", "black", *(["lit"] if lit else [])) as made:
        iron = m.metal("iron", 0.5)
        for z, size in ((0, 0.17), (0.24, 0.18)):
            box(0, 0, z, size, size, 0.02, iron)
        for dx in (-1, 1):
            for dy in (-1, 1):
                box(dx * 0.07, dy * 0.07, 0.02, 0.014, 0.014, 0.22, iron)
        lathe(0, 0, 0.26, [(0.1, 0), (0.03, 0.07), (0, 0.07)], iron, sides=4)
        ring(0, 0, 0.36, 0.035, 0.006, iron, axis="y")
        cylinder(0, 0, 0.02, 0.03, 0.1, m.paint((0.8, 0.72, 0.5), 0.5))
        if lit:
            sphere(0, 0, 0.15, 0.014, m.glow((1.0, 0.55, 0.15), 12), scale=(1, 1, 2))
            bulb(0, 0, 0.16, 5, radius=0.03)
    return made


def wine_glass(filled: bool = True) -> Thing:
    """A stemmed glass, with red wine in it or empty."""
    with thing("wine glass", *(["red wine"] if filled else [])) as made:
        clear = m.glass()
        lathe(
            0,
            0,
            0,
            [(0, 0.004), (0.035, 0), (0.005, 0.008), (0.004, 0.09), (0.03, 0.115), (0.038, 0.15), (0.03, 0.2)],
            clear,
            sides=20,
        )
        if filled:
            lathe(
                0,
                0,
                0,
                [(0, 0.098), (0.027, 0.116), (0.034, 0.14), (0, 0.14)],
                m.paint((0.16, 0.005, 0.015), 0.05),
                sides=20,
            )
    return made


def rolled_carpet(colour: str = "red", length: float = 1.8) -> Thing:
    """A carpet rolled up, leaning against the wall at y = 0."""
    with thing("rolled carpet", colour) as made, tilted(0, -0.4, 0.01, by=-11):
        cylinder(0, 0, 0, 0.13, length, m.carpet(colour), bevel=0.01)
        for i in range(1, 5):
            ring(0, 0, length, 0.026 * i, 0.009, m.paint("beige", 0.9))
        for z in (0.35, length - 0.35):
            ring(0, 0, z, 0.132, 0.008, m.paint("beige", 0.8))
    return made


def _arch(width: float, rise: float) -> list[tuple[float, float]]:
    """The outline (x, z) of an arch of a width whose middle rises by `rise`."""
    return [(-width / 2 * math.cos(math.pi * i / 24), rise * math.sin(math.pi * i / 24)) for i in range(25)]


def vault(
    width: float, depth: float, spring: float, rise: float, material: Any, *, ribs: int = 0, rib: Any = None
) -> None:
    """A barrel vault over x from 0 to `width`, y from 0 to `depth`, springing at a height; scenery."""
    arch = _arch(width, rise)
    outer = [
        (-width / 2 - 0.3, -0.02),
        (-width / 2 - 0.3, rise + 0.3),
        (width / 2 + 0.3, rise + 0.3),
        (width / 2 + 0.3, -0.02),
    ]
    prism(
        [*arch, outer[3], outer[2], outer[1], outer[0]], depth + 0.2, material, x=width / 2, y=0, z=spring, plane="xz"
    )
    for i in range(ribs):
        y = depth * (i + 0.5) / ribs
        inner = [(x * 0.94, z * 0.94) for x, z in arch]
        prism(
            [*arch, *reversed(inner)], 0.3, rib or material, x=width / 2, y=y - 0.15, z=spring, plane="xz", bevel=0.01
        )
        for x in (0.07, width - 0.07):
            box(x, y, 0, 0.2, 0.3, spring, rib or material, bevel=0.01)
