"""Bedrooms."""

from __future__ import annotations

from random import Random

from draw import materials as m
from draw.furniture.basic import bookcase, picture_frame, put, rug, table_lamp
from draw.room import Room, daylight, outdoors
from draw.rooms import room
from draw.stage import box, camera, cushion, thing


@room("bedroom")
def bedroom(rng: Random, take: int) -> None:
    """A double bed between two night tables, and what else take by take brings."""
    with Room(4.4, 4.0, walls=m.paint("light blue", 0.9), floor_of=m.planks("oak")) as r:
        r.window("back", 3.3, 0.95, 1.1, 1.2, curtain=m.fabric("dark blue"), curtain_words=("dark blue",))
        with r.back(1.5):
            with thing("bed", "red", "wooden"):
                w = m.wood("walnut")
                box(0, -1.0, 0, 1.75, 2.0, 0.28, w)
                box(0, -0.04, 0, 1.8, 0.08, 1.1, w)
                cushion(0, -1.02, 0.26, 1.68, 1.95, 0.26, m.fabric("white"))
                cushion(0, -1.35, 0.38, 1.76, 1.3, 0.2, m.fabric("red"))
                for dx in (-0.42, 0.42):
                    with thing("pillow", "white"):
                        cushion(dx, -0.35, 0.5, 0.66, 0.42, 0.2, m.fabric("white"), tilt=25)
        for x in (0.35, 2.65):
            with r.back(x):
                with thing("night table", "dark brown", "wooden") as night:
                    box(0, -0.22, 0, 0.42, 0.4, 0.5, m.wood("walnut"))
                    box(0, -0.43, 0.28, 0.34, 0.02, 0.16, m.wood("oak"))
                with put(night, 0, -0.22, 0.5):
                    table_lamp("beige")
        with r.back(1.5, 1.5):
            picture_frame(0.9, 0.55, rng)
        with r.floor(2.3, 1.4):
            rug(1.9, 1.2, "beige")
        with r.left(1.2):
            bookcase(0.9, 1.9, rng, "walnut")
        daylight(r)
        outdoors(16)
    camera((3.6, 0.15, 1.55), (1.75, 3.3, 0.65), lens=19)
