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

from engine.core.content import RelayedMessage, SeatOverview
from engine.core.player import Player, Reply
from engine.core.replies import JsonObject, Text
from engine.core.views import SeatView
from games.tofukingdom.instances import NAMES, PRINCE, PRINCE_SEAT, ROLES, camp_of
from games.tofukingdom.reading import OTHER_IDENTITY, OWN_IDENTITY, PRINCESS, Question, claim, question_of

MASKS = {
    "Queen": "Princess",
    "Princess": "Queen",
    "Minister": "Chef",
    "Chef": "Guard",
    "Guard": "Maid",
    "Spy": "Chef",
    "Maid": "Minister",
}
"""Role to what a liar calls it: the Queen becomes the Princess, and the Queen's helpers become harmless."""
ReadAnswer = tuple[str, Question, str]
"""The speaker, the question, and the name or role that the answer claims."""


class Scripted(Player):
    """Answers as its camp must, or asks questions and names somebody as the Prince."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        values = play_prince(view) if self.seat == PRINCE_SEAT else answer(self.seat, view)
        return Reply(json.dumps(values, ensure_ascii=False))


# ---------------------------------------------------------------------- the seven
def answer(name: str, view: SeatView) -> dict[str, str]:
    """Return the answer of one of the seven to the last question."""
    roles = _known_roles(view)
    question = _open_question(view)
    role = roles[name]
    camp = camp_of(role)
    if question.kind == PRINCESS:
        shown_role = {"prince": "Princess", "queen": "Queen"}.get(camp) or view.random.choice(_spy_princesses(role))
        return _answer(camp, f"{_name_of(roles, shown_role)} is the Princess.")
    subject_name = name if question.kind == OWN_IDENTITY else str(question.name)
    claimed_role = roles[subject_name] if camp == "prince" else MASKS[roles[subject_name]]
    if camp == "spy":
        claimed_role = _spy_claim(roles[subject_name], view.random)
    subject = "My identity" if question.kind == OWN_IDENTITY else f"The identity of {subject_name}"
    return _answer(camp, f"{subject} is {claimed_role}.")


def _open_question(view: SeatView) -> Question:
    """Return the question to answer, which the form repeats."""
    text = next(member for name, member in _form(view).members if name == "answer")
    question = question_of(text.label) if isinstance(text, Text) else None
    assert question is not None
    return question


def _form(view: SeatView) -> JsonObject:
    reply_format = view.ask.format
    assert isinstance(reply_format, JsonObject)
    return reply_format


def _spy_princesses(role: str) -> tuple[str, ...]:
    """Return the roles that the spy camp calls the Princess: never her or the Queen, the own role most often."""
    return (role, role, "Chef", "Minister", "Guard", "Spy", "Maid")


def _spy_claim(role: str, rng: Random) -> str:
    """Return what the spy camp calls a role: Princess and Queen harmless, the others sometimes the Princess."""
    if role in ("Princess", "Queen"):
        return rng.choice(("Guard", "Maid", "Minister"))
    return rng.choice(("Princess", role, MASKS[role]))


def _answer(camp: str, text: str) -> dict[str, str]:
    thought = {"prince": "I must tell the truth.", "queen": "I must lie.", "spy": "I may say what helps us."}[camp]
    return {"thought": thought, "answer": text}


def _known_roles(view: SeatView) -> dict[str, str]:
    overviews = [overview for message in view.messages for overview in message.content_parts(SeatOverview)]
    return {status.seat: status.note for status in overviews[-1].places if status.note}


def _name_of(roles: dict[str, str], role: str) -> str:
    return next(name for name, own_role in roles.items() if own_role == role)


# ---------------------------------------------------------------------- the Prince
def play_prince(view: SeatView) -> dict[str, str]:
    """Return the Prince's question, or the name that he decides for."""
    fields = {name for name, _ in _form(view).members}
    answers = read_answers(view)
    chances = princess_chances(answers)
    best = max(chances.values())
    leader = view.random.choice([name for name in NAMES if chances[name] >= best - 1e-9])
    thought = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in sorted(chances.items(), key=lambda c: -c[1]))
    values = {"thought": f"The Princess may be: {thought}."}
    if "question" not in fields:
        return values | {"name": leader}
    if "name" in fields:  # ask somebody else about the leader
        others = [name for name in NAMES if name != leader]
        values["name"] = view.random.choice(others)
        return values | {"question": Question(OTHER_IDENTITY, leader).text()}
    return values | {"question": _choose_question(len(answers), leader, view.random)}


def _choose_question(answer_count: int, leader: str, rng: Random) -> str:
    """Ask the first two who the Princess is, the others mostly about the most likely Princess."""
    if answer_count < 2 or rng.random() < 0.35:
        return Question(PRINCESS).text()
    return Question(OTHER_IDENTITY, leader).text() if rng.random() < 0.75 else Question(OWN_IDENTITY).text()


def read_answers(view: SeatView) -> list[ReadAnswer]:
    """Return all readable answers so far, each with its question, which is in the Prince's own reply before it."""
    answers: list[ReadAnswer] = []
    question: Question | None = None
    for message in view.messages:
        if message.role == "assistant":
            question = _own_question(message.text()) or question
        elif question is not None:
            for relayed_answer in message.content_parts(RelayedMessage):
                speaker = str(relayed_answer.by)
                name_or_role = claim(question, relayed_answer.text, speaker)
                if name_or_role is not None:
                    answers.append((speaker, question, name_or_role))
    return answers


def _own_question(reply_text: str) -> Question | None:
    try:
        match json.loads(reply_text):
            case {"question": text}:
                return question_of(str(text))
    except (ValueError, RecursionError):
        pass
    return None


@cache
def _worlds() -> tuple[tuple[str, ...], ...]:
    return tuple(permutations(ROLES))


def princess_chances(answers: Sequence[ReadAnswer]) -> dict[str, float]:
    """Return how likely each name is to be the Princess, given the answers; even chances if no assignment fits them."""
    weights = dict.fromkeys(NAMES, 0.0)
    places = {name: place for place, name in enumerate(NAMES)}
    facts = [_fact(places, *answer) for answer in answers]
    princess = ROLES.index("Princess")
    for world in _worlds():
        weight = 1.0
        for speaker, place, role, choices in facts:
            camp = _CAMP[world[speaker]]
            true = world[place] == role
            if camp == "spy":
                weight /= choices
            elif true != (camp == "prince"):
                weight = 0.0
                break
            elif camp == "queen":
                weight /= choices - 1
        if weight:
            weights[NAMES[world.index(ROLES[princess])]] += weight
    total = sum(weights.values())
    return {name: weight / total if total else 1 / len(NAMES) for name, weight in weights.items()}


_CAMP = {role: camp_of(role) for role in ROLES}


def _fact(places: dict[str, int], speaker: str, question: Question, name_or_role: str) -> tuple[int, int, str, int]:
    """Return an answer as (speaker's place, place it is about, role it claims, number of possible answers)."""
    if question.kind == PRINCESS:
        return places[speaker], places[name_or_role], "Princess", len(NAMES)
    subject_name = speaker if question.kind == OWN_IDENTITY else str(question.name)
    return places[speaker], places[subject_name], name_or_role, len(ROLES) + (name_or_role == PRINCE)


def fallback(view: SeatView) -> str | None:
    """Return a question for the Prince, and a random name if the form has a field for it; None for the seven."""
    if view.seat != PRINCE_SEAT:
        return None
    values = {"thought": "", "question": Question(PRINCESS).text(), "name": view.random.choice(NAMES)}
    return json.dumps({name: values[name] for name, _ in _form(view).members})
