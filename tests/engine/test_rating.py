"""Games of sides: tables a side, and ratings against the likelihood maximised by scipy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from engine.results.rating import POINTS, Match, fit_ratings, match_of, rating_tables, wins_by_side
from engine.storage.episode_result import EpisodeResult
from tests.engine.counted import counted

SIDES = ("spy", "villagers")
MATCHES = st.lists(
    st.builds(
        lambda a, b, winner: Match({"spy": a, "villagers": b}, winner),
        *[st.sampled_from("xyz")] * 2,
        st.sampled_from(SIDES),
    ),
    min_size=1,
    max_size=30,
)


def by(found, key, name):
    return {row[key]: row[name] for row in found}


def fitted(matches) -> tuple[list[float], list[float]]:
    """The same model by another route: the likelihood written out, maximised by scipy, points of mean 0."""
    players = sorted({player for match in matches for player in match.players.values()})
    sides = sorted({side for match in matches for side in match.players})

    def cost(x):
        of, edge = dict(zip(players, x, strict=False)), dict(zip(sides, x[len(players) :], strict=True))
        total = sum(math.log1p(math.exp(-value)) + value / 2 for value in of.values())
        total += math.log(sum(math.exp(value) for value in edge.values())) - sum(edge.values()) / len(edge)
        for match in matches:
            worth = {side: of[player] + edge[side] for side, player in match.players.items()}
            total += math.log(sum(map(math.exp, worth.values()))) - worth[match.winner]
        return total + 1e-9 * sum(value**2 for value in edge.values())

    best = minimize(cost, np.zeros(len(players) + len(sides)), method="BFGS", options={"gtol": 1e-7}).x
    parts = best[: len(players)], best[len(players) :]
    return tuple([POINTS * (value - part.mean()) for value in part] for part in parts)


HAS_TWO = MATCHES.filter(lambda matches: len({player for each in matches for player in each.players.values()}) > 1)


@given(HAS_TWO)
@settings(max_examples=25, deadline=None)
def test_ratings_make_the_results_likeliest(matches):
    found = fit_ratings(matches)
    players, sides = fitted(matches)
    ours = by(found["players"], "player", "rating")
    assert [ours[name] for name in sorted(ours)] == pytest.approx(players, abs=0.2)
    edges = by(found["sides"], "side", "strength")
    assert [edges[name] for name in sorted(edges)] == pytest.approx(sides, abs=0.2)
    assert sum(ours.values()) == pytest.approx(0, abs=1e-6)
    for row in [*found["players"], *found["sides"]]:
        assert math.isfinite(row["low"]) and row["low"] <= row["high"] and abs(row["low"]) < 1e4


@given(HAS_TWO, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_order_and_names_of_sides_change_nothing(matches, rng):
    turned = [
        Match({"a": match.players["villagers"], "b": match.players["spy"]}, "b" if match.winner == "spy" else "a")
        for match in matches
    ]
    rng.shuffle(turned)
    there, back = fit_ratings(matches), fit_ratings(turned)
    for name in ("rating", "low", "high", "n", "wins"):
        assert by(back["players"], "player", name) == pytest.approx(by(there["players"], "player", name), abs=1e-6)


def test_three_camps_are_rated_by_the_same_model():
    """One wins in every camp: it has a finite rating, and no camp takes the credit."""
    turns = [("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y")]
    camps = ("prince", "queen", "spy")
    matches = [Match(dict(zip(camps, turn, strict=True)), camps[turn.index("x")]) for turn in turns for _ in range(20)]
    found = fit_ratings(matches)
    best, *others = found["players"]
    assert (best["player"], best["n"], best["wins"]) == ("x", 60, 60)
    assert all(row["high"] < best["low"] for row in others)
    assert all(row["strength"] == pytest.approx(0, abs=1e-6) for row in found["sides"])


def test_intervals_narrow_with_the_square_root_of_games():
    some = [Match({"spy": a, "villagers": b}, side) for a, b in ("xy", "yx") for side in SIDES for _ in range(10)]
    few, many = (fit_ratings(some * times)["players"][0] for times in (1, 16))
    assert (few["high"] - few["low"]) / (many["high"] - many["low"]) == pytest.approx(4, rel=0.1)


def result(spy: str, villagers: str, winner: str, **more) -> EpisodeResult:
    given = {"game": "spyfall", "variant": "words", "experiment": "given"}
    seats = {"side:spy": spy, "side:villagers": villagers} if spy != villagers else {"Nancy": spy, "Tom": spy}
    sides = {side: 100.0 if side == winner else 0.0 for side in SIDES}
    return counted(**{**given, "seats": seats, "ending": "decided", "sides": sides, **more})


def test_tables_count_each_side_and_say_what_they_leave_out():
    some = [
        *(result("m", "person", "spy") for _ in range(3)),
        result("m", "person", "villagers"),
        result("person", "m", "villagers"),
        result("m", "m", "spy"),
        result("m", "person", "spy", practice=True),
        result("m", "person", "spy", informed=True),
        result("m", "person", "spy", ending="aborted", sides=None),
        result("m", "person", "spy", ending=None, sides=None),
        result("m", "person", "spy", seats={"Nancy": "m", "Tom": "person", "Cindy": "random"}),
        result("m", "person", "spy", settings={"spy_wins_at": 3}),
    ]
    other, one = rating_tables(some, {"spyfall"})
    assert (one["n"], other["n"], other["settings"]) == (6, 1, {"spy_wins_at": 3})
    assert one["left_out"] == {"aborted": 1, "informed": 1, "open": 1, "practice": 1, "shared": 1}
    assert one["connected"]
    wins = {row["player"]: row["won"] for row in one["players"]}
    assert (wins["m"]["spy"]["n"], wins["m"]["spy"]["wins"], wins["m"]["spy"]["rate"]) == (5, 4, 80)
    assert wins["m"]["spy"]["rate_low"] < 80 < wins["m"]["spy"]["rate_high"]
    assert wins["person"] == wins_by_side([match_of(each) for each in some[:6]], "person")
    assert [row["n"] for row in one["players"]] == [5, 5]
    assert rating_tables(some, {"tofukingdom"}) == []


def test_players_that_never_met_are_said_to_be_incomparable():
    apart = [result("a", "b", "spy"), result("c", "d", "spy")]
    assert not rating_tables(apart, {"spyfall"})[0]["connected"]
    alone = rating_tables([result("a", "a", "spy")] * 3, {"spyfall"})[0]
    assert [(row["player"], row["rating"], row["n"]) for row in alone["players"]] == [("a", None, 0)]
    assert alone["sides"][0]["side"] == "spy"
    assert rating_tables([*apart, result("b", "c", "spy")], {"spyfall"})[0]["connected"]
