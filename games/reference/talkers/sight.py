"""What a scripted player sees in one of three things: facts to say about it, and how well an expression fits it.

`describe` chooses what to say by Dale and Reiter's incremental algorithm (Cognitive Science 19, 1995); `best_fit`
finds the target by the best overlap with what was mentioned. `grid_sight`, `board_sight` and `photo_sight` read text
grids and the descriptions of pentomino boards and photo-like pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from games.common.language.scenes import YES
from games.reference.talkers.board_sight import BoardSight
from games.reference.talkers.facts import Fact, Sight
from games.reference.talkers.grid_sight import GridSight
from games.reference.talkers.photo_sight import PhotoSight

MAYBE, LIKELY, CLEAR = 0.2, 0.5, YES
"""A fact with a greater chance may be true, is likely to be, and is at least clearly true."""


def sight(picture: str | Mapping[str, Any]) -> Sight:
    """Return the sight of a grid's text, or of a picture's description by its kind."""
    match picture:
        case str(grid_text) | {"kind": "grid", "grid": str(grid_text)}:
            return GridSight(grid_text)
        case {"kind": "pentomino"}:
            return BoardSight(picture)
    return PhotoSight(picture)


def describe(target: Sight, others: Sequence[Sight]) -> str:
    """Return a distinguishing description: a single fact if one is enough, else facts that together rule out others."""
    absences = [
        Fact(fact.key, words, is_absence=True)
        for other in others
        for fact in other.facts()
        if target.chance(fact) < CLEAR and (words := target.without(fact))
    ]
    facts = [*target.facts(), *absences]
    sufficient = (fact for fact in facts if not fact.laborious and not any(_may_hold(fact, other) for other in others))
    single = next(sufficient, None)
    chosen_facts = [single] if single else _choose_incrementally(facts, others) or facts[:1]
    words = " and ".join(fact.words for fact in chosen_facts)
    return f"The {target.noun} with {words}" if words else f"A {target.noun} like the others"


def _choose_incrementally(facts: Sequence[Fact], others: Sequence[Sight]) -> list[Fact]:
    """Return, in order, each fact that rules out a remaining distractor, until no distractor remains.

    If facts that cannot be true of a distractor are not enough, facts follow that are not likely to be.
    """
    remaining, chosen_facts = list(others), list[Fact]()
    for least_chance, fact in product((MAYBE, LIKELY), facts):
        possible = [other for other in remaining if _may_hold(fact, other, least_chance)]
        if len(possible) < len(remaining):
            chosen_facts.append(fact)
            remaining = possible
    return chosen_facts


def _may_hold(fact: Fact, other: Sight, least_chance: float = MAYBE) -> bool:
    """Return whether a fact may be true of another; an absence may be, unless the thing is clearly there."""
    if fact.is_absence:
        return fact.key not in {clear.key for clear in other.facts()}
    return other.chance(fact) > least_chance


def best_fit(expression: str, sights: Sequence[Sight], rng: Random) -> int:
    """Return the number of the sight that an expression fits best; chance decides if several fit about equally."""
    fits = [round(candidate.fit(expression), 6) for candidate in sights]
    return rng.choice([number for number, fit in enumerate(fits) if fit >= max(fits) - sights[0].margin])
