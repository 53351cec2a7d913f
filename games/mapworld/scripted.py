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
from games.common.scripted_seat import ScriptedSeat, read_own_values
from games.mapworld import instances
from games.mapworld.maps import DIRECTIONS, OPPOSITE_DIRECTIONS
from games.mapworld.replies import COMPASS_DIRECTIONS
from games.mapworld.walking import find_first_directions, measure_shortest_walk

Position = tuple[int, int]

_EXITS_PATTERN = re.compile(r"From here you can go ([a-z ,]+)\.")
_ROOM_PATTERN = re.compile(r"(?:You are in|come to|and enter|still in) (?!the same room)(?:an? |the )?([^.]+)\.")
_CLOSED_DOOR_TEXT = "There is no door"
_TARGET_PATTERN = re.compile(r"Find (?:an? |the )?(.+?) (?:with|in) as few moves")
_GO_PATTERN = re.compile(r"\s*go:\s*(north|east|south|west)\s*", re.IGNORECASE)
_NAMING_PATTERN = re.compile(r"This is an? ([^.,]+?)(?: with .*)?\.")
UNNAMED_ROOM = "room"


@dataclass
class Memory:
    """What a walker knows: its position relative to its start, every known door from both sides, and visited rooms."""

    position: Position = (0, 0)
    exits: defaultdict[Position, dict[str, Position]] = field(default_factory=lambda: defaultdict(dict))
    room_names: dict[Position, str] = field(default_factory=dict)
    """The name of each visited room."""
    target_name: str = ""

    @classmethod
    def from_view(cls, view: SeatView) -> Memory:
        """Return what a walker knows from its conversation and from the picture that is shown now."""
        memory = cls()
        direction: str | None = None
        for message in view.messages:
            if message.role == "assistant":
                action, description = read_own_values(message, "action", "description")
                move_match = _GO_PATTERN.fullmatch(action or message.text())
                direction = move_match[1].lower() if move_match else None
                if name_match := _NAMING_PATTERN.match(description):
                    memory.room_names[memory.position] = name_match[1]
            else:
                memory._hear_message(message, direction)
        if (picture := _get_picture(view)) and picture.category:
            memory.room_names[memory.position] = picture.category
        return memory

    def _hear_message(self, message: Message, direction: str | None) -> None:
        message_text = message.text()
        if direction and not any(text_part.startswith(_CLOSED_DOOR_TEXT) for text_part in message.content_parts(str)):
            self.position = _move_position(self.position, direction)
        self.room_names.setdefault(self.position, UNNAMED_ROOM)
        if target_match := _TARGET_PATTERN.search(message_text):
            self.target_name = target_match[1].casefold()
        # the first prompt may have an example walk, so the last match is the walker's own
        for open_direction in re.findall(
            "|".join(COMPASS_DIRECTIONS), "".join(_EXITS_PATTERN.findall(message_text)[-1:])
        ):
            other_position = self.exits[self.position][open_direction] = _move_position(self.position, open_direction)
            self.exits[other_position][OPPOSITE_DIRECTIONS[open_direction]] = self.position
        for room_name in _ROOM_PATTERN.findall(message_text)[-1:]:
            self.room_names[self.position] = room_name

    def make_sketch(self) -> Json:
        """Return the map of the visited rooms as `ee-gr` asks for it, rooms of the same name numbered."""
        count_by_name: Counter[str] = Counter()
        labels: dict[Position, str] = {}
        for position, room_name in self.room_names.items():
            count_by_name[room_name] += 1
            labels[position] = room_name if count_by_name[room_name] == 1 else f"{room_name} {count_by_name[room_name]}"
        edges: dict[str, list[list[str]]] = {direction: [] for direction in COMPASS_DIRECTIONS}
        for position, label in labels.items():
            for direction in {"north", "east"} & self.exits[position].keys():
                if other_label := labels.get(self.exits[position][direction]):
                    edges[direction].append([label, other_label])
        return {"nodes": list(labels.values()), "edges": edges}


def _move_position(position: Position, direction: str) -> Position:
    dx, dy = DIRECTIONS[direction]
    return position[0] + dx, position[1] + dy


def _get_picture(view: SeatView) -> PictureDescription | None:
    """Return the description of the picture that is shown now, None where rooms are told in words."""
    pictures = view.messages[-1].pictures[-1:]
    return PictureDescription.model_validate({"id": "", **view.picture(pictures[0]).description}) if pictures else None


def _describe_picture(picture: PictureDescription) -> str:
    objects_by_size = sorted(picture.objects, key=lambda entry: -entry.box[2] * entry.box[3] if entry.box else 0)
    object_phrases = list(dict.fromkeys(map(_name_object, objects_by_size)))[:2]
    contents_phrase = f" with {' and '.join(object_phrases)}" if object_phrases else ""
    return f"This is {add_article(picture.category or UNNAMED_ROOM)}{contents_phrase}."


def _name_object(picture_object: PictureObject) -> str:
    object_words = " ".join([*picture_object.attributes[:1], picture_object.name])
    return object_words if object_words.endswith("s") and not object_words.endswith("ss") else add_article(object_words)


class Scripted(ScriptedSeat):
    """Takes a shortest walk over all it knows of and has not visited; stops when there is none, or at its target."""

    async def reply(self, view: SeatView) -> Reply:
        """Return the next move in the format asked for."""
        memory, picture, reply_format = Memory.from_view(view), _get_picture(view), view.ask.format
        action = next((f"GO: {direction}" for direction in self.find_directions(memory, view)), "DONE")
        if not isinstance(reply_format, JsonObject):
            return Reply(action)
        reply_values = {
            "action": action,
            "graph": memory.make_sketch(),
            "description": _describe_picture(picture) if picture else "",
        }
        return Reply(json.dumps({member_name: reply_values[member_name] for member_name, _ in reply_format.members}))

    def find_directions(self, memory: Memory, view: SeatView) -> list[str]:
        """Return the directions that may be taken next; none where the walk is over."""
        if memory.room_names[memory.position].casefold() == memory.target_name:
            return []
        return find_first_directions(memory.exits, memory.position, memory.exits.keys() - memory.room_names.keys())


class OptimalWalker(Scripted):
    """Knows the whole map and needs the fewest moves possible."""

    omniscient = True

    def find_directions(self, memory: Memory, view: SeatView) -> list[str]:
        """Return the directions that begin a shortest walk over the whole map, or to the nearest room to find."""
        if view.instance is None:
            raise LookupError("this player must be shown the instance")
        whole_map = instances.load(view.instance)
        start_room = whole_map.rooms[whole_map.start]
        number_by_position = {
            (room.x - start_room.x, room.y - start_room.y): room_number
            for room_number, room in enumerate(whole_map.rooms)
        }
        current_room, goal_positions = (
            number_by_position[memory.position],
            number_by_position.keys() - memory.room_names.keys(),
        )
        if whole_map.target is None:
            return find_first_directions(
                whole_map.exits, current_room, [number_by_position[position] for position in goal_positions]
            )
        nearest_target = min(
            sorted(whole_map.target_rooms),
            key=lambda room: measure_shortest_walk(whole_map.exits, current_room, [room]),
        )
        return find_first_directions(whole_map.exits, current_room, [nearest_target])
