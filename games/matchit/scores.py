"""The scores of MatchIt, computed from events alone.

`main_score` and `player_score` after games/matchit of the multimodal games paper (§4.2); the measures of length and of
question novelty are ours (the paper reports that weak models ask what was already said).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core.events import Ending, Event, Json, Kind
from engine.formats.clembench.patterns import inner_declaration
from games.matchit import instances

STOP_WORDS = frozenset(
    "a an and any are as at be been but by can could did do does for from had has have how i in into is it its me my "
    "no not of on or other our out own same so some than that the their them then there these they this those to too "
    "was we were what when where which who why will with would yes you your yours".split()
)


class Saying(NamedTuple):
    """One accepted reply: by which seat, as what ("description", "question", "answer", "decision"), and its text."""

    seat: str
    kind: str
    text: str


def sayings(log: Sequence[Event]) -> Iterator[Saying]:
    """Yield the accepted replies of an episode in order."""
    formats = {event.data["ask"]: event.data["format"] for event in log if event.kind is Kind.ASK}
    for event in log:
        if event.kind is Kind.PARSED:
            value, declared = event.data["value"], formats[event.data["ask"]]
            if isinstance(value, dict):
                yield Saying(str(event.seat), value["picked"], value["value"])
            else:
                told = value.partition(":")[2].strip() if declared.get("whole") else value  # imported: tag and all
                yield Saying(str(event.seat), inner_declaration(declared)["tag"].lower(), told)


def score(log: Sequence[Event]) -> Json:
    """Return main_score (100, 0, None when aborted), player_score, and per seat what was decided and how one talked.

    `question_novelty` is the share (0..1, None without questions) of a seat's questions with at least one content word
    that neither seat had said before; words are case-folded, stop words removed.
    """
    said = list(sayings(log))
    truth = instances.truth_of(log[0].data["instance"])
    decided = {saying.seat: saying.text for saying in said if saying.kind == "decision"}
    correct = {seat: decided[seat].startswith(f"{truth} ") if seat in decided else None for seat in "AB"}
    over = [event.data["kind"] for event in log if event.kind is Kind.OUTCOME]
    played = bool(over) and over[-1] in (Ending.SUCCESS, Ending.LOSE)
    right = sum(bool(was_right) for was_right in correct.values())
    return {
        "main_score": (100.0 if right == 2 else 0.0) if played else None,
        "player_score": 50.0 * right if played else None,
        "truth": truth,
        "decisions": {seat: decided.get(seat) for seat in "AB"},
        "correct": correct,
        "seats": {seat: _talk(seat, said) for seat in "AB"},
    }


def _talk(seat: str, said: Sequence[Saying]) -> Json:
    measures: Json = {}
    for kind in ("description", "question", "answer"):
        texts = [saying.text for saying in said if saying.seat == seat and saying.kind == kind]
        measures[f"{kind}s"] = len(texts)
        measures[f"{kind}_words"] = sum(len(text.split()) for text in texts)
        measures[f"{kind}_characters"] = sum(map(len, texts))
    measures["question_novelty"] = _novelty(seat, said)
    return measures


def _novelty(seat: str, said: Sequence[Saying]) -> float | None:
    known: set[str] = set()
    fresh: list[bool] = []
    for saying in said:
        if saying.kind == "decision":
            continue
        words = set(re.findall(r"\w+", saying.text.casefold())) - STOP_WORDS
        if saying.seat == seat and saying.kind == "question":
            fresh.append(bool(words - known))
        known |= words
    return sum(fresh) / len(fresh) if fresh else None
