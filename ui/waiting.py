"""What seats are told while a game waits: words that give nothing away.

A fault's cause may quote what another seat was sent (servers like to echo), so a seat reads one of a few sentences of
ours instead; spectators, and the terminal of the server, have the cause itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

CAUSES = (
    (r"\b(401|403)\b|\bkey\b|\bOPENAI_|\bANTHROPIC_|_KEY\b", "its key is missing or is not accepted"),
    (r"\b429\b|rate.?limit|too many requests|overloaded|\b529\b", "its server is too busy"),
    (r"timed? ?out|timeout|too long to answer", "its server took too long"),
    (r"connect|cannot be reached|unreachable|refused the connection|\b50[0-9]\b", "its server cannot be reached"),
    (r"memory", "there is not enough memory for it"),
    (r"not installed|pip install|no folder", "it is not installed here"),
)


def plain_cause(cause: str) -> str | None:
    """Return why a player cannot answer in words that quote nothing, None where only the cause itself would say it."""
    return next((words for pattern, words in CAUSES if re.search(pattern, cause, re.IGNORECASE)), None)


def stalled_words(cause: str | None, seats: int) -> str:
    """Return what a seat reads when another one's player cannot answer."""
    words = plain_cause(cause or "")
    if words is None:
        return "The other side cannot answer at the moment."
    return f"{'Your partner' if seats == 2 else 'One of the others'} cannot answer at the moment: {words}."


def loading_of(players: Iterable[object]) -> float | None:
    """Return how much is loaded of the model that is furthest behind, 0 to 1; None when none is loading."""
    shares = [share for player in players if (share := getattr(player, "loading", None)) is not None]
    return round(min(shares), 2) if shares else None
