"""`ludens assets import`: register the pictures of a data set that the user has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.assets.library import load_library
from cli.output import CommandFailed, UsageError, make_progress_bar, print_message

if TYPE_CHECKING:
    from games.common.datasets.register import RegistrationReport
    from games.common.datasets.source import RejectedFile

MAX_LISTED_REJECTED_FILES = 50
"""Further rejected files are only counted: a wrong download has one for every picture."""


def import_picture_set(
    name: Annotated[str, typer.Argument(help="ade20k, visual-genome, docci or clevr")],
    path: Annotated[Path, typer.Argument(help="The folder of the data set, with the publisher's layout.")],
    limit: Annotated[
        int | None, typer.Option(min=1, help="Register at most this many pictures, spread evenly.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="Folder to register in.  [default: imported]")] = None,
) -> None:
    """Register the pictures of a data set that you have.

    The pictures are checked and stay where they are.
    """
    from games.common.datasets.register import DATASET_BY_NAME, register
    from games.common.datasets.source import BadAnnotations, WrongFolder

    if name not in DATASET_BY_NAME:
        raise UsageError(f"no data set {name!r}; there are: {', '.join(DATASET_BY_NAME)}")
    if not path.is_dir():
        raise UsageError(f"{path} is not a folder; name the one that holds the data set")
    rejected_count = 0

    def print_rejected(rejected_file: RejectedFile) -> None:
        nonlocal rejected_count
        rejected_count += 1
        if rejected_count <= MAX_LISTED_REJECTED_FILES:
            print_message(str(rejected_file))

    try:
        with make_progress_bar() as progress:
            task_id = progress.add_task(name, total=None)
            registration = register(
                DATASET_BY_NAME[name],
                path,
                to or load_library().imported_folder,
                max_pictures=limit,
                progress=lambda done_count, total_count: progress.update(
                    task_id, completed=done_count, total=total_count
                ),
                on_rejected=print_rejected,
            )
    except WrongFolder as error:
        raise UsageError(str(error)) from None
    except BadAnnotations as error:
        raise CommandFailed(f"{error}. Nothing was registered; download that file again") from None
    if rejected_count > MAX_LISTED_REJECTED_FILES:
        print_message(f"… and {rejected_count - MAX_LISTED_REJECTED_FILES:,} more")
    _print_report(name, registration)


def _print_report(set_name: str, registration: RegistrationReport) -> None:
    from games.common.datasets.register import DATASET_BY_NAME

    rejected_count, picture_set = len(registration.rejected_files), DATASET_BY_NAME[set_name].picture_set
    if registration.remark:
        print_message(registration.remark)
    if not registration.picture_count:
        raise CommandFailed(
            f"no picture of {set_name} could be registered ({rejected_count:,} faults); earlier registrations "
            "are unchanged"
        )
    unchanged_note = "" if registration.has_changed else ", unchanged"
    print_message(
        f"{registration.folder}: {registration.picture_count:,} pictures{unchanged_note}; {picture_set.title}, "
        f"{picture_set.licence}"
    )
    if rejected_count:
        raise CommandFailed(
            f"{rejected_count:,} could not be registered and {'are' if rejected_count > 1 else 'is'} listed above"
        )
