"""The 100 words of Ask-Guess and what is true of them: forms, sizes and attributes, read from the two tables here.

Forms are part of every instance; sizes and attributes are what the scripted players know of the world.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from games.common.words import forms as forms_of
from games.common.words import normalise

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Word:
    """A word: its forms, other names that mean it, and the longest side of a usual one in metres."""

    name: str
    forms: tuple[str, ...]
    other_names: tuple[str, ...]
    size: float


class Truth(Enum):
    """How far an attribute is true of a word."""

    YES = "yes"
    RATHER = "rather"
    HARDLY = "hardly"
    NO = "no"

    @property
    def leans(self) -> bool:
        """Whether yes is the better guess where only yes or no may be said."""
        return self in (Truth.YES, Truth.RATHER)


@dataclass(frozen=True)
class Attribute:
    """Something that may be true of a word; `keywords` are bags of words that together mean it."""

    name: str
    question: str
    statement: str
    topic: str
    keywords: tuple[frozenset[str], ...]
    nouns: tuple[str, ...]
    """Nouns that mean it where they are asked for ("is it a thing?"), not elsewhere ("a thing to eat")."""
    truths: Mapping[str, Truth]

    def truth_of(self, word: str) -> Truth:
        """Return how far it is true of a word."""
        return self.truths.get(word, Truth.NO)


@cache
def words() -> dict[str, Word]:
    """Return the words by name."""
    table = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))["words"]
    return {name: _read_word(name, **row) for name, row in table.items()}


def _read_word(
    name: str,
    size: float,
    forms: Iterable[str] = (),
    more_forms: Iterable[str] = (),
    other_names: Iterable[str] = (),
) -> Word:
    return Word(name, tuple(forms) or forms_of(name, *more_forms), tuple(other_names), size)


@cache
def sizes() -> dict[str, float]:
    """Return the sizes in metres of things to compare with, the words among them, by plain name."""
    table: dict[str, float] = tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8"))["sizes"]
    return {form: word.size for word in words().values() for form in word.forms} | table


@cache
def attributes() -> dict[str, Attribute]:
    """Return all attributes by name: those that follow from sizes, then those of the table."""
    tables = tomllib.loads((FOLDER / "attributes.toml").read_text(encoding="utf-8"))
    groups = tables["groups"]
    listed_attributes = [_read_attribute(name, groups, **row) for name, row in tables["attributes"].items()]
    return {attribute.name: attribute for attribute in [*_size_attributes(), *listed_attributes]}


def _read_attribute(
    name: str,
    groups: Mapping[str, str],
    *,
    question: str,
    statement: str,
    keywords: Iterable[str],
    topic: str = "",
    nouns: Iterable[str] = (),
    **lists: str,
) -> Attribute:
    truths = {
        word: truth
        for truth in (Truth.HARDLY, Truth.RATHER, Truth.YES)
        for word in _expand_list(lists.get(truth.value, ""), groups)
    }
    return Attribute(name, question, statement, topic, tuple(map(bag, keywords)), tuple(nouns), truths)


def _expand_list(text: str, groups: Mapping[str, str]) -> list[str]:
    """Return the words of a list with groups ("@fish") and exceptions ("-ray"). Raises ValueError for other words."""
    names: dict[str, None] = {}
    for member in text.split():
        if member.startswith("@"):
            names |= dict.fromkeys(_expand_list(groups[member[1:]], groups))
        elif member.startswith("-"):
            names.pop(member[1:].replace("-", " "), None)
        elif member.replace("-", " ") in words():
            names[member.replace("-", " ")] = None
        else:
            raise ValueError(f"attributes.toml lists {member!r}, which is not one of the words")
    return list(names)


SIZES = (
    ("hand", "Does it fit in one hand?", "It fits in one hand.", 0.18, False),
    ("person", "Is it bigger than a person?", "It is bigger than a person.", 1.75, True),
    ("car", "Is it bigger than a car?", "It is bigger than a car.", 4.4, True),
    ("house", "Is it bigger than a house?", "It is bigger than a house.", 10.0, True),
)


def _size_attributes() -> list[Attribute]:
    attributes = []
    for name, question, statement, size, is_bigger in SIZES:
        truths = {word.name: compare(word.size, size, is_bigger) for word in words().values()}
        attributes.append(Attribute(f"size-{name}", question, statement, "size", (), (), truths))
    return attributes


def compare(size: float, other_size: float, is_bigger: bool) -> Truth:
    """Return whether one size is bigger (or smaller) than another; within a fifth it is only rather or hardly so."""
    ratio = size / other_size if is_bigger else other_size / size
    return Truth.YES if ratio > 1.25 else Truth.RATHER if ratio > 1 else Truth.HARDLY if ratio > 0.8 else Truth.NO


def bag(text: str) -> frozenset[str]:
    """Return the words of a text, plural endings and the like dropped."""
    return frozenset(map(stem, normalise(text).split()))


_STEMS = {"living": "living", "lives": "live", "has": "have", "leaves": "leaf", "feet": "foot", "humans": "human"}


@cache
def stem(word: str) -> str:
    """Return a word without plural and verb endings: "flies" and "fly" are one, "eats", "eaten" and "eat" not."""
    if word in _STEMS:
        return _STEMS[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    for ending in ("sses", "shes", "ches", "xes"):
        if word.endswith(ending):
            return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
