"""Churches: pews towards an altar with a cross, candles, pointed coloured windows, an organ."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.church import (
    altar,
    arcade,
    candlestick,
    cross,
    flowers,
    font,
    lectern,
    organ,
    pew,
    pointed_window,
    pulpit,
    ring_chandelier,
    rose_window,
    vault,
    votive_stand,
)
from draw.furniture.corridor import runner
from draw.furniture.stairs import banister
from draw.room import Room
from draw.rooms import room
from draw.stage import at, box, camera, leave_out, panel_light, prism, scenery, sky, thing

STONE = ((0.52, 0.46, 0.37), (0.66, 0.6, 0.5))


@room("church")
def church(rng: Random, take: int) -> None:
    """A church: a Gothic nave, a wooden chapel, the organ loft, by candle light, across the pews, a modern one."""
    (_gothic, _chapel, _organ_loft, _candles, _across, _modern)[take - 1](rng)


def _pews(
    rows: int,
    first: float,
    pitch: float,
    blocks: tuple[tuple[float, float], ...],
    kind: str,
    *,
    turn: float = 180,
    cushions: str | None = None,
) -> None:
    """Rows of pews from y = `first` on: blocks of (middle x, width)."""
    for i in range(rows):
        for x, width in blocks:
            with at(x, first + i * pitch, 0, turn):
                pew(width, kind, cushions=cushions)


def _steps(x: float, y: float, width: float, depth: float, count: int, material: object, rise: float = 0.15) -> None:
    """Steps up to the altar (scenery), from y on, the highest `depth` deep."""
    with scenery():
        for i in range(count):
            run = depth + 0.35 * (count - 1 - i)
            box(x, y + 0.35 * i + run / 2, rise * i, width, run, rise, material, bevel=0.01)


def _gothic(rng: Random) -> None:
    """Down the aisle of a Gothic nave: columns, a vault, dark pews, a red carpet, the altar under three windows."""
    stone, light = m.mottled(*STONE, 0.5, 0.9, 0.08), m.paint((0.74, 0.69, 0.6), 0.9)
    with Room(
        8.4, 14.0, 7.6, walls=light, floor_of=m.tiles((0.42, 0.38, 0.32), (0.25, 0.22, 0.2), 0.5, 0.4), skirting=False
    ) as r:
        for x in (1.25, 7.15):
            arcade(x, 4, 3.0, 3.4, 7.4, stone, start=0.2)
        vault(4.2, 5.5, 4.7, 14.0, light, stone, steep=0.55)
        for i in range(4):
            for side in (r.left, r.right):
                with side(1.7 + 3 * i, 1.3):
                    pointed_window(1.1, 2.6, rng, shine=1.4)
        _steps(4.2, 10.6, 5.4, 2.7, 2, m.tiles((0.55, 0.5, 0.43), (0.35, 0.32, 0.28), 0.5))
        with r.floor(4.2, 0.0):
            runner(1.15, 10.6, "red", "yellow")
        _pews(7, 2.2, 1.12, ((2.65, 1.75), (5.75, 1.75)), "walnut")
        with at(4.2, 13.9, 0.3), thing("curtain", "dark red"):
            box(0, -0.02, 0.2, 3.0, 0.03, 1.75, m.fabric("dark red"), bevel=0)
        with at(4.2, 12.0, 0.3):
            altar(2.2, "stone", candles=4).attributes.append("with 4 candles")
            with at(0, 0.1, 1.0):
                cross(1.0, "golden", foot=True)
        for x, tall in ((2.6, 2.6), (4.2, 3.3), (5.8, 2.6)):
            with r.back(x, 2.1):
                pointed_window(1.15, tall, rng, shine=1.5)
        for x in (2.4, 6.0):
            with at(x, 11.6, 0.3):
                flowers(rng, "white")
        with at(6.2, 10.4, 0):
            lectern()
        for y in (4.5, 9.0):
            panel_light(4.2, y, 6.4, 230, size=2.5)
        panel_light(4.2, 11.0, 4.8, 120, size=1.5, toward=(4.2, 13, 1.2))
        sky(0.12)
    leave_out("candle")  # too small: the words of the altar tell them
    camera((4.2, 0.35, 1.75), (4.2, 10.0, 2.1), lens=24, exposure=0.05)


def _chapel(rng: Random) -> None:
    """A small white wooden chapel in bright light: an open roof, light blue pews, a plain cross, flowers."""
    with Room(6.4, 8.4, 5.6, walls=m.paint((0.84, 0.83, 0.79), 0.9), floor_of=m.planks("pine", 0.18)) as r:
        with scenery():
            for end in (-1, 1):
                outline = [(0, 5.35), (0, 5.45), (end * 3.3, 3.05), (end * 3.3, 2.95)]
                prism(outline, 8.4, m.wood("pine", along="y"), x=3.2, plane="xz")
            for y in (0.6, 2.8, 5.0, 7.2):
                box(3.2, y, 3.15, 6.3, 0.16, 0.18, m.wood("oak"))["surface"] = "beam"
                box(3.2, y, 3.3, 0.16, 0.16, 2.0, m.wood("oak", along="z"))["surface"] = "beam"
        for y in (2.0, 4.4, 6.6):
            for side in (r.left, r.right):
                with side(y, 1.0):
                    pointed_window(
                        0.9,
                        1.85,
                        rng,
                        ("light blue", "white", "yellow"),
                        shine=1.6,
                        motif=False,
                        words=("bright", "pointed"),
                        stone=m.wood("white"),
                    )
        for x in (1.25, 5.15):
            with r.back(x, 1.0):
                pointed_window(0.9, 2.0, rng, ("light blue", "yellow", "light green"), shine=1.5, stone=m.wood("white"))
        with r.back(3.2, 1.55):
            with at(0, -0.06):
                cross(1.9, "brown")
        _steps(3.2, 6.3, 4.2, 2.1, 1, m.planks("oak"))
        with at(3.2, 7.2, 0.15):
            altar(1.7, "oak", cloth="white", candles=2)
        with at(1.5, 6.9, 0.15), at(0, 0, 0, 10):
            lectern("oak")
        for x in (1.95, 4.5):
            with at(x, 7.5, 0.15):
                flowers(rng, "pink" if x < 3 else "yellow")
        for i in range(5):
            for x in (1.55, 4.85):
                with at(x, 1.7 + 0.98 * i, 0, 180):
                    pew(2.3, "white", cushions="light blue")
        with at(0.75, 0.9):
            font()
        for y in (2.5, 6.0):
            panel_light(3.2, y, 4.6, 110, size=2.0)
        for y in (2.0, 4.4):
            panel_light(0.2, y, 2.6, 30, size=1.0, colour=(1.0, 0.95, 0.8), toward=(4, y + 0.5, 0))
        sky(0.25)
    camera((5.6, 0.2, 1.75), (2.65, 6.6, 1.6), lens=20)


def _organ_loft(rng: Random) -> None:
    """From the altar back through the church: pews face the viewer, an organ on its gallery under a rose window."""
    stone = m.mottled((0.58, 0.5, 0.42), (0.7, 0.62, 0.53), 0.5, 0.9, 0.08)
    with Room(
        9.0,
        11.0,
        8.2,
        walls=m.paint((0.7, 0.6, 0.5), 0.9),
        floor_of=m.checks((0.62, 0.57, 0.5), (0.3, 0.2, 0.17), 0.5, 0.3),
        skirting=False,
    ) as r:
        for i in range(3):
            for side in (r.left, r.right):
                with side(2.0 + 2.7 * i, 1.5):
                    pointed_window(1.3, 3.4, rng, ("blue", "cyan", "yellow", "green"), shine=1.3)
                with side(3.35 + 2.7 * i), thing("column", "stone"):
                    box(0, -0.12, 0, 0.5, 0.3, 7.6, stone, bevel=0.03)
        with scenery():
            box(4.5, 9.6, 2.5, 9.0, 2.8, 0.25, m.wood("walnut"))
            for x in (1.6, 7.4):
                box(x, 8.4, 0, 0.28, 0.28, 2.5, m.wood("walnut", along="z"))
        with at(0.1, 8.26, 2.75, -90):
            banister(
                31,
                0,
                "turned",
                m.wood("walnut", along="y"),
                m.wood("oak", along="z"),
                ("brown", "wooden"),
                rise=0,
                newels="none",
                per_step=1,
                height=0.8,
            )
        with at(4.5, 10.9, 2.75):
            organ(5.0, 3.7, "walnut", pipes="gold")
        with r.back(4.5, 7.25):
            rose_window(0.8, rng)
        for i in range(5):
            for x in (2.35, 6.65):
                with at(x, 2.9 + 1.05 * i, 0, 0):
                    pew(3.0, "oak", cushions="red")
        with r.floor(4.5, 0.2):
            runner(1.1, 8.0, "red", "red")
        with at(4.5, 8.8), thing("door", "dark brown", "wooden"):
            box(0, 2.1, 0, 1.8, 0.1, 2.3, m.wood("walnut", along="z"))
        with r.floor(1.5, 1.7, 30):
            votive_stand(rng)
        with r.floor(7.6, 1.6):
            candlestick(1.1, wax=0.5, power=8)
        with r.floor(5.75, 1.35, 150):
            lectern("oak")
        panel_light(4.5, 4.5, 8.0, 420, size=3.0)
        panel_light(4.5, 6.5, 7.2, 130, size=1.5, toward=(4.5, 11, 5))
        panel_light(4.5, 9.0, 2.4, 30, size=1.5)
        sky(0.1)
    camera((3.9, 0.1, 1.75), (4.6, 9.0, 2.75), lens=21, exposure=0.2)


def _candles(rng: Random) -> None:
    """By candle light: a low vault of dark stone, iron rings with candles, a golden cross over the altar."""
    stone = m.mottled((0.34, 0.27, 0.2), (0.46, 0.38, 0.29), 0.4, 0.9, 0.15)
    with Room(
        6.6, 9.2, 5.6, walls=stone, floor_of=m.tiles((0.3, 0.24, 0.18), (0.14, 0.11, 0.09), 0.45, 0.5), skirting=False
    ) as r:
        vault(
            3.3, 6.6, 2.7, 9.2, stone, m.mottled((0.44, 0.34, 0.24), (0.54, 0.44, 0.33), 0.4, 0.9), steep=0.46, ribs=3
        )
        with r.back(3.3, 2.35):
            pointed_window(1.5, 2.6, rng, ("dark blue", "blue", "red", "purple"), shine=1.2)
        for x in (1.2, 5.4):
            with r.back(x, 1.2):
                pointed_window(0.9, 2.1, rng, ("dark blue", "purple", "red"), shine=1.0)
        _steps(3.3, 6.5, 6.4, 2.6, 2, m.tiles((0.36, 0.29, 0.22), (0.16, 0.13, 0.1), 0.45))
        with at(3.3, 7.9, 0.3):
            altar(2.2, "walnut", cloth="white", candles=4, power=10)
            with at(0, 0.12, 1.0):
                cross(1.25, "golden", foot=True)
        for x in (1.3, 5.3):
            with at(x, 7.3, 0.3):
                candlestick(1.15, wax=0.5, power=14)
        with at(0.9, 5.5, 0, 35):
            votive_stand(rng, power=14)
        with at(5.8, 5.6, 0, -35):
            votive_stand(rng, power=14)
        _pews(4, 2.0, 1.0, ((1.6, 2.3), (5.0, 2.3)), "oak")
        for i in range(4):
            for x in (2.86, 3.74):
                with at(x, 2.0 + 1.0 * i, 0):
                    candlestick(0.7, wax=0.22, power=3, metal="iron")
        for y in (2.8, 5.6):
            with at(3.3, y):
                ring_chandelier(5.1, 1.75, power=80)
        panel_light(3.3, 1.0, 3.2, 35, size=2.0, colour=(1.0, 0.8, 0.55))
        sky(0.05, (0.1, 0.14, 0.3), (0.03, 0.05, 0.12))
    camera((3.1, 0.0, 1.65), (3.35, 6.5, 1.75), lens=24, exposure=0.35)


def _across(rng: Random) -> None:
    """Across the pews to great coloured windows along the wall; a wooden pulpit, the altar at the side."""
    stone = m.mottled((0.66, 0.62, 0.56), (0.76, 0.73, 0.67), 0.5, 0.9, 0.06)
    with Room(
        9.0,
        6.6,
        5.6,
        walls=stone,
        floor_of=m.mottled((0.4, 0.27, 0.2), (0.5, 0.34, 0.25), 0.3, 0.4),
        skirting=False,
        sides="left back",
    ) as r:
        for i, x in enumerate((2.9, 5.0, 7.1)):
            with r.back(x, 1.3):
                pointed_window(
                    1.35,
                    3.7,
                    rng,
                    (
                        ("red", "orange", "yellow", "purple"),
                        ("blue", "cyan", "yellow", "green"),
                        ("green", "light green", "yellow", "red"),
                    )[i],
                    shine=1.4,
                )
        for x in (1.85, 3.95, 6.05, 8.15):
            with r.back(x), thing("column", "stone"):
                box(0, -0.16, 0, 0.42, 0.34, 5.6, stone, bevel=0.04)
        with scenery():
            box(0.9, 3.3, 0, 1.8, 6.6, 0.16, m.tiles((0.6, 0.56, 0.5), (0.4, 0.37, 0.33), 0.45), bevel=0.01)
        with r.left(3.6, 1.75), at(0, -0.08):
            cross(2.2, "brown")
        with at(0.95, 3.6, 0.16, 90):
            altar(1.8, "stone", candles=2)
        with at(1.3, 5.6, 0.16, 75):
            pulpit("walnut")
        with at(0.7, 1.9, 0.16):
            flowers(rng, "red")
        for i in range(5):
            with at(3.5 + 1.08 * i, 4.2, 0, -90):
                pew(3.6, "cherry")
        for i in range(5):
            with at(3.5 + 1.08 * i, 0.6, 0, -90):
                pew(1.7, "cherry")
        for x, hue in ((2.9, (1.0, 0.55, 0.35)), (5.0, (0.55, 0.75, 1.0)), (7.1, (0.8, 1.0, 0.6))):
            panel_light(x, 6.2, 3.0, 55, size=1.0, colour=hue, toward=(x - 0.5, 2.5, 0.2))
        panel_light(4.5, 2.5, 5.4, 230, size=3.0)
        panel_light(3.0, 0.5, 3.0, 60, size=1.5, toward=(0.5, 4, 1.5))
        sky(0.2)
    camera((7.3, -0.7, 1.85), (3.4, 4.8, 1.75), lens=20, exposure=0.1)


def _modern(rng: Random) -> None:
    """A modern church of concrete: a cross of light cut into the wall, birch pews, a stone altar, one big candle."""
    with Room(
        8.0,
        9.6,
        5.0,
        walls=m.tiles((0.52, 0.51, 0.49), (0.34, 0.33, 0.32), 1.6, 0.8, "xz"),
        floor_of=m.planks("walnut", 0.3),
        skirting=False,
        ceiling=m.paint((0.6, 0.59, 0.57), 0.9),
    ) as r:
        with at(4.0, 9.58), thing("cross", "white", "big", "lit"):
            bright = m.glow((1.0, 0.95, 0.82), 3.2)
            box(0, 0, 0.0, 0.3, 0.04, 5.0, bright, bevel=0)
            box(0, 0, 2.7, 8.0, 0.04, 0.3, bright, bevel=0)
        panel_light(4.0, 9.2, 2.9, 170, size=2.0, colour=(1.0, 0.95, 0.85), toward=(4.0, 3.0, 0.0))
        with at(4.0, 8.2), thing("altar", "grey", "stone"):
            stone = m.mottled((0.5, 0.5, 0.49), (0.62, 0.62, 0.6), 0.3, 0.5)
            box(0, 0, 0, 1.2, 0.6, 0.85, stone, bevel=0.01)
            box(0, 0, 0.85, 2.3, 0.85, 0.14, stone, bevel=0.01)
        for x in (-0.8, 0.8):
            with at(4.0 + x, 8.2, 0.99):
                candlestick(0.1, wax=0.35, metal="iron", power=2)
        with at(6.0, 8.0):
            candlestick(1.0, wax=0.7, metal="iron", power=6)
        with at(2.0, 7.7, 0, 12):
            lectern("birch")
        with at(5.6, 8.8):
            flowers(rng, "white", height=0.8)
        for y in (2.0, 4.6, 7.2):
            with r.left(y, 0.0):
                pointed_window(0.6, 3.6, rng, ("yellow", "orange", "red"), shine=1.1, motif=False)
        for side, y in ((r.right, 3.2), (r.right, 5.8)):
            with side(y, 0.0):
                pointed_window(0.6, 3.6, rng, ("light blue", "blue", "purple"), shine=1.1, motif=False)
        _pews(5, 2.0, 1.02, ((2.1, 3.0), (5.9, 3.0)), "birch")
        panel_light(4.0, 3.0, 4.9, 140, size=3.0, colour=(1.0, 0.93, 0.82))
        sky(0.12)
    camera((4.9, 0.0, 1.7), (3.85, 7.5, 1.5), lens=20, exposure=0.15)
