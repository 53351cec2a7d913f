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

CROSS_OPTION = "--cross"
ESTIMATE_COLUMNS = ("calls", "tokens", "USD")


class CrossCommand(TyperCommand):
    """A command whose `--cross` takes all words up to the next option: `--cross openai/a openai/b scripted`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write `--cross A B` as `--cross A --cross B`."""
        expanded_words: list[str] = []
        is_crossing = False
        for word in args:
            if word.startswith("-"):
                is_crossing = word == CROSS_OPTION
                expanded_words += [] if is_crossing else [word]
            else:
                expanded_words += [CROSS_OPTION, word] if is_crossing else [word]
        if CROSS_OPTION in args and CROSS_OPTION not in expanded_words:
            raise UsageError("--cross needs the players to seat in all combinations: --cross scripted random")
        return super().parse_args(ctx, expanded_words)


def build_plan(
    registry: Registry,
    selection: list[str],
    file: Path | None,
    seats: dict[str, str],
    cross: list[str],
    options: dict[str, Any],
    *,
    all_seatings: bool = False,
) -> Plan:
    """Return the plan that the options describe. Raises `UsageError` if they are contradictory or incomplete."""
    from engine.play.plan_file import read_plan
    from engine.play.plans import Plan

    if file:
        if selection or seats or cross or all_seatings:
            raise UsageError("--plan FILE already says who plays what: leave out selections, --seat and --cross")
        return read_plan(file, registry, **options)
    if not selection and cross:
        raise UsageError(f"--cross takes all words after it ({' '.join(cross)}): write the selection before --cross")
    if not selection:
        raise UsageError(
            "name what to play: a game, such as `ludens run matchit/text --seat all=scripted`, or a plan, "
            "--plan FILE.toml; `ludens games` lists all games"
        )
    if cross:
        if seats:
            raise UsageError("--cross seats its players in all combinations: leave out --seat")
        return Plan.cross_players(registry, selection, cross, all_seatings=all_seatings, **options)
    if all_seatings:
        raise UsageError("--all-seatings says how --cross seats its players: add --cross PLAYER PLAYER …")
    return Plan.of(registry, selection, [seats], **options)


def show_plan(
    plan: Plan, statuses: dict[PlanGroup, PlanStatus], estimates: dict[PlanGroup, EpisodeEstimate] | None = None
) -> None:
    """Print a plan: a line per group of episodes, with their number by status and an estimate for the rest."""
    from rich.box import SIMPLE
    from rich.table import Table

    plan_table = Table(box=SIMPLE, pad_edge=False)
    for head in ("game", "seats"):
        plan_table.add_column(head, overflow="fold")
    for head in ("planned", "over", "aborted", "stalled", "open", "missing", *(ESTIMATE_COLUMNS if estimates else ())):
        plan_table.add_column(head, justify="right")
    for group, status in statuses.items():
        counts = [status.planned, status.over, status.aborted, status.stalled, status.open, status.missing]
        estimate = _estimate_cells(estimates[group].times(status.planned - status.over)) if estimates else []
        seats_text = " ".join(f"{seat}={player}" for seat, player in group.seating)
        plan_table.add_row(f"{group.game}/{group.variant}", seats_text, *(f"{count:,}" for count in counts), *estimate)
    make_console().print(plan_table)
    over_count = sum(status.over for status in statuses.values())
    total_text = f" {_total_estimate(statuses, estimates)}" if estimates else ""
    print_message(f"{len(plan):,} episodes are planned, {over_count:,} are over.{total_text}")


def _total_estimate(statuses: dict[PlanGroup, PlanStatus], estimates: dict[PlanGroup, EpisodeEstimate]) -> str:
    """Return a sentence about what all episodes that are not over may take."""
    from engine.play.estimate import EpisodeEstimate

    remaining_estimates = (estimates[group].times(status.planned - status.over) for group, status in statuses.items())
    total_estimate = sum(remaining_estimates, EpisodeEstimate())
    calls, tokens, _ = _estimate_cells(total_estimate)
    price = (
        " for an unknown price"
        if total_estimate.cost is None
        else f", {format_usd(total_estimate.cost)}"
        if total_estimate.cost
        else ""
    )
    return f"The rest takes about {calls} calls" + (f", {tokens} tokens{price}" if total_estimate.tokens else "") + "."


def _estimate_cells(estimate: EpisodeEstimate) -> list[str]:
    cost = "?" if estimate.cost is None else format_usd(estimate.cost, sign="")
    return [f"{estimate.calls:,.0f}", f"{estimate.tokens:,.0f}", cost]
