"""How the scripted players of Ask-Guess understand English: questions, answers and descriptions as attributes.

A text is a bag of words; an attribute is meant when one of its own bags is within it, the longest one first. What is
not understood is None, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from games.askguess.vocabulary import Attribute, Truth, attributes, bag, compare, sizes
from games.common.words import normalise

LONGEST = 600
"""Characters of a text that are read."""

BIGGER = "bigger larger taller longer higher heavier greater wider".split()
SMALLER = "smaller shorter tinier lighter littler".split()
_THAN = re.compile(rf"\b({'|'.join((*BIGGER, *SMALLER))})\b.*?\bthan\b(.*)")
_AS_BIG = re.compile(r"\b(?:as (?:big|large|tall|long|high) as|the size of|about the size of)\b(.*)")
_FITS = re.compile(r"\bfits?\b.*?\b(?:in|into|inside|on|through|under)\b(.*)")
PLACES = {"pocket": 0.15, "bag": 0.4, "backpack": 0.45, "box": 0.4, "suitcase": 0.7, "palm": 0.1, "mouth": 0.05}
_LARGE = re.compile(
    r"\b(?:is|are) (?:it|they|this|that)\b.*\b(big|large|huge|heavy|enormous|small|little|tiny)"
    r"(?: (?:animal|thing|object|creature|one|item|plant))?(?: or \w+)?$"
)
_CARRY = re.compile(r"\b(?:carry it|lift it|pick it up|portable|hold it|hold in)\b")


_FILLERS = frozenset("a an the it its is in on at of to from with for do does can".split())
"""Words that make an attribute's bag narrower, but say little of what is meant."""


def own(text: str) -> Attribute | None:
    """Return the attribute whose own question or statement a text is."""
    return _exact().get(folded(text))


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return the plain words of a text, as far as it is read."""
    return normalise(text[:LONGEST])


@lru_cache(maxsize=4096)
def attribute_of(text: str) -> Attribute | None:
    """Return the attribute that a question or statement is about, None when there is none or it is not understood."""
    if exact := own(text):
        return exact
    within = bag(folded(text))
    best: tuple[int, int] = (0, 0)
    found = None
    for attribute in attributes().values():
        for keywords in attribute.keywords:
            content = keywords - _FILLERS
            worth = (len(content), sum(map(len, content)))
            if worth > best and keywords <= within:
                best, found = worth, attribute
    if found is None:
        found = next((one for one in attributes().values() if guesses(text, one.nouns)), None)
    return found


@cache
def _exact() -> dict[str, Attribute]:
    return {normalise(text): one for one in attributes().values() for text in (one.question, one.statement)}


def size_asked(question: str, size: float) -> Truth | None:
    """Return the answer to a question about size ("bigger than a cat", "does it fit in a pocket"), None for others."""
    text = folded(question)
    if found := _THAN.search(text):
        other = thing_in(found[2])
        return None if other is None else compare(size, other, found[1] in BIGGER)
    if found := _AS_BIG.search(text):
        other = thing_in(found[1])
        return None if other is None else compare(size * 1.1, other, True)
    if found := _FITS.search(text):
        other = thing_in(found[1])
        return None if other is None else compare(size, other * 1.05, False)
    if found := _LARGE.search(text):
        large = found[1] in ("big", "large", "huge", "heavy", "enormous")
        return compare(size, 1.75, True) if large else compare(size, 0.25, False)
    if _CARRY.search(text):
        return compare(size, 0.25 if "hold" in text else 0.8, False)
    return None


def thing_in(text: str) -> float | None:
    """Return the size of the first thing that a text names, the longest name at its place; None when none is known."""
    known = {**PLACES, **sizes()}
    words = text.split()
    for start in range(len(words)):
        for end in range(min(len(words), start + 3), start, -1):
            for form in (" ".join(words[start:end]), " ".join(words[start:end]).removesuffix("s")):
                if form in known:
                    return known[form]
    return None


_BEFORE = set(
    "is it its be this that they are was guess word answer say mean named called or and maybe perhaps".split()
)
_BEFORE |= set("so then about thing mine yours says definitely probably just simply think ok okay well hmm".split())
_ARTICLES = set("a an the your some any kind type sort of one".split())


def guesses(question: str, forms: Sequence[str], *, article: bool = False) -> bool:
    """Whether a question names one of the forms as a guess: "is it a house?", not "does it live in a house?".

    With `article` a bare form is none ("is it orange?" asks for a colour).
    """
    text = folded(question).split()
    within = f" {folded(question)} "
    for form in forms:
        if f" {form} " not in within:
            continue
        parts = form.split()
        for start in range(len(text) - len(parts) + 1):
            if text[start : start + len(parts)] != parts:
                continue
            before = start
            while before and text[before - 1] in _ARTICLES:
                before -= 1
            if parts[0] in ("a", "the") or before < start or not article:
                if before == 0 or text[before - 1] in _BEFORE:
                    return True
    return False


# Answers

_UNKNOWN = re.compile(
    r"\b(?:(?:can ?not|can t|could not|couldn t) (?:tell|say|know)|(?:do not|don t|does not) (?:know|understand)"
    r"|no idea|not sure|unsure|not certain|maybe|perhaps|unknown|hard to say)\b"
)
_RATHER = re.compile(
    r"\b(?:more or less|mostly|usually|often|sometimes|partly|partially|kind of|sort of|somewhat|generally|in a way"
    r"|in a sense|typically|can be|it depends|depends|probably|occasionally|some (?:are|do|of them))\b"
)
_HARDLY = re.compile(
    r"\b(?:hardly|rarely|seldom|barely|scarcely"
    r"|not (?:really|usually|often|normally|typically|exactly|quite|necessarily)|probably not|not always|unlikely)\b"
)
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|yea|ja|correct|right|true|indeed|of course|sure|certainly|definitely|absolutely|exactly"
    r"|positive|(?:it|they|he|she) (?:is|does|can|do|has|are|have|was)(?! not| n t))\b"
)
_NO = re.compile(r"\b(?:no|nope|nah|not|never|none|neither|wrong|false|incorrect|negative|\w+n t)\b")
VALUES = {Truth.YES: 1.0, Truth.RATHER: 0.75, Truth.HARDLY: 0.25, Truth.NO: 0.0}


def truth_said(answer: str) -> Truth | None:
    """Return what an answer says to a question: yes, no or something between; None when it says neither."""
    text = normalise(answer[:LONGEST].replace("’", "'").replace("'", " "))
    if _UNKNOWN.search(text):
        return None
    if _HARDLY.search(text):
        return Truth.HARDLY
    if _RATHER.search(text):
        return Truth.RATHER
    yes, no = _YES.search(text), _NO.search(text)
    if yes and (not no or yes.start() <= no.start()):
        return Truth.YES
    return Truth.NO if no else None


_DENIES = re.compile(r"\b(?:no|not|never|without|neither|nor|\w+n[’']?t)\b", re.IGNORECASE)


def statements(text: str) -> Iterator[tuple[Attribute, Truth]]:
    """Yield what a description or the rest of an answer states, clause by clause."""
    for clause in re.split(r"[.;,:!?\n]|\b(?:and|but|which|that|who)\b", text[:LONGEST]):
        if found := attribute_of(clause):
            denied = bool(_DENIES.search(clause)) and not found.question.startswith("Is it an animal without")
            yield found, Truth.NO if denied else Truth.YES
