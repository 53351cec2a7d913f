"""Greenhouses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draw import materials as m
from draw.furniture import plants as p
from draw.furniture.basic import put
from draw.furniture.seating import bench, stool
from draw.rooms import room
from draw.stage import COOL, WARM, at, box, bulb, camera, cylinder, panel_light, scenery, sky, sun, thing, tilted, tube


@room("greenhouse", version=2)
def greenhouse(rng: Random, take: int) -> None:
    """A house of glass full of plants."""
    takes: list[Callable[[Random], None]] = [_kitchen_garden, _potting, _palm_house, _cacti, _nursery, _dusk]
    takes[take - 1](rng)


def _kitchen_garden(rng: Random) -> None:
    """A white house in the sun, beds of vegetables on both sides of a path."""
    p.ground()
    p.trees(rng, [(-6, 9, 5), (-3, 13, 6), (3, 12, 5), (8, 11, 6), (11, 7, 5), (-9, 4, 5), (6, 16, 7)])
    p.glasshouse(
        4.2, 6.5, 1.9, 3.1, base=0.35, base_of=m.bricks(plane="yz"), floor_of=m.tiles("beige", size=0.45, rough=0.8)
    )
    for y, left, right in (
        (2.0, ("lettuce", "red lettuce"), ("strawberry", "cabbage")),
        (4.6, ("cabbage", "carrot"), ("bean", "lettuce")),
    ):
        with at(0.75, y):
            p.bed(1.2, 2.3, rng, left)
        with at(3.45, y):
            p.bed(1.2, 2.3, rng, right)
    for x, y in ((0.28, 3.2), (3.95, 3.0), (0.3, 5.9), (3.9, 5.9), (0.9, 6.1), (3.3, 6.1)):
        with at(x, y):
            p.tomato_plant(rng, 1.5, pot=True)
    with at(1.72, 1.85, 0, 25):
        p.watering_can("green", 1.15)
    with at(2.6, 3.6):
        p.potted(rng, 0.35, flower="orange")
    with at(2.1, 4.6, 3.05):
        p.hanging_basket(rng, 0.75, "pink")
    sky(0.9)
    sun(3.6, from_=(-3, 2, 6))
    camera((2.35, -0.35, 1.6), (2.0, 4.5, 0.95), lens=21, exposure=-0.1)


def _potting(rng: Random) -> None:
    """A green iron house from its corner: tables full of pots and trays, a wheelbarrow, grey sky."""
    p.ground(of=m.mottled((0.05, 0.13, 0.03), (0.12, 0.2, 0.05), 0.4, 0.95))
    p.trees(rng, [(-5, 3, 6), (-6, 7, 6), (-4, 11, 5), (1, 12, 6), (5, 12, 6), (9, 9, 6)])
    p.glasshouse(
        4.6,
        5.2,
        2.0,
        3.0,
        colour="dark green",
        base=0.6,
        spacing=0.65,
        floor_of=m.mottled((0.2, 0.18, 0.15), (0.42, 0.39, 0.34), 0.03, 0.95, 0.5),
        door=False,
    )
    with at(0.5, 2.7, 0, 90):
        p.staging(4.6, 0.75)
    with at(2.75, 4.75):
        p.staging(3.3, 0.7)
    flowers = ("red", "yellow", None, "pink", None, "purple", None)
    for i in range(9):
        with at(0.36 + 0.03 * rng.random(), 0.9 + i * 0.42, 0.78):
            if i in (2, 6):
                with at(0.12, 0, 0, 90):
                    p.seed_tray(rng)
            else:
                p.potted(
                    rng, rng.uniform(0.3, 0.5), flower=flowers[i % 7], radius=rng.uniform(0.1, 0.13), broad=i % 4 == 0
                )
    for i in range(7):
        with at(0.72, 0.75 + i * 0.62, 0.78), scenery():
            p.herb(rng)
    for i in range(7):
        with at(1.35 + i * 0.46, 4.8, 0.78):
            if i in (1, 5):
                p.seed_tray(rng, 0.42)
            else:
                p.potted(rng, rng.uniform(0.3, 0.55), flower=flowers[(i + 3) % 7], radius=0.12, broad=i == 4)
    for i in range(5):
        with at(0.5, 1.2 + 0.8 * i, 0.225), scenery():
            p.clay_pot(0.15, 0.26)
    with at(2.5, 2.75, 0, 8):
        p.staging(1.9, 0.7, 0.66)
    for i in range(5):
        with at(1.75 + i * 0.38, 2.62 + 0.2 * (i % 2), 0.66, 20 * i):
            if i == 2:
                p.seed_tray(rng, 0.36, 0.3, "green")
            else:
                p.potted(rng, 0.36, flower=("red", None, None, "yellow", "pink")[i], radius=0.11)
    with at(3.45, 1.55, 0, -75):
        p.wheelbarrow("red", rng)
    with at(1.6, 1.6, 0, 170):
        p.watering_can("steel", 1.2)
    with tilted(4.3, 3.1, 0.0, about="Y", by=12):
        p.spade("spade")
    with tilted(4.3, 2.7, 0.0, about="Y", by=12):
        p.spade("rake")
    with at(4.1, 4.0):
        p.citrus_tree(rng, 1.5)
    sky(1.5, (0.75, 0.79, 0.82), (0.62, 0.68, 0.74))
    panel_light(2.3, 2, 2.8, 25, size=2.5, colour=COOL)
    camera((3.9, -0.5, 1.65), (1.5, 3.6, 0.95), lens=20)


def _palm_house(rng: Random) -> None:
    """A tall Victorian palm house: round white roof, palms around a tiled path with a bench."""
    p.ground()
    p.trees(rng, [(-8, 10, 7), (-3, 18, 7), (4, 18, 8), (12, 14, 8), (16, 8, 8), (-9, 3, 7)])
    p.glasshouse(
        7.0,
        9.0,
        2.6,
        5.6,
        kind="arch",
        base=0.5,
        base_of=m.paint("white", 0.7),
        spacing=0.9,
        bar=0.045,
        floor_of=m.checks("white", (0.35, 0.16, 0.1), 0.4, 0.5),
    )
    wall = m.mottled((0.35, 0.33, 0.3), (0.5, 0.48, 0.44), 0.1, 0.9, 0.3)
    for x in (0.95, 6.05):
        with thing("flower bed"):
            box(x, 4.6, 0, 1.7, 8.0, 0.34, wall, bevel=0.02)
            box(x, 4.6, 0.3, 1.5, 7.8, 0.06, p.soil(), bevel=0)
    spots = [(0.8, 2.1, 2.7), (1.2, 4.4, 3.6), (0.8, 7.4, 4.4), (6.2, 2.6, 3.1), (5.9, 5.6, 4.2)]
    for x, y, height in spots:
        with at(x, y, 0.34):
            p.palm(rng, height, 14, pot=False, reach=1.5)
    for x, y in ((0.9, 3.3), (6.1, 4.2), (5.9, 7.4)):
        with at(x, y, 0.34):
            p.banana(rng, 2.0)
    for x, y in (
        (1.45, 1.6),
        (1.5, 2.7),
        (1.4, 3.6),
        (5.5, 2.2),
        (5.5, 3.3),
        (1.5, 5.6),
        (5.4, 4.7),
        (1.4, 6.5),
        (5.5, 6.4),
    ):
        with at(x, y, 0.34):
            p.fern(rng, rng.uniform(0.5, 0.7), pot=None)
    with at(3.5, 7.2):
        bench(1.6, "white")
    with at(2.6, 3.4, 0, 20):
        p.watering_can("blue", 1.2)
    with at(4.6, 7.6):
        p.citrus_tree(rng, 1.5, "yellow", pot="blue")
    with at(2.3, 7.6):
        p.citrus_tree(rng, 1.5, "yellow", pot="blue")
    sky(0.9)
    sun(3.0, from_=(4, -1, 6))
    camera((3.7, -0.8, 1.5), (3.4, 6, 2.0), lens=19, exposure=-0.1)


def _cacti(rng: Random) -> None:
    """A lean-to against a brick wall, cacti on gravel and in pots."""
    p.ground(of=m.mottled((0.3, 0.25, 0.15), (0.4, 0.34, 0.2), 0.4, 0.95))
    p.trees(rng, [(9, 10, 4), (6, 14, 5), (12, 4, 4), (10, 0, 4)])
    p.glasshouse(
        4.4,
        5.6,
        2.0,
        3.3,
        kind="lean",
        colour="dark grey",
        walls="right back",
        base=0.4,
        base_of=m.bricks("light brown", plane="yz"),
        spacing=0.8,
        floor_of=m.tiles((0.5, 0.3, 0.18), size=0.3, rough=0.7),
        door=False,
    )
    with scenery():
        box(-0.1, 2.8, 0, 0.2, 5.8, 3.4, m.bricks((0.5, 0.2, 0.12), plane="yz"), bevel=0)
    sand = m.mottled((0.5, 0.38, 0.22), (0.68, 0.54, 0.34), 0.02, 0.95, 0.6)
    stone = m.mottled((0.3, 0.26, 0.22), (0.5, 0.45, 0.38), 0.15, 0.9, 0.5)
    with thing("cactus bed"):
        box(0.85, 3.2, 0, 1.6, 4.6, 0.3, stone, bevel=0.03)
        box(0.85, 3.2, 0.28, 1.42, 4.4, 0.05, sand, bevel=0)
        for x, y, r in ((0.5, 1.6, 0.16), (1.2, 2.9, 0.13), (0.4, 3.6, 0.2), (1.3, 4.4, 0.15)):
            with at(x, y, 0.34):
                p.sphere(0, 0, 0, r, stone, scale=(1.2, 0.9, 0.6))
    for kind, x, y, height in (
        ("saguaro", 0.7, 4.6, 2.1),
        ("saguaro", 0.5, 2.6, 1.5),
        ("barrel", 1.15, 2.2, 0.45),
        ("barrel", 0.8, 3.5, 0.55),
        ("barrel", 1.3, 3.5, 0.36),
        ("pear", 0.85, 1.35, 0.8),
        ("column", 0.3, 5.1, 1.6),
        ("column", 1.15, 5.0, 1.2),
        ("pear", 1.2, 4.0, 0.7),
    ):
        with at(x, y, 0.32, rng.uniform(-25, 25)):
            p.cactus(rng, kind, height, flower="pink" if kind == "pear" else None)
    with at(0.45, 1.95, 0.32):
        p.agave(rng, 0.4)
    with at(3.9, 3.1, 0, 90):
        p.staging(3.4, 0.7, 0.7, "grey")
    for i, (kind, height, pot) in enumerate(
        (
            ("barrel", 0.22, "orange"),
            ("column", 0.4, "light blue"),
            ("pear", 0.4, "white"),
            ("barrel", 0.26, "white"),
            ("column", 0.55, "yellow"),
            ("pear", 0.45, "orange"),
            ("column", 0.35, "pink"),
        )
    ):
        with at(3.72 + 0.2 * (i % 2), 1.75 + 0.43 * i, 0.7, 20):
            p.cactus(rng, kind, height, pot=pot, flower="red" if kind == "barrel" else "yellow" if i == 1 else None)
    for x, y, kind, height, pot in (
        (2.0, 4.3, "column", 0.9, "white"), (2.1, 3.5, "barrel", 0.4, "light blue"), (3.1, 1.6, "pear", 0.7, "orange"),
    ):  # fmt: skip
        with at(x, y, 0, 10):
            p.cactus(rng, kind, height, pot=pot, flower="pink")
    with at(2.7, 4.9):
        p.cactus(rng, "saguaro", 1.3, pot=(0.42, 0.15, 0.07))
    with at(3.3, 5.2):
        p.agave(rng, 0.55)
    with at(2.35, 2.3, 0, 160):
        p.watering_can("yellow", 1.1)
    sky(0.7)
    sun(4.0, from_=(4, 2, 6))
    camera((2.6, -0.3, 1.45), (1.9, 3.6, 0.85), lens=21, exposure=-0.2)


def _nursery(rng: Random) -> None:
    """A grower's house: long rows of tomatoes on strings, seen from the side aisle under lamps."""
    p.ground(of=m.concrete())
    p.glasshouse(
        7.2, 11.0, 2.8, 3.9, spacing=1.1, bar=0.03, colour="light grey", floor_of=m.paint("white", 0.7), door=False
    )
    for row, x in enumerate((0.6, 1.8, 3.0, 4.4, 5.6, 6.7)):
        with thing("planter", "white", "long"):
            box(x, 5.6, 0.22, 0.26, 9.6, 0.16, m.paint("white", 0.4))
            for k in range(8):
                box(x, 1.2 + 1.25 * k, 0, 0.05, 0.05, 0.24, m.metal("steel"))
            box(x, 5.6, 0.36, 0.2, 9.5, 0.03, p.soil(), bevel=0)
        for k in range(9):
            with at(x, 1.3 + 1.05 * k, 0.36, rng.uniform(0, 360)):
                if k < 7:
                    p.tomato_plant(rng, 1.75, fruit=("red", "yellow", "red")[row % 3])
    with scenery():
        for x in (0.6, 1.8, 3.0, 4.4, 5.6, 6.7):
            tube([(x, 0.5, 2.65), (x, 10.8, 2.65)], 0.012, m.metal("steel"))
        for x in (1.2, 3.7, 6.1):
            tube([(x, 0.5, 0.1), (x, 10.8, 0.1)], 0.03, m.paint("light grey", 0.4))
    for y in (2.6, 5.2, 7.8):
        for x in (1.9, 3.7, 5.5):
            with thing("lamp", "lit"):
                box(x, y, 2.72, 0.7, 0.16, 0.08, m.metal("steel"))
                box(x, y, 2.7, 0.62, 0.12, 0.02, m.glow((1.0, 0.72, 0.42), 4.0), bevel=0)
            panel_light(x, y, 2.66, 45, size=0.6, colour=(1.0, 0.76, 0.5))
    with thing("cart", "grey", "metal") as cart:
        for z in (0.35, 0.85):
            box(3.7, 2.9, z, 0.5, 0.8, 0.025, m.metal("steel"))
        for dx in (-0.24, 0.24):
            for dy in (-0.38, 0.38):
                cylinder(3.7 + dx, 2.9 + dy, 0.08, 0.014, 0.95, m.metal("steel"))
                cylinder(3.7 + dx, 2.9 + dy, 0.06, 0.06, 0.03, m.paint("black", 0.6), axis="x")
    for dy, colour in ((-0.18, "blue"), (0.2, "green")):
        with put(cart, 3.7, 2.9 + dy, 0.876), thing("crate", colour, "with tomatoes"):
            box(0, 0, 0, 0.42, 0.32, 0.14, m.paint(colour, 0.4))
            for _ in range(24):
                p.sphere(
                    rng.uniform(-0.16, 0.16),
                    rng.uniform(-0.11, 0.11),
                    0.14 + rng.uniform(0, 0.04),
                    0.042,
                    m.paint("red", 0.2),
                )
    with at(4.05, 1.7, 0, 180):
        p.watering_can("red", 1.1)
    sky(0.35, (0.5, 0.4, 0.42), (0.1, 0.14, 0.3))
    camera((3.85, -0.3, 1.75), (3.5, 5.5, 1.2), lens=22, exposure=0.2)


def _dusk(rng: Random) -> None:
    """A small wooden house at dusk under a string of lights: flowers on steps, baskets hanging from the ridge."""
    p.ground(of=m.mottled((0.03, 0.08, 0.03), (0.06, 0.13, 0.05), 0.3, 0.95))
    p.trees(rng, [(-4, 8, 5), (0, 10, 6), (4, 9, 5), (8, 8, 6), (-6, 4, 5), (9, 3, 5)])
    p.glasshouse(
        3.6,
        3.8,
        1.9,
        2.9,
        colour="brown",
        spacing=0.62,
        bar=0.03,
        base=0.5,
        base_of=m.wood("walnut"),
        floor_of=m.planks("pine", 0.2, 0.6),
    )
    for step in range(3):
        with thing("plant stand", "brown", "wooden"):
            box(0.28 + (2 - step) * 0.26, 2.0, 0, 0.26, 2.8, 0.32 + 0.3 * step, m.wood("oak", along="y"))
    colours = ("pink", "yellow", "purple", "white", "red", "orange", "pink", "yellow")
    for step in range(3):
        for k in range(5):
            with at(0.28 + (2 - step) * 0.26, 0.9 + 0.55 * k, 0.32 + 0.3 * step):
                p.potted(
                    rng,
                    0.34,
                    flower=colours[(2 * step + k) % 8],
                    radius=0.1,
                    pot=("white", (0.42, 0.15, 0.07), "light blue")[step],
                )
    with at(3.2, 2.4, 0, -90):
        p.staging(2.4, 0.6, 0.8, "oak")
    for k, what in enumerate(("plant", "tray", "can", "flower", "plant")):
        with at(3.2, 1.45 + 0.48 * k, 0.8, 200):
            if what == "tray":
                with at(0, 0, 0, 70):
                    p.seed_tray(rng, 0.4, 0.3, "white")
            elif what == "can":
                p.watering_can("light blue", 0.85)
            else:
                p.potted(rng, 0.42, flower="purple" if what == "flower" else None, radius=0.13, broad=k == 0)
    for y in (1.3, 2.2, 3.1):
        with at(1.8, y, 2.88):
            basket = p.hanging_basket(rng, 0.85, ("red", "pink", "white")[round(y) % 3], size=0.17)
            basket.attributes = ["green"]  # nobody sees its flowers in the dusk
    with at(2.0, 1.9, 0, 30):
        p.wheelbarrow("green", rng)
    with at(2.3, 3.2, 0, 20):
        stool("pine")
    with at(1.35, 3.3):
        p.fern(rng, 0.55)
    for x, side in ((0.45, -1), (3.15, 1)):
        with thing("string of lights", "lit"):
            points = []
            for i in range(25):
                y = i * 3.7 / 24
                points.append((x, y, 2.12 - 0.1 * abs(((i % 8) - 4) / 4 - 1) ** 2))
            tube(points, 0.005, m.paint("black"))
            for i in range(1, 25, 2):
                q = points[i]
                p.sphere(q[0], q[1], q[2] - 0.05, 0.022, m.glow((1.0, 0.75, 0.4), 4.0))
        for y in (0.6, 1.6, 2.6, 3.4):
            bulb(x - side * 0.1, y, 1.95, 9, colour=WARM)
    panel_light(1.8, 1.0, 2.5, 22, size=1.5, colour=WARM)
    sky(0.5, (0.5, 0.33, 0.38), (0.05, 0.08, 0.25))
    camera((2.35, -0.75, 1.5), (1.7, 2.6, 1.1), lens=20, exposure=0.3)
