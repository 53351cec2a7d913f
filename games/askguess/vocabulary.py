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
from games.common.words import list_word_forms

NameSequence = Sequence[str]
SIMILAR_WORDS = {"rat": "mouse", "moped": "motorcycle"}
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

    @property
    def other_question(self) -> str:
        """The question in other words, for somebody who did not understand it."""
        return f"Is it right to say: “{self.statement}”?"

    def truth_of(self, word_name: str) -> Degree:
        """Return how far it is true of a word."""
        return self.truths.get(word_name) or Degree.NO


@cache
def read_table(file_name: str, table_name: str) -> dict[str, Any]:
    """Return a table of one of the three files."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name(f"{file_name}.toml").read_text("utf-8"))
    return tables[table_name]


@cache
def read_words() -> dict[str, Word]:
    """Return the words by name."""
    return {word_name: _read_word(word_name, **row) for word_name, row in read_table("words", "words").items()}


def _read_word(
    name: str, size: float, forms: NameSequence = (), more_forms: NameSequence = (), other_names: NameSequence = ()
) -> Word:
    return Word(name, tuple(forms) or list_word_forms(name, *more_forms), tuple(other_names), size)


@dataclass(frozen=True)
class Scale:
    """What things are compared by, such as size: words for more, less and the same, units, and values."""

    more: NameSequence
    less: NameSequence
    like: NameSequence
    spread: float
    units: Mapping[str, float]
    things: Mapping[str, float]
    values: Mapping[str, float]


@cache
def read_scales() -> tuple[Scale, ...]:
    """Return what things are compared by; the words are also things to compare with."""
    sizes = {name: word.size for name, word in read_words().items()}
    return tuple(_read_scale(**{"values": sizes, **table_row}) for table_row in read_table("words", "scales").values())


def _read_scale(things: Mapping[str, float], values: Mapping[str, float], **row: Any) -> Scale:
    forms = {
        word_form: values[word.name]
        for word in read_words().values()
        if word.name in values
        for word_form in word.forms
    }
    return Scale(things={**forms, **things}, values=values, **row)


@cache
def read_attributes() -> dict[str, Attribute]:
    """Return all attributes by name, in the order in which equally good questions are asked."""
    return {name: _read_attribute(name, **row) for name, row in read_table("attributes", "attributes").items()}


def _read_attribute(name: str, question: str, statement: str, topic: str = "", size: str = "", **row: str) -> Attribute:
    truth_list_text = " | ".join(row.get(degree.value, "") for degree in (Degree.YES, Degree.RATHER, Degree.HARDLY))
    return Attribute(name, question, statement, topic, _read_truth_list(size or truth_list_text))


def _read_truth_list(line: str) -> Mapping[str, Degree | None]:
    """Return the truths of a line: lists of words, "> 1.4" for the words that are bigger, or "=" and an attribute."""
    if line[:1] in ("<", ">"):
        return {name: compare_sizes(word.size, float(line[1:]), line[0] == ">") for name, word in read_words().items()}
    if line[:1] == "=":
        return read_attributes()[line[1:]].truths
    return read_truths(line, read_table("attributes", "groups") | read_table("facts", "groups"), read_words())


def compare_sizes(size: float, other_size: float, is_bigger: bool, equal_spread: float = 1.25) -> Degree:
    """Return whether one size is bigger (or smaller) than another; within the spread it is only rather or hardly so."""
    size_ratio = size / other_size if is_bigger else other_size / size
    if size_ratio > 1:
        return Degree.YES if size_ratio > equal_spread else Degree.RATHER
    return Degree.HARDLY if size_ratio > 1 / equal_spread else Degree.NO


@cache
def read_facts() -> Facts:
    """Return what the answerer knows."""
    lines = [
        (phrases, _read_truth_list(truth_list_text))
        for phrases, truth_list_text in read_table("facts", "facts").items()
    ]
    return Facts(Fact(read_phrase(phrase), truths) for phrases, truths in lines for phrase in phrases.split(","))
