"""Replies that programs are writing now, for the spectators of one table. Nothing of them is stored.

What counts is the whole reply in the log: with its event, the partial text is forgotten.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from engine.core.events import Event, Kind

NOTIFICATION_DELAY_SECONDS = 0.25
"""Seconds between two messages to spectators, however fast a model writes."""
REPLY_ENDING_EVENT_KINDS = {Kind.REPLY, Kind.FAULT, Kind.CANCEL, Kind.SEAT}
"""Events with which what a seat was writing is complete, or given up."""


class PartialReplies:
    """The text so far of each seat whose reply is being generated. `notify_pages` is called when a text has changed."""

    def __init__(self, notify_pages: Callable[[], None]) -> None:
        self._notify = notify_pages
        self._text_by_seat: dict[str, str] = {}
        self._reply_tokens: dict[str, object] = {}
        """What the latest reply of a seat is known by: one that was given up may still be written."""
        self._timer: asyncio.TimerHandle | None = None

    def get_text(self, seat: str) -> str:
        """Return what a seat has written so far."""
        return self._text_by_seat.get(seat, "")

    def begin_reply(self, seat: str) -> Callable[[str], None]:
        """Return what takes the text so far of a seat's next reply."""
        reply_token = self._reply_tokens[seat] = object()
        return partial(self._show_partial_reply, seat, reply_token)

    def apply_events(self, events: Sequence[Event]) -> None:
        """Forget what is complete or given up; the pages are told of these events anyway."""
        for event in events:
            if event.kind is Kind.OUTCOME:
                self._text_by_seat.clear()
                self._reply_tokens.clear()
            elif event.kind in REPLY_ENDING_EVENT_KINDS and event.seat:
                self._text_by_seat.pop(event.seat, None)
                self._reply_tokens.pop(event.seat, None)

    def stop_timer(self) -> None:
        """Tell nobody any more."""
        if self._timer:
            self._timer.cancel()

    def _show_partial_reply(self, seat: str, reply_token: object, partial_text: str) -> None:
        if self._reply_tokens.get(seat) is not reply_token:
            return
        self._text_by_seat[seat] = partial_text
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(NOTIFICATION_DELAY_SECONDS, self._notify_pages)

    def _notify_pages(self) -> None:
        self._timer = None
        self._notify()
