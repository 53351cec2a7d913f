"""What clembench's files of its image game mean: their instances as ours, to check our rules against published ones."""

from __future__ import annotations

from engine.events import Json

TURNS = 50


def instance(theirs: Json) -> Json:
    """Return an instance of clembench's `imagegame`. Its question says by what word a command begins."""
    tag = "Instruction" if "instruction" in theirs["player_1_question"] else "Command"
    return {"kind": "imported", "target": theirs["target_grid"].strip(), "tag": tag}


def settings(theirs: Json) -> Json:
    """Return the settings an instance was played with."""
    return {"turns": TURNS}
