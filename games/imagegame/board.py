"""What a spectator sees of the image game: target and drawing side by side, what was just changed, F1 by turn."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event, Json
from games.imagegame import grid, instances
from games.imagegame.scores import agreement, turns


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events."""
    instance = instances.load(log[0].data["instance"])
    drawings = [grid.read(grid.BLANK), *(drawing for _, drawing in turns(log))]
    agreed = [agreement(drawing, instance.grid) for drawing in drawings]
    panels: list[Json] = [
        {"title": "The grid to draw", "grid": instance.target},
        {
            "title": "The drawing",
            "grid": grid.write(drawings[-1]),
            "marks": [list(cell) for cell in grid.changed(drawings[-2], drawings[-1])] if len(drawings) > 1 else [],
            "mark": "just changed",
        },
    ]
    if len(drawings) > 1:
        numbers = [(name, round(agreed[-1][name])) for name in ("precision", "recall")]
        numbers = [("turn", len(drawings) - 1), ("F1", round(agreed[-1]["f1"])), *numbers]
        panels.append({"title": "So far", "numbers": [{"label": label, "value": value} for label, value in numbers]})
    if len(drawings) > 2:
        panels.append({"title": "F1 by turn", "curves": [{"label": "F1", "values": [a["f1"] for a in agreed[1:]]}]})
    return panels
