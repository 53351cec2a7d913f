"""Vehicles: cars whose body is one smooth mesh, bicycles, and tyres."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import bpy  # before bmesh, which it brings

import bmesh  # isort: skip
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from draw import materials as m
from draw.stage import (
    STAGE,
    Point,
    Thing,
    _mesh,
    at,
    box,
    cylinder,
    lathe,
    part,
    ring,
    scenery,
    sphere,
    thing,
    tilted,
    tube,
)


@dataclass(frozen=True)
class Body:
    """A car's body: cross-sections from nose to tail, and which of them border the windows.

    A section is (y, half width, underside, shoulder height, roof edge's x, roof edge's height, roof's height).
    """

    sections: tuple[tuple[float, ...], ...]
    sides: tuple[tuple[int, ...], ...]
    rear: int
    axles: tuple[float, float]
    wheel: float
    lamps: tuple[float, float]
    word: str


BODIES = {
    "hatchback": Body(
        (
            (-2.02, 0.66, 0.34, 0.56, 0.50, 0.60, 0.61), (-1.90, 0.82, 0.22, 0.68, 0.58, 0.73, 0.75),
            (-1.35, 0.87, 0.19, 0.81, 0.62, 0.87, 0.90), (-1.00, 0.88, 0.18, 0.87, 0.68, 0.92, 0.95),
            (-0.22, 0.89, 0.18, 0.90, 0.62, 1.37, 1.42), (0.42, 0.89, 0.18, 0.91, 0.62, 1.44, 1.49),
            (1.10, 0.89, 0.18, 0.93, 0.60, 1.42, 1.47), (1.66, 0.86, 0.20, 0.96, 0.55, 1.34, 1.38),
            (1.96, 0.82, 0.24, 0.92, 0.62, 0.99, 1.01), (2.04, 0.74, 0.36, 0.80, 0.52, 0.84, 0.86),
        ),
        ((3, 4), (5,)), 7, (-1.27, 1.28), 0.33, (0.63, 0.86), "small",
    ),
    "saloon": Body(
        (
            (-2.26, 0.68, 0.34, 0.56, 0.50, 0.60, 0.61), (-2.12, 0.84, 0.22, 0.68, 0.58, 0.73, 0.75),
            (-1.55, 0.89, 0.19, 0.80, 0.62, 0.86, 0.89), (-1.05, 0.90, 0.18, 0.86, 0.68, 0.91, 0.94),
            (-0.25, 0.91, 0.18, 0.89, 0.60, 1.34, 1.38), (0.42, 0.91, 0.18, 0.90, 0.60, 1.40, 1.44),
            (1.05, 0.91, 0.18, 0.92, 0.58, 1.35, 1.40), (1.66, 0.90, 0.20, 0.94, 0.64, 0.98, 1.01),
            (2.16, 0.85, 0.24, 0.91, 0.62, 0.95, 0.98), (2.28, 0.76, 0.36, 0.82, 0.50, 0.85, 0.87),
        ),
        ((3, 4), (5,)), 6, (-1.42, 1.38), 0.33, (0.63, 0.80), "long",
    ),
    "jeep": Body(
        (
            (-2.14, 0.74, 0.42, 0.78, 0.60, 0.84, 0.85), (-2.05, 0.86, 0.32, 0.92, 0.68, 0.99, 1.00),
            (-1.45, 0.91, 0.29, 1.00, 0.70, 1.07, 1.09), (-0.92, 0.92, 0.28, 1.03, 0.74, 1.10, 1.12),
            (-0.42, 0.93, 0.28, 1.06, 0.70, 1.68, 1.72), (0.34, 0.93, 0.28, 1.07, 0.70, 1.74, 1.78),
            (1.10, 0.93, 0.28, 1.08, 0.70, 1.74, 1.78), (1.88, 0.92, 0.30, 1.10, 0.68, 1.68, 1.71),
            (2.05, 0.90, 0.34, 1.06, 0.72, 1.16, 1.18), (2.12, 0.82, 0.46, 0.96, 0.62, 1.00, 1.02),
        ),
        ((3, 4), (5,), (6,)), 7, (-1.36, 1.32), 0.39, (0.84, 1.0), "large",
    ),
    "van": Body(
        (
            (-2.20, 0.76, 0.40, 0.72, 0.60, 0.78, 0.79), (-2.10, 0.88, 0.28, 0.90, 0.70, 0.98, 1.00),
            (-1.80, 0.91, 0.26, 0.98, 0.74, 1.08, 1.11), (-1.55, 0.92, 0.25, 1.02, 0.76, 1.16, 1.19),
            (-0.95, 0.93, 0.25, 1.05, 0.74, 1.78, 1.84), (-0.10, 0.93, 0.25, 1.06, 0.74, 1.88, 1.93),
            (1.00, 0.93, 0.25, 1.06, 0.74, 1.90, 1.95), (2.10, 0.92, 0.26, 1.06, 0.72, 1.88, 1.92),
            (2.24, 0.91, 0.28, 1.04, 0.74, 1.16, 1.18), (2.30, 0.84, 0.40, 0.94, 0.64, 1.00, 1.02),
        ),
        ((3, 4), (5,)), 7, (-1.45, 1.45), 0.36, (0.82, 1.0), "large",
    ),
}  # fmt: skip


def _cage(body: Body) -> Any:
    """Return the body's coarse mesh: material 0 plain black, 1 painted, 2 glass."""
    bm = bmesh.new()
    rows = []
    for y, half, low, belt, roof_x, roof_z, top in body.sections:
        middle = low + 0.5 * (belt - low)
        right = [
            (0.8 * half, low),
            (0.97 * half, low + 0.1),
            (half, middle),
            (0.975 * half, belt - 0.05),
            (0.915 * half, belt),
        ]
        right.append((min(roof_x, 0.88 * half), roof_z))
        rounded = [(0.0, low), *right, (0.0, top), *[(-x, z) for x, z in reversed(right)]]
        rows.append([bm.verts.new((x, y, z)) for x, z in rounded])
    count = len(rows[0])
    strips: dict[tuple[int, int], Any] = {}
    for i, (near, far) in enumerate(pairwise(rows)):
        for j in range(count):
            k = (j + 1) % count
            strips[i, j] = bm.faces.new((near[j], near[k], far[k], far[j]))
            strips[i, j].material_index = 0 if j in (0, count - 1) else 1
    for row in (rows[0], rows[-1]):
        bm.faces.new(row).material_index = 1
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    half = count // 2
    windows = [[strips[3, half - 1], strips[3, half]], [strips[body.rear, half - 1], strips[body.rear, half]]]
    for group in body.sides:
        windows += [[strips[i, half - 2] for i in group], [strips[i, half + 1] for i in group]]
    for window in windows:
        bmesh.ops.inset_region(bm, faces=window, thickness=0.035, depth=-0.008, use_even_offset=True)
        for face in window:
            face.material_index = 2
    crease = bm.edges.layers.float.new("crease_edge")
    for edge in bm.edges:
        glazed = [face.material_index == 2 for face in edge.link_faces]
        if any(glazed) and not all(glazed):
            edge[crease] = 0.75
    return bm


def _smoothed(bm: Any) -> Any:
    """Return the mesh subdivided into a smooth one."""
    mesh = bpy.data.meshes.new("mesh")
    bm.to_mesh(mesh)
    bm.free()
    made = bpy.data.objects.new("object", mesh)
    bpy.context.collection.objects.link(made)
    made.modifiers.new("smooth", "SUBSURF").levels = 3
    smooth = bpy.data.meshes.new_from_object(made.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    bpy.data.objects.remove(made)
    fine = bmesh.new()
    fine.from_mesh(smooth)
    return fine


class _Hull:
    """Finds points on a car's body, so that lamps, seams and handles lie on it."""

    def __init__(self, bm: Any) -> None:
        self.tree = BVHTree.FromBMesh(bm)

    def side(self, end: int, y: float, z: float) -> Point:
        hit = self.tree.ray_cast(Vector((end * 3, y, z)), Vector((-end, 0, 0)))[0]
        return (hit.x if hit else end * 0.88, y, z)

    def front(self, x: float, z: float, end: int = -1) -> Point:
        hit = self.tree.ray_cast(Vector((x, end * 4, z)), Vector((0, -end, 0)))[0]
        return (x, hit.y if hit else end * 2.0, z)

    def top(self, x: float, y: float) -> Point:
        hit = self.tree.ray_cast(Vector((x, y, 3)), Vector((0, 0, -1)))[0]
        return (x, y, hit.z if hit else 0.9)


def wheel(radius: float = 0.33, width: float = 0.2, *, spokes: int = 5) -> None:
    """A wheel with tyre and rim, its axle along x through the origin; part of whatever is being built."""
    rubber, rim = m.paint((0.02, 0.02, 0.022), 0.75), m.metal("steel", 0.3)
    half = width / 2
    with tilted(about="Y", by=90):
        tyre = [
            (0.64, -half),
            (0.86, -half),
            (0.97, -half * 0.8),
            (1.0, -half * 0.5),
            (1.0, half * 0.5),
            (0.97, half * 0.8),
        ]
        lathe(
            0,
            0,
            0,
            [(radius * r, h) for r, h in [*tyre, (0.86, half), (0.64, half), (0.64, half * 0.2), (0, half * 0.2)]],
            rubber,
        )
        lathe(0, 0, 0, [(radius * 0.66, half * 1.02), (radius * 0.6, half * 1.05), (radius * 0.58, half * 0.5)], rim)
        lathe(0, 0, 0, [(radius * 0.66, -half * 1.02), (radius * 0.6, -half * 1.05), (radius * 0.58, -half * 0.5)], rim)
        for end in (-1, 1):
            cylinder(0, 0, end * half * 0.8 - 0.015, radius * 0.16, 0.03, rim, bevel=0.006)
            for i in range(spokes):
                with at(0, 0, end * half * 0.72 - 0.012, 360 * i / spokes):
                    box(radius * 0.33, 0, 0, radius * 0.56, radius * 0.15, 0.024, rim, bevel=0.006)
    cylinder(0, 0, 0, radius * 0.62, width * 0.2, m.paint((0.03, 0.03, 0.03), 0.6), axis="x")


def car(colour: str = "red", kind: str = "hatchback", *, lit: bool = False, plate: str = "white") -> Thing:
    """A car, nose towards -y, its middle on the origin; kinds in BODIES."""
    body = BODIES[kind]
    with thing("car", colour, body.word) as made:
        bm = _smoothed(_cage(body))
        hull = _Hull(bm)
        shell = _mesh(bm, m.paint("black", 0.7), STAGE.frames[-1].Identity(4), smooth=True)
        shell.data.materials.append(m.paint(colour, 0.16))
        shell.data.materials.append(m.paint((0.02, 0.025, 0.03), 0.05))
        half = max(section[1] for section in body.sections)
        for y in body.axles:
            with scenery():
                hole = cylinder(0, y, body.wheel, body.wheel * 1.14, 4, m.paint("black", 0.7), axis="x", sides=48)
            cut = shell.modifiers.new("cut", "BOOLEAN")
            cut.object, cut.operation = hole, "DIFFERENCE"
            hole.hide_render = hole.hide_viewport = True
            cylinder(0, y, body.wheel, body.wheel * 1.1, 2 * half - 0.5, m.paint("black", 0.8), axis="x")
            for end in (-1, 1):
                with at(end * (half - 0.125), y, body.wheel):
                    wheel(body.wheel)
        _car_seams(hull, body)
        _car_face(hull, body, lit, plate)
    return made


def _line(points: Iterable[Point], radius: float, material: Any) -> None:
    tube(list(points), radius, material)


def _car_seams(hull: _Hull, body: Body) -> None:
    """Door seams, handles, mirrors and a dark sill along both sides."""
    seam, steel = m.paint((0.01, 0.01, 0.01), 0.6), m.metal("chrome")
    stops = [
        body.sections[3][0] + 0.1,
        body.sections[5][0],
        min(body.sections[6][0], body.axles[1] - body.wheel * 1.3) + 0.02,
    ]
    low, belt = body.sections[4][2] + 0.12, body.sections[5][3] - 0.05
    for end in (-1, 1):
        for y in stops:
            _line((hull.side(end, y, low + (belt - low) * i / 8) for i in range(9)), 0.005, seam)
        _line((hull.side(end, stops[0] + (stops[2] - stops[0]) * i / 10, low) for i in range(11)), 0.005, seam)
        sill = [body.axles[0] + body.wheel * 1.25, body.axles[1] - body.wheel * 1.25]
        _line(
            (hull.side(end, sill[0] + (sill[1] - sill[0]) * i / 6, low - 0.06) for i in range(7)),
            0.028,
            m.paint("black", 0.5),
        )
        for y in stops[1:]:
            x, _, z = hull.side(end, y - 0.16, belt - 0.06)
            tube(
                [(x, y - 0.24, z), (x + end * 0.03, y - 0.22, z), (x + end * 0.03, y - 0.1, z), (x, y - 0.08, z)],
                0.011,
                steel,
            )
        x, y, z = hull.side(end, body.sections[3][0] + 0.28, belt + 0.08)
        sphere(x + end * 0.14, y, z + 0.04, 0.09, m.paint("black", 0.3), scale=(1.0, 0.55, 0.75))
        tube([(x - end * 0.03, y, z - 0.03), (x + end * 0.12, y, z + 0.02)], 0.02, m.paint("black", 0.4))


def _car_face(hull: _Hull, body: Body, lit: bool, plate: str) -> None:
    """Lamps, grilles, bumpers, wipers and number plates at both ends."""
    black, chrome = m.paint("black", 0.4), m.metal("chrome")
    front, rear = body.lamps
    lamp = m.glow((1.0, 0.95, 0.85), 6.0) if lit else m.paint((0.8, 0.82, 0.85), 0.06)
    for end in (-1, 1):
        x, y, z = hull.front(end * 0.58, front)
        sphere(x, y + 0.03, z, 0.16, chrome, scale=(1.0, 0.4, 0.56))
        eye = sphere(x, y + 0.018, z, 0.14, lamp, scale=(1.0, 0.42, 0.56))
        part("headlamp", eye, words=("lit",) if lit else ("unlit",))
        x, y, z = hull.front(end * 0.62, rear, 1)
        sphere(x, y - 0.02, z, 0.13, m.paint((0.6, 0.01, 0.01), 0.1), scale=(0.9, 0.4, 1.1))
        x, y, z = hull.front(end * 0.55, front - 0.26)
        sphere(x, y + 0.02, z, 0.05, lamp, scale=(1, 0.5, 1))
    for i in range(5):
        z = front - 0.06 - 0.022 * i
        _line((hull.front(-0.36 + 0.09 * j, z) for j in range(9)), 0.011, black)
    _line((hull.front(-0.38 + 0.095 * j, front - 0.025) for j in range(9)), 0.009, chrome)
    sphere(*hull.front(0, front), 0.04, chrome, scale=(1, 0.5, 1))
    for end, z in ((-1, front - 0.3), (1, rear - 0.32)):
        _line((hull.front(-0.6 + 0.12 * j, z - 0.02, end) for j in range(11)), 0.035, black)
    for end, z in ((-1, front - 0.24), (1, rear - 0.2)):
        x, y, _ = hull.front(0, z, end)
        part("number plate", box(0, y + end * 0.02, z - 0.06, 0.5, 0.02, 0.11, m.paint(plate, 0.5)))
        for j in range(6):
            box(-0.17 + 0.068 * j, y + end * 0.031, z - 0.035, 0.035, 0.006, 0.06, black, bevel=0)
    glass = body.sections[3]
    for dx in (-0.3, 0.2):
        a, b = hull.top(dx, glass[0] + 0.08), hull.top(dx + 0.42, glass[0] + 0.2)
        tube([(a[0], a[1], a[2] + 0.012), (b[0], b[1], b[2] + 0.012)], 0.008, black)


def bicycle(colour: str = "red", *, basket: bool = False) -> Thing:
    """A bicycle in profile along x, its front wheel to the right, upright on the origin."""
    with thing("bicycle", colour) as made:
        frame, dark, steel = m.paint(colour, 0.25), m.paint("black", 0.5), m.metal("steel")
        r, rear, front = 0.34, (-0.52, 0.0, 0.34), (0.54, 0.0, 0.34)
        for x, _, z in (rear, front):
            ring(x, 0, z, r - 0.018, 0.018, dark, axis="y")
            ring(x, 0, z, r - 0.042, 0.009, steel, axis="y")
            cylinder(x, 0, z, 0.024, 0.09, steel, axis="y")
            for i in range(14):
                a = 2 * math.pi * i / 14
                side = 0.025 if i % 2 else -0.025
                tube([(x, side, z), (x + (r - 0.05) * math.cos(a), 0, z + (r - 0.05) * math.sin(a))], 0.0025, steel)
        crank, seat, head = (-0.08, 0, 0.3), (-0.2, 0, 0.78), (0.36, 0, 0.82)
        for a, b in ((crank, seat), (crank, (0.39, 0, 0.72)), ((-0.19, 0, 0.74), head)):
            tube([a, b], 0.019, frame)
        for side in (-0.045, 0.045):
            tube([(crank[0], side * 0.5, crank[2]), (rear[0], side, rear[2])], 0.011, frame)
            tube([(seat[0], side * 0.4, seat[2] - 0.05), (rear[0], side, rear[2])], 0.009, frame)
            tube([(0.4, side, 0.68), (0.45, side, 0.6), (front[0], side, front[2])], 0.012, frame)
        tube([(0.41, 0, 0.66), (0.33, 0, 0.98)], 0.02, frame)
        tube(
            [
                (0.38, -0.3, 0.99),
                (0.28, -0.28, 0.99),
                (0.35, -0.08, 1.0),
                (0.35, 0.08, 1.0),
                (0.28, 0.28, 0.99),
                (0.38, 0.3, 0.99),
            ][1:-1],
            0.013,
            steel,
        )
        for side in (-1, 1):
            tube([(0.3, side * 0.24, 0.99), (0.2, side * 0.29, 0.985)], 0.018, dark)
        tube([seat, (-0.225, 0, 0.9)], 0.014, steel)
        sphere(-0.27, 0, 0.92, 0.11, dark, scale=(1.0, 0.75, 0.35))
        sphere(-0.13, 0, 0.925, 0.08, dark, scale=(1.2, 0.45, 0.35))
        ring(crank[0], -0.05, crank[2], 0.085, 0.008, steel, axis="y")
        for side, turn in ((-1, 1), (1, -1)):
            x, z = crank[0] + 0.13 * turn, crank[2] - 0.1 * turn
            tube([(crank[0], 0, crank[2]), (crank[0], side * 0.07, crank[2]), (x, side * 0.07, z)], 0.009, steel)
            box(x, side * 0.12, z - 0.012, 0.09, 0.09, 0.024, dark)
        for z in (0.285, 0.375):
            tube([(crank[0], -0.05, z + (0.01 if z > 0.3 else -0.065)), (rear[0], -0.05, z - 0.005)], 0.004, dark)
        if basket:
            for level in (0.76, 0.84, 0.92):
                size = 0.13 + (level - 0.76) * 0.25
                tube(
                    [
                        (0.58 - size, -size, level),
                        (0.58 + size, -size, level),
                        (0.58 + size, size, level),
                        (0.58 - size, size, level),
                    ],
                    0.006,
                    dark,
                    closed=True,
                )
            for i in range(16):
                a = 2 * math.pi * i / 16
                c, s = math.cos(a), math.sin(a)
                k = max(abs(c), abs(s))
                tube(
                    [(0.58 + 0.13 * c / k, 0.13 * s / k, 0.76), (0.58 + 0.17 * c / k, 0.17 * s / k, 0.92)], 0.004, dark
                )
            box(0.58, 0, 0.755, 0.25, 0.25, 0.008, dark)
    return made


def tyres(count: int = 3, radius: float = 0.33) -> None:
    """A stack of tyres lying on the floor, their middle on the origin."""
    rubber = m.paint((0.02, 0.02, 0.022), 0.75)
    for i in range(count):
        with thing("tyre", "black"):
            z = i * 0.2
            lathe(
                0.02 * (i % 2),
                0,
                z,
                [
                    (0.6 * radius, 0.02),
                    (0.66 * radius, 0),
                    (0.9 * radius, 0),
                    (radius, 0.04),
                    (radius, 0.15),
                    (0.9 * radius, 0.19),
                    (0.66 * radius, 0.19),
                    (0.6 * radius, 0.17),
                    (0.62 * radius, 0.1),
                    (0.6 * radius, 0.02),
                ],
                rubber,
            )
            for j in range(3):
                ring(0.02 * (i % 2), 0, z + 0.06 + 0.035 * j, radius, 0.006, rubber)


def garage_door(
    width: float = 3.0, height: float = 2.2, colour: str = "white", *, windows: bool = True, raised: bool = False
) -> Thing:
    """A sectional garage door in the wall at y = 0, seen from inside, with rails; raised it lies overhead."""
    with thing("garage door", colour, "open" if raised else "closed") as made:
        paint, steel = m.paint(colour, 0.4), m.metal("steel")
        count = max(4, round(height / 0.5))
        tall = height / count
        for i in range(count):
            with at(0, -0.05, i * tall) if not raised else tilted(0, -0.4 - i * tall, height + 0.12, by=90):
                box(0, 0, 0.006, width, 0.045, tall - 0.012, paint, bevel=0.012)
                panes = max(3, round(width / 0.7))
                for j in range(panes):
                    x = -width / 2 + width * (j + 0.5) / panes
                    if windows and i == count - 2:
                        box(
                            x,
                            -0.02,
                            tall * 0.2,
                            width / panes - 0.16,
                            0.02,
                            tall * 0.6,
                            m.glow((0.75, 0.88, 1.0), 1.4),
                            bevel=0.004,
                        )
                    else:
                        box(x, -0.024, tall * 0.18, width / panes - 0.12, 0.012, tall * 0.64, paint, bevel=0.006)
                for end in (-1, 1):
                    box(end * (width / 2 - 0.05), -0.03, tall / 2 - 0.05, 0.06, 0.02, 0.1, steel)
        if not raised:
            box(0, -0.09, 0.75, 0.16, 0.03, 0.04, m.paint("black", 0.4))
        for end in (-1, 1):
            x = end * (width / 2 + 0.05)
            tube(
                [
                    (x, -0.05, 0),
                    (x, -0.05, height),
                    (x, -0.12, height + 0.09),
                    (x, -0.25, height + 0.12),
                    (x, -2.4, height + 0.12),
                ],
                0.022,
                steel,
            )
    return made
