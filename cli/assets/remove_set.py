"""`ludens assets remove`: forget an imported set of pictures."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.assets.library import load_library
from cli.output import UsageError, print_message


def remove_set(name: Annotated[str, typer.Argument(help="The set to remove.")]) -> None:
    """Remove an imported set. Its picture files stay unchanged."""
    from games.common.datasets.register import DATASETS, remove

    library = load_library()
    if name not in DATASETS or not remove(name, library.imported):
        imported = ", ".join(each.name for each in library.sets() if each.name in DATASETS) or "none"
        raise UsageError(f"no imported set {name!r}; there are: {imported}")
    print_message(f"{name} is no longer registered; its picture files are unchanged")
