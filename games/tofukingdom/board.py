"""What spectators and the debriefing see of TofuKingdom: who said what about whom, in the colours of the camps.

Panels of the kinds "arrows" and "sayings" (see `games/spyfall/board.py`): an arrow goes from the speaker to the person
an answer is about, drawn as true, as a lie, or as neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.debriefing import Panel
from engine.core.log import Log
from games.tofukingdom.instances import SEAT_NAMES, find_camp
from games.tofukingdom.log_views import Answer, RolesNote, find_choice, list_answers, read_roles

TRUTH_WORD_BY_VALUE = {True: "true", False: "lie", None: "unclear"}
ARROW_LEGEND = [
    {"kind": "true", "text": "the truth"},
    {"kind": "lie", "text": "a lie"},
    {"group": "prince", "text": "must tell the truth"},
    {"group": "queen", "text": "must lie"},
    {"group": "spy", "text": "free"},
]


def make_board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    answers = list_answers(log)
    panels = [make_arrows_panel(log, "Who speaks of whom")]
    if answers:
        panels.append(make_statements_panel(answers, "What was said"))
    return panels


def make_arrows_panel(log: Log, panel_title: str) -> Panel:
    """Return the seven with their roles and camps, and an arrow for every answer about somebody."""
    role_by_name, choice = read_roles(log), find_choice(log)
    roles_notes = RolesNote.read(log)
    name_order = roles_notes[0].order if roles_notes else SEAT_NAMES
    chosen_name = choice.name if choice else None
    nodes = [
        {
            "id": name,
            "label": name,
            "note": role_by_name[name] + (", named by the Prince" if name == chosen_name else ""),
            "state": "marked" if name == chosen_name else "in",
            "group": find_camp(role_by_name[name]),
        }
        for name in name_order
    ]
    edges = [
        {"from": answer.seat, "to": person, "kind": TRUTH_WORD_BY_VALUE[answer.truthful]}
        for answer in list_answers(log)
        if (person := _find_mentioned_person(answer)) is not None
    ]
    return {"title": panel_title, "arrows": {"nodes": nodes, "edges": edges, "legend": ARROW_LEGEND}}


def _find_mentioned_person(answer: Answer) -> str | None:
    """Return whom an answer is about: the person it calls the Princess, or whose identity was asked."""
    if answer.about is not None or answer.claim is None:
        return answer.about
    return answer.claim if answer.claim in SEAT_NAMES else answer.seat


def make_statements_panel(answers: Sequence[Answer], panel_title: str) -> Panel:
    """Return questions and answers, whether they are true, and whether that is what the camp owes."""
    table_rows = [
        {
            "who": f"{answer.seat}, {answer.role}",
            "text": answer.answer,
            "note": f"asked: {answer.question}",
            "state": TRUTH_WORD_BY_VALUE[answer.truthful],
            "verdict": _judge_answer(answer),
        }
        for answer in answers
    ]
    return {"title": panel_title, "sayings": table_rows}


def _judge_answer(answer: Answer) -> str:
    """Return whether an answer is true, and whether that is what the speaker's camp owes."""
    if answer.truthful is None:
        return "cannot be read"
    truth_phrase = "true" if answer.truthful else "a lie"
    if answer.keeps_camp_rule is None:
        return truth_phrase
    if not answer.keeps_camp_rule:
        return f"{truth_phrase}, against the rule"
    return "true, as required" if answer.truthful else "a required lie"
