"""What somebody who misspelt a name may have meant: the end of a message about a name that there is not."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return " (did you mean 'scripted'?)" for the nearest of the names, nothing where none is near."""
    close = difflib.get_close_matches(name, list(names), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
