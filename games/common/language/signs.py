"""The words of a text about a grid as items: what each word means there.

Rows of cells written out ("X ▢ ▢ X X", "#..##", "A B _ _ C") become one item. A typing error is corrected only where
the word is not English and exactly one word of the vocabulary is one error away. Linear in the length of the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from games.common.grids import CELLS, SIZE, Cell
from games.common.language.lexicon import Vocabulary
from games.common.language.tokens import MANY_WORDS, MAX_TEXT, Token, tokenize

TABLES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("grid_words.toml").read_text("utf-8"))
WORDS, SHAPES, MEANINGS, PHRASES, _RULES = TABLES.values()
RULES = SimpleNamespace(**_RULES)
KINDS: dict[str, tuple[str, str]] = {
    word: (kind.split(" ")[0], kind.partition(" ")[2]) for kind, words in MEANINGS.items() for word in words.split(" ")
}
KNOWN = Vocabulary([word for word in KINDS if len(word) > 4] + "checkerboard triangle chequerboard symmetric".split())
FILLED_MARKS, EMPTY_MARKS = "Xx#■█⬛✗✕✖×*@▣●▇", "▢□☐◻⬜_.·-○◯oO0"
_MARK = f"[{re.escape(FILLED_MARKS + EMPTY_MARKS)}A-Z1]"
_WRITTEN = re.compile(rf"(?<![^\s(|\"']){_MARK}(?:{_MARK}{{4}}|(?:[ ,|]+{_MARK})+)(?=[.,;:!?)\"'|]*(?:\s|$))")
CELLS_WORD = "marked0cells"
MARK_WORDS = {**dict.fromkeys("▢□☐◻⬜_", " empty "), **dict.fromkeys("■█⬛✗✕✖▣▇", " X "), "×": "x", "…": ". "}
Cells = frozenset[Cell]
INNER: Cells = frozenset((row, column) for row in range(1, SIZE - 1) for column in range(1, SIZE - 1))
NAMED_CELLS = {"grid": frozenset(CELLS), "inside": INNER, "border": frozenset(CELLS) - INNER}
OPPOSITE = {"row": "column", "column": "row"}
SIDE_AXES = {"top": "row", "bottom": "row", "left": "column", "right": "column"}


@dataclass(frozen=True)
class Item:
    """A word and what it means in a text about a grid, or a part of a grid; kind "word": it has no special meaning.

    `lines`: rows or columns by number; `places`: cells within a line; `cells`: cells of the whole grid, with their
    name; `side`: "the left"; `shape`. Rows, columns and cells count from 0.
    """

    kind: str
    value: str = ""
    axis: str = ""
    at: tuple[int, ...] = ()
    cells: Cells = frozenset()
    number: int = 0
    text: str = ""
    marks: tuple[str, ...] = ()
    """Of a row written out: five letters, "" for an empty cell."""
    plural: bool = False
    source: str = ""
    """As it was written, with the articles before it."""

    @property
    def is_part(self) -> bool:
        """Whether this is a part of a grid."""
        return self.kind in ("lines", "places", "cells")

    @property
    def tags(self) -> list[str]:
        """The words that stand for it in a pattern: its kind in capitals, its value, its text, and what it is."""
        is_number, is_ordinal = self.kind == "number", self.kind == "ordinal"
        flags = {
            "PART": self.is_part,
            f"{self.value}s": self.plural and bool(self.value),
            "SAYS": self.kind in words_for("value_kind") or self.text in words_for("line") or self.text in SHAPES,
            "COUNTS": self.kind in ("number", "not") or self.value == "cell",
            "SMALL": is_number and 1 <= self.number <= SIZE,
            "SEVERAL": is_number and 1 < self.number < SIZE,
            "FIRST": is_ordinal and self.number == 1,
            "SECOND": is_ordinal and self.number == 2,
            "LAST": is_ordinal and self.number == -1,
            "PLACED": is_ordinal and -2 <= self.number <= SIZE,
            "CORNER": self.kind == "cells" and self.value == "corner",
            "EDGE": self.kind == "lines" and bool(self.text),
            "ACROSS": self.kind == "side" and len(self.at) == SIZE,
            "BOTH": self.kind == "side" and self.at == (0, SIZE - 1),
            "TOWARDS": self.kind == "side" and len(self.at) == 1,
        }
        text = {",": "comma", "(": "open", ")": "close", ".": "dot", "/": "slash"}.get(self.text, self.text)
        return [self.kind.upper(), self.value, text, *(flag for flag, is_set in flags.items() if is_set)]


def has(items: Iterable[Item], *tags: str) -> bool:
    """Return whether one of some items has one of these tags."""
    return any(not set(tags).isdisjoint(item.tags) for item in items)


def bounds_of(number: int, words: Set[str], most: int) -> tuple[int, int]:
    """Return the least and the greatest number that "more than 3", "at most 3" or "3" means."""
    if words & {"more", "over"}:
        return number + 1, most
    if words & {"fewer", "less"}:
        return 0, number - 1
    return 0 if "most" in words else number, most if "least" in words else number


@cache
def words_for(meaning: str) -> frozenset[str]:
    """Return the words of a meaning in `grid_words.toml`."""
    return frozenset(WORDS[meaning].split())


@lru_cache(maxsize=512)
def read_signs(text: str) -> tuple[Item, ...]:
    """Return the words of a text as items, of which the first characters are read (`tokens.MAX_TEXT`)."""
    prepared, rows = _take_rows(text[:MAX_TEXT])
    tokens = [replace(token, text=token.text.removesuffix("'s")) for token in tokenize(prepared)]
    items: list[Item] = []
    articles = ""
    for at, token in enumerate(tokens):
        if token.text == CELLS_WORD and rows:
            cells = rows.pop(0)
            items.append(Item("marks", marks=cells, source=" ".join(cell or "▢" for cell in cells)))
            continue
        source = "" if at and tokens[at - 1].start == token.start else token.raw
        first, *rest = _items_of(token, tokens, at)
        if first.kind == "article":
            articles += f"{source} "
        else:
            items += [replace(first, source=articles + source), *rest]
            articles = ""
    return tuple(items)


def _take_rows(text: str) -> tuple[str, list[tuple[str, ...]]]:
    """Replace rows of five cells that are written out by a word, and return these rows."""
    rows: list[tuple[str, ...]] = []

    def take(written: re.Match[str]) -> str:
        signs = [sign for sign in written[0] if sign not in " ,|"]
        is_word = len(written[0]) == SIZE and written[0].isalpha() and not _is_row(written[0])
        is_ended = len(signs) % SIZE == 1 and signs[-1] == "."
        marks = signs[:-1] if is_ended else signs
        has_numbers = not {"0", "1"}.isdisjoint(marks) and not set(marks) <= {"0", "1"}
        if is_word or has_numbers or len(marks) not in (SIZE, SIZE * SIZE):
            return written[0]
        found_rows = [tuple(map(_cell, marks[at : at + SIZE])) for at in range(0, len(marks), SIZE)]
        rows.extend(found_rows)
        return f" {CELLS_WORD}" * len(found_rows) + " ." * is_ended

    taken = re.sub(r"(?<=\d)[-–—](?=\d)", " to ", _WRITTEN.sub(take, text))
    return "".join(MARK_WORDS.get(sign, sign) for sign in taken), rows


def _is_row(word: str) -> bool:
    """Return whether a word is a row of cells: "WWWWW", "ABABA", "xoxxo"."""
    return set(word.lower()) <= set("xo") or (word.isupper() and len(set(word)) < 3)


def _cell(sign: str) -> str:
    if sign in EMPTY_MARKS and sign != "O":
        return ""
    return sign if sign.isupper() and sign.isascii() else "X"


def _items_of(token: Token, tokens: list[Token], at: int) -> Iterator[Item]:
    """Yield the items of a token: several for "3x3", "2×4" and "r2c3"."""
    word = token.text
    if size := re.fullmatch(r"(\d)x(\d)", word):
        yield from (Item("number", number=int(size[1])), Item("word", text="by"), Item("number", number=int(size[2])))
    elif cell := re.fullmatch(r"r(\d)c(\d)", word):
        for noun, number in zip(("row", "column"), cell.groups(), strict=True):
            yield from (Item("noun", noun), Item("number", number=int(number)))
    elif letter := _letter(token, tokens, at):
        yield Item("letter", letter, text=word, plural=len(token.raw) > 1)
    elif token.ordinal is not None or word in ("penultimate", "forth"):
        yield Item("ordinal", number=token.ordinal or (-2 if word == "penultimate" else 4), text=word)
    elif token.number is not None:
        yield Item("number", number=token.number, text=word)
    else:
        yield replace(_meaning(word), number={"twice": 2, "once": 1, "single": 1}.get(word, 0))


@lru_cache(MANY_WORDS)
def _meaning(word: str) -> Item:
    """Return the item of a word by its meaning, its singular's, or that of the word that was meant."""
    for form in (word, KNOWN.correct(word)):
        for candidate in (form, form.removesuffix("s")):
            if candidate in KINDS:
                kind, value = KINDS[candidate]
                return Item(kind, value, text=candidate if kind != "noun" else form, plural=form.endswith("s"))
    return Item("word", text=KNOWN.correct(word))


def _letter(token: Token, tokens: list[Token], at: int) -> str:
    """Return the capital letter that a token names ("X", "Xs", "the letter x", "'x'"), "" if it names none."""
    raw = token.raw
    if plural := re.fullmatch(r"([B-HJ-TV-Z])s|([A-Z])['’]s", raw):  # "As", "Is" and "Us" are words
        return plural[1] or plural[2]
    if len(raw) != 1 or not raw.isascii() or not raw.isalpha():
        return ""
    before = tokens[at - 1].text if at else "."
    is_letter = before in ("letter", "letters", "an", "a") or token.quoted
    return raw.upper() if is_letter or not _is_word(raw, before, tokens[at + 1 : at + 3]) else ""


def _is_word(raw: str, before: str, following: list[Token]) -> bool:
    """Return whether a single letter is a word ("a", "I", "A 3 wide block"), by the words around it."""
    after = following[0].raw if following else ""
    if raw in "ai" or (raw.islower() and after == ".") or (raw == "I" and after in words_for("after_i")):
        return True
    if raw not in "AI" or before not in words_for("clause_start") | {".", ";", "\n", "?", "!", ","}:
        return False
    if raw == "A" and after.isdigit():
        return following[-1].text in words_for("size")
    return len(after) > 1 and after.islower() and after not in words_for("after_pronoun")


def letters_in(text: str) -> list[str]:
    """Return the letters that a text names, in order; rows written out count too."""
    letters = (item.marks or (item.value,) for item in read_signs(text) if item.kind in ("letter", "marks"))
    return [letter for group in letters for letter in group if letter]
