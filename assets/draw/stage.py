"""The stage: primitives, frames and things, from which rooms and scenes are built in Blender.

Lengths are metres, angles degrees; x goes right, y away from the viewer, z up. Everything is placed in the current
frame (`with at(x, y, z, turn):`) and belongs to the current thing (`with thing("chair", "red"):`); what is built
outside any thing (walls, floors) hides others but is not described. `describe.py` reads the things off the stage.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import bpy  # before bmesh, which it brings

import bmesh  # isort: skip

from mathutils import Matrix, Vector

WIDTH, HEIGHT = 640, 480

Point = tuple[float, float, float]


@dataclass
class Part:
    """A part of a thing: a noun, the words for it (those of its materials if there are none), and its meshes."""

    name: str
    words: tuple[str, ...]
    meshes: tuple[Any, ...]


@dataclass
class Thing:
    """What a viewer would name: a noun, what can be said of it, the meshes it is made of, and what is written on it.

    `writing` has each text with its mesh, `parts` what else a viewer could name of it, `states` further words for it.
    """

    id: str
    name: str
    attributes: list[str]
    on: Thing | None = None
    meshes: list[Any] = field(default_factory=list)
    writing: list[tuple[str, Any]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    states: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)


class _Stage:
    frames: list[Matrix]
    things: list[Thing]
    open: list[Thing]
    notes: dict[str, Any]

    def clear(self) -> None:
        self.frames, self.things, self.open, self.notes = [Matrix.Identity(4)], [], [], {}


STAGE = _Stage()
STAGE.clear()


def reset(width: int = WIDTH, height: int = HEIGHT) -> None:
    """Empty the stage and the Blender scene."""
    from draw import materials

    bpy.ops.wm.read_factory_settings(use_empty=True)
    STAGE.clear()
    materials.forget()
    scene = bpy.context.scene
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True


# Frames and things


@contextmanager
def at(x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0, scale: float = 1.0) -> Iterator[None]:
    """Build in a frame of its own: moved by x, y, z, turned about the upright axis (counter-clockwise from above)."""
    frame = Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(turn), 4, "Z") @ Matrix.Scale(scale, 4)
    STAGE.frames.append(STAGE.frames[-1] @ frame)
    try:
        yield
    finally:
        STAGE.frames.pop()


@contextmanager
def tilted(x: float = 0.0, y: float = 0.0, z: float = 0.0, *, about: str = "X", by: float = 0.0) -> Iterator[None]:
    """Build in a frame moved by x, y, z and turned about one of its axes ("X", "Y", "Z")."""
    frame = Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(by), 4, about)
    STAGE.frames.append(STAGE.frames[-1] @ frame)
    try:
        yield
    finally:
        STAGE.frames.pop()


@contextmanager
def thing(name: str, *attributes: str, on: Thing | None = None) -> Iterator[Thing]:
    """Name what is built inside. `attributes` are words a viewer would use: colours, materials, sizes, states.

    A thing inside a thing (a cushion built within a sofa) counts as being on it, unless `on` says otherwise.
    """
    number = 1 + sum(other.name == name for other in STAGE.things)
    found = Thing(f"{name} {number}", name, list(dict.fromkeys(attributes)), on or (STAGE.open or [None])[-1])
    STAGE.things.append(found)
    STAGE.open.append(found)
    try:
        yield found
    finally:
        STAGE.open.pop()


@contextmanager
def scenery() -> Iterator[None]:
    """Build parts that belong to no thing, also inside one."""
    before, STAGE.open = STAGE.open, []
    try:
        yield
    finally:
        STAGE.open = before


def part(name: str, *meshes: Any, words: tuple[str, ...] = ()) -> None:
    """Name meshes of the present thing: "seat", "drawer" (each by itself, so that they can be counted)."""
    if STAGE.open:
        STAGE.open[-1].parts.append(Part(name, words, meshes))


def state(*words: str, seen: tuple[Any, ...] = ()) -> None:
    """Say more of the present thing that is no attribute of it in the making of instances: "open", "sitting".

    `seen`: the meshes of which enough has to be seen, all if there are none.
    """
    if STAGE.open:
        STAGE.open[-1].states += [(word, seen) for word in words]


def leave_out(name: str, *, only_words: bool = False) -> None:
    """Describe no thing of a name, though it is built, or none of its words."""
    for other in STAGE.things if only_words else ():
        other.attributes = [] if other.name == name else other.attributes
    STAGE.things = [other for other in STAGE.things if only_words or other.name != name]


def note(**words: Any) -> None:
    """Note what the description says beside what is seen: `family`, `change`, `captions`."""
    STAGE.notes.update(words)


# Meshes


def _mesh(bm: Any, material: Any, local: Matrix, *, bevel: float = 0.0, smooth: bool = False, segments: int = 3) -> Any:
    mesh = bpy.data.meshes.new("mesh")
    bm.to_mesh(mesh)
    bm.free()
    mesh.materials.append(material)
    made = bpy.data.objects.new("object", mesh)
    made.matrix_world = STAGE.frames[-1] @ local
    bpy.context.collection.objects.link(made)
    if smooth:
        mesh.shade_smooth()
    if bevel > 0:
        modifier = made.modifiers.new("bevel", "BEVEL")
        modifier.width, modifier.segments, modifier.limit_method = bevel, segments, "ANGLE"
    if STAGE.open:
        STAGE.open[-1].meshes.append(made)
    return made


def _turned(x: float, y: float, z: float, turn: float) -> Matrix:
    return Matrix.Translation((x, y, z)) @ Matrix.Rotation(math.radians(turn), 4, "Z")


def box(
    x: float,
    y: float,
    z: float,
    width: float,
    depth: float,
    height: float,
    material: Any,
    *,
    bevel: float = 0.008,
    turn: float = 0.0,
) -> Any:
    """A box: x, y of its middle, z of its underside; width along x, depth along y, height along z."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.scale(bm, vec=(width, depth, height), verts=bm.verts)
    bevel = min(bevel, 0.45 * min(width, depth, height))
    return _mesh(bm, material, _turned(x, y, z + height / 2, turn), bevel=bevel)


def cushion(
    x: float,
    y: float,
    z: float,
    width: float,
    depth: float,
    height: float,
    material: Any,
    *,
    turn: float = 0.0,
    tilt: float = 0.0,
    soft: float = 0.45,
) -> Any:
    """A soft, rounded box (pillow, mattress, upholstery); `tilt` leans it back about its own x axis."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.scale(bm, vec=(width, depth, height), verts=bm.verts)
    local = _turned(x, y, z + height / 2, turn) @ Matrix.Rotation(math.radians(tilt), 4, "X")
    return _mesh(bm, material, local, bevel=soft * min(width, depth, height), segments=6, smooth=True)


def cylinder(
    x: float,
    y: float,
    z: float,
    radius: float,
    height: float,
    material: Any,
    *,
    axis: str = "z",
    bevel: float = 0.0,
    sides: int = 40,
    top: float | None = None,
) -> Any:
    """A cylinder or truncated cone (`top` = upper radius). Upright: z of its underside; along x or y: its middle."""
    bm = bmesh.new()
    bmesh.ops.create_cone(
        bm, cap_ends=True, segments=sides, radius1=radius, radius2=radius if top is None else top, depth=height
    )
    local = Matrix.Translation((x, y, z + (height / 2 if axis == "z" else 0)))
    if axis != "z":
        local = local @ Matrix.Rotation(math.radians(90), 4, "Y" if axis == "x" else "X")
    made = _mesh(bm, material, local, bevel=bevel, smooth=True)
    _sharp(made)
    return made


def _sharp(made: Any, angle: float = 40) -> None:
    """Keep edges sharper than an angle sharp, though the faces are shaded smooth."""
    mesh = made.data
    bm = bmesh.new()
    bm.from_mesh(mesh)
    for edge in bm.edges:
        if len(edge.link_faces) == 2 and edge.calc_face_angle(0.0) > math.radians(angle):
            edge.smooth = False
    bm.to_mesh(mesh)
    bm.free()


def sphere(x: float, y: float, z: float, radius: float, material: Any, *, scale: Point = (1, 1, 1)) -> Any:
    """A ball about its middle; `scale` makes an ellipsoid."""
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=36, v_segments=18, radius=radius)
    return _mesh(bm, material, Matrix.Translation((x, y, z)) @ Matrix.Diagonal((*scale, 1)), smooth=True)


def lathe(
    x: float, y: float, z: float, profile: Sequence[tuple[float, float]], material: Any, *, sides: int = 40
) -> Any:
    """Turn a profile of (radius, height above z) about the upright axis: vases, bottles, bowls, lampshades, basins."""
    bm = bmesh.new()
    rings = []
    for radius, height in profile:
        angles = [2 * math.pi * i / sides for i in range(sides)]
        radius = max(radius, 1e-4)
        rings.append([bm.verts.new((radius * math.cos(a), radius * math.sin(a), height)) for a in angles])
    for lower, upper in itertools.pairwise(rings):
        for i in range(sides):
            bm.faces.new((lower[i], lower[(i + 1) % sides], upper[(i + 1) % sides], upper[i]))
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    made = _mesh(bm, material, Matrix.Translation((x, y, z)), smooth=True)
    _sharp(made)
    return made


def prism(
    outline: Sequence[tuple[float, float]],
    depth: float,
    material: Any,
    *,
    x: float = 0,
    y: float = 0,
    z: float = 0,
    plane: str = "xy",
    bevel: float = 0.0,
) -> Any:
    """Extrude an outline by a depth: in plane "xy" upwards from z, "xz" away from the viewer, "yz" to the right."""
    bm = bmesh.new()
    put = {"xy": lambda a, b, d: (a, b, d), "xz": lambda a, b, d: (a, d, b), "yz": lambda a, b, d: (d, a, b)}[plane]
    near = [bm.verts.new(put(a, b, 0)) for a, b in outline]
    far = [bm.verts.new(put(a, b, depth)) for a, b in outline]
    bm.faces.new(near)
    bm.faces.new(list(reversed(far)))
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        bm.faces.new((near[i], near[j], far[j], far[i]))
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    return _mesh(bm, material, Matrix.Translation((x, y, z)), bevel=bevel)


def tube(points: Sequence[Point], radius: float, material: Any, *, closed: bool = False) -> Any:
    """A round bar along points: pipes, handles, rails, cables. Corners are kept."""
    curve = bpy.data.curves.new("curve", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", radius, 4
    curve.use_fill_caps = True
    line = curve.splines.new("POLY")
    line.points.add(len(points) - 1)
    for point, where in zip(line.points, points, strict=True):
        point.co = (*where, 1)
    line.use_cyclic_u = closed
    made = bpy.data.objects.new("object", curve)
    mesh = bpy.data.meshes.new_from_object(made)  # unlinked: evaluating the whole scene each time would be slow
    bpy.data.objects.remove(made)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    return _mesh(bm, material, Matrix.Identity(4), smooth=True)


def ring(x: float, y: float, z: float, radius: float, thickness: float, material: Any, *, axis: str = "z") -> Any:
    """A ring about its middle; `axis` is the one it goes round."""
    put = {"z": lambda a, b: (a, b, 0), "x": lambda a, b: (0, a, b), "y": lambda a, b: (a, 0, b)}[axis]
    turn = [2 * math.pi * i / 40 for i in range(40)]
    points = [
        tuple(m + p for m, p in zip((x, y, z), put(radius * math.cos(a), radius * math.sin(a)), strict=True))
        for a in turn
    ]
    return tube(points, thickness, material, closed=True)


def sheet(
    x: float,
    y: float,
    z: float,
    width: float,
    height: float,
    material: Any,
    *,
    folds: int = 8,
    swing: float = 0.04,
    axis: str = "x",
) -> Any:
    """A hanging cloth (curtain, towel): x, y of its middle, z of its lower edge; along x, or along y."""
    bm = bmesh.new()
    columns = 10 * max(folds, 1)
    rows = []
    for level in (0.0, 0.5, 1.0):
        row = []
        for i in range(columns + 1):
            along = (i / columns - 0.5) * width
            out = swing * (1 - 0.4 * level) * math.sin(2 * math.pi * folds * i / columns)
            row.append(bm.verts.new((along, out, level * height) if axis == "x" else (out, along, level * height)))
        rows.append(row)
    for lower, upper in itertools.pairwise(rows):
        for i in range(columns):
            bm.faces.new((lower[i], lower[i + 1], upper[i + 1], upper[i]))
    return _mesh(bm, material, Matrix.Translation((x, y, z)), smooth=True)


def surface(rows: Sequence[Sequence[Point]], material: Any, *, thickness: float = 0.0) -> Any:
    """A smooth surface through rows of points (draped cloth, sails, ground); `thickness` grows on its underside."""
    bm = bmesh.new()
    grid = [[bm.verts.new(point) for point in row] for row in rows]
    for lower, upper in itertools.pairwise(grid):
        for i in range(len(lower) - 1):
            bm.faces.new((lower[i], lower[i + 1], upper[i + 1], upper[i]))
    made = _mesh(bm, material, Matrix.Identity(4), smooth=True)
    if thickness:
        modifier = made.modifiers.new("thickness", "SOLIDIFY")
        modifier.thickness, modifier.offset = thickness, -1
    return made


def polygons(points: Sequence[Point], faces: Sequence[Sequence[int]], material: Any, *, smooth: bool = False) -> Any:
    """Any mesh of points and faces (their points' numbers): foliage, sails, stones."""
    bm = bmesh.new()
    made = [bm.verts.new(point) for point in points]
    for face in faces:
        bm.faces.new([made[i] for i in face])
    return _mesh(bm, material, Matrix.Identity(4), smooth=smooth)


def basin(
    x: float,
    y: float,
    z: float,
    width: float,
    depth: float,
    height: float,
    material: Any,
    *,
    wall: float = 0.06,
    floor: float = 0.06,
    bevel: float = 0.04,
) -> Any:
    """A tub or sink: a rounded box, hollow and open at the top."""
    made = box(x, y, z, width, depth, height, material, bevel=bevel)
    with scenery():
        hole = box(x, y, z + floor, width - 2 * wall, depth - 2 * wall, height, material, bevel=bevel * 1.2)
    cut = made.modifiers.new("cut", "BOOLEAN")
    cut.object, cut.operation = hole, "DIFFERENCE"
    hole.hide_render = hole.hide_viewport = True
    return made


def lettering(
    x: float,
    y: float,
    z: float,
    words: str,
    size: float,
    material: Any,
    *,
    turn: float = 0.0,
    is_readable: bool = True,
) -> Any:
    """Upright letters facing the viewer (turned like everything else); x of the middle, z of the foot of the line.

    They are what is written on the present thing, unless nobody could read them.
    """
    font = bpy.data.curves.new("font", "FONT")
    font.body, font.size, font.extrude, font.align_x = words, size, 0.01, "CENTER"
    made = bpy.data.objects.new("object", font)
    mesh = bpy.data.meshes.new_from_object(made)  # unlinked: evaluating the whole scene each time would be slow
    bpy.data.objects.remove(made)
    bm = bmesh.new()
    bm.from_mesh(mesh)
    letters = _mesh(bm, material, _turned(x, y, z, turn) @ Matrix.Rotation(math.radians(90), 4, "X"))
    if STAGE.open and is_readable:
        STAGE.open[-1].writing.append((words, letters))
    return letters


# Light and camera


def sky(
    strength: float = 0.6,
    low: Point = (0.66, 0.82, 1.0),
    high: Point = (0.2, 0.42, 0.9),
    *,
    clouds: float = 0.0,
    cloud: Point = (1.0, 1.0, 1.0),
) -> None:
    """The world around: a gradient from horizon to zenith, seen through windows and lighting everything.

    `clouds` from 0 to 1 is how thick the clouds are, `cloud` their colour.
    """
    nodes = bpy.context.scene.world.node_tree.nodes
    links = bpy.context.scene.world.node_tree.links
    background = nodes["Background"]
    where, split, ramp = (
        nodes.new("ShaderNodeTexCoord"),
        nodes.new("ShaderNodeSeparateXYZ"),
        nodes.new("ShaderNodeValToRGB"),
    )
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*low, 1), (*high, 1)
    ramp.color_ramp.elements[1].position = 0.6
    links.new(where.outputs["Generated"], split.inputs[0])
    links.new(split.outputs["Z"], ramp.inputs[0])
    background.inputs[1].default_value = strength
    if not clouds:
        links.new(ramp.outputs[0], background.inputs[0])
        return
    flat, noise, where_thick, mix = (
        nodes.new("ShaderNodeMapping"),
        nodes.new("ShaderNodeTexNoise"),
        nodes.new("ShaderNodeValToRGB"),
        nodes.new("ShaderNodeMixRGB"),
    )
    flat.inputs["Scale"].default_value = (2.2, 2.2, 7.0)
    noise.inputs["Detail"].default_value = 6
    where_thick.color_ramp.elements[0].position, where_thick.color_ramp.elements[1].position = 0.5, 0.68
    where_thick.color_ramp.elements[1].color = (clouds, clouds, clouds, 1)
    mix.inputs[2].default_value = (*cloud, 1)
    links.new(where.outputs["Generated"], flat.inputs[0])
    links.new(flat.outputs[0], noise.inputs["Vector"])
    links.new(noise.outputs[0], where_thick.inputs[0])
    links.new(where_thick.outputs[0], mix.inputs[0])
    links.new(ramp.outputs[0], mix.inputs[1])
    links.new(mix.outputs[0], background.inputs[0])


def _light(kind: str, where: Point, energy: float, colour: Point, toward: Point | None) -> Any:
    data = bpy.data.lights.new("light", kind)
    data.energy, data.color = energy, colour
    made = bpy.data.objects.new("light", data)
    local = Matrix.Translation(where)
    if toward is not None:
        direction = Vector(toward) - Vector(where)
        local = local @ direction.to_track_quat("-Z", "Y").to_matrix().to_4x4()
    made.matrix_world = STAGE.frames[-1] @ local
    bpy.context.collection.objects.link(made)
    return data


WARM: Point = (1.0, 0.86, 0.68)
NEUTRAL: Point = (1.0, 0.94, 0.86)
COOL: Point = (0.86, 0.93, 1.0)


def panel_light(
    x: float,
    y: float,
    z: float,
    power: float,
    *,
    size: float = 1.2,
    colour: Point = NEUTRAL,
    toward: Point | None = None,
    mirrored: bool = True,
) -> None:
    """A square light source (unseen itself), shining down or toward a point; power in watts.

    Mirrors and water show it as a white square unless `mirrored` is false.
    """
    light = _light("AREA", (x, y, z), power, colour, toward)
    light.size = size
    if not mirrored:
        next(made for made in bpy.data.objects if made.data == light).visible_glossy = False


def bulb(x: float, y: float, z: float, power: float, *, colour: Point = WARM, radius: float = 0.08) -> None:
    """A small round light (unseen itself): put it into lamp shades, over candles."""
    _light("POINT", (x, y, z), power, colour, None).shadow_soft_size = radius


def sun(
    strength: float = 3.0, *, from_: Point = (3, 6, 5), colour: Point = (1.0, 0.95, 0.85), soft: float = 2.0
) -> None:
    """Sunlight that shines from a direction towards the middle of the stage; `soft` is its angle in degrees."""
    _light("SUN", from_, strength, colour, (0, 0, 0)).angle = math.radians(soft)


def camera(where: Point, target: Point, *, lens: float = 20.0, exposure: float = 0.0) -> None:
    """Set the viewer's eye and what it looks at; lens in mm (36 mm film): 16 very wide, 24 wide, 35 narrow.

    `exposure` brightens (positive) or darkens the whole picture, in stops.
    """
    data = bpy.data.cameras.new("camera")
    data.lens = lens
    data.clip_start = 0.02
    made = bpy.data.objects.new("camera", data)
    made.location = where
    made.rotation_euler = (Vector(target) - Vector(where)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.collection.objects.link(made)
    bpy.context.scene.camera = made
    bpy.context.scene.view_settings.exposure = exposure


def render(path: str, *, samples: int = 8, percent: int = 100, threads: int = 1) -> None:
    """Render what stands on the stage to a PNG file (Cycles on the CPU, denoised; same input, same pixels)."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_percentage = percent
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, 0
    cycles.use_denoising, cycles.max_bounces, cycles.diffuse_bounces = True, 5, 3
    cycles.transparent_max_bounces, cycles.caustics_reflective, cycles.caustics_refractive = 8, False, False
    cycles.sample_clamp_indirect = 6.0
    scene.view_settings.view_transform, scene.view_settings.look = "AgX", "AgX - Medium High Contrast"
    scene.render.image_settings.file_format, scene.render.filepath = "PNG", path
    bpy.ops.render.render(write_still=True)
