"""The debriefing of the image game: target and drawing, where they differ, the score and how it grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.debriefing import Curve, Debriefing, JudgedStep, LabelledNumber, ScoreExplanation
from engine.core.events import Event, Json
from engine.core.log import Log
from engine.core.views import describe_outcome
from games.common.grids import EMPTY, Cell
from games.imagegame import grid, instances
from games.imagegame.scores import turns


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows."""
    target = instances.load(log.start.instance).grid
    outcome = log.outcome.as_json() if log.outcome else {}
    drawing = [grid.read(grid.BLANK), *(drawn for _, drawn in turns(log))][-1]
    marks = [list(cell) for cell in grid.changed(target, drawing)]
    return Debriefing(
        _headline(outcome, scores, target, drawing),
        ScoreExplanation(
            scores["main_score"], _how(outcome, target, drawing), _numbers(scores), curves=_curves(scores)
        ),
        [
            {"title": "The grid to draw", "seat": "giver", "grid": grid.write(target), "marks": marks},
            {"title": "The drawing", "seat": "follower", "grid": grid.write(drawing), "marks": marks},
        ],
        differences=_differences(target, drawing),
        steps=("The commands, one by one", _steps(log, scores)),
        has_published=False,
    )


def _headline(outcome: Json, scores: Json, target: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> str:
    if outcome["kind"] == "abandoned":
        return "The game was left before its end."
    if outcome["kind"] == "aborted":
        return f"The game was aborted: the {outcome['seat']} broke the rules of form."
    if outcome["kind"] == "success":
        count = scores["commands"]
        return f"The drawing is the grid, after {count} command{'s' * (count != 1)}."
    if not scores["commands"]:
        return "Done was said before anything was drawn."
    cells = len(grid.changed(target, drawing))
    return f"The drawing differs in {cells} cell{'s' * (cells != 1)}."


def _differences(target: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    """Say what differs, cells of a row that differ alike together."""
    alike: dict[tuple[int, str, str], list[int]] = {}
    for row, column in grid.changed(target, drawing):
        alike.setdefault((row, target[row, column], drawing[row, column]), []).append(column + 1)
    return [
        f"row {row + 1}, column{'s' * (len(columns) > 1)} {_listed(columns)}: {_wrong(wanted, drawn)}"
        for (row, wanted, drawn), columns in alike.items()
    ]


def _listed(numbers: Sequence[int]) -> str:
    said = [str(number) for number in numbers]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _wrong(wanted: str, drawn: str) -> str:
    if drawn == EMPTY:
        return f"{wanted} is missing"
    return f"{drawn} is too much" if wanted == EMPTY else f"{drawn} in place of {wanted}"


def _steps(log: Sequence[Event], scores: Json) -> list[JudgedStep]:
    """Return each command with what it changed; good when the drawing then agreed better, bad when worse."""
    items, before = [], 0.0
    for number, ((command, _), turn) in enumerate(zip(turns(log), scores["turns"], strict=True), 1):
        cells = turn["changed_cells"]
        drawn = "nothing drawn" if not cells else f"{cells} cell{'s' * (cells != 1)} changed"
        good = None if turn["f1"] == before else turn["f1"] > before
        items.append(JudgedStep(f"{number}. {command}: {drawn}, F1 {turn['f1']:.0f}", good))
        before = turn["f1"]
    return items


def _how(outcome: Json, target: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    if outcome["kind"] not in ("success", "lose"):
        return [f"No score: the episode ended {describe_outcome(outcome)}."]
    drawn, wanted = grid.filled(drawing), grid.filled(target)
    right = sum(drawing[cell] == target[cell] for cell in drawn)
    return [
        "The main score is F1 of the last drawing: the harmonic mean of precision and recall.",
        f"Precision: {right} of the {len(drawn)} letters drawn are right.",
        f"Recall: {right} of the {len(wanted)} letters on the grid were drawn.",
    ]


def _numbers(scores: Json) -> list[LabelledNumber]:
    names = {
        "precision": "precision",
        "recall": "recall",
        "commands": "commands",
        "changed_cells": "cells changed by a command, on average",
        "command_tokens": "words of a command, on average",
        "command_length": "characters of a command, on average",
    }
    return [LabelledNumber(label, scores[key]) for key, label in names.items() if scores[key] is not None]


def _curves(scores: Json) -> list[Curve]:
    names = {"precision": "precision", "recall": "recall", "f1": "F1"}
    return [Curve(label, [turn[key] for turn in scores["turns"]]) for key, label in names.items()]
