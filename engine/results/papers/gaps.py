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
class Gap:
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


def find_gaps(selections: Sequence[str], sources: Sources) -> list[Gap]:
    """Return what each row lacks in each experiment of these parts of games; complete ones are left out."""
    variant_parts = list(_declared_experiments(selections, sources))
    groups = group_by_players(sources.results, sources, variant_parts)
    gaps = [
        _find_gap(group, part, sources)
        for group in groups
        if group.counted
        for part in variant_parts
        if len(set(group.seats.values())) <= len(sources.registry.game(part.game).seats)
    ]
    return [gap for gap in gaps if gap.games_for_instances or gap.games_for_interval]


def people_gaps(selections: Sequence[str], sources: Sources) -> list[Gap]:
    """Return what each row with people lacks; if there is none, what a first row of people would."""
    gaps = [gap for gap in find_gaps(selections, sources) if gap.people is not None]
    has_people = any(
        group.kind == "person" and group.counted
        for group in group_by_players(sources.results, sources, list(_declared_experiments(selections, sources)))
    )
    if has_people:
        return gaps
    nobody = PlayerEpisodes.nobody("person")
    return [_find_gap(nobody, part, sources) for part in _declared_experiments(selections, sources)]


def _declared_experiments(selections: Iterable[str], sources: Sources) -> Iterator[VariantPart]:
    """Yield the experiments of selections, without imported and own ones."""
    registry = sources.registry
    for selection in selections:
        game, variant, experiment = (*parse_game_part(selection), None, None)[:3]
        if game is None or not registry.has(game):
            continue
        for declared_variant in registry.game(game).variants:
            if variant in (None, declared_variant.name):
                names = [each.name for each in declared_variant.experiments]
                yield from (VariantPart(game, declared_variant.name, (n,)) for n in names if experiment in (None, n))


def _find_gap(group: PlayerEpisodes, part: VariantPart, sources: Sources) -> Gap:
    results = [result for result in group.counted if part.has(result.condition)]
    instances = len({result.instance_hash for result in results})
    available = part.count_instances(sources.registry)
    [selection] = part.selection
    if group.kind != "person":
        return Gap(group.label, selection, len(results), instances, available)
    people = count_participants(results)
    seats = max(1, sum(map(is_person, group.seats.values())))
    missing_people = -(-max(0, MIN_CLUSTERS - people) // seats)
    game_count = max(missing_people, min(MIN_CLUSTERS, available) - instances, 0)
    return Gap(group.label, selection, len(results), instances, available, people, game_count)
