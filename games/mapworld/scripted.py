"""The scripted walkers of Map World.

`scripted` reads its own conversation and keeps a map of what it was told; a room's picture it knows by the picture's
description, while it is shown. `optimal` knows the whole map: it is offered only where nobody plays against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine.core.events import Json
from engine.core.player import Player, Reply
from engine.core.replies import JsonObject, ReplyFormat
from engine.core.views import Message, SeatView
from games.common.language.wording import add_article
from games.common.pictures import PictureDescription, PictureObject
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE
from games.mapworld.replies import WAYS
from games.mapworld.walking import first_steps, shortest_walk

Place = tuple[int, int]

_EXITS = re.compile(r"From here you can go ([a-z ,]+)\.")
_ROOM = re.compile(r"(?:You are in|come to|and enter|still in) (?:an? |the )?([^.]+)\.")
_CLOSED = "There is no door"
_TARGET = re.compile(r"Find (?:an? |the )?(.+?) (?:with|in) as few moves")


@dataclass
class Memory:
    """What a walker knows: positions relative to its start, the doors of each visited one, and names."""

    at: Place = (0, 0)
    doors: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    names: dict[Place, str] = field(default_factory=dict)
    target: str | None = None

    @classmethod
    def of(cls, view: SeatView) -> Memory:
        """Return what a conversation has told so far."""
        memory = cls()
        way: str | None = None
        for message in view.messages:
            if message.role == "assistant":
                way, name = _read_own_reply(message)
                memory.names.setdefault(memory.at, name)
                continue
            memory._hear(message, way)
        return memory

    def _hear(self, message: Message, way: str | None) -> None:
        text = message.text()
        if way is not None and not any(part.startswith(_CLOSED) for part in message.content_parts(str)):
            self.at = _next(self.at, way)
        if target := _TARGET.search(text):
            self.target = target[1]
        # the first prompt may have an example walk, so the last match is the walker's own
        if exits := _EXITS.findall(text):
            self.doors[self.at] = tuple(way for way in WAYS if re.search(rf"\b{way}\b", exits[-1]))
        if rooms := [room for room in _ROOM.findall(text) if not room.startswith("same room")]:
            self.names[self.at] = rooms[-1]

    @property
    def exits(self) -> dict[Place, dict[str, Place]]:
        """Every door known, from both sides."""
        exits: dict[Place, dict[str, Place]] = {}
        for place, ways in self.doors.items():
            for way in ways:
                other = _next(place, way)
                exits.setdefault(place, {})[way] = other
                exits.setdefault(other, {})[OPPOSITE[way]] = place
        return exits

    @property
    def unvisited(self) -> list[Place]:
        """The places known of and not visited, in the order they came into sight."""
        return [place for place in self.exits if place not in self.doors]

    def sketch(self) -> Json:
        """Return the map of the visited rooms as `ee-gr` asks for it, rooms of the same name numbered."""
        labels: dict[Place, str] = {}
        for place in self.doors:
            name = self.names.get(place) or "room"
            number = sum(self.names.get(other) == self.names.get(place) for other in labels) + 1
            labels[place] = name if number == 1 else f"{name} {number}"
        edges: dict[str, list[list[str]]] = {way: [] for way in WAYS}
        for place, ways in self.exits.items():
            for way, other in ways.items():
                if way in ("north", "east") and place in labels and other in labels:
                    edges[way].append([labels[place], labels[other]])
        return {"nodes": list(labels.values()), "edges": edges}


def _next(place: Place, way: str) -> Place:
    dx, dy = DIRECTIONS[way]
    return place[0] + dx, place[1] + dy


def _read_own_reply(message: Message) -> tuple[str | None, str]:
    """Return the way that an own reply takes, None if it takes none, and the name that it gives the room."""
    text = message.text().strip()
    action, description = text, ""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    match values:
        case {"action": str(action), "description": str(description)}:
            pass
        case {"action": str(action)}:
            pass
    name = re.match(r"This is an? ([^.,]+?)(?: with .*)?\.", description)
    way = re.fullmatch(r"go:\s*(north|east|south|west)", action.strip(), re.IGNORECASE)
    return way[1].lower() if way else None, name[1] if name else ""


def _compose(reply_format: ReplyFormat[Any], action: str, description: str, sketch: Callable[[], Json]) -> str:
    """Return the reply in the format asked for."""
    text = "DONE" if action == "done" else f"GO: {action}"
    if not isinstance(reply_format, JsonObject):
        return text
    values: dict[str, Any] = {"description": description, "action": text}
    return json.dumps({name: sketch() if name == "graph" else values[name] for name, _ in reply_format.members})


def _picture(view: SeatView) -> PictureDescription | None:
    """Return the description of the picture that is shown now, None where rooms are told in words."""
    pictures = view.messages[-1].pictures
    if not pictures:
        return None
    return PictureDescription.model_validate({"id": "", **view.picture(pictures[-1]).description})


def _describe(picture: PictureDescription | None) -> str:
    if picture is None:
        return ""
    name = picture.category or "room"
    by_size = sorted(picture.objects, key=lambda entry: -entry.box[2] * entry.box[3] if entry.box else 0)
    phrases = list(dict.fromkeys(_with_article(entry) for entry in by_size))[:2]
    start = f"This is {add_article(name)}"
    return f"{start} with {' and '.join(phrases)}." if phrases else f"{start}."


def _with_article(entry: PictureObject) -> str:
    words = " ".join([*entry.attributes[:1], entry.name])
    return words if words.endswith("s") and not words.endswith("ss") else add_article(words)


class Scripted(Player):
    """Takes a shortest walk over all it knows of and has not visited; stops when there is none, or at its target."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return the next move."""
        memory = Memory.of(view)
        picture = _picture(view)
        if picture is not None and picture.category:
            memory.names[memory.at] = picture.category
        return Reply(_compose(view.ask.format, self.action(memory), _describe(picture), memory.sketch))

    def action(self, memory: Memory) -> str:
        """Return the direction to go, or "done"."""
        here = memory.names.get(memory.at, "").casefold()
        if memory.target is not None and here == memory.target.casefold():
            return "done"
        ways = first_steps(memory.exits, memory.at, memory.unvisited)
        return ways[0] if ways else "done"


class Optimal(Player):
    """Knows the whole map and needs the fewest moves possible."""

    instant = True
    omniscient = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return the next move of a shortest walk over the whole map, or to the room to find."""
        if view.instance is None:
            raise LookupError("this player must be shown the instance")
        memory = Memory.of(view)
        whole = instances.load(view.instance)
        start = whole.rooms[whole.start]
        number = {(room.x - start.x, room.y - start.y): index for index, room in enumerate(whole.rooms)}
        here, visited = number[memory.at], [number[place] for place in memory.doors]
        if whole.target is None:
            goals = [room for room in range(len(whole.rooms)) if room not in visited]
        else:
            away = {room: len(shortest_walk(whole.exits, here, [room])) for room in whole.targets}
            goals = [] if here in away else [min(sorted(away), key=lambda room: away[room])]
        ways = first_steps(whole.exits, here, goals)
        picture = _picture(view)
        if picture is not None and picture.category:
            memory.names[memory.at] = picture.category
        return Reply(_compose(view.ask.format, ways[0] if ways else "done", _describe(picture), memory.sketch))
