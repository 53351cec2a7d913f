"""How the scripted follower understands commands: clauses with a letter and parts of the grid, drawn one by one.

The parts of a grid are read by `games/common/language/regions.py`. What is not understood changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise, takewhile

from games.common import grids
from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, EMPTY, SIZE, Cell
from games.common.language.phrases import PhraseMatch, make_rules, rewrite
from games.common.language.regions import (
    ALL,
    BARE,
    SEQUENCES,
    Group,
    Saying,
    block,
    group_items,
    line_cells,
    read_items,
)
from games.common.language.signs import OPPOSITE, RULES, SIDE_AXES, Cells, Item, has, letters_in, words_for
from games.imagegame import grid

LONGEST = 1000
"""Characters of a command that are read."""
STEPS = {"below": (1, 0), "above": (-1, 0), "left": (0, -1), "right": (0, 1)}
Context = tuple[str, tuple[int, ...]]


def letters_named(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    drawn = [sign for sign in drawing if sign.isascii() and sign.isupper()]
    return tuple(dict.fromkeys([*letters_in(command[:LONGEST]), *drawn]))


# ---------------------------------------------------------------------- words of commands
def _around_centre(match: PhraseMatch) -> Item:
    """Read "around the centre" as the eight cells there; four if so many were counted."""
    is_cross = any(item.number == 4 for item in match.done[-4:])
    ring = _cells_at([1]) if is_cross else block(1, 1, 3, 3) - {CENTRE}
    return Item("cells", "ring", cells=ring)


def _both_sides(match: PhraseMatch) -> list[Item] | None:
    """Read "on both sides of", "left and right of", "above and below it" as two steps."""
    if match.item_before().text == "of":
        return None
    ways = ("above", "below") if match.word("way").value in ("top", "bottom") else ("left", "right")
    return [Item("move", ways[0]), Item("and"), Item("move", ways[1])]


DRAWING = make_rules(RULES.drawing, globals())
TAKEN_BACK = make_rules(RULES.taken_back, globals())


class Clause(Saying):
    """A part of a command with at most one letter that is drawn; `is_within`: it is about cells of the one before."""

    excepting = words_for("not_drawn")

    def __init__(self, items: Sequence[Item], letter: str | None = None, is_within: bool = False) -> None:
        super().__init__(items)
        self.letter, self.is_within = letter, is_within
        self.letters = [item.value for item in items if item.kind == "letter"]

    def place_of(self, kind: str, default: int) -> int:
        """Return where its first item of a kind stands."""
        return next((at for at, item in enumerate(self.items) if item.kind == kind), default)

    @property
    def letter_count(self) -> int:
        """How many letters it asks for: "three Qs", "C three times", "E E E E"; 0 where it does not say."""
        for item, after in pairwise(self.items):
            counts = after.kind == "letter" or after.text in ("time", "times")
            if item.kind == "number" and counts:
                return item.number
        is_row = any(item.kind == after.kind == "letter" for item, after in pairwise(self.items))
        return len(self.letters) if is_row else 0


@dataclass
class Drawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawn: grid.LetterGrid
    before: grid.LetterGrid
    letter: str | None = None
    last: Cells = frozenset()
    context: Context | None = None
    """The lines that were named last."""
    scope: Cells = frozenset()
    """The cells that the clause before was about."""
    frame: Context | None = None
    """The line in which cells were named in this sentence: "in row 2, column 3 is A, column 4 is B"."""
    counted: tuple[Cells, int] = (frozenset(), 0)
    """A line of which so many cells were to be filled."""

    @classmethod
    def begin(cls) -> Drawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse(grid.BLANK_GRID), grid.parse(grid.BLANK_GRID))

    def carry_out(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        items = rewrite(rewrite(rewrite(read_items(command[:LONGEST]), DRAWING), BARE), SEQUENCES)
        words, has_parts = {item.text for item in items}, any(item.is_part for item in items)
        if words & words_for("undo"):
            self.drawn, self.before = self.before, self.drawn
            return self.drawn
        if self._correct(items, words, has_parts):
            return self.drawn
        if words & {"centre", "grid"} and not any(item.kind == "lines" and item.value != "edge" for item in items):
            self.context = None  # "in the centre": of the grid
        self.before = dict(self.drawn)
        rows = [item.marks for item in items if item.kind == "marks"]
        if len(rows) == SIZE and not has_parts:
            self._put({(row, at): sign or EMPTY for row, line in enumerate(rows) for at, sign in enumerate(line)})
            return self.drawn
        for joint, sentence in _sentences(items):
            self.frame = None if joint.kind == "stop" else self.frame
            for clause in _clauses(sentence, _joins_within(joint)):
                self._draw(clause)
        return self.drawn

    def _correct(self, items: Sequence[Item], words: Set[str], has_parts: bool) -> bool:
        """Read "sorry, I meant row 2, not row 3", "no, the letter is Q": what was drawn last is moved or renamed."""
        letters = {item.value for item in items if item.kind == "letter"}
        others = {item.kind for item in items} & {"rest", "same", "move", "value", "except", "marks"}
        if not words & words_for("correction") or not self.last or others or words & words_for("other_command"):
            return False
        if len(letters) == 1 and not has_parts:
            self._put({cell: letter for letter in letters for cell in self.last if self.drawn[cell] != EMPTY})
            return True
        clause = Clause(rewrite(items, TAKEN_BACK))
        if letters or not clause.groups:
            return False
        drawn, self.drawn = self.drawn, self.before
        signs = [drawn[cell] for cell in self.last]
        if not self._copy(clause, drawn):
            self._put(dict.fromkeys(self._cells(clause), signs[0]))
        return True

    def _draw(self, clause: Clause) -> None:
        """Draw one clause."""
        readers = (self._change, self._spell, self._alternate, self._pair_up, self._count_out, self._shape)
        is_relative = any(item.text == "next" and after.kind == "to" for item, after in pairwise(clause.items))
        if is_relative or clause.means("undrawn"):
            return
        if any(draw(clause) for draw in (*readers, self._copy, self._move, self._erase)):
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
        axis, numbers = clause.groups[0].line
        self._put({cell: marks[cell[axis == "row"]] or EMPTY for cell in line_cells(axis, numbers)})
        return True

    def _alternate(self, clause: Clause) -> bool:
        """Read "alternating A and B in the top row"."""
        letters = list(dict.fromkeys(clause.letters))
        if len(letters) < 2 or not clause.means("alternate"):
            return False
        axes = {axis for group in clause.groups for axis in group.axes}
        axes = axes or {OPPOSITE[item.value] for item in clause.items if item.plural and item.value in OPPOSITE}
        down, across = axes != {"row"}, axes != {"column"}
        cells = self._cells(clause) or ALL
        self._put({(r, c): letters[(r * down + c * across) % len(letters)] for r, c in cells})
        return True

    def _pair_up(self, clause: Clause) -> bool:
        """Read "A, B and C in the top left, the top right and the centre"."""
        parts = [group.cells(self.context) for group in clause.groups]
        if len(set(clause.letters)) < 2 or [len(part) for part in parts] != [1] * len(clause.letters):
            return False
        self._put({cell: letter for part, letter in zip(parts, clause.letters, strict=True) for cell in part})
        return True

    def _count_out(self, clause: Clause) -> bool:
        """Read "one Q in row 1, two in row 2 and three in row 3, all from the right", "row 1: one Q, row 2: two Qs"."""
        parts = [item for item in clause.items if item.is_part or item.kind in ("number", "side")]
        many = sum(item.kind == "number" for item in parts)
        pairs = [sorted(pair, key=lambda part: part.is_part) for pair in zip(parts[::2], parts[1::2], strict=False)]
        letter, sides, pairs = clause.letter or self.letter, parts[2 * many :], pairs[:many]
        if many < 2 or len(pairs) < many or not letter or any(side.value == "cell" for side in sides):
            return False
        axis = pairs[0][1].axis
        if axis not in OPPOSITE or not all(_is_counted_line(number, line, axis) for number, line in pairs):
            return False
        is_from_end = any({side.value, side.text} & {"right", "bottom"} for side in sides)
        lines = [(number.number, sorted(line_cells(axis, line.at), reverse=is_from_end)) for number, line in pairs]
        self._put({cell: letter for number, cells in lines for cell in cells[:number]})
        return True

    def _shape(self, clause: Clause) -> bool:
        """Read "a big T", "a plus sign", "a checkerboard", of a letter."""
        letters, shape = clause.letters, _named_shape(clause)
        if not shape or (not letters and not self.letter):
            return False
        is_ink = bool(letters) and (clause.means("made_of") or len(set(letters)) == 1)
        self._put(dict.fromkeys(shape, letters[-1] if is_ink else self.letter or letters[0]))
        return True

    def _copy(self, clause: Clause, drawn: grid.LetterGrid | None = None) -> bool:
        """Read "the same for the bottom row", "row 4 is like row 2": what was drawn last, or the line that is named.

        It is copied to other lines of the same kind; `drawn` is the grid to copy from if not the present one.
        """
        is_same = drawn is not None or _says_same(clause)
        is_meant = is_same or (clause.letter is None and clause.means("too"))
        lines = [group.line for group in clause.groups if group.is_line]
        if not is_meant or not lines or not clause.groups[-1].is_line:
            return False
        cells, (axis, numbers) = self.last, lines[-1]
        if is_same and [line[0] for line in lines] == [axis, axis] and len(numbers) == 1 and not clause.letters:
            cells, numbers = line_cells(axis, numbers), lines[0][1]
        at = axis == "column"
        if not cells or (_size(cells)[at] == SIZE and not is_same):
            return False
        copied = _copy_signs(cells, drawn or self.drawn, line_cells(axis, numbers), at)
        self._put({cell: clause.letter or sign for cell, sign in copied.items()})
        return True

    def _move(self, clause: Clause) -> bool:
        """Read "one above that", "two more Ks below it", "another one directly to its right"."""
        start, end, ways = _steps(clause.items)
        letter = clause.letter or self.letter
        if not ways or not letter:
            return False
        rest = [item for item in clause.items[end:] if item.kind != "letter" or len(clause.letters) > 1]
        before, base = clause.items[:start], self._base(rest)
        many = Clause([item for item in before if item.text != "more"]).letter_count
        distances = range(1, many + 1) if many > 1 and len(base) == 1 else (1,)
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
        letter = clause.letter
        if not _is_erasing(clause):
            return False
        cells = self._cells(clause) or (ALL if letter or "all" in clause.kinds else self._drawn_at_side(clause))
        cells = cells or (self.last if clause.words & {"it", "them", "again"} else frozenset())
        self.drawn = {c: EMPTY if c in cells and letter in (None, sign) else sign for c, sign in self.drawn.items()}
        line, many = self.counted
        if letter is None and cells < line and len(line - cells) == many and self.letter:
            self._put(dict.fromkeys(line - cells, self.letter))  # "four Ks in row 2, the second cell is empty"
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
        groups = clause.groups
        cells = self._union(groups, clause) if groups else self._drawn_corners(clause)
        if not groups and clause.means("whole_grid") and clause.words & {"grid", "board"}:
            return ALL
        if "rest" in clause.kinds:
            cells = frozenset(cell for cell in (cells if groups else ALL) if self.drawn[cell] == EMPTY)
        if clause.is_within:
            cells = (cells & self.scope) or cells
        self.scope = cells
        lines = [group.line for group in groups if group.axes]
        self.context = lines[-1] if lines else self.context
        return self._without(cells, clause, bool(lines))

    def _without(self, cells: Cells, clause: Clause, names_line: bool) -> Cells:
        """Return cells without those of an exception, of which places are within the lines that are named."""
        excepted = [group.cells(self.context if names_line else None) for group in clause.exceptions]
        sides = [item for item in clause.exception if item.kind == "side" and item.value in SIDE_AXES]
        excepted += [line_cells(SIDE_AXES[item.value], item.at) for item in sides]
        return (cells or ALL).difference(*excepted) if clause.exception else cells

    def _take_frame(self, groups: Sequence[Group], clause: Clause) -> None:
        """Read "column 4" within the row in which a column was named before, in the same sentence."""
        for group in groups:
            if len(group.axes) == 2:
                self.frame = group.line
            elif (
                group.is_line and self.frame and group.line[0] == OPPOSITE[self.frame[0]] and not clause.means("fully")
            ):
                group.axes[self.frame[0]] = self.frame[1]

    def _drawn_corners(self, clause: Clause) -> Cells:
        """Return the corners with a letter if a clause names "the corner"."""
        names_corner = any(item.value == "corner" for item in clause.items)
        return frozenset(cell for cell in CORNER_BY_NAME.values() if names_corner and self.drawn[cell] != EMPTY)

    def _union(self, groups: Sequence[Group], clause: Clause) -> Cells:
        """Return the cells of groups; all between two groups that "to" or "connect" joins."""
        self._take_frame(groups, clause)
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
        if many == 1 and not clause.means("fully") and clause.groups and all(group.is_line for group in clause.groups):
            return frozenset(sorted(cells)[:1])
        if many < 2 or (many >= SIZE and len(cells) > 1):
            return cells
        if len(cells) == 1:
            return _run_from(next(iter(cells)), many, clause)
        is_at_end = any(item.kind == "side" and item.value in ("right", "bottom") for item in clause.items)
        is_from_end = is_at_end or bool(clause.words & {"ends", "ending"})
        self.counted = cells, many
        return frozenset(sorted(cells, reverse=is_from_end)[:many])

    def _onwards(self, cells: Cells, clause: Clause, at: int) -> Cells:
        """Return a line from a place on: "the first column, starting from the second row", "row 4 from column 2 on"."""
        before, after = group_items(clause.items[:at]), group_items(clause.items[at:])
        if not before:
            comma = clause.place_of("comma", len(clause.items))
            before, after = group_items(clause.items[comma:]), group_items(clause.items[:comma])
        if not before or len(after) != 1 or len(before[-1].axes) != 1:
            return cells
        axis, _ = before[-1].line
        if before[-1].names[-1].value == "alternating" and before[-1].is_line:
            return line_cells(axis, range((after[0].places or after[0].line[1] or (0,))[0], SIZE, 2))
        line, across = before[-1].cells(), int(axis == "row")
        starts = {cell[across] for cell in after[0].cells(before[-1].line)}
        return frozenset(cell for cell in line if cell[across] >= min(starts)) if len(starts) == 1 else cells


def _joins_within(joint: Item) -> bool:
    """Return whether what follows a joint is about cells that were named before it: "…, only the last is empty"."""
    return joint.kind in ("except", "only") or joint.text in ("with", "but")


def _sentences(items: Sequence[Item]) -> Iterator[tuple[Item, list[Item]]]:
    """Yield the items of each sentence after what joins it to the one before: what is said for itself stands apart."""
    joint, sentence = Item("stop"), list[Item]()
    for at, item in enumerate([*items, Item("stop")]):
        is_joint = item.kind in ("comma", "and", "except", "only") or item.text in ("but", "with")
        if item.kind == "stop" or item.text == "then" or (is_joint and _splits(sentence, item, items[at + 1 :])):
            yield joint, sentence
            joint, sentence = item, []
        elif sentence or item.text != "but":
            sentence.append(item)


def _splits(sentence: Sequence[Item], joint: Item, rest: Sequence[Item]) -> bool:
    """Return whether what follows a joint is said for itself."""
    in_sentence = list(takewhile(lambda item: item.kind != "stop", rest))
    has_part = has(sentence, "PART", "MARKS", "grid")
    if joint.kind == "except" or joint.text == "but":
        has_subject = _empties(sentence) or (has(sentence, "LETTER") and has_part)
        if has_subject and _names_other_letter(in_sentence):
            return True
    if joint.kind == "except" or has(in_sentence[:1], "EXCEPT"):
        return False
    ahead = list(takewhile(lambda item: item.kind != "comma", in_sentence))
    is_step = has(sentence, "LETTER") and has_part and _has_step(ahead) and not _has_step(sentence)
    begins = is_step or (has(ahead, "PART") and _empties(ahead))
    if joint.kind == "only" or joint.text == "with":
        return has_part and begins
    return has(sentence, "MARKS") or (has_part and begins) or _turns(sentence, ahead, has_part)


def _turns(sentence: Sequence[Item], ahead: Sequence[Item], has_part: bool) -> bool:
    """Return whether another kind of thing is said: "leave …, fill …", "row 3 is empty, row 4 has Ks"."""
    empties, near = words_for("leave") | words_for("erase"), ahead[:3]
    begins = has(near, *empties, *words_for("copied"), "SAME") or has(ahead[:2], "another")
    begins |= _empties(sentence) and not has(sentence, "LETTER", "REST") and has(ahead, "LETTER") and has(ahead, "PART")
    return (has_part and begins) or (has(sentence, *empties) and has(near, *words_for("fill")))


def _copy_signs(cells: Cells, drawn: Mapping[Cell, str], to: Cells, at: int) -> grid.LetterGrid:
    """Return the signs of the first line of some cells for the cells of other lines; `at`: 1 if they are columns."""
    first = min(cell[at] for cell in cells)
    pattern = {cell[not at]: drawn[cell] for cell in cells if cell[at] == first}
    return {cell: pattern[cell[not at]] for cell in sorted(to) if cell[not at] in pattern}


def _says_same(clause: Clause) -> bool:
    """Return whether a clause says "the same"; "again" may only repeat what else it says."""
    return ("same" in clause.kinds or clause.means("copied")) and not clause.means("erase", "alternate")


def _is_erasing(clause: Clause) -> bool:
    """Return whether a clause says that cells are to be empty."""
    letter, leaves = clause.letter, clause.means("leave")
    takes = "take" in clause.words and bool(clause.words & {"away", "off", "out"})
    says_nothing = clause.means("nothing") and "rest" not in clause.kinds and bool(clause.groups)
    is_emptied = letter is None and ("value" in clause.kinds or leaves or says_nothing)
    return clause.means("erase") or takes or is_emptied or (leaves and "except" not in clause.kinds)


def _is_counted_line(number: Item, line: Item, axis: str) -> bool:
    """Return whether a number of letters and a single line belong together; "the second" may be a line, too."""
    return number.kind == "number" and line.is_part and len(line.at) == 1 and line.axis in (axis, "")


def _empties(items: Sequence[Item]) -> bool:
    """Return whether items say that something is empty, before they name a letter."""
    unlettered = takewhile(lambda item: item.kind != "letter", items)
    return any(item.value == "empty" or item.text in words_for("nothing") for item in unlettered)


def _names_other_letter(items: Sequence[Item]) -> bool:
    """Return whether an exception has a letter of its own: "except column 3, which is M", "but put M in column 3"."""
    at = next((at for at, item in enumerate(items) if item.kind == "letter"), None)
    return at is not None and not has(items[:at], "AND") and len(group_items(items[:at])) < 2


def _has_step(items: Sequence[Item]) -> bool:
    return any(_step(items, at) for at in range(len(items)))


def _clauses(items: list[Item], is_within: bool) -> Iterator[Clause]:
    """Yield the clauses of a sentence: one for each letter that is not repeated."""
    letters = [at for at, item in enumerate(items) if item.kind == "letter"]
    if _is_single(items, letters):
        yield Clause(items, items[letters[0]].value if letters else None, is_within)
        return
    leads = not any(item.is_part for item in items[: letters[0]])
    follows = any(item.is_part for item in items[letters[-1] :])
    starts = [0, *(_start_of(items, before, at, leads or follows) for before, at in pairwise(letters))]
    for start, end, at in zip(starts, [*starts[1:], len(items)], letters, strict=True):
        yield Clause(items[start:end], items[at].value, is_within)


def _start_of(items: Sequence[Item], before: int, at: int, starts_with_letter: bool) -> int:
    """Return where the clause of a letter begins, after the letter before it: at the comma before its part, if any."""
    comma = next((n for n in range(at, before, -1) if items[n].kind in ("comma", "and")), at)
    if items[comma].kind == "comma" and has(items[comma:at], "PART"):
        return comma
    return at if starts_with_letter else before + 1


def _is_single(items: Sequence[Item], letters: Sequence[int]) -> bool:
    """Return whether a sentence is one clause, although it may name two letters: "change A to B", "an X of Ks"."""
    clause = Clause(items)
    pairs = (pairwise([*letters, len(items)]), pairwise([0, *letters]))
    is_listed = any(all(any(i.is_part for i in items[start:end]) for start, end in ends) for ends in pairs)
    if len(set(clause.letters)) < 2 and not (is_listed and len(letters) > 1):
        return True
    if clause.means("change", "alternate") or _has_step(items):
        return True
    is_parted = any(item.is_part for item in items[letters[0] : letters[-1]])
    is_shape = clause.means("draw", "big") and clause.means("made_of")
    return not is_parted and (is_shape or len(clause.groups) == len(clause.letters))


def _step(items: Sequence[Item], at: int) -> tuple[int, int] | None:
    """Return the direction that a word moves in, as in "below it", "to the right of that", "directly to its right"."""
    item, before, after = items[at], items[at - 1], items[at + 1 : at + 2]
    if item.kind == "move":
        return STEPS[item.value]
    is_side = item.kind == "side" and item.value in ("left", "right") and at > 0 and before.kind == "to"
    ends = not after or after[0].kind in ("stop", "comma", "and") or after[0].text == "of"
    return STEPS[item.value] if is_side and ends else None


def _steps(items: Sequence[Item]) -> tuple[int, int, list[tuple[int, int]]]:
    """Return where the first step and those listed with it begin and end, and their directions: "above and left of"."""
    steps = [(at, step) for at in range(len(items)) if (step := _step(items, at))]
    start = end = steps[0][0] if steps else 0
    for at, _ in steps[1:]:
        end = at if at == end + 2 and items[end + 1].kind in ("and", "comma") else end
    return start, end + 1, [step for at, step in steps if at <= end]


def _named_shape(clause: Clause) -> Cells:
    """Return the cells of a shape that a clause names, none if it names none."""
    words = clause.words
    if clause.means("chequered"):
        return frozenset(cell for cell in CELLS if sum(cell) % 2 == 0)
    if "diamond" in words and clause.means("solid", "rim"):
        return _cells_at(range(3) if clause.means("solid") else [2])
    if words & {"plus", "cross"}:
        is_small = "small" in words or any(item.number == SIZE and item.kind == "number" for item in clause.items)
        return _cells_at(range(2 if is_small else SIZE)) & (line_cells("row", [2]) | line_cells("column", [2]))
    return _letter_cells(clause.letters[0]) if _draws_letter(clause) else frozenset()


def _draws_letter(clause: Clause) -> bool:
    """Return whether a clause asks for the shape of a letter: "a big T", "an X of Ks"; not "a T with T: row 1 …"."""
    letters = clause.letters
    is_drawn_by_lines = len(set(letters)) == 1 and any(group.is_line for group in clause.groups)
    if len(letters) == 2 and not is_drawn_by_lines and clause.means("made_of"):
        return clause.means("draw", "big")
    return bool(letters) and clause.means("big") and clause.means("draw") and not clause.groups


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
    is_middle = many % 2 and any(item.kind == "places" and item.value == "middle" for item in clause.items)
    words = {text for item in clause.items for text in (item.text, item.value)}
    down = bool(words & words_for("down")) or _line_axis(clause) == "column"
    away = -1 if start[not down] > SIZE // 2 and start[not down] + many > SIZE else 1
    steps = range(-(many // 2), many // 2 + 1) if is_middle else range(0, many * away, away)
    return ALL & {(start[0] + n * down, start[1] + n * (not down)) for n in steps}


def _line_axis(clause: Clause) -> str:
    """Return the axis of the line that a run is in: "three Ks in column 2 from row 3 on", "in row 3 of column 2"."""
    lines = [(at, item) for at, item in enumerate(clause.items) if item.kind == "lines"]
    start = clause.place_of("from", len(clause.items))
    is_of = len(lines) == 2 and clause.items[lines[1][0] - 1].text == "of"
    led = [item.axis for at, item in lines if at < start]
    return lines[-1][1].axis if is_of or len(lines) == 1 else led[0] if len(led) == 1 else ""
