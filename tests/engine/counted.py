"""Results for tests of what is counted: one call takes what a `EpisodeResult` has and what its `Condition` has."""

from dataclasses import fields

from engine.core.condition import Condition
from engine.storage.episode_result import EpisodeResult

PLACE = {field.name for field in fields(Condition) if field.init}


def counted(**given) -> EpisodeResult:
    place = {"game": "g", "variant": "text", "experiment": "e", "seats": {"A": "x", "B": "y"}, "settings": {}}
    place |= {name: value for name, value in given.items() if name in PLACE}
    return EpisodeResult(
        Condition(**place), **{"instance_hash": "i"} | {k: v for k, v in given.items() if k not in PLACE}
    )
