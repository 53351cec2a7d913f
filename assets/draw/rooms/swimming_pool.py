"""Swimming pools: four indoors, two outdoors."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import clock, plant, put, table
from draw.furniture.sport import (
    beach_ball,
    diving_board,
    kickboard,
    lifebuoy,
    lounger,
    parasol,
    pool,
    pool_ladder,
    starting_block,
    swim_ring,
)
from draw.room import Room, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    NEUTRAL,
    WARM,
    at,
    box,
    bulb,
    camera,
    cushion,
    cylinder,
    lathe,
    lettering,
    panel_light,
    scenery,
    sky,
    sphere,
    sun,
    thing,
    tube,
)


@room("swimming pool")
def swimming_pool(rng: Random, take: int) -> None:
    """Blue water in a tiled basin."""
    (_lanes, _spa, _garden, _diving, _deck, _across)[take - 1](rng)


def _pennants(width: float, z: float) -> None:
    """A line of small flags across a pool, along x from the origin."""
    with thing("string of flags", "colourful"):
        tube([(0, 0, z), (width / 2, 0, z - 0.15), (width, 0, z)], 0.008, m.paint("white"))
        count = int(width / 0.42)
        for i in range(count):
            x = width * (i + 0.5) / count
            sag = 0.15 * (1 - abs(2 * x / width - 1))
            colour = ("red", "yellow", "blue", "green")[i % 4]
            box(x, 0, z - sag - 0.3, 0.22, 0.01, 0.3, m.fabric(colour), bevel=0)


def _under_water(x: float, y: float, power: float) -> None:
    bulb(x, y, -0.75, power, colour=COOL, radius=0.15)


def _lanes(rng: Random) -> None:
    """A sports pool seen along its lanes from behind the starting blocks."""
    with Room(
        16.5, 27, 6.0,
        walls=m.tiles("white", "light grey", 0.4, 0.3, "xz"), floor_of=m.tiles("beige", "light grey", 0.3),
        pit=(2.5, 3.0, 11.5, 21.5), skirting=False, ceiling=m.paint("light blue", 0.8),
    ) as r:  # fmt: skip
        pool(2.5, 3.0, 11.5, 21.5, lanes=5)
        for i in range(5):
            with at(2.5 + 2.3 * (i + 0.5), 2.95):
                starting_block(i + 1)
        for x in (2.6, 5.4, 8.25, 11.1, 13.9):
            r.window("back", x, 1.6, 2.4, 3.4, panes=(2, 3))
        for y in (9.0, 13, 17, 21):
            r.window("left", y, 1.6, 2.8, 3.0, panes=(2, 2), described=False)
        with at(2.5, 8.0, 0):
            _pennants(11.5, 2.6)
        with r.right(8.0, 1.6):
            lifebuoy()
        with r.back(8.25, 5.35):
            clock(0.4)
        for y in (7, 20):
            with at(14.02, y, 0, -90):
                pool_ladder()
        with scenery():
            for y in range(3, 27, 4):
                box(8.25, y, 5.6, 16.5, 0.25, 0.4, m.paint("white", 0.5))
        outdoors(34, z=-1.6)
        sky(1.0)
        for y in (5, 12, 19):
            panel_light(8.25, y, 5.5, 900, size=6, colour=NEUTRAL, mirrored=False)
    camera((10.4, 0.1, 2.0), (7.6, 9.0, 0.25), lens=20, exposure=-0.35)


def _spa(rng: Random) -> None:
    """A hotel's pool in the evening: wooden ceiling, loungers in a row, warm lamps."""
    with Room(
        8.5, 11.0, 3.2, walls=m.paint((0.62, 0.5, 0.36), 0.9), floor_of=m.tiles((0.45, 0.38, 0.3), "dark grey", 0.6),
        ceiling=m.planks("cherry"), pit=(3.1, 1.6, 4.6, 8.2), skirting=False,
    ) as r:  # fmt: skip
        pool(3.1, 1.6, 4.6, 8.2, tint=(0.5, 0.9, 0.97), edge="beige")
        for y in (3.4, 5.3, 7.2):
            with at(1.35, y, 0, 90):
                lounger("walnut", "white", back=38)
        for y in (4.35, 6.25):
            with at(0.8, y), thing("side table", "brown", "round"):
                cylinder(0, 0, 0.4, 0.22, 0.03, m.wood("walnut"))
                cylinder(0, 0, 0, 0.03, 0.4, m.metal("brass"))
        for y in (2.0, 8.9):
            with at(0.7, y):
                plant(rng, height=1.5, pot="dark grey")
        r.window("back", 5.4, 0.4, 4.2, 2.3, panes=(3, 1), frame="dark grey")
        for x in (2.55, 8.2):
            with r.back(x, 1.7), thing("wall lamp", "yellow", "lit"):
                lathe(0, -0.12, 0, [(0.05, 0), (0.12, 0.3)], m.glow((1.0, 0.75, 0.4), 3.0))
                bulb(0, -0.14, 0.35, 25)
        for y in (3.0, 5.2, 7.4):
            with r.left(y, 1.9), thing("wall lamp", "yellow", "lit"):
                lathe(0, -0.1, 0, [(0.05, 0), (0.1, 0.26)], m.glow((1.0, 0.75, 0.4), 3.0))
                bulb(0, -0.13, 0.3, 18)
        with at(7.72, 3.9, 0, -90):
            pool_ladder()
        with at(2.6, 2.2, 0, 20), thing("towel", "white", "folded"):
            for i in range(3):
                box(0, 0, 0.055 * i, 0.4, 0.28, 0.05, m.fabric("white"), bevel=0.02)
        for y in (3.2, 5.6, 8.0):
            _under_water(5.4, y, 70)
        panel_light(4.2, 4.5, 3.1, 160, size=3, colour=WARM, mirrored=False)
        outdoors(20, ground=m.paint("dark green", 0.9), z=-1.6)
        sky(0.35, low=(0.35, 0.4, 0.75), high=(0.08, 0.1, 0.35))
    camera((4.2, -0.7, 1.8), (4.35, 6.0, 0.35), lens=20, exposure=0.15)


def _ground(width: float, depth: float, pit: tuple[float, float, float, float], material: Any) -> None:
    """Paving of a size around a pit; scenery."""
    with scenery():
        for x, y, wide, deep in Room(width, depth, pit=pit)._floors():
            box(x + wide / 2, y + deep / 2, -0.1, wide, deep, 0.1, material, bevel=0)


def _lawn(pit: tuple[float, float, float, float]) -> None:
    """A lawn to the horizon with a hole for the pool."""
    x, y, wide, deep = pit
    with scenery():
        for left, near, right, far in (
            (-60, -20, x, 90), (x + wide, -20, 80, 90), (x, -20, x + wide, y), (x, y + deep, x + wide, 90),
        ):  # fmt: skip
            box((left + right) / 2, (near + far) / 2, -0.14, right - left, far - near, 0.1, m.grass(), bevel=0)


def _tree(rng: Random, height: float = 4.5) -> None:
    with thing("tree", "green"):
        cylinder(0, 0, 0, 0.14, height * 0.6, m.wood("walnut", along="z"), top=0.09)
        for _ in range(60):
            a, r, z = rng.uniform(0, 6.28), rng.uniform(0, 0.3) * height, rng.uniform(0.5, 1.0) * height
            sphere(r * math.cos(a), r * math.sin(a), z, rng.uniform(0.08, 0.14) * height, m.leaf(rng.uniform(0.6, 1.5)))


def _house(width: float, height: float, colour: str = "white", roof: str = "dark red") -> None:
    """A low house with glass doors, its front at y = 0, its middle at x = 0."""
    with thing("house", colour):
        box(0, 2, 0, width, 4, height, m.paint(colour, 0.8), bevel=0)
        box(0, 1.8, height, width + 1.0, 5.2, 0.18, m.paint(roof, 0.7))
        for i in range(3):
            x = width * (i - 1) * 0.3
            box(x, -0.01, 0.02, width * 0.24, 0.04, height * 0.8, m.paint("dark grey", 0.4))
            for end in (-1, 1):
                box(
                    x + end * width * 0.058,
                    -0.03,
                    0.1,
                    width * 0.105,
                    0.02,
                    height * 0.74,
                    m.paint((0.1, 0.17, 0.22), 0.05),
                    bevel=0,
                )


def _garden(rng: Random) -> None:
    """A garden pool in bright sun with loungers, two parasols and a house behind."""
    pit = (1.5, 3.0, 9.0, 5.0)
    _ground(13, 11, pit, m.tiles((0.72, 0.64, 0.52), "beige", 0.5, 0.7))
    _lawn(pit)
    pool(*pit)
    with at(6.2, 12.2):
        _house(10, 2.9)
    for x, colour in ((2.4, "yellow"), (7.9, "yellow")):
        with at(x, 9.45):
            parasol(colour, "white")
    for x in (1.3, 3.4, 6.8, 9.0):
        with at(x, 9.5, 0, 0):
            lounger("white", "yellow" if x < 5 else "light blue")
    with at(10.47, 4.2, 0, -90):
        pool_ladder()
    with at(4.3, 4.9, -0.1):
        swim_ring("pink")
    with at(7.4, 5.7, -0.13):
        beach_ball(0.24)
    with at(0.3, 9.6):
        plant(rng, height=1.4, pot="orange")
    with at(11.8, 9.8):
        plant(rng, height=1.5, pot="orange")
    for x, y in ((-1.5, 14), (13.5, 15), (17, 12), (-5, 17)):
        with at(x, y):
            _tree(rng, rng.uniform(4, 6))
    sky(0.9)
    sun(3.6, from_=(-4, -3, 6))
    camera((8.6, 0.0, 2.1), (5.6, 7.0, 0.3), lens=21, exposure=-0.75)


def _diving(rng: Random) -> None:
    """A deep pool in green and white with a springboard and a tall glass front, seen from its corner."""
    with Room(
        13, 15, 5.5,
        walls=m.tiles((0.25, 0.55, 0.5), "white", 0.3, plane="xz"), floor_of=m.tiles("white", "light grey", 0.25),
        pit=(2.2, 2.6, 8.4, 9.6), skirting=False,
    ) as r:  # fmt: skip
        pool(2.2, 2.6, 8.4, 9.6, edge="dark green", tint=(0.6, 0.95, 0.9))
        with r._wall("right"), scenery():
            box(7.5, -0.01, 0, 15, 0.03, 2.2, m.tiles((0.25, 0.55, 0.5), "white", 0.3, 0.3, "xz"), bevel=0)
        for y in (2.0, 5.0, 8.0, 11.0, 13.6):
            r.window("left", y, 0.3, 2.5 if y < 13 else 1.8, 4.4, panes=(1, 3), frame="dark grey")
        with at(6.4, 12.7):
            diving_board(1.1)
        with at(3.6, 12.6):
            starting_block(1, "green")
        with at(8.9, 12.6):
            starting_block(2, "green")
        with r.back(10.8, 1.6):
            lifebuoy("orange")
        with r.back(6.4, 3.6):
            clock(0.42)
        with r.back(2.4, 2.6), thing("sign", "blue"):
            box(0, -0.02, 0, 1.3, 0.03, 0.9, m.paint("blue", 0.4))
            lettering(0, -0.05, 0.5, "DEEP", 0.3, m.paint("white", 0.4))
            lettering(0, -0.05, 0.14, "3.5 m", 0.26, m.paint("white", 0.4))
        with at(10.62, 5.0, 0, -90):
            pool_ladder()
        with at(2.18, 8.6, 0, 90):
            pool_ladder()
        with r.right(8.5), thing("bench", "light brown", "wooden"):
            for i in range(4):
                box(0, -0.2 - 0.11 * i, 0.42, 5.0, 0.09, 0.04, m.wood("pine"))
            for dx in (-2.2, 0, 2.2):
                box(dx, -0.36, 0, 0.08, 0.4, 0.42, m.metal("steel"))
        for x, colour in ((11.5, "red"), (11.2, "yellow"), (11.75, "blue")):
            with at(x, 4.1 + (x - 11) * 0.9, 0, 40 * x):
                kickboard(colour)
        outdoors(26, z=-1.6, hedge=False)
        with scenery():
            for x, y, wide, deep in ((-14, 8, 1.2, 60), (5, 36, 60, 1.2)):
                box(
                    x,
                    y,
                    -1.6,
                    wide,
                    deep,
                    3.2,
                    m.mottled((0.03, 0.13, 0.02), (0.08, 0.24, 0.05), 0.3, 0.95, 0.4),
                    bevel=0,
                )
        sky(1.0)
        sun(2.5, from_=(-6, 1, 5))
        panel_light(7, 4, 5.3, 520, size=5, mirrored=False)
        panel_light(6, 11, 5.3, 500, size=5, mirrored=False)
    camera((11.7, 0.6, 2.1), (5.6, 8.5, 0.6), lens=21, exposure=-0.45)


def _deck(rng: Random) -> None:
    """A small pool let into a wooden deck, a hedge and palms round it, late sun."""
    pit = (2.6, 2.2, 3.4, 6.6)
    _ground(8.6, 11, pit, m.planks("pine", 0.16, 0.6))
    _lawn(pit)
    pool(*pit, edge="light grey", tint=(0.5, 0.88, 0.95))
    with scenery():
        hedge = m.mottled((0.03, 0.13, 0.02), (0.1, 0.26, 0.05), 0.12, 0.95, 0.6)
        box(4.3, 11.9, -0.1, 22, 1.0, 2.1, hedge, bevel=0.1)["surface"] = "hedge"
        box(-1.5, 4.5, -0.1, 1.0, 14, 2.1, hedge, bevel=0.1)["surface"] = "hedge"
    for x, y in ((0.7, 10.3), (7.6, 10.4)):
        with at(x, y), thing("palm tree", "green"):
            cylinder(0, 0, 0, 0.15, 3.0, m.mottled((0.16, 0.1, 0.05), (0.3, 0.2, 0.1), 0.06), top=0.1)
            for i in range(15):
                a = 2.4 * i
                rise = 0.5 - 0.05 * i
                with at(0, 0, 3.0, math.degrees(a)):
                    path = [(t * 1.5, 0, rise * t * 1.6 - 1.3 * t * t) for t in (0, 0.25, 0.5, 0.75, 1.0)]
                    tube(path, 0.014, m.leaf(0.8))
                    for k in range(1, 14):
                        t = k / 14
                        px, pz = t * 1.5, rise * t * 1.6 - 1.3 * t * t
                        for side in (-1, 1):
                            tube(
                                [(px, 0, pz), (px + 0.14, side * 0.3 * (1.1 - t), pz - 0.1)],
                                0.02,
                                m.leaf(1.1 if k % 2 else 0.8),
                            )
    for y, pad in ((4.0, "orange"), (5.6, "orange")):
        with at(0.9, y, 0, 80):
            lounger("white", pad, back=45)
    with at(1.0, 7.6):
        parasol("orange", "beige", height=2.3, radius=1.2)
    with at(7.3, 5.6):
        low = table(0.7, 0.7, 0.42, "oak")
        with put(low, 0.1, 0.0, 0.42), thing("glass", "orange"):
            lathe(0, 0, 0, [(0, 0), (0.035, 0), (0.042, 0.14), (0.038, 0.14), (0.033, 0.01)], m.glass((1, 0.7, 0.4)))
            cylinder(0, 0, 0.01, 0.033, 0.1, m.paint("orange", 0.2))
    for y in (4.5, 6.7):
        with at(7.3, y, 0, 180 if y < 5 else 0), thing("armchair", "white"):
            cushion(0, 0, 0.18, 0.7, 0.7, 0.22, m.fabric("white"))
            cushion(0, 0.3, 0.3, 0.7, 0.18, 0.42, m.fabric("white"))
            for dx in (-0.34, 0.34):
                cushion(dx, 0, 0.2, 0.14, 0.7, 0.36, m.fabric("white"))
            box(0, 0, 0.02, 0.7, 0.66, 0.16, m.wood("oak"))
    with at(4.1, 4.2, -0.1):
        swim_ring("red")
    with at(4.3, 8.78):
        pool_ladder()
    with at(7.15, 2.9, 0, 20), thing("towel", "blue"):
        box(0, 0, 0, 0.7, 1.3, 0.015, m.striped("blue", "white", 0.1), bevel=0.004)
    sky(0.8, low=(1.0, 0.8, 0.6), high=(0.3, 0.45, 0.85))
    sun(3.4, from_=(5, -2, 3.4), colour=(1.0, 0.8, 0.55))
    camera((5.9, -0.6, 1.75), (3.9, 6.0, 0.3), lens=20, exposure=-0.6)


def _across(rng: Random) -> None:
    """A pool seen across its lanes, with a row of columns, in blue light."""
    with Room(
        17, 12.5, 4.4, walls=m.paint((0.2, 0.38, 0.6), 0.9), floor_of=m.tiles("light blue", "white", 0.2, 0.3),
        pit=(-0.1, 2.4, 17.2, 7.0), skirting=False, ceiling=m.paint("white", 0.9),
    ) as r:  # fmt: skip
        with at(0, 9.4, 0, -90):  # the pool's own y runs across the room here
            pool(0, -0.1, 7.0, 17.2, lanes=4, ropes=("yellow", "blue"))
        for x in (1.5, 4.7, 7.9, 11.1, 14.3):
            with thing("column", "white", "round"), at(x, 10.6):
                cylinder(0, 0, 0, 0.24, 4.4, m.tiles("white", "light grey", 0.1, 0.3, "xz"))
        for x in (3.1, 6.3, 9.5, 12.7):
            with r.back(x, 1.2), thing("poster", "white"):
                box(0, -0.01, 0, 1.9, 0.02, 1.2, m.paint("white", 0.6))
                for k in range(4):
                    box(0, -0.022, 0.15 + 0.24 * k, 1.6, 0.006, 0.1, m.striped("blue", "cyan", 0.2), bevel=0)
        with r.back(8.0, 3.3), thing("clock", "black", "digital"):
            box(0, -0.05, 0, 1.5, 0.1, 0.6, m.paint("black", 0.4))
            lettering(0, -0.11, 0.1, "09:41", 0.5, m.glow("red", 5.0))
        for x, colour in ((5.9, "red"), (7.3, "green"), (8.8, "orange"), (10.2, "purple")):
            with at(x, 9.95), thing("chair", colour, "plastic"):
                for dx in (-0.2, 0.2):
                    for dy in (-0.2, 0.2):
                        box(dx, dy, 0, 0.035, 0.035, 0.44, m.paint("white", 0.4))
                box(0, 0, 0.43, 0.46, 0.46, 0.04, m.paint(colour, 0.35), bevel=0.015)
                box(0, 0.21, 0.5, 0.46, 0.04, 0.42, m.paint(colour, 0.35), bevel=0.015)
        with at(9.3, 2.38, 0, 180):
            pool_ladder(0.6)
        for i, colour in enumerate(("red", "yellow", "green")):
            with at(6.3, 1.7, 0.045 * i, 14 * i):
                kickboard(colour)
        with at(5.1, 9.95), thing("waste bin", "yellow"):
            cylinder(0, 0, 0, 0.2, 0.6, m.paint("yellow", 0.4), top=0.25)
        for x in (4, 8, 12):
            _under_water(x, 6, 220)
            panel_light(x, 4.5, 4.3, 260, size=3, colour=COOL, mirrored=False)
        sky(0.3)
    camera((7.0, -0.4, 1.75), (8.3, 6.5, 0.5), lens=20, exposure=0.0)
