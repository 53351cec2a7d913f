"""Scores: the numbers every game has, computed from events alone, and the result rows that many episodes give.

An episode has scores when it has an outcome other than `abandoned`; abandoned, open and stalled ones are no episodes:
they are counted and left out of every average. Nothing here reads a file, a clock or a rulebook; a game's own numbers
come from the scorer it is handed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.condition import Condition
from engine.core.events import Ending, Json
from engine.core.scores import Summary
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.statistics import bootstrap, mean, wilson
from engine.storage.episode_result import EpisodeResult


@dataclass
class _Group:
    """The episodes of one condition, before they are averaged."""

    condition: Condition
    counted: list[EpisodeResult] = field(default_factory=list)
    aside: dict[str, int] = field(default_factory=lambda: dict.fromkeys(EXCLUSION_REASONS, 0))

    def add(self, result: EpisodeResult, informed: bool) -> None:
        """Count one episode, or count it as left out."""
        if reason := exclusion_reason(result, informed):
            self.aside[reason] += 1
        else:
            self.counted.append(result)


def result_rows(
    results: Iterable[EpisodeResult],
    *,
    sides: Mapping[str, Sequence[str]] | None = None,
    summaries: Mapping[str, Summary] | None = None,
    informed: bool = False,
    missing: Mapping[str, tuple[Condition, int]] | None = None,
    seed: int = 0,
) -> list[Json]:
    """Return result rows, one per game, variant, experiment, seating, settings, reprompt, game version and prompt set.

    `id` is that of the condition. `missing` gives by this id the conditions of which episodes were planned and not yet
    begun, with how many.

    `sides` names the adversarial games with their sides: they get a row a side. A row has n (episodes with an outcome;
    abandoned, practice, mixed and, unless `informed`, informed ones not counted but given beside), played (0..100),
    quality (mean main score of played episodes, 0..100), score_all (aborted as 0), each with _low and _high of its 95 %
    interval, None where there is nothing to average; `faults` are the episodes stalled now, `open` those in play.
    `own` is what a game's summary says of the episodes counted and those stalled, None for games without one.
    """
    missing = missing or {}
    groups = {condition.id: _Group(condition) for condition, _ in missing.values()}
    for result in results:
        group = groups.get(result.condition.id)
        if group is None:
            group = groups[result.condition.id] = _Group(result.condition)
        group.add(result, informed)
    made: list[Json] = []
    for group in sorted(groups.values(), key=lambda group: group.condition.key):
        game = group.condition.game
        seen = {side for result in group.counted for side in result.sides or ()}
        named = list((sides or {}).get(game, ()))
        of_game: list[str | None] = [*named, *sorted(seen - set(named))]
        summary = (summaries or {}).get(game)
        sides_or_all = of_game or [None]  # what a game says of all sides stands with the first
        lacking = missing[group.condition.id][1] if group.condition.id in missing else 0
        made += [
            _row(group, side, seed, None if place else summary) | {"missing": lacking}
            for place, side in enumerate(sides_or_all)
        ]
    return made


def _row(group: _Group, side: str | None, seed: int, summary: Summary | None) -> Json:
    first, counted = group.condition, group.counted
    played = [result for result in counted if result.ending != Ending.ABORTED]
    scored: dict[str, list[float]] = {}
    everything: dict[str, list[float]] = {}
    for result in counted:
        score = result.main if side is None else (result.sides or {}).get(side)
        aborted = result.ending == Ending.ABORTED
        if score is not None:
            scored.setdefault(result.instance, []).append(score)
        if score is not None or aborted:
            everything.setdefault(result.instance, []).append(score or 0.0)
    quality = _score("quality", scored, seed)
    alike = {f"score_all{name.removeprefix('quality')}": value for name, value in quality.items()}
    return {
        "id": first.id,
        "game": first.game,
        "variant": first.variant,
        "experiment": first.experiment,
        "seats": dict(first.seats),
        "side": side,
        "n": len(counted),
        **_rate("played", len(played), len(counted)),
        **quality,
        **(alike if scored == everything else _score("score_all", everything, seed)),
        **group.aside,
        "own": summary([*(result.own for result in counted), *[None] * group.aside["faults"]]) if summary else None,
        "people": first.people,
        "settings": first.settings,
        "reprompt": first.reprompt,
        "game_version": first.game_version,
        "prompts": first.prompts,
    }


def _rate(name: str, hits: int, n: int) -> Json:
    if not n:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = wilson(hits / n, n)
    return {name: 100 * hits / n, f"{name}_low": 100 * low, f"{name}_high": 100 * high}


def _score(name: str, by_instance: Mapping[str, Sequence[float]], seed: int) -> Json:
    if not by_instance:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = bootstrap(by_instance.values(), seed=seed)
    average = mean([score for scores in by_instance.values() for score in scores])
    return {name: average, f"{name}_low": min(low, average), f"{name}_high": max(high, average)}
