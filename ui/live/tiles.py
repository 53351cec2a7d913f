"""The tiles of games: the pictures in the lobby, each `tile.svg`, `tile.webp` or `tile.png` in its game's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

TILE_FORMATS = ("svg", "webp", "png")
MAX_TILE_BYTES = 100_000
"""Bytes of a tile: the lobby shows those of all games at once."""


def find_tiles(game_folders: Mapping[str, Path]) -> dict[str, Path]:
    """Return the file of the tile of each game that has one; `game_folders` are the games' folders."""
    tile_by_game: dict[str, Path] = {}
    for game_name, game_folder in sorted(game_folders.items()):
        tile_paths = [game_folder / f"tile.{file_format}" for file_format in TILE_FORMATS]
        path = next((path for path in tile_paths if path.is_file() and path.stat().st_size <= MAX_TILE_BYTES), None)
        if path:
            tile_by_game[game_name] = path
    return tile_by_game


def make_tile_address(game_name: str, tile_path: Path) -> str:
    """Return the address of a game's tile."""
    return f"/web/tiles/{game_name}{tile_path.suffix}"
