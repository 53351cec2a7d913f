"""What surfaces are made of. A material is made once per stage and shared; colours have names viewers would use."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import bpy

RGB = tuple[float, float, float]

COLOURS: dict[str, RGB] = {
    "white": (0.84, 0.84, 0.82),
    "light grey": (0.5, 0.5, 0.5),
    "grey": (0.24, 0.24, 0.25),
    "dark grey": (0.07, 0.07, 0.075),
    "black": (0.012, 0.012, 0.014),
    "red": (0.56, 0.03, 0.03),
    "dark red": (0.22, 0.015, 0.02),
    "pink": (0.8, 0.3, 0.4),
    "orange": (0.85, 0.24, 0.03),
    "yellow": (0.85, 0.6, 0.06),
    "beige": (0.66, 0.55, 0.4),
    "brown": (0.2, 0.1, 0.045),
    "light brown": (0.42, 0.25, 0.12),
    "dark brown": (0.075, 0.035, 0.016),
    "green": (0.06, 0.3, 0.07),
    "light green": (0.36, 0.58, 0.3),
    "dark green": (0.02, 0.1, 0.04),
    "cyan": (0.06, 0.46, 0.5),
    "light blue": (0.36, 0.58, 0.8),
    "blue": (0.04, 0.15, 0.55),
    "dark blue": (0.015, 0.04, 0.16),
    "purple": (0.22, 0.05, 0.36),
    "light purple": (0.5, 0.38, 0.68),
}
"""Linear RGB by name. The names are what descriptions say."""

_made: dict[tuple[Any, ...], Any] = {}
M = TypeVar("M", bound=Callable[..., Any])


def forget() -> None:
    """Forget the materials of the last stage."""
    _made.clear()


def _once(make: M) -> M:
    """Make a material once for the same arguments.

    For the description it keeps `look`, the function that made it, `colour`, the name of what it is made of, `second`,
    the name of the other colour of stripes and checks, and `base`, its linear RGB unless it is of two colours.
    """
    signature = inspect.signature(make)

    @wraps(make)
    def get(*args: Any, **named: Any) -> Any:
        key = (make.__name__, args, tuple(sorted(named.items())))
        if key not in _made:
            _made[key] = make(*args, **named)
            bound = signature.bind(*args, **named)
            bound.apply_defaults()
            first = next(iter(bound.arguments.values()), "")
            second = bound.arguments.get("second", "")
            _made[key]["look"] = make.__name__
            _made[key]["colour"] = first if isinstance(first, str) else ""
            _made[key]["second"] = second if isinstance(second, str) else ""
            plain = [rgb(colour) for colour in (first, second) if isinstance(colour, tuple) or colour in COLOURS]
            if plain and (make.__name__ == "mottled" or not second):
                _made[key]["base"] = [sum(parts) / len(plain) for parts in zip(*plain, strict=True)]
        return _made[key]

    return get  # type: ignore[return-value]


def rgb(colour: str | RGB) -> RGB:
    """Return the linear RGB of a colour name, or the triple itself."""
    return COLOURS[colour] if isinstance(colour, str) else colour


def _surface(colour: RGB, rough: float, metallic: float = 0.0) -> tuple[Any, Any, Any]:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Metallic"].default_value = metallic
    return material, material.node_tree, shader


def _texture(tree: Any, kind: str, size: RGB | float, **inputs: float) -> Any:
    """Add a texture node in object coordinates; `size` stretches it per axis."""
    where, mapping = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    texture = tree.nodes.new(kind)
    mapping.inputs["Scale"].default_value = size if isinstance(size, tuple) else (size, size, size)
    tree.links.new(where.outputs["Object"], mapping.inputs[0])
    tree.links.new(mapping.outputs[0], texture.inputs[0])
    for name, value in inputs.items():
        texture.inputs[name.replace("_", " ").title()].default_value = value
    return texture


def _between(tree: Any, shader: Any, value: Any, low: RGB, high: RGB) -> None:
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (*low, 1), (*high, 1)
    tree.links.new(value, ramp.inputs[0])
    tree.links.new(ramp.outputs[0], shader.inputs["Base Color"])


def _bumps(tree: Any, shader: Any, value: Any, strength: float) -> None:
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    tree.links.new(value, bump.inputs["Height"])
    tree.links.new(bump.outputs[0], shader.inputs["Normal"])


def _shade(colour: RGB, by: float) -> RGB:
    return (colour[0] * by, colour[1] * by, colour[2] * by)


@_once
def paint(colour: str | RGB, rough: float = 0.5) -> Any:
    """Plain paint, plastic (rough 0.2–0.4), porcelain (0.08), rubber (0.8), plaster (0.9)."""
    return _surface(rgb(colour), rough)[0]


@_once
def metal(kind: str = "steel", rough: float = 0.25) -> Any:
    """Bare metal: steel, chrome, brass, copper, iron, gold; or a colour name for coloured metal."""
    bare = {
        "steel": (0.62, 0.62, 0.64),
        "chrome": (0.85, 0.85, 0.87),
        "brass": (0.72, 0.5, 0.2),
        "copper": (0.72, 0.36, 0.2),
        "iron": (0.12, 0.12, 0.125),
        "gold": (0.85, 0.6, 0.18),
    }
    return _surface(bare.get(kind) or rgb(kind), 0.08 if kind == "chrome" else rough, 1.0)[0]


WOODS: dict[str, RGB] = {
    "oak": (0.46, 0.28, 0.13),
    "pine": (0.68, 0.47, 0.24),
    "walnut": (0.17, 0.08, 0.035),
    "cherry": (0.36, 0.13, 0.055),
    "birch": (0.76, 0.6, 0.4),
    "ebony": (0.035, 0.025, 0.02),
    "white": (0.76, 0.75, 0.72),
    "grey": (0.36, 0.33, 0.3),
}


@_once
def wood(kind: str = "oak", rough: float = 0.42, along: str = "x") -> Any:
    """Wood with grain along one axis of the object; kinds in WOODS."""
    colour = WOODS[kind]
    material, tree, shader = _surface(colour, rough)
    size = {"x": (0.5, 7.0, 7.0), "y": (7.0, 0.5, 7.0), "z": (7.0, 7.0, 0.5)}[along]
    grain = _texture(tree, "ShaderNodeTexNoise", size, scale=2.2, detail=6, roughness=0.65, distortion=0.6)
    _between(tree, shader, grain.outputs[0], _shade(colour, 0.55), _shade(colour, 1.25))
    return material


@_once
def fabric(colour: str | RGB, weave: float = 90.0) -> Any:
    """Cloth: rough, with a fine weave."""
    material, tree, shader = _surface(rgb(colour), 0.95)
    noise = _texture(tree, "ShaderNodeTexNoise", 1.0, scale=weave, detail=2)
    _between(tree, shader, noise.outputs[0], _shade(rgb(colour), 0.78), _shade(rgb(colour), 1.15))
    _bumps(tree, shader, noise.outputs[0], 0.25)
    return material


@_once
def striped(first: str | RGB, second: str | RGB, width: float = 0.1, axis: str = "x") -> Any:
    """Cloth or paper in stripes of a width, one after the other along an axis."""
    material, tree, shader = _surface(rgb(first), 0.9)
    wave = _texture(tree, "ShaderNodeTexWave", 1.0, scale=0.314 / (2 * width) * 2)
    wave.bands_direction = axis.upper()
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    ramp.color_ramp.elements[0].color = (*rgb(first), 1)
    ramp.color_ramp.elements[1].color, ramp.color_ramp.elements[1].position = (*rgb(second), 1), 0.5
    tree.links.new(wave.outputs[0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], shader.inputs["Base Color"])
    return material


@_once
def tiles(
    colour: str | RGB, joint: str | RGB = "grey", size: float = 0.2, rough: float = 0.2, plane: str = "xy"
) -> Any:
    """Square tiles with joints, in plane "xy" (floor), "xz" (back wall) or "yz" (side wall)."""
    return _bricks(rgb(colour), rgb(joint), size, size, 0.0, 0.02, rough, plane, 0.94)


@_once
def planks(kind: str = "oak", width: float = 0.14, rough: float = 0.35, *, plane: str = "xy") -> Any:
    """Boards along the first axis of a plane: a floor ("xy") or panelled walls ("xz"); kinds in WOODS."""
    colour = WOODS[kind]
    return _bricks(colour, _shade(colour, 0.35), width * 9, width, 0.37, 0.012, rough, plane, 0.8)


@_once
def bricks(colour: str | RGB = (0.36, 0.12, 0.07), joint: str | RGB = "light grey", plane: str = "xz") -> Any:
    """A brick wall."""
    return _bricks(rgb(colour), rgb(joint), 0.24, 0.08, 0.5, 0.08, 0.85, plane, 0.7)


def _bricks(
    colour: RGB,
    joint: RGB,
    width: float,
    height: float,
    offset: float,
    gap: float,
    rough: float,
    plane: str,
    other: float,
) -> Any:
    material, tree, shader = _surface(colour, rough)
    where = tree.nodes.new("ShaderNodeTexCoord")
    split, join = tree.nodes.new("ShaderNodeSeparateXYZ"), tree.nodes.new("ShaderNodeCombineXYZ")
    texture = tree.nodes.new("ShaderNodeTexBrick")
    texture.offset, texture.squash = offset, 1.0
    tree.links.new(where.outputs["Object"], split.inputs[0])
    for axis, target in zip(plane.upper(), ("X", "Y"), strict=True):
        tree.links.new(split.outputs[axis], join.inputs[target])
    tree.links.new(join.outputs[0], texture.inputs["Vector"])
    settings = {
        "Scale": 1.0,
        "Mortar Size": gap * height / 2,
        "Mortar Smooth": 0.1,
        "Bias": 0.0,
        "Brick Width": width,
        "Row Height": height,
    }
    for name, value in settings.items():
        texture.inputs[name].default_value = value
    texture.inputs["Color1"].default_value = (*colour, 1)
    texture.inputs["Color2"].default_value = (*_shade(colour, other), 1)
    texture.inputs["Mortar"].default_value = (*joint, 1)
    tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


@_once
def facade(
    wall: str | RGB, pane: str | RGB = "dark blue", other: str | RGB | None = None, *,
    width: float = 2.2, height: float = 3.0, glow: float = 0.0,
) -> Any:  # fmt: skip
    """The outside of a distant building: a grid of windows of one colour or two; with `glow` they are lit."""
    material, tree, shader = _surface(rgb(wall), 0.6)
    where, split = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeSeparateXYZ")
    around, join = tree.nodes.new("ShaderNodeMath"), tree.nodes.new("ShaderNodeCombineXYZ")
    small, texture = tree.nodes.new("ShaderNodeMapping"), tree.nodes.new("ShaderNodeTexBrick")
    texture.offset, texture.squash = 0.0, 1.0
    small.inputs["Scale"].default_value = (0.1, 0.1, 0.1)  # so that the wide walls stay within the joint's limits
    tree.links.new(where.outputs["Object"], split.inputs[0])
    tree.links.new(split.outputs["X"], around.inputs[0])
    tree.links.new(split.outputs["Y"], around.inputs[1])
    tree.links.new(around.outputs[0], join.inputs["X"])
    tree.links.new(split.outputs["Z"], join.inputs["Y"])
    tree.links.new(join.outputs[0], small.inputs[0])
    tree.links.new(small.outputs[0], texture.inputs["Vector"])
    settings = {"Scale": 1.0, "Mortar Size": 0.024 * width, "Brick Width": width / 10, "Row Height": height / 10}
    for name, value in {**settings, "Mortar Smooth": 0.0, "Bias": 0.35 if other else 0.0}.items():
        texture.inputs[name].default_value = value
    texture.inputs["Color1"].default_value = (*rgb(pane), 1)
    texture.inputs["Color2"].default_value = (*rgb(other or pane), 1)
    texture.inputs["Mortar"].default_value = (*rgb(wall), 1)
    tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    if glow:
        tree.links.new(texture.outputs["Color"], shader.inputs["Emission Color"])
        shader.inputs["Emission Strength"].default_value = glow
    return material


@_once
def checks(first: str | RGB, second: str | RGB, size: float = 0.3, rough: float = 0.3) -> Any:
    """A chequered surface."""
    material, tree, shader = _surface(rgb(first), rough)
    board = _texture(tree, "ShaderNodeTexChecker", 1.0, scale=1 / size)
    board.inputs["Color1"].default_value, board.inputs["Color2"].default_value = (*rgb(first), 1), (*rgb(second), 1)
    tree.links.new(board.outputs["Color"], shader.inputs["Base Color"])
    return material


@_once
def mottled(first: str | RGB, second: str | RGB, size: float = 0.1, rough: float = 0.8, bump: float = 0.0) -> Any:
    """Two colours in blotches of about a size: stone, concrete, carpet, grass, paintings; `bump` makes it uneven."""
    material, tree, shader = _surface(rgb(first), rough)
    noise = _texture(tree, "ShaderNodeTexNoise", 1.0, scale=1 / size, detail=5)
    _between(tree, shader, noise.outputs[0], rgb(first), rgb(second))
    if bump:
        _bumps(tree, shader, noise.outputs[0], bump)
    return material


@_once
def patches(first: str | RGB, second: str | RGB, size: float = 0.1, share: float = 0.5, rough: float = 0.4) -> Any:
    """Two colours with sharp borders, blotches of about a size (a globe, marble-like inlays); `share` of the first."""
    material, tree, shader = _surface(rgb(first), rough)
    noise = _texture(tree, "ShaderNodeTexNoise", 1.0, scale=1 / size, detail=3)
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    ramp.color_ramp.elements[0].color = (*rgb(first), 1)
    ramp.color_ramp.elements[1].color, ramp.color_ramp.elements[1].position = (*rgb(second), 1), share
    tree.links.new(noise.outputs[0], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], shader.inputs["Base Color"])
    return material


@_once
def concrete(colour: str | RGB = (0.3, 0.3, 0.29)) -> Any:
    """Bare concrete."""
    return mottled(_shade(rgb(colour), 0.8), _shade(rgb(colour), 1.15), 0.35, 0.85, 0.05)


@_once
def carpet(colour: str | RGB) -> Any:
    """A deep, even carpet."""
    return mottled(_shade(rgb(colour), 0.75), _shade(rgb(colour), 1.1), 0.012, 1.0, 0.4)


@_once
def grass() -> Any:
    """A lawn."""
    return mottled((0.04, 0.16, 0.02), (0.13, 0.3, 0.05), 0.05, 0.95, 0.5)


def leaf(shade: float = 1.0) -> Any:
    """Leaves; a shade above 1 is lighter."""
    return paint((0.045 * shade, 0.2 * shade, 0.04 * shade), 0.6)


@_once
def glass(tint: RGB = (1.0, 1.0, 1.0), rough: float = 0.0) -> Any:
    """Clear or tinted thin glass: mostly lets light through and mirrors a little (no caustics, quick to render)."""
    material = bpy.data.materials.new("material")
    material["clear"] = True  # describe.py looks through it
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    out, mix = tree.nodes.new("ShaderNodeOutputMaterial"), tree.nodes.new("ShaderNodeMixShader")
    clear, mirror = tree.nodes.new("ShaderNodeBsdfTransparent"), tree.nodes.new("ShaderNodeBsdfGlossy")
    clear.inputs[0].default_value = (*tint, 1)
    mirror.inputs["Roughness"].default_value = max(rough, 0.02)
    fresnel = tree.nodes.new("ShaderNodeLayerWeight")
    fresnel.inputs[0].default_value = 0.25
    tree.links.new(fresnel.outputs["Facing"], mix.inputs[0])
    tree.links.new(clear.outputs[0], mix.inputs[1])
    tree.links.new(mirror.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], out.inputs[0])
    return material


@_once
def water(tint: RGB = (0.08, 0.42, 0.5)) -> Any:
    """A water surface with small waves."""
    material, tree, shader = _surface(tint, 0.04)
    noise = _texture(tree, "ShaderNodeTexNoise", 1.0, scale=4.0, detail=2)
    _bumps(tree, shader, noise.outputs[0], 0.12)
    return material


@_once
def pool_water(tint: RGB = (0.62, 0.93, 0.97)) -> Any:
    """Clear water with small waves, through which the bottom is seen."""
    material = glass.__wrapped__(tint)
    tree = material.node_tree
    for node in tree.nodes:
        if node.bl_idname == "ShaderNodeBsdfGlossy":
            noise = _texture(tree, "ShaderNodeTexNoise", 1.0, scale=2.2, detail=3)
            _bumps(tree, node, noise.outputs[0], 0.3)
        if node.bl_idname == "ShaderNodeLayerWeight":
            node.inputs[0].default_value = 0.3
    return material


@_once
def mirror() -> Any:
    """A mirror."""
    return _surface((0.9, 0.92, 0.93), 0.02, 1.0)[0]


@_once
def glow(colour: str | RGB = (1.0, 0.85, 0.6), strength: float = 2.0) -> Any:
    """A surface that shines: lamp shades (1–3), tubes and lamps (4–10), screens (1)."""
    material, _, shader = _surface(rgb(colour), 0.6)
    shader.inputs["Emission Color"].default_value = (*rgb(colour), 1)
    shader.inputs["Emission Strength"].default_value = strength
    return material
