"""How the scripted players of Ask-Guess take what is said: sizes, guesses, answers, and statements of a description.

What a sentence says of a thing is read by `games/common/language/predicates.py`. What is not understood is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from games.askguess.vocabulary import Attribute, Scale, attributes, compare, facts, read_table, scales
from games.common.language.facts import Degree, Fact
from games.common.language.predicates import read_statement
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import normalise

LONGEST = 600
"""Characters of a text that are read."""
VALUES = {Degree.YES: 1.0, Degree.RATHER: 0.75, Degree.HARDLY: 0.25, Degree.NO: 0.0}


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """Return the plain words of a text, as far as it is read."""
    return normalise(text[:LONGEST])


def attribute_of(text: str) -> Attribute | None:
    """Return the attribute whose own question or statement a text is."""
    return _attributes_by_text().get(plain_words(text))


@cache
def _attributes_by_text() -> dict[str, Attribute]:
    return {normalise(text): item for item in attributes().values() for text in (item.question, item.statement)}


# ---------------------------------------------------------------------- comparisons
def judge_comparison(question: str, name: str) -> Degree | None:
    """Return the answer to "bigger than a cat", "as fast as a horse", "over 2 metres", None for other questions."""
    text = f" {plain_words(question)} "
    for phrase, shorter in read_table("words", "comparing").items():
        text = text.replace(f" {phrase} ", f" {shorter} ")
    for scale in scales():
        for limit, is_more in _limits(scale, text.split()):
            if limit and name in scale.values:
                return compare(scale.values[name], limit, is_more, scale.spread)
    return None


def _limits(scale: Scale, words: Sequence[str]) -> Iterator[tuple[float, bool]]:
    """Yield what a thing is compared with, 0 for what is unknown, and whether it should have more."""
    for at, word in enumerate(words, 1):
        rest = words[at:]
        if word in (*scale.more, *scale.less) and "than" in rest:
            yield _value_in(scale.units, scale.things, rest[rest.index("than") + 1 :]), word in scale.more
        elif word in ("more", "less", "over"):
            yield _measure(scale.units, rest[rest[:1] == ["than"] :]), word != "less"
        elif word == "as" and rest[1:2] == ["as"] and rest[0] in scale.like:
            yield _value_in(scale.units, scale.things, rest[2:]) / 1.1, True


def judge_fit(question: str, size: float) -> Degree | None:
    """Return whether what is asked to be in a place is small enough for it, None for other questions."""
    putting, prepositions, places = read_table("words", "fitting").values()
    words = plain_words(question).split()
    at = next((at for at, word in enumerate(words) if word in putting), len(words))
    inside = next((n for n, word in enumerate(words) if n > at and word in prepositions), len(words))
    sizes = next(scale.things for scale in scales() if "bigger" in scale.more)
    limit = _value_in({}, {**sizes, **places}, words[inside + 1 :])
    return compare(size, 1.05 * limit, False) if limit else None


def _value_in(units: Mapping[str, float], things: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the measure with which some words begin, or the value of the first thing that they name, 0 if unknown."""
    places = ((start, end) for start in range(len(words)) for end in range(min(len(words), start + 3), start, -1))
    names = (" ".join(words[start:end]) for start, end in places)
    values = (things.get(name) or things.get(name.removesuffix("s")) for name in names)
    return _measure(units, words) or next(filter(None, values), 0.0)


def _measure(units: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the value of a number with its unit at the start of some words, "2 metres" or "a metre", 0 if unknown."""
    first = words[0] if words else ""
    number = float(first) if first.isascii() and first.isdigit() else {"a": 1, "an": 1, **NUMBER_WORDS}.get(first, 0)
    names = (" ".join(words[1:end]).removesuffix("s") for end in (4, 3, 2))
    return number * next((units[name] for name in names if name in units), 0.0)


# ---------------------------------------------------------------------- guesses
def guesses(question: str, forms: Sequence[str], *, article: bool = False) -> bool:
    """Whether a question names one of the forms as a guess: "is it a house?", not "does it live in a house?".

    With `article` a bare form is none ("is it orange?" asks for a colour).
    """
    text = f" {plain_words(question)} "
    before, articles = map("|".join, read_table("words", "guesses").values())
    for form in (form for form in forms if f" {form} " in text):
        is_bare = article and not form.startswith(("a ", "the "))
        guess = rf"(?:^| (?:{before})) (?:(?:{articles}) ){'+' if is_bare else '*'}{re.escape(form)} "
        if re.search(guess, text):
            return True
    return False


# ---------------------------------------------------------------------- answers
def truth_said(answer: str) -> Degree | None:
    """Return what an answer says to a question: yes, no or something between; None when it says neither."""
    unknown, hardly, rather, no, yes, affirming = read_table("words", "answers").values()
    plain_text = normalise(re.sub("[’']", " ", answer[:LONGEST]))
    for phrases, truth in ((unknown, None), (hardly, Degree.HARDLY), (rather, Degree.RATHER)):
        if any(f" {phrase} " in f" {plain_text} " for phrase in phrases):
            return truth
    words = plain_text.split()
    for at, word in enumerate(words):
        if word in no:
            return Degree.NO
        if word in yes or (" ".join(words[at : at + 2]) in affirming and words[at + 2 : at + 3] != ["not"]):
            return Degree.YES
    return None


# ---------------------------------------------------------------------- descriptions
_SENTENCE_ENDS = str.maketrans("!?;\n", "....")


def statements(text: str) -> Iterator[tuple[Attribute | Fact, Degree]]:
    """Yield what a description or the rest of an answer states, as far as it is known what that is true of."""
    for sentence in text[:LONGEST].translate(_SENTENCE_ENDS).split("."):
        if attribute := attribute_of(sentence):
            yield attribute, Degree.YES
            continue
        terms = (term for statement in read_statement(sentence) for option in statement.options for term in option)
        for term in terms:
            fact = next(filter(None, map(facts().find, term.readings)), None)
            parts = facts().parts(term.readings[0]) if term.readings[0].kind == "be" and not term.negated else []
            for stated_fact in [fact] if fact else parts:
                yield stated_fact, Degree.NO if term.negated else Degree.YES
