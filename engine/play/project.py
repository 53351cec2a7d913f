"""Which games and players there are: `ludens.toml` and the environment, read for notebooks and for commands.

`ludens.toml` is the nearest file of this name from the working folder upward, otherwise the one in the project folder.

`build_project_registry` is what `engine.play` and `engine.results` use without another registry. The commands
and the web app have more settings (`cli/settings.py`); these, and the way they are read, are the same.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from engine.core.validation import list_field_errors
from engine.play.registry import Registry

PROJECT_ROOT = Path(__file__).resolve().parents[2]
SETTINGS_FILE = "ludens.toml"
VARIABLE_PREFIX = "LUDENS_"
PATH_SETTINGS = ("db", "instances", "imported", "players", "games", "backup_to")
"""Settings that are a path or a list of paths."""


def _split_paths(setting: Any) -> Any:
    """Return the paths of a text such as "games:more", as environment variables hold them."""
    return [Path(part) for part in setting.split(os.pathsep) if part] if isinstance(setting, str) else setting


def _split_several_paths(setting: Any) -> Any:
    return _split_paths(setting) if isinstance(setting, str) and os.pathsep in setting else setting


class BadSettings(ValueError):
    """A setting cannot be used; the message names its source and the field."""


class PlaySettings(BaseModel):
    """The settings that decide which games and players there are."""

    model_config = ConfigDict(extra="ignore", defer_build=True)

    instances: Path | None = None
    """A folder of instance files in place of the shipped ones."""
    games: Annotated[list[Path], BeforeValidator(_split_paths)] = []
    """Folders outside the project, each of a game or of several; in the environment separated by `:`."""
    players: Annotated[Path | list[Path] | None, BeforeValidator(_split_several_paths)] = None
    """The user's own players.toml, if it is not the one in the project folder; or a list of such files, of providers
    (NAME.py) and of folders of providers, in the environment separated by `:`."""


def find_file(folder: Path | None = None) -> Path:
    """Return the nearest `ludens.toml` from a folder upward (default: the working folder), else the project's.

    The project's file need not exist. Raises `BadSettings` for a file of another user: it could name games, which are
    code, and on a shared machine anybody may write to a folder such as /tmp.
    """
    try:
        start_folder = (folder or Path.cwd()).absolute()
    except FileNotFoundError:  # the working folder has been deleted
        return PROJECT_ROOT / SETTINGS_FILE
    for path in (parent_folder / SETTINGS_FILE for parent_folder in (start_folder, *start_folder.parents)):
        if path != PROJECT_ROOT / SETTINGS_FILE and path.is_file():
            if path.stat().st_uid not in (0, os.getuid()):
                raise BadSettings(
                    f"{path} belongs to another user, so it is not read: make it yours, or use another folder"
                )
            return path
    return PROJECT_ROOT / SETTINGS_FILE


def read_file(path: Path) -> dict[str, Any]:
    """Return the settings of a file, relative paths taken from its folder; {} without it. Raises `BadSettings`."""
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from None
    return {
        setting_name: _resolve_setting_path(path.parent, setting_value)
        if setting_name in PATH_SETTINGS
        else setting_value
        for setting_name, setting_value in settings.items()
    }


def _resolve_setting_path(folder: Path, setting_value: Any) -> Any:
    if isinstance(setting_value, list):
        return [_resolve_setting_path(folder, setting_item) for setting_item in setting_value]
    return folder / setting_value if isinstance(setting_value, str) else setting_value


def read_environment() -> dict[str, str]:
    """Return the environment variables with our prefix, by setting; empty ones are left out."""
    variables = {
        variable_name.removeprefix(VARIABLE_PREFIX).lower(): variable_text
        for variable_name, variable_text in os.environ.items()
        if variable_name.startswith(VARIABLE_PREFIX)
    }
    return {variable_name: variable_text for variable_name, variable_text in variables.items() if variable_text}


def build_project_registry() -> Registry:
    """Return the games and players of the project and those that `ludens.toml` and the environment name.

    Raises `BadSettings` or `BadPlugin`.
    """
    path = find_file()
    try:
        settings = PlaySettings.model_validate(read_file(path) | read_environment())
    except ValidationError as error:
        [fault, *_] = list_field_errors(error)
        raise BadSettings(f"{path} or the environment: {'.'.join(map(str, fault.path))}: {fault.message}") from None
    return build_registry(settings)


def build_registry(settings: PlaySettings, *, cache: Path | None = None) -> Registry:
    """Return the registry that settings describe. Raises `BadPlugin`."""
    return Registry(PROJECT_ROOT, settings.instances, settings.players, cache, settings.games)
