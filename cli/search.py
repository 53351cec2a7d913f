"""`ludens search`: the texts in which words occur, with the way to their episodes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption, RawCellsOption, SelectionArgument, check_format
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
    selection: SelectionArgument = None,
    prompts: Annotated[
        bool, typer.Option("--prompts", help="Also search what the game master told the players.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many texts to list, newest first.")] = 20,
    format: Annotated[str, typer.Option("--format", help="text, csv or json")] = "text",
    raw_cells: RawCellsOption = False,
    db: DbOption = None,
) -> None:
    """Search what players wrote.

    Case and accents do not matter; the endings of words do. Open episodes are searched, too. The index is a file beside
    the log (logs/ludens.search.db), which the first search builds and later ones extend. You may delete it.
    """
    from cli.log_access import build_registry, open_store, parse_selections
    from cli.settings import load_settings
    from engine.storage.search_index import check_words, run_with_search_index

    check_format(format, OUTPUT_FORMATS)
    check_words(words)
    settings = load_settings(db=db)
    with open_store(settings.db) as store:
        selection_parts = parse_selections(selection, store, build_registry(settings)) if selection else []
        episode_ids = store.list_episode_ids(selection_parts) if selection_parts else None

        def find_page(search_index: SearchIndex) -> SearchPage:
            _update_index(search_index)
            return search_index.search(words, episode_ids, prompts=prompts, max_hits=limit)

        search_page = run_with_search_index(store, find_page)
    if format == "json":
        print_json(search_page.as_json())
    elif format == "csv":
        print_data(_format_hits_csv(search_page, raw_cells))
    else:
        _print_hits(search_page)
        print_message(_summarise_page(search_page))


def _update_index(search_index: SearchIndex) -> None:
    """Bring the index up to date, with a progress bar if that takes more than one step."""
    progress_share = search_index.update_index()
    if progress_share < 1:
        with make_progress_bar() as progress:
            task_id = progress.add_task("Reading the log for the first search", total=100)
            while progress_share < 1:
                progress_share = search_index.update_index()
                progress.update(task_id, completed=int(100 * progress_share))


def _print_hits(search_page: SearchPage) -> None:
    from rich.text import Text

    from engine.formats.transcript.printable import escape_text

    console = make_console()
    for search_hit in search_page.hits:
        turn_text = "" if search_hit.turn is None else f"  turn {search_hit.turn}"
        recipient_prefix = "to " if search_hit.kind == "prompt" else ""
        console.print(
            f"{search_hit.episode.id}  {search_hit.episode.instance_id}  {recipient_prefix}{search_hit.seat} "
            f"({search_hit.player}){turn_text}",
            soft_wrap=True,
        )
        snippet_text = Text("  ")
        for snippet_part in search_hit.snippet:
            if console.is_terminal:
                snippet_text.append(escape_text(snippet_part.text), "bold reverse" if snippet_part.is_match else None)
            else:
                snippet_text.append(escape_text(_highlight_match(snippet_part)))
        console.print(snippet_text, soft_wrap=True)


def _highlight_match(snippet_part: SnippetPart) -> str:
    return f"«{snippet_part.text}»" if snippet_part.is_match else snippet_part.text


def _summarise_page(search_page: SearchPage) -> str:
    if not search_page.texts:
        return "No text has all these words."
    count_prefix = "" if search_page.is_counted else "at least "
    is_complete = search_page.is_counted and len(search_page.hits) == search_page.texts
    listed_note = "" if is_complete else f"; these are the newest {len(search_page.hits)} (--limit)"
    return (
        f"{count_prefix}{plural(search_page.texts, 'text')} in "
        f"{plural(search_page.episodes, 'episode')}{listed_note}. "
        "Read one with `ludens replay EPISODE` or in the app at /e/EPISODE"
    )


def _format_hits_csv(search_page: SearchPage, raw_cells: bool) -> str:
    import csv

    from engine.core.spreadsheet import escape_formulas

    csv_buffer = io.StringIO()
    csv_writer = csv.DictWriter(csv_buffer, CSV_COLUMNS, lineterminator="\n")
    csv_writer.writeheader()
    csv_writer.writerows(
        escape_formulas(_list_hit_fields(search_hit), is_raw=raw_cells) for search_hit in search_page.hits
    )
    return csv_buffer.getvalue().rstrip("\n")


def _list_hit_fields(search_hit: SearchHit) -> dict[str, object]:
    seats_text = " ".join(f"{seat}={player}" for seat, player in search_hit.episode.seats.items())
    return {**search_hit.as_json(), "seats": seats_text, "snippet": "".join(map(_highlight_match, search_hit.snippet))}
