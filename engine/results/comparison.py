"""Two players on the same instances: paired differences of main scores, and how far each player agrees with itself.

A pair is one instance that both players played under the same settings, prompts, reminders and game version, at the
same seats and with the same players at the others. Of people only first exposures count, and where people are involved
the interval allows for both people and instances (`engine.results.two_way`). Episodes that are left out are counted by
reason. Nothing here reads a file: the caller passes in who had seen what.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from engine.core.events import Ending, Json, canonical_json
from engine.results.agreement import krippendorff_alpha
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.participation import count_participants, find_people
from engine.results.statistics import average, bootstrap_interval, compute_wilson_interval
from engine.results.two_way import Clusters, compute_mean_difference
from engine.storage.episode_result import EpisodeResult

LEFT_OUT_REASONS = (*EXCLUSION_REASONS, "sides", "watched", "repeated", "conditions", "unpaired")
"""Why an episode is in no pair: the reasons of averages; a game of sides; somebody watched both sides while people
played; a person in it had seen the instance before; the other player played the instance only under other conditions
(settings, reminders, prompts, rules, seats or other players); the other player did not play it."""

RESAMPLE_COUNT = 9999
SCORE_ROUNDING_UNITS = (0.01, 0.1, 1.0)
"""Points to which differences are rounded for the exact test; the finest one that is fast enough is used."""
MAX_CONVOLUTION_STEPS = 200_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference in points: first player minus second, with a 95 % interval and a two-sided p-value.

    `better`, `worse` and `equal` count the pairs. Without a pair, all but `n` and these are None. `people` are the
    different people in the pairs, as far as they are known, and `games` their games; None between programs. With
    people, `p` is None: the sign-flip test would take the games of one person as independent.
    """

    n: int
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    better: int = 0
    equal: int = 0
    worse: int = 0
    people: int | None = None
    games: int | None = None

    def as_json(self) -> Json:
        """Return the fields; `people` and `games` only where people are involved."""
        return {
            name: value for name, value in asdict(self).items() if name not in ("people", "games") or value is not None
        }


@dataclass(frozen=True, slots=True)
class RepeatAgreement:
    """How far the scores on the same instance agree, over instances with at least two episodes.

    `same` is the share of pairs with equal scores, `apart` the mean absolute difference of a pair in points, both with
    equal weight for each instance; `alpha` is Krippendorff's alpha for interval data. None without repetition; `alpha`
    also if all scores are equal.
    """

    instances: int
    episodes: int
    same: float | None
    apart: float | None
    alpha: float | None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """Two players on the instances of one experiment, or of all where game, variant and experiment are None.

    `quality` counts the pairs that both played to the end, `score_all` counts aborted episodes as 0. `agreement` has
    the agreement of the "first" and of the "second" player with itself.
    """

    game: str | None
    variant: str | None
    experiment: str | None
    quality: Difference
    score_all: Difference
    agreement: Mapping[str, RepeatAgreement]

    def as_json(self) -> Json:
        """Return the row as JSON."""
        return {**asdict(self), "quality": self.quality.as_json(), "score_all": self.score_all.as_json()}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two players differ: a row per experiment and, with several, a last one over all; what is left out.

    `left_out` counts the episodes of the "first" and of the "second" player by reason.
    """

    rows: Sequence[ComparisonRow]
    left_out: Mapping[str, Mapping[str, int]]

    def as_json(self) -> Json:
        """Return the comparison as `ludens compare --format json` prints it."""
        return {"rows": [row.as_json() for row in self.rows], "left_out": self.left_out}


ExperimentPath = tuple[str, str, str]
"""Game, variant, experiment."""
EpisodesByInstance = dict[str, dict[str, list[EpisodeResult]]]
"""One player's episodes: by the conditions that must be equal in a pair, then by instance."""


@dataclass(frozen=True, slots=True)
class InstancePair:
    """One instance under equal conditions: the counted episodes of each player, oldest first."""

    first_episodes: Sequence[EpisodeResult]
    second_episodes: Sequence[EpisodeResult]

    @property
    def is_paired(self) -> bool:
        """Whether both players played it."""
        return bool(self.first_episodes and self.second_episodes)

    def average_scores(self, measure: str) -> tuple[float, float] | None:
        """Return the scores of both players by "quality" or "score_all"; None if one of them has no score."""
        average_episodes = _average_quality if measure == "quality" else _average_scores_with_zeros
        first_scores, second_scores = average_episodes(self.first_episodes), average_episodes(self.second_episodes)
        return None if first_scores is None or second_scores is None else (first_scores, second_scores)


@dataclass(frozen=True, slots=True)
class PairedEpisodes:
    """The episodes of two players: by experiment and instance, or left out."""

    instance_pairs: Mapping[ExperimentPath, Sequence[InstancePair]]
    excluded_episodes: tuple[Mapping[str, Sequence[EpisodeResult]], Mapping[str, Sequence[EpisodeResult]]]
    """Of the first and of the second player, by reason in the order of `LEFT_OUT_REASONS`."""

    def list_pairs(self, path: ExperimentPath | None) -> list[InstancePair]:
        """Return the instances of an experiment, or all."""
        return [
            pair
            for experiment_path, pairs in self.instance_pairs.items()
            if path in (None, experiment_path)
            for pair in pairs
        ]


def compare_players(
    results: Iterable[EpisodeResult],
    is_first_player: Callable[[str], bool],
    is_second_player: Callable[[str], bool],
    *,
    watched_episodes: Container[str] = frozenset(),
    repeated_episode_ids: Container[str] = frozenset(),
    seed: int = 0,
) -> Comparison:
    """Return how two players differ on the same instances. Players are named by functions of an address.

    `watched_episodes` are the ids of episodes where somebody saw both sides while people played, `repeated_episode_ids`
    those where a person had seen the instance before.
    """
    return summarise_pairs(
        pair_episodes(
            results,
            is_first_player,
            is_second_player,
            watched_episodes=watched_episodes,
            repeated_episode_ids=repeated_episode_ids,
        ),
        seed=seed,
    )


def summarise_pairs(paired_episodes: PairedEpisodes, *, seed: int = 0) -> Comparison:
    """Return the comparison of episodes that are already paired."""
    rows = [_make_comparison_row(path, pairs, seed) for path, pairs in paired_episodes.instance_pairs.items()]
    if len(rows) > 1:
        rows.append(_make_comparison_row(None, paired_episodes.list_pairs(None), seed))
    first_exclusion_counts, second_exclusion_counts = (
        {reason: len(results) for reason, results in results_by_reason.items()}
        for results_by_reason in paired_episodes.excluded_episodes
    )
    return Comparison(rows, {"first": first_exclusion_counts, "second": second_exclusion_counts})


def pair_episodes(
    results: Iterable[EpisodeResult],
    is_first_player: Callable[[str], bool],
    is_second_player: Callable[[str], bool],
    *,
    watched_episodes: Container[str] = frozenset(),
    repeated_episode_ids: Container[str] = frozenset(),
) -> PairedEpisodes:
    """Return the episodes of two players as `compare_players`, with the same arguments, pairs or excludes them."""
    player_groups: tuple[EpisodesByInstance, EpisodesByInstance] = ({}, {})
    excluded_results: tuple[dict[str, list[EpisodeResult]], ...] = tuple(
        {reason: [] for reason in LEFT_OUT_REASONS} for _ in player_groups
    )
    for result in results:
        for player_number, is_player in enumerate((is_first_player, is_second_player)):
            if not any(map(is_player, result.seats.values())):
                continue
            if reason := _find_exclusion_reason(result, watched_episodes, repeated_episode_ids):
                excluded_results[player_number][reason].append(result)
            else:
                instance_results = player_groups[player_number].setdefault(_make_pairing_key(result, is_player), {})
                instance_results.setdefault(result.instance_hash, []).append(result)
    instance_keys = [
        {(*_read_experiment_path(key), instance) for key, instances in group.items() for instance in instances}
        for group in player_groups
    ]
    pairs_by_experiment: dict[ExperimentPath, list[InstancePair]] = {}
    for pairing_key in sorted({*player_groups[0], *player_groups[1]}):
        path = _read_experiment_path(pairing_key)
        first_results, second_results = player_groups[0].get(pairing_key, {}), player_groups[1].get(pairing_key, {})
        for instance in sorted({*first_results, *second_results}):
            pair = InstancePair(first_results.get(instance, ()), second_results.get(instance, ()))
            pairs_by_experiment.setdefault(path, []).append(pair)
            if not pair.is_paired:
                player_number = 0 if pair.first_episodes else 1
                reason = "conditions" if (*path, instance) in instance_keys[1 - player_number] else "unpaired"
                excluded_results[player_number][reason] += pair.first_episodes or pair.second_episodes
    return PairedEpisodes(dict(sorted(pairs_by_experiment.items())), (excluded_results[0], excluded_results[1]))


def _find_exclusion_reason(
    result: EpisodeResult, watched_episodes: Container[str], repeated_episode_ids: Container[str]
) -> str | None:
    if reason := exclusion_reason(result):
        return reason
    if result.side_scores or result.ending == Ending.DECIDED:
        return "sides"
    if result.episode in watched_episodes:
        return "watched"
    return "repeated" if result.episode in repeated_episode_ids else None


def _make_pairing_key(result: EpisodeResult, is_player: Callable[[str], bool]) -> str:
    """Return as JSON what must be equal in a pair besides the instance; the player's own seats hold null."""
    condition = result.condition
    other_players = {seat: None if is_player(player) else player for seat, player in result.seats.items()}
    path = [result.game, result.variant, result.experiment]
    return canonical_json(
        [*path, other_players, condition.settings, condition.reprompt, condition.game_version, condition.prompts]
    )


def _read_experiment_path(pairing_key: str) -> ExperimentPath:
    game, variant, experiment, *_ = json.loads(pairing_key)
    return game, variant, experiment


def _make_comparison_row(path: ExperimentPath | None, instances: Sequence[InstancePair], seed: int) -> ComparisonRow:
    game, variant, experiment = path or (None, None, None)
    pairs = [instance for instance in instances if instance.is_paired]
    has_people = any(game.condition.people for pair in pairs for game in (*pair.first_episodes, *pair.second_episodes))
    quality, score_all = (
        _compute_people_difference(pairs, measure)
        if has_people
        else compute_difference([scores for pair in pairs if (scores := pair.average_scores(measure))], seed=seed)
        for measure in ("quality", "score_all")
    )
    first_scores = measure_repeat_agreement(
        [_list_scores_with_zeros(instance.first_episodes) for instance in instances]
    )
    second_scores = measure_repeat_agreement(
        [_list_scores_with_zeros(instance.second_episodes) for instance in instances]
    )
    return ComparisonRow(
        game, variant, experiment, quality, score_all, {"first": first_scores, "second": second_scores}
    )


def _average_quality(episodes: Sequence[EpisodeResult]) -> float | None:
    return _average_or_none([score for result in episodes if (score := _find_score(result, "quality")) is not None])


def _average_scores_with_zeros(episodes: Sequence[EpisodeResult]) -> float | None:
    return _average_or_none(_list_scores_with_zeros(episodes))


def _find_score(result: EpisodeResult, measure: str) -> float | None:
    return result.main_score if measure == "quality" else result.main_score or 0.0


def _list_scores_with_zeros(episodes: Sequence[EpisodeResult]) -> list[float]:
    """Return main scores, with aborted episodes as 0."""
    return [result.main_score or 0.0 for result in episodes]


# ---------------------------------------------------------------------- pairs
def compute_difference(pairs: Sequence[tuple[float, float]], *, seed: int = 0) -> Difference:
    """Return the mean difference of pairs of scores 0 to 100, with a percentile bootstrap interval over pairs.

    If all pairs differ by the same amount, the bootstrap sees no spread. The interval then assumes that as many pairs
    as zero of n leaves possible (Wilson) differ by as much as scores can: wider than certainty, and narrower with every
    pair.
    """
    n = len(pairs)
    if not n:
        return Difference(0)
    differences = [first_score - second_score for first_score, second_score in pairs]
    mean_difference = math.fsum(differences) / n
    lower_bound, upper_bound = _find_bootstrap_interval(differences, mean_difference, seed)
    return Difference(
        n,
        math.fsum(first_score for first_score, _ in pairs) / n,
        math.fsum(second_score for _, second_score in pairs) / n,
        mean_difference,
        min(lower_bound, mean_difference),
        max(upper_bound, mean_difference),
        compute_p_value(differences),
        sum(value > 0 for value in differences),
        sum(value == 0 for value in differences),
        sum(value < 0 for value in differences),
    )


def _find_bootstrap_interval(differences: Sequence[float], average: float, seed: int) -> tuple[float, float]:
    if max(differences) - min(differences) < 1e-9:
        share_upper_bound = compute_wilson_interval(0.0, len(differences))[1]
        return average - share_upper_bound * (average + 100), average + share_upper_bound * (100 - average)
    return bootstrap_interval(
        [[value] for value in differences], resample_count=RESAMPLE_COUNT, is_pooled=False, seed=seed
    )


@dataclass(frozen=True, slots=True)
class _PairedGame:
    """One game of a player in a pair: what it adds to the player's mean, with the instance and the people in it."""

    instance: str
    people: tuple[str, ...]
    score: float
    other_mean: float
    """The mean of the other player on the instance."""
    weight: float


def _compute_people_difference(pairs: Sequence[InstancePair], measure: str) -> Difference:
    """Return the mean difference of pairs with people, with a two-way cluster interval and no p-value.

    If people are in the games of one player only, it is that of their scores minus the other player's mean on the
    instance. If they are in the games of both, the people of both sides vary, who may be the same people.
    """
    scored_pairs = [(pair, scores) for pair in pairs if (scores := pair.average_scores(measure))]
    n = len(scored_pairs)
    if not n:
        return Difference(0, people=0, games=0)
    results = [result for pair, _ in scored_pairs for result in (*pair.first_episodes, *pair.second_episodes)]
    results_with_people = [game for game in results if game.condition.people and _find_score(game, measure) is not None]
    first_games, second_games = (
        sorted(
            (
                _PairedGame(result.instance_hash, find_people(result), score, scores[1 - i], 1 / (n * len(own_scores)))
                for pair, scores in scored_pairs
                if (own_scores := _list_scored_results((pair.first_episodes, pair.second_episodes)[i], measure))
                for result, score in own_scores
            ),
            key=lambda game: (game.instance, game.people, game.score, game.weight),
        )
        for i in (0, 1)
    )
    has_people = [any(game.people for game in games) for games in (first_games, second_games)]
    if all(has_people):
        estimate = compute_mean_difference(_cluster_games(first_games), _cluster_games(second_games)).estimate
    else:
        games, sign = (first_games, 1) if has_people[0] else (second_games, -1)
        estimate = _cluster_games(games, lambda game: sign * (game.score - game.other_mean)).mean(-100, 100).estimate
    differences = [first_score - second_score for _, (first_score, second_score) in scored_pairs]
    return Difference(
        n,
        math.fsum(scores[0] for _, scores in scored_pairs) / n,
        math.fsum(scores[1] for _, scores in scored_pairs) / n,
        estimate.value,
        estimate.low,
        estimate.high,
        None,
        sum(value > 0 for value in differences),
        sum(value == 0 for value in differences),
        sum(value < 0 for value in differences),
        count_participants(results_with_people),
        len(results_with_people),
    )


def _list_scored_results(results: Sequence[EpisodeResult], measure: str) -> list[tuple[EpisodeResult, float]]:
    return [(result, score) for result in results if (score := _find_score(result, measure)) is not None]


def _cluster_games(
    games: Sequence[_PairedGame], find_score: Callable[[_PairedGame], float] = lambda game: game.score
) -> Clusters:
    return Clusters(
        [find_score(game) for game in games],
        [game.people for game in games],
        [game.instance for game in games],
        [game.weight for game in games],
    )


def compute_p_value(differences: Sequence[float]) -> float:
    """Return the exact two-sided p-value of a mean difference if each pair could have gone either way.

    All 2ⁿ ways to flip signs count. Their sums are found by convolution, on differences rounded to hundredths of a
    point (tenths or points where that would take long). With scores of 0 and 100 this is McNemar's exact test.
    scipy's `permutation_test` is exact up to about 15 pairs only; the tests compare with it and with `binomtest`.
    """
    import numpy as np

    for score_unit in SCORE_ROUNDING_UNITS:
        rounded_differences = [round(value / score_unit) for value in differences]
        step_sizes = [abs(value) for value in rounded_differences if value]
        divisor = math.gcd(*step_sizes)
        if not step_sizes:
            return 1.0
        if len(step_sizes) * sum(step_sizes) // divisor <= MAX_CONVOLUTION_STEPS:
            break
    observed_sum = abs(sum(rounded_differences)) // divisor
    probability_by_sum = np.ones(1)
    for step_size in (step_size // divisor for step_size in step_sizes):
        extended_probabilities = np.zeros(len(probability_by_sum) + 2 * step_size)
        extended_probabilities[: len(probability_by_sum)] = probability_by_sum / 2
        extended_probabilities[2 * step_size :] += probability_by_sum / 2
        probability_by_sum = extended_probabilities
    largest_sum = len(probability_by_sum) // 2
    tail_probability = float(probability_by_sum[: largest_sum - observed_sum + 1].sum())
    return min(1.0, 2 * tail_probability)


# ---------------------------------------------------------------------- agreement
def measure_repeat_agreement(scores_by_instance: Iterable[Sequence[float]]) -> RepeatAgreement:
    """Return how far scores of the same instance agree."""
    repeated_scores = [sorted(scores) for scores in scores_by_instance if len(scores) > 1]
    score_pairs = [list(combinations(scores, 2)) for scores in repeated_scores]
    equal_pair_shares = [
        sum(abs(first_score - second_score) < 1e-9 for first_score, second_score in pairs) / len(pairs)
        for pairs in score_pairs
    ]
    mean_distances = [
        math.fsum(abs(first_score - second_score) for first_score, second_score in pairs) / len(pairs)
        for pairs in score_pairs
    ]
    episode_count = sum(map(len, repeated_scores))
    return RepeatAgreement(
        len(repeated_scores),
        episode_count,
        _average_or_none(equal_pair_shares),
        _average_or_none(mean_distances),
        krippendorff_alpha(repeated_scores),
    )


def _average_or_none(numbers: Sequence[float]) -> float | None:
    return average(numbers) if numbers else None
