"""Wine cellars: vaults and stone, barrels, racks of bottles."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture.basic import put
from draw.furniture.storage import (
    _staves,
    barrel,
    bottle,
    cradle,
    diamond_rack,
    lantern,
    vault,
    wine_bottle,
    wine_glass,
    wine_rack,
    wine_tap,
    wooden_crate,
)
from draw.room import Room
from draw.rooms import room
from draw.stage import (
    WARM,
    at,
    box,
    bulb,
    camera,
    cylinder,
    panel_light,
    prism,
    scenery,
    sky,
    sphere,
    thing,
    tilted,
    tube,
)


@room("wine cellar")
def wine_cellar(rng: Random, take: int) -> None:
    """Where wine is kept."""
    (_vault, _racks, _modern, _tasting, _barrels, _niches)[take - 1](rng)


def _stone(plane: str = "xz", colour: tuple[float, float, float] = (0.36, 0.31, 0.25)) -> Any:
    """Blocks of stone."""
    return m._bricks(colour, (0.2, 0.17, 0.13), 0.5, 0.24, 0.5, 0.06, 0.9, plane, 0.72)


def _clad(r: Room, height: float, material: Any) -> None:
    """Stand stones before all three walls up to a height."""
    for side, length in (("left", r.depth), ("back", r.width), ("right", r.depth)):
        with r._wall(side), scenery():
            box(length / 2, -0.02, 0, length, 0.05, height, material, bevel=0)


def _sconce(power: float = 22) -> None:
    """An iron lamp on the wall at y = 0."""
    with thing("wall lamp", "yellow", "lit"):
        iron = m.metal("iron", 0.5)
        box(0, -0.01, -0.12, 0.08, 0.02, 0.24, iron)
        tube([(0, -0.02, -0.05), (0, -0.14, -0.1), (0, -0.14, -0.02)], 0.01, iron)
        cylinder(0, -0.14, -0.02, 0.06, 0.015, iron)
        cylinder(0, -0.14, 0.0, 0.035, 0.13, m.glow((1.0, 0.72, 0.38), 4.0), bevel=0.02)
        bulb(0, -0.2, 0.12, power, colour=WARM, radius=0.06)


def _barrel_row(
    width: float, count: int, *, belly: float = 0.38, tiers: int = 1, kind: str = "oak", tap: bool = False
) -> None:
    """Lying barrels side by side along x, heads towards -y, on beams; further tiers rest in the hollows."""
    with scenery():
        cradle(width, depth=0.9)
    pitch = width / count
    for tier in range(tiers):
        for i in range(count - tier):
            with at(-width / 2 + pitch * (i + 0.5 + 0.5 * tier), 0, 0.14 + tier * belly * 1.62):
                barrel(kind, length=1.0, belly=belly, lying=True, tap=tap and tier == 0)


def _vault(rng: Random) -> None:
    """A vaulted cellar of stone seen down its middle, barrels lying on both sides, lamps on the walls."""
    stone = _stone()
    with Room(
        4.8,
        10.0,
        3.6,
        walls=stone,
        floor_of=_stone("xy", (0.3, 0.27, 0.23)),
        ceiling=m.paint("dark brown", 0.9),
        skirting=False,
    ) as r:
        _clad(r, 1.5, stone)
        with scenery():
            vault(
                4.8,
                10.0,
                1.45,
                1.9,
                m.bricks((0.4, 0.26, 0.17), (0.25, 0.2, 0.15), plane="xy"),
                ribs=4,
                rib=_stone("xz", (0.42, 0.36, 0.28)),
            )
        for y in (2.2, 4.1, 6.0, 7.9):
            for side in (r.left, r.right):
                with side(y, gap=0.75):
                    _barrel_row(1.75, 2, tap=True)
        for y in (3.15, 6.9):
            for side in (r.left, r.right):
                with side(y, 1.42, gap=0.06):
                    _sconce(30)
        with r.back(2.4):
            wine_rack(rng, 2.2, 1.9, "oak", depth=0.34)
        with r.floor(2.75, 3.4):
            standing = barrel()
            with put(standing, -0.1, 0, 0.95):
                wine_bottle(rng)
            for x, y in ((0.1, -0.08), (0.14, 0.12)):
                with put(standing, x, y, 0.95):
                    wine_glass()
        panel_light(2.4, 0.4, 2.4, 70, size=1.2, colour=WARM, toward=(2.4, 4, 0.8))
        panel_light(2.4, 7.5, 2.9, 60, size=1.2, colour=WARM)
        sky(0.1)
    camera((2.05, -0.3, 1.55), (2.5, 6.0, 1.05), lens=20, exposure=0.35)


def _racks(rng: Random) -> None:
    """Two long walls full of bottles in dark racks meet at a brick wall; a table with bottle and glasses."""
    wall = m.bricks((0.3, 0.13, 0.08), (0.3, 0.26, 0.22))
    with Room(
        4.2,
        5.4,
        2.7,
        walls=wall,
        floor_of=m.tiles((0.34, 0.17, 0.1), "dark grey", 0.3, 0.5),
        ceiling=m.planks("walnut"),
        skirting=False,
    ) as r:
        _clad(r, 2.7, wall)
        for y in (1.7, 3.1, 4.5):
            with r.left(y):
                wine_rack(rng, 1.36, 2.1, "walnut")
        for y in (2.4, 3.8):
            with r.right(y):
                diamond_rack(rng, 2, 4, "oak", cell=0.52)
        with r.back(2.1):
            with thing("door", "brown", "arched"):
                w = m.wood("oak", along="z")
                arch = [(-0.5, 0), (0.5, 0), (0.5, 1.6), (0.35, 1.9), (0, 2.05), (-0.35, 1.9), (-0.5, 1.6)]
                prism(arch, 0.08, w, y=-0.1, plane="xz", bevel=0.01)
                for z in (0.4, 1.4):
                    box(0.0, -0.11, z, 0.95, 0.02, 0.07, m.metal("iron", 0.5))
                for i in range(-2, 3):
                    box(i * 0.18, -0.102, 0.02, 0.008, 0.006, 1.6, m.paint("black"), bevel=0)
                box(0.36, -0.13, 0.95, 0.04, 0.05, 0.16, m.metal("iron", 0.5))
        with r.floor(2.15, 2.75):
            top = barrel("oak", length=0.9, belly=0.36)
            with put(top, 0.02, 0.05, 0.9):
                wine_bottle(rng)
            with put(top, -0.14, -0.1, 0.9):
                wine_glass()
            with put(top, 0.16, -0.1, 0.9):
                wine_glass()
        with r.floor(3.3, 1.55, 20):
            wooden_crate("pine", 0.5, 0.36, 0.26)
        for y in (2.0, 4.0):
            with thing("ceiling lamp", "black", "lit"), at(2.1, y, 2.7):
                cylinder(0, 0, -0.45, 0.008, 0.45, m.paint("black"))
                cylinder(0, 0, -0.62, 0.05, 0.17, m.paint("black", 0.4), top=0.03)
                sphere(0, 0, -0.65, 0.05, m.glow((1.0, 0.75, 0.45), 9.0))
                bulb(0, 0, -0.72, 75, colour=WARM)
        panel_light(2.1, 0.3, 2.4, 50, size=1.2, colour=WARM, toward=(2.1, 3, 1.0))
        sky(0.15)
    camera((2.35, -0.35, 1.6), (2.0, 3.4, 1.1), lens=20, exposure=0.25)


def _modern(rng: Random) -> None:
    """A bright modern cellar: white room, birch racks lit from within, a glass table."""
    with Room(
        5.6,
        4.6,
        2.7,
        walls=m.paint("light grey", 0.9),
        floor_of=m.tiles("light grey", "white", 0.6, 0.2),
        skirting=False,
    ) as r:
        for x in (0.95, 2.2, 3.45, 4.7):
            with r.back(x):
                wine_rack(rng, 1.2, 2.3, "birch", pitch=0.125)
        for y in (2.5, 3.7):
            with r.left(y):
                diamond_rack(rng, 2, 4, "birch", cell=0.55)
        for y in (3.0,):
            with r.right(y):
                wine_rack(rng, 1.6, 2.3, "birch", pitch=0.125)
        with r.floor(2.9, 2.2), thing("table", "high", "wooden") as made:
            box(0, 0, 0.98, 1.7, 0.6, 0.05, m.wood("walnut"))
            for dx in (-0.75, 0.75):
                box(dx, 0, 0, 0.06, 0.5, 0.98, m.paint("black", 0.4))
            for x in (-0.55, -0.3):
                with put(made, x, 0.08, 1.03):
                    wine_bottle(rng)
            for x, y in ((0.0, -0.1), (0.2, 0.1), (0.4, -0.08), (0.6, 0.1)):
                with put(made, x, y, 1.03):
                    wine_glass()
        for x, y in ((2.3, 1.55), (3.5, 1.5)):
            with r.floor(x, y), thing("bar stool", "dark red"):
                cylinder(0, 0, 0.68, 0.18, 0.06, m.paint("dark red", 0.5), bevel=0.02)
                cylinder(0, 0, 0.03, 0.025, 0.65, m.metal("chrome"))
                cylinder(0, 0, 0, 0.2, 0.025, m.metal("chrome"))
        for x in (4.7, 5.05):
            with at(x, 1.6 + (x - 4.7) * 0.5, 0, 15):
                wooden_crate("birch", 0.34, 0.5, 0.22)
        for x in (1.6, 2.8, 4.0):
            with thing("spotlight", "white", "lit"), at(x, 2.9, 2.7):
                cylinder(0, 0, -0.12, 0.06, 0.12, m.paint("white", 0.4))
                cylinder(0, 0, -0.125, 0.045, 0.01, m.glow((1.0, 0.9, 0.75), 8.0))
                panel_light(0, -0.2, -0.15, 45, size=0.4, colour=WARM, toward=(0, 1.6, -1.6))
        panel_light(2.8, 1.4, 2.65, 95, size=2)
        sky(0.3)
    camera((3.9, -0.5, 1.6), (2.45, 3.1, 1.1), lens=20, exposure=0.0)


def _tasting(rng: Random) -> None:
    """A low stone vault with candles: a long table with bottles and glasses, great upright casks behind."""
    stone = _stone("xz", (0.44, 0.4, 0.34))
    with Room(
        6.0,
        6.0,
        3.6,
        walls=stone,
        floor_of=_stone("xy", (0.3, 0.28, 0.26)),
        ceiling=m.paint("dark brown", 0.9),
        skirting=False,
    ) as r:
        _clad(r, 1.35, stone)
        with scenery():
            vault(
                6.0,
                6.0,
                1.3,
                2.0,
                m.mottled((0.42, 0.38, 0.32), (0.54, 0.49, 0.41), 0.3, 0.95, 0.3),
                ribs=2,
                rib=_stone("xz", (0.5, 0.45, 0.38)),
            )
        for x in (1.25, 3.0, 4.75):
            with r.back(x, gap=0.75), thing("cask", "brown", "wooden", "huge"):
                with tilted(0, 0, 1.02, by=90):
                    _staves("cherry", 1.4, 0.84)
                box(0, 0, 0, 1.3, 0.9, 0.2, m.wood("walnut"))
                with at(0, -0.7, 0.5):
                    wine_tap()
                box(0, -0.69, 0.95, 0.3, 0.02, 0.3, m.wood("oak"))
        with r.floor(3.0, 2.55), thing("table", "brown", "wooden") as made:
            w = m.wood("walnut")
            box(0, 0, 0.7, 2.6, 0.85, 0.06, w)
            for dx in (-1.05, 1.05):
                box(dx, 0, 0, 0.1, 0.6, 0.7, w)
                box(dx, 0, 0, 0.14, 0.8, 0.07, w)
            box(0, 0, 0.25, 2.1, 0.06, 0.1, w)
            for x in (-0.75, 0.1, 0.85):
                with put(made, x, 0.1, 0.76):
                    wine_bottle(rng)
            for x, y in (
                (-1.0, -0.2),
                (-0.5, -0.22),
                (0.0, -0.25),
                (0.5, -0.2),
                (1.05, -0.22),
                (-0.95, 0.28),
                (0.5, 0.25),
            ):
                with put(made, x, y, 0.76):
                    wine_glass()
            with put(made, -0.3, 0.05, 0.76):
                lantern()
            with put(made, 0.4, 0.02, 0.76), thing("cheese", "yellow"):
                cylinder(0, 0, 0, 0.16, 0.02, m.wood("oak"))
                prism([(0, 0), (0.12, -0.04), (0.12, 0.06)], 0.07, m.paint("yellow", 0.6), x=-0.05, z=0.02)
        for y in (1.75, 3.4):
            with r.floor(3.0, y), thing("bench", "brown", "wooden"):
                box(0, 0, 0.41, 2.3, 0.28, 0.05, m.wood("walnut"))
                for dx in (-0.9, 0.9):
                    box(dx, 0, 0, 0.06, 0.24, 0.41, m.wood("walnut"))
        for y in (2.2, 4.2):
            with r.left(y, gap=0.08):
                wine_rack(rng, 1.3, 1.25, "cherry")
        with r.right(3.2, gap=0.08):
            wine_rack(rng, 2.4, 1.25, "cherry")
        for x in (2.12, 3.88):
            with r.back(x, 1.5, gap=0.06):
                _sconce(30)
        bulb(3.0, 2.3, 2.4, 60, colour=WARM, radius=0.3)
        panel_light(3.0, 0.3, 2.3, 60, size=1.2, colour=WARM, toward=(3.0, 3, 0.8))
        sky(0.1)
    camera((4.1, -0.6, 1.65), (2.85, 3.6, 0.95), lens=20, exposure=0.35)


def _barrels(rng: Random) -> None:
    """Stacked barrels, two high along both walls of a plain whitewashed cellar with daylight from a small window."""
    white = m.mottled((0.6, 0.57, 0.5), (0.74, 0.7, 0.63), 0.3, 0.95, 0.25)
    with Room(
        6.6,
        6.6,
        3.2,
        walls=white,
        floor_of=m.concrete((0.3, 0.27, 0.24)),
        ceiling=m.planks("oak", 0.25),
        skirting=False,
    ) as r:
        with scenery():
            for y in (1.2, 2.8, 4.4, 6.0):
                box(3.3, y, 2.95, 6.6, 0.22, 0.25, m.wood("walnut"))["surface"] = "beam"
        r.window("back", 1.1, 1.95, 0.9, 0.6, panes=(2, 1), frame="dark grey")
        r.window("back", 5.5, 1.95, 0.9, 0.6, panes=(2, 1), frame="dark grey")
        with r.back(3.3, gap=0.6):
            _barrel_row(4.2, 5, tiers=3, belly=0.4)
        with r.left(2.9, gap=0.6):
            _barrel_row(3.4, 4, tiers=2, belly=0.4)
        with r.floor(5.6, 4.0):
            barrel("walnut", length=1.0, belly=0.4)
        with r.floor(5.7, 2.9):
            crate = barrel("oak", length=1.0, belly=0.4)
            with put(crate, -0.1, 0.02, 1.0):
                lantern()
            with put(crate, 0.12, -0.12, 1.0):
                wine_glass()
        with r.floor(4.4, 2.2, 25):
            wooden_crate("pine", 0.55, 0.4, 0.3)
            for i in range(6):
                with thing("wine bottle", "green"), at(-0.17 + 0.17 * (i % 3), -0.09 + 0.18 * (i // 3), 0.03):
                    bottle(m.paint((0.012, 0.06, 0.02), 0.08), cap=m.paint("dark red", 0.3))
        with r.right(5.3):
            wine_rack(rng, 1.5, 2.0, "oak")
        sky(1.0)
        panel_light(2.6, 2.0, 2.9, 130, size=2, colour=WARM)
        panel_light(4.6, 4.4, 2.9, 80, size=1.6, colour=WARM)
    camera((4.5, -0.7, 1.6), (2.85, 4.0, 1.0), lens=20, exposure=0.05)


def _niches(rng: Random) -> None:
    """Brick arches in a row, each filled with bottles, barrels before them, by the light of lanterns."""
    wall = m.bricks((0.46, 0.27, 0.16), (0.35, 0.3, 0.24))
    with Room(
        6.4,
        4.4,
        3.0,
        walls=wall,
        floor_of=m.mottled((0.2, 0.16, 0.12), (0.3, 0.25, 0.19), 0.1, 0.9, 0.3),
        ceiling=m.bricks((0.4, 0.24, 0.15), plane="xy"),
        skirting=False,
    ) as r:
        _clad(r, 3.0, wall)
        with scenery():
            for i in range(3):
                x = 1.15 + 2.05 * i
                outline = [(-1.03, 0), (-0.85, 0), (-0.85, 1.55)]
                outline += [
                    (-0.85 * math.cos(math.pi * k / 16), 1.55 + 0.75 * math.sin(math.pi * k / 16)) for k in range(1, 16)
                ]
                outline += [(0.85, 1.55), (0.85, 0), (1.03, 0), (1.03, 3.0), (-1.03, 3.0)]
                prism(outline, 0.5, wall, x=x, y=3.85, z=0, plane="xz")
        for i in range(3):
            with r.back(1.15 + 2.05 * i, gap=0.07):
                if i == 1:
                    diamond_rack(rng, 3, 4, "oak", cell=0.5)
                else:
                    wine_rack(rng, 1.6, 2.05, "oak", depth=0.34)
        for x, y, lit in ((0.75, 3.1, True), (2.2, 3.2, False), (4.25, 3.2, False), (5.7, 3.1, True)):
            with r.floor(x, y):
                made = barrel("oak", length=0.85, belly=0.33)
                if lit:
                    with put(made, 0, 0, 0.85):
                        lantern()
                else:
                    with put(made, 0.08, 0.0, 0.85):
                        wine_bottle(rng)
                    with put(made, -0.1, -0.08, 0.85):
                        wine_glass()
        with r.floor(5.2, 1.7, 60):
            with scenery():
                cradle(0.8, depth=0.9)
            with at(z=0.14):
                barrel("oak", lying=True, tap=True)
        with r.floor(1.0, 1.7, -20):
            wooden_crate("oak", 0.55, 0.4, 0.3)
        for x in (2.17, 4.22):
            with at(x, 3.83, 2.0):
                _sconce(35)
        bulb(3.2, 1.4, 2.5, 130, colour=WARM, radius=0.35)
        for x in (1.15, 3.2, 5.25):
            bulb(x, 3.72, 2.1, 5, colour=WARM, radius=0.1)
        sky(0.1)
    camera((3.2, -0.5, 1.5), (3.2, 3.4, 1.25), lens=20, exposure=0.3)
