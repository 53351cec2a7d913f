"""The prompts and reply formats of an imported MatchIt instance of clembench: those of its set.

A partner's reply is relayed as it was sent, with its tag, as clembench does. The order of asks is our own, the order of
the paper and of the published episodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core.content import ContentPart, RelayedMessage
from engine.core.events import Json
from engine.core.prompts import Prompts
from engine.core.replies import Tagged
from engine.formats.clembench.patterns import ImportedFormat
from games.matchit.native import NativePrompts, Noun, make_untagged_formats


class ImportedPrompts(NativePrompts):
    """The prompts of one imported instance, and its reply formats: our own with the tags of its set."""

    def __init__(self, prompts: Prompts, noun: Noun, clembench_instance: Json) -> None:
        super().__init__(prompts, noun)
        self._instance = clembench_instance
        tag_by_name = {
            tag_name: str(tag).strip().removesuffix(":") for tag_name, tag in clembench_instance["flags"].items()
        }
        tagged_formats = {
            tag_name: Tagged(tag_by_name[tag_name], untagged_format)
            for tag_name, untagged_format in make_untagged_formats(prompts, noun).items()
        }
        self.reply_formats = replace(
            self.reply_formats,
            description=ImportedFormat((), tagged_formats["description"], whole=True),
            question=ImportedFormat((), tagged_formats["question"], whole=True),
            answer=ImportedFormat((), tagged_formats["answer"], whole=True),
            decision=ImportedFormat((), tagged_formats["decision"]),
        )

    def write_first_prompt(self, grid: str | None) -> list[ContentPart]:
        """Return the first prompt of a seat, which contains its grid."""
        return [str(self._instance["initial_prompt"]).replace("$GRID$", grid or "")]

    def write_next_prompt(self, messages: Sequence[ContentPart], request_key: str) -> list[ContentPart]:
        """Return new messages for a seat and the request that follows, as one text."""
        lines = []
        for message in messages:
            if isinstance(message, RelayedMessage):
                lines.append((self._instance["desc_intro"] if message.label == "Description" else "") + message.text)
            else:
                lines.append(str(message))
        if request_key == "answer":
            return ["\n".join(lines) + str(self._instance["a_request"])]
        return ["\n".join([*lines, self._instance["d_reprompt" if request_key == "decide" else "q_reprompt"]])]
