"""What a scripted player sees in one of three things: facts to say about it, and how well an expression fits it.

`describe` chooses what to say by Dale and Reiter's incremental algorithm (Cognitive Science 19, 1995); `fitting` finds
what is meant by the best overlap of what was mentioned. `grid_sight`, `board_sight` and `photo_sight` know grids,
pentomino boards and photo-like pictures; what they see is the text or the description of the seat's own three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from games.reference.talkers.board_sight import BoardSight
from games.reference.talkers.facts import Fact
from games.reference.talkers.grid_sight import GridSight
from games.reference.talkers.photo_sight import PhotoSight

ABSENT = "absent"


class Sight(Protocol):
    """One of the three, as a scripted player sees it."""

    noun: str
    """What it is called: grid, board, picture."""

    def facts(self) -> Iterable[Fact]:
        """Return what is clearly so, what is said most readily first."""

    def holds(self, fact: Fact) -> bool:
        """Say whether a fact may be taken to be so here: also where it is not clear."""

    def without(self, fact: Fact) -> str | None:
        """Return words for the absence of what a fact says, None where nobody would mention it."""

    def fit(self, expression: str, among: Sequence[Any]) -> float:
        """Return how much of what an expression mentions is so here; `among` are the sights of all three."""


def sight(seen: str | Mapping[str, Any]) -> Sight:
    """Return the sight of a grid's text, or of a picture's description by its kind."""
    if isinstance(seen, str):
        return GridSight(seen)
    if seen.get("kind") == "grid":
        return GridSight(str(seen["grid"]))
    return BoardSight(seen) if seen.get("kind") == "pentomino" else PhotoSight(seen)


def describe(target: Sight, others: Sequence[Sight]) -> str:
    """Return a distinguishing description: one fact where one will do, else fact by fact what rules out any more."""
    facts = [*target.facts(), *_absent(target, others)]
    alone = (fact for fact in facts if not fact.laborious and not any(_may_be(fact, other) for other in others))
    one = next(alone, None)
    chosen = [one] if one else _incremental(facts, others) or facts[:1]
    if not chosen:
        return f"A {target.noun} like the others"
    return f"The {target.noun} with {' and '.join(fact.words for fact in chosen)}"


def _incremental(facts: Iterable[Fact], others: Sequence[Sight]) -> list[Fact]:
    """Take each fact in turn that rules out a distractor which is still in, until none is."""
    left, chosen = list(others), list[Fact]()
    for fact in facts:
        still = [other for other in left if _may_be(fact, other)]
        if len(still) < len(left):
            chosen.append(fact)
            left = still
        if not left:
            break
    return chosen


def _absent(target: Sight, others: Sequence[Sight]) -> Iterable[Fact]:
    """Return what the target lacks and another has, as facts about the target."""
    for other in others:
        for fact in other.facts():
            if not target.holds(fact) and (words := target.without(fact)):
                yield Fact((ABSENT, *fact.key), words)


def _may_be(fact: Fact, other: Sight) -> bool:
    """Say whether somebody could take a fact to be so of another; an absence, unless the thing is clearly there."""
    if fact.key[0] == ABSENT:
        return fact.key[1:] not in {clear.key for clear in other.facts()}
    return other.holds(fact)


def fitting(expression: str, sights: Sequence[Sight], rng: Random) -> int:
    """Return the number of the thing that an expression fits best; chance decides between equals."""
    fits = [round(one.fit(expression, sights), 6) for one in sights]
    return rng.choice([number for number, fit in enumerate(fits) if fit == max(fits)])
