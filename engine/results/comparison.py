"""Two players on the same instances: paired difference of main scores, and how far one player's own scores agree.

A pair is one instance that both have played under the same settings, prompts, reminders and game version, from the same
seats and with the same company at the others. Only first exposures of people count; what is left out is counted by
reason. Nothing here reads a file: who had seen what is handed in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from engine.core.events import Ending, Json, canonical
from engine.results.exclusion import EXCLUSION_REASONS, exclusion_reason
from engine.results.statistics import wilson
from engine.storage.episode_result import EpisodeResult

LEFT_OUT_REASONS = (*EXCLUSION_REASONS, "sides", "watched", "repeated", "conditions", "unpaired")
"""Why an episode is in no pair: what no average takes; a game of sides; somebody watched both sides while people
played; a person in it had seen the instance before; the other player met the instance under other conditions alone
(settings, reminders, prompts, rules, seats or company); the other player did not meet it."""

RESAMPLES = 9999
UNITS = (0.01, 0.1, 1.0)
"""Points to which differences are rounded for the exact test, the finest that stays quick."""
STEPS = 200_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference in points: first player minus second, with a 95 % interval and a two-sided p-value.

    `better`, `worse` and `equal` count the pairs; all but `n` are None without a pair.
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


ExperimentPath = tuple[str, str, str]
"""Game, variant, experiment."""
Cells = dict[str, dict[str, list[EpisodeResult]]]
"""One player's episodes: by what must be equal in a pair, then by instance."""


def compare(
    results: Iterable[EpisodeResult],
    first: Callable[[str], bool],
    second: Callable[[str], bool],
    *,
    watched: Container[str] = frozenset(),
    repeated: Container[str] = frozenset(),
    seed: int = 0,
) -> Json:
    """Return how two players differ on the same instances; `first` and `second` say of an address whether it is meant.

    `watched` are the episodes where somebody saw both sides while people played, `repeated` those where a person had
    seen the instance before, both by id. Returns {"rows": one per game, variant and experiment and, with several, a
    last one over all, "left_out": {"first": {reason: n}, "second": …}}. A row has `quality` (pairs that both played to
    the end) and `score_all` (aborted as 0), each a `Difference`, and the `agreement` of each player with itself.
    """
    return summarise(pair_episodes(results, first, second, watched=watched, repeated=repeated), seed=seed)


def summarise(found: PairedEpisodes, *, seed: int = 0) -> Json:
    """Return what `compare` returns, of episodes that are sorted already."""
    made = [_row(place, found.at(place), seed) for place in found.places]
    if len(found.places) > 1:
        made.append(_row((None, None, None), found.at(None), seed))
    left_out = [{reason: len(of) for reason, of in out.items()} for out in found.left_out]
    return {"rows": made, "left_out": dict(zip(("first", "second"), left_out, strict=True))}


@dataclass(frozen=True, slots=True)
class InstancePair:
    """One instance under equal conditions: the episodes of either player that count, oldest first."""

    first: Sequence[EpisodeResult]
    second: Sequence[EpisodeResult]

    @property
    def paired(self) -> bool:
        """Whether both have played it."""
        return bool(self.first and self.second)

    def scores(self, measure: str) -> tuple[float, float] | None:
        """Return the pair's scores by a measure, "quality" or "score_all"; None where one of them has none."""
        score = _quality if measure == "quality" else _score_all
        mine, theirs = score(self.first), score(self.second)
        return None if mine is None or theirs is None else (mine, theirs)


@dataclass(frozen=True, slots=True)
class PairedEpisodes:
    """The episodes of two players: by place and instance, or left out."""

    places: Mapping[ExperimentPath, Sequence[InstancePair]]
    left_out: tuple[Mapping[str, Sequence[EpisodeResult]], Mapping[str, Sequence[EpisodeResult]]]
    """By reason, in the order of `LEFT_OUT_REASONS`, of the first and of the second player."""

    def at(self, place: ExperimentPath | None) -> list[InstancePair]:
        """Return the instances of a game, variant and experiment, or all."""
        return [one for here, found in self.places.items() if place in (None, here) for one in found]


def pair_episodes(
    results: Iterable[EpisodeResult],
    first: Callable[[str], bool],
    second: Callable[[str], bool],
    *,
    watched: Container[str] = frozenset(),
    repeated: Container[str] = frozenset(),
) -> PairedEpisodes:
    """Sort episodes as `compare` counts them, which takes the same arguments."""
    cells: tuple[Cells, Cells] = ({}, {})
    left_out: tuple[dict[str, list[EpisodeResult]], ...] = tuple(
        {reason: [] for reason in LEFT_OUT_REASONS} for _ in cells
    )
    for result in results:
        for number, meant in enumerate((first, second)):
            if not any(map(meant, result.seats.values())):
                continue
            if reason := _left_out(result, watched, repeated):
                left_out[number][reason].append(result)
            else:
                cells[number].setdefault(_conditions(result, meant), {}).setdefault(result.instance, []).append(result)
    played = [{(*json.loads(key)[:3], instance) for key, of in side.items() for instance in of} for side in cells]
    places: dict[ExperimentPath, list[InstancePair]] = {}
    for key in sorted({*cells[0], *cells[1]}):
        game, variant, experiment, *_ = json.loads(key)
        mine, theirs = cells[0].get(key, {}), cells[1].get(key, {})
        for instance in sorted({*mine, *theirs}):
            one = InstancePair(mine.get(instance, ()), theirs.get(instance, ()))
            places.setdefault((game, variant, experiment), []).append(one)
            if not one.paired:
                number = 0 if one.first else 1
                met = (game, variant, experiment, instance) in played[1 - number]
                left_out[number]["conditions" if met else "unpaired"] += one.first or one.second
    return PairedEpisodes(dict(sorted(places.items())), (left_out[0], left_out[1]))


def _left_out(result: EpisodeResult, watched: Container[str], repeated: Container[str]) -> str | None:
    if reason := exclusion_reason(result):
        return reason
    if result.sides or result.ending == Ending.DECIDED:
        return "sides"
    if result.episode in watched:
        return "watched"
    return "repeated" if result.episode in repeated else None


def _conditions(result: EpisodeResult, meant: Callable[[str], bool]) -> str:
    """Return as one text what must be equal in a pair beside the instance; None stands at the player's own seats."""
    company = {seat: None if meant(player) else player for seat, player in result.seats.items()}
    where = [result.game, result.variant, result.experiment]
    one = result.condition
    return canonical([*where, company, one.settings, one.reprompt, one.game_version, one.prompts])


def _row(place: ExperimentPath | tuple[None, None, None], instances: Sequence[InstancePair], seed: int) -> Json:
    both = [one for one in instances if one.paired]
    measures: Json = {}
    for name in ("quality", "score_all"):
        scored = [one.scores(name) for one in both]
        measures[name] = asdict(difference([pair for pair in scored if pair], seed=seed))
    own = [agreement([_scores(one.first) for one in instances]), agreement([_scores(one.second) for one in instances])]
    where = dict(zip(("game", "variant", "experiment"), place, strict=True))
    return {**where, **measures, "agreement": dict(zip(("first", "second"), own, strict=True))}


def _quality(episodes: Sequence[EpisodeResult]) -> float | None:
    return _mean([one.main for one in episodes if one.main is not None])


def _score_all(episodes: Sequence[EpisodeResult]) -> float | None:
    return _mean(_scores(episodes))


def _scores(episodes: Sequence[EpisodeResult]) -> list[float]:
    """Return main scores, aborted as 0."""
    return [one.main or 0.0 for one in episodes]


# ---------------------------------------------------------------------- pairs
def difference(pairs: Sequence[tuple[float, float]], *, seed: int = 0) -> Difference:
    """Return the mean difference of pairs of scores 0..100, with a percentile bootstrap interval over pairs.

    Where all pairs differ alike the bootstrap sees no spread: then as many pairs as zero of n leaves possible (Wilson)
    may differ by as much as scores can, which is wider than certainty and narrower with every pair.
    """
    n = len(pairs)
    if not n:
        return Difference(0)
    found = [mine - theirs for mine, theirs in pairs]
    mean = math.fsum(found) / n
    low, high = _interval(found, mean, seed)
    return Difference(
        n,
        math.fsum(mine for mine, _ in pairs) / n,
        math.fsum(theirs for _, theirs in pairs) / n,
        mean,
        min(low, mean),
        max(high, mean),
        sign_flips(found),
        sum(value > 0 for value in found),
        sum(value == 0 for value in found),
        sum(value < 0 for value in found),
    )


def _interval(found: Sequence[float], mean: float, seed: int) -> tuple[float, float]:
    import numpy as np  # late: `ludens --help` needs no numbers
    from scipy.stats import bootstrap

    if max(found) - min(found) < 1e-9:
        share = wilson(0.0, len(found))[1]
        return mean - share * (mean + 100), mean + share * (100 - mean)
    values = np.sort(np.asarray(found))  # the same pairs in any order give the same interval
    rng = np.random.default_rng(seed)
    made = bootstrap((values,), np.mean, n_resamples=RESAMPLES, batch=500, method="percentile", rng=rng)
    return float(made.confidence_interval.low), float(made.confidence_interval.high)


def sign_flips(found: Sequence[float]) -> float:
    """Return the exact two-sided p-value of a mean difference under the hypothesis that each pair could be either way.

    Every one of the 2ⁿ ways to flip signs counts, by convolution of the sums rather than one by one, on differences
    rounded to hundredths of a point (tenths or points where that would take long). With scores of 0 and 100 this is
    McNemar's exact test. scipy's `permutation_test` is exact up to some 15 pairs only, hence these lines; tests hold
    them to it and to `binomtest`.
    """
    import numpy as np

    for unit in UNITS:
        whole = [round(value / unit) for value in found]
        steps = [abs(value) for value in whole if value]
        shared = math.gcd(*steps)
        if not steps:
            return 1.0
        if len(steps) * sum(steps) // shared <= STEPS:
            break
    seen = abs(sum(whole)) // shared
    sums = np.ones(1)
    for step in (step // shared for step in steps):
        longer = np.zeros(len(sums) + 2 * step)
        longer[: len(sums)] = sums / 2
        longer[2 * step :] += sums / 2
        sums = longer
    total = len(sums) // 2
    tail = float(sums[: total - seen + 1].sum())
    return min(1.0, 2 * tail)


# ---------------------------------------------------------------------- agreement
def agreement(by_instance: Iterable[Sequence[float]]) -> Json:
    """Return how far scores of the same instance agree, over instances with at least two.

    {"instances", "episodes", "same": share of pairs with the same score, "apart": mean absolute difference of a pair in
    points, "alpha": Krippendorff's alpha for interval data}; each instance weighs the same in `same` and `apart`. None
    where nothing was repeated, alpha also where all scores are one and the same.
    """
    repeated = [sorted(scores) for scores in by_instance if len(scores) > 1]
    counted: Json = {"instances": len(repeated), "episodes": sum(map(len, repeated))}
    pairs = [list(combinations(scores, 2)) for scores in repeated]
    same = _mean([_share(abs(one - two) < 1e-9 for one, two in each) for each in pairs])
    apart = _mean([math.fsum(abs(one - two) for one, two in each) / len(each) for each in pairs])
    return {**counted, "same": same, "apart": apart, "alpha": alpha(repeated)}


def alpha(repeated: Sequence[Sequence[float]]) -> float | None:
    """Return Krippendorff's alpha for interval data: 1 - observed / expected squared difference (Krippendorff 2011).

    Each of `repeated` holds the scores of one instance, at least two. None where there is nothing to disagree on.
    """
    n = sum(map(len, repeated))
    expected = _squares([score for scores in repeated for score in scores]) / (n - 1) if n > 1 else 0.0
    if expected < 1e-9:
        return None
    observed = math.fsum(_squares(scores) / (len(scores) - 1) for scores in repeated)
    return 1 - observed / expected


def _squares(values: Sequence[float]) -> float:
    """Return the squared differences of all ordered pairs, summed: 2n · the sum of squares about the mean."""
    mean = math.fsum(values) / len(values)
    return 2 * len(values) * math.fsum((value - mean) ** 2 for value in values)


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found)


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
