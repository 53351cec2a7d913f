"""`ludens transcript`: an episode as Markdown, plain text or one HTML file on standard output."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import DbOption, check_format
from cli.output import print_data

TRANSCRIPT_FORMATS = ("markdown", "text", "html")


def transcript(
    episode: Annotated[str, typer.Argument(help="Its id, or an unambiguous beginning or end of it.")],
    format: Annotated[str, typer.Option("--format", help="markdown, text or html")] = "markdown",
    db: DbOption = None,
) -> None:
    """Write an episode's dialogue as Markdown, text or HTML.

    The HTML is one file with all pictures, which also opens offline.
    """
    from cli.log_access import build_registry, load_reply_formats, open_store
    from cli.settings import load_settings
    from engine.formats.transcript.page import render_episode_page
    from engine.formats.transcript.text import format_markdown, format_text

    check_format(format, TRANSCRIPT_FORMATS)
    settings = load_settings(db=db)
    with open_store(settings.db) as store:
        log_row = store.episode(episode)
        events = store.events(log_row.id)
    load_reply_formats(log_row.game)
    if format == "html":
        print_data(render_episode_page(log_row, events, build_registry(settings)))
    elif format == "text":
        print_data(format_text(events))
    else:
        print_data(format_markdown(log_row.id, events))
