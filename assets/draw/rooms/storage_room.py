"""Storage rooms: shelves and heaps of boxes, crates and suitcases."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.basic import put, table_lamp
from draw.furniture.storage import (
    cardboard_box,
    plastic_crate,
    rolled_carpet,
    stack,
    stocked_shelf,
    suitcase,
    wooden_crate,
)
from draw.furniture.tools import broom, fluorescent, long_ladder, stepladder
from draw.room import Room, daylight, outdoors
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
    panel_light,
    scenery,
    sky,
    sphere,
    sun,
    thing,
    tilted,
    tube,
)


@room("storage room")
def storage_room(rng: Random, take: int) -> None:
    """Where things wait that nobody needs today."""
    (_steel_aisle, _old_suitcases, _cellar, _stockroom, _cupboard, _moving)[take - 1](rng)


def _bulb_on_cable(ceiling: float, power: float) -> None:
    """A bare bulb on its cable below the origin's ceiling."""
    with thing("bulb", "lit"):
        cylinder(0, 0, ceiling - 0.5, 0.006, 0.5, m.paint("black"))
        cylinder(0, 0, ceiling - 0.57, 0.028, 0.08, m.paint("black", 0.4))
        sphere(0, 0, ceiling - 0.62, 0.055, m.glow((1.0, 0.78, 0.48), 9.0))
        bulb(0, 0, ceiling - 0.72, power, colour=WARM)


def _steel_aisle(rng: Random) -> None:
    """An aisle between steel shelves full of cardboard boxes, a stepladder at its end."""
    with Room(3.8, 6.0, 2.8, walls=m.paint("white", 0.9), floor_of=m.concrete((0.42, 0.42, 0.42)), skirting=False) as r:
        for y in (1.5, 3.3, 5.1):
            for side in (r.left, r.right):
                with side(y):
                    stocked_shelf(rng, 1.75, 0.6, 2.15, 4, stock="card card card crate", colours=("blue", "light grey"))
        with r.floor(1.85, 4.7):
            stepladder(1.7, "steel")
        with r.back(1.05):
            with at(0.0, -0.3):
                stack(rng, 2)
        with r.back(2.8), at(0, -0.32):
            stack(rng, 3)
        with r.floor(2.35, 2.3, 15):
            cardboard_box(0.5, 0.38, 0.3, open_=True)
        for y in (2.0, 4.2):
            with at(1.9, y, 2.8, 90):
                fluorescent(1.4)
                panel_light(0, 0, -0.12, 85, size=1.2, colour=COOL)
        sky(0.45)
    camera((1.65, -0.35, 1.55), (1.95, 4.2, 1.05), lens=20, exposure=-0.05)


def _old_suitcases(rng: Random) -> None:
    """A boarded room between shelves: old suitcases, boxes, a rolled carpet and a covered chair by a small window."""
    with Room(
        5.2,
        5.0,
        2.6,
        walls=m.planks("pine", 0.2, 0.8),
        floor_of=m.planks("oak", 0.2, 0.7),
        skirting=False,
        ceiling=m.wood("pine"),
    ) as r:
        r.window("back", 2.6, 1.2, 0.9, 0.9, frame="brown")
        with r.left(3.9):
            stocked_shelf(rng, 1.7, 0.45, 1.9, 4, "walnut", stock="case card card wood")
        with r.right(3.3):
            stocked_shelf(rng, 1.7, 0.42, 1.9, 4, "walnut", stock="card wood card case")
        with r.floor(1.3, 4.2, 8):
            z = 0.0
            for colour, wide in (("dark green", 0.85), ("brown", 0.75), ("dark red", 0.65)):
                with at(0, 0, z + 0.1):
                    with tilted(0, 0.28, 0.01, by=90):
                        suitcase(colour, wide, 0.55, 0.22)
                z += 0.225
        with r.floor(3.75, 4.05, -12):
            stack(rng, 3, width=0.62, depth=0.45, open_top=True)
        with r.floor(4.3, 3.1, 20):
            stack(rng, 2)
        with r.floor(3.55, 2.55, -25):
            suitcase("light brown", 0.7, 0.48)
        with r.floor(1.15, 2.65, 25):
            wooden_crate("oak", 0.85, 0.5, 0.48)
        with r.floor(1.9, 3.2, 35):
            cardboard_box(0.55, 0.4, 0.36, open_=True)
        with r.floor(2.5, 4.65), at(0, 0.0):
            cardboard_box(0.6, 0.4, 0.4, label="red")
        with r.floor(4.25, 1.9, 10):
            plastic_crate("blue", lid="white")
            with at(0.02, 0, 0.33, 8):
                cardboard_box(0.46, 0.34, 0.26)
        with r.floor(1.0, 1.75, -15):
            stack(rng, 1)
        with r.floor(3.05, 3.6, -20), thing("armchair", "white", "covered"):
            cloth = m.fabric("white")
            cushion(0, 0, 0, 0.82, 0.8, 0.5, cloth, soft=0.25)
            cushion(0, 0.3, 0.3, 0.82, 0.26, 0.72, cloth, soft=0.3)
            for dx in (-0.34, 0.34):
                cushion(dx, -0.03, 0.3, 0.18, 0.74, 0.36, cloth, soft=0.35)
        with r.floor(2.35, 1.95, 80), thing("rolled carpet", "red"):
            cylinder(0, 0, 0.13, 0.13, 1.6, m.carpet("dark red"), axis="x", bevel=0.01)
            for dx in (-0.5, 0.5):
                cylinder(dx, 0, 0.13, 0.133, 0.03, m.paint("beige", 0.9), axis="x")
        with r.floor(2.6, 2.9):
            _bulb_on_cable(2.6, 60)
        outdoors(14)
        sky(1.0)
        sun(3.0, from_=(0.8, 6, 3.4))
        panel_light(2.6, 0.3, 2.3, 80, size=1.4, colour=WARM, toward=(2.6, 3, 0.6))
    camera((2.75, -0.5, 1.6), (2.5, 3.3, 0.9), lens=19, exposure=0.1)


def _cellar(rng: Random) -> None:
    """A brick cellar by one bulb: wooden shelves of jars, crates and boxes, a carpet roll."""
    wall = m.bricks((0.4, 0.35, 0.32), "grey")
    with Room(
        4.6,
        4.4,
        2.4,
        walls=wall,
        floor_of=m.concrete((0.3, 0.29, 0.28)),
        ceiling=m.concrete((0.4, 0.4, 0.4)),
        skirting=False,
    ) as r:
        for side, length in (("left", 4.4), ("right", 4.4)):
            with r._wall(side), scenery():
                box(length / 2, -0.02, 0, length, 0.03, 2.4, wall, bevel=0)
        for x in (1.15, 2.85):
            with r.back(x):
                stocked_shelf(rng, 1.65, 0.45, 1.9, 5, "pine", stock="jars jars wood card case")
        with r.left(2.3):
            stocked_shelf(rng, 1.7, 0.45, 1.7, 4, "pine", stock="wood case card cans")
        with r.back(4.15):
            broom("blue")
        with r.right(3.0):
            rolled_carpet("dark green", 1.7)
        with r.right(2.0), at(0, -0.4, 0, 0):
            plastic_crate("red")
            with at(0, 0, 0.31, 5):
                plastic_crate("yellow")
            with at(0, 0, 0.62, -4):
                plastic_crate("blue")
        with r.floor(3.5, 3.0, 20):
            suitcase("dark blue", 0.5, 0.68, 0.26, old=False)
        with r.floor(3.2, 1.95, -20):
            wooden_crate("oak", 0.6, 0.42, 0.34)
        with r.floor(1.5, 2.0, 30):
            cardboard_box(0.5, 0.4, 0.34, open_=True)
        with r.floor(2.3, 3.2):
            stepladder(1.15, "pine")
        for x, y in ((2.3, 2.3),):
            with at(x, y):
                _bulb_on_cable(2.4, 130)
        with scenery():
            for z, y in ((2.2, 3.9), (2.28, 3.7)):
                tube([(0, y, z), (4.6, y, z)], 0.035, m.metal("copper"))
        panel_light(2.3, 0.2, 2.1, 35, size=1.2, colour=WARM, toward=(2.3, 3, 0.7))
        sky(0.2)
    camera((3.45, -0.4, 1.5), (2.1, 3.0, 0.9), lens=20, exposure=0.25)


def _stockroom(rng: Random) -> None:
    """A stockroom with blue and orange shelves, heaps of boxes in front, a ladder; seen from its corner."""
    with Room(
        7.0,
        6.2,
        2.7,
        walls=m.paint((0.62, 0.64, 0.66), 0.9),
        floor_of=m.paint((0.3, 0.32, 0.33), 0.3),
        ceiling=m.paint("light grey"),
        skirting=False,
    ) as r:
        for x in (1.75, 3.9, 6.0):
            with r.back(x):
                stocked_shelf(
                    rng, 2.1, 0.6, 2.05, 4, "blue", stock="card card crate", colours=("red", "yellow", "green")
                )
        for y in (2.6, 4.55):
            with r.left(y):
                stocked_shelf(rng, 1.9, 0.6, 2.05, 4, "orange", stock="card crate", colours=("dark blue", "light grey"))
        for x, y, turn, tall in ((2.9, 3.6, 5, 3), (5.0, 3.7, -8, 2)):
            with r.floor(x, y, turn):
                for dx in (-0.3, 0.3):
                    for dy in (-0.22, 0.22):
                        for level in range(tall - (dx > 0 and dy < 0)):
                            with at(dx, dy, 0.362 * level, rng.uniform(-2, 2)):
                                cardboard_box(0.57, 0.42, 0.36, label=rng.choice([None, "red", "black"]))
        with r.floor(4.0, 2.5, 30), thing("hand truck", "red"):
            red = m.paint("red", 0.3)
            for dx in (-0.2, 0.2):
                tube([(dx, 0.0, 0.06), (dx, 0.22, 1.15), (dx * 0.7, 0.32, 1.25)], 0.02, red)
                cylinder(dx * 1.25, 0.06, 0.13, 0.13, 0.06, m.paint("black", 0.6), axis="x", bevel=0.02)
            for z in (0.3, 0.6, 0.9):
                tube([(-0.2, 0.2 * z, z), (0.2, 0.2 * z, z)], 0.014, red)
            box(0, -0.14, 0.03, 0.45, 0.28, 0.015, m.metal("steel"))
            tube([(-0.14, 0.32, 1.25), (0.14, 0.32, 1.25)], 0.02, m.paint("black", 0.5))
            with at(0, -0.12, 0.047):
                cardboard_box(0.42, 0.26, 0.34)
        with r.right(5.3):
            long_ladder(2.4)
        with r.right(3.6), at(0, -0.4):
            for i, colour in enumerate(("green", "green", "green", "green")):
                with at(0, 0, 0.31 * i, rng.uniform(-3, 3)):
                    plastic_crate(colour)
        r.door("right", 2.2, "blue")
        for x in (2.0, 5.0):
            for y in (2.0, 4.2):
                with at(x, y, 2.7):
                    fluorescent(1.5)
                    panel_light(0, 0, -0.12, 60, size=1.6, colour=NEUTRAL)
        sky(0.5)
    camera((5.6, -0.3, 1.6), (2.95, 4.2, 0.95), lens=20, exposure=-0.1)


def _cupboard(rng: Random) -> None:
    """A narrow box room seen from its door: shelves on all three sides up to the ceiling, a ladder, a bulb."""
    with Room(2.6, 3.0, 2.6, walls=m.paint((0.42, 0.56, 0.6), 0.9), floor_of=m.tiles("beige", "brown", 0.3, 0.4)) as r:
        with r.back(1.3):
            stocked_shelf(
                rng,
                1.55,
                0.45,
                2.1,
                5,
                "white",
                stock="card case crate files",
                colours=("pink", "yellow", "light blue"),
            )
        with r.left(1.75):
            stocked_shelf(
                rng,
                2.0,
                0.42,
                2.05,
                5,
                "white",
                stock="crate crate card files",
                colours=("orange", "green", "light blue", "purple"),
            )
        with r.right(2.0):
            stocked_shelf(rng, 1.5, 0.42, 2.05, 5, "white", stock="card case cans crate", colours=("yellow", "pink"))
        with r.floor(1.5, 1.85, -25):
            suitcase("red", 0.46, 0.62, 0.25, old=False)
        with r.floor(1.05, 1.9, 15):
            suitcase("cyan", 0.4, 0.5, 0.22, old=False)
        with r.floor(1.35, 1.2, 10):
            stack(rng, 1, width=0.42, depth=0.32, open_top=True)
        with r.floor(1.3, 1.5):
            _bulb_on_cable(2.6, 60)
        with scenery():
            box(-0.55, -0.06, 0, 1.3, 0.1, 2.6, m.paint("white", 0.8))
            box(3.15, -0.06, 0, 1.3, 0.1, 2.6, m.paint("white", 0.8))
            box(1.3, -0.06, 2.3, 2.8, 0.1, 0.6, m.paint("white", 0.8))
            for x in (0.12, 2.48):
                box(x, -0.12, 0, 0.1, 0.06, 2.32, m.paint("white", 0.4))
            box(1.3, -0.12, 2.25, 2.46, 0.06, 0.1, m.paint("white", 0.4))
            box(1.3, -1.6, -0.1, 6, 3.0, 0.1, m.planks("oak"), bevel=0)
        panel_light(1.3, -0.9, 2.5, 45, size=1.2, toward=(1.3, 1.5, 0.6))
        sky(0.3)
    camera((1.35, -1.35, 1.5), (1.3, 1.5, 1.12), lens=22, exposure=0.1)


def _moving(rng: Random) -> None:
    """A room turned store, between two shelves: towers of moving boxes, suitcases, crates, a rolled carpet."""
    with Room(5.4, 4.6, 2.7, walls=m.paint((0.72, 0.64, 0.5), 0.9), floor_of=m.planks("birch")) as r:
        with r.left(2.55):
            stocked_shelf(rng, 1.9, 0.42, 2.1, 4, "steel", stock="card crate cans card", colours=("blue", "green"))
        r.window("right", 3.1, 1.2, 1.0, 1.0)
        for x, y, n, turn in (
            (0.75, 4.15, 5, 4),
            (1.5, 4.2, 4, -5),
            (2.25, 4.15, 5, 3),
            (3.0, 4.2, 3, 6),
            (1.05, 3.4, 2, 12),
            (1.9, 3.45, 3, -8),
            (2.75, 3.45, 1, 4),
        ):
            with r.floor(x, y, turn):
                stack(rng, n, width=0.66, depth=0.5, open_top=n in (1, 2))
        with r.back(4.35):
            stocked_shelf(rng, 1.7, 0.45, 2.1, 4, "oak", stock="case case card crate", colours=("green", "red"))
        with r.floor(4.6, 2.8, -50):
            suitcase("brown", 0.72, 0.5)
        with r.floor(4.15, 2.35, -35):
            suitcase("dark blue", 0.6, 0.42)
        with r.floor(3.6, 3.0, 15):
            plastic_crate("red")
            with at(0, 0, 0.31, 8):
                plastic_crate("yellow", lid="grey")
        with r.floor(1.75, 2.35, 20):
            low = cardboard_box(0.6, 0.45, 0.42, label="red")
            with put(low, 0, 0, 0.425):
                table_lamp("green", lit=False)
        with r.floor(2.75, 2.25, -15):
            cardboard_box(0.62, 0.46, 0.4, open_=True)
        with r.floor(1.25, 1.75, 75), thing("rolled carpet", "blue"):
            cylinder(0, 0, 0.14, 0.14, 1.7, m.carpet("blue"), axis="x", bevel=0.01)
        with r.right(1.7):
            rolled_carpet("dark red", 1.9)
        with r.floor(4.65, 3.5, -70):
            stepladder(1.4, "red")
        outdoors(14)
        daylight(r, strength=3.2, from_=(5, 1.5, 4), fill=90, world=0.9)
    camera((3.7, -0.5, 1.6), (2.5, 3.2, 0.95), lens=20, exposure=0.05)
