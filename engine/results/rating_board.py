"""All ratings of a selection, for `ludens ratings` and its download on the Results page: cooperative and adversarial.

There is no rating over several games: each table is of one game, variant and conditions of play.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace

from engine.core.condition import is_person
from engine.core.events import Json
from engine.core.spreadsheet import escape_formulas
from engine.results.ability import MIN_GAMES_FOR_RATING, AbilityRating, AbilityTable, TeamRating, make_ability_tables
from engine.results.leaderboard import ResultFilter, format_seats
from engine.results.rating import PlayerRating, RatingTable, make_rating_tables
from engine.storage.episode_result import EpisodeResult

TABLE_COLUMNS = ("game", "variant", "settings", "reprompt", "game_version", "prompts")
RATING_COLUMNS = ("kind", *dict.fromkeys(field.name for row in (AbilityRating, TeamRating) for field in fields(row)))


@dataclass(frozen=True, slots=True)
class RatingBoard:
    """The ratings of cooperative games, and those of games with sides."""

    ability_tables: Sequence[AbilityTable]
    rating_tables: Sequence[RatingTable]

    def as_json(self) -> Json:
        """Return everything as `ludens ratings --format json` prints it."""
        return {
            "cooperative": [asdict(table) for table in self.ability_tables],
            "adversarial": [asdict(table) for table in self.rating_tables],
        }

    def as_csv(self, *, raw_cells: bool = False) -> str:
        """Return a row per rating of a player (in a role, or in a game with sides) or of a team, as CSV.

        Seats are written by `format_seats`, settings as JSON. No cell is a formula, unless `raw_cells`.
        """
        csv_file = io.StringIO()
        csv_writer = csv.DictWriter(csv_file, [*TABLE_COLUMNS, *RATING_COLUMNS, "wins"], lineterminator="\n")
        csv_writer.writeheader()
        all_tables: list[AbilityTable | RatingTable] = [*self.ability_tables, *self.rating_tables]
        for table in all_tables:
            table_cells = {column_name: getattr(table, column_name) for column_name in TABLE_COLUMNS}
            table_cells |= {"settings": json.dumps(table.settings)}
            for rating_cells in _list_rating_rows(table):
                csv_writer.writerow(escape_formulas(table_cells | rating_cells, is_raw=raw_cells))
        return csv_file.getvalue()


def _list_rating_rows(table: AbilityTable | RatingTable) -> Iterator[Json]:
    for rating in table.players:
        if isinstance(rating, PlayerRating):
            field_names = ("player", "rating", "low", "high", "n", "wins")
            rating_cells = {field_name: getattr(rating, field_name) for field_name in field_names}
            yield {"kind": "player", "connected": table.connected, **rating_cells}
        else:
            yield {"kind": "person" if rating.person else "player", **asdict(rating)}
    if isinstance(table, AbilityTable):
        for team in table.teams:
            yield {"kind": "team", **asdict(team), "seats": format_seats(team.seats)}


def rate_person(
    results: Iterable[EpisodeResult],
    person_key: str,
    games_with_sides: Container[str],
    repeated_episode_ids: Collection[str],
) -> list[Json]:
    """Return the ratings of one person, named by the participant key, as JSON rows: per game, variant, and role.

    Games with `sides` are rated without roles: there the person is rated as a player of its own among all others.
    """
    results = list(results)
    field_names = ("role", "rating", "low", "high", "n", "connected", "prior_only")
    rating_rows = [
        _describe_table(table) | {name: getattr(rating, name) for name in field_names}
        for table in make_ability_tables(
            results, games_with_sides, repeated_episode_ids=repeated_episode_ids, person_keys=[person_key]
        )
        for rating in table.players
        if rating.person == person_key
    ]
    for sides_table in make_rating_tables([_name_person(result, person_key) for result in results], games_with_sides):
        for player_rating in sides_table.players:
            if player_rating.player == person_key and player_rating.n >= MIN_GAMES_FOR_RATING:
                rating_cells = {name: getattr(player_rating, name) for name in ("rating", "low", "high", "n")}
                rating_cells |= {"connected": sides_table.connected, "prior_only": False}
                rating_rows.append(_describe_table(sides_table) | {"role": ""} | rating_cells)
    return rating_rows


def _describe_table(table: AbilityTable | RatingTable) -> Json:
    return {"table": table.id, "game": table.game, "variant": table.variant}


def _name_person(result: EpisodeResult, person_key: str) -> EpisodeResult:
    """Return an episode with the participant key as the player, if this person alone sat there."""
    if result.participants != (person_key,) or result.condition.person_seats != 1:
        return result
    seats = {seat: person_key if is_person(player) else player for seat, player in result.seats.items()}
    return replace(result, condition=replace(result.condition, seats=seats))


def filter_abilities(result_filter: ResultFilter, tables: Sequence[AbilityTable]) -> list[AbilityTable]:
    """Return tables with the ratings of the selected players and of their teams; no table without any."""
    filtered_tables = []
    for table in tables:

        def is_selected(player: str, game: str = table.game) -> bool:
            return result_filter.has_player(player) and result_filter.has_player_kind(player, game)

        players = [rating for rating in table.players if is_selected(rating.player)]
        teams = [team for team in table.teams if any(map(is_selected, team.seats.values()))]
        if players or teams:
            filtered_tables.append(replace(table, players=players, teams=teams))
    return filtered_tables
