"""The scripted players of TofuKingdom: the Prince's camp tells the truth, liars mislead, the Prince weighs all answers.

The Prince considers all 5,040 ways to assign seven roles to seven names. The likelihood of each is that of the answers
under it: a truth-teller says the truth, a liar any of the other things, a spy anything. Answers that cannot be read
tell him nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations
from random import Random
from typing import Any

from engine.core.content import RelayedMessage, SeatOverview
from engine.core.player import Reply
from engine.core.replies import JsonObject, ReplyFormat, Text
from engine.core.views import SeatView
from games.common.scripted_seat import ScriptedSeat, read_own_values
from games.tofukingdom.instances import PRINCE_ROLE, PRINCE_SEAT, ROLES, SEAT_NAMES, find_camp
from games.tofukingdom.reading import (
    OTHER_KIND,
    OWN_KIND,
    PRINCESS_KIND,
    Question,
    find_claimed_role,
    find_question,
    read_claim,
)

MASK_BY_ROLE = dict(zip(ROLES, ("Queen", "Guard", "Princess", "Chef", "Maid", "Chef", "Minister"), strict=True))
"""Role to what a liar calls it: the Queen becomes the Princess, and the Queen's helpers become harmless."""
HARMLESS_ROLES = ("Chef", "Minister", "Guard", "Spy", "Maid")
"""Roles that the spy camp calls the Princess, besides its own: never her or the Queen."""
THOUGHT_BY_CAMP = {"prince": "I must tell the truth.", "queen": "I must lie.", "spy": "I may say what helps us."}
ReadAnswer = tuple[str, Question, str]
"""The speaker, the question, and the name or role that the answer claims."""


class Scripted(ScriptedSeat):
    """Answers as its camp must, or asks questions and names somebody as the Prince."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        reply_values = play_prince(view) if self.seat == PRINCE_SEAT else answer_question(self.seat, view)
        return Reply(json.dumps(reply_values, ensure_ascii=False))


def _list_fields(view: SeatView) -> dict[str, ReplyFormat[Any]]:
    assert isinstance(view.ask.format, JsonObject)
    return dict(view.ask.format.members)


# ---------------------------------------------------------------------- the seven
def answer_question(own_name: str, view: SeatView) -> dict[str, str]:
    """Return the answer of one of the seven to the last question, which the form repeats."""
    overviews = [overview for message in view.messages for overview in message.content_parts(SeatOverview)]
    role_by_name = {seat_status.seat: seat_status.note for seat_status in overviews[-1].places if seat_status.note}
    *_, answer_format = _list_fields(view).values()
    assert isinstance(answer_format, Text)
    question = find_question(answer_format.label) or Question(PRINCESS_KIND)
    role, camp_name = role_by_name[own_name], find_camp(role_by_name[own_name])
    if question.kind == PRINCESS_KIND:
        named_role = {"prince": "Princess", "queen": "Queen"}.get(camp_name) or view.random.choice(
            (role, role, *HARMLESS_ROLES)
        )
        answer_text = f"{next(name for name in role_by_name if role_by_name[name] == named_role)} is the Princess."
    else:
        true_role = role_by_name[question.name or own_name]
        said_role = {"prince": true_role, "queen": MASK_BY_ROLE[true_role]}.get(camp_name) or _choose_spy_claim(
            true_role, view.random
        )
        answer_text = f"{f'The identity of {question.name}' if question.name else 'My identity'} is {said_role}."
    return {"thought": THOUGHT_BY_CAMP[camp_name], "answer": answer_text}


def _choose_spy_claim(role: str, rng: Random) -> str:
    """Return what the spy camp calls a role: Princess and Queen harmless, the others sometimes the Princess."""
    is_royal = role in ("Princess", "Queen")
    return rng.choice(("Guard", "Maid", "Minister") if is_royal else ("Princess", role, MASK_BY_ROLE[role]))


# ---------------------------------------------------------------------- the Prince
def play_prince(view: SeatView) -> dict[str, str]:
    """Return the Prince's question, or the name that he decides for."""
    form_fields, answers, rng = _list_fields(view), read_answers(view), view.random
    princess_probabilities = compute_princess_probabilities(answers)
    best_probability = max(princess_probabilities.values())
    likely_name = rng.choice([name for name in SEAT_NAMES if princess_probabilities[name] >= best_probability - 1e-9])
    thought = ", ".join(
        f"{name} {100 * probability:.0f} %"
        for name, probability in sorted(princess_probabilities.items(), key=lambda c: -c[1])
    )
    question = Question(OTHER_KIND, likely_name)
    reply_values = {"thought": f"The Princess may be: {thought}.", "name": likely_name}
    if "name" not in form_fields:  # ask the first two who the Princess is, the others mostly about the most likely one
        if len(answers) < 2 or rng.random() < 0.35:
            question = Question(PRINCESS_KIND)
        elif rng.random() >= 0.75:
            question = Question(OWN_KIND)
    elif "question" in form_fields:  # ask somebody else about the most likely one
        reply_values["name"] = rng.choice([name for name in SEAT_NAMES if name != likely_name])
    reply_values["question"] = question.text()
    return {name: reply_values[name] for name in form_fields}


def read_answers(view: SeatView) -> list[ReadAnswer]:
    """Return all readable answers so far, each with its question, which is in the Prince's own reply before it."""
    answers: list[ReadAnswer] = []
    question: Question | None = None
    for message in view.messages:
        if message.role == "assistant":
            question = find_question(*read_own_values(message, "question")) or question
        elif question is not None:
            for relayed_answer in message.content_parts(RelayedMessage):
                speaker = str(relayed_answer.by)
                if name_or_role := read_claim(question, relayed_answer.text, speaker):
                    answers.append((speaker, question, name_or_role))
    return answers


@cache
def _list_role_assignments() -> list[dict[str, str]]:
    """Return all ways to assign the roles: name to role."""
    return [dict(zip(SEAT_NAMES, roles, strict=True)) for roles in permutations(ROLES)]


CAMP_BY_ROLE = {role: find_camp(role) for role in ROLES}


@lru_cache(maxsize=32)
def _weigh_role_assignments(answers: tuple[ReadAnswer, ...]) -> list[tuple[dict[str, str], float]]:
    """Return the assignments that fit all answers, each with its likelihood; the Prince asks after each."""
    if not answers:
        return [(role_assignment, 1.0) for role_assignment in _list_role_assignments()]
    *earlier_answers, (speaker, question, name_or_role) = answers
    name, role_name = find_claimed_role(question, name_or_role, speaker)
    choice_count = len(ROLES) + (name_or_role == PRINCE_ROLE)
    possible_claims_by_camp = {"prince": 1, "queen": choice_count - 1, "spy": choice_count}
    return [
        (role_assignment, weight / possible_claims_by_camp[camp_name])
        for role_assignment, weight in _weigh_role_assignments(tuple(earlier_answers))
        if (camp_name := CAMP_BY_ROLE[role_assignment[speaker]]) == "spy"
        or (role_assignment[name] == role_name) == (camp_name == "prince")
    ]


def compute_princess_probabilities(answers: Sequence[ReadAnswer]) -> dict[str, float]:
    """Return how likely each name is to be the Princess, given the answers; even chances if no assignment fits them."""
    role_assignments = _weigh_role_assignments(tuple(answers))
    total_weight = sum(weight for _, weight in role_assignments)
    weight_by_name = dict.fromkeys(SEAT_NAMES, 0.0)
    for role_assignment, weight in role_assignments:
        weight_by_name[next(name for name in SEAT_NAMES if role_assignment[name] == "Princess")] += weight
    return {
        name: weight / total_weight if total_weight else 1 / len(SEAT_NAMES) for name, weight in weight_by_name.items()
    }


def fallback(view: SeatView) -> str | None:
    """Return a question for the Prince, and a random name if the form has a field for it; None for the seven."""
    if view.seat != PRINCE_SEAT:
        return None
    reply_values = {"thought": "", "question": Question(PRINCESS_KIND).text(), "name": view.random.choice(SEAT_NAMES)}
    return json.dumps({field_name: reply_values[field_name] for field_name in _list_fields(view)})
