"""How far a run is, told while it plays: two lines in a terminal that change, elsewhere a line now and then.

On a pipe the lines come ever more rarely, so that a run of a night fills no log.
"""

from __future__ import annotations

import asyncio
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from cli.words import say, usd

if TYPE_CHECKING:
    from engine.play.executors.executor import Tally

LOOK_EVERY = 0.2
SELDOM = (5.0, 300.0)
"""Between two lines on a pipe: at least and at most so many seconds, and a twentieth of the time so far."""


class Playing(Protocol):
    """Whatever plays a plan and counts."""

    @property
    def tally(self) -> Tally:
        """How far it is."""
        ...


async def follow(playing: Playing, loading: Callable[[], list[str]]) -> None:
    """Show how far it is until cancelled; `loading` says which models are being loaded on this machine, and how far."""
    started = time.monotonic()
    with _bar() if sys.stderr.isatty() else _lines() as told:
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY)
                told(playing.tally, time.monotonic() - started, loading())
        finally:
            told(playing.tally, time.monotonic() - started, [])


Told = Callable[["Tally", float, list[str]], None]


@contextmanager
def _lines() -> Iterator[Told]:
    due = SELDOM[0]

    def line(tally: Tally, seconds: float, loading: list[str]) -> None:
        nonlocal due
        if seconds >= due:
            due = seconds + min(max(SELDOM[0], seconds / 20), SELDOM[1])
            say(" · ".join([f"{tally.over:,} of {tally.planned:,} episodes over", *_details(tally, seconds, loading)]))

    yield line


@contextmanager
def _bar() -> Iterator[Told]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    with Live(console=Console(stderr=True), auto_refresh=False) as live:

        def bar(tally: Tally, seconds: float, loading: list[str]) -> None:
            line = Table.grid(padding=(0, 1))
            line.add_row(ProgressBar(tally.planned, tally.over, 40), f"{tally.over:,}/{tally.planned:,}")
            live.update(Group(line, Text(" · ".join(_details(tally, seconds, loading)))), refresh=True)

        yield bar


def _details(tally: Tally, seconds: float, loading: list[str]) -> list[str]:
    left, speed = seconds_left(tally, seconds), tally.calls / max(seconds, 1e-9)
    return [
        f"{tally.aborted:,} aborted",
        f"{len(tally.stalled):,} stalled",
        *([f"{tally.waiting:,} played by another process"] if tally.waiting else []),
        f"{speed:,.{0 if speed >= 10 else 1}f} calls/s",
        *used(tally),
        *([f"{duration(left)} left"] if left else []),
        *loading,
    ]


def used(tally: Tally) -> list[str]:
    """Say what models have used so far; nothing where none plays."""
    return [f"{tally.tokens:,} tokens"] * bool(tally.tokens) + [usd(tally.cost, places=4)] * bool(tally.cost)


def seconds_left(tally: Tally, seconds: float) -> float | None:
    """Return how long what is missing takes at the pace of the `seconds` so far; None before the first one is over."""
    played = tally.done + tally.elsewhere
    if not played:
        return None
    return max(0, tally.planned - tally.over - len(tally.stalled)) * seconds / played


def duration(seconds: float) -> str:
    """Say a duration in its two largest units, rounded up: "40 s", "12 min", "3 h 5 min", "2 d 4 h"."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 24 else f"{hours // 24} d {hours % 24} h"
