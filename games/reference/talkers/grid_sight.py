"""What a scripted player sees of a grid: what it looks like, its rows, columns, diagonals, corners, counts and cells.

An expression is read as claims about these; each claim that is so counts one, one that is nearly so a little less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNERS, SIZE, Cell, Grid, parse_grid
from games.reference.talkers.facts import Fact

ORDINALS = ("first", "second", "third", "fourth", "fifth")
DIAGONALS = {
    "the diagonal from top left to bottom right": grids.MAIN_DIAGONAL,
    "the diagonal from top right to bottom left": grids.ANTI_DIAGONAL,
}
NUMBERS = {word: number for number, word in enumerate("no one two three four five six seven eight nine ten".split())}
Line = tuple[str, int]
"""("row" or "column", number from 0)."""


class GridSight:
    """One grid."""

    noun = "grid"

    def __init__(self, text: str) -> None:
        self.grid = parse_grid(text)

    def facts(self) -> Iterator[Fact]:
        """Yield what it looks like, whole and empty lines, diagonals, corners, how many are filled, lines, cells."""
        if name := grids.pattern_name(self.grid):
            yield Fact(("name", name), name)
        for filled in (True, False):
            for what in ("row", "column"):
                for number in range(SIZE):
                    if set(_line(self.grid, (what, number))) == {filled}:
                        state = "full" if filled else "empty"
                        yield Fact((what, number, filled), f"the {ORDINALS[number]} {what} {state}")
        for name, cells in DIAGONALS.items():
            if all(self.grid[cell] for cell in cells):
                yield Fact(("cells", cells, True), f"{name} filled")
        for name, cell in (*CORNERS.items(), ("centre", CENTRE)):
            where = f"the {name} corner" if cell != CENTRE else "the cell in the centre"
            yield Fact(("cells", (cell,), self.grid[cell]), f"{where} {_state(self.grid[cell])}")
        yield Fact(("count", self.grid.count), f"{self.grid.count} filled cells", laborious=True)
        for row, column in CELLS:
            said = f"row {row + 1}, column {column + 1} {_state(self.grid[row, column])}"
            yield Fact(("cells", ((row, column),), self.grid[row, column]), said, laborious=True)

    def holds(self, fact: Fact) -> bool:
        """Say whether a fact is so of this grid."""
        kind, *rest = fact.key
        if kind == "name":
            return grids.pattern_name(self.grid) == str(rest[0])
        if kind == "count":
            return self.grid.count == int(rest[0])
        if kind == "cells":
            return all(self.grid[cell] == rest[1] for cell in rest[0])
        return set(_line(self.grid, (kind, rest[0]))) == {rest[1]}

    def without(self, fact: Fact) -> str | None:
        """Return None: a grid is told by what it has; of any two grids that is enough."""
        return None

    def fit(self, expression: str, among: Sequence[Any]) -> float:
        """Return how many claims of an expression are so of this grid."""
        return sum(claim(self.grid) for claim in claims(expression))


def _state(filled: bool) -> str:
    return "filled" if filled else "empty"


def _line(grid: Grid, line: Line) -> tuple[bool, ...]:
    return grid.rows[line[1]] if line[0] == "row" else grid.column(line[1])


# Reading

Claim = Callable[[Grid], float]
"""How far something said is so of a grid, from 0 to 1."""

_FILLED = r"filled|full|solid|complete|completely filled|black|dark|marked|x's|xs|all x|coloured|colored"
_EMPTY = r"empty|blank|white|unfilled|clear|not filled|open|missing|absent|without any"
_STATE = re.compile(rf"\b(?:(?P<empty>{_EMPTY}|no x)|(?P<filled>{_FILLED}|x))\b")
_SYMBOLS = re.compile(r"[Xx▢□■O_.#](?:[\s|/,;]*[Xx▢□■O_.#]){24}")
_REPLACED = (
    (r"\b(?:second|2nd|two|one|next|last but one)(?: to| from the| from)? (?:the )?(?:last|bottom|right)\b", "#4"),
    (r"\b(?:second|2nd) (?:from the )?(?:top|left)\b", "#2"),
    (r"\b(\d)(?:st|nd|rd|th)\b", r"#\1"),
    *((rf"\b{word}\b", f"#{number}") for number, word in enumerate(ORDINALS, 1)),
    (r"\b(?:top(?:most)?|upper(?:most)?) row\b", "#1 row"),
    (r"\b(?:bottom(?:most)?|lowest|lower|last) row\b", "#5 row"),
    (r"\b(?:left(?:most|[- ]hand)?) column\b", "#1 column"),
    (r"\b(?:right(?:most|[- ]hand)?|last) column\b", "#5 column"),
    (r"\b(?:middle|cent(?:re|er|ral)) (row|column)\b", r"#3 \1"),
    (r"\b(?:top(?:most)?|upper(?:most)?) and (?:the )?(?:bottom(?:most)?|lower) rows\b", "#1 and #5 rows"),
    (
        r"\b(row|column)(s?\b[^.;]*?\b(?:except|but|apart from|besides|other than)(?: for)?(?: the)? #\d)"
        r"(?!\d|\s*(?:row|col|,|and))",
        r"\1\2 \1",
    ),
    (r"\bleft(?:most)? and (?:the )?right(?:most)? columns\b", "#1 and #5 columns"),
)
_LISTED = r"(?:\s*(?:(?:,|and|&|or|the)\s*)+)?"  # blanks match in one place only: else many commas never end
_SUBJECT = re.compile(
    rf"(?P<ordinals>#\d(?:{_LISTED}#\d)*)\s*(?P<a>row|column)s?\b"
    rf"|\b(?P<b>row|column)s?\s*#?(?P<numbers>\d\b(?:{_LISTED}#?\d\b)*)"
    r"|\b(?:all|every|each)(?: of)?(?: the)?(?: five)? (?P<all>row|column)s?\b"
)
_CELL = re.compile(r"\brow\s*#?(\d)\W*(?:and )?column\s*#?(\d)|\((\d)\s*,\s*(\d)\)")
_CORNER = re.compile(r"\b(top|upper|bottom|lower)[- ](left|right)\b(?!\s+to\b)")
_COUNT = re.compile(
    r"\b(?P<n>\d+|[a-z]+) (?:of the \d+ )?(?:(?P<state>filled|full|black|dark|empty|blank) )?"
    r"(?P<what>cells?|squares?|x's|xs|rows?|columns?)\b"
)
_OF_A_LINE = re.compile(r"(?:row|column)s? (?:has|have|with|is|contains?|of)(?: \w+)? $")
"""Before a number of cells: how many a row has is not how many the grid has."""
_LETTER = re.compile(
    r"\bletter ['\"“]?([A-Za-z])\b|\b([B-HJ-WYZ])\b(?!,)|\b(?:an?|the|big|large) (X)\b(?! (?:in|at|on|cell|mark)|[-'’])"
    r"|\b([A-Z])[- ]shape|\b(?:an|like an?) ['\"“]?([A-Z])\b"
)
_FROM_TO = re.compile(
    r"(top|upper|bottom|lower)[- ](left|right)(?: corner)? to (?:the )?(top|upper|bottom|lower)[- ](left|right)"
)
_BETWEEN = 60
"""Characters between a line and what is said of it."""


def claims(expression: str) -> list[Claim]:
    """Read an expression as claims; words that are not understood make none."""
    text = expression.casefold()
    if symbols := _SYMBOLS.search(expression):
        told = [sign in "Xx■#" for sign in re.findall(r"\S", re.sub(r"[|/,;]", " ", symbols[0]))]
        return [lambda grid: 5 * sum(a == grid[cell] for a, cell in zip(told, CELLS, strict=False)) / len(CELLS)]
    found = [*_names(expression), *_diagonals(text)]
    for old, new in _REPLACED:
        text = re.sub(old, new, text)
    text, cells = _take_cells(text)
    found += [*cells, *_lines(text), *_counts(text)]
    if re.search(r"\b(?:rest|remaining|everything else|nothing else|all other|all the other|other cells)\b", text):
        named = {cell for claim in found if isinstance(claim, Patch) and claim.filled for cell in claim.cells}
        found.append(_only(frozenset(named)))
    return found


@dataclass(frozen=True)
class Patch:
    """Cells said to be filled or empty: counts 1 when all are, else half the share that are."""

    cells: tuple[Cell, ...]
    filled: bool

    def __call__(self, grid: Grid) -> float:
        share = sum(grid[cell] == self.filled for cell in self.cells) / len(self.cells)
        return 1.0 if share == 1 else share / 2


def _only(named: frozenset[Cell]) -> Claim:
    """The rest is empty: the share of cells named or filled that are both."""

    def so(grid: Grid) -> float:
        filled = {*grid.filled}
        return 2 * len(named & filled) / max(1, len(named | filled)) if named else 0.0

    return so


def _take_cells(text: str) -> tuple[str, list[Claim]]:
    """Read single cells, corners and the centre, and leave the text without the cells."""
    found: list[Claim] = []
    for match in _CELL.finditer(text):
        row, column = (int(number) - 1 for number in match.groups() if number)
        if row < SIZE and column < SIZE:
            found.append(_cells([(row, column)], _said_of(text, match.span())))
    text = _CELL.sub(" ", text)
    straight = _FROM_TO.sub(" ", text)
    for match in _CORNER.finditer(straight):
        down = "top" if match[1] in ("top", "upper") else "bottom"
        found.append(_cells([CORNERS[f"{down} {match[2]}"]], _said_of(straight, match.span())))
    if corners := re.search(r"\b(?:all|four)(?: the)?(?: four)? corners\b", straight):
        found.append(_cells(list(CORNERS.values()), _said_of(straight, corners.span())))
    if centre := re.search(r"\b(?:cent(?:re|er|ral)|middle)\b(?! (?:row|column))", straight):
        found.append(_cells([CENTRE], _said_of(straight, centre.span())))
    return text, found


def _cells(cells: Sequence[Cell], filled: bool | None) -> Claim:
    return Patch(tuple(cells), filled is not False)


def _said_of(text: str, span: tuple[int, int]) -> bool | None:
    """Return whether what stands at a span is said to be filled or empty: in the word before it, else after it."""
    before = re.search(rf"(?:{_STATE.pattern})[- ](?:the |cells? (?:in|at) (?:the )?)?$", text[: span[0]])
    state = before or _STATE.search(re.split(r"[.;]", text[span[1] : span[1] + _BETWEEN])[0])
    return None if state is None else state["filled"] is not None


@dataclass
class Said:
    """Lines as an expression speaks of them: filled, empty, or (None) nothing was said that is understood."""

    lines: list[Line]
    filled: bool | None
    only: bool
    excepted: bool
    every: bool


def _lines(text: str) -> list[Claim]:
    """Read what is said of rows and columns; lines joined by "and" share what is said of the last of them."""
    said = _about_lines(text)
    for one, following in reversed(list(pairwise(said))):
        if one.filled is None and not following.excepted:
            one.filled = following.filled
    apart = [line for one in said if one.excepted for line in one.lines]
    found: list[Claim] = []
    before = True
    for one in said:
        filled = one.filled if one.filled is not None else not before if one.excepted else True
        before = filled
        mine = [line for line in one.lines if not (one.every and line in apart)]
        found += [_whole(line, filled) for line in mine]
        if one.only:
            others = [(what, number) for what, _ in mine[:1] for number in range(SIZE) if (what, number) not in mine]
            found += [_not_whole(line, filled) for line in others]
    return found


def _about_lines(text: str) -> list[Said]:
    subjects = list(_SUBJECT.finditer(text))
    ends = [*(match.start() for match in subjects[1:]), len(text)]
    found = []
    for match, end in zip(subjects, ends, strict=False):
        leading, following = text[: match.start()], text[match.end() : end]
        before = re.search(rf"(?:{_STATE.pattern})[- ](?:one |line )?(?:in |at )?(?:the )?$", leading)
        after = _STATE.search(re.split(r"[.;,]| but | and (?:the |an? )?(?:filled|full|empty|x)", following)[0])
        state = before or after
        found.append(
            Said(
                _numbered(match),
                None if state is None else state["filled"] is not None,
                re.search(r"\b(?:only|just)(?: the)?(?: \w+)?\s*$", leading) is not None,
                re.search(r"\b(?:except|but|besides|apart from|other than)\b[^.;,]{0,12}$", leading) is not None,
                match["all"] is not None,
            )
        )
    return found


def _numbered(match: re.Match[str]) -> list[Line]:
    if match["all"]:
        return [(match["all"], number) for number in range(SIZE)]
    what = match["a"] or match["b"]
    numbers = [int(digit) for digit in re.findall(r"\d", match["ordinals"] or match["numbers"])]
    return [(what, number - 1) for number in numbers if 1 <= number <= SIZE]


def _whole(line: Line, filled: bool) -> Claim:
    what, at = line
    return Patch(tuple((at, n) if what == "row" else (n, at) for n in range(SIZE)), filled)


def _not_whole(line: Line, filled: bool) -> Claim:
    return lambda grid: float(_whole(line, filled)(grid) < 1)


def _counts(text: str) -> list[Claim]:
    """Read how many cells are filled or empty, and how many rows or columns are full or empty."""
    found: list[Claim] = []
    for match in _COUNT.finditer(text):
        number = int(match["n"]) if match["n"].isdecimal() else NUMBERS.get(match["n"])
        if number is None or _OF_A_LINE.search(text[: match.start()]):
            continue
        filled = match["state"] not in ("empty", "blank")
        if not match["what"].startswith(("row", "column")):
            found.append(_of_cells(number, filled))
        elif match["state"]:
            found.append(_of_lines("row" if match["what"].startswith("row") else "column", number, filled))
    return found


def _of_cells(number: int, filled: bool) -> Claim:
    return lambda grid: _near(grid.count if filled else len(CELLS) - grid.count, number)


def _of_lines(what: str, number: int, filled: bool) -> Claim:
    return lambda grid: float(sum(set(_line(grid, (what, n))) == {filled} for n in range(SIZE)) == number)


def _near(is_so: int, said: int) -> float:
    return 1.0 if is_so == said else max(0.0, 0.6 - abs(is_so - said) / 10)


def _diagonals(text: str) -> list[Claim]:
    """Read the two long diagonals."""
    found = [
        DIAGONALS[f"the diagonal from top {left} to bottom {right}"]
        for left, right in (("left", "right"), ("right", "left"))
        if any(
            match[2] == (left if match[1] in ("top", "upper") else right) and match[2] != match[4]
            for match in _FROM_TO.finditer(text)
        )
    ]
    if re.search(r"\banti-?diagonal|\bsecondary diagonal", text):
        found.append(grids.ANTI_DIAGONAL)
    if re.search(r"\bmain diagonal|\bprimary diagonal", text):
        found.append(grids.MAIN_DIAGONAL)
    if re.search(r"\bboth (?:the )?(?:long |main )?diagonals", text):
        found += [grids.MAIN_DIAGONAL, grids.ANTI_DIAGONAL]
    return [_cells(list(cells), True) for cells in dict.fromkeys(found)]


def _names(expression: str) -> list[Claim]:
    """Read what a grid is said to look like: a letter, or a shape by its known name."""
    found: list[Claim] = []
    expression = re.sub(r"\b(?:one|an?) (?:single |long )?diagonal(?: line)?\b", "a diagonal line", expression)
    for match in _LETTER.finditer(expression):
        letter = next(group for group in match.groups() if group).upper()
        found.append(_alike([pattern.grid for pattern in grids.patterns("letters") if pattern.name[-1] == letter]))
    text = re.sub(r"\bcross\b", "plus sign", expression.casefold())
    for family in ("shapes", "diagonals"):
        by_name: dict[str, list[Grid]] = {}
        for pattern in grids.patterns(family):
            by_name.setdefault(pattern.name, []).append(pattern.grid)
        for name, alike in by_name.items():
            short = re.sub(r"^(?:an?|one|two|three) ", "", name)
            wanted = name if family == "diagonals" else short
            if re.search(rf"\b{re.escape(wanted)}s?\b", text):
                found.append(_alike(alike))
    return found


def _alike(patterns: list[Grid]) -> Claim:
    """A grid that is one of these counts 1, one that is near less by every cell."""
    return lambda grid: max((1 - grids.hamming(grid, other) / 12 for other in patterns), default=0.0)
