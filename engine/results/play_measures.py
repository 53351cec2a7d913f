"""What a seat did in one episode, from its events: replies, refusals, time, tokens, and its last choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core.event_views import AskEvent, ParsedEvent, ReplyEvent
from engine.core.events import Event, Json, Kind

MEASURED_EVENT_KINDS = frozenset({Kind.ASK, Kind.REPLY, Kind.VIOLATION, Kind.SEAT, Kind.PARSED})
TOKEN_KEYS, COST_KEY = ("tokens_in", "tokens_out"), "cost"
"""Keys of the meta of a reply."""
INNER_FORMAT_KEY, OPTIONS_KEY = "inner", "options"
"""Keys of the declaration of a reply format: what is behind a tag, and the options of a choice."""


@dataclass(slots=True)
class SeatMeasures:
    """What one seat did in one episode. `seconds` has the time from ask to reply of each reply, in seconds.

    `tokens` counts those of prompts and replies, `cost` is in USD and None where no price is known. `choice` is the
    last accepted reply that named one of a closed list of options. `was_seat_handed_over`: another player took over.
    """

    reply_count: int = 0
    refusal_count: int = 0
    reply_seconds: list[float] = field(default_factory=list)
    token_count: int = 0
    cost: float | None = None
    choice: str | None = None
    was_seat_handed_over: bool = False
    has_progress: bool = False
    """Whether its page showed how far the game was."""


def measure_seats(events: Iterable[Event]) -> dict[str, SeatMeasures]:
    """Return what each seat that was asked or handed over did in an episode."""
    measures_by_seat: dict[str, SeatMeasures] = {}
    request_events: dict[int, AskEvent] = {}
    for seat_event in events:
        if seat_event.seat is None or seat_event.kind not in MEASURED_EVENT_KINDS:
            continue
        seat_measures = measures_by_seat.setdefault(seat_event.seat, SeatMeasures())
        if seat_event.kind is Kind.ASK:
            request_event = AskEvent.from_event(seat_event)
            request_events[request_event.ask] = request_event
            seat_measures.has_progress |= request_event.progress is not None
        elif seat_event.kind is Kind.REPLY:
            reply_event = ReplyEvent.from_event(seat_event)
            if not reply_event.discarded:
                _add_reply(seat_measures, reply_event, request_events.get(reply_event.ask))
        elif seat_event.kind is Kind.VIOLATION:
            seat_measures.refusal_count += 1
        elif seat_event.kind is Kind.SEAT:
            seat_measures.was_seat_handed_over = True
        else:
            parsed_event = ParsedEvent.from_event(seat_event)
            options = (
                _list_options(request_events[parsed_event.ask].format) if parsed_event.ask in request_events else ()
            )
            if isinstance(parsed_event.value, str) and parsed_event.value in options:
                seat_measures.choice = parsed_event.value
    return measures_by_seat


def _add_reply(seat_measures: SeatMeasures, reply_event: ReplyEvent, request_event: AskEvent | None) -> None:
    seat_measures.reply_count += 1
    seat_measures.token_count += sum(reply_event.meta.get(token_key, 0) for token_key in TOKEN_KEYS)
    if (cost := reply_event.meta.get(COST_KEY)) is not None:
        seat_measures.cost = (seat_measures.cost or 0.0) + cost
    if request_event is not None:
        seat_measures.reply_seconds.append(max(0, reply_event.time - request_event.time) / 1000)


def _list_options(declaration: Json) -> list[str]:
    """Return the options of a choice, also of one behind a tag; none for other formats of replies."""
    while (inner_declaration := declaration.get(INNER_FORMAT_KEY)) is not None:
        declaration = inner_declaration
    return list(declaration.get(OPTIONS_KEY, ()))
