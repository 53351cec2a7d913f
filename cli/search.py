"""`ludens search`: the texts in which words occur, with the way to their episodes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Db, RawCells, Selection, check_format
from cli.output import make_console, make_progress_bar, print_data, print_json, print_message
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.storage.search_index import SearchHit, SearchIndex, SearchPage, SnippetPart

OUTPUT_FORMATS = ("text", "csv", "json")
CSV_COLUMNS = (
    *("episode", "game", "variant", "instance", "seats"),
    *("kind", "seat", "player", "turn", "n", "time", "snippet"),
)


def search(
    words: Annotated[str, typer.Argument(help='All of them must occur in one text; "words in quotes" as they are.')],
    selection: Selection = None,
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Also search what the game master told the players.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many texts to list, newest first.")] = 20,
    format: Annotated[str, typer.Option("--format", help="text, csv or json")] = "text",
    raw_cells: RawCells = False,
    db: Db = None,
) -> None:
    """Search what players wrote.

    Case and accents do not matter; the endings of words do. Open episodes are searched, too. The index is a file beside
    the log (logs/ludens.search.db), which the first search builds and later ones extend. You may delete it.
    """
    from cli.log_access import build_registry, open_store, parse_selections
    from cli.settings import load_settings
    from engine.storage.search_index import check_words, use_index

    check_format(format, OUTPUT_FORMATS)
    check_words(words)
    settings = load_settings(db=db)
    with open_store(settings.db) as store:
        selection_parts = parse_selections(selection, store, build_registry(settings)) if selection else []
        episodes = store.episode_ids(selection_parts) if selection_parts else None

        def find(index: SearchIndex) -> SearchPage:
            _update_index(index)
            return index.search(words, episodes, prompts=prompts, limit=limit)

        page = use_index(store, find)
    if format == "json":
        print_json(page.as_json())
    elif format == "csv":
        print_data(_hits_csv(page, raw_cells))
    else:
        _print_hits(page)
        print_message(_summary_line(page))


def _update_index(index: SearchIndex) -> None:
    """Bring the index up to date, with a progress bar if that takes more than one step."""
    progress_share = index.update()
    if progress_share < 1:
        with make_progress_bar() as bar:
            task = bar.add_task("Reading the log for the first search", total=100)
            while progress_share < 1:
                progress_share = index.update()
                bar.update(task, completed=int(100 * progress_share))


def _print_hits(page: SearchPage) -> None:
    from rich.text import Text

    from engine.formats.transcript.printable import printable

    console = make_console()
    for hit in page.hits:
        turn = "" if hit.turn is None else f"  turn {hit.turn}"
        said_to = "to " if hit.kind == "prompt" else ""
        console.print(
            f"{hit.episode.id}  {hit.episode.instance_id}  {said_to}{hit.seat} ({hit.player}){turn}", soft_wrap=True
        )
        line = Text("  ")
        for snippet_part in hit.snippet:
            if console.is_terminal:
                line.append(printable(snippet_part.text), "bold reverse" if snippet_part.is_match else None)
            else:
                line.append(printable(_mark_match(snippet_part)))
        console.print(line, soft_wrap=True)


def _mark_match(snippet_part: SnippetPart) -> str:
    return f"«{snippet_part.text}»" if snippet_part.is_match else snippet_part.text


def _summary_line(page: SearchPage) -> str:
    if not page.texts:
        return "No text has all these words."
    at_least_text = "" if page.is_counted else "at least "
    is_complete = page.is_counted and len(page.hits) == page.texts
    listed_note = "" if is_complete else f"; these are the newest {len(page.hits)} (--limit)"
    return (
        f"{at_least_text}{plural(page.texts, 'text')} in {plural(page.episodes, 'episode')}{listed_note}. "
        "Read one with `ludens replay EPISODE` or in the app at /e/EPISODE"
    )


def _hits_csv(page: SearchPage, raw_cells: bool) -> str:
    import csv

    from engine.core.spreadsheet import neutral_row

    file = io.StringIO()
    writer = csv.DictWriter(file, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(neutral_row(_csv_row(hit), raw=raw_cells) for hit in page.hits)
    return file.getvalue().rstrip("\n")


def _csv_row(hit: SearchHit) -> dict[str, object]:
    seats = " ".join(f"{seat}={player}" for seat, player in hit.episode.seats.items())
    return {**hit.as_json(), "seats": seats, "snippet": "".join(map(_mark_match, hit.snippet))}
