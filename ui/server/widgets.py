"""The widgets that games bring for the browser: form fields and exhibits of kinds that the pages do not know.

A game lists them in `games/FAMILY/web/widgets.json`: {"fields": {KIND: FILE}, "exhibits": {KIND: FILE},
"styles": [FILE]}. The files of that folder are served below /web/games/FAMILY/, the lists of all games together as
/web/widgets.json. They are the same for everybody. A list that cannot be used is logged, and only that game's widgets
are missing.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

log = logging.getLogger("ludens.widgets")

MANIFEST_FILE = "widgets.json"


class Manifest(BaseModel):
    """What one game brings: the module of each kind of field and of exhibit, and style sheets that they need."""

    model_config = ConfigDict(extra="forbid")

    fields: dict[str, str] = {}
    exhibits: dict[str, str] = {}
    styles: list[str] = []


class BadManifest(ValueError):
    """A list of widgets cannot be used; the message says why."""


def read_manifest(folder: Path) -> Manifest:
    """Read the list in a game's `web` folder. Raises `BadManifest` that names the file and what is wrong."""
    path = folder / MANIFEST_FILE
    try:
        manifest = Manifest.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadManifest(f"{path}: {error}") from error
    files = [*manifest.fields.values(), *manifest.exhibits.values(), *manifest.styles]
    for file_name in files:
        if Path(file_name).name != file_name or not (folder / file_name).is_file():
            raise BadManifest(f"{path}: {file_name!r} is not a file of this folder")
    return manifest


def web_folders(games: Mapping[str, Path]) -> dict[str, Path]:
    """Return the `web` folder of each game that brings widgets, by the game's name. `games` are the games' folders."""
    return {game: games[game] / "web" for game in sorted(games) if (games[game] / "web" / MANIFEST_FILE).is_file()}


def combine_manifests(folders: dict[str, Path]) -> dict[str, Any]:
    """Return {"fields" | "exhibits": {KIND: {"module", "styles"}}} of all games, with addresses of files."""
    combined_manifest: dict[str, dict[str, Any]] = {"fields": {}, "exhibits": {}}
    for family, folder in folders.items():
        try:
            manifest = read_manifest(folder)
        except BadManifest as error:
            log.warning("%s. The widgets of %s are missing", error, family)
            continue
        url_prefix = f"/web/games/{family}/"
        styles = [url_prefix + file for file in manifest.styles]
        for section, modules in (("fields", manifest.fields), ("exhibits", manifest.exhibits)):
            for kind, file in modules.items():
                if kind in combined_manifest[section]:
                    log.warning("%s: another game has %s of kind %r already", folder / MANIFEST_FILE, section, kind)
                    continue
                combined_manifest[section][kind] = {"module": url_prefix + file, "styles": styles}
    return combined_manifest


def routes(games: Mapping[str, Path]) -> list[BaseRoute]:
    """Return the routes of all widgets, to stand before the one of /web itself. `games` are the games' folders."""
    folders = web_folders(games)
    combined_manifest = combine_manifests(folders)

    async def widgets(request: Request) -> JSONResponse:
        return JSONResponse(combined_manifest)

    mounts = [Mount(f"/web/games/{family}", StaticFiles(directory=folder)) for family, folder in folders.items()]
    return [Route(f"/web/{MANIFEST_FILE}", widgets), *mounts]
