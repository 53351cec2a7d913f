"""Whether what a study says of its cells is what the log says: an independent count of the games that fill cells."""

from __future__ import annotations

from collections import Counter

from engine.core.events import Ending, Json, digest
from engine.storage.episode_row import EpisodeRow, Status
from engine.storage.store import Store
from engine.storage.study_records import StudyRecords
from engine.studies.cells import Cell, CellCounts
from engine.studies.study_file import PARTICIPANT_PLAYER
from engine.studies.version import StudyVersion

PERSON = "person"


def count_games_in_log(store: Store, records: StudyRecords, version: StudyVersion) -> Counter[str]:
    """Return how many games of the log fill each cell of a study, by the cell's key.

    A game counts if it is over, was not abandoned and nobody took a seat over, for each seat of a participant who is
    not excluded. Pilots count while the study is in its pilot, and only then.
    """
    name = version.study.name
    is_pilot = records.study(name).state == "pilot"
    pseudonyms = {
        person.pseudonym
        for person in records.participations(name)
        if person.excluded is None and bool(person.pilot) == is_pilot
    }
    cells = {
        _identity_digest(cell.item.instance_id, digest(cell.item.instance), cell): cell.key for cell in version.cells
    }
    counts: Counter[str] = Counter()
    for row in store.episodes():
        people: Json = row.start.get("people") or {}
        for seat, person in people.items():
            is_of_study = str(person.get("study", "")).partition("@")[0] == name
            if is_of_study and person.get("participant") in pseudonyms and _counts_in_cell(row):
                key = cells.get(_game_identity(row, seat))
                if key is not None:
                    counts[key] += 1
    return counts


def _counts_in_cell(row: EpisodeRow) -> bool:
    return row.status is Status.OVER and not row.mixed and (row.outcome or {}).get("kind") != Ending.ABANDONED


def _identity_digest(instance_id: str, instance: str, cell: Cell) -> str:
    return digest([instance_id, instance, cell.seat, dict(cell.seats), cell.settings])


def _game_identity(row: EpisodeRow, seat: str) -> str:
    seats = {other_seat: PARTICIPANT_PLAYER if player == PERSON else player for other_seat, player in row.seats.items()}
    return digest([row.instance_id, row.instance_hash, seat, seats, row.settings])


def find_cell_faults(store: Store, records: StudyRecords, version: StudyVersion, *, is_full: bool) -> list[str]:
    """Return what is wrong with the cells of a study, a line each; nothing if they are exact.

    Exact: as many games are done as the log has games that count; no more than are wanted and surplus; and where
    recruiting `is_full`, no fewer than are wanted.
    """
    logged_games = count_games_in_log(store, records, version)
    faults = []
    for cell in version.cells:
        counts = CellCounts(*records.cell_counts(version.study.name).get(cell.key, ()))
        cell_label = f"{cell.item.instance_id}, seat {cell.seat}"
        if counts.done != logged_games[cell.key]:
            faults.append(
                f"{cell_label}: {counts.done} games are done, the log has {logged_games[cell.key]} that count"
            )
        if counts.done > cell.games_wanted + counts.surplus:
            faults.append(f"{cell_label}: {counts.done} games are done, {cell.games_wanted} are wanted")
        if is_full and counts.done < cell.games_wanted:
            faults.append(
                f"{cell_label}: people are turned away, but {counts.done} of {cell.games_wanted} games are done"
            )
    return faults
