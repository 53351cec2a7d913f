"""`ludens replay`: an episode as a dialogue in the terminal, both sides visible."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Db
from cli.words import Failed, Wrong, console, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.core.events import Event

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")


def replay(
    episode: Annotated[
        str | None, typer.Argument(help="Its id, or an unambiguous beginning or end; none: list some.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
    gif: Annotated[
        Path | None, typer.Option(help="Write it to this file as an animated picture instead (Map World).")
    ] = None,
    db: Db = None,
) -> None:
    """Show an episode as a dialogue, both sides visible."""
    from cli.settings import load
    from cli.stored import opened
    from engine.formats.transcript.printable import printable
    from engine.formats.transcript.text import dialogue_lines

    settings = load(db=db)
    with opened(settings.db) as store:
        if episode is None:
            _newest(store)
            return
        row = store.episode(episode)
        log = store.events(row.id)
    know(row.game)
    if gif is not None:
        _animated(row, log, gif)
        return
    screen = console()
    colours = {seat: COLOURS[place % len(COLOURS)] for place, seat in enumerate(row.seats)}
    for seat, text in dialogue_lines(log):
        screen.print(printable(text), style=None if plain or seat is None else colours.get(seat), soft_wrap=True)
    if not row.outcome:
        say(f"({row.status}: {row.cause})" if row.cause else f"({row.status}: not over yet)")


def _animated(row: Any, log: Sequence[Event], path: Path) -> None:
    from cli.settings import ROOT
    from engine.core.game import Game
    from engine.core.log import Log
    from engine.play.registry import Registry

    game = Registry(ROOT).game(row.game)
    if type(game).animate is Game.animate:
        raise Wrong(f"{row.game} has no animated pictures; leave --gif out to read the episode")
    if not row.outcome:
        raise Failed(f"{row.id} is not over yet: an animated picture is made of a finished episode")
    try:
        path.write_bytes(game.animate(Log(log)) or b"")
    except OSError as error:
        raise Failed(f"{path}: cannot be written: {error.strerror or error}") from None
    say(f"{path}: written")


def _newest(store: Any) -> None:
    for row in store.episodes(newest=20):
        seats = " ".join(f"{seat}={player}" for seat, player in row.seats.items())
        ending = row.outcome["kind"] if row.outcome else row.status
        console().print(f"{row.id}  {row.instance_id:36} {ending:10} {seats}")
    say("The newest 20. `ludens replay EPISODE` shows one; the last few digits are enough. In the app: /e/EPISODE")


def know(game: str) -> None:
    """Load a game, if it is here: its own reply formats are shown as it says."""
    from cli.settings import ROOT
    from engine.play.registry import Registry, UnknownSelection

    with suppress(UnknownSelection):
        Registry(ROOT).game(game)
