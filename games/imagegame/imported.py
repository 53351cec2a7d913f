"""How an image game set of clembench is played: with the prompts and patterns it brings."""

from __future__ import annotations

from typing import Any

from engine.core.events import Json
from engine.core.replies import ReplyFormat
from engine.formats.clembench.patterns import ImportedFormat
from games.imagegame.replies import Command, Drawing


class Words:
    """What the two are told, and the formats of their replies, from an entry of clembench's `imagegame`."""

    def __init__(self, theirs: Json, tag: str) -> None:
        self._theirs, self._tag = theirs, tag

    def giver(self, first: bool) -> str:
        """Return what asks for the next command; the first time with the task and the grid."""
        header, target, question = (
            str(self._theirs[name]) for name in ("player_1_prompt_header", "target_grid", "player_1_question")
        )
        return f"{header}\n{target}\n{question}\n" if first else question

    def follower(self, command: str, first: bool) -> str:
        """Return what hands a command on; the first time with the task."""
        said = f"{self._tag}: {command}"
        return f"{self._theirs['player_2_prompt_header']}\n{said}" if first else said

    def command(self) -> ReplyFormat[Any]:
        """Return the format of a command or DONE; older files bring no patterns."""
        names = ("player_1_terminate_pattern", "player_1_response_pattern")
        return ImportedFormat(tuple(self._theirs[name] for name in names if name in self._theirs), Command(self._tag))

    def drawing(self, ours: Drawing) -> ReplyFormat[Any]:
        """Return the format of a drawing."""
        pattern = self._theirs.get("player_2_response_pattern")
        return ImportedFormat((pattern,) if pattern else (), ours)
