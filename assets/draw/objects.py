"""Object scenes in families: a base, and siblings that differ from it by exactly one object, attribute or place.

A family's pictures share camera, light and ground. Where objects stand is found by trying: none touches another, and
none hides more than a third of another, which is checked by painting their outlines on a small picture, far ones first.
The same family number always gives the same family; pictures are laid out when they are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import bpy  # before mathutils, which it brings
from mathutils import Vector
from mathutils.geometry import convex_hull_2d
from PIL import Image, ImageDraw

from draw import materials as m
from draw.stage import HEIGHT, WIDTH, at, box, camera, cylinder, note, panel_light, ring, scenery, sphere, thing

assert bpy

FAMILIES = 36
SIZES = (4, 5, 5)
"""Pictures in a family, one family after the other."""
VERSION = 1

RADIUS = {"large": 0.8, "small": 0.42}
SHAPES = ("cube", "sphere", "cylinder", "cone", "ring")
MATERIALS = ("metal", "rubber")
COLOURS: dict[str, m.RGB] = {
    "red": (0.62, 0.012, 0.012),
    "orange": (0.9, 0.2, 0.0),
    "yellow": (0.92, 0.62, 0.01),
    "green": (0.02, 0.34, 0.03),
    "blue": (0.01, 0.08, 0.6),
    "purple": (0.25, 0.02, 0.45),
    "cyan": (0.02, 0.6, 0.65),
    "grey": (0.27, 0.27, 0.27),
}
"""Eight colours that are told apart in both materials (stronger than those of rooms: nothing else helps here)."""
KINDS = ("colour", "shape", "added", "place", "material", "size", "removed")
"""How a sibling may differ from its base."""

HIDDEN = 0.33
APART = 0.3
CLEAR = 60
"""Pixels by which one thing is clearly left of another."""
EDGE = 14
TRIES = 400


@dataclass(frozen=True)
class Item:
    """One object: what it is and where it stands."""

    shape: str
    size: str
    colour: str
    material: str
    x: float
    y: float
    turn: float

    @property
    def radius(self) -> float:
        """The radius of the circle that its foot lies in."""
        return RADIUS[self.size] * (1.1 if self.shape == "cube" else 1.0)

    @property
    def words(self) -> tuple[str, str, str, str]:
        """What can be said of it, in the order in which one says it."""
        return self.size, self.colour, self.material, self.shape


@dataclass(frozen=True)
class Look:
    """What the pictures of a family share: where the viewer stands, light and ground."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    lens: float
    ground: m.RGB
    key: float
    """Where the main light comes from: -1 left, 1 right."""
    warm: m.RGB
    exposure: float


@dataclass(frozen=True)
class Scene:
    """One picture of a family."""

    items: tuple[Item, ...]
    change: dict[str, str] | None = None


Layout = tuple[Look, tuple[Scene, ...]]


# Families


def jobs(job: Callable[..., Any]) -> list[Any]:
    """Return a job for every picture of every family."""
    found = []
    for family in range(1, FAMILIES + 1):
        for place in range(SIZES[family % len(SIZES)]):

            def draw(family: int = family, place: int = place) -> None:
                _draw(family, place)

            id = f"objects/family-{family:02}-{'abcdef'[place]}"
            found.append(job(id, "objects", None, "objects.family", VERSION, family, draw))
    return found


@cache
def family(number: int) -> Layout:
    """Lay out a family: the look of its pictures, the base and its siblings."""
    rng = Random(f"objects/family-{number}")
    look = _look(rng)
    count = 3 + (number * 5 + number // 8) % 8
    siblings = SIZES[number % len(SIZES)] - 1
    kinds = [KINDS[(number * 3 + i) % len(KINDS)] for i in range(len(KINDS))]
    for _ in range(TRIES):
        base = _base(rng, look, count)
        scenes = [Scene(base)] if base else []
        for kind in kinds if base else ():
            if len(scenes) <= siblings:
                scenes += _sibling(rng, look, base, kind)
        if len(scenes) > siblings:
            return look, tuple(scenes)
    raise RuntimeError(f"no layout found for family {number}: give it fewer objects or another seed")


def _look(rng: Random) -> Look:
    tone = rng.uniform(0.5, 0.68)
    tint = rng.choice([(1, 1, 1), (1, 0.96, 0.9), (0.93, 0.97, 1), (1, 0.94, 0.93), (0.95, 1, 0.95)])
    return Look(
        (rng.uniform(-1.2, 1.2), -9.4, rng.uniform(4.3, 6.2)),
        (0, -0.05, 0.35),
        43,
        (tone * tint[0], tone * tint[1], tone * tint[2]),
        rng.choice((-1, 1)),
        rng.choice([(1, 0.97, 0.93), (1, 0.93, 0.84), (0.94, 0.97, 1)]),
        rng.uniform(-0.1, 0.15),
    )


def _base(rng: Random, look: Look, count: int) -> tuple[Item, ...]:
    """Return a base of so many objects, all of them different to say; nothing when they found no place."""
    items: tuple[Item, ...] = ()
    for _ in range(TRIES):
        more = (*items, _item(rng))
        if _is_good(look, more):
            items = more
            if len(items) == count:
                return items
    return ()


def _item(rng: Random) -> Item:
    shape = rng.choice(SHAPES[:3] if rng.random() < 0.6 else SHAPES[3:])
    what = (shape, rng.choice(tuple(RADIUS)), rng.choice(tuple(COLOURS)), rng.choice(MATERIALS))
    return Item(*what, *_place(rng), round(rng.uniform(0, 90), 1))


def _place(rng: Random) -> tuple[float, float]:
    return round(rng.uniform(-3.6, 3.6), 2), round(rng.uniform(-3.1, 2.9), 2)


# Siblings


def _sibling(rng: Random, look: Look, base: tuple[Item, ...], kind: str) -> list[Scene]:
    """Return a scene that differs from the base in one way, if one is found."""
    for _ in range(TRIES):
        if kind == "added":
            scene = _added(rng, base)
        elif kind == "removed":
            scene = _removed(rng, base)
        elif kind == "place":
            scene = _moved(rng, look, base)
        else:
            scene = _changed(rng, base, kind)
        if scene is not None and _is_good(look, scene.items):
            return [scene]
    return []


def _added(rng: Random, base: tuple[Item, ...]) -> Scene | None:
    new = _item(rng)
    if len(base) == 10:
        return None
    items = (*base, new)
    return Scene(items, _told("added", items, new, f"there is also a {' '.join(new.words)}"))


def _removed(rng: Random, base: tuple[Item, ...]) -> Scene | None:
    old = rng.choice(_last(base))
    said = _said(old, base)
    if len(base) == 3 or said is None:
        return None
    items = tuple(item for item in base if item is not old)
    return Scene(items, _told("removed", base, old, f"the {said} is missing"))


def _moved(rng: Random, look: Look, base: tuple[Item, ...]) -> Scene | None:
    old, mark = rng.sample(base, 2)
    x, _ = _place(rng)
    new = replace(old, x=x, y=min(max(old.y + rng.uniform(-0.7, 0.7), -3.1), 2.9))
    before, after, middle = (_project(look, item.x, item.y, 0.3)[0] for item in (old, new, mark))
    if (before < middle) == (after < middle) or min(abs(before - middle), abs(after - middle)) < CLEAR:
        return None
    said, other = _said(old, base), _said(mark, base)
    if said is None or other is None:
        return None
    sides = ("left", "right") if after < middle else ("right", "left")
    items = tuple(new if item is old else item for item in base)
    words = f"the {said} is to the {sides[0]} of the {other} instead of to its {sides[1]}"
    return Scene(items, _told("place", items, new, words))


def _changed(rng: Random, base: tuple[Item, ...], kind: str) -> Scene | None:
    """Change an attribute or the shape; a new shape is built last, so that all others keep their ids."""
    old = rng.choice(_last(base) if kind == "shape" else base)
    values = {"colour": tuple(COLOURS), "shape": SHAPES, "material": MATERIALS, "size": tuple(RADIUS)}[kind]
    was = getattr(old, kind)
    now = rng.choice([value for value in values if value != was])
    new = replace(old, **{kind: now})
    others = tuple(item for item in base if item is not old)
    if kind == "material" and old.size == "small" and old.shape in ("cube", "cone"):
        return None  # flat sides mirror too little there for the change to be seen at once
    said = _said(old, base, but=kind)
    if said is None or _said(new, (*others, new), but=kind) is None or {was, now} == {"sphere", "ring"}:
        return None
    items = (*others, new) if kind == "shape" else tuple(new if item is old else item for item in base)
    if kind == "shape":
        now, was = f"a {now}", f"a {was}"
    return Scene(items, _told(kind, items, new, f"the {said} is {now} instead of {was}"))


def _told(kind: str, items: Sequence[Item], item: Item, words: str) -> dict[str, str]:
    number = [other for other in items if other.shape == item.shape].index(item) + 1
    return {"kind": kind, "object": f"{item.shape} {number}", "words": words}


def _last(items: tuple[Item, ...]) -> list[Item]:
    """Return the last item of each shape: without it the others keep their ids."""
    return list({item.shape: item for item in items}.values())


def _said(item: Item, items: Sequence[Item], but: str | None = None) -> str | None:
    """Return the shortest words that only one of the items answers to, without one kind of word; None if none do."""
    names = ("size", "colour", "material", "shape")
    usable = [i for i in range(3) if names[i] != but]
    shape = [] if but == "shape" else [3]
    for length in range(len(usable) + 1):
        for chosen in combinations(usable, length):
            which = [*chosen, *shape]
            if which and sum(all(other.words[i] == item.words[i] for i in which) for other in items) == 1:
                return " ".join([*(item.words[i] for i in chosen), "object" if but == "shape" else item.shape])
    return None


# Places


def _is_good(look: Look, items: tuple[Item, ...]) -> bool:
    """Tell whether items are all different, stand apart and inside the picture, and are mostly seen."""
    if len({item.words for item in items}) < len(items):
        return False
    for one, two in combinations(items, 2):
        if math.dist((one.x, one.y), (two.x, two.y)) < one.radius + two.radius + APART:
            return False
    outlines = {item: _outline(look, item) for item in items}
    for outline in outlines.values():
        if any(not (EDGE < x < WIDTH - EDGE and EDGE < y < HEIGHT - EDGE) for x, y in outline):
            return False
    return all(share < HIDDEN for share in _hidden(look, outlines))


def _hidden(look: Look, outlines: dict[Item, list[tuple[float, float]]]) -> Iterator[float]:
    """Return for each item which share of its outline nearer ones cover."""
    far = sorted(outlines, key=lambda item: -math.dist((item.x, item.y), look.eye[:2]))
    size = (WIDTH // 4, HEIGHT // 4)
    whole = Image.new("L", size)
    pen = ImageDraw.Draw(whole)
    full = []
    for number, item in enumerate(far, 1):
        points = [(x / 4, y / 4) for x, y in outlines[item]]
        alone = Image.new("L", size)
        ImageDraw.Draw(alone).polygon(points, fill=1)
        full.append(alone.histogram()[1])
        pen.polygon(points, fill=number)
    shown = whole.histogram()
    return (1 - shown[number] / max(1, whole_size) for number, whole_size in enumerate(full, 1))


def _outline(look: Look, item: Item) -> list[tuple[float, float]]:
    """Return the outline of an item in the picture (its convex hull, in pixels)."""
    points = [_project(look, item.x + x, item.y + y, z) for x, y, z in _corners(item)]
    return [points[i] for i in convex_hull_2d(points)]


def _corners(item: Item) -> Iterator[tuple[float, float, float]]:
    r = RADIUS[item.size]
    if item.shape == "cube":
        half = 0.78 * r
        for i in range(4):
            angle = math.radians(item.turn + 45 + 90 * i)
            x, y = half * math.sqrt(2) * math.cos(angle), half * math.sqrt(2) * math.sin(angle)
            yield from ((x, y, 0), (x, y, 2 * half))
        return
    rings = {
        "sphere": [(r * math.cos(a), r + r * math.sin(a)) for a in (-1.2, -0.6, 0, 0.6, 1.2)],
        "cylinder": [(0.8 * r, 0), (0.8 * r, 1.7 * r)],
        "cone": [(r, 0), (0.02, 1.9 * r)],
        "ring": [(0.7 * r, 0), (r, 0.3 * r), (0.7 * r, 0.6 * r)],
    }[item.shape]
    for radius, z in rings:
        for i in range(20):
            angle = math.radians(18 * i)
            yield radius * math.cos(angle), radius * math.sin(angle), z


@cache
def _axes(look: Look) -> tuple[Vector, Vector, Vector]:
    ahead = (Vector(look.target) - Vector(look.eye)).normalized()
    right = ahead.cross(Vector((0, 0, 1))).normalized()
    return right, right.cross(ahead), ahead


def _project(look: Look, x: float, y: float, z: float) -> tuple[float, float]:
    """Return where a point lies in the picture, in pixels from the top left."""
    right, up, ahead = _axes(look)
    way = Vector((x, y, z)) - Vector(look.eye)
    scale = look.lens / 36 * WIDTH / way.dot(ahead)
    return WIDTH / 2 + way.dot(right) * scale, HEIGHT / 2 - way.dot(up) * scale


# Drawing


def _draw(number: int, place: int) -> None:
    look, scenes = family(number)
    scene = scenes[place]
    for item in scene.items:
        build(item)
    light(look)
    note(family=f"family-{number:02}", change=scene.change)


def light(look: Look) -> None:
    """Set ground, lights and camera."""
    with scenery():
        box(0, 0, -0.1, 120, 120, 0.1, m.paint(look.ground, 0.9), bevel=0)
    background = bpy.context.scene.world.node_tree.nodes["Background"]
    background.inputs[0].default_value, background.inputs[1].default_value = (0.93, 0.96, 1.0, 1), 0.45
    panel_light(look.key * 6, -3.5, 8, 850, size=2.2, colour=look.warm, toward=(0, 0, 0))
    panel_light(-look.key * 7, -2, 5, 260, size=3.5, toward=(0, 0, 0.5))
    panel_light(look.key * -2, 9, 8, 380, size=5, toward=(0, 3, 0))
    camera(look.eye, look.target, lens=look.lens, exposure=look.exposure)


def build(item: Item) -> None:
    """Build one object where it stands."""
    colour, r = COLOURS[item.colour], RADIUS[item.size]
    more = min(1.3, 0.92 / max(colour))  # metal takes light from around it, so it must be lighter itself
    bright = (0.04 + more * colour[0], 0.04 + more * colour[1], 0.04 + more * colour[2])
    material = m.metal(bright, 0.18) if item.material == "metal" else m.paint(colour, 0.75)
    with at(item.x, item.y, 0, item.turn), thing(item.shape, item.size, item.colour, item.material):
        if item.shape == "cube":
            box(0, 0, 0, 1.56 * r, 1.56 * r, 1.56 * r, material, bevel=0.06 * r)
        elif item.shape == "sphere":
            sphere(0, 0, r, r, material)
        elif item.shape == "cylinder":
            cylinder(0, 0, 0, 0.8 * r, 1.7 * r, material, bevel=0.05 * r, sides=64)
        elif item.shape == "cone":
            cylinder(0, 0, 0, r, 1.9 * r, material, bevel=0.03 * r, sides=64, top=0.02 * r)
        else:
            ring(0, 0, 0.3 * r, 0.7 * r, 0.3 * r, material)
