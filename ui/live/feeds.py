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
AT_ONCE = 25
"""Sockets of a crowd that are served before other work gets its turn: a millisecond or two."""

RESTART_CODE, BUSY, NOT_YOURS, GONE = 1012, 1013, 4403, 4410


class Coalescer:
    """Coalesces repeated requests for some work: it runs now, and at most once more for all requests meanwhile."""

    def __init__(
        self, work: Callable[[], Awaitable[None]], background: Callable[[Awaitable[None]], asyncio.Task[None]]
    ) -> None:
        self._work, self._background = work, background
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def __call__(self) -> None:
        """Request the work."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = self._background(self._run())

    async def _run(self) -> None:
        while self._again:
            self._again = False
            await self._work()


class Listener:
    """The outgoing messages of one socket of a browser. `is_viewed` says whether somebody looks at its page."""

    def __init__(self, browser: str | None = None) -> None:
        self.browser = browser
        self.is_viewed = False
        self.close_code: int | None = None
        self.pump: asyncio.Task[None] | None = None
        """The task that sends; it may block on a socket that is not read."""
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str) -> bool:
        """Queue a message; return False when the socket is too far behind and is closed."""
        if self._waiting.qsize() >= MAX_QUEUED_MESSAGES:
            self.end(BUSY)
            return False
        self._waiting.put_nowait(text)
        return True

    def end(self, code: int) -> None:
        """Have the socket closed with this code; queued messages are dropped."""
        self.close_code = self.close_code or code
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)
        if code == BUSY and self.pump:
            self.pump.cancel()

    async def next(self) -> str | None:
        """Return the next message to send, None when the socket is to be closed."""
        return await self._waiting.get()


class Feed:
    """The message of one audience. `state` holds the latest JSON of each part, `lines` the JSON of every line."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.state: dict[str, str] = {}
        self.lines: list[str] = []
        self._version = 0
        self._whole: str | None = None

    def publish(self, state: Mapping[str, object], lines: Sequence[Json]) -> None:
        """Send what is new in `state` and `lines` (which only ever grow) to all listeners."""
        if text := self._take_news(state, lines):
            self._send(text, list(self.listeners))

    async def publish_to_many(self, state: Mapping[str, object], lines: Sequence[Json]) -> None:
        """Send the same to a crowd, a few at a time, so that players are served in between."""
        if text := self._take_news(state, lines):
            crowd = list(self.listeners)  # later listeners have it in their whole message
            for start in range(0, len(crowd), AT_ONCE):
                self._send(text, crowd[start : start + AT_ONCE])
                await asyncio.sleep(0)

    def _take_news(self, state: Mapping[str, object], lines: Sequence[Json]) -> str | None:
        """Take in what is new; return it as a message, None without news or listeners."""
        changed = {name: text for name, part in state.items() if (text := to_json(part)) != self.state.get(name)}
        start = len(self.lines)
        fresh = [to_json(line) for line in lines[start:]]
        if not changed and not fresh:
            return None
        self._version += 1
        self._whole = None
        self.state |= changed
        self.lines += fresh
        if not self.listeners:
            return None
        if fresh:
            changed = {"from": str(start), "lines": f"[{','.join(fresh)}]", **changed}
        return _json_object({"v": str(self._version), **changed})

    def _send(self, text: str, listeners: Sequence[Listener]) -> None:
        self.listeners -= {listener for listener in listeners if not listener.put(text)}

    def whole(self, instead: Mapping[str, object] | None = None) -> str:
        """Return the whole message for a new listener; parts in `instead` replace what everybody gets."""
        if instead:
            return self._joining_message({name: to_json(part) for name, part in instead.items()})
        if self._whole is None:
            self._whole = self._joining_message({})
        return self._whole

    def _joining_message(self, instead: Mapping[str, str]) -> str:
        head = {"v": str(self._version), "from": "0"}
        return _json_object({**head, **self.state, **instead, "lines": f"[{','.join(self.lines)}]"})

    def end(self, code: int) -> None:
        """Close all sockets with a code."""
        for listener in self.listeners:
            listener.end(code)
        self.listeners.clear()


def _json_object(parts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{to_json(name)}:{text}" for name, text in parts.items()) + "}"
