"""`ludens serve`: the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Db


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.  [default: 7860]")] = None,
    db: Db = None,
    open: Annotated[bool | None, typer.Option("--open", help="Open the app in the browser.")] = None,
    public_url: Annotated[
        str | None, typer.Option(help="The address at which people reach this server, if it differs.")
    ] = None,
    instances: Annotated[
        Path | None, typer.Option(help="A folder of instance files to use instead of the shipped ones.")
    ] = None,
    players: Annotated[Path | None, typer.Option(help="Your players.toml.  [default: in the project folder]")] = None,
) -> None:
    """Play and watch in the browser."""
    from cli.settings import load_settings

    settings = load_settings(
        host=host, port=port, db=db, open=open, public_url=public_url, instances=instances, players=players
    )

    import app

    raise typer.Exit(app.serve(settings))
