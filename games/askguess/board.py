"""What a spectator sees of Ask-Guess: the word and the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event, Json
from games.askguess import instances
from games.askguess.judging import ROUNDS, description_of, rounds_of


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events."""
    panels: list[Json] = [{"title": "The word", "grid": instances.load(log[0].data["instance"]).word}]
    if text := description_of(log):
        panels.append({"title": "The description", "grid": text})
    return [*panels, rounds(log)]


def rounds(log: Sequence[Event]) -> Json:
    """Return the rounds as a panel: number, question and answer, a line each."""
    said = list(rounds_of(log))
    rows = [[number, one.question, one.answer or "…"] for number, one in enumerate(said, 1)]
    title = f"Round {len(said)} of {ROUNDS}" if said else "Nothing was asked yet"
    return {"title": title, "listing": {"head": ["", "Question", "Answer"], "rows": rows}}
