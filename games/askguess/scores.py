"""The scores of Ask-Guess, computed from events alone: how it ended (ST, EE, RLE, AME, CE) and in which round.

Kinds after the GameEval paper, §4.1; counting of rounds and the word tests are ours where its code differs from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core.events import Ending, Event, Json, Kind
from games.askguess import instances
from games.askguess.judging import answering, describing, description_of, rounds_of
from games.common.words import find_mention

KINDS = ("ST", "EE", "RLE", "AME", "CE")


def kind_of(log: Sequence[Event]) -> str | None:
    """Return how an episode ended; CE for one stalled by a fault, None for one left, still open or faulty in form."""
    forms = instances.load(log[0].data["instance"]).forms
    outcome = next((event.data for event in reversed(log) if event.kind is Kind.OUTCOME), None)
    if outcome is None:
        stalled = [event.kind for event in log if event.kind in (Kind.FAULT, Kind.REPLY, Kind.SEAT)]
        return "CE" if stalled[-1:] == [Kind.FAULT] else None
    if outcome["kind"] == Ending.ABANDONED:
        return None
    description = description_of(log)
    if description is not None and (ending := describing(description, forms)):
        return ending
    for number, said in enumerate(rounds_of(log), 1):
        if said.answer is not None and (ending := answering(number, said.question, said.answer, forms)):
            return ending
    return None


def score(log: Sequence[Event]) -> Json:
    """Return main_score (100 for ST, 0 for EE and RLE, None when aborted), ending, rounds and missed guesses.

    `rounds` are those with an answer, the first question being round 1; `missed_guesses` the rounds in which the word
    was named and the game went on.
    """
    forms = instances.load(log[0].data["instance"]).forms
    kind = kind_of(log)
    said = [round for round in rounds_of(log) if round.answer is not None]
    named = [number for number, round in enumerate(said, 1) if find_mention(round.question, forms)]
    return {
        "main_score": {"ST": 100.0, "EE": 0.0, "RLE": 0.0}.get(kind or ""),
        "ending": kind,
        "rounds": len(said),
        "missed_guesses": [number for number in named if kind != "ST" or number < len(said)],
        "question_words": _mean([len(round.question.split()) for round in said]),
        "answer_words": _mean([len((round.answer or "").split()) for round in said]),
        "description_words": len(text.split()) if (text := description_of(log)) else None,
    }


def summary(scores: Sequence[Json | None]) -> Json:
    """Return each ending's share of all episodes in percent, stalled ones (None: CE) and aborted ones included, and the
    mean rounds of successful ones, as the paper's Table 2 counts.
    """
    endings = Counter("CE" if one is None else one.get("ending") for one in scores)
    rounds = [one["rounds"] for one in scores if one and one.get("ending") == "ST"]
    shares = {f"{kind} %": 100 * endings[kind] / len(scores) if scores else None for kind in KINDS}
    return {**shares, "rounds to ST": _mean(rounds)}


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None
