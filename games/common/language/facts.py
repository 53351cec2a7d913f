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
from games.common.language.predicates import CLASSES, Predicate, PredicateTerm, Sentence

GENERAL_KINDS = ("have", "do", "use", "by")
"""Kinds of statements of which a shorter one is true where a longer one is: what has a long tail has a tail."""


class Degree(Enum):
    """How far a statement is true of a thing."""

    YES = "yes"
    RATHER = "rather"
    HARDLY = "hardly"
    NO = "no"

    @property
    def is_yes(self) -> bool:
        """Whether yes is the better guess where only yes or no may be said."""
        return self in (Degree.YES, Degree.RATHER)

    @property
    def opposite_degree(self) -> Degree:
        """The truth of the denied statement."""
        return DEGREES_FALLING[-1 - DEGREES_FALLING.index(self)]


DEGREES_FALLING = tuple(Degree)
COLUMN_DEGREES = (Degree.YES, Degree.RATHER, Degree.HARDLY, None)


@dataclass(frozen=True)
class Fact:
    """A statement with the truth for each thing that its line names; None stands for "not sure"."""

    predicate: Predicate
    degrees: Mapping[str, Degree | None]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the statement."""
        return frozenset(self.predicate.words)

    def truth_of(self, thing_name: str) -> Degree | None:
        """Return how far it is true of a thing."""
        return self.degrees.get(thing_name, Degree.NO)

    def denies(self, predicate: Predicate) -> bool:
        """Whether a longer statement is false where this is: where this has its verb or noun, and it adds no name."""
        stated_words = [word for word in predicate.words if word[0] != "@"]
        if not all(word.isdigit() or LEXICON.word_classes(word) for word in stated_words):
            return False
        if predicate.kind in ("do", "use", "by"):
            is_complete = len(self.words) > 1 or predicate.kind != "by"  # not the agent alone
            return is_complete and (stated_words[0] in self.words or stated_words[0].isdigit())
        nouns = [word for word in stated_words if word not in predicate.complement]
        return bool(nouns) and nouns[-1] in self.words


@dataclass(frozen=True)
class Judgement:
    """How far a statement is true of a thing, or what of it is not known."""

    degree: Degree | None = None
    unknown: tuple[str, ...] = ()
    """Words of the statement that nothing is known about; empty where the answer itself is not known."""

    @classmethod
    def of_all(cls, judgements: Sequence[Judgement]) -> Judgement:
        """Return how far all of some statements are true together."""
        truths = [judgement.degree for judgement in judgements]
        if Degree.NO in truths or (truths and None not in truths):
            return cls(max((truth for truth in truths if truth), key=DEGREES_FALLING.index))
        return cls(unknown=tuple(word for judgement in judgements for word in judgement.unknown))


def read_truths(line_text: str, groups: Mapping[str, str], thing_names: Collection[str]) -> dict[str, Degree | None]:
    """Return the truths of a line. Raises ValueError for things that do not exist."""
    truths: dict[str, Degree | None] = {}
    for degree, column_text in reversed(list(zip(COLUMN_DEGREES, line_text.split("|"), strict=False))):
        truths |= dict.fromkeys(expand_names(column_text, groups, thing_names), degree)
    return truths


def expand_names(list_text: str, groups: Mapping[str, str], thing_names: Collection[str]) -> list[str]:
    """Return the things of a list with groups ("@fish") and exceptions ("-ray"). Raises ValueError for other words."""
    chosen_names: dict[str, None] = {}
    for list_word in list_text.split():
        word = list_word.removeprefix("-")
        thing_name = word.replace("-", " ")
        if word[0] != "@" and thing_name not in thing_names:
            raise ValueError(f"{word!r} is not one of the words")
        selected_names = expand_names(groups[word[1:]], groups, thing_names) if word[0] == "@" else [thing_name]
        chosen_names |= dict.fromkeys(selected_names)
        if list_word != word:
            chosen_names = {chosen_name: None for chosen_name in chosen_names if chosen_name not in selected_names}
    return list(chosen_names)


def _find_marks(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0] == "@")


class Facts:
    """The statements of a table."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Take the facts. Raises ValueError if two say the same statement."""
        self._facts_by_key: dict[tuple[str, frozenset[str]], Fact] = {}
        for fact in facts:
            if fact.predicate.identity in self._facts_by_key:
                raise ValueError(f"there are two lines for {fact.predicate}")
            self._facts_by_key[fact.predicate.identity] = fact

    @property
    def words(self) -> frozenset[str]:
        """All words of the statements."""
        return frozenset().union(*(fact.words for fact in self._facts_by_key.values()))

    def find(self, predicate: Predicate) -> Fact | None:
        """Return the fact that says just this."""
        return self._facts_by_key.get(predicate.identity)

    def split(self, predicate: Predicate) -> list[Fact]:
        """Return the facts about the single words of a statement: wild and cat for "a wild cat"."""
        single_words = (word for word in predicate.words if word not in predicate.complement)
        return [fact for word in single_words if (fact := self.find(Predicate(predicate.kind, (word,))))]

    def judge_predicate(self, predicate: Predicate, thing_name: str) -> Judgement:
        """Return how far a statement is true of a thing: as the table has it, or as follows from what it has."""
        kind, words = predicate.identity
        if fact := self.find(predicate):
            return Judgement(fact.truth_of(thing_name))
        if kind == "be" or not words:
            return self._judge_parts(predicate, thing_name)
        if fact := self._facts_by_key.get((kind, words - CLASSES.soft)):
            return Judgement(fact.truth_of(thing_name))
        return self._infer(predicate, thing_name)

    def _infer(self, predicate: Predicate, thing_name: str) -> Judgement:
        """Return yes where a longer statement is true and no where a shorter one is false, else what is unknown."""
        kind, words = predicate.identity
        comparable_facts = self._find_comparable(predicate)
        longer_facts = [fact for fact in comparable_facts if words < fact.words and not words <= CLASSES.weak]
        if kind in GENERAL_KINDS and any(fact.truth_of(thing_name) is Degree.YES for fact in longer_facts):
            return Judgement(Degree.YES)
        shorter_facts = [fact for fact in comparable_facts if fact.words < words and not fact.words <= CLASSES.weak]
        is_false = any(fact.truth_of(thing_name) is Degree.NO and fact.denies(predicate) for fact in shorter_facts)
        if is_false or (kind == "by" and self._denies_people(predicate, thing_name)):
            return Judgement(Degree.NO)
        known_words = _find_marks(words).union(*(fact.words for fact in shorter_facts))
        return Judgement(unknown=tuple(word for word in predicate.words if word not in known_words))

    def _find_comparable(self, predicate: Predicate) -> list[Fact]:
        marks = _find_marks(predicate.words)
        facts_of_kind = (fact for fact in self._facts_by_key.values() if fact.predicate.kind == predicate.kind)
        return [fact for fact in facts_of_kind if _find_marks(fact.words) == marks]

    def _denies_people(self, predicate: Predicate, name: str) -> bool:
        """Whether somebody is said to do what nobody does: where people do not wear a thing, farmers do not."""
        agent_word, *rest = predicate.words
        fact = self._facts_by_key.get(("use", frozenset(rest)))
        return bool(rest and fact and LEXICON.is_a_first(agent_word, "person") and fact.truth_of(name) is Degree.NO)

    def _judge_parts(self, predicate: Predicate, thing_name: str) -> Judgement:
        """Return how far several properties are true together: "a small wild animal"."""
        left, judgements = predicate.words, list[Judgement]()
        while left:
            starts = ((size, self.find(Predicate("be", left[:size]))) for size in range(len(left), 0, -1))
            size, fact = next(((size, fact) for size, fact in starts if fact), (1, None))
            if fact is None:
                judgements += [Judgement(unknown=left[:1])] if left[0] not in CLASSES.soft | {"thing", "2"} else []
            else:
                truth = fact.truth_of(thing_name)
                denies = size > 1 or self._is_essential(predicate, left[0])
                judgements.append(Judgement(truth if truth is not Degree.NO or denies else None))
            left = left[size:]
        return Judgement.of_all(judgements)

    def _is_essential(self, predicate: Predicate, word: str) -> bool:
        """Whether a word must be true where a noun phrase is: not the house of a bird house, nor what is feared."""
        nouns = [word for word in predicate.words if word not in predicate.complement]
        return word in nouns and (word == nouns[-1] or LEXICON.word_classes(word)[:1] != "n")

    def judge_term(self, term: PredicateTerm, thing_name: str) -> Judgement:
        """Return how far a term is true of a thing, by the first of its readings that something is known about."""
        readings = [reading for reading in term.readings if self.find(reading)] or term.readings
        judgements = [self.judge_predicate(reading, thing_name) for reading in readings]
        best = next((judgement for judgement in judgements if judgement.degree), judgements[0])
        return Judgement(best.degree.opposite_degree) if term.negated and best.degree else best

    def judge_option(self, terms: Sequence[PredicateTerm], thing_name: str) -> Judgement:
        """Return how far all of some terms are true of a thing."""
        return Judgement.of_all([self.judge_term(term, thing_name) for term in terms])

    def judge_sentence(self, sentence: Sentence, thing_name: str) -> Judgement:
        """Return how far one of the options of a sentence is true of a thing."""
        judgements = [self.judge_option(option, thing_name) for option in sentence.options]
        truths = [judgement.degree for judgement in judgements if judgement.degree]
        strongest_degree = min(truths, key=DEGREES_FALLING.index, default=None)
        if strongest_degree and (strongest_degree.is_yes or len(truths) == len(judgements)):
            return Judgement(strongest_degree)
        return Judgement(unknown=tuple(word for judgement in judgements for word in judgement.unknown))
