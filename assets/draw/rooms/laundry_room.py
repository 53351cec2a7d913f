"""Laundry rooms: washing machines with round windows, baskets and lines of clothes, an iron on its board."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import kitchen as k
from draw.furniture import laundry as w
from draw.furniture.basic import ceiling_lamp, clock, plant, put, rug
from draw.furniture.office import strip_light
from draw.furniture.sanitary import dado
from draw.furniture.seating import bench, stool
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import NEUTRAL, Thing, at, box, bulb, camera, panel_light, scenery, sky, thing, tube

HIGH = w.MACHINE


@room("laundry room")
def laundry_room(rng: Random, take: int) -> None:
    """Draw a laundry room."""
    (_home, _laundromat, _cellar, _stacked, _ironing, _galley)[take - 1](rng)


def _board(width: float, depth: float = 0.3, kind: str = "oak") -> Thing:
    """A plain shelf at the origin's height, its middle at x = 0."""
    with thing("shelf", "light brown" if kind == "pine" else "brown", "wooden") as made:
        box(0, -depth / 2, -0.035, width, depth, 0.035, m.wood(kind))
        for dx in (-1, 1):
            x = dx * (width / 2 - 0.15)
            tube([(x, -0.01, -0.2), (x, -0.01, -0.04), (x, -depth + 0.04, -0.04)], 0.009, m.metal("iron"))
    return made


def _home(rng: Random) -> None:
    """Two machines and a sink under a wooden worktop, shelves of bottles, an ironing board and a sunny window."""
    floor = m.tiles("light grey", "white", 0.35)
    with Room(4.0, 3.4, 2.5, walls=m.paint((0.62, 0.72, 0.66), 0.9), floor_of=floor) as r:
        r.window("left", 2.1, 1.0, 1.1, 1.1)
        with r.back(0.95):
            w.washing_machine("white", clothes=("red", "blue", "yellow"))
        with r.back(1.65):
            w.washing_machine("white", clothes=("white", "light blue", "pink"))
        with r.back(0.6):
            top = k.units([("none", 1.4), ("doors", 0.9), ("drawers", 0.6)], "white", worktop="oak")
            with put(top, 0.35, -0.3, k.TOP):
                w.laundry_basket("yellow", ("red", "white", "blue"))
            with put(top, 1.05, -0.3, k.TOP):
                w.folded_clothes("blue", "white", "red", "light blue", "yellow")
            with put(top, 1.85, 0, 0):
                k.sink()
            with put(top, 2.6, -0.3, k.TOP):
                plant(rng, height=0.4, pot="white")
        with r.back(1.35, 1.65):
            shelf = _board(1.5)
            with put(shelf, -0.35, -0.15, 0):
                w.detergent("blue", "orange", "purple")
            with put(shelf, 0.2, -0.15, 0):
                w.washing_powder("green")
            with put(shelf, 0.5, -0.15, 0):
                w.washing_powder("red")
        with r.back(3.0, 1.65):
            shelf = _board(1.3)
            with put(shelf, -0.35, -0.15, 0):
                w.folded_clothes("white", "beige", "white", "light blue")
            with put(shelf, 0.15, -0.15, 0):
                w.folded_clothes("orange", "yellow", "orange")
        with r.floor(1.15, 1.25, -20):
            w.ironing_board("light blue", shirt="white")
        with r.floor(2.9, 2.0, 10):
            w.laundry_basket("cyan", ("red", "yellow", "green", "white"))
        with r.floor(2.0, 1.8):
            rug(1.2, 0.7, "blue", border="white")
        daylight(r, from_=(-6, 2, 4), fill=55)
    camera((2.6, -0.5, 1.6), (1.85, 2.6, 0.85), lens=20)


def _laundromat(rng: Random) -> None:
    """A laundromat: a long row of steel machines with dryers above them, carts, a bench, lamps in the ceiling."""
    with Room(4.6, 5.6, 2.9, walls=m.paint("cyan", 0.8), floor_of=m.checks("white", "light blue", 0.4)) as r:
        dirty = [("red", "white"), ("blue", "yellow"), ("white", "light blue"), ("green", "orange"), ("pink", "white")]
        with r.left(2.9), scenery():
            box(0, -0.33, HIGH, 4.4, 0.66, 0.1, m.paint("white", 0.3), bevel=0.01)
        for i in range(6):
            with r.left(1.15 + i * 0.7):
                w.washing_machine("steel", clothes=dirty[i % 5], coins=True, open_=i == 1)
            with r.left(1.15 + i * 0.7), at(0, 0, HIGH + 0.1):
                w.washing_machine("orange", clothes=dirty[(i + 2) % 5], name="dryer")
        for i in range(3):
            with r.back(1.5 + i * 0.7):
                w.washing_machine("steel", clothes=dirty[i], coins=True)
        with r.back(2.2, 1.75):
            clock(0.24)
        with r.floor(2.75, 3.6, 90):
            seat = bench(2.2, "pine")
            with put(seat, -0.6, 0, 0.46):
                w.folded_clothes("blue", "white", "light blue", "red")
            with put(seat, 0.3, 0, 0.46):
                w.laundry_basket("yellow", ("white", "pink", "green"))
        with r.floor(3.75, 2.2, 70):
            w.cart(("white", "light blue", "orange"))
        with r.floor(3.9, 4.6, 90):
            w.cart(("red", "white"))
        with r.right(3.6, 1.4):
            shelf = _board(1.6, kind="pine")
            with put(shelf, -0.4, -0.15, 0):
                w.detergent("blue", "green", "orange")
            with put(shelf, 0.3, -0.15, 0):
                w.washing_powder("red")
        with r.floor(2.4, 2.0):
            strip_light(2.9, 1.6)
        with r.floor(2.4, 4.2):
            strip_light(2.9, 1.6)
        sky(0.35)
        panel_light(2.3, 2.8, 2.85, 70, size=3, colour=NEUTRAL)
    camera((3.0, -0.3, 1.6), (1.75, 3.6, 0.95), lens=20)


def _cellar(rng: Random) -> None:
    """A cellar: a machine, a deep sink, lines of shirts and trousers across the room, one lamp."""
    with Room(4.4, 3.8, 2.4, walls=m.bricks((0.52, 0.5, 0.47), "grey"), floor_of=m.concrete((0.36, 0.35, 0.33))) as r:
        r.window("back", 3.6, 1.7, 0.9, 0.45, panes=(2, 1))
        with r.back(1.0):
            machine = w.washing_machine("white", clothes=("blue", "white", "red"))
            with put(machine, -0.12, -0.3, HIGH):
                w.detergent("blue", "pink")
            with put(machine, 0.18, -0.3, HIGH):
                w.washing_powder("orange")
        with r.back(1.95):
            w.utility_sink()
        with r.back(3.0):
            machine = w.washing_machine("white", clothes=("yellow", "green"))
            with put(machine, 0, -0.3, HIGH):
                w.laundry_basket("blue", ("white", "yellow", "red"))
        with r.floor(2.2, 2.6):
            with at(0, 0, 2.15):
                w.clothes_line(
                    4.2,
                    [
                        ("shirt", "red"),
                        ("shirt", "white"),
                        ("sock", "blue"),
                        ("sock", "blue"),
                        ("trousers", "dark blue"),
                        ("shirt", "yellow"),
                        ("towel", "green"),
                    ],
                )
        with r.floor(0.95, 1.75, 60):
            w.ironing_board("red", shirt=None)
        with r.floor(3.45, 1.55, 20):
            w.laundry_basket("red", ("white", "light blue", "green", "pink"))
        with r.floor(2.45, 1.75, -10):
            w.laundry_basket("", ("yellow", "white", "blue"), style="wicker")
        with scenery():
            for z, radius in ((2.25, 0.05), (2.12, 0.03)):
                tube([(0, 3.72, z), (4.4, 3.72, z)], radius, m.metal("copper"))
        with r.floor(2.0, 1.7):
            ceiling_lamp(2.4, 0.35, colour="dark green", radius=0.24)
        sky(0.5)
        panel_light(2.2, 1.4, 2.35, 42, size=2.0)
        bulb(1.8, 3.1, 2.0, 10)
    camera((1.9, -0.6, 1.5), (2.2, 2.8, 1.0), lens=20, exposure=0.35)


def _stacked(rng: Random) -> None:
    """A small pink room: a dryer stacked on a washing machine, a drying rack full of clothes, plants."""
    with Room(3.6, 3.2, 2.5, walls=m.paint((0.8, 0.5, 0.5), 0.9), floor_of=m.planks("birch")) as r:
        r.window("back", 2.35, 0.9, 1.1, 1.2, panes=(2, 2), curtain=m.fabric("white"), curtain_words=("white",))
        with r.back(0.5):
            w.washing_machine("white", clothes=("blue", "green", "white"))
            with at(0, 0, HIGH):
                w.washing_machine("white", clothes=("orange", "yellow"), name="dryer")
        with r.back(1.25):
            machine = w.washing_machine("white", clothes=("red", "pink", "white"), open_=True)
            with put(machine, -0.1, -0.3, HIGH):
                w.washing_powder("blue")
            with put(machine, 0.15, -0.3, HIGH):
                w.detergent("green")
        with r.floor(2.35, 1.75, 18):
            w.drying_rack(
                [("shirt", "blue"), ("towel", "yellow"), ("trousers", "grey"), ("shirt", "white"), ("towel", "red")],
                width=1.1,
            )
        with r.floor(1.1, 1.55, -15):
            w.laundry_basket("light blue", ("orange", "white", "green"))
        with r.floor(3.25, 2.8):
            plant(rng, height=1.1, pot="yellow")
        with r.left(1.4, 1.5):
            shelf = _board(1.2, kind="pine")
            with put(shelf, -0.3, -0.15, 0):
                w.folded_clothes("white", "beige", "pink", "white")
            with put(shelf, 0.3, -0.15, 0):
                w.detergent("orange", "cyan")
        daylight(r, from_=(3, 6, 5), fill=45)
        outdoors(14)
    camera((0.55, -0.45, 1.55), (1.75, 2.6, 0.9), lens=20)


def _ironing(rng: Random) -> None:
    """An ironing board with shirt and iron large in front, a rail of shirts and a machine behind, evening lamps."""
    with Room(4.4, 3.4, 2.6, walls=m.paint((0.16, 0.28, 0.42), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(0.6):
            machine = w.washing_machine("black", clothes=("white", "yellow", "red"))
            with put(machine, 0, -0.3, HIGH):
                w.laundry_basket("white", ("red", "white", "light blue"))
        with r.back(1.32):
            machine = w.washing_machine("black", clothes=("light blue", "white"))
            with put(machine, -0.1, -0.3, HIGH):
                w.detergent("orange", "white")
        with r.back(0.95, 1.75):
            shelf = _board(1.4)
            for x, colours in (
                (-0.45, ("white", "red")),
                (0.0, ("yellow", "white", "blue")),
                (0.45, ("green", "white")),
            ):
                with put(shelf, x, -0.15, 0):
                    w.folded_clothes(*colours)
        with r.back(3.05, 1.85, 0.3):
            w.clothes_line(
                2.4,
                [("shirt", "white"), ("shirt", "pink"), ("shirt", "light blue"), ("dress", "red")],
            )
        with r.floor(2.25, 1.5, 10):
            w.ironing_board("orange", shirt="light blue")
        with r.floor(3.5, 2.05):
            w.laundry_basket("", ("white", "red", "yellow"), style="wicker")
        with r.floor(0.85, 1.35):
            seat = stool("pine", 0.5)
            with put(seat, 0, 0, 0.51):
                w.folded_clothes("white", "light blue", "pink", "white")
        with r.floor(2.3, 1.7):
            ceiling_lamp(2.6, 0.55, colour="orange", radius=0.26)
        sky(0.2)
        panel_light(2.2, 1.6, 2.55, 55, size=2.2, colour=NEUTRAL)
        bulb(0.9, 2.7, 2.3, 8)
    camera((2.1, -0.55, 1.6), (2.15, 2.6, 1.0), lens=21, exposure=0.35)


def _galley(rng: Random) -> None:
    """A narrow yellow room: four machines on a step along the right wall, shelves of clothes at the left."""
    with Room(3.0, 4.4, 2.6, walls=m.paint((0.85, 0.66, 0.2), 0.9), floor_of=m.checks("dark grey", "white", 0.3)) as r:
        r.window("back", 1.4, 1.1, 1.0, 1.1, panes=(2, 2))
        for side, start, length in ((r.left, 0.0, 4.4), (r.right, 4.4, 4.4)):
            with side(start):
                dado(length, 0.3, "white")
        with r.right(2.7), scenery():
            box(0, -0.34, 0, 3.2, 0.7, 0.28, m.paint("white", 0.4), bevel=0.008)
        loads = (("red", "orange"), ("white", "blue"), ("green", "yellow"), ("purple", "white"))
        for i in range(4):
            with r.right(1.55 + i * 0.76), at(0, 0, 0.28):
                w.washing_machine("white", clothes=loads[i], name="dryer" if i > 1 else "washing machine", open_=i == 0)
        with r.right(2.7, 1.7):
            shelf = _board(3.0, 0.34, "pine")
            for x, colour in ((-1.2, "blue"), (-0.5, "red")):
                with put(shelf, x, -0.17, 0, 0):
                    w.washing_powder(colour)
            with put(shelf, 0.1, -0.17, 0):
                w.detergent("orange", "green", "blue")
            with put(shelf, 0.9, -0.17, 0):
                w.folded_clothes("white", "light blue", "white")
        for z in (0.55, 1.15, 1.75):
            with r.left(2.9, z):
                shelf = _board(2.6, 0.4, "pine")
                for i, x in enumerate((-1.0, -0.5, 0.0, 0.5, 1.0)):
                    colours = rng.sample(["white", "red", "blue", "yellow", "light blue", "green", "pink", "beige"], 4)
                    with put(shelf, x, -0.2, 0):
                        w.folded_clothes(*colours[: 3 + i % 2])
        with r.floor(1.35, 1.75, 70):
            w.laundry_basket("red", ("white", "blue", "yellow", "pink"))
        with r.floor(0.75, 3.8):
            w.laundry_basket("", ("green", "white"), style="wicker")
        with r.floor(1.4, 3.45), at(0, 0, 2.25):
            w.clothes_line(
                1.5, [("sock", "red"), ("sock", "red"), ("sock", "green"), ("sock", "blue"), ("sock", "blue")]
            )
        with r.floor(1.5, 2.0):
            ceiling_lamp(2.6, 0.3, colour="white")
        daylight(r, from_=(0.5, 6, 4), fill=58)
        outdoors(15)
    camera((0.9, -0.15, 1.6), (1.65, 3.4, 0.9), lens=18)
