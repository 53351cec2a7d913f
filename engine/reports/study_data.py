"""Everything that the report of a study is made from: its people, their games and answers, and the models' games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine.core.events import Json
from engine.play.registry import Registry
from engine.results.agreement import krippendorff_alpha
from engine.results.index import Results
from engine.results.play_measures import SeatMeasures, measure_seats
from engine.results.study_analysis import GuessTable, make_guess_table
from engine.results.study_summary import (
    COUNTED_GAME_STATE,
    ConditionSummary,
    StudyPlay,
    list_people_seats,
    summarise_study,
)
from engine.storage.database import StoreError
from engine.storage.episode_result import EpisodeResult
from engine.storage.seat_links import count_repeat_exposures
from engine.storage.store import Store
from engine.storage.study_records import FIRST_GAME_POSITION, Participation, StudyGame, StudyRecords, was_game_left
from engine.studies.exclusions import count_failures, list_exclusion_reasons, measure_minutes
from engine.studies.payments import Bonus, compute_bonuses, find_ending_name, read_played_games
from engine.studies.study_file import Study, SurveyQuestion
from engine.studies.version import StudyVersion, StudyVersions

GUESS_QUESTION, PROGRAM_ANSWER = "partner_guess", "A computer program"
"""The question of the block `person_or_machine`, and one of its answers."""


@dataclass(frozen=True, slots=True)
class StudyPerson:
    """One participation as the report counts it, with its games but those for practice.

    `minutes` are without waiting, None while it goes on.
    """

    participation: Participation
    games: Sequence[StudyGame]
    exclusions: Sequence[str]
    minutes: float | None
    failed_checks: int

    @property
    def end(self) -> str:
        """How the participation ended, as `[ends]` names it, or its state."""
        return find_ending_name(self.participation)

    @property
    def has_played(self) -> bool:
        """Whether a game was dealt to this person."""
        return bool(self.games)


@dataclass(frozen=True, slots=True)
class AnswerSummary:
    """The answers to one closed question: how many gave each, or for numbers their median and range.

    Of a question after each game, `answers` counts games, and `alpha` is Krippendorff's alpha of the answers of
    different people to the same seat of the same instance.
    """

    question: SurveyQuestion
    people: int
    answers: int
    counts: Mapping[str, int]
    numbers: Sequence[float]
    is_after_game: bool = False
    alpha: float | None = None


@dataclass(slots=True)
class StudyData:
    """A study with everything that its report shows. `measures` are by episode and seat."""

    study: Study
    versions: Sequence[str]
    people: list[StudyPerson]
    pilots: int
    plays: list[StudyPlay]
    measures: dict[str, dict[str, SeatMeasures]]
    summaries: list[ConditionSummary]
    guesses: GuessTable | None
    answers: list[AnswerSummary]
    bonuses: Sequence[Bonus]
    kinds: dict[str, str] = field(default_factory=dict)
    """The kind of each compared player: "model" or "program"."""

    @property
    def exclusions_by_pseudonym(self) -> dict[str, Sequence[str]]:
        """The reasons of everybody who is left out, by pseudonym."""
        return {person.participation.pseudonym: person.exclusions for person in self.people if person.exclusions}


def read_study_data(
    store: Store,
    study_records: StudyRecords,
    registry: Registry,
    study_name: str,
    *,
    include_pilot: bool = False,
    is_compared: Callable[[str], bool] = lambda player: True,
) -> StudyData:
    """Return the data of a study. Raises `StoreError` for an unknown study, `BadStudy` for one that cannot be read.

    Pilot participations are left out unless `include_pilot`. `is_compared` says which players people are compared with.
    """
    versions = StudyVersions(study_records, registry)
    study = versions.get_version(study_name).study
    all_participations = study_records.list_participations(study_name)
    included_people = [person for person in all_participations if include_pilot or not person.pilot]
    people = [_read_person(p, versions.get_version(study_name, p.version), study_records) for p in included_people]
    results = Results(store, registry)
    results.refresh()
    result_by_episode = {result.episode: result for result in results.episodes}
    measures: dict[str, dict[str, SeatMeasures]] = {}
    study_plays = _read_plays(people, result_by_episode, store, measures)
    excluded_people = {person.participation.pseudonym for person in people if person.exclusions}
    summaries = summarise_study(
        study_plays,
        [result for result in results.episodes if not result.condition.people],
        excluded_people,
        is_random_order=study.games.order != "blocks",
        is_compared=is_compared,
    )
    for summary in summaries:
        for model in summary.models:
            for episode in model.episodes:
                measures[episode] = measures.get(episode) or measure_seats(store.events(episode))
    kind_by_player = {
        model.player: "model" if registry.player_kind(model.player, summary.condition.game) == "model" else "program"
        for summary in summaries
        for model in summary.models
    }
    return StudyData(
        study,
        [study_row.version for study_row in study_records.read_versions(study_name)],
        people,
        sum(bool(person.pilot) for person in all_participations),
        study_plays,
        measures,
        summaries,
        _read_guesses(people, study_plays, study_records),
        _read_answers([person for person in people if not person.exclusions], study_plays, versions, study_records),
        compute_bonuses(
            included_people,
            lambda person: versions.get_version(study_name, person.version).study,
            {person.id: read_played_games(store, study_records, registry, person) for person in included_people},
        ),
        kind_by_player,
    )


def _read_person(participation: Participation, version: StudyVersion, study_records: StudyRecords) -> StudyPerson:
    games = [game for game in study_records.list_games(participation.id) if game.position >= FIRST_GAME_POSITION]
    answers = study_records.list_answers(participation.id)
    # who never played has nothing to leave out, unless somebody decided so
    has_data = bool(games) or participation.excluded is not None
    reasons = list_exclusion_reasons(participation, version, answers, games) if has_data else []
    return StudyPerson(participation, games, reasons, measure_minutes(participation), count_failures(version, answers))


def _read_plays(
    people: Sequence[StudyPerson],
    result_by_episode: Mapping[str, EpisodeResult],
    store: Store,
    measures: dict[str, dict[str, SeatMeasures]],
) -> list[StudyPlay]:
    """Return the games of participants that are over, and note what was done in each."""
    repeats = count_repeat_exposures(store)
    seats_by_episode: dict[str, list[str]] = {}
    for person in people:
        for game in person.games:
            seats_by_episode.setdefault(game.episode or "", []).append(person.participation.pseudonym)
    study_plays = []
    for person in people:
        for game in person.games:
            result = result_by_episode.get(game.episode or "")
            if game.episode is None or result is None or game.state in ("reserved", "playing"):
                continue
            if game.episode not in measures:
                measures[game.episode] = measure_seats(store.events(game.episode))
            seat_measures = measures[game.episode].get(game.seat, SeatMeasures())
            study_plays.append(
                StudyPlay(
                    person.participation.pseudonym,
                    game.position,
                    game.seat,
                    game.state,
                    replace(result, participants=tuple(sorted(set(seats_by_episode[game.episode])))),
                    was_game_left(game, _game_outcome(store, game.episode)) or seat_measures.was_seat_handed_over,
                    result.seen_before or game.episode in repeats,
                    seat_measures.choice,
                )
            )
    return study_plays


def _game_outcome(store: Store, episode: str) -> Json | None:
    try:
        return store.episode(episode).outcome
    except StoreError:  # removed a moment ago
        return None


def _read_guesses(
    people: Sequence[StudyPerson], plays: Sequence[StudyPlay], study_records: StudyRecords
) -> GuessTable | None:
    """Return the first guess of each person against what the partner was; None where nobody was asked."""
    is_machine_by_game: dict[tuple[str, int], bool] = {}
    for play in plays:
        other_seats = set(play.result.condition.seats) - {play.seat}
        other_people_seats = other_seats & set(list_people_seats(play.result.condition))
        if other_seats and not play.result.mixed and other_people_seats in (set(), other_seats):  # else it was both
            is_machine_by_game[play.person, play.position] = not other_people_seats
    is_machine_flags, guesses = [], []
    for person in people:
        pseudonym = person.participation.pseudonym
        for step_name, _, step_answers, _ in study_records.list_answers(person.participation.id):
            if GUESS_QUESTION not in step_answers or person.exclusions:
                continue
            *_, game_number = step_name.split("-")
            partner_is_machine_flags = [
                is_machine
                for (other_person, position), is_machine in is_machine_by_game.items()
                if other_person == pseudonym and ("after_game" not in step_name or position == int(game_number))
            ]
            if len(set(partner_is_machine_flags)) == 1:
                is_machine_flags.append(partner_is_machine_flags[0])
                guesses.append(step_answers[GUESS_QUESTION] == PROGRAM_ANSWER)
                break
    return make_guess_table(is_machine_flags, guesses) if is_machine_flags else None


class _Answer(NamedTuple):
    """An answer of a person; `instance_and_seat` are those of the game after which it was given, if any."""

    person: str
    value: Any
    instance_and_seat: tuple[str, str] | None


def _read_answers(
    people: Sequence[StudyPerson], plays: Sequence[StudyPlay], versions: StudyVersions, study_records: StudyRecords
) -> list[AnswerSummary]:
    """Return the answers to closed questions; free text stays in the export.

    After a game, only the answers of people whose game counts are read.
    """
    instance_and_seat_by_play = {
        (play.person, play.position): (play.result.instance_hash, play.seat)
        for play in plays
        if play.state == COUNTED_GAME_STATE
    }
    questions: dict[tuple[bool, str], SurveyQuestion] = {}
    answers_by_question: dict[tuple[bool, str], list[_Answer]] = {}
    for person in people:
        pseudonym = person.participation.pseudonym
        version = versions.get_version(person.participation.study, person.participation.version)
        for step_name, _, answers, _ in study_records.list_answers(person.participation.id):
            is_after_game = step_name.startswith("survey-after_game-")
            instance_and_seat = (
                instance_and_seat_by_play.get((pseudonym, int(step_name.rpartition("-")[2]))) if is_after_game else None
            )
            if not step_name.startswith("survey-") or (is_after_game and instance_and_seat is None):
                continue
            for question in version.list_questions(step_name):
                if question.kind != "text" and (answer_value := answers.get(question.name)) is not None:
                    questions[is_after_game, question.name] = question
                    answers_by_question.setdefault((is_after_game, question.name), []).append(
                        _Answer(pseudonym, answer_value, instance_and_seat)
                    )
    return [
        _summarise_answers(question, answers_by_question[question_key], is_after_game=question_key[0])
        for question_key, question in questions.items()
    ]


def _summarise_answers(question: SurveyQuestion, answers: Sequence[_Answer], *, is_after_game: bool) -> AnswerSummary:
    is_number = question.kind in ("number", "scale")
    answer_values = [answer.value for answer in answers]
    option_counts = Counter(option for v in answer_values for option in (v if isinstance(v, list) else [v]))
    answers_by_unit: dict[tuple[str, str] | None, list[Any]] = {}
    for answer in answers:
        value = tuple(answer.value) if isinstance(answer.value, list) else answer.value
        answers_by_unit.setdefault(answer.instance_and_seat, []).append(value)
    return AnswerSummary(
        question,
        len({answer.person for answer in answers}),
        len(answers),
        {} if is_number else {option: option_counts[option] for option in question.options if option_counts[option]},
        sorted(map(float, answer_values)) if is_number else (),
        is_after_game,
        krippendorff_alpha(answers_by_unit.values(), "interval" if is_number else "nominal") if is_after_game else None,
    )
