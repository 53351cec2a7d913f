"""The instances of Map World: maps, made from a seed. `ee-gr` has the maps of `ee`, of the same modality.

In both modalities rooms have categories of which `assets/` has pictures, each once per map. In `g2x` the experiment is
the target's distance from the start: on (0), close (1–2), far (3–4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any

from games.common.pictures import LIBRARY, pictures_of_category
from games.mapworld.maps import Map, Room, grow_map

PER_EXPERIMENT = 10
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
        return _parse(json.dumps(data))
    except TypeError:  # not JSON, so not from a file; the model says what is wrong
        return Map.model_validate(data)


@lru_cache(maxsize=512)
def _parse(text: str) -> Map:
    return Map.model_validate(json.loads(text))


def check(experiment: str, instance: Map) -> str | None:
    """Return why an instance (of any variant) does not belong to an experiment, None when it does."""
    if experiment in SIZES:
        size, cycle = SIZES[experiment]
        if len(instance.rooms) != size:
            return f"field rooms: {experiment} has {size} rooms, not {len(instance.rooms)}"
        if instance.cycles != cycle:
            return f"field doors: {experiment} has {int(cycle)} closed loops, not {instance.cycles}"
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
    names = [room.name.casefold() for room in instance.rooms]
    if instance.kind == "native" and len(set(names)) < len(names):
        return "field rooms: two rooms of the same category"
    return _picture_problem(instance)


def _picture_problem(instance: Map) -> str | None:
    """Return which picture is not in the library or does not show its room's category, None when all do."""
    for number, room in enumerate(instance.rooms):
        if room.picture is not None and instance.kind == "native":
            if room.picture not in LIBRARY.ids(category=room.name):
                return f"field rooms: {number}: no picture {room.picture!r} of a {room.name}"
    return None


# Making


def make_file(variant: str, seed: int = 0) -> str:
    """Return the text of instances/mapworld/VARIANT.json: one room per line, a newline at the end."""
    task, modality = split_variant(variant)
    source = "ee" if task == "ee-gr" else task
    experiments = {
        experiment: [
            instance.model_dump(mode="json", exclude={"clembench_instance"})
            for instance in _make_experiment(source, modality, experiment, seed)
        ]
        for experiment in TASKS[task]
    }
    content = {"game": "mapworld", "variant": variant, "version": 1, "seed": seed, "experiments": experiments}
    text = json.dumps(content, ensure_ascii=False, indent=1)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda match: " ".join(match.group().split()), text)
    return re.sub(r"\{[^{}]*\}", lambda match: " ".join(match.group().split()), text) + "\n"


def _make_experiment(task: str, modality: str, experiment: str, seed: int) -> list[Map]:
    """Return PER_EXPERIMENT maps of an experiment, no two with the same shape and start."""
    rng = Random(f"mapworld/{task}/{modality}/{experiment}/{seed}")
    instances: list[Map] = []
    for instance in _generate_maps(experiment, modality == "picture", rng):
        shape = _shape(instance)
        if all(shape != _shape(other_instance) for other_instance in instances):
            instances.append(instance)
        if len(instances) == PER_EXPERIMENT:
            return instances
    raise AssertionError("maps never run out")


def _shape(instance: Map) -> tuple[Any, ...]:
    """Return what makes two maps the same walk: doors between positions relative to the start."""
    start = instance.rooms[instance.start]
    relative_positions = [(room.x - start.x, room.y - start.y) for room in instance.rooms]
    return tuple(
        sorted(
            tuple(sorted((relative_positions[room_a], relative_positions[room_b]))) for room_a, room_b in instance.doors
        )
    )


def _generate_maps(experiment: str, pictures: bool, rng: Random) -> Iterator[Map]:
    import networkx as nx

    size, cycle = SIZES.get(experiment, (TARGET_ROOMS, False))
    categories = sorted({LIBRARY.description(id).category or "" for id in LIBRARY.ids(kind="room")})
    for _ in range(10_000):
        positions, doors = grow_map(size, cycle, rng)
        names = rng.sample(categories, size)
        rooms = [
            Room(x=x, y=y, name=name, picture=rng.choice(pictures_of_category(name)) if pictures else None)
            for (x, y), name in zip(positions, names, strict=True)
        ]
        start, target = rng.randrange(size), None
        if experiment in DISTANCES:
            shortest_distance, longest_distance = DISTANCES[experiment]
            distances = nx.single_source_shortest_path_length(nx.Graph(doors), start)
            options = [room for room in sorted(distances) if shortest_distance <= distances[room] <= longest_distance]
            if not options:
                continue
            target = names[rng.choice(options)]
        yield Map(rooms=tuple(rooms), doors=tuple(doors), start=start, target=target)
