"""How often a server is asked: one limiter for all who play there, in one event loop.

It holds what players.toml says (requests and tokens a minute, requests at once) and learns the rest: a server that
wants to be asked less often (429) is left alone for as long as it says, then asked half as much at once, then
gradually more again. Who waits is let in first come, first served. Several processes each have their own.
"""

from __future__ import annotations

import asyncio
import random
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from players.common.troubles import TooMuch

T = TypeVar("T")

BURST_SECONDS = 6.0
"""How much of a rate may be used at once: providers hold limits a minute over shorter windows, too."""
LEAST_PACE = 1 / 16
PACE_GAINED = 0.02
"""Part of the allowed rate that an answer wins back."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
"""Seconds: the waits between attempts, and after a refusal without Retry-After, double from one to the other."""
LEAST_WAIT = 1e-6
"""Seconds: less is an error of rounding, and no clock would come past it."""
PATIENCE = 600.0
"""Seconds: who is asked to wait longer gives up; the episode goes on at the open ask another time."""


def backoff(failures: int) -> float:
    """Return the seconds to wait after so many failures in a row, with jitter."""
    return min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(failures - 1, 16)) * random.uniform(0.75, 1.0)


@dataclass(slots=True)
class Bucket:
    """A rate as a bucket that fills; taking more than is in it leaves a debt."""

    per_minute: float
    level: float = field(init=False)
    at: float | None = None

    def __post_init__(self) -> None:
        self.level = self.capacity

    @property
    def capacity(self) -> float:
        """The most that is taken at once."""
        return max(1.0, self.per_minute / 60 * BURST_SECONDS)

    def wait(self, now: float, amount: float, pace: float) -> float:
        """Return the seconds until so much may be taken, at this part of the rate."""
        rate = self.per_minute / 60 * pace
        if self.at is not None:
            self.level = min(self.capacity, self.level + (now - self.at) * rate)
        self.at = now
        return max(0.0, (min(amount, self.capacity) - self.level) / rate)


@dataclass
class Visit:
    """One request let in. Say how it went: `answered` or `refused`."""

    limiter: Limiter
    tokens: float
    since: float

    def answered(self, tokens: float | None) -> None:
        """Count what the request really took, and let more in again."""
        self.limiter._answered(self, tokens)

    def refused(self, trouble: TooMuch, give_up_after: int) -> None:
        """Ask less; after so many refusals in a row those who wait are refused, too: the server is out of reach."""
        self.limiter._refused(self, trouble, give_up_after)


class Limiter:
    """Lets requests in. `most` at once (None: as many as come)."""

    def __init__(
        self,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        most: int | None = None,
    ) -> None:
        self._requests = Bucket(requests_per_minute) if requests_per_minute else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute else None
        self._most = self.at_once = float(most) if most else float("inf")
        self.pace = 1.0
        self.inside = 0
        self._paused_until = self._slowed_at = float("-inf")
        self._closed_until, self._closed_because = float("-inf"), ""
        self._refusals = 0
        self._waiting: deque[tuple[asyncio.Future[float], float]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def visit(self, tokens: float = 0.0) -> AsyncIterator[Visit]:
        """Wait to be let in with a request of about so many tokens. Raises `TooMuch` when the server is given up."""
        left = self._closed_until - asyncio.get_running_loop().time()
        if left > 0:
            raise TooMuch(self._closed_because, retry_after=left)
        let_in: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((let_in, tokens))
        self._let_in()
        try:
            since = await let_in
        except asyncio.CancelledError:
            if let_in.done() and not let_in.cancelled() and not let_in.exception():
                self._leave()
            raise
        try:
            yield Visit(self, tokens, since)
        finally:
            self._leave()

    def _leave(self) -> None:
        self.inside -= 1
        self._let_in()

    def _let_in(self) -> None:
        """Let in who may enter now; look again when time alone lets in the next."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        loop = asyncio.get_running_loop()
        while self._waiting:
            coming, tokens = self._waiting[0]
            if coming.done():
                self._waiting.popleft()
                continue
            if self.inside >= max(1, int(min(self.at_once, 1e9))):
                return
            now = loop.time()
            wait = max(
                self._paused_until - now,
                self._requests.wait(now, 1, self.pace) if self._requests else 0.0,
                self._tokens.wait(now, tokens, self.pace) if self._tokens else 0.0,
            )
            if wait > LEAST_WAIT:
                self._timer = loop.call_later(wait, self._let_in)
                return
            self._waiting.popleft()
            self.inside += 1
            if self._requests:
                self._requests.level -= 1
            if self._tokens:
                self._tokens.level -= tokens
            coming.set_result(now)

    def _answered(self, visit: Visit, tokens: float | None) -> None:
        if self._tokens and tokens is not None:
            self._tokens.level += visit.tokens - tokens
        self._refusals = 0
        self.at_once = min(self._most, self.at_once + 1 / self.at_once)
        self.pace = min(1.0, self.pace + PACE_GAINED)

    def _refused(self, visit: Visit, trouble: TooMuch, give_up_after: int) -> None:
        now = asyncio.get_running_loop().time()
        if visit.since >= self._slowed_at:  # else it left before we slowed down, and says nothing new
            self._refusals += 1
            self._slowed_at = now
            self.at_once = max(1.0, min(self.at_once, self.inside) / 2)
            self.pace = max(LEAST_PACE, self.pace / 2)
        wait = backoff(max(1, self._refusals)) if trouble.retry_after is None else trouble.retry_after
        self._paused_until = max(self._paused_until, now + min(wait, PATIENCE))
        if wait > PATIENCE:  # nobody need find out again
            self._closed_until, self._closed_because = now + wait, str(trouble)
        if self._refusals >= give_up_after or wait > PATIENCE:
            waiting, self._waiting = self._waiting, deque()
            for coming, _ in waiting:
                if not coming.done():
                    coming.set_exception(TooMuch(str(trouble), retry_after=trouble.retry_after))


class PerLoop(Generic[T]):
    """Things that belong to an event loop and are shared by all in it, by key."""

    def __init__(self) -> None:
        self._kept: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, T]] = (
            weakref.WeakKeyDictionary()
        )

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what the running loop keeps under a key, made at first."""
        kept = self._kept.setdefault(asyncio.get_running_loop(), {})
        if key not in kept:
            kept[key] = make()
        return kept[key]

    def find(self, key: Hashable) -> T | None:
        """Return what the running loop keeps under a key, None when there is nothing."""
        return self._kept.get(asyncio.get_running_loop(), {}).get(key)

    def take(self) -> list[T]:
        """Return all that the running loop keeps, and keep it no longer."""
        return list(self._kept.pop(asyncio.get_running_loop(), {}).values())
