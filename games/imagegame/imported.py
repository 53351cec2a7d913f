"""The prompts of an imported instance of the image game, and the reply formats that its own patterns define."""

from __future__ import annotations

from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from engine.formats.clembench.patterns import ImportedFormat
from games.imagegame.replies import Command, Drawing


class ImportedPrompts:
    """What the two seats are told, and the formats of their replies, as an instance of clembench's `imagegame` has it.

    The same as `NativePrompts` of the rulebook.
    """

    def __init__(self, clembench_instance: Json, tag: str) -> None:
        self._instance, self._command_tag = clembench_instance, tag

    def write_giver_prompt(self, is_first_turn: bool) -> str:
        """Return what asks for the next command; the first time with the task and the grid."""
        prompt_header, target_grid, question = (
            str(self._instance[key]) for key in ("player_1_prompt_header", "target_grid", "player_1_question")
        )
        return f"{prompt_header}\n{target_grid}\n{question}\n" if is_first_turn else question

    def write_follower_prompt(self, command: str, is_first_turn: bool) -> str:
        """Return what passes a command on; the first time with the task."""
        tagged_command = f"{self._command_tag}: {command}"
        return f"{self._instance['player_2_prompt_header']}\n{tagged_command}" if is_first_turn else tagged_command

    def make_command_format(self) -> ReplyFormat[Any]:
        """Return the format of a command or DONE; older files have no patterns."""
        pattern_keys = ("player_1_terminate_pattern", "player_1_response_pattern")
        patterns = tuple(self._instance[key] for key in pattern_keys if key in self._instance)
        return ImportedFormat(patterns, Command(self._command_tag))

    def make_drawing_format(self, native_format: Drawing) -> ReplyFormat[Any]:
        """Return the format of a drawing."""
        pattern = self._instance.get("player_2_response_pattern")
        return ImportedFormat((pattern,) if pattern else (), native_format)
