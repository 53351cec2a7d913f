"""`ludens study export`: everything of a study, in a new folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cli.options import Db, RawCells
from cli.output import CommandFailed, UsageError, print_message
from cli.study.manage import Name, open_records


def export(
    name: Name,
    folder: Annotated[Path, typer.Argument(help="A new or empty folder to write into.")],
    raw_cells: RawCells = False,
    db: Db = None,
) -> None:
    """Export a study: games, participants, answers, dealt games, actions, codebook, study files and pages.

    The folder is a Psych-DS data set. It contains pseudonyms and no identifiers. What people wrote may still identify
    them: lines that look like an e-mail address, a telephone number or a Prolific id are listed in review.txt.
    """
    from cli.log_access import build_registry, can_hold_files
    from cli.settings import load_settings
    from engine.formats.export import export_episodes
    from engine.formats.study import StudyWriter, episodes_of, study_tables
    from engine.formats.writer import ExportOptions
    from engine.play.plans import ludens_version
    from engine.studies.pages import pages_html
    from engine.studies.review import suspicious_lines
    from engine.studies.study_file import BadStudy
    from engine.studies.version import load_version

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty, and nothing is overwritten: name a new folder")
    settings = load_settings(db=db)
    with open_records(db) as (store, records):
        records.study(name)
        tables = study_tables(records, name)
        registry = build_registry(settings)
        files = {}
        for row in records.versions(name):
            files[f"study-{row.version}.toml"] = row.file
            try:
                pages = pages_html(load_version(row, registry), registry)
            except BadStudy as error:  # a game or player that this version dealt is no longer installed
                print_message(f"Pages of version {row.version} are left out: {error}")
                continue
            files |= {f"pages-{row.version}/{step}.html": page for step, page in pages.items()}
        folder.mkdir(parents=True, exist_ok=True)
        if not can_hold_files(folder):
            raise CommandFailed(f"{folder} cannot be written: name another folder")
        options = ExportOptions(people=True, raw_cells=raw_cells, episodes=episodes_of(tables))
        make_writer = partial(StudyWriter, tables=tables, files=files)
        metadata = export_episodes(store, registry, folder, "study", options, ludens_version(), make_writer)
    lines = suspicious_lines(folder)
    (folder / "review.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    written = metadata["written"]
    print_message(f"{folder}: {written['participants']} participants, {metadata['episodes']} games")
    if lines:
        print_message(f"{len(lines)} lines may identify somebody: read {folder / 'review.txt'} before you publish")
