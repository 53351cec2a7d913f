"""Meeting rooms: office chairs round a long table, a screen with a slide, a flip chart."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture.basic import bookcase, ceiling_lamp, clock, picture_frame, plant, put
from draw.furniture.desks import laptop, mug, papers
from draw.furniture.office import (
    carafe,
    chart,
    conference_phone,
    conference_table,
    flipchart,
    glass_wall,
    leather_chair,
    notepad,
    projector,
    screen,
    skyline,
    sled_chair,
    sticky_notes,
)
from draw.furniture.school import whiteboard
from draw.furniture.seating import office_chair
from draw.furniture.tableware import glass_of
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import Thing, at, box, camera, cylinder, panel_light, scenery, sky, thing

TOP = 0.752


@room("meeting room")
def meeting_room(rng: Random, take: int) -> None:
    """A meeting room: in a tower, bright and oval, a panelled board room, a small round one, over the table, a loft."""
    (_tower, _oval, _board, _round, _over_the_table, _loft)[take - 1](rng)


def _seats(
    rng: Random, table: Thing, length: float, width: float, count: int, chair: Callable[[], object], things: str
) -> None:
    """Chairs on both long sides of a table along y, and at every place a pad, a laptop, a mug or a glass."""
    for side in (-1, 1):
        for i in range(count):
            y = (i - (count - 1) / 2) * (length - 0.5) / count
            with at(side * (width / 2 + 0.3 + rng.uniform(0, 0.08)), y, 0, -90 * side + rng.uniform(-10, 10)):
                chair()
            with put(table, side * (width / 2 - 0.3), y, TOP, 90 * side):
                kind = rng.choice(things.split())
                if kind == "laptop":
                    laptop(shows=rng.choice(("text", "chart")))
                elif kind == "papers":
                    papers(rng, 3)
                else:
                    notepad(rng.choice(("yellow", "blue", "red")))
                with at(0.27, 0.08):
                    if rng.random() < 0.6:
                        mug(rng.choice(("white", "red", "blue", "yellow")))
                    else:
                        glass_of(None)


def _square_lamp(height: float, power: float = 45.0) -> None:
    """A flat lit square in the ceiling."""
    with thing("ceiling lamp", "white", "square"):
        box(0, 0, height - 0.03, 0.62, 0.62, 0.03, m.paint("white"))
        box(0, 0, height - 0.04, 0.56, 0.56, 0.015, m.glow((1.0, 0.98, 0.94), 4.0), bevel=0)
        panel_light(0, 0, height - 0.08, power, size=0.6)


def _tower(rng: Random) -> None:
    """High up in a tower: a long dark table with black chairs, a big slide at its end, a city behind the windows."""
    with Room(5.0, 7.6, 2.8, walls=m.paint((0.72, 0.72, 0.7), 0.9), floor_of=m.carpet((0.2, 0.22, 0.26))) as r:
        r.window("left", 4.0, 0.35, 6.2, 2.15, panes=(5, 1), frame="dark grey")
        with r.back(2.4, 1.0):
            screen(2.6, "bars", "SALES 2025")
        with r.floor(4.35, 6.7, -22):
            flipchart("pie", "PLAN")
        with r.floor(2.45, 3.9):
            table = conference_table(4.8, 1.5, "walnut")
            _seats(rng, table, 4.8, 1.5, 5, lambda: office_chair("black"), "laptop pad papers pad")
            with put(table, 0, 0.5, TOP, 30):
                conference_phone()
            for y in (-1.0, 1.3):
                with put(table, 0.06, y, TOP):
                    carafe()
        with r.floor(2.45, 3.2), at(0, 0, 2.8):
            projector()
        with r.floor(0.5, 7.1):
            plant(rng, height=1.4, pot="white")
        with r.right(4.6, 1.2):
            picture_frame(1.6, 0.9, rng, frame="white")
        for y in (2.2, 5.0):
            for x in (1.2, 3.8):
                with r.floor(x, y):
                    _square_lamp(2.8, 32)
        daylight(r, strength=2.0, from_=(-5, 3, 5), fill=20)
        with at(0, 0, 0, 90):
            skyline(rng)
    camera((2.95, 0.1, 1.65), (2.35, 5.5, 0.92), lens=21)


def _oval(rng: Random) -> None:
    """A bright room with an oval white table, orange chairs, a whiteboard, a monitor and a wall of glass."""
    with Room(6.6, 5.8, 2.7, walls=m.paint((0.8, 0.8, 0.78), 0.9), floor_of=m.planks("birch"), sides="left back") as r:
        with r.back(2.1, 1.0):
            screen(1.8, "pie", "BUDGET", framed=True)
        with r.back(4.9, 0.9):
            whiteboard(2.2, 1.2, "graph")
        with r.floor(0.75, 4.9, 30):
            flipchart("line", "IDEAS")
        with r.floor(3.4, 3.2, 0), at(0, 0, 0, 90):
            table = conference_table(3.8, 1.7, "white", shape="oval")
            _seats(rng, table, 3.8, 1.7, 4, lambda: office_chair("orange"), "laptop pad pad papers")
            for y, turn in ((-2.2, 180), (2.2, 0)):
                with at(0, y, 0, turn):
                    office_chair("orange")
            with put(table, 0.1, 0.7, TOP):
                carafe()
            with put(table, 0, -0.3, TOP):
                conference_phone()
        with at(6.55, 2.9, 0, -90):
            glass_wall(5.8, 2.7, 4)
        with r.floor(6.0, 5.2):
            plant(rng, height=1.6, pot="orange")
        for x in (2.4, 4.4):
            with r.floor(x, 3.2):
                ceiling_lamp(2.7, 0.75, colour="dark grey", radius=0.26)
        r.window("left", 2.6, 0.9, 2.4, 1.4, panes=(3, 1))
        daylight(r, strength=2.5, from_=(-4, 2, 5), fill=120, world=0.9)
        with at(0, 0, 0, 90):
            outdoors(16)
    with scenery():  # the corridor behind the glass
        box(9.2, 2.9, 0, 0.1, 8, 2.7, m.paint((0.2, 0.42, 0.4), 0.9), bevel=0)
        box(7.9, 2.9, 2.7, 2.6, 8, 0.1, m.paint("white"), bevel=0)
        box(7.9, 6.2, 0, 2.6, 0.1, 2.7, m.paint("light grey"), bevel=0)
        box(7.9, 2.9, -0.1, 2.6, 8, 0.1, m.planks("birch"), bevel=0)
    panel_light(7.9, 3.5, 2.6, 40)
    camera((0.75, 0.1, 1.75), (4.1, 4.0, 0.85), lens=20)


def _board(rng: Random) -> None:
    """A board room at night: wooden panels, leather chairs, portraits, green carpet, lit towers outside."""
    with Room(
        5.6, 7.2, 3.0, walls=m.wood("cherry", along="z"), floor_of=m.carpet((0.05, 0.16, 0.1)), skirting=False
    ) as r:
        with scenery():
            for i in range(12):
                for x in (0.0, 5.6):
                    box(x, 0.3 + 0.62 * i, 0.0, 0.05, 0.05, 3.0, m.wood("walnut", along="z"))
            box(2.8, 7.18, 0.95, 5.6, 0.05, 0.06, m.wood("walnut"))
        r.window("right", 4.2, 0.6, 4.6, 1.9, panes=(4, 1), frame="black")
        with r.back(2.8, 1.05):
            screen(2.5, "line", "RESULTS", framed=True)
        for y in (2.4, 4.0, 5.6):
            with r.left(y, 1.3):
                picture_frame(0.75, 0.95, rng, frame="oak")
        with r.floor(2.6, 3.9):
            table = conference_table(4.6, 1.7, "cherry", shape="oval")
            _seats(rng, table, 4.6, 1.7, 4, lambda: leather_chair("black"), "pad papers pad")
            with at(0, 2.75):
                leather_chair("black")
            for y in (-1.1, 0.1, 1.3):
                with put(table, 0, y, TOP):
                    carafe()
        with r.floor(4.8, 6.4, -25):
            flipchart("bars", "2026")
        with r.floor(0.6, 6.6):
            plant(rng, height=1.5, pot="dark grey")
        for y in (2.9, 4.9):
            with r.floor(2.6, y), thing("ceiling lamp", "golden", "round"):
                cylinder(0, 0, 2.25, 0.01, 0.75, m.metal("brass"))
                cylinder(0, 0, 2.05, 0.34, 0.2, m.glow((1.0, 0.8, 0.5), 1.7))
                for z in (2.04, 2.24):
                    cylinder(0, 0, z, 0.35, 0.015, m.metal("brass"))
                panel_light(0, 0, 2.0, 60, size=0.6, colour=(1.0, 0.84, 0.62))
        panel_light(2.8, 3.5, 2.9, 55, size=2.5, colour=(1.0, 0.88, 0.7))
        sky(0.05, (0.02, 0.04, 0.12), (0.005, 0.01, 0.04))
        with at(5.6, 0, 0, -90):
            skyline(rng, lit=True)
    camera((1.35, 0.1, 1.7), (3.0, 5.5, 0.95), lens=20, exposure=0.8)


def _round(rng: Random) -> None:
    """A small project room: a round table with red chairs, coloured notes on the wall, a flip chart, a monitor."""
    with Room(4.8, 4.8, 2.7, walls=m.paint((0.3, 0.52, 0.56), 0.9), floor_of=m.carpet((0.34, 0.34, 0.36))) as r:
        with r.back(1.25, 1.15):
            sticky_notes(1.7, 1.15, rng)
        with r.back(3.4, 1.1):
            screen(1.7, "bars", "TEAM 4", framed=True)
        with r.floor(0.75, 3.55, 38):
            flipchart("pie", "GOALS")
        with r.floor(2.6, 2.6):
            table = conference_table(1.8, 1.8, "birch", shape="round")
            for i in range(6):
                with at(0, 0, 0, 60 * i + 30):
                    with at(0, 1.18, 0, rng.uniform(-10, 10)):
                        office_chair("red")
                    with put(table, 0, 0.6, TOP, 180):
                        if i % 3 == 0:
                            laptop(shows="chart")
                        else:
                            notepad(("yellow", "red", "blue")[i % 3])
                    with put(table, 0.3, 0.5, TOP):
                        mug(("white", "yellow", "green")[i % 3])
            with put(table, 0, 0, TOP):
                conference_phone()
        r.window("right", 3.2, 0.9, 1.9, 1.4, panes=(2, 1))
        with r.right(1.5):
            bookcase(1.0, 1.2, rng, "white")
        with r.floor(4.35, 4.35):
            plant(rng, height=1.2, pot="yellow")
        with r.back(2.42, 2.25):
            clock(0.15)
        with r.floor(2.6, 2.6):
            ceiling_lamp(2.7, 0.7, colour="yellow", radius=0.36)
        daylight(r, strength=0, fill=110, world=1.0)
        with at(4.8, 0, 0, -90):
            outdoors(14)
    camera((3.35, -0.35, 1.75), (2.15, 3.6, 0.95), lens=21)


def _over_the_table(rng: Random) -> None:
    """From the head of the table: two rows of blue chairs, laptops and papers, towards a screen beside windows."""
    with Room(6.4, 6.4, 2.8, walls=m.paint((0.78, 0.74, 0.66), 0.9), floor_of=m.planks("oak")) as r:
        r.window("back", 4.6, 0.85, 2.8, 1.6, panes=(3, 1), frame="dark grey")
        with r.left(3.3, 1.0):
            screen(2.5, "line", "GROWTH")
        with r.floor(1.0, 5.6, 28):
            flipchart("bars", "TO DO")
        with r.floor(3.9, 3.0, 8):
            table = conference_table(4.4, 1.4, "birch", shape="plain")
            _seats(rng, table, 4.4, 1.4, 4, lambda: sled_chair("blue"), "laptop laptop papers pad")
            with at(0, 2.6):
                sled_chair("blue")
            with put(table, 0, -1.6, TOP, 180):
                papers(rng, 4)
            for y in (-0.4, 0.9):
                with put(table, 0.0, y, TOP):
                    carafe()
        with r.back(2.1, 1.0):
            with thing("poster", "colourful"):
                box(0, -0.01, 0, 1.1, 0.02, 1.3, m.paint("white"))
                with at(0, -0.022, 0.05):
                    chart("pie", 1.05, 1.2, "MARKET")
        with r.floor(5.9, 5.9):
            plant(rng, height=1.5, pot="light grey")
        with r.right(4.2):
            bookcase(1.8, 1.0, rng, "birch")
        with r.right(4.2, 1.02), at(0, -0.15):
            plant(rng, height=0.5, pot="blue")
        for y in (2.2, 4.4):
            with r.floor(3.6, y):
                _square_lamp(2.8, 50)
        daylight(r, strength=3.0, from_=(2.5, 6, 4), fill=30)
        skyline(rng, y=46)
    camera((5.15, 0.05, 1.85), (2.75, 4.4, 0.8), lens=20)


def _loft(rng: Random) -> None:
    """A start-up's loft: brick, a long pine table, chairs in many colours, pendant lamps, a slide on a canvas."""
    with Room(
        5.6,
        6.8,
        3.2,
        walls=m.bricks((0.5, 0.42, 0.36), "light grey", "xz"),
        floor_of=m.concrete((0.44, 0.43, 0.41)),
        skirting=False,
    ) as r:
        r.window("right", 2.6, 0.9, 1.5, 1.8, panes=(3, 4), frame="black")
        r.window("right", 4.9, 0.9, 1.5, 1.8, panes=(3, 4), frame="black")
        with r.back(2.3, 1.05):
            screen(2.7, "pie", "OUR USERS")
        with r.floor(4.7, 6.0, -26):
            flipchart("line", "START")
        hues = iter(("red", "yellow", "green", "blue", "orange", "purple", "cyan", "pink", "red", "green"))
        with r.floor(2.7, 3.6, -6):
            table = conference_table(4.2, 1.25, "pine", shape="plain")
            _seats(rng, table, 4.2, 1.25, 4, lambda: office_chair(next(hues), arms=False), "laptop pad laptop papers")
            with put(table, 0, 0.2, TOP):
                conference_phone()
        for y, hue in ((2.3, "black"), (3.6, "black"), (4.9, "black")):
            with r.floor(2.7, y):
                ceiling_lamp(3.2, 1.2, colour=hue, radius=0.24)
        with r.left(3.8, 1.1):
            sticky_notes(2.2, 1.0, rng)
        with r.floor(0.55, 6.1):
            plant(rng, height=1.8, pot="white")
        panel_light(2.7, 3.4, 3.1, 110, size=2.5, colour=(1.0, 0.88, 0.7))
        daylight(r, strength=2.5, from_=(5, 0.5, 2.2), fill=20, world=0.4)
        with at(5.6, 0, 0, -90):
            skyline(rng, y=26)
    camera((1.2, 0.1, 1.6), (3.1, 5.2, 1.0), lens=20, exposure=0.3)
