"""The prompts and reply formats of the reference game; `imported.py` has those of imported instances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from engine.core.content import ContentPart, RelayedMessage
from engine.core.prompts import Prompts
from engine.core.replies import OneOf, OneShown, ReplyFormat, Tagged, Text
from games.reference.layout import PLACES

EXPRESSION_TAG = "Expression"
"""The tag of a referring expression, and its label when it is relayed to the listener."""
SPELLINGS_BY_PLACE = {"first": ("1", "1st"), "second": ("2", "2nd"), "third": ("3", "3rd")}

Noun = Literal["grid", "picture"]


class NativeFormats:
    """The reply formats about grids or pictures, and the titles of the three items in order."""

    def __init__(self, prompts: Prompts, noun: Noun) -> None:
        def fill_prompt(prompt_key: str) -> str:
            return prompts(prompt_key, thing=noun, things=f"{noun}s")

        self.item_titles = tuple(f"{place_name.capitalize()} {noun}" for place_name in PLACES)
        self.expression_format = Tagged(
            EXPRESSION_TAG,
            Text(
                label=fill_prompt("describe_label"),
                lines=1,
                title=fill_prompt("describe_title"),
                submit=fill_prompt("describe_submit"),
                hint=fill_prompt("describe_hint"),
            ),
            any_case=True,
        )
        place_spellings = [
            (place_name, spelling)
            for place_name in PLACES
            for spelling in (place_name, *SPELLINGS_BY_PLACE[place_name])
        ]
        aliases = (
            *((spelling, place_name) for place_name, spelling in place_spellings if spelling != place_name),
            *(
                (f"{spelling} {noun_word}", place_name)
                for place_name, spelling in place_spellings
                for noun_word in ("image", "picture", "grid")
            ),
        )
        place_labels = tuple(f"The {place_name} {noun}" for place_name in PLACES)
        answer_label, answer_title = fill_prompt("choose_label"), fill_prompt("choose_title")
        self.answer_format = Tagged(
            "Answer",
            OneShown(
                PLACES,
                aliases,
                place_labels,
                label=answer_label,
                title=answer_title,
                submit=fill_prompt("choose_submit"),
                shown=self.item_titles,
            ),
            any_case=True,
        )
        self.typed_answer_format = Tagged(
            "Answer", OneOf(PLACES, aliases, place_labels, label=answer_label, title=answer_title), any_case=True
        )
        """The answer where the items are part of a text, so that a person cannot click them."""


@lru_cache(maxsize=64)
def make_native_formats(prompts: Prompts, noun: Noun) -> NativeFormats:
    """Return the reply formats, made once per set of prompts."""
    return NativeFormats(prompts, noun)


class NativePrompts:
    """Our prompts for one episode, and the formats of the replies."""

    def __init__(self, prompts: Prompts, target_place: str, shows_text: bool) -> None:
        self._prompts, self._target_place = prompts, target_place
        self._noun: Noun = "grid" if shows_text else "picture"
        self.reply_formats = make_native_formats(prompts, self._noun)
        self.item_titles = self.reply_formats.item_titles
        self.expression_format: ReplyFormat[str] = self.reply_formats.expression_format
        self.answer_format: ReplyFormat[str] = self.reply_formats.answer_format

    def write_listener_introduction(self, item_contents: Sequence[ContentPart]) -> list[ContentPart]:
        """Return what the listener is told with its items before the game; empty if it gets them with its request."""
        return [self._fill_prompt("listener"), *item_contents]

    def write_speaker_prompt(self, item_contents: Sequence[ContentPart]) -> list[ContentPart]:
        """Return the request for an expression, with the speaker's items."""
        return [self._fill_prompt("speaker"), *item_contents, self._fill_prompt("describe")]

    def write_listener_prompt(self, expression: str) -> list[ContentPart]:
        """Return the request for an answer."""
        return [RelayedMessage(EXPRESSION_TAG, expression, "speaker"), self._fill_prompt("choose")]

    def _fill_prompt(self, prompt_key: str) -> str:
        return self._prompts(prompt_key, thing=self._noun, things=f"{self._noun}s", place=self._target_place)
