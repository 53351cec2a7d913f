"""Find games, instances and players in the project's folders and outside of them (`engine/play/plugins.py`).

A game is a folder `games/FAMILY` with a `rules.py` that defines `GAME`. Its instances are in
`instances/FAMILY/VARIANT.json`, or, for a game with one variant, in `instances.json` in its folder; further experiments
of a variant, made from the user's own pictures, are next to it in `VARIANT.SET.json`; practice games, which are in no
experiment, in `practice.json`. A provider of players is a file
`players/NAME.py` that defines `PROVIDER`; players.toml lists the players it has (`engine/play/roster.py`). Games and
providers are imported at first use.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import json
import sys
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from engine.core.events import Event, Json, digest
from engine.core.game import Game, ScriptedPlayer, Variant
from engine.core.player import (
    Address,
    EpisodeLoader,
    Player,
    PlayerInfo,
    Provider,
    ProviderContext,
    UnknownPlayer,
    refuse_episode_loading,
)
from engine.core.suggestions import did_you_mean
from engine.core.validation import list_field_errors
from engine.play.plugins import Plugin, find_games, find_providers, is_provider_path, make_importable
from engine.play.roster import BadRoster, Roster

if TYPE_CHECKING:
    from engine.core.start import EpisodeStart

PRACTICE_EXPERIMENT = "practice"
"""What the experiment of a practice game is called; no file of instances may have one of this name."""


MAX_MESSAGE_CHARACTERS = 2000
"""Characters that a scripted player reads of what another seat said in one reply."""

_PROVIDER_BY_NAME: dict[str, Provider] = {}
"""The providers of players that this process uses, by module; the others are not imported."""


class UnknownSelection(LookupError):
    """A game, variant, experiment or instance that does not exist; the message says what does."""


class BadInstances(ValueError):
    """An instance file cannot be used; the message names file, instance and field."""


@dataclass(frozen=True)
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

    @cached_property
    def instance_hash(self) -> str:
        """The digest of the instance, made once: every episode of it has it."""
        return digest(self.instance)


@dataclass
class Registry:
    """All games, instances and players: those of the project at `root`, of installed packages, and those named here.

    `instances` overrides the folder of instance files. `players` is the user's own players.toml, or a list of such
    files, of providers (NAME.py) and of folders of these. `game_folders` are folders of a game or of several. `cache`
    is the file in which replies of models are stored and looked up, if any. Raises `BadPlugin` for a folder or file
    outside the project that cannot be used.
    """

    project_root: Path
    instances: Path | None = None
    players: Path | Sequence[Path] | None = None
    cache: Path | None = None
    game_folders: Sequence[Path] = ()
    unreadable_files: dict[Path, str] = field(default_factory=dict)
    """Files of further experiments that cannot be used, each with the reason; the others work. Filled while reading."""
    _game_or_reason: dict[str, Game | str] = field(default_factory=dict)
    _experiments_by_variant: dict[tuple[str, str], dict[str, list[Json]]] = field(default_factory=dict)
    _titles_by_variant: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    _practice_by_game: dict[str, dict[str, list[Json]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if str(self.project_root) not in sys.path:
            sys.path.insert(0, str(self.project_root))
        if self.game_folders or self._provider_paths:
            make_importable(self._game_plugins.values(), self._provider_plugins.values(), self.project_root)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for another process, which loads the games again."""
        return {**vars(self), "_game_or_reason": {}}

    def __setstate__(self, pickled_state: dict[str, Any]) -> None:
        """Take over a state, and make games and providers outside the project importable before they are needed."""
        vars(self).update(pickled_state)
        self.__post_init__()

    # ------------------------------------------------------------------ games
    @cached_property
    def _game_plugins(self) -> dict[str, Plugin]:
        return find_games(self.project_root, self.game_folders)

    @cached_property
    def folders(self) -> dict[str, Path]:
        """The folder of each game, also of those that cannot be used, by the game's name."""
        return {game_name: plugin.path for game_name, plugin in self._game_plugins.items() if plugin.path is not None}

    def _load_game(self, game_name: str) -> Game | str | None:
        """Return a folder's game or the reason why it cannot be used, None without such a folder."""
        if game_name not in self._game_or_reason and game_name in self._game_plugins:
            self._game_or_reason[game_name] = _load_game_plugin(self._game_plugins[game_name])
        return self._game_or_reason.get(game_name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all games that can be played, sorted. Loads them all; `has` asks for one."""
        return tuple(game_name for game_name in self._game_plugins if self.has(game_name))

    def has(self, game_name: str) -> bool:
        """Return whether there is a game that can be played."""
        return isinstance(self._load_game(game_name), Game)

    @property
    def load_failures(self) -> dict[str, str]:
        """The game folders that cannot be loaded, each with the reason: file, line and what is wrong."""
        games_or_reasons = {name: self._load_game(name) for name in self._game_plugins}
        return {name: load_failure for name, load_failure in games_or_reasons.items() if isinstance(load_failure, str)}

    @property
    def broken_games(self) -> dict[str, str]:
        """As `load_failures`, with games of which any module cannot be imported. Imports all modules of all games."""
        for game_name in self.names:
            self._import_modules(game_name)
        return self.load_failures

    def load_playable_game(self, game_name: str) -> Game:
        """As `game`, with the modules imported that play and scores need: a broken one is reported now, not in play."""
        if self.has(game_name):
            self._import_modules(game_name, unused_methods=GAME_METHODS_UNUSED_IN_PLAY)
        return self.game(game_name)

    def _import_modules(self, game_name: str, unused_methods: Collection[str] = ()) -> None:
        """Import what methods of a game import when called; without one of these modules the game is broken."""
        plugin = self._game_plugins[game_name]
        try:
            for method_name, module_name in _list_imported_modules(self.game(game_name), plugin):
                if method_name not in unused_methods:
                    importlib.import_module(module_name)
        except Exception as error:  # an unfinished game must not stop the others
            self._game_or_reason[game_name] = _describe_failure(error, plugin)

    @property
    def games(self) -> dict[str, Game]:
        """All games by name."""
        return {game_name: self.game(game_name) for game_name in self.names}

    def game(self, game_name: str) -> Game:
        """Return a game. Raises `UnknownSelection` naming those there are."""
        game = self._load_game(game_name)
        if isinstance(game, str):
            raise UnknownSelection(f"the game {game_name!r} cannot be loaded: {game}")
        if game is None:
            raise UnknownSelection(
                f"no game {game_name!r}{did_you_mean(game_name, self.names)}; there are: {', '.join(self.names)}"
            )
        return game

    def scores_version(self, game: str) -> str:
        """Return the version that scores of a game are stored under."""
        from engine.core.scores import make_scores_version  # late, as below: to list games takes no scores

        return make_scores_version(f"{game}-{self.game(game).scores_version}")

    def compute_scores(self, events: Sequence[Event]) -> tuple[str, Json]:
        """Return the version that an episode's scores are stored under, and its scores."""
        from engine.core.log import Log
        from engine.core.scores import score_episode

        log = Log.from_events(events)
        game = self.game(log.start.game)
        return self.scores_version(game.name), score_episode(log, game)

    # ------------------------------------------------------------------ instances
    def file(self, game: str, variant: str) -> Path:
        """Return the path of the instance file of a variant.

        In a folder that `instances` names it is GAME/VARIANT.json. A game with one variant may have it as
        `instances.json` in its own folder; a game outside the project has `instances/VARIANT.json` there.
        """
        folder = self.folders[game]
        is_shipped = folder.parent == self.project_root / "games"
        path = (self.project_root / "instances" / game if is_shipped else folder / "instances") / f"{variant}.json"
        if len(self.game(game).variants) == 1 and (folder / "instances.json").is_file():
            path = folder / "instances.json"
        if self.instances is None:
            return path
        override_path = self.instances / game / f"{variant}.json"
        has_own_file = path.name == "instances.json" or not is_shipped
        return path if has_own_file and path.is_file() and not override_path.is_file() else override_path

    def list_further_files(self, game: str, variant: str) -> tuple[Path, ...]:
        """Return the files of further experiments of a variant, sorted."""
        folder = self.file(game, variant).parent
        return tuple(sorted(path for path in folder.glob(f"{variant}.*.json") if path.is_file()))

    def experiments(self, game: str, variant: str) -> dict[str, list[Json]]:
        """Return the instances of a variant by experiment. Raises `BadInstances` for a file that cannot be read."""
        if (game, variant) not in self._experiments_by_variant:
            declared_experiments = self.game(game).variant(variant).experiments
            path = self.file(game, variant)
            declared_titles = {experiment.name: experiment.title for experiment in declared_experiments}
            try:
                experiments, titles = parse_instances(json.loads(path.read_text(encoding="utf-8")))
            except FileNotFoundError:
                if not self.list_further_files(game, variant):
                    has_instance_maker = self.game(game).instance_maker() is not None
                    missing_hint = (
                        "`ludens instances make` writes it" if has_instance_maker else "write the instances into it"
                    )
                    raise BadInstances(f"{path} is missing: {missing_hint}") from None
                experiments, titles = {}, {}  # a folder of the user's may hold nothing but their own
            except (OSError, ValueError) as error:
                raise BadInstances(f"{path} is not an instance file: {error}") from None
            titles |= declared_titles
            for path in self.list_further_files(game, variant):
                try:
                    new_experiments, new_titles = _read_further_experiments(path, {*experiments, *titles})
                except (OSError, ValueError) as error:
                    self.unreadable_files[path] = f"{path} is not a file of further experiments: {error}"
                else:
                    experiments |= new_experiments
                    titles |= new_titles
            self._experiments_by_variant[game, variant] = experiments
            self._titles_by_variant[game, variant] = titles
        return self._experiments_by_variant[game, variant]

    def titles(self, game: str, variant: str) -> dict[str, str]:
        """Return the titles of the experiments of a variant, further ones included. Raises as `experiments` does."""
        self.experiments(game, variant)
        return self._titles_by_variant[game, variant]

    def read_practice_instances(self, game: str, variant: str) -> list[SelectedInstance]:
        """Return the practice instances of a variant, which no selection contains; none where the game has none.

        They are in `practice.json` next to the variant's instance file: {"variants": {VARIANT: [INSTANCE, …]}}.
        Raises `BadInstances` for a file that cannot be read.
        """
        if game not in self._practice_by_game:
            path = self.file(game, variant).parent / f"{PRACTICE_EXPERIMENT}.json"
            try:
                self._practice_by_game[game] = _read_practice(path)
            except FileNotFoundError:
                self._practice_by_game[game] = {}
            except (OSError, ValueError) as error:
                raise BadInstances(f"{path} is not a file of practice instances: {error}") from None
        instances = self._practice_by_game[game].get(variant, [])
        return [
            SelectedInstance(game, variant, PRACTICE_EXPERIMENT, instance_index, instance_data)
            for instance_index, instance_data in enumerate(instances)
        ]

    def find_experiment_title(self, start: EpisodeStart) -> str:
        """Return the title of an episode's experiment; its name where the game has no title for it."""
        if start.experiment == PRACTICE_EXPERIMENT:
            return "practice"
        for variant in self.game(start.game).variants:
            if variant.name == start.variant:
                for experiment in variant.experiments:
                    if experiment.name == start.experiment:
                        return experiment.title
                if not variant.experiments:  # the instance file names them
                    with suppress(BadInstances):
                        return self.titles(start.game, variant.name).get(start.experiment, start.experiment)
        return start.experiment

    def find_unsupported_reason(self, selected_instance: SelectedInstance) -> str | None:
        """Return why an instance cannot be played on this machine, None if it can."""
        game = self.game(selected_instance.game)
        try:
            return game.unsupported_reason(game.load(selected_instance.instance))
        except ValidationError as error:
            return list_field_errors(error)[0].message

    def select_instances(self, selection: str) -> list[SelectedInstance]:
        """Return the instances that `GAME[/VARIANT[/EXPERIMENT[/INDEX]]]` names, in order.

        Raises `UnknownSelection` that names the part that does not exist, and what exists.
        """
        game_name, *selection_parts = selection.strip("/").split("/")
        game = self.game(game_name)
        parts = [*selection_parts, None, None, None][:3]
        if len(selection_parts) > 3:
            raise UnknownSelection(f"{selection!r} is not GAME[/VARIANT[/EXPERIMENT[/INDEX]]]")
        variants = [variant.name for variant in game.variants]
        _check_name("variant", parts[0], variants, game_name)
        selected_instances: list[SelectedInstance] = []
        for variant in variants:
            if parts[0] in (None, variant):
                instances_by_experiment = self.experiments(game_name, variant)
                _check_name("experiment", parts[1], list(instances_by_experiment), f"{game_name}/{variant}")
                for experiment, instances in instances_by_experiment.items():
                    if parts[1] in (None, experiment):
                        items = [
                            SelectedInstance(game_name, variant, experiment, instance_index, instance_data)
                            for instance_index, instance_data in enumerate(instances)
                        ]
                        selected_instances += items if parts[2] is None else _pick_index(items, parts[2], selection)
        return selected_instances

    # ------------------------------------------------------------------ players
    @cached_property
    def providers(self) -> tuple[str, ...]:
        """The names of all providers: the files players/NAME.py, and those from outside the project."""
        return tuple(self._provider_plugins)

    @property
    def _player_paths(self) -> tuple[Path, ...]:
        if self.players is None or isinstance(self.players, Path):
            return () if self.players is None else (self.players,)
        return tuple(self.players)

    @property
    def _provider_paths(self) -> tuple[Path, ...]:
        return tuple(path for path in self._player_paths if is_provider_path(path))

    @cached_property
    def _provider_plugins(self) -> dict[str, Plugin]:
        return find_providers(self.project_root, self._provider_paths)

    def _import_provider(self, provider_name: str) -> Provider:
        """Return a provider. Raises `UnknownPlayer` if it cannot be loaded."""
        provider = _load_provider(self._provider_plugins[provider_name])
        if isinstance(provider, str):
            raise UnknownPlayer(f"the players of {provider_name!r} cannot be loaded: {provider}")
        return provider

    @property
    def usable_providers(self) -> dict[str, Provider]:
        """All providers that can be loaded, by name."""
        provider_or_error_by_name = {name: _load_provider(plugin) for name, plugin in self._provider_plugins.items()}
        return {
            name: provider for name, provider in provider_or_error_by_name.items() if isinstance(provider, Provider)
        }

    @property
    def broken_providers(self) -> dict[str, str]:
        """The providers that cannot be used, each with the reason."""
        loaded_providers = {name: _load_provider(plugin) for name, plugin in self._provider_plugins.items()}
        return {name: reason for name, reason in loaded_providers.items() if isinstance(reason, str)}

    def list_code_files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files of games and providers outside the project, each with a name that all machines share."""
        for plugin in (*self._game_plugins.values(), *self._provider_plugins.values()):
            if plugin.path and not plugin.path.is_relative_to(self.project_root):
                for code_path in plugin.list_code_files():
                    yield f"{plugin.name}/{code_path.relative_to(plugin.path.parent).as_posix()}", code_path

    @cached_property
    def roster(self) -> Roster:
        """Servers, models and named players of players.toml: the shipped file, then the user's own.

        Raises `BadRoster` naming file, table and field.
        """
        roster_paths = [path for path in self._player_paths if not is_provider_path(path)]
        for path in roster_paths:
            if not path.is_file():
                raise BadRoster(f"{path} does not exist: correct --players or the setting `players`, or leave it out")
        roster_files = roster_paths or [self.project_root / "players.toml"]
        # the user's file may not reuse names of scripted players; reading those names loads all games
        has_file = any(path.is_file() for path in roster_files)
        scripted_players = {name for game in self.names for name in self._scripted_players(game)} if has_file else set()
        roster_files = [self.project_root / "players" / "players.toml", *roster_files]
        return Roster.read(roster_files, self.providers, {*scripted_players, *self.providers})

    def _scripted_players(self, game: str) -> Mapping[str, ScriptedPlayer]:
        return self.game(game).scripted_players()

    def list_player_names(self, game: str) -> list[str]:
        """Return the names of the players of a game, as `describe_players`, but without importing our own providers."""
        plugins = self._provider_plugins
        usable_names = [
            player_name
            for player_name, plugin in plugins.items()
            if self._is_shipped(plugin) or isinstance(_load_provider(plugin), Provider)
        ]
        return list(dict.fromkeys([*usable_names, *self._scripted_players(game), *self.roster.players]))

    def _is_shipped(self, plugin: Plugin) -> bool:
        return plugin.path is not None and plugin.path.parent == self.project_root / "players"

    def describe_players(self, game: str) -> dict[str, str]:
        """Return the players of a game: name or address to a one-line summary."""
        summaries = {player_name: provider.summary for player_name, provider in self.usable_providers.items()}
        summaries |= {player_name: player.summary for player_name, player in self._scripted_players(game).items()}
        for player_name, address in self.roster.players.items():
            summaries[player_name] = self.roster.models[Address.parse(address).model].summary or address
        return summaries

    def resolve(self, address: str) -> str:
        """Return the full address of a name in players.toml; other addresses are returned unchanged."""
        return self.roster.resolve(address)

    def pin_address(self, address: str) -> str:
        """Return the full address with what the player's replies depend on, such as a file. Raises `UnknownPlayer`."""
        full_address = self.resolve(address)
        parsed_address = Address.parse(full_address)
        if parsed_address.provider not in self.providers:
            return full_address
        pinned_address = self._import_provider(parsed_address.provider).pin_address(parsed_address)
        return full_address if pinned_address == parsed_address else str(pinned_address)

    def player(self, address: str, game: str, seat: str, load_episode: EpisodeLoader) -> Player:
        """Return the player that an address names, for a seat of a game.

        `load_episode` returns stored logs (for `recorded/EPISODE`). Raises `UnknownPlayer` with the names that exist.
        """
        parsed_address, provider = self._find_provider(address, game)
        if provider is None:
            scripted_player = self._scripted_players(game)[parsed_address.provider].make_player(seat)
            scripted_player.longest_message = MAX_MESSAGE_CHARACTERS
            return scripted_player
        return provider.make_player(parsed_address, seat, self._make_context(load_episode))

    def find_scripted_player(self, address: str, game: str) -> tuple[str, ScriptedPlayer] | None:
        """Return name and declaration of the scripted player of an address, None for other players."""
        player_name, scripted_players = Address.parse(self.resolve(address)).provider, self._scripted_players(game)
        return (player_name, scripted_players[player_name]) if player_name in scripted_players else None

    def find_provider(self, address: str, game: str) -> Provider | None:
        """Return the provider of an address, None for a scripted player of the game. Raises `UnknownPlayer`."""
        return self._find_provider(address, game)[1]

    def player_info(self, address: str, game: str) -> PlayerInfo:
        """Return what is known about the player of an address before it plays. Raises `UnknownPlayer`."""
        parsed_address, provider = self._find_provider(address, game)
        if provider is None:
            return PlayerInfo(self._scripted_players(game)[parsed_address.provider].summary)
        return provider.info(parsed_address, self._make_context(refuse_episode_loading))

    def player_kind(self, address: str, game: str) -> str:
        """Return the kind of a player: "person", "program" (scripted, random, recorded, lines) or "model".

        A player whose provider is not installed or broken counts as a model.
        """
        provider_name = Address.parse(address).provider
        if provider_name == "person":
            return "person"
        if self.has(game) and provider_name in self._scripted_players(game):
            return "program"
        plugin = self._provider_plugins.get(provider_name)
        provider = _load_provider(plugin) if plugin else None
        return "program" if isinstance(provider, Provider) and provider.makes_programs else "model"

    def find_refusal(self, address: str, game: Game, variant: Variant, *, is_preview: bool = False) -> str | None:
        """Return why a player cannot play a variant of a game, None if it can. Raises `UnknownPlayer`.

        A preview plays nothing: it needs neither the player's key nor its package.
        """
        player_info = self.player_info(address, game.name)
        if player_info.unusable_reason and not is_preview:
            return f"{address} cannot play here: {player_info.unusable_reason}"
        if variant.pictures and player_info.max_pictures == 0:
            return f"{address} cannot see, and {game.name}/{variant.name} shows pictures: seat a model that sees"
        return None

    def find_unreadable_reason(self, address: str, selected_instance: SelectedInstance) -> str | None:
        """Return why a scripted player cannot play an imported instance, None if it can. Raises `UnknownPlayer`.

        Scripted players read our prompts only; imported instances have their own, for people, models and `random`.
        """
        if (
            not selected_instance.instance.get("theirs")
            or self._find_provider(address, selected_instance.game)[1] is not None
        ):
            return None
        return (
            f"{address} knows our prompts only, and {selected_instance.instance_id} brings its own: "
            "seat a model, or random"
        )

    def _find_provider(self, address: str, game: str) -> tuple[Address, Provider | None]:
        """Return an address in full and the provider that makes its player, None for a scripted player of the game."""
        parsed_address = Address.parse(self.resolve(address))
        if parsed_address.provider in self._scripted_players(game):
            return parsed_address, None
        server = self.roster.servers.get(parsed_address.provider)
        provider_name = server.api if server else parsed_address.provider
        if provider_name in self.providers:
            return parsed_address, self._import_provider(provider_name)
        player_names = [
            *self.describe_players(game),
            *(player_name for player_name in self.roster.servers if player_name not in self.providers),
        ]
        raise UnknownPlayer(
            f"no player {address!r} for {game}{did_you_mean(parsed_address.provider, player_names)}; "
            f"there are: {', '.join(player_names)}"
        )

    def _make_context(self, load_episode: EpisodeLoader) -> ProviderContext:
        return ProviderContext(load_episode, self.roster.servers, self.roster.models, self.cache)

    def describe_loading_models(self) -> list[str]:
        """Return a line for each model that is being loaded into this machine's memory: its name and the progress."""
        return [
            progress_line
            for provider in list(_PROVIDER_BY_NAME.values())
            for progress_line in provider.list_loading_models()
        ]

    async def close(self) -> None:
        """Release the connections and loaded models of all providers. They can be used again afterwards."""
        for provider in list(_PROVIDER_BY_NAME.values()):
            await provider.close()


def _load_provider(plugin: Plugin) -> Provider | str:
    """Return a provider, or the reason why it cannot be used."""
    if plugin.module not in _PROVIDER_BY_NAME:
        try:
            provider = plugin.load()
        except Exception as error:  # one that is broken must not stop the others
            return _describe_failure(error, plugin)
        if not isinstance(provider, Provider):
            return f"{plugin.place_label}: {plugin.attribute} must be a Provider, not {provider!r:.80}"
        _PROVIDER_BY_NAME[plugin.module] = provider
    return _PROVIDER_BY_NAME[plugin.module]


def _describe_failure(error: Exception, plugin: Plugin) -> str:
    """Return where in a plugin an error comes from, and what it is."""
    path = plugin.path or Path(plugin.place_label)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(path)]
    error_location = f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else plugin.place_label
    return f"{error_location}: {type(error).__name__}: {error}"


GAME_METHODS_UNUSED_IN_PLAY = frozenset(
    ("debrief", "board", "animate", "instance_maker", "picture_pair_maker", "clembench", "gameeval")
)
"""Methods of games that playing and scoring do not call: a run does without their modules."""


def _load_game_plugin(plugin: Plugin) -> Game | str:
    """Return the game of a folder, or the reason why it cannot be used."""
    folder = plugin.path or Path(plugin.place_label)
    try:
        game = plugin.load()
        if not isinstance(game, Game) or getattr(game, "name", None) != plugin.name:
            return f"{folder / 'rules.py'}: GAME must be a Game named {plugin.name!r}"
        if missing_names := _list_missing_definitions(game):
            return f"{folder / 'rules.py'}: {type(game).__name__} does not define {', '.join(missing_names)}"
        for _, module_name in _list_imported_modules(game, plugin):
            _check_source(module_name)
        players: Mapping[str, object] = game.scripted_players()
        for player_name, player in players.items():
            if not isinstance(player, ScriptedPlayer):
                return f"{folder / 'scripted.py'}: player {player_name!r} must be a ScriptedPlayer, not {player!r}"
            if player.module:
                _check_source(player.module)
    except Exception as error:  # an unfinished game must not stop the others
        return _describe_failure(error, plugin)
    return game


def _check_source(module_name: str) -> None:
    """Raise ImportError for a module that does not exist, and SyntaxError for one that does not compile.

    It is not run: `Registry.load_playable_game` and `broken_games` do that, and listing games takes none of them.
    """
    module_spec = importlib.util.find_spec(module_name)
    if module_spec is None or module_spec.loader is None:
        raise ModuleNotFoundError(f"No module named {module_name!r}", name=module_name)
    if isinstance(module_spec.loader, importlib.abc.InspectLoader):
        module_spec.loader.get_code(module_name)


def _list_missing_definitions(game: Game) -> list[str]:
    """Return the names that every game must define and this one does not."""
    methods = ["play"] if type(game).play is Game.play else []
    return [attribute_name for attribute_name in Game.__annotations__ if not hasattr(game, attribute_name)] + methods


def _list_imported_modules(game: Game, plugin: Plugin) -> Iterator[tuple[str, str]]:
    """Yield the game's methods with the modules of games, or of its own package, that they import when called."""
    package = plugin.module.partition(".")[0]
    for method_name, method in vars(type(game)).items():
        for imported_name in getattr(getattr(method, "__code__", None), "co_names", ()):
            if imported_name.startswith(("games.", f"{package}.")):
                yield method_name, imported_name


def parse_instances(file_data: Any) -> tuple[dict[str, list[Json]], dict[str, str]]:
    """Return the experiments of an instance file by name, and their titles.

    `file_data` is {"experiments": {NAME: [INSTANCE, …]}, "titles"?: {NAME: TITLE}}, or a list of instances, which are
    then the experiment "all". Raises ValueError naming what is wrong.
    """
    match file_data:
        case list():
            experiments, titles = {"all": file_data}, {"all": "All instances"}
        case {"experiments": dict(experiments), "titles": dict(titles)}:
            titles = {
                experiment_name: str(titles.get(experiment_name, experiment_name)) for experiment_name in experiments
            }
        case {"experiments": dict(experiments)}:
            titles = {experiment_name: experiment_name for experiment_name in experiments}
        case _:
            raise ValueError("it must be a list of instances, or an object with the field experiments")
    for experiment, instances in experiments.items():
        if not isinstance(instances, list) or not experiment or "/" in experiment:
            raise ValueError(f"field experiments.{experiment}: not an experiment")
        if wrong_indices := [index for index, instance in enumerate(instances) if not isinstance(instance, dict)]:
            raise ValueError(
                f"{experiment}/{wrong_indices[0]}: an instance is an object, not {instances[wrong_indices[0]]!r:.40}"
            )
    return dict(experiments), titles


def _read_further_experiments(path: Path, taken_names: set[str]) -> tuple[dict[str, list[Json]], dict[str, str]]:
    """Read experiments and their titles; raises ValueError naming what is wrong."""
    experiments, titles = parse_instances(json.loads(path.read_text(encoding="utf-8")))
    for experiment_name in experiments:
        if experiment_name == PRACTICE_EXPERIMENT:
            raise ValueError(f"{PRACTICE_EXPERIMENT!r} is the name of practice games, and of no experiment")
        if experiment_name in taken_names:
            raise ValueError(f"there is an experiment {experiment_name!r} already")
    return experiments, titles


def _read_practice(path: Path) -> dict[str, list[Json]]:
    """Read practice instances by variant; raises ValueError naming what is wrong."""
    match json.loads(path.read_text(encoding="utf-8")):
        case {"variants": dict(variants)}:
            return parse_instances({"experiments": variants})[0]
    raise ValueError("it must be an object with the field variants")


def _check_name(
    part_of_selection: str, selected_name: str | None, known_names: list[str], parent_selection: str
) -> None:
    if selected_name is not None and selected_name not in known_names:
        raise UnknownSelection(
            f"{parent_selection} has no {part_of_selection} {selected_name!r}"
            f"{did_you_mean(selected_name, known_names)}; "
            f"there are: {', '.join(known_names)}"
        )


def _pick_index(instances: list[SelectedInstance], index_text: str, selection: str) -> list[SelectedInstance]:
    if not index_text.isdecimal() or int(index_text) >= len(instances):
        raise UnknownSelection(f"{selection!r}: the instances are numbered 0 to {len(instances) - 1}")
    return [instances[int(index_text)]]
