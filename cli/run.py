"""`ludens run`: play many episodes, or resume those that are not over."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import DbOption, PlayersFileOption
from cli.output import UsageError, print_message
from cli.progress import print_summary, show_progress
from engine.core.events import EmptyReplyRule, LongContextRule

if TYPE_CHECKING:
    from engine.play.executors.executor import Budget, Executor
    from engine.play.plans import Plan
    from engine.play.registry import Registry
    from engine.storage.store import Store

STOPPED_EXIT_CODE = 130
"""The exit code after Ctrl-C."""
REPLY_CACHE_FILE = "replies.db"
"""The file beside the log in which `--cache` keeps replies."""
MAX_REPLY_TOKENS = 100_000
"""Tokens that --max-tokens takes at most: a larger number is meant for --max-total-tokens."""
GC_THRESHOLDS = (20_000, 50, 100)
"""Python collects garbage after this many new objects; its default thresholds cost a run a tenth of its speed."""


class Engine(StrEnum):
    """Where a run is played."""

    LOCAL = "local"
    RAY = "ray"


InstancesArgument = Annotated[
    list[str] | None, typer.Argument(help="GAME[/VARIANT[/EXPERIMENT[/INDEX]]], one or more.", show_default=False)
]
PlanFileOption = Annotated[
    Path | None,
    typer.Option("--plan", metavar="FILE.toml", help="A benchmark: parts with their own seats."),
]
CrossPlayersOption = Annotated[
    list[str] | None,
    typer.Option(metavar="PLAYER PLAYER …", help="Seat these players in all combinations, instead of --seat."),
]
AllSeatingsOption = Annotated[
    bool,
    typer.Option(
        "--all-seatings",
        help="With --cross, in games with three or more sides: seat a player on several sides, too (for three players "
        "27 combinations, not 6).",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show the plan with estimated calls, tokens and cost; play nothing.")
]
StatusOption = Annotated[bool, typer.Option("--status", help="Show the progress of the plan; play nothing.")]
SeatsOption = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=PLAYER", help="The player of a seat; all=PLAYER for all other seats."),
]
LimitOption = Annotated[int | None, typer.Option(help="Only the first N instances of each experiment.")]
SeedOption = Annotated[int | None, typer.Option(help="Another seed is another run.  [default: 0]")]
RepeatOption = Annotated[int | None, typer.Option(help="Play every instance N times.  [default: 1]")]
ConcurrencyOption = Annotated[int | None, typer.Option(help="Episodes played at the same time.  [default: 64]")]
JobsOption = Annotated[
    int | None, typer.Option(help="Processes that share the work.  [default: one per core, for free players]")
]
EngineOption = Annotated[
    Engine | None, typer.Option(help="Play on this machine, or on a Ray cluster.", show_default="local")
]
RayAddressOption = Annotated[
    str | None,
    typer.Option(help="The cluster to join, HOST:PORT or auto.  [default: RAY_ADDRESS, or a Ray started for this run]"),
]
RepromptOption = Annotated[
    int | None,
    typer.Option(help="Reminders after a reply that breaks the rules.  [default: 0, the game is aborted]"),
]
PromptsOption = Annotated[
    int | None,
    typer.Option(
        "--prompts",
        metavar="N",
        help="Use version N of the game's prompts, such as to finish what an earlier Ludens began.  "
        "[default: the present version]",
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of the game, such as questions=5."),
]
MaxCostOption = Annotated[float | None, typer.Option(help="Stop cleanly once this command has spent this many USD.")]
MaxTotalTokensOption = Annotated[
    int | None, typer.Option(help="Stop cleanly once models have read and written this many tokens.")
]
PresetOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Parameters of all models at once: clembench (temperature 0, 300 tokens)."),
]
TemperatureOption = Annotated[float | None, typer.Option(help="The temperature of all models.  [default: their own]")]
MaxTokensOption = Annotated[
    int | None, typer.Option(help="The longest reply of all models, in tokens.  [default: their own]")
]
TimeLimitOption = Annotated[
    float | None,
    typer.Option(help="Seconds for one episode; then it stalls, and the same command continues it.", min=0.001),
]
EmptyRuleOption = Annotated[
    EmptyReplyRule | None,
    typer.Option(
        help="What a reply without text is that a limit of tokens or a filter has emptied.", show_default="fault"
    ),
]
ContextRuleOption = Annotated[
    LongContextRule | None,
    typer.Option(help="What a conversation is that is too long for a model.", show_default="aborted"),
]
CacheOption = Annotated[
    bool,
    typer.Option("--cache", help="For development: store model replies beside the log, and reuse stored ones."),
]
YesOption = Annotated[bool, typer.Option("--yes", help="Spend money without asking.")]


def run(
    selection: InstancesArgument = None,
    plan_file: PlanFileOption = None,
    cross: CrossPlayersOption = None,
    all_seatings: AllSeatingsOption = False,
    dry_run: DryRunOption = False,
    status: StatusOption = False,
    seat: SeatsOption = None,
    limit: LimitOption = None,
    seed: SeedOption = None,
    repeat: RepeatOption = None,
    concurrency: ConcurrencyOption = None,
    jobs: JobsOption = None,
    engine: EngineOption = None,
    ray_address: RayAddressOption = None,
    reprompt: RepromptOption = None,
    set_: SettingsOption = None,
    prompts: PromptsOption = None,
    max_cost: MaxCostOption = None,
    max_total_tokens: MaxTotalTokensOption = None,
    preset: PresetOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    on_empty: EmptyRuleOption = None,
    on_context: ContextRuleOption = None,
    time_limit: TimeLimitOption = None,
    cache: CacheOption = False,
    players: PlayersFileOption = None,
    db: DbOption = None,
    yes: YesOption = False,
) -> None:
    """Play many episodes, or resume them.

    The same command again plays only what is missing. Exit codes: 0 if every planned episode has an outcome (an aborted
    game has one); 1 if some are stalled; 130 if stopped by Ctrl-C. The same command then continues.
    """
    from cli.log_access import build_registry, check_writable, open_store
    from cli.plan import build_plan, show_plan
    from cli.settings import load_settings
    from engine.play.estimate import estimate_plan
    from engine.play.executors.executor import Budget
    from engine.play.plan_file import merge_parameters
    from engine.play.plan_status import read_plan_status

    _check_limits(jobs, max_cost, max_total_tokens, max_tokens)
    _check_engine(engine, ray_address, jobs, cache, time_limit)
    settings = load_settings(db=db, concurrency=concurrency, players=players)
    seats = _parse_pairs(seat or [], "--seat", "A=scripted")
    options: dict[str, Any] = {"settings": _parse_settings(set_), "reprompt": reprompt, "seed": seed, "repeat": repeat}
    options |= {"limit": limit, "prompts": prompts, "on_empty": on_empty, "on_context": on_context}
    options["is_preview"] = status or dry_run
    options["parameters"] = merge_parameters(preset, temperature, max_tokens) or None
    options = {option_name: option_value for option_name, option_value in options.items() if option_value is not None}
    registry = build_registry(settings, cache_path=settings.db.parent / REPLY_CACHE_FILE if cache else None)
    with open_store(settings.db) if _replays_episode(seats) or settings.db.is_file() else nullcontext() as plan_store:
        plan = build_plan(
            registry,
            selection or [],
            plan_file,
            seats,
            cross or [],
            {**options, "store": plan_store},
            has_all_seatings=all_seatings,
        )
        if status or dry_run or (plan.paid_players and not yes):
            estimate_by_group = None if status and not dry_run else estimate_plan(plan)
            show_plan(plan, read_plan_status(plan, plan_store), estimate_by_group)
        if status or dry_run:
            for address, player_info in plan.player_infos.items():
                if player_info.unusable_reason:
                    print_message(f"{address} cannot play here yet: {player_info.unusable_reason}")
            return
    jobs = _choose_jobs(jobs, plan)
    _confirm_cost(plan, max_cost, yes)
    if max_tokens and plan.paid_players and max_cost is None and max_total_tokens is None:
        print_message(
            f"--max-tokens limits each reply to {max_tokens} tokens; --max-total-tokens limits the whole run."
        )
    check_writable(settings.db)
    budget = Budget(max_cost, max_total_tokens, time_limit)
    executor = _execute_plan(plan, settings.db, engine, ray_address, jobs, settings.concurrency, budget)
    raise typer.Exit(0 if executor.tally.is_complete and not executor.tally.cause_by_unscored_episode else 1)


# ---------------------------------------------------------------------- options
def _parse_settings(setting_texts: list[str] | None) -> dict[str, Any] | None:
    """Return the settings of the game that `--set` gives."""
    return {
        setting_name: _parse_value(value_text)
        for setting_name, value_text in _parse_pairs(setting_texts or [], "--set", "questions=5").items()
    } or None


def _check_limits(
    jobs: int | None, max_cost: float | None, max_total_tokens: int | None, max_tokens: int | None
) -> None:
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be at least 1, not {jobs}")
    limit_by_option = {"--max-cost": max_cost, "--max-total-tokens": max_total_tokens, "--max-tokens": max_tokens}
    for option_name, limit_value in limit_by_option.items():
        if limit_value is not None and limit_value <= 0:
            raise UsageError(f"{option_name} must be more than 0, not {limit_value}")
    if max_tokens is not None and max_tokens > MAX_REPLY_TOKENS:
        raise UsageError(
            f"--max-tokens {max_tokens}: this is the longest reply of a model. To limit the tokens of the whole run, "
            "which --max-tokens did in earlier versions, use --max-total-tokens"
        )


def _check_engine(
    engine: Engine | None, ray_address: str | None, jobs: int | None, uses_cache: bool, time_limit: float | None
) -> None:
    """Raise `UsageError` for options that cannot be combined."""
    if engine is not Engine.RAY and ray_address:
        raise UsageError("--ray-address needs --engine ray")
    if engine is Engine.RAY and jobs is not None:
        raise UsageError("--jobs shares the work of one machine: leave it out, a cluster counts its own processors")
    if engine is Engine.RAY and time_limit is not None:
        raise UsageError("--time-limit is not enforced on a cluster: leave out --time-limit or --engine ray")
    if engine is Engine.RAY and uses_cache:
        raise UsageError("--cache keeps replies in a file of one machine: leave out --cache or --engine ray")


def _parse_pairs(pair_texts: list[str], option_name: str, example_text: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair_text in pair_texts:
        pair_name, separator, pair_value = (pair_part.strip() for pair_part in pair_text.partition("="))
        if not (pair_name and separator and pair_value):
            raise UsageError(f"{option_name} {pair_text!r} is not NAME=VALUE, such as {option_name} {example_text}")
        if pair_name in pairs:
            raise UsageError(f"{option_name} {pair_name} is given twice: {pairs[pair_name]!r} and {pair_value!r}")
        pairs[pair_name] = pair_value
    return pairs


def _parse_value(value_text: str) -> Any:
    try:
        return json.loads(value_text)
    except ValueError:
        return value_text


def _replays_episode(seats: dict[str, str]) -> bool:
    """Return whether a seat replays a stored episode, which needs the log."""
    from engine.core.player import Address

    return any(Address.parse(player).provider == "recorded" for player in seats.values())


def _choose_jobs(jobs: int | None, plan: Plan) -> int:
    """Return the number of processes: `jobs`, or one per core for free players. Raises `UsageError` for models."""
    from engine.play.executors.pool import count_processors

    if jobs is not None and jobs > 1 and plan.has_models:
        raise UsageError(
            f"--jobs {jobs}: each process would load models and apply limits on its own. One process can play many "
            "tables with models at once: set --concurrency"
        )
    return jobs or (count_processors() if plan.is_instant else 1)


def _confirm_cost(plan: Plan, max_cost: float | None, is_confirmed: bool) -> None:
    """Ask before money is spent, in a terminal; refuse without a terminal, or if --max-cost cannot be enforced."""
    paid_players = plan.paid_players
    unpriced_players = [address for address, player_info in paid_players.items() if player_info.price is None]
    if unpriced_players and max_cost is not None:
        raise UsageError(
            f"--max-cost cannot be enforced: the price of {', '.join(unpriced_players)} is not known. "
            "State it in players.toml "
            "(price = [USD per million tokens in, out]), or limit --max-total-tokens"
        )
    if not paid_players or is_confirmed:
        return
    limit_note = f", at most ${max_cost:.6g}" if max_cost is not None else ""
    player_names = ", ".join(paid_players)
    warning = f"{player_names} cost{'s' * (len(paid_players) == 1)} money; {len(plan)} episodes are planned{limit_note}"
    if not sys.stdin.isatty():
        raise UsageError(f"{warning}. Add --yes to play them")
    if not typer.confirm(f"{warning}. Play them?", err=True):
        raise typer.Exit(1)


# ---------------------------------------------------------------------- playing
def reduce_garbage_collection() -> None:
    """Exempt all objects so far from garbage collection, and collect new ones less often than Python by default."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _execute_plan(
    plan: Plan,
    db: Path,
    engine: Engine | None,
    ray_address: str | None,
    jobs: int,
    concurrency: int,
    budget: Budget,
) -> Executor:
    """Play a plan, print how it ended, and return its executor."""
    import asyncio  # late, as in `_play_plan`: it takes longer to import than typer

    from engine.results.planned import record_plan
    from engine.storage.store import Store

    with _join_cluster(engine, ray_address), Store(db, purpose="run") as store:
        record_plan(store, plan)
        executor = _make_executor(engine, plan, store, jobs, concurrency=concurrency, budget=budget)
        reduce_garbage_collection()
        started_at = time.monotonic()
        try:
            asyncio.run(_play_plan(executor, plan.registry))
        except KeyboardInterrupt:
            finished_text = f"{executor.tally.finished_count} of {len(plan)} episodes are over"
            print_message(f"Stopped: {finished_text}. Run the same command again to continue.")
            raise typer.Exit(STOPPED_EXIT_CODE) from None
    print_summary(executor.tally, time.monotonic() - started_at, db)
    if executor.limit_reached and executor.tally.is_complete:
        print_message(
            f"The budget is reached ({executor.limit_reached}), including the calls that were already under way."
        )
    elif executor.limit_reached:
        print_message(
            f"Stopped, because {executor.limit_reached}, including the calls that were already under way (at most "
            "--concurrency). Run the same command again to continue with a new budget."
        )
    return executor


@contextmanager
def _join_cluster(engine: Engine | None, cluster_address: str | None) -> Iterator[None]:
    """Stay in a Ray session, if the run is played on a cluster."""
    if engine is not Engine.RAY:
        yield
        return
    from engine.play.executors.ray import open_ray_session

    with ExitStack() as exit_stack:
        try:
            exit_stack.enter_context(open_ray_session(cluster_address or os.environ.get("RAY_ADDRESS") or None))
        except KeyboardInterrupt:
            print_message("Stopped before the cluster was ready. Run the same command again to continue.")
            raise typer.Exit(STOPPED_EXIT_CODE) from None
        yield


def _make_executor(engine: Engine | None, plan: Plan, store: Store, jobs: int, **executor_options: Any) -> Executor:
    if engine is Engine.RAY:
        from engine.play.executors.ray import RayExecutor

        return RayExecutor(plan, store, report_line=print_message, **executor_options)
    from engine.play.executors.pool import WorkerPool

    return WorkerPool(plan, store, process_count=jobs, **executor_options)


async def _play_plan(executor: Executor, registry: Registry) -> None:
    """Play and show the progress; SIGTERM stops it as Ctrl-C does."""
    import asyncio

    play_task = asyncio.current_task()
    assert play_task is not None
    is_terminated = False

    def stop_play() -> None:
        nonlocal is_terminated
        is_terminated = True
        play_task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop_play)
    progress_task = asyncio.create_task(show_progress(executor, registry.describe_loading_models))
    try:
        await executor.play_plan()
    except asyncio.CancelledError:
        if is_terminated:
            raise KeyboardInterrupt from None
        raise
    finally:
        progress_task.cancel()
        await asyncio.gather(progress_task, return_exceptions=True)
        await registry.close()
