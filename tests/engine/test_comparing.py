"""Two players on the same instances: pairing, exact tests compared with scipy, agreement by brute force."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.player import Address
from engine.results.agreement import krippendorff_alpha
from engine.results.comparison import (
    LEFT_OUT_REASONS,
    RepeatAgreement,
    compare_players,
    compute_difference,
    compute_p_value,
    measure_repeat_agreement,
)
from engine.results.two_way import Clusters
from engine.storage.episode_result import EpisodeResult
from tests.engine.counted import counted

SCORES = st.sampled_from([0.0, 33.33, 50.0, 85.71, 100.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=12)


def matcher(name: str):
    address = Address.parse(name)
    return lambda player: address.covers_address(Address.parse(player))


def result(player: str, instance: str = "1", main: float | None = 100.0, **more) -> EpisodeResult:
    ending = "aborted" if main is None else "success"
    fields = {"seats": {"A": player, "B": "scripted"}, "instance_hash": instance, "ending": ending, "main_score": main}
    return counted(**{**fields, **more})


# ------------------------------------------------------------------ who is paired
def test_the_same_instances_are_paired_and_aborted_ones_count_as_0_in_score_all():
    results = [
        *(result("person", number, 100.0) for number in "1234"),
        *(result("m?temperature=0", number, main) for number, main in zip("123", (50.0, 100.0, None), strict=True)),
        result("m?temperature=1", "1", 0.0),  # two of the model on one instance: their mean
    ]
    comparison = compare_players(results, matcher("person"), matcher("m"))
    (row,) = comparison.rows
    assert (row.game, row.variant, row.experiment) == ("g", "text", "e")
    quality, score_all = row.quality, row.score_all
    assert (quality.n, quality.difference, quality.first, quality.second) == (2, 37.5, 100, 62.5)
    assert (quality.better, quality.equal, quality.worse) == (1, 1, 0)
    assert (score_all.n, score_all.difference) == (3, pytest.approx((75 + 0 + 100) / 3))
    assert comparison.left_out["first"]["unpaired"] == 1
    exact = compare_players(results, matcher("person"), matcher("m?temperature=1")).rows[0].quality
    assert (exact.n, exact.difference) == (1, 100)


def test_only_the_same_seats_other_players_and_settings_make_a_pair():
    of_person = result("person")
    for other in (
        result("m", seats={"A": "scripted", "B": "m"}),
        result("m", seats={"A": "m", "B": "m"}),
        result("m", seats={"A": "m", "B": "random"}),
        result("m", settings={"questions": 1}),
        result("m", reprompt=1),
        result("m", game_version=2),
        result("m", prompts="theirs 1"),
        result("m", "2"),
    ):
        comparison = compare_players([of_person, other], matcher("person"), matcher("m"))
        assert [row.quality.n for row in comparison.rows] == [0]
        reason = "unpaired" if other.instance_hash == "2" else "conditions"
        assert comparison.left_out["first"][reason] == comparison.left_out["second"][reason] == 1
    both = [result(player, seats={"A": player, "B": player}) for player in ("person", "m")]
    assert compare_players(both, matcher("person"), matcher("m")).rows[0].quality.n == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"practice": True}, "practice"),
        ({"is_stalled": True, "ending": None, "main_score": None}, "faults"),
        ({"ending": None, "main_score": None}, "open"),
        ({"ending": "abandoned", "main_score": None}, "abandoned"),
        ({"mixed": True}, "mixed"),
        ({"informed": True}, "informed"),
        ({"ending": "decided", "main_score": None, "side_scores": {"x": 100, "y": 0}}, "sides"),
        ({"episode": "seen live"}, "watched"),
        ({"episode": "seen before"}, "repeated"),
    ],
)
def test_episodes_in_no_pair_are_counted_by_reason(change, reason):
    results = [replace(result("person"), **change), result("m")]
    comparison = compare_players(
        results, matcher("person"), matcher("m"), watched_episodes={"seen live"}, repeated_episode_ids={"seen before"}
    )
    assert {name: n for name, n in comparison.left_out["first"].items() if n} == {reason: 1}
    assert all(row.quality.n == 0 for row in comparison.rows)


@given(
    st.lists(
        st.builds(
            lambda player, instance, main, experiment, mixed: result(
                player, instance, main, experiment=experiment, mixed=mixed
            ),
            st.sampled_from(["person", "m"]),
            st.sampled_from("123"),
            st.one_of(st.none(), SCORES),
            st.sampled_from("ef"),
            st.booleans(),
        ),
        max_size=20,
    ),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_a_comparison_does_not_depend_on_the_order_of_players_or_episodes(results, rng):
    comparison = compare_players(results, matcher("person"), matcher("m"))
    reverse = compare_players(results, matcher("m"), matcher("person"))
    assert comparison.left_out["first"] == reverse.left_out["second"]
    assert set(comparison.left_out["first"]) == set(LEFT_OUT_REASONS)
    for row, reverse_row in zip(comparison.rows, reverse.rows, strict=True):
        for there, back in ((row.quality, reverse_row.quality), (row.score_all, reverse_row.score_all)):
            assert there.n == back.n
            if there.n:
                assert there.difference == pytest.approx(-back.difference)
                assert there.p is back.p is None  # a person is a side
                assert (there.better, there.worse) == (back.worse, back.better)
    shuffled = results.copy()
    rng.shuffle(shuffled)
    assert compare_players(shuffled, matcher("person"), matcher("m")) == comparison


# ------------------------------------------------------------------ people
def games_of_people(number: int = 20, *, seat: str = "A", scores=(100.0, 50.0, 100.0, 0.0), prefix: str = "p"):
    """Each person plays four of ten instances."""
    other = {"A": "B", "B": "A"}[seat]
    return [
        result("person", str((person + 3 * at) % 10), score, seats={seat: "person", other: "scripted"})
        for person in range(number)
        for at, score in enumerate(scores)
    ], [(f"{prefix}{person}",) for person in range(number) for _ in scores]


def with_participants(games, keys):
    return [replace(game, participants=key) for game, key in zip(games, keys, strict=True)]


def test_people_are_compared_with_a_model_by_the_two_way_interval_without_a_p_value():
    people = with_participants(*games_of_people())
    model = [result("m", str(number), 40.0 + 5 * number) for number in range(10)]
    quality = compare_players([*people, *model], matcher("person"), matcher("m")).rows[0].quality
    assert (quality.n, quality.people, quality.games, quality.p) == (10, 20, 80, None)
    mean_of = {str(number): 40.0 + 5 * number for number in range(10)}
    expected = Clusters.with_equal_weights(
        [game.main_score - mean_of[game.instance_hash] for game in people],
        [game.participants for game in people],
        [game.instance_hash for game in people],
    ).mean(-100, 100)
    assert quality.difference == pytest.approx(quality.first - quality.second)
    assert (quality.difference, quality.low, quality.high) == pytest.approx(
        (expected.estimate.value, expected.estimate.low, expected.estimate.high)
    )
    back = compare_players([*people, *model], matcher("m"), matcher("person")).rows[0].quality
    assert (back.low, back.high) == pytest.approx((-quality.high, -quality.low))
    assert (quality.as_json()["people"], quality.as_json()["games"]) == (20, 80)
    assert "people" not in compute_difference([(1.0, 2.0)]).as_json()


def test_ten_games_of_one_person_are_not_ten_people():
    games, keys = games_of_people()
    model = [result("m", str(number), 40.0 + 5 * number) for number in range(10)]
    for people in (with_participants(games, [("one",)] * len(keys)), games):  # the second: nobody is known
        quality = compare_players([*people, *model], matcher("person"), matcher("m")).rows[0].quality
        assert quality.difference is not None and quality.low is None and quality.high is None
        assert quality.people == (1 if people is not games else 0)


def test_models_are_compared_with_people_as_partners_on_both_sides():
    def partnered(model: str, prefix: str, main: float):
        games, keys = games_of_people(prefix=prefix, seat="B")
        seats = {"A": model, "B": "person"}
        moved = [replace(game, condition=replace(game.condition, seats=seats)) for game in games]
        shifted = [replace(game, main_score=max(0.0, (game.main_score or 0.0) - main)) for game in moved]
        return with_participants(shifted, keys)

    results = [*partnered("m", "p", 0.0), *partnered("o", "q", 30.0)]
    quality = compare_players(results, matcher("m"), matcher("o")).rows[0].quality
    assert (quality.people, quality.games, quality.p) == (40, 160, None)
    assert quality.low < quality.difference < quality.high
    same = [replace(game, participants=tuple(key.replace("q", "p") for key in game.participants)) for game in results]
    assert compare_players(same, matcher("m"), matcher("o")).rows[0].quality.people == 20


# ------------------------------------------------------------------ numbers
@given(PAIRS)
@settings(max_examples=30, deadline=None)
def test_a_difference_lies_in_its_interval_and_the_test_is_exact(pairs):
    estimate = compute_difference(pairs)
    assert -100 <= estimate.low <= estimate.difference <= estimate.high <= 100
    assert estimate.better + estimate.equal + estimate.worse == estimate.n == len(pairs)
    differences = np.array([first - second for first, second in pairs])
    if len(pairs) > 1:
        expected = scipy.stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=5000)
        assert compute_p_value(list(differences)) == pytest.approx(expected.pvalue, abs=1e-9)


@given(st.lists(st.sampled_from([-100.0, 0.0, 100.0]), min_size=1, max_size=400))
@settings(max_examples=30, deadline=None)
def test_with_scores_of_0_and_100_the_test_is_mcnemars(differences):
    better, unequal = differences.count(100.0), len(differences) - differences.count(0.0)
    expected = scipy.stats.binomtest(better, unequal).pvalue if unequal else 1.0
    assert compute_p_value(differences) == pytest.approx(expected, rel=1e-6)


def test_many_pairs_of_any_scores_are_tested_in_coarser_steps():
    rng = np.random.default_rng(1)
    differences = list(rng.uniform(-100, 100, 1500) + 4)
    spread = np.sqrt(np.sum(np.square(differences)))
    assert compute_p_value(differences) == pytest.approx(
        2 * scipy.stats.norm.sf(abs(sum(differences)) / spread), rel=0.05
    )


@pytest.mark.parametrize("n", [10, 300])
def test_the_interval_of_a_difference_is_scipys_bootstrap(n):
    differences = np.sort(np.random.default_rng(1).choice([-100.0, -40.0, 0.0, 60.0, 100.0], n))
    options = {"n_resamples": 9999, "batch": 500, "method": "percentile", "rng": np.random.default_rng(0)}
    expected = scipy.stats.bootstrap((differences,), np.mean, **options).confidence_interval
    estimate = compute_difference([(100.0, 100.0 - value) for value in differences])
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_pairs_with_equal_differences_are_not_certain():
    ten = compute_difference([(100.0, 100.0)] * 10)
    assert (ten.difference, ten.p) == (0, 1)
    assert (ten.low, ten.high) == (pytest.approx(-27.75, abs=0.01), pytest.approx(27.75, abs=0.01))
    all_better = compute_difference([(100.0, 0.0)] * 10)
    assert all_better.high == 100 and all_better.low == pytest.approx(100 - 2 * 27.75, abs=0.02)
    assert all_better.p == pytest.approx(2 / 2**10)
    assert compute_difference([]).n == 0 and compute_difference([]).difference is None


# ------------------------------------------------------------------ agreement
@given(st.lists(st.lists(SCORES, min_size=2, max_size=4), min_size=1, max_size=6))
@settings(deadline=None)
def test_alpha_is_krippendorffs_by_its_definition(repeated):
    values = [score for scores in repeated for score in scores]
    n = len(values)
    observed = sum((a - b) ** 2 / (len(scores) - 1) for scores in repeated for a, b in product(scores, scores)) / n
    expected = sum((a - b) ** 2 for a, b in product(values, values)) / (n * (n - 1))
    coefficient = krippendorff_alpha(repeated)
    if expected < 1e-9:
        assert coefficient is None
    else:
        assert coefficient == pytest.approx(1 - observed / expected, abs=1e-9)


def test_agreement_is_over_repeated_instances_only():
    people = [result("person", number, main) for number, main in (("1", 100.0), ("1", 100.0), ("2", 0.0), ("2", 100.0))]
    (row,) = compare_players([*people, result("person", "3")], matcher("person"), matcher("m")).rows
    first = row.agreement["first"]
    assert (first.instances, first.episodes, first.same, first.apart) == (2, 4, 0.5, 50)
    assert row.agreement["second"] == RepeatAgreement(0, 0, None, None, None)
    assert measure_repeat_agreement([[100.0, 100.0], [0.0, 0.0]]).alpha == 1
