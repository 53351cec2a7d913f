"""The prompts and reply formats of an imported reference game of clembench: the prompts and patterns of its set."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.content import ContentPart
from engine.core.events import Json
from engine.core.prompts import Prompts
from engine.core.replies import ReplyFormat
from engine.formats.clembench.patterns import ImportedFormat
from games.reference.native import NativePrompts

EXPRESSION_PLACEHOLDER = "TARGET_EXPRESSION"


class ImportedPrompts(NativePrompts):
    """The prompts and reply formats of an instance of one of clembench's two games. Text grids are in its prompts."""

    def __init__(self, prompts: Prompts, target_place: str, shows_text: bool, clembench_instance: Json) -> None:
        super().__init__(prompts, target_place, shows_text)
        self._instance = clembench_instance
        native_format = self.reply_formats.typed_answer_format if shows_text else self.answer_format
        self.expression_format = self._make_imported_format(1, self.expression_format)
        self.answer_format = self._make_imported_format(2, native_format)

    def write_listener_introduction(self, item_contents: Sequence[ContentPart]) -> list[ContentPart]:
        """Return nothing: the listener gets its items with its request."""
        return []

    def write_speaker_prompt(self, item_contents: Sequence[ContentPart]) -> list[ContentPart]:
        """Return the request for an expression."""
        return [str(self._instance["player_1_prompt_header"])]

    def write_listener_prompt(self, expression: str) -> list[ContentPart]:
        """Return the request for an answer."""
        prompt_header = str(self._instance["player_2_prompt_header"])
        return [prompt_header.replace(EXPRESSION_PLACEHOLDER, f"Expression: {expression}")]

    def _make_imported_format(self, player_number: int, native_format: ReplyFormat[str]) -> ReplyFormat[str]:
        """Return the format of a player's reply. Older files have no pattern for it."""
        reply_pattern = self._instance.get(f"player_{player_number}_response_pattern")
        if not reply_pattern:
            return ImportedFormat((), native_format)
        group_name = "response" if "(?P<response>" in reply_pattern else "content"
        is_strict = self._instance.get(f"p{player_number}_mode", "strict") == "strict"
        return ImportedFormat((reply_pattern,), native_format, group_name, nothing="remainder" if is_strict else "")
