"""Make texts of others safe to show: no control characters reach a terminal, a file or a page.

The command line passes all its output through here (`cli/output.py`).
"""

from __future__ import annotations

from engine.core.patterns import compile_linear_pattern

BIDI_CHARACTERS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that change the direction of text, as a part of a pattern."""
UNSAFE_CHARACTERS = compile_linear_pattern(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI_CHARACTERS}\ud800-\udfff]", reason="it matches one character"
)
"""C0 and C1 controls but newlines and tabs, direction marks, lone surrogates."""


def escape_text(raw_text: str) -> str:
    """Return a text with control characters, direction marks and lone surrogates written as code points."""
    return UNSAFE_CHARACTERS.sub(lambda unsafe_character_match: f"<U+{ord(unsafe_character_match[0]):04X}>", raw_text)


def escape_json(json_text: str) -> str:
    """Return JSON with the same characters as JSON's own escapes: it means the same."""
    return UNSAFE_CHARACTERS.sub(lambda unsafe_character_match: f"\\u{ord(unsafe_character_match[0]):04x}", json_text)
