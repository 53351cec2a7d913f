"""Studies in the log's file: study files, participations, what they answered and were dealt, and what was done to them.

Identifiers of people (Prolific ids, labels) are never here: they are in a file of their own, `IdentifierStore`, beside
the log. A participation here has a random id and a pseudonym that says nothing outside the study.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.core.events import Ending, Json, Outcome, to_json
from engine.storage.database import Database, StoreError
from engine.storage.ids import now_ms
from engine.storage.migrations import Migrations
from engine.storage.store import Store
from engine.storage.study_queue import StudyQueue

STUDY_MIGRATIONS = Migrations("ludens.studies")
IDENTIFIER_MIGRATIONS = Migrations("ludens.identifiers")
IDENTIFIERS_FILE = "studies-identifiers.db"
"""The file of identifiers, beside the log. `ludens db backup` leaves it out."""

ENDED_STATES = ("declined", "screened_out", "turned_away", "completed", "withdrawn")
"""States of participations that are over."""
DELETED_REASON = "deleted"
"""The reason of a withdrawal for which the researcher deleted the data of a person."""
RESEARCHER_TEST = 2
"""In the column `pilot`, which is 0 or 1 otherwise: the researcher tries the study. It is in no count and no export."""


@STUDY_MIGRATIONS.step
def m001_studies(db: sqlite3.Connection) -> None:
    """Create studies with their versions, participations, answers, dealt games, and what was done."""
    for statement in (
        "CREATE TABLE study (name TEXT PRIMARY KEY, version TEXT NOT NULL, state TEXT NOT NULL, added INTEGER NOT NULL)"
        " WITHOUT ROWID",
        "CREATE TABLE study_version (name TEXT NOT NULL, version TEXT NOT NULL, file TEXT NOT NULL,"
        " added INTEGER NOT NULL, PRIMARY KEY (name, version)) WITHOUT ROWID",
        "CREATE TABLE participation (id TEXT PRIMARY KEY, study TEXT NOT NULL, version TEXT NOT NULL,"
        " pseudonym TEXT NOT NULL, browser TEXT NOT NULL, state TEXT NOT NULL, step INTEGER NOT NULL DEFAULT 0,"
        " consent TEXT, pilot INTEGER NOT NULL, seed TEXT NOT NULL, arrived INTEGER NOT NULL,"
        " last_seen INTEGER NOT NULL, ended INTEGER, reason TEXT, excluded TEXT,"
        " waited INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID",
        "CREATE INDEX participation_by_study ON participation (study, state)",
        "CREATE INDEX participation_by_browser ON participation (browser)",
        "CREATE TABLE study_answer (id INTEGER PRIMARY KEY, participation TEXT NOT NULL, step TEXT NOT NULL,"
        " attempt INTEGER NOT NULL, answers TEXT NOT NULL, time INTEGER NOT NULL)",
        "CREATE INDEX study_answer_by_participation ON study_answer (participation)",
        "CREATE TABLE study_game (participation TEXT NOT NULL, position INTEGER NOT NULL, cell TEXT NOT NULL,"
        " episode TEXT, seat TEXT NOT NULL, state TEXT NOT NULL, surplus INTEGER NOT NULL DEFAULT 0,"
        " fills INTEGER NOT NULL DEFAULT 1,"
        " dealt INTEGER NOT NULL, ended INTEGER, PRIMARY KEY (participation, position)) WITHOUT ROWID",
        "CREATE INDEX study_game_by_cell ON study_game (cell, state)",
        "CREATE INDEX study_game_by_episode ON study_game (episode)",
        "CREATE TABLE study_event (id INTEGER PRIMARY KEY, study TEXT NOT NULL, participation TEXT,"
        " action TEXT NOT NULL, data TEXT NOT NULL, time INTEGER NOT NULL)",
    ):
        db.execute(statement)


@IDENTIFIER_MIGRATIONS.step
def m001_identifiers(db: sqlite3.Connection) -> None:
    """Create the identifiers of participants."""
    db.execute(
        "CREATE TABLE identifier (study TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL,"
        " participation TEXT NOT NULL, details TEXT NOT NULL, since INTEGER NOT NULL,"
        " PRIMARY KEY (study, kind, value)) WITHOUT ROWID"
    )


@IDENTIFIER_MIGRATIONS.step
def m002_deleted_identifiers(db: sqlite3.Connection) -> None:
    """Create digests of the identifiers of people who had themselves deleted: their links begin nothing again."""
    db.execute(
        "CREATE TABLE deleted_identifier (study TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (study, digest))"
        " WITHOUT ROWID"
    )


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study on this server: its present version, its state, and the text of the present file."""

    name: str
    version: str
    state: str
    file: str


@dataclass(frozen=True, slots=True)
class Participation:
    """One person in one study. Times are UTC milliseconds; `waited` counts milliseconds of waiting for a partner."""

    id: str
    study: str
    version: str
    pseudonym: str
    browser: str
    state: str
    step: int
    consent: str | None
    pilot: int
    seed: str
    arrived: int
    last_seen: int
    ended: int | None
    reason: str | None
    excluded: str | None
    waited: int

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked of this person."""
        return self.state in ENDED_STATES

    @property
    def is_deleted(self) -> bool:
        """Whether the researcher has deleted the person's games, answers and identifiers."""
        return self.state == "withdrawn" and self.reason == DELETED_REASON


PARTICIPATION_COLUMNS = ", ".join(Participation.__slots__)


@dataclass(frozen=True, slots=True)
class StudyGame:
    """A game dealt to a participation. `state`: "reserved", "playing", "counts", or why it does not count."""

    participation: str
    position: int
    cell: str
    episode: str | None
    seat: str
    state: str
    surplus: bool
    dealt: int
    ended: int | None


STUDY_GAME_COLUMNS = ", ".join(StudyGame.__slots__)
FIRST_GAME_POSITION = 1
"""The position of a person's first game; practice games come before."""
LEAVING_STATES = ("left", "withdrawn")
"""States of games whose participant went away from them."""
OPEN_GAME_STATES = ("reserved", "playing")


class StudyRecords:
    """What is stored of studies. Reads through one connection, writes through another, as `SeatLinks` does."""

    def __init__(self, reader: Store, writer: Store) -> None:
        writer.migrate(STUDY_MIGRATIONS)
        self.queue = StudyQueue(reader, writer)
        self._reader, self._writer = reader.sqlite_db, writer.sqlite_db
        self._transaction = writer.transaction

    # ------------------------------------------------------------------ studies
    def add_study(self, study_name: str, version: str, file_text: str) -> None:
        """Store a study file as the present version of a study; a new study is a draft."""
        with self._transaction():
            self._writer.execute(
                "INSERT OR IGNORE INTO study_version (name, version, file, added) VALUES (?, ?, ?, ?)",
                (study_name, version, file_text, now_ms()),
            )
            self._writer.execute(
                "INSERT INTO study (name, version, state, added) VALUES (?, ?, 'draft', ?)"
                " ON CONFLICT (name) DO UPDATE SET version = excluded.version",
                (study_name, version, now_ms()),
            )
            self._insert_action(study_name, None, "file", {"version": version})

    def read_study(self, study_name: str, version: str | None = None) -> StudyRow:
        """Return a study, with the file of its present or of a given version. Raises `StoreError`."""
        study_row = self._reader.execute(
            "SELECT study.name, v.version, state, file FROM study JOIN study_version v ON v.name = study.name"
            " AND v.version = COALESCE(?, study.version) WHERE study.name = ?",
            (version, study_name),
        ).fetchone()
        if study_row is None:
            known_names = ", ".join(name for (name,) in self._reader.execute("SELECT name FROM study ORDER BY name"))
            raise StoreError(f"there is no study {study_name!r} in this database; there are: {known_names or 'none'}")
        return StudyRow(*study_row)

    def read_versions(self, study_name: str) -> list[StudyRow]:
        """Return all versions of a study, oldest first."""
        study_rows = self._reader.execute(
            "SELECT v.name, v.version, state, file FROM study_version v JOIN study USING (name) WHERE v.name = ?"
            " ORDER BY v.added",
            (study_name,),
        )
        return [StudyRow(*study_row) for study_row in study_rows]

    def list_names(self) -> list[str]:
        """Return the names of all studies."""
        return [study_name for (study_name,) in self._reader.execute("SELECT name FROM study ORDER BY name")]

    def set_state(self, study_name: str, study_state: str) -> None:
        """Set the state of a study: "draft", "pilot", "open", "paused" or "closed"."""
        with self._transaction():
            self._writer.execute("UPDATE study SET state = ? WHERE name = ?", (study_state, study_name))
            self._insert_action(study_name, None, "state", {"state": study_state})

    def anonymise_study(self, study_name: str, action_data: Json) -> None:
        """Note that the identifiers of a study are deleted, and close it: who came again would be somebody else."""
        with self._transaction():
            self._insert_action(study_name, None, "anonymised", action_data)
            self.set_state(study_name, "closed")

    # ------------------------------------------------------------------ participations
    def begin_participation(
        self, participation_id: str, study: str, version: str, browser: str, *, is_pilot: bool, is_test: bool = False
    ) -> None:
        """Store a new participation of a browser.

        It counts as arrived from when its page is first shown: programs follow links, too, such as those that make
        previews of messages.
        """
        with self._transaction():
            self._writer.execute(
                "INSERT INTO participation"
                " (id, study, version, pseudonym, browser, state, pilot, seed, arrived, last_seen)"
                " VALUES (?, ?, ?, ?, ?, 'playing', ?, ?, ?, 0)",
                (
                    participation_id,
                    study,
                    version,
                    f"p-{secrets.token_hex(4)}",
                    browser,
                    RESEARCHER_TEST if is_test else int(is_pilot),
                    secrets.token_hex(8),
                    now_ms(),
                ),
            )

    def find_participation(self, id_: str) -> Participation | None:
        """Return a participation, None if there is none."""
        participation_row = self._reader.execute(
            f"SELECT {PARTICIPATION_COLUMNS} FROM participation WHERE id = ?", (id_,)
        ).fetchone()
        return _make_participation(participation_row) if participation_row else None

    def require_participation(self, id_: str) -> Participation:
        """Return a participation. Raises `StoreError` if there is none."""
        participation = self.find_participation(id_)
        if participation is None:
            raise StoreError(f"there is no participation {id_!r}")
        return participation

    def list_participations(self, study: str, *, include_tests: bool = False) -> list[Participation]:
        """Return the participations of a study whose page was ever shown, oldest first; tests only where asked for."""
        participation_rows = self._reader.execute(
            f"SELECT {PARTICIPATION_COLUMNS} FROM participation"
            f" WHERE study = ? AND last_seen > 0 AND (? OR pilot != {RESEARCHER_TEST})"
            " ORDER BY arrived, id",
            (study, include_tests),
        )
        return [_make_participation(participation_row) for participation_row in participation_rows]

    def find_browser_participation(self, browser: str | None, study: str | None = None) -> Participation | None:
        """Return the latest participation of a browser, in one study or in any that it is still taking part in.

        Tests are left out: the researcher's browser stays free to do anything else.
        """
        study_condition, parameters = ("study = ?", (browser, study)) if study else ("ended IS NULL", (browser,))
        participation_row = self._reader.execute(
            f"SELECT {PARTICIPATION_COLUMNS} FROM participation WHERE browser = ? AND {study_condition}"
            f" AND pilot != {RESEARCHER_TEST} ORDER BY arrived DESC LIMIT 1",
            parameters,
        ).fetchone()
        return _make_participation(participation_row) if participation_row else None

    def update_participation(self, id_: str, **column_values: Any) -> None:
        """Change columns of a participation."""
        assignments = ", ".join(f"{column_name} = ?" for column_name in column_values)
        with self._transaction():
            self._writer.execute(f"UPDATE participation SET {assignments} WHERE id = ?", (*column_values.values(), id_))

    def end(self, id_: str, end_state: str, reason: str = "") -> None:
        """End a participation; one that is over stays as it is."""
        with self._transaction():
            self._writer.execute(
                "UPDATE participation SET state = ?, reason = ?, ended = ? WHERE id = ? AND ended IS NULL",
                (end_state, reason, now_ms(), id_),
            )

    def withdraw_participation(self, id_: str, reason: str | None = None) -> None:
        """Note that a person has withdrawn, also after the end; `DELETED_REASON` if their data are deleted."""
        with self._transaction():
            self._writer.execute(
                "UPDATE participation SET state = 'withdrawn', reason = ?, ended = COALESCE(ended, ?) WHERE id = ?",
                (reason, now_ms(), id_),
            )

    def exclude_participation(self, id_: str, reason: str | None) -> None:
        """Leave a participation out of the analysis, with a reason in words; None takes it back in.

        Its games fill no cell while it is excluded. Raises `StoreError` if there is no such participation.
        """
        participation = self.require_participation(id_)
        with self._transaction():
            self._writer.execute("UPDATE participation SET excluded = ? WHERE id = ?", (reason, id_))
            action_name = "excluded" if reason is not None else "included"
            self._insert_action(participation.study, id_, action_name, {"reason": reason} if reason is not None else {})

    def mark_participations_seen(self) -> None:
        """Note of everybody who takes part that they are there now: a server has started."""
        with self._transaction():
            self._writer.execute(
                "UPDATE participation SET last_seen = ? WHERE state = 'playing' AND last_seen > 0", (now_ms(),)
            )

    def delete_words(self, id_: str) -> None:
        """Delete what a person answered, and note that the games they were dealt are removed, for partners, too."""
        with self._transaction():
            self._writer.execute("DELETE FROM study_answer WHERE participation = ?", (id_,))
            self._writer.execute(
                "UPDATE study_game SET state = 'removed' WHERE participation = ? OR episode IN"
                " (SELECT episode FROM study_game WHERE participation = ?)",
                (id_, id_),
            )

    # ------------------------------------------------------------------ answers
    def add_answer(self, participation: str, at_step: str, attempt: int, answers: Json, **column_values: Any) -> None:
        """Store what a person answered at a step, and change columns of the participation with it."""
        with self._transaction():
            self._writer.execute(
                "INSERT INTO study_answer (participation, step, attempt, answers, time) VALUES (?, ?, ?, ?, ?)",
                (participation, at_step, attempt, to_json(answers), now_ms()),
            )
            if column_values:
                self.update_participation(participation, **column_values)

    def list_answers(self, participation: str) -> list[tuple[str, int, Json, int]]:
        """Return (step, attempt, answers, time) of everything a person answered, in order."""
        answer_rows = self._reader.execute(
            "SELECT step, attempt, answers, time FROM study_answer WHERE participation = ? ORDER BY id",
            (participation,),
        )
        return [
            (step_name, attempt_number, json.loads(answers_json), answer_time)
            for step_name, attempt_number, answers_json, answer_time in answer_rows
        ]

    def count_orders(self, study: str) -> int:
        """Return how many participations of a study have been given an order of experiments."""
        (participation_count,) = self._reader.execute(
            "SELECT COUNT(*) FROM study_event e JOIN participation p ON p.id = e.participation"
            " WHERE e.study = ? AND e.action = 'order' AND p.state NOT IN ('left', 'withdrawn')"
            f" AND p.pilot != {RESEARCHER_TEST}",
            (study,),
        ).fetchone()
        return int(participation_count)

    def count_attempts(self, participation: str, at_step: str) -> int:
        """Return how often a person has answered at a step."""
        (attempt_count,) = self._reader.execute(
            "SELECT COUNT(*) FROM study_answer WHERE participation = ? AND step = ?", (participation, at_step)
        ).fetchone()
        return int(attempt_count)

    # ------------------------------------------------------------------ games
    def list_games(self, participation: str) -> list[StudyGame]:
        """Return the games dealt to a participation, in order."""
        game_rows = self._reader.execute(
            f"SELECT {STUDY_GAME_COLUMNS} FROM study_game WHERE participation = ? ORDER BY position", (participation,)
        )
        return [StudyGame(*game_row) for game_row in game_rows]

    def list_episode_games(self, episode: str) -> list[StudyGame]:
        """Return the games of participants that one episode is."""
        return [
            StudyGame(*game_row)
            for game_row in self._reader.execute(
                f"SELECT {STUDY_GAME_COLUMNS} FROM study_game WHERE episode = ?", (episode,)
            )
        ]

    def count_cells(self, study: str) -> dict[str, tuple[int, int, int]]:
        """Return (done, in play, surplus) of each cell of a study that has games; pilots count with pilots only."""
        cell_rows = self._reader.execute(
            "SELECT cell, SUM(g.state = 'counts'), SUM(g.state IN ('reserved', 'playing')),"
            " SUM(g.state = 'counts' AND g.surplus) FROM study_game g JOIN participation p ON p.id = g.participation"
            " WHERE p.study = ? AND g.fills AND p.pilot = (SELECT state = 'pilot' FROM study WHERE name = ?)"
            " AND p.excluded IS NULL GROUP BY cell",
            (study, study),
        )
        return {
            cell_name: (done_count, playing_count, surplus_count)
            for cell_name, done_count, playing_count, surplus_count in cell_rows
        }

    def reserve_games(
        self, reservations: Iterable[tuple[str, int, str, str]], wanted_games: Mapping[str, int], study: str
    ) -> None:
        """Reserve a cell for each (participation, position, cell, seat), all or none.

        Raises `CellTaken` where a cell has as many games as are wanted, counted in the same transaction.
        """
        with self._transaction():
            for participation, game_position, cell_name, seat in reservations:
                (reserved_count,) = self._writer.execute(
                    "SELECT COUNT(*) FROM study_game g JOIN participation p ON p.id = g.participation WHERE cell = ?"
                    " AND g.fills AND g.state IN ('counts', 'reserved', 'playing') AND p.study = ?"
                    " AND p.excluded IS NULL AND p.pilot = (SELECT state = 'pilot' FROM study WHERE name = ?)",
                    (cell_name, study, study),
                ).fetchone()
                if reserved_count >= wanted_games[cell_name]:
                    raise CellTakenError
                self._writer.execute(
                    "INSERT INTO study_game (participation, position, cell, seat, state, dealt)"
                    " VALUES (?, ?, ?, ?, 'reserved', ?)",
                    (participation, game_position, cell_name, seat, now_ms()),
                )

    def add_games_outside_cells(self, games: Iterable[tuple[str, int, str, str]]) -> None:
        """Store games (participation, position, cell, seat) that do not fill their cell: another player sits there."""
        with self._transaction():
            self._writer.executemany(
                "INSERT INTO study_game (participation, position, cell, seat, state, fills, dealt)"
                " VALUES (?, ?, ?, ?, 'reserved', 0, ?)",
                [(*game, now_ms()) for game in games],
            )

    def start_game(self, participation: str, game_position: int, episode: str) -> None:
        """Note the episode of a reserved game."""
        with self._transaction():
            self._writer.execute(
                "UPDATE study_game SET episode = ?, state = 'playing' WHERE participation = ? AND position = ?",
                (episode, participation, game_position),
            )

    def end_game(self, participation: str, game_position: int, end_state: str) -> None:
        """Note how an open game ended: "counts", or why it does not count."""
        with self._transaction():
            self._writer.execute(
                "UPDATE study_game SET state = ?, ended = ? WHERE participation = ? AND position = ?"
                " AND state IN ('reserved', 'playing')",
                (end_state, now_ms(), participation, game_position),
            )

    def mark_surplus_games(self, participation: str, wanted_games: Mapping[str, int]) -> None:
        """Mark the games of a participation that is taken in again where their cells have been filled meanwhile."""
        study = self.require_participation(participation).study
        count_by_cell = self.count_cells(study)
        games = [game for game in self.list_games(participation) if game.state == "counts"]
        full_cells = {
            cell_name
            for cell_name, (done_count, _, surplus_count) in count_by_cell.items()
            if done_count - surplus_count > wanted_games.get(cell_name, 0)
        }
        with self._transaction():
            self._writer.executemany(
                "UPDATE study_game SET surplus = 1 WHERE participation = ? AND position = ?",
                [(participation, game.position) for game in games if game.cell in full_cells],
            )

    def collect_personal_data(self, id_: str) -> Json:
        """Return everything stored of a participation, for the person who asks for it."""
        participation = self.find_participation(id_)
        assert participation is not None
        return {
            "participation": {
                field: getattr(participation, field) for field in Participation.__slots__ if field != "browser"
            },
            "answers": [
                {"step": step_name, "attempt": attempt_number, "answers": answer_values, "time": answer_time}
                for step_name, attempt_number, answer_values, answer_time in self.list_answers(id_)
            ],
            "dealt": [{field: getattr(game, field) for field in StudyGame.__slots__} for game in self.list_games(id_)],
        }

    # ------------------------------------------------------------------ what was done
    def record_action(self, study: str, participation: str | None, action_name: str, action_data: Json) -> int:
        """Store something that was done to a study or a participation; return the number of the event."""
        with self._transaction():
            return self._insert_action(study, participation, action_name, action_data)

    def read_experiment_order(self, participation: str) -> list[str] | None:
        """Return the order of experiments that a participation was given, None if none has been."""
        order_row = self._reader.execute(
            "SELECT data FROM study_event WHERE participation = ? AND action = 'order' ORDER BY id LIMIT 1",
            (participation,),
        ).fetchone()
        return next(iter(json.loads(order_row[0]).values())) if order_row else None

    def list_actions(self, study: str) -> list[tuple[str | None, str, Json, int]]:
        """Return (participation, action, data, time) of what was done to a study, in order; tests are left out."""
        action_rows = self._reader.execute(
            "SELECT participation, action, data, time FROM study_event WHERE study = ? AND (participation IS NULL"
            f" OR participation NOT IN (SELECT id FROM participation WHERE pilot = {RESEARCHER_TEST})) ORDER BY id",
            (study,),
        )
        return [
            (participation_id, action_name, json.loads(action_data), action_time)
            for participation_id, action_name, action_data, action_time in action_rows
        ]

    def _insert_action(self, study: str, participation: str | None, action_name: str, action_data: Json) -> int:
        insert_cursor = self._writer.execute(
            "INSERT INTO study_event (study, participation, action, data, time) VALUES (?, ?, ?, ?, ?)",
            (study, participation, action_name, to_json(action_data), now_ms()),
        )
        return int(insert_cursor.lastrowid or 0)


def make_participation_id() -> str:
    """Return the id of a new participation."""
    return secrets.token_urlsafe(12)


class CellTakenError(StoreError):
    """A cell was filled by somebody else meanwhile."""


def _make_participation(participation_row: tuple[Any, ...]) -> Participation:
    return Participation(*participation_row)


def make_identifier_path(log: Path) -> Path:
    """Return the path of the file of identifiers of a log."""
    return log.parent / IDENTIFIERS_FILE


def was_game_left(game: StudyGame, outcome: Json | None) -> bool:
    """Return whether the participant of a game went away from it; `outcome` is the data of the episode's outcome."""
    if game.state in LEAVING_STATES:
        return True
    if outcome is None:
        return False
    final_outcome = Outcome.from_json(outcome)
    return final_outcome.kind == Ending.ABANDONED and final_outcome.seat == game.seat


class IdentifierStore(Database):
    """The identifiers of participants, in a file of their own, readable by its owner alone."""

    def __init__(self, log: Path) -> None:
        super().__init__(make_identifier_path(log))
        self.path.chmod(0o600)
        self.enable_secure_delete()
        self.migrate(IDENTIFIER_MIGRATIONS)

    def find_participation(self, study: str, identifier_kind: str, identifier_value: str) -> str | None:
        """Return the participation of an identifier in a study, None if it is new."""
        identifier_row = self.sqlite_db.execute(
            "SELECT participation FROM identifier WHERE study = ? AND kind = ? AND value = ?",
            (study, identifier_kind, identifier_value),
        ).fetchone()
        return identifier_row[0] if identifier_row else None

    def has_identifiers(self, study: str) -> bool:
        """Return whether there are identifiers of a study."""
        return self.sqlite_db.execute("SELECT 1 FROM identifier WHERE study = ?", (study,)).fetchone() is not None

    def find_any_participation(self, study: str, identifier_value: str) -> str | None:
        """Return the participation of an identifier of any kind in a study, None if there is none."""
        identifier_row = self.sqlite_db.execute(
            "SELECT participation FROM identifier WHERE study = ? AND value = ?", (study, identifier_value)
        ).fetchone()
        return identifier_row[0] if identifier_row else None

    def list_identifiers(self, participation: str) -> list[Json]:
        """Return the identifiers of a participation, with their details."""
        identifier_rows = self.sqlite_db.execute(
            "SELECT kind, value, details FROM identifier WHERE participation = ?", (participation,)
        )
        return [
            {"kind": identifier_kind, "value": identifier_value, "details": json.loads(details_json)}
            for identifier_kind, identifier_value, details_json in identifier_rows
        ]

    def list_study_identifiers(self, study: str) -> list[tuple[str, str, str, Json]]:
        """Return (kind, value, participation, details) of all identifiers of a study."""
        identifier_rows = self.sqlite_db.execute(
            "SELECT kind, value, participation, details FROM identifier WHERE study = ? ORDER BY since, value", (study,)
        )
        return [
            (identifier_kind, identifier_value, participation_id, json.loads(details_json))
            for identifier_kind, identifier_value, participation_id, details_json in identifier_rows
        ]

    def delete_person(self, participation: str, secret: str) -> None:
        """Delete the identifiers of a participation; only digests stay, made with the log's secret of studies."""
        identifier_rows = self.sqlite_db.execute(
            "SELECT study, kind, value FROM identifier WHERE participation = ?", (participation,)
        ).fetchall()
        with self.transaction():
            self.sqlite_db.executemany(
                "INSERT OR IGNORE INTO deleted_identifier (study, digest) VALUES (?, ?)",
                [(study, _make_digest(secret, study, *identifier)) for study, *identifier in identifier_rows],
            )
            self.sqlite_db.execute("DELETE FROM identifier WHERE participation = ?", (participation,))
        self.rewrite()

    def was_person_deleted(self, study: str, identifier_kind: str, identifier_value: str, secret: str) -> bool:
        """Return whether the person with an identifier was deleted from a study."""
        digest = _make_digest(secret, study, identifier_kind, identifier_value)
        digest_query = "SELECT 1 FROM deleted_identifier WHERE study = ? AND digest = ?"
        return self.sqlite_db.execute(digest_query, (study, digest)).fetchone() is not None

    def add_identifier(
        self, study: str, identifier_kind: str, identifier_value: str, participation: str, details: Mapping[str, str]
    ) -> None:
        """Store an identifier of a participation, such as a Prolific id with its study and submission."""
        with self.transaction():
            self.sqlite_db.execute(
                "INSERT OR IGNORE INTO identifier (study, kind, value, participation, details, since)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (study, identifier_kind, identifier_value, participation, to_json(details), now_ms()),
            )

    def delete_identifiers(self, study: str) -> int:
        """Delete all identifiers of a study, and the digests of those deleted before; return how many there were."""
        with self.transaction():
            deleted_count = self.sqlite_db.execute("DELETE FROM identifier WHERE study = ?", (study,)).rowcount
            self.sqlite_db.execute("DELETE FROM deleted_identifier WHERE study = ?", (study,))
        self.rewrite()
        return int(deleted_count)


def _make_digest(secret: str, study: str, identifier_kind: str, identifier_value: str) -> str:
    """Return what an identifier is recognised by once it is deleted; without the secret it is that of nobody."""
    identifier_json = to_json(("deleted", study, identifier_kind, identifier_value))
    return hmac.new(bytes.fromhex(secret), identifier_json.encode(), hashlib.sha256).hexdigest()
