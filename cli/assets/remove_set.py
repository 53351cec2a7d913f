"""`ludens assets remove`: forget an imported set of pictures."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.assets.library import load_library
from cli.output import UsageError, print_message


def remove_picture_set(name: Annotated[str, typer.Argument(help="The set to remove.")]) -> None:
    """Remove an imported set. Its picture files stay unchanged."""
    from games.common.datasets.register import DATASET_BY_NAME, remove_set

    library = load_library()
    if name not in DATASET_BY_NAME or not remove_set(name, library.imported_folder):
        imported_names = (
            ", ".join(
                picture_set.name for picture_set in library.list_picture_sets() if picture_set.name in DATASET_BY_NAME
            )
            or "none"
        )
        raise UsageError(f"no imported set {name!r}; there are: {imported_names}")
    print_message(f"{name} is no longer registered; its picture files are unchanged")
