"""What is said at a table of MatchIt, and what a talker decides: the types that all talkers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from games.common.language.asking_back import asks_back, is_unsure
from games.common.language.claims import Answer, Evidence, Verdict
from games.common.language.tokens import MAX_LENGTH

Speaker = Literal["me", "partner"]
UtteranceKind = Literal["description", "question", "answer"]
Decision = Literal["same", "different"]
EXPLANATION = " I am asking about what you see."
DECISION_THRESHOLD = -1.0
"""Evidence below this decides for "different", if one claim of it surely does not hold."""


@dataclass(frozen=True)
class Utterance:
    """One description, question or answer: who said it, and its text without the tag."""

    speaker: Speaker
    kind: UtteranceKind
    text: str


def pair_with_questions(history: Iterable[Utterance]) -> Iterator[tuple[Utterance, str]]:
    """Yield what the partner says of its picture: descriptions, and answers with the own question before each."""
    own_question = ""
    for utterance in history:
        if utterance.speaker == "me":
            own_question = utterance.text if utterance.kind == "question" else own_question
        elif utterance.kind == "question" or asks_back(utterance.text):
            continue
        elif utterance.kind == "description":
            yield utterance, ""
        elif not is_unsure(utterance.text):
            yield utterance, own_question


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
    min_gain_share = 1.0
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
        """Ask for what was not said yet and would tell the two apart; what was not understood again, in more words."""
        earlier_questions, answers = _list_texts(history, "me", "question"), _list_texts(history, "partner", "answer")
        if answers and asks_back(answers[-1]) and not earlier_questions[-1].endswith(EXPLANATION):
            return earlier_questions[-1] + EXPLANATION
        question_options = [option for option in self.propose_questions(history) if option[1] not in earlier_questions]
        best_gain = max((gain for gain, _ in question_options), default=0.0)
        good_questions = [text for gain, text in question_options if gain >= self.min_gain_share * best_gain]
        return self.rng.choice(good_questions) if good_questions else self.last_question

    def answer_last_question(self, history: Sequence[Utterance]) -> str:
        """Answer the partner's last question; one that only asks back, with what was asked before."""
        question = _list_texts(history, "partner", "question")[-1]
        if not asks_back(question):
            return self.answer(question, [entry.text for entry in history if entry.speaker == "me"])
        own_questions = [text.removesuffix(EXPLANATION) for text in _list_texts(history, "me", "question")]
        topic = f"asked about what you see: {own_questions[-1]}" if own_questions else "described what I see."
        return f"I {topic} You can ask me about what I see."

    def answer(self, question: str, own_texts: Sequence[str] = ()) -> str:
        """Return the answer to the part of a question that is read, after own texts; it says so if there is more."""
        text = self.evaluator.answer(question[:MAX_LENGTH]).text
        return f"I only read the first {MAX_LENGTH} characters of that. {text}" if len(question) > MAX_LENGTH else text

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide by the evidence of all that the partner said."""
        return "different" if self.weigh(history).total_weight < self.decision_threshold else "same"

    def explain_decision(self, history: Sequence[Utterance]) -> list[str]:
        """Return what was understood and what decided, for the debriefing."""
        return self.weigh(history).explain_weights(self.decision_threshold)


def _list_texts(history: Iterable[Utterance], speaker: Speaker, kind: UtteranceKind) -> list[str]:
    return [utterance.text for utterance in history if (utterance.speaker, utterance.kind) == (speaker, kind)]
