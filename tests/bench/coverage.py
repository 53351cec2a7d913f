"""How often 95 % intervals of simulated studies cover the true mean: the two-way interval, and those over one factor.

30 people play 10 of 40 instances each; people and instances differ. Scores are 0 or 100, the same near the ceiling, or
continuous. One factor alone leaves out what games of one person, or of one instance, have in common: those intervals
must fail the same test, or the test says nothing. `SETS=20000 python -m tests.bench.coverage` for more data sets.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray

from engine.results.power import ScoreSpread, deal_instances, simulate_spread
from engine.results.two_way import compute_batch_means, find_t_quantile
from tests.bench._figures import figure, heading

SETS = int(os.environ.get("SETS", 4000))
PEOPLE, GAMES, INSTANCES = 30, 10, 40
ONE_WAY = ("people", "instances", "games")


@dataclass(frozen=True)
class Scores:
    """A kind of scores: the mean of their scale, how they spread on it, and the coverage in % to reach."""

    name: str
    middle: float
    spread: ScoreSpread
    is_binary: bool
    least: float = 93.0
    most: float = 97.0

    def truth(self) -> float:
        """Return the true mean over all people and instances."""
        if not self.is_binary:
            return self.middle
        points, weights = hermegauss(60)
        scale = np.hypot(self.spread.person, self.spread.instance)
        return float(100 * (weights / weights.sum()) @ _logistic(self.middle + scale * points))

    def simulate(self, rng: np.random.Generator, dealt: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return simulated scores of games on dealt instances."""
        values = self.middle + simulate_spread(rng, dealt, INSTANCES, self.spread)
        return 100.0 * (rng.random(dealt.shape) < _logistic(values)) if self.is_binary else values


BINARY = Scores("0 or 100", 0.4, ScoreSpread(0.7, 1.0, 0.0), is_binary=True)
CEILING = Scores("0 or 100, near the ceiling", 3.2, ScoreSpread(0.7, 1.0, 0.0), True, 91.5, 98.0)
CONTINUOUS = Scores("continuous", 50.0, ScoreSpread(8.0, 10.0, 20.0), is_binary=False)
KINDS = (BINARY, CEILING, CONTINUOUS)


def _logistic(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-values))


def coverage(scores: Scores, sets: int, seed: int = 0) -> dict[str, float]:
    """Return the coverage in % of the two-way interval and of the intervals over one factor, by simulation."""
    hits: dict[str, int] = {}
    truth = scores.truth()
    for number, size in enumerate(_batches(sets)):
        rng = np.random.default_rng([seed, number])
        dealt = deal_instances(rng, size, PEOPLE, GAMES, INSTANCES)
        means = compute_batch_means(scores.simulate(rng, dealt), dealt, INSTANCES)
        covered = {"two-way": (means.lower_bounds <= truth) & (truth <= means.upper_bounds)}
        variances = (means.people_variance, means.instance_variance, means.game_variance)
        for name, clusters, variance in zip(ONE_WAY, (PEOPLE, INSTANCES, PEOPLE * GAMES), variances, strict=True):
            covered[name] = np.abs(means.mean_scores - truth) <= find_t_quantile(clusters - 1) * np.sqrt(variance)
        for name, is_covered in covered.items():
            hits[name] = hits.get(name, 0) + int(is_covered.sum())
    return {name: 100 * count / sets for name, count in hits.items()}


def _batches(sets: int, size: int = 1000) -> Iterator[int]:
    while sets > 0:
        yield min(sets, size)
        sets -= size


def main() -> None:
    """Print the coverage of every interval for every kind of scores."""
    heading(f"coverage of 95 % intervals, {SETS:,} data sets of {PEOPLE} people x {GAMES} of {INSTANCES} instances")
    for scores in KINDS:
        found = coverage(scores, SETS)
        figure(f"{scores.name} (mean {scores.truth():.1f}): two-way", found["two-way"], "%", least=scores.least)
        for name in ONE_WAY:
            figure(f"{scores.name}: over {name} alone, to fail", found[name], "%", most=scores.least)
        if not scores.least <= found["two-way"] <= scores.most:
            print(f"FAILED: {found['two-way']:.1f} % is not within {scores.least} to {scores.most} %")
        for name in ONE_WAY:
            if scores.least <= found[name] <= scores.most:
                print(f"FAILED: the interval over {name} alone is within {scores.least} to {scores.most} %")


if __name__ == "__main__":
    main()
