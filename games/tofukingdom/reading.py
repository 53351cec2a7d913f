"""What an answer in TofuKingdom claims, and whether that is true. Checked and recorded, never enforced.

An answer is readable when it has no negation and names exactly one player (first question; "I" and "me" are the
speaker) or exactly one role (the other two).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from games.common.words import find_mention, normalise_text
from games.tofukingdom.instances import PRINCE_ROLE, ROLES, SEAT_NAMES

PRINCESS_KIND, OWN_KIND, OTHER_KIND = "princess", "own", "of"
"""The kinds of question; prompts are named after them."""
WHO_QUESTION, WHAT_QUESTION, WHOSE_QUESTION = (
    "Who is the Princess?",
    "What is your identity?",
    "What is the identity of {}?",
)
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
        return {PRINCESS_KIND: WHO_QUESTION, OWN_KIND: WHAT_QUESTION}.get(self.kind, WHOSE_QUESTION.format(self.name))


_QUESTION_BY_TEXT = {
    question.text().removesuffix("?").casefold(): question
    for question in (Question(PRINCESS_KIND), Question(OWN_KIND), *(Question(OTHER_KIND, name) for name in SEAT_NAMES))
}


def find_question(question_text: str) -> Question | None:
    """Return the question that a text is, None for other texts. Case and a final question mark do not matter."""
    return _QUESTION_BY_TEXT.get(" ".join(question_text.split()).removesuffix("?").rstrip().casefold())


def parse_question(question_text: str) -> Question:
    """Return the question of an accepted reply."""
    question = find_question(question_text)
    assert question is not None, question_text
    return question


def read_claim(question: Question, answer: str, speaker: str) -> str | None:
    """Return the name (first question) or role (the others) that an answer claims, None when it cannot be read."""
    if not _NEGATIONS.isdisjoint(normalise_text(re.sub(r"(?<=\w)['’ʼ](?=\w)", "", answer)).split()):
        return None
    spellings_by_name = {
        claimed_name: [claimed_name]
        for claimed_name in (SEAT_NAMES if question.kind == PRINCESS_KIND else (PRINCE_ROLE, *ROLES))
    }
    if question.kind == PRINCESS_KIND:
        spellings_by_name[speaker] = [speaker, "I", "me"]
    claimed_names = [claimed_name for claimed_name, forms in spellings_by_name.items() if find_mention(answer, forms)]
    return claimed_names[0] if len(claimed_names) == 1 else None


def find_claimed_role(question: Question, claimed_name: str, speaker: str) -> tuple[str, str]:
    """Return the name that an answer is about, and the role that it says this player has."""
    return (claimed_name, "Princess") if question.kind == PRINCESS_KIND else (question.name or speaker, claimed_name)


def is_truthful(question: Question, answer_text: str, speaker: str, role_by_name: Mapping[str, str]) -> bool | None:
    """Return whether an answer is true, None when it cannot be read. `role_by_name` is {name: role}."""
    name_or_role = read_claim(question, answer_text, speaker)
    if name_or_role is None:
        return None
    player_name, role = find_claimed_role(question, name_or_role, speaker)
    return role_by_name[player_name] == role
