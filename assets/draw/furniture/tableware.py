"""What one eats and drinks from, and what stands on laid tables and counters. All stand on the frame's origin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from draw import materials as m
from draw.stage import Thing, at, box, bulb, cushion, cylinder, lathe, part, ring, sphere, state, thing, tube

FRUIT = {
    "apple": "red",
    "green apple": "light green",
    "orange": "orange",
    "lemon": "yellow",
    "banana": "yellow",
    "pear": "light green",
}
"""The colour of each kind of fruit."""


def cup(colour: str = "white", *, saucer: bool = True, drink: str | None = "dark brown") -> Thing:
    """A cup, by default of coffee and on a saucer; its handle to the right."""
    with thing("cup", colour) as made:
        china = m.paint(colour, 0.12)
        z = 0.0
        if saucer:
            lathe(
                0, 0, 0, [(0, 0.004), (0.045, 0.002), (0.082, 0.014), (0.08, 0.018), (0.04, 0.008), (0, 0.008)], china
            )
            z = 0.008
        lathe(0, 0, z, [(0.024, 0), (0.042, 0.03), (0.048, 0.065), (0.044, 0.065), (0.038, 0.03), (0, 0.01)], china)
        if drink:
            part("coffee", cylinder(0, 0, z + 0.05, 0.043, 0.004, m.paint(drink, 0.15)))
        ring(0.058, 0, z + 0.036, 0.017, 0.0045, china, axis="y")
    return made


def mug(colour: str = "blue") -> Thing:
    """A tall mug; its handle to the right."""
    with thing("mug", colour) as made:
        china = m.paint(colour, 0.15)
        lathe(
            0, 0, 0, [(0, 0), (0.04, 0), (0.042, 0.004), (0.042, 0.1), (0.037, 0.1), (0.036, 0.02), (0, 0.016)], china
        )
        part("coffee", cylinder(0, 0, 0.082, 0.037, 0.003, m.paint("dark brown", 0.2)))
        ring(0.052, 0, 0.052, 0.026, 0.006, china, axis="y")
    return made


def plate_shape(colour: str = "white", radius: float = 0.135) -> None:
    """A plate that belongs to what it is built in (a dish rack, a stack)."""
    r = radius
    outline = [(0, 0), (0.6 * r, 0), (r, 0.018), (0.98 * r, 0.023), (0.62 * r, 0.008), (0, 0.008)]
    lathe(0, 0, 0, outline, m.paint(colour, 0.12))


def plate(colour: str = "white", *, radius: float = 0.135, food: str | None = None) -> Thing:
    """A plate; `food` is "pasta", "salad", "cookies", or nothing."""
    with thing("plate", colour) as made:
        plate_shape(colour, radius)
        if food == "pasta":
            sphere(0, 0, 0.012, 0.075, m.mottled("yellow", "beige", 0.012, 0.6, 0.8), scale=(1, 1, 0.35))
            sphere(0, 0, 0.036, 0.04, m.mottled("red", "dark red", 0.02, 0.4), scale=(1, 1, 0.35))
        elif food == "salad":
            for i in range(14):
                a = i * 2.4
                r = 0.018 * math.sqrt(i)
                sphere(
                    r * math.cos(a), r * math.sin(a), 0.028, 0.026, m.leaf(1.2 + 0.25 * (i % 3)), scale=(1, 0.7, 0.6)
                )
            for i in range(4):
                sphere(0.04 * math.cos(i * 1.7), 0.04 * math.sin(i * 1.7), 0.045, 0.014, m.paint("red", 0.2))
        elif food == "cookies":
            for i in range(7):
                a, r = i * 2.4, 0.028 * math.sqrt(i)
                cylinder(
                    r * math.cos(a), r * math.sin(a), 0.008 + 0.011 * (i % 3), 0.034, 0.012, m.paint("light brown", 0.8)
                )
    return made


def bowl(colour: str = "white", *, radius: float = 0.12, inside: str | None = None) -> Thing:
    """A bowl, empty or full of soup, cereal, … of a colour."""
    with thing("bowl", colour) as made:
        r = radius
        outline = [(0, 0), (0.4 * r, 0), (0.8 * r, 0.28 * r), (r, 0.62 * r), (0.95 * r, 0.62 * r), (0.72 * r, 0.3 * r)]
        lathe(0, 0, 0, [*outline, (0, 0.1 * r)], m.paint(colour, 0.15))
        if inside:
            cylinder(0, 0, 0.46 * r, 0.86 * r, 0.004, m.mottled(inside, inside, 0.02, 0.4))
    return made


def piece_of_fruit(kind: str = "apple") -> Thing:
    """An apple, pear, orange, lemon or banana; kinds in FRUIT."""
    with thing("apple" if kind == "green apple" else kind, FRUIT[kind]) as made:
        fruit_shape(kind)
    return made


def fruit_shape(kind: str) -> None:
    """A piece of fruit that belongs to what it is built in (a bowl of fruit, a crate)."""
    skin = m.paint(FRUIT[kind], 0.35)
    stalk = m.paint("dark brown", 0.7)
    if kind == "banana":
        arc = [(0.09 * math.cos(a) - 0.09, 0, 0.022 + 0.09 * math.sin(a)) for a in (i * 0.16 for i in range(10))]
        with at(0, 0, 0):
            for i in range(1, len(arc)):
                thick = 0.011 + 0.009 * math.sin(math.pi * i / len(arc))
                tube(
                    [
                        (-arc[i - 1][2] + 0.08, arc[i - 1][0] * 1.0 + 0.02, 0.02),
                        (-arc[i][2] + 0.08, arc[i][0] + 0.02, 0.02),
                    ],
                    thick,
                    skin,
                )
    elif kind == "pear":
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.024, 0.003), (0.04, 0.03), (0.034, 0.055), (0.02, 0.08), (0.014, 0.1), (0, 0.106)],
            skin,
        )
        cylinder(0, 0, 0.1, 0.003, 0.025, stalk)
    elif kind == "lemon":
        sphere(0, 0, 0.032, 0.032, skin, scale=(1.35, 1, 1))
    else:
        sphere(0, 0, 0.038, 0.04, skin, scale=(1, 1, 0.94))
        if "apple" in kind:
            cylinder(0, 0, 0.07, 0.003, 0.022, stalk)


def fruit_bowl(
    colour: str = "white",
    fruit: Sequence[str] = ("apple", "orange", "lemon", "green apple", "apple"),
    *,
    is_close: bool = False,
) -> Thing:
    """A wide bowl heaped with fruit; each is named where the bowl `is_close`."""
    with thing("fruit bowl", colour) as made:
        outline = [
            (0, 0),
            (0.06, 0),
            (0.07, 0.02),
            (0.15, 0.055),
            (0.185, 0.09),
            (0.178, 0.09),
            (0.14, 0.06),
            (0, 0.035),
        ]
        lathe(0, 0, 0, outline, m.paint(colour, 0.15))
        for i, kind in enumerate(fruit):
            outer = min(5, len(fruit))
            a = 2 * math.pi * i / outer
            far, high = (0.088, 0.045) if i < outer else (0.03 * (i - outer), 0.1)
            with at(far * math.cos(a), far * math.sin(a), high, i * 50):
                (piece_of_fruit if is_close else fruit_shape)(kind)
    return made


def bottle_shape(
    colour: str, *, height: float = 0.3, radius: float = 0.037, style: str = "wine", label: str | None = "beige"
) -> None:
    """A bottle that belongs to what it is built in (a shelf of bottles); styles: wine, spirit, milk."""
    h, r = height, radius
    if style == "wine":
        outline = [(0, 0), (r, 0.002), (r, 0.6 * h), (0.8 * r, 0.68 * h), (0.38 * r, 0.76 * h), (0.36 * r, h), (0, h)]
    elif style == "spirit":
        outline = [
            (0, 0),
            (r, 0.003),
            (1.08 * r, 0.5 * h),
            (r, 0.66 * h),
            (0.35 * r, 0.74 * h),
            (0.33 * r, 0.94 * h),
            (0, 0.94 * h),
        ]
    else:
        outline = [(0, 0), (r, 0.003), (r, 0.55 * h), (0.5 * r, 0.8 * h), (0.55 * r, h), (0, h)]
    lathe(0, 0, 0, outline, m.paint(colour, 0.08), sides=20)
    if style == "spirit":
        cylinder(0, 0, 0.93 * h, 0.42 * r, 0.07 * h, m.paint("dark brown", 0.4), sides=16)
    elif style == "wine":
        cylinder(
            0, 0, 0.86 * h, 0.42 * r, 0.145 * h, m.paint("dark red" if label != "black" else "black", 0.35), sides=16
        )
    if label:
        cylinder(0, 0, 0.18 * h, 1.02 * r if style != "spirit" else 1.09 * r, 0.26 * h, m.paint(label, 0.7), sides=24)


def bottle(
    colour: str = "dark green", *, height: float = 0.3, style: str = "wine", label: str | None = "beige"
) -> Thing:
    """A bottle; styles: "wine", "spirit", "milk"."""
    with thing("bottle", colour) as made:
        bottle_shape(colour, height=height, style=style, label=label, radius=0.042 if style == "milk" else 0.038)
    return made


def bottles(width: float, rng: Random, *, height: float = 0.3, gap: float = 0.1) -> None:
    """A row of different bottles from x = 0 to the right; part of the shelf that holds them."""
    colours = [
        "dark green",
        "brown",
        "orange",
        "dark red",
        "light brown",
        "cyan",
        "green",
        "dark blue",
        "yellow",
        "white",
    ]
    x = gap / 2
    while x < width - gap / 3:
        style = rng.choice(["wine", "spirit", "spirit"])
        with at(x, -0.09 + rng.uniform(-0.01, 0.01), 0):
            bottle_shape(
                rng.choice(colours),
                height=height * rng.uniform(0.78, 1.0),
                radius=rng.uniform(0.034, 0.042),
                style=style,
                label=rng.choice(["beige", "white", "black", "red", "yellow", None]),
            )
        x += gap * rng.uniform(0.9, 1.15)


def glass_of(drink: str | None = None, *, height: float = 0.12, radius: float = 0.034) -> Thing:
    """A tumbler, empty or with a drink of a colour."""
    with thing("glass", *([drink] if drink else [])) as made:
        h, r = height, radius
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.85 * r, 0), (r, h), (0.94 * r, h), (0.8 * r, 0.01), (0, 0.01)],
            m.glass((0.9, 0.94, 0.95)),
        )
        if drink:
            cylinder(0, 0, 0.01, 0.8 * r, 0.72 * h, m.paint(drink, 0.1), top=0.92 * r)
    return made


def wine_glass(wine: str | None = "dark red") -> Thing:
    """A wine glass with a stem, empty or with wine of a colour."""
    with thing("wine glass", *([wine] if wine else [])) as made:
        clear = m.glass((0.88, 0.92, 0.94))
        cylinder(0, 0, 0, 0.036, 0.004, clear, sides=28)
        cylinder(0, 0, 0.003, 0.0045, 0.09, clear, sides=12)
        lathe(0, 0, 0.09, [(0.004, 0), (0.03, 0.02), (0.041, 0.05), (0.037, 0.1), (0.033, 0.12)], clear)
        if wine:
            lathe(0, 0, 0.092, [(0.003, 0), (0.028, 0.02), (0.038, 0.048), (0, 0.049)], m.paint(wine, 0.08))
    return made


def beer_glass(beer: str = "orange") -> Thing:
    """A pint of beer with a head of foam."""
    with thing("beer glass", beer) as made:
        lathe(
            0,
            0,
            0,
            [(0, 0), (0.032, 0), (0.036, 0.06), (0.045, 0.16), (0.042, 0.16), (0.03, 0.012)],
            m.glass((0.9, 0.94, 0.95)),
        )
        cylinder(0, 0, 0.01, 0.03, 0.118, m.paint(beer, 0.1), top=0.04)
        cylinder(0, 0, 0.128, 0.04, 0.034, m.paint((0.86, 0.8, 0.68), 0.8), top=0.042, bevel=0.008)
    return made


def teapot(colour: str = "white") -> Thing:
    """A round teapot; its spout to the right."""
    with thing("teapot", colour) as made:
        china = m.paint(colour, 0.12)
        sphere(0, 0, 0.075, 0.085, china, scale=(1, 1, 0.86))
        cylinder(0, 0, 0, 0.05, 0.012, china)
        lathe(0, 0, 0.138, [(0.045, 0), (0.036, 0.014), (0.008, 0.02), (0.008, 0.03)], china)
        sphere(0, 0, 0.172, 0.013, china)
        tube([(0.07, 0, 0.06), (0.11, 0, 0.085), (0.135, 0, 0.135)], 0.013, china)
        ring(-0.1, 0, 0.085, 0.04, 0.008, china, axis="y")
    return made


def jug(colour: str = "white", *, height: float = 0.22) -> Thing:
    """A jug with a handle to the right."""
    with thing("jug", colour) as made:
        h = height
        china = m.paint(colour, 0.15)
        outline = [
            (0, 0),
            (0.24 * h, 0),
            (0.32 * h, 0.3 * h),
            (0.2 * h, 0.72 * h),
            (0.26 * h, h),
            (0.23 * h, h),
            (0.17 * h, 0.7 * h),
        ]
        lathe(0, 0, 0, [*outline, (0.1 * h, 0.4 * h)], china)
        ring(0.3 * h, 0, 0.58 * h, 0.2 * h, 0.03 * h, china, axis="y")
    return made


def candle(colour: str = "white", *, height: float = 0.16, holder: str | None = "brass", lit: bool = True) -> Thing:
    """A candle, by default lit and in a holder."""
    with thing("candle", colour, *(["lit"] if lit else [])) as made:
        z = 0.0
        if holder:
            lathe(
                0,
                0,
                0,
                [(0, 0), (0.05, 0), (0.045, 0.01), (0.012, 0.02), (0.012, 0.06), (0.024, 0.075), (0, 0.075)],
                m.metal(holder),
            )
            z = 0.07
        cylinder(0, 0, z, 0.0125, height, m.paint(colour, 0.4))
        if lit:
            lathe(
                0,
                0,
                z + height + 0.004,
                [(0, 0), (0.009, 0.014), (0.005, 0.032), (0, 0.046)],
                m.glow((1.0, 0.6, 0.18), 9.0),
            )
            bulb(0, 0, z + height + 0.05, 1.6, radius=0.02)
    return made


def cake(
    icing: str = "pink", sponge: str = "light brown", *, candles: int = 0, radius: float = 0.13, cut: bool = False
) -> Thing:
    """A round iced cake on a stand, whole or with a slice cut out; `candles` burn on it."""
    words = [f"with {candles} candles"] if candles else []
    with thing("cake", icing, *words) as made:
        state(*(word.replace(" candles", " lit candles") for word in words))
        cake_shape(icing, sponge, radius=radius, cut=cut)
        for i in range(candles):
            a = 2 * math.pi * i / candles
            x, y = 0.6 * radius * math.cos(a), 0.6 * radius * math.sin(a)
            cylinder(x, y, 0.2, 0.006, 0.07, m.paint(("yellow", "blue", "red", "green")[i % 4], 0.4))
            lathe(x, y, 0.272, [(0, 0), (0.007, 0.01), (0, 0.03)], m.glow((1.0, 0.6, 0.18), 9.0))
    return made


def cake_shape(icing: str, sponge: str = "light brown", *, radius: float = 0.13, cut: bool = False) -> None:
    """A cake on a stand that belongs to what it is built in (a cake display)."""
    r = radius
    lathe(
        0,
        0,
        0,
        [
            (0, 0),
            (0.07, 0),
            (0.02, 0.02),
            (0.018, 0.07),
            (0.05, 0.08),
            (r + 0.03, 0.085),
            (r + 0.03, 0.095),
            (0, 0.095),
        ],
        m.paint("white", 0.15),
    )
    if cut:
        _wedge(r, 0.05, 0.096, m.paint(sponge, 0.9))
        _wedge(r, 0.014, 0.146, m.paint("white", 0.6))
        _wedge(r, 0.045, 0.16, m.paint(icing, 0.5))
    else:
        cylinder(0, 0, 0.096, r, 0.105, m.paint(icing, 0.5), bevel=0.014)
    for i in range(8):
        a = 2 * math.pi * (i + 0.5) / 8
        if not cut or not 0 <= a < math.pi / 3:
            sphere(
                0.78 * r * math.cos(a),
                0.78 * r * math.sin(a),
                0.21,
                0.016,
                m.paint("white" if icing != "white" else "red", 0.5),
            )


def _wedge(radius: float, height: float, z: float, material: object) -> None:
    """A disc without a slice to the right and back."""
    from draw.stage import prism

    rim = [
        (radius * math.cos(a), radius * math.sin(a)) for a in (math.pi * (1 / 3 + i * 5 / 3 / 40) for i in range(41))
    ]
    prism([(0, 0), *rim], height, material, z=z)


def cake_slice(icing: str = "pink", sponge: str = "light brown") -> Thing:
    """A slice of cake on a small plate."""
    from draw.stage import prism

    with thing("slice of cake", icing) as made:
        plate_shape("white", 0.09)
        outline = [(-0.06, 0.0), (0.05, -0.035), (0.05, 0.035)]
        prism(outline, 0.028, m.paint(sponge, 0.9), z=0.01)
        prism(outline, 0.008, m.paint("white", 0.6), z=0.038)
        prism(outline, 0.026, m.paint(icing, 0.5), z=0.046, bevel=0.003)
        sphere(0.025, 0, 0.078, 0.012, m.paint("red", 0.3))
    return made


def croissants(count: int = 4) -> None:
    """A few croissants along x, about the origin; part of the basket or tray that holds them."""
    crust = m.mottled((0.5, 0.22, 0.05), (0.66, 0.36, 0.1), 0.02, 0.6)
    for i in range(count):
        x = (i - (count - 1) / 2) * 0.12
        for dx, r in ((-0.045, 0.018), (-0.024, 0.027), (0, 0.033), (0.024, 0.027), (0.045, 0.018)):
            sphere(x + dx, -abs(dx) * 0.6, 0.028, r, crust, scale=(0.7, 1.1, 0.9))


def bread(kind: str = "loaf") -> Thing:
    """A loaf of bread, or a "baguette"; along x."""
    with thing("bread", "light brown") as made:
        crust = m.mottled((0.4, 0.19, 0.06), (0.62, 0.38, 0.16), 0.05, 0.8, 0.3)
        if kind == "baguette":
            cushion(0, 0, 0, 0.5, 0.075, 0.06, crust, soft=0.49)
        else:
            cushion(0, 0, 0, 0.27, 0.12, 0.11, crust, soft=0.4)
    return made


def cutlery(*, spoon: bool = False) -> None:
    """Knife and fork on both sides of a plate at the origin; part of what it is built in."""
    steel = m.metal("steel", 0.15)
    for x, head in ((-0.17, 0.02), (0.17, 0.014)):
        box(x, -0.03, 0, 0.01, 0.12, 0.003, steel, bevel=0.001)
        box(x, 0.06, 0, head, 0.09, 0.003, steel, bevel=0.001)
    if spoon:
        box(0.2, -0.03, 0, 0.008, 0.12, 0.003, steel, bevel=0.001)
        sphere(0.2, 0.05, 0.004, 0.02, steel, scale=(0.8, 1.3, 0.2))


def place_setting(
    colour: str = "white", *, mat: str | None = None, napkin: str | None = None, food: str | None = None
) -> Thing:
    """A plate with cutlery, as laid for one who sits at -y; with a mat and a folded napkin where wanted."""
    z = 0.0
    if mat:
        with thing("place mat", mat):
            box(0, 0.01, 0, 0.46, 0.33, 0.004, m.fabric(mat), bevel=0.001)
        z = 0.004
    with at(0, 0, z):
        made = plate(colour, food=food)
        cutlery()
        if napkin:
            with thing("napkin", napkin):
                box(
                    0 if not food else -0.24,
                    0,
                    0.018 if not food else 0,
                    0.09,
                    0.17,
                    0.012,
                    m.fabric(napkin),
                    bevel=0.004,
                )
    return made


def tray(kind: str = "steel", width: float = 0.44, depth: float = 0.32) -> Thing:
    """A flat tray with a rim; metal by kind, or a colour."""
    with thing("tray") as made:
        skin = m.metal(kind) if kind in ("steel", "brass", "copper") else m.paint(kind, 0.3)
        box(0, 0, 0, width, depth, 0.008, skin)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.005), 0, 0, 0.01, depth, 0.025, skin)
        for dy in (-1, 1):
            box(0, dy * (depth / 2 - 0.005), 0, width, 0.01, 0.025, skin)
    return made


def jar(contents: str = "light brown", *, lid: str = "oak", height: float = 0.16, radius: float = 0.05) -> Thing:
    """A storage jar of glass with a wooden or coloured lid."""
    with thing("jar", contents) as made:
        cylinder(0, 0, 0.004, 0.92 * radius, 0.78 * height, m.mottled(contents, contents, 0.01, 0.8))
        cylinder(0, 0, 0, radius, 0.92 * height, m.glass((0.9, 0.95, 0.95)))
        cylinder(
            0, 0, 0.92 * height, 0.94 * radius, 0.14 * height, m.wood(lid) if lid in m.WOODS else m.paint(lid, 0.4)
        )
    return made
