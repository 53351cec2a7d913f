"""Settings of Ludens: the command line overrides the environment (LUDENS_PORT), which overrides ludens.toml.

`ludens.toml` is the nearest file of this name from the working folder upward, otherwise the one in the project folder.
A relative path in it is relative to its folder; one from the command line or the environment is relative to the working
folder, as usual in a shell.
"""

from __future__ import annotations

import os
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError

from cli.output import UsageError, print_message
from engine.core.suggestions import did_you_mean
from engine.play.plugins import is_provider_path
from engine.play.project import (
    PROJECT_ROOT,
    VARIABLE_PREFIX,
    BadSettings,
    PlaySettings,
    find_file,
    read_environment,
    read_file,
)

Network = IPv4Network | IPv6Network


def _split_list(raw_value: object) -> object:
    """Return what an environment variable lists, separated by commas or spaces."""
    return raw_value.replace(",", " ").split() if isinstance(raw_value, str) else raw_value


SECONDS_BY_UNIT = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _parse_seconds(raw_value: object) -> object:
    """Return a time such as "15m" in seconds; what is none is left for the check of numbers."""
    if isinstance(raw_value, str) and raw_value[-1:] in SECONDS_BY_UNIT:
        with suppress(ValueError):
            return float(raw_value[:-1]) * SECONDS_BY_UNIT[raw_value[-1]]
    return raw_value


class AppSettings(PlaySettings):
    """All settings with their defaults."""

    model_config = ConfigDict(extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(7860, ge=1, le=65535)
    db: Path = PROJECT_ROOT / "logs" / "ludens.db"
    open: bool = False
    public_url: str | None = None
    trusted_proxy: Annotated[list[Network], BeforeValidator(_split_list)] = Field([])
    """Addresses or networks of proxies whose forwarded headers are believed."""
    imported: Path = PROJECT_ROOT / "imported"
    """The folder in which `ludens assets import` registers data sets and games look for them."""
    paid_players: bool = False
    """Whether all visitors of the server may seat players that cost money or load a model."""
    choose_instances: Literal["all", "owner"] = "all"
    """Who may choose the experiment or the instance of a table in the browser."""
    abandon_days: float = Field(7, gt=0)
    busy_seconds: float = Field(10, gt=0, le=600)
    """How long to wait for another process that writes to the database."""
    max_players: int | None = Field(None, ge=1)
    """How many seats of people there may be in open games; without it no limit."""
    log_format: Literal["text", "json"] = "text"
    """How `ludens serve` writes its log to standard error."""
    backup_every: Annotated[float | None, BeforeValidator(_parse_seconds), Field(ge=1)] = None
    """How often `ludens serve` copies the log, in seconds or as "15m", "6h", "1d"."""
    backup_to: Path | None = None
    backup_keep: int = Field(96, ge=1)
    """How many copies stay in `backup_to`: those of a day at one every 15 minutes."""
    scripted_seconds: float = Field(2, gt=0)
    """Seconds of processor time that a scripted player on a server may take for a reply."""
    concurrency: int = Field(64, ge=1)


def load_settings(search_folder: Path | None = None, **options: Any) -> AppSettings:
    """Return the settings. `options` are those of the command line, None if not given. Raises `UsageError`.

    `search_folder` is where the search for `ludens.toml` starts, by default the working folder. A players.toml
    on the command line replaces those of the other sources; providers that these name stay.
    """
    try:
        settings_path = find_file(search_folder)
        file_settings = read_file(settings_path)
    except BadSettings as error:
        raise UsageError(str(error)) from None
    setting_sources = [
        (str(settings_path), file_settings),
        ("the environment", _filter_settings(read_environment())),
        ("the command line", {setting_name: value for setting_name, value in options.items() if value is not None}),
    ]
    merged_settings: dict[str, Any] = {}
    origin_by_setting: dict[str, str] = {}
    for source_name, source_settings in setting_sources:
        merged_settings |= source_settings
        origin_by_setting |= dict.fromkeys(source_settings, source_name)
    try:
        settings = AppSettings.model_validate(merged_settings)
    except ValidationError as error:
        first_error = error.errors(include_url=False)[0]
        setting_name = str(first_error["loc"][0])
        if first_error["type"] == "extra_forbidden":
            suggestion = did_you_mean(setting_name, AppSettings.model_fields)
            setting_names = ", ".join(AppSettings.model_fields)
            raise UsageError(
                f"{origin_by_setting[setting_name]}: unknown setting {setting_name!r}{suggestion}; the "
                f"settings are: {setting_names}"
            ) from None
        raise UsageError(
            f"{origin_by_setting[setting_name]}: {setting_name} = {merged_settings[setting_name]!r}: "
            f"{first_error['msg']}"
        ) from None
    if options.get("players"):
        settings.players = [
            options["players"],
            *_list_provider_paths({**setting_sources[0][1], **setting_sources[1][1]}),
        ]
    if "imported" in merged_settings:  # games read it from the environment, also in the processes of a worker pool
        os.environ[f"{VARIABLE_PREFIX}IMPORTED"] = str(settings.imported.absolute())
    if "busy_seconds" in merged_settings:  # so does every connection to the database
        os.environ[f"{VARIABLE_PREFIX}BUSY_SECONDS"] = str(settings.busy_seconds)
    return settings


def _filter_settings(environment: dict[str, str]) -> dict[str, str]:
    """Return the variables of the environment that are settings; the others are named and left out."""
    for setting in (
        environment.keys() - AppSettings.model_fields.keys()
    ):  # no reason to stop: another program may use it
        suggestion = did_you_mean(setting, AppSettings.model_fields)
        print_message(f"the environment: unknown setting {VARIABLE_PREFIX}{setting.upper()}{suggestion}; it is ignored")
    return {setting: value for setting, value in environment.items() if setting in AppSettings.model_fields}


def _list_provider_paths(merged_settings: dict[str, Any]) -> list[Path]:
    """Return the providers that settings name under `players`."""
    players = PlaySettings.model_validate(merged_settings).players
    player_paths = [players] if isinstance(players, Path) else players or []
    return [player_path for player_path in player_paths if is_provider_path(player_path)]
