"""Studies and the lobby as one: what people played under different instructions, counted together on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.results.leaderboard import LOBBY_ORIGIN
from engine.storage.episode_result import EpisodeResult


def list_studies(results: Iterable[EpisodeResult]) -> list[str]:
    """Return the studies (NAME@VERSION) that people took part in, and "lobby" for games of people outside studies."""
    return sorted({result.study or LOBBY_ORIGIN for result in results if result.condition.people})


def pool_studies(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return episodes as if people had played all of them in one study, whose name says which were pooled."""
    results = list(results)
    condition_by_id = {game.condition.id: game.condition for game in results}
    pooled_ids = {id_: replace(condition, study="").id for id_, condition in condition_by_id.items()}
    studies: dict[str, set[str]] = {}
    for id_, condition in condition_by_id.items():
        studies.setdefault(pooled_ids[id_], set()).update([condition.study or LOBBY_ORIGIN] if condition.people else [])
    pooled_conditions = {
        id_: replace(condition, study=" + ".join(sorted(studies[pooled_ids[id_]])))
        for id_, condition in condition_by_id.items()
        if len(studies[pooled_ids[id_]]) > 1
    }
    return [replace(game, condition=pooled_conditions.get(game.condition.id, game.condition)) for game in results]


def pool_people(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return episodes as if all people in them had played in one study, whatever they played there."""
    results = list(results)
    study = " + ".join(list_studies(results))
    condition_by_id = {
        result.condition.id: replace(result.condition, study=study) for result in results if result.condition.people
    }
    return [replace(result, condition=condition_by_id.get(result.condition.id, result.condition)) for result in results]
