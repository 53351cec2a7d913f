"""What is known of a set of things: a table of statements, each with the things of which it is true, and its judge.

A table is read from TOML: `"do live pack, at pack" = "yes | rather | hardly | not sure"`. Each list names things and
groups ("@fish"; "-ray" leaves out one). A statement is false of all things that its line does not name. Nothing is
known of statements that the table does not have, except for what follows from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from games.common.language.lexicon import LEXICON
from games.common.language.predicates import (
    MARKED_VERBS,
    MARKERS,
    SOFT,
    WEAK,
    Predicate,
    Sentence,
    Term,
    content,
    texts_of,
)

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
        return _OPPOSITES[self]


_ORDER = (Degree.NO, Degree.HARDLY, Degree.RATHER, Degree.YES)
_OPPOSITES = dict(zip(_ORDER, reversed(_ORDER), strict=True))
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


@dataclass(frozen=True)
class Judgement:
    """How far a statement is true of a thing, or what of it is not known."""

    truth: Degree | None = None
    unknown: tuple[str, ...] = ()
    """Words of the statement that nothing is known about; empty where the answer itself is not known."""


def read_truths(
    text: str, groups: Mapping[str, str], names: Mapping[str, str] | Iterable[str]
) -> dict[str, Degree | None]:
    """Return the truths of a line. Raises ValueError for things that do not exist."""
    truths: dict[str, Degree | None] = {}
    for column, part in reversed(list(zip(COLUMNS, text.split("|"), strict=False))):
        truths |= dict.fromkeys(expand(part, groups, names), column)
    return truths


def expand(text: str, groups: Mapping[str, str], names: Mapping[str, str] | Iterable[str]) -> list[str]:
    """Return the things of a list with groups ("@fish") and exceptions ("-ray"). Raises ValueError for other words."""
    members: dict[str, None] = {}
    known_names = set(names)
    for member in text.split():
        if member.startswith("-@"):
            for name in expand(member[1:], groups, known_names):
                members.pop(name, None)
        elif member.startswith("@"):
            members |= dict.fromkeys(expand(groups[member[1:]], groups, known_names))
        elif member.startswith("-"):
            members.pop(member[1:].replace("-", " "), None)
        elif member.replace("-", " ") in known_names:
            members[member.replace("-", " ")] = None
        else:
            raise ValueError(f"{member!r} is not one of the words")
    return list(members)


def read_phrase(phrase: str) -> Predicate:
    """Return the predicate of a phrase of a table: its kind, then its words. Raises ValueError for another kind."""
    kind, *words = texts_of(phrase)
    if kind not in ("be", "have", "do", "use", "by", "at", "of"):
        raise ValueError(f"{phrase!r} begins with no kind of statement")
    lemmas = list(content(words, keep=KEPT if kind == "at" else frozenset(words[:1] if kind == "do" else ())))
    if kind not in ("use", "by"):
        return Predicate(kind, tuple(lemmas))
    has_agent = kind == "use" and "person" in lemmas[:2] and (lemmas[0] == "person" or lemmas[0].isdigit())
    if len(lemmas) > 1 and (has_agent or (lemmas[0] == "give" and "person" in lemmas)):
        lemmas.remove("person")
    marker = MARKERS.get("out" if words[-2:] == ["out", "of"] else words[-1])
    is_marked = (marker == "@under" or lemmas[0] in MARKED_VERBS) if kind == "use" else marker == "@from"
    if marker and is_marked:
        lemmas.append("@from" if lemmas[0] == "make" else marker)
    return Predicate(kind, tuple(lemmas))


def _denies(fact: Fact, predicate: Predicate) -> bool:
    """Whether a statement is false where a shorter one is: where that has its verb or noun, and no name is added."""
    if not all(word[0] == "@" or word.isdigit() or LEXICON.parts(word) for word in predicate.words):
        return False
    if predicate.kind in ("do", "use", "by"):
        is_complete = len(fact.words) > 1 or predicate.kind != "by"  # not the agent alone
        return is_complete and (predicate.words[0] in fact.words or predicate.words[0].isdigit())
    nouns = [word for word in predicate.words if word not in predicate.complement and word[0] != "@"]
    return bool(nouns) and nouns[-1] in fact.words


def _marks(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if word[0] == "@")


KEPT = frozenset(("outside", "inside", "under", "over", "near"))


class Facts:
    """The statements of a table."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        """Take the facts. Raises ValueError if two say the same statement."""
        self._facts: dict[tuple[str, frozenset[str]], Fact] = {}
        for fact in facts:
            if fact.predicate.key in self._facts:
                raise ValueError(f"there are two lines for {fact.predicate}")
            self._facts[fact.predicate.key] = fact

    @cached_property
    def _by_kind(self) -> dict[str, list[Fact]]:
        kinds: dict[str, list[Fact]] = {}
        for fact in self._facts.values():
            kinds.setdefault(fact.predicate.kind, []).append(fact)
        return kinds

    @property
    def words(self) -> frozenset[str]:
        """All words of the statements."""
        return frozenset().union(*(fact.words for fact in self._facts.values()))

    def find(self, predicate: Predicate) -> Fact | None:
        """Return the fact that says just this."""
        return self._facts.get(predicate.key)

    def parts(self, predicate: Predicate) -> list[Fact]:
        """Return the facts about the single words of a statement: wild and cat for "a wild cat"."""
        single_facts = (self._facts.get((predicate.kind, frozenset((word,)))) for word in predicate.words)
        return [fact for fact in single_facts if fact and fact.words.isdisjoint(predicate.complement)]

    def judge(self, predicate: Predicate, name: str) -> Judgement:
        """Return how far a statement is true of a thing: as the table has it, or as follows from what it has."""
        if fact := self.find(predicate):
            return Judgement(fact.truth_of(name))
        if predicate.kind == "be":
            return self._judge_parts(predicate, name)
        words = frozenset(predicate.words)
        if fact := self._facts.get((predicate.kind, words - SOFT)):
            return Judgement(fact.truth_of(name))
        if predicate.kind == "by" and self._denies_people(predicate, name):
            return Judgement(Degree.NO)
        comparable = [fact for fact in self._by_kind.get(predicate.kind, ()) if _marks(fact.words) == _marks(words)]
        longer = [fact for fact in comparable if words < fact.words and not words <= WEAK]
        if predicate.kind in GENERAL and any(fact.truth_of(name) is Degree.YES for fact in longer):
            return Judgement(Degree.YES)
        shorter = [fact for fact in comparable if fact.words < words and not fact.words <= WEAK]
        return self._judge_shorter(predicate, shorter, name)

    def _judge_shorter(self, predicate: Predicate, shorter: Sequence[Fact], name: str) -> Judgement:
        """Return no where less is said and not even that is true, else which words nothing is known about."""
        if any(fact.truth_of(name) is Degree.NO and _denies(fact, predicate) for fact in shorter):
            return Judgement(Degree.NO)
        known_words = frozenset[str]().union(*(fact.words for fact in shorter))
        return Judgement(unknown=tuple(word for word in predicate.words if word not in known_words and word[0] != "@"))

    def _denies_people(self, predicate: Predicate, name: str) -> bool:
        """Whether somebody is said to do what nobody does: where people do not wear a thing, farmers do not."""
        agent, *rest = predicate.words
        fact = self._facts.get(("use", frozenset(rest)))
        return bool(rest and fact and LEXICON.is_a_first(agent, "person") and fact.truth_of(name) is Degree.NO)

    def _judge_parts(self, predicate: Predicate, name: str) -> Judgement:
        """Return how far several properties are true together: "a small wild animal"."""
        left = list(predicate.words)
        truths: list[Degree | None] = []
        unknown: list[str] = []
        while left:
            for size in range(len(left), 0, -1):
                fact = self._facts.get(("be", frozenset(left[:size])))
                if fact:
                    denies = size > 1 or self._is_essential(predicate, left[0])
                    truth = fact.truth_of(name)
                    truths.append(truth if truth is not Degree.NO or denies else None)
                    left = left[size:]
                    break
            else:
                unknown.append(left.pop(0))
        if Degree.NO in truths:
            return Judgement(Degree.NO)
        unknown = [word for word in unknown if word not in SOFT and word not in ("thing", "2")]
        if unknown or None in truths or not truths:
            return Judgement(unknown=tuple(unknown))
        return Judgement(weakest(truths))

    def _is_essential(self, predicate: Predicate, word: str) -> bool:
        """Whether a word must be true where a noun phrase is: not the house of a bird house, nor what is feared."""
        nouns = [word for word in predicate.words if word not in predicate.complement]
        return word not in predicate.complement and (word in nouns[-1:] or LEXICON.parts(word)[:1] != "n")

    def judge_term(self, term: Term, name: str) -> Judgement:
        """Return how far a term is true of a thing, by the first of its readings that something is known about."""
        judgements = [self.judge(reading, name) for reading in term.readings if self.find(reading)]
        judgements = judgements or [self.judge(reading, name) for reading in term.readings]
        best = next((judgement for judgement in judgements if judgement.truth), judgements[0])
        return Judgement(best.truth.opposite, ()) if term.negated and best.truth else best

    def judge_option(self, terms: Sequence[Term], name: str) -> Judgement:
        """Return how far all of some terms are true of a thing."""
        judgements = [self.judge_term(term, name) for term in terms]
        truths = [judgement.truth for judgement in judgements]
        if Degree.NO in truths:
            return Judgement(Degree.NO)
        if None in truths or not truths:
            return Judgement(unknown=tuple(word for judgement in judgements for word in judgement.unknown))
        return Judgement(weakest(truths))

    def judge_sentence(self, sentence: Sentence, name: str) -> Judgement:
        """Return how far one of the options of a sentence is true of a thing."""
        judgements = [self.judge_option(option, name) for option in sentence.options]
        truths = [judgement.truth for judgement in judgements if judgement.truth]
        strongest = max(truths, key=_ORDER.index, default=None)
        if strongest and (strongest.leans or len(truths) == len(judgements)):
            return Judgement(strongest)
        return Judgement(unknown=tuple(word for judgement in judgements for word in judgement.unknown))


def weakest(truths: Iterable[Degree | None]) -> Degree:
    """Return the weakest of some truths, all of which are known."""
    return min((truth for truth in truths if truth), key=_ORDER.index)
