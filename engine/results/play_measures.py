"""What a seat did in one episode, from its events: replies, refusals, time, tokens, and its last choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core.event_views import AskEvent, ParsedEvent, ReplyEvent
from engine.core.events import Event, Json, Kind

MEASURED_KINDS = frozenset({Kind.ASK, Kind.REPLY, Kind.VIOLATION, Kind.SEAT, Kind.PARSED})
TOKEN_KEYS, COST_KEY = ("tokens_in", "tokens_out"), "cost"
"""Keys of the meta of a reply."""
INNER_KEY, OPTIONS_KEY = "inner", "options"
"""Keys of the declaration of a reply format: what is behind a tag, and the options of a choice."""


@dataclass(slots=True)
class SeatMeasures:
    """What one seat did in one episode. `seconds` has the time from ask to reply of each reply, in seconds.

    `tokens` counts those of prompts and replies, `cost` is in USD and None where no price is known. `choice` is the
    last accepted reply that named one of a closed list of options. `was_handed_over`: another player took over.
    """

    replies: int = 0
    refused: int = 0
    seconds: list[float] = field(default_factory=list)
    tokens: int = 0
    cost: float | None = None
    choice: str | None = None
    was_handed_over: bool = False
    has_progress: bool = False
    """Whether its page showed how far the game was."""


def measure_seats(events: Iterable[Event]) -> dict[str, SeatMeasures]:
    """Return what each seat that was asked or handed over did in an episode."""
    measures_by_seat: dict[str, SeatMeasures] = {}
    ask_events: dict[int, AskEvent] = {}
    for event in events:
        if event.seat is None or event.kind not in MEASURED_KINDS:
            continue
        measures = measures_by_seat.setdefault(event.seat, SeatMeasures())
        if event.kind is Kind.ASK:
            ask = AskEvent.of(event)
            ask_events[ask.ask] = ask
            measures.has_progress |= ask.progress is not None
        elif event.kind is Kind.REPLY:
            reply = ReplyEvent.of(event)
            if not reply.discarded:
                _add_reply(measures, reply, ask_events.get(reply.ask))
        elif event.kind is Kind.VIOLATION:
            measures.refused += 1
        elif event.kind is Kind.SEAT:
            measures.was_handed_over = True
        else:
            parsed = ParsedEvent.of(event)
            options = _choice_options(ask_events[parsed.ask].format) if parsed.ask in ask_events else ()
            if isinstance(parsed.value, str) and parsed.value in options:
                measures.choice = parsed.value
    return measures_by_seat


def _add_reply(measures: SeatMeasures, reply: ReplyEvent, ask: AskEvent | None) -> None:
    measures.replies += 1
    measures.tokens += sum(reply.meta.get(name, 0) for name in TOKEN_KEYS)
    if (cost := reply.meta.get(COST_KEY)) is not None:
        measures.cost = (measures.cost or 0.0) + cost
    if ask is not None:
        measures.seconds.append(max(0, reply.time - ask.time) / 1000)


def _choice_options(declaration: Json) -> list[str]:
    """Return the options of a choice, also of one behind a tag; none for other formats of replies."""
    while (inner := declaration.get(INNER_KEY)) is not None:
        declaration = inner
    return list(declaration.get(OPTIONS_KEY, ()))
