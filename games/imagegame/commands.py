"""How the scripted follower understands commands: English as people give it, read as cells and a letter.

A command is cut into clauses with one letter each; a clause's words become signs for rows, columns, places and shapes,
and the signs become cells. What is not understood changes nothing. Rows and columns count from 1 in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from games.common import grids
from games.common.grids import ANTI_DIAGONAL, CELLS, CENTRE, CORNERS, EMPTY, MAIN_DIAGONAL, SIZE, Cell
from games.imagegame import grid

Cells = frozenset[Cell]
ALL: Cells = frozenset(CELLS)
NUMBERS = "one two three four five".split()
LONGEST = 1000
"""Characters of a command that are read."""
ORDINALS = "first second third fourth fifth".split()


# Letters


@dataclass(frozen=True)
class Named:
    """A letter that a text names, and where."""

    letter: str
    start: int
    end: int


_QUOTED = re.compile(r"[\"“‘'`]([A-Za-z])[\"”’'`]")
_CAPITAL = re.compile(r"(?<![\w'’])([A-Z])(?:['’]?s)?(?![\w'’])")
_SMALL = re.compile(r"(?<![\w'’])(?!(?:a|as|is|us)\b)([a-z])(?:['’]?s)?(?![\w'’])")
_ARTICLE = re.compile(r"(?<!\w)an?\s+([A-Za-z])(?![\w'’])|\bletters?\s+([A-Za-z])(?![\w'’])", re.IGNORECASE)


def letters_in(text: str) -> list[Named]:
    """Return the letters that a command names, in order: "an X", "Xs", "the letter x", "'x'". Articles are none."""
    text = text[:LONGEST]
    found: dict[int, Named] = {}
    for match in _ARTICLE.finditer(text):
        group = 1 if match[1] else 2
        found[match.start(group)] = Named(match[group].upper(), match.start(), match.end())
    for match in _QUOTED.finditer(text):
        found.setdefault(match.start(1), Named(match[1].upper(), match.start(), match.end()))
    covered = {at for named in found.values() for at in range(named.start, named.end)}
    capitals = [match for match in _CAPITAL.finditer(text) if match.start() not in covered]
    real = [match for match in capitals if match[0] not in ("A", "I", "As", "Is") or not _is_word(match, text)]
    for match in real or ([] if found else [match for match in capitals if match[0] in ("A", "I")]):
        found[match.start(1)] = Named(match[1], match.start(), match.end())
    if not found:
        found = {m.start(1): Named(m[1].upper(), m.start(), m.end()) for m in _SMALL.finditer(text)}
    return [found[at] for at in sorted(found)]


def _is_word(match: re.Match[str], text: str) -> bool:
    """Whether a capital A or I is the article or the pronoun: at the start, with an ordinary word after it."""
    after = re.match(r"\s+([a-z]\w+)", text[match.end() :])
    begins = not re.search(r"\w", text[: match.start()]) or bool(re.search(r"[.;]\s*$", text[: match.start()]))
    return begins and bool(after) and after[1] not in ("in", "at", "on", "to", "into", "for") if after else False


def letters_named(command: str, drawing: str) -> tuple[str, ...]:
    """Return the letters to offer whoever draws: those that the command names, then those on the drawing."""
    return tuple(dict.fromkeys([*(named.letter for named in letters_in(command)), *re.findall("[A-Z]", drawing)]))


# Words made signs: ‹R:1,2› rows, ‹C:3› columns, ‹I:1› a place within a row or column, ‹P:…› cells


def _sign(kind: str, numbers: Collection[int]) -> str:
    return f" ‹{kind}:{','.join(map(str, sorted(set(numbers))))}› "


def _place(cells: Collection[Cell]) -> str:
    return _sign("P", [SIZE * row + column for row, column in cells])


def _block(top: int, left: int, height: int, width: int) -> Cells:
    return frozenset((r, c) for r in range(top, top + height) for c in range(left, left + width)) & ALL


_BORDER = ALL - _block(1, 1, SIZE - 2, SIZE - 2)
_PLUS = frozenset(cell for cell in CELLS if 2 in cell)
_CORNER = (
    r"(?:(top|upper|bottom|lower)(?:[- ]?most)?[- ,]*(?:and )?(left|right)|(left|right)[- ](top|upper|bottom|lower))"
)
_EDGES = {
    "top": ("R", 1),
    "upper": ("R", 1),
    "bottom": ("R", 5),
    "lower": ("R", 5),
    "left": ("C", 1),
    "right": ("C", 5),
}
_CELL = r"(?:cells?|squares?|box(?:es)?|spots?|positions?|fields?|places?|ones?|elements?|slots?|spaces?|tiles?)"
_ONE = r"[1-5](?:st|nd|rd|th)?"
_AND = r"\s*(?:,\s*and|,|and|&|to|through|until|till|up to|–|-|or)\s*"
_BEFORE = rf"{_ONE}(?:{_AND}{_ONE})*"
"""Numbers before a noun: "second and fourth columns"."""
_NTH = rf"(?:[1-5](?![a-z])|[1-5][a-z]{{2}}(?!\s*(?:row|column|{_CELL})))"
_AFTER = rf"{_NTH}(?:{_AND}{_NTH})*"
"""Numbers behind a noun: "rows 2 to 4"; an ordinal before the next noun is not among them."""
_ROWS, _COLUMNS = r"rows?", r"columns?"


def _corner(match: re.Match[str], at: int = 1) -> Cell:
    vertical, side = match[at] or match[at + 3], match[at + 1] or match[at + 2]
    return CORNERS[f"{'top' if vertical in ('top', 'upper') else 'bottom'} {side}"]


def _block_at(match: re.Match[str]) -> str:
    (row, column), high, wide = _corner(match), int(match[5]), int(match[6])
    return _place(_block(0 if row == 0 else SIZE - high, 0 if column == 0 else SIZE - wide, high, wide))


def _block_first(match: re.Match[str]) -> str:
    (row, column), high, wide = _corner(match, 3), int(match[1]), int(match[2])
    return _place(_block(0 if row == 0 else SIZE - high, 0 if column == 0 else SIZE - wide, high, wide))


def _middle_block(match: re.Match[str]) -> str:
    high, wide = int(match[1]), int(match[2])
    return _place(_block((SIZE - high) // 2, (SIZE - wide) // 2, high, wide))


def _numbers(text: str) -> set[int]:
    """Return the numbers of a list such as "1, 3 and 4" or "2 to 4"."""
    found: set[int] = set()
    for part in re.split(r",\s*and|,|and|&|or", text):
        ends = [int(digit) for digit in re.findall(r"[1-5]", part)]
        found |= set(range(min(ends), max(ends) + 1)) if ends else set()
    return found


def _run(kind: str, match: re.Match[str]) -> str:
    """ "first two rows", "last 3 columns", "middle three cells": which ones."""
    end, count = match[1], int(match[2])
    first = {"last": SIZE - count, "bottom": SIZE - count, "right": SIZE - count, "lower": SIZE - count}.get(end, 0)
    if end in ("middle", "central"):
        first = (SIZE - count) // 2
    return _sign(kind, range(first + 1, first + count + 1))


def _edge(match: re.Match[str], at: int = 1) -> str:
    kind, number = _EDGES[match[at]]
    return _sign(kind, [number])


_ENDS = {"top": 1, "first": 1, "upper": 1, "left": 1, "start": 1, "beginning": 1, "bottom": 5, "last": 5, "lower": 5}
_ENDS |= {"right": 5, "end": 5, "middle": 3, "center": 3, "centre": 3, "central": 3}
_RUN = r"\b(first|last|top|bottom|left|right|upper|lower|middle|central) ([2-4]) "
_NOUNS = {"R": _ROWS, "C": _COLUMNS, "I": _CELL}
_END = "|".join(_ENDS)
_MIDDLE = r"(?:middle|central|centre|center)"
_OF = r"(?: of the (?:grid|board))?"
_AT_CORNER = r"(?:[- ]?hand)?(?: corner)?"
_TO_CORNER = r"(?:[- ]to[- ](?:the )?(?:top|upper|bottom|lower)[- ](?:left|right)(?: corner)?)?"


def _diagonal(match: re.Match[str]) -> str:
    row, column = _corner(match)
    return _place(MAIN_DIAGONAL if row == column else ANTI_DIAGONAL)


# fmt: off
Rewrite = tuple[str, str | Callable[[re.Match[str]], str]]


def _always(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda match: sign


SPELLINGS: list[Rewrite] = [
    (r"\blines?\b(?=\s*[1-5])|\brow number\b", "row"),
    (r"\bcol(?:s|umn number)?\b\.?", "column"),
    (r"\br(?:ow)?\s?([1-5])\s*(?:,\s*)?c(?:olumn)?\s?([1-5])\b", r"row \1 column \2"),
    (r"\b([2-4])\s*(?:x|×|by)\s*([2-4])\b", r"\1×\2"),
    (r"\b(?:second|2nd)[- ](?:to|from|til)?[- ]?(?:the )?last\b|\bpenultimate\b|\bnext[- ]to[- ]last\b", "4th"),
    (rf"\b({'|'.join(ORDINALS)})\b", lambda m: f"{ORDINALS.index(m[1]) + 1}th"),
    (r"\bone\b(?! of| more|\s*$)", "1"),
    (rf"\b({'|'.join(NUMBERS[1:])})\b", lambda m: str(NUMBERS.index(m[1]) + 1)),
    (r"\b1th ([2-4]) ", r"first \1 "),
    (rf"({_ONE})(?: {_CELL}| row)? from the (?:bottom|right)\b", lambda m: f"{6 - int(m[1][0])}th "),
    (rf"({_ONE})(?: {_CELL}| row)? from the (?:top|left)\b", lambda m: f"{m[1][0]}th "),
    (r"\b(left|right)[- ]?most\b", r"\1"),
]
"""Ways to write numbers and nouns, made alike: ordinals end in "th"."""

PLACES: list[Rewrite] = [
    (rf"\b(?:every|each) (?:other|2th|2nd) {_CELL}|\balternat\w+(?: {_CELL})?", _always(_sign("I", [1, 3, 5]))),
    (r"\brow\b(?!\s*[1-5])([^‹;]*)\b(?:at|along|on) the (top|bottom)\b", lambda m: f"{m[1]} {_edge(m, 2)}"),
    (r"\bcolumn\b(?!\s*[1-5])([^‹;]*)\b(?:at|along|on|to) the (left|right)\b", lambda m: f"{m[1]} {_edge(m, 2)}"),
    (r"\b(?:whole|entire|full|complete|all (?:of )?the) (?:grid|board|picture|image)\b", _always(_place(ALL))),
    (rf"\b(?:every|all)(?: of)?(?: the)? (?:single )?{_CELL}\b(?! (?:in|of|on|along))", _always(_place(ALL))),
    (r"\beverything\b(?! else)", _always(_place(ALL))),
    (r"\b(fill|clear|erase|empty|wipe|reset) the (?:grid|board)\b", lambda m: f"{m[1]} {_place(ALL)}"),
    (rf"\b(?:the )?(?:rest|others|everything else|(?:remaining|other|empty)(?: empty)?(?: {_CELL})?)\b{_OF}", "‹E›"),
    (rf"{_CORNER}{_AT_CORNER}(?:'s)? ([2-4])×([2-4])(?: {_CELL}| block| area| rectangle)?", _block_at),
    (rf"\b([2-4])×([2-4])\b[^‹,;]*?\b{_CORNER}{_AT_CORNER}", _block_first),
    (r"\b(?:middle|central|centre|center|inner) ([2-4])×([2-4])(?: (?:square|block|area|rectangle))?", _middle_block),
    (r"\b([2-4])×([2-4])\b[^‹,;]*?\b(?:middle|centre|center)\b", _middle_block),
    (r"\b(?:both|2|the) diagonals\b", _always(_place({*MAIN_DIAGONAL, *ANTI_DIAGONAL}))),
    (rf"\bdiagonal(?:ly)?\b[^‹;]*?\bfrom (?:the )?{_CORNER}(?: corner)?{_TO_CORNER}", _diagonal),
    (rf"\bfrom (?:the )?{_CORNER}[^‹;]*?\bdiagonal(?:ly)?\b(?: line)?{_TO_CORNER}", _diagonal),
    (rf"\b{_CORNER}{_TO_CORNER} diagonal\b", _diagonal),
    (r"\b(?:anti|secondary|minor|other|counter)[- ]?diagonal\b", _always(_place(ANTI_DIAGONAL))),
    (r"\b(?:main |major |primary |leading )?diagonal\b", _always(_place(MAIN_DIAGONAL))),
    (r"\b(?:each|every) corner\b|\bcorners\b", _always(_place(CORNERS.values()))),
    (rf"\b{_CORNER}{_AT_CORNER}(?: {_CELL})?(?! (?:row|column))", lambda m: _place({_corner(m)})),
    (r"\b(?:outer |outside )?(?:border|frame|outline|perimeter|edges)\b", _always(_place(_BORDER))),
    (r"\bouter (?:ring|edge|cells|squares)\b", _always(_place(_BORDER))),
    (r"\bche(?:ck|qu)erboard\b", _always(_place([cell for cell in CELLS if sum(cell) % 2 == 0]))),
    (r"\b(?:plus|cross)(?:[- ](?:sign|shape))?\b(?= (?:in|at|through|on|of|with)|\s*$|,)", _always(_place(_PLUS))),
]
"""What needs no numbers: corners, diagonals, blocks, the border."""

LINES: list[Rewrite] = [
    *((rf"{_RUN}{noun}\b", partial(_run, kind)) for kind, noun in _NOUNS.items()),
    (rf"\b(?:every|all|each)(?: of)?(?: the)?(?: 5)? {_ROWS}\b", _always(_sign("R", range(1, 6)))),
    (rf"\b(?:every|all|each)(?: of)?(?: the)?(?: 5)? {_COLUMNS}\b", _always(_sign("C", range(1, 6)))),
    (rf"\b(?:top|upper|1th) and (?:the )?(?:bottom|lower|last|final) {_ROWS}\b", _always(_sign("R", [1, 5]))),
    (rf"\b(?:left|1th) and (?:the )?(?:right|last|final) {_COLUMNS}\b", _always(_sign("C", [1, 5]))),
    (rf"\b1th and (?:the )?(?:last|final) {_CELL}\b", _always(_sign("I", [1, 5]))),
    (rf"\b(?:top|upper) {_ROWS}\b", _always(_sign("R", [1]))),
    (rf"\b(?:bottom|lower|last|final) {_ROWS}\b", _always(_sign("R", [5]))),
    (rf"\b{_MIDDLE} {_ROWS}\b", _always(_sign("R", [3]))),
    (rf"\bleft(?:[- ]?hand)? {_COLUMNS}\b", _always(_sign("C", [1]))),
    (rf"\b(?:right(?:[- ]?hand)?|last|final) {_COLUMNS}\b", _always(_sign("C", [5]))),
    (rf"\b{_MIDDLE} {_COLUMNS}\b", _always(_sign("C", [3]))),
    (r"\b(top|upper|bottom|lower|left|right)(?:[- ]?hand)? (?:edge|side|border)\b", _edge),
    (r"\b(?:along|across|down) the (top|bottom|left|right)\b", _edge),
    (rf"\bdown the {_MIDDLE}\b", _always(_sign("C", [3]))),
    (rf"\bacross the {_MIDDLE}\b", _always(_sign("R", [3]))),
]
"""Rows, columns and places within them that are named by where they are."""

NUMBERED: list[Rewrite] = [
    (r"[(\[{]\s*([1-5])\s*[,;/ ]\s*([1-5])\s*[)\]}]", r" ‹R:\1› ‹C:\2› "),
    (rf"\b{_CELL} ([1-5])\s*[,;/ ]\s*([1-5])\b", r" ‹R:\1› ‹C:\2› "),
    (rf"\b{_ROWS}\s*(?:no\.? |#)?({_AFTER})", lambda m: _sign("R", _numbers(m[1]))),
    (rf"\b{_COLUMNS}\s*(?:no\.? |#)?({_AFTER})", lambda m: _sign("C", _numbers(m[1]))),
    (rf"\b({_BEFORE})\s*{_ROWS}\b", lambda m: _sign("R", _numbers(m[1]))),
    (rf"\b({_BEFORE})\s*{_COLUMNS}\b", lambda m: _sign("C", _numbers(m[1]))),
    (rf"\b({_BEFORE})\s*{_CELL}\b", lambda m: _sign("I", _numbers(m[1]))),
    (rf"\b{_CELL}\s*({_AFTER})", lambda m: _sign("I", _numbers(m[1]))),
    (r"(?<![\d,‹:])\b([1-5])\s*,\s*([1-5])\b(?![\d,]*›)", r" ‹R:\1› ‹C:\2› "),
    (rf"\b({_END})(?: (?:{_CELL}|end))?(?= (?:of|in) (?:the )?\s*‹[RC])", lambda m: _sign("I", [_ENDS[m[1]]])),
    (r"\b(?:both |the )*ends(?= of)", _always(_sign("I", [1, 5]))),
    (rf"(?<=›)\s*,? (?:in |at )?(?:the )?({_END})(?: (?:{_CELL}|end))?\b(?! of)", lambda m: _sign("I", [_ENDS[m[1]]])),
    (rf"\b(?:the )?{_MIDDLE}(?: {_CELL})?{_OF}", " ‹M› "),
    (rf"\b(?:last|final) {_CELL}\b", _always(_sign("I", [5]))),
]
"""Rows, columns, cells and places within lines by number, and what is said of a line named before or behind."""
# fmt: on


_REWRITES = [(re.compile(pattern), made) for pattern, made in (*SPELLINGS, *PLACES, *LINES, *NUMBERED)]
_SIGN = re.compile(r"‹(\w)(?::([\d,]*))?›")


def signs_of(text: str) -> str:
    """Return a clause with what names cells made signs."""
    text = f" {text.casefold()} "
    for pattern, made in _REWRITES:
        text = pattern.sub(made, text)
    return text


# Signs made cells


@dataclass
class Group:
    """Rows, columns and places within them that belong together: one rectangle of cells."""

    rows: set[int] | None = None
    columns: set[int] | None = None
    within: set[int] | None = None
    row_first: bool = True

    def cells(self) -> Cells:
        """Return the cells."""
        rows, columns = self.rows, self.columns
        if self.within and rows and not columns:
            columns = self.within
        elif self.within and columns and not rows:
            rows = self.within
        if rows is None and columns is None:
            return frozenset()
        every = set(range(1, SIZE + 1))
        return frozenset((r - 1, c - 1) for r in rows or every for c in columns or every)


class Region:
    """Reads the signs of a clause from left to right."""

    def __init__(self, text: str, drawn: Mapping[Cell, str]) -> None:
        self.found: list[Cells] = []
        self.empty: Cells = frozenset(cell for cell in CELLS if drawn[cell] == EMPTY)
        self.only_empty = False
        self.open: Group | None = None
        self.filling = bool(
            re.search(r"\b(?:fill\w*|draw|make|colou?r|paint|all|both|entire|whole|complete\w*|cover)\b", text)
        )
        end = 0
        for match in _SIGN.finditer(text):
            between = text[end : match.start()]
            end = match.end()
            numbers = {int(number) for number in (match[2] or "").split(",") if number}
            if match[1] == "P":
                self.close([divmod(number, SIZE) for number in numbers])
            elif match[1] == "M":
                self.close([CENTRE])
            elif match[1] == "E":
                self.close()
                self.only_empty = True
            else:
                self.take(match[1], numbers, between)
        self.close()

    @property
    def cells(self) -> Cells:
        """Return all cells named; of "the empty cells of row 3" those that are empty now."""
        cells: Cells = frozenset().union(*self.found)
        return (cells or ALL) & self.empty if self.only_empty else cells

    def close(self, more: Collection[Cell] = ()) -> None:
        """End the group that is open; `more` are cells by themselves."""
        if self.open and (cells := self.open.cells()):
            self.found.append(cells)
        self.open = None
        if more:
            self.found.append(frozenset(more))

    def take(self, kind: str, numbers: set[int], between: str) -> None:
        """Add a row, column or place to the group it belongs to."""
        group = self.open
        if kind == "I":
            if group is None or (group.within and (group.rows or group.columns)):
                self.close()
                self.open = Group(within=numbers)
            elif group.rows and group.columns:
                self.follow(numbers, group.row_first)
            else:
                group.within = (group.within or set()) | numbers
            return
        mine, other = ("rows", "columns") if kind == "R" else ("columns", "rows")
        if group is None or (group.within is not None and (group.rows or group.columns)):
            self.close()
            group = self.open = Group(row_first=kind == "R")
        elif getattr(group, mine) is not None:
            self.follow_or_begin(kind, numbers, between, group)
            return
        elif getattr(group, other) is not None and self.apart(between):
            self.close()
            group = self.open = Group(row_first=kind == "R")
        setattr(group, mine, numbers)

    def apart(self, between: str) -> bool:
        """Whether "row 1 and column 2" means both lines and not the cell where they meet."""
        return self.filling and bool(re.search(r"\band\b|&|\bplus\b|\bas well\b", between))

    def follow_or_begin(self, kind: str, numbers: set[int], between: str, group: Group) -> None:
        """After "row 1 column 2", "column 3" is in the same row; after "row 1", "row 2" is another row."""
        same_line = group.rows and group.columns and (kind == "C") == group.row_first
        if same_line:
            self.follow(numbers, group.row_first)
            return
        self.close()
        self.open = Group(row_first=kind == "R")
        setattr(self.open, "rows" if kind == "R" else "columns", numbers)

    def follow(self, numbers: set[int], row_first: bool) -> None:
        """Begin a group in the line of the one that is open."""
        group = self.open
        assert group is not None
        self.close()
        if row_first:
            self.open = Group(rows=group.rows, columns=numbers, row_first=True)
        else:
            self.open = Group(rows=numbers, columns=group.columns, row_first=False)


_EXCEPT = re.compile(
    r"\b(?:except(?: for)?|but not|apart from|other than|excluding|without|leaving|but leave|but skip|skipping)\b"
)
_ALL_BUT = re.compile(r"\b(?:all|everything|everywhere)(?: (?:of )?(?:the )?(?:cells|squares|rows|columns))? but\b")
_ONWARDS = re.compile(r"\b(?:starting|beginning)(?: (?:from|at|in|with))?\b")
_SHIFT = re.compile(
    r"\b(?:(?:directly |right |just |immediately )?(below|under|beneath|underneath|above|over)"
    r"|(?:to the )?(?:immediate )?(left|right) of)\b(?: of)?"
)
_STEPS = {**dict.fromkeys(("below", "under", "beneath", "underneath"), (1, 0)), "above": (-1, 0), "over": (-1, 0)}
_STEPS |= {"left": (0, -1), "right": (0, 1)}


def region(text: str, drawn: Mapping[Cell, str], last: Collection[Cell] = ()) -> Cells:
    """Return the cells that a clause names; `last` are those that "it" stands for. Empty when none are understood."""
    made = signs_of(text)
    if but := _ALL_BUT.search(made):
        return ALL - _left_out(made[but.end() :], ALL, drawn, last)
    if onwards := _ONWARDS.search(made):
        return _from_on(_region(made[: onwards.start()], drawn, last), made[onwards.end() :])
    if left_out := _EXCEPT.search(made):
        within = _region(made[: left_out.start()], drawn, last)
        return within - _left_out(made[left_out.end() :], within, drawn, last)
    return _region(made, drawn, last)


def _from_on(cells: Cells, text: str) -> Cells:
    """Return the cells of a line from a row or column on: "row 3, starting from column 2"."""
    for match in _SIGN.finditer(text):
        first = min((int(number) for number in (match[2] or "").split(",") if number), default=1)
        if match[1] in "RCI":
            across = match[1] == "C" or (match[1] == "I" and len({row for row, _ in cells}) == 1)
            return frozenset(cell for cell in cells if cell[across] + 1 >= first)
    return cells


def _region(made: str, drawn: Mapping[Cell, str], last: Collection[Cell]) -> Cells:
    if shift := _SHIFT.search(made):
        after = made[shift.end() :]
        origin = Region(after, drawn).cells or frozenset(
            last if re.search(r"\b(?:it|that|this|them|those)\b", after) else ()
        )
        down, right = _STEPS[shift[1] or shift[2]]
        if origin:
            return frozenset((row + down, column + right) for row, column in origin) & ALL
    if re.search(r"\bfrom\b.+\b(?:to|through|until|till|down to|up to)\b", made):
        ends = Region(made, drawn).found
        if len(ends) == 2 and all(len(end) == 1 for end in ends):
            return _between(*(next(iter(end)) for end in ends))
    return Region(made, drawn).cells


def _left_out(text: str, within: Cells, drawn: Mapping[Cell, str], last: Collection[Cell]) -> Cells:
    """Return what "except the middle one" leaves out: a place within the line before it, or cells by name."""
    made = re.sub(
        r"\b(1th|first|last|final|[2-5]th)\b",
        lambda m: _sign("I", [{"first": 1, "last": 5, "final": 5}.get(m[1]) or int(m[1][0])]),
        text,
    )
    places = {int(n) for match in _SIGN.finditer(made) if match[1] == "I" for n in (match[2] or "").split(",")}
    if "‹M›" in made:
        places.add(3)
    rows, columns = {row for row, _ in within}, {column for _, column in within}
    if places and not re.search("‹[RCP]", made):
        if len(rows) == 1:
            return frozenset(cell for cell in within if cell[1] + 1 in places)
        if len(columns) == 1:
            return frozenset(cell for cell in within if cell[0] + 1 in places)
        return frozenset({CENTRE})
    return _region(made, drawn, last)


def _between(one: Cell, two: Cell) -> Cells:
    """Return the line from cell to cell, or the block between them."""
    down, right = two[0] - one[0], two[1] - one[1]
    if abs(down) == abs(right) and down:
        steps = range(abs(down) + 1)
        return frozenset((one[0] + i * (down > 0 or -1), one[1] + i * (right > 0 or -1)) for i in steps)
    (top, low), (left, far) = sorted((one[0], two[0])), sorted((one[1], two[1]))
    return _block(top, left, low - top + 1, far - left + 1)


# A whole command

_REMOVE = re.compile(r"\b(?:erase|clear|remove|delete|wipe|unfill|rub out|take (?:out|away))\b", re.IGNORECASE)
_EMPTY = re.compile(r"\bmake\b.*\b(?:empty|blank)\b|^\W*empty\b", re.IGNORECASE)
_LEAVE = re.compile(r"\b(?:leave|keep)\b.*", re.IGNORECASE)
_UNDO = re.compile(r"\b(?:undo|take (?:that|it) back|go back)\b", re.IGNORECASE)
_SWAP = re.compile(r"\b(?:replace|change|turn|swap)\b.*\b(?:by|with|to|into|for)\b", re.IGNORECASE)
_SHAPE = re.compile(r"\b(?:big|large|giant|huge|shape|form|looks? like|draw (?:the|an?)(?: letter)?)\b", re.IGNORECASE)
_SPELT_CELL = rf"(?:[A-Z{EMPTY}□⬜_.·]|empty|blank)"
_SPELLED = re.compile(
    r"\b((?i:row|col(?:umn)?|line))s?\s*#?([1-5])\s*(?:(?:is|should be|reads|=|:|-)\s*)?(?::\s*)?"
    rf"((?:{_SPELT_CELL}[\s,|]+){{4}}{_SPELT_CELL})(?!\w)"
)
_CELLS = re.compile(rf"[A-Z{EMPTY}□⬜_.·](?!\w)|empty|blank")


DrawerState = tuple[str, str, str | None, Cells]
"""A `Drawer` as a value; both grids as their 25 signs, row by row."""


@dataclass
class Drawer:
    """What a follower keeps in mind: the grid, the one before, the letter named last and the cells changed last."""

    drawn: grid.LetterGrid
    before: grid.LetterGrid
    letter: str | None = None
    last: Cells = frozenset()

    @classmethod
    def begin(cls) -> Drawer:
        """Return a follower before an empty grid."""
        return cls(grid.parse(grid.BLANK_GRID), grid.parse(grid.BLANK_GRID))

    @classmethod
    def of(cls, state: DrawerState) -> Drawer:
        """Return the follower of a state."""
        drawn, before, letter, last = state
        return cls(dict(zip(CELLS, drawn, strict=True)), dict(zip(CELLS, before, strict=True)), letter, last)

    def state(self) -> DrawerState:
        """Return all that it keeps in mind, as a value."""
        return "".join(self.drawn.values()), "".join(self.before.values()), self.letter, self.last

    def carry_out(self, command: str) -> grid.LetterGrid:
        """Draw what a command says and return the grid; the same grid when nothing was understood."""
        command = command[:LONGEST]
        if _UNDO.search(command):
            self.drawn, self.before = self.before, self.drawn
            return self.drawn
        self.before = dict(self.drawn)
        rest = self.spelled(command)
        for clause, letter in clauses(rest):
            self.draw(clause, letter)
        return self.drawn

    def spelled(self, command: str) -> str:
        """Draw the rows and columns that are spelled out ("row 2: ▢ A ▢ ▢ ▢") or the whole grid; return the rest."""
        whole = _CELLS.findall(command)
        if len(whole) == SIZE * SIZE and not re.search(r"[a-z]{2}", re.sub("empty|blank", "", command)):
            self.put(dict(zip(CELLS, map(_cell, whole), strict=True)))
            return ""
        for match in _SPELLED.finditer(command):
            across, number = not match[1].casefold().startswith("col"), int(match[2]) - 1
            signs = [_cell(sign) for sign in _CELLS.findall(match[3])]
            self.put({(number, i) if across else (i, number): sign for i, sign in enumerate(signs)})
        return _SPELLED.sub(" ", command)

    def draw(self, clause: str, letter: str | None) -> None:
        """Draw one clause."""
        if swapped := self.swap(clause):
            self.put(swapped)
            return
        clause = (
            _LEAVE.sub("", clause)
            if re.search(r"\bleave\b", clause, re.IGNORECASE) and not _EXCEPT.search(clause)
            else clause
        )
        if shape := self.shape(clause):
            self.put(shape)
            return
        cells = region(clause, self.drawn, self.last)
        if _REMOVE.search(clause) or (letter is None and _EMPTY.search(clause)):
            gone = letter and (lambda cell: self.drawn[cell] == letter)
            self.put({cell: EMPTY for cell in cells or (ALL if letter else ()) if not gone or gone(cell)})
            return
        self.letter = letter or self.letter
        if cells and self.letter:
            self.put(dict.fromkeys(cells, self.letter))

    def put(self, signs: Mapping[Cell, str]) -> None:
        """Change cells."""
        self.drawn = {cell: signs.get(cell, self.drawn[cell]) for cell in CELLS}
        self.last = frozenset(signs)
        self.letter = next((sign for sign in signs.values() if sign != EMPTY), self.letter)

    def swap(self, clause: str) -> grid.LetterGrid | None:
        """Read "replace every X by Y"."""
        named = letters_in(clause)
        if not _SWAP.search(clause) or len(named) != 2:
            return None
        cells = region(clause, self.drawn) or ALL
        return {cell: named[1].letter for cell in CELLS if cell in cells and self.drawn[cell] == named[0].letter}

    def shape(self, clause: str) -> grid.LetterGrid | None:
        """Read "a big T": the letter drawn over the whole grid, of itself or of another letter named."""
        named = letters_in(clause)
        if not named or not _SHAPE.search(clause) or region(clause, self.drawn):
            return None
        made_of = re.search(r"\b(?:with|using|of|from)\b[^.]*$", clause)
        letter = named[-1].letter if len(named) > 1 and made_of else self.letter if self.letter else named[0].letter
        lines = grids.LETTERS[named[0].letter].split()
        return {(r, c): letter for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "X"}


def _cell(sign: str) -> str:
    return sign if re.fullmatch("[A-Z]", sign) else EMPTY


def clauses(command: str) -> Iterator[tuple[str, str | None]]:
    """Yield the parts of a command that say one thing each, with the letter that each names."""
    for sentence in re.split(r"(?<=[a-z\d)])\.\s+|;|\n|\bthen\b", command):
        named = letters_in(sentence)
        if _SWAP.search(sentence) or (_SHAPE.search(sentence) and not region(sentence, grid.parse(grid.BLANK_GRID))):
            yield sentence, named[0].letter if named else None
        elif len(named) < 2:
            rest = sentence if not named else _without(sentence, named)
            if rest.strip():
                yield rest, named[0].letter if named else None
        else:
            yield from _by_letter(sentence, named)


def _without(sentence: str, named: Sequence[Named]) -> str:
    """Return a sentence with the letters it names taken out: an X is no size, a C no column."""
    for one in reversed(named):
        sentence = f"{sentence[: one.start]} # {sentence[one.end :]}"
    return sentence


def _by_letter(sentence: str, named: Sequence[Named]) -> Iterator[tuple[str, str]]:
    """Cut "A in row 1 and B in row 2" before each letter, "fill row 1 with A and row 2 with B" behind each."""
    leads = "‹" not in signs_of(sentence[: named[0].start])
    starts = [0, *(one.start for one in named[1:])] if leads else [0, *(one.end for one in named[:-1])]
    for start, end, one in zip(starts, [*starts[1:], len(sentence)], named, strict=True):
        part = sentence[start:end]
        yield part.replace(sentence[one.start : one.end], " # ", 1), one.letter
