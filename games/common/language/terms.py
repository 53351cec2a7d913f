"""The words of a text about a grid as terms: what each word means there.

Rows of cells written out ("X ▢ ▢ X X", "#..##", "A B _ _ C") become one term. A typing error is corrected only where
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

from games.common.grids import GRID_CELLS, GRID_SIZE, Cell
from games.common.language.lexicon import Vocabulary
from games.common.language.tokens import CACHE_SIZE, MAX_LENGTH, Token, tokenize

WORD_TABLES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("grid_words.toml").read_text("utf-8"))
WORD_LISTS, SHAPES, MEANINGS, PHRASES, _RULES = WORD_TABLES.values()
RULES = SimpleNamespace(**_RULES)
KINDS: dict[str, tuple[str, str]] = {
    word: (kind.split(" ")[0], kind.partition(" ")[2]) for kind, words in MEANINGS.items() for word in words.split(" ")
}
SPELLER = Vocabulary([word for word in KINDS if len(word) > 4] + "checkerboard triangle chequerboard symmetric".split())
FILLED_MARKS, EMPTY_MARKS = "Xx#■█⬛✗✕✖×*@▣●▇", "▢□☐◻⬜_.·-○◯oO0"
_MARK = f"[{re.escape(FILLED_MARKS + EMPTY_MARKS)}A-Z1]"
_WRITTEN_ROW = re.compile(
    rf"(?<![^\s(|\"'/]){_MARK}(?:{_MARK}{{4}}|(?:[ ,|]+{_MARK})+)(?:/|(?=[.,;:!?)\"'|]*(?:\s|$)))"
)
VERTICAL_WAYS = {"up": "top", "down": "bottom"}
_CORNER_WORDS = re.compile(r"\b(left|right)[ -](up|down)(?=[ -]corner\b| to (?:left|right)\b|[,.;:]|$)", re.IGNORECASE)
CELLS_WORD = "marked0cells"
MARK_NAMES = {",": "comma", "(": "open", ")": "close", ".": "dot", "/": "slash", "=": "equals"}
"""What patterns call punctuation marks."""
MARK_WORDS = {**dict.fromkeys("▢□☐◻⬜_", " empty "), **dict.fromkeys("■█⬛✗✕✖▣▇", " X "), "×": "x", "…": ". ", "|": ";"}
Cells = frozenset[Cell]
INNER_CELLS: Cells = frozenset((row, column) for row in range(1, GRID_SIZE - 1) for column in range(1, GRID_SIZE - 1))
NAMED_CELLS = {"grid": frozenset(GRID_CELLS), "inside": INNER_CELLS, "border": frozenset(GRID_CELLS) - INNER_CELLS}
OPPOSITE = {"row": "column", "column": "row"}
OPPOSITE_SIDES = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
SIDE_AXES = {"top": "row", "bottom": "row", "left": "column", "right": "column"}


@dataclass(frozen=True)
class Term:
    """A word and what it means in a text about a grid, or a part of a grid; kind "word": it has no special meaning.

    `lines`: rows or columns by number; `places`: cells within a line; `cells`: cells of the whole grid, with their
    name; `side`: "the left"; `shape`. Rows, columns and cells count from 0.
    """

    kind: str
    sense: str = ""
    axis: str = ""
    at: tuple[int, ...] = ()
    cells: Cells = frozenset()
    rotated_cells: Cells = frozenset()
    """Of a block: where it may be instead, as people name height and width in either order."""
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
    def is_figure(self) -> bool:
        """Whether this is a shape, letter or line that filled cells make, not the X in a cell."""
        is_named = self.text in SHAPES or self.text.removesuffix("s") in SHAPES or self.text in words_for("line")
        is_letter = self.kind == "letter" and self.sense != "X"
        return is_named or is_letter or self.kind == "shape" or (self.kind, self.sense) == ("noun", "block")

    @property
    def is_centre(self) -> bool:
        """Whether this is "the centre" without a noun: after a line it is still that of the grid."""
        return (self.kind, self.text, self.axis) == ("places", "centre", "")

    @property
    def tags(self) -> list[str]:
        """The words that stand for it in a pattern: its kind in capitals, its value, its text, and what it is."""
        is_number, is_ordinal = self.kind == "number", self.kind == "ordinal"
        flags = {
            "PART": self.is_part,
            f"{self.sense}s": self.plural and bool(self.sense),
            "SAYS": self.kind in words_for("value_kind") or self.text in words_for("saying") or self.text in SHAPES,
            "COUNTS": self.kind in ("number", "not") or self.sense == "cell",
            "SMALL": is_number and 1 <= self.number <= GRID_SIZE,
            "SEVERAL": is_number and 1 < self.number < GRID_SIZE,
            "FIRST": is_ordinal and self.number == 1,
            "SECOND": is_ordinal and self.number == 2,
            "LAST": is_ordinal and self.number == -1,
            "PLACED": is_ordinal and -2 <= self.number <= GRID_SIZE,
            "CORNER": self.kind == "cells" and self.sense == "corner",
            "NEARBY": self.kind == "lines" and self.number > 0,
            "EDGE": self.kind == "lines" and bool(self.text),
            "ACROSS": self.kind == "side" and len(self.at) == GRID_SIZE,
            "BOTH": self.kind == "side" and self.at == (0, GRID_SIZE - 1),
            "FIGURE": self.is_figure,
            "ROWS": (self.kind, self.axis) == ("lines", "row"),
            "COLUMNS": (self.kind, self.axis) == ("lines", "column"),
            "ARTICLE": " " in self.source,
            "TOWARDS": self.kind == "side" and len(self.at) == 1,
        }
        text_tag = MARK_NAMES.get(self.text, self.text)
        return [self.kind.upper(), self.sense, text_tag, *(flag for flag, is_set in flags.items() if is_set)]


def has(terms: Iterable[Term], *tags: str) -> bool:
    """Return whether one of some terms has one of these tags."""
    return any(not set(tags).isdisjoint(term.tags) for term in terms)


def bounds_of(number: int, words: Set[str], upper_limit: int) -> tuple[int, int]:
    """Return the least and the greatest number that "more than 3", "at most 3" or "3" means."""
    if words & {"more", "over"}:
        return number + 1, upper_limit
    if words & {"fewer", "less"}:
        return 0, number - 1
    return 0 if "most" in words else number, upper_limit if "least" in words else number


@cache
def words_for(meaning: str) -> frozenset[str]:
    """Return the words of a meaning in `grid_words.toml`."""
    return frozenset(WORD_LISTS[meaning].split())


@lru_cache(maxsize=512)
def read_terms(text: str) -> tuple[Term, ...]:
    """Return the words of a text as terms, of which the first characters are read (`tokens.MAX_LENGTH`)."""
    is_list = text.startswith("- ")
    text = text[2:].replace(" - ", " ; ") if is_list else text
    text = re.sub(r"\bc(?=\d)", "column ", text) if re.search(r"\br\d", text) else text  # "r1 c1 c5"
    text = _CORNER_WORDS.sub(lambda match: f"{VERTICAL_WAYS[match[2].lower()]} {match[1]}", text)
    prepared_text, mark_rows = _take_mark_rows(text[:MAX_LENGTH])
    tokens = [replace(token, text=token.text.removesuffix("'s")) for token in tokenize(prepared_text)]
    terms: list[Term] = []
    articles = ""
    for index, token in enumerate(tokens):
        if token.text == CELLS_WORD and mark_rows:
            row_marks = mark_rows.pop(0)
            terms.append(Term("marks", marks=row_marks, source=" ".join(cell or "▢" for cell in row_marks)))
            continue
        source_text = "" if index and tokens[index - 1].start == token.start else token.raw
        first_term, *other_terms = _read_token(token, tokens, index)
        if first_term.kind == "article":
            articles += f"{source_text} "
        else:
            terms += [replace(first_term, source=articles + source_text), *other_terms]
            articles = ""
    return tuple(terms)


def _take_mark_rows(text: str) -> tuple[str, list[tuple[str, ...]]]:
    """Replace rows of five cells that are written out by a word, and return these rows."""
    mark_rows: list[tuple[str, ...]] = []

    def take_row(row_match: re.Match[str]) -> str:
        row_text = row_match[0].removesuffix("/")
        characters = [character for character in row_text if character not in " ,|"]
        is_word = len(row_text) == GRID_SIZE and row_text.isalpha() and not _is_row(row_text)
        is_ended = len(characters) % GRID_SIZE == 1 and characters[-1] == "."
        marks = characters[:-1] if is_ended else characters
        has_numbers = not {"0", "1"}.isdisjoint(marks) and not set(marks) <= {"0", "1"}
        if is_word or has_numbers or len(marks) not in (GRID_SIZE, GRID_SIZE * GRID_SIZE):
            return row_match[0]
        new_rows = [
            tuple(map(_read_cell, marks[index : index + GRID_SIZE])) for index in range(0, len(marks), GRID_SIZE)
        ]
        mark_rows.extend(new_rows)
        return f" {CELLS_WORD}" * len(new_rows) + " ." * is_ended

    prepared_text = re.sub(r"(?<=\d)[-–—](?=\d)", " to ", _WRITTEN_ROW.sub(take_row, text))
    return "".join(MARK_WORDS.get(character, character) for character in prepared_text), mark_rows


def _is_row(word: str) -> bool:
    """Return whether a word is a row of cells: "WWWWW", "ABABA", "xoxxo"."""
    return set(word.lower()) <= set("xo") or (word.isupper() and len(set(word)) < 3)


def _read_cell(character: str) -> str:
    if character in EMPTY_MARKS and character != "O":
        return ""
    return character if character.isupper() and character.isascii() else "X"


def _read_token(token: Token, tokens: list[Token], index: int) -> Iterator[Term]:
    """Yield the terms of a token: several for "3x3", "2×4", "r2c3", "row2" and "r2"."""
    word = token.text
    if pair := re.fullmatch(r"(\d)x(\d)", word):
        yield from (Term("number", number=int(pair[1])), Term("word", text="by"), Term("number", number=int(pair[2])))
    elif line_match := re.fullmatch(r"r(?:ow)?(\d)(?:c(\d))?|col(?:umn)?(\d)", word):
        for noun, number in zip(("row", "column", "column"), line_match.groups(), strict=True):
            yield from (Term("noun", noun), Term("number", number=int(number))) if number else ()
    elif letter_run := re.fullmatch(r"([A-Zx])\1{1,4}", token.raw):
        yield Term("number", "run", number=len(word), text=word)
        yield Term("letter", letter_run[1].upper(), text=word, plural=True)
    elif letter := _find_letter(token, tokens, index):
        yield Term("letter", letter, text=word, plural=len(token.raw) > 1)
    elif token.ordinal_number is not None or word in ("penultimate", "forth"):
        yield Term("ordinal", number=token.ordinal_number or (-2 if word == "penultimate" else 4), text=word)
    elif token.number is not None:
        yield Term("number", number=token.number, text=word)
    else:
        yield replace(_find_term(word), number={"twice": 2, "once": 1, "single": 1}.get(word, 0))


@lru_cache(CACHE_SIZE)
def _find_term(word: str) -> Term:
    """Return the term of a word by its meaning, its singular's, or that of the word that was meant."""
    for form in (word, SPELLER.correct_word(word)):
        for candidate in (form, form.removesuffix("s")):
            if candidate in KINDS:
                kind, meaning = KINDS[candidate]
                return Term(kind, meaning, text=candidate if kind != "noun" else form, plural=form.endswith("s"))
    return Term("word", text=SPELLER.correct_word(word))


def _find_letter(token: Token, tokens: list[Token], index: int) -> str:
    """Return the capital letter that a token names ("X", "Xs", "the letter x", "'x'"), "" if it names none."""
    raw_text = token.raw
    if plural_match := re.fullmatch(r"([B-HJ-TV-Z])s|([A-Z])['’]s", raw_text):  # "As", "Is" and "Us" are words
        return plural_match[1] or plural_match[2]
    is_short = raw_text.islower() and token.text != raw_text  # "r" for "are"
    if len(raw_text) != 1 or not raw_text.isascii() or not raw_text.isalpha() or is_short:
        return ""
    word_before = tokens[index - 1].text if index else "."
    is_letter = word_before in ("letter", "letters", "an", "a") or token.is_quoted
    return raw_text.upper() if is_letter or not _is_word(raw_text, word_before, tokens[index + 1 : index + 3]) else ""


def _is_word(raw: str, word_before: str, following_tokens: list[Token]) -> bool:
    """Return whether a single letter is a word ("a", "I", "A 3 wide block"), by the words around it."""
    next_word = following_tokens[0].raw if following_tokens else ""
    if raw in "ai" or (raw.islower() and next_word == ".") or (raw == "I" and next_word in words_for("after_i")):
        return True
    if raw not in "AI" or word_before not in words_for("clause_start") | {".", ";", "\n", "?", "!", ","}:
        return False
    if raw == "A" and next_word.isdigit():
        return following_tokens[-1].text in words_for("size")
    return len(next_word) > 1 and next_word.islower() and next_word not in words_for("after_pronoun")


def find_letters(text: str) -> list[str]:
    """Return the letters that a text names, in order; rows written out count too."""
    letter_groups = (term.marks or (term.sense,) for term in read_terms(text) if term.kind in ("letter", "marks"))
    return [letter for letter_group in letter_groups for letter in letter_group if letter]
