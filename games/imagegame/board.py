"""What a spectator sees of the image game: target and drawing, what was just changed, F1 by turn."""

from __future__ import annotations

from engine.core.debriefing import Panel, make_numbers_panel
from engine.core.log import Log
from games.imagegame import grid, instances
from games.imagegame.scores import list_turns, measure_grid_agreement


def make_board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    instance = instances.load(log.start.instance)
    drawings = [grid.parse_grid(grid.BLANK_GRID), *(turn.drawing for turn in list_turns(log))]
    agreements = [measure_grid_agreement(drawing, instance.grid) for drawing in drawings]
    changed_cells = grid.find_changed_cells(drawings[-2], drawings[-1]) if len(drawings) > 1 else ()
    panels: list[Panel] = [
        {"title": "The grid to draw", "grid": instance.target},
        {
            "title": "The drawing",
            "grid": grid.format_grid(drawings[-1]),
            "marks": [list(cell) for cell in changed_cells],
            "mark": "just changed",
        },
    ]
    if len(drawings) > 1:
        last_agreement = agreements[-1]
        percent_by_measure = {
            "F1": round(last_agreement.f1),
            "precision": round(last_agreement.precision),
            "recall": round(last_agreement.recall),
        }
        panels.append(make_numbers_panel("So far", {"turn": len(drawings) - 1, **percent_by_measure}))
    if len(drawings) > 2:
        f1_curve = {"label": "F1", "values": [turn.f1 for turn in agreements[1:]]}
        panels.append({"title": "F1 by turn", "curves": [f1_curve]})
    return panels
