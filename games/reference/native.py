"""The prompts and reply formats of the reference game; `imported.py` has those of imported instances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from engine.core.content import ContentPart, RelayedMessage
from engine.core.prompts import Prompts
from engine.core.replies import OneOf, OneShown, ReplyFormat, Tagged, Text
from games.reference.instances import PLACES

EXPRESSION_TAG = "Expression"
"""The tag of a referring expression, and its label when it is relayed to the listener."""
SPELLINGS = {"first": ("1", "1st"), "second": ("2", "2nd"), "third": ("3", "3rd")}

Noun = Literal["grid", "picture"]


class NativeFormats:
    """The reply formats about grids or pictures, and the titles of the three items in order."""

    def __init__(self, prompts: Prompts, noun: Noun) -> None:
        def text(prompt_key: str) -> str:
            return prompts(prompt_key, thing=noun, things=f"{noun}s")

        self.titles = tuple(f"{place_name.capitalize()} {noun}" for place_name in PLACES)
        self.expression = Tagged(
            EXPRESSION_TAG,
            Text(
                label=text("describe_label"),
                lines=1,
                title=text("describe_title"),
                submit=text("describe_submit"),
                hint=text("describe_hint"),
            ),
            any_case=True,
        )
        spellings = [
            (place_name, spelling) for place_name in PLACES for spelling in (place_name, *SPELLINGS[place_name])
        ]
        aliases = (
            *((spelling, place_name) for place_name, spelling in spellings if spelling != place_name),
            *(
                (f"{spelling} {noun_word}", place_name)
                for place_name, spelling in spellings
                for noun_word in ("image", "picture", "grid")
            ),
        )
        labels = tuple(f"The {place_name} {noun}" for place_name in PLACES)
        question, title = text("choose_label"), text("choose_title")
        self.answer = Tagged(
            "Answer",
            OneShown(
                PLACES, aliases, labels, label=question, title=title, submit=text("choose_submit"), shown=self.titles
            ),
            any_case=True,
        )
        self.answer_by_words = Tagged(
            "Answer", OneOf(PLACES, aliases, labels, label=question, title=title), any_case=True
        )
        """The answer where the items are part of a text, so that a person cannot click them."""


@lru_cache(maxsize=64)
def native_formats(prompts: Prompts, noun: Noun) -> NativeFormats:
    """Return the reply formats, made once per set of prompts."""
    return NativeFormats(prompts, noun)


class NativePrompts:
    """Our prompts for one episode, and the formats of the replies."""

    def __init__(self, prompts: Prompts, target_at: str, as_text: bool) -> None:
        self._prompts, self._target_at = prompts, target_at
        self._noun: Noun = "grid" if as_text else "picture"
        self.reply_formats = native_formats(prompts, self._noun)
        self.titles = self.reply_formats.titles
        self.expression: ReplyFormat[str] = self.reply_formats.expression
        self.answer: ReplyFormat[str] = self.reply_formats.answer

    def listener_introduction(self, exhibits: Sequence[ContentPart]) -> list[ContentPart]:
        """Return what the listener is told with its items before the game; empty if it gets them with its request."""
        return [self._fill_prompt("listener"), *exhibits]

    def speaker_prompt(self, exhibits: Sequence[ContentPart]) -> list[ContentPart]:
        """Return the request for an expression, with the speaker's items."""
        return [self._fill_prompt("speaker"), *exhibits, self._fill_prompt("describe")]

    def listener_prompt(self, expression: str) -> list[ContentPart]:
        """Return the request for an answer."""
        return [RelayedMessage(EXPRESSION_TAG, expression, "speaker"), self._fill_prompt("choose")]

    def _fill_prompt(self, prompt_key: str) -> str:
        return self._prompts(prompt_key, thing=self._noun, things=f"{self._noun}s", place=self._target_at)
