"""Gyms: machines and weights."""

from __future__ import annotations

from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import clock, plant
from draw.furniture.sport import (
    barbell,
    bench_press,
    cable_machine,
    cross_trainer,
    dumbbell,
    dumbbell_rack,
    exercise_ball,
    exercise_bike,
    kettlebell,
    plate_tree,
    power_rack,
    punching_bag,
    rower,
    treadmill,
    wall_bars,
    wall_mirror,
    yoga_mat,
)
from draw.furniture.tools import fluorescent
from draw.room import Room, outdoors
from draw.rooms import room
from draw.stage import COOL, NEUTRAL, WARM, at, box, camera, lettering, panel_light, scenery, sky, sun, thing, tube


@room("gym")
def gym(rng: Random, take: int) -> None:
    """Machines, weights and mirrors."""
    (_treadmills, _dumbbells, _racks, _bikes, _at_home, _machines)[take - 1](rng)


def _front_wall(r: Room, walls: Any) -> None:
    """A wall behind the viewer, for mirrors to show."""
    with scenery():
        box(r.width / 2, -0.06, 0, r.width, 0.12, r.height, walls, bevel=0)


def _rubber(colour: str = "dark grey") -> Any:
    """A floor of rubber with light specks."""
    dark = m.rgb(colour)
    return m.mottled(dark, tuple(c * 1.9 + 0.02 for c in dark), 0.012, 0.7)


def _treadmills(rng: Random) -> None:
    """Four treadmills in a row before tall windows, seen from behind at an angle."""
    with Room(7.2, 5.6, 3.0, walls=m.paint("white", 0.9), floor_of=_rubber("grey")) as r:
        for x in (1.1, 2.8, 4.5, 6.2):
            r.window("back", x, 0.3, 1.5, 2.2, panes=(1, 2), frame="dark grey")
        for i, x in enumerate((0.95, 2.35, 3.75, 5.15)):
            with r.floor(x, 3.55):
                treadmill("orange", screen=("light blue", "light green", "light blue", "orange")[i])
        with r.right(3.6):
            dumbbell_rack(1.7, ("orange", "dark grey", "light blue"), levels=3)
        with r.floor(4.85, 2.25):
            exercise_ball("orange", 0.32)
        with r.floor(3.5, 2.05, 80):
            yoga_mat("light blue", length=1.7)
        with r.left(3.2, 1.9):
            clock(0.2)
        with r.floor(6.7, 5.1):
            plant(rng, height=1.2, pot="white")
        outdoors(17)
        sky(0.9)
        sun(2.6, from_=(-2, 6, 5))
        panel_light(3.6, 1.5, 2.95, 170, size=3)
    camera((5.6, 0.1, 1.6), (3.3, 3.7, 0.8), lens=20, exposure=-0.3)


def _dumbbells(rng: Random) -> None:
    """Benches under barbells before a wall of mirrors and racks of dumbbells."""
    walls = m.paint((0.5, 0.06, 0.05), 0.85)
    with Room(6.4, 5.2, 2.9, walls=walls, floor_of=_rubber()) as r:
        with r.back(3.2, 0.95):
            wall_mirror(5.8, 1.55, 5)
        for x in (1.75, 4.65):
            with r.back(x):
                dumbbell_rack(2.5, levels=2)
        for x, plates in ((1.55, ("blue", "yellow")), (4.4, ("black", "red"))):
            with r.floor(x, 2.75):
                bench_press("black" if x < 3 else "red", plates)
        with r.floor(2.95, 2.1, 35):
            dumbbell("black", 0.085)
        with r.floor(3.25, 1.8, -20):
            dumbbell("black", 0.085)
        with r.floor(5.8, 2.2, -30):
            plate_tree(("red", "blue", "yellow", "green"))
        for x in (1.6, 4.8):
            with at(x, 2.6, 2.9):
                fluorescent(1.6, 7)
                panel_light(0, 0, -0.12, 75, size=1.6, colour=NEUTRAL)
        _front_wall(r, walls)
        panel_light(3.2, 0.4, 2.8, 60, size=1.5)
        sky(0.3)
    camera((3.1, 0.15, 1.5), (3.15, 3.4, 0.95), lens=19, exposure=0.1)


def _racks(rng: Random) -> None:
    """A power rack, a punching bag and kettlebells in an old brick hall at night."""
    wall = m.bricks((0.42, 0.38, 0.35), "grey")
    with Room(6.6, 5.6, 3.4, walls=wall, floor_of=_rubber(), ceiling=m.concrete(), skirting=False) as r:
        for side in ("left", "right"):
            with r._wall(side), scenery():
                box(2.8, -0.02, 0, 5.6, 0.03, 3.4, wall, bevel=0)
        with r.back(3.2, 2.45), thing("neon sign", "pink"):
            lettering(0, -0.05, 0, "STRONG", 0.62, m.glow("pink", 5.0))
        panel_light(3.2, 5.3, 2.7, 60, size=1.2, colour=(1.0, 0.35, 0.6), toward=(3.2, 3.0, 0))
        with r.floor(3.2, 3.9):
            power_rack("yellow", ("red", "red", "blue"))
        with r.floor(3.2, 2.35), scenery():
            box(0, 0.6, 0, 2.6, 2.6, 0.03, m.wood("birch"))
        with r.floor(3.2, 2.0), at(z=0.03):
            barbell(("red", "yellow"))
        with r.floor(1.1, 3.3):
            punching_bag("red", 3.4, drop=1.1, length=1.2)
        with r.floor(5.6, 3.7, -35):
            plate_tree(("red", "blue", "yellow", "green"))
        for i, colour in enumerate(("red", "blue", "yellow", "green", "black")):
            with r.floor(5.1 + 0.29 * i - 0.1 * (i % 2), 2.35 + 0.1 * (i % 3)):
                kettlebell(colour, 0.1 + 0.012 * i)
        with r.right(4.9, 0.0):
            wall_bars(0.9, 2.5)
        with r.left(1.75):
            dumbbell_rack(1.8, levels=2)
        for x in (1.8, 4.8):
            with thing("ceiling lamp", "black", "lit"), at(x, 2.9, 3.4):
                tube([(0, 0, 0), (0, 0, -0.5)], 0.01, m.paint("black"))
                box(0, 0, -0.62, 0.9, 0.3, 0.1, m.paint("black", 0.5))
                box(0, 0, -0.63, 0.8, 0.22, 0.02, m.glow((1.0, 0.85, 0.65), 6.0))
                panel_light(0, 0, -0.66, 120, size=0.9, colour=WARM)
        sky(0.15)
    camera((2.1, -0.75, 1.55), (3.25, 3.4, 1.15), lens=20, exposure=0.25)


def _bikes(rng: Random) -> None:
    """Rows of exercise bikes in blue and pink light before a screen."""
    with Room(
        6.8, 6.0, 3.0, walls=m.paint((0.1, 0.09, 0.2), 0.8), floor_of=m.planks("oak"), ceiling=m.paint("dark grey", 0.9)
    ) as r:
        with r.back(3.4, 1.35), thing("screen", "large", "lit"):
            box(0, -0.03, 0, 2.9, 0.06, 1.35, m.paint("black", 0.3))
            box(0, -0.065, 0.05, 2.8, 0.01, 1.25, m.glow((0.25, 0.65, 1.0), 1.1), bevel=0)
            lettering(0, -0.075, 0.5, "GO!", 0.55, m.glow((1.0, 1.0, 1.0), 2.5))
        for j, y in enumerate((2.05, 3.6, 4.9)):
            for i in range(4):
                with r.floor(0.95 + i * 1.55 + 0.3 * (j % 2), y, 62):
                    exercise_bike(("yellow", "cyan", "orange")[j])
        for x, colour in ((0.07, (1.0, 0.15, 0.6)), (6.73, (0.15, 0.45, 1.0))):
            for y in (2.0, 4.0):
                with thing("light strip", "pink" if x < 1 else "blue", "lit"):
                    box(x, y, 0.25, 0.04, 0.06, 2.3, m.glow(colour, 5.0))
            panel_light(3.4 + (x - 3.4) * 0.9, 3.0, 1.6, 150, size=2.2, colour=colour, toward=(3.4, 3.0, 0.8))
        panel_light(3.4, 1.6, 2.95, 95, size=2.2, colour=NEUTRAL)
        sky(0.25)
    camera((3.9, -0.85, 1.75), (3.35, 3.5, 0.95), lens=20, exposure=0.2)


def _at_home(rng: Random) -> None:
    """A small sunny gym with a wooden floor: one treadmill, one bike, mats, balls and wall bars."""
    with Room(5.0, 4.6, 2.7, walls=m.paint((0.62, 0.74, 0.62), 0.9), floor_of=m.planks("oak")) as r:
        r.window("left", 2.9, 0.8, 1.8, 1.4)
        with r.back(2.3):
            wall_bars(0.95, 2.45)
        with r.back(3.85, 0.3):
            wall_mirror(1.6, 1.9, 2)
        with r.floor(4.1, 2.6, -28):
            treadmill("red")
        with r.floor(1.15, 3.35, 25):
            exercise_bike("red")
        with r.floor(2.35, 1.75, 14):
            yoga_mat("purple")
        with r.floor(1.55, 1.55, 14):
            yoga_mat("green")
        with r.floor(3.15, 3.6):
            exercise_ball("yellow", 0.3)
        with r.floor(2.8, 1.35):
            kettlebell("red", 0.1)
        with r.floor(0.65, 1.95, 40):
            dumbbell("blue", 0.06)
        with r.floor(0.7, 1.7, 10):
            dumbbell("blue", 0.06)
        with r.floor(3.2, 1.75, 100):
            yoga_mat("pink", rolled=True)
        with r.floor(0.5, 4.2):
            plant(rng, height=1.1, pot="beige")
        outdoors(14)
        sky(1.0)
        sun(3.2, from_=(-5, 1.5, 4))
        panel_light(2.5, 1.5, 2.66, 90, size=2)
        _front_wall(r, m.paint((0.62, 0.74, 0.62), 0.9))
    camera((2.75, 0.15, 1.6), (2.45, 3.0, 0.8), lens=18, exposure=-0.05)


def _machines(rng: Random) -> None:
    """Weight machines along the wall, cross-trainers and rowing machines in a bright large hall."""
    with Room(
        8.0,
        6.6,
        3.2,
        walls=m.paint("light grey", 0.9),
        floor_of=m.mottled((0.03, 0.1, 0.2), (0.05, 0.15, 0.3), 0.02, 0.7),
    ) as r:
        with r.back(4.0, 2.5), thing("stripe", "green"):
            box(0, -0.005, 0, 8.0, 0.01, 0.35, m.paint("light green", 0.7), bevel=0)
        for x in (1.0, 2.8, 4.6, 6.4):
            with r.back(x):
                cable_machine("green")
        for i, y in enumerate((2.2, 3.3, 4.4)):
            with r.floor(1.25, y, -20 + 3 * i):
                cross_trainer("dark grey" if i == 1 else "green")
        for y in (2.7, 4.0):
            with r.floor(4.3, y, 160):
                rower("black")
        with r.right(3.0):
            dumbbell_rack(2.0, ("green", "blue", "red"), levels=3)
        with r.floor(6.25, 1.75, 20):
            bench_press("green", ("green", "black"))
        with r.floor(2.85, 1.55):
            exercise_ball("red", 0.3)
        for x in (2.0, 4.2, 6.4):
            with at(x, 3.4, 3.2):
                fluorescent(1.5)
                panel_light(0, 0, -0.12, 105, size=2, colour=COOL)
        sky(0.5)
    camera((4.6, -1.0, 1.8), (3.75, 3.6, 0.95), lens=20, exposure=-0.05)
