"""The prompts and reply formats of MatchIt about grids or pictures; `imported.py` has those of imported instances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from engine.core.content import ContentPart, TextExhibit
from engine.core.prompts import Prompts
from engine.core.replies import OneOf, PickedAlternative, ReplyFormat, Tagged, Text, either

Noun = Literal["grid", "picture"]


@dataclass(frozen=True)
class ReplyFormats:
    """The formats of all replies about one kind of side."""

    description: ReplyFormat[str]
    question: ReplyFormat[str]
    answer: ReplyFormat[str]
    decision: ReplyFormat[str]
    question_or_decision: ReplyFormat[PickedAlternative[Any]]


def make_untagged_formats(prompts: Prompts, noun: Noun) -> dict[str, ReplyFormat[str]]:
    """Return the formats of what follows the tag, by the name of the reply."""

    def prompt_text(prompt_key: str) -> str:
        return fill_prompt(prompts, noun, prompt_key)

    def make_text_format(field_name: str, lines: int) -> Text:
        return Text(
            prompt_text(f"{field_name}_label"),
            lines,
            title=prompt_text(f"{field_name}_title"),
            submit=prompt_text(f"{field_name}_submit"),
        )

    item_noun = "image" if noun == "picture" else noun
    return {
        "description": make_text_format("description", 4),
        "question": make_text_format("question", 2),
        "answer": make_text_format("answer", 2),
        "decision": OneOf(
            (f"same {item_noun}s", f"different {item_noun}s"),
            aliases=(
                (f"same {item_noun}", f"same {item_noun}s"),
                (f"different {item_noun}", f"different {item_noun}s"),
            ),
            labels=(prompt_text("same_label"), prompt_text("different_label")),
            label=prompt_text("decision_label"),
            title=prompt_text("decision_title"),
        ),
    }


@lru_cache(maxsize=256)  # the same texts are said in every episode
def fill_prompt(prompts: Prompts, noun: Noun, prompt_key: str) -> str:
    """Return one text of a prompt set."""
    return prompts(prompt_key, thing=noun, things=f"{noun}s")


@lru_cache(maxsize=64)
def make_native_formats(prompts: Prompts, noun: Noun) -> ReplyFormats:
    """Return our own formats, with the tags DESCRIPTION, QUESTION, ANSWER and DECISION."""
    tagged_formats = {
        reply_name: Tagged(reply_name.upper(), untagged_format)
        for reply_name, untagged_format in make_untagged_formats(prompts, noun).items()
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
        self.reply_formats = make_native_formats(prompts, noun)

    def write_first_prompt(self, grid: str | None) -> list[ContentPart]:
        """Return the first prompt of a seat, with its grid."""
        prompt_parts: list[ContentPart] = [self.fill_prompt("intro")]
        if (max_questions := self._stated_limit) is not None:
            questions = f"{max_questions} question" + "s" * (max_questions != 1)
            prompt_parts.append(self._prompts("limit", questions=questions))
        if self._has_example:
            prompt_parts.append(self.fill_prompt(f"example_{self.noun}"))
        if grid is not None:
            prompt_parts.append(TextExhibit(grid, self.title))
        return [*prompt_parts, self.fill_prompt("describe")]

    def write_next_prompt(self, messages: Sequence[ContentPart], request_key: str) -> list[ContentPart]:
        """Return new messages for a seat and the request that follows.

        `request_key` is "question", "question_or_decision", "answer" or "decide".
        """
        return [*messages, self.fill_prompt(request_key)]

    @property
    def title(self) -> str:
        """The title of a seat's grid or picture."""
        return f"Your {self.noun}"

    def fill_prompt(self, prompt_key: str) -> str:
        """Return one text of the prompt set."""
        return fill_prompt(self._prompts, self.noun, prompt_key)
