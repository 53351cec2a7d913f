"""Studies: one desk at home with a computer or papers, its chair and books; the desk is always in full view."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import beds, desks, seating
from draw.furniture.basic import bookcase, books, clock, floor_lamp, picture_frame, plant, put, rug
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    WARM,
    Thing,
    at,
    box,
    bulb,
    camera,
    cylinder,
    panel_light,
    prism,
    ring,
    scenery,
    sky,
    sphere,
    thing,
    tube,
)

TOP = 0.75
"""Height of a desk's top."""


@room("study")
def study(rng: Random, take: int) -> None:
    """Draw a study."""
    (_daily, _scholar, _notes, _secretary, _screens, _garden)[take - 1](rng)


def _shelf(width: float, rng: Random, kind: str = "oak") -> Thing:
    """Hang a board with a row of books on the wall."""
    with thing("shelf", "with books") as made:
        box(0, -0.12, 0, width, 0.24, 0.03, m.wood(kind), bevel=0.006)
        for dx in (-1, 1):
            tube([(dx * width * 0.4, -0.01, -0.12), (dx * width * 0.4, -0.2, -0.005)], 0.008, m.metal("iron"))
        with at(-width / 2 + 0.04, -0.02, 0.03):
            books(width * 0.8, rng)
    return made


def _daily(rng: Random) -> None:
    """A wooden desk with a computer beside a sunny window, a bookcase and a swivel chair."""
    with Room(3.9, 3.6, walls=m.paint((0.6, 0.66, 0.5), 0.9), floor_of=m.planks("oak")) as r:
        r.window("right", 2.3, 0.95, 1.3, 1.2, curtain=m.fabric("white"), curtain_words=("white",))
        with r.back(2.1), at(0, -0.37):
            desk = desks.desk(1.7, 0.74, "oak")
            with put(desk, 0.0, 0.15, TOP):
                desks.monitor(0.62, shows="text")
            with put(desk, -0.03, -0.17, TOP):
                desks.keyboard("grey")
            with put(desk, 0.68, 0.12, TOP):
                desks.desk_lamp("red", lit=False)
            with put(desk, -0.62, 0.12, TOP):
                beds.laid_books(rng, 5)
            with put(desk, -0.62, -0.18, TOP):
                desks.mug("blue")
            with put(desk, 0.52, -0.17, TOP, -12):
                desks.papers(rng)
            with put(desk, 0.46, 0.2, TOP):
                desks.pen_pot("green")
            with at(-0.15, -0.75, 0, 150):
                seating.office_chair("blue")
        with r.back(2.1, 1.62):
            _shelf(1.4, rng)
        with r.left(2.3):
            bookcase(1.1, 1.95, rng, "oak")
        with r.floor(0.5, 3.2):
            desks.paper_bin("grey")
        with r.back(3.45):
            plant(rng, height=1.25, pot="white")
        with r.floor(2.0, 1.7):
            rug(1.9, 1.3, "red", border="beige")
        daylight(r, from_=(6, -0.5, 4.2), fill=55, strength=4)
    camera((3.25, 0.35, 1.6), (1.75, 3.0, 0.9), lens=21)


def _scholar(rng: Random) -> None:
    """A scholar's evening: a heavy desk seen from the visitor's side, a green lamp, a globe, a wall of books."""
    with Room(4.6, 4.0, 2.8, walls=m.paint((0.16, 0.05, 0.05), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(2.3):
            bookcase(2.2, 2.4, rng, "walnut")
        with r.floor(2.3, 1.9):
            rug(3.2, 2.2, "dark red", border="yellow")
        with r.floor(2.3, 2.15, 180):
            desk = desks.desk(1.8, 0.85, "cherry", style="pedestals")
            with put(desk, -0.55, 0.05, TOP, 180):
                desks.bankers_lamp()
            with put(desk, 0.0, -0.1, TOP):
                desks.open_book("blue")
            with put(desk, 0.58, 0.12, TOP):
                beds.laid_books(rng, 6)
            with put(desk, 0.3, 0.18, TOP):
                desks.pen_pot("red")
            with put(desk, 0.62, -0.2, TOP, 160):
                desks.telephone("black")
            with put(desk, -0.3, -0.2, TOP):
                desks.papers(rng)
            with at(0, -0.85, 0, 180):
                seating.armchair("brown", style="wing", material="leather", legs="walnut")
        with r.floor(0.75, 2.4), thing("globe", "grey"):
            for i in range(3):
                with at(turn=120 * i + 30):
                    tube([(0.3, 0, 0), (0.22, 0, 0.35), (0.33, 0, 0.68)], 0.018, m.wood("walnut"))
            ring(0, 0, 0.68, 0.34, 0.022, m.wood("walnut"))
            sphere(0, 0, 0.68, 0.29, m.mottled((0.04, 0.18, 0.42), (0.5, 0.4, 0.14), 0.2, 0.35))
        with r.right(2.6):
            beds.chest_of_drawers("walnut", width=1.1, height=0.95, rows=4, columns=1)
        with r.left(2.2, 1.35):
            picture_frame(0.9, 0.7, rng, frame="cherry")
        with r.right(2.6, 1.45):
            picture_frame(0.8, 0.65, rng, frame="cherry")
        with r.floor(0.55, 3.5):
            floor_lamp("yellow", height=1.7)
        with r.floor(4.2, 3.55):
            plant(rng, height=1.4, pot="brown")
        sky(0.1)
        panel_light(2.3, 1.0, 2.75, 100, size=2.2, colour=WARM)
    camera((3.2, -0.35, 1.6), (2.15, 2.8, 0.85), lens=22, exposure=0.5)


def _notes(rng: Random) -> None:
    """A slim white desk along the left wall under a large pinboard, two screens, bright colours, overcast."""
    with Room(3.8, 3.7, walls=m.paint((0.75, 0.74, 0.7), 0.9), floor_of=m.planks("birch")) as r:
        r.window("back", 2.75, 0.9, 1.2, 1.25, panes=(1, 2))
        with r.left(2.25), at(0, -0.36):
            desk = desks.desk(1.9, 0.72, "white", style="legs")
            with put(desk, -0.33, 0.14, TOP, 8):
                desks.monitor(0.55, shows="chart")
            with put(desk, 0.33, 0.14, TOP, -8):
                desks.monitor(0.55, shows="text")
            with put(desk, -0.05, -0.17, TOP):
                desks.keyboard("white")
            with put(desk, 0.8, 0.1, TOP):
                desks.desk_lamp("yellow", lit=True)
            with put(desk, -0.8, 0.12, TOP):
                plant(rng, height=0.3, pot="pink")
            with put(desk, -0.72, -0.18, TOP):
                desks.mug("orange")
            with put(desk, 0.7, -0.17, TOP, 10):
                desks.papers(rng)
            with at(0.1, -0.8, 0, 200):
                seating.office_chair("orange", arms=False)
        with r.left(2.25, 1.35):
            desks.pinboard(1.8, 0.95, rng)
        with r.back(0.95):
            bookcase(1.0, 1.1, rng, "white")
        with r.back(0.75, 1.12):
            desks.globe(0.17)
        with r.back(1.15, 1.12), at(0, -0.16):
            beds.laid_books(rng, 5)
        with r.back(2.75):
            drawers = beds.chest_of_drawers("white", width=0.9, height=0.72, rows=3, columns=1)
        with put(drawers, 2.75, 3.45, 0.72):
            desks.printer("light grey")
        with r.floor(1.9, 1.55):
            rug(1.9, 1.7, "cyan", round_=True)
        with r.floor(0.35, 1.0):
            desks.paper_bin("red")
        daylight(r, strength=0, fill=90, world=1.0)
        outdoors(14)
    camera((2.95, 0.45, 1.55), (0.95, 2.75, 0.9), lens=21)


def _secretary(rng: Random) -> None:
    """A nook under a slanting roof: an old writing desk with pigeonholes and a laptop, a wooden chair."""
    with Room(
        3.4, 3.2, 2.6, walls=m.striped((0.62, 0.66, 0.72), (0.7, 0.72, 0.76), 0.12), floor_of=m.planks("pine")
    ) as r:
        r.window("left", 1.9, 0.9, 0.9, 1.1, panes=(2, 2), curtain=m.fabric("red"), curtain_words=("red",))
        with scenery():
            prism([(3.5, 1.25), (2.25, 2.62), (3.5, 2.62)], 3.2, m.wood("pine", along="y"), plane="xz")
        with r.back(1.55), at(0, -0.34):
            desk = desks.desk(1.3, 0.66, "cherry", style="secretary")
            with put(desk, -0.08, -0.08, TOP):
                desks.laptop(shows="photo")
            with put(desk, 0.42, -0.12, TOP):
                desks.desk_lamp("green", lit=True)
            with put(desk, -0.45, -0.14, TOP, 12):
                desks.open_book("red")
            with put(desk, -0.36, 0.2, 1.265):
                desks.globe(0.13)
            with put(desk, 0.1, 0.2, 1.265):
                beds.laid_books(rng, 4)
            with put(desk, 0.42, 0.2, 1.265):
                plant(rng, height=0.28, pot="orange")
            with scenery():
                for i in range(5):
                    with at(-0.6 + 0.26 * i, 0.3, 1.005):
                        books(0.13 + 0.03 * (i % 3), rng, height=0.2, depth=0.16, lean=False)
            with at(0.0, -0.72, 0, 200):
                seating.stool("cherry", 0.46, seat="red")
        with r.back(1.55, 1.75):
            picture_frame(0.6, 0.45, rng, frame="oak")
        with r.back(0.5):
            bookcase(0.6, 1.5, rng, "cherry")
        with r.right(2.35):
            bookcase(1.2, 0.95, rng, "cherry")
        with r.floor(2.75, 1.55), thing("cardboard box", "light brown", "with 4 white rolls"):
            box(0, 0, 0, 0.45, 0.35, 0.3, m.paint((0.5, 0.33, 0.17), 0.9), bevel=0.004, turn=12)
            for i in range(4):
                cylinder(-0.1 + 0.07 * i, 0.02 * (i % 2), 0.2, 0.022, 0.4 + 0.06 * (i % 3), m.paint("white", 0.8))
        with r.floor(1.5, 1.4):
            rug(1.5, 1.1, "blue", border="beige")
        daylight(r, from_=(-5, 1.0, 4), fill=35, strength=4)
    camera((1.1, 0.0, 1.5), (1.6, 2.6, 0.95), lens=21)


def _screens(rng: Random) -> None:
    """A programmer's corner at night: a corner desk with three screens, coloured light along the wall."""
    with Room(4.0, 3.7, 2.5, walls=m.paint((0.16, 0.2, 0.3), 0.9), floor_of=m.carpet("grey")) as r:
        with r.back(2.85), at(0, -0.38):
            desk = desks.desk(2.1, 0.74, "ebony", style="corner")
            for x, shows, turn in ((-0.58, "chart", 12), (0.05, "text", 0), (0.68, "photo", -14)):
                with put(desk, x, 0.12, TOP, turn):
                    desks.monitor(0.58, shows=shows)
            with put(desk, -0.02, -0.17, TOP):
                desks.keyboard("light grey")
            with put(desk, -0.85, -0.1, TOP):
                desks.mug("red")
            with put(desk, 0.8, -0.75, TOP, -90):
                desks.printer("white")
            with put(desk, 0.8, -1.3, TOP):
                beds.laid_books(rng, 5)
            with put(desk, 0.5, -0.2, TOP), thing("headphones", "red"):
                points = [
                    (0.09 * c, 0, 0.05 + 0.1 * s)
                    for c, s in ((-1, 0), (-0.9, 0.55), (-0.5, 0.95), (0, 1.1), (0.5, 0.95), (0.9, 0.55), (1, 0))
                ]
                tube(points, 0.01, m.paint("red", 0.3))
                for dx in (-0.085, 0.085):
                    cylinder(dx, 0, 0.05, 0.045, 0.035, m.paint("red", 0.3), axis="x", bevel=0.01)
            with at(-0.05, -0.95, 0, 165):
                seating.office_chair("red")
        with r.floor(2.05, 3.3):
            desks.computer_case("black")
        with scenery():
            box(2.6, 3.68, 1.55, 2.4, 0.02, 0.025, m.glow((0.1, 0.7, 1.0), 6), bevel=0)
            box(3.98, 2.6, 1.55, 0.02, 2.1, 0.025, m.glow((0.1, 0.7, 1.0), 6), bevel=0)
        panel_light(2.6, 3.6, 1.5, 20, size=1.6, colour=(0.2, 0.65, 1.0), toward=(2.6, 3.75, 2.4))
        with r.back(2.2, 1.75):
            picture_frame(0.55, 0.55, rng, frame="white")
        with r.back(3.2, 1.75):
            picture_frame(0.55, 0.55, rng, frame="white")
        with r.left(2.6):
            bookcase(1.3, 2.0, rng, "white")
        with r.back(1.0):
            plant(rng, height=1.3, pot="white")
        with r.floor(0.75, 2.35, 60):
            seating.beanbag("purple")
        sky(0.1)
        panel_light(2.5, 2.7, 1.2, 18, size=1.0, colour=(0.7, 0.85, 1.0), toward=(2.2, 1.5, 0.3))
        panel_light(2.0, 1.2, 2.45, 75, size=2.0, colour=(1.0, 0.9, 0.95))
    camera((1.05, 0.55, 1.55), (2.75, 2.9, 0.9), lens=20, exposure=0.4)


def _garden(rng: Random) -> None:
    """A desk in the middle before a wide window, seen from behind its chair, bookcases to both sides."""
    with Room(4.0, 3.6, 2.6, walls=m.paint((0.72, 0.6, 0.4), 0.9), floor_of=m.planks("cherry", 0.12)) as r:
        r.window(
            "back", 2.0, 0.82, 2.2, 1.4, panes=(3, 2), curtain=m.fabric("dark green"), curtain_words=("dark green",)
        )
        with r.floor(2.05, 2.75):
            desk = desks.desk(1.6, 0.75, "pine", style="legs")
            with put(desk, 0.0, 0.06, TOP):
                desks.laptop(shows="text")
            with put(desk, 0.6, 0.16, TOP):
                desks.desk_lamp("blue", lit=False)
            with put(desk, -0.58, 0.15, TOP):
                beds.laid_books(rng, 6)
            with put(desk, 0.42, -0.18, TOP, -14):
                desks.papers(rng)
            with put(desk, -0.35, -0.12, TOP):
                desks.mug("red")
            with put(desk, -0.3, 0.2, TOP):
                desks.pen_pot("orange")
            with put(desk, 0.32, 0.2, TOP, -20):
                desks.telephone("red")
            with at(-0.1, -0.7, 0, 195):
                seating.office_chair("green")
        with r.left(2.55):
            bookcase(1.4, 2.1, rng, "pine")
        with r.right(2.55):
            bookcase(1.4, 1.2, rng, "pine")
        with r.right(2.85, 1.22):
            desks.globe(0.19)
        with r.right(2.25, 1.22), at(0, -0.15):
            plant(rng, height=0.4, pot="white")
        with r.right(1.95, 1.6):
            clock(0.19, "white")
        with r.floor(2.0, 1.7):
            rug(2.1, 1.3, "beige", border="green")
        with r.floor(3.0, 2.05):
            desks.paper_bin("blue")
        daylight(r, from_=(1.5, 6, 4.5), fill=75, strength=3)
        panel_light(2.0, 0.2, 2.3, 45, size=1.5, colour=COOL, toward=(2.0, 3.0, 0.6))
        bulb(2.0, 0.4, 2.2, 10)
        outdoors(14)
    camera((1.55, -0.2, 1.75), (2.05, 2.9, 0.82), lens=21)
