"""What stands and hangs along corridors: doors with numbers, wall lamps, exit signs, runners, trolleys, coat hooks."""

from __future__ import annotations

from draw import materials as m
from draw.furniture.basic import LIT_CLOTH
from draw.stage import (
    WARM,
    Point,
    Thing,
    box,
    bulb,
    cushion,
    cylinder,
    lathe,
    lettering,
    part,
    sphere,
    state,
    thing,
    tube,
)


def panelled_door(
    colour: str = "white",
    *,
    wood: str | None = None,
    number: str | None = None,
    width: float = 0.9,
    height: float = 2.05,
    panels: int = 2,
    glazed: bool = False,
    frame: str = "white",
    handle: str = "brass",
) -> Thing:
    """A closed door in its frame at y = 0, its middle at x = 0; with a number plate, or a pane of frosted glass."""
    with thing("door", colour, *(["wooden"] if wood else [])) as made:
        state("closed")
        leaf = m.wood(wood, along="z") if wood else m.paint(colour, 0.4)
        bar = m.wood(frame, along="z") if frame in m.WOODS else m.paint(frame, 0.4)
        for end in (-1, 1):
            box(end * (width / 2 + 0.05), -0.03, 0, 0.1, 0.07, height, bar)
        box(0, -0.03, height, width + 0.2, 0.07, 0.1, bar)
        box(0, -0.012, 0.01, width, 0.03, height - 0.01, leaf)
        if glazed:
            pane = box(0, -0.03, 1.1, width - 0.3, 0.012, 0.8, m.paint((0.62, 0.7, 0.72), 0.25), bevel=0)
            part("pane", pane, words=("glass",))
            for z in (1.08, 1.9):
                box(0, -0.034, z, width - 0.26, 0.02, 0.03, bar)
        elif panels:
            for i in range(panels):
                low = 0.18 + i * (height - 0.3) / panels
                box(0, -0.032, low, width - 0.28, 0.014, (height - 0.3) / panels - 0.16, leaf, bevel=0.012)
                box(0, -0.038, low + 0.07, width - 0.42, 0.014, (height - 0.3) / panels - 0.3, leaf, bevel=0.012)
        steel = m.metal(handle)
        box(width / 2 - 0.09, -0.032, 0.96, 0.05, 0.012, 0.2, steel)
        tube(
            [(width / 2 - 0.09, -0.03, 1.06), (width / 2 - 0.09, -0.085, 1.06), (width / 2 - 0.22, -0.085, 1.06)],
            0.011,
            steel,
        )
        if number:
            box(0, -0.045, 1.55, 0.2, 0.012, 0.12, steel)
            lettering(0, -0.054, 1.575, number, 0.1, m.paint("black"))
    return made


def wall_lamp(colour: str = "beige", *, lit: bool = True, power: float = 12.0) -> Thing:
    """A lamp with a small shade on the wall at y = 0; its middle at the origin."""
    with thing("wall lamp", *([*LIT_CLOTH.get(colour, (colour,)), "lit"] if lit else [colour])) as made:
        brass = m.metal("brass")
        cylinder(0, -0.015, -0.02, 0.05, 0.03, brass, axis="y")
        tube([(0, -0.02, -0.02), (0, -0.12, -0.06), (0, -0.12, 0.0)], 0.01, brass)
        shade = m.glow(tuple(0.3 + 0.7 * c for c in m.rgb(colour)), 2.2) if lit else m.fabric(colour)
        lathe(0, -0.12, -0.02, [(0.1, 0), (0.065, 0.17)], shade)
        if lit:
            bulb(0, -0.12, 0.1, power, radius=0.04)
            bulb(0, -0.24, 0.02, power * 0.4, radius=0.06)
    return made


def flush_lamp(height: float, *, radius: float = 0.2, power: float = 25.0, colour: Point = WARM) -> Thing:
    """A round glass lamp at the ceiling over the origin."""
    with thing("ceiling lamp", "white", "round") as made:
        state("lit")
        cylinder(0, 0, height - 0.03, radius * 0.8, 0.03, m.metal("brass"))
        sphere(0, 0, height - 0.04, radius, m.glow(colour, 3.0), scale=(1, 1, 0.45))
        bulb(0, 0, height - 0.2, power, colour=colour, radius=0.15)
    return made


def exit_sign(height: float) -> Thing:
    """A lit green sign hanging from the ceiling, facing -y, its middle over the origin."""
    with thing("exit sign", "green", "lit") as made:
        for x in (-0.15, 0.15):
            cylinder(x, 0, height - 0.12, 0.006, 0.12, m.metal("steel"), sides=12)
        box(0, 0, height - 0.32, 0.5, 0.06, 0.2, m.glow((0.02, 0.34, 0.1), 1.2))
        lettering(0, -0.035, height - 0.275, "EXIT", 0.16, m.glow("white", 1.2))
    return made


def runner(width: float, length: float, colour: str, border: str) -> Thing:
    """A long carpet along y from the origin, its middle at x = 0."""
    with thing("carpet", colour, "long") as made:
        box(0, length / 2, 0, width, length, 0.012, m.carpet(colour))
        for end in (-1, 1):
            edge = box(end * (width / 2 - 0.12), length / 2, 0.012, 0.07, length, 0.003, m.carpet(border), bevel=0)
            part("stripe", edge)
    return made


def cleaning_trolley(colour: str = "blue") -> Thing:
    """A trolley with towels, bottles and a laundry bag, its long side along y, its middle on the origin."""
    with thing("cleaning trolley", colour) as made:
        steel = m.metal("steel")
        for x in (-0.24, 0.24):
            for y in (-0.4, 0.4):
                cylinder(x, y, 0.06, 0.016, 0.9, steel, sides=16)
                sphere(x, y, 0.05, 0.05, m.paint("black"), scale=(0.5, 1, 1))
        for z in (0.14, 0.5, 0.86):
            box(0, 0, z, 0.52, 0.84, 0.03, m.paint(colour, 0.4))
        for i in range(3):
            cushion(-0.02, -0.2, 0.53 + 0.075 * i, 0.42, 0.34, 0.075, m.fabric("white"))
            cushion(0, 0.2, 0.17 + 0.075 * i, 0.42, 0.34, 0.075, m.fabric("light blue"))
        for i, hue in enumerate(("yellow", "green", "pink")):
            cylinder(-0.14 + 0.14 * i, 0.25, 0.89, 0.04, 0.17, m.paint(hue, 0.3))
            cylinder(-0.14 + 0.14 * i, 0.25, 1.06, 0.018, 0.07, m.paint("white", 0.3))
        for i in range(3):
            cylinder(-0.14 + 0.14 * i, -0.25, 0.94, 0.055, 0.12, m.paint("white", 0.9), axis="y")
        cushion(0, 0.58, 0.25, 0.5, 0.32, 0.7, m.fabric("orange"), soft=0.3)
        tube([(-0.24, -0.42, 0.9), (-0.24, -0.5, 1.05), (0.24, -0.5, 1.05), (0.24, -0.42, 0.9)], 0.014, steel)
    return made


def coat_rack(colours: tuple[str, ...] = ("red", "blue", "beige"), width: float = 1.1) -> None:
    """A rail with hooks on the wall at y = 0 and coats hanging from it, 1.7 above the origin."""
    with thing("coat rack", "brown", "wooden"):
        box(0, -0.02, 1.66, width, 0.03, 0.12, m.wood("oak"))
        for i in range(len(colours) + 1):
            x = (i / len(colours) - 0.5) * (width - 0.15)
            tube([(x, -0.03, 1.72), (x, -0.1, 1.7), (x, -0.1, 1.74)], 0.01, m.metal("brass"))
    for i, colour in enumerate(colours):
        with thing("coat", colour):
            x = ((i + 0.5) / len(colours) - 0.5) * (width - 0.1)
            cloth = m.fabric(colour)
            cushion(x, -0.12, 0.72, 0.32, 0.14, 0.95, cloth, soft=0.4)
            for end in (-1, 1):
                cushion(x + end * 0.17, -0.12, 0.95, 0.1, 0.12, 0.66, cloth, soft=0.45)
            tube([(x, -0.2, 0.78), (x, -0.2, 1.6)], 0.006, m.paint("black"))


def shoes(colour: str = "brown") -> Thing:
    """A pair of shoes side by side, toes towards -y."""
    with thing("pair of shoes", colour) as made:
        for x in (-0.065, 0.065):
            cushion(x, -0.05, 0.0, 0.095, 0.27, 0.07, m.paint(colour, 0.4), soft=0.45)
            cushion(x, 0.02, 0.04, 0.085, 0.12, 0.07, m.paint(colour, 0.4), soft=0.45)
            box(x, -0.05, 0, 0.1, 0.275, 0.018, m.paint("white", 0.6))
    return made


def fire_extinguisher() -> Thing:
    """A red fire extinguisher on the wall at y = 0, its foot at the origin."""
    with thing("fire extinguisher", "red") as made:
        cylinder(0, -0.1, 0, 0.075, 0.42, m.paint("red", 0.2), bevel=0.02)
        cylinder(0, -0.1, 0.42, 0.03, 0.06, m.metal("steel"))
        box(0, -0.12, 0.48, 0.03, 0.16, 0.03, m.paint("black"))
        tube([(0.03, -0.1, 0.46), (0.11, -0.12, 0.38), (0.1, -0.12, 0.15)], 0.014, m.paint("black"))
        box(0, -0.178, 0.16, 0.09, 0.004, 0.14, m.paint("white"), bevel=0)
    return made


def sign(words: str, width: float = 0.9, colour: str = "blue") -> Thing:
    """A sign with words on the wall at y = 0, its middle at the origin."""
    with thing("sign", colour) as made:
        box(0, -0.015, -0.11, width, 0.03, 0.22, m.paint(colour, 0.4))
        lettering(0, -0.035, -0.05, words, 0.14, m.paint("white"))
    return made


def console_table(kind: str = "walnut", width: float = 0.9) -> Thing:
    """A narrow table against the wall at y = 0; its top is at z = 0.8."""
    with thing("console table", {"walnut": "dark brown", "white": "white"}.get(kind, "brown"), "wooden") as made:
        w = m.wood(kind)
        box(0, -0.16, 0.77, width, 0.32, 0.03, w, bevel=0.01)
        box(0, -0.16, 0.65, width - 0.1, 0.26, 0.12, w)
        for x in (-width / 2 + 0.05, width / 2 - 0.05):
            for y in (-0.05, -0.27):
                cylinder(x, y, 0, 0.014, 0.66, w, top=0.024)
        sphere(0, -0.3, 0.71, 0.015, m.metal("brass"))
    return made


def wall_mirror(width: float = 0.6, height: float = 0.9, frame: str = "gold") -> Thing:
    """A framed mirror on the wall at y = 0, its foot at the origin."""
    with thing("mirror", "framed") as made:
        box(0, -0.015, 0, width, 0.03, height, m.metal(frame) if frame in ("gold", "brass") else m.wood(frame))
        box(0, -0.033, 0.05, width - 0.1, 0.006, height - 0.1, m.mirror(), bevel=0)
    return made


def arch(width: float, height: float, depth: float, colour: str) -> None:
    """An arch spanning a corridor at the origin (scenery): two pilasters and a beam with rounded haunches."""
    stone = m.paint(colour, 0.8)
    for end in (-1, 1):
        box(end * (width / 2 - 0.09), 0, 0, 0.18, depth, height, stone, bevel=0.01)
        for i in range(4):
            reach = 0.34 - 0.085 * i
            box(
                end * (width / 2 - 0.18 - reach / 2),
                0,
                height - 0.12 - 0.07 * (i + 1),
                reach,
                depth,
                0.07,
                stone,
                bevel=0.01,
            )
    box(0, 0, height - 0.12, width, depth, 0.12, stone, bevel=0.01)
