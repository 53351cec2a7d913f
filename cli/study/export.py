"""`ludens study export`: everything of a study, in a new folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption, RawCellsOption
from cli.output import CommandFailed, UsageError, print_message
from cli.study.manage import StudyNameArgument, open_records
from engine.core.wording import plural


def export_study(
    name: StudyNameArgument,
    folder: Annotated[Path, typer.Argument(help="A new or empty folder to write into.")],
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Export a study: games, participants, answers, dealt games, actions, codebook, study files and pages.

    The folder is a Psych-DS data set. It contains pseudonyms and no identifiers. What people wrote may still identify
    them: lines that look like an e-mail address, a telephone number or a Prolific id are listed in review.txt.
    """
    from cli.log_access import build_registry, can_create_files
    from cli.settings import load_settings
    from engine.formats.study import export_study
    from engine.play.plans import read_ludens_version
    from engine.studies.pages import list_files
    from engine.studies.review import write_review

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty, and nothing is overwritten: name a new folder")
    settings = load_settings(db=db)
    with open_records(db) as (store, study_records):
        study_records.read_study(name)
        registry = build_registry(settings)
        extra_files, problems = list_files(study_records, name, registry)
        for problem in problems:
            print_message(problem)
        folder.mkdir(parents=True, exist_ok=True)
        if not can_create_files(folder):
            raise CommandFailed(f"{folder} cannot be written: name another folder")
        metadata = export_study(
            store, study_records, registry, name, folder, read_ludens_version(), extra_files, raw_cells=raw_cells
        )
    lines = write_review(folder)
    written_counts = metadata["written"]
    print_message(
        f"{folder}: {plural(written_counts['participants'], 'participant')}, {plural(metadata['episodes'], 'game')}"
    )
    if lines:
        print_message(
            f"{plural(len(lines), 'line')} may identify somebody: read {folder / 'review.txt'} before you publish"
        )
