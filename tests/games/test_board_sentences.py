"""Sentences and questions about a board, made from the board: none is taken for a difference or answered falsely."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.common.pentomino import COLOURS, PIECE_SHAPES, Board, Piece, describe, make_board, orientation
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
    words = orientation(piece.shape, piece.turn, piece.mirrored)
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
                is_there = orientation("V", piece.turn, piece.mirrored).endswith(corner)
                yield f"is the corner of the {piece.colour} V at the {corner}?", is_there
        for other in board.pieces:
            yield from told_of_two(piece, other)


def told_of_two(piece: Piece, other: Piece) -> Iterator[Said]:
    down, right = (there - here for here, there in zip(piece.middle, other.middle, strict=True))
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
    item = {"kind": "pentomino", **describe(board)}
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
    item = {"kind": "pentomino", **describe(board)}
    texts = sorted({*told_of_pieces(board, rng), *told_of_numbers(board, rng)})
    statements = [text for text, is_true in texts if is_true and text[-1] != "?" and ", in the" not in text]
    for _ in range(30):
        joint = rng.choice([". ", ", ", " and ", "; ", ", and "])
        text = joint.join(rng.sample(statements, 4))
        assert decide(f"{text[0].upper()}{text[1:]}.", item) == "same", (text, board)
