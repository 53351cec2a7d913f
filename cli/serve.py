"""`ludens serve`: the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import DbOption


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.  [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.  [default: 7860]")] = None,
    db: DbOption = None,
    open: Annotated[bool | None, typer.Option("--open", help="Open the app in the browser.")] = None,
    public_url: Annotated[
        str | None, typer.Option(help="The address at which people reach this server, if it differs.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS|CIDR", help="Believe forwarded headers from this address or network (repeatable)."
        ),
    ] = None,
    max_players: Annotated[
        int | None, typer.Option(help="The most seats of people in open games.  [default: no limit]")
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(metavar="text|json", help="How the log is written to standard error.  [default: text]")
    ] = None,
    backup_every: Annotated[
        str | None, typer.Option(metavar="TIME", help="Copy the log this often, e.g. 15m or 6h; needs --backup-to.")
    ] = None,
    backup_to: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder for these copies.")] = None,
    backup_keep: Annotated[int | None, typer.Option(help="How many copies to keep.  [default: 96]")] = None,
    instances: Annotated[
        Path | None, typer.Option(help="A folder of instance files to use instead of the shipped ones.")
    ] = None,
    players: Annotated[Path | None, typer.Option(help="Your players.toml.  [default: in the project folder]")] = None,
) -> None:
    """Play and watch in the browser."""
    from cli.settings import load_settings

    settings = load_settings(
        host=host,
        port=port,
        db=db,
        open=open,
        public_url=public_url,
        trusted_proxy=trusted_proxy or None,
        max_players=max_players,
        log_format=log_format,
        backup_every=backup_every,
        backup_to=backup_to,
        backup_keep=backup_keep,
        instances=instances,
        players=players,
    )

    import app

    raise typer.Exit(app.serve(settings))
