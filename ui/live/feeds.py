"""What pages hear: one growing message per audience, serialised once, sent as what is new.

A `Feed` is what one seat's pages see, or what all spectators of a table see. A newcomer gets the whole, the others what
changed since. A `Listener` is one socket; one that cannot keep up is let go: it reconnects and gets the whole again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from engine.core.events import Json, to_json

BEHIND = 100
"""Messages that may wait for one socket."""
AT_ONCE = 25
"""Sockets of a crowd that are sent to before others get a turn: a millisecond or two."""

RESTART, BUSY, NOT_YOURS, GONE = 1012, 1013, 4403, 4410


class Soon:
    """Work that is asked for often and done once: called again while it runs, it runs once more afterwards."""

    def __init__(
        self, work: Callable[[], Awaitable[None]], background: Callable[[Awaitable[None]], asyncio.Task[None]]
    ) -> None:
        self._work, self._background = work, background
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def __call__(self) -> None:
        """Ask for it."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = self._background(self._run())

    async def _run(self) -> None:
        while self._again:
            self._again = False
            await self._work()


class Listener:
    """One socket's outgoing messages, to a browser. `here` is what its page says about somebody looking at it."""

    def __init__(self, browser: str | None = None) -> None:
        self.browser = browser
        self.here = False
        self.close_code: int | None = None
        self.pump: asyncio.Task[None] | None = None
        """The task that sends; it may hang in a socket that nobody reads."""
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str) -> bool:
        """Queue a message; False when the socket is too far behind and is let go."""
        if self._waiting.qsize() >= BEHIND:
            self.end(BUSY)
            return False
        self._waiting.put_nowait(text)
        return True

    def end(self, code: int) -> None:
        """Let the socket be closed with this code, whatever is still queued."""
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
    """One audience's message. `state` holds each part's JSON as last sent, `lines` that of every line."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.state: dict[str, str] = {}
        self.lines: list[str] = []
        self._v = 0
        self._whole: str | None = None

    def publish(self, state: Mapping[str, object], lines: Sequence[Json]) -> None:
        """Send what is new in `state` and `lines` (which only ever grow) to all listeners."""
        if text := self._news(state, lines):
            self._send(text, list(self.listeners))

    async def publish_to_many(self, state: Mapping[str, object], lines: Sequence[Json]) -> None:
        """The same to a crowd, a few at a time: whoever plays is served in between."""
        if text := self._news(state, lines):
            crowd = list(self.listeners)  # who comes later has it in the whole
            for start in range(0, len(crowd), AT_ONCE):
                self._send(text, crowd[start : start + AT_ONCE])
                await asyncio.sleep(0)

    def _news(self, state: Mapping[str, object], lines: Sequence[Json]) -> str | None:
        """Take in what is new and return it as a message; None when nothing is, or nobody listens."""
        changed = {name: text for name, part in state.items() if (text := to_json(part)) != self.state.get(name)}
        start = len(self.lines)
        fresh = [to_json(line) for line in lines[start:]]
        if not changed and not fresh:
            return None
        self._v += 1
        self._whole = None
        self.state |= changed
        self.lines += fresh
        if not self.listeners:
            return None
        if fresh:
            changed = {"from": str(start), "lines": f"[{','.join(fresh)}]", **changed}
        return _object({"v": str(self._v), **changed})

    def _send(self, text: str, listeners: Sequence[Listener]) -> None:
        self.listeners -= {listener for listener in listeners if not listener.put(text)}

    def whole(self, instead: Mapping[str, object] | None = None) -> str:
        """Return the message for a newcomer; parts in `instead` replace what everybody gets."""
        if instead:
            return self._object({name: to_json(part) for name, part in instead.items()})
        if self._whole is None:
            self._whole = self._object({})
        return self._whole

    def _object(self, instead: Mapping[str, str]) -> str:
        head = {"v": str(self._v), "from": "0"}
        return _object({**head, **self.state, **instead, "lines": f"[{','.join(self.lines)}]"})

    def end(self, code: int) -> None:
        """Let all sockets go."""
        for listener in self.listeners:
            listener.end(code)
        self.listeners.clear()


def _object(parts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{to_json(name)}:{text}" for name, text in parts.items()) + "}"
