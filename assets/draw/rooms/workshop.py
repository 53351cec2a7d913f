"""Workshops: a bench, a vise, tools on the wall; no car."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.basic import ceiling_lamp, put
from draw.furniture.storage import stocked_shelf
from draw.furniture.tools import (
    band_saw,
    drill_press,
    fluorescent,
    lathe_machine,
    paint_can,
    pegboard,
    plane_tool,
    planks,
    sawhorse,
    shavings,
    table_saw,
    timber,
    tool_box,
    tool_chest,
    vise,
    wood_block,
    work_lamp,
    workbench,
)
from draw.room import Room, outdoors
from draw.rooms import room
from draw.stage import (
    COOL,
    NEUTRAL,
    at,
    box,
    bulb,
    camera,
    cylinder,
    panel_light,
    prism,
    scenery,
    sky,
    sun,
    thing,
    tilted,
)

LARGE = [
    ["saw", "hammer", "square", "clamp", "hammer", "clamp", "saw"],
    ["spanner", "spanner", "spanner", "pliers", "screwdriver", "screwdriver", "drill"],
]


@room("workshop")
def workshop(rng: Random, take: int) -> None:
    """Somebody's place for making things."""
    (_carpenter, _saws, _evening, _metal, _bright, _school)[take - 1](rng)


def _carpenter(rng: Random) -> None:
    """A carpenter's bench with vise and plane in the sun, tools on a board behind it, a band saw, boards."""
    with Room(5.2, 4.4, 2.7, walls=m.paint("white", 0.9), floor_of=m.planks("pine", 0.18, 0.6)) as r:
        r.window("left", 2.2, 0.95, 1.9, 1.2, panes=(3, 2))
        with r.back(2.35, 1.15):
            pegboard(2.7, 1.25, LARGE, rng)
        with r.back(2.35):
            bench = workbench(2.5, 0.75, drawers=3)
            with put(bench, -0.85, -0.6, 0.9):
                vise("blue", 1.1)
            with put(bench, 0.15, -0.42, 0.9):
                wood_block(rng)
            with put(bench, 0.1, -0.43, 0.935, 8):
                plane_tool()
            with put(bench, 0.95, -0.35, 0.9):
                tool_box("red")
        with at(2.4, 2.9):
            shavings(rng, 45, reach=1.1)
        with r.floor(4.5, 3.6, -30):
            band_saw("green")
        with r.right(1.9):
            planks(6, rng)
        with r.floor(2.65, 1.95, 96):
            sawhorse()
        with r.floor(3.85, 2.08, 96):
            horse = sawhorse()
            with put(horse, 0, 0.6, 0.75, -90):
                for i in range(3):
                    with thing("plank", "light brown", "wooden"):
                        box(0, -0.19 + 0.17 * i, 0, 2.1, 0.15, 0.035, m.wood(("pine", "birch", "oak")[i]))
        outdoors(14)
        sky(1.0)
        sun(3.2, from_=(-5, 1.0, 4))
        panel_light(2.6, 1.6, 2.66, 100, size=2)
    camera((1.5, 0.35, 1.6), (2.65, 3.5, 0.95), lens=20, exposure=-0.2)


def _saws(rng: Random) -> None:
    """A joiner's machine room: table saw in the middle, band saw, stacks of timber, brick walls."""
    wall = m.bricks((0.4, 0.16, 0.1), "light grey")
    with Room(7.0, 6.0, 3.4, walls=wall, floor_of=m.concrete((0.4, 0.39, 0.37)), skirting=False) as r:
        with r._wall("right"), scenery():
            box(3, -0.02, 0, 6, 0.03, 3.4, wall, bevel=0)
        with r._wall("left"), scenery():
            box(3, -0.02, 0, 6, 0.03, 3.4, wall, bevel=0)
        for x in (1.6, 3.9):
            r.window("back", x, 1.7, 1.6, 1.2, panes=(4, 3), frame="dark grey")
        with r.floor(3.3, 2.5, 14):
            saw = table_saw("orange")
            with put(saw, 0.05, -0.05, 0.83), thing("plank", "light brown", "wooden"):
                box(0.05, -0.1, 0, 0.22, 1.3, 0.03, m.wood("birch", along="y"))
        with r.floor(1.2, 4.6, 30):
            band_saw("light blue")
        with r.floor(5.4, 3.2, 80):
            timber(7, rng, length=2.2)
        with r.back(5.9):
            planks(8, rng, length=2.8)
        with r.back(3.6):
            bench = workbench(2.6, 0.7, kind="oak")
            with put(bench, -0.8, -0.55, 0.9):
                vise("red", 1.1)
            with put(bench, 0.2, -0.3, 0.9):
                drill_press("orange")
            with put(bench, 0.9, -0.35, 0.9):
                tool_box("blue")
        with r.left(2.6, 1.2):
            pegboard(
                2.0,
                1.2,
                [["saw", "saw", "clamp", "clamp", "clamp"], ["hammer", "square", "drill", "spanner"]],
                rng,
                "light green",
            )
        with r.left(2.6):
            workbench(2.0, 0.6, kind="oak", drawers=3)
        with at(3.0, 1.9):
            shavings(rng, 60, reach=1.4)
        for x in (2.0, 5.0):
            with at(x, 2.8, 3.4):
                fluorescent(1.5)
                panel_light(0, 0, -0.12, 140, size=2, colour=COOL)
        outdoors(18)
        sky(1.0)
    camera((4.6, 0.1, 1.7), (3.05, 3.4, 0.9), lens=20, exposure=-0.15)


def _evening(rng: Random) -> None:
    """A hobby bench in lamplight seen close and from the front, its tools on a dark wall."""
    with Room(4.0, 3.4, 2.5, walls=m.paint((0.1, 0.17, 0.22), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(1.85, 1.12):
            pegboard(2.6, 1.2, LARGE, rng, "yellow")
        with r.back(1.85):
            bench = workbench(2.6, 0.7, kind="oak", legs="dark grey", drawers=4)
            with put(bench, -0.9, -0.5, 0.9, 8):
                vise("red", 1.15)
            with put(bench, -0.3, -0.25, 0.9):
                work_lamp("red", 22)
            with put(bench, 0.1, -0.45, 0.9), thing("birdhouse", "light brown", "wooden"):
                box(0, 0, 0, 0.2, 0.18, 0.2, m.wood("birch"))
                for end in (-1, 1):
                    with tilted(0, 0, 0.3, about="Y", by=end * 42):
                        box(end * 0.1, 0, -0.012, 0.25, 0.26, 0.016, m.wood("cherry"))
                prism([(-0.1, 0.2), (0.1, 0.2), (0, 0.29)], 0.18, m.wood("birch"), y=-0.09, plane="xz")
                cylinder(0, -0.092, 0.15, 0.035, 0.006, m.paint("black"), axis="y")
            with put(bench, 0.55, -0.5, 0.9, 30), thing("hammer", "light brown", "black"):
                box(0, 0, 0, 0.3, 0.03, 0.03, m.wood("pine"), bevel=0.01)
                box(0.15, 0, 0, 0.045, 0.13, 0.04, m.metal("iron", 0.35), bevel=0.008)
            with put(bench, 0.95, -0.3, 0.9):
                drill_press("dark green")
            with put(bench, 0.45, -0.22, 0.9):
                for i, colour in enumerate(("red", "white")):
                    with at(0.2 * i - 0.05, 0):
                        paint_can(colour)
        with r.left(1.9):
            stocked_shelf(rng, 1.5, 0.35, 1.9, 5, "walnut", stock="cans jars wood card", top=False)
        with r.right(2.3):
            planks(5, rng, length=2.1)
        with r.floor(0.95, 1.9, 20), thing("stool", "red", "round"):
            cylinder(0, 0, 0.55, 0.18, 0.06, m.paint("red", 0.5), bevel=0.02)
            for i in range(4):
                with at(turn=45 + 90 * i), tilted(0.17, 0, 0, about="Y", by=-8):
                    cylinder(0, 0, 0, 0.016, 0.56, m.metal("chrome"))
        for x in (1.1, 2.7):
            with r.floor(x, 2.2):
                ceiling_lamp(2.5, 0.55, colour="dark grey", radius=0.18)
        sky(0.12)
        bulb(1.9, 0.9, 2.2, 55, radius=0.3)
    camera((2.05, 0.2, 1.55), (1.85, 3.2, 1.2), lens=21, exposure=0.25)


def _metal(rng: Random) -> None:
    """A metal workshop: a long bench with three vises on the right, lathe, red tool chests, a chequered floor."""
    with Room(
        5.6, 6.2, 3.0, walls=m.paint((0.48, 0.56, 0.5), 0.8), floor_of=m.checks("light grey", "grey", 0.5, 0.4)
    ) as r:
        with r.right(3.0):
            bench = workbench(4.4, 0.75, kind="grey", legs="green")
            for i, x in enumerate((-1.5, 0.1, 1.6)):
                with put(bench, x, -0.6, 0.9):
                    vise(("blue", "green", "red")[i], 1.35)
            with put(bench, -0.75, -0.35, 0.9):
                tool_box("yellow")
            with put(bench, 0.9, -0.3, 0.9):
                drill_press("light blue")
        with r.right(3.0, 1.35):
            pegboard(4.0, 1.1, [[*LARGE[0], "hacksaw", "hacksaw"], [*LARGE[1], *LARGE[1][:5]]], rng, "light grey")
        with r.floor(1.75, 3.7, 28):
            lathe_machine("green")
        with r.back(1.3):
            tool_chest("red", width=0.8, height=1.05)
        with r.back(2.2):
            tool_chest("red", width=0.8, height=1.05)
        with r.back(3.7, 1.15):
            pegboard(
                1.6,
                1.1,
                [
                    ["spanner", "spanner", "spanner", "spanner", "spanner", "spanner"],
                    ["hammer", "hammer", "pliers", "drill"],
                ],
                rng,
                None,
            )
        with r.back(3.7):
            stocked_shelf(rng, 1.3, 0.4, 1.05, 2, "steel", stock="crate", top=False, colours=("blue", "red", "yellow"))
        with r.left(1.7, 1.5), thing("poster", "yellow"):
            box(0, -0.01, 0, 0.6, 0.02, 0.8, m.paint("yellow", 0.6), bevel=0)
            box(0, -0.022, 0.1, 0.44, 0.005, 0.5, m.paint("black", 0.6), bevel=0)
        for y in (2.0, 4.4):
            with at(2.8, y, 3.0, 90):
                fluorescent(1.6)
                panel_light(0, 0, -0.12, 110, size=1.8, colour=COOL)
        sky(0.5)
    camera((2.0, -0.2, 1.65), (3.35, 3.2, 0.95), lens=20, exposure=-0.1)


def _bright(rng: Random) -> None:
    """A bright workshop of birch boards: a big bench with a vise in front, a long wall of tools behind."""
    with Room(4.2, 3.3, 2.6, walls=m.wood("birch", 0.7), floor_of=m.planks("pine", 0.2, 0.7), skirting=False) as r:
        with scenery():
            for i in range(21):
                box(0.1 + 0.2 * i, 3.296, 0, 0.006, 0.008, 2.6, m.paint("brown", 0.8), bevel=0)
        r.window("left", 1.9, 1.0, 1.5, 1.1, panes=(3, 2), frame="green")
        with r.back(2.2, 1.1):
            pegboard(3.3, 1.3, LARGE, rng, "white")
        with r.back(1.05):
            stocked_shelf(rng, 1.5, 0.4, 0.95, 2, "pine", stock="cans wood", top=False)
        with r.back(2.35):
            tool_chest("red", width=0.8, height=0.95)
        with r.back(3.3):
            stocked_shelf(rng, 0.95, 0.4, 0.95, 2, "pine", stock="crate", top=False)
        with r.right(2.2):
            planks(4, rng, length=2.0)
        with r.floor(1.95, 2.1):
            bench = workbench(2.5, 0.8, kind="cherry", legs="green")
            with put(bench, 0.72, -0.68, 0.9, -12):
                vise("blue", 1.45)
            with put(bench, 0.05, -0.5, 0.9, 8), thing("plank", "light brown", "wooden"):
                box(0, 0, 0, 0.8, 0.2, 0.035, m.wood("birch"))
            with put(bench, 0.05, -0.5, 0.936, 14):
                plane_tool()
            with put(bench, -0.6, -0.62, 0.9, 25), thing("hammer", "light brown", "black"):
                box(0, 0, 0, 0.3, 0.03, 0.03, m.wood("pine"), bevel=0.01)
                box(0.15, 0, 0, 0.045, 0.13, 0.04, m.metal("iron", 0.35), bevel=0.008)
            with put(bench, -0.95, -0.3, 0.9, 10):
                tool_box("yellow")
            with put(bench, -0.1, -0.25, 0.9):
                shavings(rng, 14, reach=0.35)
        with at(1.9, 1.0):
            shavings(rng, 24, reach=0.7)
        for x in (1.2, 3.0):
            with r.floor(x, 1.9):
                ceiling_lamp(2.6, 0.4, colour="green", radius=0.18)
        outdoors(12)
        sky(1.2, low=(0.85, 0.87, 0.9), high=(0.65, 0.72, 0.82))
        panel_light(2.1, 1.2, 2.55, 120, size=2.0, colour=NEUTRAL)
        panel_light(0.15, 1.9, 1.6, 40, size=1.2, colour=COOL, toward=(3, 1.6, 0.8))
    camera((2.75, -0.35, 1.62), (2.0, 2.6, 1.12), lens=22, exposure=-0.25)


def _school(rng: Random) -> None:
    """A school's workshop: rows of benches with a vise at every place, tools in a blue wall cupboard."""
    with Room(8.0, 7.0, 3.0, walls=m.paint((0.82, 0.72, 0.45), 0.9), floor_of=m.planks("birch", 0.2)) as r:
        for y in (2.2, 4.8):
            r.window("right", y, 1.0, 2.0, 1.5, panes=(3, 2))
        for j, y in enumerate((2.95, 4.75)):
            for i, x in enumerate((1.6, 4.0, 6.4)):
                with r.floor(x, y):
                    bench = workbench(1.7, 0.8, 0.85, kind="oak", legs="blue")
                    with put(bench, -0.6, -0.65, 0.85):
                        vise("blue", 1.15)
                    with put(bench, 0.55, -0.65, 0.85):
                        vise("blue", 1.15)
                    if (i + j) % 2 == 0:
                        with put(bench, 0.05, -0.35, 0.85):
                            wood_block(rng)
                    else:
                        with put(bench, 0.05, -0.3, 0.85):
                            tool_box(("red", "yellow", "green")[i])
        for x in (2.1, 5.1):
            with r.back(x, 0.95):
                pegboard(2.6, 1.5, [*LARGE, ["hacksaw", "hacksaw", "hammer", "pliers", "pliers"]], rng, "light blue")
        with r.back(7.3):
            tool_chest("yellow", height=1.2)
        with r.left(5.6):
            stocked_shelf(rng, 1.6, 0.45, 2.0, 4, stock="wood crate cans")
        with r.left(2.6):
            lathe_machine("light grey")
        for x in (2.4, 5.6):
            for y in (2.2, 4.8):
                with at(x, y, 3.0):
                    fluorescent(1.4)
                    panel_light(0, 0, -0.12, 70, size=1.8, colour=NEUTRAL)
        outdoors(20)
        sky(0.8)
        sun(2.2, from_=(5, 1, 4))
    camera((5.2, 0.3, 1.75), (3.6, 4.6, 0.85), lens=21, exposure=-0.3)
