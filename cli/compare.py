"""`ludens compare`: two players on the same instances, in pairs, with the episodes that are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import DbOption, PoolStudiesOption, SelectionArgument, StudyOption, check_format
from cli.output import UsageError, print_json, print_message
from cli.tables import TextTable, print_tables

if TYPE_CHECKING:
    from engine.results.comparison import Comparison, ComparisonRow, Difference

OUTPUT_FORMATS = ("table", "json")
COLUMN_HEADINGS = ("game", "experiment", "score", "pairs", "first", "second", "difference", "p", "better/equal/worse")
PEOPLE_COLUMNS_INDEX = COLUMN_HEADINGS.index("pairs") + 1
"""After these headings those of people are inserted."""
NUMERIC_COLUMNS = frozenset(("pairs", "people", "games", "first", "second", "difference", "p"))


def compare_players(
    first: Annotated[
        str, typer.Argument(help="A player, such as person, openai/MODEL or scripted, with or without parameters.")
    ],
    second: Annotated[str, typer.Argument(help="The player to compare it with.")],
    selection: SelectionArgument = None,
    format: Annotated[str, typer.Option("--format", help="table or json")] = "table",
    study: StudyOption = None,
    pool_studies: PoolStudiesOption = False,
    db: DbOption = None,
) -> None:
    """Compare two players on the same instances.

    Either can be `person`. The episodes of a pair have the same instance, settings, seats and partners. The difference
    is first minus second, in points, with a 95 % bootstrap interval over pairs and the p-value of an exact sign-flip
    test. With people, the interval allows for differences between people and between instances, and needs 8 of each.
    Only the first game of a person on an instance counts. People of several studies, or of a study and the lobby, are
    compared only with --study or --pool-studies. Informed, mixed, practice, both-seats and watched
    episodes are left out and counted.
    """
    from cli.log_access import build_filter, build_registry, open_store, read_results
    from cli.settings import load_settings
    from engine.results import comparison
    from engine.results.leaderboard import LOBBY_ORIGIN, list_players, make_player_matchers
    from engine.results.pooling import list_studies
    from engine.storage.seat_links import count_repeat_exposures

    check_format(format, OUTPUT_FORMATS)
    settings = load_settings(db=db)
    registry = build_registry(settings)
    result_filter = build_filter(registry, selection, study=study)
    with open_store(settings.db) as store:
        episode_results = read_results(store, registry, selection).list_episodes(result_filter.matches)
        watched_episodes, repeated_episode_ids = store.list_watched(), count_repeat_exposures(store)
    repeated_episode_ids |= {episode_result.episode for episode_result in episode_results if episode_result.seen_before}
    addresses = list_players(episode_results)
    try:
        matchers = make_player_matchers(registry, first, second, addresses)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from None
    studies = list_studies(
        episode_result
        for episode_result in episode_results
        if any(is_player(player) for is_player in matchers for player in episode_result.seats.values())
    )
    if len(studies) > 1 and not pool_studies:
        raise UsageError(
            f"people played under different instructions, in {', '.join(studies)}: choose with --study, or count them"
            " together with --pool-studies"
        )
    comparison_result = comparison.compare_players(
        episode_results,
        matchers[0],
        matchers[1],
        watched_episodes=watched_episodes,
        repeated_episode_ids=repeated_episode_ids,
    )
    players = {
        player_position: {"player": registry.resolve(address), "seated": list(filter(is_player, addresses))}
        for player_position, address, is_player in zip(("first", "second"), (first, second), matchers, strict=True)
    }
    if format == "json":
        print_json(
            {
                **players,
                **({"studies": studies} if studies not in ([], [LOBBY_ORIGIN]) else {}),
                **comparison_result.as_json(),
            }
        )
        return
    print_tables([_build_comparison_table(comparison_result, players)])
    if len(studies) > 1:
        print_message(f"People are pooled: {', '.join(studies)}.")
    _print_notes(comparison_result)


def _print_notes(comparison_result: Comparison) -> None:
    """Print what a reader must know about the numbers."""
    if any(_has_people(table_row) for table_row in comparison_result.rows):
        print_message(
            "With people: the interval allows for differences between people and between instances; it needs 8 of each."
        )
    print_message(
        "p: two-sided, exact, for each row on its own. quality: pairs that both played to the end. "
        "score_all: aborted games count as 0."
    )


def _has_people(table_row: ComparisonRow) -> bool:
    return table_row.score_all.people is not None


def _build_comparison_table(comparison_result: Comparison, players: dict[str, dict[str, Any]]) -> TextTable:
    table_lines = []
    has_people = any(map(_has_people, comparison_result.rows))
    paired_rows = [row for row in comparison_result.rows if row.score_all.n]
    for row in paired_rows or comparison_result.rows[-1:]:
        row_labels = [f"{row.game}/{row.variant}", row.experiment or ""] if row.game else ["all", ""]
        if row.quality == row.score_all:
            table_lines.append([*row_labels, "both", *_format_difference_cells(row.score_all, has_people)])
        else:
            table_lines.append([*row_labels, "quality", *_format_difference_cells(row.quality, has_people)])
            table_lines.append([*row_labels, "score_all", *_format_difference_cells(row.score_all, has_people)])
    notes = [f"{player_position}: {', '.join(player['seated'])}" for player_position, player in players.items()]
    for player_position, left_out_counts in comparison_result.left_out.items():
        reasons_text = ", ".join(f"{count} {reason}" for reason, count in left_out_counts.items() if count)
        notes.append(f"left out of {player_position}: {reasons_text or 'nothing'}")
    if any(left_out_counts["conditions"] for left_out_counts in comparison_result.left_out.values()):
        notes.append(
            "conditions: the other played these instances with other settings, reminders, prompts, seats or partners"
        )
    notes += _describe_agreements(comparison_result.rows, players)
    column_headings = (
        [*COLUMN_HEADINGS[:PEOPLE_COLUMNS_INDEX], "people", "games", *COLUMN_HEADINGS[PEOPLE_COLUMNS_INDEX:]]
        if has_people
        else COLUMN_HEADINGS
    )
    return TextTable(column_headings, table_lines, notes, numeric_headings=NUMERIC_COLUMNS)


def _format_people_cells(difference: Difference) -> list[str]:
    if difference.people is None:
        return ["", ""]
    return [str(difference.people) if difference.people or not difference.games else "unknown", str(difference.games)]


def _format_difference_cells(difference: Difference, has_people: bool) -> list[str]:
    people_cells = _format_people_cells(difference) if has_people else []
    if not difference.n:
        return ["0", *people_cells, "–", "–", "–", "–", "–"]
    interval_text = "" if difference.low is None else f" [{difference.low:+.1f}, {difference.high:+.1f}]"
    return [
        str(difference.n),
        *people_cells,
        f"{difference.first:.2f}",
        f"{difference.second:.2f}",
        f"{difference.difference:+.2f}{interval_text}",
        "–" if difference.p is None else f"{difference.p:.3g}",
        f"{difference.better}/{difference.equal}/{difference.worse}",
    ]


def _describe_agreements(table_rows: Sequence[ComparisonRow], players: dict[str, dict[str, Any]]) -> list[str]:
    """Return how far each player agrees with itself (people: with each other) on instances played repeatedly."""
    agreement_lines = []
    for table_row in table_rows:
        for player_position, player in players.items():
            agreement = table_row.agreement[player_position]
            if agreement.same is not None:
                row_label = f"{table_row.game}/{table_row.variant}/{table_row.experiment}" if table_row.game else "all"
                alpha_text = "–" if agreement.alpha is None else f"{agreement.alpha:.2f}"
                agreement_lines.append(
                    f"agreement of {player['player']}, {row_label}: {agreement.instances} instances repeated, "
                    f"{agreement.episodes} episodes; {100 * agreement.same:.0f} % of pairs with the same score, "
                    f"{agreement.apart:.1f} points apart, Krippendorff's alpha {alpha_text}"
                )
    return agreement_lines
