"""The rulebook of Map World: one walker, a map it cannot see, at most 20 turns.

Protocol after the multimodal games paper, §4.3 and appendix D. Every GO that parses is a move, open or not; DONE is
none. The walker is never told positions, the number of rooms or the turn limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import Picture, ShownPicture
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Aborted, Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat, Text, json_object
from engine.core.table import Asking, Table
from games.common.pictures import CLEMBENCH_SET, LIBRARY, UnknownPicture, import_hint
from games.mapworld import imported, instances
from games.mapworld.maps import Map
from games.mapworld.replies import LooseObject, MapSketch, Move
from games.mapworld.walking import Walk

TURNS = 20
SEAT = "walker"
TASKS = {"ee": "Explore every room", "ee-gr": "Explore and draw the map", "g2x": "Find a room"}
MODALITIES = {"text": "in words", "picture": "in pictures"}
EVERYWHERE = "Visit every room, with as few moves as you can. When you think that you have been everywhere, press Done."
RULES = {
    "ee": (EVERYWHERE,),
    "ee-gr": (
        EVERYWHERE,
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
    seats = (SEAT,)
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            f"{task}-{modality}",
            f"{title}, {how}",
            tuple(
                Experiment(name, instances.TITLES[name], instances.DISTANCES.get(name))
                for name in instances.TASKS[task]
            ),
            pictures=modality == "picture",
            rules=RULES[task],
        )
        for task, title in TASKS.items()
        for modality, how in MODALITIES.items()
    )

    def load(self, data: Json) -> Map:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

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
        """Say which picture of an imported instance is not on this machine."""
        for room, address in imported.pictures(instance):
            if room.picture is None:
                return f"the picture {address!r} is not here; {import_hint(CLEMBENCH_SET)}"
            try:
                LIBRARY.verify(room.picture)
            except UnknownPicture as error:
                return str(error)
        return None

    def score(self, log: Log) -> Json:
        from games.mapworld.scores import score

        return score(log)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.mapworld.debrief import debrief

        return debrief(log, scores)

    def board(self, log: Log) -> list[Panel]:
        from games.mapworld.board import watch

        return watch(log)

    def animate(self, log: Log) -> bytes:
        from games.mapworld.animate import gif

        return gif(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.mapworld.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.mapworld import instances

        return instances

    def clembench(self) -> ClembenchMapping:
        from games.mapworld import clembench

        return clembench


class Tour:
    """One episode: the walk so far, and how the walker is spoken to."""

    def __init__(self, table: Table, instance: Map) -> None:
        self.table, self.walk = table, Walk(instance)
        self.task, self.modality = instances.split(table.variant)
        self.words = imported.Words(instance.theirs, instance) if instance.theirs else None
        self.came = self.sketch = ""
        """The way gone last and the map stated last, which a person's form goes on from."""

    def play(self) -> Asking[Outcome]:
        """Ask for moves; return how it ended."""
        said = [self.words.begin()] if self.words else [*self.beginning(), self.exits()]
        for _ in range(TURNS):
            here = self.walk.at
            shown = (
                [ShownPicture(f"room-{here}", "The room you are in", keep=False)] if self.modality == "picture" else []
            )
            value = yield from self.table.ask(SEAT, said, self.reply(), pictures=shown)
            action = value["action"] if isinstance(value, dict) else value
            if self.task == "ee-gr":
                self.sketch = json.dumps(value["graph"])
            if action == "done":
                return self.outcome()
            step = self.walk.go(action)
            self.came = action if step.moved else ""
            said = [self.say("moved" if step.moved else "closed", way=action), self.exits()]
            if self.words:
                said = [self.words.after(self.walk.at, step.moved)]
        return Aborted("turn limit", SEAT)

    def outcome(self) -> Outcome:
        """Return what DONE here and now means."""
        if self.task == "g2x":
            return Success() if self.walk.at in self.walk.map.targets else Lose()
        return Success() if len(self.walk.visited) == len(self.walk.map.rooms) else Lose()

    def beginning(self) -> list[str]:
        """Return the task and the first room."""
        target = self.walk.map.target
        prompts = self.table.prompts
        said = [prompts("find", target=article(target or "")) if self.task == "g2x" else prompts("explore")]
        if self.modality == "picture":
            said.append(prompts("describe"))
        if self.task == "ee-gr":
            said.append(prompts("draw"))
        return [*said, self.say("room")]

    def say(self, key: str, **places: object) -> str:
        """Return a prompt about the room the walker is in, in words or for a picture."""
        if self.modality == "text":
            places["room"] = article(self.walk.map.rooms[self.walk.at].name)
        return self.table.prompts(f"{key}_{self.modality}", **places)

    def exits(self) -> str:
        """Return which ways are open."""
        ways = list(self.walk.map.exits[self.walk.at])
        listed = ways[0] if len(ways) == 1 else f"{', '.join(ways[:-1])} or {ways[-1]}"
        return self.table.prompts("exits", exits=listed)

    def reply(self) -> ReplyFormat[Any]:
        """Return the format of the next reply; it knows which doors are open."""
        visited = len(self.walk.visited)
        rooms = "1 room" if visited == 1 else f"{visited} rooms"
        question = "Is this the room?" if self.task == "g2x" else f"You have visited {rooms}. Stop exploring?"
        move = Move(tuple(self.walk.map.exits[self.walk.at]), question)
        if self.words:
            here = self.walk.map.rooms[self.walk.at].name if self.modality == "text" else ""
            return self.words.reply(move, self.came, self.sketch, here)
        if self.task != "ee-gr" and self.modality == "text":
            return move
        members: dict[str, ReplyFormat[Any]] = {}
        if self.modality == "picture":
            members["description"] = Text(label="The room in one sentence", lines=2)
        if self.task == "ee-gr":
            members["graph"] = self.map_sketch()
        members["action"] = move
        made = json_object(title="Walk on", submit="Go", **members)
        return LooseObject(made.members, made.title, made.submit) if self.walk.map.kind == "imported" else made

    def map_sketch(self) -> MapSketch:
        """Return the format of a stated map; the room's name is suggested only where it was told."""
        here = self.walk.map.rooms[self.walk.at].name if self.modality == "text" else ""
        return MapSketch(here, self.came, self.sketch)


def article(name: str) -> str:
    """Return a room's name with its article; names that bring a number or a capital keep as they are."""
    if any(map(str.isdecimal, name)) or name != name.lower():
        return f"the {name}" if name == name.lower() else name
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


GAME = MapWorld()
