"""What an answer in TofuKingdom claims, and whether that is true. Checked and recorded, never enforced.

An answer is readable when it has no negation and names exactly one player (first question; "I" and "me" are the
speaker) or exactly one role (the other two).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from games.common.words import find_mention, normalise
from games.tofukingdom.instances import NAMES, PRINCE_ROLE, ROLES

PRINCESS, OWN_IDENTITY, OTHER_IDENTITY = "princess", "own", "of"
"""The kinds of question; prompts are named after them."""
WHO, WHAT, WHOSE = "Who is the Princess?", "What is your identity?", "What is the identity of {}?"
_NEGATIONS = frozenset(
    "not no never none nobody neither nor cannot isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt "
    "aint shouldnt havent hasnt hadnt".split()
)


@dataclass(frozen=True)
class Question:
    """One of the three questions; `name` is the player whom the third is about."""

    kind: str
    name: str | None = None

    def text(self) -> str:
        """Return the question as it is asked."""
        return {PRINCESS: WHO, OWN_IDENTITY: WHAT}.get(self.kind, WHOSE.format(self.name))


_QUESTIONS = {
    question.text().removesuffix("?").casefold(): question
    for question in (Question(PRINCESS), Question(OWN_IDENTITY), *(Question(OTHER_IDENTITY, name) for name in NAMES))
}


def question_of(text: str) -> Question | None:
    """Return the question that a text is, None for other texts. Case and a final question mark do not matter."""
    return _QUESTIONS.get(" ".join(text.split()).removesuffix("?").rstrip().casefold())


def parse_question(question_text: str) -> Question:
    """Return the question of an accepted reply."""
    question = question_of(question_text)
    assert question is not None, question_text
    return question


def claim(question: Question, answer: str, speaker: str) -> str | None:
    """Return the name (first question) or role (the others) that an answer claims, None when it cannot be read."""
    if not _NEGATIONS.isdisjoint(normalise(re.sub(r"(?<=\w)['’ʼ](?=\w)", "", answer)).split()):
        return None
    spellings = {
        spelled_name: [spelled_name] for spelled_name in (NAMES if question.kind == PRINCESS else (PRINCE_ROLE, *ROLES))
    }
    if question.kind == PRINCESS:
        spellings[speaker] = [speaker, "I", "me"]
    claims = [spelled_name for spelled_name, forms in spellings.items() if find_mention(answer, forms)]
    return claims[0] if len(claims) == 1 else None


def claimed_role(question: Question, claim: str, speaker: str) -> tuple[str, str]:
    """Return the name that an answer is about, and the role that it says this player has."""
    return (claim, "Princess") if question.kind == PRINCESS else (question.name or speaker, claim)


def is_truthful(question: Question, answer: str, speaker: str, roles: Mapping[str, str]) -> bool | None:
    """Return whether an answer is true, None when it cannot be read. `roles` is {name: role}."""
    name_or_role = claim(question, answer, speaker)
    if name_or_role is None:
        return None
    name, role = claimed_role(question, name_or_role, speaker)
    return roles[name] == role
