"""What one sits on softly: sofas, armchairs, office chairs, stools, benches, beanbags, and cushions to lie on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, cushion, cylinder, lathe, part, prism, ring, sphere, thing, tilted, tube

SEAT = 0.66
"""Width of one seat of a sofa."""


def throw_cushion(colour: str, size: float = 0.42, *, lean: float = 20.0) -> Thing:
    """A cushion that stands on its edge and leans back; the middle of its lower edge on the origin."""
    with thing("cushion", colour) as made, tilted(0, 0, 0, about="X", by=-lean):
        cushion(0, 0, 0, size, 0.15, size, m.fabric(colour), soft=0.48)
    return made


def sofa(
    colour: str,
    cushions: Sequence[str] = (),
    seats: int = 3,
    *,
    style: str = "soft",
    material: str = "fabric",
    legs: str = "oak",
    blanket: str | None = None,
) -> Thing:
    """A sofa; `cushions` are the colours of the cushions on it from left to right, spread over its width.

    Styles: "soft" (round cushions, wide arms), "slim" (thin arms, high legs), "chesterfield" (rolled arms, buttons).
    """
    cover = m.paint(colour, 0.38) if material == "leather" else m.fabric(colour)
    arm = {"soft": 0.2, "slim": 0.08, "chesterfield": 0.2}[style]
    inner = seats * SEAT
    width, depth = inner + 2 * arm, 0.92
    foot = {"soft": 0.08, "slim": 0.2, "chesterfield": 0.1}[style]
    deck = 0.24 if style != "slim" else 0.3
    with thing("sofa", colour, *(["leather"] if material == "leather" else [])) as made:
        for dx in (-1, 1):
            for y in (-0.08, -depth + 0.1):
                cylinder(dx * (width / 2 - 0.1), y, 0, 0.018, foot + 0.02, m.wood(legs), top=0.028, bevel=0.004)
        box(0, -depth / 2, foot, width - 0.02, depth - 0.04, deck - foot, cover, bevel=0.03)
        if style == "chesterfield":
            _rolled(inner, depth, foot, deck, cover)
        else:
            high = 0.6 if style == "soft" else 0.58
            for dx in (-1, 1):
                cushion(dx * (inner + arm) / 2, -depth / 2, foot, arm + 0.015, depth, high - foot, cover, soft=0.32)
            cushion(0, -0.1, foot, inner + arm, 0.2, 0.76 - foot, cover, soft=0.3)
            for i in range(seats):
                x = (i - (seats - 1) / 2) * SEAT
                with tilted(x, -0.3, deck + 0.14, about="X", by=-10):
                    cushion(0, 0, 0, SEAT - 0.01, 0.2, 0.46, cover, soft=0.4)
        for i in range(seats):
            cushion((i - (seats - 1) / 2) * SEAT, -0.56, deck - 0.01, SEAT - 0.006, 0.7, 0.19, cover, soft=0.3)
        for i, hue in enumerate(cushions):
            # outermost cushions stand in the corners, the others spread between them
            share = 0.5 if len(cushions) == 1 else i / (len(cushions) - 1)
            x = (share - 0.5) * (inner - 0.46) if len(cushions) > 1 else -0.5 * (inner - 0.5)
            with at(x, -0.53, deck + 0.175, 10 * (0.5 - share) * 2):
                throw_cushion(hue)
        if blanket:
            with thing("blanket", blanket):
                _thrown(inner / 2 - 0.3, deck + 0.18, depth, blanket)
    return made


def _thrown(x: float, z: float, depth: float, colour: str) -> None:
    """Lay a blanket over the seat and the front edge of a sofa."""
    cloth = m.fabric(colour)
    cushion(x, -0.66, z - 0.005, 0.48, 0.54, 0.035, cloth, soft=0.4)
    cushion(x, -depth - 0.012, z - 0.3, 0.48, 0.035, 0.325, cloth, soft=0.4)
    for i in range(9):
        cylinder(x - 0.22 + i * 0.055, -depth - 0.012, z - 0.36, 0.006, 0.07, cloth)


def _rolled(inner: float, depth: float, foot: float, deck: float, cover: object) -> None:
    """Build the rolled arms and the buttoned back of a chesterfield."""
    for dx in (-1, 1):
        x = dx * (inner / 2 + 0.1)
        box(x, -depth / 2, foot, 0.18, depth - 0.02, 0.5, cover, bevel=0.03)
        cylinder(x + dx * 0.01, -depth / 2, 0.6, 0.12, depth, cover, axis="y", bevel=0.03)
        cylinder(x + dx * 0.01, -depth, 0.6, 0.05, 0.02, cover, axis="y", bevel=0.008)
    cushion(0, -0.15, foot, inner + 0.1, 0.22, 0.62, cover, soft=0.2)
    cylinder(0, -0.13, 0.7, 0.12, inner + 0.36, cover, axis="x", bevel=0.04)
    columns = round(inner / 0.19)
    for row in range(2):
        for i in range(columns + row):
            x = (i - (columns + row - 1) / 2) * inner / (columns + 0.5)
            sphere(x, -0.262, deck + 0.26 + 0.13 * row, 0.016, cover, scale=(1, 0.6, 1))


def armchair(
    colour: str, cushion_colour: str | None = None, *, style: str = "club", material: str = "fabric", legs: str = "oak"
) -> Thing:
    """An armchair. Styles: "club" (round and low), "wing" (high back with ears), "wooden" (open wooden frame)."""
    cover = m.paint(colour, 0.38) if material == "leather" else m.fabric(colour)
    with thing("armchair", colour, *(["leather"] if material == "leather" else [])) as made:
        if style == "wooden":
            _wooden_armchair(cover, legs)
        else:
            high = 1.12 if style == "wing" else 0.82
            for dx in (-0.32, 0.32):
                for y in (-0.1, -0.78):
                    cylinder(dx, y, 0, 0.016, 0.16, m.wood(legs), top=0.028, bevel=0.004)
            box(0, -0.44, 0.14, 0.78, 0.8, 0.16, cover, bevel=0.04)
            for dx in (-1, 1):
                cushion(dx * 0.36, -0.46, 0.14, 0.16, 0.82, 0.48, cover, soft=0.45)
                if style == "wing":
                    with tilted(dx * 0.335, -0.2, 0.55, about="X", by=-8):
                        cushion(0, 0, 0, 0.1, 0.36, 0.54, cover, soft=0.48)
            with tilted(0, -0.16, 0.28, about="X", by=-8):
                cushion(0, 0, 0, 0.74, 0.22, high - 0.28, cover, soft=0.45)
            cushion(0, -0.52, 0.27, 0.58, 0.68, 0.19, cover, soft=0.4)
        if cushion_colour:
            with at(0, -0.42, 0.45):
                throw_cushion(cushion_colour, 0.38, lean=14)
    return made


def _wooden_armchair(cover: object, legs: str) -> None:
    """Build an open frame of wood with two loose cushions."""
    w = m.wood(legs)
    for dx in (-0.33, 0.33):
        box(dx, -0.74, 0, 0.045, 0.05, 0.58, w, bevel=0.012)
        with tilted(dx, -0.12, 0, about="X", by=-6):
            box(0, 0, 0, 0.045, 0.05, 0.8, w, bevel=0.012)
        box(dx, -0.43, 0.57, 0.07, 0.74, 0.03, w, bevel=0.012)
        box(dx, -0.43, 0.27, 0.03, 0.64, 0.06, w)
    box(0, -0.72, 0.26, 0.66, 0.03, 0.07, w)
    box(0, -0.16, 0.24, 0.66, 0.03, 0.07, w)
    cushion(0, -0.47, 0.32, 0.6, 0.62, 0.14, cover, soft=0.4)
    with tilted(0, -0.17, 0.36, about="X", by=-12):
        cushion(0, 0, 0, 0.6, 0.14, 0.54, cover, soft=0.42)
        for z in (0.14, 0.3, 0.46):
            box(0, 0.09, z, 0.64, 0.02, 0.05, w)


def office_chair(colour: str = "black", *, arms: bool = True) -> Thing:
    """A swivel chair on five castors facing -y, its middle on the origin."""
    with thing("office chair", colour) as made:
        steel, cloth, plastic = m.metal("steel"), m.fabric(colour), m.paint("dark grey", 0.4)
        for i in range(5):
            with at(0, 0, 0, 72 * i + 20):
                tube([(0, 0, 0.12), (0.3, 0, 0.075)], 0.02, steel)
                cylinder(0.3, 0, 0.033, 0.033, 0.045, plastic, axis="y", bevel=0.006)
        cylinder(0, 0, 0.1, 0.025, 0.34, steel)
        box(0, 0, 0.41, 0.26, 0.26, 0.03, plastic)
        cushion(0, -0.02, 0.43, 0.5, 0.49, 0.09, cloth, soft=0.42)
        tube([(0, 0.1, 0.42), (0, 0.28, 0.44), (0, 0.3, 0.7)], 0.018, steel)
        with tilted(0, 0.25, 0.56, about="X", by=-6):
            cushion(0, 0, 0, 0.46, 0.08, 0.56, cloth, soft=0.45)
        if arms:
            for dx in (-1, 1):
                tube([(dx * 0.22, 0.02, 0.44), (dx * 0.28, 0.02, 0.47), (dx * 0.28, 0.02, 0.66)], 0.014, steel)
                box(dx * 0.28, -0.02, 0.65, 0.07, 0.28, 0.03, plastic, bevel=0.012)
    return made


def stool(kind: str = "oak", height: float = 0.45, *, seat: str | None = None) -> Thing:
    """A round stool with three or four splayed legs, its middle on the origin; `seat` colours an upholstered top."""
    with thing("stool", seat or WOOD_WORDS[kind], *([] if seat else ["wooden"])) as made:
        w = m.wood(kind)
        for i in range(4):
            a = math.radians(45 + 90 * i)
            tube(
                [(0.19 * math.cos(a), 0.19 * math.sin(a), 0), (0.12 * math.cos(a), 0.12 * math.sin(a), height - 0.03)],
                0.016,
                w,
            )
        if height > 0.55:
            ring(0, 0, 0.24, 0.165, 0.009, m.metal("steel"))
        cylinder(0, 0, height - 0.04, 0.17, 0.035, w, bevel=0.01)
        if seat:
            outline = [(0.165, 0), (0.175, 0.025), (0.16, 0.055), (0.0, 0.065)]
            part("seat", lathe(0, 0, height - 0.01, outline, m.fabric(seat)))
    return made


def pouf(colour: str = "beige", radius: float = 0.3, height: float = 0.38) -> Thing:
    """A round upholstered footstool, its middle on the origin."""
    with thing("footstool", colour, "round") as made:
        r = radius
        profile = [
            (0, 0),
            (r * 0.9, 0),
            (r, height * 0.2),
            (r * 1.04, height * 0.5),
            (r, height * 0.8),
            (r * 0.85, height * 0.97),
            (0, height),
        ]
        lathe(0, 0, 0, profile, m.fabric(colour, 60))
    return made


def beanbag(colour: str = "green") -> Thing:
    """A beanbag facing -y, its middle on the origin."""
    with thing("beanbag", colour) as made:
        profile = [(0, 0), (0.4, 0), (0.46, 0.1), (0.45, 0.22), (0.37, 0.38), (0.32, 0.5), (0.26, 0.61), (0.18, 0.68)]
        profile += [(0.08, 0.72), (0, 0.73)]
        with tilted(0, 0, 0.0, about="X", by=-9):
            lathe(0, 0.03, -0.02, profile, m.fabric(colour))
            sphere(0, 0.03, 0.7, 0.035, m.fabric(colour))
    return made


def bench(width: float = 1.2, kind: str = "oak", *, seat: str | None = None, height: float = 0.45) -> Thing:
    """A bench without a back, its middle on the origin; `seat` colours a cushion along it."""
    with thing("bench", *([seat] if seat else []), WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, 0, height - 0.045, width, 0.38, 0.045, w, bevel=0.012)
        for dx in (-1, 1):
            outline = [
                (-0.16, 0),
                (-0.1, 0),
                (-0.06, height * 0.5),
                (0.06, height * 0.5),
                (0.1, 0),
                (0.16, 0),
                (0.14, height - 0.04),
                (-0.14, height - 0.04),
            ]
            prism(outline, 0.04, w, x=dx * (width / 2 - 0.12) - 0.02, plane="yz", bevel=0.006)
        if seat:
            part("seat", cushion(0, 0, height - 0.005, width - 0.04, 0.36, 0.07, m.fabric(seat)))
    return made
