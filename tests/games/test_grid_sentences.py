"""Sentences that people could say of a grid, made from the grid: a partner never takes a true one for a difference."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.games.made_pictures import write_grid
from tests.games.partner_figures import decide, lines, partner

SIZE = 5
ORDINALS = ("first", "second", "third", "fourth", "fifth")
NUMBERS = ("no", "one", "two", "three", "four", "five")
NAMES = {
    "row": {
        0: ("the top row", "row one"),
        2: ("the middle row",),
        4: ("the bottom row", "the last row", "the lowest row"),
    },
    "column": {0: ("the leftmost column",), 2: ("the centre column",), 4: ("the last column", "the right-hand column")},
}
GRIDS = sorted({row["picture"] for row in lines("grids_descriptions") if "X" in row.get("picture", "")})
Grid = list[list[bool]]


def cells_of(text: str) -> Grid:
    """Return which cells of a grid are filled."""
    return [[cell != "▢" for cell in row.split()] for row in text.split("\n")]


def numerals(places: list[int]) -> str:
    return join([str(place + 1) for place in places])


def join(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plural(number: int, noun: str) -> str:
    return f"{NUMBERS[number]} {noun}{'s' * (number != 1)}"


def sentences_of(grid: Grid, rng: Random) -> Iterator[str]:
    """Yield true sentences about a grid, without a capital and a full stop."""
    for axis, across in (("row", "column"), ("column", "row")):
        table = grid if axis == "row" else [list(column) for column in zip(*grid, strict=True)]

        def name(at: int, axis: str = axis) -> str:
            plain = (f"{axis} {at + 1}", f"the {ORDINALS[at]} {axis}", f"{axis} number {at + 1}")
            return rng.choice((*plain, *NAMES[axis].get(at, ())))

        for at, line in enumerate(table):
            yield from sentences_of_line(line, lambda at=at: name(at), across)
            for other in range(at + 1, SIZE):
                first, second = name(at), name(other)
                if line == table[other]:
                    yield f"{first} and {second} are identical"
                    yield f"{second} looks just like {first}"
                if sum(line) == sum(table[other]):
                    yield f"{first} and {second} have the same number of Xs"
                elif sum(line) > sum(table[other]):
                    yield f"{first} has more Xs than {second}"
                if not any((*line, *table[other])):
                    yield f"neither {first} nor {second} has any X"
        used = [at for at, line in enumerate(table) if any(line)]
        if len(used) > 1:
            yield f"{NUMBERS[len(used)]} {axis}s contain Xs"
            yield f"everything is in {axis}s {numerals(used)}"
        if used and used[-1] < SIZE - 1:
            yield f"everything {'below' if axis == 'row' else 'to the right of'} {name(used[-1])} is blank"
    yield from sentences_of_whole(grid)


def sentences_of_line(line: list[bool], name: Callable[[], str], across: str) -> Iterator[str]:
    """Yield what may be said of one row or column; `across` is what its cells are numbered by."""
    filled, empty = ([at for at, is_filled in enumerate(line) if is_filled is wanted] for wanted in (True, False))
    number = len(filled)
    yield f"in {name()} the {ORDINALS[1]} cell is {'filled' if line[1] else 'empty'}"
    yield f"{name()}: {', '.join('filled' if is_filled else 'empty' for is_filled in line)}"
    yield f"{name()} is {' '.join('X' if is_filled else '_' for is_filled in line)}"
    if not filled:
        yield from (f"{name()} is empty", f"nothing in {name()}", f"{name()} has only empty cells")
        return
    if not empty:
        yield from (f"{name()} is full of Xs", f"{name()} is completely filled", f"{name()} consists of five Xs")
        return
    yield from sentences_of_ends(line, name, ("left", "right") if across == "column" else ("top", "bottom"))
    ordinals, noun = join([ORDINALS[at] for at in filled]), across + "s" * (number > 1)
    yield f"{name()} has {plural(number, 'X')}"
    yield f"in {name()} there {'is' if number == 1 else 'are'} {plural(number, 'X')}, in {noun} {numerals(filled)}"
    yield f"{name()} is empty except for the {ordinals} cell{'s' * (number > 1)}"
    yield f"only the {ordinals} cell{'s' * (number > 1)} of {name()} {'are' if number > 1 else 'is'} filled"
    yield f"the first X in {name()} is in {across} {filled[0] + 1}"
    if across == "row":
        yield f"from top to bottom {name()} is {', '.join('X' if is_filled else 'blank' for is_filled in line)}"
    yield f"{name()} has got {plural(number, 'X')} and {plural(SIZE - number, 'gap')}"
    if number == SIZE - 1:
        yield f"{name()} is full of Xs but the {ORDINALS[empty[0]]} cell is empty"
        yield f"{name()} is all Xs bar the {ORDINALS[empty[0]]}"
        yield f"{name()} has four Xs, only the {ORDINALS[empty[0]]} is missing"
        if not line[2]:
            yield f"{name()} is full with a hole in the middle"
    if filled == [SIZE - 1]:
        yield f"{name()} is empty apart from an X at the end"
    if line[0] and line[-1]:
        yield f"{name()} has an X at both ends"


def sentences_of_ends(line: list[bool], name: Callable[[], str], sides: tuple[str, str]) -> Iterator[str]:
    """Yield what may be said of the first and last cells of a row or column, which is neither full nor empty."""
    first, last = line.index(False), line[::-1].index(False)
    yield f"{'an' if line[0] else 'no'} X at the {sides[0]} of {name()}"
    if first:
        yield f"{name()} has {plural(first, 'X')} at the very {sides[0]}"
    if first > 1:
        yield f"{name()} has {plural(first, 'X')} at the start"
        yield f"{plural(first, 'X')} at the start of {name()}"
    if first and last:
        yield f"{name()} has {plural(first, 'X')} on the {sides[0]} and {plural(last, 'X')} on the {sides[1]}"


def sentences_of_whole(grid: Grid) -> Iterator[str]:
    """Yield what may be said of the whole grid, its corners and its middle."""
    total, corners = sum(map(sum, grid)), [grid[row][column] for row in (0, -1) for column in (0, -1)]
    yield from (f"there are {total} Xs in total", f"{total} cells are filled and {SIZE * SIZE - total} are empty")
    yield f"the cell in the middle is {'filled' if grid[2][2] else 'empty'}"
    yield f"the top left corner is {'an X' if corners[0] else 'empty'}"
    if not any(corners):
        yield from ("no corner is filled", "the corners are all empty")
    elif all(corners):
        yield "all four corners are filled"
    else:
        yield f"{NUMBERS[sum(corners)]} of the four corners {'is' if sum(corners) == 1 else 'are'} filled"


@pytest.mark.parametrize("number", range(0, len(GRIDS), 3))
def test_a_true_sentence_about_a_grid_is_no_difference(number: int) -> None:
    rng = Random(number)
    sentences = sorted(set(sentences_of(cells_of(GRIDS[number]), rng)))
    for sentence in rng.sample(sentences, 25):
        text = f"{sentence[0].upper()}{sentence[1:]}."
        assert decide(text, GRIDS[number]) == "same", f"{text}\n{GRIDS[number]}"


@pytest.mark.parametrize("number", range(1, len(GRIDS), 3))
def test_three_true_sentences_about_a_grid_are_no_difference(number: int) -> None:
    rng = Random(number)
    sentences = sorted(set(sentences_of(cells_of(GRIDS[number]), rng)))
    for _ in range(8):
        text = rng.choice([". ", ", ", " and ", "; ", ", and "]).join(rng.sample(sentences, 3))
        assert decide(f"{text[0].upper()}{text[1:]}.", GRIDS[number]) == "same", f"{text}\n{GRIDS[number]}"


@pytest.mark.parametrize(
    ("sketch", "text"),
    [
        # the size of another shape than a block
        ("..... ....X ....X ..XXX .....", "a mirrored L, three high and three wide"),
        ("XXX.. X.... X.... ..... .....", "an angle, 3 by 3, whose two arms start in the top left corner"),
        ("..... XXX.. ..X.. ..X.. .....", "an angle three cells wide and three cells high"),
        (
            "..... .X..X .XXX. .XXX. .....",
            "a 2 by 3 block at the bottom middle of the inner square plus one cell at the right edge",
        ),
        # parts of a shape
        ("..... ..... XX... XX... .....", "The upper right corner of the square is one left of the centre."),
        ("..... .X... XXX.. .X... .....", "The middle of the plus is row 3, column 2."),
        ("..... .XX.. .XX.. .XX.. .XX..", "A block. Its top left corner is (2,2), its bottom right corner is (5,3)."),
        ("..... ..XXX ..X.X ..XXX .....", "A small ring at the right, 3x3. Its centre isn't filled."),
        # holes of several cells, and what is in them
        (
            "..... ..... XXX.. X.X.. XXX..",
            "a ring of eight at the lower left with one empty cell inside, at row 4, column 2",
        ),
        ("..... .XXXX .X..X .X..X .XXXX", "A square frame that is 4 by 4, with a 2 by 2 hole."),
        ("XXXX. X...X XXXX. X...X XXXX.", "Two holes, each three wide and one high. The one on top is in row 2."),
        # numbers that may count or place, and letters that name numbers
        (".X... X.X.. .X.X. ..X.X ...X.", "column 1: 1, column 2: 2, column 3: 2, column 4: 2, column 5: 1"),
        ("X.... .X... ..X.. ...X. ....X", "One cell per row: it is always (k,k)."),
        ("....X ...XX ..XXX ..... .....", "columns 3, 4, 5: one, two, three"),
        ("X.XXX X.X.X XXX.. ..... ..X.X", "the first and third column have 4 and 4... no: 3 and 4."),
        # how lines are numbered
        ("..X.X ..... X...X ..... .X.X.", "(2,1) is empty, (3,1) is not (row first, then column, from the top left)"),
        ("X.... ..... ..... ..... .....", "There is one lone cell at the left edge."),
        (".XXX. X...X X...X X...X .XXX.", "Of the four edges only the middle cells are filled."),
        # words that belong to what was said before
        ("..... ..... ..... ...X. ..X..", "two X's that touch only at their corners, at the bottom"),
        ("..... ..... ..... ..XXX ..XXX", "two rows with the last three filled, three rows with nothing"),
        ("..... ..... ..... .XXX. X...X", "rows one, two and three are all blank, no X in them"),
        ("..X.. ..XX. ..XXX ..... .....", "1, then 2, then 3 X's, all starting in column 3"),
        ("X.... ..... .X... ..... .....", "the first column has one X, and the third none"),
        ("..... .XXX. .XXX. .XXX. .....", "2, 3, 4 filled in rows 2 to 4"),
        ("X...X ..... ..... ..... X...X", "1 and 5 in rows 1 and 5"),
        ("..X.. .XXX. XXXXX ..... .....", "1, 3 and 5 in rows 1, 2 and 3"),
        ("..X.. .XXX. XXXXX ..... .....", "1 X, then 3, then 5 in the first three rows, and nothing below"),
        ("XX... XX... ..... ....X ...X.", "row3 unused, r4: last, r5: 4th"),
        ("XX... XX... ..... ....X ...X.", "rows 1 and 2 start with two X's, then it's blank until the end of row 4"),
        (".XXX. X...X X...X X...X .XXX.", "no corner is filled, each edge has its three middle cells"),
        ("X.... X.... XXXXX ....X ....X", "the left column is filled down to the middle"),
        ("X.X.X ..... X.X.X ..... X.X.X", "all corners, the centre and the middles of the edges"),
        ("XX... XX... ..... ....X ...X.", "almost nothing in the lower half, just two X's"),
        (".XXX. X...X X...X X...X .XXX.", "rows 2 to 4 have precisely two X's each, one at each end"),
        ("X.... X.... XXXXX ....X ....X", "an S without the top and bottom bars"),
        ("XXXXX X...X X.X.X X...X XXXXX", "17 filled; the ring between the border and the centre is empty"),
        # words that only have a part together with what stands before
        (
            ".X.X. ..X.. .X.X. X...X .....",
            "Top: blank x blank x blank. Then just the middle one. Then same as the top.",
        ),
        ("..... ..... .XXX. .XXX. .....", "two rows of three in the middle, one row free under it"),
        ("..... ..XXX ....X ....X .....", "a corner, three across in row 2 and then two down on the right edge"),
        ("XXX.. X.X.. XXX.. ..... .....", "XXX then X X then XXX again, in the first three rows on the left"),
        ("...X. ..X.. .X..X X..X. ..X..", "two slanted lines, the long one has 4 and ends in the top row"),
        ("XXXX. X..X. XX.X. X..X. XXX..", "15 in all: 4+2+3+2+3, so no, 14"),
        ("..... .XXXX .XXXX .XXXX .....", "a full rectangle against the right border, no holes, 3 rows of 4"),
        (".XXX. .X.X. .XXX. ..... .....", "8 around a hole, three wide, three tall, the hole is in row 2"),
        # shapes with words that are not known, cut off, turned or denied
        ("X.... X.... XXX.. ..... .....", "L shape turned so that the corner is down left. 5 in total"),
        (".XXX. X...X X.X.X X..X. .XX.X", "O with a tail, so Q. The tail is in the middle and lower right."),
        (
            "X.X.. XXX.. X.X.. X.X.. XXX..",
            "like a closed box 3 wide and 4 high and one square sticking up at each side of it",
        ),
        ("..... X...X .X.X. ..X.. .X.X.", "like an X that got cut off at the bottom"),
        (".X... X.... X...X .XXXX ....X", "a J that fell over, with its hook on the left"),
        ("..X.. .X..X X..XX ..X.. .....", "ok so I've got a diagonal in the upper left"),
        ("..... ..... ...XX ...XX .....", "empty but for a little square at the right side"),
        (".XXXX .X..X .X..X .X..X .XXXX", "a tall frame: columns 2 and 5 full, the hole is 2 wide and 3 high"),
        ("..... ..... .XXX. .X.X. .XXX.", "3x3 frame in rows 3 to 5, the outer columns are not used"),
        ("..... ..... .XXX. .X.X. .XXX.", "a small ring at the bottom, in the middle, its centre is empty"),
        ("..... ..... XXX.. XXX.. XXX..", "a 3x3 square in the bottom left, the two right columns are all blank"),
        ("X.... X.... XXXX. X...X XXXX.", "full left column, plus a bump on the right in the lower part"),
        (
            ".X... .X... .XXX. ..... X....",
            "An L, three of it are in row 3, three in column 2 as the corner counts for both.",
        ),
        (
            "X...X .X.X. ..X.. ..... ..X..",
            "All but one of the X's form a V, that one is in the middle of the last row.",
        ),
        ("X...X .X.X. ..X.. ..... ..X..", "V over a dot: one empty row in between, row 4 that is."),
        ("X.... XX... X.X.. X..X. XXXXX", "A triangle on the first column, two cells inside it are blank in row 4."),
        ("XXXXX X.... XXXX. X.... X....", "left column all full, first row all full, and row 3 full but the last one"),
        ("XXXX. ....X XX..X X...X XXXX.", "first column all X but the second row"),
        ("..... ..... ..XXX ...XX ....X", "the bottom right corner is the only X in the last row"),
        (
            "..... ....X ...X. ..X.. .X...",
            "a diagonal of four, from the right edge in row 2 down to the second cell of row 5",
        ),
        ("..... .XXX. ..XX. ...X. .....", "row 2 has 2,3,4 / row 3 has 3,4 / row 4 has just 4"),
        (".X... X.X.. .X... ..... .....", "row 1 has 2, row 2 has 1 and 3, row 3 has just 2"),
        ("...X. ..X.X .X.X. X.X.. .X...", "Two parallel diagonals leaning like /, four cells each"),
        ("X...X X.... X..XX .X.X. ..X..", "like a V, in the right arm the second row is lost and row 3 is two squares"),
        ("..... ..... ..XXX ..X.. ..X..", "an upside-down L in the lower right"),
        ("..X.. .X... X...X ...X. ..X..", "r1 3, r2 2, r3 1 and 5, r4 4, r5 3"),
        ("XXX.. XXX.. ..... ..... .....", "2 by 3 block at the top left and it's solid, no hole in the top row"),
        ("X.X.. .X.X. ..X.X ...X. ....X", "Row 2 is blank X blank X blank, so the middle one is empty there."),
    ],
)
def test_what_is_not_said_of_the_whole_grid_is_no_difference(sketch: str, text: str) -> None:
    assert decide(text, write_grid(sketch)) == "same"


@pytest.mark.parametrize(
    ("sketch", "other", "text"),
    [
        (
            "X.... X.... X.... X.... XXXXX",
            "XXXXX X.... X.... X.... XXXXX",
            "A 4 by 4 blank square at the top right, and the rest is crosses.",
        ),
        (
            "XXXXX X.... XXXX. X.... X....",
            "XXXXX XX... XXXX. X.... X....",
            "13 blanks: four in row 2, one in row 3 and four each in the last two rows.",
        ),
        ("..... XXXX. .XXX. ..XX. ...X.", "..... XXXX. .XXX. ..XX. ..XX.", "Counting each row: none, 4, 3, 2, 1."),
        (
            ".XXXX X.... XXXX. X.... X....",
            "..XXX X.... XXXX. X.... X....",
            "Columns 2 to 4 have just two each, in rows 1 and 3",
        ),
        (
            "..X.. XXXXX .XXX. .XXX. .X.X.",
            "..X.. XXXXX .XXX. .XXX. .XX..",
            "The outer columns have one each, the three in the middle four each.",
        ),
        (
            ".X.X. ..... X...X ..... .X.X.",
            ".X.X. ..... X...X ..... .X...",
            "Row 1 = row 5: the second and fourth cell.",
        ),
        (
            "X...X .X.X. ..X.. X.X.. ..XX.",
            "X...X .X.X. ..X.. X.... ..XX.",
            "r1 c1 c5, r2 c2 c4, r3 c3, r4 c1 c3",
        ),
        (
            "..... ..XXX ..XXX ..... .....",
            "..... ..XXX .XXXX ..... .....",
            "All the X's are in rows 2 and 3, from the third column to the last.",
        ),
        (
            "..... ...X. ...X. ...X. .....",
            "..... ..X.. ..X.. ..X.. .....",
            "One vertical line in the fourth column.",
        ),
        (
            "..... ..... ..... XX.XX .....",
            "..... ..... ..... XXX.X .....",
            "The fourth row misses only the middle one.",
        ),
        (
            "..... .XXX. .X.X. .XXX. .....",
            "..... .XXX. .XXX. .XXX. .....",
            "A ring of eight X's around the centre.",
        ),
        (
            ".XXXX .XXXX ..... ..... .....",
            "..... ..... ..... .XXXX .XXXX",
            "4 wide 2 high block in the top right corner",
        ),
        (
            "X...X X...X X.X.X XX.XX X...X",
            "X...X X...X X.X.X XX.XX X.X.X",
            "like a W, top row and bottom row just have the two corners",
        ),
        (
            "..X.. ..X.. ..... ..X.. ..X..",
            "..X.. ..X.. ..X.. ..X.. ..X..",
            "The left column is empty and so is the centre.",
        ),
        (
            "....X XX.XX X.X.X ..X.. XXXXX",
            "....X XX.XX X.X.X ..X.. .XXXX",
            "Of the corners only the top left is blank.",
        ),
        ("..X.. XXXXX .XXX. .XXX. .X.X.", "..X.. XXXXX .X.X. .XXX. .X.X.", "centre yes, corners no"),
        (
            "XXX.. ..X.. XXX.. ..X.. XXX..",
            "XXX.. ..X.. XXX.. ..X.. XX...",
            "symmetrical from top to bottom, but not from left to right",
        ),
        ("..... .XXX. .X.X. .XXX. .....", "X.... .XXX. .X.X. .XXX. .....", "The outer ring is blank."),
        (
            ".XX.. X..X. .XX.. ..... X...X",
            ".XX.. X..XX .XX.. ..... X...X",
            "Row 2 reads cross, blank, blank, cross, blank.",
        ),
        (".XXX. ..X.. ..... ..X.. .XXXX", ".XXX. ..X.. ..X.. ..X.. .XXXX", "The only empty row is the middle one."),
        (
            "XXXXX X...X X...X X...X X...X",
            "XXXXX X...X X...X X...X XX..X",
            "Rows 2 to 5 only have crosses at the edges.",
        ),
        (
            ".XXXX X.... .XXX. ..... .....",
            ".XXXX ..... .XXX. X.... .....",
            "There is one lone cell at the left edge just below the first line.",
        ),
        ("XXXX. X...X X...X X...X XXXX.", "XXXXX X...X X...X X...X XXXX.", "The frame has no right corners."),
        (
            "X...X X...X X...X X...X .XXX.",
            "XX..X X...X X...X X...X .XXX.",
            "The border is filled except the three middle cells of the top side and the two bottom corners.",
        ),
        (
            "X.... .X... ..X.. ...X. X...X",
            "X.... .X... ..X.. ...X. ....X",
            "The diagonal is filled; besides that there is one cross at the left end of row 5.",
        ),
        ("X.XXX X.X.. XXX.. ..... ..X.X", "X.XXX X.X.. XX... ..... ..X.X", "Rows 1 and 2: 4, 2. Rows 3 and 5: 3, 2."),
        (
            "XXXXX X.... XXXX. X.... X....",
            "XXXXX X...X XXXXX X...X X...X",
            "Of the five columns just the first is complete.",
        ),
        ("XXXXX X...X XXXX. X...X X....", "XXXXX X..XX XXXX. X...X X....", "Row 2 and row 4 are alike, the ends only."),
        ("XX... X.... X.XXX .X... .....", "XX... X.... X.X.X .X... .....", "In row 3 just the second cell is missing."),
        ("..X.. .XXX. .X.X. .XXX. ..X..", "..X.. .XXX. .XXX. .XXX. ..X..", "The left column and the centre are blank."),
        (
            "..... ..XXX ..X.X ..XXX .....",
            "..... ..XXX ..XXX ..XXX .....",
            "Blank are the first two columns, the top row, the bottom row and one more: the fourth cell of row 3.",
        ),
        ("XX... XXXXX ..... X.... X....", "XX... XXX.X ..... X.... X....", "Everything in row 2 is filled."),
        (
            "X.XXX X.XX. ..... ..... .....",
            "X.XXX X.XXX ..... ..... .....",
            "Row 1 lacks its second cell, row 2 its second and fifth.",
        ),
        ("X.X.X .X.X. X.X.X .X.X. X.X.X", "X.X.X .X.X. X.X.X .X.X. X.X..", "13 crosses: A1, C1, E1 and so on"),
        (
            "..X.. .X..X X..XX ..... .....",
            "..X.. .X..X X..X. ..... .....",
            "row1: 3rd. row2: 2nd, 5th. row3: 1st, 4th, 5th.",
        ),
        (
            "..X.X .X.X. X.X.. ..... .....",
            "..X.X .X.X. X.... ..... .....",
            "r1: 3,5 / r2: 2,4 / r3: 1,3 | r4: none | r5: none",
        ),
        (
            "..X.. ...X. ..XX. ..... .....",
            ".XX.. ...X. ..XX. ..... .....",
            "only columns 3 and 4 are used",
        ),
        ("..... XXX.. XX... X.... .....", "..... XXX.. XX... X..X. .....", "3, 2, 1 filled in rows 2 to 4"),
        (
            "...X. ..X.. .X... X.... .....",
            "...X. ..... .X... X.... .....",
            "the first four rows have precisely one X each",
        ),
        (
            "..... .XX.. ..... ..... .....",
            "..... .XXX. ..... ..... .....",
            "row 2 has two X's next to each other",
        ),
        ("..... ..... ..... ..... .XXX.", "..... ..... ..... ..... XXX..", "the last row has 3 X's in the middle"),
        (
            "..X.X .X.X. X.X.. .X... X....",
            ".X... ..X.. ...X. ....X .....",
            "A diagonal from the bottom left corner to the top right corner, and a shorter one with three X's.",
        ),
        (
            "X..XX .X.X. ..X.. .X... X...X",
            "X...X .X.X. ..X.. .X.X. X...X",
            "almost a big X, but the 4th row has nothing in column 4",
        ),
        ("X.... .X... ..X.. ...X. ....X", "X.... .X... .XX.. ...X. ....X", "one per row, going down to the right"),
        (".XX.. X.... X.... X.... X....", "..XX. X.... X.... X.... X....", "Row 1 is empty, full, full, empty, empty."),
        (".XXXX X.... X.... X.... X....", "X.XXX X.... X.... X.... X....", "Row one: blank then four"),
        ("XX.X. XX..X .X.XX ..... .....", "XX.X. XX..X .X..X ..... .....", "three per row in the top three rows"),
        ("..X.. .XX.. XXX.. .XX.. ..X..", "..X.. .XX.. XXX.. .XX.. .....", "1 2 3 2 1 filled per row"),
        ("..X.. .XX.. XXX.. .XX.. ..X..", "..X.. .XX.. XXX.. .X... ..X..", "blanks per row: 4 3 2 3 4"),
        (
            "..X.. .XX.. XXX.. .XX.. ..X..",
            "..X.. .XX.. XXX.. .X... ..X..",
            "4, 3, 2, 3, 4 empty per row, top to bottom",
        ),
        (
            "X.... X.... X.... X.... XXXXX",
            "X.... X.... X.... .X... XXXXX",
            "one in each of the first four rows at the left margin",
        ),
        ("..... .X... .X... .X... .XXXX", "..... .X... .X... .X... .XXX.", "...../.X.../.X.../.X.../.XXXX"),
        (
            "X...X X...X XXXXX X...X X...X",
            "X.... X.... X.... X.... XXXXX",
            "all four corners are filled, and it stays the same if you turn it upside down",
        ),
    ],
)
def test_a_sentence_tells_a_grid_from_one_of_which_it_is_not_true(sketch: str, other: str, text: str) -> None:
    assert decide(text, write_grid(sketch)) == "same"
    assert decide(text, write_grid(other)) == "different"


@pytest.mark.parametrize(
    ("question", "sketch", "answer"),
    [
        (
            "Which rows have nothing at all?",
            "..... ....X ...X. ..... .XX..",
            "Two rows are empty: the first and fourth.",
        ),
        ("Which rows are not empty?", "..... ....X ...X. ..... .XX..", "Three rows are not empty: the second, third"),
        ("How many squares are not filled?", "..... ..XXX ....X ....X .....", "There are 20 empty cells."),
        ("How many rows are not full?", "XXXXX X.... XXXX. X.... X....", "Four rows are not full"),
        ("Which rows have no empty cells?", "XXXXX X.... XXXX. X.... X....", "One row is full: the first."),
        ("Is the frame hollow inside?", "..... .XXXX .X..X .XXXX .....", "Yes, some empty cells are enclosed"),
        ("Is the middle hollow?", "..X.. .XXX. ..X.. ..... .....", "No, no empty cells are enclosed"),
        (
            "Is your shape in the upper left?",
            ".X... X.X.. .X... ..... .....",
            "The filled cells are in three rows (1 to 3)",
        ),
        (
            "Where is the corner of the angle?",
            "..... ..XXX ....X ....X .....",
            "The filled cells are in three rows (2 to",
        ),
        ("How tall is it?", "XXXXX ..... .X.X. ..... .....", "The filled cells are in two rows (1 and 3) and five"),
        (
            "How wide is it?",
            ".X... ..... .X... ..... .....",
            "The filled cells are in two rows (1 and 3) and one column (2).",
        ),
        ("Which way does the arrow point?", "..X.. .X... X.... .X... ..X..", "It points to the left."),
        ("Which way does the U open?", "X...X X...X X...X X...X .XXX.", "It opens upwards."),
        ("Does it point left or right?", "...X. ..XX. .XXX. ..XX. ...X.", "It points to the left."),
        ("Which way does it open?", "X...X X...X XXXXX X...X X...X", "I am not sure"),
        ("Is it a B or a D?", "XXXX. X...X XX..X X...X XXXX.", "Of these it looks most like the letter D"),
        ("T right?", "XXXXX ..X.. ..X.. ..X.. ..X..", "Yes, it looks like the letter T."),
        ("The top row is full, isn't it?", "XXXXX ..X.. ..X.. ..X.. ..X..", "Yes, row 1 is X X X X X."),
        (
            "bottom right corner empty or not?",
            "XXXXX ..X.. ..X.. ..X.. ..X..",
            "Yes, the bottom right corner is empty.",
        ),
        ("is it symetrical?", "XXXXX ..X.. ..X.. ..X.. ..X..", "Yes, it stays the same when mirrored left to right."),
        ("Is there a diagonal line?", "X.... .X... ..X.. ...X. ....X", "Yes"),
    ],
)
def test_a_question_of_a_whole_shape_or_of_nothing_is_answered(question: str, sketch: str, answer: str) -> None:
    assert partner(write_grid(sketch)).answer(question).startswith(answer)
