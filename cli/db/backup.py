"""`ludens db backup`: copy the log while it is in use."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption
from cli.output import UsageError, print_message


def back_up_log(
    to: Annotated[Path, typer.Argument(help="The copy: a file that does not exist yet.")],
    db: DbOption = None,
) -> None:
    """Copy the log to another file, even while it is in use."""
    from cli.log_access import open_store
    from cli.settings import load_settings

    settings = load_settings(db=db)
    if to.exists():
        raise UsageError(f"{to} already exists and is never overwritten: name another file")
    folder = to.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"the folder {folder} does not exist: create it, or name another file")
    with open_store(settings.db) as store:
        store.copy_to(to)
    print_message(f"{settings.db} copied to {to} ({to.stat().st_size:,} bytes)")
