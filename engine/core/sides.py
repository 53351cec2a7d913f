"""Sides of a game: what a seating calls them, and which seats a seed gives to each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.game import Game


def side_key(game: Game, side: str) -> str:
    """Return what a side is called in a seating: "side:spy", "camp:queen"."""
    return f"{game.side_word}:{side}"


def side_keys(game: Game) -> list[str]:
    """Return the sides of a game as a seating may name them."""
    return [side_key(game, side) for side in game.sides] if game.draws_sides else []


def sides_of(game: Game, instance: Any, seed: str) -> Mapping[str, Sequence[str]]:
    """Return the seats of each side in the episode with this seed: {"spy": ["Rose"], "villagers": […]}."""
    return game.draw_sides(instance, random.Random(f"{seed}/table"))
