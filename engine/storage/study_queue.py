"""Participants who wait for a partner, in the log's file: their places, and who has been asked whether they are ready.

Stored is how much time is left and not when it ends, so that time in which no server runs counts for nobody.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.storage.migrations import Migrations
from engine.storage.store import Store

QUEUE_MIGRATIONS = Migrations("ludens.study-queue")


@QUEUE_MIGRATIONS.step
def m001_queue(db: sqlite3.Connection) -> None:
    """Create the queue: `place` orders it, `pair` is the same for two who were asked together."""
    db.execute(
        "CREATE TABLE study_queue (place INTEGER PRIMARY KEY AUTOINCREMENT, participation TEXT NOT NULL UNIQUE,"
        " study TEXT NOT NULL, state TEXT NOT NULL, pair TEXT, remaining INTEGER NOT NULL DEFAULT 0)"
    )


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A participation in the queue of its study.

    `state`: "waiting"; "asked" whether they are ready, with `remaining` milliseconds to say so; "ready" when they have
    said so and the partner has not; "missed" when they have not in time: then they do not wait any more.
    """

    participation: str
    state: str
    pair: str | None
    remaining: int


QUEUE_PLACE_COLUMNS = ", ".join(QueuePlace.__slots__)
SINGLE_PARTICIPANT_PREFIX = "alone-"


def is_single_participant(pair_id: str) -> bool:
    """Return whether what a place calls its pair is one participant, who is going to play with programs."""
    return pair_id.startswith(SINGLE_PARTICIPANT_PREFIX)


class StudyQueue:
    """The queues of all studies. Reads through one connection, writes through another, as `SeatLinks` does."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(QUEUE_MIGRATIONS)
        self._reader, self._writer = reader.sqlite_db, writer.sqlite_db
        self._transaction = writer.transaction

    def find_queue_place(self, participation: str) -> QueuePlace | None:
        """Return the place of a participation, None if it has none."""
        queue_places = self._read_queue_places("participation = ?", participation)
        return queue_places[0] if queue_places else None

    def list_queue_places(self, study: str) -> list[QueuePlace]:
        """Return all places of a study in the order in which they were taken."""
        return self._read_queue_places("study = ?", study)

    def list_pair_queue_places(self, pair_id: str) -> list[QueuePlace]:
        """Return the places of two who were asked together; one or none if somebody has left since."""
        return self._read_queue_places("pair = ?", pair_id)

    def _read_queue_places(self, condition: str, *parameters: Any) -> list[QueuePlace]:
        place_rows = self._reader.execute(
            f"SELECT {QUEUE_PLACE_COLUMNS} FROM study_queue WHERE {condition} ORDER BY place", parameters
        )
        return [QueuePlace(*place_row) for place_row in place_rows]

    def join_queue(self, participation: str, study: str) -> None:
        """Give a participation the last place, also where it had another one."""
        with self._transaction():
            self.leave_queue(participation)
            self._writer.execute(
                "INSERT INTO study_queue (participation, study, state) VALUES (?, ?, 'waiting')", (participation, study)
            )

    def leave_queue(self, participation: str) -> None:
        """Take a participation out of the queue, if it is in it."""
        with self._transaction():
            self._writer.execute("DELETE FROM study_queue WHERE participation = ?", (participation,))

    def ask_readiness(self, participations: Sequence[str], remaining_ms: int) -> None:
        """Note that two are asked together whether they are ready, with milliseconds to say so; or one alone."""
        pair_id = (
            secrets.token_hex(8) if len(participations) > 1 else f"{SINGLE_PARTICIPANT_PREFIX}{secrets.token_hex(8)}"
        )
        with self._transaction():
            for participation in participations:
                self._writer.execute(
                    "UPDATE study_queue SET state = 'asked', pair = ?, remaining = ? WHERE participation = ?",
                    (pair_id, remaining_ms, participation),
                )

    def set_ready(self, participation: str) -> None:
        """Note that somebody who was asked is ready."""
        with self._transaction():
            self._writer.execute(
                "UPDATE study_queue SET state = 'ready' WHERE participation = ? AND state = 'asked'", (participation,)
            )

    def set_remaining_ms(self, pair_id: str, remaining_ms: int) -> None:
        """Store how many milliseconds two have left."""
        with self._transaction():
            self._writer.execute("UPDATE study_queue SET remaining = ? WHERE pair = ?", (remaining_ms, pair_id))

    def dissolve_pair(self, pair_id: str, *, returns_both_players_to_queue: bool = False) -> None:
        """Let those of a pair who are ready wait at their place again; the others have missed it.

        With `returns_both_players_to_queue` both wait again: there is no game for them any more.
        """
        missed_state = (
            "'waiting'" if returns_both_players_to_queue else "CASE state WHEN 'ready' THEN 'waiting' ELSE 'missed' END"
        )
        with self._transaction():
            self._writer.execute(
                f"UPDATE study_queue SET state = {missed_state}, pair = NULL WHERE pair = ?", (pair_id,)
            )
