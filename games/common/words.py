"""Whether a text says a word: for games in which a word must be guessed or must not be said. No reply formats here.

Case, punctuation, `_`, accents and invisible characters do not matter; only whole words count. A word ships its forms
(`forms`): singular, plural, and the spellings of a name of several words. Part of a compound is no mention.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence


def normalise(text: str) -> str:
    """Return the words of a text, folded, with single blanks between: "Sea_Lion's!" gives "sea lion s"."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return " ".join("".join(map(_plain_sign, folded)).split())


def _plain_sign(sign: str) -> str:
    if sign.isalnum():
        return sign
    kind = unicodedata.category(sign)
    return "" if kind[0] == "M" or kind == "Cf" else " "


def find_mention(text: str, forms: Iterable[str]) -> str | None:
    """Return the first of the forms that stands in the text as whole words, None when none does."""
    within = f" {normalise(text)} "
    return next((form for form in forms if f" {normalise(form)} " in within), None)


def forms(word: str, *more: str) -> tuple[str, ...]:
    """Return the forms that a word ships: itself, its regular plural, both joined, then `more` (irregular plurals).

    `more` replaces nothing and is joined likewise: forms("mouse", "mice"), forms("sea lion").
    """
    spaced = [normalise(word), plural(normalise(word)), *map(normalise, more)]
    joined = [form.replace(" ", "") for form in spaced]
    return tuple(dict.fromkeys([*spaced, *joined]))


def join_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence: "Tom, Rose and Jack"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def plural(word: str) -> str:
    """Return the regular English plural of a word or a name of several words: "fox" gives "foxes"."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"
