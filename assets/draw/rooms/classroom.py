"""Classrooms: pupils' desks in rows or groups before a board, with a teacher's desk, a globe and a map."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.basic import bookcase, clock, plant, put
from draw.furniture.office import strip_light
from draw.furniture.school import (
    abc_strip,
    apple,
    blackboard,
    book_stack,
    easel_board,
    exercise_books,
    globe,
    old_school_bench,
    pinboard,
    pupil_chair,
    pupil_desk,
    school_bag,
    teacher_desk,
    wall_map,
    waste_bin,
    whiteboard,
)
from draw.furniture.tools import broom
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import at, box, camera, cylinder, scenery, thing, tilted, tube

TOP = 0.72


@room("classroom")
def classroom(rng: Random, take: int) -> None:
    """A classroom: seen from the last row, from a corner, or from the teacher's desk."""
    (_sums, _primary, _village, _from_the_front, _exam, _after_school)[take - 1](rng)


def _outside(r: Room, side: str, far: float = 14) -> None:
    """Ground and a hedge behind the windows of a side wall."""
    with at(0 if side == "left" else r.width, 0, 0, 90 if side == "left" else -90):
        outdoors(far)


def _place(
    rng: Random, chair: str, *, width: float = 0.7, seats: int = 1, top: str = "birch", books: float = 0.5
) -> None:
    """A desk with its chairs before it, some of them pushed back a little, and perhaps books on it."""
    desk = pupil_desk(width, 0.5, top)
    for i in range(seats):
        x = (i - (seats - 1) / 2) * width / seats
        with at(x + rng.uniform(-0.03, 0.03), -0.42 - rng.uniform(0, 0.12), 0, 180 + rng.uniform(-9, 9)):
            pupil_chair(chair)
        if rng.random() < books:
            with put(desk, x + rng.uniform(-0.05, 0.05), 0.02, TOP, rng.uniform(-12, 12)), scenery():
                exercise_books(rng, pencil=x < 0)


def _teacher(
    rng: Random, kind: str, things: str = "globe books apple", width: float = 1.5, chair: str | None = "oak"
) -> None:
    """The teacher's desk with a globe, books and an apple on it, and a chair behind."""
    desk = teacher_desk(width, kind)
    if "globe" in things:
        with put(desk, -width / 2 + 0.3, 0, 0.76):
            globe(0.2)
    if "books" in things:
        with put(desk, width / 2 - 0.3, 0, 0.76, 15):
            book_stack(rng)
    if "apple" in things:
        with put(desk, 0.08, -0.12, 0.76):
            apple()
    if chair:
        with at(0, 0.62, 0):
            pupil_chair(chair)


def _sums(rng: Random) -> None:
    """Desks for two in three columns before a green board full of sums; sun from the left."""
    with Room(7.0, 7.4, 3.0, walls=m.paint((0.74, 0.68, 0.52), 0.9), floor_of=m.planks("oak")) as r:
        for along in (2.0, 4.0, 6.0):
            r.window("left", along, 0.95, 1.5, 1.6, panes=(2, 2))
        with r.back(2.85, 0.95):
            blackboard(3.4, 1.3, "sums")
        with r.back(5.85, 1.15):
            wall_map(1.9)
        with r.back(2.85, 2.62):
            clock(0.2)
        with r.floor(4.9, 6.1, -4):
            _teacher(rng, "oak")
        for y in (1.75, 3.05, 4.35):
            for x in (1.35, 3.35, 5.35):
                with r.floor(x, y):
                    _place(rng, "oak", width=1.25, seats=2, top="pine", books=0.6)
        for x, y, hue in ((2.2, 1.6, "red"), (4.25, 2.9, "blue"), (6.3, 1.7, "green")):
            with r.floor(x, y, -80):
                school_bag(hue)
        with r.right(4.9, 0.9):
            pinboard(1.8, 1.2, rng)
        with r.floor(6.5, 6.9):
            waste_bin()
        daylight(r, strength=3.0, from_=(-5, 2.5, 4.5), fill=170)
        _outside(r, "left")
    camera((2.9, 0.15, 1.72), (3.7, 6.5, 0.8), lens=21, exposure=0.35)


def _primary(rng: Random) -> None:
    """Young children's groups of four desks with coloured chairs, letters over a whiteboard, drawings on the wall."""
    with Room(
        7.4,
        6.6,
        2.9,
        walls=m.paint((0.8, 0.82, 0.76), 0.9),
        floor_of=m.mottled((0.16, 0.36, 0.52), (0.2, 0.42, 0.58), 0.4, 0.5),
    ) as r:
        r.window("left", 4.6, 0.9, 2.2, 1.5, panes=(3, 1))
        with r.back(2.6, 0.85):
            whiteboard(2.6, 1.15, "letters")
        with r.back(3.7, 2.28):
            abc_strip(5.4)
        with r.back(5.35, 0.95):
            blackboard(1.9, 1.1, "sums", frame="birch")
        with r.right(4.4, 0.95):
            pinboard(2.6, 1.3, rng)
        with r.right(4.4, 0):
            with thing("shelf", "white"):
                for x in (-1.3, -0.65, 0, 0.65, 1.3):
                    box(x, -0.18, 0, 0.03, 0.36, 0.7, m.wood("white"))
                for z in (0.02, 0.35, 0.7):
                    box(0, -0.18, z, 2.63, 0.36, 0.025, m.wood("white"))
                for i in range(8):
                    hue = ("red", "yellow", "blue", "green")[i % 4]
                    box(
                        -0.98 + 0.65 * (i % 4),
                        -0.19,
                        0.05 + 0.33 * (i // 4),
                        0.5,
                        0.32,
                        0.2,
                        m.paint(hue, 0.5),
                        bevel=0.02,
                    )
        with r.right(3.6, 0.725), at(0, -0.18):
            globe(0.17)
        groups = ((2.0, 2.2, "red"), (4.6, 1.7, "yellow"), (2.2, 4.6, "green"), (5.0, 4.0, "orange"))
        for x, y, hue in groups:
            with r.floor(x, y, rng.uniform(-6, 6)):
                for dx in (-0.36, 0.36):
                    for turn in (0, 180):
                        with at(dx, 0, 0, turn), at(0, -0.26, 0):
                            _place(rng, hue, top="birch", books=0.8)
                with at(0, 0, TOP):
                    with thing("pencil cup", "blue"):
                        cylinder(0, 0, 0, 0.045, 0.1, m.paint("blue", 0.3), sides=20)
                        for i, c in enumerate(("red", "yellow", "green", "orange")):
                            tube(
                                [(0.02 * (i - 1.5), 0, 0.05), (0.035 * (i - 1.5), 0.02 * (i % 2), 0.17)],
                                0.006,
                                m.paint(c),
                            )
        with r.floor(6.6, 5.9):
            plant(rng, height=1.2, pot="yellow")
        for along, hue in ((0.9, "pink"), (1.6, "green")):
            with r.floor(along + 2.3, 0.75 + along / 4, 20):
                school_bag(hue)
        daylight(r, strength=0, fill=190, world=0.9)
        _outside(r, "left")
    camera((0.55, 0.25, 1.85), (4.3, 5.2, 0.85), lens=19)


def _village(rng: Random) -> None:
    """An old village school: dark benches with sloping lids, a board on an easel, an iron stove, low sun."""
    with Room(
        6.2, 7.6, 3.1, walls=m.paint((0.72, 0.62, 0.42), 0.9), floor_of=m.planks("walnut", 0.2), skirting=False
    ) as r:
        for along in (2.3, 4.5, 6.4):
            r.window("right", along, 1.15, 1.1, 1.6, panes=(2, 3), frame="dark green")
        with scenery():
            green = m.paint((0.1, 0.2, 0.12), 0.6)
            for x0, width, y0, depth in (
                (r.width / 2, r.width, r.depth - 0.012, 0.024),
                (0.012, 0.024, r.depth / 2, r.depth),
                (r.width - 0.012, 0.024, r.depth / 2, r.depth),
            ):
                box(x0, y0, 0, width, depth, 1.02, green, bevel=0)
                box(x0, y0, 1.02, width + 0.02, depth + 0.02, 0.05, m.wood("walnut"))
        with r.floor(2.1, 6.5, 12):
            easel_board(1.7, 1.15, "sums")
        with r.back(4.6, 1.35):
            wall_map(2.1)
        with r.floor(4.5, 6.3, -8):
            _teacher(rng, "walnut", "globe books", 1.4, "walnut")
        for i, y in enumerate((1.9, 3.1, 4.3, 5.3)):
            for x in (1.35, 2.75, 4.6)[: 3 if i < 3 else 0] or (1.35, 2.75):
                if i == 3:
                    continue
                with r.floor(x, y):
                    bench = old_school_bench(1.2)
                    for dx in (-0.28, 0.28):
                        if rng.random() < 0.6:
                            with put(bench, dx, 0.02, 0.735), scenery(), tilted(by=10):
                                exercise_books(rng, pencil=False)
        with r.floor(0.65, 6.9):
            with thing("stove", "black", "iron"):
                iron = m.paint((0.02, 0.02, 0.022), 0.45)
                for a in (-0.18, 0.18):
                    for b in (-0.18, 0.18):
                        cylinder(a, b, 0, 0.025, 0.15, iron)
                cylinder(0, 0, 0.15, 0.27, 0.85, iron, bevel=0.03)
                cylinder(0, 0, 1.0, 0.31, 0.05, iron, bevel=0.01)
                box(0, -0.265, 0.4, 0.24, 0.04, 0.26, m.metal("iron"))
                cylinder(0, 0.1, 1.05, 0.07, 2.05, iron)
        with r.left(4.4, 1.3):
            abc_strip(3.6, "ABCDEFGHIJ")
        daylight(r, strength=4.0, from_=(5, 1.5, 3.2), fill=120)
        _outside(r, "right")
    camera((4.0, 0.2, 1.75), (2.95, 6.5, 0.85), lens=23, exposure=0.9)


def _from_the_front(rng: Random) -> None:
    """Seen over the teacher's desk: four rows of single desks face the viewer, maps and drawings behind them."""
    with Room(
        7.2, 7.4, 2.9, walls=m.paint("light blue", 0.9), floor_of=m.tiles((0.62, 0.6, 0.55), (0.45, 0.43, 0.4), 0.4)
    ) as r:
        for along in (2.6, 5.0):
            r.window("right", along, 0.9, 1.9, 1.5, panes=(2, 1), curtain=m.fabric("yellow"), curtain_words=("yellow",))
        with r.back(2.3, 0.95):
            wall_map(2.4)
        with r.back(5.3, 0.95):
            pinboard(2.4, 1.3, rng)
        with r.left(3.6, 0.9):
            blackboard(3.0, 1.25, "geometry")
        for y in (2.85, 4.1, 5.35, 6.5)[:3]:
            for x in (1.3, 2.7, 4.2, 5.7):
                with r.floor(x, y, 180 + rng.uniform(-3, 3)):
                    _place(rng, "red", top="birch", width=0.75)
        with r.floor(3.5, 1.55, 180):
            _teacher(rng, "walnut", width=1.9, chair=None)
        for x, hue in ((0.9, "blue"), (3.4, "orange"), (6.3, "purple")):
            with r.back(x):
                school_bag(hue)
        with r.floor(6.6, 6.8):
            plant(rng, height=1.3, pot="orange")
        for x in (2.2, 5.0):
            with r.floor(x, 4.2):
                strip_light(2.9, 2.4, power=60)
        daylight(r, strength=2.5, from_=(5, -1, 5), fill=60)
        _outside(r, "right")
    camera((3.75, 0.2, 1.72), (3.2, 6.0, 0.8), lens=20)


def _exam(rng: Random) -> None:
    """A modern school's exam: single desks far apart, orange chairs, a white board and a map, strip lights."""
    with Room(
        8.4,
        8.4,
        3.0,
        walls=m.paint((0.8, 0.8, 0.78), 0.9),
        floor_of=m.mottled((0.3, 0.33, 0.33), (0.36, 0.39, 0.39), 0.05, 0.5),
    ) as r:
        r.window("left", 4.6, 0.95, 5.6, 1.5, panes=(5, 1), frame="dark grey")
        with r.back(3.0, 0.95):
            whiteboard(3.0, 1.25, "graph")
        with r.back(6.4, 1.0):
            wall_map(2.3)
        with r.back(4.75, 2.3):
            clock(0.22, "white")
        for y in (2.2, 3.6, 5.0, 6.3):
            for x in (1.1, 2.6, 4.1, 5.6):
                with r.floor(x, y):
                    _place(rng, "orange", top="white", books=0.75)
        with r.floor(5.6, 7.5, -6):
            _teacher(rng, "birch", "globe apple", 1.5, "orange")
        with r.floor(7.6, 7.6):
            plant(rng, height=1.5, pot="white")
        with r.right(6.0):
            bookcase(1.6, 1.4, rng, "birch")
        with r.right(3.9):
            bookcase(1.6, 1.4, rng, "birch")
        for x in (1.8, 4.2, 6.6):
            for y in (3.0, 6.0):
                with r.floor(x, y):
                    strip_light(3.0, 1.8, power=45, colour=(0.93, 0.97, 1.0))
        daylight(r, strength=0, fill=60, world=1.0)
        _outside(r, "left")
    camera((7.5, 0.25, 2.05), (3.2, 6.6, 0.65), lens=20)


def _after_school(rng: Random) -> None:
    """After school: chairs stand upside down on the desks before a board with two wings; evening sun from the right."""
    with Room(6.8, 7.0, 3.0, walls=m.paint((0.72, 0.44, 0.3), 0.9), floor_of=m.planks("cherry")) as r:
        for along in (2.4, 4.6, 6.2)[:2]:
            r.window("right", along, 0.85, 1.7, 1.7, panes=(2, 2))
        with r.back(3.2, 0.9):
            blackboard(2.6, 1.25, "words", wings=True, second="white")
        with r.floor(5.5, 5.6, -38):
            _teacher(rng, "cherry", "globe books", 1.4, "walnut")
        for y in (2.0, 3.3, 4.6):
            for x in (0.95, 2.4, 3.85):
                with r.floor(x, y, rng.uniform(-4, 4)):
                    desk = pupil_desk(1.1, 0.5, "oak", "dark green")
                    for dx in (-0.27, 0.27):
                        with put(desk, dx, -0.1, TOP + 0.455, rng.uniform(-5, 5)), tilted(about="X", by=180):
                            pupil_chair("green", "dark green")
        with r.left(3.5, 1.0):
            wall_map(2.6)
        with r.right(5.9):
            broom("yellow")
        with r.floor(6.2, 6.6):
            waste_bin("blue")
        daylight(r, strength=4.5, from_=(5, -1.4, 2.6), fill=95)
        _outside(r, "right")
    camera((5.6, 0.2, 1.6), (2.55, 6.0, 0.85), lens=21, exposure=0.5)
