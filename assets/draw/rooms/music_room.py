"""Music rooms."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture import instruments as i
from draw.furniture.basic import bookcase, chair, curtain, floor_lamp, picture_frame, plant, put, rug, table, vase
from draw.furniture.desks import loudspeaker
from draw.furniture.seating import armchair, office_chair, stool
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import COOL, WARM, at, box, bulb, camera, panel_light, sky, thing, tube


@room("music room")
def music_room(rng: Random, take: int) -> None:
    """Instruments, and stands with music."""
    takes: list[Callable[[Random], None]] = [_salon, _band, _school, _quartet, _studio, _evening]
    takes[take - 1](rng)


def _salon(rng: Random) -> None:
    """A sunny salon: a black grand piano, a cello, a music stand."""
    with Room(5.6, 4.6, 3.1, walls=m.paint("light green", 0.9), floor_of=m.planks("oak", 0.1)) as r:
        for y in (1.9, 3.5):
            r.window("left", y, 0.5, 1.1, 2.2, panes=(2, 3), curtain=m.fabric("beige"), curtain_words=("beige",))
        with r.floor(2.7, 2.3):
            rug(3.4, 2.8, "dark red", border="beige")
        with r.floor(2.55, 1.75, -40):
            i.grand_piano("black")
        with r.floor(2.2, 1.25, -40):
            i.piano_stool("black")
        with r.floor(4.3, 3.05, 12):
            i.cello()
        with r.floor(4.85, 2.45, 18):
            i.music_stand(kind="walnut")
        with r.floor(5.1, 3.7, -40):
            chair("walnut", "red")
        with r.back(4.7):
            bookcase(1.2, 1.5, rng, "walnut")
        with r.back(2.7, 1.6):
            picture_frame(1.2, 0.8, rng, frame="walnut")
        with r.floor(0.5, 4.15):
            plant(rng, height=1.3, pot="white")
        with r.back(1.6):
            with thing("table", "dark brown", "round"):
                i.cylinder(0, -0.3, 0, 0.03, 0.7, m.wood("walnut", along="z"))
                i.cylinder(0, -0.3, 0, 0.16, 0.03, m.wood("walnut"))
                i.cylinder(0, -0.3, 0.7, 0.28, 0.03, m.wood("walnut"), bevel=0.008)
            with at(0, -0.3, 0.73):
                vase("white", "yellow", rng)
        daylight(r, strength=3.0, from_=(-5, 1, 4), fill=90)
        outdoors(-14)
    camera((4.6, -0.2, 1.55), (2.55, 2.9, 0.88), lens=20)


def _band(rng: Random) -> None:
    """A band's rehearsal room: drums on a carpet, amplifiers, electric guitars, a microphone, coloured light."""
    with Room(
        5.2,
        4.4,
        2.7,
        walls=m.bricks((0.3, 0.12, 0.09)),
        floor_of=m.concrete((0.18, 0.18, 0.18)),
        ceiling=m.paint("dark grey"),
        skirting=False,
    ) as r:
        with r.floor(2.6, 2.8):
            rug(3.6, 2.4, "dark blue", border="dark red")
        with r.floor(2.55, 3.0):
            i.drum_kit("red")
        with r.floor(1.75, 1.75, 180):
            i.microphone(height=1.5)
        for x, colour in ((0.7, "orange"), (4.5, "black")):
            with r.back(x):
                i.amplifier(0.75, 0.8, "black")
            with r.back(x, 0.84):
                i.amplifier(0.72, 0.34, colour)
        for x, y, colour, turn in (
            (0.8, 2.7, "light blue", 25),
            (1.35, 3.35, "white", 15),
            (4.15, 2.5, "yellow", -25),
            (4.6, 1.7, "red", -40),
        ):
            with r.floor(x, y, turn):
                i.guitar(colour, electric=True)
        with r.left(1.5):
            i.amplifier(0.6, 0.55, "dark red")
        with r.floor(4.0, 1.45, -155):
            i.keyboard("black")
        for x, colour in ((1.4, (1.0, 0.25, 0.5)), (3.7, (0.2, 0.55, 1.0))):
            with r.back(x, 2.15), thing("neon tube", "pink" if x < 2 else "blue", "lit"):
                if x < 2:
                    tube(
                        [
                            (-0.35, -0.05, -0.2),
                            (0.0, -0.05, 0.25),
                            (-0.08, -0.05, 0.02),
                            (0.3, -0.05, 0.1),
                            (-0.1, -0.05, -0.4),
                            (0.0, -0.05, -0.12),
                            (-0.35, -0.05, -0.2),
                        ],
                        0.016,
                        m.glow(colour, 9.0),
                    )
                else:
                    tube(
                        [(-0.3, -0.05, 0.0), (-0.3, -0.05, 0.35), (0.1, -0.05, 0.25), (0.1, -0.05, -0.1)],
                        0.016,
                        m.glow(colour, 9.0),
                    )
                    for dx, z in ((-0.36, -0.02), (0.04, -0.12)):
                        i.ring(dx, -0.05, z, 0.06, 0.016, m.glow(colour, 9.0), axis="y")
                bulb(0, -0.5, 0, 22, colour=colour, radius=0.2)
        with thing("cable", "black"):
            tube(
                [(1.75, 1.7, 0.012), (2.0, 1.0, 0.012), (1.3, 1.1, 0.012), (1.1, 1.7, 0.012), (0.6, 1.6, 0.012)],
                0.008,
                m.paint("black"),
            )
        panel_light(2.6, 1.2, 2.65, 75, size=1.6, colour=WARM)
        panel_light(2.6, 3.4, 2.65, 35, size=1.2, colour=WARM)
        sky(0.15)
    camera((2.9, 0.0, 1.5), (2.5, 3, 0.85), lens=19, exposure=0.15)


def _school(rng: Random) -> None:
    """A school's music room: an upright piano, xylophones, congas, staves on the board, chairs with stands."""
    with Room(6.2, 5.0, 2.9, walls=m.paint("white", 0.9), floor_of=m.paint("light blue", 0.4)) as r:
        r.window("right", 2.6, 0.9, 2.6, 1.5, panes=(4, 1))
        with r.back(2.7, 0.95), thing("blackboard", "green", "with music"):
            box(0, -0.015, 0, 2.9, 0.03, 1.25, m.wood("oak"))
            box(0, -0.025, 0.05, 2.8, 0.03, 1.15, m.paint((0.02, 0.12, 0.07), 0.8), bevel=0)
            with at(-1.4, -0.042, 0.05):
                i.staves(2.8, 1.15)
            box(0, -0.07, -0.02, 2.9, 0.1, 0.03, m.wood("oak"))
        with r.left(3.6):
            i.upright_piano("oak")
        with r.floor(1.15, 3.6, 0):
            stool("oak", 0.5, seat="red")
        with r.floor(2.1, 3.9, 180):
            i.xylophone(0.95)
        with r.floor(3.4, 3.95, 180):
            i.xylophone(1.05)
        for x, y, colour in ((4.8, 4.2, "orange"), (5.25, 4.3, "red"), (5.1, 3.75, "yellow")):
            with r.floor(x, y):
                i.conga(colour)
        for k, (x, y, turn) in enumerate(((1.5, 1.75, 152), (2.5, 2.2, 172), (3.5, 2.25, -172), (4.5, 1.9, -155))):
            with r.floor(x, y, turn):
                chair("birch", ("red", "yellow", "green", "blue")[k])
            with at(x, y, 0, turn), at(0, -0.72, 0, 180):
                i.music_stand(height=1.05)
        with r.left(1.5, 1.2):
            i.guitar("light brown", hung=True)
        with r.left(2.1, 1.2):
            i.guitar("brown", hung=True)
        with r.left(0.95, 1.2):
            i.guitar("dark brown", hung=True)
        with r.floor(5.5, 2.6, -60):
            i.keyboard("black", width=1.0)
        daylight(r, strength=2.5, from_=(6, -1, 4), fill=150)
        outdoors(-14)
    camera((4.5, 0.15, 1.68), (2.6, 3.6, 0.92), lens=19, exposure=-0.1)


def _quartet(rng: Random) -> None:
    """A hall where a quartet rehearses: four chairs and stands in a half circle, cello, double bass, violins."""
    with Room(
        6.4,
        4.8,
        3.3,
        walls=m.paint((0.5, 0.22, 0.16), 0.9),
        floor_of=m.planks("cherry", 0.1, 0.2),
        ceiling=m.paint("beige", 0.9),
    ) as r:
        for x in (1.2, 5.2):
            with r.back(x, 0.5), thing("panel", "brown", "wooden"):
                box(0, -0.02, 0, 1.3, 0.04, 2.4, m.wood("walnut", 0.4, along="z"))
        with r.back(3.2):
            for dx in (-0.62, 0.62):
                with at(dx, 0, 0.05):
                    curtain(1.3, 3.1, "dark red")
        for k, (x, y, turn) in enumerate(((1.35, 2.35, 60), (2.3, 3.35, 22), (3.9, 3.4, -20), (4.95, 2.4, -60))):
            with r.floor(x, y, turn):
                chair("ebony", "dark red")
                if k in (0, 1):
                    with at(0, -0.1, 0.5):
                        i.violin()
            with at(x, y, 0, turn), at(0, -0.8, 0, 180):
                i.music_stand(height=1.1)
        with r.floor(3.2, 2.75, -4):
            i.cello()
        with r.floor(5.3, 3.55, -30):
            i.cello(bass=True)
        with r.floor(0.7, 3.7, 30):
            i.harp()
        with r.floor(3.0, 1.3, 8):
            i.music_stand(height=1.2, kind="walnut")
        for x in (0.4, 6.0):
            with r.floor(x, 4.4):
                floor_lamp("white", height=1.9)
        panel_light(3.2, 1.6, 3.2, 130, size=2.2, colour=WARM)
        panel_light(3.2, 3.6, 3.2, 50, size=1.5, colour=WARM)
        sky(0.2)
    camera((4.3, -0.5, 1.55), (3.0, 3.2, 0.95), lens=21, exposure=0.1)


def _studio(rng: Random) -> None:
    """A small studio: foam on the wall, guitars hanging, a keyboard with a screen, a microphone, loudspeakers."""
    with Room(4.4, 3.6, 2.6, walls=m.paint("dark blue", 0.9), floor_of=m.carpet("grey")) as r:
        with r.back(0.95, 1.0):
            i.foam_panels(2.4, 1.2, rng, ("dark grey", "orange"))
        with r.back(2.1):
            with at(0, -0.4, 0):
                desk = table(1.9, 0.7, 0.74, "pine", "desk")
        with put(desk, 2.1, 3.25, 0.74), thing("screen", "lit"):
            box(0, 0.1, 0.1, 0.75, 0.03, 0.42, m.paint("black", 0.3))
            box(0, 0.083, 0.12, 0.71, 0.004, 0.38, m.glow((0.08, 0.1, 0.14), 1.0), bevel=0)
            for k in range(6):
                wide = rng.uniform(0.25, 0.6)
                box(
                    -0.33 + wide / 2 + rng.uniform(0, 0.06),
                    0.08,
                    0.15 + 0.055 * k,
                    wide,
                    0.004,
                    0.04,
                    m.glow(("green", "orange", "cyan", "pink", "yellow", "light blue")[k], 1.2),
                    bevel=0,
                )
            box(0, 0.12, 0, 0.06, 0.04, 0.12, m.paint("black", 0.4))
            box(0, 0.1, 0, 0.25, 0.18, 0.012, m.paint("black", 0.4))
        for x in (1.35, 2.85):
            with put(desk, x, 3.35, 0.74):
                loudspeaker("ebony", 0.36)
        with put(desk, 2.1, 3.05, 0.74), thing("keyboard", "white"):
            box(0, -0.04, 0, 0.9, 0.22, 0.05, m.paint("white", 0.35))
            i.piano_keys(0.84, 0.052, 0.0, depth=0.13)
        with r.floor(2.15, 2.2, 165):
            office_chair("red")
        for k, (y, colour, electric) in enumerate(
            ((1.2, "red", True), (1.75, "light brown", False), (2.3, "cyan", True), (2.85, "dark brown", False))
        ):
            with r.right(y, 1.0 + 0.1 * (k % 2)):
                i.guitar(colour, electric=electric, hung=True)
        with r.right(2.1):
            i.amplifier(0.6, 0.5, "beige")
        with r.right(1.3):
            i.amplifier(0.6, 0.6, "black")
        with r.floor(0.85, 1.7, 150):
            i.microphone(height=1.55)
        with r.floor(0.6, 2.9):
            i.conga("dark red")
        with r.left(1.6, 1.4):
            i.record_wall(rng, 3)
        with r.floor(1.35, 1.3, 20):
            i.guitar("orange", electric=True)
        with r.floor(3.55, 3.1):
            floor_lamp("orange", height=1.5)
        for x in (1.2, 3.0):
            bulb(x, 3.4, 2.45, 14, colour=(0.6, 0.35, 1.0), radius=0.2)
        panel_light(2.2, 1.2, 2.55, 60, size=1.5, colour=COOL)
        sky(0.2)
    camera((1.6, -0.45, 1.5), (2.45, 2.8, 0.98), lens=20, exposure=0.25)


def _evening(rng: Random) -> None:
    """By lamplight: a golden harp, a brown grand piano in profile, music on the floor, a violin on a chair."""
    with Room(5.4, 4.4, 3.0, walls=m.paint("dark green", 0.9), floor_of=m.planks("walnut", 0.12, 0.25)) as r:
        with r.floor(2.6, 2.3):
            rug(3.2, 2.4, "beige", border="dark blue")
        with r.floor(3.3, 2.75, 90):
            i.grand_piano("brown", length=2.0)
        with r.floor(3.85, 2.75, 90):
            i.piano_stool("brown")
        with r.floor(1.0, 2.15, 22):
            i.harp()
        with r.floor(1.65, 1.45, 30):
            stool("walnut", 0.5, seat="dark red")
        with r.floor(2.35, 1.35, 160):
            chair("walnut")
        with r.floor(2.35, 1.35, 160), at(0, -0.02, 0.47):
            i.violin()
        with r.floor(3.1, 1.15, 20):
            i.music_stand(height=1.1)
        with r.floor(4.7, 1.6, -60):
            armchair("dark red", "beige", style="wing")
        for x in (0.5, 4.9):
            with r.floor(x, 4.0):
                floor_lamp("beige", height=1.7)
        with r.back(2.6, 1.75):
            picture_frame(0.9, 0.7, rng, frame="oak")
        with r.back(1.5, 1.75):
            picture_frame(0.6, 0.7, rng, frame="oak")
        with r.back(4.0):
            bookcase(1.0, 1.3, rng, "cherry")
        with r.back(4.0, 1.3), at(-0.2, -0.15, 0):
            i.trumpet()
        with r.back(4.0, 1.3), at(0.25, -0.15, 0):
            vase("blue", "white", rng)
        bulb(0.7, 3.7, 1.9, 40, radius=0.15)
        bulb(4.7, 3.6, 1.9, 40, radius=0.15)
        panel_light(2.7, 0.8, 2.9, 60, size=1.6, colour=WARM)
        sky(0.15)
    camera((2.75, -0.55, 1.5), (2.6, 2.8, 0.9), lens=20, exposure=0.3)
