"""What a seat did in one episode, from its events: replies, refusals, time, tokens, and its last choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core.events import Event, Json, Kind


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
    seats: dict[str, SeatMeasures] = {}
    asked: dict[int, Event] = {}
    for event in events:
        if event.seat is None:
            continue
        if event.kind is Kind.ASK:
            asked[event.data["ask"]] = event
            seats.setdefault(event.seat, SeatMeasures()).has_progress |= bool(event.data.get("progress"))
        elif event.kind is Kind.REPLY and not event.data.get("discarded"):
            measures = seats.setdefault(event.seat, SeatMeasures())
            measures.replies += 1
            _add_usage(measures, event.data["meta"])
            if ask := asked.get(event.data["ask"]):
                measures.seconds.append(max(0, event.time - ask.time) / 1000)
        elif event.kind is Kind.VIOLATION:
            seats.setdefault(event.seat, SeatMeasures()).refused += 1
        elif event.kind is Kind.SEAT:
            seats.setdefault(event.seat, SeatMeasures()).was_handed_over = True
        elif event.kind is Kind.PARSED and (ask := asked.get(event.data["ask"])):
            value = event.data["value"]
            if isinstance(value, str) and value in _options(ask.data["format"]):
                seats[event.seat].choice = value
    return seats


def _add_usage(measures: SeatMeasures, meta: Json) -> None:
    measures.tokens += meta.get("tokens_in", 0) + meta.get("tokens_out", 0)
    if "cost" in meta:
        measures.cost = (measures.cost or 0.0) + meta["cost"]


def _options(declaration: Json) -> list[str]:
    """Return the options of a choice, also of one behind a tag; none for other formats of replies."""
    while "inner" in declaration:
        declaration = declaration["inner"]
    return list(declaration.get("options", ()))
