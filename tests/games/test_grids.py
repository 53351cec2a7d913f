"""Grids: parsing and formatting, transforms, editing, pattern families, drawing."""

from collections.abc import Iterator
from io import BytesIO
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from engine.play.registry import Registry
from games.common import grids
from games.common.grids import GRID_CELLS, PATTERN_FAMILIES, Grid, format_grid, grid_of, hamming_distance, parse_grid
from games.matchit import instances as matchit_instances

any_grid = st.sets(st.sampled_from(GRID_CELLS)).map(grid_of)

P = parse_grid("X X X X ▢\nX ▢ ▢ ▢ X\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ ▢")


@given(any_grid)
def test_a_formatted_grid_is_parsed_to_the_same_grid(grid: Grid) -> None:
    assert parse_grid(format_grid(grid)) == grid


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("X X X X X", "5 lines, this one 1"),
        ("X X X X X\n" * 4 + "X X X X", "line 5 has 4 cells"),
        ("X X X X X\n" * 4 + "X X X X x", "'x'"),
        ("", "this one 0"),
    ],
)
def test_a_malformed_grid_is_reported(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_grid(text)


@given(any_grid)
def test_transforms_undo_each_other(grid: Grid) -> None:
    assert grids.turn_90(grids.turn_270(grid)) == grid
    assert grids.turn_180(grids.turn_180(grid)) == grid
    assert grids.mirror_left_right(grids.mirror_left_right(grid)) == grid
    assert grids.mirror_top_bottom(grids.mirror_top_bottom(grid)) == grid
    assert grids.turn_180(grid) == grids.mirror_left_right(grids.mirror_top_bottom(grid))
    assert {change(grid).count for change in grids.GRID_TRANSFORMS.values()} == {grid.count}


def test_a_quarter_turn_is_clockwise() -> None:
    assert grids.turn_90(grid_of([(0, 0), (0, 1)])) == grid_of([(0, 4), (1, 4)])


@given(any_grid, st.integers(0, 25), st.integers())
def test_random_flips_change_exactly_k_cells(grid: Grid, k: int, seed: int) -> None:
    assert hamming_distance(grid, grids.flip_random_cells(grid, k, Random(seed))) == k


@given(any_grid, any_grid, any_grid)
def test_hamming_is_a_distance(a: Grid, b: Grid, c: Grid) -> None:
    assert hamming_distance(a, b) == hamming_distance(b, a)
    assert (hamming_distance(a, b) == 0) == (a == b)
    assert hamming_distance(a, c) <= hamming_distance(a, b) + hamming_distance(b, c)


def test_facts_of_a_letter() -> None:
    facts = grids.collect_facts(P)
    assert facts.count == 12
    assert facts.row_counts == (4, 2, 4, 1, 1)
    assert facts.column_counts == (5, 2, 2, 2, 1)
    assert (facts.full_rows, facts.full_columns, facts.empty_rows) == ((), (0,), ())
    assert facts.corners == ("top left", "bottom left")
    assert facts.centre
    assert not facts.main_diagonal
    assert facts.symmetries == ()
    assert facts.components == 2  # the cell at row 2, column 5 meets the rest at corners only
    assert grids.find_pattern_name(P) == "the letter P"


@given(any_grid)
def test_facts_agree_with_the_grid(grid: Grid) -> None:
    facts = grids.collect_facts(grid)
    assert sum(facts.row_counts) == sum(facts.column_counts) == facts.count == grid.count
    assert (facts.components == 0) == (grid.count == 0)
    assert all(grids.GRID_TRANSFORMS[name](grid) == grid for name in facts.symmetries)


@pytest.mark.parametrize("family", PATTERN_FAMILIES)
def test_a_family_yields_distinct_grids_reproducibly(family: str) -> None:
    def first(n: int) -> list[Grid]:
        source = grids.generate_grids(family, Random(7))
        return [grid for grid, _ in zip(source, range(n), strict=False)]

    made = first(60)
    assert len(set(made)) == len(made) >= 26
    assert made == first(60)
    if family != "random":
        assert all(family in grids.list_families(grid) for grid in made)


def test_grids_of_rows_and_columns() -> None:
    for pattern in grids.patterns("rows"):
        assert all(len(set(row)) == 1 for row in pattern.grid.rows)
    assert {grids.turn_90(p.grid) for p in grids.patterns("rows")} == {p.grid for p in grids.patterns("columns")}


def test_letters_are_distinct() -> None:
    assert len(grids.patterns("letters")) == 26
    for pattern in grids.patterns("letters"):
        assert grids.find_pattern_name(pattern.grid) == pattern.name


def test_the_nearest_name_is_not_an_exact_match() -> None:
    assert grids.find_nearest_pattern_name(P) is None or "P" not in str(grids.find_nearest_pattern_name(P))
    assert grids.find_nearest_pattern_name(grids.flip_cells(P, [(4, 4)])) is not None


def test_a_drawn_grid_is_a_reproducible_png_without_metadata() -> None:
    data = grids.render_png(P)
    assert data == grids.render_png(P)
    image = Image.open(BytesIO(data))
    assert (image.format, image.size, image.info) == ("PNG", (480, 480), {})
    assert data != grids.render_png(grids.turn_90(P))


def trace_diagonals(grid: Grid) -> int:
    """Return how few diagonal lines of at least three cells make up a grid; 9 if none do."""
    lines = [
        {(row, start + step * row) for row in range(5) if 0 <= start + step * row < 5}
        for step in (1, -1)
        for start in range(-4, 9)
    ]
    filled = set(grid.filled_cells)
    inside = [line for line in lines if len(line) >= 3 and line <= filled]
    return next(
        (n for n in (1, 2, 3) if any(set().union(*some) == filled for some in combinations(inside, n))),
        9,
    )


@given(st.integers(0, 2**32))
def test_diagonals_are_one_line_or_two_that_touch_at_corners_only(seed: int) -> None:
    for grid in list(grids.generate_recognisable_grids("diagonals", Random(seed)))[:5]:
        assert trace_diagonals(grid) <= 2
        cells = set(grid.filled_cells)
        assert not [cell for cell in cells if {(cell[0] + 1, cell[1]), (cell[0], cell[1] + 1)} & cells]


def read_shipped_diagonals() -> Iterator[tuple[str, Grid]]:
    """Yield the grids of shipped instances that are meant as diagonals, with the names of the instances."""
    registry = Registry(Path(__file__).parents[2])
    for item in registry.select_instances("reference/text/diagonals"):
        for text in (item.instance["target"], *item.instance["distractors"]):
            yield item.instance_id, grids.parse_grid(text)
    for item in [*registry.select_instances("matchit/text/same"), *registry.select_instances("matchit/text/different")]:
        for side in "ab":
            yield item.instance_id, grids.parse_grid(item.instance[side])
    for item in registry.select_instances("imagegame/grid/compact"):
        target = item.instance["target"]
        letter = next(char for char in target if char.isalpha())
        yield item.instance_id, grids.parse_grid(target.replace(letter, "X"))


def test_shipped_diagonals_are_recognisable() -> None:
    diagonals = [(name, grid) for name, grid in read_shipped_diagonals() if grids.list_families(grid) == ("diagonals",)]
    assert len({name for name, _ in diagonals}) > 30
    assert not [
        name for name, grid in diagonals if trace_diagonals(grid) > 2 or not grids.list_recognisable_families(grid)
    ]


def test_three_diagonals_are_still_known_but_no_longer_used() -> None:
    """Episodes of earlier instance sets must stay readable."""
    three = [pattern for pattern in grids.patterns("diagonals") if pattern.name == "three diagonal lines"]
    assert three and not any(map(grids.is_recognisable, three))
    pair = {"kind": "grid", "relation": "same", "a": grids.format_grid(three[0].grid)}
    instance = matchit_instances.load({**pair, "b": pair["a"]})
    assert matchit_instances.check("same", instance) == "field a and field b: no clear pattern"
