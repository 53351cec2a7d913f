"""The progress of a run: two changing lines in a terminal, otherwise a line from time to time; a summary at the end.

On a pipe the lines become rarer and rarer, so that a run of a whole night fills no log.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cli.output import format_usd, print_message
from engine.formats.transcript.printable import escape_text

if TYPE_CHECKING:
    from engine.play.executors.executor import Executor, Tally

REFRESH_SECONDS = 0.2
MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 5.0, 300.0
"""Seconds between two lines on a pipe, which are a twentieth of the time so far."""
ProgressCallback = Callable[["Tally", float, list[str]], None]
"""Takes the tally, the seconds so far, and a line per model that is being loaded."""


async def show_progress(executor: Executor, describe_loading_models: Callable[[], list[str]]) -> None:
    """Show the progress until cancelled; `loading` returns a line per model that is being loaded on this machine."""
    import asyncio  # late, for the other commands

    started_at = time.monotonic()
    with _show_progress_bar() if sys.stderr.isatty() else _print_progress_lines() as show_tally:
        try:
            while True:
                await asyncio.sleep(REFRESH_SECONDS)
                show_tally(executor.tally, time.monotonic() - started_at, describe_loading_models())
        finally:
            show_tally(executor.tally, time.monotonic() - started_at, [])


@contextmanager
def _print_progress_lines() -> Iterator[ProgressCallback]:
    next_print_at = MIN_PAUSE_SECONDS

    def show_tally(tally: Tally, elapsed_seconds: float, model_loading_lines: list[str]) -> None:
        nonlocal next_print_at
        if elapsed_seconds >= next_print_at:
            next_print_at = elapsed_seconds + min(max(MIN_PAUSE_SECONDS, elapsed_seconds / 20), MAX_PAUSE_SECONDS)
            finished_text = f"{tally.finished_count:,} of {tally.planned_count:,} episodes over"
            print_message(" · ".join([finished_text, *_describe_tally(tally, elapsed_seconds, model_loading_lines)]))

    yield show_tally


@contextmanager
def _show_progress_bar() -> Iterator[ProgressCallback]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False) as live_display:

        def show_tally(tally: Tally, elapsed_seconds: float, model_loading_lines: list[str]) -> None:
            bar_grid = Table.grid(padding=(0, 1))
            bar_grid.add_row(
                ProgressBar(tally.planned_count, tally.finished_count, 40),
                f"{tally.finished_count:,}/{tally.planned_count:,}",
            )
            live_display.update(
                Group(
                    bar_grid,
                    Text(escape_text(" · ".join(_describe_tally(tally, elapsed_seconds, model_loading_lines)))),
                ),
                refresh=True,
            )

        yield show_tally


def _describe_tally(tally: Tally, elapsed_seconds: float, model_loading_lines: list[str]) -> list[str]:
    seconds_left, call_rate = (
        _estimate_seconds_left(tally, elapsed_seconds),
        tally.call_count / max(elapsed_seconds, 1e-9),
    )
    return [
        f"{tally.aborted_count:,} aborted",
        f"{len(tally.cause_by_stalled_episode):,} stalled",
        *([f"{tally.waiting_count:,} played by another process"] if tally.waiting_count else []),
        f"{call_rate:,.{0 if call_rate >= 10 else 1}f} calls/s",
        *_describe_usage(tally),
        *([f"{format_duration(seconds_left)} left"] if seconds_left else []),
        *model_loading_lines,
    ]


def _describe_usage(tally: Tally) -> list[str]:
    """Return what models have used so far; nothing if no model plays."""
    return [f"{tally.token_count:,} tokens"] * bool(tally.token_count) + [format_usd(tally.cost, decimals=4)] * bool(
        tally.cost
    )


def _estimate_seconds_left(tally: Tally, elapsed_seconds: float) -> float | None:
    """Return how long the remaining episodes take at the pace so far; None before the first one is over."""
    played_count = tally.played_count + tally.finished_elsewhere_count
    if not played_count:
        return None
    return (
        max(0, tally.planned_count - tally.finished_count - len(tally.cause_by_stalled_episode))
        * elapsed_seconds
        / played_count
    )


def format_duration(seconds: float) -> str:
    """Return a duration in its two largest units, rounded up: "40 s", "12 min", "3 h 5 min", "2 d 4 h"."""
    whole_seconds = math.ceil(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 24 else f"{hours // 24} d {hours % 24} h"


def print_summary(tally: Tally, elapsed_seconds: float, db: Path) -> None:
    """Print how a run ended."""
    if tally.previously_finished_count == tally.planned_count:
        print_message(f"Nothing to do: all {tally.planned_count} planned episodes are over in {db}.")
        return
    earlier_count_note = f" ({tally.previously_finished_count} before)" if tally.previously_finished_count else ""
    other_process_note = (
        f" ({tally.finished_elsewhere_count} by another process)" if tally.finished_elsewhere_count else ""
    )
    print_message(
        f"{tally.finished_count} of {tally.planned_count} episodes over{earlier_count_note}{other_process_note}: "
        f"{tally.played_count} played now, "
        f"{tally.aborted_count} of them aborted; {tally.call_count:,} calls in {elapsed_seconds:.1f} s "
        f"({tally.call_count / elapsed_seconds:,.0f}/s)"
        f"{''.join(f' · {usage_text}' for usage_text in _describe_usage(tally))}."
    )
    _print_usage(tally)
    if tally.cause_by_stalled_episode:
        print_message(f"{len(tally.cause_by_stalled_episode)} stalled; the same command tries them again:")
        for cause, count in Counter(tally.cause_by_stalled_episode.values()).most_common(5):
            example_episode = next(
                episode for episode, stall_cause in tally.cause_by_stalled_episode.items() if stall_cause == cause
            )
            print_message(f"  {count} × {cause} (`ludens replay {example_episode} --db {db}`)")
    for cause, count in Counter(tally.cause_by_unscored_episode.values()).most_common(5):
        print_message(f"{count} could not be scored: {cause}. Fix the game's scores.py, then `ludens score --db {db}`")
    if tally.is_complete:
        print_message(f"`ludens results --db {db}` shows the results.")


def _print_usage(tally: Tally) -> None:
    """Print what models were sent, how their replies ended, and what a reader of the results must know."""
    from engine.core.usage import describe_finishes, describe_request_fields, describe_waits, list_warnings

    for player, usage in sorted(tally.usage.items()):
        finish_text = describe_finishes(usage)
        usage_parts = [
            f"{usage.replies:,} replies" + (f" ({finish_text})" if finish_text else ""),
            *([f"sent {sent_text}"] if (sent_text := describe_request_fields(usage)) else []),
            *([f"waited {waiting_text}"] if (waiting_text := describe_waits(usage)) else []),
        ]
        print_message(f"{player}: {'; '.join(usage_parts)}.")
    for player, usage in sorted(tally.usage.items()):
        for warning in list_warnings(player, usage):
            print_message(f"WARNING: {warning}.")
