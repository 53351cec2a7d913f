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
    parameters: dict[str, Any] = {}
    for parameter_name, parameter_text in sorted(address.parameters.items()):
        if parameter_name in skipped_names:
            continue
        if parameter_name not in readers:
            known_names = ", ".join(sorted({*readers, *skipped_names}))
            raise UnknownPlayer(
                f"{address.model} has no parameter {parameter_name!r}{did_you_mean(parameter_name, readers)}; "
                f"there are {known_names}"
            )
        try:
            parameters[parameter_name] = readers[parameter_name](parameter_text)
        except ValueError as error:
            raise UnknownPlayer(f"{address.model}: {parameter_name}={parameter_text!r}: {error}") from None
    return parameters


def number(minimum: float, maximum: float = math.inf) -> Reader:
    """Return the reader of a number between two bounds, both included. A whole number becomes an int."""
    bounds = f"of at least {minimum:g}" if maximum == math.inf else f"from {minimum:g} to {maximum:g}"

    def read_number(parameter_text: str) -> float:
        parsed_number = _parse_number(parameter_text)
        if not minimum <= parsed_number <= maximum:
            raise ValueError(f"must be a number {bounds}")
        return int(parsed_number) if parsed_number == int(parsed_number) else parsed_number

    return read_number


def whole_number(minimum: int) -> Reader:
    """Return the reader of a whole number."""

    def read_integer(parameter_text: str) -> int:
        if not parameter_text.removeprefix("-").isdecimal() or int(parameter_text) < minimum:
            raise ValueError(f"must be a whole number of at least {minimum}")
        return int(parameter_text)

    return read_integer


def boolean(parameter_text: str) -> bool:
    """Read true or false."""
    if parameter_text not in ("true", "false"):
        raise ValueError("must be true or false")
    return parameter_text == "true"


def choice(*options: str) -> Reader:
    """Return the reader of one of a few words."""

    def read_choice(parameter_text: str) -> str:
        if parameter_text not in options:
            raise ValueError(f"must be one of {', '.join(options)}")
        return parameter_text

    return read_choice


def strings(parameter_text: str) -> list[str]:
    """Read one string, or several as a JSON list: `stop=END`, `stop=["END","STOP"]`."""
    if not parameter_text.startswith("["):
        if not parameter_text:
            raise ValueError("must not be empty")
        return [parameter_text]
    string_list = _parse_json(parameter_text)
    if not string_list or not all(isinstance(list_entry, str) and list_entry for list_entry in string_list):
        raise ValueError('must be strings as a JSON list, such as ["END","STOP"]')
    return list(string_list)


def json_object(parameter_text: str) -> dict[str, Any]:
    """Read a JSON object."""
    parsed_object = _parse_json(parameter_text)
    if not isinstance(parsed_object, dict):
        raise ValueError('must be a JSON object, such as {"min_p":0.1}')
    return parsed_object


def _parse_number(number_text: str) -> float:
    try:
        parsed_number = float(number_text)
    except ValueError:
        raise ValueError("must be a number") from None
    if not math.isfinite(parsed_number):
        raise ValueError("must be a number")
    return parsed_number


def _parse_json(json_text: str) -> Any:
    try:
        return json.loads(json_text)
    except ValueError as error:
        raise ValueError(f"is not valid JSON ({error})") from None
