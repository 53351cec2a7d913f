"""Everyday scenes in families: one short sentence fits all pictures of a family, one tells each sibling from the base.

A scene is a function of (variant, random generator): variant 0 is the base (a), 1 and 2 are its siblings (b, c). All
random numbers are drawn alike in every variant; what a sibling has more is built last, so that the ids of the others
stay.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from draw import materials as m
from draw.furniture import (
    animals,
    basic,
    beds,
    corridor,
    desks,
    kitchen,
    living,
    plants,
    props,
    seating,
    sport,
    storage,
    tableware,
    tools,
    toys,
    vehicles,
)
from draw.furniture.basic import put
from draw.room import Room, daylight, outdoors
from draw.stage import (
    WARM,
    at,
    basin,
    box,
    bulb,
    camera,
    cylinder,
    note,
    panel_light,
    scenery,
    sky,
    sun,
    thing,
    tilted,
    tube,
)

Draw = Callable[[int, Random], None]


@dataclass(frozen=True)
class Family:
    """Pictures of one place: its category, the caption that fits all, how each sibling differs, and what draws one."""

    name: str
    category: str
    caption: str
    changes: tuple[dict[str, str], ...]
    draw: Draw
    version: int


_families: dict[str, Family] = {}


def family(
    name: str, category: str, caption: str, *changes: dict[str, str], version: int = 1
) -> Callable[[Draw], Draw]:
    """Register what draws a family's base and one sibling per change; raise `version` when it must be drawn again."""

    def register(draw: Draw) -> Draw:
        _families[name] = Family(name, category, caption, changes, draw, version)
        return draw

    return register


def differs(kind: str, object: str, words: str) -> dict[str, str]:
    """Say how a sibling differs from its base (format: README.md)."""
    return {"kind": kind, "object": object, "words": words}


def jobs(job: Callable[..., Any]) -> list[Any]:
    """Return a job for every picture of every family."""
    found = []
    for one in sorted(_families.values(), key=lambda family: family.name):
        for variant in range(len(one.changes) + 1):

            def draw(one: Family = one, variant: int = variant) -> None:
                one.draw(variant, Random(f"scenes/{one.name}"))
                note(
                    captions=[one.caption],
                    family=one.name,
                    change=one.changes[variant - 1] if variant else None,
                )

            id = f"scenes/{one.name}-{'abc'[variant]}"
            found.append(job(id, "scene", one.category, f"scenes.{one.draw.__name__}", one.version, variant + 1, draw))
    return found


# Living rooms


@family(
    "lamp-by-sofa",
    "living room",
    "A blue sofa with two cushions and a floor lamp stand behind a low table.",
    differs("place", "floor lamp 1", "the floor lamp is on the right of the sofa instead of on the left"),
    differs("added", "cat 1", "a cat sits on the sofa"),
)
def lamp_by_sofa(variant: int, rng: Random) -> None:
    """A sofa from the front, a lamp at one of its ends."""
    with Room(4.4, 3.8, walls=m.paint((0.62, 0.52, 0.4), 0.9), floor_of=m.planks("oak")) as r:
        with r.back(2.2):
            sofa = seating.sofa("blue", ("yellow", "white"), 3, style="slim")
        with r.back(2.2, 1.35):
            basic.picture_frame(1.1, 0.7, rng)
        with r.floor(2.2, 2.0):
            basic.rug(2.3, 1.3, "light grey")
            low = living.coffee_table("oak", width=1.1)
        with put(low, 2.0, 2.0, 0.42):
            living.magazines(rng)
        with put(low, 2.5, 2.0, 0.42):
            desks.mug("red")
        with r.floor(3.9 if variant == 1 else 0.5, 3.35):
            basic.floor_lamp("yellow", height=1.65)
        if variant == 2:
            with put(sofa, 2.2, 3.22, 0.48), at(scale=1.15):
                animals.sitting_cat("black", chest="white")
        daylight(r, strength=0, fill=75)
    camera((2.2, 0.0, 1.35), (2.2, 3.5, 0.78), lens=24, exposure=0.2)


@family(
    "cat-on-sofa",
    "living room",
    "A green sofa with a white blanket stands under two pictures on a wall.",
    differs("added", "cat 1", "an orange cat lies on the sofa"),
    differs("added", "dog 1", "a dog sits in front of the sofa"),
    version=2,
)
def cat_on_sofa(variant: int, rng: Random) -> None:
    """A sofa from the side, with nobody, a cat on it or a dog before it."""
    with Room(4.4, 3.6, walls=m.paint("white", 0.9), floor_of=m.planks("pine")) as r:
        r.window("left", 2.1, 0.85, 1.4, 1.3, curtain=m.fabric("orange"), curtain_words=("orange",))
        with r.back(2.2):
            sofa = seating.sofa("green", ("yellow",), 3, blanket="white")
        with r.floor(2.1, 1.8):
            basic.rug(2.2, 1.2, "beige")
        with r.back(3.85):
            basic.plant(rng, height=1.4, pot="white")
        with r.back(1.7, 1.3):
            basic.picture_frame(0.5, 0.6, rng, frame="oak")
        with r.back(2.5, 1.3):
            basic.picture_frame(0.7, 0.6, rng, frame="oak")
        if variant == 1:
            with put(sofa, 2.25, 2.98, 0.425), at(scale=1.3):
                animals.lying_cat("orange", chest="white", eyes="light green")
        if variant == 2:
            with r.floor(2.25, 1.95, 10):
                animals.dog("light brown", collar="red")
        daylight(r, from_=(-5, -1, 4), fill=60, strength=2.5)
        outdoors(16)
    camera((2.9, 0.1, 1.4), (2.15, 3.1, 0.6), lens=25)


@family(
    "sofa-cushions",
    "living room",
    "Cushions lie on a brown leather sofa under a clock.",
    differs("number", "cushion 2", "three cushions lie on the sofa instead of two"),
    differs("colour", "cushion 1", "the left cushion is blue instead of red"),
)
def sofa_cushions(variant: int, rng: Random) -> None:
    """A leather sofa close by, with two or three cushions."""
    cushions = (("red", "yellow"), ("red", "white", "yellow"), ("blue", "yellow"))[variant]
    with Room(4.0, 3.4, walls=m.paint((0.16, 0.3, 0.3), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(2.0):
            seating.sofa("brown", cushions, 2, style="chesterfield", material="leather")
        with r.back(2.0, 1.55):
            basic.clock(0.24)
        with r.back(3.45):
            table = living.side_table("oak")
        with put(table, 3.45, 3.38, 0.55):
            basic.vase("white", "red", rng)
        with r.floor(0.45, 3.05):
            basic.plant(rng, height=1.2, pot="white")
        daylight(r, strength=0, fill=80)
    camera((2.0, 0.1, 1.3), (2.0, 3.2, 0.8), lens=26, exposure=0.25)


@family(
    "reading-corner",
    "living room",
    "An armchair with a floor lamp beside it stands in front of a bookcase.",
    differs("state", "floor lamp 1", "the lamp is off instead of lit"),
    differs("colour", "armchair 1", "the armchair is green instead of red"),
)
def reading_corner(variant: int, rng: Random) -> None:
    """A wing chair to read in, in the evening."""
    with Room(3.8, 3.4, walls=m.paint((0.5, 0.42, 0.3), 0.9), floor_of=m.planks("oak")) as r:
        with r.back(2.75):
            basic.bookcase(1.7, 2.0, rng, "oak")
        with r.floor(1.75, 2.45, 12):
            seating.armchair("green" if variant == 2 else "red", style="wing")
        with r.floor(0.85, 2.6):
            basic.floor_lamp("yellow", lit=variant != 1, height=1.6)
        with r.floor(2.7, 1.9):
            table = living.side_table("walnut")
        with put(table, 2.7, 1.9, 0.55):
            desks.mug("white")
        with r.floor(1.75, 1.6):
            basic.rug(1.9, 1.2, "dark blue", border="beige")
        with r.back(0.95, 1.3):
            basic.picture_frame(0.6, 0.8, rng)
        sky(0.25)
        panel_light(1.9, 1.0, 2.5, 40, size=2.0, colour=WARM)
    camera((2.0, -0.5, 1.3), (1.8, 2.6, 0.8), lens=26, exposure=0.55)


@family(
    "fireplace",
    "living room",
    "A fire burns in a white fireplace, with a red armchair beside it.",
    differs("added", "dog 1", "a dog sits in front of the fire"),
    differs("place", "clock 1", "the clock stands at the left end of the mantel instead of the right"),
)
def fireplace(variant: int, rng: Random) -> None:
    """A fireplace on a winter evening."""
    with Room(4.2, 3.6, walls=m.paint((0.1, 0.2, 0.26), 0.9), floor_of=m.planks("walnut")) as r:
        with r.back(2.0):
            hearth = living.fireplace("white", width=1.5)
        with r.back(2.0, 1.5):
            basic.picture_frame(0.8, 0.6, rng, frame="birch")
        with r.floor(3.45, 2.5, -42):
            seating.armchair("red", style="club")
        with r.floor(0.85, 3.2):
            living.log_basket()
        with put(hearth, 1.35 if variant == 2 else 2.65, 3.36, 1.21), at(0, 0, 0.15):
            basic.clock(0.15)
        with r.floor(2.0, 2.1):
            basic.rug(2.0, 1.2, "beige")
        if variant == 1:
            with r.floor(1.55, 2.25, 35), at(scale=1.1):
                animals.dog("light brown", collar="blue")
        sky(0.12)
        panel_light(2.0, 0.8, 2.5, 55, size=2.0, colour=WARM)
    camera((2.0, -0.2, 1.3), (2.1, 3.2, 0.85), lens=24, exposure=0.6)


@family(
    "aquarium",
    "living room",
    "Orange fish swim in an aquarium that stands on a sideboard.",
    differs("added", "fish 4", "there are four fish instead of three"),
    differs("colour", "fish 3", "the fish on the right is white instead of orange"),
    version=2,
)
def aquarium(variant: int, rng: Random) -> None:
    """An aquarium close by."""
    fish = [("orange", -0.28, 0.28), ("orange", 0.0, 0.17), ("white" if variant == 2 else "orange", 0.28, 0.3)]
    if variant == 1:
        fish.append(("orange", -0.02, 0.35))
    with Room(3.0, 2.6, walls=m.paint((0.66, 0.6, 0.5), 0.9), floor_of=m.planks("oak")) as r:
        with r.back(1.5):
            board = living.sideboard("walnut", width=1.8, height=0.72)
        with put(board, 1.45, 2.36, 0.72):
            props.aquarium(fish)
        with put(board, 2.2, 2.36, 0.72):
            plants.potted(rng, 0.4, broad=True)
        bulb(1.45, 2.2, 1.5, 16, colour=(0.9, 0.97, 1.0), radius=0.2)
        daylight(r, strength=0, fill=55)
    camera((1.5, 0.72, 1.2), (1.55, 2.4, 0.95), lens=34, exposure=0.3)


# Kitchen and table


@family(
    "breakfast",
    "kitchen",
    "Bread, a bowl, a jug and a mug stand on a wooden table in a kitchen.",
    differs("colour", "mug 1", "the mug is blue instead of red"),
    differs("removed", "glass 1", "the glass of orange juice is missing"),
)
def breakfast(variant: int, rng: Random) -> None:
    """A breakfast table from above at an angle."""
    with Room(3.6, 3.2, walls=m.paint("light green", 0.9), floor_of=m.planks("birch")) as r:
        with r.back(0.4):
            kitchen.units((("drawers", 0.9), ("doors", 0.9), ("doors", 0.9)), "white")
        with r.floor(1.8, 1.3):
            table = basic.table(1.5, 0.9, kind="pine")
        with r.floor(1.8, 2.0, 180):
            basic.chair("pine", "green")
        top = 0.74
        with put(table, 1.72, 1.12, top):
            tableware.bowl("white", inside="light brown")
        with put(table, 1.25, 1.35, top, 20):
            kitchen.cutting_board("bread")
        with put(table, 2.2, 1.5, top):
            tableware.jug("white")
        with put(table, 1.75, 1.52, top):
            tableware.jar("red")
        with put(table, 2.1, 1.15, top):
            tableware.mug("blue" if variant == 1 else "red")
        if variant != 2:
            with put(table, 1.45, 1.08, top):
                tableware.glass_of("orange")
        daylight(r, strength=0, fill=70)
    camera((1.8, 0.25, 1.5), (1.78, 1.32, 0.76), lens=29, exposure=0.2)


@family(
    "worktop",
    "kitchen",
    "A kettle and a toaster stand on the worktop of a kitchen.",
    differs("place", "toaster 1", "the toaster is on the left of the kettle instead of on its right"),
    differs("removed", "fruit bowl 1", "the bowl of fruit is missing"),
)
def worktop(variant: int, rng: Random) -> None:
    """A kitchen's worktop from the front."""
    with Room(3.2, 2.6, walls=m.paint("white", 0.9), floor_of=m.tiles("light grey", size=0.3)) as r:
        with r.back(0.2):
            top = kitchen.units((("drawers", 0.9), ("doors", 1.0), ("doors", 0.9)), "dark blue", worktop="oak")
        with r.back(0.2, 0.92):
            kitchen.splash(2.8, 0.55, "light blue")
        with put(top, 1.75 if variant == 1 else 1.15, 2.28, kitchen.TOP):
            kitchen.kettle("steel")
        with put(top, 1.15 if variant == 1 else 1.75, 2.28, kitchen.TOP):
            kitchen.toaster("red")
        with put(top, 0.6, 2.3, kitchen.TOP):
            kitchen.utensils()
        with r.back(1.5, 1.62):
            kitchen.shelf(1.7, "oak", rng=rng)
        if variant != 2:
            with put(top, 2.4, 2.25, kitchen.TOP):
                tableware.fruit_bowl("white")
        daylight(r, strength=0, fill=65)
    camera((1.5, 0.35, 1.5), (1.5, 2.4, 1.1), lens=26, exposure=0.1)


@family(
    "fruit-still-life",
    "dining room",
    "A bowl of fruit, a candle and a jug stand on a table before a dark wall.",
    differs("state", "candle 1", "the candle is not lit instead of burning"),
    differs("colour", "jug 1", "the jug is blue instead of white"),
)
def fruit_still_life(variant: int, rng: Random) -> None:
    """A still life like an old painting."""
    with Room(3.0, 2.4, walls=m.paint((0.1, 0.075, 0.06), 0.9), floor_of=m.planks("walnut")) as r:
        with r.floor(1.5, 1.6):
            table = basic.table(1.5, 0.8, kind="cherry")
        with put(table, 1.5, 1.5, 0.74), at(scale=1.25):
            fruit = ("apple", "orange", "lemon", "green apple", "apple", "orange")
            tableware.fruit_bowl("beige", fruit, is_close=True)
        with put(table, 1.05, 1.6, 0.74), at(scale=1.3):
            tableware.jug("blue" if variant == 2 else "white")
        with put(table, 1.97, 1.55, 0.74), at(scale=1.5):
            tableware.candle("white", lit=variant != 1)
        for x, y, kind in ((1.78, 1.3, "lemon"), (1.2, 1.32, "apple")):
            with put(table, x, y, 0.74), at(scale=1.2):
                tableware.piece_of_fruit(kind)
        sky(0.15)
        panel_light(0.2, 0.4, 2.2, 45, size=0.8, colour=WARM, toward=(1.5, 1.6, 0.8))
    camera((1.5, 0.35, 1.2), (1.5, 1.6, 0.88), lens=37, exposure=0.35)


@family(
    "birthday",
    "dining room",
    "A birthday cake with candles stands between presents on a table, with balloons above it.",
    differs("removed", "balloon 3", "there are two balloons instead of three"),
    differs("colour", "gift 1", "the present on the left is green instead of red"),
)
def birthday(variant: int, rng: Random) -> None:
    """A table with a cake, presents and balloons."""
    with Room(3.8, 3.2, walls=m.paint((0.75, 0.6, 0.42), 0.9), floor_of=m.planks("oak")) as r:
        with r.back(1.9, 1.95):
            toys.bunting(3.2)
        with r.floor(1.9, 1.9):
            table = basic.table(1.7, 0.9, kind="white")
        with put(table, 1.9, 1.75, 0.74), at(scale=1.4):
            tableware.cake("pink", candles=5)
        with put(table, 1.35, 1.85, 0.74, 15):
            props.gift("green" if variant == 2 else "red", "yellow")
        with put(table, 2.45, 1.85, 0.74, -12):
            props.gift("blue", "white", height=0.15, width=0.3)
        colours = ("yellow", "red", "blue")
        for i, x in enumerate((1.2, 2.6, 1.95)):
            if i < 2 or variant != 1:
                with r.floor(x, 2.75), at(0, 0, 0.35 + 0.12 * (i == 2)):
                    toys.balloon(colours[i])
        daylight(r, strength=0, fill=70)
    camera((1.9, 0.05, 1.45), (1.9, 2.1, 1.12), lens=25, exposure=0.15)


@family(
    "dining-table",
    "dining room",
    "A vase of flowers stands on a dining table with chairs around it.",
    differs("removed", "chair 4", "there are three chairs instead of four"),
    differs("colour", "vase 1", "the flowers are yellow instead of red"),
    version=2,
)
def dining_table(variant: int, rng: Random) -> None:
    """A table with chairs under a lamp."""
    with Room(4.0, 3.8, walls=m.paint("light blue", 0.9), floor_of=m.planks("oak")) as r:
        r.window("back", 2.0, 0.9, 1.5, 1.2, curtain=m.fabric("white"), curtain_words=("white",))
        with r.floor(2.0, 2.2):
            table = basic.table(1.6, 0.95, kind="oak")
        spots = [(1.55, 2.95, 0), (2.45, 2.95, 0), (0.85, 2.2, 90), (3.15, 2.2, -90)]
        for x, y, turn in spots[: 3 if variant == 1 else 4]:
            with r.floor(x, y, turn):
                basic.chair("oak", "red")
        with put(table, 2.0, 2.2, 0.74), at(scale=1.5):
            basic.vase("white", "yellow" if variant == 2 else "red", rng)
        with r.floor(2.0, 2.2):
            basic.ceiling_lamp(2.6, 0.55, colour="white")
        daylight(r, strength=0, fill=70)
        outdoors(16)
    camera((2.0, -0.1, 1.6), (2.0, 2.5, 0.85), lens=23)


# Study, nursery, bedroom, bathroom


@family(
    "desk",
    "study",
    "A laptop, a lamp and a mug stand on a wooden desk.",
    differs("place", "mug 1", "the mug is on the right of the laptop instead of on the left"),
    differs("colour", "desk lamp 1", "the lamp is green instead of red"),
)
def desk(variant: int, rng: Random) -> None:
    """A desk from above at an angle."""
    with Room(3.4, 2.8, walls=m.paint("white", 0.9), floor_of=m.planks("walnut")) as r:
        with r.floor(1.7, 1.7):
            table = desks.desk(1.5, 0.75, "oak")
        with put(table, 1.7, 1.62, 0.75):
            desks.laptop(shows="chart")
        with put(table, 2.2, 1.95, 0.75), at(scale=1.1):
            desks.desk_lamp("green" if variant == 2 else "red")
        with put(table, 1.3, 1.9, 0.75):
            desks.pen_pot("blue")
        with put(table, 2.25, 1.5, 0.75, -12):
            props.newspaper()
        with put(table, 1.2, 1.62, 0.75, 14):
            props.book("dark blue")
        with put(table, 1.98 if variant == 1 else 1.38, 1.47, 0.75):
            desks.mug("yellow")
        daylight(r, strength=0, fill=50)
        panel_light(0.4, 0.6, 2.4, 20, size=0.8)
    camera((1.72, 0.62, 1.72), (1.72, 1.7, 0.82), lens=27, exposure=0.2)


@family(
    "bookshelf",
    "study",
    "Books, a globe and a vase stand on shelves on a wall.",
    differs("place", "globe 1", "the globe stands at the left end of the shelf instead of the right"),
    differs("colour", "vase 1", "the vase is blue instead of white"),
)
def bookshelf(variant: int, rng: Random) -> None:
    """Two boards on the wall with books and keepsakes."""
    with Room(2.8, 2.2, walls=m.paint((0.14, 0.26, 0.2), 0.9), floor_of=m.planks("oak")) as r:
        boards = []
        for z in (0.95, 1.4):
            with r.back(1.4, z), thing("shelf", "brown", "wooden") as board:
                box(0, -0.13, 0, 1.7, 0.26, 0.035, m.wood("oak"))
            boards.append(board)
        with put(boards[1], 1.0, 2.16, 1.435), thing("books"):
            basic.books(0.8, rng, height=0.27)
        with put(boards[0], 1.2, 2.16, 0.985), thing("books"):
            basic.books(0.9, rng, height=0.25)
        with put(boards[1], 0.77 if variant == 1 else 2.03, 2.03, 1.435):
            desks.globe(0.12)
        with put(boards[0], 0.85, 2.03, 0.985), at(scale=1.2):
            basic.vase("blue" if variant == 2 else "white", "yellow", rng, height=0.18)
        daylight(r, strength=0, fill=55)
    camera((1.4, 0.45, 1.5), (1.38, 2.1, 1.27), lens=30, exposure=0.35)


@family(
    "toy-shelf",
    "nursery",
    "A teddy bear sits on a low shelf of toys, with a ball on the floor.",
    differs("place", "teddy bear 1", "the teddy bear sits on the left of the train instead of on the right"),
    differs("colour", "ball 1", "the ball is green instead of red"),
    version=2,
)
def toy_shelf(variant: int, rng: Random) -> None:
    """A low white shelf in a child's room."""
    with Room(3.2, 2.8, walls=m.paint("light blue", 0.9), floor_of=m.carpet("beige")) as r:
        with r.back(1.6):
            shelf = toys.toy_shelf(rng, "white", columns=3, rows=2)
        z = _top_of(shelf)
        with put(shelf, 1.18 if variant == 1 else 2.02, 2.6, z), at(scale=0.85):
            toys.teddy("light brown")
        with put(shelf, 1.6, 2.52, z), at(scale=0.58):
            toys.toy_train()
        with r.floor(2.4, 2.15):
            props.plain_ball("green" if variant == 2 else "red", 0.15)
        with r.back(1.6, 1.75):
            toys.bunting(2.6)
        daylight(r, strength=0, fill=70)
    camera((1.7, 0.15, 1.3), (1.7, 2.5, 0.78), lens=30, exposure=0.15)


@family(
    "cat-on-bed",
    "bedroom",
    "A bed with a blue cover and two pillows stands between night tables.",
    differs("added", "cat 1", "a grey cat lies on the bed"),
    differs("place", "lamp 1", "the lamp is on the right night table instead of the left"),
)
def cat_on_bed(variant: int, rng: Random) -> None:
    """A bed from its foot."""
    with Room(3.9, 3.6, walls=m.paint((0.7, 0.62, 0.52), 0.9), floor_of=m.planks("oak")) as r:
        with r.back(1.95):
            bed = beds.bed(1.6, style="platform", kind="oak", cover="blue")
        tables = []
        for x in (0.75, 3.15):
            with r.back(x):
                tables.append(beds.night_table("oak"))
        side = 1 if variant == 2 else 0
        with put(tables[side], (0.75, 3.15)[side], 3.36, 0.5):
            basic.table_lamp("orange")
        with r.back(1.95, 1.45):
            basic.picture_frame(0.9, 0.6, rng)
        if variant == 1:
            with put(bed, 2.2, 2.35, _top_of(bed, 2.2, 2.35)), at(scale=1.35):
                animals.lying_cat("grey", chest="white")
        daylight(r, strength=0, fill=65)
    camera((2.2, -0.2, 1.6), (1.95, 2.9, 0.7), lens=24, exposure=0.15)


@family(
    "bathroom-shelf",
    "bathroom",
    "A cup with toothbrushes and green soap stand on a shelf in a bathroom, with a towel beside it.",
    differs("colour", "towel 1", "the towel is red instead of blue"),
    differs("removed", "rubber duck 1", "the rubber duck is missing"),
)
def bathroom_shelf(variant: int, rng: Random) -> None:
    """A shelf below a mirror on a tiled wall."""
    with Room(
        2.4, 2.0, walls=m.tiles("white", "light grey", 0.15, plane="xz"), floor_of=m.tiles("grey"), skirting=False
    ) as r:
        with r.back(0.95, 1.05), thing("shelf", "brown", "wooden") as shelf:
            box(0, -0.09, 0, 0.95, 0.18, 0.03, m.wood("birch"))
        with r.back(0.95, 1.35), thing("mirror", "round"):
            cylinder(0, -0.012, 0.28, 0.3, 0.024, m.wood("birch"), axis="y", sides=64)
            cylinder(0, -0.027, 0.28, 0.275, 0.01, m.mirror(), axis="y", sides=64)
        with r.back(1.75, 1.5):
            with thing("towel rail", "metal"):
                tube([(-0.3, 0, 0), (-0.3, -0.065, 0), (0.3, -0.065, 0), (0.3, 0, 0)], 0.01, m.metal("chrome"))
            props.towel("red" if variant == 1 else "blue", width=0.4, length=0.6)
        with put(shelf, 0.65, 1.89, 1.08):
            props.toothbrush_cup("white", ("red", "green"))
        with put(shelf, 0.9, 1.89, 1.08):
            props.soap_bottle("green")
        if variant != 2:
            with put(shelf, 1.17, 1.88, 1.08), at(scale=1.1):
                props.bath_duck()
        with thing("washbasin", "white"):
            basin(0.95, 1.74, 0.72, 0.75, 0.5, 0.17, m.paint("white", 0.08), wall=0.05, bevel=0.05)
        kitchen.tap_over(0.95, 1.93, 0.88, height=0.14)
        daylight(r, strength=0, fill=35)
    camera((1.2, 0.35, 1.42), (1.2, 1.95, 1.25), lens=30, exposure=0.1)


# Halls and doors


@family(
    "coat-rack",
    "hall",
    "A coat, a scarf and an umbrella hang on hooks in a hall.",
    differs("colour", "umbrella 1", "the umbrella is green instead of red"),
    differs("removed", "hat 1", "the hat is missing"),
)
def coat_rack(variant: int, rng: Random) -> None:
    """Hooks on a wall with what people hang there."""
    with Room(3.0, 2.4, walls=m.paint((0.66, 0.62, 0.5), 0.9), floor_of=m.tiles("light brown", size=0.3)) as r:
        with r.back(1.5, 1.7):
            props.coat_hooks(1.9, 5)
        for i, build in ((0, lambda: props.coat("blue")), (3, lambda: props.scarf("orange", "white"))):
            with r.back(1.5 + props.hook(i, 1.9), 1.66):
                build()
        with r.back(1.5 + props.hook(4, 1.9), 1.7), at(0.03, -0.1, 0, scale=1.25):
            props.umbrella("green" if variant == 1 else "red")
        with r.back(2.2, 0):
            props.backpack("purple")
        with r.floor(0.95, 2.1):
            corridor.shoes("brown")
        with r.floor(1.35, 2.1):
            props.boots("yellow")
        if variant != 2:
            with r.back(1.5 + props.hook(2, 1.9) - 0.19, 1.7), at(0, -0.08, 0), at(scale=1.15):
                props.hung_hat("beige", band="dark brown")
        daylight(r, strength=0, fill=55)
    camera((1.55, -0.1, 1.35), (1.53, 2.3, 0.98), lens=28, exposure=0.2)


def _facade(wall: Any, door: str, *, width: float = 5.0) -> None:
    """A house wall with a front door in its middle (x = 0), the wall at y = 0; scenery but for the door."""
    with scenery():
        box(0, 0.1, 0, width, 0.2, 3.4, wall, bevel=0)
        box(0, -4.9, -0.1, 30, 10, 0.1, m.concrete(), bevel=0)
        box(0, -0.45, 0, 1.7, 0.9, 0.14, m.concrete((0.42, 0.41, 0.39)), bevel=0.01)
    with at(0, -0.005, 0.14):
        corridor.panelled_door(door, number="7")


def _outside_light(*, strength: float = 2.6, from_: tuple[float, float, float] = (-3, -5, 6)) -> None:
    sky(0.75, low=(0.85, 0.9, 1.0), high=(0.45, 0.6, 0.9))
    sun(strength, from_=from_, soft=5)


@family(
    "doorstep",
    "doorstep",
    "Boots stand on a doormat in front of the closed door of a house.",
    differs("colour", "door 1", "the door is red instead of blue"),
    differs("added", "umbrella 1", "an open umbrella lies beside the door"),
    version=2,
)
def doorstep(variant: int, rng: Random) -> None:
    """A front door after the rain."""
    _facade(m.paint((0.85, 0.6, 0.28), 0.9), "red" if variant == 1 else "blue")
    with at(0, -0.5, 0.14), thing("doormat", "brown"):
        box(0, 0, 0, 0.75, 0.45, 0.025, m.carpet("brown"))
    with at(-0.2, -0.5, 0.165, 10):
        props.boots("yellow")
    with at(0.2, -0.5, 0.165, -8), at(scale=0.72):
        props.boots("green")
    with at(-1.2, -0.45, 0):
        plants.potted(rng, 1.0, flower="pink")
    if variant == 2:
        with at(1.2, -0.75, 0, -12):
            props.open_umbrella("red")
    _outside_light()
    camera((0.1, -3.5, 1.35), (0.05, -0.3, 0.85), lens=31, exposure=0.25)


@family(
    "pumpkins",
    "doorstep",
    "Orange pumpkins lie on the step before a green front door.",
    differs("removed", "pumpkin 3", "there are two pumpkins instead of three"),
    differs("state", "pumpkin 1", "the large pumpkin has a carved, lit face instead of none"),
)
def pumpkins(variant: int, rng: Random) -> None:
    """Pumpkins at a door in autumn."""
    _facade(m.bricks(), "dark green")
    with at(-0.62, -0.62, 0.14):
        props.pumpkin(0.27, face=variant == 2)
    with at(0.5, -0.55, 0.14, 20):
        props.pumpkin(0.19)
    if variant != 1:
        with at(-0.12, -0.8, 0.14, 50):
            props.pumpkin(0.15)
    with at(1.25, -0.5, 0), at(scale=1.1):
        plants.potted(rng, 0.8, flower="yellow")
    with at(-1.35, -0.4, 0, 0):
        kitchen.crate("apple")
    _outside_light(strength=1.6, from_=(3, -5, 4))
    camera((0.05, -3.0, 1.15), (0.0, -0.4, 0.62), lens=30, exposure=0.1)


@family(
    "bicycle",
    "street",
    "A bicycle leans against a brick wall beside a door.",
    differs("colour", "bicycle 1", "the bicycle is blue instead of red"),
    differs("added", "cat 1", "a cat sits in front of the door"),
)
def bicycle(variant: int, rng: Random) -> None:
    """A parked bicycle."""
    with at(-1.35, 0, 0):
        _facade(m.bricks((0.42, 0.2, 0.12)), "dark green", width=9)
    with at(0.35, -0.3, 0, 4):
        vehicles.bicycle("blue" if variant == 1 else "red", basket=True)
    with at(1.65, -0.35, 0):
        plants.potted(rng, 0.9, flower="white")
    if variant == 2:
        with at(-1.0, -0.55, 0.14, 15), at(scale=1.25):
            animals.sitting_cat("black", chest="white")
    _outside_light(from_=(3, -5, 6))
    camera((0.0, -3.7, 1.35), (-0.05, -0.2, 0.72), lens=27)


# Outdoors


@family(
    "balcony",
    "balcony",
    "Two glasses of wine stand on a small table on a balcony with a parasol.",
    differs("colour", "parasol 1", "the parasol is yellow instead of red"),
    differs("removed", "chair 2", "there is one chair instead of two"),
    version=2,
)
def balcony(variant: int, rng: Random) -> None:
    """A balcony with a view over green."""
    with scenery():
        box(0, 0, -0.1, 4.6, 3.4, 0.1, m.tiles("light brown", size=0.3, rough=0.6), bevel=0)
    with thing("railing", "black", "metal"):
        iron = m.paint("black", 0.4)
        for z in (0.12, 1.0):
            box(0, 1.55, z, 4.6, 0.04, 0.04, iron)
        for i in range(36):
            cylinder(-2.2 + 0.125 * i, 1.55, 0.12, 0.009, 0.9, iron, sides=10)
    with at(0, 0.55, 0):
        table = living.side_table("white", height=0.7, radius=0.36)
    for x in (-0.12, 0.14):
        with put(table, x, 0.5, 0.7), at(scale=1.25):
            tableware.wine_glass()
    with put(table, 0.0, 0.7, 0.7):
        tableware.bottle("dark green")
    with at(0.95, 1.15, 0), at(scale=0.82):
        sport.parasol("yellow" if variant == 1 else "red", "white", height=2.2)
    with at(-1.75, 1.15, 0):
        plants.potted(rng, 0.9, flower="pink")
    with at(-0.85, 0.55, 0, 75):
        basic.chair("white", "light blue")
    if variant != 2:
        with at(0.85, 0.55, 0, -75):
            basic.chair("white", "light blue")
    outdoors(14, z=-3)
    _outside_light(from_=(-4, -3, 6))
    camera((-0.1, -1.95, 1.45), (0.1, 0.7, 1.05), lens=24)


@family(
    "picnic",
    "garden",
    "A picnic basket stands on a chequered blanket on a lawn.",
    differs("state", "basket 1", "the basket is open instead of closed"),
    differs("removed", "ball 1", "the ball is missing"),
    version=2,
)
def picnic(variant: int, rng: Random) -> None:
    """A picnic in summer."""
    with at(0, 0, 0.0, 12):
        blanket = props.picnic_blanket(1.9, 1.5)
    with put(blanket, -0.3, 0.25, 0.012, -10):
        props.basket(open_=variant == 1)
    with put(blanket, 0.35, 0.3, 0.012):
        tableware.bottle("dark green")
    with put(blanket, 0.2, -0.15, 0.012):
        tableware.plate("white")
        with at(0, 0, 0.02, 10):
            props.melon_slice()
    with put(blanket, -0.45, -0.3, 0.012):
        tableware.glass_of("orange")
    with put(blanket, 0.55, 0.0, 0.012, 20):
        tableware.bread("baguette")
    if variant != 2:
        with at(1.15, 0.75, 0):
            props.plain_ball("yellow", 0.17)
    with at(-2.0, 3.0, 0), thing("tree"):
        cylinder(0, 0, 0, 0.16, 1.4, m.wood("walnut", along="z"), top=0.12)
        with at(0, 0, 1.0):
            plants.bush(rng, 2.4, 1.3, 260, length=0.32, width=0.18)
    outdoors(9, z=0.0)
    _outside_light(from_=(4, -3, 6))
    camera((0.15, -1.95, 1.25), (0.15, 0.3, 0.18), lens=30)


@family(
    "garden-bench",
    "garden",
    "A wooden bench stands on a lawn in front of a hedge.",
    differs("added", "cat 1", "a grey cat sits on the bench"),
    differs("added", "backpack 1", "a blue backpack stands on the bench"),
    version=2,
)
def garden_bench(variant: int, rng: Random) -> None:
    """A bench in a garden."""
    w = m.wood("oak")
    with thing("bench", "brown", "wooden") as bench:
        for i in range(4):
            box(0, -0.18 + 0.12 * i, 0.42, 1.7, 0.1, 0.035, w)
            with tilted(0, 0.27, 0.45, about="X", by=-12):
                box(0, 0, 0.06 + 0.12 * i, 1.7, 0.03, 0.09, w) if i < 3 else None
        for x in (-0.72, 0.72):
            for y in (-0.18, 0.2):
                box(x, y, 0, 0.07, 0.07, 0.43, w)
            with tilted(x, 0.285, 0.4, about="X", by=-12):
                box(0, 0.01, 0, 0.07, 0.05, 0.46, w)
    for x, colour in ((-1.5, "pink"), (1.5, "yellow")):
        with at(x, 0.2, 0):
            plants.potted(rng, 0.85, flower=colour)
    if variant == 1:
        with put(bench, 0.25, 0.02, 0.455, 10), at(scale=1.2):
            animals.sitting_cat("grey", eyes="yellow")
    if variant == 2:
        with put(bench, -0.35, 0.2, 0.455, 8):
            props.backpack("blue", pocket="red")
    outdoors(2.2, z=0.0)
    _outside_light(from_=(-4, -4, 6))
    camera((0.1, -2.9, 1.3), (0.0, 0.1, 0.6), lens=28)


# Window sill, workshop, garage


@family(
    "window-sill",
    "living room",
    "Pots of flowers stand on the sill of a window.",
    differs("colour", "flower 1", "the flowers on the left are yellow instead of red"),
    differs("added", "cat 1", "a cat sits between the pots"),
)
def window_sill(variant: int, rng: Random) -> None:
    """A deep sill with plants."""
    with Room(3.2, 2.6, walls=m.paint("beige", 0.9), floor_of=m.planks("oak")) as r:
        r.window(
            "back", 1.6, 1.0, 1.9, 1.2, panes=(2, 1), curtain=m.fabric("light blue"), curtain_words=("light blue",)
        )
        with r.back(1.6, 0.95), thing("window sill", "white") as sill:
            box(0, -0.15, 0, 2.2, 0.32, 0.04, m.wood("white"))
        with put(sill, 1.0, 2.4, 0.99):
            plants.potted(rng, 0.42, flower="yellow" if variant == 1 else "red")
        with put(sill, 2.2, 2.4, 0.99):
            plants.cactus(rng, "column", 0.34, pot="white")
        with put(sill, 1.75, 2.4, 0.99):
            plants.potted(rng, 0.3, broad=True)
        if variant == 2:
            with put(sill, 1.4, 2.4, 0.99, -8):
                animals.sitting_cat("black", chest="white")
        daylight(r, strength=0, fill=60, world=1.0)
        outdoors(16)
    camera((1.6, 0.5, 1.5), (1.6, 2.5, 1.3), lens=29, exposure=0.25)


@family(
    "workbench",
    "workshop",
    "A vise and a tool box stand on a workbench under a wall of tools.",
    differs("place", "vise 1", "the vise is on the right of the tool box instead of on the left"),
    differs("colour", "tool box 1", "the tool box is yellow instead of red"),
)
def workbench(variant: int, rng: Random) -> None:
    """A workbench from the front."""
    with Room(3.4, 2.8, walls=m.paint((0.55, 0.53, 0.48), 0.9), floor_of=m.concrete()) as r:
        with r.back(1.7, 1.25):
            kinds = sorted(tools.HANGING)
            tools.pegboard(1.7, 0.85, (kinds[:6], kinds[6:12] or kinds[:6]), rng)
        with r.back(1.7):
            bench = tools.workbench(2.2, kind="pine", drawers=3)
        with put(bench, 2.45 if variant == 1 else 0.95, 2.2, 0.9, 10), at(scale=1.15):
            tools.vise("blue")
        with put(bench, 1.65, 2.3, 0.9, 6):
            tools.tool_box("yellow" if variant == 2 else "red")
        with r.floor(0.35, 2.4):
            storage.cardboard_box()
        daylight(r, strength=0, fill=75)
    camera((1.7, 0.15, 1.55), (1.7, 2.5, 1.15), lens=26, exposure=0.1)


def _top_of(what: Any, x: float | None = None, y: float | None = None) -> float:
    """Return how high a thing is, at most or about a point."""
    import bpy

    bpy.context.view_layer.update()
    points = [mesh.matrix_world @ vertex.co for mesh in what.meshes for vertex in mesh.data.vertices]
    if x is not None and y is not None:
        points = [point for point in points if abs(point.x - x) < 0.15 and abs(point.y - y) < 0.15] or points
    return float(max(point.z for point in points))
