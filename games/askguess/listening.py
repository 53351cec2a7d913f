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
from games.common.language.facts import Degree, Fact
from games.common.language.predicates import read_statement
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import normalise

MAX_TEXT_LENGTH = 600
"""Characters of a text that are read."""
VALUE_BY_DEGREE = {Degree.YES: 1.0, Degree.RATHER: 0.75, Degree.HARDLY: 0.25, Degree.NO: 0.0}


@lru_cache(maxsize=4096)
def to_plain_words(text: str) -> str:
    """Return the plain words of a text, as far as it is read."""
    return normalise(text[:MAX_TEXT_LENGTH])


def find_attribute(text: str) -> Attribute | None:
    """Return the attribute whose own question or statement a text is."""
    return _index_attributes().get(to_plain_words(text))


@cache
def _index_attributes() -> dict[str, Attribute]:
    return {
        normalise(attribute_text): attribute
        for attribute in read_attributes().values()
        for attribute_text in (attribute.question, attribute.statement)
    }


# ---------------------------------------------------------------------- comparisons
def judge_comparison(question: str, word_name: str) -> Degree | None:
    """Return the answer to "bigger than a cat", "as fast as a horse", "over 2 metres", None for other questions."""
    question_text = f" {to_plain_words(question)} "
    for phrase, short_phrase in read_table("words", "comparing").items():
        question_text = question_text.replace(f" {phrase} ", f" {short_phrase} ")
    for scale in read_scales():
        for value_limit, is_more in _read_limits(scale, question_text.split()):
            if value_limit and word_name in scale.values:
                return compare_sizes(scale.values[word_name], value_limit, is_more, scale.spread)
    return None


def _read_limits(scale: Scale, question_words: Sequence[str]) -> Iterator[tuple[float, bool]]:
    """Yield what a thing is compared with, 0 for what is unknown, and whether it should have more."""
    for position, word in enumerate(question_words, 1):
        words_after = question_words[position:]
        if word in (*scale.more, *scale.less) and "than" in words_after:
            yield (
                _find_value(scale.units, scale.things, words_after[words_after.index("than") + 1 :]),
                word in scale.more,
            )
        elif word in ("more", "less", "over"):
            yield _read_measure(scale.units, words_after[words_after[:1] == ["than"] :]), word != "less"
        elif word == "as" and words_after[1:2] == ["as"] and words_after[0] in scale.like:
            yield _find_value(scale.units, scale.things, words_after[2:]) / 1.1, True


def judge_fit(question: str, word_size: float) -> Degree | None:
    """Return whether what is asked to be in a place is small enough for it, None for other questions."""
    putting_verbs, prepositions, place_sizes = read_table("words", "fitting").values()
    question_words = to_plain_words(question).split()
    verb_position = next(
        (verb_position for verb_position, word in enumerate(question_words) if word in putting_verbs),
        len(question_words),
    )
    preposition_position = next(
        (position for position, word in enumerate(question_words) if position > verb_position and word in prepositions),
        len(question_words),
    )
    thing_sizes = next(scale.things for scale in read_scales() if "bigger" in scale.more)
    place_size = _find_value({}, {**thing_sizes, **place_sizes}, question_words[preposition_position + 1 :])
    return compare_sizes(word_size, 1.05 * place_size, False) if place_size else None


def _find_value(units: Mapping[str, float], things: Mapping[str, float], text_words: Sequence[str]) -> float:
    """Return the measure with which some words begin, or the value of the first thing that they name, 0 if unknown."""
    spans = (
        (span_start, span_end)
        for span_start in range(len(text_words))
        for span_end in range(min(len(text_words), span_start + 3), span_start, -1)
    )
    phrases = (" ".join(text_words[span_start:span_end]) for span_start, span_end in spans)
    thing_values = (things.get(phrase) or things.get(phrase.removesuffix("s")) for phrase in phrases)
    return _read_measure(units, text_words) or next(filter(None, thing_values), 0.0)


def _read_measure(units: Mapping[str, float], text_words: Sequence[str]) -> float:
    """Return the value of a number with its unit at the start of some words, "2 metres" or "a metre", 0 if unknown."""
    first_word = text_words[0] if text_words else ""
    unit_count = (
        float(first_word)
        if first_word.isascii() and first_word.isdigit()
        else {"a": 1, "an": 1, **NUMBER_WORDS}.get(first_word, 0)
    )
    unit_names = (" ".join(text_words[1:end_index]).removesuffix("s") for end_index in (4, 3, 2))
    return unit_count * next((units[unit_name] for unit_name in unit_names if unit_name in units), 0.0)


# ---------------------------------------------------------------------- guesses
def is_guess_of(question: str, word_forms: Sequence[str], *, needs_article: bool = False) -> bool:
    """Whether a question names one of the forms as a guess: "is it a house?", not "does it live in a house?".

    With `needs_article` a bare form is none ("is it orange?" asks for a colour).
    """
    question_text = f" {to_plain_words(question)} "
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
def read_answer_degree(answer: str) -> Degree | None:
    """Return what an answer says to a question: yes, no or something between; None when it says neither."""
    unknown_phrases, hardly_phrases, rather_phrases, no_words, yes_words, affirming_phrases = read_table(
        "words", "answers"
    ).values()
    plain_text = normalise(re.sub("[’']", " ", answer[:MAX_TEXT_LENGTH]))
    for phrases, degree in ((unknown_phrases, None), (hardly_phrases, Degree.HARDLY), (rather_phrases, Degree.RATHER)):
        if any(f" {phrase} " in f" {plain_text} " for phrase in phrases):
            return degree
    answer_words = plain_text.split()
    for position, answer_word in enumerate(answer_words):
        if answer_word in no_words:
            return Degree.NO
        if answer_word in yes_words or (
            " ".join(answer_words[position : position + 2]) in affirming_phrases
            and answer_words[position + 2 : position + 3] != ["not"]
        ):
            return Degree.YES
    return None


# ---------------------------------------------------------------------- descriptions
_SENTENCE_END_TABLE = str.maketrans("!?;\n", "....")


def read_statements(statement_text: str) -> Iterator[tuple[Attribute | Fact, Degree]]:
    """Yield what a description or the rest of an answer states, as far as it is known what that is true of."""
    for sentence in statement_text[:MAX_TEXT_LENGTH].translate(_SENTENCE_END_TABLE).split("."):
        if attribute := find_attribute(sentence):
            yield attribute, Degree.YES
            continue
        terms = (term for statement in read_statement(sentence) for option in statement.options for term in option)
        for term in terms:
            fact = next(filter(None, map(read_facts().find, term.readings)), None)
            fact_parts = (
                read_facts().parts(term.readings[0]) if term.readings[0].kind == "be" and not term.negated else []
            )
            for stated_fact in [fact] if fact else fact_parts:
                yield stated_fact, Degree.NO if term.negated else Degree.YES
