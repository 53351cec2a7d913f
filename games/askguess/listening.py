"""How the scripted players of Ask-Guess take what is said: sizes, guesses, answers, and statements of a description.

What a sentence says of a thing is read by `games/common/language/predicates.py`. What is not understood is None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache

from engine.core.patterns import compile_pattern
from games.askguess.vocabulary import Attribute, Scale, attributes, compare, facts, read_table, scales
from games.common.language.facts import Degree, Fact
from games.common.language.predicates import Sentence, read_statement
from games.common.language.tokens import NUMBER_WORDS
from games.common.words import normalise

LONGEST = 600
"""Characters of a text that are read."""


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
    words = text.split()
    truths = (_judge_scale(scale, words, name) for scale in scales() if name in scale.values)
    return next(filter(None, truths), None)


def _judge_scale(scale: Scale, words: Sequence[str], name: str) -> Degree | None:
    for at, word in enumerate(words):
        rest = words[at + 1 :]
        if word in scale.more | scale.less and "than" in rest:
            limit = _value_in(scale.units, scale.things, rest[rest.index("than") + 1 :])
            return scale.compare(name, limit, word in scale.more) if limit else None
        if word in ("more", "less", "over") and (limit := _measure(scale.units, rest[rest[:1] == ["than"] :])):
            return scale.compare(name, limit, word != "less")
        if word == "as" and rest[1:2] == ["as"]:
            limit = _value_in(scale.units, scale.things, rest[2:]) if rest[0] in scale.like else None
            return scale.compare(name, limit / 1.1, True) if limit else None
    return None


_PUT = frozenset("fit fits put keep hold carry park store squeeze take bring hide stuff pack place".split())


def judge_fit(question: str, size: float) -> Degree | None:
    """Return whether what is asked to be in a place is small enough for it, None for other questions."""
    words = plain_words(question).split()
    at = next((at for at, word in enumerate(words) if word in _PUT), len(words))
    inside = next((n for n, word in enumerate(words) if n > at and word in ("in", "into", "inside", "through")), None)
    limit = None if inside is None else _value_in({}, _places(), words[inside + 1 :])
    return compare(size, 1.05 * limit, False) if limit else None


@cache
def _places() -> Mapping[str, float]:
    sizes = next(scale for scale in scales() if "bigger" in scale.more)
    return {**sizes.things, **read_table("words", "places")}


def _value_in(units: Mapping[str, float], things: Mapping[str, float], words: Sequence[str]) -> float | None:
    """Return the measure with which some words begin, or the value of the first thing that they name."""
    places = ((start, end) for start in range(len(words)) for end in range(min(len(words), start + 3), start, -1))
    names = (" ".join(words[start:end]) for start, end in places)
    values = (things.get(name) or things.get(name.removesuffix("s")) for name in names)
    return _measure(units, words) or next(filter(None, values), None)


def _measure(units: Mapping[str, float], words: Sequence[str]) -> float | None:
    """Return the value of a number with its unit at the start of some words: "2 metres", "a metre"."""
    number = {"a": 1.0, "an": 1.0, **NUMBER_WORDS}.get(words[0]) if words else None
    number = float(words[0]) if words and words[0].isascii() and words[0].isdigit() else number
    names = (" ".join(words[1:end]).removesuffix("s") for end in (4, 3, 2))
    unit = next((units[name] for name in names if name in units), None)
    return number * unit if number and unit else None


# ---------------------------------------------------------------------- guesses
_BEFORE = frozenset(
    "is it its be this that they are was guess word answer say mean named called or and maybe perhaps so then about "
    "thing mine yours says definitely probably just simply think ok okay well hmm".split()
)
_ARTICLES = frozenset("a an the your some any kind type sort of one".split())


def guesses(question: str, forms: Sequence[str], *, article: bool = False) -> bool:
    """Whether a question names one of the forms as a guess: "is it a house?", not "does it live in a house?".

    With `article` a bare form is none ("is it orange?" asks for a colour).
    """
    text = plain_words(question).split()
    within = f" {plain_words(question)} "
    return any(_names(text, form.split(), article) for form in forms if f" {form} " in within)


def _names(text: Sequence[str], form: Sequence[str], article: bool) -> bool:
    for start in range(len(text) - len(form) + 1):
        before = start
        while before and text[start : start + len(form)] == form and text[before - 1] in _ARTICLES:
            before -= 1
        if text[start : start + len(form)] != form or not (form[0] in ("a", "the") or before < start or not article):
            continue
        if before == 0 or text[before - 1] in _BEFORE:
            return True
    return False


# ---------------------------------------------------------------------- answers
_UNKNOWN = compile_pattern(
    r"\b(?:(?:can ?not|can t|could not|couldn t) (?:tell|say|know)|(?:do|did|does) ?(?:not|n t| t) (?:know|understand)"
    r"|no idea|not sure|unsure|not certain|maybe|perhaps|unknown|hard to say)\b"
)
_RATHER = compile_pattern(
    r"\b(?:more or less|mostly|usually|often|sometimes|partly|partially|kind of|sort of|somewhat|generally|in a way"
    r"|in a sense|typically|can be|it depends|depends|probably|occasionally|some (?:are|do|of them))\b"
)
_HARDLY = compile_pattern(
    r"\b(?:hardly|rarely|seldom|barely|scarcely"
    r"|not (?:really|usually|often|normally|typically|exactly|quite|necessarily)|probably not|not always|unlikely)\b"
)
_YES = frozenset(
    "yes yeah yep yup yea ja correct right true indeed sure certainly definitely absolutely exactly positive".split()
)
_NO = frozenset(
    "no nope nah not never none neither wrong false incorrect negative isn doesn don aren hasn wasn didn".split()
)
_VERBS = frozenset("is does can do are has have was".split())
VALUES = {Degree.YES: 1.0, Degree.RATHER: 0.75, Degree.HARDLY: 0.25, Degree.NO: 0.0}


def truth_said(answer: str) -> Degree | None:
    """Return what an answer says to a question: yes, no or something between; None when it says neither."""
    text = normalise(answer[:LONGEST].replace("’", "'").replace("'", " "))
    for pattern, truth in ((_UNKNOWN, None), (_HARDLY, Degree.HARDLY), (_RATHER, Degree.RATHER)):
        if pattern.search(text) is not None:
            return truth
    words = text.split()
    for at, word in enumerate(words):
        if word in _NO:
            return Degree.NO
        affirms = word in ("it", "they", "he", "she") and words[at + 1 : at + 2] and words[at + 1] in _VERBS
        if word in _YES or (word == "of" and words[at + 1 : at + 2] == ["course"]):
            return Degree.YES
        if affirms and words[at + 2 : at + 3] not in (["not"], ["n"], ["t"]):
            return Degree.YES
    return None


# ---------------------------------------------------------------------- descriptions
_SENTENCE_ENDS = str.maketrans("!?;\n", "....")


def statements(text: str) -> Iterator[tuple[Attribute | Fact, Degree]]:
    """Yield what a description or the rest of an answer states, as far as it is known what that is true of."""
    for sentence in text[:LONGEST].translate(_SENTENCE_ENDS).split("."):
        if attribute := attribute_of(sentence):
            yield attribute, Degree.YES
        else:
            for statement in read_statement(sentence):
                yield from _facts_in(statement)


def _facts_in(sentence: Sentence) -> Iterator[tuple[Fact, Degree]]:
    for term in (term for option in sentence.options for term in option):
        truth = Degree.NO if term.negated else Degree.YES
        fact = next(filter(None, map(facts().find, term.readings)), None)
        if fact:
            yield fact, truth
        elif term.readings[0].kind == "be" and not term.negated:
            for part in facts().parts(term.readings[0]):
                yield part, truth
