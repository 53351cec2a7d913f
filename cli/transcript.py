"""`ludens transcript`: an episode as Markdown or plain text on standard output, to read or to send."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from cli.words import Wrong, harmless, out


def transcript(
    episode: Annotated[str, typer.Argument(help="Its id, or an unambiguous beginning or end.")],
    format: Annotated[str, typer.Option("--format", help="markdown or text")] = "markdown",
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Write an episode's dialogue as Markdown."""
    from cli.replay import dialogue, know
    from cli.settings import load
    from cli.stored import opened

    if format not in ("markdown", "text"):
        raise Wrong(f"no format {format!r}; there are: markdown, text")
    with opened(load(db=db).db) as store:
        row = store.episode(episode)
        log = store.events(row.id)
    know(row.game)
    if format == "text":
        for _, text in dialogue(log):
            out(harmless(text))
        return
    out(f"# Episode {row.id}\n")
    for seat, text in dialogue(log):
        head, _, rest = harmless(text).strip().partition(": ")
        block = _fenced(re.sub(r"\n      ", "\n", rest))
        out(f"**{head}**\n\n{block}\n" if seat else f"{head}:\n\n{block}\n")


def _fenced(text: str) -> str:
    """Return text as a code block that nothing inside it can end: it is shown as it is."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
