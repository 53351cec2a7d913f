"""Plans: which episodes are to be played, by whom, and what that may take.

A `PlanPart` is instances × seatings × repetitions under the same settings; a `Plan` is one or several parts, with each
episode once. Every planned episode has a key made of everything that decides it, under which it is stored once.
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError, model_validator

from engine.core.events import Json, canonical, digest
from engine.core.game import Game
from engine.core.player import Address, PlayerInfo, UnknownPlayer, no_episodes
from engine.core.sides import side_keys
from engine.core.start import Start, build_start
from engine.core.suggestions import did_you_mean
from engine.play.registry import Registry, SelectedInstance
from engine.play.seating import candidates, empty_seats, players_of, side_seating_seed
from engine.storage.store import Store

LOOKED_UP = 500
"""So many keys are looked up at once."""


class BadPlan(ValueError):
    """A run that cannot be planned as asked; the message names what is wrong and what there is."""


@cache
def ludens_version() -> str:
    """Return the version of Ludens, as episodes record it."""
    from importlib.metadata import version

    return version("ludens")


def build_item_start(
    game: Game,
    played: SelectedInstance | Start,
    seats: dict[str, str],
    *,
    settings: Json | None = None,
    reprompt: int = 0,
    run_seed: int = 0,
    repetition: int = 0,
    seed: str | None = None,
    people: dict[str, Json] | None = None,
    ludens: str | None = None,
) -> Start:
    """Return how an episode of an item begins, or of what another one began with. Raises as `build_start` does."""
    return build_start(
        game,
        ludens=ludens or ludens_version(),
        variant=played.variant,
        experiment=played.experiment,
        instance=played.instance,
        instance_id=played.instance_id,
        seats=seats,
        settings=settings,
        reprompt=reprompt,
        run_seed=run_seed,
        repetition=repetition,
        seed=seed,
        people=people,
    )


# ---------------------------------------------------------------------- plans
@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode to play: its start, and the key under which it is played once."""

    start: Start
    key: str


def plan_key(start: Start) -> str:
    """Return the digest of what makes two planned episodes the same one (design §4)."""
    return digest(
        [
            [start.game, start.game_version, start.variant, start.experiment, start.instance_hash],
            [start.prompts, start.prompts_version, start.settings, start.reprompt],
            [[seat, _canonical_address(start.seats[seat])] for seat in sorted(start.seats)],
            [start.run_seed, start.repetition, start.seed],
        ]
    )


def _canonical_address(address: str) -> list[Any]:
    parsed = Address.parse(address)
    return [parsed.provider, parsed.name, sorted(parsed.parameters.items())]


@dataclass(frozen=True)
class PlanPart:
    """Items × seatings × repetitions under the same settings. Iterating gives the planned episodes one by one.

    `settings` and `reprompt` are None where nothing was asked for (the game's own settings, no reminders). A seat of
    `recorded/EPISODE` takes instance, settings, reprompt and seed from that episode: the part is then that one
    instance.
    """

    registry: Registry
    items: tuple[SelectedInstance, ...]
    seatings: tuple[Mapping[str, str], ...]
    settings: Json | None = None
    reprompt: int | None = None
    seed: int = 0
    repeat: int = 1
    recorded: Start | None = None

    @classmethod
    def of(
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
        store: Store | None = None,
    ) -> PlanPart:
        """Plan selections for seatings, checked before anything is played; see `Plan.of`."""
        if not selections:
            raise BadPlan(f"what is to be played? Name a game: {', '.join(registry.names)}")
        for name, number, least in (("repeat", repeat, 1), ("limit", limit, 1), ("reprompt", reprompt, 0)):
            if number is not None and number < least:
                raise BadPlan(f"{name} is at least {least}, not {number}")
        found = (item for selection in selections for item in _selected(registry, selection, seatings))
        items = list(dict.fromkeys(map(_Once, found)))
        chosen = tuple(once.item for once in items if limit is None or once.item.index < limit)
        games = {name: registry.game(name) for name in dict.fromkeys(item.game for item in chosen)}
        for game in games.values():
            check_settings(game, settings)
        for item in chosen:
            if why := registry.lack(item):
                raise BadPlan(f"{item.instance_id} cannot be played here: {why}")
        seated = tuple(_in_full(registry, seating, store) for seating in seatings)
        for seating in seated:
            check_seats(games, seating)
            for game in games.values():
                for seat, address in candidates(game, seating):
                    if Address.parse(address).provider == "person":
                        raise BadPlan(
                            f"a person cannot sit at {seat} in a run: people play in the browser, `ludens serve`"
                        )
                    if Address.parse(address).provider != "recorded":  # looked at below, with its episode
                        registry.player(address, game.name, seat, no_episodes)
                        _check_abilities(registry, address, game, chosen)
        recorded = _recorded_start(seated, chosen, settings, reprompt, store)
        return cls(registry, chosen, seated, settings, reprompt, seed, repeat, recorded)

    def __len__(self) -> int:
        return (1 if self.recorded else len(self.items)) * len(self.seatings) * self.repeat

    def _where(self, place: int) -> tuple[int, int, int]:
        """Return item, seating and repetition: all items for the first seating, then for the next, then repeated."""
        rest, item = divmod(place, 1 if self.recorded else len(self.items))
        repetition, seating = divmod(rest, len(self.seatings))
        return item, seating, repetition

    def at(self, place: int) -> PlannedEpisode:
        """Return the planned episode at a place."""
        item, seating, repetition = self._where(place)
        if self.recorded:
            return self._again(self.recorded, self.seatings[seating], repetition)
        return self._planned(self.items[item], self.seatings[seating], repetition)

    def kind(self, place: int) -> PlanGroup:
        """Return what is played by whom at a place."""
        item, seating, _ = self._where(place)
        played = self.recorded or self.items[item]
        return PlanGroup(played.game, played.variant, tuple(sorted(self.seatings[seating].items())))

    def identity(self, place: int) -> tuple[Any, ...]:
        """Return what tells places apart, also those of other parts, without making their episodes."""
        item, _, repetition = self._where(place)
        played = self.recorded or self.items[item]
        return (
            self.kind(place),
            played.instance_id,
            canonical([self.settings, self.reprompt or 0]),
            self.seed,
            repetition,
        )

    @property
    def players(self) -> Iterator[tuple[Game, str, str]]:
        """Give every (game, seat, address) that may come to sit."""
        for name in dict.fromkeys(item.game for item in self.items):
            game = self.registry.game(name)
            for seating in self.seatings:
                for seat, address in candidates(game, seating):
                    yield game, seat, address

    def _planned(self, item: SelectedInstance, seating: Mapping[str, str], repetition: int) -> PlannedEpisode:
        game = self.registry.game(item.game)
        seed = side_seating_seed(game, item, seating, self.seed, repetition)
        start = build_item_start(
            game,
            item,
            players_of(game, item.instance, seating, seed),
            settings=self.settings,
            reprompt=self.reprompt or 0,
            run_seed=self.seed,
            repetition=repetition,
            seed=seed,
        )
        return PlannedEpisode(start, plan_key(start))

    def _again(self, recorded: Start, seating: Mapping[str, str], repetition: int) -> PlannedEpisode:
        """Return a recorded start under the present rules with other players, but the same seed."""
        game = self.registry.game(recorded.game)
        start = build_item_start(
            game,
            recorded,
            players_of(game, recorded.instance, seating, recorded.seed),
            settings=recorded.settings,
            reprompt=recorded.reprompt,
            run_seed=recorded.run_seed,
            repetition=recorded.repetition + repetition,
            seed=recorded.seed,
        )
        return PlannedEpisode(start, plan_key(start))


@dataclass(frozen=True)
class PlanGroup:
    """What is played by whom: episodes that are counted and estimated together. `seating` is as it was asked for."""

    game: str
    variant: str
    seating: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Plan:
    """What to play: parts, each episode once, however often they name it. `len` counts them, `at` makes one."""

    registry: Registry
    parts: tuple[PlanPart, ...]

    @classmethod
    def of(
        cls, registry: Registry, selections: Sequence[str], seatings: Sequence[Mapping[str, str]], **how: Any
    ) -> Plan:
        """Plan selections for seatings ({seat: player}, or {"all": player}), checked before anything is played.

        `how` are `settings`, `reprompt`, `seed`, `repeat`, `limit` (the first so many instances of each experiment)
        and `store`, where `recorded/EPISODE` is looked up. Raises `UnknownSelection`, `UnknownPlayer`, or `BadPlan`
        naming the seats, the setting or the number that is wrong.
        """
        return cls(registry, (PlanPart.of(registry, selections, seatings, **how),))

    @classmethod
    def crossed(cls, registry: Registry, selections: Sequence[str], players: Sequence[str], **how: Any) -> Plan:
        """Plan selections for all ways to seat players: every ordered pair at two seats, each alone at one.

        Where a game has sides, players are put on sides. A player also meets itself.
        """
        by_game: dict[str, list[str]] = {}
        for selection in selections:
            by_game.setdefault(registry.select(selection)[0].game, []).append(selection)
        parts = []
        for name, chosen in by_game.items():
            game = registry.game(name)
            units = side_keys(game) or list(game.seats)
            seatings = [dict(zip(units, way, strict=True)) for way in itertools.product(players, repeat=len(units))]
            parts.append(PlanPart.of(registry, chosen, seatings, **how))
        return cls(registry, tuple(parts))

    @classmethod
    def read(cls, path: Path, registry: Registry, **how: Any) -> Plan:
        """Read a plan from a TOML file: `[[part]]` tables with `select` and `seats` or `cross` (README, "Run").

        What stands above the parts (`seed`, `repeat`, `limit`, `reprompt`, `settings`) holds for all that do not say
        otherwise; `how` goes over both. Raises `BadPlan` naming file, part and field.
        """
        try:
            file = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        except ValidationError as error:
            raise BadPlan(f"{path}: {'; '.join(validation_messages(error))}") from None
        except FileNotFoundError:
            raise BadPlan(f"{path} is not there: --plan names a TOML file with [[part]] tables") from None
        except (OSError, ValueError) as error:
            raise BadPlan(f"{path} cannot be read: {error}") from None
        parts: list[PlanPart] = []
        shared = file.how()
        for number, table in enumerate(file.part, 1):
            own = {**shared, **table.how(), **how}
            try:
                if (table.cross is None) == (table.seats is None):
                    raise BadPlan('name either seats, such as seats = { all = "scripted" }, or cross = [players]')
                if table.cross is not None:
                    parts += cls.crossed(registry, table.select, table.cross, **own).parts
                else:
                    parts.append(PlanPart.of(registry, table.select, [table.seats or {}], **own))
            except (BadPlan, LookupError) as error:
                raise BadPlan(f"{path}, part {number}: {error.args[0] if error.args else error}") from None
        return cls(registry, tuple(parts))

    @cached_property
    def _places(self) -> Sequence[tuple[int, int]]:
        """For each place of the plan the number of its part and its place there."""
        if len(self.parts) == 1:
            return _First(len(self.parts[0]))
        known: dict[tuple[Any, ...], tuple[int, int]] = {}
        for number, part in enumerate(self.parts):
            for place in range(len(part)):
                known.setdefault(part.identity(place), (number, place))
        return list(known.values())

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[PlannedEpisode]:
        return map(self.at, range(len(self)))

    def at(self, place: int) -> PlannedEpisode:
        """Return the planned episode at a place."""
        part, inside = self._places[place]
        return self.parts[part].at(inside)

    def kind(self, place: int) -> PlanGroup:
        """Return what is played by whom at a place."""
        part, inside = self._places[place]
        return self.parts[part].kind(inside)

    @property
    def paid(self) -> dict[str, PlayerInfo]:
        """The players of the plan that cost money: address to what is known of them."""
        known = {
            address: self.registry.about(address, game.name) for part in self.parts for game, _, address in part.players
        }
        return {address: about for address, about in known.items() if about.is_paid}

    @property
    def models(self) -> bool:
        """Whether a model may come to sit."""
        return any(
            self.registry.kind(address, game.name) == "model"
            for part in self.parts
            for game, _, address in part.players
        )

    @property
    def instant(self) -> bool:
        """Whether all its players answer without waiting for anything but this machine's processor."""
        return all(
            part.recorded is None and self.registry.player(address, game.name, seat, no_episodes).instant
            for part in self.parts
            for game, seat, address in part.players
        )


@dataclass(frozen=True)
class _First(Sequence[tuple[int, int]]):
    """The places of a plan of one part, none of which need be kept."""

    number: int

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, place: Any) -> Any:
        return 0, range(self.number)[place]


class _How(BaseModel):
    """What a part of a plan file may say besides what is played by whom."""

    seed: int = 0
    repeat: int = Field(1, ge=1)
    limit: int | None = Field(None, ge=1)
    reprompt: int | None = Field(None, ge=0)
    settings: Json | None = None

    @model_validator(mode="before")
    @classmethod
    def _known(cls, table: Any) -> Any:
        fields = cls.model_fields
        named = table if isinstance(table, dict) else {}
        if unknown := [f"{name!r}{did_you_mean(name, fields)}" for name in named if name not in fields]:
            raise ValueError(f"no field {', '.join(unknown)}; there are {', '.join(fields)}")
        return table

    def how(self) -> Json:
        """Return what was said, as `PlanPart.of` takes it."""
        return {name: getattr(self, name) for name in _How.model_fields if name in self.model_fields_set}


class _Table(_How):
    select: list[str]
    seats: dict[str, str] | None = None
    cross: list[str] | None = None


class _File(_How):
    part: list[_Table] = Field(min_length=1)


# ---------------------------------------------------------------------- where it stands
@dataclass
class PlanStatus:
    """How many planned episodes of a kind are in the log, by how they stand."""

    planned: int = 0
    over: int = 0
    aborted: int = 0
    """Those among `over`."""
    stalled: int = 0
    open: int = 0

    @property
    def missing(self) -> int:
        """Those not begun."""
        return self.planned - self.over - self.stalled - self.open


def plan_status(plan: Plan, store: Store | None) -> dict[PlanGroup, PlanStatus]:
    """Return where a plan stands in a log, by kind; without a log nothing was begun."""
    found: dict[PlanGroup, PlanStatus] = {}
    for first in range(0, len(plan), LOOKED_UP):
        places = range(first, min(first + LOOKED_UP, len(plan)))
        keys = {place: plan.at(place).key for place in places} if store else {}
        states = store.states(list(keys.values())) if store else {}
        for place in places:
            row = found.setdefault(plan.kind(place), PlanStatus())
            row.planned += 1
            status, ending = states.get(keys.get(place, ""), (None, None))
            if status is not None:
                setattr(row, status, getattr(row, status) + 1)
                row.aborted += ending == "aborted"
    return found


@dataclass(frozen=True)
class _Once:
    """An item that equals another of the same name: overlapping selections name it once."""

    item: SelectedInstance = field(compare=False)
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.item.instance_id)


def check_seats(games: Mapping[str, Game], seating: Mapping[str, str]) -> None:
    known = {seat for game in games.values() for seat in (*game.seats, *side_keys(game))}
    unknown = [seat for seat in seating if seat not in known | {"all"}]
    no_seat = f"no seat {', '.join(map(repr, unknown))}; there are: {', '.join(sorted(known))}, and all"
    for game in games.values():
        if missing := empty_seats(game, seating):
            given = " ".join(f"--seat {seat}=PLAYER" for seat in missing)
            raise BadPlan(
                f"{game.name} has the seats {', '.join(game.seats)}; nobody sits at {', '.join(missing)}: "
                f"add {given}, or --seat all=PLAYER" + (f". Besides, {no_seat}" if unknown else "")
            )
    if unknown:
        raise BadPlan(no_seat)


def check_settings(game: Game, settings: Json | None) -> None:
    fields = game.settings.model_fields
    known = ", ".join(f"{name} (default {json.dumps(info.default)})" for name, info in fields.items()) or "none"
    for name in settings or {}:
        if name not in fields:
            raise BadPlan(f"{game.name} has no setting {name!r}{did_you_mean(name, fields)}; there are: {known}")
    try:
        game.settings.model_validate(settings or {})
    except ValidationError as error:
        raise BadPlan(f"{game.name}: setting {'; '.join(validation_messages(error))}; settings are: {known}") from None


def validation_messages(error: ValidationError, data: Any = None) -> list[str]:
    """Return what pydantic found wrong, each as `field: why (got value)`. `data` is what it was found in."""
    said = []
    for fault in error.errors(include_url=False):
        missing = fault["type"] == "missing"
        where = _path(data, fault["loc"], missing) if isinstance(data, dict) else list(map(str, fault["loc"]))
        why = str(fault["ctx"]["error"]) if fault["type"] == "value_error" else fault["msg"]
        got = "" if missing or fault["type"] == "value_error" else f" (got {fault['input']!r:.80})"
        said.append(f"{'.'.join(where)}: {why}{got}" if where else f"{why}{got}")
    return said


def _path(data: Any, place: Sequence[str | int], missing: bool) -> list[str]:
    """Return the steps of a place that data has, without the names of alternatives that pydantic puts between."""
    steps: list[str] = []
    for number, step in enumerate(place, 1):
        if isinstance(data, dict) and step not in data and not (missing and number == len(place)):
            continue
        steps.append(str(step))
        try:
            data = data[step]
        except (LookupError, TypeError):
            data = None
    return steps


def _selected(registry: Registry, selection: str, seatings: Iterable[Mapping[str, str]]) -> list[SelectedInstance]:
    """Return what a selection names.

    One that names no experiment leaves out those imported instances that cannot be played so: their pictures are not
    here, or a scripted player sits there, who knows our prompts only. Raises `BadPlan` where nothing else is left.
    """
    items = registry.select(selection)
    if selection.strip("/").count("/") >= 2:
        return items
    addresses = {address for seating in seatings for address in seating.values()}
    why: str | None = None
    left = []
    for item in items:
        faults = [registry.lost(address, item) for address in addresses] if item.instance.get("theirs") else []
        fault = next(filter(None, faults), None) or (registry.lack(item) if faults else None)
        why = why or fault
        if fault is None:
            left.append(item)
    if items and not left:
        raise BadPlan(str(why))
    return left


def _check_abilities(registry: Registry, address: str, game: Game, items: Sequence[SelectedInstance]) -> None:
    """Raise `BadPlan` where a player cannot play here, cannot see what the items show, or not read what they say."""
    for item in items:
        if item.game == game.name and (why := registry.lost(address, item)):
            raise BadPlan(why)
    for variant in dict.fromkeys(item.variant for item in items if item.game == game.name):
        if why := registry.refusal(address, game, game.variant(variant)):
            raise BadPlan(why)


def _in_full(registry: Registry, seating: Mapping[str, str], store: Store | None) -> dict[str, str]:
    """Write out names of players.toml and shortened ids of recorded episodes, so that equal seatings are equal."""
    full = {}
    for seat, address in seating.items():
        parsed = Address.parse(address)
        if parsed.provider == "recorded" and parsed.name and store:
            address = f"recorded/{store.episode(parsed.name).id}"
        full[seat] = registry.resolve(address)
    return full


def _recorded_start(
    seatings: Sequence[Mapping[str, str]],
    items: Sequence[SelectedInstance],
    settings: Json | None,
    reprompt: int | None,
    store: Store | None,
) -> Start | None:
    """Return the start that the recorded seats agree on, None without any."""
    found: dict[str, Start] = {}
    for address in (address for seating in seatings for address in seating.values()):
        parsed = Address.parse(address)
        if parsed.provider == "recorded":
            if not parsed.name or store is None:
                raise UnknownPlayer("which episode? write recorded/EPISODE; `ludens replay` shows one")
            found[parsed.name] = Start.model_validate(store.episode(parsed.name).start)
    if not found:
        return None
    starts = list(found.values())
    first, name = starts[0], next(iter(found))
    for other in starts[1:]:
        if (other.instance_hash, other.settings, other.seed) != (first.instance_hash, first.settings, first.seed):
            raise BadPlan(f"the recorded episodes {' and '.join(found)} differ in instance, settings or seed")
    if not any((item.game, item.variant) == (first.game, first.variant) for item in items):
        raise BadPlan(f"episode {name} was {first.instance_id}: select {first.game}/{first.variant}")
    for key, value in (settings or {}).items():
        if first.settings.get(key) != value:
            raise BadPlan(f"episode {name} was played with {key}={first.settings.get(key)}, not {value}")
    if reprompt not in (None, first.reprompt):
        raise BadPlan(f"episode {name} was played with reprompt {first.reprompt}, not {reprompt}")
    return first
