"""Splits English text into tokens in linear time: words, numbers and punctuation, with contractions written out.

`tokenize("There isn't a grey cup.")` gives there, is, not, a, grey, cup and the full stop. Spelling is British, numbers
in words have their value, and each token keeps its place in the text. What is longer than `MAX_TEXT` is cut.
"""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

MAX_TEXT = 3_000
"""Characters of a text that are read."""

SMALL_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
NUMBER_WORDS = {word: number for number, word in enumerate(SMALL_NUMBERS)} | {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "hundred": 100,
    "dozen": 12,
}
ORDINAL_WORDS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
_SPELLING: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("spelling.toml").read_text(encoding="utf-8")
)
CONTRACTIONS, _WHOLE_CONTRACTIONS, BRITISH = _SPELLING.values()
WHOLE_CONTRACTIONS = {word: parts.split(" ") for word, parts in _WHOLE_CONTRACTIONS.items()}
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
        character = text[end]
        joins = character in "'-" and end + 1 < len(text) and text[end + 1].isalnum()
        if not (character.isalnum() or joins or unicodedata.combining(character)):
            break
        end += 1
    return end


def _word_tokens(raw: str, start: int, quoted: bool) -> list[Token]:
    """Return the tokens of a word: several for a contraction or a compound with hyphens."""
    word = raw.lower()
    if word in WHOLE_CONTRACTIONS:
        return [make_token(part, raw, start, quoted) for part in WHOLE_CONTRACTIONS[word]]
    for ending, full in CONTRACTIONS.items():
        if ending == "'s" and word[:-2] not in BEFORE_IS:
            continue  # "teacher's": a vocabulary decides
        if word.endswith(ending) and len(word) > len(ending):
            stem = raw[: -len(ending)]
            return [
                *_word_tokens(stem, start, quoted),
                make_token(full, raw[-len(ending) :], start + len(stem), quoted),
            ]
    if "-" in word:
        tokens = []
        for part in raw.split("-"):
            tokens.append(make_token(part, part, start, quoted))
            start += len(part) + 1
        return tokens
    return [make_token(raw, raw, start, quoted)]


def make_token(text: str, raw: str, start: int, quoted: bool = False) -> Token:
    """Return the token of one word in British spelling, with its value if it is a number."""
    word = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c)) or text
    word = word if word.endswith("'s") else word.replace("'", "")
    word = BRITISH.get(word, word) or text
    token = Token(word, raw, start, start + len(raw), quoted=quoted)
    if word in NUMBER_WORDS:
        return replace(token, number=NUMBER_WORDS[word])
    if word in ORDINAL_WORDS:
        return replace(token, ordinal=ORDINAL_WORDS[word])
    digits = word.rstrip("sthndr")
    if digits.isascii() and digits.isdigit() and len(digits) <= 6:
        if word == digits:
            return replace(token, number=int(digits))
        if word[len(digits) :] in ("st", "nd", "rd", "th"):
            return replace(token, ordinal=int(digits))
    return replace(token, ordinal=-1) if word in ("last", "final") else token
