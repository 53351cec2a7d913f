"""The events and outcomes of an episode, and the JSON they are stored as.

An event says what happened to which seat. The GameMaster makes events without number or time; its driver sets both
(`n`, the position in the episode's log, and the UTC time in milliseconds). Data is plain JSON.
"""

from __future__ import annotations

import hashlib
import json
import json.encoder
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

Json = dict[str, Any]
StrEnumType = TypeVar("StrEnumType", bound=type[StrEnum])


def name_members_fast(enum_class: StrEnumType) -> StrEnumType:
    """Class decorator: keep members as attributes of their class, as Python 3.12 does; 3.11 calls a function for each.

    To name one then takes 0.01 µs instead of 0.2. It is for those that every reply of a run is compared with.
    """
    for member_name, member in enum_class.__members__.items():
        type.__setattr__(enum_class, member_name, member)
    return enum_class


@name_members_fast
class Kind(StrEnum):
    """The kinds of events. Those in `PRESENCE_KINDS` say who was looking; rules and scores ignore them.

    `RELEASED`: where partners are hidden, an accepted reply, or a refused one that ends the game, has its effect now.
    `SEEN_BEFORE`: the person at the seat had met the instance elsewhere. `BOTH_SEATS`: the person at another seat took
    this one, too, and sees both sides.
    """

    START = "start"
    TELL = "tell"
    ASK = "ask"
    REPLY = "reply"
    RELEASED = "released"
    PARSED = "parsed"
    VIOLATION = "violation"
    NOTE = "note"
    FAULT = "fault"
    SEAT = "seat"
    CANCEL = "cancel"
    PRESENT = "present"
    AWAY = "away"
    WATCHED = "watched"
    SEEN_BEFORE = "seen_before"
    BOTH_SEATS = "both_seats"
    OUTCOME = "outcome"


PRESENCE_KINDS = frozenset({Kind.PRESENT, Kind.AWAY, Kind.WATCHED, Kind.SEEN_BEFORE, Kind.BOTH_SEATS})


@dataclass(slots=True)  # not frozen, though nobody changes one: freezing takes 0.7 µs each, a run makes eight a reply
class Event:
    """Something that happened. `seat` is None for the whole table; `n` and `time` are -1 and 0 until it is logged."""

    kind: Kind
    seat: str | None
    data: Json
    n: int = -1
    time: int = 0

    def equals_ignoring_time(self, other_event: Event) -> bool:
        """Return whether both are equal apart from their numbers and times."""
        return self.kind == other_event.kind and self.seat == other_event.seat and self.data == other_event.data


@name_members_fast
class Ending(StrEnum):
    """How an episode can end."""

    SUCCESS = "success"
    LOSE = "lose"
    DECIDED = "decided"
    ABORTED = "aborted"
    ABANDONED = "abandoned"


class EmptyReplyRule(StrEnum):
    """What a reply without text is that a limit of tokens or a filter of the provider has emptied."""

    FAULT = "fault"
    """The player could not answer: the episode stalls and counts nowhere."""
    VIOLATION = "violation"
    """A reply like any other, which breaks the rules of form."""


class LongContextRule(StrEnum):
    """What happens when a conversation has become too long for a model."""

    ABORTED = "aborted"
    """The episode ends, aborted because of "context". With people it stalls, so that another player can go on."""
    FAULT = "fault"
    """The player could not answer: the episode stalls and counts nowhere."""


@dataclass(frozen=True)
class Outcome:
    """The end of an episode.

    `reason` is a word or two ("format", "turn limit", "left"); `seat` is the one that broke the rules or left.
    Adversarial games end `decided` with the `winner` side and `sides` {side: seats}.
    """

    kind: Ending
    reason: str | None = None
    seat: str | None = None
    winner: str | None = None
    sides: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def as_json(self) -> Json:
        """Return the outcome as the data of its event."""
        sides = {side: list(seats) for side, seats in self.sides}
        return {
            "kind": str(self.kind),
            "reason": self.reason,
            "seat": self.seat,
            "winner": self.winner,
            "sides": sides or None,
        }

    def describe(self) -> str:
        """Return the outcome in words: "aborted (format, seat B)"."""
        outcome_details = [outcome_detail for outcome_detail in (self.reason, self.winner) if outcome_detail]
        if self.seat:
            outcome_details.append(f"seat {self.seat}")
        return f"{self.kind} ({', '.join(outcome_details)})" if outcome_details else str(self.kind)

    @classmethod
    def from_json(cls, outcome_json: Json) -> Outcome:
        """Return the outcome that an event's data describes."""
        sides = tuple((side, tuple(seats)) for side, seats in (outcome_json.get("sides") or {}).items())
        return cls(
            Ending(outcome_json["kind"]),
            outcome_json.get("reason"),
            outcome_json.get("seat"),
            outcome_json.get("winner"),
            sides,
        )


def Success() -> Outcome:  # noqa: N802  read in a rulebook as what it is
    """Return the outcome of a cooperative episode that was won."""
    return Outcome(Ending.SUCCESS)


def Lose() -> Outcome:  # noqa: N802  read in a rulebook as what it is
    """Return the outcome of a cooperative episode that was lost."""
    return Outcome(Ending.LOSE)


def Decided(winner: str, sides: dict[str, list[str]]) -> Outcome:  # noqa: N802  read in a rulebook as what it is
    """Return the outcome of an adversarial episode won by side `winner`; `sides` gives the seats of each side."""
    if winner not in sides:
        raise ValueError(f"winner {winner!r} is none of the sides {list(sides)}")
    return Outcome(Ending.DECIDED, winner=winner, sides=tuple((side, tuple(seats)) for side, seats in sides.items()))


def Aborted(reason: str, seat: str | None = None) -> Outcome:  # noqa: N802  read in a rulebook as what it is
    """Return the outcome of an episode that ended early: a seat broke the rules of form, or a limit was reached."""
    return Outcome(Ending.ABORTED, reason, seat)


def make_encoder(*, ensure_ascii: bool = True, sort_keys: bool = False) -> Callable[[Any], str]:
    """Return a function that returns compact JSON, and raises ValueError for a number that JSON does not have.

    `JSONEncoder.encode` builds its C encoder at every call; a stored one takes 4 µs an event instead of 6, and a run
    writes four events a reply.
    """
    encoder = json.JSONEncoder(
        ensure_ascii=ensure_ascii, separators=(",", ":"), sort_keys=sort_keys, allow_nan=False, check_circular=False
    )
    build_c_encoder: Any = getattr(json.encoder, "c_make_encoder", None)
    if build_c_encoder is None:
        return encoder.encode
    encode_text = json.encoder.encode_basestring_ascii if ensure_ascii else json.encoder.encode_basestring
    encode_chunks = build_c_encoder(None, encoder.default, encode_text, None, ":", ",", sort_keys, False, False)
    return lambda json_value: "".join(encode_chunks(json_value, 0))


_encode_json = make_encoder()
_encode_json_sorted = make_encoder(sort_keys=True)


def to_json(json_value: Any) -> str:
    """Return compact JSON in ASCII, so that any code point (lone surrogates, NUL) survives store and socket."""
    return _encode_json(json_value)


def canonical_json(json_value: Any) -> str:
    """Return JSON with sorted keys: equal data gives equal text."""
    return _encode_json_sorted(json_value)


def digest(json_value: Any) -> str:
    """Return the SHA-256 of the canonical JSON of `json_value` as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(json_value).encode()).hexdigest()
