"""Parts of a grid of five by five cells that a text names: rows, columns, cells, corners, diagonals, blocks.

`read_items` turns words into items, each a part of a grid or another meaningful word; `group_items` makes cells of
items that belong together ("the first two cells of rows 1 and 3"). Rows, columns and cells count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from games.common.grids import ANTI_DIAGONAL, CELLS, CENTRE, CORNER_BY_NAME, MAIN_DIAGONAL, SIZE
from games.common.language.phrases import PhraseMatch, compile_phrase, make_rules, rewrite
from games.common.language.signs import NAMED_CELLS, OPPOSITE, RULES, SIDE_AXES, Cells, Item, has, read_signs, words_for

ALL, INNER, BORDER = (NAMED_CELLS[name] for name in ("grid", "inside", "border"))
SIDES = {"top": 0, "bottom": SIZE - 1, "left": 0, "right": SIZE - 1, "middle": SIZE // 2}
VERTICAL, HORIZONTAL = ("top", "bottom"), ("left", "right")
EVERY_OTHER = (0, 2, 4)
NEAR_ITEMS = 60
"""So many items before or after one are looked at, so that long texts are read in linear time."""


@lru_cache(maxsize=512)
def read_items(text: str) -> tuple[Item, ...]:
    """Return the items of a text."""
    return tuple(rewrite(rewrite(read_signs(text), PARTS), DIAGONALS))


def block(top: int, left: int, height: int, width: int, margin: int = 0) -> Cells:
    """Return the cells of a rectangle that are in the grid, without so many at each of its sides."""
    rows, columns = range(top + margin, top + height - margin), range(left + margin, left + width - margin)
    return ALL & {(row, column) for row in rows for column in columns}


def line_cells(axis: str, numbers: Iterable[int]) -> Cells:
    """Return the cells of whole rows or columns."""
    numbers_wanted = set(numbers)
    return frozenset(cell for cell in CELLS if cell[axis == "column"] in numbers_wanted)


# ---------------------------------------------------------------------- single cells and blocks
def _pair(match: PhraseMatch) -> Item:
    """Read "(2, 3)", "cell 4,2"."""
    return Item("cells", "cell", cells=frozenset({(match.word("row").number - 1, match.word("column").number - 1)}))


def _bare_pair(match: PhraseMatch) -> Item | None:
    """Read "at 4,2" where no line is named near it."""
    near = match.encoded.items[max(0, match.start - 5) : match.end + 5]
    return None if any(item.kind == "noun" and item.value in OPPOSITE for item in near) else _pair(match)


def _size(match: PhraseMatch) -> tuple[int, int] | None:
    """Return height and width of "3 by 2", "2 rows by 3 columns", "3 wide and 2 high"."""
    unit, joint = match.word("unit"), match.word("joint")
    if (joint.text == "of" and not unit.value) or (joint.text in ("and", ",") and (unit.value or not unit.text)):
        return None
    height, width = match.word("height").number, match.word("width").number
    return (width, height) if unit.value == "column" or unit.text == "wide" else (height, width)


def _block_at_place(match: PhraseMatch) -> list[Item] | None:
    """Read "3x3 block in the middle", "top left 2 by 2"."""
    place = match.group("place") or match.group("corner")
    size = _size(match)
    if not size or size == (SIZE, SIZE) or place[0].source.startswith("its"):
        return None
    sides = {item.value for item in place}
    top = {"top": 0, "bottom": SIZE - size[0]}.get(_one_of(VERTICAL, sides), (SIZE - size[0]) // 2)
    left = {"left": 0, "right": SIZE - size[1]}.get(_one_of(HORIZONTAL, sides), (SIZE - size[1]) // 2)
    filling = match.group("filling")
    rest = [item for item in filling if item.kind == "letter"]
    rest += [Item("word", text="frame")] if any(item.value == "border" for item in filling) else []
    return [Item("cells", "block", cells=block(top, left, *size)), *rest]


def _one_of(names: Iterable[str], sides: Iterable[str]) -> str:
    return next((name for name in names if name in sides), "")


def _shape(match: PhraseMatch) -> Item | None:
    """Read "2 rows by 3 columns" without a place."""
    size = _size(match)
    return Item("shape", "upright" if match.group("unit") else "block", at=size) if size else None


def _corner(match: PhraseMatch) -> Item:
    """Read "the top left corner", "left bottom", "upper right hand corner", "top centre cell"."""
    sides, noun = {item.value for item in match.group("corner")}, match.word("noun")
    cell = (SIDES[_one_of(VERTICAL, sides) or "middle"], SIDES[_one_of(HORIZONTAL, sides) or "middle"])
    return Item("cells", "corner", cells=frozenset({cell}), number=int(noun.kind != "none"))


def _corners(match: PhraseMatch) -> Item | None:
    """Read "corners", "the top corners" and "two of the corners"."""
    side, noun = match.word("side").value, match.word("noun")
    number = match.item_before()
    is_counted = number.kind == "number" or number.text == "any"
    if not (noun.plural or side or is_counted or number.text == "no"):
        return None
    cells = [cell for name, cell in CORNER_BY_NAME.items() if not side or side in name.split(" ")]
    return Item("cells", "corners", cells=frozenset(cells), plural=True, number=(number.number or 1) * is_counted)


# ---------------------------------------------------------------------- lines and places within them
def _numbered_lines(match: PhraseMatch) -> Item:
    """Read "row 2", "rows 1, 3 and 5", "cells 2 to 4"."""
    axis, noun = _axis(match), match.word("noun")
    places = [at for at, item in enumerate(match.items) if item.kind == "number"]
    after = [part for item in match.items_after(2) for part in (item.kind, item.value)]
    if after == ["prep", "", "noun", axis] and places[1:]:
        match.end = match.start + places[-2 if noun.plural else 0] + 1  # "rows 1 and 4, two in row 3"
    if match.item_before().text in words_for("repeat"):
        match.end = match.start + places[0] + 1  # "copy row 1 to row 4"
    numbers = number_list(match.items)
    return Item("places" if axis == "cell" else "lines", axis, axis, numbers)


def _axis(match: PhraseMatch) -> str:
    """Return the noun that was read, as row, column or cell; "a vertical line" and "a line down" are columns."""
    ways = {match.item_before().text, *(item.text for item in match.items[1:2])}
    is_upright = match.word("noun").text == "line" and not ways.isdisjoint(("vertical", "down"))
    return "column" if is_upright else match.word("noun").value


def number_list(items: Iterable[Item]) -> tuple[int, ...]:
    """Return the numbers of "1, 3 and 5" or "2 to 4", from 0."""
    numbers: tuple[int, ...] = ()
    spans = False
    for item in items:
        if item.kind == "number":
            numbers = _extend(numbers, (item.number - 1,), spans)
        spans = item.kind == "to" or (spans and item.kind == "noun")
    return numbers


def _extend(numbers: tuple[int, ...], more: tuple[int, ...], spans: bool) -> tuple[int, ...]:
    """Return numbers with some more, and with those in between if "to" stands there: "2 to 4", "first to third"."""
    between = range(numbers[-1] + 1, more[0]) if spans and numbers else ()
    return tuple(dict.fromkeys((*numbers, *between, *more)))


def _line_at_side(match: PhraseMatch) -> list[Item] | None:
    """Read "a row at the top", "the column on the left", "a row of Xs at the top"."""
    axis, side = _axis(match), match.word("side").value
    many = match.item_before().number if match.item_before().kind == "number" else 1
    if SIDE_AXES.get(side, axis) != axis or (match.word("noun").plural and many < 2):
        return None
    return [Item("lines", axis, axis, _run(SIDES[side], many), number=many), *match.group("letter")]


def _run(start: int, many: int) -> tuple[int, ...]:
    """Return as many numbers at the start, at the end or in the middle of a line."""
    first = 0 if start == 0 else SIZE - many if start == SIZE - 1 else (SIZE - many) // 2
    return tuple(range(first, first + many)) if many > 1 else (start,)


def _element(match: PhraseMatch) -> tuple[tuple[int, ...], str]:
    """Return the numbers and the side that "first", "last three", "ends", "two left", "second to last" mean."""
    items, word = match.group("element"), match.word("element").text
    ordinals = [item.number for item in items if item.kind == "ordinal"]
    many = next((item.number for item in items if item.kind == "number"), 1)
    side = next((item.value for item in items if item.kind == "side"), "")
    if word in ("even", "odd"):
        return (1, 3) if word == "even" else EVERY_OTHER, ""
    if side:
        return _run(SIDES[side], many), side
    if not ordinals:
        return ((0, SIZE - 1), "") if match.group("both") else ((SIZE - 1 if word == "end" else 0,), "")
    if match.group("penultimate"):
        return (SIZE - 2,), ""
    return _run(SIZE + ordinals[0] if ordinals[0] < 0 else ordinals[0] - 1, many), ""


ELEMENT = compile_phrase("$element")
JOINT = compile_phrase("(?! open|close|then) $gap ALL*")
END = compile_phrase("(?P<adjectives> (most|hand|full|filled|empty)* (?= NOUN))? (?P<noun>NOUN|one)")
OTHER_END = compile_phrase("FROM (?P<side>SIDE) (?! TO (SIDE|PART|PLACED|NUMBER|NOUN|CORNER))")


def _list_of_places(match: PhraseMatch) -> Item | None:
    """Read what comes before a noun, or stands alone: "first two rows", "the last one", "first and third", "left"."""
    numbers: tuple[int, ...] = ()
    sides: list[str] = []
    joint: PhraseMatch | None = None
    element: PhraseMatch | None = match
    while element:
        part, side = _element(element)
        if sides and sides[-1] and side and SIDE_AXES.get(sides[-1]) != SIDE_AXES.get(side):
            break
        numbers = _extend(numbers, part, joint is not None and has(joint.items, "TO"))
        sides.append(side)
        match.end = element.end
        is_ended = bool(element.group("both")) and match.items_after(1)[0].text == ","  # "at both ends, and row 3"
        joint = None if is_ended else match.then(JOINT)
        element = joint.then(ELEMENT) if joint else None
    return _with_noun(match, numbers, sides)


def _with_noun(match: PhraseMatch, numbers: tuple[int, ...], sides: list[str]) -> Item | None:
    """Return the item for numbers that were read, by the noun that follows."""
    side, end = sides[0], match.then(END)
    noun = end.word("noun") if end else Item("none")
    is_place = "" in sides or side == "middle"
    is_cell = noun.value == "cell" or noun.text == "one" or (noun.text == "square" and is_place)
    match.end = end.end if end else match.end
    if not end or is_cell or noun.value in OPPOSITE:
        side_item = Item("side", side, at=numbers, number=len(numbers))
        return _place_or_line(match, numbers, side, noun) if end or is_place else side_item
    if is_place or noun.value in ("corner", "diagonal"):
        return None
    line = Item("lines", noun.text, SIDE_AXES[side], (SIDES[side],), text=side)  # "the left edge", "right-hand side"
    return Item("half", side) if noun.value == "half" else line


def _place_or_line(match: PhraseMatch, numbers: tuple[int, ...], side: str, noun: Item) -> Item:
    """Return lines or places, counted from the other end for "from the bottom", "from the right"."""
    if other_end := match.then(OTHER_END):
        match.end = other_end.end
        numbers = tuple(SIZE - 1 - n for n in numbers) if SIDES[other_end.word("side").value] else numbers
    if noun.value in OPPOSITE:
        return Item("lines", noun.value, noun.value, numbers, plural=noun.plural)
    return Item("places", side, "cell" if noun.kind != "none" else "", numbers, text=match.word("element").text)


# ---------------------------------------------------------------------- what has a name
def _every(match: PhraseMatch) -> Item | None:
    """Read "all rows", "the whole grid", "each corner", "every edge"."""
    noun = match.word("noun")
    if noun.value in OPPOSITE:
        return Item("lines", "all", noun.value, tuple(range(SIZE)), plural=True)
    if noun.value == "corner":
        return Item("cells", "corners", cells=frozenset(CORNER_BY_NAME.values()), plural=True)
    if noun.value == "edge":
        return Item("cells", "sides", cells=BORDER)
    is_whole = match.items[0].text in ("whole", "entire", "all", "every")
    return Item("cells", "grid", cells=ALL) if is_whole else None


def _alternating(match: PhraseMatch) -> Item:
    """Read "every other row", "alternating cells"."""
    axis = match.word("noun").value
    return Item("places" if axis == "cell" else "lines", "alternating", axis, EVERY_OTHER)


def _border(match: PhraseMatch) -> Item | None:
    is_along = len(match.items) > 1 or match.item_before().text in words_for("along")
    is_border = match.word("noun").value != "edge" or is_along
    return Item("cells", "border", cells=BORDER) if is_border else None


PARTS = make_rules(RULES.parts, globals())


def _diagonal(match: PhraseMatch) -> list[Item] | None:
    """Read "diagonal" with the corners that it goes from and to, or with its name."""
    noun, corners = match.word("noun"), match.group("corner")
    names = {text for many in (1, 2) for text in (match.item_before(many).text, match.item_before(many).value)}
    is_main = corners[0].cells <= set(MAIN_DIAGONAL) if corners else bool(names & words_for("main_diagonal"))
    cells: Cells = frozenset(MAIN_DIAGONAL) if is_main else frozenset()
    if (corners and not is_main) or names & words_for("anti_diagonal"):
        cells = frozenset(ANTI_DIAGONAL)
    elif not corners and noun.plural and names & {"both", "two", "long"}:
        cells = frozenset({*MAIN_DIAGONAL, *ANTI_DIAGONAL})
    if not cells:
        return None
    others = [item for item in match.items if item.value not in ("diagonal", "corner") and item.kind != "rest"]
    return [Item("cells", "diagonal", cells=cells, plural=noun.plural), *others]


def _to_side(match: PhraseMatch) -> list[Item]:
    """Read "from the centre to the bottom" as to the edge there."""
    side = match.word("side")
    return [*match.items[:-1], Item("lines", "edge", SIDE_AXES[side.value], side.at, text=side.value)]


def _crossing(match: PhraseMatch) -> Item | None:
    """Read "where row 2 and column 4 meet" as the cells there."""
    lines = [item for item in match.items if item.kind == "lines"]
    if len(lines) != 2 or lines[0].axis == lines[1].axis:
        return None
    cells = line_cells(lines[0].axis, lines[0].at) & line_cells(lines[1].axis, lines[1].at)
    return Item("cells", "cell", cells=cells)


DIAGONALS = make_rules(RULES.diagonals, globals())


# ---------------------------------------------------------------------- items that belong together
@dataclass
class Group:
    """Parts that name cells together: rows, columns and places within them."""

    axes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    places: tuple[int, ...] = ()
    places_first: bool = False
    is_of_cell: bool = False
    """Whether "the cell in" comes before."""
    fixed: Cells = frozenset()
    names: list[Item] = field(default_factory=list)

    @property
    def line(self) -> tuple[str, tuple[int, ...]]:
        """Its rows or columns that were named first: their axis, "" if there are none, and their numbers."""
        return next(iter(self.axes.items()), ("", ()))

    @property
    def is_complete(self) -> bool:
        """Whether both coordinates are given."""
        return bool(self.fixed) or len(self.axes) == 2 or bool(self.axes and self.places)

    @property
    def is_line(self) -> bool:
        """Whether it is one or more whole rows or columns."""
        return len(self.axes) == 1 and not self.places and not self.fixed

    def cells(self, context: tuple[str, tuple[int, ...]] | None = None) -> Cells:
        """Return its cells; places without a line are within the lines of the context."""
        if self.fixed:
            return self.fixed
        axes = dict(self.axes)
        if self.places and not axes and context:
            axes = {context[0]: context[1]}
        if self.places and len(axes) == 1:
            axes[OPPOSITE[next(iter(axes))]] = self.places
        elif self.places and not axes:
            return frozenset({CENTRE}) if self.places == (CENTRE[0],) else frozenset()
        rows, columns = (set(axes.get(axis, range(SIZE))) for axis in ("row", "column"))
        return frozenset(cell for cell in CELLS if cell[0] in rows and cell[1] in columns)


def group_items(items: Sequence[Item]) -> list[Group]:
    """Return the groups of the parts among items, in order."""
    groups: list[Group] = []
    joint: list[Item] = []
    for at, item in enumerate(items):
        if not item.is_part:
            joint.append(item)
            continue
        group = groups[-1] if groups else None
        if group and item.kind == "lines" and [part.text for part in joint] == ["of"]:
            if shared := group.fixed & line_cells(item.axis, item.at):  # "the corners of the top row"
                group.fixed, joint = shared, []
                continue
        span_end = _end_of_span(group, item, joint) if group else None
        is_new = item.kind == "cells" and not _narrows(group, item, joint)
        if not group or (not span_end and (is_new or group.fixed or _begins(group, item, joint, items[at + 1 :]))):
            is_of_cell = any(part.value == "cell" and not part.plural for part in joint[-2:-1])
            groups.append(group := Group(is_of_cell=is_of_cell))
        _add(group, span_end or item, joint)
        joint = []
    return groups


class Saying:
    """Items that say or ask one thing, and what they mean together."""

    excepting = words_for("excepting")
    """Words that begin an exception where a part of the grid follows."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.words = frozenset(item.text for item in items if item.text and not item.is_part)
        self.kinds = frozenset(item.kind for item in items)
        start = next((at for at in range(len(items)) if self._begins_exception(at)), len(items))
        self.main, self.exception = items[:start], items[start:]
        self.groups, self.exceptions = group_items(self.main), group_items(self.exception)

    def _begins_exception(self, at: int) -> bool:
        item, rest = self.items[at], self.items[at:]
        return item.kind == "except" or (item.text in self.excepting and any(part.is_part for part in rest))

    def means(self, *meanings: str) -> bool:
        """Return whether one of its words that name no part of the grid has one of these meanings."""
        return any(self.words & words_for(meaning) for meaning in meanings)


def _narrows(group: Group | None, item: Item, joint: Sequence[Item]) -> bool:
    """Return whether cells are a part of the line before: "the bottom row only in the corners"."""
    if group is None or group.fixed or (item.value == "sides") != (not group.axes) or len(group.axes) > 1:
        return False
    kinds = {part.kind for part in joint}
    if item.value == "grid" and "and" not in kinds:
        return bool(group.axes)
    joins = bool(kinds & {"prep", "only", "verb"}) and "and" not in kinds
    return bool(group.places) if item.value == "sides" else joins and bool(item.cells & group.cells())


def _begins(group: Group, item: Item, joint: Sequence[Item], rest: Sequence[Item]) -> bool:
    """Return whether a part begins a new group after the words in between."""
    kinds, is_listed = {part.kind for part in joint}, _is_listed(joint)
    if item.kind == "places":
        is_new = bool(group.places) and (not is_listed or _line_follows(rest))
        return len(group.axes) == 2 or is_new or (group.is_complete and not is_listed)
    if item.axis in group.axes:
        return not is_listed or (group.is_complete and not group.places_first and item.axis == group.line[0])
    joins = [part.kind for part in joint if part.kind != "rest" and (part.text != "of" or "rest" not in kinds)]
    is_added = joins in (["and"], ["comma", "and"], ["and", "prep"]) or {"letter", "and"} <= kinds
    adds_line = is_added and not group.is_of_cell and not group.places
    return group.is_complete or adds_line


def _is_listed(joint: Sequence[Item]) -> bool:
    """Return whether the words between two parts only join them."""
    kinds, words = words_for("joining_kind"), words_for("joining")
    return bool(joint) and all(part.kind in kinds or part.text in words for part in joint)


def _end_of_span(group: Group, item: Item, joint: Sequence[Item]) -> Item | None:
    """Read "to the last" after a line as a line, "to the right edge" after a place or cell as where it ends."""
    if not joint or joint[-1].kind != "to":
        return None
    if item.kind == "places" and not item.axis and group.names[-1].kind == "lines":
        return replace(item, kind="lines", axis=group.names[-1].axis)
    if item.kind != "lines" or item.axis in group.axes:
        return None
    if group.places and group.axes:
        return replace(item, kind="places", axis="cell")
    return replace(item, kind="cells", cells=_cells_up_to(group.cells(), item)) if len(group.cells()) == 1 else None


def _cells_up_to(start: Cells, line: Item) -> Cells:
    """Return the cells from one on, straight to a row or column."""
    crossing = next(iter(start))[line.axis == "row"], next(iter(start))[line.axis == "column"]
    numbers = range(min(crossing[1], *line.at), max(crossing[1], *line.at) + 1)
    return line_cells(line.axis, numbers) & line_cells(OPPOSITE[line.axis], crossing[:1])


def _line_follows(rest: Sequence[Item]) -> bool:
    """Return whether "of row 2" follows."""
    return len(rest) > 1 and rest[0].kind == "prep" and rest[1].kind == "lines"


def _add(group: Group, item: Item, joint: Sequence[Item]) -> None:
    group.names.append(item)
    spans = has(joint, "TO")
    if item.kind == "cells":
        middles = frozenset(cell for cell in item.cells if not set(cell).isdisjoint(group.places))
        group.fixed = middles or (item.cells & group.cells() if group.axes else item.cells)
    elif item.kind == "places":
        group.places_first |= not group.axes
        group.places = _extend(group.places, item.at, spans)
    else:
        group.axes[item.axis] = _extend(group.axes.get(item.axis, ()), item.at, spans)


# ---------------------------------------------------------------------- numbers without a noun
def _bare(match: PhraseMatch) -> Item | None:
    """Return a list of numbers as places if it follows a line, or if "in row 2" follows."""
    numbers, before = number_list(match.group("numbers")), match.done[-NEAR_ITEMS:]
    part = next((item for item in reversed(before) if item.is_part), Item("none"))
    lead = before[-1].kind if before else "stop"
    is_bare = any(item.value == "bare" for item in before)
    is_list = len(numbers) > 1 or lead in ("prep", "only", "colon", "from") or part.value == "bare"
    follows = part.kind in ("lines", "places") and lead in words_for("lead") and is_list
    precedes = [item.kind for item in match.items_after(2)] == ["prep", "lines"] and (len(numbers) > 1 or is_bare)
    is_one = len(numbers) == 1 and match.items[0].text == "one"  # "just one"
    return Item("places", "bare", at=numbers) if (follows and not is_one) or precedes else None


BARE = make_rules(RULES.bare, globals())
"""Numbers that stand for places in a line become places: "row 1: 2 and 3", "in 1, 2 and 5", "only in 3"."""


# ---------------------------------------------------------------------- cells that are said one by one
def _written_row(match: PhraseMatch) -> Item | None:
    """Read five cells told one by one: "filled, three empty, filled", "A, blank, B, two Cs"."""
    marks = marks_of(match.items)
    return Item("marks", marks=marks) if len(marks) == SIZE else None


def marks_of(items: Iterable[Item]) -> tuple[str, ...]:
    """Return the cells that are told one by one: their letter, X for a filled one, or nothing."""
    marks: list[str] = []
    many = 1
    for item in items:
        if item.kind in ("letter", "value"):
            sign = item.value if item.kind == "letter" else "" if item.value == "empty" else "X"
            marks += [sign] * min(many, SIZE)
        many = item.number if item.kind == "number" else 1
    return tuple(marks)


SEQUENCES = make_rules(RULES.sequences, globals())
