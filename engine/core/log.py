"""The log of one episode with typed reads: what it began with, what was asked, replied, accepted and noted.

`Log` wraps the events of an episode, finished or in play. The GameMaster and the store handle plain events; everything
that reads a log back (scores, boards, debriefings, exports, pages) uses these views in place of keys of dictionaries.

    log = Log(events)
    log.start.instance, log.outcome, log.values("A"), log.notes("votes")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, overload

from engine.core.event_views import AskEvent, FaultEvent, HandOver, ParsedEvent, ReplyEvent
from engine.core.events import Event, Json, Kind, Outcome
from engine.core.start import EpisodeStart

if TYPE_CHECKING:
    from engine.core.views import Conversation, Transcript


class Log(Sequence[Event]):
    """The events of one episode, in order, with typed reads.

    A log is a snapshot: make a new one when the episode has gone on.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self.events: Sequence[Event] = events.events if isinstance(events, Log) else events

    @classmethod
    def from_events(cls, events: Sequence[Event]) -> Log:
        """Return events as a log: themselves if they are one, with all that was read of it."""
        return events if isinstance(events, Log) else cls(events)

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
    def start(self) -> EpisodeStart:
        """What the episode began with."""
        return EpisodeStart.model_construct(**self.events[0].data)  # checked when it was written; any log can be read

    @cached_property
    def outcome(self) -> Outcome | None:
        """How it ended, None while it is open."""
        outcome_event = next((event for event in reversed(self.events) if event.kind is Kind.OUTCOME), None)
        return Outcome.from_json(outcome_event.data) if outcome_event else None

    @property
    def request_events(self) -> list[AskEvent]:
        """All asks, of all seats."""
        return [AskEvent.from_event(event) for event in self.events if event.kind is Kind.ASK]

    @cached_property
    def formats(self) -> Mapping[int, Json]:
        """The declared reply format of each ask, by its number."""
        return dict(map(itemgetter("ask", "format"), [event.data for event in self.events if event.kind is Kind.ASK]))

    def replies(self, seat: str | None = None) -> list[ReplyEvent]:
        """Return the replies that arrived in time, of all seats or of one, refused ones included."""
        replies = (ReplyEvent.from_event(event) for event in self._select_events(Kind.REPLY, seat))
        return [reply for reply in replies if not reply.discarded]

    def parsed_events(self, seat: str | None = None) -> list[ParsedEvent]:
        """Return the accepted replies of all seats or of one."""
        return [ParsedEvent.from_event(event) for event in self._select_events(Kind.PARSED, seat)]

    def values(self, seat: str | None = None) -> list[Any]:
        """Return the accepted values of all seats or of one, as the log holds them."""
        return [event.data["value"] for event in self._select_events(Kind.PARSED, seat)]

    def notes(self, note_kind: str) -> list[Json]:
        """Return the data of all notes of a kind."""
        return [event.data for event in self._select_events(Kind.NOTE, None) if event.data["note"] == note_kind]

    def faults(self) -> list[FaultEvent]:
        """Return what stalled the episode, in order."""
        return [FaultEvent.from_event(event) for event in self._select_events(Kind.FAULT, None)]

    def list_hand_overs(self) -> list[HandOver]:
        """Return who took a seat over, in order."""
        return [HandOver.from_event(event) for event in self._select_events(Kind.SEAT, None)]

    @property
    def players(self) -> dict[str, str]:
        """The address of the player who sits at each seat now."""
        return dict(self.start.seats) | {str(event.seat): event.player for event in self.list_hand_overs()}

    def conversation(self, seat: str) -> Conversation:
        """Return what a seat has been told and has replied."""
        from engine.core.views import Conversation  # late, as in `transcript`: to list and score games takes no views

        conversation = Conversation(seat)
        for event in self.events:
            if event.seat in (None, seat):
                conversation.apply(event)
        return conversation

    def transcript(self) -> Transcript:
        """Return the whole episode for those who may see all."""
        from engine.core.views import Transcript

        return Transcript.from_events(self.events)

    def _select_events(self, event_kind: Kind, seat: str | None) -> Iterator[Event]:
        return (event for event in self.events if event.kind is event_kind and (seat is None or event.seat == seat))
