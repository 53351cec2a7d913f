"""A rate limiter per server, shared by all players of one event loop.

It enforces the limits of players.toml (requests and tokens per minute, concurrent requests) and learns the others.
After a rate limit error (429) it sends nothing for as long as the server asks, at least for the backoff, then halves
its concurrency and pace, and recovers gradually. Waiting requests are admitted first come, first served. Each process
has its own limiters.
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

from players.common.request_errors import RateLimited

T = TypeVar("T")

BURST_SECONDS = 6.0
"""The part of a rate that may be used at once: providers also enforce their limits over windows of a few seconds."""
MIN_RATE_FACTOR = 1 / 16
RATE_RECOVERY_STEP = 0.02
"""The part of the allowed rate that each success restores."""
MIN_BACKOFF, MAX_BACKOFF = 0.5, 60.0
"""Seconds: the first and the longest wait between attempts, and after rate limit errors without Retry-After."""
NEGLIGIBLE_WAIT_SECONDS = 1e-6
"""Seconds: a shorter wait is a rounding error, and the clock might not advance past it."""
MAX_RETRY_AFTER = 600.0
"""Seconds: if a server asks to wait longer, the request fails; the episode resumes at its open ask another time."""


def sample_backoff_seconds(failure_count: int) -> float:
    """Return the seconds to wait after this many failures in a row, with jitter."""
    return min(MAX_BACKOFF, MIN_BACKOFF * 2.0 ** min(failure_count - 1, 16)) * random.uniform(0.75, 1.0)


@dataclass(slots=True)
class Bucket:
    """A token bucket: it fills at a constant rate, and taking more than it holds leaves a debt."""

    amount_per_minute: float
    remaining_capacity: float = field(init=False)
    updated_at: float | None = None

    def __post_init__(self) -> None:
        self.remaining_capacity = self.burst_capacity

    @property
    def burst_capacity(self) -> float:
        """The most that can be taken at once."""
        return max(1.0, self.amount_per_minute / 60 * BURST_SECONDS)

    def compute_wait(self, requested_amount: float, loop_time: float, rate_factor: float) -> float:
        """Return the seconds until an amount can be taken, at this part of the rate."""
        refill_rate = self.amount_per_minute / 60 * rate_factor
        if self.updated_at is not None:
            self.remaining_capacity = min(
                self.burst_capacity, self.remaining_capacity + (loop_time - self.updated_at) * refill_rate
            )
        self.updated_at = loop_time
        return max(0.0, (min(requested_amount, self.burst_capacity) - self.remaining_capacity) / refill_rate)


@dataclass
class Slot:
    """One admitted request. Its holder reports how the request went."""

    limiter: Limiter
    tokens: float
    admitted_at: float

    def report_success(self, tokens: float | None) -> None:
        """Count the tokens that were really used, and admit more requests again."""
        self.limiter._raise_rate(self, tokens)

    def report_rate_limit(self, limit_error: RateLimited, max_consecutive_errors: int) -> None:
        """Admit fewer requests; after `max_consecutive_errors` errors in a row, fail the waiting ones as well."""
        self.limiter._slow_down(self, limit_error, max_consecutive_errors)


class Limiter:
    """Admits requests, at most `concurrency` at once (None: no limit)."""

    def __init__(
        self,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        concurrency: int | None = None,
    ) -> None:
        self._requests = Bucket(requests_per_minute) if requests_per_minute else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute else None
        self._max_concurrency = self.concurrency = float(concurrency) if concurrency else float("inf")
        self.rate_factor = 1.0
        self.active_request_count = 0
        self._paused_until = self._slowed_at = float("-inf")
        self._closed_until, self._closed_reason = float("-inf"), ""
        self._consecutive_error_count = 0
        self._waiting_requests: deque[tuple[asyncio.Future[float], float]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def acquire(self, tokens: float = 0.0) -> AsyncIterator[Slot]:
        """Wait until a request of about `tokens` is admitted. Raises `RateLimited` once the server is given up."""
        seconds_left = self._closed_until - asyncio.get_running_loop().time()
        if seconds_left > 0:
            raise RateLimited(self._closed_reason, retry_after=seconds_left)
        admission_future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting_requests.append((admission_future, tokens))
        self._admit_waiting()
        try:
            admitted_at = await admission_future
        except asyncio.CancelledError:
            if admission_future.done() and not admission_future.cancelled() and not admission_future.exception():
                self._release_slot()
            raise
        try:
            yield Slot(self, tokens, admitted_at)
        finally:
            self._release_slot()

    def _release_slot(self) -> None:
        self.active_request_count -= 1
        self._admit_waiting()

    def _admit_waiting(self) -> None:
        """Admit waiting requests; set a timer if only time must pass before the next."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        event_loop = asyncio.get_running_loop()
        while self._waiting_requests:
            admission_future, tokens = self._waiting_requests[0]
            if admission_future.done():
                self._waiting_requests.popleft()
                continue
            if self.active_request_count >= max(1, int(min(self.concurrency, 1e9))):
                return
            loop_time = event_loop.time()
            wait_seconds = max(
                self._paused_until - loop_time,
                self._requests.compute_wait(1, loop_time, self.rate_factor) if self._requests else 0.0,
                self._tokens.compute_wait(tokens, loop_time, self.rate_factor) if self._tokens else 0.0,
            )
            if wait_seconds > NEGLIGIBLE_WAIT_SECONDS:
                self._timer = event_loop.call_later(wait_seconds, self._admit_waiting)
                return
            self._waiting_requests.popleft()
            self.active_request_count += 1
            if self._requests:
                self._requests.remaining_capacity -= 1
            if self._tokens:
                self._tokens.remaining_capacity -= tokens
            admission_future.set_result(loop_time)

    def _raise_rate(self, request_slot: Slot, tokens: float | None) -> None:
        if self._tokens and tokens is not None:
            self._tokens.remaining_capacity += request_slot.tokens - tokens
        self._consecutive_error_count = 0
        self.concurrency = min(self._max_concurrency, self.concurrency + 1 / self.concurrency)
        self.rate_factor = min(1.0, self.rate_factor + RATE_RECOVERY_STEP)

    def _slow_down(self, slot: Slot, limit_error: RateLimited, max_consecutive_errors: int) -> None:
        loop_time = asyncio.get_running_loop().time()
        if slot.admitted_at >= self._slowed_at:  # an older request was sent before we slowed down: no new information
            self._consecutive_error_count += 1
            self._slowed_at = loop_time
            self.concurrency = max(1.0, min(self.concurrency, self.active_request_count) / 2)
            self.rate_factor = max(MIN_RATE_FACTOR, self.rate_factor / 2)
        wait_seconds = max(
            sample_backoff_seconds(max(1, self._consecutive_error_count)), limit_error.retry_after or 0.0
        )  # some servers ask to wait 0 s
        self._paused_until = max(self._paused_until, loop_time + min(wait_seconds, MAX_RETRY_AFTER))
        if wait_seconds > MAX_RETRY_AFTER:  # later requests fail without asking the server
            self._closed_until, self._closed_reason = loop_time + wait_seconds, str(limit_error)
        if self._consecutive_error_count >= max_consecutive_errors or wait_seconds > MAX_RETRY_AFTER:
            waiting_requests, self._waiting_requests = self._waiting_requests, deque()
            for admission_future, _ in waiting_requests:
                if not admission_future.done():
                    admission_future.set_exception(RateLimited(str(limit_error), retry_after=limit_error.retry_after))


class EventLoopLocal(Generic[T]):
    """Values that belong to an event loop and are shared by everything that runs in it, by key."""

    def __init__(self) -> None:
        self._value_by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, T]] = (
            weakref.WeakKeyDictionary()
        )

    def get_or_make(self, value_key: Hashable, make_value: Callable[[], T]) -> T:
        """Return the running loop's value of a key, which is made the first time."""
        value_by_key = self._value_by_loop.setdefault(asyncio.get_running_loop(), {})
        if value_key not in value_by_key:
            value_by_key[value_key] = make_value()
        return value_by_key[value_key]

    def add_value(self, value_key: Hashable, new_value: T) -> None:
        """Make a value the running loop's for a key."""
        self._value_by_loop.setdefault(asyncio.get_running_loop(), {})[value_key] = new_value

    def find_value(self, value_key: Hashable) -> T | None:
        """Return the running loop's value of a key, None if it has none."""
        return self._value_by_loop.get(asyncio.get_running_loop(), {}).get(value_key)

    def pop_values(self) -> list[T]:
        """Remove and return all values of the running loop."""
        return list(self._value_by_loop.pop(asyncio.get_running_loop(), {}).values())
