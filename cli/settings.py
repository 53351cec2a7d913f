"""Settings of Ludens: the command line overrides the environment (LUDENS_PORT), which overrides ludens.toml.

`ludens.toml` is in the project folder. A relative path in it is relative to that folder; one from the command line or
the environment is relative to the working directory, as usual in a shell.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cli.output import UsageError, print_message
from engine.core.suggestions import did_you_mean

ROOT = Path(__file__).resolve().parent.parent
FILE = "ludens.toml"
PREFIX = "LUDENS_"
PATHS = ("db", "instances", "imported", "players")


class AppSettings(BaseModel):
    """All settings with their defaults."""

    model_config = ConfigDict(extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(7860, ge=1, le=65535)
    db: Path = ROOT / "logs" / "ludens.db"
    open: bool = False
    public_url: str | None = None
    instances: Path | None = None
    """A folder of instance files in place of the shipped ones."""
    imported: Path = ROOT / "imported"
    """The folder in which `ludens assets import` registers data sets and games look for them."""
    players: Path | None = None
    """The user's own players.toml, if it is not the one in the project folder."""
    paid_players: bool = False
    """Whether all visitors of the server may seat players that cost money or load a model."""
    abandon_days: float = Field(7, gt=0)
    concurrency: int = Field(64, ge=1)


def load_settings(root: Path = ROOT, **options: Any) -> AppSettings:
    """Return the settings. `options` are those of the command line, None if not given. Raises `UsageError`."""
    sources = [
        (FILE, _read_file(root / FILE)),
        ("the environment", _read_environment()),
        ("the command line", {name: value for name, value in options.items() if value is not None}),
    ]
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for origin, values in sources:
        merged |= values
        origins |= dict.fromkeys(values, origin)
    try:
        settings = AppSettings.model_validate(merged)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            similar, names = did_you_mean(name, AppSettings.model_fields), ", ".join(AppSettings.model_fields)
            raise UsageError(f"{origins[name]}: unknown setting {name!r}{similar}; the settings are: {names}") from None
        raise UsageError(f"{origins[name]}: {name} = {merged[name]!r}: {first['msg']}") from None
    if "imported" in merged:  # games read it from the environment, also in the processes of a worker pool
        os.environ[f"{PREFIX}IMPORTED"] = str(settings.imported.absolute())
    return settings


def _read_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return {
        name: path.parent / value if name in PATHS and isinstance(value, str) else value
        for name, value in values.items()
    }


def _read_environment() -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable, value in os.environ.items():
        if variable.startswith(PREFIX):
            name = variable.removeprefix(PREFIX).lower()
            if name not in AppSettings.model_fields:  # no reason to stop: another program may use it
                similar = did_you_mean(name, AppSettings.model_fields)
                print_message(f"the environment: unknown setting {variable}{similar}; it is ignored")
            elif value:
                values[name] = value
    return values
