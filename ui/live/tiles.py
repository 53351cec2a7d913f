"""The tiles of games: the pictures in the lobby, each `tile.svg`, `tile.webp` or `tile.png` in its game's folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

TILE_FORMATS = ("svg", "webp", "png")
LARGEST_TILE = 100_000
"""Bytes of a tile: the lobby shows those of all games at once."""


def find_tiles(folders: Mapping[str, Path]) -> dict[str, Path]:
    """Return the file of the tile of each game that has one; `folders` are the games' folders."""
    tiles: dict[str, Path] = {}
    for game_name, folder in sorted(folders.items()):
        paths = [folder / f"tile.{file_format}" for file_format in TILE_FORMATS]
        path = next((path for path in paths if path.is_file() and path.stat().st_size <= LARGEST_TILE), None)
        if path:
            tiles[game_name] = path
    return tiles


def tile_address(game_name: str, path: Path) -> str:
    """Return the address of a game's tile."""
    return f"/web/tiles/{game_name}{path.suffix}"
