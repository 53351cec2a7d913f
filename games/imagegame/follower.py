"""How the scripted follower understands commands: clauses with a letter and parts of the grid, drawn one by one.

The parts of a grid are read by `games/common/language/regions.py`. What is not understood changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise, takewhile

from games.common import grids
from games.common.grids import CENTRE_CELL, CORNER_BY_NAME, EMPTY_MARK, GRID_CELLS, GRID_SIZE, Cell
from games.common.language.phrases import PhraseMatch, make_rules, rewrite
from games.common.language.regions import (
    ALL_CELLS,
    NUMBER_RULES,
    SEQUENCE_RULES,
    CellGroup,
    Saying,
    block_cells,
    group_terms,
    line_cells,
    read_grid_terms,
)
from games.common.language.terms import OPPOSITE, RULES, SIDE_AXES, Cells, Term, find_letters, has, words_for
from games.imagegame import grid

MAX_COMMAND_LENGTH = 1000
"""Characters of a command that are read."""
STEP_BY_DIRECTION = {"below": (1, 0), "above": (-1, 0), "left": (0, -1), "right": (0, 1)}
NamedLines = tuple[str, tuple[int, ...]]


def find_offered_letters(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    drawn_letters = [term for term in drawing if term.isascii() and term.isupper()]
    return tuple(dict.fromkeys([*find_letters(command[:MAX_COMMAND_LENGTH]), *drawn_letters]))


# ---------------------------------------------------------------------- words of commands
def _read_around_centre(phrase_match: PhraseMatch) -> Term:
    """Read "around the centre" as the eight cells there; four if so many were counted."""
    is_cross_shape = any(term.number == 4 for term in phrase_match.output[-4:])
    ring_cells = _list_cells_at([1]) if is_cross_shape else block_cells(1, 1, 3, 3) - {CENTRE_CELL}
    return Term("cells", "ring", cells=ring_cells)


def _read_both_sides(phrase_match: PhraseMatch) -> list[Term] | None:
    """Read "on both sides of", "left and right of", "above and below it" as two steps."""
    if phrase_match.term_before().text == "of":
        return None
    directions = ("above", "below") if phrase_match.term("way").sense in ("top", "bottom") else ("left", "right")
    return [Term("move", directions[0]), Term("and"), Term("move", directions[1])]


DRAWING_RULES = make_rules(RULES.drawing, globals())
CORRECTION_RULES = make_rules(RULES.taken_back, globals())


class Clause(Saying):
    """A part of a command with at most one letter that is drawn; `is_within`: it is about cells of the one before."""

    exception_words = words_for("not_drawn")

    def __init__(self, terms: Sequence[Term], letter: str | None = None, is_within: bool = False) -> None:
        super().__init__(terms)
        self.letter, self.is_within = letter, is_within
        self.letters = [term.sense for term in terms if term.kind == "letter"]

    def find_position(self, term_kind: str, default_position: int) -> int:
        """Return where its first term of a kind stands."""
        return next((position for position, term in enumerate(self.terms) if term.kind == term_kind), default_position)

    @property
    def letter_count(self) -> int:
        """How many letters it asks for: "three Qs", "C three times", "E E E E"; 0 where it does not say."""
        for term, next_term in pairwise(self.terms):
            is_letter_count = next_term.kind == "letter" or next_term.text in ("time", "times")
            if term.kind == "number" and is_letter_count:
                return term.number
        is_letter_row = any(term.kind == next_term.kind == "letter" for term, next_term in pairwise(self.terms))
        return len(self.letters) if is_letter_row else 0


@dataclass
class GridDrawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawing: grid.LetterGrid
    grid_before: grid.LetterGrid
    letter: str | None = None
    last_drawn_cells: Cells = frozenset()
    named_lines: NamedLines | None = None
    """The lines that were named last."""
    previous_clause_cells: Cells = frozenset()
    """The cells that the clause before was about."""
    sentence_line: NamedLines | None = None
    """The line in which cells were named in this sentence: "in row 2, column 3 is A, column 4 is B"."""
    counted_line: tuple[Cells, int] = (frozenset(), 0)
    """A line of which so many cells were to be filled."""

    @classmethod
    def start_empty(cls) -> GridDrawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse_grid(grid.BLANK_GRID), grid.parse_grid(grid.BLANK_GRID))

    def apply_command(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        terms = rewrite(
            rewrite(rewrite(read_grid_terms(command[:MAX_COMMAND_LENGTH]), DRAWING_RULES), NUMBER_RULES), SEQUENCE_RULES
        )
        words, mentions_part = {term.text for term in terms}, any(term.is_part for term in terms)
        if words & words_for("undo"):
            self.drawing, self.grid_before = self.grid_before, self.drawing
            return self.drawing
        if self._read_correction(terms, words, mentions_part):
            return self.drawing
        if words & {"centre", "grid"} and not any(term.kind == "lines" and term.sense != "edge" for term in terms):
            self.named_lines = None  # "in the centre": of the grid
        self.grid_before = dict(self.drawing)
        rows = [term.marks for term in terms if term.kind == "marks"]
        if len(rows) == GRID_SIZE and not mentions_part:
            self._fill_cells(
                {(row, column): term or EMPTY_MARK for row, line in enumerate(rows) for column, term in enumerate(line)}
            )
            return self.drawing
        for separator, sentence in _split_sentences(terms):
            self.sentence_line = None if separator.kind == "stop" else self.sentence_line
            for clause in _split_clauses(sentence, _is_about_earlier_cells(separator)):
                self._draw_clause(clause)
        return self.drawing

    def _read_correction(self, terms: Sequence[Term], words: Set[str], mentions_part: bool) -> bool:
        """Read "sorry, I meant row 2, not row 3", "no, the letter is Q": what was drawn last is moved or renamed."""
        letters = {term.sense for term in terms if term.kind == "letter"}
        other_term_kinds = {term.kind for term in terms} & {"rest", "same", "move", "value", "except", "marks"}
        if (
            not words & words_for("correction")
            or not self.last_drawn_cells
            or other_term_kinds
            or words & words_for("other_command")
        ):
            return False
        if len(letters) == 1 and not mentions_part:
            self._fill_cells(
                {
                    cell: letter
                    for letter in letters
                    for cell in self.last_drawn_cells
                    if self.drawing[cell] != EMPTY_MARK
                }
            )
            return True
        clause = Clause(rewrite(terms, CORRECTION_RULES))
        if letters or not clause.groups:
            return False
        drawn_before, self.drawing = self.drawing, self.grid_before
        last_terms = [drawn_before[cell] for cell in self.last_drawn_cells]
        if not self._read_copy(clause, drawn_before):
            self._fill_cells(dict.fromkeys(self._find_cells(clause), last_terms[0]))
        return True

    def _draw_clause(self, clause: Clause) -> None:
        """Draw one clause."""
        clause_readers = (
            self._read_change,
            self._read_row_terms,
            self._read_alternation,
            self._read_letter_pairs,
            self._read_counts,
            self._read_shape,
        )
        is_relative = any(term.text == "next" and next_term.kind == "to" for term, next_term in pairwise(clause.terms))
        if is_relative or clause.means("undrawn"):
            return
        if any(
            apply_clause(clause)
            for apply_clause in (*clause_readers, self._read_copy, self._read_move, self._read_erasure)
        ):
            return
        cells, clause_letter = self._find_cells(clause), clause.letter or self.letter
        if cells and clause_letter:
            self._fill_cells(dict.fromkeys(self._limit_to_count(cells, clause), clause_letter))
        self.letter = clause_letter

    def _fill_cells(self, terms: Mapping[Cell, str]) -> None:
        """Change cells."""
        self.drawing = {cell: terms.get(cell, self.drawing[cell]) for cell in GRID_CELLS}
        self.last_drawn_cells = frozenset(terms)
        self.letter = next((term for term in terms.values() if term != EMPTY_MARK), self.letter)

    # ------------------------------------------------------------------ kinds of clauses
    def _read_change(self, clause: Clause) -> bool:
        """Read "replace every X by Y", "change the C in the corner to a D"."""
        if len(clause.letters) != 2 or not clause.means("change"):
            return False
        old_letter, new_letter = clause.letters
        self._fill_cells(
            {cell: new_letter for cell in self._find_cells(clause) or ALL_CELLS if self.drawing[cell] == old_letter}
        )
        return True

    def _read_row_terms(self, clause: Clause) -> bool:
        """Read "row 2: ▢ A ▢ ▢ ▢"."""
        row_terms = next((term.marks for term in clause.terms if term.kind == "marks"), None)
        if not row_terms or not clause.groups or len(clause.groups[0].axes) != 1:
            return False
        axis, numbers = clause.groups[0].line
        self._fill_cells({cell: row_terms[cell[axis == "row"]] or EMPTY_MARK for cell in line_cells(axis, numbers)})
        return True

    def _read_alternation(self, clause: Clause) -> bool:
        """Read "alternating A and B in the top row"."""
        letters = list(dict.fromkeys(clause.letters))
        if len(letters) < 2 or not clause.means("alternate"):
            return False
        axes = {line_axis for group in clause.groups for line_axis in group.axes}
        axes = axes or {OPPOSITE[term.sense] for term in clause.terms if term.plural and term.sense in OPPOSITE}
        alternates_down, alternates_across = axes != {"row"}, axes != {"column"}
        cells = self._find_cells(clause) or ALL_CELLS
        self._fill_cells(
            {
                (row, column): letters[(row * alternates_down + column * alternates_across) % len(letters)]
                for row, column in cells
            }
        )
        return True

    def _read_letter_pairs(self, clause: Clause) -> bool:
        """Read "A, B and C in the top left, the top right and the centre"."""
        parts = [group.cells(self.named_lines) for group in clause.groups]
        if len(set(clause.letters)) < 2 or [len(part) for part in parts] != [1] * len(clause.letters):
            return False
        self._fill_cells({cell: letter for part, letter in zip(parts, clause.letters, strict=True) for cell in part})
        return True

    def _read_counts(self, clause: Clause) -> bool:
        """Read "one Q in row 1, two in row 2 and three in row 3, all from the right", "row 1: one Q, row 2: two Qs"."""
        parts = [term for term in clause.terms if term.is_part or term.kind in ("number", "side")]
        letter_count = sum(term.kind == "number" for term in parts)
        pairs = [sorted(pair, key=lambda part: part.is_part) for pair in zip(parts[::2], parts[1::2], strict=False)]
        letter, sides, pairs = (clause.letter or self.letter, parts[2 * letter_count :], pairs[:letter_count])
        if letter_count < 2 or len(pairs) < letter_count or not letter or any(side.sense == "cell" for side in sides):
            return False
        line_axis = pairs[0][1].axis
        if line_axis not in OPPOSITE or not all(_is_counted_line(number, line, line_axis) for number, line in pairs):
            return False
        is_from_end = any({side.sense, side.text} & {"right", "bottom"} for side in sides)
        lines = [(number.number, sorted(line_cells(line_axis, line.at), reverse=is_from_end)) for number, line in pairs]
        self._fill_cells({cell: letter for number, cells in lines for cell in cells[:number]})
        return True

    def _read_shape(self, clause: Clause) -> bool:
        """Read "a big T", "a plus term", "a checkerboard", of a letter."""
        letters, shape_cells = clause.letters, _find_shape_cells(clause)
        if not shape_cells or (not letters and not self.letter):
            return False
        names_fill_letter = bool(letters) and (clause.means("made_of") or len(set(letters)) == 1)
        self._fill_cells(dict.fromkeys(shape_cells, letters[-1] if names_fill_letter else self.letter or letters[0]))
        return True

    def _read_copy(self, clause: Clause, source_grid: grid.LetterGrid | None = None) -> bool:
        """Read "the same for the bottom row", "row 4 is like row 2": what was drawn last, or the line that is named.

        It is copied to other lines of the same kind; `source_grid` is the grid to copy from if not the present one.
        """
        says_same = source_grid is not None or _says_same(clause)
        is_copy_clause = says_same or (clause.letter is None and clause.means("too"))
        lines = [group.line for group in clause.groups if group.is_line]
        if not is_copy_clause or not lines or not clause.groups[-1].is_line:
            return False
        cells, (axis, line_numbers) = self.last_drawn_cells, lines[-1]
        if says_same and [line[0] for line in lines] == [axis, axis] and len(line_numbers) == 1 and not clause.letters:
            cells, line_numbers = line_cells(axis, line_numbers), lines[0][1]
        axis_index = axis == "column"
        if not cells or (_measure_extent(cells)[axis_index] == GRID_SIZE and not says_same):
            return False
        copied_terms = _copy_terms(cells, source_grid or self.drawing, line_cells(axis, line_numbers), axis_index)
        self._fill_cells({cell: clause.letter or term for cell, term in copied_terms.items()})
        return True

    def _read_move(self, clause: Clause) -> bool:
        """Read "one above that", "two more Ks below it", "another one directly to its right"."""
        start_index, end_index, steps = _read_steps(clause.terms)
        letter = clause.letter or self.letter
        if not steps or not letter:
            return False
        terms_after = [term for term in clause.terms[end_index:] if term.kind != "letter" or len(clause.letters) > 1]
        terms_before, start_cells = clause.terms[:start_index], self._find_move_base(terms_after)
        letter_count = Clause([term for term in terms_before if term.text != "more"]).letter_count
        distances = range(1, letter_count + 1) if letter_count > 1 and len(start_cells) == 1 else (1,)
        cells = ALL_CELLS & {
            (row + distance * row_step, column + distance * column_step)
            for row, column in start_cells
            for row_step, column_step in steps
            for distance in distances
        }
        self._fill_cells(dict.fromkeys(cells, EMPTY_MARK if clause.means("erase") else letter))
        return bool(cells)

    def _find_move_base(self, terms: Sequence[Term]) -> Cells:
        """Return what a move starts from: cells named after it, the letters named there, or what was drawn last."""
        base_cells: Cells = frozenset().union(*[group.cells(self.named_lines) for group in group_terms(terms)])
        mentioned_letter = next((term.sense for term in terms if term.kind == "letter"), None)
        lettered_cells = frozenset(cell for cell in base_cells or GRID_CELLS if self.drawing[cell] == mentioned_letter)
        return (lettered_cells or base_cells) if mentioned_letter else base_cells or self.last_drawn_cells

    def _read_erasure(self, clause: Clause) -> bool:
        """Read "clear the bottom row", "remove the X from …", "row 3 is empty", "leave the first column empty"."""
        letter = clause.letter
        if not _is_erasing(clause):
            return False
        cells = self._find_cells(clause) or (
            ALL_CELLS if letter or "all" in clause.kinds else self._find_letters_at_side(clause)
        )
        cells = cells or (self.last_drawn_cells if clause.words & {"it", "them", "again"} else frozenset())
        self.drawing = {
            cell: EMPTY_MARK if cell in cells and letter in (None, term) else term
            for cell, term in self.drawing.items()
        }
        line, letter_count = self.counted_line
        if letter is None and cells < line and len(line - cells) == letter_count and self.letter:
            self._fill_cells(dict.fromkeys(line - cells, self.letter))  # "four Ks in row 2, the second cell is empty"
        return True

    def _find_letters_at_side(self, clause: Clause) -> Cells:
        """Return the letters that "the two at the bottom", "the one on the left" mean: exactly so many, else none."""
        side_term = next((term for term in clause.terms if term.kind == "side"), None)
        if not side_term:
            return frozenset()
        side_cells = line_cells(SIDE_AXES.get(side_term.sense, "column"), side_term.at)
        drawn_cells = frozenset(cell for cell in side_cells if self.drawing[cell] != EMPTY_MARK)
        letter_count = next((term.number for term in clause.terms if term.kind == "number"), len(side_term.at))
        means_all_cells = any(term.plural or term.kind == "all" for term in clause.terms)
        return drawn_cells if len(drawn_cells) == letter_count or means_all_cells else frozenset()

    # ------------------------------------------------------------------ cells
    def _find_cells(self, clause: Clause) -> Cells:
        """Return the cells that a clause names, less those that it excepts; keep its lines as context."""
        groups = clause.groups
        cells = self._unite_groups(groups, clause) if groups else self._find_drawn_corners(clause)
        if not groups and clause.means("whole_grid") and clause.words & {"grid", "board"}:
            return ALL_CELLS
        if "rest" in clause.kinds:
            cells = frozenset(cell for cell in (cells if groups else ALL_CELLS) if self.drawing[cell] == EMPTY_MARK)
        if clause.is_within:
            cells = (cells & self.previous_clause_cells) or cells
        self.previous_clause_cells = cells
        line_groups = [group.line for group in groups if group.axes]
        self.named_lines = line_groups[-1] if line_groups else self.named_lines
        return self._exclude_cells(cells, clause, bool(line_groups))

    def _exclude_cells(self, cells: Cells, clause: Clause, mentions_line: bool) -> Cells:
        """Return cells without those of an exception, of which places are within the lines that are named."""
        excluded_cells = [group.cells(self.named_lines if mentions_line else None) for group in clause.exception_groups]
        side_terms = [term for term in clause.exception_terms if term.kind == "side" and term.sense in SIDE_AXES]
        excluded_cells += [line_cells(SIDE_AXES[term.sense], term.at) for term in side_terms]
        return (cells or ALL_CELLS).difference(*excluded_cells) if clause.exception_terms else cells

    def _complete_with_sentence_line(self, groups: Sequence[CellGroup], clause: Clause) -> None:
        """Read "column 4" within the row in which a column was named before, in the same sentence."""
        for group in groups:
            if len(group.axes) == 2:
                self.sentence_line = group.line
            elif (
                group.is_line
                and self.sentence_line
                and group.line[0] == OPPOSITE[self.sentence_line[0]]
                and not clause.means("fully")
            ):
                group.axes[self.sentence_line[0]] = self.sentence_line[1]

    def _find_drawn_corners(self, clause: Clause) -> Cells:
        """Return the corners with a letter if a clause names "the corner"."""
        mentions_corner = any(term.sense == "corner" for term in clause.terms)
        return frozenset(
            cell for cell in CORNER_BY_NAME.values() if mentions_corner and self.drawing[cell] != EMPTY_MARK
        )

    def _unite_groups(self, groups: Sequence[CellGroup], clause: Clause) -> Cells:
        """Return the cells of groups; all between two groups that "to" or "connect" joins."""
        self._complete_with_sentence_line(groups, clause)
        parts, names = ([group.cells(self.named_lines) for group in groups], [group.terms[0].sense for group in groups])
        blocks = [part for part, group_name in zip(parts, names, strict=True) if group_name == "block"]
        if blocks and (clause.means("rim") or "border" in names):
            parts = [part - block_cells(*min(part), *_measure_extent(part), margin=1) for part in blocks]
        cells: Cells = frozenset().union(*parts)
        spans_cells = "to" in clause.words and [len(part) for part in parts] == [1, 1]
        return _list_cells_between(cells) if cells and (spans_cells or clause.means("connect")) else cells

    def _limit_to_count(self, cells: Cells, clause: Clause) -> Cells:
        """Return as many cells as were counted: "three Cs in the top row", "three R's going down from the corner"."""
        count = clause.letter_count
        pairs = enumerate(pairwise([Term("stop"), *clause.terms]))
        from_index = next(
            (n for n, (previous_term, term) in pairs if term.kind == "from" and previous_term.text != "apart"), None
        )
        if not count and from_index is not None:
            return self._extend_line(cells, clause, from_index)
        if count == 1 and not clause.means("fully") and clause.groups and all(group.is_line for group in clause.groups):
            return frozenset(sorted(cells)[:1])
        if count < 2 or (count >= GRID_SIZE and len(cells) > 1):
            return cells
        if len(cells) == 1:
            return _list_run_cells(next(iter(cells)), count, clause)
        mentions_right_or_bottom = any(
            term.kind == "side" and term.sense in ("right", "bottom") for term in clause.terms
        )
        starts_at_end = mentions_right_or_bottom or bool(clause.words & {"ends", "ending"})
        self.counted_line = cells, count
        return frozenset(sorted(cells, reverse=starts_at_end)[:count])

    def _extend_line(self, cells: Cells, clause: Clause, from_index: int) -> Cells:
        """Return a line from a place on: "the first column, starting from the second row", "row 4 from column 2 on"."""
        groups_before_start, groups_after_start = (
            group_terms(clause.terms[:from_index]),
            group_terms(clause.terms[from_index:]),
        )
        if not groups_before_start:
            comma_index = clause.find_position("comma", len(clause.terms))
            groups_before_start, groups_after_start = (
                group_terms(clause.terms[comma_index:]),
                group_terms(clause.terms[:comma_index]),
            )
        if not groups_before_start or len(groups_after_start) != 1 or len(groups_before_start[-1].axes) != 1:
            return cells
        line_axis, _ = groups_before_start[-1].line
        if groups_before_start[-1].terms[-1].sense == "alternating" and groups_before_start[-1].is_line:
            return line_cells(
                line_axis,
                range((groups_after_start[0].places or groups_after_start[0].line[1] or (0,))[0], GRID_SIZE, 2),
            )
        line, other_axis = groups_before_start[-1].cells(), int(line_axis == "row")
        start_positions = {cell[other_axis] for cell in groups_after_start[0].cells(groups_before_start[-1].line)}
        return (
            frozenset(cell for cell in line if cell[other_axis] >= min(start_positions))
            if len(start_positions) == 1
            else cells
        )


def _is_about_earlier_cells(separator: Term) -> bool:
    """Return whether what follows a joint is about cells that were named before it: "…, only the last is empty"."""
    return separator.kind in ("except", "only") or separator.text in ("with", "but")


def _split_sentences(terms: Sequence[Term]) -> Iterator[tuple[Term, list[Term]]]:
    """Yield the terms of each sentence after what joins it to the one before: what is said for itself stands apart."""
    separator, sentence = Term("stop"), list[Term]()
    for term_index, term in enumerate([*terms, Term("stop")]):
        is_separator = term.kind in ("comma", "and", "except", "only") or term.text in ("but", "with")
        if (
            term.kind == "stop"
            or term.text == "then"
            or (is_separator and _stands_alone(sentence, term, terms[term_index + 1 :]))
        ):
            yield separator, sentence
            separator, sentence = term, []
        elif sentence or term.text != "but":
            sentence.append(term)


def _stands_alone(sentence: Sequence[Term], separator: Term, terms_after: Sequence[Term]) -> bool:
    """Return whether what follows a joint is said for itself."""
    sentence_terms = list(takewhile(lambda term: term.kind != "stop", terms_after))
    has_part = has(sentence, "PART", "MARKS", "grid")
    if separator.kind == "except" or separator.text == "but":
        has_subject = _says_empty(sentence) or (has(sentence, "LETTER") and has_part)
        if has_subject and _names_other_letter(sentence_terms):
            return True
    if separator.kind == "except" or has(sentence_terms[:1], "EXCEPT"):
        return False
    terms_ahead = list(takewhile(lambda term: term.kind != "comma", sentence_terms))
    adds_step = has(sentence, "LETTER") and has_part and _has_step(terms_ahead) and not _has_step(sentence)
    begins_part = adds_step or (has(terms_ahead, "PART") and _says_empty(terms_ahead))
    if separator.kind == "only" or separator.text == "with":
        return has_part and begins_part
    return has(sentence, "MARKS") or (has_part and begins_part) or _changes_subject(sentence, terms_ahead, has_part)


def _changes_subject(sentence: Sequence[Term], terms: Sequence[Term], has_part: bool) -> bool:
    """Return whether another kind of thing is said: "leave …, fill …", "row 3 is empty, row 4 has Ks"."""
    emptying_words, nearest_terms = words_for("leave") | words_for("erase"), terms[:3]
    starts_new_subject = has(nearest_terms, *emptying_words, *words_for("copied"), "SAME") or has(terms[:2], "another")
    starts_new_subject |= (
        _says_empty(sentence) and not has(sentence, "LETTER", "REST") and has(terms, "LETTER") and has(terms, "PART")
    )
    return (has_part and starts_new_subject) or (
        has(sentence, *emptying_words) and has(nearest_terms, *words_for("fill"))
    )


def _copy_terms(cells: Cells, source_grid: Mapping[Cell, str], target_cells: Cells, axis_index: int) -> grid.LetterGrid:
    """Return the terms of the first line of some cells for other lines; `axis_index` is 1 if they are columns."""
    first_line = min(cell[axis_index] for cell in cells)
    pattern = {cell[not axis_index]: source_grid[cell] for cell in cells if cell[axis_index] == first_line}
    return {cell: pattern[cell[not axis_index]] for cell in sorted(target_cells) if cell[not axis_index] in pattern}


def _says_same(clause: Clause) -> bool:
    """Return whether a clause says "the same"; "again" may only repeat what else it says."""
    return ("same" in clause.kinds or clause.means("copied")) and not clause.means("erase", "alternate")


def _is_erasing(clause: Clause) -> bool:
    """Return whether a clause says that cells are to be empty."""
    letter, has_leave_verb = clause.letter, clause.means("leave")
    has_take_away_verb = "take" in clause.words and bool(clause.words & {"away", "off", "out"})
    has_nothing_word = clause.means("nothing") and "rest" not in clause.kinds and bool(clause.groups)
    is_emptied = letter is None and ("value" in clause.kinds or has_leave_verb or has_nothing_word)
    return (
        clause.means("erase") or has_take_away_verb or is_emptied or (has_leave_verb and "except" not in clause.kinds)
    )


def _is_counted_line(count_term: Term, line_term: Term, axis: str) -> bool:
    """Return whether a number of letters and a single line belong together; "the second" may be a line, too."""
    return count_term.kind == "number" and line_term.is_part and len(line_term.at) == 1 and line_term.axis in (axis, "")


def _says_empty(terms: Sequence[Term]) -> bool:
    """Return whether terms say that something is empty, before they name a letter."""
    terms_before_letter = takewhile(lambda term: term.kind != "letter", terms)
    return any(term.sense == "empty" or term.text in words_for("nothing") for term in terms_before_letter)


def _names_other_letter(terms: Sequence[Term]) -> bool:
    """Return whether an exception has a letter of its own: "except column 3, which is M", "but put M in column 3"."""
    index = next((index for index, term in enumerate(terms) if term.kind == "letter"), None)
    return index is not None and not has(terms[:index], "AND") and len(group_terms(terms[:index])) < 2


def _has_step(terms: Sequence[Term]) -> bool:
    return any(_read_step(terms, term_index) for term_index in range(len(terms)))


def _split_clauses(terms: list[Term], is_within: bool) -> Iterator[Clause]:
    """Yield the clauses of a sentence: one for each letter that is not repeated."""
    indices = [index for index, term in enumerate(terms) if term.kind == "letter"]
    if _is_single_clause(terms, indices):
        yield Clause(terms, terms[indices[0]].sense if indices else None, is_within)
        return
    is_letter_first = not any(term.is_part for term in terms[: indices[0]])
    has_part_after = any(term.is_part for term in terms[indices[-1] :])
    clause_starts = [
        0,
        *(
            _find_clause_start(terms, previous_index, i, is_letter_first or has_part_after)
            for previous_index, i in pairwise(indices)
        ),
    ]
    for clause_start, clause_end, index in zip(clause_starts, [*clause_starts[1:], len(terms)], indices, strict=True):
        yield Clause(terms[clause_start:clause_end], terms[index].sense, is_within)


def _find_clause_start(terms: Sequence[Term], previous_index: int, index: int, starts_with_letter: bool) -> int:
    """Return where the clause of a letter begins, after the letter before it: at the comma before its part, if any."""
    comma_index = next(
        (term_index for term_index in range(index, previous_index, -1) if terms[term_index].kind in ("comma", "and")),
        index,
    )
    if terms[comma_index].kind == "comma" and has(terms[comma_index:index], "PART"):
        return comma_index
    return index if starts_with_letter else previous_index + 1


def _is_single_clause(terms: Sequence[Term], letter_indices: Sequence[int]) -> bool:
    """Return whether a sentence is one clause, although it may name two letters: "change A to B", "an X of Ks"."""
    clause = Clause(terms)
    pairs = (pairwise([*letter_indices, len(terms)]), pairwise([0, *letter_indices]))
    is_listed = any(
        all(any(term.is_part for term in terms[start:end]) for start, end in boundaries) for boundaries in pairs
    )
    if len(set(clause.letters)) < 2 and not (is_listed and len(letter_indices) > 1):
        return True
    if clause.means("change", "alternate") or _has_step(terms):
        return True
    has_part_between = any(term.is_part for term in terms[letter_indices[0] : letter_indices[-1]])
    mentions_shape = clause.means("draw", "big") and clause.means("made_of")
    return not has_part_between and (mentions_shape or len(clause.groups) == len(clause.letters))


def _read_step(terms: Sequence[Term], term_index: int) -> tuple[int, int] | None:
    """Return the direction that a word moves in, as in "below it", "to the right of that", "directly to its right"."""
    term, term_before, terms_after = terms[term_index], terms[term_index - 1], terms[term_index + 1 : term_index + 2]
    if term.kind == "move":
        return STEP_BY_DIRECTION[term.sense]
    mentions_left_or_right = (
        term.kind == "side" and term.sense in ("left", "right") and term_index > 0 and term_before.kind == "to"
    )
    ends_phrase = not terms_after or terms_after[0].kind in ("stop", "comma", "and") or terms_after[0].text == "of"
    return STEP_BY_DIRECTION[term.sense] if mentions_left_or_right and ends_phrase else None


def _read_steps(terms: Sequence[Term]) -> tuple[int, int, list[tuple[int, int]]]:
    """Return where the first step and those listed with it begin and end, and their directions: "above and left of"."""
    steps = [(index, step) for index in range(len(terms)) if (step := _read_step(terms, index))]
    start_index = end_index = steps[0][0] if steps else 0
    for index, _ in steps[1:]:
        end_index = index if index == end_index + 2 and terms[end_index + 1].kind in ("and", "comma") else end_index
    return start_index, end_index + 1, [step for index, step in steps if index <= end_index]


def _find_shape_cells(clause: Clause) -> Cells:
    """Return the cells of a shape that a clause names, none if it names none."""
    words = clause.words
    if clause.means("chequered"):
        return frozenset(cell for cell in GRID_CELLS if sum(cell) % 2 == 0)
    if "diamond" in words and clause.means("solid", "rim"):
        return _list_cells_at(range(3) if clause.means("solid") else [2])
    if words & {"plus", "cross"}:
        is_small = "small" in words or any(term.number == GRID_SIZE and term.kind == "number" for term in clause.terms)
        return _list_cells_at(range(2 if is_small else GRID_SIZE)) & (
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
    return frozenset(cell for cell in GRID_CELLS if sketch_rows[cell[0]][cell[1]] == "X")


def _measure_extent(cells: Cells) -> tuple[int, int]:
    """Return in how many rows and columns cells are."""
    return len({row for row, _ in cells}), len({column for _, column in cells})


def _list_cells_at(distances: Sequence[int]) -> Cells:
    """Return the cells so many steps away from the centre."""
    return frozenset(
        (row, column)
        for row, column in GRID_CELLS
        if abs(row - CENTRE_CELL[0]) + abs(column - CENTRE_CELL[1]) in distances
    )


def _list_cells_between(cells: Cells) -> Cells:
    """Return all cells on the straight line, or in the rectangle, that some cells span."""
    row_numbers, columns = sorted({row for row, _ in cells}), sorted({column for _, column in cells})
    axis_ranges = range(row_numbers[0], row_numbers[-1] + 1), range(columns[0], columns[-1] + 1)
    if len(row_numbers) == len(columns) == 2 and len(axis_ranges[0]) == len(axis_ranges[1]):
        return frozenset(
            zip(
                axis_ranges[0], axis_ranges[1] if min(cells)[1] == columns[0] else reversed(axis_ranges[1]), strict=True
            )
        )
    return frozenset((row, column) for row in axis_ranges[0] for column in axis_ranges[1])


def _list_run_cells(start_cell: Cell, cell_count: int, clause: Clause) -> Cells:
    """Return some cells in a row from a cell on, away from the edge, or around the middle of a line."""
    is_around_middle = cell_count % 2 and any(term.kind == "places" and term.sense == "middle" for term in clause.terms)
    clause_words = {term_text for term in clause.terms for term_text in (term.text, term.sense)}
    is_vertical = bool(clause_words & words_for("vertically")) or _find_line_axis(clause) == "column"
    step = (
        -1
        if start_cell[not is_vertical] > GRID_SIZE // 2 and start_cell[not is_vertical] + cell_count > GRID_SIZE
        else 1
    )
    steps = range(-(cell_count // 2), cell_count // 2 + 1) if is_around_middle else range(0, cell_count * step, step)
    return ALL_CELLS & {
        (start_cell[0] + run_step * is_vertical, start_cell[1] + run_step * (not is_vertical)) for run_step in steps
    }


def _find_line_axis(clause: Clause) -> str:
    """Return the axis of the line that a run is in: "three Ks in column 2 from row 3 on", "in row 3 of column 2"."""
    lines = [(term_index, term) for term_index, term in enumerate(clause.terms) if term.kind == "lines"]
    from_index = clause.find_position("from", len(clause.terms))
    is_joined_by_of = len(lines) == 2 and clause.terms[lines[1][0] - 1].text == "of"
    axes_before = [term.axis for term_index, term in lines if term_index < from_index]
    return lines[-1][1].axis if is_joined_by_of or len(lines) == 1 else axes_before[0] if len(axes_before) == 1 else ""
