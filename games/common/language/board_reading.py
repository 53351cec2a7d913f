"""Reads what people say about a pentomino board: mentions of pieces with colour, shape, place, lie and number.

A sentence is cut into segments, one for each kind of piece that it mentions; words such as "left of" and "except" join
them. A mention fits a piece as far as nothing speaks against it: `Mention.misfit` is 0 for a piece that is just so and
grows with each attribute that differs. A board is described completely, so that a number of pieces is right or wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from games.common.language.doubt import sentences
from games.common.language.lexicon import Vocabulary
from games.common.language.phrases import PhraseMatch, make_rules, rewrite
from games.common.language.signs import Item, bounds_of
from games.common.language.tokens import Token, tokenize
from games.common.pentomino import PIECE_SHAPES, SIZE, Board, Piece, Shape, box_of, orientation, orientations

TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("board_words.toml").read_text("utf-8"))
CHUNK_RULES = TABLES.pop("chunks")
SMALL_WORDS = {meaning: frozenset(words.split()) for meaning, words in TABLES.pop("words").items()}
MEANINGS = {
    word.replace("_", " "): (kind, meaning)
    for kind, table in reversed(TABLES.items())
    for meaning, words in table.items()
    for word in words.split()
}
LETTERS = {shape: shape for shape in PIECE_SHAPES} | {"C": "U", "S": "Z"}
KNOWN = Vocabulary(word for word in MEANINGS if len(word) > 3)
LETTERED = 5
"""Who names so many pieces by letters, and places by "centre", names them exactly, as the scripted partner does."""
CLEAR, VAGUE, NEAR = 3.0, 0.9, 0.75
"""Misfits: a clear contradiction, what people mix up, and below what a piece fits."""
CONFUSABLE = ("FNWZ", "FTY", "LNVY", "FP")
"""Shapes whose names people mix up."""
SLACK = 1.5
"""Cells by which a piece may be off the third of the board that is named, unless it is named exactly."""
MANY = 99
OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def words_for(meaning: str) -> frozenset[str]:
    """Return the small words of a meaning."""
    return SMALL_WORDS[meaning]


# ---------------------------------------------------------------------- mentions
@dataclass(frozen=True)
class Mention:
    """Pieces as a text speaks of them: what is said of them, and how many there are. Empty fields say nothing."""

    colour: str = ""
    shape: str = ""
    places: tuple[str, ...] = ()
    """Sides: top, bottom, left, right, middle."""
    features: tuple[str, ...] = ()
    """How it lies: a part and its direction, as in "stem left" and "stance upright"."""
    relation: str = ""
    other: Mention | None = None
    without: tuple[Mention, ...] = ()
    low: int = 1
    high: int = MANY
    negated: bool = False
    is_sure: bool = True
    """Whether all of its sentence was understood; else it may have been meant otherwise."""

    @property
    def is_number(self) -> bool:
        """Whether it says how many there are."""
        return self.high > 0 and (self.low, self.high) != (1, MANY)

    @property
    def has_head(self) -> bool:
        """Whether it says which pieces are meant by colour or shape."""
        return bool(self.colour or self.shape)

    @property
    def is_anything(self) -> bool:
        """Whether it says nothing but a number."""
        return not (self.has_head or self.places or self.features or self.other or self.without)

    def __str__(self) -> str:
        """Return in words what was understood: "no black T at the left"."""
        count = "no" if not self.high else str(self.low) if self.is_number else ""
        noun = self.shape or ("piece" if self.low == 1 else "pieces")
        where = ("at the", *self.places) if self.places else ()
        related = (self.relation, str(self.other)) if self.other else ()
        return " ".join(filter(None, (count, self.colour, noun, *self.features, *where, *related)))

    def misfit(self, piece: Piece, board: Board, is_strict: bool = False) -> float:
        """Return how much of it is not so of a piece: 0 where all is."""
        if any(other.misfit(piece, board) < NEAR for other in self.without):
            return CLEAR
        others = [other for other in self.other.among(board) if other != piece] if self.other else []
        return (
            CLEAR * (self.colour not in ("", piece.colour))
            + shape_misfit(piece.shape, self.shape, is_strict)
            + place_misfit(piece, self.places, is_strict)
            + CLEAR * sum(is_contradicted(feature, piece, is_strict) for feature in self.features)
            + min((relation_misfit(piece, self.relation, other) for other in others), default=CLEAR * bool(self.other))
        )

    def among(self, board: Board, is_strict: bool = False) -> list[Piece]:
        """Return the pieces of a board that fit."""
        return [piece for piece in board.pieces if self.misfit(piece, board, is_strict) < NEAR]


def shape_misfit(shape: str, name: str, is_strict: bool = False) -> float:
    """Return how far a shape is from one that is named: less if people mix the two up."""
    is_vague = not is_strict and is_confusable(shape, name)
    return 0.0 if name in ("", shape) else VAGUE if is_vague else CLEAR


def is_confusable(*shapes: str) -> bool:
    """Return whether people mix up shapes."""
    return any(set(shapes) <= set(group) for group in CONFUSABLE)


def place_misfit(piece: Piece, places: Collection[str], is_strict: bool = False) -> float:
    """Return how far a piece is from the thirds of the board that are named, beyond what people take for the same.

    Of opposite sides, as in "at the top left and bottom left", neither counts.
    """
    (down, right), third = piece.middle, SIZE / 3
    across, along = abs(right - SIZE / 2) - third / 2, abs(down - SIZE / 2) - third / 2
    off = {"top": down - third, "bottom": 2 * third - down, "left": right - third, "right": 2 * third - right}
    both = max(across, along) if is_strict else min(across, along)
    off["middle"] = across if {"top", "bottom"} & set(places) else along if {"left", "right"} & set(places) else both
    worst = max((off[place] for place in places if OPPOSITE.get(place) not in places), default=0.0)
    slack, least = (0.25, VAGUE) if is_strict else (SLACK, 0.6)
    return 0.0 if worst <= slack else min(CLEAR, worst - slack + least)


def relation_misfit(piece: Piece, relation: str, other: Piece) -> float:
    """Return how far a piece is from standing so to another, 0 where it does."""
    down, right = (to - start for to, start in zip(piece.middle, other.middle, strict=True))
    if relation == "near":
        return VAGUE * (max(abs(down), abs(right)) > 6)
    way = {"above": -down, "below": down, "left of": -right, "right of": right}[relation]
    return 0.0 if way > 0.4 else CLEAR if way < -1.5 else VAGUE


def lie_of(piece: Piece) -> dict[str, str]:
    """Return by part how a piece lies: what its orientation in words says, read as people's words are."""
    return _lie_of(piece.shape, piece.turn, piece.mirrored)


@cache
def _lie_of(shape: Shape, turn: int, is_mirrored: bool) -> dict[str, str]:
    chunks = rewrite(words_of(orientation(shape, turn, is_mirrored)), CHUNKS)
    lie = dict(chunk.value.split(" ", 1) for chunk in chunks if chunk.kind == "feature")
    height, width = box_of(shape, turn, is_mirrored)
    if height != width:
        lie["stance"] = "upright" if height > width else "lying"
    if (0, True) in orientations(shape):
        lie["mirrored"] = "mirrored" if is_mirrored else "plain"
    for part, direction in list(lie.items()):
        if part in ("stem", "arm"):
            lie["points"] = direction
        if shape == "T" and part == "stem":
            lie["bar"] = OPPOSITE[direction]
        if shape in "TU" and part in ("stem", "open"):
            lie["turned"] = OPPOSITE.get(direction, direction) if part == "open" else direction
    return lie


def is_contradicted(feature: str, piece: Piece, is_strict: bool = False) -> bool:
    """Return whether a piece does not lie as a feature says; what does not apply to its shape counts if strict."""
    part, _, value = feature.partition(" ")
    direction = lie_of(piece).get(part)
    options = [set(option.split()) for option in value.split("/")]
    return not any(option <= set(direction.split()) for option in options) if direction else is_strict


# ---------------------------------------------------------------------- words
END = Item("stop")


def words_of(text: str) -> list[Item]:
    """Return the words of a text, those of a phrase that the tables have as one."""
    tokens = tokenize(text)
    texts = [KNOWN.correct(token.text) for token in tokens]
    words: list[Item] = []
    at = 0
    while at < len(tokens):
        phrases = {length: " ".join(texts[at : at + length]) for length in (3, 2)}
        length = next((length for length, phrase in phrases.items() if phrase in MEANINGS), 1)
        phrase = phrases.get(length, texts[at])
        words.append(_word(tokens[at], phrase, words[-1] if words else END, " ".join(texts[at + 1 : at + 2])))
        at += length
    return words


def _word(token: Token, text: str, before: Item, after: str) -> Item:
    if letter := _letter(token, before, after):
        return Item("shape", LETTERS[letter], text=letter)
    if token.number is not None and token.text != "one" and after not in words_for("article"):
        return Item("number", str(token.number), text=text)  # not in "above the two a red T"
    forms = (text, text.removesuffix("s"), text.removesuffix("es"))
    unread = ("unread" if token.is_word else "stop", "")
    kind, meaning = next((MEANINGS[form] for form in forms if form in MEANINGS), unread)
    return Item(kind, meaning, text=text)


def _letter(token: Token, before: Item, after: str) -> str:
    """Return the letter of a shape that a token names ("T", "Ts", "t-shaped"), "" if it names none."""
    raw = token.raw.replace("'", "").replace("’", "")
    letter = raw[0] if raw[1:] == "s" and raw != "Is" else raw.upper()
    is_shape = after.startswith("shape") or after in ("piece", "pieces") or (raw[:1].isupper() and raw != "I")
    is_led = before.kind == "colour" or before.text in words_for("before_letter")
    return letter if letter in LETTERS and (is_shape or (is_led and raw not in "as")) else ""


def _relation(match: PhraseMatch) -> Item:
    """Return "left of", or nothing where a pronoun or nothing follows: "next to it"."""
    is_open = match.group("other") or match.items_after(1)[0].kind in ("stop", "comma")
    return Item("comma") if is_open else match.items[0]


def _place(match: PhraseMatch) -> Item:
    """Read "in the top left corner", and "its stem to the left" as a part and its direction."""
    sides = [word for before, word in pairwise([END, *match.group("sides")]) if before.text != "halfway"]
    value = " ".join(word.value for word in [*match.group("part"), *sides] if word.kind in ("part", "side"))
    return Item("feature" if match.group("part") else "place", value)


def _part_of(match: PhraseMatch) -> list[Item]:
    """Read "the corner of the black V is at the top left" as "the black V with its corner at the top left"."""
    part = match.word("part").value if match.word("part").kind == "part" else "corner"
    sides = " ".join(word.value for word in match.group("sides") if word.kind == "side")
    return [*match.group("colour"), match.word("shape"), Item("feature", f"{part} {sides}")]


CHUNKS = make_rules(CHUNK_RULES, globals())
"""Words that together name a place, a relation or how a piece lies."""


# ---------------------------------------------------------------------- reading
@dataclass(frozen=True)
class BoardReading:
    """The mentions of a text, and the words that were not understood."""

    mentions: tuple[Mention, ...]
    unread: tuple[str, ...] = ()
    is_exact: bool = False


@lru_cache(maxsize=512)
def read_board_text(text: str) -> BoardReading:
    """Return what a text says of a board."""
    words = words_of(text)
    letters = sum(word.kind == "shape" and word.text == word.value for word in words)
    mentions = [
        replace(mention, is_sure=not is_doubtful)
        for sentence, is_doubtful in sentences(words, lambda word: word.kind in ("doubt", "unread"))
        for statement in _statements(rewrite(sentence, CHUNKS))
        for mention in _join(_segments(statement))
    ]
    is_exact = letters >= LETTERED and any(word.text == "centre" for word in words)
    return BoardReading(tuple(mentions), tuple(word.text for word in words if word.kind == "unread"), is_exact)


HEAD = {"colour", "shape", "piece", "limit", "number"}
CONTENT = HEAD | {"place", "feature", "not"}
JOINTS = {"relation", "except", "colon", "comma", "stop"}


def _statements(chunks: Sequence[Item]) -> Iterator[list[Item]]:
    """Yield what a sentence says in clauses with verbs of their own: "a red T, and below it there is an L, and …"."""
    statement: list[Item] = []
    for at, chunk in enumerate(chunks):
        is_joint = chunk.kind in ("comma", "stop") or chunk.text == "and"
        if is_joint and statement and statement[0].kind != "except" and _is_statement(chunks[at + 1 :]):
            yield statement
            statement = []
        else:
            statement.append(chunk)
    yield statement


def _is_statement(chunks: Sequence[Item]) -> bool:
    """Return whether a clause with a piece and a verb follows, which takes up nothing that was said before."""
    clause = list(takewhile(lambda chunk: chunk.kind not in ("comma", "stop") and chunk.text != "and", chunks))
    has_piece = any(chunk.kind in HEAD and chunk.text not in words_for("part_or_shape") for chunk in clause)
    words = [chunk.text for chunk in clause]
    is_led = next((chunk.kind for chunk in clause if chunk.kind in CONTENT), "") == "place" and ":" in words
    has_verb = not words_for("verb").isdisjoint(words)
    return has_piece and words[0] not in words_for("taking_up") and (has_verb or is_led)


def _segments(chunks: Sequence[Item]) -> Iterator[tuple[Item, list[Item]]]:
    """Yield the words about each kind of piece after what joins them to those before; it has the text before it."""
    joint, segment, kinds = END, list[Item](), set[str]()
    for before, chunk, after in zip([END, *chunks], chunks, [*chunks[1:], END], strict=False):
        is_joint = chunk.kind in JOINTS or (chunk.text == "and" and not kinds.isdisjoint(("place", "feature")))
        if is_joint or _begins_segment(before, chunk, after, segment, kinds):
            is_lead = kinds == {"place"} and chunk.kind in ("colour", "shape") and joint.kind in ("comma", "known")
            yield Item("lead") if is_lead else joint, segment  # "…, and at the bottom a red F"
            joint = replace(chunk, text=before.text) if is_joint else joint if joint.kind == "except" else END
            segment, kinds = [], set()
        if chunk.kind in CONTENT:
            segment.append(chunk)
            kinds.add(chunk.kind)
    yield joint, segment


def _begins_segment(before: Item, chunk: Item, after: Item, segment: Sequence[Item], kinds: Set[str]) -> bool:
    """Return whether a word says something of another piece than those before."""
    if chunk.kind in ("number", "limit"):
        return not kinds <= {"limit"}
    if chunk.kind not in HEAD or kinds == {"place"}:
        return chunk.kind in HEAD
    if chunk.kind == "shape":
        return "shape" in kinds and segment[-1].value != chunk.value
    is_other = before.text in ("and", "a", "an", "the", "with") or after.kind in ("shape", "piece")
    return chunk.kind == "colour" and ("colour" in kinds or ("shape" in kinds and is_other))


def _join(segments: Iterable[tuple[Item, list[Item]]]) -> list[Mention]:
    """Return the mentions of a sentence."""
    mentions: list[Mention] = []
    start, group = Mention(), Mention()
    for joint, segment in segments:
        mention, last = _mention(segment), mentions[-1] if mentions else start
        group = last if joint.kind == "colon" else group
        match _role(joint, {word.kind for word in segment}, bool(mentions), bool(start.places)):
            case "relation":
                subject = mentions.pop() if mentions and joint.text != "," else Mention()
                mentions += _relate(subject, joint.value, mention)
            case "start":
                start = replace(start, places=mention.places)
            case "addition" if mentions:
                mentions[-1:] = _extend(last, mention, joint)
            case "addition":
                start = _extend(start, mention, joint)[-1]
            case "piece":
                mentions.append(_complete(mention, start, last if mention.negated else group))
    return mentions or [start] * (not start.is_anything)


def _role(joint: Item, kinds: Set[str], follows_mention: bool, follows_place: bool) -> str:
    """Return what a segment is: the other side of a relation, a place for all, an addition, a piece, or nothing."""
    is_relation = joint.kind == "relation"
    if joint.kind == "lead" or (kinds == {"place"} and (not follows_mention or (follows_place and not is_relation))):
        return "start"
    if is_relation and kinds != {"place"}:
        return "relation"
    if joint.kind == "except" or (follows_mention and kinds.isdisjoint(HEAD)):
        return "addition"
    return "piece" if kinds and (kinds != {"number"} or follows_place) else ""


def _relate(subject: Mention, relation: str, other: Mention) -> list[Mention]:
    """Return a mention with a relation; a second one, as in "left of a V and above a T", is of the same pieces."""
    return [subject] * bool(subject.other) + [replace(subject, relation=relation, other=other)]


def _extend(mention: Mention, addition: Mention, joint: Item) -> list[Mention]:
    """Return a mention with what is left out, or with a place or lie that follows a comma; apart if it is denied."""
    if joint.kind == "except":
        return [replace(mention, without=(*mention.without, replace(addition, low=1, high=MANY)))]
    if addition.negated and addition.places:
        return [mention, replace(mention, places=addition.places, negated=True)]
    if joint.kind == "relation" and joint.value != "near" and "middle" in addition.places:
        return [mention]  # "left of the middle" is no third of the board
    places, features = (*mention.places, *addition.places), (*mention.features, *addition.features)
    return [replace(mention, places=places, features=features)]


def _complete(mention: Mention, start: Mention, group: Mention) -> Mention:
    """Return a mention with what precedes it for several: the piece of a list, a place, what is left out.

    A denial is of what precedes it: "a red T, not an L".
    """
    head = group if mention.negated or mention.low < group.low else Mention()
    places = mention.places or start.places or head.places
    colour, shape = mention.colour or head.colour, mention.shape or head.shape
    return replace(mention, colour=colour, shape=shape, places=places, without=start.without)


def _mention(segment: Sequence[Item]) -> Mention:
    """Return what the words of a segment say."""
    values = {word.kind: word.value for word in segment}
    number, limit = values.get("number", "1" if "limit" in values else ""), set(values.get("limit", "").split())
    low, high = bounds_of(int(number), limit, MANY) if number else (1, MANY)
    shape = values.get("shape", "")
    is_stick = shape == "I" and any(word.value.startswith("bump") for word in segment)
    return Mention(
        colour=values.get("colour", ""),
        shape="Y" if is_stick else shape,
        places=tuple(side for word in segment if word.kind == "place" for side in word.value.split()),
        features=tuple(word.value for word in segment if word.kind == "feature"),
        low=low,
        high=high,
        negated="not" in values,
    )
