"""What the two seats of Ask-Guess send: a question or an answer of one paragraph, or one of three words.

Both are forms with set phrases or buttons; what is sent is what a model would have to send.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from engine.core.events import Json
from engine.core.replies import NotInFormat, OneOf, Text, register

YES, NO, GAMEOVER = "yes", "no", "gameover"
_MARKS = (".", "!")
VERDICT = OneOf(
    (YES, NO, GAMEOVER),
    aliases=tuple((f"{word}{mark}", word) for word in (YES, NO, GAMEOVER) for mark in _MARKS),
    labels=("Yes", "No", "Gameover: that is my word"),
    full_stop=False,  # among the aliases: "yes!." is none
    label="Your answer",
    title="Answer the question",
)
"""An answer where only yes, no or gameover may be said."""


@register
@dataclass(frozen=True)
class Paragraph(Text):
    """Free text of one paragraph: without an empty line. `phrases` are offered in a form, in front of other words."""

    phrases: tuple[str, ...] = ()
    kind: ClassVar[str] = "paragraph"

    def parse(self, text: str) -> str:
        text = super().parse(text)
        if any(not line.strip() for line in text.splitlines()):
            raise NotInFormat("the reply must be one paragraph, without an empty line.")
        return text

    def words(self) -> str:
        return "Reply with one paragraph of plain text."

    def field(self, name: str) -> Json:
        made = super().field(name)
        if not self.phrases:
            return made
        offered = [{"value": phrase, "label": phrase.rstrip(".!"), "joins": True} for phrase in self.phrases]
        return {**made, "kind": "phrases", "submit": self.submit, "phrases": offered}

    def sample(self, rng: random.Random) -> str:
        said = super().sample(rng)
        return f"{rng.choice(self.phrases)} {said}" if self.phrases and rng.random() < 0.5 else said

    def pattern(self) -> str | None:
        return r"[^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]*[A-Za-z0-9][^\n\v\f\r\x1c-\x1e\x85\u2028\u2029]*"


QUESTION = Paragraph(label="Your question or guess", lines=1, title="Ask a question", submit="Send question")
ANSWER = Paragraph(
    label="Your answer",
    lines=2,
    title="Answer the question",
    submit="Send answer",
    hint="Press a button, or write in your own words. Do not say your word.",
    phrases=("Yes.", "No.", "Gameover!"),
)
DESCRIPTION = Paragraph(
    label="Describe your word without saying it", lines=3, title="Describe your word", submit="Send description"
)
