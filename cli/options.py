"""Options and arguments that several commands have, declared once so that they read the same everywhere."""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from cli.output import UsageError, print_message

SelectionArgument = Annotated[list[str] | None, typer.Argument(help="GAME[/VARIANT[/EXPERIMENT]]; all if omitted.")]
PlayersOption = Annotated[
    list[str] | None, typer.Option("--player", help="Only episodes with this player; can be repeated.")
]
PeopleOption = Annotated[bool, typer.Option("--people", help="Only episodes with people.")]
ModelsOption = Annotated[
    bool, typer.Option("--models", help="Only episodes with models; with --people, those with either.")
]
InformedOption = Annotated[
    bool, typer.Option("--informed", help="Include people who chose their experiment or instance.")
]
StudyOption = Annotated[
    str | None,
    typer.Option(
        "--study", help='Of people only those of a study, NAME or NAME@VERSION, or "lobby" for those of none.'
    ),
]
PoolStudiesOption = Annotated[
    bool, typer.Option("--pool-studies", help="Count people of several studies and of the lobby together.")
]
RawCellsOption = Annotated[
    bool, typer.Option("--raw-cells", help="csv: leave texts unchanged that a spreadsheet would run as formulas.")
]
DbOption = Annotated[Path | None, typer.Option(help="The log file.  [default: logs/ludens.db]")]
SkipConfirmationOption = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
PlayersFileOption = Annotated[
    Path | None, typer.Option(help="Your players.toml.  [default: players.toml in the project folder]")
]


def check_format(format_name: str, format_names: Collection[str]) -> None:
    """Raise `UsageError` for an unknown output format."""
    if format_name not in format_names:
        raise UsageError(f"no format {format_name!r}; there are: {', '.join(format_names)}")


def confirm_removal(question: str, *, is_confirmed: bool) -> None:
    """Ask in a terminal whether something is removed, and end the command with exit code 1 if not.

    Raises `UsageError` without a terminal, unless --yes has confirmed it.
    """
    if is_confirmed:
        return
    if not sys.stdin.isatty():
        raise UsageError("nothing is removed without confirmation. Add --yes to remove it")
    if not typer.confirm(question, err=True):
        print_message("nothing was removed")
        raise typer.Exit(1)
