"""Reads a description off the finished stage: which things are seen, where in the picture, and how they stand.

Nothing is rendered: one ray per two pixels finds what is seen there, so a description is exact to two pixels and comes
out equal on every machine. `visible` is the share of a thing's vertices that lie in the picture and are not hidden by
another thing.
"""

from __future__ import annotations

import colorsys
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from draw.furniture.basic import WOOD_WORDS
from draw.materials import COLOURS
from draw.stage import STAGE, Part, Thing

STEP = 2
"""Pixels between rays."""
SEEN, SEEN_WHOLE = 16, 5
"""A thing that fewer rays meet (of about 77,000) is not described, nobody would notice it; unless so many would meet it
for the share that is visible: a small thing that nothing hides is noticed sooner than a sliver of a large one."""
LEAST_COLOUR = 0.04
"""The share of a thing from which on one of its colours is said."""
LEAST_SCREEN = 40
"""How many rays have to meet what a thing shows."""
MOST_COUNTED = 12
"""How many parts of a kind are counted at most: nobody counts the rods of a banister."""
LEAST_COUNTED = 0.4
"""The share of the largest that is seen of each part where parts are counted."""
LEAST_PART = 0.2
"""The share of a part from which on a colour or material of it is said."""
LEAST_PATTERN = 0.5
"""The share of a thing from which on its stripes or checks are said."""
LEAST_LOOK, LEAST_WOOD = 0.1, 0.2
"""The shares of a wall or floor from which on its material is said, and that it is of wood: a few beams are no wall."""
PATTERNS = {"striped": "striped", "checks": "chequered"}
WOODEN = ("wood", "planks")

LEAST_LETTER = (3.5, 4.0)
"""The pixels from which on letters can be read: their width on average, and their height."""
LEAST_TURN = 0.5
"""The cosine of the angle between viewer and writing up to which it can be read."""
LEAST_SHARE, LEAST_SHARE_OF_LETTER = 0.8, 0.5
"""How much of writing, and of each of its letters, has to be seen."""
UNREAD = "…"
"""What stands for writing on a thing that cannot be read."""
LEAST_SURFACE = 0.006
"""The share of the picture from which on a wall, floor or ceiling is described."""
FOOT, RUG = 0.015, 0.04
"""Metres: how far above its lowest point a thing touches what it stands on, and how high rugs lie."""
ON_WALL = ("shelf of bottles",)
"""What hangs on a wall, right above something."""
FAR = 18.0
"""Metres from which on what is seen is the view, not the room."""
LOOKS = {
    "tiles": "tiled",
    "bricks": "brick",
    "facade": "brick",
    "planks": "wooden",
    "wood": "wooden",
    "striped": "striped",
    "checks": "chequered",
    "carpet": "carpeted",
    "concrete": "concrete",
    "grass": "grassy",
    "metal": "metal",
}
"""What a viewer says of a surface of a material, by the function that makes it."""


@dataclass
class _Surface:
    """What the rays met of one material on walls, floor or ceiling: the pixels, for the colour; `base` is its paint."""

    name: str
    look: str
    colour: str
    base: tuple[float, float, float] | None = None
    pixels: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class _Seen:
    thing: Thing
    box: tuple[int, int, int, int]
    visible: float
    depth: float
    place: Vector


class _Sight:
    """All meshes that are rendered in one search tree: far quicker than asking the scene, which asks each object."""

    def __init__(self, graph: Any) -> None:
        points, faces, count = [], [], 0
        self._made: list[Any] = []
        self.normal = Vector()
        for made in bpy.context.scene.objects:
            if made.type != "MESH" or made.hide_render:
                continue
            mesh = made.evaluated_get(graph).data
            spots = np.empty(3 * len(mesh.vertices), np.float32)
            mesh.vertices.foreach_get("co", spots)
            frame = np.array(made.matrix_world, dtype=np.float64)
            points.append(spots.reshape(-1, 3) @ frame[:3, :3].T + frame[:3, 3])
            mesh.calc_loop_triangles()
            corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
            mesh.loop_triangles.foreach_get("vertices", corners)
            faces.append(corners.reshape(-1, 3) + count)
            self._made += [made] * len(faces[-1])
            count += len(mesh.vertices)
        self._tree = BVHTree.FromPolygons(
            np.concatenate(points).tolist(), np.concatenate(faces).tolist(), all_triangles=True
        )

    def cast(self, origin: Vector, direction: Vector) -> tuple[bool, Vector, Any]:
        """Return whether a ray meets anything, where, and what."""
        where, self.normal, face, _ = self._tree.ray_cast(origin, direction)
        return (False, origin, None) if face is None else (True, where, self._made[face])


def describe(id: str, kind: str, category: str | None, picture: Path | None = None) -> dict[str, Any]:
    """Return the description of the stage as its camera sees it (format: assets/draw/README.md).

    The colours of walls, floor and ceiling are those of the finished `picture`, if there is one.
    """
    scene = bpy.context.scene
    width, height = scene.render.resolution_x, scene.render.resolution_y
    bpy.context.view_layer.update()
    sight = _Sight(bpy.context.evaluated_depsgraph_get())
    owner = {mesh.name: thing for thing in STAGE.things for mesh in thing.meshes}
    surfaces: dict[tuple[str, str], _Surface] = {}
    met: dict[str, Counter[Any]] = defaultdict(Counter)
    boxes = _rays(scene, sight, owner, width, height, surfaces, met)
    pixels = _read_pixels(picture)
    seen = []
    for thing in STAGE.things:
        rays = met[thing.id].total()
        if rays >= SEEN_WHOLE:
            one = _look(scene, sight, owner, thing, boxes[thing.id])
            if rays >= SEEN or rays * one.visible >= SEEN_WHOLE:
                seen.append(one)
    return {
        "id": id,
        "kind": kind,
        "category": category,
        "width": width,
        "height": height,
        "objects": [
            {
                "id": one.thing.id,
                "name": one.thing.name,
                "attributes": _see_attributes(one.thing, _materials(met[one.thing.id])),
                "box": list(one.box),
                "visible": one.visible,
                **({"writing": writing} if (writing := read_writing(scene, sight, one.thing)) else {}),
                **({"details": details} if (details := _see_details(one.thing, met[one.thing.id])) else {}),
            }
            for one in seen
        ],
        "relations": _relations(seen, _find_supports(sight, owner, seen), every=kind == "objects"),
        "captions": [],
        **({"surfaces": _described_surfaces(surfaces, pixels, width * height)} if kind != "objects" else {}),
        **STAGE.notes,
    }


def _materials(met: Counter[Any]) -> Counter[Any]:
    """Return how often rays meet each material, given how often they meet each mesh."""
    counts: Counter[Any] = Counter()
    for mesh, count in met.items():
        counts[mesh.data.materials[0]] += count
    return counts


def _see_details(thing: Thing, met: Counter[Any]) -> list[str]:
    """Return what can be said of a thing beside its attributes: its parts that are seen, and its states."""
    rays: dict[str, list[int]] = defaultdict(list)
    groups: Counter[tuple[str, str]] = Counter()
    for part in thing.parts:
        seen = Counter({mesh: met[mesh] for mesh in part.meshes})
        rays[part.name].append(seen.total())
        if seen.total() >= SEEN_WHOLE and (words := _part_words(part, seen)):
            groups[part.name, words] += 1
    phrases = [
        f"with {_say_number(name, words, count, is_one=len(rays[name]) == 1, is_counted=_is_counted(rays[name]))}"
        for (name, words), count in groups.items()
    ]
    states = [word for word, meshes in thing.states if not meshes or sum(met[mesh] for mesh in meshes) >= LEAST_SCREEN]
    return phrases + states


def _is_counted(rays: Sequence[int]) -> bool:
    """Return whether a viewer surely counts the parts of a kind right: they are few, and none is half hidden."""
    return len(rays) <= MOST_COUNTED and min(rays) >= max(SEEN_WHOLE, LEAST_COUNTED * max(rays))


def _part_words(part: Part, seen: Counter[Any]) -> str:
    """Return the words for a part: those that it was given, or the colours and materials of what is seen of it."""
    if part.words:
        return " ".join(part.words)
    words: list[str] = []
    for material, count in _materials(seen).most_common():
        if count > LEAST_PART * seen.total():
            look = material.get("look")
            is_pattern = look in PATTERNS and material["second"] in COLOURS
            words += [_material_colour(material), *((material["second"], PATTERNS[look]) if is_pattern else ())]
            words.append("wooden" if look in WOODEN else "metal" if look == "metal" else "")
    return " ".join(dict.fromkeys(filter(None, words)))


def _say_number(name: str, words: str, number: int, *, is_one: bool, is_counted: bool) -> str:
    """Return "red seat", "3 white drawers", or "white drawers" where some of them are hidden."""
    if is_one or (number == 1 and is_counted):
        return f"{words} {name}"
    plural = {"shelf": "shelves", "foot": "feet"}.get(name, f"{name}s")
    return f"{number} {words} {plural}" if is_counted else f"{words} {plural}"


def _read_pixels(picture: Path | None) -> Any:
    """Return the pixels of the finished picture, None if there is none."""
    if picture is None:
        return None
    from PIL import Image

    with Image.open(picture) as image:
        return np.asarray(image.convert("RGB"))


def _see_attributes(thing: Thing, seen: Counter[Any]) -> list[str]:
    """Return the words of a thing that are true of what is seen of it, given how often rays meet each material.

    Of several colours those are left out that hardly show; both colours of stripes and checks are said.
    """
    shares: Counter[str] = Counter()
    words = list(thing.attributes)
    for material, count in seen.items():
        share = count / seen.total()
        shares[_material_colour(material)] += share
        if material.get("look") in PATTERNS and material["second"] in COLOURS and share > LEAST_PATTERN:
            words += [material["colour"], material["second"], PATTERNS[material["look"]]]
            shares[material["second"]] += share / 2
    made_of = {_material_colour(mesh.data.materials[0]) for mesh in thing.meshes if mesh.data.materials} | {*shares}
    hidden = {word for word in words if word in COLOURS and word in made_of and shares[word] < LEAST_COLOUR}
    if {*words} & COLOURS.keys() - hidden:
        words = [word for word in words if word not in hidden]
    return list(dict.fromkeys(words))


def _material_colour(material: Any) -> str:
    """Return the word for the colour of a material, "" if it has none."""
    colour = material.get("colour", "")
    if material.get("look") in WOODEN:
        return WOOD_WORDS.get(colour, "")
    return colour if colour in COLOURS else "golden" if colour in ("brass", "gold") else ""


def _described_surfaces(surfaces: dict[tuple[str, str], _Surface], pixels: Any, area: int) -> list[dict[str, Any]]:
    """Return walls, floor, ceiling and what else is no thing, the largest first, with their materials and colours."""
    groups: dict[str, list[_Surface]] = defaultdict(list)
    for surface in sorted(surfaces.values(), key=lambda surface: -len(surface.pixels)):
        if len(surface.pixels) * STEP * STEP >= LEAST_SURFACE * area:
            groups[surface.name].append(surface)
    return [_described_surface(name, parts, pixels) for name, parts in groups.items()]


def _described_surface(name: str, parts: list[_Surface], pixels: Any) -> dict[str, Any]:
    """Return what a viewer says of a wall or floor that is made of some materials."""
    total = sum(len(part.pixels) for part in parts)
    attributes = [_own_colour(part) for part in parts if len(part.pixels) > 0.3 * total and _own_colour(part)]
    if pixels is not None:
        places = [(part, place) for part in parts for place in part.pixels]
        sample = places[:: max(1, len(places) // 1500)]
        attributes += _most_frequent(_surface_colour(part, pixels[y, x]) for part, (x, y) in sample)
    looks = [
        part.look for part in parts if len(part.pixels) > (LEAST_WOOD if part.look in WOODEN else LEAST_LOOK) * total
    ]
    attributes += [LOOKS[look] for look in looks if look in LOOKS]
    if (
        name in ("floor", "ground")
        and attributes[:1] in (["green"], ["dark green"])
        and set(looks) & {"grass", "mottled"}
    ):
        name = "grass"
    return {"name": name, "attributes": list(dict.fromkeys(attributes))}


def _own_colour(part: _Surface) -> str:
    """Return the word for what a surface is painted with, "" if only the picture tells: bricks are red or not."""
    if part.colour:
        return part.colour
    if part.look == "bricks" and part.base:
        hue, saturation, _ = _hsv(part.base)
        return "red" if hue < 20 / 360 and saturation > 0.4 else ""
    return ""


def _surface_colour(part: _Surface, pixel: Any) -> str:
    """Return what a viewer calls a pixel of a surface; who sees a room takes no notice of the tint of its lamps."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(pixel / 255.0))
    if part.base is None:
        name = _colour_name(hue, saturation, value)
        return "brown" if part.look in WOODEN and name in ("yellow", "orange") else name
    base_hue, base_saturation, base_value = _hsv(part.base)
    if base_saturation < 0.06 or part.look == "concrete":
        is_tinted = saturation < (WARM_TINT if hue < WARM else TINT)
        name = _grey(value)
        if base_value > 0.85 and value > 0.14:  # white paint in the shade
            name = "white" if value > 0.4 else "grey"
        return name if is_tinted else _colour_name(hue, saturation, value).replace("yellow", "brown")
    own = part.colour or _colour_name(base_hue, base_saturation, base_value)
    if (
        saturation < FAINT
        and min(value, base_value) > 0.5
        and own.split(" ")[-1] in ("green", "blue", "purple", "pink", "yellow")
    ):
        return own
    mean_hue = (hue + base_hue) / 2 if abs(hue - base_hue) < SHIFT else hue
    name = _colour_name(mean_hue, saturation, min(value, 0.8 * base_value) if base_value < DARK else value)
    return "brown" if name == "yellow" and base_saturation < 0.38 else name


def _hsv(linear: Iterable[float]) -> tuple[float, float, float]:
    """Return hue, saturation and value of a linear colour as it is seen in white light."""
    red, green, blue = (12.92 * part if part < 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear)
    return colorsys.rgb_to_hsv(red, green, blue)


def _most_frequent(names: Iterable[str]) -> list[str]:
    """Return the names that at least a fifth of all are, the most frequent first."""
    counts = Counter(names)
    frequent = [name for name, count in counts.most_common(3) if count > 0.2 * counts.total()]
    return [name for several in frequent for name in (("dark green", "dark blue") if several == TEAL else (several,))]


HUES: Sequence[tuple[int, str]] = (
    (12, "red"),
    (42, "orange"),
    (70, "yellow"),
    (165, "green"),
    (196, "cyan"),
    (240, "blue"),
    (300, "purple"),
    (338, "pink"),
    (360, "red"),
)
"""The names of full colours, each up to a hue in degrees."""
FULL = ("green", "blue", "purple", "pink", "yellow")
"""The colours that a pale paint may have."""
TEAL = "dark cyan"
"""What some call dark green and others dark blue: the description says both."""
TINT, WARM_TINT, WARM = 0.3, 0.5, 0.2
"""The saturations up to which what is painted white or grey is called so, since lamps tint it; hues below are warm."""
FAINT = 0.15
"""The saturation up to which the name of a pale paint counts more than that of its pixels."""
DARK = 0.6
"""The value of a paint below which sunlight does not make it a light one."""
SHIFT = 0.1
"""The part of the circle of hues by which light may shift a paint."""


def _grey(value: float) -> str:
    return "white" if value > 0.7 else "grey" if value > 0.35 else "dark grey" if value > 0.14 else "black"


def _colour_name(hue: float, saturation: float, value: float) -> str:
    """Return what a viewer calls a colour."""
    degrees = hue * 360
    is_warm = degrees < 75 or degrees > 330
    if value < 0.08 or (value < 0.14 and saturation < 0.5):
        return "black"
    if saturation < (0.12 if is_warm else 0.07) + (0.1 if value < 0.35 else 0):
        return _grey(value)
    if 8 <= degrees < 24 and value > 0.8 and saturation < 0.35:
        return "pink"
    if 15 <= degrees < 70 and saturation < 0.35:
        return "white" if value > 0.85 and saturation < 0.16 else "beige" if value > 0.5 else "brown"
    if 34 <= degrees < 45 and value > 0.6 and saturation > 0.42:
        return "yellow"
    if 15 <= degrees < 34 and value > 0.66 and saturation > 0.65:
        return "orange"
    if 12 <= degrees < 45 and (value < 0.72 or saturation < 0.6):
        return "brown"
    return _full_colour(next(name for limit, name in HUES if degrees <= limit), degrees, saturation, value)


def _full_colour(name: str, degrees: float, saturation: float, value: float) -> str:
    """Return the name of a full colour with its shade; nobody calls a dark or a pale wall cyan."""
    if name == "cyan" and value < 0.45:
        return "dark green" if degrees < 180 else TEAL
    if name == "cyan" and saturation < 0.17:
        name = "green" if degrees < 180 else "blue"
    if name == "red" and saturation < 0.5 and value > 0.5:
        return "pink"
    if name == "red" and saturation < 0.35:
        return _grey(value)
    if saturation < 0.25 and value > 0.5 and name in ("green", "blue", "purple"):
        return f"light {name}"
    return f"dark {name}" if value < 0.4 and name in ("red", "blue", "green") else name


def _frame(camera: Any, scene: Any) -> tuple[Vector, Vector, Vector]:
    """Return the picture's top left corner, its whole width and its whole height as vectors, in camera space."""
    corners = camera.data.view_frame(scene=scene)  # top right, bottom right, bottom left, top left
    right_top, _, left_low, left_top = corners
    return left_top, right_top - left_top, left_low - left_top


def _rays(
    scene: Any,
    sight: _Sight,
    owner: dict[str, Thing],
    width: int,
    height: int,
    surfaces: dict[tuple[str, str], _Surface],
    met: dict[str, Counter[Any]],
) -> dict[str, tuple[int, int, int, int]]:
    """Return the boxes of the things that rays meet; note the pixels of surfaces and how often each mesh is met."""
    camera = scene.camera
    corner, across, down = _frame(camera, scene)
    turn, origin = camera.matrix_world.to_3x3(), camera.matrix_world.translation
    found: dict[str, list[int]] = {}
    for row in range(height // STEP):
        for column in range(width // STEP):
            target = corner + across * ((column + 0.5) * STEP / width) + down * ((row + 0.5) * STEP / height)
            thing, mesh, distance = _hit(sight, owner, origin, turn @ target)
            if thing is None:
                surface = _surface_of(mesh, sight.normal, distance)
                key = (surface.name, surface.look + surface.colour + str(surface.base))
                surfaces.setdefault(key, surface).pixels.append((column * STEP, row * STEP))
            else:
                spot = found.setdefault(thing.id, [column, row, column, row])
                spot[0], spot[1] = min(spot[0], column), min(spot[1], row)
                spot[2], spot[3] = max(spot[2], column), max(spot[3], row)
                met[thing.id][mesh] += 1
    return {
        id: (left * STEP, top * STEP, (right - left + 1) * STEP, (low - top + 1) * STEP)
        for id, (left, top, right, low) in found.items()
    }


def _surface_of(mesh: Any, normal: Vector, distance: float) -> _Surface:
    """Return what a ray met that belongs to no thing: wall, floor, ceiling, hedge, ground or sky."""
    if mesh is None:
        return _Surface("sky", "", "")
    material = mesh.data.materials[0] if mesh.data.materials else {}
    look, colour = material.get("look", ""), material.get("colour", "") if distance < FAR else ""
    base = tuple(material["base"]) if "base" in material and distance < FAR else None
    if mesh.get("surface"):
        return _Surface(mesh["surface"], look, colour if colour in COLOURS else "", base)
    name = "wall" if abs(normal.z) < 0.6 else "floor" if normal.z > 0 else "ceiling"
    if distance > FAR or look == "grass":
        name = "ground" if name == "floor" else "view"
    return _Surface(name, look, colour if colour in COLOURS else "", base)


def _hit(sight: _Sight, owner: dict[str, Thing], origin: Vector, direction: Vector) -> tuple[Thing | None, Any, float]:
    """Return the thing that a ray meets first, the mesh, and how far it is.

    Clear glass lets a ray through if it belongs to no thing or to a window, and to what stands in a case of glass.
    """
    direction, start = direction.normalized(), origin
    pane: tuple[Thing | None, Any, float] = (None, None, 0.0)
    for _ in range(6):
        hit, where, made = sight.cast(origin, direction)
        if not hit:
            break
        thing, distance = owner.get(made.name), (where - start).length
        if not _is_clear(made):
            is_inside = pane[0] is None or (thing is not None and thing.on is pane[0])
            return (thing, made, distance) if is_inside else pane
        if thing is not None and thing.name != "window" and pane[0] is None:
            pane = (thing, made, distance)
        origin = where + direction * 0.003
    return pane


def _is_clear(made: Any) -> bool:
    return bool(made.data.materials) and "clear" in made.data.materials[0]


def _is_in_view(sight: _Sight, eye: Vector, point: Vector, place: Any, is_own: Callable[[Any], bool]) -> bool:
    """Return whether a point of a thing lies in the picture, at `place`, and nothing but clear glass covers it."""
    if place.z <= 0 or not (0 <= place.x <= 1 and 0 <= place.y <= 1):
        return False
    direction = point - eye
    hit, where, made = sight.cast(eye, direction.normalized())
    return not hit or is_own(made) or (where - eye).length > direction.length - 0.02 or _is_clear(made)


def _look(scene: Any, sight: _Sight, owner: dict[str, Thing], thing: Thing, box: tuple[int, int, int, int]) -> _Seen:
    camera = scene.camera
    eye = camera.matrix_world.translation
    points = [mesh.matrix_world @ vertex.co for mesh in thing.meshes for vertex in mesh.data.vertices]
    shown = 0
    sample = points[:: max(1, len(points) // 300)]
    for point in sample:
        place = world_to_camera_view(scene, camera, point)
        shown += _is_in_view(sight, eye, point, place, lambda made: owner.get(made.name) is thing)
    middle = sum(points, Vector()) / len(points)
    return _Seen(thing, box, round(shown / len(sample), 2), world_to_camera_view(scene, camera, middle).z, middle)


def read_writing(scene: Any, sight: _Sight, thing: Thing) -> str:
    """Return what can be read on a thing, one text per line from the top; "…" stands for what cannot, "" for all."""
    texts = [_read(scene, sight, thing, mesh, words) for words, mesh in thing.writing]
    if not set(texts) - {UNREAD, " "}:
        return ""
    if all(len(words) == 1 for words, _ in thing.writing):  # letter by letter
        return re.sub(f"{UNREAD}[{UNREAD} ]*", UNREAD, "".join(texts))
    places = [_place(scene, mesh) for _, mesh in thing.writing]
    lines: list[list[int]] = []
    for text in sorted(range(len(texts)), key=lambda text: places[text][1]):
        if lines and places[text][1] - places[lines[-1][0]][1] < places[text][2] / 2:
            lines[-1].append(text)
        else:
            lines.append([text])
    ordered = [texts[text] for line in lines for text in sorted(line, key=lambda text: places[text][0])]
    return "\n".join(text for text, _ in itertools.groupby(ordered))


def _read(scene: Any, sight: _Sight, thing: Thing, mesh: Any, words: str) -> str:
    """Return a text on a thing, or "…" if it is too small, turned away, covered, or other text lies over it."""
    if not words.strip():
        return " "
    frame, eye = mesh.matrix_world, scene.camera.matrix_world.translation
    points = [frame @ vertex.co for vertex in mesh.data.vertices]
    places = [world_to_camera_view(scene, scene.camera, point) for point in points]
    xs, ys = zip(*((place.x, place.y) for place in places), strict=True)
    letters = len("".join(words.split()))
    width = (max(xs) - min(xs)) * scene.render.resolution_x / letters
    height = (max(ys) - min(ys)) * scene.render.resolution_y
    turn = (frame.to_3x3() @ Vector((0, 0, 1))).normalized().dot((eye - frame.translation).normalized())
    is_crossed = any(other is not mesh and _overlaps(mesh, other) for _, other in thing.writing)
    is_small = (width < LEAST_LETTER[0] and letters > 1) or height < LEAST_LETTER[1]
    if is_small or turn < LEAST_TURN or is_crossed:
        return UNREAD
    shares = [_share_seen(sight, mesh, points, places, eye, letter) for letter in _islands(mesh.data)]
    is_read = sum(shares) / len(shares) >= LEAST_SHARE and min(shares) >= LEAST_SHARE_OF_LETTER
    return " ".join(words.split()) if is_read else UNREAD


def _place(scene: Any, mesh: Any) -> tuple[float, float, float]:
    """Return where a text is, from the top left, and its height."""
    places = [world_to_camera_view(scene, scene.camera, mesh.matrix_world @ vertex.co) for vertex in mesh.data.vertices]
    low, high = min(place.y for place in places), max(place.y for place in places)
    return min(place.x for place in places), 1 - (low + high) / 2, high - low


def _overlaps(mesh: Any, other: Any) -> bool:
    """Return whether two texts run into each other, seen from straight before the first."""
    to_mesh = mesh.matrix_world.inverted() @ other.matrix_world
    own = [vertex.co for vertex in mesh.data.vertices]
    others = [to_mesh @ vertex.co for vertex in other.data.vertices]
    if not own or not others:
        return False
    gap = 0.3 * max(point.y for point in own)
    return all(
        min(point[axis] for point in own) < max(point[axis] for point in others) + margin
        and min(point[axis] for point in others) < max(point[axis] for point in own) + margin
        for axis, margin in ((0, gap), (1, 0.0))
    )


def _islands(mesh: Any) -> list[list[int]]:
    """Return the vertices of each part of a mesh: of each letter, "i" and "=" in two."""
    root = list(range(len(mesh.vertices)))

    def find(vertex: int) -> int:
        while root[vertex] != vertex:
            root[vertex] = vertex = root[root[vertex]]
        return vertex

    for edge in mesh.edges:
        root[find(edge.vertices[0])] = find(edge.vertices[1])
    islands: dict[int, list[int]] = defaultdict(list)
    for vertex in range(len(root)):
        islands[find(vertex)].append(vertex)
    return list(islands.values())


def _share_seen(sight: _Sight, mesh: Any, points: Any, places: Any, eye: Vector, letter: list[int]) -> float:
    """Return the share of a letter's vertices that are in the picture and not covered."""
    sample = letter[:: max(1, len(letter) // 24)]
    shown = sum(_is_in_view(sight, eye, points[vertex], places[vertex], lambda made: made is mesh) for vertex in sample)
    return shown / len(sample)


def _find_supports(sight: _Sight, owner: dict[str, Thing], seen: list[_Seen]) -> dict[str, Thing]:
    """Return by id what each thing that is seen was put on, or else stands or lies on."""
    supports = {one.thing.id: one.thing.on or _find_support(sight, owner, one.thing) for one in seen}
    return {id: support for id, support in supports.items() if support}


def _find_support(sight: _Sight, owner: dict[str, Thing], thing: Thing) -> Thing | None:
    """Return the thing of another kind, no rug, that is right below most of a thing's lowest points."""
    points = [mesh.matrix_world @ vertex.co for mesh in thing.meshes for vertex in mesh.data.vertices]
    low = min(point.z for point in points)
    if low <= RUG or thing.name in ON_WALL:
        return None
    feet = [point for point in points if point.z < low + FOOT]
    feet = feet[:: max(1, len(feet) // 12)]
    below = [_thing_below(sight, owner, thing, point) for point in feet]
    support = next((other for other in below if other and below.count(other) > len(feet) / 2), None)
    return support if support and support.name != thing.name else None


def _thing_below(sight: _Sight, owner: dict[str, Thing], thing: Thing, foot: Vector) -> Thing | None:
    """Return what else a point of a thing touches from above."""
    origin = foot + Vector((0, 0, FOOT))
    for _ in range(6):
        is_hit, where, made = sight.cast(origin, Vector((0, 0, -1)))
        if not is_hit or where.z < foot.z - 2 * FOOT:
            return None
        if owner.get(made.name) is not thing:
            return owner.get(made.name)
        origin = where - Vector((0, 0, 0.001))
    return None


def _relations(seen: list[_Seen], supports: dict[str, Thing], every: bool) -> list[list[str]]:
    """Return what is on what, and for each thing its next to the right and behind (`every`: all of them)."""
    shown = {one.thing.id: one for one in seen}
    found = [[id, "on", support.id] for id, support in supports.items() if support.id in shown]
    for one in seen:
        right = [two for two in seen if _is_left(one, two)]
        behind = [two for two in seen if _is_before(one, two)]
        right.sort(key=lambda two: (two.box[0], two.thing.id))
        behind.sort(key=lambda two: (two.depth, two.thing.id))
        found += [[one.thing.id, "left of", two.thing.id] for two in (right if every else right[:1])]
        found += [[one.thing.id, "in front of", two.thing.id] for two in (behind if every else behind[:1])]
    return found


def _is_left(one: _Seen, two: _Seen) -> bool:
    middle = [other.box[0] + other.box[2] / 2 for other in (one, two)]
    return middle[1] - middle[0] > max(12, (one.box[2] + two.box[2]) / 4)


def _is_before(one: _Seen, two: _Seen) -> bool:
    if two.thing.on is one.thing or one.thing.on is two.thing or two.depth - one.depth < 0.35:
        return False
    shared = min(one.box[0] + one.box[2], two.box[0] + two.box[2]) - max(one.box[0], two.box[0])
    return shared > 0.3 * min(one.box[2], two.box[2])
