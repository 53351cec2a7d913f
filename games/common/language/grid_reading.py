"""Reads what people say about a grid of filled and empty cells as claims (`grid_claims.py`).

A text is cut into clauses. Each says something of parts of the grid (`regions.py`), of its lines or of its shape; a
clause takes from the one before what it leaves out. Words that are not understood are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile

from games.common.grids import CELLS, CENTRE, CORNERS, SIZE, Cell
from games.common.language.doubt import sentences
from games.common.language.grid_claims import SHAPES, CellCount, GridClaim, Test, count_claim, state_claim, words_for
from games.common.language.regions import (
    ALL,
    NEAR_ITEMS,
    OPPOSITE,
    SIDES,
    Cells,
    Group,
    Item,
    group_items,
    line_cells,
    read_items,
    with_bare_numbers,
)

Line = tuple[str, int]
"""("row" or "column", number from 0)."""
COUNTED_LIST = frozenset("number verb value noun comma and stop letter colon".split())
WHOLE_WORDS = frozenset(("big", "large", "forming", "through"))
DIAGONAL_NAMES = {2: "two diagonal lines", 3: "three diagonal lines"}
TOTAL = frozenset("total altogether overall".split())
STATING = frozenset("verb value full only marks all rest exhaustive deny".split())
WHOLES = frozenset(("corners", "border", "inside", "grid"))


@dataclass(frozen=True)
class GridReading:
    """The claims of a text and the words that were not understood."""

    claims: tuple[GridClaim, ...]
    unread: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def read_grid_text(text: str, question: str = "") -> GridReading:
    """Return what a text says of a grid. `question` is the question that it answers, if it answers one."""
    parts = [
        part for sentence, _ in sentences(prepare(text), _is_doubtful) if not _is_unsure(sentence) for part in sentence
    ]
    items = _with_sequences(parts)
    claims = [replace(claim, text=text) for claim in _rows_in_order(items, question)]
    if not claims:
        before: Clause | None = None
        for sentence, is_doubtful in sentences(_answering(items, question), _is_doubtful):
            for clause in _clauses(sentence, before):
                before, clause.is_doubtful = clause, is_doubtful
                text_of_clause = text if question else quote(clause.items)
                claims += [replace(claim, text=text_of_clause) for claim in _claims_of(clause, claims)]
    return GridReading(tuple(dict.fromkeys(_without_contradictions(claims))), tuple(unread_words(items)))


def _is_doubtful(item: Item) -> bool:
    return item.text in words_for("doubt")


def quote(items: Iterable[Item]) -> str:
    """Return items as they were written."""
    words = " ".join(item.source for item in items if item.source)
    for mark in ",.;:!?)":
        words = words.replace(f" {mark}", mark)
    return words.strip(" ,.;:").replace("( ", "(")


def _without_contradictions(claims: Sequence[GridClaim]) -> Iterator[GridClaim]:
    """Yield claims, and of what is only implied what does not contradict what is said."""
    sure = {cell: filled for claim in claims if claim.is_sure for cell, filled in claim.known_cells().items()}
    for claim in claims:
        states = {} if claim.is_sure else claim.known_cells()
        contradicted = {cell for cell, filled in states.items() if sure.get(cell, filled) != filled}
        counts = [count for count in (claim.readings or ((),))[0] if count.cells.isdisjoint(contradicted)]
        if not contradicted:
            yield claim
        elif counts:
            yield replace(claim, readings=(tuple(counts),))


def unread_words(items: Iterable[Item]) -> list[str]:
    """Return the words that mean nothing here."""
    kinds = ("known", "hedge", "turned", "reach", "symmetry", "connected", "line", "hollow")
    states = frozenset(SHAPES).union(*map(words_for, kinds))
    return [item.text for item in items if item.kind == "word" and item.text and item.text not in states]


# ---------------------------------------------------------------------- before clauses are cut
def prepare(text: str) -> list[Item]:
    """Return the items of a text without directions ("from top to bottom"); the bottom that it reaches is an edge."""
    items = [item for item in with_bare_numbers(_with_counts(read_items(text))) if item.text != "there"]
    words = {item.text for item in items}
    prepared: list[Item] = []
    at = 0
    while at < len(items):
        item = items[at]
        after = [*items[at + 1 : at + 3], Item("stop"), Item("stop")]
        rewritten, length = next((pair for rewrite in REWRITES if (pair := rewrite(items, at))[0]), (None, 0))
        if rewritten:
            prepared.append(replace(rewritten, source=quote(items[at : at + length])))
            at += length
            continue
        if length := _direction_length(items, at, words):
            prepared = prepared[:-1] if prepared and prepared[-1].kind in ("from", "prep") else prepared
            at += length
            continue
        if item.text in ("nothing", "none") and after[0].text in ("but", "except"):
            item = Item("only", text="only")
            at += 1
        elif item.kind == "side" and item.number == 1 and not words.isdisjoint(words_for("reach")):
            item = Item("lines", "edge", "row" if item.value in ("top", "bottom") else "column", item.at)
        prepared.append(item)
        at += 1
    return prepared


def _direction_length(items: Sequence[Item], at: int, words: Set[str]) -> int:
    """Return how many items say "from end to end" or "top to bottom" here, 0 if none do."""
    if [item.kind for item in items[at + 1 : at + 2]] == ["to"] and at + 2 < len(items):
        if {items[at].text, items[at + 2].text} <= {"edge", "end", "side"}:
            return 3
    is_way = items[at].kind == "side" and items[at].number == SIZE
    return int(is_way and words.isdisjoint(words_for("symmetry")))


Rewritten = tuple[Item | None, int]
"""An item that several items mean together, and how many they are."""


def _read_beyond(items: Sequence[Item], at: int) -> Rewritten:
    """Read "below row 2", "left of the third column" as these lines."""
    item, axis = items[at], "column" if items[at].kind == "side" else "row"
    length = 2 if at + 2 < len(items) and items[at + 1].text == "of" else 1
    line = items[at + length] if at + length < len(items) else Item("stop")
    if line.kind != "lines" or line.axis != axis or item.kind not in ("move", "side") or (length < 2 and axis != "row"):
        return None, 0
    numbers = range(max(line.at) + 1, SIZE) if item.value in ("below", "right") else range(min(line.at))
    return Item("lines", "beyond", axis, tuple(numbers)), length + 1


def _read_start(items: Sequence[Item], at: int) -> Rewritten:
    """Read "starts with two X's", "ends with an empty cell"."""
    is_end = items[at].text in ("end", "ends", "ending")
    if not (is_end or items[at].kind == "from") or at + 1 == len(items) or items[at + 1].text != "with":
        return None, 0
    marks, end = _sequence(items, at + 2)
    if [item.kind for item in items[at + 2 : at + 4]] in (["number"], ["number", "stop"], ["number", "comma"]):
        marks, end = ("X",) * min(items[at + 2].number, SIZE), at + 3
    return (Item("marks", "end" if is_end else "", marks=marks), end - at) if marks else (None, 0)


def _read_all_but(items: Sequence[Item], at: int) -> Rewritten:
    """Read "all but two cells", "everything except one corner" as their number."""
    if not (items[at].kind == "all" or items[at].value == "grid") or at + 2 >= len(items):
        return None, 0
    excepts = items[at + 1].kind == "except" or items[at + 1].text == "but"
    place = at + 2 + (items[at + 2].text == "for")
    number, after = [*items[place : place + 2], Item("stop"), Item("stop")][:2]
    if not excepts or number.kind != "number" or after.kind in ("comma", "and", "to"):
        return None, 0
    total = SIZE if after.value in OPPOSITE else len(CELLS)
    return Item("number", number=total - number.number), place + 1 - at


def _read_all_in(items: Sequence[Item], at: int) -> Rewritten:
    """Read "all X's are in", "all the filled cells lie in" as "only"."""
    noun_at = at + 1 + (at + 2 < len(items) and items[at + 1].value == "filled" and items[at + 2].value == "cell")
    if items[at].kind != "all" or noun_at >= len(items) or not (is_x(items[noun_at]) or items[noun_at].value == "cell"):
        return None, 0
    end = noun_at + 1
    while end < len(items) and (items[end].kind == "verb" or items[end].text in ("lie", "sit")):
        end += 1
    is_placed = end < len(items) and items[end].kind == "prep" and items[end].text != "of"
    return (Item("only", text="only"), end + 1 - at) if is_placed else (None, 0)


def _read_ring(items: Sequence[Item], at: int) -> Rewritten:
    """Read "a frame", "a small outline", "a ring" as a shape that is not the border of the whole grid."""
    item, before = items[at], items[at - 1].text if at else ""
    is_shape = item.source.startswith(("a ", "A ")) or "ring" in item.source or before in ("small", "square", "hollow")
    is_shape |= item.source.endswith("outline") and any(part.text in SHAPES for part in items[:at])
    return (Item("word", text="ring"), 1) if item.value == "border" and is_shape else (None, 0)


def _read_plus(items: Sequence[Item], at: int) -> Rewritten:
    """Read "plus one X", "plus the corner" as "and", unlike "a plus", "a big plus", "plus shaped"."""
    after = items[at + 1] if at + 1 < len(items) else Item("stop")
    joins = items[at].source.lower() == "plus" and (after.is_part or after.kind in ("number", "letter", "side"))
    return (Item("and", text="and"), 1) if joins or items[at].source == "+" else (None, 0)


def _read_from_side(items: Sequence[Item], at: int) -> Rewritten:
    """Read "starting from the left edge", "from the right" as "on the left"."""
    end = at
    while end < len(items) and items[end].kind in ("from", "prep"):
        end += 1
    side, after = [*items[end : end + 2], Item("stop"), Item("stop")][:2]
    is_edge = side.kind == "lines" and side.text in SIDES
    is_side = is_edge or (side.kind == "side" and side.number == 1)
    if items[at].kind != "from" or items[at - 1].text == "apart" or not is_side or after.kind in ("to", "noun"):
        return None, 0
    return Item("side", side.text if is_edge else side.value, at=side.at, number=1), end + 1 - at


REWRITES = (_read_beyond, _read_start, _read_all_but, _read_all_in, _read_ring, _read_plus, _read_from_side)


def _with_counts(items: Sequence[Item]) -> list[Item]:
    """Write out "rows 1 to 3 have 2, 0 and 4 filled cells", line by line."""
    for at, item in enumerate(items):
        numbers = [part.number for part in items[at + 1 :] if part.kind == "number"]
        rest = {part.kind for part in items[at + 1 :]}
        if item.kind == "lines" and len(item.at) == len(numbers) > 1 and rest <= COUNTED_LIST:
            lines = zip(item.at, numbers, strict=True)
            return [*items[:at], *(part for line, number in lines for part in _line_has((item.axis, line), number))]
    return list(items)


def _line_has(line: Line, number: int) -> list[Item]:
    axis, at = line
    words = [Item("verb", text="has"), Item("number", number=number), Item("noun", "cell", text="cell"), Item("stop")]
    return [Item("lines", axis, axis, (at,)), *words]


def _is_unsure(items: Sequence[Item]) -> bool:
    """Return whether a sentence says that its speaker does not know."""
    words = {item.text for item in items}
    return (
        "unsure" in words or {"no", "idea"} <= words or bool(words & words_for("unsure") and words & words_for("know"))
    )


def _with_sequences(items: Sequence[Item]) -> list[Item]:
    """Turn five cells told one by one into a row written out: "filled, three empty, filled"."""
    prepared: list[Item] = []
    at = 0
    while at < len(items):
        marks, end = _sequence(items, at, 2)
        is_row = len(marks) == SIZE
        prepared.append(Item("marks", marks=marks, source=quote(items[at:end])) if is_row else items[at])
        at = end if is_row else at + 1
    return prepared


def _sequence(items: Sequence[Item], at: int, least_runs: int = 1) -> tuple[tuple[str, ...], int]:
    """Return the cells that are told one by one from here on, and the end."""
    marks: list[str] = []
    runs, end = 0, at
    while at < len(items):
        is_counted = items[at].kind == "number" and at + 1 < len(items)
        many, item = (items[at].number, items[at + 1]) if is_counted else (1, items[at])
        if not (is_x(item) or item.kind == "value") or not 0 < many <= SIZE - len(marks):
            break
        marks += ["" if item.value == "empty" else "X"] * many
        runs += 1
        at = end = at + 1 + is_counted
        while at < len(items) and (items[at].kind in ("comma", "and") or items[at].text in SEQUENCE_WORDS):
            at += 1
    return (tuple(marks), end) if runs >= least_runs else ((), end)


SEQUENCE_WORDS = frozenset("then cell cells another square squares".split())


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
    question_items = [item for item in with_bare_numbers(read_items(question)) if item.kind != "stop"]
    is_open = not words_for("question").isdisjoint(item.text for item in question_items[:2])
    says_no = items[0].text in words_for("no") and (len(items) == 1 or items[1].kind in ("stop", "comma"))
    says_yes = items[0].text in words_for("yes")
    if not is_open and (says_yes or says_no):
        is_unclear = says_no and len(list(_clauses(question_items))) > 1
        restated = [] if is_unclear else [Item("question" if says_yes else "deny"), *question_items, Item("stop")]
        return [*restated, *items[1:]]
    if items[0].kind == "all" and [item.text for item in items[1:2]] in (["but"], ["except"]):
        return _exceptions_answering(items, question_items)
    return _numbers_answering(items, question_items) or _parts_answering(items, question_items)


def _exceptions_answering(items: Sequence[Item], question_items: Sequence[Item]) -> list[Item]:
    """Read "all but the top right" after a question about corners."""
    return [*(item for item in question_items if item.is_part or item.kind == "value"), Item("except"), *items[2:]]


def _numbers_answering(items: Sequence[Item], question_items: Sequence[Item]) -> list[Item]:
    """Read "4, 2, 4, 1, 2" or "13" after "how many"."""
    numbers = [item.number for item in items if item.kind == "number"]
    lines = lines_in(group_items(question_items))
    if not any(item.text in ("many", "count") for item in question_items) or any(item.is_part for item in items):
        return []
    if len(numbers) == len(lines) > 1:
        return [part for line, number in zip(lines, numbers, strict=True) for part in _line_has(line, number)]
    if len(numbers) != 1:
        return []
    things = [item for item in question_items if item.kind in ("noun", "value") or is_x(item)] or [Item("noun", "cell")]
    return [
        Item("number", number=numbers[0]),
        *things,
        Item("prep", text="in"),
        *(i for i in question_items if i.is_part),
    ]


def _parts_answering(items: list[Item], question_items: Sequence[Item]) -> list[Item]:
    """Read "1 and 4", "row 1 and row 3 are filled", "all but the last" after a question about one line or part."""
    groups, lines = group_items(question_items), lines_in(group_items(question_items))
    axes = {item.axis for item in items if item.kind == "lines"}
    crosses = len(lines) == 1 and axes == {OPPOSITE[lines[0][0]]}
    lead = [item for item in question_items if item.is_part]
    if len(groups) != 1 or len(lines) > 1 or any(item.kind == "cells" for item in items) or (axes and not crosses):
        return items
    if crosses:
        return [*lead, Item("comma", text=","), *items]
    if not lines and any(item.kind in ("places", "number", "side") for item in items):
        return items
    rest = [item for item in items if item.text not in ("yes", "no")]
    return with_bare_numbers([Item("exhaustive"), *lead, Item("colon", ":", text=":"), *rest])


# ---------------------------------------------------------------------- clauses
class Clause:
    """Items that say one thing, and what they mean together; `before` is the clause before in the sentence."""

    def __init__(self, items: Sequence[Item], before: Clause | None, lead: str = "") -> None:
        items = _with_implied_lines(_with_side_places(list(map(_as_side, items))), before)
        self.items, self.before, self.lead, self.is_doubtful = items, before, lead, False
        self.words = frozenset(item.text for item in self.items if item.text)
        self.kinds = frozenset(item.kind for item in self.items)
        exception = next((at for at in range(len(self.items)) if self._begins_exception(at)), len(self.items))
        self.groups, self.exceptions = group_items(self.items[:exception]), group_items(self.items[exception:])
        self._inherit_axis()
        if self.groups and self.groups[0].names[0].value == "all":
            for group in self.exceptions:
                take_axis(group, self.groups[0])
        self._take_values()
        self.shows_shape = bool(shape_names(self.items)) or "shape" in self.kinds
        self.is_location = self._says_nothing() and before is not None and self._is_further(before, lead)
        """Whether it only says where something is that the clause before named."""

    def _take_values(self) -> None:
        """Take note of what it says of its parts: filled or empty, how many, not."""
        values = {item.value for item in self.items if item.kind == "value"}
        self.is_empty = "empty" in values
        starts_filled = any(item.marks[0] for item in self.items if item.kind == "marks" and len(item.marks) < SIZE)
        self.is_filled = "filled" in values or any(map(is_x, self.items)) or starts_filled
        self.count = next((b for at in range(len(self.items)) if (b := self._count_at(at))), None)
        self.negated = "not" in self.kinds

    def _says_nothing(self) -> bool:
        """Return whether it only names parts."""
        return self.value is None and self.count is None and not {"verb", "colon", "only"} & self.kinds

    def _is_further(self, before: Clause, lead: str) -> bool:
        """Return whether it may go on with what the clause before counted, showed or said of nothing else."""
        is_only = "only" in before.kinds and lead != "stop"
        is_only |= before.means("line") and not before.is_understood() and self.items[0].kind == "prep"
        return (lead != "colon" or self.items[0].kind == "prep") and (
            bool(before.count) or before.shows_shape or before.is_location or is_only
        )

    def is_understood(self, numbers: int = 1) -> bool:
        """Return whether all that it says was read: no other word, no relation, no more numbers than a claim has."""
        counted = sum(item.kind == "number" for item in self.items)
        if self.is_doubtful:
            return False
        if "shape" in self.kinds and self.groups:
            return False  # "the four 2x2 corners", "the 3x3 block in rows 1 to 3"
        return not unread_words(self.items) and not self.kinds & {"move", "half", "ends"} and counted <= numbers

    def means(self, *meanings: str) -> bool:
        """Return whether one of its words has one of these meanings."""
        return any(self.words & words_for(meaning) for meaning in meanings)

    @property
    def value(self) -> bool | None:
        """Whether it says filled (True) or empty (False); None where it says neither."""
        says_filled = self.is_filled or "full" in self.kinds or bool(self.words & {"nothing", "none"})
        return False if self.is_empty else True if says_filled else None

    @property
    def is_statement(self) -> bool:
        """Whether it says of its parts what they are: in "three more" or "both sides" something may be left out."""
        parts = [item for item in self.items if item.is_part]
        if parts and "only" not in self.kinds and any(_is_line_noun(i) or i.source == ")" for i in self.items):
            return False  # "in the rows between"
        is_list = "number" not in self.kinds and not any("edge" in (item.value, item.text) for item in parts)
        counts = [item for item in self.items if item.kind == "number" and not item.source.lower().startswith("the ")]
        is_counted = self.count is not None and bool(counts) and not self.words & {"more", "another", "other"}
        return bool(self.kinds & STATING) or is_list or is_counted or not parts

    @property
    def names_full_line(self) -> bool:
        """Whether it names "a full line" somewhere, so that "one" may be another."""
        kinds = [item.kind for item in self.items]
        return any(pair == ("full", "lines") for pair in pairwise(kinds)) and "verb" not in kinds

    @property
    def names_middle(self) -> bool:
        """Whether it names the middle of something: of the grid, or of a shape."""
        return any(group.places == (CENTRE[0],) and not group.axes for group in self.groups)

    @property
    def is_within_shape(self) -> bool:
        """Whether the middle that it names may be that of a shape: "a ring with a hole in the middle"."""
        shows_shape = self.shows_shape or (self.before is not None and self.before.shows_shape)
        return shows_shape and self.names_middle and "verb" not in self.kinds

    @property
    def cells(self) -> Cells:
        """All cells that it names."""
        return frozenset().union(*[group.cells() for group in self.groups])

    def _begins_exception(self, at: int) -> bool:
        item = self.items[at]
        return item.kind == "except" or (item.text in ("but", "apart") and any(i.is_part for i in self.items[at:]))

    def _inherit_axis(self) -> None:
        """Read "the second" as a row where rows were counted before: "two in the first row, three in the second"."""
        group = self.groups[0] if len(self.groups) == 1 else Group()
        self._inherit_line(group)
        if not group.places or group.axes or any(map(_is_line_noun, self.items)) or not self.before:
            return
        nouns = [item.value for item in self.before.items if _is_line_noun(item)]
        earlier = (
            self.before.groups[-1] if self.before.groups else Group(dict.fromkeys(nouns[:1], ()), "".join(nouns[:1]))
        )
        if len(earlier.axes) != 1:
            return
        if not earlier.places and (group.names[0].axis != "cell" or not self.before.groups):
            take_axis(group, earlier)
        elif earlier.places and "prep" not in self.kinds:
            group.axes = dict(earlier.axes)

    def _inherit_line(self, group: Group) -> None:
        """Read "one in column 5" after "row 1 has an X in column 2" as a cell of row 1."""
        earlier = self.before.groups[-1] if self.before and self.before.groups and self.lead != "stop" else Group()
        crosses = group.is_line and len(earlier.axes) == 2 and group.first != earlier.first
        if crosses and self.words & {"one", "another"}:
            group.axes, group.first = {earlier.first: earlier.axes[earlier.first], **group.axes}, earlier.first

    def _count_at(self, at: int) -> tuple[int, int] | None:
        """Return the bounds of the number of cells given here: "three X's", "at least two", "just one"."""
        after = self.items[at + 1 :]
        while after and (after[0].kind in ("full", "value", "rest") or after[0].text in ("of", "more")):
            after = after[1:]
        follower = after[0] if after else Item("stop")
        is_alone = follower.kind in ("stop", "comma", "and", "prep", "all")
        has_value = any(item.kind == "value" for item in self.items[at + 1 : at + 2])
        if is_alone and self.items[at].text == "one" and self.before and self.before.names_full_line:
            return None  # "a full row at the top and one in row 3": one more such row
        is_total = not TOTAL.isdisjoint(item.text for item in after[:2])
        is_counted = is_alone and (has_value or bool(self.groups))
        counts = is_x(follower) or follower.value == "cell" or is_total or is_counted
        return self.bounds(at) if self.items[at].kind == "number" and counts else None

    def bounds(self, at: int) -> tuple[int, int]:
        """Return the least and the greatest number that "more than 3", "at most 3" or "3" means."""
        number, words = self.items[at].number, {item.text for item in self.items[max(0, at - 3) : at]}
        if words & {"more", "over"}:
            return number + 1, len(CELLS)
        if words & {"fewer", "less"}:
            return 0, number - 1
        return (number, len(CELLS)) if "least" in words else (0 if "most" in words else number, number)


def _is_line_noun(item: Item) -> bool:
    return item.kind == "noun" and item.value in OPPOSITE


def take_axis(group: Group, earlier: Group) -> None:
    """Make rows of "the second" and "the third one" after rows."""
    if group.places and not group.axes:
        group.axes, group.first, group.places = {earlier.first: group.places}, earlier.first, ()


def _as_side(item: Item) -> Item:
    """Read "the left side" as "the left": in a description it is no column."""
    is_side = item.kind == "lines" and item.value == "side"
    return Item("side", item.text, at=item.at, number=1) if is_side else item


def _with_side_places(items: Sequence[Item]) -> list[Item]:
    """Read "at the left" as the first cell where a row is named and nothing is counted."""
    axes = {item.axis for item in items if item.kind == "lines"}
    counts = any(item.kind == "number" for item in items)
    crossed = {("row" if item.value in ("left", "right") else "column") for item in items if item.kind == "side"}
    if counts or len(axes) != 1 or crossed != axes:
        return list(items)
    return [Item("places", item.value, "cell", item.at) if item.kind == "side" else item for item in items]


def _with_implied_lines(items: Sequence[Item], before: Clause | None) -> list[Item]:
    """Read "ends in the second", "third: 1 and 4" as places in a row where rows were named before."""
    axis = before.groups[-1].first if before and before.groups else ""
    if any(item.kind == "lines" for item in items):
        return list(items)
    implied = list(items)
    for at, item in enumerate(items):
        leads = at == 0 and [part.kind for part in items[1:2]] == ["colon"]
        holds_places = at > 1 and items[at - 1].text in ("in", "of") and items[at - 2].kind == "places"
        if item.kind == "places" and item.axis != "cell" and (leads or holds_places):
            implied[at] = replace(item, kind="lines", axis=axis) if axis else Item("word", text="unknown line")
    return implied


def _clauses(items: Sequence[Item], before: Clause | None = None) -> Iterator[Clause]:
    """Yield clauses: cut at stops, and at "," and "and" where both sides say something of their own."""
    current: list[Item] = []
    lead = "stop" if before else ""
    for at, item in enumerate(items):
        is_joint = item.kind in ("comma", "and", "colon") or item.text in words_for("joint")
        cuts = item.kind == "stop" or (item.kind == "lines" and any(part.kind == "marks" for part in current))
        cuts |= is_joint and not _is_coordinate(items, at) and _ends_here(current, items[at + 1 : at + NEAR_ITEMS])
        cuts |= len(current) > NEAR_ITEMS
        if not cuts:
            current += [item] if current or not is_joint else []
            lead = item.text if item.text == "then" and not current else lead
            continue
        if current:
            yield (before := Clause(current, before, lead))
        current, lead = [item] if item.kind == "lines" else [], "then" if item.text == "then" else item.kind
    if current:
        yield Clause(current, before, lead)


def _ends_here(items: Sequence[Item], rest: Sequence[Item]) -> bool:
    """Return whether both sides of a joint say something of their own; a list of exceptions goes on."""
    if [item.kind for item in rest[:2]] in (["not", "rest"], ["all", "rest"], ["rest", "verb"], ["rest", "value"]):
        return True
    clause_ahead = list(takewhile(lambda item: item.kind not in ("stop", "comma"), rest))
    kinds = {item.kind for item in items}
    if rest and rest[0].kind == "marks" and len(rest[0].marks) < SIZE and "lines" not in kinds:
        return True
    if ("except" in kinds or any(item.text == "apart" for item in items)) and not any(map(_says_value, clause_ahead)):
        return False
    adds_part = (_is_strange(items) or _is_drawn(items, clause_ahead)) and any(item.is_part for item in clause_ahead)
    return adds_part or (_goes_on(clause_ahead) and _is_complete(items))


def _is_drawn(items: Sequence[Item], ahead: Sequence[Item]) -> bool:
    """Return whether a diagonal or block stands alone before something that is counted."""
    return any(item.value in ("diagonal", "block") and item.is_part for item in items[:1]) and any(map(_counts, ahead))


def _is_strange(items: Sequence[Item]) -> bool:
    """Return whether items say nothing that is understood: "with a flat bottom"."""
    says_nothing = not any(item.is_part or _says_value(item) or _counts(item) for item in items)
    return says_nothing and (bool(unread_words(items)) or any(item.kind == "side" for item in items))


def _is_coordinate(items: Sequence[Item], at: int) -> bool:
    """Return whether a comma, or "and" after "the cell in", stands between the row and the column of a cell."""
    if not 0 < at < len(items) - 1 or items[at - 1].kind != "lines" or items[at + 1].kind not in ("lines", "places"):
        return False
    if [item.text for item in items[at + 2 : at + 3]] in (["in"], ["of"]) or items[at - 1].value in ("side", "edge"):
        return False  # "three in the top row, ends in the second"; "on the right side, row 2"
    is_of_cell = any(item.kind == "noun" and item.value == "cell" and not item.plural for item in items[at - 4 : at])
    joins = items[at].kind == "comma" or (items[at].text == "and" and is_of_cell)
    return joins and items[at + 1].axis != items[at - 1].axis


def _says_value(item: Item) -> bool:
    kinds = ("value", "letter", "marks", "full", "same", "shape")
    return item.kind in kinds or item.text in SHAPES or item.text in words_for("line")


def _counts(item: Item) -> bool:
    return item.kind in ("number", "not") or item.value == "cell"


def _is_complete(items: Sequence[Item]) -> bool:
    """Return whether items name a part and say something of it, count something or name a shape."""
    has_part = any(item.is_part or item.kind == "rest" for item in items)
    has_place = {"places", "lines"} <= {item.kind for item in items}
    if any(item.text in SHAPES or (item.kind == "letter" and not is_x(item)) for item in items):
        return True
    if any(_counts(item) and (has_part or item.kind != "number") for item in items) or _counts_something(items):
        return True
    return has_part and (has_place or any(map(_says_value, items)))


def _counts_something(items: Sequence[Item]) -> bool:
    """Return whether a number stands before what it counts, so that no list of numbers goes on."""
    return any(
        item.kind == "number" and after.kind not in ("comma", "and", "number") for item, after in pairwise(items)
    )


def _goes_on(items: Sequence[Item]) -> bool:
    """Return whether something more is said."""
    return any(item.is_part or item.kind in ("rest", "side") or _says_value(item) or _counts(item) for item in items)


# ---------------------------------------------------------------------- claims of a clause
def _claims_of(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Return the claims of a clause; the first reader that understands it counts. Shapes may come in addition."""
    reader, claims = next(
        ((read, claims) for read in READERS if (claims := read(clause, earlier))), (_read_parts, list[GridClaim]())
    )
    numbers = 2 if any(claim.test[:1] == ("lines",) for claim in claims) else 1
    unused = clause.kinds & DECISIVE - READERS[reader] - ({"rest"} if clause.exceptions else set())
    is_understood = clause.is_understood(numbers) and not unused
    if "marks" not in clause.kinds and not is_understood:
        claims = [replace(claim, is_sure=False, is_understood=False) for claim in claims]
    is_whole = is_understood or not (clause.is_doubtful or "bit" in clause.words)
    claims = [*(replace(claim, is_understood=is_whole) for claim in _read_shape(clause)), *claims]
    if "deny" in clause.kinds:
        claims = [_opposite(claim) for claim in claims[:1]]
    if not clause.is_statement:
        claims = [replace(claim, is_statement=False) for claim in claims]
    return [replace(claim, is_sure=False) if clause.means("hedge") else claim for claim in claims]


def _opposite(claim: GridClaim) -> GridClaim:
    """Return the opposite of a claim; of a single cell it is known what it is then."""
    states = claim.known_cells()
    if len(states) == 1:
        ((cell, filled),) = states.items()
        return state_claim(frozenset({cell}), not filled)
    return replace(claim, negated=not claim.negated)


def _read_marks(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read "row 2: X ▢ ▢ X X"."""
    rows = [item for item in clause.items if item.kind == "marks"]
    return [marks_claim(line, row.marks, row.value == "end") for line in lines_in(clause.groups) for row in rows]


def _read_rest(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read "the rest is empty", "nothing else": all cells that were not mentioned, here or in the line before."""
    states = {cell: filled for claim in earlier for cell, filled in claim.known_cells().items()}
    filled_rest = clause.value is True and not clause.negated
    if "rest" not in clause.kinds or filled_rest not in {not filled for filled in states.values()}:
        return []
    groups = clause.before.groups if clause.before else []
    lines = [line_cells(*next(iter(group.axes.items()))) for group in groups if group.places and len(group.axes) == 1]
    within = clause.cells or frozenset().union(*lines) or ALL
    rest = within - {cell for cell, filled in states.items() if filled != filled_rest}
    return [state_claim(rest, filled_rest, is_sure=False)] if rest else []


def _read_shape(clause: Clause) -> list[GridClaim]:
    """Read "the letter J", "a hollow square", "two by three block", "a vertical line", "solid"."""
    names, tests = _shapes_shown(clause), [] if clause.groups else _lines_and_holes(clause)
    is_gap = clause.is_empty and "verb" in clause.kinds
    blocks = [item for item in clause.items if item.kind == "shape" and max(item.at) < SIZE and not is_gap]
    tests += [("block", *item.at, _is_hollow(clause), item.value == "upright") for item in blocks]
    claims = [GridClaim(test=test, negated=clause.negated) for test in tests]
    if not clause.groups and {"solid", "shape"} <= clause.words:
        claims.append(GridClaim(test=("hole",), negated=not clause.negated))
    if names:
        stances = [name for name in ("tall", "wide") if "rectangle" in names[0] and clause.means(name)]
        claims += [GridClaim(test=("stands", name == "tall")) for name in stances]
        claims.append(GridClaim(test=("shape", *names), negated=clause.negated and not clause.groups))
    if claims and clause.is_understood():
        claims += _leaning(clause)
    return [replace(claim, is_sure=False) for claim in claims]


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
    has_hole = clause.is_empty and clause.names_middle
    return has_hole or clause.means("hollow") or (clause.before is not None and clause.before.means("hollow"))


def _lines_and_holes(clause: Clause) -> list[Test]:
    """Return tests for "two vertical lines", "a hole"."""
    tests: list[Test] = [("hole",)] if clause.words & {"hole", "holes"} else []
    numbers = [item.number for item in clause.items if item.kind == "number"]
    low, high = (numbers[0], numbers[0]) if numbers else (1, SIZE)
    ways = {"column": "vertical", "row": "horizontal"} if clause.means("line") else {}
    return tests + [("lines", axis, "line", low, high) for axis, way in ways.items() if way in clause.words]


def shape_names(items: Sequence[Item]) -> list[str]:
    """Return the names of the patterns that are mentioned; letters may be turned."""
    words, has_parts = {item.text for item in items}, any(item.is_part for item in items)
    return [name for at in range(len(items)) for name in _names_at(items, at, words, has_parts)]


def _names_at(items: Sequence[Item], at: int, words: Set[str], has_parts: bool) -> Sequence[str]:
    item, before = items[at], items[at - 1] if at else Item("stop")
    if _names_letter(item, before):
        return _letter_names(item.value, bool(words & words_for("turned")))
    if item.kind == "noun" and item.value == "diagonal":
        return [DIAGONAL_NAMES.get(before.number, "a diagonal line")] if words & {"line", "lines"} else ()
    if item.kind == "places":
        is_whole = item.value == "alternating" and not any(part.kind == "lines" for part in items)
        return ["a checkerboard"] if is_whole else ()
    is_shape = item.kind in ("word", "noun") and item.value != "cell" and (not has_parts or _is_whole(items, at))
    return _named_shapes(item.text, words) if is_shape else ()


def _named_shapes(word: str, words: Set[str]) -> Sequence[str]:
    """Return the patterns that a word may mean, hollow or solid ones if that is said."""
    shapes = SHAPES.get(word) or SHAPES.get(word.removesuffix("s"), ())
    only = "hollow" if words & words_for("hollow") else "solid" if "solid" in words else ""
    turned = "turned " if words & words_for("turned") else ""
    return [turned + name for name in shapes if only in name] or shapes


def _letter_names(letter: str, is_turned: bool) -> list[str]:
    names = SHAPES.get(letter.lower(), (f"the letter {letter}",))
    return [f"turned {name}" if is_turned and name.startswith("the letter") else name for name in names]


def _is_whole(items: Sequence[Item], at: int) -> bool:
    """Return whether a shape is named that the grid looks like, not one that a part of the grid is named with."""
    around = {item.text for item in items[max(0, at - 1) : at + 2]}
    is_named = items[at].text in SHAPES and items[at].text not in words_for("located")
    return is_named or bool(around & WHOLE_WORDS)


def _names_letter(item: Item, before: Item) -> bool:
    """Return whether a letter is what the grid looks like, not the X in a cell."""
    return (
        item.kind == "letter"
        and before.text not in ("little", "small", "tiny")
        and (not is_x(item) or before.text in ("letter", "big", "large", "like", "capital"))
    )


def _read_line_counts(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read "three rows are empty", "no full rows", "only one full column"."""
    state = _line_state(clause)
    if state is None or clause.exceptions:
        return []
    is_any = clause.negated or bool(clause.words & {"any", "anywhere"}) or clause.items[0].text in ("is", "are")
    for at, item in enumerate(clause.items):
        if item.kind == "lines" and item.value == "all" and not clause.count:
            return [GridClaim(test=("lines", item.axis, state, SIZE, SIZE), negated=clause.negated)]
        numbers = [before for before in range(at) if clause.items[before].kind == "number"]
        if _is_line_noun(item) and (numbers or is_any):
            low, high = clause.bounds(numbers[-1]) if numbers else (0, 0) if clause.negated else (1, SIZE)
            if clause.lead == "then":
                return _read_next_lines(clause, Item("lines", item.value, item.value), low, state)
            return [GridClaim(test=("lines", item.value, state, low, high))]
    return []


def _read_next_lines(clause: Clause, noun: Item, many: int, state: str) -> list[GridClaim]:
    """Read "then two full rows" as the next lines after the one that was named, never as a number of all lines."""
    lines = lines_in(clause.before.groups[-1:]) if clause.before else []
    start = lines[-1][1] + 1 if lines and lines[-1][0] == noun.axis else SIZE
    if start + many > SIZE or state not in ("full", "empty"):
        return [replace(count_claim(ALL, 0, len(ALL)), is_understood=False)]
    numbers = tuple(range(start, start + many))
    clause.groups = [Group({noun.axis: numbers}, noun.axis, names=[replace(noun, at=numbers)])]
    return [state_claim(line_cells(noun.axis, numbers), state == "full")]


def _line_state(clause: Clause) -> str | None:
    """Return what lines are said to be: empty, full, not empty ("some"), or with so many cells filled."""
    numbers = [item.number for item in clause.items if item.kind == "number"]
    if clause.is_empty:
        return "empty"
    if len(numbers) == 2 and (clause.is_filled or any(item.value == "cell" for item in clause.items)):
        return str(numbers[1])
    is_full = "full" in clause.kinds or (clause.is_filled and not clause.words & {"has", "have"})
    return "full" if is_full else "some" if clause.is_filled else None


def _read_relations(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read that it is symmetric, connected, or has more filled cells than empty ones."""
    if clause.means("symmetry"):
        sides = {"left": "left", "right": "left", "top": "top", "bottom": "top"}
        side = next((sides[item.value] for item in clause.items if item.kind == "side" and item.value in sides), "")
        return [GridClaim(test=("symmetric", side), negated=clause.negated)]
    if clause.means("connected"):
        return [GridClaim(test=("connected",), negated=clause.negated, is_sure=False)]
    if not (clause.is_filled and clause.is_empty and clause.words & {"more", "fewer", "less"}):
        return []
    first = next(item.value for item in clause.items if item.kind == "value")
    is_more = ("more" in clause.words) == (first == "filled")
    return [count_claim(ALL, *((len(CELLS) // 2 + 1, len(CELLS)) if is_more else (0, len(CELLS) // 2)))]


def _read_alike(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read "rows 1 and 2 are the same"; "row 5: same as row 2" copies a row that was told."""
    lines = lines_in(clause.groups)
    is_same = "same" in clause.kinds or ("like" in clause.words and not clause.shows_shape)
    if not is_same or len({axis for axis, _ in lines}) != 1 or len(lines) < 2:
        return []
    states = {cell: filled for claim in earlier for cell, filled in claim.known_cells().items()}
    source = sorted(line_cells(lines[1][0], [lines[1][1]]))
    if len(lines) == 2 and not clause.negated and all(cell in states for cell in source):
        return [marks_claim(lines[0], ["X" * states[cell] for cell in source])]
    return [GridClaim(test=("alike", lines[0][0], *(number for _, number in lines)), negated=clause.negated)]


def _read_only(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
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
        return frozenset(CORNERS.values())
    lines = [line_cells(group.first, group.axes[group.first]) for group in clause.groups if group.first]
    is_in_lines = all(group.axes for group in clause.groups)
    return frozenset().union(*lines) if is_in_lines and lines else ALL


def _read_parts(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read what is said of parts: filled, empty, full, or so many cells."""
    before = clause.before
    if before and clause.is_location:
        return _further(clause, before)
    if _is_half_read(clause):
        return []
    if clause.shows_shape and clause.value is None and clause.count is None and "verb" not in clause.kinds:
        return []  # the shape is there; the part is not full
    filled = _is_said_filled(clause)
    if clause.exceptions:
        return _read_exceptions(clause, filled and not clause.negated)
    return [claim for group in clause.groups if group.cells() for claim in _of_group(group, clause, filled)]


def _is_half_read(clause: Clause) -> bool:
    """Return whether it excepts what was not read, or tells of a ring: then its parts are not simply filled."""
    is_ring = any(item.value == "block" and item.is_part for item in clause.items) and _is_hollow(clause)
    return ("except" in clause.kinds and not clause.exceptions) or (is_ring and "verb" not in clause.kinds)


def _is_said_filled(clause: Clause) -> bool:
    """Return whether its parts are filled, not empty, by what it or the clause before says."""
    is_new = clause.means("reach") or (clause.lead == "stop" and any(group.places for group in clause.groups))
    inherited = clause.before.value if clause.before and clause.count is None and not is_new else None
    return (inherited if clause.value is None else clause.value) is not False


def _read_exceptions(clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "all but the centre and one of the corners"."""
    context = next((next(iter(group.axes.items())) for group in clause.groups if len(group.axes) == 1), None)
    cells, excepted = clause.cells or ALL, set[Cell]()
    claims: list[GridClaim] = []
    for group in clause.exceptions:
        part, number = group.cells(context) & cells, group.names[-1].number
        is_some = group.names[-1].value == "corners" and 0 < number < len(part)
        claims.append(_some_corners(number, part, clause, not filled) if is_some else state_claim(part, not filled))
        excepted |= part
    return [state_claim(cells - excepted, filled), *claims] if excepted else []


def _further(clause: Clause, before: Clause) -> list[GridClaim]:
    """Read where something is that was said before: "rows 2 and 3 have one X each, both in the fourth column"."""
    is_all = bool(clause.words & {"both", "all"}) or before.count == (1, 1) or "only" in before.kinds
    is_bare = not before.groups and "number" not in clause.kinds
    if clause.words & {"both", "all"} and before.count and is_bare and clause.cells:
        return [state_claim(ALL - clause.cells, False)]  # "5 X's, all in the first column"
    shared = [before.cells & group.cells() for group in clause.groups] if is_all and before.groups else []
    return [state_claim(cells, True, is_sure=False) for cells in shared if cells]


def _of_group(group: Group, clause: Clause, filled: bool) -> list[GridClaim]:
    """Return what a clause says of one group of parts."""
    cells, name = group.cells(), group.names[-1]
    is_vague = name.value == "corner" and not name.number
    if clause.count and not (group.places and len(cells) == clause.count[0]):
        return _count_group(group, clause, filled) * (not is_vague)
    if clause.means("line") and group.is_line and filled:
        return [replace(count_claim(cells, 3, SIZE), negated=clause.negated, is_sure=False)]
    if clause.negated:
        return [_deny(cells, clause, filled)]
    if name.value == "corners" and 0 < name.number < len(cells):
        return [_some_corners(name.number, cells, clause, filled)]
    if not filled and len(cells) > 1 and clause.words & {"any", "some", "gap", "gaps"}:
        return [_of_empty(cells, 1, len(cells))]
    if filled and _is_partly(group, clause):
        is_said = clause.is_filled or clause.means("partly", "reach")
        return [count_claim(cells, 1, len(cells))] * is_said
    return [state_claim(cells, filled, _is_definite(clause, name)), *(_rest_of_line(group, clause) if filled else [])]


def _is_definite(clause: Clause, name: Item) -> bool:
    """Return whether it is clear which cells are meant: not with "both sides", "the corner", the middle of a shape."""
    is_vague = name.value == "corner" and not name.number and len(clause.groups) == 1
    return not (is_vague or clause.is_within_shape or name.value == "sides")


def _some_corners(number: int, cells: Cells, clause: Clause, filled: bool) -> GridClaim:
    """Read "three corners are filled", "at least one corner is empty"."""
    high = len(cells) if "least" in clause.words else number
    return count_claim(cells, number, high) if filled else _of_empty(cells, number, high)


def _of_empty(cells: Cells, low: int, high: int) -> GridClaim:
    """Return the claim that so many of some cells are empty."""
    return count_claim(cells, len(cells) - high, len(cells) - low)


def _is_partly(group: Group, clause: Clause) -> bool:
    """Return whether only some cells are said to be filled: "row 2 has X's", but not "row 2 is filled"."""
    if not group.is_line and len(group.fixed) <= SIZE:
        return group.names[-1].value in WHOLES and bool(clause.words & {"any", "some"})
    is_predicate = any(item.kind == "value" for item in clause.items) and not any(
        item.kind == "noun" and item.value == "cell" for item in clause.items
    )
    is_whole = is_predicate and not clause.means("partly")
    is_bare = not clause.is_filled and not clause.means("partly", "reach")
    return not (is_whole or is_bare or {"full", "all"} & clause.kinds)


def _rest_of_line(group: Group, clause: Clause) -> list[GridClaim]:
    """Return that the rest of a line is empty where its filled cells were listed: "row 2: 1 and 3"."""
    is_listed = bool(group.places) or (len(group.cells()) > 1 and len(group.axes) == 2)
    if not is_listed or not group.axes or clause.means("hedge") or "question" in clause.kinds:
        return []
    axis = group.first or next(iter(group.axes))
    rest = line_cells(axis, group.axes[axis]) - group.cells()
    return [state_claim(rest, False, is_sure="exhaustive" in clause.kinds)]


def _deny(cells: Cells, clause: Clause, filled: bool) -> GridClaim:
    """Read "no X in row 2", "row 2 is not full", "the corner isn't filled", "not empty", "no gaps"."""
    if not filled:
        is_gap = clause.means("gap") and len(cells) > 1
        return state_claim(cells, True) if is_gap else count_claim(cells, 1, len(cells))
    is_partly = "full" in clause.kinds and len(cells) > 1
    return count_claim(cells, 0, len(cells) - 1) if is_partly else state_claim(cells, False)


def _count_group(group: Group, clause: Clause, filled: bool) -> list[GridClaim]:
    """Read "row 2 has three X's", "rows 1 and 3 have four each", "two of the corners"."""
    low, high = clause.count or (0, 0)
    cells = group.cells()
    lines = [line_cells(axis, [number]) for axis, number in lines_in([group])]
    parts = lines if len(lines) > 1 and low <= SIZE else [cells]
    if low > len(cells) or (
        group.names[-1].value == "corners" and group.names[-1].source.startswith(("each", "every"))
    ):
        return []  # "three in each corner": of another shape than a cell
    make = count_claim if filled else _of_empty
    claims = [make(part, min(low, len(part)), min(high, len(part))) for part in parts]
    each = tuple(count for claim in claims for count in claim.readings[0])
    total = make(cells, low, min(high, len(cells))).readings[0]
    is_each = len(parts) == 1 or bool(clause.words & {"each", "both", "every"})
    side = next((item.value for item in clause.items if item.kind == "side"), "")
    if side and len(parts) == 1 and low == high and filled:
        ordered = sorted(cells, reverse=side in ("right", "bottom"))
        return [*claims, state_claim(frozenset(ordered[:low]), True, is_sure=False)]
    return [GridClaim((each,) if is_each else (each, total), negated=clause.negated)]


def _read_total(clause: Clause, earlier: Sequence[GridClaim]) -> list[GridClaim]:
    """Read "ten filled cells", "16 are empty", "no filled cells"."""
    is_placed = any(item.kind in ("side", "half") or item.value in ("row", "column") for item in clause.items)
    if clause.groups:
        return []
    if not clause.count:
        is_none = clause.negated and clause.is_filled and not clause.is_empty and "rest" not in clause.kinds
        return [count_claim(ALL, 0, 0)] if is_none else []
    is_other = clause.before and clause.words & {"more", "other", "them", "those"}
    if clause.is_filled if clause.is_empty else is_other and not clause.is_filled:
        return []
    low, high = clause.count
    claim = _of_empty(ALL, low, min(high, len(ALL))) if clause.value is False else count_claim(ALL, low, high)
    if not is_placed or clause.shows_shape:
        return [replace(claim, negated=clause.negated)]
    return [replace(each, is_sure=False, is_understood=False) for each in (claim, *_leaning(clause))]


DECISIVE = frozenset(("rest", "same", "except", "only"))
READERS: dict[Callable[[Clause, Sequence[GridClaim]], list[GridClaim]], frozenset[str]] = {
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
