"""The prompts and reply formats of Map World; `imported.py` has those of imported instances."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from engine.core.content import Content, content_to_json, parts_to_text
from engine.core.prompts import Prompts
from engine.core.replies import JsonObject, ReplyFormat, Text
from games.mapworld import instances
from games.mapworld.maps import Map, Room
from games.mapworld.replies import COMPASS_DIRECTIONS, DONE_VALUE, LenientJsonObject, MapSketch, Move
from games.mapworld.walking import Walk

EXAMPLE_DESCRIPTIONS = (
    "This is a porch with a wooden bench.",
    "This is a hall with a coat rack.",
    "This is a pantry with shelves full of jars.",
)
EXAMPLE_ACTIONS = ("east", "north", DONE_VALUE)


@cache
def make_example_map() -> Map:
    """Return the map of the walk in the prompts' example, made late: its check imports networkx."""
    return Map(
        rooms=(Room(x=0, y=0, name="porch"), Room(x=1, y=0, name="hall"), Room(x=1, y=1, name="pantry")),
        doors=((0, 1), (1, 2)),
        start=0,
        target="pantry",
    )


class NativePrompts:
    """What the walker is told in our words, and the formats of its replies.

    `is_lenient` accepts what imported maps accept. `has_example` adds an example walk to the first prompt.
    """

    def __init__(self, prompts: Prompts, variant: str, *, is_lenient: bool, has_example: bool = False) -> None:
        self._prompts = prompts
        self._task, self._modality = instances.split_variant(variant)
        self._object_format = LenientJsonObject if is_lenient else JsonObject
        self._has_example = has_example

    def write_first_prompt(self, walk: Walk) -> Content:
        """Return the task with the first room."""
        prompt_texts = [self._prompts("explore")]
        if self._task == "g2x":
            prompt_texts = [self._prompts("find", target=add_room_article(walk.map.target or ""))]
        if self._modality == "picture":
            prompt_texts.append(self._prompts("describe"))
        if self._task == "ee-gr":
            prompt_texts.append(self._prompts("draw"))
        if self._has_example:
            prompt_texts.append(self._write_example_walk())
        return [*prompt_texts, *self._describe_first_room(walk)]

    def describe_move(self, walk: Walk) -> Content:
        """Return what is said after a move: where the walker is now, and where it can go."""
        step = walk.steps[-1]
        return [
            self._fill_prompt("moved" if step.has_moved else "closed", walk, way=step.direction),
            self._describe_exits(walk),
        ]

    def make_reply_format(self, walk: Walk, sketch: MapSketch) -> ReplyFormat[Any]:
        """Return the format of the next reply: it has the open doors."""
        move_format = self.make_move_format(walk)
        member_formats: dict[str, ReplyFormat[Any]] = {}
        if self._modality == "picture":
            member_formats["description"] = Text(label=self._prompts("description_label"), lines=2)
        if self._task == "ee-gr":
            member_formats["graph"] = sketch
        if not member_formats:
            return move_format
        return self._object_format(
            (*member_formats.items(), ("action", move_format)), move_format.title, move_format.submit
        )

    def make_move_format(self, walk: Walk) -> Move:
        """Return the format of a move from the room the walker is in."""
        visited_count = len(walk.visited_rooms)
        question = self._prompts("confirm_visited", rooms="1 room" if visited_count == 1 else f"{visited_count} rooms")
        return Move(
            tuple(walk.map.exits[walk.room]),
            self._prompts("confirm_target") if self._task == "g2x" else question,
            label=self._prompts("direction_label"),
            title=self._prompts("title"),
            submit=self._prompts("submit"),
        )

    def _describe_first_room(self, walk: Walk) -> list[str]:
        return [self._fill_prompt("room", walk), self._describe_exits(walk)]

    def _fill_prompt(self, prompt_key: str, walk: Walk, **placeholder_values: object) -> str:
        """Return a prompt about the room the walker is in, in words or for a picture."""
        if self._modality == "text":
            placeholder_values["room"] = add_room_article(walk.map.rooms[walk.room].name)
        return self._prompts(f"{prompt_key}_{self._modality}", **placeholder_values)

    def _describe_exits(self, walk: Walk) -> str:
        directions = list(walk.map.exits[walk.room])
        exits_phrase = directions[0] if len(directions) == 1 else f"{', '.join(directions[:-1])} or {directions[-1]}"
        return self._prompts("exits", exits=exits_phrase)

    def _write_example_walk(self) -> str:
        """Return an example walk: what the walker is told in each room, and a reply in the format asked for."""
        walk = Walk(make_example_map())
        room_content: Content = self._describe_first_room(walk)
        lines = [self._prompts("example_without_pictures")] if self._modality == "picture" else []
        for action in EXAMPLE_ACTIONS:
            reply_values = {
                "go": action,
                "action": action,
                "description": EXAMPLE_DESCRIPTIONS[walk.room],
                "graph": json.dumps(_make_visited_sketch(walk)),
            }
            lines += [
                parts_to_text(content_to_json(room_content)),
                self.make_reply_format(walk, MapSketch()).compose_reply(reply_values),
            ]
            if action != DONE_VALUE:
                walk.take_step(action)
                room_content = self.describe_move(walk)
        prompt_key = "example_to_find" if self._task == "g2x" else "example"
        return self._prompts(
            prompt_key, walk="\n".join(lines), target=add_room_article(make_example_map().target or "")
        )


def _make_visited_sketch(walk: Walk) -> dict[str, Any]:
    """Return the map of the rooms visited so far, as a walker states it."""
    room_names = [room.name.capitalize() for room in walk.map.rooms]
    edges = {
        direction: [
            [room_names[step.room], room_names[step.next_room]] for step in walk.steps if step.direction == direction
        ]
        for direction in COMPASS_DIRECTIONS
    }
    return {"nodes": [room_names[room] for room in walk.visited_rooms], "edges": edges}


def add_room_article(room_name: str) -> str:
    """Return a room's name with its article; names with a number or a capital letter get no indefinite one."""
    if any(map(str.isdecimal, room_name)) or room_name != room_name.lower():
        return f"the {room_name}" if room_name == room_name.lower() else room_name
    return f"{'an' if room_name[:1] in 'aeiou' else 'a'} {room_name}"
