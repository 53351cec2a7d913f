"""Finds mentions of a word in a text, for games in which a word must be guessed or must not be said.

Case, punctuation, `_`, accents and invisible characters are ignored. Only whole words count: part of a compound is not
a mention. A word is found in all its forms (`forms`): singular, plural, and the spellings of a name of several words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache


@lru_cache(maxsize=64)
def normalise_text(text: str) -> str:
    """Return the case-folded words of a text, separated by single spaces: "sea lion s" for "Sea_Lion's!"."""
    return " ".join(text.translate(_NORMALISED_CHARACTERS).split())


class _NormalisedCharacters(dict[int, str]):
    """What remains of each character, by code point. One by one: Unicode sorts the accents of a character, which takes
    time quadratic in their number, and no accent remains.
    """

    MAX_CACHED_CHARACTERS = 10_000

    def __missing__(self, code_point: int) -> str:
        case_folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", chr(code_point)).casefold())
        kept_text = "".join(map(_normalise_character, case_folded))
        if len(self) < self.MAX_CACHED_CHARACTERS:
            self[code_point] = kept_text
        return kept_text


def _normalise_character(character: str) -> str:
    if character.isalnum():
        return character
    category = unicodedata.category(character)
    return "" if category[0] == "M" or category == "Cf" else " "


_NORMALISED_CHARACTERS = _NormalisedCharacters()


def find_mention(text: str, word_forms: Iterable[str]) -> str | None:
    """Return the first of the forms that occurs in the text as whole words, None if none does."""
    padded_text = f" {normalise_text(text)} "
    return next((word_form for word_form in word_forms if f" {normalise_text(word_form)} " in padded_text), None)


def list_word_forms(word: str, *other_forms: str) -> tuple[str, ...]:
    """Return all forms of a word: its regular plural, `other_forms` (irregular plurals), and all of them
    written as one word: forms("mouse", "mice"), forms("sea lion").
    """
    forms_with_spaces = [normalise_text(word), plural(normalise_text(word)), *map(normalise_text, other_forms)]
    forms_without_spaces = [word_form.replace(" ", "") for word_form in forms_with_spaces]
    return tuple(dict.fromkeys([*forms_with_spaces, *forms_without_spaces]))


def join_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "Tom, Rose and Jack"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def plural(word: str) -> str:
    """Return the regular English plural of a word or of a name of several words: "foxes" for "fox"."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
