"""`ludens transcript`: an episode as Markdown, plain text or one HTML file on standard output, to read or to send."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.words import Wrong, harmless, out

if TYPE_CHECKING:
    from cli.settings import Settings
    from engine.events import Event
    from engine.game import Picture
    from engine.store import EpisodeRow


def transcript(
    episode: Annotated[str, typer.Argument(help="Its id, or an unambiguous beginning or end.")],
    format: Annotated[str, typer.Option("--format", help="markdown, text or html")] = "markdown",
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Write an episode's dialogue: Markdown, text or HTML.

    The HTML is one file with its pictures, which opens offline.
    """
    from cli.replay import dialogue, know
    from cli.settings import load
    from cli.stored import opened

    if format not in ("markdown", "text", "html"):
        raise Wrong(f"no format {format!r}; there are: markdown, text, html")
    settings = load(db=db)
    with opened(settings.db) as store:
        row = store.episode(episode)
        log = store.events(row.id)
    know(row.game)
    if format == "html":
        out(_page(row, log, settings))
        return
    if format == "text":
        for _, text in dialogue(log):
            out(harmless(text))
        return
    out(f"# Episode {row.id}\n")
    for seat, text in dialogue(log):
        head, _, rest = harmless(text).strip().partition(": ")
        block = _fenced(re.sub(r"\n      ", "\n", rest))
        out(f"**{head}**\n\n{block}\n" if seat else f"{head}:\n\n{block}\n")


def _page(row: EpisodeRow, log: Sequence[Event], settings: Settings) -> str:
    from cli.stored import catalogue_of
    from cli.transcript_page import page
    from engine.scoring import score_episode

    catalogue = catalogue_of(settings)
    if row.game not in catalogue.names:
        return page(row.id, log, row.scores, _nothing)
    game = catalogue.game(row.game)
    _, scorer = catalogue.scorer(row.game)
    scores = score_episode(log, scorer, adversarial=game.adversarial) if row.outcome else None
    try:
        instance = game.load(log[0].data["instance"])
    except ValueError:  # its pictures have gone
        return page(row.id, log, scores, _nothing)
    return page(row.id, log, scores, lambda asset: game.picture(instance, asset))


def _nothing(asset: str) -> Picture:
    raise KeyError(asset)


def _fenced(text: str) -> str:
    """Return text as a code block that nothing inside it can end: it is shown as it is."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
