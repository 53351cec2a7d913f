"""Splits English text into tokens in linear time: words, numbers and punctuation, with contractions written out.

`tokenize("There isn't a grey cup.")` gives there, is, not, a, grey, cup and the full stop. Spelling is British, numbers
in words have their value, and each token keeps its place in the text. What is longer than `MAX_LENGTH` is cut.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

MAX_LENGTH, CACHE_SIZE = 3_000, 4_096
"""Characters of a text that are read, and words of people that are remembered."""

_SPELLING: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("spelling.toml").read_text("utf-8"))
CONTRACTIONS, WHOLE_CONTRACTIONS, BRITISH_SPELLINGS, NUMBER_WORDS, ORDINAL_WORDS = _SPELLING.values()
SMALL_NUMBER_WORDS = list(NUMBER_WORDS)[:21]
"""The words for zero to twenty."""
WORDS_BEFORE_IS = frozenset("it there that what where who he she here how everything one which this".split())
"""Words after which 's means "is"."""
QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})
SENTENCE_ENDS = frozenset(".!?\n;")
SIDE_LETTERS = {"L": "left", "R": "right"}
"""Letters that are sides before or after some words; elsewhere L is a piece, and R a letter of a grid."""
WORDS_BEFORE_SIDE = frozenset("top bottom upper lower middle mid opens open points pointing facing faces".split())
WORDS_BEFORE_LETTER = frozenset("a an the letter like normal small capital lowercase".split())
WORDS_AFTER_SIDE = frozenset("side edge border corner hand half third col cols column columns + /".split())


@dataclass(frozen=True)
class Token:
    """A word, number or punctuation mark. `text` is lower case and British, `raw` as it was written."""

    text: str
    raw: str
    start: int
    end: int
    number: int | None = None
    """The value of a number in digits or words."""
    ordinal_number: int | None = None
    """The place that `first` or `3rd` means, from 1; -1 for `last`."""
    is_quoted: bool = False
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
    """Return the tokens of the first `MAX_LENGTH` characters of a text."""
    return _tokenize(text[:MAX_LENGTH])


@lru_cache(maxsize=256)
def _tokenize(text: str) -> tuple[Token, ...]:
    text = text.translate(QUOTES)
    tokens: list[Token] = []
    index, is_quoted = 0, False
    while index < len(text):
        character = text[index]
        if character.isalnum():
            word_end = _find_word_end(text, index)
            tokens += _split_word(text[index:word_end], index, is_quoted)
            index = word_end
            continue
        if character == '"':
            is_quoted = not is_quoted
        elif character in ".,;:!?()&+/-=" or (character == "\n" and tokens):
            tokens.append(Token(character, character, index, index + 1))
        index += 1
    return tuple(_write_out_letters(tokens))


def _write_out_letters(tokens: list[Token]) -> list[Token]:
    """Return tokens with "left" for L, "right" for R and "and" for n: "top L corner", "on the R", "filled n empty"."""
    words = ["", "", "", *(token.text for token in tokens), ""]
    may_be_side = [o.raw in SIDE_LETTERS and _may_be_side(words[i : i + 5]) for i, o in enumerate(tokens)]
    has_right = any(token.raw == "R" for token, is_possible in zip(tokens, may_be_side, strict=True) if is_possible)
    for index, token in enumerate(tokens):
        before, _, next_word = words[index + 2 : index + 5]
        is_clear = next_word in WORDS_AFTER_SIDE or (next_word == ":" and before in WORDS_BEFORE_SIDE)
        if may_be_side[index] and (is_clear or has_right):  # L is a piece, too: "the top L"
            tokens[index] = replace(token, text=SIDE_LETTERS[token.raw], raw=SIDE_LETTERS[token.raw])
        elif token.raw == "n" and before not in WORDS_BEFORE_LETTER and before.isalpha() and next_word.isalpha():
            tokens[index] = replace(token, text="and", raw="and")  # "filled n empty"
    return tokens


def _may_be_side(words: Sequence[str]) -> bool:
    """Return whether the fourth of five words, a letter, may be a side: "on the R", "top L", "R edge"."""
    is_placed = words[0] != "next" and words[1] in ("on", "to", "at", "from") and words[2] == "the"
    return is_placed or words[2] in WORDS_BEFORE_SIDE or words[4] in WORDS_AFTER_SIDE


def _find_word_end(text: str, index: int) -> int:
    """Return the end of the word at a place: letters and digits, joined by single hyphens and apostrophes."""
    word_end = index + 1
    while word_end < len(text):
        is_joined = text[word_end] in "'-" and text[word_end + 1 : word_end + 2].isalnum()
        if not (text[word_end].isalnum() or is_joined or unicodedata.combining(text[word_end])):
            break
        word_end += 1
    return word_end


def _split_word(raw_text: str, start: int, is_quoted: bool) -> list[Token]:
    """Return the tokens of a word: several for a contraction or a compound with hyphens."""
    word = raw_text.lower()
    if word in WHOLE_CONTRACTIONS and raw_text != "R":
        return [make_token(word_part, raw_text, start, is_quoted) for word_part in WHOLE_CONTRACTIONS[word].split()]
    for ending, full_word in CONTRACTIONS.items():
        stem = raw_text[: -len(ending)]
        is_owner = ending == "'s" and word[:-2] not in WORDS_BEFORE_IS  # "teacher's": a vocabulary decides
        if stem and word.endswith(ending) and not is_owner:
            next_token = make_token(full_word, raw_text[len(stem) :], start + len(stem), is_quoted)
            return [*_split_word(stem, start, is_quoted), next_token]
    tokens: list[Token] = []
    for word_part in raw_text.split("-"):
        tokens.append(make_token(word_part, word_part, start, is_quoted))
        start += len(word_part) + 1
    return tokens


def make_token(text: str, raw_text: str, start_index: int, is_quoted: bool = False) -> Token:
    """Return the token of one word in British spelling, with its value if it is a number."""
    word = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c)) or text
    word = word if word.endswith("'s") else word.replace("'", "")
    stem = word.removesuffix("'s")
    word = BRITISH_SPELLINGS.get(stem, stem) + word[len(stem) :] or text
    number_value, ordinal_number = NUMBER_WORDS.get(word), ORDINAL_WORDS.get(word)
    digits = word.rstrip("sthndr")
    if digits.isascii() and digits.isdigit() and len(digits) <= 6:
        number_value = int(digits) if word == digits else None
        ordinal_number = int(digits) if word[len(digits) :] in ("st", "nd", "rd", "th") else None
    return Token(word, raw_text, start_index, start_index + len(raw_text), number_value, ordinal_number, is_quoted)
