"""The debriefing of TofuKingdom: who was who, every answer judged, which camp won, and what models reach."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.core.events import Event, Json, Kind
from engine.results.published import beside, told
from games.tofukingdom import board, instances
from games.tofukingdom.instances import CAMPS
from games.tofukingdom.scores import roles_of

FOLDER = Path(__file__).parent
OWES = {"prince": "must tell the truth", "queen": "must lie", "spy": "may say anything"}


def debrief(log: Sequence[Event], scores: Json) -> Json:
    """Return what a finished episode's page shows, as JSON."""
    start = log[0].data
    roles = roles_of(log)
    outcome = next(event.data for event in reversed(log) if event.kind is Kind.OUTCOME)
    princess = next(name for name, role in roles.items() if role == "Princess")
    panels = [board.arrows(log, "Who was who, and who spoke of whom")]
    if scores["answers"]:
        panels.append(board.sayings(scores["answers"], "Every answer"))
    return {
        "headline": _headline(outcome, scores),
        "outcome": outcome,
        "experiment": start["experiment"],
        "experiment_title": instances.EXPERIMENTS.get(start["experiment"], start["experiment"]),
        "instance": start["instance_id"],
        "truth": f"{princess} was the Princess",
        "panels": panels,
        "decisions": [{"seat": "prince", "text": scores["chosen"], "correct": scores["chosen"] == princess}]
        if scores["chosen"]
        else [],
        "score": {
            "main": None,
            "name": "",
            "sides": _sides(outcome, scores),
            "how": _how(outcome, scores),
            "numbers": _numbers(roles, scores),
        },
        "published": told(
            beside(FOLDER, start["variant"], None, "points"),
            "Points of 120 games, 40 with each camp; a camp that wins gets one.",
        ),
    }


def _headline(outcome: Json, scores: Json) -> str:
    kind, seat = outcome["kind"], outcome.get("seat")
    if kind == "abandoned":
        who = "the Prince" if seat == "prince" else seat
        return (
            f"{who[:1].upper()}{who[1:]} left, and so the game ended." if who else "The game was left before its end."
        )
    if kind == "aborted":
        return f"The game was aborted: {'the Prince' if seat == 'prince' else seat} broke the rules of form."
    name, role = scores["chosen"], scores["chosen_role"]
    if role == "Princess":
        return f"The Prince has found the Princess, {name}."
    return f"The Prince took {name}, the {role}, for the Princess."


def _sides(outcome: Json, scores: Json) -> list[Json]:
    won = scores.get("side_scores") or {}
    return [
        {"side": f"{camp.capitalize()}’s camp", "value": won.get(camp), "seats": seats}
        for camp, seats in (outcome.get("sides") or {}).items()
    ]


def _how(outcome: Json, scores: Json) -> list[str]:
    if outcome["kind"] != "decided":
        return ["No camp has won: the game did not come to its end."]
    return [
        "The camp that wins has 100, the others 0. The Princess named: the Prince's camp wins; the Queen named: hers; "
        "anybody else: the Spy and the Maid.",
        f"{scores['readable']} of {len(scores['answers'])} answers can be read as true or false. Truth is noted, never "
        "enforced, and does not enter the score.",
    ]


def _numbers(roles: dict[str, str], scores: Json) -> list[Json]:
    made: list[Json] = []
    for camp, members in CAMPS.items():
        for name, role in roles.items():
            share = scores["camp_rule_kept"][name]
            if role in members and share is not None:
                made.append({"label": f"{name}, {role}, {OWES[camp]}", "value": f"{100 * share:.0f} % kept"})
    return made
