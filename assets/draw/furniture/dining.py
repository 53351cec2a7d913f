"""Dining rooms: large tables and what is laid on them, dining chairs, benches, cabinets for china."""

from __future__ import annotations

import math
from collections.abc import Sequence

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS, put
from draw.furniture.tableware import place_setting, plate_shape, wine_glass
from draw.stage import (
    Thing,
    at,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    part,
    prism,
    ring,
    sheet,
    sphere,
    surface,
    thing,
    tilted,
    tube,
)

HEIGHT = 0.75


def dining_table(
    width: float = 1.9, depth: float = 0.95, kind: str = "oak", *, style: str = "legs", cloth: str | None = None
) -> Thing:
    """A dining table about the origin, its top at z = HEIGHT.

    Styles: "legs", "trestle", "round" (`width` across, one foot), "glass"; `cloth` is the colour of a tablecloth.
    """
    words = ("round",) if style == "round" else ()
    seen = (cloth,) if cloth else ("glass",) if style == "glass" else (WOOD_WORDS[kind], "wooden")
    with thing("dining table", *seen, *words) as made:
        w = m.wood(kind)
        if style == "round":
            cylinder(0, 0, HEIGHT - 0.04, width / 2, 0.04, w, bevel=0.012, sides=64)
            lathe(
                0, 0, 0.03, [(0.09, 0), (0.05, 0.1), (0.08, 0.35), (0.05, 0.6), (0.16, 0.68)], m.wood(kind, along="z")
            )
            for turn in (45, 135):
                box(0, 0, 0, 0.9, 0.08, 0.05, w, turn=turn, bevel=0.015)
        elif style == "glass":
            box(0, 0, HEIGHT - 0.02, width, depth, 0.02, m.glass((0.78, 0.92, 0.88)), bevel=0.004)
            for dx in (-1, 1):
                for dy in (-1, 1):
                    box(
                        dx * (width / 2 - 0.08),
                        dy * (depth / 2 - 0.08),
                        0,
                        0.05,
                        0.05,
                        HEIGHT - 0.02,
                        m.metal("chrome"),
                    )
                box(dx * (width / 2 - 0.08), 0, HEIGHT - 0.07, 0.05, depth - 0.2, 0.05, m.metal("chrome"))
            for dy in (-1, 1):
                box(0, dy * (depth / 2 - 0.08), HEIGHT - 0.07, width - 0.2, 0.05, 0.05, m.metal("chrome"))
        else:
            box(0, 0, HEIGHT - 0.045, width, depth, 0.045, w, bevel=0.012)
            if style == "trestle":
                for dx in (-1, 1):
                    x = dx * (width / 2 - 0.35)
                    box(x, 0, 0, 0.12, depth - 0.2, 0.07, w, bevel=0.015)
                    box(x, 0, 0.06, 0.1, 0.24, HEIGHT - 0.16, m.wood(kind, along="z"), bevel=0.01)
                    box(x, 0, HEIGHT - 0.11, 0.12, depth - 0.15, 0.07, w, bevel=0.015)
                box(0, 0, 0.26, width - 0.6, 0.06, 0.12, w)
            else:
                box(0, 0, HEIGHT - 0.13, width - 0.2, depth - 0.2, 0.09, w)
                for dx in (-1, 1):
                    for dy in (-1, 1):
                        x, y = dx * (width / 2 - 0.07), dy * (depth / 2 - 0.07)
                        cylinder(x, y, 0, 0.028, HEIGHT - 0.045, m.wood(kind, along="z"), top=0.042)
        if cloth:
            _tablecloth(width, depth, cloth, round_=style == "round")
    return made


def _tablecloth(width: float, depth: float, colour: str, *, round_: bool) -> None:
    cloth = m.fabric(colour, 60)
    drop = 0.26
    if round_:
        points = []
        for i in range(97):
            a = 2 * math.pi * i / 96
            points.append((math.cos(a), math.sin(a), 0.035 * math.sin(12 * a)))
        r = width / 2 + 0.012
        rows = [[(x * (r + s * f), y * (r + s * f), HEIGHT - drop * f) for x, y, s in points] for f in (1.0, 0.5, 0.0)]
        part(
            "tablecloth",
            cylinder(0, 0, HEIGHT - 0.002, width / 2 + 0.012, 0.008, cloth, sides=64),
            surface(rows, cloth),
        )
        return
    parts = [box(0, 0, HEIGHT - 0.003, width + 0.02, depth + 0.02, 0.008, cloth, bevel=0.003)]
    for along, across, axis in ((width, depth, "x"), (depth, width, "y")):
        for end in (-1, 1):
            x, y = (0, end * (across / 2 + 0.02)) if axis == "x" else (end * (across / 2 + 0.02), 0)
            folds = round(along / 0.28)
            parts.append(sheet(x, y, HEIGHT - drop, along + 0.02, drop, cloth, folds=folds, swing=0.012, axis=axis))
    part("tablecloth", *parts)


def runner(length: float, colour: str) -> Thing:
    """A narrow cloth along the middle of a table (build it on the table)."""
    with thing("table runner", colour) as made:
        box(0, 0, 0, length, 0.36, 0.005, m.fabric(colour), bevel=0.001)
    return made


def dining_chair(colour: str = "beige", *, style: str = "upholstered", kind: str = "walnut") -> Thing:
    """A dining chair facing -y, its middle on the origin.

    Styles: "upholstered" (high back), "shell" (plastic), "windsor" (spindles of a kind of wood).
    """
    words = {"upholstered": (colour,), "shell": (colour, "plastic"), "windsor": (WOOD_WORDS[kind], "wooden")}[style]
    with thing("chair", *words) as made:
        w = m.wood(kind, along="z")
        spread = 0.19
        for dx in (-1, 1):
            for dy in (-1, 1):
                tube(
                    [
                        (dx * (spread + 0.02), dy * (spread + 0.02), 0),
                        (dx * (spread - 0.03), dy * (spread - 0.03), 0.44),
                    ],
                    0.017,
                    w,
                )
        if style == "upholstered":
            cushion(0, -0.01, 0.4, 0.48, 0.48, 0.12, m.fabric(colour), soft=0.4)
            with tilted(0, 0.2, 0.44, about="X", by=-7):
                cushion(0, 0, 0, 0.46, 0.09, 0.58, m.fabric(colour), soft=0.42)
        elif style == "shell":
            shell = m.paint(colour, 0.3)
            cushion(0, -0.01, 0.42, 0.47, 0.46, 0.06, shell, soft=0.45)
            with tilted(0, 0.205, 0.46, about="X", by=-10):
                cushion(0, 0, 0, 0.45, 0.05, 0.38, shell, soft=0.49)
        else:
            box(0, 0, 0.43, 0.44, 0.43, 0.04, m.wood(kind), bevel=0.018)
            arc = [(0.2 * math.cos(a), 0.19, 0.62 + 0.3 * math.sin(a)) for a in (i * math.pi / 12 for i in range(13))]
            tube([(0.2, 0.17, 0.46), *arc, (-0.2, 0.17, 0.46)], 0.015, w)
            for i in range(5):
                x = (i - 2) * 0.066
                top = 0.62 + 0.3 * math.sqrt(max(0.0, 1 - (x / 0.2) ** 2))
                tube([(x * 0.85, 0.16, 0.46), (x, 0.19, top)], 0.007, w)
    return made


def places(width: float, depth: float, along: int, *, ends: bool = True) -> list[tuple[float, float, float]]:
    """Return (x, y, turn) of the seats round a table: `along` on each long side; turn is that of a plate there."""
    found = []
    for i in range(along):
        x = (i - (along - 1) / 2) * width / along * 0.92
        found += [(x, -depth / 2, 0.0), (x, depth / 2, 180.0)]
    if ends:
        found += [(-width / 2, 0.0, -90.0), (width / 2, 0.0, 90.0)]
    return found


def lay(
    on: Thing,
    seats: Sequence[tuple[float, float, float]],
    *,
    plate: str = "white",
    mat: str | None = None,
    napkins: Sequence[str | None] = (None,),
    wine: str | None = "dark red",
    food: str | None = None,
    z: float = HEIGHT + 0.006,
) -> None:
    """Lay a place at each seat of a table about the origin of the frame."""
    for i, (x, y, turn) in enumerate(seats):
        a = math.radians(turn)
        with put(on, x - 0.21 * math.sin(a), y + 0.21 * math.cos(a), z, turn):
            place_setting(plate, mat=mat, napkin=napkins[i % len(napkins)], food=food)
            if wine != "none":
                with at(0.17, 0.19, 0):
                    wine_glass(wine)


def china_cabinet(kind: str = "walnut", *, width: float = 1.3, height: float = 2.0) -> Thing:
    """A cabinet with doors below and dishes behind glass above, its back at y = 0."""
    with thing("china cabinet", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind, along="z")
        low, depth, upper = 0.85, 0.45, 0.36
        box(0, -depth / 2, 0.08, width, depth, low - 0.08, w, bevel=0.008)
        box(0, -depth / 2, 0, width - 0.08, depth - 0.08, 0.08, w)
        count = max(2, round(width / 0.5))
        each = width / count
        for i in range(count):
            x = -width / 2 + (i + 0.5) * each
            box(x, -depth - 0.008, 0.14, each - 0.03, 0.02, low - 0.22, w, bevel=0.006)
            sphere(x + (each / 2 - 0.06) * (1 if i % 2 == 0 else -1), -depth - 0.03, 0.52, 0.015, m.metal("brass"))
        box(0, -0.01, low, width, 0.02, height - low, w)
        for x in (-width / 2 + 0.015, width / 2 - 0.015):
            box(x, -upper / 2, low, 0.03, upper, height - low, w)
        box(0, -upper / 2, height, width + 0.06, upper + 0.06, 0.05, w, bevel=0.012)
        shelves = 3
        step = (height - low) / shelves
        for level in range(shelves):
            z = low + level * step
            box(0, -upper / 2, z, width - 0.05, upper - 0.03, 0.022, w)
            for i in range(round(width / 0.26)):
                x = -width / 2 + 0.16 + i * 0.26
                if level == 1:
                    with at(x, -0.17, z + 0.022):
                        lathe(
                            0,
                            0,
                            0,
                            [(0, 0), (0.05, 0), (0.085, 0.07), (0.08, 0.07), (0, 0.02)],
                            m.paint("light blue", 0.15),
                        )
                else:
                    with tilted(x, -0.06, z + 0.14, about="X", by=78):
                        plate_shape("white" if level else "light blue", 0.11)
        for i in range(count):
            x = -width / 2 + (i + 0.5) * each
            for dx in (-each / 2 + 0.02, each / 2 - 0.02):
                box(x + dx, -upper, low + 0.02, 0.035, 0.02, height - low - 0.02, w)
            for z in (low + 0.01, height - 0.05):
                box(x, -upper, z, each, 0.02, 0.045, w)
        box(0, -upper, low, width - 0.04, 0.004, height - low, m.glass(), bevel=0)
    return made


def candelabra(*, arms: int = 4, kind: str = "brass") -> Thing:
    """A candlestick with several burning candles."""
    with thing("candelabra", "golden" if kind == "brass" else "metal", "lit") as made:
        shine = m.metal(kind)
        lathe(0, 0, 0, [(0, 0), (0.08, 0), (0.07, 0.015), (0.016, 0.04), (0.014, 0.26), (0.03, 0.28), (0, 0.3)], shine)
        for i in range(arms):
            x = (i - (arms - 1) / 2) * 0.12
            high = 0.34 if abs(x) > 0.1 else 0.36
            tube([(0, 0, 0.24), (x * 0.6, 0, 0.22), (x, 0, 0.26), (x, 0, high)], 0.008, shine)
            cylinder(x, 0, high, 0.02, 0.012, shine)
            cylinder(x, 0, high + 0.01, 0.011, 0.13, m.paint("white", 0.4))
            lathe(
                x, 0, high + 0.145, [(0, 0), (0.008, 0.012), (0.005, 0.03), (0, 0.042)], m.glow((1.0, 0.6, 0.18), 9.0)
            )
        bulb(0, 0, 0.62, 5, radius=0.08)
    return made


def balloon(colour: str = "red", *, height: float = 1.9) -> Thing:
    """A balloon on a string from the origin up to a height."""
    with thing("balloon", colour) as made:
        tube([(0, 0, 0), (0.02, 0, height * 0.5), (0, 0, height - 0.17)], 0.002, m.paint("white"))
        sphere(0, 0, height, 0.14, m.paint(colour, 0.12), scale=(1, 1, 1.22))
        lathe(0, 0, height - 0.19, [(0.02, 0), (0.004, 0.025)], m.paint(colour, 0.2))
    return made


def garland(width: float, colours: Sequence[str], *, sag: float = 0.25) -> Thing:
    """A string of little flags along x at the origin's height, about its middle."""
    with thing("garland", *colours[:3]) as made:
        count = round(width / 0.22)
        points = []
        for i in range(count + 1):
            t = i / count * 2 - 1
            points.append((t * width / 2, 0.0, -sag * (1 - t * t)))
        tube(points, 0.004, m.paint("white"))
        for i in range(count):
            x, z = (points[i][0] + points[i + 1][0]) / 2, (points[i][2] + points[i + 1][2]) / 2
            cloth = m.paint(colours[i % len(colours)], 0.6)
            part("flag", prism([(-0.08, 0), (0.08, 0), (0, -0.18)], 0.004, cloth, x=x, z=z, plane="xz"))
    return made


def ring_lamp(room_height: float, drop: float = 0.9, *, radius: float = 0.45) -> Thing:
    """A modern lamp: a shining ring on three cables."""
    with thing("ceiling lamp", "round", "lit") as made:
        z = room_height - drop
        ring(0, 0, z, radius, 0.022, m.glow((1, 0.88, 0.7), 5))
        ring(0, 0, z + 0.025, radius, 0.018, m.metal("brass"))
        for i in range(3):
            a = i * 2.094
            tube([(radius * math.cos(a), radius * math.sin(a), z + 0.03), (0, 0, room_height)], 0.003, m.paint("black"))
            bulb(0.6 * radius * math.cos(a), 0.6 * radius * math.sin(a), z - 0.06, 9)
    return made
