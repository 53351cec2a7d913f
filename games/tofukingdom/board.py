"""What spectators and the debriefing see of TofuKingdom: who said what about whom, in the colours of the camps.

Panels of the kinds "arrows" and "sayings" (see `games/spyfall/board.py`): an arrow goes from the speaker to the person
an answer is about, drawn as true, as a lie, or as neither.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.debriefing import Panel
from engine.core.log import Log
from games.tofukingdom.instances import NAMES, camp_of
from games.tofukingdom.log_views import Answer, RolesNote, answers_of, choice_of, roles_of

TRUTH_WORDS = {True: "true", False: "lie", None: "unclear"}
ARROW_LEGEND = [
    {"kind": "true", "text": "the truth"},
    {"kind": "lie", "text": "a lie"},
    {"group": "prince", "text": "must tell the truth"},
    {"group": "queen", "text": "must lie"},
    {"group": "spy", "text": "free"},
]


def board_panels(log: Log) -> list[Panel]:
    """Return what spectators see next to the conversation after these events."""
    answers = answers_of(log)
    panels = [arrows_panel(log, "Who speaks of whom")]
    if answers:
        panels.append(sayings_panel(answers, "What was said"))
    return panels


def arrows_panel(log: Log, title: str) -> Panel:
    """Return the seven with their roles and camps, and an arrow for every answer about somebody."""
    roles, choice = roles_of(log), choice_of(log)
    roles_notes = RolesNote.read(log)
    name_order = roles_notes[0].order if roles_notes else NAMES
    chosen_name = choice.name if choice else None
    nodes = [
        {
            "id": name,
            "label": name,
            "note": roles[name] + (", named by the Prince" if name == chosen_name else ""),
            "state": "marked" if name == chosen_name else "in",
            "group": camp_of(roles[name]),
        }
        for name in name_order
    ]
    edges = [
        {"from": answer.seat, "to": person, "kind": TRUTH_WORDS[answer.truthful]}
        for answer in answers_of(log)
        if (person := _person_spoken_of(answer)) is not None
    ]
    return {"title": title, "arrows": {"nodes": nodes, "edges": edges, "legend": ARROW_LEGEND}}


def _person_spoken_of(answer: Answer) -> str | None:
    """Return whom an answer is about: the person it calls the Princess, or whose identity was asked."""
    if answer.about is not None or answer.claim is None:
        return answer.about
    return answer.claim if answer.claim in NAMES else answer.seat


def sayings_panel(answers: Sequence[Answer], title: str) -> Panel:
    """Return questions and answers, whether they are true, and whether that is what the camp owes."""
    table_rows = [
        {
            "who": f"{answer.seat}, {answer.role}",
            "text": answer.answer,
            "note": f"asked: {answer.question}",
            "state": TRUTH_WORDS[answer.truthful],
            "verdict": _answer_verdict(answer),
        }
        for answer in answers
    ]
    return {"title": title, "sayings": table_rows}


def _answer_verdict(answer: Answer) -> str:
    """Return whether an answer is true, and whether that is what the speaker's camp owes."""
    if answer.truthful is None:
        return "cannot be read"
    truth = "true" if answer.truthful else "a lie"
    if answer.keeps_rule is None:
        return truth
    if not answer.keeps_rule:
        return f"{truth}, against the rule"
    return "true, as required" if answer.truthful else "a required lie"
