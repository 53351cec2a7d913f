"""What a scripted player sees of a pentomino board, from its description: pieces by colour, shape, place and lie.

An expression is read as mentions of pieces, each with what stands around it; every part that some piece has counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.common.pentomino import COLOURS, SHAPES
from games.reference.talkers.facts import Fact

NAMES: dict[str, str] = {
    "cross": "X",
    "plus": "X",
    "bar": "I",
    "stick": "I",
    "line": "I",
    "straight": "I",
    "stairs": "W",
    "staircase": "W",
    "steps": "W",
    "corner": "V",
    "cup": "U",
}
"""What people call a shape that they do not name by its letter."""
COLOUR_WORDS = {
    "violet": "purple",
    "rose": "pink",
    "magenta": "pink",
    "dark": "black",
    "grey": "black",
    "gray": "black",
}
PIECES = frozenset("piece pieces shape shapes block blocks pentomino pentominoes one ones figure figures".split())
NUMBERS = {word: number for number, word in enumerate("zero one two three four five six seven eight".split())}
SAME = {"middle": "centre", "center": "centre", "upper": "top", "lower": "bottom", "upwards": "up", "downwards": "down"}
SMALL = frozenset("a an the with its at is of to and in on it that which pointing points bar side corner".split())


class BoardSight:
    """One board."""

    noun = "board"

    def __init__(self, description: Mapping[str, Any]) -> None:
        self.pieces: list[Mapping[str, Any]] = list(description["pieces"])

    def facts(self) -> Iterator[Fact]:
        """Yield pieces by colour and shape, then with their place, then with their lie."""
        for piece in self.pieces:
            name = (piece["colour"], piece["shape"])
            yield Fact(("piece", *name), f"a {_called(name)}")
        for piece in self.pieces:
            name = (piece["colour"], piece["shape"])
            at = piece["place"] if piece["place"] == "centre" else f"{piece['place']}"
            yield Fact(("place", *name, piece["place"]), f"the {_called(name)} at the {at}")
            if piece["orientation"]:
                yield Fact(("lie", *name, piece["orientation"]), f"the {_called(name)} {_lying(piece['orientation'])}")

    def holds(self, fact: Fact) -> bool:
        """Say whether a piece here is as the fact says."""
        kind, colour, shape, *rest = fact.key
        part = {"place": "place", "lie": "orientation"}.get(kind)
        return any(
            (piece["colour"], piece["shape"]) == (colour, shape) and (part is None or piece[part] == rest[0])
            for piece in self.pieces
        )

    def without(self, fact: Fact) -> str | None:
        """Say that a piece is not here."""
        return f"no {_called(fact.key[1:])}" if fact.key[0] == "piece" else None

    def fit(self, expression: str, among: Sequence[Any]) -> float:
        """Return how many of the parts mentioned fit the pieces here."""
        total = 0.0
        for mention in _mentions(expression):
            fits = [mention.fit(piece) for piece in self.pieces]
            whole = sum(share == 1 for share in fits)
            if mention.none:
                total -= mention.parts * (whole > 0)
            elif mention.number is not None:
                total += whole == mention.number
            else:
                total += mention.parts * max(fits, default=0)
        return total


def _called(name: tuple[Any, ...]) -> str:
    return f"{name[0]} {name[1]}"


def _lying(orientation: str) -> str:
    return orientation if orientation.startswith("with") else f"that is {orientation}"


@dataclass
class PieceMention:
    """One piece as an expression speaks of it; `none`: there is said to be none, `number`: so many."""

    colour: str | None = None
    shape: str | None = None
    none: bool = False
    number: int | None = None
    said: list[str] = field(default_factory=list)
    """The words after it, up to the next piece: where it is and how it lies."""
    lies: bool = False
    """Whether these say how it lies, not only where."""

    @property
    def parts(self) -> int:
        """How much was said: colour, shape, place, lie."""
        return max(1, (self.colour is not None) + (self.shape is not None) + bool(self._about()))

    def _about(self) -> list[str]:
        return [word for word in self.said if word in ABOUT]

    def fit(self, piece: Mapping[str, Any]) -> float:
        """Return the share of what was said that a piece has, from 0 to 1; another colour and shape fit nothing."""
        found = [float(piece[part] == given) for part, given in self._named()]
        if found and not any(found):
            return 0.0
        if about := {*self._about()}:
            place, lie = ({*_words(piece[part])} & ABOUT for part in ("place", "orientation"))
            meant = (lie, place | lie) if self.lies else (place,)
            found.append(max(len(about & has) / len(about | has) for has in meant))
        return sum(found) / len(found) if found else 0.0

    def _named(self) -> list[tuple[str, str]]:
        return [(part, given) for part, given in (("colour", self.colour), ("shape", self.shape)) if given]


LIES = frozenset("its pointing points upright lying level stem foot bump tail arm hook open opening turned".split())
ABOUT = frozenset(
    "top bottom left right centre up down upright lying open level stem foot bump tail longer arm hook".split()
)


def _words(text: str) -> list[str]:
    return [SAME.get(word, word) for word in re.findall(r"[a-z]+", text.casefold()) if word not in SMALL]


def _mentions(expression: str) -> list[PieceMention]:
    """Read an expression piece by piece; a single capital letter is a shape, its plural too (two Ts)."""
    found: list[PieceMention] = []
    now = PieceMention()
    none, number = False, None
    tokens = re.findall(r"[A-Za-z]+|\d+|[.;,]", expression)
    for at, token in enumerate(tokens):
        word = token.casefold()
        word = COLOUR_WORDS.get(word, word)
        letter = _letter(token, at, tokens)
        if word in COLOURS or letter:
            if (word in COLOURS and (now.colour or now.shape)) or (letter and now.shape):
                found.append(now)
                now = PieceMention()
            if now.colour is None and now.shape is None:
                now.none, now.number, none, number = none, number, False, None
            if letter:
                now.shape = letter
            else:
                now.colour = word
        elif word in ("no", "without", "not"):
            none = True
        elif word in NUMBERS and word != "one":
            number = NUMBERS[word]
        elif word not in PIECES:
            now.said += _words(word)
            now.lies |= word in LIES
    return [mention for mention in (*found, now) if mention.colour or mention.shape]


def _letter(token: str, at: int, tokens: list[str]) -> str | None:
    """Return the shape that a word names: a capital letter, "T-shaped", "Ts", or what people call it."""
    if token in SHAPES and not (token == "I" and at + 1 < len(tokens) and tokens[at + 1] in ("see", "have", "mean")):
        return token
    if len(token) == 2 and token[1] == "s" and token[0] in SHAPES:
        return token[0]
    before = tokens[at - 1].casefold() if at else ""
    coloured = COLOUR_WORDS.get(before, before) in COLOURS
    if token.casefold() in NAMES and coloured:
        return NAMES[token.casefold()]
    return token.upper() if coloured and token.upper() in SHAPES else None
