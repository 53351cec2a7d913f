"""Plans at the command line: made of what was asked for, shown with where they stand and what they may take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from cli.words import Wrong, console, say, usd

if TYPE_CHECKING:
    from engine.play.estimate import EpisodeEstimate
    from engine.play.plan_status import PlanStatus
    from engine.play.plans import Plan, PlanGroup
    from engine.play.registry import Registry

CROSS = "--cross"


class Crossing(TyperCommand):
    """A command whose `--cross` takes all words up to the next option: `--cross openai/a openai/b scripted`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Write `--cross A B` as `--cross A --cross B`."""
        written: list[str] = []
        crossing = False
        for word in args:
            if word.startswith("-"):
                crossing = word == CROSS
                written += [] if crossing else [word]
            else:
                written += [CROSS, word] if crossing else [word]
        if CROSS in args and CROSS not in written:
            raise Wrong("--cross names the players to seat in all ways: --cross scripted random")
        return super().parse_args(ctx, written)


def made(
    registry: Registry,
    selection: list[str],
    file: Path | None,
    seats: dict[str, str],
    cross: list[str],
    how: dict[str, Any],
) -> Plan:
    """Return the plan that the options name. Raises `Wrong` where they contradict each other or say too little."""
    from engine.play.plan_file import read_plan
    from engine.play.plans import Plan

    if file:
        if selection or seats or cross:
            raise Wrong("--plan says itself what is played by whom: leave out selections, --seat and --cross")
        return read_plan(file, registry, **how)
    if not selection and cross:
        raise Wrong(f"--cross takes all words after it ({' '.join(cross)}): write what is to be played before it")
    if not selection:
        raise Wrong(
            "what is to be played? Name a game, such as `ludens run matchit/text --seat all=scripted`, or a plan, "
            "--plan FILE.toml; `ludens games` lists all games"
        )
    if cross:
        if seats:
            raise Wrong("--cross seats its players in all ways: leave out --seat")
        return Plan.cross_players(registry, selection, cross, **how)
    return Plan.of(registry, selection, [seats], **how)


def show(
    plan: Plan, found: dict[PlanGroup, PlanStatus], expected: dict[PlanGroup, EpisodeEstimate] | None = None
) -> None:
    """Print a plan: a line for what is played by whom, with how many episodes stand how, and what the rest may take."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False)
    for name in ("game", "seats"):
        table.add_column(name, overflow="fold")
    for name in ("planned", "over", "aborted", "stalled", "open", "missing", *(WHAT if expected else ())):
        table.add_column(name, justify="right")
    for kind, row in found.items():
        figures = [row.planned, row.over, row.aborted, row.stalled, row.open, row.missing]
        more = _figures(expected[kind].times(row.planned - row.over)) if expected else []
        seats = " ".join(f"{seat}={player}" for seat, player in kind.seating)
        table.add_row(f"{kind.game}/{kind.variant}", seats, *(f"{number:,}" for number in figures), *more)
    console().print(table)
    over = sum(row.over for row in found.values())
    say(f"{len(plan):,} episodes are planned, {over:,} are over." + (f" {total(found, expected)}" if expected else ""))


WHAT = ("calls", "tokens", "USD")


def total(found: dict[PlanGroup, PlanStatus], expected: dict[PlanGroup, EpisodeEstimate]) -> str:
    """Say what all that is not over may take."""
    from engine.play.estimate import EpisodeEstimate

    whole = sum((expected[kind].times(row.planned - row.over) for kind, row in found.items()), EpisodeEstimate())
    calls, tokens, _ = _figures(whole)
    money = " for an unknown price" if whole.cost is None else f", {usd(whole.cost)}" if whole.cost else ""
    return f"The rest takes about {calls} calls" + (f", {tokens} tokens{money}" if whole.tokens else "") + "."


def _figures(expected: EpisodeEstimate) -> list[str]:
    cost = "?" if expected.cost is None else usd(expected.cost, sign="")
    return [f"{expected.calls:,.0f}", f"{expected.tokens:,.0f}", cost]
