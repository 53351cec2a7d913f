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
from games.common.grids import CENTRE_CELL, CORNER_BY_NAME, GRID_CELLS, GRID_SIZE, Cell, Grid
from games.common.language.claims import Evidence
from games.common.language.grid_answers import ORDINALS, GridEvaluator, name_cell, say_cells
from games.common.language.grid_claims import GridClaim
from games.common.language.grid_reading import read_grid_text
from games.common.language.regions import ALL_CELLS, BORDER_CELLS, line_cells
from games.common.language.terms import Cells
from games.common.language.wording import capitalise, join_list
from games.matchit.talkers.utterances import Talker, Utterance, pair_with_questions, sum_evidence

DOUBT_OPENING = "Are you sure:"
MIN_GAIN = 1e-6
"""What a question may tell at least that was not answered yet."""
ECHO_FACTOR = 0.5
"""How much less a question gives away that the partner has just asked: its answer is often given along."""


class GridTalker(Talker):
    """The scripted partner's sense for a text grid."""

    evaluator: GridEvaluator
    min_gain_share = 0.85
    last_question = "Is there anything special about your grid?"

    def __init__(self, grid_text: str, rng: Random) -> None:
        self.grid = grids.parse_grid(grid_text)
        self.evaluator = GridEvaluator(self.grid)
        self.rng = rng

    def describe(self) -> str:
        """Describe the grid in two sentences: what it looks like, how much is filled, and what stands out."""
        name, near_pattern = grids.find_pattern_name(self.grid), grids.find_nearest_pattern_name(self.grid)
        filled_phrase = f"{say_cells(self.grid.count)} filled"
        if name:
            first = self.rng.choice((f"My grid looks like {name}; {filled_phrase}.", f"I see {name}; {filled_phrase}."))
        elif near_pattern:
            first = f"My grid looks almost like {near_pattern}, but not quite; {filled_phrase}."
        else:
            first = f"In my grid {filled_phrase}."
        return f"{first} {capitalise(join_list(self.evaluator.list_salient_facts()))}."

    def weigh(self, history: Sequence[Utterance]) -> Evidence:
        """Return the evidence for "same" in what the partner said, with reasons."""
        return sum_evidence(self.evaluator.weigh(collect_claims(history)))

    def propose_questions(self, history: Sequence[Utterance]) -> Iterator[tuple[float, str]]:
        """Yield questions with how much of the grids that the partner may have instead each would rule out."""
        claims = collect_claims(history)
        known_cells = list_known_cells(claims)
        sure_claims = [claim for claim in claims if claim.is_sure]
        weighted_grids = [
            (grid.bits, weight)
            for grid, weight in list_similar_grids(self.grid).items()
            if all(claim.is_true_of(grid) for claim in sure_claims)
        ]
        partner_questions = {utterance.text for utterance in history if utterance.speaker == "partner"}
        for question in list_all_questions():
            if not question.is_settled(claims, known_cells):
                gain = MIN_GAIN + question.ease * question.weigh_excluded(self.grid.bits, weighted_grids)
                yield gain * (ECHO_FACTOR if question.text in partner_questions else 1), question.text
        yield from self._propose_checks(known_cells)

    def _propose_checks(self, known_cells: dict[Cell, bool]) -> Iterator[tuple[float, str]]:
        """Yield what to ask when all was said: the total, then single cells, first those that may be a slip."""
        wrong = [cell for cell, is_filled in known_cells.items() if self.grid[cell] != is_filled]
        is_slip = len(known_cells) == len(GRID_CELLS) and len(wrong) < 3
        yield MIN_GAIN**2, "How many cells are filled altogether?"
        for index, cell in enumerate(known_cells, 1):
            yield ((1 if is_slip and cell in wrong else MIN_GAIN**2) * 0.8**index, ask_again(cell, known_cells[cell]))


def collect_claims(history: Sequence[Utterance]) -> list[GridClaim]:
    """Return the claims of the partner: in its description, and in answers to questions; corrected ones left out."""
    claims: list[GridClaim] = []
    for utterance, question in pair_with_questions(history):
        own_question = question.removeprefix(DOUBT_OPENING).strip() if utterance.kind == "answer" else ""
        answer_claims = read_grid_text(utterance.text, own_question).claims
        if question.startswith(DOUBT_OPENING) and utterance.kind == "answer":
            corrected_cells = list_known_cells(answer_claims)
            claims = [remaining_claim for claim in claims if (remaining_claim := _remove_cells(claim, corrected_cells))]
        claims += answer_claims
    return claims


def _remove_cells(claim: GridClaim, corrected_cells: dict[Cell, bool]) -> GridClaim | None:
    """Return what is left of an earlier claim when some cells were corrected; None if nothing is."""
    known_cells = claim.list_known_cells()
    if not any(known_cells.get(cell, is_filled) != is_filled for cell, is_filled in corrected_cells.items()):
        return claim
    kept_counts = tuple(cell_count for cell_count in claim.readings[0] if cell_count.cells.isdisjoint(corrected_cells))
    return replace(claim, readings=(kept_counts,)) if kept_counts else None


def ask_again(cell: Cell, is_filled: bool) -> str:
    """Ask whether a cell is what it was said to be."""
    return f"{DOUBT_OPENING} is {name_cell(cell)} {'filled' if is_filled else 'empty'}?"


def list_known_cells(claims: Sequence[GridClaim]) -> dict[Cell, bool]:
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
    cell_groups: tuple[Cells, ...]
    ease: float = 1.0

    def weigh_excluded(self, grid_bits: int, weighted_grids: Sequence[tuple[int, float]]) -> float:
        """Return the weight of the grids that have another answer than a grid. Grids are numbers (`grids.bits_of`)."""
        cell_bits = grids.bits_of(frozenset().union(*self.cell_groups))
        single_bits = grids.bits_of(cell for part in self.cell_groups if len(part) == 1 for cell in part)
        group_bits = [grids.bits_of(part) for part in self.cell_groups if len(part) > 1]
        return sum(
            grid_weight
            for other_bits, grid_weight in weighted_grids
            if (changed_bits := grid_bits ^ other_bits) & cell_bits
            and (
                changed_bits & single_bits
                or any((grid_bits & part).bit_count() != (other_bits & part).bit_count() for part in group_bits)
            )
        )

    def is_settled(self, claims: Sequence[GridClaim], known_cells: dict[Cell, bool]) -> bool:
        """Return whether the answer, or more than half of it, was told."""
        cell_counts = [cell_count for claim in claims if len(claim.readings) == 1 for cell_count in claim.readings[0]]
        counted_groups = {cell_count.cells for cell_count in cell_counts if cell_count.low == cell_count.high}
        known_flags = [[cell in known_cells for cell in cell_group] for cell_group in self.cell_groups]
        is_told = sum(map(sum, known_flags)) > sum(map(len, known_flags)) / 2
        pairs = zip(self.cell_groups, known_flags, strict=True)
        return is_told or all(cell_group in counted_groups or all(group_flags) for cell_group, group_flags in pairs)


@cache
def list_all_questions() -> tuple[GridQuestion, ...]:
    """Return the questions that it may ask."""
    return tuple(_generate_questions())


def _generate_questions() -> Iterator[GridQuestion]:
    ways = {"row": "from left to right", "column": "from top to bottom"}
    for axis, cross_axis in (("row", "column"), ("column", "row")):
        lines = [line_cells(axis, [line_number]) for line_number in range(GRID_SIZE)]
        yield GridQuestion(f"How many filled cells are there in each {axis}, {ways[cross_axis]}?", tuple(lines))
        for ordinal, line in zip(ORDINALS, lines, strict=True):
            yield GridQuestion(f"What does the {ordinal} {axis} look like, {ways[axis]}?", _split_cells(line))
        for first_number, second_number in combinations(range(GRID_SIZE), 2):
            question_text = f"Which cells are filled in {axis}s {first_number + 1} and {second_number + 1}?"
            yield GridQuestion(question_text, _split_cells(lines[first_number] | lines[second_number]), 0.7)
    yield GridQuestion("Which of the four corners are filled?", _split_cells(frozenset(CORNER_BY_NAME.values())))
    yield GridQuestion("Is the centre cell filled?", _split_cells(frozenset({CENTRE_CELL})))
    yield GridQuestion("How many cells are filled altogether?", (ALL_CELLS,))
    yield GridQuestion("How many cells of the border are filled?", (BORDER_CELLS,))


def _split_cells(cells: Cells) -> tuple[Cells, ...]:
    return tuple(frozenset({cell}) for cell in sorted(cells))


@cache
def list_similar_grids(grid: Grid) -> dict[Grid, float]:
    """Return grids that a partner may have instead, weighted: turned, one or two cells changed, another pattern."""
    turned_grids = {transform(grid) for transform in grids.GRID_TRANSFORMS.values()}
    edited_grids = [grids.flip_cells(grid, cells) for number in (1, 2) for cells in combinations(GRID_CELLS, number)]
    other = [pattern.grid for family in ("letters", "shapes", "diagonals") for pattern in grids.patterns(family)]
    weight_by_grid: dict[Grid, float] = {}
    for grid_group in (sorted(turned_grids), edited_grids, other):
        for candidate in grid_group:
            if candidate != grid:
                weight_by_grid[candidate] = weight_by_grid.get(candidate, 0.0) + 1 / len(grid_group)
    return weight_by_grid
