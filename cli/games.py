"""`ludens games`: which games can be played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import check_format
from cli.output import print_data, print_json, print_message

if TYPE_CHECKING:
    from engine.core.game import Game, Variant
    from engine.play.registry import Registry


def games(
    context: typer.Context,
    format: Annotated[str, typer.Option("--format", help="table or json")] = "table",
) -> None:
    """List the games.

    Shows each game's seats, players, settings and variants, and their experiments with the number of instances.
    """
    if context.invoked_subcommand is not None:
        return
    from cli.log_access import build_registry
    from cli.settings import load_settings

    check_format(format, ("table", "json"))
    registry = build_registry(load_settings())
    described_games = [_describe_game(registry, game) for game in registry.games.values()]
    for game_name, reason in registry.load_failures.items():
        print_message(f"{game_name} cannot be loaded: {reason}")
    for reason in registry.unreadable_files.values():
        print_message(reason)
    if format == "json":
        print_json(described_games, indent=2)
        return
    for game in described_games:
        print_data(f"{game['game']}: {game['blurb']}")
        print_data(f"  seats     {', '.join(game['seats'])}")
        print_data(f"  players   {', '.join(game['players'])}")
        print_data(f"  settings  {_format_settings(game['settings'])}")
        for variant in game["variants"]:
            print_data(f"  {variant['selection']:24} {variant['title']}")
            for experiment in variant["experiments"]:
                instance_count = experiment["instances"]
                print_data(f"    {experiment['selection']:44} {instance_count:3} instances  {experiment['title']}")


def _format_settings(settings: dict[str, Any]) -> str:
    return ", ".join(f"{setting_name}={json.dumps(value)}" for setting_name, value in settings.items()) or "none"


def _describe_game(registry: Registry, game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "blurb": game.blurb,
        "version": game.version,
        "seats": list(game.seats),
        "players": registry.list_player_names(game.name),
        "settings": game.settings.defaults(),
        "variants": [_describe_variant(registry, game, variant) for variant in game.variants],
    }


def _describe_variant(registry: Registry, game: Game, variant: Variant) -> dict[str, Any]:
    from engine.play.registry import BadInstances

    selection = f"{game.name}/{variant.name}"
    try:
        instance_sets, titles = registry.experiments(game.name, variant.name), registry.titles(game.name, variant.name)
    except BadInstances as error:
        print_message(str(error))
        instance_sets, titles = {}, {}
    experiments = [
        {"selection": f"{selection}/{experiment}", "title": titles.get(experiment, ""), "instances": len(instances)}
        for experiment, instances in instance_sets.items()
    ]
    return {"selection": selection, "title": variant.title, "experiments": experiments}
