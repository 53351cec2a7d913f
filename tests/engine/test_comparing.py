"""Two players on the same instances: who is paired, exact tests against scipy, agreement by brute force."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, permutation_test

from engine.core.player import Address
from engine.results.comparison import LEFT_OUT_REASONS, agreement, alpha, compare, difference, sign_flips
from engine.storage.episode_result import EpisodeResult
from tests.engine.counted import counted

SCORES = st.sampled_from([0.0, 33.33, 50.0, 85.71, 100.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=12)


def who(address: str):
    wanted = Address.parse(address)
    return lambda seated: wanted.covers(Address.parse(seated))


def result(player: str, instance: str = "1", main: float | None = 100.0, **more) -> EpisodeResult:
    ending = "aborted" if main is None else "success"
    given = {"seats": {"A": player, "B": "scripted"}, "instance": instance, "ending": ending, "main": main}
    return counted(**{**given, **more})


# ------------------------------------------------------------------ who is paired
def test_the_same_instances_are_paired_and_aborted_ones_count_as_nothing_beside():
    some = [
        *(result("person", number, 100.0) for number in "1234"),
        *(result("m?temperature=0", number, main) for number, main in zip("123", (50.0, 100.0, None), strict=True)),
        result("m?temperature=1", "1", 0.0),  # two of the model on one instance: their mean
    ]
    found = compare(some, who("person"), who("m"))
    (row,) = found["rows"]
    assert (row["game"], row["variant"], row["experiment"]) == ("g", "text", "e")
    quality, everything = row["quality"], row["score_all"]
    assert (quality["n"], quality["difference"], quality["first"], quality["second"]) == (2, 37.5, 100, 62.5)
    assert (quality["better"], quality["equal"], quality["worse"]) == (1, 1, 0)
    assert (everything["n"], everything["difference"]) == (3, pytest.approx((75 + 0 + 100) / 3))
    assert found["left_out"]["first"]["unpaired"] == 1
    exact = compare(some, who("person"), who("m?temperature=1"))["rows"][0]["quality"]
    assert (exact["n"], exact["difference"]) == (1, 100)


def test_only_the_same_seat_company_and_settings_make_a_pair():
    mine = result("person")
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
        found = compare([mine, other], who("person"), who("m"))
        assert [row["quality"]["n"] for row in found["rows"]] == [0]
        reason = "unpaired" if other.instance == "2" else "conditions"
        assert found["left_out"]["first"][reason] == found["left_out"]["second"][reason] == 1
    both = [result(player, seats={"A": player, "B": player}) for player in ("person", "m")]
    assert compare(both, who("person"), who("m"))["rows"][0]["quality"]["n"] == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"practice": True}, "practice"),
        ({"stalled": True, "ending": None, "main": None}, "faults"),
        ({"ending": None, "main": None}, "open"),
        ({"ending": "abandoned", "main": None}, "abandoned"),
        ({"mixed": True}, "mixed"),
        ({"informed": True}, "informed"),
        ({"ending": "decided", "main": None, "sides": {"x": 100, "y": 0}}, "sides"),
        ({"episode": "seen live"}, "watched"),
        ({"episode": "seen before"}, "repeated"),
    ],
)
def test_what_is_in_no_pair_is_counted_by_reason(change, reason):
    some = [replace(result("person"), **change), result("m")]
    found = compare(some, who("person"), who("m"), watched={"seen live"}, repeated={"seen before"})
    assert {name: n for name, n in found["left_out"]["first"].items() if n} == {reason: 1}
    assert all(row["quality"]["n"] == 0 for row in found["rows"])


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
def test_comparing_the_other_way_round_or_in_another_order_says_the_same(some, rng):
    there, back = compare(some, who("person"), who("m")), compare(some, who("m"), who("person"))
    assert there["left_out"]["first"] == back["left_out"]["second"]
    assert set(there["left_out"]["first"]) == set(LEFT_OUT_REASONS)
    for one, other in zip(there["rows"], back["rows"], strict=True):
        for name in ("quality", "score_all"):
            assert one[name]["n"] == other[name]["n"]
            if one[name]["n"]:
                assert one[name]["difference"] == pytest.approx(-other[name]["difference"])
                assert one[name]["p"] == pytest.approx(other[name]["p"])
                assert (one[name]["better"], one[name]["worse"]) == (other[name]["worse"], other[name]["better"])
    shuffled = some.copy()
    rng.shuffle(shuffled)
    assert compare(shuffled, who("person"), who("m")) == there


# ------------------------------------------------------------------ numbers
@given(PAIRS)
@settings(max_examples=30, deadline=None)
def test_a_difference_lies_in_its_interval_and_the_test_is_exact(pairs):
    found = difference(pairs)
    assert -100 <= found.low <= found.difference <= found.high <= 100
    assert found.better + found.equal + found.worse == found.n == len(pairs)
    apart = np.array([one - two for one, two in pairs])
    if len(pairs) > 1:
        judged = permutation_test((apart,), np.mean, permutation_type="samples", n_resamples=5000)
        assert sign_flips(list(apart)) == pytest.approx(judged.pvalue, abs=1e-9)


@given(st.lists(st.sampled_from([-100.0, 0.0, 100.0]), min_size=1, max_size=400))
@settings(max_examples=30, deadline=None)
def test_with_right_and_wrong_alone_the_test_is_mcnemars(apart):
    better, differing = apart.count(100.0), len(apart) - apart.count(0.0)
    judged = binomtest(better, differing).pvalue if differing else 1.0
    assert sign_flips(apart) == pytest.approx(judged, rel=1e-6)


def test_many_pairs_of_any_scores_are_tested_in_coarser_steps():
    rng = np.random.default_rng(1)
    apart = list(rng.uniform(-100, 100, 1500) + 4)
    spread = np.sqrt(np.sum(np.square(apart)))
    assert sign_flips(apart) == pytest.approx(2 * norm.sf(abs(sum(apart)) / spread), rel=0.05)


def test_pairs_that_all_differ_alike_are_not_certain():
    ten = difference([(100.0, 100.0)] * 10)
    assert (ten.difference, ten.p) == (0, 1)
    assert (ten.low, ten.high) == (pytest.approx(-27.75, abs=0.01), pytest.approx(27.75, abs=0.01))
    all_better = difference([(100.0, 0.0)] * 10)
    assert all_better.high == 100 and all_better.low == pytest.approx(100 - 2 * 27.75, abs=0.02)
    assert all_better.p == pytest.approx(2 / 2**10)
    assert difference([]).n == 0 and difference([]).difference is None


# ------------------------------------------------------------------ agreement
@given(st.lists(st.lists(SCORES, min_size=2, max_size=4), min_size=1, max_size=6))
@settings(deadline=None)
def test_alpha_is_krippendorffs_by_its_definition(repeated):
    values = [score for scores in repeated for score in scores]
    n = len(values)
    observed = sum((a - b) ** 2 / (len(scores) - 1) for scores in repeated for a, b in product(scores, scores)) / n
    expected = sum((a - b) ** 2 for a, b in product(values, values)) / (n * (n - 1))
    found = alpha(repeated)
    if expected < 1e-9:
        assert found is None
    else:
        assert found == pytest.approx(1 - observed / expected, abs=1e-9)


def test_agreement_is_over_repeated_instances_only():
    people = [result("person", number, main) for number, main in (("1", 100.0), ("1", 100.0), ("2", 0.0), ("2", 100.0))]
    found = compare([*people, result("person", "3")], who("person"), who("m"))["rows"][0]["agreement"]
    assert (found["first"]["instances"], found["first"]["episodes"]) == (2, 4)
    assert (found["first"]["same"], found["first"]["apart"]) == (0.5, 50)
    assert found["second"] == {"instances": 0, "episodes": 0, "same": None, "apart": None, "alpha": None}
    assert agreement([[100.0, 100.0], [0.0, 0.0]])["alpha"] == 1
