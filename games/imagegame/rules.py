"""The rulebook of the image game: a giver describes a grid in commands, a follower draws it and cannot see it.

Protocol after the image game of clembench (game 2 in its paper). A turn is one command with its drawing; the episode
ends with DONE or after the last turn there may be, and is then scored either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from engine.core.clembench_mapping import ClembenchMapping
from engine.core.content import ContentPart, Progress, RelayedMessage, TextExhibit
from engine.core.debriefing import Debriefing, Panel
from engine.core.events import Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.core.table import Asking, Table
from engine.core.table import Settings as BaseSettings
from games.imagegame import clembench, grid, imported, instances
from games.imagegame.commands import letters_named
from games.imagegame.instances import Instance
from games.imagegame.replies import DONE, Command, Drawing

GIVER, FOLLOWER = "giver", "follower"
TARGET = "Your grid"


class Settings(BaseSettings):
    """`turns` is how many commands there may be: 25 in the source, 50 in the public implementation."""

    turns: Literal[25, 50] = Field(25, title="Commands at most")


class ImageGame(Game):
    """One sees a grid and gives commands, the other draws."""

    name = "imagegame"
    title = "Image game"
    blurb = "One sees a grid of letters and gives commands, the other draws it without seeing it."
    rules = (
        "The giver has a grid of five rows and five columns with letters in some cells. The follower has an empty one. "
        "Neither sees the other's.",
        "The giver gives one command after another, such as “put an A in the top left corner” or “fill row 5 with A”. "
        "The follower draws after each.",
        "The giver says Done when everything has been said, after 25 commands at the latest. What counts is how well "
        "the drawing then agrees with the grid: letters that are missing, wrong or too many all cost.",
    )
    version = 1
    seats = (GIVER, FOLLOWER)
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = (
        Variant("grid", "Letters on a grid", tuple(Experiment(*named) for named in instances.EXPERIMENTS.items())),
    )

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Command and drawing in turn, until DONE or the turns are used up."""
        say, turns, tag = table.prompts, table.settings.turns, instance.tag
        giver: list[ContentPart] = [say("giver"), TextExhibit(instance.target, TARGET), say("first")]
        follower: list[ContentPart] = [say("follower", blank=grid.BLANK)]
        words = imported.Words(instance.theirs, tag) if instance.theirs else None
        format: ReplyFormat[str] = words.command() if words else Command(tag)
        drawing = grid.BLANK
        for turn in range(turns):
            left = Progress("commands", turns - turn, turns, verb="give")
            if words:
                giver = [words.giver(turn == 0)]
            command = yield from table.ask(GIVER, giver, format, progress=left)
            if command == DONE:
                break
            told: list[ContentPart] = (
                [words.follower(command, turn == 0)] if words else [*follower, RelayedMessage(tag, command, GIVER)]
            )
            asked = Drawing(drawing, letters_named(command, drawing))
            drawing = yield from table.ask(FOLLOWER, told, words.drawing(asked) if words else asked)
            giver, follower = [say("next")], []
        return Success() if drawing == instance.target else Lose()

    def score(self, log: Log) -> Json:
        from games.imagegame.scores import score

        return score(log)

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.imagegame.debrief import debrief

        return debrief(log, scores)

    def board(self, log: Log) -> list[Panel]:
        from games.imagegame.board import watch

        return watch(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        from games.imagegame.scripted import PLAYERS

        return PLAYERS

    def instance_maker(self) -> InstanceMaker:
        from games.imagegame import instances

        return instances

    def clembench(self) -> ClembenchMapping:
        from games.imagegame import clembench

        return clembench


GAME = ImageGame()
