"""Shops."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture import goods as g
from draw.furniture import toys
from draw.furniture.basic import ceiling_lamp, plant, put, table
from draw.furniture.sanitary import wall_mirror
from draw.furniture.storage import wooden_crate
from draw.furniture.tableware import cake_shape, croissants
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    NEUTRAL,
    WARM,
    at,
    box,
    camera,
    cylinder,
    lettering,
    panel_light,
    sky,
    sphere,
    thing,
    tilted,
    tube,
)


@room("shop")
def shop(rng: Random, take: int) -> None:
    """Goods for sale, their prices, and a counter with a till."""
    takes: list[Callable[[Random], None]] = [_supermarket, _clothes, _bakery, _toys, _greengrocer, _checkout]
    takes[take - 1](rng)


def _supermarket(rng: Random) -> None:
    """An aisle of a supermarket between full shelves, a trolley in it."""
    with Room(
        5.2, 9.0, 3.2, walls=m.paint("light blue", 0.8), floor_of=m.tiles((0.7, 0.68, 0.64), size=0.6, rough=0.15)
    ) as r:
        for y, left, right in ((2.0, "packets", "cans"), (4.1, "mixed", "bottles"), (6.2, "jars", "packets")):
            with r.left(y, gap=0.35):
                g.gondola(2.0, 2.0, rng, kinds=(left, "mixed", "packets"), strip="red")
            with r.right(y, gap=0.35):
                g.gondola(2.0, 2.0, rng, kinds=("mixed", right, "jars"), strip="yellow")
        for x in (1.5, 2.6, 3.7):
            with r.back(x):
                g.cooler(1.1, rng)
        with r.floor(1.6, 4.2):
            g.hanging_sign("PASTA", r.height, "red", width=1.1, drop=0.45)
        with r.floor(3.6, 4.2):
            g.hanging_sign("SWEETS", r.height, "green", width=1.2, drop=0.45)
        with r.floor(2.6, 6.8):
            g.hanging_sign("DRINKS", r.height, "blue", width=1.4, drop=0.45)
        with r.floor(2.05, 2.75, -14):
            g.trolley("red", rng)
        with r.floor(3.25, 3.9):
            for i in range(3):
                with at(0, 0, 0.3 * i):
                    box(0, 0, 0, 0.5, 0.5, 0.3, m.paint(("orange", "yellow", "orange")[i], 0.6))
            with at(0, -0.26, 0.9):
                g.price_sign("SALE 0.99", "red", width=0.5, height=0.3, ink="white")
        with r.floor(3.15, 1.55, 30):
            g.basket("blue", rng)
        g.ceiling_panels(5.2, 9.0, 3.2)
        panel_light(2.6, 2.0, 3.1, 90, size=2.5, colour=NEUTRAL)
        panel_light(2.6, 5.5, 3.1, 110, size=2.5, colour=NEUTRAL)
        sky(0.4)
    camera((2.85, -0.2, 1.62), (2.5, 5, 1.15), lens=22, exposure=-0.1)


def _clothes(rng: Random) -> None:
    """A clothes shop: rails, dressed figures in the window, a table of folded shirts, the till."""
    with Room(6.0, 5.2, 3.0, walls=m.paint("white", 0.9), floor_of=m.planks("oak")) as r:
        r.window("left", 3.4, 0.3, 2.2, 2.2, panes=(1, 1), frame="black")
        for y, colour, lower in ((2.15, "red", None), (3.05, "yellow", "dark blue"), (3.95, "cyan", None)):
            with r.floor(1.25, y, 35):
                g.mannequin(colour, lower)
        for x, what, colours in (
            (2.4, "dresses", ("pink", "light purple", "white", "cyan")),
            (4.3, "shirts", ("white", "light blue", "dark blue", "grey", "red")),
        ):
            with r.back(x, gap=0.34):
                g.clothes_rail(1.6, rng, colours, what, wall=True, height=1.75 if what == "dresses" else 1.5)
        with r.back(4.3, 1.85):
            with thing("shelf", "brown", "wooden"):
                box(0, -0.18, 0, 1.7, 0.36, 0.03, m.wood("oak"))
                for i in range(4):
                    with at(-0.6 + 0.4 * i, -0.18, 0.03):
                        g.folded(("red", "beige", "green") if i % 2 else ("dark blue", "white", "light blue"))
        with r.floor(0.45, 4.3, 90):
            g.clothes_rail(1.5, rng, ("orange", "yellow", "beige", "brown", "dark red"), "coats", metal="brass")
        with r.floor(3.75, 2.55):
            desk = table(1.5, 0.85, 0.72, "pine")
        for i in range(6):
            with put(desk, 3.2 + 0.52 * (i % 3), 2.36 + 0.4 * (i // 3), 0.72):
                with thing("pile of clothes"):
                    g.folded(
                        [
                            ("red", "white", "red"),
                            ("light blue", "blue"),
                            ("green", "yellow", "white"),
                            ("pink",) * 3,
                            ("grey", "black"),
                            ("orange",) * 2,
                        ][i]
                    )
        with put(desk, 3.75, 2.14, 0.72):
            g.price_sign("2 FOR 20", "red", width=0.34, height=0.18, ink="white")
        with r.right(3.3, gap=0.7):
            top = g.counter(1.7, "white", "walnut")
        with put(top, 4.98, 3.1, 0.95), at(0, 0, 0, -90):
            g.till()
        with put(top, 5.0, 3.85, 0.95), at(0, 0, 0, -80):
            g.paper_bag("pink")
        with r.right(3.3, 1.55):
            with thing("sign", "red"):
                box(0, -0.02, 0, 1.5, 0.03, 0.45, m.paint("red", 0.5))
                lettering(0, -0.05, 0.12, "FASHION", 0.28, m.paint("white"))
        with r.right(1.6, 0.1):
            wall_mirror(0.7, 1.8)
        with r.floor(5.3, 4.8):
            plant(rng, height=1.1, pot="white")
        with r.floor(3.4, 3.9, 0):
            g.spot_rail(3.5, 2.95, 6)
        daylight(r, strength=2.5, from_=(-6, 1, 4), fill=140)
        outdoors(-30, hedge=False)
    camera((4.7, 0.0, 1.6), (2.7, 3.9, 1.02), lens=21)


def _bakery(rng: Random) -> None:
    """A bakery: bread on the wall, cakes under glass, baskets, prices, the till on the counter."""
    with Room(
        5.0,
        3.9,
        2.9,
        walls=m.tiles("white", "light grey", 0.15, 0.2, "xz"),
        floor_of=m.checks("dark red", "beige", 0.35),
    ) as r:
        for x in (0.85, 2.2):
            with r.back(x):
                g.bread_shelf(1.3, rng, "pine", levels=3, height=1.9)
        with r.back(3.7), thing("bread shelf", "wooden", "full of bread"):
            w = m.wood("pine")
            for z in (0.95, 1.45, 1.95):
                box(0, -0.18, z, 1.3, 0.36, 0.03, w)
            crust = m.mottled((0.5, 0.26, 0.08), (0.7, 0.46, 0.2), 0.05, 0.8, 0.3)
            for i in range(5):
                with tilted(-0.5 + 0.25 * i, -0.2, 1.98, about="X", by=12):
                    g.cushion(0, 0, 0, 0.08, 0.1, 0.5, crust, soft=0.48)
                sphere(-0.5 + 0.25 * i, -0.18, 1.54, 0.11, crust, scale=(1, 1, 0.65))
            for k in range(3):
                with at(-0.4 + 0.4 * k, -0.18, 0.98):
                    croissants(3)
        for x, words in ((0.85, "FRESH"), (2.2, "BREAD"), (3.7, "CAKES")):
            with r.back(x, 2.45):
                with thing("sign", "brown"):
                    box(0, -0.02, 0, 1.15, 0.03, 0.3, m.wood("walnut"))
                    lettering(0, -0.05, 0.07, words, 0.23, m.paint("white"))
        icings = ("pink", "brown", "white", "yellow", "dark red", "light green")

        def fill(level: int, i: int) -> None:
            if level == 0:
                with thing("cake", icings[i % 6]):
                    cake_shape(icings[i % 6], radius=0.11, cut=i % 3 == 1)
            else:
                with at(0, 0, 0.005):
                    box(0, 0, 0, 0.28, 0.2, 0.01, m.metal("steel"))
                    for k in range(6):
                        x, y = -0.09 + 0.09 * (k % 3), -0.045 + 0.09 * (k // 3)
                        cylinder(x, y, 0.01, 0.026, 0.035, m.paint("beige", 0.8), top=0.036)
                        sphere(x, y, 0.05, 0.036, m.paint(icings[(i + k) % 6], 0.5), scale=(1, 1, 0.7))

        with r.floor(2.0, 2.45):
            g.display_counter(2.7, rng, fill=fill)
        with r.floor(4.1, 2.45):
            top = g.counter(1.4, "white", "oak", depth=0.75, height=1.0)
        with put(top, 4.25, 2.1, 1.0):
            g.till()
        with put(top, 3.72, 2.05, 1.0), thing("basket", "with croissants"):
            g.lathe(
                0,
                0,
                0,
                [(0, 0), (0.14, 0.005), (0.19, 0.1), (0.175, 0.1)],
                m.mottled((0.3, 0.17, 0.07), (0.45, 0.3, 0.14), 0.02, 0.9, 0.6),
            )
            for dy in (-0.06, 0.05):
                with at(0, dy, 0.05):
                    croissants(2)
        for i, price in enumerate(("2.50", "3.20", "1.80", "4.00", "0.90")):
            with at(0.9 + 0.52 * i, 2.22, 1.28):
                g.price_sign(price, "white", width=0.2, height=0.12)
        with r.floor(0.5, 1.35), thing("basket", "with baguettes"):
            cylinder(0, 0, 0, 0.17, 0.45, m.mottled((0.3, 0.17, 0.07), (0.45, 0.3, 0.14), 0.02, 0.9, 0.6), top=0.22)
            for i in range(8):
                with tilted(0.1 * ((i % 3) - 1), 0.06 * ((i // 3) - 1), 0.25, about="Y", by=7 * ((i % 3) - 1)):
                    g.cushion(
                        0,
                        0,
                        0,
                        0.075,
                        0.075,
                        0.6,
                        m.mottled((0.5, 0.26, 0.08), (0.7, 0.46, 0.2), 0.05, 0.8, 0.3),
                        soft=0.48,
                    )
        for x in (1.5, 2.95, 4.4):
            with r.floor(x, 1.7):
                ceiling_lamp(r.height, 0.45, colour="dark red")
        sky(0.3)
        panel_light(2.5, 0.6, 2.7, 70, size=2, colour=WARM)
        panel_light(2.5, 3.1, 2.8, 45, size=1.2, colour=WARM)
    camera((2.9, -0.15, 1.62), (2.4, 3.0, 1.2), lens=21, exposure=-0.1)


def _toys(rng: Random) -> None:
    """A toy shop in bright colours: bears, balls, trains, boxes, a rocking horse, the till under balloons."""
    with Room(5.0, 5.0, 2.9, walls=m.paint("light blue", 0.9), floor_of=m.checks("yellow", "white", 0.5)) as r:
        bright = ("red", "blue", "green", "orange", "purple")
        for n, x in enumerate((0.85, 2.35, 3.85)):
            with r.back(x):
                with thing("shelf", bright[n], "full of toys"):
                    skin = m.paint(bright[n], 0.4)
                    box(0, -0.01, 0, 1.4, 0.02, 2.2, m.paint("white", 0.6))
                    for dx in (-0.69, 0.69):
                        box(dx, -0.2, 0, 0.03, 0.4, 2.2, skin)
                    for z in (0.08, 0.62, 1.16, 1.7, 2.17):
                        box(0, -0.2, z, 1.4, 0.4, 0.03, skin)
                    stock = g.Stock()
                    for i in range(6):
                        stock.box(
                            -0.55 + 0.22 * i, -0.2, 0.65, 0.19, 0.2, 0.28 + 0.12 * (i % 2), g.PACKED[(i + 4 * n) % 11]
                        )
                        stock.box(-0.55 + 0.22 * i, -0.305, 0.72, 0.13, 0.01, 0.12, g.PACKED[(i + 4 * n + 5) % 11])
                        stock.box(-0.55 + 0.22 * i, -0.2, 1.73, 0.2, 0.2, 0.24, g.PACKED[(2 * i + n) % 11])
                    stock.build()
                for i in range(3):
                    with at(-0.42 + 0.42 * i, -0.2, 1.19):
                        if n == 1:
                            toys.toy_car(("red", "blue", "yellow")[i])
                        else:
                            toys.teddy(
                                ("light brown", "white", "brown", "pink", "beige", "light brown")[i + 2 * (n > 1)], 0.85
                            )
                for i in range(3):
                    with at(-0.42 + 0.42 * i, -0.22, 0.11):
                        toys.ball(0.14, ((("red", "white"), ("blue", "yellow"), ("green", "white"))[(i + n) % 3]))
        with r.left(1.9):
            g.gondola(2.0, 1.5, rng, kinds=("packets",), colour="red", strip="yellow", levels=3)
        with r.left(1.9, 1.5):
            toys.teddy("light brown", 1.5, bow="red")
        with r.floor(2.2, 2.6):
            show = table(1.3, 0.9, 0.55, "white")
        with put(show, 2.0, 2.7, 0.55):
            toys.dolls_house("pink", "red")
        with put(show, 2.55, 2.4, 0.55):
            toys.stacking_rings()
        with put(show, 1.85, 2.3, 0.55):
            g.price_sign("19.99", "yellow", width=0.3, height=0.17)
        with r.floor(1.35, 1.35, 40):
            toys.rocking_horse("light brown")
        with r.right(2.6, gap=0.6):
            top = g.counter(1.6, "blue", None)
        with put(top, 4.1, 2.7, 0.95), at(0, 0, 0, -90):
            g.till()
        with put(top, 4.1, 2.15, 0.95), at(0, 0, 0, -70):
            g.paper_bag("red")
        for i, colour in enumerate(("red", "yellow", "blue", "green")):
            with at(4.5 + 0.12 * (i % 2), 3.25 + 0.14 * i, 1.0 + 0.1 * (i % 3)):
                toys.balloon(colour)
        with r.floor(3.0, 1.5, -20):
            toys.toy_box("green", rng)
        with r.back(2.35, 2.3):
            toys.letters("TOYS", 0.42)
        panel_light(2.5, 1.8, 2.85, 120, size=2.6)
        sky(0.5)
    camera((3.4, -0.5, 1.55), (2.2, 3.6, 1.0), lens=20)


def _greengrocer(rng: Random) -> None:
    """A greengrocer's under an awning inside a brick hall: sloping crates of fruit with price signs, scales, till."""
    with Room(5.4, 4.2, 3.0, walls=m.bricks((0.45, 0.2, 0.13)), floor_of=m.concrete(), skirting=False) as r:
        with r.back(2.2):
            g.market_stand(
                (
                    ("cabbage", "pear", "aubergine", "lemon", "plum"),
                    ("potato", "apple", "pepper", "orange", "tomato"),
                    ("carrot", "lemon", "cucumber", "apple", "orange"),
                ),
                rng,
                ("1.99", "2.50", "0.80", "3.20", "1.20", "2.90"),
                kind="pine",
                width=0.82,
            )
        with thing("awning", "green", "striped"):
            for i in range(12):
                with tilted(0.32 + i * 0.3, 3.75, 2.35, about="X", by=-28):
                    box(0, -0.1, 0, 0.3, 0.95, 0.015, m.fabric("dark green" if i % 2 else "white"), bevel=0)
                with at(0.32 + i * 0.3, 3.23, 1.97):
                    box(0, 0, 0, 0.3, 0.015, 0.16, m.fabric("dark green" if i % 2 else "white"), bevel=0)
        with r.right(2.3, gap=0.55):
            top = g.counter(1.6, "white", "oak")
        with put(top, 4.55, 2.0, 0.95), at(0, 0, 0, -90):
            g.till()
        with put(top, 4.55, 2.75, 0.95), at(0, 0, 0, -90):
            g.scales("white")
        with r.right(2.3, 1.4):
            with thing("blackboard", "black"):
                box(0, -0.02, 0, 1.1, 0.03, 0.8, m.wood("oak"))
                box(0, -0.03, 0.04, 1.02, 0.03, 0.72, m.paint((0.02, 0.025, 0.02), 0.8))
                for i, words in enumerate(("PEARS 2.50", "PLUMS 3.20", "LEMONS 0.80")):
                    lettering(0, -0.055, 0.54 - 0.22 * i, words, 0.13, m.paint(("white", "yellow", "pink")[i], 0.8))
        for x, y, turn in ((1.3, 1.75, 12), (1.95, 1.6, -8)):
            with r.floor(x, y, turn):
                wooden_crate()
            with at(x, y, 0.3, turn):
                g.fruit_crate("pear" if x < 1.5 else "pepper", rng, width=0.48, depth=0.34)
        with r.floor(3.0, 1.75, 25):
            g.basket("green", rng)
        with r.floor(4.75, 3.75):
            plant(rng, height=0.9, pot="grey")
        for x in (0.9, 2.1, 3.3):
            with r.floor(x, 2.6):
                ceiling_lamp(r.height, 0.7, colour="dark green")
        sky(0.4)
        panel_light(2.5, 0.5, 2.9, 90, size=2, colour=NEUTRAL)
        panel_light(4.5, 1.6, 2.9, 25, size=1, colour=WARM)
    camera((3.25, 0.25, 1.65), (2.3, 3.2, 0.8), lens=20)


def _checkout(rng: Random) -> None:
    """At the checkout of a small late-night supermarket: belt, till, baskets, coolers and shelves behind."""
    with Room(6.0, 5.6, 3.0, walls=m.paint("light green", 0.9), floor_of=m.tiles("light grey", "grey", 0.4, 0.15)) as r:
        for x in (0.8, 2.25, 3.7, 5.15):
            with r.back(x):
                if x in (0.8, 2.25):
                    g.cooler(1.4, rng, colour="blue")
                else:
                    g.gondola(1.4, 2.0, rng, kinds=("packets", "jars", "bottles"), strip="green", colour="light grey")
        with r.left(2.6):
            g.gondola(2.6, 1.9, rng, kinds=("mixed",), strip="green", colour="light grey")
        with r.floor(3.6, 1.55, -16):
            g.checkout(rng, "white", length=2.5)
            with at(0.95, 0.02, 0.79, 0):
                g.till()
        with r.floor(5.1, 2.2, 180):
            with thing("chair", "blue"):
                cylinder(0, 0, 0.03, 0.22, 0.03, m.metal("steel"))
                cylinder(0, 0, 0.05, 0.03, 0.5, m.metal("steel"))
                g.cushion(0, 0, 0.52, 0.42, 0.4, 0.08, m.fabric("blue"))
                g.cushion(0, 0.2, 0.64, 0.4, 0.07, 0.34, m.fabric("blue"))
        with r.floor(4.6, 3.3):
            g.gondola(1.2, 1.25, rng, kinds=("packets", "cans"), strip="red", colour="white", levels=3)
        with r.floor(1.75, 1.7, -65):
            g.trolley("green", rng)
        for i in range(4):
            with r.floor(0.55, 0.9), at(0, 0, 0.1 * i):
                g.basket("green") if i == 3 else box(0, 0, 0.02, 0.44, 0.3, 0.09, m.paint("green", 0.35))
        with r.floor(3.6, 1.9, -10):
            g.hanging_sign("CHECKOUT 1", r.height, "green", width=1.5, drop=0.45)
        with thing("newspaper stand", "grey"):
            tube([(5.7, 3.2, 0), (5.7, 3.2, 1.4)], 0.02, m.metal("iron"))
            for z in (0.5, 0.85, 1.2):
                with tilted(5.62, 3.2, z, about="Y", by=-18):
                    box(0, 0, 0, 0.03, 0.4, 0.3, m.paint(("white", "yellow", "red")[round(z * 3) % 3], 0.6))
        g.ceiling_panels(6.0, 5.6, 3.0, rows=3, strength=4.5)
        panel_light(3.0, 1.5, 2.9, 85, size=2.5, colour=COOL)
        panel_light(3.0, 4.0, 2.9, 60, size=2.5, colour=COOL)
        sky(0.2)
    camera((2.3, -0.55, 1.6), (3.1, 3.0, 0.95), lens=21)
