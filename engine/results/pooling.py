"""Studies and the lobby as one: what people played under different instructions, counted together on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.results.leaderboard import LOBBY_ORIGIN
from engine.storage.episode_result import EpisodeResult


def studies_of(results: Iterable[EpisodeResult]) -> list[str]:
    """Return the studies (NAME@VERSION) that people took part in, and "lobby" for games of people outside studies."""
    return sorted({result.study or LOBBY_ORIGIN for result in results if result.condition.people})


def pool_studies(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return episodes as if people had played all of them in one study, whose name says which were pooled."""
    results = list(results)
    conditions = {result.condition.id: result.condition for result in results}
    rest = {id_: replace(condition, study="").id for id_, condition in conditions.items()}
    studies: dict[str, set[str]] = {}
    for id_, condition in conditions.items():
        studies.setdefault(rest[id_], set()).update([condition.study or LOBBY_ORIGIN] if condition.people else [])
    pooled_conditions = {
        id_: replace(condition, study=" + ".join(sorted(studies[rest[id_]])))
        for id_, condition in conditions.items()
        if len(studies[rest[id_]]) > 1
    }
    return [replace(r, condition=pooled_conditions.get(r.condition.id, r.condition)) for r in results]


def pool_people(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return episodes as if all people in them had played in one study, whatever they played there."""
    results = list(results)
    study = " + ".join(studies_of(results))
    conditions = {
        result.condition.id: replace(result.condition, study=study) for result in results if result.condition.people
    }
    return [replace(result, condition=conditions.get(result.condition.id, result.condition)) for result in results]
