"""Studies and the lobby as one: what people played under different instructions, counted together on request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.results.leaderboard import LOBBY
from engine.storage.episode_result import EpisodeResult


def studies_of(results: Iterable[EpisodeResult]) -> list[str]:
    """Return the studies (NAME@VERSION) that people took part in, and "lobby" for games of people outside studies."""
    return sorted({result.study or LOBBY for result in results if result.condition.people})


def pool_studies(results: Iterable[EpisodeResult]) -> list[EpisodeResult]:
    """Return episodes as if people had played all of them in one study, whose name says which were pooled."""
    results = list(results)
    studies: dict[str, list[EpisodeResult]] = {}
    for result in results:
        studies.setdefault(replace(result.condition, study="").id, []).append(result)
    pooled = {id_: studies_of(group) for id_, group in studies.items()}
    names = {id_: " + ".join(group) for id_, group in pooled.items() if len(group) > 1}
    return [
        replace(result, condition=replace(result.condition, study=names[id_]))
        if (id_ := replace(result.condition, study="").id) in names
        else result
        for result in results
    ]
