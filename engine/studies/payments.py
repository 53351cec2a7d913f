"""What participants of a study are paid as bonus, and how that agrees with a platform's list of submissions.

`compute_bonuses` needs no identifiers; `reconcile_submissions` needs them, and nothing but the files that a researcher
asks for may have them. A person who is left out of the analysis is paid like everybody.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from urllib.parse import parse_qs, urlsplit

from engine.core.events import Json
from engine.play.registry import Registry
from engine.storage.store import Store
from engine.storage.study_records import FIRST_GAME_POSITION, Participation, StudyGame, StudyRecords, was_game_left
from engine.studies.study_file import EndTexts, Study

PAID_ENDING_NAMES = ("completed", "withdrawn", "no_partner", "partner_left", "technical_fault")
"""Ends after which games are paid. Of those who withdrew, finished games are kept, and paid."""
ONE_CENT = Decimal("0.01")
MISSING_CODE_VALUES = ("", "NOCODE")
"""What Prolific's export has where a participant came back without a code."""


@dataclass(frozen=True, slots=True)
class Bonus:
    """The bonus of one participation.

    `played_game_count` games had a score, `credited_game_count` count with the person's mean: games that others or a
    fault ended, and games that a shortened participation did not get.
    """

    participation: str
    pseudonym: str
    ending_name: str
    played_game_count: int
    credited_game_count: int
    amount: Decimal
    is_capped: bool


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A dealt game with what the log knows of it: its score (None without one), and the outcome of its episode."""

    game: StudyGame
    score: float | None
    outcome: Json | None


def find_ending_name(participation: Participation) -> str:
    """Return how a participation ended, as `[ends]` names it; its state while it goes on."""
    if participation.state == "turned_away":
        return participation.reason or "full"
    return participation.state


def compute_bonuses(
    people: Sequence[Participation], find_study: Callable[[Participation], Study], games: Mapping[str, list[PlayedGame]]
) -> list[Bonus]:
    """Return the bonuses of the people whose end is paid, by the `[pay]` table of the version with which each began.

    A person without any score gets the mean amount of all games for the games that others ended.
    """
    amounts_by_person: dict[str, list[Decimal]] = {}
    for person in people:
        pay = find_study(person).pay
        scores = [played_game.score for played_game in games.get(person.id, ()) if played_game.game.state == "counts"]
        amounts_by_person[person.id] = [pay.compute_amount(score or 0.0) for score in scores] if pay else []
    all_amounts = [amount for amounts_of_person in amounts_by_person.values() for amount in amounts_of_person]
    bonus_rows = []
    for person in people:
        study = find_study(person)
        if study.pay is None or find_ending_name(person) not in PAID_ENDING_NAMES:
            continue
        person_amounts = amounts_by_person[person.id]
        credited_game_count = _count_credited_games(person, study, games.get(person.id, ()))
        mean_amount = _average_amounts(person_amounts or all_amounts)
        amount = (sum(person_amounts, Decimal(0)) + credited_game_count * mean_amount).quantize(ONE_CENT, ROUND_HALF_UP)
        is_capped = study.pay.cap is not None and amount > study.pay.cap
        amount = study.pay.cap if is_capped and study.pay.cap is not None else amount
        bonus_rows.append(
            Bonus(
                person.id,
                person.pseudonym,
                find_ending_name(person),
                len(person_amounts),
                credited_game_count,
                amount,
                is_capped,
            )
        )
    return bonus_rows


def _count_credited_games(person: Participation, study: Study, games: Sequence[PlayedGame]) -> int:
    ended_count = sum(
        played_game.game.state not in ("counts", "reserved", "playing", "removed")
        and not was_game_left(played_game.game, played_game.outcome)
        for played_game in games
    )
    missing_count = study.games.count - len(games) if person.state == "completed" else 0
    return ended_count + max(0, missing_count)


def _average_amounts(amounts: Sequence[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0)) / len(amounts) if amounts else Decimal(0)


def read_played_games(
    store: Store, study_records: StudyRecords, registry: Registry, participation: Participation
) -> list[PlayedGame]:
    """Return the games dealt to a participation, with scores and outcomes; a removed episode has neither.

    Practice games are left out.
    """
    played_games = []
    for game in study_records.list_games(participation.id):
        if game.position < FIRST_GAME_POSITION:
            continue
        score, outcome = None, None
        if game.episode and store.status(game.episode):
            episode_row = store.episode(game.episode)
            outcome = episode_row.outcome
            scores = episode_row.scores or (registry.compute_scores(store.events(game.episode))[1] if outcome else {})
            score = scores.get(MAIN_SCORE_NAME)
        played_games.append(PlayedGame(game, score, outcome))
    return played_games


def format_prolific_lines(amount_by_person: Mapping[str, Decimal]) -> str:
    """Return bonuses by Prolific id as Prolific's bulk bonus payment takes them: lines of id and amount, no header."""
    return "".join(f"{id_},{amount:.2f}\n" for id_, amount in sorted(amount_by_person.items()))


def format_mturk_table(amount_by_worker: Mapping[str, tuple[str, Decimal]], reason: str) -> str:
    """Return bonuses by worker as CSV with the fields of MTurk's `SendBonus`: {worker: (assignment, amount)}."""
    csv_file = io.StringIO()
    csv_writer = csv.writer(csv_file, lineterminator="\n")
    csv_writer.writerow(["WorkerId", "AssignmentId", "BonusAmount", "Reason"])
    csv_writer.writerows(
        [worker, assignment, f"{amount:.2f}", reason]
        for worker, (assignment, amount) in sorted(amount_by_worker.items())
    )
    return csv_file.getvalue()


# ---------------------------------------------------------------------- Prolific's list of submissions
class BadSubmissions(Exception):
    """A file is not Prolific's export of submissions; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One line of Prolific's export: the participant, the status ("APPROVED", "RETURNED", …), the code entered."""

    participant: str
    status: str
    code: str


@dataclass(frozen=True, slots=True)
class SubmissionFinding:
    """What a comparison of the log with Prolific's export says of one person.

    `finding` is a key of `FINDING_TEXTS`; `pseudonym` is empty for somebody who is not in the log.
    """

    finding: str
    pseudonym: str
    participant: str
    status: str
    code: str
    ending_name: str


FINDING_TEXTS = {
    "agrees": ("status and code agree with the log", "nothing to do"),
    "returned, completed here": (
        "returned on Prolific, but completed here",
        "pay the base as a bonus, or ask the person to submit again",
    ),
    "timed out, completed here": (
        "timed out on Prolific, but completed here",
        "pay the base as a bonus, or write to the person",
    ),
    "no code, completed here": ("submitted without a code (NOCODE), but completed here", "approve by hand"),
    "no code, paid end here": (
        "submitted without a code, and the end here is paid",
        "approve by hand, or as your consent says",
    ),
    "no code, not finished": (
        "submitted without a code, and not finished here",
        "ask the person to return; reject after their time to answer",
    ),
    "code of another end": (
        "the code is that of another end than the log has",
        "check the person's steps (`ludens study person`) before you approve",
    ),
    "unknown code": ("the code is none of this study", "check that the codes in [ends] are those on Prolific"),
    "rejected, paid end here": ("rejected on Prolific, but the end here is paid", "look at it again on Prolific"),
    "returned, here only started": ("returned or timed out, not finished here", "nothing to do"),
    "still going on": ("taking part at this moment", "run this again later"),
    "never arrived": ("returned or timed out on Prolific, never arrived here", "nothing to do"),
    "submitted, never arrived": (
        "submitted on Prolific, never arrived here",
        "check the link of the study: it must pass PROLIFIC_PID",
    ),
    "missing on Prolific": (
        "arrived here with a Prolific id that the export does not have",
        "check that the export is of this study, and complete",
    ),
}
"""What can be found, with words for it and the next step."""
RETURNED_STATUSES, REJECTED_STATUSES = ("RETURNED", "TIMED-OUT"), ("REJECTED",)
UNFINISHED_STATUSES = ("ACTIVE", "RESERVED")
PROLIFIC_EXPORT_COLUMNS = ("participant id", "status", "completion code")
"""Columns of Prolific's export, in small letters: who, how the submission stands, the code that was entered."""
CODE_PARAMETER, MAIN_SCORE_NAME = "cc", "main_score"


def read_submissions(csv_text: str) -> list[Submission]:
    """Return the lines of Prolific's export of submissions (CSV). Raises `BadSubmissions`."""
    csv_reader = csv.DictReader(io.StringIO(csv_text.removeprefix("\ufeff")))
    column_by_name = {_normalise_column(column_name): column_name for column_name in csv_reader.fieldnames or ()}
    if missing_columns := [column_name for column_name in PROLIFIC_EXPORT_COLUMNS if column_name not in column_by_name]:
        raise BadSubmissions(
            f"no column {missing_columns[0]!r}: use the file that Prolific's submissions page downloads"
        )
    id_column, status_column, code_column = (column_by_name[column_name] for column_name in PROLIFIC_EXPORT_COLUMNS)
    return [
        Submission(
            (csv_row[id_column] or "").strip(),
            (csv_row[status_column] or "").strip().upper().replace("_", "-").replace("TIMED OUT", "TIMED-OUT"),
            (csv_row[code_column] or "").strip(),
        )
        for csv_row in csv_reader
    ]


def _normalise_column(export_column: str) -> str:
    """Return a column's name as the present export writes it; older exports had "participant_id", "entered_code"."""
    lower_name = export_column.strip().casefold().replace("_", " ")
    return "completion code" if lower_name == "entered code" else lower_name


def find_completion_code(end_text: str) -> str:
    """Return the code of an end: the text itself, or the parameter `cc` of Prolific's completion address."""
    if not end_text.startswith(("https://", "http://")):
        return end_text
    return parse_qs(urlsplit(end_text).query).get(CODE_PARAMETER, [""])[0]


def reconcile_submissions(
    submissions: Sequence[Submission], people: Mapping[str, tuple[Participation, EndTexts]]
) -> list[SubmissionFinding]:
    """Return what is found of everybody in Prolific's export or in the log, who are named by their Prolific ids."""
    findings = []
    # who returned a submission may have taken part again: what was submitted counts
    latest_submissions = {
        submission.participant: submission
        for submission in sorted(submissions, key=lambda submission: submission.status not in RETURNED_STATUSES)
    }
    for person_id, submission in latest_submissions.items():
        if person_id in people:
            participation, end_texts = people[person_id]
            finding = _find_submission_finding(submission, participation, end_texts)
            pseudonym, end = participation.pseudonym, find_ending_name(participation)
        else:
            pseudonym, end = "", ""
            finding = (
                "never arrived"
                if submission.status in (*RETURNED_STATUSES, *UNFINISHED_STATUSES)
                else "submitted, never arrived"
            )
        findings.append(SubmissionFinding(finding, pseudonym, person_id, submission.status, submission.code, end))
    for person_id, (participation, _) in people.items():
        if person_id not in latest_submissions:
            end = find_ending_name(participation)
            findings.append(SubmissionFinding("missing on Prolific", participation.pseudonym, person_id, "", "", end))
    return findings


def _find_submission_finding(submission: Submission, participation: Participation, end_texts: EndTexts) -> str:
    end_state, submitted_code = find_ending_name(participation), submission.code
    expected_code = find_completion_code(getattr(end_texts, end_state, ""))
    is_paid = end_state in PAID_ENDING_NAMES
    if submission.status in UNFINISHED_STATUSES:
        return "still going on"
    if submission.status in RETURNED_STATUSES:
        if end_state == "completed":
            return "returned, completed here" if submission.status == "RETURNED" else "timed out, completed here"
        return "returned, here only started"
    if submission.status in REJECTED_STATUSES and is_paid:
        return "rejected, paid end here"
    if submitted_code.upper() in MISSING_CODE_VALUES:
        if not expected_code and participation.is_over:
            return "agrees"
        return "no code, completed here" if end_state == "completed" else _choose_finding_without_code(is_paid)
    if submitted_code == expected_code:
        return "agrees"
    study_codes = {find_completion_code(end_text) for end_text in end_texts.model_dump().values()}
    return "code of another end" if submitted_code in study_codes else "unknown code"


def _choose_finding_without_code(is_paid: bool) -> str:
    return "no code, paid end here" if is_paid else "no code, not finished"
