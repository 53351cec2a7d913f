"""Tools and what they hang on: workbenches, vises, pegboards, saws, tool chests, ladders, paint cans."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import Thing, at, box, bulb, cylinder, lathe, part, prism, ring, sphere, thing, tilted, tube

GRIPS = ("red", "yellow", "blue", "orange", "green", "black")


# Tools that hang: the nail at the origin, the tool below it, against y = 0


def _saw(grip: str) -> None:
    with thing("saw", grip):
        handle = [(-0.07, 0), (0.07, 0.01), (0.08, -0.05), (0.05, -0.13), (-0.05, -0.13), (-0.08, -0.06)]
        prism(handle, 0.025, m.paint(grip, 0.4), y=-0.03, plane="xz", bevel=0.008)
        teeth = [(-0.045 - 0.006 * (i % 2), -0.5 + i * 0.012) for i in range(31)]
        prism([(0.06, -0.12), (0.02, -0.5), *teeth], 0.004, m.metal("steel"), y=-0.02, plane="xz")


def _hammer(grip: str) -> None:
    with thing("hammer", "light brown", grip):
        box(0, -0.03, -0.34, 0.03, 0.024, 0.32, m.wood("pine", along="z"), bevel=0.01)
        box(0, -0.03, -0.34, 0.036, 0.03, 0.13, m.paint(grip, 0.6), bevel=0.012)
        cylinder(0.0, -0.03, -0.03, 0.02, 0.1, m.metal("iron", 0.35), axis="x", bevel=0.004)
        cylinder(0.055, -0.03, -0.03, 0.026, 0.03, m.metal("steel"), axis="x", bevel=0.004)
        prism([(-0.04, -0.01), (-0.13, -0.06), (-0.04, -0.05)], 0.026, m.metal("iron", 0.35), y=-0.043, plane="xz")


def _spanner(grip: str) -> None:
    with thing("wrench"):
        steel = m.metal("chrome")
        prism([(-0.012, -0.05), (0.012, -0.05), (0.015, -0.22), (-0.015, -0.22)], 0.01, steel, y=-0.02, plane="xz")
        ring(0, -0.015, -0.03, 0.022, 0.008, steel, axis="y")
        jaw = [
            (-0.035, -0.24),
            (-0.02, -0.21),
            (0.02, -0.21),
            (0.035, -0.24),
            (0.026, -0.28),
            (0.013, -0.28),
            (0.013, -0.25),
            (-0.013, -0.25),
            (-0.013, -0.28),
            (-0.026, -0.28),
        ]
        prism(jaw, 0.012, steel, y=-0.021, plane="xz")


def _screwdriver(grip: str) -> None:
    with thing("screwdriver", grip):
        lathe(
            0,
            -0.025,
            -0.13,
            [(0, 0), (0.012, 0), (0.018, 0.03), (0.018, 0.1), (0.012, 0.12), (0, 0.12)],
            m.paint(grip, 0.25),
            sides=12,
        )
        cylinder(0, -0.025, -0.28, 0.005, 0.16, m.metal("chrome"))


def _pliers(grip: str) -> None:
    with thing("pliers", grip):
        steel, rubber = m.metal("iron", 0.3), m.paint(grip, 0.4)
        for end in (-1, 1):
            tube([(end * 0.008, -0.022, -0.02), (end * -0.012, -0.022, -0.09)], 0.012, steel)
            tube(
                [(end * -0.012, -0.022, -0.09), (end * 0.035, -0.022, -0.14), (end * 0.025, -0.022, -0.24)],
                0.011,
                rubber,
            )


def _square(grip: str) -> None:
    with thing("try square"):
        box(0, -0.02, -0.3, 0.04, 0.02, 0.3, m.wood("walnut", along="z"))
        box(0.13, -0.02, -0.04, 0.24, 0.006, 0.04, m.metal("steel"))


def _clamp(grip: str) -> None:
    with thing("clamp", grip):
        steel = m.metal("iron", 0.35)
        box(0, -0.03, -0.5, 0.025, 0.012, 0.5, steel)
        for z in (-0.04, -0.34):
            box(0.06, -0.03, z, 0.13, 0.025, 0.03, m.paint(grip, 0.4))
        cylinder(0.11, -0.03, -0.42, 0.008, 0.14, steel)
        cylinder(0.11, -0.03, -0.5, 0.018, 0.1, m.wood("oak", along="z"), bevel=0.006)


def _drill(grip: str) -> None:
    with thing("drill", grip):
        body = m.paint(grip, 0.35)
        cylinder(0, -0.05, -0.06, 0.04, 0.19, body, axis="x", bevel=0.012)
        cylinder(-0.13, -0.05, -0.06, 0.024, 0.07, m.paint("black", 0.4), axis="x", bevel=0.006)
        cylinder(-0.2, -0.05, -0.06, 0.006, 0.1, m.metal("steel"), axis="x")
        box(0.05, -0.05, -0.22, 0.05, 0.045, 0.16, m.paint("black", 0.5), bevel=0.015)
        box(0.04, -0.05, -0.26, 0.12, 0.07, 0.06, body, bevel=0.012)


def _hacksaw(grip: str) -> None:
    with thing("hacksaw", grip):
        tube(
            [(-0.2, -0.02, -0.13), (-0.2, -0.02, -0.02), (0.14, -0.02, -0.02), (0.16, -0.02, -0.13)],
            0.008,
            m.metal("steel"),
        )
        box(-0.02, -0.02, -0.145, 0.36, 0.003, 0.02, m.metal("iron"), bevel=0)
        tube(
            [(0.16, -0.02, -0.02), (0.25, -0.02, -0.05), (0.22, -0.02, -0.14), (0.16, -0.02, -0.13)],
            0.015,
            m.paint(grip, 0.4),
        )


HANGING: dict[str, tuple[Callable[[str], None], float, float]] = {
    "saw": (_saw, 0.22, 0.52), "hammer": (_hammer, 0.2, 0.36), "spanner": (_spanner, 0.09, 0.3),
    "screwdriver": (_screwdriver, 0.08, 0.3), "pliers": (_pliers, 0.12, 0.26), "square": (_square, 0.3, 0.32),
    "clamp": (_clamp, 0.18, 0.52), "drill": (_drill, 0.36, 0.3), "hacksaw": (_hacksaw, 0.5, 0.2),
}  # fmt: skip
"""Tools by kind: what draws them, and the width and height they take on the wall."""


def tool(kind: str, grip: str = "red") -> None:
    """A tool hanging from the origin; kinds in HANGING."""
    HANGING[kind][0](grip)


def pegboard(
    width: float, height: float, rows: Sequence[Sequence[str]], rng: Random, colour: str | None = "beige"
) -> None:
    """A board of tools on the wall, lower edge at the origin; `rows` name them from top left; colour None: no board."""
    if colour:
        with thing("pegboard", colour):
            box(0, -0.012, 0, width, 0.024, height, m.paint(colour, 0.7))
            for i in range(round(width / 0.1)):
                for j in range(round(height / 0.1)):
                    cylinder(
                        -width / 2 + 0.05 + i * 0.1,
                        -0.023,
                        0.05 + j * 0.1,
                        0.007,
                        0.004,
                        m.paint("black"),
                        axis="y",
                        sides=8,
                    )
    drop = height - 0.06
    tall = sum(max(HANGING[kind][2] for kind in row) + 0.05 for row in rows)
    wide = max(sum(HANGING[kind][1] for kind in row) for row in rows)
    scale = min(1.4, (height - 0.06) / tall, (width - 0.1) / wide)  # tools fill their board
    for row in rows:
        spare = (width - 0.1 - scale * sum(HANGING[kind][1] for kind in row)) / max(1, len(row))
        x = -width / 2 + 0.05
        for kind in row:
            wide = scale * HANGING[kind][1] + spare
            with at(x + wide / 2, -0.024, drop, scale=scale):
                tool(kind, rng.choice(GRIPS))
                cylinder(0, -0.03, -0.01, 0.005, 0.06, m.metal("iron"), axis="y")
            x += wide
        drop -= scale * (max(HANGING[kind][2] for kind in row) + 0.05)


# Benches


def workbench(
    width: float = 1.9,
    depth: float = 0.7,
    height: float = 0.9,
    kind: str = "pine",
    *,
    legs: str | None = None,
    drawers: int = 0,
) -> Thing:
    """A workbench, its back at y = 0; `legs` colours steel legs; `drawers` stand under its right end."""
    with thing("workbench", WOOD_WORDS[kind], "wooden") as made:
        top = m.wood(kind)
        frame = m.paint(legs, 0.35) if legs else m.wood(kind, along="z")
        box(0, -depth / 2, height - 0.08, width, depth, 0.08, top, bevel=0.012)
        for dx in (-1, 1):
            for y in (-0.07, -depth + 0.07):
                part("leg", box(dx * (width / 2 - 0.08), y, 0, 0.09, 0.09, height - 0.08, frame, bevel=0.01))
            box(dx * (width / 2 - 0.08), -depth / 2, 0.6, 0.06, depth - 0.2, 0.1, frame)
        box(0, -0.07, 0.6, width - 0.2, 0.05, 0.12, frame)
        box(0, -depth / 2, 0.2, width - 0.1, depth - 0.1, 0.03, top)
        if drawers:
            face = m.paint(legs, 0.35) if legs else m.wood(kind)
            box(width / 2 - 0.35, -depth / 2, 0.24, 0.5, depth - 0.06, height - 0.32, face)
            tall = (height - 0.36) / drawers
            for i in range(drawers):
                x, z = width / 2 - 0.35, 0.26 + i * tall
                part("drawer", box(x, -depth + 0.025, z, 0.46, 0.02, tall - 0.02, face, bevel=0.006))
                tube(
                    [
                        (width / 2 - 0.43, -depth - 0.01, 0.26 + (i + 0.5) * tall),
                        (width / 2 - 0.27, -depth - 0.01, 0.26 + (i + 0.5) * tall),
                    ],
                    0.009,
                    m.metal("steel"),
                )
    return made


def vise(colour: str = "blue", scale: float = 1.0) -> Thing:
    """A bench vise whose jaws point at -y, standing on whatever the frame is on."""
    with thing("vise", colour, "metal") as made, at(scale=scale):
        body, steel = m.paint(colour, 0.3), m.metal("steel")
        cylinder(0, 0.02, 0, 0.1, 0.03, body, bevel=0.006)
        box(0, 0.03, 0.03, 0.12, 0.15, 0.08, body, bevel=0.015)
        box(0, 0.03, 0.1, 0.19, 0.08, 0.1, body, bevel=0.015)
        box(0, -0.12, 0.06, 0.1, 0.12, 0.06, body, bevel=0.012)
        box(0, -0.11, 0.08, 0.19, 0.07, 0.12, body, bevel=0.015)
        for y in (-0.016, -0.074):
            box(0, y, 0.155, 0.2, 0.014, 0.045, steel, bevel=0.003)
        cylinder(0, -0.15, 0.09, 0.022, 0.28, steel, axis="y")
        cylinder(0, -0.3, 0.09, 0.03, 0.05, steel, axis="y", bevel=0.006)
        tube([(-0.12, -0.3, 0.13), (0.1, -0.3, 0.05)], 0.01, steel)
        for dx, z in ((-0.12, 0.13), (0.1, 0.05)):
            sphere(dx, -0.3, z, 0.018, steel)
    return made


def tool_chest(colour: str = "red", *, width: float = 0.7, height: float = 0.95, drawers: int = 6) -> Thing:
    """A metal chest of shallow drawers on castors, its back at y = 0."""
    with thing("tool chest", colour, "metal") as made:
        paint, steel = m.paint(colour, 0.22), m.metal("chrome")
        for dx in (-1, 1):
            for y in (-0.08, -0.38):
                cylinder(dx * (width / 2 - 0.07), y, 0.05, 0.05, 0.03, m.paint("black", 0.6), axis="x")
        box(0, -0.23, 0.1, width, 0.46, height - 0.1, paint, bevel=0.012)
        box(0, -0.23, height, width + 0.02, 0.48, 0.02, m.paint("black", 0.6))
        z = 0.13
        unit = (height - 0.16) / (drawers + 1)
        for i in range(drawers):
            tall = unit * (2 if i == 0 else 1)
            part("drawer", box(0, -0.465, z, width - 0.05, 0.02, tall - 0.02, paint, bevel=0.006))
            box(0, -0.48, z + tall - 0.05, width - 0.09, 0.02, 0.018, steel, bevel=0.004)
            z += tall
    return made


def tool_box(colour: str = "red") -> Thing:
    """A portable tool box with a handle, its middle on the origin."""
    with thing("tool box", colour) as made:
        paint = m.paint(colour, 0.3)
        box(0, 0, 0, 0.46, 0.22, 0.15, paint, bevel=0.012)
        lid = [(-0.115, 0.15), (0.115, 0.15), (0.075, 0.22), (-0.075, 0.22)]
        prism(lid, 0.47, m.paint("black", 0.4), x=-0.235, plane="yz", bevel=0.008)
        tube([(-0.1, 0, 0.21), (-0.1, 0, 0.28), (0.1, 0, 0.28), (0.1, 0, 0.21)], 0.012, paint)
        for dx in (-0.14, 0.14):
            box(dx, -0.115, 0.11, 0.05, 0.014, 0.06, m.metal("chrome"), bevel=0.003)
    return made


def table_saw(colour: str = "blue") -> Thing:
    """A circular saw in its table, its middle on the origin, the blade running away from the viewer."""
    with thing("table saw", colour) as made:
        steel = m.metal("steel", 0.3)
        outline = [(-0.36, 0), (0.36, 0), (0.3, 0.78), (-0.3, 0.78)]
        part("base", prism(outline, 0.56, m.paint(colour, 0.35), y=-0.28, plane="xz", bevel=0.012))
        box(0, 0, 0.78, 1.15, 0.75, 0.05, steel, bevel=0.01)
        teeth = [
            (
                (0.15 if i % 2 else 0.165) * math.cos(math.pi * i / 36),
                0.83 + (0.15 if i % 2 else 0.165) * math.sin(math.pi * i / 36),
            )
            for i in range(37)
        ]
        prism(teeth, 0.006, m.metal("chrome"), x=-0.08, plane="yz")
        box(-0.08, 0.0, 0.831, 0.03, 0.4, 0.002, m.paint("black"), bevel=0)
        box(0.3, 0, 0.83, 0.05, 0.8, 0.06, m.metal("light grey", 0.3))
        box(0.3, -0.41, 0.76, 0.08, 0.04, 0.11, m.paint("black", 0.4))
        prism(
            [(0.06, 0.97), (0.19, 0.85), (0.19, 1.0), (0.0, 1.02)],
            0.03,
            m.paint("yellow", 0.3),
            x=-0.095,
            plane="yz",
            bevel=0.005,
        )
        box(-0.2, -0.29, 0.55, 0.14, 0.03, 0.16, m.paint("black", 0.5))
        cylinder(-0.23, -0.31, 0.63, 0.025, 0.03, m.paint("green", 0.3), axis="y")
        cylinder(-0.16, -0.31, 0.63, 0.03, 0.04, m.paint("red", 0.3), axis="y")
        ring(0.12, -0.34, 0.45, 0.1, 0.012, steel, axis="y")
        cylinder(0.12, -0.32, 0.45, 0.02, 0.08, steel, axis="y")
    return made


def band_saw(colour: str = "green") -> Thing:
    """A tall band saw facing -y, its middle on the origin."""
    with thing("band saw", colour) as made:
        paint, steel = m.paint(colour, 0.3), m.metal("steel")
        box(0, 0, 0, 0.6, 0.45, 0.4, paint, bevel=0.015)
        box(0.25, 0, 0.4, 0.12, 0.2, 1.3, paint, bevel=0.012)
        for z in (0.6, 1.55):
            cylinder(0.0, 0, z, 0.29, 0.18, paint, axis="y", bevel=0.03)
            cylinder(0.0, -0.1, z, 0.03, 0.03, steel, axis="y")
        box(-0.16, -0.02, 0.95, 0.55, 0.5, 0.035, steel)
        box(-0.26, -0.02, 0.7, 0.012, 0.025, 0.9, m.metal("chrome"), bevel=0)
        box(-0.26, 0.0, 1.2, 0.06, 0.08, 0.2, m.paint("black", 0.4))
        cylinder(0.22, -0.23, 0.25, 0.03, 0.03, m.paint("red", 0.3), axis="y")
    return made


def drill_press(colour: str = "green") -> Thing:
    """A drill press for a bench, facing -y, its middle on the origin."""
    with thing("drill press", colour) as made:
        paint, steel = m.paint(colour, 0.3), m.metal("steel")
        box(0, 0, 0, 0.26, 0.4, 0.04, steel)
        cylinder(0, 0.1, 0.04, 0.035, 0.75, steel)
        box(0, -0.05, 0.32, 0.24, 0.24, 0.025, steel)
        box(0, 0.08, 0.31, 0.1, 0.1, 0.06, paint)
        box(0, -0.02, 0.62, 0.2, 0.42, 0.18, paint, bevel=0.03)
        box(0, 0.02, 0.8, 0.22, 0.46, 0.09, m.paint("black", 0.4), bevel=0.03)
        cylinder(0, -0.12, 0.53, 0.035, 0.1, steel)
        cylinder(0, -0.12, 0.48, 0.02, 0.05, m.paint("black", 0.4))
        cylinder(0, -0.12, 0.37, 0.006, 0.12, steel)
        for i in range(3):
            a = math.radians(120 * i + 40)
            tip = (0.16, -0.1 + 0.18 * math.cos(a), 0.68 + 0.18 * math.sin(a))
            tube([(0.12, -0.1, 0.68), tip], 0.008, steel)
            sphere(*tip, 0.02, m.paint("black", 0.4))
    return made


# Props


def planks(count: int, rng: Random, *, length: float = 2.2) -> Thing:
    """Boards leaning against the wall at y = 0."""
    with thing("stack of planks", "brown", "wooden") as made:
        for i in range(count):
            with (
                tilted(-0.16 * count / 2 + 0.16 * i, -0.45 - 0.02 * (i % 3), 0, by=-11),
                tilted(by=rng.uniform(-1.5, 1.5), about="Y"),
            ):
                kind = rng.choice(["pine", "oak", "birch", "cherry"])
                box(0, 0, 0, rng.uniform(0.09, 0.15), 0.03, length * rng.uniform(0.8, 1.0), m.wood(kind, along="z"))
    return made


def timber(rows: int, rng: Random, *, length: float = 1.6, across: int = 4) -> Thing:
    """A stack of boards lying along x, its middle on the origin."""
    with thing("stack of planks", "light brown", "wooden") as made:
        for j in range(rows):
            for i in range(across):
                kind = rng.choice(["pine", "oak", "birch"])
                box(
                    rng.uniform(-0.06, 0.06),
                    (i - (across - 1) / 2) * 0.15,
                    j * 0.05,
                    length,
                    0.14,
                    0.042,
                    m.wood(kind),
                    bevel=0.004,
                )
    return made


def wood_block(rng: Random) -> Thing:
    """A piece of wood being worked on, its middle on the origin."""
    with thing("plank", "light brown", "wooden") as made:
        box(0, 0, 0, rng.uniform(0.6, 0.9), 0.14, 0.035, m.wood("birch"), turn=rng.uniform(-12, 12))
    return made


def shavings(rng: Random, count: int = 30, *, reach: float = 0.5) -> None:
    """Curls of wood on the floor or a bench around the origin; scenery."""
    for _ in range(count):
        x, y = rng.gauss(0, reach / 2), rng.gauss(0, reach / 2)
        ring(x, y, 0.012, rng.uniform(0.012, 0.03), 0.004, m.paint((0.7, 0.5, 0.28), 0.8), axis=rng.choice("xyz"))


def paint_can(colour: str = "white") -> Thing:
    """A tin of paint with a stripe of its colour."""
    with thing("paint can", colour) as made:
        steel = m.metal("steel", 0.35)
        cylinder(0, 0, 0, 0.085, 0.19, steel, bevel=0.004)
        cylinder(0, 0, 0.04, 0.0865, 0.11, m.paint(colour, 0.4))
        ring(0, 0, 0.19, 0.08, 0.006, steel)
        tube(
            [(-0.087, 0, 0.16), (-0.07, -0.05, 0.1), (0, -0.09, 0.07), (0.07, -0.05, 0.1), (0.087, 0, 0.16)],
            0.004,
            steel,
        )
    return made


def jerry_can(colour: str = "red") -> Thing:
    """A petrol can."""
    with thing("petrol can", colour) as made:
        paint = m.paint(colour, 0.3)
        box(0, 0, 0, 0.34, 0.17, 0.4, paint, bevel=0.04)
        for turn in (-1, 1):
            with tilted(0, -0.088, 0.2, about="Y", by=turn * 42):
                box(0, 0, -0.14, 0.03, 0.014, 0.28, paint)
        for dy in (-0.05, 0, 0.05):
            tube([(-0.06, dy, 0.39), (-0.06, dy, 0.45), (0.08, dy, 0.45), (0.08, dy, 0.39)], 0.011, paint)
        cylinder(-0.12, 0, 0.39, 0.03, 0.05, m.paint("black", 0.4))
    return made


def stepladder(height: float = 1.7, colour: str = "steel") -> Thing:
    """A folding ladder, its steps towards -y, its middle on the origin; `colour` also names metal or a kind of wood."""
    words = (
        ("metal", "grey")
        if colour == "steel"
        else (colour,)
        if colour not in WOOD_WORDS
        else (WOOD_WORDS[colour], "wooden")
    )
    material = (
        m.metal("steel", 0.35)
        if colour == "steel"
        else m.wood(colour, along="z")
        if colour in WOOD_WORDS
        else m.paint(colour, 0.35)
    )
    steps = max(3, round(height / 0.28))
    with thing("stepladder", *words) as made:
        reach = 0.3 * height / 1.7
        for dx in (-1, 1):
            wide = 0.27
            for y in (-1, 1):
                tilt = math.degrees(math.atan2(reach, height))
                with tilted(dx * wide, y * reach, 0, by=y * tilt), tilted(about="Y", by=-dx * 3):
                    box(0, 0, 0, 0.03, 0.07 if y < 0 else 0.04, height * 1.01, material, bevel=0.006)
            tube(
                [(dx * 0.25, -reach * 0.55, height * 0.45), (dx * 0.25, reach * 0.55, height * 0.45)],
                0.008,
                m.paint("black"),
            )
        for i in range(1, steps + 1):
            up = i / (steps + 0.3)
            wide = 0.54 - 0.09 * up
            box(0, -reach * (1 - up) - 0.01, height * up - 0.02, wide, 0.12 if i < steps else 0.2, 0.03, material)
            if i % 2:
                box(0, reach * (1 - up), height * up - 0.02, wide, 0.02, 0.03, material)
    return made


def long_ladder(length: float = 2.4, colour: str = "steel") -> Thing:
    """A ladder leaning against the wall at y = 0."""
    material = m.metal("steel", 0.35) if colour == "steel" else m.wood(colour, along="z")
    with (
        thing("ladder", *(("metal",) if colour == "steel" else (WOOD_WORDS[colour], "wooden"))) as made,
        tilted(0, -0.5, 0, by=-11),
    ):
        for dx in (-0.2, 0.2):
            box(dx, 0, 0, 0.035, 0.07, length, material)
        for i in range(int(length / 0.28)):
            cylinder(0, 0, 0.2 + 0.28 * i, 0.016, 0.4, material, axis="x")
    return made


def broom(colour: str = "red") -> Thing:
    """A broom leaning against the wall at y = 0."""
    with thing("broom", "light brown", colour) as made, tilted(0, -0.28, 0, by=-10):
        cylinder(0, 0, 0.14, 0.013, 1.3, m.wood("pine", along="z"))
        box(0, 0, 0.1, 0.4, 0.06, 0.05, m.paint(colour, 0.5), bevel=0.01)
        for i in range(20):
            box(-0.19 + 0.02 * i, 0, 0, 0.016, 0.06, 0.1, m.paint((0.5, 0.35, 0.15), 0.9), bevel=0)
    return made


def fluorescent(length: float = 1.3, strength: float = 9.0) -> Thing:
    """A tube lamp under the ceiling at z = 0, along x (add light with `panel_light`)."""
    with thing("tube lamp", "white", "lit") as made:
        box(0, 0, -0.05, length, 0.14, 0.05, m.paint("white", 0.4))
        cylinder(0, 0, -0.075, 0.022, length - 0.08, m.glow((0.95, 0.98, 1.0), strength), axis="x")
    return made


def radio(colour: str = "yellow") -> Thing:
    """A portable radio, facing -y."""
    with thing("radio", colour) as made:
        box(0, 0, 0, 0.36, 0.12, 0.22, m.paint(colour, 0.4), bevel=0.03)
        for dx in (-0.1, 0.1):
            cylinder(dx, -0.06, 0.1, 0.07, 0.02, m.paint("black", 0.6), axis="y", bevel=0.004)
        tube([(-0.14, 0, 0.2), (-0.14, 0, 0.28), (0.14, 0, 0.28), (0.14, 0, 0.2)], 0.012, m.paint("black", 0.4))
        tube([(0.15, 0.04, 0.2), (0.28, 0.04, 0.5)], 0.004, m.metal("chrome"))
    return made


def sawhorse(kind: str = "pine", width: float = 0.9, height: float = 0.75) -> Thing:
    """A trestle along x, its middle on the origin."""
    with thing("sawhorse", WOOD_WORDS[kind], "wooden") as made:
        w = m.wood(kind)
        box(0, 0, height - 0.09, width, 0.09, 0.09, w)
        for dx in (-1, 1):
            for dy in (-1, 1):
                with tilted(dx * (width / 2 - 0.12), dy * 0.22, 0, by=dy * 16):
                    box(0, 0, 0, 0.07, 0.035, height * 1.0, m.wood(kind, along="z"))
            box(dx * (width / 2 - 0.12), 0, 0.28, 0.03, 0.3, 0.06, w)
    return made


def plane_tool() -> Thing:
    """A carpenter's plane along x, its middle on the origin."""
    with thing("plane", "brown", "wooden") as made:
        box(0, 0, 0, 0.3, 0.07, 0.06, m.wood("cherry"), bevel=0.01)
        prism(
            [(-0.13, 0.06), (-0.05, 0.06), (-0.08, 0.14), (-0.12, 0.13)],
            0.025,
            m.wood("walnut"),
            y=-0.0125,
            plane="xz",
            bevel=0.008,
        )
        sphere(0.1, 0, 0.08, 0.03, m.wood("walnut"))
        with tilted(0.02, 0, 0.04, about="Y", by=-35):
            box(0, 0, 0, 0.006, 0.05, 0.1, m.metal("steel"), bevel=0)
    return made


def lathe_machine(colour: str = "green") -> Thing:
    """A turning lathe on its stand along x, facing -y, its middle on the origin."""
    with thing("lathe", colour, "metal") as made:
        paint, steel = m.paint(colour, 0.3), m.metal("steel", 0.3)
        for dx in (-0.65, 0.65):
            box(dx, 0, 0, 0.4, 0.42, 0.72, paint, bevel=0.015)
        box(0, 0, 0.72, 1.9, 0.5, 0.04, m.paint("dark grey", 0.5))
        box(0.1, 0, 0.82, 1.6, 0.2, 0.08, steel)
        box(0.1, 0, 0.76, 1.5, 0.14, 0.06, paint)
        box(-0.68, 0, 0.76, 0.5, 0.4, 0.5, paint, bevel=0.03)
        cylinder(-0.4, 0, 1.08, 0.12, 0.1, steel, axis="x", bevel=0.01)
        cylinder(-0.12, 0, 1.08, 0.03, 0.55, m.metal("brass"), axis="x")
        box(0.62, 0, 0.9, 0.28, 0.2, 0.26, paint, bevel=0.03)
        cylinder(0.42, 0, 1.08, 0.03, 0.2, steel, axis="x")
        cylinder(0.8, 0, 1.08, 0.09, 0.025, steel, axis="x", bevel=0.006)
        box(0.0, -0.1, 0.88, 0.28, 0.34, 0.1, paint, bevel=0.015)
        ring(0.0, -0.3, 0.9, 0.08, 0.01, steel, axis="y")
        for i, button in enumerate(("green", "red", "black")):
            cylinder(-0.8 + 0.1 * i, -0.205, 1.16, 0.025, 0.03, m.paint(button, 0.3), axis="y")
        for dx in (-0.8, -0.6):
            cylinder(dx, -0.215, 0.98, 0.05, 0.03, m.paint("black", 0.4), axis="y")
    return made


def work_lamp(colour: str = "red", power: float = 12.0) -> Thing:
    """A jointed lamp on a bench, shining down in front of itself, lit."""
    with thing("desk lamp", colour, "lit") as made:
        paint, steel = m.paint(colour, 0.3), m.metal("steel")
        cylinder(0, 0, 0, 0.1, 0.025, paint, bevel=0.008)
        tube([(0, 0, 0.02), (0, 0.12, 0.3), (0, -0.1, 0.56)], 0.009, steel)
        with tilted(0, -0.14, 0.54, by=-25):
            lathe(0, 0, -0.12, [(0.1, 0), (0.085, 0.06), (0.04, 0.13), (0.02, 0.17)], paint)
            sphere(0, 0, -0.07, 0.035, m.glow((1.0, 0.85, 0.6), 12.0))
            bulb(0, 0, -0.13, power)
    return made
