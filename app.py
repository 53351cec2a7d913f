"""The front door of the web app: opens the database, creates the app, serves it.

`ludens serve` calls `serve(settings)`; `ui.server.serving.ServerSettings` says what settings must have.
"""

import sqlite3
import sys
from pathlib import Path

from engine.play.plans import ludens_version
from engine.play.registry import Registry
from engine.play.roster import BadRoster
from engine.storage.database import StoreError
from engine.storage.store import Store
from ui.live.dealing import PUBLIC_LIMITS, Limits
from ui.live.server import LiveServer
from ui.server.serving import CannotServe, ServerSettings, is_private, listen, run

ROOT = Path(__file__).resolve().parent


def create_server(settings: ServerSettings) -> LiveServer:
    """Return the live server for these settings. Raises `CannotServe` for a file that cannot be used."""
    private = is_private(settings)
    registry = Registry(ROOT, settings.instances, players=settings.players)
    try:
        registry.roster  # noqa: B018  errors in players.toml are reported now, not in the lobby
        return LiveServer(
            registry,
            Store(settings.db),
            Store(settings.db, purpose="serve"),
            version=ludens_version(),
            limits=Limits() if private else PUBLIC_LIMITS,
            abandon_days=settings.abandon_days,
            paid_players=private or settings.paid_players,
        )
    except (BadRoster, StoreError) as error:
        raise CannotServe(str(error)) from error
    except sqlite3.Error as error:
        raise CannotServe(f"cannot use the database {settings.db}: {error}. Choose another with --db") from error


def serve(settings: ServerSettings) -> int:
    """Serve until stopped and return the exit code. Errors are written to standard error."""
    try:
        listening = listen(settings.host, settings.port)
        server = create_server(settings)
    except CannotServe as error:
        sys.stderr.write(f"ludens serve: {error}\n")
        return 1
    from ui.server.app import create_app  # loads FastAPI, after errors of settings and database are reported

    run(create_app(settings, server), listening, settings, server.links.admin_path())
    return 0
