"""Games of sides: records per side, and ratings compared with the likelihood maximised by scipy."""

import math

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results.rating import POINTS_PER_LOG_ODDS, Match, find_match, fit_ratings, make_rating_tables, record_wins
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


def by_player(ratings, name):
    return {rating.player: getattr(rating, name) for rating in ratings}


def maximise_likelihood(matches) -> tuple[list[float], list[float]]:
    """Fit the same model in another way: write out the likelihood and maximise it with scipy; points of mean 0."""
    players = sorted({player for match in matches for player in match.players.values()})
    sides = sorted({side for match in matches for side in match.players})

    def cost(x):
        rating, strength = dict(zip(players, x, strict=False)), dict(zip(sides, x[len(players) :], strict=True))
        total = sum(math.log1p(math.exp(-value)) + value / 2 for value in rating.values())
        total += math.log(sum(map(math.exp, strength.values()))) - sum(strength.values()) / len(strength)
        for match in matches:
            sums = {side: rating[player] + strength[side] for side, player in match.players.items()}
            total += math.log(sum(map(math.exp, sums.values()))) - sums[match.winner]
        return total + 1e-9 * sum(value**2 for value in strength.values())

    best = scipy.optimize.minimize(cost, np.zeros(len(players) + len(sides)), method="BFGS", options={"gtol": 1e-7}).x
    parts = best[: len(players)], best[len(players) :]
    return tuple([POINTS_PER_LOG_ODDS * (value - part.mean()) for value in part] for part in parts)


HAS_TWO = MATCHES.filter(lambda matches: len({player for each in matches for player in each.players.values()}) > 1)


@given(HAS_TWO)
@settings(max_examples=25, deadline=None)
def test_ratings_make_the_results_likeliest(matches):
    ratings, sides = fit_ratings(matches)
    expected_ratings, expected_strengths = maximise_likelihood(matches)
    by_name = by_player(ratings, "rating")
    assert [by_name[name] for name in sorted(by_name)] == pytest.approx(expected_ratings, abs=0.2)
    strengths = {side.side: side.strength for side in sides}
    assert [strengths[name] for name in sorted(strengths)] == pytest.approx(expected_strengths, abs=0.2)
    assert sum(by_name.values()) == pytest.approx(0, abs=1e-6)
    for interval in [*ratings, *sides]:
        assert math.isfinite(interval.low) and interval.low <= interval.high and abs(interval.low) < 1e4


@given(HAS_TWO, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_order_and_names_of_sides_change_nothing(matches, rng):
    turned = [
        Match({"a": match.players["villagers"], "b": match.players["spy"]}, "b" if match.winner == "spy" else "a")
        for match in matches
    ]
    rng.shuffle(turned)
    ratings, turned_ratings = fit_ratings(matches)[0], fit_ratings(turned)[0]
    for name in ("rating", "low", "high", "n", "wins"):
        assert by_player(turned_ratings, name) == pytest.approx(by_player(ratings, name), abs=1e-6)


def test_three_camps_are_rated_by_the_same_model():
    """A player that wins in every camp has a finite rating, and no camp is rated as strong because of it."""
    turns = [("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y")]
    camps = ("prince", "queen", "spy")
    matches = [Match(dict(zip(camps, turn, strict=True)), camps[turn.index("x")]) for turn in turns for _ in range(20)]
    (best, *others), sides = fit_ratings(matches)
    assert (best.player, best.n, best.wins) == ("x", 60, 60)
    assert all(rating.high < best.low for rating in others)
    assert all(side.strength == pytest.approx(0, abs=1e-6) for side in sides)


def test_intervals_narrow_with_the_square_root_of_games():
    matches = [Match({"spy": a, "villagers": b}, side) for a, b in ("xy", "yx") for side in SIDES for _ in range(10)]
    few, many = (fit_ratings(matches * times)[0][0] for times in (1, 16))
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(4, rel=0.1)


def result(spy: str, villagers: str, winner: str, **more) -> EpisodeResult:
    experiment = {"game": "spyfall", "variant": "words", "experiment": "given"}
    seats = {"side:spy": spy, "side:villagers": villagers} if spy != villagers else {"Nancy": spy, "Tom": spy}
    sides = {side: 100.0 if side == winner else 0.0 for side in SIDES}
    return counted(**{**experiment, "seats": seats, "ending": "decided", "side_scores": sides, **more})


def test_tables_count_each_side_and_what_they_leave_out():
    results = [
        *(result("m", "person", "spy") for _ in range(3)),
        result("m", "person", "villagers"),
        result("person", "m", "villagers"),
        result("m", "m", "spy"),
        result("m", "person", "spy", practice=True),
        result("m", "person", "spy", informed=True),
        result("m", "person", "spy", ending="aborted", side_scores=None),
        result("m", "person", "spy", ending=None, side_scores=None),
        result("m", "person", "spy", seats={"Nancy": "m", "Tom": "person", "Cindy": "random"}),
        result("m", "person", "spy", settings={"spy_wins_at": 3}),
    ]
    other_table, table = make_rating_tables(results, {"spyfall"})
    assert (table.n, other_table.n, other_table.settings) == (6, 1, {"spy_wins_at": 3})
    assert table.left_out == {"aborted": 1, "informed": 1, "open": 1, "practice": 1, "shared": 1}
    assert table.connected
    records = by_player(table.players, "won")
    spy = records["m"]["spy"]
    assert (spy.n, spy.wins, spy.rate) == (5, 4, 80)
    assert spy.rate_low < 80 < spy.rate_high
    assert records["person"] == record_wins([find_match(result) for result in results[:6]], "person")
    assert [rating.n for rating in table.players] == [5, 5]
    assert make_rating_tables(results, {"tofukingdom"}) == []


def test_players_that_never_met_are_not_connected():
    unconnected = [result("a", "b", "spy"), result("c", "d", "spy")]
    assert not make_rating_tables(unconnected, {"spyfall"})[0].connected
    alone = make_rating_tables([result("a", "a", "spy")] * 3, {"spyfall"})[0]
    assert [(rating.player, rating.rating, rating.n) for rating in alone.players] == [("a", None, 0)]
    assert alone.sides[0].side == "spy"
    assert make_rating_tables([*unconnected, result("b", "c", "spy")], {"spyfall"})[0].connected
