"""Corridors: long and narrow, doors on both sides, always seen along their length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from draw import materials as m
from draw.furniture.basic import picture_frame, plant, table_lamp, vase
from draw.furniture.corridor import (
    arch,
    cleaning_trolley,
    coat_rack,
    console_table,
    exit_sign,
    fire_extinguisher,
    flush_lamp,
    panelled_door,
    runner,
    shoes,
    sign,
    wall_lamp,
    wall_mirror,
)
from draw.furniture.office import strip_light
from draw.furniture.school import lockers, pinboard, school_bag, waste_bin
from draw.furniture.seating import bench
from draw.furniture.vehicles import bicycle
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import at, box, bulb, camera, cylinder, panel_light, scenery, sphere, thing, tube


@room("corridor")
def corridor(rng: Random, take: int) -> None:
    """A corridor of a hotel, a school, an office, a home, a cloister or a block of flats."""
    (_hotel, _school, _office, _home, _cloister, _flats)[take - 1](rng)


def _doors(r: Room, side: str, places: Sequence[float], build: Callable[[int], object]) -> None:
    """Doors along a wall; `build` gets their number, from the front."""
    for i, y in enumerate(places):
        with (r.left if side == "left" else r.right)(y, gap=0.0):
            build(i)


def _hotel(rng: Random) -> None:
    """A hotel's floor at night: dark red runner, numbered wooden doors between lit wall lamps, a cleaning trolley."""
    with Room(
        2.3, 17.0, 2.6, walls=m.striped((0.62, 0.5, 0.3), (0.56, 0.44, 0.26), 0.07, "x"), floor_of=m.carpet("brown")
    ) as r:
        with r.floor(1.15, 0):
            runner(1.35, 17, "dark red", "yellow")
        with scenery():
            for x in (0.012, r.width - 0.012):
                box(x, r.depth / 2, 0, 0.02, r.depth, 0.9, m.wood("walnut", along="y"), bevel=0)
                box(x, r.depth / 2, 0.9, 0.04, r.depth, 0.04, m.wood("walnut", along="y"))
        places = (2.6, 5.4, 8.2, 11.0, 13.8)
        for side, first in (("left", 301), ("right", 302)):
            _doors(
                r,
                side,
                places,
                lambda i, first=first: panelled_door(
                    "dark brown", wood="walnut", number=str(first + 2 * i), frame="walnut"
                ),
            )
        for side in (r.left, r.right):
            for y in (1.4, 4.0, 6.8, 9.6, 12.4, 15.4):
                with side(y, 1.75):
                    wall_lamp("beige", power=16)
        with r.floor(1.85, 6.5):
            cleaning_trolley("blue")
        with r.back(1.15):
            console_table("walnut", 1.0)
            with at(0, -0.16, 0.8):
                vase("white", "red", rng, height=0.34)
        with r.back(1.15, 1.35):
            picture_frame(0.9, 0.7, rng, frame="oak")
        for y in (3, 8, 13):
            panel_light(1.15, y, 2.55, 16, size=0.8)
    camera((1.05, 0.1, 1.5), (1.2, 9.0, 1.12), lens=22, exposure=0.35)


def _school(rng: Random) -> None:
    """A school's hall: blue lockers, classroom doors, a shining floor, strip lights, a green exit sign."""
    with Room(
        3.2,
        18.0,
        2.9,
        walls=m.paint((0.74, 0.74, 0.66), 0.8),
        floor_of=m.checks((0.6, 0.6, 0.56), (0.34, 0.36, 0.37), 0.6, 0.18),
    ) as r:
        for y, n in ((2.5, 8), (7.7, 8), (13.0, 8)):
            with r.left(y):
                lockers(n, "blue")
        _doors(
            r,
            "left",
            (4.85, 10.2, 15.6),
            lambda i: panelled_door("orange", glazed=True, number=None, frame="dark grey", handle="steel"),
        )
        for y, n in ((4.6, 6), (10.4, 6)):
            with r.right(y):
                lockers(n, "blue")
        _doors(
            r,
            "right",
            (2.5, 7.1, 12.6, 15.4),
            lambda i: panelled_door("orange", glazed=True, frame="dark grey", handle="steel"),
        )
        with r.back(1.6, 0, 0.0):
            for dx in (-0.5, 0.5):
                with at(dx):
                    panelled_door("dark green", glazed=True, frame="dark grey", handle="steel")
        for y in (2.5, 6.0, 9.5, 13.0, 16.5):
            with r.floor(1.6, y):
                strip_light(2.9, 1.5, power=48, along="x")
        with r.floor(1.6, 8.2):
            exit_sign(2.9)
        with r.floor(0.75, 3.2, 70):
            school_bag("red")
        with r.floor(2.55, 6.05, -60):
            school_bag("green")
        with r.right(8.6, 1.1):
            pinboard(1.3, 1.0, rng)
        with r.floor(2.9, 9.6):
            waste_bin("grey")
    camera((2.05, 0.1, 1.55), (1.35, 9.0, 1.05), lens=21, exposure=0.1)


def _office(rng: Random) -> None:
    """An office floor by day: pale doors with panes, signs, plants, a water cooler; a big window at the end."""
    with Room(2.6, 14.0, 2.6, walls=m.paint((0.66, 0.72, 0.74), 0.9), floor_of=m.carpet((0.14, 0.2, 0.32))) as r:
        r.window("back", 1.3, 0.5, 1.9, 1.85, panes=(2, 1), frame="dark grey")
        for side, places in (("left", (2.4, 4.9, 7.4, 9.9, 12.4)), ("right", (3.4, 5.9, 8.4, 10.9))):
            _doors(
                r,
                side,
                places,
                lambda i: panelled_door("light brown", wood="birch", glazed=True, frame="grey", handle="steel"),
            )
        for i, (y, z) in enumerate(((3.65, 1.6), (8.65, 1.6))):
            with r.left(y, z):
                sign(("ROOM 12", "ROOM 14")[i], 0.8, "blue")
        with r.right(4.65, 1.2):
            picture_frame(0.9, 0.7, rng)
        with r.right(7.15, 1.2):
            picture_frame(0.9, 0.7, rng)
        with r.floor(0.32, 3.65):
            plant(rng, height=1.15, pot="white")
        with r.floor(2.25, 9.6):
            plant(rng, height=1.5, pot="orange")
        with r.right(2.1):
            with thing("water cooler", "white"):
                box(0, -0.18, 0, 0.32, 0.34, 0.98, m.paint("white", 0.3), bevel=0.03)
                cylinder(0, -0.18, 0.98, 0.06, 0.06, m.paint("light blue", 0.2))
                cylinder(0, -0.18, 1.03, 0.14, 0.36, m.paint((0.16, 0.42, 0.72), 0.1), bevel=0.04)
                box(0, -0.34, 0.62, 0.22, 0.03, 0.2, m.paint("dark grey"))
                for x, hue in ((-0.05, "blue"), (0.05, "red")):
                    box(x, -0.37, 0.76, 0.03, 0.05, 0.03, m.paint(hue))
        for y in (2.0, 5.0, 8.0, 11.0):
            with r.floor(1.3, y), thing("ceiling lamp", "white", "square"):
                box(0, 0, 2.575, 0.62, 0.62, 0.03, m.paint("white"))
                box(0, 0, 2.565, 0.56, 0.56, 0.015, m.glow((1.0, 0.98, 0.94), 4.0), bevel=0)
                panel_light(0, 0, 2.54, 36, size=0.6)
        daylight(r, strength=2.0, from_=(1, 6, 4), fill=10)
        outdoors(34)
    camera((0.75, 0.1, 1.6), (1.45, 7.5, 1.05), lens=20)


def _home(rng: Random) -> None:
    """The hall of a home: coats and shoes, a mirror over a table, white doors, a striped runner, the front door."""
    with Room(1.9, 8.2, 2.55, walls=m.paint((0.42, 0.56, 0.46), 0.9), floor_of=m.planks("oak", 0.12)) as r:
        with r.floor(0.95, 1.0), thing("carpet", "red", "striped", "long"):
            box(0, 2.7, 0, 0.85, 5.6, 0.014, m.striped("red", "beige", 0.11, "y"))
        _doors(r, "left", (1.9, 6.4), lambda i: panelled_door("white", panels=3))
        _doors(r, "right", (3.0, 5.1, 7.0), lambda i: panelled_door("white", panels=3))
        with r.back(0.95, 0, 0.0):
            with thing("front door", "dark blue"):
                panelled_door("dark blue", glazed=True, frame="white", width=1.0, height=2.1)
        with r.left(3.4):
            coat_rack(("red", "dark blue", "yellow"), 1.2)
            for i, hue in enumerate(("brown", "white", "black")):
                with at(-0.4 + 0.4 * i, -0.12):
                    shoes(hue)
        with r.left(4.9):
            console_table("white", 0.95)
            with at(-0.2, -0.16, 0.8):
                table_lamp("yellow")
            with at(0.25, -0.16, 0.8):
                vase("blue", "orange", rng)
        with r.left(4.9, 1.25):
            wall_mirror(0.6, 0.85, "brass")
        with r.right(1.75, 1.25):
            picture_frame(0.6, 0.75, rng, frame="oak")
        with r.right(4.05, 1.3):
            picture_frame(0.5, 0.6, rng, frame="white")
        with r.floor(1.68, 6.1), thing("umbrella stand", "cyan"):
            cylinder(0, 0, 0, 0.11, 0.5, m.paint("cyan", 0.2), top=0.13)
            for i, hue in enumerate(("red", "black")):
                tube([(0.03 * i, 0, 0.1), (0.08 * i - 0.04, 0.02, 0.8)], 0.03, m.paint(hue))
                tube(
                    [(0.08 * i - 0.04, 0.02, 0.8), (0.08 * i - 0.04, 0.02, 0.95), (0.08 * i + 0.03, 0.02, 0.97)],
                    0.012,
                    m.wood("walnut"),
                )
        for y in (1.8, 5.2):
            with r.floor(0.95, y):
                flush_lamp(2.55, power=32)
        panel_light(0.95, 0.2, 2.2, 12, size=0.8, toward=(0.95, 5, 1))
    camera((1.02, 0.05, 1.5), (0.9, 5.0, 1.02), lens=20, exposure=0.15)


def _cloister(rng: Random) -> None:
    """An old abbey's passage: arches, flagstones, dark doors on both sides, sun falling in through high windows."""
    with Room(
        3.0,
        16.0,
        3.6,
        walls=m.mottled((0.62, 0.52, 0.38), (0.74, 0.64, 0.48), 0.5, 0.95, 0.1),
        skirting=False,
        floor_of=m.tiles((0.4, 0.33, 0.26), (0.2, 0.17, 0.14), 0.5, 0.6),
        ceiling=m.paint((0.8, 0.74, 0.62), 0.9),
    ) as r:
        for y in (2.2, 5.4, 8.6, 11.8):
            r.window("right", y, 1.6, 0.9, 1.5, panes=(2, 3), frame="black")
        for y in (0.6, 3.8, 7.0, 10.2, 13.4):
            with scenery(), r.floor(1.5, y):
                arch(3.0, 3.6, 0.3, (0.5, 0.36, 0.24))
        _doors(
            r,
            "left",
            (2.2, 5.4, 8.6, 11.8),
            lambda i: panelled_door("dark brown", wood="walnut", panels=3, frame="walnut", width=1.05, height=2.2),
        )
        _doors(
            r,
            "right",
            (14.7,),
            lambda i: panelled_door("dark brown", wood="walnut", panels=3, frame="walnut", width=1.0),
        )
        with r.back(1.5, 0, 0.0):
            panelled_door("dark red", panels=3, frame="walnut", width=1.3, height=2.4)
        for y in (3.75, 7.0):
            with r.right(y + (0.0 if y > 5 else 1.6)):
                bench(1.3, "walnut")
        for y in (3.8, 7.0, 10.2):
            with r.floor(1.5, y), thing("lantern", "black", "lit"):
                cylinder(0, 0, 2.7, 0.012, 0.8, m.metal("iron"))
                for k in range(4):
                    with at(0, 0, 0, 90 * k):
                        box(0.09, 0.09, 2.4, 0.018, 0.018, 0.3, m.metal("iron"))
                        box(0.09, 0, 2.42, 0.004, 0.16, 0.26, m.glow((1.0, 0.75, 0.35), 1.8), bevel=0)
                box(0, 0, 2.38, 0.22, 0.22, 0.02, m.metal("iron"))
                cylinder(0, 0, 2.7, 0.16, 0.1, m.metal("iron"), top=0.02)
                bulb(0, 0, 2.3, 14)
        with r.left(3.95):
            with at(0, -0.3):
                plant(rng, height=1.0, pot="light brown")
        with r.left(10.2), at(0, -0.42):
            plant(rng, height=1.2, pot="light brown")
        daylight(r, strength=5.0, from_=(5, 1.2, 4.2), fill=70)
        with at(r.width, 0, 0, -90):
            outdoors(12)
    camera((1.85, 0.1, 1.5), (1.4, 8.0, 1.2), lens=20, exposure=0.9)


def _flats(rng: Random) -> None:
    """A block of flats: brick walls, bright doors with mats before them, letter boxes, a bicycle, round lamps."""
    with Room(
        2.2,
        12.5,
        2.5,
        walls=m.bricks((0.56, 0.5, 0.42), "grey", "xz"),
        floor_of=m.mottled((0.2, 0.2, 0.21), (0.3, 0.3, 0.31), 0.03, 0.4),
    ) as r:
        hues = (("yellow", "red", "light blue", "green"), ("green", "yellow", "purple", "red"))
        for side, places, colours in (
            ("left", (2.2, 5.0, 7.8, 10.6), hues[0]),
            ("right", (3.3, 6.1, 8.9, 11.4), hues[1]),
        ):
            _doors(
                r,
                side,
                places,
                lambda i, colours=colours: panelled_door(
                    colours[i], panels=0, number=str(i * 2 + 11), frame="white", handle="steel"
                ),
            )
            for i, y in enumerate(places):
                with (r.left if side == "left" else r.right)(y), at(0, -0.36):
                    with thing("doormat", "brown"):
                        box(0, 0, 0, 0.75, 0.42, 0.02, m.carpet("light brown" if i % 2 else "dark brown"))
        with r.right(4.7), at(0, -0.2):
            bicycle("red")
        with r.left(3.6, 1.1):
            with thing("letter boxes", "light grey", "metal"):
                for i in range(3):
                    for j in range(2):
                        box(-0.36 + 0.36 * i, -0.07, 0.28 * j, 0.34, 0.14, 0.26, m.metal("steel", 0.45))
                        box(-0.36 + 0.36 * i, -0.142, 0.28 * j + 0.19, 0.24, 0.004, 0.025, m.paint("black"), bevel=0)
        with r.right(2.2, 0.9):
            fire_extinguisher()
        with r.back(1.1, 0.0, 0.0):
            with thing("lift", "light grey", "metal"):
                for dx in (-0.24, 0.24):
                    box(dx, -0.02, 0, 0.47, 0.03, 2.1, m.metal("steel", 0.35), bevel=0.004)
                for dx in (-0.55, 0.55):
                    box(dx, -0.03, 0, 0.12, 0.06, 2.2, m.metal("iron", 0.5))
                box(0, -0.03, 2.1, 1.2, 0.06, 0.12, m.metal("iron", 0.5))
                box(0.76, -0.02, 1.05, 0.1, 0.03, 0.2, m.metal("steel"))
                sphere(0.76, -0.04, 1.15, 0.02, m.glow("orange", 3.0))
        for y in (1.6, 4.6, 7.6, 10.6):
            with r.floor(1.1, y):
                flush_lamp(2.5, radius=0.17, power=32)
    camera((0.62, 0.1, 1.35), (1.2, 6.5, 1.02), lens=22, exposure=0.2)
