"""The reply formats of Ask-Guess: a question or an answer of one paragraph, or one of three words.

People get buttons or set phrases; what is sent is what a model would have to send.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import ClassVar

from engine.core.events import Json
from engine.core.prompts import Prompts
from engine.core.replies import OMITTED_IF_DEFAULT, NotInFormat, OneOf, Text, register

YES_WORD, NO_WORD, GAMEOVER_WORD = "yes", "no", "gameover"
_END_MARKS = (".", "!")


@register
@dataclass(frozen=True)
class Paragraph(Text):
    """Free text of one paragraph, without an empty line.

    A form offers `phrases`, which are sent before other words, as buttons with `phrase_labels`.
    """

    phrases: tuple[str, ...] = ()
    phrase_labels: tuple[str, ...] = field(default=("Yes", "No", "Gameover"), metadata=OMITTED_IF_DEFAULT)
    kind: ClassVar[str] = "paragraph"

    def parse(self, text: str) -> str:
        text = super().parse(text)
        if any(not line.strip() for line in text.splitlines()):
            raise NotInFormat("the reply must be one paragraph, without an empty line.")
        return text

    def words(self) -> str:
        return "Reply with one paragraph of plain text."

    def field(self, name: str) -> Json:
        form_field = super().field(name)
        if not self.phrases:
            return form_field
        phrases = [
            {"value": phrase, "label": label, "joins": True}
            for phrase, label in zip(self.phrases, self.phrase_labels, strict=True)
        ]
        return {**form_field, "kind": "phrases", "submit": self.submit, "phrases": phrases}

    def sample(self, rng: random.Random) -> str:
        text = super().sample(rng)
        return f"{rng.choice(self.phrases)} {text}" if self.phrases and rng.random() < 0.5 else text

    def pattern(self) -> str | None:
        return r"[^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]*[A-Za-z0-9][^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]*"


QUESTION_FORMAT = Paragraph(label="Your question or guess", lines=1, title="Ask a question", submit="Send question")
DESCRIPTION_FORMAT = Paragraph(
    label="Describe your word without saying it", lines=3, title="Describe your word", submit="Send description"
)


def make_answer_format(prompts: Prompts) -> Paragraph:
    """Return the format of an answer in free words."""
    return Paragraph(
        label="Your answer",
        lines=2,
        title="Answer the question",
        submit="Send answer",
        hint=prompts("answer_hint"),
        phrases=("Yes.", "No.", "Gameover!"),
        phrase_labels=("Yes", "No", prompts("gameover_phrase_label")),
    )


def make_verdict_format(prompts: Prompts) -> OneOf:
    """Return the format of an answer that may only be yes, no or gameover."""
    return OneOf(
        (YES_WORD, NO_WORD, GAMEOVER_WORD),
        aliases=tuple(
            (f"{word}{end_mark}", word) for word in (YES_WORD, NO_WORD, GAMEOVER_WORD) for end_mark in _END_MARKS
        ),
        labels=("Yes", "No", prompts("gameover_label")),
        full_stop=False,  # the aliases have it; "yes!." is not accepted
        label="Your answer",
        title="Answer the question",
    )
