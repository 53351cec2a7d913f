"""The debriefing of SpyFall: who the spy was, both words, every round with its votes, and what models reach."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.debriefing import Debriefing, LabelledNumber, ScoreExplanation, SideScore
from engine.core.events import Event, Json
from engine.core.log import Log
from engine.results.published import matching_rows
from games.spyfall import board, instances
from games.spyfall.scores import CHANCE

FOLDER = Path(__file__).parent


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows."""
    start = log.start
    instance = instances.load(start.instance)
    outcome = log.outcome.as_json() if log.outcome else {}
    spy = scores["spy"]
    ballots = sum(again is not None for again in scores["revotes"])
    return Debriefing(
        _headline(outcome, spy, scores["spy_rounds"]),
        ScoreExplanation(
            None,
            _how(outcome, scores),
            [
                LabelledNumber("rounds the spy took part in", scores["spy_rounds"]),
                LabelledNumber("ballots voted again at a tie", ballots),
            ],
            sides=_sides(outcome, scores),
        ),
        _panels(log),
        truth=f"{spy} was the spy and had “{instance.spy.word}”; all others had “{instance.common.word}”",
        published=_published(start.variant, start.settings),
    )


def _headline(outcome: Json, spy: str, rounds: int | None) -> str:
    kind, seat = outcome["kind"], outcome.get("seat")
    if kind == "abandoned":
        return f"{seat} left, and so the game ended." if seat else "The game was left before its end."
    if kind == "aborted":
        return f"The game was aborted: {seat} broke the rules{_fault(outcome)}."
    if outcome["winner"] == "spy":
        return f"The spy, {spy}, was not found."
    return f"The spy, {spy}, was voted out in round {rounds}."


def _fault(outcome: Json) -> str:
    return " by saying the own word" if outcome["reason"] == "not allowed" else ""


def _panels(log: Sequence[Event]) -> list[Json]:
    panels: list[Json] = []
    gone: set[str | None] = set()
    for number, one in enumerate(board.rounds_of(log), 1):
        how = f"{one.out} is out{', by lot' if one.lots else ''}" if one.out else "not voted to the end"
        panels.append(board.arrows(log, one, set(gone), f"Round {number}: {how}"))
        if one.said:
            panels.append(board.sayings(one, set(gone), f"Round {number}: what was said"))
        gone.add(one.out)
    return panels


def _sides(outcome: Json, scores: Json) -> list[SideScore]:
    won = scores.get("side_scores") or {}
    return [SideScore(side, won.get(side), seats) for side, seats in (outcome.get("sides") or {}).items()]


def _how(outcome: Json, scores: Json) -> list[str]:
    if outcome["kind"] != "decided":
        return ["No side has won: the game did not come to its end."]
    said = ["The side that wins has 100, the other 0."]
    if scores["spy_win"]:
        return [*said, "The spy wins by being among the last."]
    hits = sum(name == scores["spy"] for name in (scores["revotes"][-1] or scores["votes"][-1]).values())
    return [*said, f"In the last ballot {hits} voted for the spy."]


def _published(variant: str, settings: Json) -> Json:
    rate, rounds = CHANCE[settings["spy_wins_at"]]
    rows = [{"model": "Six who vote at random, with these settings", "value": 100 * rate}]
    found = matching_rows(FOLDER, variant, "given", "spy_win")
    rows += [
        {"model": f"{row.model} as the spy, against {row.seats['side:villagers']}", "value": 100 * row.value}
        for row in found
    ]
    caption = (
        f"How often the spy wins, of 100 games. At random {rounds:g} rounds on average. The published games count the "
        "spy as winner with three left, and the first named of the tied as out; voting at random then gives 50."
    )
    return {"caption": caption, "source": found[0].citation, "rows": rows}
