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
from engine.storage.study_records import OPEN_GAMES, Participation, StudyRecords
from engine.studies.cells import CellCounts, describe_cell
from engine.studies.version import PARTICIPATION_STATES, StudyVersion, StudyVersions

GAMES_LISTED = 60
"""Finished games that are listed after those in play."""
STEP_TITLES = {"consent": "Consent", "rules": "Rules", "debriefing": "Debriefing", "end": "End"}


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """One step of the funnel: how many reached it, are there now and left there, by how they left."""

    step: str
    title: str
    reached: int
    here: int
    left: Mapping[str, int]
    """Participations that ended or stopped here, by state: "declined", "screened_out", "left", …"""
    median_minutes: float | None
    """Median time between the answer before and the answer at this step; None without any."""

    @property
    def went_on(self) -> int:
        """How many have gone on from here."""
        return self.reached - self.here - sum(self.left.values())


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
    flags: tuple[str, ...]
    arrived: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of a participant, for watching."""

    episode: str
    pseudonym: str
    position: int
    """The number of the game for the participant, below 1 for practice."""
    instance: str
    seat: str
    state: str
    score: float | None
    dealt: int


@dataclass(frozen=True)
class Overview:
    """All that the desk shows of a study, as of one moment (`time`, UTC milliseconds)."""

    name: str
    title: str
    state: str
    version: str
    time: int
    arrived: int
    states: Mapping[str, int]
    funnel: Sequence[FunnelStep]
    cells: Sequence[Json]
    """As `ludens study status --format json` prints them."""
    participants: Sequence[ParticipantRow]
    games: Sequence[GameRow]
    """Games in play, then the latest others."""
    events: Sequence[StudyEvent]
    """The latest events, latest first."""
    ends: Mapping[str, str]
    """The code or address of each end, "" where the study file has none."""
    waiting_program: str | None
    """The program that the study file seats opposite those who wait in vain."""

    def participant(self, pseudonym: str | None) -> ParticipantRow | None:
        """Return the participant with a pseudonym, None if there is none."""
        return next((p for p in self.participants if p.pseudonym == pseudonym), None)


class OverviewReader:
    """Reads overviews through one connection."""

    def __init__(self, store: Store, registry: Registry) -> None:
        self.study_records = StudyRecords(store, store)
        self._study_versions = StudyVersions(self.study_records, registry)
        self._listing = StudyListing(store)

    def read_overview(self, study_name: str) -> Overview:
        """Return how a study stands. Raises `StoreError`, `BadStudy`."""
        study_row, version, read_time = (
            self.study_records.read_study(study_name),
            self._study_versions.get_version(study_name),
            now_ms(),
        )
        people = self.study_records.list_participations(study_name)
        games = self._listing.list_games(study_name)
        count_by_cell = {cell: CellCounts(*c) for cell, c in self.study_records.count_cells(study_name).items()}
        state_counts = Counter(person.state for person in people)
        study = version.study
        return Overview(
            name=study_name,
            title=study.title,
            state=study_row.state,
            version=study_row.version,
            time=read_time,
            arrived=len(people),
            states={state_name: state_counts[state_name] for state_name in PARTICIPATION_STATES},
            funnel=self._read_funnel(people, version),
            cells=[describe_cell(cell, count_by_cell.get(cell.key, CellCounts())) for cell in version.cells],
            participants=self._list_participants(people, games, read_time),
            games=self._list_games(people, games),
            events=self._listing.list_events(study_name),
            ends=study.ends.model_dump(),
            waiting_program=study.waiting.program,
        )

    # ------------------------------------------------------------------ the funnel
    def _read_funnel(self, people: Sequence[Participation], version: StudyVersion) -> list[FunnelStep]:
        reached_counts, present_counts = Counter[str](), Counter[str]()
        left_counts: dict[str, Counter[str]] = defaultdict(Counter)
        for person in people:
            step_names = self._study_version(person).steps
            reached_counts.update(step_names[: person.step + 1])
            if person.state == "playing":
                present_counts[step_names[person.step]] += 1
            elif person.state != "completed":
                left_counts[step_names[person.step]][person.state] += 1
        minutes = self._minutes_at_steps(people)
        other_steps = [step for step in reached_counts if step not in version.steps]
        return [
            FunnelStep(
                step,
                step_title(step, version),
                reached_counts[step],
                present_counts[step],
                dict(left_counts[step]),
                median(minutes[step]) if minutes.get(step) else None,
            )
            for step in (*version.steps, *other_steps)
        ]

    def _minutes_at_steps(self, people: Sequence[Participation]) -> dict[str, list[float]]:
        minutes: dict[str, list[float]] = defaultdict(list)
        last_times = {person.id: person.arrived for person in people}
        if people:
            for id_, step_name, time in self._listing.list_answer_times(people[0].study):
                minutes[step_name].append((time - last_times[id_]) / 60_000)
                last_times[id_] = time
        return minutes

    def _study_version(self, person: Participation) -> StudyVersion:
        return self._study_versions.get_version(person.study, person.version)

    # ------------------------------------------------------------------ lists
    def _list_participants(
        self, people: Sequence[Participation], games: Sequence[ListedGame], now_time: int
    ) -> list[ParticipantRow]:
        games_by_person: dict[str, list[ListedGame]] = defaultdict(list)
        for game in games:
            games_by_person[game.participation].append(game)
        marks = self._marks_of_answers(people)
        participant_rows = []
        for person in people:
            version = self._study_version(person)
            dealt_games = games_by_person[person.id]
            scores = [game.score for game in dealt_games if game.state == "counts" and game.score is not None]
            flags = [
                *(["pilot"] if person.pilot else []),
                *([f"excluded: {person.excluded}"] if person.excluded else []),
                *marks[person.id],
            ]
            participant_rows.append(
                ParticipantRow(
                    id=person.id,
                    pseudonym=person.pseudonym,
                    state=_state_text(person),
                    step=step_title(version.steps[person.step], version),
                    idle_seconds=(now_time - person.last_seen) // 1000 if person.state == "playing" else None,
                    games_played=sum(game.state not in OPEN_GAMES and game.position > 0 for game in dealt_games),
                    games_planned=version.study.games.count,
                    score=sum(scores) / len(scores) if scores else None,
                    flags=tuple(flags),
                    arrived=person.arrived,
                )
            )
        return participant_rows

    def _marks_of_answers(self, people: Sequence[Participation]) -> dict[str, list[str]]:
        """Return what a researcher should know of answers: failed attention checks, repeated attempts at the rules."""
        marks_by_person: dict[str, list[str]] = defaultdict(list)
        versions = {person.id: self._study_version(person) for person in people}
        steps_by_version = {
            step
            for version in {id(version): version for version in versions.values()}.values()
            for step in (*version.checks, "rules")
        }
        if not people:
            return marks_by_person
        failed_counts, attempts = Counter[str](), Counter[str]()
        for id_, step, attempt, answers in self._listing.list_answers(people[0].study, tuple(steps_by_version)):
            if step == "rules":
                attempts[id_] = attempt
            failed_counts[id_] += sum(
                check.is_failed(answers.get(check.name)) for check in versions[id_].checks.get(step, ())
            )
        for id_ in versions:
            if failed_counts[id_]:
                marks_by_person[id_].append(plural(failed_counts[id_], "failed attention check"))
            if attempts[id_] > 1:
                marks_by_person[id_].append(f"{attempts[id_]} attempts at the rules")
        return marks_by_person

    def _list_games(self, people: Sequence[Participation], games: Sequence[ListedGame]) -> list[GameRow]:
        person_by_id = {person.id: person for person in people}
        latest_first = [game for game in reversed(games) if game.episode and game.state != "removed"]
        games_in_play = [game for game in latest_first if game.state in OPEN_GAMES]
        closed_games = [game for game in latest_first if game.state not in OPEN_GAMES]
        game_rows = []
        for game in (*games_in_play, *closed_games[:GAMES_LISTED]):
            person = person_by_id[game.participation]
            cell = self._study_version(person).cell(game.cell)
            game_rows.append(
                GameRow(
                    str(game.episode),
                    person.pseudonym,
                    game.position,
                    cell.item.instance_id if cell else "",
                    game.seat,
                    game.state,
                    game.score,
                    game.dealt,
                )
            )
        return game_rows


def _state_text(person: Participation) -> str:
    """Return the state of a participation in words; of one that was turned away, the reason."""
    state_name = person.reason if person.state == "turned_away" and person.reason else person.state
    return state_name.replace("_", " ")


def step_title(step_name: str, version: StudyVersion) -> str:
    """Return what a step is called on the desk."""
    if step_name in STEP_TITLES:
        return STEP_TITLES[step_name]
    if step_name.startswith(("game-", "practice-")):
        return step_name.capitalize().replace("-", " ")
    if not step_name.startswith("survey-"):
        return step_name
    _, survey_time, survey_index, *game_number = step_name.split("-")
    surveys = version.study.surveys_at(survey_time)
    title = surveys[int(survey_index)].title if int(survey_index) < len(surveys) else "Survey"
    return f"{title} (game {game_number[0]})" if game_number else title
