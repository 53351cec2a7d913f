"""Sentences and questions about a board, made from the board: none is taken for a difference or answered falsely."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.common.pentomino import COLOURS, PIECE_SHAPES, Board, Piece, describe_board, describe_orientation, make_board
from tests.games.made_pictures import make_piece
from tests.games.partner_figures import decide, partner

NUMBERS = "no one two three four five six seven eight".split()
NAMES = {
    "X": ("X", "cross", "plus", "plus sign"), "I": ("I", "bar", "straight line", "stick", "line of five"),
    "W": ("W", "staircase", "W shape"), "V": ("V", "V shape", "corner", "angle"), "U": ("U", "U shape", "cup"),
    "Z": ("Z", "Z shape", "S or Z shape"), "T": ("T", "T shape", "T-piece"), "L": ("L", "L shape", "L piece"),
    "F": ("F", "F-pentomino", "F shape"), "N": ("N", "N shape"), "P": ("P", "P shape", "P piece"),
    "Y": ("Y", "Y shape", "Y piece"),
}  # fmt: skip
PLACES = {
    "top left": "at the top left|in the top left corner|in the upper left|up on the left|in the upper left part",
    "top centre": "at the top|in the top middle|at the top, in the middle|in the upper middle|near the top edge",
    "top right": "at the top right|in the upper right corner|in the top right-hand corner|on the right at the top",
    "centre left": "on the left|at the left edge, in the middle|on the left side|halfway down on the left",
    "centre": "in the centre|in the middle|in the middle of the board|right in the middle|roughly in the centre",
    "centre right": "on the right|on the right side|at the right, halfway down|in the middle of the right side",
    "bottom left": "at the bottom left|in the bottom left corner|in the lower left|down on the left",
    "bottom centre": "at the bottom|in the lower middle|at the bottom in the middle|near the bottom edge",
    "bottom right": "at the bottom right|in the lower right corner|in the bottom right-hand corner",
}
FACING = {
    "top left": "bottom right",
    "top right": "bottom left",
    "bottom left": "top right",
    "bottom right": "top left",
}
OTHER_SIDES = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
POINTING = {"top": "up", "bottom": "down", "left": "left", "right": "right"}
POINTED = {"up": "top", "down": "bottom"}
PIECE_SENTENCES = (
    "there is {a} {place}|{a} {place}|{place} I see {a}|the {name} is {place}|{place}: {name}|{place} is {a}"
    "|the {name} lies {place}|the piece {place} is {a}|I have {a}, it is {place}|the {shape} {place} is {colour}"
)
COLOUR_TEXTS = {
    "no {c} piece|nothing is {c}|there is no {c}|none of the pieces is {c}|I don't have anything {c}": "=0",
    "only one piece is {c}|there is exactly one {c} piece|just one {c} piece|is only one piece {c}?": "=1",
    "two pieces are {c}|there are two {c} ones|{c} appears twice|are there two {c} pieces?": "=2",
    "is there a {c} piece?|do you have anything {c}?|is any piece {c}?|isn't there a {c} one?": ">0",
    "do you have exactly one {c} piece?": "=1", "are there no {c} pieces?": "=0", "is more than one piece {c}?": ">1",
}  # fmt: skip
SHAPE_TEXTS = {
    "there is no {s}|no {s} shape anywhere|none of them is {a}|is there no {s}?": "=0",
    "there is only one {s}|exactly one {s}": "=1", "there are two {s}s|are there two {s}s?": "=2",
    "is there {a}?|do you have {a}?|have you got {a} anywhere?|is one of the pieces {a}?": ">0",
}  # fmt: skip
Said = tuple[str, bool]
"""A sentence or question, and whether it is true."""


def article(words: str) -> str:
    return ("an " if words[0].lower() in "aeio" or words.split("-")[0].split()[0] in list("FLNX") else "a ") + words


def lies(piece: Piece) -> Iterator[str]:
    """Yield how a piece lies, as "the red T is …"."""
    words = describe_orientation(piece.shape, piece.turn, piece.mirrored)
    if piece.shape in "ILYNP":
        yield from ("standing upright", "vertical") if piece.height > piece.width else ("lying down", "horizontal")
    if piece.shape == "T":
        side = words.split()[-1]
        yield from (words, f"lying with the stem to the {side}" if side in ("left", "right") else words)
        yield {"up": "upside down", "down": "standing with its bar at the top"}.get(side, "on its side")
    elif piece.shape == "U":
        yield from (words, words.replace("open", "opening"), words.replace("open", "with its opening"))
    elif piece.shape == "V":
        corner = words.split("at the ")[1]
        yield from (words, f"with the corner in the {corner}", f"a piece whose corner is at the {corner}")
    elif piece.shape in "LYNP":
        yield words
    yield from show_parts(piece)


def show_parts(piece: Piece) -> Iterator[str]:
    """Yield where parts of a piece are by other names than the partner's own."""
    words = describe_orientation(piece.shape, piece.turn, piece.mirrored)
    sides = [word for word in words.replace(",", "").split() if word in OTHER_SIDES]
    if piece.shape == "L":
        short, long = (sides[1], sides[0]) if piece.height > piece.width else sides
        yield f"with its short arm pointing to the {short}"
        yield f"with the long side pointing {POINTING[OTHER_SIDES[long]]}"
        yield f"its short end is at the {long}"
    elif piece.shape == "T":
        yield f"a shape whose bar is at the {OTHER_SIDES[POINTED.get(words.split()[-1], words.split()[-1])]}"
    elif piece.shape == "V":
        yield f"with its arms pointing {POINTING[OTHER_SIDES[sides[0]]]} and {OTHER_SIDES[sides[1]]}"
    elif piece.shape == "W":
        is_rising = sides in (["top", "left"], ["bottom", "right"])
        yield from (f"going {'up' if is_rising else 'down'} {way}" for way in ("to the right", "from left to right"))
    elif piece.shape == "Y":
        yield f"a stick with a nub on the {sides[1 if piece.height > piece.width else 0]}"


def told_of_pieces(board: Board, rng: Random) -> Iterator[Said]:
    for piece in board.pieces:
        shape, place = rng.choice(NAMES[piece.shape]), rng.choice(PLACES[piece.place].split("|"))
        name = f"{piece.colour} {shape}"
        words = {"a": article(name), "name": name, "place": place, "colour": piece.colour, "shape": shape}
        yield from ((text.format(**words), True) for text in PIECE_SENTENCES.split("|"))
        yield from ((f"is the {name} {place}?", True), (f"do you have {article(name)} {place}?", True))
        for lie in lies(piece):
            yield from ((f"the {name} is {lie}", True), (f"{place} there is {article(name)}, {lie}", True))
        if facing := FACING.get(piece.place):
            elsewhere = rng.choice(PLACES[facing].split("|"))
            yield from ((f"is the {name} {elsewhere}?", False), (f"is there {article(name)} {elsewhere}?", False))
        if piece.shape == "V":
            for corner in FACING:
                is_there = describe_orientation("V", piece.turn, piece.mirrored).endswith(corner)
                yield f"is the corner of the {piece.colour} V at the {corner}?", is_there
        for other in board.pieces:
            yield from told_of_two(piece, other)


def told_of_two(piece: Piece, other: Piece) -> Iterator[Said]:
    down, right = (there - here for here, there in zip(piece.box_centre, other.box_centre, strict=True))
    if right > 4 and abs(down) < 2.5:
        yield f"left of the {other.name} I see {article(piece.name)}", True
        yield f"to the right of the {piece.name} there is {article(other.name)}", True
    if down > 4 and abs(right) < 2.5:
        yield f"the {other.name} lies beneath the {piece.name}", True
        yield f"below the {piece.name} is {article(other.name)}", True
    if abs(right) > 5:
        yield f"is the {piece.name} further left than the {other.name}?", right > 0
    if abs(down) > 5:
        yield from ((f"is the {piece.name} higher than the {other.name}?", down > 0),)
        yield f"is the {piece.name} below the {other.name}?", down < 0


def told_of_numbers(board: Board, rng: Random) -> Iterator[Said]:
    colours, shapes = (Counter(getattr(piece, key) for piece in board.pieces) for key in ("colour", "shape"))
    for number in range(4, 9):
        yield from ((text, number == len(board.pieces)) for text in (f"there are {number} pieces", f"{number} blocks"))
        yield f"are there {NUMBERS[number]} pieces?", number == len(board.pieces)
        yield f"are there more than {NUMBERS[number]} pieces?", len(board.pieces) > number
    for texts, wanted in COLOUR_TEXTS.items():
        for colour in COLOURS:
            yield from ((text.format(c=colour), _is_so(colours[colour], wanted)) for text in texts.split("|"))
    for texts, wanted in SHAPE_TEXTS.items():
        for shape in set(PIECE_SHAPES) - {"I"}:
            yield from ((t.format(s=shape, a=article(shape)), _is_so(shapes[shape], wanted)) for t in texts.split("|"))


def _is_so(number: int, wanted: str) -> bool:
    return number == int(wanted[1:]) if wanted[0] == "=" else number > int(wanted[1:])


@pytest.mark.parametrize("seed", range(12))
def test_nothing_true_of_a_board_is_denied(seed: int) -> None:
    board, rng = make_board(Random(seed)), Random(seed)
    item = {"kind": "pentomino", **describe_board(board)}
    texts = sorted({*told_of_pieces(board, rng), *told_of_numbers(board, rng)})
    statements = [text for text, is_true in texts if is_true and not text.endswith("?")]
    for text in rng.sample(statements, 60):
        assert decide(f"{text[0].upper()}{text[1:]}.", item) == "same", (text, board)
    for text, is_true in rng.sample([said for said in texts if said[0].endswith("?")], 60):
        answer = partner(item).answer(text[0].upper() + text[1:])
        assert not answer.startswith("No" if is_true else "Yes"), (text, answer, board)


@pytest.mark.parametrize("seed", range(12))
def test_no_description_of_several_sentences_is_a_difference(seed: int) -> None:
    board, rng = make_board(Random(seed)), Random(seed)
    item = {"kind": "pentomino", **describe_board(board)}
    texts = sorted({*told_of_pieces(board, rng), *told_of_numbers(board, rng)})
    statements = [text for text, is_true in texts if is_true and text[-1] != "?" and ", in the" not in text]
    for _ in range(30):
        joint = rng.choice([". ", ", ", " and ", "; ", ", and "])
        text = joint.join(rng.sample(statements, 4))
        assert decide(f"{text[0].upper()}{text[1:]}.", item) == "same", (text, board)


# ---------------------------------------------------------------------- edges, directions and what follows later
BOARD = Board(
    pieces=(
        make_piece("red I", 0, 1),
        make_piece("blue W", 0, 4, turn=90),
        make_piece("pink F", 1, 8, turn=180, mirrored=True),
        make_piece("blue V", 4, 7),
        make_piece("purple N", 8, 0, mirrored=True),
        make_piece("black X", 9, 6),
        make_piece("yellow Y", 5, 2, turn=90),
    )
)
"""Stairs that rise to the right, an F near the top right corner, a bar that lies with a bump on top; free corners."""
EDGES = ("top", "bottom", "left", "right")
FREE_EDGE = (
    "nothing touches the {} edge|no piece reaches the {} edge|the {} edge is free|there is nothing on the {} edge"
)
TRUE_OF_THE_BOARD = """
At the left a red bar, standing right at the top.
Bottom left: a purple zigzag. Above it, a little to the right, a red bar. Below that to the right a black plus.
The yellow one is a bar lying on the left. It has a bump on top.
A yellow stick lying flat with a knob above, on the left.
Blue stairs at the top, going up to the right.
No green orange white.
Nothing green, and at the top edge: a red bar and blue stairs, nothing else.
All four corners are empty. The top right corner is free.
The pink piece is high up but not at the very top. It doesn't touch any edge.
The purple piece touches the left edge and the bottom edge but not the top.
Black plus in the lower half. It ends on the bottom edge.
The red bar is above the purple snake.
The red bar and the pink F: neither touches the bottom.
The purple snake goes from the top left to the bottom right.
A yellow piece left of the middle, and a black plus below the middle.
The blue L with equal arms sits in the middle, its bend at the bottom left.
The blue stairs climb from left to right.
The bend of the blue corner is at the bottom left, its arms point up and right.
A yellow stick on the left. It has a nub on top.
A blue corner between the blue stairs above and the black plus below.
The pink F is high up. Just below and to the left there's a blue corner.
Two blue ones: the lower one is a corner, the upper one is a staircase.
At the right, halfway down I see a blue corner.
The red bar is five squares long, tipped over a bit.
A yellow piece on the left. It's flat at the bottom and has a bump at the top.
The pink one is at the top right. It's more to the right than the blue stairs.
The yellow bar is horizontal. On top of it there is a little nub.
No shape appears twice, and blue is the only colour that appears twice.
Each shape is there once. Blue appears twice, red once.
A yellow stick with a bump at the bottom left, below the red bar.
The red bar stands at the left. The one with a bump is yellow and lies flat.
The black plus is below the blue stairs, right of the purple snake.
A purple piece standing in the lower left corner; it touches the bottom left corner of the board.
Left side from the top: red bar, yellow stick with a bump, purple snake.
Top left a red bar, and below it a purple snake.
The blue corner sits in the middle, like a little chair. Green and pink... no, green and white are not there.
The blue V has his corner at the bottom, on the left.
The blue V, which bends at the bottom left, stands in the middle.
The blue corner in the middle with corner at the lower left, below it a black plus.
The pink F: one on top at the right, three down the middle, one at the left.
The pink F stands at the right, its lower end on the right touches nothing, its top arm to the left is short.
A blue corner: flat at the bottom with the little upright on its left end.
The yellow stick looks like a tiny crane, with a flat bottom.
The yellow one lies flat, its upper row has one square.
The yellow piece in the middle, with a black plus to the lower right.
The purple piece is below the red bar and more to the left.
The highest pieces are the red bar and the blue stairs. Furthest to the right is the pink F.
The two lowest are purple and black. The leftmost is the purple snake.
The plus is black not green. Two black? No one black plus at the bottom.
The arm of the blue corner goes up and right below it is a black plus.
The blue corner hugs the yellow stick on its right.
The corner bit of the pink F sticks out at the top.
A blue one in the middle: three up and three across, bend lower left.
The blue corner, in the middle: corner lower left. Bar is at the bottom.
The black plus isn't in a corner, it's in the middle at the bottom.
The yellow stick below the red bar has its bump at the bottom left.
The bottom right of my board is empty.
The yellow piece lies flat in the middle, nothing of it in the bottom row.
"""
FALSE_OF_THE_BOARD = """
None of them touches the left edge.
Mine has no blue at all: two reds and a pink one.
Blue stairs going down to the right.
No purple green orange.
The black plus touches the top edge, and the pink piece looks like a dragonfly.
Two blues, a staircase and a cross.
The red bar touches the left edge. The pink F touches the right edge. The yellow piece touches the bottom.
One piece is in the top left corner and it is black; nothing touches an edge.
A blue corner in the middle. Its bend is at the top right.
A yellow stick on the left. The bump points down.
The black plus is below the blue stairs and left of the purple snake.
The black plus is in the bottom right corner.
Blue stairs which come down from left to right.
The yellow one, long and thin, fills the bottom right.
A black piece with a nub on its left.
The yellow piece is at the bottom.
Red appears twice.
The blue corner opens down, like a little bridge.
The red bar is at the bottom, same for the purple snake.
The plus in the lower part, near the edge, is green.
The pink F lies lowest, and blue and purple are missing.
The red bar is the furthest to the right.
The lowest piece is the blue corner.
The black plus isn't at the bottom, it's at the top.
"""


@pytest.mark.parametrize("seed", range(6))
def test_an_edge_of_a_board_is_its_outermost_row_or_column(seed: int) -> None:
    board = make_board(Random(seed))
    item = {"kind": "pentomino", **describe_board(board)}
    for side, axis, line in zip(EDGES, (0, 0, 1, 1), (0, 11, 0, 11), strict=True):
        gaps = [min(abs(cell[axis] - line) for cell in piece.cells) for piece in board.pieces]
        for text in FREE_EDGE.format(*[side] * 4).split("|"):
            assert decide(f"{text.capitalize()}.", item) == ("same" if all(gaps) else "different"), (text, board)
        for one, gap in zip(board.pieces, gaps, strict=True):
            answer = partner(item).answer(f"Does the {one.name} touch the {side} edge?")
            assert answer.startswith("No" if gap else "Yes"), (answer, board)
            is_alone = sum(other.colour == one.colour for other in board.pieces) == 1
            if gap != 1 and is_alone:  # one cell may be overlooked, and shapes be mixed up
                expected = "different" if gap else "same"
                assert decide(f"The {one.name} touches the {side} edge.", item) == expected, (one, side, board)


@pytest.mark.parametrize("text", TRUE_OF_THE_BOARD.strip().splitlines())
def test_directions_and_edges_are_no_thirds_of_a_board(text: str) -> None:
    assert decide(text, {"kind": "pentomino", **describe_board(BOARD)}) == "same"


def test_it_is_the_topic_of_the_question_before_or_not_understood() -> None:
    me = partner({"kind": "pentomino", **describe_board(BOARD)})
    assert me.answer("How many blue pieces are there, and how are they turned?").endswith("corner at the bottom left.")
    assert me.answer("How many pieces touch the left edge, and which?").count("purple N") == 2
    assert me.answer("Which pieces touch the top edge but not the left one?").startswith(
        "A red I at the top left and a blue W"
    )
    assert me.answer("Does it stand or lie?").startswith("I am not sure what you mean by “it”, but the red I is at")


def test_a_foot_at_the_top_is_upside_down_and_a_bar_is_opposite_the_stem() -> None:
    board = Board(pieces=(make_piece("yellow L", 0, 0, turn=180), make_piece("blue T", 0, 6)))
    me = partner({"kind": "pentomino", **describe_board(board)})
    assert me.answer("Is the yellow L upside down?").startswith("Yes")
    assert me.answer("Does the blue T have its bar at the top?").startswith("Yes")
    assert me.answer("Is the bar of the blue T at the bottom?").startswith("No")
    assert (
        me.answer("Where is the stem of the blue T?") == "The blue T is at the top centre, with its stem pointing down."
    )


@pytest.mark.parametrize("text", FALSE_OF_THE_BOARD.strip().splitlines())
def test_differences_at_edges_and_in_single_clauses_are_noticed(text: str) -> None:
    assert decide(text, {"kind": "pentomino", **describe_board(BOARD)}) == "different"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which pieces touch the top edge?", "A red I at the top left and a blue W at the top centre."),
        ("What is under the blue stairs?", "A yellow Y in the centre and a black X at the bottom centre."),
        ("What is above the purple N?", "A red I at the top left."),
        ("What is to the left of the black plus?", "A purple N at the bottom left."),
        ("Is the red bar lying or standing?", "The red I is upright."),
        ("Which edges does the black plus touch?", "The black X touches the bottom edge."),
        (
            "Is the bend of the blue corner at the top right?",
            "No, I have no such blue V; the blue V has its corner at the bottom left.",
        ),
        ("Is the blue V above or below the black plus?", "The blue V is above and right of the black X."),
        ("Does the black cross touch the left or the bottom edge?", "The black X touches the bottom edge."),
        ("Is the right edge free?", "Yes, there is nothing at the right edge."),
        ("Is the top right corner empty?", "I am not sure; the pink F is at the top right."),
        ("Which colours appear twice?", "Blue twice."),
        ("Are all the pieces different shapes?", "Yes, no shape is there twice."),
        ("Do any two pieces share a colour?", "Yes, blue twice."),
        (
            "Do your two blue pieces have the same shape?",
            "No, a blue W at the top centre and a blue V at the centre right.",
        ),
        (
            "Are both blue pieces different shapes?",
            "Yes, a blue W at the top centre and a blue V at the centre right.",
        ),
        (
            "Do the three blue pieces have the same shape?",
            "I am not sure what you mean by “same”, but the blue W is at the top centre and the blue V is at the "
            "centre right.",
        ),
        (
            "Are both blue pieces at the top?",
            "I am not sure; a blue W at the top centre and a blue V at the centre right.",
        ),
        ("Are both blue pieces at the bottom?", "No, a blue W at the top centre and a blue V at the centre right."),
        ("Is the blue one at the top a T or a W?", "The blue W is at the top centre."),
        ("Is there anything left of the purple N?", "No, there is nothing left of the purple N."),
        (
            "Is the purple N above the bottom row?",
            "I am not sure what you mean by “row”, but the purple N is at the bottom left.",
        ),
        ("How many plusses are there, and in which colours?", "I have one X: a black X at the bottom centre."),
        (
            "In which corner does the blue V bend?",
            "The blue V is at the centre right, with its corner at the bottom left.",
        ),
        (
            "Which pieces do not touch an edge?",
            "The pink F touches no edge, the blue V touches no edge and the yellow Y touches no edge.",
        ),
        (
            "What is not at the top?",
            "A blue V at the centre right, a yellow Y in the centre, a purple N at the bottom left and a "
            "black X at the bottom centre.",
        ),
        ("Which piece reaches highest?", "A red I at the top left and a blue W at the top centre."),
        ("What is furthest to the right?", "A pink F at the top right."),
        ("Where is the red bar, and does it stand or lie?", "The red I is at the top left. The red I is upright."),
        ("Which shapes are there only once?", "I, W, F, V, Y, N and X once."),
        ("Does the pink F touch any edge?", "No, I have no pink F at an edge; the pink F touches no edge."),
    ],
)
def test_questions_about_edges_and_alternatives_are_answered_with_what_is_so(question: str, answer: str) -> None:
    assert partner({"kind": "pentomino", **describe_board(BOARD)}).answer(question) == answer


CHOICES = (
    make_piece("red L", 0, 0), make_piece("green W", 0, 8), make_piece("green N", 5, 0), make_piece("blue X", 8, 8),
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("There is no pink one, right?", "Yes, I have no pink piece."),
        ("So the blue one is a cross right?", "Yes, the blue X is at the bottom right."),
        ("Is the plus red or blue?", "The blue X is at the bottom right."),
        ("Are there more green ones or more red ones?", "I have two green pieces"),
        (
            "Which green is further right, the W or the other one?",
            "The green W is above and right of the green N.",
        ),
        ("What colours have only one piece?", "Red and blue once."),
        ("whats directly below the red one, the bar?", "A green N at the centre left."),
        ("Which corner has the blue piece?", "A blue X at the bottom right."),
        ("Which corner is empty?", "I am not sure"),
        ("Do any two pieces touch each other?", "No, no piece touches another one."),
        (
            "Are the red and the blue one the same shape?",
            "No, a red L at the top left and a blue X at the bottom right.",
        ),
        ("What is closest to the bottom?", "A blue X at the bottom right."),
        ("What is nearest to the blue cross?", "I am not sure what you mean by “nearest”"),
        ("Which one is longer, the red L or the green N?", "I am not sure what you mean by “longer”"),
        ("Is there anything in the bottom right corner?", "I am not sure; the blue X is at the bottom right."),
    ],
)
def test_a_choice_or_comparison_is_answered_with_what_is_so(question: str, answer: str) -> None:
    board = Board(pieces=CHOICES)
    assert partner({"kind": "pentomino", **describe_board(board)}).answer(question).startswith(answer)
