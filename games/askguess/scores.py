"""The scores of Ask-Guess, computed from events alone: how it ended (ST, EE, RLE, AME, CE) and in which round.

Endings are those of the GameEval paper, §4.1. Where its code differs from it, counting rounds and finding the word are
ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.events import Ending, Json
from engine.core.log import Log
from engine.core.scores import GameScores, mean
from games.askguess import instances
from games.askguess.judging import find_description, find_description_ending, find_round_ending, list_rounds
from games.common.words import find_mention

ENDING_CODES = ("ST", "EE", "RLE", "AME", "CE")


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is 100 for ST, 0 for EE and RLE. `ending` is None when the game was left or a reply had no format.

    `rounds` counts those with an answer; `missed_guesses` are the rounds, from 1, in which the question named the word
    and the game went on.
    """

    ending: str | None
    rounds: int
    missed_guesses: list[int]
    question_words: float | None
    answer_words: float | None
    description_words: int | None


def find_ending_code(log: Log) -> str | None:
    """Return how an episode ended, None when it is open, was left or was aborted for the form of a reply."""
    if log.outcome is None or log.outcome.kind is Ending.ABANDONED:
        return None
    word_forms = instances.load(log.start.instance).forms
    description = find_description(log)
    if description is not None and (ending_code := find_description_ending(description, word_forms)):
        return ending_code
    for round_number, (question, answer) in enumerate(_list_answered_rounds(log), 1):
        if ending_code := find_round_ending(round_number, question, answer, word_forms):
            return ending_code
    return None


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    word_forms = instances.load(log.start.instance).forms
    ending_code, rounds, description = find_ending_code(log), _list_answered_rounds(log), find_description(log)
    guess_rounds = [
        guess_round for guess_round, (question, _) in enumerate(rounds, 1) if find_mention(question, word_forms)
    ]
    return Scores(
        main_score={"ST": 100.0, "EE": 0.0, "RLE": 0.0}.get(ending_code or ""),
        ending=ending_code,
        rounds=len(rounds),
        missed_guesses=[
            guess_round for guess_round in guess_rounds if ending_code != "ST" or guess_round < len(rounds)
        ],
        question_words=mean([len(question.split()) for question, _ in rounds]),
        answer_words=mean([len(answer.split()) for _, answer in rounds]),
        description_words=len(description.split()) if description else None,
    )


def _list_answered_rounds(log: Log) -> list[tuple[str, str]]:
    """Return question and answer of every complete round."""
    return [(round.question, round.answer) for round in list_rounds(log) if round.answer is not None]


def summarise(scores: Sequence[Json | None]) -> Json:
    """Return the share of each ending in percent of all episodes, and the mean rounds of successful ones.

    Stalled (None: CE) and aborted episodes count as in the paper's Table 2.
    """
    endings = Counter("CE" if episode is None else episode.get("ending") for episode in scores)
    round_counts = [episode["rounds"] for episode in scores if episode and episode.get("ending") == "ST"]
    ending_shares = {
        f"{ending_code} %": 100 * endings[ending_code] / len(scores) if scores else None for ending_code in ENDING_CODES
    }
    return {**ending_shares, "rounds to ST": mean(round_counts)}
