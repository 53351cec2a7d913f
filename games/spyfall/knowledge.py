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
from games.common.words import find_mention, list_word_forms, normalise_text

NAMED_WEIGHT, AGAINST_WEIGHT, DENIED_WEIGHT, SUPPORT_WEIGHT = -6.0, -3.0, -1.0, 0.5
"""Weights of what names the word itself (forbidden), says what is not so, denies what is so, and says what is so."""
MIN_WEIGHT, MAX_WEIGHT = -4.0, 1.0
MAX_NEGATED_WORDS = 3
"""How many words after a negation are denied."""


@dataclass(frozen=True)
class Knowledge:
    """Sentences to say about a word, the less telling first, and words that speak for and against it."""

    vague_sentences: tuple[str, ...] = ()
    telling_sentences: tuple[str, ...] = ()
    supporting_words: tuple[frozenset[str], ...] = ()
    opposing_words: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class Opinion:
    """How much a description speaks for the own word (positive) or against it, and the words that contradict it."""

    weight: float = 0.0
    contradicting_words: tuple[str, ...] = ()


def _read_row(vague: list[str], telling: list[str], supporting: str, opposing: str) -> Knowledge:
    return Knowledge(tuple(vague), tuple(telling), _read_entries(supporting), _read_entries(opposing))


def _read_entries(text: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(content(word_entry.split("+")) or word_entry.split("+")) for word_entry in text.split())


_WORD_ROWS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_KNOWLEDGE_BY_WORD = {normalise_text(name): _read_row(**row) for name, row in _WORD_ROWS.items()}


def look_up_knowledge(word: str) -> Knowledge:
    """Return what is known of a word: nothing of a word that is not in the table."""
    return _KNOWLEDGE_BY_WORD.get(normalise_text(word), Knowledge())


@lru_cache(maxsize=4096)
def judge_description(word: str, description: str) -> Opinion:
    """Return how well a description fits a word."""
    if find_mention(description, list_word_forms(word)):
        return Opinion(NAMED_WEIGHT)
    weight, contradicting_words, word_knowledge = 0.0, list[str](), look_up_knowledge(word)
    for clause in split_clauses(description):
        denied_words = _find_denied_words(clause)
        stated_words = frozenset(content(clause)) - denied_words
        weighted_word_groups = (
            (AGAINST_WEIGHT, stated_words, word_knowledge.opposing_words),
            (SUPPORT_WEIGHT, stated_words, word_knowledge.supporting_words),
            (DENIED_WEIGHT, denied_words, word_knowledge.supporting_words),
            (SUPPORT_WEIGHT, denied_words, word_knowledge.opposing_words),
        )
        matching_groups = (
            (group_weight, matches)
            for group_weight, clause_words, word_entries in weighted_word_groups
            if (matches := _find_matches(clause_words, word_entries))
        )
        group_weight, matches = next(matching_groups, (0.0, []))
        weight += group_weight
        contradicting_words += matches if group_weight < 0 else []
    return Opinion(max(MIN_WEIGHT, min(MAX_WEIGHT, weight)), tuple(contradicting_words))


def _find_denied_words(clause: tuple[str, ...]) -> frozenset[str]:
    """Return the words of a clause that stand right after a negation: "it has no mane", "it does not have a mane"."""
    negation_positions = [i for i, word in enumerate(clause) if word in CLASSES.negations]
    return frozenset(word for i in negation_positions for word in content(clause[i + 1 : i + 1 + MAX_NEGATED_WORDS]))


def _find_matches(words: frozenset[str], word_entries: Iterable[frozenset[str]]) -> list[str]:
    """Return the words of all entries that occur."""
    return sorted({word for word_entry in word_entries if word_entry <= words for word in word_entry})
