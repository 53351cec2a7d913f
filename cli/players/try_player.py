"""`ludens players test`: whether a model answers, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import PlayersFileOption
from cli.output import CommandFailed, UsageError, make_console, print_message

if TYPE_CHECKING:
    from engine.core.player import PlayerInfo
    from engine.play.registry import Registry


def try_player(
    name: Annotated[str, typer.Argument(help="A name of players.toml, or an address such as openai/MODEL.")],
    players: PlayersFileOption = None,
) -> None:
    """Test a model.

    Asks it for one sentence and, if it sees, for the content of a test picture. Shows seconds, tokens and cost.
    """
    from cli.log_access import build_registry
    from cli.settings import load_settings

    registry = build_registry(load_settings(players=players))
    player_info = registry.player_info(name, registry.names[0])
    if player_info.unusable_reason:
        raise CommandFailed(f"{name} cannot play here: {player_info.unusable_reason}")
    if registry.player_kind(name, registry.names[0]) != "model":
        raise UsageError(f"{name} is not a model. Only models can be tested; `ludens run` plays with other players")
    import asyncio  # late, for the other commands

    asyncio.run(_run_trials(registry, name, player_info))


async def _run_trials(registry: Registry, player_name: str, player_info: PlayerInfo) -> None:
    from engine.core.player import PlayerFault, refuse_episode_loading
    from players.common.trial import run_picture_trial, run_sentence_trial

    player = registry.player(player_name, registry.names[0], "A", refuse_episode_loading)
    console = make_console()
    print_message(f"Asking {registry.resolve(player_name)}.")
    try:
        trial_runs = [run_sentence_trial] if player_info.max_pictures == 0 else [run_sentence_trial, run_picture_trial]
        for run_trial in trial_runs:
            trial = await run_trial(player)
            console.print(f"{trial.prompt}\n  {trial.reply.text.strip()}\n  {_format_figures(trial.reply.meta)}")
    except PlayerFault as fault:
        raise CommandFailed(f"{player_name} did not answer: {fault}") from None
    finally:
        await registry.close()


def _format_figures(reply_meta: dict[str, Any]) -> str:
    """Return what a reply took, as far as it is known."""
    figures = [reply_meta["model"]] if "model" in reply_meta else []
    for meta_key, number_format, unit_name in (
        ("seconds", ".2f", "s"),
        ("tokens_in", ",", "tokens in"),
        ("tokens_out", ",", "tokens out"),
    ):
        if meta_key in reply_meta:
            figures.append(f"{reply_meta[meta_key]:{number_format}} {unit_name}")
    if "cost" in reply_meta:
        figures.append(f"${reply_meta['cost']:.6f}")
    if reply_meta.get("dropped"):
        figures.append(f"not sent: {', '.join(reply_meta['dropped'])}")
    return " · ".join(figures)
