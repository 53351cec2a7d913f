"""Things people carry, wear, give and keep: hats, umbrellas, shoes, bags, gifts, pumpkins, an aquarium, …

They stand on the frame's origin and face -y unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from draw import materials as m
from draw.furniture.animals import fish
from draw.stage import (
    Thing,
    at,
    box,
    cushion,
    cylinder,
    lathe,
    part,
    polygons,
    prism,
    ring,
    scenery,
    sheet,
    sphere,
    surface,
    thing,
    tilted,
    tube,
)

# Worn and carried


def hat(colour: str = "beige", *, band: str = "brown", brim: float = 0.19) -> Thing:
    """A hat with a brim; it lies on the origin."""
    with thing("hat", colour) as made:
        felt = m.fabric(colour)
        lathe(
            0,
            0,
            0,
            [
                (0, 0),
                (brim * 0.95, 0.012),
                (brim, 0.02),
                (brim * 0.97, 0.024),
                (0.105, 0.012),
                (0.1, 0.09),
                (0.078, 0.12),
                (0, 0.112),
            ],
            felt,
        )
        cylinder(0, 0, 0.014, 0.1065, 0.028, m.paint(band, 0.7))
    return made


def hung_hat(colour: str = "beige", *, band: str = "brown") -> Thing:
    """A hat on a hook at the wall: its crown towards -y, its middle on the origin."""
    with tilted(0, -0.015, 0, about="X", by=82):
        return hat(colour, band=band)


def umbrella(colour: str = "red", *, handle: str = "brown") -> Thing:
    """A rolled umbrella hanging by its crook from the origin, 0.85 m long."""
    with thing("umbrella", colour, "closed") as made:
        cloth, wood = m.fabric(colour), m.paint(handle, 0.35)
        tube([(0, 0, -0.9), (0, 0, -0.1)], 0.006, m.metal("steel"))
        lathe(
            0,
            0,
            -0.84,
            [(0.008, 0), (0.03, 0.1), (0.045, 0.4), (0.05, 0.52), (0.018, 0.62), (0.01, 0.64)],
            cloth,
            sides=9,
        )
        ring(0, 0, -0.45, 0.046, 0.006, m.paint("white", 0.6))
        crook = [
            (0.045 * math.cos(a) - 0.045, 0, 0.045 * math.sin(a) - 0.03) for a in [math.pi * i / 12 for i in range(13)]
        ]
        part("handle", tube([(0, 0, -0.2), *crook, (-0.09, 0, -0.06)], 0.013, wood))
    return made


def open_umbrella(colour: str = "red") -> Thing:
    """An open umbrella lying on its rim, its stick towards -y, 1.1 m wide."""
    with thing("umbrella", colour, "open") as made, tilted(0, 0, 0.36, about="X", by=62):
        points, faces = [(0.0, 0.0, 0.34)], []
        ribs, rows = 8, 5
        for row in range(1, rows + 1):
            share = row / rows
            for i in range(ribs * 2):
                inward = 1.0 if i % 2 == 0 else 1 - 0.1 * share
                angle = math.pi * i / ribs
                radius = 0.55 * share * inward
                points.append((radius * math.cos(angle), radius * math.sin(angle), 0.34 - 0.26 * share**1.8))
        count = ribs * 2
        for i in range(count):
            faces.append([0, 1 + i, 1 + (i + 1) % count])
            for row in range(rows - 1):
                a, b = 1 + row * count + i, 1 + row * count + (i + 1) % count
                faces.append([a, a + count, b + count, b])
        polygons(points, faces, m.paint(colour, 0.7), smooth=False)
        tube([(0, 0, -0.42), (0, 0, 0.4)], 0.008, m.metal("steel"))
        tube([(0, 0, -0.38), (0, 0, -0.46), (0.04, 0, -0.5), (0.08, 0, -0.46)], 0.013, m.paint("black", 0.3))
    return made


def boots(colour: str = "yellow") -> Thing:
    """A pair of rubber boots, toes towards -y, 0.34 m high."""
    with thing("pair of boots", colour, "rubber") as made:
        for side in (-1, 1):
            with at(side * 0.075, 0, 0, side * 5):
                cushion(0, -0.04, 0, 0.112, 0.29, 0.03, m.paint("dark grey", 0.7), soft=0.4)
                cushion(0, -0.08, 0.02, 0.104, 0.2, 0.085, m.paint(colour, 0.22), soft=0.48)
                lathe(
                    0,
                    0.04,
                    0.02,
                    [(0.052, 0), (0.055, 0.1), (0.068, 0.3), (0.072, 0.32), (0.062, 0.315)],
                    m.paint(colour, 0.22),
                )
                ring(0, 0.04, 0.335, 0.068, 0.007, m.paint("white", 0.4))
    return made


def coat(colour: str = "blue", *, length: float = 0.95) -> Thing:
    """A coat hanging from a hook at the origin, its back at y = 0."""
    with thing("coat", colour) as made:
        cloth = m.fabric(colour)
        rows = []
        for i in range(9):
            share = i / 8
            half = 0.06 + 0.15 * min(1, share * 4) + 0.06 * share
            row = []
            for j in range(25):
                angle = 2 * math.pi * j / 24
                fold = 1 + 0.1 * share * math.sin(5 * angle)
                row.append(
                    (
                        half * math.cos(angle) * fold,
                        -0.09 + 0.085 * math.sin(angle) * fold * (0.5 + 0.5 * share),
                        -share * length,
                    )
                )
            rows.append(row)
        surface(rows, cloth)
        for side in (-1, 1):
            with tilted(side * 0.2, -0.09, -0.17, about="Y", by=-side * 7):
                cylinder(0, 0, -0.58, 0.055, 0.62, cloth, top=0.07, bevel=0.02)
        with tilted(0, -0.1, 0.0, about="X", by=-10):
            ring(0, 0, -0.02, 0.06, 0.025, cloth)
        for i in range(4):
            part("button", sphere(0.0, -0.175 - 0.008 * i, -0.28 - 0.15 * i, 0.014, m.paint("black", 0.3)))
    return made


def scarf(colour: str = "red", second: str = "white") -> Thing:
    """A striped scarf hanging from a hook at the origin."""
    with thing("scarf", colour, "striped") as made:
        sheet(0.0, -0.06, -0.75, 0.17, 0.75, m.striped(colour, second, 0.06, "z"), folds=2, swing=0.02)
    return made


def backpack(colour: str = "blue", *, pocket: str | None = None) -> Thing:
    """A backpack standing on the floor, its back at y = 0."""
    with thing("backpack", colour, *([pocket] if pocket else [])) as made:
        cloth = m.fabric(colour)
        cushion(0, -0.12, 0, 0.34, 0.22, 0.46, cloth, soft=0.4)
        cushion(0, -0.235, 0.04, 0.26, 0.1, 0.22, m.fabric(pocket or colour), soft=0.4)
        tube([(-0.1, -0.29, 0.2), (0.1, -0.29, 0.2)], 0.006, m.metal("steel"))
        tube([(-0.15, -0.19, 0.36), (0, -0.235, 0.39), (0.15, -0.19, 0.36)], 0.005, m.metal("steel"))
        tube([(-0.04, -0.1, 0.45), (-0.03, -0.1, 0.5), (0.03, -0.1, 0.5), (0.04, -0.1, 0.45)], 0.01, cloth)
    return made


def coat_hooks(width: float = 1.6, count: int = 5, kind: str = "oak") -> Thing:
    """A board with hooks at the wall, its middle on the origin; hooks are evenly spread, their ends at y = -0.07."""
    with thing("coat rack", "brown" if kind == "oak" else "white", "wooden") as made:
        box(0, -0.012, -0.06, width, 0.024, 0.12, m.wood(kind))
        for i in range(count):
            x = hook(i, width, count)
            tube([(x, -0.02, 0.02), (x, -0.075, 0.0), (x, -0.085, 0.03)], 0.009, m.metal("iron"))
            tube([(x, -0.02, -0.03), (x, -0.05, -0.045), (x, -0.055, -0.02)], 0.008, m.metal("iron"))
    return made


def hook(i: int, width: float = 1.6, count: int = 5) -> float:
    """Return where along a board of hooks one of them sits."""
    return (i + 0.5) * width / count - width / 2


# Paper, gifts, toys


def book(colour: str = "red", *, width: float = 0.16, depth: float = 0.23, thick: float = 0.035) -> Thing:
    """A closed book lying flat, its spine on the left."""
    with thing("book", colour) as made:
        cover = m.paint(colour, 0.5)
        box(0.004, 0, 0.004, width - 0.012, depth - 0.012, thick - 0.008, m.paint("white", 0.9), bevel=0.001)
        for z in (0, thick - 0.004):
            box(0, 0, z, width, depth, 0.004, cover, bevel=0.002)
        box(-width / 2, 0, 0, 0.005, depth, thick, cover, bevel=0.002)
        box(0, 0, thick, width * 0.6, depth * 0.25, 0.0015, m.paint("white", 0.6), bevel=0)
    return made


def newspaper() -> Thing:
    """A folded newspaper lying flat."""
    with thing("newspaper", "white") as made:
        box(0, 0, 0, 0.28, 0.36, 0.012, m.paint("white", 0.9), bevel=0.005)
        box(0, 0.14, 0.012, 0.24, 0.035, 0.001, m.paint("black", 0.9), bevel=0)
        box(-0.055, 0.05, 0.012, 0.13, 0.11, 0.001, m.paint("grey", 0.9), bevel=0)
        for column, rows in ((0, range(12)), (1, range(5, 12))):
            for i in rows:
                x = 0.075 if column == 0 else -0.055
                box(
                    x,
                    0.105 - 0.022 * i,
                    0.012,
                    0.1 if column == 0 else 0.13,
                    0.006,
                    0.001,
                    m.paint("light grey", 0.9),
                    bevel=0,
                )
    return made


def gift(
    colour: str = "red", ribbon: str = "yellow", *, width: float = 0.26, depth: float = 0.26, height: float = 0.2
) -> Thing:
    """A wrapped present with a bow."""
    with thing("gift", colour) as made:
        band = m.paint(ribbon, 0.3)
        box(0, 0, 0, width, depth, height, m.paint(colour, 0.35), bevel=0.004)
        part(
            "ribbon",
            box(0, 0, 0, 0.035, depth + 0.004, height + 0.002, band, bevel=0.001),
            box(0, 0, 0, width + 0.004, 0.035, height + 0.002, band, bevel=0.001),
        )
        loops = [sphere(0, 0, height + 0.015, 0.02, band)]
        for turn in (25, 155, 205, 335):
            with at(0, 0, height, turn), tilted(0.05, 0, 0.028, about="Y", by=-25):
                loops.append(sphere(0, 0, 0, 0.05, band, scale=(1, 0.5, 0.42)))
        part("bow", *loops)
    return made


def plain_ball(colour: str = "red", radius: float = 0.12) -> Thing:
    """A rubber ball of one colour with a white band."""
    with thing("ball", colour) as made:
        sphere(0, 0, radius, radius, m.paint(colour, 0.3))
        with tilted(0, 0, radius, about="Y", by=30):
            band = cylinder(0, 0, -0.09 * radius, radius * 1.004, 0.18 * radius, m.paint("white", 0.4), sides=64)
            part("stripe", band)
    return made


# Outdoors


def pumpkin(radius: float = 0.2, *, colour: str = "orange", face: bool = False) -> Thing:
    """A ribbed pumpkin; with a carved, lit face on request."""
    with thing("pumpkin", colour, *(["carved", "lit"] if face else [])) as made:
        rows = []
        for i in range(15):
            up = math.pi * i / 14
            row = []
            for j in range(73):
                angle = 2 * math.pi * j / 72
                out = (
                    radius * math.sin(up) ** 0.8 * (0.9 + 0.1 * abs(math.cos(5 * angle)) ** 0.6) if 0 < i < 14 else 0.01
                )
                dent = 0.12 * radius * math.exp(-((up / 0.35) ** 2))
                row.append((out * math.cos(angle), out * math.sin(angle), 0.78 * radius * (1 + math.cos(up)) - dent))
            rows.append(row)
        surface(rows, m.paint(colour, 0.45))
        top = 1.42 * radius
        tube(
            [(0, 0, top), (0.01, 0, top + 0.25 * radius), (0.05 * radius / 0.2, 0, top + 0.42 * radius)],
            0.1 * radius,
            m.paint("dark green", 0.8),
        )
        if face:
            light = m.glow((1.0, 0.75, 0.2), 5)
            for outline in _face(radius):
                _carved(outline, radius, light)
    return made


def _face(r: float) -> list[list[tuple[float, float]]]:
    eyes = [[(s * 0.2 * r, 0.9 * r), (s * 0.55 * r, 0.9 * r), (s * 0.38 * r, 1.22 * r)] for s in (-1, 1)]
    nose = [(-0.1 * r, 0.72 * r), (0.1 * r, 0.72 * r), (0, 0.88 * r)]
    mouth = [
        (-0.6, 0.6),
        (-0.35, 0.5),
        (-0.28, 0.58),
        (-0.14, 0.47),
        (0.14, 0.47),
        (0.28, 0.58),
        (0.35, 0.5),
        (0.6, 0.6),
    ]
    mouth += [(0.4, 0.32), (0.12, 0.25), (0.05, 0.34), (-0.12, 0.25), (-0.4, 0.32)]
    return [*eyes, nose, [(x * r, z * r) for x, z in mouth]]


def _carved(outline: Sequence[tuple[float, float]], radius: float, light: object) -> None:
    """Lay a shape on the front of a pumpkin, just before its skin."""
    points = []
    for x, z in outline:
        up = math.acos(max(-1, min(1, z / (0.78 * radius) - 1)))
        out = radius * math.sin(up) ** 0.8
        points.append((x, -math.sqrt(max(0.0, out * out - x * x)) - 0.012 * radius / 0.2, z))
    polygons(points, [list(range(len(points)))], light)


def picnic_blanket(width: float, depth: float, colour: str = "red", second: str = "white") -> Thing:
    """A chequered blanket on the ground."""
    with thing("blanket", colour, "chequered") as made:
        box(0, 0, 0, width, depth, 0.012, m.checks(colour, second, 0.16, 0.9), bevel=0.004)
    return made


def basket(colour: str = "light brown", *, open_: bool = False, width: float = 0.46) -> Thing:
    """A picnic basket with two lids and a handle; open: one lid stands up and bread looks out."""
    with thing("basket", colour, "open" if open_ else "closed") as made:
        cane = m.striped(colour, "brown", 0.02, "z")
        box(0, 0, 0, width, 0.32, 0.22, cane, bevel=0.02)
        tube(
            [
                (-0.0, -0.165, 0.15),
                (0, -0.16, 0.33),
                (0, -0.06, 0.42),
                (0, 0.06, 0.42),
                (0, 0.16, 0.33),
                (0, 0.165, 0.15),
            ],
            0.012,
            m.wood("oak"),
        )
        lid = m.wood("oak")
        box(-width / 4, 0, 0.222, width / 2 - 0.01, 0.33, 0.016, lid)
        if open_:
            with tilted(0.012, 0, 0.23, about="Y", by=-105):
                box(width / 4, 0, 0, width / 2 - 0.01, 0.33, 0.016, lid)
            for y in (-0.07, 0.06):
                with tilted(width / 4, y, 0.2, about="Y", by=55):
                    cushion(0, 0, -0.04, 0.3, 0.08, 0.08, m.paint((0.55, 0.3, 0.1), 0.7), soft=0.48)
        else:
            box(width / 4, 0, 0.222, width / 2 - 0.01, 0.33, 0.016, lid)
    return made


def melon_slice() -> Thing:
    """A slice of water melon lying on its rind, its flesh towards -y."""
    with thing("slice of melon", "red") as made:
        for i, (radius, colour) in enumerate(((0.14, "green"), (0.13, "white"), (0.122, "red"))):
            rim = [(radius * math.cos(a), 0.14 - radius * math.sin(a)) for a in [math.pi * k / 24 for k in range(25)]]
            depth = 0.055 + 0.002 * i
            prism(rim, depth, m.paint(colour, 0.4), y=-depth / 2, z=0.002 * i, plane="xz")
        for i, z in ((-2, 0.09), (-1, 0.06), (0, 0.09), (1, 0.06), (2, 0.09)):
            sphere(0.03 * i, -0.031, z, 0.006, m.paint("black", 0.3), scale=(0.7, 0.4, 1))
    return made


# Kept indoors


def aquarium(
    fishes: Sequence[tuple[str, float, float]], *, width: float = 0.9, depth: float = 0.36, height: float = 0.5
) -> Thing:
    """An aquarium, its middle on the origin; `fishes` are (colour, x, z above the sand), all swimming to the left."""
    with thing("aquarium") as made:
        frame = m.paint("black", 0.4)
        box(0, 0, 0, width + 0.02, depth + 0.02, 0.03, frame)
        box(0, 0, height, width + 0.02, depth + 0.02, 0.05, frame)
        for x in (-1, 1):
            for y in (-1, 1):
                box(x * width / 2, y * depth / 2, 0.03, 0.014, 0.014, height - 0.03, frame, bevel=0.002)
        box(0, depth / 2 - 0.006, 0.03, width - 0.02, 0.004, height - 0.03, m.paint((0.03, 0.32, 0.55), 0.4), bevel=0)
        with scenery():  # rays of the description go through to the fish
            box(0, -depth / 2, 0.03, width, 0.003, height - 0.03, m.glass((0.86, 0.97, 1.0)), bevel=0)
        box(0, 0, 0.03, width - 0.02, depth - 0.02, 0.05, m.mottled("beige", "light brown", 0.02), bevel=0.01)
        for x, y, size in ((-0.3, 0.06, 0.07), (-0.22, 0.0, 0.045), (0.3, 0.05, 0.06)):
            stone = sphere(x, y, 0.09, size, m.mottled("grey", "light grey", 0.03), scale=(1.2, 1, 0.75))
            part("stone", stone, words=("grey",))
        for x, tall in (
            (-0.38, 0.3),
            (-0.34, 0.22),
            (0.22, 0.33),
            (0.26, 0.24),
            (0.38, 0.28),
            (0.34, 0.2),
            (-0.08, 0.16),
        ):
            for lean in (-0.03, 0.0, 0.03):
                blade = [
                    (x + lean * 0.4, 0.1, 0.07),
                    (x + lean, 0.1, 0.07 + tall * 0.5),
                    (x + lean * 0.5, 0.1, 0.07 + tall),
                ]
                tube(blade, 0.008, m.leaf(2.2))
    for colour, x, z in fishes:
        with at(x, -0.06, 0.08 + z):
            fish(colour, scale=1.4).on = made
    return made


def towel(colour: str = "blue", *, width: float = 0.45, length: float = 0.7) -> Thing:
    """A towel hanging over a rail at the origin's height, 0.06 before the wall at y = 0."""
    with thing("towel", colour) as made:
        cloth = m.carpet(colour)
        sheet(0, -0.085, -length, width, length, cloth, folds=2, swing=0.012)
        sheet(0, -0.045, -0.8 * length, width, 0.8 * length, cloth, folds=2, swing=0.008)
        cylinder(0, -0.065, 0.0, 0.024, width, cloth, axis="x")
    return made


def toothbrush_cup(colour: str = "white", brushes: Sequence[str] = ("red", "blue")) -> Thing:
    """A tumbler; each toothbrush in it is a thing of its own."""
    with thing("cup", colour) as made:
        lathe(
            0, 0, 0, [(0, 0), (0.036, 0), (0.042, 0.11), (0.038, 0.11), (0.033, 0.01), (0, 0.01)], m.paint(colour, 0.2)
        )
        for i, hue in enumerate(brushes):
            lean = (-14, 14, 0)[i]
            with thing("toothbrush", hue), tilted(0, 0, 0.012, about="Y", by=lean), at(0, 0, 0, -20):
                box(0, 0, 0, 0.012, 0.008, 0.2, m.paint(hue, 0.3), bevel=0.003)
                box(0, -0.01, 0.168, 0.011, 0.014, 0.03, m.paint("white", 0.8), bevel=0.002)
    return made


def soap_bottle(colour: str = "green") -> Thing:
    """A pump bottle of soap."""
    with thing("soap bottle", colour) as made:
        cylinder(0, 0, 0, 0.036, 0.13, m.paint(colour, 0.2), bevel=0.01)
        cylinder(0, 0, 0.13, 0.012, 0.03, m.paint("white", 0.3))
        tube([(0, 0, 0.15), (0, 0, 0.185), (-0.045, 0, 0.182)], 0.007, m.paint("white", 0.3))
    return made


def bath_duck() -> Thing:
    """A rubber duck, its beak to the left."""
    with thing("rubber duck", "yellow") as made:
        skin = m.paint("yellow", 0.3)
        sphere(0, 0, 0.045, 0.055, skin, scale=(1.2, 0.9, 0.85))
        sphere(-0.035, 0, 0.115, 0.038, skin)
        with tilted(0.06, 0, 0.06, about="Y", by=50):
            cylinder(0, 0, -0.01, 0.03, 0.05, skin, top=0.004)
        sphere(-0.075, 0, 0.108, 0.016, m.paint("orange", 0.4), scale=(1.2, 1, 0.5))
        for side in (-1, 1):
            sphere(-0.058, side * 0.022, 0.125, 0.006, m.paint("black", 0.2))
    return made
