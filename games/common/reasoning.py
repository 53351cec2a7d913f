"""The private thought of a JSON reply, with or without the instruction to reason before speaking.

The GameEval paper has models reason in `thought` before they speak. A game with the setting `reasoning` asks for that;
without it a thought is optional.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.core.replies import Text, register, thought


@register
@dataclass(frozen=True)
class Reasoning(Text):
    """A private thought that a model is told to write first; a reply in which it is empty is still accepted."""

    instruction: str = ""
    """What a model reads about it."""
    kind: ClassVar[str] = "reasoning"

    def explain_json_member(self, name: str) -> str | None:
        return self.instruction


def make_thought_format(label: str, instruction: str | None) -> Text:
    """Return the format of a private thought: with an instruction a model must reason there, else it need not."""
    if instruction is None:
        return thought()
    return Reasoning(label=label, lines=3, optional=True, private=True, instruction=instruction)
