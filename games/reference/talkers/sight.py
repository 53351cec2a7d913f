"""What a scripted player sees in one of three things: facts to say about it, and how well an expression fits it.

`describe` chooses what to say by Dale and Reiter's incremental algorithm (Cognitive Science 19, 1995); `best_fit`
finds the target by the best overlap with what was mentioned. `grid_sight`, `board_sight` and `photo_sight` read text
grids and the descriptions of pentomino boards and photo-like pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Protocol

from games.common.language.listening import MARGIN
from games.reference.talkers.board_sight import BoardSight
from games.reference.talkers.facts import Fact
from games.reference.talkers.grid_sight import GridSight
from games.reference.talkers.photo_sight import PhotoSight

ABSENT = "absent"


class Sight(Protocol):
    """One of the three grids or pictures, as a scripted player sees it."""

    noun: str
    """The word for it: grid, board, picture."""

    def facts(self) -> Iterable[Fact]:
        """Return what is clearly true of it, the most natural things to say first."""

    def holds(self, fact: Fact) -> bool:
        """Return whether a fact may be true here, also if that is not clear."""

    def without(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact states, None if nobody would mention it."""

    def fit(self, expression: str, among: Sequence[Any]) -> float:
        """Return how much of what an expression mentions is true here; `among` are the sights of all three."""


def sight(picture: str | Mapping[str, Any]) -> Sight:
    """Return the sight of a grid's text, or of a picture's description by its kind."""
    match picture:
        case str() as grid_text:
            return GridSight(grid_text)
        case {"kind": "grid", "grid": grid_text}:
            return GridSight(str(grid_text))
        case {"kind": "pentomino"}:
            return BoardSight(picture)
    return PhotoSight(picture)


def describe(target: Sight, others: Sequence[Sight]) -> str:
    """Return a distinguishing description: a single fact if one is enough, else facts that together rule out others."""
    facts = [*target.facts(), *_absences(target, others)]
    sufficient = (fact for fact in facts if not fact.laborious and not any(_may_hold(fact, other) for other in others))
    single = next(sufficient, None)
    chosen_facts = [single] if single else _choose_incrementally(facts, others) or facts[:1]
    if not chosen_facts:
        return f"A {target.noun} like the others"
    return f"The {target.noun} with {' and '.join(fact.words for fact in chosen_facts)}"


def _choose_incrementally(facts: Sequence[Fact], others: Sequence[Sight]) -> list[Fact]:
    """Return, in order, each fact that rules out a remaining distractor, until no distractor remains.

    If facts that cannot be true of a distractor are not enough, facts follow that are not likely to be.
    """
    remaining, chosen_facts = list(others), list[Fact]()
    for may_hold, fact in product((_may_hold, _is_likely), facts):
        possible = [other for other in remaining if may_hold(fact, other)]
        if len(possible) < len(remaining):
            chosen_facts.append(fact)
            remaining = possible
        if not remaining:
            break
    return chosen_facts


def _absences(target: Sight, others: Sequence[Sight]) -> Iterable[Fact]:
    """Return what the target lacks and another has, as facts about the target."""
    for other in others:
        for fact in other.facts():
            is_here = target.has(fact) if isinstance(target, PhotoSight) else target.holds(fact)
            if not is_here and (words := target.without(fact)):
                yield Fact((ABSENT, *fact.key), words)


def _may_hold(fact: Fact, other: Sight) -> bool:
    """Return whether a fact may be true of another; an absence may be, unless the thing is clearly there."""
    if fact.key[0] == ABSENT:
        return fact.key[1:] not in {clear.key for clear in other.facts()}
    return other.holds(fact)


def _is_likely(fact: Fact, other: Sight) -> bool:
    """Return whether a fact is likely to be true of another."""
    if isinstance(other, PhotoSight) and fact.key[0] != ABSENT:
        return other.is_likely(fact)
    return _may_hold(fact, other)


def best_fit(expression: str, sights: Sequence[Sight], rng: Random) -> int:
    """Return the number of the sight that an expression fits best; chance decides if several fit about equally."""
    fits = [round(candidate.fit(expression, sights), 6) for candidate in sights]
    margin = MARGIN if isinstance(sights[0], PhotoSight) else 0.0
    return rng.choice([number for number, fit in enumerate(fits) if fit >= max(fits) - margin])
