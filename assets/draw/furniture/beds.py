"""What stands in rooms to sleep in: beds, cots, bunks, night tables, wardrobes, chests of drawers, dressing tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Point, Thing, at, box, cushion, cylinder, part, sheet, sphere, surface, thing, tilted, tube

LONG = 2.02
"""Length of a bed for grown-ups, frame included."""


def draped(
    width: float,
    length: float,
    top: float,
    drop: float,
    material: Any,
    *,
    foot: bool = True,
    puff: float = 0.012,
    phase: float = 0.0,
    round_: float = 0.06,
    thickness: float = 0.03,
) -> Any:
    """A cover over a flat top, hanging down both sides and (`foot`) the front; starts at y = 0 and runs to -length."""

    def bend(over: float) -> tuple[float, float]:
        if over <= 0:
            return 0.0, 0.0
        quarter = round_ * math.pi / 2
        if over < quarter:
            return round_ * math.sin(over / round_), round_ * (1 - math.cos(over / round_))
        return round_, round_ + over - quarter

    def span(low: float, high: float, step: float) -> list[float]:
        count = max(2, round((high - low) / step))
        return [low + (high - low) * i / count for i in range(count + 1)]

    flat, run = width / 2 - round_, length - round_
    rows: list[list[Point]] = []
    for t in span(0, run + (drop + round_ if foot else round_), 0.035):
        row = []
        for s in span(-flat - drop - round_, flat + drop + round_, 0.035):
            out_x, down_x = bend(abs(s) - flat)
            out_y, down_y = bend(t - run)
            wave = 0.016 * min(1, 4 * down_x) * math.sin(15 * t + phase) + 0.008 * min(1, 4 * down_x) * math.sin(34 * t)
            wave_y = 0.016 * min(1, 4 * down_y) * math.sin(15 * s + phase)
            x = math.copysign(min(abs(s), flat) + out_x + wave, s)
            rise = math.sin(5.3 * s + 2.1 * t + phase) + math.sin(3.1 * s - 6.7 * t + 2 * phase)
            rise += 0.5 * math.sin(17 * s + 9 * t)
            row.append((x, -(min(t, run) + out_y + wave_y), top - max(down_x, down_y) + puff * rise))
        rows.append(row)
    return surface(rows, material, thickness=thickness)


def pillow(colour: str, width: float = 0.68, *, tilt: float = 28, depth: float = 0.44) -> Thing:
    """A pillow leaning against what is behind it; the middle of its underside on the origin."""
    with thing("pillow", colour) as made:
        cushion(0, 0, 0, width, depth, 0.17, m.fabric(colour, 140), tilt=tilt, soft=0.48)
    return made


def bed(
    width: float = 1.6,
    *,
    style: str = "platform",
    kind: str = "walnut",
    sheets: str = "white",
    cover: str = "red",
    pillows: Sequence[str] | None = None,
    cushions: Sequence[str] = (),
    throw: str | None = None,
    pattern: Any = None,
    folded: float = 0.62,
    phase: float = 0.0,
) -> Thing:
    """A made bed, its head at y = 0; named by the colour of its cover. `pattern` is a material for the cover.

    Styles: "platform" (low boards), "panelled" (head and foot boards), "padded" (cloth headboard of colour `kind`),
    "metal" (bars; `kind` is the colour of its metal), "poster" (four posts with curtains), "low" (a mattress on slats).
    """
    size = "double" if width > 1.3 else "single"
    linen = m.fabric(sheets, 140)
    with thing("bed", cover, size) as made:
        deck = _frame_of_bed(width, style, kind)
        cushion(0, -LONG / 2, deck, width - 0.06, LONG - 0.1, 0.22, linen, soft=0.3)
        top = deck + 0.225
        with at(0, -folded, 0):
            cloth = pattern or m.fabric(cover)
            part("bedspread", draped(width - 0.02, LONG - folded - 0.02, top + 0.045, 0.2, cloth, phase=phase))
            draped(width - 0.015, 0.3, top + 0.052, 0.2, linen, foot=False, phase=phase, thickness=0.02)
        colours = pillows if pillows is not None else [sheets] * (2 if size == "double" else 1)
        wide = min(0.72, (width - 0.12) / max(1, min(2, len(colours))))
        for i, colour in enumerate(colours):
            row, place = divmod(i, 2 if size == "double" else 1)
            x = (place - 0.5) * (width / 2 - 0.02) if size == "double" else 0.0
            with at(x, -0.24 - 0.16 * row, top - 0.015 + 0.03 * row):
                pillow(colour, wide, tilt=32 + 6 * row)
        for i, colour in enumerate(cushions):
            x = (i - (len(cushions) - 1) / 2) * 0.44
            with at(x, -0.6, top + 0.03), thing("cushion", colour), tilted(about="X", by=-32):
                cushion(0, 0, 0, 0.4, 0.14, 0.38, m.fabric(colour), soft=0.48)
        if throw:
            with thing("blanket", throw), at(0, -LONG + 0.62, 0):
                draped(width + 0.02, 0.42, top + 0.062, 0.26, m.fabric(throw, 40), foot=False, phase=phase + 1)
    return made


def _frame_of_bed(width: float, style: str, kind: str) -> float:
    """Build what carries the mattress and return the height of its underside."""
    if style == "metal":
        bar = m.metal(kind) if kind in ("brass", "steel", "iron", "copper") else m.paint(kind, 0.35)
        for y, high in ((-0.03, 1.15), (-LONG, 0.75)):
            for dx in (-1, 1):
                cylinder(dx * width / 2, y, 0, 0.022, high, bar)
                sphere(dx * width / 2, y, high + 0.02, 0.036, m.metal("brass"))
            arch = [
                (width / 2 * math.cos(a), y, high - 0.03 + 0.16 * math.sin(a))
                for a in [math.pi * i / 16 for i in range(17)]
            ]
            tube(arch, 0.018, bar)
            tube([(-width / 2, y, high * 0.55), (width / 2, y, high * 0.55)], 0.013, bar)
            count = round(width / 0.17)
            for i in range(1, count):
                x = (i / count - 0.5) * width
                reach = high - 0.03 + 0.16 * math.sqrt(max(0, 1 - (2 * x / width) ** 2))
                tube([(x, y, 0.28), (x, y, reach)], 0.009, bar)
        for dx in (-1, 1):
            box(dx * width / 2, -LONG / 2, 0.28, 0.03, LONG, 0.06, bar)
        return 0.33
    if style == "padded":
        cloth = m.fabric(kind)
        box(0, -LONG / 2, 0.06, width + 0.04, LONG, 0.26, cloth, bevel=0.03)
        box(0, -LONG / 2, 0, width - 0.2, LONG - 0.3, 0.08, m.paint("dark grey"))
        columns = max(2, round(width / 0.3))
        for i in range(columns):
            for row in range(3):
                x = (i - (columns - 1) / 2) * (width + 0.1) / columns
                cushion(x, -0.05, 0.34 + row * 0.3, (width + 0.1) / columns - 0.004, 0.13, 0.296, cloth, soft=0.42)
        box(0, -0.01, 0, width + 0.1, 0.06, 1.22, cloth)
        return 0.32
    w, up = m.wood(kind), m.wood(kind, along="z")
    if style == "low":
        box(0, -LONG / 2, 0.1, width + 0.24, LONG + 0.12, 0.06, w, bevel=0.012)
        box(0, -LONG / 2, 0, width - 0.3, LONG - 0.4, 0.1, up)
        return 0.16
    box(0, -LONG / 2, 0.14, width, LONG - 0.04, 0.18, w, bevel=0.012)
    for dx in (-1, 1):
        for y in (-0.06, -LONG + 0.06):
            box(dx * (width / 2 - 0.05), y, 0, 0.07, 0.07, 0.2, up)
    if style == "platform":
        box(0, -0.03, 0.1, width + 0.06, 0.06, 0.85, w, bevel=0.015)
    if style == "panelled":
        for y, high in ((-0.03, 1.1), (-LONG, 0.66)):
            for dx in (-1, 1):
                box(dx * width / 2, y, 0, 0.08, 0.08, high, up, bevel=0.012)
                sphere(dx * width / 2, y, high + 0.03, 0.045, up)
            box(0, y, 0.2, width, 0.035, high - 0.34, w)
            box(0, y, high - 0.16, width, 0.06, 0.1, w, bevel=0.015)
            count = round(width / 0.36)
            for i in range(count):
                x = (i - (count - 1) / 2) * (width - 0.1) / count
                box(x, y - 0.02, 0.36, (width - 0.1) / count - 0.06, 0.015, high - 0.58, up, bevel=0.006)
    if style == "poster":
        box(0, -0.03, 0.2, width, 0.05, 0.95, w, bevel=0.015)
        for dx in (-1, 1):
            for y in (-0.03, -LONG):
                box(dx * width / 2, y, 0, 0.08, 0.08, 2.1, up, bevel=0.015)
            box(dx * width / 2, -LONG / 2, 2.02, 0.07, LONG, 0.08, m.wood(kind, along="y"))
        for y in (-0.03, -LONG):
            box(0, y, 2.02, width, 0.07, 0.08, w)
    return 0.3


def bed_curtains(width: float, colour: str) -> None:
    """Curtains at the four posts of a "poster" bed, and a canopy above it."""
    cloth = m.fabric(colour)
    for dx in (-1, 1):
        for y, far in ((-0.22, False), (-LONG + 0.2, True)):
            with thing("curtain", colour):
                sheet(dx * (width / 2 + 0.02), y, 0.12, 0.34 if not far else 0.26, 1.92, cloth, folds=4, axis="y")
    with thing("canopy", colour):
        box(0, -LONG / 2, 2.1, width + 0.1, LONG + 0.1, 0.03, cloth)
        for y in (0.01, -LONG - 0.05):
            sheet(0, y, 1.9, width + 0.1, 0.22, cloth, folds=14, swing=0.015)
        for dx in (-1, 1):
            sheet(dx * (width / 2 + 0.05), -LONG / 2, 1.9, LONG + 0.05, 0.22, cloth, folds=16, swing=0.015, axis="y")


def cot(kind: str = "white", sheets: str = "light blue", *, width: float = 1.28, depth: float = 0.72) -> Thing:
    """A baby's cot with bars all round, its long side against y = 0."""
    with thing("cot", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        for dx in (-1, 1):
            for y in (-0.03, -depth):
                box(dx * width / 2, y, 0, 0.055, 0.055, 1.0, up, bevel=0.015)
        for y in (-0.03, -depth):
            for z in (0.28, 0.93):
                box(0, y, z, width, 0.035, 0.05, w, bevel=0.012)
            count = 13
            for i in range(1, count):
                cylinder((i / count - 0.5) * width, y, 0.3, 0.011, 0.65, up, sides=14)
        for dx in (-1, 1):
            for z in (0.28, 0.93):
                box(dx * width / 2, -depth / 2, z, 0.035, depth, 0.05, m.wood(kind, along="y"), bevel=0.012)
            for i in range(1, 7):
                cylinder(dx * width / 2, -0.03 - i * (depth - 0.03) / 7, 0.3, 0.011, 0.65, up, sides=14)
        box(0, -depth / 2, 0.3, width - 0.04, depth - 0.05, 0.04, w)
        part("mattress", cushion(0, -depth / 2, 0.34, width - 0.08, depth - 0.08, 0.14, m.fabric(sheets), soft=0.3))
        cushion(0.18, -depth / 2, 0.43, width - 0.48, depth - 0.1, 0.09, m.fabric("white"), soft=0.45)
        with at(-0.43, -depth / 2, 0.46, 90):
            pillow("white", 0.42, tilt=-10, depth=0.3)
    return made


def night_table(kind: str = "walnut", *, style: str = "drawers", width: float = 0.44) -> Thing:
    """A night table 0.5 m high. Styles: "drawers", "open" (a shelf on legs), "round" (its middle at y = -0.22)."""
    with thing("night table", WOOD_WORDS[kind], *(["round"] if style == "round" else ["wooden"])) as made:
        w = m.wood(kind)
        if style == "round":
            cylinder(0, -0.24, 0.47, 0.23, 0.03, w, bevel=0.008)
            for i in range(3):
                a = math.radians(90 + 120 * i)
                x, y = math.cos(a), math.sin(a)
                tube([(0.2 * x, -0.24 + 0.2 * y, 0), (0.14 * x, -0.24 + 0.14 * y, 0.48)], 0.014, w)
            return made
        if style == "open":
            for dx in (-1, 1):
                for y in (-0.04, -0.38):
                    box(dx * (width / 2 - 0.02), y, 0, 0.035, 0.035, 0.48, m.wood(kind, along="z"))
            for z in (0.14, 0.47):
                box(0, -0.21, z, width, 0.4, 0.03, w, bevel=0.01)
            return made
        box(0, -0.21, 0.1, width, 0.4, 0.4, w, bevel=0.012)
        for dx in (-1, 1):
            for y in (-0.05, -0.37):
                cylinder(dx * (width / 2 - 0.05), y, 0, 0.013, 0.12, w, top=0.022)
        for z in (0.13, 0.31):
            part("drawer", box(0, -0.415, z, width - 0.05, 0.02, 0.165, w, bevel=0.006))
            sphere(0, -0.437, z + 0.085, 0.015, m.metal("brass"))
    return made


def chest_of_drawers(
    kind: str = "oak", *, width: float = 1.0, height: float = 0.86, rows: int = 3, columns: int = 2
) -> Thing:
    """A chest of drawers on short legs; its top is at z = height."""
    with thing("chest of drawers", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, -0.23, 0.12, width, 0.44, height - 0.14, w, bevel=0.01)
        box(0, -0.235, height - 0.03, width + 0.03, 0.47, 0.03, w, bevel=0.01)
        for dx in (-1, 1):
            for y in (-0.05, -0.41):
                cylinder(dx * (width / 2 - 0.06), y, 0, 0.015, 0.13, w, top=0.026)
        tall, wide = (height - 0.2) / rows, (width - 0.04) / columns
        for row in range(rows):
            for i in range(columns):
                x, z = (i - (columns - 1) / 2) * wide, 0.15 + row * tall
                part("drawer", box(x, -0.455, z, wide - 0.02, 0.02, tall - 0.02, w, bevel=0.006))
                for dx in (-0.22, 0.22) if wide > 0.6 else (0,):
                    sphere(x + dx * wide, -0.478, z + tall / 2, 0.017, m.metal("brass"))
    return made


def wardrobe(kind: str = "oak", *, width: float = 1.2, height: float = 2.05, mirror: bool = False) -> Thing:
    """A wardrobe with a door every half metre; `mirror` covers one of them."""
    with thing("wardrobe", WOOD_WORDS[kind], "wooden") as made:
        w, up = m.wood(kind), m.wood(kind, along="z")
        box(0, -0.28, 0.06, width, 0.54, height - 0.06, up, bevel=0.01)
        box(0, -0.27, 0, width - 0.06, 0.5, 0.08, w)
        box(0, -0.29, height - 0.02, width + 0.06, 0.6, 0.05, w, bevel=0.015)
        doors = max(2, round(width / 0.55))
        wide = (width - 0.03) / doors
        for i in range(doors):
            x = (i - (doors - 1) / 2) * wide
            box(x, -0.56, 0.1, wide - 0.012, 0.022, height - 0.16, up, bevel=0.006)
            if mirror and i == doors // 2:
                box(x, -0.573, 0.2, wide - 0.1, 0.006, height - 0.36, m.mirror(), bevel=0)
            else:
                for z, tall in ((0.18, 0.7), (0.96, height - 1.14)):
                    box(x, -0.574, z, wide - 0.16, 0.012, tall, up, bevel=0.006)
            knob = x + (0.5 * wide - 0.05) * (1 if i % 2 == 0 else -1)
            tube([(knob, -0.6, 0.95), (knob, -0.6, 1.1)], 0.008, m.metal("brass"))
            for z in (0.95, 1.1):
                tube([(knob, -0.57, z), (knob, -0.6, z)], 0.006, m.metal("brass"))
    return made


def dressing_table(kind: str = "white", *, width: float = 0.95) -> Thing:
    """A table with a round mirror, a drawer and small bottles; its top is at z = 0.75."""
    with thing("dressing table", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, -0.22, 0.61, width, 0.42, 0.14, w, bevel=0.012)
        for dx in (-1, 1):
            for y in (-0.05, -0.39):
                cylinder(dx * (width / 2 - 0.05), y, 0, 0.014, 0.62, w, top=0.026)
            box(dx * width / 4, -0.435, 0.63, width / 2 - 0.04, 0.015, 0.1, w, bevel=0.005)
            sphere(dx * width / 4, -0.452, 0.68, 0.014, m.metal("brass"))
        with thing("mirror", "round"):
            cylinder(0, -0.05, 1.08, 0.31, 0.03, w, axis="y", bevel=0.01)
            cylinder(0, -0.062, 1.08, 0.28, 0.02, m.mirror(), axis="y")
        for x, tall, colour in ((-0.36, 0.11, "pink"), (-0.28, 0.08, "light purple"), (0.33, 0.12, "light blue")):
            cylinder(x, -0.2, 0.75, 0.022, tall, m.paint(colour, 0.1), bevel=0.006)
            cylinder(x, -0.2, 0.75 + tall, 0.012, 0.03, m.metal("gold"), bevel=0.003)
    return made


def slippers(colour: str = "pink") -> Thing:
    """A pair of slippers on the floor, toes towards -y."""
    with thing("slippers", colour) as made:
        for dx in (-0.07, 0.07):
            with at(dx, 0, 0, 6 if dx > 0 else -4):
                cushion(0, 0, 0, 0.09, 0.25, 0.025, m.fabric("beige"), soft=0.4)
                cushion(0, -0.055, 0.012, 0.1, 0.14, 0.06, m.fabric(colour), soft=0.48)
    return made


def laid_books(rng: Random, count: int = 3) -> Thing:
    """A pile of books lying flat, its middle on the origin."""
    with thing("pile of books") as made:
        z = 0.0
        for _ in range(count):
            thick, colour = rng.uniform(0.02, 0.04), rng.choice(["red", "blue", "green", "orange", "beige", "cyan"])
            with at(rng.uniform(-0.015, 0.015), 0, z, rng.uniform(-14, 14)):
                box(0, 0, 0.002, 0.185, 0.135, thick - 0.004, m.paint("white", 0.8), bevel=0.001)
                for lid in (0, thick - 0.004):
                    box(0, 0, lid, 0.19, 0.14, 0.004, m.paint(colour, 0.5), bevel=0.001)
                box(-0.095, 0, 0, 0.004, 0.14, thick, m.paint(colour, 0.5), bevel=0.001)
            z += thick
    return made
