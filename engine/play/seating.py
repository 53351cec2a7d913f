"""Resolve a seating: players for single seats, whole sides (`side:spy`), or `all` for the remaining seats.

A game whose sides are drawn says which seats belong to a side for a seed (`Game.draw_sides`). A bare name is always a
seat. A seat takes precedence over its side, a side over `all`. The checks are in `engine.play.plan_checks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from engine.core.events import Json, digest
from engine.core.game import Game
from engine.core.sides import draw_side_seats, list_side_keys, make_side_key
from engine.play.registry import SelectedInstance

T = TypeVar("T")
ALL_SEATS = "all"


def has_sides(game: Game, seating: Mapping[str, object]) -> bool:
    """Return whether a seating names sides of the game."""
    return any(side_name in seating for side_name in list_side_keys(game))


def list_empty_seats(game: Game, seating: Mapping[str, str]) -> list[str]:
    """Return the seats without a player, or the missing sides if sides are named."""
    if ALL_SEATS in seating:
        return []
    missing_seats = [seat for seat in game.seats if seat not in seating]
    if has_sides(game, seating) and missing_seats:
        return [side_name for side_name in list_side_keys(game) if side_name not in seating]
    return missing_seats


def list_candidates(game: Game, seating: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each seat with each player who may get it: several if sides are drawn."""
    named_sides = [side_name for side_name in list_side_keys(game) if side_name in seating]
    for seat in game.seats:
        if seat in seating:
            yield seat, seating[seat]
            continue
        for side_name in named_sides:
            yield seat, seating[side_name]
        if ALL_SEATS in seating and not (named_sides and len(named_sides) == len(game.sides)):
            yield seat, seating[ALL_SEATS]


def derive_side_seed(
    game: Game, selected_instance: SelectedInstance, seating: Mapping[str, str], run_seed: int, repetition: int = 0
) -> str | None:
    """Return the seed of an episode if the seating names sides, else None: `build_start_event` derives it then.

    It is derived from the seating as written, because the seats follow from the seed.
    """
    if not has_sides(game, seating):
        return None
    seating_in_order = {seating_key: seating[seating_key] for seating_key in sorted(seating)}
    return digest(
        [
            run_seed,
            game.name,
            selected_instance.variant,
            selected_instance.experiment,
            selected_instance.instance_hash,
            seating_in_order,
            repetition,
        ]
    )


def assign_players(game: Game, instance: Json, seating: Mapping[str, T], seed: str | None) -> dict[str, T]:
    """Return {seat: player} for an episode. `seed` is needed if the seating names sides."""
    seats_by_side = draw_side_seats(game, game.load(instance), seed) if seed and has_sides(game, seating) else {}
    side_keys_by_seat = {seat: make_side_key(game, side) for side, seats in seats_by_side.items() for seat in seats}
    player_keys = {seat: seat if seat in seating else side_keys_by_seat.get(seat, ALL_SEATS) for seat in game.seats}
    return {seat: seating[key if key in seating else ALL_SEATS] for seat, key in player_keys.items()}
