"""The rulebook of Map World: one walker, a map it cannot see, at most 20 turns.

The protocol follows the multimodal games paper, §4.3 and appendix D. Every GO that parses is a move, open or not; DONE
is not. The walker is never told positions, the number of rooms or the turn limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.core.briefing import Briefings
from engine.core.content import Picture, ShownPicture
from engine.core.events import Aborted, Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.core.table import Asking, Table, setting_off_by_default
from engine.core.table import Settings as BaseSettings
from games.mapworld import clembench, instances
from games.mapworld.imported import ImportedPrompts, list_imported_pictures
from games.mapworld.maps import Map
from games.mapworld.native import NativePrompts, add_room_article
from games.mapworld.replies import DONE_VALUE, MapSketch
from games.mapworld.walking import Walk

if TYPE_CHECKING:
    from engine.core.clembench_mapping import ClembenchMapping
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.log import Log

MAX_TURNS = 20
WALKER_SEAT = "walker"
TITLE_BY_TASK = {"ee": "Explore every room", "ee-gr": "Explore and draw the map", "g2x": "Find a room"}
MODALITY_WORDS = {"text": "in words", "picture": "in pictures"}
VISIT_ALL_RULES = (
    "Visit every room in as few moves as you can. When you think that you have visited them all, press Done."
)
RULES_BY_TASK = {
    "ee": (VISIT_ALL_RULES,),
    "ee-gr": (
        VISIT_ALL_RULES,
        "Draw a map as you go. Every time you move, you also send your map of the rooms that you have visited.",
    ),
    "g2x": ("The game tells you which room to find. Press Done when you are in it.",),
}


class Settings(BaseSettings):
    """`example` puts an example walk through another house into the first prompt."""

    example: bool = setting_off_by_default("Prompt includes an example walk")


class MapWorld(Game):
    """Walk through rooms you cannot see from outside: explore them all, or find one."""

    name = "mapworld"
    title = "Map World"
    blurb = "Walk through a house that you see one room at a time. Explore it, draw its map, or find a certain room."
    tagline = "Explore a house that you see one room at a time."
    rules = (
        "You are in a house, and you can see only the room that you are in. Doors lead north, east, south and west.",
        "Every direction that you choose counts as a move, even if you go back or if there is no door. The game does "
        "not tell you how many rooms there are.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 5
    version = 2
    seats = (WALKER_SEAT,)
    counted_replies = "moves"
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = tuple(
        Variant(
            f"{task}-{modality}",
            f"{title}, {modality_words}",
            tuple(
                Experiment(name, instances.TITLE_BY_EXPERIMENT[name], instances.DISTANCE_RANGES.get(name))
                for name in instances.EXPERIMENTS_BY_TASK[task]
            ),
            pictures=modality == "picture",
            rules=RULES_BY_TASK[task],
        )
        for task, title in TITLE_BY_TASK.items()
        for modality, modality_words in MODALITY_WORDS.items()
    )

    def load(self, data: Json) -> Map:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def prompts_for(self, prompts: Prompts, variant: str, settings: Settings, instance: Map) -> NativePrompts:
        """Return our prompts and reply formats, or those of an imported map."""
        if clembench_instance := instance.clembench_instance:
            return ImportedPrompts(prompts, variant, clembench_instance)
        return NativePrompts(prompts, variant, is_lenient=instance.kind == "imported", has_example=settings.example)

    def goal(self, variant: str, instance: Map, seat: str) -> str | None:
        """Return the room to find, as the first prompt names it."""
        task, _ = instances.split_variant(variant)
        return f"Find {add_room_article(instance.target)}" if task == "g2x" and instance.target else None

    def play(self, table: Table, instance: Map) -> Asking[Outcome]:
        """Walk until DONE or the turns are used up."""
        return (yield from WalkDialogue(table, instance).play())

    def picture(self, instance: Map, asset: str) -> Picture:
        """Return the picture of a room (asset "room-3")."""
        from games.common.pictures import LIBRARY  # late, as all that playing alone takes

        room_number = asset.removeprefix("room-")
        if not room_number.isdecimal() or int(room_number) >= len(instance.rooms):
            raise KeyError(asset)
        picture_id = instance.rooms[int(room_number)].picture
        if picture_id is None:
            raise KeyError(asset)
        return LIBRARY.picture(picture_id)

    def stimuli(self, instance: Json) -> Iterable[str]:
        instance_map = Map.model_validate(instance)
        if instance_map.kind != "native":
            return ()
        return (instance_map.shape, *([f"target {instance_map.target}"] if instance_map.target else []))

    def unsupported_reason(self, instance: Map) -> str | None:
        """Return which picture of an imported instance is not on this machine, None when all are."""
        from games.common.pictures import CLEMBENCH_SET, LIBRARY, UnknownPicture, make_import_hint

        for room, address in list_imported_pictures(instance):
            if room.picture is None:
                return f"the picture {address!r} is not here; {make_import_hint(CLEMBENCH_SET)}"
            try:
                LIBRARY.verify_picture(room.picture)
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
        from games.mapworld.board import make_board_panels

        return make_board_panels(log)

    def animate(self, log: Log) -> bytes:
        from games.mapworld.animate import draw_gif

        return draw_gif(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.mapworld.scripted",
                "walks a shortest way over what it has been told; pictures by their description",
                fallback=None,
            ),
            "optimal": ScriptedPlayer.from_module(
                "games.mapworld.scripted",
                "knows the whole map: the ceiling, for watching and runs only",
                "OptimalWalker",
                fallback=None,
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        return instances

    def clembench(self) -> ClembenchMapping:
        return clembench


class WalkDialogue:
    """One episode: the walk so far, and what a person's form continues from."""

    def __init__(self, table: Table, instance: Map) -> None:
        self.table, self.walk = table, Walk(instance)
        self.task, self.modality = instances.split_variant(table.variant)
        self.prompts: NativePrompts = table.prompts
        self.last_direction = self.last_sketch = ""
        """The way of the last move, if it was open, and the map stated last, as JSON."""

    def play(self) -> Asking[Outcome]:
        """Ask for moves; return how the walk ended."""
        content = self.prompts.write_first_prompt(self.walk)
        for _ in range(MAX_TURNS):
            pictures = [ShownPicture(f"room-{self.walk.room}", "The room you are in", keep=False)]
            reply_value = yield from self.table.ask(
                WALKER_SEAT, content, self.make_reply_format(), pictures=pictures if self.modality == "picture" else ()
            )
            direction = reply_value["action"] if isinstance(reply_value, dict) else reply_value
            if self.task == "ee-gr":
                self.last_sketch = json.dumps(reply_value["graph"])
            if direction == DONE_VALUE:
                return self.judge_outcome()
            step = self.walk.take_step(direction)
            self.last_direction = direction if step.has_moved else ""
            content = self.prompts.describe_move(self.walk)
        return Aborted("turn limit", WALKER_SEAT)

    def judge_outcome(self) -> Outcome:
        """Return what DONE in this room means."""
        if self.task == "g2x":
            return Success() if self.walk.room in self.walk.map.target_rooms else Lose()
        return Success() if len(self.walk.visited_rooms) == len(self.walk.map.rooms) else Lose()

    def make_reply_format(self) -> ReplyFormat[Any]:
        """Return the format of the next reply: it has the room's name unless the room is shown."""
        room_name = self.walk.map.rooms[self.walk.room].name if self.modality == "text" else ""
        return self.prompts.make_reply_format(self.walk, MapSketch(room_name, self.last_direction, self.last_sketch))


GAME = MapWorld()
