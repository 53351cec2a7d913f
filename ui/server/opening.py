"""Opening what a server needs: the games and players that settings name, and the database. It serves nothing yet."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import replace
from pathlib import Path

from engine.play.plans import read_ludens_version
from engine.play.plugins import BadPlugin
from engine.play.project import PROJECT_ROOT
from engine.play.registry import Registry
from engine.play.roster import BadRoster
from engine.storage.database import StoreError
from engine.storage.store import Store
from engine.storage.write_ahead_log import copy_damaged_log, list_lost_episodes, make_damaged_copy
from ui.live.quotas import PUBLIC_LIMITS, Limits
from ui.live.server import LiveServer
from ui.server.serving import CannotServe, ServerSettings, is_private


def create_server(settings: ServerSettings) -> LiveServer:
    """Return the live server for these settings. Raises `CannotServe` for a file that cannot be used."""
    _report_lost_games(settings.db)
    is_private_server = is_private(settings)
    try:
        registry = Registry(PROJECT_ROOT, settings.instances, settings.players, game_folders=settings.games)
        registry.roster  # noqa: B018  errors in players.toml are reported now, not in the lobby
        return LiveServer(
            registry,
            Store(settings.db),
            Store(settings.db, purpose="serve"),
            ludens_version=read_ludens_version(),
            limits=replace(Limits() if is_private_server else PUBLIC_LIMITS, max_players=settings.max_players),
            abandon_days=settings.abandon_days,
            paid_players=is_private_server or settings.paid_players,
            choice_for_all=settings.choose_instances == "all",
            seconds_per_scripted_reply=settings.scripted_seconds,
        )
    except (BadPlugin, BadRoster, StoreError) as error:
        raise CannotServe(str(error)) from error
    except sqlite3.Error as error:
        raise CannotServe(f"cannot use the database {settings.db}: {error}. Choose another with --db") from error


def _report_lost_games(db: Path) -> None:
    """Say which games a damaged write-ahead log has lost, and keep a copy: the first connection drops the rest."""
    if not db.is_file():
        return
    try:
        write_ahead_log = copy_damaged_log(db)
        episode_ids = ", ".join(list_lost_episodes(db)) if write_ahead_log.lost_frames else ""
    except OSError as error:
        raise CannotServe(f"cannot read the write-ahead log of {db}: {error}") from error
    if write_ahead_log.lost_frames:
        sys.stderr.write(
            f"ludens serve: the write-ahead log of {db} is damaged. Games that may be gone or may have lost events: "
            f"{episode_ids or 'none whose id can be read'}. A copy is kept in {make_damaged_copy(db)}\n"
        )
