"""Talking about a pentomino board: what a text says about its pieces, and what to say, ask and decide.

Whatever is said becomes claims: so many pieces of this colour and shape, at this place, lying so. A claim holds of a
board or it does not; places are taken with a tolerance of one cell, as people place things roughly. What is not
understood is no claim. Questions are found as in `grid_talk`: boards with one change are imagined, and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from games.common.pentomino import (
    CHANGES,
    COLOURS,
    PLACES,
    SHAPES,
    SIZE,
    Board,
    Piece,
    board_of,
    list_variants,
    orientation,
    orientations,
)
from games.matchit.talkers.utterances import Decision, Utterance
from games.matchit.words import READ, count_word, counted, listed, number, sentences, tokens

Third = tuple[int, int]
ALL: tuple[Third, ...] = tuple((row, column) for row in range(3) for column in range(3))
_ROWS = {"top": 0, "middle": 1, "bottom": 2}
_COLUMNS = {"left": 0, "middle": 1, "right": 2}
TOLERANCE = 1.0
"""A piece whose middle lies within this many cells of a third of the board may be said to be there."""

ECHO = 0.7
"""What a question is worth that the partner has asked too: it is a little dull to throw it back."""

_COLOUR_WORDS: dict[str, tuple[str, ...]] = {colour: (colour,) for colour in COLOURS} | {
    "orange": ("orange", "red", "yellow"),
    "brown": ("brown", "red", "black"),
    "grey": ("black",),
    "teal": ("teal", "green", "blue"),
    "turquoise": ("turquoise", "green", "blue"),
    "cyan": ("cyan", "green", "blue"),
    "magenta": ("magenta", "pink", "purple"),
    "white": ("white",),
}
"""What a colour word may mean on the partner's board; the first is what it means in a question about the own one."""
_SHAPE_WORDS: dict[str, tuple[str, ...]] = {f"zzshape{shape.casefold()}": (shape,) for shape in SHAPES} | {
    "zzshapes": ("Z", "N", "W"),
    "zzshapec": ("U",),
    "zzshapeb": ("P",),
    "cross": ("X",),
    "plus": ("X",),
    "bar": ("I",),
    "stick": ("I",),
    "line": ("I",),
    "rod": ("I",),
    "straight": ("I",),
    "staircase": ("W",),
    "stairs": ("W",),
    "stair": ("W",),
    "zigzag": ("Z", "N", "W"),
    "lightning": ("Z", "N", "W"),
    "bucket": ("U",),
    "cup": ("U",),
    "horseshoe": ("U",),
    "flag": ("P",),
    "angle": ("V", "L"),
}
_LOOSE: dict[tuple[str, ...], tuple[str, ...]] = {
    ("L",): ("V",),
    ("V",): ("L",),
    ("T",): ("Y",),
    ("Z",): ("N", "W"),
    ("N",): ("Z",),
}
"""What people who do not go by the twelve letters may mean by one of them."""
_EXPERT = re.compile(r"zzshape[fnpvwy]")
_NOUNS = ("piece", "tile", "shape", "figure", "one", "ones", "block")
_COLOUR_PATTERN = "red|yellow|green|blue|purple|pink|black|orange|brown|gr[ae]y|violet|dark|light"
_LETTER = re.compile(
    rf"(?:(?<=[\s(,\"'“‘-])|^)([A-HJ-Z])(?:'?s)?(?=$|[\s.,;:!?)\"'”’-])(?!')"
    rf"|\b(?:{_COLOUR_PATTERN}|letter|an|capital)\s+[\"'“‘]?([A-Za-z])\b(?!'[a-z])"
    r"|\b(?:[Yy]our|[Tt]he|[Mm]y)\s+(I)\b(?!'[a-z])"
    r"|(?<![A-Za-z'’])([A-Za-z])(?=[\"'”’]?[ -](?:shape|piece|pentomino|tile|block))",
)


def board_tokens(text: str) -> list[str]:
    """Tokens of a text about a board; letters that name shapes become `zzshapet` and so on."""

    def mark(found: re.Match[str]) -> str:
        letter = found[1] or found[2] or found[3] or found[4]
        if letter in "aA" or letter.upper() not in "FILNPTUVWXYZSCB":
            return found.group()
        start = found.group()[: found.group().rfind(letter)]
        return f"{start} zzshape{letter.casefold()} "

    text = _LETTER.sub(mark, text[:READ])
    return tokens(text[: 4 * READ].replace("-", " "), boards=True)


# Mentions and claims


@dataclass(frozen=True)
class PieceMention:
    """Pieces as a text names them; None and () stand for what is left open."""

    colours: tuple[str, ...] | None = None
    shapes: tuple[str, ...] | None = None
    place: tuple[Third, ...] = ALL
    features: tuple[tuple[str, str], ...] = ()
    low: int = 1
    high: int = 99
    relation: str = ""
    other: PieceMention | None = None
    loose: tuple[str, ...] = ()
    """Further shapes that may be meant, by who does not go by the twelve letters."""
    without: tuple[PieceMention, ...] = ()
    """Pieces that are not meant, as in `any pink piece besides the T`."""

    @property
    def bare(self) -> bool:
        """Whether it names neither colour nor shape."""
        return self.colours is None and self.shapes is None

    def fits(self, piece: Piece, slack: float = 0.0) -> bool:
        """Whether a piece is such a one; `slack` cells widen (or narrow, if negative) the place."""
        return (
            (self.colours is None or piece.colour in self.colours)
            and (self.shapes is None or piece.shape in self.shapes or self._may_mean(piece))
            and _is_at(piece, self.place, slack)
            and all(_features(piece).get(key, value) == value for key, value in self.features)
            and not any(other.fits(piece, abs(slack)) for other in self.without)
        )

    def _may_mean(self, piece: Piece) -> bool:
        """Whether a loosely named shape is this one; a foot or a bump that it does not have speaks against it."""
        return piece.shape in self.loose and all(key in _features(piece) for key, _ in self.features)

    def among(self, board: Board, slack: float = 0.0) -> list[Piece]:
        """The pieces of a board that are such, and stand in the relation named to another such."""
        found = [piece for piece in board.pieces if self.fits(piece, slack)]
        if not self.other:
            return found
        others = self.other.among(board, slack)
        return [p for p in found if any(stands(p, self.relation, o, slack) for o in others if o != p)]

    def holds(self, board: Board) -> bool:
        """Whether a board has as many as are claimed, with the tolerance for places."""
        return len(self.among(board, -TOLERANCE)) <= self.high and len(self.among(board, TOLERANCE)) >= self.low


def _is_at(piece: Piece, place: tuple[Third, ...], slack: float) -> bool:
    if place == ALL:
        return True
    if slack == 0:
        return piece.thirds in place
    if slack < 0:
        return all(third in place for third in ALL if _near(piece, third, -slack))
    return any(_near(piece, third, slack) for third in place)


def _near(piece: Piece, third: Third, slack: float) -> bool:
    """Whether the middle of a piece lies in a third of the board widened by `slack` cells."""
    width = SIZE / 3
    (row, column), (down, right) = third, piece.middle
    return (
        row * width - slack <= down <= (row + 1) * width + slack
        and column * width - slack <= right <= (column + 1) * width + slack
    )


def stands(a: Piece, relation: str, b: Piece, slack: float = 0.0) -> bool:
    """Whether a is left of, right of, above, below or near b, judged by their middles."""
    down, right = (x - y for x, y in zip(a.middle, b.middle, strict=True))
    gap = {"left of": -right, "right of": right, "above": -down, "below": down}.get(relation)
    if gap is None:
        return max(abs(down), abs(right)) <= 5 + slack
    return gap > -slack


# Orientation


@lru_cache(maxsize=512)
def _words_of(shape: Any, turn: int, mirrored: bool) -> tuple[tuple[str, str], ...]:
    scan = BoardScan(board_tokens("with " + orientation(shape, turn, mirrored)))
    found: list[tuple[str, str]] = []
    while scan.at < len(scan.tokens):
        feature = scan.feature()
        if feature:
            found += feature
        else:
            scan.at += 1
    return tuple(found)


def _features(piece: Piece) -> dict[str, str]:
    return dict(_words_of(piece.shape, piece.turn, piece.mirrored))


_PARTS = ("foot", "bump", "tail", "hook", "end", "steps", "longer", "corner")
_DIRECTIONS = {"up": "up", "top": "up", "down": "down", "bottom": "down", "left": "left", "right": "right"}
_RELATIONS = {"above": "above", "below": "below", "near": "near", "beside": "near", "touching": "near"}
_SMALL = ("in", "at", "on", "of", "to", "is", "near", "towards", "has", "with", "there")


class BoardScan:
    """Turns the tokens of one sentence into mentions, leading places and small words."""

    def __init__(self, found: list[str]) -> None:
        self.tokens = found
        self.at = 0

    def token(self, ahead: int = 0) -> str:
        """The token so many places ahead."""
        i = self.at + ahead
        return self.tokens[i] if 0 <= i < len(self.tokens) else ""

    def feature(self) -> list[tuple[str, str]]:
        """`foot at bottom right`, `stem pointing up`, `open left`, `upright`: orientation; nothing if none here."""
        token = self.token()
        if token in _PARTS and (token != "corner" or self.token(-1) in ("with", "has", "and")):
            return self._part(token)
        if token in ("stem", "arm", "leg"):
            step = 1
            while self.token(step) in ("pointing", "is", "to", "at", "on", "goes"):
                step += 1
            if self.token(step) in _DIRECTIONS:
                self.at += step + 1
                return [("arm" if token == "arm" else "stem", _DIRECTIONS[self.token(-1)])]
        if token == "open" or token == "opening":
            step = 1
            while self.token(step) in ("to", "at", "on", "is", "pointing"):
                step += 1
            if self.token(step) in _DIRECTIONS:
                self.at += step + 1
                return [("open", _DIRECTIONS[self.token(-1)])]
        if token in ("middle", "centre") and self.token(1) == "bar" and self.token(2) in ("upright", "lying"):
            self.at += 3
            return [("bar", self.token(-1))]
        if token in ("upright", "lying"):
            self.at += 1
            return [("axis", token)]
        if token == "upside" and self.token(1) == "down":
            self.at += 2
            return [("stem", "up"), ("open", "down")]
        if token in ("pointing", "turned"):
            step = 1
            while self.token(step) in ("to", "at", "on"):
                step += 1
            if self.token(step) in _DIRECTIONS:
                self.at += step + 1
                return [("pointing", "")]
        return []

    def _part(self, token: str) -> list[tuple[str, str]]:
        """The part of a piece and the corner of its box where that is."""
        step = 1
        while self.token(step) in ("part", "open", "to", "at", "in", "on", "is", "pointing"):
            step += 1
        a, b = self.token(step), self.token(step + 1)
        if a in ("top", "bottom") and b in ("left", "right"):
            self.at += step + 2
            if token == "end" and self.token() == "and" and self.token(1) in ("top", "bottom"):
                self.at += 3
            return [(token, f"{a} {b}")]
        return []

    def place(self) -> tuple[Third, ...]:
        """`top left`, `in middle on right`, `bottom`: the thirds of the board meant; nothing if none here."""
        start = self.at
        rows: list[str] = []
        columns: list[str] = []
        middles = 0
        centre = line = False
        corner = False
        step = 0
        end = start
        while True:
            token = self.token(step)
            if token in ("top", "bottom") and not rows:
                rows.append(token)
            elif token in ("left", "right") and not columns and self.token(step + 1) != "of":
                columns.append(token)
            elif token == "middle":
                middles += 1
            elif token in ("centre", "center", "central"):
                middles += 1
                centre = True
            elif token in ("row", "column") and (rows or columns or middles):
                line = True
                if middles and not rows and not columns:
                    (rows if token == "row" else columns).append("middle")
                    middles = 0
            elif token == "corner" and not corner:
                corner = True
            elif token in ("side", "part", "half", "area", "third", "border", "region", "section", "-") or (
                token in ("in", "at", "on", "of") and self._goes_on(step + 1, rows, columns, middles)
            ):
                pass
            else:
                break
            step += 1
            end = start + step
        if not (rows or columns or middles or corner):
            return ()
        self.at = end
        return _thirds(rows, columns, middles, centre and not line, corner)

    def _goes_on(self, step: int, rows: list[str], columns: list[str], middles: int) -> bool:
        token = self.token(step)
        if not (rows or columns or middles):
            return False
        if token in ("top", "bottom"):
            return not rows
        if token in ("left", "right"):
            return not columns and self.token(step + 1) != "of"
        return token in ("middle", "centre", "center", "corner", "side") and not (rows and columns)

    def relation(self) -> str:
        """`left of`, `to left of`, `above`, `next to`: the relation, nothing if none here."""
        step = 0
        while self.token(step) in ("to", "on", "at", "directly", "right", "immediately", "is") and step < 3:
            if self.token(step) == "right" and self.token(step + 1) == "of":
                break
            step += 1
        for words, name in (
            (("left", "of"), "left of"),
            (("right", "of"), "right of"),
            (("left", "from"), "left of"),
            (("right", "from"), "right of"),
            (("left", "side", "of"), "left of"),
            (("right", "side", "of"), "right of"),
            (("next", "to"), "near"),
            (("close", "to"), "near"),
            (("near", "to"), "near"),
            (("above",), "above"),
            (("below",), "below"),
            (("beside",), "near"),
            (("near",), "near"),
        ):
            if tuple(self.tokens[self.at + step : self.at + step + len(words)]) == words:
                if words in (("near",), ("beside",)) and self.token(step + 1) in (*_ROWS, *_COLUMNS, "centre"):
                    return ""
                self.at += step + len(words)
                return name
        return ""


def _thirds(rows: list[str], columns: list[str], middles: int, centre: bool, corner: bool) -> tuple[Third, ...]:
    if rows and columns:
        return ((_ROWS[rows[0]], _COLUMNS[columns[0]]),)
    if rows:
        return ((_ROWS[rows[0]], 1),) if middles else tuple((_ROWS[rows[0]], i) for i in _ends(corner))
    if columns:
        return ((1, _COLUMNS[columns[0]]),) if middles else tuple((i, _COLUMNS[columns[0]]) for i in _ends(corner))
    if corner:
        return ((0, 0), (0, 2), (2, 0), (2, 2))
    if centre or middles > 1:
        return ((1, 1),)
    return tuple(third for third in ALL if 1 in third)


def _ends(corner: bool) -> tuple[int, ...]:
    return (0, 2) if corner else (0, 1, 2)


def _exclusion(scan: BoardScan) -> int:
    """How many tokens say `besides`, `other than`, `apart from`, `except for` here; 0 when none does."""
    pair = (scan.token(), scan.token(1))
    if pair in (("other", "than"), ("apart", "from"), ("aside", "from"), ("except", "for"), ("bar", "for")):
        return 2
    return 1 if pair[0] in ("besides", "except", "excepting") else 0


@dataclass
class Sentence:
    """What one sentence says: the pieces it mentions, the places it names of its own, words that matter."""

    mentions: list[PieceMention]
    leading: tuple[Third, ...] = ()
    features: tuple[tuple[str, str], ...] = ()
    relation: str = ""
    words: tuple[str, ...] = ()
    without: tuple[PieceMention, ...] = ()
    """Pieces excluded where none was named to exclude them from: `what is at the top besides the T`."""


def read(words: list[str]) -> Sentence:
    """Read one sentence."""
    return _Reader(words).read()


class _Reader:
    def __init__(self, words: list[str]) -> None:
        self.scan = BoardScan(words)
        self.made: list[PieceMention] = []
        self.open = False
        """Whether the last mention may still take a shape."""
        self.noun = False
        self.fresh = True
        """Whether a clause has just begun, so that a place leads it."""
        self.leading: tuple[Third, ...] = ()
        self.first_place: tuple[Third, ...] = ()
        self.features: tuple[tuple[str, str], ...] = ()
        self.placed = False
        self.relation = ""
        self.lone_relation = ""
        self.count: tuple[int, int] | None = None
        self.none = False
        """Whether `no` went before, as in `no red piece`."""
        self.excluding = False
        """Whether the next piece named is one that is not meant, as after `besides`."""
        self.without: tuple[PieceMention, ...] = ()
        self.denied = False
        """Whether what follows is denied of the last mention, as in `the red piece is not at the top`."""

    def read(self) -> Sentence:
        scan = self.scan
        while scan.at < len(scan.tokens):
            start = scan.at
            if not self._step():
                scan.at = start + 1
        made = self._linked()
        if self.without and made:
            named = [mention for mention in made if not mention.bare] or made
            made = [replace(m, without=self.without) if any(m is one for one in named) else m for m in made]
        words = tuple(scan.tokens)
        return Sentence(made, self.first_place, self.features, self.lone_relation, words, self.without)

    def _step(self) -> bool:
        scan = self.scan
        token = scan.token()
        skip = _exclusion(scan)
        if skip:
            scan.at += skip
            self.excluding, self.open = True, False
            return True
        if self.excluding:
            return self._exclude()
        feature = scan.feature()
        if feature:
            self._attach_features(tuple(feature))
            return True
        relation = scan.relation()
        if relation:
            self.relation = self.lone_relation = relation
            self.open = False
            return True
        if token in _COLOUR_WORDS or token in _SHAPE_WORDS or token in _NOUNS:
            if not (token == "line" and scan.token(1) == "of"):
                self._name(token)
                scan.at += 1
                return True
        if token == "corner" and self.open and self.made and self.made[-1].shapes is None:
            self.made[-1] = replace(self.made[-1], shapes=("V", "L"))
            scan.at += 1
            return True
        place = scan.place()
        if place:
            self._attach_place(place)
            return True
        self._small(token)
        return False

    def _exclude(self) -> bool:
        """Take one piece that is not meant: `(besides) the pink T and the U`."""
        scan = self.scan
        words = []
        while scan.token() in _COLOUR_WORDS or scan.token() in _SHAPE_WORDS or scan.token() in _NOUNS:
            words.append(scan.token())
            scan.at += 1
        colours = next((_COLOUR_WORDS[word] for word in words if word in _COLOUR_WORDS), None)
        shapes = next((_SHAPE_WORDS[word] for word in words if word in _SHAPE_WORDS), None)
        if colours or shapes:
            self.without += (PieceMention(colours, shapes),)
        step = 0
        while scan.token(step) in (",", "and", "or"):
            step += 1
        more = scan.token(step) in _COLOUR_WORDS or scan.token(step) in _SHAPE_WORDS
        self.excluding = bool(step) and more and (bool(self.made) or scan.token() != ",")
        scan.at += step if self.excluding else 0
        return bool(words) or self.excluding

    def _small(self, token: str) -> None:
        n = number(token)
        following = self.scan.token(1)
        if n is not None and (following in _COLOUR_WORDS or following in _SHAPE_WORDS or following in _NOUNS):
            self.count = (n, n)
            self.open = False
        elif n is not None and not self.made and following in ("", ",", "of", "in", "at", "on"):
            self.count = (n, n)
        elif token == "not":
            self.denied = bool(self.made) and not self.fresh
            self.none = not self.denied
            self.open = False
        elif token in (",", "and", ":", "but", "or", "(", ")"):
            self.open = False
            self.fresh = True
            if token in (",", "but", ":") and token != "or":
                self.none = self.none and token == ","
        elif token in ("is", "there", "has", "see", "one", "with"):
            self.open = False
        else:
            self.fresh = self.fresh and token in _SMALL
            self.open = self.open and token in (
                "large",
                "big",
                "small",
                "long",
                "short",
                "bright",
                "dark",
                "coloured",
                "shaped",
            )

    def _name(self, token: str) -> None:
        """A colour, a shape or a noun: the next word of the last mention, or a new one."""
        colours, shapes = _COLOUR_WORDS.get(token), _SHAPE_WORDS.get(token)
        last = self.made[-1] if self.made else None
        if last and self.open and colours is None:
            if shapes is not None and last.shapes is None and not self.noun:
                self.made[-1] = replace(last, shapes=shapes)
                return
            if token in _NOUNS:
                self.noun = True
                return
        low, high = self.count or ((0, 0) if self.none else (1, 99))
        place = self.leading or ALL
        mention = PieceMention(colours, shapes, place, (), low, high)
        if self.relation and last:
            mention = replace(mention, relation=f"<{self.relation}", place=ALL)
            self.relation = ""
        elif self.relation:
            mention = replace(mention, relation=f"?{self.relation}")
            self.relation = ""
        self.made.append(mention)
        self.count, self.denied = None, False
        self.open, self.noun, self.fresh, self.placed = True, token in _NOUNS, False, False

    def _attach_place(self, place: tuple[Third, ...]) -> None:
        self.first_place = self.first_place or place
        self.open = False
        leads = self.fresh and self._names_follow()
        if leads or not self.made:
            self.leading = place
            self.fresh = False
            return
        last = self.made[-1]
        if self.placed or self.denied:
            return
        both = tuple(third for third in place if third in last.place)
        self.made[-1] = replace(last, place=both or place)
        self.placed = True

    def _names_follow(self) -> bool:
        """Whether a piece is named right after a place: `at the top there is a red T`."""
        for i in range(4):
            token = self.scan.token(i)
            if token in _COLOUR_WORDS or token in _SHAPE_WORDS or token in _NOUNS or number(token) is not None:
                return True
            if token not in ("is", "there", "has", "see", ":", "with", "not", ","):
                return False
            if token == "," and i:
                return False
        return False

    def _attach_features(self, features: tuple[tuple[str, str], ...]) -> None:
        self.features += features
        following = self.scan.token()
        before = features[0][0] == "axis" and (
            following in _COLOUR_WORDS or following in _SHAPE_WORDS or following in _NOUNS
        )
        if before and not (self.made and self.open):
            self._name(following)
            self.scan.at += 1
        if self.made and not self.denied:
            last = self.made[-1]
            said = tuple(feature for feature in features if feature[1])
            self.made[-1] = replace(last, features=last.features + said)

    def _linked(self) -> list[PieceMention]:
        """Hand `left of the blue T` over to the piece it is said of."""
        made: list[PieceMention] = []
        for mention in self.made:
            if mention.relation.startswith("<") and made:
                other = replace(mention, relation="", other=None)
                made[-1] = replace(made[-1], relation=mention.relation[1:], other=other)
            else:
                made.append(replace(mention, relation=mention.relation.removeprefix("?") and ""))
        return made


# Claims


@dataclass(frozen=True)
class BoardQuery:
    """What a question asks about: its kind, and the pieces or the place it names."""

    kind: str
    mentions: tuple[PieceMention, ...] = ()
    place: tuple[Third, ...] = ()
    relation: str = ""
    word: str = ""
    without: tuple[PieceMention, ...] = ()


def claims_in(text: str, query: BoardQuery | None = None, strict: bool = True) -> list[PieceMention]:
    """Everything a text claims about the board it speaks of. `query` is the question it answers, if it answers one."""
    words = board_tokens(text)
    found: list[PieceMention] = []
    if query:
        words, said = _yes_or_no(words, query)
        found += said
    named = 0
    for i, sentence in enumerate(sentences(words)):
        if {"which", "what", "where", "how", "if", "same", "different"} & set(sentence[:3]):
            continue
        said_now = read(sentence)
        mentions = said_now.mentions
        if not mentions and said_now.leading and "not" in sentence and {"there", "has", "empty"} & set(sentence):
            found.append(PieceMention(place=said_now.leading, low=0, high=0))
            continue
        if query and i == 0:
            mentions = _in_context(said_now, query)
        found += [claim for mention in mentions for claim in _claim(mention)]
        named += sum(1 for mention in mentions if not mention.bare and mention.low)
    if query and query.kind == "list" and named and "only" not in words:
        found.append(PieceMention(place=query.place, low=named, high=named))
    if not strict:
        found = [replace(claim, loose=_LOOSE.get(claim.shapes or (), ())) for claim in found]
    return found


def _claim(mention: PieceMention) -> Iterator[PieceMention]:
    """A mention as claims; one that says nothing, such as `a piece`, makes none."""
    if mention.bare and mention.place == ALL and (mention.low, mention.high) == (1, 99):
        return
    if mention.bare and not mention.other and mention.high == 99 and mention.place == ALL:
        return
    yield mention
    if not mention.low and not mention.high:  # `no pink piece besides the T`: there is that T
        for one in mention.without:
            yield replace(one, colours=one.colours or mention.colours)
    if mention.other and not mention.other.bare:
        yield replace(mention.other, low=1, high=99)


def _yes_or_no(words: list[str], query: BoardQuery) -> tuple[list[str], list[PieceMention]]:
    """Take a leading yes or no off an answer; what it claims about a question whether there is such a piece."""
    if query.kind != "check":
        return words[1:] if words[:1] == ["yes"] else words, []
    head = words[0] if words else ""
    following = words[1] if len(words) > 1 else "."
    asked = list(query.mentions[:1])
    if head == "yes" or (head == "right" and following in (",", ".")):
        return words[1:], asked
    if head == "not" and (following in (",", ".", "!", ";", "-") or len(words) < 4):
        plain = [mention for mention in asked if not mention.features and not mention.other and mention.low <= 1]
        return words[1:], [replace(mention, low=0, high=0) for mention in plain]
    return words, []


def _in_context(said: Sentence, query: BoardQuery) -> list[PieceMention]:
    """Complete an answer that leaves out what the question said: `top left`, `it is red`, `three`."""
    asked = query.mentions[0] if query.mentions else None
    mentions = list(said.mentions)
    if not mentions:
        if query.kind == "list" and "not" in said.words and len(said.words) <= 5:
            return [PieceMention(place=query.place, low=0, high=0)]
        if not asked:
            n = next((n for token in said.words if (n := number(token)) is not None), None)
            return (
                [PieceMention(low=n, high=n)] if query.kind == "count" and n is not None and len(said.words) < 4 else []
            )
        if "not" in said.words:
            if {"idea", "sure", "know", "clue", "certain"} & set(said.words):
                return []
            none = query.kind in ("where", "turned", "check", "tell") and len(said.words) <= 6
            gone = asked.place == ALL and not asked.features and not said.leading
            return [replace(asked, low=0, high=0)] if none and gone else []
        if query.kind == "count":
            n = next((n for token in said.words if (n := number(token)) is not None), None)
            return [] if n is None else [replace(asked, low=n, high=n)]
        if said.leading or said.features:
            place = said.leading or asked.place
            return [replace(asked, place=place, features=tuple(f for f in said.features if f[1]), low=1, high=99)]
        return []
    first = mentions[0]
    if asked and first.low and query.kind in ("colour", "shape"):
        colours, shapes = first.colours or asked.colours, first.shapes or asked.shapes
        place = first.place if first.place != ALL else asked.place
        mentions[0] = replace(first, colours=colours, shapes=shapes, place=place)
    if asked and query.kind in ("list", "colour", "shape") and asked.place != ALL and first.place == ALL and first.low:
        mentions = [m if m.place != ALL or not m.low else replace(m, place=asked.place) for m in mentions]
    if query.kind == "list" and query.place:
        mentions = [m if m.place != ALL or not m.low or m.bare else replace(m, place=query.place) for m in mentions]
    return mentions


# Questions


def queries(text: str) -> list[BoardQuery]:
    """What a text asks, up to three questions of it; `unknown` where it cannot be told."""
    found = [_asked(read(part)) for sentence in sentences(board_tokens(text)) for part in _parts(sentence)]
    understood = [query for query in found if query.kind != "unknown"]
    return (understood or found or [BoardQuery("unknown")])[:3]


def _parts(sentence: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for i, token in enumerate(sentence):
        following = sentence[i + 1] if i + 1 < len(sentence) else ""
        excludes = parts[-1][:1] in (["besides"], ["except"], ["apart"], ["aside"], ["other"])
        if token in ("and", ",", "or") and following in ("is", "how", "which", "what", "where") and not excludes:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _own(mention: PieceMention) -> PieceMention:
    """The mention as one means it who asks about the other's board: colours by their own names."""
    other = _own(mention.other) if mention.other else None
    without = tuple(_own(one) for one in mention.without)
    return replace(mention, colours=mention.colours and mention.colours[:1], other=other, without=without)


_TURNED = {"turned", "pointing", "way", "direction", "orientation", "face", "open", "rotated", "oriented", "angle"}


def _asked(said: Sentence) -> BoardQuery:
    without = tuple(_own(mention) for mention in said.without)
    return replace(_query(said), without=without) if without else _query(said)


def _query(said: Sentence) -> BoardQuery:
    words = set(said.words)
    said = replace(said, mentions=[_own(mention) for mention in said.mentions])
    named = tuple(mention for mention in said.mentions if not mention.bare)
    mentions = named or tuple(said.mentions)
    place = said.leading
    features = any(mention.features for mention in mentions)
    relation = next((m.relation for m in said.mentions if m.other), "") or said.relation
    open_word = bool(words & {"which", "what", "where", "how"})
    if words & {"same", "identical", "different", "equal", "match"} and not named and not place:
        if not ("how" in words and words & {"colour", "shape"}):
            return BoardQuery("same")
    if ("how" in words and "many" in words) or "number" in words or "count" in words:
        if words & {"colour", "color", "colours"} and not named:
            return BoardQuery("colours")
        if "shape" in words and "different" in words and not named:
            return BoardQuery("shapes")
        return BoardQuery("count", mentions or (PieceMention(place=place or ALL),), place)
    if "where" in words:
        return BoardQuery("where", mentions) if mentions else BoardQuery("all")
    if "mirrored" in words:
        return BoardQuery("mirrored", mentions, place)
    if words & {"colour", "color"} and (open_word or not named):
        return BoardQuery("colour", mentions, place) if named or place else BoardQuery("colours")
    if (open_word and words & _TURNED) or (words & {"turned", "pointing"} and not features):
        return BoardQuery("turned", mentions, place)
    if relation and (open_word or not any(m.other for m in said.mentions)) and mentions:
        other = next((m.other for m in said.mentions if m.other), None) or mentions[-1]
        return BoardQuery("beside", (other,), relation=relation)
    if open_word and features and not (named and named[0].shapes):
        return BoardQuery("lying", mentions)
    if open_word and "shape" in words and (named or place):
        return BoardQuery("shape", mentions, place)
    if "between" in words and len(named) >= 2:
        return BoardQuery("between", named)
    if words & {"closest", "nearest"} and place:
        return BoardQuery("closest", place=place)
    if words & {"touch", "touching", "overlap", "connected"} and not words & {"border", "wall"}:
        return BoardQuery("touch")
    if words & {"border", "wall"}:
        return BoardQuery("border")
    if words & {"look", "tell", "about"} and named and open_word:
        return BoardQuery("tell", named)
    if open_word and place and not (named and not place):
        return BoardQuery("list", mentions, place)
    if open_word and named:
        return BoardQuery("tell", named)
    if named:
        return BoardQuery("check", named, place)
    if place and (said.mentions or words & {"any", "is", "has", "not"} or len(words) < 8):
        return BoardQuery("list", (), place)
    if words & {"size", "big", "large", "grid"}:
        return BoardQuery("size")
    if words & {"list", "all", "piece", "shape", "see", "which", "other", "picture", "look", "board", "what"}:
        return (
            BoardQuery("shapes" if "shape" in words and open_word else "all")
            if words & {"list", "all", "which", "what", "other", "look", "piece", "shape"}
            else BoardQuery("unknown")
        )
    return BoardQuery("unknown")


# Saying

_AT: dict[str, str] = {
    "top left": "at the top left",
    "top centre": "at the top in the middle",
    "top right": "at the top right",
    "centre left": "in the middle on the left",
    "centre": "in the centre",
    "centre right": "in the middle on the right",
    "bottom left": "at the bottom left",
    "bottom centre": "at the bottom in the middle",
    "bottom right": "at the bottom right",
}
_BANDS: dict[str, tuple[Third, ...]] = {
    "at the top": ((0, 0), (0, 1), (0, 2)),
    "in the middle row": ((1, 0), (1, 1), (1, 2)),
    "at the bottom": ((2, 0), (2, 1), (2, 2)),
    "on the left": ((0, 0), (1, 0), (2, 0)),
    "in the middle column": ((0, 1), (1, 1), (2, 1)),
    "on the right": ((0, 2), (1, 2), (2, 2)),
}


def at(piece: Piece) -> str:
    """Where a piece is, in words."""
    return _AT[piece.place]


def where(place: tuple[Third, ...]) -> str:
    """A place that a question named, in words."""
    for words, band in _BANDS.items():
        if band == place:
            return words
    if len(place) == 1:
        return _AT[PLACES[place[0][0]][place[0][1]]]
    return "in the corners" if all(1 not in third for third in place) else "there"


def a(piece: Piece) -> str:
    """`a red T`."""
    return f"{'an' if piece.colour[0] in 'aeiou' else 'a'} {piece.name}"


def lies(piece: Piece) -> str:
    """How a piece lies, as a clause: `the red T has its stem pointing down`."""
    words = orientation(piece.shape, piece.turn, piece.mirrored)
    if not words:
        return f"the {piece.name} looks the same every way"
    verb, words = ("has", words.removeprefix("with ")) if words.startswith("with ") else ("is", words)
    return f"the {piece.name} {verb} {words}"


def whole(piece: Piece) -> str:
    """All about a piece, as a clause."""
    words = orientation(piece.shape, piece.turn, piece.mirrored)
    return f"the {piece.name} is {at(piece)}" + (f", {words}" if words else "")


def kind_of(mention: PieceMention, many: bool = False) -> str:
    """What a mention names, without its number: `red T`, `blue pieces`."""
    colour = "/".join(mention.colours or ())
    shape = "/".join(mention.shapes or ()) or ("pieces" if many else "piece")
    name = f"{colour} {shape}".strip()
    return f"{name}s" if many and mention.shapes else name


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


class BoardTalker:
    """The scripted partner's sense for a pentomino board: it knows the description of its own board only."""

    def __init__(self, description: Mapping[str, Any], rng: Random) -> None:
        self.board = board_of(description)
        self.rng = rng
        self.placed: set[Piece] = set()
        """The pieces whose places the answer under way has told."""

    # describing

    def describe(self) -> str:
        """Say how many pieces there are, and name them by rows or by columns of the board."""
        bands = list(_BANDS.items())[:3] if self.rng.random() < 0.5 else list(_BANDS.items())[3:]
        parts: list[str] = []
        for words, band in bands:
            pieces = [piece for piece in self.board.pieces if piece.thirds in band]
            pieces.sort(key=lambda piece: (piece.thirds, piece.middle))
            if pieces:
                verb = ("there is " if len(pieces) == 1 else "there are ") if not parts else ""
                parts.append(f"{words} {verb}{listed([a(piece) for piece in pieces])}")
        n = len(self.board.pieces)
        first = self.rng.choice((f"I see {counted(n, 'piece')}.", f"My board has {counted(n, 'piece')}."))
        return f"{first} {_capital('; '.join(parts))}."

    # answering

    def answer(self, question: str) -> str:
        """Answer what is asked about the own board."""
        self.placed = set()
        answers = [answer for query in queries(question) if (answer := self._answer(query))]
        text = " ".join(_capital(one) + "." for one in dict.fromkeys(answers))
        if len(question) > READ:
            text = f"I only read the first {READ} characters of that. {text}"
        return text

    def _answer(self, query: BoardQuery) -> str:
        match query.kind:
            case "count":
                return listed([self._count(mention) for mention in query.mentions])
            case "where":
                return self._each(query, lambda piece: f"the {piece.name} is {at(piece)}", True)
            case "colour" | "shape" | "tell":
                return self._each(query, whole) if query.kind == "tell" else self._each(query, self._named, True)
            case "turned":
                return self._each(query, lies)
            case "mirrored":
                return self._each(query, self._mirrored)
            case "lying":
                return self._lying(query.mentions)
            case "list":
                return self._list(query.place, query.without)
            case "beside":
                return self._beside(query)
            case "between":
                return self._between(query.mentions)
            case "check":
                return _agreed([self._check(mention) for mention in query.mentions[:3]])
            case "all" if query.without:
                return self._list(ALL, query.without)
            case "colours":
                return self._colours()
            case "shapes":
                return f"my pieces are {listed([a(piece) for piece in self.board.pieces])}"
            case "all":
                return f"I have {listed([f'{a(piece)} {at(piece)}' for piece in self.board.pieces])}"
            case "closest":
                return self._closest(query.place)
            case "touch":
                return f"no, none of my {counted(len(self.board.pieces), 'piece')} touch each other"
            case "border":
                return self._border()
            case "size":
                return f"my board is {SIZE} by {SIZE} cells and has {counted(len(self.board.pieces), 'piece')}"
            case "same":
                return f"I cannot tell yet, I only see my own board; {self._offer()}"
        return f"I am not sure what you mean, but I can tell you this: {self._offer()}"

    def _offer(self) -> str:
        return whole(self.rng.choice(self.board.pieces))

    def _pieces(self, query: BoardQuery) -> list[Piece]:
        """The pieces a query is about: those it names, those at its place, or all."""
        if query.mentions:
            found = [piece for mention in query.mentions for piece in mention.among(self.board)]
            return list(dict.fromkeys(found))
        return [piece for piece in self.board.pieces if not query.place or piece.thirds in query.place]

    def _each(self, query: BoardQuery, say: Callable[[Piece], str], place: bool = False) -> str:
        """Say something of each piece; `place` when it is where the piece is, which is told only once."""
        pieces = self._pieces(query)
        if place and pieces and set(pieces) <= self.placed:
            return ""
        if place:
            pieces = [piece for piece in pieces if piece not in self.placed]
            self.placed |= set(pieces)
        if not pieces and query.mentions:
            return listed([self._nothing(mention) for mention in query.mentions])
        if not pieces:
            return f"there is no piece {where(query.place)}"
        missing = [self._nothing(mention) for mention in query.mentions if not mention.among(self.board)]
        return "; ".join([*(say(piece) for piece in pieces), *missing])

    def _named(self, piece: Piece) -> str:
        return f"it is {a(piece)} {at(piece)}"

    def _nothing(self, mention: PieceMention) -> str:
        """Say that there is no such piece, and what comes nearest."""
        if mention.other and not mention.other.among(self.board):
            return self._nothing(mention.other)
        if mention.without:
            return self._none(mention)
        simple = replace(mention, features=(), relation="", other=None)
        if simple != mention and not simple.among(self.board):
            return self._nothing(simple)
        if mention.features and simple.among(self.board):
            return listed([lies(piece) for piece in simple.among(self.board)[:3]])
        for looser in _looser(mention):
            near = looser.among(self.board)
            if near:
                said = listed([f"the {piece.name} is {at(piece)}" for piece in near[:3]])
                return f"{self._none(mention)}; {said}"
        return self._none(mention)

    def _none(self, mention: PieceMention) -> str:
        place = "" if mention.place == ALL else f" {where(mention.place)}"
        lying = " that way" if mention.features else ""
        beside = f" {mention.relation} the {kind_of(mention.other)}" if mention.other else ""
        other = "other " if mention.without else ""
        return f"I have no {other}{kind_of(mention)}{place}{lying}{beside}"

    def _count(self, mention: PieceMention) -> str:
        pieces = replace(mention, low=0).among(self.board)
        place = "" if mention.place == ALL else f" {where(mention.place)}"
        if mention.bare:
            names = f": {listed([a(piece) for piece in pieces])}" if pieces and mention.place != ALL else ""
            verb = "is" if len(pieces) == 1 else "are"
            noun = "other piece" if mention.without else "piece"
            return f"there {verb} {counted(len(pieces), noun)}{place}{names}"
        if not pieces:
            return self._none(mention)
        noun = ("other " if mention.without else "") + kind_of(mention, len(pieces) > 1)
        return f"I have {count_word(len(pieces))} {noun}{place}: {listed([f'{a(p)} {at(p)}' for p in pieces])}"

    def _check(self, mention: PieceMention) -> str:
        pieces = mention.among(self.board)
        wanted = mention.low if mention.high < 99 else 1
        right = len(pieces) == mention.low if mention.high < 99 and mention.high else len(pieces) >= wanted
        right = right and mention.high > 0
        if pieces and right:
            plain = not mention.features and not mention.other
            fresh = [piece for piece in pieces if not (plain and piece in self.placed)][:3]
            self.placed |= set(fresh if plain else ())
            return f"yes, {listed([self._fact(mention, piece) for piece in fresh])}" if fresh else "yes"
        if pieces:
            return f"no, {self._count(mention)}"
        return f"no, {self._nothing(mention)}"

    def _fact(self, mention: PieceMention, piece: Piece) -> str:
        if mention.features:
            return lies(piece)
        if mention.other:
            others = [o for o in mention.other.among(self.board) if o != piece and stands(piece, mention.relation, o)]
            way = "near" if mention.relation == "near" else mention.relation
            return f"the {piece.name} is {way} the {others[0].name}"
        return f"the {piece.name} is {at(piece)}"

    def _mirrored(self, piece: Piece) -> str:
        flat = all(not mirrored for turn, mirrored in orientations(piece.shape))
        if flat:
            return f"the {piece.shape} looks the same mirrored; {lies(piece)}"
        return f"{'yes' if piece.mirrored else 'no'}, {lies(piece)}"

    def _lying(self, mentions: tuple[PieceMention, ...]) -> str:
        wanted = next(mention.features for mention in mentions if mention.features)
        mention = replace(next(m for m in mentions if m.features), low=0)
        keys = {key for key, _ in wanted}
        pieces = [piece for piece in mention.among(self.board) if keys & set(_features(piece))]
        if not pieces:
            return "none of my pieces lies that way"
        return listed([f"{lies(piece)}" for piece in pieces])

    def _list(self, place: tuple[Third, ...], without: tuple[PieceMention, ...] = ()) -> str:
        pieces = [piece for piece in self.board.pieces if piece.thirds in place]
        pieces = [piece for piece in pieces if not any(other.fits(piece) for other in without)]
        if not pieces:
            return f"there is nothing {'else ' if without else ''}{where(place)}"
        named = any(len(place) > 1 for _ in pieces)
        said = [f"{a(piece)} {at(piece)}" if named else a(piece) for piece in pieces]
        return (
            f"{where(place)} there {'is' if len(pieces) == 1 else 'are'} {listed([a(p) for p in pieces])}"
            if (where(place) != "there")
            else f"I have {listed(said)}"
        )

    def _beside(self, query: BoardQuery) -> str:
        subjects = query.mentions[0].among(self.board)
        if not subjects:
            return self._nothing(query.mentions[0])
        subject = subjects[0]
        others = [o for o in self.board.pieces if o != subject and stands(o, query.relation, subject)]
        others.sort(key=lambda o: sum(abs(x - y) for x, y in zip(o.middle, subject.middle, strict=True)))
        way = query.relation
        if not others:
            return f"there is nothing {way} the {subject.name}"
        names = [a(piece) for piece in others[: 2 if way == "near" else 9]]
        return f"{way} the {subject.name} there {'is' if len(names) == 1 else 'are'} {listed(names)}"

    def _between(self, mentions: tuple[PieceMention, ...]) -> str:
        ends = [mention.among(self.board)[:1] for mention in mentions[-2:]]
        if not all(ends):
            return self._nothing(next(m for m in mentions[-2:] if not m.among(self.board)))
        (p,), (q,) = ends
        box = [sorted(pair) for pair in zip(p.middle, q.middle, strict=True)]
        inside = [
            o
            for o in self.board.pieces
            if o not in (p, q) and all(low - 1 <= at <= high + 1 for at, (low, high) in zip(o.middle, box, strict=True))
        ]
        names = listed([a(piece) for piece in inside]) if inside else "nothing"
        return f"between the {p.name} and the {q.name} there {'is' if len(inside) < 2 else 'are'} {names}"

    def _colours(self) -> str:
        found = [(colour, sum(1 for p in self.board.pieces if p.colour == colour)) for colour in COLOURS]
        said = [f"{count_word(n)} {colour} {'piece' if n == 1 else 'pieces'}" for colour, n in found if n]
        return f"I have {listed(said)}"

    def _closest(self, place: tuple[Third, ...]) -> str:
        def away(piece: Piece) -> float:
            down, right = piece.middle
            return min(abs(down - 2 - 4 * row) + abs(right - 2 - 4 * column) for row, column in place)

        piece = min(self.board.pieces, key=away)
        return f"that is the {piece.name}, {at(piece)}"

    def _border(self) -> str:
        pieces = [p for p in self.board.pieces if any(r in (0, SIZE - 1) or c in (0, SIZE - 1) for r, c in p.cells)]
        if not pieces:
            return "none of my pieces reaches the edge"
        return f"{listed([f'the {p.name}' for p in pieces])} {'reaches' if len(pieces) == 1 else 'reach'} the edge"

    # asking and deciding

    def ask(self, history: Sequence[Utterance]) -> str:
        """Ask what would give away most of the boards that the partner may have instead, as far as one can imagine."""
        claims = heard(history)
        asked = [entry.text for entry in history if entry.speaker == "me" and entry.kind == "question"]
        theirs = [entry.text for entry in history if entry.speaker == "partner" and entry.kind == "question"]
        told = BoardReading(claims, len(self.board.pieces))
        unasked = [question for question in self._questions() if question.text not in asked]
        open_questions = [question for question in unasked if not told.settles(question, self.board)]
        doubts = [text for text in self._doubts(claims, told) if text not in asked]
        if doubts:
            return self.rng.choice(doubts)
        others = [(w, board) for w, board in imagined(self.board) if all(claim.holds(board) for claim in claims)]
        gains = []
        for question in open_questions:
            mine = question.look(self.board)
            gain = sum(weight for weight, board in others if question.look(board) != mine)
            gains.append((gain * (ECHO if question.text in theirs else 1), question))
        best = max((gain for gain, _ in gains), default=0.0)
        good = [question for gain, question in gains if gain >= 0.8 * best] or open_questions
        return self.rng.choice(good).text if good else "Is there anything special about your board?"

    def _questions(self) -> list[BoardQuestion]:
        found = []
        for words, band in _BANDS.items():
            found.append(BoardQuestion(f"Which pieces are {words}?", "names", band))
            found.append(BoardQuestion(f"Which way are the pieces {words} turned?", "turns", band))
        for piece in self.board.pieces:
            found.append(BoardQuestion(f"What is {at(piece)}?", "names", (piece.thirds,)))
            found.append(BoardQuestion(f"Where is your {piece.name}?", "place", name=piece.name))
            if piece.shape != "X":
                found.append(BoardQuestion(f"Which way is your {piece.name} turned?", "turns", name=piece.name))
        return found

    def _doubts(self, claims: list[PieceMention], told: BoardReading) -> list[str]:
        """What to ask about pieces that the partner named and I do not have: the boards differ, unless one slipped.

        Where they are, how they lie, and whether mine are there as well; only what was not told.
        """
        wrong = [claim for claim in claims if claim.low and not claim.holds(self.board) and _is_named(claim)]
        first: list[str] = []
        then: list[str] = []
        for claim in wrong:
            name = _name(claim)
            if not told.where(name):
                first.append(f"Where exactly is your {name}?")
            if not told.lies(name) and not name.endswith(" X"):
                then.append(f"Which way is your {name} turned?")
        mine = [piece for piece in self.board.pieces if wrong and told.may_have(piece)]
        asks = [f"Do you have {a(piece)}?" for piece in mine]
        return list(dict.fromkeys(first or then + asks))

    def decide(self, history: Sequence[Utterance]) -> Decision:
        """Decide `different` when something that the partner said does not hold of the own board."""
        return "same" if all(claim.holds(self.board) for claim in heard(history)) else "different"


class BoardReading:
    """What the partner told of its pieces, so that nobody asks for it again."""

    def __init__(self, claims: Sequence[PieceMention], pieces: int) -> None:
        self.claims = [claim for claim in claims if claim.low and _is_named(claim)]
        self.nothing = [claim for claim in claims if not claim.low and not claim.high and not claim.without]
        names = {_name(claim) for claim in self.claims}
        plain = [c for c in claims if c.bare and c.place == ALL and c.low == c.high and not c.without]
        self.complete = len(names) >= min([claim.low for claim in plain], default=pieces)
        """Whether it has named all its pieces."""

    def where(self, name: str) -> bool:
        """Whether the third of the board was told where a piece is."""
        return any(_name(claim) == name and len(claim.place) == 1 for claim in self.claims)

    def lies(self, name: str) -> bool:
        """Whether it was told how a piece lies."""
        return any(_name(claim) == name and claim.features for claim in self.claims)

    def may_have(self, piece: Piece) -> bool:
        """Whether the partner may have a piece that it has not named."""
        if self.complete or any(_is_called(claim, piece) for claim in self.claims):
            return False
        if any(claim.fits(piece) for claim in self.nothing):
            return False
        instead = [c for c in self.claims if piece.shape in (c.shapes or ()) or piece.colour in (c.colours or ())]
        return not any(len(c.place) < len(ALL) and _is_at(piece, c.place, TOLERANCE) for c in instead)

    def settles(self, question: BoardQuestion, board: Board) -> bool:
        """Whether the answer to a question was told, or it asks about a piece that the partner does not have."""
        if question.name:
            piece = next(piece for piece in board.pieces if piece.name == question.name)
            mine = [claim for claim in self.claims if _is_called(claim, piece)]
            if not mine and (self.complete or (self.claims and not self.may_have(piece))):
                return True
            if question.what == "place":
                return any(len(claim.place) == 1 for claim in mine)
            return any(claim.features for claim in mine)
        there = [c for c in self.claims if set(c.place) <= set(question.place)]
        if question.what == "names" and len(question.place) == 1:
            return bool(there)
        elsewhere = [c for c in self.claims if not set(c.place) & set(question.place)]
        if not self.complete or len(there) + len(elsewhere) < len(self.claims):
            return False
        return question.what == "names" or all(self.lies(_name(claim)) for claim in there)


def _is_named(claim: PieceMention) -> bool:
    """Whether a claim names one piece by colour and shape."""
    return bool(claim.colours and claim.shapes)


def _is_called(claim: PieceMention, piece: Piece) -> bool:
    """Whether a claim names a piece like this one."""
    return piece.colour in (claim.colours or ()) and piece.shape in (*(claim.shapes or ()), *claim.loose)


def _name(claim: PieceMention) -> str:
    return f"{(claim.colours or ('',))[0]} {(claim.shapes or ('',))[0]}"


def _looser(mention: PieceMention) -> Iterator[PieceMention]:
    """The same mention with less and less said of it."""
    yield replace(mention, features=(), relation="", other=None)
    yield replace(mention, place=ALL, features=(), relation="", other=None)
    if mention.colours is not None and mention.shapes is not None:
        yield PieceMention(shapes=mention.shapes)
        yield PieceMention(colours=mention.colours)


def _agreed(answers: list[str]) -> str:
    """Join answers that begin with yes or no: one `yes` when all agree, else one sentence each."""
    heads = {answer.split(",")[0] for answer in answers}
    if len(heads) > 1:
        return ". ".join([answers[0], *(_capital(answer) for answer in answers[1:])])
    head = answers[0].split(", ", 1)[0]
    said = list(dict.fromkeys(answer.split(", ", 1)[1] for answer in answers if ", " in answer))
    return f"{head}, {listed(said)}" if said else head


@dataclass(frozen=True)
class BoardQuestion:
    """A question one can ask: what it asks of the pieces at a place or of one name."""

    text: str
    what: str
    place: tuple[Third, ...] = ALL
    name: str = ""

    def look(self, board: Board) -> object:
        """What of a board the answer gives."""
        pieces = [p for p in board.pieces if p.thirds in self.place and self.name in ("", p.name)]
        match self.what:
            case "names":
                return [piece.name for piece in pieces]
            case "turns":
                return [(piece.name, piece.turn, piece.mirrored) for piece in pieces]
            case "place":
                return [piece.thirds for piece in pieces]
        raise ValueError(self.what)


def heard(history: Sequence[Utterance]) -> list[PieceMention]:
    """All claims of the partner about its board: in its description, and in answers to my questions."""
    said = [board_tokens(entry.text) for entry in history if entry.speaker == "partner"]
    strict = any(_EXPERT.match(token) for words in said for token in words)
    found: list[PieceMention] = []
    asked: BoardQuery | None = None
    for entry in history:
        if entry.speaker == "me":
            if entry.kind == "question":
                asked = queries(entry.text)[0]
        elif entry.kind == "description":
            found += claims_in(entry.text, None, strict)
        elif entry.kind == "answer":
            found += claims_in(entry.text, asked, strict)
    return found


@lru_cache(maxsize=64)
def imagined(board: Board) -> tuple[tuple[float, Board], ...]:
    """Boards that a partner may have instead of this one: one attribute of one piece changed, weighted by kind."""
    found: list[tuple[float, Board]] = []
    for kind in CHANGES:
        made: list[Board] = []
        for i, piece in enumerate(board.pieces):
            seen: list[object] = []
            for other in list_variants(piece, kind):
                look = (other.colour, other.shape, other.turn, other.mirrored) if kind != "place" else other.thirds
                if look in seen or (kind == "shape" and other.shape in [s[1] for s in seen if isinstance(s, tuple)]):
                    continue
                seen.append(look)
                pieces = (*board.pieces[:i], other, *board.pieces[i + 1 :])
                made.append(Board.model_construct(pieces=tuple(sorted(pieces, key=lambda p: p.cells))))
        found += [(1 / len(made), one) for one in made]
    return tuple(found)
