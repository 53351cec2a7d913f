"""Whether a line says nothing of what is shown: its speaker does not know, or did not understand what was said.

The words are in the table "listening" of `words.toml`. What such a line says is no evidence.
"""

from __future__ import annotations

from games.common.language.lexicon import LEXICON
from games.common.language.tokens import tokenize


def is_unsure(answer: str) -> bool:
    """Return whether an answer says, in whatever spelling, that its speaker does not know."""
    words = " ".join(token.text for token in tokenize(answer) if token.text not in _words("degrees"))
    return any(f" {phrase} " in f" {words} " for phrase in _words("unsure"))


def asks_back(text: str) -> bool:
    """Return whether a line only says that its speaker did not understand: "hmm", "???", "I don't get the question"."""
    all_words = {token.text for token in tokenize(text) if token.is_word}
    words = all_words - _words("degrees", "interjections")
    if not words:
        return bool(all_words) or "?" in text
    return not words.isdisjoint(_words("understanding")) and words <= _words("understanding", "linking")


def _words(*list_names: str) -> frozenset[str]:
    return frozenset(word for list_name in list_names for word in LEXICON.get_table("listening")[list_name])
