"""The scores of the image game, computed from events alone: how well each drawing agrees with the target.

Precision, recall and F1 of each turn are those of clembench's image game, but not rounded, and an empty drawing has 0
in all three whatever was drawn before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.core.events import Ending
from engine.core.log import Log
from engine.core.scores import GameScores, mean
from games.common.grids import Cell
from games.imagegame import grid, instances
from games.imagegame.grid import LetterGrid
from games.imagegame.replies import FOLLOWER_SEAT, GIVER_SEAT


@dataclass(frozen=True)
class Turn:
    """A command without its tag, and the drawing that followed."""

    command: str
    drawing: LetterGrid


@dataclass(frozen=True)
class GridAgreement:
    """How well a drawing agrees with the target, 0 to 100. A cell is right when it holds the target's letter."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class TurnScores(GridAgreement):
    """The scores of one turn. `changed_cells` differ from the drawing before; lengths are of the command."""

    changed_cells: int
    command_length: int
    command_tokens: int


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is F1 of the last drawing; it, precision, recall and F1 are None unless played to the end.

    Cells and lengths are means over `turns`. `monotone`: no drawing agreed less than the one before it.
    """

    precision: float | None
    recall: float | None
    f1: float | None
    changed_cells: float | None
    command_length: float | None
    command_tokens: float | None
    monotone: bool
    commands: int
    turns: list[TurnScores]


def list_turns(log: Log) -> list[Turn]:
    """Return the turns so far; a command that was not drawn yet is left out."""
    return [
        Turn(command, grid.parse_grid(drawing))
        for command, drawing in zip(log.values(GIVER_SEAT), log.values(FOLLOWER_SEAT), strict=False)
    ]


def read_last_drawing(log: Log) -> LetterGrid:
    """Return the grid as it is drawn now."""
    return ([grid.parse_grid(grid.BLANK_GRID)] + [turn.drawing for turn in list_turns(log)])[-1]


def measure_grid_agreement(drawing: Mapping[Cell, str], target_grid: Mapping[Cell, str]) -> GridAgreement:
    """Return how well a drawing agrees with the target."""
    drawing_cells, expected_cells, correct_letter_count = (
        grid.list_filled_cells(drawing),
        grid.list_filled_cells(target_grid),
        count_right_letters(drawing, target_grid),
    )
    return GridAgreement(
        precision=100 * correct_letter_count / len(drawing_cells) if drawing_cells else 0.0,
        recall=100 * correct_letter_count / len(expected_cells) if expected_cells else 0.0,
        f1=200 * correct_letter_count / (len(drawing_cells) + len(expected_cells)) if correct_letter_count else 0.0,
    )


def count_right_letters(drawing: Mapping[Cell, str], target_grid: Mapping[Cell, str]) -> int:
    """Return how many letters of a drawing are where the target has them."""
    return sum(drawing[cell] == target_grid[cell] for cell in grid.list_filled_cells(drawing))


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    target_grid = instances.load(log.start.instance).grid
    drawing = grid.parse_grid(grid.BLANK_GRID)
    turns: list[TurnScores] = []
    for turn in list_turns(log):
        turn_agreement, changed_cells = (
            measure_grid_agreement(turn.drawing, target_grid),
            grid.find_changed_cells(drawing, turn.drawing),
        )
        character_count, token_count = len(turn.command), len(turn.command.split())
        turns.append(
            TurnScores(
                turn_agreement.precision,
                turn_agreement.recall,
                turn_agreement.f1,
                len(changed_cells),
                character_count,
                token_count,
            )
        )
        drawing = turn.drawing
    last_agreement = measure_grid_agreement(drawing, target_grid)
    is_played = log.outcome is not None and log.outcome.kind in (Ending.SUCCESS, Ending.LOSE)
    return Scores(
        main_score=last_agreement.f1 if is_played else None,
        precision=last_agreement.precision if is_played else None,
        recall=last_agreement.recall if is_played else None,
        f1=last_agreement.f1 if is_played else None,
        changed_cells=mean([turn.changed_cells for turn in turns]),
        command_length=mean([turn.command_length for turn in turns]),
        command_tokens=mean([turn.command_tokens for turn in turns]),
        monotone=all(earlier_f1 <= later_f1 for earlier_f1, later_f1 in pairwise([0.0, *(turn.f1 for turn in turns)])),
        commands=len(turns),
        turns=turns,
    )
