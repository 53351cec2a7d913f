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
    address: Address, reader_by_name: Mapping[str, Reader], *, skipped_names: Collection[str] = ()
) -> dict[str, Any]:
    """Return the values of an address's parameters in order of their names, without `skipped_names`.

    Raises `UnknownPlayer` with the parameter and its allowed values, or with the parameters that exist.
    """
    parameters: dict[str, Any] = {}
    for parameter_name, parameter_text in sorted(address.parameters.items()):
        if parameter_name in skipped_names:
            continue
        if parameter_name not in reader_by_name:
            known_names = ", ".join(sorted({*reader_by_name, *skipped_names}))
            raise UnknownPlayer(
                f"{address.model} has no parameter {parameter_name!r}{did_you_mean(parameter_name, reader_by_name)}; "
                f"there are {known_names}"
            )
        try:
            parameters[parameter_name] = reader_by_name[parameter_name](parameter_text)
        except ValueError as error:
            raise UnknownPlayer(f"{address.model}: {parameter_name}={parameter_text!r}: {error}") from None
    return parameters


def make_number_reader(lower_bound: float, upper_bound: float = math.inf) -> Reader:
    """Return the reader of a number between two bounds, both included. A whole number becomes an int."""
    bounds = f"of at least {lower_bound:g}" if upper_bound == math.inf else f"from {lower_bound:g} to {upper_bound:g}"

    def read_number(parameter_text: str) -> float:
        parsed_number = _parse_number(parameter_text)
        if not lower_bound <= parsed_number <= upper_bound:
            raise ValueError(f"must be a number {bounds}")
        return int(parsed_number) if parsed_number == int(parsed_number) else parsed_number

    return read_number


def make_integer_reader(lower_bound: int) -> Reader:
    """Return the reader of a whole number."""

    def read_integer(parameter_text: str) -> int:
        if not parameter_text.removeprefix("-").isdecimal() or int(parameter_text) < lower_bound:
            raise ValueError(f"must be a whole number of at least {lower_bound}")
        return int(parameter_text)

    return read_integer


def read_boolean(parameter_text: str) -> bool:
    """Read true or false."""
    if parameter_text not in ("true", "false"):
        raise ValueError("must be true or false")
    return parameter_text == "true"


def make_choice_reader(*allowed_words: str) -> Reader:
    """Return the reader of one of a few words."""

    def read_choice(parameter_text: str) -> str:
        if parameter_text not in allowed_words:
            raise ValueError(f"must be one of {', '.join(allowed_words)}")
        return parameter_text

    return read_choice


def read_strings(parameter_text: str) -> list[str]:
    """Read one string, or several as a JSON list: `stop=END`, `stop=["END","STOP"]`."""
    if not parameter_text.startswith("["):
        if not parameter_text:
            raise ValueError("must not be empty")
        return [parameter_text]
    string_list = _parse_json(parameter_text)
    if not string_list or not all(isinstance(list_entry, str) and list_entry for list_entry in string_list):
        raise ValueError('must be strings as a JSON list, such as ["END","STOP"]')
    return list(string_list)


def read_json_object(parameter_text: str) -> dict[str, Any]:
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
