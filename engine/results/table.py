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
    excluded_count_by_reason: Mapping[str, int]
    """Episodes by exclusion reason: `faults` are stalled now, `open` in play."""
    summary: Json | None
    """What the game says of the counted and the stalled episodes, None for games without a summary."""
    missing_count: int
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
            **self.excluded_count_by_reason,
            "own": self.summary,
            "people": condition.people,
            "settings": condition.settings,
            "reprompt": condition.reprompt,
            "game_version": condition.game_version,
            "prompts": condition.prompts,
            **({"study": condition.study} if condition.study else {}),
            **({"rules_for_models": condition.rules_for_models} if condition.rules_for_models else {}),
            "missing": self.missing_count,
            **(_describe_usage(self.usage) if self.usage else {}),
        }


def _describe_usage(usage_by_player: UsageByPlayer) -> Json:
    """Return by player the fields of requests, the parameters left out, and how many replies were not complete."""
    finish_by_player = {
        player: {
            "replies": usage.replies,
            **usage.finishes,
            "empty": usage.empty_count,
            "context": usage.context_exceeded,
        }
        for player, usage in usage_by_player.items()
    }
    return {
        "sent": {player: [json.loads(fields) for fields in usage.sent] for player, usage in usage_by_player.items()},
        "dropped": {player: dict(usage.dropped) for player, usage in usage_by_player.items()},
        "finish": finish_by_player,
    }


@dataclass
class _ConditionEpisodes:
    """The episodes of one condition, before they are averaged."""

    condition: Condition
    included_results: list[EpisodeResult] = field(default_factory=list)
    excluded_counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(EXCLUSION_REASONS, 0))

    def add_result(self, result: EpisodeResult, include_informed_players: bool) -> None:
        """Count one episode, as counted or as excluded."""
        if reason := exclusion_reason(result, include_informed_players):
            self.excluded_counts[reason] += 1
        else:
            self.included_results.append(result)


def make_result_rows(
    results: Iterable[EpisodeResult],
    *,
    sides: Mapping[str, Sequence[str]] | None = None,
    summaries: Mapping[str, Summary] | None = None,
    include_informed_players: bool = False,
    missing_episodes_by_condition: Mapping[str, MissingEpisodes] | None = None,
    seed: int = 0,
) -> list[ResultRow]:
    """Return one row per game, variant, experiment, seating, settings, reprompt, game version and prompt set.

    `sides` gives the sides of each adversarial game, which get one row per side. `summaries` gives the summary function
    of each game that has one. `missing_episodes_by_condition` gives, by its id, the planned episodes that were not
    begun.
    """
    missing_episodes_by_condition = missing_episodes_by_condition or {}
    episodes_by_id = {
        condition_id: _ConditionEpisodes(missing_group.condition)
        for condition_id, missing_group in missing_episodes_by_condition.items()
    }
    for result in results:
        episodes = episodes_by_id.get(result.condition.id)
        if episodes is None:
            episodes = episodes_by_id[result.condition.id] = _ConditionEpisodes(result.condition)
        episodes.add_result(result, include_informed_players)
    row_list: list[ResultRow] = []
    for episodes in sorted(episodes_by_id.values(), key=lambda episodes: episodes.condition.key):
        game, condition_id = episodes.condition.game, episodes.condition.id
        declared_sides = list((sides or {}).get(game, ()))
        scored_sides = {side for result in episodes.included_results for side in result.side_scores or ()}
        row_sides: list[str | None] = [*declared_sides, *sorted(scored_sides - set(declared_sides))] or [None]
        planned_count = (
            missing_episodes_by_condition[condition_id].number if condition_id in missing_episodes_by_condition else 0
        )
        for side_number, side in enumerate(row_sides):
            summarise = None if side_number else (summaries or {}).get(game)  # the summary is of all sides: once, first
            row_list.append(_make_result_row(episodes, side, summarise, planned_count, seed))
    return row_list


def _make_result_row(
    episodes: _ConditionEpisodes, side: str | None, summarise: Summary | None, missing_count: int, seed: int
) -> ResultRow:
    results = episodes.included_results
    averages = (_average_people if episodes.condition.people else _average_scores)(results, side, seed)
    summarised_scores = (
        [*(game.scores for game in results), *[None] * episodes.excluded_counts["faults"]] if summarise else []
    )
    return ResultRow(
        episodes.condition,
        side,
        len(results),
        *averages,
        episodes.excluded_counts,
        summarise(summarised_scores) if summarise else None,
        missing_count,
        count_participants(results) if episodes.condition.people else None,
        _sum_usage(results),
    )


def _sum_usage(results: Iterable[EpisodeResult]) -> UsageByPlayer:
    usage_by_player: UsageByPlayer = {}
    for result in results:
        if usage := result.usage:
            add_usages(usage_by_player, usage)
    return usage_by_player


def _find_score(result: EpisodeResult, side: str | None) -> float | None:
    return result.main_score if side is None else (result.side_scores or {}).get(side)


def _average_scores(
    results: Sequence[EpisodeResult], side: str | None, seed: int
) -> tuple[Estimate, Estimate, Estimate]:
    """Return `played`, `quality` and `score_all` of episodes between programs."""
    played_count = sum(result.ending != Ending.ABORTED for result in results)
    scores_by_instance: dict[str, list[float]] = {}
    aborted_instances: list[str] = []
    for result in results:
        score = _find_score(result, side)
        if score is not None:
            scores_by_instance.setdefault(result.instance_hash, []).append(score)
        elif result.ending == Ending.ABORTED:
            aborted_instances.append(result.instance_hash)
    quality = score_all = estimate_score(scores_by_instance, seed=seed)
    if aborted_instances:
        for instance_hash in aborted_instances:
            scores_by_instance.setdefault(instance_hash, []).append(0.0)
        score_all = estimate_score(scores_by_instance, seed=seed)
    return estimate_share(played_count, len(results)), quality, score_all


def _average_people(results: Sequence[EpisodeResult], side: str | None, _: int) -> tuple[Estimate, Estimate, Estimate]:
    """Return `played`, `quality` and `score_all` of episodes with people."""
    played_values = [(result, 100.0 * (result.ending != Ending.ABORTED)) for result in results]
    scored_results = [(result, score) for result in results if (score := _find_score(result, side)) is not None]
    aborted_values = [
        (result, 0.0) for result in results if result.ending == Ending.ABORTED and _find_score(result, side) is None
    ]
    quality = make_score_clusters(scored_results).mean().estimate
    score_all = make_score_clusters([*scored_results, *aborted_values]).mean().estimate if aborted_values else quality
    return make_score_clusters(played_values).mean().estimate, quality, score_all
