"""The prompts, patterns and orders of directions of an imported instance of Map World.

The walk, what counts as a move and the limit of 20 turns are the same in clembench. Its reminders about loops and turns
are off in all files we know, and are not sent.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.content import Content
from engine.core.events import Json
from engine.core.prompts import Prompts
from engine.core.replies import NotInFormat, ReplyFormat, Text, register
from engine.formats.clembench.patterns import ImportedFormat
from games.mapworld.maps import DIRECTIONS, Map, Room
from games.mapworld.native import NativePrompts
from games.mapworld.replies import COMPASS_DIRECTIONS, LenientJsonObject, MapSketch, Sketch
from games.mapworld.walking import Walk

ROOM_PLACEHOLDERS = ("$ANOTHER_ROOM$", "$SAME_ROOM$", "$INITIAL_ROOM$")


@register
@dataclass(frozen=True)
class LenientMapSketch(MapSketch):
    """A stated map as imported sets accept it: a pair may name a room that is not listed; anything else is dropped."""

    kind: ClassVar[str] = "loose-sketch"

    def read(self, value: object) -> Sketch:
        if not isinstance(value, dict) or not isinstance(value.get("edges"), dict):
            raise NotInFormat('a map is an object with the keys "nodes" and "edges".')
        nodes = value.get("nodes")
        node_names = [node.strip() for node in nodes if isinstance(node, str)] if isinstance(nodes, list) else []
        edges: dict[str, list[list[str]]] = {direction: [] for direction in COMPASS_DIRECTIONS}
        for direction, room_pairs in value["edges"].items():
            for pair in room_pairs if isinstance(room_pairs, list) and direction in edges else []:
                if isinstance(pair, list) and len(pair) == 2 and all(isinstance(node, str) for node in pair):
                    edges[direction].append([node.strip() for node in pair])
        connected_rooms = [node for room_pairs in edges.values() for pair in room_pairs for node in pair]
        return {"nodes": list(dict.fromkeys([*node_names, *connected_rooms])), "edges": edges}


class ImportedPrompts(NativePrompts):
    """The prompts of an instance of one of clembench's six games, and the formats of its replies."""

    def __init__(self, prompts: Prompts, variant: str, clembench_instance: Json) -> None:
        super().__init__(prompts, variant, is_lenient=True)
        self._instance = clembench_instance
        self._has_pictures = "nodes" in clembench_instance
        self._exits_by_position = (
            _read_picture_exits(clembench_instance) if self._has_pictures else _read_text_exits(clembench_instance)
        )

    def write_first_prompt(self, walk: Walk) -> Content:
        """Return the task with the first room."""
        prompt_text = str(self._instance["initial_prompt" if self._has_pictures else "Prompt"])
        target_category = str(self._instance.get("target_cat" if self._has_pictures else "Specific_Room", ""))
        return self._fill_placeholders(prompt_text, walk).replace("$GOAL$", target_category)

    def describe_move(self, walk: Walk) -> Content:
        """Return what is said after a move: where the walker is now, and where it can go."""
        prompt_keys = ("success_response", "invalid_response")
        if not self._has_pictures:
            prompt_keys = ("Player2_positive_answer", "Player2_negative_answer")
        return self._fill_placeholders(
            str(self._instance[prompt_keys[0] if walk.steps[-1].has_moved else prompt_keys[1]]), walk
        )

    def _fill_placeholders(self, prompt_text: str, walk: Walk) -> str:
        room = walk.map.rooms[walk.room]
        for placeholder in ROOM_PLACEHOLDERS:
            prompt_text = prompt_text.replace(placeholder, room.name)
        directions_text = ", ".join(self._exits_by_position[room.x, room.y])
        return prompt_text.replace("$INITIAL_DIRECTIONS$", directions_text).replace("$DIRECTIONS$", directions_text)

    def make_reply_format(self, walk: Walk, sketch: MapSketch) -> ReplyFormat[Any]:
        """Return the format of the next reply, its keys in the order of the set's pattern."""
        move_format = self.make_move_format(walk)
        pattern = self._instance.get("response_regex" if self._has_pictures else "Response_Construction")
        if pattern is None:
            text_patterns = self._instance["Stop_Construction"], self._instance["Move_Construction"]
            return ImportedFormat(text_patterns, move_format, joined=True)
        description_format = Text(label=self._prompts("description_label"), lines=2, optional=True)
        member_formats: dict[str, ReplyFormat[Any]] = {"action": move_format, "description": description_format}
        member_formats["graph"] = LenientMapSketch(sketch.here, sketch.came, sketch.before)
        member_names = sorted(
            (name for name in member_formats if f'"{name}"' in pattern), key=lambda name: pattern.index(f'"{name}"')
        )
        native_format = LenientJsonObject(
            tuple((name, member_formats[name]) for name in member_names), move_format.title, move_format.submit
        )
        return ImportedFormat((pattern,), native_format, joined=True)


def list_imported_pictures(instance: Map) -> Iterator[tuple[Room, str]]:
    """Yield the rooms of an imported instance that is shown in pictures, each with the address of its picture."""
    address_by_place = (instance.clembench_instance or {}).get("imgs") or {}
    for position_text, address in address_by_place.items():
        position = ast.literal_eval(position_text)
        yield next(room for room in instance.rooms if (room.x, room.y) == position), address


def _read_text_exits(clembench_instance: Json) -> Mapping[tuple[int, int], list[str]]:
    """Return the open directions by position, in the order in which the set names them."""
    positions = {name: position for position, name in ast.literal_eval(clembench_instance["Mapping"]).items()}
    return {
        positions[name]: list(directions) for name, directions in ast.literal_eval(clembench_instance["Directions"])
    }


def _read_picture_exits(clembench_instance: Json) -> Mapping[tuple[int, int], list[str]]:
    direction_by_step = {step: direction for direction, step in DIRECTIONS.items()}
    directions_by_position: dict[tuple[int, int], list[str]] = {}
    for (x, y), (end_x, end_y) in map(ast.literal_eval, clembench_instance["edges"]):
        directions_by_position.setdefault((x, y), []).append(direction_by_step[end_x - x, end_y - y])
    return directions_by_position
