"""Art galleries."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture import art as a
from draw.furniture.basic import plant, put
from draw.furniture.goods import spot_rail
from draw.room import Room
from draw.rooms import room
from draw.stage import COOL, NEUTRAL, WARM, at, box, camera, panel_light, scenery, sky


@room("art gallery")
def art_gallery(rng: Random, take: int) -> None:
    """Paintings, sculptures on plinths, rope barriers and a bench."""
    takes: list[Callable[[Random], None]] = [_white, _old_masters, _sculptures, _loft, _enfilade, _dark]
    takes[take - 1](rng)


def _white(rng: Random) -> None:
    """A white hall with large abstract paintings, a bench, a sculpture on a plinth."""
    with Room(7.2, 6.0, 3.6, walls=m.paint("white", 0.9), floor_of=m.planks("pine", 0.2, 0.25), skirting=False) as r:
        with r.back(2.3, 0.75):
            a.painting(2.6, 1.9, "circles", rng, colours=("yellow", "red", "blue", "white", "black"))
        with r.back(5.4, 0.75):
            a.painting(1.7, 1.9, "grid", rng, colours=("red", "blue", "yellow"))
        with r.left(4.3, 0.75):
            a.painting(2.1, 1.9, "fields", rng, colours=("orange", "dark red", "pink", "yellow"))
        with r.right(3.9, 0.75):
            a.painting(2.4, 1.9, "splash", rng, colours=("white", "blue", "black", "red", "orange"))
        for x in (3.9, 6.55):
            with r.back(x, 1.25), scenery():
                a.label()
        with r.floor(3.6, 3.2):
            a.gallery_bench(1.7, "black")
        with r.floor(1.6, 3.0):
            stand = a.plinth(0.95, 0.5)
        with put(stand, 1.6, 3.0, 0.95):
            a.sculpture("knot", "blue")
        with r.floor(5.5, 2.9):
            base = a.plinth(0.95, 0.5)
        with put(base, 5.5, 2.9, 0.95):
            a.sculpture("spiral", "marble")
        a.rope_barrier([(1.05, 5.3), (2.3, 5.05), (3.55, 5.3)], "dark blue", metal="chrome")
        with r.floor(3.6, 4.4):
            spot_rail(4.5, 3.6, 6)
        panel_light(3.6, 2.6, 3.5, 190, size=3.5, colour=NEUTRAL)
        sky(0.3)
    camera((4.4, -0.3, 1.6), (3.4, 4.6, 1.35), lens=20, exposure=-0.15)


def _old_masters(rng: Random) -> None:
    """A red museum hall: gold frames in rows, a red rope before them, a marble bust."""
    with Room(
        6.0,
        5.2,
        4.0,
        walls=m.mottled((0.3, 0.03, 0.035), (0.37, 0.05, 0.05), 0.1, 0.9),
        floor_of=m.planks("oak", 0.09, 0.2),
        ceiling=m.paint("beige", 0.9),
    ) as r:
        with r.back(3.0, 1.05):
            a.painting(2.2, 1.5, "landscape", rng, frame="gold")
        for x, style, colours in (
            (1.0, "portrait", ("dark brown", "dark red", "black")),
            (5.0, "portrait", ("dark green", "blue", "light brown")),
        ):
            with r.back(x, 1.2):
                a.painting(0.95, 1.25, style, rng, frame="gold", colours=colours)
        for x, style in ((1.0, "still life"), (5.0, "sunset")):
            with r.back(x, 2.85):
                a.painting(0.95, 0.65, style, rng, frame="gold")
        with r.back(3.0, 2.95):
            a.painting(1.5, 0.62, "seascape", rng, frame="gold")
        with r.left(3.6, 1.1):
            a.painting(1.7, 1.2, "seascape", rng, frame="gold")
        with r.left(1.7, 1.1):
            a.painting(1.0, 1.3, "portrait", rng, frame="gold", colours=("dark grey", "white", "dark brown"))
        with r.right(3.2, 1.1):
            a.painting(1.8, 1.3, "sunset", rng, frame="gold")
        a.rope_barrier([(0.9, 4.3), (2.3, 4.3), (3.7, 4.3), (5.1, 4.3)], "dark red")
        with r.floor(3.1, 2.7):
            a.gallery_bench(1.8, "dark green")
        with r.floor(5.15, 2.3):
            base = a.plinth(1.05, 0.42, "beige")
        with put(base, 5.15, 2.3, 1.05, -20):
            a.sculpture("bust", "marble")
        with scenery():
            for side in (0.03, 5.97):
                box(side, 2.6, 3.75, 0.12, 5.2, 0.2, m.paint("white", 0.6))
            box(3.0, 5.15, 3.75, 6.0, 0.12, 0.2, m.paint("white", 0.6))
        panel_light(3.0, 2.0, 3.9, 150, size=2.8, colour=WARM)
        panel_light(3.0, 3.6, 3.9, 60, size=2.0, colour=WARM, toward=(3, 5.2, 1.6))
        sky(0.2)
    camera((2.5, -0.3, 1.6), (3.1, 4.4, 1.55), lens=20)


def _sculptures(rng: Random) -> None:
    """A sculpture hall in stone: statues and busts on plinths along grey-green walls, arches, light from above."""
    with Room(
        6.4,
        7.4,
        4.2,
        walls=m.paint((0.32, 0.4, 0.38), 0.9),
        floor_of=m.checks((0.75, 0.73, 0.69), (0.18, 0.18, 0.19), 0.6, 0.15),
        ceiling=m.paint("white", 0.9),
    ) as r:
        with scenery(), at(3.2, 5.7):
            a.arch(2.6, 3.2, 0.35, 4.2, 6.4, m.paint((0.55, 0.56, 0.52), 0.9))
        with r.back(3.2, 1.0):
            a.painting(1.9, 1.4, "landscape", rng, frame="gold")
        for k, (x, y, kind, of, high, turn) in enumerate(
            (
                (1.15, 4.8, "figure", "marble", 0.5, 25),
                (5.3, 4.8, "figure", "bronze", 0.5, -25),
                (1.0, 2.6, "bust", "marble", 1.1, 50),
                (5.4, 2.9, "vase", "marble", 0.95, 0),
                (1.0, 3.7, "bust", "bronze", 1.1, 50),
            )
        ):
            with r.floor(x, y):
                base = a.plinth(high, 0.62 if high < 0.6 else 0.45, "beige")
            with put(base, x, y, high, turn):
                a.sculpture(kind, of)
            if k == 1:
                a.rope_barrier([(4.75, 5.3), (4.7, 4.25), (5.85, 4.2)], "dark blue")
        with r.floor(3.2, 3.5):
            base = a.plinth(0.7, 0.7, "beige")
        with put(base, 3.2, 3.5, 0.7, -15):
            a.sculpture("knot", "bronze", scale=1.5)
        with r.floor(4.6, 1.9, 60):
            a.gallery_bench(1.3, kind="walnut")
        with scenery():
            for y in (1.5, 3.4):
                box(3.2, y, 4.17, 2.6, 1.3, 0.04, m.glow((0.9, 0.96, 1.0), 3.0), bevel=0)
        panel_light(3.2, 2.4, 4.1, 210, size=2.6, colour=COOL)
        panel_light(3.2, 6.6, 4.1, 70, size=1.5, colour=WARM)
        panel_light(3.2, -0.5, 3.0, 40, size=2.0, colour=NEUTRAL, toward=(3.2, 4, 1))
        sky(0.3)
    camera((2.6, -0.4, 1.6), (3.3, 4.4, 1.3), lens=21)


def _loft(rng: Random) -> None:
    """A brick loft: colourful canvases, a steel sculpture on the floor, a balloon dog, a mobile."""
    with Room(
        6.6,
        5.4,
        3.7,
        walls=m.bricks((0.5, 0.22, 0.14)),
        floor_of=m.concrete(),
        ceiling=m.wood("oak", along="y"),
        skirting=False,
    ) as r:
        r.window("left", 2.6, 0.9, 2.6, 2.2, panes=(4, 3), frame="black")
        with scenery():
            box(3.3, 5.36, 0.3, 5.8, 0.06, 2.9, m.paint("white", 0.9))
            for x in (1.0, 3.3, 5.6):
                box(x, 2.6, 3.5, 0.2, 5.4, 0.2, m.wood("walnut", along="y"))["surface"] = "beam"
        with r.back(1.6, 0.85, gap=0.08):
            a.painting(1.5, 1.8, "stripes", rng, colours=("cyan", "pink", "yellow", "purple", "white"))
        with r.back(3.5, 0.85, gap=0.08):
            a.painting(1.5, 1.8, "splash", rng, colours=("purple", "yellow", "white", "pink"))
        with r.back(5.3, 0.85, gap=0.08):
            a.painting(1.3, 1.8, "circles", rng, colours=("green", "white", "orange", "yellow"))
        with r.right(2.9, 0.8):
            a.painting(2.0, 1.6, "fields", rng, colours=("light blue", "blue", "cyan", "white"))
        with r.floor(1.9, 3.0, 20):
            a.folded_plates("red")
        with r.floor(4.9, 2.7):
            base = a.plinth(0.6, 0.8)
        with put(base, 4.9, 2.7, 0.6, 160):
            a.sculpture("dog", "pink", scale=1.15)
        with at(3.5, 3.2, 3.5):
            a.mobile(0.5)
        a.rope_barrier([(0.95, 2.25), (1.7, 1.75), (2.75, 2.2)], "black", metal="chrome")
        with r.floor(4.1, 1.5, 12):
            a.gallery_bench(1.5, kind="oak")
        with r.floor(0.45, 4.7):
            plant(rng, height=1.3, pot="black")
        panel_light(3.3, 2.0, 3.4, 170, size=2.8, colour=NEUTRAL)
        panel_light(-0.6, 2.6, 2.2, 120, size=2.2, colour=COOL, toward=(3, 2.6, 0.8))
        sky(0.8)
    camera((4.1, -0.5, 1.6), (3.1, 3.8, 1.3), lens=20)


def _enfilade(rng: Random) -> None:
    """Rooms in a row seen through doorways, blue and grey walls, framed landscapes, a parquet, a rope across."""
    with Room(
        4.8,
        9.0,
        3.6,
        walls=m.paint((0.12, 0.22, 0.36), 0.9),
        floor_of=m.checks((0.42, 0.24, 0.11), (0.5, 0.31, 0.16), 0.28, 0.2),
        ceiling=m.paint("white", 0.9),
    ) as r:
        with scenery():
            for y, colour in ((3.6, (0.12, 0.22, 0.36)), (6.6, (0.4, 0.3, 0.2))):
                for x, width in ((0.75, 1.5), (4.05, 1.5)):
                    box(x, y, 0, width, 0.3, 3.6, m.paint(colour, 0.9), bevel=0)
                box(2.4, y, 2.6, 1.8, 0.3, 1.0, m.paint(colour, 0.9), bevel=0)
                for dx in (-0.93, 0.93):
                    box(2.4 + dx, y, 0, 0.09, 0.36, 2.64, m.paint("white", 0.5))
                box(2.4, y, 2.58, 1.95, 0.36, 0.09, m.paint("white", 0.5))
        with r.back(2.4, 0.8):
            a.painting(1.7, 1.5, "sunset", rng, frame="gold")
        for x, style, colours in (
            (0.72, "portrait", ("dark red", "black", "dark brown")),
            (4.08, "still life", ("red", "blue")),
        ):
            with at(x, 3.43, 1.05):
                a.painting(0.85, 1.1, style, rng, frame="gold", colours=colours)
        for y, style in ((1.0, "landscape"), (2.55, "seascape")):
            with r.left(y, 1.1):
                a.painting(1.05, 0.85, style, rng, frame="gold")
        with r.right(1.9, 1.0):
            a.painting(1.7, 1.25, "landscape", rng, frame="gold")
        with r.left(5.0, 1.0):
            a.painting(1.3, 1.2, "sunset", rng, frame="gold")
        with r.right(5.0, 1.0):
            a.painting(1.3, 1.2, "seascape", rng, frame="gold")
        with r.floor(2.4, 2.15, 90):
            a.gallery_bench(1.3, "dark red")
        with r.floor(1.75, 5.4):
            base = a.plinth(0.9, 0.4, "white")
        with put(base, 1.75, 5.4, 0.9, 20):
            a.sculpture("vase", "blue")
        with r.floor(2.4, 8.0):
            base = a.plinth(0.55, 0.5, "white")
        with put(base, 2.4, 8.0, 0.55):
            a.sculpture("bust", "marble", scale=0.9)
        a.rope_barrier([(3.95, 2.85), (3.95, 1.4)], "yellow")
        for y in (1.6, 5.1, 7.9):
            panel_light(2.4, y, 3.5, 85, size=1.8, colour=NEUTRAL)
        sky(0.3)
    camera((2.75, -0.7, 1.58), (2.3, 5.0, 1.35), lens=20, exposure=0.1)


def _dark(rng: Random) -> None:
    """Spotlights in a dark hall: paintings and sculptures shine out of the dark grey."""
    with Room(
        6.6,
        5.0,
        3.4,
        walls=m.paint((0.045, 0.045, 0.05), 0.9),
        floor_of=m.concrete((0.14, 0.14, 0.15)),
        ceiling=m.paint("dark grey", 0.9),
        skirting=False,
    ) as r:
        places = (
            (1.15, 1.2, 1.5, "grid", ("yellow", "red", "cyan")),
            (3.3, 1.7, 1.5, "fields", ("red", "orange", "dark red", "yellow")),
            (5.45, 1.2, 1.5, "circles", ("cyan", "white", "yellow", "dark blue")),
        )
        for x, wide, tall, style, colours in places:
            with r.back(x, 0.95):
                a.painting(wide, tall, style, rng, colours=colours)
            a.lit_from(x, 3.4, 3.3, (x, 5.0, 1.6), 42, WARM)
        with r.left(2.9, 0.95):
            a.painting(1.6, 1.4, "splash", rng, colours=("white", "red", "black", "blue"))
        a.lit_from(1.7, 2.9, 3.3, (0, 2.9, 1.6), 40, WARM)
        with r.right(2.9, 0.95):
            a.painting(1.6, 1.4, "stripes", rng, colours=("orange", "white", "green", "pink"))
        a.lit_from(4.9, 2.9, 3.3, (6.6, 2.9, 1.6), 40, WARM)
        for x, y, kind, of, high in (
            (1.6, 2.4, "spheres", "gold", 0.9),
            (3.3, 3.2, "spiral", "white", 0.7),
            (5.1, 2.3, "knot", "red", 0.95),
        ):
            with r.floor(x, y):
                base = a.plinth(high, 0.46, "white" if kind != "spiral" else "light grey")
            with put(base, x, y, high):
                a.sculpture(kind, of, scale=1.1)
            a.lit_from(x - 0.4, y - 0.9, 3.3, (x, y, 1.2), 30, WARM)
        a.rope_barrier([(2.6, 2.75), (3.3, 2.45), (4.0, 2.75)], "dark red")
        with r.floor(3.35, 1.45):
            a.gallery_bench(1.5, "white")
        for y in (3.4, 2.2):
            with r.floor(3.3, y):
                spot_rail(5.2, 3.4, 7)
        panel_light(3.3, 0.5, 3.2, 45, size=2.0, colour=COOL)
        sky(0.15)
    camera((2.4, -0.5, 1.6), (3.45, 3.6, 1.25), lens=20, exposure=0.35)
