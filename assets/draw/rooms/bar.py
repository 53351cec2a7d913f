"""Bars: a long counter with high stools before a wall of bottles, taps and dim light are what tells them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from draw import materials as m
from draw.furniture import counters as c
from draw.furniture import tableware as t
from draw.furniture.basic import ceiling_lamp, picture_frame, plant, put
from draw.room import Room
from draw.rooms import room
from draw.stage import (
    NEUTRAL,
    WARM,
    Thing,
    at,
    box,
    bulb,
    camera,
    cylinder,
    panel_light,
    prism,
    scenery,
    sky,
    sphere,
    thing,
    tube,
)

TOP = c.BAR
AMBER = (1.0, 0.45, 0.12)


@room("bar")
def bar(rng: Random, take: int) -> None:
    """Draw a bar."""
    (_classic, _neon, _pub, _along, _hotel, _beach)[take - 1](rng)


def _stools(xs: Sequence[float], y: float, colour: str, style: str) -> None:
    """A row of bar stools in front of a counter, facing it."""
    for x in xs:
        with at(x, y, 0, 180):
            c.bar_stool(colour, style=style)


def _drinks(on: Thing, spots: Sequence[tuple[str, float, float]], z: float = TOP) -> None:
    """Drinks (kind or colour, x, y) on a counter in the current frame."""
    for kind, x, y in spots:
        with put(on, x, y, z, 30 * x):
            if kind == "beer":
                t.beer_glass()
            elif kind == "wine":
                t.wine_glass()
            elif kind.startswith("tall "):
                c.cocktail(kind.removeprefix("tall "), style="tall")
            else:
                c.cocktail(kind)


def _dim(r: Room, power: float, colour: tuple[float, float, float] = WARM, world: float = 0.08) -> None:
    """Evening: hardly any sky, one soft warm light from the ceiling."""
    sky(world, (0.1, 0.12, 0.3), (0.03, 0.04, 0.1))
    panel_light(r.width / 2, r.depth * 0.3, r.height - 0.05, power, size=2.4, colour=colour)


def _classic(rng: Random) -> None:
    """A panelled walnut counter with a brass rail, red stools, taps, amber bottles behind, green lamps above."""
    with Room(5.6, 4.4, 3.0, walls=m.paint((0.14, 0.06, 0.045), 0.7), floor_of=m.planks("walnut")) as r:
        with r.back(2.8):
            c.bottle_wall(4.6, rng, rows=3, light=AMBER)
        with r.floor(2.8, 2.9):
            counter = c.counter(4.4, "walnut", top="cherry", height=TOP, rail=True, name="bar counter")
            with put(counter, -0.55, -0.35, TOP):
                c.beer_taps("red", "green", "yellow")
            _drinks(counter, [("beer", -1.5, -0.5), ("beer", -1.2, -0.42), ("wine", 0.4, -0.5), ("beer", 1.2, -0.5)])
            with put(counter, 0.85, -0.3, TOP):
                t.bowl("brown", inside="light brown")
            with put(counter, 1.75, -0.3, TOP):
                t.bottle("dark green")
        _stools((1.15, 1.95, 2.75, 3.55, 4.35), 1.85, "red", "chrome")
        for x in (1.3, 2.8, 4.3):
            with r.floor(x, 2.45):
                ceiling_lamp(3.0, 0.85, colour="dark green", radius=0.22)
        with r.left(1.6, 1.4):
            picture_frame(0.8, 0.6, rng, frame="oak")
        _dim(r, 55)
    camera((4.7, -0.3, 1.6), (2.45, 3.0, 1.22), lens=21, exposure=0.6)


def _neon(rng: Random) -> None:
    """A cocktail bar at night seen from the front: a pink neon sign, bottles on blue light, purple stools."""
    floor = m.checks("black", "dark grey", 0.5, 0.12)
    with Room(5.4, 4.0, 3.0, walls=m.paint((0.035, 0.03, 0.1), 0.6), floor_of=floor) as r:
        for x in (1.25, 4.15):
            with r.back(x):
                c.bottle_wall(2.2, rng, rows=3, kind="dark blue", light=(0.12, 0.45, 1.0))
        with r.back(2.7, 2.5, 0.1):
            c.neon("BAR", (1.0, 0.08, 0.4), size=0.42, power=16)
        with r.floor(2.7, 2.6):
            counter = c.counter(4.4, "black", top="black", height=TOP, style="plain", name="bar counter")
            for z in (0.12, TOP - 0.1):
                box(0, -0.6, z, 4.3, 0.02, 0.03, m.glow((0.8, 0.1, 1.0), 5.0), bevel=0)
            tints = ("pink", "cyan", "orange", "light green")
            _drinks(counter, [(tints[i % 4], -1.7 + i * 0.5, -0.48 + 0.1 * (i % 2)) for i in range(8)])
            with put(counter, 0.1, -0.25, TOP), thing("cocktail shaker", "grey", "metal"):
                cylinder(0, 0, 0, 0.04, 0.16, m.metal("chrome"), top=0.048)
                cylinder(0, 0, 0.16, 0.046, 0.07, m.metal("chrome"), top=0.02)
        _stools((1.2, 1.95, 2.7, 3.45, 4.2), 1.55, "purple", "back")
        for i, x in enumerate((1.0, 1.7, 3.7, 4.4)):
            with r.floor(x, 2.2), thing("ceiling lamp", "pink", "round", "lit"):
                sphere(0, 0, 2.25 + 0.12 * (i % 2), 0.1, m.glow((1.0, 0.35, 0.6), 3.0))
                cylinder(0, 0, 2.35, 0.006, 0.65, m.paint("black"))
                bulb(0, 0, 2.05, 5, colour=(1.0, 0.45, 0.7))
        _dim(r, 35, (0.75, 0.6, 1.0), 0.05)
        bulb(2.7, 0.9, 0.9, 12, colour=(0.6, 0.3, 1.0), radius=0.4)
    camera((2.7, -0.75, 1.5), (2.7, 3.0, 1.3), lens=21, exposure=0.7)


def _pub(rng: Random) -> None:
    """A green pub: the counter at the right with many taps and pints, a dartboard, barrels as tables at the left."""
    with Room(5.4, 4.6, 2.8, walls=m.paint((0.05, 0.17, 0.09), 0.7), floor_of=m.planks("oak")) as r:
        with scenery():
            for i in range(9):
                with r.back(0.3 + i * 0.6):
                    box(0, 0.01, 0, 0.56, 0.02, 1.1, m.wood("walnut", along="z"), bevel=0.006)
            for y in (1.2, 2.6, 4.0):
                box(2.7, y, 2.62, 5.4, 0.2, 0.18, m.wood("walnut"), bevel=0.015)["surface"] = "beam"
        with r.right(2.6):
            c.bottle_wall(3.4, rng, rows=3, kind="oak", light=AMBER, step=0.4)
        with r.floor(4.0, 2.6, -90):
            counter = c.counter(3.4, "oak", top="walnut", height=TOP, rail=True, name="bar counter")
            for x, colours in ((-0.7, ("red", "yellow", "blue")), (0.5, ("green", "orange"))):
                with put(counter, x, -0.35, TOP):
                    c.beer_taps(*colours)
            _drinks(counter, [("beer", -1.3, -0.5), ("beer", -0.1, -0.52), ("beer", 0.1, -0.4), ("beer", 1.2, -0.5)])
        for y in (1.5, 2.25, 3.0, 3.75):
            with r.floor(3.0, y, -90):
                c.bar_stool("oak", style="wood")
        with r.back(1.5, 1.68):
            c.dartboard()
        with r.back(2.75, 1.45):
            picture_frame(0.8, 0.6, rng, frame="oak")
        for x, y in ((1.0, 3.2), (1.55, 1.6)):
            with r.floor(x, y):
                cask = c.barrel("oak", height=0.98)
                with put(cask, -0.08, 0.05, 0.98):
                    t.beer_glass()
                with put(cask, 0.1, -0.08, 0.98):
                    t.beer_glass()
        for x, y, turn in ((0.6, 2.5, 0), (0.95, 1.35, 90), (2.05, 2.1, -60)):
            with r.floor(x, y, turn):
                c.bar_stool("walnut", style="wood", height=0.72)
        for y in (1.6, 2.6, 3.6):
            with r.floor(3.5, y):
                ceiling_lamp(2.8, 0.7, colour="yellow", radius=0.19)
        with r.floor(1.3, 2.6):
            ceiling_lamp(2.8, 0.7, colour="yellow", radius=0.19)
        _dim(r, 60)
    camera((1.35, -0.45, 1.65), (3.2, 3.4, 1.1), lens=20, exposure=0.6)


def _along(rng: Random) -> None:
    """Along a counter from its end: glasses in front, blue stools on the left, the bartender's shelves on the right."""
    with Room(4.6, 6.0, 2.9, walls=m.bricks((0.3, 0.12, 0.08), "grey"), floor_of=m.concrete((0.25, 0.24, 0.24))) as r:
        with r.right(3.2):
            c.bottle_wall(5.2, rng, rows=4, kind="black", light=(1.0, 0.6, 0.28), z=1.1, step=0.4)
        with r.floor(3.05, 3.25, -90):
            counter = c.counter(
                5.0, "cyan", top="walnut", height=TOP, style="tiles", name="bar counter", words=("dark blue",)
            )
            spots = [("orange", 2.0, -0.35), ("pink", 1.7, -0.2), ("wine", 1.35, -0.42), ("beer", 0.8, -0.4)]
            _drinks(counter, [*spots, ("beer", 0.55, -0.3), ("light green", 0.0, -0.4), ("wine", -0.8, -0.4)])
            with put(counter, -0.3, -0.3, TOP, 180):
                c.beer_taps("blue", "white", "red", kind="chrome")
            with put(counter, 1.0, -0.15, TOP):
                t.bottle("dark green")
        for y in (1.3, 2.05, 2.8, 3.55, 4.3, 5.05):
            with r.floor(2.0, y, -90):
                c.bar_stool("blue", style="back")
        for y in (1.2, 2.3, 3.4, 4.5):
            with r.floor(2.75, y), thing("ceiling lamp", "lit"):
                cylinder(0, 0, 2.18, 0.005, 0.72, m.paint("black"))
                sphere(0, 0, 2.12, 0.055, m.glow((1.0, 0.72, 0.35), 9.0), scale=(1, 1, 1.3))
                cylinder(0, 0, 2.17, 0.03, 0.07, m.metal("brass"))
                bulb(0, 0, 1.98, 9)
        with r.back(2.2, 1.9):
            c.neon("OPEN", (0.1, 0.9, 0.5), size=0.32, power=8)
        for y in (2.0, 3.9):
            with r.left(y):
                c.booth(1.3, "blue", "walnut")
            with r.floor(0.95, y):
                table = c.cafe_table("walnut", square=True, radius=0.3)
                with put(table, 0, 0.1, 0.74):
                    t.beer_glass()
                with put(table, 0.05, -0.12, 0.74):
                    t.candle("white", height=0.08)
        _dim(r, 55)
    camera((2.2, -0.4, 1.68), (2.75, 3.8, 1.1), lens=20, exposure=0.6)


def _hotel(rng: Random) -> None:
    """A bright hotel bar: a white counter with a brass rail, hanging glasses, bottles before warm light, plants."""
    floor = m.tiles("white", "light grey", 0.6, 0.1)
    with Room(5.8, 4.6, 3.1, walls=m.paint((0.08, 0.22, 0.25), 0.6), floor_of=floor) as r:
        with r.back(3.0):
            c.bottle_wall(4.2, rng, rows=3, kind="white", light=(1.0, 0.7, 0.42), step=0.44)
        with r.floor(3.0, 3.0):
            counter = c.counter(3.8, "white", top="black", height=TOP, style="panels", rail=True, name="bar counter")
            with put(counter, -1.2, -0.3, TOP), thing("ice bucket", "metal", "with bottles"):
                cylinder(0, 0, 0, 0.11, 0.2, m.metal("gold"), top=0.14, bevel=0.006)
                for dx, tint in ((-0.05, "dark green"), (0.05, "yellow")):
                    with at(dx, 0, 0.1):
                        t.bottle_shape(tint, height=0.3)
            for i in range(3):
                with put(counter, -0.6 + i * 0.14, -0.4, TOP):
                    t.wine_glass("yellow")
            _drinks(counter, [("orange", 0.5, -0.5), ("pink", 1.1, -0.5), ("wine", 1.55, -0.45)])
            with at(0, -0.25, 2.25):
                c.glass_rack(2.6)
                for dx in (-1.25, 1.25):
                    tube([(dx, 0, 0), (dx, 0, 0.85)], 0.01, m.metal("brass"))
        _stools((1.5, 2.25, 3.0, 3.75, 4.5), 1.95, "dark blue", "back")
        for x in (0.45, 5.35):
            with r.back(x):
                plant(rng, height=1.5, pot="white")
        for x, y in ((0.9, 1.5), (4.9, 0.9)):
            with r.floor(x, y):
                table = c.cafe_table("white", radius=0.3, height=1.05)
                with put(table, 0, 0, 1.05):
                    c.cocktail("orange")
                with put(table, 0.14, 0.1, 1.05):
                    t.candle("white", height=0.08)
        with r.floor(1.45, 1.2, 70):
            c.bar_stool("dark blue", style="back")
        for x in (1.6, 3.0, 4.4):
            with r.floor(x, 2.35), thing("ceiling lamp", "golden", "round", "lit"):
                cylinder(0, 0, 2.45, 0.008, 0.65, m.metal("brass"))
                sphere(0, 0, 2.35, 0.14, m.glow((1, 0.86, 0.62), 2.6))
                bulb(0, 0, 2.12, 9)
        _dim(r, 75, NEUTRAL, 0.2)
    camera((1.2, -0.55, 1.65), (3.1, 3.0, 1.2), lens=20, exposure=0.35)


def _beach(rng: Random) -> None:
    """A tiki bar: a bamboo counter under a straw roof, lanterns, tall cocktails with straws and fruit."""
    bamboo, straw = m.wood("pine", along="z"), m.mottled((0.42, 0.3, 0.12), (0.66, 0.5, 0.24), 0.03, 0.95, 0.8)
    with Room(5.4, 4.4, 3.0, walls=m.paint((0.08, 0.32, 0.34), 0.8), floor_of=m.planks("pine")) as r:
        with scenery():
            for i in range(54):
                with r.back(0.05 + i * 0.1):
                    cylinder(0, 0.0, 0, 0.045, 1.1, bamboo, sides=12)
        with r.back(2.7):
            c.bottle_wall(3.6, rng, rows=3, kind="pine", light=(1.0, 0.5, 0.14), step=0.4)
        with r.floor(2.7, 2.9):
            with thing("bar counter", "light brown", "wooden") as counter:
                box(0, -0.32, 0, 3.8, 0.5, TOP - 0.05, m.wood("walnut"))
                for i in range(42):
                    cylinder(-1.88 + i * 0.0915, -0.59, 0, 0.044, TOP - 0.05, bamboo, sides=14)
                box(0, -0.36, TOP - 0.05, 4.0, 0.75, 0.05, m.wood("oak"), bevel=0.015)
            tints = ("tall orange", "tall pink", "tall cyan", "tall light green", "tall red")
            _drinks(counter, [(tints[i % 5], -1.6 + i * 0.46, -0.5 + 0.08 * (i % 2)) for i in range(7)])
            with put(counter, 1.5, -0.35, TOP):
                t.fruit_bowl("orange", ["banana", "orange", "lemon", "apple", "banana", "orange"])
            for dx in (-1.9, 1.9):
                cylinder(dx, -0.75, 0, 0.06, 2.35, bamboo)
            for dx in (-1.2, 0.0, 1.2):
                bulb(dx, -0.45, 2.1, 9)
            with thing("roof", "straw"):
                prism([(-1.15, 2.2), (0.35, 2.85), (0.35, 2.93), (-1.2, 2.28)], 4.6, straw, x=-2.3, plane="yz")
                for i in range(90):
                    x = -2.28 + i * 0.0512
                    tube([(x, -1.15, 2.27), (x, -1.22, 2.2 - rng.uniform(0.06, 0.2))], 0.012, straw)
        _stools((1.2, 2.0, 2.8, 3.6, 4.3), 1.75, "pine", "wood")
        for i, x in enumerate((0.55, 1.6, 2.7, 3.8, 4.85)):
            colour = ("red", "yellow", "green", "orange", "pink")[i]
            seen = ("pink", "beige", "light green", "pink", "pink")[i]  # their light makes them pale
            with r.floor(x, 1.55), thing("lantern", seen, "lit"):
                tint = tuple(0.15 + 0.85 * v for v in m.rgb(colour))
                sphere(0, 0, 2.55 - 0.1 * (i % 2), 0.15, m.glow(tint, 1.3), scale=(1, 1, 0.85))
                cylinder(0, 0, 2.66 - 0.1 * (i % 2), 0.005, 0.4, m.paint("black"))
                bulb(0, 0, 2.3, 5, colour=(1.0, 0.75, 0.5))
        for x in (0.4, 5.0):
            with r.floor(x, 3.6):
                plant(rng, height=1.7, pot="brown")
        with r.floor(0.85, 1.2):
            cask = c.barrel("oak", height=0.85)
            with put(cask, 0, 0, 0.85):
                c.cocktail("orange", style="tall")
        _dim(r, 62)
    camera((4.3, -0.6, 1.55), (2.55, 3.0, 1.2), lens=20, exposure=0.5)
