"""Cinemas: rows of folding seats before a big screen with a film on it, lights along the aisle."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from draw import materials as m
from draw.furniture.cinema import (
    drink,
    film_screen,
    lounge_seat,
    popcorn,
    seat_row,
    side_lamp,
    stage_curtains,
    step_light,
)
from draw.furniture.corridor import exit_sign
from draw.furniture.stairs import chandelier
from draw.room import Room
from draw.rooms import room
from draw.stage import Point, at, box, camera, cylinder, panel_light, scenery, sky, thing


@room("cinema")
def cinema(rng: Random, take: int) -> None:
    """A cinema: from the last row, from the side, a palace, a lounge, between the seats, from the balcony."""
    (_multiplex, _from_the_side, _palace, _lounge, _between, _balcony)[take - 1](rng)


def _rows(
    rng: Random,
    blocks: Sequence[tuple[float, int]],
    rows: int,
    colour: str,
    *,
    width: float,
    front: float,
    pitch: float = 1.0,
    step: float = 0.2,
    floor: str | m.RGB = (0.06, 0.05, 0.06),
    aisles: Sequence[float] = (),
) -> None:
    """Rows rising towards the viewer from y = `front`: blocks of (middle x, seats), lit steps in the aisles."""
    cloth = m.carpet(floor)
    for i in range(rows):
        y, z = front - i * pitch, i * step
        with scenery():
            if i:
                box(width / 2, y - pitch * 0.04, 0, width, pitch, z, cloth, bevel=0)
        for x, count in blocks:
            with at(x, y, z, 180):
                seat_row(count, colour, down=tuple(k for k in range(count) if rng.random() < 0.15))
        for x in aisles:
            if i:
                with at(x, y + pitch * 0.46 + 0.012, z - 0.05):
                    step_light()


def _shine(width: float, y: float, z: float, power: float, colour: Point, back: float = 6.0) -> None:
    """The screen's light on the seats before it."""
    panel_light(width / 2, y - 0.5, z, power, size=4.0, colour=colour, toward=(width / 2, y - back, 0.0))


def _multiplex(rng: Random) -> None:
    """From the last row down the middle aisle: red seats on both sides, a sunset on the screen, red curtains."""
    with Room(
        10.0,
        12.0,
        5.6,
        walls=m.fabric((0.2, 0.06, 0.07)),
        floor_of=m.carpet((0.12, 0.03, 0.04)),
        ceiling=m.paint((0.1, 0.09, 0.1), 0.9),
        skirting=False,
    ) as r:
        with r.back(5.0, 0.75):
            film_screen(7.4, "sunset", rng, shine=1.0)
        with r.back(5.0, 0.35):
            stage_curtains(7.6, 4.3, "red", share=0.13)
        _rows(
            rng,
            ((2.55, 6), (7.45, 6)),
            7,
            "red",
            width=10,
            front=7.6,
            step=0.22,
            floor=(0.16, 0.03, 0.04),
            aisles=(4.7, 5.3),
        )
        for side in (r.left, r.right):
            for y in (2.4, 5.0, 7.6):
                with side(y, 2.9):
                    side_lamp()
        _shine(10, 12, 2.5, 160, (1.0, 0.62, 0.4))
        panel_light(5, 3.5, 5.4, 200, size=4, colour=(1.0, 0.85, 0.75))
        sky(0.02)
    camera((5.0, -0.6, 2.9), (5.0, 9.0, 1.9), lens=27, exposure=0.6)


def _from_the_side(rng: Random) -> None:
    """From the side: the screen with a space ship on the left, purple rows rising to the right."""
    with Room(
        12.5,
        7.0,
        5.4,
        walls=m.fabric((0.1, 0.08, 0.2)),
        floor_of=m.carpet((0.05, 0.05, 0.09)),
        ceiling=m.paint((0.07, 0.07, 0.1), 0.9),
        skirting=False,
    ) as r:
        with r.left(3.9, 0.6):
            film_screen(6.4, "space", rng, shine=1.3)
        for i in range(7):
            x, z = 4.0 + i * 1.05, 0.3 * i
            with scenery():
                if i:
                    box(x + 0.05, 3.9, 0, 1.05, 6.4, z, m.carpet((0.07, 0.06, 0.12)), bevel=0)
            with at(x, 4.3, z, -90):
                seat_row(9, "purple", down=tuple(k for k in range(9) if rng.random() < 0.2))
            if i:
                with at(x - 0.49, 1.15, z - 0.05, 90):
                    step_light((0.5, 0.7, 1.0))
        with r.back(9.6, 2.5), at(0, 0, 0):
            with thing("exit door", "green"):
                box(0, -0.03, -0.4, 1.0, 0.05, 2.05, m.paint((0.02, 0.2, 0.08), 0.5))
        with at(9.6, 6.8, 0.35):
            exit_sign(5.1)
        for x in (3.2, 5.6, 7.9, 11.6):
            with r.back(x, 3.4):
                side_lamp((0.6, 0.4, 1.0), 18)
        with scenery():
            box(6.25, -0.06, 0, 12.5, 0.12, 5.4, m.fabric((0.1, 0.08, 0.2)), bevel=0)
        panel_light(0.5, 3.6, 2.4, 260, size=3.5, colour=(0.75, 0.8, 1.0), toward=(8, 3.6, 0.5))
        panel_light(7, 2.5, 5.3, 230, size=4, colour=(0.85, 0.8, 1.0))
        sky(0.02)
    camera((8.6, 0.3, 3.05), (2.6, 4.2, 1.35), lens=18, exposure=0.5)


def _palace(rng: Random) -> None:
    """A film palace of old: a golden frame and blue curtains, a countdown on the screen, a chandelier, lights on."""
    with Room(
        9.0,
        10.5,
        5.8,
        walls=m.paint((0.6, 0.42, 0.24), 0.8),
        floor_of=m.carpet((0.03, 0.06, 0.18)),
        ceiling=m.paint((0.72, 0.62, 0.45), 0.9),
    ) as r:
        gold = m.metal("gold", 0.4)
        with r.back(4.5, 1.25):
            film_screen(5.4, "countdown", rng, shine=0.9)
        with thing("stage", "brown", "wooden"):
            box(4.5, 9.9, 0, 9.0, 1.2, 0.8, m.wood("walnut"))
        with r.back(4.5, 0.8):
            stage_curtains(5.6, 3.4, "blue", share=0.2)
            with thing("frame", "golden"):
                for end in (-1, 1):
                    box(end * 4.0, -0.45, 0, 0.42, 0.5, 3.7, gold, bevel=0.05)
                    for z in (0.0, 3.5):
                        box(end * 4.0, -0.48, z, 0.56, 0.6, 0.25, gold, bevel=0.05)
                box(0, -0.45, 3.6, 8.6, 0.5, 0.45, gold, bevel=0.05)
        _rows(
            rng,
            ((1.9, 4), (4.5, 4), (7.1, 4)),
            6,
            "red",
            width=9,
            front=7.2,
            step=0.12,
            floor=(0.03, 0.06, 0.18),
            aisles=(),
        )
        for side in (r.left, r.right):
            for y in (2.2, 4.6, 7.0):
                with side(y, 0):
                    with thing("column", "white", "golden"):
                        cylinder(0, -0.12, 0, 0.16, 5.2, m.paint((0.72, 0.6, 0.4), 0.5))
                        for z in (0, 4.9):
                            box(0, -0.16, z, 0.5, 0.42, 0.3, gold, bevel=0.05)
                with side(y + 1.2, 2.6):
                    side_lamp(power=22)
        with r.floor(4.5, 5.0):
            chandelier(5.8, arms=12, radius=0.85, drop=1.0, power=40)
        panel_light(4.5, 4.0, 5.7, 190, size=4, colour=(1.0, 0.86, 0.66))
        _shine(9, 10, 2.5, 40, (1.0, 0.97, 0.9))
        sky(0.03)
    camera((2.7, -0.6, 2.35), (4.7, 8.0, 2.0), lens=24)


def _lounge(rng: Random) -> None:
    """A small club cinema: three rows of wide orange armchairs with popcorn and drinks, a western on the screen."""
    with Room(
        6.4,
        7.4,
        3.6,
        walls=m.fabric((0.05, 0.16, 0.17)),
        floor_of=m.carpet((0.14, 0.1, 0.07)),
        ceiling=m.paint((0.06, 0.08, 0.09), 0.9),
        skirting=False,
    ) as r:
        with r.back(3.2, 0.75):
            film_screen(5.2, "western", rng, shine=1.0)
        with r.back(3.2, 0.2):
            stage_curtains(5.3, 3.3, "dark red", share=0.1)
        for i, y in enumerate((4.9, 3.3, 1.7)):
            z = 0.24 * i
            with scenery():
                if i:
                    box(3.2, y, 0, 6.4, 1.6, z, m.carpet((0.14, 0.1, 0.07)), bevel=0)
                    for x in (0.5, 5.9):
                        with at(x, y + 0.81, z - 0.06):
                            step_light()
            for k in range(4):
                with at(1.4 + 1.2 * k, y, z, 180):
                    lounge_seat("orange")
            for k in range(3):
                with at(2.0 + 1.2 * k, y + 0.25, z):
                    with thing("side table", "black", "small"):
                        cylinder(0, 0, 0, 0.02, 0.56, m.metal("steel"))
                        cylinder(0, 0, 0.55, 0.17, 0.02, m.paint("black", 0.3))
                    with at(0, 0, 0.57):
                        if (i + k) % 2 == 0:
                            popcorn(rng, 1.15)
                        else:
                            drink(("blue", "red", "green")[k])
        for side in (r.left, r.right):
            for y in (2.5, 5.0):
                with side(y, 2.0):
                    side_lamp(power=10)
        panel_light(3.2, 6.7, 2.2, 75, size=2.5, colour=(0.9, 0.92, 1.0), toward=(3.2, 2, 0.6))
        panel_light(3.2, 2.2, 3.5, 60, size=3, colour=(1.0, 0.85, 0.7))
        sky(0.02)
    camera((4.15, -0.35, 2.0), (3.0, 5.5, 1.3), lens=21, exposure=0.3)


def _between(rng: Random) -> None:
    """Between the seats: blue backs close by, popcorn on an arm rest, an orange fish on the screen, neon strips."""
    with Room(
        9.0,
        9.5,
        4.8,
        walls=m.fabric((0.05, 0.05, 0.12)),
        floor_of=m.carpet((0.03, 0.03, 0.06)),
        ceiling=m.paint((0.05, 0.05, 0.08), 0.9),
        skirting=False,
    ) as r:
        with r.back(4.3, 0.75):
            film_screen(7.6, "fish", rng, shine=1.25)
        _rows(
            rng,
            ((4.1, 12),),
            6,
            "blue",
            width=9,
            front=6.0,
            pitch=0.95,
            step=0.13,
            floor=(0.04, 0.04, 0.09),
            aisles=(8.2,),
        )
        x = 4.1 + 0.58
        with at(x - 0.58, 2.2 + 0.24, 4 * 0.13 + 0.61):
            popcorn(rng, 1.3)
        with at(x + 0.58, 2.2 + 0.24, 4 * 0.13 + 0.61):
            drink("red")
        for side, hue in ((r.left, (1.0, 0.1, 0.7)), (r.right, (0.1, 0.5, 1.0))):
            for y in (2.0, 4.0, 6.0, 8.0):
                with side(y, 0.9):
                    with thing("wall lamp", "pink" if side == r.left else "blue", "lit", "long"):
                        box(0, -0.02, 0, 0.07, 0.04, 3.0, m.glow(hue, 3.0), bevel=0)
        for side, hue in ((0.35, (1.0, 0.3, 0.8)), (8.65, (0.3, 0.6, 1.0))):
            panel_light(side, 4.5, 2.2, 90, size=2.5, colour=hue, toward=(4.5, 4.5, 0.5))
        _shine(9, 9.5, 2.4, 150, (0.6, 0.8, 1.0), 7)
        panel_light(4.5, 1.2, 4.6, 90, size=2.5, colour=(0.85, 0.9, 1.0), toward=(4.5, 3.2, 0.6))
        sky(0.02)
    camera((4.35, 0.55, 1.95), (4.3, 7.5, 1.6), lens=20, exposure=0.3)


def _balcony(rng: Random) -> None:
    """From high up at the side: many red rows in three blocks, THE END over a city on the screen, lights going on."""
    with Room(
        12.0,
        13.0,
        6.6,
        walls=m.fabric((0.24, 0.17, 0.1)),
        floor_of=m.carpet((0.1, 0.07, 0.05)),
        ceiling=m.paint((0.34, 0.3, 0.25), 0.9),
        skirting=False,
    ) as r:
        with r.back(6.0, 0.9):
            film_screen(8.4, "city", rng, shine=1.4)
        _rows(
            rng,
            ((2.2, 5), (6.0, 6), (9.8, 5)),
            8,
            "red",
            width=12,
            front=9.2,
            step=0.14,
            floor=(0.12, 0.08, 0.05),
            aisles=(4.05, 7.95),
        )
        for side in (r.left, r.right):
            for y in (1.5, 4.0, 6.5, 9.0, 11.5):
                with side(y, 0.0), scenery():
                    box(0, -0.05, 0, 1.3, 0.1, 4.6, m.wood("walnut", along="z"), bevel=0.01)
                with side(y, 3.0, 0.12):
                    side_lamp(power=18)
        with r.right(11.6), at(0, -0.02):
            with thing("exit door", "green"):
                box(0, 0, 0, 1.0, 0.05, 2.1, m.paint((0.03, 0.22, 0.1), 0.5))
        for x in (2.5, 6.0, 9.5):
            for y in (3.5, 7.0):
                with at(x, y), thing("ceiling lamp", "round", "lit"):
                    cylinder(0, 0, 6.54, 0.4, 0.05, m.glow((1.0, 0.85, 0.6), 4.0))
                    panel_light(0, 0, 6.4, 90, size=0.8, colour=(1.0, 0.86, 0.66))
        _shine(12, 13, 2.8, 60, (0.6, 0.7, 1.0), 7)
        sky(0.02)
    camera((9.2, -0.8, 4.6), (5.4, 8.5, 1.2), lens=21)
