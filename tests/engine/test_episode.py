"""Episodes played: players asked at once, people handing in, faults, seats that change hands, nothing unstored seen."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from engine.core.events import Event, Kind, Outcome, to_json
from engine.core.master import AskNotOpen, GameMaster
from engine.core.player import ExternalPlayer, Player, PlayerFault, Reply
from engine.core.replies import NotInFormat
from engine.core.views import SeatView
from engine.play.episode import Episode, GroupCommit, NullSink
from engine.storage.episode_row import Status
from engine.storage.store import EpisodeUpdate, LostLease, Store
from tests.engine.small_games import Council, Faulty, Guess, Whispers, of_kind, start


class Says(Player):
    """A player that answers with what a function makes of its view; `instant` ones are not given a task."""

    def __init__(self, answer: Callable[[SeatView], str], instant: bool = False):
        self.answer, self.instant, self.views = answer, instant, []

    async def reply(self, view: SeatView) -> Reply:
        self.views.append(view)
        if not self.instant:
            await asyncio.sleep(0)
        return Reply(self.answer(view))


class Person(ExternalPlayer):
    """A player whose replies are submitted."""


class Held(NullSink):
    """A sink that stores when it is told to."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.stored: list[EpisodeUpdate] = []
        self.reached = asyncio.Event()

    async def append(self, episode_update: EpisodeUpdate) -> None:
        self.reached.set()
        await self.open.wait()
        self.stored.append(episode_update)


def sample(view: SeatView) -> str:
    return view.ask.format.sample(view.random)


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, 60))  # a hang is a failure, not a wait for ever


async def begin(game, players, sink=None, instance=None, **more) -> Episode:
    return await Episode.begin_episode("test", game, start(game, instance, **more), players, sink or NullSink())


def texts(log: list[Event]) -> str:
    return to_json([[e.kind, e.seat, {k: v for k, v in e.data.items() if k != "meta"}] for e in log])


@pytest.mark.parametrize("instant", [True, False])
@pytest.mark.parametrize("game", [Council(), Whispers()], ids=lambda game: game.name)
def test_players_are_asked_and_every_log_resumes(game, instant):
    async def main():
        episode = await begin(game, {seat: Says(sample, instant) for seat in game.seats})
        assert await episode.play() == episode.outcome
        return episode

    episode, again = run(main()), run(main())
    assert episode.outcome.kind == "decided"
    assert texts(episode.log) == texts(again.log)
    assert [event.n for event in episode.log] == list(range(len(episode.log)))
    assert all(event.time > 0 for event in episode.log)
    assert GameMaster.resume(game, episode.log).outcome == episode.outcome


def test_seats_asked_together_think_at_the_same_time_and_see_nothing_of_each_other():
    async def main():
        people = {seat: Person() for seat in Council.seats}
        episode = await begin(Council(), people)
        playing = asyncio.create_task(episode.play())
        assert list(episode.master.open) == [1, 2, 3, 4]
        before = len(episode.views["cyd"].messages)
        for ask, seat in ((4, "dan"), (2, "bob"), (1, "ada")):
            await episode.submit(seat, ask, "VOTE: cyd")
            assert len(episode.views["cyd"].messages) == before
        await episode.submit("cyd", 3, "VOTE: dan")
        assert [event.seat for event in of_kind(episode.log, "reply")] == ["dan", "bob", "ada", "cyd"]
        assert set(episode.master.open) == {5, 6, 7}
        playing.cancel()

    run(main())


def test_a_person_submits_and_what_is_not_open_is_refused():
    async def main():
        episode = await begin(Guess(), {"A": Person()}, instance={"word": "tree"}, reprompt=1)
        playing = asyncio.create_task(episode.play())
        for seat, ask in (("A", 2), ("A", 0), ("Z", 1)):
            with pytest.raises(AskNotOpen):
                await episode.submit(seat, ask, "GUESS: x")
        both = await asyncio.gather(
            episode.submit("A", 1, "GUESS: oak"), episode.submit("A", 1, "GUESS: ash"), return_exceptions=True
        )
        assert both[0] is None
        assert isinstance(both[1], AskNotOpen)
        assert len(of_kind(episode.log, "reply")) == 1
        with pytest.raises(AskNotOpen):
            await episode.submit("A", 1, "GUESS: late")
        with pytest.raises(NotInFormat):
            await episode.submit("A", 2, "no tag")
        assert len(of_kind(episode.log, "reply")) == 1  # what does not have the form of a reply is not recorded
        await episode.submit("A", 2, "GUESS: longer than allowed", {"seconds": 7.5})
        assert episode.views["A"].open_ask.reminder
        assert of_kind(episode.log, "reply")[-1].data["meta"]["seconds"] == 7.5
        await episode.submit("A", 2, "GUESS: tree")
        assert (await playing).kind == "success"

    run(main())


def test_nothing_is_shown_before_it_is_stored():
    async def main():
        sink, person, shown = Held(), Person(), []
        episode = await begin(Guess(), {"A": person}, sink, instance={"word": "tree"})
        episode.listeners.append(lambda _, events: shown.extend(events))
        playing = asyncio.create_task(episode.play())
        sink.open.clear()
        sink.reached.clear()
        submitted = asyncio.create_task(episode.submit("A", 1, "GUESS: oak"))
        await sink.reached.wait()
        assert (shown, len(of_kind(episode.log, "reply")), submitted.done()) == ([], 0, False)
        sink.open.set()
        await submitted
        assert [e.kind for e in shown] == ["reply", "parsed", "tell", "ask"]
        assert list(sink.stored[-1].events) == shown  # one update, one transaction
        playing.cancel()

    run(main())


def test_a_fault_stalls_the_episode_and_it_goes_on_at_the_open_ask():
    class Fails(Says):
        async def reply(self, view):
            if len(self.views) == 1:
                self.views.append(view)
                raise PlayerFault("\ud800 the line is dead")
            return await super().reply(view)

    async def main():
        player, sink = Fails(lambda view: "GUESS: oak"), Held()
        episode = await begin(Guess(), {"A": player}, sink, instance={"word": "tree"})
        assert await episode.play() is None
        assert episode.stall_cause == "\ud800 the line is dead"
        assert sink.stored[-1].status is Status.STALLED
        assert sink.stored[-1].cause == episode.stall_cause
        await episode.retry()
        assert (await episode.play()).kind == "lose"
        assert [e.data["cause"] for e in of_kind(episode.log, "fault")] == ["\ud800 the line is dead"]
        assert sink.stored[-1].status is Status.OVER
        assert of_kind(episode.log, "reply")[1].data["meta"]["attempts"] == 2
        again = GameMaster.resume(Guess(), episode.log)
        assert again.outcome == episode.outcome

    run(main())


def test_an_ask_left_open_by_a_process_that_is_gone_counts_as_asked():
    async def main():
        left = await begin(Guess(), {"A": Person()}, instance={"word": "tree"})
        player = Says(lambda view: "GUESS: oak")
        episode = Episode.resume("test", Guess(), left.log, {"A": player}, NullSink())
        await episode.play()
        metas = [event.data["meta"] for event in of_kind(episode.log, "reply")]
        assert [meta.get("attempts") for meta in metas] == [2] + [None] * (len(metas) - 1)

    run(main())


def test_a_player_recalls_its_own_replies_when_an_episode_is_resumed():
    class Recalls(Says):
        recalled: list[Reply]

        def recall(self, replies):
            self.recalled = list(replies)

    async def main():
        first = Says(lambda view: "GUESS: oak" if view.ask.id == 1 else fault())
        episode = await begin(Guess(), {"A": first}, instance={"word": "tree"})
        await episode.play()
        player = Recalls(lambda view: fault())
        resumed = Episode.resume("test", Guess(), list(episode.log), {"A": player}, NullSink())
        assert [(reply.text, "seconds" in reply.meta) for reply in player.recalled] == [("GUESS: oak", True)]
        await resumed.hand_over_seat("A", "other", player)
        Episode.resume("test", Guess(), list(resumed.log), {"A": player}, NullSink())
        assert player.recalled == [Reply("GUESS: oak")], "what another player sent with it is not its own"

    def fault():
        raise PlayerFault("it sleeps")

    run(main())


def test_a_players_bug_is_a_fault_of_the_player():
    async def main():
        def bug(view):
            raise ZeroDivisionError("oops")

        episode = await begin(Guess(), {"A": Says(bug)}, instance={"word": "tree"})
        assert await episode.play() is None
        assert episode.stall_cause == "ZeroDivisionError: oops"

    run(main())


def test_one_dead_player_does_not_stop_the_others():
    async def main():
        def dead(view):
            raise PlayerFault("dead")

        players = {seat: Says(lambda view: "VOTE: " + view.ask.format.inner.options[0]) for seat in Council.seats}
        players["bob"] = Says(dead)
        episode = await begin(Council(), players)
        assert await episode.play() is None
        assert len(of_kind(episode.log, "reply")) == 3
        assert list(episode.master.open) == [2]

    run(main())


def test_a_bug_in_the_rulebook_stalls_and_keeps_the_reply():
    async def main():
        sink = Held()
        episode = await begin(Faulty(), {"A": Says(lambda view: "x")}, sink, instance={"where": "play"})
        assert await episode.play() is None
        assert "no rules" in str(episode.stall_cause)
        assert [e.kind for e in sink.stored[-1].events] == ["reply", "parsed", "fault"]
        assert sink.stored[-1].status is Status.STALLED

    run(main())


# ------------------------------------------------------------------ a seat changes hands
def test_the_new_player_gets_the_whole_conversation_and_the_old_one_is_stopped():
    async def main():
        person, model = Person(), Says(lambda view: "GUESS: ash")
        episode = await begin(Guess(), {"A": person}, instance={"word": "tree"})
        playing = asyncio.create_task(episode.play())
        await episode.submit("A", 1, "GUESS: oak")
        await episode.hand_over_seat("A", "model", model)
        assert (await playing).kind == "lose"
        assert [m.role for m in model.views[0].messages] == ["user", "assistant", "user"]
        assert model.views[0].messages[1].text() == "GUESS: oak"
        assert [e.data["text"] for e in of_kind(episode.log, "reply")] == ["GUESS: oak", "GUESS: ash", "GUESS: ash"]
        assert of_kind(episode.log, "seat")[0].data == {"player": "model"}
        assert GameMaster.resume(Guess(), episode.log).outcome == episode.outcome
        with pytest.raises(AskNotOpen):
            await episode.hand_over_seat("A", "model", model)

    run(main())


def test_a_reply_that_comes_while_the_seat_changes_hands_is_not_put_into_the_new_players_mouth():
    async def main():
        sink, person, model = Held(), Person(), Says(lambda view: "GUESS: tree")
        episode = await begin(Guess(), {"A": person}, sink, instance={"word": "tree"})
        playing = asyncio.create_task(episode.play())
        sink.open.clear()
        sink.reached.clear()
        handing = asyncio.create_task(episode.hand_over_seat("A", "model", model))
        await sink.reached.wait()  # the change is being stored, and the person answers after all
        submitted = asyncio.create_task(episode.submit("A", 1, "GUESS: too late"))
        await asyncio.wait([submitted], timeout=0.01)
        sink.open.set()
        await handing
        assert (await playing).kind == "success"
        with pytest.raises(AskNotOpen):
            await submitted
        assert [e.data["text"] for e in of_kind(episode.log, "reply")] == ["GUESS: tree"]

    run(main())


def test_whoever_submits_learns_that_the_seat_was_taken_over_before_the_reply_counted():
    async def main():
        sink, person, other = Held(), Person(), Person()
        episode = await begin(Guess(), {"A": person}, sink, instance={"word": "tree"})
        playing = asyncio.create_task(episode.play())
        sink.open.clear()
        handing = asyncio.create_task(episode.hand_over_seat("A", "other", other))
        submitted = asyncio.create_task(episode.submit("A", 1, "GUESS: x"))
        await asyncio.wait([submitted], timeout=0.01)
        sink.open.set()
        await handing
        with pytest.raises(AskNotOpen):
            await submitted
        await episode.submit("A", 1, "GUESS: tree")  # and the new person is not locked out
        assert (await playing).kind == "success"
        assert [e.data["text"] for e in of_kind(episode.log, "reply")] == ["GUESS: tree"]

    run(main())


def test_a_good_reply_counts_although_a_malformed_one_to_the_same_ask_waits_before_it():
    async def main():
        sink = Held()
        episode = await Episode.begin_episode("e", Guess(), start(Guess()), {"A": Person(), "B": Says(sample)}, sink)
        sink.open.clear()
        presence = asyncio.create_task(episode.record_presence(Kind.PRESENT, "A"))
        await sink.reached.wait()
        malformed = asyncio.create_task(episode.submit("A", 1, "no tag"))
        good = asyncio.create_task(episode.submit("A", 1, "GUESS: oak"))
        sink.open.set()
        results = await asyncio.gather(presence, malformed, good, return_exceptions=True)
        assert [type(result) for result in results] == [type(None), NotInFormat, type(None)]
        assert [event.data["text"] for event in of_kind(episode.log, "reply")][:1] == ["GUESS: oak"]

    run(main())


def test_hands_may_change_while_another_reply_is_being_stored():
    """Two replies are there at once; while the first is stored, the second one's seat is taken over."""

    async def main():
        sink, people = Held(), {seat: Person() for seat in Council.seats}
        episode = await begin(Council(), people, sink)
        playing = asyncio.create_task(episode.play())
        sink.open.clear()
        sink.reached.clear()
        replying = [asyncio.create_task(episode.submit("ada", 1, "VOTE: bob"))]
        await sink.reached.wait()
        replying += [asyncio.create_task(episode.submit("bob", 2, "VOTE: ada"))]
        handing = asyncio.create_task(episode.hand_over_seat("bob", "other", Says(lambda view: "VOTE: dan")))
        await asyncio.wait([handing], timeout=0.01)
        sink.open.set()
        await handing
        replying += [asyncio.create_task(episode.submit("cyd", 3, "VOTE: dan"))]
        replying += [asyncio.create_task(episode.submit("dan", 4, "VOTE: ada"))]
        while 5 not in episode.master.open:
            assert not playing.done(), playing
            await asyncio.sleep(0)
        change = of_kind(episode.log, "seat")[0].n
        bob = next(e for e in of_kind(episode.log, "reply") if e.seat == "bob")
        assert bob.data["text"] == ("VOTE: dan" if bob.n > change else "VOTE: ada")
        assert len(of_kind(episode.log, "reply")) == 4
        playing.cancel()

    run(main())


# ------------------------------------------------------------------ ends
def test_a_strict_violation_ends_it_for_all_and_a_late_reply_is_kept_as_discarded():
    class Waits(Says):
        """A program that is told when to reply."""

        go = asyncio.Event()

        async def reply(self, view: SeatView) -> Reply:
            await self.go.wait()
            return await super().reply(view)

    async def main():
        sink, bob = Held(), Waits(lambda view: "nonsense")
        episode = await begin(Council(), {seat: Person() for seat in Council.seats} | {"bob": bob}, sink)
        playing = asyncio.create_task(episode.play())
        await asyncio.wait([playing], timeout=0.01)
        sink.open.clear()
        arriving = asyncio.create_task(episode.record_presence(Kind.PRESENT, "ada"))
        await asyncio.wait([arriving], timeout=0.01)  # while this is stored, two replies arrive
        bob.go.set()
        await asyncio.wait([playing], timeout=0.01)
        late_reply = asyncio.create_task(episode.submit("cyd", 3, "VOTE: bob"))
        await asyncio.wait([late_reply], timeout=0.01)
        sink.open.set()
        outcome = await playing
        await late_reply
        assert (outcome.kind, outcome.seat) == ("aborted", "bob")
        late = [e for e in of_kind(episode.log, "reply") if e.data.get("discarded")]
        assert [e.seat for e in late] == ["cyd"]
        assert GameMaster.resume(Council(), episode.log).outcome == outcome

    run(main())


def test_an_abandoned_episode_ends_for_whoever_is_thinking():
    async def main():
        person = Person()
        episode = await begin(Guess(), {"A": person}, instance={"word": "tree"})
        playing = asyncio.create_task(episode.play())
        await episode.record_presence(Kind.AWAY, "A")
        await episode.end(Outcome("abandoned", "left", "A"))
        assert (await playing).kind == "abandoned"
        await episode.end(Outcome("abandoned", "left", "A"))  # once is enough
        assert [e.kind for e in episode.log][-3:] == ["away", "cancel", "outcome"]
        await episode.record_presence(Kind.PRESENT, "A")
        assert episode.log[-1].kind is Kind.OUTCOME
        with pytest.raises(AskNotOpen):
            await episode.submit("A", 1, "GUESS: x")

    run(main())


def test_stopping_play_leaves_the_ask_open_and_tells_who_waits():
    async def main():
        person = Person()
        episode = await begin(Guess(), {"A": person}, instance={"word": "tree"})
        playing = asyncio.create_task(episode.play())
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert list(episode.master.open) == [1]
        resumed = Episode.resume("test", Guess(), list(episode.log), {"A": Says(lambda v: "GUESS: tree")}, NullSink())
        assert (await resumed.play()).kind == "success"
        assert of_kind(resumed.log, "reply")[0].data["meta"]["attempts"] == 2

    run(main())


# ------------------------------------------------------------------ many episodes, one writer
@pytest.mark.parametrize("threaded", [False, True])
def test_many_episodes_share_a_writer_and_all_is_there(tmp_path: Path, threaded):
    async def main():
        with Store(tmp_path / "log.db") as store:
            sink = GroupCommit(store, use_thread=threaded)
            claims = store.claim_episodes([(start(Council(), run_seed=n), None) for n in range(20)], origin="test")

            async def one(number: int) -> Episode:
                players = {seat: Says(sample, instant=number % 2 == 0) for seat in Council.seats}
                given = start(Council(), run_seed=number)
                episode = await Episode.begin_episode(claims[number].episode, Council(), given, players, sink)
                await episode.play()
                return episode

            played = await asyncio.gather(*map(one, range(20)))
            await sink.close()
            for episode in played:
                assert store.events(episode.id) == episode.log
                assert store.episode(episode.id).status is Status.OVER

    run(main())


@pytest.mark.parametrize("threaded", [False, True])
def test_a_lost_lease_stops_its_own_episode_only(tmp_path: Path, threaded):
    async def main():
        with Store(tmp_path / "log.db") as store, Store(tmp_path / "log.db") as other:
            sink = GroupCommit(store, use_thread=threaded)
            ids = [c.episode for c in store.claim_episodes([(start(Guess(), {"word": "x"}), None)] * 3, origin="test")]
            people = [Person() for _ in ids]
            episodes = [
                await Episode.begin_episode(id, Guess(), start(Guess(), {"word": "x"}), {"A": person}, sink)
                for id, person in zip(ids, people, strict=True)
            ]
            playing = [asyncio.create_task(episode.play()) for episode in episodes]
            n = len(episodes[1].log)
            other.append([EpisodeUpdate(ids[1], [Event(Kind.NOTE, None, {"note": "mine"}, n, 1)])])
            results = await asyncio.gather(*(e.submit("A", 1, "GUESS: x") for e in episodes), return_exceptions=True)
            assert [type(result) for result in results] == [type(None), LostLease, type(None)]
            assert [(await playing[k]).kind for k in (0, 2)] == ["success", "success"]
            with pytest.raises(LostLease):
                await playing[1]
            assert store.events(ids[1])[-1].data == {"note": "mine"}
            assert json.loads(to_json(store.events(ids[0])[-1].data))["kind"] == "success"
            await sink.close()

    run(main())


@pytest.mark.parametrize("threaded", [False, True])
def test_of_two_updates_of_one_number_in_a_batch_the_first_is_stored(tmp_path: Path, threaded):
    """The other update is told so itself, and one of another episode is stored."""

    async def main():
        with Store(tmp_path / "log.db") as store:
            sink = GroupCommit(store, use_thread=threaded)
            ids = [c.episode for c in store.claim_episodes([(start(Guess(), {"word": "x"}), None)] * 2, origin="test")]

            def note(episode: str, words: str) -> Awaitable[None]:
                return sink.append(EpisodeUpdate(episode, [Event(Kind.NOTE, None, {"note": words}, 0, 1)]))

            appended = note(ids[0], "first"), note(ids[0], "second"), note(ids[1], "other")
            answers = await asyncio.gather(*appended, return_exceptions=True)
            assert [type(answer) for answer in answers] == [type(None), LostLease, type(None)]
            assert [[event.data["note"] for event in store.events(id)] for id in ids] == [["first"], ["other"]]
            await sink.close()

    run(main())
