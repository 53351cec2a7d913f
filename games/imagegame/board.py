"""What a spectator sees of the image game: target and drawing, what was just changed, F1 by turn."""

from __future__ import annotations

from engine.core.debriefing import Panel, numbers_panel
from engine.core.log import Log
from games.imagegame import grid, instances
from games.imagegame.scores import agreement, turns_of


def board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    instance = instances.load(log.start.instance)
    drawings = [grid.parse(grid.BLANK_GRID), *(turn.drawing for turn in turns_of(log))]
    agreements = [agreement(drawing, instance.grid) for drawing in drawings]
    changed_cells = grid.changed_cells(drawings[-2], drawings[-1]) if len(drawings) > 1 else ()
    panels: list[Panel] = [
        {"title": "The grid to draw", "grid": instance.target},
        {
            "title": "The drawing",
            "grid": grid.as_text(drawings[-1]),
            "marks": [list(cell) for cell in changed_cells],
            "mark": "just changed",
        },
    ]
    if len(drawings) > 1:
        last_agreement = agreements[-1]
        percents = {
            "F1": round(last_agreement.f1),
            "precision": round(last_agreement.precision),
            "recall": round(last_agreement.recall),
        }
        panels.append(numbers_panel("So far", {"turn": len(drawings) - 1, **percents}))
    if len(drawings) > 2:
        curve = {"label": "F1", "values": [turn.f1 for turn in agreements[1:]]}
        panels.append({"title": "F1 by turn", "curves": [curve]})
    return panels
