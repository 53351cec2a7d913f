"""The debriefing of the image game: target and drawing, where they differ, the score and how it grew."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.debriefing import (
    Curve,
    Debriefing,
    JudgedStep,
    ScoreExplanation,
    describe_interruption,
    make_labelled_numbers,
)
from engine.core.events import Ending, Outcome
from engine.core.log import Log
from games.common.grids import EMPTY_MARK, Cell
from games.common.words import join_names
from games.imagegame import grid, instances
from games.imagegame.replies import FOLLOWER_SEAT, GIVER_SEAT
from games.imagegame.scores import Scores, count_right_letters, list_turns, read_last_drawing


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    outcome, target, drawing = log.outcome, instances.load(log.start.instance).grid, read_last_drawing(log)
    assert outcome is not None, "only finished episodes are debriefed"
    changed_cells = grid.find_changed_cells(target, drawing)
    marked_cells = [list(cell) for cell in changed_cells]
    score_numbers = make_labelled_numbers(
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
        _write_page_headline(outcome, scores.commands, len(changed_cells)),
        ScoreExplanation(scores.main_score, _explain_score(outcome, target, drawing), score_numbers, curves=curves),
        [
            {"title": "The grid to draw", "seat": GIVER_SEAT, "grid": grid.format_grid(target), "marks": marked_cells},
            {"title": "The drawing", "seat": FOLLOWER_SEAT, "grid": grid.format_grid(drawing), "marks": marked_cells},
        ],
        differences=_write_difference_sentences(target, drawing),
        steps=("The commands, one by one (✓: F1 rose, ✗: F1 fell)", _judge_steps(log, scores)),
        has_published=False,
        headlines=_write_seat_headlines(outcome, len(changed_cells)),
    )


def _write_page_headline(outcome: Outcome, command_count: int, differing_count: int) -> str:
    if outcome.kind in (Ending.ABANDONED, Ending.ABORTED):
        return describe_interruption(outcome)
    if outcome.kind is Ending.SUCCESS:
        return f"The drawing is the grid, after {command_count} command{'s' * (command_count != 1)}."
    if not command_count:
        return "Done was said before anything was drawn."
    return f"The drawing differs in {differing_count} cell{'s' * (differing_count != 1)}."


def _write_seat_headlines(outcome: Outcome, differing_count: int) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    count_phrase = f"{differing_count} cell{'s' * (differing_count != 1)}"
    if outcome.kind is Ending.SUCCESS:
        return {
            GIVER_SEAT: "You won: your partner has drawn exactly your grid.",
            FOLLOWER_SEAT: "You won: you have drawn exactly your partner's grid.",
        }
    if outcome.kind is Ending.LOSE:
        return {
            GIVER_SEAT: f"You lost: your partner's drawing differs from your grid in {count_phrase}.",
            FOLLOWER_SEAT: f"You lost: your drawing differs from your partner's grid in {count_phrase}.",
        }
    return {}


def _write_difference_sentences(target_grid: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    """Return what differs in words; cells of a row that differ alike come together."""
    columns_by_difference: dict[tuple[int, str, str], list[str]] = {}
    for row, column in grid.find_changed_cells(target_grid, drawing):
        cell_difference = row, target_grid[row, column], drawing[row, column]
        columns_by_difference.setdefault(cell_difference, []).append(str(column + 1))
    return [
        f"row {row + 1}, column{'s' * (len(columns) > 1)} {join_names(columns)}: "
        f"{_describe_cells(expected_letter, drawn_letter)}"
        for (row, expected_letter, drawn_letter), columns in columns_by_difference.items()
    ]


def _describe_cells(expected_letter: str, drawn_letter: str) -> str:
    if drawn_letter == EMPTY_MARK:
        return f"{expected_letter} is missing"
    return f"extra {drawn_letter}" if expected_letter == EMPTY_MARK else f"{drawn_letter} in place of {expected_letter}"


def _judge_steps(log: Log, scores: Scores) -> list[JudgedStep]:
    """Return each command with what it changed; good if F1 of the drawing rose, bad if it fell."""
    judged_steps, f1_before = [], 0.0
    for step_number, (turn, turn_scores) in enumerate(zip(list_turns(log), scores.turns, strict=True), 1):
        changed_count, f1 = turn_scores.changed_cells, turn_scores.f1
        change_text = f"{changed_count} cell{'s' * (changed_count != 1)} changed" if changed_count else "nothing drawn"
        is_improvement = None if f1 == f1_before else f1 > f1_before
        judged_steps.append(JudgedStep(f"{step_number}. {turn.command}: {change_text}, F1 {f1:.0f}", is_improvement))
        f1_before = f1
    return judged_steps


def _explain_score(outcome: Outcome, target_grid: Mapping[Cell, str], drawing: Mapping[Cell, str]) -> list[str]:
    if outcome.kind not in (Ending.SUCCESS, Ending.LOSE):
        return [f"No score: the episode ended {outcome.describe()}."]
    correct_letter_count = count_right_letters(drawing, target_grid)
    target_letter_count = len(grid.list_filled_cells(target_grid))
    return [
        "The main score is F1 of the last drawing: the harmonic mean of precision and recall.",
        f"Precision: {correct_letter_count} of the {len(grid.list_filled_cells(drawing))} letters drawn are right.",
        f"Recall: {correct_letter_count} of the {target_letter_count} letters on the grid were drawn.",
    ]
