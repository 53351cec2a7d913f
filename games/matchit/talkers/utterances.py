"""What is said at a table of MatchIt, and what a talker decides: the types that all talkers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from games.common.language.claims import Answer, Evidence, Verdict
from games.common.language.tokens import MAX_LENGTH, tokenize

Speaker = Literal["me", "partner"]
UtteranceKind = Literal["description", "question", "answer"]
Decision = Literal["same", "different"]
UNSURE_PHRASES = (
    "not sure|not certain|not know|not understand|not remember|can not tell|could not tell|can not say|could not say"
    "|no idea|no clue|hard to say|hard to tell|difficult to say|difficult to tell|impossible to say|impossible to tell"
    "|unsure|uncertain|unclear|dunno|idk|beats me|do you mean"
).split("|")
DEGREE_WORDS = frozenset("really quite so too entirely completely totally exactly absolutely even".split())
"""Words that may stand in such a phrase: "I do not really know"."""
DECISION_THRESHOLD = -1.0
"""Evidence below this decides for "different", if one claim of it surely does not hold."""


@dataclass(frozen=True)
class Utterance:
    """One description, question or answer: who said it, and its text without the tag."""

    speaker: Speaker
    kind: UtteranceKind
    text: str


def pair_with_questions(history: Iterable[Utterance]) -> Iterator[tuple[Utterance, str]]:
    """Yield the descriptions and answers of the partner, each answer with the own question before it."""
    own_question = ""
    for utterance in history:
        if utterance.speaker == "me":
            own_question = utterance.text if utterance.kind == "question" else own_question
        elif utterance.kind == "description" or (utterance.kind == "answer" and not _is_unsure(utterance.text)):
            yield utterance, own_question if utterance.kind == "answer" else ""


def _is_unsure(answer: str) -> bool:
    """Return whether an answer says, in whatever spelling, that its speaker does not know."""
    words = " ".join(token.text for token in tokenize(answer) if token.text not in DEGREE_WORDS)
    return any(f" {phrase} " in f" {words} " for phrase in UNSURE_PHRASES)


class Evaluator(Protocol):
    """Answers questions about one grid or board."""

    def answer(self, question: str) -> Answer:
        """Return the answer to a question."""


def sum_evidence(verdicts: Iterable[Verdict]) -> Evidence:
    """Return the evidence of verdicts; doubts of which none is sure add up to questions, never to a decision."""
    evidence = Evidence()
    evidence.add(verdicts)
    if all(verdict_weight > DECISION_THRESHOLD for verdict_weight, _ in evidence.reasons):
        evidence.total_weight = max(evidence.total_weight, DECISION_THRESHOLD)
    return evidence


class Talker(ABC):
    """Speaks for a scripted seat, and decides by the evidence in all that was said."""

    evaluator: Evaluator
    rng: Random
    decision_threshold = DECISION_THRESHOLD
    good_share = 1.0
    """A question is good enough if it may tell this share of what the best one may."""
    last_question: str

    @abstractmethod
    def describe(self) -> str:
        """Describe the own picture in a sentence or two."""

    @abstractmethod
    def propose_questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions about what was not said yet, with how much each may tell."""

    @abstractmethod
    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask for something that was not said yet and would tell the two pictures apart; no question twice."""
        earlier_questions = {entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"}
        question_options = [option for option in self.propose_questions(history) if option[1] not in earlier_questions]
        best_gain = max((gain for gain, _ in question_options), default=0.0)
        good_questions = [text for gain, text in question_options if gain >= self.good_share * best_gain]
        return self.rng.choice(good_questions) if good_questions else self.last_question

    def answer(self, question: str) -> str:
        """Return the answer to the part of a question that is read; it says so if there is more."""
        text = self.evaluator.answer(question[:MAX_LENGTH]).text
        return f"I only read the first {MAX_LENGTH} characters of that. {text}" if len(question) > MAX_LENGTH else text

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide by the evidence of all that the partner said."""
        return "different" if self.weigh(history).total_weight < self.decision_threshold else "same"

    def explain_decision(self, history: Sequence[Utterance]) -> list[str]:
        """Return what was understood and what decided, for the debriefing."""
        return self.weigh(history).explain_weights(self.decision_threshold)
