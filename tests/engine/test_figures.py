"""Figures of results: the numbers behind them against hand and against scores, and what is drawn of them."""

import csv
import io
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from engine.play.registry import Registry
from engine.results.clemscore import clemscores
from engine.results.figures import FIGURES, NothingToDraw, UnknownFigure, draw, figure_csv, figure_rows
from engine.results.plots import WIDTH, short, spread
from engine.results.table import result_rows
from tests.engine.counted import counted

REGISTRY = Registry(Path(__file__).resolve().parents[2])
DISTANCES = ("on", "close", "far")
PLAYERS = ("lab/a", "lab/b", "person", "random")


def episodes(player: str, variant: str, experiment: str, *mains: float | None, game: str = "matchit", **more) -> list:
    """Episodes of one condition, one an instance; None is an aborted one."""
    seats = {"walker": player} if game == "mapworld" else {"A": player, "B": player}
    place = {"game": game, "variant": variant, "experiment": experiment, "seats": seats}
    ends = {None: "aborted", 100.0: "success"}
    return [
        counted(**{**place, "instance": f"{variant}{n}", "ending": ends.get(main, "lose"), "main": main, **more})
        for n, main in enumerate(mains)
    ]


def some() -> list:
    """A little of everything: four players, three games, both modalities, aborted and stalled episodes."""
    made = []
    for number, player in enumerate(PLAYERS):
        for variant in ("text", "picture"):
            good = 100.0 if number < 2 else 0.0
            made += episodes(player, variant, "same" if variant == "text" else "photos-same", 100.0, good, None)
            made += episodes(player, variant, "different" if variant == "text" else "photos-different", good, 0.0)
            made += episodes(player, variant, "rows", good, 100.0, game="reference")
            for experiment in reversed(DISTANCES):
                made += episodes(player, f"g2x-{variant}", experiment, good, 0.0, game="mapworld")
    return [*made, *episodes("lab/a", "text", "same", None, stalled=True)]


def test_difficulty_has_the_numbers_of_the_results_in_the_order_of_the_experiments():
    made = figure_rows("difficulty", some(), REGISTRY)
    theirs = {row["id"]: row for row in result_rows(some())}
    assert len(made) == len(theirs)
    numbers = ("n", "played_low", "quality", "quality_high", "score_all", "score_all_low", "faults")
    for row in made:
        assert [row[name] for name in numbers] == [theirs[row["id"]][name] for name in numbers]
    order = dict.fromkeys((row["variant"], row["experiment"]) for row in made if row["game"] == "mapworld")
    assert list(order) == [(f"g2x-{modality}", where) for modality in ("text", "picture") for where in DISTANCES]
    assert {row["player"]: row["kind"] for row in made} == dict(
        zip(PLAYERS, ("model", "model", "person", "program"), strict=True)
    )


def test_what_rows_of_a_game_differ_in_is_named_and_never_averaged():
    usual = REGISTRY.game("matchit").settings().model_dump(mode="json")
    told = episodes("random", "text", "same", 100.0, settings=usual)
    told += episodes("random", "text", "same", 0.0, settings=usual | {"questions": 4})
    made = figure_rows("heatmap", told, REGISTRY)
    assert [(row["player"], row["quality"]) for row in made] == [
        ("random", 100.0),
        ("random (questions=4)", 0.0),
    ]
    (one,) = figure_rows("leaderboard", told, REGISTRY)
    assert one["mixed_settings"] == ["matchit"]
    assert "different settings" in drawn("leaderboard", [one])


def test_modality_is_text_minus_picture_with_aborted_as_nothing():
    told = [
        *episodes("lab/a", "text", "same", *[100.0] * 30),
        *episodes("lab/a", "picture", "photos-same", 100.0, None),
    ]
    told += episodes("lab/b", "text", "same", 100.0)  # only in text
    (row,) = figure_rows("modality", told, REGISTRY)
    assert (row["player"], row["text"], row["picture"], row["difference"]) == ("lab/a", 100, 50, 50)
    assert (row["text_n"], row["picture_n"]) == (30, 2)
    assert -10 < row["difference_low"] < 0 and row["difference_high"] == 100  # of 0..100 in pictures, 88..100 in text


def test_distance_counts_who_found_the_room_among_all_and_pools_the_models():
    made = figure_rows("distance", some(), REGISTRY)
    assert [row["player"] for row in made[:6]] == ["all models"] * 6
    assert [(row["modality"], row["distance"]) for row in made[:3]] == [("text", "0"), ("text", "1–2"), ("text", "3–4")]
    assert (made[0]["n"], made[0]["success"], made[0]["played"]) == (4, 50, 100)
    aborted = figure_rows("distance", episodes("person", "g2x-text", "on", 100.0, None, game="mapworld"), REGISTRY)
    assert [(row["player"], row["played"], row["success"]) for row in aborted] == [("person", 50, 50)]


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
    told = [one for game, player, main in played for one in episodes(player, "text", "e", main, game=game)]
    ours = {row["player"]: row for row in figure_rows("leaderboard", told, REGISTRY)}
    for theirs in clemscores(told):
        row = ours[theirs["players"]]
        assert row["clemscore"] == pytest.approx(theirs["clemscore"])
        assert row["played_low"] <= row["played"] + 1e-9 and row["played"] <= row["played_high"] + 1e-9
        assert sorted(row["games"]) == sorted(theirs["games"])


@pytest.mark.parametrize("name", FIGURES)
def test_rows_have_the_columns_of_their_figure(name):
    made = figure_rows(name, some(), REGISTRY)
    read = list(csv.DictReader(io.StringIO(figure_csv(name, made))))
    assert len(read) == len(made)
    assert tuple(read[0]) == FIGURES[name].columns == tuple(made[0])


# ------------------------------------------------------------------ nothing to draw
@pytest.mark.parametrize(
    ("name", "told", "said"),
    [
        ("difficulty", [], "No episode yet"),
        ("modality", episodes("lab/a", "text", "same", 100.0), "both in text and in pictures"),
        ("distance", episodes("lab/a", "text", "same", 100.0), "mapworld/g2x-text"),
        ("heatmap", episodes("lab/a", "text", "same", None, stalled=True), "No episode counts: 1 faults"),
        ("leaderboard", [counted(game="spyfall", ending="decided", sides={"spy": 100.0})], "a game of sides"),
    ],
)
def test_where_nothing_can_be_drawn_it_is_said_why(name, told, said):
    with pytest.raises(NothingToDraw, match=re.escape(said)):
        figure_rows(name, told, REGISTRY)


def test_a_figure_that_does_not_exist_names_those_there_are():
    with pytest.raises(UnknownFigure, match=r"'ladder'; there are: difficulty, modality"):
        figure_rows("ladder", [], REGISTRY)


# ------------------------------------------------------------------ the drawing
def drawn(name, made, **how) -> str:
    return draw(name, made, **how).decode()


def texts(svg: str) -> list[str]:
    """What stands in an SVG as text."""
    found = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(one.itertext()) for one in found]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_drawn_the_same_twice_in_both_formats_and_for_both_pages(name):
    made = figure_rows(name, some(), REGISTRY)
    svg = draw(name, made)
    assert svg == draw(name, made)
    assert ElementTree.fromstring(svg).get("width") == "675pt"  # 900 CSS pixels
    words = texts(svg.decode())
    assert {"person", "model", "lab/a", FIGURES[name].title} <= set(words)
    assert any("95 % interval" in word for word in words)
    assert any("n = " in word or "episodes" in word for word in words)
    assert any(word.startswith("Left out: ") for word in words)
    assert svg != draw(name, made, dark=True)
    png = Image.open(io.BytesIO(draw(name, made, format="png", dark=True)))
    assert png.width == 2 * WIDTH and png.getpixel((2, 2))[:3] == (0x24, 0x20, 0x1C)


def test_names_of_any_length_and_script_are_drawn_apart():
    names = [f"vllm/organisation-of-the-model/A-Model-of-{n}B-Instruct?temperature=0" for n in range(40)]
    names += ["lab/$x^2$ & <b>", "ollama/模型", "lab/a?temperature=0", "lab/a?temperature=1"]
    told = [one for name in names for one in episodes(name, "text", "same", 100.0, 0.0)]
    for figure in ("difficulty", "heatmap", "leaderboard"):
        words = texts(drawn(figure, figure_rows(figure, told, REGISTRY)))
        assert {"lab/$x^2$ & <b>", "ollama/模型", "lab/a?temperature=1"} <= set(words)
        assert sum("-Instruct" in word for word in set(words)) == 40


@given(st.lists(st.text(alphabet="ab/?= ", min_size=1, max_size=80), unique=True, max_size=30), st.integers(12, 40))
def test_shortened_names_fit_and_stay_apart(names, width):
    found = short(names, width)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(len(said) <= width for said in found.values())


@given(st.lists(st.floats(0, 400), max_size=20).map(sorted))
def test_labels_keep_their_order_and_distance_within_the_plot(wanted):
    found = spread(wanted, 19, 0, 400)
    assert len(found) == len(wanted)
    assert all(after - before >= 19 - 1e-6 for before, after in pairwise(found))
    assert all(-1e-6 <= at <= 400 + 1e-6 for at in found)
