"""Test that partners take any sequence of words that people use, not only whole sentences."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.askguess.answering import Answerer
from games.askguess.scripted import WordSearch
from games.common.language.grammar import read_text
from games.common.language.lexicon import Vocabulary
from games.imagegame import grid
from games.imagegame.follower import GridDrawer
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Utterance
from games.reference.talkers.sight import find_best_sight, make_sight
from tests.games.partner_figures import lines, shown

LENGTH = 3


def splice_lines(*names):
    """Return a strategy for texts of parts of tuned lines, three words each."""
    texts = [text for name in names for row in lines(name, held_out=False) for text in list_texts(row)]
    words = [text.split() for text in texts]
    parts = sorted({" ".join(line[start : start + LENGTH]) for line in words for start in range(0, len(line), LENGTH)})
    return st.lists(st.sampled_from(parts), min_size=1, max_size=8).map(" ".join)


def list_texts(row):
    """Return what a line says or asks."""
    said = row.get("say", row.get("ask"))
    return [said] if isinstance(said, str) else said


@pytest.mark.parametrize("kind", ["boards", "grids", "matchit_picture"])
def test_partners_take_any_words_about_pictures(kind):
    items = [shown(row) for row in lines(f"{kind}_questions", held_out=False)[::40]]
    talkers = [make_talker(item, Random(1)) for item in items]

    @given(splice_lines(f"{kind}_descriptions", f"{kind}_questions"), st.sampled_from(talkers))
    @settings(max_examples=60)
    def check(text, talker):
        assert talker.answer(text)
        assert talker.decide([Utterance("partner", "description", text)]) in ("same", "different")

    check()


@pytest.mark.parametrize("kind", ["grids", "pictures"])
def test_listeners_take_any_words(kind):
    rows = lines(f"reference_{kind}", held_out=False)
    sights = [make_sight(shown({"picture": item})) for item in (rows[0]["target"], *rows[0]["distractors"])]

    @given(splice_lines(f"reference_{kind}"))
    @settings(max_examples=40)
    def check(text):
        assert find_best_sight(text, sights, Random(1)) in range(3)

    check()


@given(st.lists(splice_lines("imagegame"), min_size=1, max_size=3))
@settings(max_examples=60)
def test_drawers_take_any_words(commands):
    grid_drawer = GridDrawer.start_empty()
    for command in commands:
        grid_drawer.apply_command(command)
    assert grid.format_grid(grid_drawer.drawing)


@given(splice_lines("askguess"))
@settings(max_examples=60)
def test_players_of_ask_guess_take_any_words(text):
    assert Answerer("wolf", False).answer_question(text)
    word_search = WordSearch()
    word_search.process_description(text)
    word_search.process_answer("Is it an animal?", text)
    assert word_search.words_left


@pytest.mark.parametrize("text", ["A lamp. And", "and?"])
def test_a_sentence_may_be_one_conjunction(text):
    assert not read_text(text, Vocabulary({"lamp", "wall"})).questions


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "boards",
            "pink staircase climbs to the right from the bottom row: two beats, two beats, one. left of it a green N",
        ),
        (
            "grids",
            "left three columns all filled 4 E in the second square to bottom, top corners meeting in the centre,",
        ),
    ],
)
def test_a_direction_or_span_may_have_no_end(kind, text):
    talker = make_talker(shown(lines(f"{kind}_questions", held_out=False)[0]), Random(1))
    assert talker.decide([Utterance("partner", "description", text)]) in ("same", "different")
