"""Where games and providers of players are: in the project, in folders of the user's, in installed packages.

A folder of the user's game is imported as `games.NAME`, a provider file as `players.NAME`, as if they were in the
project: imports inside of them read the same in both places. An installed package names its games and providers as
entry points of the groups `ludens.games` and `ludens.players`, and keeps its own module names. No game or provider is
imported to find it. Two of the same name are an error that names both places.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES_ENTRY_POINT_GROUP, PLAYERS_ENTRY_POINT_GROUP = "ludens.games", "ludens.players"
"""Groups of entry points; the value is a module that has `GAME` or `PROVIDER`, or `MODULE:NAME`."""


class BadPlugin(ValueError):
    """A game or provider outside the project cannot be used; the message names the place and the next step."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A game or a provider that can be imported.

    `module` has it under the name `attribute`. `path` is the folder of a game, the file or folder of a provider, None
    where an entry point names a module that does not exist. `place_label` says for messages where it comes from.
    """

    name: str
    module: str
    attribute: str
    path: Path | None
    place_label: str

    def load(self) -> object:
        """Import it. Raises what its module raises, and AttributeError for a module without it."""
        loaded_object = importlib.import_module(self.module)
        for attribute_name in self.attribute.split("."):
            loaded_object = getattr(loaded_object, attribute_name)
        return loaded_object

    def list_code_files(self) -> Iterator[Path]:
        """Yield the files that decide how it plays."""
        if self.path is not None and self.path.is_file():
            yield self.path
        elif self.path is not None:
            yield from (file for file in sorted(self.path.rglob("*")) if file.suffix in (".py", ".toml"))


def find_games(project_root: Path, folders: Sequence[Path]) -> dict[str, Plugin]:
    """Return the games of the project at `root`, of folders (a game, or a folder of games) and of packages, by name.

    Raises `BadPlugin`.
    """
    game_plugins = [_make_game_plugin(path.parent) for path in (project_root / "games").glob("*/rules.py")]
    for folder in folders:
        rules_paths = [folder / "rules.py"] if (folder / "rules.py").is_file() else sorted(folder.glob("*/rules.py"))
        if not rules_paths:
            reason = "it has no rules.py, and no folder in it has one" if folder.is_dir() else "there is no such folder"
            raise BadPlugin(f"games: {folder}: {reason}")
        game_plugins += [_make_game_plugin(_make_absolute(path.parent)) for path in rules_paths]
    game_plugins += [
        _make_package_plugin(entry_point, "GAME") for entry_point in _list_entry_points(GAMES_ENTRY_POINT_GROUP)
    ]
    return _index_plugins("games", game_plugins, project_root)


def find_providers(project_root: Path, paths: Sequence[Path]) -> dict[str, Plugin]:
    """Return the providers of the project at `root`, of paths (a file, or a folder of them) and of packages, by name.

    A folder with an `__init__.py` is one provider. Raises `BadPlugin`.
    """
    provider_plugins = [
        _make_provider_plugin(path) for path in (project_root / "players").glob("*.py") if path.stem != "__init__"
    ]
    for path in paths:
        if not path.exists():
            raise BadPlugin(f"players: {path}: there is no such file")
        is_provider = path.is_file() or (path / "__init__.py").is_file()
        provider_paths = [path] if is_provider else [file for file in sorted(path.glob("*.py")) if file.name[0] != "_"]
        if not provider_paths:
            raise BadPlugin(f"players: {path}: there is no provider NAME.py in this folder")
        provider_plugins += [_make_provider_plugin(_make_absolute(file)) for file in provider_paths]
    provider_plugins += [
        _make_package_plugin(entry_point, "PROVIDER") for entry_point in _list_entry_points(PLAYERS_ENTRY_POINT_GROUP)
    ]
    return _index_plugins("players", provider_plugins, project_root)


def is_provider_path(path: Path) -> bool:
    """Return whether a path of the setting `players` names providers (NAME.py or a folder), not a players.toml."""
    return path.suffix == ".py" or path.is_dir()


def make_importable(games: Iterable[Plugin], providers: Iterable[Plugin], project_root: Path) -> None:
    """Let Python import what is outside the project at `root` as `games.NAME` and `players.NAME`.

    Raises `BadPlugin` if this process has imported another one of the same name.
    """
    for plugin in (*games, *providers):
        package, _, submodule = plugin.module.partition(".")
        if package in ("games", "players") and plugin.path and not plugin.path.is_relative_to(project_root / package):
            _PLUGIN_FINDER.add_module(f"{package}.{submodule.partition('.')[0]}", plugin.path)


def _make_game_plugin(folder: Path) -> Plugin:
    return Plugin(folder.name, f"games.{folder.name}.rules", "GAME", folder, str(folder))


def _make_provider_plugin(path: Path) -> Plugin:
    return Plugin(path.stem, f"players.{path.stem}", "PROVIDER", path, str(path))


def _make_package_plugin(entry_point: EntryPoint, attribute_name: str) -> Plugin:
    package_name = entry_point.dist.name if entry_point.dist else entry_point.name
    place_label = f"the entry point {entry_point.value} of the package {package_name}"
    try:
        module_spec = importlib.util.find_spec(entry_point.module)
    except Exception:  # a package that cannot be imported is named when its game or provider is loaded
        module_spec = None
    module_path = Path(module_spec.origin) if module_spec and module_spec.origin else None
    if module_path and attribute_name == "GAME":
        module_path = module_path.parent
    return Plugin(entry_point.name, entry_point.module, entry_point.attr or attribute_name, module_path, place_label)


def _list_entry_points(group: str) -> list[EntryPoint]:
    return sorted(_list_installed()[group], key=lambda entry: entry.name)


@cache
def _list_installed() -> dict[str, list[EntryPoint]]:
    """Return the entry points of both groups. Reading all of an environment takes 40 ms, looking for ours 2 ms."""
    if not any(map(_has_our_group, sys.path)):
        return {GAMES_ENTRY_POINT_GROUP: [], PLAYERS_ENTRY_POINT_GROUP: []}
    from importlib.metadata import entry_points

    all_entry_points = entry_points()
    return {
        group: list(all_entry_points.select(group=group))
        for group in (GAMES_ENTRY_POINT_GROUP, PLAYERS_ENTRY_POINT_GROUP)
    }


def _has_our_group(folder: str) -> bool:
    """Return whether a package that is installed in a folder names games or players."""
    files = [file for kind in ("dist", "egg") for file in Path(folder or ".").glob(f"*.{kind}-info/entry_points.txt")]
    return any(b"ludens." in file.read_bytes() for file in files)


def _make_absolute(path: Path) -> Path:
    """Return a path without `..` and links, but a link in its last part keeps its name."""
    return path.resolve() if path.name in ("", "..") else path.parent.resolve() / path.name


def _index_plugins(package: str, plugins: Iterable[Plugin], root: Path) -> dict[str, Plugin]:
    """Return plugins by name, sorted; one that is named twice comes once. Raises `BadPlugin` for two of one name."""
    folders = {path.parent.name: path.parent for path in (root / package).glob("*/__init__.py")}  # such as games/common
    plugin_by_name: dict[str, Plugin] = {}
    for plugin in plugins:
        first_plugin = plugin_by_name.setdefault(plugin.name, plugin)
        if first_plugin is plugin:
            package_path = folders.get(plugin.name)
            owner = str(package_path) if package_path not in (None, plugin.path) else None
        else:
            owner = first_plugin.place_label if _resolve_path(first_plugin.path) != _resolve_path(plugin.path) else None
        if owner:
            raise BadPlugin(
                f"{package}: {plugin.name!r} is the name of {owner} and of {plugin.place_label}: rename one of them"
            )
    return dict(sorted(plugin_by_name.items()))


def _resolve_path(path: Path | None) -> Path | None:
    return path and path.resolve()


class _Finder(MetaPathFinder):
    """Lets Python find the user's folders and files as modules of the packages `games` and `players`."""

    def __init__(self) -> None:
        self._path_by_module: dict[str, Path] = {}

    def add_module(self, module: str, path: Path) -> None:
        """Make a folder or a file importable. Raises `BadPlugin` if its name is imported from elsewhere already."""
        if self._path_by_module.get(module, path) != path and module in sys.modules:
            raise BadPlugin(f"{path}: this process has loaded {module} from {self._path_by_module[module]} already")
        self._path_by_module[module] = path
        if self not in sys.meta_path:
            sys.meta_path.append(self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that has been added, None for any other."""
        module_path = self._path_by_module.get(fullname)
        if module_path is None:
            return None
        if module_path.is_file():
            return importlib.util.spec_from_file_location(fullname, module_path)
        if (module_path / "__init__.py").is_file():
            return importlib.util.spec_from_file_location(
                fullname, module_path / "__init__.py", submodule_search_locations=[str(module_path)]
            )
        module_spec = ModuleSpec(fullname, None, is_package=True)
        module_spec.submodule_search_locations = [str(module_path)]
        return module_spec


_PLUGIN_FINDER = _Finder()
