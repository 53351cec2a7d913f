"""The debriefing of TofuKingdom: who was who, every answer judged, which camp won, and what models reach."""

from __future__ import annotations

from pathlib import Path

from engine.core.debriefing import Debriefing, Decision, LabelledNumber, ScoreExplanation, SideScore
from engine.core.events import Ending, Outcome
from engine.core.log import Log
from engine.results.published import find_matching_rows, make_published_table
from games.tofukingdom import instances
from games.tofukingdom.board import make_arrows_panel, make_statements_panel
from games.tofukingdom.instances import CAMPS, PRINCE_SEAT
from games.tofukingdom.log_views import read_roles
from games.tofukingdom.scores import Scores

GAME_FOLDER = Path(__file__).parent
DUTY_PHRASE_BY_CAMP = {"prince": "must tell the truth", "queen": "must lie", "spy": "may say anything"}


def debrief(log: Log, scores: Scores) -> Debriefing:
    """Return what the page of a finished episode shows."""
    outcome = log.outcome
    assert outcome is not None, "only finished episodes are debriefed"
    princess_name = instances.load(log.start.instance).find_player("Princess")
    panels = [make_arrows_panel(log, "Who was who, and who spoke of whom")]
    if scores.answers:
        panels.append(make_statements_panel(scores.answers, "Every answer"))
    side_scores = [
        SideScore(f"{camp_name.capitalize()}’s camp", 100 if camp_name == outcome.winner else 0, seats)
        for camp_name, seats in outcome.sides
    ]
    score_numbers = _list_score_numbers(read_roles(log), scores)
    return Debriefing(
        _write_page_headline(outcome, scores),
        ScoreExplanation(None, _explain_score(outcome, scores), score_numbers, sides=side_scores),
        panels,
        truth=f"{princess_name} was the Princess",
        decisions=[Decision(PRINCE_SEAT, scores.chosen, scores.chosen == princess_name)] if scores.chosen else [],
        published=make_published_table(
            find_matching_rows(GAME_FOLDER, log.start.variant, None, "points"),
            "Points of 120 games, 40 with each camp; a camp that wins gets one.",
        ),
        headlines=_write_seat_headlines(outcome, scores),
    )


def _write_page_headline(outcome: Outcome, scores: Scores) -> str:
    is_prince = outcome.seat == PRINCE_SEAT
    if outcome.kind is Ending.ABANDONED:
        if outcome.seat is None:
            return "The game was left before its end."
        return f"{'The Prince' if is_prince else outcome.seat} left, and so the game ended."
    if outcome.kind is Ending.ABORTED:
        return f"The game was aborted: {'the Prince' if is_prince else outcome.seat} broke the rules of form."
    if scores.chosen_role == "Princess":
        return f"The Prince has found the Princess, {scores.chosen}."
    return f"The Prince named {scores.chosen}, who is the {scores.chosen_role}."


def _write_seat_headlines(outcome: Outcome, scores: Scores) -> dict[str, str]:
    """Return how the game ended, said to each seat."""
    if outcome.kind is not Ending.DECIDED:
        return {}
    chosen_person = f"{scores.chosen}, the {scores.chosen_role}"
    headline_by_seat = {}
    for camp_name, seats in outcome.sides:
        won = "You won" if camp_name == outcome.winner else "You lost"
        for seat in seats:
            headline_by_seat[seat] = f"{won}: {'you' if seat == PRINCE_SEAT else 'the Prince'} named {chosen_person}."
    return headline_by_seat


def _explain_score(outcome: Outcome, scores: Scores) -> list[str]:
    if outcome.kind is not Ending.DECIDED:
        return ["No camp has won: the game did not come to its end."]
    return [
        "The camp that wins has 100, the others 0. The Princess named: the Prince's camp wins; the Queen named: hers; "
        "anybody else: the Spy and the Maid.",
        f"{scores.readable} of {len(scores.answers)} answers can be read as true or false. Truth is noted, never "
        "enforced, and does not enter the score.",
    ]


def _list_score_numbers(role_by_name: dict[str, str], scores: Scores) -> list[LabelledNumber]:
    score_numbers: list[LabelledNumber] = []
    for camp_name, roles in CAMPS.items():
        for player, role in role_by_name.items():
            rule_kept_share = scores.camp_rule_kept[player]
            if role in roles and rule_kept_share is not None:
                score_numbers.append(
                    LabelledNumber(
                        f"{player}, {role}, {DUTY_PHRASE_BY_CAMP[camp_name]}", f"{100 * rule_kept_share:.0f} % kept"
                    )
                )
    return score_numbers
