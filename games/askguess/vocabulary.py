"""The 100 words of Ask-Guess and what is known of them, read from three tables.

`words.toml` has forms and sizes; forms are part of every instance. `attributes.toml` has what the questioner asks, and
`facts.toml` what the answerer knows besides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.common.language.facts import Degree, Fact, Facts, read_phrase, read_truths
from games.common.language.predicates import Predicate
from games.common.words import forms as forms_of

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Word:
    """A word: its forms, other names that mean it, and the longest side of a usual one in metres."""

    name: str
    forms: tuple[str, ...]
    other_names: tuple[str, ...]
    size: float


@dataclass(frozen=True)
class Attribute:
    """Something that may be true of a word, with the question and the statement of it; `topic`: what it is about."""

    name: str
    question: str
    statement: str
    topic: str
    truths: Mapping[str, Degree | None]

    def truth_of(self, word: str) -> Degree:
        """Return how far it is true of a word."""
        return self.truths.get(word) or Degree.NO


PRACTICE_LIKE = {"rat": "mouse", "moped": "motorcycle"}
"""The words of practice games, which are in no experiment: what is true of each is what is true of a similar word."""


@cache
def read_table(file: str, table: str) -> dict[str, Any]:
    """Return a table of one of the three files."""
    tables: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
    return tables[table]


@cache
def words() -> dict[str, Word]:
    """Return the words by name."""
    return {name: _read_word(name, **row) for name, row in read_table("words", "words").items()}


def _read_word(
    name: str,
    size: float,
    forms: Iterable[str] = (),
    more_forms: Iterable[str] = (),
    other_names: Iterable[str] = (),
) -> Word:
    return Word(name, tuple(forms) or forms_of(name, *more_forms), tuple(other_names), size)


@dataclass(frozen=True)
class Scale:
    """What things are compared by, such as size: words for more, less and the same, units, and values."""

    more: frozenset[str]
    less: frozenset[str]
    like: frozenset[str]
    spread: float
    units: Mapping[str, float]
    things: Mapping[str, float]
    values: Mapping[str, float]

    def compare(self, name: str, limit: float, is_more: bool) -> Degree:
        """Return whether a word has more (or less) than a value."""
        return compare(self.values[name], limit, is_more, self.spread)


@cache
def scales() -> tuple[Scale, ...]:
    """Return what things are compared by; the words are also things to compare with."""
    return tuple(_read_scale(**row) for row in read_table("words", "scales").values())


def _read_scale(
    more: str,
    less: str,
    like: str,
    spread: float,
    units: Mapping[str, float],
    things: Mapping[str, float],
    values: Mapping[str, float] | None = None,
) -> Scale:
    values = values or {word.name: word.size for word in words().values()}
    forms = {form: values[word.name] for word in words().values() if word.name in values for form in word.forms}
    more_words, less_words, like_words = (frozenset(column.split()) for column in (more, less, like))
    return Scale(more_words, less_words, like_words, spread, units, forms | dict(things), values)


@cache
def attributes() -> dict[str, Attribute]:
    """Return all attributes by name: those that follow from sizes, then those of the table."""
    groups = read_table("attributes", "groups")
    rows = read_table("attributes", "attributes")
    listed_attributes = [_read_attribute(name, groups, **row) for name, row in rows.items()]
    return {attribute.name: attribute for attribute in [*_size_attributes(), *listed_attributes]}


def _read_attribute(
    name: str, groups: Mapping[str, str], *, question: str, statement: str, topic: str = "", **lists: str
) -> Attribute:
    columns = " | ".join(lists.get(truth.value, "") for truth in (Degree.YES, Degree.RATHER, Degree.HARDLY))
    return Attribute(name, question, statement, topic, read_truths(columns, groups, words()))


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
        attributes.append(Attribute(f"size-{name}", question, statement, "size", truths))
    return attributes


def compare(size: float, other_size: float, is_bigger: bool, spread: float = 1.25) -> Degree:
    """Return whether one size is bigger (or smaller) than another; within the spread it is only rather or hardly so."""
    ratio = size / other_size if is_bigger else other_size / size
    if ratio > 1:
        return Degree.YES if ratio > spread else Degree.RATHER
    return Degree.HARDLY if ratio > 1 / spread else Degree.NO


BIG, SMALL = 1.4, 0.4
"""Metres from which, and up to which, a thing is called big or small."""


@cache
def facts() -> Facts:
    """Return what the answerer knows."""
    return Facts(_facts())


def _facts() -> Iterator[Fact]:
    groups = read_table("attributes", "groups") | read_table("facts", "groups")
    for phrases, line in read_table("facts", "facts").items():
        truths = attributes()[line[1:]].truths if line.startswith("=") else read_truths(line, groups, words())
        for phrase in phrases.split(","):
            yield Fact(read_phrase(phrase), truths)
    for adjective, size, is_bigger in (("big", BIG, True), ("small", SMALL, False)):
        yield Fact(
            Predicate("be", (adjective,)), {word.name: compare(word.size, size, is_bigger) for word in words().values()}
        )
