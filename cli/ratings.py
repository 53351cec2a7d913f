"""`ludens ratings`: how able players and teams are in each game, as a table for people or rows for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import (
    DbOption,
    InformedOption,
    ModelsOption,
    PeopleOption,
    PlayersOption,
    PoolStudiesOption,
    RawCellsOption,
    SelectionArgument,
    StudyOption,
    check_format,
)
from cli.output import print_data, print_json, print_message
from cli.results import build_rating_table, format_settings
from cli.tables import TextTable, print_tables

if TYPE_CHECKING:
    from engine.results.ability import AbilityRating, AbilityTable, TeamRating
    from engine.results.index import Results
    from engine.results.leaderboard import ResultFilter
    from engine.results.rating_board import RatingBoard

OUTPUT_FORMATS = ("table", "csv", "json")
NUMERIC_COLUMNS = frozenset(("rating", "n", "score"))


def ratings(
    selection: SelectionArgument = None,
    format: Annotated[str, typer.Option("--format", help="table, csv or json")] = "table",
    player: PlayersOption = None,
    people: PeopleOption = False,
    models: ModelsOption = False,
    each_person: Annotated[
        bool, typer.Option("--each-person", help="Also rate people one by one, by participant key.")
    ] = False,
    informed: InformedOption = False,
    study: StudyOption = None,
    pool_studies: PoolStudiesOption = False,
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Show ratings of players and teams, with 95 % intervals.

    400 points are odds of ten to one; 0 is the mean of those that can be compared. There is no rating over several
    games. In cooperative games, the score of a team is explained by the abilities of its seats and the difficulty of
    the instance. Players (in each role) and teams are rated from 10 first exposures on. Ratings of different groups
    cannot be compared. `prior` marks abilities that the games do not separate from those of partners, as of a model
    that plays with itself alone: compare it as a team. score is a team's on an instance of mean difficulty. In games
    with sides, the ratings are those of Bradley and Terry, as in `ludens results`.
    """
    from cli.log_access import build_filter, build_registry, check_players, open_store, read_results
    from cli.settings import load_settings
    from engine.storage.seat_links import count_repeat_exposures

    check_format(format, OUTPUT_FORMATS)
    settings = load_settings(db=db)
    registry = build_registry(settings)
    result_filter = build_filter(registry, selection, player, people=people, selects_models=models, study=study)
    with open_store(settings.db) as store:
        results = read_results(store, registry, selection)
        check_players(result_filter, results)
        repeated_episode_ids = count_repeat_exposures(store)
    board = _build_rating_board(
        results, result_filter, repeated_episode_ids, informed, rates_each_person=each_person, is_pooled=pool_studies
    )
    if format == "json":
        print_json(board.as_json())
    elif format == "csv":
        print_data(board.as_csv(raw_cells=raw_cells).rstrip("\n"))
    elif not (board.ability_tables or board.rating_tables):
        print_message("No ratings: nobody selected has 10 first exposures of a game. `ludens run` plays some.")
    else:
        print_tables([*map(_build_ability_table, board.ability_tables), *map(build_rating_table, board.rating_tables)])
        print_message("n: first exposures, or games with others. [low, high]: 95 % interval.")


def _build_rating_board(
    results: Results,
    result_filter: ResultFilter,
    repeated_episode_ids: set[str],
    include_informed_players: bool,
    *,
    rates_each_person: bool,
    is_pooled: bool,
) -> RatingBoard:
    from engine.results.ability import make_ability_tables
    from engine.results.pooling import pool_people
    from engine.results.rating import make_rating_tables
    from engine.results.rating_board import RatingBoard, filter_abilities

    episodes = results.list_episodes(result_filter.has_game_part)
    abilities = make_ability_tables(
        pool_people(episodes) if is_pooled else episodes,
        results.sides_by_game,
        repeated_episode_ids=repeated_episode_ids,
        include_informed_players=include_informed_players,
        person_keys=None if rates_each_person else (),
    )
    return RatingBoard(
        filter_abilities(result_filter, abilities),
        result_filter.filter_ratings(
            make_rating_tables(episodes, results.sides_by_game, include_informed_players=include_informed_players)
        ),
    )


def _build_ability_table(ratings: AbilityTable) -> TextTable:
    """Return the teams of a cooperative game and the players in each role as one table."""
    from engine.results.leaderboard import format_seats

    table_lines = [
        ["team", _label_player(format_seats(team.seats), team.study), *_format_team_cells(team)]
        for team in ratings.teams
    ]
    table_lines += [
        [rating.role, _label_player(rating.player, rating.study, rating.person), *_format_player_cells(rating)]
        for rating in ratings.players
    ]
    notes = []
    if not ratings.connected:
        notes.append("Ratings of different groups cannot be compared: no games link them.")
    if any(rating.prior_only for rating in ratings.players):
        notes.append("prior: games determine only sums with the abilities of partners; compare teams instead.")
    if ratings.left_out:
        notes.append("Left out: " + ", ".join(f"{count} {reason}" for reason, count in ratings.left_out.items()) + ".")
    title = f"{ratings.game}/{ratings.variant}, {ratings.n} first exposures on {ratings.instances} instances"
    title += f" ({format_settings(ratings.settings)})" if ratings.settings else ""
    return TextTable(["role", "player", "rating", "score", "n", "group"], table_lines, notes, title, NUMERIC_COLUMNS)


def _label_player(player: str, study: str, person: str = "") -> str:
    return " ".join([player, *([person] if person else []), *([f"[study {study}]"] if study else [])])


def _format_team_cells(team: TeamRating) -> list[str]:
    score_text = f"{team.score:.0f} [{team.score_low:.0f}, {team.score_high:.0f}]"
    return [_format_points(team), score_text, str(team.n), str(team.group)]


def _format_player_cells(rating: AbilityRating) -> list[str]:
    return [
        _format_points(rating),
        "",
        str(rating.n),
        f"{rating.group}, prior" if rating.prior_only else str(rating.group),
    ]


def _format_points(rating: AbilityRating | TeamRating) -> str:
    if rating.rating is None:
        return "–"
    return f"{rating.rating:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"
