"""What the scripted players know of the words (`words.toml`), and how they judge what somebody says by it.

A player looks up its own word only, and does not learn which word is related. What a description says for or against
the word is weighed clause by clause; what is not known is no evidence.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from games.common.language.predicates import CLASSES, content, split_clauses
from games.common.words import find_mention, forms, normalise

NAMED, AGAINST, DENIED, SUPPORT = -6.0, -3.0, -1.0, 0.5
"""Weights of what names the word itself (forbidden), says what is not so, denies what is so, and says what is so."""
LEAST, MOST = -4.0, 1.0
REACH = 3
"""How many words after a negation are denied."""


@dataclass(frozen=True)
class Knowledge:
    """Sentences to say about a word, the less telling first, and words that speak for and against it."""

    vague: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    supporting: tuple[frozenset[str], ...] = ()
    opposing: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class Opinion:
    """How much a description speaks for the own word (positive) or against it, and the words that contradict it."""

    weight: float = 0.0
    contradicting: tuple[str, ...] = ()


def _read_row(vague: list[str], telling: list[str], supporting: str, opposing: str) -> Knowledge:
    return Knowledge(tuple(vague), tuple(telling), _entries(supporting), _entries(opposing))


def _entries(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(content(entry.split("+")) or entry.split("+")) for entry in text.split())


_ROWS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_KNOWLEDGE = {normalise(name): _read_row(**row) for name, row in _ROWS.items()}


def knowledge(word: str) -> Knowledge:
    """Return what is known of a word: nothing of a word that is not in the table."""
    return _KNOWLEDGE.get(normalise(word), Knowledge())


@lru_cache(maxsize=4096)
def judge(word: str, text: str) -> Opinion:
    """Return how well a description fits a word."""
    if find_mention(text, forms(word)):
        return Opinion(NAMED)
    weight, contradicting, evidence = 0.0, list[str](), knowledge(word)
    for clause in split_clauses(text):
        denied = _denied_words(clause)
        words = frozenset(content(clause)) - denied
        signs = (
            (AGAINST, words, evidence.opposing),
            (SUPPORT, words, evidence.supporting),
            (DENIED, denied, evidence.supporting),
            (SUPPORT, denied, evidence.opposing),
        )
        decisive = ((sign, matches) for sign, spoken, entries in signs if (matches := _matches(spoken, entries)))
        sign, matches = next(decisive, (0.0, []))
        weight += sign
        contradicting += matches if sign < 0 else []
    return Opinion(max(LEAST, min(MOST, weight)), tuple(contradicting))


def _denied_words(clause: tuple[str, ...]) -> frozenset[str]:
    """Return the words of a clause that stand right after a negation: "it has no mane", "it does not have a mane"."""
    places = [at for at, word in enumerate(clause) if word in CLASSES.negations]
    return frozenset(word for at in places for word in content(clause[at + 1 : at + 1 + REACH]))


def _matches(words: frozenset[str], entries: Iterable[frozenset[str]]) -> list[str]:
    """Return the words of all entries that occur."""
    return sorted({word for entry in entries if entry <= words for word in entry})
