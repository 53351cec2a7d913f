"""The study as it is rehearsed: models are replaced by programs, and with fast participants waiting is shorter."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

from cli.output import UsageError
from engine.core.events import Json
from engine.core.player import UnknownPlayer
from engine.play.registry import BadInstances, Registry, UnknownSelection
from engine.studies.study_file import PARTICIPANT_PLAYER, load_study

PROGRAM_PLAYERS = ("scripted", "random")
"""The players that take the seats of models, the first one that a game has."""
FAST_WAITING_SECONDS = 20.0


def copy_study(study_path: Path, registry: Registry, *, arrivals: int, is_fast: bool) -> tuple[str, list[str]]:
    """Return the text of the study file for a rehearsal, and a line per change. Raises `BadStudy`, `UsageError`."""
    _, study_text = load_study(study_path)
    study_table = tomllib.loads(study_text)
    changes: list[str] = []
    for deal_table in study_table["games"]["deals"]:
        game_name = str(deal_table["selection"]).partition("/")[0]
        for seat, player in deal_table["seats"].items():
            if player != PARTICIPANT_PLAYER:
                deal_table["seats"][seat] = _choose_program(
                    player, deal_table["selection"], game_name, registry, changes
                )
    waiting_table = study_table.get("waiting", {})
    if program := waiting_table.get("program"):
        selection = study_table["games"]["deals"][0]["selection"]
        waiting_table["program"] = _choose_program(program, selection, selection.partition("/")[0], registry, changes)
    if is_fast:
        _shorten_duration(study_table, "hold_minutes", 10, (10 + arrivals / 2) / 60, changes)
        if any(
            list(deal_table["seats"].values()).count(PARTICIPANT_PLAYER) > 1
            for deal_table in study_table["games"]["deals"]
        ):
            _shorten_duration(study_table.setdefault("waiting", {}), "seconds", 300, FAST_WAITING_SECONDS, changes)
    return format_toml(study_table), list(dict.fromkeys(changes))


def _choose_program(player: str, selection: str, game_name: str, registry: Registry, changes: list[str]) -> str:
    """Return a program in place of a model, which would cost money or time; other players stay."""
    try:
        if registry.player_kind(registry.resolve(player), game_name) != "model":
            return player
        selected_items = registry.select_instances(selection)
        game_plugin = registry.game(game_name)
        for program in PROGRAM_PLAYERS:
            variants = {selected_item.variant for selected_item in selected_items}
            if not any(_find_program_refusal(registry, program, game_name, variant) for variant in variants):
                changes.append(f"{program} plays in place of {player}, which is not called")
                return program
    except (UnknownPlayer, UnknownSelection, BadInstances):
        return player  # the check of the study names it
    raise UsageError(f"no program can play {game_plugin.title} in place of {player}")


def _find_program_refusal(registry: Registry, program: str, game_name: str, variant: str) -> str | None:
    try:
        game_plugin = registry.game(game_name)
        return registry.find_refusal(program, game_plugin, game_plugin.variant(variant))
    except UnknownPlayer as error:
        return str(error)


def _shorten_duration(table: Json, field_name: str, default: float, new_duration: float, changes: list[str]) -> None:
    old_duration = table.get(field_name, default)
    if new_duration < old_duration:
        table[field_name] = round(new_duration, 3)
        changes.append(f"{field_name} is {table[field_name]:g} instead of {old_duration:g}: nobody needs time to think")


def format_toml(toml_table: Json) -> str:
    """Return a table as TOML, one line for each of its fields: JSON texts, numbers and lists are TOML, too."""
    return "".join(f"{_toml_text(field_name)} = {_toml_text(entry)}\n" for field_name, entry in toml_table.items())


def _toml_text(toml_value: Any) -> str:
    if isinstance(toml_value, dict):
        return "{" + ", ".join(f"{_toml_text(key)} = {_toml_text(entry)}" for key, entry in toml_value.items()) + "}"
    if isinstance(toml_value, list):
        return "[" + ", ".join(map(_toml_text, toml_value)) + "]"
    if isinstance(toml_value, date):  # also times
        return toml_value.isoformat()
    return json.dumps(toml_value).replace("\x7f", "\\u007f")
