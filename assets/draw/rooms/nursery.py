"""Nurseries: a baby's cot in full view among toys, under a mobile or beside a changing table."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import beds, seating, toys
from draw.furniture.basic import ceiling_lamp, picture_frame, put, rug, table_lamp
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import COOL, WARM, at, box, bulb, camera, panel_light, scenery, sky


@room("nursery")
def nursery(rng: Random, take: int) -> None:
    """Draw a nursery."""
    (_pastel, _tent, _night, _twins, _horse, _window)[take - 1](rng)


def _pastel(rng: Random) -> None:
    """A white cot under a mobile, a changing table on the right, pale green walls with stars, sunshine."""
    with Room(4.2, 3.7, walls=m.paint((0.5, 0.68, 0.5), 0.9), floor_of=m.planks("birch")) as r:
        r.window("left", 2.2, 0.9, 1.2, 1.2, curtain=m.fabric("yellow"), curtain_words=("yellow",))
        with r.back(1.75):
            beds.cot("white", "yellow")
        with r.floor(1.6, 3.3), at(0, 0, 1.4):
            toys.mobile(1.2)
        with r.back(2.0, 1.2):
            toys.wall_stars(3.2, 1.1, rng, "white", count=20)
        with r.right(2.55):
            toys.changing_table("white", "yellow")
        with r.right(2.55, 1.45):
            picture_frame(0.6, 0.5, rng, frame="white")
        with r.back(3.35):
            drawers = beds.chest_of_drawers("white", width=0.8, height=0.8, rows=3, columns=1)
        with put(drawers, 3.2, 3.45, 0.8):
            toys.teddy("light brown", bow="blue")
        with put(drawers, 3.55, 3.45, 0.8):
            table_lamp("pink", height=0.4, lit=False)
        with r.floor(2.0, 1.8):
            rug(2.0, 1.5, "light blue", border="white")
        with r.floor(1.55, 1.75):
            toys.blocks(rng, 8, size=0.11)
        with r.floor(2.55, 2.0):
            toys.stacking_rings()
        with r.floor(2.3, 1.45):
            toys.ball(0.13, ("red", "yellow"))
        with r.floor(0.6, 2.9, 40):
            seating.armchair("light blue", "white", style="club")
        daylight(r, from_=(-6, 0.3, 4), fill=60, strength=3.6)
    camera((3.2, -0.1, 1.5), (1.9, 2.9, 0.85), lens=20)


def _tent(rng: Random) -> None:
    """A toddler's room: a wooden cot on the left, a play tent, a toy shelf, a train on a yellow rug."""
    with Room(4.6, 3.9, walls=m.paint((0.78, 0.66, 0.36), 0.9), floor_of=m.planks("oak")) as r:
        r.window("back", 1.45, 0.95, 1.1, 1.15, curtain=m.fabric("orange"), curtain_words=("orange",))
        with r.left(2.5):
            beds.cot("pine", "green")
        with r.floor(0.5, 2.5), at(0, 0, 1.4):
            toys.mobile(1.2, "balls", ("red", "blue", "green", "white"))
        with r.back(2.75):
            toys.toy_shelf(rng, "white", columns=3, rows=3)
        with r.back(2.6, 1.11), at(0, -0.2):
            toys.teddy("white", bow="green")
        with r.back(3.05, 1.11), at(0, -0.2, 0, -10):
            toys.toy_car("red")
        with r.back(3.1, 1.75):
            toys.letters("ABCDE", 0.3)
        with r.floor(3.85, 3.1, -25):
            toys.teepee("white", "cyan")
        with r.floor(2.4, 1.75):
            rug(2.4, 1.6, "green", round_=False, border="white")
        with r.floor(2.15, 1.75):
            toys.toy_train(("red", "blue", "yellow"), turn=-12)
        with r.floor(3.0, 2.0):
            toys.blocks(rng, 7, size=0.1)
        with r.floor(3.6, 1.75, -25):
            toys.teddy("brown", 1.2, bow="red")
        with r.floor(1.45, 2.1, 20):
            toys.toy_car("blue")
        with r.floor(1.7, 1.4):
            toys.ball(0.12, ("blue", "white"))
        daylight(r, from_=(-1.5, 6, 5), fill=80, strength=3.5)
        outdoors(15)
    camera((3.5, -0.35, 1.6), (2.05, 2.9, 0.75), lens=20)


def _night(rng: Random) -> None:
    """Bedtime: dark blue walls with shining stars and a moon lamp over a white cot, a rocking horse, warm light."""
    with Room(4.0, 3.6, walls=m.paint((0.07, 0.13, 0.36), 0.9), floor_of=m.carpet("light blue")) as r:
        with r.back(2.35):
            beds.cot("white", "light purple")
        with r.floor(2.35, 3.2), at(0, 0, 1.35):
            toys.mobile(1.25, "stars", ("yellow", "white", "yellow", "light blue", "white"))
        with r.back(2.0, 1.25):
            toys.wall_stars(3.7, 1.2, rng, "yellow", count=24, glow=True)
        with r.back(1.1, 1.75):
            toys.moon_lamp()
        with r.left(2.3, 1.1):
            toys.wall_stars(2.2, 1.3, rng, "yellow", count=14, glow=True)
        with r.floor(0.95, 2.35, 20):
            toys.rocking_horse("white", "brown")
        with r.back(3.45):
            night = beds.night_table("white", style="open", width=0.5)
        with put(night, 3.45, 3.37, 0.485):
            table_lamp("yellow", height=0.4)
        with r.right(1.95):
            toys.toy_shelf(rng, "white", columns=3, rows=2)
        with r.right(1.95, 0.75), at(0.1, -0.19):
            toys.teddy("light brown", bow="red")
        with r.floor(2.2, 1.75):
            rug(1.7, 1.7, "white", round_=True)
        with r.floor(2.45, 1.85, 10):
            toys.teddy("pink", 1.25, bow="blue")
        with r.floor(1.85, 1.65):
            toys.blocks(rng, 6, size=0.1)
        sky(0.08)
        panel_light(2.1, 1.0, 2.5, 75, size=2.0, colour=WARM)
    camera((2.35, -0.6, 1.45), (2.0, 2.8, 0.9), lens=21, exposure=0.45)


def _twins(rng: Random) -> None:
    """Two cots side by side under bunting, a changing table between them; pink wall, striped rug, overcast."""
    with Room(4.6, 3.7, walls=m.striped((0.82, 0.55, 0.58), (0.84, 0.72, 0.7), 0.2), floor_of=m.planks("pine")) as r:
        r.window("right", 2.5, 0.9, 1.2, 1.2, curtain=m.fabric("pink"), curtain_words=("pink",))
        for x, hue in ((0.95, "light blue"), (3.65, "pink")):
            with r.back(x):
                beds.cot("birch", hue)
            with r.floor(x, 3.3), at(0, 0, 1.42):
                toys.mobile(1.18, "balls", ("yellow", "white", hue))
        with r.back(2.3):
            toys.changing_table("white", "cyan")
        with r.back(2.3, 2.42):
            toys.bunting(4.2, sag=0.25)
        with r.back(2.3, 1.5):
            picture_frame(0.6, 0.5, rng, frame="white")
        with r.floor(2.3, 1.9):
            rug(2.3, 1.4, "yellow", round_=False)
        with r.floor(0.65, 2.15, 30):
            toys.toy_box("cyan", rng)
        with r.floor(2.0, 2.0, 12):
            toys.teddy("light brown", 1.2, bow="pink")
        with r.floor(2.55, 2.05, -12):
            toys.teddy("white", 1.2, bow="blue")
        with r.floor(3.05, 1.65):
            toys.blocks(rng, 8, size=0.1)
        with r.floor(1.7, 1.5):
            toys.stacking_rings()
        with r.floor(3.75, 2.1, 25):
            toys.pram("red")
        with r.floor(2.3, 1.9):
            ceiling_lamp(2.6, 0.4, colour="pink", radius=0.24, lit=False)
        daylight(r, strength=0, fill=120, world=1.1)
        panel_light(4.4, 2.5, 1.5, 40, size=1.3, colour=COOL, toward=(1.0, 2.2, 0.4))
    camera((2.05, -0.55, 1.65), (2.3, 2.9, 0.75), lens=20)


def _horse(rng: Random) -> None:
    """A playful room: doll's house, a little table with chairs, a rocking horse, the cot along the right wall."""
    with Room(4.6, 4.0, walls=m.paint((0.42, 0.68, 0.74), 0.9), floor_of=m.planks("birch", 0.18)) as r:
        r.window("left", 2.3, 0.9, 1.3, 1.2, curtain=m.fabric("red"), curtain_words=("red",))
        with r.right(2.55):
            beds.cot("cherry", "white")
        with r.floor(4.15, 2.55), at(0, 0, 1.4):
            toys.mobile(1.2, "stars", ("red", "yellow", "white", "red", "yellow"))
        with r.back(1.05):
            toys.dolls_house("pink", "red")
        with r.back(2.5):
            toys.toy_shelf(rng, "pine", columns=4, rows=2)
        with r.back(2.15, 0.75), at(0, -0.19):
            toys.teddy("beige", bow="green")
        with r.back(2.85, 0.75), at(0, -0.19):
            toys.stacking_rings()
        with r.back(2.4, 1.55):
            toys.letters("TOYS", 0.4)
        with r.floor(2.2, 2.15):
            rug(2.3, 2.3, "red", round_=True)
        with r.floor(1.65, 1.9, 20):
            toys.rocking_horse("light brown", "dark brown")
        with r.floor(2.75, 2.45):
            small = toys.small_table("birch")
        with put(small, 2.75, 2.45, 0.48):
            toys.blocks(rng, 5, size=0.07)
        for x, y, turn, colour in ((2.2, 2.75, 60, "yellow"), (3.3, 2.2, -110, "blue"), (2.75, 1.85, 185, "green")):
            with r.floor(x, y, turn):
                toys.small_chair(colour)
        with r.floor(3.6, 3.6):
            for dx, high, colour in ((-0.1, 1.25, "red"), (0.16, 1.4, "yellow"), (0.03, 1.05, "blue")):
                with at(dx, 0, 0):
                    toys.balloon(colour, string=high)
        with r.floor(0.75, 2.75):
            toys.ball(0.17, ("yellow", "blue"))
        daylight(r, from_=(-6, 1.0, 4), fill=80, strength=3.4)
    camera((1.1, -0.3, 1.6), (2.65, 3.0, 0.75), lens=20)


def _window(rng: Random) -> None:
    """A cot under the window seen along its length, a giant teddy, a nursing chair, a toy box, lamplight at dusk."""
    with Room(3.7, 3.6, 2.5, walls=m.paint((0.66, 0.6, 0.72), 0.9), floor_of=m.carpet("beige")) as r:
        r.window("back", 1.85, 1.0, 1.3, 1.05, panes=(3, 2), curtain=m.fabric("purple"), curtain_words=("purple",))
        with r.floor(1.75, 3.1, 90):
            with at(0, 0.36):
                beds.cot("grey", "orange")
        with r.floor(1.75, 2.9), at(0, 0, 1.45):
            toys.mobile(1.05, "stars", ("orange", "white", "light purple", "orange", "white"))
        with r.back(3.1), at(0, -0.4, 0, -25):
            toys.teddy("brown", 2.4, bow="orange")
        with r.left(1.95):
            toys.changing_table("grey", "orange")
        with r.left(1.95, 1.4):
            toys.letters("BABY", 0.24)
        with r.right(1.75, gap=0.12), at(0, -0.1):
            seating.armchair("orange", "white", style="wooden", legs="birch")
        with r.back(0.5):
            table = beds.night_table("grey", style="open")
        with put(table, 0.5, 3.37, 0.485):
            table_lamp("orange", height=0.44)
        with r.floor(1.75, 1.35):
            rug(1.5, 1.0, "light purple", round_=False, border="white")
        with r.floor(1.35, 1.4, 15):
            toys.toy_train(("green", "orange", "purple"))
        with r.floor(2.2, 1.45):
            toys.blocks(rng, 5, size=0.1)
        with scenery():
            box(1.85, 3.64, 2.44, 3.7, 0.02, 0.02, m.paint("white"), bevel=0)
        sky(0.5, low=(0.75, 0.5, 0.55), high=(0.2, 0.22, 0.5))
        bulb(0.6, 3.1, 1.0, 8)
        panel_light(1.85, 1.2, 2.45, 85, size=1.8, colour=WARM)
        outdoors(14)
    camera((2.55, -0.5, 1.65), (1.72, 2.7, 0.8), lens=21, exposure=0.2)
