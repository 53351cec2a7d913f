"""When a round of Ask-Guess ends the game, and how: checked in this order, from what was said alone.

ST success, EE gameover at the wrong time, AME the answerer said the word, RLE round limit, CE a player could not
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.core.events import Aborted, Ending, Event, Kind, Outcome, Success
from games.common.words import find_mention

ROUNDS = 30
GAMEOVER = ("gameover", "game over")

OUTCOMES = {
    "ST": Success(),
    "EE": Outcome(Ending.LOSE, "ending error", "answerer"),
    "RLE": Outcome(Ending.LOSE, "round limit"),
    "AME": Aborted("answer mentioned", "answerer"),
}


def describing(description: str, forms: Sequence[str]) -> str | None:
    """Return how a description ends the game, None when it does not."""
    if find_mention(description, GAMEOVER):
        return "EE"
    return "AME" if find_mention(description, forms) else None


def answering(number: int, question: str, answer: str, forms: Sequence[str]) -> str | None:
    """Return how an answer in round `number` (from 1) ends the game, None when it does not."""
    if find_mention(answer, GAMEOVER):
        return "ST" if find_mention(question, forms) else "EE"
    if find_mention(answer, forms):
        return "AME"
    return "RLE" if number >= ROUNDS else None


@dataclass(frozen=True)
class Round:
    """A question and its answer; `answer` is None while there is none."""

    question: str
    answer: str | None


def description_of(log: Sequence[Event]) -> str | None:
    """Return the accepted description, None where there is none."""
    first = next((event for event in log if event.kind is Kind.PARSED), None)
    return str(first.data["value"]) if first and first.seat == "answerer" else None


def rounds_of(log: Sequence[Event]) -> Iterator[Round]:
    """Yield the rounds of a log; the last may have no answer yet."""
    question = None
    for event in log:
        if event.kind is Kind.PARSED and event.seat == "questioner":
            question = str(event.data["value"])
        elif event.kind is Kind.PARSED and question is not None:
            yield Round(question, str(event.data["value"]))
            question = None
    if question is not None:
        yield Round(question, None)
