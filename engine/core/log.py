"""The log of one episode with typed reads: what it began with, what was asked, replied, accepted and noted.

`Log` wraps the events of an episode, finished or in play. The GameMaster and the store handle plain events; everything
that reads a log back (scores, boards, debriefings, exports, pages) uses these views in place of keys of dictionaries.

    log = Log(events)
    log.start.instance, log.outcome, log.values("A"), log.notes("votes")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self, overload

from engine.core.events import Event, Json, Kind, Outcome
from engine.core.replies import ReplyFormat, format_of
from engine.core.start import Start
from engine.core.views import Conversation, Transcript


@dataclass(frozen=True, slots=True)
class EventView:
    """What every view has: the event's position in the log, its time in UTC milliseconds, its seat or None."""

    n: int
    time: int
    seat: str | None

    kind: ClassVar[Kind]

    @classmethod
    def of(cls, event: Event) -> Self:
        """Return the view of an event of this class's kind, without keys of its data that the view does not have."""
        fields = {("parts" if key == "said" else key): value for key, value in event.data.items()}
        names = cls.__dataclass_fields__
        return cls(event.n, event.time, event.seat, **{key: value for key, value in fields.items() if key in names})


@dataclass(frozen=True, slots=True)
class Tell(EventView):
    """Something was said to a seat without a request."""

    parts: Sequence[Json]
    """What was said, as JSON parts (`engine.core.content.parts_of`)."""
    pictures: Sequence[Json] = ()

    kind = Kind.TELL


@dataclass(frozen=True, slots=True)
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
        return format_of(self.format)


@dataclass(frozen=True, slots=True)
class ReplyEvent(EventView):
    """A reply arrived, word for word. `meta` is what is known about it (`engine.core.player.Reply`)."""

    ask: int
    text: str
    meta: Json
    discarded: bool = False
    """Whether it came when the ask was no longer open."""

    kind = Kind.REPLY


@dataclass(frozen=True, slots=True)
class ParsedEvent(EventView):
    """A reply was accepted with this value."""

    ask: int
    value: Any

    kind = Kind.PARSED


@dataclass(frozen=True, slots=True)
class ViolationEvent(EventView):
    """A reply was refused. `reminder` is what the seat was told, None where the episode ended instead."""

    ask: int
    fault: str
    why: str
    reminder: str | None = None

    kind = Kind.VIOLATION


@dataclass(frozen=True, slots=True)
class NoteEvent(EventView):
    """Something for spectators and scorers only."""

    note: str
    data: Json
    """All of it, `note` included."""

    kind = Kind.NOTE

    @classmethod
    def of(cls, event: Event) -> Self:
        return cls(event.n, event.time, event.seat, event.data["note"], event.data)


@dataclass(frozen=True, slots=True)
class FaultEvent(EventView):
    """A player (or, with `ask` None, the rulebook) could not go on."""

    ask: int | None
    cause: str

    kind = Kind.FAULT


@dataclass(frozen=True, slots=True)
class HandOver(EventView):
    """Another player took the seat over."""

    player: str

    kind = Kind.SEAT


class Log(Sequence[Event]):
    """The events of one episode, in order, with typed reads."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events: Sequence[Event] = events.events if isinstance(events, Log) else events

    def __len__(self) -> int:
        return len(self.events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        return self.events[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    @cached_property
    def start(self) -> Start:
        """What the episode began with."""
        return Start.model_validate(self.events[0].data)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it ended, None while it is open."""
        ending = next((event for event in reversed(self.events) if event.kind is Kind.OUTCOME), None)
        return Outcome.from_json(ending.data) if ending else None

    @property
    def asks(self) -> list[AskEvent]:
        """All requests."""
        return [AskEvent.of(event) for event in self.events if event.kind is Kind.ASK]

    @cached_property
    def formats(self) -> Mapping[int, Json]:
        """The declared reply format of each ask, by its number."""
        return {ask.ask: ask.format for ask in self.asks}

    def replies(self, seat: str | None = None) -> list[ReplyEvent]:
        """Return the replies that arrived in time, of all seats or of one, refused ones included."""
        replies = (ReplyEvent.of(event) for event in self._events_of(Kind.REPLY, seat))
        return [reply for reply in replies if not reply.discarded]

    def parsed(self, seat: str | None = None) -> list[ParsedEvent]:
        """Return the accepted replies of all seats or of one."""
        return [ParsedEvent.of(event) for event in self._events_of(Kind.PARSED, seat)]

    def values(self, seat: str | None = None) -> list[Any]:
        """Return the accepted values of all seats or of one, as the log holds them."""
        return [event.data["value"] for event in self._events_of(Kind.PARSED, seat)]

    def notes(self, kind: str) -> list[Json]:
        """Return the data of all notes of a kind."""
        return [event.data for event in self._events_of(Kind.NOTE, None) if event.data["note"] == kind]

    def faults(self) -> list[FaultEvent]:
        """Return what stalled the episode, in order."""
        return [FaultEvent.of(event) for event in self._events_of(Kind.FAULT, None)]

    def hand_overs(self) -> list[HandOver]:
        """Return who took a seat over, in order."""
        return [HandOver.of(event) for event in self._events_of(Kind.SEAT, None)]

    @property
    def players(self) -> dict[str, str]:
        """The address of the player who sits at each seat now."""
        return dict(self.start.seats) | {str(event.seat): event.player for event in self.hand_overs()}

    def conversation(self, seat: str) -> Conversation:
        """Return what a seat has been told and has replied."""
        conversation = Conversation(seat)
        for event in self.events:
            if event.seat in (None, seat):
                conversation.apply(event)
        return conversation

    def transcript(self) -> Transcript:
        """Return the whole episode for those who may see all."""
        return Transcript.of(self.events)

    def _events_of(self, kind: Kind, seat: str | None) -> Iterator[Event]:
        return (event for event in self.events if event.kind is kind and (seat is None or event.seat == seat))


@dataclass(frozen=True)
class GameNote:
    """Base of the notes of a game: a derived dataclass names its `kind`, and its fields are noted by their names."""

    kind: ClassVar[str]

    def as_json(self) -> Json:
        """Return the data for `Table.note`."""
        return dict(vars(self))

    @classmethod
    def read(cls, log: Log) -> list[Self]:
        """Return the notes of this kind in a log."""
        names = cls.__dataclass_fields__
        return [cls(**{name: value for name, value in data.items() if name in names}) for data in log.notes(cls.kind)]
