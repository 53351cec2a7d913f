"""The scripted players of TofuKingdom: the truthful say what is so, the liars mislead, the Prince weighs who can lie.

The Prince holds all 5,040 ways in which seven roles can stand behind seven names, each as likely as what was said in
it: a truth-teller says what is so, a liar any of the other things, the free anything. Answers that cannot be read, a
person's among them, tell him nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from random import Random

from engine.core.game import ScriptedPlayer
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
"""What a liar calls somebody of a role: the Queen the Princess, her own helpers harmless."""
Said = tuple[str, Question, str]
"""Who said it, to which question, and the claim."""


class Scripted(Player):
    """Answers as the camp must, or asks and names as the Prince."""

    instant = True

    def __init__(self, seat: str) -> None:
        self.seat = seat

    async def reply(self, view: SeatView) -> Reply:
        """Return a reply in the format asked for."""
        made = prince(view) if self.seat == PRINCE_SEAT else answer(self.seat, view)
        return Reply(json.dumps(made, ensure_ascii=False))


# ---------------------------------------------------------------------- the seven
def answer(name: str, view: SeatView) -> dict[str, str]:
    """Return the answer of one of the seven to the question just put."""
    roles = _told(view)
    question = _put(view)
    role = roles[name]
    camp = camp_of(role)
    if question.kind == PRINCESS:
        named = {"prince": "Princess", "queen": "Queen"}.get(camp) or view.random.choice(_elsewhere(role))
        return _answer(camp, f"{_name_of(roles, named)} is the Princess.")
    about = name if question.kind == OWN_IDENTITY else str(question.name)
    said = roles[about] if camp == "prince" else MASKS[roles[about]]
    if camp == "spy":
        said = _free(roles[about], view.random)
    subject = "My identity" if question.kind == OWN_IDENTITY else f"The identity of {about}"
    return _answer(camp, f"{subject} is {said}.")


def _put(view: SeatView) -> Question:
    """Return the question just put, which the form repeats."""
    asked = view.ask.format
    assert isinstance(asked, JsonObject)
    text = dict(asked.members)["answer"]
    question = question_of(text.label) if isinstance(text, Text) else None
    assert question is not None
    return question


def _elsewhere(role: str) -> tuple[str, ...]:
    """Whom a member of the spy camp passes off as the Princess: not her or the Queen, oneself three times as often."""
    return (role, role, "Chef", "Minister", "Guard", "Spy", "Maid")


def _free(role: str, rng: Random) -> str:
    """What a member of the spy camp calls somebody: those who matter harmless, the harmless sometimes the Princess."""
    if role in ("Princess", "Queen"):
        return rng.choice(("Guard", "Maid", "Minister"))
    return rng.choice(("Princess", role, MASKS[role]))


def _answer(camp: str, text: str) -> dict[str, str]:
    why = {"prince": "I must tell the truth.", "queen": "I must lie.", "spy": "I may say what helps us."}[camp]
    return {"thought": why, "answer": text}


def _told(view: SeatView) -> dict[str, str]:
    told = [part["company"] for message in view.messages for part in message.parts if "company" in part]
    return {place["seat"]: place["note"] for place in told[-1] if place["note"]}


def _name_of(roles: dict[str, str], role: str) -> str:
    return next(name for name, own in roles.items() if own == role)


# ---------------------------------------------------------------------- the Prince
def prince(view: SeatView) -> dict[str, str]:
    """Return the Prince's question, or whom he names."""
    asked = view.ask.format
    assert isinstance(asked, JsonObject)
    wanted = dict(asked.members)
    chances = princess_chances(heard(view))
    best = max(chances.values())
    leader = view.random.choice([name for name in NAMES if chances[name] >= best - 1e-9])
    thought = ", ".join(f"{name} {100 * chance:.0f} %" for name, chance in sorted(chances.items(), key=lambda c: -c[1]))
    made = {"thought": f"The Princess may be: {thought}."}
    if "question" not in wanted:
        return made | {"name": leader}
    if "name" in wanted:  # somebody other than the leader, asked about the leader
        others = [name for name in NAMES if name != leader]
        made["name"] = view.random.choice(others)
        return made | {"question": Question(OTHER_IDENTITY, leader).text()}
    return made | {"question": _question(len(heard(view)), leader, view.random)}


def _question(answered: int, leader: str, rng: Random) -> str:
    """Ask the first ones who the Princess is, later ones mostly about whom it may be."""
    if answered < 2 or rng.random() < 0.35:
        return Question(PRINCESS).text()
    return Question(OTHER_IDENTITY, leader).text() if rng.random() < 0.75 else Question(OWN_IDENTITY).text()


def heard(view: SeatView) -> tuple[Said, ...]:
    """Return all readable answers so far; what was asked stands in the Prince's own replies."""
    found: list[Said] = []
    question: Question | None = None
    for message in view.messages:
        for part in message.parts:
            if message.role == "assistant":
                question = _own_question(str(part.get("text", ""))) or question
            elif "quote" in part and question is not None:
                said = claim(question, part["quote"], str(part["by"]))
                if said is not None:
                    found.append((str(part["by"]), question, said))
    return tuple(found)


def _own_question(text: str) -> Question | None:
    try:
        return question_of(str(json.loads(text)["question"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


@cache
def _worlds() -> tuple[tuple[str, ...], ...]:
    return tuple(permutations(ROLES))


def princess_chances(said: Sequence[Said]) -> dict[str, float]:
    """Return how likely each name is to be the Princess, given what was said; even chances where nothing fits."""
    weights = dict.fromkeys(NAMES, 0.0)
    places = {name: place for place, name in enumerate(NAMES)}
    facts = [_fact(places, *one) for one in said]
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


def _fact(places: dict[str, int], speaker: str, question: Question, said: str) -> tuple[int, int, str, int]:
    """Return a claim as (speaker's place, place it is about, role it claims, number of things one could say)."""
    if question.kind == PRINCESS:
        return places[speaker], places[said], "Princess", len(NAMES)
    about = speaker if question.kind == OWN_IDENTITY else str(question.name)
    return places[speaker], places[about], said, len(ROLES) + (said == PRINCE)


def fallback(view: SeatView) -> str | None:
    """Return the Prince's first question, and a name at random where one is asked for; the seven read only him."""
    if view.seat != PRINCE_SEAT:
        return None
    asked = view.ask.format
    assert isinstance(asked, JsonObject)
    values = {"thought": "", "question": Question(PRINCESS).text(), "name": view.random.choice(NAMES)}
    return json.dumps({name: values[name] for name, _ in asked.members})


PLAYERS: dict[str, ScriptedPlayer] = {
    "scripted": ScriptedPlayer("keeps the camp's rule; the Prince weighs what was said", Scripted, fallback)
}
