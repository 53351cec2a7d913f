"""Browsers that ask to play a seat at which another browser plays: who waits at a table, and what they are told.

A waiting browser gets a state and nothing else of the seat. The seat's pages, and the owner's lobby, get the ids of the
requests; who is behind them stays here. Requests live as long as the waiting page is open.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.events import Json, to_json
from engine.storage.ids import now_ms
from ui.live.feeds import Listener

MAX_REFUSALS = 3
"""How often a browser may ask again for a seat after a no."""


class JoinState(StrEnum):
    """How a browser stands with a seat whose link it has opened."""

    SEATED = "seated"
    WAITING = "waiting"
    """Another browser plays there, which is asked."""
    BOTH_SEATS = "both_seats"
    """The browser plays another seat of the table: it has to confirm that it wants both."""
    REFUSED = "refused"
    OVER = "over"
    """The game is over: nobody new takes a seat."""
    REPLACED = "replaced"
    """The seat was given to another player: the link is void."""


@dataclass(slots=True)
class JoinRequest:
    """A browser that waits for a seat, with the sockets of its waiting pages. `waiting_since_ms` is in UTC."""

    browser: str
    accepts_both_seats: bool
    waiting_since_ms: int
    listeners: set[Listener] = field(default_factory=set)


class JoinRequests:
    """The requests at one table, by seat and random id."""

    def __init__(self) -> None:
        self._requests_by_seat: dict[str, dict[str, JoinRequest]] = {}
        self._refusal_counts: dict[tuple[str, str], int] = {}
        """How often a browser was refused at a seat."""

    def add_request(self, seat: str, listener: Listener, *, accepts_both_seats: bool) -> None:
        """Let a page of a browser wait for a seat; `accepts_both_seats` says that it confirmed to play two seats."""
        assert listener.browser is not None
        requests = self._requests_by_seat.setdefault(seat, {})
        join_request = next(
            (open_request for open_request in requests.values() if open_request.browser == listener.browser), None
        )
        if join_request is None:
            join_request = requests[secrets.token_urlsafe(9)] = JoinRequest(
                listener.browser, accepts_both_seats, now_ms()
            )
        join_request.accepts_both_seats |= accepts_both_seats
        join_request.listeners.add(listener)

    def remove_listener(self, seat: str, listener: Listener) -> None:
        """Forget a page that is closed, and with the last one the request."""
        for request_id, join_request in list(self._requests_by_seat.get(seat, {}).items()):
            join_request.listeners.discard(listener)
            if not join_request.listeners:
                del self._requests_by_seat[seat][request_id]

    def list_ids(self, seat: str) -> list[str]:
        """Return the ids of the requests for a seat, oldest first."""
        return list(self._requests_by_seat.get(seat, ()))

    def get_request(self, seat: str, request_id: str) -> JoinRequest | None:
        """Return a request for a seat; None if its browser waits no more."""
        return self._requests_by_seat.get(seat, {}).get(request_id)

    def may_ask(self, seat: str, browser: str) -> bool:
        """Return whether a browser may ask for a seat, or was refused too often."""
        return self._refusal_counts.get((seat, browser), 0) < MAX_REFUSALS

    def answer_request(self, seat: str, request_id: str, join_state: JoinState) -> None:
        """Tell the pages of a request how it ended, and forget it."""
        request = self._requests_by_seat[seat].pop(request_id)
        if join_state is JoinState.REFUSED:
            self._refusal_counts[seat, request.browser] = self._refusal_counts.get((seat, request.browser), 0) + 1
        for listener in request.listeners:
            listener.enqueue(to_json({"state": join_state}))

    def answer_requests(self, join_state: JoinState, seat: str | None = None) -> None:
        """Answer all requests for a seat, or for all seats, alike."""
        for open_seat in list(self._requests_by_seat) if seat is None else [seat]:
            for request_id in self.list_ids(open_seat):
                self.answer_request(open_seat, request_id, join_state)

    def __iter__(self) -> Iterator[tuple[str, str, JoinRequest]]:
        """Yield (seat, id, request) for all requests."""
        for seat, requests_by_id in self._requests_by_seat.items():
            for request_id, join_request in requests_by_id.items():
                yield seat, request_id, join_request

    def close(self, close_code: int) -> None:
        """Close the sockets of all waiting pages with a code; they connect again."""
        for _, _, join_request in self:
            for listener in join_request.listeners:
                listener.close(close_code)
        self._requests_by_seat.clear()


def join_message(join_state: JoinState, held_seats: list[str]) -> Json:
    """Return what a waiting page is sent; `held_seats` names the browser's own other seats at the table."""
    return {"state": join_state} | ({"held": held_seats} if join_state is JoinState.BOTH_SEATS else {})
