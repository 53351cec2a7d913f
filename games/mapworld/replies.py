"""The reply formats of Map World: a move or DONE, and in `ee-gr` the map explored so far.

Their form fields ("compass" and "map") serve any game in which somebody walks or draws a graph.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.events import Json
from engine.core.replies import JsonObject, NotInFormat, ReplyFormat, ReplySegment, register
from games.mapworld.maps import DIRECTIONS

COMPASS_DIRECTIONS = tuple(DIRECTIONS)
DONE_VALUE = "done"
"""The value of a reply that ends the walk."""
_GO_PATTERN = re.compile(r"go:\s*(north|east|south|west)", re.IGNORECASE)

Sketch = dict[str, Any]
"""A stated map: {"nodes": [names], "edges": {direction: [[from, to], …]}}."""


@register
@dataclass(frozen=True)
class Move(ReplyFormat[str]):
    """`GO: north` (or another direction, open or not) or `DONE`, any case, blanks after the colon free.

    `open` are the directions that lead somewhere: a form marks the others. `confirm` is asked before DONE is sent.
    """

    open: tuple[str, ...] = COMPASS_DIRECTIONS
    confirm: str = ""
    label: str = "Which way?"
    title: str = "Walk on"
    submit: str = "Go"
    kind: ClassVar[str] = "walk"

    def parse(self, text: str) -> str:
        text = text.strip()
        if text.casefold() == DONE_VALUE:
            return DONE_VALUE
        go_command_match = _GO_PATTERN.fullmatch(text)
        if not go_command_match:
            raise NotInFormat(f"the reply must be {self.write_options()}.")
        return go_command_match[1].lower()

    def words(self) -> str:
        return f"Reply with exactly {self.write_options()}, and nothing else."

    def explain_json_member(self, name: str) -> str | None:
        return f'"{name}" is exactly {self.write_options()}.'

    def write_options(self) -> str:
        """Return all that may be sent, quoted."""
        return '"GO: north", "GO: east", "GO: south", "GO: west" or "DONE"'

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("go")], "submit": self.submit}

    def field(self, name: str) -> Json:
        return {"name": name, "kind": "compass", "label": self.label, "open": list(self.open), "confirm": self.confirm}

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return self.write(values, "go")

    def write(self, values: Mapping[str, str], name: str) -> str:
        direction = values.get(name, "")
        return (
            "DONE" if direction == DONE_VALUE else f"GO: {direction}" if direction in COMPASS_DIRECTIONS else direction
        )

    def sample(self, rng: random.Random) -> str:
        return "DONE" if rng.random() < 0.1 else f"GO: {rng.choice(self.open or COMPASS_DIRECTIONS)}"

    def pattern(self) -> str | None:
        return "(?:GO: (?:north|east|south|west)|DONE)"

    def schema(self) -> Json | None:
        return {"type": "string", "enum": [*(f"GO: {direction}" for direction in COMPASS_DIRECTIONS), "DONE"]}

    def show(self, text: str) -> list[ReplySegment]:
        try:
            direction = self.parse(text)
        except NotInFormat:
            return super().show(text)
        return [ReplySegment(self.display_value(direction))]

    def display_value(self, value: Any) -> str:
        return "Done." if value == DONE_VALUE else f"Go {value}."


@register
@dataclass(frozen=True)
class MapSketch(ReplyFormat[Sketch]):
    """The map explored so far: names of rooms, and under each direction pairs: from the first you reach the second.

    A pair given twice or from both sides is one edge, a name given twice one room. A room joined to itself and a name
    in an edge that is not among the rooms are faults of form; a wrong map is not.
    """

    here: str = ""
    """The name of the room the walker is in, if the walker knows it: the form suggests it."""
    came: str = ""
    """The way the walker has just gone: the form puts the new room there."""
    before: str = ""
    """The map stated last, as JSON: the form continues it."""
    label: str = "Your map so far"
    kind: ClassVar[str] = "map-sketch"

    def parse(self, text: str) -> Sketch:
        try:
            return self.read(json.loads(text))
        except (ValueError, RecursionError) as error:
            if isinstance(error, NotInFormat):
                raise
            raise NotInFormat("the map must be one JSON object.") from None

    def read(self, value: object) -> Sketch:
        if not isinstance(value, dict) or set(value) != {"nodes", "edges"}:
            raise NotInFormat('a map is an object with exactly the keys "nodes" and "edges".')
        nodes, edges = value["nodes"], value["edges"]
        if not isinstance(nodes, list) or not all(isinstance(name, str) and name.strip() for name in nodes):
            raise NotInFormat('"nodes" is a list of names of rooms.')
        if not isinstance(edges, dict) or not set(edges) <= set(COMPASS_DIRECTIONS):
            raise NotInFormat('"edges" has the keys "north", "south", "east" and "west", each with a list of pairs.')
        room_names = list(dict.fromkeys(name.strip() for name in nodes))
        stated_edges: dict[str, list[list[str]]] = {direction: [] for direction in COMPASS_DIRECTIONS}
        for direction in COMPASS_DIRECTIONS:
            room_pairs = edges.get(direction, [])
            if not isinstance(room_pairs, list):
                raise NotInFormat(f'"{direction}" is a list of pairs of rooms.')
            for room_pair in room_pairs:
                stated_edges[direction].append(_read_room_pair(room_pair, room_names))
        return {"nodes": room_names, "edges": stated_edges}

    def words(self) -> str:
        return f"Reply with {self._explain_format()}"

    def explain_json_member(self, name: str) -> str | None:
        return f'"{name}" is {self._explain_format()}'

    def _explain_format(self) -> str:
        return (
            'the map explored so far as one JSON object {"nodes": ["Kitchen", "Hall"], "edges": {"north": '
            '[["Kitchen", "Hall"]], "south": [], "east": [], "west": []}}. The names in "edges" are among "nodes"; a '
            "pair under a direction means: from the first room, going that way, you reach the second. Number rooms of "
            'the same kind, such as "Bedroom 2".'
        )

    def describe_form(self) -> Json:
        return {"title": self.label, "fields": [self.field("graph")], "submit": "Send"}

    def field(self, name: str) -> Json:
        previous_sketch = json.loads(self.before) if self.before else None
        return {
            "name": name,
            "kind": "map",
            "label": self.label,
            "here": self.here,
            "came": self.came or None,
            "before": previous_sketch,
        }

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return values.get("graph", "")

    def write(self, values: Mapping[str, str], name: str) -> object:
        try:
            return json.loads(values.get(name, "") or "null")
        except (ValueError, RecursionError):
            raise NotInFormat("the map must be one JSON object.") from None

    def sample(self, rng: random.Random) -> str:
        return json.dumps({"nodes": [], "edges": {direction: [] for direction in COMPASS_DIRECTIONS}})

    def pattern(self) -> str | None:
        return None

    def schema(self) -> Json | None:
        name_schema = {"type": "string", "minLength": 1}
        pairs_schema = {"type": "array", "items": {"type": "array", "items": name_schema, "minItems": 2, "maxItems": 2}}
        edges = {
            "type": "object",
            "properties": dict.fromkeys(COMPASS_DIRECTIONS, pairs_schema),
            "required": list(COMPASS_DIRECTIONS),
        }
        return {
            "type": "object",
            "properties": {
                "nodes": {"type": "array", "items": name_schema},
                "edges": {**edges, "additionalProperties": False},
            },
            "required": ["nodes", "edges"],
            "additionalProperties": False,
        }

    def display_value(self, value: Any) -> str:
        doors = [
            (room, direction, other_room)
            for direction in COMPASS_DIRECTIONS
            for room, other_room in value["edges"][direction]
        ]
        connected_rooms = {name for room, _, other_room in doors for name in (room, other_room)}
        lines = [f"{room} → {direction} → {other_room}" for room, direction, other_room in doors]
        return "; ".join([*lines, *(name for name in value["nodes"] if name not in connected_rooms)]) or "an empty map"


def _read_room_pair(pair: object, room_names: Sequence[str]) -> list[str]:
    if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(room_name, str) for room_name in pair):
        raise NotInFormat(f"{str(pair)[:80]} is no pair of rooms.")
    room, other_room = (room_name.strip() for room_name in pair)
    for room_name in (room, other_room):
        if room_name not in room_names:
            raise NotInFormat(f'"{room_name[:80]}" is in an edge but not among the nodes.')
    if room == other_room:
        raise NotInFormat(f'"{room[:80]}" is joined to itself.')
    return [room, other_room]


@register
@dataclass(frozen=True)
class LenientJsonObject(JsonObject):
    """A JSON object that may be written as a Python literal too (tuples for pairs), as some imported sets ask for."""

    kind: ClassVar[str] = "loose-object"

    def parse(self, text: str) -> dict[str, Any]:
        try:
            return super().parse(text)
        except NotInFormat:
            if len(text) > 20_000:
                raise
            try:
                literal_value = ast.literal_eval(text.strip())
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                pass
            else:
                return super().parse(json.dumps(literal_value))
            raise
