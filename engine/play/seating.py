"""Who sits where, as somebody asks for it: a seat by name, a whole side (`side:spy`), or `all` for whoever is left.

A game whose sides are drawn says which seats a seed gives to a side (`Game.draw_sides`). A bare name is always a seat;
a seat goes before its side, a side before `all`. Checks and their words stand in `engine.play.runner`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from engine.core.events import Json, digest
from engine.core.game import Game
from engine.core.sides import side_key, side_keys, sides_of
from engine.play.registry import SelectedInstance

T = TypeVar("T")
ALL = "all"


def by_sides(game: Game, seating: Mapping[str, object]) -> bool:
    """Return whether a seating names sides of the game."""
    return any(key in seating for key in side_keys(game))


def empty_seats(game: Game, seating: Mapping[str, str]) -> list[str]:
    """Return the seats that nobody would sit at, or, where sides are named, the sides left out."""
    if ALL in seating:
        return []
    missing = [seat for seat in game.seats if seat not in seating]
    if by_sides(game, seating) and missing:
        return [key for key in side_keys(game) if key not in seating]
    return missing


def candidates(game: Game, seating: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give every seat with each player who may come to sit there: several where sides are drawn."""
    sides = [key for key in side_keys(game) if key in seating]
    for seat in game.seats:
        if seat in seating:
            yield seat, seating[seat]
            continue
        for key in sides:
            yield seat, seating[key]
        if ALL in seating and not (sides and len(sides) == len(game.sides)):
            yield seat, seating[ALL]


def side_seating_seed(
    game: Game, item: SelectedInstance, seating: Mapping[str, str], run_seed: int, repetition: int = 0
) -> str | None:
    """Return the seed of an episode where the seating names sides, else None: `start_of` then makes it of the seats.

    It is made alike, of the seating as it was asked for: the seats cannot be part of it, it decides them.
    """
    if not by_sides(game, seating):
        return None
    seating_in_order = {key: seating[key] for key in sorted(seating)}
    return digest(
        [run_seed, game.name, item.variant, item.experiment, digest(item.instance), seating_in_order, repetition]
    )


def players_of(game: Game, instance: Json, seating: Mapping[str, T], seed: str | None) -> dict[str, T]:
    """Return {seat: player} for an episode. `seed` is needed where the seating names sides."""
    sides = sides_of(game, game.load(instance), seed) if seed and by_sides(game, seating) else {}
    side_keys_by_seat = {name: side_key(game, side) for side, seats in sides.items() for name in seats}
    return {
        name: next(
            seating[key] for key in (name, side_keys_by_seat.get(name), ALL) if key is not None and key in seating
        )
        for name in game.seats
    }
