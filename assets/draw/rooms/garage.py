"""Garages: always with a car seen clearly, most with their door."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.basic import put
from draw.furniture.storage import stocked_shelf
from draw.furniture.tools import (
    broom,
    fluorescent,
    jerry_can,
    long_ladder,
    pegboard,
    radio,
    stepladder,
    tool_box,
    tool_chest,
    vise,
    workbench,
)
from draw.furniture.vehicles import bicycle, car, garage_door, tyres, wheel
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


@room("garage")
def garage(rng: Random, take: int) -> None:
    """A car in its garage."""
    (_red_nose, _open_door, _jeep_at_night, _two_cars, _wheel_off, _from_the_drive)[take - 1](rng)


def _tubes(r: Room, power: float, *, count: int = 2, colour: tuple[float, float, float] = COOL) -> None:
    """Tube lamps along the ceiling, with their light."""
    for i in range(count):
        with at(r.width / 2, r.depth * (i + 0.6) / (count + 0.2), r.height):
            fluorescent(1.4)
            panel_light(0, 0, -0.12, power, size=1.5, colour=colour)


def _red_nose(rng: Random) -> None:
    """A red car looks at the viewer before the closed white door; shelves left, tool chest right."""
    with Room(5.0, 6.2, 2.7, walls=m.paint("light grey", 0.9), floor_of=m.concrete((0.36, 0.36, 0.35))) as r:
        with r.back(2.6):
            garage_door(3.4, 2.25)
        with r.floor(2.75, 3.55, 14):
            car("red")
        for y in (3.1, 4.7):
            with r.left(y):
                stocked_shelf(rng, 1.5, 0.45, 2.0, 4, stock="card card cans crate files")
        with r.right(4.6):
            tool_chest("blue")
        with r.right(2.6, 1.15):
            pegboard(
                1.8, 1.0, [["hammer", "saw", "clamp", "square"], ["spanner", "pliers", "drill", "screwdriver"]], rng
            )
        with r.floor(4.5, 2.5):
            tyres(4)
        with r.floor(0.75, 1.75, 20):
            jerry_can("green")
        _tubes(r, 75)
        sky(0.5)
    camera((1.25, -0.35, 1.5), (2.85, 3.6, 0.85), lens=22, exposure=-0.1)


def _open_door(rng: Random) -> None:
    """Sun falls through the open door past a blue saloon about to leave; bicycle and ladder on the walls."""
    with Room(6.4, 6.0, 2.7, walls=m.paint("white", 0.9), floor_of=m.concrete((0.42, 0.4, 0.37)), skirting=False) as r:
        r.opening("back", 2.9, 0, 3.6, 2.25)
        with r.back(2.9):
            garage_door(3.6, 2.25, "light grey", windows=False, raised=True)
        with r.floor(2.75, 2.75, 168):
            car("blue", "saloon")
        with r.right(3.4, 1.0):
            bicycle("orange")
            for x in (-0.5, 0.5):
                tube([(x, 0.02, 0.72), (x, -0.12, 0.72)], 0.012, m.paint("black", 0.5))
        with r.back(5.55):
            stocked_shelf(rng, 1.3, 0.45, 2.1, 4, "birch", stock="card crate cans case")
        with r.left(4.6):
            long_ladder(2.4)
        with scenery():
            box(2.9, 12, -0.12, 3.8, 12, 0.1, m.concrete((0.5, 0.48, 0.44)))
        outdoors(19, z=-0.14)
        sky(1.0)
        sun(3.5, from_=(-3.0, 6, 4.5))
        panel_light(3.2, 2.0, 2.6, 120, size=2.5)
        with r.left(2.2):
            tool_chest("yellow", width=0.8)
        with r.left(2.2, 1.2):
            pegboard(1.5, 0.9, [["hammer", "saw", "clamp"], ["spanner", "pliers", "drill"]], rng, "light blue")
        with r.floor(4.9, 1.9):
            tyres(2)
    camera((4.7, -0.9, 1.65), (2.85, 3.6, 0.9), lens=21, exposure=-0.25)


def _jeep_at_night(rng: Random) -> None:
    """A dark green jeep with its lamps on in a brick garage, lit by two bulbs."""
    with Room(
        5.2,
        6.4,
        2.9,
        walls=m.bricks(plane="xz"),
        floor_of=m.concrete((0.3, 0.28, 0.26)),
        ceiling=m.planks("walnut"),
        skirting=False,
    ) as r:
        for side in ("left", "right"):
            with r._wall(side), scenery():
                box(3.2, -0.02, 0, 6.4, 0.03, 2.9, m.bricks(plane="xz"), bevel=0)
        with r.back(2.1):
            garage_door(3.1, 2.3, "brown", windows=False)
        with r.floor(1.95, 3.75, -14):
            car("dark green", "jeep", lit=True, plate="yellow")
        with r.right(3.3):
            bench = workbench(2.4, 0.65, kind="oak")
            with put(bench, 0.8, -0.5, 0.9):
                vise("red")
            with put(bench, -0.3, -0.3, 0.9):
                tool_box("yellow")
            with put(bench, -0.85, -0.3, 0.9):
                radio("red")
        with r.right(3.3, 1.3):
            pegboard(
                2.2,
                1.0,
                [["saw", "hammer", "clamp", "square", "saw"], ["spanner", "spanner", "pliers", "screwdriver", "drill"]],
                rng,
                "dark grey",
            )
        with r.back(4.6):
            broom("blue")
        with r.floor(4.3, 5.6):
            tyres(3)
        for x, y in ((3.3, 2.2), (2.2, 4.6)):
            with thing("bulb", "lit"), at(x, y, 2.9):
                cylinder(0, 0, -0.5, 0.006, 0.5, m.paint("black"))
                cylinder(0, 0, -0.56, 0.03, 0.07, m.paint("black", 0.4))
                cylinder(0, 0, -0.64, 0.045, 0.09, m.glow((1.0, 0.75, 0.45), 9.0), bevel=0.03)
                bulb(0, 0, -0.7, 110)
        sky(0.12)
        panel_light(2.6, 0.2, 2.6, 45, size=1.5, colour=WARM, toward=(2.2, 3.6, 0.6))
    camera((4.0, -0.55, 1.5), (2.35, 3.6, 0.95), lens=21, exposure=0.35)


def _two_cars(rng: Random) -> None:
    """A double garage with a yellow and a white car side by side, seen at an angle from their noses."""
    with Room(
        7.4, 6.4, 2.7, walls=m.paint((0.55, 0.62, 0.68), 0.9), floor_of=m.tiles("light grey", "grey", 0.5, 0.25)
    ) as r:
        for x in (1.95, 5.4):
            with r.back(x):
                garage_door(2.9, 2.2, "light grey")
        with r.floor(2.1, 3.5, 8):
            car("yellow")
        with r.floor(5.0, 3.8, -6):
            car("grey", "saloon")
        with r.left(4.4):
            tool_chest("red")
        with r.left(2.9):
            stocked_shelf(rng, 1.3, 0.4, 1.9, 4, "grey", stock="cans crate files card", colours=("red", "blue"))
        with r.right(4.6):
            stocked_shelf(rng, 1.6, 0.45, 2.0, 4, stock="crate card crate", colours=("green", "orange", "light blue"))
        with r.right(2.9, 1.1):
            bicycle("red")
            for x in (-0.5, 0.5):
                tube([(x, 0.02, 0.72), (x, -0.12, 0.72)], 0.012, m.paint("black", 0.5))
        with r.floor(3.5, 4.6):
            stepladder(1.5, "orange")
        for x in (1.9, 5.4):
            with at(x, 3.4, r.height):
                fluorescent(1.5)
                panel_light(0, -0.6, -0.12, 85, size=1.8)
        sky(0.4)
    camera((3.4, -1.3, 1.65), (3.65, 3.6, 0.85), lens=20, exposure=-0.1)


def _wheel_off(rng: Random) -> None:
    """An orange car stands on trestles with a wheel off, seen from its side; a window and shelves of paint behind."""
    with Room(6.2, 5.0, 2.8, walls=m.paint("beige", 0.9), floor_of=m.checks("light grey", "dark grey", 0.4, 0.35)) as r:
        r.window("back", 4.7, 1.15, 1.3, 0.95)
        with r.floor(2.9, 2.75, 82):
            car("orange")
        with r.back(1.3):
            stocked_shelf(rng, 1.9, 0.4, 2.2, 5, "steel", stock="cans cans jars card crate", top=False)
        with r.back(3.2, 1.3):
            pegboard(
                1.5,
                1.1,
                [["hammer", "saw", "clamp", "clamp"], ["spanner", "spanner", "pliers", "screwdriver", "screwdriver"]],
                rng,
                None,
            )
        with r.right(3.9):
            tool_chest("green", width=0.8, height=1.1)
        with r.floor(3.0, 1.05), thing("wheel", "black"):
            with tilted(0, 0, 0.33, by=-9), at(turn=75):
                wheel(0.33)
        with r.floor(4.25, 1.1, -25):
            tool_box("blue")
        with r.floor(4.9, 1.5, 15):
            jerry_can("red")
        with r.floor(1.05, 1.0), thing("creeper", "red"):
            box(0, 0, 0.09, 1.0, 0.45, 0.05, m.paint("red", 0.5), bevel=0.02)
            box(-0.4, 0, 0.14, 0.2, 0.36, 0.06, m.paint("black", 0.7), bevel=0.03)
            for dx in (-0.42, 0.42):
                for dy in (-0.17, 0.17):
                    cylinder(dx, dy, 0.045, 0.045, 0.03, m.paint("black", 0.5), axis="y")
        _tubes(r, 95, colour=NEUTRAL)
        outdoors(16)
        sky(0.9)
        sun(2.5, from_=(2, 6, 4))
    camera((3.3, -1.35, 1.5), (2.95, 3.0, 0.95), lens=22, exposure=-0.2)


def _from_the_drive(rng: Random) -> None:
    """A house's garage seen from its drive, the door rolled up over a light blue car's nose."""
    wall, trim = m.bricks((0.5, 0.42, 0.34), "light grey"), m.paint("white", 0.4)
    with Room(4.6, 6.0, 2.6, walls=m.paint("white", 0.9), floor_of=m.concrete((0.4, 0.4, 0.39))) as r:
        with r.floor(2.15, 1.75, 9):
            car("light blue", "hatchback")
        for y in (1.5, 3.2):
            with r.right(y):
                stocked_shelf(rng, 1.5, 0.42, 2.0, 4, stock="card crate cans card")
        with r.left(1.6, 1.1):
            pegboard(
                1.8, 1.0, [["saw", "hammer", "clamp", "square"], ["spanner", "pliers", "drill", "screwdriver"]], rng
            )
        with r.back(2.3):
            workbench(2.0)
        _tubes(r, 80)
        with scenery():
            for x in (-1.55, 6.15):
                box(x, -0.1, -0.05, 3.7, 0.25, 2.34, wall, bevel=0)
            box(2.3, -0.1, 2.3, 12, 0.25, 1.1, wall, bevel=0)
            for x in (0.27, 4.33):
                box(x, -0.13, 0, 0.16, 0.35, 2.3, trim)
            box(2.3, -0.13, 2.26, 4.2, 0.35, 0.16, trim)
            box(2.3, -6, -0.12, 4.6, 12, 0.12, m.tiles("light grey", "grey", 0.4, 0.8), bevel=0)
            box(2.3, -6, -0.16, 40, 14, 0.1, m.grass(), bevel=0)
            box(2.3, 0.2, 3.3, 12, 1.0, 0.14, m.paint("dark grey", 0.7))
        with at(2.3, 0.02, 0, 180):
            with at(0, 0.0):
                garage_door(4.0, 2.2, "white", raised=True)
        for x in (-0.55, 5.15):
            with thing("wall lamp", "black"), at(x, -0.3, 1.85):
                box(0, 0.03, 0, 0.1, 0.06, 0.18, m.paint("black", 0.4))
                cylinder(0, -0.08, -0.02, 0.06, 0.2, m.glow((1.0, 0.8, 0.5), 1.5))
                cylinder(0, -0.08, 0.18, 0.075, 0.03, m.paint("black", 0.4))
        with at(-0.15, -0.6), thing("bush", "green"):
            for _ in range(40):
                sphere(
                    rng.gauss(0, 0.22),
                    rng.gauss(0, 0.12),
                    0.35 + rng.gauss(0, 0.18),
                    rng.uniform(0.07, 0.13),
                    m.leaf(rng.uniform(0.6, 1.4)),
                )
        with at(4.62, -0.75, 0, 12):
            bicycle("red", basket=True)
        sky(0.9)
        sun(3.0, from_=(-3, -6, 6))
    camera((3.5, -3.7, 1.55), (2.35, 1.5, 1.0), lens=24, exposure=-0.35)
