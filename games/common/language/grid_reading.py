"""Reads what people say about a grid of filled and empty cells as claims (`grid_claims.py`).

A text is cut into clauses. Each says something of parts of the grid (`regions.py`), of its lines or of its shape; a
clause takes from the one before what it leaves out. Words that are not understood are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile

from games.common.grids import CELLS, CENTRE, CORNER_BY_NAME, SIZE, Cell
from games.common.language.doubt import sentences
from games.common.language.grid_claims import CellCount, GridClaim, Test, count_claim, state_claim
from games.common.language.phrases import PhraseMatch, make_rules, quote, rewrite
from games.common.language.regions import (
    ALL,
    BARE,
    NEAR_ITEMS,
    SEQUENCES,
    Group,
    Saying,
    group_items,
    line_cells,
    marks_of,
    read_items,
)
from games.common.language.signs import OPPOSITE, RULES, SHAPES, SIDE_AXES, Cells, Item, bounds_of, has, words_for

Line = tuple[str, int]
"""("row" or "column", number from 0)."""
DIAGONAL_NAMES = {2: "two diagonal lines", 3: "three diagonal lines"}


@dataclass(frozen=True)
class GridReading:
    """The claims of a text and the words that were not understood."""

    claims: tuple[GridClaim, ...]
    unread: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def read_grid_text(text: str, question: str = "") -> GridReading:
    """Return what a text says of a grid. `question` is the question that it answers, if it answers one."""
    certain = (sentence for sentence, _ in sentences(prepare(text), _is_doubtful) if not _is_unsure(sentence))
    items = rewrite((item for sentence in certain for item in sentence), SEQUENCES)
    claims = [replace(claim, text=text) for claim in _rows_in_order(items, question)]
    if not claims:
        before: Clause | None = None
        for sentence, is_doubtful in sentences(_answering(items, question), _is_doubtful):
            for clause in _clauses(sentence, before, is_doubtful):
                before = clause
                text_of_clause = text if question else quote(clause.items)
                claims += [replace(claim, text=text_of_clause) for claim in _claims_of(clause, claims)]
    return GridReading(tuple(dict.fromkeys(claims)), tuple(unread_words(items)))


def _is_doubtful(item: Item) -> bool:
    return item.text in words_for("doubt")


def unread_words(items: Iterable[Item]) -> list[str]:
    """Return the words that mean nothing here."""
    kinds = ("known", "hedge", "turned", "reach", "symmetry", "connected", "line", "hollow")
    states = frozenset(SHAPES).union(*map(words_for, kinds))
    return [item.text for item in items if item.kind == "word" and item.text and item.text not in states]


# ---------------------------------------------------------------------- before clauses are cut
def prepare(text: str) -> list[Item]:
    """Return the items of a text without directions ("from top to bottom"), and with numbers that are places."""
    items = rewrite(read_items(text), [*make_rules(RULES.counts, globals()), *BARE])
    return rewrite((item for item in items if item.text != "there"), REWRITES)


def _counts_of_lines(match: PhraseMatch) -> list[Item] | None:
    """Write out "rows 1 to 3 have 2, 0 and 4 filled cells", line by line."""
    lines, numbers = match.word("lines"), [item.number for item in match.group("numbers") if item.kind == "number"]
    pairs = list(zip(lines.at, numbers, strict=False))
    is_full = len(lines.at) == len(numbers) > 1
    return [part for at, number in pairs for part in _line_has((lines.axis, at), number)] if is_full else None


def _line_has(line: Line, number: int) -> list[Item]:
    """Return the items of "row 2 has 3 cells"."""
    return [*read_items(f"{line[0]} {line[1] + 1} has {number} cells.")]


def _lines_beyond(match: PhraseMatch) -> Item:
    """Read "below row 2", "left of the third column" as these lines."""
    way, line = match.word("way"), match.word("line")
    numbers = range(max(line.at) + 1, SIZE) if way.value in ("below", "right") else range(min(line.at))
    return Item("lines", "beyond", line.axis, tuple(numbers))


def _lines_after(match: PhraseMatch) -> list[Item] | None:
    """Read "then two full rows", "followed by a row" after a row as the rows that come next."""
    if match.item_before().text not in ("then", "followed") or match.word("noun").kind != "noun":
        return None
    before = next((item for item in reversed(match.done[-NEAR_ITEMS:]) if item.kind == "lines"), Item("none"))
    axis, number = match.word("noun").value, match.word("number").number or 1
    if before.axis != axis or match.word("noun").plural != (number > 1):
        return None
    first = max(before.at) + 1
    return [Item("lines", axis, axis, tuple(range(first, min(first + number, SIZE)))), *match.group("state")]


def _marks_at_end(match: PhraseMatch) -> Item:
    """Read "starts with two X's", "ends with an empty cell"."""
    number = match.word("number").number
    marks = ("X",) * number if number else marks_of(match.group("run"))[:SIZE]
    return Item("marks", "" if match.items[0].kind == "from" else "end", marks=marks)


def _all_but(match: PhraseMatch) -> Item:
    """Read "all but two cells", "everything except one corner" as their number."""
    total = SIZE if match.items_after(1)[0].value in OPPOSITE else len(CELLS)
    return Item("number", number=total - match.word("number").number)


def _hollow(match: PhraseMatch) -> Item | None:
    """Read "a square with a hole in it" as a hollow one."""
    is_shape = any(item.text in SHAPES or item.value == "block" for item in match.encoded.items[: match.start])
    return Item("word", text="hollow") if is_shape else None


def _ring(match: PhraseMatch) -> Item | None:
    """Read "a frame", "a small outline", "a ring" as a shape that is not the border of the whole grid."""
    source = match.items[0].source
    is_shape = source.startswith(("a ", "A ")) or "ring" in source
    is_shape |= source.endswith("outline") and any(item.text in SHAPES for item in match.encoded.items[: match.start])
    return Item("word", text="ring") if is_shape else None


def _sentence_before(match: PhraseMatch) -> Iterator[Item]:
    """Yield the items of the sentence before a match, the last first."""
    return takewhile(lambda item: item.kind != "stop", reversed(match.done))


def _place_at_end(match: PhraseMatch) -> Item | None:
    """Read "an X at the end" as the last cell of a line that is named before."""
    is_of_line = any(item.kind == "lines" and len(item.at) == 1 for item in _sentence_before(match))
    return Item("places", "cell", "cell", (SIZE - 1 if match.word("end").text == "end" else 0,)) if is_of_line else None


def _except_empty(match: PhraseMatch) -> list[Item] | None:
    """Read "is full, but the first cell is empty" as an exception."""
    is_full = any(item.kind == "full" for item in _sentence_before(match))
    return [Item("except", text="except"), *match.group("part")] if is_full else None


def _comparison(match: PhraseMatch) -> Item:
    """Read "the same number of X's", "more X's than", "as many filled cells as"."""
    number = 1 if has(match.items, "more") else -1 if has(match.items, "fewer", "less") else 0
    return Item("compared", number=number)


def _end_mark(match: PhraseMatch) -> Item | None:
    """Read "the first X in" a line before where it is."""
    return None if "empty" in match.items[0].source else Item("compared", match.word("which").text)


def _other_lines(match: PhraseMatch) -> Item | None:
    """Read "each row except the third has one X" as what is said of the other rows."""
    lines, numbers = match.word("lines"), set(match.word("but").at)
    others = tuple(number for number in lines.at if number not in numbers)
    return replace(lines, at=others) if len(lines.at) == SIZE and match.word("but").axis in (lines.axis, "") else None


def _plus(match: PhraseMatch) -> Item | None:
    """Read "plus one X", "plus the corner" as "and", unlike "a plus"."""
    return Item("and", text="and") if match.items[0].source.lower() == "plus" else None


def _from_side(match: PhraseMatch) -> Item:
    """Read "starting from the left edge", "from the right" as "on the left"."""
    side = match.word("side")
    return Item("side", side.text if side.is_part else side.value, at=side.at, number=1)


def _edge_reached(match: PhraseMatch) -> Item | None:
    """Read "the bottom" as an edge where something reaches it."""
    side = match.items[0]
    is_reached = any(item.text in words_for("reach") for item in match.encoded.items)
    return Item("lines", "edge", SIDE_AXES[side.value], side.at) if is_reached and side.value in SIDE_AXES else None


REWRITES = make_rules(RULES.rewrites, globals())


def _is_unsure(items: Sequence[Item]) -> bool:
    """Return whether a sentence says that its speaker does not know."""
    words = {item.text for item in items}
    is_denied = not words.isdisjoint(words_for("unsure")) and not words.isdisjoint(words_for("know"))
    return "unsure" in words or {"no", "idea"} <= words or is_denied


def is_x(item: Item) -> bool:
    """Return whether an item is the letter X, which stands for a filled cell."""
    return item.kind == "letter" and item.value == "X"


def lines_in(groups: Iterable[Group]) -> list[Line]:
    """Return the whole rows and columns of groups."""
    return [(axis, n) for group in groups if group.is_line for axis, at in group.axes.items() for n in at]


def _rows_in_order(items: Sequence[Item], question: str) -> Iterator[GridClaim]:
    """Yield what rows written out without "row 2" say: all five in order, or those that were asked for."""
    rows = [item.marks for item in items if item.kind == "marks" and len(item.marks) == SIZE]
    if any(item.kind == "lines" for item in items) or not rows:
        return
    lines = lines_in(group_items(read_items(question)))
    if len(lines) != len(rows):
        lines = [("row", number) for number in range(SIZE)] if len(rows) == SIZE else []
    yield from (marks_claim(line, marks) for line, marks in zip(lines, rows, strict=False))


def marks_claim(line: Line, marks: Sequence[str], is_end: bool = False) -> GridClaim:
    """Return the claim that a line is as written out, or its first or last cells are."""
    cells = sorted(line_cells(line[0], [line[1]]))
    pairs = zip(cells[-len(marks) :] if is_end else cells, marks, strict=False)
    counts = [CellCount(frozenset({cell}), int(bool(mark)), int(bool(mark))) for cell, mark in pairs]
    return GridClaim((tuple(counts),))


# ---------------------------------------------------------------------- answers that leave out what was asked
def _answering(items: list[Item], question: str) -> list[Item]:
    """Put what was asked before an answer that does not repeat it: "Is the centre filled?" - "yes"."""
    if not question or not items:
        return items
    asked_items = [item for item in rewrite(read_items(question), BARE) if item.kind != "stop"]
    is_open = any(item.text in words_for("question") for item in asked_items[:2])
    first, second = [*items, Item("stop")][:2]
    says_no = first.text in words_for("no") and second.kind in ("stop", "comma")
    if not is_open and (says_no or first.text in words_for("yes")):
        is_unclear = says_no and len(list(_clauses(asked_items))) > 1
        restated = [] if is_unclear else [Item("deny" if says_no else "question"), *asked_items, Item("stop")]
        return [*restated, *items[1:]]
    if first.kind == "all" and second.text in ("but", "except"):  # "all but the top right"
        return [*(item for item in asked_items if item.is_part or item.kind == "value"), Item("except"), *items[2:]]
    return _numbers_answering(items, asked_items) or _parts_answering(items, asked_items)


def _numbers_answering(items: Sequence[Item], asked_items: Sequence[Item]) -> list[Item]:
    """Read "4, 2, 4, 1, 2" or "13" after "how many"."""
    numbers = [item.number for item in items if item.kind == "number"]
    parts, lines = [item for item in asked_items if item.is_part], lines_in(group_items(asked_items))
    if not any(item.text in ("many", "count") for item in asked_items) or any(item.is_part for item in items):
        return []
    if len(numbers) == len(lines) > 1:
        return [part for line, number in zip(lines, numbers, strict=True) for part in _line_has(line, number)]
    things = [item for item in asked_items if item.kind in ("noun", "value") or is_x(item)] or [Item("noun", "cell")]
    return [Item("number", number=numbers[0]), *things, Item("prep"), *parts] if len(numbers) == 1 else []


def _parts_answering(items: list[Item], asked_items: Sequence[Item]) -> list[Item]:
    """Read "1 and 4", "row 1 and row 3 are filled", "all but the last" after a question about one line or part."""
    groups, parts = group_items(asked_items), [item for item in asked_items if item.is_part]
    lines, axes = lines_in(groups), {item.axis for item in items if item.kind == "lines"}
    crosses = len(lines) == 1 and axes == {OPPOSITE[lines[0][0]]}
    if len(groups) != 1 or len(lines) > 1 or any(item.kind == "cells" for item in items) or (axes and not crosses):
        return items
    rest = [item for item in items if item.text not in ("yes", "no")]
    return rewrite([Item("exhaustive"), *parts, Item("colon", ":", text=":"), *rest], BARE)


# ---------------------------------------------------------------------- clauses
class Clause(Saying):
    """Items that say one thing, and what they mean together; `before` is the clause before in the sentence."""

    def __init__(self, items: Sequence[Item], before: Clause | None, lead: str = "", is_doubtful: bool = False) -> None:
        super().__init__(_with_side_places(list(map(_as_side, items))))
        self.before, self.lead, self.is_doubtful = before, lead, is_doubtful
        self.follows_line = lead != "stop" and before is not None and before.names_line
        self._inherit_axis()
        self.count = next((bounds for at in range(len(self.items)) if (bounds := self._count_at(at))), None)
        self._take_values()
        self.shows_shape = bool(shape_names(self.items)) or "shape" in self.kinds
        self.is_location = before is not None and self._is_further(before)
        """Whether it only says where something is that the clause before named."""

    def _take_values(self) -> None:
        values = {item.value for item in self.items if item.kind == "value"}
        self.is_empty = "empty" in values
        starts_filled = any(item.marks[0] for item in self.items if item.kind == "marks" and len(item.marks) < SIZE)
        self.is_filled = "filled" in values or any(map(is_x, self.items)) or starts_filled
        self.negated = any(item.kind == "not" for item in self.main)
        says_filled = self.is_filled or "full" in self.kinds or bool(self.words & {"nothing", "none"})
        self.value = False if self.is_empty else True if says_filled else None
        """Whether it says filled (True) or empty (False); None where it says neither."""

    def _is_further(self, before: Clause) -> bool:
        """Return whether it only names parts, for what the clause before counted, showed or said of nothing else."""
        if self.value is not None or self.count or {"verb", "colon", "only"} & self.kinds:
            return False
        is_only = "only" in before.kinds and self.lead != "stop"
        is_only |= before.means("line") and not before.is_understood() and self.items[0].kind == "prep"
        goes_on = self.lead != "colon" or self.items[0].kind == "prep"
        return goes_on and bool(before.count or before.shows_shape or before.is_location or is_only)

    def is_understood(self, numbers: int = 1) -> bool:
        """Return whether all that it says was read: no other word, no relation, no more numbers than a claim has."""
        is_shape_of_part = "shape" in self.kinds and self.groups  # "the four 2x2 corners"
        is_odd = self.is_doubtful or is_shape_of_part or self.kinds & {"move", "half", "ends"}
        counted = sum(item.kind == "number" for item in self.items)
        return not is_odd and not unread_words(self.items) and counted <= numbers

    @property
    def is_statement(self) -> bool:
        """Whether it stands for itself: it leaves nothing out, hedges nothing, and the clause before was understood."""
        before = self.before.items if self.before and self.lead != "stop" else ()
        goes_on = "verb" not in self.kinds and bool(unread_words(before))
        return not (goes_on or self.is_fragment or self.means("hedge")) and self._says_all()

    @property
    def is_fragment(self) -> bool:
        """Whether it is a sentence that only names lines, as where the shape is: "Rows three and four."."""
        is_bare = self.value is None and not self.count and not self.kinds & words_for("stating")
        return self.lead == "stop" and self.before is not None and is_bare and bool(lines_in(self.groups))

    def _says_all(self) -> bool:
        """Whether it says of its parts what they are: in "three more" or "both sides" something may be left out."""
        parts = [item for item in self.items if item.is_part]
        if parts and "only" not in self.kinds and any(_is_line_noun(i) or i.source == ")" for i in self.items):
            return False  # "in the rows between"
        is_list = "number" not in self.kinds and not any("edge" in (item.value, item.text) for item in parts)
        is_definite = all(item.source.lower().startswith("the ") for item in self.items if item.kind == "number")
        is_counted = self.count and not is_definite and not self.words & {"more", "another", "other"}
        return bool(self.kinds & words_for("stating") or is_list or is_counted or not parts)

    @property
    def names_line(self) -> bool:
        """Whether its sentence has named a row or column so far."""
        return self.follows_line or any(group.axes for group in self.groups)

    @property
    def names_middle(self) -> bool:
        """Whether it names the middle of something: of the grid, or of a shape."""
        return any(group.places == (CENTRE[0],) and not group.axes for group in self.groups)

    @property
    def cells(self) -> Cells:
        """All cells that it names."""
        return frozenset().union(*[group.cells() for group in self.groups])

    def _inherit_axis(self) -> None:
        """Read "the second" as a row where rows were named before: "two in the first row, three in the second"."""
        if self.groups and self.groups[0].names[0].value == "all":
            for exception in self.exceptions:
                _take_axis(exception, self.groups[0].line[0])
        if len(self.groups) == 1 and self.before:
            self._inherit_from(self.groups[0], self.before)

    def _inherit_from(self, group: Group, before: Clause) -> None:
        nouns = [item.value for item in before.items if _is_line_noun(item)][:1]
        source = before.groups[-1] if before.groups else Group(dict.fromkeys(nouns, ()))
        axis, numbers = source.line
        is_crossing = group.is_line and len(source.axes) == 2 and group.line[0] != axis and self.lead != "stop"
        if is_crossing and self.words & {"one", "another"}:  # "row 1 has an X in column 2 and one in column 5"
            group.axes = {axis: numbers, **group.axes}
        if len(source.axes) != 1 or group.axes or group.is_of_cell or any(map(_is_line_noun, self.items)):
            return
        if not source.places and (group.names[0].axis != "cell" or not before.groups):
            _take_axis(group, axis)

    def _count_at(self, at: int) -> tuple[int, int] | None:
        """Return the bounds of the number of cells given here: "three X's", "at least two", "just one"."""
        if self.items[at].kind != "number" or (self.items[at].text == "one" and self._names_another_line()):
            return None
        skipped = (item for item in self.items[at + 1 :] if item.kind not in ("full", "value", "rest"))
        follower = next((item for item in skipped if item.text not in ("of", "more")), Item("stop"))
        has_value = any(item.kind == "value" for item in self.items[at + 1 : at + 2])
        is_alone = follower.kind in ("stop", "comma", "and", "prep", "all") and (has_value or bool(self.groups))
        is_mark = follower.text == "cross" and any(group.axes for group in self.groups)  # "row 1 has one cross"
        is_total = any(item.text in words_for("total") for item in self.items[at + 1 : at + 3])
        is_of_cells = is_x(follower) or follower.value == "cell" or is_mark
        return self.bounds(at) if is_alone or is_total or is_of_cells else None

    def _names_another_line(self) -> bool:
        """Return whether "one" is a further line: "a full row at the top and one in row 3"."""
        kinds = [item.kind for item in self.before.items] if self.before else []
        return ("full", "lines") in pairwise(kinds) and "verb" not in kinds

    def bounds(self, at: int) -> tuple[int, int]:
        """Return the least and the greatest number that "more than 3", "at most 3" or "3" means."""
        words = {item.text for item in self.items[max(0, at - 3) : at]}
        return bounds_of(self.items[at].number, words, len(CELLS))


def _is_line_noun(item: Item) -> bool:
    return item.kind == "noun" and item.value in OPPOSITE


def _take_axis(group: Group, axis: str) -> None:
    """Make rows of "the second" and "the third one" after rows."""
    if group.places and not group.axes:
        group.axes, group.places = {axis: group.places}, ()


def _as_side(item: Item) -> Item:
    """Read "the left side" as "the left": in a description it is no column."""
    is_side = item.kind == "lines" and item.value == "side"
    return Item("side", item.text, at=item.at, number=1) if is_side else item


def _with_side_places(items: list[Item]) -> list[Item]:
    """Read "at the left" as the first cell where a row is named and nothing is counted."""
    axes = {item.axis for item in items if item.kind == "lines"}
    crossed = {OPPOSITE[SIDE_AXES.get(item.value, "row")] for item in items if item.kind == "side"}
    if any(item.kind == "number" for item in items) or len(axes) != 1 or crossed != axes:
        return items
    return [Item("places", item.value, "cell", item.at) if item.kind == "side" else item for item in items]


def _clauses(items: Sequence[Item], before: Clause | None = None, is_doubtful: bool = False) -> Iterator[Clause]:
    """Yield clauses: cut at stops, and at "," and "and" where both sides say something of their own."""
    current: list[Item] = []
    lead = "stop" if before else ""
    for at, item in enumerate([*items, Item("stop")]):
        is_joint = item.kind in ("comma", "and", "colon") or item.text in words_for("joint")
        cuts = item.kind == "stop" or (item.kind == "lines" and any(part.kind == "marks" for part in current))
        cuts |= is_joint and not _is_coordinate(items, at) and _ends_here(current, items[at + 1 : at + NEAR_ITEMS])
        cuts |= is_joint and _is_where(current, before) and has(items[at + 1 : at + NEAR_ITEMS], "VERB")
        if not cuts and len(current) <= NEAR_ITEMS:
            current += [item] if current or not is_joint else []
            continue
        if current:
            yield (before := Clause(current, before, lead, is_doubtful))
        current, lead = [item] if item.kind == "lines" else [], item.kind


def _is_where(items: Sequence[Item], before: Clause | None) -> bool:
    """Return whether items only say in which columns of the row before so many cells are: "…, in columns 1 and 2"."""
    axes = {item.axis for item in items if item.kind == "lines"}
    counted = {OPPOSITE[axis] for group in before.groups for axis in group.axes} if before and before.count else set()
    return (
        axes == counted and len(axes) == 1 and items[0].kind == "prep" and {i.kind for i in items} <= {"prep", "lines"}
    )


def _ends_here(items: Sequence[Item], rest: Sequence[Item]) -> bool:
    """Return whether both sides of a joint say something of their own; a list of exceptions goes on."""
    if [item.kind for item in rest[:2]] in (["not", "rest"], ["all", "rest"], ["rest", "verb"], ["rest", "value"]):
        return True
    ahead = list(takewhile(lambda item: item.kind not in ("stop", "comma"), rest))
    if rest and rest[0].kind == "marks" and len(rest[0].marks) < SIZE and not has(items, "LINES"):
        return True
    if has(items, "EXCEPT", "apart") and not has(ahead, "SAYS"):
        return False
    is_drawn = any(item.value in ("diagonal", "block") and item.is_part for item in items[:1])
    is_strange = not has(items, "PART", "SAYS", "COUNTS") and (bool(unread_words(items)) or has(items, "SIDE"))
    stands_alone = is_strange or (is_drawn and has(ahead, "COUNTS"))
    goes_on = has(ahead, "PART", "REST", "SIDE", "SAYS", "COUNTS")
    return (stands_alone and has(ahead, "PART")) or (goes_on and _is_complete(items))


def _is_coordinate(items: Sequence[Item], at: int) -> bool:
    """Return whether a comma, or "and" after "the cell in", stands between the row and the column of a cell."""
    if not 0 < at < len(items) - 1 or items[at - 1].kind != "lines" or items[at + 1].kind not in ("lines", "places"):
        return False
    if any(item.text in ("in", "of") for item in items[at + 2 : at + 3]) or items[at - 1].value in ("side", "edge"):
        return False  # "three in the top row, ends in the second"; "on the right side, row 2"
    is_of_cell = any(item.value == "cell" and item.kind == "noun" and not item.plural for item in items[at - 4 : at])
    joins = items[at].kind == "comma" or (items[at].text == "and" and is_of_cell)
    return joins and items[at + 1].axis != items[at - 1].axis


def _is_complete(items: Sequence[Item]) -> bool:
    """Return whether items name a part and say something of it, count something or name a shape."""
    has_part = has(items, "PART", "REST")
    if any(item.text in SHAPES or (item.kind == "letter" and not is_x(item)) for item in items):
        return True
    after_numbers = [after.kind for item, after in pairwise(items) if item.kind == "number"]
    if (
        has(items, "NOT", "cell", "COMPARED")
        or (has_part and has(items, "NUMBER"))
        or set(after_numbers) - {"comma", "and", "number"}
    ):
        return True
    return has_part and (has(items, "SAYS") or (has(items, "PLACES") and has(items, "LINES")))


# ---------------------------------------------------------------------- claims of a clause
def _claims_of(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Return the claims of a clause; the first reader that understands it counts. Shapes may come in addition."""
    states = {cell: filled for claim in earlier for cell, filled in claim.known_cells().items()}
    attempts = ((kinds, read(clause, states)) for read, kinds in READERS.items())
    kinds_read, claims = next((attempt for attempt in attempts if attempt[1]), (READERS[_read_parts], []))
    numbers = 2 if any(claim.test[:1] == ("lines",) for claim in claims) else 1
    unused = clause.kinds & DECISIVE - kinds_read - ({"rest"} if clause.exceptions else set())
    is_understood = clause.is_understood(numbers) and not unused
    if "marks" not in clause.kinds and not is_understood:
        claims = [replace(claim, is_sure=False, is_understood=False) for claim in claims]
    claims = [*_read_shape(clause, is_understood), *claims]
    if "deny" in clause.kinds:
        claims = [_opposite(claim) for claim in claims[:1]]
    return claims if clause.is_statement else [replace(claim, is_sure=False) for claim in claims]


def _opposite(claim: GridClaim) -> GridClaim:
    """Return the opposite of a claim; of a single cell it is known what it is then."""
    states = claim.known_cells()
    if len(states) != 1:
        return replace(claim, negated=not claim.negated)
    return state_claim(frozenset(states), not any(states.values()))


States = Mapping[Cell, bool]
"""Cells that were said before to be filled or empty."""


def _read_marks(clause: Clause, states: States) -> list[GridClaim]:
    """Read "row 2: X ▢ ▢ X X"."""
    rows = [item for item in clause.items if item.kind == "marks"]
    return [marks_claim(line, row.marks, row.value == "end") for line in lines_in(clause.groups) for row in rows]


def _read_rest(clause: Clause, states: States) -> list[GridClaim]:
    """Read "the rest is empty", "nothing else": all cells that were not mentioned, here or in the line before."""
    filled_rest = clause.value is True and not clause.negated
    if "rest" not in clause.kinds or filled_rest not in {not filled for filled in states.values()}:
        return []
    groups = clause.before.groups if clause.before else []
    lines = [line_cells(*group.line) for group in groups if group.places and len(group.axes) == 1]
    within = clause.cells or frozenset().union(*lines) or ALL
    rest = within - {cell for cell, filled in states.items() if filled != filled_rest}
    return [state_claim(rest, filled_rest, is_sure=False)] if rest else []


def _read_shape(clause: Clause, is_understood: bool) -> list[GridClaim]:
    """Read "the letter J", "a hollow square", "two by three block", "a vertical line", "solid", "a hole"."""
    claims = [GridClaim(test=test, negated=clause.negated) for test in _tests_of_shapes(clause)]
    if not clause.groups and {"solid", "shape"} <= clause.words:
        claims.append(GridClaim(test=("hole",), negated=not clause.negated))
    if names := _shapes_shown(clause):
        stances = [name for name in ("tall", "wide") if "rectangle" in names[0] and clause.means(name)]
        claims += [GridClaim(test=("stands", name == "tall")) for name in stances]
        claims.append(GridClaim(test=("shape", *names), negated=clause.negated and not clause.groups))
    if claims and clause.is_understood():
        claims += _leaning(clause)
    is_clear = is_understood or not (clause.is_doubtful or _is_odd_shape(clause.items))
    is_whole = is_clear and not clause.means("likeness")  # "a sort of O" need not look like one
    return [replace(claim, is_sure=False, is_understood=is_whole) for claim in claims]


def _tests_of_shapes(clause: Clause) -> list[Test]:
    """Return tests for "two by three block", "two vertical lines", "a hole"."""
    is_gap = clause.is_empty and "verb" in clause.kinds
    is_gap |= any((before.value, item.kind) == ("empty", "shape") for before, item in pairwise(clause.items))
    blocks = [item for item in clause.items if item.kind == "shape" and max(item.at) < SIZE and not is_gap]
    tests: list[Test] = [("block", *item.at, _is_hollow(clause), item.value == "upright") for item in blocks]
    tests += [("hole",)] if clause.words & {"hole", "holes"} and not clause.groups else []
    number = next((item.number for item in clause.items if item.kind == "number"), 0)
    ends = (number, number) if number else (1, SIZE)
    ways = {"column": "vertical", "row": "horizontal"} if clause.means("line") and not clause.groups else {}
    return tests + [("lines", axis, "line", *ends) for axis, way in ways.items() if way in clause.words]


def _shapes_shown(clause: Clause) -> list[str]:
    """Return the names of the patterns that it mentions; "an empty cross" is none, but a hollow square."""
    names = shape_names(clause.items)
    is_gap = bool(clause.words & {"empty", "blank"}) and not clause.groups
    return [] if is_gap and not any("hollow" in name for name in names) else names


def _leaning(clause: Clause) -> list[GridClaim]:
    """Return that most is on the sides that a clause names."""
    sides = [item.value for item in clause.items if item.kind == "side" and item.value != "middle"]
    return [GridClaim(test=("leans", side)) for side in sides]


def _is_hollow(clause: Clause) -> bool:
    """Return whether a block is said to be hollow, here or in the clause before."""
    clauses = [clause, clause.before] if clause.before else [clause]
    return (clause.is_empty and clause.names_middle) or any(each.means("hollow") for each in clauses)


def shape_names(items: Sequence[Item]) -> list[str]:
    """Return the names of the patterns that are mentioned; letters may be turned."""
    words, kinds = {item.text for item in items}, {item.kind for item in items}
    around = zip([Item("stop"), *items], items, [*items[1:], Item("stop")], strict=False)
    return [name for before, item, after in around for name in _names_of(item, before, after, words, kinds)]


def _is_odd_shape(items: Sequence[Item]) -> bool:
    """Return whether a shape has an adjective that is not known: "a slanted rectangle"."""
    return any(unread_words([before]) and shape_names([after]) for before, after in pairwise(items))


def _names_of(item: Item, before: Item, after: Item, words: Set[str], kinds: Set[str]) -> Sequence[str]:
    turned = "turned " if words & words_for("turned") else ""
    if _names_letter(item, before):
        names = SHAPES.get(item.value.lower(), [f"the letter {item.value}"])
        return [turned + name if name.startswith("the letter") else name for name in names]
    if item.kind == "noun" and item.value == "diagonal":
        return [DIAGONAL_NAMES.get(before.number, "a diagonal line")] if words & {"line", "lines"} else ()
    if item.kind == "places":
        return ["a checkerboard"] if item.value == "alternating" and "lines" not in kinds else ()
    is_word = item.kind in ("word", "noun") and item.value != "cell"
    is_part = not words_for("whole") & {before.text, after.text} and _is_part_shape(item, kinds)
    return _named_shapes(item, words) if is_word and not is_part else ()


def _named_shapes(item: Item, words: Set[str]) -> Sequence[str]:
    """Return the patterns that a word may mean, hollow or solid ones if that is said."""
    shapes = SHAPES.get(item.text) or SHAPES.get(item.text.removesuffix("s"), ())
    turned = "turned " if words & words_for("turned") else ""
    only = "hollow" if words & words_for("hollow") else "solid" if "solid" in words else ""
    return [turned + name for name in shapes if only in name] or shapes


def _is_part_shape(item: Item, kinds: Set[str]) -> bool:
    """Return whether a shape is one that a part of the grid is named with, not what the grid looks like."""
    is_loose = item.text in words_for("located") or item.text not in SHAPES
    return is_loose and not kinds.isdisjoint(("lines", "places", "cells"))


def _names_letter(item: Item, before: Item) -> bool:
    """Return whether a letter is what the grid looks like, not the X in a cell."""
    is_cell = is_x(item) and before.text not in words_for("before_x")
    return item.kind == "letter" and not is_cell and before.text not in ("little", "small", "tiny")


def _read_line_counts(clause: Clause, states: States) -> list[GridClaim]:
    """Read "three rows are empty", "no full rows", "only one full column"."""
    state = _line_state(clause)
    if state is None or clause.exceptions:
        return []
    is_any = clause.negated or bool(clause.words & {"any", "anywhere"}) or clause.items[0].text in ("is", "are")
    for at, item in enumerate(clause.items):
        numbers = [before for before in range(at) if clause.items[before].kind == "number"]
        if _is_line_noun(item) and (numbers or is_any):
            ends = clause.bounds(numbers[-1]) if numbers else (0, 0) if clause.negated else (1, SIZE)
            return [GridClaim(test=("lines", item.value, state, *ends))]
    return []


def _line_state(clause: Clause) -> str | None:
    """Return what lines are said to be: empty, full, not empty ("some"), or with so many cells filled."""
    numbers = [item.number for item in clause.items if item.kind == "number"]
    if clause.is_empty:
        return "empty"
    if len(numbers) == 2 and (clause.is_filled or any(item.value == "cell" for item in clause.items)):
        return str(numbers[1])
    is_full = "full" in clause.kinds or (clause.is_filled and not clause.means("partly"))
    return "full" if is_full else "some" if clause.is_filled else None


def _read_relations(clause: Clause, states: States) -> list[GridClaim]:
    """Read that it is symmetric, connected, or has more filled cells than empty ones."""
    if clause.means("symmetry"):
        axis = next((SIDE_AXES.get(item.value, "") for item in clause.items if item.kind == "side"), "")
        side = {"column": "left", "row": "top"}.get(axis, "")
        return [GridClaim(test=("symmetric", side), negated=clause.negated)]
    if clause.means("connected"):
        return [GridClaim(test=("connected",), negated=clause.negated, is_sure=False)]
    if not (clause.is_filled and clause.is_empty and clause.words & {"more", "fewer", "less"}):
        return []
    first = next(item.value for item in clause.items if item.kind == "value")
    is_more = ("more" in clause.words) == (first == "filled")
    return [count_claim(ALL, *((len(CELLS) // 2 + 1, len(CELLS)) if is_more else (0, len(CELLS) // 2)))]


def _read_alike(clause: Clause, states: States) -> list[GridClaim]:
    """Read "rows 1 and 2 are the same"; "row 5: same as row 2" copies a row that was told."""
    lines = lines_in(clause.groups)
    is_same = "same" in clause.kinds or ("like" in clause.words and not clause.shows_shape)
    if not is_same or len({axis for axis, _ in lines}) != 1 or len(lines) < 2:
        return []
    source = sorted(line_cells(lines[1][0], [lines[1][1]]))
    if len(lines) == 2 and not clause.negated and all(cell in states for cell in source):
        return [marks_claim(lines[0], ["X" * states[cell] for cell in source])]
    return [GridClaim(test=("alike", lines[0][0], *(number for _, number in lines)), negated=clause.negated)]


def _read_compared(clause: Clause, states: States) -> list[GridClaim]:
    """Read "row 1 has more X's than row 3", "rows 1 and 3 have equally many", "the first X in row 2 is in column 3"."""
    compared, lines = next((item for item in clause.items if item.kind == "compared"), None), lines_in(clause.groups)
    if compared is None:
        return []
    if not compared.value:
        test = ("compared", *lines[0], *lines[1], compared.number) if len(lines) == 2 else ()
        return [GridClaim(test=test, negated=clause.negated)] if test else []
    axis, numbers = clause.groups[0].line if clause.groups else ("", ())
    if len(clause.cells) != 1 or not axis:
        return []
    (cell,) = clause.cells
    line = sorted(line_cells(axis, numbers))
    at = line.index(cell)
    rest = line[:at] if compared.value == "first" else line[at + 1 :]
    return [state_claim(frozenset({cell}), True), state_claim(frozenset(rest), False)]


def _read_only(clause: Clause, states: States) -> list[GridClaim]:
    """Read "only rows 2 and 3 have any X's", "X only in the first cell of row 2", "nothing but the corners"."""
    if "only" not in clause.kinds or clause.count or not clause.groups or clause.shows_shape or clause.negated:
        return []
    if any(group.names[-1].value == "corners" and group.names[-1].number for group in clause.groups):
        return []
    filled, cells = clause.value is not False, clause.cells
    lines = lines_in(clause.groups)
    if not all(group.is_line for group in clause.groups):
        return [state_claim(cells, filled), state_claim(_cells_meant(clause) - cells, not filled)]
    if not filled:
        return [GridClaim(test=("lines", lines[0][0], "empty", len(lines), len(lines))), state_claim(cells, False)]
    is_whole = "full" in clause.kinds or clause.items[-1].value == "filled" or clause.means("line")
    inside = state_claim(cells, True) if is_whole else count_claim(cells, 1, len(cells))
    return [inside, state_claim(ALL - cells, False)]


def _cells_meant(clause: Clause) -> Cells:
    """Return the cells among which only some are meant: of the lines that are named, of the corners, or all."""
    if any(item.kind == "noun" and item.value == "corner" for item in clause.items):
        return frozenset(CORNER_BY_NAME.values())
    lines = [line_cells(*group.line) for group in clause.groups if group.axes]
    return frozenset().union(*lines) if len(lines) == len(clause.groups) else ALL


def _read_parts(clause: Clause, states: States) -> list[GridClaim]:
    """Read what is said of parts: filled, empty, full, or so many cells."""
    before = clause.before
    if before and clause.is_location:
        return _further(clause, before)
    if _is_half_read(clause):
        return []
    is_new = clause.means("reach") or (clause.lead == "stop" and any(group.places for group in clause.groups))
    inherited = before.value if before and clause.count is None and not is_new else None
    filled = (inherited if clause.value is None else clause.value) is not False
    if clause.exceptions:
        return _read_exceptions(clause, filled and not clause.negated)
    return [claim for group in clause.groups if group.cells() for claim in _of_group(group, clause, filled)]


def _is_half_read(clause: Clause) -> bool:
    """Return whether its parts are not simply filled: it excepts what was not read, or a shape or ring is there."""
    has_block = any(item.value == "block" and item.is_part for item in clause.items)
    is_ring = (has_block and _is_hollow(clause)) or (clause.value is None and clause.means("hollow"))
    is_shape = clause.shows_shape and clause.value is None and clause.count is None
    is_unread = "except" in clause.kinds and not clause.exceptions
    return is_unread or ((is_ring or is_shape) and "verb" not in clause.kinds)


def _read_exceptions(clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "all but the centre and one of the corners"."""
    context = next((group.line for group in clause.groups if len(group.axes) == 1), None)
    cells, excepted = clause.cells or ALL, set[Cell]()
    claims: list[GridClaim] = []
    for group in clause.exceptions:
        part, number = group.cells(context) & cells, group.names[-1].number
        is_some = group.names[-1].value == "corners" and 0 < number < len(part)
        claims.append(_some_of(part, number, number, not filled) if is_some else state_claim(part, not filled))
        excepted |= part
    return [state_claim(cells - excepted, filled), *claims] if excepted else []


def _further(clause: Clause, before: Clause) -> list[GridClaim]:
    """Read where something is that was said before: "rows 2 and 3 have one X each, both in the fourth column"."""
    names_all = bool(clause.words & {"both", "all"})
    if names_all and before.count and not before.groups and "number" not in clause.kinds and clause.cells:
        return [state_claim(ALL - clause.cells, False)]  # "5 X's, all in the first column"
    is_all = (names_all or before.count == (1, 1) or "only" in before.kinds) and before.groups
    shared = [before.cells & group.cells() for group in clause.groups] if is_all else []
    return [state_claim(cells, True, is_sure=False) for cells in shared if cells]


def _of_group(group: Group, clause: Clause, filled: bool) -> list[GridClaim]:
    """Return what a clause says of one group of parts."""
    cells, name = group.cells(), group.names[-1]
    is_vague = name.value == "corner" and not name.number
    if clause.count and not (group.places and clause.count[0] in (len(cells), len(group.places) * bool(group.axes))):
        return [] if is_vague else _count_group(group, clause, filled)
    if clause.means("line") and group.is_line and filled:
        return [replace(count_claim(cells, 3, SIZE), negated=clause.negated, is_sure=False)]
    if claims := _deny(cells, clause, filled) if clause.negated else _some_cells(group, clause, filled):
        return claims
    if filled and _is_partly(group, clause):
        return [count_claim(cells, 1, len(cells))] if clause.is_filled or clause.means("partly", "reach") else []
    is_definite = _is_definite(clause, name) and not (is_vague and len(clause.groups) == 1)
    return [state_claim(cells, filled, is_definite), *(_rest_of_line(group, clause) if filled else [])]


def _is_definite(clause: Clause, name: Item) -> bool:
    """Return whether it is clear which cells are meant: not with "both sides" and the middle of a shape."""
    shows_shape = clause.shows_shape or (clause.before is not None and clause.before.shows_shape)
    is_within_shape = shows_shape and clause.names_middle and "verb" not in clause.kinds
    return not is_within_shape and name.value != "sides"


def _deny(cells: Cells, clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "no X in row 2", "row 2 is not full", "the corner isn't filled", "not empty", "no gaps"."""
    if filled:
        is_partly = "full" in clause.kinds and len(cells) > 1
        return [count_claim(cells, 0, len(cells) - 1) if is_partly else state_claim(cells, False)]
    is_gap = clause.means("gap") and len(cells) > 1
    return [state_claim(cells, True) if is_gap else count_claim(cells, 1, len(cells))]


def _some_cells(group: Group, clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "three corners are filled", "at least one corner is empty", "some gaps in row 2"."""
    cells, name = group.cells(), group.names[-1]
    if name.value == "corners" and 0 < name.number < len(cells):
        return [_some_of(cells, name.number, len(cells) if clause.words & {"least", "any"} else name.number, filled)]
    has_gaps = not filled and len(cells) > 1 and clause.words & {"any", "some", "gap", "gaps"}
    return [_some_of(cells, 1, len(cells), filled=False)] if has_gaps else []


def _some_of(cells: Cells, low: int, high: int, filled: bool = True) -> GridClaim:
    """Return the claim that so many of some cells are filled, or empty."""
    low, high = min(low, len(cells)), min(high, len(cells))
    return count_claim(cells, low, high) if filled else count_claim(cells, len(cells) - high, len(cells) - low)


def _is_partly(group: Group, clause: Clause) -> bool:
    """Return whether only some cells are said to be filled: "row 2 has X's", but not "row 2 is filled"."""
    if not group.is_line and len(group.fixed) <= SIZE:
        return group.names[-1].value in words_for("whole_part") and bool(clause.words & {"any", "some"})
    nouns = [item for item in clause.items if item.kind == "noun" and item.value == "cell"]
    is_whole = "value" in clause.kinds and not nouns and not clause.means("partly")
    is_bare = not clause.is_filled and not clause.means("partly", "reach")
    return not (is_whole or is_bare or {"full", "all"} & clause.kinds)


def _rest_of_line(group: Group, clause: Clause) -> list[GridClaim]:
    """Return that the rest of a line is empty where its filled cells were listed: "row 2: 1 and 3"."""
    is_listed = bool(group.places) or (len(group.cells()) > 1 and len(group.axes) == 2)
    if not is_listed or not group.axes or clause.means("hedge") or "question" in clause.kinds:
        return []
    rest = line_cells(*group.line) - group.cells()
    return [state_claim(rest, False, is_sure="exhaustive" in clause.kinds)]


def _count_group(group: Group, clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "row 2 has three X's", "rows 1 and 3 have four each", "two of the corners"."""
    low, high = clause.count or (0, 0)
    cells = group.cells()
    lines = [line_cells(axis, [number]) for axis, number in lines_in([group])]
    sides = [line_cells(axis, [number]) for axis in OPPOSITE for number in (0, SIZE - 1)]
    if group.names[-1].value == "sides":
        lines = sides  # "each edge has one X"
    parts = lines if len(lines) > 1 and low <= SIZE else [cells]
    if not lines and any(part.source.lower().startswith(("each", "every")) for part in group.names):
        return [state_claim(cells, filled)] if low == high == 1 else []
    if low > len(cells):
        return []  # "three in the corner": of another shape than a cell
    each = tuple(count for part in parts for count in _some_of(part, low, high, filled).readings[0])
    total = _some_of(cells, low, high, filled).readings[0]
    is_each = (
        len(parts) == 1 or bool(clause.words & {"each", "both", "every"}) or group.names[-1].value in ("all", "sides")
    )
    return [GridClaim((each,) if is_each else (each, total), negated=clause.negated)]


def _read_total(clause: Clause, states: States) -> list[GridClaim]:
    """Read "ten filled cells", "16 are empty", "no filled cells"."""
    is_placed = any(item.kind in ("side", "half") or item.value in OPPOSITE for item in clause.items)
    if clause.groups:
        return []
    if not clause.count:
        is_none = clause.negated and clause.is_filled and not clause.is_empty and "rest" not in clause.kinds
        return [count_claim(ALL, 0, 0)] if is_none else []
    if clause.before and not clause.is_filled and clause.words & {"more", "other", "them", "those"}:
        return []
    claim = _some_of(ALL, *clause.count, clause.value is not False)
    if not is_placed or clause.shows_shape:
        return [replace(claim, negated=clause.negated, is_sure=not clause.follows_line or clause.means("total"))]
    return [replace(each, is_sure=False, is_understood=False) for each in (claim, *_leaning(clause))]


DECISIVE = frozenset(("rest", "same", "except", "only", "compared"))
READERS: dict[Callable[[Clause, States], list[GridClaim]], frozenset[str]] = {
    _read_compared: frozenset(("compared",)),
    _read_marks: DECISIVE,
    _read_rest: frozenset(("rest", "only", "except")),
    _read_line_counts: frozenset(("only",)),
    _read_relations: frozenset(("only",)),
    _read_alike: frozenset(("same",)),
    _read_only: frozenset(("only",)),
    _read_parts: frozenset(("only", "except")),
    _read_total: frozenset(("only",)),
}
"""Readers of clauses, and the words that each understands of those that change what a clause says."""
