"""Parameters of an address, read and checked: `temperature=0`, `max_tokens=400`, `constrain=true`.

A provider names its parameters, each with a reader: a function that converts the text to a value or raises ValueError
with the values that are allowed. Reading sends nothing: whether a server accepts a value shows at the first request.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

from engine.core.player import Address, UnknownPlayer
from engine.core.suggestions import did_you_mean

Reader = Callable[[str], Any]

CONNECTION_PARAMETERS = ("base_url", "key_env")
"""Parameters that say where a model answers; `ProviderContext.server` reads them."""


def read_parameters(
    address: Address, readers: Mapping[str, Reader], *, skipped_names: Collection[str] = ()
) -> dict[str, Any]:
    """Return the values of an address's parameters in order of their names, without `skipped_names`.

    Raises `UnknownPlayer` with the parameter and its allowed values, or with the parameters that exist.
    """
    values: dict[str, Any] = {}
    for name, text in sorted(address.parameters.items()):
        if name in skipped_names:
            continue
        if name not in readers:
            names = ", ".join(sorted({*readers, *skipped_names}))
            raise UnknownPlayer(
                f"{address.model} has no parameter {name!r}{did_you_mean(name, readers)}; there are {names}"
            )
        try:
            values[name] = readers[name](text)
        except ValueError as error:
            raise UnknownPlayer(f"{address.model}: {name}={text!r}: {error}") from None
    return values


def number(minimum: float, maximum: float = math.inf) -> Reader:
    """Return the reader of a number between two bounds, both included. A whole number becomes an int."""
    bounds = f"of at least {minimum:g}" if maximum == math.inf else f"from {minimum:g} to {maximum:g}"

    def read(text: str) -> float:
        value = _parse_number(text)
        if not minimum <= value <= maximum:
            raise ValueError(f"must be a number {bounds}")
        return int(value) if value == int(value) else value

    return read


def whole_number(minimum: int) -> Reader:
    """Return the reader of a whole number."""

    def read(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or int(text) < minimum:
            raise ValueError(f"must be a whole number of at least {minimum}")
        return int(text)

    return read


def boolean(text: str) -> bool:
    """Read true or false."""
    if text not in ("true", "false"):
        raise ValueError("must be true or false")
    return text == "true"


def choice(*options: str) -> Reader:
    """Return the reader of one of a few words."""

    def read(text: str) -> str:
        if text not in options:
            raise ValueError(f"must be one of {', '.join(options)}")
        return text

    return read


def strings(text: str) -> list[str]:
    """Read one string, or several as a JSON list: `stop=END`, `stop=["END","STOP"]`."""
    if not text.startswith("["):
        if not text:
            raise ValueError("must not be empty")
        return [text]
    values = _parse_json(text)
    if not values or not all(isinstance(value, str) and value for value in values):
        raise ValueError('must be strings as a JSON list, such as ["END","STOP"]')
    return list(values)


def json_object(text: str) -> dict[str, Any]:
    """Read a JSON object."""
    value = _parse_json(text)
    if not isinstance(value, dict):
        raise ValueError('must be a JSON object, such as {"min_p":0.1}')
    return value


def _parse_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("must be a number") from None
    if not math.isfinite(value):
        raise ValueError("must be a number")
    return value


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"is not valid JSON ({error})") from None
