"""`ludens study payments` and `exclude`: bonuses, what a platform's list of submissions says, and who is left out."""

from __future__ import annotations

import io
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, UsageError, print_message
from cli.study.manage import StudyNameArgument, open_records
from cli.tables import TextTable, print_tables
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.storage.study_records import IdentifierStore
    from engine.studies.payments import Bonus, SubmissionFinding

MAX_PSEUDONYMS = 6
"""Pseudonyms that a line of the table names."""


def exclude_participant(
    name: StudyNameArgument,
    pseudonym: Annotated[str, typer.Argument(help="The pseudonym of the participant.")],
    reason: Annotated[str | None, typer.Option(help="Why, in words; without anything that identifies them.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the participant back in.")] = False,
    db: DbOption = None,
) -> None:
    """Leave a participant out of the analysis, with a reason; their games then fill no cell.

    `ludens study report` shows the results with and without exclusions. Participants are paid all the same.
    """
    if undo == bool(reason):
        raise UsageError("say why with --reason TEXT, or take the participant back in with --undo")
    with open_records(db) as (_, study_records):
        study_records.read_study(name)
        participations = [person for person in study_records.list_participations(name) if person.pseudonym == pseudonym]
        if not participations:
            raise UsageError(f"nobody in {name} has the pseudonym {pseudonym!r}; `ludens study export` lists them")
        study_records.exclude_participation(participations[0].id, None if undo else reason)
    print_message(f"{pseudonym} is {'back in' if undo else 'left out of'} the analysis of {name}.")


def compute_payments(
    name: StudyNameArgument,
    submissions: Annotated[
        Path | None, typer.Option(help="Prolific's export of the submissions (CSV), to compare with the log.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the files with identifiers: bonuses, and what to look at.")
    ] = None,
    db: DbOption = None,
) -> None:
    """Compute bonuses by the `[pay]` table of the study file, and compare the log with Prolific's submissions.

    The screen shows pseudonyms. Identifiers are written only into files in the folder of --out, for you alone:
    bonuses-prolific.csv for Prolific's bulk bonus payment, bonuses-mturk.csv, bonuses-links.csv, and submissions.csv
    with what was found of each submission. Pilot participants are paid, too.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.storage.study_records import IdentifierStore
    from engine.studies.payments import (
        BadSubmissions,
        compute_bonuses,
        read_played_games,
        read_submissions,
        reconcile_submissions,
    )
    from engine.studies.version import StudyVersions

    try:
        submission_rows = read_submissions(submissions.read_text(encoding="utf-8")) if submissions else None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{submissions} cannot be read: {error}") from None
    except BadSubmissions as error:
        raise UsageError(f"{submissions}: {error}") from None
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is not empty, and nothing is overwritten: name a new folder")
    settings = load_settings(db=db)
    registry = build_registry(settings)
    with open_records(db) as (store, study_records), IdentifierStore(settings.db) as identifier_store:
        study_row = study_records.read_study(name)
        study_versions = StudyVersions(study_records, registry)
        people = study_records.list_participations(name)
        games = {person.id: read_played_games(store, study_records, registry, person) for person in people}
        earned_bonuses = compute_bonuses(
            people, lambda person: study_versions.get_version(name, person.version).study, games
        )
        identifier_rows = identifier_store.list_study_identifiers(name)
        person_by_id = {person.id: person for person in people}
        participation_by_prolific_id = {
            user_id: (
                person_by_id[participation_id],
                study_versions.get_version(name, person_by_id[participation_id].version).study.ends,
            )
            for id_kind, user_id, participation_id, _ in identifier_rows
            if id_kind == "prolific" and participation_id in person_by_id
        }
        findings = (
            None if submission_rows is None else reconcile_submissions(submission_rows, participation_by_prolific_id)
        )
        pay_rules = study_versions.get_version(name, study_row.version).study.pay
        if pay_rules is None:
            print_message(f"{name} has no [pay] table, so there are no bonuses: add one to the study file.")
        else:
            _print_bonuses(earned_bonuses, pay_rules.currency)
        if findings is not None:
            _print_findings(findings)
        if out is not None:
            _write_payment_files(out, name, earned_bonuses, identifier_store, findings)
            _print_next_steps(out)
        elif earned_bonuses:
            print_message("Nothing was written. --out FOLDER writes the files to upload; they hold identifiers.")


def _print_bonuses(earned_bonuses: list[Bonus], currency: str) -> None:
    bonus_rows = [
        [
            bonus.pseudonym,
            bonus.ending_name,
            str(bonus.played_game_count),
            str(bonus.credited_game_count),
            f"{bonus.amount:.2f}{' (cap)' if bonus.is_capped else ''}",
        ]
        for bonus in earned_bonuses
    ]
    from decimal import Decimal

    total_bonus = sum((bonus.amount for bonus in earned_bonuses), Decimal(0))
    column_headings = ("participant", "end", "games", "credited", f"bonus {currency}")
    print_tables([TextTable(column_headings, bonus_rows, numeric_headings=frozenset(column_headings[2:]))])
    print_message(
        f"{plural(len(earned_bonuses), 'participant')}, {total_bonus:.2f} {currency} of bonuses, without the "
        "platform's fees."
    )
    if any(bonus.credited_game_count for bonus in earned_bonuses):
        print_message(
            "credited: games that others or a fault ended, or that were not left to play, at the person's mean"
        )


def _print_findings(findings: list[SubmissionFinding]) -> None:
    from engine.studies.payments import FINDING_TEXTS

    finding_counts = Counter(finding.finding for finding in findings)
    finding_rows = []
    for finding, (finding_text, next_step) in FINDING_TEXTS.items():
        if finding_counts[finding]:
            pseudonyms = [check.pseudonym for check in findings if check.finding == finding and check.pseudonym]
            more_text = f" and {len(pseudonyms) - MAX_PSEUDONYMS} more" if len(pseudonyms) > MAX_PSEUDONYMS else ""
            people_text = "" if finding == "agrees" else ", ".join(pseudonyms[:MAX_PSEUDONYMS]) + more_text
            finding_rows.append([str(finding_counts[finding]), finding_text, next_step, people_text])
    column_headings = ("n", "Prolific and log", "next step", "participants")
    print_tables([TextTable(column_headings, finding_rows, numeric_headings=frozenset(["n"]))])


def _write_payment_files(
    folder: Path,
    study_name: str,
    earned_bonuses: list[Bonus],
    identifier_store: IdentifierStore,
    submission_findings: list[SubmissionFinding] | None,
) -> None:
    """Write the files with identifiers, readable by their owner alone. Raises `CommandFailed`."""
    from engine.core.spreadsheet import escape_formulas
    from engine.studies.payments import FINDING_TEXTS, format_mturk_table, format_prolific_lines

    amounts = {bonus.participation: bonus.amount for bonus in earned_bonuses if bonus.amount > 0}
    paid_identifier_rows = [
        id_row for id_row in identifier_store.list_study_identifiers(study_name) if id_row[2] in amounts
    ]
    prolific_amounts = {
        user_id: amounts[id_] for id_kind, user_id, id_, _ in paid_identifier_rows if id_kind == "prolific"
    }
    mturk_bonuses = {
        user_id: (str(identifier_details.get("assignmentId", "")), amounts[id_])
        for id_kind, user_id, id_, identifier_details in paid_identifier_rows
        if id_kind == "mturk"
    }
    amount_by_link_label = {
        user_id: amounts[id_] for id_kind, user_id, id_, _ in paid_identifier_rows if id_kind in ("link", "label")
    }
    text_by_file = {
        "bonuses-prolific.csv": format_prolific_lines(prolific_amounts) if prolific_amounts else "",
        "bonuses-mturk.csv": format_mturk_table(mturk_bonuses, f"Bonus for the study {study_name}")
        if mturk_bonuses
        else "",
        "bonuses-links.csv": _format_csv(
            ["label", "amount"],
            [[label, f"{amount_by_link_label[label]:.2f}"] for label in sorted(amount_by_link_label)],
        )
        if amount_by_link_label
        else "",
    }
    if submission_findings is not None:
        column_headings = ["finding", "next_step", "participant", "participant_id", "status", "code", "end"]
        output_rows = [
            [
                *FINDING_TEXTS[finding.finding],
                finding.pseudonym,
                finding.participant,
                finding.status,
                finding.code,
                finding.ending_name,
            ]
            for finding in submission_findings
            if finding.finding != "agrees"
        ]
        neutral_cells = [
            list(escape_formulas(dict(zip(column_headings, cells, strict=True))).values()) for cells in output_rows
        ]
        text_by_file["submissions.csv"] = _format_csv(column_headings, neutral_cells)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for file_name, file_text in text_by_file.items():
            if file_text:
                file_descriptor = os.open(folder / file_name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(file_descriptor, "w", encoding="utf-8") as output_file:
                    output_file.write(file_text)
    except OSError as error:
        raise CommandFailed(f"{folder} cannot be written: {error.strerror}; name another folder") from None


def _format_csv(column_headings: list[str], csv_rows: list[list[str]]) -> str:
    import csv

    csv_buffer = io.StringIO()
    csv_writer = csv.writer(csv_buffer, lineterminator="\n")
    csv_writer.writerows([column_headings, *csv_rows])
    return csv_buffer.getvalue()


def _print_next_steps(folder: Path) -> None:
    file_names = sorted(written_path.name for written_path in folder.iterdir())
    if not file_names:
        print_message(f"{folder} is empty: no identifier of a platform is stored for these participants.")
        return
    print_message(
        f"Written to {folder}, for you alone: {', '.join(file_names)}. They hold identifiers: delete them afterwards."
    )
    if "bonuses-prolific.csv" in file_names:
        print_message(
            "On Prolific: approve the submissions first; then Submissions, More, Bulk bonus payment, and paste the"
            " lines of bonuses-prolific.csv. Pay them once: Prolific does not notice a second time."
        )
