"""The people behind episodes, as means over people and instances need them (`engine.results.two_way`)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.results.two_way import UNKNOWN_PERSON, Clusters
from engine.storage.episode_result import EpisodeResult

Unit = tuple[str, tuple[str, ...], float]
"""A game: its instance, its people, its score."""


def people_of(result: EpisodeResult) -> tuple[str, ...]:
    """Return the keys of the people in an episode, with `UNKNOWN_PERSON` if a person sat there who is not known."""
    is_anybody_unknown = result.condition.person_seats > len(result.participants)
    return result.participants + (UNKNOWN_PERSON,) * is_anybody_unknown


def count_participants(results: Iterable[EpisodeResult]) -> int:
    """Return the number of different people in episodes, without those who are not known."""
    return len({person for result in results for person in result.participants})


def score_clusters(scores: Iterable[tuple[EpisodeResult, float]]) -> Clusters:
    """Return scores of episodes with their people and instances; all instances weigh the same.

    The order of the episodes makes no difference, not even in the last digit.
    """
    score_units: list[Unit] = sorted((result.instance_hash, people_of(result), score) for result, score in scores)
    return Clusters.of(
        [score for _, _, score in score_units], [people for _, people, _ in score_units], [s[0] for s in score_units]
    )
