"""`ludens players list`: who can sit where, what they cost, and why somebody cannot play here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import PlayersFileOption
from cli.output import make_console, print_message

if TYPE_CHECKING:
    from engine.core.player import PlayerInfo


def list_players(
    game: Annotated[str | None, typer.Argument(help="Only this game's players.")] = None,
    players: PlayersFileOption = None,
) -> None:
    """List who can play.

    Shows for each player what to write after --seat NAME=, whether it sees, what it costs, and why it cannot play here.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings

    registry = build_registry(load_settings(players=players))
    game_names = [registry.game(game).name] if game else list(registry.names)
    console = make_console()
    for provider, reason in registry.broken_providers.items():
        print_message(f"the players of {provider} cannot be loaded: {reason}")
    for provider in registry.usable_providers:
        _print_players(console, provider, registry.player_info(provider, game_names[0]))
    for game_name in game_names:
        scripted_players = set(registry.describe_players(game_name)) - {*registry.providers, *registry.roster.players}
        for player in sorted(scripted_players):
            _print_players(console, player, registry.player_info(player, game_name), f"{game_name}: ")
    for server in registry.roster.servers.values():
        if server.name not in registry.providers:
            address = f"{server.name}/MODEL"
            _print_players(console, address, registry.player_info(address, game_names[0]), f"{server.base_url}: ")
    for player, address in registry.roster.players.items():
        _print_players(console, player, registry.player_info(player, game_names[0]), f"{address}: ")


def _print_players(console: Any, player: str, player_info: PlayerInfo, summary_prefix: str = "") -> None:
    console.print(f"{player:20} {summary_prefix}{player_info.summary}{_describe_traits(player_info)}")
    if player_info.unusable_reason:
        console.print(f"{'':20} cannot play here: {player_info.unusable_reason}")


def _describe_traits(player_info: PlayerInfo) -> str:
    """Return in brackets what a player can see and costs; nothing if there is nothing to say."""
    traits = []
    if player_info.max_pictures is not None:
        traits.append(f"sees up to {player_info.max_pictures} pictures" if player_info.max_pictures else "cannot see")
    if player_info.is_paid and player_info.price:
        traits.append(f"${player_info.price[0]:g} and ${player_info.price[1]:g} per million tokens in and out")
    elif player_info.is_paid:
        traits.append("costs money")
    if player_info.is_local:
        traits.append("runs on this machine")
    return f" ({', '.join(traits)})" if traits else ""
