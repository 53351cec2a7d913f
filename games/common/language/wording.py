"""English that scripted players write: articles, plurals, numbers and lists."""

from __future__ import annotations

from collections.abc import Sequence

from games.common.language.lexicon import LEXICON
from games.common.language.tokens import SMALL_NUMBER_WORDS

SOUNDS_LIKE_YOU = ("uni", "use", "eu", "one")


def is_plural_name(noun: str) -> bool:
    """Return whether one thing has a name in the plural: "slippers", not "drill press"."""
    return noun.partition(" of ")[0].rpartition(" ")[2] in LEXICON.grammar_words("plural_names")


def add_article(phrase: str) -> str:
    """Return a phrase with "a" or "an", or as it is where the name is a plural."""
    noun = phrase.split(" of ")[0].split(" with ")[0].split(" full")[0]
    if is_plural_name(noun):
        return phrase
    is_vowel = phrase[:1] in "aeiou" and not phrase.startswith(SOUNDS_LIKE_YOU)
    return f"{'an' if is_vowel else 'a'} {phrase}"


def pluralise(phrase: str) -> str:
    """Return the plural of a name: "pairs of boots", "shelves", "glasses"."""
    head_noun, preposition, other_words = phrase.partition(" of ")
    if preposition:
        return f"{pluralise(head_noun)} of {other_words}"
    words_before, _, word = phrase.rpartition(" ")
    if is_plural_name(word):
        return phrase
    irregular_forms = LEXICON.get_table("irregular").get(word)
    if irregular_forms and LEXICON.word_classes(word)[:1] == "n":
        plural_form = irregular_forms[0]
    elif word.endswith(("s", "x", "z", "ch", "sh")):
        plural_form = f"{word}es"
    elif word.endswith("y") and word[-2:-1] not in "aeiou":
        plural_form = f"{word[:-1]}ies"
    else:
        plural_form = f"{word}s"
    return f"{words_before} {plural_form}".strip()


def spell_out_number(count: int) -> str:
    """Return a number up to twenty in words, others in digits."""
    return SMALL_NUMBER_WORDS[count] if 0 < count < len(SMALL_NUMBER_WORDS) else "no" if count == 0 else str(count)


def say_count(number: int, noun: str) -> str:
    """Return "one chair", "three chairs", "no chairs"."""
    return f"{spell_out_number(number)} {noun if number == 1 else pluralise(noun)}"


def join_list(parts: Sequence[str], conjunction: str = "and") -> str:
    """Return "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}" if parts else ""


def capitalise(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
