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

logger = logging.getLogger("ludens.widgets")

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
    manifest_path = folder / MANIFEST_FILE
    try:
        manifest = Manifest.model_validate_json(manifest_path.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadManifest(f"{manifest_path}: {error}") from error
    file_names = [*manifest.fields.values(), *manifest.exhibits.values(), *manifest.styles]
    for file_name in file_names:
        if Path(file_name).name != file_name or not (folder / file_name).is_file():
            raise BadManifest(f"{manifest_path}: {file_name!r} is not a file of this folder")
    return manifest


def find_web_folders(game_folders: Mapping[str, Path]) -> dict[str, Path]:
    """Return the `web` folder of each game that brings widgets, by the game's name."""
    folder_by_game = {game_name: folder / "web" for game_name, folder in sorted(game_folders.items())}
    return {game_name: folder for game_name, folder in folder_by_game.items() if (folder / MANIFEST_FILE).is_file()}


def combine_manifests(folder_by_game: dict[str, Path]) -> dict[str, Any]:
    """Return {"fields" | "exhibits": {KIND: {"module", "styles"}}} of all games, with addresses of files."""
    combined_manifest: dict[str, dict[str, Any]] = {"fields": {}, "exhibits": {}}
    for game_name, web_folder in folder_by_game.items():
        try:
            manifest = read_manifest(web_folder)
        except BadManifest as error:
            logger.warning("%s. The widgets of %s are missing", error, game_name)
            continue
        url_prefix = f"/web/games/{game_name}/"
        style_urls = [url_prefix + file_name for file_name in manifest.styles]
        for section, file_by_kind in (("fields", manifest.fields), ("exhibits", manifest.exhibits)):
            for widget_kind, file_name in file_by_kind.items():
                if widget_kind in combined_manifest[section]:
                    logger.warning(
                        "%s: another game has %s of kind %r already", web_folder / MANIFEST_FILE, section, widget_kind
                    )
                    continue
                combined_manifest[section][widget_kind] = {"module": url_prefix + file_name, "styles": style_urls}
    return combined_manifest


def make_routes(game_folders: Mapping[str, Path]) -> list[BaseRoute]:
    """Return the routes of all widgets, to stand before the one of /web itself."""
    folders = find_web_folders(game_folders)
    combined_manifest = combine_manifests(folders)

    async def send_manifest(request: Request) -> JSONResponse:
        return JSONResponse(combined_manifest)

    mounts = [Mount(f"/web/games/{game_name}", StaticFiles(directory=folder)) for game_name, folder in folders.items()]
    return [Route(f"/web/{MANIFEST_FILE}", send_manifest), *mounts]
