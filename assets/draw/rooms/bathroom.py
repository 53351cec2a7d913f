"""Bathrooms: a bathtub or shower, a toilet and a washbasin under a mirror are what tells them."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import sanitary as s
from draw.furniture import seating
from draw.furniture.basic import plant, put, rug
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import WARM, box, bulb, camera, cylinder, leave_out, panel_light, scenery, sky, thing


@room("bathroom")
def bathroom(rng: Random, take: int) -> None:
    """Draw a bathroom."""
    (_family, _spa, _shower, _retro, _victorian, _children)[take - 1](rng)


def _family(rng: Random) -> None:
    """A tub with a curtain along the back wall under light blue tiles, toilet and washbasin at the right."""
    with Room(3.6, 3.0, 2.5, walls=m.paint("white", 0.9), floor_of=m.checks("grey", "white", 0.3), skirting=False) as r:
        with r.left(0):
            s.dado(3.0, 1.5, "light blue")
        with r.back(0):
            s.dado(3.6, 1.5, "light blue")
        with r.right(3.0):
            s.dado(3.0, 1.5, "light blue")
        r.window("back", 1.9, 1.62, 0.9, 0.62, panes=(2, 1))
        with r.back(0.9):
            tub = s.bathtub(1.75, 0.78)
        with put(tub, 1.55, 2.75, 0.56):
            s.shampoo("green", "orange", "purple")
        with r.floor(1.42, 2.2):
            s.shower_curtain(0.6, m.striped("white", "red", 0.05), "red", rail=1.95, z=0.12)
        with r.back(2.25):
            s.toilet("white")
        with r.back(2.62, 0.8):
            s.toilet_roll()
        with r.floor(2.62, 2.82):
            s.toilet_brush()
        with r.right(1.75):
            stand = s.washbasin("cabinet", "oak", width=0.9)
            with put(stand, -0.32, -0.12, 0.86):
                s.soap_and_brushes("orange")
        with r.right(1.75, 1.15):
            s.wall_mirror(0.85, 0.85, lit=True)
        with r.right(2.6, 1.25):
            s.towel_rail("yellow", width=0.4)
        with r.left(1.55, 1.35):
            s.towel_rail("red", "dark blue")
        with r.floor(1.45, 1.45, 8):
            s.bath_mat("blue", 1.0, 0.6)
        with r.floor(0.4, 1.0):
            s.bathroom_scales()
        daylight(r, from_=(2, 6, 6), fill=45)
    camera((2.55, -0.35, 1.65), (1.65, 2.6, 0.8), lens=19)


def _spa(rng: Random) -> None:
    """A free oval tub before a wide window, plants, a board with a bowl for a washbasin, wooden floor."""
    with Room(4.4, 3.5, 2.7, walls=m.paint((0.2, 0.34, 0.27), 0.9), floor_of=m.planks("birch")) as r:
        r.window("back", 1.7, 0.55, 2.3, 1.75, panes=(3, 1), frame="black")
        with r.floor(1.75, 2.55, 6):
            s.free_bathtub("white")
        with r.floor(2.75, 2.95, -60):
            s.floor_tap("brass")
        with r.right(1.35):
            stand = s.washbasin("bowl", "walnut", width=1.15, metal="brass")
            with put(stand, 0.4, -0.25, 0.76):
                s.stacked_towels("white", "beige")
            with put(stand, -0.42, -0.2, 0.76):
                s.soap_and_brushes("white")
        with r.right(1.35, 1.15):
            s.wall_mirror(0.85, round_=True, frame="brass")
        with r.right(2.75):
            s.toilet("white", style="wall", seat="walnut")
        with r.right(3.2, 0.85):
            s.toilet_roll()
        with r.floor(0.5, 3.05):
            plant(rng, height=1.5, pot="white")
        with r.floor(0.75, 1.75):
            stool = seating.stool("oak", 0.45)
        with put(stool, 0.75, 1.75, 0.46):
            s.stacked_towels("white", "orange")
        with r.left(2.4, 1.5):
            s.towel_rail("beige", "white")
        with r.floor(1.9, 1.55):
            rug(1.5, 0.8, "white", border="beige")
        with r.floor(3.2, 3.15):
            plant(rng, height=0.8, pot="beige")
        daylight(r, from_=(-3, 6, 4), fill=60, strength=3)
        outdoors(14)
    camera((0.75, -0.2, 1.5), (2.45, 2.6, 0.75), lens=19, exposure=0.25)


def _shower(rng: Random) -> None:
    """A walk-in shower of glass, a double washbasin under a wide lit mirror, dark tiles, in the evening."""
    tile = m.tiles((0.1, 0.11, 0.12), (0.03, 0.03, 0.03), 0.6, 0.25, "xz")
    with Room(4.2, 3.2, 2.6, walls=m.paint((0.5, 0.47, 0.43), 0.9), floor_of=m.tiles("grey", "dark grey", 0.5)) as r:
        with r.back(0), scenery():
            box(2.1, 0.01, 0, 4.2, 0.014, 2.6, tile, bevel=0)
        with r.back(0.62):
            s.shower(1.2, 1.15, sides="right", height=2.1)
        with r.back(0.25, 1.25), scenery():
            box(0, -0.05, 0, 0.4, 0.1, 0.03, m.wood("walnut"))
        with r.back(0.25, 1.28):
            s.shampoo("white", "cyan")
        with r.back(1.75):
            s.toilet("white", style="wall")
        with r.back(2.12, 0.85):
            s.toilet_roll()
        with r.back(3.15):
            stand = s.washbasin("cabinet", "walnut", width=1.7, bowls=2)
            with put(stand, 0.0, -0.22, 0.86):
                s.soap_and_brushes("white")
            with put(stand, 0.7, -0.15, 0.86):
                plant(rng, height=0.3, pot="white")
        with r.back(3.15, 1.15):
            s.wall_mirror(1.6, 0.95)
        with r.back(3.15, 2.14), scenery():
            box(0, -0.05, 0, 1.4, 0.06, 0.04, m.glow((1, 0.9, 0.75), 6))
        with r.right(1.7):
            s.towel_radiator("orange", "orange", height=1.4)
        with r.floor(2.9, 1.75):
            s.bath_mat("orange", 1.1, 0.6)
        with r.left(1.35, 1.5):
            s.towel_rail("white", width=0.5)
        sky(0.12)
        panel_light(2.1, 1.7, 2.55, 60, size=2.0, colour=WARM)
        bulb(0.62, 2.5, 2.4, 12)
        bulb(3.15, 2.85, 2.2, 10)
    leave_out("tap")  # the reference game chose its pictures without them
    camera((2.4, -0.6, 1.6), (1.95, 3.0, 1.0), lens=20, exposure=0.4)


def _retro(rng: Random) -> None:
    """A narrow pink bathroom: tub along the right, washbasin on a foot at the left, the toilet at the end."""
    with Room(
        2.5, 3.6, 2.5, walls=m.paint("white", 0.9), floor_of=m.checks("black", "white", 0.2), skirting=False
    ) as r:
        r.window("back", 1.3, 1.4, 0.7, 0.8, panes=(1, 2))
        for side, start in ((r.left, 0.0), (r.back, 0.0), (r.right, 3.6)):
            with side(start):
                s.dado(2.5 if side == r.back else 3.6, 1.15, "pink", size=0.12)
        with r.right(2.6):
            tub = s.bathtub(1.7, 0.75, colour="pink", foam=True)
        with put(tub, 1.83, 2.2, 0.56):
            s.rubber_duck()
        with r.back(1.15):
            s.toilet("pink", lid="open")
        with r.back(1.55, 0.8):
            s.toilet_roll()
        with r.floor(0.65, 3.35):
            s.toilet_brush("pink")
        with r.left(2.0):
            basin = s.washbasin("pedestal")
            with put(basin, 0.2, -0.08, 0.855):
                s.soap_and_brushes("green")
        with r.left(2.0, 1.25):
            s.wall_mirror(0.55, 0.75, frame="chrome", lit=True)
        with r.left(2.75, 1.05):
            s.towel_rail("cyan", width=0.45)
        with r.left(1.25, 1.05):
            s.towel_rail("yellow", width=0.45)
        with r.floor(1.2, 2.0, 90):
            s.bath_mat("cyan", 1.0, 0.6)
        with r.floor(0.35, 1.2):
            with thing("laundry basket", "white"):
                cylinder(0, 0, 0, 0.2, 0.55, m.paint("white", 0.4), top=0.23, bevel=0.01)
                cylinder(0, 0, 0.55, 0.24, 0.03, m.paint("pink", 0.4), bevel=0.01)
        daylight(r, from_=(-0.5, 6, 4), fill=42)
    camera((0.95, -0.25, 1.65), (1.3, 3.3, 0.75), lens=18)


def _victorian(rng: Random) -> None:
    """A tub on claw feet in an old house: striped wallpaper over panels, a cistern up the wall, low sun."""
    paper = m.striped((0.5, 0.6, 0.68), (0.62, 0.7, 0.75), 0.14)
    with Room(4.4, 3.4, 2.8, walls=paper, floor_of=m.planks("walnut")) as r:
        with scenery():
            for i in range(15):
                with r.back(0.15 + i * 0.293):
                    box(0, 0.01, 0, 0.28, 0.02, 1.05, m.paint("white", 0.4), bevel=0.006)
            for i in range(12):
                with r.right(0.14 + i * 0.283):
                    box(0, 0.01, 0, 0.27, 0.02, 1.05, m.paint("white", 0.4), bevel=0.006)
                with r.left(0.14 + i * 0.283):
                    box(0, 0.01, 0, 0.27, 0.02, 1.05, m.paint("white", 0.4), bevel=0.006)
        with r.back(2.2, 1.05), scenery():
            box(0, 0, 0, 4.4, 0.04, 0.04, m.paint("white", 0.4))
        r.window("left", 2.0, 0.95, 1.0, 1.4, panes=(2, 3), curtain=m.fabric("white"), curtain_words=("white",))
        with r.floor(1.35, 1.75, 78):
            s.free_bathtub("dark red", feet=True)
        with r.floor(0.5, 1.2, 78):
            s.floor_tap("brass")
        with r.back(3.45):
            s.toilet("white", style="high", seat="cherry")
        with r.back(3.85, 0.85):
            s.toilet_roll()
        with r.back(2.25):
            s.washbasin("pedestal", metal="brass")
        with r.back(2.25, 1.25):
            s.wall_mirror(0.62, 0.85, frame="walnut")
        for x in (1.82, 2.68):
            with r.back(x, 1.6), thing("wall lamp", "lit"):
                cylinder(0, -0.01, 0, 0.05, 0.02, m.metal("brass"), axis="y")
                box(0, -0.06, -0.01, 0.02, 0.1, 0.02, m.metal("brass"))
                cylinder(0, -0.11, 0, 0.045, 0.13, m.glow((1, 0.88, 0.66), 3), top=0.07)
                bulb(0, -0.2, 0.1, 4)
        with r.floor(2.35, 1.6, 5):
            s.bath_mat("white", 1.1, 0.7)
        with r.floor(0.75, 2.95):
            plant(rng, height=1.1, pot="dark blue")
        with r.right(1.6):
            with thing("cabinet", "dark brown", "wooden") as chest:
                box(0, -0.2, 0, 0.8, 0.38, 0.85, m.wood("walnut", along="z"))
                for dx in (-0.195, 0.195):
                    box(dx, -0.395, 0.06, 0.36, 0.02, 0.73, m.wood("walnut", along="z"))
            with put(chest, 0.15, -0.2, 0.85):
                s.stacked_towels("white", "red", "white")
            with put(chest, -0.25, -0.2, 0.85):
                s.shampoo("dark green", "beige")
        daylight(r, from_=(-6, 1.2, 3.6), fill=60, strength=4)
    camera((3.75, -0.35, 1.55), (1.9, 2.7, 0.85), lens=19, exposure=0.3)


def _children(rng: Random) -> None:
    """A bright bathroom for children: yellow and green tiles, ducks on a tub with foam, two low washbasins."""
    with Room(
        4.0, 3.0, 2.5, walls=m.paint("white", 0.9), floor_of=m.tiles("light green", "white", 0.25), skirting=False
    ) as r:
        for side, start, length in ((r.left, 0.0, 3.0), (r.back, 0.0, 4.0), (r.right, 3.0, 3.0)):
            with side(start):
                s.dado(length, 1.25, "yellow", size=0.2)
        r.window("right", 1.7, 1.4, 1.0, 0.8, panes=(2, 1))
        with r.left(1.35):
            tub = s.bathtub(1.8, 0.82, water=True, foam=True)
        for y, colour in ((0.75, "yellow"), (1.1, "red"), (1.5, "yellow"), (1.95, "light blue")):
            with put(tub, 0.81, y, 0.56, rng.uniform(60, 120)):
                s.rubber_duck(colour)
        with r.left(1.35, 1.6):
            s.towel_rail("red", "blue", "green")
        with r.back(1.55):
            s.toilet("white", seat="blue")
        with r.back(1.95, 0.8):
            s.toilet_roll()
        with r.back(2.95):
            stand = s.washbasin("cabinet", "cyan", width=1.5, bowls=2)
            with put(stand, 0.0, -0.14, 0.86):
                s.soap_and_brushes("orange")
        for x in (2.58, 3.32):
            with r.back(x, 1.3):
                s.wall_mirror(0.55, round_=True, frame="orange")
        with r.floor(2.6, 2.25), thing("step stool", "red"):
            box(0, 0, 0.16, 0.36, 0.24, 0.03, m.paint("red", 0.3))
            for dx in (-0.15, 0.15):
                box(dx, 0, 0, 0.03, 0.22, 0.165, m.paint("red", 0.3))
        with r.floor(1.75, 1.45, -80):
            s.bath_mat("orange", 1.1, 0.6)
        with r.floor(3.6, 1.6):
            s.bathroom_scales("light blue")
        with r.right(1.0, 1.35):
            s.towel_rail("orange", width=0.45)
        daylight(r, from_=(6, 1.5, 4), fill=48)
    camera((3.0, -0.55, 1.6), (1.45, 2.4, 0.75), lens=20)
