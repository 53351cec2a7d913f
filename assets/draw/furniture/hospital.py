"""What stands in hospital rooms: adjustable beds, drips, monitors, curtains, wheelchairs, screens, trolleys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    Thing,
    at,
    box,
    cushion,
    cylinder,
    lathe,
    panel_light,
    prism,
    ring,
    sheet,
    sphere,
    surface,
    thing,
    tilted,
    tube,
)

DECK = 0.58
"""Height of the mattress's underside in a hospital bed."""


def hospital_bed(
    cover: str = "light blue",
    *,
    raised: float = 32.0,
    panels: str = "light grey",
    rails: bool = True,
    small: bool = False,
) -> Thing:
    """A hospital bed with its head at y = 0: a white frame on wheels, raised back, side rails; `small`: for a child."""
    long, width = (1.6, 0.78) if small else (2.08, 0.92)
    with thing("hospital bed", "white", cover) as made:
        frame, steel = m.paint("white", 0.3), m.metal("steel")
        plastic, linen = m.paint(panels, 0.35), m.fabric("white", 140)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.06), -long / 2, 0.5, 0.04, long - 0.1, 0.06, frame)
            for y in (-0.2, -long + 0.25):
                with at(dx * (width / 2 - 0.08), y):
                    cylinder(0, 0, 0.075, 0.075, 0.03, m.paint("dark grey", 0.6), axis="x", bevel=0.008)
                    cylinder(0, 0, 0.075, 0.03, 0.036, steel, axis="x")
                    box(0, 0, 0.13, 0.05, 0.07, 0.05, steel)
        box(0, -long / 2, 0.17, 0.62, long - 0.36, 0.07, frame, bevel=0.015)
        for y, lean in ((-0.45, 18), (-long + 0.5, -18)):
            for dx in (-0.24, 0.24):
                with tilted(dx, y, 0.2, about="X", by=lean):
                    box(0, 0, 0, 0.045, 0.06, 0.34, steel)
        for y, high in ((-0.025, 1.06), (-long + 0.02, 0.88)):
            outline = [(-width / 2, 0.5), (width / 2, 0.5), (width / 2, high - 0.12), (width / 2 - 0.14, high)]
            outline += [(-width / 2 + 0.14, high), (-width / 2, high - 0.12)]
            prism(outline, 0.04, plastic, y=y - 0.02, plane="xz", bevel=0.015)
            box(0, y - 0.025, 0.62, width - 0.26, 0.01, high - 0.78, m.paint(cover, 0.5), bevel=0.004)
        hinge = -0.78 * long / 2.08
        cushion(0, (hinge - long + 0.06) / 2, DECK, width - 0.06, long + hinge - 0.04, 0.15, linen, soft=0.3)
        with tilted(0, hinge + 0.02, DECK + 0.01, about="X", by=raised):
            back = abs(hinge) - 0.02
            cushion(0, back / 2, 0, width - 0.06, back, 0.15, linen, soft=0.3)
            with thing("pillow", "white"):
                cushion(0, back - 0.22, 0.12, 0.62, 0.4, 0.15, m.fabric("white", 140), soft=0.48)
        cloth, rows = m.fabric(cover, 60), []
        for j in range(34):  # the blanket, from the hinge to the foot
            y = hinge + 0.06 - j / 33 * (long + hinge - 0.16)
            row = []
            for i in range(41):
                s = (i / 40 - 0.5) * (width + 0.34)
                over = max(0.0, abs(s) - width / 2 + 0.02)
                x = math.copysign(
                    min(abs(s), width / 2 - 0.02) + min(over, 0.03) + 0.008 * min(1, 6 * over) * math.sin(20 * y), s
                )
                z = DECK + 0.175 - max(0.0, over - 0.02) + 0.008 * (math.sin(9 * s + 3 * y) + math.sin(4 * s - 7 * y))
                row.append((x, y, z))
            rows.append(row)
        surface(rows, cloth, thickness=0.02)
        cushion(0, hinge + 0.02, DECK + 0.15, width - 0.0, 0.26, 0.05, linen, soft=0.4)
        if rails:
            for dx in (-1, 1):
                x = dx * (width / 2 + 0.03)
                for low, high in ((hinge - 0.08, hinge - 0.62 * long / 2.08),):
                    for z in (0.66, 0.78, 0.9):
                        tube([(x, low, z), (x, high, z)], 0.013, steel)
                    for y in (low, (low + high) / 2, high):
                        tube([(x, y, 0.52), (x, y, 0.9)], 0.013, steel)
    return made


def drip(bags: Sequence[str] = ("light blue",), *, pump: bool = True, height: float = 1.9) -> Thing:
    """A drip stand with bags and a pump, its middle on the origin; a tube hangs down to -y."""
    with thing("drip stand", "steel") as made:
        steel = m.metal("chrome")
        for i in range(5):
            a = math.radians(72 * i)
            tube([(0, 0, 0.11), (0.27 * math.cos(a), 0.27 * math.sin(a), 0.08)], 0.014, steel)
            cylinder(0.27 * math.cos(a), 0.27 * math.sin(a), 0.035, 0.035, 0.03, m.paint("dark grey", 0.5), axis="y")
        cylinder(0, 0, 0.1, 0.013, height - 0.1, steel)
        for dx in (-1, 1):
            tube([(0, 0, height), (dx * 0.15, 0, height), (dx * 0.17, 0, height + 0.04)], 0.008, steel)
        for i, colour in enumerate(bags[:2]):
            x = (-0.15, 0.15)[i]
            cushion(x, 0, height - 0.29, 0.15, 0.055, 0.25, m.paint(colour, 0.15), soft=0.4)
            box(x, -0.03, height - 0.2, 0.09, 0.006, 0.09, m.paint("white", 0.6), bevel=0.002)
            cylinder(x, 0, height - 0.37, 0.012, 0.08, m.paint("white", 0.2))
            tube([(x, 0, height - 0.36), (x * 0.8, -0.03, 1.35), (0.06, -0.06, 1.15)], 0.004, m.paint("white", 0.3))
        if pump:
            box(0, -0.07, 0.98, 0.17, 0.13, 0.22, m.paint("light grey", 0.35), bevel=0.015)
            box(0, -0.137, 1.11, 0.12, 0.004, 0.06, m.glow((0.2, 0.8, 0.5), 1.2), bevel=0)
            for dx in (-0.04, 0, 0.04):
                cylinder(dx, -0.137, 1.04, 0.012, 0.008, m.paint("blue", 0.4), axis="y")
            tube(
                [(0.06, -0.08, 0.98), (0.1, -0.2, 0.72), (0.06, -0.3, 0.62), (0.1, -0.42, 0.78)],
                0.005,
                m.paint("white", 0.3),
            )
    return made


def vital_monitor(*, stand: bool = True, width: float = 0.42) -> Thing:
    """A patient monitor with its curves, on a stand (screen at eye height) or standing where the origin is."""
    with thing("patient monitor", "on") as made:
        z, case, height = (1.15 if stand else 0.0), m.paint("light grey", 0.35), width * 0.76
        if stand:
            cylinder(0, 0.05, 0.05, 0.02, 1.12, m.metal("steel"))
            for i in range(5):
                a = math.radians(72 * i)
                tube([(0, 0.05, 0.09), (0.24 * math.cos(a), 0.05 + 0.24 * math.sin(a), 0.04)], 0.014, m.metal("steel"))
            box(0, 0.03, 0.7, 0.3, 0.24, 0.05, m.metal("steel"))
        box(0, 0.03, z, width, 0.13, height, case, bevel=0.02)
        screen, tall = width - 0.06, height - 0.07
        box(0, -0.037, z + 0.045, screen, 0.004, tall, m.paint((0.005, 0.008, 0.012), 0.1), bevel=0)
        curves = ((0.78, (0.1, 1.0, 0.25), "beat"), (0.48, (0.2, 0.8, 1.0), "wave"), (0.2, (1.0, 0.8, 0.15), "wave"))
        for share, colour, form in curves:
            points = []
            for i in range(49):
                t = i / 48
                if form == "beat":
                    phase = (t * 3.2) % 1
                    rise = 0.13 * max(0, 1 - abs(phase - 0.45) / 0.05) - 0.05 * max(0, 1 - abs(phase - 0.54) / 0.05)
                else:
                    rise = 0.045 * math.sin(t * (26 if share > 0.3 else 17))
                points.append(((t * 0.68 - 0.48) * screen, -0.042, z + 0.045 + tall * (share + rise * 1.4)))
            tube(points, 0.004, m.glow(colour, 3.0))
            for k in range(2):  # figures beside each curve
                x = screen * (0.31 + 0.1 * k)
                box(
                    x,
                    -0.041,
                    z + 0.045 + tall * (share - 0.08),
                    screen * 0.07,
                    0.003,
                    tall * 0.17,
                    m.glow(colour, 2.0),
                    bevel=0,
                )
                for dz in (-0.055, 0.025):
                    box(
                        x + 0.002,
                        -0.043,
                        z + 0.045 + tall * (share + dz),
                        screen * 0.035,
                        0.002,
                        tall * 0.055,
                        m.paint("black"),
                        bevel=0,
                    )
    return made


def headwall(width: float = 1.9, colour: str = "oak", *, lit: bool = True) -> Thing:
    """The panel over the head of a hospital bed at y = 0: a lamp, sockets and gas taps; z of its lower edge at 0."""
    with thing("wall panel", "with sockets") as made:
        face: Any = m.wood(colour) if colour in m.WOODS else m.paint(colour, 0.4)
        box(0, -0.03, 0, width, 0.06, 0.3, face, bevel=0.01)
        box(0, -0.045, 0.1, width, 0.05, 0.1, m.paint("white", 0.35), bevel=0.008)
        for i in range(round(width / 0.16)):
            x = (i + 0.5 - round(width / 0.16) / 2) * 0.16
            if i % 3 == 2:
                hue = ("green", "yellow", "blue")[(i // 3) % 3]
                cylinder(x, -0.085, 0.15, 0.03, 0.05, m.paint(hue, 0.4), axis="y", bevel=0.006)
            else:
                box(x, -0.073, 0.115, 0.07, 0.008, 0.07, m.paint("light grey", 0.3), bevel=0.003)
                cylinder(x, -0.078, 0.15, 0.022, 0.004, m.paint("grey"), axis="y")
        box(0, -0.07, 0.36, width * 0.66, 0.12, 0.07, m.paint("white", 0.35), bevel=0.012)
        if lit:
            box(0, -0.07, 0.43, width * 0.62, 0.09, 0.008, m.glow((1.0, 0.95, 0.85), 4.0), bevel=0)
            panel_light(0, -0.12, 0.48, 9, size=0.5, toward=(0, -0.05, 3))
    return made


def overbed_table(kind: str = "birch") -> Thing:
    """A narrow table on a wheeled foot, to push over a bed along x; its top is at z = 0.92."""
    with thing("overbed table", "light brown") as made:
        steel = m.metal("steel")
        box(0, 0, 0.89, 0.85, 0.42, 0.03, m.wood(kind), bevel=0.012)
        box(0.36, 0, 0.08, 0.06, 0.08, 0.82, steel, bevel=0.008)
        for y in (-0.2, 0.2):
            tube([(0.36, 0, 0.08), (0.36, y, 0.07), (-0.28, y, 0.07)], 0.018, steel)
            for x in (-0.26, 0.34):
                cylinder(x, y, 0.03, 0.03, 0.025, m.paint("dark grey", 0.5), axis="y")
    return made


def rail_curtain(length: float, height: float, colour: str = "green", *, axis: str = "y", drawn: float = 1.0) -> Thing:
    """A dividing curtain on a rail below the ceiling, from the origin along -y (or x); `drawn` is how much of it."""
    with thing("curtain", colour, "dividing") as made:
        cloth = m.fabric(colour, 50)
        reach = length * drawn
        if axis == "y":
            tube([(0, 0, height), (0, -length, height)], 0.012, m.metal("steel"))
            sheet(
                0,
                -reach / 2,
                0.32,
                reach,
                height - 0.34,
                cloth,
                folds=max(3, round(length / 0.22)),
                swing=0.05,
                axis="y",
            )
        else:
            tube([(0, 0, height), (length, 0, height)], 0.012, m.metal("steel"))
            sheet(reach / 2, 0, 0.32, reach, height - 0.34, cloth, folds=max(3, round(length / 0.22)), swing=0.05)
    return made


def folding_screen(colour: str = "light green", *, panels: int = 3) -> Thing:
    """A screen of cloth in steel frames on wheels, its middle on the origin."""
    with thing("folding screen", colour) as made:
        x, y, steel = -0.5 * 0.52 * panels, 0.0, m.metal("steel")
        for i in range(panels):
            turn = 16 if i % 2 == 0 else -16
            with at(x, y, 0, turn):
                tube([(0, 0, 0.06), (0, 0, 1.7), (0.54, 0, 1.7), (0.54, 0, 0.06)], 0.014, steel)
                tube([(0, 0, 0.28), (0.54, 0, 0.28)], 0.01, steel)
                sheet(0.27, 0, 0.3, 0.5, 1.37, m.fabric(colour, 50), folds=6, swing=0.012)
                for dx in (0, 0.54):
                    cylinder(dx, 0, 0.035, 0.035, 0.03, m.paint("dark grey", 0.6), axis="y")
            x += 0.54 * math.cos(math.radians(turn))
            y += 0.54 * math.sin(math.radians(turn))
    return made


def wheelchair(colour: str = "blue") -> Thing:
    """A wheelchair facing -y, its middle on the origin."""
    with thing("wheelchair", colour) as made:
        chrome, cloth, tyre = m.metal("chrome"), m.fabric(colour), m.paint("dark grey", 0.7)
        for dx in (-1, 1):
            x = dx * 0.3
            ring(x, 0.12, 0.3, 0.285, 0.018, tyre, axis="x")
            ring(x + dx * 0.035, 0.12, 0.3, 0.25, 0.008, chrome, axis="x")
            for k in range(9):
                a = math.radians(40 * k)
                tube([(x, 0.12, 0.3), (x, 0.12 + 0.28 * math.cos(a), 0.3 + 0.28 * math.sin(a))], 0.003, chrome)
            cylinder(x, 0.12, 0.3, 0.035, 0.06, chrome, axis="x")
            ring(dx * 0.25, -0.4, 0.09, 0.075, 0.016, tyre, axis="x")
            tube([(dx * 0.25, -0.4, 0.09), (dx * 0.24, -0.34, 0.3), (dx * 0.24, 0.2, 0.32)], 0.013, chrome)
            tube([(dx * 0.24, 0.22, 0.2), (dx * 0.24, 0.24, 0.9), (dx * 0.24, 0.38, 0.93)], 0.013, chrome)
            tube([(dx * 0.24, 0.36, 0.93), (dx * 0.24, 0.46, 0.935)], 0.018, m.paint("black", 0.6))
            tube(
                [(dx * 0.24, 0.22, 0.7), (dx * 0.24, -0.2, 0.7), (dx * 0.24, -0.3, 0.5), (dx * 0.2, -0.5, 0.14)],
                0.012,
                chrome,
            )
            box(dx * 0.24, 0.02, 0.7, 0.055, 0.32, 0.035, m.paint("black", 0.6), bevel=0.014)
            box(dx * 0.12, -0.53, 0.12, 0.17, 0.16, 0.018, m.paint("dark grey", 0.5), bevel=0.006)
            box(dx * 0.225, 0.0, 0.5, 0.012, 0.38, 0.18, cloth, bevel=0.004)
        cushion(0, -0.03, 0.44, 0.44, 0.44, 0.08, cloth, soft=0.4)
        with tilted(0, 0.23, 0.5, about="X", by=-5):
            cushion(0, 0, 0, 0.46, 0.06, 0.42, cloth, soft=0.4)
    return made


def bedside_cabinet(colour: str = "birch") -> Thing:
    """A bedside cabinet on castors with a drawer and a door; its top is at z = 0.82."""
    with thing("bedside cabinet", "light blue", WOOD_WORDS[colour]) as made:
        w = m.wood(colour)
        box(0, -0.23, 0.09, 0.46, 0.44, 0.7, w, bevel=0.012)
        box(0, -0.23, 0.79, 0.5, 0.48, 0.03, m.paint("white", 0.35), bevel=0.01)
        for z, tall in ((0.62, 0.15), (0.12, 0.47)):
            box(0, -0.455, z, 0.42, 0.015, tall, m.paint("light blue", 0.4), bevel=0.005)
            tube([(-0.06, -0.48, z + tall - 0.05), (0.06, -0.48, z + tall - 0.05)], 0.007, m.metal("steel"))
        for dx in (-0.18, 0.18):
            for y in (-0.07, -0.39):
                cylinder(dx, y, 0.045, 0.045, 0.03, m.paint("dark grey", 0.5), axis="y")
    return made


def treatment_trolley(colour: str = "red") -> Thing:
    """A trolley of drawers with bottles and dressings on top, its middle on the origin; its top is at z = 0.95."""
    with thing("medical trolley", colour) as made:
        body = m.paint("white", 0.35)
        box(0, 0, 0.14, 0.6, 0.46, 0.78, body, bevel=0.012)
        box(0, 0, 0.92, 0.66, 0.52, 0.03, m.metal("steel"), bevel=0.01)
        z = 0.17
        for tall in (0.24, 0.19, 0.14, 0.14):
            box(0, -0.235, z, 0.55, 0.02, tall - 0.015, m.paint(colour, 0.35), bevel=0.005)
            box(0, -0.252, z + tall - 0.05, 0.3, 0.02, 0.016, m.metal("steel"), bevel=0.004)
            z += tall
        for dx in (-0.25, 0.25):
            for y in (-0.18, 0.18):
                cylinder(dx, y, 0.055, 0.055, 0.03, m.paint("dark grey", 0.5), axis="y")
                tube([(dx, y, 0.06), (dx, y, 0.15)], 0.012, m.metal("steel"))
        tube([(0.33, -0.2, 0.85), (0.39, -0.2, 0.88), (0.39, 0.2, 0.88), (0.33, 0.2, 0.85)], 0.012, m.metal("steel"))
        for x, tall, hue in ((-0.22, 0.14, "brown"), (-0.13, 0.11, "white"), (-0.04, 0.16, "light blue")):
            cylinder(x, 0.08, 0.95, 0.032, tall, m.paint(hue, 0.2), bevel=0.008)
            cylinder(x, 0.08, 0.95 + tall, 0.016, 0.035, m.paint("white", 0.4))
        box(0.14, 0.06, 0.95, 0.2, 0.14, 0.08, m.paint("green", 0.5), bevel=0.006)
        box(0.1, -0.13, 0.95, 0.26, 0.16, 0.025, m.metal("steel"), bevel=0.008)
    return made


def ventilator() -> Thing:
    """A ventilator on its trolley with a screen and two breathing tubes, its middle on the origin."""
    with thing("ventilator", "white") as made:
        body = m.paint("white", 0.35)
        for dx in (-0.2, 0.2):
            for y in (-0.2, 0.2):
                cylinder(dx, y, 0.05, 0.05, 0.03, m.paint("dark grey", 0.5), axis="y")
        box(0, 0, 0.09, 0.5, 0.5, 0.06, body, bevel=0.015)
        box(0, 0.05, 0.14, 0.14, 0.16, 0.55, body, bevel=0.02)
        box(0, 0, 0.68, 0.42, 0.38, 0.26, body, bevel=0.025)
        for i, hue in enumerate(("blue", "white", "green")):
            cylinder(-0.12 + 0.12 * i, -0.2, 0.78, 0.025, 0.04, m.paint(hue, 0.35), axis="y", bevel=0.005)
        with tilted(0, -0.05, 0.98, about="X", by=-8):
            box(0, 0, 0, 0.44, 0.05, 0.32, m.paint("light grey", 0.35), bevel=0.015)
            box(0, -0.027, 0.03, 0.39, 0.004, 0.26, m.paint((0.005, 0.01, 0.02), 0.1), bevel=0)
            for row, hue in enumerate(((1.0, 0.85, 0.2), (0.2, 0.9, 1.0), (0.4, 1.0, 0.4))):
                points = [
                    (-0.17 + 0.008 * i, -0.031, 0.22 - 0.075 * row + 0.022 * math.sin(i * 0.55) ** 3) for i in range(30)
                ]
                tube(points, 0.0035, m.glow(hue, 3.0))
        for y in (-0.22, -0.17):
            points = [(-0.1 + (y + 0.2), -0.22, 0.72)]
            points += [(-0.1 - 0.1 * i, y - 0.03 * i, 0.72 + 0.3 * math.sin(i * 0.55)) for i in range(1, 6)]
            tube(points, 0.02, m.paint("light blue", 0.3))
    return made


def operating_lamp(height: float, drop: float = 0.85) -> Thing:
    """A large round lamp with several bulbs on a jointed arm from the ceiling above the origin."""
    with thing("examination lamp", "white", "lit") as made:
        steel, z = m.paint("white", 0.3), height - drop
        cylinder(0, 0, height - 0.06, 0.12, 0.06, steel)
        tube([(0, 0, height), (0, 0, height - 0.35), (0.45, 0, height - 0.3), (0.5, 0, z + 0.1)], 0.024, steel)
        with tilted(0.5, 0, z, about="Y", by=12):
            lathe(0, 0, 0, [(0, 0.0), (0.3, 0), (0.33, 0.03), (0.28, 0.09), (0.1, 0.14), (0, 0.15)], steel)
            for i in range(7):
                a, reach = math.radians(60 * i), 0 if i == 6 else 0.19
                cylinder(reach * math.cos(a), reach * math.sin(a), -0.006, 0.062, 0.008, m.glow((1.0, 0.98, 0.92), 9.0))
        panel_light(0.45, 0, z - 0.05, 35, size=0.4, toward=(0.2, -0.1, 0))
    return made


def wash_basin() -> Thing:
    """A small wash basin on the wall at y = 0 with a mirror, a tap, soap and a towel box."""
    with thing("washbasin", "white") as made:
        white = m.paint("white", 0.1)
        lathe(
            0,
            -0.26,
            0.74,
            [(0.03, 0), (0.14, 0.03), (0.22, 0.12), (0.24, 0.14), (0.21, 0.14), (0.13, 0.07), (0, 0.05)],
            white,
        )
        box(0, -0.06, 0.8, 0.44, 0.12, 0.09, white, bevel=0.03)
        cylinder(0, -0.2, 0.3, 0.03, 0.45, m.metal("chrome"))
        tube([(0, -0.2, 0.31), (0, 0, 0.31)], 0.025, m.metal("chrome"))
        tube([(0, -0.07, 0.88), (0, -0.07, 1.06), (0, -0.2, 1.06), (0, -0.2, 1.02)], 0.014, m.metal("chrome"))
        with thing("mirror"):
            box(0, -0.01, 1.25, 0.5, 0.02, 0.65, m.mirror(), bevel=0.004)
        box(0.42, -0.05, 1.2, 0.12, 0.1, 0.24, m.paint("white", 0.3), bevel=0.02)
        box(-0.45, -0.07, 1.2, 0.28, 0.12, 0.32, m.metal("steel"), bevel=0.015)
        box(-0.45, -0.09, 1.12, 0.2, 0.02, 0.1, m.paint("white", 0.8), bevel=0.002)
    return made


def cross_sign(colour: str = "red", size: float = 0.34) -> Thing:
    """A cross on a white plate on the wall at y = 0, its middle on the origin."""
    with thing("sign", "white", f"with a {colour} cross") as made:
        box(0, -0.01, -size / 2, size, 0.02, size, m.paint("white", 0.4), bevel=0.008)
        box(0, -0.024, -size * 0.36, size * 0.22, 0.01, size * 0.72, m.paint(colour, 0.4), bevel=0)
        box(0, -0.0245, -size * 0.11, size * 0.72, 0.01, size * 0.22, m.paint(colour, 0.4), bevel=0)
    return made


def oxygen_bottle() -> Thing:
    """A gas bottle with its valve on a little cart, its middle on the origin."""
    with thing("oxygen bottle", "white", "green") as made:
        profile = [(0, 0), (0.1, 0.0), (0.11, 0.02), (0.11, 0.78), (0.09, 0.86), (0.035, 0.92), (0.03, 0.95), (0, 0.95)]
        lathe(0, 0, 0.06, profile, m.paint("green", 0.3))
        lathe(0, 0, 0.78, [(0.113, 0), (0.113, 0.06), (0.092, 0.142), (0.038, 0.202)], m.paint("white", 0.3))
        cylinder(0, 0, 1.0, 0.02, 0.08, m.metal("brass"))
        cylinder(0, -0.05, 1.05, 0.04, 0.03, m.paint("white", 0.3), axis="y")
        for dx in (-0.13, 0.13):
            cylinder(dx, 0.05, 0.075, 0.075, 0.03, m.paint("dark grey", 0.6), axis="x")
        tube([(-0.12, 0.13, 0.08), (-0.12, 0.16, 1.1), (0.12, 0.16, 1.1), (0.12, 0.13, 0.08)], 0.011, m.metal("steel"))
        sphere(0, 0, 1.09, 0.02, m.paint("black", 0.4))
    return made
