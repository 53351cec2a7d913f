"""How a game reads and writes files in clembench's layout. A module `games/FAMILY/clembench.py` is one mapping."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from engine.core.events import Json


class ClembenchMapping(Protocol):
    """How clembench's names, instances and scores of one family of games correspond to ours.

    `clembench_instance` is a game instance of a clembench file, as JSON.
    """

    @property
    def VARIANTS(self) -> Mapping[str, str]:  # noqa: N802  a constant of the module
        """Clembench's name of a game to our variant."""
        ...

    @property
    def SHARED_FIELDS(self) -> Sequence[str]:  # noqa: N802  a constant of the module
        """Fields of an experiment that its instances are played with."""
        ...

    @property
    def DECIMALS(self) -> Mapping[str, int]:  # noqa: N802  a constant of the module
        """To how many decimals clembench rounds a score; scores that are missing here are not rounded."""
        ...

    def find_game_name(self, clembench_instance: Json) -> str | None:
        """Return clembench's name of the game that an instance belongs to, None for another family's."""
        ...

    def instance(self, clembench_instance: Json, pictures: Mapping[str, str] | None = None) -> Json:
        """Return our instance; `pictures` maps clembench's file names to asset ids."""
        ...

    def reword_for_players(self, clembench_instance: Json) -> Json:
        """Return an instance with the words that players read in place of names that only programs use."""
        ...

    def settings(self, clembench_instance: Json) -> Json:
        """Return the settings that an instance is played with."""
        ...

    def pictures(self, clembench_instance: Json) -> list[str]:
        """Return the picture files that an instance names."""
        ...

    def scores(self, ludens_scores: Json) -> Json:
        """Return clembench's scores of an episode from ours."""
        ...

    def explain(self, score_name: str, published_scores: Json, ludens_scores: Json, game: str) -> str | None:
        """Return why a published score differs from ours, None where no reason is known."""
        ...

    def turn_differences(self, published_scores: Json, ludens_scores: Json, game: str) -> list[Json]:
        """Return where published scores of single turns differ from ours. Raises ValueError for unreadable ones."""
        ...

    def fit(
        self, clembench_instance: Json, messages: Mapping[str, Sequence[str]], replies: Mapping[str, Sequence[str]]
    ) -> Json:
        """Return an instance as its episode was really played, from what each seat was sent and replied."""
        ...


def read_score(score_name: str, clembench_value: Any) -> float | None:
    """Return a published score, None for null and NaN. Raises ValueError for anything that is not a number."""
    try:
        score_number = float(clembench_value) if isinstance(clembench_value, bool | int | float) else None
    except OverflowError:
        raise ValueError(f'the score "{score_name}" is a number of {len(str(clembench_value)):,} digits') from None
    if clembench_value is None or (score_number is not None and math.isnan(score_number)):
        return None
    if score_number is None or math.isinf(score_number):
        raise ValueError(
            f'the score "{score_name}" is {clembench_value!r:.80}, where a number, null or NaN was expected'
        )
    return score_number
