"""How the command line talks: data to standard output, words about it to standard error, and what ends a command.

`Wrong` is wrong usage (exit 2), `Failed` something that did not work (exit 1); both name the value and the next step.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


class Wrong(Exception):
    """The command was not used as it can be; exit code 2."""


class Failed(Exception):
    """Something did not work; exit code 1."""


def say(words: str) -> None:
    """Say something about what is going on, on standard error."""
    print(words, file=sys.stderr, flush=True)


def out(data: str) -> None:
    """Print data on standard output."""
    print(data)


def usd(amount: float, *, sign: str = "$", places: int = 2) -> str:
    """Return an amount of money, "$1,234.50"; what is more than nothing is never written as nothing: "< $0.01"."""
    least = 10**-places
    return f"< {sign}{least:.{places}f}" if 0 < amount < least else f"{sign}{amount:,.{places}f}"


def console(*, width: int | None = None) -> Console:
    """Return a console on standard output: coloured in a terminal, plain and wide on a pipe."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False)
    return Console(highlight=False, markup=False, emoji=False, no_color=True, width=width or 200)
