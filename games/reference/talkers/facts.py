"""What a scripted player states about an item, and the base of all kinds of sight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fact:
    """A statement about an item: `fact_key` to compare by, and `wording` that follows "the one with".

    A laborious fact (the number of filled cells) is stated only if no other fact is left.
    """

    fact_key: tuple[Any, ...]
    wording: str
    is_laborious: bool = False
    is_absence: bool = False
    """Whether it states that something is not there; `fact_key` is that of its presence."""


class Sight(ABC):
    """One of the three grids or pictures, as a scripted player sees it."""

    noun: str
    """The word for it: grid, board, picture."""
    tie_margin = 0.0
    """Items whose fit differs by less fit an expression equally well."""

    @abstractmethod
    def list_facts(self) -> Iterable[Fact]:
        """Return what is clearly true of it, the most natural things to say first."""

    @abstractmethod
    def rate_fit(self, expression: str) -> float:
        """Return how much of what an expression mentions is true here."""

    def estimate_chance(self, fact: Fact) -> float:
        """Return how likely a fact is true here, from 0 to 1."""
        return float(fact.fact_key in {listed_fact.fact_key for listed_fact in self.list_facts()})

    def describe_absence(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""
        return None
