"""Splits English text into tokens in linear time: words, numbers and punctuation, with contractions written out.

`tokenize("There isn't a grey cup.")` gives there, is, not, a, grey, cup and the full stop. Spelling is British, numbers
in words have their value, and each token keeps its place in the text. What is longer than `MAX_TEXT` is cut.
"""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

MAX_TEXT, MANY_WORDS = 3_000, 4_096
"""Characters of a text that are read, and words of people that are remembered."""

_SPELLING: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("spelling.toml").read_text("utf-8"))
CONTRACTIONS, WHOLE_CONTRACTIONS, BRITISH, NUMBER_WORDS, ORDINAL_WORDS = _SPELLING.values()
SMALL_NUMBERS = list(NUMBER_WORDS)[:21]
"""The words for zero to twenty."""
BEFORE_IS = frozenset("it there that what where who he she here how everything one which this".split())
"""Words after which 's means "is"."""
QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})
SENTENCE_ENDS = frozenset(".!?\n;")


@dataclass(frozen=True)
class Token:
    """A word, number or punctuation mark. `text` is lower case and British, `raw` as it was written."""

    text: str
    raw: str
    start: int
    end: int
    number: int | None = None
    """The value of a number in digits or words."""
    ordinal: int | None = None
    """The place that `first` or `3rd` means, from 1; -1 for `last`."""
    quoted: bool = False
    plural: bool = False
    """Whether it is a noun in the plural; set by a vocabulary."""

    @property
    def is_word(self) -> bool:
        """Whether this is a word or number, no punctuation mark."""
        return self.text[0].isalnum()

    @property
    def ends_sentence(self) -> bool:
        """Whether a sentence ends with this mark."""
        return self.text in SENTENCE_ENDS


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of the first `MAX_TEXT` characters of a text."""
    return _tokenize(text[:MAX_TEXT])


@lru_cache(maxsize=256)
def _tokenize(text: str) -> tuple[Token, ...]:
    text = text.translate(QUOTES)
    tokens: list[Token] = []
    at, quoted = 0, False
    while at < len(text):
        character = text[at]
        if character.isalnum():
            end = _word_end(text, at)
            tokens += _word_tokens(text[at:end], at, quoted)
            at = end
            continue
        if character == '"':
            quoted = not quoted
        elif character in ".,;:!?()&+/-=" or (character == "\n" and tokens):
            tokens.append(Token(character, character, at, at + 1))
        at += 1
    return tuple(tokens)


def _word_end(text: str, at: int) -> int:
    """Return the end of the word at a place: letters and digits, joined by single hyphens and apostrophes."""
    end = at + 1
    while end < len(text):
        joins = text[end] in "'-" and text[end + 1 : end + 2].isalnum()
        if not (text[end].isalnum() or joins or unicodedata.combining(text[end])):
            break
        end += 1
    return end


def _word_tokens(raw: str, start: int, quoted: bool) -> list[Token]:
    """Return the tokens of a word: several for a contraction or a compound with hyphens."""
    word = raw.lower()
    if word in WHOLE_CONTRACTIONS:
        return [make_token(part, raw, start, quoted) for part in WHOLE_CONTRACTIONS[word].split()]
    for ending, full in CONTRACTIONS.items():
        stem = raw[: -len(ending)]
        is_owner = ending == "'s" and word[:-2] not in BEFORE_IS  # "teacher's": a vocabulary decides
        if stem and word.endswith(ending) and not is_owner:
            following = make_token(full, raw[len(stem) :], start + len(stem), quoted)
            return [*_word_tokens(stem, start, quoted), following]
    tokens: list[Token] = []
    for part in raw.split("-"):
        tokens.append(make_token(part, part, start, quoted))
        start += len(part) + 1
    return tokens


def make_token(text: str, raw: str, start: int, quoted: bool = False) -> Token:
    """Return the token of one word in British spelling, with its value if it is a number."""
    word = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c)) or text
    word = word if word.endswith("'s") else word.replace("'", "")
    stem = word.removesuffix("'s")
    word = BRITISH.get(stem, stem) + word[len(stem) :] or text
    number, ordinal = NUMBER_WORDS.get(word), ORDINAL_WORDS.get(word)
    digits = word.rstrip("sthndr")
    if digits.isascii() and digits.isdigit() and len(digits) <= 6:
        number = int(digits) if word == digits else None
        ordinal = int(digits) if word[len(digits) :] in ("st", "nd", "rd", "th") else None
    return Token(word, raw, start, start + len(raw), number, ordinal, quoted)
