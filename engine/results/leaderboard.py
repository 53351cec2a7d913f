"""Leaderboards: which episodes and which published rows a table of results shows, for the command and the page alike.

A `ResultFilter` selects parts of games, players, and kinds of players. Our rows and published rows are shown together
and never averaged together. Nothing here reads a log or draws a table.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from engine.core.condition import Condition, is_person
from engine.core.events import Json
from engine.core.game import Game
from engine.core.player import Address
from engine.core.scores import Summary
from engine.core.spreadsheet import escape_formulas
from engine.results.clemscore import ClemscoreRow, split_variant
from engine.results.published import PublishedRow
from engine.results.rating import RatingTable
from engine.results.table import MissingEpisodes, ResultRow, make_result_rows
from engine.storage.episode_result import EpisodeResult

if TYPE_CHECKING:
    from engine.play.registry import Registry

NUMBER_COLUMNS = ("played", "quality", "score_all")
"""The numbers that have a column of their own."""


class PlayedCondition(Protocol):
    """What a filter reads of an episode or of a condition."""

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
        """The player at each seat, or of each side."""

    @property
    def study(self) -> str:
        """NAME@VERSION of the study that the people in it took part in, empty without one."""


OBJECT_COLUMNS = ("rules_for_models", "sent", "dropped", "finish")
"""Columns of rows with models whose values are objects."""
GamePart = tuple[str, ...]
"""GAME, (GAME, VARIANT) or (GAME, VARIANT, EXPERIMENT)."""


def parse_game_part(part_text: str) -> GamePart:
    """Return the part of a game that `GAME[/VARIANT[/EXPERIMENT]]` names."""
    return tuple(part_text.strip("/").split("/"))


LOBBY_ORIGIN = "lobby"
"""What a filter calls the games that people play outside studies."""
_parse_address = cache(Address.parse)


@dataclass(frozen=True, slots=True)
class ResultFilter:
    """A selection of results: parts of games, players by address, kinds of players. An empty field selects all."""

    registry: Registry
    game_parts: Sequence[GamePart] = ()
    addresses: Sequence[Address] = ()
    player_kinds: frozenset[str] = frozenset()
    """Of "person", "model", "program" (`Registry.player_kind`)."""
    study: str | None = None
    """NAME or NAME@VERSION of a study, "lobby" for what people played outside studies; episodes without people stay."""

    def has_player(self, player: str) -> bool:
        """Return whether a player's address is selected."""
        return not self.addresses or any(address.covers_address(_parse_address(player)) for address in self.addresses)

    def has_player_kind(self, player: str, game: str) -> bool:
        """Return whether a player is of a selected kind."""
        return not self.player_kinds or self.registry.player_kind(player, game) in self.player_kinds

    def has_game_part(self, condition: PlayedCondition) -> bool:
        """Return whether an episode or condition is of a selected part of a game."""
        condition_path = (condition.game, condition.variant, condition.experiment)
        return self._has_study(condition) and (
            not self.game_parts or any(condition_path[: len(game_part)] == game_part for game_part in self.game_parts)
        )

    def _has_study(self, condition: PlayedCondition) -> bool:
        if self.study is None or not any(map(is_person, condition.seats.values())):
            return True
        return self.study in (
            (condition.study, condition.study.partition("@")[0]) if condition.study else (LOBBY_ORIGIN,)
        )

    def matches(self, condition: PlayedCondition) -> bool:
        """Return whether an episode or condition is of a selected part, with a selected player and kind in it."""
        return (
            self.has_game_part(condition)
            and any(map(self.has_player, condition.seats.values()))
            and any(self.has_player_kind(player, condition.game) for player in condition.seats.values())
        )

    def filter_ratings(self, rating_tables: Iterable[RatingTable]) -> list[RatingTable]:
        """Return rating tables with the selected players only, rated by all their games; no table without any."""
        if not (self.addresses or self.player_kinds):
            return list(rating_tables)
        filtered_ratings = []
        for rating_table in rating_tables:
            shown_ratings = [
                rating
                for rating in rating_table.players
                if self.has_player(rating.player) and self.has_player_kind(rating.player, rating_table.game)
            ]
            if shown_ratings:
                filtered_ratings.append(replace(rating_table, players=shown_ratings))
        return filtered_ratings


def list_players(conditions: Iterable[PlayedCondition]) -> list[str]:
    """Return the addresses of all players, sorted."""
    return sorted({player for condition in conditions for player in condition.seats.values()})


def format_seats(seats: Mapping[str, str]) -> str:
    """Return a seating as the command line takes it: "all=scripted", "A=scripted B=random"."""
    players = set(seats.values())
    if len(players) == 1:
        return f"all={players.pop()}"
    return " ".join(f"{seat}={player}" for seat, player in seats.items())


def make_matcher(player_name: str) -> Callable[[str], bool]:
    """Return a function that tells whether an address is of the player named; a name without parameters has any."""
    address = Address.parse(player_name)
    return lambda player: address.covers_address(_parse_address(player))


def make_player_matchers(
    registry: Registry, first_player: str, second_player: str, players: Sequence[str]
) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Return functions that tell whether an address is of the first or of the second player of a comparison.

    Raises LookupError if a name matches none of the `players` with an episode, or if both names match the same one.
    """
    matchers = (make_matcher(registry.resolve(first_player)), make_matcher(registry.resolve(second_player)))
    for player_name, matches_player in zip((first_player, second_player), matchers, strict=True):
        if not any(map(matches_player, players)):
            raise LookupError(
                f"no episode with {player_name!r}; the players there are: {', '.join(players) or 'none yet'}"
            )
    for player in players:
        if matchers[0](player) and matchers[1](player):
            raise LookupError(
                f"{player} is meant by {first_player!r} and by {second_player!r}: name two different players"
            )
    return matchers


# ---------------------------------------------------------------------- what games add
# Each function takes the names of games and skips those that are not installed. Without names, it loads all games.
def find_sides_by_game(registry: Registry, game_names: Iterable[str] | None = None) -> dict[str, Sequence[str]]:
    """Return the sides of each adversarial game."""
    return {game_name: game.sides for game_name, game in _load_games(registry, game_names).items() if game.adversarial}


def find_games_without_clemscore(registry: Registry, game_names: Iterable[str] | None = None) -> set[str]:
    """Return the games that do not enter the clemscore."""
    return {name for name, game in _load_games(registry, game_names).items() if game.adversarial or not game.clemscore}


def find_summaries_by_game(registry: Registry, game_names: Iterable[str] | None = None) -> dict[str, Summary]:
    """Return the summary function of each game that has one."""
    return {
        game_name: game.summarise
        for game_name, game in _load_games(registry, game_names).items()
        if type(game).summarise is not Game.summarise
    }


def _load_games(registry: Registry, game_names: Iterable[str] | None) -> dict[str, Game]:
    return {n: registry.game(n) for n in (registry.names if game_names is None else game_names) if registry.has(n)}


# ---------------------------------------------------------------------- variants as a whole
@dataclass(frozen=True, slots=True)
class VariantRow:
    """The row of all experiments of a variant under equal conditions, with equal weight for each episode."""

    total_row: ResultRow
    experiments: Sequence[str]
    """The experiments with a played or planned episode; players may have met different ones."""
    condition_ids: Sequence[str]
    """The conditions it is pooled from."""

    @property
    def condition(self) -> Condition:
        """The condition of all, without an experiment."""
        return self.total_row.condition

    def as_json(self) -> Json:
        """Return the row as the page shows it."""
        pooled_fields = {"experiment": None, "experiments": self.experiments, "of": self.condition_ids}
        return self.total_row.as_json() | pooled_fields


class VariantRows:
    """Makes the rows of whole variants, and keeps them until a row that they are made of is replaced."""

    def __init__(self) -> None:
        self._pooled_conditions: dict[str, Condition] = {}
        self._row_cache: dict[tuple[str, bool], tuple[list[ResultRow], list[VariantRow]]] = {}

    def make_rows(
        self,
        experiment_rows: Sequence[ResultRow],
        find_episodes: Callable[[str], Iterable[EpisodeResult]],
        *,
        sides: Mapping[str, Sequence[str]],
        summaries: Mapping[str, Summary],
        include_informed_players: bool = False,
    ) -> list[VariantRow]:
        """Return the rows of variants, given those of experiments and a function from a condition id to episodes."""
        rows_by_condition: dict[str, list[ResultRow]] = {}
        for experiment_row in experiment_rows:
            condition = experiment_row.condition
            if condition.id not in self._pooled_conditions:
                self._pooled_conditions[condition.id] = replace(condition, experiment="")
            rows_by_condition.setdefault(self._pooled_conditions[condition.id].id, []).append(experiment_row)
        variant_rows: list[VariantRow] = []
        for pooled_id, row_parts in rows_by_condition.items():
            cached_rows, pooled_rows = self._row_cache.get((pooled_id, include_informed_players), ([], []))
            if [id(row) for row in cached_rows] != [id(experiment_row) for experiment_row in row_parts]:
                pooled_rows = self._pool_experiments(
                    row_parts, find_episodes, sides, summaries, include_informed_players
                )
                self._row_cache[pooled_id, include_informed_players] = row_parts, pooled_rows
            variant_rows += pooled_rows
        return variant_rows

    def _pool_experiments(
        self,
        experiment_rows: Sequence[ResultRow],
        find_episodes: Callable[[str], Iterable[EpisodeResult]],
        sides: Mapping[str, Sequence[str]],
        summaries: Mapping[str, Summary],
        include_informed_players: bool,
    ) -> list[VariantRow]:
        missing_count_by_condition = {
            experiment_row.condition.id: experiment_row.missing_count for experiment_row in experiment_rows
        }
        pooled_condition = self._pooled_conditions[experiment_rows[0].condition.id]
        results = [
            copy(result) for condition_id in missing_count_by_condition for result in find_episodes(condition_id)
        ]
        for result in results:
            result.condition = pooled_condition
        missing_count = sum(missing_count_by_condition.values())
        pooled_rows = make_result_rows(
            results,
            sides=sides,
            summaries=summaries,
            include_informed_players=include_informed_players,
            missing_episodes_by_condition={pooled_condition.id: MissingEpisodes(pooled_condition, missing_count)}
            if missing_count
            else {},
        )
        experiments = sorted({experiment_row.condition.experiment for experiment_row in experiment_rows})
        return [
            VariantRow(experiment_row, experiments, list(missing_count_by_condition)) for experiment_row in pooled_rows
        ]


# ---------------------------------------------------------------------- published rows
@dataclass(frozen=True, slots=True)
class PublishedGroup:
    """All published numbers of a model under one condition. Game, variant and experiment are None for several."""

    game: str | None
    variant: str | None
    experiment: str | None
    condition: str
    model: str
    source: str
    says: str
    numbers: dict[str, float]


def select_published_rows(
    published_rows: Sequence[PublishedRow], game_parts: Sequence[GamePart], own_rows: Sequence[ResultRow]
) -> list[PublishedRow]:
    """Return the published rows to show with the selected parts of games, or with the given rows if none is selected.

    Published rows over several variants or games used pictures: they are shown with variants that show pictures, and
    those over games with the games of the same table.
    """
    parts: Sequence[GamePart] = game_parts or sorted({(row.condition.game, row.condition.variant) for row in own_rows})
    games_by_table: dict[tuple[str, int], set[str]] = {}
    for published_row in published_rows:
        games_by_table.setdefault((published_row.paper, published_row.table), set()).add(published_row.game or "")
    return [
        published_row
        for published_row in published_rows
        if not parts
        or any(
            _is_row_in_part(published_row, game_part)
            for game_part in parts
            if published_row.game or game_part[0] in games_by_table[published_row.paper, published_row.table]
        )
    ]


def _is_row_in_part(published_row: PublishedRow, game_part: GamePart) -> bool:
    game, variant, experiment = game_part[0], *(*game_part[1:], None, None)[:2]
    if variant and published_row.variant is None and (split_variant(game, variant)[1] != "picture" or experiment):
        return False
    return (
        published_row.game in (None, game)
        and (published_row.variant is None or variant in (None, published_row.variant))
        and (published_row.experiment is None or experiment in (None, published_row.experiment))
    )


def group_published_rows(published_rows: Sequence[PublishedRow]) -> list[PublishedGroup]:
    """Return published rows grouped as our rows are: all numbers of a model together. Reprints are left out."""
    group_by_key: dict[tuple[str | None, ...], PublishedGroup] = {}
    printed_keys: set[tuple[str | None, ...]] = set()
    for row in published_rows:
        group_key = (row.game, row.variant, row.experiment, row.condition, row.model)
        if (*group_key, row.number) in printed_keys:
            continue
        printed_keys.add((*group_key, row.number))
        group = group_by_key.setdefault(
            (*group_key, row.citation),
            PublishedGroup(row.game, row.variant, row.experiment, row.condition, row.model, row.citation, row.says, {}),
        )
        group.numbers[row.number] = row.value
    return list(group_by_key.values())


# ---------------------------------------------------------------------- all of it
@dataclass(frozen=True, slots=True)
class Leaderboard:
    """What a table of results shows. `published_rows` is None if published rows are not wanted."""

    rows: Sequence[ResultRow]
    clemscores: Sequence[ClemscoreRow]
    ratings: Sequence[RatingTable]
    published_rows: Sequence[PublishedRow] | None

    def as_json(self) -> Json:
        """Return everything as `ludens results --format json` prints it."""
        board_json: Json = {
            "rows": [row.as_json() for row in self.rows],
            "clemscores": [row.as_json() for row in self.clemscores],
            "ratings": [asdict(rating_table) for rating_table in self.ratings],
        }
        if self.published_rows is not None:
            board_json["published"] = [row.as_json() for row in self.published_rows]
        return board_json

    def as_csv(self, *, raw_cells: bool = False) -> str:
        """Return rows, and below them published groups, as CSV; published ones are told apart by further columns.

        Seats are written by `format_seats`, settings and summaries as JSON. No cell is a formula, unless `raw_cells`.
        """
        csv_file = io.StringIO()
        empty_condition = Condition("", "", "", {}, {})
        shown_rows = self.rows or make_result_rows(
            (), missing_episodes_by_condition={empty_condition.id: MissingEpisodes(empty_condition, 0)}
        )
        column_names = list_columns([row.as_json() for row in shown_rows])
        published_mark = {} if self.published_rows is None else {"published": 0}
        column_names += [] if self.published_rows is None else ["published", "condition", "source"]
        csv_writer = csv.DictWriter(csv_file, column_names, lineterminator="\n")
        csv_writer.writeheader()
        for row in self.rows:
            condition = row.condition
            cells = row.as_json() | {"seats": format_seats(condition.seats), "settings": json.dumps(condition.settings)}
            cells["own"] = json.dumps(row.summary) if row.summary else None
            cells |= {name: json.dumps(cells[name]) for name in OBJECT_COLUMNS if name in cells}
            csv_writer.writerow(escape_formulas(cells | published_mark, is_raw=raw_cells))
        for group in group_published_rows(self.published_rows or ()):
            csv_writer.writerow(escape_formulas(_make_published_cells(group), is_raw=raw_cells))
        return csv_file.getvalue()


def list_columns(json_rows: Sequence[Json]) -> list[str]:
    """Return the names of all columns that any row has: rows with people or models have more than others."""
    longest_row = max(json_rows, key=len)
    return list(dict.fromkeys([*longest_row, *(column_name for json_row in json_rows for column_name in json_row)]))


def _make_published_cells(group: PublishedGroup) -> Json:
    other_numbers = {name: number_value for name, number_value in group.numbers.items() if name not in NUMBER_COLUMNS}
    return {
        "game": group.game,
        "variant": group.variant,
        "experiment": group.experiment,
        "condition": group.condition,
        "source": group.source,
        **{name: group.numbers.get(name) for name in NUMBER_COLUMNS},
        "seats": group.model,
        "published": 1,
        "own": json.dumps(other_numbers) if other_numbers else None,
    }
