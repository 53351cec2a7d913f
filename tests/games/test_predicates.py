"""Sentences about one thing, read as predicates, and what follows from a table of facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.common.language.facts import Degree, Fact, Facts, Judgement, read_truths
from games.common.language.predicates import MAX_LENGTH, read_phrase, read_question, read_statement, split_clauses
from tests.traps import TRAPS


def readings(text: str) -> list[list[list[str]]]:
    """Return the readings of each term of each option as texts."""
    return [
        [[" ".join((one.kind, *one.words)) for one in term.readings] for term in option]
        for option in read_question(text).options
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Does it live in packs?", "do live pack"),
        ("Is it a kind of vehicle?", "be vehicle"),
        ("Has it got two wheels?", "have 2 wheel"),
        ("Does it have a tail?", "have tail"),
        ("Can you eat it?", "use eat"),
        ("Do people drink from it?", "use drink @from"),
        ("Do people drink it?", "use drink"),
        ("Can it be eaten?", "use eat"),
        ("Do birds eat it?", "by bird eat"),
        ("Would I find it in a forest?", "at forest"),
        ("Might it be next to a bed?", "at near bed"),
        ("Is it made of wood?", "of wood"),
        ("Is it man-made?", "be manmade"),
        ("Is it used for cutting grass?", "use use cut grass"),
        ("Do you use it to cut grass?", "use use cut grass"),
        ("Is juice made from it?", "use make juice @from"),
        ("Are there waves?", "have wave"),
        ("Is it something you wear?", "use wear"),
        ("OK, so does it fly, or not?", "do fly"),
        ("It flies, right?", "do fly"),
        ("an animal?", "be animal"),
        ("Does it get warm when you use it?", "do get warm"),
        ("Do you need a ticket for it?", "use need ticket"),
        ("Can two people sit on it?", "use 2 sit"),
        ("Is its tail long?", "have tail long"),
        ("Does the male have a mane?", "have mane"),
        ("Can some of them sting?", "do sting"),
        ("Is it built of stone?", "of stone"),
        ("How about wheels, exactly two?", "have wheel 2"),
        ("Is it good at climbing?", "do climb"),
        ("Can you sit under it?", "use sit @under"),
    ],
)
def test_a_question_is_a_statement_of_one_kind(text, first):
    assert readings(text)[0][0][0] == first


def test_several_things_in_one_question():
    assert [option[0][0] for option in readings("Is it green or yellow?")] == ["be green", "be yellow"]
    assert [option[0][0] for option in readings("Does it have a cap or a cork?")] == ["have cap", "have cork"]
    assert [term[-1] for term in readings("Does it have windows and doors?")[0]] == ["have window", "have door"]
    assert [term[0] for term in readings("Is it an animal that flies?")[0]] == ["be animal", "do fly"]
    [without] = read_question("Is it without legs?").options
    assert read_question("Is it an animal without legs?").options[0][1].negated and without
    assert read_question("What colour is it?").question_word == "what"
    assert read_question("Could it be red?").is_possible and not read_question("Is it red?").is_possible


def test_statements_and_their_negations():
    [big, africa] = read_statement("It is a big cat, and it does not live in Africa.")
    assert big.options[0][0].readings[0].words == ("big", "cat")
    assert africa.options[0][0].negated and not big.options[0][0].negated
    assert list(split_clauses("It has a mane and it roars, but not loudly")) == [
        ("it", "has", "a", "mane"),
        ("it", "roars"),
        ("not", "loudly"),
    ]


NAMES = ("dog", "crow", "chair")
TABLE = {
    "be animal": "dog crow",
    "be wild": "crow | dog",
    "have leg": "dog crow chair",
    "have long tail": "dog",
    "have wing": "crow",
    "use sit": "chair",
    "use wear": "",
    "do bark": "dog || | crow",
    "be pet": "dog",
    "have beak": "crow",
}


@pytest.fixture
def facts() -> Facts:
    """A small table."""
    return Facts(
        Fact(read_phrase(phrase.replace(" @on", " on")), read_truths(line, {}, NAMES)) for phrase, line in TABLE.items()
    )


@pytest.mark.parametrize(
    ("question", "name", "truth"),
    [
        ("Does it bark?", "dog", Degree.YES),
        ("Does it bark?", "chair", Degree.NO),
        ("Does it bark?", "crow", None),
        ("Does it bark at night?", "chair", Degree.NO),  # less than that is false already
        ("Does it bark at night?", "dog", None),
        ("Does it have a tail?", "dog", Degree.YES),  # it has a long one
        ("Does it have a tail?", "crow", None),
        ("Is it a wild animal?", "crow", Degree.YES),
        ("Is it a wild animal?", "dog", Degree.RATHER),
        ("Is it a wild animal?", "chair", Degree.NO),
        ("Does it have legs and wings?", "dog", Degree.NO),
        ("Does it have wings or legs?", "dog", Degree.YES),
        ("Is it an animal without wings?", "dog", Degree.YES),
        ("Do sailors wear it?", "chair", Degree.NO),  # nobody does
        ("Do you wear it?", "chair", Degree.NO),
        ("Does it have a soul?", "dog", None),
        ("Is it afraid of pets?", "chair", None),  # what is feared is not what it is
        ("Is it a pet shop?", "chair", None),
        ("Is it a wild pet?", "chair", Degree.NO),
        ("Does it have beak marks?", "chair", None),
        ("Does it have a beak on its face?", "chair", Degree.NO),
    ],
)
def test_what_follows_from_facts(facts, question, name, truth):
    assert facts.judge_sentence(read_question(question), name).degree is truth


def test_what_is_not_known_is_named(facts):
    assert facts.judge_sentence(read_question("Does it bark at night?"), "dog") == Judgement(unknown=("night",))


def test_a_table_that_cannot_be_used_is_refused():
    with pytest.raises(ValueError, match="two lines"):
        Facts([Fact(read_phrase("have a tail"), {}), Fact(read_phrase("have tails"), {})])
    with pytest.raises(ValueError, match="no kind"):
        read_phrase("tail")
    with pytest.raises(ValueError, match="cow"):
        read_truths("dog cow", {}, NAMES)


WORDS = st.sampled_from("it is do you or and that , ? . eat wood a not with who can have 2 people".split(" "))


@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join)))
def test_any_text_is_read(text):
    read_question(text)
    read_statement(text)


@pytest.mark.parametrize("trap", TRAPS)
def test_long_texts_are_cut(trap):
    """What is read is at most as long as `LONGEST`, so that no text costs more than that."""
    assert read_question(TRAPS[trap]) == read_question(TRAPS[trap][:MAX_LENGTH])
    for unit in ("or ", "and ", "that can ", "is it ", "eat or and "):
        read_question(f"is it {unit * MAX_LENGTH}")
