"""Saunas."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture import plants
from draw.furniture import sauna as s
from draw.furniture.basic import put
from draw.room import Room, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    WARM,
    at,
    box,
    bulb,
    camera,
    panel_light,
    polygons,
    ring,
    scenery,
    sky,
    sun,
    thing,
)

AMBER = (1.0, 0.74, 0.46)
"""The light of lamps between wooden walls."""


@room("sauna")
def sauna(rng: Random, take: int) -> None:
    """Tiers of wooden benches and a stove with stones."""
    takes: list[Callable[[Random], None]] = [_corner, _cabin, _modern, _barrel, _lake, _public]
    takes[take - 1](rng)


def _panelled(
    width: float, depth: float, height: float, kind: str, *, floor: object = None, board: float = 0.11
) -> Room:
    """A room panelled with boards."""
    return Room(
        width,
        depth,
        height,
        walls=m.planks(kind, board, 0.5, plane="xz"),
        floor_of=floor or m.planks(kind, 0.09, 0.5),
        ceiling=m.planks(kind, board, 0.5),
        skirting=False,
    )


def _corner(rng: Random) -> None:
    """A family sauna from its corner: benches over corner, the stove on the right, bucket and towels."""
    with _panelled(3.5, 3.0, 2.25, "pine", floor=m.tiles("grey", "dark grey", 0.3, 0.5)) as r:
        with r.back(1.18):
            long = s.tiers(2.34, 2, "birch")
        with r.left(1.15):
            s.tiers(1.4, 1, "birch", step=0.45)
        with r.back(1.2, 1.25):
            s.backrest(2.1, "birch")
        with r.floor(2.95, 2.15):
            s.stove(rng)
        with put(long, 2.0, 2.72, 0.9):
            s.bucket("pine")
        for x, colour in ((0.75, "white"), (1.4, "light blue")):
            with put(long, x, 2.4, 0.905):
                s.towel(colour)
        with put(long, 0.4, 2.72, 0.9):
            s.headrest("birch")
        with put(long, 1.8, 2.0, 0.45):
            s.ladle("pine")
        with r.right(2.3, 1.45):
            s.thermometer()
        with r.right(2.0, 1.3):
            s.hourglass()
        with r.left(2.7, 1.55):
            s.slat_lamp("birch", power=12)
        with r.back(2.95, 1.6):
            s.slat_lamp("birch", power=10)
        panel_light(1.6, 0.9, 2.2, 42, size=1.3, colour=AMBER)
        sky(0.15)
    camera((2.15, -0.75, 1.5), (1.6, 2.2, 0.85), lens=20, exposure=0.1)


def _cabin(rng: Random) -> None:
    """A log cabin's sauna: three tiers on the right, a wood-fired stove with its chimney left, snow outside."""
    with _panelled(3.6, 3.4, 2.4, "oak", floor=m.planks("walnut", 0.16, 0.6), board=0.2) as r:
        r.window("back", 1.75, 1.15, 0.8, 0.7, panes=(2, 2), frame="brown")
        with r.right(2.15):
            bench = s.tiers(2.4, 3, "oak", step=0.42, depth=0.52)
        with r.floor(0.75, 2.55, 25):
            s.stove(rng, width=0.6, height=0.82, colour="black", wood_fired=True, room_height=2.4, fence=None)
        with r.left(1.2):
            s.firewood(rng, 7, 6)
        with put(bench, 2.25, 1.45, 0.42):
            s.bucket("walnut")
        with put(bench, 2.8, 2.0, 0.84), at(0, 0, 0, 60):
            s.whisk(rng)
        with put(bench, 3.0, 2.75, 1.26), at(0, 0, 0, -90):
            s.towel("red")
        with put(bench, 3.4, 1.6, 1.26):
            s.felt_hat("light grey")
        with r.left(1.25, 1.8):
            s.hooks(("white", "red"))
        with r.back(2.75, 1.75):
            s.slat_lamp("oak", power=9)
        with r.floor(1.3, 1.55, 0):
            s.bucket("pine")
        outdoors(14, ground=m.paint((0.8, 0.84, 0.9), 0.9), hedge=False)
        for k in range(12):
            with scenery(), at(-5 + 1.1 * k, 10 + (k * 5) % 7, -0.4):
                plants.conifer(3.4 + (k * 3) % 4 * 0.6)
        panel_light(1.9, 0.7, 2.3, 48, size=1.4, colour=AMBER)
        sky(0.9, (0.75, 0.84, 0.95), (0.5, 0.66, 0.9))
    camera((1.35, -0.75, 1.5), (2.0, 2.4, 0.85), lens=20, exposure=0.2)


def _modern(rng: Random) -> None:
    """Dark wood, light strips under the tiers, a pillar of stones, white rolled towels."""
    with _panelled(4.2, 3.0, 2.4, "walnut", floor=m.tiles("dark grey", "black", 0.6, 0.3), board=0.09) as r:
        with r.back(1.65):
            bench = s.tiers(3.2, 3, "cherry", step=0.42, depth=0.56, glow=True)
        with r.back(1.65, 1.7), thing("light strip", "lit"):
            box(0, -0.03, 0, 3.0, 0.03, 0.02, m.glow((1.0, 0.55, 0.22), 8.0), bevel=0)
        with r.back(1.65, 1.68), scenery():
            box(0, -0.05, 0, 3.1, 0.02, 0.08, m.wood("walnut"))
        with r.floor(3.72, 2.3):
            s.stone_pillar(rng, height=1.15, radius=0.27)
        for k in range(3):
            with put(bench, 0.55, 2.62 - 0.17 * (k % 2), 1.26 + 0.13 * (k > 1)):
                s.towel("white", rolled=True)
        with put(bench, 2.1, 2.44, 1.265):
            s.towel("white")
        with put(bench, 1.1, 1.9, 0.845):
            s.towel("beige")
        with put(bench, 2.6, 1.55, 0.42):
            s.bucket("birch")
        with put(bench, 2.9, 2.7, 1.26):
            s.headrest("cherry")
        with r.right(1.5, 1.4):
            s.hourglass()
        with r.left(1.1, 1.6):
            s.slat_lamp("cherry", power=10)
        bulb(1.0, 2.4, 2.0, 10, colour=(1.0, 0.6, 0.3), radius=0.3)
        bulb(2.6, 2.4, 2.0, 10, colour=(1.0, 0.6, 0.3), radius=0.3)
        for z, y in ((0.25, 1.1), (0.66, 1.6)):
            panel_light(1.65, y, z, 5, size=1.0, colour=(1.0, 0.55, 0.25))
        panel_light(2.4, 0.3, 2.35, 46, size=1.6, colour=AMBER)
        panel_light(3.6, 1.4, 2.35, 14, size=0.5, colour=AMBER)
        sky(0.15)
    camera((2.5, -0.85, 1.5), (2.0, 2.2, 0.88), lens=20, exposure=0.45)


def _barrel(rng: Random) -> None:
    """A barrel sauna: round walls, benches along both sides, the stove under a round window."""
    radius, depth = 1.3, 3.0
    middle = 1.02
    pine = m.planks("pine", 0.1, 0.5)
    with scenery():
        staves = 40
        for i in range(staves):
            a, b = 2 * math.pi * i / staves, 2 * math.pi * (i + 1) / staves
            inner = [(radius * math.cos(t), radius * math.sin(t)) for t in (a, b)]
            outer = [((radius + 0.05) * math.cos(t), (radius + 0.05) * math.sin(t)) for t in (a, b)]
            points = [(x, y, z + middle) for x, z in (*inner, *reversed(outer)) for y in (-1.2, depth)]
            polygons(
                points,
                [(0, 2, 3, 1), (2, 4, 5, 3), (4, 6, 7, 5), (6, 0, 1, 7)],
                m.wood(("pine", "birch")[i % 3 == 0], 0.5, along="y"),
            )
        hole = 0.42
        outline, steps = [], 48
        for i in range(steps):
            a, b = 2 * math.pi * i / steps, 2 * math.pi * (i + 1) / steps
            outline.append(
                [(hole * math.cos(t), hole * math.sin(t)) for t in (a, b)]
                + [(radius * math.cos(t), radius * math.sin(t)) for t in (b, a)]
            )
        back = m.planks("pine", 0.1, 0.5, plane="xz")
        for quad in outline:
            # the round window lies a little above the barrel's middle
            points = [(x, depth, z + middle + (0.32 if k < 2 else 0.0)) for k, (x, z) in enumerate(quad)]
            polygons(points, [(0, 1, 2, 3)], back)
        for y in (0.2, 1.6, 2.9):
            ring(0, y, middle, radius - 0.004, 0.018, m.metal("iron", 0.5), axis="y")
        box(0, 1.0, 0.0, 1.9, 4.4, 0.06, pine, bevel=0)
    with thing("window", "round"):
        ring(0, depth - 0.02, middle + 0.32, 0.43, 0.035, m.wood("oak"), axis="y")
        box(0, depth, middle + 0.32, 0.025, 0.03, 0.42, m.wood("oak", along="z"))
        box(0, depth, middle + 0.3 - 0.41, 0.025, 0.03, 0.42, m.wood("oak", along="z"))
        box(0, depth, middle + 0.31, 0.84, 0.03, 0.025, m.wood("oak"))
    benches = []
    for side in (-1, 1):
        with at(side * 1.12, 1.15, 0.06, -90 * side):
            benches.append(s.tiers(2.5, 1, "birch", step=0.5, depth=0.6))
        with at(side * 1.24, 1.3, 0.95, -90 * side):
            s.backrest(1.9, "birch")
    with at(0, 2.45, 0.06):
        s.stove(rng, width=0.5, height=0.62, fence="birch")
    with put(benches[0], -0.8, 1.9, 0.56):
        s.bucket("birch")
    with put(benches[0], -0.58, 0.95, 0.565), at(0, 0, 0, 90):
        s.towel("light green")
    with put(benches[1], 0.58, 1.35, 0.565), at(0, 0, 0, -90):
        s.towel("orange")
    with put(benches[1], 0.85, 0.6, 0.56):
        s.felt_hat("green")
    with put(benches[1], 0.8, 2.1, 0.56), at(0, 0, 0, 100):
        s.ladle("pine")
    with at(-0.98, depth - 0.02, 1.25):
        s.thermometer()
    with at(0.98, depth - 0.02, 1.1):
        s.slat_lamp("birch", power=8)
    outdoors(9)
    plants.trees(rng, [(-4, 12, 5), (0.5, 14, 6), (4, 11, 5)], z=-0.4)
    bulb(0, 0.9, 2.05, 16, colour=WARM, radius=0.15)
    panel_light(0, -0.7, 1.9, 22, size=0.9, colour=AMBER, toward=(0, 2, 0.6))
    sky(0.9)
    camera((0.12, -1.1, 1.42), (-0.02, 2.2, 0.85), lens=20, exposure=0.15)


def _lake(rng: Random) -> None:
    """Birch benches on the left before a wide window on a lake, by day; the stove stands by the window."""
    with _panelled(4.0, 3.4, 2.4, "birch", floor=m.tiles((0.3, 0.31, 0.32), "grey", 0.25, 0.4)) as r:
        r.window("back", 2.55, 0.75, 2.5, 1.35, panes=(2, 1), frame="light brown")
        with r.left(1.75):
            bench = s.tiers(3.1, 3, "pine", step=0.4, depth=0.54)
        with r.left(1.75, 1.55):
            s.backrest(2.6, "pine")
        with r.floor(3.35, 2.3):
            s.stove(rng, width=0.66, height=0.78, colour="dark grey", fence="pine")
        with put(bench, 1.35, 1.35, 0.4):
            s.bucket("pine")
        for y, colour in ((1.5, "blue"), (2.5, "white")):
            with put(bench, 0.55, y, 1.205), at(0, 0, 0, 90):
                s.towel(colour)
        with put(bench, 0.85, 2.0, 0.805), at(0, 0, 0, -70):
            s.whisk(rng)
        with put(bench, 0.85, 2.95, 0.8), at(0, 0, 0, 90):
            s.headrest("pine")
        with r.right(1.0, 1.75):
            s.hooks(("white", "yellow"))
        with r.right(1.65, 1.4):
            s.thermometer()
        with scenery():
            box(0, 60, -2.1, 300, 100, 0.1, m.water((0.05, 0.2, 0.3)), bevel=0)
            box(0, 5.5, -0.6, 40, 4, 0.1, m.grass(), bevel=0)
            box(3.2, 9.5, -0.9, 1.6, 6.0, 0.1, m.planks("grey"), bevel=0)
            for k in range(26):
                with at(-60 + 5 * k, 88 + (k * 7) % 11, -2):
                    plants.conifer(8 + (k * 5) % 6)
        panel_light(2.0, 0.7, 2.35, 50, size=1.5, colour=AMBER)
        sun(2.2, from_=(3, 5, 4), colour=(1.0, 0.9, 0.75))
        sky(0.9, clouds=0.5)
    camera((2.75, -0.75, 1.5), (1.85, 2.6, 0.95), lens=20)


def _public(rng: Random) -> None:
    """A large sauna of a bath: tiers around three sides, a broad stove in the middle behind a rail, coloured towels."""
    with _panelled(5.8, 4.6, 2.7, "cherry", floor=m.tiles("beige", "light brown", 0.3, 0.4), board=0.14) as r:
        with r.back(2.9):
            back = s.tiers(5.6, 3, "pine", step=0.42, depth=0.56)
        with r.left(1.45):
            left = s.tiers(2.6, 2, "pine", step=0.42, depth=0.56)
        with r.right(1.45):
            right = s.tiers(2.6, 2, "pine", step=0.42, depth=0.56)
        with r.floor(2.9, 1.75):
            s.stove(rng, width=0.95, height=0.66, colour="dark red", fence="cherry")
        for x, y, z, colour in (
            (1.2, 4.05, 1.265, "yellow"),
            (2.3, 4.05, 1.265, "light blue"),
            (4.6, 4.05, 1.265, "red"),
            (3.5, 3.5, 0.845, "white"),
            (1.9, 3.5, 0.845, "green"),
        ):
            with put(back, x, y, z):
                s.towel(colour)
        with put(left, 0.55, 1.6, 0.845), at(0, 0, 0, 90):
            s.towel("orange")
        with put(right, 5.25, 1.9, 0.845), at(0, 0, 0, -90):
            s.towel("purple")
        with put(right, 4.95, 1.0, 0.42):
            s.bucket("birch")
        with put(left, 0.9, 0.9, 0.42):
            s.bucket("walnut")
        for x in (1.0, 2.9, 4.8):
            with r.back(x, 1.85):
                s.slat_lamp("cherry", power=14)
        with r.left(2.4, 1.7):
            s.hourglass()
        with r.right(2.3, 1.7):
            s.thermometer()
        panel_light(2.9, 1.2, 2.65, 85, size=2.0, colour=AMBER)
        panel_light(2.9, 0.0, 2.4, 16, size=1.5, colour=COOL)
        sky(0.15)
    camera((3.5, -0.95, 1.62), (2.8, 3.0, 0.82), lens=20, exposure=0.2)
