"""What a study reports of people beside their mean: whom a model beats, learning, and guesses of the partner's nature.

All functions take plain sequences with one entry per game (or guess), and keys of people and instances. Agreement of
people is `engine.results.agreement.krippendorff_alpha`; the mean itself is `engine.results.two_way`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.results.statistics import Estimate, average, average_estimates, estimate_share
from engine.results.two_way import MIN_CLUSTERS, find_t_quantile

TIE_TOLERANCE = 1e-9
"""Means that differ by less, in points, are equal."""


@dataclass(frozen=True, slots=True)
class PeopleBeatenByModel:
    """How many people a model beats, with how many it ties, and the share that it beats in % with its interval."""

    beaten_people_count: int
    tie_count: int
    people: int
    beaten_share: Estimate


@dataclass(frozen=True, slots=True)
class LearningSlope:
    """How scores change from one game of a person to the next, in points per game; None without anybody's second game.

    `people` counts those with at least two games. The interval is None for fewer than `MIN_CLUSTERS` people.
    """

    slope: Estimate
    people: int
    games: int


@dataclass(frozen=True, slots=True)
class GuessTable:
    """Guesses of whether the partner was a person or a machine, by what the partner was; shares in %.

    `machine_recognition_rate` is the share of machines guessed to be machines, `person_recognition_rate` that of people
    guessed to be people, `balanced_accuracy` the mean of both: 50 % is chance, however many partners were machines.
    """

    machines_guessed_as_machines: int
    machines_guessed_as_people: int
    people_guessed_as_machines: int
    people_guessed_as_people: int
    machine_recognition_rate: Estimate
    person_recognition_rate: Estimate
    balanced_accuracy: Estimate


def count_people_beaten(
    scores: Sequence[float], people: Sequence[str], instances: Sequence[str], model_means: Mapping[str, float]
) -> PeopleBeatenByModel:
    """Return how many people have a lower mean score than the model on the instances that they played.

    `model_means` has the model's mean score on each instance; games on others do not count. The share has a Wilson
    interval: it is over people, each of whom counts once. A tie does not count as beaten.
    """
    differences_by_person: dict[str, list[float]] = {}
    for score, person, instance in zip(scores, people, instances, strict=True):
        if instance in model_means:
            differences_by_person.setdefault(person, []).append(score - model_means[instance])
    person_means = [average(person_differences) for person_differences in differences_by_person.values()]
    beaten_people_count = sum(person_mean < -TIE_TOLERANCE for person_mean in person_means)
    tie_count = sum(abs(person_mean) <= TIE_TOLERANCE for person_mean in person_means)
    return PeopleBeatenByModel(
        beaten_people_count, tie_count, len(person_means), estimate_share(beaten_people_count, len(person_means))
    )


def fit_learning_slope(scores: Sequence[float], people: Sequence[str], positions: Sequence[float]) -> LearningSlope:
    """Return the slope of scores over the position of a game among the games of its person (1 for the first).

    Least squares within people: scores and positions are taken from the means of their person, so that somebody who
    plays well and long is no learning. The variance is clustered by person (Cameron and Miller 2015,
    https://doi.org/10.3368/jhr.50.2.317), with t(people - 1). Instances must have been dealt in random order: otherwise
    the slope is also that of their difficulty.
    """
    games_by_person: dict[str, list[tuple[float, float]]] = {}
    for score, person, position in zip(scores, people, positions, strict=True):
        games_by_person.setdefault(person, []).append((position, score))
    centred_pairs = [
        pairs
        for pairs in map(_centre_pairs, games_by_person.values())
        if any(abs(position) > TIE_TOLERANCE for position, _ in pairs)
    ]
    person_count, game_count = len(centred_pairs), sum(map(len, centred_pairs))
    if not centred_pairs:
        return LearningSlope(Estimate(), 0, 0)
    spread = math.fsum(position**2 for pairs in centred_pairs for position, _ in pairs)
    slope = math.fsum(position * score for pairs in centred_pairs for position, score in pairs) / spread
    if person_count < MIN_CLUSTERS:
        return LearningSlope(Estimate(slope), person_count, game_count)
    person_residuals = [
        math.fsum(position * (score - slope * position) for position, score in pairs) for pairs in centred_pairs
    ]
    variance = person_count / (person_count - 1) * math.fsum(residual**2 for residual in person_residuals) / spread**2
    error_margin = find_t_quantile(person_count - 1) * math.sqrt(variance)
    return LearningSlope(Estimate(slope, slope - error_margin, slope + error_margin), person_count, game_count)


def _centre_pairs(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    mean_position, mean_score = (average([position for position, _ in pairs]), average([score for _, score in pairs]))
    return [(position - mean_position, score - mean_score) for position, score in pairs]


def make_guess_table(is_machine: Sequence[bool], is_judged_machine: Sequence[bool]) -> GuessTable:
    """Return the 2 x 2 table of what partners were and what people guessed, one entry per guess, with its shares.

    Shares have Wilson intervals, the balanced accuracy one made from theirs (Zou and Donner 2008). They take guesses as
    independent: pass one guess per person, such as the first.
    """
    counts = {
        (was_machine, was_judged_machine): 0 for was_machine in (True, False) for was_judged_machine in (True, False)
    }
    for was_machine, was_judged_machine in zip(is_machine, is_judged_machine, strict=True):
        counts[bool(was_machine), bool(was_judged_machine)] += 1
    machine_count, person_count = (counts[True, True] + counts[True, False], counts[False, True] + counts[False, False])
    machine_recognition_rate = estimate_share(counts[True, True], machine_count)
    person_recognition_rate = estimate_share(counts[False, False], person_count)
    return GuessTable(
        counts[True, True],
        counts[True, False],
        counts[False, True],
        counts[False, False],
        machine_recognition_rate,
        person_recognition_rate,
        average_estimates([machine_recognition_rate, person_recognition_rate])
        if machine_count and person_count
        else Estimate(),
    )
