"""What stands in offices: swivel chairs, conference tables, screens, flip charts, laptops, strip lights."""

from __future__ import annotations

from draw import materials as m
from draw.stage import NEUTRAL, Point, Thing, box, panel_light, thing


def strip_light(
    height: float,
    length: float = 1.2,
    *,
    power: float = 25.0,
    colour: Point = NEUTRAL,
    along: str = "y",
    drop: float = 0.0,
) -> Thing:
    """A long lamp at the ceiling, or hanging `drop` below it, its middle over the origin."""
    with thing("ceiling lamp", "white", "long") as made:
        z = height - drop
        size = (0.16, length) if along == "y" else (length, 0.16)
        box(0, 0, z - 0.06, *size, 0.058, m.paint("white", 0.4))
        box(0, 0, z - 0.068, size[0] - 0.03, size[1] - 0.03, 0.012, m.glow(colour, 5.0), bevel=0)
        if drop:
            for end in (-0.35, 0.35):
                where = (0, end * length) if along == "y" else (end * length, 0)
                box(*where, z, 0.008, 0.008, drop, m.metal("steel"), bevel=0)
        panel_light(0, 0, z - 0.09, power, size=0.6, colour=colour)
    return made
