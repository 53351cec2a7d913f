"""The instances of Map World: maps, made from a seed. `ee-gr` has the maps of `ee`, of the same modality.

Both modalities have the same mazes, so that they can be compared: a map in pictures is a map in words turned or
mirrored, in another order and with other rooms, so that who knows one does not know the other. Rooms have categories
of which `assets/` has pictures, each once per map. In `g2x` the experiment is the target's distance from the start: on
(0), close (1–2), far (3–4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from random import Random
from typing import Any

from games.mapworld import room_pictures
from games.mapworld.maps import GRID, Map, Room, grow_map

INSTANCE_COUNT = 10
FILE_VERSIONS = {"text": 1, "picture": 2}
"""The version of the shipped files of a modality."""
SIZES = {
    "small": (4, False),
    "medium": (6, False),
    "large": (8, False),
    "medium-cycle": (6, True),
    "large-cycle": (8, True),
}
"""How many rooms, and whether there is exactly one closed loop."""
DISTANCES = {"on": (0, 0), "close": (1, 2), "far": (3, 4)}
TARGET_ROOMS = 8
TASKS = {"ee": tuple(SIZES), "ee-gr": ("small", "medium", "large"), "g2x": tuple(DISTANCES)}
TITLES = {
    "small": "4 rooms",
    "medium": "6 rooms",
    "large": "8 rooms",
    "medium-cycle": "6 rooms, one closed loop",
    "large-cycle": "8 rooms, one closed loop",
    "on": "the start is the room to find",
    "close": "the room to find is 1 or 2 moves away",
    "far": "the room to find is 3 or 4 moves away",
}


def split_variant(variant: str) -> tuple[str, str]:
    """Return task and modality of a variant: ("ee-gr", "picture")."""
    task, _, modality = variant.rpartition("-")
    return task, modality


def load(data: Any) -> Map:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    try:
        return _parse_map(json.dumps(data))
    except TypeError:  # not JSON, so not from a file; the model says what is wrong
        return Map.model_validate(data)


@lru_cache(maxsize=512)
def _parse_map(text: str) -> Map:
    return Map.model_validate(json.loads(text))


def check(experiment: str, instance: Map) -> str | None:
    """Return why an instance (of any variant) does not belong to an experiment, None when it does."""
    if experiment in SIZES:
        size, has_cycle = SIZES[experiment]
        if len(instance.rooms) != size:
            return f"field rooms: {experiment} has {size} rooms, not {len(instance.rooms)}"
        if instance.cycles != has_cycle:
            return f"field doors: {experiment} has {int(has_cycle)} closed loops, not {instance.cycles}"
        if instance.target is not None:
            return f"field target: {experiment} has no room to find"
    elif experiment in DISTANCES:
        shortest_distance, longest_distance = DISTANCES[experiment]
        distance = instance.distance(instance.start)
        if len(instance.rooms) != TARGET_ROOMS or instance.cycles:
            return f"field rooms: {experiment} has trees of {TARGET_ROOMS} rooms"
        if distance is None or len(instance.targets) != 1:
            return f"field target: {experiment} has exactly one room to find, not {len(instance.targets)}"
        if not shortest_distance <= distance <= longest_distance:
            return (
                f"field target: in {experiment} it is {shortest_distance} to {longest_distance} moves away, "
                f"not {distance}"
            )
    else:
        return f"no experiment {experiment!r}; there are {', '.join((*SIZES, *DISTANCES))}"
    room_names = [room.name.casefold() for room in instance.rooms]
    if instance.kind == "native" and len(set(room_names)) < len(room_names):
        return "field rooms: two rooms of the same category"
    return _picture_problem(instance)


def _picture_problem(instance: Map) -> str | None:
    """Return which picture shows no room of its category, or which room can be taken for the one to find."""
    if instance.kind != "native":
        return None
    for room_number, room in enumerate(instance.rooms):
        if room.picture is not None and room.picture not in room_pictures.pictures_of(room.name):
            return f"field rooms: {room_number}: no picture {room.picture!r} of a {room.name}"
    room_names = [room.name for room in instance.rooms]
    for room in (instance.rooms[room_number] for room_number in instance.targets):
        if room.picture is not None:
            if room.picture not in room_pictures.pictures_of(room.name, is_target=True):
                return f"field target: the picture {room.picture!r} is not easy to tell as a {room.name}"
            if similar_names := room_pictures.look_alikes(room.name, room_names):
                return f"field target: a {room.name} looks like another room of the map: {', '.join(similar_names)}"
    return None


# Making


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/mapworld/VARIANT.json: one room per line, a newline at the end."""
    task, modality = split_variant(variant)
    source_task = "ee" if task == "ee-gr" else task
    experiments = {
        experiment: [
            instance.model_dump(mode="json", exclude={"clembench_instance"})
            for instance in MAKERS[modality](source_task, experiment, seed)
        ]
        for experiment in TASKS[task]
    }
    content = {
        "game": "mapworld",
        "variant": variant,
        "version": FILE_VERSIONS[modality],
        "seed": seed,
        "experiments": experiments,
    }
    text = json.dumps(content, ensure_ascii=False, indent=1)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda match: " ".join(match.group().split()), text)
    return re.sub(r"\{[^{}]*\}", lambda match: " ".join(match.group().split()), text) + "\n"


def _make_text_maps(task: str, experiment: str, seed: int) -> list[Map]:
    """Return INSTANCE_COUNT maps in words, no two with the same shape and start."""
    rng = Random(f"mapworld/{task}/text/{experiment}/{seed}")
    instances: list[Map] = []
    for instance in _generate_maps(experiment, rng):
        shape = _walk_shape(instance)
        if all(shape != _walk_shape(other_instance) for other_instance in instances):
            instances.append(instance)
        if len(instances) == INSTANCE_COUNT:
            return instances
    raise AssertionError("maps never run out")


def _make_picture_maps(task: str, experiment: str, seed: int) -> list[Map]:
    """Return the maps of an experiment in pictures: those in words, turned or mirrored, with other rooms.

    No two have the same shape and start, and as far as possible none has those of a map in words.
    """
    rng = Random(f"mapworld/{task}/picture/{experiment}/{seed}")
    text_maps = _make_text_maps(task, experiment, seed)
    avoided_shapes = {_walk_shape(instance) for instance in text_maps}
    instances: list[Map] = []
    for text_map in rng.sample(text_maps, len(text_maps)):
        turned_maps = [_turn_map(text_map, symmetry) for symmetry in rng.sample(GRID_SYMMETRIES, len(GRID_SYMMETRIES))]
        turned_maps = [turned_map for turned_map in turned_maps if _walk_shape(turned_map) != _walk_shape(text_map)]
        used_shapes = {_walk_shape(instance) for instance in instances}
        turned_map = min(
            turned_maps,
            key=lambda candidate: (_walk_shape(candidate) in used_shapes, _walk_shape(candidate) in avoided_shapes),
        )
        instances.append(_furnish_map(turned_map, {instance.target for instance in instances}, rng))
    return instances


MAKERS: dict[str, Callable[[str, str, int], list[Map]]] = {"text": _make_text_maps, "picture": _make_picture_maps}
"""By modality: what makes the maps of a task and experiment from a seed."""

Symmetry = Callable[[int, int], tuple[int, int]]
LAST_COORDINATE = GRID - 1
GRID_SYMMETRIES: tuple[Symmetry, ...] = (
    lambda x, y: (LAST_COORDINATE - x, y),
    lambda x, y: (x, LAST_COORDINATE - y),
    lambda x, y: (LAST_COORDINATE - x, LAST_COORDINATE - y),
    lambda x, y: (y, x),
    lambda x, y: (LAST_COORDINATE - y, x),
    lambda x, y: (y, LAST_COORDINATE - x),
    lambda x, y: (LAST_COORDINATE - y, LAST_COORDINATE - x),
)
"""The ways to turn or mirror the grid, without the one that leaves it as it is."""


def _turn_map(instance: Map, symmetry: Symmetry) -> Map:
    rooms = []
    for room in instance.rooms:
        x, y = symmetry(room.x, room.y)
        rooms.append(room.model_copy(update={"x": x, "y": y}))
    return instance.model_copy(update={"rooms": tuple(rooms)})


def _furnish_map(instance: Map, earlier_targets: Collection[str | None], rng: Random) -> Map:
    """Return the map with its rooms numbered in another order, of other categories, each with a picture.

    The room to find is of another category than those of earlier maps, and looks like no other room of this map.
    """
    size = len(instance.rooms)
    room_order = rng.sample(range(size), size)
    new_numbers = {room: new_number for new_number, room in enumerate(room_order)}
    target_room = next(iter(instance.targets)) if instance.target is not None else None
    old_names = {room.name for room in instance.rooms}
    unused_categories = [category for category in room_pictures.categories() if category not in old_names]
    new_names = rng.sample(unused_categories, size)
    while target_room is not None and (
        new_names[new_numbers[target_room]] in earlier_targets
        or room_pictures.look_alikes(new_names[new_numbers[target_room]], new_names)
    ):
        new_names = rng.sample(unused_categories, size)
    rooms = [
        Room(
            x=instance.rooms[room].x,
            y=instance.rooms[room].y,
            name=new_name,
            picture=rng.choice(room_pictures.pictures_of(new_name, is_target=room == target_room)),
        )
        for room, new_name in zip(room_order, new_names, strict=True)
    ]
    doors = sorted(tuple(sorted((new_numbers[room_a], new_numbers[room_b]))) for room_a, room_b in instance.doors)
    target = new_names[new_numbers[target_room]] if target_room is not None else None
    return Map.model_validate(
        {"rooms": tuple(rooms), "doors": doors, "start": new_numbers[instance.start], "target": target}
    )


def _walk_shape(instance: Map) -> tuple[Any, ...]:
    """Return what makes two maps the same walk: doors between positions relative to the start."""
    start = instance.rooms[instance.start]
    relative_positions = [(room.x - start.x, room.y - start.y) for room in instance.rooms]
    return tuple(
        sorted(
            tuple(sorted((relative_positions[room_a], relative_positions[room_b]))) for room_a, room_b in instance.doors
        )
    )


def _generate_maps(experiment: str, rng: Random) -> Iterator[Map]:
    import networkx as nx

    size, has_cycle = SIZES.get(experiment, (TARGET_ROOMS, False))
    categories = room_pictures.categories()
    for _ in range(10_000):
        positions, doors = grow_map(size, has_cycle, rng)
        room_names = rng.sample(categories, size)
        rooms = [Room(x=x, y=y, name=room_name) for (x, y), room_name in zip(positions, room_names, strict=True)]
        start, target = rng.randrange(size), None
        if experiment in DISTANCES:
            shortest_distance, longest_distance = DISTANCES[experiment]
            distances = nx.single_source_shortest_path_length(nx.Graph(doors), start)
            target_rooms = [
                room for room in sorted(distances) if shortest_distance <= distances[room] <= longest_distance
            ]
            if not target_rooms:
                continue
            target = room_names[rng.choice(target_rooms)]
        yield Map(rooms=tuple(rooms), doors=tuple(doors), start=start, target=target)
