"""What is read of a whole study at once, for the researcher's desk: a few queries, however many participants."""

from __future__ import annotations

import json
from dataclasses import dataclass

from engine.core.events import Json
from engine.storage.store import Store
from engine.storage.study_records import RESEARCHER_TEST


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game dealt to a participant, with what the index of episodes has of it. Times are UTC milliseconds."""

    participation: str
    position: int
    cell: str
    episode: str | None
    seat: str
    state: str
    dealt: int
    ended: int | None
    score: float | None
    """The main score of the episode, 0 to 100; None while it is open."""


@dataclass(frozen=True, slots=True)
class StudyEvent:
    """Something that was done to a study or to one participation. `time` is in UTC milliseconds."""

    id: int
    participation: str | None
    action: str
    data: Json
    time: int


class StudyListing:
    """Reads the answers, games and events of all participations of a study; those that only test it are left out."""

    def __init__(self, store: Store) -> None:
        self._conn = store.sqlite_db

    def list_answer_times(self, study: str) -> list[tuple[str, str, int]]:
        """Return (participation, step, UTC milliseconds) of the last answer at each step, in order of time."""
        return self._conn.execute(
            "SELECT participation, step, MAX(time) FROM study_answer WHERE participation IN"
            f" (SELECT id FROM participation WHERE study = ? AND pilot != {RESEARCHER_TEST})"
            " GROUP BY participation, step ORDER BY MAX(id)",
            (study,),
        ).fetchall()

    def list_answers(self, study: str, step_names: tuple[str, ...]) -> list[tuple[str, str, int, Json]]:
        """Return (participation, step, attempt, answers) of all answers at some steps, in order of time."""
        answer_rows = self._conn.execute(
            "SELECT participation, step, attempt, answers FROM study_answer WHERE participation IN"
            f" (SELECT id FROM participation WHERE study = ? AND pilot != {RESEARCHER_TEST})"
            f" AND step IN ({', '.join('?' * len(step_names))}) ORDER BY id",
            (study, *step_names),
        )
        return [
            (participation_id, step_name, attempt_number, json.loads(answers_json))
            for participation_id, step_name, attempt_number, answers_json in answer_rows
        ]

    def list_games(self, study: str) -> list[ListedGame]:
        """Return the games of all participations, in the order in which they were dealt."""
        game_rows = self._conn.execute(
            "SELECT g.participation, g.position, g.cell, g.episode, g.seat, g.state, g.dealt, g.ended,"
            " json_extract(e.scores, '$.main_score') FROM study_game g JOIN participation p ON p.id = g.participation"
            " LEFT JOIN episode e ON e.id = g.episode"
            f" WHERE p.study = ? AND p.pilot != {RESEARCHER_TEST} ORDER BY g.dealt",
            (study,),
        )
        return [ListedGame(*game_row) for game_row in game_rows]

    def list_events(self, study: str, max_events: int = 200) -> list[StudyEvent]:
        """Return the last events of a study, latest first."""
        event_rows = self._conn.execute(
            "SELECT id, participation, action, data, time FROM study_event WHERE study = ? AND (participation IS NULL"
            f" OR participation NOT IN (SELECT id FROM participation WHERE pilot = {RESEARCHER_TEST}))"
            " ORDER BY id DESC LIMIT ?",
            (study, max_events),
        )
        return [_make_study_event(event_row) for event_row in event_rows]

    def list_participation_events(self, participation: str) -> list[StudyEvent]:
        """Return everything that was done to one participation, in order."""
        event_rows = self._conn.execute(
            "SELECT id, participation, action, data, time FROM study_event WHERE participation = ? ORDER BY id",
            (participation,),
        )
        return [_make_study_event(event_row) for event_row in event_rows]

    def list_messages(self) -> list[StudyEvent]:
        """Return what concerns messages to participants in all studies, in order: sent, read and taken back."""
        message_rows = self._conn.execute(
            "SELECT id, participation, action, data, time FROM study_event"
            " WHERE action IN ('message', 'message_read', 'undo') ORDER BY id"
        )
        return [_make_study_event(message_row) for message_row in message_rows]


def _make_study_event(event_row: tuple[int, str | None, str, str, int]) -> StudyEvent:
    id_, participation, action_name, event_data, event_time = event_row
    return StudyEvent(id_, participation, action_name, json.loads(event_data), event_time)
