"""Who is at their seat: when somebody counts as away whose page is hidden, or closed."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from engine.core.events import Kind
from ui.live import presence
from ui.live.presence import Presence


class Pages:
    """The pages of seat A, and what is recorded of it."""

    def __init__(self) -> None:
        self.is_viewed = self.is_open = True
        self.recorded: list[Kind] = []
        self.presence = Presence(lambda _: self.is_viewed, lambda _: self.is_open, self.record, asyncio.ensure_future)

    async def record(self, kind: Kind, seat: str) -> None:
        self.recorded.append(kind)

    async def change(self, *, is_viewed: bool = False, is_open: bool = False) -> list[Kind]:
        """Change what is open, and return what has been recorded once everything has happened that is due."""
        self.is_viewed, self.is_open = is_viewed, is_open
        self.presence.update_seat("A")
        for _ in range(10):
            await asyncio.sleep(0)
        return self.recorded


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Pages], Awaitable[None]]], None]:
    """Run a test where a hidden page is forgiven for ever, and a closed one not at all."""
    monkeypatch.setattr(presence, "HIDDEN_GRACE_SECONDS", 3600.0)
    monkeypatch.setattr(presence, "CLOSED_GRACE_SECONDS", 0.0)

    async def run(test: Callable[[Pages], Awaitable[None]]) -> None:
        pages = Pages()
        await pages.change(is_viewed=True, is_open=True)
        await test(pages)
        pages.presence.close()

    return lambda test: asyncio.run(run(test))


def test_a_closed_page_counts_sooner_than_a_hidden_one_also_after_it_was_hidden(course):
    async def test(pages: Pages) -> None:
        assert await pages.change(is_open=True) == [Kind.PRESENT]
        assert await pages.change() == [Kind.PRESENT, Kind.AWAY]

    course(test)


def test_who_is_back_in_time_has_not_left(course, monkeypatch):
    monkeypatch.setattr(presence, "CLOSED_GRACE_SECONDS", 3600.0)

    async def test(pages: Pages) -> None:
        await pages.change()
        assert await pages.change(is_viewed=True, is_open=True) == [Kind.PRESENT]
        assert not pages.presence._leave_timers

    course(test)
