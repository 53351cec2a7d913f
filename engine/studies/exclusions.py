"""Who is left out of the analysis of a study, and why: the rules of the study file, and what was decided by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.storage.study_records import Participation, StudyGame
from engine.studies.study_file import Study
from engine.studies.version import StudyVersion

Answers = Sequence[tuple[str, int, dict[str, Any], int]]
"""What a person answered, as `StudyRecords.answers` returns it: (step, attempt, answers, time)."""


def count_failures(version: StudyVersion, answers: Answers) -> int:
    """Return how many attention checks of surveys a person failed."""
    failed_count = 0
    for step_name, _, replies, _ in answers:
        if step_name.startswith("survey-"):
            failed_count += sum(
                question.is_failed(replies.get(question.name)) for question in version.list_questions(step_name)
            )
    return failed_count


def measure_minutes(participation: Participation) -> float | None:
    """Return the minutes from arrival to the end, without waiting for partners; None while somebody takes part."""
    if participation.ended is None:
        return None
    return max(0, participation.ended - participation.arrived - participation.waited) / 60_000


def list_exclusion_reasons(
    participation: Participation, version: StudyVersion, answers: Answers, games: Sequence[StudyGame]
) -> list[str]:
    """Return why a person is left out of the analysis, in words; empty for everybody who is not.

    The rules are those of the version with which the person began. `games` are those dealt to the person.
    """
    study: Study = version.study
    exclusion_rules, reason_texts = study.exclusions, []
    if participation.excluded is not None:
        reason_texts.append(f"by hand: {participation.excluded}")
    if exclusion_rules.failed_checks is not None and count_failures(version, answers) >= exclusion_rules.failed_checks:
        reason_texts.append(f"failed attention checks: {exclusion_rules.failed_checks} or more")
    minutes = measure_minutes(participation) if participation.state == "completed" else None
    if exclusion_rules.min_minutes is not None and minutes is not None and minutes < exclusion_rules.min_minutes:
        reason_texts.append(f"completed in less than {exclusion_rules.min_minutes:g} minutes")
    if (
        exclusion_rules.min_games is not None
        and sum(game.state == "counts" for game in games) < exclusion_rules.min_games
    ):
        reason_texts.append(f"played fewer than {exclusion_rules.min_games} games that count")
    for question_name, exclusion_answers in exclusion_rules.answers.items():
        person_answers = [
            answer_text
            for _, _, stored_answers, _ in answers
            if question_name in stored_answers
            for answer_text in _list_answers(stored_answers[question_name])
        ]
        for answer_text in exclusion_answers:
            if answer_text in person_answers:
                reason_texts.append(f"answered {answer_text!r} to {question_name}")
    return reason_texts


def describe_rules(study: Study) -> list[str]:
    """Return the rules of a study file for leaving people out, in words."""
    exclusion_rules, rule_texts = study.exclusions, []
    if exclusion_rules.failed_checks is not None:
        rule_texts.append(f"people who failed {exclusion_rules.failed_checks} or more attention checks")
    if exclusion_rules.min_minutes is not None:
        rule_texts.append(
            f"people who completed the study in less than {exclusion_rules.min_minutes:g} minutes, waiting not counted"
        )
    if exclusion_rules.min_games is not None:
        rule_texts.append(f"people who played fewer than {exclusion_rules.min_games} games that count")
    rule_texts += [
        f"people who answered {' or '.join(map(repr, answers))} to {question_name}"
        for question_name, answers in exclusion_rules.answers.items()
    ]
    return rule_texts


def _list_answers(stored_answer: Any) -> list[str]:
    return [str(choice) for choice in stored_answer] if isinstance(stored_answer, list) else [str(stored_answer)]
