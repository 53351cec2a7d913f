"""`ludens db`: look whether a log is whole, copy it while it is in use, take a person out of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Db, Selection
from cli.words import Failed, Wrong, out, say

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from engine.storage.episode_row import EpisodeRow
    from engine.storage.removal import Removal
    from engine.storage.seat_links import SeatLinks
    from engine.storage.store import Store

SHOWN = 20
"""Games that are listed before they are removed."""

app = typer.Typer(help="Check and back up the log, and take people out of it.", no_args_is_help=True)


@app.command()
def check(
    replay: Annotated[
        bool, typer.Option("--replay", help="Also play every episode again from its replies, and compare.")
    ] = False,
    db: Db = None,
) -> None:
    """Check the file, and that every episode's log is unbroken and agrees with the index."""
    from cli.settings import load
    from cli.stored import opened, registry_of

    settings = load(db=db)
    registry = registry_of(settings)
    with opened(settings.db) as store:
        faults = [f"the file: {fault}" for fault in store.integrity_faults()]
        rows = store.episodes() if not faults else []
        for row in rows:
            faults += [f"episode {row.id}: {fault}" for fault in _faults(store, row, registry if replay else None)]
    for fault in faults:
        say(fault)
    if faults:
        raise Failed(f"{len(faults)} faults in {settings.db}. `ludens db backup` copies what can be read")
    replayed = ", and the present rules give the same" if replay else ""
    say(f"{settings.db} is whole: {len(rows)} episodes, each log unbroken and as the index says{replayed}")


@app.command()
def unplan(
    selection: Selection = None,
    db: Db = None,
) -> None:
    """Forget what runs were to play and have not begun: results then no longer say that it is missing."""
    from cli.settings import load
    from cli.stored import choice_of, opened, registry_of

    settings = load(db=db)
    registry = registry_of(settings)
    asked = choice_of(registry, selection, (), False, False)
    with opened(settings.db, purpose="unplan") as store:
        planned = list(filter(asked.has_part_of, store.results.planned_counts()))
        if not planned:
            for one in selection or ():
                registry.select(one)  # says what is misspelt
        forgotten = store.results.delete_planned(condition.id for condition in planned)
        say(f"{forgotten} planned episodes forgotten; those begun stay")


def _faults(store: Store, row: EpisodeRow, registry: Registry | None) -> list[str]:
    from engine.core.events import Kind
    from engine.core.master import GameMaster, RulesChanged

    log = store.events(row.id)
    if not log:
        return [] if row.status != "over" else ["is over but has no events"]
    found = []
    if [event.n for event in log] != list(range(len(log))):
        found.append("events are missing")
    if log[0].kind is not Kind.START or log[0].data != row.start:
        found.append("does not begin as the index says")
    outcome = next((event.data for event in log if event.kind is Kind.OUTCOME), None)
    if outcome != row.outcome:
        found.append(f"ended {outcome}, the index says {row.outcome}")
    if registry and not found:
        try:
            GameMaster.resume(registry.game(row.game), log)
        except RulesChanged as error:
            found.append(str(error))
        except LookupError as error:
            found.append(f"cannot be played again: {error}")
    return found


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The copy: a file that is not there yet.")],
    db: Db = None,
) -> None:
    """Copy the log to another file; it may be in use meanwhile."""
    from cli.settings import load
    from cli.stored import opened

    settings = load(db=db)
    if to.exists():
        raise Wrong(f"{to} is there already; nothing is ever overwritten: name another file")
    if not to.absolute().parent.is_dir():
        raise Wrong(f"there is no folder {to.absolute().parent} to write {to.name} to: make it, or name another file")
    with opened(settings.db) as store:
        store.copy_to(to)
    say(f"{settings.db} copied to {to} ({to.stat().st_size:,} bytes)")


@app.command()
def forget(
    person: Annotated[
        str | None, typer.Argument(help="A person's code, or an episode that one person played; none: list all people.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    db: Db = None,
) -> None:
    """Remove a person: every game they sat in, whole, with links, drafts and scores.

    The code is shown to each person at the foot of the lobby ("Your code on this server").

    Copies elsewhere (db backup, exports, downloads) are not touched.
    """
    from cli.settings import load
    from cli.stored import opened
    from engine.storage.removal import UnknownPerson, find_removal
    from engine.storage.seat_links import SeatLinks

    settings = load(db=db)
    with opened(settings.db, purpose="forget") as store:
        links = SeatLinks(store, store)  # brings a log of before up to date
        if person is None:
            _list_people(store)
            return
        try:
            going = find_removal(store, person)
        except UnknownPerson as error:
            raise Wrong(str(error)) from None
        say(_what_goes(store, going))
        if not yes and not _agreed():
            say("nothing was removed")
            raise typer.Exit(1)
        _forget(store, links, going)


def _list_people(store: Store) -> None:
    from datetime import UTC, datetime

    from engine.storage.removal import list_people

    found = list_people(store)
    if not found:
        say("nobody has played in a browser on this log")
    for each in found:
        seen = datetime.fromtimestamp(each.last_active / 1000, UTC)
        out(f"{each.code}  {_games(each.games):>9}  last seen {seen:%Y-%m-%d %H:%M} UTC")


def _what_goes(store: Store, going: Removal) -> str:
    lines = [f"{_games(len(going.episodes))} to remove for good, with every word in them:"]
    for id_ in going.episodes[:SHOWN]:
        row = store.episode(id_)
        seats = ", ".join(f"{seat} {player}" for seat, player in row.seats.items())
        lines.append(f"  {row.id}  {row.game}/{row.variant}  {row.status}  {seats}")
    if len(going.episodes) > SHOWN:
        lines.append(f"  … and {len(going.episodes) - SHOWN} more")
    if going.shared:
        lines.append(f"{going.shared} of them with other people, whose words go too")
    if going.replays:
        lines.append(f"{going.replays} of them because they play back a recorded seat of such a game")
    if going.running:
        lines.append(f"{going.running} of them not over: whoever sits there is told that the game was removed")
    return "\n".join(lines)


def _games(number: int) -> str:
    return "1 game" if number == 1 else f"{number} games"


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise Wrong("nothing is removed without being asked. Add --yes if that is meant")
    return typer.confirm("Remove them? This cannot be undone", err=True)


def _forget(store: Store, links: SeatLinks, going: Removal) -> None:
    from engine.storage.removal import remove_games

    clean = remove_games(store, links, going)
    others = sorted({owner.purpose for owner in store.living_owners()})
    if others:
        say(f"in use meanwhile ({', '.join(others)}): the file is not written anew")
    else:
        clean = store.rewrite()
    if not clean:
        raise Failed(
            f"{_games(len(going.episodes))} removed, but another process reads {store.path}: what was said is in its"
            " write-ahead log until that process ends"
        )
    say(f"{_games(len(going.episodes))} removed; the words are gone from {store.path} and its write-ahead log")
