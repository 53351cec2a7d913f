"""What a scripted player sees in one of three things: facts to say about it, and how well an expression fits it.

`describe_target` chooses what to say by Dale and Reiter's incremental algorithm (Cognitive Science 19, 1995);
`find_best_sight` finds the target by the best overlap with what was mentioned. `grid_sight`, `board_sight` and
`photo_sight` read text grids and the descriptions of pentomino boards and photo-like pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

from games.common.language.things import YES
from games.reference.talkers.board_sight import BoardSight
from games.reference.talkers.facts import Fact, Sight
from games.reference.talkers.grid_sight import GridSight
from games.reference.talkers.photo_sight import PhotoSight

MAYBE_CHANCE, LIKELY_CHANCE, CLEAR_CHANCE = 0.2, 0.5, YES
"""A fact with a greater chance may be true, is likely to be, and is at least clearly true."""


def make_sight(picture_data: str | Mapping[str, Any]) -> Sight:
    """Return the sight of a grid's text, or of a picture's description by its kind."""
    match picture_data:
        case str(grid_text) | {"kind": "grid", "grid": str(grid_text)}:
            return GridSight(grid_text)
        case {"kind": "pentomino"}:
            return BoardSight(picture_data)
    return PhotoSight(picture_data)


def describe_target(target: Sight, distractors: Sequence[Sight]) -> str:
    """Return a distinguishing description: a single fact if one is enough, else facts that together rule out others."""
    absence_facts = [
        Fact(fact.fact_key, wording, is_absence=True)
        for other in distractors
        for fact in other.list_facts()
        if target.estimate_chance(fact) < CLEAR_CHANCE and (wording := target.describe_absence(fact))
    ]
    facts = [*target.list_facts(), *absence_facts]
    short_facts = (fact for fact in facts if not fact.is_laborious)
    sufficient_facts = (fact for fact in short_facts if not any(_may_hold(fact, other) for other in distractors))
    single_fact = next(sufficient_facts, None)
    chosen_facts = [single_fact] if single_fact else _choose_incrementally(facts, distractors) or facts[:1]
    wording = " and ".join(fact.wording for fact in chosen_facts)
    return f"The {target.noun} with {wording}" if wording else f"A {target.noun} like the others"


def _choose_incrementally(facts: Sequence[Fact], distractors: Sequence[Sight]) -> list[Fact]:
    """Return, in order, each fact that rules out a remaining distractor, until no distractor remains.

    If facts that cannot be true of a distractor are not enough, facts follow that are not likely to be.
    """
    remaining_distractors, chosen_facts = list(distractors), list[Fact]()
    for least_chance, fact in product((MAYBE_CHANCE, LIKELY_CHANCE), facts):
        sights_left = [distractor for distractor in remaining_distractors if _may_hold(fact, distractor, least_chance)]
        if len(sights_left) < len(remaining_distractors):
            chosen_facts.append(fact)
            remaining_distractors = sights_left
    return chosen_facts


def _may_hold(fact: Fact, distractor: Sight, least_chance: float = MAYBE_CHANCE) -> bool:
    """Return whether a fact may be true of another; an absence may be, unless the thing is clearly there."""
    if fact.is_absence:
        return fact.fact_key not in {listed_fact.fact_key for listed_fact in distractor.list_facts()}
    return distractor.estimate_chance(fact) > least_chance


def find_best_sight(expression: str, candidates: Sequence[Sight], rng: Random) -> int:
    """Return the number of the sight that an expression fits best; chance decides if several fit about equally."""
    fits = [round(candidate.rate_fit(expression), 6) for candidate in candidates]
    return rng.choice([number for number, fit in enumerate(fits) if fit >= max(fits) - candidates[0].tie_margin])
