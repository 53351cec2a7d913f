"""Reply formats of imported instances: their own pattern decides what is accepted, a format of ours reads the value.

An imported prompt explains its format, so no words are appended to it. Patterns come from files of others: they are
searched in at most MAX_REPLY_CHARACTERS characters, in linear time where that is possible, else for at most
MAX_SEARCH_SECONDS.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from engine.core.events import Json
from engine.core.patterns import compile_imported_pattern
from engine.core.replies import NotInFormat, ReplyFormat, ReplySegment, Tagged, register

T = TypeVar("T")

MAX_REPLY_CHARACTERS = 20_000
MAX_SEARCH_SECONDS = 2.0
IMPORTED_NOTE = "These words come with an imported set and explain how programs reply; this form writes it for you."


class PatternTooSlow(Exception):
    """A pattern of imported instances took too long: a fault of the instances, not of the player."""


def search_reply(pattern: str, reply_text: str) -> dict[str, str | None] | None:
    """Return the named groups of a pattern's first match in a text, or None.

    Raises `PatternTooSlow` and `BadPattern`.
    """
    try:
        return compile_imported_pattern(pattern).search(reply_text, MAX_SEARCH_SECONDS)
    except TimeoutError:
        raise PatternTooSlow(
            f"the pattern {pattern[:120]!r} of the imported set took more than {MAX_SEARCH_SECONDS:g} s on a reply of "
            f"{len(reply_text)} characters"
        ) from None


@register
@dataclass(frozen=True)
class ImportedFormat(ReplyFormat[T], Generic[T]):
    """A reply that matches one of `patterns` (any reply without patterns) and is read by `inner`.

    `inner` reads the whole reply or, if `group` is set, its own tag and that group of the match. `joined`: line breaks
    are dropped first. `nothing` names a group that must be empty. `whole`: the value is the reply word for word, once
    `inner` has accepted it.
    """

    patterns: tuple[str, ...]
    inner: ReplyFormat[T]
    group: str = ""
    joined: bool = False
    nothing: str = ""
    whole: bool = False
    kind: ClassVar[str] = "brought"

    def parse(self, text: str) -> T:
        text = text.strip()
        if len(text) > MAX_REPLY_CHARACTERS:
            raise NotInFormat(f"the reply has {len(text)} characters, at most {MAX_REPLY_CHARACTERS} are read.")
        if self.joined:
            text = text.replace("\n", "")
        parsed_value = self.inner.parse(self._extract_inner_reply(text))
        return text if self.whole else parsed_value  # type: ignore[return-value]  # formats with `whole` are of texts

    def _extract_inner_reply(self, text: str) -> str:
        if not self.patterns:
            return text
        pattern_matches = (search_reply(pattern, text) for pattern in self.patterns)
        groups = next((groups for groups in pattern_matches if groups is not None), None)
        if groups is None:
            raise NotInFormat("the reply is not in the format that the prompt asks for.")
        if self.nothing and (reply_text := groups.get(self.nothing)):
            raise NotInFormat(f"there is more in the reply than was asked for: {reply_text[:80]!r}.")
        if not self.group:
            return text
        tag_text = f"{self.inner.tag}: " if isinstance(self.inner, Tagged) else ""
        return tag_text + str(groups.get(self.group) or "")

    def words(self) -> str:
        return ""

    def describe_form(self) -> Json:
        return _add_title_note(self.inner.describe_form())

    def compose_reply(self, values: Mapping[str, str]) -> str:
        return self.inner.compose_reply(values)

    def sample(self, rng: random.Random) -> str:
        return self.inner.sample(rng)

    def pattern(self) -> str | None:
        return self.inner.pattern()

    def schema(self) -> Json | None:
        return self.inner.schema()

    def show(self, text: str) -> list[ReplySegment]:
        return self.inner.show(text)


def _add_title_note(reply_form: Json) -> Json:
    """Return a form whose title explains the imported words above it."""
    return (
        reply_form
        if "either" in reply_form
        else {**reply_form, "title": f"{reply_form.get('title', 'Reply')}. {IMPORTED_NOTE}"}
    )


def find_inner_declaration(declaration: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the declaration of our format inside an imported one; any other as it is."""
    if declaration["kind"] != ImportedFormat.kind:
        return declaration
    inner_declaration: Json = declaration["inner"]
    return inner_declaration
