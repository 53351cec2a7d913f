"""Reads what people say about a pentomino board: mentions of pieces with colour, shape, place, lie and number.

A mention fits a piece as far as nothing speaks against it: `Mention.misfit` is 0 for a piece that is just so and grows
with each attribute that differs. A board is described completely, so that a number of pieces is right or wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from games.common.language.doubt import sentences, takes_back
from games.common.language.lexicon import Vocabulary
from games.common.language.tokens import Token, tokenize
from games.common.pentomino import SIZE, Board, Piece, orientation, orientations

TABLES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("board_words.toml").read_text("utf-8"))
SMALL_WORDS = TABLES.pop("words")
LETTERED = 5
"""Who names so many pieces by letters, and places by "centre", names them exactly, as the scripted partner does."""
CLEAR, LOOSE, VAGUE, NEAR, CONFUSED = 3.0, 0.6, 0.9, 0.75, 0.9
"""Misfits: a clear contradiction, a shape that may be called so, a vague word; what still counts as fitting; a shape
that people mistake for another."""
CONFUSABLE = ("FNWZ", "FTY", "LNVY", "FP")
"""Shapes whose names people mix up."""
SLACK = 1.5
"""Cells by which a piece may be off the third of the board that is named, unless it is named exactly."""
MANY = 99


@cache
def meanings(table: str) -> dict[str, str]:
    """Return what each word of a table means."""
    return {
        word: meaning
        for meaning, words in TABLES[table].items()
        for word in (meaning, *words.partition(",")[0].split())
    }


def loose_shapes(shape: str) -> str:
    """Return the letters of shapes that the words for a shape may mean, too."""
    return TABLES.get("shapes", {}).get(shape, "").partition(",")[2]


@cache
def words_for(meaning: str) -> frozenset[str]:
    """Return the small words of a meaning."""
    return frozenset(SMALL_WORDS[meaning].split())


KNOWN = Vocabulary(
    [word for table in ("colours", "parts", "sides", "stances") for word in meanings(table) if len(word) > 3]
    + [word for word in meanings("shapes") if len(word) > 3]
)


# ---------------------------------------------------------------------- mentions
@dataclass(frozen=True)
class Mention:
    """Pieces as a text speaks of them: what is said of them, and how many there are. Empty fields say nothing."""

    colours: tuple[str, ...] = ()
    shape: str = ""
    loose: str = ""
    """Letters of shapes that may be meant, too."""
    places: tuple[str, ...] = ()
    """Sides: top, bottom, left, right, middle."""
    features: tuple[tuple[str, str], ...] = ()
    """How it lies: (part, direction) or ("stance", "upright")."""
    relation: str = ""
    other: Mention | None = None
    without: tuple[Mention, ...] = ()
    low: int = 1
    high: int = MANY
    negated: bool = False
    is_bare_number: bool = False
    is_sure: bool = True
    """Whether all of its sentence was understood; else it may have been meant otherwise."""
    is_answer: bool = False
    """Whether it denies what was asked: then the place that is meant is the one that the question names."""
    joint: str = ""
    """The word that joins it to the next one, while a text is read."""

    @property
    def has_head(self) -> bool:
        """Whether it says which pieces are meant by colour or shape."""
        return bool(self.colours or self.shape)

    @property
    def is_anything(self) -> bool:
        """Whether it says nothing but a number."""
        return not (self.has_head or self.places or self.features or self.other or self.without)

    def __str__(self) -> str:
        """Return in words what was understood: "no black T on the left"."""
        count = "no" if not self.high else str(self.low) if self.is_bare_number else ""
        head = (*self.colours, self.shape or ("piece" if self.low == 1 else "pieces"))
        lie = (f"{part} {value}" for part, value in self.features)
        where = ("at the", *self.places) if self.places else ()
        related = (self.relation, str(self.other)) if self.other else ()
        return " ".join((*([count] if count else []), *head, *lie, *where, *related))

    def misfit(self, piece: Piece, board: Board, is_strict: bool = False) -> float:
        """Return how much of it is not so of a piece: 0 where all is."""
        if any(other.misfit(piece, board) < NEAR for other in self.without):
            return CLEAR
        return (
            CLEAR * bool(self.colours and piece.colour not in self.colours)
            + self._shape_misfit(piece, is_strict)
            + place_misfit(piece, self.places, is_strict)
            + feature_misfit(piece, self.features)
            + self._relation_misfit(piece, board)
        )

    def _shape_misfit(self, piece: Piece, is_strict: bool) -> float:
        if not self.shape or piece.shape == self.shape:
            return 0.0
        if is_strict:
            return CLEAR
        is_confused = any({self.shape, piece.shape} <= set(shapes) for shapes in CONFUSABLE)
        return LOOSE if piece.shape in self.loose else CONFUSED if is_confused else CLEAR

    def _relation_misfit(self, piece: Piece, board: Board) -> float:
        """Return 0 if the piece is as said to one of the pieces that it is related to."""
        if not self.other:
            return 0.0
        others = [other for other in self.other.among(board) if other != piece]
        return min((relation_misfit(piece, self.relation, other) for other in others), default=CLEAR)

    def among(self, board: Board, is_strict: bool = False) -> list[Piece]:
        """Return the pieces of a board that fit; of those that only might be called so none if others fit better."""
        misfits = {piece: self.misfit(piece, board, is_strict) for piece in board.pieces}
        limit = min([NEAR, *(misfit + LOOSE / 2 for misfit in misfits.values())]) if self.shape else NEAR
        return [piece for piece, misfit in misfits.items() if misfit < limit]


def place_misfit(piece: Piece, places: Sequence[str], is_strict: bool = False) -> float:
    """Return how far a piece is from the thirds of the board that are named, beyond what people take for the same."""
    (down, right), third = piece.middle, SIZE / 3
    across, along = abs(right - SIZE / 2) - third / 2, abs(down - SIZE / 2) - third / 2
    off = {"top": down - third, "bottom": 2 * third - down, "left": right - third, "right": 2 * third - right}
    sides = set(places)
    both = max(across, along) if is_strict else min(across, along)
    off["middle"] = across if sides & {"top", "bottom"} else along if sides & {"left", "right"} else both
    worst = max((off[place] for place in places), default=0.0)
    slack, least = (0.25, VAGUE) if is_strict else (SLACK, LOOSE)
    return 0.0 if worst <= slack else min(CLEAR, worst - slack + least)


def relation_misfit(piece: Piece, relation: str, other: Piece) -> float:
    """Return how far a piece is from standing so to another, 0 where it does."""
    (down, right), (other_down, other_right) = piece.middle, other.middle
    if relation == "near":
        gap = max(abs(down - other_down), abs(right - other_right))
        return 0.0 if gap <= 6 else VAGUE
    way = {"above": other_down - down, "below": down - other_down}
    way |= {"left of": other_right - right, "right of": right - other_right}
    return 0.0 if way.get(relation, 1) > 0.4 else CLEAR if way[relation] < -0.6 else VAGUE


@cache
def piece_features(shape: str, turn: int, is_mirrored: bool) -> dict[str, str]:
    """Return how a piece lies: what its orientation in words says, read as people's words are."""
    words = orientation(shape, turn, is_mirrored)  # type: ignore[arg-type]
    features = dict(_Reader(words_of(words)).features_only())
    if "stem" in features or "arm" in features:
        features["points"] = features.get("stem") or features.get("arm", "")
    return features


def feature_misfit(piece: Piece, features: Sequence[tuple[str, str]]) -> float:
    """Return how much of what is said of a piece's lie is not so; what does not apply to its shape does not count."""
    features_here = piece_features(piece.shape, piece.turn, piece.mirrored)
    if piece.height != piece.width:
        features_here = features_here | {"stance": "upright" if piece.height > piece.width else "lying"}
    if (0, True) in orientations(piece.shape):
        features_here = features_here | {"mirrored": "mirrored" if piece.mirrored else "plain"}
    misfit = 0.0
    for part, value in features:
        if part == "turned":
            part, upside_down = TURNED.get(piece.shape, ("", ""))
            values = value.split("/") if value != "top" else [upside_down]
            misfit += (CLEAR if value == "top" else VAGUE) * (bool(part) and features_here[part] not in values)
        elif part == "stance" and piece.shape == "T":
            misfit += VAGUE * ((features_here.get("stem") in ("left", "right")) != (value == "lying"))
        elif part in features_here and features_here[part] != value:
            misfit += CLEAR
    return misfit


PREDICATE_WORDS = frozenset("is are in a an like colour sign".split())
EXCEPT = words_for("except") - {"than", "else", "other", "from", "for"}
TURNED = {"T": ("stem", "top"), "U": ("open", "bottom")}
"""The part that tells how a T or a U is turned, and its value upside down."""


# ---------------------------------------------------------------------- words
@dataclass(frozen=True)
class Word:
    """A word of a text about a board and what it means there."""

    kind: str
    value: str = ""
    text: str = ""
    number: int = 0
    loose: str = ""
    start: int = 0
    end: int = 0


def words_of(text: str) -> list[Word]:
    """Return the words of a text."""
    tokens = [token for token in tokenize(text) if not (token.raw.lower() == "'s" and token.text == "is")]
    return [replace(_word(token, tokens, at), start=token.start, end=token.end) for at, token in enumerate(tokens)]


def _word(token: Token, tokens: Sequence[Token], at: int) -> Word:
    letter = _letter(token, tokens, at)
    if letter:
        shape = meanings("shapes").get(letter, "")
        return Word("shape", shape, letter, loose=loose_shapes(shape))
    if token.number is not None and token.text != "one":
        return Word("number", text=token.text, number=token.number)
    return _meaning(KNOWN.correct(token.text))


@cache
def _meaning(word: str) -> Word:
    """Return what a word means that is neither a letter nor a number."""
    if word in (".", "!", "?", ";", "\n", ":", ",", "(", ")"):
        return Word("comma" if word in ",()" else "colon" if word == ":" else "stop", text=word)
    if word in words_for("negation"):
        return Word("not", text=word)
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        for kind in ("colours", "stances", "sides", "shapes", "parts"):
            if form in meanings(kind) and form.islower():
                value = meanings(kind)[form] if meanings(kind)[form] != "unused" else form
                loose = loose_shapes(value) if kind == "shapes" else ""
                return Word(kind.removesuffix("s"), value, word, loose=loose)
    if word in words_for("piece"):
        return Word("piece", text=word)
    return Word("relation" if word in meanings("relations") else "word", meanings("relations").get(word, ""), word)


def _letter(token: Token, tokens: Sequence[Token], at: int) -> str:
    """Return the letter of a shape that a token names ("T", "Ts", "t-shaped"), "" if it names none."""
    raw = token.raw.replace("'", "").replace("’", "")
    if len(raw) == 2 and raw[1] == "s" and raw[0].isupper():
        raw = raw[0]
    if len(raw) != 1 or raw.upper() not in meanings("shapes"):
        return ""
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    leads = before in meanings("colours") or before in words_for("before_letter")
    is_shape = after in ("shape", "shapes", "shaped", "piece", "pieces")
    if raw.islower() or raw == "I":
        return raw.upper() if is_shape or (leads and raw not in "as") else ""
    return raw


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
    unread = [word.text for word in words if _is_unread(word)]
    letters = sum(word.kind == "shape" and word.text == word.value for word in words)
    is_exact = letters >= LETTERED and any(word.text == "centre" for word in words)
    mentions = [
        replace(mention, joint="", is_sure=mention.is_sure and not is_doubtful)
        for sentence, is_doubtful in sentences(words, _is_doubtful)
        for mention in _Reader(sentence).read()
    ]
    return BoardReading(tuple(mentions), tuple(unread), is_exact)


def _is_doubtful(word: Word) -> bool:
    """Return whether a word makes its sentence unsure: it was not understood, or means something that is not read."""
    return _is_unread(word) or (word.kind == "word" and word.text in words_for("doubt"))


def _is_unread(word: Word) -> bool:
    return (
        word.kind == "word" and word.text[:1].isalnum() and words_for("known").isdisjoint((word.text, word.text[:-1]))
    )


class _Reader:
    """Reads a sentence from left to right: each word adds to the mention in the making, or begins the next."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.at = 0
        self.mentions: list[Mention] = []
        self.mention = Mention()
        self.is_open = False
        self.leading: tuple[str, ...] = ()
        self.is_leading_used = self.is_leading_single = False
        self.link = ""
        self.subject: Mention | None = None
        self.negated = False
        self.excepts = False
        self.excepted: tuple[Mention, ...] = ()
        """What was left out before anything was mentioned: "besides the T, is there …"."""
        self.group: Mention | None = None
        self.has_noun = False

    def word(self, ahead: int = 0) -> Word:
        """Return the word some places ahead; an empty one outside the sentence."""
        at = self.at + ahead
        return self.words[at] if 0 <= at < len(self.words) else Word("stop")

    def features_only(self) -> Iterator[tuple[str, str]]:
        """Yield the features of a text that says nothing else."""
        self.is_open = True
        self.mention = Mention(shape="?")
        while self.at < len(self.words):
            if not self._read_feature():
                self.at += 1
        yield from self.mention.features

    def read(self) -> list[Mention]:
        """Return the mentions of the sentence."""
        readers = (self._read_feature, self._read_relation, self._read_place, self._read_head, self._read_number)
        while self.at < len(self.words):
            if not any(read() for read in readers):
                self._read_small()
                self.at += 1
        self._close()
        if self.leading and not self.is_leading_used:
            if self.mentions and self.mentions[-1].has_head:
                self.mentions[-1] = replace(self.mentions[-1], places=(*self.mentions[-1].places, *self.leading))
            else:
                self.mentions.append(replace(self.mention, places=self.leading, without=self.excepted))
        return self.mentions

    # ------------------------------------------------------------------ parts of a mention
    def _read_feature(self) -> bool:
        """Read "pointing left", "open at the bottom", "its foot at the top right", "upright", "upside down"."""
        word, after = self.word(), self.word(1)
        if word.text == "upside" and after.text == "down":
            return self._add_feature(("turned", "top"), 2)
        if (
            word.text == "side"
            and self.word(-1).text in ("its", "the", "their")
            and self.word(-2).text == "on"
            and self.word(-1).text != "the"
        ):
            return self._add_feature(("turned", "left/right"), 1)
        if word.text == "middle" and after.text == "bar" and self.word(2).kind == "stance":
            return self._add_feature(("bar", self.word(2).value), 3)
        if word.kind == "stance":
            length = 2 if after.text in ("down", "up", "upright", "flat") else 1
            return self._add_feature(("mirrored" if word.value == "mirrored" else "stance", word.value), length)
        part = word.value if word.kind == "part" else ""
        if word.kind in ("shape", "piece") and word.text in meanings("parts") and self._is_part():
            part = meanings("parts")[word.text]
        if not part:
            return False
        sides, end = self._sides(1)
        if not sides:
            return False
        value = " ".join(sides)
        return self._add_feature((part, value), end)

    def _is_part(self) -> bool:
        """Return whether a word such as "corner" names a part: "with its corner at the top left"."""
        return self.word(-1).text in ("its", "the", "longer", "middle") and self.word(-1).text != "the"

    def _sides(self, ahead: int) -> tuple[list[str], int]:
        """Return the sides that follow after small words, and the end: "to the left", "at the bottom right"."""
        while self.word(ahead).text in words_for("before_side"):
            ahead += 1
        sides: list[str] = []
        while self.word(ahead).kind == "side" or (sides and self.word(ahead).text in ("corner", "and", "hand")):
            if self.word(ahead).text == "and" and self.word(ahead + 1).kind != "side":
                break
            sides += [self.word(ahead).value] if self.word(ahead).kind == "side" else []
            ahead += 2 if self.word(ahead).text == "halfway" and self.word(ahead + 1).kind == "side" else 1
        return sides, ahead

    def _add_feature(self, feature: tuple[str, str], length: int) -> bool:
        if not self.is_open and self.mentions:
            self.mention, self.is_open = self.mentions.pop(), True
        self.mention = replace(self.mention, features=(*self.mention.features, feature))
        self.is_open = True
        self.at += length
        return True

    def _read_relation(self) -> bool:
        """Read "left of", "to the right of", "above", "next to", "below it"."""
        word, after = self.word(), self.word(1)
        relation = word.value if word.kind == "relation" else ""
        length = 1
        if word.kind == "side" and word.value in ("left", "right") and after.text in ("of", "from"):
            relation, length = f"{word.value} of", 2
        if word.text in ("above", "over"):
            relation = "above"
        if not relation or (relation in ("left of", "right of") and length == 1):
            return False
        while self.word(length).text in ("to", "of", "the"):
            length += 1
        if self.word(length).text in ("it", "them", "that", "this"):
            length += 1
            self.at += length
            earlier = self.mentions[-1] if self.mentions else None
            if earlier and self.is_open:
                self.mention = replace(self.mention, relation=relation, other=replace(earlier, low=1, high=MANY))
            return True
        if self.word(length).kind in ("stop", "comma"):
            return False
        self.at += length
        if self.subject and self.word(-length - 1).text == "and":
            subject = self.subject
            self._close()
            self.mention = subject
        self.subject, self.link = self.mention, relation
        self.mention, self.is_open = Mention(), False
        return True

    def _read_place(self) -> bool:
        """Read "top left", "on the right side", "in the upper half", "along the bottom edge", "in the middle"."""
        if self.word().kind != "side":
            return False
        sides, end = self._sides(0)
        while self.word(end).text in words_for("after_side"):
            if self.word(end).text == "of" and self.word(end + 1).text not in ("the", "board"):
                break
            end += 2 if self.word(end).text == "of" and self.word(end + 1).text == "the" else 1
        self.at += end
        places = tuple(dict.fromkeys(sides))
        if self.is_open and (
            self.mention.has_head or self.mention.low != 1 or self.mention.high != MANY or self.negated
        ):
            self.mention = replace(self.mention, places=(*self.mention.places, *places))
            self._share_place(places)
        else:
            self.leading, self.is_leading_used = places, False
            self.is_leading_single = self.word().text == "is"
        return True

    def _share_place(self, places: tuple[str, ...]) -> None:
        """Give the place to what "and" joins by colour alone: "purple and pink along the top"."""
        if self.mentions and self.mentions[-1].joint == "and" and not self.mentions[-1].places:
            self.mentions[-1] = replace(self.mentions[-1], places=places)

    def _read_head(self) -> bool:
        """Read a colour, a shape or "piece"."""
        word, has, before = self.word(), self.mention, self.word(-1).text
        if word.kind not in ("colour", "shape", "piece") or (word.text == "one" and self.word(1).text == "of"):
            return False
        is_repeated = word.kind == "shape" and has.shape == word.value and self.word(-1).kind in ("colour", "shape")
        if word.text == "sign" or is_repeated:
            self.at += 1
            return True
        if self._begins_mention(word):
            self._close("and" if before == "and" and not has.shape and has.colours else "")
        if word.kind == "colour":
            self.mention = replace(self.mention, colours=(word.value,))
        elif word.kind == "shape":
            self.mention = replace(self.mention, shape=word.value, loose=word.loose)
        self.is_open = self.has_noun = True
        self.at += 1
        return True

    def _begins_mention(self, word: Word) -> bool:
        """Return whether a colour or shape belongs to another piece than the one in the making."""
        has, before = self.mention, self.word(-1).text
        if word.kind == "shape":
            return bool(has.shape)
        if word.kind != "colour":
            return False
        is_next = bool(has.shape) and before in ("and", ",", "a", "an", "the", "with")
        is_moved = bool(has.places) and has.has_head and before not in PREDICATE_WORDS
        return bool(has.colours) or is_next or is_moved

    def _read_number(self) -> bool:
        """Read "two", "at least three", "only one", "no", "nothing"."""
        word = self.word()
        if word.kind == "number":
            if self.is_open:
                self._close()
            before = {self.word(-1).text, self.word(-2).text}
            low, high = word.number, word.number
            if "least" in before or "over" in before:
                high = MANY
            elif before & {"more"} or self.word(-1).text == "than":
                low, high = word.number + 1, MANY
            self.mention = replace(self.mention, low=low, high=high, is_bare_number=True)
            self.is_open = True
        elif word.kind == "not":
            if self.is_open and self.mention.has_head and word.text in ("not", "isn"):
                self.negated = True
            elif word.text != "not" and not takes_back((word, self.word(1))):
                self._close()
                self.mention = replace(self.mention, low=0, high=0)
                self.is_open = word.text in ("nothing", "none", "empty", "blank", "free")
        else:
            return False
        self.at += 1
        return True

    def _read_small(self) -> None:
        """Take note of small words: "only", "except", "one of them", commas."""
        word = self.word()
        is_exception = word.text in EXCEPT or (word.text == "than" and self.word(-1).text == "other")
        if word.text in ("total", "altogether", "all"):
            self.has_noun = True
        elif is_exception and (self.is_open or (not self.mentions and word.text != "but")):
            self._close()
            self.excepts = True
        elif self.is_open and word.kind == "colon":
            self.group = self.mention if self.mention.low > 1 else None
            self._close()
        elif self.is_open and self._ends_mention(word):
            self._close("and" if word.text == "and" else "")
        if word.kind == "comma":
            self.excepts = False

    def _ends_mention(self, word: Word) -> bool:
        """Return whether a small word ends the mention in the making."""
        after = self.word(1).text
        if word.text == "and":
            return bool(self.mention.places or self.mention.features)
        return (word.kind == "comma" and after != "which") or (word.text == "with" and after in ("a", "an", "the"))

    # ------------------------------------------------------------------ mentions
    def _close(self, joint: str = "") -> None:
        """Add the mention in the making, and begin the next."""
        mention, self.mention = self.mention, Mention()
        is_open, self.is_open = self.is_open, False
        has_noun, self.has_noun = self.has_noun, False
        if self.group and is_open and mention is not self.group and mention.low < self.group.low:
            mention = replace(mention, shape=mention.shape or self.group.shape, loose=mention.loose or self.group.loose)
            mention = replace(mention, colours=mention.colours or self.group.colours)
        if self.subject:
            if is_open:
                self.mentions.append(replace(self.subject, relation=self.link, other=mention, negated=self.negated))
            else:
                self.mentions.append(self.subject)
            self.subject, self.link, self.negated = None, "", False
            return
        if not is_open:
            self.mention = replace(mention, low=mention.low, high=mention.high)
            return
        if mention.is_bare_number and mention.is_anything and not has_noun:
            return
        if self.excepts:
            excepted = replace(mention, low=1, high=MANY)
            if self.mentions:
                last = self.mentions[-1]
                self.mentions[-1] = replace(last, without=(*last.without, excepted))
            else:
                self.excepted = (*self.excepted, excepted)
            return
        mention = replace(mention, without=(*mention.without, *self.excepted))
        places = mention.places or self.leading
        self.is_leading_used |= places == self.leading
        if self.is_leading_single and self.is_leading_used:
            self.leading = ()
        self.mentions.append(replace(mention, places=places, negated=self.negated, joint=joint))
        self.negated = False
