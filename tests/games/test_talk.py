"""The scripted partner's sense: what it answers people, what it makes of people's words, and how well it plays itself.

`python -m pytest tests/games/test_talk.py -k plays -s` prints the main scores over all shipped instances.
"""

import json
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.common import grids, pentomino
from games.common.grids import GRID_CELLS, format_grid, grid_of, parse_grid
from games.common.language.asking_back import asks_back
from games.common.language.board_reading import read_board_text
from games.common.language.grid_reading import read_grid_text
from games.common.language.tokens import MAX_LENGTH
from games.common.pentomino import Board
from games.matchit.board import describe_side
from games.matchit.instances import EXPERIMENTS, Instance, load
from games.matchit.talkers import board_talk, grid_talk
from games.matchit.talkers.talk import make_talker
from games.matchit.talkers.utterances import Talker, Utterance
from tests.games.made_pictures import make_piece, scene, thing

ROOT = Path(__file__).resolve().parents[2]

GRID = "X X X X ▢\nX ▢ ▢ ▢ X\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ X"
"""Nearly a P; also nearly an R."""


BOARD = Board(
    pieces=(
        make_piece("blue U", 0, 9, turn=270),
        make_piece("blue T", 4, 0, turn=90),
        make_piece("yellow I", 3, 5),
        make_piece("yellow V", 5, 8),
        make_piece("red Z", 9, 4, turn=90, mirrored=True),
    )
)


def grid_talker(grid: str = GRID) -> Talker:
    return make_talker(grid, Random(1))


def board_talker(board: Board = BOARD) -> Talker:
    return make_talker(pentomino.describe_board(board), Random(1))


# People's questions and what must stand in the answer (| separates what must all be there; ! marks what must not)

ASKED_OF_GRIDS = """
How many filled cells do you have? = 13
how many X are there in row 2? = Row 2|two filled
How many empty squares are in the third column? = Column 3|three empty
How many in each column = 5, 2, 2, 2 and 2
How many filled cells in each row, top to bottom? = 4, 2, 4, 1 and 2
how many are in the first two rows = Row 1 has four|row 2 has two
Can you tell me the number of black squares in total = 13
How many rows are completely filled? = No row is full
How many cells are filled in the top row and the bottom row? = Row 1 has four|row 5 has two
Is the top left corner filled? = Yes|top left corner is filled
is the center empty? = No|centre cell is filled
Is the upper right corner blank? = Yes|top right corner is empty
What is in the top left corner? = top left corner is filled
top left? = top left corner is filled
Which corners are filled? = top left, bottom left and bottom right corners are filled|top right corner is empty
Are the corners filled? = No|top right corner is empty
Are both top corners filled? = No|top right corner is empty
is at least one corner empty? = Yes
read row 3 to me = Row 3 is X X X X ▢
What's in the last row? = Row 5 is X ▢ ▢ ▢ X
What does your second column look like = Column 2 is X ▢ X ▢ ▢
row 5? = Row 5 is X ▢ ▢ ▢ X
tell me rows 1 to 3 = Row 1 is X X X X ▢|row 2 is X ▢ ▢ ▢ X|row 3 is X X X X ▢
Which cells are filled in row 4? = Row 4 is X ▢ ▢ ▢ ▢
Which cells are filled in colums 1 and 2? = Column 1|column 2
wich celss are filled in the forth row? = Row 4 is X ▢ ▢ ▢ ▢
Is row 1 full? = No|row 1 is X X X X ▢
Is the first row completely filled in? = No|row 1 is X X X X ▢
Is the left column full? = Yes|column 1 is X X X X X
is the rightmost column empty? = No|column 5 is ▢ X ▢ ▢ X
Are there any X's in the bottom row? = Yes|row 5 is X ▢ ▢ ▢ X
Are there any X in row 4? = Yes
Do you have an X in the middle? = Yes|centre cell is filled
Is row 2, column 3 filled? = No|row 2, column 3 is empty
What about (2,3)? = Row 2, column 3 is empty
is the cell in the 4th row and 5th column filled = No|row 4, column 5 is empty
Is the second cell of row 3 filled? = Yes|row 3, column 2 is filled
what's the middle cell of the top row = Row 1, column 3 is filled
Is there a diagonal line? = not sure
Is the diagonal from top left to bottom right filled? = No|top left corner, the centre cell and the bottom right
Does it look like a letter? = almost like the letter
Is it the letter P? = not quite|P
Does it look like a V? = No
What shape is it? = letter
Is it symmetric? = No|not symmetric
Is your grid symmetrical left to right? = No|not symmetric
Which columns are empty? = No column is empty
Are there any empty rows? = No row is empty
Are there any full columns = Yes|one column is full: the first
which row has the most filled cells = Row 1 and row 3 have four
are all your filled cells connected? = No|groups
Is it the same as mine? = cannot tell
Is your row two X ▢ ▢ ▢ X? = Yes|row 2
Is your row 2 X X ▢ ▢ X = No|row 2 is X ▢ ▢ ▢ X
Does row 3 have 4 filled cells? = Yes|four filled
Do you have 12 X's? = No|13
do you have more than 10 filled squares? = Yes|13
Is there more filled than empty? = Yes|13
What's in row 7? = only rows 1 to 5
Is there an X at the top left and at the bottom right? = Yes|top left|bottom right
Is the top row full and is the bottom row empty? = No|row 1 is X X X X ▢|row 5 is X ▢ ▢ ▢ X
is the border filled = No|ten
what is inside the border? = row 3, column 2, the centre cell and row 3, column 4 are filled
Where are the X's? = Row 1|row 5
do you like cats? = not sure what you mean
"""

ASKED_OF_BOARDS = """
How many pieces do you have? = five pieces
How many red pieces are there? = one red|red Z
how many pieces are yellow = two yellow
How many different colours? = red|yellow|blue
Do you have a red T? = No|no red T|blue T
Is there a blue piece? = Yes|blue U|blue T
Do you have a yellow W in the middle? = No|no yellow W
What is in the top left corner? = nothing at the top left
Is there anything at the bottom? = red Z
Which pieces are on the right side? = blue U|yellow V|!red
What's in the center? = yellow I
Where is the green X? = no green X
Where's your red piece? = red Z|bottom
where are your pink pieces = no pink
What colour is the P? = no P
what color is the T = blue
What shape is the red one? = red Z
Is the red piece mirrored? = Yes
Is the T mirrored? = not sure
Which way does the T point? = stem pointing left
How is the U oriented? = open to the left
Is the U open to the left? = Yes
Does the T have its stem pointing down? = No|stem pointing left
Is your I upright or lying? = upright
Is there a green piece left of a red one? = No|no green
Is there a blue piece left of a red one? = Yes|blue T
What is to the left of the red piece? = blue T|!yellow V
Is the red piece below the yellow I? = Yes
is the red Z above the yellow I? = No
What is next to the red piece? = yellow
Does any piece touch the edge? = blue U|blue T
Do any pieces touch each other? = No
Do you have a cross? = No
Is there a piece shaped like a U = Yes|blue U
Do you see a staircase = No
Do you have a long straight bar? = Yes|yellow I
How many pieces are in the top row? = one piece|blue U
How many on the left? = one piece|blue T
list all pieces = blue U|blue T|yellow I|yellow V|red Z
Is your board the same as mine? = not sure
which ones are vertical = yellow I
Do you have orange pieces? = no orange
Is there a piece in the bottom right corner? = nothing
Do you have two red pieces? = No|one red
Which piece is closest to the bottom left corner? = not sure
tell me about the red piece = red Z
what is between the blue T and the yellow V = not sure
Do you have a black T at the top, and where is the red piece? = No|red Z is at the bottom
hello there = not sure what you mean
"""


def cases(text: str) -> list[tuple[str, str]]:
    return [(question, wanted) for question, wanted in (line.split(" = ") for line in text.strip().splitlines())]


def must_hold(answer: str, wanted: str) -> None:
    for part in wanted.split("|"):
        if part.startswith("!"):
            assert part[1:] not in answer, answer
        else:
            assert part.casefold() in answer.casefold(), answer


@pytest.mark.parametrize(("question", "wanted"), cases(ASKED_OF_GRIDS))
def test_what_people_ask_of_a_grid(question: str, wanted: str) -> None:
    answer = grid_talker().answer(question)
    must_hold(answer, wanted)
    claims = read_grid_text(answer, question).claims
    assert all(claim.is_true_of(parse_grid(GRID)) for claim in claims), "its own answer would mislead it"


@pytest.mark.parametrize(("question", "wanted"), cases(ASKED_OF_BOARDS))
def test_what_people_ask_of_a_board(question: str, wanted: str) -> None:
    answer = board_talker().answer(question)
    must_hold(answer, wanted)


# People's descriptions and answers: does the partner take them as true of its own, equal picture, and false of another?

TRUE_OF_THE_GRID = """
The top row has 4 filled cells and the left column is full.
Row 1: X X X X _, row 2: X _ _ _ X
it has 13 X and 12 empty squares
A letter R: left column filled, first and third row filled except the last cell
Row 2 has X in columns 1 and 5.
Row 4 only the first cell is filled
The first and last cells of row 2 are filled, the rest is empty.
The top right corner is empty, the other corners are filled.
X in all corners except the top right
Four X in the first row, two in the second, four in the third, one in the fourth and two in the fifth.
no X in the last cell of the top row
The center is filled. The border has 10 filled cells.
My grid has an X in the middle and in three corners
Row 5 is X empty empty empty X
Row 2 is filled, empty, empty, empty, filled
The third row isn't full
the first 4 cells in row 1 and 3 are filled
rows 1 and 3 have 4 filled cells each
the only filled cell in row 4 is the first
There are no empty rows and one full column
There is a single X in the fourth row
diagonal from top left to bottom right has 3 filled cells
colum 1 is compleatly filled and colum 5 has 2 X
The X's on the borders form a pattern
Row 2 isn't full and row 4 has one cross, first from left.
Row 5 is one, three gaps, one.
The leftmost one's on the left edge and the lowest one's on the bottom edge.
"""

FALSE_OF_THE_GRID = """
The top row is full.
it has 12 X
Row 4 is empty
The centre is empty
all four corners are filled
Row 2 has X in columns 1 and 4
X X X X X\nX ▢ ▢ ▢ X\nX X X X ▢\nX ▢ ▢ ▢ ▢\nX ▢ ▢ ▢ X
XXXX.\nX...X\nXXXX.\nX..X.\nX...X
Row 1 has four filled cells, row 2 three
It looks like the letter V
the third column is filled
there are two empty rows
"""


@pytest.mark.parametrize("text", TRUE_OF_THE_GRID.strip().splitlines())
def test_true_words_about_a_grid_leave_it_the_same(text: str) -> None:
    assert grid_talker().decide([Utterance("partner", "description", text)]) == "same"


@pytest.mark.parametrize("text", FALSE_OF_THE_GRID.replace("\nX", "~X").strip().splitlines())
def test_false_words_about_a_grid_are_noticed(text: str) -> None:
    text = text.removeprefix("~").replace("~", "\n")
    assert grid_talker().decide([Utterance("partner", "description", text)]) == "different"


@pytest.mark.parametrize(
    ("question", "answer", "decision"),
    [
        ("Is the centre cell filled?", "yes", "same"),
        ("Is the centre cell filled?", "No.", "different"),
        ("Is the centre cell filled?", "nope, it's empty", "different"),
        ("What does the third row look like, from left to right?", "X X X X ▢", "same"),
        ("What does the third row look like, from left to right?", "four filled, then one empty", "same"),
        ("What does the third row look like, from left to right?", "It's full", "different"),
        ("What does the third row look like, from left to right?", "#.###", "different"),
        ("What does the third row look like, from left to right?", "The first four are filled.", "same"),
        ("Which of the four corners are filled?", "all but the top right", "same"),
        ("Which of the four corners are filled?", "All of them", "different"),
        ("How many filled cells are there in each row, from top to bottom?", "4, 2, 4, 1, 2", "same"),
        ("How many filled cells are there in each row, from top to bottom?", "4 2 4 1 3", "different"),
        ("How many filled cells are there in each row, from top to bottom?", "four two four one two", "same"),
        ("How many cells are filled altogether?", "13", "same"),
        ("How many cells are filled altogether?", "eleven", "different"),
        ("How many cells are filled altogether?", "I don't know", "same"),
    ],
)
def test_people_answer_a_question_about_the_grid(question: str, answer: str, decision: str) -> None:
    history = [Utterance("me", "question", question), Utterance("partner", "answer", answer)]
    assert grid_talker().decide(history) == decision


TRUE_OF_THE_BOARD = """
5 pieces: a blue U in the top right corner, a blue T on the left, a yellow line in the middle, a red Z at the bottom.
I see five shapes. Two are blue, two are yellow and one is red.
A red zigzag at the bottom, a yellow vertical bar in the centre, a yellow corner shape on the right side
Top right: blue U, opening to the left. Middle left: blue T.
No green pieces. There is no piece in the bottom left corner.
a blue T-shaped piece on the left, pointing left
the blue T is above the red Z and left of the yellow bar
a yellow I, upright
The red piece isn't at the top
there are 2 pieces on the right and nothing on the bottom left
There's a blue C at the top right, a yellow L on the right, and a blue T lying on its side
"""

FALSE_OF_THE_BOARD = """
Six pieces.
I have a red T, a blue T and a red Z
a blue U in the bottom left corner
A yellow bar lying in the centre
no red pieces
three yellow pieces
Top right: blue U, open to the right
the red Z is above the yellow I
a green cross
"""


@pytest.mark.parametrize("text", TRUE_OF_THE_BOARD.strip().splitlines())
def test_true_words_about_a_board_leave_it_the_same(text: str) -> None:
    assert board_talker().decide([Utterance("partner", "description", text)]) == "same"


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("a green stick with a bump on its left side", ["green Y bump left"]),
        ("a purple Z in the middle, and at the bottom a red F", ["purple Z at the middle", "red F at the bottom"]),
        ("the black V's corner is at the top left", ["black V corner top left"]),
    ],
)
def test_a_board_is_read_as_people_mean_it(text: str, mentions: list[str]) -> None:
    assert [str(mention) for mention in read_board_text(text).mentions] == mentions


@pytest.mark.parametrize("text", FALSE_OF_THE_BOARD.strip().splitlines())
def test_false_words_about_a_board_are_noticed(text: str) -> None:
    assert board_talker().decide([Utterance("partner", "description", text)]) == "different"


@pytest.mark.parametrize(
    ("question", "answer", "decision"),
    [
        ("Where is your blue T?", "On the left side, about halfway down.", "same"),
        ("Where is your blue T?", "bottom right", "different"),
        ("Where is your red Z?", "I don't have one.", "different"),
        ("Where is your red Z?", "No idea", "same"),
        ("Which way is your blue T turned?", "the stem points left", "same"),
        ("Which way is your blue T turned?", "The stem is pointing up", "different"),
        ("Which way is your yellow I turned?", "vertical", "same"),
        ("Which way is your yellow I turned?", "It's horizontal", "different"),
        ("Which pieces are on the right?", "a blue U and a yellow V", "same"),
        ("Which pieces are on the right?", "none", "different"),
        ("Which pieces are at the bottom?", "Just the red Z", "same"),
        ("What is in the centre?", "the yellow bar", "same"),
        ("What is in the centre?", "Nothing.", "different"),
        ("Do you have a red Z?", "yes", "same"),
        ("Do you have a red Z?", "no", "different"),
    ],
)
def test_people_answer_a_question_about_the_board(question: str, answer: str, decision: str) -> None:
    history = [Utterance("me", "question", question), Utterance("partner", "answer", answer)]
    assert board_talker().decide(history) == decision


# Whole grids, told and asked for row by row


ALL_OF_IT = "Row 1: X X X X ▢\nRow 2: X ▢ ▢ ▢ X\nRow 3: X X X X ▢\nRow 4: X ▢ ▢ ▢ ▢\nRow 5: X ▢ ▢ ▢ X"


@pytest.mark.parametrize(
    "question",
    [
        "Read me your whole grid, row by row",
        "What is your whole grid?",
        "all rows please",
        "Please read out all five rows.",
        "Show me your grid",
        "What does your grid look like, row by row?",
        "What is in each row?",
        "Tell me everything",
    ],
)
def test_asked_for_all_of_its_grid_it_reads_the_five_rows(question: str) -> None:
    answer = grid_talker().answer(question)
    assert answer == ALL_OF_IT
    claims = read_grid_text(answer, question).claims
    assert grid_talk.list_known_cells(claims) == {cell: parse_grid(GRID)[cell] for cell in GRID_CELLS}


TOLD_ROW_BY_ROW = [
    "Row 1: X X X X . Row 2: only the first and the last. Row 3: all but the last. Row 4: only the first. Row 5: ends.",
    "Row 1: X X X X .\nRow 2: first and last.\nRow 3: X X X X .\nRow 4: just the first one.\nRow 5: same as row 2.",
    "row 1 has cells 1, 2, 3 and 4 filled, row 2 has cells 1 and 5 filled, row 3 cells 1-4, row 4 cell 1, row 5 1, 5",
    "row 1: 1,2,3,4; row 2: 1,5; row 3: 1,2,3,4; row 4: 1; row 5: 1,5",
    "First row: filled cells 1 to 4. Second row: filled 1 and 5. Third row: columns 1, 2, 3, 4. Fourth row: only "
    "column 1. Last row: columns 1 and 5.",
    "In row 1 cells 1, 2, 3 and 4 are filled. In row 2 the first and last are filled. In row 3 the first four. "
    "In row 4 only the first. In row 5 the first and last.",
    "Rows 1 and 3: X X X X _. Rows 2 and 5: X at both ends. Row 4: X only at the left.",
    "Row 5: X...X\nRow 4: X....\nRow 3: XXXX.\nRow 2: X...X\nRow 1: XXXX.",
    "Row 1: filled, filled, filled, filled, empty. Row 2: filled, three empty, filled. Row 3: full except the last. "
    "Row 4: filled then four empty. Row 5: filled, three empty, filled.",
    "1. XXXX.\n2. X...X\n3. XXXX.\n4. X....\n5. X...X",
    "1-4 in row 1, 1 and 5 in row 2, 1-4 in row 3, the first in row 4, the first and last in row 5.",
    "Column 1 is full. Column 2: 1 and 3. Column 3: 1 and 3. Column 4: 1 and 3. Column 5: 2 and 5.",
]


@pytest.mark.parametrize("text", TOLD_ROW_BY_ROW)
def test_a_grid_told_row_by_row_is_read_whole_and_not_asked_for_again(text: str) -> None:
    told = [Utterance("partner", "description", text)]
    known = grid_talk.list_known_cells(grid_talk.collect_claims(told))
    assert known == {cell: parse_grid(GRID)[cell] for cell in GRID_CELLS}
    me = grid_talker()
    assert me.decide(told) == "same"
    for _ in range(4):
        question = me.ask(told)
        assert "look like" not in question
        assert "Which" not in question
        assert "each" not in question
        assert question not in [entry.text for entry in told]
        told += [Utterance("me", "question", question), Utterance("partner", "answer", me.answer(question))]
    assert me.decide(told) == "same"


def test_of_rows_told_in_part_it_asks_only_for_the_others() -> None:
    told = [
        Utterance(
            "partner", "description", "Row 1: X X X X . Row 2: only the first and the last. Row 3: all but the last."
        )
    ]
    for answer in ("only the first", "cells 1 and 5"):
        told.append(Utterance("me", "question", grid_talker().ask(told)))
        assert "fourth row" in told[-1].text or "fifth row" in told[-1].text or "rows 4 and 5" in told[-1].text
        told.append(Utterance("partner", "answer", answer))


def test_it_asks_once_whether_the_cell_that_differs_was_a_slip() -> None:
    text = (
        "Row 1: X X X X . Row 2: only the first and the last. Row 3: all but the last. Row 4: empty. Row 5: X . . . X"
    )
    told = [Utterance("partner", "description", text)]
    assert grid_talker().decide(told) == "different"
    question = grid_talker().ask(told)
    assert question == "Are you sure: is row 4, column 1 empty?"
    told.append(Utterance("me", "question", question))
    for answer, decision in [("yes", "different"), ("No, it is filled", "same"), ("oh sorry, it's filled", "same")]:
        heard = [*told, Utterance("partner", "answer", answer)]
        assert grid_talker().decide(heard) == decision
        assert grid_talker().ask(heard) == "How many cells are filled altogether?"


@pytest.mark.parametrize(
    ("question", "answer", "decision"),
    [
        ("What does the third row look like, from left to right?", "1, 2, 3 and 4", "same"),
        ("What does the third row look like, from left to right?", "1 and 4", "different"),
        ("What does the third column look like, from top to bottom?", "row 1 and row 3 are filled", "same"),
        ("Which cells are filled in rows 1 and 4?", "row 1: 1-4, row 4: only the first", "same"),
        ("Which cells are filled in rows 1 and 4?", "row 1: 1-4, row 4: none", "different"),
        ("Which cells are filled in rows 1 and 4?", "1,2,3,4 in row 1 and 1 in row 4", "same"),
        ("Which cells are filled in rows 1 and 4?", "X X X X . and X . . . X", "different"),
        ("What does the fourth row look like, from left to right?", "nothing but the first", "same"),
    ],
)
def test_cells_listed_in_an_answer_are_read(question: str, answer: str, decision: str) -> None:
    assert (
        grid_talker().decide([Utterance("me", "question", question), Utterance("partner", "answer", answer)])
        == decision
    )


# Pieces left out, and pieces told


PINK = Board(
    pieces=(
        make_piece("blue U", 9, 0),
        make_piece("pink T", 0, 0),
        make_piece("green T", 4, 4),
        make_piece("pink I", 3, 10),
        make_piece("red Z", 9, 8, turn=90, mirrored=True),
    )
)


@pytest.mark.parametrize(
    ("question", "wanted"),
    cases("""
What colour is your U, and is there any pink piece besides the T? = blue U|pink I|!pink T|!green T
Is there any pink piece other than the T? = Yes|pink I|!T
Besides the T, is there any pink piece? = Yes|pink I|!T
Do you have a T apart from the pink one? = Yes|green T|!pink
Do you have any pink piece except for the T and the I? = No|no other pink|!T
Is there any blue piece besides the U? = No|no other blue piece|!blue U
What is on the left besides the T? = blue U|!pink T
How many pieces are there except the T and the U? = two other pieces
Which pieces do you have apart from the blue U and the pink T? = green T|pink I|red Z|!blue U|!pink T
"""),
)
def test_pieces_left_out_of_a_question_are_left_out_of_the_answer(question: str, wanted: str) -> None:
    must_hold(board_talker(PINK).answer(question), wanted)


@pytest.mark.parametrize(
    "question",
    [
        "Is there a blue piece, and a U?",
        "Do you have a U, a blue piece and a blue U?",
        "What colour is the U and where is the U?",
        "Is there a U, and is there a blue piece?",
    ],
)
def test_no_piece_is_told_twice_in_one_answer(question: str) -> None:
    assert board_talker(PINK).answer(question).count("blue U") == 1


def test_claims_leave_pieces_out() -> None:
    for text, decision in [
        ("No pink piece besides the T.", "different"),
        ("There is no blue piece other than the U.", "same"),
        ("no green piece except the X", "different"),
    ]:
        assert board_talker(PINK).decide([Utterance("partner", "description", text)]) == decision


OTHERS = "a pink T at the top left, a green T in the centre, a pink I on the right, a red Z at the bottom right"


@pytest.mark.parametrize("text", [f"5 pieces: a pink U at the bottom left, {OTHERS}.", "a pink U at the bottom left"])
@pytest.mark.parametrize("seed", range(5))
def test_boards_known_to_differ_it_asks_what_was_not_told(text: str, seed: int) -> None:
    me = make_talker(pentomino.describe_board(PINK), Random(seed))
    told = [Utterance("partner", "description", text)]
    for _ in range(4):
        question = me.ask(told)
        assert question not in ("Where exactly is your pink U?", "What is at the bottom left?")
        assert "blue U" not in question
        assert not text.startswith("5") or "Do you have" not in question
        told += [Utterance("me", "question", question), Utterance("partner", "answer", "I do not know")]
    assert me.decide(told) == "different"
    assert "Where exactly is your pink U?" in me.ask([Utterance("partner", "description", "There is a pink U.")])


# Its own words never mislead it

any_grid = st.one_of(
    st.sampled_from([p.grid for family in ("letters", "shapes", "diagonals") for p in grids.patterns(family)]),
    st.sets(st.sampled_from(GRID_CELLS)).map(grid_of),
)


@settings(max_examples=30)
@given(any_grid, st.integers(0, 100))
def test_all_it_says_about_a_grid_is_true_of_it(grid: grids.Grid, seed: int) -> None:
    me = grid_talk.GridTalker(format_grid(grid), Random(seed))
    assert me.decide([Utterance("partner", "description", me.describe())]) == "same"
    for question in grid_talk.list_all_questions():
        answer = me.answer(question.text)
        claims = read_grid_text(answer, question.text).claims
        assert claims, f"{question.text} {answer} is not understood"
        assert all(claim.is_true_of(grid) for claim in claims), f"{question.text} {answer}"


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_all_it_says_about_a_board_is_true_of_it(seed: int) -> None:
    board = pentomino.make_board(Random(seed))
    me = board_talk.BoardTalker(pentomino.describe_board(board), Random(seed))
    assert me.decide([Utterance("partner", "description", me.describe())]) == "same"
    history: list[Utterance] = []
    for _ in range(6):
        question = me.ask(history)
        answer = me.answer(question)
        assert "not sure" not in answer
        history += [Utterance("me", "question", question), Utterance("partner", "answer", answer)]
    assert me.decide(history) == "same"


@pytest.mark.parametrize("picture", [GRID, pentomino.describe_board(BOARD)], ids=["grid", "board"])
def test_it_never_asks_twice_and_always_says_the_same_to_the_same(picture: object) -> None:
    def asked() -> list[str]:
        me = make_talker(picture, Random(5))  # type: ignore[arg-type]
        history = [Utterance("partner", "description", me.describe())]
        for _ in range(8):
            history.append(Utterance("me", "question", me.ask(history)))
            history.append(Utterance("partner", "answer", me.answer(history[-1].text)))
        return [entry.text for entry in history]

    said = asked()
    assert said == asked()
    questions = said[1::2]
    assert len(set(questions)) == len(questions)


def test_it_does_not_ask_what_was_said() -> None:
    me = grid_talker()
    told = [
        Utterance(
            "partner", "description", "\n".join(f"Row {i + 1} is {row}." for i, row in enumerate(GRID.split("\n")))
        )
    ]
    claims = grid_talk.collect_claims(told)
    known = grid_talk.list_known_cells(claims)
    assert all(question.is_settled(claims, known) for question in grid_talk.list_all_questions())
    assert me.ask(told)


# Anything may be said to it

nasty = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            "row column 1 2 9 first last top left corner X ▢ , and not no is filled empty full except only rest red "
            "T I piece of to above in how many which where ? . : ( ) <10001> all each diagonal - #3 o2 zzshapet middle "
            "upright with foot at mirrored open between more than\n".split(" ")
        ),
        max_size=25,
    ).map(" ".join),
)


@settings(max_examples=40)
@given(nasty, nasty)
@example("\ud800 lone \udfff surrogate", "\x00\x07")
@example("مرحبا ٣ صف ②", "<script>alert(1)</script>")
@example("row " * 20_000, "X" * 100_000)
@example("9" * 100_000, "first " * 20_000)
def test_nothing_that_is_said_breaks_it(question: str, answer: str) -> None:
    for me in (grid_talker(), board_talker()):
        assert me.answer(question)
        history = [
            Utterance("partner", "description", answer),
            Utterance("partner", "question", question),
            Utterance("me", "question", question),
            Utterance("partner", "answer", answer),
        ]
        assert me.ask(history)
        assert me.decide(history) in ("same", "different")


def test_of_a_long_text_the_beginning_is_read_and_it_says_so() -> None:
    answer = grid_talker().answer("Is the centre filled? " + "blah " * 20_000)
    assert answer.startswith(f"I only read the first {MAX_LENGTH} characters of that. Yes")


# How well it plays itself


def play(instance: Instance, questions: int, seed: str) -> bool:
    """One episode by the protocol of MatchIt, both seats scripted; whether both decide rightly."""
    me = {side: make_talker(describe_side(instance, side), Random(f"{seed}/{side}")) for side in "AB"}
    said: list[tuple[str, str, str]] = [(side, "description", me[side].describe()) for side in "AB"]

    def view(side: str) -> list[Utterance]:
        return [Utterance("me" if by == side else "partner", kind, text) for by, kind, text in said]  # type: ignore[arg-type]

    for asker, other in ["BA", "AB"] * questions:
        said.append((asker, "question", me[asker].ask(view(asker))))
        said.append((other, "answer", me[other].answer(said[-1][2])))
    return all(me[side].decide(view(side)) == instance.expected_decision for side in "AB")


@pytest.mark.slow
@pytest.mark.parametrize("questions", [1, 3, 5])
def test_it_plays_itself_well(questions: int) -> None:
    for variant, experiments in EXPERIMENTS.items():
        data = json.loads((ROOT / "instances" / "matchit" / f"{variant}.json").read_text(encoding="utf-8"))
        for experiment in [name for name in experiments if name in data["experiments"]]:
            pairs = [load(entry) for entry in data["experiments"][experiment]]
            won = [play(pair, questions, f"{experiment}/{i}") for i, pair in enumerate(pairs)]
            main = 100 * sum(won) / len(won)
            sys.stdout.write(f"\n{questions} questions, {variant}/{experiment}: mean main score {main:.0f}")
            similar = "similar" in experiment
            assert main >= (60 if similar and questions == 1 else 80 if similar else 90)


ROOM = scene("scene", "living room", [thing("lamp 1", "lamp", ["red"], [30, 170, 40, 110])], [])
SAYS_NOTHING = """
I don't know | I dont know. | Don’t know | I really do not know, sorry | dunno | idk
I can't tell | I cannot say | sorry, I couldn't say | hard to tell | no clue | no idea
I'm not certain | I am not so sure | that's unclear | I didn't understand | What do you mean?
"""


@pytest.mark.parametrize(
    "answer", [part.strip() for part in SAYS_NOTHING.replace("\n", "|").split("|") if part.strip()]
)
def test_who_does_not_know_has_claimed_nothing(answer: str) -> None:
    """Partners counted it for "different", and the debriefing listed it as understood."""
    asked = (
        (grid_talker(), "Is the top left corner filled?"),
        (board_talker(), "Where is your red Z?"),
        (make_talker(ROOM, Random(1)), "What colour is the lamp?"),
    )
    for talker, question in asked:
        history = [Utterance("me", "question", question), Utterance("partner", "answer", answer)]
        assert talker.explain_decision(history)[0] == "Understood: nothing.", question


ASKS_BACK = """
I don't get the question | Hmm | hm, what? | what do you mean? | sorry? | huh | eh? | ??? | pardon? | excuse me?
can you rephrase that please | Come again? | I don't quite follow | I'm confused | what's the question?
Sorry, I did not understand your question | could you ask that in a different way
"""


@pytest.mark.parametrize("line", [part.strip() for part in ASKS_BACK.replace("\n", "|").split("|") if part.strip()])
def test_who_asks_back_has_claimed_nothing_and_is_asked_once_more(line: str) -> None:
    """About boards, "I don't get it" counted for "no piece", and "sorry?" was answered with the whole board."""
    for talker in (grid_talker(), board_talker(), make_talker(ROOM, Random(1))):
        told = [Utterance("partner", "description", line), Utterance("me", "question", talker.ask([]))]
        asked_back = [*told, Utterance("partner", "answer", line)]
        assert talker.explain_decision(asked_back)[0] == "Understood: nothing."
        again = talker.ask(asked_back)
        assert again == f"{told[-1].text} I am asking about what you see."
        for answer in (
            "yes",
            "three",
            "top left",
            "a red T",
        ):  # what is added changes nothing about how answers are read
            reply = Utterance("partner", "answer", answer)
            assert talker.weigh([*told, reply]) == talker.weigh([Utterance("me", "question", again), reply])
        others = talker.ask([*asked_back, Utterance("me", "question", again), Utterance("partner", "answer", line)])
        assert told[-1].text not in others, "and then something else"
        question = Utterance("partner", "question", line)
        assert talker.answer_last_question([question]).startswith("I described what I see. You can ask")
        assert told[-1].text in talker.answer_last_question([*asked_back, question])


@pytest.mark.parametrize(
    "line",
    ["What does it say?", "Sorry, no", "hmm, yes", "What do you mean by a cross?", "Say which are red", "X X X", "no"],
)
def test_a_question_or_answer_about_the_picture_does_not_ask_back(line: str) -> None:
    assert not asks_back(line)


@pytest.mark.parametrize("answer", ["I don't see one", "No, it doesn't say so", "It is not there"])
def test_who_denies_has_claimed_something(answer: str) -> None:
    history = [Utterance("me", "question", "Is there a red Z?"), Utterance("partner", "answer", answer)]
    assert board_talker().decide(history) == "different"


@pytest.mark.parametrize("smile", ["🙂", ":)", "❤️🎉"])
def test_a_smile_is_no_question(smile: str) -> None:
    assert grid_talker().answer(f"What is in the top row? {smile}") == grid_talker().answer("What is in the top row?")
