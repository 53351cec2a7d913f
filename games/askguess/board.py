"""What a spectator sees of Ask-Guess: the word and the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event, Json
from games.askguess import instances
from games.askguess.judging import ROUNDS, description_of, rounds_of


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events."""
    return [{"title": "The word", "grid": instances.load(log[0].data["instance"]).word}, rounds(log)]


def rounds(log: Sequence[Event]) -> Json:
    """Return the rounds as a panel: number, question and answer, a line each; a description comes first."""
    said = list(rounds_of(log))
    rows: list[list[object]] = [[number, one.question, one.answer or "…"] for number, one in enumerate(said, 1)]
    if text := description_of(log):
        rows.insert(0, ["", "The description", text])
    title = f"Round {len(said)} of {ROUNDS}" if said else "Nothing was asked yet"
    return {"title": title, "listing": {"head": ["", "Question", "Answer"], "rows": rows}}
