"""The output of commands: data on standard output, messages on standard error, and the errors that end a command.

Everything goes through here, so that no name, id or text of others can send commands to the terminal.

`UsageError` (exit code 2) and `CommandFailed` (exit code 1) name the offending value and the next step.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import TYPE_CHECKING, Any

from engine.formats.transcript.printable import escape_json, escape_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


class UsageError(Exception):
    """The command was used in a wrong way; exit code 2."""


class CommandFailed(Exception):
    """Something failed; exit code 1."""


def print_message(message: str) -> None:
    """Print a message about what is going on, on standard error."""
    print(escape_text(message), file=sys.stderr, flush=True)


def print_data(output_text: str) -> None:
    """Print text on standard output."""
    print(escape_text(output_text))


def print_json(json_value: Any, indent: int = 1, *, allow_nan: bool = True) -> None:
    """Print JSON on standard output."""
    print(escape_json(json.dumps(json_value, ensure_ascii=False, indent=indent, allow_nan=allow_nan)))


class PrintableFormatter(logging.Formatter):
    """Formats log records: causes of faults quote what servers and players wrote."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text without control characters."""
        return escape_text(super().format(record))


def format_usd(usd_amount: float, *, currency_sign: str = "$", decimals: int = 2) -> str:
    """Return an amount of money, "$1,234.50"; an amount above zero is never rounded to zero: "< $0.01"."""
    least_amount = 10**-decimals
    if 0 < usd_amount < least_amount:
        return f"< {currency_sign}{least_amount:.{decimals}f}"
    return f"{currency_sign}{usd_amount:,.{decimals}f}"


def make_console() -> Console:
    """Return a console on standard output: coloured in a terminal, plain and wide on a pipe."""
    from rich.console import Console
    from rich.text import Text

    class PrintableConsole(Console):
        """Escapes all texts that it is given, those in tables too."""

        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(escape_text(text), **options)

    if sys.stdout.isatty():
        return PrintableConsole(highlight=False, markup=False, emoji=False)
    return PrintableConsole(highlight=False, markup=False, emoji=False, no_color=True, width=200)


def make_progress_bar() -> Progress:
    """Return a progress bar on standard error, which shows only in a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(console=Console(stderr=True, quiet=not sys.stderr.isatty()), transient=True)
