"""Export of a study: a Psych-DS data set of its games, and tables of participants, answers, dealt games and actions."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.core.events import Json, to_json
from engine.core.partner import partner_nature
from engine.core.spreadsheet import escape_formulas
from engine.formats.export import export_episodes
from engine.formats.psych_ds import PsychDsWriter
from engine.formats.writer import ExportOptions, format_iso_time
from engine.storage.store import Store
from engine.storage.study_records import StudyGame, StudyRecords

if TYPE_CHECKING:
    from engine.play.registry import Registry

STUDY_COLUMNS: dict[str, dict[str, str]] = {
    "participants": {
        "participant": "pseudonym of the person, by study",
        "study_version": "version of the study with which the person began",
        "state": "playing, completed, declined, screened_out, turned_away, withdrawn or left",
        "reason": "why the person was turned away or screened out; deleted: by the researcher, on request",
        "pilot": "1 in a pilot",
        "excluded": "why the data are left out, empty if they are not",
        "consent_version": "version of the consent that the person agreed to",
        "arrived": "time of the arrival",
        "ended": "time of the end",
        "waited_seconds": "seconds of waiting for a partner",
    },
    "answers": {
        "participant": "pseudonym of the person",
        "step": "step of the study: consent, survey-WHEN-INDEX, rules, game-NUMBER, debriefing",
        "attempt": "number of the attempt, from 1",
        "question": "name of the question",
        "answer": "the answer; JSON for several choices",
        "time": "time of the answer",
    },
    "games": {
        "participant": "pseudonym of the person",
        "position": "number of the game for this person, from 1",
        "cell": "the cell of the study that it was dealt for; a game with the program for waiting does not fill it",
        "episode": "id of the episode",
        "seat": "the seat of the person",
        "partner": "what had the other seats: person, program, or both; empty without another seat",
        "game_state": "counts, reserved, playing, or why it does not count",
        "surplus": "1 where the cell was full already",
        "dealt": "time when it was dealt",
        "game_ended": "time when its end was noted",
    },
    "actions": {
        "participant": "pseudonym of the person, empty where the whole study is concerned",
        "action": "what was done",
        "details": "JSON",
        "time": "when",
    },
}
"""Columns of the tables of a study, each with its meaning."""


class StudyWriter(PsychDsWriter):
    """Writes the games of a study, and the study's own tables and files."""

    tables_text = (
        "Tables in\n`data/`: `episodes`, `turns` and `replies`; `participants`, `answers`, `games` (as dealt)\n"
        "and `actions` of the study. `materials/` has the study files and pages. `review.txt` lists words that may\n"
        "identify somebody."
    )

    def __init__(
        self,
        root: Path,
        options: ExportOptions,
        *,
        study_name: str,
        tables: Mapping[str, Iterable[Json]],
        files: Mapping[str, str],
    ) -> None:
        super().__init__(root, options)
        self.title = f"Ludens study {study_name}"
        for table_name, table_rows in tables.items():
            table_file = self._folder.open(self.make_file_name(table_name))
            table_writer = csv.DictWriter(table_file, list(STUDY_COLUMNS[table_name]), lineterminator="\n")
            table_writer.writeheader()
            for table_row in table_rows:
                table_writer.writerow(escape_formulas(table_row, is_raw=options.raw_cells))
                self.counts[table_name] += 1
        for file_name, file_text in files.items():
            self._folder.write(f"materials/{file_name}", file_text)

    @property
    def columns(self) -> dict[str, dict[str, str]]:
        """The columns of the games' tables and of the study's own with their meanings, by table."""
        return super().columns | STUDY_COLUMNS


def export_study(
    store: Store,
    study_records: StudyRecords,
    registry: Registry,
    study_name: str,
    folder: Path,
    ludens_version: str,
    text_by_file: Mapping[str, str],
    *,
    raw_cells: bool = False,
) -> Json:
    """Write everything of a study, and text files by name, into an empty folder; return the metadata.

    Raises `StoreError`.
    """
    rows_by_table = make_study_tables(store, study_records, study_name)
    options = ExportOptions(
        people=True,
        raw_cells=raw_cells,
        participants={(row["episode"], row["seat"]): row["participant"] for row in rows_by_table["games"]},
        episodes=list_study_episodes(rows_by_table),
    )
    make_writer = partial(StudyWriter, study_name=study_name, tables=rows_by_table, files=text_by_file)
    return export_episodes(store, registry, folder, "study", options, ludens_version, make_writer)


def make_study_tables(store: Store, study_records: StudyRecords, study_name: str) -> dict[str, list[Json]]:
    """Return the rows of a study's tables, with pseudonyms in place of ids."""
    people = study_records.list_participations(study_name)
    pseudonym_by_id = {person.id: person.pseudonym for person in people}
    participant_rows = [
        {
            "participant": person.pseudonym,
            "study_version": person.version,
            "state": person.state,
            "reason": person.reason,
            "pilot": person.pilot,
            "excluded": person.excluded,
            "consent_version": person.consent,
            "arrived": format_iso_time(person.arrived),
            "ended": _format_time(person.ended),
            "waited_seconds": person.waited // 1000,
        }
        for person in people
    ]
    answer_rows = [
        {
            "participant": person.pseudonym,
            "step": step_name,
            "attempt": attempt,
            "question": question_name,
            "answer": to_json(answer_value) if isinstance(answer_value, list | bool) else answer_value,
            "time": format_iso_time(time_ms),
        }
        for person in people
        for step_name, attempt, given_answers, time_ms in study_records.list_answers(person.id)
        for question_name, answer_value in given_answers.items()
    ]
    game_rows = [
        {
            "participant": person.pseudonym,
            "position": game.position,
            "cell": game.cell,
            "episode": game.episode,
            "seat": game.seat,
            "partner": _describe_partner(store, game),
            "game_state": game.state,
            "surplus": int(game.surplus),
            "dealt": format_iso_time(game.dealt),
            "game_ended": _format_time(game.ended),
        }
        for person in people
        for game in study_records.list_games(person.id)
    ]
    action_rows = [
        {
            "participant": pseudonym_by_id.get(participation or "", ""),
            "action": action,
            "details": to_json(action_details),
            "time": format_iso_time(time_ms),
        }
        for participation, action, action_details, time_ms in study_records.list_actions(study_name)
    ]
    return {"participants": participant_rows, "answers": answer_rows, "games": game_rows, "actions": action_rows}


def list_study_episodes(rows_by_table: Mapping[str, Sequence[Json]]) -> frozenset[str]:
    """Return the ids of the episodes in the table of games."""
    return frozenset(game_row["episode"] for game_row in rows_by_table["games"] if game_row["episode"])


def _describe_partner(store: Store, game: StudyGame) -> str:
    if game.episode is None or store.status(game.episode) is None:  # not dealt yet, or removed
        return ""
    return partner_nature(store.events(game.episode), game.seat) or ""


def _format_time(milliseconds: int | None) -> str:
    return "" if milliseconds is None else format_iso_time(milliseconds)
