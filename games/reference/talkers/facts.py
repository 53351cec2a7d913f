"""What a scripted player states about an item, and the base of all kinds of sight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """A statement about an item: `key` to compare by, and `words` that follow "the one with".

    A `laborious` fact (the number of filled cells) is stated only if no other fact is left.
    """

    key: tuple[Any, ...]
    words: str
    laborious: bool = False
    is_absence: bool = False
    """Whether it states that something is not there; `key` is that of its presence."""


class Sight(ABC):
    """One of the three grids or pictures, as a scripted player sees it."""

    noun: str
    """The word for it: grid, board, picture."""
    margin = 0.0
    """Items whose fit differs by less fit an expression equally well."""

    @abstractmethod
    def facts(self) -> Iterable[Fact]:
        """Return what is clearly true of it, the most natural things to say first."""

    @abstractmethod
    def fit(self, expression: str) -> float:
        """Return how much of what an expression mentions is true here."""

    def chance(self, fact: Fact) -> float:
        """Return how likely a fact is true here, from 0 to 1."""
        return float(fact.key in {clear.key for clear in self.facts()})

    def without(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""
        return None
