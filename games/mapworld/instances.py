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
from games.mapworld.maps import GRID_SIZE, Map, Room, generate_map

INSTANCE_COUNT = 10
FILE_VERSIONS = {"text": 1, "picture": 2}
"""The version of the shipped files of a modality."""
MAP_SIZES = {
    "small": (4, False),
    "medium": (6, False),
    "large": (8, False),
    "medium-cycle": (6, True),
    "large-cycle": (8, True),
}
"""How many rooms, and whether there is exactly one closed loop."""
DISTANCE_RANGES = {"on": (0, 0), "close": (1, 2), "far": (3, 4)}
TARGET_MAP_SIZE = 8
EXPERIMENTS_BY_TASK = {"ee": tuple(MAP_SIZES), "ee-gr": ("small", "medium", "large"), "g2x": tuple(DISTANCE_RANGES)}
TITLE_BY_EXPERIMENT = {
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


def load(instance_data: Any) -> Map:
    """Read one instance. Raises pydantic's ValidationError that names the field."""
    try:
        return _parse_map(json.dumps(instance_data))
    except TypeError:  # not JSON, so not from a file; the model says what is wrong
        return Map.model_validate(instance_data)


@lru_cache(maxsize=512)
def _parse_map(map_text: str) -> Map:
    return Map.model_validate(json.loads(map_text))


def check(experiment: str, instance: Map) -> str | None:
    """Return why an instance (of any variant) does not belong to an experiment, None when it does."""
    if experiment in MAP_SIZES:
        room_count, has_cycle = MAP_SIZES[experiment]
        if len(instance.rooms) != room_count:
            return f"field rooms: {experiment} has {room_count} rooms, not {len(instance.rooms)}"
        if instance.cycle_count != has_cycle:
            return f"field doors: {experiment} has {int(has_cycle)} closed loops, not {instance.cycle_count}"
        if instance.target is not None:
            return f"field target: {experiment} has no room to find"
    elif experiment in DISTANCE_RANGES:
        shortest_distance, longest_distance = DISTANCE_RANGES[experiment]
        distance = instance.measure_target_distance(instance.start)
        if len(instance.rooms) != TARGET_MAP_SIZE or instance.cycle_count:
            return f"field rooms: {experiment} has trees of {TARGET_MAP_SIZE} rooms"
        if distance is None or len(instance.target_rooms) != 1:
            return f"field target: {experiment} has exactly one room to find, not {len(instance.target_rooms)}"
        if not shortest_distance <= distance <= longest_distance:
            return (
                f"field target: in {experiment} it is {shortest_distance} to {longest_distance} moves away, "
                f"not {distance}"
            )
    else:
        return f"no experiment {experiment!r}; there are {', '.join((*MAP_SIZES, *DISTANCE_RANGES))}"
    room_names = [room.name.casefold() for room in instance.rooms]
    if instance.kind == "native" and len(set(room_names)) < len(room_names):
        return "field rooms: two rooms of the same category"
    return _find_picture_problem(instance)


def _find_picture_problem(instance: Map) -> str | None:
    """Return which picture shows no room of its category, or which room can be taken for the one to find."""
    if instance.kind != "native":
        return None
    for room_number, room in enumerate(instance.rooms):
        if room.picture is not None and room.picture not in room_pictures.list_pictures(room.name):
            return f"field rooms: {room_number}: no picture {room.picture!r} of a {room.name}"
    room_names = [room.name for room in instance.rooms]
    for room in (instance.rooms[room_number] for room_number in instance.target_rooms):
        if room.picture is not None:
            if room.picture not in room_pictures.list_pictures(room.name, is_target=True):
                return f"field target: the picture {room.picture!r} is not easy to tell as a {room.name}"
            if similar_names := room_pictures.find_look_alikes(room.name, room_names):
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
            for instance in MAKER_BY_MODALITY[modality](source_task, experiment, seed)
        ]
        for experiment in EXPERIMENTS_BY_TASK[task]
    }
    file_content = {
        "game": "mapworld",
        "variant": variant,
        "version": FILE_VERSIONS[modality],
        "seed": seed,
        "experiments": experiments,
    }
    file_text = json.dumps(file_content, ensure_ascii=False, indent=1)
    file_text = re.sub(r"\[[^\[\]{}]*\]", lambda json_match: " ".join(json_match.group().split()), file_text)
    return re.sub(r"\{[^{}]*\}", lambda json_match: " ".join(json_match.group().split()), file_text) + "\n"


def _make_worded_maps(task: str, experiment: str, seed: int) -> list[Map]:
    """Return INSTANCE_COUNT maps in words, no two with the same shape and start."""
    rng = Random(f"mapworld/{task}/text/{experiment}/{seed}")
    instances: list[Map] = []
    for instance in _generate_maps(experiment, rng):
        map_shape = _find_shape(instance)
        if all(map_shape != _find_shape(other_instance) for other_instance in instances):
            instances.append(instance)
        if len(instances) == INSTANCE_COUNT:
            return instances
    raise AssertionError("maps never run out")


def _make_picture_maps(task: str, experiment: str, seed: int) -> list[Map]:
    """Return the maps of an experiment in pictures: those in words, turned or mirrored, with other rooms.

    No two have the same shape and start, and as far as possible none has those of a map in words.
    """
    rng = Random(f"mapworld/{task}/picture/{experiment}/{seed}")
    worded_maps = _make_worded_maps(task, experiment, seed)
    avoided_shapes = {_find_shape(instance) for instance in worded_maps}
    instances: list[Map] = []
    for worded_map in rng.sample(worded_maps, len(worded_maps)):
        transformed_maps = [
            _apply_symmetry(worded_map, symmetry) for symmetry in rng.sample(GRID_SYMMETRIES, len(GRID_SYMMETRIES))
        ]
        transformed_maps = [
            transformed_map
            for transformed_map in transformed_maps
            if _find_shape(transformed_map) != _find_shape(worded_map)
        ]
        used_shapes = {_find_shape(instance) for instance in instances}
        transformed_map = min(
            transformed_maps,
            key=lambda candidate: (_find_shape(candidate) in used_shapes, _find_shape(candidate) in avoided_shapes),
        )
        instances.append(_assign_room_categories(transformed_map, {instance.target for instance in instances}, rng))
    return instances


MAKER_BY_MODALITY: dict[str, Callable[[str, str, int], list[Map]]] = {
    "text": _make_worded_maps,
    "picture": _make_picture_maps,
}
"""By modality: what makes the maps of a task and experiment from a seed."""

Symmetry = Callable[[int, int], tuple[int, int]]
LAST_COORDINATE = GRID_SIZE - 1
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


def _apply_symmetry(instance: Map, symmetry: Symmetry) -> Map:
    rooms = []
    for room in instance.rooms:
        x, y = symmetry(room.x, room.y)
        rooms.append(room.model_copy(update={"x": x, "y": y}))
    return instance.model_copy(update={"rooms": tuple(rooms)})


def _assign_room_categories(instance: Map, earlier_targets: Collection[str | None], rng: Random) -> Map:
    """Return the map with its rooms numbered in another order, of other categories, each with a picture.

    The room to find is of another category than those of earlier maps, and looks like no other room of this map.
    """
    room_count = len(instance.rooms)
    room_order = rng.sample(range(room_count), room_count)
    new_numbers = {room: new_number for new_number, room in enumerate(room_order)}
    target_room = next(iter(instance.target_rooms)) if instance.target is not None else None
    old_names = {room.name for room in instance.rooms}
    unused_categories = [category for category in room_pictures.list_categories() if category not in old_names]
    new_names = rng.sample(unused_categories, room_count)
    while target_room is not None and (
        new_names[new_numbers[target_room]] in earlier_targets
        or room_pictures.find_look_alikes(new_names[new_numbers[target_room]], new_names)
    ):
        new_names = rng.sample(unused_categories, room_count)
    rooms = [
        Room(
            x=instance.rooms[room].x,
            y=instance.rooms[room].y,
            name=new_name,
            picture=rng.choice(room_pictures.list_pictures(new_name, is_target=room == target_room)),
        )
        for room, new_name in zip(room_order, new_names, strict=True)
    ]
    doors = sorted(tuple(sorted((new_numbers[room_a], new_numbers[room_b]))) for room_a, room_b in instance.doors)
    target_name = new_names[new_numbers[target_room]] if target_room is not None else None
    return Map.model_validate(
        {"rooms": tuple(rooms), "doors": doors, "start": new_numbers[instance.start], "target": target_name}
    )


def _find_shape(instance: Map) -> tuple[Any, ...]:
    """Return what makes two maps the same walk: doors between positions relative to the start."""
    start_room = instance.rooms[instance.start]
    relative_positions = [(room.x - start_room.x, room.y - start_room.y) for room in instance.rooms]
    return tuple(
        sorted(
            tuple(sorted((relative_positions[room_a], relative_positions[room_b]))) for room_a, room_b in instance.doors
        )
    )


def _generate_maps(experiment: str, rng: Random) -> Iterator[Map]:
    import networkx as nx

    room_count, has_cycle = MAP_SIZES.get(experiment, (TARGET_MAP_SIZE, False))
    categories = room_pictures.list_categories()
    for _ in range(10_000):
        positions, doors = generate_map(room_count, has_cycle, rng)
        room_names = rng.sample(categories, room_count)
        rooms = [Room(x=x, y=y, name=room_name) for (x, y), room_name in zip(positions, room_names, strict=True)]
        start_number, target_name = rng.randrange(room_count), None
        if experiment in DISTANCE_RANGES:
            shortest_distance, longest_distance = DISTANCE_RANGES[experiment]
            distances = nx.single_source_shortest_path_length(nx.Graph(doors), start_number)
            target_rooms = [
                room for room in sorted(distances) if shortest_distance <= distances[room] <= longest_distance
            ]
            if not target_rooms:
                continue
            target_name = room_names[rng.choice(target_rooms)]
        yield Map(rooms=tuple(rooms), doors=tuple(doors), start=start_number, target=target_name)
