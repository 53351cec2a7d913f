"""What a text says, as data: phrases, claims and questions, and what an evaluator makes of them: verdicts and answers.

`grammar.read_text` makes the claims and questions. The evaluator of one kind of thing (scene, grid, board)
judges claims with a `Verdict` and answers questions with an `Answer`. `Evidence` sums verdicts over messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

MOST_EXPLAINED = 12
"""Claims that a debriefing lists."""
MANY = 10_000
"""The upper end of an open count."""
LESS, HIGH_PLACES = {"left": "x", "top": "y", "back": "y"}, {"right": "x", "bottom": "y", "front": "y"}
"""Places where a coordinate is small and where it is large."""


def are_opposite(first_place: str, other: str) -> bool:
    """Return whether nothing has both places: left and right, top and front."""
    return any(a in LESS and LESS[a] == HIGH_PLACES.get(b) for a, b in ((first_place, other), (other, first_place)))


@dataclass(frozen=True)
class Count:
    """How many are meant: at least `low`, at most `high`."""

    low: int = 1
    high: int = MANY

    @property
    def is_stated(self) -> bool:
        """Whether a number or quantifier was said."""
        return self != SOME


SOME = Count()
NONE = Count(0, 0)


@dataclass(frozen=True)
class Link:
    """A relation of a phrase to another: "on", "left of", "with", "of", …"""

    relation: str
    phrase: Phrase


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: "the two red cushions on the sofa", "no cat", "the left one", "it"."""

    head: str = ""
    """The lemma of the head noun; empty in "the red one", "it", and in predicates such as "red"."""
    modifiers: tuple[str, ...] = ()
    """The other words before the head as canonical words: colours, sizes, materials, nouns."""
    count: Count = SOME
    is_plural: bool = False
    definite: bool = False
    pronoun: bool = False
    """Whether it stands for something mentioned before: "it", "they", "one"."""
    places: tuple[str, ...] = ()
    """Where it is in the picture: left, right, top, bottom, middle, front, back, corner, edge."""
    links: tuple[Link, ...] = ()

    @property
    def is_negated(self) -> bool:
        """Whether it says that there is none."""
        return self.count.high == 0

    @property
    def is_bare(self) -> bool:
        """Whether it says nothing but a name and a number."""
        return not (self.modifiers or self.places or self.links)

    @property
    def uncounted(self) -> Phrase:
        """The phrase without its number."""
        return replace(self, count=SOME)

    @property
    def words(self) -> set[str]:
        """Its nouns and modifiers, and those of all phrases that it is related to."""
        return {self.head, *self.modifiers}.union(*(link.phrase.words for link in self.links))

    @property
    def all_places(self) -> set[str]:
        """Its places, sides such as that of "left of", and those of all phrases that it is related to."""
        return {*self.places}.union(*({*link.relation.split(" ")} | link.phrase.all_places for link in self.links))

    def find_linked(self, relation: str) -> Phrase | None:
        """Return the phrase that it is related to in a way, None if there is none."""
        return next((link.phrase for link in self.links if link.relation == relation), None)

    def merge(self, added_phrase: Phrase) -> Phrase:
        """Return this phrase with what another one says of the same thing; an own noun and number stay."""
        return replace(
            self,
            head=self.head or added_phrase.head,
            modifiers=(*self.modifiers, *added_phrase.modifiers),
            places=(*self.places, *added_phrase.places),
            links=(*self.links, *added_phrase.links),
            count=self.count if self.count.is_stated else added_phrase.count,
            definite=self.definite or added_phrase.definite,
            is_plural=self.is_plural or added_phrase.is_plural,
        )


@dataclass(frozen=True)
class Claim:
    """One thing that a text says: there is a `subject`, or the subject is as the `predicate` says."""

    subject: Phrase
    predicate: Phrase | None = None
    """Of "the lamp is a red one on the left" all after "is"; "it has wheels" is read as "it is with wheels"."""
    is_negated: bool = False
    is_alternative: bool = False
    """Whether "or" joins it to the claim before: one of the two is meant."""
    text: str = ""

    @property
    def whole(self) -> Phrase:
        """All that is said of the subject in one phrase: "a red lamp" for "the lamp is red"."""
        return self.subject.merge(self.predicate) if self.predicate else self.subject


QuestionKind = Literal["polar", "choice", "number", "place", "what", "kind", "text", "more", "unknown"]


@dataclass(frozen=True)
class Question:
    """A question. `claims` has what it asks about: one claim, or the options of a choice."""

    kind: QuestionKind
    claims: tuple[Claim, ...] = ()
    asked_noun: str = ""
    """The noun after "what" or "which": colour, shape, room, number."""
    action: str = ""
    """A verb that says more than where something is, which descriptions do not tell: "touch", "swim".

    In questions for a number, a place or a thing also the posture: "hang", "stand".
    """
    is_plural: bool = False
    """Whether it asks for several things: "which cushions"."""
    is_superlative: bool = False
    """Whether it asks for the one that is most so: "the leftmost", "the biggest"."""
    unparsed_words: tuple[str, ...] = ()
    """Nouns and attributes of the sentence that neither the claims nor what is asked for contain."""
    open_question: Question | None = None
    """The question without the answers that it offers: "what is in the crate" of "what is in the crate, apples"."""


@dataclass(frozen=True)
class Reading:
    """What was understood of a text."""

    claims: tuple[Claim, ...] = ()
    questions: tuple[Question, ...] = ()


class Truth(Enum):
    """Whether something is so: yes, no, or unknown."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Verdict:
    """Whether a claim is so, and its weight as evidence: positive for "same", negative for "different"."""

    truth: Truth
    weight: float = 0.0
    reason: str = ""


@dataclass(frozen=True)
class Answer:
    """An answer in words, and whether it says yes, no or that it is unknown; None for other questions."""

    text: str
    truth: Truth | None = None


@dataclass
class Evidence:
    """What speaks for "same" and for "different", message by message. Doubt can fall again."""

    total_weight: float = 0.0
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Add the verdicts on one message."""
        for verdict in verdicts:
            self.total_weight += verdict.weight
            if verdict.reason:
                self.reasons.append((verdict.weight, verdict.reason))

    def explain_weights(self, weight_limit: float) -> list[str]:
        """Return for a debriefing what was understood and what decided; evidence up to `limit` means "different"."""
        verdicts: dict[str, tuple[float, str]] = {}  # of each clause the one that weighs most against
        for weight, reason_text in self.reasons:
            clause = reason_text.rpartition("”")[0] or reason_text
            verdicts[clause] = min((weight, reason_text), verdicts.get(clause, (weight, reason_text)))
        understood_texts = [reason_text for _, reason_text in verdicts.values()]
        opposing_texts = [reason_text for weight, reason_text in sorted(verdicts.values()) if weight < 0]
        explanation_lines = [f"Understood: {'; '.join(understood_texts[:MOST_EXPLAINED]) or 'nothing'}."]
        if len(understood_texts) > MOST_EXPLAINED:
            explanation_lines[0] = f"{explanation_lines[0][:-1]}; and {len(understood_texts) - MOST_EXPLAINED} more."
        if opposing_texts:
            explanation_lines.append(f"What spoke most for “different”: {'; '.join(opposing_texts[:3])}.")
        return [*explanation_lines, f"Evidence: {self.total_weight:+.1f} ({weight_limit} or less means “different”)."]
