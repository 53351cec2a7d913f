"""How commands open a log, select its episodes, and read its results."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cli.output import CommandFailed, UsageError

if TYPE_CHECKING:
    from cli.settings import AppSettings
    from engine.play.registry import Registry
    from engine.results.index import Results
    from engine.results.leaderboard import GamePart, ResultFilter
    from engine.storage.episode_row import EpisodeRow
    from engine.storage.store import Store


def build_registry(settings: AppSettings, *, cache_path: Path | None = None) -> Registry:
    """Return the registry of the project, with the instances and players that the settings name."""
    from engine.play import project

    return project.build_registry(settings, cache=cache_path)


def check_writable(path: Path) -> None:
    """Raise `CommandFailed` if a log can neither be created nor extended."""
    if path.is_dir():
        raise CommandFailed(f"{path} is a folder: name a file in it, such as --db {path / 'ludens.db'}")
    nearest_folder = path if path.exists() else next(parent for parent in path.absolute().parents if parent.exists())
    is_writable = can_create_files(nearest_folder) if nearest_folder.is_dir() else os.access(nearest_folder, os.W_OK)
    if not is_writable:
        raise CommandFailed(f"{path} cannot be written: choose another file with --db")


def can_create_files(folder: Path) -> bool:
    """Return whether a file can be created in a folder. Tries it: for root, permissions alone do not tell (/proc)."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def open_store(db_path: Path, *, purpose: str = "reader", creators: str = "`ludens run` or `ludens serve`") -> Store:
    """Open an existing log. Raises `CommandFailed` if it does not exist, so that reading creates no empty file.

    `creators` names the commands that create what is missing.
    """
    from engine.storage.store import Store

    if not db_path.exists():
        raise CommandFailed(f"no database {db_path}: {creators} creates it")
    return Store(db_path, purpose=purpose)


def select_episodes(store: Store, selections: Sequence[str] | None, registry: Registry) -> list[EpisodeRow]:
    """Return the episodes of the selections, or all without any. Raises an error that names an unknown part."""
    if not selections:
        return store.episodes()
    episodes: dict[str, EpisodeRow] = {}
    for selection in selections:
        game, variant, experiment = parse_selection(selection)
        log_rows = store.episodes(game=game, variant=variant, experiment=experiment)
        if not log_rows:
            registry.select_instances(selection)  # raises if a part is unknown
        episodes |= {log_row.id: log_row for log_row in log_rows}
    return sorted(episodes.values(), key=lambda log_row: log_row.id)


def parse_selection(selection: str) -> tuple[str, str | None, str | None]:
    """Return game, variant and experiment of a selection. Raises `UsageError` for a selection with more parts."""
    game, variant, experiment = (*_parse_game_part(selection), None, None)[:3]
    return str(game), variant, experiment


def parse_selections(
    selections: Sequence[str], store: Store, registry: Registry
) -> list[tuple[str, str | None, str | None]]:
    """Return game, variant and experiment of each selection. Raises an error that names an unknown part."""
    selection_parts = []
    for selection in selections:
        selection_part = parse_selection(selection)
        if next(store.iterate_episodes([selection_part]), None) is None:
            registry.select_instances(selection)  # raises if a part is unknown
        selection_parts.append(selection_part)
    return selection_parts


def _parse_game_part(selection: str) -> GamePart:
    from engine.results.leaderboard import parse_game_part

    game_part = parse_game_part(selection)
    if len(game_part) > 3:
        raise UsageError(f"{selection!r} is not GAME[/VARIANT[/EXPERIMENT]]")
    return game_part


def read_results(store: Store, registry: Registry, selections: Sequence[str] | None) -> Results:
    """Return the results of a log, up to date. Raises an error that names an unknown part of a selection."""
    from engine.results.index import Results
    from engine.results.leaderboard import ResultFilter

    gc.disable()  # 100,000 results are read and all kept: collections would search them in vain, for 0.3 s
    results = Results(store, registry)
    results.refresh()
    for selection in selections or ():
        if not any(map(ResultFilter(registry, [_parse_game_part(selection)]).has_game_part, results.conditions)):
            registry.select_instances(selection)  # raises if a part is unknown
    return results


def check_players(result_filter: ResultFilter, results: Results) -> None:
    """Raise `UsageError` for a selected player whom no episode has, if others have some."""
    from engine.core.player import Address
    from engine.results.leaderboard import list_players

    players = list_players(results.conditions)
    for address in result_filter.addresses if players else ():
        if not any(address.covers_address(Address.parse(player)) for player in players):
            raise UsageError(f"no episode with {str(address)!r}; the players there are: {', '.join(players)}")


def build_filter(
    registry: Registry,
    selections: Sequence[str] | None,
    players: Sequence[str] | None = None,
    *,
    people: bool = False,
    selects_models: bool = False,
    study: str | None = None,
) -> ResultFilter:
    """Return what the options of a command select: parts of games, players, episodes with people or models, a study."""
    from engine.core.player import Address
    from engine.results.leaderboard import ResultFilter, parse_game_part

    is_selected_by_kind = {"person": people, "model": selects_models}
    player_kinds = frozenset(player_kind for player_kind, is_selected in is_selected_by_kind.items() if is_selected)
    player_addresses = [Address.parse(registry.resolve(player)) for player in players or ()]
    game_parts = [parse_game_part(selection) for selection in selections or ()]
    return ResultFilter(registry, game_parts, player_addresses, player_kinds, study)


def load_reply_formats(game: str) -> None:
    """Load a game if it is available, so that transcripts can show its own reply formats."""
    from cli.settings import load_settings
    from engine.play.registry import UnknownSelection

    with suppress(UnknownSelection):
        build_registry(load_settings()).game(game)
