"""The front door of the web app: opens the database, mounts the pages in our own app, puts the guard in front, serves.

`ludens serve` calls `serve(settings)`; what settings must have is `ui.server.serving.Serving`.
"""

import contextlib
import os
import sqlite3
import sys
import warnings
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.types import ASGIApp

from engine.play.plans import ludens_version
from engine.play.registry import Registry
from engine.play.roster import BadRoster
from engine.storage.database import StoreError
from engine.storage.store import Store
from ui.live.dealing import STRANGERS, Limits
from ui.live.tables import Tables
from ui.server.guard import Guard, allowed_hosts, allowed_origins
from ui.server.quick import load_gradio
from ui.server.serving import CannotServe, Serving, is_private, listen, run

ROOT = Path(__file__).resolve().parent


def tables_of(settings: Serving) -> Tables:
    """Return the tables that settings ask for. Raises `CannotServe` for a file that cannot be used."""
    private = is_private(settings)
    registry = Registry(ROOT, settings.instances, players=settings.players)
    try:
        registry.roster  # noqa: B018  what is wrong with players.toml is said now, not in the lobby
        return Tables(
            registry,
            Store(settings.db),
            Store(settings.db, purpose="serve"),
            version=ludens_version(),
            limits=Limits() if private else STRANGERS,
            abandon_days=settings.abandon_days,
            paid_players=private or settings.paid_players,
        )
    except BadRoster as error:
        raise CannotServe(str(error)) from error
    except StoreError as error:
        raise CannotServe(str(error)) from error
    except sqlite3.Error as error:
        raise CannotServe(f"cannot use the database {settings.db}: {error}. Choose another with --db") from error


def create(settings: Serving, tables: Tables) -> ASGIApp:
    """Return the whole app."""
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_DISABLE_TELEMETRY": "1"}
    gr = load_gradio()  # takes a while: what is wrong with the database is told before
    from fastapi import FastAPI
    from starlette.staticfiles import StaticFiles

    from ui.routes import table as routes
    from ui.server import shell as pages
    from ui.server import widgets

    @contextlib.asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        await routes.begin(app)
        yield
        await routes.end(app)

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=living)
    routes.install(app, tables, settings.public_url)
    app.router.routes += widgets.routes(ROOT / "games")
    app.mount("/web", StaticFiles(directory=pages.WEB))
    demo = pages.build().queue(default_concurrency_limit=None, max_size=100)
    demo._queue.sleep_when_free = 1.0  # our pages have no events to look for a thousand times a second (5 % of a core)
    with warnings.catch_warnings(action="ignore"):  # it says that several pages mean no SSR, which we ask for anyway
        app = gr.mount_gradio_app(app, demo, path="/", max_file_size="1kb", **pages.shell())
    demo.has_launched = True  # a mounted app otherwise skips Gradio's check of file paths
    visitors = routes.Visitors(app, secure=(settings.public_url or "").startswith("https:"))
    hosts = allowed_hosts(settings.host, settings.public_url)
    return Guard(visitors, hosts=hosts, origins=allowed_origins(settings.public_url))


def serve(settings: Serving) -> int:
    """Serve until stopped and return the exit code. What is wrong is said on standard error."""
    try:
        listening = listen(settings.host, settings.port)
        tables = tables_of(settings)
    except CannotServe as error:
        sys.stderr.write(f"ludens serve: {error}\n")
        return 1
    run(create(settings, tables), listening, settings, tables.links.admin_path())
    return 0
