"""Typed reads of the log of SpyFall: the deal and the results of votes, which the rulebook notes, and statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.notes import GameNote

if TYPE_CHECKING:
    from engine.core.log import Log


@dataclass(frozen=True)
class SpyAssignment(GameNote):
    """Who the spy is, and the order in which the players are asked."""

    spy: str
    order: Sequence[str]

    kind = "deal"


@dataclass(frozen=True)
class VoteResult(GameNote):
    """The votes of a round, {voter: name}, those of a second ballot after a tie, and who is out.

    `lots`: it was decided by lot. `spy`: the player who is out is the spy.
    """

    round: int
    votes: Mapping[str, str]
    again: Mapping[str, str] | None
    lots: bool
    out: str
    spy: bool

    kind = "out"


@dataclass(frozen=True)
class Statement:
    """What a player says aloud; `vote` is whom it votes for, None in a description."""

    speech: str
    vote: str | None = None

    @classmethod
    def from_json(cls, reply_value: Mapping[str, Any]) -> Statement:
        """Return the statement that an accepted reply makes."""
        return cls(reply_value["speak"], reply_value.get("name"))


def find_spy_assignment(log: Log) -> SpyAssignment | None:
    """Return the deal, None before it."""
    return next(iter(SpyAssignment.read(log)), None)
