"""The front door of the web app: opens the database, creates the app, serves it.

`ludens serve` calls `serve(settings)`; `python app.py` does so with the settings of `ludens.toml` and the environment;
`create_app()` returns the app to mount in another one. `ui.server.serving.ServerSettings` says what settings have.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from cli.output import UsageError
from cli.settings import load_settings
from ui.server.backups import check_backups
from ui.server.logs import set_up_logging
from ui.server.memory import limit_arenas, reduce_garbage_collection
from ui.server.opening import create_server
from ui.server.serving import CannotServe, ServerSettings, create_connections, listen_at, run_app

if TYPE_CHECKING:
    from ui.server.app import WebApp

SETTING_BY_VARIABLE = {"GRADIO_SERVER_NAME": "LUDENS_HOST", "GRADIO_SERVER_PORT": "LUDENS_PORT"}
"""Variables that Gradio apps are started with, each with ours, which comes first."""


def create_app(settings: ServerSettings | None = None) -> WebApp:
    """Return the whole app, by default with the settings of `ludens.toml` and the environment.

    Serve it with any ASGI server, one process; or mount it at the root of another app that runs its `lifespan`. Raises
    `UsageError` for a setting and `CannotServe` for a file that cannot be used.
    """
    settings = settings or load_settings()
    server = create_server(settings)
    from ui.server import app  # loads FastAPI, after errors of settings and database are reported

    return app.create_app(settings, server)


def serve(settings: ServerSettings) -> int:
    """Serve until stopped and return the exit code. Errors are written to standard error."""
    set_up_logging(settings.log_format)
    limit_arenas()
    reduce_garbage_collection()
    try:
        check_backups(settings)
        listening_socket = listen_at(settings.host, settings.port)
        server = create_server(settings)
    except CannotServe as error:
        sys.stderr.write(f"ludens serve: {error}\n")
        return 1
    from ui.server import app

    connections = create_connections(settings)
    web_app = app.create_app(settings, server, connections)
    run_app(web_app, listening_socket, settings, connections, server.links.make_admin_path())
    return 0


def main() -> int:
    """Serve with the settings of `ludens.toml` and the environment, also as a Hugging Face Space sets it."""
    for variable_name, setting_name in SETTING_BY_VARIABLE.items():
        if variable_value := os.environ.get(variable_name):
            os.environ.setdefault(setting_name, variable_value)
    if space_host := os.environ.get("SPACE_HOST"):
        os.environ.setdefault("LUDENS_PUBLIC_URL", f"https://{space_host}")
    try:
        return serve(load_settings())
    except UsageError as error:
        sys.stderr.write(f"app.py: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
