"""The language library: tokens, lexicon, vocabulary, and what the grammar makes of people's sentences."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.common.language.claims import Claim, Evidence, Truth, Verdict
from games.common.language.grammar import read_text
from games.common.language.lexicon import LEXICON, Vocabulary
from games.common.language.phrases import PhraseMatch, make_rules, rewrite
from games.common.language.regions import group_terms, read_grid_terms
from games.common.language.terms import Term, read_terms
from games.common.language.tokens import MAX_LENGTH, tokenize
from tests.traps import TRAPS

ROOT = Path(__file__).resolve().parents[2]
VOCABULARY = Vocabulary("ironing board,washing machine,coat rack,office,lamp,sofa,cushion,cat".split(","))


def show(claim: Claim) -> str:
    """Return a claim in short: head, modifiers, count, places and relations."""

    def phrase(part, noun="?") -> str:
        words = [f"{part.count.low}-{part.count.high}"] if part.count.is_stated else []
        words += [*part.modifiers, part.head or noun, *(f"@{place}" for place in part.places)]
        return " ".join(filter(None, [*words, *(f"<{link.relation} {phrase(link.phrase)}>" for link in part.links)]))

    predicate = f" IS {'NOT ' * claim.is_negated}{phrase(claim.predicate, '')}" if claim.predicate else ""
    return f"{phrase(claim.subject)}{predicate}"


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The red car", ["red car"]),
        ("more than two beds", ["3-10000 bed"]),
        ("red armchair by the fire and no animal", ["red armchair <next to fire>", "0-0 animal"]),
        ("two washing machines under a wooden worktop", ["2-2 washing machine <below wooden worktop>"]),
        ("orange and white scarf, red umbrella", ["orange white scarf", "red umbrella"]),
        ("On the floor brown shoes, yellow boots", ["brown shoe <on floor>", "yellow boot <on floor>"]),
        ("On the right there's a lamp.", ["lamp @right"]),
        ("the towel hangin on the right isn't blue", ["towel @right", "towel @right IS NOT blue"]),
        ("the mug is next to the book and the lamp is red", ["mug", "mug IS <next to book>", "lamp", "lamp IS red"]),
        ("an ironing board with a red iron on it", ["ironing board <with red iron <on ?>>"]),
        ("dark green walls", ["dark green wall"]),
    ],
)
def test_statements_are_read_as_claims(text, claims):
    assert [show(claim) for claim in read_text(text, VOCABULARY).claims] == claims


@pytest.mark.parametrize(
    ("text", "kind", "claims"),
    [
        ("Is there a cat on the sofa?", "polar", ["cat <on sofa>"]),
        ("is the floor tiled", "polar", ["floor", "floor IS tiled"]),
        ("Do you see any flowers?", "polar", ["flower"]),
        ("How many cushions are on the sofa?", "number", ["cushion <on sofa>"]),
        ("what color is the sofa?", "kind", ["sofa"]),
        ("Where's the lamp?", "place", ["lamp"]),
        ("Is the lamp shiny or matte?", "choice", ["lamp", "lamp IS metal", "lamp IS rubber"]),
        ("are the lights on the walls switched on?", "polar", ["light <on wall>", "light <on wall> IS lit"]),
        ("What is on the sofa?", "what", None),
        ("What else do you see?", "more", []),
    ],
)
def test_questions_are_read_by_their_kind(text, kind, claims):
    (question,) = read_text(text, VOCABULARY).questions
    assert question.kind == kind
    assert claims is None or [show(claim) for claim in question.claims] == claims


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("top L corner: a blue C", "top left corner : a blue c"),
        ("bar on the L, stem to the R", "bar on the left , stem to the right"),
        ("the top L is next to the red L", "the top l is next to the red l"),
        ("r u sure?", "are you sure ?"),
    ],
)
def test_l_and_r_are_sides_where_no_piece_can_be_meant(text, words):
    assert " ".join(token.text for token in tokenize(text)) == words


def test_tokens_are_british_words_with_numbers_and_written_out_contractions():
    tokens = tokenize("There isn't a gray cup, 2nd of twelve.")
    assert [token.text for token in tokens] == "there is not a grey cup , 2nd of twelve .".split()
    assert [token.ordinal_number for token in tokens if token.ordinal_number] == [2]
    assert [token.number for token in tokens if token.number] == [12]


def test_only_words_that_are_not_english_are_corrected():
    words = Vocabulary(["hood", "frame", "fridge", "office", "dart board"])
    assert words.correct_word("ofice") == "office"
    for word in ("hooks", "flame", "fringe", "wood"):
        assert words.correct_word(word) == word


def test_the_lexicon_knows_forms_and_kinds():
    assert [LEXICON.lemma(word) for word in ("shelves", "hung", "cushions", "glass")] == [
        "shelf",
        "hang",
        "cushion",
        "glass",
    ]
    assert LEXICON.is_a("cat", "animal")
    assert LEXICON.is_a("bus", "vehicle")
    assert not LEXICON.is_a("lamp", "animal")


def test_doubt_can_fall_again():
    evidence = Evidence()
    evidence.add([Verdict(Truth.NO, -2, "no cat")])
    assert evidence.total_weight < -1.2
    evidence.add([Verdict(Truth.YES, 3, "a lamp")])
    assert evidence.total_weight > 0
    assert evidence.explain_weights(-1.0) == [
        "Understood: no cat; a lamp.",
        "What spoke most for “different”: no cat.",
        "Evidence: +1.0 (-1.0 or less means “different”).",
    ]


@given(st.text(max_size=300))
@settings(max_examples=80, deadline=None)
def test_any_text_is_read(text):
    reading = read_text(text, VOCABULARY)
    assert reading == read_text(text, VOCABULARY)


@pytest.mark.parametrize("name", TRAPS)
def test_traps_are_cut_and_read(name):
    read_text(TRAPS[name], VOCABULARY)
    assert all(token.end <= MAX_LENGTH for token in tokenize(TRAPS[name]))


def test_the_same_is_read_under_every_hash_seed():
    code = (
        "from games.common.language.grammar import read_text\n"
        "from games.common.language.lexicon import Vocabulary\n"
        "print(read_text('two red cusions and a jug, not lit?', Vocabulary({'cushion', 'jug', 'lamp'})))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_a_phrase_of_items_is_rewritten_and_keeps_what_was_written() -> None:
    def read_size(match: PhraseMatch) -> Term | None:
        height, width = match.term("height").number, match.term("width").number
        return Term("shape", at=(height, width)) if height != width else None

    pattern = "(?P<height>SMALL) (by|x) (?P<width>SMALL) (block|cell)*"
    rules = make_rules([(pattern, "size")], {"_read_size": read_size})
    sizes = [(item.at, item.source) for item in rewrite(read_terms("a 2 by 3 block, 4 by 4"), rules) if item.at]
    assert sizes == [((2, 3), "a 2 by 3 block")]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("the first two cells of rows 1 and 3", {(0, 0), (0, 1), (2, 0), (2, 1)}),
        ("the last but one cell of the second column from the right", {(3, 3)}),
        ("a 2x2 block in the bottom right corner", {(3, 3), (3, 4), (4, 3), (4, 4)}),
        ("the ends of the middle row", {(2, 0), (2, 4)}),
        ("(2, 3)", {(1, 2)}),
    ],
)
def test_parts_of_a_grid_are_read_as_cells(text: str, cells: set[tuple[int, int]]) -> None:
    assert frozenset().union(*[group.cells() for group in group_terms(read_grid_terms(text))]) == cells
