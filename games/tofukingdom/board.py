"""What spectators and the debriefing see of TofuKingdom: who said what about whom, in the colours of the camps.

Panels of the kinds "arrows" and "sayings" (see `games/spyfall/board.py`): an arrow from the speaker to whom an answer
is about, drawn as true, as a lie, or as neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.events import Event, Json, Kind
from games.tofukingdom.instances import NAMES, camp_of
from games.tofukingdom.scores import answers, kept, roles_of

TRUTH = {True: "true", False: "lie", None: "unclear"}


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events."""
    given = answers(log)
    panels = [arrows(log, "Who speaks of whom")]
    if given:
        panels.append(sayings(given, "What was said"))
    return panels


def arrows(log: Sequence[Event], title: str) -> Json:
    """Return the seven with their roles and camps, and an arrow for every answer about somebody."""
    roles = roles_of(log)
    notes = [event.data for event in log if event.kind is Kind.NOTE]
    order = next((note["order"] for note in notes if note["note"] == "roles"), list(NAMES))
    chosen = next((note["name"] for note in notes if note["note"] == "chosen"), None)
    nodes = [
        {
            "id": name,
            "label": name,
            "note": roles[name] + (", named by the Prince" if name == chosen else ""),
            "state": "marked" if name == chosen else "in",
            "group": camp_of(roles[name]),
        }
        for name in order
    ]
    edges = [
        {"from": one["seat"], "to": about, "kind": TRUTH[one["truthful"]]}
        for one in answers(log)
        if (about := _about(one)) is not None
    ]
    legend = [
        {"kind": "true", "text": "the truth"},
        {"kind": "lie", "text": "a lie"},
        {"group": "prince", "text": "must tell the truth"},
        {"group": "queen", "text": "must lie"},
        {"group": "spy", "text": "free"},
    ]
    return {"title": title, "arrows": {"nodes": nodes, "edges": edges, "legend": legend}}


def _about(one: Mapping[str, object]) -> str | None:
    """Return whom an answer is about: who it calls the Princess, or whose identity was asked."""
    if one["about"] is not None:
        return str(one["about"])
    if one["claim"] in NAMES:
        return str(one["claim"])
    return str(one["seat"]) if one["claim"] is not None else None


def sayings(given: Sequence[Json], title: str) -> Json:
    """Return questions and answers with whether they are true and whether that is what the camp owes."""
    return {
        "title": title,
        "sayings": [
            {
                "who": f"{one['seat']}, {one['role']}",
                "text": one["answer"],
                "note": f"asked: {one['question']}",
                "state": TRUTH[one["truthful"]],
                "verdict": verdict(one),
            }
            for one in given
        ],
    }


def verdict(one: Json) -> str:
    """Say of an answer whether it is true, and whether that is what the speaker's camp owes."""
    if one["truthful"] is None:
        return "cannot be read"
    said = "true" if one["truthful"] else "a lie"
    keeps = kept(one["role"], one["truthful"])
    return said if keeps is None else f"{said}, as must be" if keeps else f"{said}, against the rule"
