"""The scores of TofuKingdom, computed from events alone: who won, whom the Prince named, how true answers were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.events import Ending, Json
from engine.core.log import Log
from engine.core.scores import GameScores, mean
from games.tofukingdom.instances import CAMPS, PRINCE_ROLE, PRINCE_SEAT
from games.tofukingdom.log_views import Answer, find_choice, list_answers, read_roles


@dataclass(frozen=True)
class Scores(GameScores):
    """`main_score` is None: it is a game of camps. `points` has 1 for the camp that won; None without a decision.

    `chosen` is whom the Prince named, None before. `camp_rule_kept` has each seat's share (0..1) of readable answers
    that are the truth or the lie its camp owes, None for seats that owe nothing or gave no readable answer; `rule_kept`
    is the share of all such answers. `readable` counts the answers that can be read as true or false.
    """

    points: dict[str, int] | None
    chosen: str | None
    chosen_role: str | None
    answers: list[Answer]
    camp_rule_kept: dict[str, float | None]
    rule_kept: float | None
    readable: int
    side_seats: dict[str, list[str]]


def score(log: Log) -> Scores:
    """Return the game's own scores of an episode with an outcome."""
    role_by_name, answers, choice, outcome = read_roles(log), list_answers(log), find_choice(log), log.outcome
    is_decided = outcome is not None and outcome.kind is Ending.DECIDED
    seats = (PRINCE_SEAT, *role_by_name)
    return Scores(
        main_score=None,
        points={camp_name: int(outcome.winner == camp_name) for camp_name in CAMPS} if outcome and is_decided else None,
        chosen=choice.name if choice else None,
        chosen_role=choice.role if choice else None,
        answers=answers,
        camp_rule_kept={
            seat: _compute_rule_kept_share([answer for answer in answers if answer.seat == seat]) for seat in seats
        },
        rule_kept=_compute_rule_kept_share(answers),
        readable=sum(answer.truthful is not None for answer in answers),
        side_seats={
            f"camp:{camp_name}": [seat for seat in seats if role_by_name.get(seat, PRINCE_ROLE) in roles]
            for camp_name, roles in CAMPS.items()
        },
    )


def _compute_rule_kept_share(answers: Sequence[Answer]) -> float | None:
    """Return the share of answers that keep their camp's rule, of those that can keep or break it."""
    return mean([answer.keeps_camp_rule for answer in answers if answer.keeps_camp_rule is not None])


def summarise(scores: Sequence[Json | None]) -> Json:
    """Return how often the Prince named whom, in percent of the decided episodes, and the mean share of rules kept."""
    chosen_roles = [role for episode in scores if episode and (role := episode.get("chosen_role"))]
    rule_kept_shares = [
        rule_kept_share for episode in scores if episode and (rule_kept_share := episode["rule_kept"]) is not None
    ]
    percent_by_label = {
        f"named the {role} %": 100 * chosen_roles.count(role) / len(chosen_roles) if chosen_roles else None
        for role in ("Princess", "Queen")
    }
    return {**percent_by_label, "camp rule kept": mean(rule_kept_shares)}
