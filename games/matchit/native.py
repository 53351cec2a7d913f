"""The prompts and reply formats of MatchIt about grids or pictures; `imported.py` has those of imported instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
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


def untagged_formats(prompts: Prompts, noun: Noun) -> dict[str, ReplyFormat[str]]:
    """Return the formats of what follows the tag, by the name of the reply."""

    def text(prompt_key: str) -> str:
        return prompts(prompt_key, thing=noun, things=f"{noun}s")

    def free_text(field_name: str, lines: int) -> Text:
        return Text(
            text(f"{field_name}_label"), lines, title=text(f"{field_name}_title"), submit=text(f"{field_name}_submit")
        )

    reply_noun = "image" if noun == "picture" else noun
    return {
        "description": free_text("description", 4),
        "question": free_text("question", 2),
        "answer": free_text("answer", 2),
        "decision": OneOf(
            (f"same {reply_noun}s", f"different {reply_noun}s"),
            aliases=(
                (f"same {reply_noun}", f"same {reply_noun}s"),
                (f"different {reply_noun}", f"different {reply_noun}s"),
            ),
            labels=(text("same_label"), text("different_label")),
            label=text("decision_label"),
            title=text("decision_title"),
        ),
    }


@lru_cache(maxsize=64)
def native_formats(prompts: Prompts, noun: Noun) -> ReplyFormats:
    """Return our own formats, with the tags DESCRIPTION, QUESTION, ANSWER and DECISION."""
    tagged_formats = {
        key: Tagged(key.upper(), untagged_format) for key, untagged_format in untagged_formats(prompts, noun).items()
    }
    either_format = either(question=tagged_formats["question"], decision=tagged_formats["decision"])
    return ReplyFormats(**tagged_formats, question_or_decision=either_format)


class NativePrompts:
    """Our prompts for one episode, and the formats of the replies.

    `stated_limit` is the number of questions that the first prompt states, None if it states none. `has_example` says
    whether the first prompt has an example of a dialogue.
    """

    def __init__(
        self, prompts: Prompts, noun: Noun, stated_limit: int | None = None, *, has_example: bool = False
    ) -> None:
        self._prompts, self.noun, self._stated_limit, self._has_example = prompts, noun, stated_limit, has_example
        self.reply_formats = native_formats(prompts, noun)

    def first_prompt(self, grid: str | None) -> list[ContentPart]:
        """Return the first prompt of a seat, with its grid."""
        content: list[ContentPart] = [self.text("intro")]
        if (max_questions := self._stated_limit) is not None:
            content.append(self.text("limit", questions=f"{max_questions} question" + "s" * (max_questions != 1)))
        if self._has_example:
            content.append(self.text(f"example_{self.noun}"))
        if grid is not None:
            content.append(TextExhibit(grid, self.title))
        return [*content, self.text("describe")]

    def next_prompt(self, messages: Sequence[ContentPart], request_key: str) -> list[ContentPart]:
        """Return new messages for a seat and the request that follows.

        `request_key` is "question", "question_or_decision", "answer" or "decide".
        """
        return [*messages, self.text(request_key)]

    @property
    def title(self) -> str:
        """The title of a seat's grid or picture."""
        return f"Your {self.noun}"

    def text(self, prompt_key: str, **placeholder_values: object) -> str:
        """Return one text of the prompt set."""
        return self._prompts(prompt_key, thing=self.noun, things=f"{self.noun}s", **placeholder_values)
