"""Which texts end a game of Ask-Guess, and how. The rulebook asks after every text; scores ask again from the log.

ST: success. EE: gameover at the wrong time. AME: the answerer said the word. RLE: round limit. CE: a player could not
answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from engine.core.events import Aborted, Ending, Outcome, Success
from games.common.words import find_mention

if TYPE_CHECKING:
    from engine.core.log import Log

QUESTIONER_SEAT, ANSWERER_SEAT = "questioner", "answerer"
MAX_ROUNDS = 30
GAMEOVER_FORMS = ("gameover", "game over")

OUTCOME_BY_ENDING = {
    "ST": Success(),
    "EE": Outcome(Ending.LOSE, "ending error", ANSWERER_SEAT),
    "RLE": Outcome(Ending.LOSE, "round limit"),
    "AME": Aborted("answer mentioned", ANSWERER_SEAT),
}


def find_description_ending(description: str, word_forms: Sequence[str]) -> str | None:
    """Return how a description ends the game, None when it does not."""
    if find_mention(description, GAMEOVER_FORMS):
        return "EE"
    return "AME" if find_mention(description, word_forms) else None


def find_round_ending(round_number: int, question: str, answer: str, word_forms: Sequence[str]) -> str | None:
    """Return how the answer of round `round_number` (from 1) ends the game, None when it does not."""
    if find_mention(answer, GAMEOVER_FORMS):
        return "ST" if find_mention(question, word_forms) else "EE"
    if find_mention(answer, word_forms):
        return "AME"
    return "RLE" if round_number >= MAX_ROUNDS else None


@dataclass(frozen=True)
class Round:
    """A question and its answer; `answer` is None until it is given."""

    question: str
    answer: str | None


def find_description(log: Log) -> str | None:
    """Return the accepted description, None without one."""
    accepted_replies = log.parsed_events()
    return str(accepted_replies[0].value) if accepted_replies and accepted_replies[0].seat == ANSWERER_SEAT else None


def list_rounds(log: Log) -> list[Round]:
    """Return the rounds of a log; the last may have no answer yet."""
    answers = log.values(ANSWERER_SEAT)
    if find_description(log) is not None:
        del answers[0]
    return [Round(question, answer) for question, answer in zip_longest(log.values(QUESTIONER_SEAT), answers)]
