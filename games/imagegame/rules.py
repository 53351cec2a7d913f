"""The rulebook of the image game: a giver describes a grid in commands, a follower draws it and cannot see it.

The protocol follows the image game of clembench (game 2 in its paper). A turn is one command with its drawing; the
episode ends with DONE or after the last turn that the settings allow, and is scored either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from engine.core.briefing import Briefings
from engine.core.content import Content, Progress, RelayedMessage, TextExhibit
from engine.core.events import Json, Lose, Outcome, Success
from engine.core.game import Experiment, Game, InstanceMaker, ScriptedPlayer, Variant
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.core.table import Asking, Table
from engine.core.table import Settings as BaseSettings
from games.imagegame import clembench, grid, instances
from games.imagegame.imported import ImportedPrompts
from games.imagegame.instances import Instance
from games.imagegame.replies import DONE_VALUE, FOLLOWER_SEAT, GIVER_SEAT, Command, Drawing

if TYPE_CHECKING:
    from engine.core.clembench_mapping import ClembenchMapping
    from engine.core.debriefing import Debriefing, Panel
    from engine.core.log import Log

TARGET_TITLE = "Your grid"
EXPERIMENTS = tuple(Experiment(name, title) for name, title in instances.EXPERIMENTS.items())


class Settings(BaseSettings):
    """`turns` is the limit of commands: 25 in the source, 50 in the public implementation."""

    turns: Literal[25, 50] = Field(25, title="Maximum number of commands")


class NativePrompts:
    """What the two seats are told, and the formats of their replies, in an instance of ours."""

    def __init__(self, prompts: Prompts, instance: Instance) -> None:
        self._prompts, self._instance = prompts, instance

    def write_giver_prompt(self, is_first_turn: bool) -> Content:
        """Return what asks for the next command; the first time with the task and the grid."""
        if not is_first_turn:
            return self._prompts("next")
        return [self._prompts("giver"), TextExhibit(self._instance.target, TARGET_TITLE), self._prompts("first")]

    def write_follower_prompt(self, command: str, is_first_turn: bool) -> Content:
        """Return what passes a command on; the first time with the task."""
        relayed_command = RelayedMessage(self._instance.tag, command, GIVER_SEAT)
        return [self._prompts("follower", blank=grid.BLANK_GRID), relayed_command] if is_first_turn else relayed_command

    def make_command_format(self) -> ReplyFormat[str]:
        """Return the format of a command or DONE."""
        return Command(self._instance.tag)

    def make_drawing_format(self, native_format: Drawing) -> ReplyFormat[str]:
        """Return the format of a drawing."""
        return native_format


class ImageGame(Game):
    """One player sees a grid and gives commands; the other draws it."""

    name = "imagegame"
    title = "Image game"
    blurb = "One player sees a grid of letters and describes it in commands. The other draws it without seeing it."
    tagline = "Draw a grid that only your partner can see."
    rules = (
        "The giver has a grid of five rows and five columns with letters in some cells. The follower has an empty "
        "grid. Neither player sees the other's grid.",
        "The giver gives one command after another, such as “put an A in the top left corner” or “fill row 5 with A”. "
        "The follower draws after each command.",
        "The giver presses Done when the whole grid has been described. The game ends after 25 commands at the latest. "
        "The score says how well the final drawing matches the grid: missing, wrong and extra letters all lower it.",
    )
    briefings = Briefings(Path(__file__).parent)
    minutes = 3
    newcomer_seat = "follower"
    version = 1
    seats = (GIVER_SEAT, FOLLOWER_SEAT)
    settings = Settings
    prompts = Prompts.load(Path(__file__).parent / "prompts")
    variants = (Variant("grid", "Letters on a grid", EXPERIMENTS),)

    def load(self, data: Json) -> Instance:
        """Return the instance; raises pydantic's ValidationError that names the field."""
        return instances.load(data)

    def settings_of(self, instance: Json) -> Json:
        """Return the settings that an imported instance is played with."""
        return clembench.settings(instance["theirs"]) if instance.get("theirs") else {}

    def prompts_for(
        self, prompts: Prompts, variant: str, settings: Settings, instance: Instance
    ) -> ImportedPrompts | NativePrompts:
        """Return our prompts and reply formats, or those of an imported instance."""
        if clembench_instance := instance.clembench_instance:
            return ImportedPrompts(clembench_instance, instance.tag)
        return NativePrompts(prompts, instance)

    def play(self, table: Table, instance: Instance) -> Asking[Outcome]:
        """Command and drawing in turn, until DONE or the turns are used up."""
        prompts: ImportedPrompts | NativePrompts = table.prompts
        max_turns, command_format = table.settings.turns, prompts.make_command_format()
        drawing = grid.BLANK_GRID
        for turn in range(max_turns):
            turns_left = Progress("commands", max_turns - turn, max_turns, verb="give")
            command = yield from table.ask(
                GIVER_SEAT, prompts.write_giver_prompt(turn == 0), command_format, progress=turns_left
            )
            if command == DONE_VALUE:
                break
            drawing_format = prompts.make_drawing_format(Drawing(drawing, _find_offered_letters(command, drawing)))
            drawing = yield from table.ask(
                FOLLOWER_SEAT, prompts.write_follower_prompt(command, turn == 0), drawing_format
            )
        return Success() if drawing == instance.target else Lose()

    def score(self, log: Log) -> Json:
        from games.imagegame.scores import score

        return score(log).as_json()

    def debrief(self, log: Log, scores: Json) -> Debriefing:
        from games.imagegame.debrief import debrief
        from games.imagegame.scores import Scores

        return debrief(log, Scores.from_json(scores))

    def board(self, log: Log) -> list[Panel]:
        from games.imagegame.board import make_board_panels

        return make_board_panels(log)

    def scripted_players(self) -> Mapping[str, ScriptedPlayer]:
        return {
            "scripted": ScriptedPlayer.from_module(
                "games.imagegame.scripted", "gives few commands; draws what it understands of yours"
            ),
        }

    def instance_maker(self) -> InstanceMaker:
        return instances

    def clembench(self) -> ClembenchMapping:
        return clembench


def _find_offered_letters(command: str, drawing: str) -> tuple[str, ...]:
    from games.imagegame.follower import find_offered_letters  # when it is played: reading English takes long to import

    return find_offered_letters(command, drawing)


GAME = ImageGame()
