"""Reads what people say about a grid of filled and empty cells as claims (`grid_claims.py`).

A text is cut into clauses. Each says something of parts of the grid (`regions.py`), of its lines or of its shape; a
clause takes from the one before what it leaves out. Words that are not understood are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import dropwhile, pairwise, takewhile

from games.common.grids import CENTRE_CELL, CORNER_BY_NAME, GRID_CELLS, GRID_SIZE, Cell
from games.common.language.doubt import compile_clauses, is_plain, sentences
from games.common.language.grid_claims import LINE, CellCount, GridClaim, Test, count_claim, leans_to, state_claim
from games.common.language.phrases import PhraseMatch, make_rules, quote_terms, rewrite
from games.common.language.regions import (
    ALL_CELLS,
    NEAR_TERMS,
    NUMBER_RULES,
    SEQUENCE_RULES,
    CellGroup,
    Saying,
    count_from,
    group_terms,
    line_cells,
    list_marks,
    read_grid_terms,
)
from games.common.language.terms import (
    OPPOSITE,
    OPPOSITE_SIDES,
    RULES,
    SHAPES,
    SIDE_AXES,
    VERTICAL_WAYS,
    Cells,
    Term,
    bounds_of,
    has,
    words_for,
)

Line = tuple[str, int]
"""("row" or "column", number from 0)."""
PLAIN_CLAUSE, PLAIN_FIGURE = compile_clauses(RULES.plain), compile_clauses(RULES.figure)
UNSAID = words_for("filler") | words_for("unsaid_kind")
DIAGONAL_NAMES = {1: "a diagonal line", 2: "two diagonal lines", 3: "three diagonal lines"}


@dataclass(frozen=True)
class GridReading:
    """The claims of a text and the words that were not understood."""

    claims: tuple[GridClaim, ...]
    unparsed_words: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def read_grid_text(text: str, question: str = "") -> GridReading:
    """Return what a text says of a grid. `question` is the question that it answers, if it answers one."""
    certain_sentences = (sentence for sentence, _ in sentences(prepare(text), _is_doubtful) if not _is_unsure(sentence))
    rules = SEQUENCE_RULES if question else [*SEQUENCE_RULES, *REPLY_RULES]
    terms = rewrite((term for sentence in certain_sentences for term in sentence), rules)
    claims = [replace(claim, text=text) for claim in _read_rows_in_order(terms, question)]
    if not claims:
        clause_before: Clause | None = None
        for sentence, is_doubtful in sentences(_prepend_question(terms, question), _is_doubtful):
            for clause in _split_clauses(sentence, clause_before, is_doubtful):
                clause_before = clause
                clause_text = text if question else quote_terms(clause.terms)
                if clause.lead == "but":  # "a D, but its line is in the middle"
                    claims = [
                        replace(claim, is_understood=claim.is_understood and not claim.is_shape) for claim in claims
                    ]
                claims += [replace(claim, text=clause_text) for claim in _read_claims(clause, claims)]
    if _has_other_notation(terms):
        claims = [replace(claim, is_sure=False, is_understood=False) for claim in claims]
    return GridReading(tuple(dict.fromkeys(claims)), tuple(find_unread(terms)))


def _is_doubtful(term: Term) -> bool:
    return term.text in words_for("doubt")


def _has_other_notation(terms: Sequence[Term]) -> bool:
    """Return whether rows and columns are counted from 0, or named as those of a chess board: "row 0", "the a file"."""
    numbers_after_lines = [
        next_word.number for term, next_word in pairwise(terms) if _is_line_noun(term) and next_word.kind == "number"
    ]
    return 0 in numbers_after_lines or any(term.text in words_for("notation") for term in terms)


def find_unread(terms: Iterable[Term]) -> list[str]:
    """Return the words that mean nothing here."""
    known_words = frozenset(SHAPES).union(*map(words_for, words_for("understood")))
    return [term.text for term in terms if term.kind == "word" and term.text and term.text not in known_words]


# ---------------------------------------------------------------------- before clauses are cut
def prepare(text: str) -> list[Term]:
    """Return the terms of a text without directions ("from top to bottom"), and with numbers that are places."""
    terms = rewrite(read_grid_terms(text), [*make_rules(RULES.counts, globals()), *NUMBER_RULES])
    return rewrite((term for term in terms if term.text != "there"), REWRITE_RULES)


def _read_counts_of_lines(phrase: PhraseMatch) -> list[Term] | None:
    """Write out "rows 1 to 3 have 2, 0 and 4 cells", "per column: 2, 1, none, 3, 1", "3, 2, 1 in rows 2 to 4"."""
    line_term = phrase.term("lines")
    numbers = [term.number for term in phrase.group("numbers") if term.kind in ("number", "not")]
    line_numbers = line_term.at or tuple(range(GRID_SIZE))
    lead = phrase.group("lead")
    terms_before = takewhile(lambda term: term.kind not in ("stop", "comma"), reversed(phrase.output))
    state = "empty " if has([*terms_before, *phrase.terms], "empty") else ""
    is_plain = has(lead, "VERB") and not has(lead, "COLON", "COMMA", "PREP", "cell", "X")
    is_plain |= [term.kind for term in lead] in ([], ["colon"]) and numbers != sorted(set(numbers))  # no places
    if not len(line_numbers) == len(numbers) > 1 or (len(numbers) < GRID_SIZE and not is_plain):
        return None
    lines = [(line_term.axis or line_term.sense, line_number) for line_number in line_numbers]
    return [term for line, number in zip(lines, numbers, strict=True) for term in _count_line(line, number, state)]


def _count_line(line: Line, cell_count: int, state: str = "") -> list[Term]:
    """Return the terms of "row 2 has 3 cells", or "3 empty cells"."""
    return [*read_grid_terms(f"{line[0]} {line[1] + 1} has {cell_count} {state}cells;")]


def _read_lines_beyond(phrase: PhraseMatch) -> list[Term]:
    """Read "below row 2", "left of the third column" as these lines, "just below" as the next one; "left of row 2"."""
    line_term, side_term = phrase.term("line"), phrase.term("side")
    if side_term.sense in SIDE_AXES and SIDE_AXES[side_term.sense] != line_term.axis:
        return [Term("places", side_term.sense, "cell", side_term.at), *phrase.terms[-2:]]
    is_after_line = {phrase.term("way").sense, side_term.sense} & {"below", "right"}
    numbers = range(max(line_term.at) + 1, GRID_SIZE) if is_after_line else range(min(line_term.at))
    next_numbers = numbers[:1] if is_after_line else numbers[-1:]
    return [Term("lines", "beyond", line_term.axis, tuple(next_numbers if phrase.group("near") else numbers))]


def _read_lines_onwards(phrase: PhraseMatch) -> Term:
    """Read "from column 4 on" as this line and those after it."""
    line_term = phrase.term("line")
    return replace(line_term, at=tuple(range(min(line_term.at), GRID_SIZE)), plural=True)


def _read_line_named_after(phrase: PhraseMatch) -> list[Term] | None:
    """Read "the only full row is the third", "of the rows only the third" as that row."""
    noun_term, place_term = phrase.term("noun"), phrase.term("places")
    line_term = Term("lines", noun_term.sense, noun_term.sense, place_term.at, plural=len(place_term.at) > 1)
    terms = [line_term, *phrase.group("verb")]
    return None if noun_term.kind != "noun" else terms[::-1] if has(terms, "ONLY") else terms


def _read_own_part(phrase: PhraseMatch) -> Term | None:
    """Read "its centre" as a part of a shape, where a small one is named, and "their corners"."""
    is_small = has(phrase.context.terms, "SHAPE", "block", "small", "tiny", "little")
    owners = ("its ", "their ") if is_small else ("their ",)
    return Term("portion") if phrase.terms[0].source.lower().startswith(owners) else None


def _read_legend(phrase: PhraseMatch) -> list[Term] | None:
    """Drop "(columns A-E from the left, rows 1-5 from the top)", "(row, column)": how lines are numbered."""
    terms = phrase.group("legend")
    is_about_lines = has(terms, "row", "column")
    names_part = phrase.terms[0].kind != "comma" or any(term.is_part and len(term.at) < GRID_SIZE for term in terms)
    return [] if is_about_lines and not names_part and not has(terms, "VALUE", "FULL", "NOT", "VERB", "X") else None


def _read_equal_lines(phrase: PhraseMatch) -> list[Term]:
    """Read "row 1 = row 3: 2 and 4" as what is said of both, "row 1 = row 3" as that they are alike."""
    first_line, second_line = phrase.term("first"), phrase.term("second")
    if has(phrase.terms_after(1), "COLON") and first_line.axis == second_line.axis:
        return [replace(first_line, at=first_line.at + second_line.at, plural=True)]
    return [first_line, Term("same", text="same"), second_line]


def _read_lines_after(phrase: PhraseMatch) -> list[Term] | None:
    """Read "then two full rows", "followed by a row" after a row as the rows that come next."""
    if phrase.term_before().text not in ("then", "followed") or phrase.term("noun").kind != "noun":
        return None
    line_before = next((term for term in reversed(phrase.output[-NEAR_TERMS:]) if term.kind == "lines"), Term("none"))
    axis, number = phrase.term("noun").sense, phrase.term("number").number or 1
    if line_before.axis != axis or phrase.term("noun").plural != (number > 1):
        return None
    start_line = max(line_before.at) + 1
    return [
        Term("lines", axis, axis, tuple(range(start_line, min(start_line + number, GRID_SIZE)))),
        *phrase.group("state"),
    ]


def _read_lines_on_other_side(phrase: PhraseMatch) -> list[Term] | None:
    """Read "one on the right" directly after "two columns on the left" as a column, too."""
    line_before, side_term = next(iter(phrase.output[-2:-1]), Term("none")), phrase.term("side")
    terms_before = takewhile(lambda term: term.kind != "stop", reversed(phrase.output))
    axis, number_term = SIDE_AXES.get(side_term.sense, ""), phrase.term("number")
    if line_before.kind != "lines" or line_before.axis != axis or has(terms_before, "X", "cell", "VERB"):
        return None
    return [number_term, Term("lines", axis, axis, count_from(side_term.at[0], number_term.number))]


def _read_marks_at_place(phrase: PhraseMatch) -> list[Term] | None:
    """Read "three X's at the start of row 2", "row 2 has three X's in the middle" as its first, its middle cells."""
    place_term, number = phrase.term("place"), phrase.term("number").number
    if len(place_term.at) > 1 or (place_term.at == (CENTRE_CELL[0],) and number % 2 == 0):
        return None
    cells_term = replace(place_term, at=count_from(place_term.at[0], number))
    return [*phrase.group("line"), phrase.term("mark"), Term("prep", text="in"), cells_term]


def _read_line_named_one(phrase: PhraseMatch) -> list[Term] | None:
    """Read "the first row and the last one", "row 1 is empty and so is row 3" as two rows."""
    line_term, place_term, said_terms = phrase.term("line"), phrase.term("place"), phrase.group("said")
    is_line = bool(said_terms) or (place_term.source.endswith(" one") and not has(phrase.terms_after(1), "VERB"))
    if not is_line or place_term.is_centre or place_term.axis not in (line_term.axis, "cell", ""):
        return None
    return [replace(line_term, at=line_term.at + place_term.at, plural=True), *said_terms]


def _read_marks_at_end(phrase: PhraseMatch) -> Term:
    """Read "starts with two X's", "ends with an empty cell"."""
    mark_count = phrase.term("number").number
    marks = ("X",) * mark_count if mark_count else list_marks(phrase.group("run"))[:GRID_SIZE]
    return Term("marks", "" if has(phrase.terms, "FROM") else "end", marks=marks)


def _read_all_but(phrase: PhraseMatch) -> Term:
    """Read "all but two cells", "everything except one corner" as their number."""
    cell_count = GRID_SIZE if phrase.terms_after(1)[0].sense in OPPOSITE else len(GRID_CELLS)
    return Term("number", number=cell_count - phrase.term("number").number)


def _read_hollow(phrase: PhraseMatch) -> Term | None:
    """Read "a square with a hole in it" as a hollow one."""
    is_shape = any(term.text in SHAPES or term.sense == "block" for term in phrase.context.terms[: phrase.start])
    return Term("word", text="hollow") if is_shape else None


def _read_ring(phrase: PhraseMatch) -> Term | None:
    """Read "a frame", "a small outline", "a ring" as a shape that is not the border of the whole grid."""
    source, term_before = phrase.terms[0].source, phrase.term_before()
    article_source = term_before.source if term_before.kind == "word" else source  # "a tall frame"
    is_shape = article_source.lower().startswith("a ") or ("ring" in source.lower() and "outer" not in source.lower())
    is_shape |= term_before.is_figure  # "a square frame"
    is_shape |= source.endswith("outline") and any(term.text in SHAPES for term in phrase.context.terms[: phrase.start])
    return Term("word", text="ring") if is_shape else None


def _read_ring_of_eight(phrase: PhraseMatch) -> list[Term]:
    """Read "a ring of eight X's" as what has a hole of one cell."""
    return [*read_grid_terms("a hollow 3x3 square")]


def _read_except_empty(phrase: PhraseMatch) -> list[Term] | None:
    """Read "is full, but the first cell is empty" as an exception."""
    is_full = has(takewhile(lambda term: term.kind != "stop", reversed(phrase.output)), "FULL")
    return [Term("except", text="except"), *phrase.group("part")] if is_full else None


def _read_adjacent_lines(phrase: PhraseMatch) -> Term | None:
    """Read "r3 r4 r5" as three rows."""
    lines = phrase.terms
    is_alike = len({term.axis for term in lines}) == 1
    return replace(lines[0], at=tuple(n for term in lines for n in term.at), plural=True) if is_alike else None


def _read_ends_of_line(phrase: PhraseMatch) -> list[Term]:
    """Read "row 1: both corners", "row 1 just has the two corners" as its ends."""
    return [*phrase.group("line"), Term("places", "ends", at=(0, GRID_SIZE - 1))]


def _read_comparison(phrase: PhraseMatch) -> Term:
    """Read "the same number of X's", "more X's than", "as many filled cells as"."""
    number = 1 if has(phrase.terms, "more") else -1 if has(phrase.terms, "fewer", "less") else 0
    return Term("compared", number=number)


def _read_end_mark(phrase: PhraseMatch) -> Term | None:
    """Read "the first X in" a line before where it is."""
    return None if "empty" in phrase.terms[0].source else Term("compared", phrase.term("which").text)


def _read_other_lines(phrase: PhraseMatch) -> Term | None:
    """Read "each row except the third has one X" as what is said of the other rows."""
    line, numbers = phrase.term("lines"), set(phrase.term("but").at)
    others = tuple(number for number in line.at if number not in numbers)
    return (
        replace(line, at=others) if len(line.at) == GRID_SIZE and phrase.term("but").axis in (line.axis, "") else None
    )


def _read_apart_from_that(phrase: PhraseMatch) -> Term:
    """Read "apart from that, …" as "and"; after what it limits, as of a part that is not known."""
    is_start = phrase.term_before().kind in ("stop", "comma", "and")
    return Term("and", text="and") if is_start else Term("portion")


def _read_from_side(phrase: PhraseMatch) -> Term:
    """Read "starting from the left edge", "from the right" as "on the left"."""
    side_term = phrase.term("side")
    return Term(
        "side", side_term.text if side_term.is_part else side_term.sense, at=side_term.at, number=1, text="start"
    )


def _read_cells_of_side(phrase: PhraseMatch) -> list[Term]:
    """Read "the middle cells of the top side" as cells of that row."""
    return [*phrase.group("cells"), replace(phrase.term("side"), sense="edge")]


def _read_lines_at_side(phrase: PhraseMatch) -> Term | None:
    """Read "the bottom" as an edge where something reaches it, "the bottom two", if nothing else is named, as rows."""
    side, terms = phrase.terms[0], phrase.context.terms
    is_reached = len(side.at) == 1 and any(term.text in words_for("reach") for term in terms)
    is_counted = 1 < side.number < GRID_SIZE and not has(terms, "PART", "NUMBER", "NOUN", "LETTER", "FIGURE")
    is_line = side.sense in SIDE_AXES and (is_reached or is_counted)
    return Term("lines", "edge" if is_reached else "implied", SIDE_AXES[side.sense], side.at) if is_line else None


REWRITE_RULES, REPLY_RULES = make_rules(RULES.rewrites, globals()), make_rules(RULES.replies, globals())


def _is_unsure(terms: Sequence[Term]) -> bool:
    """Return whether a sentence says that its speaker does not know."""
    words = {term.text for term in terms}
    is_denied = not words.isdisjoint(words_for("unsure")) and not words.isdisjoint(words_for("know"))
    return "unsure" in words or {"no", "idea"} <= words or is_denied


def is_x(term: Term) -> bool:
    """Return whether a term is the letter X or "crosses", which stand for filled cells."""
    return (term.kind == "letter" and term.sense == "X") or (term.kind == "noun" and term.text == "crosses")


def lines_in(groups: Iterable[CellGroup]) -> list[Line]:
    """Return the whole rows and columns of groups."""
    return [
        (axis, number)
        for group in groups
        if group.is_line
        for axis, numbers in group.axes.items()
        for number in numbers
    ]


def _read_rows_in_order(terms: Sequence[Term], question: str) -> Iterator[GridClaim]:
    """Yield what rows written out without "row 2" say: all five in order, or those that were asked for."""
    mark_rows = [term.marks for term in terms if term.kind == "marks" and len(term.marks) == GRID_SIZE]
    if any(term.kind == "lines" for term in terms) or not mark_rows:
        return
    lines = lines_in(group_terms(read_grid_terms(question)))
    if len(lines) != len(mark_rows):
        lines = [("row", number) for number in range(GRID_SIZE)] if len(mark_rows) == GRID_SIZE else []
    yield from (marks_claim(line, marks) for line, marks in zip(lines, mark_rows, strict=False))


def marks_claim(line: Line, marks: Sequence[str], is_end: bool = False) -> GridClaim:
    """Return the claim that a line is as written out, or its first or last cells are."""
    cells = sorted(line_cells(line[0], [line[1]]))
    marked_cells = zip(cells[-len(marks) :] if is_end else cells, marks, strict=False)
    counts = [CellCount(frozenset({cell}), int(bool(mark)), int(bool(mark))) for cell, mark in marked_cells]
    return GridClaim((tuple(counts),))


# ---------------------------------------------------------------------- answers that leave out what was asked
def _prepend_question(terms: list[Term], question: str) -> list[Term]:
    """Put what was asked before an answer that does not repeat it: "Is the centre filled?" - "yes"."""
    if not question or not terms:
        return terms
    asked_items = [term for term in rewrite(read_grid_terms(question), NUMBER_RULES) if term.kind != "stop"]
    is_open = any(term.text in words_for("question") for term in asked_items[:2])
    first_term, second_term = [*terms, Term("stop")][:2]
    says_no = first_term.text in words_for("no") and second_term.kind in ("stop", "comma")
    if not is_open and (says_no or first_term.text in words_for("yes")):
        is_unclear = says_no and len(list(_split_clauses(asked_items))) > 1
        restated_terms = [] if is_unclear else [Term("deny" if says_no else "question"), *asked_items, Term("stop")]
        return [*restated_terms, *terms[1:]]
    if first_term.kind == "all" and second_term.text in ("but", "except"):  # "all but the top right"
        return [*(term for term in asked_items if term.is_part or term.kind == "value"), Term("except"), *terms[2:]]
    return _answer_with_numbers(terms, asked_items) or _answer_with_parts(terms, asked_items)


def _answer_with_numbers(terms: Sequence[Term], asked_items: Sequence[Term]) -> list[Term]:
    """Read "4, 2, 4, 1, 2" or "13" after "how many"."""
    numbers = [term.number for term in terms if term.kind == "number"]
    part_terms, lines = [term for term in asked_items if term.is_part], lines_in(group_terms(asked_items))
    if not any(term.text in ("many", "count") for term in asked_items) or any(term.is_part for term in terms):
        return []
    if len(numbers) == len(lines) > 1:
        return [term for line, number in zip(lines, numbers, strict=True) for term in _count_line(line, number)]
    nouns = [term for term in asked_items if term.kind in ("noun", "value") or is_x(term)] or [Term("noun", "cell")]
    return [Term("number", number=numbers[0]), *nouns, Term("prep"), *part_terms] if len(numbers) == 1 else []


def _answer_with_parts(terms: list[Term], asked_items: Sequence[Term]) -> list[Term]:
    """Read "1 and 4", "row 1 and row 3 are filled", "all but the last" after a question about one line or part."""
    groups, part_terms = group_terms(asked_items), [term for term in asked_items if term.is_part]
    lines, axes = lines_in(groups), {term.axis for term in terms if term.kind == "lines"}
    crosses = len(lines) == 1 and axes == {OPPOSITE[lines[0][0]]}
    if len(groups) != 1 or len(lines) > 1 or any(term.kind == "cells" for term in terms) or (axes and not crosses):
        return terms
    other_terms = [term for term in terms if term.text not in ("yes", "no")]
    return rewrite([Term("exhaustive"), *part_terms, Term("colon", ":", text=":"), *other_terms], NUMBER_RULES)


def _may_be_middle_of_line(group: CellGroup) -> bool:
    """Return whether a group is "the middle one", which may be in the line that was named before."""
    return not group.axes and group.terms[0].sense == "middle" and not group.terms[0].is_centre


# ---------------------------------------------------------------------- clauses
class Clause(Saying):
    """Terms that say one thing, and what they mean together; `before` is the clause before in the sentence."""

    def __init__(self, terms: Sequence[Term], before: Clause | None, lead: str = "", is_doubtful: bool = False) -> None:
        super().__init__(_convert_side_places(list(map(_convert_side, terms))))
        self.clause_before, self.lead = before, lead
        self.is_doubtful = is_doubtful or (lead != "stop" and before is not None and before.limits_sentence)
        self.follows_line = lead != "stop" and before is not None and before.mentions_line
        self._inherit_axis()
        self.is_doubtful |= self.follows_line and any(map(_may_be_middle_of_line, self.groups))
        self.count = next((bounds for index in range(len(self.terms)) if (bounds := self._find_count(index))), None)
        self._take_values()
        self.listed_state = self._find_listed_state()
        kinds = [term.kind for term in self.terms if term.is_part or term.kind == "only"]
        is_among = "only" in kinds[1:] and quote_terms(terms).lower().split(" ")[0] in words_for("among")
        self.group_among = self.groups.pop(0) if is_among and self.groups else None
        """Of which only some are so: "of the corners only the top left"."""
        self.shows_shape = bool(find_shapes(self.terms)) or "shape" in self.kinds
        self.follows_shape: bool = (
            lead != "stop" and before is not None and (before.shows_shape or before.follows_shape)
        )
        self.is_location = before is not None and self._is_further(before)
        """Whether it only says where something is that the clause before named."""

    def _take_values(self) -> None:
        meanings = {term.sense for term in self.terms if term.kind == "value"}
        self.is_empty = "empty" in meanings
        starts_filled = any(
            term.marks[0] for term in self.terms if term.kind == "marks" and len(term.marks) < GRID_SIZE
        )
        self.is_filled = "filled" in meanings or any(map(is_x, self.terms)) or starts_filled
        self.is_negated = any(term.kind == "not" for term in self.main_terms)
        says_filled = self.is_filled or "full" in self.kinds or bool(self.words & {"nothing", "none"})
        self.fill_state = False if self.is_empty else True if says_filled else None
        """Whether it says filled (True) or empty (False); None where it says neither."""

    def _find_listed_state(self) -> bool | None:
        """Return whether the cells of a list are filled by what stands before: "11 blanks: two in row 1, nine in …"."""
        before = self.clause_before
        if before is None or self.fill_state is not None:
            return None
        refers_back = self.lead == "colon" or (self.terms[0].source.lower().startswith(("they", "those", "these")))
        if (refers_back and not before.groups) or (_is_inverted(before.terms) and self.lead != "stop"):
            return before.fill_state
        return before.listed_state if self.lead != "stop" else None

    def _is_further(self, previous: Clause) -> bool:
        """Return whether it only names parts, for what the clause before counted, showed or said of nothing else."""
        if self.fill_state is not None or self.count or {"verb", "colon", "only"} & self.kinds:
            return False
        is_only = "only" in previous.kinds and self.lead != "stop"
        is_only |= previous.means("line") and not previous.is_understood and self.terms[0].kind == "prep"
        may_continue = self.lead != "colon" or self.terms[0].kind == "prep"
        return may_continue and bool(previous.count or previous.shows_shape or previous.is_location or is_only)

    @property
    def is_understood(self) -> bool:
        """Whether all its words were read, and it is meant so."""
        return not self.is_doubtful and not find_unread(self.terms)

    @property
    def limits_sentence(self) -> bool:
        """Whether its sentence is about something that was not read: "in the right arm the second row is empty"."""
        opening_terms = takewhile(lambda term: term.kind != "lines", self.terms)
        return self.is_doubtful or (self.terms[0].kind == "prep" and bool(find_unread(opening_terms)))

    @property
    def is_statement(self) -> bool:
        """Whether it stands for itself, and each of its words has a part in what was read."""
        return not self.is_fragment and is_plain(self.terms, PLAIN_CLAUSE, UNSAID)

    @property
    def is_fragment(self) -> bool:
        """Whether it is a sentence that only names lines, as where the shape is, or a place: "The middle one."."""
        is_bare = self.fill_state is None and not self.count and not self.kinds & words_for("stating")
        before = self.clause_before
        is_new = self.lead != "colon" and before is not None and not (self.lead != "stop" and before.means("line"))
        if self.lead == "stop" and any(term.source.endswith(" one") for term in self.terms if term.kind == "places"):
            return not self.mentions_line
        return (is_new or self.terms[0].kind == "from") and is_bare and bool(lines_in(self.groups))

    @property
    def lacks_part(self) -> bool:
        """Whether it says that a part lacks another part: "the border has no right corners"."""
        terms = [term for term in self.main_terms if term.is_part or term.kind in ("verb", "not")]
        return [term.kind for term in terms] == ["cells", "verb", "not", "cells"] and len(self.groups) == 2

    @property
    def mentions_line(self) -> bool:
        """Whether its sentence has named a row or column so far."""
        return self.follows_line or "half" in self.kinds or any(group.axes for group in self.groups)

    @property
    def names_middle(self) -> bool:
        """Whether it names the middle of something: of the grid, or of a shape."""
        return any(group.places == (CENTRE_CELL[0],) and not group.axes for group in self.groups)

    @property
    def cells(self) -> Cells:
        """All cells that it names."""
        return frozenset().union(*[group.cells() for group in self.groups])

    def _inherit_axis(self) -> None:
        """Read "the second" as a row where rows were named before: "two in the first row, three in the second"."""
        if self.groups and self.groups[0].terms[0].sense == "all":
            for exception in self.exception_groups:
                _take_axis(exception, self.groups[0].line[0])
        before = self.clause_before
        is_listed = self.lead == "colon" or "missing" in self.words
        if before and is_listed and before.count and len(before.groups) == len(self.groups) == 1:
            self._take_line(self.groups[0], before.groups[0])
        if len(self.groups) == 1 and before and not self.groups[0].terms[0].is_centre:
            self._inherit_axis_from(self.groups[0], before)

    @staticmethod
    def _take_line(group: CellGroup, source_group: CellGroup) -> None:
        """Read places that are listed for one line as its cells: "row 1 has two X's: the first and the last"."""
        if group.places and not group.axes and len(source_group.line[1]) == 1:
            group.axes = dict(source_group.axes)

    def _inherit_axis_from(self, group: CellGroup, clause_before: Clause) -> None:
        nouns = [term.sense for term in clause_before.terms if _is_line_noun(term) and self.lead != "with"][:1]
        source_group = clause_before.groups[-1] if clause_before.groups else CellGroup(dict.fromkeys(nouns, ()))
        axis, numbers = source_group.line
        if group.terms[0].text in words_for("both_ends"):  # "rows 2 and 4 are alike, only the ends"
            group.axes = group.axes or dict(source_group.axes if len(source_group.axes) == 1 else {})
        is_crossing = group.is_line and len(source_group.axes) == 2 and group.line[0] != axis and self.lead != "stop"
        if is_crossing and self.words & {"one", "another"}:  # "row 1 has an X in column 2 and one in column 5"
            group.axes = {axis: numbers, **group.axes}
        if len(source_group.axes) != 1 or group.axes or group.is_of_cell or any(map(_is_line_noun, self.terms)):
            return
        if not source_group.places and (group.terms[0].axis != "cell" or not clause_before.groups):
            _take_axis(group, axis)

    def _find_count(self, index: int) -> tuple[int, int] | None:
        """Return the bounds of the number of cells given here: "three X's", "at least two", "just one"."""
        number_term = self.terms[index]
        if number_term.kind != "number" or (number_term.text == "one" and self._is_pronoun(index)):
            return None
        following_terms = (term for term in self.terms[index + 1 :] if term.kind not in ("full", "value", "rest"))
        skipped_words = words_for("counted")
        following_term = next((term for term in following_terms if term.text not in skipped_words), Term("stop"))
        has_value = any(term.kind == "value" for term in self.terms[index + 1 : index + 2])
        is_alone = following_term.kind in ("stop", "comma", "and", "prep", "all") and (has_value or bool(self.groups))
        is_alone |= following_term.kind == "lines" and following_term.sense == "all"  # "two per row"
        is_mark = following_term.text == "cross" and any(group.axes for group in self.groups)  # "row 1 has one cross"
        is_total = any(term.text in words_for("total") for term in self.terms[index + 1 : index + 3])
        is_of_cells = is_x(following_term) or following_term.sense == "cell" or is_mark
        return self.find_bounds(index) if is_alone or is_total or is_of_cells else None

    def _is_pronoun(self, index: int) -> bool:
        """Return whether "one" is a line: "row 1 is the empty one", "a full row at the top and one in row 3"."""
        is_definite = self.terms[index].source.lower() == "the one" and not has(self.terms[index + 1 : index + 2], "X")
        if is_definite or has(self.terms[:index][-1:], "VALUE", "FULL"):
            return True
        kinds = [term.kind for term in self.clause_before.terms] if self.clause_before else []
        is_state_of_line = ("full", "lines") in pairwise(kinds) or ("value", "lines") in pairwise(kinds)
        return is_state_of_line and "verb" not in kinds

    def find_bounds(self, index: int) -> tuple[int, int]:
        """Return the least and the greatest number that "more than 3", "at most 3" or "3" means."""
        words = {term.text for term in self.terms[max(0, index - 3) : index]}
        words |= {"least"} if has(self.terms, "SIDE", "FROM") else set()  # "two on the left", and others elsewhere
        return bounds_of(self.terms[index].number, words, len(GRID_CELLS))


def _is_line_noun(term: Term) -> bool:
    return term.kind == "noun" and term.sense in OPPOSITE


def _is_inverted(terms: Sequence[Term]) -> bool:
    """Return whether what is said stands first: "blank are the top row, the left column and the centre"."""
    return [term.kind for term in terms[:2]] == ["value", "verb"]


def _take_axis(group: CellGroup, axis: str) -> None:
    """Make rows of "the second" and "the third one" after rows."""
    if group.places and not group.axes:
        group.axes, group.places = {axis: group.places}, ()


def _convert_side(term: Term) -> Term:
    """Read "the left side" as "the left": in a description it is no column."""
    is_side = term.kind == "lines" and term.sense == "side"
    return Term("side", term.text, at=term.at, number=1) if is_side else term


def _convert_side_places(terms: list[Term]) -> list[Term]:
    """Read "at the left" as the first cell where a row is named and nothing is counted."""
    axes = {term.axis for term in terms if term.kind == "lines"}
    along_axes = [SIDE_AXES.get(term.sense, "") if term.kind == "places" else "" for term in terms]
    pairs = zip(along_axes, terms, strict=True)  # "the top two rows and the bottom one"
    terms = [Term("lines", axis, axis, term.at) if axis in axes else term for axis, term in pairs]
    crossed_axes = {OPPOSITE[SIDE_AXES.get(term.sense, "row")] for term in terms if term.kind == "side"}
    if any(term.kind == "number" for term in terms) or len(axes) != 1 or crossed_axes != axes:
        return terms
    return [Term("places", term.sense, "cell", term.at) if term.kind == "side" else term for term in terms]


def _split_clauses(terms: Sequence[Term], before: Clause | None = None, is_doubtful: bool = False) -> Iterator[Clause]:
    """Yield clauses: cut at stops, and at "," and "and" where both sides say something of their own."""
    clause_words: list[Term] = []
    lead_kind = "stop" if before else ""
    for i, term in enumerate([*terms, Term("stop")]):
        is_joint = term.kind in ("comma", "and", "colon") or term.text in words_for("joint")
        is_cut = term.kind == "stop" or (term.kind == "lines" and any(word.kind == "marks" for word in clause_words))
        tail = terms[i + 1 : i + NEAR_TERMS]
        is_cut |= is_joint and not _is_coordinate(terms, i) and _ends_clause(clause_words, tail)
        is_cut |= _begins_clause(term, clause_words, tail)
        is_cut |= is_joint and _is_column_list(clause_words, before) and has(tail, "VERB", "MARKS")
        if not is_cut and len(clause_words) <= NEAR_TERMS:
            clause_words += [term] if clause_words or not is_joint else []
            continue
        if clause_words:
            yield (before := Clause(clause_words, before, lead_kind, is_doubtful))
        clause_words = [term] if term.kind == "lines" else []
        lead_kind = term.text if term.text in ("with", "but") else term.kind


def _begins_clause(joint_term: Term, terms: Sequence[Term], tail: Sequence[Term]) -> bool:
    """Return whether what follows a joint is new: "but row 4 has …", unlike "every row but the third is …"."""
    if joint_term.kind == "colon":  # "six crosses: …"
        is_said = has(terms, "cell", "X") or find_unread(terms)  # "an easy one: …"
        return has(terms, "NUMBER") and bool(is_said) and not has(terms, "PART")
    first_term = next(iter(terms), joint_term)
    terms_ahead = [*takewhile(lambda term: term.kind not in ("stop", "comma"), tail)]
    if first_term.is_part and first_term.sense == "block" and first_term.source.lower().startswith("a "):
        return joint_term.kind == "comma" and has(terms_ahead, "PART") and has(terms_ahead, "VERB", "VALUE", "FULL")
    is_statement = has(tail[:1], "PART") and has(tail[1:2], "VERB")
    if joint_term.kind in ("comma", "and"):  # "my block starts at the left edge, and row 2 is empty"
        return is_statement and has(terms, "WORD", "FIGURE") and not has(terms, "EXCEPT")
    is_new = has(terms, "VERB", "SAYS") or not has(terms, "PART")
    return joint_term.text in words_for("joint") and is_statement and is_new


def _is_column_list(terms: Sequence[Term], before: Clause | None) -> bool:
    """Return whether terms only say in which columns of the row before so many cells are: "…, in columns 1 and 2"."""
    axes = {term.axis for term in terms if term.kind == "lines"}
    columns = {OPPOSITE[axis] for group in before.groups for axis in group.axes} if before and before.count else set()
    kinds = {term.kind for term in terms}
    return axes == columns and len(axes) == 1 and terms[0].kind == "prep" and kinds <= {"prep", "lines"}


def _ends_clause(terms: Sequence[Term], tail: Sequence[Term]) -> bool:
    """Return whether both sides of a joint say something of their own; a list of exceptions goes on."""
    if [term.kind for term in tail[:2]] in (["not", "rest"], ["all", "rest"], ["rest", "verb"], ["rest", "value"]):
        return True
    terms_ahead = list(takewhile(lambda term: term.kind not in ("stop", "comma"), tail))
    if tail and tail[0].kind == "marks" and len(tail[0].marks) < GRID_SIZE and not has(terms, "LINES"):
        return True
    if has(tail[:1], "EXCEPT") or (has(terms, "EXCEPT", "apart") and not has(terms_ahead, "SAYS")):
        return False
    is_repeated = has(terms[-1:], "too", "also") and has(terms, "PART")  # "the bottom row too, row 2 …"
    is_strange = not has(terms, "PART", "SAYS", "COUNTS") and (bool(find_unread(terms)) or has(terms, "SIDE"))
    says_more = has(terms_ahead, "PART", "REST", "SIDE", "SAYS", "COUNTS", "VERB")
    is_new = _is_drawn(terms) and _adds_line_or_count(tail, terms_ahead)
    return (is_strange and has(terms_ahead, "PART")) or (says_more and (is_new or is_repeated or _is_complete(terms)))


def _is_drawn(terms: Sequence[Term]) -> bool:
    """Return whether terms name cells by rows and columns, or a diagonal or block: "column 4 rows 2 to 4"."""
    has_both_axes = len({term.axis for term in terms if term.kind == "lines"}) == len(OPPOSITE)
    return has_both_axes or (has(terms[:1], "diagonal", "block") and terms[0].is_part)


def _adds_line_or_count(tail: Sequence[Term], terms_ahead: Sequence[Term]) -> bool:
    """Return whether a number follows, or a line and what is said of it: "…, column 5 rows 1 to 3"."""
    is_of_line = has(tail[1:2], "LINES", "PLACES", "VALUE", "ONLY", "FULL", "NOT")
    return has(terms_ahead[:3], "COUNTS") or (has(tail[:1], "LINES") and is_of_line)


def _is_coordinate(terms: Sequence[Term], i: int) -> bool:
    """Return whether a comma, or "and" after "the cell in", stands between the row and the column of a cell."""
    neighbours = [term.kind for term in (*terms[i - 1 : i], *terms[i + 1 : i + 2])] if i else []
    if _is_inverted(terms) or neighbours not in (["lines", "lines"], ["lines", "places"]):
        return False
    terms_before = [*takewhile(lambda term: term.kind in ("lines", "verb", "only"), reversed(terms[max(0, i - 3) : i]))]
    if any(term.axis == terms[i + 1].axis for term in terms_before if term.kind == "lines"):
        return False  # "column 1 row 3, column 2 row 4"
    ends_cell = has(terms[i + 2 : i + 3], "in", "of", "NUMBER") or has(terms[i + 2 : i + 4], "MARKS")
    ends_cell |= has(terms[:i], "FIGURE") and has(terms[i + 2 : i + 3], "VERB")  # "a ring in row 3, column 1 is blank"
    if ends_cell or terms[i - 1].sense in ("side", "edge"):
        return False  # "three in the top row, ends in the second"; "on the right side, row 2"
    is_of_cell = any(term.sense == "cell" and term.kind == "noun" and not term.plural for term in terms[i - 4 : i])
    is_joined = terms[i].kind == "comma" or (terms[i].text == "and" and is_of_cell)
    return is_joined and terms[i + 1].axis != terms[i - 1].axis


def _is_complete(terms: Sequence[Term]) -> bool:
    """Return whether terms name a part and say something of it, count something or name a shape."""
    has_part = has(terms, "PART", "REST")
    if any(term.text in SHAPES or (term.kind == "letter" and not is_x(term)) for term in terms):
        return True
    kinds_after_numbers = [next_term.kind for term, next_term in pairwise(terms) if term.kind == "number"]
    if has(terms, "NOT", "cell", "COMPARED", "EXTREME") or set(kinds_after_numbers) - {"comma", "and", "number"}:
        return True
    return has_part and (has(terms, "SAYS", "NUMBER") or (has(terms, "PLACES") and has(terms, "LINES")))


# ---------------------------------------------------------------------- claims of a clause
def _read_claims(clause: Clause, earlier_claims: Sequence[GridClaim]) -> list[GridClaim]:
    """Return the claims of a clause; the first reader that understands it counts. Shapes may come in addition."""
    cell_states = {cell: is_filled for claim in earlier_claims for cell, is_filled in claim.list_known_cells().items()}
    attempts = ((kinds, read_clause(clause, cell_states)) for read_clause, kinds in CLAUSE_READERS.items())
    kinds_read, claims = next((attempt for attempt in attempts if attempt[1]), (CLAUSE_READERS[_read_parts], []))
    unused_kinds = clause.kinds & DECISIVE_KINDS - kinds_read - ({"rest"} if clause.exception_groups else set())
    is_of_each = clause.lead != "stop" and clause.clause_before is not None and "same" in clause.clause_before.kinds
    is_understood = clause.is_understood and not (unused_kinds or is_of_each)  # "… are the same, one X in …"
    if kinds_read is not CLAUSE_READERS[_read_marks] and not is_understood:
        claims = [replace(claim, is_sure=False, is_understood=False) for claim in claims]
    shape_claims = _read_shape(clause)
    claims = [*(claim for claim in shape_claims if not _was_shown(claim, earlier_claims)), *claims]
    if "deny" in clause.kinds:
        claims = [_negate_claim(claim) for claim in claims[:1]]
    return claims if clause.is_statement else [replace(claim, is_sure=False) for claim in claims]


def _was_shown(claim: GridClaim, earlier_claims: Sequence[GridClaim]) -> bool:
    """Return whether a shape was named before: "a P, … the bump of the P"."""
    shape_names = {
        name.removeprefix("turned ") for other in earlier_claims if other.is_shape for name in map(str, other.test[1:])
    }
    return claim.is_shape and not shape_names.isdisjoint(str(name).removeprefix("turned ") for name in claim.test[1:])


def _negate_claim(claim: GridClaim) -> GridClaim:
    """Return the opposite of a claim; of a single cell it is known what it is then."""
    cell_states = claim.list_known_cells()
    if len(cell_states) != 1:
        return replace(claim, is_negated=not claim.is_negated)
    return state_claim(frozenset(cell_states), not any(cell_states.values()))


CellStates = Mapping[Cell, bool]
"""Cells that were said before to be filled or empty."""


def _read_superlative(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "the fullest one", "the fewest X's in row 1": of one of several grids."""
    senses = [] if any(map(_is_line_noun, clause.terms)) else [s.sense for s in clause.terms if s.kind == "extreme"]
    return [GridClaim(test=("extreme", sense, clause.cells or ALL_CELLS), is_sure=False) for sense in senses]


def _read_marks(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "row 2: X ▢ ▢ X X"."""
    mark_terms = [term for term in clause.terms if term.kind == "marks"]
    return [marks_claim(line, row.marks, row.sense == "end") for line in lines_in(clause.groups) for row in mark_terms]


def _read_rest(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "the rest is empty", "nothing else": all cells that were not mentioned, here or in the line before."""
    is_rest_filled = clause.fill_state is True and not clause.is_negated
    if "rest" not in clause.kinds or is_rest_filled not in {not is_filled for is_filled in cell_states.values()}:
        return []
    groups_before = clause.clause_before.groups if clause.clause_before else []
    line_sets = [line_cells(*group.line) for group in groups_before if group.places and len(group.axes) == 1]
    cells_within = clause.cells or frozenset().union(*line_sets) or ALL_CELLS
    remaining_cells = cells_within - {cell for cell, is_filled in cell_states.items() if is_filled != is_rest_filled}
    return [state_claim(remaining_cells, is_rest_filled, is_sure=False)] if remaining_cells else []


def _read_shape(clause: Clause) -> list[GridClaim]:
    """Read "the letter J", "a hollow square", "two by three block", "a vertical line", "solid", "a hole"."""
    is_negated = has(takewhile(lambda term: not term.is_figure, clause.main_terms), "NOT")
    claims = [GridClaim(test=test, is_negated=is_negated) for test in _make_shape_tests(clause)]
    if not clause.groups and {"solid", "shape"} <= clause.words:
        claims.append(GridClaim(test=("hole",), is_negated=not is_negated))
    test_kind = "variant" if clause.means("variant") else "shape"
    if names := _find_shapes(clause):
        claims.append(GridClaim(test=(test_kind, *names), is_negated=is_negated and not clause.groups))
    if clause.is_understood:
        claims += _read_extents(clause, names) if claims or clause.follows_shape else []
        claims += _read_directions(clause, bool(claims) or (clause.is_location and clause.follows_shape))
    elif clause.means("slope"):
        claims += [replace(claim, is_understood=False) for claim in _read_directions(clause)]
    is_clear = not (clause.is_doubtful or clause.means("likeness"))  # "a sort of O" need not look like one
    is_clear &= is_plain(clause.terms, PLAIN_FIGURE, UNSAID)
    return [replace(claim, is_sure=False, is_understood=claim.is_understood and is_clear) for claim in claims]


def _read_extents(clause: Clause, pattern_names: Sequence[str]) -> list[GridClaim]:
    """Read "four wide", "three cells high", "a tall rectangle"."""
    has_stance = any("rectangle" in name for name in pattern_names)
    tests: list[Test] = [("stands", way == "tall") for way in ("tall", "wide") if has_stance and clause.means(way)]
    tests += [("spans", term.sense, number.number) for number, term in pairwise(clause.terms) if term.kind == "span"]
    return [GridClaim(test=test) for test in tests]


def _make_shape_tests(clause: Clause) -> list[Test]:
    """Return tests for "two by three block", "a 3x3 ring in the corner", "two vertical lines", "a hole"."""
    is_ring = clause.means("rim") and "verb" not in clause.kinds and not clause.follows_shape
    kinds = ("shape", "cells") if is_ring else ("shape",)
    tests = [
        test for term in clause.terms if term.kind in kinds and term.at and (test := _make_size_test(clause, term))
    ]
    tests += [("hole",)] if clause.words & {"hole", "holes"} and not clause.groups else []
    terms_before = takewhile(lambda term: term.text not in words_for("line"), clause.terms)
    line_count = next((term.number for term in reversed([*terms_before]) if term.kind == "number"), 0)
    bounds = (line_count, line_count) if line_count else (1, GRID_SIZE)
    ways = {"column": "vertical", "row": "horizontal"} if clause.means("line") and not clause.groups else {}
    if ways and line_count and clause.words.isdisjoint(ways.values()):
        return [*tests, ("strokes", line_count)]
    return tests + [("lines", axis, "line", *bounds) for axis, way_word in ways.items() if way_word in clause.words]


def _make_size_test(clause: Clause, size_term: Term) -> Test:
    """Return the test for a block of a size, filled or blank; none in "in the 4x4", "the 3x3 is empty", "an L, 3x3"."""
    index, is_upright = clause.terms.index(size_term), size_term.sense == "upright"
    if _is_size_of_gap(clause, size_term):
        return ("gap", *size_term.at, is_upright)
    is_area = (clause.is_empty and "verb" in clause.kinds) or has(clause.terms[:index][-1:], "in")
    if is_area or GRID_SIZE in size_term.at or _is_size_of_figure(clause, index):
        return ()
    return ("block", *size_term.at, _is_hollow(clause), is_upright)


def _is_size_of_figure(clause: Clause, index: int) -> bool:
    """Return whether the size at a place is that of another shape than a block: "an L, 3 by 3", "a 7, 3 wide and …"."""
    clause_before = clause.clause_before if clause.lead != "stop" else None
    earlier_terms = [*(clause_before.terms if clause_before else ()), *clause.terms[:index]]
    starts_with_it = clause.terms[0].source.lower().split(" ")[0] in ("it", "its")
    is_figure = (
        starts_with_it
        or "shape" in clause.words
        or any(term.is_figure and term.kind != "shape" for term in clause.terms)
    )
    is_figure |= any(term.kind == "number" and term.source.lower().startswith("a ") for term in earlier_terms)
    is_figure |= has(earlier_terms, "LETTER", "FIGURE")
    return is_figure and not _names_block([*earlier_terms, *clause.terms[index:]])


def _is_size_of_gap(clause: Clause, size_term: Term) -> bool:
    """Return whether a size is that of a blank part: "an empty 3x2", "two blank rectangles, 3 wide and 2 high"."""
    pairs = [*pairwise(clause.terms), *((next_word, term) for term, next_word in pairwise(clause.terms))]
    is_beside_empty = any(term.sense == "empty" and other is size_term for term, other in pairs)
    return is_beside_empty or (clause.lead != "stop" and _names_gap(clause.clause_before))


def _names_block(terms: Sequence[Term]) -> bool:
    """Return whether one of some terms is a block, or a size with its name: "2 rows of 3", "a 2x2 square"."""
    pattern_names = [name for term in terms for name in SHAPES.get(term.text, ())]
    block_words = ("block", "square", "rectangle", "row", "column")
    is_named = any(word in term.source for term in terms if term.kind == "shape" for word in block_words)
    is_noun = any((term.kind, term.sense) == ("noun", "block") for term in terms)
    return is_named or is_noun or any("square" in name or "rectangle" in name for name in pattern_names)


def _names_gap(clause: Clause | None) -> bool:
    """Return whether a clause names blank parts by their shape: "two empty rectangles", "a blank square", "a hole"."""
    if clause is None or not clause.is_empty or clause.is_negated:
        return False
    is_opening = clause.means("opening") and clause.is_statement and not (clause.shows_shape or clause.groups)
    pairs = pairwise(clause.terms)
    return is_opening or any(
        value.sense == "empty" and term.is_figure and (term.source.endswith("s") or value.text != "empty")
        for value, term in pairs
    )


def _find_shapes(clause: Clause) -> list[str]:
    """Return the names of the patterns that it mentions; "an empty cross" is none, but a hollow square."""
    is_in_corner = any(term.sense == "corner" and len(term.cells) == 1 for term in clause.terms)  # no letter fits in
    names = [*find_shapes(clause.main_terms), *find_shapes(clause.exception_terms)]
    pattern_names = [name for name in names if not is_in_corner or "the letter" not in name]
    is_gap = clause.is_empty and (not clause.groups or any(term.sense == "cell" for term in clause.terms))
    is_hollow = (
        any("hollow" in name for name in pattern_names) and "verb" not in clause.kinds and not _names_gap(clause)
    )
    if not clause.means("variant") and find_unread(dropwhile(lambda term: not term.is_figure, clause.terms)):
        pattern_names = [f"turned {name.removeprefix('turned ')}" for name in pattern_names]  # "a J that fell over"
    return [] if is_gap and not is_hollow else pattern_names


def _read_directions(clause: Clause, has_shape: bool = True) -> list[GridClaim]:
    """Return where a shape points, opens or slopes to, else that most is on the sides that a clause names."""
    mentions_cell = "verb" in clause.kinds
    sides = [side for term in clause.terms for side in _list_sides(term, mentions_cell) if side != "middle"]
    ways = [way for way in VERTICAL_WAYS if clause.means(way)]
    if clause.is_negated:
        return []
    for test_kind in ("points", "opens"):
        if clause.means(test_kind):
            way_sides = [*sides, *(VERTICAL_WAYS[way] for way in ways)]
            return [GridClaim(test=(test_kind, side)) for side in way_sides[:1]]
    if ways and (has_shape or clause.means("slope")) and (end_side := _find_end_side(clause, sides)):
        return [GridClaim(test=("slopes", 1 if (ways[0] == "down") == (end_side == "right") else -1))]
    is_only_shape = not has(clause.terms, "CORNER")  # another one may be in another corner
    return [GridClaim(test=("leans", side), is_understood=is_only_shape) for side in sides if has_shape]


def _find_end_side(clause: Clause, sides: Iterable[str]) -> str:
    """Return the side that a slope ends at, "" if it is not clear: left for "from the right edge down"."""
    starts = {term.sense for term in clause.terms if term.kind == "side" and term.text == "start"}
    ends = {OPPOSITE_SIDES[side] if side in starts else side for side in sides} & {"left", "right"}
    return ends.pop() if len(ends) == 1 else ""


def _list_sides(term: Term, mentions_cell: bool) -> list[str]:
    """Return the sides that a term names: in "at the bottom" and "in the top left", unless that corner is a cell."""
    is_placed = term.sense in ("corner", "block") and not (term.number and mentions_cell)
    if term.is_part and is_placed:
        return [side for side in SIDE_AXES if leans_to(term.cells, side)]
    return [term.sense] if term.kind == "side" and not has([term], "BOTH") else []


def _is_hollow(clause: Clause) -> bool:
    """Return whether a block is said to be hollow, here or in the clause before."""
    if clause.exception_terms:  # "empty but for a square"
        return has(clause.exception_terms, *words_for("hollow"))
    clauses = [clause, clause.clause_before] if clause.clause_before else [clause]
    return (clause.is_empty and clause.names_middle) or any(candidate.means("hollow") for candidate in clauses)


def find_shapes(terms: Sequence[Term]) -> list[str]:
    """Return the names of the patterns that are mentioned; letters may be turned."""
    words, kinds = {term.text for term in terms}, {term.kind for term in terms}
    neighbours = zip([Term("stop"), *terms], terms, [*terms[1:], Term("stop")], strict=False)
    return [
        shape
        for previous, term, next_word in neighbours
        for shape in _names_of(term, previous, next_word, words, kinds)
    ]


def _names_of(term: Term, term_before: Term, term_after: Term, words: Set[str], kinds: Set[str]) -> Sequence[str]:
    if _names_letter(term, term_before, term_after, words, kinds):
        pattern_names = SHAPES.get(term.sense.lower(), [f"the letter {term.sense}"])
        return [_turn(pattern, words) if pattern.startswith("the letter") else pattern for pattern in pattern_names]
    if term.sense == "diagonal":
        return _name_diagonals(term, term_before, words)
    if term.kind == "places":
        return ["a checkerboard"] if term.sense == "alternating" and "lines" not in kinds else ()
    is_word = term.kind in ("word", "noun") and term.sense != "cell" and term_before.number < 2
    is_word &= term.text not in words_for("rim") or not (term_before.is_figure or term_after.is_figure)  # "square ring"
    is_part = not words_for("whole") & {term_before.text, term_after.text} and _is_part_shape(term, kinds)
    return _list_patterns(term, words) if is_word and not is_part else ()


def _name_diagonals(term: Term, term_before: Term, words: Set[str]) -> Sequence[str]:
    """Return the patterns that "two diagonals", which may cross, or "a short diagonal" may mean."""
    is_line = term_before.number == 1 or words & {"line", "lines", "short"}
    number = term_before.number if term_before.number > 1 else int(term.kind == "noun" and bool(is_line))
    crossing_names = ["the letter X"] if len(term.cells) > GRID_SIZE else []
    return [DIAGONAL_NAMES[number], *crossing_names] if number in DIAGONAL_NAMES else ()


def _list_patterns(term: Term, words: Set[str]) -> Sequence[str]:
    """Return the patterns that a word may mean, hollow or solid ones if that is said."""
    pattern_names = SHAPES.get(term.text) or SHAPES.get(term.text.removesuffix("s"), ())
    fill_word = "hollow" if words & words_for("hollow") else "solid" if words & words_for("solid") else ""
    return [_turn(pattern, words) for pattern in pattern_names if fill_word in pattern] or pattern_names


def _turn(pattern_name: str, words: Set[str]) -> str:
    return f"turned {pattern_name}" if words & words_for("turned") else pattern_name


def _is_part_shape(term: Term, kinds: Set[str]) -> bool:
    """Return whether a shape is one that a part of the grid is named with, not what the grid looks like."""
    is_loose = term.text in words_for("located") or term.text not in SHAPES
    return is_loose and not kinds.isdisjoint(("lines", "places", "cells"))


def _names_letter(term: Term, term_before: Term, term_after: Term, words: Set[str], kinds: Set[str]) -> bool:
    """Return whether a letter is what the grid looks like, not the X in a cell: "a big X", "X shape", "the X" alone."""
    is_alone = term.source.lower().startswith(("the ", "an ")) and kinds <= words_for("bare_kind")
    is_alone &= "verb" not in kinds or (term_before.text == "is" and bool(words & words_for("pronoun")))
    is_named = term_before.text in words_for("before_x") or term_after.text in words_for("after_x") or is_alone
    is_cell = is_x(term) and not (is_named and not term.plural)
    is_number = len(term.source) == 1 and term.source.islower() and term_before.kind in ("comma", "number", "all")
    return term.kind == "letter" and not (is_cell or is_number) and term_before.text not in ("little", "small", "tiny")


def _read_line_counts(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "three rows are empty", "no full rows", "only one full column"."""
    line_state = _find_line_state(clause)
    if line_state is None or clause.exception_groups:
        return []
    is_any = clause.is_negated or bool(clause.words & {"any", "anywhere"}) or clause.terms[0].text in ("is", "are")
    for index, term in enumerate(clause.terms):
        numbers = [number_index for number_index in range(index) if clause.terms[number_index].kind == "number"]
        if _is_line_noun(term) and (numbers or is_any):
            count_bounds = (
                clause.find_bounds(numbers[-1]) if numbers else (0, 0) if clause.is_negated else (1, GRID_SIZE)
            )
            return [GridClaim(test=("lines", term.sense, line_state, *count_bounds))]
    return []


def _find_line_state(clause: Clause) -> str | None:
    """Return what lines are said to be: empty, full, not empty ("some"), or with so many cells filled."""
    numbers = [term.number for term in clause.terms if term.kind == "number"]
    if clause.is_empty:
        return "empty"
    if len(numbers) == 2 and (clause.is_filled or any(term.sense == "cell" for term in clause.terms)):
        return str(numbers[1])
    is_full = "full" in clause.kinds or (clause.is_filled and not clause.means("partly"))
    return "full" if is_full else "some" if clause.is_filled else None


def _read_relations(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read that it is symmetric, connected, or has more filled cells than empty ones."""
    if clause.means("symmetry"):
        axis = next((SIDE_AXES.get(term.sense, "") for term in clause.terms if term.kind == "side"), "")
        side = {"column": "left", "row": "top"}.get(axis, "")
        return [GridClaim(test=("symmetric", side), is_negated=clause.is_negated)]
    if clause.means("connected"):
        return [GridClaim(test=("connected",), is_negated=clause.is_negated, is_sure=False)]
    if not (clause.is_filled and clause.is_empty and clause.words & {"more", "fewer", "less"}):
        return []
    first_meaning = next(term.sense for term in clause.terms if term.kind == "value")
    is_more = ("more" in clause.words) == (first_meaning == "filled")
    return [
        count_claim(ALL_CELLS, *((len(GRID_CELLS) // 2 + 1, len(GRID_CELLS)) if is_more else (0, len(GRID_CELLS) // 2)))
    ]


def _read_alike(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "rows 1 and 2 are the same"; "row 5: same as row 2" copies a row that was told."""
    lines = lines_in(clause.groups)
    says_same = "same" in clause.kinds or ("like" in clause.words and not clause.shows_shape)
    if not says_same or len({axis for axis, _ in lines}) != 1 or len(lines) < 2:
        return []
    source_cells = sorted(line_cells(lines[1][0], [lines[1][1]]))
    if len(lines) == 2 and not clause.is_negated and all(cell in cell_states for cell in source_cells):
        return [marks_claim(lines[0], ["X" * cell_states[cell] for cell in source_cells])]
    return [GridClaim(test=("alike", lines[0][0], *(number for _, number in lines)), is_negated=clause.is_negated)]


def _read_compared(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "row 1 has more X's than row 3", "rows 1 and 3 have equally many", "the first X in row 2 is in column 3"."""
    comparison, lines = next((term for term in clause.terms if term.kind == "compared"), None), lines_in(clause.groups)
    if comparison is None:
        return []
    if not comparison.sense:
        test = ("compared", *lines[0], *lines[1], comparison.number) if len(lines) == 2 else ()
        return [GridClaim(test=test, is_negated=clause.is_negated)] if test else []
    axis, numbers = clause.groups[0].line if clause.groups else ("", ())
    if len(clause.cells) != 1 or not axis:
        return []
    (cell,) = clause.cells
    ordered_cells = sorted(line_cells(axis, numbers))
    cell_index = ordered_cells.index(cell)
    other_cells = ordered_cells[:cell_index] if comparison.sense == "first" else ordered_cells[cell_index + 1 :]
    return [state_claim(frozenset({cell}), True), state_claim(frozenset(other_cells), False)]


def _read_only(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "only rows 2 and 3 have any X's", "X only in the first cell of row 2", "nothing but the corners"."""
    if "only" not in clause.kinds or clause.count or not clause.groups or clause.shows_shape or clause.is_negated:
        return []
    if any(_may_count(group, clause) for group in clause.groups):  # "row 2 has 1 and 3, row 3 has just 4"
        return []
    if any(group.terms[-1].sense == "corners" and group.terms[-1].number for group in clause.groups):
        return []
    is_filled, cells = clause.fill_state is not False, clause.cells
    lines = lines_in(clause.groups)
    if clause.group_among or not all(group.is_line for group in clause.groups):
        return [state_claim(cells, is_filled), state_claim(_find_cells_meant(clause) - cells, not is_filled)]
    if not is_filled or "full" in clause.kinds:
        line_state = "full" if is_filled else "empty"
        line_claim = GridClaim(test=("lines", lines[0][0], line_state, len(lines), len(lines)))
        return [line_claim, state_claim(cells, is_filled)]
    is_whole = clause.terms[-1].sense == "filled" or clause.means("line")
    claims = [state_claim(cells, True)] if is_whole else _claim_some(clause.groups)
    return [*claims, state_claim(ALL_CELLS - cells, False)]


def _claim_some(groups: Sequence[CellGroup]) -> list[GridClaim]:
    """Return the claims that each line, or else each part, has something filled."""
    line_sets = [line_cells(axis, [number]) for axis, number in lines_in(groups)]
    return [count_claim(cells, 1, len(cells)) for cells in line_sets or [group.cells() for group in groups]]


def _find_cells_meant(clause: Clause) -> Cells:
    """Return the cells among which only some are meant: of the lines that are named, of the corners, or all."""
    if clause.group_among:
        return clause.group_among.cells()
    line_sets = [line_cells(*group.line) for group in clause.groups if group.axes]
    if len(line_sets) == len(clause.groups):
        return frozenset().union(*line_sets)
    if "missing" in clause.words:
        return clause.clause_before.cells if clause.clause_before else clause.cells
    corner_cells, is_asked = frozenset(CORNER_BY_NAME.values()), clause.terms[0].kind == "verb"
    is_about_corners = bool(clause.cells) and clause.cells < corner_cells and not is_asked
    is_about_corners |= any(term.kind == "noun" and term.sense == "corner" for term in clause.terms)
    return corner_cells if is_about_corners else ALL_CELLS


def _read_parts(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read what is said of parts: filled, empty, full, or so many cells."""
    clause_before = clause.clause_before
    if clause_before and clause.is_location:
        return _read_location(clause, clause_before)
    if _is_half_read(clause):
        return []
    is_new = clause.means("reach", "owning") or clause.lead == "stop" or "colon" in clause.kinds
    goes_on = not (clause.follows_shape or clause.count or is_new)
    states = (clause.fill_state, clause.listed_state, clause_before.fill_state if clause_before and goes_on else None)
    is_filled = next((state for state in states if state is not None), True)
    if clause.exception_groups:
        if has(clause.main_terms, "VALUE", "FULL", "X"):  # not what is said of the exception
            is_filled = not has(clause.main_terms, "empty")
        return _read_exceptions(clause, is_filled and not clause.is_negated)
    if clause.lacks_part:
        return [state_claim(clause.groups[-1].cells(), False)]
    return [claim for group in clause.groups if group.cells() for claim in _read_group(group, clause, is_filled)]


def _is_half_read(clause: Clause) -> bool:
    """Return whether its parts are not simply filled: it excepts what was not read, or a shape or ring is there."""
    has_block = any(term.sense == "block" and term.is_part for term in clause.terms)
    is_ring = (has_block and _is_hollow(clause)) or (clause.fill_state is None and clause.means("hollow"))
    is_shape = clause.shows_shape and clause.fill_state is None and clause.count is None
    return (is_ring or is_shape) and "verb" not in clause.kinds and not clause.means("reach")


def _read_exceptions(clause: Clause, is_filled: bool) -> list[GridClaim]:
    """Read "all but the centre and one of the corners"."""
    context_line = next((group.line for group in clause.groups if len(group.axes) == 1), None)
    cells, excepted_cells = clause.cells or ALL_CELLS, set[Cell]()
    claims: list[GridClaim] = []
    numbers = {term.number for term in clause.exception_terms if term.kind == "number"}
    for group in clause.exception_groups:
        part_cells = group.cells(context_line) & cells
        n = int(1 in numbers) if group.is_line else group.terms[-1].number  # "but for one X in row 3"
        if not part_cells:
            return []
        is_some = (group.is_line or group.terms[-1].sense == "corners") and 0 < n < len(part_cells)
        claims.append(_some_of(part_cells, n, n, not is_filled) if is_some else state_claim(part_cells, not is_filled))
        excepted_cells |= part_cells
    return [state_claim(cells - excepted_cells, is_filled), *claims] if excepted_cells else []


def _read_location(clause: Clause, clause_before: Clause) -> list[GridClaim]:
    """Read where something is that was said before: "rows 2 and 3 have one X each, both in the fourth column"."""
    names_all = bool(clause.words & {"both", "all"}) and "from" not in clause.kinds  # "all starting in column 3"
    if names_all and clause_before.count and not clause_before.groups and "number" not in clause.kinds and clause.cells:
        return [state_claim(ALL_CELLS - clause.cells, False)]  # "5 X's, all in the first column"
    is_all = (names_all or clause_before.count == (1, 1) or "only" in clause_before.kinds) and clause_before.groups
    shared_cells = [clause_before.cells & group.cells() for group in clause.groups] if is_all else []
    return [state_claim(cells, True, is_sure=False) for cells in shared_cells if cells]


def _read_group(group: CellGroup, clause: Clause, is_filled: bool) -> list[GridClaim]:
    """Return what a clause says of one group of parts."""
    cells, name_term = group.cells(), group.terms[-1]
    is_vague = name_term.sense == "corner" and not name_term.number
    if clause.count and not (group.places and clause.count[0] in (len(cells), len(group.places) * bool(group.axes))):
        return [] if is_vague else _count_group(group, clause, is_filled)
    read_cells = _deny_cells if clause.is_negated else _read_some_cells
    if claims := (_read_bars(group, clause) if is_filled else []) or read_cells(group, clause, is_filled):
        return claims
    if is_filled and _is_partly_filled(group, clause):
        return _claim_some([group]) if clause.is_filled or clause.means("partly", "reach") else []
    is_definite = _is_definite(clause, name_term) and not (is_vague and len(clause.groups) == 1)
    claim = state_claim(cells, is_filled, is_definite)
    if name_term.rotated_cells:
        claim = replace(claim, readings=claim.readings + state_claim(name_term.rotated_cells, is_filled).readings)
    return [claim, *(_read_rest_of_line(group, clause) if is_filled else [])]


def _is_definite(clause: Clause, name_term: Term) -> bool:
    """Return whether it is clear which cells are meant: not with "both sides" and the middle or inside of a shape."""
    shows_shape = clause.shows_shape or clause.follows_shape
    is_of_shape = name_term.sense == "inside" or (clause.names_middle and "verb" not in clause.kinds)
    return not (shows_shape and is_of_shape) and name_term.sense != "sides"


def _read_bars(group: CellGroup, clause: Clause) -> list[GridClaim]:
    """Read "a vertical bar in column 2", "no line in row 3"."""
    line_sets = [line_cells(axis, [number]) for axis, number in lines_in([group])]
    line_counts = tuple(CellCount(line_set, LINE, GRID_SIZE) for line_set in line_sets)
    is_drawn = clause.means("line") and line_counts and "full" not in clause.kinds
    return [GridClaim((line_counts,), is_negated=clause.is_negated)] if is_drawn else []


def _deny_cells(group: CellGroup, clause: Clause, is_filled: bool) -> list[GridClaim]:
    """Read "no X in row 2", "row 2 is not full", "the corner isn't filled", "not empty", "no gaps"."""
    cells = group.cells()
    if is_filled:
        is_partly = "full" in clause.kinds and len(cells) > 1
        return [count_claim(cells, 0, len(cells) - 1) if is_partly else state_claim(cells, False)]
    is_gap = clause.means("gap") and len(cells) > 1
    return [state_claim(cells, True) if is_gap else count_claim(cells, 1, len(cells))]


def _read_some_cells(group: CellGroup, clause: Clause, is_filled: bool) -> list[GridClaim]:
    """Read "three corners are filled", "at least one corner is empty", "some gaps in row 2"."""
    cells, name = group.cells(), group.terms[-1]
    if is_filled and _may_count(group, clause):
        line_counts = (
            CellCount(line_cells(group.line[0], [line_number]), place + 1, place + 1)
            for line_number, place in zip(group.line[1], group.places, strict=True)
        )
        return [GridClaim((*state_claim(cells, True).readings, tuple(line_counts)))]
    if name.sense == "corners" and 0 < name.number < len(cells):
        return [_some_of(cells, name.number, len(cells) if clause.words & {"least", "any"} else name.number, is_filled)]
    has_gaps = not is_filled and len(cells) > 1 and (clause.means("opening") or clause.words & {"any", "some"})
    return [_some_of(cells, 1, len(cells), is_filled=False)] if has_gaps else []


def _may_count(group: CellGroup, clause: Clause) -> bool:
    """Return whether numbers may be of cells instead of places: "column 1: 3", "columns 2, 3, 4: one, two, three"."""
    numbers_term = group.terms[0 if group.starts_with_places else -1]  # "1, 3 and 5 in rows 1, 2 and 3"
    is_list = group.starts_with_places or ("colon" in clause.kinds and " and " not in numbers_term.source)
    is_list &= len(numbers_term.at) > 1
    is_ambiguous = numbers_term.sense == "bare" and (is_list or numbers_term.text == "single")
    return is_ambiguous and len(group.places) == len(group.line[1]) and "exhaustive" not in clause.kinds


def _some_of(cells: Cells, low: int, high: int, is_filled: bool = True) -> GridClaim:
    """Return the claim that so many of some cells are filled, or empty."""
    low, high = min(low, len(cells)), min(high, len(cells))
    return count_claim(cells, low, high) if is_filled else count_claim(cells, len(cells) - high, len(cells) - low)


def _is_partly_filled(group: CellGroup, clause: Clause) -> bool:
    """Return whether only some cells are said to be filled: "row 2 has X's", but not "row 2 is filled"."""
    if not group.is_line and len(group.area) <= GRID_SIZE:
        return group.terms[-1].sense in words_for("whole_part") and bool(clause.words & {"any", "some"})
    cell_terms = [term for term in clause.terms if term.kind == "noun" and term.sense == "cell"]
    is_whole = "value" in clause.kinds and not cell_terms and not clause.means("partly")
    is_bare = not clause.is_filled and not clause.means("partly", "reach")
    return not (is_whole or is_bare or {"full", "all"} & clause.kinds)


def _read_rest_of_line(group: CellGroup, clause: Clause) -> list[GridClaim]:
    """Return that the rest of a line is empty where its filled cells were listed: "row 2: 1 and 3"."""
    is_listed = bool(group.places) or (len(group.cells()) > 1 and len(group.axes) == 2)
    if not is_listed or not group.axes or "question" in clause.kinds:
        return []
    remaining_cells = line_cells(*group.line) - group.cells()
    return [state_claim(remaining_cells, False, is_sure="exhaustive" in clause.kinds)]


def _list_line_sets(group: CellGroup, clause: Clause) -> list[Cells]:
    """Return the cells of each line of a group, of which something may be said line by line."""
    if clause.means("each") and len(group.axes) == 2:  # "one in each of the first four rows at the left margin"
        return [line_cells(group.line[0], [number]) & group.cells() for number in group.line[1]]
    if group.terms[-1].sense == "sides":  # "each edge has one X"
        return [line_cells(axis, [number]) for axis in OPPOSITE for number in (0, GRID_SIZE - 1)]
    return [line_cells(axis, [number]) for axis, number in lines_in([group])]


def _count_group(group: CellGroup, clause: Clause, is_filled: bool) -> list[GridClaim]:
    """Read "row 2 has three X's", "rows 1 and 3 have four each", "two of the corners"."""
    low, high = clause.count or (0, 0)
    cells, line_sets = group.cells(), _list_line_sets(group, clause)
    areas = line_sets if len(line_sets) > 1 and low <= GRID_SIZE else [cells]
    if not line_sets and any(part.source.lower().startswith(("each", "every")) for part in group.terms):
        return [state_claim(cells, is_filled)] if low == high == 1 else []
    if low > len(cells):
        return []  # "three in the corner": of another shape than a cell
    counts = tuple(cell_count for part in areas for cell_count in _some_of(part, low, high, is_filled).readings[0])
    total_counts = _some_of(cells, low, high, is_filled).readings[0]
    is_each = len(areas) == 1 or clause.means("each") or group.terms[-1].sense in ("all", "sides")
    return [GridClaim((counts,) if is_each else (counts, total_counts), (), clause.is_negated)]


def _read_total(clause: Clause, cell_states: CellStates) -> list[GridClaim]:
    """Read "ten filled cells", "16 are empty", "no filled cells"."""
    is_placed = any(term.kind in ("side", "half") or term.sense in OPPOSITE for term in clause.terms)
    if clause.groups:
        return []
    if not clause.count:
        is_none = clause.is_negated and clause.is_filled and not (clause.is_empty or "rest" in clause.kinds)
        return [count_claim(ALL_CELLS, 0, 0)] if is_none else []
    claim = _some_of(ALL_CELLS, *clause.count, clause.fill_state is not False)
    if clause.means("opening") or clause.words & {"inside", "each"}:  # "two holes" of several cells, "four cells each"
        return [replace(claim, is_understood=False)]
    if not is_placed or clause.shows_shape:
        return [replace(claim, is_negated=clause.is_negated, is_sure=not clause.follows_line or clause.means("total"))]
    return [
        replace(total_claim, is_sure=False, is_understood=False) for total_claim in (claim, *_read_directions(clause))
    ]


DECISIVE_KINDS = frozenset(("rest", "same", "except", "only", "compared"))
CLAUSE_READERS: dict[Callable[[Clause, CellStates], list[GridClaim]], frozenset[str]] = {
    _read_superlative: DECISIVE_KINDS,
    _read_compared: frozenset(("compared",)),
    _read_marks: DECISIVE_KINDS,
    _read_rest: frozenset(("rest", "only", "except")),
    _read_line_counts: frozenset(("only",)),
    _read_relations: frozenset(("only",)),
    _read_alike: frozenset(("same",)),
    _read_only: frozenset(("only",)),
    _read_parts: frozenset(("only", "except")),
    _read_total: frozenset(("only",)),
}
"""Readers of clauses, and the words that each understands of those that change what a clause says."""
