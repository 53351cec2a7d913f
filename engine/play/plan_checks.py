"""Checks of seats and settings before anything is played, with messages that name what exists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from engine.core.events import Json
from engine.core.game import Game
from engine.core.sides import list_side_keys
from engine.core.start import RULES_FOR_MODELS
from engine.core.suggestions import did_you_mean
from engine.core.validation import list_field_errors
from engine.play.seating import list_empty_seats


class BadPlan(ValueError):
    """A run cannot be planned as requested; the message names the mistake and the valid choices."""


def check_seats(games: Mapping[str, Game], seating: Mapping[str, str]) -> None:
    seat_names = {"all", *(seat for game in games.values() for seat in (*game.seats, *list_side_keys(game)))}
    if unknown_seats := [seat for seat in seating if seat not in seat_names]:
        suggestion, known_seats = did_you_mean(unknown_seats[0], seat_names), ", ".join(sorted(seat_names - {"all"}))
        raise BadPlan(f"no seat {unknown_seats[0]!r}{suggestion}; there are: {known_seats}, and all")
    for game in games.values():
        if missing_seats := list_empty_seats(game, seating):
            seat_options = " ".join(f"--seat {seat}=PLAYER" for seat in missing_seats)
            raise BadPlan(
                f"{game.name} has the seats {', '.join(game.seats)}; nobody sits at {', '.join(missing_seats)}: "
                f"add {seat_options}, or --seat all=PLAYER"
            )


def check_settings(game: Game, settings: Json | None) -> None:
    fields = game.settings.model_fields
    known_settings = (
        ", ".join(f"{name} (default {json.dumps(field_info.default)})" for name, field_info in fields.items()) or "none"
    )
    for key in settings or {}:
        if key not in fields:
            raise BadPlan(f"{game.name} has no setting {key!r}{did_you_mean(key, fields)}; there are: {known_settings}")
    try:
        game.settings.model_validate(settings or {})
    except ValidationError as error:
        raise BadPlan(
            f"{game.name}: setting {'; '.join(list_messages(error))}; settings are: {known_settings}"
        ) from None


def check_prompts(game: Game, version: int | None) -> None:
    if version is not None and version not in game.prompts.versions:
        versions = ", ".join(map(str, game.prompts.versions))
        raise BadPlan(f"{game.name} has no version {version} of its prompts; there are: {versions}")


def check_rules_for_models(model_rules: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values of `on_empty` and `on_context`. Raises `BadPlan` for a value that does not exist."""
    for rule_name, rule_value in model_rules.items():
        valid_values = [str(rule_option) for rule_option in type(RULES_FOR_MODELS[rule_name])]
        if rule_value not in valid_values:
            raise BadPlan(f"{rule_name} is {' or '.join(valid_values)}, not {rule_value!r}")
    return model_rules


def list_messages(error: ValidationError, input_data: Any = None) -> list[str]:
    """Return the errors that pydantic found in `input_data`, each as `field: reason (got value)`."""
    error_messages = []
    for fault in list_field_errors(error):
        path = (
            _format_path(input_data, fault.path, fault.is_missing)
            if isinstance(input_data, dict)
            else list(map(str, fault.path))
        )
        received_text = "" if fault.is_missing or fault.is_own_message else f" (got {fault.value!r:.80})"
        error_messages.append(
            f"{'.'.join(path)}: {fault.message}{received_text}" if path else f"{fault.message}{received_text}"
        )
    return error_messages


def _format_path(input_data: Any, field_path: Sequence[str | int], is_missing: bool) -> list[str]:
    """Return the keys of a path that exist in the data, without the names of union members that pydantic inserts."""
    path_steps: list[str] = []
    for path_depth, path_step in enumerate(field_path, 1):
        if (
            isinstance(input_data, dict)
            and path_step not in input_data
            and not (is_missing and path_depth == len(field_path))
        ):
            continue
        path_steps.append(str(path_step))
        try:
            input_data = input_data[path_step]
        except (LookupError, TypeError):
            input_data = None
    return path_steps
