"""What an answer in TofuKingdom says, and whether it is true. Checked and recorded, never enforced.

An answer is readable when it has no negation and names exactly one player (first question; "I" and "me" are the
speaker) or exactly one role (the other two).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from games.common.words import find_mention, normalise
from games.tofukingdom.instances import NAMES, PRINCE, ROLES

PRINCESS, OWN, OF = "princess", "own", "of"
WHO, WHAT, WHOSE = "Who is the Princess?", "What is your identity?", "What is the identity of {}?"
_SAYS_NOT = frozenset(
    "not no never none nobody neither nor cannot isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt "
    "aint shouldnt havent hasnt hadnt".split()
)


@dataclass(frozen=True)
class Question:
    """One of the three questions; `name` is whom the third is about."""

    kind: str
    name: str | None = None

    def text(self) -> str:
        """Return the question as it is asked."""
        return {PRINCESS: WHO, OWN: WHAT}.get(self.kind, WHOSE.format(self.name))


def question_of(text: str) -> Question | None:
    """Return the question that a text is: case does not matter, the final question mark is free; None for others."""
    folded = " ".join(text.split()).removesuffix("?").rstrip().casefold()
    for question in (Question(PRINCESS), Question(OWN), *(Question(OF, name) for name in NAMES)):
        if folded == question.text().removesuffix("?").casefold():
            return question
    return None


def negated(answer: str) -> bool:
    """Return whether an answer says that something is not so."""
    straight = re.sub(r"(?<=\w)['’ʼ](?=\w)", "", answer)
    return any(word in _SAYS_NOT for word in normalise(straight).split())


def claim(question: Question, answer: str, speaker: str) -> str | None:
    """Return what a readable answer claims: a name for the first question, a role for the others; None else."""
    if negated(answer):
        return None
    if question.kind == PRINCESS:
        named = {name for name in NAMES if find_mention(answer, (name,))}
        named |= {speaker} if find_mention(answer, ("I", "me")) else set()
    else:
        named = {role for role in (PRINCE, *ROLES) if find_mention(answer, (role,))}
    return named.pop() if len(named) == 1 else None


def truthful(question: Question, answer: str, speaker: str, roles: Mapping[str, str]) -> bool | None:
    """Return whether a readable answer is the fact, None for one that cannot be read. `roles` is {name: role}."""
    claimed = claim(question, answer, speaker)
    if claimed is None:
        return None
    if question.kind == PRINCESS:
        return roles[claimed] == "Princess"
    return roles[speaker if question.kind == OWN else str(question.name)] == claimed
