"""`ludens results --cost`: what each model has used and cost, from the events of the selected episodes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cli.output import format_usd, print_data, print_json, print_message
from cli.tables import TextTable, html_page, print_tables

if TYPE_CHECKING:
    from engine.core.events import Json
    from engine.core.usage import PlayerUsage
    from engine.results.leaderboard import ResultFilter
    from engine.storage.episode_result import EpisodeResult
    from engine.storage.store import Store

COLUMN_HEADS = {
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


def show_cost(store: Store, results: Iterable[EpisodeResult], result_filter: ResultFilter, format: str) -> None:
    """Print a row per model, with a total for people."""
    rows = _cost_rows(store, results, result_filter)
    if format == "json":
        print_json(rows)
        return
    if format == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(COLUMN_HEADS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        print_data(text.getvalue().rstrip("\n"))
        return
    if not rows:
        print_message("No model has used anything in these episodes.")
        return
    lines = [[_cost_cell(name, row[name]) for name in COLUMN_HEADS] for row in rows]
    total_cost = format_usd(sum(row["cost"] for row in rows), places=4)
    notes = [f"Together {total_cost}, as far as prices are known. Replies from the cache cost nothing."]
    table = TextTable(list(COLUMN_HEADS.values()), lines, notes, numeric=frozenset(COLUMN_HEADS.values()) - {"player"})
    if format == "html":
        print_data(html_page([table], "What models cost"))
    else:
        print_tables([table])


def _cost_rows(store: Store, results: Iterable[EpisodeResult], result_filter: ResultFilter) -> list[Json]:
    from engine.core.usage import UsageByPlayer, add_usages

    usages: UsageByPlayer = {}
    episode_counts: dict[str, int] = {}
    for episode_usages in store.usages([result.episode for result in results]).values():
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
        **{name: usage.tokens[name] for name in TOKEN_COUNTS},
        "seconds_waited": round(sum(usage.wait_seconds.values()), 1),
        "cost": round(usage.cost, 6),
    }


def _cost_cell(name: str, value: object) -> str:
    if isinstance(value, float):
        return format_usd(value, sign="", places=4) if name == "cost" else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
