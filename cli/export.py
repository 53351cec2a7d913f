"""`ludens export`: episodes in the format of another program, into a new folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Db, Selection
from cli.words import Failed, Wrong, say

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from engine.storage.store import Store

NAMES = "clembench, jsonl, csv, sft, convokit, psych-ds"


def export(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder to write into.")],
    selection: Selection = None,
    format: Annotated[str, typer.Option("--format", help=NAMES)] = "jsonl",
    people: Annotated[bool, typer.Option("--people", help="Unpublished episodes with people, too.")] = False,
    reasoning: Annotated[bool, typer.Option("--reasoning", help="What models thought, too.")] = False,
    min_score: Annotated[float, typer.Option(min=0, max=100, help="sft: the least score of an episode.")] = 100,
    db: Db = None,
) -> None:
    """Write episodes in the formats of other programs.

    Formats: the log, tables, chats for training, a corpus, a data set, results of clembench.

    Episodes with people are left out unless they are published or asked for; what a browser or a person is called is in
    none of them.
    metadata.json says versions, settings, hashes of instances, and what was left out.
    """
    from cli.settings import load
    from cli.stored import can_hold, opened, registry_of
    from engine.formats.export import FORMATS, export_episodes
    from engine.formats.writer import ExportOptions
    from engine.play.plans import ludens_version
    from engine.storage.seat_links import published_episodes

    if format not in FORMATS:
        raise Wrong(f"no format {format!r}; there are: {', '.join(FORMATS)}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Wrong(f"{folder} is there already and not empty: name a new folder, nothing is overwritten")
    settings = load(db=db)
    registry = registry_of(settings)
    with opened(settings.db) as store:
        parts = _parts(selection or [], store, registry)
        options = ExportOptions(parts, people, reasoning, min_score, published_episodes(store))
        folder.mkdir(parents=True, exist_ok=True)
        if not can_hold(folder):
            raise Failed(f"{folder} cannot be written: name another folder")
        metadata = export_episodes(store, registry, folder, format, options, ludens_version())
    left_out = ", ".join(f"{number} {why}" for why, number in metadata["left_out"].items())
    say(f"{folder}: {metadata['episodes']} episodes" + (f"; left out: {left_out}" if left_out else ""))
    if metadata["left_out"].get("people"):
        say("--people lets episodes with people out that nobody has published, too")


def _parts(selections: list[str], store: Store, registry: Registry) -> list[tuple[str, str | None, str | None]]:
    from cli.stored import part_named

    parts = []
    for selection in selections:
        game, variant, experiment = (*part_named(selection), None, None)[:3]
        part = (str(game), variant, experiment)
        if next(store.iterate([part]), None) is None:
            registry.select(selection)  # says what is misspelt
        parts.append(part)
    return parts
