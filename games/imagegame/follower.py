"""How the scripted follower understands commands: clauses with a letter and parts of the grid, drawn one by one.

The parts of a grid are read by `games/common/language/regions.py`. What is not understood changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, EMPTY, SIZE, Cell
from games.common.language.phrases import rewrite
from games.common.language.regions import ALL, BARE, Group, Saying, block, group_items, line_cells, read_items
from games.common.language.signs import SIDE_AXES, Cells, Item, letters_in, words_for
from games.imagegame import grid

LONGEST = 1000
"""Characters of a command that are read."""
STEPS = {"below": (1, 0), "above": (-1, 0), "left": (0, -1), "right": (0, 1)}
Context = tuple[str, tuple[int, ...]]


def letters_named(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    drawn = [sign for sign in drawing if sign.isascii() and sign.isupper()]
    return tuple(dict.fromkeys([*letters_in(command[:LONGEST]), *drawn]))


class Clause(Saying):
    """A part of a command with at most one letter that is drawn."""

    def __init__(self, items: Sequence[Item], letter: str | None = None) -> None:
        super().__init__(items)
        self.letter = letter
        self.letters = [item.value for item in items if item.kind == "letter"]

    def place_of(self, kind: str, default: int) -> int:
        """Return where its first item of a kind stands."""
        return next((at for at, item in enumerate(self.items) if item.kind == kind), default)

    @property
    def letter_count(self) -> int:
        """How many letters it asks for: "three Qs", "C three times", "E E E E"; 0 where it does not say."""
        for item, after in pairwise(self.items):
            counts = after.kind == "letter" or after.text in ("time", "times")
            if item.kind == "number" and item.text != "one" and counts:
                return item.number
        return len(self.letters) if len(self.letters) > 1 else 0


@dataclass
class Drawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawn: grid.LetterGrid
    before: grid.LetterGrid
    letter: str | None = None
    last: Cells = frozenset()
    context: Context | None = None
    """The lines that were named last."""

    @classmethod
    def begin(cls) -> Drawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse(grid.BLANK_GRID), grid.parse(grid.BLANK_GRID))

    def carry_out(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        items = list(read_items(command[:LONGEST]))
        words, has_parts = {item.text for item in items}, any(item.is_part for item in items)
        if words & words_for("undo"):
            self.drawn, self.before = self.before, self.drawn
            return self.drawn
        if "meant" in words and has_parts:
            self.drawn = self.before  # "I meant row 2": instead of what was drawn last
        if words & {"centre", "grid"} and not any(item.kind == "lines" and item.value != "edge" for item in items):
            self.context = None  # "in the centre": of the grid
        self.before = dict(self.drawn)
        rows = [item.marks for item in items if item.kind == "marks"]
        if len(rows) == SIZE and not has_parts:
            self._put({(row, at): sign or EMPTY for row, line in enumerate(rows) for at, sign in enumerate(line)})
            return self.drawn
        for sentence in _sentences(rewrite(items, BARE)):
            for clause in _clauses(sentence):
                self._draw(clause)
        return self.drawn

    def _draw(self, clause: Clause) -> None:
        """Draw one clause."""
        at = clause.place_of("except", 0)
        is_emptied = any(item.value == "empty" for item in clause.items[:at])
        if is_emptied and any(item.kind == "letter" for item in clause.items[at:]):
            self._draw(Clause(clause.items[:at]))  # "row 3 is empty except for a K in the middle"
            clause = Clause(clause.items[at + 1 :], clause.letter)
        readers = (self._change, self._spell, self._alternate, self._count_out, self._shape, self._copy, self._move)
        is_relative = any(item.text == "next" and after.kind == "to" for item, after in pairwise(clause.items))
        is_relative |= "rest" in clause.kinds and (clause.means("leave") if clause.letter else "value" in clause.kinds)
        if is_relative or clause.means("undrawn") or any(draw(clause) for draw in (*readers, self._erase)):
            return
        cells, letter = self._cells(clause), clause.letter or self.letter
        if cells and letter:
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
        if len(clause.letters) != 2 or not clause.means("change"):
            return False
        old, new = clause.letters
        self._put({cell: new for cell in self._cells(clause) or ALL if self.drawn[cell] == old})
        return True

    def _spell(self, clause: Clause) -> bool:
        """Read "row 2: ▢ A ▢ ▢ ▢"."""
        marks = next((item.marks for item in clause.items if item.kind == "marks"), None)
        if not marks or not clause.groups or len(clause.groups[0].axes) != 1:
            return False
        ((axis, numbers),) = clause.groups[0].axes.items()
        self._put({cell: marks[cell[axis == "row"]] or EMPTY for cell in line_cells(axis, numbers)})
        return True

    def _alternate(self, clause: Clause) -> bool:
        """Read "alternating A and B in the top row"."""
        letters = list(dict.fromkeys(clause.letters))
        if len(letters) < 2 or not clause.means("alternate"):
            return False
        axes = {axis for group in clause.groups for axis in group.axes}
        down, across = axes != {"row"}, axes != {"column"}
        cells = self._cells(clause) or ALL
        self._put({(r, c): letters[(r * down + c * across) % len(letters)] for r, c in cells})
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
        is_from_end = any({side.value, side.text} & {"right", "bottom"} for side in sides)
        lines = [(number.number, sorted(line_cells(line.axis, line.at), reverse=is_from_end)) for number, line in pairs]
        self._put({cell: letter for number, cells in lines for cell in cells[:number]})
        return True

    def _shape(self, clause: Clause) -> bool:
        """Read "a big T", "a plus sign", "a checkerboard", of a letter."""
        letters = clause.letters
        shape = _named_shape(clause)
        if not shape or (not letters and not self.letter):
            return False
        ink = letters[-1] if letters and (clause.means("made_of") or len(letters) == 1) else self.letter or letters[0]
        self._put(dict.fromkeys(shape, ink))
        return True

    def _copy(self, clause: Clause) -> bool:
        """Read "the same for the bottom row": what was drawn last, moved to other lines of the same kind."""
        is_same = "same" in clause.kinds
        group = clause.groups[-1] if clause.groups else Group()
        if not (is_same or (clause.letter is None and clause.means("too"))) or not self.last or not group.is_line:
            return False
        ((axis, numbers),) = group.axes.items()
        at = axis == "column"
        lines = {cell[at] for cell in self.last}
        if len(lines) == SIZE and not is_same:
            return False
        pattern = {cell[not at]: self.drawn[cell] for cell in sorted(self.last) if cell[at] == min(lines)}
        copied = {cell: pattern[cell[not at]] for cell in line_cells(axis, numbers) if cell[not at] in pattern}
        self._put({cell: clause.letter or sign for cell, sign in copied.items()})
        return True

    def _move(self, clause: Clause) -> bool:
        """Read "one above that", "two more Ks below it", "another one directly to its right"."""
        steps = [(at, step) for at in range(len(clause.items)) if (step := _step(clause.items, at))]
        letter = clause.letter or self.letter
        if not steps or not letter:
            return False
        start, end = steps[0][0], steps[0][0]
        for at, _ in steps[1:]:
            end = at if at == end + 2 and clause.items[end + 1].kind == "and" else end  # "above and below it"
        before, base = clause.items[:start], self._base(clause.items[end + 1 :])
        many = Clause([item for item in before if item.text != "more"]).letter_count
        distances = range(1, many + 1) if many > 1 and len(base) == 1 else (1,)
        ways = [step for at, step in steps if at <= end]
        moved = ALL & {(r + n * down, c + n * right) for r, c in base for down, right in ways for n in distances}
        self._put(dict.fromkeys(moved, EMPTY if clause.means("erase") else letter))
        return bool(moved)

    def _base(self, items: Sequence[Item]) -> Cells:
        """Return what a move starts from: cells named after it, the letters named there, or what was drawn last."""
        base: Cells = frozenset().union(*[group.cells(self.context) for group in group_items(items)])
        mentioned = next((item.value for item in items if item.kind == "letter"), None)
        with_letter = frozenset(cell for cell in base or CELLS if self.drawn[cell] == mentioned)
        return (with_letter or base) if mentioned else base or self.last

    def _erase(self, clause: Clause) -> bool:
        """Read "clear the bottom row", "remove the X from …", "row 3 is empty", "leave the first column empty"."""
        letter, leaves = clause.letter, clause.means("leave")
        takes = "take" in clause.words and bool(clause.words & {"away", "off", "out"})
        is_emptied = letter is None and ("value" in clause.kinds or leaves)
        if not (clause.means("erase") or takes or is_emptied or (leaves and "except" not in clause.kinds)):
            return False
        cells = self._cells(clause) or (ALL if letter or "all" in clause.kinds else self._drawn_at_side(clause))
        cells = cells or (self.last if clause.words & {"it", "them", "again"} else frozenset())
        self.drawn = {c: EMPTY if c in cells and letter in (None, sign) else sign for c, sign in self.drawn.items()}
        return True

    def _drawn_at_side(self, clause: Clause) -> Cells:
        """Return the letters that "the two at the bottom", "the one on the left" mean: exactly so many, else none."""
        side = next((item for item in clause.items if item.kind == "side"), None)
        if not side:
            return frozenset()
        line = line_cells(SIDE_AXES.get(side.value, "column"), side.at)
        cells = frozenset(cell for cell in line if self.drawn[cell] != EMPTY)
        number = next((item.number for item in clause.items if item.kind == "number"), len(side.at))
        is_all = any(item.plural or item.kind == "all" for item in clause.items)
        return cells if len(cells) == number or is_all else frozenset()

    # ------------------------------------------------------------------ cells
    def _cells(self, clause: Clause) -> Cells:
        """Return the cells that a clause names, less those that it excepts; keep its lines as context."""
        at = next((n for n in range(len(clause.items)) if _excepts(clause.items, n)), len(clause.items))
        groups = group_items(clause.items[:at])
        cells = self._union(groups, clause) if groups else self._drawn_corners(clause)
        if not groups and clause.means("whole_grid") and clause.words & {"grid", "board"}:
            return ALL
        if "rest" in clause.kinds and "except" not in clause.kinds:
            cells = frozenset(cell for cell in (cells if groups else ALL) if self.drawn[cell] == EMPTY)
        lines = [next(iter(group.axes.items())) for group in groups if group.axes]
        self.context = lines[-1] if lines else self.context
        excepted = [group.cells(self.context if lines else None) for group in group_items(clause.items[at:])]
        return (cells or ALL).difference(*excepted) if at < len(clause.items) else cells

    def _drawn_corners(self, clause: Clause) -> Cells:
        """Return the corners with a letter if a clause names "the corner"."""
        names_corner = any(item.value == "corner" for item in clause.items)
        return frozenset(cell for cell in CORNER_BY_NAME.values() if names_corner and self.drawn[cell] != EMPTY)

    def _union(self, groups: Sequence[Group], clause: Clause) -> Cells:
        """Return the cells of groups; all between two groups that "to" or "connect" joins."""
        parts, names = [group.cells(self.context) for group in groups], [group.names[0].value for group in groups]
        blocks = [part for part, name in zip(parts, names, strict=True) if name == "block"]
        if blocks and (clause.means("rim") or "border" in names):
            parts = [part - block(*min(part), *_size(part), margin=1) for part in blocks]
        cells: Cells = frozenset().union(*parts)
        is_span = "to" in clause.words and [len(part) for part in parts] == [1, 1]
        return _cells_between(cells) if cells and (is_span or clause.means("connect")) else cells

    def _first(self, cells: Cells, clause: Clause) -> Cells:
        """Return as many cells as were counted: "three Cs in the top row", "three R's going down from the corner"."""
        many = clause.letter_count
        pairs = enumerate(pairwise([Item("stop"), *clause.items]))
        start = next((n for n, (before, i) in pairs if i.kind == "from" and before.text != "apart"), None)
        if not many and start is not None:
            return self._onwards(cells, clause, start)
        if not 1 < many < SIZE:
            return cells
        if len(cells) == 1:
            return _run_from(next(iter(cells)), many, clause)
        is_from_end = start is not None and any(item.value in ("right", "bottom") for item in clause.items[start:])
        return frozenset(sorted(cells, reverse=is_from_end)[:many])

    def _onwards(self, cells: Cells, clause: Clause, at: int) -> Cells:
        """Return a line from a place on: "the first column, starting from the second row", "row 4 from column 2 on"."""
        before, after = group_items(clause.items[:at]), group_items(clause.items[at:])
        if not before:
            comma = clause.place_of("comma", len(clause.items))
            before, after = group_items(clause.items[comma:]), group_items(clause.items[:comma])
        if not before or len(after) != 1 or len(before[-1].axes) != 1:
            return cells
        ((axis, _),) = before[-1].axes.items()
        if before[-1].names[-1].value == "alternating" and before[-1].is_line:
            return line_cells(axis, range((after[0].places or next(iter(after[0].axes.values()), (0,)))[0], SIZE, 2))
        line, across = before[-1].cells(), int(axis == "row")
        starts = {cell[across] for cell in after[0].cells(next(iter(before[-1].axes.items())))}
        return frozenset(cell for cell in line if cell[across] >= min(starts)) if len(starts) == 1 else cells


def _excepts(items: Sequence[Item], at: int) -> bool:
    """Return whether an exception begins here: "except …", "but …" before a part that nothing else is said of."""
    item, rest = items[at], items[at:]
    if item.kind == "except" or (item.text == "but" and at and items[at - 1].kind == "all"):
        return True
    leaves = any(part.text in words_for("leave") for part in rest)
    return item.text in ("but", "apart", "not") and not leaves and any(part.is_part for part in rest)


def _sentences(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Yield the items of each sentence; what is said of "the same" and what is to be left empty stand apart."""
    sentence: list[Item] = []
    for at, item in enumerate([*items, Item("stop")]):
        is_joint = item.kind in ("comma", "and") or item.text == "but"
        if item.kind == "stop" or item.text == "then" or (is_joint and _splits(sentence, items[at + 1 : at + 4])):
            yield sentence
            sentence = []
        else:
            sentence.append(item)


def _splits(sentence: Sequence[Item], ahead: Sequence[Item]) -> bool:
    """Return whether what follows a joint is said for itself."""
    words, words_ahead = ({part.text for part in parts} for parts in (sentence, ahead))
    empties, has_marks = words_for("leave") | words_for("erase"), any(part.kind == "marks" for part in sentence)
    begins = bool(words_ahead & empties) or any(part.kind == "same" for part in ahead)
    begins |= any(part.text == "another" for part in ahead[:2])
    has_part = has_marks or any(part.is_part for part in sentence)
    return has_marks or (has_part and begins) or bool(words & empties and words_ahead & words_for("fill"))


def _clauses(items: list[Item]) -> Iterator[Clause]:
    """Yield the clauses of a sentence: one for each letter that is not repeated."""
    letters = [at for at, item in enumerate(items) if item.kind == "letter"]
    if _is_single(items, letters):
        yield Clause(items, items[letters[0]].value if letters else None)
        return
    leads = not any(item.is_part for item in items[: letters[0]])
    follows = any(item.is_part for item in items[letters[-1] :])
    starts = [0, *((at if leads or follows else before + 1) for before, at in pairwise(letters))]
    for start, end, at in zip(starts, [*starts[1:], len(items)], letters, strict=True):
        yield Clause(items[start:end], items[at].value)


def _is_single(items: Sequence[Item], letters: Sequence[int]) -> bool:
    """Return whether a sentence is one clause, although it may name two letters: "change A to B", "an X of Ks"."""
    clause = Clause(items)
    pairs = (pairwise([*letters, len(items)]), pairwise([0, *letters]))
    is_listed = any(all(any(i.is_part for i in items[start:end]) for start, end in ends) for ends in pairs)
    if len(set(clause.letters)) < 2 and not (is_listed and len(letters) > 1):
        return True
    if clause.means("change", "alternate") or any(_step(items, at) for at in range(len(items))):
        return True
    is_parted = any(item.is_part for item in items[letters[0] : letters[-1]])
    return clause.means("draw") and clause.means("made_of") and not is_parted


def _step(items: Sequence[Item], at: int) -> tuple[int, int] | None:
    """Return the direction that a word moves in, as in "below it", "to the right of that", "directly to its right"."""
    item, before, after = items[at], items[at - 1], items[at + 1 : at + 2]
    if item.kind == "move":
        return STEPS[item.value]
    is_side = item.kind == "side" and item.value in ("left", "right") and at > 0 and before.kind == "to"
    ends = not after or after[0].kind in ("stop", "comma") or after[0].text == "of"
    return STEPS[item.value] if is_side and ends else None


def _named_shape(clause: Clause) -> Cells:
    """Return the cells of a shape that a clause names, none if it names none."""
    words, letters = clause.words, clause.letters
    if clause.means("chequered"):
        return frozenset(cell for cell in CELLS if sum(cell) % 2 == 0)
    if "diamond" in words and clause.means("solid", "rim"):
        return _cells_at(range(3) if clause.means("solid") else [2])
    if words & {"plus", "cross"}:
        is_small = "small" in words or any(item.number == SIZE and item.kind == "number" for item in clause.items)
        return _cells_at(range(2 if is_small else SIZE)) & (line_cells("row", [2]) | line_cells("column", [2]))
    is_letter = len(letters) == 2 or (letters and clause.means("big") and not clause.groups)
    return _letter_cells(letters[0]) if is_letter and clause.means("draw") else frozenset()


def _letter_cells(letter: str) -> Cells:
    rows = grids.LETTER_SKETCHES[letter].split()
    return frozenset(cell for cell in CELLS if rows[cell[0]][cell[1]] == "X")


def _size(cells: Cells) -> tuple[int, int]:
    """Return in how many rows and columns cells are."""
    return len({row for row, _ in cells}), len({column for _, column in cells})


def _cells_at(distances: Sequence[int]) -> Cells:
    """Return the cells so many steps away from the centre."""
    return frozenset((r, c) for r, c in CELLS if abs(r - CENTRE[0]) + abs(c - CENTRE[1]) in distances)


def _cells_between(cells: Cells) -> Cells:
    """Return all cells on the straight line, or in the rectangle, that some cells span."""
    rows, columns = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
    spans = range(rows[0], rows[-1] + 1), range(columns[0], columns[-1] + 1)
    if len(rows) == len(columns) == 2 and len(spans[0]) == len(spans[1]):
        return frozenset(zip(spans[0], spans[1] if min(cells)[1] == columns[0] else reversed(spans[1]), strict=True))
    return frozenset((row, column) for row in spans[0] for column in spans[1])


def _run_from(start: Cell, many: int, clause: Clause) -> Cells:
    """Return some cells in a row from a cell on, away from the edge, or around the middle of a line."""
    axes = [item.axis for item in clause.items if item.kind == "lines"]
    is_middle = any(item.kind == "places" and item.value == "middle" for item in clause.items) and axes and many % 2
    words = {text for item in clause.items for text in (item.text, item.value)}
    down = axes[0] == "column" if is_middle else bool(words & words_for("down"))
    away = -1 if start[not down] > SIZE // 2 else 1
    steps = range(-(many // 2), many // 2 + 1) if is_middle else range(0, many * away, away)
    return ALL & {(start[0] + n * down, start[1] + n * (not down)) for n in steps}
