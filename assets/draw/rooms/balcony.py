"""Balconies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture import balcony as b
from draw.furniture import plants
from draw.furniture.basic import put, rug, table
from draw.furniture.seating import armchair, bench, throw_cushion
from draw.furniture.tableware import cup, glass_of, mug
from draw.rooms import room
from draw.stage import COOL, WARM, at, box, camera, cylinder, panel_light, prism, scenery, sky, sphere, sun, thing


@room("balcony")
def balcony(rng: Random, take: int) -> None:
    """A railing, a seat or two, flowers, and a wide view under the sky."""
    takes: list[Callable[[Random], None]] = [_city, _sea, _garden, _night, _long, _alps]
    takes[take - 1](rng)


def _slab(width: float, depth: float, of: Any, *, above: float | None = None, under: Any = None) -> None:
    """The floor, x from 0 to width, y from -1.5 to depth; the slab of the balcony above at a height."""
    with scenery():
        box(width / 2, depth / 2 - 0.75, -0.2, width + 0.2, depth + 1.5, 0.2, of, bevel=0.01)
        if above:
            box(
                width / 2,
                depth / 2 - 0.75,
                above,
                width + 0.2,
                depth + 1.6,
                0.22,
                under or m.paint("white", 0.9),
                bevel=0.02,
            )


def _wall(x: float, depth: float, of: Any, *, height: float = 2.7, start: float = -1.5) -> None:
    """A wall along y."""
    with scenery():
        box(x, (start + depth) / 2, -0.2, 0.2, depth - start, height + 0.2, of, bevel=0.01)


def _city(rng: Random) -> None:
    """Over the roofs of a city: black bars, two red folding chairs, geraniums."""
    _slab(3.6, 2.0, m.planks("oak", 0.12, 0.6))
    _wall(-0.1, 2.0, m.bricks(plane="yz"), height=3.2)
    with at(1.8, 1.95):
        b.railing(3.6, "bars", "black")
    for x, colours in ((0.75, ("red", "pink")), (2.0, ("yellow", "white")), (3.0, ("red",))):
        with at(x, 1.8, 0.72):
            b.flower_box(1.1 if x < 2.5 else 0.8, rng, colours, "white")
    with at(1.75, 1.05):
        b.bistro_table("white", radius=0.36)
    with at(1.65, 1.1, 0.72):
        cup("white")
    with at(1.92, 0.98, 0.72):
        cup("light blue")
    with at(1.72, 0.86, 0.72):
        with thing("book", "blue"):
            box(0, 0, 0, 0.14, 0.2, 0.025, m.paint("blue", 0.5), turn=20)
    with at(0.98, 1.2, 0, 75):
        b.folding_chair("red")
    with at(2.62, 1.15, 0, -70):
        b.folding_chair("red")
    with at(0.3, 1.0):
        plants.citrus_tree(rng, 1.3)
    with at(3.3, 1.2):
        plants.fern(rng, 0.55, pot="grey")
    b.city(rng)
    sky(0.8, clouds=0.8)
    sun(3.4, from_=(-4, -5, 7))
    panel_light(1.8, -1.5, 2.4, 25, size=2)
    camera((1.95, -1.05, 1.6), (1.75, 3.0, 0.95), lens=22)


def _sea(rng: Random) -> None:
    """High above roofs and the sea: a narrow balcony along a house, white bars with flowers, two chairs at a table."""
    _slab(2.0, 3.2, m.tiles((0.62, 0.42, 0.28), size=0.3, rough=0.7))
    wall = m.mottled((0.78, 0.77, 0.74), (0.86, 0.85, 0.83), 0.2, 0.95, 0.1)
    with scenery():
        box(-0.1, -0.35, -0.2, 0.2, 2.3, 3.6, wall, bevel=0)
        box(-0.1, 2.75, -0.2, 0.2, 1.1, 3.6, wall, bevel=0)
        box(-0.1, 1.5, 2.2, 0.2, 1.4, 1.2, wall, bevel=0)
    with at(0.0, 1.5, 0, 90):
        b.balcony_door("blue", width=1.35)
    with thing("shutter", "blue", "wooden"):
        for z in range(27):
            box(0.04, 2.62, 0.1 + 0.077 * z, 0.03, 0.68, 0.06, m.paint("blue", 0.5))
        for y in (2.28, 2.96):
            box(0.04, y, 0.06, 0.045, 0.06, 2.12, m.paint("blue", 0.5))
    with at(1.0, 3.15):
        b.railing(2.0, "bars", "white")
    with at(1.95, 0.85, 0, 90):
        b.railing(4.6, "bars", "white")
    with at(1.0, 3.24, 0.78):
        b.flower_box(1.6, rng, ("red", "pink"), (0.42, 0.15, 0.07))
    for y, colours in ((0.85, ("pink", "white")), (2.25, ("red", "white"))):
        with at(2.04, y, 0.78, 90):
            b.flower_box(1.1, rng, colours, (0.42, 0.15, 0.07))
    with at(1.4, 1.95):
        round_ = b.bistro_table("white", radius=0.32)
    for x, y, colour in ((1.28, 1.93, "red"), (1.52, 2.0, "light blue")):
        with put(round_, x, y, 0.72):
            cup(colour)
    with at(1.4, 2.62, 0, 5):
        b.folding_chair("blue")
    with at(0.75, 1.85, 0, 78):
        b.folding_chair("blue")
    with at(0.35, 2.85):
        plants.citrus_tree(rng, 1.0)
    _coast(rng)
    b.sea(rng, down=30, boats=6, island=False)
    sky(0.9, clouds=0.35)
    sun(3.6, from_=(5, -3, 6))
    camera((0.85, -0.5, 1.72), (1.45, 3.0, 0.72), lens=19, exposure=-0.1)


def _coast(rng: Random, *, down: float = 30.0) -> None:
    """A little town far below: white houses under red roofs up a green slope on the right, more of them in front."""
    with scenery():
        land = m.mottled((0.1, 0.2, 0.06), (0.3, 0.3, 0.16), 3.0, 0.95, 0.4)
        sphere(112, 85, -down, 70, land, scale=(1, 1, 0.36))
        box(20, 16, -down, 120, 28, 0.8, land, bevel=0)
    spots = [(x, y, -down) for y in (17, 26) for x in range(-14, 50, 9)]
    for x in range(46, 112, 9):
        for y in range(38, 90, 10):
            rest = 1 - ((x - 112) / 70) ** 2 - ((y - 85) / 70) ** 2
            if rest > 0.02:
                spots.append((x, y, -down + 0.36 * 70 * rest**0.5 - 1.5))
    with thing("town", "with red roofs"):
        for x, y, z in spots:
            wide, deep, high = rng.uniform(5.5, 7.5), rng.uniform(5, 7), rng.uniform(6, 9)
            with at(x + rng.uniform(-1, 1), y + rng.uniform(-1, 1), z, rng.uniform(-14, 14)):
                box(0, 0, 0, wide, deep, high, m.paint(rng.choice(("white", "beige", (0.8, 0.66, 0.42))), 0.9), bevel=0)
                gable = [(-deep / 2 - 0.4, high), (deep / 2 + 0.4, high), (0, high + 2.2)]
                tiles = m.paint(rng.choice(((0.5, 0.16, 0.07), (0.42, 0.12, 0.06), (0.56, 0.22, 0.1))), 0.9)
                prism(gable, wide + 0.6, tiles, x=-wide / 2 - 0.3, plane="yz")
                for dx in (-0.25, 0.25):
                    for dz in (0.25, 0.65):
                        box(dx * wide, -deep / 2 - 0.02, high * dz, 0.9, 0.06, 1.3, m.paint((0.1, 0.2, 0.3)), bevel=0)


def _garden(rng: Random) -> None:
    """A wooden balcony over a garden on a mild grey day: bench, tea table, ivy."""
    _slab(4.0, 2.4, m.planks("grey", 0.14, 0.7))
    with at(2.0, 2.3):
        b.railing(4.0, "wooden", "white")
    with at(3.95, 0.9, 0, 90):
        b.railing(2.8, "wooden", "white")
    for x in (0.06, 3.95):
        with thing("post", "white", "wooden"):
            box(x, 2.3, 0, 0.13, 0.13, 2.9, m.wood("white", along="z"))
    with at(2.95, 0.95, 0, -62):
        seat = bench(1.3, "oak", seat="green")
    for dx, colour in ((-0.45, "yellow"), (0.4, "beige")):
        with at(2.95, 0.95, 0, -62), put(seat, dx, 0.05, 0.5):
            throw_cushion(colour, 0.36, lean=40)
    with at(1.75, 1.35):
        tea = table(0.75, 0.5, 0.5, "oak")
    with put(tea, 1.6, 1.3, 0.5):
        cup("white")
    with put(tea, 1.95, 1.4, 0.5):
        cup("white")
    with put(tea, 1.76, 1.45, 0.5), thing("teapot", "blue"):
        sphere(0, 0, 0.075, 0.08, m.paint("blue", 0.15), scale=(1, 1, 0.9))
        cylinder(0, 0, 0.14, 0.03, 0.02, m.paint("blue", 0.15), bevel=0.005)
        b.tube([(0.06, 0, 0.06), (0.11, 0, 0.09), (0.14, 0, 0.14)], 0.012, m.paint("blue", 0.15))
        b.tube([(-0.07, 0, 0.11), (-0.13, 0, 0.1), (-0.12, 0, 0.05), (-0.07, 0, 0.04)], 0.009, m.paint("blue", 0.15))
    with at(0.72, 1.15, 0, 60):
        b.folding_chair("dark green", slats="oak")
    for x in (1.0, 2.9):
        with at(x, 2.42, 0.75):
            b.flower_box(1.3, rng, ("purple", "white") if x < 2 else ("yellow", "orange"), "dark green")
    with thing("ivy", "green"):
        for z in range(9):
            with at(0.08, 2.22, 0.3 * z):
                plants.bush(rng, 0.35, 0.17, 40, length=0.1, width=0.075)
    with at(0.35, 2.0):
        plants.potted(rng, 0.6, broad=True, pot="grey")
    with at(3.6, 2.0):
        plants.potted(rng, 0.5, flower="red", pot="grey")
    with at(1.3, 0.75, 0, 150):
        plants.watering_can("steel", 0.9)
    b.garden(rng)
    sky(1.15, (0.82, 0.86, 0.9), (0.62, 0.72, 0.84), clouds=0.6)
    sun(1.0, from_=(-3, -3, 6), soft=12)
    panel_light(1.5, -1.0, 2.6, 25, size=2, colour=COOL)
    camera((0.75, -0.95, 1.62), (2.3, 3.0, 0.55), lens=21)


def _night(rng: Random) -> None:
    """A roof terrace at night: glass, rattan, lanterns, a lit city."""
    _slab(4.6, 3.0, m.tiles("dark grey", "black", 0.6, 0.5))
    _wall(4.7, 3.0, m.concrete((0.2, 0.2, 0.21)), height=3.0)
    with at(2.3, 2.95):
        b.railing(4.6, "glass")
    with at(0.05, 1.4, 0, 90):
        b.railing(3.0, "glass")
    with at(4.55, 1.45, 0, -90):
        b.rattan_seat(1.7, "white", ("orange", "dark red", "orange"))
    with at(1.2, 2.6, 0, 25):
        b.rattan_seat(0.85, "white", ("orange",))
    with at(2.5, 1.45):
        rug(1.9, 1.5, "dark red", border="beige")
    with at(2.75, 1.5):
        low = table(0.9, 0.6, 0.36, "walnut")
    with put(low, 2.6, 1.5, 0.36):
        b.lantern(size=0.8)
    with put(low, 2.95, 1.62, 0.36):
        glass_of("dark red", height=0.16)
    with put(low, 2.9, 1.36, 0.36):
        glass_of("dark red", height=0.16)
    for x, y, size in ((0.55, 2.2, 1.3), (0.4, 1.75, 1.0), (3.55, 2.7, 1.2)):
        with at(x, y):
            b.lantern(size=size)
    for x in (2.2, 4.25):
        with at(x, 2.7):
            plants.potted(rng, 0.8, broad=x > 3, pot="white")
    with scenery():
        for x in (0.06, 4.58):
            cylinder(x, 2.95, 0, 0.025, 2.7, m.metal("iron"))
        cylinder(0.06, 0.0, 0, 0.025, 2.7, m.metal("iron"))
    b.light_string((0.06, 2.95, 2.65), (4.58, 2.95, 2.65), count=11, sag=0.35)
    b.light_string((0.06, 0.0, 2.65), (0.06, 2.95, 2.65), count=7, sag=0.25)
    b.light_string((4.6, 0.3, 2.75), (0.06, 2.95, 2.65), count=10, sag=0.4)
    b.city(rng, night=True, down=26, tall=1.25)
    sky(0.55, (0.16, 0.1, 0.17), (0.01, 0.015, 0.06))
    panel_light(2.0, -0.8, 2.6, 16, size=2, colour=WARM)
    camera((2.1, -1.1, 1.55), (2.45, 3.0, 0.85), lens=20, exposure=0.3)


def _long(rng: Random) -> None:
    """Along a narrow balcony of a tall house: the railing on the left, the flat's door and washing on the right."""
    _slab(1.7, 6.0, m.concrete(), above=2.65)
    wall = m.mottled((0.66, 0.5, 0.3), (0.72, 0.55, 0.34), 0.2, 0.95, 0.1)
    with scenery():
        box(1.8, 0.15, -0.2, 0.2, 3.3, 2.85, wall, bevel=0)
        box(1.8, 4.75, -0.2, 0.2, 2.5, 2.85, wall, bevel=0)
        box(1.8, 2.6, 2.2, 0.2, 1.8, 0.45, wall, bevel=0)
        box(0.85, 6.05, -0.2, 1.9, 0.15, 2.85, m.paint("white", 0.8), bevel=0)
    with at(1.72, 2.65, 0, -90):
        b.balcony_door("white")
    with at(1.7, 4.8, 0.9, -90), thing("window"):
        box(0, 0.0, 0, 1.1, 0.06, 1.2, m.paint("white", 0.4))
        for dx in (-0.26, 0.26):
            box(dx, -0.02, 0.06, 0.48, 0.06, 1.08, m.paint((0.06, 0.1, 0.16), 0.05))
    with at(0.03, 2.25, 0, 90):
        b.railing(7.5, "bars", "light blue", height=1.05)
    for y, colours in ((1.3, ("orange", "yellow")), (2.7, ("purple", "pink")), (4.1, ("orange", "yellow"))):
        with at(-0.12, y, 0.82, -90):
            b.flower_box(1.1, rng, colours, (0.42, 0.15, 0.07))
    with at(1.1, 4.55, 0, 90):
        b.drying_rack(rng, ("white", "red", "light blue", "yellow", "white"))
    with at(1.15, 1.25, 0, 15):
        b.deck_chair("white", "green")
    with at(0.52, 2.35):
        b.bistro_table("yellow", radius=0.26, height=0.62)
    with at(0.5, 2.33, 0.62):
        mug("white")
    with at(0.4, 3.2):
        plants.tomato_plant(rng, 0.9, pot=True)
    with at(0.35, 5.5):
        plants.potted(rng, 0.8, broad=True, pot="light blue")
    with at(1.45, 3.75):
        plants.potted(rng, 0.5, flower="pink", pot="light blue")
    b.city(rng, down=34, near=30, tall=0.8, spread=160)
    with at(-20, 10, 0, 55):
        b.city(rng, down=34, near=20, tall=0.7, spread=110)
    sky(0.9, (0.95, 0.8, 0.62), (0.3, 0.5, 0.85), clouds=0.5, cloud=(1.0, 0.9, 0.8))
    sun(3.2, from_=(-5, -2, 3.5), colour=(1.0, 0.8, 0.58))
    panel_light(0.9, 1.5, 2.6, 12, size=1.2)
    camera((1.1, -0.75, 1.55), (0.35, 4.0, 0.95), lens=19)


def _alps(rng: Random) -> None:
    """A wooden chalet's balcony before snowy mountains in the evening sun."""
    _slab(4.4, 2.4, m.planks("pine", 0.16, 0.6))
    w = m.wood("cherry", 0.6, along="y")
    with scenery():
        for i in range(9):
            box(0.2 + 0.5 * i, 0.4, 2.72, 0.14, 4.6, 0.16, w)
        box(2.2, 0.4, 2.88, 4.8, 4.6, 0.06, m.wood("pine", 0.6))
        box(2.2, 2.75, 2.6, 4.8, 0.06, 0.3, m.wood("cherry", 0.6))
        for x in (0.0, 4.4):
            box(x, 2.35, 0, 0.18, 0.18, 2.75, m.wood("cherry", 0.6, along="z"))
    with at(2.2, 2.35):
        b.railing(4.3, "crossed", "cherry")
    for x in (0.85, 2.2, 3.55):
        with at(x, 2.3, 0.98):
            b.flower_box(1.2, rng, ("red",), (0.2, 0.1, 0.045))
    for x, turn in ((0.85, 150), (3.35, -150)):
        with at(x, 1.0, 0, turn):
            armchair("white", "red" if x < 2 else "blue", style="wooden", legs="walnut")
    with at(2.1, 1.45):
        small = table(0.9, 0.6, 0.5, "cherry")
    for x, colour in ((1.9, "red"), (2.3, "white")):
        with put(small, x, 1.4, 0.5):
            mug(colour)
    with put(small, 2.1, 1.6, 0.5):
        b.lantern(size=0.8)
    with thing("blanket", "red"):
        box(3.95, 2.3, 0.6, 0.5, 0.2, 0.42, m.checks("red", "white", 0.06, 0.9), bevel=0.02)
    b.mountains(rng)
    sky(0.7, (0.95, 0.52, 0.34), (0.2, 0.32, 0.7), clouds=0.25, cloud=(1.0, 0.66, 0.55))
    sun(3.0, from_=(-6, -4, 3.2), colour=(1.0, 0.72, 0.45))
    panel_light(2.2, -0.8, 2.4, 40, size=2, colour=WARM)
    camera((2.9, -1.1, 1.6), (2.1, 3.0, 1.12), lens=19)
