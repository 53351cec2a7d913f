"""The debriefing of MatchIt: both sides, the differences marked, who decided what, how the score came about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.events import Event, Json, Kind
from engine.core.views import describe_outcome
from engine.results.published import beside, told
from games.matchit import board, instances
from games.matchit.instances import Instance

FOLDER = Path(__file__).parent


def debrief(log: Sequence[Event], scores: Json) -> Json:
    """Return what a finished episode's page shows, as JSON; pictures by asset id."""
    start = log[0].data
    instance = instances.load(start["instance"])
    outcome = next(event.data for event in reversed(log) if event.kind is Kind.OUTCOME)
    difference = board.differences(instance)
    thing = "picture" if instance.text("A") is None else "grid"
    return {
        "headline": _headline(outcome, scores),
        "outcome": outcome,
        "experiment": start["experiment"],
        "experiment_title": instances.TITLES.get(start["experiment"], start["experiment"]),
        "instance": start["instance_id"],
        "truth": f"{scores['truth']} {thing}s",
        "panels": [_panel(instance, seat, difference) for seat in "AB"],
        "differences": difference.words,
        "decisions": [
            {"seat": seat, "text": _decided(scores["decisions"][seat]), "correct": scores["correct"][seat]}
            for seat in "AB"
        ],
        "score": {
            "main": scores["main_score"],
            "name": "main score",
            "how": _how(outcome, scores),
            "numbers": _numbers(scores),
        },
        "published": told(beside(FOLDER, start["variant"], start["experiment"], "quality")),
    }


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


def _numbers(scores: Json) -> list[Json]:
    numbers = [{"label": "player score", "value": scores["player_score"]}]
    for seat, talk in scores["seats"].items():
        numbers.append({"label": f"words of {seat}'s description", "value": talk["description_words"]})
        novelty = talk["question_novelty"]
        if novelty is not None:
            share = round(novelty * talk["questions"])
            numbers.append({"label": f"{seat}'s questions with a new word", "value": f"{share} of {talk['questions']}"})
    return numbers
