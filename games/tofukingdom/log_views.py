"""Typed reads of the log of TofuKingdom: answers, and what the rulebook notes (roles, and whom the Prince named)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.log import GameNote, Log
from games.tofukingdom import instances
from games.tofukingdom.instances import PRINCE_ROLE, camp_of
from games.tofukingdom.reading import OTHER_IDENTITY, Question, claim, is_truthful, parse_question


@dataclass(frozen=True)
class RolesNote(GameNote):
    """The roles by name, and the order in which the seven stand."""

    roles: Mapping[str, str]
    order: Sequence[str]

    kind = "roles"


@dataclass(frozen=True)
class Choice(GameNote):
    """Whom the Prince named."""

    name: str
    role: str

    kind = "chosen"


@dataclass(frozen=True)
class Answer:
    """An answer with its question; `about` is whom the question names, if any.

    `claim` is the name or role that the answer claims, `truthful` whether that is so; both None when it cannot be read.
    """

    seat: str
    role: str
    question: str
    about: str | None
    answer: str
    claim: str | None
    truthful: bool | None

    @property
    def keeps_rule(self) -> bool | None:
        """Whether it is what the speaker's camp owes; None where it owes nothing or the answer cannot be read."""
        camp = camp_of(self.role)
        if self.truthful is None or camp == "spy" or self.role == PRINCE_ROLE:
            return None
        return self.truthful == (camp == "prince")


def roles_of(log: Log) -> dict[str, str]:
    """Return the roles of the seven by name."""
    return instances.load(log.start.instance).roles


def choice_of(log: Log) -> Choice | None:
    """Return whom the Prince named, None before that."""
    return next(iter(Choice.read(log)), None)


def answers_of(log: Log) -> list[Answer]:
    """Return all answers in order."""
    roles = roles_of(log)
    answers: list[Answer] = []
    question: Question | None = None
    for accepted_reply in log.parsed():
        if "question" in accepted_reply.value:
            question = parse_question(accepted_reply.value["question"])
        elif "answer" in accepted_reply.value and question is not None:
            seat, text = str(accepted_reply.seat), accepted_reply.value["answer"]
            answers.append(
                Answer(
                    seat,
                    roles[seat],
                    question.text(),
                    question.name if question.kind == OTHER_IDENTITY else None,
                    text,
                    claim(question, text, seat),
                    is_truthful(question, text, seat, roles),
                )
            )
    return answers
