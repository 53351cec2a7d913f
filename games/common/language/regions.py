"""Parts of a grid of five by five cells that a text names: rows, columns, cells, corners, diagonals, blocks.

`read_grid_terms` turns words into terms, each a part of a grid or another meaningful word; `group_terms` makes cells of
terms that belong together ("the first two cells of rows 1 and 3"). Rows, columns and cells count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

from games.common.grids import ANTI_DIAGONAL, CENTRE_CELL, CORNER_BY_NAME, GRID_CELLS, GRID_SIZE, MAIN_DIAGONAL
from games.common.language.phrases import PhraseMatch, compile_phrase, make_rules, rewrite
from games.common.language.terms import NAMED_CELLS, OPPOSITE, RULES, SIDE_AXES, Cells, Term, has, read_terms, words_for

ALL_CELLS, INNER_CELLS, BORDER_CELLS = (NAMED_CELLS[name] for name in ("grid", "inside", "border"))
SIDES = {"top": 0, "bottom": GRID_SIZE - 1, "left": 0, "right": GRID_SIZE - 1, "middle": GRID_SIZE // 2}
VERTICAL_SIDES, LEFT_RIGHT = ("top", "bottom"), ("left", "right")
ALTERNATE_NUMBERS = (0, 2, 4)
NEAR_TERMS = 60
"""So many terms before or after one are looked at, so that long texts are read in linear time."""


@lru_cache(maxsize=512)
def read_grid_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a text."""
    return tuple(rewrite(rewrite(read_terms(text), PART_RULES), DIAGONAL_RULES))


def block_cells(top: int, left: int, height: int, width: int, margin: int = 0) -> Cells:
    """Return the cells of a rectangle that are in the grid, without so many at each of its sides."""
    rows, columns = range(top + margin, top + height - margin), range(left + margin, left + width - margin)
    return ALL_CELLS & {(row, column) for row in rows for column in columns}


def line_cells(axis: str, numbers: Iterable[int]) -> Cells:
    """Return the cells of whole rows or columns."""
    wanted_numbers = set(numbers)
    return frozenset(cell for cell in GRID_CELLS if cell[axis == "column"] in wanted_numbers)


# ---------------------------------------------------------------------- single cells and blocks
def _read_pair(phrase: PhraseMatch) -> Term:
    """Read "(2, 3)", "cell 4,2"."""
    return Term("cells", "cell", cells=frozenset({(phrase.term("row").number - 1, phrase.term("column").number - 1)}))


def _read_bare_pair(phrase: PhraseMatch) -> Term | None:
    """Read "at 4,2" where no line is named near it."""
    near_terms = phrase.context.terms[max(0, phrase.start - 5) : phrase.end + 5]
    return None if any(term.kind == "noun" and term.sense in OPPOSITE for term in near_terms) else _read_pair(phrase)


def _read_size(phrase: PhraseMatch) -> tuple[int, int] | None:
    """Return height and width of "3 by 2", "2 rows by 3 columns", "3 wide and 2 high"."""
    noun, joint = phrase.term("unit"), phrase.term("joint")
    if (joint.text == "of" and not noun.sense) or (joint.text in ("and", ",") and (noun.sense or not noun.text)):
        return None
    height, width = phrase.term("height").number, phrase.term("width").number
    return (width, height) if noun.sense == "column" or noun.text == "wide" else (height, width)


def _read_block_at_place(phrase: PhraseMatch) -> list[Term] | None:
    """Read "3x3 block in the middle", "top left 2 by 2"."""
    place_terms = phrase.group("place") or phrase.group("corner")
    pair = _read_size(phrase)
    if not pair or pair == (GRID_SIZE, GRID_SIZE) or place_terms[0].source.startswith("its"):
        return None
    if {term.sense for term in place_terms} == {"middle"} and not all(length % 2 for length in pair):
        return None  # it cannot be in the exact middle
    block, rotated_block = (_place_block({term.sense for term in place_terms}, *size) for size in (pair, pair[::-1]))
    is_ambiguous = not (phrase.group("unit") or phrase.group("second")) and block != rotated_block
    filling_terms = phrase.group("filling")
    values = [term for term in takewhile(lambda term: term.kind != "prep", filling_terms) if term.kind == "value"]
    other_terms = [*values, *(term for term in filling_terms if term.kind == "letter")]
    other_terms += [Term("word", text="frame")] if any(term.sense == "border" for term in filling_terms) else []
    rotated_cells = rotated_block if is_ambiguous else frozenset()
    return [Term("cells", "block", at=pair, cells=block, rotated_cells=rotated_cells), *other_terms]


def _place_block(side_names: Iterable[str], height: int, width: int) -> Cells:
    """Return the cells of a block of a size at some sides."""
    top = {"top": 0, "bottom": GRID_SIZE - height}.get(_pick(VERTICAL_SIDES, side_names), (GRID_SIZE - height) // 2)
    left = {"left": 0, "right": GRID_SIZE - width}.get(_pick(LEFT_RIGHT, side_names), (GRID_SIZE - width) // 2)
    return block_cells(top, left, height, width)


def _pick(side_names: Iterable[str], sides: Iterable[str]) -> str:
    return next((side_name for side_name in side_names if side_name in sides), "")


def _read_shape(phrase: PhraseMatch) -> Term | None:
    """Read "2 rows by 3 columns" without a place."""
    block_size = _read_size(phrase)
    return Term("shape", "upright" if phrase.group("unit") else "block", at=block_size) if block_size else None


def _read_corner(phrase: PhraseMatch) -> Term:
    """Read "the top left corner", "left bottom", "upper right hand corner", "top centre cell"."""
    side_names, noun_term = {term.sense for term in phrase.group("corner")}, phrase.term("noun")
    cell = (SIDES[_pick(VERTICAL_SIDES, side_names) or "middle"], SIDES[_pick(LEFT_RIGHT, side_names) or "middle"])
    return Term("cells", "corner", cells=frozenset({cell}), number=int(noun_term.kind != "none"))


def _read_corners(phrase: PhraseMatch) -> Term | None:
    """Read "corners", "the top corners" and "two of the corners"."""
    side_name, noun_term = phrase.term("side").sense, phrase.term("noun")
    number_term = _find_number_before(phrase)
    is_counted = number_term.kind == "number" or number_term.text == "any"
    if not (noun_term.plural or side_name or is_counted or number_term.text == "no"):
        return None
    cells = [cell for name, cell in CORNER_BY_NAME.items() if not side_name or side_name in name.split(" ")]
    return Term("cells", "corners", cells=frozenset(cells), plural=True, number=(number_term.number or 1) * is_counted)


def _find_number_before(phrase: PhraseMatch) -> Term:
    """Return what stands before a noun and its adjective: "two" in "two empty corners"."""
    return phrase.term_before(2 if phrase.term_before().kind in ("value", "full") else 1)


# ---------------------------------------------------------------------- lines and places within them
def _read_numbered_lines(phrase: PhraseMatch) -> Term:
    """Read "row 2", "rows 1, 3 and 5", "cells 2 to 4"."""
    axis, noun_term = _find_axis(phrase), phrase.term("noun")
    number_indices = [index for index, term in enumerate(phrase.terms) if term.kind == "number"]
    following_words = [word for term in phrase.terms_after(2) for word in (term.kind, term.sense)]
    if following_words == ["prep", "", "noun", axis] and number_indices[1:]:
        phrase.end = phrase.start + number_indices[-2 if noun_term.plural else 0] + 1  # "rows 1 and 4, two in row 3"
    if phrase.term_before().text in words_for("repeat"):
        phrase.end = phrase.start + number_indices[0] + 1  # "copy row 1 to row 4"
    numbers = list_numbers(phrase.terms)
    return Term("places" if axis == "cell" else "lines", axis, axis, numbers)


def _find_axis(phrase: PhraseMatch) -> str:
    """Return the noun that was read, as row, column or cell; "a vertical line" and "a line down" are columns."""
    way_words = {phrase.term_before().text, *(term.text for term in phrase.terms[1:2])}
    is_upright = phrase.term("noun").text == "line" and not way_words.isdisjoint(("vertical", "down"))
    return "column" if is_upright else phrase.term("noun").sense


def list_numbers(terms: Iterable[Term]) -> tuple[int, ...]:
    """Return the numbers of "1, 3 and 5" or "2 to 4", from 0."""
    numbers: tuple[int, ...] = ()
    is_span = False
    for term in terms:
        if term.kind == "number":
            numbers = _extend_numbers(numbers, (term.number - 1,), is_span)
        is_span = term.kind == "to" or (is_span and term.kind == "noun")
    return numbers


def _extend_numbers(numbers: tuple[int, ...], added_numbers: tuple[int, ...], is_span: bool) -> tuple[int, ...]:
    """Return numbers with some more, and with those in between if "to" stands there: "2 to 4", "first to third"."""
    numbers_between = range(numbers[-1] + 1, added_numbers[0]) if is_span and numbers and added_numbers else ()
    return tuple(dict.fromkeys((*numbers, *numbers_between, *added_numbers)))


def _read_line_at_side(phrase: PhraseMatch) -> list[Term] | None:
    """Read "a row at the top", "the column on the left", "a row of Xs at the top"."""
    axis, side = _find_axis(phrase), phrase.term("side").sense
    number_term = _find_number_before(phrase)
    line_count = 2 if number_term.text == "both" else number_term.number if number_term.kind == "number" else 1
    if SIDE_AXES.get(side, axis) != axis or (phrase.term("noun").plural and line_count < 2):
        return None
    return [Term("lines", axis, axis, count_from(SIDES[side], line_count), number=line_count), *phrase.group("letter")]


def count_from(start_number: int, count: int) -> tuple[int, ...]:
    """Return as many numbers at the start, at the end or in the middle of a line."""
    first_number = (
        0 if start_number == 0 else GRID_SIZE - count if start_number == GRID_SIZE - 1 else (GRID_SIZE - count) // 2
    )
    return tuple(range(first_number, first_number + count)) if count > 1 else (start_number,)


def _read_element(phrase: PhraseMatch) -> tuple[tuple[int, ...], str]:
    """Return the numbers and the side that "first", "last three", "ends", "two left", "second to last" mean."""
    terms, word = phrase.group("element"), phrase.term("element").text
    ordinals = [term.number for term in terms if term.kind == "ordinal"]
    number_count = next((term.number for term in terms if term.kind == "number"), 1)
    side = next((term.sense for term in terms if term.kind == "side"), "")
    if word in ("even", "odd"):
        return (1, 3) if word == "even" else ALTERNATE_NUMBERS, ""
    if side:
        return count_from(SIDES[side], number_count), side
    if not ordinals:
        return ((0, GRID_SIZE - 1), "") if phrase.group("both") else ((GRID_SIZE - 1 if word == "end" else 0,), "")
    if phrase.group("penultimate"):
        return (GRID_SIZE - 2,), ""
    return count_from(GRID_SIZE + ordinals[0] if ordinals[0] < 0 else ordinals[0] - 1, number_count), ""


ELEMENT_PATTERN = compile_phrase("$element")
JOINT_PATTERN = compile_phrase("(?! open|close|then) $gap ALL* ((at|on) (?= SIDE))?")
NOUN_PATTERN = compile_phrase("(?P<adjectives> (most|hand|full|filled|empty)* (?= NOUN))? (?P<noun>NOUN|one)")
OTHER_END_PATTERN = compile_phrase("FROM (?P<side>SIDE) (?! TO (SIDE|PART|PLACED|NUMBER|NOUN|CORNER))")


def _read_list_of_places(phrase: PhraseMatch) -> Term | None:
    """Read what comes before a noun, or stands alone: "first two rows", "the last one", "first and third", "left"."""
    numbers: tuple[int, ...] = ()
    sides: list[str] = []
    joint_phrase: PhraseMatch | None = None
    element: PhraseMatch | None = phrase
    while element:
        element_numbers, side = _read_element(element)
        if sides and sides[-1] and side and SIDE_AXES.get(sides[-1]) != SIDE_AXES.get(side):
            break
        numbers = _extend_numbers(numbers, element_numbers, joint_phrase is not None and has(joint_phrase.terms, "TO"))
        sides.append(side)
        phrase.end = element.end
        is_ended = bool(element.group("both")) and phrase.terms_after(1)[0].text == ","  # "at both ends, and row 3"
        joint_phrase = None if is_ended else phrase.match_next(JOINT_PATTERN)
        element = joint_phrase.match_next(ELEMENT_PATTERN) if joint_phrase else None
        if element and joint_phrase and _begins_anew(joint_phrase.terms, element, sides):
            break
    return _make_term(phrase, numbers, sides)


def _begins_anew(joint_terms: Sequence[Term], element: PhraseMatch, sides: Sequence[str]) -> bool:
    """Return whether an element is none of the list before: "row 2 only the fourth, third row only the fifth"."""
    noun_term, is_joined = element.terms_after(1)[0], has(joint_terms, "AND", "TO")
    is_line = not is_joined and noun_term.sense in OPPOSITE and not noun_term.plural
    is_line |= has(element.group("both"), "ALL", "outer", "outside")  # "in the middle, and both outer columns"
    is_added = is_joined and has(joint_terms, "COMMA") and len(sides) == 1  # "in the middle, and the third has one"
    return is_line or (is_added and element.terms[0].kind == "ordinal") or element.terms[0].source.startswith("its ")


def _make_term(phrase: PhraseMatch, numbers: tuple[int, ...], sides: list[str]) -> Term | None:
    """Return the term for numbers that were read, by the noun that follows."""
    side, end_phrase = sides[0], phrase.match_next(NOUN_PATTERN)
    noun = end_phrase.term("noun") if end_phrase else Term("none")
    is_place = "" in sides or side == "middle"
    is_cell = noun.sense == "cell" or noun.text == "one" or (noun.text == "square" and is_place)
    phrase.end = end_phrase.end if end_phrase else phrase.end
    if not end_phrase or is_cell or noun.sense in OPPOSITE:
        side_item = Term("side", side, at=numbers, number=len(numbers))
        return _make_place_or_line(phrase, numbers, side, noun) if end_phrase or is_place else side_item
    if is_place or noun.sense in ("corner", "diagonal"):
        return None
    edge = Term("lines", noun.text, SIDE_AXES[side], (SIDES[side],), text=side)  # "the left edge", "right-hand side"
    return Term("half", side) if noun.sense == "half" else edge


def _make_place_or_line(phrase: PhraseMatch, numbers: tuple[int, ...], side: str, noun_term: Term) -> Term:
    """Return lines or places, counted from the other end for "from the bottom", "from the right"."""
    if other_end := phrase.match_next(OTHER_END_PATTERN):
        phrase.end = other_end.end
        numbers = (
            tuple(GRID_SIZE - 1 - number for number in numbers) if SIDES[other_end.term("side").sense] else numbers
        )
    if noun_term.sense in OPPOSITE:
        return Term("lines", noun_term.sense, noun_term.sense, numbers, plural=noun_term.plural)
    return Term("places", side, "cell" if noun_term.kind != "none" else "", numbers, text=phrase.term("element").text)


# ---------------------------------------------------------------------- what has a name
def _read_every(phrase: PhraseMatch) -> Term | None:
    """Read "all rows", "the whole grid", "each corner", "every edge"."""
    noun_term = phrase.term("noun")
    if noun_term.sense in OPPOSITE:
        return Term("lines", "all", noun_term.sense, tuple(range(GRID_SIZE)), plural=True)
    if noun_term.sense == "corner":
        return Term("cells", "corners", cells=frozenset(CORNER_BY_NAME.values()), plural=True)
    if noun_term.sense == "edge":
        return Term("cells", "sides", cells=BORDER_CELLS)
    is_whole = phrase.terms[0].text in ("whole", "entire", "all", "every")
    return Term("cells", "grid", cells=ALL_CELLS) if is_whole else None


def _read_alternating(phrase: PhraseMatch) -> Term:
    """Read "every other row", "alternating cells"."""
    axis = phrase.term("noun").sense
    return Term("places" if axis == "cell" else "lines", "alternating", axis, ALTERNATE_NUMBERS)


def _read_stripes(phrase: PhraseMatch) -> Term | None:
    """Read "vertical stripes" as alternating columns."""
    axis = "column" if phrase.terms[0].text == "vertical" else "row"
    return None if phrase.term_before().kind == "number" else Term("lines", "implied", axis, ALTERNATE_NUMBERS)


def _read_border(phrase: PhraseMatch) -> Term | None:
    is_along = len(phrase.terms) > 1 or phrase.term_before().text in words_for("along")
    is_border = phrase.term("noun").sense != "edge" or is_along
    return Term("cells", "border", cells=BORDER_CELLS, text=phrase.term("noun").text) if is_border else None


def _read_cells_at_side(phrase: PhraseMatch) -> Term | None:
    """Read "the three in the middle", "the two on the left" before what is said of them as places of a line."""
    side = phrase.term("side").sense
    numbers = count_from(SIDES[side], phrase.term("number").number)
    is_definite = phrase.terms[0].source.lower().startswith("the ")
    return Term("places", side, at=numbers, text=phrase.term("side").text) if is_definite else None


PART_RULES = make_rules(RULES.parts, globals())


def _read_diagonal(phrase: PhraseMatch) -> list[Term] | None:
    """Read "diagonal" with the corners that it goes from and to, or with its name."""
    noun_term, corner_terms = phrase.term("noun"), phrase.group("corner")
    words = {word for step in (1, 2) for word in (phrase.term_before(step).text, phrase.term_before(step).sense)}
    is_main = corner_terms[0].cells <= set(MAIN_DIAGONAL) if corner_terms else bool(words & words_for("main_diagonal"))
    if "short" in words or not all(term.cells <= {*CORNER_BY_NAME.values(), CENTRE_CELL} for term in corner_terms):
        return None  # "a diagonal from the top middle"
    if noun_term.source.startswith("a ") and has(phrase.terms[1:2], "in", "on", "at"):
        return None
    cells: Cells = frozenset(MAIN_DIAGONAL) if is_main else frozenset()
    if (corner_terms and not is_main) or words & words_for("anti_diagonal"):
        cells = frozenset(ANTI_DIAGONAL)
    elif not corner_terms and noun_term.plural and words & {"both", "two", "long"}:
        cells = frozenset({*MAIN_DIAGONAL, *ANTI_DIAGONAL})
    if not cells:
        return None
    other_terms = [term for term in phrase.terms if term.sense not in ("diagonal", "corner") and term.kind != "rest"]
    return [Term("cells", "diagonal", cells=cells, plural=noun_term.plural), *other_terms]


def _read_to_side(phrase: PhraseMatch) -> list[Term]:
    """Read "from the centre to the bottom" as to the edge there."""
    side_term = phrase.term("side")
    return [*phrase.terms[:-1], Term("lines", "edge", SIDE_AXES[side_term.sense], side_term.at, text=side_term.sense)]


def _read_crossing(phrase: PhraseMatch) -> Term | None:
    """Read "where row 2 and column 4 meet" as the cells there."""
    line_terms = [term for term in phrase.terms if term.kind == "lines"]
    if len(line_terms) != 2 or line_terms[0].axis == line_terms[1].axis:
        return None
    cells = line_cells(line_terms[0].axis, line_terms[0].at) & line_cells(line_terms[1].axis, line_terms[1].at)
    return Term("cells", "cell", cells=cells)


DIAGONAL_RULES = make_rules(RULES.diagonals, globals())


# ---------------------------------------------------------------------- terms that belong together
@dataclass
class CellGroup:
    """Parts that name cells together: rows, columns and places within them."""

    axes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    places: tuple[int, ...] = ()
    starts_with_places: bool = False
    is_of_cell: bool = False
    """Whether "the cell in" comes before."""
    area: Cells = frozenset()
    terms: list[Term] = field(default_factory=list)

    @property
    def line(self) -> tuple[str, tuple[int, ...]]:
        """Its rows or columns that were named first: their axis, "" if there are none, and their numbers."""
        return next(iter(self.axes.items()), ("", ()))

    @property
    def is_complete(self) -> bool:
        """Whether both coordinates are given."""
        return bool(self.area) or len(self.axes) == 2 or bool(self.axes and self.places)

    @property
    def is_line(self) -> bool:
        """Whether it is one or more whole rows or columns."""
        return len(self.axes) == 1 and not self.places and not self.area

    def cells(self, context_line: tuple[str, tuple[int, ...]] | None = None) -> Cells:
        """Return its cells; places without a line are within the lines of the context."""
        if self.area:
            return self.area
        numbers_by_axis = dict(self.axes)
        if self.places and not numbers_by_axis and context_line:
            numbers_by_axis = {context_line[0]: context_line[1]}
        if self.places and len(numbers_by_axis) == 1:
            numbers_by_axis[OPPOSITE[next(iter(numbers_by_axis))]] = self.places
        elif self.places and not numbers_by_axis:
            return (
                frozenset({CENTRE_CELL})
                if (self.terms[-1].sense, self.places) == ("middle", CENTRE_CELL[:1])
                else frozenset()
            )
        rows, columns = (set(numbers_by_axis.get(axis, range(GRID_SIZE))) for axis in ("row", "column"))
        return frozenset(cell for cell in GRID_CELLS if cell[0] in rows and cell[1] in columns)


def group_terms(terms: Sequence[Term]) -> list[CellGroup]:
    """Return the groups of the parts among terms, in order."""
    groups: list[CellGroup] = []
    joint: list[Term] = []
    for index, term in enumerate(terms):
        if not term.is_part:
            joint.append(term)
            continue
        group = groups[-1] if groups else None
        if group and term.kind == "lines" and [word.text for word in joint] == ["of"]:
            if shared_cells := group.area & line_cells(term.axis, term.at):  # "the corners of the top row"
                group.area, joint = shared_cells, []
                continue
        span_end = _find_span_end(group, term, joint) if group else None
        is_new = _is_separate_part(group, term, joint)
        if not group or (not span_end and (is_new or group.area or _is_start(group, term, joint, terms[index + 1 :]))):
            is_of_cell = any(word.sense == "cell" and not word.plural for word in joint[-2:-1])
            groups.append(group := CellGroup(is_of_cell=is_of_cell))
        _add_term(group, span_end or term, joint)
        joint = []
    return groups


class Saying:
    """Terms that say or ask one thing, and what they mean together."""

    exception_words = words_for("excepting")
    """Words that begin an exception where a part of the grid follows."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = terms
        self.words = frozenset(term.text for term in terms if term.text and not term.is_part)
        self.kinds = frozenset(term.kind for term in terms)
        exception_start = next((index for index in range(len(terms)) if self._begins_exception(index)), len(terms))
        self.main_terms, self.exception_terms = terms[:exception_start], terms[exception_start:]
        self.groups, self.exception_groups = group_terms(self.main_terms), group_terms(self.exception_terms)

    def _begins_exception(self, index: int) -> bool:
        term, next_terms = self.terms[index], self.terms[index:]
        return term.kind == "except" or (term.text in self.exception_words and any(term.is_part for term in next_terms))

    def means(self, *meanings: str) -> bool:
        """Return whether one of its words that name no part of the grid has one of these meanings."""
        return any(self.words & words_for(meaning) for meaning in meanings)


def _is_separate_part(group: CellGroup | None, term: Term, joint_terms: Sequence[Term]) -> bool:
    """Return whether a part is no part of the one before, as "the centre" in "the left column and the centre"."""
    is_added = group is not None and group.is_line and has(joint_terms, "AND")
    return (term.kind == "cells" and not _narrows_group(group, term, joint_terms)) or (term.is_centre and is_added)


def _narrows_group(group: CellGroup | None, term: Term, joint_terms: Sequence[Term]) -> bool:
    """Return whether cells are a part of the line before: "the bottom row only in the corners"."""
    if group is None or group.area or (term.sense == "sides") != (not group.axes) or len(group.axes) > 1:
        return False
    kinds = {word.kind for word in joint_terms}
    if term.sense == "grid" and "and" not in kinds:
        return bool(group.axes)
    is_joined = bool(kinds & {"prep", "only", "verb"}) and "and" not in kinds
    return bool(group.places) if term.sense == "sides" else is_joined and bool(term.cells & group.cells())


def _is_start(group: CellGroup, term: Term, joint_terms: Sequence[Term], following_terms: Sequence[Term]) -> bool:
    """Return whether a part begins a new group after the words in between."""
    kinds, is_listed = {word.kind for word in joint_terms}, _is_listed(joint_terms)
    if term.kind == "places":
        is_new = bool(group.places) and (not is_listed or _is_line_next(following_terms))
        return len(group.axes) == 2 or is_new or (group.is_complete and not is_listed)
    if term.axis in group.axes:
        return not is_listed or (group.is_complete and not group.starts_with_places and term.axis == group.line[0])
    joints = [word.kind for word in joint_terms if word.kind != "rest" and (word.text != "of" or "rest" not in kinds)]
    is_added = joints in (["and"], ["comma", "and"], ["and", "prep"]) or {"letter", "and"} <= kinds
    adds_line = is_added and not group.is_of_cell and not group.places
    return group.is_complete or adds_line


def _is_listed(joint_terms: Sequence[Term]) -> bool:
    """Return whether the words between two parts only join them."""
    kinds, words = words_for("joining_kind"), words_for("joining")
    return bool(joint_terms) and all(word.kind in kinds or word.text in words for word in joint_terms)


def _find_span_end(group: CellGroup, term: Term, joint_terms: Sequence[Term]) -> Term | None:
    """Read "to the last" after a line as a line, "to the right edge" after a place or cell as where it ends."""
    if not joint_terms or joint_terms[-1].kind != "to":
        return None
    if term.kind == "places" and not term.axis and group.terms[-1].kind == "lines":
        return replace(term, kind="lines", axis=group.terms[-1].axis)
    if term.kind != "lines" or term.axis in group.axes:
        return None
    if group.places and group.axes:
        return replace(term, kind="places", axis="cell")
    return replace(term, kind="cells", cells=_cells_up_to(group.cells(), term)) if len(group.cells()) == 1 else None


def _cells_up_to(start_cells: Cells, line_term: Term) -> Cells:
    """Return the cells from one on, straight to a row or column."""
    crossing = next(iter(start_cells))[line_term.axis == "row"], next(iter(start_cells))[line_term.axis == "column"]
    numbers = range(min(crossing[1], *line_term.at), max(crossing[1], *line_term.at) + 1)
    return line_cells(line_term.axis, numbers) & line_cells(OPPOSITE[line_term.axis], crossing[:1])


def _is_line_next(following_terms: Sequence[Term]) -> bool:
    """Return whether "of row 2" follows."""
    return len(following_terms) > 1 and following_terms[0].kind == "prep" and following_terms[1].kind == "lines"


def _add_term(group: CellGroup, term: Term, joint_terms: Sequence[Term]) -> None:
    group.terms.append(term)
    is_span = has(joint_terms, "TO")
    if term.sense == "border" and group.is_line:
        group.places = (0, GRID_SIZE - 1)  # "rows 4 and 5 only have X's at the edges", "the outermost cells"
    elif term.kind == "cells":
        middle_cells = frozenset(cell for cell in term.cells if not set(cell).isdisjoint(group.places))
        group.area = middle_cells or (term.cells & group.cells() if group.axes else term.cells)
    elif term.kind == "places":
        group.starts_with_places |= not group.axes
        group.places = _extend_numbers(group.places, term.at, is_span)
    else:
        group.axes[term.axis] = _extend_numbers(group.axes.get(term.axis, ()), term.at, is_span)


# ---------------------------------------------------------------------- numbers without a noun
def _read_bare(phrase: PhraseMatch) -> Term | None:
    """Return a list of numbers as places if it follows a line, or if "in row 2" follows."""
    numbers, terms_before = list_numbers(phrase.group("numbers")), phrase.output[-NEAR_TERMS:]
    part_before = next((term for term in reversed(terms_before) if term.is_part), Term("none"))
    previous_kind = terms_before[-1].kind if terms_before else "stop"
    is_bare = any(term.sense == "bare" for term in terms_before)
    is_one = len(numbers) == 1 and phrase.terms[0].text == "one"  # "just one"
    is_lone = len(numbers) == 1 and _is_lone_place(phrase, previous_kind, is_bare, is_one)
    is_list = len(numbers) > 1 or is_lone or _leads_to_place(terms_before) or part_before.sense == "bare"
    follows_line = part_before.kind in ("lines", "places") and previous_kind in words_for("lead") and is_list
    precedes_line = [term.kind for term in phrase.terms_after(2)] == ["prep", "lines"] and (len(numbers) > 1 or is_bare)
    bare_term = Term("places", "bare", at=numbers, text="single" if is_lone else "")
    return bare_term if (follows_line and (not is_one or is_lone)) or precedes_line else None


def _is_lone_place(phrase: PhraseMatch, previous_kind: str, is_bare: bool, is_one: bool) -> bool:
    """Return whether one number may be a place: "r3: 4", "r2 1, r3 1 and 5", "row 2 has 1 and 3, row 3 has just 4"."""
    if previous_kind == "colon":
        return not _lists_places(phrase.context.tag_text, PLACES_AFTER_COLON)
    if previous_kind == "lines":
        return _lists_places(phrase.context.tag_text, PLACES_AFTER_LINES)
    is_said = previous_kind in ("verb", "only") and not is_one
    return is_said and (is_bare or _lists_places(phrase.context.tag_text, PLACES_AFTER_VERB))


def _leads_to_place(terms_before: Sequence[Term]) -> bool:
    """Return whether a number after these terms is a place: "row 2 only 3", not "row 2 has only 3", "r1 1+2, r2 3"."""
    is_counted = has(terms_before[-1:], "ONLY") and has(terms_before[-3:-1], "VERB", "each")
    is_after_list = has(terms_before[-1:], "LINES") and any(term.sense == "bare" for term in terms_before)
    return is_after_list or (has(terms_before[-1:], "PREP", "ONLY", "COLON", "FROM") and not is_counted)


@lru_cache(maxsize=64)
def _lists_places(tag_text: str, places_pattern: re.Pattern[str]) -> bool:
    """Return whether several numbers stand after a line somewhere in a text, as in "row 2: 1 and 3": places then."""
    return bool(places_pattern.search(tag_text))


PLACES_AFTER_COLON = compile_phrase("COLON SMALL $gap SMALL (?! $bare_counted)")
PLACES_AFTER_LINES = compile_phrase("LINES SMALL $gap SMALL (?! $bare_counted)")
PLACES_AFTER_VERB = compile_phrase("VERB ONLY? SMALL $gap SMALL (?! $bare_counted)")
NUMBER_RULES = make_rules(RULES.bare, globals())
"""Numbers that stand for places in a line become places: "row 1: 2 and 3", "in 1, 2 and 5", "only in 3"."""


# ---------------------------------------------------------------------- cells that are said one by one
def _read_written_row(phrase: PhraseMatch) -> Term | None:
    """Read five cells told one by one: "filled, three empty, filled", "A, blank, B, two Cs"."""
    marks = list_marks(phrase.terms)
    return Term("marks", marks=marks) if len(marks) == GRID_SIZE else None


def list_marks(terms: Iterable[Term]) -> tuple[str, ...]:
    """Return the cells that are told one by one: their letter, X for a filled one, or nothing."""
    marks: list[str] = []
    mark_count = 1
    for value_term in terms:
        if value_term.kind in ("letter", "value", "full") or value_term.text in ("cross", "crosses"):
            mark = value_term.sense if value_term.kind == "letter" else "" if value_term.sense == "empty" else "X"
            marks += [mark] * min(mark_count, GRID_SIZE)
        mark_count = value_term.number if value_term.kind == "number" else 1
    return tuple(marks)


SEQUENCE_RULES = make_rules(RULES.sequences, globals())
