"""What shops are made of: shelves of goods, counters, tills, baskets, trolleys, price signs, clothes rails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import WOOD_WORDS
from draw.stage import (
    Point,
    Thing,
    at,
    box,
    cushion,
    cylinder,
    lathe,
    lettering,
    part,
    polygons,
    prism,
    ring,
    scenery,
    sphere,
    thing,
    tilted,
    tube,
)

PACKED = ("red", "yellow", "blue", "orange", "white", "light green", "green", "pink", "light blue", "purple", "brown")
"""Colours of packaging."""


class Stock:
    """Small goods gathered into one mesh for each colour."""

    def __init__(self, rough: float = 0.4) -> None:
        """Start with nothing on the shelf."""
        self.rough = rough
        self.parts: dict[Any, tuple[list[Point], list[tuple[int, ...]]]] = {}

    def box(self, x: float, y: float, z: float, width: float, depth: float, height: float, colour: Any) -> None:
        """Add a packet: x, y of its middle, z of its underside."""
        points, faces = self.parts.setdefault(colour, ([], []))
        n, w, d = len(points), width / 2, depth / 2
        points += [(x + a * w, y + b * d, z + c) for c in (0, height) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        faces += [(n + i, n + (i + 1) % 4, n + 4 + (i + 1) % 4, n + 4 + i) for i in range(4)] + [
            (n + 4, n + 5, n + 6, n + 7)
        ]

    def turned(
        self, x: float, y: float, z: float, profile: Sequence[tuple[float, float]], colour: Any, sides: int = 14
    ) -> None:
        """Add a can, jar or bottle by its profile of (radius, height)."""
        points, faces = self.parts.setdefault(colour, ([], []))
        n = len(points)
        for r, h in profile:
            points += [
                (x + r * math.cos(6.2832 * i / sides), y + r * math.sin(6.2832 * i / sides), z + h)
                for i in range(sides)
            ]
        for row in range(len(profile) - 1):
            a = n + row * sides
            faces += [(a + i, a + (i + 1) % sides, a + sides + (i + 1) % sides, a + sides + i) for i in range(sides)]
        faces.append(tuple(n + (len(profile) - 1) * sides + i for i in range(sides)))

    def row(self, rng: Random, kind: str, width: float, y: float, z: float, room: float, depth: float = 0.3) -> None:
        """Fill a shelf from x = 0 to a width: "packets", "cans", "bottles", "jars", "cartons" or "mixed"."""
        x = 0.0
        while x < width - 0.1:
            what = rng.choice(("packets", "cans", "bottles", "jars")) if kind == "mixed" else kind
            colour, other = rng.sample(PACKED, 2)
            same = rng.randint(2, 5)
            if what in ("packets", "cartons"):
                w, h = (
                    (rng.uniform(0.11, 0.19), rng.uniform(0.6, 0.92) * room)
                    if what == "packets"
                    else (0.095, min(0.24, room * 0.85))
                )
                for _ in range(same):
                    if x + w > width:
                        break
                    self.box(x + w / 2, y, z, w * 0.95, depth * 0.8, h, colour)
                    self.box(x + w / 2, y - depth * 0.4, z + h * 0.45, w * 0.7, 0.006, h * 0.32, other)
                    x += w
            else:
                r = rng.uniform(0.034, 0.046)
                h = {"cans": 0.12, "jars": 0.14, "bottles": min(0.3, room * 0.92)}[what]
                levels = 2 if what == "cans" and room > 0.28 else 1
                for _ in range(same + 1):
                    if x + 2 * r > width:
                        break
                    for dy in (-0.3, 0.1):
                        for level in range(levels):
                            zz = z + level * (h + 0.002)
                            if what == "bottles":
                                self.turned(
                                    x + r,
                                    y + dy * depth,
                                    zz,
                                    [(r, 0), (r, 0.62 * h), (0.3 * r, 0.8 * h), (0.3 * r, h)],
                                    colour,
                                )
                                self.turned(
                                    x + r, y + dy * depth, zz + 0.2 * h, [(r * 1.03, 0), (r * 1.03, 0.28 * h)], other
                                )
                            else:
                                self.turned(x + r, y + dy * depth, zz, [(r, 0), (r, h)], colour)
                                top = "white" if what == "jars" else "light grey"
                                self.turned(
                                    x + r, y + dy * depth, zz + h * 0.88, [(r * 1.03, 0), (r * 1.03, h * 0.14)], top
                                )
                    x += 2 * r + 0.008
            x += 0.015

    def build(self) -> None:
        """Put everything on the stage."""
        for colour, (points, faces) in self.parts.items():
            polygons(points, faces, m.paint(colour, self.rough))


def gondola(
    width: float,
    height: float,
    rng: Random,
    *,
    kinds: Sequence[str] = ("mixed",),
    colour: str = "white",
    depth: float = 0.42,
    strip: str = "red",
    levels: int = 5,
    kind: str | None = None,
) -> Thing:
    """A shop shelf full of goods, its back at y = 0, price labels along its edges; `kind` makes it of wood."""
    with thing("shelf", WOOD_WORDS[kind] if kind else colour, "full of goods") as made:
        skin = m.wood(kind) if kind else m.paint(colour, 0.4)
        box(0, -0.02, 0, width, 0.04, height, skin)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.015), -depth / 2, 0, 0.03, depth, height, skin)
        box(0, -depth / 2, 0, width, depth, 0.12, skin)
        step = (height - 0.14) / levels
        labels = Stock(0.7)
        for level in range(levels):
            z = 0.12 + level * step
            box(0, -depth / 2, z, width - 0.04, depth, 0.025, skin)
            box(0, -depth - 0.006, z - 0.012, width, 0.012, 0.045, m.paint(strip, 0.4))
            for i in range(max(2, round(width / 0.28))):
                labels.box(-width / 2 + 0.14 + i * 0.28, -depth - 0.014, z - 0.006, 0.08, 0.006, 0.034, "white")
            with at(-width / 2 + 0.04, 0, 0):
                row = Stock()
                row.row(rng, kinds[level % len(kinds)], width - 0.08, -depth / 2, z + 0.026, step - 0.05, depth)
                row.build()
        labels.build()
    return made


def counter(
    width: float, colour: str = "white", kind: str | None = "oak", *, depth: float = 0.6, height: float = 0.95
) -> Thing:
    """A shop counter, its middle at x = 0, its back at y = 0, its front (panels of wood or paint) towards -y."""
    with thing("counter", WOOD_WORDS[kind] if kind else colour, *(["wooden"] if kind else [])) as made:
        skin = m.wood(kind, along="z") if kind else m.paint(colour, 0.4)
        box(0, -depth / 2, 0.08, width, depth - 0.06, height - 0.12, skin)
        box(0, -depth / 2 + 0.02, 0, width - 0.06, depth - 0.14, 0.1, m.paint("dark grey", 0.6))
        box(
            0,
            -depth / 2,
            height - 0.045,
            width + 0.06,
            depth + 0.04,
            0.045,
            m.wood("walnut") if kind != "walnut" else m.wood("oak"),
            bevel=0.012,
        )
        panels = max(2, round(width / 0.55))
        for i in range(panels):
            box(
                -width / 2 + (i + 0.5) * width / panels,
                -depth + 0.028,
                0.18,
                width / panels - 0.1,
                0.02,
                height - 0.34,
                skin,
                bevel=0.008,
            )
    return made


def till(colour: str = "dark grey") -> Thing:
    """A cash register with a screen, keys, a drawer and a slip, facing +y (the cashier) with its display towards -y."""
    with thing("till", "grey") as made:
        body, light = m.paint(colour, 0.35), m.paint("light grey", 0.35)
        box(0, 0, 0, 0.42, 0.42, 0.11, body, bevel=0.012)
        box(0, -0.213, 0.02, 0.37, 0.012, 0.07, light)
        box(0, -0.222, 0.045, 0.08, 0.012, 0.014, m.metal("steel"))
        prism(
            [(-0.2, 0.11), (0.18, 0.11), (0.18, 0.26), (0.06, 0.28), (-0.2, 0.16)],
            0.4,
            light,
            x=-0.2,
            plane="yz",
            bevel=0.01,
        )
        for i in range(4):
            for k in range(4):
                with tilted(-0.12 + 0.055 * i, -0.165 + 0.05 * k, 0.178 + 0.0225 * k, about="X", by=24):
                    box(
                        0,
                        0,
                        0,
                        0.04,
                        0.036,
                        0.014,
                        m.paint("white" if i < 3 else ("red", "yellow", "green", "blue")[k], 0.4),
                    )
        box(0.14, 0.02, 0.26, 0.08, 0.09, 0.012, m.paint("white", 0.8))
        cylinder(-0.08, 0.12, 0.26, 0.015, 0.14, body)
        box(-0.08, 0.12, 0.37, 0.24, 0.05, 0.12, body, bevel=0.01)
        box(-0.08, 0.092, 0.385, 0.2, 0.006, 0.09, m.glow((0.3, 0.9, 0.5), 0.7), bevel=0)
        lettering(-0.08, 0.086, 0.4, "12.50", 0.075, m.paint("black"))
    return made


def price_sign(
    words: str,
    colour: str = "yellow",
    *,
    width: float = 0.22,
    height: float = 0.15,
    ink: str = "black",
    size: float | None = None,
    stick: float = 0.0,
) -> Thing:
    """A price sign facing -y, its lower edge on the origin (or on a stick of a length)."""
    with thing("price sign", colour) as made:
        if stick:
            cylinder(0, 0.004, 0, 0.006, stick + 0.02, m.metal("steel"))
        box(0, 0, stick, width, 0.008, height, m.paint(colour, 0.6), bevel=0.002)
        tall = size or min(height * 0.72, width / (0.62 * max(2, len(words))))
        lettering(0, -0.012, stick + (height - 0.7 * tall) / 2, words, tall, m.paint(ink, 0.6))
    return made


def hanging_sign(
    words: str, room_height: float, colour: str = "red", *, width: float = 1.2, drop: float = 0.5, ink: str = "white"
) -> Thing:
    """A board with words hanging from the ceiling above the origin, facing -y."""
    with thing("sign", colour) as made:
        z = room_height - drop
        box(0, 0, z - 0.3, width, 0.03, 0.3, m.paint(colour, 0.4))
        lettering(0, -0.025, z - 0.225, words, 0.2, m.paint(ink, 0.5))
        for dx in (-1, 1):
            tube([(dx * width * 0.4, 0, z), (dx * width * 0.4, 0, room_height)], 0.005, m.metal("steel"))
    return made


def basket(colour: str = "red", rng: Random | None = None) -> Thing:
    """A plastic shopping basket on the floor; with groceries if given a generator."""
    with thing("shopping basket", colour, *(["full"] if rng else [])) as made:
        skin = m.paint(colour, 0.35)
        for z, w, d in ((0.0, 0.36, 0.24), (0.08, 0.4, 0.27), (0.16, 0.43, 0.29), (0.22, 0.46, 0.31)):
            tube(
                [
                    (-w / 2, -d / 2, z + 0.01),
                    (w / 2, -d / 2, z + 0.01),
                    (w / 2, d / 2, z + 0.01),
                    (-w / 2, d / 2, z + 0.01),
                ],
                0.011,
                skin,
                closed=True,
            )
        box(0, 0, 0, 0.36, 0.24, 0.012, skin)
        for i in range(9):
            x = -0.18 + i * 0.045
            for side in (-1, 1):
                tube([(x, side * 0.12, 0.01), (x * 1.27, side * 0.155, 0.23)], 0.007, skin)
        for i in range(6):
            y = -0.12 + i * 0.048
            for side in (-1, 1):
                tube([(side * 0.18, y, 0.01), (side * 0.23, y * 1.27, 0.23)], 0.007, skin)
        tube(
            [(-0.23, 0.0, 0.23), (-0.2, 0.02, 0.42), (0.2, 0.02, 0.42), (0.23, 0.0, 0.23)], 0.01, m.paint("black", 0.4)
        )
        if rng:
            stock = Stock()
            for i in range(3):
                stock.box(-0.1 + 0.1 * i, 0.02, 0.02, 0.09, 0.14, rng.uniform(0.2, 0.3), PACKED[(i * 4) % 11])
            stock.build()
            cushion(0, -0.07, 0.14, 0.34, 0.075, 0.07, m.mottled((0.4, 0.19, 0.06), (0.62, 0.38, 0.16), 0.05, 0.8))
    return made


def trolley(colour: str = "red", rng: Random | None = None) -> Thing:
    """A supermarket trolley of wire, its handle towards -y; with goods in it if given a generator."""
    with thing("shopping trolley", "metal") as made:
        wire, skin = m.metal("steel", 0.2), m.paint(colour, 0.35)
        low = [(-0.2, -0.36), (0.2, -0.36), (0.17, 0.44), (-0.17, 0.44)]
        high = [(-0.28, -0.42), (0.28, -0.42), (0.22, 0.55), (-0.22, 0.55)]
        for k in range(6):
            t = k / 5
            points = [
                (a + (c - a) * t, b + (d - b) * t, 0.5 + 0.46 * t - 0.03 * (1 - t))
                for (a, b), (c, d) in zip(low, high, strict=True)
            ]
            tube(points, 0.011 if k == 5 else 0.005, wire, closed=True)
        for (a, b), (c, d), (e, f), (g, h) in zip(low, high, low[1:] + low[:1], high[1:] + high[:1], strict=True):
            for i in range(9):
                t = i / 8
                tube([(a + (e - a) * t, b + (f - b) * t, 0.47), (c + (g - c) * t, d + (h - d) * t, 0.96)], 0.004, wire)
        for i in range(7):
            x = -0.18 + 0.06 * i
            tube([(x, -0.36, 0.47), (x * 0.85, 0.44, 0.47)], 0.004, wire)
        for dx in (-0.2, 0.2):
            tube([(dx, -0.45, 0.1), (dx * 0.9, 0.5, 0.12)], 0.014, wire)
            tube([(dx, -0.4, 0.1), (dx, -0.4, 0.5), (dx * 1.3, -0.5, 1.0)], 0.014, wire)
            tube([(dx * 0.9, 0.1, 0.11), (dx * 0.9, 0.3, 0.48)], 0.012, wire)
            for y in (-0.42, 0.46):
                cylinder(dx * 0.95, y, 0.06, 0.06, 0.03, m.paint("black", 0.6), axis="x", bevel=0.008)
        part("handle", tube([(-0.27, -0.5, 1.0), (0.27, -0.5, 1.0)], 0.02, skin))
        if rng:
            stock = Stock()
            for i in range(9):
                stock.box(
                    -0.13 + 0.13 * (i % 3),
                    -0.25 + 0.24 * (i // 3),
                    0.48,
                    0.115,
                    0.2,
                    rng.uniform(0.28, 0.55),
                    PACKED[i],
                )
            stock.build()
    return made


FRUIT: dict[str, tuple[Any, float, Point]] = {
    "apple": ("red", 0.04, (1, 1, 0.92)),
    "pear": ("light green", 0.04, (0.9, 0.9, 1.25)),
    "orange": ("orange", 0.042, (1, 1, 1)),
    "lemon": ("yellow", 0.035, (1.3, 0.9, 0.9)),
    "tomato": ((0.6, 0.05, 0.02), 0.04, (1, 1, 0.85)),
    "cabbage": ("light green", 0.085, (1, 1, 0.9)),
    "aubergine": ("purple", 0.042, (0.9, 2.0, 0.9)),
    "potato": ("beige", 0.042, (1.25, 0.9, 0.8)),
    "carrot": ((0.8, 0.22, 0.02), 0.024, (1, 3.6, 1)),
    "pepper": ("yellow", 0.046, (0.95, 1.0, 1.1)),
    "cucumber": ("green", 0.026, (1, 4.0, 1)),
    "plum": ("dark blue", 0.03, (1, 1, 1)),
}


def fruit_crate(fruit: str, rng: Random, *, width: float = 0.56, depth: float = 0.4, kind: str = "pine") -> Thing:
    """A low crate heaped with one kind of fruit or vegetable, its middle on the origin."""
    colour, r, scale = FRUIT[fruit]
    plural = {
        "tomato": "tomatoes",
        "potato": "potatoes",
        "pear": "light green fruit",  # balls that may be apples or lemons, too
        "pepper": "yellow fruit",
    }.get(fruit, fruit + "s")
    with thing("crate", "wooden", f"with {plural}") as made:
        w = m.wood(kind, 0.6)
        box(0, 0, 0, width, depth, 0.015, w)
        for z in (0.02, 0.09):
            for side in (-1, 1):
                box(0, side * depth / 2, z, width, 0.014, 0.06, w)
                box(side * width / 2, 0, z, 0.014, depth, 0.06, w)
        skin = m.paint(colour, 0.35)
        across, along = (
            max(2, int((width - 0.04) / (2.02 * r * scale[0]))),
            max(1, int((depth - 0.04) / (2.02 * r * scale[1]))),
        )
        for i in range(across):
            for k in range(along):
                x, y = ((i + 0.5) / across - 0.5) * (width - 0.04), ((k + 0.5) / along - 0.5) * (depth - 0.04)
                heap = 0.035 * (1 - (2 * i / max(1, across - 1) - 1) ** 2) * (1 if along > 1 else 0.5)
                sphere(x, y, 0.105 + heap + rng.uniform(-0.008, 0.008), r, skin, scale=scale)
    return made


def market_stand(
    rows: Sequence[Sequence[str]], rng: Random, prices: Sequence[str], *, kind: str = "oak", width: float = 0.6
) -> None:
    """A sloping stand of crates with price signs, its back at y = 0, the lowest row in front."""
    count = len(rows[0])
    with thing("market stand", WOOD_WORDS[kind], "wooden"):
        w = m.wood(kind, 0.6)
        for row in range(len(rows)):
            z, y = 0.86 - 0.26 * row, -0.25 - 0.46 * row
            box(0, y, 0, count * width + 0.04, 0.44, z, w)
    for row, fruits in enumerate(rows):
        z, y = 0.875 - 0.26 * row, -0.25 - 0.46 * row
        for i, fruit in enumerate(fruits):
            x = (i - (count - 1) / 2) * width
            with tilted(x, y, z, about="X", by=10):
                fruit_crate(fruit, rng, width=width - 0.05)
            with at(x + 0.02, y + 0.12, z + 0.14):
                price_sign(
                    prices[(row * count + i) % len(prices)],
                    ("white", "yellow", "light green")[row % 3],
                    stick=0.1,
                    width=0.2,
                    height=0.12,
                )


def scales(colour: str = "white") -> Thing:
    """A shop's scales with a pan and a display."""
    with thing("scales", colour) as made:
        skin = m.paint(colour, 0.3)
        box(0, 0, 0, 0.34, 0.3, 0.1, skin, bevel=0.015)
        box(0, 0, 0.115, 0.36, 0.28, 0.012, m.metal("steel"))
        box(0, 0, 0.1, 0.1, 0.1, 0.02, m.paint("black"))
        cylinder(0.0, 0.14, 0.05, 0.016, 0.4, m.metal("steel"))
        box(0, 0.14, 0.42, 0.28, 0.07, 0.12, skin, bevel=0.012)
        box(0, 0.1, 0.44, 0.2, 0.006, 0.07, m.glow((0.4, 0.9, 0.5), 0.6), bevel=0)
    return made


def _shirt(colour: Any, long: float, sleeves: float, *, dress: bool = False) -> None:
    """One garment on its hanger, hanging from the origin, seen broadside along x."""
    w = 0.23 if not dress else 0.2
    hem = w * (1.35 if dress else 1.02)
    waist = w * (0.75 if dress else 0.98)
    right = [
        (0.07, -0.09),
        (w, -0.14),
        (w + 0.13, -0.14 - sleeves),
        (w + 0.02, -0.18 - sleeves),
        (w - 0.03, -0.3),
        (waist, -0.14 - 0.4 * long),
        (hem, -0.14 - long),
    ]
    outline = right + [(-a, b) for a, b in reversed(right)]
    # towards the viewer lies x of the outline along y: garments hang side by side along the rail
    prism(outline, 0.035, m.fabric(colour), x=-0.0175, plane="yz", bevel=0.012)
    tube([(0, 0, 0.0), (0, 0, -0.07)], 0.004, m.metal("steel"))
    tube([(0, -0.19, -0.12), (0, 0, -0.06), (0, 0.19, -0.12)], 0.007, m.wood("oak"))


def clothes_rail(
    width: float,
    rng: Random,
    colours: Sequence[str],
    what: str = "shirts",
    *,
    height: float = 1.55,
    metal: str = "steel",
    wall: bool = False,
) -> Thing:
    """A rail full of clothes along x: "shirts", "dresses" or "coats"; on feet, or fixed to a wall behind (y = 0.3)."""
    with thing("clothes rail", "metal", f"with {what}") as made:
        bar = m.metal(metal, 0.25)
        tube([(-width / 2, 0, height), (width / 2, 0, height)], 0.014, bar)
        for dx in (-1, 1):
            if wall:
                tube([(dx * width * 0.45, 0, height), (dx * width * 0.45, 0.3, height)], 0.012, bar)
            else:
                tube([(dx * width / 2, 0, height), (dx * width / 2, 0, 0.05)], 0.016, bar)
                tube([(dx * width / 2, -0.25, 0.03), (dx * width / 2, 0.25, 0.03)], 0.018, bar)
        x = -width / 2 + 0.07
        i = 0
        long, sleeves = {"shirts": (0.58, 0.2), "dresses": (0.98, 0.12), "coats": (0.85, 0.5)}[what]
        while x < width / 2 - 0.06:
            with at(x, 0, height - 0.015, rng.uniform(-9, 9)):
                _shirt(
                    colours[(i // 2) % len(colours)], long * rng.uniform(0.92, 1.05), sleeves, dress=what == "dresses"
                )
            x += rng.uniform(0.065, 0.095)
            i += 1
    return made


def mannequin(colour: str = "red", lower: str | None = None, *, skin: str = "white") -> Thing:
    """A dressed shop-window figure facing -y: in a dress, or a shirt and trousers if `lower` is a colour."""
    with thing("mannequin", *((f"{colour} shirt", f"{lower} trousers") if lower else (f"{colour} dress",))) as made:
        body, cloth = m.paint(skin, 0.3), m.fabric(colour)
        cylinder(0, 0.02, 0, 0.18, 0.02, m.metal("steel"))
        flat = (1.0, 0.62, 1.0)
        sphere(0, 0, 1.68, 0.1, body, scale=(0.82, 0.95, 1.2))
        cylinder(0, 0, 1.46, 0.045, 0.14, body)
        sphere(0, 0, 1.43, 0.12, cloth, scale=(1.65, 0.75, 0.55))
        sphere(0, 0, 1.28, 0.19, cloth, scale=(0.95, 0.62, 1.0))
        sphere(0, 0, 1.08, 0.16, cloth, scale=(0.85, 0.62, 1.0))
        for dx in (-1, 1):
            tube([(dx * 0.17, 0, 1.43), (dx * 0.235, 0.01, 1.15), (dx * 0.25, -0.06, 0.92)], 0.035, body)
            tube([(dx * 0.17, 0, 1.44), (dx * 0.225, 0.005, 1.22)], 0.05, cloth)
            sphere(dx * 0.25, -0.075, 0.87, 0.04, body, scale=(0.7, 1, 1.5))
        if lower:
            trousers = m.fabric(lower)
            sphere(0, 0, 0.93, 0.18, trousers, scale=flat)
            for dx in (-1, 1):
                cylinder(dx * 0.085, 0, 0.1, 0.062, 0.82, trousers, top=0.09)
                sphere(dx * 0.085, -0.04, 0.05, 0.05, m.paint("brown", 0.4), scale=(0.8, 1.8, 0.8))
        else:
            lathe(0, 0, 0, [(0.33, 0.5), (0.27, 0.75), (0.15, 1.05), (0.12, 1.15)], cloth)
            for dx in (-1, 1):
                cylinder(dx * 0.075, 0, 0.06, 0.035, 0.5, body, top=0.06)
                sphere(dx * 0.075, -0.03, 0.045, 0.04, body, scale=(0.8, 1.7, 0.8))
    return made


def folded(colours: Sequence[str], *, width: float = 0.3) -> None:
    """A pile of folded clothes, its middle on the origin; part of the table or shelf it lies on."""
    for i, colour in enumerate(colours):
        cushion(0, 0, i * 0.042, width, width * 1.1, 0.045, m.fabric(colour), soft=0.4)


def bread_shelf(width: float, rng: Random, kind: str = "oak", *, levels: int = 4, height: float = 2.1) -> Thing:
    """A baker's sloping shelves full of loaves, rolls and baguettes, the back at y = 0."""
    with thing("bread shelf", WOOD_WORDS[kind], "wooden", "full of bread") as made:
        w = m.wood(kind)
        crusts = [
            m.mottled((0.36, 0.16, 0.05), (0.6, 0.36, 0.15), 0.05, 0.8, 0.3),
            m.mottled((0.5, 0.26, 0.08), (0.7, 0.46, 0.2), 0.05, 0.8, 0.3),
            m.mottled((0.16, 0.07, 0.03), (0.3, 0.15, 0.06), 0.05, 0.85, 0.3),
        ]
        box(0, -0.01, 0.4, width, 0.02, height - 0.4, w)
        for dx in (-1, 1):
            box(dx * width / 2, -0.2, 0.4, 0.03, 0.4, height - 0.4, w)
        step = (height - 0.5) / levels
        for level in range(levels):
            with tilted(0, 0, 0.55 + level * step, about="X", by=22):
                box(0, -0.2, 0, width, 0.4, 0.02, w)
                box(0, -0.4, 0, width, 0.015, 0.06, w)
                what = level % 4
                crust = crusts[level % 3]
                x = -width / 2 + 0.1
                while x < width / 2 - 0.08:
                    if what == 0:
                        cushion(x + 0.04, -0.2, 0.02, 0.16, 0.3, 0.13, crust, soft=0.45)
                        x += 0.185
                    elif what == 1:
                        cushion(x, -0.2, 0.02, 0.085, 0.36, 0.075, crust, soft=0.49)
                        x += 0.095
                    elif what == 2:
                        sphere(x + 0.05, -0.2, 0.07, 0.11, crust, scale=(1, 1, 0.62))
                        x += 0.225
                    else:
                        for y in (-0.3, -0.19, -0.08):
                            sphere(x, y, 0.05, 0.052, crust, scale=(1, 1, 0.75))
                        x += 0.11
    return made


def display_counter(
    width: float, rng: Random, *, colour: str = "white", depth: float = 0.75, height: float = 1.25, fill: Any = None
) -> Thing:
    """A baker's glass counter, its back at y = 0; `fill(level, number)` builds the goods on its two levels."""
    with thing("display counter", colour, "glass") as made:
        skin = m.paint(colour, 0.3)
        box(0, -depth / 2, 0, width, depth, 0.52, skin)
        box(0, -depth - 0.006, 0.06, width - 0.1, 0.016, 0.4, m.wood("oak"))
        box(0, -0.2, height, width, 0.4, 0.03, skin)
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.01), -depth / 2, 0.5, 0.02, depth * 0.9, 0.02, m.metal("steel"))
            tube(
                [(dx * (width / 2 - 0.01), -depth + 0.03, 0.52), (dx * (width / 2 - 0.01), -0.4, height)],
                0.01,
                m.metal("steel"),
            )
        polygons(
            [
                (-width / 2, -depth + 0.02, 0.52),
                (width / 2, -depth + 0.02, 0.52),
                (width / 2, -0.4, height),
                (-width / 2, -0.4, height),
            ],
            [(0, 1, 2, 3)],
            m.glass(),
        )
        box(0, -0.24, 0.86, width - 0.04, 0.36, 0.012, m.glass((0.9, 0.96, 0.95)), bevel=0)
        box(0, -0.35, height - 0.02, width - 0.1, 0.03, 0.02, m.glow((1.0, 0.9, 0.72), 5.0), bevel=0)
        if fill:
            for level, (y, z) in enumerate(((-0.5, 0.525), (-0.25, 0.875))):
                count = max(3, round(width / 0.34))
                for i in range(count):
                    with at(-width / 2 + (i + 0.5) * width / count, y, z):
                        fill(level, i)
    return made


def checkout(rng: Random, colour: str = "light grey", *, length: float = 2.2) -> Thing:
    """A supermarket checkout without its till, long along x, its middle on the origin; groceries on its belt."""
    with thing("checkout", colour, "with conveyor belt") as made:
        skin = m.paint(colour, 0.35)
        box(0, 0, 0.06, length, 0.62, 0.72, skin, bevel=0.02)
        box(0, 0, 0, length - 0.1, 0.52, 0.07, m.paint("dark grey", 0.6))
        box(0, -0.316, 0.5, length - 0.06, 0.014, 0.1, m.paint("red", 0.4))
        box(-length * 0.17, 0, 0.775, length * 0.6, 0.46, 0.016, m.paint("black", 0.5))
        for side in (-1, 1):
            box(-length * 0.17, side * 0.27, 0.77, length * 0.64, 0.06, 0.05, m.metal("steel"))
        box(length * 0.2, 0, 0.78, 0.24, 0.4, 0.012, m.metal("steel"))
        box(length * 0.2, 0, 0.793, 0.14, 0.2, 0.004, m.glow((0.9, 0.1, 0.05), 1.0), bevel=0)
        stock = Stock()
        x = -length * 0.42
        for i in range(7):
            tall = rng.uniform(0.12, 0.3)
            if i % 3 == 1:
                stock.turned(
                    x,
                    rng.uniform(-0.1, 0.1),
                    0.792,
                    [(0.04, 0), (0.04, 0.18), (0.013, 0.24), (0.013, 0.29)],
                    PACKED[(3 * i) % 11],
                )
            else:
                stock.box(x, rng.uniform(-0.1, 0.1), 0.792, rng.uniform(0.09, 0.14), 0.12, tall, PACKED[(3 * i) % 11])
            x += 0.155
        stock.build()
        box(-length * 0.42 + 1.1, 0, 0.792, 0.03, 0.4, 0.03, m.paint("yellow", 0.4))
    return made


def cooler(width: float, rng: Random, *, height: float = 2.0, colour: str = "white") -> Thing:
    """A lit refrigerator full of drinks, its back at y = 0, with glass doors."""
    with thing("refrigerator", colour, "full of drinks") as made:
        skin = m.paint(colour, 0.35)
        box(0, -0.02, 0, width, 0.04, height, m.paint("white", 0.5))
        for dx in (-1, 1):
            box(dx * (width / 2 - 0.025), -0.32, 0, 0.05, 0.64, height, skin)
        box(0, -0.32, 0, width, 0.64, 0.22, skin)
        box(0, -0.32, height - 0.22, width, 0.64, 0.22, skin)
        box(0, -0.56, height - 0.25, width - 0.1, 0.04, 0.03, m.glow((0.85, 0.93, 1.0), 6.0), bevel=0)
        for level in range(4):
            z = 0.24 + level * 0.37
            box(0, -0.3, z, width - 0.1, 0.5, 0.015, m.metal("steel"))
            row = Stock(0.15)
            with at(-width / 2 + 0.06, 0, 0):
                row.row(
                    rng, ("bottles", "cartons", "bottles", "cans")[level], width - 0.12, -0.36, z + 0.016, 0.33, 0.3
                )
                row.build()
        doors = max(1, round(width / 0.7))
        for i in range(doors + 1):
            box(-width / 2 + i * width / doors, -0.655, 0.2, 0.05, 0.03, height - 0.4, skin)
        box(0, -0.65, 0.2, width, 0.006, height - 0.4, m.glass((0.95, 0.98, 1.0)), bevel=0)
        for i in range(doors):
            tube(
                [
                    (-width / 2 + (i + 0.85) * width / doors, -0.69, 0.9),
                    (-width / 2 + (i + 0.85) * width / doors, -0.69, 1.3),
                ],
                0.012,
                m.metal("steel"),
            )
    return made


def paper_bag(colour: str = "light brown", *, handles: bool = True, height: float = 0.36) -> Thing:
    """A paper carrier bag standing up."""
    with thing("paper bag", colour) as made:
        box(0, 0, 0, 0.28, 0.13, height, m.paint(colour, 0.85), bevel=0.006)
        if handles:
            for dy in (-0.05, 0.05):
                tube(
                    [
                        (-0.06, dy, height - 0.01),
                        (-0.05, dy, height + 0.1),
                        (0.05, dy, height + 0.1),
                        (0.06, dy, height - 0.01),
                    ],
                    0.004,
                    m.paint("white"),
                )
    return made


def spot_rail(
    length: float, height: float, count: int = 4, *, power: float = 0.0, along: str = "x", tilt: float = 30.0
) -> None:
    """A rail of spotlights under the ceiling at a height, its middle over the origin."""
    black = m.paint("black", 0.4)
    with scenery():
        box(0, 0, height - 0.03, *((length, 0.035) if along == "x" else (0.035, length)), 0.03, black)
    for i in range(count):
        with thing("spotlight", "black"):
            offset = -length / 2 + (i + 0.5) * length / count
            x, y = (offset, 0) if along == "x" else (0, offset)
            with tilted(x, y, height - 0.08, about="X" if along == "x" else "Y", by=tilt if along == "x" else -tilt):
                cylinder(0, 0, -0.12, 0.042, 0.14, black)
                cylinder(0, 0, -0.124, 0.034, 0.006, m.glow((1.0, 0.9, 0.75), 7.0))


def ceiling_panels(width: float, depth: float, height: float, *, rows: int = 2, strength: float = 5.0) -> None:
    """Rows of lit ceiling panels; scenery."""
    with scenery():
        for i in range(rows):
            for k in range(max(1, round(depth / 1.8))):
                x = (i + 0.5) * width / rows
                y = 0.6 + k * 1.8
                box(x, y, height - 0.015, 0.3, 1.2, 0.02, m.glow((1.0, 0.97, 0.92), strength), bevel=0)


def hat(colour: str = "brown") -> None:
    """A hat with a brim; part of the shelf or head it lies on."""
    lathe(
        0, 0, 0, [(0.17, 0.005), (0.16, 0.015), (0.095, 0.02), (0.09, 0.1), (0.06, 0.125), (0, 0.12)], m.fabric(colour)
    )
    ring(0, 0, 0.03, 0.094, 0.009, m.paint("black"))
