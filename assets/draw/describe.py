"""Reads a description off the finished stage: which things are seen, where in the picture, and how they stand.

Nothing is rendered: one ray per two pixels finds what is seen there, so a description is exact to two pixels and comes
out equal on every machine. `visible` is the share of a thing's vertices that lie in the picture and are not hidden by
another thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from draw.stage import STAGE, Thing

STEP = 2
"""Pixels between rays."""
SEEN = 16
"""A thing that fewer rays meet (of about 77,000) is not described: nobody would notice it."""


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
        where, _, face, _ = self._tree.ray_cast(origin, direction)
        return (False, origin, None) if face is None else (True, where, self._made[face])


def describe(id: str, kind: str, category: str | None) -> dict[str, Any]:
    """Return the description of the stage as its camera sees it (format: assets/draw/README.md)."""
    scene = bpy.context.scene
    width, height = scene.render.resolution_x, scene.render.resolution_y
    bpy.context.view_layer.update()
    sight = _Sight(bpy.context.evaluated_depsgraph_get())
    owner = {mesh.name: thing for thing in STAGE.things for mesh in thing.meshes}
    boxes = _rays(scene, sight, owner, width, height)
    seen = []
    for thing in STAGE.things:
        if thing.id in boxes:
            seen.append(_look(scene, sight, owner, thing, boxes[thing.id]))
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
                "attributes": one.thing.attributes,
                "box": list(one.box),
                "visible": one.visible,
            }
            for one in seen
        ],
        "relations": _relations(seen, every=kind == "objects"),
        "captions": [],
        **STAGE.notes,
    }


def _frame(camera: Any, scene: Any) -> tuple[Vector, Vector, Vector]:
    """Return the picture's top left corner, its whole width and its whole height as vectors, in camera space."""
    corners = camera.data.view_frame(scene=scene)  # top right, bottom right, bottom left, top left
    right_top, _, left_low, left_top = corners
    return left_top, right_top - left_top, left_low - left_top


def _rays(
    scene: Any, sight: _Sight, owner: dict[str, Thing], width: int, height: int
) -> dict[str, tuple[int, int, int, int]]:
    camera = scene.camera
    corner, across, down = _frame(camera, scene)
    turn, origin = camera.matrix_world.to_3x3(), camera.matrix_world.translation
    found: dict[str, list[int]] = {}
    for row in range(height // STEP):
        for column in range(width // STEP):
            target = corner + across * ((column + 0.5) * STEP / width) + down * ((row + 0.5) * STEP / height)
            thing = _hit(sight, owner, origin, turn @ target)
            if thing is not None:
                spot = found.setdefault(thing.id, [column, row, column, row, 0])
                spot[0], spot[1] = min(spot[0], column), min(spot[1], row)
                spot[2], spot[3] = max(spot[2], column), max(spot[3], row)
                spot[4] += 1
    return {
        id: (left * STEP, top * STEP, (right - left + 1) * STEP, (low - top + 1) * STEP)
        for id, (left, top, right, low, count) in found.items()
        if count >= SEEN
    }


def _hit(sight: _Sight, owner: dict[str, Thing], origin: Vector, direction: Vector) -> Thing | None:
    """Return the thing that a ray meets first; clear glass lets it through."""
    direction = direction.normalized()
    for _ in range(6):
        hit, where, made = sight.cast(origin, direction)
        if not hit:
            return None
        if not _is_clear(made):
            return owner.get(made.name)
        if made.name in owner and owner[made.name].name not in ("window",):
            return owner[made.name]
        origin = where + direction * 0.003
    return None


def _is_clear(made: Any) -> bool:
    return bool(made.data.materials) and "clear" in made.data.materials[0]


def _look(scene: Any, sight: _Sight, owner: dict[str, Thing], thing: Thing, box: tuple[int, int, int, int]) -> _Seen:
    camera = scene.camera
    eye = camera.matrix_world.translation
    points = [mesh.matrix_world @ vertex.co for mesh in thing.meshes for vertex in mesh.data.vertices]
    shown = 0
    sample = points[:: max(1, len(points) // 300)]
    for point in sample:
        place = world_to_camera_view(scene, camera, point)
        if place.z > 0 and 0 <= place.x <= 1 and 0 <= place.y <= 1:
            direction = point - eye
            hit, where, made = sight.cast(eye, direction.normalized())
            shown += (
                not hit
                or owner.get(made.name) is thing
                or (where - eye).length > direction.length - 0.02
                or _is_clear(made)
            )
    middle = sum(points, Vector()) / len(points)
    return _Seen(thing, box, round(shown / len(sample), 2), world_to_camera_view(scene, camera, middle).z, middle)


def _relations(seen: list[_Seen], every: bool) -> list[list[str]]:
    """Return what lies on what, and for each thing its next to the right and behind (`every`: all of them)."""
    shown = {one.thing.id: one for one in seen}
    found = [[one.thing.id, "on", one.thing.on.id] for one in seen if one.thing.on and one.thing.on.id in shown]
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
