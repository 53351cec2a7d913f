"""The rows behind figures compared with result rows and clemscores, and the drawing of figures."""

import csv
import io
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engine.play.registry import Registry
from engine.results.clemscore import compute_clemscores
from engine.results.figures import (
    FIGURE_BY_NAME,
    FIGURE_COLUMNS,
    NoEpisodesForFigure,
    UnknownFigure,
    format_figure_csv,
    make_figure_rows,
)
from engine.results.plots import FIGURE_WIDTH, draw_figure, shorten_names, spread_positions
from engine.results.table import make_result_rows
from tests.engine.counted import counted

REGISTRY = Registry(Path(__file__).resolve().parents[2])
DISTANCES = ("on", "close", "far")
PLAYERS = ("lab/a", "lab/b", "person", "random")


def episodes(player: str, variant: str, experiment: str, *scores: float | None, game: str = "matchit", **more) -> list:
    """Return episodes of one condition, one per instance; the score None is an aborted episode."""
    seats = {"walker": player} if game == "mapworld" else {"A": player, "B": player}
    condition = {"game": game, "variant": variant, "experiment": experiment, "seats": seats}
    endings = {None: "aborted", 100.0: "success"}
    return [
        counted(
            **{
                **condition,
                "instance_hash": f"{variant}{n}",
                "ending": endings.get(score, "lose"),
                "main_score": score,
                **more,
            }
        )
        for n, score in enumerate(scores)
    ]


def varied_episodes() -> list:
    """Return episodes of four players and three games in both modalities, some aborted or stalled."""
    results = []
    for number, player in enumerate(PLAYERS):
        for variant in ("text", "picture"):
            score = 100.0 if number < 2 else 0.0
            prefix = "" if variant == "text" else "photos-"
            results += episodes(player, variant, f"{prefix}same", 100.0, score, None)
            results += episodes(player, variant, f"{prefix}different", score, 0.0)
            results += episodes(player, variant, "rows", score, 100.0, game="reference")
            for experiment in reversed(DISTANCES):
                results += episodes(player, f"g2x-{variant}", experiment, score, 0.0, game="mapworld")
    return [*results, *episodes("lab/a", "text", "same", None, is_stalled=True)]


def test_difficulty_has_the_result_rows_in_the_order_of_the_experiments():
    rows = make_figure_rows("difficulty", varied_episodes(), REGISTRY)
    expected = {row.condition.id: row.as_json() for row in make_result_rows(varied_episodes())}
    assert {row.result_row.condition.id: row.result_row.as_json() for row in rows} == expected
    conditions = [row.result_row.condition for row in rows if row.result_row.condition.game == "mapworld"]
    order = dict.fromkeys((condition.variant, condition.experiment) for condition in conditions)
    assert list(order) == [(f"g2x-{modality}", distance) for modality in ("text", "picture") for distance in DISTANCES]
    assert {row.player: row.kind for row in rows} == dict(
        zip(PLAYERS, ("model", "model", "person", "program"), strict=True)
    )


def test_rows_of_different_settings_are_named_and_never_averaged():
    defaults = REGISTRY.game("matchit").settings().model_dump(mode="json")
    results = episodes("random", "text", "same", 100.0, settings=defaults)
    results += episodes("random", "text", "same", 0.0, settings=defaults | {"questions": 4})
    rows = make_figure_rows("heatmap", results, REGISTRY)
    assert [(row.player, row.result_row.quality.value) for row in rows] == [
        ("random", 100.0),
        ("random (questions=4)", 0.0),
    ]
    (row,) = make_figure_rows("leaderboard", results, REGISTRY)
    assert row.mixed_settings == ["matchit"]
    assert "different settings" in draw_figure("leaderboard", [row]).decode()


def test_modality_is_text_minus_picture_with_aborted_episodes_as_0():
    results = [
        *episodes("lab/a", "text", "same", *[100.0] * 30),
        *episodes("lab/a", "picture", "photos-same", 100.0, None),
    ]
    results += episodes("lab/b", "text", "same", 100.0)  # only in text
    (row,) = make_figure_rows("modality", results, REGISTRY)
    assert (row.player, row.text_row.score_all.value, row.picture_row.score_all.value) == ("lab/a", 100, 50)
    assert (row.text_row.n, row.picture_row.n) == (30, 2)
    assert row.difference.value == 50
    # the intervals are 0 to 100 in pictures and 88 to 100 in text
    assert -10 < row.difference.low < 0 and row.difference.high == 100


def test_distance_counts_success_among_all_episodes_and_pools_the_models():
    rows = make_figure_rows("distance", varied_episodes(), REGISTRY)
    assert [row.player for row in rows[:6]] == ["all models"] * 6
    assert [(row.modality, row.distance) for row in rows[:3]] == [("text", "0"), ("text", "1–2"), ("text", "3–4")]
    first = rows[0].result_row
    assert (first.n, first.score_all.value, first.played.value) == (4, 50, 100)
    (row,) = make_figure_rows("distance", episodes("person", "g2x-text", "on", 100.0, None, game="mapworld"), REGISTRY)
    assert (row.player, row.result_row.played.value, row.result_row.score_all.value) == ("person", 50, 50)


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["matchit", "reference", "imagegame"]),
            st.sampled_from(["lab/a", "lab/b"]),
            st.none() | st.sampled_from([0.0, 40.0, 100.0]),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_a_leaderboard_has_the_clemscores_of_the_results(played):
    results = [one for game, player, score in played for one in episodes(player, "text", "e", score, game=game)]
    rows = {row.player: row for row in make_figure_rows("leaderboard", results, REGISTRY)}
    for expected in compute_clemscores(results):
        row = rows[expected.players]
        assert row.clemscore == pytest.approx(expected.total.clemscore)
        assert row.played.low <= row.played.value + 1e-9 and row.played.value <= row.played.high + 1e-9
        assert sorted(row.games) == sorted(expected.episode_counts)


@pytest.mark.parametrize("name", FIGURE_BY_NAME)
def test_every_column_of_the_csv_is_documented(name):
    rows = make_figure_rows(name, varied_episodes(), REGISTRY)
    lines = list(csv.DictReader(io.StringIO(format_figure_csv(rows))))
    assert len(lines) == len(rows)
    assert {re.sub("_(low|high)$", "", column) for column in lines[0]} <= set(FIGURE_COLUMNS)


# ------------------------------------------------------------------ nothing to draw
@pytest.mark.parametrize(
    ("name", "results", "message"),
    [
        ("difficulty", [], "No episode yet"),
        ("modality", episodes("lab/a", "text", "same", 100.0), "both in text and in pictures"),
        ("distance", episodes("lab/a", "text", "same", 100.0), "mapworld/g2x-text"),
        ("heatmap", episodes("lab/a", "text", "same", None, is_stalled=True), "No episode counts: 1 faults"),
        ("leaderboard", [counted(game="spyfall", ending="decided", side_scores={"spy": 100.0})], "a game of sides"),
    ],
)
def test_the_message_says_why_nothing_can_be_drawn(name, results, message):
    with pytest.raises(NoEpisodesForFigure, match=re.escape(message)):
        make_figure_rows(name, results, REGISTRY)


def test_the_message_of_an_unknown_figure_names_the_figures():
    with pytest.raises(UnknownFigure, match=r"'ladder'; there are: difficulty, modality"):
        make_figure_rows("ladder", [], REGISTRY)


# ------------------------------------------------------------------ the drawing
def svg_texts(svg: bytes) -> list[str]:
    """Return the texts of an SVG."""
    elements = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(element.itertext()) for element in elements]


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURE_BY_NAME)
def test_a_figure_is_drawn_the_same_twice_in_both_formats_and_for_both_pages(name):
    rows = make_figure_rows(name, varied_episodes(), REGISTRY)
    svg = draw_figure(name, rows)
    assert svg == draw_figure(name, rows)
    assert ElementTree.fromstring(svg).get("width") == "675pt"  # 900 CSS pixels
    texts = svg_texts(svg)
    assert {"person", "model", "lab/a", FIGURE_BY_NAME[name].title} <= set(texts)
    assert any("95 % interval" in text for text in texts)
    assert any("n = " in text or "episodes" in text for text in texts)
    assert any(text.startswith("Left out: ") for text in texts)
    assert svg != draw_figure(name, rows, is_dark=True)
    png = Image.open(io.BytesIO(draw_figure(name, rows, format="png", is_dark=True)))
    assert png.width == 2 * FIGURE_WIDTH and png.getpixel((2, 2))[:3] == (0x24, 0x20, 0x1C)


def unlike_episodes() -> list:
    """Return episodes of long names, of a player alone in a variant, and of one who was never played to the end."""
    name = "vllm/organisation-of-the-model/A-Model-of-70B-Instruct?temperature=0"
    results = [*episodes(name, "text", "same", 100.0, 40.0, None), *episodes(name, "picture", "photos-same", 0.0)]
    results += episodes("lab/a", "text", "an-experiment-with-a-rather-long-name-of-its-own", None, None)
    return [*results, *episodes("lab/b", "g2x-text", "on", None, game="mapworld")]


@pytest.mark.parametrize("name", FIGURE_BY_NAME)
def test_nothing_is_cut_off_at_the_edge_of_a_figure(name):
    rows = make_figure_rows(name, unlike_episodes(), REGISTRY)
    with Image.open(io.BytesIO(draw_figure(name, rows, format="png"))) as image:
        page = image.convert("RGB")
        edges = ImageChops.difference(page, Image.new("RGB", page.size, "white")).getbbox()
    assert edges is not None
    left, top, right, bottom = edges
    assert min(left, top, page.width - right, page.height - bottom) > 16  # 8 CSS pixels


def test_names_of_any_length_and_script_are_drawn_differently():
    names = [f"vllm/organisation-of-the-model/A-Model-of-{n}B-Instruct?temperature=0" for n in range(40)]
    names += ["lab/$x^2$ & <b>", "ollama/模型", "lab/a?temperature=0", "lab/a?temperature=1"]
    results = [result for name in names for result in episodes(name, "text", "same", 100.0, 0.0)]
    for figure in ("difficulty", "heatmap", "leaderboard"):
        texts = set(svg_texts(draw_figure(figure, make_figure_rows(figure, results, REGISTRY))))
        assert {"lab/$x^2$ & <b>", "ollama/模型", "lab/a?temperature=1"} <= texts
        assert sum("-Instruct" in text for text in texts) == 40


@given(st.lists(st.text(alphabet="ab/?= ", min_size=1, max_size=80), unique=True, max_size=30), st.integers(12, 40))
def test_shortened_names_fit_and_stay_different(names, width):
    shortened = shorten_names(names, width)
    assert list(shortened) == names
    assert len(set(shortened.values())) == len(names)
    assert all(len(name) <= width for name in shortened.values())


@given(st.lists(st.floats(0, 400), max_size=20).map(sorted))
def test_labels_keep_their_order_and_distance_within_the_plot(wishes):
    positions = spread_positions(wishes, 19, 0, 400)
    assert len(positions) == len(wishes)
    assert all(after - before >= 19 - 1e-6 for before, after in pairwise(positions))
    assert all(-1e-6 <= position <= 400 + 1e-6 for position in positions)
