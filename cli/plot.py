"""`ludens plot`: a figure of results as a file: drawn, or as the numbers behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import (
    DbOption,
    InformedOption,
    ModelsOption,
    PeopleOption,
    PlayersOption,
    PoolStudiesOption,
    RawCellsOption,
    SelectionArgument,
    StudyOption,
)
from cli.output import CommandFailed, UsageError, print_message

IMAGE_FORMATS = ("svg", "png", "csv")


def plot(
    name: Annotated[str, typer.Argument(help="difficulty, modality, distance, heatmap or leaderboard.")],
    selection: SelectionArgument = None,
    file: Annotated[Path | None, typer.Option("--out", help="FILE.svg, FILE.png or FILE.csv")] = None,
    player: PlayersOption = None,
    people: PeopleOption = False,
    models: ModelsOption = False,
    informed: InformedOption = False,
    study: StudyOption = None,
    pool_studies: PoolStudiesOption = False,
    dark: Annotated[bool, typer.Option("--dark", help="For a dark page.")] = False,
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Draw a figure of results, or write its numbers.

    difficulty: mean main score per experiment and player. modality: clemscore in text minus clemscore in pictures.
    distance: Map World's g2x, the share of players that found the room, by its distance. heatmap: players by
    experiments. leaderboard: quality against % played. All have 95 % intervals. Games with sides are not included.
    """
    from cli.log_access import build_filter, build_registry, check_players, open_store, read_results
    from cli.settings import load_settings
    from engine.results import figures, plots, pooling
    from engine.results.leaderboard import list_players

    try:
        figures.find_figure(name)
    except figures.UnknownFigure as error:
        raise UsageError(str(error)) from None
    format = file.suffix.removeprefix(".").lower() if file else ""
    if file is None or format not in IMAGE_FORMATS:
        raise UsageError(f"--out {file or 'is missing'}: name a file that ends in .svg, .png or .csv")
    if not file.parent.is_dir():
        raise UsageError(f"--out {file}: the folder {file.parent} does not exist; create it, or name another")
    settings = load_settings(db=db)
    registry = build_registry(settings)
    result_filter = build_filter(registry, selection, player, people=people, selects_models=models, study=study)
    with open_store(settings.db) as store:
        results = read_results(store, registry, selection)
        check_players(result_filter, results)
    missing_groups = {
        condition_id: missing_group
        for condition_id, missing_group in results.missing_episodes_by_condition.items()
        if result_filter.matches(missing_group.condition)
    }
    episodes = results.list_episodes(result_filter.matches)
    if pool_studies:
        episodes = pooling.pool_studies(episodes)
    if results.episodes and not episodes and not selection:
        raise CommandFailed(f"no episode with such a player; there are: {', '.join(list_players(results.episodes))}")
    try:
        plot_rows = figures.make_figure_rows(
            name, episodes, registry, include_informed_players=informed, missing_episodes=missing_groups
        )
    except figures.NoEpisodesForFigure as error:
        raise CommandFailed(f"{name}: nothing to draw. {error}") from None
    if format == "csv":
        file.write_text(figures.format_figure_csv(plot_rows, raw_cells=raw_cells), encoding="utf-8", newline="")
    else:
        file.write_bytes(plots.draw_figure(name, plot_rows, format="png" if format == "png" else "svg", is_dark=dark))
    print_message(f"{file}: {figures.FIGURE_BY_NAME[name].title}, {len(plot_rows)} rows.")
