"""What clembench's files of MatchIt mean: their instances as ours, to check our rules against published episodes."""

from __future__ import annotations

from engine.events import Json


def instance(theirs: Json) -> Json:
    """Return an instance of `matchit` or `matchit_ascii` as the data of an `ImportedPair`."""
    thing, a, b = ("grid", "grid_a", "grid_b") if "grid_a" in theirs else ("picture", "image_a", "image_b")
    relation = "same" if theirs[a] == theirs[b] else "different"
    return {"kind": "imported", "relation": relation, "thing": thing, "a": theirs[a], "b": theirs[b]}


def settings(theirs: Json) -> Json:
    """Return the settings an instance was played with: `decision_turn` is the number of questions each."""
    return {"questions": theirs["decision_turn"]}
