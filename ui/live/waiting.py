"""What seats are told while a game waits: words that give nothing away.

A fault's cause may quote what another seat was sent (servers like to echo), so a seat reads one of a few sentences of
ours instead; spectators, and the terminal of the server, have the cause itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.core.player import Player

CAUSES = (
    (r"answered (401|402|403)\b", "its key is missing or is not accepted"),
    (r"answered (429|503|529)\b", "its server is too busy"),
    (r"answered 404\b", "its server does not know the model"),
    (r"answered (408|409|425|5\d\d)\b", "its server failed"),
    (r"answered 4\d\d\b", "its server does not take what it was sent"),
    (r"timed out|no answer within", "its server took too long"),
    (r"no connection", "its server cannot be reached"),
    (r"\bneeds a key\b", "its key is missing or is not accepted"),
    (r"\bmemory\b", "there is not enough memory for it"),
    (r"not installed", "it is not installed here"),
)
"""What the causes of our own players say, the first that fits, to what a seat may read of it."""


def plain_cause(cause: str) -> str | None:
    """Return why a player cannot answer in words that quote nothing, None where only the cause itself would say it."""
    return next((words for pattern, words in CAUSES if re.search(pattern, cause, re.IGNORECASE)), None)


def stalled_words(cause: str, who: str) -> str:
    """Return what a seat reads when another one's player, `who` as this seat may call it, cannot answer."""
    words = plain_cause(cause)
    return f"{who} cannot answer at the moment{f': {words}' if words else ''}."


def loading_of(players: Iterable[Player]) -> float | None:
    """Return how much is loaded of the model that is furthest behind, 0 to 1; None when none is loading."""
    shares = [share for player in players if (share := player.load_progress) is not None]
    return round(min(shares), 2) if shares else None
