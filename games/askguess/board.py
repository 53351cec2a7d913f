"""What a spectator sees of Ask-Guess: the word and the rounds."""

from __future__ import annotations

from engine.core.debriefing import Panel
from engine.core.log import Log
from games.askguess import instances
from games.askguess.judging import MAX_ROUNDS, description_of, rounds_of


def board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    number = len(rounds_of(log))
    return [
        word_panel(log),
        rounds_panel(log, f"Round {number} of {MAX_ROUNDS}" if number else "Nothing was asked yet"),
    ]


def word_panel(log: Log) -> Panel:
    """Return the word as a panel."""
    return {"title": "The word", "grid": instances.load(log.start.instance).word}


def rounds_panel(log: Log, title: str) -> Panel:
    """Return the rounds as a panel: number, question and answer, one row each; a description comes first."""
    rows: list[list[object]] = [
        [number, round.question, round.answer or "…"] for number, round in enumerate(rounds_of(log), 1)
    ]
    if description := description_of(log):
        rows.insert(0, ["", "The description", description])
    return {"title": title, "listing": {"head": ["", "Question", "Answer"], "rows": rows}}
