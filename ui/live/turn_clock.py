"""The turn clock of a table: how long each reply may take, and which have taken too long.

It has no timers: whoever asks for what is overdue (`ui.live.turn_limits`) decides what happens then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from engine.core.events import Event, Json, Kind
from engine.play.episode import Episode
from engine.storage.ids import now_ms
from ui.live.offers import PERSON_PROVIDER

TRANSFER_SECONDS = 2.0
"""Seconds for a reply that a page sent at the last moment to arrive."""
NO_REPLY_REASON = "no reply in time"
"""The reason in the log where a seat was silent."""
RESTARTING_KINDS = (Kind.ASK, Kind.VIOLATION, Kind.FAULT, Kind.SEAT)
"""Events after which a reply of their seat has the whole time again."""


@dataclass(frozen=True, slots=True)
class TurnLimit:
    """The limit of a table: seconds for a reply of a person (None: no limit) and of a program, and what happens then.

    By the rule "program" the player `program` (a full address) takes the seat; by "abandon" the game ends.
    """

    seconds: float | None
    model_seconds: float
    rule: Literal["program", "abandon"]
    program: str | None

    def as_json(self) -> Json:
        """Return the limit as the start of an episode notes it for each person."""
        return asdict(self)

    @classmethod
    def from_start_event(cls, start: Json) -> TurnLimit | None:
        """Return the limit that the data of a start event notes, if any."""
        limits_json = (person.get("turn_limit") for person in start.get("people", {}).values())
        return next((cls(**limit_json) for limit_json in limits_json if limit_json), None)


@dataclass(slots=True)
class TimedTurn:
    """A reply that is awaited: `due_at` in the time of the event loop, `ends_at_ms` the same as UTC milliseconds."""

    turn_key: str
    seat: str
    request_number: int
    is_person: bool
    due_at: float
    ends_at_ms: int
    is_extended: bool = False


class TurnClock:
    """The awaited replies of one table; `remaining_ms_by_turn`: what was left when another server had it.

    With `waits_for_arrival` a person who has never opened the page of the seat is not timed: the link may not be there.
    """

    def __init__(
        self, turn_limit: TurnLimit, remaining_ms_by_turn: Mapping[str, int], *, waits_for_arrival: bool
    ) -> None:
        self.limit, self._waits_for_arrival = turn_limit, waits_for_arrival
        self._arrived_seats: set[str] = set()
        self._remaining_ms_by_turn = dict(remaining_ms_by_turn)
        self._turn_starts: dict[str, int] = {}
        """Seat to the number of the event from which its present turn counts."""
        self._turns: dict[str, TimedTurn] = {}

    def apply_events(self, events: Iterable[Event]) -> None:
        """Take in stored events. Call `update_turns` afterwards."""
        for event in events:
            if event.seat and event.kind in RESTARTING_KINDS:
                self._turn_starts[event.seat] = event.n
            if event.seat and event.kind is Kind.PRESENT:
                self._arrived_seats.add(event.seat)
            elif event.seat and event.kind is Kind.SEAT:
                self._arrived_seats.discard(event.seat)

    def update_turns(self, episode: Episode, player_by_seat: Mapping[str, str]) -> None:
        """Start the clocks of new turns, and drop those of turns that are over."""
        turn_by_key: dict[str, TimedTurn] = {}
        for request_number, open_ask in episode.master.open.items() if not episode.outcome else ():
            if request_number in episode.master.held_continuations:
                continue
            seat = open_ask.request.seat
            turn_key = f"{request_number}@{self._turn_starts.get(seat, 0)}"
            is_person = player_by_seat[seat] == PERSON_PROVIDER
            turn_seconds = self.limit.seconds if is_person else self.limit.model_seconds
            has_arrived = not (is_person and self._waits_for_arrival) or seat in self._arrived_seats
            if turn_seconds is not None and has_arrived:
                turn_by_key[turn_key] = self._turns.get(turn_key) or self._begin_turn(
                    turn_key, seat, request_number, is_person, turn_seconds
                )
        self._turns = turn_by_key

    def _begin_turn(
        self, turn_key: str, seat: str, request_number: int, is_person: bool, turn_seconds: float
    ) -> TimedTurn:
        is_extended = f"{turn_key}+" in self._remaining_ms_by_turn
        remaining_ms = (
            self._remaining_ms_by_turn.pop(f"{turn_key}+" if is_extended else turn_key, None) if is_person else None
        ) or turn_seconds * 1000
        loop_time = asyncio.get_running_loop().time()
        return TimedTurn(
            turn_key,
            seat,
            request_number,
            is_person,
            loop_time + remaining_ms / 1000,
            now_ms() + int(remaining_ms),
            is_extended,
        )

    def find_turn(self, seat: str) -> TimedTurn | None:
        """Return the turn of a person's seat, None without a limit or an open ask."""
        return next((turn for turn in self._turns.values() if turn.seat == seat and turn.is_person), None)

    def extend_turn(self, seat: str, request_number: int) -> bool:
        """Give a person the whole time once more, who says to be still there; return whether that was possible."""
        turn = self.find_turn(seat)
        if turn is None or turn.request_number != request_number or not self.limit.seconds:
            return False
        if turn.is_extended or self.is_overdue(turn):
            return False
        turn.is_extended = True
        self._set_deadline(turn, self.limit.seconds)
        return True

    def restart_programs(self) -> None:
        """Give programs the whole time again: a model is being loaded."""
        for turn in self._turns.values():
            if not turn.is_person:
                self._set_deadline(turn, self.limit.model_seconds)

    def _set_deadline(self, turn: TimedTurn, seconds: float) -> None:
        turn.due_at, turn.ends_at_ms = asyncio.get_running_loop().time() + seconds, now_ms() + int(seconds * 1000)

    def list_overdue_turns(self, failed_request_numbers: Iterable[int]) -> list[TimedTurn]:
        """Return the turns whose time is over, and those of programs who gave up, as `failed_request_numbers` says."""
        failed_number_set = set(failed_request_numbers)
        return [
            turn for turn in self._turns.values() if self.is_overdue(turn) or (turn.request_number in failed_number_set)
        ]

    def is_overdue(self, turn: TimedTurn) -> bool:
        """Return whether a turn goes on though its time is over."""
        is_open = self._turns.get(turn.turn_key) is turn
        return is_open and asyncio.get_running_loop().time() > turn.due_at + (TRANSFER_SECONDS if turn.is_person else 0)

    def is_open(self, turn: TimedTurn) -> bool:
        """Return whether a reply is still awaited."""
        return self._turns.get(turn.turn_key) is turn

    @property
    def is_running(self) -> bool:
        """Whether any reply is timed now."""
        return bool(self._turns)

    def measure_remaining_ms(self) -> dict[str, int]:
        """Return the milliseconds left for people, as they are stored; `+` marks turns that were extended."""
        loop_time = asyncio.get_running_loop().time()
        return {
            f"{turn.turn_key}{'+' if turn.is_extended else ''}": max(1, int((turn.due_at - loop_time) * 1000))
            for turn in self._turns.values()
            if turn.is_person
        }
