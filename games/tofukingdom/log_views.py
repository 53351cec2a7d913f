"""Typed reads of the log of TofuKingdom: answers, and what the rulebook notes (roles, and whom the Prince named)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.notes import GameNote
from games.tofukingdom import instances
from games.tofukingdom.instances import PRINCE_ROLE, find_camp
from games.tofukingdom.reading import OTHER_KIND, Question, is_truthful, parse_question, read_claim

if TYPE_CHECKING:
    from engine.core.log import Log


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
    def keeps_camp_rule(self) -> bool | None:
        """Whether it is what the speaker's camp owes; None where it owes nothing or the answer cannot be read."""
        camp_name = find_camp(self.role)
        if self.truthful is None or camp_name == "spy" or self.role == PRINCE_ROLE:
            return None
        return self.truthful == (camp_name == "prince")


def read_roles(log: Log) -> dict[str, str]:
    """Return the roles of the seven by name."""
    return instances.load(log.start.instance).roles


def find_choice(log: Log) -> Choice | None:
    """Return whom the Prince named, None before that."""
    return next(iter(Choice.read(log)), None)


def list_answers(log: Log) -> list[Answer]:
    """Return all answers in order."""
    role_by_name = read_roles(log)
    answers: list[Answer] = []
    question: Question | None = None
    for accepted_reply in log.parsed_events():
        if "question" in accepted_reply.value:
            question = parse_question(accepted_reply.value["question"])
        elif "answer" in accepted_reply.value and question is not None:
            seat, answer_text = str(accepted_reply.seat), accepted_reply.value["answer"]
            answers.append(
                Answer(
                    seat,
                    role_by_name[seat],
                    question.text(),
                    question.name if question.kind == OTHER_KIND else None,
                    answer_text,
                    read_claim(question, answer_text, seat),
                    is_truthful(question, answer_text, seat, role_by_name),
                )
            )
    return answers
