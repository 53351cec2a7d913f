"""What the spectators of one table are sent of replies that programs are writing."""

import asyncio

import pytest

from engine.core.events import Event, Kind
from ui.live import partial_replies
from ui.live.partial_replies import PartialReplies


@pytest.fixture
def notices(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was sent, without a pause in between."""
    monkeypatch.setattr(partial_replies, "NOTIFICATION_DELAY_SECONDS", 0.0)
    return []


def test_texts_that_come_together_are_one_message(notices):
    async def go() -> None:
        replies = PartialReplies(lambda: notices.append(replies.get_text("B")))
        show = replies.begin_reply("B")
        for text in ("a", "a b", "a b c"):
            show(text)
        await asyncio.sleep(0.01)

    asyncio.run(go())
    assert notices == ["a b c"]


@pytest.mark.parametrize("kind", [Kind.REPLY, Kind.FAULT, Kind.CANCEL, Kind.SEAT, Kind.OUTCOME])
def test_what_is_complete_or_given_up_is_forgotten_and_does_not_come_back(kind, notices):
    async def go() -> list[str]:
        replies = PartialReplies(lambda: None)
        early, other = replies.begin_reply("B"), replies.begin_reply("A")
        early("a b")
        other("x")
        replies.apply_events([Event(kind, None if kind is Kind.OUTCOME else "B", {})])
        early("a b c")
        texts = [replies.get_text("B"), replies.get_text("A")]
        late = replies.begin_reply("B")
        early("a b c d")
        late("new")
        return [*texts, replies.get_text("B")]

    assert asyncio.run(go()) == ["", "" if kind is Kind.OUTCOME else "x", "new"]
