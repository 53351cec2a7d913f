"""`ludens paper`: the tables and figures of the papers, filled from our own log beside the published numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import (
    DbOption,
    InformedOption,
    ModelsOption,
    PlayersOption,
    PoolStudiesOption,
    RawCellsOption,
    StudyOption,
    check_format,
)
from cli.output import CommandFailed, UsageError, print_data, print_json, print_message
from cli.tables import TextTable, print_tables
from engine.core.wording import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.results.papers.cells import PaperCell
    from engine.results.papers.filling import PaperTable
    from engine.results.papers.gaps import GameShortfall
    from engine.results.papers.layouts import PaperBlock, PaperRow, Sources

OUTPUT_FORMATS = ("table", "csv", "json", "svg")
LIST_TABLES_ARGUMENT = "list"
MAX_LISTED_EXPERIMENTS = 3
"""Experiments that a note names one by one."""
NOT_PLAYED_TEXT = "–"


def paper(
    name: Annotated[
        str, typer.Argument(metavar="TABLE", help='Such as multimodal/table-1, or "list".')
    ] = LIST_TABLES_ARGUMENT,
    selection: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="SELECTION", help="Only games of GAME[/VARIANT[/EXPERIMENT]]; can be repeated."),
    ] = None,
    format: Annotated[str, typer.Option("--format", help="table, csv, json or svg")] = "table",
    file: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file instead of the terminal.")
    ] = None,
    player: PlayersOption = None,
    people: Annotated[
        bool, typer.Option("--people", help="Only rows with people, and how many more games they need.")
    ] = False,
    models: ModelsOption = False,
    informed: InformedOption = False,
    study: StudyOption = None,
    pool_studies: PoolStudiesOption = False,
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Fill a table or figure of the papers from your log.

    `ludens paper list` names all that report results. A table has the layout of the paper, 95 % intervals, n, and what
    is missing. Published rows stand with them, are marked, and enter no average. Games with other settings than the
    defaults have rows of their own. Rows with people have intervals over people and instances, which need 8 of each;
    `--people` says how many more games that takes, for one table or with `list` for all.
    """
    is_list = name.lower() == LIST_TABLES_ARGUMENT
    _check_arguments(name, is_list, format, file)
    if is_list and not people:
        _print_table_list()
        return
    from cli.log_access import build_filter, build_registry, open_store, read_results
    from cli.settings import load_settings
    from engine.results.papers.entries import PAPER_ENTRIES
    from engine.results.papers.filling import fill_table, make_sources
    from engine.results.pooling import pool_studies as pool

    settings = load_settings(db=db)
    registry = build_registry(settings)
    result_filter = build_filter(registry, selection, player, people=people, selects_models=models, study=study)
    with open_store(settings.db) as store:
        results = read_results(store, registry, selection)
        episodes = results.list_episodes(result_filter.matches)
        episodes = pool(episodes) if pool_studies else episodes
        paper_sources = make_sources(results, episodes, store, registry, include_informed_players=informed)
        if is_list:
            _print_needed_games([paper_entry.name for paper_entry in PAPER_ENTRIES], paper_sources)
            return
        paper_table = fill_table(name, paper_sources)
        people_game_shortfalls = _find_people_game_shortfalls(paper_table, paper_sources) if people else []
    _write_table(paper_table, people_game_shortfalls, format, file, raw_cells=raw_cells)


def _check_arguments(table_name: str, is_list: bool, output_format: str, out_path: Path | None) -> None:
    """Raise `UsageError` for an unknown table, a format that it cannot have, or a file that cannot be written."""
    from engine.results.papers.entries import UnknownPaperTable, find_entry

    check_format(output_format, OUTPUT_FORMATS)
    if is_list:
        if output_format != "table" or out_path is not None:
            raise UsageError("the list is only printed: leave out --format and -o, or name a table")
        return
    if out_path is not None and not out_path.parent.is_dir():
        raise UsageError(f"-o {out_path}: the folder {out_path.parent} does not exist; create it, or name another")
    try:
        find_entry(table_name)
    except UnknownPaperTable as error:
        raise UsageError(str(error.args[0])) from None


def _print_table_list() -> None:
    from engine.results.papers.entries import PAPER_ENTRIES, list_documents

    documents = list_documents()
    tables = [
        TextTable(
            ["name", "in the document", "what it shows"],
            [
                [paper_entry.name, paper_entry.place, paper_entry.title]
                for paper_entry in PAPER_ENTRIES
                if paper_entry.name.startswith(f"{document}/")
            ],
            title=document_title,
        )
        for document, document_title in documents.items()
    ]
    print_tables(tables)
    print_message("`ludens paper NAME` fills one from your log. Tables of examples, prompts and models are not listed.")


# ---------------------------------------------------------------------- people
def _find_people_game_shortfalls(paper_table: PaperTable, paper_sources: Sources) -> list[GameShortfall]:
    from engine.results.papers.gaps import find_people_game_shortfalls

    return find_people_game_shortfalls(paper_table.entry.games, paper_sources)


def _print_needed_games(table_names: Sequence[str], paper_sources: Sources) -> None:
    """Print for each table how many more games with people it needs."""
    from engine.results.papers.entries import find_entry
    from engine.results.papers.gaps import find_people_game_shortfalls

    lines = []
    for table_name in table_names:
        shortfalls = find_people_game_shortfalls(find_entry(table_name).games, paper_sources)
        for row_name in dict.fromkeys(shortfall.row for shortfall in shortfalls) or ["person"]:
            row_shortfalls = [shortfall for shortfall in shortfalls if shortfall.row == row_name]
            interval_game_count = sum(shortfall.games_for_interval or 0 for shortfall in row_shortfalls)
            lines.append(
                [
                    table_name,
                    row_name,
                    str(interval_game_count),
                    str(sum(shortfall.games_for_instances for shortfall in row_shortfalls)),
                ]
            )
    column_headings = ["table", "players", "for intervals", "for all instances"]
    print_tables(
        [
            TextTable(
                column_headings, lines, title="More games with people", numeric_headings=frozenset(column_headings[2:])
            )
        ]
    )
    print_message(
        "for intervals: more games until each experiment has 8 people and 8 instances. for all instances: until each "
        "was played once. A game counts for every table that has its experiment."
    )


def _build_shortfall_table(shortfalls: Sequence[GameShortfall]) -> TextTable:
    table_lines = [
        [
            *(
                shortfall.row,
                shortfall.selection,
                str(shortfall.n),
                str(shortfall.people),
                f"{shortfall.instances} of {shortfall.available}",
            ),
            *(str(shortfall.games_for_interval), str(shortfall.games_for_instances)),
        ]
        for shortfall in shortfalls
    ]
    column_headings = ["players", "experiment", "n", "people", "instances", "for intervals", "for all instances"]
    return TextTable(
        column_headings, table_lines, title="More games with people", numeric_headings=frozenset(column_headings[2:])
    )


# ---------------------------------------------------------------------- output
def _write_table(
    paper_table: PaperTable,
    people_game_shortfalls: Sequence[GameShortfall],
    file_format: str,
    output_path: Path | None,
    *,
    raw_cells: bool,
) -> None:
    if file_format == "table":
        if output_path is not None:
            raise UsageError(f"-o {output_path}: choose --format csv, json or svg for a file")
        _print_table(paper_table, people_game_shortfalls)
        return
    if file_format == "svg":
        from engine.results.papers.drawing import draw_table

        if not paper_table.blocks:
            raise CommandFailed(f"{paper_table.entry.name}: nothing to draw. {_suggest_run(paper_table)}")
        file_text = draw_table(paper_table).decode()
    elif file_format == "csv":
        file_text = paper_table.as_csv(raw_cells=raw_cells)
    else:
        if output_path is None:
            print_json(paper_table.as_json())
            return
        import json

        file_text = json.dumps(paper_table.as_json(), ensure_ascii=False, indent=1) + "\n"
    if output_path is None:
        print_data(file_text.rstrip("\n"))
        return
    output_path.write_text(file_text, encoding="utf-8", newline="")
    print_message(f"{output_path}: {paper_table.entry.title}, {plural(len(paper_table.own_rows), 'row')} of our own.")


def _print_table(paper_table: PaperTable, people_game_shortfalls: Sequence[GameShortfall]) -> None:
    paper_entry = paper_table.entry
    paper_title = f"{paper_entry.title} ({paper_entry.place})"
    tables = [
        _build_block_table(
            block, paper_entry.decimals, ". ".join(filter(None, (paper_title if block_index == 0 else "", block.title)))
        )
        for block_index, block in enumerate(paper_table.blocks)
    ]
    print_tables([*tables, *([_build_shortfall_table(people_game_shortfalls)] if people_game_shortfalls else [])])
    notes = [paper_entry.note] if paper_entry.note else []
    if any(paper_row.is_published for block in paper_table.blocks for paper_row in block.rows):
        notes.append("†: published, on other instances than ours; in no average.")
    if paper_table.own_rows:
        notes.append("[low, high]: 95 % interval. n: games that count.")
        notes += [] if people_game_shortfalls else _describe_shortfalls(paper_table.shortfalls)
    elif not people_game_shortfalls:
        notes.append(_suggest_run(paper_table))
    if people_game_shortfalls:
        interval_game_count = sum(shortfall.games_for_interval or 0 for shortfall in people_game_shortfalls)
        instance_game_count = sum(shortfall.games_for_instances for shortfall in people_game_shortfalls)
        notes.append(
            f"Needed: {plural(interval_game_count, 'more game')} until each experiment has 8 people and 8 instances, "
            f"{instance_game_count:,} until all instances were played."
        )
    for table_note in notes:
        print_message(table_note)


def _suggest_run(paper_table: PaperTable) -> str:
    run_command = f"ludens run {' '.join(paper_table.entry.games)} {paper_table.entry.seating}"
    return f"No game in this log fits it, or none that was selected: `{run_command}` plays some."


def _describe_shortfalls(shortfalls: Sequence[GameShortfall]) -> list[str]:
    """Return what rows have not played, a line for all rows that lack the same."""
    players_by_missing_games: dict[str, list[str]] = {}
    for row_name in dict.fromkeys(shortfall.row for shortfall in shortfalls):
        experiments_by_shortfall: dict[tuple[str, int, int], list[str]] = {}
        for shortfall in shortfalls:
            if shortfall.row == row_name:
                variant, _, experiment = shortfall.selection.rpartition("/")
                experiments_by_shortfall.setdefault((variant, shortfall.instances, shortfall.available), []).append(
                    experiment
                )
        variant_texts = [
            f"{variant}: {played_count} of {instance_count} instances of {', '.join(experiments)}"
            if len(experiments) <= MAX_LISTED_EXPERIMENTS
            else f"{variant}: {played_count} of {instance_count} instances of each of {len(experiments)} experiments"
            for (variant, played_count, instance_count), experiments in experiments_by_shortfall.items()
        ]
        players_by_missing_games.setdefault("; ".join(variant_texts), []).append(row_name)
    return [
        f"Incomplete: {', '.join(row_names)}: {shortfall_text}."
        for shortfall_text, row_names in players_by_missing_games.items()
    ]


def _build_block_table(block: PaperBlock, decimals: int, title: str) -> TextTable:
    """Return a block as text: intervals below the values, n and the number of people in columns of their own."""
    has_people = any(cell and cell.people is not None for paper_row in block.rows for cell in paper_row.cells)
    count_column_headings = ["n", *(["people"] if has_people else [])]
    column_headings = [
        block.row_heading,
        *("\n".join(filter(None, (column_heading.group, column_heading.name))) for column_heading in block.headings),
        *count_column_headings,
    ]
    table_lines = [
        [
            f"† {paper_row.label}" if paper_row.is_published else paper_row.label,
            *(_format_cell(cell, decimals) for cell in paper_row.cells),
            *_format_counts(paper_row, has_people=has_people),
        ]
        for paper_row in block.rows
    ]
    marked_row_indices = frozenset(
        row_index for row_index, paper_row in enumerate(block.rows) if paper_row.is_published
    )
    return TextTable(
        column_headings,
        table_lines,
        title=title,
        numeric_headings=frozenset(column_headings[1:]),
        marked_row_indices=marked_row_indices,
    )


def _format_cell(cell: PaperCell | None, decimals: int) -> str:
    from engine.results.papers.cells import format_decimals

    if cell is None:
        return NOT_PLAYED_TEXT
    estimate = cell.estimate
    value_text = format_decimals(estimate.value, decimals)
    if estimate.low is None or estimate.high is None:
        return value_text
    interval_decimals = max(0, decimals - 1) if estimate.high > 1 else decimals
    return f"{value_text}\n[{estimate.low:.{interval_decimals}f}, {estimate.high:.{interval_decimals}f}]"


def _format_counts(paper_row: PaperRow, *, has_people: bool) -> list[str]:
    """Return n and the number of people of a row, as ranges where columns differ."""
    if paper_row.is_published:
        return ["", ""][: 1 + has_people]
    cells = [cell for cell in paper_row.cells if cell]
    people_counts = [cell.people for cell in cells if cell.people is not None]
    return [_format_range([cell.n for cell in cells]), *([_format_range(people_counts)] if has_people else [])]


def _format_range(counts: Sequence[int]) -> str:
    if not counts:
        return ""
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
