"""Kitchens: a stove under a hood, a sink with a tap, a fridge and cabinets are what tells them."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import kitchen as k
from draw.furniture import seating
from draw.furniture import tableware as t
from draw.furniture.basic import ceiling_lamp, chair, clock, plant, put, rug, table, vase
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import WARM, box, bulb, camera, cylinder, leave_out, panel_light, scenery, sky, thing, tube

TOP = k.TOP


@room("kitchen")
def kitchen(rng: Random, take: int) -> None:
    """Draw a kitchen."""
    (_country, _island, _galley, _rustic, _retro, _worktop)[take - 1](rng)


def _country(rng: Random) -> None:
    """Light green framed cabinets along the back wall, a table with fruit at the left, morning sun."""
    with Room(4.8, 3.6, walls=m.paint("white", 0.9), floor_of=m.tiles("beige", "light grey", 0.4)) as r:
        r.window("back", 1.0, 1.1, 1.2, 1.05, curtain=None)
        with r.back(0.1):
            top = k.units(
                [("drawers", 0.5), ("doors", 0.8), ("washer", 0.6), ("doors", 0.5)],
                "light green",
                style="knob",
                worktop="oak",
            )
            with put(top, 0.9, 0, 0):
                k.sink()
            with put(top, 0.22, -0.28, TOP):
                k.mixer("red")
            with put(top, 1.62, -0.3, TOP):
                k.dish_rack()
            with put(top, 2.2, -0.3, TOP):
                k.utensils()
        with r.back(2.83):
            cooker = k.stove("white")
            k.hood(z=1.6)
            with put(cooker, -0.13, -0.19, TOP + 0.03):
                k.pot("red")
            with put(cooker, 0.13, -0.43, TOP + 0.03):
                k.pot("steel", radius=0.1, height=0.11)
        with r.back(3.14):
            top = k.units([("drawers", 0.6)], "light green", style="knob", worktop="oak")
            with put(top, 0.3, -0.3, TOP):
                k.toaster("white")
        with r.back(1.72, 1.5):
            k.wall_units([0.4, 0.4], "light green", style="knob", glazed=[1])
        with r.back(3.14, 1.5):
            k.wall_units([0.6], "light green", style="knob")
        with r.back(0.1, TOP):
            k.splash(1.6, 0.17, "white")
        with r.back(1.7, TOP):
            k.splash(2.0, 0.62, "white")
        with r.back(4.2):
            k.fridge("white", magnets=True)
        with r.floor(1.05, 1.35):
            desk = table(1.3, 0.85, kind="pine")
        with put(desk, 1.1, 1.4, 0.74):
            t.fruit_bowl("white", ["apple", "orange", "lemon", "green apple", "apple", "orange"])
        with put(desk, 1.5, 1.2, 0.74):
            t.mug("blue")
        with r.floor(1.95, 1.5, -75):
            chair("pine")
        with r.floor(0.95, 2.1):
            chair("pine")
        with r.left(2.2, 1.75):
            clock()
        with r.floor(2.7, 2.1, 5):
            rug(1.5, 0.7, "light blue", border="white")
        daylight(r, from_=(-2, 5, 4), fill=55)
        outdoors(16)
    camera((3.9, 0.2, 1.6), (2.05, 3.2, 1.0), lens=20)


def _island(rng: Random) -> None:
    """Dark blue cabinets with built-in ovens behind an island with stools, in the light of pendant lamps."""
    with Room(5.4, 4.4, 2.8, walls=m.paint("light grey", 0.9), floor_of=m.planks("oak")) as r:
        with r.back(0.5):
            k.fridge("steel", height=1.95, width=0.8)
        with r.back(1.25):
            k.oven_tower("dark blue")
        with r.back(1.58):
            top = k.units(
                [("drawers", 0.8), ("doors", 0.8), ("drawers", 0.6), ("doors", 1.4)], "dark blue", worktop="white"
            )
            with put(top, 1.15, 0, 0), thing("hob", "black"):
                k.hob(gas=False)
            with put(top, 1.02, -0.42, TOP + 0.01):
                k.pot("orange")
            with put(top, 1.3, -0.2, TOP + 0.01):
                k.kettle("steel")
            with put(top, 1.95, -0.2, TOP):
                k.knife_block()
            with put(top, 3.0, 0, 0):
                k.sink(tap="brass")
            with put(top, 2.35, -0.3, TOP):
                k.toaster("red")
            with put(top, 0.3, -0.25, TOP):
                t.bottle("dark green")
            with put(top, 0.45, -0.22, TOP):
                t.jar()
        with r.back(2.73):
            k.hood(width=0.8, room_height=2.8, z=1.62)
        with r.back(1.58, TOP):
            k.splash(3.6, 0.62, "white", 0.15)
        with r.back(3.3, 1.55):
            k.wall_units([0.6, 0.6, 0.6], "dark blue", height=0.8)
        with r.floor(2.6, 2.0), k.island(2.4, "white", worktop="oak", depth=0.95) as top:
            with put(top, -0.7, 0.05, TOP):
                t.fruit_bowl("cyan", ["orange", "lemon", "orange", "green apple", "lemon", "orange"])
            with put(top, 0.1, 0.0, TOP):
                k.cutting_board("tomatoes")
            with put(top, 0.75, 0.1, TOP):
                t.bottle("dark green", label="white")
            with put(top, 0.95, 0.0, TOP):
                t.wine_glass()
        for x in (1.75, 2.6, 3.45):
            with r.floor(x, 1.3, 180):
                seating.stool("oak", 0.66)
        for x in (1.85, 2.6, 3.35):
            with r.floor(x, 2.0):
                ceiling_lamp(2.8, 0.95, colour="yellow", radius=0.17)
        sky(0.15)
        panel_light(2.7, 3.0, 2.75, 55, size=2.4, colour=WARM)
        with scenery():
            box(3.4, 4.25, 1.53, 3.4, 0.05, 0.015, m.glow((1, 0.85, 0.6), 4.0), bevel=0)
    camera((4.1, 0.1, 1.65), (2.25, 3.2, 1.05), lens=19, exposure=0.6)


def _galley(rng: Random) -> None:
    """A narrow kitchen between two rows of red and white cabinets, towards the window at its end."""
    with Room(2.5, 4.4, 2.7, walls=m.paint("white", 0.9), floor_of=m.checks("dark grey", "white", 0.3)) as r:
        r.window("back", 1.25, 1.0, 1.1, 1.3, panes=(2, 2))
        with r.left(1.2):
            top = k.units([("drawers", 0.6)], "red", worktop="light grey")
            with put(top, 0.3, -0.3, TOP):
                k.cutting_board("bread")
        with r.left(2.12):
            cooker = k.stove("steel")
            k.hood(z=1.55, room_height=2.7)
            with put(cooker, -0.13, -0.43, TOP + 0.03):
                k.pot("blue")
            with put(cooker, 0.13, -0.2, TOP + 0.03):
                k.pan()
        with r.left(2.44):
            top = k.units([("doors", 0.6), ("drawers", 0.6), ("doors", 0.7)], "red", worktop="light grey")
            with put(top, 0.3, -0.25, TOP):
                k.utensils()
            with put(top, 0.95, -0.3, TOP):
                k.kettle("steel")
        with r.left(1.2, 1.5):
            k.wall_units([0.6], "red")
        with r.left(2.44, 1.5):
            k.wall_units([0.6, 0.6, 0.6], "red", glazed=[1])
        with r.left(1.2, TOP):
            k.splash(3.2, 0.6, "white", 0.1)
        with r.right(3.98):
            k.fridge("white", magnets=True)
        with r.right(3.62):
            top = k.units(
                [("drawers", 0.6), ("doors", 0.8), ("washer", 0.6), ("doors", 0.6)], "red", worktop="light grey"
            )
            with put(top, 1.1, 0, 0):
                k.sink()
            with put(top, 1.75, -0.3, TOP):
                k.dish_rack()
            with put(top, 0.35, -0.3, TOP):
                k.toaster("light blue")
            with put(top, 2.3, -0.3, TOP):
                plant(rng, height=0.35, pot="white")
        with r.right(2.6, 1.55):
            k.shelf(1.8, "oak", things="dishes", rng=rng)
        with r.floor(1.25, 2.6):
            rug(0.7, 1.6, "light blue", border="blue")
        with r.floor(1.25, 2.2):
            ceiling_lamp(2.7, 0.35, colour="white")
        daylight(r, from_=(0.5, 5, 4), fill=50)
        outdoors(16)
    camera((1.2, 0.35, 1.6), (1.27, 4.0, 0.98), lens=17)


def _rustic(rng: Random) -> None:
    """A farmhouse kitchen: brick wall, wooden cabinets, copper pans, a cream stove and a worn table with bread."""
    with Room(
        5.0,
        4.0,
        2.6,
        walls=m.bricks((0.5, 0.3, 0.2), "beige"),
        floor_of=m.tiles((0.4, 0.14, 0.07), (0.12, 0.05, 0.03), 0.3, 0.5),
    ) as r:
        r.window("left", 2.5, 1.1, 1.2, 1.0, curtain=m.checks("red", "white", 0.08), curtain_words=("red",))
        with r.back(0.05):
            top = k.units([("open", 0.8), ("doors", 0.8)], "pine", style="knob", worktop="oak")
            with put(top, 0.4, -0.3, TOP):
                k.crate("apple")
            with put(top, 1.15, -0.3, TOP):
                t.jug("blue")
            with put(top, 1.4, -0.3, TOP):
                k.utensils()
        with r.back(2.15):
            cooker = k.stove("beige", width=0.95)
            k.hood("chimney", width=0.95, z=1.65)
            with put(cooker, -0.2, -0.2, TOP + 0.03):
                k.pot("copper", radius=0.14, height=0.18)
            with put(cooker, 0.22, -0.42, TOP + 0.03):
                k.kettle("red")
        with r.back(2.65):
            top = k.units([("doors", 0.9), ("drawers", 0.6), ("open", 0.6)], "pine", style="knob", worktop="oak")
            with put(top, 0.45, 0, 0):
                k.sink(tap="brass")
            with put(top, 1.1, -0.3, TOP):
                k.cutting_board("tomatoes")
            with put(top, 1.7, -0.25, TOP):
                t.bottle("orange")
            with put(top, 1.85, -0.3, TOP):
                t.jar("green")
        with r.back(0.85, 1.5):
            k.hanging_rail(1.4)
        with r.back(0.85, 1.85):
            k.shelf(1.5, "pine", things="jars", rng=rng)
        for z in (1.4, 1.85):
            with r.back(3.75, z):
                k.shelf(1.9, "pine", things="dishes", rng=rng)
        with r.floor(2.3, 1.7, 4):
            desk = table(1.9, 0.9, kind="walnut")
            with put(desk, -0.45, 0.1, 0.74):
                t.bread()
            with put(desk, -0.15, -0.1, 0.74, 20):
                t.bread("baguette")
            with put(desk, 0.35, 0.1, 0.74):
                t.bowl("yellow", radius=0.16, inside="red")
            with put(desk, 0.7, -0.1, 0.74):
                vase("white", "yellow", rng)
        with r.floor(1.7, 2.5):
            chair("pine")
        with r.floor(2.9, 2.5):
            chair("pine")
        with r.right(3.3):
            top = k.units([("doors", 0.9), ("open", 0.7)], "pine", style="knob", worktop="oak")
            with put(top, 0.5, -0.3, TOP):
                k.crate("orange")
            with put(top, 1.2, -0.3, TOP):
                plant(rng, height=0.45, pot="orange")
        for z in (1.5, 1.9):
            with r.right(2.5, z):
                k.shelf(1.5, "pine", things="dishes" if z < 1.6 else "jars", rng=rng)
        with r.floor(2.3, 1.7):
            ceiling_lamp(2.6, 0.6, colour="dark green", radius=0.24)
        daylight(r, from_=(-6, 1, 4), fill=85, strength=3.5)
    leave_out("jar", only_words=True)  # the reference game chose its pictures without them
    camera((0.75, 0.0, 1.5), (2.75, 3.4, 0.98), lens=19, exposure=0.5)


def _retro(rng: Random) -> None:
    """A corner of yellow cabinets with a light blue fridge and a round table, at night under one lamp."""
    with Room(4.0, 3.6, 2.6, walls=m.paint("light blue", 0.9), floor_of=m.checks("red", "white", 0.32)) as r:
        r.window("back", 2.55, 1.1, 0.9, 1.0, curtain=m.fabric("orange"), curtain_words=("orange",))
        with r.back(0.72):
            k.fridge("pink", height=1.65)
        with r.back(1.08):
            top = k.units([("drawers", 0.5), ("doors", 0.55), ("doors", 0.9), ("none", 0.9)], "yellow", worktop="white")
            with put(top, 1.5, 0, 0):
                k.sink()
            with put(top, 0.3, -0.3, TOP):
                k.toaster("light blue")
            with put(top, 0.72, -0.3, TOP):
                t.jar("red")
            with put(top, 0.88, -0.3, TOP):
                t.jar("yellow")
            with put(top, 2.45, -0.3, TOP):
                k.mixer("pink")
        with r.right(2.96):
            top = k.units([("doors", 0.55)], "yellow", worktop="white")
        with r.right(2.08):
            cooker = k.stove("white", gas=False)
            with put(cooker, 0.13, -0.43, TOP + 0.01):
                k.pot("green")
            with put(cooker, -0.13, -0.2, TOP + 0.01):
                k.pan()
            k.hood("flat", z=1.55)
        with r.right(1.76):
            top = k.units([("drawers", 0.6)], "yellow", worktop="white")
            with put(top, 0.3, -0.3, TOP):
                k.knife_block()
        with r.back(1.1, 1.5):
            k.wall_units([0.45, 0.45], "yellow")
        with r.right(3.25, 1.5):
            k.wall_units([0.42, 0.42], "yellow")
        with r.back(1.08, TOP):
            k.splash(2.9, 0.2, "cyan", 0.1)
        with r.floor(1.45, 1.55):
            with thing("table", "white", "round") as round_:
                cylinder(0, 0, 0.7, 0.5, 0.035, m.paint("white", 0.2), bevel=0.01)
                cylinder(0, 0, 0.02, 0.035, 0.69, m.metal("chrome"))
                cylinder(0, 0, 0, 0.26, 0.025, m.metal("chrome"), bevel=0.006)
            with put(round_, 0.18, 0.15, 0.735):
                t.plate("red", food="cookies")
            with put(round_, -0.2, -0.05, 0.735):
                t.mug("yellow")
            with put(round_, 0.2, -0.22, 0.735):
                t.bottle("white", style="milk", label=None, height=0.24)
        for x, y, turn in ((0.85, 1.75, 70), (2.05, 1.85, -60)):
            with r.floor(x, y, turn):
                chair("birch", "red")
        with r.back(1.55, 2.3, 0.03):
            clock(0.14, "orange")
        with r.floor(1.45, 1.6):
            ceiling_lamp(2.6, 0.75, colour="red", radius=0.22)
        sky(0.04, (0.05, 0.08, 0.2), (0.02, 0.03, 0.1))
        panel_light(2.0, 1.7, 2.55, 38, size=1.8, colour=WARM)
    camera((0.5, -0.5, 1.6), (2.45, 2.9, 0.95), lens=20, exposure=0.35)


def _worktop(rng: Random) -> None:
    """A close view of a long worktop in walnut and black: hob with pots, sink with dishes, shelves above."""
    with Room(5.2, 3.2, 2.6, walls=m.paint((0.55, 0.5, 0.43), 0.9), floor_of=m.concrete()) as r:
        r.window("right", 1.7, 1.0, 1.5, 1.2)
        with r.back(0.3):
            top = k.units(
                [("drawers", 0.8), ("drawers", 0.9), ("doors", 0.5), ("washer", 0.6), ("doors", 1.0)],
                "walnut",
                style="bar",
                worktop="light grey",
            )
            with put(top, 1.25, 0, 0), thing("hob", "black"):
                k.hob(width=0.6)
            with put(top, 1.1, -0.2, TOP + 0.03):
                k.pot("yellow", radius=0.13, height=0.18)
            with put(top, 1.4, -0.43, TOP + 0.03):
                k.pan()
            with put(top, 0.35, -0.32, TOP):
                k.cutting_board("tomatoes")
            with put(top, 0.72, -0.2, TOP):
                t.bottle("yellow")
            with put(top, 1.83, -0.22, TOP):
                k.utensils()
            with put(top, 2.05, -0.25, TOP):
                k.kettle("steel")
            with put(top, 2.95, 0, 0):
                k.sink(bowls=2, rack=False)
            with put(top, 3.6, -0.3, TOP):
                k.dish_rack()
        with r.back(1.55):
            k.hood(width=0.7, z=1.6)
        with r.back(0.3, TOP):
            k.splash(3.9, 0.6, "dark green", 0.1)
        with r.back(2.7, 1.6):
            k.shelf(1.5, "walnut", things="dishes", rng=rng)
        with r.back(2.7, 2.0):
            k.shelf(1.5, "walnut", things="jars", rng=rng)
        with r.back(0.72, 1.62):
            k.shelf(0.8, "walnut", things="jars", rng=rng)
        with r.back(4.62):
            k.fridge("black", height=1.95, width=0.72)
        with scenery():
            tube([(0.4, 2.9, 2.55), (4.2, 2.9, 2.55)], 0.012, m.metal("iron"))
            for x in (0.9, 2.2, 3.5):
                cylinder(x, 2.9, 2.4, 0.045, 0.13, m.metal("iron"))
                bulb(x, 2.8, 2.35, 5)
        daylight(r, from_=(6, 0.5, 3.5), fill=55, strength=3)
    camera((1.9, 0.55, 1.55), (2.15, 3.0, 1.12), lens=19, exposure=0.2)
