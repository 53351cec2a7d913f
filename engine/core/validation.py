"""The errors that pydantic finds in files, settings and instances, as typed records for messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class FieldError:
    """One error. `path` leads to the field, `kind` is pydantic's name of the error, `value` the rejected value."""

    kind: str
    path: tuple[str | int, ...]
    message: str
    value: Any

    @property
    def is_missing(self) -> bool:
        """Whether the field is missing."""
        return self.kind == "missing"

    @property
    def is_own_message(self) -> bool:
        """Whether the message is that of our own validator, which names the value itself."""
        return self.kind == "value_error"


def list_field_errors(error: ValidationError) -> list[FieldError]:
    """Return the errors that pydantic found, in the order of the fields.

    That a list is too short is left out where its entries have errors: pydantic counts only those without.
    """
    errors: list[FieldError] = []
    for error_detail in error.errors(include_url=False):
        match error_detail:
            case {
                "type": "value_error" as error_kind,
                "ctx": {"error": original_error},
                "loc": field_path,
                "input": input_value,
            }:
                errors.append(FieldError(error_kind, field_path, str(original_error), input_value))
            case {"type": error_kind, "loc": field_path, "msg": error_text, "input": input_value}:
                errors.append(FieldError(error_kind, field_path, error_text, input_value))
    return [error for error in errors if error.kind != "too_short" or not _has_inner_error(error, errors)]


def _has_inner_error(list_field_error: FieldError, errors: Sequence[FieldError]) -> bool:
    depth = len(list_field_error.path)
    return any(error.path[:depth] == list_field_error.path and len(error.path) > depth for error in errors)
