"""The debriefing of the image game: target and drawing, where they differ, the score and how it grew."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.debriefing import (
    Curve,
    Debriefing,
    JudgedStep,
    ScoreExplanation,
    interrupted_headline,
    labelled_numbers,
)
from engine.core.events import Ending, Outcome
from engine.core.log import Log
from games.common.grids import EMPTY, Cell
from games.common.words import join_names
from games.imagegame import grid, instances
from games.imagegame.replies import FOLLOWER, GIVER_SEAT
from games.imagegame.scores import Scores, count_right, last_drawing, turns_of


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    outcome, target, drawing = log.outcome, instances.load(log.start.instance).grid, last_drawing(log)
    assert outcome is not None, "only finished episodes are debriefed"
    changed_cells = grid.changed_cells(target, drawing)
    marked_cells = [list(cell) for cell in changed_cells]
    numbers = labelled_numbers(
        {
            "precision": scores.precision,
            "recall": scores.recall,
            "commands": scores.commands,
            "cells changed by a command, on average": scores.changed_cells,
            "words of a command, on average": scores.command_tokens,
            "characters of a command, on average": scores.command_length,
        }
    )
    curves = [
        Curve("precision", [turn.precision for turn in scores.turns]),
        Curve("recall", [turn.recall for turn in scores.turns]),
        Curve("F1", [turn.f1 for turn in scores.turns]),
    ]
    return Debriefing(
        _page_headline(outcome, scores.commands, len(changed_cells)),
        ScoreExplanation(scores.main_score, _explain_score(outcome, target, drawing), numbers, curves=curves),
        [
            {"title": "The grid to draw", "seat": GIVER_SEAT, "grid": grid.as_text(target), "marks": marked_cells},
            {"title": "The drawing", "seat": FOLLOWER, "grid": grid.as_text(drawing), "marks": marked_cells},
        ],
        differences=_difference_sentences(target, drawing),
        steps=("The commands, one by one", _judged_steps(log, scores)),
        has_published=False,
        headlines=_seat_headlines(outcome, len(changed_cells)),
    )


def _page_headline(outcome: Outcome, commands: int, differing_cells: int) -> str:
    if outcome.kind in (Ending.ABANDONED, Ending.ABORTED):
        return interrupted_headline(outcome)
    if outcome.kind is Ending.SUCCESS:
        return f"The drawing is the grid, after {commands} command{'s' * (commands != 1)}."
    if not commands:
        return "Done was said before anything was drawn."
    return f"The drawing differs in {differing_cells} cell{'s' * (differing_cells != 1)}."


def _seat_headlines(outcome: Outcome, differing_cells: int) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    cells = f"{differing_cells} cell{'s' * (differing_cells != 1)}"
    if outcome.kind is Ending.SUCCESS:
        return {
            GIVER_SEAT: "You won: your partner has drawn exactly your grid.",
            FOLLOWER: "You won: you have drawn exactly your partner's grid.",
        }
    if outcome.kind is Ending.LOSE:
        return {
            GIVER_SEAT: f"You lost: your partner's drawing differs from your grid in {cells}.",
            FOLLOWER: f"You lost: your drawing differs from your partner's grid in {cells}.",
        }
    return {}


def _difference_sentences(target: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    """Return what differs in words; cells of a row that differ alike come together."""
    columns_alike: dict[tuple[int, str, str], list[str]] = {}
    for row, column in grid.changed_cells(target, drawing):
        difference = row, target[row, column], drawing[row, column]
        columns_alike.setdefault(difference, []).append(str(column + 1))
    return [
        f"row {row + 1}, column{'s' * (len(columns) > 1)} {join_names(columns)}: "
        f"{_describe_cells(expected_letter, drawn_letter)}"
        for (row, expected_letter, drawn_letter), columns in columns_alike.items()
    ]


def _describe_cells(expected_letter: str, drawn_letter: str) -> str:
    if drawn_letter == EMPTY:
        return f"{expected_letter} is missing"
    return f"extra {drawn_letter}" if expected_letter == EMPTY else f"{drawn_letter} in place of {expected_letter}"


def _judged_steps(log: Log, scores: Scores) -> list[JudgedStep]:
    """Return each command with what it changed; good when the drawing then agreed better, bad when worse."""
    steps, f1_before = [], 0.0
    for step_number, (turn, turn_scores) in enumerate(zip(turns_of(log), scores.turns, strict=True), 1):
        cells, f1 = turn_scores.changed_cells, turn_scores.f1
        change_text = f"{cells} cell{'s' * (cells != 1)} changed" if cells else "nothing drawn"
        is_improvement = None if f1 == f1_before else f1 > f1_before
        steps.append(JudgedStep(f"{step_number}. {turn.command}: {change_text}, F1 {f1:.0f}", is_improvement))
        f1_before = f1
    return steps


def _explain_score(outcome: Outcome, target: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    if outcome.kind not in (Ending.SUCCESS, Ending.LOSE):
        return [f"No score: the episode ended {outcome.describe()}."]
    right_count = count_right(drawing, target)
    return [
        "The main score is F1 of the last drawing: the harmonic mean of precision and recall.",
        f"Precision: {right_count} of the {len(grid.filled_cells(drawing))} letters drawn are right.",
        f"Recall: {right_count} of the {len(grid.filled_cells(target))} letters on the grid were drawn.",
    ]
