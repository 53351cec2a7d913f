"""`ludens assets`: the sets of pictures, shipped and imported."""

from __future__ import annotations

import typer

from cli.assets.library import load_library
from cli.output import CommandFailed, make_console, print_message


def list_picture_sets(context: typer.Context) -> None:
    """List the sets of pictures, with their size and licence."""
    if context.invoked_subcommand is not None:
        return
    library = load_library()
    console = make_console()
    for picture_set in library.list_picture_sets():
        picture_count = len(library.ids(set_name=picture_set.name))
        console.print(f"{picture_set.name:14} {picture_count:7,} pictures  {picture_set.title}; {picture_set.licence}")
        if picture_set.citation:
            console.print(f"{'':14} {picture_set.citation}")
    for set_name, reason in library.errors_by_set.items():
        print_message(f"{set_name} cannot be read: {reason}")
    if not library.list_picture_sets():
        print_message("no pictures found: assets/ comes with a checkout; `ludens assets import --help` reads data sets")
    if library.errors_by_set:
        raise CommandFailed("not every set can be read")
