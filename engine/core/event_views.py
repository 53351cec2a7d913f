"""Typed reads of single events, for everything but the hot path, which keeps plain dictionaries.

The views are not frozen: a frozen dataclass takes three times as long to make, and scoring makes one per reply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from engine.core.events import Event, Json, Kind
from engine.core.replies import ReplyFormat, build_format


@dataclass(slots=True)
class EventView:
    """What every view has: the event's position in the log, its time in UTC milliseconds, its seat or None."""

    n: int
    time: int
    seat: str | None

    kind: ClassVar[Kind]

    @classmethod
    def from_event(cls, event: Event) -> Self:
        """Return the view of an event of this class's kind, without keys of its data that the view does not have."""
        field_values = {("parts" if key == "said" else key): data_value for key, data_value in event.data.items()}
        field_names = cls.__dataclass_fields__
        return cls(event.n, event.time, event.seat, **{key: v for key, v in field_values.items() if key in field_names})


@dataclass(slots=True)
class TellEvent(EventView):
    """Something was said to a seat without a request."""

    parts: Sequence[Json]
    """What was said, as JSON parts (`engine.core.content.content_to_json`)."""
    pictures: Sequence[Json] = ()

    kind = Kind.TELL


@dataclass(slots=True)
class AskEvent(EventView):
    """A seat was asked. `ask` numbers the requests of the episode from 1."""

    ask: int
    parts: Sequence[Json]
    format: Json
    """The declaration of the reply format."""
    words: str = ""
    """How the format is explained to models."""
    pictures: Sequence[Json] = ()
    progress: Json | None = None

    kind = Kind.ASK

    @property
    def reply_format(self) -> ReplyFormat[Any]:
        """The reply format. Raises KeyError for a format of a game that is not loaded here."""
        return build_format(self.format)


@dataclass(slots=True)
class ReplyEvent(EventView):
    """A reply arrived, word for word. `meta` is what is known about it (`engine.core.player.Reply`)."""

    ask: int
    text: str
    meta: Json
    discarded: bool = False
    """Whether it came when the ask was no longer open."""

    kind = Kind.REPLY

    @property
    def reasoning(self) -> str:
        """What a model thought before it replied, if it said so."""
        return str(self.meta.get("reasoning") or "")


@dataclass(slots=True)
class ParsedEvent(EventView):
    """A reply was accepted with this value."""

    ask: int
    value: Any

    kind = Kind.PARSED

    @classmethod
    def from_event(
        cls, event: Event
    ) -> Self:  # read for every accepted reply when a run scores: five times as fast this way
        return cls(event.n, event.time, event.seat, **event.data)


@dataclass(slots=True)
class ViolationEvent(EventView):
    """A reply was refused. `reminder` is what the seat was told, None where the episode ended instead."""

    ask: int
    fault: str
    why: str
    reminder: str | None = None

    kind = Kind.VIOLATION


@dataclass(slots=True)
class NoteEvent(EventView):
    """Something for spectators and scorers only."""

    note: str
    data: Json
    """All of it, `note` included."""

    kind = Kind.NOTE

    @classmethod
    def from_event(cls, event: Event) -> Self:
        return cls(event.n, event.time, event.seat, event.data["note"], event.data)


@dataclass(slots=True)
class FaultEvent(EventView):
    """A player (or, with `ask` None, the rulebook) could not go on."""

    ask: int | None
    cause: str
    code: str | None = None
    """What kind of fault it was (`engine.core.player.FaultCode`), None in older logs and for other faults."""
    meta: Json | None = None
    """What is known about the attempts, as of a reply: tokens and cost of a reply that could not be used, waits."""

    kind = Kind.FAULT


@dataclass(slots=True)
class HandOver(EventView):
    """Another player took the seat over."""

    player: str
    reason: str | None = None
    """Why, where nobody asked for it ("no reply in time", "left")."""

    kind = Kind.SEAT
