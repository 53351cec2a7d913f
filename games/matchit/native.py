"""The prompts and reply formats of MatchIt about grids or pictures; `imported.py` has those of imported instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from engine.core.content import ContentPart, TextExhibit
from engine.core.prompts import Prompts
from engine.core.replies import OneOf, Picked, ReplyFormat, Tagged, Text, either

Noun = Literal["grid", "picture"]


@dataclass(frozen=True)
class ReplyFormats:
    """The formats of all replies about one kind of side."""

    description: ReplyFormat[str]
    question: ReplyFormat[str]
    answer: ReplyFormat[str]
    decision: ReplyFormat[str]
    question_or_decision: ReplyFormat[Picked[Any]]


def untagged_formats(noun: Noun) -> dict[str, ReplyFormat[str]]:
    """Return the formats of what follows the tag, by the name of the reply."""
    reply_noun = "image" if noun == "picture" else noun
    return {
        "description": Text(label=f"Describe your {noun}", title="Describe what you have", submit="Send description"),
        "question": Text(label="Your question", lines=2, title="Ask your partner a question", submit="Send question"),
        "answer": Text(label="Your answer", lines=2, title="Answer your partner's question", submit="Send answer"),
        "decision": OneOf(
            (f"same {reply_noun}s", f"different {reply_noun}s"),
            aliases=(
                (f"same {reply_noun}", f"same {reply_noun}s"),
                (f"different {reply_noun}", f"different {reply_noun}s"),
            ),
            labels=(f"The same {noun}", f"Different {noun}s"),
            label=f"Are your {noun} and your partner's the same?",
            title="Decide",
        ),
    }


@cache
def native_formats(noun: Noun) -> ReplyFormats:
    """Return our own formats, with the tags DESCRIPTION, QUESTION, ANSWER and DECISION."""
    formats = {name: Tagged(name.upper(), untagged_format) for name, untagged_format in untagged_formats(noun).items()}
    either_format = either(question=formats["question"], decision=formats["decision"])
    return ReplyFormats(**formats, question_or_decision=either_format)


class NativePrompts:
    """Our prompts for one episode, and the formats of the replies.

    `stated_limit` is the number of questions that the first prompt states, None if it states none.
    """

    def __init__(self, prompts: Prompts, noun: Noun, stated_limit: int | None) -> None:
        self._prompts, self.noun, self._stated_limit = prompts, noun, stated_limit
        self.formats = native_formats(noun)

    def first_prompt(self, grid: str | None) -> list[ContentPart]:
        """Return the first prompt of a seat, with its grid."""
        content: list[ContentPart] = [self.text("intro")]
        if (count := self._stated_limit) is not None:
            content.append(self.text("limit", questions=f"{count} question" + "s" * (count != 1)))
        if grid is not None:
            content.append(TextExhibit(grid, self.title))
        return [*content, self.text("describe")]

    def next_prompt(self, messages: Sequence[ContentPart], request: str) -> list[ContentPart]:
        """Return new messages for a seat and the request that follows.

        `request` is "question", "question_or_decision", "answer" or "decide".
        """
        return [*messages, self.text(request)]

    @property
    def title(self) -> str:
        """The title of a seat's grid or picture."""
        return f"Your {self.noun}"

    def text(self, key: str, **placeholder_values: object) -> str:
        """Return one text of the prompt set."""
        return self._prompts(key, thing=self.noun, things=f"{self.noun}s", **placeholder_values)
