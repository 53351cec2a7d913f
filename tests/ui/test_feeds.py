"""What pages hear: the whole for a newcomer, what is new for the others, nothing twice, and no waiting for the slow."""

import asyncio
import json
from typing import Any

from ui.live.feeds import BUSY_CLOSE_CODE, MAX_QUEUED_MESSAGES, Coalescer, Feed, Listener


def received_messages(listener: Listener) -> list[dict[str, Any]]:
    """Take everything that waits for a listener."""
    made = []
    while not listener._message_queue.empty():
        made.append(json.loads(listener._message_queue.get_nowait() or "null"))
    return made


def line(text: str) -> dict[str, str]:
    return {"text": text}


def test_a_newcomer_gets_the_whole_and_others_what_is_new():
    feed, one, two = Feed(), Listener(), Listener()
    feed.publish({"turn": "you", "left": 3}, [line("a"), line("b")])
    one.enqueue(feed.make_full_message())
    feed.listeners.add(one)
    feed.publish({"turn": "other", "left": 3}, [line("a"), line("b"), line("c")])
    two.enqueue(feed.make_full_message({"left": "hidden"}))
    feed.listeners.add(two)
    feed.publish({"turn": "other", "left": 3}, [line("a"), line("b"), line("c")])  # nothing new: nothing said
    feed.publish({"turn": "other", "left": 2}, [line("a"), line("b"), line("c")])
    assert received_messages(one) == [
        {"v": 1, "from": 0, "turn": "you", "left": 3, "lines": [line("a"), line("b")]},
        {"v": 2, "from": 2, "lines": [line("c")], "turn": "other"},
        {"v": 3, "left": 2},
    ]
    whole = {"v": 2, "from": 0, "turn": "other", "left": "hidden", "lines": [line("a"), line("b"), line("c")]}
    assert received_messages(two) == [whole, {"v": 3, "left": 2}]


def test_any_character_passes():
    feed, one = Feed(), Listener()
    odd = "\ud800 \x00 \u2028 </script> 😀"
    feed.publish({"turn": odd}, [line(odd)])
    one.enqueue(feed.make_full_message())
    assert received_messages(one) == [{"v": 1, "from": 0, "turn": odd, "lines": [line(odd)]}]


def test_who_cannot_keep_up_is_let_go_and_the_others_are_not_held_up():
    feed, slow, quick = Feed(), Listener(), Listener()
    feed.publish({"n": 0}, [])
    feed.listeners |= {slow, quick}
    for n in range(1, MAX_QUEUED_MESSAGES + 2):
        feed.publish({"n": n}, [])
        assert received_messages(quick) == [{"v": n + 1, "n": n}]
    assert feed.listeners == {quick}
    assert slow.close_code == BUSY_CLOSE_CODE and received_messages(slow) == [None]


def test_a_newcomer_in_the_middle_of_a_crowd_hears_nothing_twice():
    async def crowd() -> None:
        feed, old, new = Feed(), [Listener() for _ in range(100)], Listener()
        feed.publish({"n": 0}, [])
        feed.listeners |= set(old)
        telling = asyncio.create_task(feed.publish_to_many({"n": 1}, []))
        await asyncio.sleep(0)
        assert 0 < sum(not each._message_queue.empty() for each in old) < 100
        new.enqueue(feed.make_full_message())
        feed.listeners.add(new)
        await telling
        assert all(received_messages(each) == [{"v": 2, "n": 1}] for each in old)
        assert received_messages(new) == [{"v": 2, "from": 0, "n": 1, "lines": []}]

    asyncio.run(crowd())


def test_what_is_asked_for_while_it_runs_is_done_once_more():
    async def ask() -> int:
        done = 0

        async def work() -> None:
            nonlocal done
            done += 1
            await asyncio.sleep(0)

        soon = Coalescer(work, asyncio.ensure_future)  # type: ignore[arg-type]
        for _ in range(5):
            soon()
        await asyncio.sleep(0)
        for _ in range(5):
            soon()
        while soon._running_task and not soon._running_task.done():
            await asyncio.sleep(0)
        return done

    assert asyncio.run(ask()) == 2
