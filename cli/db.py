"""`ludens db`: look whether a log is whole, and copy it while it is in use."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.words import Failed, Wrong, say

if TYPE_CHECKING:
    from engine.catalogue import Catalogue
    from engine.store import EpisodeRow, Store

app = typer.Typer(help="Check and back up the log.", no_args_is_help=True)


@app.command()
def check(
    replay: Annotated[
        bool, typer.Option("--replay", help="Also play every episode again from its replies, and compare.")
    ] = False,
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Check the file, and that every episode's log is unbroken and agrees with the index."""
    from cli.settings import load
    from cli.stored import catalogue_of, opened

    settings = load(db=db)
    catalogue = catalogue_of(settings)
    with opened(settings.db) as store:
        faults = [f"the file: {row[0]}" for row in store.conn.execute("PRAGMA integrity_check") if row[0] != "ok"]
        rows = store.episodes() if not faults else []
        for row in rows:
            faults += [f"episode {row.id}: {fault}" for fault in _faults(store, row, catalogue if replay else None)]
    for fault in faults:
        say(fault)
    if faults:
        raise Failed(f"{len(faults)} faults in {settings.db}. `ludens db backup` copies what can be read")
    replayed = ", and the present rules give the same" if replay else ""
    say(f"{settings.db} is whole: {len(rows)} episodes, each log unbroken and as the index says{replayed}")


def _faults(store: Store, row: EpisodeRow, catalogue: Catalogue | None) -> list[str]:
    from engine.events import Kind
    from engine.master import GameMaster, RulesChanged

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
    if catalogue and not found:
        try:
            GameMaster.resume(catalogue.game(row.game), log)
        except RulesChanged as error:
            found.append(str(error))
        except LookupError as error:
            found.append(f"cannot be played again: {error}")
    return found


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The copy: a file that is not there yet.")],
    db: Annotated[Path | None, typer.Option(help="The log.  [default: logs/ludens.db]")] = None,
) -> None:
    """Copy the log to another file; it may be in use meanwhile."""
    from cli.settings import load
    from cli.stored import opened

    settings = load(db=db)
    if to.exists():
        raise Wrong(f"{to} is there already; nothing is ever overwritten: name another file")
    if not to.absolute().parent.is_dir():
        raise Wrong(f"there is no folder {to.absolute().parent} to write {to.name} to: make it, or name another file")
    with opened(settings.db) as store, closing(sqlite3.connect(to)) as copy:
        store.conn.backup(copy)
    say(f"{settings.db} copied to {to} ({to.stat().st_size:,} bytes)")
