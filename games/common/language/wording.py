"""English that scripted players write: articles, plurals, numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence

from games.common.language.lexicon import LEXICON
from games.common.language.tokens import SMALL_NUMBERS

SOUNDS_LIKE_YOU = ("uni", "use", "eu", "one")


def add_article(phrase: str) -> str:
    """Return a phrase with "a" or "an", or as it is where the name is a plural."""
    noun = phrase.split(" of ")[0].split(" with ")[0].split(" full")[0]
    if noun.rsplit(" ", 1)[-1] in LEXICON.grammar_words("plural_names"):
        return phrase
    is_vowel = phrase[:1] in "aeiou" and not phrase.startswith(SOUNDS_LIKE_YOU)
    return f"{'an' if is_vowel else 'a'} {phrase}"


def pluralise(phrase: str) -> str:
    """Return the plural of a name: "pairs of boots", "shelves", "glasses"."""
    first, of, rest = phrase.partition(" of ")
    if of:
        return f"{pluralise(first)} of {rest}"
    before, _, word = phrase.rpartition(" ")
    if word in LEXICON.grammar_words("plural_names"):
        return phrase
    forms = LEXICON.table("irregular").get(word)
    if forms and LEXICON.parts(word)[:1] == "n":
        plural = forms[0]
    elif word.endswith(("s", "x", "z", "ch", "sh")):
        plural = f"{word}es"
    elif word.endswith("y") and word[-2:-1] not in "aeiou":
        plural = f"{word[:-1]}ies"
    else:
        plural = f"{word}s"
    return f"{before} {plural}".strip()


def count_word(number: int) -> str:
    """Return a number up to twenty in words, others in digits."""
    return SMALL_NUMBERS[number] if 0 < number < len(SMALL_NUMBERS) else "no" if number == 0 else str(number)


def count_noun(number: int, noun: str) -> str:
    """Return "one chair", "three chairs", "no chairs"."""
    return f"{count_word(number)} {noun if number == 1 else pluralise(noun)}"


def join_list(parts: Sequence[str], conjunction: str = "and") -> str:
    """Return "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}" if parts else ""


def capitalise(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
