"""How a reference game set of clembench is played: with the prompts and patterns it brings."""

from __future__ import annotations

from typing import Any

from engine.core.events import Json
from engine.core.replies import OneOf, ReplyFormat, Tagged
from engine.formats.clembench.patterns import ImportedFormat

PLACE = "TARGET_EXPRESSION"


class Words:
    """What speaker and listener are told, and the formats of their replies, from an entry of one of the two games."""

    def __init__(self, theirs: Json) -> None:
        self._theirs = theirs

    def speaker(self) -> str:
        """Return what asks for an expression; text grids stand in it."""
        return str(self._theirs["player_1_prompt_header"])

    def listener(self, expression: str) -> str:
        """Return what asks which one is meant."""
        return str(self._theirs["player_2_prompt_header"]).replace(PLACE, f"Expression: {expression}")

    def expression(self, ours: Tagged[Any]) -> ReplyFormat[str]:
        """Return the format of the expression; older files bring no pattern."""
        return self._format("player_1_response_pattern", ours)

    def answer(self, ours: Tagged[Any], shown: bool) -> ReplyFormat[str]:
        """Return the format of the choice. Grids stand in the text: nothing is `shown` that a person could click."""
        if not shown:
            declared = {name: getattr(ours.inner, name) for name in ("options", "aliases", "labels", "label", "title")}
            ours = Tagged(ours.tag, OneOf(**declared), ours.any_case)
        return self._format("player_2_response_pattern", ours)

    def _format(self, name: str, ours: Tagged[Any]) -> ReplyFormat[str]:
        pattern = self._theirs.get(name)
        if not pattern:
            return ImportedFormat((), ours)
        given = "response" if "(?P<response>" in pattern else "content"
        strict = self._theirs.get(f"p{name[7]}_mode", "strict") == "strict"
        return ImportedFormat((pattern,), ours, given, nothing="remainder" if strict else "")
