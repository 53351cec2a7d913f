"""What is known of a set of things: a table of statements, each with the things of which it is true, and its judge.

A table is read from TOML: `"do live pack, at pack" = "yes | rather | hardly | not sure"`. Each list names things and
groups ("@fish"; "-ray" leaves out one). A statement is false of all things that its line does not name. Nothing is
known of statements that the table does not have, except for what follows from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from games.common.language.lexicon import LEXICON
from games.common.language.predicates import CLASSES, Predicate, Sentence, Term

GENERAL = ("have", "do", "use", "by")
"""Kinds of statements of which a shorter one is true where a longer one is: what has a long tail has a tail."""


class Degree(Enum):
    """How far a statement is true of a thing."""

    YES = "yes"
    RATHER = "rather"
    HARDLY = "hardly"
    NO = "no"

    @property
    def leans(self) -> bool:
        """Whether yes is the better guess where only yes or no may be said."""
        return self in (Degree.YES, Degree.RATHER)

    @property
    def opposite(self) -> Degree:
        """The truth of the denied statement."""
        return _FALLING[-1 - _FALLING.index(self)]


_FALLING = tuple(Degree)
COLUMNS = (Degree.YES, Degree.RATHER, Degree.HARDLY, None)


@dataclass(frozen=True)
class Fact:
    """A statement with the truth for each thing that its line names; None stands for "not sure"."""

    predicate: Predicate
    truths: Mapping[str, Degree | None]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the statement."""
        return frozenset(self.predicate.words)

    def truth_of(self, name: str) -> Degree | None:
        """Return how far it is true of a thing."""
        return self.truths.get(name, Degree.NO)

    def denies(self, predicate: Predicate) -> bool:
        """Whether a longer statement is false where this is: where this has its verb or noun, and it adds no name."""
        words = [word for word in predicate.words if word[0] != "@"]
        if not all(word.isdigit() or LEXICON.parts(word) for word in words):
            return False
        if predicate.kind in ("do", "use", "by"):
            is_complete = len(self.words) > 1 or predicate.kind != "by"  # not the agent alone
            return is_complete and (words[0] in self.words or words[0].isdigit())
        nouns = [word for word in words if word not in predicate.complement]
        return bool(nouns) and nouns[-1] in self.words


@dataclass(frozen=True)
class Judgement:
    """How far a statement is true of a thing, or what of it is not known."""

    truth: Degree | None = None
    unknown: tuple[str, ...] = ()
    """Words of the statement that nothing is known about; empty where the answer itself is not known."""

    @classmethod
    def of_all(cls, judgements: Sequence[Judgement]) -> Judgement:
        """Return how far all of some statements are true together."""
        truths = [judgement.truth for judgement in judgements]
        if Degree.NO in truths or (truths and None not in truths):
            return cls(max((truth for truth in truths if truth), key=_FALLING.index))
        return cls(unknown=tuple(word for judgement in judgements for word in judgement.unknown))


def read_truths(text: str, groups: Mapping[str, str], names: Collection[str]) -> dict[str, Degree | None]:
    """Return the truths of a line. Raises ValueError for things that do not exist."""
    truths: dict[str, Degree | None] = {}
    for column, part in reversed(list(zip(COLUMNS, text.split("|"), strict=False))):
        truths |= dict.fromkeys(expand(part, groups, names), column)
    return truths


def expand(text: str, groups: Mapping[str, str], names: Collection[str]) -> list[str]:
    """Return the things of a list with groups ("@fish") and exceptions ("-ray"). Raises ValueError for other words."""
    members: dict[str, None] = {}
    for part in text.split():
        word = part.removeprefix("-")
        name = word.replace("-", " ")
        if word[0] != "@" and name not in names:
            raise ValueError(f"{word!r} is not one of the words")
        selected = expand(groups[word[1:]], groups, names) if word[0] == "@" else [name]
        members |= dict.fromkeys(selected)
        if part != word:
            members = {member: None for member in members if member not in selected}
    return list(members)


def _marks(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0] == "@")


class Facts:
    """The statements of a table."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Take the facts. Raises ValueError if two say the same statement."""
        self._facts: dict[tuple[str, frozenset[str]], Fact] = {}
        for fact in facts:
            if fact.predicate.key in self._facts:
                raise ValueError(f"there are two lines for {fact.predicate}")
            self._facts[fact.predicate.key] = fact

    @property
    def words(self) -> frozenset[str]:
        """All words of the statements."""
        return frozenset().union(*(fact.words for fact in self._facts.values()))

    def find(self, predicate: Predicate) -> Fact | None:
        """Return the fact that says just this."""
        return self._facts.get(predicate.key)

    def parts(self, predicate: Predicate) -> list[Fact]:
        """Return the facts about the single words of a statement: wild and cat for "a wild cat"."""
        words = (word for word in predicate.words if word not in predicate.complement)
        return [fact for word in words if (fact := self.find(Predicate(predicate.kind, (word,))))]

    def judge(self, predicate: Predicate, name: str) -> Judgement:
        """Return how far a statement is true of a thing: as the table has it, or as follows from what it has."""
        kind, words = predicate.key
        if fact := self.find(predicate):
            return Judgement(fact.truth_of(name))
        if kind == "be" or not words:
            return self._judge_parts(predicate, name)
        if fact := self._facts.get((kind, words - CLASSES.soft)):
            return Judgement(fact.truth_of(name))
        return self._infer(predicate, name)

    def _infer(self, predicate: Predicate, name: str) -> Judgement:
        """Return yes where a longer statement is true and no where a shorter one is false, else what is unknown."""
        kind, words = predicate.key
        comparable = self._comparable(predicate)
        longer = [fact for fact in comparable if words < fact.words and not words <= CLASSES.weak]
        if kind in GENERAL and any(fact.truth_of(name) is Degree.YES for fact in longer):
            return Judgement(Degree.YES)
        shorter = [fact for fact in comparable if fact.words < words and not fact.words <= CLASSES.weak]
        is_false = any(fact.truth_of(name) is Degree.NO and fact.denies(predicate) for fact in shorter)
        if is_false or (kind == "by" and self._denies_people(predicate, name)):
            return Judgement(Degree.NO)
        known_words = _marks(words).union(*(fact.words for fact in shorter))
        return Judgement(unknown=tuple(word for word in predicate.words if word not in known_words))

    def _comparable(self, predicate: Predicate) -> list[Fact]:
        marks = _marks(predicate.words)
        same_kind = (fact for fact in self._facts.values() if fact.predicate.kind == predicate.kind)
        return [fact for fact in same_kind if _marks(fact.words) == marks]

    def _denies_people(self, predicate: Predicate, name: str) -> bool:
        """Whether somebody is said to do what nobody does: where people do not wear a thing, farmers do not."""
        agent, *rest = predicate.words
        fact = self._facts.get(("use", frozenset(rest)))
        return bool(rest and fact and LEXICON.is_a_first(agent, "person") and fact.truth_of(name) is Degree.NO)

    def _judge_parts(self, predicate: Predicate, name: str) -> Judgement:
        """Return how far several properties are true together: "a small wild animal"."""
        left, judgements = predicate.words, list[Judgement]()
        while left:
            starts = ((size, self.find(Predicate("be", left[:size]))) for size in range(len(left), 0, -1))
            size, fact = next(((size, fact) for size, fact in starts if fact), (1, None))
            if fact is None:
                judgements += [Judgement(unknown=left[:1])] if left[0] not in CLASSES.soft | {"thing", "2"} else []
            else:
                truth = fact.truth_of(name)
                denies = size > 1 or self._is_essential(predicate, left[0])
                judgements.append(Judgement(truth if truth is not Degree.NO or denies else None))
            left = left[size:]
        return Judgement.of_all(judgements)

    def _is_essential(self, predicate: Predicate, word: str) -> bool:
        """Whether a word must be true where a noun phrase is: not the house of a bird house, nor what is feared."""
        nouns = [word for word in predicate.words if word not in predicate.complement]
        return word in nouns and (word == nouns[-1] or LEXICON.parts(word)[:1] != "n")

    def judge_term(self, term: Term, name: str) -> Judgement:
        """Return how far a term is true of a thing, by the first of its readings that something is known about."""
        readings = [reading for reading in term.readings if self.find(reading)] or term.readings
        judgements = [self.judge(reading, name) for reading in readings]
        best = next((judgement for judgement in judgements if judgement.truth), judgements[0])
        return Judgement(best.truth.opposite) if term.negated and best.truth else best

    def judge_option(self, terms: Sequence[Term], name: str) -> Judgement:
        """Return how far all of some terms are true of a thing."""
        return Judgement.of_all([self.judge_term(term, name) for term in terms])

    def judge_sentence(self, sentence: Sentence, name: str) -> Judgement:
        """Return how far one of the options of a sentence is true of a thing."""
        judgements = [self.judge_option(option, name) for option in sentence.options]
        truths = [judgement.truth for judgement in judgements if judgement.truth]
        strongest = min(truths, key=_FALLING.index, default=None)
        if strongest and (strongest.leans or len(truths) == len(judgements)):
            return Judgement(strongest)
        return Judgement(unknown=tuple(word for judgement in judgements for word in judgement.unknown))
