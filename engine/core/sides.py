"""The sides of a game: their names in a seating, and their seats for a seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.game import Game


def make_side_key(game: Game, side_name: str) -> str:
    """Return the name of a side in a seating: "side:spy", "camp:queen"."""
    return f"{game.side_word}:{side_name}"


def list_side_keys(game: Game) -> list[str]:
    """Return the names of all sides in a seating."""
    return [make_side_key(game, side_name) for side_name in game.sides] if game.draws_sides else []


def draw_side_seats(game: Game, instance: Any, seed: str) -> Mapping[str, Sequence[str]]:
    """Return the seats of each side in the episode with this seed: {"spy": ["Rose"], "villagers": […]}."""
    return game.draw_sides(instance, random.Random(f"{seed}/table"))
