"""How a MatchIt set of clembench is played: with the words, tags and picture addresses it brings.

What a partner has said is relayed as it was sent, tag included, as clembench does; the order of asks is ours, which is
that of the paper and of the published episodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.content import ContentPart, RelayedMessage
from engine.core.events import Json
from engine.core.replies import ReplyFormat, Tagged
from engine.formats.clembench.patterns import ImportedFormat


class Words:
    """The prompts of one imported instance, and its reply formats: ours with the set's tags."""

    def __init__(self, theirs: Json, ours: Any) -> None:
        self.thing, self.things, self.title, self._theirs = ours.thing, ours.things, ours.title, theirs
        self.description = self._relayed("description", ours.description)
        self.question = self._relayed("question", ours.question)
        self.answer = self._relayed("answer", ours.answer)
        self.decision: ReplyFormat[Any] = ImportedFormat((), Tagged(self._tag("decision"), ours.decision.inner))
        self.question_or_decision = ours.question_or_decision

    def _tag(self, name: str) -> str:
        return str(self._theirs["flags"][name]).strip().removesuffix(":")

    def _relayed(self, name: str, ours: Tagged[Any]) -> ImportedFormat[str]:
        return ImportedFormat((), Tagged(self._tag(name), ours.inner), whole=True)

    def begin(self, grid: str | None) -> str:
        """Return the first prompt; a grid stands in it."""
        return str(self._theirs["initial_prompt"]).replace("$GRID$", grid or "")

    def told(self, untold: Sequence[ContentPart], key: str) -> str:
        """Return what a seat has not been told yet, then what it is asked for: "question", "answer" or "decide"."""
        theirs = self._theirs
        lines = []
        for part in untold:
            if isinstance(part, RelayedMessage):
                lines.append((theirs["desc_intro"] if part.label == "Description" else "") + part.text)
            else:
                lines.append(str(part))
        if key == "answer":
            return "\n".join(lines) + str(theirs["a_request"])
        return "\n".join([*lines, theirs["d_reprompt" if key == "decide" else "q_reprompt"]])
