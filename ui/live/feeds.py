"""What is sent to pages: one growing message per audience, serialised once, sent as changes.

A `Feed` holds what one seat's pages see, or what all spectators of a table see. A new listener gets the whole message,
the others what has changed since. A `Listener` is one socket; a socket that cannot keep up is closed, reconnects and
gets the whole message again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from engine.core.events import Json, to_json

MAX_QUEUED_MESSAGES = 100
"""How many messages may wait for one socket."""
SEND_BATCH_SIZE = 25
"""Sockets of a crowd that are served before other work gets its turn: a millisecond or two."""

RESTART_CLOSE_CODE, BUSY_CLOSE_CODE, FORBIDDEN_CLOSE_CODE, GONE_CLOSE_CODE = 1012, 1013, 4403, 4410


class Coalescer:
    """Coalesces repeated requests for some work: it runs now, and at most once more for all requests meanwhile."""

    def __init__(
        self, action: Callable[[], Awaitable[None]], run_in_background: Callable[[Awaitable[None]], asyncio.Task[None]]
    ) -> None:
        self._action, self._background = action, run_in_background
        self._running_task: asyncio.Task[None] | None = None
        self._is_run_requested = False

    def __call__(self) -> None:
        """Request the work."""
        self._is_run_requested = True
        if self._running_task is None or self._running_task.done():
            self._running_task = self._background(self._run_requested_action())

    async def _run_requested_action(self) -> None:
        while self._is_run_requested:
            self._is_run_requested = False
            await self._action()


class Listener:
    """The outgoing messages of one socket of a browser. `is_viewed` says whether somebody looks at its page."""

    def __init__(self, browser: str | None = None) -> None:
        self.browser = browser
        self.is_viewed = False
        self.close_code: int | None = None
        self.sender_task: asyncio.Task[None] | None = None
        """The task that sends; it may block on a socket that is not read."""
        self._message_queue: asyncio.Queue[str | None] = asyncio.Queue()

    def enqueue(self, message: str) -> bool:
        """Queue a message; return False when the socket is too far behind and is closed."""
        if self._message_queue.qsize() >= MAX_QUEUED_MESSAGES:
            self.close(BUSY_CLOSE_CODE)
            return False
        self._message_queue.put_nowait(message)
        return True

    def close(self, close_code: int) -> None:
        """Have the socket closed with this code; queued messages are dropped."""
        self.close_code = self.close_code or close_code
        while not self._message_queue.empty():
            self._message_queue.get_nowait()
        self._message_queue.put_nowait(None)
        if close_code == BUSY_CLOSE_CODE and self.sender_task:
            self.sender_task.cancel()

    async def await_message(self) -> str | None:
        """Return the next message to send, None when the socket is to be closed."""
        return await self._message_queue.get()


class Feed:
    """The message of one audience. `state` holds the latest JSON of each part, `lines` the JSON of every line."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.state: dict[str, str] = {}
        self.lines: list[str] = []
        self._version = 0
        self._full_message: str | None = None

    def publish(self, page_state: Mapping[str, object], page_lines: Sequence[Json]) -> None:
        """Send what is new in `page_state` and `page_lines` (which only ever grow) to all listeners."""
        if message := self._take_changes(page_state, page_lines):
            self._send_message(message, list(self.listeners))

    async def publish_to_many(self, page_state: Mapping[str, object], page_lines: Sequence[Json]) -> None:
        """Send the same to a crowd, a few at a time, so that players are served in between."""
        if message := self._take_changes(page_state, page_lines):
            listeners = list(self.listeners)  # later listeners have it in their whole message
            for batch_start in range(0, len(listeners), SEND_BATCH_SIZE):
                self._send_message(message, listeners[batch_start : batch_start + SEND_BATCH_SIZE])
                await asyncio.sleep(0)

    def _take_changes(self, page_state: Mapping[str, object], page_lines: Sequence[Json]) -> str | None:
        """Take in what is new; return it as a message, None without news or listeners."""
        new_state = {
            part_name: part_json
            for part_name, page_state_part in page_state.items()
            if (part_json := to_json(page_state_part)) != self.state.get(part_name)
        }
        first_line = len(self.lines)
        new_lines = [to_json(page_line) for page_line in page_lines[first_line:]]
        if not new_state and not new_lines:
            return None
        self._version += 1
        self._full_message = None
        self.state |= new_state
        self.lines += new_lines
        if not self.listeners:
            return None
        if new_lines:
            new_state = {"from": str(first_line), "lines": f"[{','.join(new_lines)}]", **new_state}
        return _join_json({"v": str(self._version), **new_state})

    def _send_message(self, message: str, listeners: Sequence[Listener]) -> None:
        self.listeners -= {listener for listener in listeners if not listener.enqueue(message)}

    def make_full_message(self, replacements: Mapping[str, object] | None = None) -> str:
        """Return the whole message for a new listener; parts in `replacements` replace what everybody gets."""
        if replacements:
            return self._make_joining_message(
                {key: to_json(page_state_part) for key, page_state_part in replacements.items()}
            )
        if self._full_message is None:
            self._full_message = self._make_joining_message({})
        return self._full_message

    def _make_joining_message(self, replacements: Mapping[str, str]) -> str:
        version_json = {"v": str(self._version), "from": "0"}
        return _join_json({**version_json, **self.state, **replacements, "lines": f"[{','.join(self.lines)}]"})

    def close(self, close_code: int) -> None:
        """Close all sockets with a code."""
        for listener in self.listeners:
            listener.close(close_code)
        self.listeners.clear()


def _join_json(json_by_name: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{to_json(field_name)}:{json_text}" for field_name, json_text in json_by_name.items()) + "}"
