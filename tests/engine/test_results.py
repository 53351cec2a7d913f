"""The results of a log: read bit by bit they are what reading everything gives, whoever writes meanwhile."""

import asyncio
from pathlib import Path

import pytest

from engine.play.executors.local import LocalExecutor
from engine.play.plans import Plan
from engine.play.registry import Registry
from engine.results.index import Results, record_plan, rescore
from engine.results.table import result_rows
from engine.storage.store import Store

REGISTRY = Registry(Path(__file__).resolve().parents[2])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


def plan(selection: str = "matchit/text", **more) -> Plan:
    return Plan.of(REGISTRY, [selection], [{"all": "random"}], **more)


def go(store: Store, wanted: Plan) -> None:
    assert asyncio.run(LocalExecutor(wanted, store).go()).complete


def fresh(path: Path) -> Results:
    store = Store(path)
    results = Results(store, REGISTRY)
    assert results.refresh()
    return results


def whole(results: Results) -> list:
    """The rows as they come out without anything remembered."""
    return result_rows(results.all, sides=results.sides, summaries=results.summaries, missing=results.missing)


def test_what_is_read_bit_by_bit_is_what_is_read_at_once(path):
    with Store(path) as store:
        kept = Results(Store(path), REGISTRY)
        for wanted in (plan(limit=1), plan("spyfall", limit=1), plan(limit=3), plan("spyfall", limit=3)):
            go(store, wanted)
            assert kept.refresh()
            assert kept.rows() == whole(kept) == fresh(path).rows()
        assert not kept.refresh()  # nothing happened
        assert sum(row["n"] for row in kept.rows(lambda condition: condition.game == "matchit")) == 12

        store.conn.execute("UPDATE result SET main = 0, version = 'old'")  # by rules of scoring that are gone
        store.conn.execute("DELETE FROM planned")
        assert fresh(path).rows() == kept.rows()

        everything, gone = kept.rows(), kept.all[0]
        without = kept.rows(hidden={gone.episode})
        assert sum(row["n"] for row in everything) - sum(row["n"] for row in without) in (1, len(gone.sides or "1"))
        assert kept.rows() == everything

        store.remove([kept.all[0].episode, kept.all[-1].episode])
        assert kept.refresh()
        assert kept.rows() == fresh(path).rows()
        assert len(kept.all) == len(store.episodes())


def test_what_was_planned_and_not_begun_is_missing_until_it_is_played(path):
    with Store(path) as store:
        wanted = plan("spyfall", limit=2)
        record_plan(store, wanted)
        results = Results(Store(path), REGISTRY)
        results.refresh()
        assert {(row["n"], row["missing"]) for row in results.rows()} == {(0, 2)}
        go(store, plan("spyfall", limit=1))
        results.refresh()
        assert {(row["n"], row["missing"]) for row in results.rows()} == {(1, 1)}  # under the same conditions
        record_plan(store, wanted)  # what is begun is not planned anew
        results.refresh()
        assert {row["missing"] for row in results.rows()} == {1}
        store.unplan(results.missing)
        results.refresh()
        assert {row["missing"] for row in results.rows()} == {0}


def test_who_plays_which_side_is_told_of_games_that_are_not_over_too(path):
    wanted = Plan.of(REGISTRY, ["spyfall"], [{"side:spy": "random", "side:villagers": "scripted"}], limit=3)
    with Store(path) as store:
        go(store, Plan.of(REGISTRY, ["spyfall"], [{"side:spy": "random", "side:villagers": "scripted"}], limit=1))
        pairs = [(planned.start, planned.key) for planned in map(wanted.at, range(len(wanted)))]
        begun = [claim.episode for claim in store.claim(pairs, origin="run") if claim.state == "new"]
        for episode in begun[::2]:
            store.stall(episode, "no connection")
        rows = fresh(path).rows()
        assert {(row["n"], row["faults"] + row["open"]) for row in rows} == {(1, 2)}
        assert {row["faults"] for row in rows} == {1} and {row["seats"]["side:spy"] for row in rows} == {"random"}


def test_a_game_that_cannot_score_hides_nothing_else(path, monkeypatch, caplog):
    def fails(log):
        raise ZeroDivisionError("a bug")

    with Store(path) as store:
        go(store, plan(limit=1))
        go(store, plan("mapworld/ee-text", limit=1))
        store.conn.execute("DELETE FROM result")
        assert fresh(path).rows() and not caplog.text
        store.conn.execute("UPDATE episode SET scores_version = 'old'")
        store.conn.execute("DELETE FROM result")
        monkeypatch.setattr("games.mapworld.scores.score", fails)
        results = fresh(path)
        counts = {(row["game"], row["n"], row["unscored"]) for row in results.rows()}
        assert counts == {("matchit", 1, 0), ("mapworld", 0, 1)}
        assert "a bug" in caplog.text
        monkeypatch.undo()
        assert all(row["n"] == 1 for row in fresh(path).rows())

        store.conn.execute("UPDATE episode SET scores_version = 'old'")
        store.conn.execute("UPDATE result SET version = 'old'")  # what older rules came to is no second episode
        monkeypatch.setattr("games.mapworld.scores.score", fails)
        results = fresh(path)
        for _ in range(2):
            assert {(row["game"], row["n"], row["unscored"]) for row in results.rows()} == counts
            store.beat()
            results.refresh()
        monkeypatch.undo()
        store.set_scores(rescore(store, REGISTRY, [row.id for row in store.episodes()]))
        results.refresh()
        assert results.rows() == fresh(path).rows() and len(results.all) == len(store.episodes())


def test_episodes_of_a_game_that_is_gone_count_once(path):
    with Store(path) as store:
        go(store, plan("matchit/text/same", limit=2))
        with_game = fresh(path).rows()
        without = Results(store, Registry(path.parent))
        without.refresh()
        assert [row["n"] for row in without.rows()] == [row["n"] for row in with_game] == [2]
