"""`ludens players`: who can sit where, why somebody cannot, and whether a model answers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from cli.install import install
from cli.words import Failed, Wrong, console, say

if TYPE_CHECKING:
    from engine.core.player import PlayerInfo
    from engine.play.registry import Registry

LIST = "list"
Roster = Annotated[Path | None, typer.Option(help="Your players.toml.  [default: players.toml in the project folder]")]


class Players(TyperGroup):
    """The commands about players; whatever is none of them is a game whose players are listed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the first argument names: `ludens players matchit` is `ludens players list matchit`."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            args = [LIST, *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(cls=Players, help="List who can sit where, and try a model.", invoke_without_command=True)


app.command()(install)


@app.callback()
def _bare(context: typer.Context, players: Roster = None) -> None:
    if context.invoked_subcommand is None:
        list_(None, players)


@app.command(LIST)
def list_(
    game: Annotated[str | None, typer.Argument(help="Only this game's players.")] = None,
    players: Roster = None,
) -> None:
    """List who can play: what to write after --seat NAME=, what it can, what it costs, and why it cannot play here."""
    from cli.settings import load
    from cli.stored import registry_of

    registry = registry_of(load(players=players))
    names = [registry.game(game).name] if game else list(registry.names)
    screen = console()
    for provider in registry.providers:
        _print(screen, provider, registry.about(provider, names[0]))
    for name in names:
        own = set(registry.players_for(name)) - {*registry.providers, *registry.roster.players}
        for who in sorted(own):
            _print(screen, who, registry.about(who, name), f"{name}: ")
    for server in registry.roster.servers.values():
        if server.name not in registry.providers:
            _print(
                screen,
                f"{server.name}/MODEL",
                registry.about(f"{server.name}/MODEL", names[0]),
                f"{server.base_url}: ",
            )
    for who, address in registry.roster.players.items():
        _print(screen, who, registry.about(who, names[0]), f"{address}: ")


def _print(screen: Any, who: str, about: PlayerInfo, before: str = "") -> None:
    screen.print(f"{who:20} {before}{about.summary}{_traits(about)}")
    if about.unusable_reason:
        screen.print(f"{'':20} cannot play here: {about.unusable_reason}")


def _traits(about: PlayerInfo) -> str:
    """Say what a player can and costs, in brackets; nothing where there is nothing to say."""
    told = []
    if about.max_pictures is not None:
        told.append(f"sees up to {about.max_pictures} pictures" if about.max_pictures else "cannot see")
    if about.is_paid and about.price:
        told.append(f"${about.price[0]:g} and ${about.price[1]:g} per million tokens in and out")
    elif about.is_paid:
        told.append("costs money")
    if about.is_local:
        told.append("runs on this machine")
    return f" ({', '.join(told)})" if told else ""


@app.command()
def test(
    name: Annotated[str, typer.Argument(help="A name of players.toml, or an address such as openai/MODEL.")],
    players: Roster = None,
) -> None:
    """Let a model say one sentence and, if it sees, name what is in a test picture; with seconds, tokens and cost."""
    from cli.settings import load
    from cli.stored import registry_of

    registry = registry_of(load(players=players))
    about = registry.about(name, registry.names[0])
    if about.unusable_reason:
        raise Failed(f"{name} cannot play here: {about.unusable_reason}")
    if registry.kind(name, registry.names[0]) != "model":
        raise Wrong(f"{name} is no model: only models are asked for a sentence. `ludens run` lets programs play")
    asyncio.run(_try(registry, name, about))


async def _try(registry: Registry, name: str, about: PlayerInfo) -> None:
    from engine.core.player import PlayerFault, no_episodes
    from players.common.trial import picture_trial, sentence_trial

    player = registry.player(name, registry.names[0], "A", no_episodes)
    screen = console()
    say(f"Asking {registry.resolve(name)}.")
    try:
        for trial in (sentence_trial, *((picture_trial,) if about.max_pictures != 0 else ())):
            said = await trial(player)
            screen.print(f"{said.prompt}\n  {said.reply.text.strip()}\n  {_figures(said.reply.meta)}")
    except PlayerFault as fault:
        raise Failed(f"{name} did not answer: {fault}") from None
    finally:
        await registry.close()


def _figures(meta: dict[str, Any]) -> str:
    """Say what a reply took, where it is known."""
    words = [
        f"{meta[key]:{form}} {what}"
        for key, form, what in (
            ("seconds", ".2f", "s"),
            ("tokens_in", ",", "tokens in"),
            ("tokens_out", ",", "tokens out"),
        )
        if key in meta
    ]
    if "cost" in meta:
        words.append(f"${meta['cost']:.6f}")
    if meta.get("dropped"):
        words.append(f"not sent: {', '.join(meta['dropped'])}")
    return " · ".join([*([meta["model"]] if "model" in meta else []), *words])
