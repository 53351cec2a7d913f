"""`ludens transcript`: an episode as Markdown, plain text or one HTML file on standard output, to read or to send."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Db
from cli.words import Wrong, out


def transcript(
    episode: Annotated[str, typer.Argument(help="Its id, or an unambiguous beginning or end.")],
    format: Annotated[str, typer.Option("--format", help="markdown, text or html")] = "markdown",
    db: Db = None,
) -> None:
    """Write an episode's dialogue: Markdown, text or HTML.

    The HTML is one file with its pictures, which opens offline.
    """
    from cli.replay import know
    from cli.settings import load
    from cli.stored import opened, registry_of
    from engine.formats.transcript import text as dialogue
    from engine.formats.transcript.page import episode_page

    if format not in ("markdown", "text", "html"):
        raise Wrong(f"no format {format!r}; there are: markdown, text, html")
    settings = load(db=db)
    with opened(settings.db) as store:
        row = store.episode(episode)
        log = store.events(row.id)
    know(row.game)
    if format == "html":
        out(episode_page(row, log, registry_of(settings)))
    elif format == "text":
        out(dialogue.transcript_text(log))
    else:
        out(dialogue.transcript_markdown(row.id, log))
