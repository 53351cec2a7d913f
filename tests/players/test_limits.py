"""The limiter, in a clock that jumps: hours of waiting are tested in no time, and nothing here depends on seconds."""

import asyncio
import itertools
import selectors

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.common.limits import BURST_SECONDS, PATIENCE, Limiter
from players.common.troubles import TooMuch, Trouble, of_status, of_vendor, retry_after


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


async def visit(limiter, entered, *, seconds=1.0, tokens=0.0, used=None, refused=None):
    """Be let in, note when, take some time, and say how it went."""
    async with limiter.visit(tokens) as one:
        entered.append(now())
        await asyncio.sleep(seconds)
        if refused:
            one.refused(refused, 3)
        else:
            one.answered(used)


@given(
    per_minute=st.integers(1, 6000),
    most=st.none() | st.integers(1, 20),
    visits=st.lists(st.floats(0, 30), min_size=1, max_size=60),
)
def test_no_more_are_let_in_than_allowed_and_everybody_is(per_minute, most, visits):
    async def go():
        limiter = Limiter(requests_per_minute=per_minute, most=most)
        entered, inside = [], []

        async def one(seconds):
            async with limiter.visit() as visit:
                entered.append(now())
                inside.append(limiter.inside)
                await asyncio.sleep(seconds)
                visit.answered(None)

        await asyncio.gather(*map(one, visits))
        assert limiter.inside == 0
        return entered, inside

    entered, inside = run(go())
    assert len(entered) == len(visits) and max(inside) <= (most or len(visits))
    burst = max(1.0, per_minute / 60 * BURST_SECONDS)
    for first, last in itertools.combinations_with_replacement(range(len(entered)), 2):
        assert last - first + 1 <= burst + (entered[last] - entered[first]) * per_minute / 60 + 1e-6 + 1 * (burst < 1)


@given(guesses=st.lists(st.tuples(st.floats(1, 2000), st.floats(1, 4000)), min_size=2, max_size=40))
def test_tokens_are_counted_by_what_was_used_not_by_what_was_guessed(guesses):
    per_minute = 6000

    async def go():
        limiter, entered = Limiter(tokens_per_minute=per_minute), []
        for guess, used in guesses:  # one after the other: each guess is put right before the next
            await visit(limiter, entered, seconds=0, tokens=guess, used=used)
        return entered

    entered = run(go())
    spent = sum(used for _, used in guesses[:-1])
    capacity = per_minute / 60 * BURST_SECONDS
    assert spent <= capacity + entered[-1] * per_minute / 60 + 1e-6


def test_a_server_that_has_had_enough_is_left_alone_then_asked_less_then_more_again():
    async def go():
        limiter, entered = Limiter(most=16), []
        enough = TooMuch("429", retry_after=30)
        await asyncio.gather(*(visit(limiter, [], refused=enough) for _ in range(16)))
        assert limiter.at_once == 8  # sixteen refusals of one burst are one
        await asyncio.gather(*(visit(limiter, entered) for _ in range(8)))
        assert min(entered) == 31
        for _ in range(40):
            await asyncio.gather(*(visit(limiter, entered) for _ in range(16)))
        assert limiter.at_once == 16 and limiter.pace == 1

    run(go())


def test_without_retry_after_the_pauses_grow():
    async def go():
        limiter, entered = Limiter(), []
        for _ in range(6):
            try:
                await visit(limiter, entered, seconds=0, refused=TooMuch("429"))
            except TooMuch:
                pass
        return [later - one for one, later in itertools.pairwise(entered)]

    pauses = run(go())
    assert all(later > one for one, later in itertools.pairwise(pauses)) and pauses[0] > 0.3


def test_when_a_server_goes_on_refusing_those_who_wait_are_told():
    async def go():
        limiter = Limiter(most=1)
        told = [asyncio.create_task(visit(limiter, [], refused=TooMuch("429"))) for _ in range(8)]
        return await asyncio.gather(*told, return_exceptions=True), now()

    ends, seconds = run(go())
    assert [type(end) for end in ends] == [type(None)] * 3 + [TooMuch] * 5 and seconds < 60

    async def far():
        limiter = Limiter(most=1)
        first = asyncio.create_task(visit(limiter, [], refused=TooMuch("429", retry_after=PATIENCE + 1)))
        second = asyncio.create_task(visit(limiter, []))
        return await asyncio.gather(first, second, return_exceptions=True)

    assert isinstance(run(far())[1], TooMuch)


@pytest.mark.parametrize("when", [0, 0.5, 1, 1.5])
def test_who_stops_waiting_leaves_its_place_to_others(when):
    async def go():
        limiter, entered = Limiter(most=1), []
        tasks = [asyncio.create_task(visit(limiter, entered)) for _ in range(4)]
        await asyncio.sleep(when)
        for task in tasks[:3]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert limiter.inside == 0
        await visit(limiter, entered)

    run(go())


def test_a_task_that_is_stopped_just_as_it_is_let_in_leaves_its_place():
    async def go():
        limiter = Limiter(most=1)

        async def leave(task):
            async with limiter.visit():
                await asyncio.sleep(1)
                task()
            # the other's place was given away in the same step in which it was stopped

        waiting: list[asyncio.Task[None]] = []
        first = asyncio.create_task(leave(lambda: asyncio.get_running_loop().call_soon(waiting[0].cancel)))
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(visit(limiter, [])))
        await asyncio.gather(first, *waiting, return_exceptions=True)
        assert limiter.inside == 0
        await visit(limiter, [])

    run(go())


# ---------------------------------------------------------------------- troubles
@pytest.mark.parametrize("vendor", ["openai", "anthropic"])
def test_every_error_of_a_vendor_is_one_of_ours(vendor):
    sdk = pytest.importorskip(vendor)
    http = pytest.importorskip("httpx2")
    request = http.Request("POST", "http://x", headers={"Authorization": "Bearer sk-planted"})

    def below(kind):
        return {kind}.union(*map(below, kind.__subclasses__()))

    def made(kind):
        if issubclass(kind, sdk.APIStatusError):
            return kind("told", response=http.Response(418, request=request), body=None)
        if issubclass(kind, sdk.APIConnectionError):
            return kind(request=request)
        error = kind.__new__(kind)
        Exception.__init__(error, "told")
        return error

    kinds = [kind for kind in below(sdk.APIError) if "OAuth" not in kind.__name__]
    assert len(kinds) > 10
    for kind in kinds:
        trouble = of_vendor(made(kind), sdk)
        assert isinstance(trouble, Trouble) and "planted" not in repr(trouble)
    named = {type(of_status(status, {"error": "x"})).__name__ for status in range(400, 600)}
    assert named == {"NoAccess", "TooMuch", "Faltering", "NotThere", "Refused"}


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
def test_retry_after_is_read_as_servers_write_it(headers, seconds):
    assert retry_after(headers) == seconds


@given(
    st.integers(100, 999),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda one: (
            st.lists(one)
            | st.dictionaries(st.sampled_from(["error", "message", "detail", "code", "type", "param"]), one)
        ),
    ),
)
def test_any_body_makes_a_trouble_of_one_line(status, body):
    trouble = of_status(status, body, {})
    assert len(str(trouble).splitlines()) == 1 and len(str(trouble)) < 400
