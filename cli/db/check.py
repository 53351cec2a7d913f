"""`ludens db check`: whether a log is complete, and agrees with its index and the present rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import DbOption
from cli.output import CommandFailed, print_message

if TYPE_CHECKING:
    from engine.play.registry import Registry
    from engine.storage.episode_row import EpisodeRow
    from engine.storage.store import Store


def check_log(
    replay: Annotated[
        bool, typer.Option("--replay", help="Also replay every episode from its replies, and compare.")
    ] = False,
    db: DbOption = None,
) -> None:
    """Check that the log is complete.

    Checks the file and its write-ahead log, and that every episode has all its events and agrees with the index.
    """
    from cli.log_access import build_registry, open_store
    from cli.settings import load_settings

    settings = load_settings(db=db)
    registry = build_registry(settings)
    faults = _find_write_ahead_faults(settings.db)  # first: opening the file takes over what counts and drops the rest
    with open_store(settings.db) as store:
        file_faults = [f"the file: {fault}" for fault in store.find_integrity_faults()]
        faults += file_faults
        log_rows = store.episodes() if not file_faults else []
        for log_row in log_rows:
            for fault in find_episode_faults(store, log_row, registry if replay else None):
                faults.append(f"episode {log_row.id}: {fault}")
    for fault in faults:
        print_message(fault)
    if faults:
        raise CommandFailed(f"{len(faults)} faults in {settings.db}. `ludens db backup` copies what can be read")
    replay_note = ", and the present rules give the same" if replay else ""
    print_message(
        f"{settings.db} is whole: {len(log_rows)} episodes, each log unbroken and as the index says{replay_note}"
    )


def _find_write_ahead_faults(db_path: Path) -> list[str]:
    """Return what is lost in the write-ahead log of a crashed process; a copy of it is kept in that case."""
    from engine.storage.write_ahead_log import copy_damaged_log, list_lost_episodes, make_damaged_copy

    if not db_path.is_file():
        return []
    has_damaged_copy, copy_path = make_damaged_copy(db_path).exists(), make_damaged_copy(db_path)
    write_ahead_log = copy_damaged_log(db_path)
    if write_ahead_log.unfinished_frames and not write_ahead_log.lost_frames:
        print_message(
            f"{write_ahead_log.path}: its last transaction was not finished ({write_ahead_log.unfinished_frames} "
            "frames), as a crash, a full disk or "
            "a power cut leaves it; nothing before it is missing"
        )
    faults = []
    if write_ahead_log.lost_frames:
        episode_names = ", ".join(list_lost_episodes(db_path)) or "none whose id can be read"
        faults += [
            f"the write-ahead log: {write_ahead_log.lost_frames} of "
            f"{write_ahead_log.valid_frames + write_ahead_log.lost_frames} frames lie in or "
            "behind a damaged place, although their transactions were stored. SQLite ignores them; they are kept in "
            f"{copy_path}",
            f"games that may be gone or may have lost events: {episode_names}",
        ]
    if has_damaged_copy:
        faults.append(
            f"an earlier start found a damaged write-ahead log, kept in {copy_path}: delete it to forget this"
        )
    return faults


def find_episode_faults(store: Store, log_row: EpisodeRow, registry: Registry | None) -> list[str]:
    """Return what is wrong with an episode's log; it is replayed only if a registry is given."""
    from engine.core.events import Kind
    from engine.core.master import GameMaster, RulesChanged

    events = store.events(log_row.id)
    if not events:
        return [] if log_row.status != "over" else ["is over but has no events"]
    faults = []
    if [event.n for event in events] != list(range(len(events))):
        faults.append("events are missing")
    if events[0].kind is not Kind.START or events[0].data != log_row.start:
        faults.append("does not begin as the index says")
    outcome = next((event.data for event in events if event.kind is Kind.OUTCOME), None)
    if outcome != log_row.outcome:
        faults.append(f"ended {outcome}, the index says {log_row.outcome}")
    if registry and not faults:
        try:
            GameMaster.resume(registry.game(log_row.game), events)
        except RulesChanged as error:
            faults.append(str(error))
        except LookupError as error:
            faults.append(f"cannot be replayed: {error}")
    return faults
