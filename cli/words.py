"""How the command line talks: data to standard output, words about it to standard error, and what ends a command.

`Wrong` is wrong usage (exit 2), `Failed` something that did not work (exit 1); both name the value and the next step.
"""

from __future__ import annotations

import sys
import unicodedata
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


def console(*, width: int | None = None) -> Console:
    """Return a console on standard output: coloured in a terminal, plain and wide on a pipe."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False)
    return Console(highlight=False, markup=False, emoji=False, no_color=True, width=width or 200)


BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def harmless(text: str) -> str:
    """Return a text with control characters, direction marks and lone surrogates spelt out, safe for a terminal."""
    if text.isprintable():
        return text
    return "".join(character if _plain(character) else f"<U+{ord(character):04X}>" for character in text)


def _plain(character: str) -> bool:
    if character in "\n\t":
        return True
    return character not in BIDI and unicodedata.category(character) not in ("Cc", "Cs")
