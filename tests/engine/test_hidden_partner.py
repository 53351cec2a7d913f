"""Replies at tables that hide who plays: a program's reply has no effect before a person could have written it."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from engine.core.events import Aborted, Event, Kind, Outcome
from engine.core.master import AskNotOpen, GameMaster
from engine.core.player import ExternalPlayer, Player, PlayerFault, Reply
from engine.core.replies import Text, one_of
from engine.core.views import SeatView, Transcript
from engine.play.episode import Episode, NullSink
from engine.play.human_pace import MAX_WAIT_SECONDS, count_typed_characters, sample_reply_delay_seconds
from tests.engine.small_games import SmallGame, start

HIDDEN = {"ear": {"hidden_partner": True}}


class Echo(SmallGame):
    """One seat says a word of at most ten letters, the other one repeats it."""

    name = "echo"
    seats = ("mouth", "ear")

    def play(self, table, instance):
        word = yield from table.ask("mouth", "Say a word.", Text(lines=1), allow=self.short)
        yield from table.ask("ear", f"It was {word}.", Text(lines=1))
        return Outcome("success")

    @staticmethod
    def short(word: str) -> str | None:
        return "at most ten letters, please." if len(word) > 10 else None


class Person(ExternalPlayer):
    """A player whose replies are submitted."""


class Program(Player):
    """A program that takes some time for each of its replies; a fault among them is raised."""

    def __init__(self, *replies: str | Exception, seconds: float = 0.0) -> None:
        self.replies, self.seconds = list(replies), seconds

    async def reply(self, view: SeatView) -> Reply:
        await asyncio.sleep(self.seconds)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return Reply(reply)


class QuickLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer where others sleep."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0.0
        select = self._selector.select

        def jump(timeout: float | None = None) -> list[Any]:
            ready = select(0)
            if not ready and timeout:
                self.ahead += timeout
            return ready if ready or timeout is not None else select(None)

        self._selector.select = jump

    def time(self) -> float:
        return super().time() + self.ahead


def run(main: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=QuickLoop) as runner:
        return runner.run(main)


def now() -> float:
    return asyncio.get_running_loop().time()


async def begin(mouth: Player, **more: Any) -> Episode:
    more = {"people": HIDDEN, "reprompt": 1, "seed": "s", **more}
    return await Episode.begin_episode(
        "e", Echo(), start(Echo(), **more), {"mouth": mouth, "ear": Person()}, NullSink()
    )


async def until(episode: Episode, kind: Kind) -> Event:
    """Wait until an event of a kind is stored; return the last one."""
    while not (events := [event for event in episode.log if event.kind is kind]):
        await asyncio.sleep(0.1)
    return events[-1]


async def play_until_ear_is_asked(episode: Episode) -> float:
    """Play until the person is asked; return after how many seconds."""
    began, playing = now(), asyncio.create_task(episode.play())
    while not episode.views["ear"].open_ask:
        await asyncio.sleep(0.1)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return now() - began


def kinds(log: list[Event]) -> list[tuple[str, str | None]]:
    return [(str(event.kind), event.seat) for event in log]


# ---------------------------------------------------------------------- the draw
def test_a_draw_depends_on_seed_seat_ask_and_length_alone():
    drawn = sample_reply_delay_seconds("s", "mouth", 1, 40)
    assert (
        drawn == sample_reply_delay_seconds("s", "mouth", 1, 40) > sample_reply_delay_seconds("s", "mouth", 1, 0) > 0.5
    )
    others = {sample_reply_delay_seconds(*key, 40) for key in (("s", "mouth", 2), ("s", "ear", 1), ("t", "mouth", 1))}
    assert len(others | {drawn}) == 4


def test_nobody_is_slower_than_the_people_at_the_table_may_be():
    assert sample_reply_delay_seconds("s", "mouth", 1, 100_000) == MAX_WAIT_SECONDS
    assert sample_reply_delay_seconds("s", "mouth", 1, 100_000, 30.0) == 30


def test_people_type_at_the_published_speed():
    seeds = range(2000)
    typing = [
        (sample_reply_delay_seconds(str(n), "m", 1, 25) - sample_reply_delay_seconds(str(n), "m", 1, 0)) / 5
        for n in seeds
    ]
    words_per_minute = sum(60 / seconds for seconds in typing) / len(typing)
    assert words_per_minute == pytest.approx(51.56 * 19 / 32.5, rel=0.05)


def test_only_what_is_typed_takes_time():
    assert count_typed_characters(one_of("first", "second"), "second") == 0
    assert count_typed_characters(Text(), "a ring") == 6


# ---------------------------------------------------------------------- held, then released
@pytest.mark.parametrize("seconds", [0.0, 300.0])
def test_a_reply_is_released_after_its_own_time_or_the_draw_whatever_is_longer(seconds):
    async def main():
        episode = await begin(Program("ring", seconds=seconds))
        return await play_until_ear_is_asked(episode), episode.log

    waited, log = run(main())
    drawn = sample_reply_delay_seconds("s", "mouth", 1, len("ring"))
    assert max(seconds, drawn) <= waited < max(seconds, drawn) + 1
    assert [kind for kind, _ in kinds(log)] == ["start", "ask", "reply", "released", "parsed", "ask"]


def test_nothing_follows_from_a_reply_that_is_held():
    async def main():
        episode = await begin(Program("ring"))
        playing = asyncio.create_task(episode.play())
        await until(episode, Kind.REPLY)
        seen = list(episode.log), episode.views["ear"].messages, Transcript.from_events(episode.log).lines
        with pytest.raises(AskNotOpen):
            episode.master.release(2)
        playing.cancel()
        return seen

    log, messages, lines = run(main())
    assert [kind for kind, _ in kinds(log)] == ["start", "ask", "reply"]
    assert not messages and [line["kind"] for line in lines] == ["ask"], "neither the partner nor spectators read it"


def test_a_person_and_a_program_leave_the_same_events():
    async def of_person():
        episode = await begin(Person())
        await episode.submit("mouth", 1, "ring")
        return episode.log

    async def of_program():
        episode = await begin(Program("ring"))
        await play_until_ear_is_asked(episode)
        return episode.log

    assert kinds(run(of_person())) == kinds(run(of_program()))


def test_a_refused_reply_is_asked_again_at_once_and_its_time_counts():
    async def main():
        episode = await begin(Program("much too long a word", "ring"))
        return await play_until_ear_is_asked(episode), episode.log

    waited, log = run(main())
    assert [kind for kind, _ in kinds(log)][2:6] == ["reply", "violation", "reply", "released"]
    drawn = sample_reply_delay_seconds("s", "mouth", 1, len("ring"))
    assert drawn <= waited < drawn + 1


def test_the_refusal_that_ends_a_game_is_held_too():
    async def main():
        episode = await begin(Program("much too long a word"), reprompt=0)
        began = now()
        outcome = await episode.play()
        return now() - began, outcome, episode.log

    waited, outcome, log = run(main())
    assert waited >= sample_reply_delay_seconds("s", "mouth", 1, len("much too long a word"))
    assert outcome == Aborted("not allowed", "mouth")
    assert [kind for kind, _ in kinds(log)][2:] == ["reply", "released", "violation", "outcome"]
    assert GameMaster.resume(Echo(), log).outcome == outcome
    assert [line["kind"] for line in Transcript.from_events(log).lines] == ["ask", "reply", "violation", "outcome"]


def test_a_held_reply_is_released_by_the_next_process_and_asked_of_nobody():
    async def interrupted():
        episode = await begin(Program("ring"))
        playing = asyncio.create_task(episode.play())
        await until(episode, Kind.REPLY)
        playing.cancel()
        return episode.log

    log = run(interrupted())

    async def resumed():
        players = {"mouth": Program(AssertionError("asked again")), "ear": Person()}
        episode = Episode.resume("e", Echo(), list(log), players, NullSink())
        return await play_until_ear_is_asked(episode), episode.log

    waited, resumed_log = run(resumed())
    assert [kind for kind, _ in kinds(resumed_log)] == ["start", "ask", "reply", "released", "parsed", "ask"]
    assert waited >= sample_reply_delay_seconds("s", "mouth", 1, len("ring")) - 1, (
        "time without a process is not counted"
    )


def test_who_takes_a_seat_over_has_a_time_of_its_own():
    async def main():
        episode = await begin(Program(PlayerFault("gone"), seconds=200.0))
        playing = asyncio.create_task(episode.play())
        await asyncio.sleep(100)
        await episode.hand_over_seat("mouth", "other", Program("ring"))
        playing.cancel()
        return await play_until_ear_is_asked(episode)

    drawn = sample_reply_delay_seconds("s", "mouth", 1, len("ring"))
    assert drawn <= run(main()) < drawn + 1


def test_a_game_that_ends_meanwhile_releases_nothing():
    async def main():
        episode = await begin(Program("ring"))
        playing = asyncio.create_task(episode.play())
        await until(episode, Kind.REPLY)
        await episode.end(Outcome("abandoned", "left", "ear"))
        await playing
        return episode.log

    log = run(main())
    assert [kind for kind, _ in kinds(log)][2:] == ["reply", "cancel", "outcome"]
    assert GameMaster.resume(Echo(), log).outcome.reason == "left"
    assert [line["text"] for line in Transcript.from_events(log).lines if line["kind"] == "reply"] == ["ring"]
