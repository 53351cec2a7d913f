"""What several commands ask of a log: open an existing one, choose episodes by selection, count them as results do."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cli.words import Failed, Wrong

if TYPE_CHECKING:
    from cli.settings import Settings
    from engine.play.registry import Registry
    from engine.results.index import Results
    from engine.results.leaderboard import GamePart, ResultFilter
    from engine.storage.episode_row import EpisodeRow
    from engine.storage.store import Store


def registry_of(settings: Settings, *, cache: Path | None = None) -> Registry:
    """Return the registry of the project, with the instances and players that the settings name."""
    from cli.settings import ROOT
    from engine.play.registry import Registry

    return Registry(ROOT, settings.instances, settings.players, cache)


def writable(path: Path) -> None:
    """Raise `Failed` where a log can be neither made nor added to."""
    if path.is_dir():
        raise Failed(f"{path} is a folder: name a file in it, such as --db {path / 'ludens.db'}")
    near = path if path.exists() else next(parent for parent in path.absolute().parents if parent.exists())
    if (near.is_dir() and not can_hold(near)) or not (near.is_dir() or os.access(near, os.W_OK)):
        raise Failed(f"{path} cannot be written: choose another file with --db")


def can_hold(folder: Path) -> bool:
    """Say whether a file can be made in a folder by making one, which root's rights alone do not tell (/proc)."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def opened(path: Path, *, purpose: str = "reader") -> Store:
    """Open a log that is there. Raises `Failed` where there is none: reading makes no empty file."""
    from engine.storage.store import Store

    if not path.exists():
        raise Failed(f"no database {path}: nothing was played into it yet. `ludens run` or `ludens serve` makes one")
    return Store(path, purpose=purpose)


def chosen(store: Store, selections: Sequence[str] | None, registry: Registry) -> list[EpisodeRow]:
    """Return the episodes that the selections name, all without any. Raises what names an unknown part."""
    if not selections:
        return store.episodes()
    found: dict[str, EpisodeRow] = {}
    for selection in selections:
        game, variant, experiment = (*part_named(selection), None, None)[:3]
        rows = store.episodes(game=game, variant=variant, experiment=experiment)
        if not rows:
            registry.select(selection)  # says what is misspelt
        found |= {row.id: row for row in rows}
    return sorted(found.values(), key=lambda row: row.id)


def part_named(selection: str) -> GamePart:
    """Return the part of a game that a selection names. Raises `Wrong` for one that goes further."""
    from engine.results.leaderboard import parse_part

    part = parse_part(selection)
    if len(part) > 3:
        raise Wrong(f"{selection!r} is not GAME[/VARIANT[/EXPERIMENT]]")
    return part


def results_of(store: Store, registry: Registry, selections: Sequence[str] | None) -> Results:
    """Return the results of a log, up to date. Raises what names a selection of which there is no such part."""
    from engine.results.index import Results
    from engine.results.leaderboard import ResultFilter

    results = Results(store, registry)
    results.refresh()
    for selection in selections or ():
        if not any(map(ResultFilter(registry, [part_named(selection)]).has_part_of, results.conditions)):
            registry.select(selection)  # says what is misspelt
    return results


def choice_of(
    registry: Registry, selections: Sequence[str] | None, players: Sequence[str] | None, people: bool, models: bool
) -> ResultFilter:
    """Return what the options of a command choose: parts of games, players, episodes with people or models."""
    from engine.core.player import Address
    from engine.results.leaderboard import ResultFilter, parse_part

    kinds = frozenset(kind for kind, wanted in (("person", people), ("model", models)) if wanted)
    addresses = [Address.parse(registry.resolve(player)) for player in players or ()]
    return ResultFilter(registry, [parse_part(selection) for selection in selections or ()], addresses, kinds)
