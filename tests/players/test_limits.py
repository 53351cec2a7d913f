"""Tests of the rate limiter, with a clock that jumps: hours of waiting take no time, and nothing depends on seconds."""

import asyncio
import itertools
import selectors

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.common.connection import Connection
from players.common.limits import BURST_SECONDS, MAX_RETRY_AFTER, Limiter
from players.common.request_errors import (
    RateLimited,
    ServerUnreachable,
    map_embedded_error,
    map_status_to_error,
    parse_retry_after,
)


class Jumping(asyncio.SelectorEventLoop):
    """A loop that does not wait: when there is nothing to do, its clock jumps to the next timer."""

    def __init__(self):
        super().__init__(selectors.SelectSelector())
        self.now = 0.0
        select = self._selector.select

        def jump(timeout=None):
            self.now += timeout or 0.0
            return select(0)

        self._selector.select = jump

    def time(self):
        return self.now


def run(coroutine):
    with asyncio.Runner(loop_factory=Jumping) as runner:
        return runner.run(coroutine)


def now():
    return asyncio.get_running_loop().time()


async def request(limiter, admitted, *, seconds=1.0, tokens=0.0, used=None, error=None):
    """Wait for a slot, note the time, hold the slot for some seconds, and report success or an error."""
    async with limiter.acquire(tokens) as slot:
        admitted.append(now())
        await asyncio.sleep(seconds)
        if error:
            slot.report_rate_limit(error, 3)
        else:
            slot.report_success(used)


@given(
    per_minute=st.integers(1, 6000),
    concurrency=st.none() | st.integers(1, 20),
    durations=st.lists(st.floats(0, 30), min_size=1, max_size=60),
)
def test_all_requests_are_admitted_and_no_more_at_once_than_allowed(per_minute, concurrency, durations):
    async def go():
        limiter = Limiter(requests_per_minute=per_minute, concurrency=concurrency)
        admitted, active = [], []

        async def hold_slot(seconds):
            async with limiter.acquire() as slot:
                admitted.append(now())
                active.append(limiter.active_request_count)
                await asyncio.sleep(seconds)
                slot.report_success(None)

        await asyncio.gather(*map(hold_slot, durations))
        assert limiter.active_request_count == 0
        return admitted, active

    admitted, active = run(go())
    assert len(admitted) == len(durations) and max(active) <= (concurrency or len(durations))
    burst = max(1.0, per_minute / 60 * BURST_SECONDS)
    for first, last in itertools.combinations_with_replacement(range(len(admitted)), 2):
        allowed = burst + (admitted[last] - admitted[first]) * per_minute / 60 + 1e-6 + 1 * (burst < 1)
        assert last - first + 1 <= allowed


@given(estimates=st.lists(st.tuples(st.floats(1, 2000), st.floats(1, 4000)), min_size=2, max_size=40))
def test_tokens_are_counted_as_used_not_as_estimated(estimates):
    per_minute = 6000

    async def go():
        limiter, admitted = Limiter(tokens_per_minute=per_minute), []
        for estimate, used in estimates:  # one after the other: each estimate is corrected before the next
            await request(limiter, admitted, seconds=0, tokens=estimate, used=used)
        return admitted

    admitted = run(go())
    spent = sum(used for _, used in estimates[:-1])
    capacity = per_minute / 60 * BURST_SECONDS
    assert spent <= capacity + admitted[-1] * per_minute / 60 + 1e-6


def test_after_a_rate_limit_requests_pause_then_slow_down_then_speed_up():
    async def go():
        limiter, admitted = Limiter(concurrency=16), []
        rate_limit = RateLimited("429", retry_after=30)
        await asyncio.gather(*(request(limiter, [], error=rate_limit) for _ in range(16)))
        assert limiter.concurrency == 8  # sixteen errors of one burst count once
        await asyncio.gather(*(request(limiter, admitted) for _ in range(8)))
        assert min(admitted) == 31
        for _ in range(40):
            await asyncio.gather(*(request(limiter, admitted) for _ in range(16)))
        assert limiter.concurrency == 16 and limiter.rate_factor == 1

    run(go())


@pytest.mark.parametrize("retry_after", [None, 0.0, 0.001])
def test_without_a_useful_retry_after_the_pauses_grow(retry_after):
    async def go():
        limiter, admitted = Limiter(), []
        for _ in range(6):
            try:
                await request(limiter, admitted, seconds=0, error=RateLimited("429", retry_after=retry_after))
            except RateLimited:
                pass
        return [later - earlier for earlier, later in itertools.pairwise(admitted)]

    pauses = run(go())
    assert all(later > earlier for earlier, later in itertools.pairwise(pauses)) and pauses[0] > 0.3


def test_after_repeated_rate_limits_waiting_requests_fail():
    async def go():
        limiter = Limiter(concurrency=1)
        requests = [asyncio.create_task(request(limiter, [], error=RateLimited("429"))) for _ in range(8)]
        return await asyncio.gather(*requests, return_exceptions=True), now()

    ends, seconds = run(go())
    assert [type(end) for end in ends] == [type(None)] * 3 + [RateLimited] * 5 and seconds < 60

    async def far():
        limiter = Limiter(concurrency=1)
        first = asyncio.create_task(request(limiter, [], error=RateLimited("429", retry_after=MAX_RETRY_AFTER + 1)))
        second = asyncio.create_task(request(limiter, []))
        return await asyncio.gather(first, second, return_exceptions=True)

    assert isinstance(run(far())[1], RateLimited)


@pytest.mark.parametrize("when", [0, 0.5, 1, 1.5])
def test_a_cancelled_request_frees_its_slot(when):
    async def go():
        limiter, admitted = Limiter(concurrency=1), []
        tasks = [asyncio.create_task(request(limiter, admitted)) for _ in range(4)]
        await asyncio.sleep(when)
        for task in tasks[:3]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert limiter.active_request_count == 0
        await request(limiter, admitted)

    run(go())


def test_a_request_cancelled_while_it_is_admitted_frees_its_slot():
    async def go():
        limiter = Limiter(concurrency=1)

        async def release_and_cancel(cancel):
            async with limiter.acquire():
                await asyncio.sleep(1)
                cancel()
            # the slot is given to the other request in the same step in which that one is cancelled

        waiting: list[asyncio.Task[None]] = []
        first = asyncio.create_task(release_and_cancel(lambda: asyncio.get_running_loop().call_soon(waiting[0].cancel)))
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(request(limiter, [])))
        await asyncio.gather(first, *waiting, return_exceptions=True)
        assert limiter.active_request_count == 0
        await request(limiter, [])

    run(go())


# ---------------------------------------------------------------------- errors of requests
class FailingSession:
    """A session of aiohttp whose requests all fail."""

    def __init__(self, error):
        self._error = error

    def post(self, url, **options):
        raise self._error


def test_every_error_of_a_request_is_one_of_ours():
    aiohttp = pytest.importorskip("aiohttp")

    def below(kind):
        return {kind}.union(*map(below, kind.__subclasses__()))

    kinds = {kind for kind in below(aiohttp.ClientError) if kind.__module__.startswith("aiohttp")} | {OSError}
    assert len(kinds) > 20
    for kind in kinds:
        silent = type(kind.__name__, (kind,), {"__init__": lambda self: None, "__str__": lambda self: "message"})
        with pytest.raises(ServerUnreachable) as raised:
            run(Connection(FailingSession(silent()), "http://x", 60, None).post({}))
        assert raised.value.__context__ is None
    names = {type(map_status_to_error(status, {"error": "x"})).__name__ for status in range(400, 600)}
    assert names == {"AuthenticationError", "RateLimited", "ServerError", "NotFound", "InvalidRequest"}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-1"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
    ],
)
def test_retry_after_is_parsed_in_all_forms(headers, seconds):
    assert parse_retry_after(headers) == seconds


NAMES = ["error", "message", "detail", "code", "type", "param", "status", "details", "fieldViolations", "retryDelay"]


@given(
    st.integers(100, 999),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(NAMES), inner),
    ),
)
def test_any_body_becomes_an_error_of_one_line(status, body):
    for error in (map_status_to_error(status, body, {}), map_embedded_error(body)):
        assert error is None or (len(str(error).splitlines()) == 1 and len(str(error)) < 400)
