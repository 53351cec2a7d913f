"""Checks of seats and settings before anything is played, with messages that name what exists."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from engine.core.events import Json
from engine.core.game import Game
from engine.core.sides import side_keys
from engine.core.start import RULES_FOR_MODELS
from engine.core.suggestions import did_you_mean
from engine.core.validation import field_errors
from engine.play.seating import empty_seats


class BadPlan(ValueError):
    """A run cannot be planned as requested; the message names the mistake and the valid choices."""


def check_seats(games: Mapping[str, Game], seating: Mapping[str, str]) -> None:
    seat_names = {"all", *(seat for game in games.values() for seat in (*game.seats, *side_keys(game)))}
    if unknown_seats := [seat for seat in seating if seat not in seat_names]:
        suggestion, known_seats = did_you_mean(unknown_seats[0], seat_names), ", ".join(sorted(seat_names - {"all"}))
        raise BadPlan(f"no seat {unknown_seats[0]!r}{suggestion}; there are: {known_seats}, and all")
    for game in games.values():
        if missing_seats := empty_seats(game, seating):
            options = " ".join(f"--seat {seat}=PLAYER" for seat in missing_seats)
            raise BadPlan(
                f"{game.name} has the seats {', '.join(game.seats)}; nobody sits at {', '.join(missing_seats)}: "
                f"add {options}, or --seat all=PLAYER"
            )


def check_settings(game: Game, settings: Json | None) -> None:
    fields = game.settings.model_fields
    known_settings = (
        ", ".join(f"{name} (default {json.dumps(info.default)})" for name, info in fields.items()) or "none"
    )
    for key in settings or {}:
        if key not in fields:
            raise BadPlan(f"{game.name} has no setting {key!r}{did_you_mean(key, fields)}; there are: {known_settings}")
    try:
        game.settings.model_validate(settings or {})
    except ValidationError as error:
        raise BadPlan(
            f"{game.name}: setting {'; '.join(validation_messages(error))}; settings are: {known_settings}"
        ) from None


def check_prompts(game: Game, version: int | None) -> None:
    if version is not None and version not in game.prompts.versions:
        versions = ", ".join(map(str, game.prompts.versions))
        raise BadPlan(f"{game.name} has no version {version} of its prompts; there are: {versions}")


def check_rules_for_models(rules: Mapping[str, str]) -> Mapping[str, str]:
    """Return the values of `on_empty` and `on_context`. Raises `BadPlan` for a value that does not exist."""
    for rule_name, rule_value in rules.items():
        valid_values = [str(option) for option in type(RULES_FOR_MODELS[rule_name])]
        if rule_value not in valid_values:
            raise BadPlan(f"{rule_name} is {' or '.join(valid_values)}, not {rule_value!r}")
    return rules


def validation_messages(error: ValidationError, input_data: Any = None) -> list[str]:
    """Return the errors that pydantic found in `input_data`, each as `field: reason (got value)`."""
    messages = []
    for fault in field_errors(error):
        path = (
            _path(input_data, fault.path, fault.is_missing)
            if isinstance(input_data, dict)
            else list(map(str, fault.path))
        )
        got_text = "" if fault.is_missing or fault.is_own else f" (got {fault.value!r:.80})"
        messages.append(f"{'.'.join(path)}: {fault.message}{got_text}" if path else f"{fault.message}{got_text}")
    return messages


def _path(input_data: Any, field_path: Sequence[str | int], is_missing: bool) -> list[str]:
    """Return the keys of a path that exist in the data, without the names of union members that pydantic inserts."""
    steps: list[str] = []
    for depth, step in enumerate(field_path, 1):
        if isinstance(input_data, dict) and step not in input_data and not (is_missing and depth == len(field_path)):
            continue
        steps.append(str(step))
        try:
            input_data = input_data[step]
        except (LookupError, TypeError):
            input_data = None
    return steps
