"""What a game says of its files in clembench's layout: names, instances, scores. `games/FAMILY/clembench.py` is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.core.events import Json


class ClembenchMapping(Protocol):
    """How one family of games is kept in clembench's layout. `theirs` is one game instance of theirs, as JSON."""

    @property
    def VARIANTS(self) -> Mapping[str, str]:  # noqa: N802  a constant of the module
        """Their name of a game to our variant."""
        ...

    @property
    def SHARED(self) -> Sequence[str]:  # noqa: N802  a constant of the module
        """Fields of an experiment of theirs that belong to each of its instances."""
        ...

    def game_of(self, theirs: Json) -> str | None:
        """Return their name of the game that an instance belongs to, None for another family's."""
        ...

    def instance(self, theirs: Json, pictures: Mapping[str, str] | None = None) -> Json:
        """Return our instance; `pictures` maps their file names to asset ids."""
        ...

    def settings(self, theirs: Json) -> Json:
        """Return the settings that an instance of theirs is played with."""
        ...

    def pictures(self, theirs: Json) -> list[str]:
        """Return the picture files that an instance names."""
        ...

    def scores(self, ours: Json) -> Json:
        """Return their scores of an episode from ours."""
        ...

    def explain(self, name: str, theirs: Json, ours: Json, game: str) -> str | None:
        """Return why their value of a score differs from ours, None where it must not."""
        ...

    def turn_differences(self, theirs: Json, ours: Json) -> list[Json]:
        """Return where their scores of single turns differ from ours."""
        ...

    def fit(self, theirs: Json, said: Mapping[str, Sequence[str]], replied: Mapping[str, Sequence[str]]) -> Json:
        """Return the instance as an episode was really played, from what seats were told and replied."""
        ...
