"""Scores from events, intervals, result rows and clemscores, compared with hand-made values, the paper, and scipy."""

import math
import random

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Aborted, Decided, Ending, Event, Json, Kind, Lose, Outcome, Success
from engine.core.game import Game
from engine.core.language import WORD_PATTERN, list_words
from engine.core.log import Log
from engine.core.scores import compute_common_scores, score_episode
from engine.results.clemscore import (
    Clemscore,
    GameMeans,
    compute_clemscore,
    compute_clemscores,
    describe_seating,
    split_variant,
)
from engine.results.statistics import (
    Estimate,
    average_estimates,
    bootstrap_interval,
    compute_wilson_interval,
    estimate_difference,
)
from engine.results.table import make_result_rows
from engine.storage.episode_result import EpisodeResult
from tests.engine.counted import counted


@given(st.text(st.sampled_from("aß İ²٣_.,-'\u0301\u2029\t\n") | st.characters()))
def test_words_of_plain_texts_are_those_that_the_pattern_has(text):
    assert list_words(text) == WORD_PATTERN.findall(text.casefold())


def event(kind: Kind, seat: str | None = "A", /, **data) -> Event:
    return Event(kind, seat, data)


def log(*replies: str, end: Outcome | None) -> list[Event]:
    """Return a log with these replies: "ok", "bad" (then a reminder) or "late"."""
    events = [event(Kind.START, None)]
    for reply in replies:
        events.append(event(Kind.REPLY, ask=1, text=reply, **({"discarded": True} if reply == "late" else {})))
        if reply != "late":
            events.append(event(Kind.PARSED if reply == "ok" else Kind.VIOLATION, ask=1))
    return events + ([event(Kind.OUTCOME, None, **end.as_json())] if end else [])


class ScoredGame(Game):
    """A game that scores every episode alike, or with `None` must not be asked."""

    def __init__(self, scores: Json | None) -> None:
        self.scores = scores

    def score(self, log: Log) -> Json:
        assert self.scores is not None
        return self.scores


def score(events: list[Event], scores: Json | None) -> Json:
    return score_episode(Log(events), ScoredGame(scores))


def test_the_scores_every_game_has():
    won = compute_common_scores(log("ok", "bad", "ok", "late", end=Success()))
    assert (won["played"], won["success"], won["lose"]) == (1, 1, 0)
    assert (won["requests"], won["parsed_requests"], won["violated_requests"]) == (3, 2, 1)
    assert won["request_success_ratio"] == 2 / 3
    lost, aborted = (
        compute_common_scores(log("ok", end=Lose())),
        compute_common_scores(log("ok", "bad", end=Aborted("format", "A"))),
    )
    assert (lost["played"], lost["success"], lost["lose"]) == (1, 0, 1)
    assert (aborted["played"], aborted["success"], aborted["lose"]) == (0, 0, 0)


def test_what_comes_after_the_outcome_does_not_hide_it():
    late = [*log("ok", end=Success()), event(Kind.REPLY, ask=2, text="x", discarded=True)]
    assert compute_common_scores(late)["played"] == 1 and compute_common_scores(late)["requests"] == 1


@pytest.mark.parametrize("end", [None, Outcome(Ending.ABANDONED, "left", "A")])
def test_abandoned_and_unfinished_episodes_have_no_scores(end):
    scores = compute_common_scores(log("ok", end=end))
    assert [scores[name] for name in ("played", "success", "lose", "main_score")] == [None] * 4
    assert scores["requests"] == 1
    assert compute_common_scores(log(end=None))["request_success_ratio"] is None


def test_each_side_has_a_score():
    scores = compute_common_scores(log("ok", end=Decided("spy", {"spy": ["A"], "villagers": ["B", "C"]})))
    assert scores["side_scores"] == {"spy": 100, "villagers": 0}
    assert (scores["played"], scores["success"], scores["lose"], scores["main_score"]) == (1, None, None, None)
    aborted = compute_common_scores(log("bad", end=Aborted("format")), is_adversarial=True)
    assert (aborted["played"], aborted["success"], aborted["side_scores"]) == (0, None, None)


@pytest.mark.parametrize("value", [-1, 100.1, math.nan, math.inf, "100", None])
def test_a_main_score_is_from_0_to_100(value):
    with pytest.raises(ValueError, match="main_score"):
        score(log(end=Success()), {"main_score": value})


def test_an_aborted_or_adversarial_episode_has_no_main_score():
    with pytest.raises(ValueError, match="no main_score"):
        score(log(end=Aborted("format")), {"main_score": 0})
    with pytest.raises(ValueError, match="no main_score"):
        score(log(end=Decided("a", {"a": ["A"], "b": ["B"]})), {"main_score": 100})
    assert score(log(end=Aborted("format")), {"main_score": None})["main_score"] is None
    assert score(log(end=Success()), {"main_score": 50, "words": 3})["words"] == 3


def test_a_game_scores_only_episodes_with_an_outcome():
    assert score(log("ok", end=None), None)["main_score"] is None


# ------------------------------------------------------------------ intervals
@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_share_is_wilsons(hits):
    k, n = hits
    expected = scipy.stats.binomtest(k, n).proportion_ci(method="wilson")
    assert compute_wilson_interval(k / n, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


scores = st.lists(st.floats(0, 100, allow_nan=False), min_size=1, max_size=4)


@given(st.lists(scores, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_an_interval_of_scores_contains_the_mean_and_does_not_depend_on_the_order(by_instance, rng):
    low, high = bootstrap_interval(by_instance)
    values = [score for instance in by_instance for score in instance]
    assert -1e-9 <= low <= high <= 100 + 1e-9
    quality = make_result_rows(episodes(by_instance))[0].quality
    assert quality.value == pytest.approx(sum(values) / len(values))
    assert quality.low <= quality.value <= quality.high
    shuffled = by_instance.copy()
    rng.shuffle(shuffled)
    assert bootstrap_interval(shuffled) == (low, high)


def test_the_bootstrap_resamples_instances_not_episodes():
    few_instances = bootstrap_interval([[100.0] * 10, [0.0] * 10] * 2)
    many_instances = bootstrap_interval([[score] for score in [100.0, 0.0] * 20])
    assert few_instances[1] - few_instances[0] > 2 * (many_instances[1] - many_instances[0])
    rng = random.Random(1)
    values = [rng.uniform(0, 100) for _ in range(100)]
    low, high = bootstrap_interval([[value] for value in values])
    spread = 1.96 * (sum((v - sum(values) / 100) ** 2 for v in values) / 100) ** 0.5 / 10
    assert (high - low) / 2 == pytest.approx(spread, rel=0.1)


def test_ten_out_of_ten_is_not_certain():
    assert bootstrap_interval([[100.0]] * 10) == pytest.approx((72.25, 100), abs=0.01)
    assert bootstrap_interval([[0.0]]) == pytest.approx((0, 79.35), abs=0.01)


# ------------------------------------------------------------------ rows
def episodes(by_instance, **more) -> list[EpisodeResult]:
    return [
        result(main=score, instance_hash=str(n), **more) for n, scores in enumerate(by_instance) for score in scores
    ]


def result(main: float | None = 100.0, **more) -> EpisodeResult:
    return counted(**{"ending": "success" if main is not None else "aborted", "main_score": main, **more})


def test_a_row_counts_everything_once_and_averages_only_episodes():
    (row,) = make_result_rows(
        [
            result(100.0, instance_hash="1"),
            result(50.0, instance_hash="2"),
            result(None, instance_hash="3"),
            result(0.0, mixed=True),
            result(0.0, practice=True),
            result(0.0, informed=True),
            result(None, ending="abandoned"),
            result(None, ending=None, is_stalled=True),
            result(None, ending=None),
        ]
    )
    assert row.n == 3
    assert row.played.value == pytest.approx(200 / 3)
    assert row.quality.value == 75
    assert row.score_all.value == 50
    reasons = ("faults", "open", "abandoned", "mixed", "practice", "informed")
    assert [row.excluded_count_by_reason[reason] for reason in reasons] == [1] * 6
    assert row.side is None


def test_informed_people_are_counted_when_asked_for():
    results = [result(100.0), result(0.0, informed=True), result(0.0, informed=True, practice=True)]
    (row,) = make_result_rows(results)
    assert (row.quality.value, row.excluded_count_by_reason["informed"]) == (100, 1)
    (row,) = make_result_rows(results, include_informed_players=True)
    assert (
        row.quality.value,
        row.n,
        row.excluded_count_by_reason["informed"],
        row.excluded_count_by_reason["practice"],
    ) == (50, 2, 0, 1)


def test_nothing_to_average_is_none_not_zero():
    (row,) = make_result_rows([result(None, ending=None, is_stalled=True)])
    assert row.n == 0
    assert row.played == row.quality == row.score_all == Estimate(None, None, None)
    (row,) = make_result_rows([result(None)])
    assert (row.played.value, row.quality.value, row.score_all.value) == (0, None, 0)


def test_different_seatings_settings_and_versions_are_never_mixed():
    others = [{"settings": {"questions": 5}}, {"reprompt": 1}, {"game_version": 2}, {"prompts": "other 1"}]
    others += [{"seats": {"A": "y", "B": "x"}}, {"variant": "picture"}, {"experiment": "f"}, {"game": "h"}]
    rows = make_result_rows([result(**more) for more in [{}, {}, {}, *others]])
    assert [row.n for row in rows].count(3) == 1
    assert len(rows) == 9


def test_an_adversarial_game_has_one_row_per_side():
    def win(winner: str) -> EpisodeResult:
        sides = {side: 100.0 if side == winner else 0.0 for side in ("spy", "villagers")}
        return result(None, ending="decided", side_scores=sides, instance_hash=winner)

    aborted = result(None, instance_hash="x")
    rows = make_result_rows([win("spy"), win("spy"), win("villagers"), aborted], sides={"g": ("spy", "villagers")})
    assert [(row.side, row.n, row.played.value) for row in rows] == [("spy", 4, 75), ("villagers", 4, 75)]
    assert [row.quality.value for row in rows] == pytest.approx([200 / 3, 100 / 3])
    assert [row.score_all.value for row in rows] == [50, 25]
    assert len(make_result_rows([aborted], sides={"g": ("spy", "villagers")})) == 2


endings = st.sampled_from(["success", "lose", "aborted", "abandoned", None])


@st.composite
def any_result(draw) -> EpisodeResult:
    ending = draw(endings)
    main = draw(st.floats(0, 100)) if ending in ("success", "lose") else None
    flags = {name: draw(st.booleans()) for name in ("mixed", "practice", "informed")}
    return result(
        main,
        ending=ending,
        is_stalled=ending is None and draw(st.booleans()),
        experiment=draw(st.sampled_from("ef")),
        instance_hash=draw(st.sampled_from("123")),
        **flags,
    )


@given(st.lists(any_result(), max_size=30), st.randoms(use_true_random=False))
def test_every_episode_is_counted_once_in_one_row_in_any_order(results, rng):
    rows = make_result_rows(results)
    assert sum(row.n + sum(row.excluded_count_by_reason.values()) for row in rows) == len(results)
    for row in rows:
        for estimate in (row.played, row.quality, row.score_all):
            if estimate.value is not None:
                assert -1e-9 <= estimate.low <= estimate.value <= estimate.high <= 100 + 1e-9
        if row.quality.value is not None:
            assert row.score_all.value == pytest.approx(row.quality.value * row.played.value / 100, abs=1e-6)
    shuffled = results.copy()
    rng.shuffle(shuffled)
    assert [row.as_json() for row in make_result_rows(shuffled)] == [row.as_json() for row in rows]


# ------------------------------------------------------------------ clemscore
def test_unplayed_games_count_in_played_and_drop_out_of_quality():
    """InternLM-XC in Table 1, which played no map game."""
    maps = [GameMeans(f"mapworld/{task}", 0, None) for task in ("ee", "ee-gr", "g2x")]
    total = compute_clemscore([GameMeans("matchit", 100, 77.97), GameMeans("reference", 100, 90), *maps])
    assert total.quality == pytest.approx(83.98, abs=0.01)
    assert total.played == 40
    assert total.unplayed == ["mapworld/ee", "mapworld/ee-gr", "mapworld/g2x"]
    assert compute_clemscore([GameMeans("g", 0, None)]) == Clemscore(0, None, 0, ["g"])


def test_a_variant_counts_for_its_game_task_and_modality():
    assert split_variant("matchit", "text") == ("matchit", "text")
    assert split_variant("mapworld", "ee-gr-picture") == ("mapworld/ee-gr", "picture")
    assert split_variant("imagegame", "native") == ("imagegame", "text")


def test_a_clemscore_averages_over_all_episodes_of_a_game_then_over_games():
    both = {"A": "m", "B": "m"}
    results = [
        *(result(100.0, game="matchit", experiment="e", seats=both) for _ in range(9)),
        result(0.0, game="matchit", experiment="f", seats=both),  # one of ten, not half
        result(None, game="mapworld", variant="ee-text", seats={"walker": "m"}),
        result(40.0, game="mapworld", variant="ee-text", seats={"walker": "m"}),
        result(None, game="mapworld", variant="g2x-text", seats={"walker": "m"}),
        result(10.0, game="matchit", variant="picture", seats=both),
        result(None, ending="abandoned", game="matchit", seats=both),
        result(None, game="spyfall", ending="decided", side_scores={"spy": 100.0, "rest": 0.0}, seats=both),
        result(0.0, game="askguess", seats=both),
    ]
    picture, text = compute_clemscores(results, omitted_games={"askguess"})
    assert (text.players, text.modality, picture.modality) == ("m", "text", "picture")
    assert text.episode_counts == {"mapworld/ee": 2, "mapworld/g2x": 1, "matchit": 10}
    assert text.total.played == pytest.approx((100 + 50 + 0) / 3)
    assert text.total.quality == pytest.approx((90 + 40) / 2)
    assert text.total.clemscore == pytest.approx(50 * 65 / 100)
    assert text.total.unplayed == ["mapworld/g2x"]
    assert text.mixed_settings == []


def test_other_settings_in_one_clemscore_are_named():
    strict, lenient = compute_clemscores([result(), result(settings={"questions": 5}), result(reprompt=1)])
    assert (strict.mixed_settings, strict.reprompt, lenient.reprompt) == (["g"], 0, 1)


def test_a_seating_label_names_equal_players_once():
    assert describe_seating({"A": "m", "B": "m"}) == "m"
    assert describe_seating({"A": "m", "B": "n"}) == "m + n"


def test_means_and_differences_of_estimates_have_an_interval_only_if_all_have_one():
    with_interval, without = Estimate(50.0, 40.0, 70.0), Estimate(100.0)
    assert average_estimates([with_interval, without, Estimate()]) == Estimate(75.0)
    assert average_estimates([with_interval, Estimate()]) == with_interval
    assert estimate_difference(with_interval, without) == Estimate(-50.0)
    assert estimate_difference(with_interval, with_interval).low == -math.hypot(10, 20)
    assert average_estimates([]) == estimate_difference(without, Estimate()) == Estimate()
