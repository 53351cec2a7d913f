"""Hospital rooms: adjustable beds on wheels with drips and monitors, dividing curtains, wheelchairs."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture import desks, hospital, seating, toys
from draw.furniture.basic import clock, picture_frame, put, vase
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import COOL, at, box, camera, panel_light, scenery, sheet, sky, thing


@room("hospital room")
def hospital_room(rng: Random, take: int) -> None:
    """Draw a hospital room."""
    (_single, _ward, _intensive, _two_beds, _child, _emergency)[take - 1](rng)


def _lights(places: tuple[tuple[float, float], ...], height: float, power: float) -> None:
    """Set long lamps into the ceiling."""
    for x, y in places:
        with thing("ceiling lamp", "white", "long"):
            box(x, y, height - 0.02, 0.3, 1.2, 0.02, m.glow((0.95, 0.98, 1.0), 3.5), bevel=0)
        panel_light(x, y, height - 0.05, power, size=0.9, colour=(0.96, 0.98, 1.0))


def _single(rng: Random) -> None:
    """A sunny single room: one bed under a wooden panel, a drip, flowers, a chair for visitors."""
    with Room(4.4, 4.0, walls=m.paint((0.7, 0.74, 0.68), 0.9), floor_of=m.paint((0.36, 0.5, 0.55), 0.25)) as r:
        r.window(
            "left", 2.3, 0.85, 1.7, 1.35, panes=(2, 1), curtain=m.fabric("light green"), curtain_words=("light green",)
        )
        with r.back(2.15):
            hospital.hospital_bed("light blue", raised=34)
        with r.back(2.15, 1.22):
            hospital.headwall(2.1, "oak")
        with r.floor(3.05, 3.45, -20):
            hospital.drip(("light blue", "yellow"))
        with r.floor(3.75, 3.45, -35):
            hospital.vital_monitor()
        with r.back(1.25):
            cabinet = hospital.bedside_cabinet()
        with put(cabinet, 1.2, 3.78, 0.82):
            vase("blue", "pink", rng)
        with put(cabinet, 1.36, 3.65, 0.82):
            desks.mug("white")
        with r.floor(2.35, 2.35):
            table = hospital.overbed_table()
        with put(table, 2.2, 2.35, 0.92):
            desks.mug("red")
        with put(table, 2.45, 2.33, 0.92, 10):
            desks.open_book("blue")
        with r.floor(0.7, 2.6, 50):
            seating.armchair("green", style="wooden", legs="birch")
        with r.right(2.3):
            hospital.wash_basin()
        with r.back(3.75, 1.75):
            clock(0.18)
        _lights(((2.2, 1.8),), 2.6, 30)
        daylight(r, from_=(-6, 0.6, 4), fill=35, strength=3.5)
    camera((3.1, 0.2, 1.55), (2.05, 3.0, 0.85), lens=20)


def _ward(rng: Random) -> None:
    """A ward: beds in two rows along an aisle, green curtains between them, a window at the end."""
    floor = m.tiles((0.55, 0.58, 0.55), "grey", 0.6)
    with Room(6.6, 8.2, 2.9, walls=m.paint((0.74, 0.77, 0.74), 0.9), floor_of=floor) as r:
        r.window("back", 3.3, 0.8, 2.2, 1.6, panes=(3, 1))
        for y in (2.2, 4.5, 6.8):
            with r.left(y):
                hospital.hospital_bed("green", raised=30)
            with r.left(y, 1.22):
                hospital.headwall(1.5, "white")
            with r.right(y):
                hospital.hospital_bed("green", raised=30)
            with r.right(y, 1.22):
                hospital.headwall(1.5, "white")
        for y in (3.45, 5.75):
            with at(0.05, y, 0, 90):
                hospital.rail_curtain(2.1, 2.5, "light green", drawn=0.42)
            with at(6.55, y, 0, -90):
                hospital.rail_curtain(2.1, 2.5, "light green", drawn=0.42)
        for y in (2.95, 5.25):
            with r.left(y):
                hospital.bedside_cabinet()
            with r.right(y - 1.45):
                hospital.bedside_cabinet()
        with r.floor(0.55, 1.45, 60):
            hospital.drip(("light blue",))
        with r.floor(6.0, 5.2, -60):
            hospital.drip(("yellow", "light blue"))
        with r.floor(3.75, 4.3, 20):
            hospital.treatment_trolley("blue")
        with r.floor(2.75, 6.2, -15):
            hospital.wheelchair("red")
        _lights(((3.3, 1.8), (3.3, 4.2), (3.3, 6.6)), 2.9, 60)
        daylight(r, strength=0, fill=90, world=0.9)
        outdoors(20)
    camera((3.3, -0.2, 1.7), (3.3, 5.0, 0.95), lens=20, exposure=-0.1)


def _intensive(rng: Random) -> None:
    """Intensive care at night: one bed among monitors, a ventilator and pumps, in bluish light."""
    with Room(4.6, 4.0, 2.7, walls=m.paint((0.2, 0.36, 0.42), 0.9), floor_of=m.paint((0.25, 0.3, 0.34), 0.2)) as r:
        with r.back(2.3):
            hospital.hospital_bed("white", raised=30, panels="light blue")
        with r.back(2.3, 1.25):
            hospital.headwall(2.6, "white")
        with r.floor(1.35, 3.1, 25):
            hospital.ventilator()
        with r.floor(3.15, 3.3, -15):
            hospital.vital_monitor(width=0.5)
        with r.floor(3.7, 2.75, -40):
            hospital.drip(("light blue", "red"))
        with r.floor(0.75, 2.35, 40):
            hospital.drip(("yellow", "light blue"))
        with r.back(2.3, 1.95):
            with at(0, -0.12, 0):
                hospital.vital_monitor(stand=False, width=0.62)
                with scenery():
                    box(0, -0.0, 0.1, 0.1, 0.14, 0.1, m.metal("steel"))
        with r.right(1.75):
            hospital.treatment_trolley("red")
        with r.floor(3.35, 1.85, -20):
            hospital.oxygen_bottle()
        with r.right(3.0, 1.2):
            desks.monitor(0.5, shows="chart")
        with r.back(4.0, 1.75):
            clock(0.18)
        with at(0.55, 3.9, 0, 0):
            hospital.rail_curtain(2.2, 2.35, "cyan", drawn=0.4)
        sky(0.1)
        panel_light(2.3, 1.2, 2.65, 75, size=1.8, colour=(0.72, 0.9, 1.0))
        panel_light(2.3, 3.7, 2.2, 14, size=0.8, colour=(1.0, 0.92, 0.8), toward=(2.3, 2.8, 0.6))
    camera((1.75, -0.4, 1.6), (2.35, 3.0, 0.95), lens=21, exposure=0.3)


def _two_beds(rng: Random) -> None:
    """Two beds along the right wall seen from beside, a blue curtain between them, a wheelchair in front."""
    floor = m.tiles((0.5, 0.44, 0.36), "light grey", 0.45)
    with Room(4.8, 5.4, 2.7, walls=m.paint((0.78, 0.7, 0.54), 0.9), floor_of=floor) as r:
        r.window("back", 1.7, 0.85, 1.6, 1.35, panes=(3, 1), curtain=m.fabric("blue"), curtain_words=("blue",))
        for y, hue in ((1.85, "yellow"), (4.25, "yellow")):
            with r.right(y):
                hospital.hospital_bed(hue, raised=36, panels="beige")
            with r.right(y, 1.22):
                hospital.headwall(1.7, "birch")
        with at(4.75, 3.1, 0, -90):
            hospital.rail_curtain(2.4, 2.35, "blue", drawn=0.72)
        for y in (2.65, 5.05):
            with r.right(y):
                cabinet = hospital.bedside_cabinet()
        with put(cabinet, 4.5, 5.05, 0.82):
            vase("white", "red", rng)
        with r.floor(3.9, 3.45, -60):
            hospital.drip(("light blue",))
        with r.floor(1.15, 2.7, 35):
            hospital.wheelchair("blue")
        with r.floor(2.05, 4.6, 20):
            hospital.vital_monitor()
        with r.left(3.4):
            hospital.wash_basin()
        with r.left(4.55, 1.35):
            picture_frame(0.8, 0.6, rng, frame="birch")
        with r.floor(0.55, 4.75, 60):
            seating.stool("birch", 0.46, seat="blue")
        _lights(((2.2, 1.8), (2.2, 4.0)), 2.7, 40)
        daylight(r, from_=(-1.0, 6, 5), fill=45, strength=3)
        outdoors(18)
    camera((1.0, -0.1, 1.65), (2.9, 3.3, 0.85), lens=20)


def _child(rng: Random) -> None:
    """A child's sickroom: a small bed with rails, a teddy and balloons, stars on a yellow wall, a monitor, a drip."""
    with Room(4.2, 3.9, 2.6, walls=m.paint((0.8, 0.66, 0.34), 0.9), floor_of=m.paint((0.3, 0.46, 0.36), 0.25)) as r:
        r.window(
            "right",
            2.2,
            0.9,
            1.4,
            1.25,
            panes=(2, 1),
            curtain=m.striped("white", "orange", 0.12),
            curtain_words=("orange",),
        )
        with r.left(2.65):
            bed = hospital.hospital_bed("orange", raised=32, panels="light blue", small=True)
        with r.left(2.65, 1.25):
            hospital.headwall(1.7, "white")
        with put(bed, 1.18, 2.62, 0.77, 25):
            toys.teddy("light brown", bow="blue")
        with r.floor(0.75, 3.35, 30):
            hospital.vital_monitor()
        with r.floor(0.6, 1.75, 60):
            hospital.drip(("light blue", "pink"))
        with r.back(2.1, 1.15):
            toys.wall_stars(2.6, 1.2, rng, "white", count=12)
        with r.back(2.0):
            cabinet = hospital.bedside_cabinet()
        with put(cabinet, 2.0, 3.65, 0.82, 0), at(0, 0, -0.02):
            for dx, high, colour in ((-0.1, 0.7, "red"), (0.13, 0.85, "blue"), (0.02, 0.55, "green")):
                with at(dx, 0, 0):
                    toys.balloon(colour, string=high)
        with r.back(3.1):
            toys.toy_shelf(rng, "white", columns=2, rows=2)
        with r.back(2.9, 0.75), at(0, -0.19):
            toys.stacking_rings()
        with r.back(3.2, 0.75), at(0, -0.2):
            toys.teddy("white", bow="red")
        with r.floor(2.75, 2.25, -50):
            hospital.wheelchair("red")
        with r.back(3.85, 1.7):
            hospital.cross_sign("red", 0.3)
        with r.floor(3.55, 3.1, -40):
            seating.stool("white", 0.42, seat="blue")
        _lights(((2.1, 1.7),), 2.6, 35)
        daylight(r, from_=(6, 0.8, 4), fill=50, strength=3.2)
    camera((3.1, -0.35, 1.6), (1.6, 2.8, 0.85), lens=21)


def _emergency(rng: Random) -> None:
    """An examination bay: a bed in the middle under a round lamp, a folding screen, trolleys, green tiles."""
    tiles = m.tiles((0.5, 0.66, 0.6), "white", 0.16, plane="xz")
    with Room(4.8, 4.3, 2.8, walls=tiles, floor_of=m.checks((0.55, 0.56, 0.54), (0.36, 0.44, 0.44), 0.4)) as r:
        with r.floor(2.35, 2.7, -72), at(0, 1.04):
            hospital.hospital_bed("white", raised=26, panels="light grey")
        with r.floor(1.75, 2.75):
            hospital.operating_lamp(2.8, 0.75)
        with r.floor(3.65, 3.55, -6):
            hospital.folding_screen("cyan", panels=3)
        with r.floor(1.35, 3.85):
            hospital.treatment_trolley("orange")
        with r.back(2.3), at(0, -0.32):
            hospital.vital_monitor()
        with r.floor(0.6, 3.5, 40):
            hospital.drip(("yellow", "light blue"))
        with r.left(2.1):
            hospital.wash_basin()
        with r.floor(4.25, 2.3, -50):
            hospital.oxygen_bottle()
        with r.floor(3.35, 1.65, 160):
            seating.stool("white", 0.5, seat="black")
        with r.back(0.8, 1.85):
            hospital.cross_sign("green", 0.36)
        with r.back(2.35, 1.95):
            clock(0.2)
        with r.right(3.0, 1.1), thing("X-ray viewer", "lit"):
            box(0, -0.04, 0, 0.8, 0.08, 0.6, m.paint("white", 0.35), bevel=0.01)
            box(0, -0.082, 0.05, 0.72, 0.006, 0.5, m.glow((0.7, 0.85, 1.0), 1.3), bevel=0)
            box(-0.18, -0.088, 0.09, 0.3, 0.004, 0.42, m.paint((0.02, 0.04, 0.06)), bevel=0)
            for k in range(6):
                box(
                    -0.18,
                    -0.091,
                    0.15 + 0.055 * k,
                    0.22 - 0.02 * abs(k - 2.5),
                    0.002,
                    0.018,
                    m.glow((0.6, 0.75, 0.9), 0.8),
                    bevel=0,
                )
        with r.left(0.85, 0.0), thing("door curtain", "white"):
            sheet(0, -0.1, 0.05, 0.9, 2.1, m.fabric("white"), folds=7)
        sky(0.3)
        _lights(((1.3, 1.5), (3.5, 1.5)), 2.8, 40)
        panel_light(2.4, 1.0, 2.75, 50, size=1.8, colour=COOL)
    camera((2.5, -0.05, 1.6), (2.3, 2.9, 0.85), lens=20, exposure=-0.2)
