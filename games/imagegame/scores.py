"""The scores of the image game, computed from events alone: how well each drawing agrees with the target.

Precision, recall and F1 per turn as in clembench's image game, but not rounded, and an empty drawing has 0 in all three
whatever was drawn before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.core.events import Ending, Event, Json, Kind
from games.common.grids import Cell
from games.imagegame import grid, instances


def turns(log: Sequence[Event]) -> Iterator[tuple[str, grid.Grid]]:
    """Yield each turn: the command without its tag, and the drawing that followed."""
    command = ""
    for event in log:
        if event.kind is Kind.PARSED:
            if event.seat == "giver":
                command = event.data["value"]
            else:
                yield command, grid.read(event.data["value"])


def agreement(drawing: Mapping[Cell, str], target: Mapping[Cell, str]) -> Json:
    """Return precision, recall and F1 (0..100) of a drawing. A cell is right when the same letter stands there."""
    drawn, wanted = grid.filled(drawing), grid.filled(target)
    right = sum(drawing[cell] == target[cell] for cell in drawn)
    return {
        "precision": 100 * right / len(drawn) if drawn else 0.0,
        "recall": 100 * right / len(wanted) if wanted else 0.0,
        "f1": 200 * right / (len(drawn) + len(wanted)) if right else 0.0,
    }


def score(log: Sequence[Event]) -> Json:
    """Return main_score (F1 of the last grid, None when aborted), the same and counts by turn, and their means.

    `changed_cells` are those that differ from the grid before; lengths are of commands without their tag.
    """
    target = instances.load(log[0].data["instance"]).grid
    before, each = grid.read(grid.BLANK), []
    for command, drawing in turns(log):
        each.append(
            {
                **agreement(drawing, target),
                "changed_cells": len(grid.changed(before, drawing)),
                "command_length": len(command),
                "command_tokens": len(command.split()),
            }
        )
        before = drawing
    over = [event.data["kind"] for event in log if event.kind is Kind.OUTCOME]
    played = bool(over) and over[-1] in (Ending.SUCCESS, Ending.LOSE)
    last = agreement(before, target)
    f1 = [0.0, *(turn["f1"] for turn in each)]
    return {
        "main_score": last["f1"] if played else None,
        **{name: value if played else None for name, value in last.items()},
        **{
            name: _mean([turn[name] for turn in each]) for name in ("changed_cells", "command_length", "command_tokens")
        },
        "monotone": all(one <= two for one, two in pairwise(f1)),
        "commands": len(each),
        "turns": each,
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
