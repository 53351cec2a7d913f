"""`ludens run`: play many episodes, or go on with those that were not finished."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Db
from cli.progress import follow, used
from cli.words import Wrong, say

if TYPE_CHECKING:
    from engine.play.executors.executor import Tally
    from engine.play.executors.pool import WorkerPool
    from engine.play.executors.ray import RayExecutor
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

STOPPED = 130


class Engine(StrEnum):
    """What plays a run."""

    LOCAL = "local"
    RAY = "ray"


REPLIES = "replies.db"
"""The file beside the log that `--cache` keeps replies in."""
GARBAGE = (20_000, 50, 100)
"""Python looks for garbage after so many new objects; its own numbers cost a run a tenth of its speed."""


def run(
    selection: Annotated[
        list[str] | None, typer.Argument(help="GAME[/VARIANT[/EXPERIMENT[/INDEX]]], one or more.", show_default=False)
    ] = None,
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", metavar="FILE.toml", help="A whole benchmark: parts with seats of their own."),
    ] = None,
    cross: Annotated[
        list[str] | None,
        typer.Option(metavar="PLAYER PLAYER …", help="Seat these players in all ways, in place of --seat."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan and what it may take; play nothing.")
    ] = False,
    status: Annotated[bool, typer.Option("--status", help="Show where the plan stands; play nothing.")] = False,
    seat: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=PLAYER", help="Who sits where, for every seat; all=PLAYER for the rest."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N instances of each experiment.")] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed is another run.  [default: 0]")] = None,
    repeat: Annotated[int | None, typer.Option(help="Play every instance N times.  [default: 1]")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Episodes in play at once.  [default: 64]")] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Processes to share the work.  [default: one a core, for free players]")
    ] = None,
    engine: Annotated[
        Engine | None, typer.Option(help="What plays: this machine, or a Ray cluster.", show_default="local")
    ] = None,
    ray_address: Annotated[
        str | None,
        typer.Option(
            help="The cluster to join, HOST:PORT or auto.  [default: RAY_ADDRESS, else a Ray started for this run]"
        ),
    ] = None,
    reprompt: Annotated[
        int | None,
        typer.Option(help="Reminders after a reply that breaks the rules.  [default: 0, the game is aborted]"),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the game, such as questions=5."),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Stop cleanly once so many USD are spent by this command.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Stop cleanly once models have read and written so many tokens.")
    ] = None,
    cache: Annotated[
        bool,
        typer.Option("--cache", help="Keep replies of models beside the log, and use those kept. To develop with."),
    ] = False,
    players: Annotated[
        Path | None, typer.Option(help="Your players.toml.  [default: players.toml in the project folder]")
    ] = None,
    db: Db = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before spending money.")] = False,
) -> None:
    """Play many episodes, or go on with them.

    The same command again plays only what is missing. Exit code 0 when every planned episode has an outcome, aborted
    ones included; 1 when some are stalled; 130 when stopped by Ctrl-C, after which the same command goes on.
    """
    from cli.plan import made, show
    from cli.settings import load
    from cli.stored import opened, registry_of, writable
    from engine.play.estimate import estimate_plan
    from engine.play.executors.executor import Budget
    from engine.play.plan_status import plan_status
    from engine.results.index import record_plan
    from engine.storage.store import Store

    if jobs is not None and jobs < 1:
        raise Wrong(f"--jobs is at least 1, not {jobs}")
    for option, most in (("--max-cost", max_cost), ("--max-tokens", max_tokens)):
        if most is not None and most <= 0:
            raise Wrong(f"{option} is more than 0, not {most}")
    _check_engine(engine, ray_address, jobs, cache)
    settings = load(db=db, concurrency=concurrency, players=players)
    seats = _pairs(seat or [], "--seat", "A=scripted")
    wanted = {name: _value(text) for name, text in _pairs(set_ or [], "--set", "questions=5").items()}
    recorded = any(player.startswith("recorded") for player in seats.values())
    said = {"settings": wanted or None, "reprompt": reprompt, "seed": seed, "repeat": repeat, "limit": limit}
    how: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    registry = registry_of(settings, cache=settings.db.parent / REPLIES if cache else None)
    with opened(settings.db) if recorded or settings.db.is_file() else nullcontext() as reading:
        plan = made(registry, selection or [], plan_file, seats, cross or [], {**how, "store": reading})
        if status or dry_run:
            show(plan, plan_status(plan, reading), estimate_plan(plan) if dry_run else None)
            return
        if plan.paid and not yes:
            show(plan, plan_status(plan, reading), estimate_plan(plan))
    jobs = _jobs(jobs, plan)
    _check_cost(plan, max_cost, yes)
    writable(settings.db)
    with _cluster(engine, ray_address), Store(settings.db, purpose="run") as store:
        how = {"concurrency": settings.concurrency, "budget": Budget(max_cost, max_tokens)}
        record_plan(store, plan)
        playing = _player(engine, plan, store, jobs, how)
        gc.freeze()
        gc.set_threshold(*GARBAGE)
        started = time.monotonic()
        try:
            asyncio.run(_play(playing, plan.registry))
        except KeyboardInterrupt:
            say(f"Stopped: {playing.tally.over} of {len(plan)} episodes are over. The same command goes on.")
            raise typer.Exit(STOPPED) from None
    code = _closing(playing.tally, time.monotonic() - started, settings.db)
    if playing.spent and playing.tally.complete:
        say(f"The budget is reached ({playing.spent}), with the calls that were under way.")
    elif playing.spent:
        say(
            f"Stopped, because {playing.spent}, with the calls that were under way (at most --concurrency). "
            "The same command goes on, with a budget of its own."
        )
    raise typer.Exit(code)


def _check_engine(engine: Engine | None, ray_address: str | None, jobs: int | None, cache: bool) -> None:
    """Raise `Wrong` for options that do not go together."""
    if engine is not Engine.RAY and ray_address:
        raise Wrong("--ray-address goes with --engine ray")
    if engine is Engine.RAY and jobs is not None:
        raise Wrong("--jobs shares the work of one machine; on a cluster its machines say what they have")
    if engine is Engine.RAY and cache:
        raise Wrong("--cache keeps replies in a file of one machine: leave it out, or --engine ray")


@contextmanager
def _cluster(engine: Engine | None, address: str | None) -> Iterator[None]:
    """Join the cluster that is to play, if one is."""
    if engine is not Engine.RAY:
        yield
        return
    from engine.play.executors.ray import ray_session

    with ExitStack() as leaving:
        try:
            leaving.enter_context(ray_session(address or os.environ.get("RAY_ADDRESS") or None))
        except KeyboardInterrupt:
            say("Stopped before a cluster was there. The same command goes on.")
            raise typer.Exit(STOPPED) from None
        yield


def _player(
    engine: Engine | None, plan: Plan, store: Store, jobs: int, how: dict[str, Any]
) -> WorkerPool | RayExecutor:
    """Return what plays the plan."""
    if engine is Engine.RAY:
        from engine.play.executors.ray import RayExecutor

        return RayExecutor(plan, store, say=say, **how)
    from engine.play.executors.pool import WorkerPool

    return WorkerPool(plan, store, jobs=jobs, **how)


def _jobs(wanted: int | None, plan: Plan) -> int:
    """Return how many processes play: as many as wanted, for free players one a core. Raises `Wrong` for models."""
    from engine.play.executors.pool import available_processors

    if wanted is not None and wanted > 1 and plan.models:
        raise Wrong(
            f"--jobs {wanted}: each process would load models and count limits for itself; models answer many tables "
            "at once from one process, --concurrency says how many"
        )
    return wanted or (available_processors() if plan.instant else 1)


def _check_cost(plan: Plan, max_cost: float | None, yes: bool) -> None:
    """Ask before money is spent, in a terminal; refuse without one, and where a limit could not be kept."""
    paid = plan.paid
    unknown = [address for address, about in paid.items() if about.price is None]
    if unknown and max_cost is not None:
        raise Wrong(
            f"--max-cost cannot be kept: the price of {', '.join(unknown)} is not known. Give it in players.toml "
            "(price = [USD per million tokens in, out]), or limit --max-tokens"
        )
    if not paid or yes:
        return
    limited = f", at most ${max_cost:.6g}" if max_cost is not None else ""
    what = f"{', '.join(paid)} cost{'s' * (len(paid) == 1)} money; {len(plan)} episodes are planned{limited}"
    if not sys.stdin.isatty():
        raise Wrong(f"{what}. Add --yes if that is meant")
    if not typer.confirm(f"{what}. Play them?", err=True):
        raise typer.Exit(1)


def _pairs(given: list[str], option: str, example: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise Wrong(f"{option} {text!r} is not NAME=VALUE, such as {option} {example}")
        if name in pairs:
            raise Wrong(f"{option} {name} is given twice: {pairs[name]!r} and {value!r}")
        pairs[name] = value
    return pairs


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


async def _play(playing: WorkerPool | RayExecutor, registry: Registry) -> None:
    """Play and show how far it is; SIGTERM stops it as Ctrl-C does."""
    task = asyncio.current_task()
    assert task is not None
    terminated = False

    def stop() -> None:
        nonlocal terminated
        terminated = True
        task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    showing = asyncio.create_task(follow(playing, registry.loading))
    try:
        await playing.go()
    except asyncio.CancelledError:
        if terminated:
            raise KeyboardInterrupt from None
        raise
    finally:
        showing.cancel()
        await asyncio.gather(showing, return_exceptions=True)
        await registry.close()


def _closing(tally: Tally, seconds: float, db: Path) -> int:
    """Say how it ended and return the exit code."""
    if tally.before == tally.planned:
        say(f"Nothing to do: all {tally.planned} planned episodes are over in {db}.")
        return 0
    before = f" ({tally.before} before)" if tally.before else ""
    elsewhere = f" ({tally.elsewhere} by another process)" if tally.elsewhere else ""
    say(
        f"{tally.over} of {tally.planned} episodes over{before}{elsewhere}: {tally.done} played now, "
        f"{tally.aborted} of them aborted; {tally.calls:,} calls in {seconds:.1f} s ({tally.calls / seconds:,.0f}/s)"
        f"{''.join(f' · {what}' for what in used(tally))}."
    )
    if tally.stalled:
        say(f"{len(tally.stalled)} stalled; the same command tries them again:")
        causes = Counter(tally.stalled.values())
        for cause, number in causes.most_common(5):
            example = next(episode for episode, why in tally.stalled.items() if why == cause)
            say(f"  {number} × {cause} (`ludens replay {example} --db {db}`)")
    for cause, number in Counter(tally.unscored.values()).most_common(5):
        say(f"{number} could not be scored: {cause}. Mend the game's scores.py, then `ludens score --db {db}`")
    if tally.complete:
        say(f"`ludens results --db {db}` shows them.")
    return 0 if tally.complete and not tally.unscored else 1
