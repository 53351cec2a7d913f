"""The scripted partner's sense for a text grid: it describes it, asks what would tell grids apart, and weighs answers.

It knows its own grid only. What people say is read by `games/common/language/grid_claims.py` and judged by
`grid_answers.py`; a decision sums the evidence of all claims, and a corrected claim no longer counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from random import Random

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, SIZE, Cell, Grid
from games.common.language.claims import Evidence
from games.common.language.grid_answers import ORDINALS, GridEvaluator, name_cell, say_cells
from games.common.language.grid_claims import GridClaim
from games.common.language.grid_reading import read_grid_text
from games.common.language.regions import ALL_CELLS, BORDER_CELLS, line_cells
from games.common.language.signs import Cells
from games.common.language.wording import capitalise, join_list
from games.matchit.talkers.utterances import Talker, Utterance, hear, sum_up

DOUBT = "Are you sure:"
LEAST = 1e-6
"""What a question may tell at least that was not answered yet."""
ECHO = 0.5
"""How much less a question gives away that the partner has just asked: its answer is often given along."""


class GridTalker(Talker):
    """The scripted partner's sense for a text grid."""

    evaluator: GridEvaluator
    good_share = 0.85
    last_question = "Is there anything special about your grid?"

    def __init__(self, grid: str, rng: Random) -> None:
        self.grid = grids.parse_grid(grid)
        self.evaluator = GridEvaluator(self.grid)
        self.rng = rng

    def describe(self) -> str:
        """Describe the grid in two sentences: what it looks like, how much is filled, and what stands out."""
        name, near = grids.pattern_name(self.grid), grids.nearest_pattern_name(self.grid)
        filled = f"{say_cells(self.grid.count)} filled"
        if name:
            first = self.rng.choice((f"My grid looks like {name}; {filled}.", f"I see {name}; {filled}."))
        elif near:
            first = f"My grid looks almost like {near}, but not quite; {filled}."
        else:
            first = f"In my grid {filled}."
        return f"{first} {capitalise(join_list(self.evaluator.list_salient_facts()))}."

    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""
        return sum_up(self.evaluator.weigh(claims_heard(history)))

    def questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions with how much of the grids that the partner may have instead each would rule out."""
        claims = claims_heard(history)
        known_cells = told_cells(claims)
        sure = [claim for claim in claims if claim.is_sure]
        others = [
            (grid.bits, weight)
            for grid, weight in similar_grids(self.grid).items()
            if all(claim.holds(grid) for claim in sure)
        ]
        partner_asked = {entry.text for entry in history if entry.speaker == "partner"}
        for question in all_questions():
            if not question.is_settled(claims, known_cells):
                gain = LEAST + question.ease * question.weigh_excluded(self.grid.bits, others)
                yield gain * (ECHO if question.text in partner_asked else 1), question.text
        yield from self._checks(known_cells)

    def _checks(self, known_cells: dict[Cell, bool]) -> Iterator[tuple[float, str]]:
        """Yield what to ask when all was said: the total, then single cells, first those that may be a slip."""
        wrong = [cell for cell, filled in known_cells.items() if self.grid[cell] != filled]
        is_slip = len(known_cells) == len(CELLS) and len(wrong) < 3
        yield LEAST**2, "How many cells are filled altogether?"
        for at, cell in enumerate(known_cells, 1):
            yield (1 if is_slip and cell in wrong else LEAST**2) * 0.8**at, ask_again(cell, known_cells[cell])


def claims_heard(history: Sequence[Utterance]) -> list[GridClaim]:
    """Return the claims of the partner: in its description, and in answers to questions; corrected ones left out."""
    claims: list[GridClaim] = []
    for entry, question in hear(history):
        own_question = question.removeprefix(DOUBT).strip() if entry.kind == "answer" else ""
        answers = read_grid_text(entry.text, own_question).claims
        if question.startswith(DOUBT) and entry.kind == "answer":
            corrected = told_cells(answers)
            claims = [rest for claim in claims if (rest := _without(claim, corrected))]
        claims += answers
    return claims


def _without(claim: GridClaim, corrected: dict[Cell, bool]) -> GridClaim | None:
    """Return what is left of an earlier claim when some cells were corrected; None if nothing is."""
    known_cells = claim.list_known_cells()
    if not any(known_cells.get(cell, filled) != filled for cell, filled in corrected.items()):
        return claim
    counts = tuple(count for count in claim.readings[0] if count.cells.isdisjoint(corrected))
    return replace(claim, readings=(counts,)) if counts else None


def ask_again(cell: Cell, filled: bool) -> str:
    """Ask whether a cell is what it was said to be."""
    return f"{DOUBT} is {name_cell(cell)} {'filled' if filled else 'empty'}?"


def told_cells(claims: Sequence[GridClaim]) -> dict[Cell, bool]:
    """Return the cells that were told for certain."""
    known_cells: dict[Cell, bool] = {}
    for claim in claims:
        known_cells |= claim.list_known_cells() if claim.is_sure or claim.readings else {}
    return known_cells


# ---------------------------------------------------------------------- questions
@dataclass(frozen=True)
class GridQuestion:
    """A question: how many cells of each part are filled, or which cells (parts of one cell).

    `ease`: how gladly a person answers it; a laborious question has to give away more.
    """

    text: str
    parts: tuple[Cells, ...]
    ease: float = 1.0

    def weigh_excluded(self, grid: int, others: Sequence[tuple[int, float]]) -> float:
        """Return the weight of the grids that have another answer than a grid. Grids are numbers (`grids.bits_of`)."""
        cells = grids.bits_of(frozenset().union(*self.parts))
        single_cells = grids.bits_of(cell for part in self.parts if len(part) == 1 for cell in part)
        counted_parts = [grids.bits_of(part) for part in self.parts if len(part) > 1]
        return sum(
            weight
            for other, weight in others
            if (changed := grid ^ other) & cells
            and (
                changed & single_cells
                or any((grid & part).bit_count() != (other & part).bit_count() for part in counted_parts)
            )
        )

    def is_settled(self, claims: Sequence[GridClaim], known_cells: dict[Cell, bool]) -> bool:
        """Return whether the answer, or more than half of it, was told."""
        counts = [count for claim in claims if len(claim.readings) == 1 for count in claim.readings[0]]
        counted = {count.cells for count in counts if count.low == count.high}
        known_parts = [[cell in known_cells for cell in part] for part in self.parts]
        is_told = sum(map(sum, known_parts)) > sum(map(len, known_parts)) / 2
        pairs = zip(self.parts, known_parts, strict=True)
        return is_told or all(part in counted or all(cells_known) for part, cells_known in pairs)


@cache
def all_questions() -> tuple[GridQuestion, ...]:
    """Return the questions that it may ask."""
    return tuple(_questions())


def _questions() -> Iterator[GridQuestion]:
    ways = {"row": "from left to right", "column": "from top to bottom"}
    for axis, other in (("row", "column"), ("column", "row")):
        lines = [line_cells(axis, [number]) for number in range(SIZE)]
        yield GridQuestion(f"How many filled cells are there in each {axis}, {ways[other]}?", tuple(lines))
        for ordinal, line in zip(ORDINALS, lines, strict=True):
            yield GridQuestion(f"What does the {ordinal} {axis} look like, {ways[axis]}?", _single(line))
        for first, second in combinations(range(SIZE), 2):
            text = f"Which cells are filled in {axis}s {first + 1} and {second + 1}?"
            yield GridQuestion(text, _single(lines[first] | lines[second]), 0.7)
    yield GridQuestion("Which of the four corners are filled?", _single(frozenset(CORNER_BY_NAME.values())))
    yield GridQuestion("Is the centre cell filled?", _single(frozenset({CENTRE})))
    yield GridQuestion("How many cells are filled altogether?", (ALL_CELLS,))
    yield GridQuestion("How many cells of the border are filled?", (BORDER_CELLS,))


def _single(cells: Cells) -> tuple[Cells, ...]:
    return tuple(frozenset({cell}) for cell in sorted(cells))


@cache
def similar_grids(grid: Grid) -> dict[Grid, float]:
    """Return grids that a partner may have instead, weighted: turned, one or two cells changed, another pattern."""
    turned = {change(grid) for change in grids.TRANSFORMS.values()}
    edited = [grids.flip_cells(grid, cells) for number in (1, 2) for cells in combinations(CELLS, number)]
    other = [pattern.grid for family in ("letters", "shapes", "diagonals") for pattern in grids.patterns(family)]
    weights: dict[Grid, float] = {}
    for group in (sorted(turned), edited, other):
        for candidate in group:
            if candidate != grid:
                weights[candidate] = weights.get(candidate, 0.0) + 1 / len(group)
    return weights
