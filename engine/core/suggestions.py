"""Suggestions for misspelt names, at the end of error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(unknown_name: str, known_names: Iterable[str]) -> str:
    """Return " (did you mean 'scripted'?)" for the nearest name, or an empty text if no name is near."""
    close_matches = difflib.get_close_matches(unknown_name, list(known_names), 1)
    return f" (did you mean {close_matches[0]!r}?)" if close_matches else ""
