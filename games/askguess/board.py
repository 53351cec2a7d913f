"""What a spectator sees of Ask-Guess: the word and the rounds."""

from __future__ import annotations

from engine.core.debriefing import Panel
from engine.core.log import Log
from games.askguess import instances
from games.askguess.judging import MAX_ROUNDS, find_description, list_rounds


def make_board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    round_count = len(list_rounds(log))
    return [
        make_word_panel(log),
        make_rounds_panel(log, f"Round {round_count} of {MAX_ROUNDS}" if round_count else "Nothing was asked yet"),
    ]


def make_word_panel(log: Log) -> Panel:
    """Return the word as a panel."""
    return {"title": "The word", "grid": instances.load(log.start.instance).word}


def make_rounds_panel(log: Log, panel_title: str) -> Panel:
    """Return the rounds as a panel: number, question and answer, one row each; a description comes first."""
    table_rows: list[list[object]] = [
        [round_number, round.question, round.answer or "…"] for round_number, round in enumerate(list_rounds(log), 1)
    ]
    if description := find_description(log):
        table_rows.insert(0, ["", "The description", description])
    return {"title": panel_title, "listing": {"head": ["", "Question", "Answer"], "rows": table_rows}}
