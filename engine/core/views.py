"""What a seat, a spectator and a page may see, folded from events one at a time.

A `Conversation` is the dialogue of one seat with the GameMaster, and nothing else: models, people, scripted players and
exports read it. A `Transcript` is the whole episode, for spectators, replays and transcripts. Both are folded from the
log alone, so they can be rebuilt at any time; neither needs a rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Literal, TypeVar, overload

from engine.core.content import ContentPart, Picture, RelayedMessage, SeatOverview, parse_content, parts_to_text
from engine.core.event_views import (
    AskEvent,
    FaultEvent,
    HandOver,
    NoteEvent,
    ReplyEvent,
    TellEvent,
    ViolationEvent,
)
from engine.core.events import Event, Json, Kind, Outcome
from engine.core.replies import ReplyFormat, Text, build_format
from engine.core.start import hides_partner

ContentPartT = TypeVar("ContentPartT", bound=ContentPart)

OWN_REPLY_LENGTH_FACTOR = 10
"""How many times as much an excerpt keeps of a seat's own reply, which may be a drawn map, as of what others said."""


@dataclass(slots=True)
class Message:
    """One message of a seat's conversation; roles strictly alternate, the first is the user's (the GameMaster's).

    `parts` are what was said (JSON parts, see `engine.core.content.content_to_json`), `words` the format words appended
    for models, `pictures` asset ids. An assistant message is one own reply word for word, with the ask it answers.
    """

    role: Literal["user", "assistant"]
    parts: list[Json]
    words: str = ""
    pictures: list[str] = field(default_factory=list)
    request_number: int | None = None

    def text(self) -> str:
        """Return the message as a model reads it: what was said, then the words that explain the format."""
        message_text = parts_to_text(self.parts)
        return f"{message_text}\n\n{self.words}" if self.words else message_text

    def content_parts(self, part_type: type[ContentPartT]) -> list[ContentPartT]:
        """Return the parts of one kind: `RelayedMessage`, `TextExhibit`, `SeatOverview` or `str`."""
        return [content_part for content_part in parse_content(self.parts) if isinstance(content_part, part_type)]

    def cut_excerpt(self, max_characters: int) -> Message:
        """Return the message with the first `max_characters` of what others said, and ten times that of its own."""
        part_key, length = (
            ("quote", max_characters) if self.role == "user" else ("text", OWN_REPLY_LENGTH_FACTOR * max_characters)
        )
        return replace(
            self,
            parts=[
                message_part | {part_key: message_part[part_key][:length]} if part_key in message_part else message_part
                for message_part in self.parts
            ],
        )


@dataclass(slots=True)
class OpenAskView:
    """The ask a seat has to answer now."""

    id: int
    format: ReplyFormat[Any]
    own_request_number: int
    """1 for the seat's first ask, 2 for its second, …"""
    progress: Json | None = None
    reminder: str | None = None
    """What was wrong with the last reply to this ask, if that was refused with a reminder."""
    asked_at_ms: int = 0
    """UTC ms of the ask event."""
    reminders: int = 0
    """How many replies to this ask were refused with a reminder."""


@dataclass(slots=True)
class SeatView:
    """What a player sees when it is asked: the conversation of its seat up to the open ask."""

    seat: str
    game: str
    variant: str
    settings: Json
    messages: Sequence[Message]
    ask: OpenAskView
    seed: str | int
    """What `random` is seeded with: (episode seed, seat, number of the seat's ask, reminders if any)."""
    picture: Callable[[str], Picture]
    """Draws a picture of this seat by asset id."""
    instance: Json | None = None
    """The whole instance with its answer, only for `omniscient` players, which show the best possible result."""
    show_partial_reply: Callable[[str], None] | None = None
    """Takes the text of the reply so far, for spectators; "" where the reply begins anew. Only for players that stream,
    and None where nobody watches. What counts is the whole reply that the player returns."""
    _random: Random | None = field(default=None, init=False, repr=False)

    @property
    def random(self) -> Random:
        """The player's random generator. It is made when it is used: most players draw nothing."""
        if self._random is None:
            self._random = Random(self.seed)
        return self._random


@dataclass
class Conversation:
    """One seat's conversation, folded from events by `apply`; `lines` and `pinned` are the same for a person's page.

    Lines and messages are made when they are read: a run plays thousands of conversations that nobody looks at.
    """

    seat: str
    game: str = ""
    variant: str = ""
    settings: Json = field(default_factory=dict)
    seed: str = ""
    open_ask: OpenAskView | None = None
    outcome: Json | None = None
    stall_cause: str | None = None
    _messages: list[Message] = field(default_factory=list)
    _pinned_exhibits: list[Json] = field(default_factory=list)
    _seat_states: list[Json] = field(default_factory=list)
    _unsent_parts: list[Json] = field(default_factory=list)
    _unsent_pictures: list[Json] = field(default_factory=list)
    _temporary_picture_ids_by_ask: dict[int, set[str]] = field(default_factory=dict)
    """Number of an ask to the pictures that only its own prompt shows."""
    _request_count: int = 0
    _longest_text: int = 0
    """Characters of the longest message that a player wrote."""
    _lines: list[Json] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)
    """The events that have lines and messages."""
    _line_events: int = 0
    """How many of these events have their lines."""
    _line_format: ReplyFormat[Any] | None = None
    """The reply format of the last ask that has its lines."""
    _message_events: int = 0
    """How many of these events have their messages."""

    @property
    def messages(self) -> list[Message]:
        """All messages so far."""
        self._sort_messages()
        return self._messages

    @property
    def pinned_exhibits(self) -> list[Json]:
        """For a page: {"title", "grid"} or {"title", "picture": asset id}, perhaps with "marked".

        A later one of the same title replaces the earlier one.
        """
        self._sort_messages()
        return self._pinned_exhibits

    @property
    def seat_states(self) -> list[Json]:
        """For a page: {"seat", "state", "note"} of everybody at the table, as last announced, or empty."""
        self._sort_messages()
        return self._seat_states

    @property
    def lines(self) -> list[Json]:
        """For a page: {"who": "gm" | "partner" | "you", "seat", "label", "text", "private"}."""
        for event in self._events[self._line_events :]:
            self._make_lines(event)
        self._line_events = len(self._events)
        return self._lines

    def apply(self, event: Event) -> None:
        """Apply the next event of the log; those of other seats change nothing."""
        handle_event = self._HANDLER_BY_EVENT_KIND.get(event.kind)
        if handle_event and (event.seat is None or event.seat == self.seat):
            handle_event(self, event)

    def _queue_event(self, event: Event) -> None:
        """Keep an event until somebody reads its lines or its messages."""
        self._events.append(event)

    def _add_episode_start(self, event: Event) -> None:
        start_data = event.data
        self.game, self.variant, self.settings, self.seed = (
            start_data[field_name] for field_name in ("game", "variant", "settings", "seed")
        )

    def _open_ask_view(self, event: Event) -> None:
        request_data = event.data
        self._events.append(event)
        self._request_count += 1
        self.open_ask = OpenAskView(
            request_data["ask"],
            _rebuild_reply_format(request_data["format"]),
            self._request_count,
            request_data["progress"],
            None,
            event.time,
        )

    def _take_reply(self, event: Event) -> None:
        if not event.data.get("discarded"):
            self._events.append(event)
            self.stall_cause = None

    def _close_ask(self, event: Event) -> None:
        self.open_ask = None

    def _note_stall(self, event: Event) -> None:
        self.stall_cause = event.data["cause"] if event.seat else "The game cannot go on because of an error in it."

    def _clear_stall(self, event: Event) -> None:
        self.stall_cause = None

    def _add_outcome(self, event: Event) -> None:
        self.outcome, self.open_ask, self.stall_cause = event.data, None, None

    def _mark_refused(self, event: Event) -> None:
        self._events.append(event)
        open_ask, violation_data = self.open_ask, event.data
        if not violation_data["reminder"] or not open_ask:
            self.open_ask = None
            return
        self.open_ask = OpenAskView(
            open_ask.id,
            open_ask.format,
            open_ask.own_request_number,
            open_ask.progress,
            violation_data["why"],
            open_ask.asked_at_ms,
            open_ask.reminders + 1,
        )

    _HANDLER_BY_EVENT_KIND: ClassVar[Mapping[Kind, Callable[[Conversation, Event], None]]] = {
        Kind.START: _add_episode_start,
        Kind.TELL: _queue_event,
        Kind.ASK: _open_ask_view,
        Kind.REPLY: _take_reply,
        Kind.VIOLATION: _mark_refused,
        Kind.PARSED: _close_ask,
        Kind.CANCEL: _close_ask,
        Kind.FAULT: _note_stall,
        Kind.SEAT: _clear_stall,
        Kind.OUTCOME: _add_outcome,
    }

    # ------------------------------------------------------------------ messages
    def _sort_messages(self) -> None:
        """Make the messages of the events since the last time."""
        unsorted_events, self._message_events = self._events[self._message_events :], len(self._events)
        for event in unsorted_events:
            if event.kind is Kind.REPLY:
                self._add_reply(event.data)
            elif event.kind is Kind.VIOLATION:
                self._add_reminder(event.data)
            else:
                self._add_content(event.data)
                if event.kind is Kind.ASK:
                    self._add_ask(event.data)

    def _add_content(self, event_data: Json) -> None:
        self._unsent_parts += event_data["said"]
        self._unsent_pictures += event_data["pictures"]
        for content_part in event_data["said"]:
            if "exhibit" in content_part:
                self._set_pinned_exhibit(
                    {"title": content_part["title"], "grid": content_part["exhibit"]} | _extract_mark(content_part)
                )
            elif "company" in content_part:
                self._seat_states = content_part["company"]
            match content_part:
                case {"quote": quote}:
                    self._longest_text = max(self._longest_text, len(quote))
        for picture in event_data["pictures"]:
            self._set_pinned_exhibit({"title": picture["title"], "picture": picture["id"]} | _extract_mark(picture))

    def _add_ask(self, request_data: Json) -> None:
        pictures = [picture["id"] for picture in self._unsent_pictures]
        self._messages.append(Message("user", self._unsent_parts, request_data["words"], pictures, request_data["ask"]))
        if temporary_picture_ids := {picture["id"] for picture in self._unsent_pictures if not picture["keep"]}:
            self._temporary_picture_ids_by_ask[request_data["ask"]] = temporary_picture_ids
        self._unsent_parts, self._unsent_pictures = [], []

    def _add_reply(self, reply_data: Json) -> None:
        reply_text = reply_data["text"]
        self._longest_text = max(self._longest_text, len(reply_text))
        self._messages.append(Message("assistant", [{"text": reply_text}], request_number=reply_data["ask"]))

    def _add_reminder(self, violation_data: Json) -> None:
        match violation_data:
            case {"ask": request_number, "reminder": str(reminder_text)}:
                self._messages.append(Message("user", [{"text": reminder_text}], request_number=request_number))

    # ------------------------------------------------------------------ lines
    def _make_lines(self, event: Event) -> None:
        """Make the lines of an event."""
        if event.kind is Kind.VIOLATION:
            violation = ViolationEvent.from_event(event)
            self._add_line("gm", None, violation.reminder or f"That reply broke the rules: {violation.why}")
        elif event.kind is Kind.REPLY:
            for segment in self._line_format.show(ReplyEvent.from_event(event).text) if self._line_format else ():
                self._add_line("you", segment.question or segment.label, segment.text, self.seat, segment.private)
        else:
            if event.kind is Kind.ASK:
                self._line_format = _rebuild_reply_format(AskEvent.from_event(event).format)
            for content_part in parse_content(TellEvent.from_event(event).parts):
                if isinstance(content_part, RelayedMessage):
                    self._add_line("partner", content_part.label, content_part.text, content_part.by)
                elif isinstance(content_part, str | SeatOverview):
                    self._add_line("gm", None, content_part if isinstance(content_part, str) else content_part.text)

    def _add_line(
        self, speaker_label: str, label: str | None, line_text: str, seat: str | None = None, is_private: bool = False
    ) -> None:
        self._lines.append(
            {"who": speaker_label, "seat": seat, "label": label, "text": line_text, "private": is_private}
        )

    def _set_pinned_exhibit(self, pinned_exhibit: Json) -> None:
        for pin_number, old_picture in enumerate(self._pinned_exhibits):
            if old_picture["title"] == pinned_exhibit["title"]:
                self._pinned_exhibits[pin_number] = pinned_exhibit
                return
        self._pinned_exhibits.append(pinned_exhibit)

    def view(
        self, picture: Callable[[str], Picture], longest_message: int | None = None, *, is_lazy: bool = False
    ) -> SeatView:
        """Return what the seat's player gets for its open ask. Pictures not kept are only in the last message.

        With `longest_message`, what another seat said is cut to that many characters (`Message.cut_excerpt`). With
        `is_lazy`, messages are made if the player reads them, which it has to do before the conversation goes on.
        Raises LookupError when the seat is not asked.
        """
        if self.open_ask is None:
            raise LookupError(f"seat {self.seat} is not asked anything")
        messages: Sequence[Message] = (
            _LazyMessages(self, longest_message) if is_lazy else self.select_messages(longest_message)
        )
        reminder_suffix = (
            f"/{self.open_ask.reminders}" if self.open_ask.reminders else ""
        )  # or whoever draws says what was refused again
        seed = f"{self.seed}/{self.seat}/{self.open_ask.own_request_number}{reminder_suffix}"
        return SeatView(self.seat, self.game, self.variant, self.settings, messages, self.open_ask, seed, picture)

    def select_messages(self, longest_message: int | None = None) -> tuple[Message, ...]:
        """Return the messages for a player: see `view` for what is left out and cut."""
        shown_messages = tuple(self.messages)  # this finds the pictures that only their own prompt shows
        if self._temporary_picture_ids_by_ask:
            shown_messages = tuple(map(self._shorten_message, shown_messages))
        if longest_message is not None and self._longest_text > longest_message:
            return tuple(message.cut_excerpt(longest_message) for message in shown_messages)
        return shown_messages

    def _shorten_message(self, message: Message) -> Message:
        temporary_picture_ids = self._temporary_picture_ids_by_ask.get(message.request_number or 0)
        if (
            not temporary_picture_ids
            or not message.pictures
            or (self.open_ask and message.request_number == self.open_ask.id)
        ):
            return message
        pictures = [asset for asset in message.pictures if asset not in temporary_picture_ids]
        return Message(message.role, message.parts, message.words, pictures, message.request_number)


class _LazyMessages(Sequence[Message]):
    """The messages of a conversation, made when the first is read."""

    def __init__(self, conversation: Conversation, longest_message: int | None) -> None:
        self._conversation, self._longest_message = conversation, longest_message

    @cached_property
    def _messages(self) -> tuple[Message, ...]:
        return self._conversation.select_messages(self._longest_message)

    def __len__(self) -> int:
        return len(self._messages)

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Message]: ...
    def __getitem__(self, index: int | slice) -> Message | Sequence[Message]:
        return self._messages[index]

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)


@dataclass
class Transcript:
    """The whole episode for those who may see all: spectators, replays, transcripts, the debriefing.

    A line is {"n", "time", "seat", "kind", "parts", "label", "text", "private"}; `parts` for what the GameMaster says,
    `text` for replies (split by `ReplyFormat.show`, thoughts marked private), violations, faults and notes. What a
    model thought before it replied comes as a line of its own, of kind "reasoning"; the last line of a model's reply
    also has "used" (`extract_usage`). Where partners are hidden, replies have lines when they are released.
    """

    start: Json = field(default_factory=dict)
    lines: list[Json] = field(default_factory=list)
    open: dict[int, Json] = field(default_factory=dict)
    """Open asks: number to {"seat", "since", "title"}."""
    players: dict[str, list[str]] = field(default_factory=dict)
    """Seat to the addresses of the players who sat there, in order."""
    outcome: Json | None = None
    faults: dict[int | None, Event] = field(default_factory=dict)
    """The last fault of each ask that waits because of one, by its number; None for a game that is broken."""
    fault_code: str | None = None
    """What kind of fault stalled it last (`engine.core.player.FaultCode`), if its log says so."""
    request_count: int = 0
    _formats: dict[int, ReplyFormat[Any]] = field(default_factory=dict)
    _withheld_events: dict[int, list[Event]] | None = None
    """Where partners are hidden: replies to open asks, and what was wrong with them, by number of the ask."""

    @property
    def stall_cause(self) -> str | None:
        """Why the game waits, None where it does not."""
        return next((FaultEvent.from_event(fault).cause for fault in self.faults.values()), None)

    @classmethod
    def from_events(cls, events: Iterable[Event]) -> Transcript:
        """Return the transcript of a log."""
        transcript = cls()
        for event in events:
            transcript.apply(event)
        return transcript

    def apply(self, event: Event) -> list[Json]:
        """Apply the next event and return the lines it adds."""
        line_count_before = len(self.lines)
        if event.kind is Kind.START:
            self._add_episode_start(event.data)
        if self._withheld_events is None:
            self._handle_event(event)
        elif not self._is_withheld(event, self._withheld_events):
            match event.kind, event.data:
                case ((Kind.RELEASED | Kind.CANCEL), {"ask": int(request_number)}):
                    for earlier_event in self._withheld_events.pop(request_number, ()):
                        self._handle_event(earlier_event)
            self._handle_event(event)
        return self.lines[line_count_before:]

    def _handle_event(self, event: Event) -> None:
        if event.kind in self._HANDLER_BY_EVENT_KIND:
            self._HANDLER_BY_EVENT_KIND[event.kind](self, event)

    def _is_withheld(self, event: Event, withheld_events: dict[int, list[Event]]) -> bool:
        """Keep an event that nobody may see before its ask is closed; return whether it is one."""
        match event.kind, event.data:
            case (Kind.REPLY, {"ask": int(request_number)}) | (
                Kind.VIOLATION,
                {"ask": int(request_number), "reminder": str()},
            ):
                if request_number in self.open:
                    withheld_events.setdefault(request_number, []).append(event)
                    return True
        return False

    def _add_episode_start(self, start_data: Json) -> None:
        match start_data:  # not as `EpisodeStart`, which refuses fields of other versions: any log can be read
            case {"seats": seats}:
                self.start = start_data
                self._withheld_events = {} if hides_partner(start_data) else None
                self.players = {seat: [player] for seat, player in seats.items()}

    def _add_tell_event(self, event: Event) -> None:
        self._add_line(event, content_parts=TellEvent.from_event(event).parts)

    def _add_ask(self, event: Event) -> None:
        request_event = AskEvent.from_event(event)
        self._add_line(event, content_parts=request_event.parts)
        self._formats[request_event.ask] = _rebuild_reply_format(request_event.format)
        self.open[request_event.ask] = {"seat": event.seat, "since": event.time}
        self.request_count += 1

    def _add_reply(self, event: Event) -> None:
        reply_event = ReplyEvent.from_event(event)
        self.faults.pop(reply_event.ask, None)
        if reply_event.reasoning:
            self._add_line(
                event, line_label="Reasoning", line_text=reply_event.reasoning, is_private=True, line_kind="reasoning"
            )
        for reply_segment in self._formats[reply_event.ask].show(reply_event.text):
            line_label = (
                f"{reply_segment.label or 'Reply'} (too late)" if reply_event.discarded else reply_segment.label
            )
            self._add_line(event, line_label=line_label, line_text=reply_segment.text, is_private=reply_segment.private)
        if token_usage := extract_usage(reply_event.meta):
            self.lines[-1]["used"] = token_usage

    def _close_ask(self, event: Event) -> None:
        self.open.pop(event.data["ask"], None)

    def _add_violation(self, event: Event) -> None:
        violation = ViolationEvent.from_event(event)
        self._add_line(event, line_label=f"Not accepted ({violation.fault})", line_text=violation.why)
        if violation.reminder is None:
            self.open.pop(violation.ask, None)

    def _add_fault(self, event: Event) -> None:
        fault = FaultEvent.from_event(event)
        self.faults[fault.ask], self.fault_code = event, fault.code
        self._add_line(event, line_label="Stalled", line_text=fault.cause)

    def _add_hand_over(self, event: Event) -> None:
        player = HandOver.from_event(event).player
        self.faults = {
            request_number: fault for request_number, fault in self.faults.items() if fault.seat != event.seat
        }
        self.players[str(event.seat)].append(player)
        self._add_line(event, line_label="Seat", line_text=f"{player} takes seat {event.seat}")

    def _add_note(self, event: Event) -> None:
        note_event = NoteEvent.from_event(event)
        note_text = "; ".join(
            f"{data_name}: {data_value}" for data_name, data_value in note_event.data.items() if data_name != "note"
        )
        self._add_line(event, line_label=note_event.note, line_text=note_text)

    def _add_outcome(self, event: Event) -> None:
        self.outcome = event.data
        self.faults.clear()
        self.open.clear()
        self._add_line(event, line_label="Outcome", line_text=describe_outcome(event.data))

    _HANDLER_BY_EVENT_KIND: ClassVar[Mapping[Kind, Callable[[Transcript, Event], None]]] = {
        Kind.TELL: _add_tell_event,
        Kind.ASK: _add_ask,
        Kind.REPLY: _add_reply,
        Kind.PARSED: _close_ask,
        Kind.CANCEL: _close_ask,
        Kind.VIOLATION: _add_violation,
        Kind.FAULT: _add_fault,
        Kind.SEAT: _add_hand_over,
        Kind.NOTE: _add_note,
        Kind.OUTCOME: _add_outcome,
    }

    def _add_line(
        self,
        event: Event,
        *,
        content_parts: Any = None,
        line_label: str | None = None,
        line_text: str = "",
        is_private: bool = False,
        line_kind: str | None = None,
    ) -> None:
        self.lines.append(
            {
                "n": event.n,
                "time": event.time,
                "seat": event.seat,
                "kind": line_kind or str(event.kind),
                "parts": content_parts,
                "label": line_label,
                "text": line_text,
                "private": is_private,
            }
        )


def _extract_mark(exhibit_json: Json) -> Json:
    return {"marked": exhibit_json["marked"]} if "marked" in exhibit_json else {}


USAGE_KEYS = ("model", "seconds", "tokens_in", "tokens_out", "cost", "finish", "attempts", "constrained", "cached")


def extract_usage(reply_meta: Json) -> Json:
    """Return time, tokens and cost of a model's reply, as far as known; empty for people and scripted players."""
    return {k: reply_meta[k] for k in USAGE_KEYS if k in reply_meta} if "model" in reply_meta else {}


def _rebuild_reply_format(declaration: Json) -> ReplyFormat[Any]:
    """Rebuild a reply format; a format of a game that is not installed is read as free text."""
    try:
        return build_format(declaration)
    except KeyError:
        return Text()


def describe_outcome(outcome: Json) -> str:
    """Return an outcome's data in words: "aborted (format, seat B)"."""
    return Outcome.from_json(outcome).describe()
