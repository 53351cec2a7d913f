"""`ludens results`: results as a table for people or rows for programs, with published numbers on request."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
from cli.tables import TextTable, build_html_page, print_tables

if TYPE_CHECKING:
    from engine.core.condition import Condition
    from engine.core.events import Json
    from engine.results.clemscore import ClemscoreRow
    from engine.results.index import Results
    from engine.results.leaderboard import Leaderboard, PublishedGroup, ResultFilter
    from engine.results.rating import RatingTable, SideRecord
    from engine.results.statistics import Estimate
    from engine.results.table import ResultRow

OUTPUT_FORMATS = ("table", "csv", "json", "html")
NUMERIC_COLUMNS = frozenset(("n", "people", "% played", "quality", "score_all", "rating", "won"))


def results(
    selection: SelectionArgument = None,
    format: Annotated[str, typer.Option("--format", help="table, csv, json or html")] = "table",
    player: PlayersOption = None,
    people: PeopleOption = False,
    models: ModelsOption = False,
    published: Annotated[
        bool, typer.Option("--published", help="Also show published numbers, marked, and not part of any average.")
    ] = False,
    informed: InformedOption = False,
    study: StudyOption = None,
    pool_studies: PoolStudiesOption = False,
    cost: Annotated[
        bool, typer.Option("--cost", help="Show what each model has used and cost, stalled episodes included.")
    ] = False,
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Show results, with 95 % intervals.

    n counts episodes with an outcome. Excluded from all averages, and counted separately, are episodes that are stalled
    by a fault (faults), still open, planned but not begun (missing), not scorable by their game (unscored), abandoned,
    played by more than one player at a seat (mixed), played by one browser at two seats (both_seats), practice, or
    played by people who chose their experiment (informed). quality is the mean main score of played episodes; score_all
    counts aborted ones as 0. In rows with people, both are means over instances of means over people; each version of a
    study has rows of its own. Games with sides also have ratings, in which 400 points mean odds of ten to one.
    """
    from cli.log_access import build_filter, build_registry, check_players, open_store, read_results
    from cli.settings import load_settings
    from engine.results.leaderboard import list_players

    check_format(format, OUTPUT_FORMATS)
    settings = load_settings(db=db)
    registry = build_registry(settings)
    result_filter = build_filter(registry, selection, player, people=people, selects_models=models, study=study)
    with open_store(settings.db) as store:
        all_results = read_results(store, registry, selection)
        check_players(result_filter, all_results)
        if cost:
            from cli.cost import show_cost

            show_cost(store, all_results.list_episodes(result_filter.matches), result_filter, format)
            return
    leaderboard = _build_leaderboard(
        all_results, result_filter, include_informed_players=informed, shows_published=published, is_pooled=pool_studies
    )
    if format == "json":
        print_json(leaderboard.as_json())
    elif format == "csv":
        print_data(leaderboard.as_csv(raw_cells=raw_cells).rstrip("\n"))
    elif format == "html":
        print_data(build_html_page(_build_tables(leaderboard, has_settings=True), "Ludens results"))
    elif leaderboard.rows or leaderboard.published_rows:
        _print_board(leaderboard, is_pooled=pool_studies)
    elif part_episodes := all_results.list_episodes(result_filter.has_game_part):
        print_message(f"No episode with such a player; there are: {', '.join(list_players(part_episodes))}")
    else:
        selection_text = f" of {', '.join(selection)}" if selection else ""
        print_message(f"No episodes{selection_text} yet. `ludens run` plays some.")


def _build_tables(leaderboard: Leaderboard, *, has_settings: bool = False) -> list[TextTable]:
    return [_build_board_table(leaderboard, has_settings=has_settings), *map(build_rating_table, leaderboard.ratings)]


def _print_board(leaderboard: Leaderboard, *, is_pooled: bool) -> None:
    """Print the tables, and what a reader must know about their numbers."""
    print_tables(_build_tables(leaderboard))
    print_message(
        "n: episodes with an outcome. [low, high]: 95 % interval. score_all: quality with aborted games as 0."
    )
    if any(result_row.condition.people for result_row in leaderboard.rows):
        print_message(
            "Rows with people: means over instances of means over people; the interval allows for both, and "
            "needs 8 of each."
        )
    for warning in _list_usage_warnings(leaderboard):
        print_message(f"WARNING: {warning}.")
    if is_pooled:
        print_message("Studies are pooled: a row names those that it counts together, joined by +.")


def _list_usage_warnings(leaderboard: Leaderboard) -> list[str]:
    """Return what readers must know about the replies of models, once for each model."""
    from engine.core.usage import UsageByPlayer, add_usages, list_warnings

    usages: UsageByPlayer = {}
    for usage in {row.condition.id: row.usage for row in leaderboard.rows}.values():  # sides have rows of their own
        add_usages(usages, usage)
    return [warning for player, usage in sorted(usages.items()) for warning in list_warnings(player, usage)]


def _build_leaderboard(
    results: Results,
    result_filter: ResultFilter,
    *,
    include_informed_players: bool,
    shows_published: bool,
    is_pooled: bool,
) -> Leaderboard:
    """Return the selected rows, clemscores and ratings, with published rows if asked for."""
    from engine.results.clemscore import compute_clemscores
    from engine.results.leaderboard import Leaderboard, find_games_without_clemscore, select_published_rows
    from engine.results.pooling import pool_studies
    from engine.results.published import read_published_rows
    from engine.results.rating import make_rating_tables
    from engine.results.table import make_result_rows

    registry = result_filter.registry
    games = {condition.game for condition in results.conditions}
    part_episodes = results.list_episodes(result_filter.has_game_part)
    episodes = results.list_episodes(result_filter.matches)
    if is_pooled:
        missing_groups = {
            condition_id: missing_group
            for condition_id, missing_group in results.missing_episodes_by_condition.items()
            if result_filter.matches(missing_group.condition)
        }
        board_rows = make_result_rows(
            pool_studies(episodes), sides=results.sides_by_game, summaries=results.summary_by_game,
            include_informed_players=include_informed_players, missing_episodes_by_condition=missing_groups,
        )  # fmt: skip
    else:
        board_rows = results.list_rows(result_filter.matches, include_informed_players=include_informed_players)
    return Leaderboard(
        board_rows,
        compute_clemscores(
            episodes,
            omitted_games=find_games_without_clemscore(registry, games),
            include_informed_players=include_informed_players,
        ),
        result_filter.filter_ratings(
            make_rating_tables(part_episodes, results.sides_by_game, include_informed_players=include_informed_players)
        ),
        select_published_rows(read_published_rows(registry), result_filter.game_parts, board_rows)
        if shows_published
        else None,
    )


# ---------------------------------------------------------------------- tables
def _build_board_table(leaderboard: Leaderboard, *, has_settings: bool) -> TextTable:
    """Return rows and clemscores as one table; published rows stand below ours of the same experiment."""
    from engine.core.usage import describe_finishes, describe_models, describe_request_fields
    from engine.results.leaderboard import NUMBER_COLUMNS, group_published_rows

    result_rows, groups = leaderboard.rows, group_published_rows(leaderboard.published_rows or ())
    play_descriptions = {
        json.dumps([row.condition.settings, row.condition.reprompt, row.condition.rules_for_models])
        for row in result_rows
    }
    has_settings = has_settings or len(play_descriptions) > 1
    has_people = any(row.condition.people for row in result_rows)
    column_groups = [
        group for group in groups if group.game and any(column_name in group.numbers for column_name in NUMBER_COLUMNS)
    ]
    other_groups = [group for group in groups if group not in column_groups]
    describer_by_column = {"sent": describe_request_fields, "finish": describe_finishes}
    usage_headings = [
        column_heading
        for column_heading, describe_usage in describer_by_column.items()
        if any(describe_models(row.usage, describe_usage) for row in result_rows)
    ]
    table_lines = [
        (
            _make_condition_path(row.condition),
            0,
            [
                *_format_row_cells(row, has_settings, has_people),
                *(describe_models(row.usage, describer_by_column[column_heading]) for column_heading in usage_headings),
            ],
        )
        for row in result_rows
    ]
    table_lines += [
        (
            _make_condition_path(group),
            1,
            [*_format_published_cells(group, has_settings, has_people), *[""] * len(usage_headings)],
        )
        for group in column_groups
    ]
    table_lines.sort(key=lambda table_line: table_line[:2])
    source_notes = dict.fromkeys(f"† {group.source}: {group.says}." for group in groups)
    clemscore_lines = map(_describe_clemscore, leaderboard.clemscores)
    notes = [*_summarise_rows(result_rows), *clemscore_lines, *map(_describe_published, other_groups), *source_notes]
    column_headings = [
        *("game", "experiment", "seats"),
        *(["settings"] if has_settings else []),
        *(["n", "people"] if has_people else ["n"]),
        *("% played", "quality", "score_all", "left out"),
        *usage_headings,
    ]
    marked_row_indices = frozenset(line_index for line_index, table_line in enumerate(table_lines) if table_line[1])
    return TextTable(
        column_headings,
        [table_line[2] for table_line in table_lines],
        notes,
        numeric_headings=NUMERIC_COLUMNS,
        marked_row_indices=marked_row_indices,
    )


def _make_condition_path(condition_or_group: Condition | PublishedGroup) -> tuple[str, str, str]:
    return condition_or_group.game or "", condition_or_group.variant or "", condition_or_group.experiment or ""


def _format_people_count(row: ResultRow) -> str:
    return "" if row.participants is None else str(row.participants) if row.participants or not row.n else "unknown"


def _format_row_cells(result_row: ResultRow, has_settings: bool, has_people: bool) -> list[str]:
    from engine.results.leaderboard import format_seats

    condition = result_row.condition
    exclusion_text = ", ".join(
        f"{left_out_count} {reason}"
        for reason, left_out_count in (
            *result_row.excluded_count_by_reason.items(),
            ("missing", result_row.missing_count),
        )
        if left_out_count
    )
    label_cells = [
        f"{condition.game}/{condition.variant}",
        condition.experiment,
        " ".join(
            [
                format_seats(condition.seats),
                *([f"({result_row.side})"] if result_row.side else []),
                *([f"[study {condition.study}]"] if condition.study else []),
            ]
        ),
    ]
    reprompt_setting = {"reprompt": condition.reprompt} if condition.reprompt else {}
    settings_cell = format_settings({**condition.settings, **reprompt_setting, **condition.rules_for_models})
    played_text = _format_interval(result_row.played) + (" by form" if condition.people else "")
    people_count = [] if not has_people else [_format_people_count(result_row)]
    number_cells = [
        str(result_row.n),
        *people_count,
        played_text,
        _format_interval(result_row.quality),
        _format_number(result_row.score_all.value),
        exclusion_text,
    ]
    return [*label_cells, *([settings_cell] if has_settings else []), *number_cells]


def format_settings(settings: Json) -> str:
    return " ".join(f"{setting_name}={setting_value}" for setting_name, setting_value in settings.items())


def _format_published_cells(published_group: PublishedGroup, has_settings: bool, has_people: bool) -> list[str]:
    from engine.results.leaderboard import NUMBER_COLUMNS

    label_cells = [_name_variant(published_group), published_group.experiment or "all", f"† {published_group.model}"]
    number_cells = [_format_number(published_group.numbers.get(column_name)) for column_name in NUMBER_COLUMNS]
    return [
        *label_cells,
        *([""] if has_settings else []),
        *["", ""][: 1 + has_people],
        *number_cells,
        f"published, {_name_table(published_group)}",
    ]


def _name_variant(published_group: PublishedGroup) -> str:
    return f"{published_group.game}/{published_group.variant}" if published_group.variant else str(published_group.game)


def _name_table(published_group: PublishedGroup) -> str:
    return published_group.source.rpartition(", ")[2]


def _describe_published(published_group: PublishedGroup) -> str:
    numbers_text = ", ".join(f"{column_name} {number:g}" for column_name, number in published_group.numbers.items())
    variant = _name_variant(published_group) if published_group.game else "pictures"
    return (
        f"† {variant}, {published_group.model}, {published_group.condition}: {numbers_text} (published, "
        f"{_name_table(published_group)})"
    )


def _format_number(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"


def _format_interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.0f}, {estimate.high:.0f}]"


def _describe_clemscore(clemscore_row: ClemscoreRow) -> str:
    total_score = clemscore_row.total
    games_text = ", ".join(f"{game} (n = {game_count})" for game, game_count in clemscore_row.episode_counts.items())
    notes = [f"reprompt {clemscore_row.reprompt}"] if clemscore_row.reprompt else []
    if total_score.unplayed:
        notes.append(f"{', '.join(total_score.unplayed)}: none played, 0 in % played, not in quality")
    if clemscore_row.mixed_settings:
        notes.append(f"{', '.join(clemscore_row.mixed_settings)}: episodes of different settings together")
    return (
        f"{clemscore_row.players}, {clemscore_row.modality}: clemscore {total_score.clemscore:.2f} = "
        f"{total_score.played:.2f} % played"
        f" × quality {_format_number(total_score.quality)}, over {games_text}"
        + "".join(f"; {score_note}" for score_note in notes)
    )


def _summarise_rows(result_rows: Sequence[ResultRow]) -> list[str]:
    """Return the summaries of games, one line per row."""
    from engine.results.leaderboard import format_seats

    return [
        f"{'/'.join(_make_condition_path(result_row.condition))}, {format_seats(result_row.condition.seats)}: "
        + ", ".join(f"{score_name} {_format_number(number)}" for score_name, number in result_row.summary.items())
        for result_row in result_rows
        if result_row.summary
    ]


# ---------------------------------------------------------------------- games of sides
def build_rating_table(rating_table: RatingTable) -> TextTable:
    """Return the players of a game of sides: rating, games, and how often each won on each side."""
    sides = [side.side for side in rating_table.sides]
    table_lines = []
    for rating in rating_table.players:
        points_text = "–" if rating.rating is None else f"{rating.rating:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}]"
        record_texts = [_format_record(rating.won.get(side)) for side in sides]
        table_lines.append([rating.player, points_text, str(rating.n), str(rating.wins), *record_texts])
    strengths = ", ".join(
        f"{side.side} {side.strength:+.0f} [{side.low:+.0f}, {side.high:+.0f}]" for side in rating_table.sides
    )
    notes = [f"Sides, in points: {strengths}."] if strengths else []
    if not rating_table.connected:
        notes.append("Some players never met, not even through others: their ratings cannot be compared.")
    if rating_table.left_out:
        notes.append(
            "Left out: "
            + ", ".join(f"{left_out_count} {reason}" for reason, left_out_count in rating_table.left_out.items())
            + "."
        )
    settings_note = f" ({format_settings(rating_table.settings)})" if rating_table.settings else ""
    title = f"{rating_table.game}/{rating_table.variant}, {rating_table.n} episodes decided{settings_note}"
    return TextTable(
        ["player", "rating", "n", "won", *(f"as {side}" for side in sides)], table_lines, notes, title, NUMERIC_COLUMNS
    )


def _format_record(side_record: SideRecord | None) -> str:
    if side_record is None:
        return "–"
    return (
        f"{side_record.wins}/{side_record.n}, {side_record.rate:.0f} % [{side_record.rate_low:.0f}, "
        f"{side_record.rate_high:.0f}]"
    )
