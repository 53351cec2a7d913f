"""Parameters of an address, read and checked: `temperature=0`, `max_tokens=400`, `constrain=true`.

A provider says which parameters it knows, each with a reader: a function that makes a value of the text, or raises
ValueError saying what is wanted. Reading asks nobody: whether a server accepts a value shows when it is sent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from engine.core.player import Address, UnknownPlayer
from engine.core.suggestions import did_you_mean

Reader = Callable[[str], Any]

CONNECTION = ("base_url", "key_env")
"""Parameters that say where a model answers; `House.server` reads them."""


def read(address: Address, known: Mapping[str, Reader], *, besides: Collection[str] = ()) -> dict[str, Any]:
    """Return an address's parameters as values, in order of their names; those of `besides` are left out.

    Raises `UnknownPlayer` naming the parameter and what it may be, or which there are.
    """
    values: dict[str, Any] = {}
    for name, text in sorted(address.parameters.items()):
        if name in besides:
            continue
        if name not in known:
            there = ", ".join(sorted({*known, *besides}))
            raise UnknownPlayer(
                f"{address.model} has no parameter {name!r}{did_you_mean(name, known)}; there are {there}"
            )
        try:
            values[name] = known[name](text)
        except ValueError as error:
            raise UnknownPlayer(f"{address.model}: {name}={text!r}: {error}") from None
    return values


def number(least: float, most: float = math.inf) -> Reader:
    """Return the reader of a number between two bounds, both allowed. A whole number stays an int."""
    bounds = f"of at least {least:g}" if most == math.inf else f"from {least:g} to {most:g}"

    def reader(text: str) -> float:
        value = _number(text)
        if not least <= value <= most:
            raise ValueError(f"a number {bounds} is wanted")
        return int(value) if value == int(value) else value

    return reader


def whole(least: int) -> Reader:
    """Return the reader of a whole number."""

    def reader(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or int(text) < least:
            raise ValueError(f"a whole number of at least {least} is wanted")
        return int(text)

    return reader


def flag(text: str) -> bool:
    """Read true or false."""
    if text not in ("true", "false"):
        raise ValueError("true or false is wanted")
    return text == "true"


def choice(*options: str) -> Reader:
    """Return the reader of one of a few words."""

    def reader(text: str) -> str:
        if text not in options:
            raise ValueError(f"one of {', '.join(options)} is wanted")
        return text

    return reader


def texts(text: str) -> list[str]:
    """Read one text, or several as a JSON list: `stop=END`, `stop=["END","STOP"]`."""
    if not text.startswith("["):
        if not text:
            raise ValueError("a text is wanted")
        return [text]
    found = _json(text)
    if not found or not all(isinstance(one, str) and one for one in found):
        raise ValueError('texts as a JSON list are wanted, such as ["END","STOP"]')
    return list(found)


def table(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    found = _json(text)
    if not isinstance(found, dict):
        raise ValueError('a JSON object is wanted, such as {"min_p":0.1}')
    return found


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("a number is wanted") from None
    if not math.isfinite(value):
        raise ValueError("a number is wanted")
    return value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"this is no JSON ({error})") from None
