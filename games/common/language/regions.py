"""Parts of a grid of five by five cells that a text names: rows, columns, cells, corners, diagonals, blocks.

`read_items` turns signs into items, each a part of a grid or another meaningful word; `combine` makes cells of items
that belong together ("the first two cells of rows 1 and 3"). Rows, columns and cells count from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from games.common.grids import ANTI_DIAGONAL, CELLS, CENTRE, CORNERS, MAIN_DIAGONAL, SIZE, Cell
from games.common.language.signs import Sign, read_signs

Cells = frozenset[Cell]
ALL: Cells = frozenset(CELLS)
INNER: Cells = frozenset(cell for cell in CELLS if 0 < cell[0] < SIZE - 1 and 0 < cell[1] < SIZE - 1)
BORDER: Cells = ALL - INNER
SIDES = {"top": 0, "bottom": SIZE - 1, "left": 0, "right": SIZE - 1, "middle": SIZE // 2}
VERTICAL, HORIZONTAL = ("top", "bottom"), ("left", "right")
TO_THE_EDGE = frozenset("along around touch touches touching reach reaches reaching".split())
PARITY = {"even": (1, 3), "odd": (0, 2, 4)}
OUTER = frozenset(("very", "far", "outer", "outermost"))
DIMENSIONS = frozenset(("wide", "high", "tall", "long"))
ADJECTIVES = frozenset(("most", "hand", "full", "filled", "empty"))
NAMED_PARTS = frozenset(("edge", "border", "half", "corner", "diagonal", "block", "grid"))
LIST_JOINTS = ("and", "comma", "to")
LEADS = frozenset("prep colon comma and verb only from value letter to lines".split())
COUNTED = frozenset("noun value letter full shape word places cells".split())
EXACT_CELL = frozenset(("corner", "cell", "edge"))
NEAR_ITEMS = 60
"""So many items before or after one are looked at, so that long texts are read in linear time."""
OPPOSITE = {"row": "column", "column": "row"}


@dataclass(frozen=True)
class Item:
    """A part of a grid, or a sign that says something about parts.

    `lines`: rows or columns by number; `places`: cells within a line; `cells`: cells of the whole grid, with their
    name; `side`: "the left"; `shape`; else the kinds of signs.
    """

    kind: str
    value: str = ""
    axis: str = ""
    at: tuple[int, ...] = ()
    cells: Cells = frozenset()
    number: int = 0
    text: str = ""
    marks: tuple[str, ...] = ()
    plural: bool = False
    source: str = ""
    """As it was written."""

    @property
    def is_part(self) -> bool:
        """Whether this is a part of a grid."""
        return self.kind in ("lines", "places", "cells")


@lru_cache(maxsize=512)
def read_items(text: str) -> tuple[Item, ...]:
    """Return the items of a text."""
    return tuple(_Reader(read_signs(text)).items())


def block(top: int, left: int, height: int, width: int) -> Cells:
    """Return the cells of a rectangle that are in the grid."""
    return ALL & {(row, column) for row in range(top, top + height) for column in range(left, left + width)}


def anchored_block(height: int, width: int, vertical: str, horizontal: str) -> Cells:
    """Return the rectangle of a size at a corner, a side or the middle of the grid."""
    top = {"top": 0, "bottom": SIZE - height}.get(vertical, (SIZE - height) // 2)
    left = {"left": 0, "right": SIZE - width}.get(horizontal, (SIZE - width) // 2)
    return block(top, left, height, width)


def line_cells(axis: str, numbers: Iterable[int]) -> Cells:
    """Return the cells of whole rows or columns."""
    numbers_wanted = set(numbers)
    return frozenset(cell for cell in CELLS if cell[axis == "column"] in numbers_wanted)


class _Reader:
    """Reads signs from left to right; each `_read_…` returns the item at the present place and moves on, or None."""

    def __init__(self, signs: Sequence[Sign]) -> None:
        self.signs: list[Sign] = []
        self.at = 0
        articles = ""
        for sign in signs:
            articles += f"{sign.source} " if sign.kind == "article" else ""
            if sign.kind != "article":
                self.signs.append(replace(sign, source=articles + sign.source))
                articles = ""

    def sign(self, ahead: int = 0) -> Sign:
        """Return the sign some places ahead; an empty one outside the text."""
        at = self.at + ahead
        return self.signs[at] if 0 <= at < len(self.signs) else Sign("stop")

    def is_kind(self, ahead: int, *kinds: str) -> bool:
        """Return whether the sign ahead is of one of these kinds."""
        return self.sign(ahead).kind in kinds

    def items(self) -> list[Item]:
        """Return all items."""
        items_read: list[Item] = []
        readers = (self._read_pair, self._read_block, self._read_corner, self._read_lines, self._read_special)
        while self.at < len(self.signs):
            start = self.at
            item = next((item for read in readers if (item := read())), None)
            if not item:
                sign = self.sign()
                if sign.text in ("line", "lines"):
                    sign = Sign("word", sign.text, text=sign.text)
                item = Item(
                    sign.kind, sign.value, number=sign.number, text=sign.text, marks=sign.cells, plural=sign.plural
                )
                self.at += 1
            items_read.append(replace(item, source=" ".join(sign.source for sign in self.signs[start : self.at])))
        return _with_diagonals(items_read)

    # ------------------------------------------------------------------ single cells and blocks
    def _read_pair(self) -> Item | None:
        """Read "(2, 3)", "at 4,2", "cell 4,2"."""
        begins = self.sign().text == "(" or self.sign().value == "cell" or self.sign().text in ("at", "and", ",")
        lead = 1 if begins else 0
        while begins and self.sign(lead).text in ("cell", "("):
            lead += 1
        numbers = [self.sign(lead), self.sign(lead + 2)]
        if self.sign(lead + 1).text != "," or not all(s.kind == "number" and 1 <= s.number <= SIZE for s in numbers):
            return None
        closed = self.sign(lead + 3).text == ")"
        bracket = self.sign(lead - 1).text == "(" if lead else False
        if bracket != closed or (not bracket and not self._is_pair_context(lead)):
            return None
        self.at += lead + 3 + closed
        return Item("cells", "cell", cells=frozenset({(numbers[0].number - 1, numbers[1].number - 1)}))

    def _is_pair_context(self, lead: int) -> bool:
        """Return whether two bare numbers are a row and a column: no row is named, and no list goes on."""
        is_numbered = any(
            sign.kind == "noun" and sign.value in ("row", "column")
            for sign in self.signs[max(0, self.at - 6) : self.at + 8]
        )
        before, after = self.sign(lead - 1), self.sign(lead + 3)
        run = lead
        while self.sign(run + 1).text == "," and self.is_kind(run + 2, "number"):
            run += 2
        is_listed = (before.text == "," and self.sign(lead - 2).kind == "number") or (run - lead) % 4 == 0
        return (
            not is_numbered
            and not is_listed
            and after.kind != "number"
            and before.text in ("at", "cell", "and", "in", ",", "letter", "")
            and not (
                after.text in (",", "and") and self.sign(lead + 4).kind == "number" and self.sign(lead + 5).text != ","
            )
        )

    def _read_block(self) -> Item | None:
        """Read "3x3 block in the middle", "top left 2 by 2", "2 rows by 3 columns"; without a place it is a shape."""
        before = self._corner_at(0) or (("", "", 1) if self.sign().value == "middle" else None)
        at = before[2] if before else 0
        size = self._size_at(at)
        if not size:
            return None
        height, width, at = size
        is_upright = bool(self._unit(at - 1) or self._unit(at - 3))
        while self.sign(at).value in ("block", "cell") or self.sign(at).text in ("square", "big", "large"):
            at += 1
        if before:
            self.at += at
            return Item("cells", "block", cells=anchored_block(height, width, before[0], before[1]))
        place = at
        while self.is_kind(place, "prep", "full", "value", "noun", "letter") or self.sign(place).text in (
            "with",
            "filled",
            "letters",
            "letter",
        ):
            place += 1
        after = self._corner_at(place) or (("", "", place + 1) if self.sign(place).value == "middle" else None)
        is_square = height == width == SIZE or self.sign(place).source.startswith("its")
        if after and self.sign(after[2]).value not in ("row", "column") and not is_square:
            letters = self._letters(at, place)
            self.at += after[2] + (self.sign(after[2]).value == "corner")
            self.signs[self.at : self.at] = letters
            return Item("cells", "block", cells=anchored_block(height, width, after[0], after[1]))
        self.at += at
        return Item("shape", "upright" if is_upright else "block", at=(height, width))

    def _letters(self, start: int, end: int) -> list[Sign]:
        """Return the letters between two places, to be read after the item that they stand in."""
        signs = self.signs[self.at + start : self.at + end]
        return [replace(sign, source="") for sign in signs if sign.kind == "letter"]

    def _size_at(self, at: int) -> tuple[int, int, int] | None:
        """Return height, width and the end of "3 by 2", "2 rows by 3 columns", "3 wide and 2 high"."""
        first, unit = self.sign(at), self._unit(at + 1)
        joint = self.sign(at + 1 + bool(unit))
        second = self.sign(at + 2 + bool(unit))
        second_unit = self._unit(at + 3 + bool(unit))
        joins = joint.text in ("by", "x") or (unit in ("row", "column") and joint.text == "of")
        joins |= unit in DIMENSIONS and second_unit in DIMENSIONS and joint.text in ("and", ",")
        if not joins or not all(sign.kind == "number" and 0 < sign.number <= SIZE for sign in (first, second)):
            return None
        size = (second.number, first.number) if unit in ("column", "wide") else (first.number, second.number)
        return *size, at + 3 + bool(unit) + bool(second_unit and unit)

    def _unit(self, at: int) -> str:
        sign = self.sign(at)
        return sign.value if sign.value in ("row", "column") else sign.text if sign.text in DIMENSIONS else ""

    def _corner_at(self, at: int) -> tuple[str, str, int] | None:
        """Return the two sides and the end of "top left", "left bottom", "upper right hand corner"."""
        start = at
        while self.sign(at).text in ("very", "far"):
            at += 1
        first, joint = self.sign(at), self.sign(at + 1)
        second = at + 2 if joint.text in ("-", "and", ",") and self.sign(at + 3).value == "corner" else at + 1
        other = self.sign(second)
        if first.kind != "side" or other.kind != "side" or at - start > 2:
            return None
        sides = {first.value, other.value}
        vertical = next((side for side in VERTICAL if side in sides), "")
        horizontal = next((side for side in HORIZONTAL if side in sides), "")
        if len(sides) < 2 or not (vertical or horizontal) or (not (vertical and horizontal) and "middle" not in sides):
            return None
        end = second + 1
        while self.sign(end).text in ("hand", "most"):
            end += 1
        return vertical, horizontal, end

    def _read_corner(self) -> Item | None:
        """Read "the top left corner", "top centre cell", "all four corners", "the top corners"."""
        corner = self._corner_at(0)
        if not corner:
            return self._read_corners()
        vertical, horizontal, end = corner
        noun = self.sign(end)
        if noun.kind == "noun" and noun.value in ("row", "column"):
            return None
        is_exact = noun.kind == "noun" and noun.value in EXACT_CELL
        self.at += end + is_exact
        cell = (SIDES[vertical or "middle"], SIDES[horizontal or "middle"])
        name = "cell" if noun.value == "cell" else "corner"
        return Item("cells", name, cells=frozenset({cell}), number=int(is_exact))

    def _read_corners(self) -> Item | None:
        """Read "corners" and "the top corners"."""
        side = self.sign().value if self.sign().kind == "side" else ""
        noun, before = self.sign(1 if side else 0), self.sign(-2 if self.sign(-1).text == "of" else -1)
        number = before.number if before.kind == "number" else 0
        if noun.value != "corner" or noun.kind != "noun" or not (noun.plural or side or number):
            return None
        self.at += 2 if side else 1
        cells = [cell for name, cell in CORNERS.items() if not side or side in name.split(" ")]
        return Item("cells", "corners", cells=frozenset(cells), plural=True, number=number)

    # ------------------------------------------------------------------ lines and places within them
    def _read_lines(self) -> Item | None:
        """Read "row 2", "rows 1, 3 and 5", "the second and the last column", "first two cells", "the middle one"."""
        return self._read_noun_first() or self._read_spec()

    def _read_noun_first(self) -> Item | None:
        noun = self.sign()
        if noun.kind != "noun" or noun.value not in ("row", "column", "cell"):
            return None
        if noun.text == "line" and self.sign(-1).text == "vertical":
            noun = replace(noun, value="column")
        at = 1
        while self.sign(at).kind == "from" or self.sign(at).text in ("number", "no", "#"):
            at += 1
        numbers, end = self._numbers(at, noun.plural or noun.value == "cell", noun.value)
        if not numbers:
            return self._line_at_side(noun) if noun.value != "cell" else None
        self.at += end
        return Item("places" if noun.value == "cell" else "lines", noun.value, noun.value, numbers)

    def _line_at_side(self, noun: Sign) -> Item | None:
        """Read "a row at the top", "the column on the left", "a row of Xs at the top"."""
        at = 3 if self.sign(1).text == "of" and self.sign(2).kind == "letter" else 1
        at += self.sign(at + 1).text in OUTER
        side = self.sign(at + 1).value
        fits = side in (*(VERTICAL if noun.value == "row" else HORIZONTAL), "middle") and "prep" in (
            self.sign(at).kind,
            self.sign(at - 1).kind,
            "prep" if self.sign(at).text == "through" else "",
        )
        if not fits or self.is_kind(at + 2, "side", "noun"):
            return None
        many = self.signs[self.at - 1].number if self.at and self.signs[self.at - 1].kind == "number" else 1
        if noun.plural and many < 2:
            return None
        letters = self._letters(2, at)
        self.at += at + 2
        self.signs[self.at : self.at] = letters
        return Item("lines", noun.value, noun.value, _run(SIDES[side], many), number=many)

    def _numbers(self, at: int, plural: bool, noun: str) -> tuple[tuple[int, ...], int]:
        """Return the list of numbers at a place, from 0, and where it ends: "1, 3 and 5", "2 to 4"."""
        numbers: list[int] = []
        end = at
        joint = ""
        while self.is_kind(at, "number") and 1 <= self.sign(at).number <= SIZE:
            if numbers and joint != "to" and self._begins_anew(at, plural, noun):
                break
            number = self.sign(at).number - 1
            numbers += range(numbers[-1] + 1, number + 1) if joint == "to" else [number]
            end = at + 1
            at, joint = end, ""
            while self.sign(at).kind in ("comma", "and", "to") and self.sign(at).text != "then":
                joint = "to" if self.sign(at).kind == "to" or joint == "to" else self.sign(at).text
                at += 1
            if self.sign(at).value == noun and self.sign(at).kind == "noun" and joint == "to":
                at += 1
            if not joint or (joint == "," and not plural and not self._ends_in_and(at)):
                break
        return tuple(dict.fromkeys(numbers)), end

    def _begins_anew(self, at: int, plural: bool, noun: str) -> bool:
        """Return whether a number after a list counts something, or "in row 2" follows: "row 1, 2 and 3 in row 2"."""
        follower = self.sign(at + 1)
        is_one = self.sign(at).text == "one" and follower.kind == "prep"
        if is_one or follower.text in ("time", "times") or (not plural and follower.kind in COUNTED):
            return True
        while self.is_kind(at, "number") or (not plural and self.is_kind(at, "comma", "and", "to")):
            at += 1
        return self.is_kind(at, "prep") and self.sign(at + 1).value == noun and self.is_kind(at + 2, "number")

    def _ends_in_and(self, at: int) -> bool:
        """Return whether a list of numbers goes on to an "and": "row 1, 3 and 5"."""
        while self.is_kind(at, "number", "comma"):
            at += 1
        return (
            self.sign(at).text == "and" and self.is_kind(at + 1, "number") and not self.is_kind(at + 2, "noun", "value")
        )

    def _read_spec(self) -> Item | None:
        """Read what numbers or places come before a noun, or stand alone: "first two rows", "the last one", "left"."""
        parts: list[tuple[int, ...]] = []
        words: list[str] = []
        at, end, joint, ordinals = 0, 0, "", False
        while element := self._element(at):
            numbers, after, word = element
            if joint == "to" and parts and numbers:
                numbers = tuple(range(parts[-1][-1], numbers[0] + 1))
            if words and (
                (words[-1] in VERTICAL and word in HORIZONTAL) or (words[-1] in HORIZONTAL and word in VERTICAL)
            ):
                break
            parts.append(numbers)
            words.append(word)
            ordinals |= word == "ordinal"
            end = at = after
            noun = self.sign(at)
            joint = ""
            while self.sign(at).kind in ("and", "comma", "to") and self.sign(at).text not in ("then", "(", ")"):
                if joint == "and" and self.sign(at).kind == "to":
                    break
                joint = "to" if self.sign(at).kind == "to" else joint or self.sign(at).text
                at += 1
            while self.sign(at).kind == "all":
                at += 1
            if not joint or noun.kind == "noun":
                break
        if not parts:
            return None
        return self._finish_spec(parts, words, end, ordinals)

    def _finish_spec(self, parts: list[tuple[int, ...]], words: list[str], end: int, ordinals: bool) -> Item | None:
        """Return the item for the numbers that were read, by the noun that follows."""
        numbers = tuple(dict.fromkeys(number for part in parts for number in part))
        while self.sign(end).text in ADJECTIVES and self.sign(end + 1).kind == "noun":
            end += 1
        noun = self.sign(end)
        value = noun.value if noun.kind == "noun" else ""
        side = words[0] if words[0] in SIDES else ""
        value = "cell" if noun.text == "square" and (ordinals or side == "middle") else value
        if value in ("row", "column"):
            end, numbers = self._from_other_end(end + 1, numbers)
            self.at += end
            return Item("lines", value, value, numbers, plural=noun.plural)
        if value in NAMED_PARTS:
            return None if ordinals else self._at_edge(noun, side, end)
        is_cell = value == "cell" or (noun.kind == "number" and noun.text == "one")
        if not is_cell and not ordinals and side not in ("", "middle"):
            self.at += end
            return Item("side", side, at=numbers, number=len(numbers))
        end, numbers = self._from_other_end(end + is_cell, numbers)
        self.at += end
        return Item("places", side, "cell" if is_cell else "", numbers, number=len(words))

    def _from_other_end(self, end: int, numbers: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Count from the other end for "from the bottom", "from the right"."""
        if self.sign(end).kind == "from" and self.sign(end + 1).kind == "side":
            if self.sign(end + 1).value in ("bottom", "right"):
                numbers = tuple(SIZE - 1 - number for number in numbers)
            return end + 2, numbers
        return end, numbers

    def _at_edge(self, noun: Sign, side: str, end: int) -> Item | None:
        """Read "the left edge", "the upper half", "right-hand side"."""
        if side in ("", "middle") and noun.value != "edge":
            return None
        if noun.value in ("corner", "diagonal") or side == "middle":
            return None
        self.at += end + 1
        if noun.value == "half":
            return Item("half", side)
        axis = "row" if side in VERTICAL else "column"
        return Item("lines", noun.text, axis, (SIDES[side],), text=side)

    def _element(self, at: int) -> tuple[tuple[int, ...], int, str] | None:
        """Return the numbers that one element means, its end and its word: "first", "last three", "ends"."""
        if self.sign(at).text in OUTER and self.sign(at + 1).kind in ("ordinal", "side"):
            at += 1
        sign, after = self.sign(at), self.sign(at + 1)
        if sign.text in PARITY and after.value in OPPOSITE:
            return PARITY[sign.text], at + 1, "ordinal"
        if sign.source.lower() in ("the end", "the start", "the beginning") and after.text == "of":
            return (SIZE - 1 if sign.text == "end" else 0,), at + 1, "ordinal"
        if (sign.text == "ends" and after.text != "with") or (sign.text in OUTER and after.value in ("row", "column")):
            return (0, SIZE - 1), at + 1, "ordinal"
        if sign.text == "next" and after.kind == "to" and self.sign(at + 2).number == -1:
            return (SIZE - 2,), at + 3, "ordinal"
        if sign.kind == "number":
            return self._number_first(at)
        if sign.kind == "side":
            many = after.number if self._is_many(at + 1) else 1
            return _run(SIDES[sign.value], many), at + 1 + (many > 1), sign.value
        return self._ordinal(at) if sign.kind == "ordinal" and -2 <= sign.number <= SIZE else None

    def _number_first(self, at: int) -> tuple[tuple[int, ...], int, str] | None:
        """Read "two bottom rows", "2 leftmost columns", "three last cells"."""
        number, after = self.sign(at).number, self.sign(at + 1)
        if 1 < number < SIZE and after.kind == "side":
            return _run(SIDES[after.value], number), at + 2, after.value
        if 1 < number < SIZE and after.kind == "ordinal" and after.number in (1, -1) and self.is_kind(at + 2, "noun"):
            return _run(0 if after.number == 1 else SIZE - 1, number), at + 2, "ordinal"
        return None

    def _is_many(self, at: int) -> bool:
        """Return whether a number of lines or cells stands here: "the top two rows", but not "top left 2 by 2"."""
        sign = self.sign(at)
        return sign.kind == "number" and sign.text != "one" and 1 < sign.number < SIZE and not self._is_size(at)

    def _is_size(self, at: int) -> bool:
        return self.sign(at + 1).text in ("by", "x")

    def _ordinal(self, at: int) -> tuple[tuple[int, ...], int, str]:
        """Read "third", "first two", "last three", "second to last", "last but one"."""
        number, after = self.sign(at).number, self.sign(at + 1)
        ahead = 2 if after.kind in ("to", "from") or after.text in ("but",) else 1
        if number == 2 and self.sign(at + ahead).number == -1 and self.sign(at + ahead).kind == "ordinal":
            return (SIZE - 2,), at + ahead + 1, "ordinal"
        if number == -1 and after.text == "but" and self.sign(at + 2).number == 1:
            return (SIZE - 2,), at + 3, "ordinal"
        start = SIZE + number if number < 0 else number - 1
        if (
            after.kind == "number"
            and after.text != "one"
            and 1 < after.number < SIZE
            and number in (1, -1)
            and not self._is_size(at + 1)
        ):
            return _run(start, after.number), at + 2, "ordinal"
        return (start,), at + 1, "ordinal"

    # ------------------------------------------------------------------ what has a name
    def _read_special(self) -> Item | None:
        """Read the centre, the border, the inner cells, the whole grid, all rows, every other cell."""
        sign, after = self.sign(), self.sign(1)
        if sign.kind == "all":
            return self._read_all()
        is_outside = sign.text == "outside" and not self.is_kind(1, "ordinal", "side", "from", "all")
        if (
            is_outside
            or sign.text in ("outer", "outermost")
            or (
                sign.kind == "noun"
                and (sign.value == "border" or (sign.value == "edge" and self.sign(-1).text in TO_THE_EDGE))
            )
        ):
            width = 2 if after.kind == "noun" or after.text in ("ring", "cells") else 1
            self.at += 1 if sign.kind == "noun" else width
            return Item("cells", "border", cells=BORDER)
        if sign.text in ("inner", "interior", "innermost") or (
            sign.text == "inside" and (after.value == "border" or after.kind in ("verb", "value", "stop"))
        ):
            self.at += 2 if after.kind == "noun" else 1
            return Item("cells", "inside", cells=INNER)
        if sign.text in ("alternating", "alternate") and after.value == "cell":
            self.at += 2
            return Item("places", "alternating", "cell", (0, 2, 4))
        return None

    def _read_all(self) -> Item | None:
        """Read "all rows", "every other cell", "the whole grid", "each corner"."""
        at = 1
        while self.sign(at).kind in ("all", "number", "full", "value") or self.sign(at).text in ("of", "single"):
            at += 1
        noun = self.sign(at)
        if self.sign(1).text in ("other", "second") and self.sign(2).value in ("cell", "row", "column"):
            self.at += 3
            axis = self.sign(-1).value
            return Item("places" if axis == "cell" else "lines", "alternating", axis, (0, 2, 4))
        if noun.kind == "noun" and noun.value in ("row", "column") and not self._is_numbered(at):
            self.at += at + 1
            return Item("lines", "all", noun.value, tuple(range(SIZE)), plural=True)
        if noun.kind == "noun" and noun.value == "corner":
            self.at += at + 1
            return Item("cells", "corners", cells=frozenset(CORNERS.values()), plural=True)
        is_grid = (noun.kind == "noun" and noun.value == "grid") or noun.text in ("thing", "lot")
        if is_grid and self.sign().text in ("whole", "entire", "all", "every"):
            self.at += at + 1
            return Item("cells", "grid", cells=ALL)
        if noun.kind == "noun" and noun.value == "edge":
            self.at += at + 1
            return Item("cells", "sides", cells=BORDER)
        if self.sign().text in ("everything", "everywhere") and self.sign(1).kind != "rest":
            self.at += 1
            return Item("cells", "grid", cells=ALL)
        return None

    def _is_numbered(self, at: int) -> bool:
        return self.is_kind(at + 1, "number")


def _run(start: int, many: int) -> tuple[int, ...]:
    """Return as many numbers at the start, at the end or in the middle of a line."""
    first = 0 if start == 0 else SIZE - many if start == SIZE - 1 else (SIZE - many) // 2
    return tuple(range(first, first + many)) if many > 1 else (start,)


def _with_diagonals(items: list[Item]) -> list[Item]:
    """Join "diagonal" with the corners that it goes from and to."""
    items_read: list[Item] = []
    skip: set[int] = set()
    for at, item in enumerate(items):
        if at in skip:
            continue
        if item.kind == "noun" and item.value == "diagonal":
            corners = _corners_near(items, at)
            names = [part.text or part.value for part in items[max(0, at - 2) : at]]
            skip |= set(corners)
            used_corners = [items[corner] for corner in corners if corner < at]
            items_read = [part for part in items_read if part not in used_corners]
            cells = _diagonal([items[corner] for corner in corners], names, item.plural)
            items_read.append(Item("cells", "diagonal", cells=cells, plural=item.plural) if cells else item)
        else:
            items_read.append(item)
    return items_read


def _corners_near(items: list[Item], at: int) -> list[int]:
    """Return where the corners stand that a diagonal is said to join, in the same sentence."""
    corners: list[int] = []
    for step in (1, -1):
        place = at + step
        while 0 <= place < len(items) and items[place].kind not in ("stop",) and abs(place - at) < 14:
            item = items[place]
            if item.kind == "cells" and item.value == "corner" and len(corners) < 2:
                corners.append(place)
            elif item.is_part or (step < 0 and item.kind in ("comma", "and", "verb")):
                break
            place += step
        if corners:
            break
    return corners


def _diagonal(corners: list[Item], names: list[str], plural: bool) -> Cells:
    """Return the cells of the long diagonal through some corners, or of that name; nothing if it is neither."""
    cells = [next(iter(corner.cells)) for corner in corners]
    if cells and {cells[0]} <= {MAIN_DIAGONAL[0], MAIN_DIAGONAL[-1]}:
        return frozenset(MAIN_DIAGONAL)
    if cells:
        return frozenset(ANTI_DIAGONAL)
    if plural and set(names) & {"both", "two", "long"}:
        return frozenset(MAIN_DIAGONAL) | frozenset(ANTI_DIAGONAL)
    if {"anti", "secondary", "counter", "minor"} & set(names):
        return frozenset(ANTI_DIAGONAL)
    return frozenset(MAIN_DIAGONAL) if {"main", "primary", "leading", "major"} & set(names) else frozenset()


# ---------------------------------------------------------------------- items that belong together
@dataclass
class Group:
    """Parts that name cells together: rows, columns and places within them."""

    axes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    first: str = ""
    places: tuple[int, ...] = ()
    places_first: bool = False
    is_of_cell: bool = False
    """Whether "the cell in" comes before."""
    fixed: Cells = frozenset()
    names: list[Item] = field(default_factory=list)

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
        is_new = item.kind == "cells" and not _narrows(group, item, joint)
        if is_new or group is None or group.fixed or _begins(group, item, joint, items[at + 1 :]):
            is_of_cell = any(part.value == "cell" and not part.plural for part in joint[-2:-1])
            groups.append(group := Group(is_of_cell=is_of_cell))
        _add(group, item, joint)
        joint = []
    return groups


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
    if _continues_span(group, item, joint):
        return False
    kinds, is_listed = {part.kind for part in joint}, _is_listed(joint)
    if item.kind == "places":
        is_new = bool(group.places) and (not is_listed or _line_follows(rest))
        return len(group.axes) == 2 or is_new or (group.is_complete and not is_listed)
    if item.axis in group.axes:
        return not is_listed or (group.is_complete and not group.places_first and item.axis == group.first)
    joins = [part.kind for part in joint if part.kind != "rest" and (part.text != "of" or "rest" not in kinds)]
    adds_line = joins in (["and"], ["comma", "and"], ["and", "prep"]) and not group.is_of_cell and not group.places
    return group.is_complete or adds_line


def _is_listed(joint: Sequence[Item]) -> bool:
    """Return whether the words between two parts only join them."""
    return bool(joint) and all(part.kind in LIST_JOINTS or part.text in ("in", "then", "from") for part in joint)


def _continues_span(group: Group, item: Item, joint: Sequence[Item]) -> bool:
    """Return whether "to the last" follows a line: "from the third column to the last"."""
    is_last = item.kind == "places" and not item.axis and group.names[-1].kind == "lines"
    return is_last and bool(joint) and joint[-1].kind == "to"


def _line_follows(rest: Sequence[Item]) -> bool:
    """Return whether "of row 2" follows."""
    return len(rest) > 1 and rest[0].kind == "prep" and rest[1].kind == "lines"


def _add(group: Group, item: Item, joint: Sequence[Item]) -> None:
    if group.names and _continues_span(group, item, joint):
        item = replace(item, kind="lines", axis=group.names[-1].axis)
    group.names.append(item)
    if item.kind == "cells":
        middles = frozenset(cell for cell in item.cells if not set(cell).isdisjoint(group.places))
        group.fixed = middles or (item.cells & group.cells() if group.axes else item.cells)
    elif item.kind == "places":
        group.places_first |= not group.axes
        spans = bool(group.places) and any(part.kind == "to" for part in joint)
        group.places = tuple(dict.fromkeys((*group.places, *_span(group.places, item.at, spans))))
    else:
        group.first = group.first or item.axis
        before = group.axes.get(item.axis, ())
        spans = bool(before) and any(part.kind == "to" for part in joint)
        group.axes[item.axis] = tuple(dict.fromkeys((*before, *_span(before, item.at, spans))))


def _span(before: tuple[int, ...], at: tuple[int, ...], spans: bool) -> tuple[int, ...]:
    """Return the numbers from the last one before to these, where "to" stands between."""
    return tuple(range(before[-1], at[0] + 1)) if spans else at


def with_bare_numbers(items: Sequence[Item]) -> list[Item]:
    """Turn numbers that stand for places in a line into places: "row 1: 2 and 3", "in 1, 2 and 5", "only in 3"."""
    items_read: list[Item] = []
    at = 0
    while at < len(items):
        numbers, end = _bare_numbers(items, at, items_read)
        if numbers:
            items_read.append(Item("places", "bare", at=numbers))
            at = end
        else:
            items_read.append(items[at])
            at += 1
    return items_read


def _bare_numbers(items: Sequence[Item], at: int, before: Sequence[Item]) -> tuple[tuple[int, ...], int]:
    """Return a list of numbers without a noun that follows a line, or that "in row 2" follows, and its end."""
    before = before[-NEAR_ITEMS:]
    part = next((part for part in reversed(before) if part.is_part), Item("stop"))
    lead = before[-1].kind if before else "stop"
    numbers, end = _number_list(items, at)
    is_bare = any(item.value == "bare" for item in before)
    if numbers and [item.kind for item in items[end : end + 2]] == ["prep", "lines"] and (len(numbers) > 1 or is_bare):
        return numbers, end
    if part.kind not in ("lines", "places") or lead not in LEADS:
        return (), at
    if len(numbers) == 1 and items[at].text == "one":
        return (), at  # "just one"
    is_list = len(numbers) > 1 or lead in ("prep", "only", "colon", "from") or part.value == "bare"
    return (numbers, end) if is_list else ((), end)


def _number_list(items: Sequence[Item], at: int) -> tuple[tuple[int, ...], int]:
    """Return the places that a list of numbers means, and its end; a number before what it counts is none."""
    numbers: list[int] = []
    end = at
    spans = False
    while at < len(items) and len(numbers) <= SIZE and items[at].kind == "number" and 1 <= items[at].number <= SIZE:
        after = items[at + 1] if at + 1 < len(items) else Item("stop")
        if after.kind in COUNTED and after.text not in ("too", "as"):
            break
        number = items[at].number - 1
        numbers += range(numbers[-1] + 1, number + 1) if spans and numbers else [number]
        end = at = at + 1
        spans = False
        while at < len(items) and items[at].kind in ("comma", "and", "to") and items[at].text != "then":
            spans |= items[at].kind == "to"
            at += 1
        if at == end:
            break
    return tuple(numbers), end
