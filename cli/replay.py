"""`ludens replay`: an episode as a dialogue in the terminal, with what all seats see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, UsageError, make_console, print_message

if TYPE_CHECKING:
    from engine.core.events import Event
    from engine.storage.episode_row import EpisodeRow
    from engine.storage.store import Store

SEAT_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")


def replay(
    episode: Annotated[
        str | None,
        typer.Argument(help="Its id, or an unambiguous beginning or end of it; if omitted, lists the newest."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
    gif: Annotated[
        Path | None, typer.Option(help="Write an animated picture to this file instead (Map World).")
    ] = None,
    db: DbOption = None,
) -> None:
    """Show an episode as a dialogue, with all seats."""
    from cli.log_access import load_reply_formats, open_store
    from cli.settings import load_settings
    from engine.formats.transcript.text import list_dialogue_lines

    settings = load_settings(db=db)
    with open_store(settings.db) as store:
        if episode is None:
            _print_newest_episodes(store)
            return
        log_row = store.episode(episode)
        events = store.events(log_row.id)
    load_reply_formats(log_row.game)
    if gif is not None:
        _write_animation(log_row, events, gif)
        return
    console = make_console()
    colours = {seat: SEAT_COLOURS[seat_index % len(SEAT_COLOURS)] for seat_index, seat in enumerate(log_row.seats)}
    for seat, line_text in list_dialogue_lines(events):
        console.print(line_text, style=None if plain or seat is None else colours.get(seat), soft_wrap=True)
    if not log_row.outcome:
        print_message(f"({log_row.status}: {log_row.cause})" if log_row.cause else f"({log_row.status}: not over yet)")


def _write_animation(log_row: EpisodeRow, events: Sequence[Event], gif_path: Path) -> None:
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.core.game import Game
    from engine.core.log import Log

    game = build_registry(load_settings()).game(log_row.game)
    if type(game).animate is Game.animate:
        raise UsageError(f"{log_row.game} has no animated pictures; leave out --gif to read the episode")
    if not log_row.outcome:
        raise CommandFailed(f"{log_row.id} is not over yet: only a finished episode can be animated")
    try:
        gif_path.write_bytes(game.animate(Log(events)) or b"")
    except OSError as error:
        raise CommandFailed(f"{gif_path}: cannot be written: {error.strerror or error}") from None
    print_message(f"{gif_path}: written")


def _print_newest_episodes(store: Store) -> None:
    console = make_console()
    for log_row in store.episodes(max_episodes=20):
        seats_text = " ".join(f"{seat}={player}" for seat, player in log_row.seats.items())
        ending_text = log_row.outcome["kind"] if log_row.outcome else log_row.status
        console.print(f"{log_row.id}  {log_row.instance_id:36} {ending_text:10} {seats_text}")
    print_message(
        "The newest 20. Show one with `ludens replay EPISODE` (its last digits suffice) or in the app at /e/EPISODE"
    )
