"""Plan a study: how often its interval would show a difference of a given size, by simulation.

    spread = estimate_variance_components(scores, people, instances)     # of games there are, or ScoreSpread(8, 10, 20)
    make_power_table(10, [20, 40], games=10, instances=40, spread=spread)

A simulated score is the difference plus a part of the person, a part of the instance and a residual, all normal. What
is computed from it is the interval that the results of the study will have (`engine.results.two_way`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.results.comparison import PairedEpisodes
from engine.results.participation import find_people
from engine.results.statistics import average, compute_wilson_interval
from engine.results.two_way import UNKNOWN_PERSON, compute_batch_means, count_people

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SIMULATION_COUNT = 2000
MAX_GAMES_AT_ONCE = 1_000_000
"""Simulated games that are in memory at once."""


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """Standard deviations of scores in points: between people, between instances, and of the rest."""

    person: float
    instance: float
    residual: float


@dataclass(frozen=True, slots=True)
class PowerRow:
    """The power of a study: the share of simulations whose 95 % interval excludes 0, with its Wilson interval.

    `power`, `low` and `high` are shares from 0 to 1; `margin` is half the mean width of the intervals, in points, None
    where too few people or instances have none.
    """

    people: int
    games: int
    power: float
    low: float
    high: float
    margin: float | None


def make_power_table(
    mean_difference: float,
    people_counts: Sequence[int],
    *,
    games: int,
    instances: int,
    spread: ScoreSpread,
    simulation_count: int = SIMULATION_COUNT,
    seed: int = 0,
) -> list[PowerRow]:
    """Return the power of a study for each number of people, each of whom plays `games` of the `instances`.

    `difference` is that between people and the model in points, `spread` that of a person's score minus the model's
    mean on the same instance. Instances are dealt as studies deal them: each person gets those played least so far.
    Raises ValueError if a person cannot play that many instances.
    """
    import numpy as np

    if not 1 <= games <= instances:
        raise ValueError(f"nobody can play {games} different instances of {instances}")
    sample_size_rows = []
    for people_count in people_counts:
        random_generator = np.random.default_rng([seed, people_count])
        excluded_count, width_sum, remaining_simulation_count = 0, 0.0, simulation_count
        while remaining_simulation_count:
            set_count = min(remaining_simulation_count, max(1, MAX_GAMES_AT_ONCE // (people_count * games)))
            dealt_instances = deal_instances(random_generator, set_count, people_count, games, instances)
            scores = mean_difference + simulate_spread(random_generator, dealt_instances, instances, spread)
            confidence_intervals = compute_batch_means(scores, dealt_instances, instances, -100.0, 100.0)
            excluded_count += int(
                ((confidence_intervals.lower_bounds > 0) | (confidence_intervals.upper_bounds < 0)).sum()
            )
            width_sum += float((confidence_intervals.upper_bounds - confidence_intervals.lower_bounds).sum())
            remaining_simulation_count -= set_count
        statistical_power = excluded_count / simulation_count
        lower_bound, upper_bound = compute_wilson_interval(statistical_power, simulation_count)
        margin = None if math.isnan(width_sum) else width_sum / simulation_count / 2
        sample_size_rows.append(PowerRow(people_count, games, statistical_power, lower_bound, upper_bound, margin))
    return sample_size_rows


def deal_instances(
    random_generator: np.random.Generator, set_count: int, people_count: int, game_count: int, instance_count: int
) -> NDArray[np.int64]:
    """Return which instances each person plays, numbered from 0: an array (data sets, people, games of a person).

    Each person gets the instances that were played least so far, drawn by lot among those played equally often.
    """
    import numpy as np

    play_counts = np.zeros((set_count, instance_count))
    dealt_instances = np.empty((set_count, people_count, game_count), np.int64)
    for person in range(people_count):
        drawn_priorities = play_counts + random_generator.random((set_count, instance_count))
        dealt_instances[:, person] = np.argpartition(drawn_priorities, game_count - 1, axis=1)[:, :game_count]
        np.put_along_axis(
            play_counts,
            dealt_instances[:, person],
            np.take_along_axis(play_counts, dealt_instances[:, person], 1) + 1,
            1,
        )
    return dealt_instances


def simulate_spread(
    random_generator: np.random.Generator,
    dealt_instances: NDArray[np.int64],
    instance_count: int,
    spread: ScoreSpread,
) -> NDArray[np.float64]:
    """Return normal deviations with mean 0 of games on dealt instances, an array of the same shape."""
    import numpy as np

    set_count, people_count, _ = dealt_instances.shape
    people_deviations = random_generator.normal(0, spread.person, (set_count, people_count, 1))
    instance_deviations = random_generator.normal(0, spread.instance, (set_count, instance_count))
    game_deviations = random_generator.normal(0, spread.residual, dealt_instances.shape)
    deviations: NDArray[np.float64] = (
        people_deviations + instance_deviations[np.arange(set_count)[:, None, None], dealt_instances] + game_deviations
    )
    return deviations


# ---------------------------------------------------------------------- what the log says
@dataclass(frozen=True, slots=True)
class PilotScores:
    """Scores of people's games, aborted ones as 0, with the people and the instance of each."""

    scores: Sequence[float]
    people: Sequence[Collection[str]]
    instances: Sequence[str]

    @property
    def people_count(self) -> int:
        """The number of different people."""
        return count_people(self.people)

    @property
    def instance_count(self) -> int:
        """The number of different instances."""
        return len(set(self.instances))


def collect_pilot_scores(paired_episodes: PairedEpisodes, *, subtracts_second_player: bool) -> PilotScores:
    """Return the scores of the first player's games, whose people are known, on instances that were paired.

    With `subtracts_second_player`, the second player's mean on the instance is subtracted, and instances that the
    second player did not play are left out.
    """
    scored_games = []
    for pair in paired_episodes.list_pairs(None):
        if subtracts_second_player and not pair.is_paired:
            continue
        second_player_mean = (
            average([result.main_score or 0.0 for result in pair.second_episodes]) if subtracts_second_player else 0.0
        )
        for result in pair.first_episodes:
            if (people := find_people(result)) and UNKNOWN_PERSON not in people:
                scored_games.append(((result.main_score or 0.0) - second_player_mean, people, result.instance_hash))
    return PilotScores(
        [game[0] for game in scored_games], [game[1] for game in scored_games], [game[2] for game in scored_games]
    )


def estimate_variance_components(
    scores: Sequence[float], people: Sequence[Collection[str]], instances: Sequence[str]
) -> ScoreSpread:
    """Return how scores spread between people, between instances, and otherwise. Unbalanced data are fine.

    Half the mean squared difference of two games estimates the sum of the variances in which they may differ: all three
    for games that share nothing, without people for two of one person, without instances for two on one instance
    (Koch 1968, Technometrics 10:551). A variance below 0 is set to 0. Raises ValueError if no
    person played two instances, no instance was played by two people, or no two games differ in both.
    """
    import numpy as np

    score_values = np.asarray(scores, float)
    _, person_groups = np.unique(np.array(["\n".join(sorted(members)) for members in people]), return_inverse=True)
    _, instance_groups = np.unique(np.array(instances), return_inverse=True)
    _, both_groups = np.unique(np.stack([person_groups, instance_groups]), axis=1, return_inverse=True)
    single_group = np.zeros(len(score_values), int)
    groupings = (single_group, person_groups, instance_groups, both_groups)
    pairs_and_squares = [_sum_squared_differences(score_values, grouping) for grouping in groupings]
    all_games, same_person, same_instance, same_person_and_instance = (
        np.array(pair_numbers) for pair_numbers in pairs_and_squares
    )
    half_squares = []
    for pairs, squares in (
        all_games - same_person - same_instance + same_person_and_instance,
        same_person - same_person_and_instance,
        same_instance - same_person_and_instance,
    ):
        if not pairs:
            raise ValueError("no person played several instances, or no instance was played by several people")
        half_squares.append(squares / pairs / 2)
    total_variance, within_person_variance, within_instance_variance = half_squares
    variances = (
        total_variance - within_person_variance,
        total_variance - within_instance_variance,
        within_person_variance + within_instance_variance - total_variance,
    )
    return ScoreSpread(*(math.sqrt(max(0.0, variance)) for variance in variances))


def _sum_squared_differences(score_values: NDArray[np.float64], groups: NDArray[np.int64]) -> tuple[int, float]:
    """Return the number of pairs of values in the same group, and the sum of their squared differences."""
    import numpy as np

    group_sizes = np.bincount(groups.ravel())
    group_sums, group_square_sums = (
        np.bincount(groups.ravel(), score_values),
        np.bincount(groups.ravel(), score_values**2),
    )
    return int((group_sizes * (group_sizes - 1) // 2).sum()), float(
        (group_sizes * group_square_sums - group_sums**2).sum()
    )
