"""`ludens export`: episodes in the format of another program, in a new folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption, RawCellsOption, SelectionArgument, check_format
from cli.output import CommandFailed, UsageError, print_message

FORMAT_NAMES = "clembench, jsonl, csv, sft, convokit, psych-ds, hf, inspect, gameeval"


def export(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder to write into.")],
    selection: SelectionArgument = None,
    format: Annotated[str, typer.Option("--format", help=FORMAT_NAMES)] = "jsonl",
    people: Annotated[bool, typer.Option("--people", help="Include unpublished episodes with people.")] = False,
    reasoning: Annotated[bool, typer.Option("--reasoning", help="Include the reasoning of models.")] = False,
    min_score: Annotated[float, typer.Option(min=0, max=100, help="sft: the minimum score of an episode.")] = 100,
    by_benchmark: Annotated[
        bool, typer.Option("--by-benchmark", help="clembench: one folder each for text, multimodal and GameEval.")
    ] = False,
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Export episodes in the formats of other programs.

    jsonl: the log. csv: tables. sft: chats for training. convokit: a corpus. psych-ds: a data set. clembench: its
    results. hf: parquet files with a card, for the Hugging Face hub. inspect: logs that `inspect view` opens.
    gameeval: the files that the code of the GameEval paper writes.

    Episodes with people are left out unless they are published or --people is given. No format contains identifiers of
    browsers or people; games of one person share a pseudonym. metadata.json states versions, settings, hashes of
    instances, and what was left out.
    """
    from cli.log_access import build_registry, can_create_files, open_store, parse_selections
    from cli.settings import load_settings
    from engine.formats.export import WRITER_BY_FORMAT, export_episodes
    from engine.formats.hub import PyarrowMissing
    from engine.formats.writer import ExportOptions
    from engine.play.plans import read_ludens_version
    from engine.storage.seat_links import list_published_episodes

    check_format(format, WRITER_BY_FORMAT)
    if by_benchmark and format != "clembench":
        raise UsageError(f"--by-benchmark is for --format clembench, not {format}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty, and nothing is overwritten: name a new folder")
    settings = load_settings(db=db)
    registry = build_registry(settings)
    with open_store(settings.db) as store:
        selection_parts = parse_selections(selection or [], store, registry)
        export_options = ExportOptions(
            selection_parts,
            people,
            reasoning,
            min_score,
            list_published_episodes(store),
            raw_cells,
            has_benchmark_folders=by_benchmark,
        )
        folder.mkdir(parents=True, exist_ok=True)
        if not can_create_files(folder):
            raise CommandFailed(f"{folder} cannot be written: name another folder")
        try:
            metadata = export_episodes(store, registry, folder, format, export_options, read_ludens_version())
        except PyarrowMissing as error:
            folder.rmdir()
            raise CommandFailed(str(error)) from None
    exclusion_text = ", ".join(f"{episode_count} {reason}" for reason, episode_count in metadata["left_out"].items())
    print_message(
        f"{folder}: {metadata['episodes']} episodes" + (f"; left out: {exclusion_text}" if exclusion_text else "")
    )
    if metadata["left_out"].get("people"):
        print_message("Add --people to export unpublished episodes with people as well")
