"""Ratings of cooperative games: coverage and order on simulated truth, who can be compared, what counts."""

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.results.ability import (
    LEVEL_COLUMN,
    LEVEL_DEVIATION,
    MIN_GAMES_FOR_RATING,
    AbilityTables,
    RatedUnit,
    TeamGame,
    collect_team_games,
    fit_abilities,
    make_ability_tables,
    rate_teams,
)
from engine.results.rating import POINTS_PER_LOG_ODDS
from tests.bench.ratings import coverage
from tests.engine.counted import counted
from tests.engine.simulated_teams import simulate_games

ROLES = ("speaker", "listener")


def game(speaker: str, listener: str, instance: object, score: float) -> TeamGame:
    return TeamGame((RatedUnit("speaker", speaker), RatedUnit("listener", listener)), str(instance), score)


def cross(players: str, instances: int, rng=None) -> list[TeamGame]:
    rng = rng or np.random.default_rng(0)
    return [
        game(first, second, number, float(rng.random() < 0.6))
        for first in players
        for second in players
        for number in range(instances)
    ]


def by_unit(ratings) -> dict:
    return {(rating.role, rating.player): rating for rating in ratings}


@pytest.mark.slow
@pytest.mark.parametrize(
    "simulation", [{"games": 150}, {"games": 100, "dispersion": 0.2}, {"games": 200, "people": 12, "dispersion": 0.2}]
)
def test_intervals_cover_simulated_truth(simulation):
    """Of players, single people and teams, in 200 data sets; `tests.bench.ratings` prints the shares of more."""
    for group, share in coverage(200, **simulation).items():
        assert 93 <= share <= 97, (group, share)


def test_many_games_recover_the_order():
    """Of all pairs of players whose abilities differ by more than a fifth of the spread of abilities."""
    games, truth = simulate_games(3, players=5, instances=300, games=6000)
    ratings, teams = rate_teams(games)
    for role in ("A", "B"):
        true_ratings = [truth[RatedUnit(role, rating.player)] for rating in ratings if rating.role == role]
        assert len(true_ratings) == 5
        assert all(later < earlier + 0.2 for at, earlier in enumerate(true_ratings) for later in true_ratings[at:])
    best = teams[0].seats
    assert all(
        truth[RatedUnit(role, best[role])] >= truth[unit] - 0.2
        for role in ("A", "B")
        for unit in truth
        if unit.role == role
    )


@pytest.mark.parametrize("dispersion", [1.0, 0.3, 0.1])
def test_the_dispersion_of_scores_is_estimated(dispersion):
    estimates = [fit_abilities(simulate_games(seed, dispersion=dispersion)[0]).dispersion for seed in range(20)]
    assert np.mean(estimates) == pytest.approx(dispersion, rel=0.1, abs=0.05)


def test_the_estimate_is_the_mode_of_the_posterior():
    """The same quasi-posterior, written out and maximised by scipy; the scores are shares."""
    games, _ = simulate_games(1, players=3, instances=8, games=60, dispersion=0.3)
    fit = fit_abilities(games)

    def cost(values):
        total = 0.5 * sum(
            value**2 / (LEVEL_DEVIATION**2 if name == LEVEL_COLUMN else 1)
            for name, value in zip(fit.columns, values, strict=True)
        )
        for each in games:
            predictor = values[fit.columns[LEVEL_COLUMN]] - values[fit.columns[each.instance]]
            predictor += sum(values[fit.columns[unit]] for unit in each.team)
            total += (np.log1p(np.exp(predictor)) - each.score * predictor) / fit.dispersion
        return total

    best = scipy.optimize.minimize(cost, np.zeros(len(fit.columns)), method="BFGS", options={"gtol": 1e-6}).x
    assert fit.estimate == pytest.approx(best, abs=2e-3)


def test_a_model_that_only_plays_with_itself_is_identified_as_a_team_only():
    ratings, teams = rate_teams([*cross("xy", 20), *(game("m", "m", number, 1.0) for number in range(20))])
    rated = by_unit(ratings)
    for role in ROLES:
        assert rated[role, "m"].prior_only and not rated[role, "m"].connected
        assert not rated[role, "x"].prior_only and rated[role, "x"].group == rated[role, "y"].group == 1
        assert rated[role, "m"].group == 2
    assert teams[0].seats == {"speaker": "m", "listener": "m"}
    assert all(team.connected for team in teams)  # the sums can be compared: all played the same instances
    assert teams[0].low > 0 > teams[-1].high
    assert rated["speaker", "m"].low < 0 < rated["speaker", "m"].high  # which seat earns it is not known


def test_one_partner_of_others_identifies_both_abilities():
    games = [*cross("xy", 20), *(game("m", "m", number, 1.0) for number in range(20))]
    ratings, _ = rate_teams([*games, game("m", "x", 1, 1.0)])
    assert not any(rating.prior_only or not rating.connected for rating in ratings)


def test_groups_on_other_instances_cannot_be_compared():
    apart = [game(each.team[0].player.upper(), each.team[1].player.upper(), f"other {each.instance}", each.score)
             for each in cross("xy", 12)]  # fmt: skip
    ratings, teams = rate_teams([*cross("xyz", 12), *apart])
    groups = {rating.player: rating.group for rating in ratings}
    assert groups == {"x": 1, "y": 1, "z": 1, "X": 2, "Y": 2}
    assert {"".join(team.seats.values()).islower(): team.group for team in teams} == {True: 1, False: 2}
    assert not any(row.connected for row in (*ratings, *teams))
    assert not any(rating.prior_only for rating in ratings)


def test_who_is_alone_in_a_role_has_no_rating():
    ratings, teams = rate_teams([game(name, "m", number, 1.0) for name in "xy" for number in range(12)])
    rated = by_unit(ratings)
    assert rated["listener", "m"].rating is rated["listener", "m"].low is None
    assert rated["speaker", "x"].rating == pytest.approx(rated["speaker", "y"].rating)
    assert len(teams) == 2


def test_ratings_begin_at_ten_first_exposures():
    games = cross("xy", 10) + [game("z", "x", number, 1.0) for number in range(MIN_GAMES_FOR_RATING - 1)]
    assert {rating.player for rating in rate_teams(games)[0]} == {"x", "y"}
    games.append(game("z", "x", "more", 1.0))
    assert {rating.player for rating in rate_teams(games)[0] if rating.role == "speaker"} == {"x", "y", "z"}
    assert rate_teams(games[: MIN_GAMES_FOR_RATING - 1]) == ([], [])


def test_perfect_scores_have_finite_ratings_and_wide_intervals():
    ratings, teams = rate_teams([game(name, name, number, 1.0) for name in "xy" for number in range(12)])
    for row in (*ratings, *teams):
        assert np.isfinite([row.rating, row.low, row.high]).all() and row.high - row.low > POINTS_PER_LOG_ODDS


GAMES = st.lists(
    st.builds(game, *[st.sampled_from("xyz")] * 2, st.integers(0, 5), st.sampled_from([0.0, 0.25, 0.5, 1.0])),
    min_size=MIN_GAMES_FOR_RATING,
    max_size=40,
)


@given(GAMES, st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_the_order_of_games_changes_nothing(games, rng):
    shuffled = list(games)
    rng.shuffle(shuffled)
    assert rate_teams(shuffled) == rate_teams(games)


@given(GAMES)
@settings(max_examples=25, deadline=None)
def test_names_of_players_and_instances_change_no_number(games):
    names = {"x": "c", "y": "a", "z": "b"}
    renamed = [game(*(names[unit.player] for unit in each.team), f"i{each.instance}", each.score) for each in games]
    ratings, renamed_ratings = by_unit(rate_teams(games)[0]), by_unit(rate_teams(renamed)[0])
    for (role, player), rating in ratings.items():
        other = renamed_ratings[role, names[player]]
        assert (rating.n, rating.prior_only, rating.connected) == (other.n, other.prior_only, other.connected)
        if rating.rating is not None:
            numbers = [rating.rating, rating.low, rating.high]
            assert numbers == pytest.approx([other.rating, other.low, other.high], abs=1e-4)


# ---------------------------------------------------------------------- what counts
def result(number: int, speaker: str = "m", listener: str = "x", **more):
    about = {"game": "reference", "seats": {"speaker": speaker, "listener": listener}, "instance_hash": f"i{number}"}
    return counted(**{**about, "ending": "success", "main_score": 100.0, "episode": f"e{number}", **more})


def test_first_exposures_count_and_the_rest_is_left_out_by_reason():
    results = [
        result(1, created=2, episode="later"),
        result(1, created=1),
        result(2, ending="aborted"),
        result(3, practice=True),
        result(4, seen_before=True),
        result(5, episode="watched"),
        result(6, main_score=None),
        result(7, informed=True),
        result(8, main_score=40.0),
    ]
    scored, left_out = collect_team_games(results, {"watched"})
    assert [(episode.episode, each.score) for episode, each in scored] == [("e8", 0.4), ("e1", 1.0)]
    assert {reason: [episode.episode for episode in episodes] for reason, episodes in left_out.items()} == {
        "aborted": ["e2"],
        "practice": ["e3"],
        "repeated": ["e4", "watched", "later"],
        "unscored": ["e6"],
        "informed": ["e7"],
    }


def test_people_are_rated_together_and_one_by_one_on_request():
    results = [
        result(number, listener="person", participants=(key,), participant_by_seat={"listener": key},
               episode=f"{key} {number}", main_score=100.0 * (key == "p1"))
        for key in ("p1", "p2", "p3") for number in range(10 if key != "p3" else 3)
    ]  # fmt: skip
    results += [result(number, main_score=50.0) for number in range(12)]
    (public,) = make_ability_tables(results, set())
    assert {(rating.player, rating.person) for rating in public.players} == {("m", ""), ("person", ""), ("x", "")}
    assert "p1" not in repr(public)
    (table,) = make_ability_tables(results, set(), person_keys=["p1", "p3"])
    (single,) = [rating for rating in table.players if rating.person]
    (together,) = [rating for rating in table.players if rating.player == "person" and not rating.person]
    assert (single.person, single.n, together.n) == ("p1", 10, 23)
    assert single.low > together.rating
    everybody = make_ability_tables(results, set(), person_keys=None)[0].players
    assert {rating.person for rating in everybody} == {"", "p1", "p2"}
    assert make_ability_tables(results, {"reference"}) == []


def test_people_of_a_study_and_of_the_lobby_are_rated_apart():
    results = [
        result(number, listener="person", study=study, episode=f"{study} {number}")
        for study in ("", "first@1") for number in range(10)
    ]  # fmt: skip
    (table,) = make_ability_tables(results, set())
    assert {(rating.player, rating.study, rating.n) for rating in table.players if rating.role == "listener"} == {
        ("person", "", 10), ("person", "first@1", 10)}  # fmt: skip
    assert {team.study for team in table.teams} == {"", "first@1"}


def test_people_who_are_not_known_make_intervals_no_narrower_than_strangers():
    """Ten games of unknown people are of ten people at most: the interval is that of ten known ones."""
    known, unknown = (
        make_ability_tables(
            [result(number, listener="person", main_score=100.0 * (number % 2),
                    participant_by_seat={"listener": f"p{number}"} if is_known else {}) for number in range(12)]
            + [result(number, episode=f"x{number}") for number in range(12)],
            set(),
        )[0]
        for is_known in (True, False)
    )  # fmt: skip
    for first, second in zip(known.players, unknown.players, strict=True):
        assert (first.player, first.n) == (second.player, second.n)
        if first.rating is not None:
            assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_tables_are_computed_again_where_episodes_changed():
    results = [result(number, name, name, game=game, episode=f"{game} {name} {number}")
               for game in ("reference", "matchit") for name in "mx" for number in range(12)]  # fmt: skip
    cache = AbilityTables()
    before = make_ability_tables(results, set(), cache=cache)
    assert make_ability_tables(list(results), set(), cache=cache)[0] is before[0]
    results[0] = result(0, "m", "m", main_score=0.0)
    matchit, reference = make_ability_tables(results, set(), cache=cache)
    assert matchit is before[0] and reference != before[1]
    assert [matchit, reference] == make_ability_tables(results, set())
    (_, repeated) = make_ability_tables(results, set(), repeated_episode_ids={"reference m 3"}, cache=cache)
    assert repeated.left_out == {"repeated": 1}
