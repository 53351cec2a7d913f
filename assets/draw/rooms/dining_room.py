"""Dining rooms: a large laid table among many chairs under a lamp is what tells them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from draw import materials as m
from draw.furniture import dining as d
from draw.furniture import tableware as t
from draw.furniture.basic import ceiling_lamp, chair, clock, picture_frame, plant, put, rug, vase
from draw.furniture.living import fireplace, sideboard
from draw.furniture.seating import bench
from draw.furniture.stairs import chandelier
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import WARM, at, box, bulb, camera, panel_light, scenery, sky

Seat = tuple[float, float, float]
TOP = d.HEIGHT + 0.006


@room("dining room")
def dining_room(rng: Random, take: int) -> None:
    """Draw a dining room."""
    (_classic, _round, _modern, _birthday, _farm, _banquet)[take - 1](rng)


def _seat(seats: Sequence[Seat], make: Callable[[int], object], out: float = 0.17) -> None:
    """Build a chair at every seat, drawn a little from the table, facing it."""
    for i, (x, y, turn) in enumerate(seats):
        a = math.radians(turn)
        with at(x + out * math.sin(a), y - out * math.cos(a), 0, turn + 180):
            make(i)


def _classic(rng: Random) -> None:
    """A long oak table for six by day, a china cabinet and a sideboard, sage walls with pictures."""
    with Room(4.8, 4.2, 2.7, walls=m.paint((0.42, 0.52, 0.4), 0.9), floor_of=m.planks("oak")) as r:
        r.window("left", 2.3, 0.85, 1.5, 1.45, panes=(3, 2), curtain=m.fabric("white"), curtain_words=("white",))
        seats = d.places(2.1, 1.0, 2)
        with r.floor(2.35, 2.05, 6):
            table = d.dining_table(2.1, 1.0, "oak")
            with put(table, 0, 0, d.HEIGHT):
                d.runner(2.0, "red")
            d.lay(table, seats, napkins=("red",))
            with put(table, -0.2, 0, TOP):
                vase("white", "yellow", rng, height=0.22)
            with put(table, 0.25, 0.02, TOP):
                t.fruit_bowl("beige")
            with put(table, 0.55, 0, TOP):
                t.bottle("dark green")
            _seat(seats, lambda i: chair("oak", "red"))
            ceiling_lamp(2.7, 1.0, colour="dark green", radius=0.28)
        with r.floor(2.35, 2.05, 6):
            rug(3.3, 2.5, "beige", border="dark red")
        with r.back(1.2):
            d.china_cabinet("walnut", width=1.4)
        with r.back(3.2):
            board = sideboard("walnut", width=1.5)
            with put(board, -0.45, -0.22, 0.78):
                t.teapot("white")
            with put(board, 0.1, -0.22, 0.78):
                t.jug("blue")
            with put(board, 0.5, -0.22, 0.78):
                t.candle("white")
        with r.back(2.85, 1.35):
            picture_frame(0.6, 0.75, rng, frame="oak")
        with r.back(3.6, 1.35):
            picture_frame(0.6, 0.75, rng, frame="oak")
        with r.back(4.4):
            plant(rng, height=1.2, pot="beige")
        daylight(r, from_=(-6, 2, 4), fill=60, strength=3.5)
    camera((4.35, 0.0, 1.7), (2.1, 2.6, 0.85), lens=20, exposure=0.15)


def _round(rng: Random) -> None:
    """A round white-clothed table for five before wide windows, blue upholstered chairs, a shining ring above."""
    with Room(4.6, 4.0, 2.8, walls=m.paint("white", 0.9), floor_of=m.planks("birch")) as r:
        for x in (1.15, 3.2):
            r.window("back", x, 0.35, 1.5, 2.05, panes=(2, 3), curtain=m.fabric("blue"), curtain_words=("blue",))
        turns = (20, 92, 164, 236, 308)
        seats = [(0.72 * math.sin(math.radians(a)), -0.72 * math.cos(math.radians(a)), a) for a in turns]
        with r.floor(2.2, 2.0):
            table = d.dining_table(1.44, kind="white", style="round", cloth="white")
            d.lay(table, seats, plate="light blue", napkins=("blue",), wine="yellow")
            with put(table, 0.0, 0, TOP):
                vase("blue", "pink", rng, height=0.26)
            _seat(seats, lambda i: d.dining_chair("blue", kind="birch"), out=0.22)
            d.ring_lamp(2.8, 1.0)
            rug(3.1, 3.1, "light grey", round_=True)
        with r.right(2.2):
            board = sideboard("oak", width=1.6)
            with put(board, -0.5, -0.22, 0.78):
                t.cake("pink", cut=True)
            with put(board, 0.05, -0.22, 0.78):
                t.teapot("light blue")
            with put(board, 0.5, -0.22, 0.78):
                t.fruit_bowl("white")
        with r.right(2.2, 1.3):
            picture_frame(1.2, 0.8, rng, frame="white")
        with r.floor(0.45, 3.5):
            plant(rng, height=1.3, pot="white")
        daylight(r, from_=(2, 6, 5), fill=65, strength=3)
        outdoors(14)
    camera((0.7, -0.3, 1.65), (2.4, 2.3, 0.85), lens=20)


def _modern(rng: Random) -> None:
    """A long table seen from its end: eight coloured plastic chairs, three lamps in a row, one large picture."""
    with Room(4.2, 5.0, 2.8, walls=m.paint("light grey", 0.9), floor_of=m.concrete()) as r:
        r.window("right", 3.0, 0.9, 2.2, 1.4, panes=(3, 1), frame="black")
        colours = ("yellow", "yellow", "red", "red", "cyan", "cyan", "orange", "orange")
        seats = d.places(2.8, 1.0, 4, ends=False)
        with r.floor(2.05, 2.75, 90):
            table = d.dining_table(2.8, 1.0, "walnut")
            d.lay(table, seats, plate="white", mat="dark grey", wine="none", food="pasta")
            for x, drink in ((-1.0, "orange"), (-0.3, "red"), (0.4, "orange"), (1.1, "red")):
                for y in (-0.14, 0.14):
                    with put(table, x - 0.1, y, TOP):
                        t.glass_of(drink)
            with put(table, -0.68, 0, TOP):
                t.bowl("white", radius=0.17, inside="green")
            with put(table, 0.05, 0, TOP):
                t.bread("baguette")
            with put(table, 0.75, 0, TOP):
                t.jug("cyan")
            _seat(seats, lambda i: d.dining_chair(colours[i], style="shell", kind="birch"), out=0.2)
        for y in (1.85, 2.75, 3.65):
            with r.floor(2.05, y):
                ceiling_lamp(2.8, 1.05, colour="black", radius=0.2)
        with r.back(2.05, 1.05):
            picture_frame(2.2, 1.25, rng)
        with r.left(3.4):
            board = sideboard("white", width=1.9)
            with put(board, -0.5, -0.22, 0.78):
                plant(rng, height=0.5, pot="yellow")
            with put(board, 0.4, -0.22, 0.78):
                t.fruit_bowl("red")
        with r.left(3.4, 1.5):
            clock(0.28)
        daylight(r, from_=(6, 3, 4), fill=75, strength=3)
    camera((2.3, 0.05, 1.72), (2.02, 4.0, 0.75), lens=19, exposure=0.15)


def _birthday(rng: Random) -> None:
    """A birthday: a cake with candles on a yellow cloth, coloured plates, balloons and a string of flags."""
    with Room(4.6, 3.8, 2.6, walls=m.paint("light blue", 0.9), floor_of=m.planks("pine")) as r:
        r.window("back", 3.5, 0.95, 1.1, 1.2, curtain=m.fabric("yellow"), curtain_words=("yellow",))
        seats = d.places(2.2, 1.05, 3, ends=False)
        colours = ("red", "green", "blue", "pink", "orange", "purple")
        with r.floor(2.2, 1.95, -4):
            table = d.dining_table(2.2, 1.05, "pine", cloth="yellow")
            for i, (x, y, turn) in enumerate(seats):
                with put(table, x, y + (0.19 if turn == 0 else -0.19), TOP, turn):
                    t.place_setting(colours[i])
                with put(table, x + 0.21, y + (0.36 if turn == 0 else -0.36), TOP):
                    t.glass_of("orange" if i % 2 else "red")
            with put(table, 0.0, 0, TOP):
                t.cake("pink", candles=6, radius=0.19)
            with put(table, -0.6, 0, TOP):
                t.plate("white", food="cookies", radius=0.17)
            with put(table, 0.6, 0, TOP):
                t.fruit_bowl("white", ["apple", "orange", "banana", "apple", "orange"])
            _seat(seats, lambda i: d.dining_chair(style="windsor", kind="white"))
        for x, y, colour, high in (
            (0.95, 1.5, "red", 1.95),
            (0.9, 2.5, "blue", 2.1),
            (3.5, 1.5, "green", 1.9),
            (3.6, 2.4, "orange", 2.12),
            (2.05, 2.95, "purple", 2.0),
        ):
            with r.floor(x, y), at(0, 0, 0.5):
                d.balloon(colour, height=high - 0.5)
        with r.back(2.0, 2.3, 0.05):
            d.garland(3.6, ["red", "yellow", "green", "blue", "orange", "pink"])
        with r.back(1.35):
            board = sideboard("pine", width=1.7)
            with put(board, -0.45, -0.22, 0.78):
                t.jug("red")
            with put(board, 0.3, -0.22, 0.78):
                t.cake("brown", cut=True)
        with r.back(1.35, 1.2):
            picture_frame(0.9, 0.65, rng, frame="white")
        with r.floor(2.2, 1.95):
            ceiling_lamp(2.6, 0.5, colour="white", radius=0.25)
        daylight(r, from_=(2, 6, 5), fill=60)
        outdoors(15)
    camera((2.6, -0.55, 1.75), (2.15, 2.6, 0.95), lens=21)


def _farm(rng: Random) -> None:
    """A heavy trestle table with benches before a fireplace, brick and beams, pottery and bread."""
    floor = m.tiles((0.33, 0.15, 0.09), "dark brown", 0.35)
    with Room(5.0, 4.4, 2.6, walls=m.paint((0.75, 0.66, 0.5), 0.9), floor_of=floor) as r:
        r.window("right", 2.4, 0.9, 1.2, 1.2, panes=(2, 2), frame="brown")
        with r.back(2.3):
            fire = fireplace(brick=True, width=1.9, height=1.25)
            for x, colour in ((-0.7, "blue"), (-0.45, "white"), (0.6, "orange")):
                with put(fire, x, -0.24, 1.31):
                    t.jug(colour, height=0.24)
        with r.back(2.3, 1.68):
            clock(0.2)
        seats = d.places(2.3, 1.0, 3, ends=False)
        with r.floor(2.45, 1.85, -14):
            table = d.dining_table(2.4, 1.0, "oak", style="trestle")
            d.lay(table, seats, plate="beige", napkins=("blue",), wine="none")
            for x, y, _ in seats:
                with put(table, x + 0.23, y * 0.32, TOP):
                    t.mug("blue")
            with put(table, -0.55, 0, TOP):
                t.bread()
            with put(table, 0.05, 0, TOP):
                t.bowl("orange", radius=0.18, inside="light brown")
            with put(table, 0.7, 0, TOP):
                t.candle("white", holder="iron", height=0.2)
            for y in (-0.75, 0.75):
                with at(0, y, 0, 0):
                    bench(2.1, "oak")
            with at(-1.5, 0, 0, 90):
                chair("oak")
            with at(1.5, 0, 0, -90):
                chair("oak")
        with r.back(4.25):
            d.china_cabinet("pine", width=1.2, height=1.9)
        with r.left(3.0):
            board = sideboard("oak", width=1.5)
            with put(board, 0.3, -0.22, 0.78):
                plant(rng, height=0.5, pot="orange")
            with put(board, -0.4, -0.22, 0.78):
                t.teapot("blue")
        with scenery():
            for y in (0.9, 2.2, 3.5):
                box(2.5, y, 2.42, 5.0, 0.2, 0.18, m.wood("walnut"), bevel=0.02)["surface"] = "beam"
        with r.floor(2.45, 1.85):
            ceiling_lamp(2.5, 0.75, colour="dark red", radius=0.24)
        daylight(r, from_=(6, 1.5, 3.5), fill=60, strength=3)
    camera((0.6, -0.35, 1.65), (2.6, 2.7, 0.85), lens=19, exposure=0.4)


def _banquet(rng: Random) -> None:
    """An evening for ten: white cloth, candelabra, red high chairs under a chandelier, dark panelled walls."""
    with Room(5.2, 5.2, 3.1, walls=m.paint((0.16, 0.03, 0.035), 0.8), floor_of=m.planks("cherry")) as r:
        for x in (1.2, 4.0):
            r.window("back", x, 0.5, 1.0, 2.1, panes=(2, 4), curtain=m.fabric("yellow"), curtain_words=("yellow",))
        with scenery():
            for i in range(8):
                for side in (r.left, r.right):
                    with side(0.35 + i * 0.65):
                        box(0, 0.01, 0, 0.6, 0.02, 1.0, m.wood("walnut", along="z"), bevel=0.008)
            for i in range(8):
                with r.back(0.33 + i * 0.65):
                    box(0, 0.012, 0, 0.6, 0.012, 0.5, m.wood("walnut", along="z"), bevel=0.006)
        seats = d.places(3.2, 1.15, 4)
        with r.floor(2.6, 2.7, 90):
            table = d.dining_table(3.2, 1.15, "walnut", cloth="white")
            d.lay(table, seats, napkins=("dark red",))
            for x in (-0.85, 0.85):
                with put(table, x, 0, TOP):
                    d.candelabra()
            with put(table, 0, 0, TOP):
                vase("white", "red", rng, height=0.2)
            _seat(seats, lambda i: d.dining_chair("red", kind="walnut"), out=0.24)
        with r.floor(2.6, 2.7):
            chandelier(3.1, drop=0.95, radius=0.55)
        with r.back(2.6, 1.2):
            picture_frame(0.95, 1.2, rng, frame="oak")
        with r.left(3.2):
            board = sideboard("walnut", width=1.9)
            with put(board, -0.4, -0.22, 0.78):
                t.cake("white", radius=0.16)
            with put(board, 0.2, -0.22, 0.78):
                t.bottle("dark green")
            with put(board, 0.35, -0.2, 0.78):
                t.bottle("dark red")
        with r.left(3.2, 1.45):
            picture_frame(1.2, 0.8, rng, frame="oak")
        with r.floor(2.6, 2.7):
            rug(3.2, 4.4, "dark blue", border="beige")
        sky(0.08, (0.1, 0.14, 0.35), (0.03, 0.05, 0.15))
        panel_light(2.6, 2.2, 3.05, 60, size=2.6, colour=WARM)
        bulb(4.7, 4.6, 2.2, 12)
    camera((4.75, -0.1, 1.95), (2.2, 3.3, 0.8), lens=20, exposure=0.5)
