"""Rewrites phrases: items that together match a pattern become other items.

A pattern is a regular expression over items instead of characters: its words stand for one item each, by one of the
item's `tags`, "any" for any item, and `$name` for a pattern of the table "phrases" in `grid_words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from games.common.language.signs import NAMED_CELLS, PHRASES, Item

_PART = re.compile(r"\$\w+|\(\?P<\w+>|\{[\d,]+\}|\w+|\s+")
Builder = Callable[["PhraseMatch"], Item | list[Item] | None]
Rule = tuple[re.Pattern[str], Builder]


@cache
def compile_phrase(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, for items that are written as their tags."""
    return re.compile(_PART.sub(_translate, pattern))


def _translate(part: re.Match[str]) -> str:
    word = part[0]
    if word.startswith("$"):
        return f"(?:{compile_phrase(PHRASES[word[1:]]).pattern})"
    if not word[0].isalnum():
        return word.strip()
    return "(?:<[^>]*>)" if word == "any" else f"(?:<[^>]* {word} [^>]*>)"


def make_rules(rows: Iterable[Sequence[str]], functions: Mapping[str, Any]) -> list[Rule]:
    """Return rules of patterns and what is made of a match: by the function of a name, or by "= NEW ITEMS"."""
    return [(compile_phrase(pattern), _builder(action, functions)) for pattern, action in rows]


def _builder(action: str, functions: Mapping[str, Any]) -> Builder:
    """Return the function of a name, or one that makes the items after "=": "<group>" of the match, "kind:value"."""
    sign, *parts = action.split(" ")
    if sign == "=":
        return lambda match: [item for part in parts for item in _items_of(part, match)]
    builder: Builder = functions[f"_{action}"]
    return builder


def _items_of(part: str, match: PhraseMatch) -> list[Item]:
    if part.startswith("<"):
        return match.group(part[1:-1])
    kind, _, value = part.partition(":")
    cells = NAMED_CELLS[value] if kind == "cells" else frozenset()
    return [Item(kind, value, text=value or kind, cells=cells)]


class Encoded:
    """Items as a text in which patterns are looked for; a stop follows the last."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = [*items, Item("stop")]
        words = [f"< {' '.join(item.tags)} >" for item in self.items]
        self.text = "".join(words)
        self.starts = [0]
        for word in words:
            self.starts.append(self.starts[-1] + len(word))
        self.places = {start: at for at, start in enumerate(self.starts)}

    def match(self, pattern: re.Pattern[str], at: int, done: Sequence[Item] = ()) -> PhraseMatch | None:
        """Return the match of a pattern that begins at an item, None if there is none."""
        match = pattern.match(self.text, self.starts[at]) if at < len(self.items) else None
        return PhraseMatch(self, match, done) if match and match.end() > match.start() else None


class PhraseMatch:
    """Items that match a pattern: `group` has those of a named part. A builder may move the `end`."""

    def __init__(self, encoded: Encoded, match: re.Match[str], done: Sequence[Item]) -> None:
        self.encoded, self._match, self.done = encoded, match, done
        self.start, self.end = (encoded.places[offset] for offset in match.span())

    def group(self, name: str) -> list[Item]:
        start, end = self._match.span(name) if name in self._match.re.groupindex else (-1, -1)
        return [] if start < 0 else self.encoded.items[self.encoded.places[start] : self.encoded.places[end]]

    def word(self, name: str) -> Item:
        """Return the first item of a named part, an empty one if it has none."""
        return next(iter(self.group(name)), Item("none"))

    @property
    def items(self) -> list[Item]:
        """All its items."""
        return self.encoded.items[self.start : self.end]

    def then(self, pattern: re.Pattern[str]) -> PhraseMatch | None:
        """Return the match of a pattern that begins where this one ends."""
        return self.encoded.match(pattern, self.end)

    def items_after(self, many: int) -> list[Item]:
        """Return the next items."""
        return self.encoded.items[self.end : self.end + many]

    def item_before(self, many: int = 1) -> Item:
        """Return the item so many places before, an empty one if there is none."""
        return self.encoded.items[self.start - many] if self.start >= many else Item("stop")


def rewrite(items: Iterable[Item], rules: Sequence[Rule]) -> list[Item]:
    """Return items with phrases rewritten by the first rule that fits, from left to right."""
    encoded, done, at = Encoded(items), list[Item](), 0
    while at < len(encoded.items) - 1:
        matches = ((build, encoded.match(pattern, at, done)) for pattern, build in rules)
        built, match = next(
            ((built, match) for build, match in matches if match and (built := build(match)) is not None),
            (encoded.items[at], None),
        )
        if match:
            at = min(match.end, len(encoded.items) - 1)
            rewritten = built if isinstance(built, list) else [built]
            sources = [quote(encoded.items[match.start : at]), *[""] * len(rewritten)]
            done += [replace(item, source=source) for item, source in zip(rewritten, sources, strict=False)]
        else:
            done.append(encoded.items[at])
            at += 1
    return done


def quote(items: Iterable[Item]) -> str:
    """Return items as they were written."""
    words = " ".join(item.source for item in items if item.source)
    for mark in ",.;:!?)":
        words = words.replace(f" {mark}", mark)
    return words.strip(" ,.;:").replace("( ", "(")
