"""Questions of everyday kinds about pictures: what is on which shelf, in which half, nearest, the same, and what else.

A partner names and counts only what is surely so, and says of the rest just what it does not know.
"""

import pytest

from games.common import pictures
from games.matchit.talkers.photo_partner import PhotoPartner
from tests.games.partner_figures import partner


def partner_of(picture: str) -> PhotoPartner:
    return partner(pictures.LIBRARY.description(picture).model_dump(mode="json", exclude={"id", "family", "change"}))


def test_what_else_names_what_was_not_named_yet() -> None:
    me = partner_of("scenes/toy-shelf-a")
    first = me.answer("Anything else?", [])
    assert first == me.answer("What do you see?") == me.answer("What else is there?")
    second = me.answer("What else can you see?", [first])
    assert second.startswith("I also see")
    assert "teddy bear" not in second
    assert me.answer("Anything else?", [me.describe(), first, second]) == "I have named all that I can name."


@pytest.mark.parametrize(
    ("picture", "question", "answer"),
    [
        # shelves one above the other, and boards of one
        ("scenes/bookshelf-a", "What's on the top shelf?", "I see books and a blue globe."),
        ("scenes/bookshelf-a", "Is the vase on the upper shelf?", "No"),
        ("scenes/bookshelf-a", "What's on the middle shelf?", "I am not sure; I cannot say what is on the middle"),
        ("scenes/toy-shelf-a", "Which box is on the bottom shelf?", "I see a blue box."),
        ("scenes/toy-shelf-a", "Is anything on the middle shelf?", "Yes, I see a yellow box, a cyan box and"),
        ("scenes/toy-shelf-a", "What's on the top shelf?", "I am not sure"),  # or on top of it
        ("rooms/storage-room-3", "What's on the top shelf on the left?", "I see a dark blue suitcase, a green"),
        ("rooms/storage-room-3", "What is on the bottom shelf?", "I am not sure"),  # three racks
        ("scenes/reading-corner-c", "How many shelves are there?", "I am not sure"),  # a bookcase has six boards
        ("scenes/reading-corner-c", "How many shelves of books are there?", "I am not sure; there is a"),
        ("scenes/doorstep-b", "Is the door open a bit?", "No"),
        ("rooms-similar/bedroom-2", "Is it a four-poster bed?", "I am not sure."),
        ("rooms-similar/living-room-1", "Is it a sofa bed?", "No"),
        # what is in, on or under things
        ("rooms/kitchen-4", "What is in the crate on the left?", "I see apples."),
        ("rooms/study-6", "What is under the desk?", "I am not sure; I cannot say what is below the desk."),
        ("rooms/music-room-6", "What is on the music stand?", "I am not sure; I cannot say what is on the music"),
        ("rooms/study-6", "What is in the basket?", "I am not sure; I cannot tell about that."),
        ("rooms/music-room-6", "What is in the bookcase?", "I am not sure"),  # what is on top of it is not
        ("rooms/nursery-2", "What is on top of the shelf?", "I see a white teddy bear and a red toy car."),  # no block
        ("rooms/bathroom-4", "Is the yellow towel on the floor?", "No"),  # it hangs on a rail
        # beside a thing is not what is on it, nor what hangs before the wall behind it
        ("scenes/desk-a", "Is the mug to the left of the desk?", "I am not sure"),
        ("rooms/dining-room-2", "What is next to the ceiling lamp?", "I am not sure"),
        # halves: what is in both is not counted
        ("rooms/kitchen-4", "How many shelves are in the left half?", "I am not sure; I see at least one shelf, and"),
        ("objects/family-28-c", "How many things are in the left half?", "Five things"),
        ("objects/family-28-c", "How many cones are in the right half of the picture?", "Two cones"),
        # comparisons of numbers
        ("scenes/fruit-still-life-b", "How many more apples than lemons are there?", "Two; I see four apples and two"),
        ("objects/family-28-c", "How many fewer cylinders than cones?", "One; I see two cylinders and three cones."),
        ("rooms/laundry-room-6", "How many more red socks than blue ones?", "None; I see two red socks and two blue"),
        ("rooms/laundry-room-6", "How many more socks?", "I am not sure"),
        ("scenes/fruit-still-life-b", "Are there more apples in the bowl or on the table?", "I am not sure"),
        # the nearest
        ("objects/family-09-c", "What is nearest to the ring?", "It is a small orange matte rubber cube."),
        ("objects/family-28-c", "Which is closer to the green cone, the blue ball or the yellow cone?", "It is a "),
        ("objects/family-28-c", "What is nearest to the purple cylinder?", "I am not sure"),
        ("rooms/study-6", "What is nearest to the window?", "I am not sure"),
        # the same in all, or in what is named
        ("objects/family-09-c", "Are the two purple balls the same?", "No, they are a small purple shiny metal sphere"),
        ("objects/family-09-c", "Are the two purple balls the same colour?", "Yes, they are purple."),
        ("objects/family-09-c", "Are the cubes different?", "Yes, they are a small purple"),
        ("objects/family-09-c", "Is the ring the same as the cone?", "I am not sure"),  # there are two
        ("objects/family-09-c", "Is anything the same colour as the ring?", "I am not sure"),
        ("objects/family-09-c", "Are the cones of the same kind?", "Yes, they are cones."),
        ("rooms/storage-room-3", "Are the wooden crates the same colour?", "I am not sure"),  # shades of brown
        ("rooms/laundry-room-6", "Are the machines all the same?", "I am not sure"),  # one is open
        ("rooms/laundry-room-6", "Are the baskets the same shape?", "I am not sure"),
        ("rooms/study-6", "Are the curtains identical?", "Yes, they are two dark green curtains."),
        # opposites
        ("objects/family-09-c", "Is the red cone nice and shiny or dull?", "The red cone is shiny metal."),
        ("objects/family-09-c", "Is the yellow cylinder reflective or not reflective?", "No, the cylinder is matte"),
        ("objects/family-09-c", "Is the yellow cylinder non-reflective?", "Yes"),
        ("rooms/kitchen-4", "Is the lamp on or off?", "The lamp is on."),
        ("rooms/study-6", "Is the desk lamp on or off?", "The desk lamp is off."),
        ("rooms/nursery-2", "Is the brown bear sitting or standing?", "The teddy bear is sitting."),
        ("scenes/cat-on-sofa-b", "Is the picture standing or hanging?", "I am not sure"),
        ("scenes/coat-rack-a", "Are the boots or the shoes further left?", "I am not sure"),
        ("scenes/coat-rack-a", "Are the boots left or right of the shoes?", "The boots are right of the shoes."),
    ],
)  # fmt: skip
def test_it_answers_everyday_questions(picture: str, question: str, answer: str) -> None:
    assert partner_of(picture).answer(question).startswith(answer)
