"""Living rooms: a sofa and a low table before it in full view, mostly with a television or a fireplace."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import animals, beds, desks, living, seating
from draw.furniture.basic import (
    bookcase,
    ceiling_lamp,
    clock,
    floor_lamp,
    picture_frame,
    plant,
    put,
    rug,
    table_lamp,
    vase,
)
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import COOL, WARM, box, bulb, camera, cylinder, panel_light, scenery, sky, sphere, thing, tube


@room("living room")
def living_room(rng: Random, take: int) -> None:
    """Draw a living room."""
    (_family, _fireside, _night, _glass, _seventies, _facing)[take - 1](rng)


def _family(rng: Random) -> None:
    """A grey sofa before a picture wall, a television on the left, in soft daylight."""
    with Room(5.0, 4.3, walls=m.paint((0.72, 0.7, 0.62), 0.9), floor_of=m.planks("oak")) as r:
        r.window("right", 2.7, 0.85, 1.5, 1.35, curtain=m.fabric("light grey"), curtain_words=("light grey",))
        with r.back(2.75):
            seating.sofa("grey", ("yellow", "white", "yellow"), 3)
        for x, z, width, height in ((1.95, 1.3, 0.5, 0.62), (2.7, 1.45, 0.75, 0.5), (3.5, 1.3, 0.5, 0.62)):
            with r.back(x, z):
                picture_frame(width, height, rng, frame="ebony")
        with r.floor(2.75, 2.25):
            rug(2.6, 1.7, "yellow")
            low = living.coffee_table("oak")
        with put(low, 2.5, 2.25, 0.42):
            living.fruit_bowl("white")
        with put(low, 3.05, 2.2, 0.42):
            living.magazines(rng)
        with r.left(2.6):
            stand = living.sideboard("oak", width=1.6, height=0.6)
        with put(stand, 0.3, 2.6, 0.6, 90):
            desks.television(1.15, shows="photo")
        with r.back(1.0):
            plant(rng, height=1.5, pot="white")
        with r.floor(4.55, 3.8):
            floor_lamp("white", lit=False, height=1.65)
        with r.floor(4.2, 2.0, -65):
            seating.armchair("cyan", style="wooden", legs="oak")
        daylight(r, from_=(6, -1.0, 4), fill=80, strength=3.5)
    camera((3.9, -0.35, 1.6), (2.3, 3.3, 0.75), lens=20)


def _fireside(rng: Random) -> None:
    """A winter evening: a burning fireplace between bookcases, a leather sofa from the side, an armchair."""
    with Room(5.2, 4.6, 2.8, walls=m.paint((0.05, 0.14, 0.1), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(2.6):
            hearth = living.fireplace("white", width=1.6)
        for x in (0.85, 4.35):
            with r.back(x):
                bookcase(1.2, 2.4, rng, "white")
        with put(hearth, 2.05, 4.36, 1.21):
            living.candle(0.16)
        with put(hearth, 3.15, 4.36, 1.21):
            vase("blue", "white", rng, height=0.22)
        with r.back(2.6, 1.42):
            picture_frame(1.0, 0.75, rng, frame="cherry")
        with r.floor(1.05, 2.35, 90):
            seating.sofa("brown", ("red", "beige"), 2, style="chesterfield", material="leather", blanket="beige")
        with r.floor(4.55, 2.7, -70):
            seating.armchair("red", style="wing", legs="walnut")
        with r.floor(2.75, 2.3):
            rug(2.3, 1.7, "dark red", border="beige")
            low = living.coffee_table("walnut", width=0.9, style="round")
        with put(low, 2.65, 2.35, 0.42):
            desks.open_book("blue")
        with put(low, 2.98, 2.1, 0.42):
            desks.mug("white")
        with r.floor(3.95, 3.75):
            living.log_basket()
        with r.floor(0.4, 3.4):
            floor_lamp("yellow", height=1.6)
        with r.floor(4.75, 1.75):
            small = living.side_table("walnut")
        with put(small, 4.75, 1.75, 0.55):
            table_lamp("yellow")
        sky(0.1)
        panel_light(2.6, 1.2, 2.75, 100, size=2.4, colour=WARM)
    camera((3.1, -0.3, 1.55), (2.45, 3.9, 0.85), lens=20, exposure=0.45)


def _night(rng: Random) -> None:
    """A film night: a large television alight with loudspeakers, a blue sofa seen from its end, coloured light."""
    with Room(5.0, 4.4, 2.6, walls=m.paint((0.2, 0.17, 0.3), 0.9), floor_of=m.carpet("grey")) as r:
        with r.back(2.3):
            stand = desks.television_bench(2.0, "white")
        with put(stand, 2.3, 4.15, 0.46):
            desks.television(1.6, shows="photo")
        for x in (0.95, 3.65):
            with r.back(x):
                desks.loudspeaker("ebony", 1.05)
        with scenery():
            box(2.3, 4.38, 0.43, 2.0, 0.02, 0.03, m.glow((0.75, 0.15, 1.0), 5), bevel=0)
        panel_light(2.3, 4.3, 0.8, 22, size=1.6, colour=(0.7, 0.25, 1.0), toward=(2.3, 4.4, 2.6))
        with r.right(2.35, gap=0.35):
            seating.sofa("blue", ("orange", "white", "orange"), 3, style="soft", blanket="white")
        with r.floor(2.55, 2.35):
            rug(1.7, 2.2, "light purple")
            low = living.coffee_table("white", width=0.65, depth=1.15)
        with put(low, 2.5, 2.65, 0.42), thing("bowl of popcorn", "red"):
            for i in range(26):
                sphere(
                    rng.uniform(-0.1, 0.1),
                    rng.uniform(-0.1, 0.1),
                    0.11 + 0.02 * (i % 3),
                    0.028,
                    m.paint("yellow" if i % 5 == 0 else "white", 0.8),
                )
            cylinder(0, 0, 0, 0.08, 0.12, m.paint("red", 0.3), top=0.14)
        for x, y, colour in ((2.45, 2.2, "yellow"), (2.7, 2.05, "cyan")):
            with put(low, x, y, 0.42):
                desks.mug(colour)
        with put(low, 2.6, 2.38, 0.42), thing("remote control", "black"):
            box(0, 0, 0, 0.05, 0.18, 0.02, m.paint("black", 0.4), turn=25)
        with r.floor(1.05, 2.2, 60):
            seating.beanbag("red")
        with r.left(3.3, 1.2):
            picture_frame(0.7, 0.95, rng, frame="white")
        with r.left(2.3, 1.2):
            picture_frame(0.7, 0.95, rng, frame="white")
        with r.floor(4.55, 4.0):
            floor_lamp("orange", height=1.7)
        with r.floor(0.42, 4.0):
            plant(rng, height=1.1, pot="white")
        sky(0.12)
        panel_light(2.4, 3.9, 1.1, 26, size=1.2, colour=(0.5, 0.75, 1.0), toward=(2.6, 1.5, 0.4))
        panel_light(2.4, 1.2, 2.55, 75, size=2.4, colour=(0.9, 0.85, 1.0))
    camera((1.15, -0.35, 1.6), (2.8, 3.4, 0.72), lens=20, exposure=0.35)


def _glass(rng: Random) -> None:
    """A modern room with a glass front to a garden: a white corner sofa, a glass table, a bow lamp."""
    with Room(5.6, 4.6, 2.7, walls=m.paint("white", 0.9), floor_of=m.planks("birch", 0.2)) as r:
        r.window("back", 3.0, 0.06, 4.6, 2.35, panes=(4, 1), frame="dark grey")
        with r.right(2.95):
            seating.sofa("white", ("orange", "cyan", "orange"), 3, style="soft")
        with r.floor(3.55, 4.35):
            seating.sofa("white", ("cyan",), 2, style="soft")
        with r.floor(3.2, 2.45):
            rug(2.5, 2.0, "orange")
            low = living.coffee_table(width=1.05, depth=0.65, style="glass", height=0.38)
        with put(low, 3.0, 2.5, 0.38):
            vase("green", "white", rng, height=0.25)
        with put(low, 3.4, 2.4, 0.38):
            beds.laid_books(rng, 3)
        with thing("floor lamp", "black"):
            bar = m.paint("black", 0.3)
            cylinder(5.15, 4.25, 0, 0.18, 0.04, bar, bevel=0.01)
            points = [
                (5.15, 4.25, 0.04),
                (5.15, 4.22, 1.5),
                (5.05, 4.0, 1.95),
                (4.75, 3.6, 2.15),
                (4.35, 3.2, 2.1),
                (4.15, 3.05, 1.95),
            ]
            tube(points, 0.013, bar)
            sphere(4.15, 3.05, 1.85, 0.15, m.paint("black", 0.3), scale=(1, 1, 0.7))
        with r.left(2.6):
            stand = desks.television_bench(1.9, "white")
        with put(stand, 0.26, 2.6, 0.46, 90):
            desks.television(1.35)
        for y, tall in ((4.1, 1.5),):
            with r.floor(0.5, y):
                plant(rng, height=tall, pot="dark grey")
        with r.right(2.95, 1.3):
            picture_frame(1.5, 0.8, rng, frame="ebony")
        with r.floor(1.75, 3.0):
            seating.pouf("cyan", 0.3)
        daylight(r, from_=(-3, 6, 6), fill=140, strength=4, world=0.9)
        outdoors(13)
    camera((1.6, 0.0, 1.55), (3.2, 3.4, 0.72), lens=19)


def _seventies(rng: Random) -> None:
    """An old-fashioned room in orange and brown: striped paper, record player, round table, hanging lamps."""
    paper = m.striped((0.75, 0.52, 0.24), (0.62, 0.3, 0.09), 0.16)
    with Room(4.6, 4.0, 2.55, walls=paper, floor_of=m.carpet((0.3, 0.17, 0.09))) as r:
        r.window("left", 2.3, 0.9, 1.3, 1.2, panes=(2, 1), curtain=m.fabric("green"), curtain_words=("green",))
        with r.back(2.55):
            seating.sofa("orange", ("brown", "yellow"), 3, style="slim", legs="walnut")
        with r.floor(2.5, 1.95):
            rug(2.3, 2.3, "yellow", round_=True)
            low = living.coffee_table("walnut", width=0.95, style="round", height=0.45)
        with put(low, 2.35, 2.0, 0.45):
            desks.telephone("red")
        with put(low, 2.75, 1.9, 0.45):
            living.magazines(rng)
        with r.right(1.95):
            board = living.sideboard("walnut", width=1.7, height=0.75)
        with put(board, 4.35, 2.35, 0.75, -90):
            living.record_player("red")
        with put(board, 4.35, 1.65, 0.75, -90), thing("television", "old"):
            box(0, 0, 0, 0.62, 0.36, 0.46, m.wood("walnut"), bevel=0.025)
            box(-0.07, -0.181, 0.05, 0.42, 0.01, 0.36, m.paint("dark grey", 0.1), bevel=0.004)
            for z in (0.2, 0.32):
                cylinder(0.22, -0.19, z, 0.03, 0.025, m.metal("chrome"), axis="y", bevel=0.004)
            for dx in (-0.18, 0.18):
                tube([(0, 0.05, 0.46), (dx, 0.05, 0.85)], 0.004, m.metal("chrome"))
        with r.back(2.0, 1.3):
            picture_frame(0.7, 0.55, rng, frame="walnut")
        with r.back(3.25, 1.6):
            clock(0.2, "yellow")
        with r.floor(0.95, 1.5, 55):
            seating.armchair("green", "orange", style="wooden", legs="walnut")
        with r.floor(4.2, 3.6):
            plant(rng, height=1.3, pot="orange")
        with r.floor(0.55, 3.5):
            small = living.side_table("walnut", height=0.6)
        with put(small, 0.55, 3.5, 0.6):
            table_lamp("orange", height=0.55)
        with r.floor(2.5, 2.0):
            ceiling_lamp(2.55, 0.62, colour="orange", radius=0.26)
        daylight(r, from_=(-6, 1.5, 4), fill=70, strength=3.0)
    camera((2.2, -0.75, 1.5), (2.45, 3.2, 0.82), lens=20)


def _facing(rng: Random) -> None:
    """Two sofas facing each other over a low table under a window, a cat on one, beams on the ceiling, overcast."""
    with Room(4.8, 4.4, 2.5, walls=m.paint((0.5, 0.6, 0.62), 0.9), floor_of=m.planks("pine", 0.18)) as r:
        r.window("back", 2.4, 0.8, 1.8, 1.2, panes=(3, 2), curtain=m.fabric("red"), curtain_words=("red",))
        with scenery():
            for y in (0.8, 2.0, 3.2):
                box(2.4, y, 2.32, 4.8, 0.16, 0.18, m.wood("walnut"), bevel=0.01)["surface"] = "beam"
        with r.left(2.5, gap=0.1):
            seating.sofa("red", ("white", "light blue"), 2, style="soft")
        with r.right(2.5, gap=0.1):
            other = seating.sofa("light blue", ("red",), 2, style="soft")
        with put(other, 4.15, 2.15, 0.43, -20):
            animals.lying_cat("orange", chest="white")
        with r.floor(2.4, 2.45):
            rug(1.9, 2.3, "beige", border="red")
            low = living.coffee_table("pine", width=0.75, depth=1.2)
        with put(low, 2.3, 2.85, 0.42), thing("teapot", "blue"):
            sphere(0, 0, 0.085, 0.09, m.paint("blue", 0.15), scale=(1, 1, 0.9))
            sphere(0, 0, 0.175, 0.018, m.paint("blue", 0.15))
            tube([(0.07, 0, 0.07), (0.13, 0, 0.1), (0.16, 0, 0.15)], 0.014, m.paint("blue", 0.15))
            tube([(-0.07, 0, 0.14), (-0.14, 0, 0.13), (-0.14, 0, 0.06), (-0.08, 0, 0.04)], 0.01, m.paint("blue", 0.15))
        for x, y in ((2.55, 2.5), (2.2, 2.3)):
            with put(low, x, y, 0.42):
                desks.mug("white")
        with put(low, 2.45, 2.05, 0.42):
            desks.open_book("green")
        with r.back(2.4):
            chest = beds.chest_of_drawers("pine", width=1.3, height=0.7, rows=2, columns=3)
        with put(chest, 2.0, 4.15, 0.7):
            vase("yellow", "red", rng, height=0.22)
        with put(chest, 2.85, 4.15, 0.7):
            table_lamp("beige", lit=False, height=0.42)
        with r.back(0.6):
            bookcase(0.9, 1.9, rng, "pine")
        with r.floor(4.3, 4.0):
            plant(rng, height=1.4, pot="red")
        with r.right(2.5, 1.25):
            picture_frame(0.9, 0.6, rng, frame="oak")
        with r.left(2.3, 1.25):
            picture_frame(0.9, 0.6, rng, frame="oak")
        daylight(r, strength=0, fill=90, world=1.0)
        panel_light(2.4, 4.3, 1.6, 40, size=1.4, colour=COOL, toward=(2.4, 1.5, 0.4))
        bulb(2.4, 0.6, 2.0, 20)
        outdoors(15)
    camera((2.05, -0.85, 1.65), (2.42, 3.2, 0.72), lens=21)
