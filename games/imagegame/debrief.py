"""The debriefing of the image game: target and drawing, where they differ, the score and how it grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Event, Json, Kind
from engine.core.views import describe_outcome
from games.common.grids import EMPTY, Cell
from games.imagegame import grid, instances
from games.imagegame.scores import turns


def debrief(log: Sequence[Event], scores: Json) -> Json:
    """Return what a finished episode's page shows, as JSON."""
    start = log[0].data
    target = instances.load(start["instance"]).grid
    outcome = next(event.data for event in reversed(log) if event.kind is Kind.OUTCOME)
    drawing = [grid.read(grid.BLANK), *(drawn for _, drawn in turns(log))][-1]
    differ = grid.changed(target, drawing)
    marks = [list(cell) for cell in differ]
    return {
        "headline": _headline(outcome, scores, target, drawing),
        "outcome": outcome,
        "experiment": start["experiment"],
        "experiment_title": instances.EXPERIMENTS.get(start["experiment"], start["experiment"]),
        "instance": start["instance_id"],
        "truth": None,
        "panels": [
            {"title": "The grid to draw", "seat": "giver", "grid": grid.write(target), "marks": marks},
            {"title": "The drawing", "seat": "follower", "grid": grid.write(drawing), "marks": marks},
        ],
        "differences": _differences(target, drawing),
        "steps": {"title": "The commands, one by one", "items": _steps(log, scores)},
        "decisions": [],
        "score": {
            "main": scores["main_score"],
            "name": "main score",
            "how": _how(outcome, target, drawing),
            "numbers": _numbers(scores),
            "curves": _curves(scores),
        },
    }


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


def _steps(log: Sequence[Event], scores: Json) -> list[Json]:
    """Return each command with what it changed; good when the drawing then agreed better, bad when worse."""
    items, before = [], 0.0
    for number, ((command, _), turn) in enumerate(zip(turns(log), scores["turns"], strict=True), 1):
        cells = turn["changed_cells"]
        drawn = "nothing drawn" if not cells else f"{cells} cell{'s' * (cells != 1)} changed"
        good = None if turn["f1"] == before else turn["f1"] > before
        items.append({"text": f"{number}. {command}: {drawn}, F1 {turn['f1']:.0f}", "good": good})
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


def _numbers(scores: Json) -> list[Json]:
    names = {
        "precision": "precision",
        "recall": "recall",
        "commands": "commands",
        "changed_cells": "cells changed by a command, on average",
        "command_tokens": "words of a command, on average",
        "command_length": "characters of a command, on average",
    }
    return [{"label": label, "value": scores[key]} for key, label in names.items() if scores[key] is not None]


def _curves(scores: Json) -> list[Json]:
    names = {"precision": "precision", "recall": "recall", "f1": "F1"}
    return [{"label": label, "values": [turn[key] for turn in scores["turns"]]} for key, label in names.items()]
