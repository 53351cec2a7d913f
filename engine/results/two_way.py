"""Means over people and instances, with intervals that allow for both: people differ from each other, and instances do.

    clusters = Clusters.with_equal_weights(scores, people, instances)
    clusters.mean()               # 0 to 100, or `mean(-100, 100)` for differences

Pass first exposures only: what a person scores on an instance seen before is another quantity. The estimate is the mean
over instances of the mean over people. Its variance is the two-way cluster variance of Cameron, Gelbach and Miller
(2011, https://doi.org/10.1198/jbes.2010.07136): games that share a person or an instance may depend on each other, all
others are independent. `compute_batch_means` computes the same for many simulated data sets.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from engine.results.statistics import Estimate, compute_wilson_interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_CLUSTERS = 8
"""With fewer people or fewer instances there is no interval: the variance of so few clusters is a guess."""
UNKNOWN_PERSON = ""
"""The key of everybody who is not known. Where somebody is unknown there is no interval: it could be too narrow."""
MIN_RELATIVE_VARIANCE = 1e-18
"""Variances below this times the squared range of scores are rounding errors of 0."""


@dataclass(frozen=True, slots=True)
class ClusterVariance:
    """The parts of a two-way cluster variance: of people, of instances, and of games that share both."""

    people: float
    instances: float
    games: float

    @property
    def total(self) -> float:
        """The variance: people + instances - games, never below that of people or of instances alone."""
        return max(self.people + self.instances - self.games, self.people, self.instances)


@dataclass(frozen=True, slots=True)
class ClusteredEstimate:
    """An estimate with the numbers that it rests on; `people` are those known.

    The interval is None below `MIN_CLUSTERS` people or instances, and where somebody is unknown.
    """

    estimate: Estimate
    people: int
    instances: int
    games: int


@dataclass(frozen=True, slots=True)
class Clusters:
    """Scores of games with the people and the instance of each, and the weight of each in the mean.

    All four have one entry per game. `people` holds the keys of a game's people: one, several who played together, or
    none for a game between programs, which depends on others through its instance alone. Weights sum to 1.
    """

    scores: Sequence[float]
    people: Sequence[Collection[str]]
    instances: Sequence[str]
    weights: Sequence[float]

    @classmethod
    def with_equal_weights(
        cls, scores: Sequence[float], people: Sequence[Collection[str]], instances: Sequence[str]
    ) -> Clusters:
        """Return clusters in which all instances weigh the same, and on each instance all people.

        Several games of the same people on one instance share the weight of one; a game of unknown people has a weight
        of its own. Raises ValueError if the lists differ in length.
        """
        cells = [
            (instance, *sorted(members)) if UNKNOWN_PERSON not in members else (instance, UNKNOWN_PERSON, str(number))
            for number, (instance, members) in enumerate(zip(instances, people, strict=True))
        ]
        games_per_cell = Counter(cells)
        cells_per_instance = Counter(cell[0] for cell in games_per_cell)
        weights = [1 / (len(cells_per_instance) * cells_per_instance[cell[0]] * games_per_cell[cell]) for cell in cells]
        if len(scores) != len(weights):
            raise ValueError(f"{len(scores)} scores of {len(weights)} games")
        return cls(scores, people, instances, weights)

    def mean(self, lowest_score: float = 0.0, highest_score: float = 100.0) -> ClusteredEstimate:
        """Return the weighted mean with its 95 % interval: mean ± t(min(people, instances) - 1) · √variance.

        The interval ends at the `lowest_score` and the `highest_score` that are possible. Without any spread the
        variance is 0, and the interval would be a point. It then reaches as far as if the share that zero of n leaves
        possible had the lowest or the highest score (`compute_zero_variance_interval`). There is no interval for fewer
        than `MIN_CLUSTERS` people or instances, or where somebody is unknown. Without a game, everything is None.
        """
        if not self.scores:
            return ClusteredEstimate(Estimate(), 0, 0, 0)
        average = math.fsum(weight * score for weight, score in zip(self.weights, self.scores, strict=True))
        average = min(max(average, lowest_score), highest_score)
        residuals = [weight * (score - average) for weight, score in zip(self.weights, self.scores, strict=True)]
        variance = compute_cluster_variance(residuals, self.people, self.instances)
        return _make_clustered_estimate(average, variance, self.people, self.instances, lowest_score, highest_score)


def compute_mean_difference(first_clusters: Clusters, second_clusters: Clusters) -> ClusteredEstimate:
    """Return the first mean minus the second, -100 to 100, where people are in both and may be the same people.

    Against a model, use `Clusters.mean` on each person's score minus the model's mean on that instance instead.
    """
    if not (first_clusters.scores and second_clusters.scores):
        return ClusteredEstimate(Estimate(), 0, 0, 0)
    residuals: list[float] = []
    cluster_means = []
    for sign, clusters in ((1, first_clusters), (-1, second_clusters)):
        cluster_means.append(
            math.fsum(weight * score for weight, score in zip(clusters.weights, clusters.scores, strict=True))
        )
        residuals += [
            sign * weight * (score - cluster_means[-1])
            for weight, score in zip(clusters.weights, clusters.scores, strict=True)
        ]
    people = [*first_clusters.people, *second_clusters.people]
    instances = [*first_clusters.instances, *second_clusters.instances]
    variance = compute_cluster_variance(residuals, people, instances)
    return _make_clustered_estimate(cluster_means[0] - cluster_means[1], variance, people, instances, -100.0, 100.0)


def _make_clustered_estimate(
    average: float,
    variance: ClusterVariance,
    people: Sequence[Collection[str]],
    instances: Sequence[str],
    lowest_score: float,
    highest_score: float,
) -> ClusteredEstimate:
    people_count, instance_count = count_people(people), len(set(instances))
    cluster_count = min(people_count, instance_count)
    estimate = Estimate(average)
    if cluster_count >= MIN_CLUSTERS and not any(UNKNOWN_PERSON in members for members in people):
        if variance.total <= MIN_RELATIVE_VARIANCE * (highest_score - lowest_score) ** 2:
            estimate = Estimate(
                average, *compute_zero_variance_interval(average, cluster_count, lowest_score, highest_score)
            )
        else:
            margin = find_t_quantile(cluster_count - 1) * math.sqrt(variance.total)
            estimate = Estimate(average, max(lowest_score, average - margin), min(highest_score, average + margin))
    return ClusteredEstimate(estimate, people_count, instance_count, len(people))


def count_people(people: Iterable[Collection[str]]) -> int:
    """Return the number of different people who are known."""
    return len({person for members in people for person in members} - {UNKNOWN_PERSON})


def compute_cluster_variance(
    residuals: Sequence[float], people: Sequence[Collection[str]], instances: Sequence[str]
) -> ClusterVariance:
    """Return the two-way cluster variance of a sum of weighted residuals, one per game.

    Each part is the sum of the products of all pairs of games that share a person, an instance, or both; those of
    people and of instances are multiplied by G / (G - 1) for their number of clusters G.
    """
    people_count, instance_count = count_people(people), len(set(instances))
    sum_by_instance: dict[str, float] = {}
    for residual, instance in zip(residuals, instances, strict=True):
        sum_by_instance[instance] = sum_by_instance.get(instance, 0.0) + residual
    return ClusterVariance(
        _find_small_sample_factor(people_count) * _sum_shared_products(residuals, people, [""] * len(people)),
        _find_small_sample_factor(instance_count) * math.fsum(total * total for total in sum_by_instance.values()),
        _sum_shared_products(residuals, people, instances),
    )


def _find_small_sample_factor(cluster_count: int) -> float:
    return cluster_count / (cluster_count - 1) if cluster_count > 1 else 1.0


def _sum_shared_products(residuals: Sequence[float], people: Sequence[Collection[str]], groups: Sequence[str]) -> float:
    """Return the sum of the products of all pairs of games of one group that share at least one person.

    Pairs of games that share several people are counted once, by inclusion and exclusion over sets of people (for two
    people in a game: Aronow, Samii and Assenova 2015, https://doi.org/10.1093/pan/mpv018).
    """
    sum_by_subset: dict[tuple[str, ...], float] = {}
    for residual, members, group_key in zip(residuals, people, groups, strict=True):
        distinct_people = sorted(set(members))
        for subset_size in range(1, len(distinct_people) + 1):
            for subset in combinations(distinct_people, subset_size):
                key = (group_key, *subset)
                sum_by_subset[key] = sum_by_subset.get(key, 0.0) + residual
    return math.fsum((1 if len(key) % 2 == 0 else -1) * total * total for key, total in sum_by_subset.items())


def compute_zero_variance_interval(
    average: float, cluster_count: int, lowest_score: float, highest_score: float
) -> tuple[float, float]:
    """Return a 95 % interval for the mean of scores that are all equal.

    Zero of n that differ leave a share of up to z² / (n + z²) possible (the Wilson bound, some 3.8 / n; compare the
    "rule of three", 3 / n: Hanley and Lippman-Hand 1983, https://doi.org/10.1001/jama.1983.03330370053031). n is the
    smaller of the numbers of people and instances, as scores within them may depend on each other completely (Kish
    1965: the largest design effect). The interval ends where the mean would be if that share had the lowest, or the
    highest, score.
    """
    zero_share_upper_bound = compute_wilson_interval(0.0, cluster_count)[1]
    return average - zero_share_upper_bound * (average - lowest_score), average + zero_share_upper_bound * (
        highest_score - average
    )


@cache
def find_t_quantile(degrees_freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit  # late, and a small part of scipy: `scipy.stats` takes half a second

    return float(stdtrit(degrees_freedom, 0.975))


# ---------------------------------------------------------------------- many data sets at once
@dataclass(frozen=True, slots=True)
class BatchMeans:
    """The estimates of many data sets: arrays with one entry per data set. Ends of intervals are NaN where None."""

    mean_scores: NDArray[np.float64]
    lower_bounds: NDArray[np.float64]
    upper_bounds: NDArray[np.float64]
    people_variance: NDArray[np.float64]
    instance_variance: NDArray[np.float64]
    game_variance: NDArray[np.float64]


def compute_batch_means(
    scores: NDArray[np.float64],
    instances: NDArray[np.int64],
    instance_count: int,
    lowest_score: float = 0.0,
    highest_score: float = 100.0,
) -> BatchMeans:
    """Return what `Clusters.mean` returns, for many data sets at once.

    `scores` and `instances` have the shape (data sets, people, games of a person): score, and number of the instance
    from 0 to `instance_count` - 1. No person plays an instance twice.
    """
    import numpy as np

    set_count, people_count, _ = scores.shape
    flat_indices = (np.arange(set_count)[:, None, None] * instance_count + instances).ravel()
    set_size = set_count * instance_count
    games_per_cell = np.bincount(flat_indices, minlength=set_size)
    used_counts = (games_per_cell.reshape(set_count, instance_count) > 0).sum(axis=1)
    weights = 1 / (games_per_cell[flat_indices].reshape(scores.shape) * used_counts[:, None, None])
    mean_scores = np.clip((weights * scores).sum(axis=(1, 2)), lowest_score, highest_score)
    residuals = weights * (scores - mean_scores[:, None, None])
    people_variance = _find_small_sample_factor(people_count) * (residuals.sum(axis=2) ** 2).sum(axis=1)
    instance_sums = np.bincount(flat_indices, residuals.ravel(), minlength=set_size).reshape(set_count, instance_count)
    instance_variance = (instance_sums**2).sum(axis=1) * used_counts / np.maximum(used_counts - 1, 1)
    game_variance = (residuals**2).sum(axis=(1, 2))
    variances = np.maximum(
        np.maximum(people_variance + instance_variance - game_variance, people_variance), instance_variance
    )
    cluster_counts = np.minimum(people_count, used_counts)
    margins = np.array([find_t_quantile(int(number) - 1) if number > 1 else np.nan for number in cluster_counts])
    margins = margins * np.sqrt(variances)
    lower_bounds, upper_bounds = (
        np.maximum(lowest_score, mean_scores - margins),
        np.minimum(highest_score, mean_scores + margins),
    )
    for number in np.flatnonzero(variances <= MIN_RELATIVE_VARIANCE * (highest_score - lowest_score) ** 2):
        lower_bounds[number], upper_bounds[number] = compute_zero_variance_interval(
            mean_scores[number], int(cluster_counts[number]), lowest_score, highest_score
        )
    has_too_few_clusters = cluster_counts < MIN_CLUSTERS
    lower_bounds[has_too_few_clusters] = upper_bounds[has_too_few_clusters] = np.nan
    return BatchMeans(mean_scores, lower_bounds, upper_bounds, people_variance, instance_variance, game_variance)
