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
    ALL_CELLS,
    NUMBER_RULES,
    SEQUENCE_RULES,
    CellGroup,
    Saying,
    block_cells,
    group_signs,
    line_cells,
    read_grid_signs,
)
from games.common.language.signs import OPPOSITE, RULES, SIDE_AXES, Cells, Sign, find_letters, has, words_for
from games.imagegame import grid

MAX_COMMAND_LENGTH = 1000
"""Characters of a command that are read."""
STEP_BY_DIRECTION = {"below": (1, 0), "above": (-1, 0), "left": (0, -1), "right": (0, 1)}
NamedLines = tuple[str, tuple[int, ...]]


def find_offered_letters(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    drawn_letters = [sign for sign in drawing if sign.isascii() and sign.isupper()]
    return tuple(dict.fromkeys([*find_letters(command[:MAX_COMMAND_LENGTH]), *drawn_letters]))


# ---------------------------------------------------------------------- words of commands
def _read_around_centre(phrase_match: PhraseMatch) -> Sign:
    """Read "around the centre" as the eight cells there; four if so many were counted."""
    is_cross_shape = any(item.number == 4 for item in phrase_match.output[-4:])
    ring_cells = _list_cells_at([1]) if is_cross_shape else block_cells(1, 1, 3, 3) - {CENTRE}
    return Sign("cells", "ring", cells=ring_cells)


def _read_both_sides(phrase_match: PhraseMatch) -> list[Sign] | None:
    """Read "on both sides of", "left and right of", "above and below it" as two steps."""
    if phrase_match.sign_before().text == "of":
        return None
    directions = ("above", "below") if phrase_match.sign("way").sense in ("top", "bottom") else ("left", "right")
    return [Sign("move", directions[0]), Sign("and"), Sign("move", directions[1])]


DRAWING_RULES = make_rules(RULES.drawing, globals())
CORRECTION_RULES = make_rules(RULES.taken_back, globals())


class Clause(Saying):
    """A part of a command with at most one letter that is drawn; `is_within`: it is about cells of the one before."""

    exception_words = words_for("not_drawn")

    def __init__(self, items: Sequence[Sign], letter: str | None = None, is_within: bool = False) -> None:
        super().__init__(items)
        self.letter, self.is_within = letter, is_within
        self.letters = [item.sense for item in items if item.kind == "letter"]

    def find_position(self, item_kind: str, default_position: int) -> int:
        """Return where its first sign of a kind stands."""
        return next((position for position, item in enumerate(self.signs) if item.kind == item_kind), default_position)

    @property
    def letter_count(self) -> int:
        """How many letters it asks for: "three Qs", "C three times", "E E E E"; 0 where it does not say."""
        for item, next_item in pairwise(self.signs):
            is_letter_count = next_item.kind == "letter" or next_item.text in ("time", "times")
            if item.kind == "number" and is_letter_count:
                return item.number
        is_letter_row = any(item.kind == next_item.kind == "letter" for item, next_item in pairwise(self.signs))
        return len(self.letters) if is_letter_row else 0


@dataclass
class Drawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawn_grid: grid.LetterGrid
    grid_before: grid.LetterGrid
    letter: str | None = None
    last_cells: Cells = frozenset()
    named_lines: NamedLines | None = None
    """The lines that were named last."""
    clause_cells: Cells = frozenset()
    """The cells that the clause before was about."""
    frame_line: NamedLines | None = None
    """The line in which cells were named in this sentence: "in row 2, column 3 is A, column 4 is B"."""
    counted_line: tuple[Cells, int] = (frozenset(), 0)
    """A line of which so many cells were to be filled."""

    @classmethod
    def start_empty(cls) -> Drawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse_grid(grid.BLANK_GRID), grid.parse_grid(grid.BLANK_GRID))

    def carry_out(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        items = rewrite(
            rewrite(rewrite(read_grid_signs(command[:MAX_COMMAND_LENGTH]), DRAWING_RULES), NUMBER_RULES), SEQUENCE_RULES
        )
        command_words, names_part = {item.text for item in items}, any(item.is_part for item in items)
        if command_words & words_for("undo"):
            self.drawn_grid, self.grid_before = self.grid_before, self.drawn_grid
            return self.drawn_grid
        if self._read_correction(items, command_words, names_part):
            return self.drawn_grid
        if command_words & {"centre", "grid"} and not any(
            item.kind == "lines" and item.sense != "edge" for item in items
        ):
            self.named_lines = None  # "in the centre": of the grid
        self.grid_before = dict(self.drawn_grid)
        sign_rows = [item.marks for item in items if item.kind == "marks"]
        if len(sign_rows) == SIZE and not names_part:
            self._put_signs(
                {
                    (row_number, column): sign or EMPTY
                    for row_number, sign_row in enumerate(sign_rows)
                    for column, sign in enumerate(sign_row)
                }
            )
            return self.drawn_grid
        for joint, sentence in _split_sentences(items):
            self.frame_line = None if joint.kind == "stop" else self.frame_line
            for clause in _split_clauses(sentence, _is_about_earlier_cells(joint)):
                self._draw_clause(clause)
        return self.drawn_grid

    def _read_correction(self, items: Sequence[Sign], command_words: Set[str], names_part: bool) -> bool:
        """Read "sorry, I meant row 2, not row 3", "no, the letter is Q": what was drawn last is moved or renamed."""
        letters = {item.sense for item in items if item.kind == "letter"}
        other_kinds = {item.kind for item in items} & {"rest", "same", "move", "value", "except", "marks"}
        if (
            not command_words & words_for("correction")
            or not self.last_cells
            or other_kinds
            or command_words & words_for("other_command")
        ):
            return False
        if len(letters) == 1 and not names_part:
            self._put_signs(
                {cell: letter for letter in letters for cell in self.last_cells if self.drawn_grid[cell] != EMPTY}
            )
            return True
        clause = Clause(rewrite(items, CORRECTION_RULES))
        if letters or not clause.groups:
            return False
        drawn_before, self.drawn_grid = self.drawn_grid, self.grid_before
        last_signs = [drawn_before[cell] for cell in self.last_cells]
        if not self._read_copy(clause, drawn_before):
            self._put_signs(dict.fromkeys(self._find_cells(clause), last_signs[0]))
        return True

    def _draw_clause(self, clause: Clause) -> None:
        """Draw one clause."""
        clause_readers = (
            self._read_change,
            self._read_row_signs,
            self._read_alternation,
            self._read_letter_pairs,
            self._read_counts,
            self._read_shape,
        )
        is_relative_place = any(
            item.text == "next" and next_item.kind == "to" for item, next_item in pairwise(clause.signs)
        )
        if is_relative_place or clause.means("undrawn"):
            return
        if any(
            read_clause(clause)
            for read_clause in (*clause_readers, self._read_copy, self._read_move, self._read_erasure)
        ):
            return
        cells, clause_letter = self._find_cells(clause), clause.letter or self.letter
        if cells and clause_letter:
            self._put_signs(dict.fromkeys(self._limit_to_count(cells, clause), clause_letter))
        self.letter = clause_letter

    def _put_signs(self, signs: Mapping[Cell, str]) -> None:
        """Change cells."""
        self.drawn_grid = {cell: signs.get(cell, self.drawn_grid[cell]) for cell in CELLS}
        self.last_cells = frozenset(signs)
        self.letter = next((sign for sign in signs.values() if sign != EMPTY), self.letter)

    # ------------------------------------------------------------------ kinds of clauses
    def _read_change(self, clause: Clause) -> bool:
        """Read "replace every X by Y", "change the C in the corner to a D"."""
        if len(clause.letters) != 2 or not clause.means("change"):
            return False
        old_letter, new_letter = clause.letters
        self._put_signs(
            {cell: new_letter for cell in self._find_cells(clause) or ALL_CELLS if self.drawn_grid[cell] == old_letter}
        )
        return True

    def _read_row_signs(self, clause: Clause) -> bool:
        """Read "row 2: ▢ A ▢ ▢ ▢"."""
        row_signs = next((item.marks for item in clause.signs if item.kind == "marks"), None)
        if not row_signs or not clause.groups or len(clause.groups[0].axes) != 1:
            return False
        axis, numbers = clause.groups[0].line
        self._put_signs({cell: row_signs[cell[axis == "row"]] or EMPTY for cell in line_cells(axis, numbers)})
        return True

    def _read_alternation(self, clause: Clause) -> bool:
        """Read "alternating A and B in the top row"."""
        letters = list(dict.fromkeys(clause.letters))
        if len(letters) < 2 or not clause.means("alternate"):
            return False
        line_axes = {line_axis for group in clause.groups for line_axis in group.axes}
        line_axes = line_axes or {
            OPPOSITE[item.sense] for item in clause.signs if item.plural and item.sense in OPPOSITE
        }
        moves_down, moves_across = line_axes != {"row"}, line_axes != {"column"}
        cells = self._find_cells(clause) or ALL_CELLS
        self._put_signs(
            {(row, column): letters[(row * moves_down + column * moves_across) % len(letters)] for row, column in cells}
        )
        return True

    def _read_letter_pairs(self, clause: Clause) -> bool:
        """Read "A, B and C in the top left, the top right and the centre"."""
        group_cells = [group.cells(self.named_lines) for group in clause.groups]
        if len(set(clause.letters)) < 2 or [len(part_cells) for part_cells in group_cells] != [1] * len(clause.letters):
            return False
        self._put_signs(
            {
                cell: letter
                for part_cells, letter in zip(group_cells, clause.letters, strict=True)
                for cell in part_cells
            }
        )
        return True

    def _read_counts(self, clause: Clause) -> bool:
        """Read "one Q in row 1, two in row 2 and three in row 3, all from the right", "row 1: one Q, row 2: two Qs"."""
        counted_items = [item for item in clause.signs if item.is_part or item.kind in ("number", "side")]
        letter_count = sum(item.kind == "number" for item in counted_items)
        count_pairs = [
            sorted(count_pair, key=lambda counted_item: counted_item.is_part)
            for count_pair in zip(counted_items[::2], counted_items[1::2], strict=False)
        ]
        letter, side_items, count_pairs = (
            clause.letter or self.letter,
            counted_items[2 * letter_count :],
            count_pairs[:letter_count],
        )
        if (
            letter_count < 2
            or len(count_pairs) < letter_count
            or not letter
            or any(side_item.sense == "cell" for side_item in side_items)
        ):
            return False
        line_axis = count_pairs[0][1].axis
        if line_axis not in OPPOSITE or not all(
            _is_counted_line(count_item, line_item, line_axis) for count_item, line_item in count_pairs
        ):
            return False
        is_from_end = any({side_item.sense, side_item.text} & {"right", "bottom"} for side_item in side_items)
        counted_lines = [
            (count_item.number, sorted(line_cells(line_axis, line_item.at), reverse=is_from_end))
            for count_item, line_item in count_pairs
        ]
        self._put_signs(
            {
                cell: letter
                for count_item, line_cells_in_order in counted_lines
                for cell in line_cells_in_order[:count_item]
            }
        )
        return True

    def _read_shape(self, clause: Clause) -> bool:
        """Read "a big T", "a plus sign", "a checkerboard", of a letter."""
        letters, shape_cells = clause.letters, _find_shape_cells(clause)
        if not shape_cells or (not letters and not self.letter):
            return False
        is_ink = bool(letters) and (clause.means("made_of") or len(set(letters)) == 1)
        self._put_signs(dict.fromkeys(shape_cells, letters[-1] if is_ink else self.letter or letters[0]))
        return True

    def _read_copy(self, clause: Clause, source_grid: grid.LetterGrid | None = None) -> bool:
        """Read "the same for the bottom row", "row 4 is like row 2": what was drawn last, or the line that is named.

        It is copied to other lines of the same kind; `source_grid` is the grid to copy from if not the present one.
        """
        says_same = source_grid is not None or _says_same(clause)
        says_copy = says_same or (clause.letter is None and clause.means("too"))
        named_lines = [group.line for group in clause.groups if group.is_line]
        if not says_copy or not named_lines or not clause.groups[-1].is_line:
            return False
        copied_cells, (line_axis, line_numbers) = self.last_cells, named_lines[-1]
        if (
            says_same
            and [named_line[0] for named_line in named_lines] == [line_axis, line_axis]
            and len(line_numbers) == 1
            and not clause.letters
        ):
            copied_cells, line_numbers = line_cells(line_axis, line_numbers), named_lines[0][1]
        axis_index = line_axis == "column"
        if not copied_cells or (_measure_extent(copied_cells)[axis_index] == SIZE and not says_same):
            return False
        copied_signs = _copy_signs(
            copied_cells, source_grid or self.drawn_grid, line_cells(line_axis, line_numbers), axis_index
        )
        self._put_signs({cell: clause.letter or sign for cell, sign in copied_signs.items()})
        return True

    def _read_move(self, clause: Clause) -> bool:
        """Read "one above that", "two more Ks below it", "another one directly to its right"."""
        start_index, end_index, step_directions = _read_steps(clause.signs)
        letter = clause.letter or self.letter
        if not step_directions or not letter:
            return False
        items_after = [item for item in clause.signs[end_index:] if item.kind != "letter" or len(clause.letters) > 1]
        items_before, base_cells = clause.signs[:start_index], self._find_move_base(items_after)
        letter_count = Clause([item for item in items_before if item.text != "more"]).letter_count
        distances = range(1, letter_count + 1) if letter_count > 1 and len(base_cells) == 1 else (1,)
        moved_cells = ALL_CELLS & {
            (row + distance * row_step, column + distance * column_step)
            for row, column in base_cells
            for row_step, column_step in step_directions
            for distance in distances
        }
        self._put_signs(dict.fromkeys(moved_cells, EMPTY if clause.means("erase") else letter))
        return bool(moved_cells)

    def _find_move_base(self, items: Sequence[Sign]) -> Cells:
        """Return what a move starts from: cells named after it, the letters named there, or what was drawn last."""
        base_cells: Cells = frozenset().union(*[group.cells(self.named_lines) for group in group_signs(items)])
        mentioned_letter = next((item.sense for item in items if item.kind == "letter"), None)
        lettered_cells = frozenset(cell for cell in base_cells or CELLS if self.drawn_grid[cell] == mentioned_letter)
        return (lettered_cells or base_cells) if mentioned_letter else base_cells or self.last_cells

    def _read_erasure(self, clause: Clause) -> bool:
        """Read "clear the bottom row", "remove the X from …", "row 3 is empty", "leave the first column empty"."""
        erased_letter = clause.letter
        if not _is_erasing(clause):
            return False
        erased_cells = self._find_cells(clause) or (
            ALL_CELLS if erased_letter or "all" in clause.kinds else self._find_letters_at_side(clause)
        )
        erased_cells = erased_cells or (self.last_cells if clause.words & {"it", "them", "again"} else frozenset())
        self.drawn_grid = {
            cell: EMPTY if cell in erased_cells and erased_letter in (None, sign) else sign
            for cell, sign in self.drawn_grid.items()
        }
        counted_cells, letter_count = self.counted_line
        if (
            erased_letter is None
            and erased_cells < counted_cells
            and len(counted_cells - erased_cells) == letter_count
            and self.letter
        ):
            self._put_signs(
                dict.fromkeys(counted_cells - erased_cells, self.letter)
            )  # "four Ks in row 2, the second cell is empty"
        return True

    def _find_letters_at_side(self, clause: Clause) -> Cells:
        """Return the letters that "the two at the bottom", "the one on the left" mean: exactly so many, else none."""
        side_item = next((item for item in clause.signs if item.kind == "side"), None)
        if not side_item:
            return frozenset()
        side_cells = line_cells(SIDE_AXES.get(side_item.sense, "column"), side_item.at)
        drawn_cells = frozenset(cell for cell in side_cells if self.drawn_grid[cell] != EMPTY)
        letter_count = next((item.number for item in clause.signs if item.kind == "number"), len(side_item.at))
        means_all = any(item.plural or item.kind == "all" for item in clause.signs)
        return drawn_cells if len(drawn_cells) == letter_count or means_all else frozenset()

    # ------------------------------------------------------------------ cells
    def _find_cells(self, clause: Clause) -> Cells:
        """Return the cells that a clause names, less those that it excepts; keep its lines as context."""
        groups = clause.groups
        cells = self._unite_groups(groups, clause) if groups else self._find_drawn_corners(clause)
        if not groups and clause.means("whole_grid") and clause.words & {"grid", "board"}:
            return ALL_CELLS
        if "rest" in clause.kinds:
            cells = frozenset(cell for cell in (cells if groups else ALL_CELLS) if self.drawn_grid[cell] == EMPTY)
        if clause.is_within:
            cells = (cells & self.clause_cells) or cells
        self.clause_cells = cells
        line_groups = [group.line for group in groups if group.axes]
        self.named_lines = line_groups[-1] if line_groups else self.named_lines
        return self._exclude_cells(cells, clause, bool(line_groups))

    def _exclude_cells(self, cells: Cells, clause: Clause, names_line: bool) -> Cells:
        """Return cells without those of an exception, of which places are within the lines that are named."""
        excepted_cells = [group.cells(self.named_lines if names_line else None) for group in clause.exception_groups]
        side_items = [
            side_item
            for side_item in clause.exception_signs
            if side_item.kind == "side" and side_item.sense in SIDE_AXES
        ]
        excepted_cells += [line_cells(SIDE_AXES[side_item.sense], side_item.at) for side_item in side_items]
        return (cells or ALL_CELLS).difference(*excepted_cells) if clause.exception_signs else cells

    def _complete_with_frame(self, groups: Sequence[CellGroup], clause: Clause) -> None:
        """Read "column 4" within the row in which a column was named before, in the same sentence."""
        for group in groups:
            if len(group.axes) == 2:
                self.frame_line = group.line
            elif (
                group.is_line
                and self.frame_line
                and group.line[0] == OPPOSITE[self.frame_line[0]]
                and not clause.means("fully")
            ):
                group.axes[self.frame_line[0]] = self.frame_line[1]

    def _find_drawn_corners(self, clause: Clause) -> Cells:
        """Return the corners with a letter if a clause names "the corner"."""
        names_corner = any(item.sense == "corner" for item in clause.signs)
        return frozenset(cell for cell in CORNER_BY_NAME.values() if names_corner and self.drawn_grid[cell] != EMPTY)

    def _unite_groups(self, groups: Sequence[CellGroup], clause: Clause) -> Cells:
        """Return the cells of groups; all between two groups that "to" or "connect" joins."""
        self._complete_with_frame(groups, clause)
        cells_by_group, group_names = (
            [group.cells(self.named_lines) for group in groups],
            [group.signs[0].sense for group in groups],
        )
        blocks = [
            part_cells
            for part_cells, group_name in zip(cells_by_group, group_names, strict=True)
            if group_name == "block"
        ]
        if blocks and (clause.means("rim") or "border" in group_names):
            cells_by_group = [
                part_cells - block_cells(*min(part_cells), *_measure_extent(part_cells), margin=1)
                for part_cells in blocks
            ]
        union_cells: Cells = frozenset().union(*cells_by_group)
        spans_cells = "to" in clause.words and [len(part_cells) for part_cells in cells_by_group] == [1, 1]
        return (
            _list_cells_between(union_cells)
            if union_cells and (spans_cells or clause.means("connect"))
            else union_cells
        )

    def _limit_to_count(self, cells: Cells, clause: Clause) -> Cells:
        """Return as many cells as were counted: "three Cs in the top row", "three R's going down from the corner"."""
        letter_count = clause.letter_count
        item_pairs = enumerate(pairwise([Sign("stop"), *clause.signs]))
        from_index = next(
            (
                item_index
                for item_index, (item_before, item) in item_pairs
                if item.kind == "from" and item_before.text != "apart"
            ),
            None,
        )
        if not letter_count and from_index is not None:
            return self._extend_line(cells, clause, from_index)
        if (
            letter_count == 1
            and not clause.means("fully")
            and clause.groups
            and all(group.is_line for group in clause.groups)
        ):
            return frozenset(sorted(cells)[:1])
        if letter_count < 2 or (letter_count >= SIZE and len(cells) > 1):
            return cells
        if len(cells) == 1:
            return _list_run_cells(next(iter(cells)), letter_count, clause)
        names_end_side = any(item.kind == "side" and item.sense in ("right", "bottom") for item in clause.signs)
        starts_at_end = names_end_side or bool(clause.words & {"ends", "ending"})
        self.counted_line = cells, letter_count
        return frozenset(sorted(cells, reverse=starts_at_end)[:letter_count])

    def _extend_line(self, cells: Cells, clause: Clause, from_index: int) -> Cells:
        """Return a line from a place on: "the first column, starting from the second row", "row 4 from column 2 on"."""
        groups_before, groups_after = group_signs(clause.signs[:from_index]), group_signs(clause.signs[from_index:])
        if not groups_before:
            comma_index = clause.find_position("comma", len(clause.signs))
            groups_before, groups_after = (
                group_signs(clause.signs[comma_index:]),
                group_signs(clause.signs[:comma_index]),
            )
        if not groups_before or len(groups_after) != 1 or len(groups_before[-1].axes) != 1:
            return cells
        line_axis, _ = groups_before[-1].line
        if groups_before[-1].signs[-1].sense == "alternating" and groups_before[-1].is_line:
            return line_cells(line_axis, range((groups_after[0].places or groups_after[0].line[1] or (0,))[0], SIZE, 2))
        line_cells_named, cross_axis = groups_before[-1].cells(), int(line_axis == "row")
        start_numbers = {cell[cross_axis] for cell in groups_after[0].cells(groups_before[-1].line)}
        return (
            frozenset(cell for cell in line_cells_named if cell[cross_axis] >= min(start_numbers))
            if len(start_numbers) == 1
            else cells
        )


def _is_about_earlier_cells(joint: Sign) -> bool:
    """Return whether what follows a joint is about cells that were named before it: "…, only the last is empty"."""
    return joint.kind in ("except", "only") or joint.text in ("with", "but")


def _split_sentences(items: Sequence[Sign]) -> Iterator[tuple[Sign, list[Sign]]]:
    """Yield the signs of each sentence after what joins it to the one before: what is said for itself stands apart."""
    joint, sentence = Sign("stop"), list[Sign]()
    for item_index, item in enumerate([*items, Sign("stop")]):
        is_joint = item.kind in ("comma", "and", "except", "only") or item.text in ("but", "with")
        if (
            item.kind == "stop"
            or item.text == "then"
            or (is_joint and _is_separate_sentence(sentence, item, items[item_index + 1 :]))
        ):
            yield joint, sentence
            joint, sentence = item, []
        elif sentence or item.text != "but":
            sentence.append(item)


def _is_separate_sentence(sentence: Sequence[Sign], joint: Sign, items_after: Sequence[Sign]) -> bool:
    """Return whether what follows a joint is said for itself."""
    sentence_items = list(takewhile(lambda item: item.kind != "stop", items_after))
    has_part = has(sentence, "PART", "MARKS", "grid")
    if joint.kind == "except" or joint.text == "but":
        has_subject = _says_empty(sentence) or (has(sentence, "LETTER") and has_part)
        if has_subject and _names_other_letter(sentence_items):
            return True
    if joint.kind == "except" or has(sentence_items[:1], "EXCEPT"):
        return False
    items_ahead = list(takewhile(lambda item: item.kind != "comma", sentence_items))
    adds_step = has(sentence, "LETTER") and has_part and _has_step(items_ahead) and not _has_step(sentence)
    begins_part = adds_step or (has(items_ahead, "PART") and _says_empty(items_ahead))
    if joint.kind == "only" or joint.text == "with":
        return has_part and begins_part
    return has(sentence, "MARKS") or (has_part and begins_part) or _changes_subject(sentence, items_ahead, has_part)


def _changes_subject(sentence: Sequence[Sign], items_ahead: Sequence[Sign], has_part: bool) -> bool:
    """Return whether another kind of thing is said: "leave …, fill …", "row 3 is empty, row 4 has Ks"."""
    emptying_words, nearest_items = words_for("leave") | words_for("erase"), items_ahead[:3]
    begins_subject = has(nearest_items, *emptying_words, *words_for("copied"), "SAME") or has(
        items_ahead[:2], "another"
    )
    begins_subject |= (
        _says_empty(sentence)
        and not has(sentence, "LETTER", "REST")
        and has(items_ahead, "LETTER")
        and has(items_ahead, "PART")
    )
    return (has_part and begins_subject) or (has(sentence, *emptying_words) and has(nearest_items, *words_for("fill")))


def _copy_signs(cells: Cells, source_grid: Mapping[Cell, str], target_cells: Cells, axis_index: int) -> grid.LetterGrid:
    """Return the signs of the first line of some cells for other lines; `axis_index` is 1 if they are columns."""
    first_line = min(cell[axis_index] for cell in cells)
    sign_by_position = {cell[not axis_index]: source_grid[cell] for cell in cells if cell[axis_index] == first_line}
    return {
        cell: sign_by_position[cell[not axis_index]]
        for cell in sorted(target_cells)
        if cell[not axis_index] in sign_by_position
    }


def _says_same(spoken_clause: Clause) -> bool:
    """Return whether a clause says "the same"; "again" may only repeat what else it says."""
    return ("same" in spoken_clause.kinds or spoken_clause.means("copied")) and not spoken_clause.means(
        "erase", "alternate"
    )


def _is_erasing(clause: Clause) -> bool:
    """Return whether a clause says that cells are to be empty."""
    letter, says_leave = clause.letter, clause.means("leave")
    says_take = "take" in clause.words and bool(clause.words & {"away", "off", "out"})
    says_nothing = clause.means("nothing") and "rest" not in clause.kinds and bool(clause.groups)
    is_emptied = letter is None and ("value" in clause.kinds or says_leave or says_nothing)
    return clause.means("erase") or says_take or is_emptied or (says_leave and "except" not in clause.kinds)


def _is_counted_line(count_item: Sign, line_item: Sign, line_axis: str) -> bool:
    """Return whether a number of letters and a single line belong together; "the second" may be a line, too."""
    return (
        count_item.kind == "number"
        and line_item.is_part
        and len(line_item.at) == 1
        and line_item.axis in (line_axis, "")
    )


def _says_empty(items: Sequence[Sign]) -> bool:
    """Return whether signs say that something is empty, before they name a letter."""
    items_before_letter = takewhile(lambda item: item.kind != "letter", items)
    return any(item.sense == "empty" or item.text in words_for("nothing") for item in items_before_letter)


def _names_other_letter(items: Sequence[Sign]) -> bool:
    """Return whether an exception has a letter of its own: "except column 3, which is M", "but put M in column 3"."""
    letter_index = next((letter_index for letter_index, item in enumerate(items) if item.kind == "letter"), None)
    return (
        letter_index is not None and not has(items[:letter_index], "AND") and len(group_signs(items[:letter_index])) < 2
    )


def _has_step(items: Sequence[Sign]) -> bool:
    return any(_read_step(items, item_index) for item_index in range(len(items)))


def _split_clauses(items: list[Sign], is_within: bool) -> Iterator[Clause]:
    """Yield the clauses of a sentence: one for each letter that is not repeated."""
    letter_indices = [letter_index for letter_index, item in enumerate(items) if item.kind == "letter"]
    if _is_single_clause(items, letter_indices):
        yield Clause(items, items[letter_indices[0]].sense if letter_indices else None, is_within)
        return
    leads_with_letter = not any(item.is_part for item in items[: letter_indices[0]])
    has_part_after = any(item.is_part for item in items[letter_indices[-1] :])
    clause_starts = [
        0,
        *(
            _find_clause_start(items, letter_before, letter_index, leads_with_letter or has_part_after)
            for letter_before, letter_index in pairwise(letter_indices)
        ),
    ]
    for clause_start, clause_end, letter_index in zip(
        clause_starts, [*clause_starts[1:], len(items)], letter_indices, strict=True
    ):
        yield Clause(items[clause_start:clause_end], items[letter_index].sense, is_within)


def _find_clause_start(items: Sequence[Sign], letter_before: int, letter_index: int, starts_with_letter: bool) -> int:
    """Return where the clause of a letter begins, after the letter before it: at the comma before its part, if any."""
    comma_index = next(
        (
            item_index
            for item_index in range(letter_index, letter_before, -1)
            if items[item_index].kind in ("comma", "and")
        ),
        letter_index,
    )
    if items[comma_index].kind == "comma" and has(items[comma_index:letter_index], "PART"):
        return comma_index
    return letter_index if starts_with_letter else letter_before + 1


def _is_single_clause(items: Sequence[Sign], letter_indices: Sequence[int]) -> bool:
    """Return whether a sentence is one clause, although it may name two letters: "change A to B", "an X of Ks"."""
    clause = Clause(items)
    boundary_pairs = (pairwise([*letter_indices, len(items)]), pairwise([0, *letter_indices]))
    has_part_per_letter = any(
        all(any(item.is_part for item in items[start_index:end_index]) for start_index, end_index in index_pairs)
        for index_pairs in boundary_pairs
    )
    if len(set(clause.letters)) < 2 and not (has_part_per_letter and len(letter_indices) > 1):
        return True
    if clause.means("change", "alternate") or _has_step(items):
        return True
    has_part_between = any(item.is_part for item in items[letter_indices[0] : letter_indices[-1]])
    names_shape = clause.means("draw", "big") and clause.means("made_of")
    return not has_part_between and (names_shape or len(clause.groups) == len(clause.letters))


def _read_step(items: Sequence[Sign], item_index: int) -> tuple[int, int] | None:
    """Return the direction that a word moves in, as in "below it", "to the right of that", "directly to its right"."""
    item, item_before, items_after = items[item_index], items[item_index - 1], items[item_index + 1 : item_index + 2]
    if item.kind == "move":
        return STEP_BY_DIRECTION[item.sense]
    names_side = item.kind == "side" and item.sense in ("left", "right") and item_index > 0 and item_before.kind == "to"
    ends_phrase = not items_after or items_after[0].kind in ("stop", "comma", "and") or items_after[0].text == "of"
    return STEP_BY_DIRECTION[item.sense] if names_side and ends_phrase else None


def _read_steps(items: Sequence[Sign]) -> tuple[int, int, list[tuple[int, int]]]:
    """Return where the first step and those listed with it begin and end, and their directions: "above and left of"."""
    found_steps = [(item_index, step) for item_index in range(len(items)) if (step := _read_step(items, item_index))]
    start_index = end_index = found_steps[0][0] if found_steps else 0
    for item_index, _ in found_steps[1:]:
        end_index = (
            item_index if item_index == end_index + 2 and items[end_index + 1].kind in ("and", "comma") else end_index
        )
    return start_index, end_index + 1, [step for item_index, step in found_steps if item_index <= end_index]


def _find_shape_cells(clause: Clause) -> Cells:
    """Return the cells of a shape that a clause names, none if it names none."""
    words = clause.words
    if clause.means("chequered"):
        return frozenset(cell for cell in CELLS if sum(cell) % 2 == 0)
    if "diamond" in words and clause.means("solid", "rim"):
        return _list_cells_at(range(3) if clause.means("solid") else [2])
    if words & {"plus", "cross"}:
        is_small_cross = "small" in words or any(item.number == SIZE and item.kind == "number" for item in clause.signs)
        return _list_cells_at(range(2 if is_small_cross else SIZE)) & (
            line_cells("row", [2]) | line_cells("column", [2])
        )
    return _sketch_letter_cells(clause.letters[0]) if _draws_letter(clause) else frozenset()


def _draws_letter(clause: Clause) -> bool:
    """Return whether a clause asks for the shape of a letter: "a big T", "an X of Ks"; not "a T with T: row 1 …"."""
    letters = clause.letters
    is_drawn_by_lines = len(set(letters)) == 1 and any(group.is_line for group in clause.groups)
    if len(letters) == 2 and not is_drawn_by_lines and clause.means("made_of"):
        return clause.means("draw", "big")
    return bool(letters) and clause.means("big") and clause.means("draw") and not clause.groups


def _sketch_letter_cells(letter: str) -> Cells:
    sketch_rows = grids.LETTER_SKETCHES[letter].split()
    return frozenset(cell for cell in CELLS if sketch_rows[cell[0]][cell[1]] == "X")


def _measure_extent(cells: Cells) -> tuple[int, int]:
    """Return in how many rows and columns cells are."""
    return len({row for row, _ in cells}), len({column for _, column in cells})


def _list_cells_at(distances: Sequence[int]) -> Cells:
    """Return the cells so many steps away from the centre."""
    return frozenset(
        (row, column) for row, column in CELLS if abs(row - CENTRE[0]) + abs(column - CENTRE[1]) in distances
    )


def _list_cells_between(cells: Cells) -> Cells:
    """Return all cells on the straight line, or in the rectangle, that some cells span."""
    row_numbers, column_numbers = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
    line_ranges = range(row_numbers[0], row_numbers[-1] + 1), range(column_numbers[0], column_numbers[-1] + 1)
    if len(row_numbers) == len(column_numbers) == 2 and len(line_ranges[0]) == len(line_ranges[1]):
        return frozenset(
            zip(
                line_ranges[0],
                line_ranges[1] if min(cells)[1] == column_numbers[0] else reversed(line_ranges[1]),
                strict=True,
            )
        )
    return frozenset((row, column) for row in line_ranges[0] for column in line_ranges[1])


def _list_run_cells(start_cell: Cell, cell_count: int, clause: Clause) -> Cells:
    """Return some cells in a row from a cell on, away from the edge, or around the middle of a line."""
    is_around_middle = cell_count % 2 and any(item.kind == "places" and item.sense == "middle" for item in clause.signs)
    clause_words = {item_text for item in clause.signs for item_text in (item.text, item.sense)}
    runs_down = bool(clause_words & words_for("down")) or _find_line_axis(clause) == "column"
    run_direction = -1 if start_cell[not runs_down] > SIZE // 2 and start_cell[not runs_down] + cell_count > SIZE else 1
    run_steps = (
        range(-(cell_count // 2), cell_count // 2 + 1)
        if is_around_middle
        else range(0, cell_count * run_direction, run_direction)
    )
    return ALL_CELLS & {
        (start_cell[0] + run_step * runs_down, start_cell[1] + run_step * (not runs_down)) for run_step in run_steps
    }


def _find_line_axis(clause: Clause) -> str:
    """Return the axis of the line that a run is in: "three Ks in column 2 from row 3 on", "in row 3 of column 2"."""
    indexed_lines = [(item_index, item) for item_index, item in enumerate(clause.signs) if item.kind == "lines"]
    from_index = clause.find_position("from", len(clause.signs))
    is_joined_by_of = len(indexed_lines) == 2 and clause.signs[indexed_lines[1][0] - 1].text == "of"
    axes_before = [item.axis for item_index, item in indexed_lines if item_index < from_index]
    return (
        indexed_lines[-1][1].axis
        if is_joined_by_of or len(indexed_lines) == 1
        else axes_before[0]
        if len(axes_before) == 1
        else ""
    )
