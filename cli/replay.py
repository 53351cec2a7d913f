"""`ludens replay`: an episode as a dialogue in the terminal, both sides visible."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.words import Failed, Wrong, console, harmless, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.events import Event

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")


def replay(
    episode: Annotated[
        str | None, typer.Argument(help="Its id, or an unambiguous beginning or end; none: list some.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
    gif: Annotated[
        Path | None, typer.Option(help="Write it to this file as an animated picture instead (Map World).")
    ] = None,
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Show an episode as a dialogue, both sides visible."""
    from cli.settings import load
    from cli.stored import opened

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
    for seat, text in dialogue(log):
        screen.print(harmless(text), style=None if plain or seat is None else colours.get(seat), soft_wrap=True)
    if not row.outcome:
        say(f"({row.status}: {row.cause})" if row.cause else f"({row.status}: not over yet)")


def _animated(row: Any, log: Sequence[Event], path: Path) -> None:
    from cli.settings import ROOT
    from engine.catalogue import Catalogue

    make = Catalogue(ROOT).animation(row.game)
    if make is None:
        raise Wrong(f"{row.game} has no animated pictures; leave --gif out to read the episode")
    if not row.outcome:
        raise Failed(f"{row.id} is not over yet: an animated picture is made of a finished episode")
    try:
        path.write_bytes(make(log))
    except OSError as error:
        raise Failed(f"{path}: cannot be written: {error.strerror or error}") from None
    say(f"{path}: written")


def _newest(store: Any) -> None:
    for row in store.episodes(newest=20):
        seats = " ".join(f"{seat}={player}" for seat, player in row.seats.items())
        ending = row.outcome["kind"] if row.outcome else row.status
        console().print(f"{row.id}  {row.instance_id:36} {ending:10} {seats}")
    say("The newest 20. `ludens replay EPISODE` shows one; the last few digits are enough.")


def know(game: str) -> None:
    """Load a game, if it is here: its own reply formats are shown as it says."""
    from cli.settings import ROOT
    from engine.catalogue import Catalogue, UnknownSelection

    with suppress(UnknownSelection):
        Catalogue(ROOT).game(game)


def dialogue(log: Sequence[Event]) -> Iterator[tuple[str | None, str]]:
    """Yield (seat, text) line by line; seat is None for the table."""
    from engine.events import Kind
    from engine.views import Transcript

    transcript = Transcript()
    told: dict[str, Any] = {}
    """What was told last, and to whom: the same words to many are one line."""
    for event in log:
        lines = transcript.apply(event)
        if event.kind is Kind.TELL and not event.data["pictures"]:
            if told and told["said"] == event.data["said"]:
                told["seats"].append(event.seat)
            else:
                yield from _told(told, len(transcript.players))
                told = {"said": event.data["said"], "seats": [event.seat]}
            continue
        yield from _told(told, len(transcript.players))
        told = {}
        if event.kind is Kind.START:
            yield None, _head(event)
        for line in lines:
            seat = line["seat"]
            for part in line["parts"] or ():
                yield seat, f"  GM to {seat}: {_indented(_said(part))}"
            if line["parts"] is None:
                who = f"{seat} ({transcript.players[seat][-1]})" if seat else "Table"
                label = f" {line['label']}:" if line["label"] else ":"
                yield seat, f"{who}{label} {_indented(line['text'])}"
        if event.kind in (Kind.ASK, Kind.TELL):
            for shown in event.data["pictures"]:
                yield event.seat, f"  GM to {event.seat}: [picture {shown['title']!r}: {shown['id']}]"
    yield from _told(told, len(transcript.players))


def _told(told: dict[str, Any], everybody: int) -> Iterator[tuple[str | None, str]]:
    if told:
        seats = told["seats"]
        whom = "all" if len(seats) == everybody > 1 else ", ".join(seats)
        for part in told["said"]:
            yield seats[0], f"  GM to {whom}: {_indented(_said(part))}"


def _head(event: Event) -> str:
    data = event.data
    seats = ", ".join(f"{seat} = {player}" for seat, player in data["seats"].items())
    settings = ", ".join(f"{name} = {value}" for name, value in data["settings"].items())
    return f"{data['instance_id']}: {seats} ({settings}, reprompt = {data['reprompt']}, seed {data['seed'][:12]})"


def _said(part: dict[str, Any]) -> str:
    if "quote" in part:
        whose = part["label"] if str(part["by"]) in part["label"].split() else f"{part['label']} of {part['by']}"
        return f"{whose}: {part['quote']}"
    if "exhibit" in part:
        return f"{part['title']}\n{part['exhibit']}"
    return str(part["text"])


def _indented(text: str) -> str:
    return text.replace("\n", "\n      ")
