"""The prompts and reply formats of an imported reference game of clembench: the prompts and patterns of its set."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.content import ContentPart
from engine.core.events import Json
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.formats.clembench.patterns import ImportedFormat
from games.reference.native import NativePrompts

EXPRESSION_PLACE = "TARGET_EXPRESSION"


class ImportedPrompts(NativePrompts):
    """The prompts and reply formats of an instance of one of clembench's two games. Text grids are in its prompts."""

    def __init__(self, prompts: Prompts, target_at: str, as_text: bool, clembench_instance: Json) -> None:
        super().__init__(prompts, target_at, as_text)
        self._instance = clembench_instance
        native_answer = self.reply_formats.answer_by_words if as_text else self.answer
        self.expression = self._imported_format(1, self.expression)
        self.answer = self._imported_format(2, native_answer)

    def listener_introduction(self, exhibits: Sequence[ContentPart]) -> list[ContentPart]:
        """Return nothing: the listener gets its items with its request."""
        return []

    def speaker_prompt(self, exhibits: Sequence[ContentPart]) -> list[ContentPart]:
        """Return the request for an expression."""
        return [str(self._instance["player_1_prompt_header"])]

    def listener_prompt(self, expression: str) -> list[ContentPart]:
        """Return the request for an answer."""
        header = str(self._instance["player_2_prompt_header"])
        return [header.replace(EXPRESSION_PLACE, f"Expression: {expression}")]

    def _imported_format(self, player: int, native_format: ReplyFormat[str]) -> ReplyFormat[str]:
        """Return the format of a player's reply. Older files have no pattern for it."""
        pattern = self._instance.get(f"player_{player}_response_pattern")
        if not pattern:
            return ImportedFormat((), native_format)
        group_name = "response" if "(?P<response>" in pattern else "content"
        is_strict_mode = self._instance.get(f"p{player}_mode", "strict") == "strict"
        return ImportedFormat((pattern,), native_format, group_name, nothing="remainder" if is_strict_mode else "")
