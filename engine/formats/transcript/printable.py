"""Make players' texts safe to show: no control characters reach a terminal, a file or a page."""

from __future__ import annotations

import unicodedata

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of text."""


def printable(text: str) -> str:
    """Return a text with control characters, direction marks and lone surrogates written as code points."""
    if text.isprintable():
        return text
    return "".join(character if _is_safe(character) else f"<U+{ord(character):04X}>" for character in text)


def _is_safe(character: str) -> bool:
    if character in "\n\t":
        return True
    return character not in BIDI and unicodedata.category(character) not in ("Cc", "Cs")
