"""What a spectator sees of Ask-Guess: the word and the rounds."""

from __future__ import annotations

from engine.core.debriefing import Panel
from engine.core.log import Log
from games.askguess import instances
from games.askguess.judging import MAX_ROUNDS, description_of, rounds_of


def board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    round_count = len(rounds_of(log))
    return [
        word_panel(log),
        rounds_panel(log, f"Round {round_count} of {MAX_ROUNDS}" if round_count else "Nothing was asked yet"),
    ]


def word_panel(log: Log) -> Panel:
    """Return the word as a panel."""
    return {"title": "The word", "grid": instances.load(log.start.instance).word}


def rounds_panel(log: Log, title: str) -> Panel:
    """Return the rounds as a panel: number, question and answer, one row each; a description comes first."""
    table_rows: list[list[object]] = [
        [round_number, round.question, round.answer or "…"] for round_number, round in enumerate(rounds_of(log), 1)
    ]
    if description := description_of(log):
        table_rows.insert(0, ["", "The description", description])
    return {"title": title, "listing": {"head": ["", "Question", "Answer"], "rows": table_rows}}
