"""Questions and statements about a grid of which the truth is known.

A partner answers no question falsely, and a listener does not pick a grid of which a statement is not true instead of
the only one of which it is.
"""

from collections.abc import Callable
from random import Random

import pytest

from games.reference.talkers.sight import find_best_sight, make_sight
from tests.games.partner_figures import partner
from tests.games.test_grid_sentences import GRIDS, NAMES, NUMBERS, ORDINALS, SIZE, Grid, cells_of

Line = list[bool]
Truth = Callable[..., bool]
CORNERS = ((0, 0), (0, 4), (4, 0), (4, 4))
RING = [(row, column) for row in range(SIZE) for column in range(SIZE) if {row, column} & {0, SIZE - 1}]
INSIDE = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3)]


def among(cells: list[tuple[int, int]] | tuple[tuple[int, int], ...], grid: Grid) -> Line:
    return [grid[row][column] for row, column in cells]


def columns(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def is_only_filled(line: Line, _: Line, at: int, __: Grid) -> bool:
    return line[at] and sum(line) == 1


def is_only_empty(line: Line, _: Line, at: int, __: Grid) -> bool:
    return not line[at] and sum(line) == SIZE - 1


ABOUT_LINES: dict[str, Truth] = {
    "Is {line} empty?|{line} empty?|Isn't {line} empty?|Is nothing in {line}?|Is your {line} completely blank?"
    "|{line} is empty.|Nothing in {line}.|There is no X in {line}.|{line} is completely blank.": lambda line, *_: (
        not any(line)
    ),
    "Is {line} full?|Is {line} completely filled?|Is {line} all X?|Is all of {line} filled?|{line} is full."
    "|{line} is all X.|Every cell of {line} is filled.|{line} has five Xs.": lambda line, *_: all(line),
    "Are there any Xs in {line}?|Is there an X anywhere in {line}?|Is there anything in {line}?"
    "|Does {line} contain an X?|{line} is not empty.|{line} has at least one X.": lambda line, *_: any(line),
    "Does {line} have {number} Xs?|Are there exactly {number} Xs in {line}?|{line} has {number} Xs."
    "|There are exactly {number} Xs in {line}.": lambda line, _, at, __: sum(line) == at,
    "Is the {ordinal} cell of {line} filled?|Is there an X in the {ordinal} cell of {line}?"
    "|Does {line} have an X in {other} {place}?|In {line}, is {other} {place} filled?|{line}, {other} {place}: X?"
    "|The {ordinal} cell of {line} is filled.|There is an X in {line}, {other} {place}.": lambda line, _, at, __: line[
        at
    ],
    "Is the {ordinal} cell in {line} empty?|Is {other} {place} of {line} empty?"
    "|The {ordinal} cell of {line} is empty.|{line} has no X in {other} {place}.": lambda line, _, at, __: not line[at],
    "Is {line} empty except for the {ordinal} cell?|Is only the {ordinal} cell of {line} filled?"
    "|{line} has only one X, in the {ordinal} cell.|{line} is empty apart from the {ordinal} cell.": is_only_filled,
    "Is {line} full except for the {ordinal} cell?|Are all cells of {line} filled apart from the {ordinal}?"
    "|{line} is full except for the {ordinal} cell.|All cells of {line} but the {ordinal} are filled.": is_only_empty,
    "Are {line} and {line2} the same?|Is {line} identical to {line2}?|{line} and {line2} are the same."
    "|{line} looks exactly like {line2}.": lambda line, other, *_: line == other,
    "Does {line} have more Xs than {line2}?|{line} has more Xs than {line2}.|{line2} has fewer Xs than {line}."
    "|There are more filled cells in {line} than in {line2}.": lambda line, other, *_: sum(line) > sum(other),
    "Do {line} and {line2} have the same number of Xs?|{line} has as many Xs as {line2}."
    "|{line} has the same number of Xs as {line2}.": lambda line, other, *_: sum(line) == sum(other),
    "Are both {line} and {line2} empty?|{line} and {line2} are empty.|Neither {line} nor {line2} has any X.": (
        lambda line, other, *_: not any((*line, *other))
    ),
    "Does {line} have at least two Xs?|{line} has at least two Xs.": lambda line, *_: sum(line) >= 2,
    "Does {line} have more than three Xs?|{line} has more than three Xs.": lambda line, *_: sum(line) > 3,
    "Are there fewer than two Xs in {line}?|{line} has fewer than two Xs.": lambda line, *_: sum(line) < 2,
    "Are the first two cells of {line} filled?|{line} begins with two Xs.": lambda line, *_: line[0] and line[1],
    "Are the last two cells in {line} empty?|The last two cells in {line} are empty.": lambda line, *_: (
        not (line[3] or line[4])
    ),
    "Does {line} have just two?|{line} has just two.": lambda line, *_: sum(line) == 2,
    "Does {line} have one lone cross?|{line} has one lone cross.": lambda line, *_: sum(line) == 1,
    "Is the only empty row the {ordinal} one?|The only empty row is the {ordinal} one.": lambda _, __, at, grid: (
        [number for number, row in enumerate(grid) if not any(row)] == [at]
    ),
    "Is the only full column the {ordinal}?|The only full column is the {ordinal}.": lambda _, __, at, grid: (
        [number for number, column in enumerate(columns(grid)) if all(column)] == [at]
    ),
    "Does {line} start with an X?|{line} starts with an X.": lambda line, *_: line[0],
    "Does {line} end with an X?|Does {line} end in an X?|{line} ends with an X.": lambda line, *_: line[-1],
    "Are both ends of {line} filled?|{line} has an X at both ends.": lambda line, *_: line[0] and line[-1],
    "Is the first X in {line} in {other} {place}?|The first X in {line} is in {other} {place}.": (
        lambda line, _, at, __: line[at] and not any(line[:at])
    ),
}
ABOUT_GRID: dict[str, Truth] = {
    "Is the top left corner filled?|The top left corner is filled.": lambda grid: grid[0][0],
    "Are all four corners filled?|All corners are filled.": lambda grid: all(among(CORNERS, grid)),
    "Is any corner filled?|At least one corner is filled.": lambda grid: any(among(CORNERS, grid)),
    "Are the corners empty?|No corner is filled.|All four corners are empty.": lambda grid: (
        not any(among(CORNERS, grid))
    ),
    "Is one of the four corners filled?|One of the four corners is filled.|Exactly one corner is filled.": (
        lambda grid: sum(among(CORNERS, grid)) == 1
    ),
    "Is the centre filled?|Is there an X in the middle cell?|The centre is filled.": lambda grid: grid[2][2],
    "Is the very middle of the grid empty?|The middle cell is empty.": lambda grid: not grid[2][2],
    "Is any row full?|One of the rows is full.": lambda grid: any(map(all, grid)),
    "Is there a full column?|There is a full column.": lambda grid: any(map(all, columns(grid))),
    "Are there any empty rows?|At least one row is empty.": lambda grid: not all(map(any, grid)),
    "Does every row have at least one X?|Every row has at least one X.": lambda grid: all(map(any, grid)),
    "Is there a column without any X?|There is a column without any X.": lambda grid: not all(map(any, columns(grid))),
    "Are more than ten cells filled?|More than ten cells are filled.": lambda grid: sum(map(sum, grid)) > 10,
    "Are there more empty cells than filled ones?": lambda grid: sum(map(sum, grid)) <= 12,
    "Is the whole border filled?|All cells on the border are filled.": lambda grid: all(among(RING, grid)),
    "Is the border empty?|The border is empty.": lambda grid: not any(among(RING, grid)),
    "Is the inner 3x3 square empty?|The inner 3x3 square is empty.": lambda grid: not any(among(INSIDE, grid)),
    "Is the diagonal from top left to bottom right full?|The diagonal from top left to bottom right is full.": (
        lambda grid: all(grid[at][at] for at in range(SIZE))
    ),
    "Is the other diagonal, from top right to bottom left, filled?": lambda grid: all(
        grid[at][-1 - at] for at in range(SIZE)
    ),
    "Are the top and bottom rows the same?|The top row and the bottom row are the same.": lambda grid: (
        grid[0] == grid[4]
    ),
    "Is it symmetric from left to right?": lambda grid: all(row == row[::-1] for row in grid),
    "Is it symmetrical top to bottom, but not left to right?|It is symmetrical top to bottom, not left to right.": (
        lambda grid: grid == grid[::-1] and any(row != row[::-1] for row in grid)
    ),
    "Is the outer ring filled?|The outer ring is filled.": lambda grid: all(among(RING, grid)),
    "Is the outer ring blank?|The outer ring is blank.": lambda grid: not any(among(RING, grid)),
    "Is there any cross on the edge of the grid?": lambda grid: any(among(RING, grid)),
    "Is only one of the corners filled?": lambda grid: sum(among(CORNERS, grid)) == 1,
    "Is only the top left corner filled?": lambda grid: grid[0][0] and sum(map(sum, grid)) == 1,
    "Is there an empty 3 by 3 area?|Is there a 3 by 3 blank square?|There is a 3 by 3 blank square.": lambda grid: any(
        not any(any(row[left : left + 3]) for row in grid[top : top + 3]) for top in range(3) for left in range(3)
    ),
    "Is everything blank in the inner 3x3?": lambda grid: not any(among(INSIDE, grid)),
}
CASES = [(text, truth) for texts, truth in (*ABOUT_LINES.items(), *ABOUT_GRID.items()) for text in texts.split("|")]


class Words:
    """The words that stand for lines and places, and whether a text with them is true of a grid."""

    def __init__(self, rng: Random) -> None:
        self.axis, self.at = rng.choice(["row", "column"]), rng.randrange(SIZE)
        self.lines = rng.sample(range(SIZE), 2)
        axis = self.axis
        options = [(f"{axis} {at + 1}", f"the {ORDINALS[at]} {axis}", *NAMES[axis].get(at, ())) for at in self.lines]
        self.names = [rng.choice(names) for names in options]

    def fill(self, text: str) -> str:
        across = "column" if self.axis == "row" else "row"
        words = {"line": self.names[0], "line2": self.names[1], "other": across, "place": self.at + 1}
        full = text.format(**words, ordinal=ORDINALS[self.at], number=NUMBERS[self.at])
        return full[0].upper() + full[1:]

    def is_true(self, truth: Truth, text: str) -> bool:
        grid = cells_of(text)
        if truth in ABOUT_GRID.values():
            return truth(grid)
        table = grid if self.axis == "row" else columns(grid)
        return truth(*(table[at] for at in self.lines), self.at, grid)


@pytest.mark.parametrize(("text", "truth"), [case for case in CASES if case[0].endswith("?")])
def test_no_question_is_answered_falsely(text: str, truth: Truth) -> None:
    for seed in range(10):
        rng = Random(f"{text}{seed}")
        words, grid = Words(rng), rng.choice(GRIDS)
        answer = partner(grid).answer(words.fill(text))
        wrong = "No" if words.is_true(truth, grid) else "Yes"
        assert not answer.startswith(wrong), f"{words.fill(text)} {answer}\n{grid}"


@pytest.mark.parametrize(("text", "truth"), [case for case in CASES if not case[0].endswith("?")])
def test_a_listener_picks_no_other_grid_than_the_only_one_that_fits(text: str, truth: Truth) -> None:
    for seed in range(20):
        rng = Random(f"{text}{seed}")
        words, grids = Words(rng), rng.sample(GRIDS, 3)
        fitting = [number for number, grid in enumerate(grids) if words.is_true(truth, grid)]
        picks = {find_best_sight(words.fill(text), list(map(make_sight, grids)), Random(chance)) for chance in range(4)}
        assert len(fitting) != 1 or fitting[0] in picks, words.fill(text) + "\n" + "\n\n".join(grids)
