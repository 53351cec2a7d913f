"""How the scripted players of Ask-Guess take what is said: sizes, guesses, answers, and statements of a description.

What a sentence says of a thing is read by `games/common/language/predicates.py`. What is not understood is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from games.askguess.vocabulary import (
    Attribute,
    Scale,
    compare_sizes,
    read_attributes,
    read_facts,
    read_scales,
    read_table,
)
from games.common.language.asking_back import asks_back, is_unsure
from games.common.language.facts import Degree, Fact
from games.common.language.predicates import read_statement
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import normalise_text

MAX_LENGTH = 600
"""Characters of a text that are read."""
DEGREE_VALUES = {Degree.YES: 1.0, Degree.RATHER: 0.75, Degree.HARDLY: 0.25, Degree.NO: 0.0}


@lru_cache(maxsize=4096)
def simplify_text(text: str) -> str:
    """Return the plain words of a text, as far as it is read."""
    return normalise_text(text[:MAX_LENGTH])


def find_attribute(text: str) -> Attribute | None:
    """Return the attribute that a text asks for or states in its own words."""
    return _index_attributes().get(simplify_text(text))


@cache
def _index_attributes() -> dict[str, Attribute]:
    return {
        normalise_text(text): item
        for item in read_attributes().values()
        for text in (item.question, item.other_question, item.statement)
    }


# ---------------------------------------------------------------------- comparisons
def judge_comparison(question: str, word_name: str) -> Degree | None:
    """Return the answer to "bigger than a cat", "as fast as a horse", "over 2 metres", None for other questions."""
    question_text = f" {simplify_text(question)} "
    for phrase, short_phrase in read_table("words", "comparing").items():
        question_text = question_text.replace(f" {phrase} ", f" {short_phrase} ")
    for scale in read_scales():
        for value_limit, is_greater in _read_limits(scale, question_text.split()):
            if value_limit and word_name in scale.values:
                return compare_sizes(scale.values[word_name], value_limit, is_greater, scale.spread)
    return None


def _read_limits(scale: Scale, question_words: Sequence[str]) -> Iterator[tuple[float, bool]]:
    """Yield what a thing is compared with, 0 for what is unknown, and whether it should have more."""
    for position, word in enumerate(question_words, 1):
        following_words = question_words[position:]
        if word in (*scale.more, *scale.less) and "than" in following_words:
            yield (
                _find_value(scale.units, scale.things, following_words[following_words.index("than") + 1 :]),
                word in scale.more,
            )
        elif word in ("more", "less", "over"):
            yield _read_measure(scale.units, following_words[following_words[:1] == ["than"] :]), word != "less"
        elif word == "as" and following_words[1:2] == ["as"] and following_words[0] in scale.like:
            yield _find_value(scale.units, scale.things, following_words[2:]) / 1.1, True


def judge_size_fit(question: str, word_size: float) -> Degree | None:
    """Return whether what is asked to be in a place is small enough for it, None for other questions."""
    putting_verbs, prepositions, place_sizes = read_table("words", "fitting").values()
    words = simplify_text(question).split()
    verb_index = next((verb_index for verb_index, word in enumerate(words) if word in putting_verbs), len(words))
    preposition_index = next((n for n, word in enumerate(words) if n > verb_index and word in prepositions), len(words))
    thing_sizes = next(scale.things for scale in read_scales() if "bigger" in scale.more)
    place_size = _find_value({}, {**thing_sizes, **place_sizes}, words[preposition_index + 1 :])
    return compare_sizes(word_size, 1.05 * place_size, False) if place_size else None


def _find_value(units: Mapping[str, float], value_by_thing: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the measure with which some words begin, or the value of the first thing that they name, 0 if unknown."""
    span_bounds = ((start, end) for start in range(len(words)) for end in range(min(len(words), start + 3), start, -1))
    phrases = (" ".join(words[start:end]) for start, end in span_bounds)
    thing_values = (value_by_thing.get(phrase) or value_by_thing.get(phrase.removesuffix("s")) for phrase in phrases)
    return _read_measure(units, words) or next(filter(None, thing_values), 0.0)


def _read_measure(units: Mapping[str, float], text_words: Sequence[str]) -> float:
    """Return the value of a number with its unit at the start of some words, "2 metres" or "a metre", 0 if unknown."""
    word = text_words[0] if text_words else ""
    number = float(word) if word.isascii() and word.isdigit() else {"a": 1, "an": 1, **NUMBER_WORDS}.get(word, 0)
    unit_names = (" ".join(text_words[1:end_index]).removesuffix("s") for end_index in (4, 3, 2))
    return number * next((units[unit_name] for unit_name in unit_names if unit_name in units), 0.0)


# ---------------------------------------------------------------------- guesses
def is_guess_of(question: str, word_forms: Sequence[str], *, needs_article: bool = False) -> bool:
    """Whether a question names one of the forms as a guess: "is it a house?", not "does it live in a house?".

    With `needs_article` a bare form is none ("is it orange?" asks for a colour).
    """
    question_text = f" {simplify_text(question)} "
    guess_openings, articles = map("|".join, read_table("words", "guesses").values())
    for word_form in (word_form for word_form in word_forms if f" {word_form} " in question_text):
        is_bare_form = needs_article and not word_form.startswith(("a ", "the "))
        guess_pattern = (
            rf"(?:^| (?:{guess_openings})) (?:(?:{articles}) ){'+' if is_bare_form else '*'}{re.escape(word_form)} "
        )
        if re.search(guess_pattern, question_text):
            return True
    return False


# ---------------------------------------------------------------------- answers
def read_degree(answer: str) -> Degree | None:
    """Return what an answer says to a question: yes, no or something between; None when it says neither."""
    if is_unsure(answer) or asks_back(answer):
        return None
    unknown_phrases, hardly_phrases, rather_phrases, no_words, yes_words, affirming_phrases = read_table(
        "words", "answers"
    ).values()
    plain_text = normalise_text(re.sub("[’']", " ", answer[:MAX_LENGTH]))
    for phrases, degree in ((unknown_phrases, None), (hardly_phrases, Degree.HARDLY), (rather_phrases, Degree.RATHER)):
        if any(f" {phrase} " in f" {plain_text} " for phrase in phrases):
            return degree
    words = plain_text.split()
    for word_index, word in enumerate(words):
        if word in no_words:
            return Degree.NO
        if word in yes_words or (
            " ".join(words[word_index : word_index + 2]) in affirming_phrases
            and words[word_index + 2 : word_index + 3] != ["not"]
        ):
            return Degree.YES
    return None


# ---------------------------------------------------------------------- descriptions
_SENTENCE_END_TABLE = str.maketrans("!?;\n", "....")


def read_statements(statement_text: str) -> Iterator[tuple[Attribute | Fact, Degree]]:
    """Yield what a description or the rest of an answer states, as far as it is known what that is true of."""
    for sentence in statement_text[:MAX_LENGTH].translate(_SENTENCE_END_TABLE).split("."):
        if attribute := find_attribute(sentence):
            yield attribute, Degree.YES
            continue
        terms = (term for statement in read_statement(sentence) for option in statement.options for term in option)
        for term in terms:
            fact = next(filter(None, map(read_facts().find, term.readings)), None)
            parts = read_facts().split(term.readings[0]) if term.readings[0].kind == "be" and not term.negated else []
            for stated_fact in [fact] if fact else parts:
                yield stated_fact, Degree.NO if term.negated else Degree.YES
