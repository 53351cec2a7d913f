"""How a map set of clembench is played: with the prompts, patterns and orders of directions it brings.

The walk, what counts as a move and the limit of 20 turns are ours; they are theirs too. Their reminders about loops and
turns are off in all files we know, and are not sent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.events import Json
from engine.core.replies import NotInFormat, ReplyFormat, Text, register
from engine.formats.clembench.patterns import ImportedFormat
from games.mapworld.maps import DIRECTIONS, Map, Room
from games.mapworld.replies import WAYS, LooseObject, MapSketch, Move, Sketch

PLACES = ("$ANOTHER_ROOM$", "$SAME_ROOM$", "$INITIAL_ROOM$")


@register
@dataclass(frozen=True)
class LooseSketch(MapSketch):
    """A stated map as imported sets accept it: a pair may name a room not listed; what is no pair is dropped."""

    kind: ClassVar[str] = "loose-sketch"

    def read(self, value: object) -> Sketch:
        if not isinstance(value, dict) or not isinstance(value.get("edges"), dict):
            raise NotInFormat('a map is an object with the keys "nodes" and "edges".')
        nodes = value.get("nodes")
        names = [name.strip() for name in nodes if isinstance(name, str)] if isinstance(nodes, list) else []
        read: dict[str, list[list[str]]] = {way: [] for way in WAYS}
        for way, pairs in value["edges"].items():
            for pair in pairs if isinstance(pairs, list) and way in read else []:
                if isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) for name in pair):
                    read[way].append([name.strip() for name in pair])
        named = [name for pairs in read.values() for pair in pairs for name in pair]
        return {"nodes": list(dict.fromkeys([*names, *named])), "edges": read}


class Words:
    """What the walker is told, and the formats of its replies, from an entry of one of the six games."""

    def __init__(self, theirs: Json, instance: Map) -> None:
        self._map, self._theirs = instance, theirs
        self._pictures = "nodes" in theirs
        self._ways = _picture_ways(theirs) if self._pictures else _text_ways(theirs)

    def begin(self) -> str:
        """Return the task with the first room."""
        theirs = self._theirs
        said = str(theirs["initial_prompt" if self._pictures else "Prompt"])
        return self._filled(said, self._map.start).replace("$GOAL$", str(self._goal()))

    def _goal(self) -> str:
        return str(self._theirs.get("target_cat" if self._pictures else "Specific_Room", ""))

    def after(self, at: int, moved: bool) -> str:
        """Return what is said after a move: where the walker is now, and where it can go."""
        names = ("success_response", "invalid_response")
        if not self._pictures:
            names = ("Player2_positive_answer", "Player2_negative_answer")
        return self._filled(str(self._theirs[names[0] if moved else names[1]]), at)

    def _filled(self, said: str, at: int) -> str:
        room = self._map.rooms[at]
        for place in PLACES:
            said = said.replace(place, room.name)
        ways = ", ".join(self._ways[room.x, room.y])
        return said.replace("$INITIAL_DIRECTIONS$", ways).replace("$DIRECTIONS$", ways)

    def reply(self, move: Move, came: str, sketch: str, here: str) -> ReplyFormat[Any]:
        """Return the format of the next reply, its keys in the order that the set's pattern wants."""
        theirs = self._theirs
        whole = theirs.get("response_regex" if self._pictures else "Response_Construction")
        if whole is None:
            return ImportedFormat((theirs["Stop_Construction"], theirs["Move_Construction"]), move, joined=True)
        described = Text(label="The room in one sentence", lines=2, optional=True)
        members: dict[str, ReplyFormat[Any]] = {"action": move, "description": described}
        members["graph"] = LooseSketch(here, came, sketch)
        order = sorted((name for name in members if f'"{name}"' in whole), key=lambda name: whole.index(f'"{name}"'))
        inner = LooseObject(tuple((name, members[name]) for name in order), "Walk on", "Go")
        return ImportedFormat((whole,), inner, joined=True)


def pictures(instance: Map) -> Iterator[tuple[Room, str]]:
    """Yield the rooms of an imported instance that is shown in pictures, with the addresses of these."""
    addresses = (instance.theirs or {}).get("imgs") or {}
    for place, address in addresses.items():
        at = ast.literal_eval(place)
        yield next(room for room in instance.rooms if (room.x, room.y) == at), address


def _text_ways(theirs: Json) -> Mapping[tuple[int, int], list[str]]:
    """Return the open directions by position, in the order that the set names them."""
    at = {name: place for place, name in ast.literal_eval(theirs["Mapping"]).items()}
    return {at[name]: list(ways) for name, ways in ast.literal_eval(theirs["Directions"])}


def _picture_ways(theirs: Json) -> Mapping[tuple[int, int], list[str]]:
    way_of = {step: way for way, step in DIRECTIONS.items()}
    found: dict[tuple[int, int], list[str]] = {}
    for (x, y), (to_x, to_y) in map(ast.literal_eval, theirs["edges"]):
        found.setdefault((x, y), []).append(way_of[to_x - x, to_y - y])
    return found
