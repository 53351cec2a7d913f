"""Rewrites phrases: signs that together match a pattern become other signs.

A pattern is a regular expression over signs instead of characters: its words stand for one sign each, by one of the
sign's `tags`, "any" for any sign, and `$name` for a pattern of the table "phrases" in `grid_words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from games.common.language.signs import NAMED_CELLS, PHRASES, Sign

_PATTERN_PART = re.compile(r"\$\w+|\(\?P<\w+>|\{[\d,]+\}|\w+|\s+")
Builder = Callable[["PhraseMatch"], Sign | list[Sign] | None]
Rule = tuple[re.Pattern[str], Builder]


@cache
def compile_phrase(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, for signs that are written as their tags."""
    return re.compile(_PATTERN_PART.sub(_translate_part, pattern))


def _translate_part(part_match: re.Match[str]) -> str:
    pattern_word = part_match[0]
    if pattern_word.startswith("$"):
        return f"(?:{compile_phrase(PHRASES[pattern_word[1:]]).pattern})"
    if not pattern_word[0].isalnum():
        return pattern_word.strip()
    return "(?:<[^>]*>)" if pattern_word == "any" else f"(?:<[^>]* {pattern_word} [^>]*>)"


def make_rules(rule_rows: Iterable[Sequence[str]], builders: Mapping[str, Any]) -> list[Rule]:
    """Return rules of patterns and what is made of a match: by the function of a name, or by "= NEW ITEMS"."""
    return [(compile_phrase(pattern), _find_builder(action, builders)) for pattern, action in rule_rows]


def _find_builder(action: str, builders: Mapping[str, Any]) -> Builder:
    """Return the function of a name, or one that makes the signs after "=": "<group>" of the match, "kind:value"."""
    operator, *sign_specs = action.split(" ")
    if operator == "=":
        return lambda phrase: [sign for sign_spec in sign_specs for sign in _make_signs(sign_spec, phrase)]
    builder: Builder = builders[f"_read_{action}"]
    return builder


def _make_signs(sign_spec: str, phrase: PhraseMatch) -> list[Sign]:
    if sign_spec.startswith("<"):
        return phrase.group(sign_spec[1:-1])
    sign_kind, _, meaning = sign_spec.replace("_", " ").partition(":")
    cells = NAMED_CELLS[meaning] if sign_kind == "cells" else frozenset()
    return [Sign(sign_kind, meaning, text=meaning or sign_kind, cells=cells)]


class EncodedSigns:
    """Signs as a text in which patterns are looked for; a stop follows the last."""

    def __init__(self, signs: Iterable[Sign]) -> None:
        self.signs = [*signs, Sign("stop")]
        sign_texts = [f"< {' '.join(sign.tags)} >" for sign in self.signs]
        self.tag_text = "".join(sign_texts)
        self.start_offsets = [0]
        for sign_text in sign_texts:
            self.start_offsets.append(self.start_offsets[-1] + len(sign_text))
        self.indices = {offset: index for index, offset in enumerate(self.start_offsets)}

    def match_pattern(self, pattern: re.Pattern[str], index: int, done: Sequence[Sign] = ()) -> PhraseMatch | None:
        """Return the match of a pattern that begins at a sign, None if there is none."""
        regex_match = pattern.match(self.tag_text, self.start_offsets[index]) if index < len(self.signs) else None
        return PhraseMatch(self, regex_match, done) if regex_match and regex_match.end() > regex_match.start() else None


class PhraseMatch:
    """Signs that match a pattern: `group` has those of a named part. A builder may move the `end`."""

    def __init__(self, encoded_signs: EncodedSigns, regex_match: re.Match[str], done_signs: Sequence[Sign]) -> None:
        self.context, self._regex_match, self.output = encoded_signs, regex_match, done_signs
        self.start, self.end = (encoded_signs.indices[offset] for offset in regex_match.span())

    def group(self, part_name: str) -> list[Sign]:
        start, stop = self._regex_match.span(part_name) if part_name in self._regex_match.re.groupindex else (-1, -1)
        return [] if start < 0 else self.context.signs[self.context.indices[start] : self.context.indices[stop]]

    def sign(self, part_name: str) -> Sign:
        """Return the first sign of a named part, an empty one if it has none."""
        return next(iter(self.group(part_name)), Sign("none"))

    @property
    def signs(self) -> list[Sign]:
        """All its signs."""
        return self.context.signs[self.start : self.end]

    def match_next(self, pattern: re.Pattern[str]) -> PhraseMatch | None:
        """Return the match of a pattern that begins where this one ends."""
        return self.context.match_pattern(pattern, self.end)

    def signs_after(self, sign_count: int) -> list[Sign]:
        """Return the next signs."""
        return self.context.signs[self.end : self.end + sign_count]

    def sign_before(self, distance: int = 1) -> Sign:
        """Return the sign so many places before, an empty one if there is none."""
        return self.context.signs[self.start - distance] if self.start >= distance else Sign("stop")


def rewrite(signs: Iterable[Sign], rules: Sequence[Rule]) -> list[Sign]:
    """Return signs with phrases rewritten by the first rule that fits, from left to right."""
    encoded_signs, done_signs, index = EncodedSigns(signs), list[Sign](), 0
    while index < len(encoded_signs.signs) - 1:
        phrases = ((builder, encoded_signs.match_pattern(pattern, index, done_signs)) for pattern, builder in rules)
        built, phrase = next(
            ((built, phrase) for builder, phrase in phrases if phrase and (built := builder(phrase)) is not None),
            (encoded_signs.signs[index], None),
        )
        if phrase:
            index = min(phrase.end, len(encoded_signs.signs) - 1)
            new_signs = built if isinstance(built, list) else [built]
            source_texts = [quote_signs(encoded_signs.signs[phrase.start : index]), *[""] * len(new_signs)]
            done_signs += [replace(sign, source=source) for sign, source in zip(new_signs, source_texts, strict=False)]
        else:
            done_signs.append(encoded_signs.signs[index])
            index += 1
    return done_signs


def quote_signs(signs: Iterable[Sign]) -> str:
    """Return signs as they were written."""
    quoted_text = " ".join(sign.source for sign in signs if sign.source)
    for mark in ",.;:!?)":
        quoted_text = quoted_text.replace(f" {mark}", mark)
    return quoted_text.strip(" ,.;:").replace("( ", "(")
