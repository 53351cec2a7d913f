"""What spectators and the debriefing see of SpyFall: who said what, and votes as arrows.

An arrows panel is {"nodes": [{"id", "label", "note", "state"}], "edges": [{"from", "to", "kind"}]}, drawn on a ring;
a sayings panel is a list of {"who", "text", "note", "state"}. Both are drawn by the page and fit any game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.events import Event, Json, Kind
from games.spyfall import instances
from games.spyfall.scores import notes


@dataclass
class Round:
    """What happened in one round: descriptions and votes with their reasons, a second ballot where there was one."""

    said: dict[str, str] = field(default_factory=dict)
    votes: dict[str, str] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    again: dict[str, str] = field(default_factory=dict)
    out: str | None = None
    lots: bool = False


def rounds_of(log: Sequence[Event]) -> list[Round]:
    """Return the rounds of an episode so far."""
    rounds = [Round()]
    for event in log:
        if event.kind is Kind.PARSED:
            _heard(rounds, str(event.seat), event.data["value"])
        elif event.kind is Kind.NOTE and event.data["note"] == "out":
            rounds[-1].out, rounds[-1].lots = event.data["out"], event.data["lots"]
    return rounds


def _heard(rounds: list[Round], seat: str, value: Json) -> None:
    now = rounds[-1]
    if "name" not in value:
        if now.out:
            rounds.append(now := Round())
        now.said[seat] = value["speak"]
    elif seat in now.votes:
        now.again[seat] = value["name"]
        now.why[seat] = value["speak"]
    else:
        now.votes[seat] = value["name"]
        now.why[seat] = value["speak"]


def watch(log: Sequence[Event]) -> list[Json]:
    """Return what spectators see beside the conversation after these events: this round's words and votes."""
    deal = notes(log, "deal")
    if not deal:
        return []
    rounds = rounds_of(log)
    now, number = rounds[-1], len(rounds)
    gone = {one.out for one in rounds}
    panels = [arrows(log, now, gone, f"Round {number}: votes" if now.votes else f"Round {number}")]
    if now.said:
        panels.append(sayings(now, gone, f"Round {number}: what was said"))
    return panels


def arrows(log: Sequence[Event], shown: Round, gone: set[str | None], title: str) -> Json:
    """Return the votes of a round as arrows between all six, with everybody's word."""
    [deal] = notes(log, "deal")
    instance = instances.load(log[0].data["instance"])
    nodes = [
        {
            "id": name,
            "label": name,
            "note": f"spy: {instance.spy.word}" if name == deal["spy"] else instance.common.word,
            "state": ("out" if name in gone else "in") + (" marked" if name == deal["spy"] else ""),
        }
        for name in deal["order"]
    ]
    return {"title": title, "arrows": {"nodes": nodes, "edges": [*_edges(shown.votes, shown.again)]}}


def _edges(votes: Mapping[str, str], again: Mapping[str, str]) -> list[Json]:
    first = [{"from": voter, "to": name, "kind": "faint" if again else "plain"} for voter, name in votes.items()]
    return first + [{"from": voter, "to": name, "kind": "plain"} for voter, name in again.items()]


def sayings(shown: Round, gone: set[str | None], title: str) -> Json:
    """Return what everybody said in a round."""
    rows = [
        {"who": name, "text": text, "note": _vote(shown, name), "state": "out" if name in gone else "in"}
        for name, text in shown.said.items()
    ]
    return {"title": title, "sayings": rows}


def _vote(shown: Round, name: str) -> str:
    if name not in shown.votes:
        return ""
    then = f", then for {shown.again[name]}" if name in shown.again else ""
    return f"voted for {shown.votes[name]}{then}: {shown.why[name]}"
