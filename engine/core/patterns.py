"""Regular expressions over what others wrote: the only module of engine, players and ui that imports `re` or `regex`.

Python's `re` backtracks: a few characters can keep it busy for ever, while no other thread runs. So patterns are
compiled with RE2, whose searches take time in proportion to the text. Where RE2 cannot say it (look-around), `re` is
used if somebody has written down why its search is linear; imported patterns that RE2 cannot compile are searched with
a time limit. `tests/test_architecture.py` checks the imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from re import ASCII, IGNORECASE, MULTILINE, Match, Pattern, escape
from typing import Any

__all__ = [
    "ASCII",
    "IGNORECASE",
    "MULTILINE",
    "BadPattern",
    "LinearPattern",
    "Match",
    "Pattern",
    "compile_imported_pattern",
]
__all__ += ["ImportedPattern", "compile_linear_pattern", "compile_pattern", "escape"]


class BadPattern(ValueError):
    """A pattern is not a regular expression; the message names it."""


class LinearPattern:
    """A pattern compiled by RE2. `\\w`, `\\d`, `\\s` and `\\b` mean ASCII characters only."""

    def __init__(self, pattern: str, *, ignore_case: bool = False) -> None:
        """Compile a pattern. Raises `BadPattern` for what RE2 does not know."""
        import re2  # 20 ms, which most commands need not wait for

        re2_options = re2.Options()
        re2_options.case_sensitive, re2_options.log_errors = not ignore_case, False
        try:
            self._regexp = re2.compile(pattern, re2_options)
        except (re2.error, UnicodeEncodeError) as error:
            raise BadPattern(f"{pattern[:200]!r} is no regular expression of RE2: {error}") from None

    def search(self, searched_text: str) -> dict[str, str | None] | None:
        """Return the named groups of the first match, None without a match."""
        regexp_match = self._regexp.search(_make_encodable(searched_text))
        if regexp_match is None:
            return None
        group_spans = {name: regexp_match.span(group_number) for name, group_number in self._regexp.groupindex.items()}
        return {
            name: None if span_start < 0 else searched_text[span_start:span_end]
            for name, (span_start, span_end) in group_spans.items()
        }

    def replace_matches(self, replacement: str, searched_text: str) -> str:
        """Return the text with each match replaced; the replacement is taken literally."""
        return "".join(self._iterate_pieces(replacement, searched_text))

    def _iterate_pieces(self, replacement: str, source_text: str) -> Iterator[str]:
        last_match_end = 0
        for regexp_match in self._regexp.finditer(_make_encodable(source_text)):
            yield from (source_text[last_match_end : regexp_match.start()], replacement)
            last_match_end = regexp_match.end()
        yield source_text[last_match_end:]


def _make_encodable(source_text: str) -> str:
    """Return a text of the same length without halves of surrogate pairs, which are not in UTF-8."""
    return source_text.encode(errors="replace").decode()


@lru_cache(maxsize=256)
def compile_pattern(pattern: str, *, ignore_case: bool = False) -> LinearPattern:
    """Return a pattern that can search any text: time grows with its length, whatever it contains."""
    return LinearPattern(pattern, ignore_case=ignore_case)


@lru_cache(maxsize=512)
def compile_linear_pattern(pattern: str, flags: int = 0, *, reason: str) -> re.Pattern[str]:
    """Return a pattern of `re`, for what RE2 cannot say. `reason` is the reason why its search is linear on any text.

    Good reasons: only literals and single characters; one repeated class whose end cannot be found in another way; a
    bounded length. Two repetitions next to each other that can match the same characters are not linear.
    """
    assert reason
    return re.compile(pattern, flags)


# ---------------------------------------------------------------------- patterns of imported sets
class ImportedPattern:
    """A pattern of an imported set: searched by RE2 where it can, else by `regex`, which can stop after some time."""

    def __init__(self, pattern: str) -> None:
        """Compile a pattern that ignores case, as clembench does. Raises `BadPattern`."""
        import regex

        try:
            self._timed_pattern = regex.compile(pattern, regex.IGNORECASE)
        except regex.error as error:
            raise BadPattern(f"{pattern[:200]!r} is no regular expression: {error}") from None
        translated_pattern = _translate_pattern(pattern)
        self._linear_pattern: LinearPattern | None = None
        if translated_pattern is not None:
            try:
                self._linear_pattern = LinearPattern(translated_pattern, ignore_case=True)
            except BadPattern:  # it looks around or back, or repeats more than 1,000 times
                pass

    @property
    def is_linear(self) -> bool:
        """Whether no text can make a search slow."""
        return self._linear_pattern is not None

    def search(self, searched_text: str, time_limit: float) -> dict[str, str | None] | None:
        """Return the named groups of the first match in a text that ends in no line break, None without a match.

        Raises TimeoutError after `seconds`, for a pattern that is not linear.
        """
        if self._linear_pattern:
            return self._linear_pattern.search(searched_text)
        timed_match = self._timed_pattern.search(searched_text, timeout=time_limit)
        text_by_group: dict[str, Any] | None = timed_match and timed_match.groupdict()
        return text_by_group


@lru_cache(maxsize=256)
def compile_imported_pattern(pattern: str) -> ImportedPattern:
    """Return a pattern of an imported set, in Python's syntax. Raises `BadPattern`."""
    return ImportedPattern(pattern)


_CHARACTER_CLASSES = {
    "w": r"\p{L}\p{M}\p{Nl}\p{Nd}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}"
    r"\x{200C}\x{200D}",
    "d": r"\p{Nd}",
    "s": r"\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}",
}
"""What Python's classes of characters contain in Unicode, for RE2, whose own are of ASCII."""
_ANY_CHARACTER = r"\x{0}-\x{10FFFF}"


def _translate_pattern(pattern: str) -> str | None:
    """Return a pattern of Python as RE2 must be given it to match the same, None if that is not known."""
    pattern_parts: list[str] = []
    pattern_position, is_class = 0, False
    while pattern_position < len(pattern):
        character, character_pair = pattern[pattern_position], pattern[pattern_position : pattern_position + 2]
        pattern_position += 2 if character == "\\" else 1
        if character != "\\":
            if character == "[" and not is_class:
                is_class = True
                class_start_text = (
                    pattern[pattern_position : pattern_position + 2]
                    if pattern[pattern_position : pattern_position + 1] == "^"
                    else pattern[pattern_position : pattern_position + 1]
                )
                if class_start_text.endswith("]"):  # the bracket itself, as the first member
                    return None
            elif character == "]":
                is_class = False
            pattern_parts.append(character)
        elif character_pair[1:] in _CHARACTER_CLASSES:
            other_class = "\\" + character_pair[1].upper()
            if is_class and pattern[pattern_position : pattern_position + 2] == other_class:
                pattern_parts.append(_ANY_CHARACTER)
                pattern_position += 2
            else:
                pattern_parts.append(
                    _CHARACTER_CLASSES[character_pair[1]] if is_class else f"[{_CHARACTER_CLASSES[character_pair[1]]}]"
                )
        elif character_pair[1:].lower() in _CHARACTER_CLASSES and not is_class:
            pattern_parts.append(f"[^{_CHARACTER_CLASSES[character_pair[1].lower()]}]")
        elif character_pair == "\\Z" and not is_class:
            pattern_parts.append(r"\z")
        elif character_pair[1:].isascii() and character_pair[1:].isalnum() and character_pair[1] not in "AntrfvxpP":
            return None  # a border of words, a reference, a name: known under another meaning, or not at all
        else:
            pattern_parts.append(character_pair)
    return "".join(pattern_parts)
