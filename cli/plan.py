"""Plans at the command line: built from options, and shown with their progress and estimated cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from cli.output import UsageError, format_usd, make_console, print_message

if TYPE_CHECKING:
    from engine.play.estimate import EpisodeEstimate
    from engine.play.plan_status import PlanStatus
    from engine.play.plans import Plan, PlanGroup
    from engine.play.registry import Registry

CROSS_PLAYERS_OPTION = "--cross"
ESTIMATE_COLUMNS = ("calls", "tokens", "USD")


class CrossPlayersCommand(TyperCommand):
    """A command whose `--cross` takes all words up to the next option: `--cross openai/a openai/b scripted`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write `--cross A B` as `--cross A --cross B`."""
        expanded_arguments: list[str] = []
        is_crossing = False
        for argument in args:
            if argument.startswith("-"):
                is_crossing = argument == CROSS_PLAYERS_OPTION
                expanded_arguments += [] if is_crossing else [argument]
            else:
                expanded_arguments += [CROSS_PLAYERS_OPTION, argument] if is_crossing else [argument]
        if CROSS_PLAYERS_OPTION in args and CROSS_PLAYERS_OPTION not in expanded_arguments:
            raise UsageError("--cross needs the players to seat in all combinations: --cross scripted random")
        return super().parse_args(ctx, expanded_arguments)


def build_plan(
    registry: Registry,
    selection: list[str],
    plan_path: Path | None,
    seats: dict[str, str],
    crossed_players: list[str],
    plan_options: dict[str, Any],
    *,
    has_all_seatings: bool = False,
) -> Plan:
    """Return the plan that the options describe. Raises `UsageError` if they are contradictory or incomplete."""
    from engine.play.plan_file import read_plan
    from engine.play.plans import Plan

    if plan_path:
        if selection or seats or crossed_players or has_all_seatings:
            raise UsageError("--plan FILE already says who plays what: leave out selections, --seat and --cross")
        return read_plan(plan_path, registry, **plan_options)
    if not selection and crossed_players:
        raise UsageError(
            f"--cross takes all words after it ({' '.join(crossed_players)}): write the selection before --cross"
        )
    if not selection:
        raise UsageError(
            "name what to play: a game, such as `ludens run matchit/text --seat all=scripted`, or a plan, "
            "--plan FILE.toml; `ludens games` lists all games"
        )
    if crossed_players:
        if seats:
            raise UsageError("--cross seats its players in all combinations: leave out --seat")
        return Plan.from_player_combinations(
            registry, selection, crossed_players, all_seatings=has_all_seatings, **plan_options
        )
    if has_all_seatings:
        raise UsageError("--all-seatings says how --cross seats its players: add --cross PLAYER PLAYER …")
    return Plan.from_selections(registry, selection, [seats], **plan_options)


def show_plan(
    plan: Plan, status_by_group: dict[PlanGroup, PlanStatus], estimates: dict[PlanGroup, EpisodeEstimate] | None = None
) -> None:
    """Print a plan: a line per group of episodes, with their number by status and an estimate for the rest."""
    from rich.box import SIMPLE
    from rich.table import Table

    plan_table = Table(box=SIMPLE, pad_edge=False)
    for heading in ("game", "seats"):
        plan_table.add_column(heading, overflow="fold")
    status_headings = ("planned", "over", "aborted", "stalled", "open", "missing")
    for heading in (*status_headings, *(ESTIMATE_COLUMNS if estimates else ())):
        plan_table.add_column(heading, justify="right")
    for plan_group, status in status_by_group.items():
        episode_counts = [
            status.planned_count,
            status.finished_count,
            status.aborted_count,
            status.stalled_count,
            status.open_episode_count,
            status.missing_count,
        ]
        estimate_cells = (
            _estimate_cells(estimates[plan_group].multiply(status.planned_count - status.finished_count))
            if estimates
            else []
        )
        seats_text = " ".join(f"{seat}={player}" for seat, player in plan_group.seating)
        episode_cells = [f"{episode_count:,}" for episode_count in episode_counts]
        plan_table.add_row(f"{plan_group.game}/{plan_group.variant}", seats_text, *episode_cells, *estimate_cells)
    make_console().print(plan_table)
    finished_count = sum(status.finished_count for status in status_by_group.values())
    total_text = f" {_describe_total_estimate(status_by_group, estimates)}" if estimates else ""
    print_message(f"{len(plan):,} episodes are planned, {finished_count:,} are over.{total_text}")


def _describe_total_estimate(
    status_by_group: dict[PlanGroup, PlanStatus], estimate_by_group: dict[PlanGroup, EpisodeEstimate]
) -> str:
    """Return a sentence about what all episodes that are not over may take."""
    from engine.play.estimate import EpisodeEstimate

    remaining_estimates = (
        estimate_by_group[plan_group].multiply(group_status.planned_count - group_status.finished_count)
        for plan_group, group_status in status_by_group.items()
    )
    total_estimate = sum(remaining_estimates, EpisodeEstimate())
    calls_text, tokens_text, _ = _estimate_cells(total_estimate)
    price_text = (
        " for an unknown price"
        if total_estimate.cost is None
        else f", {format_usd(total_estimate.cost)}"
        if total_estimate.cost
        else ""
    )
    tokens_part = f", {tokens_text} tokens{price_text}" if total_estimate.tokens else ""
    return f"The rest takes about {calls_text} calls{tokens_part}."


def _estimate_cells(estimate: EpisodeEstimate) -> list[str]:
    cost_text = "?" if estimate.cost is None else format_usd(estimate.cost, currency_sign="")
    return [f"{estimate.calls:,.0f}", f"{estimate.tokens:,.0f}", cost_text]
