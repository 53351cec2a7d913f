"""Result rows: the episodes of each condition, counted and averaged.

An episode counts if it has an outcome other than `abandoned` and no exclusion reason; excluded episodes are counted by
reason. Nothing here reads a file or loads a game: the summary of a game is passed in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.core.condition import Condition
from engine.core.events import Ending, Json
from engine.core.scores import Summary
from engine.core.usage import UsageByPlayer, add_usages
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.participation import count_participants, make_score_clusters
from engine.results.statistics import Estimate, estimate_score, estimate_share
from engine.storage.episode_result import EpisodeResult


class MissingEpisodes(NamedTuple):
    """How many episodes of a condition were planned and not begun."""

    condition: Condition
    number: int


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The episodes of one condition, or of one side in it, counted and averaged.

    n counts the episodes with an outcome; `played` is the share not aborted; `quality` is the mean main score (of a
    side: its score) of played episodes; `score_all` counts aborted episodes as 0. With people at seats, all three are
    means over instances of means over people, with two-way intervals (`engine.results.two_way`).
    """

    condition: Condition
    side: str | None
    n: int
    played: Estimate
    quality: Estimate
    score_all: Estimate
    excluded: Mapping[str, int]
    """Episodes by exclusion reason: `faults` are stalled now, `open` in play."""
    summary: Json | None
    """What the game says of the counted and the stalled episodes, None for games without a summary."""
    missing: int
    """Episodes planned and not begun."""
    participants: int | None = None
    """Different people in the counted episodes, as far as they are known; None for rows without people."""
    usage: UsageByPlayer = field(default_factory=dict)
    """What the models of the counted episodes were sent and took, by address; empty for rows without models."""

    def as_json(self) -> Json:
        """Return the row as `ludens results --format json` and the page show it."""
        condition = self.condition
        return {
            "id": condition.id,
            "game": condition.game,
            "variant": condition.variant,
            "experiment": condition.experiment,
            "seats": dict(condition.seats),
            "side": self.side,
            "n": self.n,
            **({} if self.participants is None else {"participants": self.participants}),
            **self.played.as_json("played"),
            **self.quality.as_json("quality"),
            **self.score_all.as_json("score_all"),
            **self.excluded,
            "own": self.summary,
            "people": condition.people,
            "settings": condition.settings,
            "reprompt": condition.reprompt,
            "game_version": condition.game_version,
            "prompts": condition.prompts,
            **({"study": condition.study} if condition.study else {}),
            **({"rules_for_models": condition.rules_for_models} if condition.rules_for_models else {}),
            "missing": self.missing,
            **(_usage_json(self.usage) if self.usage else {}),
        }


def _usage_json(usages: UsageByPlayer) -> Json:
    """Return by player the fields of requests, the parameters left out, and how many replies were not complete."""
    finishes = {
        player: {"replies": usage.replies, **usage.finishes, "empty": usage.empty, "context": usage.context_exceeded}
        for player, usage in usages.items()
    }
    return {
        "sent": {p: [json.loads(request_fields) for request_fields in usage.sent] for p, usage in usages.items()},
        "dropped": {player: dict(usage.dropped) for player, usage in usages.items()},
        "finish": finishes,
    }


@dataclass
class _ConditionEpisodes:
    """The episodes of one condition, before they are averaged."""

    condition: Condition
    counted: list[EpisodeResult] = field(default_factory=list)
    excluded: dict[str, int] = field(default_factory=lambda: dict.fromkeys(EXCLUSION_REASONS, 0))

    def add(self, result: EpisodeResult, include_informed: bool) -> None:
        """Count one episode, as counted or as excluded."""
        if reason := exclusion_reason(result, include_informed):
            self.excluded[reason] += 1
        else:
            self.counted.append(result)


def result_rows(
    results: Iterable[EpisodeResult],
    *,
    sides: Mapping[str, Sequence[str]] | None = None,
    summaries: Mapping[str, Summary] | None = None,
    include_informed: bool = False,
    missing: Mapping[str, MissingEpisodes] | None = None,
    seed: int = 0,
) -> list[ResultRow]:
    """Return one row per game, variant, experiment, seating, settings, reprompt, game version and prompt set.

    `sides` gives the sides of each adversarial game, which get one row per side. `summaries` gives the summary function
    of each game that has one. `missing` gives, by condition id, the planned episodes that were not begun.
    """
    missing = missing or {}
    group_by_id = {id_: _ConditionEpisodes(missing_episodes.condition) for id_, missing_episodes in missing.items()}
    for result in results:
        group = group_by_id.get(result.condition.id)
        if group is None:
            group = group_by_id[result.condition.id] = _ConditionEpisodes(result.condition)
        group.add(result, include_informed)
    rows: list[ResultRow] = []
    for group in sorted(group_by_id.values(), key=lambda group: group.condition.key):
        game, id_ = group.condition.game, group.condition.id
        declared_sides = list((sides or {}).get(game, ()))
        scored_sides = {side for result in group.counted for side in result.side_scores or ()}
        sides_or_all: list[str | None] = [*declared_sides, *sorted(scored_sides - set(declared_sides))] or [None]
        planned_count = missing[id_].number if id_ in missing else 0
        for side_number, side in enumerate(sides_or_all):
            summary = None if side_number else (summaries or {}).get(game)  # the summary is of all sides: once, first
            rows.append(_result_row(group, side, summary, planned_count, seed))
    return rows


def _result_row(
    group: _ConditionEpisodes, side: str | None, summary: Summary | None, missing_count: int, seed: int
) -> ResultRow:
    counted_results = group.counted
    averages = (_people_averages if group.condition.people else _average_scores)(counted_results, side, seed)
    summarised_scores = [*(r.scores for r in counted_results), *[None] * group.excluded["faults"]] if summary else []
    return ResultRow(
        group.condition,
        side,
        len(counted_results),
        *averages,
        group.excluded,
        summary(summarised_scores) if summary else None,
        missing_count,
        count_participants(counted_results) if group.condition.people else None,
        _sum_usage(counted_results),
    )


def _sum_usage(results: Iterable[EpisodeResult]) -> UsageByPlayer:
    usage_by_player: UsageByPlayer = {}
    for result in results:
        if usage := result.usage:
            add_usages(usage_by_player, usage)
    return usage_by_player


def _score_of(result: EpisodeResult, side: str | None) -> float | None:
    return result.main_score if side is None else (result.side_scores or {}).get(side)


def _average_scores(
    results: Sequence[EpisodeResult], side: str | None, seed: int
) -> tuple[Estimate, Estimate, Estimate]:
    """Return `played`, `quality` and `score_all` of episodes between programs."""
    aborted_ending = Ending.ABORTED  # once: naming a member takes 0.2 µs in Python 3.11
    played_count = sum(result.ending != aborted_ending for result in results)
    scores_by_instance: dict[str, list[float]] = {}
    zeroed_by_instance: dict[str, list[float]] = {}
    for result in results:
        score = _score_of(result, side)
        if score is not None:
            scores_by_instance.setdefault(result.instance_hash, []).append(score)
        if score is not None or result.ending == aborted_ending:
            zeroed_by_instance.setdefault(result.instance_hash, []).append(score or 0.0)
    quality = estimate_score(scores_by_instance, seed=seed)
    score_all = quality if scores_by_instance == zeroed_by_instance else estimate_score(zeroed_by_instance, seed=seed)
    return estimate_share(played_count, len(results)), quality, score_all


def _people_averages(results: Sequence[EpisodeResult], side: str | None, _: int) -> tuple[Estimate, Estimate, Estimate]:
    """Return `played`, `quality` and `score_all` of episodes with people."""
    played_values = [(result, 100.0 * (result.ending != Ending.ABORTED)) for result in results]
    scored_results = [(result, score) for result in results if (score := _score_of(result, side)) is not None]
    aborted_values = [
        (result, 0.0) for result in results if result.ending == Ending.ABORTED and _score_of(result, side) is None
    ]
    quality = make_score_clusters(scored_results).mean().estimate
    score_all = make_score_clusters([*scored_results, *aborted_values]).mean().estimate if aborted_values else quality
    return make_score_clusters(played_values).mean().estimate, quality, score_all
