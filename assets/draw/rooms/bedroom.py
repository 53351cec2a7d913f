"""Bedrooms: a bed in full view with pillows and a cover is what tells them."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import beds, laundry, seating, toys
from draw.furniture.basic import bookcase, ceiling_lamp, picture_frame, plant, put, rug, table_lamp, vase
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    WARM,
    box,
    bulb,
    camera,
    cylinder,
    panel_light,
    prism,
    scenery,
    sheet,
    sky,
    sphere,
    thing,
    tilted,
    tube,
)


@room("bedroom", version=3)
def bedroom(rng: Random, take: int) -> None:
    """Draw a bedroom."""
    (_double, _attic, _poster, _family, _loft, _single)[take - 1](rng)


def _double(rng: Random) -> None:
    """A double bed between lamps in a light blue room, morning sun from the right."""
    with Room(4.5, 4.0, walls=m.paint("light blue", 0.9), floor_of=m.planks("oak")) as r:
        r.window("right", 2.3, 0.9, 1.3, 1.25, curtain=m.fabric("blue"), curtain_words=("blue",))
        with r.back(1.85):
            beds.bed(1.7, kind="walnut", cover="red", cushions=("yellow",))
        for x in (0.62, 3.08):
            with r.back(x):
                night = beds.night_table("walnut")
            with put(night, x, 3.76, 0.5):
                table_lamp("beige", lit=False)
        with r.back(1.45, 1.45):
            picture_frame(0.62, 0.5, rng)
        with r.back(2.25, 1.45):
            picture_frame(0.62, 0.5, rng)
        with r.back(3.95):
            plant(rng, height=1.15, pot="white")
        with r.floor(1.85, 1.35):
            rug(2.3, 1.3, "beige", border="blue")
        with r.left(2.0):
            chest = beds.chest_of_drawers("walnut", width=1.15, height=0.9)
        with put(chest, 0.27, 1.7, 0.9):
            vase("white", "yellow", rng)
        with put(chest, 0.27, 2.3, 0.9):
            beds.laid_books(rng, 4)
        with r.floor(2.95, 2.15, 80):
            beds.slippers("pink")
        daylight(r, from_=(6, -1.2, 4.5), fill=45, strength=4)
    camera((4.15, 0.25, 1.6), (1.75, 3.3, 0.62), lens=20)


def _attic(rng: Random) -> None:
    """A brass and iron bed along the wall of an attic with a slanting wooden ceiling."""
    with Room(4.6, 3.9, 2.7, walls=m.paint("white", 0.9), floor_of=m.planks("pine", 0.2)) as r:
        r.window("back", 1.6, 0.95, 1.0, 1.15, panes=(2, 3), curtain=m.fabric("yellow"), curtain_words=("yellow",))
        with scenery():
            slope = m.wood("pine", along="y")
            for i in range(9):  # boards from the knee wall up to the ridge
                low, high = 1.15 + i * 0.172, 1.15 + (i + 0.94) * 0.172
                left, right = 4.6 - (high - 1.15) * 1.35, 4.6 - (low - 1.15) * 1.35
                prism(
                    [(right, low), (left, high), (left + 0.04, high + 0.06), (right + 0.04, low + 0.06)],
                    3.9,
                    slope,
                    plane="xz",
                )
            for y in (0.9, 2.3, 3.7):
                slant = [(4.6, 1.0), (2.45, 2.6), (2.6, 2.7), (4.6, 1.16)]
                prism(slant, 0.12, m.wood("walnut"), y=y, plane="xz")["surface"] = "beam"
        with r.right(2.35):
            beds.bed(
                1.35,
                style="metal",
                kind="black",
                cover="green",
                pattern=m.checks("light green", "white", 0.14),
                pillows=("white", "light green"),
                throw="yellow",
            )
        with r.right(3.4):
            night = beds.night_table("white", style="open")
        with put(night, 4.35, 3.4, 0.485):
            table_lamp("yellow", lit=True)
        with r.floor(1.6, 1.75):
            rug(1.7, 1.7, "light green", round_=True)
        with r.left(2.7):
            bookcase(0.95, 1.15, rng, "pine")
        with r.floor(2.55, 3.55):
            plant(rng, height=0.9, pot="orange")
        with r.floor(0.75, 2.95, 50):
            seating.armchair("yellow", "white", style="wooden", legs="pine")
        with r.back(2.75, 1.35):
            picture_frame(0.5, 0.62, rng, frame="pine")
        with r.floor(1.95, 2.75):
            seating.pouf("beige", 0.26)
        daylight(r, from_=(-2, 6, 4), fill=40, strength=4)
        outdoors(16)
    camera((0.75, 0.2, 1.65), (2.95, 2.6, 0.75), lens=19)


def _poster(rng: Random) -> None:
    """A four-poster with curtains, in the evening: dark red walls, lamps alight, a fitted carpet."""
    with Room(
        4.8,
        4.4,
        2.9,
        walls=m.striped((0.2, 0.03, 0.035), (0.25, 0.05, 0.05), 0.12),
        floor_of=m.carpet((0.36, 0.25, 0.15)),
    ) as r:
        with r.back(2.4):
            beds.bed(
                1.8,
                style="poster",
                kind="walnut",
                cover="blue",
                pattern=m.fabric("blue"),
                pillows=["white", "white", "beige", "beige"],
            )
            beds.bed_curtains(1.8, "beige")
        for x in (1.1, 3.7):
            with r.back(x):
                night = beds.night_table("walnut", style="round")
            with put(night, x, 4.14, 0.5):
                table_lamp("yellow", foot="brass")
        with r.floor(2.4, 1.75):
            bench = seating.bench(1.3, "walnut", seat="red")
        with put(bench, 2.15, 1.75, 0.52):
            beds.laid_books(rng, 2)
        with r.left(2.5):
            beds.wardrobe("walnut", width=1.15, height=2.1)
        with r.right(2.6):
            chest = beds.chest_of_drawers("walnut", width=1.0, height=0.95, rows=4, columns=1)
        with put(chest, 4.54, 2.6, 0.95):
            vase("white", "pink", rng, height=0.28)
        with r.right(2.6, 1.45):
            picture_frame(0.8, 0.6, rng, frame="cherry")
        with r.floor(4.15, 1.25, -35):
            seating.armchair("green", style="wing", legs="walnut")
        with r.floor(2.4, 1.1):
            rug(2.6, 1.5, "dark red", border="beige")
        bulb(2.4, 3.3, 1.7, 14, radius=0.3)
        sky(0.15)
        panel_light(2.4, 1.4, 2.85, 110, size=2.2, colour=WARM)
    camera((1.35, -0.45, 1.6), (2.6, 3.1, 0.95), lens=21, exposure=0.5)


def _family(rng: Random) -> None:
    """A lived-in bedroom at home: a double bed with a checked quilt and a teddy, photos on a chest of drawers."""
    with Room(4.6, 4.0, 2.6, walls=m.paint((0.72, 0.6, 0.36), 0.9), floor_of=m.planks("pine", 0.2)) as r:
        r.window("back", 1.45, 0.95, 1.25, 1.2, curtain=m.fabric("orange"), curtain_words=("orange",))
        with r.left(2.45):
            bed = beds.bed(
                1.6,
                style="panelled",
                kind="oak",
                cover="blue",
                pattern=m.checks("blue", "white", 0.16),
                pillows=("white", "light blue"),
                throw="orange",
            )
        with put(bed, 0.78, 2.3, 0.6, 65):
            toys.teddy("brown", 0.95, bow="red")
        with r.left(3.55):
            night = beds.night_table("oak")
        with put(night, 0.24, 3.55, 0.5):
            table_lamp("yellow", lit=True)
        for y, width in ((2.1, 0.42), (2.75, 0.55)):
            with r.left(y, 1.5):
                picture_frame(width, 0.5, rng, frame="oak")
        with r.back(3.15):
            chest = beds.chest_of_drawers("white", width=1.2, height=0.9)
        photos = ((2.7, 0.22, 0.3, "oak"), (2.98, 0.3, 0.22, "walnut"), (3.27, 0.2, 0.27, "cherry"))
        for x, width, height, frame in photos:
            with put(chest, x, 3.72, 0.9), tilted(by=-8), thing("photo", "framed"):
                box(0, 0, 0.004, width, 0.02, height, m.wood(frame), bevel=0.004)
                box(0, -0.011, 0.03, width - 0.05, 0.004, height - 0.05, m.paint((0.45, 0.6, 0.7), 0.4), bevel=0)
                for dx, coat, hair in ((-0.045, "dark red", "dark brown"), (0.045, "green", "yellow")):
                    cylinder(dx, -0.012, 0.03, 0.035, 0.09, m.paint(coat), axis="z", sides=16)
                    sphere(dx, -0.03, 0.15, 0.028, m.paint((0.7, 0.42, 0.3)), scale=(1, 0.4, 1.15))
                    sphere(dx, -0.028, 0.164, 0.03, m.paint(hair), scale=(1, 0.4, 0.8))
        with put(chest, 3.57, 3.72, 0.9):
            vase("blue", "yellow", rng, height=0.22)
        with r.back(3.15, 1.65):
            picture_frame(0.7, 0.5, rng, frame="white")
        with r.right(2.85):
            beds.wardrobe("oak", width=1.1, height=2.1)
        with r.floor(2.75, 1.95, 10):
            rug(1.5, 1.9, "light green", round_=True)
        with r.floor(2.5, 2.2, 75):
            beds.slippers("red")
        with r.floor(3.75, 2.0):
            laundry.laundry_basket()
        with r.floor(0.5, 1.15, 55):
            seating.pouf("cyan", 0.28)
        daylight(r, strength=0, fill=110, world=1.1)
        panel_light(1.45, 3.8, 1.6, 45, size=1.3, colour=COOL, toward=(2.0, 1.5, 0.5))
        outdoors(15)
    camera((3.7, -0.35, 1.62), (1.8, 3.0, 0.78), lens=20)


def _loft(rng: Random) -> None:
    """A low bed before a brick wall, with plants, books on the floor, and small lights on a string at dusk."""
    with Room(4.6, 3.9, 2.8, walls=m.paint((0.55, 0.54, 0.52), 0.9), floor_of=m.planks("grey", 0.18)) as r:
        r.window("left", 2.0, 0.4, 2.2, 2.1, panes=(4, 3), frame="black")
        with scenery():
            box(2.3, 3.86, 0, 4.6, 0.08, 2.8, m.bricks((0.42, 0.17, 0.1)), bevel=0)
        with r.back(2.55, gap=0.1):
            beds.bed(
                1.7,
                style="low",
                kind="pine",
                cover="beige",
                pillows=["white", "white"],
                cushions=("cyan", "orange", "cyan"),
                throw="cyan",
            )
        with thing("string of lights", "lit"):
            points = [(1.0 + i * 0.1, 3.79, 1.95 + 0.16 * abs(((i / 8) % 1) - 0.5) * 2) for i in range(33)]
            tube(points, 0.005, m.paint("black"))
            for x, y, z in points[::2]:
                sphere(x, y - 0.02, z - 0.03, 0.022, m.glow((1.0, 0.75, 0.4), 6.0))
        for x in (1.4, 2.5, 3.7):
            bulb(x, 3.6, 1.95, 4, radius=0.2)
        with r.floor(1.35, 3.45):
            pile = beds.laid_books(rng, 7)
        with put(pile, 1.35, 3.45, 0.24):
            table_lamp("white", height=0.4)
        with r.floor(3.95, 3.4):
            plant(rng, height=1.5, pot="grey")
        with r.floor(0.5, 3.4):
            plant(rng, height=0.8, pot="white")
        with r.floor(1.2, 1.5):
            rug(1.8, 1.3, "cyan")
        with r.floor(0.85, 1.75, 60):
            seating.beanbag("orange")
        with r.right(2.0), thing("clothes rail", "black"):
            bar = m.paint("black", 0.4)
            for dx in (-0.6, 0.6):
                tube([(dx, -0.05, 0.02), (dx, -0.5, 0.02)], 0.014, bar)
                tube([(dx, -0.28, 0.02), (dx, -0.28, 1.65)], 0.014, bar)
            tube([(-0.6, -0.28, 1.65), (0.6, -0.28, 1.65)], 0.014, bar)
            for i, colour in enumerate(("red", "white", "blue", "yellow", "grey", "green", "pink")):
                cylinder(-0.45 + i * 0.15, -0.28, 1.56, 0.006, 0.1, m.metal("steel"))
                sheet(
                    -0.45 + i * 0.15,
                    -0.28,
                    0.75 + 0.09 * (i % 3),
                    0.4,
                    0.8 - 0.09 * (i % 3),
                    m.fabric(colour),
                    folds=3,
                    swing=0.03,
                    axis="y",
                )
        with r.right(2.0, 0.0, gap=0.4):
            for dx, colour in ((-0.3, "white"), (-0.18, "white"), (0.15, "red"), (0.27, "red")):
                with thing("shoe", colour):
                    box(dx, 0.0, 0.0, 0.09, 0.26, 0.025, m.paint("white"), bevel=0.01)
                    box(dx, 0.03, 0.025, 0.085, 0.19, 0.07, m.fabric(colour), bevel=0.03)
        sky(0.5, low=(0.5, 0.45, 0.7), high=(0.15, 0.2, 0.5))
        panel_light(-0.4, 2.0, 1.6, 110, size=2.0, colour=(0.75, 0.82, 1.0), toward=(3, 2.2, 0.4))
        panel_light(2.4, 1.4, 2.75, 40, size=2.0, colour=WARM)
    camera((3.9, 0.0, 1.55), (2.15, 3.2, 0.75), lens=20, exposure=0.15)


def _single(rng: Random) -> None:
    """A young woman's room: a white single bed, dressing table with mirror, wardrobe, pink walls."""
    with Room(4.0, 3.9, 2.55, walls=m.paint((0.75, 0.5, 0.52), 0.9), floor_of=m.planks("birch")) as r:
        r.window("back", 2.35, 0.95, 1.2, 1.15, curtain=m.fabric("white"), curtain_words=("white",))
        with r.left(2.9):
            beds.bed(
                1.05,
                style="panelled",
                kind="white",
                cover="light purple",
                pillows=("white",),
                cushions=("pink", "white"),
            )
        with r.left(2.02):
            night = beds.night_table("white")
        with put(night, 0.24, 2.02, 0.5):
            table_lamp("pink", height=0.42)
        with r.left(2.9, 1.4):
            picture_frame(0.55, 0.7, rng, frame="white")
        with r.left(2.02, 1.5):
            picture_frame(0.4, 0.5, rng, frame="white")
        with r.back(3.35):
            beds.dressing_table("white", width=0.9)
        with r.floor(3.3, 2.95, 180):
            seating.stool("white", 0.42, seat="pink")
        with r.right(1.75):
            beds.wardrobe("white", width=1.5, height=2.0)
        with r.floor(2.15, 1.9):
            rug(1.6, 1.6, "white", round_=True)
        with r.floor(2.45, 1.55, 160):
            beds.slippers("purple")
        with r.floor(1.0, 1.15, 60):
            seating.pouf("pink", 0.28)
        with r.floor(2.0, 2.0):
            ceiling_lamp(2.55, 0.45, colour="pink", radius=0.22)
        daylight(r, from_=(-1.5, 6, 5), fill=70, strength=4)
        outdoors(15)
    camera((2.9, -0.55, 1.55), (1.75, 3.1, 0.75), lens=20)
