"""`ludens compare`: two players on the same instances, paired, with what is left out said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Db, Selection
from cli.sheets import Sheet, show
from cli.words import Wrong, out, say

if TYPE_CHECKING:
    from engine.results.comparison import Comparison, ComparisonRow, Difference

FORMATS = ("table", "json")
HEADS = ("game", "experiment", "score", "pairs", "first", "second", "difference", "p", "better/equal/worse")
NUMERIC = frozenset(("pairs", "first", "second", "difference", "p"))


def compare(
    first: Annotated[str, typer.Argument(help="A player: person, openai/MODEL, scripted; with or without parameters.")],
    second: Annotated[str, typer.Argument(help="The player to compare it with.")],
    selection: Selection = None,
    format: Annotated[str, typer.Option("--format", help="table or json")] = "table",
    db: Db = None,
) -> None:
    """Compare two players on the same instances.

    Either may be `person`. A pair has the same instance, settings, seats and company. Difference: first minus second
    in points, with a 95 % bootstrap interval over pairs and the p-value of an exact sign-flip test. First exposures of
    people only; informed, mixed, practice and watched-live episodes are left out and counted.
    """
    from cli.settings import load
    from cli.stored import choice_of, opened, registry_of, results_of
    from engine.results import comparison
    from engine.results.leaderboard import player_matchers, players_of
    from engine.storage.seat_links import repeat_exposures

    if format not in FORMATS:
        raise Wrong(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    settings = load(db=db)
    registry = registry_of(settings)
    names = [registry.resolve(name) for name in (first, second)]
    with opened(settings.db) as store:
        counted = results_of(store, registry, selection).episodes_of(
            choice_of(registry, selection, (), False, False).matches
        )
        watched, repeated = store.watched_episodes(), repeat_exposures(store)
    repeated |= {result.episode for result in counted if result.seen_before}
    seated = players_of(counted)
    try:
        meant = player_matchers(registry, first, second, seated)
    except LookupError as error:
        raise Wrong(str(error.args[0])) from None
    made = comparison.compare(counted, meant[0], meant[1], watched=watched, repeated=repeated)
    players = {
        part: {"player": name, "seated": [player for player in seated if covers(player)]}
        for part, name, covers in zip(("first", "second"), names, meant, strict=True)
    }
    if format == "json":
        out(json.dumps({**players, **asdict(made)}, ensure_ascii=False, indent=1))
        return
    show([_sheet(made, players)])
    say("p: two-sided, exact, each row for itself. quality: both played to the end. score_all: aborted as 0.")


def _sheet(made: Comparison, players: dict[str, dict[str, Any]]) -> Sheet:
    lines = []
    for row in made.rows:
        where = [f"{row.game}/{row.variant}", row.experiment or ""] if row.game else ["all", ""]
        if row.quality == row.score_all:
            lines.append([*where, "both", *_numbers(row.score_all)])
        else:
            lines.append([*where, "quality", *_numbers(row.quality)])
            lines.append([*where, "score_all", *_numbers(row.score_all)])
    notes = [f"{part}: {', '.join(told['seated'])}" for part, told in players.items()]
    for part, told in made.left_out.items():
        reasons = ", ".join(f"{n} {reason}" for reason, n in told.items() if n)
        notes.append(f"left out of {part}: {reasons or 'nothing'}")
    if any(told["conditions"] for told in made.left_out.values()):
        notes.append(
            "conditions: the other met these instances under other settings, reminders, prompts, seats or company"
        )
    notes += _agreement(made.rows, players)
    return Sheet(HEADS, lines, notes, numeric=NUMERIC)


def _numbers(difference: Difference) -> list[str]:
    if not difference.n:
        return ["0", "–", "–", "–", "–", "–"]
    return [
        str(difference.n),
        f"{difference.first:.2f}",
        f"{difference.second:.2f}",
        f"{difference.difference:+.2f} [{difference.low:+.1f}, {difference.high:+.1f}]",
        f"{difference.p:.3g}",
        f"{difference.better}/{difference.equal}/{difference.worse}",
    ]


def _agreement(rows: Sequence[ComparisonRow], players: dict[str, dict[str, Any]]) -> list[str]:
    """Say how far each player agrees with itself (people: with each other) on instances played more than once."""
    lines = []
    for row in rows:
        for part, told in players.items():
            agreement = row.agreement[part]
            if agreement.same is not None:
                where = f"{row.game}/{row.variant}/{row.experiment}" if row.game else "all"
                alpha = "–" if agreement.alpha is None else f"{agreement.alpha:.2f}"
                lines.append(
                    f"agreement of {told['player']}, {where}: {agreement.instances} instances repeated, "
                    f"{agreement.episodes} episodes; {100 * agreement.same:.0f} % of pairs with the same score, "
                    f"{agreement.apart:.1f} points apart, Krippendorff's alpha {alpha}"
                )
    return lines
