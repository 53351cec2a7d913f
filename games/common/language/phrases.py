"""Rewrites phrases: terms that together match a pattern become other terms.

A pattern is a regular expression over terms instead of characters: its words stand for one term each, by one of the
term's `tags`, "any" for any term, and `$name` for a pattern of the table "phrases" in `grid_words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from games.common.language.terms import NAMED_CELLS, PHRASES, Term

_PATTERN_PART = re.compile(r"\$\w+|\(\?P<\w+>|\{[\d,]+\}|\w+|\s+")
Builder = Callable[["PhraseMatch"], Term | list[Term] | None]
Rule = tuple[re.Pattern[str], Builder]


@cache
def compile_phrase(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern, for terms that are written as their tags."""
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
    """Return the function of a name, or one that makes the terms after "=": "<group>" of the match, "kind:value"."""
    operator, *term_specs = action.split(" ")
    if operator == "=":
        return lambda phrase: [term for term_spec in term_specs for term in _make_terms(term_spec, phrase)]
    builder: Builder = builders[f"_read_{action}"]
    return builder


def _make_terms(term_spec: str, phrase: PhraseMatch) -> list[Term]:
    if term_spec.startswith("<"):
        return phrase.group(term_spec[1:-1])
    term_kind, _, meaning = term_spec.replace("_", " ").partition(":")
    cells = NAMED_CELLS[meaning] if term_kind == "cells" else frozenset()
    return [Term(term_kind, meaning, text=meaning or term_kind, cells=cells)]


class EncodedTerms:
    """Terms as a text in which patterns are looked for; a stop follows the last."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self.terms = [*terms, Term("stop")]
        term_texts = [f"< {' '.join(term.tags)} >" for term in self.terms]
        self.tag_text = "".join(term_texts)
        self.start_offsets = [0]
        for term_text in term_texts:
            self.start_offsets.append(self.start_offsets[-1] + len(term_text))
        self.indices = {offset: index for index, offset in enumerate(self.start_offsets)}

    def match_pattern(self, pattern: re.Pattern[str], index: int, done: Sequence[Term] = ()) -> PhraseMatch | None:
        """Return the match of a pattern that begins at a term, None if there is none."""
        regex_match = pattern.match(self.tag_text, self.start_offsets[index]) if index < len(self.terms) else None
        return PhraseMatch(self, regex_match, done) if regex_match and regex_match.end() > regex_match.start() else None


class PhraseMatch:
    """Terms that match a pattern: `group` has those of a named part. A builder may move the `end`."""

    def __init__(self, encoded_terms: EncodedTerms, regex_match: re.Match[str], done_terms: Sequence[Term]) -> None:
        self.context, self._regex_match, self.output = encoded_terms, regex_match, done_terms
        self.start, self.end = (encoded_terms.indices[offset] for offset in regex_match.span())

    def group(self, part_name: str) -> list[Term]:
        start, stop = self._regex_match.span(part_name) if part_name in self._regex_match.re.groupindex else (-1, -1)
        return [] if start < 0 else self.context.terms[self.context.indices[start] : self.context.indices[stop]]

    def term(self, part_name: str) -> Term:
        """Return the first term of a named part, an empty one if it has none."""
        return next(iter(self.group(part_name)), Term("none"))

    @property
    def terms(self) -> list[Term]:
        """All its terms."""
        return self.context.terms[self.start : self.end]

    def match_next(self, pattern: re.Pattern[str]) -> PhraseMatch | None:
        """Return the match of a pattern that begins where this one ends."""
        return self.context.match_pattern(pattern, self.end)

    def terms_after(self, term_count: int) -> list[Term]:
        """Return the next terms."""
        return self.context.terms[self.end : self.end + term_count]

    def term_before(self, distance: int = 1) -> Term:
        """Return the term so many places before, an empty one if there is none."""
        return self.context.terms[self.start - distance] if self.start >= distance else Term("stop")


def rewrite(terms: Iterable[Term], rules: Sequence[Rule]) -> list[Term]:
    """Return terms with phrases rewritten by the first rule that fits, from left to right."""
    encoded_terms, done_terms, index = EncodedTerms(terms), list[Term](), 0
    while index < len(encoded_terms.terms) - 1:
        phrases = ((builder, encoded_terms.match_pattern(pattern, index, done_terms)) for pattern, builder in rules)
        built, phrase = next(
            ((built, phrase) for builder, phrase in phrases if phrase and (built := builder(phrase)) is not None),
            (encoded_terms.terms[index], None),
        )
        if phrase:
            index = min(phrase.end, len(encoded_terms.terms) - 1)
            new_terms = built if isinstance(built, list) else [built]
            source_texts = [quote_terms(encoded_terms.terms[phrase.start : index]), *[""] * len(new_terms)]
            done_terms += [replace(term, source=source) for term, source in zip(new_terms, source_texts, strict=False)]
        else:
            done_terms.append(encoded_terms.terms[index])
            index += 1
    return done_terms


def quote_terms(terms: Iterable[Term]) -> str:
    """Return terms as they were written."""
    quoted_text = " ".join(term.source for term in terms if term.source)
    for mark in ",.;:!?)":
        quoted_text = quoted_text.replace(f" {mark}", mark)
    return quoted_text.strip(" ,.;:").replace("( ", "(")
