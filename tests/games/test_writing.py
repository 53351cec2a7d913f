"""What the scripted partner answers about what is written in its picture, and what descriptions of pictures record."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from made_pictures import scene, thing

from games.common import pictures
from games.matchit.talkers.photo_partner import PhotoPartner


def written(id, name, attributes, box, writing):
    return thing(id, name, attributes, box) | {"writing": writing}


STREET = scene(
    "scene",
    "street",
    [
        written("sign 1", "sign", ["red"], [40, 60, 90, 30], "BAKERY"),
        written("menu board 1", "menu board", ["black"], [200, 120, 90, 80], "TODAY\nSOUP 3.50\n…"),
        written("door 1", "door", ["green"], [350, 80, 80, 200], "7"),
        thing("bicycle 1", "bicycle", ["blue"], [40, 200, 100, 80]),
        thing("poster 1", "poster", ["white"], [300, 60, 30, 40]),
        thing("doll's house 1", "doll's house", ["pink"], [150, 230, 60, 70]),
        written("price sign 1", "price sign", ["yellow"], [160, 300, 20, 12], "49.90"),
    ],
    [],
)


def answer(question, description=STREET):
    return PhotoPartner(description, Random(1)).answer(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does the red sign say?", "The sign says “BAKERY”."),
        ("what's written on the red sign", "The sign says “BAKERY”."),
        ("which word is on the red sign", "The sign says “BAKERY”."),
        ("what number's on the door", "The door says “7”."),
        ("number on the door?", "The door says “7”."),
        ("What does the board say?", "The menu board says “TODAY”, “SOUP 3.50”, and there is more that I cannot read."),
        ("what is written on the board at the top", "The menu board says “TODAY”."),
        ("What's the first word on the menu board?", "The menu board says “TODAY”."),
        ("how much does the doll's house cost", "The price sign says “49.90”."),
        ("Hello. Nice. I see a street. What does the red sign say?", "The sign says “BAKERY”."),
        ("Is there a bicycle? What does the bakery sign say?", "Yes, there is a blue bicycle on the left. The sign"),
    ],
)
def test_the_partner_says_what_is_written_on_a_thing(question, expected):
    assert answer(question).startswith(expected)


def test_a_question_that_names_nothing_means_the_only_writing():
    bar = scene("room", "bar", [written("neon sign 1", "neon sign", ["lit"], [40, 60, 90, 30], "BAR")], [])
    assert answer("what does it say?", bar) == "The neon sign says “BAR”."
    assert answer("What does it say?") == "I am not sure."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Does the red sign say BAKERY?", "Yes, the sign says “BAKERY”."),
        ("is BAKERY written on the red sign?", "Yes, "),
        ("does the red sign say hotel", "No, the sign says “BAKERY”."),
        ("does the red sign say bakery in the picture", "Yes, the sign says “BAKERY”."),
        ("Is the number on the door seven?", "Yes, the door says “7”."),
        ("Is the number on the door 9?", "No, the door says “7”."),
        ("does the menu board say soup", "Yes, "),
        ("Is there a number on the door?", "Yes, the door says “7”."),
        ("is there a 7 on the door", "Yes, the door says “7”."),
    ],
)
def test_the_partner_confirms_and_denies_what_is_written(question, expected):
    assert answer(question).startswith(expected)


@pytest.mark.parametrize(
    "question",
    [
        "does the menu board say coffee?",  # one of its lines cannot be read
        "does it say HOTEL?",  # not on which thing
        "What does the poster say?",
        "what does the bicycle cost?",
    ],
)
def test_what_is_not_known_of_writing_is_neither_made_up_nor_denied(question):
    assert answer(question).startswith("I am not sure")


def test_equal_things_without_known_writing_keep_the_partner_from_denying():
    two = scene(
        "room",
        "bar",
        [written("sign 1", "sign", [], [40, 60, 90, 30], "BAR"), thing("sign 2", "sign", [], [9, 9, 9, 9])],
        [],
    )
    expected = "I am not sure; the sign says “BAR”, and there is more that I cannot read."
    assert answer("Is there a sign that says EXIT?", two) == expected
    assert answer("does the sign say EXIT?", two) == expected


@pytest.mark.parametrize(
    ("picture", "question", "part"),
    [
        ("rooms/bar-2", "What does the sign say?", "“BAR”"),
        ("rooms/cinema-6", "does the screen say THE END?", "Yes, "),
        ("rooms/classroom-6", "What is written on the blackboard?", "“Good morning!”"),
        ("rooms/nursery-6", "Does it say BABY on the wall?", "Yes, "),
        ("scenes/bicycle-a", "what number is on the door?", "“7”"),
        ("rooms/shop-4", "how much does the doll's house cost", "“19.99”"),
    ],
)
def test_drawn_pictures_record_what_can_be_read(picture, question, part):
    assert part in answer(question, pictures.LIBRARY.picture(picture).description)


def test_writing_is_only_in_the_description_of_what_has_some():
    objects = pictures.LIBRARY.picture("rooms/bar-2").description["objects"]
    assert [entry["writing"] for entry in objects if "writing" in entry] == ["BAR"]
    plain = pictures.LIBRARY.picture("rooms/bedroom-1").description["objects"]
    assert not any("writing" in entry for entry in plain)
