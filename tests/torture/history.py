"""What clients asked of the server and what it answered: the history that is compared with the log at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Move:
    """A move, sent under one id until it is answered. `status` is the final answer's, None while there is none."""

    episode: str
    values: dict[str, str]
    status: int | None = None


@dataclass
class Change:
    """A request to leave a game ("leave") or to seat another player ("seat"), asked for until it is answered."""

    episode: str
    what: str
    is_granted: bool = False


@dataclass
class History:
    """Everything that was asked for. `counts` are for people, `violations` are promises that were broken."""

    moves: dict[str, Move] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    """Episodes of which a page was told the outcome."""
    counts: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def is_handed_over(self, episode: str) -> bool:
        """Return whether B's seat was given to a program, or may have been: whoever sat there has no seat any more."""
        return any(change.episode == episode and change.what == "seat" for change in self.changes)
