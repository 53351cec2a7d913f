"""One version of a study with its cells and steps; its counts; the signatures of personal links."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import cached_property

from engine.core.events import Json, to_json
from engine.play.registry import Registry
from engine.storage.study_records import StudyRecords, StudyRow
from engine.studies.cells import Cell, CellCounts, build_cells, describe_cell, name_experiment
from engine.studies.study_file import Study, SurveyQuestion, parse_study

PARTICIPATION_STATES = (
    "waiting",
    "declined",
    "screened_out",
    "turned_away",
    "playing",
    "completed",
    "withdrawn",
    "left",
)
"""States of participations, as counts name them; together they are all that have arrived."""


@dataclass(frozen=True)
class StudyVersion:
    """One version of a study with its cells, as this server deals them."""

    study: Study
    cells: tuple[Cell, ...]

    @cached_property
    def steps(self) -> list[str]:
        """The names of all steps, in order: what a participation's `step` counts."""
        study = self.study
        surveys_before_games = [f"survey-before-{index}" for index in range(len(study.list_surveys("before")))]
        practice_steps = [f"practice-{number}" for number in range(1, study.games.practice + 1)]
        after_game_surveys = [f"survey-after_game-{index}" for index in range(len(study.list_surveys("after_game")))]
        game_steps = [
            step
            for number in range(1, study.games.count + 1)
            for step in (f"game-{number}", *(f"{survey}-{number}" for survey in after_game_surveys))
        ]
        surveys_after_games = [f"survey-after-{index}" for index in range(len(study.list_surveys("after")))]
        return [
            "consent",
            *surveys_before_games,
            "rules",
            *practice_steps,
            *game_steps,
            *surveys_after_games,
            *(["debriefing"] if study.debriefing or study.hidden_partner else []),
            "end",
        ]

    @property
    def experiments(self) -> list[str]:
        """The experiments that are dealt, GAME/VARIANT/EXPERIMENT, in the order of the file."""
        return list(dict.fromkeys(name_experiment(cell) for cell in self.cells))

    @cached_property
    def checks(self) -> dict[str, list[SurveyQuestion]]:
        """The attention checks of each step that has any."""
        surveys = {step: self.list_questions(step) for step in self.steps if step.startswith("survey-")}
        checks = {step: [question for question in questions if question.right] for step, questions in surveys.items()}
        return {step: questions for step, questions in checks.items() if questions}

    @property
    def step_after_games(self) -> int:
        """The number of the first step after all games."""
        steps = self.steps
        return 1 + max(step_number for step_number, step_name in enumerate(steps) if is_game_step(step_name))

    def list_questions(self, step_name: str) -> list[SurveyQuestion]:
        """Return the questions of a survey step."""
        _, survey_time, survey_index, *_ = step_name.split("-")
        return self.study.list_surveys(survey_time)[int(survey_index)].all_questions

    def find_cell(self, cell_key: str) -> Cell | None:
        """Return a cell by its key, None where this version has no such cell."""
        return next((cell for cell in self.cells if cell.cell_key == cell_key), None)


def load_version(study_row: StudyRow, registry: Registry) -> StudyVersion:
    """Return a stored version of a study with its cells. Raises `BadStudy`."""
    study = parse_study(study_row.file, f"study {study_row.name}")
    return StudyVersion(study, tuple(build_cells(study, registry)))


class StudyVersions:
    """The versions of studies in a database, each read once: a stored version never changes."""

    def __init__(self, study_records: StudyRecords, registry: Registry) -> None:
        self._study_records, self._registry = study_records, registry
        self._loaded_versions: dict[tuple[str, str], StudyVersion] = {}
        self._study_files: dict[tuple[str, str], Study] = {}

    def read_current_file(self, study_name: str) -> Study:
        """Return the present file of a study, also where its games cannot be dealt here. Raises `StoreError`."""
        study_row = self._study_records.read_study(study_name)
        if (study_name, study_row.version) not in self._study_files:
            self._study_files[study_name, study_row.version] = parse_study(study_row.file, f"study {study_name}")
        return self._study_files[study_name, study_row.version]

    def get_version(self, study_name: str, version: str | None = None) -> StudyVersion:
        """Return a version of a study, by default the present one. Raises `StoreError`, `BadStudy`."""
        if version is None or (study_name, version) not in self._loaded_versions:
            study_row = self._study_records.read_study(study_name, version)
            version = study_row.version
            if (study_name, version) not in self._loaded_versions:
                self._loaded_versions[study_name, version] = load_version(study_row, self._registry)
        return self._loaded_versions[study_name, version]


def is_game_step(step_name: str) -> bool:
    """Return whether a step is a game or a survey after one."""
    return step_name.startswith(("game-", "survey-after_game-"))


def describe_status(study_records: StudyRecords, version: StudyVersion) -> Json:
    """Return how many participants are in which state, and what has become of each cell."""
    study_name = version.study.name
    people = study_records.list_participations(study_name)
    waiters = {
        place.participation for place in study_records.queue.list_queue_places(study_name) if place.state != "missed"
    }
    present_states = ["waiting" if row.state == "playing" and row.id in waiters else row.state for row in people]
    state_counts = {state_name: present_states.count(state_name) for state_name in PARTICIPATION_STATES}
    count_by_cell = {
        cell: CellCounts(*cell_numbers) for cell, cell_numbers in study_records.count_cells(study_name).items()
    }
    cells = [describe_cell(cell, count_by_cell.get(cell.cell_key, CellCounts())) for cell in version.cells]
    return {"arrived": len(people), **state_counts, "cells": cells}


def make_link_key(secret: str, study_name: str, label: str) -> str:
    """Return what signs a personal link, from the database's secret of studies."""
    return hmac.new(bytes.fromhex(secret), to_json([study_name, label]).encode(), hashlib.sha256).hexdigest()[:32]
