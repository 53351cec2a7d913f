"""Plans: which episodes to play, and by whom.

A `PlanPart` is instances × seatings × repetitions under the same settings; a `Plan` is one or several parts, with each
episode once. Every planned episode has a key made of everything that decides it, under which it is stored once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from engine.core.events import Json, canonical_json, digest
from engine.core.game import Game
from engine.core.master import build_start_event
from engine.core.player import Address, PlayerInfo, UnknownPlayer, refuse_episode_loading
from engine.core.sides import list_side_keys
from engine.core.start import EpisodeStart
from engine.play.plan_checks import BadPlan, check_prompts, check_rules_for_models, check_seats, check_settings
from engine.play.registry import Registry, SelectedInstance
from engine.play.seating import assign_players, derive_side_seed, list_candidates
from engine.storage.store import Store


@cache
def read_ludens_version() -> str:
    """Return the version of Ludens, as episodes record it."""
    from importlib.metadata import version

    return version("ludens")


def build_item_start(
    game: Game,
    instance_or_recorded_start: SelectedInstance | EpisodeStart,
    seats: dict[str, str],
    *,
    settings: Json | None = None,
    reprompt: int = 0,
    run_seed: int = 0,
    repetition: int = 0,
    seed: str | None = None,
    people: dict[str, Json] | None = None,
    ludens: str | None = None,
    prompts: int | None = None,
    rules_for_models: Mapping[str, str] | None = None,
) -> EpisodeStart:
    """Return the start of an episode of an instance, or of another start. Raises as `build_start_event` does."""
    return build_start_event(
        game,
        ludens=ludens or read_ludens_version(),
        variant=instance_or_recorded_start.variant,
        experiment=instance_or_recorded_start.experiment,
        instance=instance_or_recorded_start.instance,
        instance_hash=instance_or_recorded_start.instance_hash,
        instance_id=instance_or_recorded_start.instance_id,
        seats=seats,
        settings=settings,
        reprompt=reprompt,
        run_seed=run_seed,
        repetition=repetition,
        seed=seed,
        people=people,
        prompts=prompts,
        rules_for_models=rules_for_models,
    )


# ---------------------------------------------------------------------- plans
@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode to play: its start, and the key under which it is stored once."""

    start: EpisodeStart
    key: str


def compute_plan_key(start: EpisodeStart) -> str:
    """Return the digest of everything that makes two planned episodes the same."""
    return digest(
        [
            [start.game, start.game_version, start.variant, start.experiment, start.instance_hash],
            [start.prompts, start.prompts_version, start.settings, start.reprompt],
            [[seat, _make_canonical_address(start.seats[seat])] for seat in sorted(start.seats)],
            [start.run_seed, start.repetition, start.seed],
            *([start.rules_for_models] if start.rules_for_models else []),
        ]
    )


def _make_canonical_address(address: str) -> list[Any]:
    parsed_address = Address.parse(address)
    return [parsed_address.provider, parsed_address.name, sorted(parsed_address.parameters.items())]


@dataclass(frozen=True)
class PlanPart:
    """Instances × seatings × repetitions under the same settings. Iterating yields the planned episodes.

    `settings`, `reprompt` and `prompts` are None by default (the game's own settings, no reminders, the present version
    of the prompts). A seat of
    `recorded/EPISODE` takes instance, settings, reprompt and seed from that episode: the part is then that one
    instance.
    """

    registry: Registry
    instances: tuple[SelectedInstance, ...]
    seatings: tuple[Mapping[str, str], ...]
    settings: Json | None = None
    reprompt: int | None = None
    seed: int = 0
    repeat: int = 1
    recorded_start: EpisodeStart | None = None
    prompts: int | None = None
    rules_for_models: Mapping[str, str] | None = None
    """`on_empty` and `on_context` of the starts, as far as they are given."""

    @classmethod
    def from_selections(
        cls,
        registry: Registry,
        selections: Sequence[str],
        seatings: Sequence[Mapping[str, str]],
        *,
        settings: Json | None = None,
        reprompt: int | None = None,
        seed: int = 0,
        repeat: int = 1,
        limit: int | None = None,
        prompts: int | None = None,
        on_empty: str | None = None,
        on_context: str | None = None,
        parameters: Mapping[str, str] | None = None,
        store: Store | None = None,
        is_preview: bool = False,
    ) -> PlanPart:
        """Plan selections for seatings, checked before anything is played; see `Plan.from_selections`."""
        if not selections:
            raise BadPlan(f"what is to be played? Name a game: {', '.join(registry.names)}")
        for option_name, number, lower_bound in (("repeat", repeat, 1), ("limit", limit, 1), ("reprompt", reprompt, 0)):
            if number is not None and number < lower_bound:
                raise BadPlan(f"{option_name} is at least {lower_bound}, not {number}")
        instances = _select_instances(registry, selections, seatings, limit)
        games = {
            name: registry.load_playable_game(name) for name in dict.fromkeys(instance.game for instance in instances)
        }
        for game in games.values():
            check_settings(game, settings)
            check_prompts(game, prompts)
        for instance in instances:
            if unsupported_reason := registry.find_unsupported_reason(instance):
                raise BadPlan(f"{instance.instance_id} cannot be played here: {unsupported_reason}")
        model_rules = {"on_empty": on_empty, "on_context": on_context}
        rules_for_models = check_rules_for_models(
            {name: model_rule for name, model_rule in model_rules.items() if model_rule is not None}
        )
        given_seatings = [_add_parameters(registry, games, seating, parameters or {}) for seating in seatings]
        full_seatings = tuple(_resolve_seating(registry, seating, store) for seating in given_seatings)
        for seating in full_seatings:
            check_seats(games, seating)
            for game in games.values():
                _check_players(registry, game, seating, instances, is_preview)
        recorded_start = _find_recorded_episode_start(full_seatings, instances, settings, reprompt, store)
        return cls(
            registry,
            instances,
            full_seatings,
            settings,
            reprompt,
            seed,
            repeat,
            recorded_start,
            prompts,
            rules_for_models,
        )

    def __len__(self) -> int:
        return (1 if self.recorded_start else len(self.instances)) * len(self.seatings) * self.repeat

    def _find_position_indices(self, position: int) -> tuple[int, int, int]:
        """Return the indices of instance, seating and repetition: all instances for each seating, then repeated."""
        remaining_position, instance_index = divmod(position, 1 if self.recorded_start else len(self.instances))
        repetition, seating_index = divmod(remaining_position, len(self.seatings))
        return instance_index, seating_index, repetition

    def plan_episode(self, position: int) -> PlannedEpisode:
        """Return the planned episode at a position."""
        instance_index, seating_index, repetition = self._find_position_indices(position)
        if self.recorded_start:
            return self._replay_episode(self.recorded_start, self.seatings[seating_index], repetition)
        return self._plan_episode(self.instances[instance_index], self.seatings[seating_index], repetition)

    def group_at(self, position: int) -> PlanGroup:
        """Return the group of the episode at a position."""
        instance_index, seating_index, _ = self._find_position_indices(position)
        instance_or_recorded_start = self.recorded_start or self.instances[instance_index]
        return PlanGroup(
            instance_or_recorded_start.game,
            instance_or_recorded_start.variant,
            tuple(sorted(self.seatings[seating_index].items())),
        )

    def make_identity(self, position: int) -> tuple[Any, ...]:
        """Return what distinguishes positions, also of other parts, without building their episodes."""
        instance_index, _, repetition = self._find_position_indices(position)
        instance_or_recorded_start = self.recorded_start or self.instances[instance_index]
        return (
            self.group_at(position),
            instance_or_recorded_start.instance_id,
            canonical_json([self.settings, self.reprompt or 0, self.prompts, self.rules_for_models]),
            self.seed,
            repetition,
        )

    @property
    def players(self) -> Iterator[tuple[Game, str, str]]:
        """Yield (game, seat, address) of every player that may get a seat."""
        for game_name in dict.fromkeys(selected_instance.game for selected_instance in self.instances):
            game = self.registry.game(game_name)
            for seating in self.seatings:
                for seat, address in list_candidates(game, seating):
                    yield game, seat, address

    def _plan_episode(
        self, selected_instance: SelectedInstance, seating: Mapping[str, str], repetition: int
    ) -> PlannedEpisode:
        game = self.registry.game(selected_instance.game)
        seed = derive_side_seed(game, selected_instance, seating, self.seed, repetition)
        episode_start = build_item_start(
            game,
            selected_instance,
            assign_players(game, selected_instance.instance, seating, seed),
            settings=self.settings,
            reprompt=self.reprompt or 0,
            run_seed=self.seed,
            repetition=repetition,
            seed=seed,
            prompts=self.prompts,
            rules_for_models=self.rules_for_models,
        )
        return PlannedEpisode(episode_start, compute_plan_key(episode_start))

    def _replay_episode(
        self, recorded_start: EpisodeStart, seating: Mapping[str, str], repetition: int
    ) -> PlannedEpisode:
        """Return a recorded start under the present rules with other players, but the same seed."""
        game = self.registry.game(recorded_start.game)
        episode_start = build_item_start(
            game,
            recorded_start,
            assign_players(game, recorded_start.instance, seating, recorded_start.seed),
            settings=recorded_start.settings,
            reprompt=recorded_start.reprompt,
            run_seed=recorded_start.run_seed,
            repetition=recorded_start.repetition + repetition,
            seed=recorded_start.seed,
            prompts=self.prompts,
            rules_for_models={**recorded_start.rules_for_models, **(self.rules_for_models or {})},
        )
        return PlannedEpisode(episode_start, compute_plan_key(episode_start))


@dataclass(frozen=True)
class PlanGroup:
    """Episodes that are counted and estimated together. `seating` is as the user wrote it."""

    game: str
    variant: str
    seating: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Plan:
    """The parts of a plan, with each episode once. `len` is the number of episodes, `plan_episode` builds one."""

    registry: Registry
    parts: tuple[PlanPart, ...]

    @classmethod
    def from_selections(
        cls, registry: Registry, selections: Sequence[str], seatings: Sequence[Mapping[str, str]], **options: Any
    ) -> Plan:
        """Plan selections for seatings ({seat: player}, or {"all": player}), checked before anything is played.

        `options` are `settings`, `reprompt`, `seed`, `repeat`, `limit` (of instances per experiment), `prompts` (a
        version), `on_empty` and `on_context` (fields of `EpisodeStart`), `parameters` of all models, and `store`, where
        `recorded/EPISODE` is looked up. Raises `UnknownSelection`, `UnknownPlayer`, or `BadPlan` naming the seats, the
        setting or the number that is wrong.
        """
        return cls(registry, (PlanPart.from_selections(registry, selections, seatings, **options),))

    @classmethod
    def from_player_combinations(
        cls,
        registry: Registry,
        selections: Sequence[str],
        players: Sequence[str],
        *,
        all_seatings: bool = False,
        **options: Any,
    ) -> Plan:
        """Plan selections for all ways to seat players: every ordered pair at two seats, each alone at one.

        Where a game has sides, players are put on sides. A player also meets itself, except in a game with three or
        more sides: there, each side has another player, as in GameEval (six assignments of three players, section 4.3),
        unless there are fewer players than sides, or `all_seatings`.
        """
        selections_by_game: dict[str, list[str]] = {}
        for selection in selections:
            selections_by_game.setdefault(registry.select_instances(selection)[0].game, []).append(selection)
        plan_parts = []
        for game_name, game_selections in selections_by_game.items():
            game = registry.game(game_name)
            seats_or_sides = list_side_keys(game) or list(game.seats)
            is_assigned_once = (
                len(list_side_keys(game)) > 2 and len(set(players)) >= len(seats_or_sides) and not all_seatings
            )
            player_combinations = (
                itertools.permutations(dict.fromkeys(players), len(seats_or_sides))
                if is_assigned_once
                else itertools.product(players, repeat=len(seats_or_sides))
            )
            seatings = [dict(zip(seats_or_sides, combination, strict=True)) for combination in player_combinations]
            plan_parts.append(PlanPart.from_selections(registry, game_selections, seatings, **options))
        return cls(registry, tuple(plan_parts))

    @cached_property
    def _part_positions(self) -> Sequence[tuple[int, int]]:
        """The part and the position in it of each position of the plan."""
        if len(self.parts) == 1:
            return _PartPositions(len(self.parts[0]))
        part_positions: dict[tuple[Any, ...], tuple[int, int]] = {}
        for part_index, plan_part in enumerate(self.parts):
            for position in range(len(plan_part)):
                part_positions.setdefault(plan_part.make_identity(position), (part_index, position))
        return list(part_positions.values())

    def __len__(self) -> int:
        return len(self._part_positions)

    def __iter__(self) -> Iterator[PlannedEpisode]:
        return map(self.plan_episode, range(len(self)))

    def plan_episode(self, position: int) -> PlannedEpisode:
        """Return the planned episode at a position."""
        part_index, position_in_part = self._part_positions[position]
        return self.parts[part_index].plan_episode(position_in_part)

    def group_at(self, position: int) -> PlanGroup:
        """Return the group of the episode at a position."""
        part_index, position_in_part = self._part_positions[position]
        return self.parts[part_index].group_at(position_in_part)

    @property
    def player_infos(self) -> dict[str, PlayerInfo]:
        """What is known about each player of the plan, by address."""
        return {
            address: self.registry.player_info(address, game.name)
            for plan_part in self.parts
            for game, _, address in plan_part.players
        }

    @property
    def paid_players(self) -> dict[str, PlayerInfo]:
        """The players of the plan that cost money, by address."""
        return {address: player_info for address, player_info in self.player_infos.items() if player_info.is_paid}

    @property
    def has_models(self) -> bool:
        """Whether a model may get a seat."""
        return any(
            self.registry.player_kind(address, game.name) == "model"
            for plan_part in self.parts
            for game, _, address in plan_part.players
        )

    @property
    def is_instant(self) -> bool:
        """Whether all its players answer without waiting for anything but this processor."""
        return all(
            plan_part.recorded_start is None
            and self.registry.player(address, game.name, seat, refuse_episode_loading).instant
            for plan_part in self.parts
            for game, seat, address in plan_part.players
        )


@dataclass(frozen=True)
class _PartPositions(Sequence[tuple[int, int]]):
    """The positions of a plan with one part, computed instead of stored."""

    position_count: int

    def __len__(self) -> int:
        return self.position_count

    def __getitem__(self, position: Any) -> Any:
        return 0, range(self.position_count)[position]


# ---------------------------------------------------------------------- where it stands


@dataclass(frozen=True)
class _DistinctInstance:
    """An instance that equals others of the same id, so that overlapping selections count it once."""

    instance: SelectedInstance = field(compare=False)
    instance_id: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "instance_id", self.instance.instance_id)


def _select_instances(
    registry: Registry, selections: Sequence[str], seatings: Sequence[Mapping[str, str]], limit: int | None
) -> tuple[SelectedInstance, ...]:
    """Return the instances of all selections, each once; of an experiment only the first `limit`."""
    instances = (
        instance for selection in selections for instance in _select_playable_instances(registry, selection, seatings)
    )
    distinct_instances = dict.fromkeys(map(_DistinctInstance, instances))
    return tuple(i.instance for i in distinct_instances if limit is None or i.instance.index < limit)


def _select_playable_instances(
    registry: Registry, selection: str, seatings: Iterable[Mapping[str, str]]
) -> list[SelectedInstance]:
    """Return the instances of a selection.

    A selection without an experiment skips imported instances that cannot be played: their pictures are missing, or a
    scripted player, who knows our prompts only, has a seat. Raises `BadPlan` if none is left.
    """
    instances = registry.select_instances(selection)
    if selection.strip("/").count("/") >= 2:
        return instances
    player_addresses = {address for seating in seatings for address in seating.values()}
    first_reason: str | None = None
    playable_instances = []
    for instance in instances:
        unreadable_reasons = (
            [registry.find_unreadable_reason(address, instance) for address in player_addresses]
            if instance.instance.get("theirs")
            else []
        )
        instance_reason = next(filter(None, unreadable_reasons), None) or (
            registry.find_unsupported_reason(instance) if unreadable_reasons else None
        )
        first_reason = first_reason or instance_reason
        if instance_reason is None:
            playable_instances.append(instance)
    if instances and not playable_instances:
        raise BadPlan(str(first_reason))
    return playable_instances


def _check_players(
    registry: Registry,
    game: Game,
    seating: Mapping[str, str],
    instances: Sequence[SelectedInstance],
    is_preview: bool,
) -> None:
    """Raise `BadPlan` or `UnknownPlayer` for a player who cannot sit where a seating puts it."""
    for seat, address in list_candidates(game, seating):
        provider = Address.parse(address).provider
        if provider == "person":
            raise BadPlan(f"a person cannot sit at {seat} in a run: people play in the browser, `ludens serve`")
        if provider != "recorded":  # looked at with its episode
            registry.player(address, game.name, seat, refuse_episode_loading)
            _check_abilities(registry, address, game, instances, is_preview)


def _check_abilities(
    registry: Registry, address: str, game: Game, instances: Sequence[SelectedInstance], is_preview: bool
) -> None:
    """Raise `BadPlan` if a player cannot play here, cannot see the pictures, or cannot read imported prompts."""
    for selected_instance in instances:
        if selected_instance.game == game.name and (
            refusal_reason := registry.find_unreadable_reason(address, selected_instance)
        ):
            raise BadPlan(refusal_reason)
    for variant in dict.fromkeys(
        selected_instance.variant for selected_instance in instances if selected_instance.game == game.name
    ):
        if refusal_reason := registry.find_refusal(address, game, game.variant(variant), is_preview=is_preview):
            raise BadPlan(refusal_reason)


def _resolve_seating(registry: Registry, seating: Mapping[str, str], store: Store | None) -> dict[str, str]:
    """Resolve names of players.toml, files and shortened ids of recorded episodes, so that equal seatings are equal."""
    full_seating = {}
    for seat, address in seating.items():
        parsed_address = Address.parse(address)
        if parsed_address.provider == "recorded" and parsed_address.name and store:
            address = f"recorded/{store.episode(parsed_address.name).id}"
        full_seating[seat] = registry.pin_address(address)
    return full_seating


def _add_parameters(
    registry: Registry, games: Iterable[str], seating: Mapping[str, str], parameters: Mapping[str, str]
) -> Mapping[str, str]:
    """Return a seating in which the addresses of all models have these parameters; others stay unchanged.

    They go over those of players.toml. Raises `BadPlan` if an address itself says something else.
    """
    full_seating = dict(seating)
    for seat, address in seating.items() if parameters else ():
        if any(registry.player_kind(address, game) != "model" for game in games):
            continue
        for parameter, parameter_value in Address.parse(address).parameters.items():
            if parameters.get(parameter, parameter_value) != parameter_value:
                raise BadPlan(
                    f"{address}: {parameter}={parameter_value} contradicts {parameter}={parameters[parameter]} for all "
                    "models: leave one of them out"
                )
        full_address = Address.parse(registry.resolve(address))
        parameters_of_model = {**full_address.parameters, **parameters}
        full_seating[seat] = str(Address(full_address.provider, full_address.name, parameters_of_model))
    return full_seating


def _find_recorded_episode_start(
    seatings: Sequence[Mapping[str, str]],
    instances: Sequence[SelectedInstance],
    settings: Json | None,
    reprompt: int | None,
    store: Store | None,
) -> EpisodeStart | None:
    """Return the start of the recorded episode, None without recorded seats. Raises `BadPlan` if several differ."""
    start_by_episode: dict[str, EpisodeStart] = {}
    for address in (address for seating in seatings for address in seating.values()):
        parsed_address = Address.parse(address)
        if parsed_address.provider == "recorded":
            if not parsed_address.name or store is None:
                raise UnknownPlayer("which episode? write recorded/EPISODE; `ludens replay` shows one")
            start_by_episode[parsed_address.name] = EpisodeStart.model_validate(
                store.episode(parsed_address.name).start
            )
    if not start_by_episode:
        return None
    recorded_starts = list(start_by_episode.values())
    first_start, episode = recorded_starts[0], next(iter(start_by_episode))
    for other_start in recorded_starts[1:]:
        if (other_start.instance_hash, other_start.settings, other_start.seed) != (
            first_start.instance_hash,
            first_start.settings,
            first_start.seed,
        ):
            raise BadPlan(
                f"the recorded episodes {' and '.join(start_by_episode)} differ in instance, settings or seed"
            )
    if not any(
        (selected_instance.game, selected_instance.variant) == (first_start.game, first_start.variant)
        for selected_instance in instances
    ):
        raise BadPlan(
            f"episode {episode} was {first_start.instance_id}: select {first_start.game}/{first_start.variant}"
        )
    for setting_name, setting_value in (settings or {}).items():
        if first_start.settings.get(setting_name) != setting_value:
            raise BadPlan(
                f"episode {episode} was played with {setting_name}={first_start.settings.get(setting_name)}, "
                f"not {setting_value}"
            )
    if reprompt not in (None, first_start.reprompt):
        raise BadPlan(f"episode {episode} was played with reprompt {first_start.reprompt}, not {reprompt}")
    return first_start
