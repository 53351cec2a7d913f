"""Cafés: small tables with cups, a counter with a coffee machine, cakes behind glass and a menu are what tells them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from draw import materials as m
from draw.furniture import counters as c
from draw.furniture import tableware as t
from draw.furniture.basic import bookcase, ceiling_lamp, picture_frame, plant, put, vase
from draw.furniture.seating import armchair
from draw.room import Room, daylight
from draw.rooms import room
from draw.stage import (
    WARM,
    Thing,
    at,
    box,
    bulb,
    camera,
    cylinder,
    lathe,
    lettering,
    panel_light,
    scenery,
    sky,
    sphere,
    sun,
    thing,
)

TOP = 0.74


@room("café")
def cafe(rng: Random, take: int) -> None:
    """Draw a café."""
    (_corner, _parisian, _terrace, _patisserie, _roastery, _cosy)[take - 1](rng)


def _set(
    top: str,
    seats: Sequence[float],
    *,
    chairs: str = "walnut",
    pad: str = "beige",
    cups: str = "white",
    cake: str | None = "pink",
    square: bool = False,
) -> Thing:
    """A small table about the origin, chairs at these turns (0: nearest to the viewer), cups and a slice of cake."""
    table = c.cafe_table(top, square=square)
    for i, turn in enumerate(seats):
        a = math.radians(turn)
        with at(0.56 * math.sin(a), -0.56 * math.cos(a), 0, turn + 180):
            c.bistro_chair(chairs, seat=pad)
        with put(table, 0.19 * math.sin(a), -0.19 * math.cos(a), TOP, 40 * i):
            t.cup(cups)
    if cake:
        with put(table, -0.12, 0.1, TOP, 30):
            t.cake_slice(cake)
    return table


def _corner(rng: Random) -> None:
    """A counter with coffee machine and cake display along the back, menus above it, round tables in front, by day."""
    with Room(5.4, 4.8, 2.9, walls=m.paint((0.3, 0.48, 0.42), 0.9), floor_of=m.planks("oak")) as r:
        r.window("left", 2.2, 0.7, 2.2, 1.7, panes=(3, 2), frame="black")
        with r.floor(2.0, 3.95):
            bar = c.counter(2.3, "oak", style="slats", top="walnut")
        with put(bar, 1.55, 3.95, c.CAFE):
            c.espresso_machine("steel")
        with put(bar, 2.2, 3.9, c.CAFE):
            c.coffee_grinder("red")
        with put(bar, 2.75, 3.75, c.CAFE):
            t.cake("pink", cut=True)
        with r.floor(3.95, 3.95):
            c.cake_case(1.5, rng, colour="oak")
        with r.back(1.3, 1.75):
            c.menu_board(1.3, 0.85, "COFFEE", "ESPRESSO 2.0", "LATTE 3.5", "TEA 2.5")
        with r.back(2.75, 1.75):
            c.menu_board(1.1, 0.85, "CAKES", "MUFFIN 3.0", "TART 4.0")
        with r.back(4.2, 1.75), thing("shelf", "brown", "wooden"):
            box(0, -0.14, -0.03, 1.6, 0.26, 0.03, m.wood("oak"))
            for i in range(9):
                with at(-0.7 + i * 0.175, -0.14, 0):
                    cylinder(0, 0, 0, 0.055, 0.22, m.paint(("white", "orange", "cyan")[i % 3], 0.4), bevel=0.01)
        for x, y, seats in (
            (1.3, 2.1, (-60, 100)),
            (2.75, 2.35, (70, 200)),
            (3.7, 1.15, (120, -100)),
            (1.6, 0.75, (150, 60)),
        ):
            with r.floor(x, y):
                _set("walnut" if x < 3 else "oak", seats, chairs="walnut")
        for x in (1.3, 2.4, 3.5):
            with r.floor(x, 3.35):
                ceiling_lamp(2.9, 0.75, colour="orange", radius=0.2)
        with r.floor(4.95, 2.6):
            plant(rng, height=1.4, pot="beige")
        daylight(r, from_=(-6, 2, 4), fill=75, strength=3.5)
    camera((4.4, -0.45, 1.65), (2.35, 3.2, 1.05), lens=21)


def _parisian(rng: Random) -> None:
    """Marble tables along a red bench under mirrors, a chequered floor, coffee machine and counter at the far end."""
    with Room(4.2, 5.6, 3.0, walls=m.paint((0.72, 0.62, 0.42), 0.9), floor_of=m.checks("black", "white", 0.3)) as r:
        r.window("right", 2.6, 0.6, 2.4, 1.9, panes=(3, 2), frame="dark red")
        for y in (1.5, 2.8):
            with r.left(y):
                c.booth(1.28, "red", "walnut")
        for i, y in enumerate((1.0, 2.05, 3.1)):
            with r.floor(0.95, y):
                table = c.cafe_table("white", square=True, radius=0.31)
            for dy in (-0.13, 0.13):
                with put(table, 0.95 + dy, y + dy, TOP, 60):
                    t.cup("white")
            if i != 1:
                with put(table, 0.8, y + 0.15, TOP):
                    t.cake_slice("pink" if i else "yellow")
            else:
                with put(table, 0.82, y + 0.16, TOP):
                    vase("white", "red", rng, height=0.16)
            with r.floor(1.55, y, -90):
                c.bistro_chair("black", seat="red")
        with r.floor(3.15, 1.75):
            _set("white", (20, 160), chairs="black", pad="red", square=True, cake="brown")
        with r.floor(3.2, 3.2):
            _set("white", (-20, 200), chairs="black", pad="red", square=True)
        for y in (1.5, 2.8):
            with r.left(y, 1.35), thing("mirror", "framed"):
                box(0, -0.015, 0, 1.0, 0.03, 0.85, m.wood("walnut"))
                box(0, -0.026, 0.05, 0.9, 0.02, 0.75, m.mirror(), bevel=0)
        with r.floor(2.4, 4.75):
            bar = c.counter(2.0, "walnut", top="white")
        with put(bar, 2.0, 4.72, c.CAFE):
            c.espresso_machine("copper", groups=3)
        with put(bar, 2.75, 4.55, c.CAFE):
            t.cake("white", cut=True)
        with put(bar, 3.15, 4.5, c.CAFE), thing("tray", "with croissants"):
            box(0, 0, 0, 0.42, 0.28, 0.02, m.metal("steel"))
            with at(0, 0.02, 0.02):
                t.croissants(3)
        with r.floor(0.75, 4.75):
            c.cake_case(1.2, rng, colour="walnut")
        with r.back(2.4, 1.85):
            c.menu_board(1.5, 0.8, "CAFÉ", "CROISSANT 2", "CHOCOLAT 4")
        for y in (1.3, 2.6, 3.9):
            with r.floor(2.1, y), thing("ceiling lamp", "white", "round", "lit"):
                cylinder(0, 0, 2.3, 0.01, 0.7, m.metal("brass"))
                sphere(0, 0, 2.2, 0.16, m.glow((1, 0.9, 0.72), 2.6))
                bulb(0, 0, 1.98, 9)
        daylight(r, from_=(6, 1.5, 4), fill=80, strength=3)
    camera((2.35, -0.35, 1.6), (1.95, 4.2, 1.0), lens=20, exposure=0.1)


def _terrace(rng: Random) -> None:
    """The pavement before a café: a striped awning, its name over the window, round tables with coffee in the sun."""
    with Room(
        6.4,
        4.4,
        7.0,
        walls=m.paint((0.08, 0.2, 0.17), 0.5),
        floor_of=m.bricks((0.42, 0.4, 0.37), "dark grey", plane="xy"),
        sides="back",
        skirting=False,
    ) as r:
        r.window("back", 1.9, 0.6, 2.5, 1.55, panes=(3, 1), frame="beige")
        r.window("back", 5.2, 0.6, 1.6, 1.55, panes=(2, 1), frame="beige")
        with r.back(3.75):
            with thing("door", "glass"):
                for dx in (-0.4, 0.4):
                    box(dx, -0.02, 0, 0.12, 0.06, 2.2, m.paint("beige", 0.4))
                for z in (0.0, 1.0, 2.1):
                    box(0, -0.02, z, 0.9, 0.05, 0.14, m.paint("beige", 0.4))
                box(0, -0.015, 0.1, 0.7, 0.01, 2.0, m.paint("dark grey", 0.05), bevel=0)
        with r.back(3.2, 2.95), thing("sign", "beige"):
            box(0, -0.03, -0.08, 5.4, 0.05, 0.52, m.paint("beige", 0.6))
            lettering(0, -0.06, 0.05, "CAFÉ", 0.42, m.paint("dark red", 0.4))
        with r.back(3.2, 2.82):
            c.awning(6.0, ("red", "white"))
        with at(0, 0.7, 0):
            with r.back(1.9), scenery():
                box(0, -0.1, 0, 3.0, 0.1, 2.6, m.paint((0.6, 0.42, 0.25), 0.9), bevel=0)
                panel_light(0, -0.3, 2.4, 20, size=1.0, colour=WARM)
        with r.floor(1.6, 4.75):
            bar = c.counter(1.8, "oak", style="plain")
            with put(bar, -0.3, 0, c.CAFE):
                c.espresso_machine("steel")
        with r.floor(2.75, 4.95):
            c.cake_case(0.9, rng)
        places = (
            (1.15, 2.9, (30, 190)),
            (2.7, 2.5, (-60, 120)),
            (4.9, 2.9, (-40, 160)),
            (1.5, 1.25, (120, -110)),
            (4.2, 1.3, (150, 20)),
        )
        for i, (x, y, seats) in enumerate(places):
            with r.floor(x, y):
                _set("white", seats, chairs="pine", pad=("red", "green")[i % 2], cake=("pink", "brown", None)[i % 3])
        with r.floor(3.25, 3.55, -8):
            c.stand_board("COFFEE", "CAKE", "TEA")
        for x in (0.5, 6.0):
            with r.floor(x, 3.9):
                plant(rng, height=1.2, pot="orange")
        with scenery():
            box(3.2, 10, -0.14, 90, 90, 0.02, m.concrete(), bevel=0)
        sky(0.55)
        sun(3.2, from_=(2.5, -4, 5))
    camera((4.3, -1.2, 1.7), (2.95, 3.4, 1.35), lens=23, exposure=-0.2)


def _patisserie(rng: Random) -> None:
    """Pink and white: a long case of cakes in front, the coffee machine behind it, white tables at the window."""
    with Room(5.2, 4.2, 2.8, walls=m.paint((0.82, 0.5, 0.54), 0.9), floor_of=m.tiles("white", "light grey", 0.5)) as r:
        r.window("right", 2.3, 0.7, 2.0, 1.6, panes=(2, 1), frame="white")
        with r.left(1.45, gap=0.75):
            c.cake_case(1.7, rng, height=1.25)
        with r.left(3.0, gap=0.75):
            bar = c.counter(1.3, "pink", style="tiles", top="white")
            with put(bar, 0.15, 0.02, c.CAFE):
                c.espresso_machine("white")
            with put(bar, -0.48, -0.25, c.CAFE):
                t.cake("white", cut=False, radius=0.14)
        with r.left(2.2, 1.75):
            c.menu_board(1.7, 0.7, "COFFEE & CAKE", "CAPPUCCINO 3")
        for z in (1.5, 1.95):
            with r.back(1.6, z), thing("shelf", "white"):
                box(0, -0.14, -0.03, 1.9, 0.26, 0.03, m.paint("white", 0.4))
                for i in range(8):
                    with at(-0.8 + i * 0.23, -0.14, 0):
                        if i % 3 == 0:
                            cylinder(
                                0, 0, 0, 0.06, 0.18, m.paint(("cyan", "pink", "yellow")[(i // 3) % 3], 0.3), bevel=0.01
                            )
                        else:
                            for k in range(4):
                                with at(0, 0, 0.055 * k):
                                    lathe(
                                        0,
                                        0,
                                        0,
                                        [(0, 0), (0.03, 0), (0.05, 0.06), (0.045, 0.06), (0, 0.01)],
                                        m.paint("white", 0.12),
                                        sides=20,
                                    )
        for x, y, seats in (
            (2.75, 2.9, (40, 180)),
            (4.1, 3.1, (-70, 110)),
            (3.4, 1.5, (100, -60)),
            (4.5, 1.6, (60, 200)),
        ):
            with r.floor(x, y):
                table = _set(
                    "white", seats, chairs="white", pad="cyan", cups="pink", cake="yellow" if y > 2 else "pink"
                )
        with put(table, 4.55, 1.72, TOP):
            vase("cyan", "pink", rng, height=0.16)
        for i, x in enumerate((2.9, 3.6, 4.3)):
            with r.floor(x, 2.4):
                ceiling_lamp(2.8, 0.7 + 0.15 * (i % 2), colour=("pink", "white", "cyan")[i], radius=0.24)
        with r.back(3.9, 1.4):
            picture_frame(1.0, 0.8, rng, frame="white")
        daylight(r, from_=(6, 2, 4), fill=70, strength=3)
    camera((4.0, -0.5, 1.6), (1.85, 2.9, 0.95), lens=21)


def _roastery(rng: Random) -> None:
    """Brick and iron in the evening: a counter at the left, copper coffee machine, a lit sign, wooden tables."""
    with Room(5.0, 5.2, 3.0, walls=m.bricks(), floor_of=m.concrete((0.4, 0.38, 0.36))) as r:
        with r.floor(0.75, 3.1, 90):
            bar = c.counter(3.4, "black", top="oak", style="panels")
            with put(bar, -1.1, 0, c.CAFE):
                c.coffee_grinder("red")
            with put(bar, -0.4, 0, c.CAFE):
                c.espresso_machine("copper", groups=3)
            with put(bar, 0.4, -0.15, c.CAFE):
                t.cake("brown", cut=True)
            with put(bar, 0.85, -0.15, c.CAFE):
                t.cake("pink")
            with put(bar, 1.35, -0.2, c.CAFE):
                c.cash_register()
        for i in range(2):
            with r.left(2.5, 1.5 + 0.42 * i), thing("shelf", "brown", "wooden"):
                box(0, -0.14, -0.03, 2.2, 0.26, 0.035, m.wood("oak"))
                for k in range(11):
                    with at(-1.0 + k * 0.2, -0.14, 0):
                        if (k + i) % 2:
                            cylinder(0, 0, 0, 0.05, 0.13, m.paint("white", 0.2), sides=24)
                        else:
                            box(
                                0,
                                0,
                                0,
                                0.12,
                                0.08,
                                0.26,
                                m.paint(("light brown", "black", "orange")[k % 3], 0.6),
                                bevel=0.01,
                            )
        with r.back(2.85, 1.85):
            c.neon("COFFEE", (1.0, 0.55, 0.12), size=0.42, power=14)
        with r.left(4.4, 1.5):
            c.menu_board(1.1, 1.0, "MENU", "FILTER 3", "LATTE 4", "MOCHA 4")
        for x, y, seats in (
            (2.6, 3.55, (20, 200)),
            (4.0, 3.9, (-50, 110)),
            (3.0, 1.9, (70, -110)),
            (4.3, 2.2, (100, 200)),
        ):
            with r.floor(x, y):
                table = _set("oak", seats, chairs="black", pad="brown", cups="cyan", cake="brown", square=True)
                with put(table, 0.2, 0.2, TOP):
                    t.candle("white", height=0.08, holder="iron")
        for x, y in ((2.6, 3.55), (4.0, 3.9), (3.0, 1.9), (4.3, 2.2), (1.3, 2.2), (1.3, 3.6)):
            with r.floor(x, y):
                ceiling_lamp(3.0, 1.0, colour="black", radius=0.17)
        with r.right(4.7):
            plant(rng, height=1.5, pot="black")
        sky(0.12)
        panel_light(2.6, 2.4, 2.95, 75, size=3, colour=WARM)
    camera((3.9, -0.35, 1.6), (1.95, 3.8, 1.05), lens=20, exposure=0.45)


def _cosy(rng: Random) -> None:
    """A table with coffee and cake close up before a small counter; armchairs, books, yellow walls, lamps."""
    with Room(4.8, 4.4, 2.7, walls=m.paint((0.82, 0.62, 0.26), 0.9), floor_of=m.planks("cherry")) as r:
        r.window("right", 2.7, 0.8, 1.6, 1.5, panes=(2, 2), curtain=m.fabric("orange"), curtain_words=("orange",))
        with r.floor(1.55, 3.55):
            bar = c.counter(1.7, "dark blue", top="oak")
        with put(bar, 1.2, 3.6, c.CAFE):
            c.espresso_machine("red")
        with put(bar, 1.85, 3.35, c.CAFE):
            t.cake("white", cut=True)
        with put(bar, 2.2, 3.35, c.CAFE):
            t.cake("brown", radius=0.11)
        with r.floor(3.2, 3.6):
            c.cake_case(1.3, rng, colour="dark blue")
        with r.back(1.5, 1.7):
            c.menu_board(1.8, 0.8, "COFFEE  TEA", "CAKE OF THE DAY")
        with r.back(4.3):
            bookcase(0.8, 2.0, rng, "oak")
        with r.floor(2.0, 0.95):
            table = c.cafe_table("oak", radius=0.42)
            for x, y, colour in ((-0.2, -0.15, "red"), (0.2, -0.05, "red")):
                with put(table, x, y, TOP, 20):
                    t.cup(colour)
            with put(table, -0.12, 0.19, TOP, 200):
                t.cake_slice("pink")
            with put(table, 0.15, 0.22, TOP):
                t.teapot("white")
        for x, y, turn in ((1.25, 1.35, 50), (2.75, 1.4, -50)):
            with r.floor(x, y, turn):
                c.bistro_chair("walnut", seat="red")
        with r.floor(0.7, 2.2):
            _set("oak", (60, 190), chairs="walnut", pad="red")
        with r.floor(3.7, 2.2, -40):
            armchair("green", "yellow")
        with r.floor(4.2, 1.5, -100):
            armchair("green", "orange")
        with r.floor(3.35, 1.55):
            table = c.cafe_table("oak", radius=0.28, height=0.55)
            with put(table, 0.05, 0.02, 0.55):
                t.cup("white")
        for x in (1.1, 2.0):
            with r.floor(x, 2.95):
                ceiling_lamp(2.7, 0.65, colour="red", radius=0.2)
        with r.floor(2.0, 1.3):
            ceiling_lamp(2.7, 0.5, colour="red", radius=0.22)
        daylight(r, from_=(6, 2, 4), fill=60, strength=2.5)
    camera((2.05, -0.55, 1.5), (2.1, 2.6, 0.98), lens=20, exposure=0.1)
