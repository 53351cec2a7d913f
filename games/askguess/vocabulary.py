"""The 100 words of Ask-Guess and what is known of them, read from three tables.

`words.toml` has forms and sizes; forms are part of every instance. `attributes.toml` has what the questioner asks, and
`facts.toml` what the answerer knows besides.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.common.language.facts import Degree, Fact, Facts, read_truths
from games.common.language.predicates import read_phrase
from games.common.words import forms as forms_of

Names = Sequence[str]
PRACTICE_LIKE = {"rat": "mouse", "moped": "motorcycle"}
"""The words of practice games, which are in no experiment: what is true of each is what is true of a similar word."""


@dataclass(frozen=True)
class Word:
    """A word: its forms, other names that mean it, and the longest side of a usual one in metres."""

    name: str
    forms: tuple[str, ...]
    other_names: tuple[str, ...] = ()
    size: float = 1.0


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


@cache
def read_table(file: str, table: str) -> dict[str, Any]:
    """Return a table of one of the three files."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name(f"{file}.toml").read_text("utf-8"))
    return tables[table]


@cache
def words() -> dict[str, Word]:
    """Return the words by name."""
    return {name: _read_word(name, **row) for name, row in read_table("words", "words").items()}


def _read_word(name: str, size: float, forms: Names = (), more_forms: Names = (), other_names: Names = ()) -> Word:
    return Word(name, tuple(forms) or forms_of(name, *more_forms), tuple(other_names), size)


@dataclass(frozen=True)
class Scale:
    """What things are compared by, such as size: words for more, less and the same, units, and values."""

    more: Names
    less: Names
    like: Names
    spread: float
    units: Mapping[str, float]
    things: Mapping[str, float]
    values: Mapping[str, float]


@cache
def scales() -> tuple[Scale, ...]:
    """Return what things are compared by; the words are also things to compare with."""
    sizes = {name: word.size for name, word in words().items()}
    return tuple(_read_scale(**{"values": sizes, **row}) for row in read_table("words", "scales").values())


def _read_scale(things: Mapping[str, float], values: Mapping[str, float], **row: Any) -> Scale:
    forms = {form: values[word.name] for word in words().values() if word.name in values for form in word.forms}
    return Scale(things={**forms, **things}, values=values, **row)


@cache
def attributes() -> dict[str, Attribute]:
    """Return all attributes by name, in the order in which equally good questions are asked."""
    return {name: _read_attribute(name, **row) for name, row in read_table("attributes", "attributes").items()}


def _read_attribute(name: str, question: str, statement: str, topic: str = "", size: str = "", **row: str) -> Attribute:
    columns = " | ".join(row.get(truth.value, "") for truth in (Degree.YES, Degree.RATHER, Degree.HARDLY))
    return Attribute(name, question, statement, topic, _read_line(size or columns))


def _read_line(line: str) -> Mapping[str, Degree | None]:
    """Return the truths of a line: lists of words, "> 1.4" for the words that are bigger, or "=" and an attribute."""
    if line[:1] in ("<", ">"):
        return {name: compare(word.size, float(line[1:]), line[0] == ">") for name, word in words().items()}
    if line[:1] == "=":
        return attributes()[line[1:]].truths
    return read_truths(line, read_table("attributes", "groups") | read_table("facts", "groups"), words())


def compare(size: float, other_size: float, is_bigger: bool, spread: float = 1.25) -> Degree:
    """Return whether one size is bigger (or smaller) than another; within the spread it is only rather or hardly so."""
    ratio = size / other_size if is_bigger else other_size / size
    if ratio > 1:
        return Degree.YES if ratio > spread else Degree.RATHER
    return Degree.HARDLY if ratio > 1 / spread else Degree.NO


@cache
def facts() -> Facts:
    """Return what the answerer knows."""
    lines = [(phrases, _read_line(line)) for phrases, line in read_table("facts", "facts").items()]
    return Facts(Fact(read_phrase(phrase), truths) for phrases, truths in lines for phrase in phrases.split(","))
