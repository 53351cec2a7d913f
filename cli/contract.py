"""`ludens games contract` and `ludens players contract`: whether a game or a player of your own keeps the contract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import PlayersFileOption
from cli.output import CommandFailed, print_data
from engine.core.wording import plural

if TYPE_CHECKING:
    from engine.play.contract import Check


def check_game(name: Annotated[str, typer.Argument(help="The game; `ludens games` lists all games.")]) -> None:
    """Check that a game keeps the contract of all games.

    Random and scripted players play every variant; each log is resumed, scored again and debriefed; every kind of
    malformed reply is sent. Exit code 1 if a check fails.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.play.contract import list_game_checks
    from games.common.playable import holds_only_pixels

    registry = build_registry(load_settings())
    if reason := registry.broken_games.get(name):
        raise CommandFailed(f"{name} cannot be loaded: {reason}")
    _run_checks(list_game_checks(registry, name, holds_only_pixels))


def check_player(
    address: Annotated[str, typer.Argument(help="The player, such as openai/MODEL.")],
    game: Annotated[str | None, typer.Option(help="The game whose first ask it answers.  [default: the first]")] = None,
    players: PlayersFileOption = None,
) -> None:
    """Check that a player keeps the contract of all players.

    It answers the first ask of a game about a dozen times, also at once and after it was cancelled or closed. Exit code
    1 if a check fails.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings
    from engine.play.contract import list_player_checks

    registry = build_registry(load_settings(players=players))
    game_name = registry.game(game).name if game else registry.names[0]
    if reason := registry.player_info(address, game_name).unusable_reason:
        raise CommandFailed(f"{address} cannot play here: {reason}")
    _run_checks(list_player_checks(registry, address, game_name))


def _run_checks(checks: Iterable[Check]) -> None:
    """Run checks and print a line for each."""
    check_count = failure_count = 0
    for check in checks:
        reason = check.find_failure()
        check_count, failure_count = check_count + 1, failure_count + bool(reason)
        verdict, reason_text = ("FAIL", f": {reason}") if reason else ("ok", "")
        print_data(f"{verdict:4}  {check.checked_target}: {check.check_name}{reason_text}")
    if failure_count:
        raise CommandFailed(f"{failure_count} of {plural(check_count, 'check')} failed")
