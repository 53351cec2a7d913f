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

PERSON_PLAYER = "person"


def count_games_in_log(store: Store, study_records: StudyRecords, study_version: StudyVersion) -> Counter[str]:
    """Return how many games of the log fill each cell of a study, by the cell's key.

    A game counts if it is over, was not abandoned and nobody took a seat over, for each seat of a participant who is
    not excluded. Pilots count while the study is in its pilot, and only then.
    """
    study_name = study_version.study.name
    is_pilot = study_records.read_study(study_name).state == "pilot"
    pseudonyms = {
        person.pseudonym
        for person in study_records.list_participations(study_name)
        if person.excluded is None and bool(person.pilot) == is_pilot
    }
    key_by_identity = {
        _digest_identity(cell.instance.instance_id, digest(cell.instance.instance), cell): cell.cell_key
        for cell in study_version.cells
    }
    game_counts: Counter[str] = Counter()
    for log_row in store.episodes():
        people: Json = log_row.start.get("people") or {}
        for seat, person in people.items():
            is_of_study = str(person.get("study", "")).partition("@")[0] == study_name
            if is_of_study and person.get("participant") in pseudonyms and _counts_in_cell(log_row):
                cell_key = key_by_identity.get(_identify_game(log_row, seat))
                if cell_key is not None:
                    game_counts[cell_key] += 1
    return game_counts


def _counts_in_cell(log_row: EpisodeRow) -> bool:
    return (
        log_row.status is Status.OVER and not log_row.mixed and (log_row.outcome or {}).get("kind") != Ending.ABANDONED
    )


def _digest_identity(instance_id: str, instance: str, cell: Cell) -> str:
    return digest([instance_id, instance, cell.seat, dict(cell.seats), cell.settings])


def _identify_game(log_row: EpisodeRow, seat: str) -> str:
    seats = {
        other_seat: PARTICIPANT_PLAYER if player == PERSON_PLAYER else player
        for other_seat, player in log_row.seats.items()
    }
    return digest([log_row.instance_id, log_row.instance_hash, seat, seats, log_row.settings])


def find_cell_faults(store: Store, study_records: StudyRecords, version: StudyVersion, *, is_full: bool) -> list[str]:
    """Return what is wrong with the cells of a study, a line each; nothing if they are exact.

    Exact: as many games are done as the log has games that count; no more than are wanted and surplus; and where
    recruiting `is_full`, no fewer than are wanted.
    """
    logged_counts = count_games_in_log(store, study_records, version)
    cell_faults = []
    for cell in version.cells:
        cell_counts = CellCounts(*study_records.count_cells(version.study.name).get(cell.cell_key, ()))
        cell_label = f"{cell.instance.instance_id}, seat {cell.seat}"
        if cell_counts.done_count != logged_counts[cell.cell_key]:
            cell_faults.append(
                f"{cell_label}: {cell_counts.done_count} games are done, "
                f"the log has {logged_counts[cell.cell_key]} that count"
            )
        if cell_counts.done_count > cell.wanted_games + cell_counts.surplus_count:
            cell_faults.append(f"{cell_label}: {cell_counts.done_count} games are done, {cell.wanted_games} are wanted")
        if is_full and cell_counts.done_count < cell.wanted_games:
            cell_faults.append(
                f"{cell_label}: people are turned away, "
                f"but {cell_counts.done_count} of {cell.wanted_games} games are done"
            )
    return cell_faults
