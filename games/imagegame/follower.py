"""How the scripted follower understands commands: clauses with a letter and parts of the grid, drawn one by item.

The parts of a grid are read by `games/common/language/regions.py`. What is not understood changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNERS, EMPTY, SIZE, Cell
from games.common.language.regions import (
    ALL,
    Cells,
    Group,
    Item,
    group_items,
    line_cells,
    read_items,
    with_bare_numbers,
)
from games.common.language.signs import letters_in
from games.imagegame import grid

LONGEST = 1000
"""Characters of a command that are read."""
ERASE = frozenset("delete remove erase clear wipe reset unfill undraw blank".split())
CHANGE = frozenset("replace change turn swap convert recolour switch".split())
UNDO = frozenset("undo revert".split())
FILL = frozenset("fill put place write draw add".split())
LEAVE = frozenset("leave leaving keep skip".split())
MADE_OF = frozenset("with using of from out".split())
BIG = frozenset("letter big large huge giant".split())
DRAW = frozenset("draw make form write".split())
ALTERNATE = frozenset("alternating alternate alternately alternates".split())
DOWN = frozenset("down downwards downward below up upwards upward above vertically vertical".split())
WHOLE_GRID = frozenset("fill clear erase empty wipe reset".split())
HOLLOW = frozenset("hollow outline frame border edge".split())
SOLID = frozenset("solid filled full".split())
UNDRAWN = frozenset("beside adjacent meet meets meeting curve curved".split())
"""Words for forms and relations that are not drawn."""
CHEQUERED = frozenset("checkerboard chequerboard chessboard chequered checkered".split())
STEPS = {"below": (1, 0), "above": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0), "up": (-1, 0)}
Context = tuple[str, tuple[int, ...]]

DrawerState = tuple[str, str, str | None, Cells, Context | None]
"""A `Drawer` as a value; both grids as their 25 signs, row by row."""


def letters_named(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    drawn = [sign for sign in drawing if sign.isascii() and sign.isupper()]
    return tuple(dict.fromkeys([*letters_in(command[:LONGEST]), *drawn]))


@dataclass
class Clause:
    """A part of a command with at most one letter. `lines`: the rows or columns that the sentence is about."""

    items: list[Item]
    letter: str | None = None

    @property
    def words(self) -> frozenset[str]:
        """Its words that name no part of the grid."""
        return frozenset(item.text for item in self.items if not item.is_part)

    @property
    def letters(self) -> list[str]:
        """The letters that it names."""
        return [item.value for item in self.items if item.kind == "letter"]

    def has(self, *kinds: str) -> bool:
        """Return whether one of its items is of one of these kinds."""
        return any(item.kind in kinds for item in self.items)


@dataclass
class Drawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawn: grid.LetterGrid
    before: grid.LetterGrid
    letter: str | None = None
    last: Cells = frozenset()
    context: Context | None = None

    @classmethod
    def begin(cls) -> Drawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse(grid.BLANK_GRID), grid.parse(grid.BLANK_GRID))

    @classmethod
    def of(cls, state: DrawerState) -> Drawer:
        """Return the follower of a state."""
        drawn, before, letter, last, context = state
        grids_by_cell = [dict(zip(CELLS, signs, strict=True)) for signs in (drawn, before)]
        return cls(grids_by_cell[0], grids_by_cell[1], letter, last, context)

    def state(self) -> DrawerState:
        """Return all that it keeps in mind, as a value."""
        return "".join(self.drawn.values()), "".join(self.before.values()), self.letter, self.last, self.context

    def carry_out(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        items = list(read_items(command[:LONGEST]))
        if any(item.text in UNDO for item in items):
            self.drawn, self.before = self.before, self.drawn
            return self.drawn
        if any(item.text == "meant" for item in items) and any(item.is_part for item in items):
            self.drawn = self.before  # "I meant row 2": instead of what was drawn last
        self.before = dict(self.drawn)
        rows = [item.marks for item in items if item.kind == "marks"]
        if len(rows) == SIZE and not any(item.is_part for item in items):
            self._put({(row, at): sign or EMPTY for row, line in enumerate(rows) for at, sign in enumerate(line)})
            return self.drawn
        for sentence in _sentences(with_bare_numbers(items)):
            for clause in _clauses(sentence):
                self._draw(clause)
        return self.drawn

    def _draw(self, clause: Clause) -> None:
        """Draw one clause."""
        at = next((n for n, item in enumerate(clause.items) if item.kind == "except"), 0)
        if any(item.value == "empty" for item in clause.items[:at]) and any(
            i.kind == "letter" for i in clause.items[at:]
        ):
            self._draw(Clause(clause.items[:at]))  # "row 3 is empty except for a K in the middle"
            clause = Clause(clause.items[at + 1 :], clause.letter)
        readers = (self._change, self._spell, self._alternate, self._count_out, self._shape, self._copy, self._move)
        is_relative = any(item.text == "next" and after.kind == "to" for item, after in pairwise(clause.items))
        is_relative |= bool(clause.letter and clause.words & LEAVE and clause.has("rest"))
        if is_relative or clause.words & UNDRAWN or any(draw(clause) for draw in (*readers, self._erase)):
            return
        cells = self._cells(clause)
        starts_only = clause.letter is None and self.letter is None
        letter = clause.letter or self.letter
        if cells and letter and not starts_only:
            self._put(dict.fromkeys(self._first(cells, clause), letter))
        self.letter = letter

    def _put(self, signs: Mapping[Cell, str]) -> None:
        """Change cells."""
        self.drawn = {cell: signs.get(cell, self.drawn[cell]) for cell in CELLS}
        self.last = frozenset(signs)
        self.letter = next((sign for sign in signs.values() if sign != EMPTY), self.letter)

    # ------------------------------------------------------------------ kinds of clauses
    def _change(self, clause: Clause) -> bool:
        """Read "replace every X by Y", "change the C in the corner to a D"."""
        letters = clause.letters
        if len(letters) != 2 or not clause.words & CHANGE:
            return False
        cells = self._cells(clause) or ALL
        self._put({cell: letters[1] for cell in CELLS if cell in cells and self.drawn[cell] == letters[0]})
        return True

    def _spell(self, clause: Clause) -> bool:
        """Read "row 2: ▢ A ▢ ▢ ▢"."""
        marks = next((item.marks for item in clause.items if item.kind == "marks"), None)
        groups = group_items(clause.items)
        if not marks or not groups or len(groups[0].axes) != 1:
            return False
        ((axis, numbers),) = groups[0].axes.items()
        places = [(number, at) if axis == "row" else (at, number) for number in numbers for at in range(SIZE)]
        self._put({place: marks[place[axis == "row"]] or EMPTY for place in places})
        return True

    def _alternate(self, clause: Clause) -> bool:
        """Read "alternating A and B in the top row, starting with B"."""
        letters = list(dict.fromkeys(clause.letters))
        if len(letters) < 2 or not clause.words & ALTERNATE:
            return False
        if any(item.kind == "from" for item in clause.items):
            letters.sort(key=lambda letter: letter != clause.letters[-1])
        axes = {axis for group in group_items(clause.items) for axis in group.axes}
        weights = (axes != {"row"}, axes != {"column"})
        cells = self._cells(clause) or ALL
        self._put({(r, c): letters[(r * weights[0] + c * weights[1]) % len(letters)] for r, c in cells})
        return True

    def _count_out(self, clause: Clause) -> bool:
        """Read "one Q in row 1, two in row 2 and three in row 3, all from the right"."""
        parts = [item for item in clause.items if item.is_part or item.kind in ("number", "side")]
        many = sum(item.kind == "number" for item in parts)
        pairs = list(zip(parts[: 2 * many : 2], parts[1 : 2 * many : 2], strict=False))
        letter, sides = clause.letter or self.letter, parts[2 * many :]
        is_counted = all(number.kind == "number" and len(line.at) == 1 and line.axis for number, line in pairs)
        if many < 2 or len(pairs) < many or not is_counted or not letter or any(side.value == "cell" for side in sides):
            return False
        is_from_end = any(side.value in ("right", "bottom") or side.text in ("right", "bottom") for side in sides)
        lines = [(number.number, sorted(line_cells(line.axis, line.at), reverse=is_from_end)) for number, line in pairs]
        self._put({cell: letter for number, cells in lines for cell in cells[:number]})
        return True

    def _shape(self, clause: Clause) -> bool:
        """Read "a big T", "a plus sign", "a checkerboard", of a letter."""
        letters = clause.letters
        shape = _named_shape(clause)
        if not shape or (not letters and not self.letter):
            return False
        ink = letters[-1] if letters and (clause.words & MADE_OF or len(letters) == 1) else self.letter or letters[0]
        self._put(dict.fromkeys(shape, ink))
        return True

    def _copy(self, clause: Clause) -> bool:
        """Read "the same for the bottom row": what was drawn last, moved to other lines of the same kind."""
        groups = group_items(clause.items)
        is_same = clause.has("same") or (clause.letter is None and bool(clause.words & {"too", "well", "ditto"}))
        if not is_same or not groups or len(groups[-1].axes) != 1 or not self.last or groups[-1].places:
            return False
        ((axis, numbers),) = groups[-1].axes.items()
        at = axis == "column"
        sources = {cell[at] for cell in self.last}
        if len(sources) == SIZE and not clause.has("same"):
            return False
        line = min(sources)
        pattern = {cell[not at]: self.drawn[cell] for cell in self.last if cell[at] == line or len(sources) == SIZE}
        if len(sources) == SIZE:
            pattern = dict.fromkeys(range(SIZE), self.letter or EMPTY)
        letter = clause.letter
        signs = {(n, k) if not at else (k, n): letter or sign for n in numbers for k, sign in pattern.items()}
        self._put(signs)
        return True

    def _move(self, clause: Clause) -> bool:
        """Read "one above that", "two cells below the top right corner", "another one directly to its right"."""
        steps = [(at, step) for at in range(len(clause.items)) if (step := _step(clause.items, at))]
        letter = clause.letter or self.letter
        if not steps or not letter:
            return False
        at, ways = steps[0][0], [steps[0][1]]
        distance = _steps_counted(clause.items[:at])
        for after, other_way in steps[1:]:
            if after == at + 2 and clause.items[at + 1].kind == "and":  # "above and below it"
                at, ways = after, [*ways, other_way]
        base = self._base(clause.items[at + 1 :])
        many = _letters_counted(Clause([item for item in clause.items[: steps[0][0]] if item.text != "more"]))
        steps_away = range(1, many + 1) if many > 1 and len(base) == 1 else [distance]
        moved = {(r + n * down, c + n * right) for r, c in base for down, right in ways for n in steps_away} & ALL
        self._put(dict.fromkeys(moved, EMPTY if clause.words & ERASE else letter))
        return bool(moved)

    def _base(self, items: Sequence[Item]) -> Cells:
        """Return what a move starts from: cells named after it, the letters named there, or what was drawn last."""
        base: Cells = frozenset().union(*[group.cells(self.context) for group in group_items(items)])
        mentioned = next((item.value for item in items if item.kind == "letter"), None)
        with_letter = frozenset(cell for cell in base or CELLS if self.drawn[cell] == mentioned)
        return (with_letter or base) if mentioned else base or self.last

    def _erase(self, clause: Clause) -> bool:
        """Read "clear the bottom row", "remove the X from …", "row 3 is empty", "leave the first column empty"."""
        takes = "take" in clause.words and bool(clause.words & {"away", "off", "out"})
        emptied = takes or (clause.letter is None and (clause.has("value") or bool(clause.words & LEAVE)))
        if not (clause.words & ERASE or emptied or (clause.words & LEAVE and not clause.has("except"))):
            return False
        everything = ALL if clause.letter or clause.has("all") else frozenset()
        cells = (
            self._cells(clause)
            or everything
            or self._drawn_at_side(clause)
            or (self.last if clause.words & {"it", "them", "again"} else frozenset())
        )
        letter = clause.letter
        if clause.has("rest"):
            return False
        self.drawn = {c: EMPTY if c in cells and letter in (None, sign) else sign for c, sign in self.drawn.items()}
        return True

    def _drawn_at_side(self, clause: Clause) -> Cells:
        """Return the letters that "the two at the bottom", "the one on the left" mean: exactly so many, else none."""
        side = next((item for item in clause.items if item.kind == "side"), None)
        if not side:
            return frozenset()
        line = line_cells("row" if side.value in ("top", "bottom") else "column", side.at)
        cells = frozenset(c for c in line if self.drawn[c] != EMPTY and clause.letter in (None, self.drawn[c]))
        numbers = [item.number for item in clause.items if item.kind == "number"] or [len(side.at)]
        is_all = any(item.plural or item.kind == "all" for item in clause.items)
        return cells if len(cells) == numbers[0] or is_all else frozenset()

    # ------------------------------------------------------------------ cells
    def _cells(self, clause: Clause) -> Cells:
        """Return the cells that a clause names, less those that it excepts; keep its lines as context."""
        at = next((n for n, item in enumerate(clause.items) if _excepts(clause.items, n)), len(clause.items))
        groups = group_items(clause.items[:at])
        cells = self._union(groups, clause.words) if groups else self._drawn_corners(clause)
        if not groups and clause.words & WHOLE_GRID and clause.words & {"grid", "board"}:
            return ALL
        if clause.has("rest") and not clause.has("except"):
            line = self._union(groups, clause.words) if groups else ALL
            cells = frozenset(cell for cell in line if self.drawn[cell] == EMPTY)
        lines = [next(iter(group.axes.items())) for group in groups if group.axes]
        self.context = lines[-1] if lines else self.context
        excepted = [group.cells(self.context if lines else None) for group in group_items(clause.items[at:])]
        return (cells or ALL).difference(*excepted) if at < len(clause.items) else cells

    def _drawn_corners(self, clause: Clause) -> Cells:
        """Return the corners with a letter if a clause names "the corner"."""
        names_corner = any(item.value == "corner" for item in clause.items)
        return frozenset(cell for cell in CORNERS.values() if names_corner and self.drawn[cell] != EMPTY)

    def _union(self, groups: Sequence[Group], words: frozenset[str]) -> Cells:
        """Return the cells of groups; all between two groups that "to" or "connect" joins."""
        parts = [group.cells(self.context) for group in groups]
        names = [group.names[0] for group in groups]
        blocks = [part for part, name in zip(parts, names, strict=True) if name.value == "block"]
        if blocks and (words & HOLLOW or any(name.value == "border" for name in names)):
            parts = [_rim(part) for part in blocks]
        cells: Cells = frozenset().union(*parts)
        corners = bool(parts) and all(len(part) == 1 for part in parts) and "to" in words and len(parts) == 2
        return _cells_between(cells) if cells and (corners or words & {"connect", "join", "link"}) else cells

    def _first(self, cells: Cells, clause: Clause) -> Cells:
        """Return as many cells as were counted: "three Cs in the top row", "three R's going down from the corner"."""
        many = _letters_counted(clause)
        pairs = enumerate(pairwise([Item("stop"), *clause.items]))
        start = next((n for n, (before, i) in pairs if i.kind == "from" and before.text != "apart"), None)
        if not many and start is not None:
            return self._onwards(cells, clause, start)
        if not 1 < many < SIZE:
            return cells
        if len(cells) == 1:
            return _around(next(iter(cells)), many, clause) or _ray(next(iter(cells)), many, clause)
        if 1 in (len({cell[0] for cell in cells}), len({cell[1] for cell in cells})):
            is_from_end = start is not None and any(item.value in ("right", "bottom") for item in clause.items[start:])
            return frozenset(sorted(cells, reverse=is_from_end)[:many])
        return cells

    def _onwards(self, cells: Cells, clause: Clause, at: int) -> Cells:
        """Return a line from a place on: "the first column, starting from the second row", "row 4 from column 2 on"."""
        before, after = group_items(clause.items[:at]), group_items(clause.items[at:])
        if not before:
            comma = next((n for n, item in enumerate(clause.items) if item.kind == "comma"), len(clause.items))
            before, after = group_items(clause.items[comma:]), group_items(clause.items[:comma])
        if before and after and before[-1].names[-1].value == "alternating" and before[-1].is_line:
            start = (after[0].places or next(iter(after[0].axes.values()), (0,)))[0]
            return line_cells(before[-1].first, range(start, SIZE, 2))
        if not before or not after or len(before[-1].axes) != 1 or len(after) > 1:
            return cells
        line = before[-1].cells()
        axis = 1 if "row" in before[-1].axes else 0
        starts = {cell[axis] for cell in after[0].cells(next(iter(before[-1].axes.items())))}
        is_span = len(starts) > 1 and len(starts) != SIZE
        return (
            cells if is_span or len(starts) == SIZE else frozenset(cell for cell in line if cell[axis] >= min(starts))
        )


def _excepts(items: Sequence[Item], at: int) -> bool:
    """Return whether an exception begins here: "except …", "but …" before a part that nothing else is said of."""
    item = items[at]
    if item.text == "but" and at and items[at - 1].kind == "all":
        return True
    words = {item.text for item in items[at:]}
    return item.kind == "except" or (
        item.text in ("but", "apart", "not") and not words & LEAVE and any(i.is_part for i in items[at:])
    )


def _sentences(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Yield the items of each sentence; what is said of "the same" and what is to be left empty stand apart."""
    sentence: list[Item] = []
    for at, item in enumerate(items):
        splits = item.kind == "stop" or item.text == "then"
        words = {part.text for part in sentence}
        ahead = items[at + 1 : at + 4]
        if item.kind in ("comma", "and") or item.text == "but":
            splits |= any(part.text == "another" for part in ahead[:2]) and any(part.is_part for part in sentence)
            mentioned = any(item.is_part or item.kind == "marks" for item in sentence)
            words_ahead = {part.text for part in ahead}
            leaves = bool(words_ahead & (LEAVE | ERASE))
            splits |= mentioned and (leaves or any(item.kind == "same" for item in ahead))
            splits |= any(item.kind == "marks" for item in sentence)
            splits |= bool(words & (LEAVE | ERASE) and words_ahead & FILL)
        if splits:
            yield sentence
            sentence = []
        else:
            sentence.append(item)
    yield sentence


def _clauses(items: list[Item]) -> Iterator[Clause]:
    """Yield the clauses of a sentence: one for each letter that is not repeated."""
    if not items:
        return
    letters = [at for at, item in enumerate(items) if item.kind == "letter"]
    if _is_single(items, letters):
        yield Clause(items, items[letters[0]].value if letters else None)
        return
    leads = not any(item.is_part for item in items[: letters[0]])
    follows = any(item.is_part for item in items[letters[-1] :])
    if leads or follows:
        starts = [0, *(_start(items, at) for at in letters[1:])]
    else:
        starts = [0, *(at + 1 for at in letters[:-1])]
    for start, end, at in zip(starts, [*starts[1:], len(items)], letters, strict=True):
        yield Clause(items[start:end], items[at].value)


def _is_single(items: Sequence[Item], letters: Sequence[int]) -> bool:
    """Return whether a sentence is one clause, although it may name two letters: "change A to B", "an X of Ks"."""
    words = {item.text for item in items}
    if len({items[at].value for at in letters}) < 2 and not _is_listed(items, letters):
        return True
    if words & (CHANGE | ALTERNATE) or any(_step(items, at) for at in range(len(items))):
        return True
    return bool(words & DRAW and words & MADE_OF) and not _parts(items, letters)


def _is_listed(items: Sequence[Item], letters: Sequence[int]) -> bool:
    """Return whether the same letter is named more than once, each time with a part of the grid."""
    pairs = (pairwise([*letters, len(items)]), pairwise([0, *letters]))
    return len(letters) > 1 and any(all(any(i.is_part for i in items[a:b]) for a, b in ends) for ends in pairs)


def _parts(items: Sequence[Item], letters: Sequence[int]) -> bool:
    """Return whether a part of the grid stands between letters."""
    return bool(letters) and any(item.is_part for item in items[letters[0] : letters[-1]])


def _start(items: Sequence[Item], at: int) -> int:
    """Return where the clause of a letter begins: with the line that is named just before it, "in row 2 put X"."""
    start = at
    while start and items[start - 1].kind not in ("comma", "and", "stop"):
        start -= 1
    return start if any(item.is_part for item in items[start:at]) else at


def _step(items: Sequence[Item], at: int) -> tuple[int, int] | None:
    """Return the direction that a word moves in, as in "below it", "to the right of that", "directly to its right"."""
    item = items[at]
    before = items[at - 1] if at else Item("stop")
    after = items[at + 1 : at + 3]
    if item.kind == "move":
        return STEPS[item.value]
    is_side = item.kind == "side" and item.value in ("left", "right") and before.kind == "to"
    ends = not after or after[0].kind in ("stop", "comma") or after[0].text == "of"
    return STEPS[item.value] if is_side and ends else None


def _steps_counted(items: Sequence[Item]) -> int:
    """Return the number of steps before a move, 1 where none is said: "two cells below", but not "two Xs below"."""
    counts = [item.number for item in items if item.kind == "number" and item.text != "one"]
    is_distance = bool(items) and (items[-1].kind in ("noun", "number") or items[-1].text in ("row", "step"))
    return counts[-1] if counts and is_distance else 1


def _letters_counted(clause: Clause) -> int:
    """Return how many letters a clause asks for: "three Qs", "C three times", "E E E E"; 0 where it does not say."""
    for item, after in pairwise(clause.items):
        if item.kind == "number" and item.text != "one" and (after.kind == "letter" or after.text in ("time", "times")):
            return item.number
    return len(clause.letters) if len(clause.letters) > 1 else 0


def _named_shape(clause: Clause) -> Cells:
    """Return the cells of a shape that a clause names, none if it names none."""
    words, letters = clause.words, clause.letters
    if words & CHEQUERED:
        return frozenset(cell for cell in CELLS if sum(cell) % 2 == 0)
    if "diamond" in words and words & (HOLLOW | SOLID):
        return _cells_at(range(3) if words & SOLID else [2])
    if words & {"plus", "cross"}:
        is_small = "small" in words or any(item.number == SIZE and item.kind == "number" for item in clause.items)
        return _cells_at(range(2 if is_small else SIZE)) & (line_cells("row", [2]) | line_cells("column", [2]))
    is_letter = len(letters) == 2 or (letters and words & BIG and not group_items(clause.items))
    return _letter_cells(letters[0]) if is_letter and words & DRAW else frozenset()


def _letter_cells(letter: str) -> Cells:
    rows = grids.LETTERS[letter].split()
    return frozenset((row, at) for row, line in enumerate(rows) for at, sign in enumerate(line) if sign == "X")


def _rim(cells: Cells) -> Cells:
    """Return the cells of a block at its edge."""
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    ends = [{min(numbers), max(numbers)} for numbers in (rows, columns)]
    return frozenset(cell for cell in cells if cell[0] in ends[0] or cell[1] in ends[1])


def _cells_at(distances: Sequence[int]) -> Cells:
    """Return the cells so many steps away from the centre."""
    return frozenset((r, c) for r, c in CELLS if abs(r - CENTRE[0]) + abs(c - CENTRE[1]) in distances)


def _cells_between(cells: Cells) -> Cells:
    """Return all cells on the straight line, or in the rectangle, that some cells span."""
    rows, columns = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
    if len(rows) == len(columns) == 2 and rows[1] - rows[0] == columns[1] - columns[0]:
        step = 1 if (rows[0], columns[0]) in cells else -1
        start = columns[0] if step == 1 else columns[1]
        return frozenset((rows[0] + n, start + n * step) for n in range(rows[1] - rows[0] + 1))
    return frozenset((r, c) for r in range(rows[0], rows[-1] + 1) for c in range(columns[0], columns[-1] + 1))


def _around(cell: Cell, many: int, clause: Clause) -> Cells:
    """Return some cells around the middle of a line: "three X's in the middle of row 4"."""
    axes = [item.axis for item in clause.items if item.kind == "lines"]
    is_middle = any(item.kind == "places" and item.value == "middle" for item in clause.items)
    if not (is_middle and axes and many % 2):
        return frozenset()
    reach = range(-(many // 2), many // 2 + 1)
    return frozenset((cell[0] + n, cell[1]) if axes[0] == "column" else (cell[0], cell[1] + n) for n in reach)


def _ray(start: Cell, many: int, clause: Clause) -> Cells:
    """Return some cells in a row from a cell on: down, up or across, away from the edge."""
    row, column = start
    words = {item.text for item in clause.items} | {item.value for item in clause.items}
    down = words & DOWN
    away = -1 if (row if down else column) > SIZE // 2 else 1
    return ALL & {(row + n * away, column) if down else (row, column + n * away) for n in range(many)}
