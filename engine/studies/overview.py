"""How a study stands now, as the researcher's desk shows it: the funnel, cells, participants, games and actions.

`OverviewReader` reads it from the log with a few queries; it knows no page and no server.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from engine.core.events import Json
from engine.core.wording import plural
from engine.play.registry import Registry
from engine.storage.ids import now_ms
from engine.storage.store import Store
from engine.storage.study_listing import ListedGame, StudyEvent, StudyListing
from engine.storage.study_records import OPEN_GAME_STATES, Participation, StudyRecords
from engine.studies.cells import CellCounts, describe_cell
from engine.studies.version import PARTICIPATION_STATES, StudyVersion, StudyVersions

MAX_CLOSED_GAMES = 60
"""Finished games that are listed after those in play."""
STEP_TITLES = {"consent": "Consent", "rules": "Rules", "debriefing": "Debriefing", "end": "End"}


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step of the funnel: how many reached it, are there now and left there, by how they left."""

    step_name: str
    title: str
    participant_count: int
    present_count: int
    left_counts: Mapping[str, int]
    """Participations that ended or stopped here, by state: "declined", "screened_out", "left", …"""
    median_minutes: float | None
    """Median time between the answer before and the answer at this step; None without any."""

    @property
    def continued_count(self) -> int:
        """How many have gone on from here."""
        return self.participant_count - self.present_count - sum(self.left_counts.values())


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """One participant, as the desk lists them."""

    id: str
    pseudonym: str
    state: str
    step: str
    idle_seconds: int | None
    """Seconds since the last sign of the participant; None where nothing more is expected."""
    games_played: int
    games_planned: int
    score: float | None
    """Mean main score of the games that count."""
    flag_texts: tuple[str, ...]
    arrival_time: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of a participant, for watching."""

    episode: str
    pseudonym: str
    game_number: int
    """The number of the game for the participant, below 1 for practice."""
    instance: str
    seat: str
    state: str
    score: float | None
    dealing_time: int


@dataclass(frozen=True)
class Overview:
    """All that the desk shows of a study, as of one moment (`read_time`, UTC milliseconds)."""

    name: str
    title: str
    state: str
    version: str
    read_at_ms: int
    arrived_count: int
    state_counts: Mapping[str, int]
    funnel_steps: Sequence[FunnelStep]
    cells: Sequence[Json]
    """As `ludens study status --format json` prints them."""
    participants: Sequence[ParticipantRow]
    games: Sequence[GameRow]
    """Games in play, then the latest others."""
    events: Sequence[StudyEvent]
    """The latest events, latest first."""
    end_texts: Mapping[str, str]
    """The code or address of each end, "" where the study file has none."""
    waiting_program: str | None
    """The program that the study file seats opposite those who wait in vain."""

    def find_participant(self, pseudonym: str | None) -> ParticipantRow | None:
        """Return the participant with a pseudonym, None if there is none."""
        return next((row for row in self.participants if row.pseudonym == pseudonym), None)


class OverviewReader:
    """Reads overviews through one connection."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self.study_records = StudyRecords(store, store)
        self._study_versions = StudyVersions(self.study_records, registry)
        self._listing = StudyListing(store)

    def read_overview(self, study_name: str) -> Overview:
        """Return how a study stands. Raises `StoreError`, `BadStudy`."""
        study_row, version, read_at_ms = (
            self.study_records.read_study(study_name),
            self._study_versions.get_version(study_name),
            now_ms(),
        )
        people = self.study_records.list_participations(study_name)
        games = self._listing.list_games(study_name)
        count_by_cell = {cell: CellCounts(*row) for cell, row in self.study_records.count_cells(study_name).items()}
        state_counts = Counter(person.state for person in people)
        study = version.study
        return Overview(
            name=study_name,
            title=study.title,
            state=study_row.state,
            version=study_row.version,
            read_at_ms=read_at_ms,
            arrived_count=len(people),
            state_counts={state_name: state_counts[state_name] for state_name in PARTICIPATION_STATES},
            funnel_steps=self._read_funnel(people, version),
            cells=[describe_cell(cell, count_by_cell.get(cell.cell_key, CellCounts())) for cell in version.cells],
            participants=self._list_participants(people, games, read_at_ms),
            games=self._list_games(people, games),
            events=self._listing.list_events(study_name),
            end_texts=study.ends.model_dump(),
            waiting_program=study.waiting.program,
        )

    # ------------------------------------------------------------------ the funnel
    def _read_funnel(self, people: Sequence[Participation], version: StudyVersion) -> list[FunnelStep]:
        reached_count_by_step, present_count_by_step = Counter[str](), Counter[str]()
        departed_counts_by_step: dict[str, Counter[str]] = defaultdict(Counter)
        for person in people:
            step_names = self._find_version(person).steps
            reached_count_by_step.update(step_names[: person.step + 1])
            if person.state == "playing":
                present_count_by_step[step_names[person.step]] += 1
            elif person.state != "completed":
                departed_counts_by_step[step_names[person.step]][person.state] += 1
        minutes_by_step = self._measure_step_minutes(people)
        other_steps = [step for step in reached_count_by_step if step not in version.steps]
        return [
            FunnelStep(
                step,
                find_step_title(step, version),
                reached_count_by_step[step],
                present_count_by_step[step],
                dict(departed_counts_by_step[step]),
                median(minutes_by_step[step]) if minutes_by_step.get(step) else None,
            )
            for step in (*version.steps, *other_steps)
        ]

    def _measure_step_minutes(self, people: Sequence[Participation]) -> dict[str, list[float]]:
        minutes_by_step: dict[str, list[float]] = defaultdict(list)
        last_times = {person.id: person.arrived for person in people}
        if people:
            for participation_id, step_name, answer_time in self._listing.list_answer_times(people[0].study):
                minutes_by_step[step_name].append((answer_time - last_times[participation_id]) / 60_000)
                last_times[participation_id] = answer_time
        return minutes_by_step

    def _find_version(self, person: Participation) -> StudyVersion:
        return self._study_versions.get_version(person.study, person.version)

    # ------------------------------------------------------------------ lists
    def _list_participants(
        self, people: Sequence[Participation], games: Sequence[ListedGame], now_time: int
    ) -> list[ParticipantRow]:
        games_by_person: dict[str, list[ListedGame]] = defaultdict(list)
        for game in games:
            games_by_person[game.participation].append(game)
        marks_by_person = self._list_answer_marks(people)
        participant_rows = []
        for person in people:
            version = self._find_version(person)
            dealt_games = games_by_person[person.id]
            scores = [game.score for game in dealt_games if game.state == "counts" and game.score is not None]
            flag_texts = [
                *(["pilot"] if person.pilot else []),
                *([f"excluded: {person.excluded}"] if person.excluded else []),
                *marks_by_person[person.id],
            ]
            participant_rows.append(
                ParticipantRow(
                    id=person.id,
                    pseudonym=person.pseudonym,
                    state=_describe_state(person),
                    step=find_step_title(version.steps[person.step], version),
                    idle_seconds=(now_time - person.last_seen) // 1000 if person.state == "playing" else None,
                    games_played=sum(game.state not in OPEN_GAME_STATES and game.position > 0 for game in dealt_games),
                    games_planned=version.study.games.count,
                    score=sum(scores) / len(scores) if scores else None,
                    flag_texts=tuple(flag_texts),
                    arrival_time=person.arrived,
                )
            )
        return participant_rows

    def _list_answer_marks(self, people: Sequence[Participation]) -> dict[str, list[str]]:
        """Return what a researcher should know of answers: failed attention checks, repeated attempts at the rules."""
        marks_by_person: dict[str, list[str]] = defaultdict(list)
        version_by_person = {person.id: self._find_version(person) for person in people}
        steps_by_version = {
            step
            for version in {id(version): version for version in version_by_person.values()}.values()
            for step in (*version.checks, "rules")
        }
        if not people:
            return marks_by_person
        failed_counts, attempt_counts = Counter[str](), Counter[str]()
        for person_id, step, attempt, answers in self._listing.list_answers(people[0].study, tuple(steps_by_version)):
            if step == "rules":
                attempt_counts[person_id] = attempt
            failed_counts[person_id] += sum(
                question.is_failed(answers.get(question.name))
                for question in version_by_person[person_id].checks.get(step, ())
            )
        for person_id in version_by_person:
            if failed_counts[person_id]:
                marks_by_person[person_id].append(plural(failed_counts[person_id], "failed attention check"))
            if attempt_counts[person_id] > 1:
                marks_by_person[person_id].append(f"{attempt_counts[person_id]} attempts at the rules")
        return marks_by_person

    def _list_games(self, people: Sequence[Participation], games: Sequence[ListedGame]) -> list[GameRow]:
        person_by_id = {person.id: person for person in people}
        sorted_games = [game for game in reversed(games) if game.episode and game.state != "removed"]
        games_in_play = [game for game in sorted_games if game.state in OPEN_GAME_STATES]
        closed_games = [game for game in sorted_games if game.state not in OPEN_GAME_STATES]
        game_rows = []
        for game in (*games_in_play, *closed_games[:MAX_CLOSED_GAMES]):
            person = person_by_id[game.participation]
            cell = self._find_version(person).find_cell(game.cell)
            game_rows.append(
                GameRow(
                    str(game.episode),
                    person.pseudonym,
                    game.position,
                    cell.instance.instance_id if cell else "",
                    game.seat,
                    game.state,
                    game.score,
                    game.dealt,
                )
            )
        return game_rows


def _describe_state(person: Participation) -> str:
    """Return the state of a participation in words; of one that was turned away, the reason."""
    state_name = person.reason if person.state == "turned_away" and person.reason else person.state
    return state_name.replace("_", " ")


def find_step_title(step_name: str, version: StudyVersion) -> str:
    """Return what a step is called on the desk."""
    if step_name in STEP_TITLES:
        return STEP_TITLES[step_name]
    if step_name.startswith(("game-", "practice-")):
        return step_name.capitalize().replace("-", " ")
    if not step_name.startswith("survey-"):
        return step_name
    _, survey_time, survey_index, *game_number = step_name.split("-")
    surveys = version.study.list_surveys(survey_time)
    survey_title = surveys[int(survey_index)].title if int(survey_index) < len(surveys) else "Survey"
    return f"{survey_title} (game {game_number[0]})" if game_number else survey_title
