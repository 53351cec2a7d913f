"""Rooms that differ from a drawn room in one or two things: `rooms-similar/bedroom-6` is `rooms/bedroom-6`, changed.

A twin is drawn like its room, and the finished stage is then changed: a thing is taken away or has another colour.
Things keep their ids. The `family` of a twin is the id of its room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import bpy

from draw import materials
from draw.rooms import Category, categories
from draw.stage import STAGE, Thing, note

VERSION = 1


@dataclass(frozen=True)
class Change:
    """One change of the finished stage: its kind and the thing (format: README.md); `apply` returns it in words."""

    kind: str
    object: str
    apply: Callable[[Thing], str]


def without(id: str) -> Change:
    """Take a thing away, with everything on it."""

    def apply(thing: Thing) -> str:
        removed = [other for other in STAGE.things if thing in _supports(other)]
        for mesh in [mesh for other in removed for mesh in other.meshes]:
            bpy.data.objects.remove(mesh)
        STAGE.things = [other for other in STAGE.things if other not in removed]
        return f"there is no {thing.name}"

    return Change("removed", id, apply)


def recoloured(id: str, old: str, new: str) -> Change:
    """Give a thing another colour where it has the old one. Raises ValueError if no part of it has."""

    def apply(thing: Thing) -> str:
        made = {material: key for key, material in materials._made.items()}
        changed = 0
        for slots in (mesh.data.materials for mesh in thing.meshes):
            for slot, material in enumerate(slots):
                make, arguments, options = made.get(material, ("", (), ()))
                if old in (*arguments, *dict(options).values()):
                    new_arguments = [new if argument == old else argument for argument in arguments]
                    new_options = {name: new if value == old else value for name, value in options}
                    slots[slot] = getattr(materials, make)(*new_arguments, **new_options)
                    changed += 1
        if not changed or old not in thing.attributes:
            raise ValueError(f"no part of {id} is {old}: {thing.attributes}")
        thing.attributes[thing.attributes.index(old)] = new
        return f"the {thing.name} is {new} instead of {old}"

    return Change("colour", id, apply)


def _thing(id: str) -> Thing:
    return next(thing for thing in STAGE.things if thing.id == id)


def _supports(thing: Thing | None) -> list[Thing]:
    """Return a thing, what it is on, what that is on, and so on."""
    return [thing, *_supports(thing.on)] if thing else []


TWINS: dict[str, tuple[Change, ...]] = {
    "bathroom-6": (recoloured("bath mat 1", "orange", "blue"), without("step stool 1")),
    "bedroom-1": (recoloured("bed 1", "red", "blue"), without("plant 1")),
    "bedroom-2": (recoloured("armchair 1", "yellow", "red"), without("footstool 1")),
    "bedroom-3": (without("bench 1"), without("vase 1")),
    "bedroom-4": (recoloured("rug 1", "light green", "yellow"), without("laundry basket 1")),
    "bedroom-5": (recoloured("beanbag 1", "orange", "green"), without("plant 2")),
    "bedroom-6": (recoloured("rug 1", "white", "red"), without("mirror 1")),
    "dining-room-2": (without("plant 1"),),
    "garage-1": (recoloured("car 1", "red", "yellow"), without("petrol can 1")),
    "gym-5": (recoloured("exercise ball 1", "yellow", "blue"), without("plant 1")),
    "hospital-room-1": (recoloured("armchair 1", "green", "red"),),
    "kitchen-1": (recoloured("rug 1", "light blue", "red"), without("clock 1")),
    "library-5": (recoloured("beanbag 1", "orange", "green"),),
    "living-room-1": (recoloured("armchair 1", "cyan", "red"), without("floor lamp 1")),
    "meeting-room-4": (without("plant 1"), without("flip chart 1")),
    "music-room-1": (without("cello 1"),),
    "nursery-6": (recoloured("armchair 1", "orange", "blue"), without("teddy bear 1")),
    "study-6": (recoloured("office chair 1", "green", "red"), without("globe 1")),
    "workshop-5": (recoloured("tool box 1", "yellow", "red"),),
}
"""The changes of each twin, by the room that it is a twin of."""


def jobs(job: Callable[..., Any]) -> list[Any]:
    """Return a job for every twin."""
    found = []
    by_name = {category.name.replace(" ", "-").replace("é", "e"): category for category in categories().values()}
    for name, changes in TWINS.items():
        category_name, _, take = name.rpartition("-")
        category = by_name[category_name]

        def draw(
            category: Category = category, take: int = int(take), name: str = name, changes: Any = changes
        ) -> None:
            category.draw(Random(f"{category.name}/{take}"), take)
            words = " and ".join(change.apply(_thing(change.object)) for change in changes)
            first = changes[0]
            note(family=f"rooms/{name}", change={"kind": first.kind, "object": first.object, "words": words})

        version = 100 * VERSION + category.version
        found.append(job(f"rooms-similar/{name}", "room", category.name, "twins", version, int(take), draw))
    return found
