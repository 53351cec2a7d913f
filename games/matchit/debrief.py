"""The debriefing of MatchIt: both sides, the differences marked, who decided what, how the score came about."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Debriefing, Decision, LabelledNumber, ScoreExplanation
from engine.core.events import Json
from engine.core.log import Log
from engine.core.views import describe_outcome
from engine.results.published import as_table, matching_rows
from games.matchit import board, instances
from games.matchit.instances import Instance

FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows; pictures by asset id."""
    start = log.start
    instance = instances.load(start.instance)
    outcome = log.outcome.as_json() if log.outcome else {}
    difference = board.differences(instance)
    thing = "picture" if instance.text("A") is None else "grid"
    return Debriefing(
        _headline(outcome, scores),
        ScoreExplanation(scores["main_score"], _how(outcome, scores), _numbers(scores)),
        [_panel(instance, seat, difference) for seat in "AB"],
        truth=f"{scores['truth']} {thing}s",
        differences=difference.words,
        decisions=[Decision(seat, _decided(scores["decisions"][seat]), scores["correct"][seat]) for seat in "AB"],
        published=as_table(matching_rows(FOLDER, start.variant, start.experiment, "quality")),
    )


def _headline(outcome: Json, scores: Json) -> str:
    if outcome["kind"] == "abandoned":
        return "The game was left before its end."
    if outcome["kind"] == "aborted":
        return f"The game was aborted: seat {outcome['seat']} broke the rules of form."
    right = sum(map(bool, scores["correct"].values()))
    return ("Both decisions were wrong.", "One decision was right, one was wrong.", "Both decisions were right.")[right]


def _panel(instance: Instance, seat: str, difference: board.Differences) -> Json:
    if (text := instance.text(seat)) is not None:
        marks = [list(cell) for cell in difference.marks[seat]]
        return {"title": f"Grid of seat {seat}", "seat": seat, "grid": text, "marks": marks}
    boxes = [list(box) for box in difference.boxes[seat]]
    return {"title": f"Picture of seat {seat}", "seat": seat, "picture": seat, "boxes": boxes}


def _decided(decision: str | None) -> str | None:
    """Return a decision in the words of the page, which says picture where the paper's replies say image."""
    return decision.replace("image", "picture") if decision else None


def _how(outcome: Json, scores: Json) -> list[str]:
    if scores["main_score"] is None:
        return [f"No score: the episode ended {describe_outcome(outcome)}."]
    right = sum(map(bool, scores["correct"].values()))
    return [
        "The main score is 100 when both decisions are right, else 0.",
        f"The player score is 100, 50 or 0 for two, one or no right decision: here {50 * right}.",
    ]


def _numbers(scores: Json) -> list[LabelledNumber]:
    numbers = [LabelledNumber("player score", scores["player_score"])]
    for seat, talk in scores["seats"].items():
        numbers.append(LabelledNumber(f"words of {seat}'s description", talk["description_words"]))
        novelty = talk["question_novelty"]
        if novelty is not None:
            share = round(novelty * talk["questions"])
            numbers.append(LabelledNumber(f"{seat}'s questions with a new word", f"{share} of {talk['questions']}"))
    return numbers
