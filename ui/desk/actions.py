"""What the researcher can do to one participant. An action more is an entry more in `PARTICIPANT_ACTIONS`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from engine.studies.overview import Overview, ParticipantRow
from ui.live.study_desk import MAX_REASON_LENGTH, StudyManager
from ui.live.study_messages import MAX_MESSAGE_LENGTH


@dataclass(frozen=True)
class Action:
    """An action on a participant: what it is called, what it does, what it needs, and how it is done."""

    title: str
    button_label: str
    explanation: str
    perform_action: Callable[[StudyManager, Overview, ParticipantRow, str], Awaitable[str]]
    """Does it with what was written or chosen; returns what the page says then. Raises `Refusal`."""
    text_label: str = ""
    """The label of a text to write; without one nothing is written."""
    max_length: int = 0
    list_choices: Callable[[StudyManager, Overview], list[tuple[str, str]]] | None = None
    """Returns (label, value) of what to choose from."""


async def _send_message(study_manager: StudyManager, _: Overview, person: ParticipantRow, message_text: str) -> str:
    await study_manager.send_message(person.id, message_text)
    return f"{person.pseudonym} sees the message until they have read it."


async def _assign_program_to_seat(study_manager: StudyManager, _: Overview, person: ParticipantRow, player: str) -> str:
    await study_manager.assign_program_to_seat(person.id, player)
    return f"{player} plays on at the seat of {person.pseudonym}."


async def _end_participation(
    study_manager: StudyManager, overview: Overview, person: ParticipantRow, ending_name: str
) -> str:
    await study_manager.end_participation(person.id, ending_name, dict(overview.end_texts))
    return f"The participation of {person.pseudonym} has ended."


async def _release_cell(study_manager: StudyManager, _: Overview, person: ParticipantRow, __: str) -> str:
    await study_manager.release_cell(person.id)
    return f"The game of {person.pseudonym} has ended and its cell is open again."


async def _exclude_participant(study_manager: StudyManager, _: Overview, person: ParticipantRow, reason: str) -> str:
    await study_manager.exclude_person(person.id, reason)
    return f"{person.pseudonym} is excluded."


async def _undo_action(study_manager: StudyManager, _: Overview, person: ParticipantRow, __: str) -> str:
    return f"Undone: {await study_manager.undo_action(person.id)}."


def _list_programs(study_manager: StudyManager, overview: Overview) -> list[tuple[str, str]]:
    program_names = dict.fromkeys(
        [*([overview.waiting_program] if overview.waiting_program else []), *study_manager.programs()]
    )
    return [(program_name, program_name) for program_name in program_names]


def _list_ends(_: StudyManager, overview: Overview) -> list[tuple[str, str]]:
    return [
        (f"{ending_name.replace('_', ' ')} ({code or 'no code'})", ending_name)
        for ending_name, code in overview.end_texts.items()
    ]


PARTICIPANT_ACTIONS = (
    Action(
        "Message",
        "Send message",
        "The participant sees it above their page within seconds. Can be undone until they have read it.",
        _send_message,
        text_label="Message",
        max_length=MAX_MESSAGE_LENGTH,
    ),
    Action(
        "Program takes the seat",
        "Let the program play on",
        "A program plays the open game to its end. The game does not count, and the participant goes on with the next"
        " one. Cannot be undone.",
        _assign_program_to_seat,
        list_choices=_list_programs,
    ),
    Action(
        "End",
        "End participation",
        "The participant sees this end with its code. An open game is abandoned. The end can be undone, the game not.",
        _end_participation,
        list_choices=_list_ends,
    ),
    Action(
        "Release the cell",
        "Release the cell",
        "The open game is abandoned, also for a partner, and its cell is dealt again. The participant goes on with"
        " another one. Cannot be undone.",
        _release_cell,
    ),
    Action(
        "Exclude",
        "Exclude participant",
        "The participant is left out of counts and analyses, their cells are dealt again, and they notice nothing."
        " Can be undone.",
        _exclude_participant,
        text_label="Reason",
        max_length=MAX_REASON_LENGTH,
    ),
    Action(
        "Undo",
        "Undo the last action",
        "Takes back the last message, end or exclusion of this participant.",
        _undo_action,
    ),
)
