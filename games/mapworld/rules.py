"""The rulebook of Map World: one walker, a map it cannot see, at most 20 turns.

The protocol follows the multimodal games paper, §4.3 and appendix D. Every GO that parses is a move, open or not; DONE
is not. The walker is never told positions, the number of rooms or the turn limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import Content, Picture, ShownPicture
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Aborted, Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import JsonObject, ReplyFormat, Text
from engine.core.table import Asking, Settings, Table
from games.common.pictures import CLEMBENCH_SET, LIBRARY, UnknownPicture, import_hint
from games.mapworld import clembench, instances
from games.mapworld.imported import ImportedPrompts, imported_pictures
from games.mapworld.maps import Map
from games.mapworld.replies import DONE, LooseObject, MapSketch, Move
from games.mapworld.walking import Walk

TURNS = 20
WALKER_SEAT = "walker"
TASKS = {"ee": "Explore every room", "ee-gr": "Explore and draw the map", "g2x": "Find a room"}
MODALITIES = {"text": "in words", "picture": "in pictures"}
VISIT_ALL_RULES = (
    "Visit every room, with as few moves as you can. When you think that you have been everywhere, press Done."
)
RULES = {
    "ee": (VISIT_ALL_RULES,),
    "ee-gr": (
        VISIT_ALL_RULES,
        "Draw as you go: with every move you send your map of the rooms that you have visited.",
    ),
    "g2x": ("You are told which room to look for. Press Done when you are in it.",),
}


class MapWorld(Game):
    """Walk through rooms you cannot see from outside: explore them all, or find one."""

    name = "mapworld"
    title = "Map World"
    blurb = "One walker, rooms behind doors. Explore them all, draw their map, or find one."
    rules = (
        "You stand in one room of a house that you cannot see as a whole. Doors lead north, east, south and west.",
        "A move against a closed door counts, and so does going back. Nobody tells you how many rooms there are.",
    )
    version = 2
    seats = (WALKER_SEAT,)
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            f"{task}-{modality}",
            f"{title}, {form}",
            tuple(
                Experiment(name, instances.TITLES[name], instances.DISTANCES.get(name))
                for name in instances.TASKS[task]
            ),
            pictures=modality == "picture",
            rules=RULES[task],
        )
        for task, title in TASKS.items()
        for modality, form in MODALITIES.items()
    )

    def load(self, data: Json) -> Map:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def prompts_for(self, variant: str, settings: Settings, instance: Map) -> ImportedPrompts | NativePrompts:
        """Return our prompts and reply formats, or those of an imported map."""
        if entry := instance.clembench_instance:
            return ImportedPrompts(entry)
        return NativePrompts(self.prompts, variant, is_loose=instance.kind == "imported")

    def play(self, table: Table, instance: Map) -> Asking[Outcome]:
        """Walk until DONE or the turns are used up."""
        return (yield from Tour(table, instance).play())

    def picture(self, instance: Map, asset: str) -> Picture:
        """Return the picture of a room (asset "room-3")."""
        number = asset.removeprefix("room-")
        if not number.isdecimal() or int(number) >= len(instance.rooms):
            raise KeyError(asset)
        picture = instance.rooms[int(number)].picture
        if picture is None:
            raise KeyError(asset)
        return LIBRARY.picture(picture)

    def unsupported_reason(self, instance: Map) -> str | None:
        """Return which picture of an imported instance is not on this machine, None when all are."""
        for room, address in imported_pictures(instance):
            if room.picture is None:
                return f"the picture {address!r} is not here; {import_hint(CLEMBENCH_SET)}"
            try:
                LIBRARY.verify(room.picture)
            except UnknownPicture as error:
                return str(error)
        return None

    def score(self, log: Log) -> Json:
        from games.mapworld.scores import score

        return score(log).as_json()

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.mapworld.debrief import debrief
        from games.mapworld.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.mapworld.board import board_panels

        return board_panels(log)

    def animate(self, log: Log) -> bytes:
        from games.mapworld.animate import draw_gif

        return draw_gif(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.mapworld.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        return instances

    def clembench(self) -> ClembenchMapping:
        return clembench


class NativePrompts:
    """What the walker is told in our words, and the formats of its replies; `loose` ones are for imported maps."""

    def __init__(self, prompts: Prompts, variant: str, *, is_loose: bool) -> None:
        self._prompts = prompts
        self._task, self._modality = instances.split_variant(variant)
        self._object_format = LooseObject if is_loose else JsonObject

    def begin(self, walk: Walk) -> Content:
        """Return the task with the first room."""
        texts = [self._prompts("explore")]
        if self._task == "g2x":
            texts = [self._prompts("find", target=with_article(walk.map.target or ""))]
        if self._modality == "picture":
            texts.append(self._prompts("describe"))
        if self._task == "ee-gr":
            texts.append(self._prompts("draw"))
        return [*texts, self._fill("room", walk), self._exits(walk)]

    def after_move(self, walk: Walk) -> Content:
        """Return what is said after a move: where the walker is now, and where it can go."""
        step = walk.steps[-1]
        return [self._fill("moved" if step.moved else "closed", walk, way=step.way), self._exits(walk)]

    def _fill(self, key: str, walk: Walk, **placeholder_values: object) -> str:
        """Return a prompt about the room the walker is in, in words or for a picture."""
        if self._modality == "text":
            placeholder_values["room"] = with_article(walk.map.rooms[walk.room].name)
        return self._prompts(f"{key}_{self._modality}", **placeholder_values)

    def _exits(self, walk: Walk) -> str:
        directions = list(walk.map.exits[walk.room])
        exits = directions[0] if len(directions) == 1 else f"{', '.join(directions[:-1])} or {directions[-1]}"
        return self._prompts("exits", exits=exits)

    def reply_format(self, move: Move, sketch: MapSketch) -> ReplyFormat[Any]:
        """Return the format of the next reply."""
        members: dict[str, ReplyFormat[Any]] = {}
        if self._modality == "picture":
            members["description"] = Text(label="The room in one sentence", lines=2)
        if self._task == "ee-gr":
            members["graph"] = sketch
        if not members:
            return move
        return self._object_format((*members.items(), ("action", move)), "Walk on", "Go")


class Tour:
    """One episode: the walk so far, and what a person's form continues from."""

    def __init__(self, table: Table, instance: Map) -> None:
        self.table, self.walk = table, Walk(instance)
        self.task, self.modality = instances.split_variant(table.variant)
        self.prompts: ImportedPrompts | NativePrompts = table.prompts
        self.last_way = self.last_sketch = ""
        """The way of the last move, if it was open, and the map stated last, as JSON."""

    def play(self) -> Asking[Outcome]:
        """Ask for moves; return how the walk ended."""
        content = self.prompts.begin(self.walk)
        for _ in range(TURNS):
            pictures = [ShownPicture(f"room-{self.walk.room}", "The room you are in", keep=False)]
            value = yield from self.table.ask(
                WALKER_SEAT, content, self.reply_format(), pictures=pictures if self.modality == "picture" else ()
            )
            direction = value["action"] if isinstance(value, dict) else value
            if self.task == "ee-gr":
                self.last_sketch = json.dumps(value["graph"])
            if direction == DONE:
                return self.outcome()
            step = self.walk.go(direction)
            self.last_way = direction if step.moved else ""
            content = self.prompts.after_move(self.walk)
        return Aborted("turn limit", WALKER_SEAT)

    def outcome(self) -> Outcome:
        """Return what DONE in this room means."""
        if self.task == "g2x":
            return Success() if self.walk.room in self.walk.map.targets else Lose()
        return Success() if len(self.walk.visited) == len(self.walk.map.rooms) else Lose()

    def reply_format(self) -> ReplyFormat[Any]:
        """Return the format of the next reply: it has the open doors, and the room's name unless it is shown."""
        visited_count = len(self.walk.visited)
        rooms = "1 room" if visited_count == 1 else f"{visited_count} rooms"
        question = "Is this the room?" if self.task == "g2x" else f"You have visited {rooms}. Stop exploring?"
        move = Move(tuple(self.walk.map.exits[self.walk.room]), question)
        name = self.walk.map.rooms[self.walk.room].name if self.modality == "text" else ""
        return self.prompts.reply_format(move, MapSketch(name, self.last_way, self.last_sketch))


def with_article(name: str) -> str:
    """Return a room's name with its article; names with a number or a capital letter get no indefinite one."""
    if any(map(str.isdecimal, name)) or name != name.lower():
        return f"the {name}" if name == name.lower() else name
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


GAME = MapWorld()
