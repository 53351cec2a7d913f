"""The scores of the reference game, computed from events alone (multimodal games paper, §4.1 and §5.3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.core.events import Ending, Event, Json, Kind
from games.reference import instances
from games.reference.board import answer_in

NEGATION = re.compile(
    r"\b(?:no|not|non|none|nothing|nobody|nowhere|never|neither|nor|without|cannot|lack(?:s|ing|ed)?|absent|except"
    r"|unlike|instead of|rather than|free of)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
"""The paper looked for negation as a sign of real contrast: "the one without cars"."""


def score(log: Sequence[Event]) -> Json:
    """Return main_score (100, 0, None unless played), the expression with its lengths, and what was picked.

    `expression_characters` and `expression_words` (split at white space) count without the tag; `negation` is whether
    the expression has one; `target` and `picked` are places in the listener's list; `aborted_at` names the seat.
    """
    outcome: Json = next((event.data for event in reversed(log) if event.kind is Kind.OUTCOME), {})
    said = next((event.data["value"] for event in log if event.kind is Kind.PARSED and event.seat == "speaker"), None)
    return {
        "main_score": {Ending.SUCCESS: 100.0, Ending.LOSE: 0.0}.get(outcome.get("kind", "")),
        "expression": said,
        "expression_characters": None if said is None else len(said),
        "expression_words": None if said is None else len(said.split()),
        "negation": None if said is None else bool(NEGATION.search(said)),
        "target": _target(log[0].data["instance"]),
        "picked": answer_in(log),
        "aborted_at": outcome.get("seat") if outcome.get("kind") == Ending.ABORTED else None,
    }


def _target(data: Json) -> str:
    """Return the target's place of an instance that was played: it stays so when its pictures are gone."""
    return instances.PLACES[list(data["listener"]).index(0)]
