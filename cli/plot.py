"""`ludens plot`: a figure of results as a file, drawn, or as the numbers behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Db, Informed, Models, People, Players, Selection
from cli.words import Failed, Wrong, say

FORMATS = ("svg", "png", "csv")


def plot(
    name: Annotated[str, typer.Argument(help="difficulty, modality, distance, heatmap or leaderboard.")],
    selection: Selection = None,
    file: Annotated[Path | None, typer.Option("--out", help="FILE.svg, FILE.png or FILE.csv")] = None,
    player: Players = None,
    people: People = False,
    models: Models = False,
    informed: Informed = False,
    dark: Annotated[bool, typer.Option("--dark", help="For a dark page.")] = False,
    db: Db = None,
) -> None:
    """Draw a figure of results, or write its numbers.

    difficulty: mean main score per experiment and player. modality: clemscore in text minus clemscore in pictures.
    distance: Map World's g2x, how many found the room by its distance. heatmap: players by experiments. leaderboard:
    quality against % played. All with 95 % intervals; games of sides are in none.
    """
    from cli.settings import load
    from cli.stored import choice_of, opened, registry_of, results_of
    from engine.results import figures, plots
    from engine.results.leaderboard import players_of

    try:
        figures.find_figure(name)
    except figures.UnknownFigure as error:
        raise Wrong(str(error)) from None
    format = file.suffix.removeprefix(".").lower() if file else ""
    if file is None or format not in FORMATS:
        raise Wrong(f"--out {file or 'is missing'}: name a file that ends in .svg, .png or .csv")
    if not file.parent.is_dir():
        raise Wrong(f"--out {file}: there is no folder {file.parent}; make it, or name another")
    settings = load(db=db)
    registry = registry_of(settings)
    asked = choice_of(registry, selection, player, people, models)
    with opened(settings.db) as store:
        results = results_of(store, registry, selection)
    missing = {id_: planned for id_, planned in results.missing.items() if asked.matches(planned.condition)}
    episodes = results.episodes_of(asked.matches)
    if results.episodes and not episodes and not selection:
        raise Failed(f"no episode with such a player; those there are: {', '.join(players_of(results.episodes))}")
    try:
        made = figures.figure_rows(name, episodes, registry, informed=informed, missing=missing)
    except figures.NothingToDraw as error:
        raise Failed(str(error)) from None
    if format == "csv":
        file.write_text(figures.figure_csv(made), encoding="utf-8", newline="")
    else:
        file.write_bytes(plots.draw_figure(name, made, format="png" if format == "png" else "svg", dark=dark))
    say(f"{file}: {figures.FIGURES[name].title}, {len(made)} rows.")
