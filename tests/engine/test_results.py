"""The results of a log: reading them in steps gives the same as reading them at once, also while others write."""

import asyncio
from pathlib import Path

import pytest

from engine.play.executors.local import LocalExecutor
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.results.index import Results, rescore_episodes
from engine.results.planned import record_plan
from engine.results.table import make_result_rows
from engine.storage.store import Store
from tests.engine.counted import counted

REGISTRY = Registry(Path(__file__).resolve().parents[2])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def plan(selection: str = "matchit/text", **options) -> Plan:
    return Plan.from_selections(REGISTRY, [selection], [{"all": "random"}], **options)


def go(store: Store, plan: Plan) -> None:
    assert asyncio.run(LocalExecutor(plan, store).play_plan()).is_complete


def read_anew(path: Path) -> Results:
    results = Results(Store(path), REGISTRY)
    assert results.refresh()
    return results


def rows_json(results: Results, **options) -> list:
    return [row.as_json() for row in results.list_rows(**options)]


def uncached_rows_json(results: Results) -> list:
    rows = make_result_rows(
        results.episodes,
        sides=results.sides_by_game,
        summaries=results.summary_by_game,
        missing_episodes_by_condition=results.missing_episodes_by_condition,
    )
    return [row.as_json() for row in rows]


def test_results_read_in_steps_equal_results_read_at_once(path):
    with Store(path) as store:
        results = Results(Store(path), REGISTRY)
        for step in (plan(limit=1), plan("spyfall", limit=1), plan(limit=3), plan("spyfall", limit=3)):
            go(store, step)
            assert results.refresh()
            assert rows_json(results) == uncached_rows_json(results) == rows_json(read_anew(path))
        assert not results.refresh()  # nothing happened
        assert sum(row.n for row in results.list_rows(lambda condition: condition.game == "matchit")) == 12

        store.sqlite_db.execute("UPDATE result SET main = 0, version = 'old'")  # by older rules of scoring
        store.sqlite_db.execute("DELETE FROM planned")
        assert rows_json(read_anew(path)) == rows_json(results)

        all_rows, hidden = rows_json(results), results.episodes[0]
        visible_rows = rows_json(results, hidden_ids={hidden.episode})
        fewer = sum(row["n"] for row in all_rows) - sum(row["n"] for row in visible_rows)
        assert fewer in (1, len(hidden.side_scores or "1"))
        assert rows_json(results) == all_rows

        store.delete_episodes([results.episodes[0].episode, results.episodes[-1].episode])
        assert results.refresh()
        assert rows_json(results) == rows_json(read_anew(path))
        assert len(results.episodes) == len(store.episodes())


def test_planned_episodes_are_missing_until_they_are_played(path):
    with Store(path) as store:
        recorded = plan("spyfall", limit=2)
        record_plan(store, recorded)
        results = Results(Store(path), REGISTRY)
        results.refresh()
        assert {(row.n, row.missing_count) for row in results.list_rows()} == {(0, 2)}
        go(store, plan("spyfall", limit=1))
        results.refresh()
        assert {(row.n, row.missing_count) for row in results.list_rows()} == {(1, 1)}  # under the same conditions
        record_plan(store, recorded)  # episodes that were begun are not planned again
        results.refresh()
        assert {row.missing_count for row in results.list_rows()} == {1}
        store.results.delete_planned_episodes(results.missing_episodes_by_condition)
        results.refresh()
        assert {row.missing_count for row in results.list_rows()} == {0}


def test_unfinished_episodes_have_the_players_of_sides_too(path):
    seating = {"side:spy": "random", "side:villagers": "scripted"}
    with Store(path) as store:
        go(store, Plan.from_selections(REGISTRY, ["spyfall"], [seating], limit=1))
        longer = Plan.from_selections(REGISTRY, ["spyfall"], [seating], limit=3)
        pairs = [(planned.start, planned.key) for planned in map(longer.plan_episode, range(len(longer)))]
        begun = [claim.episode for claim in store.claim_episodes(pairs, origin="run") if claim.state == "new"]
        for episode in begun[::2]:
            store.mark_stalled(episode, "no connection")
        rows = read_anew(path).list_rows()
        assert {
            (row.n, row.excluded_count_by_reason["faults"] + row.excluded_count_by_reason["open"]) for row in rows
        } == {(1, 2)}
        assert {row.excluded_count_by_reason["faults"] for row in rows} == {1}
        assert {row.condition.seats["side:spy"] for row in rows} == {"random"}


def test_a_game_that_cannot_score_hides_no_other_results(path, monkeypatch, caplog):
    def fail(log):
        raise ZeroDivisionError("a bug")

    def counts(results: Results) -> set:
        return {(row.condition.game, row.n, row.excluded_count_by_reason["unscored"]) for row in results.list_rows()}

    with Store(path) as store:
        go(store, plan(limit=1))
        go(store, plan("mapworld/ee-text", limit=1))
        store.sqlite_db.execute("DELETE FROM result")
        assert read_anew(path).list_rows() and not caplog.text
        store.sqlite_db.execute("UPDATE episode SET scores_version = 'old'")
        store.sqlite_db.execute("DELETE FROM result")
        monkeypatch.setattr("games.mapworld.scores.score", fail)
        assert counts(read_anew(path)) == {("matchit", 1, 0), ("mapworld", 0, 1)}
        assert "a bug" in caplog.text
        monkeypatch.undo()
        assert all(row.n == 1 for row in read_anew(path).list_rows())

        store.sqlite_db.execute("UPDATE episode SET scores_version = 'old'")
        store.sqlite_db.execute("UPDATE result SET version = 'old'")  # an outdated row and no scores are one episode
        monkeypatch.setattr("games.mapworld.scores.score", fail)
        results = read_anew(path)
        for _ in range(2):
            assert counts(results) == {("matchit", 1, 0), ("mapworld", 0, 1)}
            store.record_heartbeat()
            results.refresh()
        monkeypatch.undo()
        store.set_scores(rescore_episodes(store, REGISTRY, [row.id for row in store.episodes()]))
        results.refresh()
        assert rows_json(results) == rows_json(read_anew(path))
        assert len(results.episodes) == len(store.episodes())


def test_episodes_of_a_game_that_is_gone_count_once(path):
    with Store(path) as store:
        go(store, plan("matchit/text/same", limit=2))
        with_game = read_anew(path).list_rows()
        without_game = Results(store, Registry(path.parent))
        without_game.refresh()
        assert [row.n for row in without_game.list_rows()] == [row.n for row in with_game] == [2]


def test_rows_with_people_weigh_instances_the_same_and_allow_for_people():
    def row(games, **more):
        (only,) = make_result_rows(
            counted(
                seats={"A": "person", "B": more.get("partner", "scripted")},
                instance_hash=instance,
                ending="aborted" if main is None else "success",
                main_score=main,
                participants=(person,) if person else (),
            )
            for person, instance, main in games
        )
        return only

    few = row([("a", "1", 100.0), ("b", "1", 100.0), ("a", "2", 0.0)])
    assert (few.n, few.participants, few.quality.value) == (3, 2, pytest.approx(50))
    assert few.quality.low is None and few.played.low is None and few.as_json()["participants"] == 2
    games = [(f"p{person}", str(at), float(100 * (person % 3 > 0))) for person in range(9) for at in range(8)]
    many = row(games)
    assert many.participants == 9 and many.quality.low < many.quality.value < many.quality.high
    alone = row([("", instance, main) for _, instance, main in games])
    assert (alone.n, alone.participants, alone.quality.low) == (72, 0, None)
    aborted = row([*games, ("p0", "8", None)])
    assert aborted.quality.value == pytest.approx(many.quality.value)
    assert aborted.score_all.value == pytest.approx(many.quality.value * 8 / 9)
    assert aborted.played.value == pytest.approx(100 * 8 / 9)
    both = row(games, partner="person")  # whom nobody knows
    assert both.participants == 9 and both.quality.low is None
