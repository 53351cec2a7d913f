"""English about grids, token by token: what each word means there (`Sign`).

Rows of cells written out ("X ▢ ▢ X X", "#..##", "A B _ _ C") become one sign. A typing error is corrected only where
the word is not English and exactly one word of the vocabulary is one error away. Linear in the length of the text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from games.common.language.lexicon import Vocabulary
from games.common.language.tokens import Token, tokenize

TABLES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("grid_words.toml").read_text("utf-8"))
WORDS, SHAPE_WORDS, MEANINGS = TABLES.values()
KINDS: dict[str, tuple[str, str]] = {
    word: (kind.split(" ")[0], kind.partition(" ")[2]) for kind, words in MEANINGS.items() for word in words.split(" ")
}
FILLED_MARKS, EMPTY_MARKS = "Xx#■█⬛✗✕✖×*@▣●▇", "▢□☐◻⬜_.·-○◯oO0"
ORDINAL_WORDS = {"penultimate": -2, "forth": 4}
CELLS_WORD = "marked0cells"
WORD_MARKS = {**dict.fromkeys("▢□☐◻⬜_", " empty "), **dict.fromkeys("■█⬛✗✕✖▣▇", " X "), "×": "x", "…": ". "}
PRONOUN_FOLLOWERS = frozenset("in at on to into for from is along down goes should with".split())
KNOWN = Vocabulary([word for word in KINDS if len(word) > 4] + "checkerboard triangle chequerboard symmetric".split())


@dataclass(frozen=True)
class Sign:
    """A word and what it means in a text about a grid; `kind` "word" where it has no special meaning."""

    kind: str
    value: str = ""
    number: int = 0
    text: str = ""
    plural: bool = False
    cells: tuple[str, ...] = ()
    """Of a row written out: five letters, "" for an empty cell."""
    source: str = ""
    """As it was written, with the articles before it."""


@lru_cache(maxsize=512)
def read_signs(text: str) -> tuple[Sign, ...]:
    """Return the signs of a text, of which the first characters are read (`tokens.MAX_TEXT`)."""
    prepared, rows = _take_rows(text)
    tokens = [
        replace(token, text=token.text.removesuffix("'s"), raw=_without_apostrophe(token.raw))
        for token in tokenize(prepared)
    ]
    signs: list[Sign] = []
    for at, token in enumerate(tokens):
        if token.text == CELLS_WORD and rows:
            cells = rows.pop(0)
            signs.append(Sign("marks", cells=cells, source=" ".join(cell or "▢" for cell in cells)))
        else:
            source = token.raw if not at or tokens[at - 1].start != token.start else ""
            for sign in _signs_of(token, tokens, at):
                signs.append(replace(sign, source=source))
                source = ""
    return tuple(signs)


def _without_apostrophe(raw: str) -> str:
    """Return "Ls" for "L's", the usual plural of a letter."""
    if len(raw) != 3 or raw[1:] not in ("'s", "\u2019s"):
        return raw
    return raw[0] if raw[0] in "AIU" else f"{raw[0]}s"  # "As", "Is" and "Us" are words


def _take_rows(text: str) -> tuple[str, list[tuple[str, ...]]]:
    """Replace rows of five cells that are written out by a word, and return these rows."""
    rows: list[tuple[str, ...]] = []
    lines: list[str] = []
    for line in text[:MAX_LINE].split("\n"):
        pieces = line.replace("|", " ").split(" ")
        pieces_kept: list[str] = []
        at = 0
        while at < len(pieces):
            length, cells = _row_at(pieces, at)
            if cells:
                rows.append(cells)
                pieces_kept.append(f" {CELLS_WORD} {_end_mark(pieces[at + length - 1])}")
            else:
                pieces_kept.append(pieces[at])
            at += max(1, length)
        lines.append(" ".join(pieces_kept))
    joined = "\n".join(lines)
    return "".join(WORD_MARKS.get(sign, sign) for sign in _with_ranges(joined)), rows


MAX_LINE = 3_000


def _end_mark(piece: str) -> str:
    return piece[-1] if len(piece) > 1 and piece[-1] in ".,;:!?" else ""


def _with_ranges(text: str) -> str:
    """Write "1-4" as "1 to 4"."""
    signs = [
        " to "
        if sign in "-–—" and 0 < at < len(text) - 1 and text[at - 1].isdigit() and text[at + 1].isdigit()
        else sign
        for at, sign in enumerate(text)
    ]
    return "".join(signs)


def _row_at(pieces: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """Return how many pieces from here on write out a row of five cells, and the row; (0, ()) if none do."""
    piece = pieces[at].strip(",;:!?()\"'")
    if len(piece) in (5, 6) and all(map(_is_mark, piece[:5])) and piece[5:] in ("", "."):
        if not piece[:5].isalpha() or set(piece.lower()) <= set("xo."):
            return 1, tuple(_cell(sign) for sign in piece[:5])
    group = [piece.rstrip(",") for piece in pieces[at : at + 5]]
    if len(group) == 5 and len(group[-1]) > 1:
        group[-1] = group[-1].rstrip(".;:!?")
    if not _is_row(group):
        return 0, ()
    before = pieces[at - 1].strip(",") if at else ""
    after = pieces[at + 5] if len(pieces) > at + 5 else ""
    is_alone = not _is_single_mark(before) and (not _is_single_mark(after) or after == ".")
    is_whole_grid = len(pieces) >= at + 25 and at % 5 == 0
    return (5, tuple(_cell(sign) for sign in group)) if is_alone or is_whole_grid else (0, ())


def _is_row(group: list[str]) -> bool:
    """Return whether these are the marks of five cells: numbers only if all are 0 or 1."""
    numbers = set(group) & set("0123456789")
    return len(group) == 5 and all(map(_is_single_mark, group)) and (not numbers or set(group) <= {"0", "1"})


def _is_single_mark(piece: str) -> bool:
    return len(piece) == 1 and _is_mark(piece)


def _is_mark(sign: str) -> bool:
    return sign in FILLED_MARKS or sign in EMPTY_MARKS or sign.isupper() or sign == "1"


def _cell(sign: str) -> str:
    if sign in EMPTY_MARKS and sign not in "O":
        return ""
    return sign if sign.isupper() and sign.isascii() else "X"


def _signs_of(token: Token, tokens: list[Token], at: int) -> Iterator[Sign]:
    """Yield the signs of a token: usually one."""
    word, raw = token.text, token.raw
    size = _size(word)
    if size:
        yield from size
    elif letter := _letter(token, tokens, at):
        yield Sign("letter", letter, text=word, plural=len(raw) == 2)
    elif token.ordinal is not None:
        yield Sign("ordinal", number=token.ordinal, text=word)
    elif word in ORDINAL_WORDS:
        yield Sign("ordinal", number=ORDINAL_WORDS[word], text=word)
    elif token.number is not None or word in ("twice", "once", "single"):
        yield Sign(
            "number",
            number={"twice": 2}.get(word, token.number or 1) if token.number is None else token.number,
            text=word,
        )
    else:
        yield _meaning(word)


@cache
def _meaning(word: str) -> Sign:
    """Return the sign of a word by its meaning, its singular's, or that of the word that was meant."""
    for form in (word, KNOWN.correct(word)):
        for candidate in (form, form.removesuffix("s")):
            if candidate in KINDS:
                kind, value = KINDS[candidate]
                return Sign(kind, value, text=candidate if kind != "noun" else form, plural=form.endswith("s"))
    corrected = KNOWN.correct(word)
    return Sign("word", corrected, text=corrected)


def _size(word: str) -> tuple[Sign, ...]:
    """Read "3x3", "2×4" and "r2c3"."""
    if len(word) == 3 and word[0].isdigit() and word[2].isdigit() and word[1] == "x":
        return (Sign("number", number=int(word[0])), Sign("word", "by", text="by"), Sign("number", number=int(word[2])))
    if len(word) == 4 and word[0] == "r" and word[2] == "c" and (word[1] + word[3]).isdigit():
        line = [Sign("noun", "row"), Sign("number", number=int(word[1])), Sign("noun", "column")]
        return (*line, Sign("number", number=int(word[3])))
    return ()


CLAUSE_STARTS = (".", ";", "\n", "?", "!", "then", "and", ",")
SIZE_WORDS = frozenset("by x wide high tall long column row".split())
PLURAL_LETTERS = frozenset(ascii_uppercase) - {"A", "I", "U"}
"""Letters with a plural that is no word, unlike "As", "Is" and "Us"."""


def _letter(token: Token, tokens: list[Token], at: int) -> str:
    """Return the capital letter that a token names ("X", "Xs", "the letter x", "'x'"), "" if it names none."""
    raw = token.raw
    if len(raw) == 2 and raw[1] == "s" and raw[0] in PLURAL_LETTERS:
        return raw[0]
    if len(raw) != 1 or not raw.isascii() or not raw.isalpha():
        return ""
    before = tokens[at - 1].text if at else "."
    is_letter = before in ("letter", "letters", "an", "a") or token.quoted
    return raw.upper() if is_letter or not _is_word(raw, before, tokens[at + 1 : at + 3]) else ""


def _is_word(raw: str, before: str, following: list[Token]) -> bool:
    """Return whether a single letter is a word ("a", "I", "A 3 wide block"), by the words around it."""
    after = following[0].raw if following else ""
    if raw in "ai" or (raw.islower() and after == "."):
        return True
    if raw not in "AI" or before not in CLAUSE_STARTS:
        return False
    if raw == "A" and after.isdigit():
        return len(following) > 1 and following[1].text in SIZE_WORDS
    return len(after) > 1 and after.islower() and after not in PRONOUN_FOLLOWERS


def letters_in(text: str) -> list[str]:
    """Return the letters that a text names, in order; rows written out count too."""
    return [
        letter
        for sign in read_signs(text)
        for letter in ([sign.value] if sign.kind == "letter" else sign.cells if sign.kind == "marks" else ())
        if letter
    ]
