"""The reply format of the Prince's question: one of three sentences, the third with a name.

Its form field "sentence" serves any game: sentences to choose from, some with a gap and what may fill it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.core.events import Json
from engine.core.replies import NotInFormat, ReplyFormat, register
from games.tofukingdom.instances import SEAT_NAMES
from games.tofukingdom.reading import WHAT_QUESTION, WHO_QUESTION, WHOSE_QUESTION, find_question


@register
@dataclass(frozen=True)
class QuestionFormat(ReplyFormat[str]):
    """One of the three questions; the value is the question as it is asked, whatever case it was sent in."""

    label: str = "Your question"
    title: str = "Ask"
    submit: str = "Ask"
    kind: ClassVar[str] = "tofukingdom-question"

    def parse(self, text: str) -> str:
        question = find_question(text)
        if question is None:
            raise NotInFormat(f"the question must be {self.write_options()}.")
        return question.text()

    def words(self) -> str:
        return f"Ask exactly one of {self.write_options()}, and nothing else."

    def explain_json_member(self, name: str) -> str | None:
        return f'"{name}" is exactly one of {self.write_options()}.'

    def write_options(self) -> str:
        """Return the three questions, quoted."""
        whose_example = WHOSE_QUESTION.format("NAME")
        return f'"{WHO_QUESTION}", "{WHAT_QUESTION}" or "{whose_example}" with NAME one of {", ".join(SEAT_NAMES)}'

    def describe_form(self) -> Json:
        return {"title": self.title, "fields": [self.field("question")], "submit": self.submit}

    def field(self, name: str) -> Json:
        sentences: list[Json] = [
            {"text": WHO_QUESTION},
            {"text": WHAT_QUESTION},
            {"text": WHOSE_QUESTION, "fill": list(SEAT_NAMES)},
        ]
        return {"name": name, "kind": "sentence", "label": self.label, "sentences": sentences}

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return values.get("question", "")

    def sample(self, rng: random.Random) -> str:
        return rng.choice((WHO_QUESTION, WHAT_QUESTION, WHOSE_QUESTION.format(rng.choice(SEAT_NAMES))))

    def pattern(self) -> str | None:
        names_pattern = "|".join(SEAT_NAMES)
        return rf"(?:Who is the Princess\?|What is your identity\?|What is the identity of (?:{names_pattern})\?)"

    def schema(self) -> Json | None:
        return {
            "type": "string",
            "enum": [WHO_QUESTION, WHAT_QUESTION, *(WHOSE_QUESTION.format(name) for name in SEAT_NAMES)],
        }

    def display_value(self, value: Any) -> str:
        return str(value)
