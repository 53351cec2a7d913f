"""The scripted walkers of Map World.

`scripted` reads its own conversation and keeps a map of what it was told; a room's picture it knows by the picture's
description, while it is shown. `optimal` knows the whole map: it is offered only where nobody plays against it.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from engine.core.events import Json
from engine.core.player import Reply
from engine.core.replies import JsonObject
from engine.core.views import Message, SeatView
from games.common.language.wording import add_article
from games.common.pictures import PictureDescription, PictureObject
from games.common.scripted_seat import ScriptedSeat, own_values
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE
from games.mapworld.replies import WAYS
from games.mapworld.walking import first_steps, shortest_length

Place = tuple[int, int]

_EXITS = re.compile(r"From here you can go ([a-z ,]+)\.")
_ROOM = re.compile(r"(?:You are in|come to|and enter|still in) (?!the same room)(?:an? |the )?([^.]+)\.")
_CLOSED = "There is no door"
_TARGET = re.compile(r"Find (?:an? |the )?(.+?) (?:with|in) as few moves")
_GO = re.compile(r"\s*go:\s*(north|east|south|west)\s*", re.IGNORECASE)
_NAMED = re.compile(r"This is an? ([^.,]+?)(?: with .*)?\.")
UNNAMED = "room"


@dataclass
class Memory:
    """What a walker knows: its position relative to its start, every known door from both sides, and visited rooms."""

    at: Place = (0, 0)
    exits: defaultdict[Place, dict[str, Place]] = field(default_factory=lambda: defaultdict(dict))
    names: dict[Place, str] = field(default_factory=dict)
    """The name of each visited room."""
    target: str = ""

    @classmethod
    def of(cls, view: SeatView) -> Memory:
        """Return what a walker knows from its conversation and from the picture that is shown now."""
        memory = cls()
        way: str | None = None
        for message in view.messages:
            if message.role == "assistant":
                action, description = own_values(message, "action", "description")
                move = _GO.fullmatch(action or message.text())
                way = move[1].lower() if move else None
                if name := _NAMED.match(description):
                    memory.names[memory.at] = name[1]
            else:
                memory._hear(message, way)
        if (picture := _shown_picture(view)) and picture.category:
            memory.names[memory.at] = picture.category
        return memory

    def _hear(self, message: Message, way: str | None) -> None:
        text = message.text()
        if way and not any(part.startswith(_CLOSED) for part in message.content_parts(str)):
            self.at = _next(self.at, way)
        self.names.setdefault(self.at, UNNAMED)
        if target := _TARGET.search(text):
            self.target = target[1].casefold()
        # the first prompt may have an example walk, so the last match is the walker's own
        for open_way in re.findall("|".join(WAYS), "".join(_EXITS.findall(text)[-1:])):
            other = self.exits[self.at][open_way] = _next(self.at, open_way)
            self.exits[other][OPPOSITE[open_way]] = self.at
        for name in _ROOM.findall(text)[-1:]:
            self.names[self.at] = name

    def sketch(self) -> Json:
        """Return the map of the visited rooms as `ee-gr` asks for it, rooms of the same name numbered."""
        counts: Counter[str] = Counter()
        labels: dict[Place, str] = {}
        for place, name in self.names.items():
            counts[name] += 1
            labels[place] = name if counts[name] == 1 else f"{name} {counts[name]}"
        edges: dict[str, list[list[str]]] = {way: [] for way in WAYS}
        for place, label in labels.items():
            for way in {"north", "east"} & self.exits[place].keys():
                if other_label := labels.get(self.exits[place][way]):
                    edges[way].append([label, other_label])
        return {"nodes": list(labels.values()), "edges": edges}


def _next(place: Place, way: str) -> Place:
    dx, dy = DIRECTIONS[way]
    return place[0] + dx, place[1] + dy


def _shown_picture(view: SeatView) -> PictureDescription | None:
    """Return the description of the picture that is shown now, None where rooms are told in words."""
    pictures = view.messages[-1].pictures[-1:]
    return PictureDescription.model_validate({"id": "", **view.picture(pictures[0]).description}) if pictures else None


def _describe(picture: PictureDescription) -> str:
    by_size = sorted(picture.objects, key=lambda entry: -entry.box[2] * entry.box[3] if entry.box else 0)
    phrases = list(dict.fromkeys(map(_with_article, by_size)))[:2]
    contents = f" with {' and '.join(phrases)}" if phrases else ""
    return f"This is {add_article(picture.category or UNNAMED)}{contents}."


def _with_article(entry: PictureObject) -> str:
    words = " ".join([*entry.attributes[:1], entry.name])
    return words if words.endswith("s") and not words.endswith("ss") else add_article(words)


class Scripted(ScriptedSeat):
    """Takes a shortest walk over all it knows of and has not visited; stops when there is none, or at its target."""

    async def reply(self, view: SeatView) -> Reply:
        """Return the next move in the format asked for."""
        memory, picture, reply_format = Memory.of(view), _shown_picture(view), view.ask.format
        action = next((f"GO: {way}" for way in self.good_ways(memory, view)), "DONE")
        if not isinstance(reply_format, JsonObject):
            return Reply(action)
        values = {"action": action, "graph": memory.sketch(), "description": _describe(picture) if picture else ""}
        return Reply(json.dumps({name: values[name] for name, _ in reply_format.members}))

    def good_ways(self, memory: Memory, view: SeatView) -> list[str]:
        """Return the directions that may be taken next; none where the walk is over."""
        if memory.names[memory.at].casefold() == memory.target:
            return []
        return first_steps(memory.exits, memory.at, memory.exits.keys() - memory.names.keys())


class Optimal(Scripted):
    """Knows the whole map and needs the fewest moves possible."""

    omniscient = True

    def good_ways(self, memory: Memory, view: SeatView) -> list[str]:
        """Return the directions that begin a shortest walk over the whole map, or to the nearest room to find."""
        if view.instance is None:
            raise LookupError("this player must be shown the instance")
        whole = instances.load(view.instance)
        start = whole.rooms[whole.start]
        numbers = {(room.x - start.x, room.y - start.y): number for number, room in enumerate(whole.rooms)}
        here, goals = numbers[memory.at], numbers.keys() - memory.names.keys()
        if whole.target is None:
            return first_steps(whole.exits, here, [numbers[place] for place in goals])
        nearest = min(sorted(whole.targets), key=lambda room: shortest_length(whole.exits, here, [room]))
        return first_steps(whole.exits, here, [nearest])
