"""Stairs: straight flights, spirals, curved stairs, and banisters of several styles."""

from __future__ import annotations

import math
from typing import Any

from draw import materials as m
from draw.stage import Thing, at, box, bulb, cylinder, lathe, part, prism, sphere, thing, tube


def flight(
    steps: int,
    width: float,
    tread: Any,
    side: Any,
    words: tuple[str, ...],
    *,
    rise: float = 0.17,
    run: float = 0.28,
    style: str = "solid",
    carpet: str | None = None,
) -> Thing:
    """A straight flight that goes up along +y from the origin, its middle at x = 0.

    `style` is "solid" (down to the floor), "slab" (a sloping underside) or "open" (treads between two stringers).
    """
    with thing("stairs", *words, *([carpet, f"with a {carpet} carpet"] if carpet else [])) as made:
        length, height = steps * run, steps * rise
        if style == "open":
            for end in (-1, 1):
                outline = [
                    (-0.05, 0.0),
                    (0.2, 0.0),
                    (length + 0.05, height - 0.2),
                    (length + 0.05, height),
                    (length - 0.1, height),
                ]
                prism(outline, 0.045, side, x=end * (width / 2 - 0.02) - 0.0225, plane="yz", bevel=0.004)
        else:
            outline = [(0.0, 0.0)]
            for i in range(steps):
                outline += [(i * run, (i + 1) * rise - 0.03), ((i + 1) * run, (i + 1) * rise - 0.03)]
            outline += [(length, 0.0)] if style == "solid" else [(length, height - rise - 0.12), (run, -0.0)]
            prism(outline, width, side, x=-width / 2, plane="yz")
        for i in range(steps):
            y, z = (i + 0.5) * run, (i + 1) * rise
            wide = width - 0.1 if style == "open" else width + 0.03
            box(0, y - 0.012, z - 0.035, wide, run + 0.025, 0.035, tread, bevel=0.008)
            if carpet:
                cloth = m.carpet(carpet)
                box(0, y - 0.014, z, width * 0.62, run + 0.03, 0.012, cloth, bevel=0.005)
                box(0, i * run - 0.018, i * rise, width * 0.62, 0.014, rise, cloth, bevel=0)
                cylinder(
                    0, i * run - 0.026, i * rise + 0.025, 0.009, width * 0.66, m.metal("brass"), axis="x", sides=12
                )
    return made


def _baluster(x: float, y: float, z: float, height: float, style: str, material: Any) -> Any:
    """One upright of a banister."""
    if style == "turned":
        profile = [
            (0.022, 0),
            (0.022, 0.1),
            (0.03, 0.13),
            (0.014, 0.2),
            (0.034, 0.42),
            (0.016, 0.62),
            (0.022, 0.7),
            (0.018, 1),
        ]
        return lathe(x, y, z, [(r, h * height) for r, h in profile], material, sides=14)
    if style == "square":
        return box(x, y, z, 0.035, 0.035, height, material, bevel=0.004)
    return cylinder(x, y, z, 0.011, height, material, sides=12)


def newel(x: float, y: float, z: float, material: Any, *, height: float = 1.1, ball: bool = True) -> None:
    """The stout post at the end of a banister."""
    box(x, y, z, 0.1, 0.1, height, material, bevel=0.012)
    box(x, y, z + height, 0.13, 0.13, 0.03, material, bevel=0.008)
    if ball:
        sphere(x, y, z + height + 0.075, 0.06, material)


def banister(
    steps: int,
    x: float,
    style: str,
    rail: Any,
    posts: Any,
    words: tuple[str, ...],
    *,
    rise: float = 0.17,
    run: float = 0.28,
    height: float = 0.92,
    per_step: int = 2,
    newels: str = "both",
    ball: bool = True,
) -> Thing:
    """A banister along a flight of the same measures (level with `rise` 0).

    `style` is "turned", "square", "rods", "bars" or "glass"; `newels` says where stout posts stand: "both", "low",
    "high" or "none".
    """
    with thing("banister", *words) as made:
        length = steps * run

        def top(y: float) -> float:
            return y / run * rise + (rise / 2 if rise else 0) + height

        if style == "glass":
            low = [(y, top(y) - height + (0.12 if rise else 0.03)) for y in (0.02, length - 0.02)]
            outline = [*low, (length - 0.02, top(length - 0.02) - 0.02), (0.02, top(0.02) - 0.02)]
            prism(outline, 0.014, m.glass((0.82, 0.93, 0.9)), x=x - 0.007, plane="yz")
            for y in (0.15, length / 2, length - 0.15):
                box(x, y, top(y) - height + 0.02, 0.03, 0.05, 0.16, m.metal("steel"))
        elif style == "bars":
            for level in (0.2, 0.38, 0.56, 0.74):
                tube(
                    [(x, 0, top(0) - height * (1 - level)), (x, length, top(length) - height * (1 - level))],
                    0.009,
                    posts,
                )
            for i in range(0, steps + 1, 3):
                y = min((i + 0.5) * run, length - 0.04)
                foot = (min(i, steps - 1) + 1) * rise
                cylinder(x, y, foot, 0.017, top(y) - foot, posts, sides=16)
        else:
            for i in range(steps):
                for k in range(per_step):
                    y = (i + (k + 0.5) / per_step) * run
                    foot = (i + 1) * rise
                    part("rod", _baluster(x, y, foot, top(y) - foot, style, posts))
        part("handrail", tube([(x, -0.04, top(-0.04)), (x, length + 0.02, top(length + 0.02))], 0.032, rail))
        if newels in ("both", "low"):
            newel(x, -0.05, 0, rail, height=top(0) + 0.08, ball=ball)
        if newels in ("both", "high"):
            newel(x, length + 0.05, steps * rise, rail, height=top(length) - steps * rise + 0.08, ball=ball)
    return made


def turning_stairs(
    steps: int,
    inner: float,
    outer: float,
    step_turn: float,
    tread: Any,
    side: Any,
    words: tuple[str, ...],
    *,
    rise: float = 0.18,
    start: float = 0.0,
    solid: bool = False,
    rails: str = "outer",
    rail: Any = None,
    posts: Any = None,
    rail_words: tuple[str, ...] = (),
    style: str = "rods",
    carpet: str | None = None,
) -> None:
    """Stairs that turn counter-clockwise about the origin, from `start` on; with a column when `inner` is small."""
    top = steps * rise
    with thing("stairs", *words, *([carpet, f"with a {carpet} carpet"] if carpet else [])):
        for i in range(steps):
            with at(0, 0, 0, start + i * step_turn):
                z = (i + 1) * rise
                prism(_wedge(inner, outer, -1.2, step_turn + 0.6), 0.04, tread, z=z - 0.04, bevel=0.004)
                if solid:
                    prism(_wedge(inner, outer, 0, step_turn), z - 0.04, side, z=0)
                if carpet:
                    gap = (outer - inner) * 0.2
                    prism(_wedge(inner + gap, outer - gap, -1.4, step_turn + 0.6), 0.012, m.carpet(carpet), z=z)
                    a = math.radians(-1.4)
                    with at((inner + outer) / 2 * math.cos(a), (inner + outer) / 2 * math.sin(a), z - rise):
                        box(0, 0, 0, (outer - inner) * 0.6, 0.012, rise, m.carpet(carpet), bevel=0)
        if inner < 0.25:
            cylinder(0, 0, 0, max(inner, 0.06), top + 1.05, side)
            sphere(0, 0, top + 1.1, 0.09, side)
    for where, radius in (("inner", inner + 0.05), ("outer", outer - 0.05)):
        if where in rails:
            with thing("banister", *rail_words):
                line = []
                for i in range(steps):
                    for share in (0.25, 0.75) if radius > 0.9 else (0.5,):
                        a = math.radians(start + (i + share) * step_turn)
                        x, y, z = radius * math.cos(a), radius * math.sin(a), (i + 1) * rise
                        high = 0.92 + (share - 0.5) * rise
                        line.append((x, y, z + high))
                        part("rod", _baluster(x, y, z, high, style, posts))
                part("handrail", tube(line, 0.03, rail))
                if not inner < 0.25:
                    a = math.radians(start - 1)
                    newel(radius * math.cos(a), radius * math.sin(a), 0, rail)


def _wedge(inner: float, outer: float, first: float, last: float) -> list[tuple[float, float]]:
    """A sector of a ring between two angles."""
    angles = [math.radians(first + (last - first) * i / 4) for i in range(5)]
    far = [(outer * math.cos(a), outer * math.sin(a)) for a in angles]
    near = [(inner * math.cos(a), inner * math.sin(a)) for a in reversed(angles)]
    return far + near


def chandelier(height: float, *, arms: int = 8, radius: float = 0.5, drop: float = 0.9, power: float = 12.0) -> Thing:
    """A brass chandelier with candle bulbs, hanging from the ceiling over the origin."""
    with thing("chandelier", "golden", "lit") as made:
        brass = m.metal("gold")
        z = height - drop
        cylinder(0, 0, z, 0.012, drop, brass)
        lathe(0, 0, z - 0.3, [(0, 0), (0.05, 0.02), (0.09, 0.1), (0.03, 0.2), (0.05, 0.3), (0.015, 0.4)], brass)
        for i in range(arms):
            with at(0, 0, z, 360 * i / arms):
                tube(
                    [(0.04, 0, -0.18), (radius * 0.4, 0, -0.28), (radius * 0.8, 0, -0.24), (radius, 0, -0.1)],
                    0.012,
                    brass,
                )
                cylinder(radius, 0, -0.1, 0.045, 0.02, brass, top=0.06)
                cylinder(radius, 0, -0.08, 0.018, 0.1, m.paint("white"))
                sphere(radius, 0, 0.05, 0.025, m.glow((1.0, 0.8, 0.5), 12.0), scale=(1, 1, 1.7))
        bulb(0, 0, z - 0.4, power * 3, radius=0.3)
        bulb(0, 0, z + 0.2, power, radius=0.3)
    return made
