"""Libraries: many rows of full bookcases, reading tables with lamps, ladders, a lending counter."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import desks, library, seating
from draw.furniture.basic import chair, clock, plant, put, rug
from draw.furniture.beds import laid_books
from draw.furniture.stairs import chandelier
from draw.furniture.toys import letters
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import COOL, WARM, at, camera, cylinder, panel_light, scenery, sky


@room("library")
def public_library(rng: Random, take: int) -> None:
    """Draw a library."""
    (_hall, _rows, _aisle, _counter, _children, _gallery)[take - 1](rng)


def _hall(rng: Random) -> None:
    """An old reading hall: long tables with green lamps in two lines, walls of books, a high window."""
    with Room(
        7.0, 8.5, 4.2, walls=m.paint((0.5, 0.42, 0.28), 0.9), floor_of=m.checks((0.5, 0.4, 0.28), (0.3, 0.2, 0.12), 0.6)
    ) as r:
        r.window("back", 3.5, 1.6, 1.7, 2.2, panes=(3, 4), frame="dark brown")
        for y in (1.3, 3.4, 5.5, 7.55):
            with r.left(y):
                library.book_stack(2.0, 3.0, rng, look="walnut", bindings="old")
            with r.right(y):
                library.book_stack(2.0, 3.0, rng, look="walnut", bindings="old")
        for x in (1.5, 5.5):
            with r.back(x):
                library.book_stack(1.7, 3.0, rng, look="walnut", bindings="old")
        for x in (2.2, 4.8):
            for y in (2.6, 4.5, 6.4):
                with r.floor(x, y):
                    library.reading_table(1.9, "walnut", lamps=1, books=2)
                for dx, dy, turn in ((-0.45, -0.7, 180), (0.45, 0.7, 0), (0.5, -0.75, 195)):
                    with r.floor(x + dx, y + dy, turn):
                        chair("walnut")
        with r.back(3.5):
            library.card_catalogue("walnut", columns=7, rows=5)
        with r.floor(3.5, 5.0):
            chandelier(4.2, arms=10, radius=0.6, drop=0.9, power=30)
        daylight(r, strength=0, fill=220, world=0.9)
        panel_light(3.5, 0.6, 4.0, 120, size=2.5, colour=WARM, toward=(3.5, 5, 0.5))
        outdoors(20)
    camera((3.5, -0.3, 1.75), (3.5, 6.5, 1.2), lens=20, exposure=0.1)


def _rows(rng: Random) -> None:
    """A modern town library: white double rows with lettered ends, armchairs in front, daylight from the left."""
    with Room(7.6, 6.5, 3.0, walls=m.paint("white", 0.9), floor_of=m.carpet((0.2, 0.3, 0.36))) as r:
        r.window("left", 3.0, 0.5, 3.6, 2.0, panes=(4, 1), frame="grey")
        for i, label in enumerate("ABCDE"):
            with r.floor(2.35 + 1.15 * i, 4.75, -90):
                library.book_stack(3.0, 1.95, rng, look="white", both=True, label=label)
        for x, y, turn, colour in ((1.75, 1.9, 40, "orange"), (3.1, 2.15, -20, "green")):
            with r.floor(x, y, turn):
                seating.armchair(colour, style="club")
        with r.floor(2.4, 1.45), at(0, 0):
            small = seating.pouf("yellow", 0.25, 0.36)
        with put(small, 2.4, 1.45, 0.365):
            desks.open_book("red")
        with r.floor(5.2, 2.2, -15):
            library.trolley(rng, "red")
        with r.floor(6.55, 2.35):
            library.step_stool("blue")
        with r.floor(4.6, 3.05, 0), at(0, 0, 3.0):
            library.hanging_sign("NOVELS", 0.62, width=1.3)
        with r.floor(0.55, 5.6):
            plant(rng, height=1.6, pot="white")
        for x in (2.0, 4.2, 6.4):
            for y in (1.8, 4.2):
                library.library_light(x, y, 3.0, 45)
        daylight(r, from_=(-6, 0.5, 4), fill=70, strength=2.5)
    camera((5.9, -0.3, 1.7), (3.6, 4.4, 0.95), lens=20)


def _aisle(rng: Random) -> None:
    """Looking down an aisle between tall shelves to a window: ladder, trolley, wooden floor."""
    with Room(2.9, 9.0, 3.0, walls=m.paint((0.66, 0.6, 0.5), 0.9), floor_of=m.planks("oak")) as r:
        r.window("back", 1.45, 0.9, 1.3, 1.6, panes=(2, 3))
        for i, y in enumerate((0.2, 2.25, 4.3, 6.35)):
            look, label = "pine", None
            with r.left(y + 1.0):
                library.book_stack(2.0, 2.5, rng, look=look, bindings="new", label=label, depth=0.36)
            with r.right(y + 1.0):
                library.book_stack(2.0, 2.5, rng, look=look, bindings="new", depth=0.36)
            with r.floor(1.45, y + 1.2):
                library.library_light(0, 0, 3.0, 30 + 4 * i)
        with r.left(3.3, gap=0.36):
            library.ladder(2.35, "walnut")
        with r.floor(1.95, 5.3, 90):
            library.trolley(rng, "blue")
        with r.floor(1.15, 5.8):
            library.step_stool("red")
        with r.back(1.45):
            bench = seating.bench(1.2, "pine", seat="green")
        with put(bench, 1.3, 8.8, 0.52):
            desks.open_book("blue")
        daylight(r, from_=(0.5, 6, 4), fill=40, strength=3)
        outdoors(22)
    camera((1.62, -0.3, 1.6), (1.4, 6.0, 1.12), lens=21)


def _counter(rng: Random) -> None:
    """The lending counter of a library, with a computer and returned books, rows of shelves behind."""
    with Room(
        6.4, 6.6, 3.0, walls=m.paint((0.74, 0.66, 0.48), 0.9), floor_of=m.tiles((0.55, 0.5, 0.42), "grey", 0.5)
    ) as r:
        with r.floor(2.3, 2.85):
            desk = library.lending_counter(2.7, "birch", "cyan", "LIBRARY")
        with put(desk, 1.5, 2.5, 1.055, 170):
            desks.monitor(0.5)
        with put(desk, 2.35, 2.45, 1.055):
            laid_books(rng, 6)
        with put(desk, 2.75, 2.5, 1.055, 30):
            laid_books(rng, 4)
        with put(desk, 3.25, 2.5, 1.055):
            desks.desk_lamp("red", lit=True)
        for i in range(4):
            with r.floor(1.0 + 1.5 * i, 4.9, -90):
                library.book_stack(2.4, 2.1, rng, look="birch", both=True, label="KLMN"[i])
        for x in (1.1, 3.2, 5.3):
            with r.back(x):
                library.book_stack(2.0, 2.2, rng, look="birch")
        with r.floor(5.5, 2.85, -30):
            library.trolley(rng, "yellow")
        with r.right(1.9):
            library.card_catalogue("oak", columns=5, rows=5)
        with r.right(1.9, 1.3), at(0, -0.22):
            desks.globe(0.2)
        with r.floor(2.3, 2.75, 0), at(0, 0, 3.0):
            library.hanging_sign("BOOKS", 0.62, "red", width=1.2)
        with r.right(3.4, 2.3):
            clock(0.24)
        with r.floor(0.5, 2.6):
            plant(rng, height=1.5, pot="brown")
        for x in (1.3, 3.2, 5.1):
            for y in (1.6, 4.3):
                library.library_light(x, y, 3.0, 45)
        sky(0.5)
        panel_light(3.2, 0.3, 2.6, 60, size=2.0, colour=COOL, toward=(3, 4, 0.8))
    camera((4.35, -0.35, 1.7), (2.75, 4.0, 1.05), lens=21, exposure=-0.15)


def _children(rng: Random) -> None:
    """The children's corner of a library: low coloured shelves full of books, beanbags, a round rug."""
    with Room(6.0, 5.4, 2.9, walls=m.paint((0.55, 0.72, 0.6), 0.9), floor_of=m.planks("birch")) as r:
        r.window("right", 3.4, 0.8, 1.8, 1.5, panes=(3, 1))
        for x, colour in ((0.95, "red"), (2.65, "yellow"), (4.35, "blue")):
            with r.back(x + 0.15):
                library.book_stack(1.6, 1.6, rng, look=colour, bindings="new")
        for y in (1.8, 3.6):
            with r.left(y):
                library.book_stack(1.6, 1.6, rng, look="orange" if y < 2 else "green", bindings="new")
        with r.floor(2.6, 2.6):
            rug(2.5, 2.5, "cyan", round_=True)
        for x, y, turn, colour in ((1.75, 3.1, 40, "orange"), (2.75, 3.55, 0, "purple"), (3.55, 2.35, -60, "red")):
            with r.floor(x, y, turn):
                seating.beanbag(colour)
        with r.floor(2.4, 2.2, 15):
            desks.open_book("yellow")
        with r.floor(2.85, 2.65, -30):
            desks.open_book("red")
        with r.floor(4.75, 3.4, -50):
            library.trolley(rng, "green")
        with r.back(3.0, 1.95):
            letters("READ A BOOK", 0.36)
        with scenery():
            for x in (1.5, 4.5):
                cylinder(x, 2.7, 2.84, 0.28, 0.05, m.glow(strength=4.0))
        for x in (1.5, 4.5):
            panel_light(x, 2.7, 2.8, 60, size=0.6)
        daylight(r, from_=(6, 0.5, 4), fill=90, strength=3)
    camera((4.1, -0.35, 1.6), (2.45, 3.6, 0.85), lens=20)


def _gallery(rng: Random) -> None:
    """An old library of two storeys at night: books to the ceiling, a gallery with a railing, a ladder, a table."""
    with Room(6.4, 6.0, 4.8, walls=m.wood("walnut", along="z"), floor_of=m.planks("cherry", 0.12)) as r:
        with r.back(3.2):
            for i in range(4):
                with at((i - 1.5) * 1.58):
                    library.book_stack(1.52, 2.45, rng, look="cherry", bindings="old")
            with at(0, 0, 0):
                library.gallery(6.3, 2.75, rng, "cherry")
        for y in (1.3, 2.9, 4.4):
            with r.left(y):
                library.book_stack(1.45, 3.6, rng, look="cherry", bindings="old")
        with r.right(1.6):
            library.book_stack(1.5, 3.6, rng, look="cherry", bindings="old")
        with r.right(3.95):
            library.card_catalogue("cherry", columns=8, rows=5)
        with r.back(4.4, gap=0.32):
            library.ladder(2.5, "oak")
        with r.floor(3.3, 2.75, 0):
            rug(3.6, 2.6, "dark red", border="yellow")
        with r.floor(3.3, 2.85, -14):
            library.reading_table(2.4, "walnut", lamps=2, books=3)
            for x, y, turn in ((-0.6, -0.75, 175), (0.6, -0.8, 190), (-0.5, 0.75, 5), (0.6, 0.75, -5)):
                with at(x, y, 0, turn):
                    chair("walnut", "green")
        with r.floor(1.2, 3.9, 40):
            seating.armchair("brown", style="wing", material="leather", legs="walnut")
        with r.right(3.95, 1.26), at(0, -0.22):
            desks.globe(0.24)
        with r.floor(3.3, 2.9):
            chandelier(4.8, arms=8, radius=0.55, drop=1.3, power=32)
        sky(0.12)
        panel_light(3.2, 0.8, 4.5, 200, size=3.0, colour=WARM, toward=(3.2, 4.0, 0.8))
    camera((4.6, -0.6, 1.7), (2.75, 4.0, 1.45), lens=19, exposure=0.4)
