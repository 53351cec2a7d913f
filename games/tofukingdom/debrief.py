"""The debriefing of TofuKingdom: who was who, every answer judged, which camp won, and what models reach."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Debriefing, Decision, LabelledNumber, ScoreExplanation, SideScore
from engine.core.events import Json
from engine.core.log import Log
from engine.results.published import as_table, matching_rows
from games.tofukingdom import board
from games.tofukingdom.instances import CAMPS
from games.tofukingdom.scores import roles_of

FOLDER = Path(__file__).parent
OWES = {"prince": "must tell the truth", "queen": "must lie", "spy": "may say anything"}


def debrief(log: Log, scores: Json) -> Debriefing:
    """Return what a finished episode's page shows."""
    roles = roles_of(log)
    outcome = log.outcome.as_json() if log.outcome else {}
    princess = next(name for name, role in roles.items() if role == "Princess")
    panels = [board.arrows(log, "Who was who, and who spoke of whom")]
    if scores["answers"]:
        panels.append(board.sayings(scores["answers"], "Every answer"))
    chosen = scores["chosen"]
    return Debriefing(
        _headline(outcome, scores),
        ScoreExplanation(None, _how(outcome, scores), _numbers(roles, scores), sides=_sides(outcome, scores)),
        panels,
        truth=f"{princess} was the Princess",
        decisions=[Decision("prince", chosen, chosen == princess)] if chosen else [],
        published=as_table(
            matching_rows(FOLDER, log.start.variant, None, "points"),
            "Points of 120 games, 40 with each camp; a camp that wins gets one.",
        ),
    )


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


def _sides(outcome: Json, scores: Json) -> list[SideScore]:
    won = scores.get("side_scores") or {}
    return [
        SideScore(f"{camp.capitalize()}’s camp", won.get(camp), seats)
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


def _numbers(roles: dict[str, str], scores: Json) -> list[LabelledNumber]:
    numbers: list[LabelledNumber] = []
    for camp, members in CAMPS.items():
        for name, role in roles.items():
            share = scores["camp_rule_kept"][name]
            if role in members and share is not None:
                numbers.append(LabelledNumber(f"{name}, {role}, {OWES[camp]}", f"{100 * share:.0f} % kept"))
    return numbers
