"""Leaderboards: which episodes and which published rows a table of results shows, for the command and the page alike.

A `ResultFilter` says what is asked for: parts of games, players, kinds of players. Our rows and published rows are
shown together and never averaged together. Nothing here reads a log or draws a table.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from engine.core.condition import Condition
from engine.core.events import Json
from engine.core.game import Game
from engine.core.player import Address
from engine.core.scores import Summary
from engine.results.clemscore import task_of
from engine.results.published import PublishedRow
from engine.results.table import result_rows
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from engine.play.registry import Registry

NUMBERS = ("played", "quality", "score_all")
"""The numbers that have a column of their own."""


class PlayedCondition(Protocol):
    """What a choice asks of an episode, or of all episodes of one row."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def variant(self) -> str:
        """The variant's name."""

    @property
    def experiment(self) -> str:
        """The experiment's name."""

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sat where."""


GamePart = tuple[str, ...]
"""GAME, (GAME, VARIANT) or (GAME, VARIANT, EXPERIMENT)."""


def parse_part(selection: str) -> GamePart:
    """Return the part of a game that `GAME[/VARIANT[/EXPERIMENT]]` names."""
    return tuple(selection.strip("/").split("/"))


_parsed = cache(Address.parse)


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """What is asked for: parts of games, players by address, kinds of players; all where nothing is said."""

    registry: Registry
    parts: Sequence[GamePart] = ()
    addresses: Sequence[Address] = ()
    kinds: frozenset[str] = frozenset()
    """Of "person", "model", "program" (`Registry.kind`)."""

    def named(self, player: str) -> bool:
        """Return whether a player's address is asked for."""
        return not self.addresses or any(one.covers(_parsed(player)) for one in self.addresses)

    def of_kind(self, player: str, game: str) -> bool:
        """Return whether a player is of a kind that is asked for."""
        return not self.kinds or self.registry.kind(player, game) in self.kinds

    def within(self, one: PlayedCondition) -> bool:
        """Return whether it is of a part that is asked for."""
        place = (one.game, one.variant, one.experiment)
        return not self.parts or any(place[: len(part)] == part for part in self.parts)

    def holds(self, one: PlayedCondition) -> bool:
        """Return whether it is of such a part, with such a player in it."""
        return (
            self.within(one)
            and any(map(self.named, one.seats.values()))
            and any(self.of_kind(player, one.game) for player in one.seats.values())
        )

    def rated(self, tables: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return tables of ratings with these players alone, whose numbers come from all games; none without any."""
        if not (self.addresses or self.kinds):
            return list(tables)
        made = [table | {"players": [row for row in table["players"] if self._asked(row, table)]} for table in tables]
        return [table for table in made if table["players"]]

    def _asked(self, row: dict[str, Any], table: dict[str, Any]) -> bool:
        return self.named(row["player"]) and self.of_kind(row["player"], table["game"])


def players_of(played: Iterable[PlayedCondition]) -> list[str]:
    """Return the addresses of all who sat at a seat, sorted."""
    return sorted({player for one in played for player in one.seats.values()})


def seats_text(seats: Mapping[str, str]) -> str:
    """Return who sat where as the command line says it: "all=scripted", "A=scripted B=random"."""
    players = set(seats.values())
    if len(players) == 1:
        return f"all={players.pop()}"
    return " ".join(f"{seat}={player}" for seat, player in seats.items())


def address_matcher(name: str) -> Callable[[str], bool]:
    """Return what says of an address whether it is the player named; without parameters, whatever its parameters."""
    wanted = Address.parse(name)
    return lambda player: wanted.covers(_parsed(player))


def player_matchers(
    registry: Registry, first: str, second: str, there: Sequence[str]
) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Return what says of an address whether it is the first, the second player of a comparison, of those `there`.

    Raises LookupError for one without an episode, and where an address would be meant by both.
    """
    meant = address_matcher(registry.resolve(first)), address_matcher(registry.resolve(second))
    for name, covers in zip((first, second), meant, strict=True):
        if not any(map(covers, there)):
            raise LookupError(f"no episode with {name!r}; the players there are: {', '.join(there) or 'none yet'}")
    for player in there:
        if meant[0](player) and meant[1](player):
            raise LookupError(f"{player} is meant by {first!r} and by {second!r}: name two different players")
    return meant


# ---------------------------------------------------------------------- what games add
# Each takes the names of the games asked about, of which some may be here no longer; without, all are loaded.
def sides_by_game(registry: Registry, games: Iterable[str] | None = None) -> dict[str, Sequence[str]]:
    """Return the games of sides with their sides."""
    return {name: game.sides for name, game in _games(registry, games).items() if game.adversarial}


def games_without_clemscore(registry: Registry, games: Iterable[str] | None = None) -> set[str]:
    """Return the games that enter no clemscore."""
    return {name for name, game in _games(registry, games).items() if game.adversarial or not game.clemscore}


def summaries_by_game(registry: Registry, games: Iterable[str] | None = None) -> dict[str, Summary]:
    """Return what games say of many episodes themselves."""
    return {
        name: game.summarise
        for name, game in _games(registry, games).items()
        if type(game).summarise is not Game.summarise
    }


def _games(registry: Registry, names: Iterable[str] | None) -> dict[str, Game]:
    return {name: registry.game(name) for name in (registry.names if names is None else names) if registry.has(name)}


# ---------------------------------------------------------------------- variants as a whole
class VariantRows:
    """Rows of whole variants: the episodes of all their experiments together, each episode weighing the same.

    A row's `experiment` is None; `experiments` names those that anything was played or planned of, since players may
    have met different ones; `of` holds the ids of the conditions it is of. Rows are kept until one of those they are
    made of is another object.
    """

    def __init__(self) -> None:
        self._pooled: dict[str, Condition] = {}
        self._kept: dict[tuple[str, bool], tuple[list[Json], list[Json]]] = {}

    def rows(
        self,
        single: Sequence[Json],
        conditions: Mapping[str, Condition],
        episodes: Callable[[str], Iterable[EpisodeResult]],
        *,
        sides: Mapping[str, Sequence[str]],
        summaries: Mapping[str, Summary],
        informed: bool = False,
    ) -> list[Json]:
        """Return the rows that `single` ones (of experiments) come to; `episodes` gives those of a condition's id."""
        groups: dict[str, list[Json]] = {}
        for row in single:
            if row["id"] not in self._pooled:
                self._pooled[row["id"]] = replace(conditions[row["id"]], experiment="")
            groups.setdefault(self._pooled[row["id"]].id, []).append(row)
        made: list[Json] = []
        for whole, parts in groups.items():
            before, known = self._kept.get((whole, informed), ([], []))
            if len(before) != len(parts) or any(one is not other for one, other in zip(before, parts, strict=True)):
                known = self._made(parts, episodes, sides, summaries, informed)
                self._kept[whole, informed] = parts, known
            made += known
        return made

    def _made(
        self,
        parts: Sequence[Json],
        episodes: Callable[[str], Iterable[EpisodeResult]],
        sides: Mapping[str, Sequence[str]],
        summaries: Mapping[str, Summary],
        informed: bool,
    ) -> list[Json]:
        planned = {row["id"]: int(row["missing"]) for row in parts}
        whole = self._pooled[parts[0]["id"]]
        moved = [copy(result) for name in planned for result in episodes(name)]
        for result in moved:
            result.condition = whole
        lacking = sum(planned.values())
        made = result_rows(
            moved,
            sides=sides,
            summaries=summaries,
            informed=informed,
            missing={whole.id: (whole, lacking)} if lacking else {},
        )
        told = {"experiment": None, "experiments": sorted({row["experiment"] for row in parts}), "of": list(planned)}
        return [row | told for row in made]


# ---------------------------------------------------------------------- published rows
def select_published(
    published: Sequence[PublishedRow], asked: Sequence[GamePart], made: Sequence[dict[str, Any]]
) -> list[PublishedRow]:
    """Return the published rows that stand beside the parts asked for, or beside the rows made where none is.

    Those over several variants or games are of pictures, and stand beside what shows pictures; those over games beside
    the games of the same table.
    """
    places = asked or sorted({(row["game"], row["variant"]) for row in made})
    covered: dict[tuple[str, int], set[str]] = {}
    for row in published:
        covered.setdefault((row.paper, row.table), set()).add(row.game or "")
    return [
        row
        for row in published
        if not places
        or any(_stands_beside(row, one) for one in places if row.game or one[0] in covered[row.paper, row.table])
    ]


def _stands_beside(row: PublishedRow, asked: GamePart) -> bool:
    game, variant, experiment = asked[0], *(*asked[1:], None, None)[:2]
    if variant and row.variant is None and (task_of(game, variant)[1] != "picture" or experiment):
        return False
    return (
        row.game in (None, game)
        and (row.variant is None or variant in (None, row.variant))
        and (row.experiment is None or experiment in (None, row.experiment))
    )


def group_published(published: Sequence[PublishedRow]) -> list[dict[str, Any]]:
    """Return published rows as ours stand: all numbers of a model in a condition together; reprints left out.

    Each has `game`, `variant`, `experiment` (None: over several), `condition`, `model`, `source`, `says` and `numbers`.
    """
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    seen: set[tuple[Any, ...]] = set()
    for row in published:
        what = (row.game, row.variant, row.experiment, row.condition, row.model)
        if (*what, row.number) in seen:
            continue
        seen.add((*what, row.number))
        group = groups.setdefault(
            (*what, row.citation),
            {
                "game": row.game,
                "variant": row.variant,
                "experiment": row.experiment,
                "condition": row.condition,
                "model": row.model,
                "source": row.citation,
                "says": row.says,
                "numbers": {},
            },
        )
        group["numbers"][row.number] = row.value
    return list(groups.values())


def results_csv(made: Sequence[dict[str, Any]], theirs: Sequence[dict[str, Any]], published: bool) -> str:
    """Return rows, and below them grouped published ones, as CSV; `published` adds the columns that tell them apart.

    Seats are written as `seats_text` says them, settings and a game's own numbers as JSON.
    """
    text = io.StringIO()
    nothing = Condition("", "", "", {}, {})
    columns = list((made or result_rows((), missing={nothing.id: (nothing, 0)}))[0])
    writer = csv.DictWriter(
        text, [*columns, *(("published", "condition", "source") if published else ())], lineterminator="\n"
    )
    writer.writeheader()
    for row in made:
        own = json.dumps(row["own"]) if row["own"] else None
        given = row | {"seats": seats_text(row["seats"]), "settings": json.dumps(row["settings"]), "own": own}
        writer.writerow(given | ({"published": 0} if published else {}))
    for row in theirs:
        numbers = {name: row["numbers"].get(name) for name in NUMBERS}
        more = {name: value for name, value in row["numbers"].items() if name not in NUMBERS}
        given = {name: row[name] for name in ("game", "variant", "experiment", "condition", "source")}
        writer.writerow(
            given | numbers | {"seats": row["model"], "published": 1, "own": json.dumps(more) if more else None}
        )
    return text.getvalue()
