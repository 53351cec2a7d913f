"""Staircases: the stairs fill the picture, with their banisters."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.animals import lying_cat
from draw.furniture.basic import bookcase, picture_frame, plant, rug
from draw.furniture.corridor import panelled_door, shoes, sign, wall_lamp
from draw.furniture.seating import armchair
from draw.furniture.stairs import banister, chandelier, flight, turning_stairs
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import NEUTRAL, at, box, bulb, camera, panel_light, scenery


@room("staircase")
def staircase(rng: Random, take: int) -> None:
    """A grand, a spiral, a half-turn, an open, a square (seen from above) or a curved staircase."""
    (_grand, _spiral, _half_turn, _open, _well, _curved)[take - 1](rng)


def _grand(rng: Random) -> None:
    """A mansion's hall: a wide flight with a red carpet to a landing, from which two flights part to galleries."""
    with Room(
        8.0,
        8.2,
        5.6,
        walls=m.paint((0.74, 0.7, 0.58), 0.9),
        floor_of=m.checks((0.8, 0.78, 0.74), (0.12, 0.12, 0.12), 0.6, 0.15),
    ) as r:
        white, dark = m.paint("white", 0.4), m.wood("walnut", along="y")
        words, rails = ("white", "brown", "wide"), ("white", "wooden")
        with r.floor(4.0, 2.9):
            flight(11, 2.1, m.wood("walnut"), white, words, run=0.3, carpet="red")
            for x in (-1.05, 1.05):
                banister(11, x, "turned", dark, white, rails, run=0.3, newels="both")
        high = 11 * 0.17
        with scenery():
            box(4.0, 7.2, 0, 2.4, 2.0, high, white)
            box(4.0, 7.2, high - 0.02, 2.44, 2.04, 0.03, m.wood("walnut"))
        for end in (-1, 1):
            with at(4.0 + end * 1.2, 7.4, high, -90 * end):
                flight(6, 1.5, m.wood("walnut"), white, ("white", "brown"), style="slab", carpet="red")
                banister(6, end * 0.75, "turned", dark, white, rails, newels="none")
            level = high + 6 * 0.17
            with scenery():
                box(4.0 + end * 3.45, 4.6, level - 0.2, 1.12, 7.2, 0.2, white)
            with at(4.0 + end * 2.92, 1.2, level):
                banister(19, 0, "turned", dark, white, rails, rise=0, newels="low")
        r.window("back", 4.0, 2.6, 2.0, 2.4, panes=(3, 4))
        for x in (0.9, 7.1):
            with r.back(x):
                panelled_door("white", panels=3)
        for x in (2.3, 5.7):
            with r.floor(x, 2.5):
                plant(rng, height=1.3, pot="dark blue")
        with r.left(3.6, 1.1):
            picture_frame(0.9, 1.1, rng, frame="oak")
        with r.right(3.6, 1.1):
            picture_frame(0.9, 1.1, rng, frame="oak")
        with r.floor(4.0, 4.2):
            chandelier(5.6, drop=1.1, power=22)
        daylight(r, strength=2.0, from_=(2, 6, 5), fill=230)
        outdoors(26, z=-0.6)
    camera((4.0, -0.3, 1.65), (4.0, 6.0, 2.0), lens=22, exposure=-0.05)


def _spiral(rng: Random) -> None:
    """A black iron spiral in a loft of brick, up to a gallery."""
    with Room(
        5.0,
        5.2,
        5.0,
        walls=m.bricks((0.4, 0.15, 0.09), "light grey", "xz"),
        floor_of=m.planks("grey", 0.2),
        skirting=False,
    ) as r:
        iron = m.metal("black", 0.4)
        dark = m.paint((0.03, 0.03, 0.032), 0.35)
        with r.floor(2.3, 2.9):
            turning_stairs(
                17,
                0.07,
                1.25,
                22,
                m.wood("oak"),
                dark,
                ("black", "brown", "spiral", "wooden"),
                rise=0.18,
                start=-135,
                rail=dark,
                posts=dark,
                rail_words=("black", "iron"),
            )
        top = 17 * 0.18
        with scenery():
            box(3.9, 3.9, top - 0.2, 2.2, 2.6, 0.2, m.wood("oak"))
            box(2.79, 3.9, top - 0.24, 0.06, 2.6, 0.26, iron)
            box(3.9, 2.6, top - 0.24, 2.2, 0.06, 0.26, iron)
        with at(2.85, 2.62, top, -90):
            banister(8, 0, "bars", dark, dark, ("black", "iron"), rise=0, newels="none")
        r.window("left", 3.2, 1.0, 1.6, 2.6, panes=(3, 4), frame="black")
        with r.back(4.0, 0):
            bookcase(1.3, 1.9, rng, "walnut")
        with r.floor(4.2, 2.4, -40):
            armchair("orange")
        with r.floor(0.6, 4.6):
            plant(rng, height=1.7, pot="white")
        with r.floor(3.9, 1.6):
            rug(1.6, 1.6, "beige", round_=True)
        daylight(r, strength=3.5, from_=(-5, 1, 4), fill=150)
        with at(0, 0, 0, 90):
            outdoors(14)
    camera((2.5, -0.6, 1.5), (2.4, 3.0, 1.85), lens=22, exposure=0.7)


def _half_turn(rng: Random) -> None:
    """A modern public stairwell: two concrete flights with glass banisters and yellow walls around a landing."""
    with Room(
        3.4,
        6.0,
        5.4,
        walls=m.paint((0.82, 0.56, 0.08), 0.8),
        floor_of=m.mottled((0.3, 0.3, 0.3), (0.4, 0.4, 0.39), 0.03, 0.4),
        skirting=False,
    ) as r:
        grey, stone = m.concrete((0.42, 0.42, 0.41)), m.mottled((0.22, 0.22, 0.23), (0.3, 0.3, 0.31), 0.03, 0.5)
        steel = m.metal("steel")
        steps, run, rise, wide = 10, 0.28, 0.165, 1.5
        start, high = 1.7, 10 * 0.165
        end = start + steps * run
        with at(0.78, start):
            flight(steps, wide, stone, grey, ("grey", "concrete"), rise=rise, run=run, style="solid")
            banister(steps, wide / 2 + 0.02, "glass", steel, steel, ("glass",), rise=rise, run=run, newels="none")
        with at(2.62, end, high, 180):
            flight(steps, wide, stone, grey, ("grey", "concrete"), rise=rise, run=run, style="slab")
            banister(steps, wide / 2 + 0.02, "glass", steel, steel, ("glass",), rise=rise, run=run, newels="none")
        with scenery():
            box(1.7, (end + 6.0) / 2, high - 0.2, 3.4, 6.0 - end, 0.2, grey, bevel=0)
            box(2.62, start - 1.2, 2 * high - 0.2, wide, 2.4, 0.2, grey, bevel=0)
        r.window("back", 1.7, 2.3, 2.2, 2.0, panes=(3, 1), frame="dark grey")
        with r.left(3.2, 2.6):
            sign("FLOOR 1", 1.0, "dark blue")
        with r.floor(2.7, 3.9):
            plant(rng, height=1.25, pot="white")
        daylight(r, strength=2.5, from_=(1.5, 6, 5), fill=120)
        panel_light(0.9, 0.6, 3.2, 45, size=1.2, colour=NEUTRAL)
        outdoors(24)
    camera((1.45, -0.55, 1.65), (1.62, 4.0, 1.75), lens=21)


def _open(rng: Random) -> None:
    """A home's open wooden stairs along a wall, seen from the side, with pictures rising beside them."""
    with Room(6.2, 4.2, 4.6, walls=m.paint((0.5, 0.64, 0.72), 0.9), floor_of=m.planks("pine")) as r:
        oak = m.wood("oak", along="y")
        steps, run, rise = 14, 0.27, 0.19
        top = steps * rise
        with at(0.75, 3.55, 0, -90):
            flight(steps, 1.0, m.wood("oak"), oak, ("brown", "wooden"), run=run, rise=rise, style="open")
            banister(
                steps, 0.5, "square", oak, m.paint("white", 0.4), ("white", "wooden"), run=run, rise=rise, ball=False
            )
        end = 0.75 + steps * run
        with scenery():
            box((end + 6.2) / 2, 3.3, top - 0.2, 6.2 - end, 1.8, 0.2, m.wood("oak"))
        with at(end + 0.1, 2.42, top, -90):
            banister(
                6,
                0,
                "square",
                oak,
                m.paint("white", 0.4),
                ("white", "wooden"),
                run=run,
                rise=0,
                newels="low",
                ball=False,
            )
        for i in range(4):
            with r.back(1.5 + 0.95 * i, 1.55 + 0.66 * i):
                picture_frame(0.55, 0.6, rng, frame=("ebony", "oak", "white", "cherry")[i])
        with r.back(4.9, 0.0):
            panelled_door("white", panels=2)
        with r.floor(3.75, 3.4):
            bookcase(0.9, 1.25, rng, "white")
        with r.floor(0.4, 2.1), at(0, 0.3):
            plant(rng, height=1.1, pot="orange")
        with r.floor(2.4, 1.9):
            rug(2.4, 1.3, "yellow", border="white")
        with r.floor(2.6, 2.0, 50):
            lying_cat("grey")
        with r.floor(5.2, 2.9, 20):
            shoes("red")
        r.window("left", 2.4, 1.0, 1.2, 1.5)
        daylight(r, strength=3.0, from_=(-4, -1, 4), fill=140)
        with at(0, 0, 0, 90):
            outdoors(14)
    camera((3.2, -1.15, 1.65), (2.95, 3.4, 1.65), lens=22)


def _well(rng: Random) -> None:
    """Looking down a square stairwell: flight below flight with a dark handrail, doors and lamps on every floor."""
    cream, red = m.paint((0.72, 0.66, 0.5), 0.8), m.wood("cherry", along="y")
    steps, run, rise, half, wide = 7, 0.27, 0.165, 0.95, 1.15
    high = steps * rise
    flights = 9
    iron = m.paint("dark green", 0.4)
    for k in range(flights):
        with at(0, 0, k * high, 90 * k):
            with at(half + wide / 2, -half):
                flight(steps, wide, m.wood("oak"), cream, ("brown", "wooden"), rise=rise, run=run, style="slab")
            with at(half, -half):
                banister(
                    steps, 0.03, "rods", red, iron, ("green", "iron"), rise=rise, run=run, newels="low", ball=False
                )
            with scenery():
                box(half + wide / 2, half + wide / 2, high - 0.16, wide, wide, 0.16, m.wood("oak"))
            if k % 2 == 0:
                with at(half + wide - 0.01, half + wide / 2, high, -90):
                    panelled_door(("red", "light blue", "yellow", "green", "orange")[k // 2 % 5], panels=2)
            else:
                with at(half + wide - 0.01, half + wide / 2, high + 1.9, -90):
                    wall_lamp("beige", power=14)
            bulb(0.2, 0.1, high - 0.1, 7, colour=NEUTRAL, radius=0.3)
    outer = half + wide
    total = flights * high + 3.2
    with scenery():
        for k in range(4):
            with at(0, 0, 0, 90 * k):
                box(outer + 0.06, 0, 0, 0.12, 2 * outer + 0.24, total, m.paint((0.42, 0.56, 0.52), 0.9), bevel=0)
        box(0, 0, -0.1, 2 * outer, 2 * outer, 0.1, m.checks("white", "dark grey", 0.35), bevel=0)
        box(0, 0, total, 2 * outer, 2 * outer, 0.1, m.paint("white"), bevel=0)
    with at(0, 0, 0.0):
        plant(rng, height=1.2, pot="white")
    panel_light(0, 0, total - 0.1, 90, size=2.0)
    level = flights * high
    camera((0.45, -0.62, level + 0.95), (-0.22, 0.3, level - 4.2), lens=17, exposure=-0.1)


def _curved(rng: Random) -> None:
    """A hotel's sweeping curved stairs of marble with a blue carpet and golden rails, in the evening."""
    with Room(
        6.0,
        7.2,
        4.8,
        walls=m.paint((0.5, 0.2, 0.22), 0.9),
        floor_of=m.mottled((0.66, 0.6, 0.52), (0.8, 0.76, 0.7), 0.5, 0.12),
    ) as r:
        marble = m.mottled((0.66, 0.64, 0.6), (0.84, 0.83, 0.8), 0.4, 0.2)
        gold = m.metal("gold")
        with r.floor(1.9, 3.3):
            turning_stairs(
                15,
                1.45,
                3.05,
                7,
                marble,
                marble,
                ("white", "curved", "marble"),
                rise=0.17,
                start=-14,
                solid=True,
                rails="inner outer",
                rail=gold,
                posts=m.paint((0.05, 0.04, 0.03), 0.4),
                rail_words=("golden",),
                carpet="blue",
            )
        top = 15 * 0.17
        with scenery():
            box(0.95, 5.6, top - 0.2, 1.9, 3.3, 0.2, marble)
        with at(0.05, 4.0, top, -90):
            banister(6, 0, "rods", gold, m.paint((0.05, 0.04, 0.03), 0.4), ("golden",), rise=0, newels="none")
        with r.back(4.0, 2.1):
            picture_frame(1.3, 1.5, rng, frame="oak")
        with r.left(6.0, top):
            panelled_door("white", panels=3)
        with r.floor(0.9, 4.9):
            plant(rng, height=1.6, pot="white")
        with r.floor(5.3, 2.4):
            plant(rng, height=1.5, pot="white")
        with r.floor(2.6, 3.2):
            chandelier(4.8, drop=1.0, power=24)
        for y in (2.2, 4.4):
            with r.right(y, 2.9 if y > 3 else 1.9):
                wall_lamp("beige", power=25)
        with r.left(2.6, 1.9):
            wall_lamp("beige", power=25)
        panel_light(3.0, 2.6, 4.7, 150, size=2.5)
        panel_light(2.0, -0.5, 2.5, 35, size=1.5, toward=(3.5, 4, 1))
    camera((2.75, -0.35, 1.55), (3.0, 4.5, 1.55), lens=21, exposure=0.25)
