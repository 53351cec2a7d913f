"""The scores of TofuKingdom, from events alone: which camp won, whom the Prince named, how true every answer was."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Ending, Event, Json, Kind
from games.tofukingdom.instances import CAMPS, PRINCE, camp_of
from games.tofukingdom.reading import OF, Question, claim, truthful
from games.tofukingdom.replies import asked
from games.tofukingdom.rules import SEAT


def roles_of(log: Sequence[Event]) -> dict[str, str]:
    """Return {name: role} of the seven."""
    found: dict[str, str] = log[0].data["instance"]["roles"]
    return found


def answers(log: Sequence[Event]) -> list[Json]:
    """Return every answer with its question, in order.

    {"seat", "role", "question", "about", "answer", "claim", "truthful"}; the last two None where it cannot be read.
    """
    roles = roles_of(log)
    made: list[Json] = []
    question: Question | None = None
    for event in log:
        if event.kind is not Kind.PARSED:
            continue
        value = event.data["value"]
        if "question" in value:
            question = asked(value["question"])
        elif "answer" in value and question is not None:
            seat, answer = str(event.seat), value["answer"]
            made.append(
                {
                    "seat": seat,
                    "role": roles[seat],
                    "question": question.text(),
                    "about": question.name if question.kind == OF else None,
                    "answer": answer,
                    "claim": claim(question, answer, seat),
                    "truthful": truthful(question, answer, seat, roles),
                }
            )
    return made


def kept(role: str, was_truthful: bool | None) -> bool | None:
    """Return whether an answer keeps what the role's camp owes; None where it owes nothing or cannot be read."""
    camp = camp_of(role)
    if was_truthful is None or camp == "spy" or role == PRINCE:
        return None
    return was_truthful == (camp == "prince")


def score(log: Sequence[Event]) -> Json:
    """Return main_score (None, it is a game of camps) and the game's own numbers.

    `rule_kept` is the share of all readable answers of those who owe truth or lie that are what they owe.
    `chosen` and `chosen_role` say whom the Prince named (None before), `answers` all answers with their truthfulness,
    `camp_rule_kept` {seat: kept / readable answers, 0..1, None for who owes nothing or gave no readable answer}.
    """
    roles = roles_of(log)
    given = answers(log)
    outcome = next((event.data for event in reversed(log) if event.kind is Kind.OUTCOME), {})
    chosen = next(
        (event.data["name"] for event in log if event.kind is Kind.NOTE and event.data["note"] == "chosen"), None
    )
    rule: dict[str, float | None] = {SEAT: None}
    for name, role in roles.items():
        read = [keeps for one in given if one["seat"] == name and (keeps := kept(role, one["truthful"])) is not None]
        rule[name] = sum(read) / len(read) if read else None
    owing = [keeps for one in given if (keeps := kept(one["role"], one["truthful"])) is not None]
    decided = outcome.get("kind") == Ending.DECIDED
    return {
        "main_score": None,
        "points": {camp: int(outcome["winner"] == camp) for camp in CAMPS} if decided else None,
        "chosen": chosen,
        "chosen_role": roles[chosen] if chosen else None,
        "answers": given,
        "camp_rule_kept": rule,
        "rule_kept": sum(owing) / len(owing) if owing else None,
        "readable": sum(one["truthful"] is not None for one in given),
        "side_seats": {
            f"camp:{camp}": [seat for seat in (SEAT, *roles) if roles.get(seat, PRINCE) in CAMPS[camp]]
            for camp in CAMPS
        },
    }


def summary(scores: Sequence[Json | None]) -> Json:
    """Return how often the Prince named whom, in percent of the decided episodes, and the mean share of rules kept."""
    decided = [one for one in scores if one and one.get("chosen_role")]
    kept_shares = [one["rule_kept"] for one in scores if one and one["rule_kept"] is not None]
    named = {
        f"named the {role} %": 100 * sum(one["chosen_role"] == role for one in decided) / len(decided)
        if decided
        else None
        for role in ("Princess", "Queen")
    }
    return {**named, "camp rule kept": sum(kept_shares) / len(kept_shares) if kept_shares else None}
