"""What is said at a table of MatchIt, and what a talker decides: the types that all talkers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from games.common.language.claims import Answer, Evidence, Verdict
from games.common.language.tokens import MAX_TEXT

Speaker = Literal["me", "partner"]
UtteranceKind = Literal["description", "question", "answer"]
Decision = Literal["same", "different"]
UNSURE = "not sure|cannot tell|do not know|unsure|no idea|did not understand|hard to say".split("|")
THRESHOLD = -1.0
"""Evidence below this decides for "different", if one claim of it surely does not hold."""


@dataclass(frozen=True)
class Utterance:
    """One description, question or answer: who said it, and its text without the tag."""

    speaker: Speaker
    kind: UtteranceKind
    text: str


def hear(history: Iterable[Utterance]) -> Iterator[tuple[Utterance, str]]:
    """Yield the descriptions and answers of the partner, each answer with the own question before it."""
    question = ""
    for entry in history:
        text = entry.text.lower().replace("'t", " not").replace("can not", "cannot")
        if entry.speaker == "me":
            question = entry.text if entry.kind == "question" else question
        elif entry.kind == "description" or (entry.kind == "answer" and not any(words in text for words in UNSURE)):
            yield entry, question if entry.kind == "answer" else ""


class Evaluator(Protocol):
    """Answers questions about one grid or board."""

    def answer(self, question: str) -> Answer:
        """Return the answer to a question."""


def sum_up(verdicts: Iterable[Verdict]) -> Evidence:
    """Return the evidence of verdicts; doubts of which none is sure add up to questions, never to a decision."""
    evidence = Evidence()
    evidence.add(verdicts)
    if all(weight > THRESHOLD for weight, _ in evidence.reasons):
        evidence.total = max(evidence.total, THRESHOLD)
    return evidence


class Talker(ABC):
    """Speaks for a scripted seat, and decides by the evidence in all that was said."""

    evaluator: Evaluator
    rng: Random
    threshold = THRESHOLD
    good_share = 1.0
    """A question is good enough if it may tell this share of what the best one may."""
    last_question: str

    @abstractmethod
    def describe(self) -> str:
        """Describe the own picture in a sentence or two."""

    @abstractmethod
    def questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions about what was not said yet, with how much each may tell."""

    @abstractmethod
    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask for something that was not said yet and would tell the two pictures apart; no question twice."""
        earlier_questions = {entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"}
        options = [option for option in self.questions(history) if option[1] not in earlier_questions]
        best = max((gain for gain, _ in options), default=0.0)
        good = [text for gain, text in options if gain >= self.good_share * best]
        return self.rng.choice(good) if good else self.last_question

    def answer(self, question: str) -> str:
        """Return the answer to the part of a question that is read; it says so if there is more."""
        text = self.evaluator.answer(question[:MAX_TEXT]).text
        return f"I only read the first {MAX_TEXT} characters of that. {text}" if len(question) > MAX_TEXT else text

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide by the evidence of all that the partner said."""
        return "different" if self.weigh(history).total < self.threshold else "same"

    def reasons(self, history: Sequence[Utterance]) -> list[str]:
        """Return what was understood and what decided, for the debriefing."""
        return self.weigh(history).explain(self.threshold)
