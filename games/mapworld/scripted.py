"""The scripted walkers of Map World.

`scripted` reads its own conversation and keeps a map of what it was told; a room's picture it knows by the picture's
description, while it is shown. `optimal` knows the whole map: it is offered only where nobody plays against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.events import Json
from engine.core.game import ScriptedPlayer
from engine.core.player import Player, Reply
from engine.core.replies import JsonObject, ReplyFormat
from engine.core.views import Message, SeatView
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE
from games.mapworld.replies import WAYS
from games.mapworld.walking import first_steps, shortest_walk

Place = tuple[int, int]

_EXITS = re.compile(r"From here you can go ([a-z ,]+)\.")
_ROOM = re.compile(r"(?:You are in|come to|still in) (?:an? |the )?([^.]+)\.")
_CLOSED = "There is no door"
_TARGET = re.compile(r"Find (?:an? |the )?(.+?) with as few moves")


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
                said = _said(message)
                way = said.get("way")
                memory.names.setdefault(memory.at, said.get("name", ""))
                continue
            memory._hear(message, way)
        return memory

    def _hear(self, message: Message, way: str | None) -> None:
        text = message.text()
        if way is not None and not any(part.get("text", "").startswith(_CLOSED) for part in message.parts):
            self.at = _next(self.at, way)
        if found := _TARGET.search(text):
            self.target = found[1]
        if found := _EXITS.search(text):
            self.doors[self.at] = tuple(one for one in WAYS if re.search(rf"\b{one}\b", found[1]))
        if found := _ROOM.search(text):
            if found[1] != "the same room":
                self.names[self.at] = found[1]

    @property
    def exits(self) -> dict[Place, dict[str, Place]]:
        """Every door known, from both sides."""
        known: dict[Place, dict[str, Place]] = {}
        for place, ways in self.doors.items():
            for way in ways:
                other = _next(place, way)
                known.setdefault(place, {})[way] = other
                known.setdefault(other, {})[OPPOSITE[way]] = place
        return known

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


def _said(message: Message) -> dict[str, str]:
    """Return the way and the name in one of its own replies; whatever else somebody said at this seat is ignored."""
    text = message.text().strip()
    found: dict[str, str] = {}
    action: Any = text
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        action = data.get("action")
        if described := re.match(r"This is an? ([^.,]+?)(?: with .*)?\.", str(data.get("description", ""))):
            found["name"] = described[1]
    if going := re.fullmatch(r"go:\s*(north|east|south|west)", str(action).strip(), re.IGNORECASE):
        found["way"] = going[1].lower()
    return found


def _compose(asked: ReplyFormat[Any], action: str, description: str, sketch: Callable[[], Json]) -> str:
    """Return the reply in the format asked for."""
    text = "DONE" if action == "done" else f"GO: {action}"
    if not isinstance(asked, JsonObject):
        return text
    values: dict[str, Any] = {"description": description, "action": text}
    return json.dumps({name: sketch() if name == "graph" else values[name] for name, _ in asked.members})


def _see(view: SeatView) -> Mapping[str, Any] | None:
    """Return the description of the picture that is shown now, None where rooms are told in words."""
    pictures = view.messages[-1].pictures
    return view.picture(pictures[-1]).description if pictures else None


def _describe(seen: Mapping[str, Any] | None) -> str:
    if seen is None:
        return ""
    name = str(seen.get("category") or "room")
    things = sorted(seen.get("objects", ()), key=lambda thing: -thing["box"][2] * thing["box"][3])
    named = list(dict.fromkeys(_with_article(thing) for thing in things))[:2]
    start = f"This is {'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"{start} with {' and '.join(named)}." if named else f"{start}."


def _with_article(thing: Mapping[str, Any]) -> str:
    words = " ".join([*thing["attributes"][:1], thing["name"]])
    if words.endswith("s") and not words.endswith("ss"):
        return words
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


class Scripted(Player):
    """Takes a shortest walk over all it knows of and has not visited; stops when there is none, or at its target."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return the next move."""
        memory = Memory.of(view)
        seen = _see(view)
        if seen is not None and seen.get("category"):
            memory.names[memory.at] = str(seen["category"])
        return Reply(_compose(view.ask.format, self.action(memory), _describe(seen), memory.sketch))

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
            wanted = [room for room in range(len(whole.rooms)) if room not in visited]
        else:
            away = {room: len(shortest_walk(whole.exits, here, [room])) for room in whole.targets}
            wanted = [] if here in away else [min(sorted(away), key=lambda room: away[room])]
        ways = first_steps(whole.exits, here, wanted)
        seen = _see(view)
        if seen is not None and seen.get("category"):
            memory.names[memory.at] = str(seen["category"])
        return Reply(_compose(view.ask.format, ways[0] if ways else "done", _describe(seen), memory.sketch))


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer(
        "walks a shortest way over what it has been told; pictures by their description", Scripted
    ),
    "optimal": ScriptedPlayer("knows the whole map: the ceiling, for watching and runs only", Optimal),
}
