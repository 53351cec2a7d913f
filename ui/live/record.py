"""What is known of an episode from its events alone: pure, and folded once, event by event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.events import PRESENCE_KINDS, Event, Json, Kind
from engine.core.views import Conversation, Transcript
from engine.play.episode import Episode


class EpisodeRecord:
    """The log of an episode with everything that pages read from it.

    Of an episode in play here, the log and the conversations are those of the `Episode`, which folds them itself.
    """

    def __init__(self, seats: Iterable[str]) -> None:
        self.log: list[Event] = []
        self.conversations = {seat: Conversation(seat) for seat in seats}
        self.transcript = Transcript()
        self.progress: dict[str, Json] = {}
        """Seat to how far its part of the game is, as its latest ask says ({"what", "left", "of"})."""
        self.last_event_at: dict[str, int] = {}
        """Seat to the UTC ms of its latest event; presence does not count."""

    def follow_episode(self, episode: Episode) -> None:
        """Read an episode in play here, from its log so far on. Call `fold_events` with what it adds later."""
        self.log, self.conversations = episode.log, episode.views
        self.fold_events(episode.log)

    def append_events(self, events: Sequence[Event]) -> None:
        """Add events that another process wrote."""
        self.log += events
        for event in events:
            for conversation in self.conversations.values():
                conversation.apply(event)
        self.fold_events(events)

    def fold_events(self, events: Iterable[Event]) -> None:
        """Take in events that stand in the log and in the conversations already."""
        for event in events:
            self.transcript.apply(event)
            if event.seat is None or event.kind in PRESENCE_KINDS:
                continue
            self.last_event_at[event.seat] = event.time
            if event.kind is Kind.ASK and event.data["progress"]:
                self.progress[event.seat] = event.data["progress"]
