"""Talking about a 5x5 grid: what a text says about it, and what to say, ask and decide.

Whatever is said becomes claims: so many of these cells are filled. A claim holds of a grid or it does not; the partner
decides `different` when something the other said does not hold of the own grid. What is not understood is no claim.
To find a question it imagines grids that are a little or wholly unlike its own, drops those that what was said rules
out, and asks what would give away most of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, zip_longest
from random import Random

from games.common.grids import (
    ANTI_DIAGONAL,
    CELLS,
    CENTRE,
    CORNERS,
    FILLED,
    MAIN_DIAGONAL,
    SIZE,
    TRANSFORMS,
    Cell,
    Grid,
    bits_of,
    collect_facts,
    count_components,
    flip_cells,
    grid_of,
    hamming,
    nearest_pattern_name,
    parse_grid,
    pattern_name,
    patterns,
    symmetries,
    turn_180,
)
from games.matchit.talkers.line_talk import told
from games.matchit.talkers.utterances import Decision, Utterance
from games.matchit.words import READ, count_word, counted, listed, number, ordinal, sentences, tokens

NTH = ("first", "second", "third", "fourth", "fifth")
ROWS = tuple(tuple((row, i) for i in range(SIZE)) for row in range(SIZE))
COLUMNS = tuple(tuple((i, column) for i in range(SIZE)) for column in range(SIZE))
BORDER = tuple(cell for cell in CELLS if 0 in cell or SIZE - 1 in cell)
INNER = tuple(cell for cell in CELLS if cell not in BORDER)


# Claims


@dataclass(frozen=True)
class Count:
    """Between `low` and `high` of these cells are filled."""

    cells: tuple[Cell, ...]
    low: int
    high: int

    @cached_property
    def _bits(self) -> int:
        return bits_of(self.cells)

    def holds(self, grid: Grid) -> bool:
        """Whether this is so in a grid."""
        return self.low <= (grid.bits & self._bits).bit_count() <= self.high


@dataclass(frozen=True)
class Claim:
    """Something said about a grid: true when all counts of at least one reading hold, and all tests pass."""

    readings: tuple[tuple[Count, ...], ...] = ((),)
    test: str = ""
    """A claim of another sort: `letter P`, `symmetric left to right`, `pieces 2`; `not ` in front for its opposite."""

    def holds(self, grid: Grid) -> bool:
        """Whether this is so in a grid."""
        if self.test:
            return _passes(self.test, grid)
        return any(all(count.holds(grid) for count in reading) for reading in self.readings)

    def denied(self) -> Claim | None:
        """The opposite, None when it cannot be said simply."""
        if self.test:
            return Claim(test=self.test.removeprefix("not ") if self.test.startswith("not ") else f"not {self.test}")
        if len(self.readings) != 1 or len(self.readings[0]) != 1:
            return None
        count = self.readings[0][0]
        if count.low == 0:
            return Claim(((replace(count, low=count.high + 1, high=len(count.cells)),),))
        if count.high == len(count.cells):
            return Claim(((replace(count, low=0, high=count.low - 1),),))
        below, above = replace(count, low=0, high=count.low - 1), replace(count, low=count.high + 1, high=99)
        return Claim(((below,), (above,)))


def _passes(test: str, grid: Grid) -> bool:
    if test.startswith("not letter"):
        return True  # what one takes for a letter another does not
    if test == "not symmetric ":
        return len(symmetries(grid)) < len(TRANSFORMS)
    if test.startswith("not "):
        return not _passes(test.removeprefix("not "), grid)
    what, _, which = test.partition(" ")
    if what == "letter":
        return any(hamming(grid, p.grid) <= 6 for p in patterns("letters") if p.name.endswith(which))
    if what == "symmetric":
        over = Grid(tuple(zip(*grid.rows, strict=True)))
        diagonally = grid in (over, turn_180(over))
        return any(which in name for name in symmetries(grid)) if which else diagonally or bool(symmetries(grid))
    if what == "pieces":
        return int(which) in (count_components(grid), _touching(grid))
    if what in ("full", "empty"):
        line, _, n = which.partition(" ")
        return len(_such(grid, what, line)) == int(n)
    return True


def _such(grid: Grid, what: str, line: str) -> list[int]:
    """The rows or columns that are full or empty, from 0."""
    wanted = SIZE if what == "full" else 0
    lines = ROWS if line == "row" else COLUMNS
    return [i for i, cells in enumerate(lines) if sum(grid[cell] for cell in cells) == wanted]


def _touching(grid: Grid) -> int:
    """Into how many groups the filled cells fall when cells that meet at a corner count as connected."""
    left = list(grid.filled)
    groups = 0
    while left:
        groups += 1
        edge = [left.pop()]
        while edge:
            row, column = edge.pop()
            near = [cell for cell in left if abs(cell[0] - row) <= 1 and abs(cell[1] - column) <= 1]
            left = [cell for cell in left if cell not in near]
            edge += near
    return groups


ECHO = 0.7
"""What a question is worth that the partner has just asked: it is a little dull to throw it back."""


# Reading: which part of the grid


@dataclass(frozen=True)
class Region:
    """A part of the grid that a text names. `vague` parts may be meant otherwise by someone else."""

    name: str
    cells: tuple[Cell, ...]
    kind: str
    index: int = 0
    vague: tuple[tuple[Cell, ...], ...] = ()

    @property
    def plural(self) -> bool:
        """Whether its name is a plural."""
        return self.name.endswith("s") and self.kind in ("corners", "cells", "inner", "half")


def row_region(i: int) -> Region:
    """A row, from 0."""
    return Region(f"row {i + 1}", ROWS[i], "row", i)


def column_region(i: int) -> Region:
    """A column, from 0."""
    return Region(f"column {i + 1}", COLUMNS[i], "column", i)


def cell_region(row: int, column: int) -> Region:
    """A cell, from 0; corners and the centre by their names."""
    for name, cell in CORNERS.items():
        if cell == (row, column):
            return Region(f"the {name} corner", (cell,), "cell")
    if (row, column) == CENTRE:
        return Region("the centre cell", (CENTRE,), "cell")
    return Region(f"row {row + 1}, column {column + 1}", ((row, column),), "cell")


GRID = Region("the grid", CELLS, "grid")
MAIN = Region("the diagonal from the top left to the bottom right", MAIN_DIAGONAL, "diagonal")
ANTI = Region("the diagonal from the top right to the bottom left", ANTI_DIAGONAL, "diagonal", 1)
_SIDES = ("top", "bottom", "left", "right")


@dataclass(frozen=True)
class Item:
    """A piece of a clause: kind R (regions), S (places within a row or column), N (a number), ... and its value."""

    kind: str
    regions: tuple[Region, ...] = ()
    numbers: tuple[int, ...] = ()
    word: str = ""


class GridScan:
    """Turns the tokens of one sentence into items."""

    def __init__(self, found: list[str]) -> None:
        self.tokens = found
        self.at = 0

    def items(self) -> list[Item]:
        """Scan the sentence."""
        made: list[Item] = []
        while self.at < len(self.tokens):
            start = self.at
            item = self._part() or self._word()
            if self.at == start:
                self.at += 1
            if item:
                made.append(item)
        return _joined(made)

    def _see(self, *wanted: str, ahead: int = 0) -> bool:
        i = self.at + ahead
        return self.tokens[i : i + len(wanted)] == list(wanted)

    def _token(self, ahead: int = 0) -> str:
        i = self.at + ahead
        return self.tokens[i] if 0 <= i < len(self.tokens) else ""

    def _part(self) -> Item | None:
        for reader in (self._diagonal, self._lines, self._selector, self._corners, self._areas, self._pair):
            start = self.at
            item = reader()
            if item:
                return item
            self.at = start
        return None

    # rows and columns

    def _lines(self) -> Item | None:
        """`row 2`, `rows 1, 3 and 5`, `columns 2 to 4`, `the first two rows`, `the top and bottom row`."""
        if self._token() in ("row", "column") or (self._token() == "line" and number(self._token(1))):
            line = "column" if self._token() == "column" else "row"
            self.at += 1
            if self._token() == "number":
                self.at += 1
            indices = self._numbers()
            if not indices:
                return None
            return self._line_item(line, indices)
        places = self._places()
        if places:
            n = number(self._token())
            if n and self._token(1) in ("row", "column"):
                self.at += 1
            else:
                n = None
            line = self._line_word()
            if line:
                return self._line_item(line, self._indices(line, places, n))
        return None

    def _line_word(self) -> str:
        """Take `row` or `column`; also `line` after a place, which is one or the other by the place."""
        word = self._token()
        if word in ("row", "column"):
            self.at += 1
            return word
        return ""

    def _line_item(self, line: str, indices: list[int] | None) -> Item | None:
        if not indices:
            return None
        if self._see("from", "bottom") or self._see("from", "right"):
            self.at += 2
            indices = [SIZE + 1 - i for i in indices]
        elif self._see("from", "top") or self._see("from", "left"):
            self.at += 2
        if any(not 1 <= i <= SIZE for i in indices):
            return Item("OUT", word=line)
        make = row_region if line == "row" else column_region
        return Item("R", tuple(make(i - 1) for i in indices))

    def _numbers(self) -> list[int]:
        """A list or a range of numbers: `1`, `1, 3 and 5`, `2 to 4`, `2-4`."""
        found: list[int] = []
        n = number(self._token())
        while n is not None:
            self.at += 1
            found.append(n)
            last = number(self._token(1))
            if self._token() in ("to", "-", "through") and last is not None and n < last <= SIZE:
                found += range(n + 1, last + 1)
                self.at += 2
            step = self._joint()
            n = number(self._token(step)) if step else None
            if n is not None and self._counts_cells(step):
                n = None
            if n is not None:
                self.at += step
        return found

    def _counts_cells(self, step: int) -> bool:
        """Whether the number after a joint counts something: `row 1 and 2 filled cells`."""
        return self._token(step + 1) in ("filled", "x", "empty", "cell")

    def _joint(self) -> int:
        """How many tokens join two parts of a list here: `,`, `and`, `, and`, `or`, `&`."""
        if self._token() in (",", "and", "or", "&", "/"):
            return 2 if self._token(1) in ("and", "or") else 1
        return 0

    def _places(self) -> list[str]:
        """A list of ordinals and sides: `first`, `first, second and last`, `top and bottom`, `middle`."""
        found: list[str] = []
        step = 0
        while True:
            token = self._token(step)
            if ordinal(token) is None and token not in ("last", "middle", *_SIDES):
                return found
            self.at += step + 1
            if self._see("last") and ordinal(token) == 2:
                self.at += 1
                token = "o4"
            elif self._see("to", "last") and ordinal(token) == 2:
                self.at += 2
                token = "o4"
            if self._see("most"):
                self.at += 1
            found.append(token)
            step = self._joint()
            if not step:
                return found

    def _indices(self, line: str, places: list[str], n: int | None) -> list[int] | None:
        """The numbers, from 1, of places in a line of five; None when a place makes no sense there."""
        first, last = ("top", "bottom") if line == "row" else ("left", "right")
        found: list[int] = []
        for place in places:
            nth = ordinal(place)
            if nth is not None:
                found += [nth] if not (n and nth == 1) else range(1, n + 1)
            elif place == "middle":
                found += [3] if n != 3 else [2, 3, 4]
            elif place == first:
                found += range(1, (n or 1) + 1)
            elif place in (last, "last"):
                found += range(SIZE + 1 - (n or 1), SIZE + 1)
            else:
                return None
        return found

    # places within a row or a column, corners

    def _selector(self) -> Item | None:
        """`the middle cell`, `cells 2 and 4`, `the first three cells`, `the last cell`: numbers to apply to a line."""
        if self._token() == "cell":
            self.at += 1
            found = self._numbers()
            return Item("S", numbers=tuple(found)) if found and self._line_follows_or_ends() else None
        if self._see("both", "end"):
            self.at += 2
            return Item("S", numbers=(1, SIZE))
        if self._token() == "end" and self._token(1) in ("of", "in"):
            self.at += 1
            return Item("S", numbers=(1, SIZE))
        places = self._places()
        if not places:
            return None
        n = number(self._token())
        if n and self._token(1) == "cell":
            self.at += 1
        elif n:
            n = None
        if any(place in _SIDES for place in places) and not self._line_after():
            return None
        if places == ["middle"] and n is None and not self._line_after():
            return None
        named = self._token() == "cell"
        if named:
            self.at += 1
        elif self._token() in ("filled", "x", "empty") and self._token(1) == "cell":
            return None
        numbers: list[int] = []
        for place in places:
            line = "column" if place in ("left", "right") else "row"
            numbers += self._indices(line, [place], n) or []
        if not numbers or any(not 1 <= i <= SIZE for i in numbers):
            return None
        return Item("S" if named or self._line_after() else "O", numbers=tuple(numbers))

    def _line_after(self) -> bool:
        """Whether `[n] [cell] of the ... row` follows, so that a place is a place within that line."""
        i = self.at
        while i < len(self.tokens) and (number(self.tokens[i]) is not None or self.tokens[i] == "cell"):
            i += 1
        if i >= len(self.tokens) or self.tokens[i] not in ("of", "in", "on", "from"):
            return False
        rest = self.tokens[i + 1 : i + 5]
        return any(token in ("row", "column", "line") for token in rest)

    def _line_follows_or_ends(self) -> bool:
        return True

    def _corner_name(self) -> str:
        """`top left` or `left top` in two tokens, also with a hyphen."""
        a, gap = self._token(), 1
        if self._token(1) == "-":
            gap = 2
        b = self._token(gap)
        if a in ("top", "bottom") and b in ("left", "right"):
            self.at += gap + 1
            return f"{a} {b}"
        if a in ("left", "right") and b in ("top", "bottom"):
            self.at += gap + 1
            return f"{b} {a}"
        return ""

    def _corners(self) -> Item | None:
        if self._token() in ("all", "both"):
            self.at += 1
        if number(self._token()) == 4 and self._token(1) == "corner":
            self.at += 1
        if self._token() == "corner":
            self.at += 1
            return Item("R", (Region("the four corners", tuple(CORNERS.values()), "corners"),))
        name = self._corner_name()
        if name:
            if self._token() in (
                "half",
                "part",
                "area",
                "quadrant",
                "quarter",
                "region",
                "side",
                "#2",
                "#3",
                "triangle",
            ):
                self.at += 1
                return Item("VAGUE")
            for word in ("corner", "cell"):
                if self._token() == word:
                    self.at += 1
            return Item("R", (cell_region(*CORNERS[name]),))
        if self._token() in _SIDES:
            sides = [self._token()]
            self.at += 1
            step = self._joint()
            if step and self._token(step) in _SIDES and self._token(step + 1) == "corner":
                sides.append(self._token(step))
                self.at += step + 1
            if number(self._token()) == 2 and self._token(1) == "corner":
                self.at += 1
            if self._token() == "corner":
                self.at += 1
                cells = tuple(c for n, c in CORNERS.items() if any(side in n for side in sides))
                return Item("R", (Region(f"the {listed(sides)} corners", cells, "corners"),))
        return None

    def _diagonal(self) -> Item | None:
        """A diagonal with its direction, before or after the word."""
        if number(self._token()) is not None and self._token(1) == "diagonal":
            self.at += 2
            return Item("DIAGONAL")
        if "diagonal" not in self.tokens[self.at : self.at + 4] or self._token() not in (
            "diagonal",
            "main",
            "anti",
            "other",
            "both",
        ):
            if not self._corner_to_corner():
                return None
            return self._finish_diagonal(self._ends())
        if self._see("both", "diagonal"):
            self.at += 2
            return Item("R", (MAIN, ANTI))
        if self._token() in ("main", "anti", "other"):
            which = self._token()
            self.at += 2 if self._token(1) == "diagonal" else 3
            return Item("R", (MAIN if which == "main" else ANTI,))
        self.at += 1
        for word in ("line", "cell", "going", "running", "goes", "runs", "from"):
            while self._token() == word:
                self.at += 1
        if self._corner_to_corner():
            return self._finish_diagonal(self._ends())
        return Item("DIAGONAL")

    def _corner_to_corner(self) -> bool:
        start = self.at
        first = self._corner_name()
        while first and self._token() == "corner":
            self.at += 1
        joined = bool(first) and self._token() in ("to", "-")
        if joined:
            self.at += 1
        second = self._corner_name() if joined else ""
        self.at = start
        return bool(second) and not set(first.split()) & set(second.split())

    def _ends(self) -> str:
        first = self._corner_name()
        while self._token() in ("corner", "to", "-"):
            self.at += 1
        self._corner_name()
        return first

    def _finish_diagonal(self, first: str) -> Item:
        for word in ("corner", "diagonal", "line"):
            if self._token() == word:
                self.at += 1
        return Item("R", (MAIN if first in ("top left", "bottom right") else ANTI,))

    # larger parts

    def _areas(self) -> Item | None:
        token = self._token()
        if token in _SIDES and self._token(1) in ("border", "side", "half", "part"):
            line, index = ("row", 0 if token == "top" else 4), 0
            cells = ROWS[line[1]] if token in ("top", "bottom") else COLUMNS[0 if token == "left" else 4]
            wide = tuple(
                c
                for c in CELLS
                if (c[0] < 2 if token == "top" else c[0] > 2 if token == "bottom" else False)
                or (c[1] < 2 if token == "left" else c[1] > 2 if token == "right" else False)
            )
            border = self._token(1) == "border"
            self.at += 2
            if border:
                make = row_region if token in ("top", "bottom") else column_region
                return Item("R", (make(0 if token in ("top", "left") else 4),))
            kind = "rows" if token in ("top", "bottom") else "columns"
            return Item("R", (Region(f"the two {token} {kind}", wide, "half", index, vague=(cells,)),))
        if token == "middle":
            self.at += 1
            centre = cell_region(*CENTRE)
            if self._token() == "cell":
                self.at += 1
                return Item("R", (centre,))
            return Item("R", (replace(centre, vague=(INNER,)),))
        if token in ("border", "outer"):
            self.at += 1
            while self._token() in ("border", "cell", "ring", "of", "square") and not self._see("of", "row"):
                self.at += 1
            return Item("R", (Region("the border", BORDER, "border"),))
        if token == "inner":
            self.at += 1
            while self._token() in ("cell", "part", "area", "#3", "#9", "x", "by", "border"):
                self.at += 1
            return Item("R", (Region("the inner 3 by 3 cells", INNER, "inner"),))
        if token in ("grid", "total"):
            self.at += 1
            return Item("R", (GRID,))
        return None

    def _pair(self) -> Item | None:
        """`(2, 3)`: a cell by row and column."""
        if self._token() == "(" and self._token(2) in (",", "/") and self._token(4) == ")":
            row, column = number(self._token(1)), number(self._token(3))
            if row and column and row <= SIZE and column <= SIZE:
                self.at += 5
                region = cell_region(row - 1, column - 1)
                return Item("R", (replace(region, vague=(((column - 1, row - 1),),)),))
        return None

    # words

    def _word(self) -> Item | None:
        token = self._token()
        if (
            self._see("at", "least")
            or self._see("more", "than")
            or self._see("at", "most")
            or self._see("less", "than")
        ):
            self.at += 2
            return Item("CMP", word=f"{token} {self._token(-1)}")
        if self._see("fewer", "than"):
            self.at += 2
            return Item("CMP", word="less than")
        self.at += 1
        if token.startswith("<"):
            return Item("CELLS", numbers=tuple(int(mark) for mark in token[1:-1]))
        n = number(token)
        if n is not None:
            if n == 5 and self._token() in ("x", "by") and self._token(1) == "#5":
                self.at += 2
                return None
            return Item("N", numbers=(n,))
        if ordinal(token) is not None:
            return Item("O", numbers=(ordinal(token) or 0,))
        if token in ("except", "besides", "apart") or (token == "but" and self._token(-2) == "all"):
            return Item("EXCEPT")
        if token in ("filled", "x", "empty", "full", "all", "not", "only", "other", "any", "some", "both"):
            return Item(token.upper())
        if token in ("is", "has", "with", ":"):
            return Item("HAS", word=token)
        if token in (",", "and", "but", "&"):
            return Item("SEP", word=token)
        if token in ("row", "column"):
            return Item("?" if self._see("of") else "LINE", word=token)
        if token in ("which", "what", "where", "how"):
            return Item("WHAT", word=token)
        if token in ("cell", "there", "in", "on", "at", "of", "to", "from", "just", "(", ")", "-"):
            return Item("SMALL", word=token)
        return Item("?", word=token)


def _joined(items: list[Item]) -> list[Item]:
    """Make cells of `row 2, column 3`, apply `the middle cell of` to the row that follows, drop small words."""
    made: list[Item] = []
    one_cell = False
    for item in items:
        if item.kind == "SMALL":
            one_cell = item.word in ("cell", "in", "at") and (one_cell or item.word == "cell")
            one_cell = one_cell and not (made and made[-1].kind in ("FILLED", "X", "EMPTY"))
            if made and made[-1].kind == "S":
                made.append(item)
            continue
        joint = made[-1:] if not made or made[-1].kind != "SEP" else made[-2:-1]
        comma = not made or made[-1].kind != "SEP" or made[-1].word == "," or one_cell
        if item.kind == "R" and joint and joint[0].kind == "R" and comma:
            cell = _crossing(joint[0].regions, item.regions)
            if cell:
                if made[-1].kind == "SEP":
                    made.pop()
                made[-1] = Item("R", cell)
                continue
        if item.kind == "R" and len(made) > 1 and made[-1].kind == "SMALL" and made[-2].kind == "S":
            chosen = _within(made[-2].numbers, item.regions)
            if chosen:
                made[-2:] = [Item("R", chosen)]
                continue
        made.append(item)
    return [item for item in made if item.kind != "SMALL"]


def _crossing(first: tuple[Region, ...], second: tuple[Region, ...]) -> tuple[Region, ...]:
    """The cells where rows and columns cross; none unless one side is rows and the other columns."""
    kinds = {first[0].kind, second[0].kind}
    if kinds != {"row", "column"} or (len(first) > 1 and len(second) > 1):
        return ()
    rows, columns = (first, second) if first[0].kind == "row" else (second, first)
    return tuple(cell_region(row.index, column.index) for row in rows for column in columns)


def _within(numbers: Sequence[int], regions: Sequence[Region]) -> tuple[Region, ...]:
    """The cells at these places of a row (from the left) or column (from the top)."""
    lines = [region for region in regions if region.kind in ("row", "column")]
    return tuple(cell_region(*line.cells[n - 1]) for line in lines for n in numbers if 1 <= n <= SIZE)


# Reading: what is claimed


@dataclass(frozen=True)
class GridQuery:
    """What a question asks about: `kind` of question, the regions named, what a `yes` would claim."""

    kind: str
    regions: tuple[Region, ...] = ()
    line: str = ""
    claims: tuple[Claim, ...] = ()
    of: str = "filled"


LETTER = re.compile(r"(?:letter|capital)\s+[\"'“‘]?([A-Za-z])\b|\blike\s+(?:an?\s+)?[\"'“‘]?([A-Z])\b")


def claims_in(text: str, query: GridQuery | None = None) -> list[Claim]:
    """Everything a text claims about the grid it speaks of. `query` is the question it answers, if it answers one."""
    text = text[:READ]
    found: list[Claim] = []
    words = _spelled_rows(tokens(text))
    if query:
        words, said = _yes_or_no(words, query)
        found += said
    for letter in LETTER.finditer(text):
        before = text[: letter.start()].casefold()[-30:]
        if not re.search(r"\b(not|no|n't|isnt|almost|nearly|bit|kind|sort|half)\b", before):
            found.append(Claim(test=f"letter {(letter[1] or letter[2]).upper()}"))
    asked = query.regions if query and query.kind == "read" else ()
    kinds = {region.kind for region in asked}
    if kinds in ({"row"}, {"column"}):
        lines = told(words, kinds.pop(), tuple(region.index for region in asked))
    else:
        lines = told(words)
    for i, line in lines.lines.items():
        cells = (ROWS if lines.line == "row" else COLUMNS)[i]
        found.append(Claim((tuple(Count((cells[place],), bit, bit) for place, bit in sorted(line.items())),)))
    words = lines.rest
    whole = _whole_grid(words)
    if whole:
        return [*found, whole]
    for sentence in sentences(words):
        found += _counts_per_line(sentence, query) or Reading(GridScan(sentence).items(), query).claims()
    rest = _rest(words, found)
    return [*found, *rest]


def _spelled_rows(words: list[str]) -> list[str]:
    """Make a row of marks of five cells that are spelled out: `filled, empty, empty, empty and filled`."""
    made: list[str] = []
    i = 0
    while i < len(words):
        cells: list[str] = []
        j = i
        while j < len(words) and len(cells) <= SIZE:
            if words[j] in ("x", "filled", "empty"):
                cells.append("0" if words[j] == "empty" else "1")
            elif not cells or words[j] not in (",", "and", "-", "cell"):
                break
            j += 1
        if len(cells) == SIZE:
            made.append(f"<{''.join(cells)}>")
            i = j
        else:
            made.append(words[i])
            i += 1
    return made


def _yes_or_no(words: list[str], query: GridQuery) -> tuple[list[str], list[Claim]]:
    """Take a leading yes or no off an answer; what it claims."""
    head = words[0] if words else ""
    following = words[1] if len(words) > 1 else "."
    if head == "yes":
        return words[1:], list(query.claims)
    if head == "not" and following in (",", ".", "!", ";", "-", "there", "but", "not", "only", "it"):
        denied = [claim.denied() for claim in query.claims]
        return words[1:], [claim for claim in denied if claim] if len(denied) == 1 else []
    if head == "right" and following in (",", ".", "!"):
        return words[1:], list(query.claims)
    return words, []


def _whole_grid(words: list[str]) -> Claim | None:
    """Five rows of marks, pasted: the whole grid."""
    rows = [word for word in words if word.startswith("<")]
    if len(rows) < SIZE or "column" in words or len(rows) > SIZE:
        return None
    counts = [
        Count(((row, column),), int(mark), int(mark))
        for row, word in enumerate(rows)
        for column, mark in enumerate(word[1:-1])
    ]
    return Claim((tuple(counts),))


def _counts_per_line(sentence: list[str], query: GridQuery | None) -> list[Claim]:
    """`the rows have 3, 1, 1, 3 and 1 filled cells`: five numbers in a row, one for each line."""
    numbers = [number(token) for token in sentence]
    for i in range(len(sentence)):
        run: list[int] = []
        j = i
        while j < len(sentence):
            n = numbers[j]
            if n is not None and n <= SIZE:
                run.append(n)
            elif sentence[j] not in (",", "and", "-", "/", "&"):
                break
            j += 1
        if len(run) == SIZE:
            before = [token for token in sentence[:i] if token in ("row", "column")]
            line = before[-1] if before else query.line if query and query.kind == "each" else ""
            empty = "empty" in sentence and "filled" not in sentence
            if query and query.kind == "each" and query.of == "empty" and "filled" not in sentence:
                empty = True
            if not line:
                return []
            lines = ROWS if line == "row" else COLUMNS
            return [_exactly(cells, SIZE - n if empty else n) for cells, n in zip(lines, run, strict=True)]
    return []


def _exactly(cells: tuple[Cell, ...], n: int) -> Claim:
    return Claim(((Count(cells, n, n),),))


def _rest(words: list[str], found: list[Claim]) -> list[Claim]:
    """`everything else is empty`: what was not said to be filled is empty."""
    for i, word in enumerate(words):
        if word == "other" and "empty" in words[i + 1 : i + 5] and words[i + 1 : i + 2] != ["row"]:
            if words[i + 1 : i + 2] == ["column"] or "corner" in words[i + 1 : i + 3]:
                continue
            return _nothing_else(found)
    return []


def _nothing_else(found: list[Claim]) -> list[Claim]:
    """The rest of the grid is empty, or of the one line spoken of; nothing when what was said leaves cells open."""
    counts = [count for claim in found if not claim.test for count in claim.readings[0]]
    if not counts or any(count.high and count.low < len(count.cells) for count in counts):
        return []
    touched = {cell for count in counts if count.high for cell in count.cells}
    within = [line for line in (*ROWS, *COLUMNS) if touched <= set(line)] + [CELLS]
    readings = tuple(tuple(cell for cell in part if cell not in touched) for part in within)
    return [Claim(tuple((Count(rest, 0, 0),) for rest in readings))]


class Reading:
    """Reads the items of one sentence as clauses, each a value said of regions."""

    def __init__(self, items: list[Item], query: GridQuery | None = None) -> None:
        self.items = items
        self.query = query
        self.regions: tuple[Region, ...] = ()
        self.value = ""
        self.made: list[Claim] = []

    def claims(self) -> list[Claim]:
        """All claims of the sentence."""
        for clause in self._clauses():
            self._read(clause)
        return self.made

    def _clauses(self) -> Iterator[list[Item]]:
        """Split at `but`, and at commas and `and` where what stands before is already whole."""
        clause: list[Item] = []
        for i, item in enumerate(self.items):
            following = self.items[i + 1] if i + 1 < len(self.items) else None
            if item.kind == "SEP":
                strong = item.word == "but"
                if (strong and clause) or (clause and _is_whole(clause) and following and following.kind != "SEP"):
                    continues = following and following.kind in ("O", "S") and clause[-1].kind in ("O", "S")
                    if not continues:
                        yield clause
                        clause = []
                        continue
            clause.append(item)
        if clause:
            yield clause

    def _read(self, clause: list[Item]) -> None:
        kinds = [item.kind for item in clause]
        if "VAGUE" in kinds or "OUT" in kinds or "WHAT" in kinds:
            return
        if self._other_sorts(clause):
            return
        regions = tuple(region for item in clause if item.kind == "R" for region in item.regions)
        inherited = not regions
        if len({region.kind for region in regions}) > 1:
            regions = tuple(region for region in regions if region.kind != "grid")
        if "EXCEPT" in kinds:
            self._all_but(clause, regions)
            return
        lines = self._lines_by_ordinal(clause) if not regions else ()
        if not regions:
            regions = lines or self._context(clause)
        regions = regions if lines else self._select(clause, regions)
        if regions and not (inherited and not self.regions):
            self.regions = regions
        value = _value(clause)
        if not value and not inherited and self.value and not {"?", "NOT", "HAS"} & set(kinds):
            value = self.value
        if self.query and not value and "?" not in kinds and len(kinds) <= 2:
            value = self._short(kinds, self.query)
        if self._about_lines(clause) or not value:
            return
        self.value = value
        self._claim(value, clause, regions)

    def _other_sorts(self, clause: list[Item]) -> bool:
        """`two separate groups`, `symmetric from left to right`."""
        said = {item.word for item in clause if item.kind == "?"}
        kinds = [item.kind for item in clause]
        if said & {"group", "separate", "piece", "part"}:
            numbers = [n for item in clause if item.kind == "N" for n in item.numbers]
            if len(numbers) == 1 and "CMP" not in kinds and "NOT" not in kinds:
                self.made.append(Claim(test=f"pieces {numbers[0]}"))
            return True
        if "symmetric" in said:
            side = "left" if {"left", "right"} & said else "top" if {"top", "bottom"} & said else ""
            self.made.append(Claim(test=f"{'not ' if 'NOT' in kinds else ''}symmetric {side}"))
            return True
        return False

    def _all_but(self, clause: list[Item], regions: tuple[Region, ...]) -> None:
        """`row 1 is filled except the last cell`: the rest is so, and what is excepted is not."""
        at = next(i for i, item in enumerate(clause) if item.kind == "EXCEPT")
        main = tuple(region for item in clause[:at] if item.kind == "R" for region in item.regions) or self.regions
        out = tuple(region for item in clause[at:] if item.kind == "R" for region in item.regions)
        numbers = [n for item in clause[at:] if item.kind in ("S", "O") for n in item.numbers]
        out = out or _within(numbers, main)
        value = _value(clause[:at]) or self.value
        main = main or self._context(clause)
        if not value and self.query:
            value = self._short([item.kind for item in clause[:at]], self.query)
        if value not in ("full", "filled", "empty") or not main or not out:
            return
        excepted = {cell for region in out for cell in region.cells}
        for region in main:
            kept = tuple(cell for cell in region.cells if cell not in excepted)
            if len(kept) < len(region.cells):
                self.made.append(_exactly(kept, 0 if value == "empty" else len(kept)))
        if all(len(region.cells) == 1 for region in out):
            self.made.append(_exactly(tuple(sorted(excepted)), len(excepted) if value == "empty" else 0))

    def _short(self, kinds: list[str], query: GridQuery) -> str:
        """`all of them`, `none`: the value the question asked for."""
        if query.kind not in ("read", "count", "check"):
            return ""
        filled = query.of == "filled"
        if "ALL" in kinds and "NOT" not in kinds:
            return "full" if filled else "empty"
        if "NOT" in kinds and "ALL" not in kinds and "HAS" not in kinds and query.kind != "check":
            return "empty" if filled else "full"
        return ""

    def _lines_by_ordinal(self, clause: list[Item]) -> tuple[Region, ...]:
        """`three in the first row, two in the second`: the second row."""
        ordinals = [n for item in clause if item.kind == "O" for n in item.numbers]
        if not ordinals or not self.regions or self.regions[0].kind not in ("row", "column"):
            return ()
        if not self.value.startswith("count") or not any(item.kind == "N" for item in clause):
            return ()
        make = row_region if self.regions[0].kind == "row" else column_region
        return tuple(make(n - 1) for n in ordinals if n <= SIZE)

    def _context(self, clause: list[Item]) -> tuple[Region, ...]:
        """The regions a clause without any speaks of: those of the clause before, or of the question."""
        if self.regions:
            return self.regions
        if self.query and self.query.regions:
            return self.query.regions
        return ()

    def _select(self, clause: list[Item], regions: tuple[Region, ...]) -> tuple[Region, ...]:
        """Apply `the first and the last (cell)` or `columns 2 and 4` to the row it is said of."""
        numbers = [n for item in clause if item.kind in ("S", "O") for n in item.numbers]
        if numbers and len(regions) == 1 and regions[0].kind in ("row", "column"):
            chosen = _within(numbers, regions)
            if chosen and any(item.kind == "ONLY" for item in clause):
                self.made.append(_exactly(regions[0].cells, len(chosen)))
            return chosen or regions
        rows = [region for region in regions if region.kind == "row"]
        columns = [region for region in regions if region.kind == "column"]
        if rows and columns and min(len(rows), len(columns)) == 1 and len(rows) + len(columns) == len(regions):
            if any(item.kind in ("X", "FILLED", "EMPTY") for item in clause) and _shape(clause) == "R V R":
                return _crossing(tuple(rows), tuple(columns))
        return regions

    def _about_lines(self, clause: list[Item]) -> bool:
        """`two full rows`, `no row is empty`, `no empty columns`: a claim about how many lines are such."""
        line = next((item.word for item in clause if item.kind == "LINE"), "")
        kinds = [item.kind for item in clause]
        what = "empty" if "EMPTY" in kinds else "full" if {"FULL", "FILLED"} & set(kinds) else ""
        if line and what and not {"CMP", "?", "R"} & set(kinds):
            numbers = [item.numbers[0] for item in clause if item.kind == "N"]
            none = "NOT" in kinds and kinds.index("NOT") < kinds.index("LINE")
            if none or (numbers and "NOT" not in kinds and ("FULL" in kinds or what == "empty")):
                self.made.append(Claim(test=f"{what} {line} {0 if none else numbers[0]}"))
        return bool(line)

    def _claim(self, value: str, clause: list[Item], regions: tuple[Region, ...]) -> None:
        kinds = [item.kind for item in clause]
        if value == "cells":
            bits = next((item.numbers for item in clause if item.kind == "CELLS"), ())
            if bits and len(regions) == 1 and regions[0].kind in ("row", "column", "diagonal"):
                counts = tuple(Count((cell,), bit, bit) for cell, bit in zip(regions[0].cells, bits, strict=True))
                self.made.append(Claim((counts,)))
            return
        if not regions:
            if not value.startswith("count") or ("X" not in kinds and "FILLED" not in kinds and "EMPTY" not in kinds):
                return
            regions = (GRID,)
        if "ONLY" in kinds and value == "filled" and regions[0].kind not in ("row", "column", "grid"):
            inside = {cell for region in regions for cell in region.cells}
            if not self.made:
                self.made.append(_exactly(tuple(c for c in CELLS if c not in inside), 0))
        if "OTHER" in kinds:
            return
        if value.startswith("count") and len(regions) > 1:
            self._count_of_many(value, kinds, regions)
            return
        for region in regions:
            claim = _claim_of(value, region)
            if claim and not (region.kind == "grid" and "?" in kinds and not value.startswith("count")):
                self.made.append(claim)

    def _count_of_many(self, value: str, kinds: list[str], regions: tuple[Region, ...]) -> None:
        """`rows 1 and 3 have two filled cells`: each of them, or both together; whichever was meant."""
        together = tuple(sorted({cell for region in regions for cell in region.cells}))
        whole = _claim_of(value, Region("", together, "cells"))
        each = [_claim_of(value, region) for region in regions]
        if whole and all(each):
            one = tuple(count for claim in each if claim for count in claim.readings[0])
            readings = (one,) if "ALL" in kinds or "BOTH" in kinds else (one, whole.readings[0])
            self.made.append(Claim(readings))


def _shape(clause: list[Item]) -> str:
    """The order of regions and values in a clause, as in `R V R`."""
    marks: list[str] = []
    for item in clause:
        mark = "R" if item.kind == "R" else "V" if item.kind in ("X", "FILLED", "EMPTY") else ""
        if mark and marks[-1:] != [mark]:
            marks.append(mark)
    return " ".join(marks)


def _is_whole(clause: list[Item]) -> bool:
    kinds = {item.kind for item in clause}
    return bool(kinds & {"X", "FILLED", "EMPTY", "FULL", "CELLS", "N"})


def _value(clause: list[Item]) -> str:
    """What a clause says of its regions: `full`, `filled`, `empty`, `some`, `count 3 3 filled`, `cells`, `not full`."""
    kinds = [item.kind for item in clause]
    if "CELLS" in kinds:
        return "cells"
    negated = "NOT" in kinds
    numbers = _counting(clause)
    things = [kind for kind in kinds if kind in ("X", "FILLED", "EMPTY")]
    only = "ONLY" in kinds
    if numbers:
        n = numbers[0]
        compare = next((item.word for item in clause if item.kind == "CMP"), "")
        low, high = _bounds(n, compare)
        if negated:
            return ""
        of = "empty" if things[:1] == ["EMPTY"] else "filled"
        return f"count {low} {high} {of}"
    if "FULL" in kinds and "EMPTY" not in kinds:
        return "not full" if negated else "full"
    if not things and "ANY" in kinds and "R" in kinds and not negated:
        return "some"
    if not things:
        return "none" if negated and "HAS" in kinds and len(kinds) <= 3 else ""
    if "X" in kinds or "FILLED" in kinds:
        thing = "filled"
    else:
        thing = "empty"
    has = any(item.kind == "HAS" and item.word in ("has", "with") for item in clause)
    if negated:
        if "ALL" in kinds or "FULL" in kinds:
            return "not full" if thing == "filled" else "not empty"
        return _no(clause, thing)
    if "ANY" in kinds or "SOME" in kinds:
        return "some" if thing == "filled" else "some empty"
    if _shape(clause) == "V R" and not {"ALL", "ONLY", "SEP"} & set(kinds) and _in_a_line(clause):
        return "some" if thing == "filled" else "some empty"
    if has and not only and _shape(clause) != "R V R" and "ALL" not in kinds and "FULL" not in kinds:
        return "some" if thing == "filled" else "some empty"
    return thing


def _counting(clause: list[Item]) -> list[int]:
    """The numbers of a clause that count cells, those right before `filled` or `X` first; `two lines` counts none."""
    found: list[int] = []
    for item, following in zip_longest(clause, clause[1:]):
        if item.kind == "N" and following and following.kind in ("X", "FILLED", "EMPTY"):
            found.insert(0, item.numbers[0])
        elif item.kind == "N" and not (following and following.kind in ("?", "LINE", "DIAGONAL")):
            found.append(item.numbers[0])
    return found


def _in_a_line(clause: list[Item]) -> bool:
    """Whether the regions of a clause have many cells, so that `an X in row 3` means some of them."""
    return any(region.kind not in ("cell", "corners") for item in clause if item.kind == "R" for region in item.regions)


def _no(clause: list[Item], thing: str) -> str:
    """`no filled cells in row 2` says none; `row 2 is not filled` says not all; one cell is the same either way."""
    kinds = [item.kind for item in clause]
    first = next((i for i, kind in enumerate(kinds) if kind == "NOT"), 0)
    what = next((i for i, kind in enumerate(kinds) if kind in ("X", "FILLED", "EMPTY")), 0)
    before = kinds[:first]
    said_of = "HAS" in before and any(item.kind == "HAS" and item.word == "is" for item in clause[:first])
    if said_of and "R" in before and first < what:
        return f"not {thing}" if thing == "empty" else "not full"
    return "empty" if thing == "filled" else "full"


def _bounds(n: int, compare: str) -> tuple[int, int]:
    if compare == "at least":
        return n, 99
    if compare == "more than":
        return n + 1, 99
    if compare == "at most":
        return 0, n
    if compare == "less than":
        return 0, n - 1
    return n, n


def _claim_of(value: str, region: Region) -> Claim | None:
    """The claim that a value makes of one region, None when it makes none."""
    parts = tuple(dict.fromkeys((region.cells, *region.vague)))
    readings = []
    for cells in parts:
        size = len(cells)
        low, high = {
            "full": (size, size),
            "filled": (size, size),
            "empty": (0, 0),
            "none": (0, 0),
            "not full": (0, size - 1),
            "not filled": (0, size - 1),
            "not empty": (1, size),
            "some": (1, size),
            "some empty": (0, size - 1),
        }.get(value, (-1, -1))
        if value.startswith("count"):
            _, least, most, of = value.split()
            low, high = int(least), min(int(most), size)
            if low > size:
                return None
            if of == "empty":
                low, high = size - high, size - low
        if low < 0:
            return None
        readings.append((Count(cells, low, high),))
    return Claim(tuple(readings))


# Reading: what is asked


def queries(text: str) -> list[GridQuery]:
    """What a text asks, up to three questions of it; `unknown` where it cannot be told."""
    found: list[GridQuery] = []
    letter = LETTER.search(text[:READ])
    for sentence in sentences(_spelled_rows(tokens(text))):
        for part in _parts(sentence):
            found.append(_query(part, letter[1] or letter[2] if letter else ""))
    understood = [query for query in found if query.kind != "unknown"]
    return (understood or found or [GridQuery("unknown")])[:3]


def _parts(sentence: list[str]) -> list[list[str]]:
    """Split `is row 1 full and is row 5 empty`, `how many in row 1, and which corners ...`."""
    parts: list[list[str]] = [[]]
    for i, token in enumerate(sentence):
        starts = (
            token in ("and", ",", "or")
            and sentence[i + 1 : i + 2]
            and sentence[i + 1] in ("is", "how", "which", "what")
        )
        if starts:
            parts.append([])
        elif token != "or" or sentence[i + 1 : i + 2] != ["not"]:
            parts[-1].append(token)
    return [part for part in parts if part]


def _query(words: list[str], letter: str) -> GridQuery:
    said = set(words)
    items = GridScan(words).items()
    regions = tuple(dict.fromkeys(region for item in items if item.kind == "R" for region in item.regions))
    parts = tuple(region for region in regions if region.kind != "grid")
    line = next((item.word for item in items if item.kind == "LINE"), "")
    kinds = {item.kind for item in items}
    of = "empty" if "EMPTY" in kinds and not {"FILLED", "X"} & kinds else "filled"
    if not parts and _asks_for_all_of_it(words):
        return GridQuery("lines one by one", line="column" if "column" in said and "row" not in said else "row")
    if "OUT" in kinds:
        return GridQuery("outside", line=next(item.word for item in items if item.kind == "OUT"))
    if said & {"same", "identical", "equal", "different", "match", "differ"} and not parts:
        return GridQuery("same")
    if "symmetric" in said or "mirrored" in said:
        side = "left" if {"left", "right"} & said else "top" if {"top", "bottom"} & said else ""
        return GridQuery("symmetric", line=side, claims=(Claim(test=f"symmetric {side}"),))
    if ("how" in said and "many" in said) or ("number" in said and not parts) or "count" in said:
        return _how_many(words, items, parts, line, of)
    if said & {"group", "connected", "separate", "touch", "connect"} or ("piece" in said and not parts):
        return GridQuery("pieces", claims=(Claim(test="pieces 1"),) if "connected" in said else ())
    if (line and kinds & {"FULL", "EMPTY", "FILLED"}) or (line and said & {"most", "fewest", "least"}):
        return _about_lines(said, line, kinds)
    if letter and not parts:
        return GridQuery("letter", line=letter.upper(), claims=(Claim(test=f"letter {letter.upper()}"),))
    if "DIAGONAL" in kinds and not parts:
        return GridQuery("diagonals")
    asks = said & {"which", "what", "where", "read", "list", "show", "look"}
    checks = tuple(Reading(items).claims()) if not asks or "CELLS" in kinds else ()
    if checks and (parts or "N" in kinds or "CELLS" in kinds):
        return GridQuery("check", parts or (GRID,), claims=checks, of=of)
    if parts:
        return GridQuery("read", parts, of=of)
    if said & {"letter", "shape", "look", "pattern", "piece", "resemble", "picture", "form", "drawn", "describe"}:
        return GridQuery("looks")
    if line and ("ALL" in kinds or "count" in said):
        return GridQuery("each", line=line)
    if (said & {"where", "which", "list", "read", "show"} and kinds & {"FILLED", "X", "EMPTY"}) or said & {
        "list",
        "read",
    }:
        return GridQuery("all")
    if "more" in said and kinds & {"FILLED", "X", "EMPTY"}:
        return GridQuery("more")
    if "#5" in said or "big" in said or "large" in said or "size" in said:
        return GridQuery("size")
    if kinds & {"FILLED", "X", "EMPTY"}:
        return GridQuery("count", (GRID,), of=of)
    return GridQuery("unknown")


def _asks_for_all_of_it(words: list[str]) -> bool:
    """`read me your whole grid`, `row by row`, `all rows please`, `what is your grid`: each row is to be read out."""
    said = set(words)
    if said & {"how", "many", "number", "count", "symmetric", "mirrored", "same", "different", "most", "fewest"}:
        return False
    if said & {"filled", "x", "empty", "letter", "any", "not", "shape", "pattern"}:
        return "by" in said and bool(said & {"row", "column", "line"}) and "is" not in words[:1]
    if "look" in said and not said & {"all", "full", "by"}:
        return False
    small = {",", "and", "please", "all", "full", "in", "of", "to", "order", "#5", "look", "like", "with", "from"}
    bare = [token for token in words if token not in small]
    for first, second, third in zip(bare, bare[1:], bare[2:], strict=False):
        if second == "by" and first == third and first in ("row", "column", "line"):
            return True
    left = set(bare) - {"read", "show", "list", "what", "is", "give", "paste", "write", "type", "copy", "send", "out"}
    left -= {"print", "spell", "share", "which", "picture", "contents", "content", "by", "one", "#1", "draw"}
    asks = "what" in said or bool(said & {"read", "show", "give", "paste", "write", "type", "copy", "send", "print"})
    if left == {"grid"}:
        return (asks and "is" not in words[:1]) or words[:2] == ["full", "grid"] or words[:2] == ["all", "grid"]
    if left in ({"row"}, {"column"}, {"row", "grid"}, {"column", "grid"}):
        listed_so = "all" in said or "#5" in said or (asks and "grid" in said)
        return listed_so and "is" not in words[:1] and "full" not in said
    return left == {"other"} and len(bare) <= 3


def _how_many(words: list[str], items: list[Item], parts: tuple[Region, ...], line: str, of: str) -> GridQuery:
    said = set(words)
    kinds = [item.kind for item in items]
    if line and not parts and not {"FULL", "EMPTY", "FILLED", "ALL", "X", "N"} & set(kinds):
        return GridQuery("size")
    if line and not parts:
        before = kinds[kinds.index("LINE") - 1] if kinds.index("LINE") else ""
        many = words.index(line) - words.index("many") if "many" in said else 9
        if before == "ALL" or many > 2:
            return GridQuery("each", line=line, of=of)
        what = "empty" if "EMPTY" in kinds else "full"
        return GridQuery("lines", line=line, of=what)
    if "DIAGONAL" in kinds and not parts:
        return GridQuery("diagonals")
    if said & {"group", "separate", "part", "shape", "piece", "line"} and not parts:
        return GridQuery("pieces")
    return GridQuery("count", parts or (GRID,), of=of)


def _about_lines(said: set[str], line: str, kinds: set[str]) -> GridQuery:
    """`is any row full`, `which columns are empty`, `which row has the most`."""
    if "most" in said or said & {"fewest", "least"}:
        return GridQuery("most" if "most" in said else "fewest", line=line)
    if "ALL" in kinds and "how" in said:
        return GridQuery("each", line=line)
    return GridQuery("lines", line=line, of="empty" if "EMPTY" in kinds else "full")


# Saying


def _marks(grid: Grid, cells: tuple[Cell, ...]) -> str:
    return " ".join(FILLED if grid[cell] else "▢" for cell in cells)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def say(grid: Grid, region: Region) -> str:
    """What a region of the grid looks like, as a clause: `row 3 is X ▢ ▢ ▢ X`, `the centre cell is filled`."""
    n, size = sum(grid[cell] for cell in region.cells), len(region.cells)
    if region.kind == "cell":
        return f"{region.name} is {'filled' if n else 'empty'}"
    if region.kind == "corners":
        return _corners(grid, region)
    if region.kind == "grid":
        return f"I have {counted(n, 'filled cell')} altogether"
    verb = "are" if region.plural else "is"
    if n in (0, size):
        return f"{region.name} {verb} {'completely filled' if n else 'empty'}"
    if region.kind in ("row", "column"):
        return f"{region.name} is {_marks(grid, region.cells)}"
    if region.kind == "diagonal":
        return f"{region.name} is {_marks(grid, region.cells)}"
    return how_many(grid, region, "filled")


def how_many(grid: Grid, region: Region, of: str) -> str:
    """How many cells of a region are filled, or empty, as a clause."""
    n = sum(grid[cell] == (of == "filled") for cell in region.cells)
    if region.kind == "grid":
        return f"I have {counted(n, of + ' cell')} altogether"
    if region.kind == "cell":
        return say(grid, region)
    return f"{region.name} {'have' if region.plural else 'has'} {counted(n, of + ' cell')}"


def _corners(grid: Grid, region: Region) -> str:
    names = {cell: name for name, cell in CORNERS.items()}
    filled = [names[cell] for cell in region.cells if grid[cell]]
    empty = [names[cell] for cell in region.cells if not grid[cell]]
    if not empty or not filled:
        number_word = "all four" if len(region.cells) == 4 else "both"
        which = "corners" if len(region.cells) == 4 else region.name.removeprefix("the ")
        return f"{number_word} {which} are {'filled' if filled else 'empty'}"
    return f"{_these(filled)} filled and {_these(empty)} empty"


def _these(names: list[str]) -> str:
    return f"the {listed(names)} {'corner is' if len(names) == 1 else 'corners are'}"


def _lines_such(grid: Grid, what: str, line: str) -> str:
    such = _such(grid, what, line)
    if not such:
        return f"no {line} is {what}"
    if len(such) == SIZE:
        return f"all {line}s are {what}"
    numbers = listed([str(i + 1) for i in such])
    return f"{line if len(such) == 1 else line + 's'} {numbers} {'is' if len(such) == 1 else 'are'} {what}"


def _per_line(grid: Grid, line: str, of: str) -> str:
    lines = ROWS if line == "row" else COLUMNS
    counts = [str(sum(grid[cell] == (of == "filled") for cell in cells)) for cells in lines]
    way = "from top to bottom" if line == "row" else "from left to right"
    return f"{way}, my {line}s have {listed(counts)} {of} cells"


def _appearance(grid: Grid) -> str:
    name, near = pattern_name(grid), nearest_pattern_name(grid)
    if name:
        return f"it looks like {name}"
    if near:
        return f"it looks almost like {near}, but not quite"
    return "it is no letter or shape that I have a name for"


class GridTalker:
    """The scripted partner's sense for a text grid: it knows its own grid only."""

    def __init__(self, grid: str, rng: Random) -> None:
        self.grid = parse_grid(grid)
        self.rng = rng

    # describing

    def describe(self) -> str:
        """Describe the grid in two sentences: what it looks like, how much is filled, and what stands out."""
        name, near, n = pattern_name(self.grid), nearest_pattern_name(self.grid), self.grid.count
        filled = counted(n, "filled cell")
        if name:
            verb = "looks like" if "letter" in name else "shows"
            first = self.rng.choice((f"My grid {verb} {name}; it has {filled}.", f"I see {name}, with {filled}."))
        elif near:
            first = f"My grid looks almost like {near}, but not quite; it has {filled}."
        else:
            first = self.rng.choice((f"My grid has {filled}.", f"In my grid there are {filled}."))
        return f"{first} {_capital(listed(self._standing_out()))}."

    def _standing_out(self) -> list[str]:
        """The two facts that a person would notice first."""
        known = collect_facts(self.grid)
        found = []
        if known.full_rows:
            found.append(_lines_such(self.grid, "full", "row"))
        if known.full_columns:
            found.append(_lines_such(self.grid, "full", "column"))
        if known.empty_rows and known.count:
            found.append(_lines_such(self.grid, "empty", "row"))
        if known.empty_columns and known.count:
            found.append(_lines_such(self.grid, "empty", "column"))
        found = found[:2]
        corners = say(self.grid, Region("the four corners", tuple(CORNERS.values()), "corners"))
        centre = say(self.grid, cell_region(*CENTRE))
        if " and " not in corners:
            found.append(corners)
        found.append(centre)
        if " and " in corners:
            found.append(say(self.grid, Region("the border", BORDER, "border")))
        return found[:2]

    # answering

    def answer(self, question: str) -> str:
        """Answer what is asked about the own grid."""
        answers = [self._answer(query) for query in queries(question)]
        text = " ".join(_capital(one) + ("" if "\n" in one else ".") for one in dict.fromkeys(answers))
        if len(question) > READ:
            text = f"I only read the first {READ} characters of that. {text}"
        return text

    def _answer(self, query: GridQuery) -> str:
        grid = self.grid
        match query.kind:
            case "count":
                return listed([how_many(grid, region, query.of) for region in query.regions])
            case "each":
                return _per_line(grid, query.line, query.of)
            case "lines one by one":
                lines = ROWS if query.line == "row" else COLUMNS
                read = [f"{query.line} {i + 1}: {_marks(grid, cells)}" for i, cells in enumerate(lines)]
                return "\n".join([read[0], *map(_capital, read[1:])])
            case "lines":
                such = _lines_such(grid, query.of, query.line)
                return such if such.startswith("no ") else f"yes, {such}"
            case "most" | "fewest":
                return self._extreme(query.kind, query.line)
            case "read":
                return listed([say(grid, region) for region in query.regions])
            case "check":
                return self._check(query)
            case "symmetric":
                return self._symmetric(query.line)
            case "letter":
                return self._letter(query.line)
            case "looks":
                return _appearance(grid)
            case "pieces":
                return self._pieces()
            case "diagonals":
                return self._diagonals()
            case "all":
                rows = [region for i in range(SIZE) if any(grid.rows[i]) and (region := row_region(i))]
                return listed([say(grid, region) for region in rows]) or "all cells are empty"
            case "more":
                return f"{how_many(grid, GRID, 'filled')}, so {'more' if grid.count > 12 else 'fewer'} than half"
            case "size":
                return f"my grid is {count_word(SIZE)} by {count_word(SIZE)}; {how_many(grid, GRID, 'filled')}"
            case "outside":
                return f"there are only {query.line}s 1 to {SIZE}; {_lines_such(grid, 'full', query.line)}"
            case "same":
                return f"I cannot tell yet, I only see my own; {self._offer()}"
        return f"I am not sure what you mean, but I can tell you this: {self._offer()}"

    def _check(self, query: GridQuery) -> str:
        holds = all(replace(claim, readings=claim.readings[:1]).holds(self.grid) for claim in query.claims)
        cells = [region for region in query.regions if region.kind != "grid"]
        facts_of = [say(self.grid, region) for region in cells or (GRID,)]
        if all(len(region.cells) > 1 for region in query.regions) and self._asked_count(query):
            facts_of = [how_many(self.grid, region, query.of) for region in query.regions]
        return f"{'yes' if holds else 'no'}, {listed(facts_of)}"

    def _asked_count(self, query: GridQuery) -> bool:
        counts = [count for claim in query.claims for reading in claim.readings for count in reading]
        return bool(counts) and all(0 < count.low == count.high < len(count.cells) for count in counts)

    def _extreme(self, kind: str, line: str) -> str:
        counts = collect_facts(self.grid).row_counts if line == "row" else collect_facts(self.grid).column_counts
        wanted = max(counts) if kind == "most" else min(counts)
        lines = [i for i in range(SIZE) if counts[i] == wanted]
        make = row_region if line == "row" else column_region
        return listed([how_many(self.grid, make(i), "filled") for i in lines])

    def _symmetric(self, side: str) -> str:
        ways = {"left": "from left to right", "top": "from top to bottom"}
        has = [way for key, way in ways.items() if any(key in name for name in symmetries(self.grid))]
        asked = [ways[side]] if side else list(ways.values())
        if any(way in has for way in asked):
            return f"yes, it is symmetric {listed([way for way in asked if way in has])}"
        return f"no, it is not symmetric {listed(asked, 'or')}"

    def _letter(self, letter: str) -> str:
        name = pattern_name(self.grid) or ""
        if name == f"the letter {letter}":
            return f"yes, it looks like the letter {letter}"
        near = any(hamming(self.grid, p.grid) <= 2 for p in patterns("letters") if p.name.endswith(letter))
        return f"almost, but it is not quite the letter {letter}" if near else f"no, {_appearance(self.grid)}"

    def _pieces(self) -> str:
        n, loose = count_components(self.grid), _touching(self.grid)
        if n == 1:
            return "yes, it is all one connected group"
        if loose == n:
            return f"there are {n} separate groups"
        return f"no, there are {n} separate groups, or {loose} if those that touch diagonally count as connected"

    def _diagonals(self) -> str:
        full = [region for region in (MAIN, ANTI) if all(self.grid[cell] for cell in region.cells)]
        if full:
            return f"yes, {listed([say(self.grid, region) for region in full])}"
        name = pattern_name(self.grid) or ""
        if "diagonal" in name:
            return f"yes, it looks like {name}, but neither of the two longest diagonals is full"
        return "no, neither of the two longest diagonals is full"

    def _offer(self) -> str:
        return self.rng.choice(self._standing_out())

    # asking and deciding

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask what would give away most of the grids that the partner may have instead, as far as one can imagine."""
        claims = heard(history)
        asked = [entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"]
        doubt = self._doubt(claims, asked)
        if doubt:
            return doubt
        unasked = [q for q in QUESTIONS if not set(q.texts) & set(asked)]
        open_questions = [q for q in unasked if not _settled(q, claims)]
        known = _told_cells(claims)
        open_questions = [q for q in open_questions if _share_told(q, known) < 0.5] or open_questions
        if not open_questions:
            return self._to_be_sure(claims, asked, unasked)
        others = [
            (weight, place)
            for place, (weight, grid) in enumerate(imagined(self.grid))
            if all(claim.holds(grid) for claim in claims)
        ]
        given_away = telling(self.grid)
        theirs = [entry.text for entry in history if entry.speaker == "partner" and entry.kind == "question"]
        gains = []
        for question in open_questions:
            differs = given_away[question]
            gain = sum(weight for weight, place in others if differs[place])
            echo = bool(set(question.texts) & set(theirs))
            gains.append((gain * question.ease * (ECHO if echo else 1), question))
        best = max((gain for gain, _ in gains), default=0.0)
        good = [question for gain, question in gains if gain >= 0.85 * best]
        return self.rng.choice(self.rng.choice(good).texts)

    def _doubt(self, claims: list[Claim], asked: list[str]) -> str:
        """Where the grids differ in one or two cells by what was said, ask once whether that was no slip."""
        known = _told_cells(claims)
        wrong = [cell for cell, filled in known.items() if self.grid[cell] != filled]
        if len(known) < len(CELLS) or not 1 <= len(wrong) <= 2:
            return ""
        doubts = [_sure(cell, known[cell]) for cell in wrong]
        doubts = [text for text in doubts if text not in asked]
        return doubts[0] if doubts else ""

    def _to_be_sure(self, claims: list[Claim], asked: list[str], unasked: list[GridQuestion]) -> str:
        """What to ask when all was told: the total as a check, unless that was said too, then single cells."""
        counted_so = {count.cells for claim in claims for reading in claim.readings for count in reading}
        sums = [q for q in unasked if len(q.cells) == 1 and len(q.cells[0]) > 1 and q.cells[0] not in counted_so]
        if sums:
            return sums[0].texts[0]
        known = _told_cells(claims)
        sure = [text for cell in CELLS if cell in known and (text := _sure(cell, known[cell])) not in asked]
        return self.rng.choice(sure) if sure else "Is there anything special about your grid?"

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide `different` when something that the partner said does not hold of the own grid."""
        return "same" if all(claim.holds(self.grid) for claim in heard(history)) else "different"


def heard(history: Sequence[Utterance]) -> list[Claim]:
    """All claims of the partner about its grid: in its description, and in answers to my questions."""
    found: list[Claim] = []
    asked: GridQuery | None = None
    sure = False
    for entry in history:
        if entry.speaker == "me":
            if entry.kind == "question":
                asked = queries(entry.text)[0]
                sure = entry.text.startswith(_SURE)
        elif entry.kind == "description":
            found += claims_in(entry.text)
        elif entry.kind == "answer":
            said = claims_in(entry.text, asked)
            if sure:
                found = [kept for claim in found if (kept := _corrected(claim, said))]
            found += said
    return found


_SURE = "Are you sure:"


def _sure(cell: Cell, filled: bool) -> str:
    """Ask whether a cell is what it was said to be."""
    return f"{_SURE} is {cell_region(*cell).name} {'filled' if filled else 'empty'}?"


def _corrected(claim: Claim, said: list[Claim]) -> Claim | None:
    """What is left of an earlier claim when single cells were corrected; None when nothing is."""
    known = _told_cells(said)
    if claim.test or len(claim.readings) != 1:
        return claim
    counts = [c for c in claim.readings[0] if len(c.cells) > 1 or c.cells[0] not in known]
    return replace(claim, readings=(tuple(counts),)) if counts else None


def _told_cells(claims: Sequence[Claim]) -> dict[Cell, bool]:
    """The cells that were told for certain."""
    known: dict[Cell, bool] = {}
    for claim in claims:
        for count in claim.readings[0] if len(claim.readings) == 1 else ():
            if count.low == count.high and count.low in (0, len(count.cells)):
                known |= dict.fromkeys(count.cells, count.low > 0)
    return known


def _share_told(question: GridQuestion, known: dict[Cell, bool]) -> float:
    """How much of a question's answer was told already."""
    asked = {cell for cells in question.cells for cell in cells}
    return sum(cell in known for cell in asked) / len(asked)


@dataclass(frozen=True)
class GridQuestion:
    """A question one can ask, and what of a grid the answer gives."""

    texts: tuple[str, ...]
    look: Callable[[Grid], object]
    cells: tuple[tuple[Cell, ...], ...]
    """It is settled when the number of filled cells in each of these is known."""
    ease: float = 1.0
    """How gladly a person answers it: a laborious question has to give away more."""
    reads: int = 0
    """The cells whose reading is the answer, as bits (`_bits`); 0 for a question of another kind."""


def _questions() -> Iterator[GridQuestion]:
    yield GridQuestion(
        (
            "How many filled cells are there in each row, from top to bottom?",
            "Can you count the filled cells of each row for me, from top to bottom?",
        ),
        lambda grid: tuple(map(sum, grid.rows)),
        ROWS,
    )
    yield GridQuestion(
        (
            "How many filled cells are there in each column, from left to right?",
            "Can you count the filled cells of each column for me, from left to right?",
        ),
        lambda grid: tuple(map(sum, zip(*grid.rows, strict=True))),
        COLUMNS,
    )
    for i in range(SIZE):
        yield _read(f"What does the {NTH[i]} row look like, from left to right?", ROWS[i])
        yield _read(f"What does the {NTH[i]} column look like, from top to bottom?", COLUMNS[i])
    for i, j in combinations(range(SIZE), 2):
        yield _read(f"Which cells are filled in rows {i + 1} and {j + 1}?", ROWS[i] + ROWS[j], 0.7)
        yield _read(f"Which cells are filled in columns {i + 1} and {j + 1}?", COLUMNS[i] + COLUMNS[j], 0.7)
    yield _read("Which of the four corners are filled?", tuple(CORNERS.values()))
    yield _read("Is the centre cell filled?", (CENTRE,))
    yield GridQuestion(("How many cells are filled altogether?",), lambda grid: grid.count, (CELLS,))
    yield GridQuestion(
        ("How many cells of the border are filled?",), lambda grid: sum(grid[cell] for cell in BORDER), (BORDER,)
    )


def _read(text: str, cells: tuple[Cell, ...], ease: float = 1.0) -> GridQuestion:
    reads = _bits(grid_of(cells))
    return GridQuestion((text,), lambda grid: _bits(grid) & reads, tuple((cell,) for cell in cells), ease, reads)


def _bits(grid: Grid) -> int:
    """The cells of a grid as one number."""
    return int("".join(["1" if filled else "0" for row in grid.rows for filled in row]), 2)


QUESTIONS: tuple[GridQuestion, ...] = tuple(_questions())


def _settled(question: GridQuestion, claims: list[Claim]) -> bool:
    """Whether what was said already answers a question."""
    known: set[tuple[Cell, ...]] = set()
    for claim in claims:
        if len(claim.readings) == 1:
            for count in claim.readings[0]:
                if count.low == count.high:
                    known.add(count.cells)
                    if count.low in (0, len(count.cells)):
                        known |= {(cell,) for cell in count.cells}
    return all(cells in known or all((cell,) in known for cell in cells) for cells in question.cells)


@cache
def imagined(grid: Grid) -> tuple[tuple[float, Grid], ...]:
    """Grids that a partner may have instead, weighted: turned, one or two cells changed, another pattern."""
    turned = {change(grid) for change in TRANSFORMS.values()}
    edited = [flip_cells(grid, cells) for n in (1, 2) for cells in combinations(CELLS, n)]
    other = [p.grid for family in ("letters", "shapes", "diagonals") for p in patterns(family)]
    found: dict[Grid, float] = {}
    for group in (sorted(turned), edited, other):
        for one in group:
            if one != grid:
                found[one] = found.get(one, 0.0) + 1 / len(group)
    return tuple((weight, one) for one, weight in found.items())


@cache
def telling(grid: Grid) -> dict[GridQuestion, tuple[bool, ...]]:
    """For each question, which of the imagined grids would answer it otherwise (kept: it took 0.1 s at every ask)."""
    others = [other for _, other in imagined(grid)]
    apart = [_bits(other) ^ _bits(grid) for other in others]
    found: dict[GridQuestion, tuple[bool, ...]] = {}
    for question in QUESTIONS:
        if question.reads:
            found[question] = tuple([bool(cells & question.reads) for cells in apart])
        else:
            mine = question.look(grid)
            found[question] = tuple([question.look(other) != mine for other in others])
    return found
