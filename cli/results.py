"""`ludens results`: what came out, as a table for people or rows for programs, beside what papers report if asked."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from cli.options import Db, Informed, Models, People, Players, Selection
from cli.sheets import Sheet, page, show
from cli.words import Wrong, out, say

FORMATS = ("table", "csv", "json", "html")
NUMERIC = frozenset(("n", "% played", "quality", "score_all", "rating", "won"))


def results(
    selection: Selection = None,
    format: Annotated[str, typer.Option("--format", help="table, csv, json or html")] = "table",
    player: Players = None,
    people: People = False,
    models: Models = False,
    published: Annotated[
        bool, typer.Option("--published", help="Show what papers report beside, marked, in no average.")
    ] = False,
    informed: Informed = False,
    db: Db = None,
) -> None:
    """Show what came out, with 95 % intervals.

    n counts episodes with an outcome. Left out of every average, and counted beside: episodes stalled by a fault
    (faults), still open, planned by a run and not begun (missing), that their game cannot score (unscored), abandoned,
    with more than one player at a seat (mixed), practice, and those of people who chose their experiment (informed).
    quality is the mean main score of played episodes, score_all counts aborted ones as 0. Games of sides also have
    ratings: 400 points are odds of ten to one.
    """
    from cli.settings import load
    from cli.stored import choice_of, opened, registry_of, results_of
    from engine.results import leaderboard
    from engine.results.clemscore import clemscores
    from engine.results.published import published_rows
    from engine.results.rating import rating_tables

    if format not in FORMATS:
        raise Wrong(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    settings = load(db=db)
    registry = registry_of(settings)
    asked = choice_of(registry, selection, player, people, models)
    with opened(settings.db) as store:
        there = results_of(store, registry, selection)
    games = {condition.game for condition in there.conditions}
    apart = leaderboard.games_without_clemscore(registry, games)
    stored = there.of(asked.within)
    made: dict[str, list[dict[str, Any]]] = {
        "rows": there.rows(asked.holds, informed=informed),
        "clemscores": clemscores(there.of(asked.holds), leave_out=apart, informed=informed),
        "ratings": asked.rated(rating_tables(stored, there.sides, informed=informed)),
    }
    theirs = leaderboard.select_published(published_rows(registry), asked.parts, made["rows"]) if published else []
    beside = leaderboard.group_published(theirs)
    if format == "json":
        told = made | ({"published": [row.as_json() for row in theirs]} if published else {})
        out(json.dumps(told, ensure_ascii=False, indent=1))
    elif format == "csv":
        out(leaderboard.results_csv(made["rows"], beside, published).rstrip("\n"))
    elif not (made["rows"] or theirs) and format == "table":
        filtered = stored and "No episode with such a player; those there are: " + ", ".join(
            leaderboard.players_of(stored)
        )
        named = f"No episodes of {', '.join(selection)} yet." if selection else "No episodes yet."
        say(filtered or f"{named} `ludens run` plays some.")
    else:
        sheets = [_results(made, beside, format == "html"), *map(_rated, made["ratings"])]
        if format == "html":
            out(page(sheets, "Ludens results"))
        else:
            show(sheets)
            say("n: episodes with an outcome. [low, high]: 95 % interval. score_all: quality with aborted ones as 0.")


# ---------------------------------------------------------------------- tables
def _results(made: dict[str, list[dict[str, Any]]], theirs: list[dict[str, Any]], settings: bool) -> Sheet:
    """Return rows and clemscores as one sheet; published rows stand below ours of the same experiment."""
    from engine.results.leaderboard import NUMBERS

    ours = made["rows"]
    settings = settings or len({json.dumps([row["settings"], row["reprompt"]]) for row in ours}) > 1
    in_columns = [row for row in theirs if row["game"] and any(name in row["numbers"] for name in NUMBERS)]
    others = [row for row in theirs if row not in in_columns]
    lines = [(_place(row), 0, _cells(row, settings)) for row in ours]
    lines += [(_place(row), 1, _published_cells(row, settings)) for row in in_columns]
    lines.sort(key=lambda line: line[:2])
    sources = dict.fromkeys(f"† {row['source']}: {row['says']}." for row in theirs)
    notes = [*_own_lines(ours), *_clem_lines(made["clemscores"]), *map(_published_line, others), *sources]
    heads = [
        *("game", "experiment", "seats"),
        *(["settings"] if settings else []),
        *("n", "% played", "quality", "score_all", "left out"),
    ]
    marked = frozenset(number for number, line in enumerate(lines) if line[1])
    return Sheet(heads, [line[2] for line in lines], notes, numeric=NUMERIC, marked=marked)


def _place(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["game"], row["variant"] or "", row["experiment"] or ""


def _cells(row: dict[str, Any], settings: bool) -> list[str]:
    from engine.results.exclusion import EXCLUSION_REASONS
    from engine.results.leaderboard import seats_text

    aside = ", ".join(f"{row[name]} {name}" for name in (*EXCLUSION_REASONS, "missing") if row[name])
    names = [
        f"{row['game']}/{row['variant']}",
        row["experiment"],
        seats_text(row["seats"]) + (f" ({row['side']})" if row["side"] else ""),
    ]
    shown = " ".join(f"{name}={value}" for name, value in row["settings"].items())
    played = _interval(row, "played") + (" by form" if row["people"] else "")
    if row["reprompt"]:
        shown += f" reprompt={row['reprompt']}"
    numbers = [str(row["n"]), played, _interval(row, "quality"), _number(row["score_all"]), aside]
    return [*names, *([shown] if settings else []), *numbers]


def _published_cells(row: dict[str, Any], settings: bool) -> list[str]:
    from engine.results.leaderboard import NUMBERS

    names = [_where(row), row["experiment"] or "all", f"† {row['model']}"]
    numbers = [_number(row["numbers"].get(name)) for name in NUMBERS]
    return [*names, *([""] if settings else []), "", *numbers, f"published, {row['source'].rpartition(', ')[2]}"]


def _where(row: dict[str, Any]) -> str:
    return f"{row['game']}/{row['variant']}" if row["variant"] else str(row["game"])


def _published_line(row: dict[str, Any]) -> str:
    numbers = ", ".join(f"{name} {value:g}" for name, value in row["numbers"].items())
    where = _where(row) if row["game"] else "pictures"
    return f"† {where}, {row['model']}, {row['condition']}: {numbers} (published, {row['source'].rpartition(', ')[2]})"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(row: dict[str, Any], name: str) -> str:
    if row[name] is None:
        return "–"
    return f"{row[name]:.2f} [{row[f'{name}_low']:.0f}, {row[f'{name}_high']:.0f}]"


def _clem_lines(clem: list[dict[str, Any]]) -> list[str]:
    lines = []
    for one in clem:
        games = ", ".join(f"{game} (n = {n})" for game, n in one["games"].items())
        notes = [f"reprompt {one['reprompt']}"] if one["reprompt"] else []
        notes += (
            [f"{', '.join(one['unplayed'])}: none played, 0 in % played, not in quality"] if one["unplayed"] else []
        )
        notes += (
            [f"{', '.join(one['mixed_settings'])}: episodes of different settings together"]
            if one["mixed_settings"]
            else []
        )
        lines.append(
            f"{one['players']}, {one['modality']}: clemscore {one['clemscore']:.2f} = {one['played']:.2f} % played"
            f" × quality {_number(one['quality'])}, over {games}" + "".join(f"; {note}" for note in notes)
        )
    return lines


def _own_lines(made: list[dict[str, Any]]) -> list[str]:
    """Say what games say of many episodes themselves."""
    from engine.results.leaderboard import seats_text

    return [
        f"{row['game']}/{row['variant']}/{row['experiment']}, {seats_text(row['seats'])}: "
        + ", ".join(f"{name} {_number(value)}" for name, value in row["own"].items())
        for row in made
        if row["own"]
    ]


# ---------------------------------------------------------------------- games of sides
def _rated(table: dict[str, Any]) -> Sheet:
    """Return the players of a game of sides: rating, games, and how often each won on each side."""
    sides = [row["side"] for row in table["sides"]]
    lines = []
    for row in table["players"]:
        rating = "–" if row["rating"] is None else f"{row['rating']:+.0f} [{row['low']:+.0f}, {row['high']:+.0f}]"
        won = [_won(row["won"].get(side)) for side in sides]
        lines.append([row["player"], rating, str(row["n"]), str(row["wins"]), *won])
    strengths = ", ".join(
        f"{row['side']} {row['strength']:+.0f} [{row['low']:+.0f}, {row['high']:+.0f}]" for row in table["sides"]
    )
    shown = " ".join(f"{name}={value}" for name, value in table["settings"].items())
    notes = [f"Sides, in points: {strengths}."] if strengths else []
    if not table["connected"]:
        notes.append("Some players never met, not even through others: their ratings cannot be compared.")
    if table["left_out"]:
        notes.append("Left out: " + ", ".join(f"{n} {reason}" for reason, n in table["left_out"].items()) + ".")
    title = f"{table['game']}/{table['variant']}, {table['n']} episodes decided ({shown})"
    return Sheet(["player", "rating", "n", "won", *(f"as {side}" for side in sides)], lines, notes, title, NUMERIC)


def _won(side: dict[str, Any] | None) -> str:
    if side is None:
        return "–"
    return f"{side['wins']}/{side['n']}, {side['rate']:.0f} % [{side['rate_low']:.0f}, {side['rate_high']:.0f}]"
