"""Settings: the command line over the environment (LUDENS_PORT) over ludens.toml over defaults.

`ludens.toml` stands in the project folder; a relative path in it is relative to that folder, one from the command line
or the environment to the working directory, as everywhere in a shell.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cli.words import Wrong, say
from engine.core.suggestions import did_you_mean

ROOT = Path(__file__).resolve().parent.parent
FILE = "ludens.toml"
PREFIX = "LUDENS_"
PATHS = ("db", "instances", "imported", "players")


class Settings(BaseModel):
    """Everything that can be set, with its default."""

    model_config = ConfigDict(extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(7860, ge=1, le=65535)
    db: Path = ROOT / "logs" / "ludens.db"
    open: bool = False
    public_url: str | None = None
    instances: Path | None = None
    """A folder of instance files in place of the shipped ones."""
    imported: Path = ROOT / "imported"
    """Where `ludens assets import` registers data sets, and where games look for them."""
    players: Path | None = None
    """The user's own players.toml, if it is not the one in the project folder."""
    paid_players: bool = False
    """Whether everybody who reaches the server may seat players that cost money or load a model."""
    abandon_days: float = Field(7, gt=0)
    concurrency: int = Field(64, ge=1)


def load(root: Path = ROOT, **given: Any) -> Settings:
    """Return the settings; `given` are those of the command line, None where nothing was said. Raises `Wrong`."""
    sources = [
        (FILE, _of_file(root / FILE)),
        ("the environment", _of_environment()),
        ("the command line", {name: value for name, value in given.items() if value is not None}),
    ]
    merged: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for name, values in sources:
        merged |= values
        origin |= dict.fromkeys(values, name)
    try:
        settings = Settings.model_validate(merged)
        if "imported" in merged:  # games find pictures by themselves, also in the processes of a run's crew
            os.environ[f"{PREFIX}IMPORTED"] = str(settings.imported.absolute())
        return settings
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            raise Wrong(
                f"{origin[name]}: no setting {name!r}{did_you_mean(name, Settings.model_fields)}; {_known()}"
            ) from None
        raise Wrong(f"{origin[name]}: {name} = {merged[name]!r}: {first['msg']}") from None


def _of_file(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Wrong(f"{path} cannot be read: {error}") from None
    return {
        name: path.parent / value if name in PATHS and isinstance(value, str) else value
        for name, value in values.items()
    }


def _of_environment() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for variable, value in os.environ.items():
        if variable.startswith(PREFIX):
            name = variable.removeprefix(PREFIX).lower()
            if name not in Settings.model_fields:  # somebody else's, perhaps: no reason to refuse
                say(f"{variable} is no setting of Ludens{did_you_mean(name, Settings.model_fields)}; it is ignored")
            elif value:
                found[name] = value
    return found


def _known() -> str:
    return f"there are: {', '.join(Settings.model_fields)}"
