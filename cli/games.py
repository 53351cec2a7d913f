"""`ludens games`: what there is to play."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from cli.words import Wrong, console, out, say


def games(
    format: Annotated[str, typer.Option("--format", help="table or json")] = "table",
) -> None:
    """List what there is to play.

    For each game its seats, players and settings, its variants, and their experiments with the number of instances.
    """
    from cli.settings import load
    from cli.stored import registry_of

    if format not in ("table", "json"):
        raise Wrong(f"no format {format!r}; there are: table, json")
    registry = registry_of(load())
    found = [_described(registry, name) for name in registry.names]
    for name, why in registry.broken.items():
        say(f"{name} cannot be loaded: {why}")
    for why in registry.unreadable.values():
        say(why)
    if format == "json":
        out(json.dumps(found, ensure_ascii=False, indent=2))
        return
    screen = console()
    for game in found:
        screen.print(f"{game['game']}: {game['blurb']}")
        screen.print(f"  seats     {', '.join(game['seats'])}")
        screen.print(f"  players   {', '.join(game['players'])}")
        screen.print(f"  settings  {_settings(game['settings'])}")
        for variant in game["variants"]:
            screen.print(f"  {variant['selection']:24} {variant['title']}")
            for experiment in variant["experiments"]:
                number = experiment["instances"]
                screen.print(f"    {experiment['selection']:44} {number:3} instances  {experiment['title']}")


def _settings(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in values.items()) or "none"


def _described(registry: Any, name: str) -> dict[str, Any]:
    from engine.play.registry import BadInstances

    game = registry.game(name)
    variants = []
    for variant in game.variants:
        try:
            sets, titles = registry.experiments(name, variant.name), registry.titles(name, variant.name)
        except BadInstances as error:
            say(str(error))
            sets, titles = {}, {}
        experiments = [
            {
                "selection": f"{name}/{variant.name}/{experiment}",
                "title": titles.get(experiment, ""),
                "instances": len(made),
            }
            for experiment, made in sets.items()
        ]
        variants.append({"selection": f"{name}/{variant.name}", "title": variant.title, "experiments": experiments})
    return {
        "game": name,
        "title": game.title,
        "blurb": game.blurb,
        "version": game.version,
        "seats": list(game.seats),
        "players": list(registry.players_for(name)),
        "settings": game.settings().model_dump(mode="json"),
        "variants": variants,
    }
