"""The scripted players of TofuKingdom: the Prince's camp tells the truth, liars mislead, the Prince weighs all answers.

The Prince considers all 5,040 ways to assign seven roles to seven names. The likelihood of each is that of the answers
under it: a truth-teller says the truth, a liar any of the other things, a spy anything. Answers that cannot be read
tell him nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from engine.core.content import RelayedMessage, SeatOverview
from engine.core.player import Reply
from engine.core.replies import JsonObject, ReplyFormat, Text
from engine.core.views import SeatView
from games.common.scripted_seat import ScriptedSeat, own_values
from games.tofukingdom.instances import NAMES, PRINCE_ROLE, PRINCE_SEAT, ROLES, camp_of
from games.tofukingdom.reading import OTHER_IDENTITY, OWN_IDENTITY, PRINCESS, Question, claim, claimed_role, question_of

MASKS = dict(zip(ROLES, ("Queen", "Guard", "Princess", "Chef", "Maid", "Chef", "Minister"), strict=True))
"""Role to what a liar calls it: the Queen becomes the Princess, and the Queen's helpers become harmless."""
HARMLESS = ("Chef", "Minister", "Guard", "Spy", "Maid")
"""Roles that the spy camp calls the Princess, besides its own: never her or the Queen."""
THOUGHTS = {"prince": "I must tell the truth.", "queen": "I must lie.", "spy": "I may say what helps us."}
ReadAnswer = tuple[str, Question, str]
"""The speaker, the question, and the name or role that the answer claims."""


class Scripted(ScriptedSeat):
    """Answers as its camp must, or asks questions and names somebody as the Prince."""

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        values = play_prince(view) if self.seat == PRINCE_SEAT else answer(self.seat, view)
        return Reply(json.dumps(values, ensure_ascii=False))


def _fields(view: SeatView) -> dict[str, ReplyFormat[Any]]:
    assert isinstance(view.ask.format, JsonObject)
    return dict(view.ask.format.members)


# ---------------------------------------------------------------------- the seven
def answer(name: str, view: SeatView) -> dict[str, str]:
    """Return the answer of one of the seven to the last question, which the form repeats."""
    overviews = [overview for message in view.messages for overview in message.content_parts(SeatOverview)]
    roles = {status.seat: status.note for status in overviews[-1].places if status.note}
    *_, answer_format = _fields(view).values()
    assert isinstance(answer_format, Text)
    question = question_of(answer_format.label) or Question(PRINCESS)
    role, camp = roles[name], camp_of(roles[name])
    if question.kind == PRINCESS:
        princess = {"prince": "Princess", "queen": "Queen"}.get(camp) or view.random.choice((role, role, *HARMLESS))
        text = f"{next(other for other in roles if roles[other] == princess)} is the Princess."
    else:
        true_role = roles[question.name or name]
        said_role = {"prince": true_role, "queen": MASKS[true_role]}.get(camp) or _spy_claim(true_role, view.random)
        text = f"{f'The identity of {question.name}' if question.name else 'My identity'} is {said_role}."
    return {"thought": THOUGHTS[camp], "answer": text}


def _spy_claim(role: str, rng: Random) -> str:
    """Return what the spy camp calls a role: Princess and Queen harmless, the others sometimes the Princess."""
    is_royal = role in ("Princess", "Queen")
    return rng.choice(("Guard", "Maid", "Minister") if is_royal else ("Princess", role, MASKS[role]))


# ---------------------------------------------------------------------- the Prince
def play_prince(view: SeatView) -> dict[str, str]:
    """Return the Prince's question, or the name that he decides for."""
    fields, answers, rng = _fields(view), read_answers(view), view.random
    chances = princess_chances(answers)
    best = max(chances.values())
    leader = rng.choice([name for name in NAMES if chances[name] >= best - 1e-9])
    thought = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in sorted(chances.items(), key=lambda c: -c[1]))
    question = Question(OTHER_IDENTITY, leader)
    values = {"thought": f"The Princess may be: {thought}.", "name": leader}
    if "name" not in fields:  # ask the first two who the Princess is, the others mostly about the most likely one
        if len(answers) < 2 or rng.random() < 0.35:
            question = Question(PRINCESS)
        elif rng.random() >= 0.75:
            question = Question(OWN_IDENTITY)
    elif "question" in fields:  # ask somebody else about the most likely one
        values["name"] = rng.choice([name for name in NAMES if name != leader])
    values["question"] = question.text()
    return {name: values[name] for name in fields}


def read_answers(view: SeatView) -> list[ReadAnswer]:
    """Return all readable answers so far, each with its question, which is in the Prince's own reply before it."""
    answers: list[ReadAnswer] = []
    question: Question | None = None
    for message in view.messages:
        if message.role == "assistant":
            question = question_of(*own_values(message, "question")) or question
        elif question is not None:
            for relayed_answer in message.content_parts(RelayedMessage):
                speaker = str(relayed_answer.by)
                if name_or_role := claim(question, relayed_answer.text, speaker):
                    answers.append((speaker, question, name_or_role))
    return answers


@cache
def _worlds() -> list[dict[str, str]]:
    """Return all ways to assign the roles: name to role."""
    return [dict(zip(NAMES, roles, strict=True)) for roles in permutations(ROLES)]


CAMPS_BY_ROLE = {role: camp_of(role) for role in ROLES}


def princess_chances(answers: Sequence[ReadAnswer]) -> dict[str, float]:
    """Return how likely each name is to be the Princess, given the answers; even chances if no assignment fits them."""
    worlds = [(world, 1.0) for world in _worlds()]
    for speaker, question, name_or_role in answers:
        name, role = claimed_role(question, name_or_role, speaker)
        choices = len(ROLES) + (name_or_role == PRINCE_ROLE)
        ways_to_say = {"prince": 1, "queen": choices - 1, "spy": choices}
        worlds = [
            (world, weight / ways_to_say[camp])
            for world, weight in worlds
            if (camp := CAMPS_BY_ROLE[world[speaker]]) == "spy" or (world[name] == role) == (camp == "prince")
        ]
    total = sum(weight for _, weight in worlds)
    princess_weights = dict.fromkeys(NAMES, 0.0)
    for world, weight in worlds:
        princess_weights[next(name for name in NAMES if world[name] == "Princess")] += weight
    return {name: weight / total if total else 1 / len(NAMES) for name, weight in princess_weights.items()}


def fallback(view: SeatView) -> str | None:
    """Return a question for the Prince, and a random name if the form has a field for it; None for the seven."""
    if view.seat != PRINCE_SEAT:
        return None
    values = {"thought": "", "question": Question(PRINCESS).text(), "name": view.random.choice(NAMES)}
    return json.dumps({name: values[name] for name in _fields(view)})
