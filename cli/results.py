"""`ludens results`: what came out, as a table for people or rows for programs."""

from __future__ import annotations

import csv
import html
import io
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.words import Wrong, console, out, say

FORMATS = ("table", "csv", "json", "html")
ASIDE = ("faults", "open", "abandoned", "mixed", "practice", "informed")


def results(
    selection: Annotated[
        list[str] | None, typer.Argument(help="GAME[/VARIANT[/EXPERIMENT]]; all when left out.")
    ] = None,
    format: Annotated[str, typer.Option("--format", help="table, csv, json or html")] = "table",
    informed: Annotated[
        bool, typer.Option("--informed", help="Count people who chose their experiment or instance.")
    ] = False,
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Show what came out, with 95 % intervals.

    n counts episodes with an outcome. Left out of every average, and counted beside: episodes stalled by a fault
    (faults), still open, abandoned, with more than one player at a seat (mixed), practice, and those of people who
    chose their experiment (informed). quality is the mean main score of played episodes, score_all counts aborted ones
    as 0.
    """
    from cli.settings import load
    from cli.stored import catalogue_of, chosen, opened, results_of
    from engine.scoring import clemscores, rows

    if format not in FORMATS:
        raise Wrong(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    settings = load(db=db)
    catalogue = catalogue_of(settings)
    with opened(settings.db) as store:
        counted = results_of(store, catalogue, chosen(store, selection, catalogue))
    games = catalogue.games
    sides = {name: game.sides for name, game in games.items() if game.adversarial}
    apart = {name for name, game in games.items() if not game.clemscore}
    summaries = {name: summary for name in games if (summary := catalogue.summary(name))}
    made = rows(counted, sides=sides, summaries=summaries, informed=informed)
    clem = clemscores(counted, leave_out=apart | set(sides), informed=informed)
    if format == "json":
        out(json.dumps({"rows": made, "clemscores": clem}, ensure_ascii=False, indent=1))
    elif format == "csv":
        out(_csv(made))
    elif format == "html":
        out(_html(made, clem))
    else:
        _table(made, clem)


def _csv(made: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    columns = list(made[0]) if made else ["game", "variant", "experiment", "seats", "side", "n", "played", "quality"]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    for row in made:
        own = json.dumps(row["own"]) if row["own"] else None
        writer.writerow(row | {"seats": _seats(row), "settings": json.dumps(row["settings"]), "own": own})
    return text.getvalue().rstrip("\n")


def _seats(row: dict[str, Any]) -> str:
    players = set(row["seats"].values())
    if len(players) == 1:
        return f"all={players.pop()}"
    return " ".join(f"{seat}={player}" for seat, player in row["seats"].items())


def _cells(row: dict[str, Any], settings: bool) -> list[str]:
    aside = ", ".join(f"{row[name]} {name}" for name in ASIDE if row[name])
    names = [
        f"{row['game']}/{row['variant']}",
        row["experiment"],
        _seats(row) + (f" ({row['side']})" if row["side"] else ""),
    ]
    shown = " ".join(f"{name}={value}" for name, value in row["settings"].items())
    played = _interval(row, "played") + (" by form" if row["people"] else "")
    if row["reprompt"]:
        shown += f" reprompt={row['reprompt']}"
    numbers = [str(row["n"]), played, _interval(row, "quality"), _number(row["score_all"]), aside]
    return [*names, *([shown] if settings else []), *numbers]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(row: dict[str, Any], name: str) -> str:
    if row[name] is None:
        return "–"
    return f"{row[name]:.2f} [{row[f'{name}_low']:.0f}, {row[f'{name}_high']:.0f}]"


def _heads(settings: bool) -> list[str]:
    return [
        *("game", "experiment", "seats"),
        *(["settings"] if settings else []),
        *("n", "% played", "quality", "score_all", "left out"),
    ]


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
    return [
        f"{row['game']}/{row['variant']}/{row['experiment']}, {_seats(row)}: "
        + ", ".join(f"{name} {_number(value)}" for name, value in row["own"].items())
        for row in made
        if row["own"]
    ]


def _table(made: list[dict[str, Any]], clem: list[dict[str, Any]]) -> None:
    if not made:
        say("No episodes yet. `ludens run` plays some.")
        return
    from rich import box
    from rich.table import Table

    settings = len({json.dumps([row["settings"], row["reprompt"]]) for row in made}) > 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in _heads(settings):
        table.add_column(head, justify="right" if head in ("n", "% played", "quality", "score_all") else "left")
    for row in made:
        table.add_row(*_cells(row, settings))
    screen = console()
    screen.print(table)
    for line in (*_own_lines(made), *_clem_lines(clem)):
        screen.print(line)
    say("n: episodes with an outcome. [low, high]: 95 % interval. score_all: quality with aborted episodes as 0.")


def _html(made: list[dict[str, Any]], clem: list[dict[str, Any]]) -> str:
    def cells(tag: str, values: list[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(value)}</{tag}>" for value in values) + "</tr>"

    body = "\n".join(cells("td", _cells(row, True)) for row in made)
    lines = "\n".join(f"<p>{html.escape(line)}</p>" for line in (*_own_lines(made), *_clem_lines(clem)))
    style = (
        "body{font:15px system-ui;margin:2em}table{border-collapse:collapse}td,th{padding:.3em .8em;text-align:left}"
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Ludens results</title>\n'
        f"<style>{style}tr:nth-child(even){{background:#f2f2f2}}</style>\n<h1>Ludens results</h1>\n"
        f"<table>\n{cells('th', _heads(True))}\n{body}\n</table>\n{lines}\n</html>"
    )
