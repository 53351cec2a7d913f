"""The debriefing of Ask-Guess: the word, the rounds, and how the game ended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.debriefing import Debriefing, LabelledNumber, ScoreExplanation
from engine.core.events import Event, Json, Kind
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import as_table, matching_rows
from games.askguess import board, instances
from games.askguess.judging import ROUNDS
from games.common.words import find_mention

FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows."""
    start = log.start
    instance = instances.load(start.instance)
    outcome = log.outcome.as_json() if log.outcome else {}
    return Debriefing(
        _headline(outcome, scores, instance),
        ScoreExplanation(scores["main_score"], _how(outcome, scores, _said(log, instance)), _numbers(scores)),
        [{"title": "The word", "grid": instance.word}, {**board.rounds(log), "title": "The rounds"}],
        published=_published(start.variant),
    )


def _headline(outcome: Json, scores: Json, instance: instances.Instance) -> str:
    rounds = scores["rounds"]
    asked = f"{rounds} question{'s' * (rounds != 1)}"
    ended = {
        "ST": f"The word was found with {asked}: {instance.word}.",
        "EE": f"The game was ended too early or too late: the word was {instance.word}.",
        "RLE": f"The word was not found in {ROUNDS} questions: {instance.word}.",
        "AME": f"The answerer said the word: {instance.word}.",
    }
    if scores["ending"] in ended:
        return ended[scores["ending"]]
    if outcome["kind"] == "abandoned":
        return "The game was left before its end."
    return f"The game was aborted: the {outcome['seat']} broke the rules of form."


def _said(log: Sequence[Event], instance: instances.Instance) -> str | None:
    """Return the form of the word in the answerer's last accepted reply, None when it is not in it."""
    said = [str(event.data["value"]) for event in log if event.kind is Kind.PARSED and event.seat == "answerer"]
    return find_mention(said[-1], instance.forms) if said else None


def _how(outcome: Json, scores: Json, said: str | None) -> list[str]:
    kind = scores["ending"]
    how = {
        "ST": ["100: the word was named in a question, and the answer to it was gameover."],
        "EE": ["0: gameover was said, but the word did not stand in the question of that round."],
        "RLE": [f"0: after {ROUNDS} questions the game is lost."],
        "AME": [f"No score: “{said}” is the word or a form of it, and the answerer must not say it."],
    }.get(kind, [f"No score: the episode ended {describe_outcome(outcome)}."])
    for number in scores["missed_guesses"]:
        how.append(f"In round {number} the question named the word, and the answerer did not end the game.")
    return how


def _numbers(scores: Json) -> list[LabelledNumber]:
    names = {
        "rounds": "rounds",
        "question_words": "words of a question, on average",
        "answer_words": "words of an answer, on average",
        "description_words": "words of the description",
    }
    return [LabelledNumber(label, scores[key]) for key, label in names.items() if scores[key] is not None]


def _published(variant: str) -> Json | None:
    rounds = ", ".join(f"{row.model} {row.value}" for row in reversed(matching_rows(FOLDER, variant, None, "rounds")))
    caption = f"Published models: words found, in percent of all games. Mean rounds to success: {rounds}."
    return as_table(matching_rows(FOLDER, variant, None, "ST"), caption)
