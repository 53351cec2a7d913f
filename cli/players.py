"""`ludens players`: who can sit where."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.words import console


def players(
    game: Annotated[str | None, typer.Argument(help="Only this game's players.")] = None,
) -> None:
    """List who can play: what to write after --seat NAME=."""
    from cli.settings import ROOT
    from engine.catalogue import Catalogue

    catalogue = Catalogue(ROOT)
    names = [catalogue.game(game).name] if game else list(catalogue.names)
    everybody = {name: catalogue.players_for(name) for name in names}
    screen = console()
    shared = {who: summary for who, summary in everybody[names[0]].items() if who in catalogue.providers}
    for who, summary in sorted(shared.items()):
        screen.print(f"{who:20} {summary}")
    for name in names:
        for who, summary in everybody[name].items():
            if who not in shared:
                screen.print(f"{who:20} {name}: {summary}")
