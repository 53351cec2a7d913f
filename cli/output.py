"""The output of commands: data on standard output, messages on standard error, and the errors that end a command.

`UsageError` (exit code 2) and `CommandFailed` (exit code 1) name the offending value and the next step.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


class UsageError(Exception):
    """The command was used in a wrong way; exit code 2."""


class CommandFailed(Exception):
    """Something failed; exit code 1."""


def print_message(message: str) -> None:
    """Print a message about what is going on, on standard error."""
    print(message, file=sys.stderr, flush=True)


def print_data(data: str) -> None:
    """Print data on standard output."""
    print(data)


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: "1 game", "1,200 games"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def format_usd(amount: float, *, sign: str = "$", places: int = 2) -> str:
    """Return an amount of money, "$1,234.50"; an amount above zero is never rounded to zero: "< $0.01"."""
    least = 10**-places
    return f"< {sign}{least:.{places}f}" if 0 < amount < least else f"{sign}{amount:,.{places}f}"


def make_console() -> Console:
    """Return a console on standard output: coloured in a terminal, plain and wide on a pipe."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False)
    return Console(highlight=False, markup=False, emoji=False, no_color=True, width=200)


def make_progress_bar() -> Progress:
    """Return a progress bar on standard error, which shows only in a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True, quiet=not sys.stderr.isatty()), transient=True)
