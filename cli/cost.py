"""`ludens results --cost`: what each model has used and cost, from the events of the selected episodes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cli.output import format_usd, print_data, print_json, print_message
from cli.tables import TextTable, build_html_page, print_tables

if TYPE_CHECKING:
    from engine.core.events import Json
    from engine.core.usage import PlayerUsage
    from engine.results.leaderboard import ResultFilter
    from engine.storage.episode_result import EpisodeResult
    from engine.storage.store import Store

HEADING_BY_COLUMN = {
    "player": "player",
    "episodes": "episodes",
    "replies": "replies",
    "tokens_in": "tokens in",
    "tokens_cached": "of them cached",
    "tokens_cache_write": "written to a cache",
    "tokens_out": "tokens out",
    "tokens_reasoning": "of them reasoning",
    "seconds_waited": "seconds waited",
    "cost": "USD",
}
"""Columns: their names for programs, and for people."""


def show_cost(store: Store, results: Iterable[EpisodeResult], result_filter: ResultFilter, output_format: str) -> None:
    """Print a row per model, with a total for people."""
    cost_rows = _sum_costs(store, results, result_filter)
    if output_format == "json":
        print_json(cost_rows)
        return
    if output_format == "csv":
        csv_buffer = io.StringIO()
        csv_writer = csv.DictWriter(csv_buffer, list(HEADING_BY_COLUMN), lineterminator="\n")
        csv_writer.writeheader()
        csv_writer.writerows(cost_rows)
        print_data(csv_buffer.getvalue().rstrip("\n"))
        return
    if not cost_rows:
        print_message("No model has used anything in these episodes.")
        return
    lines = [
        [_format_cost_cell(column_name, cost_row[column_name]) for column_name in HEADING_BY_COLUMN]
        for cost_row in cost_rows
    ]
    total_cost = format_usd(sum(cost_row["cost"] for cost_row in cost_rows), decimals=4)
    notes = [f"Together {total_cost}, as far as prices are known. Replies from the cache cost nothing."]
    table = TextTable(
        list(HEADING_BY_COLUMN.values()),
        lines,
        notes,
        numeric_headings=frozenset(HEADING_BY_COLUMN.values()) - {"player"},
    )
    if output_format == "html":
        print_data(build_html_page([table], "What models cost"))
    else:
        print_tables([table])


def _sum_costs(store: Store, episode_results: Iterable[EpisodeResult], result_filter: ResultFilter) -> list[Json]:
    from engine.core.usage import UsageByPlayer, add_usages

    usages: UsageByPlayer = {}
    episode_counts: dict[str, int] = {}
    for episode_usages in store.read_usage([episode_result.episode for episode_result in episode_results]).values():
        add_usages(usages, episode_usages)
        for player in episode_usages:
            episode_counts[player] = episode_counts.get(player, 0) + 1
    return [
        {"player": player, "episodes": episode_counts[player], **_sum_usage(usage)}
        for player, usage in sorted(usages.items())
        if result_filter.has_player(player)
    ]


def _sum_usage(usage: PlayerUsage) -> Json:
    from engine.core.usage import TOKEN_COUNTS

    return {
        "replies": usage.replies,
        **{count_name: usage.tokens[count_name] for count_name in TOKEN_COUNTS},
        "seconds_waited": round(sum(usage.wait_seconds.values()), 1),
        "cost": round(usage.cost, 6),
    }


def _format_cost_cell(column_name: str, cell_value: object) -> str:
    if isinstance(cell_value, float):
        return format_usd(cell_value, currency_sign="", decimals=4) if column_name == "cost" else f"{cell_value:,.1f}"
    return f"{cell_value:,}" if isinstance(cell_value, int) else str(cell_value)
