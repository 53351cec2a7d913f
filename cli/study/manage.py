"""`ludens study status`, `links`, and the commands that open, pause and close a study."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption, check_format
from cli.output import UsageError, print_data, print_json, print_message

if TYPE_CHECKING:
    from engine.storage.store import Store
    from engine.storage.study_records import StudyRecords

StudyNameArgument = Annotated[str, typer.Argument(help="The name of the study.")]


@contextmanager
def open_records(db: Path | None) -> Iterator[tuple[Store, StudyRecords]]:
    """Open the log and what it has of studies. Raises `CommandFailed` for a missing file."""
    from cli.log_access import open_store
    from cli.settings import load_settings
    from engine.storage.study_records import StudyRecords

    with open_store(load_settings(db=db).db, creators="`ludens study add FILE`") as store:
        yield store, StudyRecords(store, store)


def show_study_status(
    name: StudyNameArgument,
    format: Annotated[str, typer.Option(help="table or json.")] = "table",
    db: DbOption = None,
) -> None:
    """Show how many participants are where, and how full each cell is."""
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.studies.version import PARTICIPATION_STATES, describe_status, load_version

    check_format(format, ("table", "json"))
    with open_records(db) as (_, study_records):
        study_row = study_records.read_study(name)
        study_counts = describe_status(study_records, load_version(study_row, build_registry(load_settings())))
    if format == "json":
        print_json(study_counts)
        return
    cells = study_counts["cells"]
    wanted_count, done_count = (sum(cell[count_key] for cell in cells) for count_key in ("wanted", "done"))
    print_data(f"{name}: {study_row.state}, version {study_row.version}")
    print_data(
        f"arrived {study_counts['arrived']}: "
        + ", ".join(f"{study_counts[state]} {state}" for state in PARTICIPATION_STATES if study_counts[state])
    )
    print_data(f"games: {done_count} of {wanted_count} done, {sum(cell['in_play'] for cell in cells)} in play")
    for cell in cells:
        print_data(f"  {cell['done']}/{cell['wanted']}  {cell['instance']}  {cell['seat']}  {cell['partner']}")


def print_personal_links(
    name: StudyNameArgument,
    file: Annotated[Path, typer.Argument(help="A text file with a label per line, one for each participant.")],
    url: Annotated[str, typer.Option(help="The address of your server.")] = "http://127.0.0.1:7860",
    db: DbOption = None,
) -> None:
    """Print a personal link for each label of a file; it seats that person only, on any device."""
    from urllib.parse import urlencode

    from engine.studies.version import make_link_key

    try:
        person_labels = [line.strip() for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    with open_records(db) as (store, study_records):
        study_records.read_study(name)
        secret = store.read_secret("studies")
    for person_label in person_labels:
        link_query = urlencode({"participant": person_label, "key": make_link_key(secret, name, person_label)})
        print_data(f"{person_label}\t{url.rstrip('/')}/study/{name}?{link_query}")


def _set_study_state(study_name: str, study_state: str, db: Path | None) -> None:
    with open_records(db) as (_, study_records):
        old_state = study_records.read_study(study_name).state
        study_records.set_state(study_name, study_state)
    print_message(f"{study_name}: {old_state} → {study_state}.")


def open_pilot(name: StudyNameArgument, db: DbOption = None) -> None:
    """Open a study for a pilot, whose data are left out."""
    _set_study_state(name, "pilot", db)


def open_study(name: StudyNameArgument, db: DbOption = None) -> None:
    """Open a study to participants."""
    _set_study_state(name, "open", db)


def pause_study(name: StudyNameArgument, db: DbOption = None) -> None:
    """Let nobody begin; whoever has begun goes on."""
    _set_study_state(name, "paused", db)


def close_study(name: StudyNameArgument, db: DbOption = None) -> None:
    """End recruiting for good; whoever has begun goes on."""
    _set_study_state(name, "closed", db)
