"""Plans and runs in one process: what makes two episodes the same, sharing, stopping, recorded seats, `play`."""

import asyncio
import dataclasses
import json
from pathlib import Path

import pytest

from engine.core.events import Event
from engine.core.master import build_start_event
from engine.core.player import Player, PlayerFault, Reply, UnknownPlayer
from engine.play.episode import GroupCommit
from engine.play.executors.local import LocalExecutor
from engine.play.plan_checks import BadPlan
from engine.play.plans import Plan, compute_plan_key
from engine.play.registry import Registry, SelectedInstance, UnknownSelection
from engine.play.runner import play
from engine.results.index import rescore_episodes
from engine.storage.database import StoreError
from engine.storage.episode_row import Status
from engine.storage.store import Store

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = Registry(ROOT)
RANDOM = [{"all": "random"}]


def plan(*selections: str, seats=None, **more) -> Plan:
    return Plan.from_selections(REGISTRY, selections or ["matchit/text"], seats or RANDOM, **more)


def go(wanted: Plan, store: Store, **more):
    return asyncio.run(asyncio.wait_for(LocalExecutor(wanted, store, **more).play_plan(), 120))


def said(log: list[Event]) -> list:
    """What happened, without times, and without what is known about replies."""
    return [(e.kind, e.seat, {name: value for name, value in e.data.items() if name != "meta"}) for e in log]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> dict[str, list]:
    """What the 40 text instances give when nothing disturbs them, by plan key."""
    with Store(tmp_path_factory.mktemp("reference") / "log.db") as store:
        go(plan(), store)
        return whole(store)


def whole(store: Store) -> dict[str, list]:
    """All episodes by plan key; asserts that each is over and whole."""
    found = {}
    for row in store.episodes():
        log = store.events(row.id)
        assert row.status is Status.OVER
        assert row.plan_key
        assert [event.n for event in log] == list(range(len(log)))
        found[row.plan_key] = said(log)
    return found


# ------------------------------------------------------------------ plans
def test_a_plan_counts_what_it_makes_and_names_everything_once():
    for wanted in (
        plan(),
        plan("matchit", "matchit/text/same", repeat=2),
        plan(limit=3),
        plan("matchit/picture/pentomino-same/4", seats=[{"A": "random", "B": "scripted"}, {"all": "random"}]),
    ):
        made = list(wanted)
        assert len(made) == len(wanted) == len({one.key for one in made})
    assert len(plan("matchit", "matchit/text/same", repeat=2)) == 200
    assert [one.start.instance_id.split("/")[2:] for one in plan(limit=1)] == [
        [experiment, "0"] for experiment in ("same", "similar-transformed", "similar-edit-2", "different")
    ]


def test_whatever_decides_an_episode_is_in_its_key_and_nothing_else():
    game, item = REGISTRY.game("matchit"), REGISTRY.select_instances("matchit/text/same/0")[0]

    def key(**more) -> str:
        given = {"variant": "text", "experiment": "same", "instance": item.instance, "instance_id": item.instance_id}
        start = build_start_event(
            game, **{"ludens": "1", "seats": {"A": "random", "B": "x/y?a=1&b=2"}, **given, **more}
        )
        return compute_plan_key(start)

    same = [
        key(),
        key(ludens="2"),
        key(instance_id="renamed"),
        key(seats={"B": "x/y?b=2&a=1", "A": "random"}, seed=None),
    ]
    other_instance = {**item.instance, "relation": "different"}
    others = [
        key(seats={"A": "random", "B": "x/y?a=1&b=3"}),
        key(seats={"B": "random", "A": "x/y?a=1&b=2"}),
        key(settings={"questions": 5}),
        key(reprompt=1),
        key(run_seed=1),
        key(repetition=1),
        key(instance=other_instance),
        key(experiment="different"),
    ]
    assert len(set(same[:3])) == 1
    assert len({same[0], *others}) == 1 + len(others)
    assert key(settings={"questions": 3}) == key()


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [
        ({"seats": [{"A": "random"}]}, BadPlan, "nobody sits at B: add --seat B=PLAYER"),
        ({"seats": [{}]}, BadPlan, "seats A, B; nobody sits at A, B"),
        ({"seats": [{"all": "random", "C": "random"}]}, BadPlan, "no seat 'C'; there are: A, B, and all"),
        ({"seats": [{"all": "randm"}]}, UnknownPlayer, "did you mean 'random'"),
        ({"seats": [{"all": "recorded"}]}, UnknownPlayer, "which episode"),
        ({"settings": {"question": 3}}, BadPlan, "no setting 'question' .did you mean 'questions'"),
        ({"settings": {"questions": 4}}, BadPlan, "questions: Input should be 1, 3 or 5 .got 4"),
        ({"repeat": 0}, BadPlan, "repeat is at least 1, not 0"),
        ({"limit": 0}, BadPlan, "limit is at least 1, not 0"),
        ({"reprompt": -1}, BadPlan, "reprompt is at least 0, not -1"),
    ],
)
def test_what_cannot_be_planned_is_named_before_anything_is_played(more, error, words):
    with pytest.raises(error, match=words):
        plan(**more)


@pytest.mark.parametrize("selection", ["machit", "matchit/txt", "matchit/text/sme", "matchit/text/same/10"])
def test_a_misspelt_selection_is_named(selection):
    with pytest.raises(UnknownSelection):
        plan(selection)


# ------------------------------------------------------------------ runs
def test_the_same_plan_again_plays_nothing_and_a_larger_one_only_what_is_new(path, reference):
    with Store(path) as store:
        assert go(plan("matchit/text/same"), store).played_count == 10
        tally = go(plan(), store)
        assert (tally.previously_finished_count, tally.played_count, tally.is_complete) == (10, 30, True)
        assert go(plan(), store).previously_finished_count == 40
        assert whole(store) == reference
        assert go(plan(repeat=2), store).played_count == 40
        assert go(plan(seed=1), store).played_count == 40


def test_concurrency_changes_nothing(path, reference):
    with Store(path) as store:
        go(plan(), store, concurrency=1)
        assert whole(store) == reference


def events_stored(store: Store) -> int:
    return store.sqlite_db.execute("SELECT COUNT(*) FROM event").fetchone()[0]


@pytest.mark.parametrize("after", [1, 40, 333])
def test_a_stopped_run_goes_on_where_it_stopped(path, reference, after):
    async def stopped(run: LocalExecutor) -> None:
        task = asyncio.create_task(run.play_plan())
        while events_stored(store) < after:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()

    with Store(path) as store:
        asyncio.run(stopped(LocalExecutor(plan(), store, concurrency=8)))
        assert after <= events_stored(store) < 2000
    with Store(path) as store:
        assert go(plan(), store).is_complete
        assert whole(store) == reference


def test_scores_are_kept_and_come_out_again(path):
    with Store(path) as store:
        go(plan(), store)
        for row in store.episodes():
            made = rescore_episodes(store, REGISTRY, [row.id])
            assert made == [(row.id, row.scores_version, row.scores)]


def test_episodes_of_a_living_process_are_waited_for(path, reference):
    with Store(path) as store, Store(path) as other:
        wanted = list(plan())[:6]
        claims = other.claim_episodes([(one.start, one.key) for one in wanted], origin="run")
        assert {claim.state for claim in claims} == {"new"}

        async def both() -> None:
            run = LocalExecutor(plan(), store)
            task = asyncio.create_task(run.play_plan())
            while run.tally.waiting_count < 6:
                await asyncio.sleep(0.01)
            assert run.tally.finished_count == 34
            [part] = plan().parts
            first = dataclasses.replace(part, instances=part.instances[:3])
            rest = LocalExecutor(Plan(REGISTRY, (first,)), other)
            await rest.play_plan()  # three are played to their end by the other, three are given back
            for claim in claims[3:]:
                other.release_lease(claim.episode)
            tally = await asyncio.wait_for(task, 60)
            assert (tally.finished_elsewhere_count, tally.played_count, tally.is_complete, tally.waiting_count) == (
                3,
                37,
                True,
                0,
            )

        asyncio.run(both())
        assert whole(store) == reference


def test_two_runs_in_two_stores_share_a_plan(path, reference):
    with Store(path) as one, Store(path) as other:

        async def both():
            return await asyncio.gather(
                LocalExecutor(plan(), one, concurrency=4).play_plan(),
                LocalExecutor(plan(), other, concurrency=4).play_plan(),
            )

        tallies = asyncio.run(both())
        assert sum(tally.played_count for tally in tallies) == 40
        assert all(tally.played_count for tally in tallies), "one of them did everything"
        assert all(tally.is_complete for tally in tallies)
        assert whole(one) == reference


def test_a_run_that_was_taken_for_dead_leaves_the_episode_to_the_other(path, reference):
    class Robbed(Store):
        robbed = False

        def append(self, batch):
            if not self.robbed and any(event.n > 20 for episode_update in batch for event in episode_update.events):
                self.robbed = True
                last = self.events(batch[0].episode)[-1]
                with Store(path) as thief:
                    thief.append([dataclasses.replace(batch[0], events=[dataclasses.replace(last, n=last.n + 1)])])
            super().append(batch)

    with Robbed(path) as store:
        tally = go(plan(), store)
        assert store.robbed
        assert tally.played_count == 39
        # what the thief wrote is nonsense: not continued wrongly, but named
        assert ["rules have changed" in cause for cause in tally.cause_by_stalled_episode.values()] == [True]
    with Store(path) as store:
        rows = store.episodes(status=Status.STALLED)
        assert len(rows) == 1 and "rules have changed" in str(rows[0].cause)
        assert len(store.episodes(status=Status.OVER)) == 39


def test_an_instance_that_cannot_be_used_is_named_and_the_others_are_played(path):
    [part] = plan().parts
    good = part.instances[:3]
    bad = SelectedInstance("matchit", "text", "same", 99, {"kind": "grid", "relation": "same", "a": "X", "b": "X"})
    with Store(path) as store:
        mixed = dataclasses.replace(part, instances=(good[0], bad, *good[1:]))
        tally = go(Plan(REGISTRY, (mixed,)), store)
        assert (tally.played_count, len(tally.cause_by_stalled_episode)) == (3, 1)
        cause = next(iter(tally.cause_by_stalled_episode.values()))
        assert "the instance cannot be used" in cause and "a grid has 5 lines" in cause
        row = store.episodes(status=Status.STALLED)[0]
        assert (row.instance_id, row.cause) == ("matchit/text/same/99", cause)


def test_a_game_that_fails_to_score_ends_no_run_and_loses_nothing(path, monkeypatch):
    def fails(game, log):
        raise KeyError("picked")

    with Store(path) as store:
        monkeypatch.setattr(type(REGISTRY.game("matchit")), "score", fails)
        tally = go(plan("matchit/text/same", limit=2), store)
        assert (
            tally.is_complete and list(tally.cause_by_unscored_episode.values()) == ["matchit: KeyError: 'picked'"] * 2
        )
        assert all(row.scores is None for row in store.episodes())
        monkeypatch.undo()
        assert all(
            scores["played"] for _, _, scores in rescore_episodes(store, REGISTRY, tally.cause_by_unscored_episode)
        )


# ------------------------------------------------------------------ recorded seats
def test_a_recorded_seat_plays_the_same_episode_again(path):
    with Store(path) as store:
        go(
            plan("matchit/text/same/3", seed=5, settings={"questions": 1}, seats=[{"A": "random", "B": "scripted"}]),
            store,
        )
        first = store.episodes()[0]
        seats = {"A": f"recorded/{first.id[-8:]}", "B": "scripted"}
        again = plan("matchit/text", seats=[seats], store=store)
        assert len(again) == 1
        assert go(again, store).played_count == 1
        second = store.episodes()[1]
        assert second.seats == {"A": f"recorded/{first.id}", "B": "scripted"}
        assert second.scores == first.scores
        one, two = said(store.events(first.id)), said(store.events(second.id))
        one[0][2].pop("seats"), two[0][2].pop("seats")
        assert one == two
        assert go(again, store).previously_finished_count == 1
        assert len(plan("matchit/text", seats=[seats], store=store, repeat=3)) == 3


def test_recorded_seats_that_cannot_be_are_named(path):
    with Store(path) as store:
        go(plan("matchit/text/same", limit=2), store)
        one, two = (row.id for row in store.episodes())

        def refused(words: str, seats: dict, selection: str = "matchit/text", **more) -> None:
            with pytest.raises((BadPlan, StoreError), match=words):
                plan(selection, seats=[seats], store=store, **more)

        seats = {"A": f"recorded/{one}", "B": "random"}
        refused("differ in instance", {"A": f"recorded/{one}", "B": f"recorded/{two}"})
        refused("select matchit/text", seats, "matchit/picture")
        refused("was played with questions=3, not 5", seats, settings={"questions": 5})
        refused("was played with reprompt 0, not 2", seats, reprompt=2)
        refused("no episode", {"A": "recorded/nix", "B": "random"})


# ------------------------------------------------------------------ play
def test_play_gives_the_finished_episode():
    episode = asyncio.run(play("matchit", "text/same/0", {"A": "scripted", "B": "random"}))
    assert episode.outcome and episode.log[-1].data["kind"] == episode.outcome.kind
    again = asyncio.run(play("matchit", "matchit/text/same/0", {"all": "random", "A": "scripted"}))
    assert said(again.log) == said(episode.log)
    other = asyncio.run(play("matchit", "text/same/0", {"A": "scripted", "B": "random"}, seed=1))
    assert said(other.log) != said(episode.log)


def test_play_is_what_a_run_plays(reference):
    episode = asyncio.run(play("matchit", "text/same/0", {"all": "random"}))
    assert json.loads(json.dumps(said(episode.log))) in json.loads(json.dumps(list(reference.values())))


def test_play_takes_players_instances_and_a_sink(path):
    class Silent(Player):
        async def reply(self, view) -> Reply:
            raise PlayerFault("no voice")

    item = REGISTRY.select_instances("matchit/text/different/1")[0]
    seen = []
    episode = asyncio.run(
        play(
            REGISTRY.game("matchit"),
            item.instance,
            {"A": Silent(), "B": "random"},
            on_update=lambda *_: seen.append(1),
        )
    )
    assert (episode.outcome, episode.stall_cause) == (None, "no voice")
    assert episode.log[0].data["seats"] == {"A": "custom/Silent", "B": "random"}
    assert seen
    with pytest.raises(BadPlan, match="nobody sits at B"):
        asyncio.run(play("matchit", item, {"A": "random"}))
    with pytest.raises(UnknownSelection, match="names 10 instances"):
        asyncio.run(play("matchit", "text/same", {"all": "random"}))
    with pytest.raises(BadPlan, match="questions"):
        asyncio.run(play("matchit", item, {"all": "random"}, settings={"questions": 2}))


def test_a_group_commit_may_be_closed_at_once(path):
    async def close() -> None:
        with Store(path) as store:
            await GroupCommit(store, use_thread=True).close()

    asyncio.run(close())


def test_something_that_is_no_player_is_refused_before_anything_is_played():
    class Duck:
        async def reply(self, view):
            return Reply("same grids")

    with pytest.raises(TypeError, match=r"seat A: .*Duck.* derive its class from engine\.Player"):
        asyncio.run(play("matchit", "text/same/0", {"A": Duck(), "B": "random"}))
