"""Find games, instances and players in the project's folders.

A game is a folder `games/FAMILY` with a `rules.py` that defines `GAME`. Its instances are in
`instances/FAMILY/VARIANT.json`; further experiments of a variant, made from the user's own pictures, are next to it in
`VARIANT.SET.json`. A provider of players is a file `players/NAME.py` that defines `PROVIDER`; players.toml lists the
players it has (`engine/play/roster.py`). Games and providers are imported at first use.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from engine.core.events import Event, Json
from engine.core.game import Game, ScriptedPlayer, Variant
from engine.core.log import Log
from engine.core.player import (
    Address,
    EpisodeLoader,
    Player,
    PlayerInfo,
    Provider,
    ProviderContext,
    UnknownPlayer,
    no_episodes,
)
from engine.core.scores import score_episode, stored_scores_version
from engine.core.start import Start
from engine.core.suggestions import did_you_mean
from engine.core.validation import field_errors
from engine.play.roster import BadRoster, Roster

PROGRAMS = frozenset({"random", "recorded"})
"""Providers of players that are neither people nor models, besides the scripted players of each game."""


_PROVIDERS: dict[str, Provider] = {}
"""The providers of players that this process uses, by name; the others are not imported."""


class UnknownSelection(LookupError):
    """A game, variant, experiment or instance that does not exist; the message says what does."""


class BadInstances(ValueError):
    """An instance file cannot be used; the message names file, instance and field."""


@dataclass(frozen=True, slots=True)
class SelectedInstance:
    """One instance to play. `instance_id` is `FAMILY/VARIANT/EXPERIMENT/INDEX`."""

    game: str
    variant: str
    experiment: str
    index: int
    instance: Json

    @property
    def instance_id(self) -> str:
        """The name of the instance in logs and messages."""
        return f"{self.game}/{self.variant}/{self.experiment}/{self.index}"


@dataclass
class Registry:
    """All games, instances and players. `instances` overrides the folder of instance files, `players` the user's
    own players.toml; `cache` is the file in which replies of models are stored and looked up, if any."""

    root: Path
    instances: Path | None = None
    players: Path | None = None
    cache: Path | None = None
    unreadable: dict[Path, str] = field(default_factory=dict)
    """Files of further experiments that cannot be used, each with the reason; the others work. Filled while reading."""
    _loaded: dict[str, Game | str] = field(default_factory=dict)
    _sets: dict[tuple[str, str], dict[str, list[Json]]] = field(default_factory=dict)
    _titles: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if str(self.root) not in sys.path:
            sys.path.insert(0, str(self.root))

    # ------------------------------------------------------------------ games
    @cached_property
    def _folders(self) -> dict[str, Path]:
        folders = sorted(path.parent for path in (self.root / "games").glob("*/rules.py"))
        return {folder.name: folder for folder in folders}

    def _load_game(self, name: str) -> Game | str | None:
        """Return a folder's game or the reason why it cannot be used, None without such a folder."""
        if name not in self._loaded and name in self._folders:
            self._loaded[name] = _load(self._folders[name])
        return self._loaded.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all games that can be played, sorted. Loads them all; `has` asks for one."""
        return tuple(name for name in self._folders if self.has(name))

    def has(self, name: str) -> bool:
        """Return whether there is a game that can be played."""
        return isinstance(self._load_game(name), Game)

    @property
    def broken(self) -> dict[str, str]:
        """The game folders that cannot be used, each with the reason: file, line and what is wrong."""
        loaded = {name: self._load_game(name) for name in self._folders}
        return {name: why for name, why in loaded.items() if isinstance(why, str)}

    @property
    def games(self) -> dict[str, Game]:
        """All games by name."""
        return {name: self.game(name) for name in self.names}

    def game(self, name: str) -> Game:
        """Return a game. Raises `UnknownSelection` naming those there are."""
        game = self._load_game(name)
        if isinstance(game, str):
            raise UnknownSelection(f"the game {name!r} cannot be loaded: {game}")
        if game is None:
            raise UnknownSelection(
                f"no game {name!r}{did_you_mean(name, self.names)}; there are: {', '.join(self.names)}"
            )
        return game

    def scores_version(self, game: str) -> str:
        """Return the version that scores of a game are stored under."""
        return stored_scores_version(f"{game}-{self.game(game).scores_version}")

    def scores_of(self, events: Sequence[Event]) -> tuple[str, Json]:
        """Return the version that an episode's scores are stored under, and its scores."""
        log = Log(events)
        game = self.game(log.start.game)
        return self.scores_version(game.name), score_episode(log, game)

    # ------------------------------------------------------------------ instances
    def file(self, game: str, variant: str) -> Path:
        """Return the path of the instance file of a variant."""
        return (self.instances or self.root / "instances") / game / f"{variant}.json"

    def further_files(self, game: str, variant: str) -> tuple[Path, ...]:
        """Return the files of further experiments of a variant, sorted."""
        folder = self.file(game, variant).parent
        return tuple(sorted(path for path in folder.glob(f"{variant}.*.json") if path.is_file()))

    def experiments(self, game: str, variant: str) -> dict[str, list[Json]]:
        """Return the instances of a variant by experiment. Raises `BadInstances` for a file that cannot be read."""
        if (game, variant) not in self._sets:
            declared = self.game(game).variant(variant).experiments
            path = self.file(game, variant)
            titles = {experiment.name: experiment.title for experiment in declared}
            try:
                experiments = dict(json.loads(path.read_text(encoding="utf-8"))["experiments"])
            except FileNotFoundError:
                if not self.further_files(game, variant):
                    raise BadInstances(f"{path} is missing: `ludens instances make` writes it") from None
                experiments = {}  # a folder of the user's may hold nothing but their own
            except (ValueError, KeyError, TypeError) as error:
                raise BadInstances(f"{path} is not an instance file: {error}") from None
            for path in self.further_files(game, variant):
                try:
                    new_experiments, new_titles = _read_further_experiments(path, {*experiments, *titles})
                except (OSError, ValueError) as error:
                    self.unreadable[path] = f"{path} is not a file of further experiments: {error}"
                else:
                    experiments |= new_experiments
                    titles |= new_titles
            self._sets[game, variant] = experiments
            self._titles[game, variant] = titles
        return self._sets[game, variant]

    def titles(self, game: str, variant: str) -> dict[str, str]:
        """Return the titles of the experiments of a variant, further ones included. Raises as `experiments` does."""
        self.experiments(game, variant)
        return self._titles[game, variant]

    def experiment_title(self, start: Start) -> str:
        """Return the title of an episode's experiment; its name where the game has no title for it."""
        for variant in self.game(start.game).variants:
            for experiment in variant.experiments:
                if (variant.name, experiment.name) == (start.variant, start.experiment):
                    return experiment.title
        return start.experiment

    def unsupported_reason(self, item: SelectedInstance) -> str | None:
        """Return why an instance cannot be played on this machine, None if it can."""
        game = self.game(item.game)
        try:
            return game.unsupported_reason(game.load(item.instance))
        except ValidationError as error:
            return field_errors(error)[0].message

    def select(self, selection: str) -> list[SelectedInstance]:
        """Return the instances that `GAME[/VARIANT[/EXPERIMENT[/INDEX]]]` names, in order.

        Raises `UnknownSelection` that names the part that does not exist, and what exists.
        """
        name, *rest = selection.strip("/").split("/")
        game = self.game(name)
        parts = [*rest, None, None, None][:3]
        if len(rest) > 3:
            raise UnknownSelection(f"{selection!r} is not GAME[/VARIANT[/EXPERIMENT[/INDEX]]]")
        variants = [variant.name for variant in game.variants]
        _check_name("variant", parts[0], variants, name)
        selected: list[SelectedInstance] = []
        for variant in variants:
            if parts[0] in (None, variant):
                sets = self.experiments(name, variant)
                _check_name("experiment", parts[1], list(sets), f"{name}/{variant}")
                for experiment, instances in sets.items():
                    if parts[1] in (None, experiment):
                        items = [
                            SelectedInstance(name, variant, experiment, i, data) for i, data in enumerate(instances)
                        ]
                        selected += items if parts[2] is None else _pick_index(items, parts[2], selection)
        return selected

    # ------------------------------------------------------------------ players
    @cached_property
    def providers(self) -> tuple[str, ...]:
        """The names of the files players/NAME.py."""
        return tuple(sorted(path.stem for path in (self.root / "players").glob("*.py") if path.stem != "__init__"))

    @cached_property
    def roster(self) -> Roster:
        """Servers, models and named players of players.toml: the shipped file, then the user's own.

        Raises `BadRoster` naming file, table and field.
        """
        if self.players and not self.players.is_file():
            raise BadRoster(f"{self.players} does not exist: name another file with --players, or leave it out")
        files = [self.root / "players" / "players.toml", self.players or self.root / "players.toml"]
        # the user's file may not reuse names of scripted players; reading those names loads all games
        scripted = {name for game in self.names for name in self._scripted(game)} if files[1].is_file() else set()
        return Roster.read(files, self.providers, {*scripted, *self.providers})

    def _scripted(self, game: str) -> Mapping[str, ScriptedPlayer]:
        return self.game(game).scripted_players()

    def players_for(self, game: str) -> dict[str, str]:
        """Return the players of a game: name or address to a one-line summary."""
        summaries = {name: _load_provider(name).summary for name in self.providers}
        summaries |= {name: player.summary for name, player in self._scripted(game).items()}
        for name, address in self.roster.players.items():
            summaries[name] = self.roster.models[Address.parse(address).model].summary or address
        return summaries

    def resolve(self, address: str) -> str:
        """Return the full address of a name in players.toml; other addresses are returned unchanged."""
        return self.roster.resolve(address)

    def player(self, address: str, game: str, seat: str, load_episode: EpisodeLoader) -> Player:
        """Return the player that an address names, for a seat of a game.

        `load_episode` returns stored logs (for `recorded/EPISODE`). Raises `UnknownPlayer` with the names that exist.
        """
        parsed, provider = self._address_and_provider(address, game)
        if provider is None:
            return self._scripted(game)[parsed.provider].make(seat)
        return provider.make(parsed, seat, self._context(load_episode))

    def player_info(self, address: str, game: str) -> PlayerInfo:
        """Return what is known about the player of an address before it plays. Raises `UnknownPlayer`."""
        parsed, provider = self._address_and_provider(address, game)
        if provider is None:
            return PlayerInfo(self._scripted(game)[parsed.provider].summary)
        return provider.info(parsed, self._context(no_episodes))

    def player_kind(self, address: str, game: str) -> str:
        """Return the kind of a player: "person", "program" (scripted, random, recorded) or "model"."""
        provider = Address.parse(address).provider
        if provider == "person":
            return "person"
        scripted = self._scripted(game) if self.has(game) else {}
        return "program" if provider in PROGRAMS or provider in scripted else "model"

    def refusal(self, address: str, game: Game, variant: Variant) -> str | None:
        """Return why a player cannot play a variant of a game, None if it can. Raises `UnknownPlayer`."""
        info = self.player_info(address, game.name)
        if info.unusable_reason:
            return f"{address} cannot play here: {info.unusable_reason}"
        if variant.pictures and info.max_pictures == 0:
            return f"{address} cannot see, and {game.name}/{variant.name} shows pictures: seat a model that sees"
        return None

    def unreadable_prompts_reason(self, address: str, item: SelectedInstance) -> str | None:
        """Return why a scripted player cannot play an imported instance, None if it can. Raises `UnknownPlayer`.

        Scripted players read our prompts only; imported instances have their own, for people, models and `random`.
        """
        if not item.instance.get("theirs") or self._address_and_provider(address, item.game)[1] is not None:
            return None
        return f"{address} knows our prompts only, and {item.instance_id} brings its own: seat a model, or random"

    def _address_and_provider(self, address: str, game: str) -> tuple[Address, Provider | None]:
        """Return an address in full and the provider that makes its player, None for a scripted player of the game."""
        parsed = Address.parse(self.resolve(address))
        if parsed.provider in self._scripted(game):
            return parsed, None
        server = self.roster.servers.get(parsed.provider)
        name = server.api if server else parsed.provider
        if name in self.providers:
            return parsed, _load_provider(name)
        names = [*self.players_for(game), *(name for name in self.roster.servers if name not in self.providers)]
        raise UnknownPlayer(
            f"no player {address!r} for {game}{did_you_mean(parsed.provider, names)}; there are: {', '.join(names)}"
        )

    def _context(self, load_episode: EpisodeLoader) -> ProviderContext:
        return ProviderContext(load_episode, self.roster.servers, self.roster.models, self.cache)

    def loading(self) -> list[str]:
        """Return a line for each model that is being loaded into this machine's memory: its name and the progress."""
        return [line for provider in list(_PROVIDERS.values()) for line in provider.loading()]

    async def close(self) -> None:
        """Release the connections and loaded models of all providers. They can be used again afterwards."""
        for provider in list(_PROVIDERS.values()):
            await provider.close()


def _load_provider(name: str) -> Provider:
    """Return the provider that `players/NAME.py` defines."""
    if name not in _PROVIDERS:
        _PROVIDERS[name] = importlib.import_module(f"players.{name}").PROVIDER
    return _PROVIDERS[name]


def _load(folder: Path) -> Game | str:
    """Return the game of a folder, or the reason why it cannot be used."""
    at = f"games.{folder.name}"
    try:
        game = importlib.import_module(f"{at}.rules").GAME
        if not isinstance(game, Game) or getattr(game, "name", None) != folder.name:
            return f"{folder / 'rules.py'}: GAME must be a Game named {folder.name!r}"
        if missing := _missing_parts(game):
            return f"{folder / 'rules.py'}: {type(game).__name__} does not define {', '.join(missing)}"
        for module in _modules_imported_by_methods(game):
            importlib.import_module(module)  # a module that cannot be imported is reported now, not in play
        players: Mapping[str, object] = game.scripted_players()
        for name, player in players.items():
            if not isinstance(player, ScriptedPlayer):
                return f"{folder / 'scripted.py'}: player {name!r} must be a ScriptedPlayer, not {player!r}"
    except Exception as error:  # an unfinished game must not stop the others
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if folder.name in frame.filename]
        where = f"{own[-1].filename}, line {own[-1].lineno}" if own else str(folder)
        return f"{where}: {type(error).__name__}: {error}"
    return game


def _missing_parts(game: Game) -> list[str]:
    """Return the names that every game must define and this one does not."""
    methods = [name for name in ("load", "play") if getattr(type(game), name) is getattr(Game, name)]
    return [name for name in Game.__annotations__ if not hasattr(game, name)] + methods


def _modules_imported_by_methods(game: Game) -> Iterator[str]:
    """Yield the modules of games that the game's methods import when they are called."""
    for method in vars(type(game)).values():
        for name in getattr(getattr(method, "__code__", None), "co_names", ()):
            if name.startswith("games."):
                yield name


def _read_further_experiments(path: Path, taken: set[str]) -> tuple[dict[str, list[Json]], dict[str, str]]:
    """Read experiments and their titles; raises ValueError naming what is wrong."""
    match json.loads(path.read_text(encoding="utf-8")):
        case {"experiments": dict(experiments), "titles": dict(titles)}:
            pass
        case {"experiments": dict(experiments)}:
            titles = {}
        case _:
            raise ValueError("field experiments is missing")
    for name, instances in experiments.items():
        if name in taken:
            raise ValueError(f"there is an experiment {name!r} already")
        if not isinstance(instances, list) or "/" in name:
            raise ValueError(f"field experiments.{name}: not an experiment")
    return experiments, {name: str(titles.get(name, name)) for name in experiments}


def _check_name(part_of_selection: str, name: str | None, names: list[str], within: str) -> None:
    if name is not None and name not in names:
        raise UnknownSelection(
            f"{within} has no {part_of_selection} {name!r}{did_you_mean(name, names)}; there are: {', '.join(names)}"
        )


def _pick_index(items: list[SelectedInstance], index: str, selection: str) -> list[SelectedInstance]:
    if not index.isdecimal() or int(index) >= len(items):
        raise UnknownSelection(f"{selection!r}: the instances are numbered 0 to {len(items) - 1}")
    return [items[int(index)]]
