"""The small games through a whole run: planned, played, stored, scored; and what a change of rules does to them."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.core.log import Log
from engine.core.master import RulesChanged
from engine.core.player import Player, PlayerFault, Reply
from engine.core.scores import score_episode
from engine.play.episode import Episode, NullSink
from engine.play.executors.local import LocalExecutor
from engine.play.plans import Plan, PlanPart
from engine.play.registry import Registry, SelectedInstance
from engine.results.table import make_result_rows
from engine.storage.episode_result import EpisodeResult
from engine.storage.episode_row import Status
from engine.storage.store import Store
from tests.engine.small_games import Council, Gallery, Guess, SmallGame, Whispers, of_kind

GAMES = (Council(), Whispers(), Gallery(), Guess())


class Sample(Player):
    """Sends well-formed replies drawn from its own generator; `dies` at its second ask when told to."""

    def __init__(self, address: str):
        self.dies = address == "mortal"

    async def reply(self, view) -> Reply:
        if self.dies and view.ask.own_request_number == 2:
            raise PlayerFault("out of memory")
        return Reply(view.ask.format.sample(view.random))


@dataclass
class Small(Registry):
    """A registry of the small games and two kinds of player."""

    there: dict[str, SmallGame] = field(default_factory=lambda: {game.name: game for game in GAMES})
    sample: type = Sample

    def game(self, name):
        return self.there[name]

    def player(self, address, game, seat, episodes):
        return self.sample(address)


def registry(*changed: SmallGame) -> Small:
    return Small(Path(__file__).resolve().parents[2], there={game.name: game for game in (*GAMES, *changed)})


def plan(games=GAMES, player="sample", where: Small | None = None) -> Plan:
    items = tuple(
        SelectedInstance(game.name, "only", "e", n, {"word": "tree", "n": n}) for game in games for n in range(5)
    )
    where = where or registry()
    return Plan(where, (PlanPart(where, items, ({"all": player},)),))


def go(wanted: Plan, store: Store):
    return asyncio.run(asyncio.wait_for(LocalExecutor(wanted, store).play_plan(), 120))


def test_games_of_every_shape_are_planned_played_and_scored_and_once_is_enough(tmp_path):
    with Store(tmp_path / "log.db") as store:
        tally = go(plan(), store)
        assert (tally.planned_count, tally.played_count, tally.is_complete) == (20, 20, True)
        calls = tally.call_count
        again = go(plan(), store)
        assert (again.previously_finished_count, again.played_count, again.call_count) == (20, 0, 0)
        assert calls == sum(len(of_kind(store.events(row.id), "reply")) for row in store.episodes())


def test_sides_have_results_of_their_own(tmp_path):
    with Store(tmp_path / "log.db") as store:
        go(plan([Whispers()]), store)
        found = store.episodes()
        for row in found:
            scores = score_episode(Log(store.events(row.id)), Whispers())
            assert (scores["main_score"], scores["success"], scores["lose"]) == (None, None, None)
            assert sorted(scores["side_scores"].values()) == [0, 100]
            assert scores["side_scores"][row.outcome["winner"]] == 100
            assert row.outcome["sides"] == {"hunters": ["wolf"], "flock": ["goat", "hare", "crow"]}
            assert row.scores == json.loads(json.dumps(scores))
        made = make_result_rows(
            [EpisodeResult.from_row(row, row.scores) for row in found], sides={"whispers": Whispers.sides}
        )
        assert [row.side for row in made] == ["hunters", "flock"]
        assert [row.n for row in made] == [5, 5]
        assert sum(row.quality.value for row in made) == pytest.approx(100)


def test_a_stalled_episode_goes_on_where_it_stands_and_never_under_other_rules(tmp_path):
    class Longer(Council):
        def play(self, table, instance):
            table.tell("ada", "New: be kind.")
            return (yield from Council.play(self, table, instance))

    class Buggy(Council):
        def vote(self, seat, living):
            if len(living) < 4:
                raise ZeroDivisionError("nobody counted")
            return super().vote(seat, living)

    class Healed(Sample):
        def __init__(self, address):
            super().__init__("well again")

    with Store(tmp_path / "log.db") as store:
        tally = go(plan([Council()], "mortal"), store)
        assert (tally.played_count, len(tally.cause_by_stalled_episode)) == (0, 5)
        assert set(tally.cause_by_stalled_episode.values()) == {"out of memory"}
        logs = {row.id: store.events(row.id) for row in store.episodes(status=Status.STALLED)}
        assert len(logs) == 5

        for changed in (Longer(), Buggy()):
            tally = go(plan([Council()], "mortal", registry(changed)), store)
            assert len(tally.cause_by_stalled_episode) == 5
            for id, log in logs.items():
                row = store.episode(id)
                assert row.status is Status.STALLED
                assert "the rules have changed since this was played: event " in row.cause
                assert store.events(id) == log  # readable, and as it was

        where = registry()
        where.sample = Healed
        tally = go(plan([Council()], "mortal", where), store)
        assert (tally.played_count, tally.is_complete, tally.cause_by_stalled_episode) == (5, True, {})
        for id, log in logs.items():
            whole = store.events(id)
            assert whole[: len(log)] == log
            assert store.episode(id).status is Status.OVER
            assert store.episode(id).cause is None


def test_resume_refuses_what_the_present_rules_would_not_have_written(tmp_path):
    class Shorter(Guess):
        def play(self, table, instance):
            return (
                yield from Guess.play(
                    self, type(table)(table.seats, "only", table.settings, table.random, table.prompts), instance
                )
            )

    with Store(tmp_path / "log.db") as store:
        go(plan([Guess()], "mortal"), store)
        row = store.episodes()[0]
        with pytest.raises(RulesChanged):
            Episode.resume(row.id, Shorter(), store.events(row.id), {"A": Sample("x")}, NullSink())
