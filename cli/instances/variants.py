"""Which variants a selection of games names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.output import UsageError

if TYPE_CHECKING:
    from engine.core.game import Game, InstanceMaker
    from engine.play.registry import Registry


def select_variants(registry: Registry, selections: list[str] | None) -> list[tuple[str, str]]:
    """Return (game, variant) of each selected variant, or of all. Raises `UsageError`."""
    selected_variants = []
    for selection in selections or registry.names:
        game, _, variant = selection.strip("/").partition("/")
        variant_names = [game_variant.name for game_variant in registry.game(game).variants]
        if variant and variant not in variant_names:
            raise UsageError(f"{game} has no variant {variant!r}; there are: {', '.join(variant_names)}")
        selected_variants += [(game, variant_name) for variant_name in variant_names if variant in ("", variant_name)]
    return selected_variants


def find_maker(game: Game) -> InstanceMaker:
    """Return the generator of a game's instances. Raises `UsageError` for a game without one."""
    instance_maker = game.instance_maker()
    if instance_maker is None:
        raise UsageError(f"the instances of {game.name} are written by hand and cannot be generated")
    return instance_maker
