"""What a table lacks: instances that a row has not played, and how many games with people an interval needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.core.condition import is_person
from engine.core.events import Json
from engine.results.leaderboard import parse_game_part
from engine.results.papers.layouts import PlayerEpisodes, Sources, VariantPart, group_by_players
from engine.results.participation import count_participants
from engine.results.two_way import MIN_CLUSTERS


@dataclass(frozen=True, slots=True)
class GameShortfall:
    """What a row lacks in a part of a game. `people` and `games_for_interval` are None for rows without people."""

    row: str
    selection: str
    n: int
    instances: int
    available: int
    people: int | None = None
    games_for_interval: int | None = None
    """More games until there are enough people and instances: each may be by new people, on a new instance."""

    @property
    def games_for_instances(self) -> int:
        """More games until every instance was played."""
        return max(0, self.available - self.instances)

    def as_json(self) -> Json:
        """Return the gap as JSON."""
        field_names = ["row", "selection", "n", "instances", "available", "games_for_instances"]
        field_names += [] if self.people is None else ["people", "games_for_interval"]
        return {field_name: getattr(self, field_name) for field_name in field_names}


def find_game_shortfalls(selections: Sequence[str], sources: Sources) -> list[GameShortfall]:
    """Return what each row lacks in each experiment of these parts of games; complete ones are left out."""
    variant_parts = list(_list_declared_parts(selections, sources))
    player_groups = group_by_players(sources.results, sources, variant_parts)
    shortfalls = [
        _find_game_shortfall(player_group, variant_part, sources)
        for player_group in player_groups
        if player_group.included_results
        for variant_part in variant_parts
        if len(set(player_group.seats.values())) <= len(sources.registry.game(variant_part.game).seats)
    ]
    return [shortfall for shortfall in shortfalls if shortfall.games_for_instances or shortfall.games_for_interval]


def find_people_game_shortfalls(selections: Sequence[str], sources: Sources) -> list[GameShortfall]:
    """Return what each row with people lacks; if there is none, what a first row of people would."""
    shortfalls = [shortfall for shortfall in find_game_shortfalls(selections, sources) if shortfall.people is not None]
    has_people = any(
        player_group.kind == "person" and player_group.included_results
        for player_group in group_by_players(sources.results, sources, list(_list_declared_parts(selections, sources)))
    )
    if has_people:
        return shortfalls
    empty_group = PlayerEpisodes.make_empty("person")
    return [
        _find_game_shortfall(empty_group, variant_part, sources)
        for variant_part in _list_declared_parts(selections, sources)
    ]


def _list_declared_parts(selections: Iterable[str], sources: Sources) -> Iterator[VariantPart]:
    """Yield the experiments of selections, without imported and own ones."""
    registry = sources.registry
    for selection in selections:
        game, variant, experiment = (*parse_game_part(selection), None, None)[:3]
        if game is None or not registry.has(game):
            continue
        for declared_variant in registry.game(game).variants:
            if variant in (None, declared_variant.name):
                names = [experiment.name for experiment in declared_variant.experiments]
                yield from (
                    VariantPart(game, declared_variant.name, (name,)) for name in names if experiment in (None, name)
                )


def _find_game_shortfall(player_group: PlayerEpisodes, variant_part: VariantPart, sources: Sources) -> GameShortfall:
    results = [result for result in player_group.included_results if variant_part.has_condition(result.condition)]
    instance_count = len({result.instance_hash for result in results})
    available_count = variant_part.count_instances(sources.registry)
    [selection] = variant_part.selection
    if player_group.kind != "person":
        return GameShortfall(player_group.label, selection, len(results), instance_count, available_count)
    people_count = count_participants(results)
    seat_count = max(1, sum(map(is_person, player_group.seats.values())))
    missing_count = -(-max(0, MIN_CLUSTERS - people_count) // seat_count)
    game_count = max(missing_count, min(MIN_CLUSTERS, available_count) - instance_count, 0)
    return GameShortfall(
        player_group.label, selection, len(results), instance_count, available_count, people_count, game_count
    )
