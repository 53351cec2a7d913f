"""The people behind episodes, as means over people and instances need them (`engine.results.two_way`)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.results.two_way import UNKNOWN_PERSON, Clusters
from engine.storage.episode_result import EpisodeResult

GameScore = tuple[str, tuple[str, ...], float]
"""A game: its instance, its people, its score."""


def find_people(result: EpisodeResult) -> tuple[str, ...]:
    """Return the keys of the people in an episode, with `UNKNOWN_PERSON` if a person sat there who is not known."""
    has_unknown_people = result.condition.person_seats > len(result.participants)
    return result.participants + (UNKNOWN_PERSON,) * has_unknown_people


def count_participants(results: Iterable[EpisodeResult]) -> int:
    """Return the number of different people in episodes, without those who are not known."""
    return len({participant_key for result in results for participant_key in result.participants})


def make_score_clusters(scored_results: Iterable[tuple[EpisodeResult, float]]) -> Clusters:
    """Return scores of episodes with their people and instances; all instances weigh the same.

    The order of the episodes makes no difference, not even in the last digit.
    """
    games: list[GameScore] = sorted((game.instance_hash, find_people(game), score) for game, score in scored_results)
    return Clusters.with_equal_weights(
        [score for _, _, score in games], [people for _, people, _ in games], [game_score[0] for game_score in games]
    )
